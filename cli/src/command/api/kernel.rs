//! What every game may use: functions, types and their properties.

use ludoteca::script::names::describe_domain;
use ludoteca::script::verbs::{self, Entry, P};
use ludoteca::table::types;
use ludoteca_vm::{Domain, Type};
use serde_json::{Value as Json, json};

/// A type as authors name it.
pub fn type_name(ty: Type) -> String {
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
        let article = if what.starts_with(['a', 'e', 'i', 'o', 'u']) {
            "an"
        } else {
            "a"
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

/// `choose(player, prompt, options) -> any`
fn signature(entry: &Entry) -> String {
    let names: Vec<&str> = entry.params.iter().map(|(name, _)| *name).collect();
    let result = match entry.result {
        Type::Unit => String::new(),
        result => format!(" -> {}", type_name(result)),
    };
    format!("{}({}){result}", entry.name, names.join(", "))
}

/// The reference page, in Markdown.
pub fn page() -> String {
    let mut page = String::from(
        "# What scripts may use\n\n\
         Rules are written in Rhai with whole numbers only. Besides what is listed here, scripts have Rhai's own functions on numbers, \
         strings, arrays and maps. Names in quotes (attributes, prompts, zones, cards ..) are checked when the game is loaded.\n",
    );
    let mut room = "";
    for entry in verbs::all() {
        if entry.room != room {
            room = entry.room;
            page.push_str(&format!("\n## {room}\n\n"));
        }
        page.push_str(&format!("- `{}`: {}", signature(entry), entry.doc));
        // A parameter called `player` that takes a player says it all.
        let named = |(name, parameter): &&(&str, P)| {
            !matches!(parameter, P::Of(Type::Any)) && accepts(parameter) != *name
        };
        let told: Vec<String> = entry
            .params
            .iter()
            .filter(named)
            .map(|(name, p)| format!("{name}: {}", accepts(p)))
            .collect();
        page.push_str(&if told.is_empty() {
            "\n".into()
        } else {
            format!(" ({})\n", told.join("; "))
        });
    }
    page.push_str("\n## Types\n");
    for (number, (name, _, _, doc)) in types::all().into_iter().enumerate() {
        page.push_str(&format!("\n- **{name}**: {doc}\n"));
        for (on, property, gives, writable, doc) in types::BUILT_IN {
            if *on == Type::Host(ludoteca_vm::TypeId(number as _)) {
                let set = if *writable { ", may be set" } else { "" };
                page.push_str(&format!(
                    "  - `.{property}` {}{set}: {doc}\n",
                    type_name(*gives)
                ));
            }
        }
    }
    page.push_str(CALLED);
    page
}

/// Functions that games write and the kernel calls.
const CALLED: &str = "
## Functions the kernel calls

- `setup()`: once, before the first round
- the `step` of each phase in the manifest: `turn(p)` with `each = \"player\"`, `turn()` without
- `score(p)`: at the end; a number, or an array compared item by item; the highest wins
- `evaluate(p)`: how good the position is for p, a number; the bot `greedy` asks it
- the functions of `[metrics]` and of `invariants`
- `table_view(p)` or `table_view(p, prompt)`: lines shown to a person above a choice
- `note_option(p, prompt, option)`: a string shown beside an option

`score`, `evaluate`, metrics, invariants and what is shown must not change anything.
";

/// Functions, types and properties.
pub fn json() -> (Json, Json, Json) {
    let function = |entry: &&Entry| {
        let parameters: Vec<Json> = entry
            .params
            .iter()
            .map(|(name, p)| json!({ "name": name, "accepts": accepts(p) }))
            .collect();
        json!({ "room": entry.room, "name": entry.name, "parameters": parameters, "result": type_name(entry.result), "doc": entry.doc })
    };
    let kind = |(name, _, member, doc): &(&str, Vec<_>, Type, &str)| json!({ "name": name, "members": type_name(*member), "doc": doc });
    let property = |(on, name, gives, writable, doc): &(Type, &str, Type, bool, &str)| json!({ "of": type_name(*on), "name": name, "type": type_name(*gives), "writable": writable, "doc": doc });
    (
        verbs::all().iter().map(function).collect(),
        types::all().iter().map(kind).collect(),
        types::BUILT_IN.iter().map(property).collect(),
    )
}
