//! A game ready to be played: its definition, its compiled rules, and the names both use.

use super::api;
use super::lexicon::{self, Lexicon, data_value, what};
use super::meaning::meaning;
use super::table::Table;
use super::types::{self, BUILT_IN, domain, slot};
use crate::content::definition::{
    Attribute, AttributeType, Data, Definition, Field, FieldType, FieldValue, Named, Per, ZoneOf,
};
use crate::model::board::{Board, Placement};
use crate::model::grid::Geometry;
use crate::model::layout::Layout;
use crate::model::set::SpaceSet;
use crate::model::value::{Val, handle};
use ludoteca_vm::{
    Access, ConstantDecl, Domain, DomainDecl, FnId, FunctionDecl, Interface, Program, PropertyDecl,
    Source, Type, TypeDecl, TypeId, Unit, Value,
};
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, PoisonError, RwLock};

/// Boards with some spaces left out that a game remembers.
const REMEMBERED_BOARDS: usize = 512;

/// Functions of the scripts that the kernel calls.
#[derive(Debug, Clone, Default)]
pub struct KernelCalls {
    pub setup: Option<FnId>,
    pub score: Option<FnId>,
    pub evaluate: Option<FnId>,
    /// Puts right, on a table as a player may believe it to be, what a plain draw of hidden things makes absurd.
    pub imagine: Option<FnId>,
    /// One for each phase of the manifest.
    pub phases: Vec<FnId>,
    /// One for each metric.
    pub metrics: Vec<FnId>,
    /// For each kind: what says what is wrong with a card of it.
    pub checks: Vec<Option<FnId>>,
    /// Must answer `true` after every step.
    pub invariants: Vec<FnId>,
    /// For people: a note beside an option, and lines above a choice.
    pub note_option: Option<FnId>,
    pub table_view: Option<FnId>,
    pub table_view_for_prompt: Option<FnId>,
}

/// Something the manifest or a card names is not in the scripts.
#[derive(Debug, Clone)]
pub struct MissingFunction {
    pub named: Named,
    /// How many parameters it must have, if that is known.
    pub parameters: Option<usize>,
    pub suggestion: Option<String>,
}

/// What keeps a definition from becoming a game.
#[derive(Debug, Clone, Default)]
pub struct Refused {
    pub scripts: Vec<ludoteca_vm::Diagnostic>,
    pub missing: Vec<MissingFunction>,
}

/// A game ready to be played.
#[derive(Debug)]
pub struct Game {
    pub definition: Definition,
    pub program: Program<Table>,
    pub lexicon: Lexicon,
    pub calls: KernelCalls,
    /// The board before any section is placed; the whole map if it is fixed.
    pub board: Arc<Board>,
    /// Steps, rays and lines, on a board that has them.
    pub geometry: Option<Geometry>,
    /// The index of the space attribute `owner`, which `owned(p)` asks for.
    pub owner_index: Option<u16>,
    /// The measure each declared zone is kept in the order of.
    pub zone_order: Vec<Option<usize>>,
    /// For each attribute of pieces: whether some zone is kept in its order.
    pub sorting: Vec<bool>,
    layouts: Vec<Arc<Layout>>,
    /// Boards with only some spaces, worked out once for all matches.
    boards: RwLock<HashMap<SpaceSet, Arc<Board>>>,
}

impl Game {
    /// Compiles the scripts of a definition against everything it declares.
    pub fn new(definition: Definition) -> Result<Arc<Game>, Refused> {
        Self::with_options(definition, &ludoteca_vm::Options::default())
    }

    pub fn with_options(
        definition: Definition,
        options: &ludoteca_vm::Options,
    ) -> Result<Arc<Game>, Refused> {
        let mut lexicon = Lexicon::new(&definition);
        let interface = interface(&definition, &mut lexicon);
        let sources = |files: &[crate::content::definition::ScriptFile]| {
            let source = |f: &crate::content::definition::ScriptFile| Source {
                path: f.path.clone(),
                text: f.text.clone(),
                layer: f.layer,
            };
            files.iter().map(source).collect::<Vec<_>>()
        };
        let main = Unit {
            name: definition.id.clone(),
            sources: sources(&definition.scripts),
        };
        let libraries: Vec<Unit> = definition
            .libraries
            .iter()
            .map(|(name, files)| Unit {
                name: name.clone(),
                sources: sources(files),
            })
            .collect();
        let program =
            ludoteca_vm::compile(&main, &libraries, &interface, options).map_err(|scripts| {
                Refused {
                    scripts,
                    missing: Vec::new(),
                }
            })?;
        let calls = find_calls(&definition, &program).map_err(|missing| Refused {
            scripts: Vec::new(),
            missing,
        })?;
        lexicon.bind_functions(&definition, &program);
        let board = definition
            .map
            .as_ref()
            .map_or_else(Board::default, |map| Board::new(map, &[]));
        let grid = definition.map.as_ref().and_then(|map| map.grid.as_ref());
        let geometry = grid.map(Geometry::new);
        let layouts: Vec<_> = (1..=definition.players.1.max(1))
            .map(|n| Arc::new(Layout::new(&definition, n as u32)))
            .collect();
        let owner = definition
            .attributes
            .space
            .iter()
            .position(|a| a.name == "owner");
        let owner_index = owner.and_then(|at| layouts[0].space[at].index);
        let measure = |named: &Named| lexicon.measures.iter().position(|m| m.name == named.name);
        let zone_order: Vec<Option<usize>> = definition
            .zones
            .iter()
            .map(|zone| zone.sorted.as_ref().and_then(measure))
            .collect();
        let by = |index: usize| {
            let sorts = |m: &Option<usize>| {
                m.is_some_and(|m| lexicon.measures[m].piece_attribute == Some(index))
            };
            zone_order.iter().any(sorts)
        };
        let sorting = (0..definition.attributes.piece.len()).map(by).collect();
        Ok(Arc::new(Game {
            definition,
            program,
            lexicon,
            calls,
            board: Arc::new(board),
            geometry,
            owner_index,
            zone_order,
            sorting,
            layouts,
            boards: RwLock::default(),
        }))
    }

    /// The board with only these spaces on the table. Fixed maps remember it for later matches.
    pub fn board_with(&self, placements: &[Placement], kept: SpaceSet) -> Arc<Board> {
        let Some(map) = &self.definition.map else {
            return self.board.clone();
        };
        if map.assembled {
            return Arc::new(Board::with_kept(map, placements, Some(kept)));
        }
        let known = self
            .boards
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .get(&kept)
            .cloned();
        known.unwrap_or_else(|| {
            let board = Arc::new(Board::with_kept(map, placements, Some(kept.clone())));
            let mut boards = self.boards.write().unwrap_or_else(PoisonError::into_inner);
            // Rules choose among a few shapes; a script that does not must not fill the memory.
            if boards.len() < REMEMBERED_BOARDS {
                boards.insert(kept, board.clone());
            }
            board
        })
    }

    /// The slot of a declared attribute.
    pub fn slot(&self, kind: u8, index: usize) -> u16 {
        slot::of(
            attribute_class(&self.attributes(kind)[index]).0,
            index as u16,
        )
    }

    pub fn layout(&self, players: u8) -> Arc<Layout> {
        let at = (players.max(1) as usize).min(self.layouts.len()) - 1;
        self.layouts[at].clone()
    }

    fn attributes(&self, kind: u8) -> &[Attribute] {
        let attributes = &self.definition.attributes;
        match kind {
            handle::GAME => &attributes.game,
            handle::PLAYER => &attributes.player,
            handle::SPACE => &attributes.space,
            _ => &attributes.piece,
        }
    }

    pub fn attribute_name(&self, kind: u8, index: usize) -> &str {
        self.attributes(kind).get(index).map_or("?", |a| &a.name)
    }

    /// The words a row of counters is kept by; `None` if it is kept by player.
    pub fn row_words(&self, kind: u8, index: usize) -> Option<&[u32]> {
        match self.attributes(kind).get(index).map(|a| &a.per) {
            Some(Per::Word(words)) => Some(words),
            _ => None,
        }
    }

    pub fn word_allowed(&self, kind: u8, index: usize, word: u32) -> bool {
        match self.attributes(kind).get(index).map(|a| &a.ty) {
            Some(AttributeType::Word(words)) => words.contains(&word),
            _ => false,
        }
    }
}

fn find_calls(
    definition: &Definition,
    program: &Program<Table>,
) -> Result<KernelCalls, Vec<MissingFunction>> {
    let mut missing = Vec::new();
    let mut names: Vec<String> = program.functions().map(|f| f.name.to_string()).collect();
    names.sort();
    let mut find = |named: &Named, parameters: usize| {
        program
            .function(&named.name, parameters)
            .unwrap_or_else(|| {
                let suggestion = ludoteca_vm::nearest(&named.name, &names).map(str::to_string);
                missing.push(MissingFunction {
                    named: named.clone(),
                    parameters: Some(parameters),
                    suggestion,
                });
                FnId(0)
            })
    };
    let phases = definition
        .phases
        .iter()
        .map(|phase| find(&phase.step, phase.each_player as usize))
        .collect();
    let metrics = definition
        .metrics
        .iter()
        .map(|metric| find(&metric.function, metric.of_player as usize))
        .collect();
    let invariants = definition
        .invariants
        .iter()
        .map(|named| find(named, 0))
        .collect();
    for word in &definition.phrase_words {
        find(&word.function, word.parameters());
    }
    let checks = definition
        .kinds
        .iter()
        .map(|kind| kind.check.as_ref().map(|named| find(named, 1)))
        .collect();
    for card in &definition.cards {
        for value in &card.fields {
            if let FieldValue::Function(named) = value
                && !names.contains(&named.name)
            {
                let suggestion = ludoteca_vm::nearest(&named.name, &names).map(str::to_string);
                missing.push(MissingFunction {
                    named: named.clone(),
                    parameters: None,
                    suggestion,
                });
            }
        }
    }
    if !missing.is_empty() {
        return Err(missing);
    }
    Ok(KernelCalls {
        setup: program.function("setup", 0),
        score: program.function("score", 1),
        evaluate: program.function("evaluate", 1),
        imagine: program.function("imagine", 1),
        phases,
        metrics,
        checks,
        invariants,
        note_option: program.function("note_option", 3),
        table_view: program.function("table_view", 1),
        table_view_for_prompt: program.function("table_view", 2),
    })
}

/// Everything scripts may name, for the executor's compiler.
pub fn interface(definition: &Definition, lexicon: &mut Lexicon) -> Interface<Table> {
    let properties = properties(definition, lexicon);
    let type_decl = |(name, reprs, member, doc): (&str, Vec<_>, Type, &str)| TypeDecl {
        name: name.into(),
        reprs,
        member,
        doc: doc.into(),
    };
    let domains = (0..domain::FIRST_OF_WORDS + lexicon.word_domains.len() as u16)
        .map(|number| DomainDecl {
            what: domain_name(lexicon, Domain(number)),
            names: lexicon.names(definition, Domain(number)),
            literal_only: false,
        })
        .collect();
    let functions = api::all()
        .into_iter()
        .map(|entry| FunctionDecl {
            name: entry.name.into(),
            params: entry
                .params
                .iter()
                .enumerate()
                .map(|(i, (name, _))| (name.to_string(), entry.param(i)))
                .collect(),
            result: entry.result,
            call: entry.call,
            doc: entry.doc.into(),
            only_if_heard: entry.name == "say",
        })
        .collect();
    let meaning = meaning(definition, lexicon, &properties);
    Interface {
        types: types::all().into_iter().map(type_decl).collect(),
        domains,
        properties,
        functions,
        constants: constants(definition),
        map_keys: map_keys(definition),
        meaning: Some(meaning),
    }
}

fn domain_name(lexicon: &Lexicon, of: Domain) -> String {
    match of.0.checked_sub(domain::FIRST_OF_WORDS) {
        Some(n) => format!("word of `{}`", lexicon.word_domains[n as usize].0),
        None => what(of).to_string(),
    }
}

fn constants(definition: &Definition) -> Vec<ConstantDecl<Table>> {
    let mut constants = vec![constant(
        "game",
        Value::Handle(handle::GAME, 0),
        "the game as a whole",
    )];
    for parameter in &definition.parameters {
        let doc = parameter.text.as_ref().map_or("", |t| &t.en);
        constants.push(constant(
            &parameter.name.to_uppercase(),
            Value::Int(parameter.value),
            doc,
        ));
    }
    for (name, data) in &definition.tables {
        constants.push(constant(&name.to_uppercase(), data_value(data), "a table"));
    }
    constants
}

fn constant(name: &str, value: Val, doc: &str) -> ConstantDecl<Table> {
    ConstantDecl {
        name: name.into(),
        value,
        doc: doc.into(),
    }
}

/// Keys inside fields of type `table`, which scripts read as properties of maps.
fn map_keys(definition: &Definition) -> Vec<String> {
    fn collect(data: &Data, keys: &mut BTreeSet<String>) {
        match data {
            Data::Table(entries) => {
                for (key, value) in entries {
                    keys.insert(key.clone());
                    collect(value, keys);
                }
            }
            Data::List(items) => items.iter().for_each(|item| collect(item, keys)),
            _ => {}
        }
    }
    let mut keys = BTreeSet::new();
    let map = definition.map.iter();
    let map_fields = map.flat_map(|m| {
        let spaces = m.spaces.iter().flat_map(|s| &s.fields);
        spaces
            .chain(m.edges.iter().flat_map(|e| &e.fields))
            .chain(m.areas.iter().flat_map(|a| &a.fields))
    });
    for value in definition
        .cards
        .iter()
        .flat_map(|c| &c.fields)
        .chain(map_fields)
    {
        if let FieldValue::Table(data) = value {
            collect(data, &mut keys);
        }
    }
    definition
        .tables
        .values()
        .for_each(|data| collect(data, &mut keys));
    keys.into_iter().collect()
}

fn properties(definition: &Definition, lexicon: &mut Lexicon) -> Vec<PropertyDecl<Table>> {
    let mut all: Vec<PropertyDecl<Table>> = Vec::new();
    for (index, (on, name, ty, writable, doc)) in BUILT_IN.iter().enumerate() {
        let slot = slot::of(slot::BUILT_IN, index as u16);
        all.push(property(*on, name, *ty, None, slot, *writable, doc));
    }
    let attributes = &definition.attributes;
    for (on, declared) in [
        (types::GAME, &attributes.game),
        (types::PLAYER, &attributes.player),
        (types::SPACE, &attributes.space),
        (types::PIECE, &attributes.piece),
    ] {
        for (index, attribute) in declared.iter().enumerate() {
            all.push(attribute_property(on, index, attribute, lexicon));
        }
    }
    for (index, zone) in definition.zones.iter().enumerate() {
        let on = match zone.of {
            ZoneOf::Game => types::GAME,
            ZoneOf::Player => types::PLAYER,
            ZoneOf::Space => types::SPACE,
        };
        all.push(property(
            on,
            &zone.name,
            types::ZONE,
            None,
            slot::of(slot::ZONE, index as u16),
            false,
            "a zone",
        ));
    }
    for (index, name) in lexicon.card_fields.clone().iter().enumerate() {
        let declared: Vec<&Field> = definition
            .kinds
            .iter()
            .flat_map(|k| &k.fields)
            .filter(|f| f.name == *name)
            .collect();
        let (ty, names) = field_type(&declared, lexicon);
        for on in [types::PIECE, types::CARD] {
            all.push(property(
                on,
                name,
                ty,
                names,
                slot::of(slot::FIELD, index as u16),
                false,
                "a field of its card",
            ));
        }
    }
    if let Some(map) = &definition.map {
        for (on, fields) in [
            (types::SPACE, &map.space_fields),
            (types::EDGE, &map.edge_fields),
            (types::AREA, &map.area_fields),
        ] {
            for (index, field) in fields.iter().enumerate() {
                let (ty, names) = field_type(&[field], lexicon);
                all.push(property(
                    on,
                    &field.name,
                    ty,
                    names,
                    slot::of(slot::FIELD, index as u16),
                    false,
                    "a field of the map",
                ));
            }
        }
    }
    all
}

fn property(
    on: Type,
    name: &str,
    ty: Type,
    names: Option<Domain>,
    slot: u16,
    writable: bool,
    doc: &str,
) -> PropertyDecl<Table> {
    let on = match on {
        Type::Host(id) => id,
        _ => TypeId(0),
    };
    PropertyDecl {
        on,
        name: name.into(),
        ty,
        names,
        access: Access::Slot { slot, writable },
        doc: doc.into(),
    }
}

fn attribute_property(
    on: Type,
    index: usize,
    attribute: &Attribute,
    lexicon: &mut Lexicon,
) -> PropertyDecl<Table> {
    let (class, ty) = attribute_class(attribute);
    let names = match &attribute.ty {
        AttributeType::Word(words) => Some(lexicon.word_domain(&attribute.name, words)),
        _ => None,
    };
    let doc = attribute.text.as_ref().map_or("", |t| &t.en);
    property(
        on,
        &attribute.name,
        ty,
        names,
        slot::of(class, index as u16),
        class != slot::ROW,
        doc,
    )
}

/// How an attribute is read, and the type scripts may rely on. What may be empty is not promised to be of its type: `()` is a value of
/// its own.
fn attribute_class(attribute: &Attribute) -> (u16, Type) {
    match &attribute.ty {
        _ if attribute.per != Per::One => (slot::ROW, types::ROW),
        AttributeType::Int => (slot::INT, Type::Int),
        AttributeType::Bool => (slot::BOOL, Type::Bool),
        AttributeType::Player => (slot::PLAYER, Type::Any),
        AttributeType::Space => (slot::SPACE, Type::Any),
        AttributeType::Piece => (slot::PIECE, Type::Any),
        AttributeType::Card => (slot::CARD, Type::Any),
        AttributeType::Area => (slot::AREA, Type::Any),
        AttributeType::Word(_) => (slot::WORD, Type::Any),
    }
}

/// The type scripts may rely on, if all declarations of the field agree; and the words it may hold.
fn field_type(declared: &[&Field], lexicon: &mut Lexicon) -> (Type, Option<Domain>) {
    let mut words: BTreeSet<u32> = BTreeSet::new();
    let mut open = false;
    for field in declared {
        if let FieldType::Word(allowed) | FieldType::Words(allowed) = &field.ty {
            open |= allowed.is_empty();
            words.extend(allowed);
        }
    }
    let all_words = declared.iter().all(|f| matches!(f.ty, FieldType::Word(_)));
    let all_lists = declared.iter().all(|f| matches!(f.ty, FieldType::Words(_)));
    let names = ((all_words || all_lists) && !open).then(|| {
        let words: Vec<u32> = words.into_iter().collect();
        lexicon.word_domain(&declared[0].name, &words)
    });
    (Type::Any, names)
}

/// The pages of the API reference come from the same declarations.
pub fn describe_domain(of: Domain) -> &'static str {
    lexicon::what(of)
}
