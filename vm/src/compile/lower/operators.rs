//! Operators of two operands.

use super::{Lower, Val};
use crate::code::{BinOp, Op, Reg};
use crate::diagnostic::Code;
use crate::host::{Host, Type};
use crate::tree::{Expr, Pos};
use crate::value::Value;

impl<H: Host> Lower<'_, '_, H> {
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

    /// The side of a comparison that has to be worked out, and the constant the other side is: a text, or a name the host knows.
    pub(super) fn compared_constant<'e>(
        &mut self,
        a: &'e Expr,
        b: &'e Expr,
    ) -> Option<(&'e Expr, u16)> {
        for (beside, constant) in [(a, b), (b, a)] {
            let value = match self.fold(constant) {
                Some(text @ Value::Str(_)) => match self.name_literal(beside, constant) {
                    Some(name) => name,
                    None => text,
                },
                Some(handle @ Value::Handle(..)) => handle,
                _ => continue,
            };
            let k = u16::try_from(self.constant(&value)).ok()?;
            return Some((beside, k));
        }
        None
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

    pub(super) fn binary(&mut self, op: BinOp, a: &Expr, b: &Expr, pos: Pos, d: Reg) -> Type {
        let small = match op {
            BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Div | BinOp::Rem => self.small(b),
            _ => None,
        };
        if let Some(i) = small {
            let x = self.operand(a);
            self.check_operands(op, x.ty, Type::Int, pos);
            self.pos = pos;
            let a = x.reg;
            self.emit(match op {
                BinOp::Add => Op::AddInt { d, a, i },
                BinOp::Sub => Op::SubInt { d, a, i },
                BinOp::Mul => Op::MulInt { d, a, i },
                BinOp::Div => Op::DivInt { d, a, i },
                _ => Op::RemInt { d, a, i },
            });
            return result_type(op, x.ty, Type::Int);
        }
        let (x, y) = if op.is_equality() {
            self.compared(a, b)
        } else {
            (self.operand(a), self.operand(b))
        };
        self.check_operands(op, x.ty, y.ty, pos);
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
        result_type(op, x.ty, y.ty)
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
