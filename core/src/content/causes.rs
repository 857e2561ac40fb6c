//! Which messages tell a cause, and which only what follows from it: a mistake is said once, where it was made.

use super::diagnostic::{Code, Diagnostic, Label, Severity, one_of, sort};
use super::file::{File, Place};
use super::misspelt;
use super::path::{LIBRARY, SCENARIOS};
use super::tree::leaves_open;
use crate::limits::{LONGEST_SHOWN, MOST_COUNTED};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

/// Leaves out what only follows from something else that is told.
pub fn causes(diagnostics: &mut Vec<Diagnostic>) {
    misspelt_news(diagnostics);
    odd_sections(diagnostics);
    let broken = Broken::of(diagnostics);
    diagnostics.retain(|found| !broken.explains(found));
    once(diagnostics);
    undeclared_once(diagnostics);
    sort(diagnostics);
}

/// A variable that is given a value and was never declared is told there, and not wherever its function reads it.
fn undeclared_once(diagnostics: &mut Vec<Diagnostic>) {
    let unknown = |found: &Diagnostic| {
        let place = &found.at.as_ref()?.place;
        let is_it = found.code == Code::Script("unknown-variable");
        is_it.then(|| {
            let text = place.file.text.get(..place.span.start).unwrap_or_default();
            let function = text.rfind("\nfn ").map_or(0, |at| at + 1);
            (place.file.shown.clone(), function, found.name.clone())
        })
    };
    let is_first = |found: &Diagnostic| {
        let slip = found.slip.as_ref();
        slip.is_some_and(|slip| slip.meant.starts_with("let "))
    };
    let mut told: BTreeMap<_, usize> = BTreeMap::new();
    for found in diagnostics.iter().filter(|found| is_first(found)) {
        if let Some((key, label)) = unknown(found).zip(found.at.as_ref()) {
            let at = told.entry(key).or_insert(label.place.span.start);
            *at = label.place.span.start.min(*at);
        }
    }
    diagnostics.retain(|found| {
        let first = unknown(found).and_then(|key| told.get(&key));
        let start = found.at.as_ref().map_or(0, |label| label.place.span.start);
        first.is_none_or(|first| start == *first)
    });
}

/// What looks like something misspelt and cannot stand for itself is told as that alone.
fn misspelt_news(diagnostics: &mut Vec<Diagnostic>) {
    let is_new = |found: &Diagnostic| found.code == Code::SimilarKey;
    if !diagnostics.iter().any(is_new) {
        return;
    }
    let line = |found: &Diagnostic| {
        let place = &found.at.as_ref()?.place;
        Some((place.file.shown.clone(), place.line()))
    };
    let mut unknown = HashSet::new();
    let mut lacking = HashSet::new();
    for found in diagnostics.iter() {
        match found.code {
            Code::UnknownKey => unknown.extend(line(found)),
            Code::MissingKey => lacking.extend(line(found)),
            _ => {}
        }
    }
    let mut told = HashSet::new();
    for found in diagnostics.iter_mut().filter(|found| is_new(found)) {
        let Some(at) = line(found).filter(|at| lacking.contains(at)) else {
            continue;
        };
        let (Some(name), Some(near)) = (found.name.take(), found.of.take()) else {
            continue;
        };
        let Some(label) = found.at.take() else {
            continue;
        };
        let message =
            format!("there is no `{name}` to change, and it has not all that a new one needs");
        let problem = Diagnostic::new(Code::NothingToChange, message).at(&label.place);
        *found = problem.meant(&name, &near);
        told.insert(at);
    }
    diagnostics.retain(|found| match found.code {
        Code::MissingKey => line(found).is_none_or(|at| !told.contains(&at)),
        Code::SimilarKey => line(found).is_none_or(|at| !unknown.contains(&at)),
        _ => true,
    });
}

/// A section of a map with other rows than all others is why its spaces are not where they are looked for.
fn odd_sections(diagnostics: &mut Vec<Diagnostic>) {
    let is_odd = |found: &Diagnostic| found.of.as_deref() == Some(SECTION);
    let odd: Vec<(Option<String>, String)> = diagnostics
        .iter()
        .filter(|found| is_odd(found))
        .filter_map(|found| Some((game_of(found), found.name.clone()?)))
        .collect();
    if odd.is_empty() {
        return;
    }
    let mut missed = BTreeSet::new();
    diagnostics.retain(|found| {
        let is_space = match found.code {
            Code::UnknownSpace => true,
            Code::Script("unknown-name") => found.of.as_deref() == Some("space"),
            _ => false,
        };
        let name = found.name.as_deref().unwrap_or_default();
        let section = name.rsplit_once('_').map(|(section, _)| section);
        let game = game_of(found);
        let is_in = |odd: &&(Option<String>, String)| odd.0 == game && Some(&*odd.1) == section;
        match odd.iter().find(is_in).filter(|_| is_space) {
            Some(section) => {
                missed.insert(section.clone());
                false
            }
            None => true,
        }
    });
    for found in diagnostics.iter_mut().filter(|found| is_odd(found)) {
        let key = (game_of(found), found.name.clone().unwrap_or_default());
        if missed.contains(&key) {
            found.code = Code::BadSection;
            found.severity = Severity::Error;
            found.help = Some("spaces are named that it does not have: is a row missing?".into());
        }
    }
}

/// A name that a rule hands on is unknown where it is written, and nowhere else.
fn once(diagnostics: &mut Vec<Diagnostic>) {
    let place = |found: &Diagnostic| found.at.as_ref().map(|label| label.place.clone());
    let written = |found: &Diagnostic| {
        place(found).is_some_and(|at| {
            let rest = at.file.text.get(at.span.start..);
            rest.is_some_and(|rest| rest.starts_with('"'))
        })
    };
    let named = |found: &Diagnostic| found.code == Code::Script("unknown-name");
    let of_game = |found: &Diagnostic| (game_of(found), found.message.clone());
    let known: BTreeSet<_> = diagnostics
        .iter()
        .filter(|found| named(found) && written(found))
        .map(of_game)
        .collect();
    diagnostics.retain(|found| !named(found) || written(found) || !known.contains(&of_game(found)));
}

/// Where files are broken, and which names that may have cost.
struct Broken {
    /// Where the `[tables]` of a file begin, by the path shown.
    headers: HashMap<String, Vec<usize>>,
    /// Parts of files that are not TOML, by the path shown: where they begin and end.
    regions: HashMap<String, BTreeMap<usize, usize>>,
    /// Of several mistakes of syntax on one line, the first.
    first_on_line: HashMap<(String, usize), Place>,
    /// Names of declarations that could not be read, and the first two lines where that is told.
    lost: HashMap<String, Vec<(Arc<File>, usize)>>,
    /// Where errors are told, and names that are probably misspelt, by the path shown.
    errors: HashSet<(String, usize, usize)>,
    /// Files of cards, and of rules, of which something could not be read.
    of_cards: bool,
    /// Files that repeat what they lie over.
    repeating: BTreeSet<String>,
    /// Files with mistakes in borders.
    of_borders: BTreeSet<String>,
    /// Attributes whose type could not be read: nothing is known of what rules do with them.
    attributes: BTreeSet<String>,
    /// Rows of tables that stand there under another name, and values that a row lacks, each with its game.
    rows: Vec<(String, String)>,
    /// Games whose map is not there: nothing is known of its spaces.
    maps: BTreeSet<String>,
    /// Games whose manifest is empty: nothing is known of them.
    blank: BTreeSet<String>,
    /// Games with prompts that are not there: nothing is known of their actions.
    prompts: BTreeSet<String>,
    /// Games with a kind of which there is no card: nobody knows what its cards would call.
    kinds: BTreeSet<String>,
    /// Games with a card that is there twice: one of the two is another.
    twice: BTreeSet<String>,
    /// Games of which there are files and no manifest.
    without_manifest: BTreeSet<String>,
}

impl Broken {
    fn of(diagnostics: &[Diagnostic]) -> Broken {
        let mut broken = Broken {
            headers: HashMap::new(),
            regions: HashMap::new(),
            first_on_line: HashMap::new(),
            lost: HashMap::new(),
            errors: HashSet::new(),
            of_cards: false,
            repeating: BTreeSet::new(),
            of_borders: BTreeSet::new(),
            attributes: BTreeSet::new(),
            rows: Vec::new(),
            maps: BTreeSet::new(),
            blank: BTreeSet::new(),
            prompts: BTreeSet::new(),
            kinds: BTreeSet::new(),
            twice: BTreeSet::new(),
            without_manifest: BTreeSet::new(),
        };
        for found in diagnostics {
            let Some(place) = found.at.as_ref().map(|label| &label.place) else {
                continue;
            };
            broken.hear(found, place);
        }
        broken
    }

    fn hear(&mut self, found: &Diagnostic, place: &Place) {
        let (file, line) = (&place.file, place.line());
        if found.is_error() || found.code == Code::SimilarKey {
            self.errors.insert(spot(place));
        }
        if found.code == Code::DuplicateId && file.path.starts_with("cards/") {
            self.twice.extend(game_of(found));
        }
        match found.code {
            Code::UnreadFile => self.without_manifest.extend(found.name.clone()),
            Code::UnknownKey | Code::MissingKey if found.of.as_deref() == Some(ROW) => {
                let row = game_of(found).zip(found.name.clone());
                self.rows.extend(row);
            }
            Code::MissingKey if is_blank(found) => self.blank.extend(game_of(found)),
            Code::UnknownMap => self.maps.extend(game_of(found)),
            Code::NoCards => self.kinds.extend(game_of(found)),
            Code::Script("unknown-name") if found.of.as_deref() == Some("prompt") => {
                self.prompts.extend(game_of(found));
            }
            Code::BadSyntax => {
                let mut region = table_around(file, self.headers(file), place.span.start);
                if leaves_open(found) {
                    region.end = file.text.len() + 1;
                }
                if !self.regions.contains_key(&file.shown) {
                    self.lose(names(&file.text), place);
                }
                let around = keys_around(file, self.headers(file), place.span.start);
                if around.first() == Some(&"attributes") {
                    let own = around.get(2).map(|name| name.to_string());
                    self.attributes.extend(own);
                }
                let regions = self.regions.entry(file.shown.clone()).or_default();
                let end = regions.entry(region.start).or_default();
                *end = region.end.max(*end);
                let known = self.first_on_line.entry((file.shown.clone(), line));
                let first = known.or_insert_with(|| place.clone());
                if place.span.start < first.span.start {
                    *first = place.clone();
                }
            }
            Code::WrongType
            | Code::DecimalNumber
            | Code::MissingKey
            | Code::UnknownWord
            | Code::UnknownKey
            | Code::DuplicateId
            | Code::BadName
            | Code::MissingTranslation
                if !file.path.ends_with(".rhai") =>
            {
                let names = keys_around(file, self.headers(file), place.span.start);
                if names.first() == Some(&"attributes") {
                    let own = names.get(2).map(|name| name.to_string());
                    self.attributes.extend(own);
                }
                self.lose(names, place);
            }
            Code::ChangesNothing if place.is_top() => {
                self.repeating.insert(file.shown.clone());
            }
            Code::BadEdge | Code::UnknownSpace => {
                self.of_borders.insert(file.shown.clone());
            }
            _ => {}
        }
        let unread = matches!(
            found.code,
            Code::BadSyntax | Code::UnreadableFile | Code::UnreadFile | Code::UnknownKind
        );
        let whole = matches!(
            found.code,
            Code::MissingKey | Code::UnknownKey | Code::WrongType
        );
        let in_cards = file.path.starts_with("cards/") || file.path.contains("/cards/");
        self.of_cards |= in_cards && (unread || whole) || found.code == Code::UnknownKind;
    }

    fn headers(&mut self, file: &File) -> &[usize] {
        self.headers.entry(file.shown.clone()).or_insert_with(|| {
            let is_header = |at: &usize| {
                file.text[*at..]
                    .trim_start_matches([' ', '\t'])
                    .starts_with('[')
            };
            file.lines().iter().copied().filter(is_header).collect()
        })
    }

    fn lose<'n>(&mut self, names: impl IntoIterator<Item = &'n str>, place: &Place) {
        let line = place.line();
        for name in names {
            let name = folded(name);
            // Of a file that is all names, nobody misses one more.
            let full = self.lost.len() >= MOST_COUNTED;
            let known = match full {
                true => self.lost.get_mut(&name),
                false => Some(self.lost.entry(name).or_default()),
            };
            let Some(known) = known.filter(|known| known.len() < 2) else {
                continue;
            };
            if !known.iter().any(|there| is_line(there, place, line)) {
                known.push((place.file.clone(), line));
            }
        }
    }

    /// Whether something follows from what is broken elsewhere.
    fn explains(&self, found: &Diagnostic) -> bool {
        let place = found.at.as_ref().map(|label| &label.place);
        if found.code == Code::BadSyntax {
            let first = place.and_then(|place| {
                let key = (place.file.shown.clone(), place.line());
                self.first_on_line.get(&key)
            });
            return first.is_some_and(|first| Some(first) != place && !first.is_top());
        }
        if let Some(place) = place {
            let regions = self.regions.get(&place.file.shown);
            let region = regions.and_then(|regions| regions.range(..=place.span.start).next_back());
            if region.is_some_and(|(_, end)| place.span.start < *end) {
                return true;
            }
        }
        let of_game = |game: &String| Some(game) == game_of(found).as_ref();
        if self.blank.iter().any(of_game) {
            return !is_blank(found) && found.code != Code::UnreadableFile;
        }
        let mut rows = self.rows.iter().filter(|(game, _)| of_game(game));
        if rows.any(|(_, row)| misspelt::follows(found, row)) {
            return true;
        }
        let is_in = |games: &BTreeSet<String>| games.iter().any(of_game);
        if is_in(&self.maps) && is_of_a_map(found) {
            return true;
        }
        match found.code {
            Code::UnknownKey | Code::MissingKey if found.of.as_deref() == Some(ROW) => false,
            Code::Script("unknown-name") if found.of.as_deref() == Some("action") => {
                is_in(&self.prompts) || self.has_lost(found, place)
            }
            Code::UnusedFunction => is_in(&self.kinds),
            Code::NoCards => self.of_cards,
            Code::IsolatedSpace => {
                place.is_some_and(|place| self.of_borders.contains(&place.file.shown))
            }
            Code::OddValue => place.is_some_and(|place| self.errors.contains(&spot(place))),
            // A list of which one entry is wrong is no list of numbers.
            Code::WrongType if !found.related.is_empty() => {
                place.is_some_and(|place| self.is_told_inside(place))
            }
            Code::EmptyVariant => place.is_some_and(|place| {
                let mut errors = self.errors.iter();
                errors.any(|(shown, _, _)| *shown == place.file.shown)
            }),
            // What an open header swallows begins tables anew.
            Code::DuplicateId => place.is_some_and(|place| {
                let line = line_around(&place.file, place.span.start);
                line.starts_with('[') && self.regions.contains_key(&place.file.shown)
            }),
            Code::UnknownGame => found.name.as_ref().is_some_and(|game| {
                let mut unread = self.without_manifest.iter();
                unread.any(|other| other == game)
            }),
            Code::UnknownCard if found.slip.is_none() => {
                is_in(&self.twice) || self.has_lost(found, place)
            }
            Code::Script("unknown-name")
                if found.slip.is_none() && found.of.as_deref() == Some("card") =>
            {
                is_in(&self.twice) || self.has_lost(found, place)
            }
            Code::ReplacesBase => {
                place.is_some_and(|place| self.repeating.contains(&place.file.shown))
            }
            Code::PatchMismatch => {
                let mut related = found.related.iter();
                related.any(|label| {
                    Some(&label.place) != place && self.errors.contains(&spot(&label.place))
                })
            }
            Code::Script("type-mismatch") => place.is_some_and(|place| self.is_unsure(place)),
            Code::UnknownWord => {
                let of_look = |place: &Place| place.file.path.starts_with("looks/");
                place.is_some_and(of_look) && self.has_lost(found, place)
            }
            _ => is_of_a_name(found) && self.has_lost(found, place),
        }
    }

    /// Whether the line of a rule reads an attribute or a parameter of which nothing is known.
    fn is_unsure(&self, place: &Place) -> bool {
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        let line = line_around(&place.file, place.span.start);
        let reads = |sign: char| {
            let mut read = line.split(sign).skip(1);
            read.any(|rest| {
                let end = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
                self.attributes.contains(&rest[..end])
            })
        };
        let said = place.file.text.get(place.span.clone()).unwrap_or_default();
        let is_constant = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
        let is_parameter = !said.is_empty() && said.chars().all(is_constant);
        reads('.') || reads('"') || is_parameter && self.lost.contains_key(&folded(said))
    }

    /// Whether something inside a place is wrong, which is why all of it is.
    fn is_told_inside(&self, place: &Place) -> bool {
        let (shown, start, end) = spot(place);
        let mut errors = self.errors.iter();
        errors.any(|(file, from, until)| {
            *file == shown && (*from, *until) != (start, end) && start <= *from && *until <= end
        })
    }

    /// Whether every part of the name was lost somewhere else.
    fn has_lost(&self, found: &Diagnostic, place: Option<&Place>) -> bool {
        let Some(name) = &found.name else {
            return false;
        };
        let here = place.map(|place| (place, place.line()));
        name.split('.').all(|part| {
            let mut there = self.lost.get(&folded(part)).into_iter().flatten();
            there.any(|there| here.is_none_or(|(place, line)| !is_line(there, place, line)))
        })
    }
}

/// A name as it is looked for where something was lost: an id may have been written with capitals or with `-`.
fn folded(name: &str) -> String {
    name.to_lowercase().replace('-', "_")
}

/// Whether something says that a manifest is empty.
pub fn is_blank(found: &Diagnostic) -> bool {
    found.code == Code::MissingKey && found.of.as_deref() == Some(MANIFEST)
}

/// Whether a line of a file is that of a place.
fn is_line((file, number): &(Arc<File>, usize), place: &Place, line: usize) -> bool {
    *number == line && file.shown == place.file.shown
}

/// The line a byte lies in; of one without end, what stands around it.
fn line_around(file: &File, at: usize) -> &str {
    let text = &file.text;
    let at = at.min(text.len());
    let number = file.lines().partition_point(|start| *start <= at);
    let mut start = file.lines()[number - 1].max(at.saturating_sub(LONGEST_SHOWN));
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    let next = file.lines().get(number).copied().unwrap_or(text.len());
    let mut end = next.min(at + LONGEST_SHOWN);
    while !text.is_char_boundary(end) {
        end += 1;
    }
    text[start..end].trim_end_matches(['\n', '\r'])
}

/// Whether a mistake is that a name is not known: it would be, if its declaration could be read.
fn is_of_a_name(found: &Diagnostic) -> bool {
    match found.code {
        Code::Script(slug) => slug.starts_with("unknown-"),
        Code::UnknownKey => found.of.is_some(),
        Code::UnknownAttribute
        | Code::UnknownCard
        | Code::UnknownSpace
        | Code::UnknownArea
        | Code::UnknownField
        | Code::UnknownFunction
        | Code::UnknownEffect
        | Code::UnknownCondition
        | Code::UnknownZone
        | Code::UnknownText
        | Code::UnknownOption
        | Code::UnknownValue
        | Code::NothingToChange => true,
        _ => false,
    }
}

/// Whether a mistake may be that nothing is known of a map.
fn is_of_a_map(found: &Diagnostic) -> bool {
    let path = found.at.as_ref().map(|label| &*label.place.file.path);
    let is_in = |folder: &str| path.is_some_and(|path| path.starts_with(folder));
    let of = found.of.as_deref().unwrap_or_default();
    match found.code {
        Code::UnknownSpace | Code::UnknownArea | Code::UnknownValue => true,
        Code::UnknownField => !is_in("cards/"),
        Code::UnknownAttribute | Code::UnknownWord => is_in("looks/"),
        Code::UnknownKey => matches!(of, "space" | "area" | THING) || is_in("looks/"),
        // What was to be laid over the map stands there alone.
        Code::MissingKey | Code::BadEdge => path.is_some_and(|path| path.contains("/maps/")),
        // What spaces are and have is words to rules, of which some have other meanings too.
        Code::Script("unknown-name") => !matches!(of, "prompt" | "option" | "log text" | "card"),
        Code::Script("unknown-property") => true,
        _ => false,
    }
}

/// What something with a name that could take an article is ([`Diagnostic::of`]).
pub const THING: &str = "thing";

/// What a value that a range or a text names is one of ([`Diagnostic::of`]).
pub const VALUE: &str = "value";

/// What a row of a table that stands there under another name is ([`Diagnostic::of`]).
pub const ROW: &str = "row";

/// What of a map has other rows than all others of it ([`Diagnostic::of`]).
pub const SECTION: &str = "section";

/// What lacks all that makes it one ([`Diagnostic::of`]).
pub const MANIFEST: &str = "manifest";

/// A place as something that can be looked up.
fn spot(place: &Place) -> (String, usize, usize) {
    (place.file.shown.clone(), place.span.start, place.span.end)
}

/// The `[table]` of a file that a byte lies in. A mistake is often noticed a line late, so the line before counts.
fn table_around(file: &File, headers: &[usize], at: usize) -> Range<usize> {
    let line = file.lines().partition_point(|start| *start <= at);
    let before = file.lines()[line.saturating_sub(2)];
    let header = headers.partition_point(|header| *header <= before);
    let start = header.checked_sub(1).map_or(0, |header| headers[header]);
    let end = headers.partition_point(|header| *header <= at);
    start..headers.get(end).copied().unwrap_or(file.text.len() + 1)
}

/// Everything that looks like a name.
fn names(text: &str) -> impl Iterator<Item = &str> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    text.split(move |c| !is_name(c))
        .filter(|name| !name.is_empty())
}

/// Sections of texts whose names may have dots in them.
const TEXTS: [&str; 6] = ["prompt", "option", "log", "reason", "step", "help"];

/// The keys a value stands under: those of its `[table]`, and those of its line.
fn keys_around<'f>(file: &'f File, headers: &[usize], at: usize) -> Vec<&'f str> {
    let number = file.lines().partition_point(|start| *start <= at);
    let start = file.lines()[number - 1];
    let header = headers.partition_point(|header| *header < start);
    let header = header.checked_sub(1).map(|header| headers[header]);
    let header = header.map(|header| line_around(file, header));
    let line = line_around(file, at);
    let mut found: Vec<&str> = header.into_iter().flat_map(names).collect();
    match line.trim_start().starts_with('[') {
        true => found = names(line).collect(),
        false => {
            // `combat.join = ..` is the name of one text.
            let is_text = found.first().is_some_and(|section| TEXTS.contains(section));
            let keys = line.match_indices('=').flat_map(|(at, _)| {
                let key = line[..at].trim_end().trim_matches('"');
                let is_key =
                    |c: char| c.is_alphanumeric() || c == '_' || c == '-' || is_text && c == '.';
                let begins = key.trim_end_matches(is_key).len();
                names(&key[begins..])
            });
            let keys: Vec<&str> = keys.collect();
            found.extend(keys);
        }
    }
    found
}

/// Names of one sort that are not there: fewer are told one by one.
const LOST_TOGETHER: usize = 5;
/// The same of those that do not look like a slip.
const LOST_WITHOUT_A_LIKENESS: usize = 3;
/// The same slip, besides the first.
const SLIPS_ALIKE: usize = 3;
/// Names and places that are shown of many.
const SHOWN: usize = 4;

/// What names are of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Sort {
    Texts,
    Cards,
    Values,
    Functions,
    Spaces,
}

const FOLDERS: [&str; 3] = ["cards/", "scripts/", "maps/"];

impl Sort {
    /// Where things of the sort stand.
    fn folder(self) -> &'static str {
        let [cards, scripts, maps] = FOLDERS;
        match self {
            Sort::Texts | Sort::Cards | Sort::Values => cards,
            Sort::Functions => scripts,
            Sort::Spaces => maps,
        }
    }
}

/// Tells names that are lost together together: a file is missing, and nobody wants to read of each of its names.
pub fn together(diagnostics: &mut Vec<Diagnostic>) {
    let mut groups: BTreeMap<(String, Sort), Vec<usize>> = BTreeMap::new();
    for (number, found) in diagnostics.iter().enumerate() {
        if let (Some(sort), Some(game)) = (sort_of(found), game_of(found)) {
            groups.entry((game, sort)).or_default().push(number);
        }
    }
    of_libraries(&mut groups);
    let unread: BTreeSet<(String, &str)> = diagnostics
        .iter()
        .filter(|found| matches!(found.code, Code::UnreadFile | Code::UnreadableFile))
        .filter_map(|found| {
            let path = &found.at.as_ref()?.place.file.path;
            let folder = FOLDERS
                .into_iter()
                .find(|folder| path.starts_with(folder))?;
            Some((game_of(found)?, folder))
        })
        .collect();
    let mut gone = BTreeSet::new();
    let mut told: Vec<Diagnostic> = Vec::new();
    let mut again = Vec::new();
    for ((game, sort), numbers) in groups {
        let all: Vec<&Diagnostic> = numbers.iter().map(|n| &diagnostics[*n]).collect();
        let names: BTreeSet<&str> = all.iter().filter_map(|d| d.name.as_deref()).collect();
        let unlike = all.iter().filter(|found| found.slip.is_none());
        let unlike: BTreeSet<&str> = unlike.filter_map(|d| d.name.as_deref()).collect();
        if names.len() >= LOST_TOGETHER || unlike.len() >= LOST_WITHOUT_A_LIKENESS {
            // A file that nobody can read is told already.
            if !unread.contains(&(game.clone(), sort.folder())) {
                told.push(lost(&game, sort, &all, &names));
            }
            gone.extend(numbers);
            // Where a word may be a card or something else, it is that card.
            let is_one = |found: &Diagnostic| {
                let is_known = found
                    .name
                    .as_deref()
                    .is_some_and(|name| names.contains(name));
                found.code == Code::Script("unknown-name") && is_known
            };
            let here = |found: &Diagnostic| game_of(found).as_ref() == Some(&game);
            let all = diagnostics.iter().enumerate();
            gone.extend(
                all.filter(|(_, one)| is_one(one) && here(one))
                    .map(|(n, _)| n),
            );
            if sort == Sort::Cards {
                gone.extend(without_cards(diagnostics, &game, told.last_mut()));
            }
            if sort == Sort::Values {
                gone.extend(of_lost_values(diagnostics, &game));
            }
            continue;
        }
        if sort == Sort::Values
            && let Some(problem) = one_value(&game, &all)
        {
            told.push(problem);
            gone.extend(of_lost_values(diagnostics, &game));
            gone.extend(numbers);
            continue;
        }
        for name in names {
            let is_it = |n: &usize| diagnostics[*n].name.as_deref() == Some(name);
            let same: Vec<usize> = numbers.iter().copied().filter(is_it).collect();
            again.extend(repeated(diagnostics, &same));
        }
    }
    for (first, others) in again {
        told_once(diagnostics, first, &others);
        gone.extend(others);
    }
    if gone.is_empty() {
        return;
    }
    let mut number = 0;
    diagnostics.retain(|_| {
        number += 1;
        !gone.contains(&(number - 1))
    });
    diagnostics.append(&mut told);
    sort(diagnostics);
}

/// What follows where nobody knows what a table that is gone had in it.
fn of_lost_values(diagnostics: &[Diagnostic], game: &String) -> Vec<usize> {
    let follows = |found: &Diagnostic| {
        let code = found.code;
        let is_unsure =
            code == Code::Script("unknown-property") || code == Code::Script("type-mismatch");
        is_unsure && game_of(found).as_ref() == Some(game)
    };
    let all = diagnostics.iter().enumerate();
    all.filter(|(_, found)| follows(found))
        .map(|(n, _)| n)
        .collect()
}

/// A table or a parameter that is not there, which rules, texts and ranges name each in their way.
fn one_value(game: &str, all: &[&Diagnostic]) -> Option<Diagnostic> {
    let whole = |found: &&Diagnostic| {
        let name = found.name.as_deref()?;
        name.split('.').next().map(str::to_lowercase)
    };
    let first = all.first().and_then(whole)?;
    let is_it = |found: &&Diagnostic| found.slip.is_none() && whole(found).as_ref() == Some(&first);
    let ways: HashSet<Code> = all.iter().map(|found| found.code).collect();
    if ways.len() < 2 || !all.iter().all(is_it) {
        return None;
    }
    let message = format!("there is no `{first}`, which {} places name", all.len());
    let problem = Diagnostic::new(Code::LostTogether, message);
    let problem = problem.help(format!(
        "tables stand in cards/{game}/tables.toml, parameters in scripts/{game}/game.toml"
    ));
    Some(at_all(problem, all))
}

/// A mistake with the places where some of what it tells is.
fn at_all(problem: Diagnostic, all: &[&Diagnostic]) -> Diagnostic {
    let places = places(all).into_iter().enumerate();
    places.fold(problem, |problem, (number, place)| match number {
        0 => problem.at(&place),
        _ => problem.related(&place, ""),
    })
}

/// Where a kind has no cards at all, that is why some that are named are not there: one sentence for both.
fn without_cards(
    diagnostics: &[Diagnostic],
    game: &String,
    lost: Option<&mut Diagnostic>,
) -> Option<usize> {
    let is_empty =
        |found: &Diagnostic| found.code == Code::NoCards && game_of(found).as_ref() == Some(game);
    let mut kinds = (0..diagnostics.len()).filter(|n| is_empty(&diagnostics[*n]));
    let (Some(kind), None, Some(lost)) = (kinds.next(), kinds.next(), lost) else {
        return None;
    };
    lost.message = format!("{}, and {}", diagnostics[kind].message, lost.message);
    let place = diagnostics[kind]
        .at
        .as_ref()
        .map(|label| label.place.clone());
    if let Some(place) = place {
        let former = lost.at.replace(Label {
            place,
            text: String::new(),
        });
        lost.related.splice(0..0, former);
        lost.related.truncate(SHOWN);
    }
    Some(kind)
}

/// The first place of a name that is told in several, and the others.
fn repeated(diagnostics: &[Diagnostic], same: &[usize]) -> Option<(usize, Vec<usize>)> {
    let (first, rest) = same.split_first()?;
    let is_same = |n: &usize| {
        let (other, first) = (&diagnostics[*n], &diagnostics[*first]);
        other.code == first.code && other.message == first.message
    };
    let others: Vec<usize> = rest.iter().copied().filter(is_same).collect();
    // A slip is mended where it is, and nobody makes the same one again and again.
    let most = diagnostics[*first].slip.as_ref().map_or(0, |_| SLIPS_ALIKE);
    (others.len() > most).then_some((*first, others))
}

/// A name that several places use is one thing to mend.
fn told_once(diagnostics: &mut [Diagnostic], first: usize, others: &[usize]) {
    let also = others.iter().filter_map(|n| diagnostics[*n].at.clone());
    let also: Vec<Label> = also.take(SHOWN - 1).collect();
    let once = &mut diagnostics[first];
    once.related.extend(also);
    let places = format!("{} places name it", others.len() + 1);
    once.help = Some(match once.help.take() {
        Some(help) => format!("{help}; {places}"),
        None => places,
    });
}

/// What a shared library does not find, the one game that lost something has lost.
fn of_libraries(groups: &mut BTreeMap<(String, Sort), Vec<usize>>) {
    let is_library = |(game, _): &&(String, Sort)| game == LIBRARY;
    let shared: Vec<_> = groups.keys().filter(is_library).cloned().collect();
    for key in shared {
        let same_sort = |other: &&(String, Sort)| other.1 == key.1 && *other != &key;
        let mut games = groups.keys().filter(same_sort).cloned();
        if let (Some(game), None) = (games.next(), games.next()) {
            let numbers = groups.remove(&key).unwrap_or_default();
            groups.entry(game).or_default().extend(numbers);
        }
    }
}

/// What a name that is not known is of.
fn sort_of(found: &Diagnostic) -> Option<Sort> {
    let name = found.name.as_ref()?;
    let of = found.of.as_deref().unwrap_or_default();
    match found.code {
        Code::Script("unknown-name") => match of {
            "prompt" | "option" | "log text" | "reason" => Some(Sort::Texts),
            "card" => Some(Sort::Cards),
            "space" | "area" => Some(Sort::Spaces),
            _ => None,
        },
        Code::Script("unknown-variable") => {
            let capitals = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
            name.chars().all(capitals).then_some(Sort::Values)
        }
        Code::Script("unknown-function") | Code::UnknownFunction => Some(Sort::Functions),
        Code::UnknownText => Some(Sort::Texts),
        Code::UnknownCard => Some(Sort::Cards),
        Code::UnknownSpace | Code::UnknownArea => Some(Sort::Spaces),
        Code::UnknownKey => match of {
            "" | ROW => None,
            VALUE => Some(Sort::Values),
            "card" | THING => Some(Sort::Cards),
            "space" | "area" => Some(Sort::Spaces),
            _ => Some(Sort::Texts),
        },
        Code::UnknownValue => (of == VALUE).then_some(Sort::Values),
        Code::NothingToChange => Some(Sort::Values),
        _ => None,
    }
}

/// The game whose file a mistake is in.
fn game_of(found: &Diagnostic) -> Option<String> {
    let path = &found.at.as_ref()?.place.file.path;
    let rest = match path.strip_prefix(SCENARIOS) {
        Some(rest) => rest,
        None => path.split_once('/')?.1,
    };
    rest.split('/').next().map(str::to_string)
}

fn lost(game: &str, sort: Sort, all: &[&Diagnostic], names: &BTreeSet<&str>) -> Diagnostic {
    let count = names.len();
    let (message, files) = match sort {
        Sort::Texts => (
            format!("{} lost their texts together", counted_texts(all)),
            format!("texts stand in cards/{game}/text.toml and cards/{game}/text-*.toml"),
        ),
        Sort::Cards => (
            format!("{count} cards that are named are not there"),
            format!("cards stand in cards/{game}/ and decks/{game}/"),
        ),
        Sort::Values => (
            format!("{count} values that are named are not there"),
            format!(
                "tables stand in cards/{game}/tables.toml, parameters in scripts/{game}/game.toml"
            ),
        ),
        Sort::Functions => (
            format!("{count} functions that are called are not there"),
            format!("rules stand in scripts/{game}/, in files that end in `.rhai`"),
        ),
        Sort::Spaces => (
            format!("{count} spaces or areas that are named are not there"),
            format!("maps stand in maps/{game}/"),
        ),
    };
    let shown: Vec<&str> = names.iter().copied().take(SHOWN).collect();
    let listed = match count - shown.len() {
        0 => one_of(&shown).replace(" or ", " and "),
        more => {
            let quoted: Vec<String> = shown.iter().map(|name| format!("`{name}`")).collect();
            format!("{} and {more} more", quoted.join(", "))
        }
    };
    let message = format!("{message}: is a file missing?");
    let mut problem = Diagnostic::new(Code::LostTogether, message);
    problem.help = Some(format!("{listed}; {files}"));
    at_all(problem, all)
}

/// "82 prompts and 12 options"
fn counted_texts(all: &[&Diagnostic]) -> String {
    let mut by_what: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for found in all {
        let name = found.name.as_deref().unwrap_or_default();
        let of = found.of.as_deref().unwrap_or_default();
        by_what.entry(of).or_default().insert(name);
    }
    let counted: Vec<String> = by_what
        .iter()
        .map(|(what, names)| match names.len() {
            1 => format!("1 {what}"),
            count => format!("{count} {what}s"),
        })
        .collect();
    match counted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
        None => String::new(),
    }
}

/// Where some of them are, one of each file.
fn places(all: &[&Diagnostic]) -> Vec<Place> {
    let places = all.iter().filter_map(|found| found.at.as_ref());
    let places: Vec<Place> = places.map(|label| label.place.clone()).collect();
    let mut seen: Vec<Arc<File>> = Vec::new();
    let mut first = Vec::new();
    for place in &places {
        if first.len() < SHOWN && !seen.contains(&place.file) {
            seen.push(place.file.clone());
            first.push(place.clone());
        }
    }
    first
}
