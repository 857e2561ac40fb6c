//! `ludoteca list`: the games and variants there are.

use crate::arguments::List;
use crate::output::{Failure, Outcome, errln, outln, show};
use crate::packs;
use crate::words::{language, say};
use ludoteca::{Diagnostic, GameInfo, pack::BASE};
use serde_json::json;
use std::path::PathBuf;

pub fn run(content: &[PathBuf], list: &List) -> Outcome {
    let (library, problems) = packs::open(content)?;
    show(&problems);
    let games = library.games();
    if list.json {
        let games: Vec<_> = games
            .iter()
            .map(|game| {
                let variants: Vec<_> = game.variants.iter().map(|v| json!({ "id": v.id, "title": v.title, "summary": v.summary })).collect();
                json!({ "id": game.id, "title": game.title, "summary": game.summary, "players": game.players, "pack": game.pack, "variants": variants })
            })
            .collect();
        outln!("{}", json!({ "games": games }));
        return Ok(());
    }
    let shelf = |game: &GameInfo| library.packs.iter().position(|pack| pack.name == game.pack);
    let mut games = games;
    games.sort_by_key(shelf);
    let mut heading = BASE.to_string();
    for game in games {
        if game.pack != heading {
            outln!("\n{}", game.pack);
            heading.clone_from(&game.pack);
        }
        let (fewest, most) = game.players;
        let players = match fewest == most {
            true => say!("{most} jugadores", "{most} players"),
            false => say!(
                "de {fewest} a {most} jugadores",
                "{fewest} to {most} players"
            ),
        };
        outln!("{:16} {}  ({players})", game.id, language().of(&game.title));
        for variant in game.variants {
            let title = language().of(&variant.title);
            outln!("  --variant {:18} {title}", variant.id);
        }
    }
    errln!("{}", packs::whence(content));
    match problems.iter().any(Diagnostic::is_error) {
        true => Err(Failure::Content),
        false => Ok(()),
    }
}
