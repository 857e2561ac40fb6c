//! What an operation works with, and what it costs.

use crate::error::Raised;
use crate::host::Host;
use crate::library::{Env, ITEMS_PER_OPERATION};
use crate::machine::{Limits, WINDOW, faults};
use crate::program::Program;
use crate::value::Value;

pub(super) type Window<H> = [Value<<H as Host>::Object>; WINDOW];
pub(super) type Done<T, H> = Raised<T, <H as Host>::Object>;

/// The registers an operation sees, and everything around them. It is taken apart again wherever a function is inlined, so that the
/// common way through an operation keeps it in the processor's registers.
pub(super) struct Hand<'a, H: Host> {
    pub host: &'a mut H,
    pub program: &'a Program<H>,
    pub limits: &'a Limits,
    pub r: &'a mut Window<H>,
    /// Operations to pay for what was gone through.
    pub work: &'a mut u64,
}

impl<'a, H: Host> Hand<'a, H> {
    /// For functions that are told what they see of the machine, and the registers apart.
    #[inline(always)]
    pub fn split(self) -> (Env<'a, H>, &'a mut Window<H>) {
        let env = Env {
            host: self.host,
            program: self.program,
            limits: self.limits,
            work: self.work,
        };
        (env, self.r)
    }
}

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
