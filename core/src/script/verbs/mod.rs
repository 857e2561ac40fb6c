//! The API table: every function scripts may call, with its parameters, its result and a line about it.
//! The binding to the executor, the reference page and the check of every call come from this table.

mod choices;
mod collections;
pub mod cost;
mod distinct;
mod flow;
mod grid;
mod map;
pub(super) mod pieces;
mod players;
mod positions;
mod random;
mod ways;

use self::cost::Cost;
pub use self::players::by_number_of_players;
use crate::model::value::Object;
use crate::table::Table;
use crate::table::types;
use ludoteca_vm::{Call, Domain, FunctionDecl, HostError, NativeFn, Param, Type};

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
pub struct Verb {
    pub room: &'static str,
    pub name: &'static str,
    pub params: &'static [(&'static str, P)],
    /// Parameters that may be left out, the last ones first. The function asks how many it is given.
    pub optional: &'static [(&'static str, P)],
    pub result: Type,
    pub doc: &'static str,
    /// What a call costs; charged before it.
    pub cost: Cost,
    pub call: NativeFn<Table>,
}

impl P {
    fn param(self) -> Param {
        match self {
            P::Of(ty) => Param::Of(vec![ty]),
            P::Either(types) => Param::Of(types.to_vec()),
            P::Name(domain) => Param::Name(domain),
            P::NameOr(domain, types) => Param::NameOr(domain, types.to_vec()),
            P::Function => Param::Function,
        }
    }
}

/// A verb with so many of the parameters it may have.
#[derive(Clone)]
pub struct Form {
    pub verb: &'static Verb,
    pub params: Vec<(&'static str, P)>,
}

impl Form {
    /// As the executor knows it.
    pub fn declared(&self) -> FunctionDecl<Table> {
        let verb = self.verb;
        let params = self.params.iter();
        FunctionDecl {
            name: verb.name.into(),
            params: params
                .map(|(name, p)| (name.to_string(), p.param()))
                .collect(),
            result: verb.result,
            call: verb.call,
            cost: verb.cost.charged(),
            doc: verb.doc.into(),
            only_if_heard: verb.name == "say",
            takes_words: matches!(verb.name, "with_value" | "set_all"),
        }
    }
}

/// Every verb in all the forms it may be called in.
pub fn forms() -> Vec<Form> {
    let forms_of = |verb: &'static Verb| {
        (0..=verb.optional.len()).map(move |more| Form {
            verb,
            params: [verb.params, &verb.optional[..more]].concat(),
        })
    };
    all().into_iter().flat_map(forms_of).collect()
}

/// A verb all of whose parameters are needed.
const fn verb(
    room: &'static str,
    name: &'static str,
    params: &'static [(&'static str, P)],
    result: Type,
    doc: &'static str,
    cost: Cost,
    call: NativeFn<Table>,
) -> Verb {
    Verb {
        room,
        name,
        params,
        optional: &[],
        result,
        doc,
        cost,
        call,
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
pub fn all() -> Vec<&'static Verb> {
    [
        choices::VERBS,
        random::VERBS,
        map::VERBS,
        ways::VERBS,
        grid::VERBS,
        collections::VERBS,
        pieces::VERBS,
        players::VERBS,
        positions::VERBS,
        flow::VERBS,
    ]
    .into_iter()
    .flatten()
    .collect()
}
