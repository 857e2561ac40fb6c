//! What there is to know of anything in a game: a prompt, a word, a card, a place, a kind of card, a topic of the rulebook.
//! Every door asks here, so that the terminal, the browser and programs say the same.

mod known;

use crate::content::definition::{Card, Definition, Language, Text};
use crate::content::wording::{self, TextPiece};
use crate::table::Table;
use crate::table::about::About;
use known::Asker;
use serde::Serialize;

/// Letters of a word that is looked for in the text of the rulebook.
const SHORTEST_OF_RULES: usize = 4;

/// Something one can ask about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Thing {
    Prompt(String),
    /// A word of the game: a keyword, an option, a situation.
    Word(String),
    Card(u32),
    Kind(u32),
    Space(u32),
    Area(u32),
    /// A step of a round.
    Step(String),
    /// A zone, by its place among those declared.
    Zone(usize),
    /// A topic of the rulebook, by its place in it.
    Topic(usize),
}

/// What is known of a thing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Help {
    /// What it is: `prompt`, `word`, `card`, `kind`, `space`, `area`, `step`, `zone`, `topic`.
    pub what: &'static str,
    pub id: String,
    pub name: String,
    /// Paragraphs.
    pub text: Vec<String>,
    pub facts: Vec<Fact>,
    /// Words it uses, explained; the cards of a kind.
    pub more: Vec<Aside>,
}

/// A property by name; without a value it just holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Fact {
    pub name: String,
    pub value: String,
}

/// Something that belongs to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Aside {
    pub id: String,
    pub name: String,
    pub text: String,
    /// Of a card: how many there are in the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub copies: Option<u32>,
    /// Of a card: how many the reader sees on the table now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seen: Option<u32>,
}

impl Thing {
    /// What an option or a word in a line is about, if there is anything to know of it.
    pub fn about(definition: &Definition, about: &About) -> Option<Thing> {
        match about {
            About::Space { space } => Thing::named(definition, "space", space),
            About::Area { area } => Thing::named(definition, "area", area),
            About::Card { card } | About::Piece { card, .. } => {
                Thing::named(definition, "card", card)
            }
            About::Word { word } => {
                let known = definition.texts.help.contains_key(&format!("word.{word}"));
                known.then(|| Thing::Word(word.clone()))
            }
            _ => None,
        }
    }

    /// A thing by what it is and its id, as views, options and `[help]` name it.
    pub fn named(definition: &Definition, what: &str, id: &str) -> Option<Thing> {
        let mut all = things(definition).into_iter();
        all.find(|thing| {
            let (kind, own) = id_of(definition, thing);
            kind == what && own == id
        })
    }
}

/// Everything one can ask about, in the order in which hits are listed.
pub fn things(definition: &Definition) -> Vec<Thing> {
    let texts = &definition.texts;
    let spaces = definition.map.iter().flat_map(|map| &map.spaces);
    let areas = definition.map.iter().flat_map(|map| &map.areas);
    let explained = |word: &&String| texts.help.contains_key(&format!("word.{word}"));
    let steps = definition.phases.iter().map(|phase| &phase.step.name);
    let steps = steps.chain(texts.step.keys().filter(|step| {
        definition
            .phases
            .iter()
            .all(|phase| phase.step.name != **step)
    }));
    let own = |card: &(usize, &Card)| is_own(card.1);
    let none = std::iter::empty();
    none.chain((0..spaces.count() as u32).map(Thing::Space))
        .chain((0..areas.count() as u32).map(Thing::Area))
        .chain(
            definition
                .cards
                .iter()
                .enumerate()
                .filter(own)
                .map(|(id, _)| Thing::Card(id as u32)),
        )
        .chain(
            (0..definition.kinds.len() as u32)
                .filter(|kind| {
                    definition
                        .cards
                        .iter()
                        .any(|c| c.kind == *kind && is_own(c))
                })
                .map(Thing::Kind),
        )
        .chain(
            texts
                .option
                .keys()
                .filter(explained)
                .cloned()
                .map(Thing::Word),
        )
        .chain((0..definition.zones.len()).map(Thing::Zone))
        .chain(steps.cloned().map(Thing::Step))
        .chain((0..definition.rulebook.len()).map(Thing::Topic))
        .chain(texts.prompt.keys().cloned().map(Thing::Prompt))
        .collect()
}

/// Whether a thing with this id and this name is meant.
type Fits<'a> = dyn Fn(&Thing, &str, &str) -> bool + 'a;

/// What is meant by an id, a name, its beginning, or the beginning of a word in it. What fits better wins, if there is anything to say
/// of it; several hits are for the reader to choose from. A word of the rules that is nothing by itself gives the topics that use it.
pub fn find(definition: &Definition, asked: &str, language: Language) -> Vec<Thing> {
    let wanted = folded(asked);
    if wanted.is_empty() {
        return Vec::new();
    }
    let named: Vec<(Thing, String, String)> = things(definition)
        .into_iter()
        .map(|thing| {
            let (_, id) = id_of(definition, &thing);
            let name = name_of(definition, &thing, language);
            (thing, folded(&id), name)
        })
        .collect();
    let all = |fits: &Fits| -> Vec<Thing> {
        let fitting = named
            .iter()
            .filter(|(thing, id, name)| fits(thing, id, name));
        fitting.map(|(thing, ..)| thing.clone()).collect()
    };
    let fits: [&Fits; 3] = [
        &|_, id, name| id == wanted || folded(name) == wanted,
        &|_, id, name| id.starts_with(&wanted) || folded(name).starts_with(&wanted),
        // A question is a sentence, and has any word in it.
        &|thing, _, name| !matches!(thing, Thing::Prompt(_)) && has_beginning(name, &wanted),
    ];
    let tells = |thing: &Thing| match thing {
        Thing::Step(_) | Thing::Zone(_) => {
            let (what, id) = id_of(definition, thing);
            definition.texts.help.contains_key(&format!("{what}.{id}"))
        }
        _ => true,
    };
    let mut bare = Vec::new();
    for fits in fits {
        let mut found = all(fits);
        if found.iter().any(tells) {
            found.retain(tells);
            return found;
        }
        if bare.is_empty() {
            bare = found;
        }
    }
    if bare.is_empty() && wanted.chars().count() >= SHORTEST_OF_RULES {
        let uses = |at: &usize| has_beginning(language.of(&definition.rulebook[*at].text), &wanted);
        let topics = 0..definition.rulebook.len();
        bare = topics.filter(uses).map(Thing::Topic).collect();
    }
    bare
}

/// Whether some word of a text, or several from there on, begin as what is wanted, folded.
pub fn has_beginning(text: &str, wanted: &str) -> bool {
    let mut inside = false;
    text.char_indices().any(|(at, letter)| {
        let begins = letter.is_alphanumeric() && !inside;
        inside = letter.is_alphanumeric();
        begins && begins_so(&text[at..], wanted)
    })
}

fn begins_so(text: &str, wanted: &str) -> bool {
    let mut letters = text.chars().flat_map(plain);
    wanted.chars().all(|letter| letters.next() == Some(letter))
}

/// The topics of the rulebook that are meant, likewise.
pub fn topics(definition: &Definition, asked: &str, language: Language) -> Vec<usize> {
    let found = find(definition, asked, language).into_iter();
    let mut topics: Vec<usize> = found
        .filter_map(|thing| match thing {
            Thing::Topic(at) => Some(at),
            _ => None,
        })
        .collect();
    if topics.is_empty() {
        let wanted = folded(asked);
        let begins = |at: &usize| {
            let topic = &definition.rulebook[*at];
            folded(&topic.id).starts_with(&wanted)
                || folded(language.of(&topic.title)).starts_with(&wanted)
        };
        topics = (0..definition.rulebook.len()).filter(begins).collect();
    }
    topics
}

/// What a thing is called.
pub fn name_of(definition: &Definition, thing: &Thing, language: Language) -> String {
    let of = |text: &Text| language.of(text).to_string();
    let texts = &definition.texts;
    match thing {
        Thing::Prompt(key) => texts.prompt.get(key).map_or_else(String::new, |text| {
            let open = |piece: TextPiece<'_>| match piece {
                TextPiece::Text(text) => text.to_string(),
                TextPiece::Brace(_) => "…".into(),
            };
            wording::pieces(language.of(text)).map(open).collect()
        }),
        Thing::Word(word) => word_name(definition, word, language),
        Thing::Card(id) => of(&definition.cards[*id as usize].name),
        Thing::Kind(id) => {
            let kind = &definition.kinds[*id as usize];
            kind.text.as_ref().map_or_else(|| spaced(&kind.name), of)
        }
        Thing::Space(id) => definition
            .map
            .as_ref()
            .map_or_else(String::new, |map| of(&map.spaces[*id as usize].name)),
        Thing::Area(id) => definition
            .map
            .as_ref()
            .map_or_else(String::new, |map| of(&map.areas[*id as usize].name)),
        Thing::Step(step) => step_name(definition, step, language),
        Thing::Zone(at) => {
            let zone = &definition.zones[*at];
            zone.text.as_ref().map_or_else(|| spaced(&zone.name), of)
        }
        Thing::Topic(at) => of(&definition.rulebook[*at].title),
    }
}

/// What is known of a thing at this table, by somebody who sees what `viewer` sees.
pub fn help(table: &Table, viewer: Option<u8>, thing: &Thing, language: Language) -> Help {
    let definition = &table.game.definition;
    let (what, id) = id_of(definition, thing);
    let written = definition.texts.help.get(&format!("{what}.{id}"));
    let mut help = Help {
        what,
        name: name_of(definition, thing, language),
        text: written
            .map(|text| language.of(text).to_string())
            .into_iter()
            .collect(),
        facts: Vec::new(),
        more: Vec::new(),
        id,
    };
    let reader = Asker {
        table,
        language,
        viewer,
    };
    match thing {
        Thing::Card(id) => reader.card(&definition.cards[*id as usize], &mut help),
        Thing::Kind(id) => reader.kind(*id, &mut help),
        Thing::Space(id) => reader.space(*id, &mut help),
        Thing::Area(id) => reader.area(*id, &mut help),
        Thing::Topic(at) => {
            let topic = &definition.rulebook[*at];
            help.text.push(language.of(&topic.text).to_string());
        }
        Thing::Prompt(_) | Thing::Word(_) | Thing::Step(_) | Thing::Zone(_) => {}
    }
    help
}

/// What a thing is and its id, as `[help]` writes them.
fn id_of(definition: &Definition, thing: &Thing) -> (&'static str, String) {
    let map = definition.map.as_ref();
    match thing {
        Thing::Prompt(key) => ("prompt", key.clone()),
        Thing::Word(word) => ("word", word.clone()),
        Thing::Card(id) => ("card", definition.cards[*id as usize].id.clone()),
        Thing::Kind(id) => ("kind", definition.kinds[*id as usize].name.clone()),
        Thing::Space(id) => (
            "space",
            map.map_or_else(String::new, |map| map.spaces[*id as usize].id.clone()),
        ),
        Thing::Area(id) => (
            "area",
            map.map_or_else(String::new, |map| map.areas[*id as usize].id.clone()),
        ),
        Thing::Step(step) => ("step", step.clone()),
        Thing::Zone(at) => ("zone", definition.zones[*at].name.clone()),
        Thing::Topic(at) => ("topic", definition.rulebook[*at].id.clone()),
    }
}

/// Whether it is a card by itself, not one written inside another.
fn is_own(card: &Card) -> bool {
    !card.id.contains('.')
}

/// A word of the game as people read it: by its own text, or as the thing of that id.
fn word_name(definition: &Definition, word: &str, language: Language) -> String {
    let map = definition.map.as_ref();
    let area = || map?.areas.iter().find(|area| area.id == word);
    let space = || map?.spaces.iter().find(|space| space.id == word);
    let card = || definition.cards.iter().find(|card| card.id == word);
    let text = definition.texts.option.get(word);
    let text = text.or_else(|| Some(&area()?.name));
    let text = text.or_else(|| Some(&space()?.name));
    let text = text.or_else(|| Some(&card()?.name));
    text.map_or_else(|| spaced(word), |text| language.of(text).to_string())
}

fn step_name(definition: &Definition, step: &str, language: Language) -> String {
    let phase = definition.phases.iter().find(|p| p.step.name == step);
    let text = phase.and_then(|phase| phase.text.as_ref());
    let text = text.or_else(|| definition.texts.step.get(step));
    text.map_or_else(|| spaced(step), |text| language.of(text).to_string())
}

fn spaced(id: &str) -> String {
    id.replace('_', " ")
}

/// Letters and digits alone, small and without accents, so that what one types is found.
pub fn folded(name: &str) -> String {
    name.chars().flat_map(plain).collect()
}

fn plain(letter: char) -> impl Iterator<Item = char> {
    let plain = |letter: char| match letter {
        'á' | 'à' | 'â' | 'ä' | 'ã' => 'a',
        'é' | 'è' | 'ê' | 'ë' => 'e',
        'í' | 'ì' | 'î' | 'ï' => 'i',
        'ó' | 'ò' | 'ô' | 'ö' | 'õ' => 'o',
        'ú' | 'ù' | 'û' | 'ü' => 'u',
        'ñ' => 'n',
        'ç' => 'c',
        other => other,
    };
    let letters = letter.to_lowercase().map(plain);
    letters.filter(|letter| letter.is_alphanumeric())
}
