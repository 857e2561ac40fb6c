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

    /// Lowers a statement and leaves its value where it is wanted: `()` for those that have none.
    fn stmt(&mut self, stmt: &Stmt, want: Option<Reg>, last: bool) -> Type {
        let next = self.next;
        let unit = |lower: &mut Self| {
            if let Some(d) = want {
                lower.emit(Op::Unit { d });
            }
            Type::Unit
        };
        match &stmt.kind {
            StmtKind::Empty => return unit(self),
            StmtKind::Let {
                name,
                value,
                constant,
            } => {
                let reg = self.reg();
                let val = self.expr(value, Some(reg));
                self.next = reg as u16 + 1;
                self.declare(name, reg, val.ty, *constant);
                return unit(self);
            }
            StmtKind::Assign { target, op, value } => {
                self.assign(target, *op, value, stmt.pos);
                self.next = next;
                return unit(self);
            }
            StmtKind::Expr(e) => {
                let ty = match want {
                    Some(d) => self.expr(e, Some(d)).ty,
                    None => {
                        if !last {
                            self.check_used(e);
                        }
                        self.discard(e);
                        Type::Unit
                    }
                };
                self.next = next;
                return ty;
            }
            StmtKind::While { cond, body } => {
                let top = self.here();
                let exits = match cond {
                    Some(cond) => self.cond(cond, false),
                    None => Vec::new(),
                };
                self.next = next;
                self.loop_body(want, body);
                let done = self.loops.pop().expect("pushed by the body");
                self.patch(&done.continues);
                self.back(top);
                self.patch(&exits);
                if !exits.is_empty()
                    && let Some(d) = want
                {
                    self.emit(Op::Unit { d });
                }
                self.patch(&done.breaks);
            }
            StmtKind::Do { body, cond, until } => {
                let top = self.here();
                self.loop_body(want, body);
                let done = self.loops.pop().expect("pushed by the body");
                self.pos = cond.pos;
                let exits = self.cond(cond, *until);
                self.back(top);
                if !done.continues.is_empty() {
                    // In Rhai, `continue` in such a loop begins the next round without looking at the condition.
                    self.patch(&done.continues);
                    self.back(top);
                }
                self.patch(&exits);
                if let Some(d) = want {
                    self.emit(Op::Unit { d });
                }
                self.patch(&done.breaks);
            }
            StmtKind::For {
                var,
                counter,
                over,
                body,
            } => self.for_loop(var, counter.as_ref(), over, body, want),
            StmtKind::Break(value) => {
                let Some(target) = self.loops.last().map(|l| (l.value, l.tries)) else {
                    self.error(Code::Syntax, stmt.pos, "`break` outside a loop", None);
                    return Type::Unit;
                };
                match (value, target.0) {
                    (Some(e), Some(d)) => {
                        self.expr(e, Some(d));
                    }
                    (Some(e), None) => self.discard(e),
                    (None, Some(d)) => {
                        self.emit(Op::Unit { d });
                    }
                    (None, None) => {}
                }
                self.close_tries(target.1);
                let jump = self.emit(Op::Jump { t: 0 });
                self.loops.last_mut().expect("just asked").breaks.push(jump);
                self.next = next;
                return Type::Any;
            }
            StmtKind::Continue => {
                let Some(tries) = self.loops.last().map(|l| l.tries) else {
                    self.error(Code::Syntax, stmt.pos, "`continue` outside a loop", None);
                    return Type::Unit;
                };
                self.close_tries(tries);
                let jump = self.emit(Op::Jump { t: 0 });
                self.loops
                    .last_mut()
                    .expect("just asked")
                    .continues
                    .push(jump);
                return Type::Any;
            }
            StmtKind::Return(value) => {
                match value {
                    Some(e) => {
                        let val = self.operand(e);
                        self.close_tries(0);
                        self.emit(Op::Return { s: val.reg });
                    }
                    None => {
                        self.close_tries(0);
                        self.emit(Op::ReturnUnit);
                    }
                }
                self.next = next;
                return Type::Any;
            }
            StmtKind::Throw(value) => {
                self.throw(value.as_ref(), stmt.pos);
                self.next = next;
                return Type::Any;
            }
            StmtKind::Try { body, var, handler } => {
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
                if let Some(d) = want {
                    self.emit(Op::Unit { d });
                }
                self.patch(&[end]);
                self.next = next;
                return Type::Any;
            }
        }
        self.next = next;
        Type::Any
    }

    /// As in Rhai, a handler that throws `()`, or nothing, throws what it caught; unless a `try` inside of it catches that first.
    fn throw(&mut self, value: Option<&Expr>, pos: Pos) {
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

    fn loop_body(&mut self, value: Option<Reg>, body: &Block) {
        self.loops.push(Loop {
            breaks: Vec::new(),
            continues: Vec::new(),
            value,
            tries: self.tries,
        });
        self.block(body, None);
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
    ) {
        let locals = self.locals.len();
        match (&over.kind, counter) {
            (
                ExprKind::Range {
                    from,
                    to,
                    inclusive,
                },
                None,
            ) => {
                let r = self.row(3);
                let small = self
                    .fold(from)
                    .and_then(|v| v.as_int())
                    .and_then(|i| i8::try_from(i).ok());
                let bounds = [(from, r), (to, r + 1)];
                for (bound, reg) in bounds.into_iter().skip(small.is_some() as usize) {
                    let val = self.expr(bound, Some(reg));
                    if !matches!(val.ty, Type::Int | Type::Any) {
                        let ty = self.c.tables.type_name(val.ty).to_string();
                        self.error(
                            Code::TypeMismatch,
                            bound.pos,
                            format!("a range needs numbers, found {ty}"),
                            None,
                        );
                    }
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
                let reg = if self.assigned.contains(var) {
                    self.emit(Op::Move { d: r + 2, s: r });
                    r + 2
                } else {
                    r
                };
                self.declare(var, reg, Type::Int, false);
                self.loop_body(want, body);
                let done = self.loops.pop().expect("pushed by the body");
                self.patch(&done.continues);
                self.pos = over.pos;
                let cost = self.cost(top);
                self.emit(Op::ForNext { r, cost, t: top });
                self.patch(&[start]);
                if let Some(d) = want {
                    self.emit(Op::Unit { d });
                }
                self.patch(&done.breaks);
            }
            _ => {
                let r = self.row(if counter.is_some() { 5 } else { 3 });
                let val = self.expr(over, Some(r));
                let member = self.member_type(val.ty, over);
                self.pos = over.pos;
                self.emit(Op::Int { d: r + 1, i: 0 });
                if counter.is_some() {
                    self.emit(Op::Int { d: r + 3, i: -1 });
                }
                let top = self.here();
                let step = match counter {
                    Some(_) => Op::NextCounted { r, t: 0 },
                    None => Op::Next { r, t: 0 },
                };
                let exit = self.emit(step);
                self.declare(var, r + 2, member, false);
                if let Some(name) = counter {
                    let reg = if self.assigned.contains(name) {
                        self.emit(Op::Move { d: r + 4, s: r + 3 });
                        r + 4
                    } else {
                        r + 3
                    };
                    self.declare(name, reg, Type::Int, false);
                }
                self.loop_body(want, body);
                let done = self.loops.pop().expect("pushed by the body");
                self.patch(&done.continues);
                self.back(top);
                self.patch(&[exit]);
                if let Some(d) = want {
                    self.emit(Op::Unit { d });
                }
                self.patch(&done.breaks);
                // The list is no longer in use: the next change to it need not copy.
                self.emit(Op::Unit { d: r });
            }
        }
        self.locals.truncate(locals);
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
