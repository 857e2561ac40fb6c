//! Expressions, and conditions that branch.

use super::{Lower, Val, closure};
use crate::code::{BinOp, Op, Reg};
use crate::diagnostic::{Code, did_you_mean};
use crate::host::{Domain, Host, Type};
use crate::tree::{Expr, ExprKind, Name, Pos, StepKind, UnOp};
use crate::value::Value;

impl<H: Host> Lower<'_, '_, H> {
    /// Evaluates for the effects alone.
    pub(super) fn discard(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Block(block) => {
                self.block(block, None);
            }
            ExprKind::If { cond, then, other } => self.if_else(cond, then, other.as_ref(), None),
            ExprKind::Switch(switch) => self.switch(switch, None),
            _ => {
                self.operand(e);
            }
        }
    }

    /// Evaluates into any register: a variable stays where it is.
    pub(super) fn operand(&mut self, e: &Expr) -> Val {
        if let Some(val) = self.ready(e) {
            return val;
        }
        match &e.kind {
            ExprKind::Var(name) => {
                if let Some(local) = self.local(name) {
                    return Val {
                        reg: local.reg,
                        ty: local.ty,
                    };
                }
            }
            ExprKind::This if self.this => {
                return Val {
                    reg: 0,
                    ty: Type::Any,
                };
            }
            _ => {}
        }
        self.expr(e, None)
    }

    /// Evaluates into the wanted register, or into a fresh one. Registers used on the way are free again afterwards.
    pub(super) fn expr(&mut self, e: &Expr, want: Option<Reg>) -> Val {
        let d = self.or_reg(want);
        let next = self.next;
        let val = self.expr_into(e, Some(d));
        self.next = next;
        val
    }

    /// Where an expression was evaluated already.
    fn ready(&self, e: &Expr) -> Option<Val> {
        let found = self.ready.iter().find(|(ready, _)| std::ptr::eq(*ready, e));
        found.map(|(_, val)| *val)
    }

    pub(super) fn expr_into(&mut self, e: &Expr, want: Option<Reg>) -> Val {
        self.pos = e.pos;
        if let Some(val) = self.ready(e) {
            let d = self.or_reg(want);
            self.emit(Op::Move { d, s: val.reg });
            return Val { reg: d, ty: val.ty };
        }
        if let Some(value) = self.fold(e) {
            return self.load(&value, want);
        }
        let typed = |reg, ty| Val { reg, ty };
        match &e.kind {
            ExprKind::Unit
            | ExprKind::Bool(_)
            | ExprKind::Int(_)
            | ExprKind::Char(_)
            | ExprKind::Str(_) => {
                unreachable!("literals fold")
            }
            ExprKind::Wrong => typed(self.or_reg(want), Type::Any),
            ExprKind::Var(name) => match self.local(name).map(|l| (l.reg, l.ty)) {
                Some((s, ty)) => {
                    let d = self.or_reg(want);
                    if d != s {
                        self.emit(Op::Move { d, s });
                    }
                    typed(d, ty)
                }
                None => {
                    self.unknown_variable(name, e.pos);
                    typed(self.or_reg(want), Type::Any)
                }
            },
            ExprKind::Qualified(module, name) => {
                self.unknown_qualified(module, name, e.pos);
                typed(self.or_reg(want), Type::Any)
            }
            ExprKind::This => {
                let d = self.or_reg(want);
                if self.this {
                    self.emit(Op::Move { d, s: 0 });
                }
                typed(d, Type::Any)
            }
            ExprKind::Interpolated(parts) => {
                let (a, n) = self.fill_row(parts.iter());
                let d = self.or_reg(want);
                self.emit(Op::Text { d, a, n });
                typed(d, Type::Str)
            }
            ExprKind::Array(items) => {
                let (a, n) = self.fill_row(items.iter());
                let d = self.or_reg(want);
                self.emit(Op::Array { d, a, n });
                typed(d, Type::Array)
            }
            ExprKind::Map(entries) => {
                let (a, _) = self.fill_row(entries.iter().map(|(_, _, e)| e));
                // The very strings that property accesses look for.
                let shape = entries
                    .iter()
                    .map(|(key, _, _)| {
                        let property = self.property(key);
                        self.c.program.properties[property as usize].name.clone()
                    })
                    .collect();
                let k = self.c.program.shapes.len() as u32;
                self.c.program.shapes.push(shape);
                let d = self.or_reg(want);
                self.emit(Op::Map { d, a, k });
                typed(d, Type::Map)
            }
            ExprKind::Call { module, name, args } => {
                self.call(module.as_ref(), name, args, e.pos, want)
            }
            ExprKind::Chain { root, steps } => self.chain(root, steps, want),
            ExprKind::Unary(op, a) => {
                let val = self.operand(a);
                let d = self.or_reg(want);
                self.pos = e.pos;
                match op {
                    UnOp::Neg => {
                        self.expect(val.ty, Type::Int, a.pos, "a number");
                        self.emit(Op::Neg { d, a: val.reg });
                        typed(d, Type::Int)
                    }
                    UnOp::Plus => {
                        self.expect(val.ty, Type::Int, a.pos, "a number");
                        // Not by adding: that would also take a text.
                        self.emit(Op::SubInt {
                            d,
                            a: val.reg,
                            i: 0,
                        });
                        typed(d, Type::Int)
                    }
                    UnOp::Not => {
                        self.expect(val.ty, Type::Bool, a.pos, "true or false");
                        self.emit(Op::Not { d, a: val.reg });
                        typed(d, Type::Bool)
                    }
                }
            }
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b, e.pos, want),
            ExprKind::And(_) | ExprKind::Or(_) => {
                let d = self.or_reg(want);
                let jumps = self.cond(e, false);
                self.emit(Op::Bool { d, b: true });
                let end = self.emit(Op::Jump { t: 0 });
                self.patch(&jumps);
                self.emit(Op::Bool { d, b: false });
                self.patch(&[end]);
                typed(d, Type::Bool)
            }
            ExprKind::Coalesce(list) => {
                let d = self.or_reg(want);
                let mut ends = Vec::new();
                for (i, e) in list.iter().enumerate() {
                    self.expr(e, Some(d));
                    if i + 1 < list.len() {
                        ends.push(self.emit(Op::JumpNotUnit { a: d, t: 0 }));
                    }
                }
                self.patch(&ends);
                typed(d, Type::Any)
            }
            ExprKind::Range {
                from,
                to,
                inclusive,
            } => {
                let a = self.operand(from);
                let b = self.operand(to);
                self.expect(a.ty, Type::Int, from.pos, "a number");
                self.expect(b.ty, Type::Int, to.pos, "a number");
                let d = self.or_reg(want);
                self.pos = e.pos;
                self.emit(Op::Range {
                    d,
                    a: a.reg,
                    b: b.reg,
                    inclusive: *inclusive,
                });
                typed(d, Type::Range)
            }
            ExprKind::In { item, list } => {
                let b = self.operand(list);
                let a = self.operand(item);
                let d = self.or_reg(want);
                self.pos = e.pos;
                self.emit(Op::In {
                    d,
                    a: a.reg,
                    b: b.reg,
                });
                typed(d, Type::Bool)
            }
            ExprKind::Closure(c) => {
                if c.uses_this && !self.c.checked.lent.contains(&e.pos) {
                    self.c.values_with_this.push((self.file, e.pos));
                }
                // Rhai also lists constants and unknown names here; the body finds or reports those itself.
                let captures: Vec<Name> = c
                    .captures
                    .iter()
                    .filter(|name| self.local(name).is_some())
                    .cloned()
                    .collect();
                let a = self.row(captures.len());
                for (i, name) in captures.iter().enumerate() {
                    let s = self.local(name).expect("just asked").reg;
                    self.emit(Op::Move { d: a + i as Reg, s });
                }
                let n = captures.len() as u8;
                let k = closure(self.c, self.unit, self.file, self.read, captures, c, e.pos);
                let d = self.or_reg(want);
                self.emit(Op::Fn { d, a, n, k });
                typed(d, Type::Fn)
            }
            ExprKind::FnName(name) => {
                let mut named = self.c.units[self.unit].functions.iter();
                if named.any(|((n, _), id)| n == name && self.c.declared[*id as usize].uses_this) {
                    self.c.values_with_this.push((self.file, e.pos));
                }
                let d = self.or_reg(want);
                let k = self.pointer(name, e.pos);
                self.emit(Op::Fn { d, a: 0, n: 0, k });
                typed(d, Type::Fn)
            }
            ExprKind::Block(block) => {
                let d = self.or_reg(want);
                let ty = self.block(block, Some(d));
                typed(d, ty)
            }
            ExprKind::If { cond, then, other } => {
                let d = self.or_reg(want);
                self.if_else(cond, then, other.as_ref(), Some(d));
                typed(d, Type::Any)
            }
            ExprKind::Switch(switch) => {
                let d = self.or_reg(want);
                self.switch(switch, Some(d));
                typed(d, Type::Any)
            }
        }
    }

    /// Evaluates into fresh registers in a row.
    pub(super) fn fill_row<'e>(
        &mut self,
        list: impl ExactSizeIterator<Item = &'e Expr>,
    ) -> (Reg, u8) {
        let n = list.len();
        if n > 200 {
            self.error(
                Code::TooLarge,
                self.pos,
                format!("a literal of {n} items is too long unless all of them are constants"),
                Some("build it in steps, or make it a `const`".into()),
            );
            return (0, 0);
        }
        let a = self.row(n);
        let (pos, next) = (self.pos, self.next);
        for (i, e) in list.enumerate() {
            self.expr(e, Some(a.wrapping_add(i as Reg)));
            self.next = next;
        }
        self.pos = pos;
        (a, n as u8)
    }

    /// A known type must be this one.
    pub(super) fn expect(&mut self, ty: Type, wanted: Type, pos: Pos, what: &str) {
        if ty != Type::Any && ty != wanted {
            let found = self.c.tables.type_name(ty).to_string();
            self.error(
                Code::TypeMismatch,
                pos,
                format!("expected {what}, found {found}"),
                None,
            );
        }
    }

    pub(super) fn unknown_variable(&mut self, name: &Name, pos: Pos) {
        if self.c.unknown_constants.contains(name) {
            return;
        }
        let known: Vec<&str> = self
            .locals
            .iter()
            .map(|l| &*l.name)
            .chain(self.c.units[self.unit].constants.keys().map(|k| &**k))
            .chain(self.c.interface.constants.iter().map(|k| k.name.as_str()))
            .collect();
        let mut help = did_you_mean(name, known);
        if help.is_none()
            && self.c.units[self.unit]
                .functions
                .keys()
                .any(|(n, _)| n == name)
        {
            help = Some(format!(
                "`{name}` is a function: write `Fn(\"{name}\")` to use it as a value"
            ));
        }
        self.error_about(
            &name,
            Code::UnknownVariable,
            pos,
            format!("unknown variable `{name}`"),
            help,
        );
    }

    pub(super) fn unknown_qualified(&mut self, module: &Name, name: &Name, pos: Pos) {
        match self.imports().get(module).copied() {
            None => self.unknown_module(module, pos),
            Some(unit) => {
                let help = did_you_mean(name, self.c.units[unit].constants.keys().map(|k| &**k));
                self.error_about(
                    &module,
                    Code::UnknownVariable,
                    pos,
                    format!("`{module}` has no constant `{name}`"),
                    help,
                );
            }
        }
    }

    pub(super) fn unknown_module(&mut self, module: &Name, pos: Pos) {
        if self.c.missing[self.read].contains(module) {
            return;
        }
        let help = did_you_mean(module, self.imports().keys().map(|k| &**k)).or_else(|| {
            Some(format!(
                "write `import \"..\" as {module};` at the top of the file"
            ))
        });
        self.error_about(
            &module,
            Code::UnknownModule,
            pos,
            format!("unknown module `{module}`"),
            help,
        );
    }

    /// A script function named as a value: any arity, the call will find the right one.
    pub(super) fn pointer(&mut self, name: &Name, pos: Pos) -> u32 {
        let functions = &self.c.units[self.unit].functions;
        if let Some((_, id)) = functions
            .range((name.clone(), 0)..)
            .next()
            .filter(|((n, _), _)| n == name)
        {
            return *id;
        }
        let help = if self.c.tables.arities(name).is_empty() {
            did_you_mean(name, functions.keys().map(|(n, _)| &**n))
        } else {
            Some(format!("wrap it in a closure: `|x| {name}(x)`"))
        };
        self.error_about(
            &name,
            Code::UnknownFunction,
            pos,
            format!("there is no script function `{name}`"),
            help,
        );
        0
    }

    /// The domain of names a property holds, if every declared property of that name agrees.
    pub(super) fn names_of(&mut self, e: &Expr) -> Option<Domain> {
        let ExprKind::Chain { steps, .. } = &e.kind else {
            return None;
        };
        let StepKind::Property(name) = &steps.last()?.kind else {
            return None;
        };
        let declared = self.c.tables.properties(name);
        let first = declared.first()?.names?;
        declared
            .iter()
            .all(|p| p.names == Some(first))
            .then_some(first)
    }

    /// A literal compared with a property that holds names becomes the host's value.
    pub(super) fn name_literal(
        &mut self,
        beside: &Expr,
        literal: &Expr,
    ) -> Option<Value<H::Object>> {
        let ExprKind::Str(text) = &literal.kind else {
            return None;
        };
        let domain = self.names_of(beside)?;
        self.name_value(domain, text, literal.pos)
    }

    pub(super) fn name_value(
        &mut self,
        domain: Domain,
        text: &str,
        pos: Pos,
    ) -> Option<Value<H::Object>> {
        let decl = &self.c.interface.domains[domain.0 as usize];
        if let Some((_, value)) = decl.names.iter().find(|(n, _)| n == text) {
            return Some(value.clone());
        }
        let help = did_you_mean(text, decl.names.iter().map(|(n, _)| n.as_str()));
        let message = format!("unknown {} `{text}`", decl.what);
        self.error_about(text, Code::UnknownName, pos, message, help);
        None
    }

    /// The right side of an assignment to a property that holds names.
    pub(super) fn assigned_name(
        &mut self,
        target: &Expr,
        value: &Expr,
    ) -> Option<Value<H::Object>> {
        self.name_literal(target, value)
    }

    /// Both sides of a comparison, names resolved.
    pub(super) fn compared(&mut self, a: &Expr, b: &Expr) -> (Val, Val) {
        if let Some(name) = self.name_literal(a, b) {
            let x = self.operand(a);
            return (x, self.load(&name, None));
        }
        if let Some(name) = self.name_literal(b, a) {
            let x = self.load(&name, None);
            return (x, self.operand(b));
        }
        let x = self.operand(a);
        (x, self.operand(b))
    }

    pub(super) fn check_operands(&mut self, op: BinOp, a: Type, b: Type, pos: Pos) {
        let is_host = |ty| matches!(ty, Type::Host(_));
        if a == Type::Any || b == Type::Any || is_host(a) || is_host(b) || op.is_equality() {
            return;
        }
        let fine = if op.is_order() {
            a == b && matches!(a, Type::Int | Type::Str | Type::Char | Type::Bool)
                || matches!((a, b), (Type::Str, Type::Char) | (Type::Char, Type::Str))
        } else {
            match op {
                BinOp::Add => {
                    a == Type::Str
                        || b == Type::Str
                        || a == b && matches!(a, Type::Int | Type::Array | Type::Map | Type::Char)
                }
                BinOp::Sub => {
                    a == Type::Int && b == Type::Int
                        || a == Type::Str && matches!(b, Type::Str | Type::Char)
                }
                BinOp::BitAnd | BinOp::BitOr | BinOp::BitXor => {
                    a == b && matches!(a, Type::Int | Type::Bool)
                }
                _ => a == Type::Int && b == Type::Int,
            }
        };
        if !fine {
            let (x, y) = (
                self.c.tables.type_name(a).to_string(),
                self.c.tables.type_name(b).to_string(),
            );
            let message = if op.is_order() {
                format!(
                    "cannot compare {x} {} {y}: they have no common order",
                    op.symbol()
                )
            } else {
                format!("there is no `{x} {} {y}`", op.symbol())
            };
            self.error(Code::TypeMismatch, pos, message, None);
        }
    }

    pub(super) fn small(&self, e: &Expr) -> Option<i32> {
        self.fold(e)?.as_int()?.try_into().ok()
    }

    pub(super) fn binary(
        &mut self,
        op: BinOp,
        a: &Expr,
        b: &Expr,
        pos: Pos,
        want: Option<Reg>,
    ) -> Val {
        let small = match op {
            BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Div | BinOp::Rem => self.small(b),
            _ => None,
        };
        if let Some(i) = small {
            let x = self.operand(a);
            self.check_operands(op, x.ty, Type::Int, pos);
            let d = self.or_reg(want);
            self.pos = pos;
            let a = x.reg;
            self.emit(match op {
                BinOp::Add => Op::AddInt { d, a, i },
                BinOp::Sub => Op::SubInt { d, a, i },
                BinOp::Mul => Op::MulInt { d, a, i },
                BinOp::Div => Op::DivInt { d, a, i },
                _ => Op::RemInt { d, a, i },
            });
            return Val {
                reg: d,
                ty: result_type(op, x.ty, Type::Int),
            };
        }
        let (x, y) = if op.is_equality() {
            self.compared(a, b)
        } else {
            (self.operand(a), self.operand(b))
        };
        self.check_operands(op, x.ty, y.ty, pos);
        let d = self.or_reg(want);
        self.pos = pos;
        let (a, b) = (x.reg, y.reg);
        self.emit(match op {
            BinOp::Add => Op::Add { d, a, b },
            BinOp::Sub => Op::Sub { d, a, b },
            BinOp::Mul => Op::Mul { d, a, b },
            BinOp::Div => Op::Div { d, a, b },
            BinOp::Rem => Op::Rem { d, a, b },
            op => Op::Binary { op, d, a, b },
        });
        Val {
            reg: d,
            ty: result_type(op, x.ty, y.ty),
        }
    }
}

/// What an operator gives for known operands.
fn result_type(op: BinOp, a: Type, b: Type) -> Type {
    match op {
        _ if op.is_equality() || op.is_order() => Type::Bool,
        BinOp::Add if a == Type::Str || b == Type::Str => Type::Str,
        _ if a == Type::Int && b == Type::Int => Type::Int,
        _ => Type::Any,
    }
}
