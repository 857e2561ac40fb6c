//! Whoever reads the log alone knows the open table: what each line says, written down in `tests/facts/<game>.toml`, is applied to
//! the table as it was at the first choice of the first round, and compared with the real one at the first choice of every round
//! and at the end.

use ludoteca::bots;
use ludoteca::content::definition::{Attribute, Definition, FieldValue, Visibility};
use ludoteca::model::luck::Luck;
use ludoteca::play::matches::{Match, Status};
use ludoteca::play::say::Language;
use ludoteca::play::view;
use ludoteca::table::about::About;
use ludoteca::table::event::{Detail, Event};
use ludoteca::table::game::Game;
use ludoteca_tests::{games, root};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Rounds that are followed; long games do the same things again.
const ROUNDS: u32 = 25;

/// What the lines of a game's log say.
struct Facts {
    /// Attributes that follow from others or are over when a round begins: no line has to tell them.
    follow: Vec<String>,
    /// Attributes without a text that are open and told all the same, and zones (`player.#hand`) whose size is.
    also: Vec<String>,
    lines: BTreeMap<String, Vec<Fact>>,
}

/// `player.fuel[kind] += count`
#[derive(Clone)]
struct Fact {
    subject: String,
    attribute: String,
    index: Option<String>,
    operation: String,
    value: String,
}

impl Fact {
    fn new(written: &str) -> Fact {
        let mut words = written.splitn(3, ' ');
        let mut word = || {
            words
                .next()
                .unwrap_or_else(|| panic!("`{written}` is no fact"))
        };
        let (left, operation, value) = (word(), word(), word());
        let (subject, attribute) = left.split_once('.').expect("a subject has an attribute");
        let (attribute, index) = match attribute.strip_suffix(']').and_then(|a| a.split_once('[')) {
            Some((attribute, index)) => (attribute, Some(index.to_string())),
            None => (attribute, None),
        };
        Fact {
            subject: subject.into(),
            attribute: attribute.into(),
            index,
            operation: operation.into(),
            value: value.into(),
        }
    }
}

fn facts(game: &str) -> Facts {
    let path = root().join(format!("tests/facts/{game}.toml"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path:?}: {e}"));
    let written: BTreeMap<String, Json> = toml(&text);
    let strings = |value: Option<&Json>| -> Vec<String> {
        let items = value.and_then(Json::as_array).into_iter().flatten();
        items
            .filter_map(|item| Some(item.as_str()?.to_string()))
            .collect()
    };
    let lines = written["lines"].as_object().expect("lines by key");
    Facts {
        follow: strings(written.get("follow")),
        also: strings(written.get("also")),
        lines: lines
            .iter()
            .map(|(key, said)| {
                (
                    key.clone(),
                    strings(Some(said)).iter().map(|f| Fact::new(f)).collect(),
                )
            })
            .collect(),
    }
}

/// The little of TOML these files use: lists of strings, and one table.
fn toml(text: &str) -> BTreeMap<String, Json> {
    let mut read = BTreeMap::new();
    let mut lines = serde_json::Map::new();
    let mut in_lines = false;
    for line in text.lines().map(str::trim) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if line == "[lines]" {
            in_lines = true;
            continue;
        }
        let (key, list) = line.split_once(" = ").unwrap_or_else(|| panic!("{line}"));
        let key = key.trim_matches('"').to_string();
        let list: Json = serde_json::from_str(list).unwrap_or_else(|e| panic!("{line}: {e}"));
        if in_lines {
            lines.insert(key, list);
        } else {
            read.insert(key, list);
        }
    }
    read.insert("lines".into(), Json::Object(lines));
    read
}

/// The table as the log tells it, in the shape of the view.
struct Told<'g> {
    view: Json,
    definition: &'g Definition,
}

impl Told<'_> {
    fn hear(&mut self, fact: &Fact, details: &[Detail]) {
        let detail = |name: &str| details.iter().find(|detail| detail.name == name);
        let subjects: Vec<String> = match fact.subject.as_str() {
            "game" => vec!["/game".into()],
            "everybody" => {
                let seats = self.view["players"].as_array().map_or(0, Vec::len);
                (0..seats).map(|seat| format!("/players/{seat}")).collect()
            }
            name => match detail(name).map(|detail| &detail.about) {
                Some(About::Several { of }) => of.iter().filter_map(place).collect(),
                Some(one) => place(one).into_iter().collect(),
                None => panic!("the line has no {name}"),
            },
        };
        for subject in subjects {
            let attribute = match fact
                .attribute
                .strip_prefix('{')
                .and_then(|a| a.strip_suffix('}'))
            {
                Some(name) => detail(name).map(|d| d.key.clone()).unwrap_or_default(),
                None => fact.attribute.clone(),
            };
            let base = match attribute.strip_prefix('#') {
                Some(zone) => format!("{subject}/zones/{zone}/count"),
                None => format!("{subject}/{attribute}"),
            };
            let columns: Vec<String> = match &fact.index {
                None => vec![base],
                Some(name) => match detail(name).map(|detail| &detail.about) {
                    Some(About::Several { of }) => of
                        .iter()
                        .filter_map(|one| Some(format!("{base}/{}", column(one)?)))
                        .collect(),
                    Some(one) => column(one)
                        .map(|c| format!("{base}/{c}"))
                        .into_iter()
                        .collect(),
                    None => vec![format!("{base}/{name}")],
                },
            };
            let value = self.value(&fact.value, &subject, details);
            for at in columns {
                // A list may name things that are counted elsewhere.
                let Some(held) = self.view.pointer_mut(&at) else {
                    assert!(fact.index.is_some(), "there is no {at}");
                    continue;
                };
                *held = match (fact.operation.as_str(), held.as_i64(), value.as_i64()) {
                    ("=", ..) => value.clone(),
                    ("+=", Some(held), Some(by)) => json!(held + by),
                    ("-=", Some(held), Some(by)) => json!(held - by),
                    _ => panic!("{at} {} {value}: not numbers", fact.operation),
                };
            }
        }
    }

    fn value(&self, written: &str, subject: &str, details: &[Detail]) -> Json {
        let detail = |name: &str| {
            let found = details.iter().find(|detail| detail.name == name);
            found.unwrap_or_else(|| panic!("the line has no {name}"))
        };
        if let Ok(number) = written.parse::<i64>() {
            return json!(number);
        }
        match written {
            "true" => return json!(true),
            "false" => return json!(false),
            "()" => return Json::Null,
            _ => {}
        }
        if let Some(zone) = written.strip_prefix('#') {
            return self
                .view
                .pointer(&format!("{subject}/zones/{zone}/count"))
                .cloned()
                .unwrap_or_default();
        }
        let call = |name: &str| written.strip_prefix(name)?.strip_suffix(')');
        if let Some(name) = call("cards(") {
            let About::Several { of } = &detail(name).about else {
                return json!(0);
            };
            return json!(
                of.iter()
                    .filter(|one| matches!(one, About::Piece { .. }))
                    .count()
            );
        }
        if let Some((name, word)) = call("count(").and_then(|inside| inside.split_once(", ")) {
            let About::Several { of } = &detail(name).about else {
                return json!(0);
            };
            let is = |one: &&About| matches!(one, About::Word { word: w } if w == word);
            return json!(of.iter().filter(is).count());
        }
        if let Some((name, word)) = call("is(").and_then(|inside| inside.split_once(", ")) {
            return json!(i64::from(detail(name).key == word));
        }
        if let Some((name, field)) = written.split_once('.') {
            return self.field(&detail(name).about, field);
        }
        match &detail(written).about {
            About::Amount { amount } => json!(amount),
            About::Player { seat } => json!(seat),
            About::Space { space } => json!(space),
            About::Word { word } => json!(word),
            About::Card { card } | About::Piece { card, .. } => json!(card),
            other => panic!("{written} is {other:?}"),
        }
    }

    /// A word that a card carries.
    fn field(&self, of: &About, field: &str) -> Json {
        let (About::Card { card } | About::Piece { card, .. }) = of else {
            panic!("{of:?} is no card");
        };
        let card = self
            .definition
            .cards
            .iter()
            .find(|c| c.id == *card)
            .expect("a card");
        let fields = &self.definition.kinds[card.kind as usize].fields;
        let at = fields
            .iter()
            .position(|f| f.name == field)
            .expect("a field");
        match &card.fields[at] {
            FieldValue::Word(word) => json!(self.definition.words[*word as usize]),
            _ => Json::Null,
        }
    }
}

/// Where something is in the view.
fn place(about: &About) -> Option<String> {
    match about {
        About::Player { seat } => Some(format!("/players/{seat}")),
        About::Space { space } => Some(format!("/spaces/{space}")),
        _ => None,
    }
}

/// Which number of a row something stands for.
fn column(about: &About) -> Option<String> {
    match about {
        About::Player { seat } => Some(seat.to_string()),
        About::Word { word } => Some(word.clone()),
        _ => None,
    }
}

/// What the log and the table say of everything that is open, where they differ.
fn differences(facts: &Facts, definition: &Definition, told: &Json, real: &Json) -> Vec<String> {
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
                        view: real,
                        definition,
                    })
                }
                Some(told) => {
                    let found = differences(&facts, definition, &told.view, &real);
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
        let picked = bots::random::pick(&played, seat, &mut luck);
        played
            .answer(seat, &picked)
            .map_err(|error| error.to_string())?;
    }
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
