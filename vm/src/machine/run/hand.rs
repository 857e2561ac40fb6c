//! What an operation works with, and what it costs.

use crate::error::Raised;
use crate::host::Host;
use crate::library::{Env, ITEMS_PER_OPERATION};
use crate::machine::{Limits, WINDOW, faults};
use crate::value::Value;

pub(super) type Window<H> = [Value<<H as Host>::Object>; WINDOW];
pub(super) type Done<T, H> = Raised<T, <H as Host>::Object>;

/// The registers an operation sees, and everything around them. Two pointers, so that handing it on to a function that is not inlined
/// costs nothing where that function is not called.
pub(super) struct Hand<'a, 'e, H: Host> {
    pub env: &'a mut Env<'e, H>,
    pub r: &'a mut Window<H>,
}

/// Copies a value that lies in or behind the registers into one of them: as `put_copy`, each kind in its own parts.
macro_rules! copy {
    ($r:expr, $d:expr, $from:expr) => {
        match *$from {
            Value::Int(n) => $r[$d as usize].put(Value::Int(n)),
            Value::Handle(kind, id) => $r[$d as usize].put(Value::Handle(kind, id)),
            Value::Bool(b) => $r[$d as usize].put(Value::Bool(b)),
            Value::Unit => $r[$d as usize].put(Value::Unit),
            ref other => {
                let value = other.clone();
                $r[$d as usize].put_made(value);
            }
        }
    };
}
pub(super) use copy;

/// What is left of the budget after this.
#[inline(always)]
pub(super) fn pay<O>(fuel: u64, cost: u64, limits: &Limits) -> Raised<u64, O> {
    match fuel.checked_sub(cost) {
        Some(rest) => Ok(rest),
        None => Err(faults::budget_fault(limits.operations)),
    }
}

/// What going through values of this size costs.
#[inline(always)]
pub(super) fn size_cost(size: usize) -> u64 {
    (size / ITEMS_PER_OPERATION) as u64
}
