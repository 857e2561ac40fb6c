//! The instruction set: eight bytes each, operands are registers of the current window unless said otherwise.
//!
//! `d` is the register that receives the result, `s` a source, `a` and `b` operands or the first of a row, `t` a jump
//! target. Integers have fast paths; everything else goes through the slow functions in `operators`.

pub(crate) use crate::tree::BinOp;

pub(crate) type Reg = u8;

/// How a function value gets the values that stand behind it. Where there are several ways, the first that fits the number of its
/// parameters is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// `call(f, ..)`: all of them.
    Plain,
    /// `f.call(..)`: the same; but if that is no function, the first argument is the one to be called.
    Method,
    /// An item and its index: the item as `this`; the item; both.
    Each,
    /// An item and its index: the item as `this`; the same and the index. What `this` became stands in `r[a]` afterwards.
    On,
    /// A key and its value: the key, and the value as `this`; both.
    Keyed,
    /// What was gathered, an item and its index: the first, and the item as `this`; the first two; all.
    Fold,
    /// As `Each`, `Keyed` and `Fold`; the item, or what it became as `this`, stands in `r[a]` afterwards.
    EachAt,
    KeyedAt,
    FoldAt,
    /// Two items and their index: without the index; all.
    Zip,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Op {
    // Values.
    Const {
        d: Reg,
        k: u32,
    },
    Int {
        d: Reg,
        i: i32,
    },
    Bool {
        d: Reg,
        b: bool,
    },
    Unit {
        d: Reg,
    },
    /// Copies.
    Move {
        d: Reg,
        s: Reg,
    },
    /// Moves and leaves `()`.
    Take {
        d: Reg,
        s: Reg,
    },
    /// `[r[a], .., r[a + n - 1]]`
    Array {
        d: Reg,
        a: Reg,
        n: u8,
    },
    /// A map with the keys of shape `k` and the values in a row from `a`.
    Map {
        d: Reg,
        a: Reg,
        k: u32,
    },
    Range {
        d: Reg,
        a: Reg,
        b: Reg,
        inclusive: bool,
    },
    /// The texts of a row of values, joined.
    Text {
        d: Reg,
        a: Reg,
        n: u8,
    },
    /// A function value with `n` captured values in a row from `a`.
    Fn {
        d: Reg,
        a: Reg,
        n: u8,
        k: u32,
    },

    // Arithmetic. The forms with `i` have a constant on the right.
    Add {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Sub {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Mul {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Div {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Rem {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    AddInt {
        d: Reg,
        a: Reg,
        i: i32,
    },
    SubInt {
        d: Reg,
        a: Reg,
        i: i32,
    },
    MulInt {
        d: Reg,
        a: Reg,
        i: i32,
    },
    DivInt {
        d: Reg,
        a: Reg,
        i: i32,
    },
    RemInt {
        d: Reg,
        a: Reg,
        i: i32,
    },
    /// `r[d] += r[s]`: unlike `Add`, it lets strings, arrays and maps grow in place.
    AddTo {
        d: Reg,
        s: Reg,
    },
    AddToInt {
        d: Reg,
        i: i32,
    },
    Min {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Max {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    MinInt {
        d: Reg,
        a: Reg,
        i: i32,
    },
    MaxInt {
        d: Reg,
        a: Reg,
        i: i32,
    },
    /// Every other binary operator, and comparisons whose result is kept.
    Binary {
        op: BinOp,
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Neg {
        d: Reg,
        a: Reg,
    },
    Not {
        d: Reg,
        a: Reg,
    },
    In {
        d: Reg,
        a: Reg,
        b: Reg,
    },

    // Branches.
    Jump {
        t: u32,
    },
    /// Jumps back and pays for the round.
    Loop {
        cost: u16,
        t: u32,
    },
    JumpIf {
        a: Reg,
        t: u32,
    },
    JumpIfNot {
        a: Reg,
        t: u32,
    },
    JumpUnit {
        a: Reg,
        t: u32,
    },
    JumpNotUnit {
        a: Reg,
        t: u32,
    },
    /// Goes to the case of `r[a]` among those that follow, by table `k`; they are asked one by one if it does not tell.
    Switch {
        a: Reg,
        k: u32,
    },
    /// If `r[a]` is of one of these kinds, a bit each.
    JumpKind {
        a: Reg,
        kinds: u16,
        t: u32,
    },
    /// Jumps if the value belongs to the host.
    JumpHost {
        a: Reg,
        t: u32,
    },
    /// If nobody listens, `r[d]` becomes `()` and what was to be said is skipped.
    JumpUnheard {
        d: Reg,
        t: u32,
    },
    JumpLt {
        a: Reg,
        b: Reg,
        t: u32,
    },
    JumpLe {
        a: Reg,
        b: Reg,
        t: u32,
    },
    JumpGe {
        a: Reg,
        b: Reg,
        t: u32,
    },
    JumpGt {
        a: Reg,
        b: Reg,
        t: u32,
    },
    JumpEq {
        a: Reg,
        b: Reg,
        t: u32,
    },
    JumpNe {
        a: Reg,
        b: Reg,
        t: u32,
    },
    JumpLtInt {
        a: Reg,
        i: i16,
        t: u32,
    },
    JumpLeInt {
        a: Reg,
        i: i16,
        t: u32,
    },
    JumpGeInt {
        a: Reg,
        i: i16,
        t: u32,
    },
    JumpGtInt {
        a: Reg,
        i: i16,
        t: u32,
    },
    JumpEqInt {
        a: Reg,
        i: i16,
        t: u32,
    },
    JumpNeInt {
        a: Reg,
        i: i16,
        t: u32,
    },
    /// Jumps if equal to constant `k`, which need not be copied for it.
    JumpIs {
        a: Reg,
        k: u16,
        t: u32,
    },
    JumpIsNot {
        a: Reg,
        k: u16,
        t: u32,
    },
    /// Jumps if equal to constant `k`; the cases of `switch`.
    JumpCase {
        a: Reg,
        k: u16,
        t: u32,
    },
    /// Jumps if neither an integer within the range constant `k` nor that range.
    JumpOutside {
        a: Reg,
        k: u16,
        t: u32,
    },

    // Loops. `r` is the first of the loop's own registers.
    /// Checks the bounds in `r`, `r + 1`, makes an inclusive end exclusive, jumps if there is no round.
    ForStart {
        r: Reg,
        inclusive: bool,
        t: u32,
    },
    /// The same from a small constant, which it puts into `r`.
    ForFrom {
        r: Reg,
        inclusive: bool,
        from: i8,
        t: u32,
    },
    /// Next round of a range: jumps back to `t` if there is one.
    ForNext {
        r: Reg,
        cost: u16,
        t: u32,
    },
    /// The first round of a loop over items, `r` iterable, `r + 1` cursor, `r + 2` item: jumps if there is none. Whoever comes to the end
    /// leaves `()` in `r`: what is shared is copied when somebody changes it.
    Next {
        r: Reg,
        t: u32,
    },
    /// As `Next`, and counts in `r + 3` from 0.
    NextCounted {
        r: Reg,
        t: u32,
    },

    /// The end of a loop over items: pays for the round, and jumps back to `t`, behind the `Next` where the loop begins, if there is
    /// another item.
    NextRound {
        r: Reg,
        cost: u16,
        t: u32,
    },
    NextRoundCounted {
        r: Reg,
        cost: u16,
        t: u32,
    },

    // Calls.
    /// Arguments in a row from `a`, where the callee's window begins.
    Call {
        d: Reg,
        a: Reg,
        f: u32,
    },
    /// The same with the first argument still in its variable `x`, and the second in `y`.
    CallOne {
        d: Reg,
        a: Reg,
        x: Reg,
        f: u16,
    },
    CallTwo {
        d: Reg,
        a: Reg,
        x: Reg,
        y: Reg,
        f: u16,
    },
    /// The function value in `r[a]`, `n` values behind it.
    CallValue {
        d: Reg,
        a: Reg,
        n: u8,
        style: Style,
    },
    /// The function value `r[s]`, as the one of its name that takes so many arguments; faults if there is none.
    FunctionOf {
        d: Reg,
        s: Reg,
        arity: u8,
    },
    /// If `r[list]` is an array and `r[f]` the name of a function of this unit with at most so many parameters, `r[f]` becomes it.
    NamedFn {
        f: Reg,
        list: Reg,
        most: u8,
        unit: u16,
    },
    Return {
        s: Reg,
    },
    ReturnUnit,
    /// A host function with up to four arguments anywhere.
    Native {
        d: Reg,
        args: [Reg; 4],
        f: u16,
    },
    /// A host function with its arguments in a row.
    NativeRow {
        d: Reg,
        a: Reg,
        f: u16,
    },
    /// The first of several host functions (and at last a standard one) that accepts the arguments in a row.
    NativeAny {
        d: Reg,
        a: Reg,
        n: u8,
        set: u16,
    },
    /// A standard function, arguments in a row.
    Library {
        d: Reg,
        a: Reg,
        n: u8,
        f: u16,
    },
    /// A standard function that changes `r[root]`, other arguments in a row.
    Change {
        d: Reg,
        root: Reg,
        a: Reg,
        n: u8,
        f: u16,
    },
    /// A computed name becomes the host's value for it.
    Name {
        d: Reg,
        s: Reg,
        domain: u16,
    },

    // Members.
    Len {
        d: Reg,
        o: Reg,
    },
    /// `r[d] = r[o].p`, most likely slot `slot` of a handle of this kind.
    Get {
        d: Reg,
        o: Reg,
        kind: u8,
        slot: u16,
        p: u16,
    },
    /// `r[o].p = r[s]`, most likely slot `slot` of a handle of this kind.
    Set {
        o: Reg,
        s: Reg,
        kind: u8,
        slot: u16,
        p: u16,
    },
    /// `r[o].p op= r[s]`
    Update {
        op: BinOp,
        o: Reg,
        s: Reg,
        p: u16,
    },
    /// `r[o].p += i`, or `-= -i` if `i` is negative; most likely slot `slot` of a handle of this kind.
    Bump {
        o: Reg,
        i: i8,
        kind: u8,
        slot: u16,
        p: u16,
    },
    GetSlot {
        d: Reg,
        o: Reg,
        kind: u8,
        slot: u16,
    },
    /// Of a handle that is known when compiling: `game.round`.
    GetFixed {
        d: Reg,
        kind: u8,
        id: u16,
        slot: u16,
    },
    SetSlot {
        o: Reg,
        s: Reg,
        kind: u8,
        slot: u16,
    },
    AddSlot {
        o: Reg,
        s: Reg,
        kind: u8,
        slot: u16,
    },
    SubSlot {
        o: Reg,
        s: Reg,
        kind: u8,
        slot: u16,
    },
    BumpSlot {
        o: Reg,
        kind: u8,
        i: i16,
        slot: u16,
    },
    Index {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    IndexInt {
        d: Reg,
        a: Reg,
        i: i32,
    },
    /// `r[a]["key"]`, the key as the name of property `p`.
    IndexKey {
        d: Reg,
        a: Reg,
        p: u16,
    },
    SetIndex {
        a: Reg,
        b: Reg,
        s: Reg,
    },
    UpdateIndex {
        op: BinOp,
        a: Reg,
        b: Reg,
        s: Reg,
    },
    /// A longer way into `r[root]`, and what to do at its end: entry `k` of the table of paths.
    Path {
        d: Reg,
        root: Reg,
        a: Reg,
        k: u32,
    },

    // Faults.
    /// From here to `EndTry`, a catchable fault lands at `t` with its value in `r`.
    /// Faults if `r[a]`, the copy of a constant, is not `r[b]` any more.
    Unchanged {
        a: Reg,
        b: Reg,
    },
    Try {
        r: Reg,
        t: u32,
    },
    EndTry,
    Throw {
        s: Reg,
    },

    /// Marks point `k` as reached. Only there if coverage was asked for.
    Cover {
        k: u32,
    },
}

const _: () = assert!(size_of::<Op>() == 8);

impl Op {
    /// The jump target, if there is one.
    pub fn target(&mut self) -> Option<&mut u32> {
        use Op::*;
        match self {
            Jump { t }
            | Loop { t, .. }
            | JumpIf { t, .. }
            | JumpIfNot { t, .. }
            | JumpUnit { t, .. }
            | JumpNotUnit { t, .. }
            | JumpHost { t, .. }
            | JumpKind { t, .. }
            | JumpUnheard { t, .. }
            | JumpLt { t, .. }
            | JumpLe { t, .. }
            | JumpGe { t, .. }
            | JumpGt { t, .. }
            | JumpEq { t, .. }
            | JumpNe { t, .. }
            | JumpLtInt { t, .. }
            | JumpLeInt { t, .. }
            | JumpGeInt { t, .. }
            | JumpGtInt { t, .. }
            | JumpEqInt { t, .. }
            | JumpNeInt { t, .. }
            | JumpIs { t, .. }
            | JumpIsNot { t, .. }
            | JumpCase { t, .. }
            | JumpOutside { t, .. }
            | ForStart { t, .. }
            | ForFrom { t, .. }
            | ForNext { t, .. }
            | Next { t, .. }
            | NextCounted { t, .. }
            | NextRound { t, .. }
            | NextRoundCounted { t, .. }
            | Try { t, .. } => Some(t),
            _ => None,
        }
    }
}

/// A way into a value: what stands between the root and the place that is changed.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Path {
    pub steps: Vec<PathStep>,
    pub action: Action,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum PathStep {
    Property(u16),
    /// The index stands in a register.
    Index(Reg),
}

/// What happens at the end of a path.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Action {
    /// Assigns `r[a]`.
    Set,
    /// `place op= r[a]`
    Update(BinOp),
    /// Calls a standard function that changes the place, arguments in a row from `a`, result in `d`.
    Change { f: u16, n: u8 },
    /// Moves the value at the place to `d`.
    Take,
    /// Moves `r[a]` to the place.
    Put,
}
