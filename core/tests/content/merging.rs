//! How one file changes another: base, patch, and what becomes of it.

use ludoteca::{
    File,
    inside::merge::{Adding, merge},
    inside::tree::{Node, parse},
};
use std::sync::Arc;

fn tree(name: &str, text: &str) -> Node {
    let file = Arc::new(File::new(name, name, name, text));
    let (node, problems) = parse(&file);
    assert!(problems.is_empty(), "{problems:?}");
    node
}

/// The merged tree in one line, or what is wrong.
fn merged(base: &str, patch: &str, adding: Adding) -> String {
    let mut node = tree("base", base);
    let mut problems = Vec::new();
    merge(&mut node, &tree("patch", patch), "", adding, &mut problems);
    match problems.is_empty() {
        true => node.said(),
        false => problems
            .iter()
            .map(|p| p.to_string())
            .collect::<Vec<_>>()
            .join("\n"),
    }
}

#[test]
fn patches() {
    let cases = [
        // Replacing.
        ("a = 1", "a = 2", "{ a = 2 }"),
        ("a = \"x\"", "a = \"y\"", "{ a = \"y\" }"),
        ("a = [1, 2]", "a = [3]", "{ a = [3] }"),
        (
            "a = { b = 1, c = 2 }",
            "a.b = 3",
            "{ a = { b = 3, c = 2 } }",
        ),
        ("a = 1", "b = 2", "{ a = 1, b = 2 }"),
        (
            "a = \"int\"",
            "a = { type = \"int\", min = 0 }",
            "{ a = { type = \"int\", min = 0 } }",
        ),
        (
            "a = { type = \"int\" }",
            "a.min = 0",
            "{ a = { type = \"int\", min = 0 } }",
        ),
        // Arithmetic.
        ("a = 4", "a = { add = -1 }", "{ a = 3 }"),
        ("a = 4", "a = { mul = 3 }", "{ a = 12 }"),
        ("a = 5", "a = { mul = 0.5 }", "{ a = 3 }"),
        ("a = -5", "a = { mul = 0.5 }", "{ a = -3 }"),
        ("a = 5", "a = { mul = -0.5 }", "{ a = -3 }"),
        ("a = 10", "a = { mul = 1.25 }", "{ a = 13 }"),
        ("a = 4", "a = { mul = 2, add = 1 }", "{ a = 9 }"),
        // Lists and tables of ids.
        ("a = [1]", "a = { extend = [2, 3] }", "{ a = [1, 2, 3] }"),
        ("a = [1, 2, 1]", "a = { delete = [1] }", "{ a = [2] }"),
        (
            "a = [1, 2]",
            "a = { delete = [1], extend = [3] }",
            "{ a = [2, 3] }",
        ),
        (
            "a = [{ s = \"x\", n = 1 }, { s = \"y\" }]",
            "a = { delete = [{ s = \"x\" }] }",
            "{ a = [{ s = \"y\" }] }",
        ),
        (
            "a = { x = 1, y = 2, z = 3 }",
            "a.delete = [\"y\"]",
            "{ a = { x = 1, z = 3 } }",
        ),
        (
            "a = { x = 1 }",
            "a = { delete = [\"x\"], y = 2 }",
            "{ a = { y = 2 } }",
        ),
        // A table that has such keys itself is an ordinary table.
        (
            "a = { add = 1, b = 1 }",
            "a.add = 2",
            "{ a = { add = 2, b = 1 } }",
        ),
        // Nothing changes.
        (
            "a = 1",
            "a = 1",
            "patch:1:5: E020 changes-nothing: `a` changes nothing; write only what differs",
        ),
        (
            "a = 1",
            "a = { add = 0 }",
            "patch:1:5: E020 changes-nothing: `a` changes nothing; write only what differs",
        ),
        (
            "a = 1",
            "a = { mul = 1.2 }",
            "patch:1:5: E020 changes-nothing: `a` changes nothing; write only what differs",
        ),
        (
            "a = [1]",
            "a = { extend = [] }",
            "patch:1:5: E020 changes-nothing: `a` changes nothing; write only what differs",
        ),
        (
            "a = {}",
            "a = {}",
            "patch:1:5: E020 changes-nothing: `a` changes nothing; write only what differs",
        ),
        (
            "a = 1",
            "",
            "patch:1:1: E020 changes-nothing: this file changes nothing; write only what differs",
        ),
        // It does not fit.
        (
            "a = \"x\"",
            "a = { add = 1 }",
            "patch:1:5: E021 patch-mismatch: `a` is a string: it can only be replaced",
        ),
        (
            "a = 1",
            "a = \"x\"",
            "patch:1:5: E021 patch-mismatch: expected a whole number, found a string",
        ),
        (
            "a = { b = 1 }",
            "a = 1",
            "patch:1:5: E021 patch-mismatch: expected a table, found a whole number",
        ),
        (
            "a = 1",
            "a = { b = 1 }",
            "patch:1:5: E021 patch-mismatch: expected a whole number, found a table",
        ),
        (
            "a = 1",
            "a = { extend = [1] }",
            "patch:1:16: E021 patch-mismatch: `extend` changes a list, and `a` is a whole number",
        ),
        (
            "a = [1]",
            "a = { add = 1 }",
            "patch:1:13: E021 patch-mismatch: `add` needs a list, found a whole number",
        ),
        (
            "a = 1",
            "a = { add = 0.5 }",
            "patch:1:13: E021 patch-mismatch: `add` needs a number, found a decimal number",
        ),
        (
            "a = 9223372036854775807",
            "a = { add = 1 }",
            "patch:1:13: E021 patch-mismatch: `a` cannot become that: the number is too large or too fine",
        ),
        (
            "a = 1",
            "a = { mul = 1e5 }",
            "patch:1:13: E021 patch-mismatch: `a` cannot become that: the number is too large or too fine",
        ),
        (
            "a = { x = 1 }",
            "a.delete = \"x\"",
            "patch:1:12: E021 patch-mismatch: `delete` needs a list of ids",
        ),
        // There is nothing to change.
        (
            "price = 1",
            "prize = { add = 1 }",
            "patch:1:1: E022 nothing-to-change: there is no `prize` to change; did you mean `price`?",
        ),
        (
            "a = { price = 1 }",
            "a.b.prize = { add = 1 }",
            "patch:1:3: E022 nothing-to-change: there is no `a.b` to change; expected `price`",
        ),
        (
            "a = [1]",
            "a = { delete = [2] }",
            "patch:1:17: E022 nothing-to-change: there is no `2` to delete",
        ),
        (
            "a = { mill = 1 }",
            "a.delete = [\"mil\"]",
            "patch:1:13: E022 nothing-to-change: there is no `mil` to delete; did you mean `mill`?",
        ),
        // A slip.
        (
            "coins = 1",
            "coin = 2",
            "patch:1:1: W001 similar-key: `coin` is new, but looks like `coins`; if you want to change `coins`, write `coins`",
        ),
    ];
    for (base, patch, expected) in cases {
        assert_eq!(
            merged(base, patch, Adding::Allowed),
            expected,
            "{base} <- {patch}"
        );
    }
}

#[test]
fn settings_add_no_keys() {
    let found = merged("a = { b = 1 }", "a.c = 1", Adding::Refused);
    assert_eq!(
        found,
        "patch:1:3: E022 nothing-to-change: there is no `a.c` to change; expected `b`"
    );
}

#[test]
fn merging_never_changes_what_it_refuses() {
    let mut node = tree("base", "a = 1");
    merge(
        &mut node,
        &tree("patch", "a = \"x\""),
        "",
        Adding::Allowed,
        &mut Vec::new(),
    );
    assert_eq!(node.said(), "{ a = 1 }");
}
