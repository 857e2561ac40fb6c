//! Every name of a game as a number, and the fields of its cards and map as values: what scripts are compiled against and run with.

use super::Table;
use super::types::domain;
use crate::content::definition::{
    Card, Cells, Data, Definition, Direction, Field, FieldType, FieldValue, Manner, Text,
};
use crate::limits::STEP_ARGUMENTS;
use crate::model::set::SpaceSet;
use crate::model::value::{Val, handle};
use foldhash::fast::FixedState;
use ludoteca_vm::{Domain, FnId, FnPtr, HostError, Program, Shared, Value};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// Where a number with this name is found on each kind of thing.
#[derive(Debug, Clone, Default)]
pub struct Numbered {
    pub name: String,
    pub space_attribute: Option<usize>,
    pub player_attribute: Option<usize>,
    pub piece_attribute: Option<usize>,
    pub card_field: Option<usize>,
    pub space_field: Option<usize>,
}

/// Names and fields, ready for use.
#[derive(Debug, Default)]
pub struct Lexicon {
    pub words: Vec<Arc<str>>,
    word_numbers: HashMap<Arc<str>, u32, FixedState>,
    pub space_words: Vec<u32>,
    pub area_words: Vec<u32>,
    pub card_words: Vec<u32>,
    pub kind_words: Vec<u32>,
    pub section_words: Vec<u32>,
    /// By word: the directions it stands for, as bits; the words of single directions, by number.
    pub directions: Vec<u8>,
    pub direction_words: Vec<u32>,
    /// The words for both diagonals of each of the four straight directions.
    pub ahead_words: Vec<u32>,
    /// Names of card fields over all kinds; a piece's property is an index here.
    pub card_fields: Vec<String>,
    /// By field and card.
    pub card_values: Vec<Vec<Val>>,
    /// By field and space, edge, area.
    pub space_values: Vec<Vec<Val>>,
    pub edge_values: Vec<Vec<Val>>,
    pub area_values: Vec<Vec<Val>>,
    pub area_sets: Vec<SpaceSet>,
    /// For each space field, the spaces that have each of its values.
    pub spaces_by_value: Vec<Vec<(Val, SpaceSet)>>,
    pub measures: Vec<Numbered>,
    /// By word: whether each card holds a card with that word in one of its fields; nothing for a word none has.
    pub listeners: HashMap<u32, Vec<bool>, FixedState>,
    /// Keys of the texts a script may name, by the number it is compiled to.
    pub prompts: Vec<String>,
    /// What each prompt says besides its text.
    pub manners: Vec<Manner>,
    /// The actions of each prompt.
    pub actions: Vec<Vec<Action>>,
    pub options: Vec<String>,
    /// By word: whether it is one of them.
    option_words: Vec<bool>,
    pub logs: Vec<String>,
    /// How many bytes each has in all languages, and braces at most.
    pub log_sizes: Vec<(usize, usize)>,
    pub reasons: Vec<String>,
    /// For names computed while a game runs: by domain, name to the value; and the same by word.
    named: Vec<HashMap<String, Val, FixedState>>,
    named_by_word: Vec<Vec<Option<Val>>>,
    /// Domains of words, beyond the fixed ones.
    pub word_domains: Vec<(String, Vec<u32>)>,
}

/// Something that may be done at a prompt.
#[derive(Debug, Clone)]
pub struct Action {
    pub name: Arc<str>,
    /// The name as scripts see it.
    pub value: Val,
    /// Whether it can be offered alone: it has a text people read.
    pub has_text: bool,
}

impl Lexicon {
    pub fn new(definition: &Definition) -> Lexicon {
        let mut lexicon = Lexicon::default();
        for word in &definition.words {
            lexicon.word(word);
        }
        lexicon.name_things(definition);
        lexicon.name_directions(definition);
        lexicon.read_fields(definition);
        lexicon.list_measures(definition);
        lexicon.list_listeners(definition);
        let keys = |texts: &BTreeMap<String, Text>| texts.keys().cloned().collect::<Vec<_>>();
        lexicon.prompts = keys(&definition.texts.prompt);
        let manners = &definition.texts.manners;
        lexicon.manners = lexicon
            .prompts
            .iter()
            .map(|prompt| manners.get(prompt).cloned().unwrap_or_default())
            .collect();
        let action = |name: &String| Action {
            name: name.as_str().into(),
            value: Value::string(name.as_str()),
            has_text: definition.texts.option.contains_key(name),
        };
        let actions = |manner: &Manner| manner.actions.iter().map(action).collect();
        lexicon.actions = lexicon.manners.iter().map(actions).collect();
        lexicon.options = keys(&definition.texts.option);
        // A way out is a word: it is handed to the kernel at every choice, and a number costs nothing.
        for option in lexicon.options.clone() {
            let word = lexicon.word(&option) as usize;
            let known = lexicon.option_words.len().max(word + 1);
            lexicon.option_words.resize(known, false);
            lexicon.option_words[word] = true;
        }
        lexicon.logs = keys(&definition.texts.log);
        let size = |text: &Text| {
            let braces = |text: &str| text.bytes().filter(|&b| b == b'{').count();
            (
                text.es.len() + text.en.len(),
                braces(&text.es).max(braces(&text.en)),
            )
        };
        lexicon.log_sizes = definition.texts.log.values().map(size).collect();
        lexicon.reasons = keys(&definition.texts.reason);
        for number in 0..domain::FIRST_OF_WORDS {
            let named: HashMap<String, Val, FixedState> = lexicon
                .names(definition, Domain(number))
                .into_iter()
                .collect();
            lexicon.named_by_word.push(
                lexicon
                    .words
                    .iter()
                    .map(|word| named.get(&**word).cloned())
                    .collect(),
            );
            lexicon.named.push(named);
        }
        lexicon
    }

    /// The number of a word, new or known.
    fn word(&mut self, text: &str) -> u32 {
        if let Some(&number) = self.word_numbers.get(text) {
            return number;
        }
        let number = self.words.len() as u32;
        let text: Arc<str> = text.into();
        self.words.push(text.clone());
        self.word_numbers.insert(text, number);
        number
    }

    /// Fields that name a function give the function itself, once the scripts are compiled.
    pub fn bind_functions(&mut self, definition: &Definition, program: &Program<Table>) {
        for (id, card) in definition.cards.iter().enumerate() {
            for (field, value) in fields_of(definition, card) {
                let FieldValue::Function(named) = value else {
                    continue;
                };
                let found =
                    (0..=STEP_ARGUMENTS).find_map(|count| program.function(&named.name, count));
                let column = self.card_fields.iter().position(|name| *name == field.name);
                if let (Some(FnId(function)), Some(column)) = (found, column) {
                    let pointer = FnPtr {
                        function,
                        name: named.name.as_str().into(),
                        captured: Default::default(),
                    };
                    self.card_values[column][id] = Value::Fn(Shared::new(pointer));
                }
            }
        }
    }

    /// The words alone, to look some up when the scripts are compiled.
    pub fn only_words(&self) -> Lexicon {
        Lexicon {
            words: self.words.clone(),
            word_numbers: self.word_numbers.clone(),
            ..Lexicon::default()
        }
    }

    /// Whether a word has a text as an option.
    #[inline(always)]
    pub fn is_option(&self, word: u32) -> bool {
        self.option_words.get(word as usize).is_some_and(|is| *is)
    }

    pub fn find_word(&self, text: &str) -> Option<u32> {
        self.word_numbers.get(text).copied()
    }

    fn name_things(&mut self, definition: &Definition) {
        self.card_words = definition
            .cards
            .iter()
            .map(|card| self.word(&card.id))
            .collect();
        self.kind_words = definition
            .kinds
            .iter()
            .map(|kind| self.word(&kind.name))
            .collect();
        if let Some(map) = &definition.map {
            self.space_words = map
                .spaces
                .iter()
                .map(|space| self.word(&space.id))
                .collect();
            self.area_words = map.areas.iter().map(|area| self.word(&area.id)).collect();
            self.section_words = map
                .sections
                .iter()
                .map(|section| self.word(&section.id))
                .collect();
            self.area_sets = vec![SpaceSet::EMPTY; map.areas.len()];
            for (id, space) in map.spaces.iter().enumerate() {
                if let Some(area) = space.area {
                    self.area_sets[area as usize].insert(id as u32);
                }
            }
        }
    }

    /// The words for directions, on a board that has any.
    fn name_directions(&mut self, definition: &Definition) {
        let Some(grid) = definition.map.as_ref().and_then(|map| map.grid.as_ref()) else {
            return;
        };
        let hex = grid.cells == Cells::Hex;
        let single = Direction::NAMES.iter().enumerate();
        let single = single.map(|(n, name)| (*name, 1u8 << n));
        let several = Direction::GROUPS.into_iter();
        let several = several.filter(|(_, bits)| !hex || *bits == Direction::ALL);
        let there = |bits: u8| !hex || bits & 0b0001_0001 != bits;
        for (name, bits) in single.chain(several).filter(|(_, bits)| there(*bits)) {
            let word = self.word(name) as usize;
            let known = self.directions.len().max(word + 1);
            self.directions.resize(known, 0);
            self.directions[word] = bits;
        }
        let names = Direction::NAMES.iter();
        self.direction_words = names.map(|name| self.word(name)).collect();
        let ahead = ["north", "east", "south", "west"];
        let ahead = ahead.iter().filter(|_| !hex);
        self.ahead_words = ahead
            .map(|name| self.word(&format!("{name}_diagonals")))
            .collect();
    }

    fn read_fields(&mut self, definition: &Definition) {
        for kind in &definition.kinds {
            for field in &kind.fields {
                if !self.card_fields.contains(&field.name) {
                    self.card_fields.push(field.name.clone());
                }
            }
        }
        self.card_values = vec![vec![Value::Unit; definition.cards.len()]; self.card_fields.len()];
        for (id, card) in definition.cards.iter().enumerate() {
            for (field, value) in fields_of(definition, card) {
                if let Some(column) = self.card_fields.iter().position(|name| *name == field.name) {
                    self.card_values[column][id] = field_value(value);
                }
            }
        }
        if let Some(map) = &definition.map {
            let column = |rows: Vec<&[FieldValue]>, fields: &[Field]| -> Vec<Vec<Val>> {
                (0..fields.len())
                    .map(|f| {
                        let value =
                            |row: &&[FieldValue]| row.get(f).map_or(Value::Unit, field_value);
                        rows.iter().map(value).collect()
                    })
                    .collect()
            };
            self.space_values = column(
                map.spaces.iter().map(|s| &s.fields[..]).collect(),
                &map.space_fields,
            );
            for values in &self.space_values {
                let mut sets: Vec<(Val, SpaceSet)> = Vec::new();
                for (space, value) in values.iter().enumerate() {
                    match sets.iter_mut().find(|(known, _)| known == value) {
                        Some((_, set)) => set.insert(space as u32),
                        None => sets.push((value.clone(), SpaceSet::one(space as u32))),
                    }
                }
                self.spaces_by_value.push(sets);
            }
            self.edge_values = column(
                map.edges.iter().map(|e| &e.fields[..]).collect(),
                &map.edge_fields,
            );
            self.area_values = column(
                map.areas.iter().map(|a| &a.fields[..]).collect(),
                &map.area_fields,
            );
        }
    }

    fn list_measures(&mut self, definition: &Definition) {
        let mut measures: BTreeMap<String, Numbered> = BTreeMap::new();
        let mut note = |name: &str, set: &dyn Fn(&mut Numbered)| {
            let measure = measures.entry(name.to_string()).or_default();
            measure.name = name.to_string();
            set(measure);
        };
        for (i, a) in definition.attributes.space.iter().enumerate() {
            note(&a.name, &|m| m.space_attribute = Some(i));
        }
        for (i, a) in definition.attributes.player.iter().enumerate() {
            note(&a.name, &|m| m.player_attribute = Some(i));
        }
        for (i, a) in definition.attributes.piece.iter().enumerate() {
            note(&a.name, &|m| m.piece_attribute = Some(i));
        }
        for (i, name) in self.card_fields.iter().enumerate() {
            note(name, &|m| m.card_field = Some(i));
        }
        for (i, f) in definition
            .map
            .iter()
            .flat_map(|m| &m.space_fields)
            .enumerate()
        {
            note(&f.name, &|m| m.space_field = Some(i));
        }
        self.measures = measures.into_values().collect();
    }

    /// Which cards hold cards with which words. Words that a held kind may use are known even if no card uses them.
    fn list_listeners(&mut self, definition: &Definition) {
        let held_kinds: BTreeSet<u32> = definition
            .cards
            .iter()
            .flat_map(|card| held(&card.fields))
            .map(|id| definition.cards[id as usize].kind)
            .collect();
        for kind in held_kinds {
            let kind = definition.kinds.get(kind as usize);
            for field in kind.into_iter().flat_map(|kind| &kind.fields) {
                if let FieldType::Word(words) = &field.ty {
                    let listed = words.iter().map(|&word| (word, Vec::new()));
                    self.listeners.extend(listed);
                }
            }
        }
        for (id, card) in definition.cards.iter().enumerate() {
            for inner in held(&card.fields) {
                for value in &definition.cards[inner as usize].fields {
                    if let FieldValue::Word(word) = value {
                        let cards = self.listeners.entry(*word).or_default();
                        cards.resize(definition.cards.len(), false);
                        cards[id] = true;
                    }
                }
            }
        }
    }

    /// The names a domain knows and what each stands for.
    pub fn names(&self, definition: &Definition, of: Domain) -> Vec<(String, Val)> {
        fn numbered<'a>(names: impl Iterator<Item = &'a String>) -> Vec<(String, Val)> {
            names
                .enumerate()
                .map(|(n, name)| (name.clone(), Value::Int(n as i64)))
                .collect()
        }
        fn handles<'a>(kind: u8, names: impl Iterator<Item = &'a String>) -> Vec<(String, Val)> {
            names
                .enumerate()
                .map(|(n, name)| (name.clone(), Value::Handle(kind, n as u32)))
                .collect()
        }
        let map = definition.map.as_ref();
        match of {
            domain::SPACE_ATTRIBUTE => {
                numbered(definition.attributes.space.iter().map(|a| &a.name))
            }
            domain::PIECE_ATTRIBUTE => {
                numbered(definition.attributes.piece.iter().map(|a| &a.name))
            }
            domain::MEASURE => numbered(self.measures.iter().map(|m| &m.name)),
            domain::SPACE_FIELD => numbered(
                map.into_iter()
                    .flat_map(|m| m.space_fields.iter().map(|f| &f.name)),
            ),
            domain::EDGE_FIELD => numbered(
                map.into_iter()
                    .flat_map(|m| m.edge_fields.iter().map(|f| &f.name)),
            ),
            domain::PROMPT => numbered(self.prompts.iter()),
            domain::OPTION => {
                let word = |option: &String| {
                    Some((
                        option.clone(),
                        Value::Handle(handle::WORD, self.find_word(option)?),
                    ))
                };
                self.options.iter().filter_map(word).collect()
            }
            domain::LOG => numbered(self.logs.iter()),
            domain::REASON => numbered(self.reasons.iter()),
            domain::DIE => numbered(definition.dice.iter().map(|d| &d.name)),
            domain::KIND => numbered(definition.kinds.iter().map(|k| &k.name)),
            domain::CARD => handles(handle::CARD, definition.cards.iter().map(|c| &c.id)),
            domain::SPACE => handles(
                handle::SPACE,
                map.into_iter().flat_map(|m| m.spaces.iter().map(|s| &s.id)),
            ),
            domain::AREA => handles(
                handle::AREA,
                map.into_iter().flat_map(|m| m.areas.iter().map(|a| &a.id)),
            ),
            domain::SECTION => self.word_names(self.section_words.iter()),
            domain::HELD_WORD => {
                let mut words: Vec<&u32> = self.listeners.keys().collect();
                words.sort_unstable();
                self.word_names(words.into_iter())
            }
            domain::SIDE => numbered(definition.sides.iter().map(|side| &side.name)),
            domain::ACTION => {
                let prompts = definition.texts.manners.values();
                let actions = prompts.flat_map(|manner| &manner.actions);
                numbered(actions.collect::<BTreeSet<&String>>().into_iter())
            }
            domain::DIRECTION => {
                let named = (0u32..)
                    .zip(&self.directions)
                    .filter(|(_, bits)| **bits != 0);
                let words: Vec<u32> = named.map(|(word, _)| word).collect();
                self.word_names(words.iter())
            }
            Domain(other) => {
                let words = self
                    .word_domains
                    .get((other - domain::FIRST_OF_WORDS) as usize);
                self.word_names(words.map_or(&[][..], |(_, words)| words).iter())
            }
        }
    }

    fn word_names<'a>(&self, words: impl Iterator<Item = &'a u32>) -> Vec<(String, Val)> {
        let name = |&w: &u32| {
            let text = self.words[w as usize].to_string();
            (text, Value::Handle(handle::WORD, w))
        };
        words.map(name).collect()
    }

    /// A name computed while the game runs.
    pub fn resolve(&self, of: Domain, name: &str) -> Result<Val, HostError> {
        if of.0 >= domain::FIRST_OF_WORDS {
            let words = self
                .word_domains
                .get((of.0 - domain::FIRST_OF_WORDS) as usize);
            let number = self
                .find_word(name)
                .filter(|n| words.is_some_and(|(_, words)| words.contains(n)));
            return number
                .map(|n| Value::Handle(handle::WORD, n))
                .ok_or_else(|| {
                    HostError::new(format!("`{name}` is not one of the words allowed here"))
                });
        }
        let known = self.named[of.0 as usize].get(name);
        known
            .cloned()
            .ok_or_else(|| HostError::new(format!("unknown {} `{name}`", what(of))))
    }

    /// The same for a word.
    pub fn resolve_word(&self, of: Domain, word: u32) -> Result<Val, HostError> {
        let known = self
            .named_by_word
            .get(of.0 as usize)
            .and_then(|words| words[word as usize].clone());
        known.map_or_else(|| self.resolve(of, &self.words[word as usize]), Ok)
    }

    /// A new domain for the words of an attribute or field.
    pub fn word_domain(&mut self, what: &str, words: &[u32]) -> Domain {
        self.word_domains.push((what.to_string(), words.to_vec()));
        Domain(domain::FIRST_OF_WORDS + self.word_domains.len() as u16 - 1)
    }
}

/// The fields of a card, each with its value. Content with mistakes is compiled too: then a kind, or a value, may be missing.
fn fields_of<'d>(
    definition: &'d Definition,
    card: &'d Card,
) -> impl Iterator<Item = (&'d Field, &'d FieldValue)> {
    let kind = definition.kinds.get(card.kind as usize);
    kind.into_iter()
        .flat_map(|kind| kind.fields.iter().zip(&card.fields))
}

/// The cards that fields name.
fn held(fields: &[FieldValue]) -> impl Iterator<Item = u32> + '_ {
    fields
        .iter()
        .flat_map(|value| match value {
            FieldValue::Cards(cards) => cards.as_slice(),
            _ => &[],
        })
        .copied()
}

/// What a name of this domain is called in messages.
pub fn what(of: Domain) -> &'static str {
    match of {
        domain::SPACE_ATTRIBUTE | domain::PIECE_ATTRIBUTE => "attribute",
        domain::MEASURE => "attribute or field",
        domain::SPACE_FIELD | domain::EDGE_FIELD => "field",
        domain::PROMPT => "prompt",
        domain::OPTION => "option",
        domain::LOG => "log text",
        domain::REASON => "reason",
        domain::DIE => "die",
        domain::KIND => "kind",
        domain::CARD => "card",
        domain::SPACE => "space",
        domain::AREA => "area",
        domain::SECTION => "section",
        domain::HELD_WORD => "word of a held card",
        domain::ACTION => "action",
        domain::DIRECTION => "direction",
        domain::SIDE => "side",
        _ => "word",
    }
}

/// Plain data as a script value.
pub fn data_value(data: &Data) -> Val {
    match data {
        Data::Bool(b) => Value::Bool(*b),
        Data::Int(n) => Value::Int(*n),
        Data::Text(t) => Value::string(t.as_str()),
        Data::List(items) => Value::array(items.iter().map(data_value).collect()),
        Data::Table(entries) => {
            Value::map(entries.iter().map(|(k, v)| (k.as_str(), data_value(v))))
        }
    }
}

fn field_value(value: &FieldValue) -> Val {
    let words = |ids: &[u32], kind: u8| {
        Value::array(ids.iter().map(|&id| Value::Handle(kind, id)).collect())
    };
    match value {
        FieldValue::None => Value::Unit,
        FieldValue::Int(n) => Value::Int(*n),
        FieldValue::Bool(b) => Value::Bool(*b),
        FieldValue::String(s) => Value::string(s.as_str()),
        FieldValue::Text(t) => Value::string(t.en.as_str()),
        FieldValue::Word(w) => Value::Handle(handle::WORD, *w),
        FieldValue::Words(list) => words(list, handle::WORD),
        FieldValue::Ints(list) => Value::array(list.iter().map(|&n| Value::Int(n)).collect()),
        FieldValue::Card(c) => Value::Handle(handle::CARD, *c),
        FieldValue::Cards(list) => words(list, handle::CARD),
        FieldValue::Space(s) => Value::Handle(handle::SPACE, *s),
        FieldValue::Area(a) => Value::Handle(handle::AREA, *a),
        FieldValue::Function(named) => Value::string(named.name.as_str()),
        FieldValue::Table(data) => data_value(data),
    }
}
