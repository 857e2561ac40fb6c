//! Members: reading along a chain, and assigning at its end.

use super::calls::Arg;
use super::{Lower, Val};
use crate::code::{Action, Op, Path, PathStep, Reg};
use crate::compile::fold::{Followed, Scope};
use crate::diagnostic::{Advice, Code, did_you_mean};
use crate::host::{Access, Host, Repr, Type, TypeId};
use crate::library;
use crate::tree::{Expr, ExprKind, Name, Pos, Step, StepKind};
use crate::value::{HandleKind, Value};

/// Kinds count from 0, and there are never so many.
const NO_KIND: HandleKind = HandleKind::MAX;

impl<H: Host> Lower<'_, '_, H> {
    pub(super) fn chain(&mut self, root: &Expr, steps: &[Step], want: Option<Reg>) -> Val {
        let d = self.or_reg(want);
        let before = self.ready.len();
        self.arguments_first(root, steps);
        let val = self.chain_in_order(root, steps, d);
        self.ready.truncate(before);
        val
    }

    fn chain_in_order(&mut self, root: &Expr, steps: &[Step], d: Reg) -> Val {
        let mut fixed = self.constant_name(root);
        let (mut val, mut at) = match self.constant_prefix(root, steps) {
            Ok((value, at)) => {
                // Behind a value of the host it is the host that changes.
                fixed = fixed.filter(|_| !value.is_host());
                match self.fixed_slot(&value, &steps[at..], d) {
                    Some(val) => (val, at + 1),
                    None => (self.load(&value, None), at),
                }
            }
            Err(true) => {
                return Val {
                    reg: d,
                    ty: Type::Any,
                };
            }
            Err(false) => (self.operand(root), 0),
        };
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
            self.check_reached(&steps[at..], val.ty);
            // Changes reach the variable where the chain starts, the host, or a passing value that is forgotten as in Rhai.
            if let Some((way, method, effect)) = self.change_ahead(&steps[at..], val.ty) {
                at += way.len() + 1;
                let last = at == steps.len();
                let out = if last && d != val.reg { d } else { self.reg() };
                val = match fixed.take() {
                    Some(name) => self.change_constant(&name, val, way, method, effect, out),
                    None => self.change(val, way, method, effect, out),
                };
                continue;
            }
            let last = at + 1 == steps.len();
            let out = if last { d } else { self.reg() };
            val = self.step(val, step, out);
            at += 1;
            fixed = None;
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
                    self.error_about(
                        &name,
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

    /// What a function that changes its first argument would change.
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
            self.error_about(
                name,
                Code::ReadOnly,
                pos,
                format!("`{name}` is a constant"),
                Some("use `let` instead of `const`".into()),
            );
        }
    }

    /// What a constant is called, if this is one.
    pub(super) fn constant_name(&self, root: &Expr) -> Option<Name> {
        match &root.kind {
            ExprKind::Var(name) => match self.local(name) {
                Some(local) => local.constant.then(|| name.clone()),
                None => Some(name.clone()),
            },
            ExprKind::Qualified(_, name) => Some(name.clone()),
            _ => None,
        }
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

    /// One step of reading.
    pub(super) fn step(&mut self, val: Val, step: &Step, d: Reg) -> Val {
        self.pos = step.pos;
        match &step.kind {
            StepKind::Property(name) => self.get(val, name, step.pos, d),
            StepKind::Index(i) => self.index(val, i, step.pos, d),
            StepKind::Method { name, args } => {
                self.check_method(name, args.len(), val.ty, step.pos);
                let list = std::iter::once(Arg::Val(val))
                    .chain(args.iter().map(Arg::Expr))
                    .collect();
                self.call_with(name, list, true, step.pos, d)
            }
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
            && self.c.program.properties.len() < u16::MAX as usize
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
    pub(super) fn slot_of(&self, id: TypeId, name: &str) -> Option<(HandleKind, u16, bool)> {
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
    pub(super) fn likely_slot(&self, name: &str, written: bool) -> (HandleKind, u16) {
        self.c
            .tables
            .properties(name)
            .iter()
            // Where a game declares a property of the same name as one that every game has, it is more likely the game's that is meant.
            .rev()
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
                    help = Some(format!("`{name}` is a function: write `{name}()`").into());
                }
                let ty = self.c.tables.type_name(on).to_string();
                self.error_about(
                    name,
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
                    ).into())
                });
                self.error_about(
                    name,
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
                self.error_about(
                    name,
                    Code::UnknownProperty,
                    pos,
                    format!("{ty} has no property `{name}`"),
                    help.map(Into::into),
                );
                Type::Any
            }
        }
    }

    pub(super) fn nearest_property(&self, name: &str) -> Option<Advice> {
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
            function.then(|| format!("`{name}` is a function: write `{name}()`").into())
        })
    }
}
