//! Files larger than anybody writes: an editor is told what a person can look at, and the rest is left out.

mod support;

use ludoteca::limits::{LARGEST_FILE, MOST_COLOURED, MOST_LISTED, MOST_SHOWN};
use serde_json::{Value, json};
use support::Editor;

const RULES: &str = "scripts/feria/rules.rhai";

fn asked(editor: &mut Editor, method: &str, params: Value) -> Vec<Value> {
    let answer = editor.ask(method, params).unwrap();
    let list = answer.get("data").unwrap_or(&answer);
    list.as_array().cloned().unwrap_or_default()
}

/// A file with something at its end again and again, with the cursor in the first `spare` of it.
fn opened(more: &str) -> (Editor, Value) {
    let mut editor = Editor::new();
    let text = format!("{}\nfn spare() {{ }}\n{more}", editor.on_disk(RULES));
    let byte = text.find("spare").expect("it was just written");
    editor.open_as(RULES, text);
    let place = editor.place(RULES, byte);
    (editor, place)
}

#[test]
fn of_a_name_that_is_everywhere_the_places_nearby_are_told() {
    let times = MOST_COLOURED + 1000;
    for apart in ["", "\n"] {
        let calls = format!("spare();{apart}").repeat(times);
        let (mut editor, at) = opened(&format!("fn spares() {{ {calls} }}\n"));
        let highlights = asked(&mut editor, "textDocument/documentHighlight", at.clone());
        assert_eq!(highlights.len(), MOST_SHOWN);
        assert_eq!(highlights[0]["range"]["start"], at["position"]);
        let mut with = at.clone();
        with["context"] = json!({ "includeDeclaration": true });
        let references = asked(&mut editor, "textDocument/references", with);
        assert_eq!(references.len(), MOST_LISTED);
        let document = json!({ "textDocument": at["textDocument"] });
        let colours = asked(&mut editor, "textDocument/semanticTokens/full", document);
        assert_eq!(colours.len(), 5 * MOST_COLOURED);
    }
}

#[test]
fn a_file_of_blocks_has_so_many_folds_and_lenses() {
    let blocks = "if true {\nspare();\n}\n".repeat(MOST_SHOWN + 1000);
    let (mut editor, at) = opened(&format!("fn spares() {{ {blocks} }}\n"));
    let document = json!({ "textDocument": at["textDocument"] });
    let folds = asked(&mut editor, "textDocument/foldingRange", document);
    assert_eq!(folds.len(), MOST_SHOWN);
    let scenarios = "tests/scenarios/feria/turns.toml";
    let text = editor.on_disk(scenarios);
    let more = "\n[[scenario]]\ntitle = \"One more\"\n".repeat(MOST_SHOWN);
    editor.open_as(scenarios, format!("{text}{more}"));
    let document = json!({ "textDocument": { "uri": editor.uri(scenarios) } });
    let lenses = asked(&mut editor, "textDocument/codeLens", document);
    assert_eq!(lenses.len(), MOST_SHOWN);
}

#[test]
fn of_very_many_functions_those_that_are_begun_are_offered() {
    let many: String = (0..MOST_SHOWN)
        .map(|n| format!("fn a{n}() {{ }}\n"))
        .collect();
    let (mut editor, _) = opened(&format!("{many}fn spares() {{ spare(); }}\n"));
    let begun = editor.texts[RULES].find("{ spare();").expect("the call") + "{ spa".len();
    let at = editor.place(RULES, begun);
    let answer = editor.ask("textDocument/completion", at).unwrap();
    assert_eq!(answer["isIncomplete"], true);
    let items = answer["items"].as_array().cloned().unwrap_or_default();
    assert!(items.len() < MOST_SHOWN, "{} items", items.len());
    for begun in ["spare", "spares"] {
        assert!(items.iter().any(|item| item["label"] == begun), "{begun}");
    }
}

/// Each of these takes the square of its length, or more, where somebody looks back over all of it for each of its parts.
#[test]
fn long_lines_of_one_thing_are_read_once() {
    let times = 100_000;
    let many = |each: &dyn Fn(usize) -> String| (0..times).map(each).collect::<String>();
    for more in [
        format!("fn long(x) {{ x{} }}", ".a".repeat(times)),
        format!("fn long(x) {{ x{} }}", ".A".repeat(times)),
        format!("fn long() {{ {} }}", many(&|n| format!("let x{n}=y;"))),
        "fn ".repeat(times),
        "fn a(".repeat(times),
        many(&|n| format!("fn a{n}(x){{a{}(x);}}", n + 1)),
        many(&|n| format!("import \"lib/a{n}\" as a{n};\n"))
            + format!("fn long() {{ {} }}", "a::b();".repeat(times)).as_str(),
        format!(
            "fn long(x) {{ f({}x).a {{ {} }} }}",
            "1,".repeat(times),
            "\"a\",".repeat(times)
        ),
    ] {
        let (mut editor, at) = opened(&more);
        let document = json!({ "textDocument": at["textDocument"] });
        let colours = asked(&mut editor, "textDocument/semanticTokens/full", document);
        assert!(colours.len() <= 5 * MOST_COLOURED);
    }
}

#[test]
fn of_a_text_that_no_file_may_hold_nothing_is_told() {
    let more = "spare();".repeat(LARGEST_FILE as usize / 8 + 1);
    let (mut editor, at) = opened(&format!("fn spares() {{ {more} }}\n"));
    let document = json!({ "textDocument": at["textDocument"] });
    for method in [
        "textDocument/semanticTokens/full",
        "textDocument/foldingRange",
        "textDocument/documentSymbol",
    ] {
        assert!(asked(&mut editor, method, document.clone()).is_empty());
    }
    let uri = editor.uri(RULES);
    editor.until(|editor| {
        let told = editor.diagnostics.get(&uri).map(Value::to_string);
        told.is_some_and(|told| told.contains("MiB") || told.contains("bytes"))
    });
}
