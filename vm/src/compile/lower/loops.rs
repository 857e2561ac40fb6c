//! Loops: over conditions, ranges and items, and the ways out of them.

use super::{Loop, Lower};
use crate::code::{Op, Reg};
use crate::diagnostic::Code;
use crate::host::{Host, Type};
use crate::tree::{Block, Expr, ExprKind, Name, Pos};

impl<H: Host> Lower<'_, '_, H> {
    pub(super) fn while_loop(
        &mut self,
        cond: Option<&Expr>,
        body: &Block,
        want: Option<Reg>,
    ) -> Type {
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

    pub(super) fn do_loop(
        &mut self,
        body: &Block,
        cond: &Expr,
        until: bool,
        want: Option<Reg>,
    ) -> Type {
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

    pub(super) fn for_loop(
        &mut self,
        var: &Name,
        counter: Option<&Name>,
        over: &Expr,
        body: &Block,
        want: Option<Reg>,
    ) -> Type {
        let locals = self.locals.len();
        let counter = counter.filter(|_| !self.nobody_counts());
        match (&over.kind, counter) {
            (ExprKind::Range { .. }, None) => self.for_range(var, over, body, want),
            _ => self.for_items(var, counter, over, body, want),
        }
        self.locals.truncate(locals);
        Type::Any
    }

    /// A loop over a range that is written there: no range is made.
    pub(super) fn for_range(&mut self, var: &Name, over: &Expr, body: &Block, want: Option<Reg>) {
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

    pub(super) fn check_bound(&mut self, ty: Type, pos: Pos) {
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
    pub(super) fn own_if_assigned(&mut self, name: &Name, counted: Reg, own: Reg) -> Reg {
        if !self.assigned.contains(name) {
            return counted;
        }
        self.emit(Op::Move { d: own, s: counted });
        own
    }

    /// A loop over the items of any value.
    pub(super) fn for_items(
        &mut self,
        var: &Name,
        counter: Option<&Name>,
        over: &Expr,
        body: &Block,
        want: Option<Reg>,
    ) {
        let r = self.row(if counter.is_some() { 5 } else { 3 });
        if let Some(open) = self.open.last_mut() {
            open.lists.push(r);
        }
        let val = self.expr(over, Some(r));
        let member = self.member_type(val.ty, over);
        self.pos = over.pos;
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
        let (cost, t) = (self.cost(top), top + 1);
        self.emit(match counter {
            Some(_) => Op::NextRoundCounted { r, cost, t },
            None => Op::NextRound { r, cost, t },
        });
        self.patch(&[exit]);
        self.nothing(want);
        self.patch(&done.breaks);
        // Whoever leaves early still holds the list: the next change to it need not copy.
        if !done.breaks.is_empty() {
            self.emit(Op::Unit { d: r });
        }
    }

    /// What going through a value of this type gives.
    pub(super) fn member_type(&mut self, ty: Type, over: &Expr) -> Type {
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

    /// Lowers the body of a loop, and gives the jumps out of it and back.
    pub(super) fn loop_body(&mut self, value: Option<Reg>, body: &Block) -> Loop {
        self.loops.push(Loop {
            breaks: Vec::new(),
            continues: Vec::new(),
            value,
            tries: self.tries,
        });
        self.block(body, None);
        self.loops.pop().expect("just pushed")
    }

    pub(super) fn break_loop(&mut self, value: Option<&Expr>, pos: Pos) -> Type {
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

    pub(super) fn continue_loop(&mut self, pos: Pos) -> Type {
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

    pub(super) fn back(&mut self, top: u32) {
        let cost = self.cost(top);
        self.emit(Op::Loop { cost, t: top });
    }

    /// What one round of the loop that began at `top` costs of the budget.
    pub(super) fn cost(&self, top: u32) -> u16 {
        (self.here() - top + 1).min(u16::MAX as u32) as u16
    }
}
