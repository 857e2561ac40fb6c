//! Keys of options in scenarios. Whoever says that a key is not offered says something only if it could be: so a key must be
//! made of names of the game, and of a form that its prompt offers in some scenario.

use super::names::{TableNames, scripts, seat_number};
use crate::content::diagnostic::{Code, Diagnostic, nearest};
use crate::content::read::reader::{At, Reader};
use crate::model::value::{Val, handle, object, small};
use crate::script::mentions::{Frame, LoudParts, Sort, Wants, given};
use crate::table::Table;
use crate::table::choice::Choice;
use crate::table::game::Game;
use crate::table::types::domain;
use ludoteca_vm::{Host, HostObject, Value};
use std::collections::{BTreeMap, BTreeSet};

/// What an option is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum OptionForm {
    Player,
    Space,
    /// A border, `a>b`.
    Edge,
    Area,
    /// A card or a piece of this kind.
    Card(u32),
    YesOrNo,
    Word(String),
    Number(i64),
    /// A number among others that may be equal to it, as dice are: `3#2`.
    Die(i64),
    /// Several things as one option, `a+b`.
    List(Vec<OptionForm>),
}

/// What each prompt of a game was seen to offer.
#[derive(Debug, Clone, Default)]
pub struct SeenForms(BTreeMap<String, BTreeSet<OptionForm>>);

/// A key that somebody says a prompt does not offer.
#[derive(Debug, Clone)]
pub struct Denied {
    pub prompt: String,
    pub key: At<String>,
    pub players: u8,
}

/// Reports a key that nothing in the game could be.
pub fn check(key: &At<String>, names: &TableNames, reader: &mut Reader) {
    let is_known = |part: &str| {
        names.are_so_many(part) && !forms(part, names.game(), names.players()).is_empty()
    };
    if is_known(&key.value) || key.value.split('+').all(is_known) {
        return;
    }
    let message = format!("no choice could offer `{}`", key.value);
    let problem = Diagnostic::new(Code::UnknownOption, message).at(&key.place);
    let parts = key.value.split(['+', '>']).map(|part| copy_of(part).0);
    let mut wrong = parts.filter(|part| !is_known(part));
    let all = all_names(names.game());
    let near = wrong.find_map(|part| Some((part, nearest(part, all.iter().copied())?)));
    reader.report(match near {
        Some((part, near)) => problem.meant(part, near),
        None if key.value.contains('#') => problem.help(
            "only cards, pieces and dice are told apart by `#2`, and only as many as there are",
        ),
        None => problem.help("a key is an id, a word, a number, `p0`, `yes` or `no`, a border `a>b`, or several things `a+b`"),
    });
}

/// Without the number that tells copies apart, and that number: `wolf#2` is the second `wolf`.
pub fn copy_of(key: &str) -> (&str, Option<u32>) {
    let copy = key.split_once('#').and_then(|(name, copy)| {
        let number = u32::try_from(plain_number(copy)?).ok()?;
        Some((name, number))
    });
    match copy {
        Some((name, number)) if number > 1 => (name, Some(number)),
        _ => (key, None),
    }
}

/// A number as keys write it: `1` and `-1`, not `01` or `+1`.
fn plain_number(key: &str) -> Option<i64> {
    key.parse().ok().filter(|n: &i64| n.to_string() == key)
}

/// Everything that a key for one thing can be in a game; nothing if it is made of names the game does not have. Only cards, pieces and
/// dice are there several times.
pub fn forms(key: &str, game: &Game, players: u8) -> Vec<OptionForm> {
    let (key, copy) = copy_of(key);
    let known = |of, name: &str| game.lexicon.resolve(of, name).is_ok();
    let mut found = Vec::new();
    if let Ok(Value::Handle(_, card)) = game.lexicon.resolve(domain::CARD, key) {
        found.push(OptionForm::Card(game.definition.cards[card as usize].kind));
    }
    if copy.is_some() {
        let shown = plain_number(key);
        let mut faces = game.definition.dice.iter().flat_map(|die| &die.faces);
        let shown = shown.filter(|shown| faces.any(|face| i64::from(*face) == *shown));
        found.extend(shown.map(OptionForm::Die));
        return found;
    }
    if seat_number(key).is_some_and(|seat| seat < players && format!("p{seat}") == key) {
        found.push(OptionForm::Player);
    }
    if known(domain::SPACE, key) {
        found.push(OptionForm::Space);
    }
    if known(domain::AREA, key) {
        found.push(OptionForm::Area);
    }
    if matches!(key, "yes" | "no") {
        found.push(OptionForm::YesOrNo);
    }
    found.extend(plain_number(key).map(OptionForm::Number));
    if let Some((from, to)) = key.split_once('>')
        && known(domain::SPACE, from)
        && known(domain::SPACE, to)
    {
        found.push(OptionForm::Edge);
    }
    if is_word(game, key) {
        found.push(OptionForm::Word(key.to_string()));
    }
    found
}

/// Whether a text is a word of the game, or stands in its scripts as a text.
pub fn is_word(game: &Game, text: &str) -> bool {
    let quoted = || format!("\"{text}\"");
    game.lexicon.find_word(text).is_some() || scripts(game).any(|script| script.contains(&quoted()))
}

/// Names that keys are made of, for suggestions.
pub fn all_names(game: &Game) -> Vec<&str> {
    let mut names: Vec<&str> = game.lexicon.words.iter().map(|word| &**word).collect();
    names.sort_unstable();
    names
}

impl SeenForms {
    /// Looks at what a seat is offered.
    pub fn look(&mut self, table: &Table, prompt: &str, choice: &Choice) {
        let forms = match self.0.get_mut(prompt) {
            Some(forms) => forms,
            None => self.0.entry(prompt.to_string()).or_default(),
        };
        for ask in choice.asks.iter() {
            offered(table, &ask.options, forms);
        }
        forms.extend(choice.extra_words().iter().map(|word| form(table, word)));
    }

    pub fn add(&mut self, other: SeenForms) {
        for (prompt, forms) in other.0 {
            self.0.entry(prompt).or_default().extend(forms);
        }
    }

    /// Why a denial says nothing, if it does not: the prompt never offers anything like it.
    pub fn objection(&self, denied: &Denied, game: &Game) -> Option<String> {
        let none = BTreeSet::new();
        let seen = self.0.get(&denied.prompt).unwrap_or(&none);
        let (key, prompt) = (&denied.key.value, &denied.prompt);
        let could = Could {
            game,
            prompt,
            players: denied.players,
        };
        (!could.offer(key, seen)).then(|| {
            format!(
                "that `{key}` is not offered says nothing: in no scenario does `{prompt}` offer anything like it, only {}",
                told(seen, game)
            )
        })
    }
}

/// What a prompt could offer, told from what it was seen to offer and from the scripts.
struct Could<'a> {
    game: &'a Game,
    prompt: &'a str,
    players: u8,
}

impl Could<'_> {
    fn offer(&self, key: &str, seen: &BTreeSet<OptionForm>) -> bool {
        let forms = forms(key, self.game, self.players);
        if forms.iter().any(|form| self.fits(form, seen)) {
            return true;
        }
        let lists = seen.iter().filter_map(|form| match form {
            OptionForm::List(parts) => Some(parts),
            _ => None,
        });
        let inside: BTreeSet<OptionForm> = lists.flatten().cloned().collect();
        let mut parts = key.split('+');
        key.contains('+') && parts.all(|part| self.offer(part, &inside))
    }

    fn fits(&self, form: &OptionForm, seen: &BTreeSet<OptionForm>) -> bool {
        match form {
            // One beyond the largest is what a rule about the largest refuses; below 0 there is nothing where nothing is offered there.
            OptionForm::Number(n) => {
                let numbers = seen.iter().filter_map(|form| match form {
                    OptionForm::Number(n) => Some(*n),
                    _ => None,
                });
                let ends = numbers.fold(None, |ends: Option<(i64, i64)>, n| match ends {
                    Some((low, high)) => Some((low.min(n), high.max(n))),
                    None => Some((n.min(0), n)),
                });
                ends.is_some_and(|(low, high)| {
                    let lowest = if low < 0 { low.saturating_sub(1) } else { 0 };
                    (lowest..=high.saturating_add(1)).contains(n)
                })
            }
            OptionForm::Die(_) => seen.iter().any(|form| matches!(form, OptionForm::Die(_))),
            OptionForm::Word(word) => {
                seen.contains(form) || self.has_sibling(word, seen) || self.is_beside(word)
            }
            other => seen.contains(other),
        }
    }

    /// Whether another word of the same attribute or field was seen.
    fn has_sibling(&self, word: &str, seen: &BTreeSet<OptionForm>) -> bool {
        let lexicon = &self.game.lexicon;
        let domains = lexicon.word_domains.iter().map(|(_, words)| words);
        let Some(number) = lexicon.find_word(word) else {
            return false;
        };
        let mut siblings = domains.filter(|words| words.contains(&number)).flatten();
        siblings
            .any(|&word| seen.contains(&OptionForm::Word(lexicon.words[word as usize].to_string())))
    }

    /// Whether the word is an action of this prompt, or may be offered somewhere and stands in a function that asks this prompt.
    fn is_beside(&self, word: &str) -> bool {
        let manner = self.game.definition.texts.manners.get(self.prompt);
        if manner.is_some_and(|manner| manner.actions.iter().any(|action| action == word)) {
            return true;
        }
        let lexicon = &self.game.lexicon;
        let of_attribute = |number: u32| {
            let mut domains = lexicon.word_domains.iter();
            domains.any(|(_, words)| words.contains(&number))
        };
        let is_option = lexicon.resolve(domain::OPTION, word).is_ok()
            || lexicon.find_word(word).is_some_and(of_attribute);
        let (word, prompt) = (format!("\"{word}\""), format!("\"{}\"", self.prompt));
        let mut scripts = scripts(self.game)
            .filter(|text| is_option && text.contains(&prompt) && text.contains(&word));
        scripts.any(|text| stands_with(text, &word, &prompt))
    }
}

/// Whether a word stands in a function that asks a prompt, or in a constant that the function names; both in quotation marks, and not only
/// for a number or for yes or no.
fn stands_with(script: &str, word: &str, prompt: &str) -> bool {
    let parts = LoudParts::new(script);
    let mut open: Vec<Frame> = Vec::new();
    // Where each function and constant begins, and whether it asks.
    let mut declared: Vec<(usize, bool)> = Vec::new();
    for at in 0..parts.list.len() {
        let said = parts.said(at);
        if matches!(said, "fn" | "const") && open.is_empty() {
            declared.push((at, false));
        }
        if let Some((_, asks)) = declared.last_mut() {
            *asks |= said == prompt && is_asked(&parts, at, &open);
        }
        parts.follow(at, &mut open);
    }
    let ends = declared.iter().skip(1).map(|(next, _)| *next);
    let ends = ends.chain([parts.list.len()]);
    let declared: Vec<(usize, usize, bool)> = declared
        .iter()
        .zip(ends)
        .map(|((from, asks), to)| (*from, to, *asks))
        .collect();
    let says = |from: usize, to: usize, what: &str| (from..to).any(|at| parts.said(at) == what);
    let constants: Vec<&str> = declared
        .iter()
        .filter(|(from, to, _)| parts.said(*from) == "const" && says(*from, *to, word))
        .map(|(from, ..)| parts.said(from + 1))
        .collect();
    declared.iter().any(|(from, to, asks)| {
        let mut named = constants.iter().chain([&word]);
        *asks && named.any(|name| says(*from, *to, name))
    })
}

/// Whether a prompt's name is given to what may ask it and offer words, and not only compared with something.
fn is_asked(parts: &LoudParts<'_>, at: usize, open: &[Frame]) -> bool {
    if matches!(parts.before(at), "==" | "!=") || matches!(parts.said(at + 1), "=>" | "|") {
        return false;
    }
    let Some((frame, callee)) = open.last().and_then(|f| Some((f, f.callee.as_deref()?))) else {
        return true;
    };
    match given(callee, frame.parameter()) {
        _ if matches!(callee, "choose_amount" | "choose_yes" | "choose_action") => false,
        Some(wants) => matches!(wants, Wants::Sorts(sorts) if sorts.contains(&Sort::Prompt)),
        // A function of the script, which hands it on.
        None => true,
    }
}

/// "spaces, `stop` and numbers"
fn told(seen: &BTreeSet<OptionForm>, game: &Game) -> String {
    let mut kinds: Vec<String> = Vec::new();
    for form in seen {
        let kind = match form {
            OptionForm::Player => "players".into(),
            OptionForm::Space => "spaces".into(),
            OptionForm::Edge => "borders".into(),
            OptionForm::Area => "areas".into(),
            OptionForm::Card(kind) => format!(
                "cards of the kind `{}`",
                game.definition.kinds[*kind as usize].name
            ),
            OptionForm::YesOrNo => "`yes` and `no`".into(),
            OptionForm::Word(word) => format!("`{word}`"),
            OptionForm::Number(n) | OptionForm::Die(n) => n.to_string(),
            OptionForm::List(_) => "several things as one".into(),
        };
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    match kinds.is_empty() {
        true => "nothing".into(),
        false => kinds.join(", "),
    }
}

/// The forms of the members of a collection. Spaces, borders and rows of numbers are not listed for it.
fn offered(table: &Table, options: &Val, forms: &mut BTreeSet<OptionForm>) {
    match options {
        Value::Small(small::SPACES, _) => drop(forms.insert(OptionForm::Space)),
        Value::Small(small::EDGES, _) => drop(forms.insert(OptionForm::Edge)),
        Value::Object(o) if o.kind() == object::SPACES => drop(forms.insert(OptionForm::Space)),
        Value::Object(o) if o.kind() == object::EDGES => drop(forms.insert(OptionForm::Edge)),
        Value::Range(row) => {
            let last = row.from + i64::from(table.count(options)) - 1;
            forms.extend([row.from, last].map(OptionForm::Number));
        }
        _ => {
            let members =
                (0..i64::from(table.count(options))).filter_map(|n| table.nth(options, n));
            for member in members {
                if let Value::Int(n) = member {
                    forms.insert(OptionForm::Die(n));
                }
                forms.insert(form(table, &member));
            }
        }
    }
}

fn form(table: &Table, option: &Val) -> OptionForm {
    match option {
        Value::Bool(_) => OptionForm::YesOrNo,
        Value::Int(n) => OptionForm::Number(*n),
        Value::Handle(handle::PLAYER, _) => OptionForm::Player,
        Value::Handle(handle::SPACE, _) => OptionForm::Space,
        Value::Handle(handle::EDGE, _) => OptionForm::Edge,
        Value::Handle(handle::AREA, _) => OptionForm::Area,
        Value::Handle(handle::PIECE | handle::CARD, _) => match table.card_of(option) {
            Value::Handle(_, card) => {
                OptionForm::Card(table.game.definition.cards[card as usize].kind)
            }
            _ => OptionForm::Word(table.display(option)),
        },
        Value::Array(items) => {
            OptionForm::List(items.iter().map(|item| form(table, item)).collect())
        }
        other => OptionForm::Word(table.display(other)),
    }
}
