//! Prose that quotes the game: rulebooks and help texts, whose braces name values of the merged content.

use super::reader::Reader;
use crate::content::causes::{THING, VALUE};
use crate::content::definition::{Language, Text, Texts};
use crate::content::diagnostic::{Code, Diagnostic};
use crate::content::file::Place;
use crate::content::setting;
use crate::content::tree::{Datum, Node};
use crate::content::wording::{self, Brace, Filling, TextPiece};
use crate::limits::{LARGEST_RULEBOOK, MOST_OF_A_KIND};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

/// What prose may quote.
pub struct Quotes<'a> {
    root: &'a Node,
    texts: &'a Texts,
    /// What all braces may still be filled with, in bytes and members: a long list may be quoted again and again.
    left: Cell<usize>,
    /// Unknown names for which somebody still looks what was meant.
    guesses: Cell<usize>,
}

/// A brace that names nothing that can be quoted.
pub struct Unquotable {
    /// Where its brace begins, in bytes of the prose.
    pub at: usize,
    pub length: usize,
    pub problem: Diagnostic,
}

impl<'a> Quotes<'a> {
    pub fn new(root: &'a Node, texts: &'a Texts) -> Quotes<'a> {
        Quotes {
            root,
            texts,
            left: Cell::new(LARGEST_RULEBOOK),
            guesses: Cell::new(MOST_OF_A_KIND),
        }
    }

    /// Takes something of what braces may be filled with.
    fn take(&self, size: usize) -> Result<(), Box<Diagnostic>> {
        let left = self.left.get().checked_sub(size);
        self.left.set(left.unwrap_or(0));
        match left {
            Some(_) => Ok(()),
            None => {
                let most = LARGEST_RULEBOOK;
                let message = format!("all braces together are filled with more than {most} bytes");
                Err(Box::new(Diagnostic::new(Code::OutOfRange, message)))
            }
        }
    }

    /// The prose with its braces filled, and the braces that cannot be.
    pub fn fill(&self, prose: &str, language: Language) -> (String, Vec<Unquotable>) {
        let (mut filled, mut wrong) = (String::new(), Vec::new());
        for piece in wording::pieces(prose) {
            let brace = match piece {
                TextPiece::Text(text) => {
                    filled.push_str(text);
                    continue;
                }
                TextPiece::Brace(brace) => brace,
            };
            let quoted = self.quote(&brace, language);
            let quoted = match quoted.and_then(|quoted| {
                self.take(quoted.len())?;
                Ok(quoted)
            }) {
                Ok(quoted) => quoted,
                Err(problem) => {
                    wrong.push(Unquotable {
                        at: brace.written.as_ptr() as usize - prose.as_ptr() as usize,
                        length: brace.written.len(),
                        problem: *problem,
                    });
                    continue;
                }
            };
            match wording::contracted(&filled, &quoted, language) {
                Some((before, rest)) => {
                    filled.truncate(before);
                    filled.push_str("l ");
                    filled.push_str(rest);
                }
                None => filled.push_str(&quoted),
            }
        }
        (filled, wrong)
    }

    fn quote(&self, brace: &Brace<'_>, language: Language) -> Result<String, Box<Diagnostic>> {
        let (counted, key) = match brace.name.strip_prefix("count ") {
            Some(key) => (true, key),
            None => (false, brace.name),
        };
        let path = setting::locate(self.root, key);
        let node = path.and_then(|path| setting::follow(self.root, &path));
        let node = node.ok_or_else(|| {
            let message = format!("the game has no value `{key}`");
            let mut problem = Diagnostic::new(Code::UnknownValue, message).of(VALUE);
            let Some(guesses) = self.guesses.get().checked_sub(1) else {
                problem.name = Some(key.to_string());
                return Box::new(problem);
            };
            self.guesses.set(guesses);
            let known = setting::known_keys(self.root);
            Box::new(problem.suggest(key, known.iter().map(String::as_str)))
        })?;
        let entries = match &node.value {
            Datum::Table(table) => Some(table.len()),
            Datum::List(items) => Some(items.len()),
            _ => None,
        };
        let number = match (&node.value, entries) {
            (_, Some(entries)) if counted => Some(entries as i64),
            (Datum::Int(number), _) if !counted => Some(*number),
            // The forms of a number say what holds and what does not.
            (Datum::Bool(holds), _) if !counted => Some(*holds as i64),
            _ => None,
        };
        if let Some(number) = number {
            return Ok(brace.filled(&Filling::Number(number), language));
        }
        let unreadable = || {
            let message = match counted {
                true => format!("`{key}` has nothing to count"),
                false => format!(
                    "`{key}` is {}, which cannot be read in a sentence",
                    node.what()
                ),
            };
            let mut problem = Diagnostic::new(Code::UnknownValue, message);
            problem.name = Some(key.to_string());
            Box::new(problem)
        };
        if let (Datum::List(items), false) = (&node.value, counted) {
            self.take(items.len())?;
            let members: Option<Vec<String>> =
                items.iter().map(|item| self.said(item, language)).collect();
            let members = members.ok_or_else(unreadable)?;
            let row = members.join(", ");
            let members = members.iter().map(String::as_str).collect();
            return Ok(brace.filled(&Filling::Several(members, &row), language));
        }
        let said = self.said(node, language).filter(|_| !counted);
        let said = said.ok_or_else(unreadable)?;
        let id = key.rsplit('.').next().unwrap_or(key);
        let noun = Filling::Noun(&said, self.texts.article.get(id));
        Ok(brace.filled(&noun, language))
    }

    /// One value in words: a number, a text, the name of a thing, a word as options call it.
    fn said(&self, node: &Node, language: Language) -> Option<String> {
        let spoken = |node: &Node| {
            let part = match language {
                Language::Es => "es",
                Language::En => "en",
            };
            node.get(part).and_then(Node::text).map(String::from)
        };
        match &node.value {
            Datum::Int(number) => Some(number.to_string()),
            Datum::Bool(yes) => Some(yes_or_no(*yes, language).to_string()),
            Datum::Text(word) => Some(match self.texts.option.get(word) {
                Some(text) => language.of(text).to_string(),
                None => word.replace('_', " "),
            }),
            Datum::Table(_) => spoken(node).or_else(|| spoken(node.get("name")?)),
            _ => None,
        }
    }
}

fn yes_or_no(yes: bool, language: Language) -> &'static str {
    match (yes, language) {
        (true, Language::Es) => "sí",
        (true, Language::En) => "yes",
        (false, _) => "no",
    }
}

/// Fills the numbers of the help texts, and looks up what they and the articles are about.
pub fn fill_help(root: &Node, texts: &mut Texts, reader: &mut Reader) {
    let help = std::mem::take(&mut texts.help);
    let mut told = BTreeMap::new();
    let mut things: BTreeMap<&str, Option<BTreeSet<&str>>> = BTreeMap::new();
    let quotes = Quotes::new(root, texts);
    let written = |section: &str| root.get("text").and_then(|text| text.get(section));
    for (key, text) in &help {
        let node = written("help").and_then(|node| setting::find(node, key));
        let place = node.map_or(&root.place, |node| &node.place);
        let (what, id) = key.split_once('.').unwrap_or((key, ""));
        let ids = things
            .entry(what)
            .or_insert_with(|| known(what, root, texts));
        match ids {
            Some(ids) if ids.contains(id) => {}
            Some(ids) => {
                let message = format!("there is no {what} `{id}` to help with");
                let problem = Diagnostic::new(Code::UnknownKey, message).of(what);
                let problem = problem.at(place);
                reader.report(problem.suggest(id, ids.iter().copied()));
            }
            None => reader.unknown_key(what, place, "the help", &THINGS),
        }
        let filled = Text {
            es: fill(&quotes, &text.es, Language::Es, place, reader),
            en: fill(&quotes, &text.en, Language::En, place, reader),
        };
        told.insert(key.clone(), filled);
    }
    let named: BTreeSet<&str> = ["space", "area", "card", "word"]
        .into_iter()
        .flat_map(|what| known(what, root, texts).unwrap_or_default())
        .collect();
    let articles = written("article").and_then(Node::table);
    for (id, entry) in articles.into_iter().flatten() {
        if !named.contains(id.as_str()) {
            let message = format!("nothing called `{id}` has a name that could take an article");
            let problem = Diagnostic::new(Code::UnknownKey, message).of(THING);
            let problem = problem.at(&entry.key);
            reader.report(problem.suggest(id, named.iter().copied()));
        }
    }
    texts.help = told;
}

/// What help may be about.
const THINGS: [&str; 8] = [
    "prompt", "word", "space", "area", "card", "kind", "step", "zone",
];

/// The ids of the things of a kind.
fn known<'a>(what: &str, root: &'a Node, texts: &'a Texts) -> Option<BTreeSet<&'a str>> {
    let keys = |node: Option<&'a Node>| {
        let table = node.and_then(Node::table).into_iter().flatten();
        table.map(|(key, _)| key.as_str())
    };
    let in_maps = |part: &'static str| -> BTreeSet<&'a str> {
        let maps = root.get("maps").and_then(Node::table);
        maps.into_iter()
            .flatten()
            .flat_map(|(_, map)| keys(map.node.get(part)))
            .collect()
    };
    Some(match what {
        "prompt" => texts.prompt.keys().map(String::as_str).collect(),
        "word" => texts.option.keys().map(String::as_str).collect(),
        "space" => in_maps("spaces"),
        "area" => in_maps("areas"),
        "card" => keys(root.get("cards")).collect(),
        "kind" => keys(root.get("kinds")).collect(),
        "zone" => keys(root.get("zones")).collect(),
        "step" => {
            let phases = match root.get("phases").map(|node| &node.value) {
                Some(Datum::List(phases)) => phases.as_slice(),
                _ => &[],
            };
            let steps = phases.iter().filter_map(|phase| phase.get("step")?.text());
            steps.chain(texts.step.keys().map(String::as_str)).collect()
        }
        _ => return None,
    })
}

fn fill(
    quotes: &Quotes<'_>,
    text: &str,
    language: Language,
    place: &Place,
    reader: &mut Reader,
) -> String {
    let (filled, wrong) = quotes.fill(text, language);
    for found in wrong {
        reader.report(found.problem.at(place));
    }
    filled
}
