//! Statements of rhai's tree.

use super::Reader;
use crate::diagnostic::Code;
use crate::tree::*;
use rhai::{
    ASTFlags, BinaryExpr, Expr as RExpr, FlowControl, OpAssignment, Stmt as RStmt, StmtBlock,
};

impl Reader<'_> {
    pub(super) fn assignment(
        &mut self,
        op: &OpAssignment,
        sides: &BinaryExpr,
        at: Pos,
    ) -> StmtKind {
        let op = op.get_op_assignment_info().and_then(|info| {
            let op = BinOp::from_symbol(info.5);
            if op.is_none() {
                let message = format!("`{}` is not supported", info.3);
                self.refuse(Code::Refused, at, message, "");
            }
            op
        });
        let target = self.expr(&sides.lhs);
        let value = self.expr(&sides.rhs);
        self.pos = at;
        StmtKind::Assign { target, op, value }
    }

    pub(super) fn block_stmt(&mut self, block: &StmtBlock, pos: Pos) -> StmtKind {
        let kind = ExprKind::Block(self.block(block));
        StmtKind::Expr(Expr { pos, kind })
    }

    pub(super) fn if_else(&mut self, flow: &FlowControl, pos: Pos) -> StmtKind {
        let cond = Box::new(self.expr(&flow.expr));
        let then = self.block(&flow.body);
        let other = (!flow.branch.is_empty()).then(|| self.block(&flow.branch));
        let kind = ExprKind::If { cond, then, other };
        StmtKind::Expr(Expr { pos, kind })
    }

    pub(super) fn while_loop(&mut self, flow: &FlowControl) -> StmtKind {
        let cond = match &flow.expr {
            RExpr::Unit(_) => None,
            cond => Some(self.expr(cond)),
        };
        let body = self.block(&flow.body);
        StmtKind::While { cond, body }
    }

    pub(super) fn do_loop(&mut self, flow: &FlowControl, flags: ASTFlags) -> StmtKind {
        let body = self.block(&flow.body);
        let cond = self.expr(&flow.expr);
        let until = flags.contains(ASTFlags::NEGATED);
        StmtKind::Do { body, cond, until }
    }

    pub(super) fn leave_loop(&mut self, value: Option<&RExpr>, flags: ASTFlags) -> StmtKind {
        let value = value.map(|v| self.expr(v));
        match flags.contains(ASTFlags::BREAK) {
            true => StmtKind::Break(value),
            false => StmtKind::Continue,
        }
    }

    pub(super) fn leave_function(&mut self, value: Option<&RExpr>, flags: ASTFlags) -> StmtKind {
        let value = value.map(|v| self.expr(v));
        match flags.contains(ASTFlags::BREAK) {
            true => StmtKind::Throw(value),
            false => StmtKind::Return(value),
        }
    }

    pub(super) fn try_catch(&mut self, flow: &FlowControl) -> StmtKind {
        StmtKind::Try {
            body: self.block(&flow.body),
            var: match &flow.expr {
                RExpr::Variable(v, ..) => Some(v.1.as_str().into()),
                _ => None,
            },
            handler: self.block(&flow.branch),
        }
    }

    pub(super) fn refuse_stmt(&mut self, stmt: &RStmt, at: Pos) {
        let (message, help) = match stmt {
            RStmt::Import(..) => (
                "`import` inside a function is not supported".into(),
                "move it to the top of the file",
            ),
            RStmt::Export(..) => (
                "`export` inside a function is not supported".into(),
                "remove it",
            ),
            other => (format!("not supported: {other:?}"), ""),
        };
        self.refuse(Code::Refused, at, message, help);
    }
}
