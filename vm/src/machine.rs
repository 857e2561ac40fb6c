//! The machine: registers and frames as plain data, and how they are started, stopped, copied and resumed.

mod calls;
pub(crate) mod faults;
mod members;
mod run;

use crate::code::{Op, Reg};
use crate::error::{Fault, Raise, Spot};
use crate::host::{Host, HostObject};
use crate::program::{FnId, Program};
use crate::value::Value;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// What a script may use up. Exceeding a limit is a fault no script can catch, at the same point every time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Operations, counted at the ends of loops and at calls.
    pub operations: u64,
    pub call_depth: u32,
    /// Bytes of a string.
    pub string: usize,
    /// Items of an array.
    pub array: usize,
    /// Entries of a map.
    pub map: usize,
    /// Arrays, maps and functions inside each other.
    pub nesting: u16,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            operations: 10_000_000,
            call_depth: 128,
            string: 1 << 20,
            array: 1 << 16,
            map: 1 << 14,
            nesting: 50,
        }
    }
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome<O> {
    Done(Value<O>),
    /// A host function suspended; [`Machine::resume`] and [`Machine::run`] go on.
    Suspended,
}

/// Where to go on after a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Frame {
    pc: u32,
    base: u32,
    function: u32,
    /// The register of the caller that wants the result.
    dst: Reg,
}

/// An open `try`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Handler {
    /// How many frames were below when it was opened.
    depth: u32,
    target: u32,
    register: Reg,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
enum State {
    Idle,
    Ready,
    Suspended,
}

/// Size of the window through which operations see the registers.
const WINDOW: usize = 256;

/// A running script. Plain data: it can be copied, saved and sent, at any point where it is stopped.
#[derive(Debug)]
pub struct Machine<O> {
    /// Registers of all frames. Longer than what is in use, so that a window always fits.
    stack: Vec<Value<O>>,
    /// How much of the stack is in use while the machine is stopped.
    used: usize,
    frames: Vec<Frame>,
    handlers: Vec<Handler>,
    pc: u32,
    base: u32,
    function: u32,
    dst: Reg,
    state: State,
    fuel: u64,
    limits: Limits,
    /// Bits of the points that ran; empty without coverage.
    covered: Vec<u64>,
}

impl<O> Default for Machine<O> {
    fn default() -> Self {
        Machine {
            stack: Vec::new(),
            used: 0,
            frames: Vec::new(),
            handlers: Vec::new(),
            pc: 0,
            base: 0,
            function: 0,
            dst: 0,
            state: State::Idle,
            fuel: 0,
            limits: Limits::default(),
            covered: Vec::new(),
        }
    }
}

impl<O: PartialEq> Machine<O> {
    /// Whether two machines that are stopped stand at the same place and remember the same.
    pub fn same_memory(&self, other: &Self) -> bool {
        self.used == other.used
            && self.pc == other.pc
            && self.base == other.base
            && self.function == other.function
            && self.frames == other.frames
            && self.handlers == other.handlers
            && self.stack[..self.used] == other.stack[..other.used]
    }
}

impl<O: HostObject> Clone for Machine<O> {
    fn clone(&self) -> Self {
        let mut copy = Machine::default();
        copy.clone_from(self);
        copy
    }

    /// Copies only the used part of the stack, into the buffers that are there.
    fn clone_from(&mut self, other: &Self) {
        let common = self.stack.len().min(other.used);
        for (to, from) in self.stack.iter_mut().zip(&other.stack[..common]) {
            to.put_copy(from);
        }
        self.stack
            .extend_from_slice(&other.stack[common..other.used]);
        for stale in self.stack.iter_mut().take(self.used).skip(other.used) {
            stale.put(Value::Unit);
        }
        self.used = other.used;
        self.frames.clone_from(&other.frames);
        self.handlers.clone_from(&other.handlers);
        self.pc = other.pc;
        self.base = other.base;
        self.function = other.function;
        self.dst = other.dst;
        self.state = other.state;
        self.fuel = other.fuel;
        self.limits = other.limits;
        self.covered.clone_from(&other.covered);
    }
}

impl<O: HostObject> Machine<O> {
    pub fn new() -> Self {
        Machine::default()
    }

    pub fn with_limits(limits: Limits) -> Self {
        Machine {
            limits,
            ..Machine::default()
        }
    }

    /// Takes effect at the next [`Machine::start`]; sizes and depth at once.
    pub fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Prepares a call; [`Machine::run`] performs it. What the machine did before is forgotten.
    ///
    /// # Panics
    /// If the number of arguments is not the function's.
    #[inline]
    pub fn start<H: Host<Object = O>>(
        &mut self,
        program: &Program<H>,
        function: FnId,
        args: &[Value<O>],
    ) {
        let f = &program.functions[function.0 as usize];
        assert_eq!(
            args.len(),
            f.arity as usize,
            "{} takes {} arguments",
            f.info.name,
            f.arity
        );
        self.clear();
        if self.stack.len() < WINDOW {
            self.stack.resize_with(WINDOW, Value::default);
        }
        // A method called from outside has nothing bound to `this`.
        let first = f.uses_this as usize;
        for (register, value) in self.stack[first..].iter_mut().zip(args) {
            register.put_copy(value);
        }
        self.pc = f.entry;
        self.function = function.0;
        self.used = f.registers as usize;
        self.state = State::Ready;
        self.fuel = self.limits.operations;
    }

    /// Forgets everything, also what calls that have returned left behind: two machines that do the same from here on are the same.
    pub fn wipe(&mut self) {
        self.stack.fill(Value::Unit);
        self.clear();
    }

    fn clear(&mut self) {
        for value in &mut self.stack[..self.used] {
            value.put(Value::Unit);
        }
        self.used = 0;
        self.frames.clear();
        self.handlers.clear();
        self.base = 0;
        self.state = State::Idle;
    }

    /// Brings the result the suspended call waits for; then call [`Machine::run`].
    ///
    /// # Panics
    /// If the machine is not suspended.
    #[inline]
    pub fn resume(&mut self, answer: Value<O>) {
        assert_eq!(
            self.state,
            State::Suspended,
            "resume: the machine is not suspended"
        );
        self.stack[self.base as usize + self.dst as usize].put_made(answer);
        self.state = State::Ready;
    }

    /// As [`Machine::resume`], but the result is written straight into the register that waits for it: a value that is handed on from one
    /// to the next is waited for at every step. If there turns out to be none, `write` says so, and the machine stays suspended.
    ///
    /// # Panics
    /// If the machine is not suspended.
    #[inline(always)]
    pub fn resume_with(&mut self, write: impl FnOnce(&mut Value<O>) -> bool) -> bool {
        assert_eq!(
            self.state,
            State::Suspended,
            "resume: the machine is not suspended"
        );
        let written = write(&mut self.stack[self.base as usize + self.dst as usize]);
        if written {
            self.state = State::Ready;
        }
        written
    }

    pub fn is_suspended(&self) -> bool {
        self.state == State::Suspended
    }

    /// Operations left of the budget.
    pub fn budget_left(&self) -> u64 {
        self.fuel
    }

    /// Gives the rest of this call a new budget.
    pub fn set_budget(&mut self, operations: u64) {
        self.fuel = operations;
    }

    /// What it remembers while it is stopped.
    pub fn memory(&self) -> &[Value<O>] {
        &self.stack[..self.used]
    }

    /// Where the machine stands, innermost call first.
    pub fn call_stack<H: Host<Object = O>>(&self, program: &Program<H>) -> Vec<Spot> {
        if self.state == State::Idle {
            return Vec::new();
        }
        let places =
            |function: u32, pc: u32| program.positions(FnId(function), pc.saturating_sub(1));
        // What the standard functions do inside is nobody's concern: who called them stands behind.
        let own = |f: &u32| !program.functions[*f as usize].info.is_prelude;
        std::iter::once((self.function, self.pc))
            .chain(self.frames.iter().rev().map(|f| (f.function, f.pc)))
            .filter(|(function, _)| own(function))
            .flat_map(|(function, pc)| places(function, pc))
            .collect()
    }

    /// Numbers of the points ([`Program::cover_points`]) reached since the machine was made.
    pub fn covered(&self) -> impl Iterator<Item = usize> {
        self.covered.iter().enumerate().flat_map(|(i, word)| {
            (0..64)
                .filter(move |b| word >> b & 1 == 1)
                .map(move |b| i * 64 + b)
        })
    }

    /// A fault goes to the innermost `try` that may catch it, or out. Values bound to `this` go back where they came from.
    #[cold]
    #[inline(never)]
    fn unwind<H: Host<Object = O>>(
        &mut self,
        program: &Program<H>,
        host: &mut H,
        raised: Raise<O>,
    ) -> Result<(), Fault> {
        let handler = if raised.kind.is_catchable() {
            self.handlers.pop()
        } else {
            None
        };
        let Some(handler) = handler else {
            let stack = self.call_stack(program);
            let message = match &raised.value {
                // A fault of the machine that was caught and thrown again.
                Some(Value::Map(map))
                    if map.contains_key("error") && map.contains_key("message") =>
                {
                    crate::operators::text(host, &map["message"], self.limits.string)
                }
                Some(value) => crate::operators::text(host, value, self.limits.string),
                None => raised.message,
            };
            self.clear();
            return Err(Fault {
                kind: raised.kind,
                message,
                stack,
            });
        };
        let place = program.position(FnId(self.function), self.pc.saturating_sub(1));
        while self.frames.len() > handler.depth as usize {
            let callee = &program.functions[self.function as usize];
            let from = self.base as usize;
            for value in
                &mut self.stack[from + callee.uses_this as usize..from + callee.registers as usize]
            {
                value.put(Value::Unit);
            }
            let frame = self
                .frames
                .pop()
                .expect("a handler is never above its frame");
            self.base = frame.base;
            self.function = frame.function;
            self.pc = frame.pc;
            if callee.uses_this {
                self.write_back(program, host);
            }
        }
        let value = match raised.value {
            Some(value) => value,
            None => Value::map([
                ("error", Value::from(raised.kind.slug())),
                ("message", Value::from(raised.message)),
                ("line", Value::Int(place.line as i64)),
                ("position", Value::Int(place.column as i64)),
            ]),
        };
        self.stack[self.base as usize + handler.register as usize].put(value);
        self.pc = handler.target;
        Ok(())
    }

    /// The operation behind a method call stores `this`: do it, although the call did not end well.
    fn write_back<H: Host<Object = O>>(&mut self, program: &Program<H>, host: &mut H) {
        let op = program.code[self.pc as usize];
        let base = self.base as usize;
        match op {
            Op::Take { d, s } => {
                let value = self.stack[base + s as usize].take();
                self.stack[base + d as usize].put(value);
            }
            Op::Path { d, root, a, k } => {
                let Machine { stack, limits, .. } = self;
                if let Ok(window) =
                    <&mut [Value<O>; WINDOW]>::try_from(&mut stack[base..base + WINDOW])
                {
                    // The way was just walked to take the value out, so it is still there.
                    let _ = run::path(program, host, limits, window, [d, root, a], k);
                }
            }
            _ => {}
        }
    }
}

#[derive(Serialize)]
#[serde(bound = "O: HostObject")]
struct Saved<'a, O> {
    stack: &'a [Value<O>],
    frames: &'a [Frame],
    handlers: &'a [Handler],
    pc: u32,
    base: u32,
    function: u32,
    dst: Reg,
    state: State,
    fuel: u64,
    limits: Limits,
    covered: &'a [u64],
}

#[derive(Deserialize)]
#[serde(bound = "O: HostObject")]
struct Loaded<O> {
    stack: Vec<Value<O>>,
    frames: Vec<Frame>,
    handlers: Vec<Handler>,
    pc: u32,
    base: u32,
    function: u32,
    dst: Reg,
    state: State,
    fuel: u64,
    limits: Limits,
    covered: Vec<u64>,
}

impl<O: HostObject> Serialize for Machine<O> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Saved {
            stack: &self.stack[..self.used],
            frames: &self.frames,
            handlers: &self.handlers,
            pc: self.pc,
            base: self.base,
            function: self.function,
            dst: self.dst,
            state: self.state,
            fuel: self.fuel,
            limits: self.limits,
            covered: &self.covered,
        }
        .serialize(serializer)
    }
}

impl<'de, O: HostObject> Deserialize<'de> for Machine<O> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let saved = Loaded::deserialize(deserializer)?;
        Ok(Machine {
            used: saved.stack.len(),
            stack: saved.stack,
            frames: saved.frames,
            handlers: saved.handlers,
            pc: saved.pc,
            base: saved.base,
            function: saved.function,
            dst: saved.dst,
            state: saved.state,
            fuel: saved.fuel,
            limits: saved.limits,
            covered: saved.covered,
        })
    }
}
