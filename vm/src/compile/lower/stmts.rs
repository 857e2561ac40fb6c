//! Statements and blocks.

use super::{Local, Lower};
use crate::code::{Op, Reg};
use crate::diagnostic::Code;
use crate::host::{Host, Type};
use crate::tree::{Block, Expr, ExprKind, Name, Stmt, StmtKind};

impl<H: Host> Lower<'_, '_, H> {
    /// Lowers a block; its value, if wanted, is that of its last statement.
    pub(super) fn block(&mut self, block: &Block, want: Option<Reg>) -> Type {
        let (locals, next) = (self.locals.len(), self.next);
        let mut ty = Type::Unit;
        let last = block.stmts.len().wrapping_sub(1);
        for (i, stmt) in block.stmts.iter().enumerate() {
            self.pos = stmt.pos;
            if !matches!(stmt.kind, StmtKind::Empty) {
                self.cover(stmt.pos, None);
            }
            ty = self.stmt(stmt, if i == last { want } else { None }, i == last);
        }
        if block.stmts.is_empty()
            && let Some(d) = want
        {
            self.emit(Op::Unit { d });
        }
        self.locals.truncate(locals);
        self.next = next;
        ty
    }

    /// Lowers a statement and leaves its value where it is wanted: `()` for those that have none. Registers used on the way are free again
    /// afterwards, but for that of a new variable.
    fn stmt(&mut self, stmt: &Stmt, want: Option<Reg>, last: bool) -> Type {
        let next = self.next;
        if let StmtKind::Let {
            name,
            value,
            constant,
        } = &stmt.kind
        {
            self.variable_declared(name, value, *constant);
            return self.nothing(want);
        }
        let ty = match &stmt.kind {
            StmtKind::Empty | StmtKind::Let { .. } => self.nothing(want),
            StmtKind::Assign { target, op, value } => {
                self.assign(target, *op, value, stmt.pos);
                self.nothing(want)
            }
            StmtKind::Expr(e) => self.expr_stmt(e, want, last),
            StmtKind::While { cond, body } => self.while_loop(cond.as_ref(), body, want),
            StmtKind::Do { body, cond, until } => self.do_loop(body, cond, *until, want),
            StmtKind::For {
                var,
                counter,
                over,
                body,
            } => self.for_loop(var, counter.as_ref(), over, body, want),
            StmtKind::Break(value) => self.break_loop(value.as_ref(), stmt.pos),
            StmtKind::Continue => self.continue_loop(stmt.pos),
            StmtKind::Return(value) => self.return_value(value.as_ref()),
            StmtKind::Throw(value) => self.throw(value.as_ref(), stmt.pos),
            StmtKind::Try { body, var, handler } => self.try_catch(body, var, handler, want),
        };
        self.next = next;
        ty
    }

    /// The value of what has none.
    pub(super) fn nothing(&mut self, want: Option<Reg>) -> Type {
        if let Some(d) = want {
            self.emit(Op::Unit { d });
        }
        Type::Unit
    }

    fn variable_declared(&mut self, name: &Name, value: &Expr, constant: bool) {
        let reg = self.reg();
        let val = self.expr(value, Some(reg));
        self.next = reg as u16 + 1;
        self.declare(name, reg, val.ty, constant);
    }

    fn expr_stmt(&mut self, e: &Expr, want: Option<Reg>, last: bool) -> Type {
        if let Some(d) = want {
            return self.expr(e, Some(d)).ty;
        }
        if !last {
            self.check_used(e);
        }
        self.discard(e);
        Type::Unit
    }

    fn return_value(&mut self, value: Option<&Expr>) -> Type {
        if self.return_in_place(value) {
            return Type::Any;
        }
        let val = value.map(|e| self.operand(e));
        self.close_tries(0);
        self.emit(match val {
            Some(val) => Op::Return { s: val.reg },
            None => Op::ReturnUnit,
        });
        Type::Any
    }

    pub(super) fn declare(&mut self, name: &Name, reg: Reg, ty: Type, constant: bool) {
        let ty = if self.reassigned.contains(name) {
            Type::Any
        } else {
            ty
        };
        self.locals.push(Local {
            name: name.clone(),
            reg,
            ty,
            constant,
        });
    }

    /// A comparison or a literal as a statement is a slip: `x == 1;` for `x = 1;`.
    fn check_used(&mut self, e: &Expr) {
        let what = match &e.kind {
            ExprKind::Binary(op, ..) if op.is_equality() => "this comparison is not used",
            ExprKind::Binary(..) | ExprKind::Unary(..) | ExprKind::In { .. } => {
                "this value is not used"
            }
            ExprKind::Int(_)
            | ExprKind::Str(_)
            | ExprKind::Bool(_)
            | ExprKind::Char(_)
            | ExprKind::Var(_) => "this value is not used",
            _ => return,
        };
        let help = match &e.kind {
            ExprKind::Binary(crate::code::BinOp::Eq, ..) => {
                "write `=` to assign, or use the result"
            }
            _ => "remove it, or use the result",
        };
        self.error(Code::UnusedValue, e.pos, what, Some(help.into()));
    }
}
