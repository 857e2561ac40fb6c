//! The index of names: where every id of a game (card, space, attribute, prompt, function, value of a table ..) is defined and where it is
//! mentioned, in TOML and in scripts, with places. Editors find, explain and rename by it.
//!
//! | room | what lives there |
//! |---|---|
//! | `places` | which keys and values of which files are names of what |
//! | `data` | TOML files looked through by that table |
//! | `phrases` | fields of cards, effects and conditions |
//! | `rules` | scripts |
//! | `parameters` | what the parameters of a game's functions name |
//! | `locals` | variables of one function |
//! | `cursor`, `way`, `fits` | what would fit at a place that is being written |

pub mod cursor;
mod data;
mod fits;
pub mod locals;
mod parameters;
mod phrases;
mod places;
mod rules;
mod way;

use crate::content::definition::Definition;
use crate::content::file::{File, Place};
use crate::content::library::{Library, Loaded, Selection};
use crate::content::pack::LayerFile;
use crate::content::path::{LIBRARY, Part, Role, role};
use crate::content::tree::Node;
use crate::limits::LARGEST_INDEX;
use crate::script::slips::CALLED;
use parameters::Parameters;
pub use rules::{Frame, LoudParts, given};
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::sync::Arc;

/// What a name is the name of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sort {
    Game,
    Variant,
    Map,
    Attribute,
    Zone,
    Kind,
    Field,
    Card,
    Space,
    Area,
    Section,
    Die,
    Side,
    Parameter,
    /// A table or a value in one; `of` is the dotted key above it.
    Value,
    Metric,
    /// A word that attributes and fields may hold.
    Word,
    Effect,
    Condition,
    Prompt,
    /// What may be done at a prompt that offers actions.
    Action,
    Option,
    Log,
    Step,
    Reason,
    /// What a field or an attribute is called.
    Caption,
    Help,
    /// A function of the scripts.
    Function,
    /// A function every game has.
    Verb,
    /// A property every game has; `of` is its type.
    Property,
}

impl Sort {
    /// "a card", for people.
    pub fn what(self) -> &'static str {
        match self {
            Sort::Game => "a game",
            Sort::Variant => "a variant",
            Sort::Map => "a map",
            Sort::Attribute => "an attribute",
            Sort::Zone => "a zone",
            Sort::Kind => "a kind of cards",
            Sort::Field => "a field",
            Sort::Card => "a card",
            Sort::Space => "a space",
            Sort::Area => "an area",
            Sort::Section => "a section",
            Sort::Die => "a die",
            Sort::Side => "a side",
            Sort::Parameter => "a parameter",
            Sort::Value => "a value of the tables",
            Sort::Metric => "a metric",
            Sort::Word => "a word",
            Sort::Effect => "an effect",
            Sort::Condition => "a condition",
            Sort::Prompt => "a prompt",
            Sort::Action => "an action",
            Sort::Option => "an option",
            Sort::Log => "a line of the log",
            Sort::Step => "the name of a step",
            Sort::Reason => "a reason for the end",
            Sort::Caption => "what a field is called",
            Sort::Help => "a help text",
            Sort::Function => "a function",
            Sort::Verb => "a function every game has",
            Sort::Property => "a property every game has",
        }
    }

    /// Whether it is a part of the kernel, which no game defines.
    pub fn is_of_the_kernel(self) -> bool {
        matches!(self, Sort::Verb | Sort::Property)
    }
}

/// One name. Two things of one sort may share an id if they are of different owners: `energy` of players and of spaces.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name {
    pub sort: Sort,
    /// Whose it is: `player` for an attribute, the kind for a field, the dotted key above a value; empty for most.
    pub of: String,
    pub id: String,
}

impl Name {
    /// Whether it is a function the kernel calls by its name.
    pub fn is_called_by_the_kernel(&self) -> bool {
        let called = CALLED.iter().any(|(name, _)| *name == self.id);
        called && self.sort == Sort::Function && self.of.is_empty()
    }

    /// Whether it may be meant where this is wanted.
    fn fits(&self, wants: &Wants) -> bool {
        match wants {
            Wants::Sorts(sorts) => {
                sorts.contains(&self.sort) && (self.sort != Sort::Function || self.of.is_empty())
            }
            Wants::Of(sort, of) => self.sort == *sort && self.of == *of,
            // A library calls its own functions, and no game's.
            Wants::Owned(sorts, of) => {
                let anybodys = self.of.is_empty() && self.sort != Sort::Function;
                sorts.contains(&self.sort) && (anybodys || of.contains(&self.of))
            }
            Wants::Dotted => self.sort == Sort::Value,
            // It may be compared, or kept, with anything.
            Wants::Given(..) => self.fits(&Wants::Sorts(IN_TEXTS.to_vec())),
            Wants::Words(_) => false,
        }
    }
}

/// Where a name is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mention {
    /// Its place in [`Mentions::names`].
    pub name: usize,
    pub place: Place,
    pub is_definition: bool,
    /// Nothing else could be meant here.
    pub is_sure: bool,
}

/// What may be meant at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wants {
    /// A name of one of these sorts. Functions of libraries are named otherwise.
    Sorts(Vec<Sort>),
    /// A name of one sort and owner.
    Of(Sort, String),
    /// A name of one of these sorts that is one of these owners', or nobody's.
    Owned(Vec<Sort>, Vec<String>),
    /// The whole way to a value: `prices.unit.resources`.
    Dotted,
    /// What the n-th parameter of this function of the game names.
    Given(String, usize),
    /// One of these words, and nothing with a place of its own.
    Words(Vec<String>),
}

/// What was seen at a place, before it is known which names there are.
struct Fact {
    place: Place,
    id: String,
    wants: Wants,
    is_definition: bool,
}

/// All names of a game and where they are.
#[derive(Debug, Clone, Default)]
pub struct Mentions {
    pub names: Vec<Name>,
    /// By file and place.
    all: Vec<Mention>,
    /// The mentions of each file, as a range of `all`.
    files: HashMap<String, Range<usize>>,
    by_name: Vec<Vec<usize>>,
    by_id: HashMap<String, Vec<usize>>,
    parameters: Parameters,
    /// Whether there are more than there is room for: those are not among them.
    pub is_cut: bool,
}

/// The sorts a text in a script may name, where nothing says which.
pub const IN_TEXTS: &[Sort] = &[
    Sort::Card,
    Sort::Space,
    Sort::Area,
    Sort::Section,
    Sort::Word,
    Sort::Action,
    Sort::Option,
    Sort::Prompt,
    Sort::Log,
    Sort::Reason,
    Sort::Zone,
    Sort::Kind,
    Sort::Die,
    Sort::Side,
    Sort::Function,
    Sort::Attribute,
    Sort::Field,
];

/// What attributes and fields may hold.
pub const HELD: &[Sort] = &[
    Sort::Word,
    Sort::Card,
    Sort::Space,
    Sort::Area,
    Sort::Section,
    Sort::Kind,
    Sort::Side,
];

/// The same for whoever looks what might be written: nobody means a function unless a place wants one.
pub fn in_quotes() -> Vec<Sort> {
    let sorts = IN_TEXTS.iter().copied();
    sorts.filter(|sort| *sort != Sort::Function).collect()
}

impl Library {
    /// The names of a game in all its files, variants and scenarios, as far as they can be read.
    pub fn mentions(&self, game: &str) -> Mentions {
        match self.load(game, &Selection::default()) {
            Ok(loaded) => self.mentions_in(&loaded),
            Err(_) => Mentions::default(),
        }
    }

    /// The games whose scripts import a file that games share.
    pub fn importing(&self, path: &str) -> Vec<String> {
        let imports = |game: &String| {
            library(path).is_some_and(|name| imported(&self.files_of(game)).contains(&name))
        };
        self.game_ids().into_iter().filter(imports).collect()
    }

    /// The same for whoever has loaded the game already.
    pub fn mentions_in(&self, loaded: &Loaded) -> Mentions {
        let definition = &loaded.definition;
        let mut seen = Seen {
            definition,
            root: &loaded.root,
            facts: Vec::new(),
            room: LARGEST_INDEX,
            is_cut: false,
        };
        let files = self.files_of(&definition.id);
        let imported = imported(&files);
        let mut parameters = Parameters::default();
        for item in &files {
            if !item.file.path.ends_with(".rhai") {
                data::read(item, &mut seen);
                continue;
            }
            let shared = library(&item.file.path);
            if shared.as_ref().is_some_and(|name| !imported.contains(name)) {
                continue;
            }
            let parts = rules::LoudParts::new(&item.file.text);
            rules::read(
                &item.file,
                &parts,
                shared.as_deref().unwrap_or_default(),
                &mut seen,
            );
            if shared.is_none() {
                parameters.read(&parts);
            }
        }
        for file in loaded.files.iter() {
            if matches!(role(&file.path), Role::Game(_, Part::Rulebook(_))) {
                data::quotes(file, 0..file.text.len(), &mut seen);
            }
        }
        parameters.hand_on();
        let found = Mentions::resolve(seen.facts);
        Mentions {
            parameters,
            is_cut: seen.is_cut || found.is_cut,
            ..found
        }
    }
}

/// The name by which scripts import a file: `lib/auction`.
fn library(path: &str) -> Option<String> {
    match role(path) {
        Role::Library(name) => Some(format!("{LIBRARY}/{name}")),
        Role::VariantOverlay(_, _, inside) | Role::With(_, inside) => library(inside),
        _ => None,
    }
}

/// The libraries a game's scripts import, and those that these import.
fn imported(files: &[LayerFile]) -> BTreeSet<String> {
    let mut found: BTreeSet<String> = BTreeSet::new();
    let mut waiting: Vec<Option<String>> = vec![None];
    while let Some(importing) = waiting.pop() {
        let scripts = files.iter().filter(|item| {
            item.file.path.ends_with(".rhai") && library(&item.file.path) == importing
        });
        let names = scripts.flat_map(|item| rules::imports(&item.file.text));
        for (_, name) in names {
            if found.insert(name.clone()) {
                waiting.push(Some(name));
            }
        }
    }
    found
}

/// What is gathered while files are looked through.
struct Seen<'a> {
    definition: &'a Definition,
    root: &'a Node,
    facts: Vec<Fact>,
    /// Bytes that may still be taken.
    room: usize,
    is_cut: bool,
}

/// What a fact, or a mention that comes of it, takes besides its names.
const BYTES_OF_A_FACT: usize = 200;

impl Seen<'_> {
    fn define(&mut self, sort: Sort, of: &str, id: &str, place: Place) {
        let wants = || Wants::Of(sort, of.to_string());
        self.note(id, of.len(), place, true, wants);
    }

    fn mention(&mut self, wants: Wants, id: &str, place: Place) {
        self.note(id, 0, place, false, || wants);
    }

    fn note(
        &mut self,
        id: &str,
        more: usize,
        place: Place,
        is_definition: bool,
        wants: impl FnOnce() -> Wants,
    ) {
        let bytes = BYTES_OF_A_FACT + id.len() + more;
        let Some(room) = self.room.checked_sub(bytes) else {
            self.is_cut = true;
            return;
        };
        self.room = room;
        self.facts.push(Fact {
            place,
            id: id.to_string(),
            wants: wants(),
            is_definition,
        });
    }
}

/// The part of a place where an id is written: the place itself may have quotes, or more around it.
fn narrowed(place: &Place, id: &str) -> Place {
    let text = place.file.text.get(place.span.clone()).unwrap_or_default();
    match text.find(id) {
        Some(at) => {
            let start = place.span.start + at;
            Place::new(&place.file, start..start + id.len())
        }
        None => place.clone(),
    }
}

impl Mentions {
    fn resolve(facts: Vec<Fact>) -> Mentions {
        let mut found = Mentions::default();
        let mut known: HashMap<Name, usize> = HashMap::new();
        let mut add = |found: &mut Mentions, name: Name| {
            *known.entry(name.clone()).or_insert_with(|| {
                let number = found.names.len();
                let same = found.by_id.entry(name.id.clone()).or_default();
                same.push(number);
                found.names.push(name);
                number
            })
        };
        for fact in facts.iter().filter(|fact| fact.is_definition) {
            if let Wants::Of(sort, of) = &fact.wants {
                let (sort, of, id) = (*sort, of.clone(), fact.id.clone());
                add(&mut found, Name { sort, of, id });
            }
        }
        for function in super::reference::reference().functions {
            let name = Name {
                sort: Sort::Verb,
                of: String::new(),
                id: function.name.to_string(),
            };
            add(&mut found, name);
        }
        for property in super::reference::reference().properties {
            let name = Name {
                sort: Sort::Property,
                of: property.of,
                id: property.name.to_string(),
            };
            add(&mut found, name);
        }
        let mut looked_at = 0;
        for fact in facts {
            let meant = found.meant(&fact);
            // Many things may have one name, and each place of it may mean any of them.
            looked_at += found.by_id.get(&fact.id).map_or(0, Vec::len);
            if found.all.len() + meant.len() > LARGEST_INDEX / BYTES_OF_A_FACT
                || looked_at > LARGEST_INDEX
            {
                found.is_cut = true;
                break;
            }
            let is_sure = meant.len() == 1;
            found.all.extend(meant.into_iter().map(|name| Mention {
                name,
                place: fact.place.clone(),
                is_definition: fact.is_definition,
                is_sure,
            }));
        }
        found.put_in_order();
        found
    }

    fn meant(&self, fact: &Fact) -> Vec<usize> {
        let same = |id: &str| self.by_id.get(id).map_or(&[][..], Vec::as_slice);
        let keep = |id: &str, fits: &dyn Fn(&Name) -> bool| -> Vec<usize> {
            let fitting = same(id).iter().copied();
            fitting.filter(|n| fits(&self.names[*n])).collect()
        };
        if fact.wants == Wants::Dotted {
            let (of, id) = fact.id.rsplit_once('.').unwrap_or(("", &fact.id));
            return keep(id, &|name| name.sort == Sort::Value && name.of == of);
        }
        let mut found = keep(&fact.id, &|name| name.fits(&fact.wants));
        // What the game defines hides what every game has; a property is no key of a map.
        let is_of = |n: usize, sort: Sort| self.names[n].sort == sort;
        if found.iter().any(|n| is_of(*n, Sort::Function)) {
            found.retain(|n| !is_of(*n, Sort::Verb));
        }
        if found.iter().any(|n| is_of(*n, Sort::Property)) {
            found.retain(|n| !rules::KEYS.contains(&self.names[*n].sort));
        }
        found
    }

    fn put_in_order(&mut self) {
        let key = |m: &Mention| {
            (
                m.place.file.shown.clone(),
                m.place.span.start,
                m.place.span.end,
                m.name,
            )
        };
        self.all.sort_by_cached_key(key);
        self.all.dedup_by(|a, b| {
            let same = a.name == b.name
                && a.place.span == b.place.span
                && a.place.file.shown == b.place.file.shown;
            if same {
                b.is_definition |= a.is_definition;
            }
            same
        });
        self.by_name = vec![Vec::new(); self.names.len()];
        for (number, mention) in self.all.iter().enumerate() {
            self.by_name[mention.name].push(number);
            let range = self.files.entry(mention.place.file.shown.clone());
            let range = range.or_insert(number..number);
            range.end = number + 1;
        }
    }

    /// All that may be meant at a byte of a file.
    pub fn at(&self, shown: &str, byte: usize) -> Vec<&Mention> {
        let here = self.in_file(shown);
        let from = here.partition_point(|m| m.place.span.end < byte);
        let until = here.partition_point(|m| m.place.span.start <= byte);
        let touching = here[from.min(until)..until].iter();
        touching.filter(|m| m.place.span.end >= byte).collect()
    }

    /// The mentions in a file, in order.
    pub fn in_file(&self, shown: &str) -> &[Mention] {
        let range = self.files.get(shown).cloned().unwrap_or(0..0);
        &self.all[range]
    }

    /// Every place of a name.
    pub fn of(&self, name: usize) -> impl Iterator<Item = &Mention> {
        let places = self.by_name.get(name).map_or(&[][..], Vec::as_slice);
        places.iter().map(|n| &self.all[*n])
    }

    /// How many mentions there are.
    pub fn count(&self) -> usize {
        self.all.len()
    }

    /// Where a name is defined.
    pub fn definitions(&self, name: usize) -> impl Iterator<Item = &Mention> {
        self.of(name).filter(|mention| mention.is_definition)
    }

    /// The names that could be meant somewhere, each once.
    pub fn fitting(&self, wants: &Wants) -> Vec<usize> {
        let anything = || Wants::Sorts(in_quotes());
        let wants = match wants {
            Wants::Given(function, n) => &self.parameters.of(function, *n).unwrap_or_else(anything),
            wants => wants,
        };
        (0..self.names.len())
            .filter(|n| self.names[*n].fits(wants))
            .collect()
    }

    /// The names that must be changed together: those that share a place where either could be meant, and what the kernel keeps together
    /// by name.
    pub fn together(&self, name: usize) -> BTreeSet<usize> {
        let mut found = BTreeSet::from([name]);
        let mut waiting = vec![name];
        while let Some(name) = waiting.pop() {
            for mention in self.of(name) {
                let here = self.at(&mention.place.file.shown, mention.place.span.start);
                let same = here
                    .into_iter()
                    .filter(|m| m.place.span == mention.place.span);
                let other = same.map(|m| m.name);
                for other in other.filter(|n| !self.names[*n].sort.is_of_the_kernel()) {
                    if found.insert(other) {
                        waiting.push(other);
                    }
                }
            }
        }
        found
    }

    /// The name at an index.
    pub fn name(&self, name: usize) -> &Name {
        &self.names[name]
    }
}

/// Where the same file stands in memory: mentions share it.
pub(super) fn place_in(file: &Arc<File>, span: Range<usize>) -> Place {
    Place::new(file, span)
}
