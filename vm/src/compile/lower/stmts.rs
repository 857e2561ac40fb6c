//! Statements and blocks.

use super::{Local, Loop, Lower};
use crate::code::{Op, Reg};
use crate::diagnostic::Code;
use crate::host::{Host, Type};
use crate::tree::{Block, Expr, ExprKind, Name, Pos, Stmt, StmtKind};
use crate::value::Value;

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
    fn nothing(&mut self, want: Option<Reg>) -> Type {
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

    fn while_loop(&mut self, cond: Option<&Expr>, body: &Block, want: Option<Reg>) -> Type {
        let (top, next) = (self.here(), self.next);
        let exits = match cond {
            Some(cond) => self.cond(cond, false),
            None => Vec::new(),
        };
        self.next = next;
        let done = self.loop_body(want, body);
        self.patch(&done.continues);
        self.back(top);
        self.patch(&exits);
        if !exits.is_empty() {
            self.nothing(want);
        }
        self.patch(&done.breaks);
        Type::Any
    }

    fn do_loop(&mut self, body: &Block, cond: &Expr, until: bool, want: Option<Reg>) -> Type {
        let top = self.here();
        let done = self.loop_body(want, body);
        self.pos = cond.pos;
        let exits = self.cond(cond, until);
        self.back(top);
        if !done.continues.is_empty() {
            // In Rhai, `continue` in such a loop begins the next round without looking at the condition.
            self.patch(&done.continues);
            self.back(top);
        }
        self.patch(&exits);
        self.nothing(want);
        self.patch(&done.breaks);
        Type::Any
    }

    fn break_loop(&mut self, value: Option<&Expr>, pos: Pos) -> Type {
        let Some((wanted, tries)) = self.loops.last().map(|l| (l.value, l.tries)) else {
            self.error(Code::Syntax, pos, "`break` outside a loop", None);
            return Type::Unit;
        };
        match (value, wanted) {
            (Some(e), Some(d)) => {
                self.expr(e, Some(d));
            }
            (Some(e), None) => self.discard(e),
            (None, wanted) => {
                self.nothing(wanted);
            }
        }
        self.close_tries(tries);
        let jump = self.emit(Op::Jump { t: 0 });
        self.loops.last_mut().expect("just asked").breaks.push(jump);
        Type::Any
    }

    fn continue_loop(&mut self, pos: Pos) -> Type {
        let Some(tries) = self.loops.last().map(|l| l.tries) else {
            self.error(Code::Syntax, pos, "`continue` outside a loop", None);
            return Type::Unit;
        };
        self.close_tries(tries);
        let jump = self.emit(Op::Jump { t: 0 });
        let inner = self.loops.last_mut().expect("just asked");
        inner.continues.push(jump);
        Type::Any
    }

    fn return_value(&mut self, value: Option<&Expr>) -> Type {
        let val = value.map(|e| self.operand(e));
        self.close_tries(0);
        self.emit(match val {
            Some(val) => Op::Return { s: val.reg },
            None => Op::ReturnUnit,
        });
        Type::Any
    }

    fn try_catch(
        &mut self,
        body: &Block,
        var: &Option<Name>,
        handler: &Block,
        want: Option<Reg>,
    ) -> Type {
        let r = self.reg();
        let open = self.emit(Op::Try { r, t: 0 });
        self.tries += 1;
        self.block(body, want);
        self.tries -= 1;
        self.emit(Op::EndTry);
        let end = self.emit(Op::Jump { t: 0 });
        self.patch(&[open]);
        let locals = self.locals.len();
        if let Some(name) = var {
            // The handler may change its variable; what it throws again is what it caught.
            let own = self.reg();
            self.emit(Op::Move { d: own, s: r });
            self.declare(name, own, Type::Any, false);
        }
        self.caught.push((r, self.tries));
        self.block(handler, None);
        self.caught.pop();
        self.locals.truncate(locals);
        self.nothing(want);
        self.patch(&[end]);
        Type::Any
    }

    /// As in Rhai, a handler that throws `()`, or nothing, throws what it caught; unless a `try` inside of it catches that first.
    fn throw(&mut self, value: Option<&Expr>, pos: Pos) -> Type {
        let val = match value {
            Some(e) => self.operand(e),
            None => self.load(&Value::Unit, None),
        };
        let mut s = val.reg;
        let outside: Vec<Reg> = self
            .caught
            .iter()
            .rev()
            .take_while(|(_, tries)| *tries == self.tries)
            .map(|(caught, _)| *caught)
            .collect();
        if !outside.is_empty() && matches!(val.ty, Type::Unit | Type::Any) {
            s = self.reg();
            self.emit(Op::Move { d: s, s: val.reg });
            let mut thrown = Vec::new();
            for caught in outside {
                thrown.push(self.emit(Op::JumpNotUnit { a: s, t: 0 }));
                self.emit(Op::Move { d: s, s: caught });
            }
            self.patch(&thrown);
        }
        self.pos = pos;
        self.emit(Op::Throw { s });
        Type::Any
    }

    fn declare(&mut self, name: &Name, reg: Reg, ty: Type, constant: bool) {
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

    fn close_tries(&mut self, outside: usize) {
        for _ in outside..self.tries {
            self.emit(Op::EndTry);
        }
    }

    /// Lowers the body of a loop, and gives the jumps out of it and back.
    fn loop_body(&mut self, value: Option<Reg>, body: &Block) -> Loop {
        self.loops.push(Loop {
            breaks: Vec::new(),
            continues: Vec::new(),
            value,
            tries: self.tries,
        });
        self.block(body, None);
        self.loops.pop().expect("just pushed")
    }

    /// What one round of the loop that began at `top` costs of the budget.
    fn cost(&self, top: u32) -> u16 {
        (self.here() - top + 1).min(u16::MAX as u32) as u16
    }

    fn back(&mut self, top: u32) {
        let cost = self.cost(top);
        self.emit(Op::Loop { cost, t: top });
    }

    fn for_loop(
        &mut self,
        var: &Name,
        counter: Option<&Name>,
        over: &Expr,
        body: &Block,
        want: Option<Reg>,
    ) -> Type {
        let locals = self.locals.len();
        match (&over.kind, counter) {
            (ExprKind::Range { .. }, None) => self.for_range(var, over, body, want),
            _ => self.for_items(var, counter, over, body, want),
        }
        self.locals.truncate(locals);
        Type::Any
    }

    /// A loop over a range that is written there: no range is made.
    fn for_range(&mut self, var: &Name, over: &Expr, body: &Block, want: Option<Reg>) {
        let ExprKind::Range {
            from,
            to,
            inclusive,
        } = &over.kind
        else {
            return;
        };
        let r = self.row(3);
        let small = self.small(from).and_then(|i| i8::try_from(i).ok());
        let bounds = [(from, r), (to, r + 1)];
        for (bound, reg) in bounds.into_iter().skip(small.is_some() as usize) {
            let val = self.expr(bound, Some(reg));
            self.check_bound(val.ty, bound.pos);
        }
        self.pos = over.pos;
        let (inclusive, t) = (*inclusive, 0);
        let start = self.emit(match small {
            Some(from) => Op::ForFrom {
                r,
                inclusive,
                from,
                t,
            },
            None => Op::ForStart { r, inclusive, t },
        });
        let top = self.here();
        // A body that changes its variable must not change the count.
        let reg = self.own_if_assigned(var, r, r + 2);
        self.declare(var, reg, Type::Int, false);
        let done = self.loop_body(want, body);
        self.patch(&done.continues);
        self.pos = over.pos;
        let cost = self.cost(top);
        self.emit(Op::ForNext { r, cost, t: top });
        self.patch(&[start]);
        self.nothing(want);
        self.patch(&done.breaks);
    }

    fn check_bound(&mut self, ty: Type, pos: Pos) {
        if !matches!(ty, Type::Int | Type::Any) {
            let ty = self.c.tables.type_name(ty).to_string();
            self.error(
                Code::TypeMismatch,
                pos,
                format!("a range needs numbers, found {ty}"),
                None,
            );
        }
    }

    /// Where a loop's variable stands: where the loop counts, unless the body assigns it.
    fn own_if_assigned(&mut self, name: &Name, counted: Reg, own: Reg) -> Reg {
        if !self.assigned.contains(name) {
            return counted;
        }
        self.emit(Op::Move { d: own, s: counted });
        own
    }

    /// A loop over the items of any value.
    fn for_items(
        &mut self,
        var: &Name,
        counter: Option<&Name>,
        over: &Expr,
        body: &Block,
        want: Option<Reg>,
    ) {
        let r = self.row(if counter.is_some() { 5 } else { 3 });
        let val = self.expr(over, Some(r));
        let member = self.member_type(val.ty, over);
        self.pos = over.pos;
        self.emit(Op::Int { d: r + 1, i: 0 });
        if counter.is_some() {
            self.emit(Op::Int { d: r + 3, i: -1 });
        }
        let top = self.here();
        let exit = self.emit(match counter {
            Some(_) => Op::NextCounted { r, t: 0 },
            None => Op::Next { r, t: 0 },
        });
        self.declare(var, r + 2, member, false);
        if let Some(name) = counter {
            let reg = self.own_if_assigned(name, r + 3, r + 4);
            self.declare(name, reg, Type::Int, false);
        }
        let done = self.loop_body(want, body);
        self.patch(&done.continues);
        self.back(top);
        self.patch(&[exit]);
        self.nothing(want);
        self.patch(&done.breaks);
        // The list is no longer in use: the next change to it need not copy.
        self.emit(Op::Unit { d: r });
    }

    /// What going through a value of this type gives.
    fn member_type(&mut self, ty: Type, over: &Expr) -> Type {
        match ty {
            Type::Str => Type::Char,
            Type::Range => Type::Int,
            Type::Host(id) => self.c.interface.types[id.0 as usize].member,
            Type::Array | Type::Any => Type::Any,
            Type::Map => {
                self.error(
                    Code::TypeMismatch,
                    over.pos,
                    "cannot go through a map with `for`",
                    Some("go through its `keys()` or its `values()`".into()),
                );
                Type::Any
            }
            other => {
                let name = self.c.tables.type_name(other).to_string();
                self.error(
                    Code::TypeMismatch,
                    over.pos,
                    format!("cannot go through {name} with `for`"),
                    None,
                );
                Type::Any
            }
        }
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
