//! Small functions in the place of their calls. They see nothing of the function around them but their arguments, and their faults are told
//! as if they had been called.

use super::calls::Arg;
use super::{Local, Lower, Val};
use crate::code::{Op, Reg};
use crate::compile::small::Small;
use crate::host::{Host, Type};
use crate::program::Inlined;
use crate::tree::Pos;

/// Small functions inside each other.
const DEEPEST: usize = 6;
/// Registers a function may have in use to get a smaller one put into it.
const MOST_IN_USE: u16 = 160;
/// Operations a function may have to get a smaller one put into it: functions that call each other many times would grow without end.
const MOST_OPERATIONS: usize = 4_000;

/// A function that is being put in place.
pub(super) struct Open {
    function: u32,
    /// Where its result goes, and the jumps to its end.
    result: Reg,
    pub(super) ends: Vec<usize>,
    /// Where loops in it keep what they go through, to be let go of if it is left from inside of them.
    pub(super) lists: Vec<Reg>,
}

impl Open {
    pub(super) fn new(function: u32, result: Reg) -> Open {
        Open {
            function,
            result,
            ends: Vec::new(),
            lists: Vec::new(),
        }
    }
}

impl<H: Host> Lower<'_, '_, H> {
    /// Puts a function in the place of its call, if it is small.
    pub(super) fn inline(&mut self, f: u32, args: &[Arg], pos: Pos, d: Reg) -> Option<Val> {
        let small = self.c.small.get(f as usize)?.clone()?;
        let inside_itself = f == self.function || self.open.iter().any(|open| open.function == f);
        if inside_itself || !self.has_room() {
            return None;
        }
        let next = self.next;
        // What a call that fails leaves in a variable is what was there.
        let is_variable = self.this && d == 0 || self.locals.iter().any(|local| local.reg == d);
        let result = if is_variable { self.reg() } else { d };
        let params = self.bind(&small, args, result);
        let from = self.here();
        self.open.push(Open::new(f, result));
        self.body_in_place(&small, params, result);
        let open = self.open.pop()?;
        self.patch(&open.ends);
        self.let_go_of_lists(&open);
        self.inlined.push(Inlined {
            from,
            to: self.here(),
            function: f,
            at: pos,
        });
        self.pos = pos;
        if is_variable {
            self.emit(Op::Take { d, s: result });
        }
        self.next = next;
        Some(Val {
            reg: d,
            ty: Type::Any,
        })
    }

    /// Whether one more function may be put into this one.
    pub(super) fn has_room(&self) -> bool {
        self.open.len() < DEEPEST && self.next <= MOST_IN_USE && self.code.len() <= MOST_OPERATIONS
    }

    /// Whoever leaves from inside of a loop leaves what it goes through behind: while that is held, changing it copies.
    pub(super) fn let_go_of_lists(&mut self, open: &Open) {
        if open.ends.is_empty() {
            return;
        }
        for reg in &open.lists {
            self.emit(Op::Unit { d: *reg });
        }
    }

    /// Parameters as variables: an argument that is a variable, or stands in a register already, is read where it is, unless it may change.
    fn bind(&mut self, small: &Small, args: &[Arg], result: Reg) -> Vec<Local> {
        let mut params = Vec::with_capacity(args.len());
        for ((arg, name), changed) in args.iter().zip(&small.params).zip(&small.changed) {
            let there = match arg {
                Arg::Val(val) => Some(val.reg),
                arg => self.variable_of(*arg),
            };
            let reg = match there.filter(|reg| !changed && *reg != result) {
                Some(reg) => reg,
                None => {
                    let own = self.reg();
                    self.arg_into(*arg, own);
                    own
                }
            };
            params.push(Local {
                name: name.clone(),
                reg,
                ty: Type::Any,
                constant: false,
            });
        }
        params
    }

    fn body_in_place(&mut self, small: &Small, params: Vec<Local>, result: Reg) {
        let mut own = self.surroundings_of(&small.body, small.unit);
        own.file = small.file;
        own.read = small.read;
        own.locals = params;
        self.exchange(&mut own);
        let told = self.c.out.len();
        self.block(&small.body, Some(result));
        // What is wrong with it is told where it stands by itself.
        if !self.too_large {
            self.c.out.truncate(told);
        }
        self.exchange(&mut own);
    }

    /// `return` of a function that was put in place: its value goes where it is wanted, and the function around it goes on. `false` if
    /// this is no such function.
    pub(super) fn return_in_place(&mut self, value: Option<&crate::tree::Expr>) -> bool {
        let Some(result) = self.open.last().map(|open| open.result) else {
            return false;
        };
        match value {
            Some(e) => {
                self.expr(e, Some(result));
            }
            None => {
                self.emit(Op::Unit { d: result });
            }
        }
        let end = self.emit(Op::Jump { t: 0 });
        if let Some(open) = self.open.last_mut() {
            open.ends.push(end);
        }
        true
    }
}
