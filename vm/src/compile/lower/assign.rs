//! Assignments: to variables, to members, and along chains of them.

use super::{Lower, Val};
use crate::code::{Action, BinOp, Op, Reg};
use crate::diagnostic::{Code, Pos};
use crate::host::{Host, Type, TypeId};
use crate::tree::{Expr, ExprKind, Name, Step, StepKind};

impl<H: Host> Lower<'_, '_, H> {
    pub(super) fn assign(&mut self, target: &Expr, op: Option<BinOp>, value: &Expr, pos: Pos) {
        match &target.kind {
            ExprKind::Var(name) => {
                let Some((reg, ty)) = self.local(name).map(|l| (l.reg, l.ty)) else {
                    let is_constant = self.fold(target).is_some();
                    if is_constant {
                        self.error_about(
                            name,
                            Code::ReadOnly,
                            pos,
                            format!("`{name}` is a constant"),
                            None,
                        );
                    } else {
                        self.operand(target);
                    }
                    return;
                };
                self.check_mutable(target, pos);
                self.assign_register(reg, ty, op, value, pos);
            }
            ExprKind::This if self.this => self.assign_register(0, Type::Any, op, value, pos),
            ExprKind::Chain { root, steps } => {
                self.assign_member(target, root, steps, op, value, pos)
            }
            _ => self.error(Code::Syntax, target.pos, "this cannot be assigned to", None),
        }
    }

    fn assign_register(&mut self, d: Reg, ty: Type, op: Option<BinOp>, value: &Expr, pos: Pos) {
        let Some(op) = op else {
            // What writes its target before it has read everything gets a register of its own first.
            let direct = match &value.kind {
                ExprKind::Binary(..)
                | ExprKind::Unary(..)
                | ExprKind::Call { .. }
                | ExprKind::Array(_)
                | ExprKind::Map(_)
                | ExprKind::Var(_)
                | ExprKind::Int(_)
                | ExprKind::Str(_)
                | ExprKind::Bool(_)
                | ExprKind::Unit => true,
                ExprKind::Chain { steps, .. } => steps.iter().all(|s| !s.safe),
                _ => false,
            };
            if direct {
                self.expr(value, Some(d));
            } else {
                let s = self.expr(value, None).reg;
                self.emit(Op::Take { d, s });
            }
            return;
        };
        let small = self
            .fold(value)
            .and_then(|v| v.as_int())
            .and_then(|i| i32::try_from(i).ok());
        match (op, small) {
            (BinOp::Add, Some(i)) if ty == Type::Int => {
                self.emit(Op::AddInt { d, a: d, i });
            }
            (BinOp::Add, Some(i)) => {
                self.emit(Op::AddToInt { d, i });
            }
            (BinOp::Sub, Some(i)) => {
                self.emit(Op::SubInt { d, a: d, i });
            }
            (BinOp::Mul, Some(i)) => {
                self.emit(Op::MulInt { d, a: d, i });
            }
            _ => {
                let b = self.operand(value).reg;
                self.pos = pos;
                self.emit(match op {
                    BinOp::Add => Op::AddTo { d, s: b },
                    BinOp::Sub => Op::Sub { d, a: d, b },
                    BinOp::Mul => Op::Mul { d, a: d, b },
                    BinOp::Div => Op::Div { d, a: d, b },
                    BinOp::Rem => Op::Rem { d, a: d, b },
                    op => Op::Binary { op, d, a: d, b },
                });
            }
        }
    }

    fn assign_member(
        &mut self,
        target: &Expr,
        root: &Expr,
        steps: &[Step],
        op: Option<BinOp>,
        value: &Expr,
        pos: Pos,
    ) {
        if let Some(step) = steps.iter().find(|s| s.safe) {
            let help = Some("test for `()` first, then assign".into());
            return self.error(
                Code::Refused,
                step.pos,
                "`?.` on the left of an assignment is not supported",
                help,
            );
        }
        if let Some(Step {
            kind: StepKind::Method { .. },
            pos,
            ..
        }) = steps.last()
        {
            return self.error(Code::Syntax, *pos, "a call cannot be assigned to", None);
        }
        // A constant that is a host value stands for something the host may change.
        if self.fold(root).is_some_and(|constant| !constant.is_host()) {
            return self.error(
                Code::ReadOnly,
                pos,
                "a constant cannot be changed",
                Some("copy it with `let` first".into()),
            );
        }
        // As in Rhai, the new value comes before the indices.
        let small = match op {
            Some(BinOp::Add | BinOp::Sub) => self
                .fold(value)
                .and_then(|v| v.as_int())
                .and_then(|i| i16::try_from(i).ok())
                .filter(|i| *i != i16::MIN),
            _ => None,
        };
        let name = if op.is_none() {
            self.assigned_name(target, value)
        } else {
            None
        };
        let bumps =
            small.is_some() && matches!(steps.last().map(|s| &s.kind), Some(StepKind::Property(_)));
        let new = match name {
            Some(name) => self.load(&name, None),
            None if bumps => Val {
                reg: 0,
                ty: Type::Int,
            },
            None => self.operand(value),
        };
        let before = self.ready.len();
        self.arguments_first(root, steps);
        self.assign_along(root, steps, op, new, small.filter(|_| bumps), pos);
        self.ready.truncate(before);
    }

    /// Assigns at the end of a chain. `bump`: the amount of `+=` or `-=`, if it is a small constant.
    fn assign_along(
        &mut self,
        root: &Expr,
        steps: &[Step],
        op: Option<BinOp>,
        new: Val,
        bump: Option<i16>,
        pos: Pos,
    ) {
        // Calls on the way give passing values; from there on the way is a plain one.
        let called = steps
            .iter()
            .rposition(|s| matches!(s.kind, StepKind::Method { .. }))
            .map_or(0, |i| i + 1);
        let mut val = if called == 0 {
            self.operand(root)
        } else {
            self.chain(root, &steps[..called], None)
        };
        let mut rest = &steps[called..];
        if called == 0 {
            self.check_mutable(root, pos);
        }
        let by_property = matches!(rest[0].kind, StepKind::Property(_));
        if called == 0
            && by_property
            && !matches!(val.ty, Type::Host(_))
            && self.c.checked.shared.contains(&pos)
            && let ExprKind::Var(name) = &root.kind
        {
            self.error_about(
                name,
                Code::Capture,
                pos,
                format!("a closure shares `{name}`, and it is not known to be a value of the host"),
                Some(format!(
                    "`let own = {name};` and change that: a value of the host changes all the same"
                ).into()),
            );
        }
        // Through a known host type the way is known when compiling, as far as what is read there is no copy.
        while rest.len() > 1
            && let Type::Host(id) = val.ty
        {
            if let StepKind::Property(name) = &rest[0].kind
                && let Some(decl) = self.c.tables.property_on(id, name)
                && !matches!(decl.ty, Type::Host(_))
            {
                if decl.ty != Type::Any && !decl.access.is_writable() {
                    return self.copy_changed(name, val.ty, rest[0].pos);
                }
                break;
            }
            let d = self.reg();
            val = self.step(val, &rest[0], d);
            rest = &rest[1..];
        }
        self.pos = pos;
        if let [step] = rest {
            return self.assign_step(val, step, op, new, bump, pos);
        }
        let s = match bump {
            Some(i) => {
                let d = self.reg();
                self.emit(Op::Int { d, i: i as i32 });
                d
            }
            // The root is away while the machine walks into it.
            _ if new.reg == val.reg => {
                let d = self.reg();
                self.emit(Op::Move { d, s: new.reg });
                d
            }
            _ => new.reg,
        };
        let way = self.way(rest);
        self.pos = pos;
        let k = self.path(way, op.map_or(Action::Set, Action::Update));
        self.emit(Op::Path {
            d: 0,
            root: val.reg,
            a: s,
            k,
        });
    }

    /// `card.numbers[0] = 9`: what the host hands out is a copy, and it takes none back.
    fn copy_changed(&mut self, name: &Name, on: Type, pos: Pos) {
        let ty = self.c.tables.type_name(on).to_string();
        self.error_about(
            name,
            Code::ReadOnly,
            pos,
            format!("property `{name}` of {ty} cannot be set, and this would change it"),
            Some("copy it with `let` first".into()),
        );
    }

    /// Assigns to one member of `val`. `bump`: the amount of `+=` or `-=`, if it is a small constant.
    fn assign_step(
        &mut self,
        val: Val,
        step: &Step,
        op: Option<BinOp>,
        new: Val,
        bump: Option<i16>,
        pos: Pos,
    ) {
        let (o, s) = (val.reg, new.reg);
        match &step.kind {
            StepKind::Property(name) => {
                if !(op.is_none() && val.ty == Type::Map) {
                    self.writable_property(name, val.ty, step.pos);
                }
                if let Type::Host(id) = val.ty
                    && let Some((kind, slot, true)) = self.slot_of(id, name)
                {
                    match (op, bump) {
                        (Some(op), Some(i)) => {
                            let i = if op == BinOp::Sub { -i } else { i };
                            self.emit(Op::BumpSlot { o, kind, i, slot });
                            return;
                        }
                        (None, _) => {
                            self.check_slot_type(id, name, new.ty, pos);
                            self.emit(Op::SetSlot { o, s, kind, slot });
                            return;
                        }
                        (Some(BinOp::Add), _) => {
                            self.emit(Op::AddSlot { o, s, kind, slot });
                            return;
                        }
                        (Some(BinOp::Sub), _) => {
                            self.emit(Op::SubSlot { o, s, kind, slot });
                            return;
                        }
                        _ => {}
                    }
                }
                let p = self.property(name);
                match (op, bump) {
                    (None, _) => {
                        let (kind, slot) = self.likely_slot(name, true);
                        self.emit(Op::Set {
                            o,
                            s,
                            kind,
                            slot,
                            p,
                        })
                    }
                    (Some(op), Some(i)) => self.bump(o, name, op, i, p),
                    (Some(op), None) => self.emit(Op::Update { op, o, s, p }),
                };
            }
            StepKind::Index(i) => {
                let b = self.operand(i).reg;
                self.pos = pos;
                match op {
                    None => self.emit(Op::SetIndex { a: o, b, s }),
                    Some(op) => self.emit(Op::UpdateIndex { op, a: o, b, s }),
                };
            }
            StepKind::Method { .. } => {}
        }
    }

    /// `o.name += i` or `-= i`. The sign says which of the two was written, since `+= -5` appends to a list and `-= 5` does not.
    fn bump(&mut self, o: Reg, name: &Name, op: BinOp, i: i16, p: u16) -> usize {
        let signed = if op == BinOp::Sub { -i } else { i };
        match i8::try_from(signed) {
            Ok(signed) if (signed < 0) == (op == BinOp::Sub) => {
                let (kind, slot) = self.likely_slot(name, true);
                let i = signed;
                self.emit(Op::Bump {
                    o,
                    i,
                    kind,
                    slot,
                    p,
                })
            }
            _ => {
                let s = self.reg();
                self.emit(Op::Int { d: s, i: i as i32 });
                self.emit(Op::Update { op, o, s, p })
            }
        }
    }

    /// Checks that the property exists and may be set.
    fn writable_property(&mut self, name: &Name, on: Type, pos: Pos) {
        if let Type::Host(id) = on {
            let before = self.c.out.len();
            self.known_property(name, on, pos);
            if self.c.out.len() > before {
                return;
            }
            let writable = self
                .c
                .tables
                .property_on(id, name)
                .is_some_and(|d| d.access.is_writable());
            if !writable {
                let ty = self.c.tables.type_name(on).to_string();
                self.error_about(
                    name,
                    Code::ReadOnly,
                    pos,
                    format!("property `{name}` of {ty} cannot be set"),
                    None,
                );
            }
        } else {
            self.known_property(name, on, pos);
        }
    }

    fn check_slot_type(&mut self, id: TypeId, name: &str, ty: Type, pos: Pos) {
        let Some(decl) = self.c.tables.property_on(id, name) else {
            return;
        };
        // A slot may be emptied with `()`, and names have types of their own: the host decides on those.
        let plain = |t| {
            matches!(
                t,
                Type::Int | Type::Bool | Type::Str | Type::Char | Type::Array | Type::Map
            )
        };
        if decl.names.is_none() && plain(decl.ty) && plain(ty) && decl.ty != ty {
            let (wanted, found) = (
                self.c.tables.type_name(decl.ty).to_string(),
                self.c.tables.type_name(ty).to_string(),
            );
            self.error_about(
                name,
                Code::TypeMismatch,
                pos,
                format!("property `{name}` holds {wanted}, not {found}"),
                None,
            );
        }
    }
}
