//! What an editor asks and what it is told: the cases of `cases.txt`, one editor each.

mod support;

use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use support::Editor;

struct Case {
    title: String,
    lines: Vec<(String, String)>,
}

fn cases() -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for line in include_str!("cases.txt").lines() {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "" | "#" => {}
            "case" => cases.push(Case {
                title: rest.to_string(),
                lines: Vec::new(),
            }),
            _ => {
                let case = cases.last_mut().expect("a case comes first");
                case.lines.push((word.to_string(), rest.to_string()));
            }
        }
    }
    cases
}

impl Case {
    fn one(&self, word: &str) -> Option<String> {
        let found = self.lines.iter().find(|(w, _)| w == word);
        found.map(|(_, rest)| rest.replace("\\n", "\n"))
    }

    /// Opens the file with the cursor in it; gives its path and the byte.
    fn open(&self, editor: &mut Editor) -> (String, usize) {
        let path = self.one("file").expect("a case has a file");
        let (find, write) = (
            self.one("find").expect("a case finds something"),
            self.one("write"),
        );
        let old = find.replace('¦', "");
        let new = write.clone().unwrap_or(find);
        let cursor = new.find('¦').expect("a case has a cursor");
        let new = new.replace('¦', "");
        let text = editor.on_disk(&path);
        let at = text
            .find(&old)
            .unwrap_or_else(|| panic!("{}: `{old}` is not in {path}", self.title));
        editor.open_as(&path, text.replacen(&old, &new, 1));
        (path, at + cursor)
    }
}

#[test]
fn cases_hold() {
    let mut wrong = Vec::new();
    for case in cases() {
        let mut editor = Editor::new();
        let (path, byte) = case.open(&mut editor);
        let asked = case.one("ask").expect("a case asks something");
        let lines = answer(&mut editor, &asked, &path, byte);
        let holds = |word: &str, text: &str| match word {
            "has" => lines.iter().any(|line| line.contains(text)),
            "only" => lines.len() == 1 && lines[0].contains(text),
            "lacks" => !lines.iter().any(|line| line.contains(text)),
            _ => true,
        };
        for (word, text) in &case.lines {
            if !holds(word, text) {
                wrong.push(format!(
                    "{}\n  {word} {text}\n  {}",
                    case.title,
                    lines.join("\n  ")
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// The answer in lines.
fn answer(editor: &mut Editor, asked: &str, path: &str, byte: usize) -> Vec<String> {
    let at = editor.place(path, byte);
    let document = json!({ "textDocument": at["textDocument"] });
    let (what, rest) = asked.split_once(' ').unwrap_or((asked, ""));
    let ask =
        |editor: &mut Editor, method: &str, params: Value| editor.ask(method, params).unwrap();
    match what {
        "completion" => {
            let list = ask(editor, "textDocument/completion", at);
            let items = list["items"].as_array().cloned().unwrap_or_default();
            items
                .into_iter()
                .map(|item| completion(editor, item))
                .collect()
        }
        "hover" => {
            let hover = ask(editor, "textDocument/hover", at);
            lines(hover["contents"]["value"].as_str().unwrap_or_default())
        }
        "definition" => {
            let found = ask(editor, "textDocument/definition", at);
            found
                .as_array()
                .unwrap()
                .iter()
                .map(|place| editor.said(place))
                .collect()
        }
        "references" => {
            let mut params = at;
            params["context"] = json!({ "includeDeclaration": true });
            let found = ask(editor, "textDocument/references", params);
            found
                .as_array()
                .unwrap()
                .iter()
                .map(|place| editor.said(place))
                .collect()
        }
        "signature" => {
            let help = ask(editor, "textDocument/signatureHelp", at);
            let labels = help["signatures"].as_array().cloned().unwrap_or_default();
            let mut said: Vec<String> = labels
                .iter()
                .map(|s| s["label"].as_str().unwrap().to_string())
                .collect();
            said.push(format!("active {}", help["activeParameter"]));
            said
        }
        "rename" => {
            let mut params = at;
            params["newName"] = json!(rest);
            match editor.ask("textDocument/rename", params) {
                Ok(edit) => renamed(editor, &edit),
                Err(message) => vec![message],
            }
        }
        "diagnostics" | "actions" => {
            let uri = editor.uri(path);
            // What `actions` are about may be nothing that is wrong.
            let quiet = editor.texts[path] == editor.on_disk(path);
            editor.until(|editor| {
                quiet
                    || editor
                        .diagnostics
                        .get(&uri)
                        .is_some_and(|list| list != &json!([]))
            });
            if what == "diagnostics" {
                let list = editor.diagnostics[&uri].as_array().unwrap().clone();
                return list
                    .iter()
                    .map(|d| format!("{} {}", d["code"], d["message"]))
                    .collect();
            }
            let params = json!({
                "textDocument": at["textDocument"],
                "range": { "start": at["position"], "end": at["position"] },
                "context": { "diagnostics": [] },
            });
            let list = ask(editor, "textDocument/codeAction", params);
            let list = list.as_array().unwrap();
            list.iter()
                .map(|action| action["title"].as_str().unwrap().to_string())
                .collect()
        }
        "lenses" => {
            let list = ask(editor, "textDocument/codeLens", document);
            let list = list.as_array().unwrap();
            list.iter()
                .map(|lens| lens["command"]["title"].as_str().unwrap().to_string())
                .collect()
        }
        "symbols" => {
            let list = ask(editor, "textDocument/documentSymbol", document);
            let list = list.as_array().unwrap();
            list.iter()
                .map(|symbol| symbol["name"].as_str().unwrap().to_string())
                .collect()
        }
        "workspace" => {
            let list = ask(editor, "workspace/symbol", json!({ "query": rest }));
            let list = list.as_array().unwrap();
            list.iter()
                .map(|symbol| symbol["name"].as_str().unwrap().to_string())
                .collect()
        }
        "folding" => {
            let list = ask(editor, "textDocument/foldingRange", document);
            let line = |fold: &Value, key: &str| fold[key].as_u64().unwrap() + 1;
            let list = list.as_array().unwrap().clone();
            list.iter()
                .map(|fold| format!("{}-{}", line(fold, "startLine"), line(fold, "endLine")))
                .collect()
        }
        "tokens" => {
            let tokens = ask(editor, "textDocument/semanticTokens/full", document);
            coloured(&editor.texts[path], &tokens["data"])
        }
        "format" => {
            let mut params = document;
            params["options"] = json!({ "tabSize": 4, "insertSpaces": true });
            let edits = ask(editor, "textDocument/formatting", params);
            lines(edits[0]["newText"].as_str().unwrap_or_default())
        }
        other => panic!("nobody knows how to ask for {other}"),
    }
}

fn lines(text: &str) -> Vec<String> {
    text.lines().map(str::to_string).collect()
}

/// `turn.site = Which stall ..`, or `choose (choose(player ..))`.
fn completion(editor: &mut Editor, item: Value) -> String {
    let label = item["label"].as_str().unwrap().to_string();
    let detail = item["detail"].as_str().unwrap_or_default().to_string();
    let documented = item["documentation"]["value"].as_str().is_some();
    let doc = match documented {
        true => String::new(),
        false => {
            let full = editor.ask("completionItem/resolve", item).unwrap();
            let doc = full["documentation"]["value"]
                .as_str()
                .unwrap_or_default()
                .to_string();
            doc.lines()
                .filter_map(|line| line.strip_prefix("- en: "))
                .collect::<String>()
        }
    };
    match doc.is_empty() {
        true => format!("{label} ({detail})"),
        false => format!("{label} = {doc}"),
    }
}

/// The lines that change, as they are afterwards.
fn renamed(editor: &Editor, edit: &Value) -> Vec<String> {
    let mut said = Vec::new();
    for (uri, edits) in edit["changes"].as_object().unwrap() {
        let path = uri.strip_prefix(&editor.uri("")).unwrap();
        let text = editor
            .texts
            .get(path)
            .cloned()
            .unwrap_or_else(|| editor.on_disk(path));
        let mut lines: Vec<String> = lines(&text);
        let mut edits = edits.as_array().unwrap().clone();
        edits.sort_by_key(|edit| std::cmp::Reverse(edit["range"]["start"]["character"].as_u64()));
        let mut changed = Vec::new();
        for edit in edits {
            let number =
                |which: &str, what: &str| edit["range"][which][what].as_u64().unwrap() as usize;
            let line = &mut lines[number("start", "line")];
            line.replace_range(
                number("start", "character")..number("end", "character"),
                edit["newText"].as_str().unwrap(),
            );
            changed.push(number("start", "line"));
        }
        changed.sort();
        changed.dedup();
        said.extend(
            changed
                .into_iter()
                .map(|n| format!("{path}: {}", lines[n].trim())),
        );
    }
    said
}

/// Every token with its type; what stands in quotes keeps them.
fn coloured(text: &str, data: &Value) -> Vec<String> {
    let types = [
        "keyword",
        "comment",
        "string",
        "number",
        "function",
        "property",
        "parameter",
        "variable",
        "enumMember",
        "namespace",
        "type",
        "operator",
    ];
    let numbers: Vec<usize> = data
        .as_array()
        .unwrap()
        .iter()
        .map(|n| n.as_u64().unwrap() as usize)
        .collect();
    let lines: Vec<&str> = text.lines().collect();
    let (mut line, mut start) = (0, 0);
    let mut said = Vec::new();
    for token in numbers.chunks(5) {
        start = if token[0] > 0 {
            token[1]
        } else {
            start + token[1]
        };
        line += token[0];
        let word: String = lines[line].chars().skip(start).take(token[2]).collect();
        let before = start
            .checked_sub(1)
            .and_then(|n| lines[line].chars().nth(n));
        let word = if before == Some('"') {
            format!("\"{word}\"")
        } else {
            word
        };
        said.push(format!("{word} {}", types[token[3]]));
    }
    said
}

#[test]
fn what_is_wrong_is_told_across_files_and_taken_back() {
    let mut editor = Editor::new();
    editor.open("scripts/feria/game.toml");
    editor.open("cards/feria/text.toml");
    let (texts, rules) = (
        editor.uri("cards/feria/text.toml"),
        editor.uri("scripts/feria/rules.rhai"),
    );
    let old = editor.on_disk("cards/feria/text.toml");
    editor.open_as(
        "cards/feria/text.toml",
        old.replace("\"turn.site\"", "\"turn.place\""),
    );
    // The script is not open, and hears of it.
    editor.until(|e| {
        e.diagnostics
            .get(&rules)
            .is_some_and(|list| list.to_string().contains("turn.site"))
    });
    editor.open_as("cards/feria/text.toml", old);
    editor.until(|e| e.diagnostics.get(&rules) == Some(&json!([])));
    assert!(
        editor
            .diagnostics
            .get(&texts)
            .is_none_or(|list| *list == json!([]))
    );
}

/// A file that means harm keeps nobody waiting: the first mistakes are told, and how many there are besides.
#[test]
fn very_many_mistakes_are_told_as_far_as_anybody_reads() {
    let mut editor = Editor::new();
    let manifest = "scripts/feria/game.toml";
    let keys: String = (0..3_000).map(|n| format!("k{n} = 1\n")).collect();
    let text = format!("{keys}{}", editor.on_disk(manifest));
    editor.open_as(manifest, text);
    let uri = editor.uri(manifest);
    let many = |e: &Editor| {
        let told = e.diagnostics.get(&uri).and_then(Value::as_array);
        told.filter(|told| told.len() > 50).cloned()
    };
    editor.until(|e| many(e).is_some());
    let told = many(&editor).expect("mistakes");
    assert!(told.len() <= 101, "{} mistakes", told.len());
    assert!(
        told.iter()
            .any(|one| one["message"].as_str() == Some("and 2,900 more"))
    );
    // All of it on one line, and everything an editor asks of a page.
    let script = "scripts/feria/more.rhai";
    let line: String = (0..20_000)
        .map(|n| format!("if a{n} {{ b(c); }} "))
        .collect();
    editor.open_as(script, format!("fn more(p) {{ {line}}}\n"));
    let page = json!({ "textDocument": { "uri": editor.uri(script) } });
    for asked in ["foldingRange", "documentSymbol", "semanticTokens/full"] {
        let answer = editor.ask(&format!("textDocument/{asked}"), page.clone());
        assert!(answer.is_ok(), "{asked}: {answer:?}");
    }
    // A file that is full of names: an outline shows some, and looks for the ends of their blocks once.
    let tables = "cards/feria/tables.toml";
    let rows: String = (0..15_000).map(|n| format!("r{n} = 1\n")).collect();
    let text = format!("{}\n[very_many]\n{rows}", editor.on_disk(tables));
    editor.open_as(tables, text);
    let functions: String = (0..5_000)
        .map(|n| format!("fn f{n}(a) {{ if a {{ f{n}(a) }} }}\n"))
        .collect();
    editor.open_as(script, functions);
    for (path, some) in [(tables, 5_000), (script, 4_999)] {
        let page = json!({ "textDocument": { "uri": editor.uri(path) } });
        let outline = editor.ask("textDocument/documentSymbol", page);
        let symbols = outline.expect("an outline");
        let symbols = symbols.as_array().map_or(0, Vec::len);
        assert!((some..=10_000).contains(&symbols), "{path}: {symbols}");
    }
}

#[test]
fn unsaved_texts_count_and_saved_ones_are_read_again() {
    let mut editor = Editor::new();
    editor.open("scripts/feria/rules.rhai");
    let variant = editor.uri("variants/feria/cheap.toml");
    let path = editor.root.join("variants/feria/cheap.toml");
    std::fs::write(
        &path,
        editor
            .on_disk("variants/feria/cheap.toml")
            .replace("stall", "stal"),
    )
    .unwrap();
    editor.tell(
        "workspace/didChangeWatchedFiles",
        json!({ "changes": [{ "uri": variant, "type": 2 }] }),
    );
    editor.until(|e| {
        e.diagnostics
            .get(&variant)
            .is_some_and(|list| list.to_string().contains("prices.stall"))
    });
}

#[test]
fn the_scenarios_one_writes_in_are_told_and_those_of_other_files_stay_as_they_were() {
    let mut editor = Editor::new();
    let (one, other) = (
        "tests/scenarios/feria/turns.toml",
        "tests/scenarios/feria/more.toml",
    );
    let sound = editor.on_disk(one);
    let call = |name: &str| {
        format!(
            "\n[[scenario]]\ntitle = \"{name}\"\nplayers = 2\nrun = [\"{name}()\"]\n[scenario.expect]\nasked = \"\"\n"
        )
    };
    let told = |editor: &Editor, path: &str, name: &str| {
        let list = editor.diagnostics.get(&editor.uri(path));
        list.is_some_and(|list| list.to_string().contains(name))
    };
    editor.open_as(other, format!("game = \"feria\"\n{}", call("nowhere")));
    editor.until(|editor| told(editor, other, "nowhere"));
    editor.open_as(one, format!("{sound}{}", call("elsewhere")));
    editor.until(|editor| told(editor, one, "elsewhere"));
    assert!(told(&editor, other, "nowhere"));
    editor.open_as(one, sound);
    editor.until(|editor| !told(editor, one, "elsewhere"));
    assert!(told(&editor, other, "nowhere"));
}

#[test]
fn a_scenario_is_run_as_it_stands_on_the_page() {
    let mut editor = Editor::new();
    let path = "tests/scenarios/feria/turns.toml";
    editor.open(path);
    let run = |editor: &mut Editor| {
        let given = json!([editor.uri(path), "a stall costs four coins"]);
        let params = json!({ "command": "ludoteca.runScenario", "arguments": given });
        let before = editor.shown.len();
        editor.ask("workspace/executeCommand", params).unwrap();
        editor.until(|editor| editor.shown.len() > before);
        editor.shown.last().cloned().unwrap()
    };
    assert_eq!(run(&mut editor), "✓ a stall costs four coins");
    let text = editor.on_disk(path).replace("coins = 1", "coins = 2");
    editor.open_as(path, text);
    let said = run(&mut editor);
    assert!(said.starts_with("✗ a stall costs four coins\n"), "{said}");
    assert!(said.contains("turns.toml:14"), "{said}");
    let refused = editor.ask(
        "workspace/executeCommand",
        json!({ "command": "ludoteca.dance", "arguments": [editor.uri(path)] }),
    );
    assert_eq!(refused, Err("there is no command `ludoteca.dance`".into()));
}

/// A command that says how far it is, as `ludoteca compare` does, and does what somebody wants of it.
#[cfg(unix)]
fn command(folder: &Path, then: &str) -> PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let path = folder.join("command");
    let script = format!("#!/bin/sh\necho '100/400, 3s left' >&2\n{then}\n");
    std::fs::write(&path, script).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path
}

#[cfg(unix)]
#[test]
fn a_comparison_shows_how_far_it_is_and_can_be_left_off() {
    let folder = tempfile::tempdir().unwrap();
    let compare = |then: &str| {
        let tool = command(folder.path(), then);
        let greeting = json!({ "capabilities": { "window": { "workDoneProgress": true } }, "processId": null });
        let mut editor = Editor::with(support::pack(), Some(tool), greeting);
        let variant = editor.uri("variants/feria/cheap.toml");
        let given = json!([variant, "feria", "cheap"]);
        let params = json!({ "command": "ludoteca.compareVariant", "arguments": given });
        editor.ask("workspace/executeCommand", params).unwrap();
        editor
    };
    let progress = |editor: &Editor, kind: &str| {
        let told = editor
            .heard
            .iter()
            .filter(|(method, _)| method == "$/progress");
        let values = told.map(|(_, params)| params.clone());
        values
            .into_iter()
            .find(|params| params["value"]["kind"] == kind)
    };
    let mut played = compare("");
    played.until(|editor| {
        editor
            .heard
            .iter()
            .any(|(method, _)| method == "window/showDocument")
    });
    let first = &played.heard[0];
    assert_eq!(first.0, "window/workDoneProgress/create");
    let begun = progress(&played, "begin").unwrap();
    assert_eq!(begun["token"], first.1["token"]);
    assert_eq!(begun["value"]["title"], "comparing feria with cheap");
    assert_eq!(
        progress(&played, "report").unwrap()["value"]["percentage"],
        25
    );
    assert!(progress(&played, "end").is_some());

    let mut broken = compare("echo 'error: no such variant' >&2; exit 1");
    broken.until(|editor| !editor.shown.is_empty());
    assert_eq!(broken.shown, ["cannot compare: error: no such variant"]);

    let mut long = compare("exec sleep 600");
    long.until(|editor| progress(editor, "report").is_some());
    let token = long.heard[0].1["token"].clone();
    long.tell("window/workDoneProgress/cancel", json!({ "token": token }));
    long.until(|editor| !editor.shown.is_empty());
    assert_eq!(long.shown, ["the comparison was left off"]);
}

#[test]
fn a_folder_without_a_pack_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let greeting = |root: &Path| {
        let uri = format!("file://{}", root.canonicalize().unwrap().display());
        json!({ "capabilities": {}, "processId": null, "rootUri": uri })
    };
    let mut outside = Editor::with(support::pack(), None, greeting(folder.path()));
    outside.until(|editor| !editor.shown.is_empty());
    assert!(
        outside.shown[0].contains("is no pack"),
        "{:?}",
        outside.shown
    );
    for inside in [
        support::pack(),
        support::pack().join("cards"),
        support::pack().join(".."),
    ] {
        let mut inside = Editor::with(support::pack(), None, greeting(&inside));
        assert_eq!(
            inside.ask("workspace/symbol", json!({ "query": "x" })),
            Ok(json!([]))
        );
        assert!(inside.shown.is_empty(), "{:?}", inside.shown);
    }
}

#[test]
fn what_ludoteca_does_not_do_is_said_in_a_sentence() {
    let mut editor = Editor::new();
    let refused = editor.ask("textDocument/prepareTypeHierarchy", json!({}));
    assert_eq!(
        refused,
        Err("`textDocument/prepareTypeHierarchy` is not something ludoteca does".into())
    );
    assert!(editor.ask("textDocument/hover", json!({ "x": 1 })).is_err());
    let nowhere = json!({ "textDocument": { "uri": "file:///nowhere/x.rhai" }, "position": { "line": 0, "character": 0 } });
    assert_eq!(editor.ask("textDocument/hover", nowhere), Ok(Value::Null));
}
