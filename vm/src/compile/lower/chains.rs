//! Members: reading along a chain, and assigning at its end.

use super::calls::Arg;
use super::{Lower, Val};
use crate::code::{Action, Op, Path, PathStep, Reg};
use crate::compile::fold::{Followed, Scope};
use crate::diagnostic::{Code, did_you_mean};
use crate::host::{Access, Host, Repr, Type, TypeId};
use crate::library;
use crate::parse::parameters;
use crate::tree::{self, Expr, ExprKind, Name, Pos, Step, StepKind};
use crate::value::{Kind, Value};

/// Kinds count from 0, and there are never so many.
const NO_KIND: Kind = Kind::MAX;

/// What a method call in a chain does to its target.
enum Effect {
    /// A script function with `this`.
    This(u32),
    /// A standard function that changes its target; a host function of the same name may take its place.
    Change {
        f: u16,
        host: bool,
    },
    None,
}

/// Whether an expression has the same value wherever in its chain it is evaluated.
fn is_settled(e: &Expr) -> bool {
    matches!(
        e.kind,
        ExprKind::Unit
            | ExprKind::Bool(_)
            | ExprKind::Int(_)
            | ExprKind::Char(_)
            | ExprKind::Str(_)
            | ExprKind::Var(_)
            | ExprKind::Qualified(..)
            | ExprKind::This
            | ExprKind::Closure(_)
            | ExprKind::FnName(_)
    )
}

/// Whether an expression calls or changes something.
fn acts(e: &Expr) -> bool {
    let mut found = match &e.kind {
        ExprKind::Call { .. } | ExprKind::Block(_) | ExprKind::If { .. } | ExprKind::Switch(_) => {
            true
        }
        ExprKind::Chain { steps, .. } => steps
            .iter()
            .any(|s| matches!(s.kind, StepKind::Method { .. })),
        _ => false,
    };
    tree::children(e, &mut |child| found |= acts(child));
    found
}

impl<H: Host> Lower<'_, '_, H> {
    pub(super) fn chain(&mut self, root: &Expr, steps: &[Step], want: Option<Reg>) -> Val {
        let d = self.or_reg(want);
        let before = self.ready.len();
        self.arguments_first(root, steps);
        let val = self.chain_in_order(root, steps, d);
        self.ready.truncate(before);
        val
    }

    /// Rhai evaluates the arguments and indices of a whole chain, left to right, before its root and its first call. Where the difference
    /// could be seen, so do we; elsewhere they are evaluated where they are needed.
    pub(super) fn arguments_first(&mut self, root: &Expr, steps: &[Step]) {
        let mut open: Vec<(usize, &Expr)> = Vec::new();
        for (n, step) in steps.iter().enumerate() {
            let args = match &step.kind {
                StepKind::Property(_) => &[],
                StepKind::Index(i) => std::slice::from_ref(i),
                StepKind::Method { args, .. } => &args[..],
            };
            let settled = |e: &Expr| is_settled(e) || self.fold(e).is_some();
            open.extend(args.iter().filter(|e| !settled(e)).map(|e| (n, e)));
        }
        let Some((last, _)) = open.last() else {
            return;
        };
        let is_method = |step: &Step| matches!(step.kind, StepKind::Method { .. });
        let acted_before = acts(root) || steps[..*last].iter().any(is_method);
        let acting = open.iter().any(|(_, e)| acts(e));
        let seen = !is_settled(root) || open.len() > 1 || steps.iter().any(|s| s.safe);
        if acted_before || acting && seen {
            for (_, e) in open {
                let val = self.expr(e, None);
                self.ready.push((e, val));
            }
        }
    }

    fn chain_in_order(&mut self, root: &Expr, steps: &[Step], d: Reg) -> Val {
        let (mut val, mut at) = match self.constant_prefix(root, steps) {
            Ok((value, at)) => match self.fixed_slot(&value, &steps[at..], d) {
                Some(val) => (val, at + 1),
                None => (self.load(&value, None), at),
            },
            Err(true) => {
                return Val {
                    reg: d,
                    ty: Type::Any,
                };
            }
            Err(false) => (self.operand(root), 0),
        };
        // Where the chain starts at a variable, changes reach it.
        let mut place = at == 0 && self.is_place(root);
        let mut ends = Vec::new();
        while at < steps.len() {
            let step = &steps[at];
            if step.safe {
                self.pos = step.pos;
                let go = self.emit(Op::JumpNotUnit { a: val.reg, t: 0 });
                self.emit(Op::Unit { d });
                ends.push(self.emit(Op::Jump { t: 0 }));
                self.patch(&[go]);
                if val.ty == Type::Unit {
                    val.ty = Type::Any;
                }
            }
            if place && let Some((method, effect)) = self.change_ahead(&steps[at..], val.ty) {
                self.check_mutable(root, step.pos);
                let way = &steps[at..at + method];
                let last = at + method + 1 == steps.len();
                let out = if last && d != val.reg { d } else { self.reg() };
                val = self.change(val, way, &steps[at + method], effect, out);
                at += method + 1;
                place = false;
                continue;
            }
            let last = at + 1 == steps.len();
            let out = if last { d } else { self.reg() };
            val = self.step(val, step, out);
            place = false;
            at += 1;
        }
        if val.reg != d {
            self.emit(Op::Take { d, s: val.reg });
        }
        let safe = !ends.is_empty();
        self.patch(&ends);
        Val {
            reg: d,
            ty: if safe { Type::Any } else { val.ty },
        }
    }

    /// `game.round`: a slot of a handle that is known now is read in one step.
    fn fixed_slot(&mut self, root: &Value<H::Object>, steps: &[Step], d: Reg) -> Option<Val> {
        let (Value::Handle(_, id), Type::Host(ty)) = (root, self.type_of_value(root)) else {
            return None;
        };
        let (id, step) = (u16::try_from(*id).ok()?, steps.first()?);
        let StepKind::Property(name) = &step.kind else {
            return None;
        };
        let (kind, slot, _) = self.slot_of(ty, name)?;
        let d = if steps.len() == 1 { d } else { self.reg() };
        let ty = self.known_property(name, Type::Host(ty), step.pos);
        self.pos = step.pos;
        self.emit(Op::GetFixed { d, kind, id, slot });
        Some(Val { reg: d, ty })
    }

    /// The longest part of a chain that is a constant; `Err(true)` if it names a key that does not exist.
    pub(super) fn constant_prefix(
        &mut self,
        root: &Expr,
        steps: &[Step],
    ) -> Result<(crate::Value<H::Object>, usize), bool> {
        let locals = |name: &str| self.local(name).is_some();
        let scope = Scope {
            unit: self.unit,
            imports: &self.c.imports[self.read],
            locals: &locals,
        };
        let mut best = Err(false);
        for n in 0..=steps.len() {
            match self.c.follow(root, &steps[..n], &scope) {
                Some(Followed::Value(value)) => best = Ok((value, n)),
                Some(Followed::Missing { step, key, keys }) => {
                    let help = did_you_mean(&key, keys.iter().map(String::as_str));
                    let name = match &root.kind {
                        ExprKind::Var(name) | ExprKind::Qualified(_, name) => name.to_string(),
                        _ => "the table".into(),
                    };
                    self.error(
                        Code::UnknownKey,
                        steps[step].pos,
                        format!("`{name}` has no key `{key}` here"),
                        help,
                    );
                    return Err(true);
                }
                None => break,
            }
        }
        best
    }

    pub(super) fn is_place(&self, root: &Expr) -> bool {
        match &root.kind {
            ExprKind::Var(name) => self.local(name).is_some(),
            ExprKind::This => self.this,
            _ => false,
        }
    }

    pub(super) fn check_mutable(&mut self, root: &Expr, pos: Pos) {
        if let ExprKind::Var(name) = &root.kind
            && self.local(name).is_some_and(|l| l.constant)
        {
            self.error(
                Code::ReadOnly,
                pos,
                format!("`{name}` is a constant"),
                Some("use `let` instead of `const`".into()),
            );
        }
    }

    /// The next method of the chain, if it changes what the steps before it lead to.
    fn change_ahead(&self, steps: &[Step], ty: Type) -> Option<(usize, Effect)> {
        let method = steps
            .iter()
            .position(|s| matches!(s.kind, StepKind::Method { .. }))?;
        if steps[1..].iter().take(method).any(|s| s.safe) {
            return None;
        }
        let StepKind::Method { name, args } = &steps[method].kind else {
            return None;
        };
        let ty = if method == 0 { ty } else { Type::Any };
        match self.effect(name, args.len(), ty) {
            Effect::None => None,
            effect => Some((method, effect)),
        }
    }

    fn effect(&self, name: &Name, args: usize, ty: Type) -> Effect {
        if let Some(id) = self.method(name, args) {
            return Effect::This(id);
        }
        let is_script = self.c.units[self.unit]
            .functions
            .contains_key(&(name.clone(), args + 1));
        let host = self.c.tables.has_host_function(name, args + 1);
        match (self.c.tables.is_change(name, args + 1), ty) {
            (_, Type::Host(_)) if host => Effect::None,
            (Some(f), _) if !is_script => Effect::Change {
                f,
                host: host && ty == Type::Any,
            },
            _ => Effect::None,
        }
    }

    /// A script function of this unit or the prelude that uses `this`.
    pub(super) fn method(&self, name: &Name, args: usize) -> Option<u32> {
        let key = (name.clone(), args);
        [self.unit, self.c.prelude()]
            .into_iter()
            .filter_map(|unit| self.c.units[unit].functions.get(&key).copied())
            .find(|id| self.c.declared[*id as usize].uses_this)
    }

    /// Registers and properties of a way into a value.
    pub(super) fn way(&mut self, steps: &[Step]) -> Vec<PathStep> {
        steps
            .iter()
            .filter_map(|step| match &step.kind {
                StepKind::Property(name) => {
                    self.known_property(name, Type::Any, step.pos);
                    Some(PathStep::Property(self.property(name)))
                }
                StepKind::Index(i) => Some(PathStep::Index(self.operand(i).reg)),
                StepKind::Method { .. } => None,
            })
            .collect()
    }

    pub(super) fn path(&mut self, steps: Vec<PathStep>, action: Action) -> u32 {
        self.c.program.paths.push(Path { steps, action });
        self.c.program.paths.len() as u32 - 1
    }

    /// Refuses a method that Rhai would understand in another way.
    fn check_method(&mut self, name: &Name, args: usize, on: Type, pos: Pos) {
        if self.is_prelude() {
            return;
        }
        let own = self.c.units[self.unit].functions.get(&(name.clone(), args));
        let also = self.c.tables.has_host_function(name, args + 1)
            || self.c.tables.has_library_function(name, args + 1)
            || self.method(name, args).is_some();
        let hidden = own.is_some_and(|id| !self.c.declared[*id as usize].uses_this) && also;
        let callable = own.is_some() || also;
        if callable && self.c.function_keys.contains(name) && matches!(on, Type::Any | Type::Map) {
            self.error(
                Code::Refused,
                pos,
                format!("`{name}` might be a function kept in a map"),
                Some(format!(
                    "write `value.{name}.call(..)` to call that one, and `{name}(value, ..)` for the function of this name"
                )),
            );
        }
        if hidden {
            self.error(
                Code::Refused,
                pos,
                format!(
                    "the function `{name}` of this script takes {}, so as a method either it or another `{name}` could be meant",
                    parameters(args)
                ),
                Some(format!(
                    "write `{name}(..)` with all arguments in the parentheses, or give the function of this script another name"
                )),
            );
        }
    }

    /// A method that changes its target, which is `way` steps into the root.
    fn change(&mut self, root: Val, way: &[Step], method: &Step, effect: Effect, d: Reg) -> Val {
        let StepKind::Method { name, args } = &method.kind else {
            unreachable!("found as a method")
        };
        let on = if way.is_empty() { root.ty } else { Type::Any };
        self.check_method(name, args.len(), on, method.pos);
        match effect {
            Effect::This(f) => {
                // Indices are needed again after the call, so they stand below the callee's window.
                let indices = self.row(way.len());
                let a = self.row(args.len() + 1);
                for (i, e) in args.iter().enumerate() {
                    self.expr(e, Some(a + 1 + i as Reg));
                }
                let way: Vec<PathStep> = way
                    .iter()
                    .enumerate()
                    .map(|(n, step)| match &step.kind {
                        StepKind::Index(i) => {
                            PathStep::Index(self.expr(i, Some(indices + n as Reg)).reg)
                        }
                        _ => self.way(std::slice::from_ref(step))[0],
                    })
                    .collect();
                self.pos = method.pos;
                if way.is_empty() {
                    self.emit(Op::Take { d: a, s: root.reg });
                    self.emit(Op::Call { d, a, f });
                    self.emit(Op::Take { d: root.reg, s: a });
                } else {
                    let take = self.path(way.clone(), Action::Take);
                    let put = self.path(way, Action::Put);
                    self.emit(Op::Path {
                        d: a,
                        root: root.reg,
                        a: 0,
                        k: take,
                    });
                    self.emit(Op::Call { d, a, f });
                    self.emit(Op::Path {
                        d: 0,
                        root: root.reg,
                        a,
                        k: put,
                    });
                }
                Val {
                    reg: d,
                    ty: Type::Any,
                }
            }
            Effect::Change { f, host } => {
                let (a, n) = self.fill_row(args.iter());
                let mut end = None;
                if host {
                    // Only the machine sees whether the target is the host's.
                    let mut target = root;
                    for step in way {
                        let out = self.reg();
                        target = self.step(target, step, out);
                    }
                    self.pos = method.pos;
                    let is_host = self.emit(Op::JumpHost {
                        a: target.reg,
                        t: 0,
                    });
                    let own = self.emit(Op::Jump { t: 0 });
                    self.patch(&[is_host]);
                    let list = std::iter::once(Arg::Val(target))
                        .chain(args.iter().enumerate().map(|(i, e)| match &e.kind {
                            ExprKind::Str(_) => Arg::Expr(e),
                            _ => Arg::Val(Val {
                                reg: a + i as Reg,
                                ty: Type::Any,
                            }),
                        }))
                        .collect();
                    self.host_call(name, list, method.pos, d, None);
                    end = Some(self.emit(Op::Jump { t: 0 }));
                    self.patch(&[own]);
                }
                let way = self.way(way);
                self.pos = method.pos;
                let declaration = &self.c.tables.library[f as usize];
                let (result, receiver) = (declaration.result, declaration.receiver);
                if way.is_empty() {
                    self.check_receiver(name, receiver, root.ty, method.pos);
                    self.emit(Op::Change {
                        d,
                        root: root.reg,
                        a,
                        n,
                        f,
                    });
                } else {
                    let k = self.path(way, Action::Change { f, n });
                    self.emit(Op::Path {
                        d,
                        root: root.reg,
                        a,
                        k,
                    });
                }
                self.patch(end.as_slice());
                Val {
                    reg: d,
                    ty: if host { Type::Any } else { result },
                }
            }
            Effect::None => unreachable!("only called with an effect"),
        }
    }

    /// One step of reading.
    pub(super) fn step(&mut self, val: Val, step: &Step, d: Reg) -> Val {
        self.pos = step.pos;
        match &step.kind {
            StepKind::Property(name) => self.get(val, name, step.pos, d),
            StepKind::Index(i) => self.index(val, i, step.pos, d),
            StepKind::Method { name, args } => match self.effect(name, args.len(), val.ty) {
                // The target is a passing value: it is changed and forgotten, as in Rhai.
                effect @ (Effect::This(_) | Effect::Change { .. }) => {
                    let s = self.reg();
                    self.emit(Op::Move { d: s, s: val.reg });
                    self.change(Val { reg: s, ty: val.ty }, &[], step, effect, d)
                }
                Effect::None => {
                    self.check_method(name, args.len(), val.ty, step.pos);
                    let list = std::iter::once(Arg::Val(val))
                        .chain(args.iter().map(Arg::Expr))
                        .collect();
                    self.call_with(name, list, true, step.pos, d)
                }
            },
        }
    }

    pub(super) fn index(&mut self, val: Val, i: &Expr, pos: Pos, d: Reg) -> Val {
        let ty = match val.ty {
            Type::Host(id) => self.c.interface.types[id.0 as usize].member,
            Type::Int | Type::Bool | Type::Char | Type::Unit | Type::Fn | Type::Range => {
                let name = self.c.tables.type_name(val.ty).to_string();
                self.error(
                    Code::TypeMismatch,
                    pos,
                    format!("{name} cannot be indexed"),
                    None,
                );
                Type::Any
            }
            _ => Type::Any,
        };
        let constant = self.fold(i);
        let small = constant
            .as_ref()
            .and_then(|v| v.as_int())
            .map(i32::try_from);
        if let Some(Ok(i)) = small {
            self.emit(Op::IndexInt { d, a: val.reg, i });
        } else if let Some(key) = constant.as_ref().and_then(|v| v.as_str())
            && val.ty == Type::Map
        {
            let p = self.property(&Name::from(key));
            self.emit(Op::IndexKey { d, a: val.reg, p });
        } else {
            let key = self.operand(i);
            self.pos = pos;
            self.emit(Op::Index {
                d,
                a: val.reg,
                b: key.reg,
            });
        }
        Val { reg: d, ty }
    }

    /// The declared property of a known host type.
    pub(super) fn slot_of(&self, id: TypeId, name: &str) -> Option<(Kind, u16, bool)> {
        let decl = self.c.tables.property_on(id, name)?;
        match (
            &decl.access,
            &self.c.interface.types[id.0 as usize].reprs[..],
        ) {
            (Access::Slot { slot, writable }, [Repr::Handle(kind)]) => {
                Some((*kind, *slot, *writable))
            }
            _ => None,
        }
    }

    pub(super) fn get(&mut self, val: Val, name: &Name, pos: Pos, d: Reg) -> Val {
        let ty = self.known_property(name, val.ty, pos);
        match val.ty {
            Type::Host(id) => {
                if let Some((kind, slot, _)) = self.slot_of(id, name) {
                    self.emit(Op::GetSlot {
                        d,
                        o: val.reg,
                        kind,
                        slot,
                    });
                    return Val { reg: d, ty };
                }
                if &**name == "len" && self.c.tables.property_on(id, name).is_none() {
                    self.emit(Op::Len { d, o: val.reg });
                    return Val {
                        reg: d,
                        ty: Type::Int,
                    };
                }
            }
            Type::Array if &**name == "len" => {
                self.emit(Op::Len { d, o: val.reg });
                return Val {
                    reg: d,
                    ty: Type::Int,
                };
            }
            _ => {}
        }
        let p = self.property(name);
        let (kind, slot) = self.likely_slot(name, false);
        self.emit(Op::Get {
            d,
            o: val.reg,
            kind,
            slot,
            p,
        });
        Val { reg: d, ty }
    }

    /// The first slot of this name: few names mean different things. Without one, a kind no handle has.
    pub(super) fn likely_slot(&self, name: &str, written: bool) -> (Kind, u16) {
        self.c
            .tables
            .properties(name)
            .iter()
            .filter_map(|property| self.slot_of(property.on, name))
            .find(|(_, _, writable)| *writable || !written)
            .map_or((NO_KIND, 0), |(kind, slot, _)| (kind, slot))
    }

    /// Checks that some value may have the property, and says what is known of its type.
    pub(super) fn known_property(&mut self, name: &Name, on: Type, pos: Pos) -> Type {
        match on {
            Type::Host(id) => {
                if let Some(decl) = self.c.tables.property_on(id, name) {
                    return decl.ty;
                }
                if matches!(&**name, "len" | "is_empty") {
                    return if &**name == "len" {
                        Type::Int
                    } else {
                        Type::Bool
                    };
                }
                let known = self
                    .c
                    .interface
                    .properties
                    .iter()
                    .filter(|p| p.on == id)
                    .map(|p| p.name.as_str());
                let mut help = did_you_mean(name, known);
                if help.is_none() && self.c.tables.has_host_function(name, 1) {
                    help = Some(format!("`{name}` is a function: write `{name}()`"));
                }
                let ty = self.c.tables.type_name(on).to_string();
                self.error(
                    Code::UnknownProperty,
                    pos,
                    format!("{ty} has no property `{name}`"),
                    help,
                );
                Type::Any
            }
            Type::Any | Type::Map => {
                let declared = self.c.tables.properties(name);
                if !declared.is_empty() && on == Type::Any {
                    // A map may have a key of that name too, so only agreement of all declarations would not be enough.
                    return Type::Any;
                }
                if self.c.keys.contains(name)
                    || on == Type::Any && library::PROPERTIES.contains(&&**name)
                {
                    return Type::Any;
                }
                let help = self.nearest_property(name).or_else(|| {
                    Some(format!(
                        "a key of a map that no map literal names is written as a text: `value[\"{name}\"]`"
                    ))
                });
                self.error(
                    Code::UnknownProperty,
                    pos,
                    format!("unknown property `{name}`"),
                    help,
                );
                Type::Any
            }
            other => {
                if let Some(ty) = library::property_type(other, name) {
                    return ty;
                }
                let ty = self.c.tables.type_name(other).to_string();
                let help = (!self.c.tables.arities(name).is_empty())
                    .then(|| format!("`{name}` is a function: write `{name}()`"));
                self.error(
                    Code::UnknownProperty,
                    pos,
                    format!("{ty} has no property `{name}`"),
                    help,
                );
                Type::Any
            }
        }
    }

    pub(super) fn nearest_property(&self, name: &str) -> Option<String> {
        let known = self
            .c
            .tables
            .property_names()
            .chain(self.c.keys.iter().map(|k| &**k))
            .chain(library::PROPERTIES.iter().copied());
        did_you_mean(name, known).or_else(|| {
            let function = !self.c.tables.arities(name).is_empty()
                || self.c.units[self.c.prelude()]
                    .functions
                    .keys()
                    .any(|(n, _)| &**n == name);
            function.then(|| format!("`{name}` is a function: write `{name}()`"))
        })
    }
}
