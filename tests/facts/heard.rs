//! The open table as somebody knows it who reads the log alone.

use super::written::{Fact, Facts};
use ludoteca::{
    About, Detail,
    definition::{Attribute, AttributeType, Definition, FieldValue, Visibility},
};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;

/// A piece that everybody sees. Two that are alike in all of this are the same to a reader.
#[derive(Debug, Clone, PartialEq)]
pub struct Lying {
    pub card: String,
    /// If the log has said so.
    pub owner: Option<u64>,
    /// Of whom, and the zone: `/players/0/reserve`.
    pub at: String,
    pub attributes: BTreeMap<String, Json>,
    /// Which it is, as long as the log says so.
    pub key: Option<u64>,
}

impl Lying {
    pub fn told(&self) -> String {
        let owner = self
            .owner
            .map_or(String::new(), |seat| format!(" of {seat}"));
        format!("{}{owner} in {} {:?}", self.card, self.at, self.attributes)
    }
}

/// What lies in the open.
pub fn lying(facts: &Facts, definition: &Definition, view: &Json) -> Vec<Lying> {
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
pub struct Told<'g> {
    pub view: Json,
    pub lying: Vec<Lying>,
    pub facts: &'g Facts,
    pub definition: &'g Definition,
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

    pub fn hear(&mut self, fact: &Fact, details: &[Detail]) {
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
