//! A compiled program: immutable, shared between threads.

use crate::code::{Op, Path};
use crate::diagnostic::{Diagnostic, Pos, Span};
use crate::error::Spot;
use crate::host::{Host, HostObject, Native, Type, TypeId};
use crate::library::{ChangeFn, OwnProperty, PureFn};
use crate::value::{HandleKind, Shared, Value, kinds_of};
use foldhash::fast::RandomState;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// A script function in its [`Program`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FnId(pub u32);

/// What a program says about one of its functions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FunctionInfo {
    pub name: String,
    pub params: Vec<String>,
    /// The unit it belongs to: the main one, a library, or the prelude.
    pub unit: String,
    pub path: String,
    /// Its head, `fn name`; of a closure, where it begins.
    pub span: Span,
    /// The `///` lines above it.
    pub doc: String,
    pub is_private: bool,
    /// Part of the standard library rather than of a script.
    pub is_prelude: bool,
    /// A closure written inside another function.
    pub is_closure: bool,
    /// Which layer its text came from.
    pub layer: u32,
    /// It stands for one of a lower layer.
    pub replaces: bool,
    /// Another function calls it, or names it in a way that may lead to it.
    pub mentioned: bool,
}

pub(crate) struct Function {
    pub info: FunctionInfo,
    pub entry: u32,
    pub end: u32,
    /// What a call costs of the budget, beside its loops: long functions are not for free.
    pub cost: u32,
    /// Registers it uses, `this` and parameters included.
    pub registers: u16,
    /// Arguments it takes from its caller, captured values first, `this` not counted.
    pub arity: u16,
    pub uses_this: bool,
    pub file: u32,
    /// What it is called as a value.
    pub name: Arc<str>,
    /// Functions of the same name in the same unit: a function value finds the one with the right arity.
    pub siblings: Vec<u32>,
}

/// A function that was put in the place of a call, from one operation to before another. Those inside of others come before them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Inlined {
    pub from: u32,
    pub to: u32,
    pub function: u32,
    /// Where the call stands.
    pub at: Pos,
}

/// What a property name means, by representation.
#[derive(Debug, Default)]
pub(crate) struct Property {
    pub name: Arc<str>,
    /// The name as a value, for whoever is asked by an index.
    pub text: Shared<String>,
    /// What it means of the language's own types.
    pub own: Option<OwnProperty>,
    pub handle: Vec<Access>,
    pub small: Vec<Access>,
    pub object: Vec<Access>,
}

impl Property {
    pub fn named(name: &str) -> Property {
        Property {
            name: name.into(),
            text: Shared::new(name.to_string()),
            own: OwnProperty::named(name),
            ..Property::default()
        }
    }

    /// The slot it means of a kind of handle, if it is one.
    #[inline(always)]
    pub fn slot(&self, kind: HandleKind) -> Option<u16> {
        match self.handle.get(kind as usize) {
            Some(Access::Slot { slot, .. }) => Some(*slot),
            _ => None,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Access {
    #[default]
    None,
    Slot {
        slot: u16,
        writable: bool,
    },
    /// Indices into the table of natives.
    Function {
        get: u16,
        set: Option<u16>,
    },
}

/// Host functions of one name and arity among which the machine chooses.
pub(crate) struct Overloads {
    pub name: String,
    pub candidates: Vec<(Vec<Accepted>, u16)>,
    /// The standard function behind them.
    pub library: Option<u16>,
}

/// The types a parameter accepts.
#[derive(Debug, Default)]
pub(crate) struct Accepted {
    /// Kinds of values, a bit each.
    kinds: u16,
    /// Types of the host.
    hosts: Vec<TypeId>,
}

impl Accepted {
    pub fn new(types: &[Type]) -> Accepted {
        let mut accepted = Accepted::default();
        for ty in types {
            match ty {
                Type::Host(id) => accepted.hosts.push(*id),
                other => accepted.kinds |= kinds_of(*other),
            }
        }
        accepted
    }

    #[inline(always)]
    pub fn accepts<O: HostObject>(&self, value: &Value<O>, kinds: &Kinds) -> bool {
        self.kinds & value.kind() != 0
            || !self.hosts.is_empty() && kinds.of(value).is_some_and(|ty| self.hosts.contains(&ty))
    }
}

pub(crate) enum LibraryFn<H: Host> {
    Pure(PureFn<H>),
    Change(ChangeFn<H>),
}

/// A standard function as the machine knows it.
pub(crate) struct Standard<H: Host> {
    pub call: LibraryFn<H>,
    /// It does the same work however large its target is.
    pub light: bool,
}

pub struct Program<H: Host> {
    pub(crate) code: Vec<Op>,
    /// Where each operation comes from, parallel to the code.
    pub(crate) places: Vec<Pos>,
    pub(crate) inlined: Vec<Inlined>,
    pub(crate) constants: Vec<Value<H::Object>>,
    /// For each constant the handle that is equal to it, if there is one: itself, or the word a text is. Handles of that kind are compared
    /// with it by their numbers.
    pub(crate) handles: Vec<Value<H::Object>>,
    /// The keys of each map that is written down, in their order, and which of the values each has.
    pub(crate) shapes: Vec<Vec<(Arc<str>, u8)>>,
    pub(crate) cases: Vec<Cases>,
    pub(crate) paths: Vec<Path>,
    pub(crate) functions: Vec<Function>,
    pub(crate) files: Vec<String>,
    pub(crate) natives: Vec<Native<H>>,
    pub(crate) overloads: Vec<Overloads>,
    pub(crate) library: Vec<Standard<H>>,
    pub(crate) properties: Vec<Property>,
    /// For each property the word of its name, if there is one: what a host value is asked for by `value["name"]`.
    pub(crate) words: Vec<Value<H::Object>>,
    /// Texts that are written down somewhere: most keys that a map is given while a rule runs are one of them, and need no copy.
    pub(crate) texts: HashSet<Arc<str>, RandomState>,
    pub(crate) main: HashMap<(String, usize), FnId>,
    /// For each unit, its functions by name; others of the same name are their siblings.
    pub(crate) names: Vec<HashMap<String, u32>>,
    /// Name and number of the host type behind each representation.
    pub(crate) kinds: Kinds,
    pub(crate) cover: Vec<CoverPoint>,
    pub(crate) warnings: Vec<Diagnostic>,
}

/// Where each case of a `switch` leads, in order.
#[derive(Debug, Default)]
pub(crate) struct Cases {
    pub numbers: Vec<(i64, u32)>,
    pub words: Vec<(u32, u32)>,
    pub texts: Vec<(Shared<String>, u32)>,
    /// The kind of handle every case is, or is equal to: a handle of that kind that is none of them is no case.
    pub kind: Option<HandleKind>,
    /// Every case is a text, so that a text that is none of them is no case.
    pub all_texts: bool,
    /// Behind the last case.
    pub otherwise: u32,
}

impl Cases {
    /// Where a value leads; `None` if they have to be asked one after the other.
    #[inline]
    pub fn lead<O>(&self, value: &Value<O>) -> Option<u32> {
        match value {
            Value::Handle(kind, id) if self.kind == Some(*kind) => {
                let found = self.words.binary_search_by_key(id, |(id, _)| *id);
                Some(found.map_or(self.otherwise, |at| self.words[at].1))
            }
            Value::Str(text) if self.all_texts => {
                let found = self.texts.binary_search_by(|(case, _)| case.cmp(text));
                Some(found.map_or(self.otherwise, |at| self.texts[at].1))
            }
            Value::Int(number) => {
                let found = self.numbers.binary_search_by_key(number, |(n, _)| *n);
                found.ok().map(|at| self.numbers[at].1)
            }
            _ => None,
        }
    }
}

#[derive(Debug, Default)]
pub(crate) struct Kinds {
    pub names: Vec<String>,
    pub handle: Vec<Option<TypeId>>,
    pub small: Vec<Option<TypeId>>,
    pub object: Vec<Option<TypeId>>,
}

impl Kinds {
    fn of<O: crate::HostObject>(&self, value: &Value<O>) -> Option<TypeId> {
        let find = |table: &[Option<TypeId>], kind: HandleKind| {
            table.get(kind as usize).copied().flatten()
        };
        match value {
            Value::Handle(kind, _) => find(&self.handle, *kind),
            Value::Small(kind, _) => find(&self.small, *kind),
            Value::Object(o) => find(&self.object, o.kind()),
            _ => None,
        }
    }
}

/// A line, or the start of a function, that coverage watches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CoverPoint {
    pub path: String,
    pub line: u32,
    /// The function that starts here, if one does.
    pub function: Option<String>,
}

impl<H: Host> Program<H> {
    /// A function of the main unit.
    pub fn function(&self, name: &str, arity: usize) -> Option<FnId> {
        self.main.get(&(name.to_string(), arity)).copied()
    }

    /// All functions, of all units, in the order they were compiled.
    /// The function of the same name and unit as this one that takes so many arguments: what calling a function value finds.
    pub fn with_arity(&self, function: FnId, arity: usize) -> Option<FnId> {
        let first = self.functions.get(function.0 as usize)?;
        std::iter::once(function.0)
            .chain(first.siblings.iter().copied())
            .find(|id| self.functions[*id as usize].arity as usize == arity)
            .map(FnId)
    }

    /// A function of a unit by name, if one of that name takes no more parameters than this.
    pub(crate) fn named(&self, unit: u16, name: &str, most: u8) -> Option<u32> {
        let id = *self.names.get(unit as usize)?.get(name)?;
        let fits = |id: u32| self.functions[id as usize].arity <= most as u16;
        let siblings = &self.functions[id as usize].siblings;
        (fits(id) || siblings.iter().any(|id| fits(*id))).then_some(id)
    }

    /// What a slot is called.
    pub(crate) fn slot_name(&self, kind: HandleKind, slot: u16) -> &str {
        let is_it = |access: &Access| matches!(access, Access::Slot { slot: s, .. } if *s == slot);
        let found = self
            .properties
            .iter()
            .find(|p| p.handle.get(kind as usize).is_some_and(is_it));
        found.map_or("", |p| &p.name)
    }

    pub fn functions(&self) -> impl Iterator<Item = &FunctionInfo> {
        self.functions.iter().map(|f| &f.info)
    }

    pub fn info(&self, function: FnId) -> &FunctionInfo {
        &self.functions[function.0 as usize].info
    }

    /// What is probably not meant, though it runs.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    /// What coverage may record; [`crate::Machine::covered`] gives the numbers that ran.
    pub fn cover_points(&self) -> &[CoverPoint] {
        &self.cover
    }

    /// The place of the operation at `pc` in a function.
    pub fn position(&self, function: FnId, pc: u32) -> Spot {
        self.positions(function, pc).swap_remove(0)
    }

    /// The same with the places of the calls around it that were replaced by what they call, innermost first.
    pub(crate) fn positions(&self, function: FnId, pc: u32) -> Vec<Spot> {
        let mut at = self.places.get(pc as usize).copied().unwrap_or_default();
        let mut spots = Vec::new();
        for inner in self.inlined_at(pc) {
            // What the standard functions do inside is nobody's concern.
            if !self.functions[inner.function as usize].info.is_prelude {
                spots.push(self.spot(inner.function, at));
            }
            at = inner.at;
        }
        spots.push(self.spot(function.0, at));
        spots
    }

    fn inlined_at(&self, pc: u32) -> impl Iterator<Item = &Inlined> {
        let holds = move |inner: &&Inlined| (inner.from..inner.to).contains(&pc);
        self.inlined.iter().filter(holds)
    }

    fn spot(&self, function: u32, at: Pos) -> Spot {
        let f = &self.functions[function as usize];
        Spot {
            function: f.info.name.clone(),
            path: self.files.get(f.file as usize).cloned().unwrap_or_default(),
            line: at.line,
            column: at.column,
        }
    }

    /// The name of a value's type, host types included.
    pub fn type_name(&self, value: &Value<H::Object>) -> &str {
        match self.kinds.of(value) {
            Some(ty) => &self.kinds.names[ty.0 as usize],
            None => value.type_name(),
        }
    }

    pub(crate) fn host_type(&self, value: &Value<H::Object>) -> Option<TypeId> {
        self.kinds.of(value)
    }

    /// The code as text, for people who work on the compiler.
    pub fn listing(&self) -> String {
        use std::fmt::Write;
        let mut out = String::new();
        for f in &self.functions {
            let _ = writeln!(
                out,
                "fn {}/{} ({} registers)",
                f.info.name, f.arity, f.registers
            );
            for pc in f.entry..f.end {
                let _ = writeln!(out, "{pc:6}  {:?}", self.code[pc as usize]);
            }
        }
        out
    }
}

impl<H: Host> std::fmt::Debug for Program<H> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "Program({} functions, {} operations)",
            self.functions.len(),
            self.code.len()
        )
    }
}
