//! What a host offers to scripts: types, properties, functions, names and constants, and how the machine reaches them.

pub use crate::meaning::{Called, FunctionMeaning, Gives, Known, Meaning, Said, Seen, SeenArg};
use crate::spares::UsedMemory;
use crate::value::{HandleKind, SMALL, Value};
use serde::{Serialize, de::DeserializeOwned};
use std::cmp::Ordering;
use std::collections::HashMap;
use std::fmt::Debug;
use std::sync::Arc;
use std::thread::LocalKey;

/// Number of a host type in its [`Interface`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeId(pub u16);

/// A host value kept behind a shared pointer. Immutable for scripts.
pub trait HostObject:
    Clone + PartialEq + Debug + Send + Sync + Serialize + DeserializeOwned + 'static
{
    /// Which of the host's object kinds this is (the row of [`Repr::Object`]).
    fn kind(&self) -> HandleKind;

    /// Where each thread keeps the memory of passing values for the next ones. Without it they are allocated anew.
    fn spares() -> Option<&'static LocalKey<UsedMemory<Self>>> {
        None
    }
}

/// The world the scripts act on. The machine is compiled for one host, so these calls cost what plain code costs.
pub trait Host: Sized {
    type Object: HostObject;

    /// Reads a slot declared with [`Access::Slot`].
    fn slot(&self, kind: HandleKind, slot: u16, id: u32) -> Value<Self::Object>;
    /// Reads a slot into a register. A host that writes each kind of value straight to its place spares a copy.
    #[inline(always)]
    fn slot_into(&self, kind: HandleKind, slot: u16, id: u32, register: &mut Value<Self::Object>) {
        register.put(self.slot(kind, slot, id));
    }
    /// Writes a slot; refuses what the slot cannot hold.
    fn set_slot(
        &mut self,
        kind: HandleKind,
        slot: u16,
        id: u32,
        value: &Value<Self::Object>,
    ) -> Result<(), HostError>;
    /// `handle.slot += delta` on a slot that holds an integer, in one step.
    fn add_slot(
        &mut self,
        kind: HandleKind,
        slot: u16,
        id: u32,
        delta: i64,
    ) -> Result<(), HostError>;

    /// Operations that reading slots was worth since this was last asked, where a slot is worked out from many members. They are charged
    /// to the script, and forgotten.
    #[inline(always)]
    fn owed(&mut self) -> u64 {
        0
    }

    /// Operations that counting the members of a host object, or finding one by its number, is worth beyond one of its own. They are
    /// charged to the script before it is done.
    #[inline(always)]
    fn seeking(&self, _: &Value<Self::Object>) -> u64 {
        0
    }

    /// Members there are to go through where the language itself works on a host value (`in`, `==`, `+`, a loop, a text). They are charged
    /// to the script before it is done.
    #[inline(always)]
    fn size(&self, _: &Value<Self::Object>) -> usize {
        0
    }

    /// How many members a host value (small or object) has; `None` if it has no members.
    fn len(&self, value: &Value<Self::Object>) -> Option<i64>;
    /// The `index`-th member, counted from 0; `None` if there is none.
    fn nth(&self, value: &Value<Self::Object>, index: i64) -> Option<Value<Self::Object>>;
    /// `value[index]` of a small value that lies in its register, written where it belongs. What is not as simple as that, and every fault,
    /// is left to [`Host::nth`] and [`Host::index`] by `false`.
    #[inline(always)]
    fn index_into(
        &self,
        kind: HandleKind,
        bytes: &[u8; SMALL],
        index: &Value<Self::Object>,
        item: &mut Value<Self::Object>,
    ) -> bool {
        let Value::Int(n) = index else { return false };
        let found = self.nth(&Value::Small(kind, *bytes), *n);
        found.map(|found| item.put_made(found)).is_some()
    }
    /// The member at `cursor` or the next one after it, and the cursor behind it; the first cursor is 0.
    fn next(&self, value: &Value<Self::Object>, cursor: i64) -> Option<(Value<Self::Object>, i64)>;
    /// The same, with the member written where it belongs.
    #[inline(always)]
    fn next_into(
        &self,
        value: &Value<Self::Object>,
        cursor: i64,
        item: &mut Value<Self::Object>,
    ) -> Option<i64> {
        let (found, cursor) = self.next(value, cursor)?;
        item.put(found);
        Some(cursor)
    }
    /// `item in value`; `None` if the value has no members.
    fn contains(&self, value: &Value<Self::Object>, item: &Value<Self::Object>) -> Option<bool>;

    /// What a loop over a value goes through, if that is something else: members that may come and go while the loop runs are those
    /// there are when it begins.
    fn held(&mut self, _: &Value<Self::Object>) -> Option<Value<Self::Object>> {
        None
    }

    /// Equality where at least one side is a host value (`word == "snow"`, two sets of different build).
    fn equal(&self, a: &Value<Self::Object>, b: &Value<Self::Object>) -> bool;
    /// Order where both sides are host values of one type; `None` if they have none.
    fn compare(&self, a: &Value<Self::Object>, b: &Value<Self::Object>) -> Option<Ordering>;
    /// `a + b`, `a - b`, `a & b`, `a | b` where a side is a host value; `None` if there is no such operation.
    fn binary(
        &mut self,
        op: BinaryOp,
        a: &Value<Self::Object>,
        b: &Value<Self::Object>,
    ) -> Option<Value<Self::Object>>;
    /// The same where the left side is a small value and nothing need be gone through: sets of bits. What is not as simple as that is left
    /// to [`Host::binary`] by `None`.
    #[inline(always)]
    fn binary_small(
        _op: BinaryOp,
        _kind: HandleKind,
        _a: &[u8; SMALL],
        _b: &Value<Self::Object>,
    ) -> Option<[u8; SMALL]> {
        None
    }
    /// What `print`, `to_string` and interpolation show.
    fn display(&self, value: &Value<Self::Object>) -> String;

    /// The text of a value that is a word and nothing else: it may be the key of a map.
    fn word(&self, _: &Value<Self::Object>) -> Option<&Arc<str>> {
        None
    }

    /// `value[index]` on a host value for which [`Host::nth`] is not meant (a row of counters by player).
    fn index(
        &self,
        value: &Value<Self::Object>,
        index: &Value<Self::Object>,
    ) -> Result<Value<Self::Object>, HostError>;
    /// `value[index] = new`. Host values are references to the host's state, so nothing is written back to the variable.
    fn set_index(
        &mut self,
        value: &Value<Self::Object>,
        index: &Value<Self::Object>,
        new: &Value<Self::Object>,
    ) -> Result<(), HostError>;

    /// `handle.slot[index] = new` in one step, where the slot hands out such a value. What is not as simple as that, and every fault, is left to
    /// [`Host::slot`] and [`Host::set_index`] by `false`.
    #[inline(always)]
    fn set_in_slot(
        &mut self,
        _kind: HandleKind,
        _slot: u16,
        _id: u32,
        _index: &Value<Self::Object>,
        _new: &Value<Self::Object>,
    ) -> bool {
        false
    }
    /// The same for `handle.slot[index] += delta`.
    #[inline(always)]
    fn add_in_slot(
        &mut self,
        _kind: HandleKind,
        _slot: u16,
        _id: u32,
        _index: &Value<Self::Object>,
        _delta: i64,
    ) -> bool {
        false
    }

    /// A name met at run time where a function declares [`Param::Name`] and the script passed a computed string.
    fn name(&self, domain: Domain, text: &str) -> Result<Value<Self::Object>, HostError>;
    /// Whether anybody hears what functions declared [`FunctionDecl::only_if_heard`] say.
    fn heard(&self) -> bool {
        true
    }
    /// `print` and `debug`.
    fn print(&mut self, text: &str);
}

/// Binary operators a host may give a meaning to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BinaryOp {
    Add,
    Sub,
    And,
    Or,
    Xor,
    Mul,
}

/// A fault the script cannot catch: a broken rule, a wrong argument, an impossible change.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", .0.message)]
pub struct HostError(Box<Why>);

/// Boxed, so that what is seldom wrong is handed over in one word.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Why {
    message: String,
    /// The argument that is of another type than the function takes.
    argument: Option<usize>,
}

impl HostError {
    #[cold]
    pub fn new(message: impl Into<String>) -> Self {
        HostError(Box::new(Why {
            message: message.into(),
            argument: None,
        }))
    }

    pub(crate) fn into_message(self) -> String {
        self.0.message
    }

    /// The number of the argument that is of a wrong type, if that is all.
    pub(crate) fn argument(&self) -> Option<usize> {
        self.0.argument
    }
}

/// How a host function left the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    /// The result stands in the destination register.
    Done,
    /// Stop here; [`crate::Machine::resume`] brings the result.
    Suspend,
}

/// A set of names that literals are checked against when compiling: attributes, zones, prompts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Domain(pub u16);

/// A type as declared or inferred.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Type {
    Any,
    Unit,
    Bool,
    Int,
    Char,
    Str,
    Array,
    Map,
    Range,
    Fn,
    Host(TypeId),
}

/// What a parameter accepts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Param {
    /// One of these types ([`Type::Any`] accepts all).
    Of(Vec<Type>),
    /// A name. A string literal is checked and replaced by its value when compiling; a computed string asks [`Host::name`]
    /// at run time, unless the domain is literal only.
    Name(Domain),
    /// A name as above, or a value of one of these types.
    NameOr(Domain, Vec<Type>),
    /// The name of a script function as a string literal: `next_step("attack", p)`. Checked when compiling against the functions of
    /// the unit, with as many parameters as arguments follow this one, and replaced by the function as a value ([`Value::Fn`]).
    /// A function value (`Fn("attack")`, a closure without captures) is accepted too; a computed string is refused.
    Function,
}

/// How values of a host type are represented.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repr {
    Handle(HandleKind),
    Small(HandleKind),
    Object(HandleKind),
}

pub struct TypeDecl {
    pub name: String,
    /// A type may have several representations (a set is inline while it is small).
    pub reprs: Vec<Repr>,
    /// What iterating or indexing it gives.
    pub member: Type,
    pub doc: String,
}

pub struct DomainDecl<H: Host> {
    /// As in "unknown attribute `enrgy`".
    pub what: String,
    pub names: Vec<(String, Value<H::Object>)>,
    /// Computed names are refused when compiling.
    pub literal_only: bool,
    /// There may be others: only what is nearly one of the names is told.
    pub open: bool,
}

pub enum Access<H: Host> {
    /// Compiled to direct access through [`Host::slot`] and [`Host::set_slot`]. Handle types only.
    Slot { slot: u16, writable: bool },
    Function {
        get: NativeFn<H>,
        set: Option<NativeFn<H>>,
    },
}

impl<H: Host> Access<H> {
    pub fn is_writable(&self) -> bool {
        match self {
            Access::Slot { writable, .. } => *writable,
            Access::Function { set, .. } => set.is_some(),
        }
    }
}

pub struct PropertyDecl<H: Host> {
    pub on: TypeId,
    pub name: String,
    pub ty: Type,
    /// String literals compared with this property, or assigned to it, are checked against this domain.
    pub names: Option<Domain>,
    pub access: Access<H>,
    pub doc: String,
}

pub struct FunctionDecl<H: Host> {
    pub name: String,
    pub params: Vec<(String, Param)>,
    pub result: Type,
    pub call: NativeFn<H>,
    /// What a call costs, where that depends on what it is given.
    pub cost: Option<CostFn<H>>,
    pub doc: String,
    /// Skipped when [`Host::heard`] says that nobody listens. Its arguments are not even computed then, as long as they call nothing.
    pub only_if_heard: bool,
    /// A text among its arguments means what the word of that name means ([`Interface::words`]): literals are handed over as words.
    pub takes_words: bool,
}

pub struct ConstantDecl<H: Host> {
    pub name: String,
    pub value: Value<H::Object>,
    pub doc: String,
}

/// Everything a script may name beyond the language itself. Functions may be called as `f(x, y)` or `x.f(y)`.
pub struct Interface<H: Host> {
    pub types: Vec<TypeDecl>,
    pub domains: Vec<DomainDecl<H>>,
    pub properties: Vec<PropertyDecl<H>>,
    pub functions: Vec<FunctionDecl<H>>,
    pub constants: Vec<ConstantDecl<H>>,
    /// Handles that are equal to a text each, and of their kind to no other: `word == "snow"` compares numbers then. As an index of a host
    /// value they mean what the text means.
    pub words: HashMap<String, Value<H::Object>>,
    /// Keys that maps handed out by the host may have, so that `m.key` is known to be spelt right.
    pub map_keys: Vec<String>,
    /// What there is to know beyond what the machine relies on. With it, slips that no type shows are refused when compiling.
    pub meaning: Option<Meaning<H>>,
}

impl<H: Host> Default for Interface<H> {
    /// Nothing but the language.
    fn default() -> Self {
        Interface {
            types: Vec::new(),
            domains: Vec::new(),
            properties: Vec::new(),
            functions: Vec::new(),
            constants: Vec::new(),
            words: HashMap::new(),
            map_keys: Vec::new(),
            meaning: None,
        }
    }
}

/// A native function: reads its arguments from registers, writes its result into one.
pub type NativeFn<H> = fn(&mut H, Call<'_, <H as Host>::Object>) -> Result<Flow, HostError>;

/// What a call of a native function costs beyond an operation. It is charged before the call.
pub type CostFn<H> = fn(&H, &Call<'_, <H as Host>::Object>) -> u64;

/// A native function and what it costs.
pub(crate) struct Native<H: Host> {
    pub call: NativeFn<H>,
    /// How many arguments it is given.
    pub given: u8,
    /// What it is called and what each argument must be, in words; nothing for properties.
    pub wants: Option<Box<NativeWants>>,
    pub cost: Option<CostFn<H>>,
}

/// A native function in words, for whoever calls it with something else.
pub(crate) struct NativeWants {
    pub name: String,
    /// "a piece as `piece`"
    pub args: Vec<String>,
}

/// One call of a native function: where its arguments are and where its result goes.
pub struct Call<'r, O> {
    registers: &'r mut [Value<O>; 256],
    /// The register of the result, how many arguments there are, and the registers of the first four, a byte each. If there are more, all
    /// of them stand in a row. As one number the whole is two words, which need no memory to be handed over.
    places: u64,
}

/// The registers of arguments in a row.
pub(crate) fn in_row(first: u8) -> [u8; 4] {
    std::array::from_fn(|i| first.wrapping_add(i as u8))
}

impl<'r, O: HostObject> Call<'r, O> {
    #[inline(always)]
    pub(crate) fn new(
        registers: &'r mut [Value<O>; 256],
        dst: u8,
        [a, b, c, d]: [u8; 4],
        given: u8,
    ) -> Call<'r, O> {
        let places = u64::from_le_bytes([dst, given, 0, 0, a, b, c, d]);
        Call { registers, places }
    }
    /// How many arguments there are: a function may be declared with several numbers of them.
    #[inline(always)]
    pub fn given(&self) -> usize {
        (self.places >> 8) as u8 as usize
    }
    #[inline(always)]
    fn register(&self, i: usize) -> usize {
        match i {
            0..4 => (self.places >> (32 + 8 * i)) as u8 as usize,
            _ => ((self.places >> 56) as usize + i - 3) & 255,
        }
    }
    #[inline(always)]
    fn result(&self) -> usize {
        self.places as u8 as usize
    }
    /// The `i`-th argument.
    #[inline(always)]
    pub fn arg(&self, i: usize) -> &Value<O> {
        &self.registers[self.register(i)]
    }
    /// The `i`-th argument as an integer; the compiler or the machine has checked declared types before the call.
    #[inline(always)]
    pub fn int(&self, i: usize) -> Result<i64, HostError> {
        match self.arg(i) {
            Value::Int(n) => Ok(*n),
            other => Err(wrong(i, "a number", other)),
        }
    }
    #[inline(always)]
    pub fn bool(&self, i: usize) -> Result<bool, HostError> {
        match self.arg(i) {
            Value::Bool(b) => Ok(*b),
            other => Err(wrong(i, "true or false", other)),
        }
    }
    pub fn str(&self, i: usize) -> Result<&str, HostError> {
        match self.arg(i) {
            Value::Str(s) => Ok(s),
            other => Err(wrong(i, "a string", other)),
        }
    }
    #[inline(always)]
    pub fn handle(&self, i: usize, kind: HandleKind) -> Result<u32, HostError> {
        match self.arg(i) {
            Value::Handle(k, id) if *k == kind => Ok(*id),
            other => Err(wrong(i, "another kind of value", other)),
        }
    }
    #[inline(always)]
    pub fn small(&self, i: usize, kind: HandleKind) -> Result<[u8; SMALL], HostError> {
        match self.arg(i) {
            Value::Small(k, bytes) if *k == kind => Ok(*bytes),
            other => Err(wrong(i, "another kind of value", other)),
        }
    }
    /// The destination as it is: what a former call left there may be reused if it is not shared.
    #[inline(always)]
    pub fn dst(&mut self) -> &mut Value<O> {
        &mut self.registers[self.result()]
    }
    /// Ends the call with a result.
    #[inline(always)]
    pub fn done(self, value: Value<O>) -> Result<Flow, HostError> {
        self.registers[self.result()].put(value);
        Ok(Flow::Done)
    }
}

#[cold]
#[inline(never)]
fn wrong<O: HostObject>(i: usize, expected: &str, found: &Value<O>) -> HostError {
    HostError(Box::new(Why {
        message: format!(
            "argument {}: expected {expected}, found {}",
            i + 1,
            found.type_name()
        ),
        argument: Some(i),
    }))
}
