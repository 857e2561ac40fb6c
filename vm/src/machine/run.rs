//! The loop that executes operations: one dispatch, what the operations do stands in the files beside it.

mod arithmetic;
mod branches;
mod functions;
mod hand;
mod members;
mod values;

use super::calls::{Choice, arrange_call, choose, named_function};
use super::{Frame, Handler, Machine, Outcome, State, WINDOW, faults};
use crate::code::{BinOp, Op, Reg};
use crate::error::{Fault, FaultKind, Raise, Raised};
use crate::host::{Call, Flow, Host, HostObject, in_row};
use crate::library::Env;
use crate::machine::Limits;
use crate::program::{Function, Program};
use crate::value::Value;
use hand::Hand;
use members::Likely;

pub(super) fn path<H: Host>(
    program: &Program<H>,
    host: &mut H,
    limits: &Limits,
    r: &mut [Value<H::Object>; WINDOW],
    registers: [Reg; 3],
    k: u32,
) -> Raised<(), H::Object> {
    let mut env = Env {
        host,
        program,
        limits,
        work: 0,
    };
    super::members::path(&mut env, r, registers, k)
}

impl<O: HostObject> Machine<O> {
    /// Runs until the function returns, suspends or fails.
    ///
    /// # Panics
    /// If nothing was started, or a suspended machine was not resumed.
    #[inline]
    pub fn run<H: Host<Object = O>>(
        &mut self,
        program: &Program<H>,
        host: &mut H,
    ) -> Result<Outcome<O>, Fault> {
        assert_eq!(
            self.state,
            State::Ready,
            "run: start or resume the machine first"
        );
        let code: &[Op] = &program.code;
        let limits = self.limits;
        let mut pc = self.pc as usize;
        let mut base = self.base as usize;
        let mut fuel = self.fuel;
        // What operations went through and have not paid for yet is noted there.
        let mut env = Env {
            host,
            program,
            limits: &limits,
            work: 0,
        };
        'frame: loop {
            let r = window(&mut self.stack, base);
            let raised: Box<Raise<O>> = 'op: loop {
                macro_rules! check {
                    ($e:expr) => {
                        match $e {
                            Ok(value) => value,
                            Err(raised) => break 'op Box::<Raise<O>>::from(raised),
                        }
                    };
                }
                macro_rules! hand {
                    () => {
                        Hand {
                            env: &mut env,
                            r: &mut *r,
                        }
                    };
                }
                // An operation: it does something, pays for it itself, or gives what it cost.
                macro_rules! act {
                    ($f:path $(, $x:expr)*) => { check!($f(hand!() $(, $x)*)) };
                }
                macro_rules! paid {
                    ($f:path $(, $x:expr)*) => { fuel = check!($f(hand!(), fuel $(, $x)*)) };
                }
                macro_rules! pay {
                    ($cost:expr) => {
                        fuel = check!(hand::pay::<O>(fuel, $cost, &limits))
                    };
                }
                macro_rules! settle {
                    () => {
                        let due = env.work + env.host.owed();
                        if due != 0 {
                            env.work = 0;
                            pay!(due);
                        }
                    };
                }
                macro_rules! jump {
                    ($if:expr, $t:expr) => {
                        if $if {
                            pc = $t as usize;
                        }
                    };
                }
                macro_rules! native {
                    ($f:expr, $d:expr, $args:expr) => {{
                        settle!();
                        let native = &program.natives[$f as usize];
                        let call = Call::new(&mut *r, $d, $args, native.given);
                        if let Some(cost) = native.cost {
                            pay!(cost(env.host, &call));
                        }
                        let flow = (native.call)(env.host, call);
                        if check!(flow.map_err(|e| faults::of_call(program, $f, r, $args, e)))
                            == Flow::Suspend
                        {
                            return Ok(self.suspend(program, pc, base, fuel, $d));
                        }
                    }};
                }
                macro_rules! enter {
                    ($d:expr, $a:expr, $f:expr) => {{
                        settle!();
                        pay!(program.functions[$f as usize].cost as u64);
                        if self.frames.len() >= limits.call_depth as usize {
                            break 'op faults::too_deep(limits.call_depth);
                        }
                        self.frames.push(Frame {
                            pc: pc as u32,
                            base: base as u32,
                            function: self.function,
                            dst: $d,
                        });
                        base += $a as usize;
                        self.function = $f;
                        pc = program.functions[$f as usize].entry as usize;
                        continue 'frame;
                    }};
                }
                // A plain result is put together only where it belongs: before, it would lie in memory for as long as something else
                // might panic.
                macro_rules! leave {
                    ($f:expr, $value:expr) => {{
                        let_go(r, $f);
                        let Some(frame) = self.frames.pop() else {
                            self.fuel = fuel;
                            self.used = $f.registers as usize;
                            self.clear();
                            return Ok(Outcome::Done($value));
                        };
                        base = frame.base as usize;
                        pc = frame.pc as usize;
                        self.function = frame.function;
                        self.stack[base + frame.dst as usize].put($value);
                        continue 'frame;
                    }};
                }
                // By reference: each operation reads the fields it has, and no more.
                let op = &code[pc];
                pc += 1;
                match *op {
                    Op::Const { d, k } => r[d as usize].put_copy(&program.constants[k as usize]),
                    Op::Int { d, i } => r[d as usize].put(Value::Int(i as i64)),
                    Op::Bool { d, b } => r[d as usize].put(Value::Bool(b)),
                    Op::Unit { d } => r[d as usize].put(Value::Unit),
                    Op::Move { d, s } => paid!(values::copy, d, s),
                    Op::Take { d, s } => {
                        let value = r[s as usize].take();
                        r[d as usize].put(value);
                    }
                    Op::Array { d, a, n } => act!(values::array, d, a, n),
                    Op::Map { d, a, k } => act!(values::map, d, a, k),
                    Op::Range { d, a, b, inclusive } => act!(values::range, d, a, b, inclusive),
                    Op::Text { d, a, n } => act!(values::text, d, a, n),
                    Op::Fn { d, a, n, k } => act!(values::function, d, a, n, k),

                    Op::Add { d, a, b } => paid!(arithmetic::arith, BinOp::Add, d, a, b),
                    Op::Sub { d, a, b } => paid!(arithmetic::arith, BinOp::Sub, d, a, b),
                    Op::Mul { d, a, b } => paid!(arithmetic::arith, BinOp::Mul, d, a, b),
                    Op::Div { d, a, b } => paid!(arithmetic::arith, BinOp::Div, d, a, b),
                    Op::Rem { d, a, b } => paid!(arithmetic::arith, BinOp::Rem, d, a, b),
                    Op::AddInt { d, a, i } => paid!(arithmetic::arith_int, BinOp::Add, d, a, i),
                    Op::SubInt { d, a, i } => paid!(arithmetic::arith_int, BinOp::Sub, d, a, i),
                    Op::MulInt { d, a, i } => paid!(arithmetic::arith_int, BinOp::Mul, d, a, i),
                    Op::DivInt { d, a, i } => paid!(arithmetic::arith_int, BinOp::Div, d, a, i),
                    Op::RemInt { d, a, i } => paid!(arithmetic::arith_int, BinOp::Rem, d, a, i),
                    Op::AddTo { d, s } => paid!(arithmetic::add_to, d, s),
                    Op::AddToInt { d, i } => act!(arithmetic::add_to_int, d, i),
                    Op::Min { d, a, b } => act!(arithmetic::min, d, a, b),
                    Op::Max { d, a, b } => act!(arithmetic::max, d, a, b),
                    Op::MinInt { d, a, i } => act!(arithmetic::min_int, d, a, i),
                    Op::MaxInt { d, a, i } => act!(arithmetic::max_int, d, a, i),
                    Op::Binary { op, d, a, b } => paid!(arithmetic::binary, op, d, a, b),
                    Op::Neg { d, a } => act!(arithmetic::neg, d, a),
                    Op::Not { d, a } => {
                        let truth = act!(branches::truth, a);
                        r[d as usize].put(Value::Bool(!truth));
                    }
                    Op::In { d, a, b } => paid!(arithmetic::contains, d, a, b),

                    Op::Jump { t } => pc = t as usize,
                    Op::Loop { cost, t } => {
                        settle!();
                        pay!(cost as u64);
                        pc = t as usize;
                    }
                    Op::JumpIf { a, t } => jump!(act!(branches::truth, a), t),
                    Op::JumpIfNot { a, t } => jump!(!act!(branches::truth, a), t),
                    Op::JumpUnit { a, t } => jump!(matches!(r[a as usize], Value::Unit), t),
                    Op::JumpNotUnit { a, t } => jump!(!matches!(r[a as usize], Value::Unit), t),
                    Op::Switch { a, k } => {
                        if let Some(t) = program.cases[k as usize].lead(&r[a as usize]) {
                            pc = t as usize;
                        }
                    }
                    Op::JumpKind { a, kinds, t } => jump!(r[a as usize].kind() & kinds != 0, t),
                    Op::JumpHost { a, t } => jump!(r[a as usize].is_host(), t),
                    Op::JumpUnheard { d, t } => {
                        if !env.host.heard() {
                            r[d as usize].put(Value::Unit);
                            pc = t as usize;
                        }
                    }
                    Op::JumpLt { a, b, t } => {
                        jump!(act!(branches::ordered, BinOp::Lt, a, b, i64::lt), t)
                    }
                    Op::JumpLe { a, b, t } => {
                        jump!(act!(branches::ordered, BinOp::Le, a, b, i64::le), t)
                    }
                    Op::JumpGe { a, b, t } => {
                        jump!(act!(branches::ordered, BinOp::Ge, a, b, i64::ge), t)
                    }
                    Op::JumpGt { a, b, t } => {
                        jump!(act!(branches::ordered, BinOp::Gt, a, b, i64::gt), t)
                    }
                    Op::JumpLtInt { a, i, t } => {
                        jump!(act!(branches::ordered_int, BinOp::Lt, a, i, i64::lt), t)
                    }
                    Op::JumpLeInt { a, i, t } => {
                        jump!(act!(branches::ordered_int, BinOp::Le, a, i, i64::le), t)
                    }
                    Op::JumpGeInt { a, i, t } => {
                        jump!(act!(branches::ordered_int, BinOp::Ge, a, i, i64::ge), t)
                    }
                    Op::JumpGtInt { a, i, t } => {
                        jump!(act!(branches::ordered_int, BinOp::Gt, a, i, i64::gt), t)
                    }
                    Op::JumpEq { a, b, t } => {
                        let (equal, rest) = act!(branches::equal, fuel, a, b);
                        fuel = rest;
                        jump!(equal, t)
                    }
                    Op::JumpNe { a, b, t } => {
                        let (equal, rest) = act!(branches::equal, fuel, a, b);
                        fuel = rest;
                        jump!(!equal, t)
                    }
                    Op::JumpEqInt { a, i, t } => jump!(branches::equal_int(hand!(), a, i), t),
                    Op::JumpNeInt { a, i, t } => jump!(!branches::equal_int(hand!(), a, i), t),
                    Op::JumpIs { a, k, t } => jump!(act!(branches::is_constant, a, k), t),
                    Op::JumpIsNot { a, k, t } => jump!(!act!(branches::is_constant, a, k), t),
                    Op::JumpCase { a, k, t } => jump!(branches::is_case(hand!(), a, k), t),
                    Op::JumpOutside { a, k, t } => jump!(!branches::is_within(hand!(), a, k), t),

                    Op::ForStart { r, inclusive, t } => {
                        jump!(!act!(branches::for_start, r, inclusive), t)
                    }
                    Op::ForFrom {
                        r,
                        inclusive,
                        from,
                        t,
                    } => jump!(!act!(branches::for_from, r, inclusive, from), t),
                    Op::ForNext { r, cost, t } => {
                        settle!();
                        pay!(cost as u64);
                        jump!(branches::for_next(hand!(), r), t)
                    }
                    Op::Next { r, t } => jump!(!act!(branches::first, r), t),
                    Op::NextCounted { r, t } => jump!(!act!(branches::first_counted, r), t),
                    Op::NextRound { r, cost, t } => {
                        settle!();
                        pay!(cost as u64);
                        jump!(act!(branches::step, r), t)
                    }
                    Op::NextRoundCounted { r, cost, t } => {
                        settle!();
                        pay!(cost as u64);
                        jump!(act!(branches::step_counted, r), t)
                    }

                    Op::Call { d, a, f } => enter!(d, a, f),
                    Op::CallOne { d, a, x, f } => {
                        paid!(values::copy, a, x);
                        enter!(d, a, f as u32)
                    }
                    Op::CallTwo { d, a, x, y, f } => {
                        paid!(functions::first_arguments, a, x, y);
                        enter!(d, a, f as u32)
                    }
                    Op::CallValue { d, a, n, style } => {
                        let (f, at) =
                            check!(arrange_call(program, r, a as usize, n as usize, style));
                        enter!(d, at, f)
                    }
                    Op::FunctionOf { d, s, arity } => act!(functions::with_arity, d, s, arity),
                    Op::NamedFn {
                        f,
                        list,
                        most,
                        unit,
                    } => named_function(program, r, f as usize, list as usize, (unit, most)),
                    Op::Return { s } => {
                        let f = &program.functions[self.function as usize];
                        // The usual results each in their own parts, as `put_copy` does.
                        match r[s as usize] {
                            Value::Int(n) => leave!(f, Value::Int(n)),
                            Value::Bool(b) => leave!(f, Value::Bool(b)),
                            Value::Handle(kind, id) => leave!(f, Value::Handle(kind, id)),
                            _ => {
                                let value = match f.uses_this && s == 0 {
                                    true => r[0].clone(),
                                    false => r[s as usize].take(),
                                };
                                leave!(f, value)
                            }
                        }
                    }
                    Op::ReturnUnit => {
                        let f = &program.functions[self.function as usize];
                        leave!(f, Value::Unit)
                    }
                    Op::Native { d, args, f } => native!(f, d, args),
                    Op::NativeRow { d, a, f } => native!(f, d, in_row(a)),
                    Op::NativeAny { d, a, n, set } => {
                        let row = &r[a as usize..a as usize + n as usize];
                        match check!(choose(program, row, set)) {
                            Choice::Native(f) => native!(f, d, in_row(a)),
                            Choice::Library(f) => {
                                act!(functions::standard_after_host, d, a, n, f);
                                settle!();
                            }
                        }
                        functions::forget::<H>(r, d, a, n);
                    }
                    Op::Library { d, a, n, f } => {
                        act!(functions::standard, d, a, n, f);
                        settle!();
                    }
                    Op::Change { d, root, a, n, f } => {
                        act!(functions::change, d, root, a, n, f);
                        settle!();
                    }
                    Op::Name { d, s, domain } => act!(functions::name, d, s, domain),

                    Op::Len { d, o } => paid!(members::len, d, o),
                    Op::Get {
                        d,
                        o,
                        kind,
                        slot,
                        p,
                    } => {
                        let (flow, rest) = act!(members::get, fuel, d, o, Likely { kind, slot, p });
                        fuel = rest;
                        settle!();
                        if flow == Flow::Suspend {
                            return Ok(self.suspend(program, pc, base, fuel, d));
                        }
                    }
                    Op::Set {
                        o,
                        s,
                        kind,
                        slot,
                        p,
                    } => act!(members::set, o, s, Likely { kind, slot, p }),
                    Op::Update { op, o, s, p } => act!(members::update, op, o, s, p),
                    Op::Bump {
                        o,
                        i,
                        kind,
                        slot,
                        p,
                    } => act!(members::bump, o, i, Likely { kind, slot, p }),
                    Op::GetSlot { d, o, kind, slot } => act!(members::get_slot, d, o, kind, slot),
                    Op::GetFixed { d, kind, id, slot } => {
                        env.host
                            .slot_into(kind, slot, id as u32, &mut r[d as usize])
                    }
                    Op::SetSlot { o, s, kind, slot } => act!(members::set_slot, o, s, kind, slot),
                    Op::AddSlot { o, s, kind, slot } => {
                        act!(members::update_slot, BinOp::Add, o, s, kind, slot)
                    }
                    Op::SubSlot { o, s, kind, slot } => {
                        act!(members::update_slot, BinOp::Sub, o, s, kind, slot)
                    }
                    Op::BumpSlot { o, kind, i, slot } => act!(members::bump_slot, o, i, kind, slot),
                    Op::Index { d, a, b } => paid!(members::index, d, a, b),
                    Op::IndexInt { d, a, i } => act!(members::index_int, d, a, i),
                    Op::IndexKey { d, a, p } => act!(members::index_key, d, a, p),
                    Op::SetIndex { a, b, s } => act!(members::set_index, a, b, s),
                    Op::UpdateIndex { op, a, b, s } => act!(members::update_index, op, a, b, s),
                    Op::Path { d, root, a, k } => {
                        act!(members::path, [d, root, a], k);
                        settle!();
                    }

                    Op::Unchanged { a, b } => {
                        if !act!(branches::unchanged, a, b) {
                            break 'op faults::changed_constant();
                        }
                    }
                    Op::Try { r: register, t } => self.handlers.push(Handler {
                        depth: self.frames.len() as u32,
                        target: t,
                        register,
                    }),
                    Op::EndTry => {
                        self.handlers.pop();
                    }
                    Op::Throw { s } => break 'op thrown(r[s as usize].clone()),

                    Op::Cover { k } => cover(&mut self.covered, k),
                }
            };
            // Who could not pay has nothing left.
            if raised.kind == FaultKind::Budget {
                fuel = 0;
            }
            self.pc = pc as u32;
            self.base = base as u32;
            self.fuel = fuel;
            self.used = base + program.functions[self.function as usize].registers as usize;
            self.unwind(program, env.host, *raised)?;
            pc = self.pc as usize;
            base = self.base as usize;
        }
    }

    #[inline]
    fn suspend<H: Host<Object = O>>(
        &mut self,
        program: &Program<H>,
        pc: usize,
        base: usize,
        fuel: u64,
        dst: Reg,
    ) -> Outcome<O> {
        self.pc = pc as u32;
        self.base = base as u32;
        self.fuel = fuel;
        self.dst = dst;
        self.used = base + program.functions[self.function as usize].registers as usize;
        self.state = State::Suspended;
        Outcome::Suspended
    }
}

/// The registers from here on. Not in the loop itself, where the processor would add them up from the beginning of the stack and the
/// offset at every operation.
#[inline(never)]
fn window<O>(stack: &mut Vec<Value<O>>, base: usize) -> &mut [Value<O>; WINDOW] {
    if stack.len() < base + WINDOW {
        stack.resize_with(base + WINDOW, Value::default);
    }
    (&mut stack[base..base + WINDOW])
        .try_into()
        .expect("a window has this length")
}

fn cover(covered: &mut Vec<u64>, k: u32) {
    let (word, bit) = (k as usize / 64, k % 64);
    if covered.len() <= word {
        covered.resize(word + 1, 0);
    }
    covered[word] |= 1 << bit;
}

#[cold]
fn thrown<O>(value: Value<O>) -> Box<Raise<O>> {
    Box::new(Raise {
        kind: FaultKind::Thrown,
        message: String::new(),
        value: Some(value),
    })
}

/// What a callee leaves behind would keep shared values shared, and make the next change copy them.
#[inline(always)]
fn let_go<O: HostObject>(r: &mut [Value<O>; WINDOW], f: &Function) {
    for left in &mut r[f.uses_this as usize..f.registers as usize] {
        if left.is_shared() {
            left.let_go();
        }
    }
}
