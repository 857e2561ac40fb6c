//! Lowers one function of the tree to operations. Types that are cheap to know are known here; the rest is left to the machine.

mod assign;
mod branches;
mod calls;
mod chains;
mod effects;
mod exprs;
mod host_calls;
mod inline;
mod intrinsics;
mod lent;
mod loops;
mod methods;
mod named;
mod names;
mod operators;
mod order;
mod stmts;
mod tries;
mod unknown;
mod values;

use super::Compiler;
use super::fold::Scope;
use crate::code::{Op, Reg};
use crate::diagnostic::{Advice, Code};
use crate::host::{Host, Type};
use crate::program::{CoverPoint, Function, FunctionInfo, Inlined};
use crate::tree::{self, Block, Expr, ExprKind, Name, Pos, StepKind, StmtKind};
use crate::value::Value;
use std::collections::{HashMap, HashSet};

/// The last register the compiler hands out; the machine keeps those above for itself.
const LAST: Reg = 250;

/// What to write instead of `value.call(function)`.
pub(super) const CALL_ITSELF: &str = "make the function a method and call it as `value.function(..)`; to call `value` itself, write `call(value, ..)`";

/// A register and what is known of the value in it.
#[derive(Debug, Clone, Copy)]
struct Val {
    reg: Reg,
    ty: Type,
}

struct Local {
    name: Name,
    reg: Reg,
    ty: Type,
    constant: bool,
}

struct Loop {
    breaks: Vec<usize>,
    continues: Vec<usize>,
    /// Where `break value` leaves it.
    value: Option<Reg>,
    /// How many `try` were open outside.
    tries: usize,
}

struct Lower<'c, 'a, H: Host> {
    c: &'c mut Compiler<'a, H>,
    unit: usize,
    /// Index into the table of paths, and among the files that were read.
    file: u32,
    read: usize,
    code: Vec<Op>,
    places: Vec<Pos>,
    pos: Pos,
    locals: Vec<Local>,
    next: u16,
    max: u16,
    loops: Vec<Loop>,
    tries: usize,
    /// Where the handlers around this place keep what they caught, and how many `try` were open outside of each.
    caught: Vec<(Reg, usize)>,
    /// Whether register 0 holds `this`.
    this: bool,
    /// Names that are given a new value somewhere in the function, whose type may therefore change.
    reassigned: HashSet<Name>,
    /// Names that are assigned or changed in any way.
    assigned: HashSet<Name>,
    too_large: bool,
    /// Constants that stand in registers for the whole function, and those that should.
    kept: Vec<(Value<H::Object>, Reg)>,
    to_keep: Vec<Value<H::Object>>,
    /// Expressions that were evaluated before their place in the code, known by where they lie in the tree.
    ready: Vec<(*const Expr, Val)>,
    /// The number of the function, and the small ones that are being put into it, the innermost last.
    function: u32,
    open: Vec<inline::Open>,
    /// Closures given to standard functions that are being put in place, the innermost last.
    lent: Vec<lent::Lent>,
    /// Loops around the body that is being put in place.
    repeated: usize,
    inlined: Vec<Inlined>,
}

/// Constants a function keeps in registers.
const MOST_KEPT: usize = 24;

/// Lowers a declared function.
pub(crate) fn function<H: Host>(
    c: &mut Compiler<'_, H>,
    id: u32,
    unit: usize,
    file: u32,
    read: usize,
    f: &tree::Function,
) {
    body(
        c,
        id,
        unit,
        file,
        read,
        &f.params,
        &f.body,
        f.uses_this,
        f.pos,
    );
}

/// What a function call costs of the budget at least.
const CALL_COST: u32 = 4;
/// Operations of a function's body that one of the budget pays for: most calls leave early.
const OPERATIONS_PER_COST: u32 = 16;

/// Lowers a closure and returns the number of its function.
#[allow(clippy::too_many_arguments)]
fn closure<H: Host>(
    c: &mut Compiler<'_, H>,
    unit: usize,
    file: u32,
    read: usize,
    captures: Vec<Name>,
    f: &tree::Closure,
    pos: Pos,
) -> u32 {
    let id = c.program.functions.len() as u32;
    let params: Vec<Name> = captures.iter().chain(&f.params).cloned().collect();
    c.program.functions.push(Function {
        info: FunctionInfo {
            name: format!("closure at line {}", pos.line),
            params: f.params.iter().map(|p| p.to_string()).collect(),
            unit: c.units[unit].name.clone(),
            path: c.program.files[file as usize].clone(),
            span: tree::Span {
                start: pos,
                end: None,
            },
            doc: String::new(),
            is_private: true,
            is_prelude: unit == c.units.len() - 1,
            is_closure: true,
            replaces: false,
            mentioned: true,
            layer: 0,
        },
        entry: 0,
        end: 0,
        cost: 0,
        registers: 0,
        arity: params.len() as u16,
        uses_this: f.uses_this,
        file,
        name: format!("anon${id}").into(),
        siblings: Vec::new(),
    });
    body(c, id, unit, file, read, &params, &f.body, f.uses_this, pos);
    id
}

#[allow(clippy::too_many_arguments)]
fn body<H: Host>(
    c: &mut Compiler<'_, H>,
    id: u32,
    unit: usize,
    file: u32,
    read: usize,
    params: &[Name],
    block: &Block,
    this: bool,
    pos: Pos,
) {
    let (reassigned, assigned) = assigned_in(c, unit, block);
    // Constants that host functions take inside loops are loaded once, when the function begins. Which ones is known only after
    // lowering, so a function that has some is lowered again with registers set aside for them.
    let before = (c.program.functions.len(), c.program.code.len(), c.out.len());
    let inlined_before = c.program.inlined.len();
    let mut kept: Vec<Value<H::Object>> = Vec::new();
    loop {
        let mut lower = Lower {
            c: &mut *c,
            unit,
            file,
            read,
            code: Vec::new(),
            places: Vec::new(),
            pos,
            locals: Vec::new(),
            next: 0,
            max: 0,
            loops: Vec::new(),
            tries: 0,
            caught: Vec::new(),
            this,
            reassigned: reassigned.clone(),
            assigned: assigned.clone(),
            too_large: false,
            kept: Vec::new(),
            to_keep: Vec::new(),
            ready: Vec::new(),
            function: id,
            open: Vec::new(),
            lent: Vec::new(),
            repeated: 0,
            inlined: Vec::new(),
        };
        if this {
            lower.reg();
        }
        for param in params {
            let reg = lower.reg();
            lower.locals.push(Local {
                name: param.clone(),
                reg,
                ty: Type::Any,
                constant: false,
            });
        }
        for value in &kept {
            let reg = lower.load(value, None).reg;
            lower.kept.push((value.clone(), reg));
        }
        let name = lower.c.program.functions[id as usize].info.name.clone();
        lower.cover(pos, Some(&name));
        let d = lower.reg();
        lower.block(block, Some(d));
        lower.emit(Op::Return { s: d });
        if kept.is_empty() && !lower.to_keep.is_empty() {
            kept = lower.to_keep;
            c.program.functions.truncate(before.0);
            c.program.code.truncate(before.1);
            c.program.places.truncate(before.1);
            c.program.inlined.truncate(inlined_before);
            c.out.truncate(before.2);
            continue;
        }
        let (mut code, places, registers) = (lower.code, lower.places, lower.max + 1);
        let inlined = lower.inlined;
        shorten(&mut code);
        let entry = c.program.code.len() as u32;
        c.program.code.extend(code.into_iter().map(|mut op| {
            if let Some(target) = op.target() {
                *target += entry;
            }
            op
        }));
        c.program.places.extend(places);
        c.program.inlined.extend(inlined.iter().map(|i| Inlined {
            from: i.from + entry,
            to: i.to + entry,
            ..*i
        }));
        let function = &mut c.program.functions[id as usize];
        function.entry = entry;
        function.end = c.program.code.len() as u32;
        function.cost = CALL_COST.max((function.end - function.entry) / OPERATIONS_PER_COST);
        function.registers = registers;
        return;
    }
}

/// What leads to a return returns, jumps lead where they end, and what is known is not asked.
fn shorten(code: &mut [Op]) {
    straighten(code);
    if answer_at_once(code) {
        straighten(code);
    }
    for i in 1..code.len() {
        if let (Op::Unit { d }, Op::Return { s }) = (code[i - 1], code[i])
            && d == s
        {
            code[i - 1] = Op::ReturnUnit;
        }
    }
}

/// Jumps to jumps go to the end of the way, and what leads to a return returns.
fn straighten(code: &mut [Op]) {
    for i in 0..code.len() {
        let mut op = code[i];
        if let Some(target) = op.target() {
            // Two jumps that lead to each other are an endless loop, so the way may have no end.
            for _ in 0..code.len() {
                match code[*target as usize] {
                    Op::Jump { t } => *target = t,
                    _ => break,
                }
            }
        }
        if let Op::Jump { t } = op
            && let end @ (Op::Return { .. } | Op::ReturnUnit) = code[t as usize]
        {
            op = end;
        }
        code[i] = op;
    }
}

/// Where a truth is written down and the jump behind it leads to a question for it, the jump goes where the answer leads. Says whether
/// there was such a place.
fn answer_at_once(code: &mut [Op]) -> bool {
    let mut is_target = vec![false; code.len()];
    for mut op in code.iter().copied() {
        if let Some(target) = op.target() {
            is_target[*target as usize] = true;
        }
    }
    let mut found = false;
    for i in 1..code.len() {
        let (Op::Bool { d, b }, Op::Jump { t }) = (code[i - 1], code[i]) else {
            continue;
        };
        let (jumps, to) = match code[t as usize] {
            Op::JumpIf { a, t: to } if a == d => (b, to),
            Op::JumpIfNot { a, t: to } if a == d => (!b, to),
            _ => continue,
        };
        // Who comes to the jump from elsewhere may bring another truth.
        if !is_target[i] {
            code[i] = Op::Jump {
                t: if jumps { to } else { t + 1 },
            };
            found = true;
        }
    }
    found
}

/// Names a body of this unit gives a new value, and those it changes in any way.
fn assigned_in<H: Host>(
    c: &Compiler<'_, H>,
    unit: usize,
    block: &Block,
) -> (HashSet<Name>, HashSet<Name>) {
    let (mut reassigned, mut assigned) = (HashSet::new(), HashSet::new());
    let methods = &c.units[unit].functions;
    let may_reassign = |name: &Name, args: usize| {
        let id = methods.get(&(name.clone(), args));
        id.is_some_and(|id| c.declared[*id as usize].uses_this)
    };
    collect_assigned(block, &may_reassign, &mut reassigned, &mut assigned);
    (reassigned, assigned)
}

/// Names whose variable is given a whole new value (perhaps of another type), and those that are changed in any way.
fn collect_assigned(
    block: &Block,
    may_reassign: &dyn Fn(&Name, usize) -> bool,
    whole: &mut HashSet<Name>,
    any: &mut HashSet<Name>,
) {
    tree::walk_stmts(block, &mut |stmt| {
        if let StmtKind::Assign { target, op, value } = &stmt.kind
            && let ExprKind::Var(name) = &target.kind
        {
            any.insert(name.clone());
            if op.is_none() || !matches!(value.kind, ExprKind::Int(_)) {
                whole.insert(name.clone());
            }
        }
    });
    tree::walk_block(block, &mut |e| {
        if let ExprKind::Chain { root, steps } = &e.kind
            && let ExprKind::Var(name) = &root.kind
            && let Some(StepKind::Method { name: method, args }) = steps.first().map(|s| &s.kind)
        {
            any.insert(name.clone());
            // A method in a script may give `this` a value of another type.
            if may_reassign(method, args.len()) {
                whole.insert(name.clone());
            }
        }
    });
}

impl<H: Host> Lower<'_, '_, H> {
    fn emit(&mut self, op: Op) -> usize {
        self.code.push(op);
        self.places.push(self.pos);
        self.code.len() - 1
    }

    fn here(&self) -> u32 {
        self.code.len() as u32
    }

    fn patch(&mut self, jumps: &[usize]) {
        let here = self.here();
        for &jump in jumps {
            if let Some(target) = self.code[jump].target() {
                *target = here;
            }
        }
    }

    /// A fresh register.
    fn reg(&mut self) -> Reg {
        self.row(1)
    }

    /// Fresh registers in a row.
    fn row(&mut self, n: usize) -> Reg {
        let first = self.next;
        let end = first as usize + n;
        if end > LAST as usize {
            if !self.too_large {
                self.too_large = true;
                self.error(
                    Code::TooLarge,
                    self.pos,
                    "this function needs more values at once than the machine has room for",
                    Some("move a part of it into another function".into()),
                );
            }
            return 0;
        }
        self.next = end as u16;
        self.max = self.max.max(self.next);
        first as Reg
    }

    fn or_reg(&mut self, want: Option<Reg>) -> Reg {
        want.unwrap_or_else(|| self.reg())
    }

    fn error(&mut self, code: Code, pos: Pos, message: impl Into<String>, help: Option<Advice>) {
        self.c.report(code, self.file, pos, message, help);
    }

    /// Something wrong about a name the script uses.
    fn error_about(
        &mut self,
        name: &str,
        code: Code,
        pos: Pos,
        message: impl Into<String>,
        help: Option<Advice>,
    ) {
        self.c
            .report_about(name, code, self.file, pos, message, help);
    }

    fn local(&self, name: &str) -> Option<&Local> {
        self.locals.iter().rev().find(|l| &*l.name == name)
    }

    fn fold(&self, e: &Expr) -> Option<Value<H::Object>> {
        let locals = |name: &str| self.local(name).is_some();
        let scope = Scope {
            unit: self.unit,
            imports: &self.c.imports[self.read],
            locals: &locals,
        };
        self.c.fold(e, &scope)
    }

    fn is_prelude(&self) -> bool {
        self.unit == self.c.prelude()
    }

    fn cover(&mut self, pos: Pos, function: Option<&str>) {
        if !self.c.coverage || self.is_prelude() || pos.line == 0 {
            return;
        }
        let key = (self.file, pos.line * 2 + function.is_some() as u32);
        let next = self.c.program.cover.len() as u32;
        let k = *self.c.cover_of.entry(key).or_insert(next);
        if k == next {
            let path = self.c.program.files[self.file as usize].clone();
            self.c.program.cover.push(CoverPoint {
                path,
                line: pos.line,
                function: function.map(str::to_string),
            });
        }
        self.emit(Op::Cover { k });
    }

    /// Number of a constant. Small ones are shared.
    fn constant(&mut self, value: &Value<H::Object>) -> u32 {
        let key = match value {
            Value::Int(n) => Some(format!("i{n}")),
            Value::Str(s) if s.len() < 64 => Some(format!("s{s}")),
            Value::Handle(k, id) => Some(format!("h{k}:{id}")),
            Value::Char(c) => Some(format!("c{c}")),
            _ => None,
        };
        if let Some(k) = key.as_ref().and_then(|key| self.c.small_constants.get(key)) {
            return *k;
        }
        let k = self.c.program.constants.len() as u32;
        self.c.program.constants.push(value.clone());
        if let Some(key) = key {
            self.c.small_constants.insert(key, k);
        }
        k
    }

    /// Loads a known value.
    fn load(&mut self, value: &Value<H::Object>, want: Option<Reg>) -> Val {
        let d = self.or_reg(want);
        let op = match value {
            Value::Unit => Op::Unit { d },
            Value::Bool(b) => Op::Bool { d, b: *b },
            Value::Int(n) if i32::try_from(*n).is_ok() => Op::Int { d, i: *n as i32 },
            other => Op::Const {
                d,
                k: self.constant(other),
            },
        };
        self.emit(op);
        Val {
            reg: d,
            ty: self.type_of_value(value),
        }
    }

    fn type_of_value(&self, value: &Value<H::Object>) -> Type {
        match value {
            Value::Unit => Type::Unit,
            Value::Bool(_) => Type::Bool,
            Value::Char(_) => Type::Char,
            Value::Int(_) => Type::Int,
            Value::Range(_) => Type::Range,
            Value::Str(_) => Type::Str,
            Value::Array(_) => Type::Array,
            Value::Map(_) => Type::Map,
            Value::Fn(_) => Type::Fn,
            Value::Handle(..) | Value::Small(..) | Value::Object(_) => self
                .c
                .program
                .host_type(value)
                .map_or(Type::Any, Type::Host),
        }
    }

    /// Number of a property name.
    fn property(&mut self, name: &Name) -> u16 {
        if let Some(number) = self.c.property_of.get(name) {
            return *number;
        }
        let properties = &mut self.c.program.properties;
        let Ok(number) = u16::try_from(properties.len()) else {
            if !self.too_large {
                self.too_large = true;
                let message = "the program has too many names of properties";
                self.error(Code::TooLarge, self.pos, message, None);
            }
            return 0;
        };
        properties.push(crate::program::Property::named(name));
        self.c.property_of.insert(name.clone(), number);
        number
    }

    fn imports(&self) -> &HashMap<Name, usize> {
        &self.c.imports[self.read]
    }
}
