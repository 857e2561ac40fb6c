//! A game whose map, table and length are chosen, and what a decision of it costs in operations: they are the same on every machine.

use ludoteca::{Arena, Bot, Game, Library, PackSource, Selection, load, render_all};
use ludoteca_lab::simulate;
use std::sync::Arc;

/// Every player takes a space beside its own, and a scout comes and goes with every turn.
const RULES: &str = r#"
fn setup() {
    for (square, k) in shuffled(spaces()) { square.owner = player(k % player_count()); }
}
fn turn(p) {
    let scout = create("scout", game.field);
    let border = choose_or(p, "attack", edges(owned(p), others(owned(p))), "stop");
    if border != () { border.to.owner = p; }
    remove(scout);
}
fn score(p) { owned(p).len }
"#;

const TEXT: &str = r#"
[prompt]
attack = { es = "¿Dónde atacas?", en = "Where do you attack?" }
[option]
stop = { es = "Nada", en = "Nothing" }
"#;

const CARDS: &str = r#"
kind = "token"
[cards.scout]
name = { es = "Explorador", en = "Scout" }
"#;

fn game(side: usize, rounds: u32) -> Arc<Game> {
    let manifest = format!(
        r#"version = "1.0.0"
title = {{ es = "Crecer", en = "Growth" }}
summary = {{ es = "Crecer.", en = "Growth." }}
players = [2, 8]
map = "board"
round_limit = {rounds}
[attributes.space]
owner = "player"
[zones]
field = {{ visible = "all" }}
[kinds.token]
text = {{ es = "Ficha", en = "Token" }}
[[phases]]
step = "turn"
each = "player"
text = {{ es = "Turno", en = "Turn" }}
"#
    );
    let map = format!(
        "title = {{ es = \"Tablero\", en = \"Board\" }}\n[grid]\nsize = [{side}, {side}]\n"
    );
    let pack = PackSource::memory(
        "base",
        [
            ("scripts/growth/game.toml", manifest.as_str()),
            ("scripts/growth/rules.rhai", RULES),
            ("cards/growth/text.toml", TEXT),
            ("cards/growth/tokens.toml", CARDS),
            ("maps/growth/board.toml", map.as_str()),
        ],
    );
    let (library, _) = Library::open(&[pack]);
    load(&library, "growth", &Selection::default())
        .unwrap_or_else(|problems| panic!("{}", render_all(&problems, false)))
}

/// What a match of random players took.
#[derive(Debug, PartialEq)]
pub struct Cost {
    /// Operations for a thousand decisions.
    pub operations: u64,
    /// Pieces there is room for at the end, and the numbers of a position.
    pub rows: usize,
    pub numbers: usize,
}

/// Plays one such match.
pub fn cost(side: usize, players: u8, rounds: u32) -> Cost {
    let game = game(side, rounds);
    let mut arena = Arena::new(&game, players);
    let bots = vec![Bot::Random; players as usize];
    let record = simulate::play(&mut arena, &bots, 1).expect("the rules hold");
    assert_eq!(record.rounds, rounds);
    let played = arena.played();
    Cost {
        operations: played.spent() * 1000 / record.decisions,
        rows: played.table.state.pieces.len(),
        numbers: played.table.state.values.len() + played.table.state.piece_values.len(),
    }
}
