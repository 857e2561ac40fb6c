//! The loop that executes operations.

use super::calls::{
    Choice, arrange_call, choose, function_of, library, named_function, next, range_start,
};
use super::{Frame, Handler, Machine, Outcome, State, WINDOW, faults, members};
use crate::code::{BinOp, Op, Reg};
use crate::error::{Fault, FaultKind, Raise, Raised};
use crate::host::{Call, Flow, Host, HostObject, in_row};
use crate::library::{Env, ITEMS_PER_OPERATION, work};
use crate::machine::Limits;
use crate::operators;
use crate::program::Program;
use crate::value::{FnPtr, Shared, Value};

/// What a function call costs of the budget, beside its loops.
const CALL_COST: u64 = 4;

pub(super) fn path<H: Host>(
    program: &Program<H>,
    host: &mut H,
    limits: &Limits,
    r: &mut [Value<H::Object>; WINDOW],
    registers: [Reg; 3],
    k: u32,
) -> Raised<(), H::Object> {
    members::path(
        &mut Env {
            host,
            program,
            limits,
            work: 0,
        },
        r,
        registers,
        k,
    )
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
        'frame: loop {
            if self.stack.len() < base + WINDOW {
                self.stack.resize_with(base + WINDOW, Value::default);
            }
            let r: &mut [Value<O>; WINDOW] = (&mut self.stack[base..base + WINDOW])
                .try_into()
                .expect("a window has this length");
            macro_rules! env {
                () => {
                    Env {
                        host: &mut *host,
                        program,
                        limits: &limits,
                        work: 0,
                    }
                };
            }
            let raised: Box<Raise<O>> = 'op: loop {
                macro_rules! check {
                    ($e:expr) => {
                        match $e {
                            Ok(value) => value,
                            Err(raised) => break 'op Box::<Raise<O>>::from(raised),
                        }
                    };
                }
                // As `put_copy`, from a value that itself lies in or behind the registers.
                macro_rules! copy {
                    ($d:expr, $from:expr) => {
                        match $from {
                            Value::Int(n) => {
                                let n = *n;
                                r[$d as usize].put(Value::Int(n));
                            }
                            other => {
                                let value = other.clone();
                                r[$d as usize].put(value);
                            }
                        }
                    };
                }
                macro_rules! pay {
                    ($cost:expr) => {
                        match fuel.checked_sub($cost) {
                            Some(rest) => fuel = rest,
                            None => {
                                fuel = 0;
                                break 'op faults::budget_fault(limits.operations);
                            }
                        }
                    };
                }
                macro_rules! slow {
                    ($op:expr, $d:expr, $x:expr, $y:expr) => {{
                        pay!((($x.size() + $y.size()) / ITEMS_PER_OPERATION) as u64);
                        let value = check!(operators::binary(&mut env!(), $op, $x, $y));
                        r[$d as usize].put(value);
                    }};
                }
                macro_rules! arith {
                    ($op:expr, $d:expr, $a:expr, $b:expr) => {
                        match (&r[$a as usize], &r[$b as usize]) {
                            (Value::Int(x), Value::Int(y)) => {
                                match operators::arithmetic($op, *x, *y) {
                                    Some(z) => r[$d as usize].put(Value::Int(z)),
                                    None => break 'op operators::arithmetic_fault($op, *x, *y),
                                }
                            }
                            (x, y) => slow!($op, $d, x, y),
                        }
                    };
                }
                macro_rules! arith_int {
                    ($op:expr, $d:expr, $a:expr, $i:expr) => {
                        match &r[$a as usize] {
                            Value::Int(x) => match operators::arithmetic($op, *x, $i as i64) {
                                Some(z) => r[$d as usize].put(Value::Int(z)),
                                None => break 'op operators::arithmetic_fault($op, *x, $i as i64),
                            },
                            x => slow!($op, $d, x, &Value::<O>::Int($i as i64)),
                        }
                    };
                }
                macro_rules! extreme {
                    ($name:literal, $f:ident, $d:expr, $x:expr, $y:expr) => {
                        match ($x, $y) {
                            (Value::Int(x), Value::Int(y)) => {
                                let z = (*x).$f(*y);
                                r[$d as usize].put(Value::Int(z))
                            }
                            (x, y) => {
                                let value =
                                    check!(crate::library::extreme(&mut env!(), $name, x, y));
                                r[$d as usize].put(value);
                            }
                        }
                    };
                }
                macro_rules! jump_order {
                    ($op:expr, $cmp:tt, $a:expr, $y:expr, $t:expr) => {
                        match (&r[$a as usize], $y) {
                            (Value::Int(x), Value::Int(y)) => if x $cmp y { pc = $t as usize },
                            (x, y) => if check!(operators::order(&mut env!(), $op, x, y)) { pc = $t as usize },
                        }
                    };
                }
                macro_rules! jump_order_int {
                    ($op:expr, $cmp:tt, $a:expr, $i:expr, $t:expr) => {
                        match &r[$a as usize] {
                            Value::Int(x) => if *x $cmp $i as i64 { pc = $t as usize },
                            x => if check!(operators::order(&mut env!(), $op, x, &Value::Int($i as i64))) { pc = $t as usize },
                        }
                    };
                }
                macro_rules! native {
                    ($f:expr, $d:expr, $args:expr) => {{
                        let call = Call {
                            registers: &mut *r,
                            dst: $d,
                            args: $args,
                        };
                        if check!(program.natives[$f as usize](host, call)) == Flow::Suspend {
                            return Ok(self.suspend(program, pc, base, fuel, $d));
                        }
                        pay!(host.work());
                    }};
                }
                macro_rules! enter {
                    ($d:expr, $a:expr, $f:expr) => {{
                        pay!(CALL_COST);
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
                macro_rules! leave {
                    ($f:expr, $value:expr) => {{
                        // What a callee leaves behind would keep shared values shared, and make the next change copy them.
                        let left = &mut r[$f.uses_this as usize..$f.registers as usize];
                        if left.iter().fold(false, |any, v| any | v.is_shared()) {
                            let_go(left);
                        }
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
                    Op::Move { d, s } => {
                        // Whoever changes a copy makes it one: that is paid here, where it is known.
                        if r[s as usize].is_shared() {
                            pay!(work(std::slice::from_ref(&r[s as usize])));
                        }
                        let value = r[s as usize].clone();
                        r[d as usize].put(value);
                    }
                    Op::Take { d, s } => {
                        let value = r[s as usize].take();
                        r[d as usize].put(value);
                    }
                    Op::Array { d, a, n } => {
                        let row = &mut r[a as usize..a as usize + n as usize];
                        let items: Vec<_> = row.iter_mut().map(Value::take).collect();
                        let mut value = Value::array(items);
                        check!(env!().nesting(&mut value));
                        r[d as usize].put(value);
                    }
                    Op::Map { d, a, k } => {
                        let keys = &program.shapes[k as usize];
                        let row = r[a as usize..].iter_mut().map(Value::take);
                        let map = keys.iter().cloned().zip(row).collect();
                        let mut value = Value::Map(Shared::new(map));
                        check!(env!().nesting(&mut value));
                        r[d as usize].put(value);
                    }
                    Op::Range { d, a, b, inclusive } => match (&r[a as usize], &r[b as usize]) {
                        (Value::Int(x), Value::Int(y)) => {
                            let value = Value::range(*x, *y, inclusive);
                            r[d as usize].put(value);
                        }
                        (x, y) => break 'op faults::not_a_range(program, x, y),
                    },
                    Op::Text { d, a, n } => {
                        let mut out = String::with_capacity(32);
                        for value in &mut r[a as usize..a as usize + n as usize] {
                            operators::write_text(host, value, limits.string, &mut out);
                            value.put(Value::Unit);
                        }
                        check!(env!().string_size(out.len()));
                        r[d as usize].put(Value::string(out));
                    }
                    Op::Fn { d, a, n, k } => {
                        let row = &mut r[a as usize..a as usize + n as usize];
                        let captured = row.iter_mut().map(Value::take).collect();
                        let name = program.functions[k as usize].name.clone();
                        let mut value = Value::Fn(Shared::new(FnPtr {
                            function: k,
                            name,
                            captured,
                        }));
                        check!(env!().nesting(&mut value));
                        r[d as usize].put(value);
                    }

                    Op::Add { d, a, b } => arith!(BinOp::Add, d, a, b),
                    Op::Sub { d, a, b } => arith!(BinOp::Sub, d, a, b),
                    Op::Mul { d, a, b } => arith!(BinOp::Mul, d, a, b),
                    Op::Div { d, a, b } => arith!(BinOp::Div, d, a, b),
                    Op::Rem { d, a, b } => arith!(BinOp::Rem, d, a, b),
                    Op::AddInt { d, a, i } => arith_int!(BinOp::Add, d, a, i),
                    Op::SubInt { d, a, i } => arith_int!(BinOp::Sub, d, a, i),
                    Op::MulInt { d, a, i } => arith_int!(BinOp::Mul, d, a, i),
                    Op::DivInt { d, a, i } => arith_int!(BinOp::Div, d, a, i),
                    Op::RemInt { d, a, i } => arith_int!(BinOp::Rem, d, a, i),
                    Op::AddTo { d, s } => match (&r[d as usize], &r[s as usize]) {
                        (Value::Int(x), Value::Int(y)) => match x.checked_add(*y) {
                            Some(z) => r[d as usize].put(Value::Int(z)),
                            None => break 'op operators::arithmetic_fault(BinOp::Add, *x, *y),
                        },
                        _ => {
                            pay!(work(std::slice::from_ref(&r[s as usize])));
                            let mut place = r[d as usize].take();
                            let done = if d == s {
                                let value = place.clone();
                                operators::update(&mut env!(), BinOp::Add, &mut place, &value)
                            } else {
                                operators::update(
                                    &mut env!(),
                                    BinOp::Add,
                                    &mut place,
                                    &r[s as usize],
                                )
                            };
                            r[d as usize].put(place);
                            check!(done);
                        }
                    },
                    Op::AddToInt { d, i } => match &r[d as usize] {
                        Value::Int(x) => match x.checked_add(i as i64) {
                            Some(z) => r[d as usize].put(Value::Int(z)),
                            None => {
                                break 'op operators::arithmetic_fault(BinOp::Add, *x, i as i64);
                            }
                        },
                        _ => {
                            let value = Value::Int(i as i64);
                            check!(operators::update(
                                &mut env!(),
                                BinOp::Add,
                                &mut r[d as usize],
                                &value
                            ));
                        }
                    },
                    Op::Min { d, a, b } => extreme!("min", min, d, &r[a as usize], &r[b as usize]),
                    Op::Max { d, a, b } => extreme!("max", max, d, &r[a as usize], &r[b as usize]),
                    Op::MinInt { d, a, i } => {
                        extreme!("min", min, d, &r[a as usize], &Value::Int(i as i64))
                    }
                    Op::MaxInt { d, a, i } => {
                        extreme!("max", max, d, &r[a as usize], &Value::Int(i as i64))
                    }
                    Op::Binary { op, d, a, b } => {
                        let (x, y) = (&r[a as usize], &r[b as usize]);
                        if x.is_shared() || y.is_shared() {
                            pay!(((x.size() + y.size()) / ITEMS_PER_OPERATION) as u64);
                        }
                        let value = check!(operators::binary(&mut env!(), op, x, y));
                        r[d as usize].put(value);
                    }
                    Op::Neg { d, a } => match &r[a as usize] {
                        Value::Int(x) => match x.checked_neg() {
                            Some(z) => r[d as usize].put(Value::Int(z)),
                            None => break 'op operators::arithmetic_fault(BinOp::Sub, 0, *x),
                        },
                        other => break 'op faults::no_negation(program, other),
                    },
                    Op::Not { d, a } => match &r[a as usize] {
                        Value::Bool(b) => {
                            let b = !*b;
                            r[d as usize].put(Value::Bool(b));
                        }
                        other => break 'op faults::not_a_condition(program, other),
                    },
                    Op::In { d, a, b } => {
                        pay!(work(std::slice::from_ref(&r[b as usize])));
                        let found = check!(operators::contains(
                            &mut env!(),
                            &r[b as usize],
                            &r[a as usize]
                        ));
                        r[d as usize].put(Value::Bool(found));
                    }

                    Op::Jump { t } => pc = t as usize,
                    Op::Loop { cost, t } => {
                        pay!(cost as u64);
                        pc = t as usize;
                    }
                    Op::JumpIf { a, t } => match &r[a as usize] {
                        Value::Bool(true) => pc = t as usize,
                        Value::Bool(false) => {}
                        other => break 'op faults::not_a_condition(program, other),
                    },
                    Op::JumpIfNot { a, t } => match &r[a as usize] {
                        Value::Bool(false) => pc = t as usize,
                        Value::Bool(true) => {}
                        other => break 'op faults::not_a_condition(program, other),
                    },
                    Op::JumpUnit { a, t } => {
                        if matches!(r[a as usize], Value::Unit) {
                            pc = t as usize;
                        }
                    }
                    Op::JumpNotUnit { a, t } => {
                        if !matches!(r[a as usize], Value::Unit) {
                            pc = t as usize;
                        }
                    }
                    Op::JumpHost { a, t } => {
                        if r[a as usize].is_host() {
                            pc = t as usize;
                        }
                    }
                    Op::JumpUnheard { d, t } => {
                        if !host.heard() {
                            r[d as usize].put(Value::Unit);
                            pc = t as usize;
                        }
                    }
                    Op::JumpLt { a, b, t } => jump_order!(BinOp::Lt, <, a, &r[b as usize], t),
                    Op::JumpLe { a, b, t } => jump_order!(BinOp::Le, <=, a, &r[b as usize], t),
                    Op::JumpGe { a, b, t } => jump_order!(BinOp::Ge, >=, a, &r[b as usize], t),
                    Op::JumpGt { a, b, t } => jump_order!(BinOp::Gt, >, a, &r[b as usize], t),
                    Op::JumpLtInt { a, i, t } => jump_order_int!(BinOp::Lt, <, a, i, t),
                    Op::JumpLeInt { a, i, t } => jump_order_int!(BinOp::Le, <=, a, i, t),
                    Op::JumpGeInt { a, i, t } => jump_order_int!(BinOp::Ge, >=, a, i, t),
                    Op::JumpGtInt { a, i, t } => jump_order_int!(BinOp::Gt, >, a, i, t),
                    Op::JumpEq { a, b, t } => {
                        let equal = match (&r[a as usize], &r[b as usize]) {
                            (Value::Int(x), Value::Int(y)) => x == y,
                            (x, y) => {
                                if x.is_shared() && y.is_shared() {
                                    pay!((x.size() / ITEMS_PER_OPERATION) as u64);
                                }
                                operators::equal(host, x, y)
                            }
                        };
                        if equal {
                            pc = t as usize;
                        }
                    }
                    Op::JumpNe { a, b, t } => {
                        let equal = match (&r[a as usize], &r[b as usize]) {
                            (Value::Int(x), Value::Int(y)) => x == y,
                            (x, y) => {
                                if x.is_shared() && y.is_shared() {
                                    pay!((x.size() / ITEMS_PER_OPERATION) as u64);
                                }
                                operators::equal(host, x, y)
                            }
                        };
                        if !equal {
                            pc = t as usize;
                        }
                    }
                    Op::JumpEqInt { a, i, t } => match &r[a as usize] {
                        Value::Int(x) => {
                            if *x == i as i64 {
                                pc = t as usize;
                            }
                        }
                        x => {
                            if operators::equal(host, x, &Value::Int(i as i64)) {
                                pc = t as usize;
                            }
                        }
                    },
                    Op::JumpNeInt { a, i, t } => match &r[a as usize] {
                        Value::Int(x) => {
                            if *x != i as i64 {
                                pc = t as usize;
                            }
                        }
                        x => {
                            if !operators::equal(host, x, &Value::Int(i as i64)) {
                                pc = t as usize;
                            }
                        }
                    },
                    Op::JumpCase { a, k, t } => {
                        if operators::same_case(
                            host,
                            &r[a as usize],
                            &program.constants[k as usize],
                        ) {
                            pc = t as usize;
                        }
                    }
                    Op::JumpOutside { a, k, t } => {
                        match (&r[a as usize], &program.constants[k as usize]) {
                            (Value::Int(n), Value::Range(range)) if range.contains(*n) => {}
                            (Value::Range(x), Value::Range(range)) if x == range => {}
                            _ => pc = t as usize,
                        }
                    }

                    Op::ForStart {
                        r: first,
                        inclusive,
                        t,
                    } => {
                        let bounds = &mut r[first as usize..first as usize + 2];
                        if !check!(range_start(program, bounds, inclusive)) {
                            pc = t as usize;
                        }
                    }
                    Op::ForFrom {
                        r: first,
                        inclusive,
                        from,
                        t,
                    } => {
                        let first = first as usize;
                        r[first].put(Value::Int(from as i64));
                        match &r[first + 1] {
                            Value::Int(to) if !inclusive => {
                                if *to <= from as i64 {
                                    pc = t as usize;
                                }
                            }
                            _ => {
                                let bounds = &mut r[first..first + 2];
                                if !check!(range_start(program, bounds, inclusive)) {
                                    pc = t as usize;
                                }
                            }
                        }
                    }
                    Op::ForNext { r: first, cost, t } => {
                        pay!(cost as u64);
                        let first = first as usize;
                        if let (Value::Int(x), Value::Int(end)) = (&r[first], &r[first + 1]) {
                            let (next, end) = (x.wrapping_add(1), *end);
                            if next < end {
                                r[first].put(Value::Int(next));
                                pc = t as usize;
                            }
                        }
                    }
                    Op::Next { r: first, t } => {
                        if !check!(next(&mut env!(), r, first as usize)) {
                            pc = t as usize;
                        }
                    }
                    Op::NextCounted { r: first, t } => {
                        let first = first as usize;
                        if !check!(next(&mut env!(), r, first)) {
                            pc = t as usize;
                        } else if let Value::Int(n) = &r[first + 3] {
                            let n = *n + 1;
                            r[first + 3].put(Value::Int(n));
                        }
                    }

                    Op::Call { d, a, f } => enter!(d, a, f),
                    Op::CallOne { d, a, x, f } => {
                        if r[x as usize].is_shared() {
                            pay!(work(std::slice::from_ref(&r[x as usize])));
                        }
                        let first = r[x as usize].clone();
                        r[a as usize].put(first);
                        enter!(d, a, f as u32)
                    }
                    Op::CallTwo { d, a, x, y, f } => {
                        if r[x as usize].is_shared() || r[y as usize].is_shared() {
                            let size = r[x as usize].size() + r[y as usize].size();
                            pay!((size / ITEMS_PER_OPERATION) as u64);
                        }
                        let first = r[x as usize].clone();
                        r[a as usize].put(first);
                        let second = r[y as usize].clone();
                        r[a as usize + 1].put(second);
                        enter!(d, a, f as u32)
                    }
                    Op::CallValue { d, a, n, style } => {
                        let (f, at) =
                            check!(arrange_call(program, r, a as usize, n as usize, style));
                        enter!(d, at, f)
                    }
                    Op::FunctionOf { d, s, arity } => {
                        let value = check!(function_of(program, &r[s as usize], arity));
                        r[d as usize].put(value);
                    }
                    Op::NamedFn {
                        f,
                        list,
                        most,
                        unit,
                    } => named_function(program, r, f as usize, list as usize, (unit, most)),
                    Op::Return { s } => {
                        let f = &program.functions[self.function as usize];
                        let value = if f.uses_this && s == 0 {
                            r[0].clone()
                        } else {
                            r[s as usize].take()
                        };
                        leave!(f, value)
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
                                let row = &mut r[a as usize..a as usize + n as usize];
                                let mut env = env!();
                                let value = library(&mut env, f, row);
                                let cost = env.work;
                                r[d as usize].put(check!(value));
                                pay!(cost);
                            }
                        }
                        for left in &mut r[a as usize..a as usize + n as usize] {
                            if left.is_shared() && a != d {
                                left.put(Value::Unit);
                            }
                        }
                    }
                    Op::Library { d, a, n, f } => {
                        let row = &mut r[a as usize..a as usize + n as usize];
                        let mut env = env!();
                        let value = library(&mut env, f, row);
                        let cost = env.work;
                        let value = check!(value);
                        for left in row {
                            left.put(Value::Unit);
                        }
                        r[d as usize].put(value);
                        pay!(cost);
                    }
                    Op::Change { d, root, a, n, f } => {
                        let mut target = r[root as usize].take();
                        let row = &mut r[a as usize..a as usize + n as usize];
                        let mut env = env!();
                        let result = env.change(f, &mut target, row);
                        let cost = env.work;
                        for left in row {
                            left.put(Value::Unit);
                        }
                        r[root as usize].put(target);
                        r[d as usize].put(check!(result));
                        pay!(cost);
                    }
                    Op::Name { d, s, domain } => {
                        let value = match &r[s as usize] {
                            Value::Str(text) => {
                                check!(host.name(crate::host::Domain(domain), text))
                            }
                            other => other.clone(),
                        };
                        r[d as usize].put(value);
                    }

                    Op::Len { d, o } => {
                        let len = match &r[o as usize] {
                            Value::Array(items) => Some(items.len() as i64),
                            Value::Handle(..) | Value::Small(..) | Value::Object(_) => {
                                host.len(&r[o as usize])
                            }
                            _ => None,
                        };
                        match len {
                            Some(n) => r[d as usize].put(Value::Int(n)),
                            None => {
                                pay!(work(std::slice::from_ref(&r[o as usize])));
                                let value =
                                    check!(crate::library::len(&mut env!(), &r[o as usize]));
                                r[d as usize].put(value);
                            }
                        }
                    }
                    Op::Get {
                        d,
                        o,
                        kind,
                        slot,
                        p,
                    } => {
                        if let Value::Handle(k, id) = &r[o as usize]
                            && *k == kind
                        {
                            let id = *id;
                            host.slot_into(kind, slot, id, &mut r[d as usize]);
                        } else if let Value::Map(map) = &r[o as usize]
                            && let Some(found) = map.get_known(&program.properties[p as usize].name)
                        {
                            copy!(d, found);
                        } else if let Value::Str(text) = &r[o as usize] {
                            pay!((text.len() / ITEMS_PER_OPERATION) as u64);
                            check!(members::get(&mut env!(), r, d, o, p));
                        } else if check!(members::get(&mut env!(), r, d, o, p)) == Flow::Suspend {
                            return Ok(self.suspend(program, pc, base, fuel, d));
                        }
                    }
                    Op::Set { o, s, p } => {
                        let name = &program.properties[p as usize].name;
                        if let Ok([Value::Map(map), new]) =
                            r.get_disjoint_mut([o as usize, s as usize])
                            && new.depth() == 0
                            && let Some(place) = Shared::make_mut(map).get_known_mut(name)
                        {
                            place.put_copy(new);
                        } else {
                            check!(members::set(&mut env!(), r, o, s, p));
                        }
                    }
                    Op::Update { op, o, s, p } => {
                        if let (Value::Handle(kind, id), Value::Int(n)) =
                            (&r[o as usize], &r[s as usize])
                            && matches!(op, BinOp::Add | BinOp::Sub)
                            && *n != i64::MIN
                            && let Some(crate::program::Access::Slot {
                                slot,
                                writable: true,
                            }) = program.properties[p as usize].handle.get(*kind as usize)
                        {
                            let delta = if op == BinOp::Add { *n } else { -*n };
                            check!(host.add_slot(*kind, *slot, *id, delta));
                        } else if let Value::Int(n) = r[s as usize]
                            && let Value::Map(map) = &mut r[o as usize]
                            && let Some(Value::Int(x)) = Shared::make_mut(map)
                                .get_known_mut(&program.properties[p as usize].name)
                            && let Some(z) = operators::arithmetic(op, *x, n)
                        {
                            *x = z;
                        } else {
                            check!(members::update(&mut env!(), r, op, o, s, p));
                        }
                    }
                    Op::Bump {
                        o,
                        i,
                        kind,
                        slot,
                        p,
                    } => {
                        if let Value::Handle(k, id) = &r[o as usize]
                            && *k == kind
                        {
                            check!(host.add_slot(kind, slot, *id, i as i64));
                        } else if let Value::Map(map) = &mut r[o as usize]
                            && let Some(Value::Int(x)) = Shared::make_mut(map)
                                .get_known_mut(&program.properties[p as usize].name)
                            && let Some(z) = x.checked_add(i as i64)
                        {
                            *x = z;
                        } else {
                            // The sign says which of the two was written.
                            r[members::SCRATCH as usize].put(Value::Int((i as i64).abs()));
                            let op = if i < 0 { BinOp::Sub } else { BinOp::Add };
                            check!(members::update(&mut env!(), r, op, o, members::SCRATCH, p));
                        }
                    }
                    Op::GetSlot { d, o, kind, slot } => match &r[o as usize] {
                        Value::Handle(k, id) if *k == kind => {
                            let id = *id;
                            host.slot_into(kind, slot, id, &mut r[d as usize]);
                        }
                        other => break 'op faults::wrong_handle(program, other, kind, slot),
                    },
                    Op::GetFixed { d, kind, id, slot } => {
                        host.slot_into(kind, slot, id as u32, &mut r[d as usize]);
                    }
                    Op::SetSlot { o, s, kind, slot } => match &r[o as usize] {
                        Value::Handle(k, id) if *k == kind => {
                            check!(host.set_slot(kind, slot, *id, &r[s as usize]));
                        }
                        other => break 'op faults::wrong_handle(program, other, kind, slot),
                    },
                    Op::AddSlot { o, s, kind, slot } => match (&r[o as usize], &r[s as usize]) {
                        (Value::Handle(k, id), Value::Int(n)) if *k == kind => {
                            check!(host.add_slot(kind, slot, *id, *n));
                        }
                        (Value::Handle(k, id), change) if *k == kind => {
                            let place = (kind, slot, *id);
                            check!(members::update_slot(&mut env!(), BinOp::Add, place, change));
                        }
                        (other, _) => break 'op faults::wrong_handle(program, other, kind, slot),
                    },
                    Op::SubSlot { o, s, kind, slot } => match (&r[o as usize], &r[s as usize]) {
                        (Value::Handle(k, id), Value::Int(n)) if *k == kind && *n != i64::MIN => {
                            check!(host.add_slot(kind, slot, *id, -*n));
                        }
                        (Value::Handle(k, id), change) if *k == kind => {
                            let place = (kind, slot, *id);
                            check!(members::update_slot(&mut env!(), BinOp::Sub, place, change));
                        }
                        (other, _) => break 'op faults::wrong_handle(program, other, kind, slot),
                    },
                    Op::BumpSlot { o, kind, i, slot } => match &r[o as usize] {
                        Value::Handle(k, id) if *k == kind => {
                            check!(host.add_slot(kind, slot, *id, i as i64));
                        }
                        other => break 'op faults::wrong_handle(program, other, kind, slot),
                    },
                    Op::Index { d, a, b } => match (&r[a as usize], &r[b as usize]) {
                        (Value::Array(items), Value::Int(i))
                            if (*i as u64) < items.len() as u64 =>
                        {
                            copy!(d, &items[*i as usize]);
                        }
                        (Value::Small(..), Value::Int(i))
                            if let Some(value) = host.nth(&r[a as usize], *i) =>
                        {
                            r[d as usize].put(value);
                        }
                        (value, key) => {
                            if let Value::Str(text) = value {
                                pay!((text.len() / ITEMS_PER_OPERATION) as u64);
                            }
                            let value = check!(operators::index(&mut env!(), value, key));
                            r[d as usize].put(value);
                        }
                    },
                    Op::IndexInt { d, a, i } => {
                        if let Value::Array(items) = &r[a as usize]
                            && let Some(item) = items.get(i as usize)
                        {
                            copy!(d, item);
                            continue 'op;
                        }
                        let value = check!(operators::index(
                            &mut env!(),
                            &r[a as usize],
                            &Value::Int(i as i64)
                        ));
                        r[d as usize].put(value);
                    }
                    Op::IndexKey { d, a, p } => {
                        let key = &program.properties[p as usize].name;
                        match &r[a as usize] {
                            Value::Map(map) if let Some(found) = map.get_known(key) => {
                                copy!(d, found);
                            }
                            other => {
                                let key = Value::from(&**key);
                                let value = check!(operators::index(&mut env!(), other, &key));
                                r[d as usize].put(value);
                            }
                        }
                    }
                    Op::SetIndex { a, b, s } => {
                        if let Value::Int(i) = r[b as usize]
                            && let Ok([Value::Array(items), new]) =
                                r.get_disjoint_mut([a as usize, s as usize])
                            && (i as u64) < items.len() as u64
                            && new.depth() == 0
                        {
                            Shared::make_mut(items)[i as usize].put_copy(new);
                        } else {
                            let new = r[s as usize].clone();
                            let key = r[b as usize].clone();
                            let value = &mut r[a as usize];
                            check!(members::set_index(&mut env!(), value, &key, None, &new));
                        }
                    }
                    Op::UpdateIndex { op, a, b, s } => {
                        if let (&Value::Int(i), &Value::Int(y)) = (&r[b as usize], &r[s as usize])
                            && let Value::Array(items) = &mut r[a as usize]
                            && (i as u64) < items.len() as u64
                            && let Value::Int(x) = &mut Shared::make_mut(items)[i as usize]
                            && let Some(z) = operators::arithmetic(op, *x, y)
                        {
                            *x = z;
                        } else {
                            let new = r[s as usize].clone();
                            let key = r[b as usize].clone();
                            let value = &mut r[a as usize];
                            check!(members::set_index(&mut env!(), value, &key, Some(op), &new));
                        }
                    }
                    Op::Path { d, root, a, k } => {
                        let mut env = env!();
                        let done = members::path(&mut env, r, [d, root, a], k);
                        let cost = env.work;
                        check!(done);
                        pay!(cost);
                    }

                    Op::Unchanged { a, b } => {
                        if !operators::equal(host, &r[a as usize], &r[b as usize]) {
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
                    Op::Throw { s } => {
                        let value = r[s as usize].clone();
                        break 'op Box::new(Raise {
                            kind: FaultKind::Thrown,
                            message: String::new(),
                            value: Some(value),
                        });
                    }

                    Op::Cover { k } => {
                        let (word, bit) = (k as usize / 64, k % 64);
                        if self.covered.len() <= word {
                            self.covered.resize(word + 1, 0);
                        }
                        self.covered[word] |= 1 << bit;
                    }
                }
            };
            self.pc = pc as u32;
            self.base = base as u32;
            self.fuel = fuel;
            self.used = base + program.functions[self.function as usize].registers as usize;
            self.unwind(program, host, *raised)?;
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

#[inline(never)]
fn let_go<O>(registers: &mut [Value<O>]) {
    for left in registers {
        left.put(Value::Unit);
    }
}
