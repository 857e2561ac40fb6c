//! An open choice as it is put to somebody: the question, the options with keys, labels and the game's own notes.

use super::imagination::Imagined;
use super::matches::Match;
use super::say::{self, Language};
use super::view::Shown;
use crate::content::legible::legible_line;
use crate::limits::{LISTED_NUMBERS, MOST_LETTERS, MOST_LINES, OPERATIONS_OF_ALL};
use crate::model::streams::Stream;
use crate::model::value::{self, Val};
use crate::table::about::About;
use crate::table::choice::{self, Extras, Wanted};
use crate::table::label::{self, shortened};
use ludoteca_vm::FnId;
use serde::Serialize;
use std::collections::BTreeMap;

/// One option.
#[derive(Debug, Clone, Serialize)]
pub struct Offered {
    /// Its place among the choice's options.
    #[serde(skip)]
    pub number: u32,
    pub key: String,
    pub label: String,
    /// What on the table it is about.
    pub about: About,
    /// What the game's scripts say beside it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// A choice for one seat.
///
/// ```
/// use ludoteca::{About, Language, Selection, Session, Sitter};
/// # let pack = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/race.rs"));
/// # let (library, _) = ludoteca::Library::open(&[pack]);
/// # let game = ludoteca::load(&library, "race", &Default::default()).expect("it was checked");
/// let person = |name: &str| Sitter { name: name.into(), chooser: None };
/// let mut session = Session::new(game, vec![person("Ana"), person("Eva")], 7, &Selection::default());
/// session.go_on()?;
/// let offer = session.offer(0, Language::En).expect("seat 0 is asked");
/// assert_eq!((offer.prompt.as_str(), offer.amount), ("run", Some((1, 3))));
/// let second = &offer.options[1];
/// assert_eq!((second.key.as_str(), &second.about), ("2", &About::Amount { amount: 2 }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Serialize)]
pub struct Offer {
    pub seat: u8,
    /// The prompt's key.
    pub prompt: String,
    /// The question, its braces filled.
    pub text: String,
    /// How many options may be taken.
    pub min: u32,
    pub max: u32,
    /// The lowest and the highest, when numbers in a row are offered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub amount: Option<(i64, i64)>,
    /// All options; of a very long row of numbers only the words beside it.
    pub options: Vec<Offered>,
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
        let (min, max) = match choice.wanted {
            Wanted::One => (1, 1),
            Wanted::Some { min, max } => (min, max),
        };
        let mut offer = Offer {
            seat,
            prompt: say::prompt_key(table, choice.prompt).to_string(),
            text: say::prompt(table, choice, language),
            min,
            max,
            amount,
            options: Vec::new(),
            together: choice.together(),
        };
        // What scripts may write a note about.
        let mut values = Vec::new();
        let words = choice.extra_words();
        if listed <= LISTED_NUMBERS || amount.is_none() {
            let keys = choice.keys(table, seat);
            let labels = choice.labels(table, seat);
            for (number, (key, label)) in keys.into_iter().zip(labels).enumerate() {
                let number = number as u32;
                let option = choice.listed(table, seat, number).unwrap_or_default();
                let label = language.of(&label).to_string();
                offer.options.push(Offered {
                    number,
                    key,
                    label,
                    about: About::new(table, &option),
                    note: None,
                });
                values.push(choice.looked_at(table, seat, number).unwrap_or_default());
            }
        } else {
            for (n, word) in words.iter().enumerate() {
                let label = label::label(table, word);
                offer.options.push(Offered {
                    number: listed + n as u32,
                    key: choice::key(table, word),
                    label: language.of(&label).to_string(),
                    about: About::new(table, word),
                    note: None,
                });
                let number = listed + n as u32;
                values.push(choice.looked_at(table, seat, number).unwrap_or_default());
            }
        }
        // The one way out is no thing a note could be about.
        if matches!(choice.extras, Extras::Out(_)) {
            values.pop();
        }
        offer.ask_for_notes(played, &values, language);
        Some(offer)
    }

    /// Notes are for people: a game whose notes break still plays.
    fn ask_for_notes(&mut self, played: &Match, values: &[Val], language: Language) {
        let Some(function) = played.game().calls.note_option else {
            return;
        };
        let mut imagined = shown_to(played, self.seat, language);
        // One budget for all of them; a note that is too late stays out.
        imagined.ahead().allow(OPERATIONS_OF_ALL);
        for (option, value) in self.options.iter_mut().zip(values) {
            let args = [
                value::player(self.seat),
                Val::string(self.prompt.as_str()),
                value.clone(),
            ];
            let note = imagined.ahead().question(function, &args).ok();
            option.note = note.and_then(|note| {
                note.as_str()
                    .filter(|text| !text.is_empty())
                    .map(|text| shortened(text.to_string()))
            });
        }
    }

    /// The spaces among the options, to be marked on the board: the space itself, or where a border leads.
    pub fn spaces(&self) -> Vec<&str> {
        fn space(option: &Offered) -> Option<&str> {
            match &option.about {
                About::Space { space } => Some(space),
                About::Edge { to, .. } => Some(to),
                _ => None,
            }
        }
        self.options.iter().filter_map(space).collect()
    }
}

/// The table scripts see when they write something for a seat: what the seat cannot see is drawn anew, always the same.
fn shown_to(played: &Match, seat: u8, language: Language) -> Imagined {
    let mut imagined = Imagined::new(played, seat, &mut Stream::new(0, "shown"));
    imagined.ahead().table.language = language;
    imagined
}

/// The lines a game's own `table_view` shows above a choice.
pub fn table_view(
    played: &mut Match,
    seat: u8,
    prompt: &str,
    language: Language,
) -> Option<Vec<String>> {
    let calls = &played.game().calls;
    let functions = (calls.table_view_for_prompt, calls.table_view);
    lines(played, functions, seat, prompt, language)
}

/// The lines a game's own `map_view` shows about the board, where it is not drawn.
pub fn map_view(
    played: &mut Match,
    seat: u8,
    prompt: &str,
    language: Language,
) -> Option<Vec<String>> {
    let calls = &played.game().calls;
    let functions = (calls.map_view_for_prompt, calls.map_view);
    lines(played, functions, seat, prompt, language)
}

/// What a game's scripts write for a seat, line by line: the function that wants to know the prompt, or the one that does not.
fn lines(
    played: &Match,
    functions: (Option<FnId>, Option<FnId>),
    seat: u8,
    prompt: &str,
    language: Language,
) -> Option<Vec<String>> {
    let (function, args) = match functions {
        (Some(function), _) => (function, vec![value::player(seat), Val::string(prompt)]),
        (None, Some(function)) => (function, vec![value::player(seat)]),
        (None, None) => return None,
    };
    let mut imagined = shown_to(played, seat, language);
    let shown = match imagined.ahead().question(function, &args) {
        Ok(shown) => shown,
        Err(broken) => return Some(vec![broken.to_string()]),
    };
    let lines = shown.as_array().unwrap_or_default().iter();
    let mut room = MOST_LETTERS;
    let lines = lines.take(MOST_LINES).filter_map(|line| line.as_str());
    let bearable = lines.map_while(|line| {
        room = room.checked_sub(line.len())?;
        Some(legible_line(line).into_owned())
    });
    Some(bearable.collect())
}

/// The numbers a game's own `figures` gives, as a seat may believe the table to be. A game whose figures break is drawn without them.
pub fn figures(played: &Match, seat: u8, language: Language) -> Option<BTreeMap<String, Shown>> {
    let function = played.game().calls.figures?;
    let mut imagined = shown_to(played, seat, language);
    let found = imagined.ahead().question(function, &[]).ok()?;
    let found = found.as_map()?.iter();
    Some(
        found
            .filter_map(|(name, value)| Some((name.to_string(), figure(value, 0)?)))
            .collect(),
    )
}

/// A number, or a list of such.
fn figure(value: &Val, depth: usize) -> Option<Shown> {
    /// One each player, of several numbers.
    const DEEPEST: usize = 3;
    match value {
        Val::Int(number) => Some(Shown::Number(*number)),
        Val::Bool(yes) => Some(Shown::Flag(*yes)),
        Val::Unit => Some(Shown::Nothing),
        value => {
            let items = value.as_array().filter(|_| depth < DEEPEST)?.iter();
            let items = items.map(|item| figure(item, depth + 1));
            Some(Shown::List(items.collect::<Option<_>>()?))
        }
    }
}
