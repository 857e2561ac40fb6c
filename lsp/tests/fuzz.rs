//! Files cut, doubled and garbled, and every request at any place of them: no answer may be a fault of ours.

mod support;

use serde_json::{Value, json};
use support::Editor;

/// A small generator: the same mistakes every time.
struct Luck(u64);

impl Luck {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n.max(1) as u64) as usize
    }
}

/// Another seed where somebody has time for more of them.
fn luck(usual: u64) -> Luck {
    let asked = std::env::var("LUDOTECA_SEED").ok();
    Luck(asked.and_then(|text| text.parse().ok()).unwrap_or(usual))
}

const FILES: [&str; 8] = [
    "scripts/feria/rules.rhai",
    "scripts/feria/game.toml",
    "cards/feria/wares.toml",
    "cards/feria/tables.toml",
    "cards/feria/text.toml",
    "maps/feria/square.toml",
    "variants/feria/cheap.toml",
    "tests/scenarios/feria/turns.toml",
];

/// What people and cats type.
const PIECES: [&str; 24] = [
    "\"",
    "'",
    "`${",
    "}",
    "{",
    "[",
    "]",
    "(",
    ")",
    "|",
    "#",
    "/*",
    "\n",
    "\r\n",
    "=",
    ".",
    "fn ",
    "ñ",
    "𝄞",
    "\u{0}",
    "p.",
    "[[",
    "\\",
    "999999999999999999999",
];

fn garbled(text: &str, luck: &mut Luck) -> String {
    let mut text = text.to_string();
    for _ in 0..1 + luck.below(4) {
        let edge = |text: &str, luck: &mut Luck| {
            let mut at = luck.below(text.len() + 1);
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            at
        };
        let (a, b) = (edge(&text, luck), edge(&text, luck));
        let (from, until) = (a.min(b), a.max(b).min(a.min(b) + 40));
        let until = (from..=until)
            .rev()
            .find(|n| text.is_char_boundary(*n))
            .unwrap_or(from);
        match luck.below(4) {
            0 => text.replace_range(from..until, ""),
            1 => text.insert_str(from, PIECES[luck.below(PIECES.len())]),
            2 => {
                let doubled = text[from..until].to_string();
                text.insert_str(from, &doubled);
            }
            _ => text.truncate(text.len() - (text.len() - from).min(200)),
        }
        while !text.is_char_boundary(text.len()) {
            text.pop();
        }
    }
    text
}

#[test]
fn every_request_survives_every_text() {
    let rounds = std::env::var("LUDOTECA_FUZZ")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(60);
    let mut luck = luck(0x1234_5678_9abc_def1);
    let mut editor = Editor::new();
    for round in 0..rounds {
        let path = FILES[luck.below(FILES.len())];
        let text = garbled(&editor.on_disk(path), &mut luck);
        editor.open_as(path, text.clone());
        for _ in 0..4 {
            let mut byte = luck.below(text.len() + 1);
            while !text.is_char_boundary(byte) {
                byte -= 1;
            }
            every_request(
                &mut editor,
                path,
                byte,
                &format!("round {round}, {path} at {byte}:\n{text}"),
            );
        }
        if luck.below(3) == 0 {
            let whole = editor.on_disk(path);
            editor.open_as(path, whole);
        }
    }
    // After all that it still knows what is wrong.
    for path in FILES {
        let whole = editor.on_disk(path);
        editor.open_as(path, whole);
    }
    let manifest = editor
        .on_disk(FILES[1])
        .replace("visible = \"nobody\"", "visble = \"nobody\"");
    editor.open_as(FILES[1], manifest);
    let uri = editor.uri(FILES[1]);
    editor.until(|e| {
        e.diagnostics
            .get(&uri)
            .is_some_and(|list| list.to_string().contains("visible"))
    });
}

/// A file may be full of one name: with another name everywhere it would be read anew many times over.
#[test]
fn a_name_that_is_everywhere_keeps_its_name() {
    let mut editor = Editor::new();
    let path = FILES[0];
    let calls = "fn spare() { }\nfn spares() {\n";
    let text = |times: usize| {
        let more = "spare();\n".repeat(times);
        format!("{}\n{calls}{more}}}\n", editor.on_disk(path))
    };
    let (few, many) = (text(10), text(10_001));
    for (text, refused) in [(few, false), (many, true)] {
        let byte = text.find(calls).expect("it is there") + "fn ".len();
        editor.open_as(path, text);
        let mut params = editor.place(path, byte);
        params["newName"] = json!("other_name");
        let told = editor.ask("textDocument/rename", params);
        match told {
            Ok(edit) => assert!(!refused && edit.to_string().matches("other_name").count() == 11),
            Err(message) => assert!(refused && message.contains("10000 places"), "{message}"),
        }
    }
}

fn every_request(editor: &mut Editor, path: &str, byte: usize, story: &str) {
    let at = editor.place(path, byte);
    let with = |key: &str, value: Value| {
        let mut params = at.clone();
        params[key] = value;
        params
    };
    let document = json!({ "textDocument": at["textDocument"] });
    let requests = [
        ("textDocument/completion", at.clone()),
        ("textDocument/hover", at.clone()),
        ("textDocument/signatureHelp", at.clone()),
        ("textDocument/definition", at.clone()),
        (
            "textDocument/references",
            with("context", json!({ "includeDeclaration": true })),
        ),
        ("textDocument/documentHighlight", at.clone()),
        ("textDocument/prepareRename", at.clone()),
        ("textDocument/rename", with("newName", json!("other_name"))),
        ("textDocument/documentSymbol", document.clone()),
        ("workspace/symbol", json!({ "query": "a" })),
        ("textDocument/foldingRange", document.clone()),
        ("textDocument/semanticTokens/full", document.clone()),
        ("textDocument/codeLens", document.clone()),
        (
            "textDocument/formatting",
            json!({ "textDocument": at["textDocument"], "options": { "tabSize": 2, "insertSpaces": true } }),
        ),
        (
            "textDocument/codeAction",
            json!({
                "textDocument": at["textDocument"],
                "range": { "start": at["position"], "end": at["position"] },
                "context": { "diagnostics": [] },
            }),
        ),
    ];
    for (method, params) in requests {
        if let Err(message) = editor.ask(method, params) {
            assert!(
                !message.contains("fault of ludoteca"),
                "{method}: {message}\n{story}"
            );
        }
    }
}
