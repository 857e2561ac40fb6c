//! What the loop of the machine says when something is wrong, out of its way.

use crate::error::{FaultKind, Raise, raise};
use crate::host::Host;
use crate::program::Program;
use crate::value::{HandleKind, Value};

#[cold]
#[inline(never)]
pub(crate) fn budget_fault<O>(limit: u64) -> Box<Raise<O>> {
    raise(
        FaultKind::Budget,
        format!("the script used up its budget of {limit} operations"),
    )
}

#[cold]
#[inline(never)]
pub(super) fn not_a_condition<H: Host>(
    program: &Program<H>,
    value: &Value<H::Object>,
) -> Box<Raise<H::Object>> {
    let ty = program.type_name(value);
    raise(
        FaultKind::Type,
        format!("expected true or false, found {ty}"),
    )
}

#[cold]
#[inline(never)]
pub(super) fn wrong_handle<H: Host>(
    program: &Program<H>,
    value: &Value<H::Object>,
    kind: HandleKind,
    slot: u16,
) -> Box<Raise<H::Object>> {
    let ty = program.type_name(value);
    let name = program.slot_name(kind, slot);
    raise(FaultKind::Type, format!("{ty} has no property `{name}`"))
}

#[cold]
#[inline(never)]
pub(super) fn not_a_range<H: Host>(
    program: &Program<H>,
    from: &Value<H::Object>,
    to: &Value<H::Object>,
) -> Box<Raise<H::Object>> {
    let (from, to) = (program.type_name(from), program.type_name(to));
    raise(
        FaultKind::Type,
        format!("a range needs two numbers, found {from} and {to}"),
    )
}

#[cold]
#[inline(never)]
pub(super) fn no_negation<H: Host>(
    program: &Program<H>,
    value: &Value<H::Object>,
) -> Box<Raise<H::Object>> {
    let ty = program.type_name(value);
    raise(FaultKind::Type, format!("there is no `-{ty}`"))
}

#[cold]
pub(super) fn too_deep<O>(limit: u32) -> Box<Raise<O>> {
    raise(
        FaultKind::Depth,
        format!("calls are nested more than {limit} deep"),
    )
}

#[cold]
pub(super) fn changed_constant<O>() -> Box<Raise<O>> {
    raise(FaultKind::Type, "a constant cannot be changed")
}
