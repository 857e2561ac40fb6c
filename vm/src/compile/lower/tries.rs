//! `try`, `catch` and `throw`.

use super::Lower;
use crate::code::{Op, Reg};
use crate::host::{Host, Type};
use crate::tree::{Block, Expr, Name, Pos};
use crate::value::Value;

impl<H: Host> Lower<'_, '_, H> {
    pub(super) fn try_catch(
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
    pub(super) fn throw(&mut self, value: Option<&Expr>, pos: Pos) -> Type {
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

    pub(super) fn close_tries(&mut self, outside: usize) {
        for _ in outside..self.tries {
            self.emit(Op::EndTry);
        }
    }
}
