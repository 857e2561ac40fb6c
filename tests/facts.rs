//! Whoever reads the log alone knows the open table: what each line says, written down in `tests/facts/<game>.toml`, is applied to
//! the table as it was at the first choice of the first round, and compared with the real one at the first choice of every round
//! and at the end: attributes, and what lies in every zone that all may look into.
//!
//! | written | says |
//! |---|---|
//! | `player.fuel[kind] += count` | an attribute of what the line names changes |
//! | `card.boosts += boosts` | the same of a piece; `*` are all |
//! | `card -> player.reserve` | a piece, or several, lie there now; `gone` is nowhere |
//! | `worker@space.workers:rival -> rival.available` | one of somebody's at a place; `*@game.discard` are all |
//! | `cards => game.shown` | those that lay in the open before |
//! | `space.armies:player -= lost` | of two occupants (`owner`, `partner`) the one of this player |
//! | `space.owner joins player`, `quits` | becomes owner, or partner of the owner; leaves it to the other |
//! | `city.first fills player` | the first free of `first`, `second`, `third` |
//! | `.. if card.type = permanent` | only then |

#[path = "facts/heard.rs"]
mod heard;
#[path = "facts/written.rs"]
mod written;

use heard::{Lying, Told, lying};
use ludoteca::{
    Event, Game, Language, Luck, Match, Status, Stream,
    definition::{Attribute, Definition, Visibility},
    random, view,
};
use ludoteca_tests::games;
use serde_json::{Value as Json, json};
use std::sync::Arc;
use written::{Facts, facts};

/// Rounds that are followed; long games do the same things again.
const ROUNDS: u32 = 25;

/// What the log and the table say of everything that is open, where they differ.
fn differences(facts: &Facts, definition: &Definition, heard: &Told, real: &Json) -> Vec<String> {
    let told = &heard.view;
    let all = &definition.attributes;
    let mut names: Vec<String> = Vec::new();
    for (of, declared) in [
        ("game", &all.game),
        ("player", &all.player),
        ("space", &all.space),
    ] {
        let open = |a: &&Attribute| a.visible == Visibility::All && a.text.is_some();
        names.extend(
            declared
                .iter()
                .filter(open)
                .map(|a| format!("{of}.{}", a.name)),
        );
    }
    names.extend(facts.also.iter().cloned());
    names.retain(|name| !facts.follow.contains(name));
    let spaces = real["spaces"].as_object().into_iter().flatten();
    let spaces: Vec<String> = spaces.map(|(id, _)| format!("/spaces/{id}")).collect();
    let players = real["players"].as_array().map_or(0, Vec::len);
    let players: Vec<String> = (0..players)
        .map(|seat| format!("/players/{seat}"))
        .collect();
    let mut found = Vec::new();
    let mut lies = lying(facts, definition, real);
    for told in &heard.lying {
        let same = |one: &Lying| {
            let owner = told.owner.is_none() || told.owner == one.owner;
            owner && one.card == told.card && one.at == told.at && one.attributes == told.attributes
        };
        match lies.iter().position(same) {
            Some(at) => {
                lies.remove(at);
            }
            None => found.push(format!("the log says {}, and it is not there", told.told())),
        }
    }
    found.extend(
        lies.iter()
            .map(|one| format!("the log does not say {}", one.told())),
    );
    for name in &names {
        let (of, attribute) = name.split_once('.').expect("of what");
        let things = match of {
            "game" => vec!["/game".to_string()],
            "player" => players.clone(),
            _ => spaces.clone(),
        };
        for thing in things {
            let at = match attribute.strip_prefix('#') {
                Some(zone) => format!("{thing}/zones/{zone}/count"),
                None => format!("{thing}/{attribute}"),
            };
            let (log, table) = (told.pointer(&at), real.pointer(&at));
            if log != table {
                let shown = |value: Option<&Json>| value.map_or("nothing".into(), Json::to_string);
                found.push(format!(
                    "{at}: the log says {}, the table {}",
                    shown(log),
                    shown(table)
                ));
            }
        }
    }
    found
}

fn follow(game: &Arc<Game>, players: u8, seed: u64) -> Result<u32, String> {
    let definition = &game.definition;
    let facts = facts(&definition.id);
    let mut played = Match::new(game.clone(), players, seed);
    played.table.events = Some(Vec::new());
    let luck: Vec<Luck> = (0..players).map(|seat| Luck::new(seat, seed)).collect();
    let mut told: Option<Told> = None;
    let mut round = 0;
    let mut compared = 0;
    let mut heard: Vec<String> = Vec::new();
    loop {
        let status = played.advance().map_err(|broken| broken.to_string())?;
        let events = played.table.events.replace(Vec::new()).unwrap_or_default();
        let over = status == Status::Over;
        if let Some(told) = &mut told {
            for event in &events {
                let Event::Said { key, details, .. } = event else {
                    continue;
                };
                let key = &game.lexicon.logs[*key as usize];
                heard.push(key.clone());
                for fact in facts.lines.get(key).into_iter().flatten() {
                    told.hear(fact, details);
                }
            }
        }
        let now = played.table.state.round;
        if (now != round || over) && now > 0 {
            let real = json!(view::view(&played.table, None, Language::En));
            match &told {
                None => {
                    told = Some(Told {
                        lying: lying(&facts, definition, &real),
                        view: real,
                        facts: &facts,
                        definition,
                    })
                }
                Some(told) => {
                    let found = differences(&facts, definition, told, &real);
                    if !found.is_empty() {
                        heard.dedup();
                        return Err(format!(
                            "{} with {players}, seed {seed}, round {now}:\n{}\nsaid: {}",
                            definition.id,
                            found.join("\n"),
                            heard.join(" ")
                        ));
                    }
                    compared += 1;
                }
            }
            round = now;
            heard.clear();
        }
        if over || round > ROUNDS {
            return Ok(compared);
        }
        let seat = played
            .choice()
            .and_then(|choice| choice.waiting())
            .expect("somebody is asked");
        let mut luck = luck[seat as usize].now(&played.table.state);
        if let Some(picked) = eager(&facts, &played, seat, &mut luck)
            && played.answer(seat, &picked).is_ok()
        {
            continue;
        }
        let picked = random::pick(&played, seat, &mut luck);
        played
            .answer(seat, &picked)
            .map_err(|error| error.to_string())?;
    }
}

/// An answer that is given more often, every second time it is offered.
fn eager(facts: &Facts, played: &Match, seat: u8, luck: &mut Stream) -> Option<Vec<u32>> {
    let choice = played.choice()?;
    let few = choice.count(&played.table, seat) <= 40;
    if facts.eager.is_empty() || !few || luck.below(2) == 0 {
        return None;
    }
    let keys = choice.keys(&played.table, seat);
    let wanted = keys.iter().position(|key| facts.eager.contains(key))?;
    Some(vec![wanted as u32])
}

#[test]
fn the_log_alone_tells_the_open_table() {
    let mut wrong = Vec::new();
    for game in games() {
        let (fewest, most) = game.definition.players;
        let mut compared = 0;
        for (players, seed) in [(fewest, 1), (most, 2), (most.min(3), 3)] {
            match follow(&game, players, seed) {
                Ok(times) => compared += times,
                Err(found) => wrong.push(found),
            }
        }
        assert!(
            compared > 10 || !wrong.is_empty(),
            "{}: {compared} comparisons",
            game.definition.id
        );
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
