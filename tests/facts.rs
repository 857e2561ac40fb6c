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

use ludoteca::{
    About, Detail, Event, Game, Language, Luck, Match, Status, Stream,
    definition::{Attribute, AttributeType, Definition, FieldValue, Visibility},
    random, view,
};
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
    /// Answers that are given more often than chance would, so that what seldom happens does.
    eager: Vec<String>,
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
    /// A field of a card and the word it must have.
    only: Option<(String, String, String)>,
}

impl Fact {
    fn new(written: &str) -> Fact {
        let (said, only) = match written.split_once(" if ") {
            Some((said, only)) => (said, Some(only)),
            None => (written, None),
        };
        let only = only.map(|only| {
            let (field, word) = only.split_once(" = ").expect("a condition");
            let (card, field) = field.split_once('.').expect("a field of a card");
            (card.to_string(), field.to_string(), word.to_string())
        });
        let mut words = said.splitn(3, ' ');
        let mut word = || {
            words
                .next()
                .unwrap_or_else(|| panic!("`{written}` is no fact"))
        };
        let (left, operation, value) = (word(), word(), word());
        let (subject, attribute) = match operation {
            "->" | "=>" => (left, ""),
            _ => left.split_once('.').expect("a subject has an attribute"),
        };
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
            only,
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
        eager: strings(written.get("eager")),
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

/// A piece that everybody sees. Two that are alike in all of this are the same to a reader.
#[derive(Debug, Clone, PartialEq)]
struct Lying {
    card: String,
    /// If the log has said so.
    owner: Option<u64>,
    /// Of whom, and the zone: `/players/0/reserve`.
    at: String,
    attributes: BTreeMap<String, Json>,
    /// Which it is, as long as the log says so.
    key: Option<u64>,
}

impl Lying {
    fn told(&self) -> String {
        let owner = self
            .owner
            .map_or(String::new(), |seat| format!(" of {seat}"));
        format!("{}{owner} in {} {:?}", self.card, self.at, self.attributes)
    }
}

/// What lies in the open.
fn lying(facts: &Facts, definition: &Definition, view: &Json) -> Vec<Lying> {
    let mut found = Vec::new();
    let players = view["players"].as_array().into_iter().flatten().enumerate();
    let spaces = view["spaces"].as_object().into_iter().flatten();
    let places = [("/game".to_string(), &view["game"])].into_iter();
    let places = places.chain(players.map(|(seat, player)| (format!("/players/{seat}"), player)));
    for (of, thing) in places.chain(spaces.map(|(id, space)| (format!("/spaces/{id}"), space))) {
        for (name, zone) in thing["zones"].as_object().into_iter().flatten() {
            if !is_followed(facts, definition, name) {
                continue;
            }
            for piece in zone["pieces"].as_array().into_iter().flatten() {
                let attributes = shown_of_pieces(facts, definition).map(|attribute| {
                    let value = piece.get(&attribute.name).cloned();
                    (
                        attribute.name.clone(),
                        value.unwrap_or_else(|| at_start(attribute)),
                    )
                });
                found.push(Lying {
                    card: piece["card"].as_str().unwrap_or_default().to_string(),
                    owner: piece["owner"].as_u64(),
                    at: format!("{of}/{name}"),
                    attributes: attributes.collect(),
                    key: piece["key"].as_u64(),
                });
            }
        }
    }
    found
}

/// Whether all may look into a zone, and the log has to tell what lies there.
fn is_followed(facts: &Facts, definition: &Definition, zone: &str) -> bool {
    let declared = definition
        .zones
        .iter()
        .find(|declared| declared.name == zone);
    let open = declared.is_some_and(|zone| zone.visible == Visibility::All);
    open && !facts.follow.contains(&format!("zone.{zone}"))
}

fn shown_of_pieces<'d>(
    facts: &'d Facts,
    definition: &'d Definition,
) -> impl Iterator<Item = &'d Attribute> {
    let shown = |a: &&Attribute| {
        let is_open = a.visible == Visibility::All && a.text.is_some();
        is_open && !facts.follow.contains(&format!("piece.{}", a.name))
    };
    definition.attributes.piece.iter().filter(shown)
}

fn at_start(attribute: &Attribute) -> Json {
    match attribute.ty {
        AttributeType::Int => json!(attribute.start),
        AttributeType::Bool => json!(attribute.start != 0),
        _ => Json::Null,
    }
}

/// The table as the log tells it, in the shape of the view.
struct Told<'g> {
    view: Json,
    lying: Vec<Lying>,
    facts: &'g Facts,
    definition: &'g Definition,
}

impl Told<'_> {
    /// Where pieces are meant in a fact: `player.reserve`, `places.workers`.
    fn zones(&self, written: &str, details: &[Detail]) -> (Vec<String>, String) {
        let detail = |name: &str| {
            let found = details.iter().find(|detail| detail.name == name);
            found.unwrap_or_else(|| panic!("the line has no {name}"))
        };
        let (of, zone) = written.split_once('.').expect("whose zone");
        let of = match of {
            "game" => vec!["/game".to_string()],
            name => match &detail(name).about {
                About::Several { of } => of.iter().filter_map(place).collect(),
                one => place(one).into_iter().collect(),
            },
        };
        let zone = match zone.strip_prefix('{').and_then(|zone| zone.split_once('}')) {
            Some((name, rest)) => format!("{}{rest}", detail(name).key),
            None => zone.to_string(),
        };
        (of, zone)
    }

    /// The pieces a fact is about, each with its card: those the line names, or `card@place.zone`, one of them in each of the places
    /// (`card@place.zone:owner`: one of theirs), or all (`*@place.zone`).
    fn taken(
        &mut self,
        fact: &Fact,
        details: &[Detail],
    ) -> Vec<(Option<Lying>, String, Option<u64>)> {
        let detail = |name: &str| {
            let found = details.iter().find(|detail| detail.name == name);
            found.unwrap_or_else(|| panic!("the line has no {name}"))
        };
        let mut taken = Vec::new();
        if let Some((card, zone)) = fact.subject.split_once('@') {
            let (zone, owner) = match zone.split_once(':') {
                Some((zone, owner)) => (zone, Some(owner)),
                None => (zone, None),
            };
            let owner = owner.map(|name| match detail(name).about {
                About::Player { seat } => seat as u64,
                _ => panic!("{name} is no player"),
            });
            let (places, zone) = self.zones(zone, details);
            for place in places {
                let at = format!("{place}/{zone}");
                let fits = |lying: &Lying| {
                    lying.at == at
                        && (card == "*" || lying.card == card)
                        && (owner.is_none() || lying.owner == owner)
                };
                while let Some(found) = self.lying.iter().position(fits) {
                    let found = self.lying.remove(found);
                    taken.push((Some(found.clone()), found.card, None));
                    if card != "*" {
                        break;
                    }
                }
            }
            return taken;
        }
        let named = match &detail(&fact.subject).about {
            About::Several { of } => of.clone(),
            one => vec![one.clone()],
        };
        for one in &named {
            let (card, key) = match one {
                About::Piece { key, card, .. } => (card.clone(), Some(*key as u64)),
                About::Card { card } => (card.clone(), None),
                About::Area { area } => (area.clone(), None),
                _ => continue,
            };
            let fits = |lying: &Lying| match key {
                Some(_) => lying.key == key,
                None => lying.card == card,
            };
            let found = self.lying.iter().position(fits);
            taken.push((found.map(|at| self.lying.remove(at)), card, key));
        }
        taken
    }

    /// Pieces come to lie in a zone, where some of their attributes do not survive; `=>` is about those alone that lay in the open.
    fn lay(&mut self, fact: &Fact, details: &[Detail]) {
        let taken = self.taken(fact, details);
        if fact.value == "gone" {
            return;
        }
        for (before, card, key) in taken {
            if before.is_none() && fact.operation == "=>" {
                continue;
            }
            let owner = before.as_ref().and_then(|before| before.owner);
            let (of, zone) = match (fact.value.strip_prefix("owner."), owner) {
                (Some(zone), Some(seat)) => (vec![format!("/players/{seat}")], zone.to_string()),
                _ => self.zones(&fact.value, details),
            };
            let zones = &self.definition.zones;
            let number = zones.iter().position(|declared| declared.name == zone);
            let number = number.unwrap_or_else(|| panic!("there is no zone {zone}")) as u16;
            if !is_followed(self.facts, self.definition, &zone) {
                continue;
            }
            let at = format!("{}/{zone}", of[0]);
            let mut attributes = BTreeMap::new();
            for attribute in shown_of_pieces(self.facts, self.definition) {
                let kept = attribute.kept_in.is_empty() || attribute.kept_in.contains(&number);
                let had = before
                    .as_ref()
                    .and_then(|before| before.attributes.get(&attribute.name));
                let value = had.filter(|_| kept).cloned();
                let value = value.unwrap_or_else(|| at_start(attribute));
                attributes.insert(attribute.name.clone(), value);
            }
            let key = key.or(before.as_ref().and_then(|before| before.key));
            self.lying.push(Lying {
                card,
                owner,
                at,
                attributes,
                key,
            });
        }
    }

    /// One of two who share a space.
    fn share(&mut self, fact: &Fact, space: &str, details: &[Detail]) {
        let seat = self.value(&fact.value, space, details);
        let Some(held) = self.view.pointer_mut(space) else {
            panic!("there is no {space}");
        };
        match fact.operation.as_str() {
            "joins" if held["owner"].is_null() => held["owner"] = seat,
            "joins" if held["owner"] != seat => held["partner"] = seat,
            "joins" => {}
            _ => {
                for (own, shared, nothing) in [
                    ("owner", "partner", Json::Null),
                    ("armies", "partner_armies", json!(0)),
                    ("missiles", "partner_missiles", json!(0)),
                ] {
                    let left = std::mem::replace(&mut held[shared], nothing);
                    // The owner is looked at first, and is another then.
                    if own == "owner" && held[own] != seat {
                        held["partner_armies"] = json!(0);
                        held["partner_missiles"] = json!(0);
                        break;
                    }
                    held[own] = left;
                }
                held["allied"] = json!(false);
            }
        }
    }

    fn hear(&mut self, fact: &Fact, details: &[Detail]) {
        let detail = |name: &str| details.iter().find(|detail| detail.name == name);
        if let Some((card, field, word)) = &fact.only
            && self.field(&detail(card).expect("a card").about, field) != json!(word)
        {
            return;
        }
        if matches!(fact.operation.as_str(), "->" | "=>") {
            return self.lay(fact, details);
        }
        let pieces: Vec<u64> = match detail(&fact.subject).map(|detail| &detail.about) {
            Some(About::Piece { key, .. }) => vec![*key as u64],
            Some(About::Several { of }) => {
                let keys = of.iter().filter_map(|one| match one {
                    About::Piece { key, .. } => Some(*key as u64),
                    _ => None,
                });
                keys.collect()
            }
            _ => Vec::new(),
        };
        if fact.subject == "*" {
            let value = self.value(&fact.value, "", details);
            for lying in &mut self.lying {
                lying
                    .attributes
                    .insert(fact.attribute.clone(), value.clone());
            }
            return;
        }
        for key in pieces {
            let value = self.value(&fact.value, "", details);
            let Some(lying) = self.lying.iter_mut().find(|lying| lying.key == Some(key)) else {
                continue;
            };
            let name = fact
                .attribute
                .strip_prefix('{')
                .and_then(|name| name.strip_suffix('}'));
            let name = name
                .and_then(detail)
                .map_or(&fact.attribute, |detail| &detail.key);
            let held = lying.attributes.get_mut(name);
            let held = held.unwrap_or_else(|| panic!("pieces have no {name}"));
            *held = changed(held, &fact.operation, &value);
        }
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
            if matches!(fact.operation.as_str(), "joins" | "quits") {
                self.share(fact, &subject, details);
                continue;
            }
            if fact.operation == "fills" {
                let seat = self.value(&fact.value, &subject, details);
                let slots = ["first", "second", "third"].map(|slot| format!("{subject}/{slot}"));
                let free = slots
                    .iter()
                    .find(|at| self.view.pointer(at).is_some_and(Json::is_null));
                let free = free.unwrap_or_else(|| panic!("{subject} is full"));
                *self.view.pointer_mut(free).expect("a slot") = seat;
                continue;
            }
            let attribute = match fact
                .attribute
                .strip_prefix('{')
                .and_then(|a| a.strip_suffix('}'))
            {
                Some(name) => detail(name).map(|d| d.key.clone()).unwrap_or_default(),
                None => match fact.attribute.split_once(':') {
                    Some((own, whose)) => {
                        let seat = self.value(whose, &subject, details);
                        let owner = self.view.pointer(&format!("{subject}/owner"));
                        match owner == Some(&seat) {
                            true => own.to_string(),
                            false => format!("partner_{own}"),
                        }
                    }
                    None => fact.attribute.clone(),
                },
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
                *held = changed(held, &fact.operation, &value);
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

fn changed(held: &Json, operation: &str, value: &Json) -> Json {
    match (operation, held.as_i64(), value.as_i64()) {
        ("=", ..) => value.clone(),
        ("+=", Some(held), Some(by)) => json!(held + by),
        ("-=", Some(held), Some(by)) => json!(held - by),
        _ => panic!("{held} {operation} {value}: not numbers"),
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
