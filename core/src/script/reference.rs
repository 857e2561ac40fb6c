//! What rules may use, as data: the reference page, an editor's completion and hover come from it.

use super::names::describe_domain;
use super::verbs::{self, P, Verb};
use crate::table::types;
use ludoteca_vm::{Domain, Type};
use serde::Serialize;

/// Everything every game may use.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Reference {
    pub functions: Vec<Function>,
    pub types: Vec<ValueKind>,
    pub properties: Vec<Property>,
    /// Functions that games write and the kernel calls.
    pub called: Vec<CalledFunction>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Function {
    /// The part of the page it stands in.
    pub room: &'static str,
    pub name: &'static str,
    pub parameters: Vec<Argument>,
    pub result: String,
    pub doc: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Argument {
    pub name: &'static str,
    /// Whether it may be left out.
    pub optional: bool,
    /// In words.
    pub accepts: String,
    /// The type it must have, `name` for a name in quotes, `any` where there are several.
    #[serde(skip)]
    pub ty: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ValueKind {
    pub name: &'static str,
    /// What its members are.
    pub members: String,
    pub doc: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Property {
    pub of: String,
    pub name: &'static str,
    #[serde(rename = "type")]
    pub ty: String,
    pub writable: bool,
    pub doc: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CalledFunction {
    pub form: &'static str,
    pub doc: &'static str,
}

/// The functions the kernel calls; those of phases, metrics, invariants and checks are named in the manifest.
const CALLED: [(&str, &str); 15] = [
    ("setup()", "once, before the first round"),
    (
        "turn(p)",
        "the `step` of a phase in the manifest: with `each = \"player\"` for each player, `turn()` without",
    ),
    (
        "left(p)",
        "when a player leaves a match under way; the player is out if it is not written",
    ),
    (
        "ended()",
        "once, when the game is over, whatever ended it: the rules, the round limit or players who left. What was hidden is shown here; scores are asked afterwards",
    ),
    (
        "score(p)",
        "at the end; a number, or an array compared item by item; the highest wins",
    ),
    (
        "evaluate(p)",
        "how good the position is for p, a number; bots ask it",
    ),
    (
        "prefer(p, prompt, options)",
        "a weight for each option, as an array, or () where there is nothing to prefer; words beside the options come last",
    ),
    (
        "read_position(text)",
        "lays the table as a text says, in the notation the game's players know: `perft --fen`",
    ),
    (
        "imagine(p)",
        "puts right, on a table as p may believe it to be, what a plain draw of hidden things makes absurd",
    ),
    ("metric()", "the functions of `[metrics]`, a number"),
    ("invariant()", "the functions of `invariants`, always true"),
    (
        "table_view(p)",
        "or `table_view(p, prompt)`: lines shown to a person above a choice",
    ),
    (
        "map_view(p)",
        "or `map_view(p, prompt)`: lines about the board, shown above those where the board is not drawn",
    ),
    (
        "figures()",
        "numbers the rules compute and a drawn table shows, by name: `#{ total: [2, 3] }`, an array for one each player",
    ),
    (
        "note_option(p, prompt, option)",
        "a string shown beside an option, but not beside the one way out of choose_or; an option of choose_action has `.action` and `.on`",
    ),
];

/// All of it, in the order of the page.
pub fn reference() -> Reference {
    let kind = |(name, _, member, doc): (_, _, Type, _)| ValueKind {
        name,
        members: type_name(member),
        doc,
    };
    let property =
        |(on, name, gives, writable, doc): &(Type, &'static str, Type, bool, &'static str)| {
            Property {
                of: type_name(*on),
                name,
                ty: type_name(*gives),
                writable: *writable,
                doc,
            }
        };
    let mut functions: Vec<Function> = verbs::all().into_iter().map(function).collect();
    let room_ends = functions.iter().rposition(|f| f.room == keep().room);
    functions.insert(room_ends.map_or(0, |last| last + 1), keep());
    Reference {
        functions,
        types: types::all().into_iter().map(kind).collect(),
        properties: types::BUILT_IN.iter().map(property).collect(),
        called: CALLED
            .map(|(form, doc)| CalledFunction { form, doc })
            .to_vec(),
    }
}

impl Function {
    /// `choose(player, prompt, options, [details]) -> any`
    pub fn signature(&self) -> String {
        let names = self.parameters.iter().map(|p| match p.optional {
            true => format!("[{}]", p.name),
            false => p.name.to_string(),
        });
        let names: Vec<String> = names.collect();
        let result = match self.result.as_str() {
            "()" => String::new(),
            result => format!(" -> {result}"),
        };
        format!("{}({}){result}", self.name, names.join(", "))
    }
}

fn function(verb: &Verb) -> Function {
    let parameter = |(name, accepted): &(&'static str, P), optional: bool| Argument {
        name,
        optional,
        accepts: accepts(accepted),
        ty: match accepted {
            P::Of(ty) => type_name(*ty),
            P::Name(_) | P::Function => "name".into(),
            P::Either(_) | P::NameOr(..) => "any".into(),
        },
    };
    let needed = verb.params.iter().map(|given| parameter(given, false));
    let optional = verb.optional.iter().map(|given| parameter(given, true));
    Function {
        room: verb.room,
        name: verb.name,
        parameters: needed.chain(optional).collect(),
        result: type_name(verb.result),
        doc: verb.doc,
    }
}

/// The one function of sets that takes a rule. It is written in the language itself, so that the rule may ask.
fn keep() -> Function {
    let parameter = |name, accepts: &str, ty: &str| Argument {
        name,
        optional: false,
        accepts: accepts.into(),
        ty: ty.into(),
    };
    Function {
        room: "Collections",
        name: "keep",
        parameters: vec![
            parameter("set", "anything with members", "any"),
            parameter("rule", "function", "function"),
        ],
        result: "any".into(),
        doc: "the members for which the rule is true, as a set of the same kind: keep(owned(p), |s| s.armies > s.tired)",
    }
}

/// A type as authors name it.
fn type_name(ty: Type) -> String {
    match ty {
        Type::Any => "any".into(),
        Type::Unit => "()".into(),
        Type::Bool => "bool".into(),
        Type::Int => "int".into(),
        Type::Char => "char".into(),
        Type::Str => "string".into(),
        Type::Array => "array".into(),
        Type::Map => "map".into(),
        Type::Range => "range".into(),
        Type::Fn => "function".into(),
        Type::Host(id) => types::all()
            .get(id.0 as usize)
            .map_or("any", |(name, ..)| name)
            .into(),
    }
}

/// So many types at once are "anything with members".
const MANY: usize = 5;

/// What a parameter accepts, in words.
fn accepts(parameter: &P) -> String {
    let any_of = |types: &[Type]| match types.len() {
        MANY.. => "anything with members".to_string(),
        _ => types
            .iter()
            .map(|&ty| type_name(ty))
            .collect::<Vec<_>>()
            .join(" or "),
    };
    let name_of = |domain: Domain| {
        let what = describe_domain(domain);
        let article = match what.starts_with(['a', 'e', 'i', 'o', 'u']) {
            true => "an",
            false => "a",
        };
        format!("name of {article} {what}")
    };
    match parameter {
        P::Of(ty) => type_name(*ty),
        P::Either(types) => any_of(types),
        P::Name(domain) => name_of(*domain),
        P::NameOr(domain, types) => format!("{} or {}", name_of(*domain), any_of(types)),
        P::Function => "name of a script function".into(),
    }
}
