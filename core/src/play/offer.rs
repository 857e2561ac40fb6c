//! An open choice as it is put to somebody: the question, the options with keys, labels and the game's own notes.

use super::imagination::Imagined;
use super::matches::Match;
use super::say::{self, Language};
use crate::limits::LISTED_NUMBERS;
use crate::model::streams::Stream;
use crate::model::value::{self, Val, handle};
use crate::script::about::About;
use crate::script::choice::{Extras, Wanted};

/// One option.
#[derive(Debug, Clone)]
pub struct Item {
    /// Its place among the choice's options.
    pub number: u32,
    pub key: String,
    pub label: String,
    /// What on the table it is about.
    pub about: About,
    /// What the game's scripts say beside it.
    pub note: Option<String>,
    /// What the script would get, words for ways out included.
    pub value: Val,
}

/// A choice for one seat.
#[derive(Debug, Clone)]
pub struct Offer {
    pub seat: u8,
    /// The prompt's key.
    pub prompt: String,
    /// The question, its braces filled.
    pub text: String,
    pub wanted: Wanted,
    /// The lowest and the highest, when numbers in a row are offered.
    pub amount: Option<(i64, i64)>,
    /// All options; of a very long row of numbers only the words beside it.
    pub items: Vec<Item>,
    /// Several seats answer in secret.
    pub together: bool,
}

impl Offer {
    /// What a seat is asked now.
    pub fn new(played: &mut Match, seat: u8, language: Language) -> Option<Offer> {
        let choice = played.choice()?;
        let ask = choice.ask(seat)?;
        let table = &played.table;
        let listed = table.count(&ask.options);
        let amount = match &ask.options {
            Val::Range(range) if listed > 0 => Some((range.from, range.from + listed as i64 - 1)),
            _ => None,
        };
        let mut offer = Offer {
            seat,
            prompt: say::prompt_key(table, choice.prompt).to_string(),
            text: say::prompt(table, choice, language),
            wanted: choice.wanted,
            amount,
            items: Vec::new(),
            together: choice.together(),
        };
        if listed <= LISTED_NUMBERS || amount.is_none() {
            let keys = choice.keys(table, seat);
            let labels = choice.labels(table, seat);
            for (number, (key, label)) in keys.into_iter().zip(labels).enumerate() {
                let number = number as u32;
                let value = choice.nth(table, seat, number).unwrap_or_default();
                let label = language.of(&label).to_string();
                offer.items.push(Item {
                    number,
                    key,
                    label,
                    about: About::new(table, &value),
                    note: None,
                    value,
                });
            }
        } else {
            let words: &[Val] = match &choice.extras {
                Extras::None => &[],
                Extras::Out(word) => std::slice::from_ref(word),
                Extras::Words(words) => words,
            };
            for (n, word) in words.iter().enumerate() {
                let label = language
                    .of(&crate::script::label::label(table, word))
                    .to_string();
                let key = crate::script::choice::key(table, word);
                offer.items.push(Item {
                    number: listed + n as u32,
                    key,
                    label,
                    about: About::new(table, word),
                    note: None,
                    value: word.clone(),
                });
            }
        }
        if let Extras::Out(word) = &choice.extras
            && let Some(last) = offer.items.last_mut()
        {
            last.about = About::new(table, word);
            last.value = word.clone();
        }
        offer.ask_for_notes(played, language);
        Some(offer)
    }

    /// Notes are for people: a game whose notes break still plays.
    fn ask_for_notes(&mut self, played: &Match, language: Language) {
        let Some(function) = played.game().calls.note_option else {
            return;
        };
        let Some(mut imagined) = shown_to(played, self.seat, language) else {
            return;
        };
        for item in &mut self.items {
            let args = [
                value::player(self.seat),
                Val::string(self.prompt.as_str()),
                item.value.clone(),
            ];
            let note = imagined.ahead().question(function, &args).ok();
            item.note = note.and_then(|note| {
                note.as_str()
                    .filter(|text| !text.is_empty())
                    .map(str::to_string)
            });
        }
    }

    /// How many options may be taken.
    pub fn bounds(&self) -> (u32, u32) {
        match self.wanted {
            Wanted::One => (1, 1),
            Wanted::Some { min, max } => (min, max),
        }
    }

    /// The spaces among the options, to be marked on the board: the space itself, or where a border leads.
    pub fn spaces(&self) -> Vec<u32> {
        let space = |item: &Item| match item.value {
            Val::Handle(handle::SPACE, id) => Some(id),
            Val::Handle(handle::EDGE, id) => Some(value::ends(id).1),
            _ => None,
        };
        self.items.iter().filter_map(space).collect()
    }
}

/// The table scripts see when they write something for a seat: what the seat cannot see is drawn anew, always the same.
fn shown_to(played: &Match, seat: u8, language: Language) -> Option<Imagined> {
    let mut imagined = Imagined::new(played, seat, &mut Stream::new(0, "shown")).ok()?;
    imagined.ahead().table.language = language;
    Some(imagined)
}

/// The lines a game's own `table_view` shows above a choice.
pub fn table_view(
    played: &mut Match,
    seat: u8,
    prompt: &str,
    language: Language,
) -> Option<Vec<String>> {
    let calls = &played.game().calls;
    let (function, args) = match (calls.table_view_for_prompt, calls.table_view) {
        (Some(function), _) => (function, vec![value::player(seat), Val::string(prompt)]),
        (None, Some(function)) => (function, vec![value::player(seat)]),
        (None, None) => return None,
    };
    let mut imagined = shown_to(played, seat, language)?;
    let shown = match imagined.ahead().question(function, &args) {
        Ok(shown) => shown,
        Err(broken) => return Some(vec![broken.to_string()]),
    };
    let lines = shown.as_array().unwrap_or_default().iter();
    Some(
        lines
            .filter_map(|line| line.as_str().map(str::to_string))
            .collect(),
    )
}
