//! The reference page: functions, types and their properties, in Markdown.

use ludoteca::reference::{Argument, reference};

const OPENING: &str = "# What scripts may use

Rules are written in Rhai with whole numbers only. Besides what is listed here, scripts have Rhai's own functions on numbers, \
strings, arrays and maps. Names in quotes (attributes, prompts, zones, cards ..) are checked when the game is loaded.
";

const CLOSING: &str = "\n`score`, `evaluate`, `prefer`, metrics, invariants and what is shown must not change anything.\n";

pub fn page() -> String {
    let reference = reference();
    let mut page = String::from(OPENING);
    let mut room = "";
    for function in &reference.functions {
        if function.room != room {
            room = function.room;
            page.push_str(&format!("\n## {room}\n\n"));
        }
        page.push_str(&format!("- `{}`: {}", function.signature(), function.doc));
        // A parameter called `player` that takes a player says it all.
        let named = |p: &&Argument| p.accepts != "any" && p.accepts != p.name;
        let told = function.parameters.iter().filter(named);
        let told: Vec<String> = told.map(|p| format!("{}: {}", p.name, p.accepts)).collect();
        page.push_str(&match told.is_empty() {
            true => "\n".into(),
            false => format!(" ({})\n", told.join("; ")),
        });
    }
    page.push_str("\n## Types\n");
    for kind in &reference.types {
        page.push_str(&format!("\n- **{}**: {}\n", kind.name, kind.doc));
        for property in reference.properties.iter().filter(|p| p.of == kind.name) {
            let set = if property.writable {
                ", may be set"
            } else {
                ""
            };
            let (name, ty, doc) = (property.name, &property.ty, property.doc);
            page.push_str(&format!("  - `.{name}` {ty}{set}: {doc}\n"));
        }
    }
    page.push_str("\n## Functions the kernel calls\n\n");
    for called in &reference.called {
        page.push_str(&format!("- `{}`: {}\n", called.form, called.doc));
    }
    page.push_str(CLOSING);
    page
}
