//! What the loop of the machine says when something is wrong, out of its way.

use super::WINDOW;
use crate::error::{FaultKind, Raise, raise};
use crate::host::{Host, HostError};
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

/// What a function of the host says of a call; of an argument of a wrong type more is known here.
#[cold]
#[inline(never)]
pub(super) fn of_call<H: Host>(
    program: &Program<H>,
    native: u16,
    r: &[Value<H::Object>; WINDOW],
    args: [u8; 4],
    error: HostError,
) -> Box<Raise<H::Object>> {
    let wants = program.natives[native as usize].wants.as_ref();
    let told = error.argument().and_then(|n| {
        let (wants, wanted) = (wants?, wants?.args.get(n)?);
        let found = program.type_name(&r[*args.get(n)? as usize]);
        Some(format!("`{}` wants {wanted}, found {found}", wants.name))
    });
    match told {
        Some(message) => raise(FaultKind::Host, message),
        None => error.into(),
    }
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
