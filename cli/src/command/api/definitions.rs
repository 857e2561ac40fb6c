//! Definitions for editors that know Rhai: a `.d.rhai` file.

use super::kernel::type_name;
use ludoteca::content::definition::Definition;
use ludoteca::script::verbs::{self, P};
use ludoteca::table::types;
use ludoteca_vm::Type;

/// The kernel's functions and properties, and the constants of a game if one is given.
pub fn text(definition: Option<&Definition>) -> String {
    let mut text = String::from("module static;\n\n/// the game as a whole\nconst game: game;\n");
    for parameter in definition
        .iter()
        .flat_map(|definition| &definition.parameters)
    {
        let doc = parameter.text.as_ref().map_or("", |text| &text.en);
        text.push_str(&format!(
            "\n/// {doc}\nconst {}: int;\n",
            parameter.name.to_uppercase()
        ));
    }
    for name in definition
        .iter()
        .flat_map(|definition| definition.tables.keys())
    {
        text.push_str(&format!(
            "\n/// a table\nconst {}: ?;\n",
            name.to_uppercase()
        ));
    }
    for entry in verbs::all() {
        let parameters: Vec<String> = entry
            .params
            .iter()
            .map(|(name, accepts)| format!("{name}: {}", parameter(accepts)))
            .collect();
        text.push_str(&format!(
            "\n/// {}\nfn {}({}) -> {};\n",
            entry.doc,
            entry.name,
            parameters.join(", "),
            named(entry.result)
        ));
    }
    for (on, name, gives, _, doc) in types::BUILT_IN {
        text.push_str(&format!(
            "\n/// {doc}\nfn get${name}({0}: {0}) -> {1};\n",
            type_name(*on),
            named(*gives)
        ));
    }
    text
}

fn parameter(accepts: &P) -> String {
    match accepts {
        P::Of(ty) => named(*ty),
        P::Name(_) | P::Function => "String".into(),
        P::Either(_) | P::NameOr(..) => "?".into(),
    }
}

fn named(ty: Type) -> String {
    match ty {
        Type::Any => "?".into(),
        Type::Str => "String".into(),
        Type::Array => "Array".into(),
        Type::Map => "Map".into(),
        Type::Fn => "FnPtr".into(),
        other => type_name(other),
    }
}
