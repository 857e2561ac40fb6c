//! The API table: every function scripts may call, with its parameters, its result and a line about it.
//! The binding to the executor, the reference page and the check of every call come from this table.

mod choices;
mod collections;
pub mod cost;
mod flow;
mod grid;
mod map;
pub(super) mod pieces;
mod players;
mod positions;
mod random;

use self::cost::Cost;
use crate::model::value::Object;
use crate::table::Table;
use crate::table::types;
use ludoteca_vm::{Call, Domain, HostError, NativeFn, Param, Type};

/// What a parameter accepts, as the table writes it.
#[derive(Debug, Clone, Copy)]
pub enum P {
    Of(Type),
    /// One of several types.
    Either(&'static [Type]),
    Name(Domain),
    /// A name as a literal, or a value.
    NameOr(Domain, &'static [Type]),
    /// The name of a script function.
    Function,
}

/// One function of the API.
pub struct Entry {
    pub room: &'static str,
    pub name: &'static str,
    pub params: &'static [(&'static str, P)],
    pub result: Type,
    pub doc: &'static str,
    /// What a call costs; charged before it.
    pub cost: Cost,
    pub call: NativeFn<Table>,
}

impl Entry {
    pub fn param(&self, i: usize) -> Param {
        match self.params[i].1 {
            P::Of(ty) => Param::Of(vec![ty]),
            P::Either(types) => Param::Of(types.to_vec()),
            P::Name(domain) => Param::Name(domain),
            P::NameOr(domain, types) => Param::NameOr(domain, types.to_vec()),
            P::Function => Param::Function,
        }
    }
}

const INT: P = P::Of(Type::Int);
const ANY: P = P::Of(Type::Any);
const PLAYER: P = P::Of(types::PLAYER);
const SPACE: P = P::Of(types::SPACE);
const PIECE: P = P::Of(types::PIECE);
const ZONE: P = P::Of(types::ZONE);
/// A set of spaces, a single space, or an array of spaces.
const SPACES: P = P::Either(&[types::SPACES, types::SPACE, Type::Array]);
/// Anything with members.
const COLLECTION: P = P::Either(&[
    types::SPACES,
    types::PLAYERS,
    types::PIECES,
    types::EDGES,
    types::DICE,
    types::ZONE,
    Type::Array,
    Type::Range,
]);

/// The `i`-th argument as a number of things: there cannot be fewer than none.
fn amount(call: &Call<Object>, i: usize, what: &str) -> Result<u32, HostError> {
    let n = call.int(i)?;
    if n < 0 {
        return Err(HostError::new(format!("{n} {what} cannot be asked for")));
    }
    Ok(n.min(u32::MAX as i64) as u32)
}

/// All of it, in the order of the reference page.
pub fn all() -> Vec<&'static Entry> {
    [
        choices::ENTRIES,
        random::ENTRIES,
        map::ENTRIES,
        grid::ENTRIES,
        collections::ENTRIES,
        pieces::ENTRIES,
        players::ENTRIES,
        positions::ENTRIES,
        flow::ENTRIES,
    ]
    .into_iter()
    .flatten()
    .collect()
}
