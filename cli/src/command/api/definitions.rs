//! Definitions for editors that know Rhai: a `.d.rhai` file.

use ludoteca::{
    definition::Definition,
    reference::{Argument, reference},
};

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
    let reference = reference();
    for function in &reference.functions {
        let parameter = |p: &Argument| format!("{}: {}", p.name, named(&p.ty));
        let parameters: Vec<String> = function.parameters.iter().map(parameter).collect();
        text.push_str(&format!(
            "\n/// {}\nfn {}({}) -> {};\n",
            function.doc,
            function.name,
            parameters.join(", "),
            named(&function.result)
        ));
    }
    for property in &reference.properties {
        let (of, name, doc) = (&property.of, property.name, property.doc);
        let gives = named(&property.ty);
        text.push_str(&format!(
            "\n/// {doc}\nfn get${name}({of}: {of}) -> {gives};\n"
        ));
    }
    text
}

/// A type as editors that know Rhai write it.
fn named(ty: &str) -> &str {
    match ty {
        "any" => "?",
        "string" | "name" => "String",
        "array" => "Array",
        "map" => "Map",
        "function" => "FnPtr",
        other => other,
    }
}
