//! Expressions, and conditions that branch.

use super::{Lower, Val};
use crate::code::{Op, Reg};
use crate::diagnostic::Code;
use crate::host::{Host, Type};
use crate::tree::{Expr, ExprKind, Pos};

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
        let val = self.expr_into(e, d);
        self.next = next;
        val
    }

    /// Where an expression was evaluated already.
    fn ready(&self, e: &Expr) -> Option<Val> {
        let found = self.ready.iter().find(|(ready, _)| std::ptr::eq(*ready, e));
        found.map(|(_, val)| *val)
    }

    fn expr_into(&mut self, e: &Expr, d: Reg) -> Val {
        self.pos = e.pos;
        if let Some(val) = self.ready(e) {
            self.emit(Op::Move { d, s: val.reg });
            return Val { reg: d, ty: val.ty };
        }
        if let Some(value) = self.fold(e) {
            return self.load(&value, Some(d));
        }
        let ty = match &e.kind {
            ExprKind::Unit
            | ExprKind::Bool(_)
            | ExprKind::Int(_)
            | ExprKind::Char(_)
            | ExprKind::Str(_) => unreachable!("literals fold"),
            ExprKind::Wrong => Type::Any,
            ExprKind::Var(name) => self.variable(name, e.pos, d),
            ExprKind::Qualified(module, name) => self.unknown_qualified(module, name, e.pos),
            ExprKind::This => self.this(d),
            ExprKind::Interpolated(parts) => self.text(parts, d),
            ExprKind::Array(items) => self.array(items, d),
            ExprKind::Map(entries) => self.map(entries, d),
            ExprKind::Call { module, name, args } => {
                self.call(module.as_ref(), name, args, e.pos, d).ty
            }
            ExprKind::Chain { root, steps } => self.chain(root, steps, Some(d)).ty,
            ExprKind::Unary(op, a) => self.unary(*op, a, e.pos, d),
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b, e.pos, d),
            ExprKind::And(_) | ExprKind::Or(_) => self.truth(e, d),
            ExprKind::Coalesce(list) => self.coalesce(list, d),
            ExprKind::Range {
                from,
                to,
                inclusive,
            } => self.range(from, to, *inclusive, e.pos, d),
            ExprKind::In { item, list } => self.membership(item, list, e.pos, d),
            ExprKind::Closure(c) => self.closure(c, e.pos, d),
            ExprKind::FnName(name) => self.function_name(name, e.pos, d),
            ExprKind::Block(block) => self.block(block, Some(d)),
            ExprKind::If { cond, then, other } => {
                self.if_else(cond, then, other.as_ref(), Some(d));
                Type::Any
            }
            ExprKind::Switch(switch) => {
                self.switch(switch, Some(d));
                Type::Any
            }
        };
        Val { reg: d, ty }
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
}
