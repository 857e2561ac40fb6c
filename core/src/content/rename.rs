//! Words that are called otherwise now. A renamed function or key gets a row here; what is old is told with what to write instead, and
//! `ludoteca fix` writes it.

use super::diagnostic::{Code, Diagnostic, Slip};
use super::file::{File, Place};
use super::outdated::old_ways;
use super::pack::LayerFile;
use super::path::{Part, Role, role};
use super::tree::{Entry, Node};
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

/// What a word names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WordSort {
    /// A function scripts call.
    Function,
    /// A key of a file of this sort, wherever in it.
    Key(FileSort),
}

/// A sort of file whose keys were renamed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileSort {
    Pack,
    Manifest,
    Cards,
    Texts,
    Map,
    Variant,
}

/// One word, as it was and as it is.
#[derive(Debug, Clone, Copy)]
pub struct Rename {
    pub sort: WordSort,
    pub old: &'static str,
    pub new: &'static str,
}

/// All of them. Rows stay: a pack may be years old.
pub const RENAMES: &[Rename] = &[
    Rename {
        sort: WordSort::Function,
        old: "move_to",
        new: "move",
    },
    Rename {
        sort: WordSort::Key(FileSort::Pack),
        old: "license",
        new: "licence",
    },
];

/// The old words of a file, each with its place and what to write; `flags` are the parameters of its game that are true or false.
pub fn old_words(item: &LayerFile, flags: &BTreeSet<String>) -> Vec<Diagnostic> {
    let sort = file_sort(&item.file.path);
    let script = item.file.path.ends_with(".rhai");
    let words = script.then(|| tokens(&item.file.text));
    let mut found = old_ways(item, words.as_deref(), flags);
    for rename in RENAMES {
        match (rename.sort, &words) {
            (WordSort::Function, Some(words)) => found.extend(calls(&item.file, words, rename)),
            (WordSort::Key(of), _) if Some(of) == sort => {
                keys(item.tree(), &mut |entry, name| {
                    if name == rename.old {
                        found.push(told(rename, "key", &entry.key));
                    }
                });
            }
            _ => {}
        }
    }
    found
}

fn file_sort(path: &str) -> Option<FileSort> {
    Some(match role(path) {
        Role::Pack => FileSort::Pack,
        Role::Variant(..) => FileSort::Variant,
        Role::Game(_, Part::Manifest) => FileSort::Manifest,
        Role::Game(_, Part::Cards) => FileSort::Cards,
        Role::Game(_, Part::Texts) => FileSort::Texts,
        Role::Game(_, Part::Map(_)) => FileSort::Map,
        _ => return None,
    })
}

fn told(rename: &Rename, what: &str, place: &Place) -> Diagnostic {
    let Rename { old, new, .. } = rename;
    let message = format!("the {what} `{old}` is called `{new}` now");
    let mut problem = Diagnostic::new(Code::OldWord, message).at(place);
    problem.slip = Some(Slip {
        written: old.to_string(),
        meant: new.to_string(),
    });
    problem.help(format!("write `{new}`; `ludoteca fix` can do this"))
}

fn keys(node: Option<&Node>, see: &mut impl FnMut(&Entry, &str)) {
    for (name, entry) in node.and_then(Node::table).into_iter().flatten() {
        see(entry, name);
        keys(Some(&entry.node), see);
    }
}

/// Calls of a function in a script, outside of comments and texts.
fn calls(file: &Arc<File>, words: &[Range<usize>], rename: &Rename) -> Vec<Diagnostic> {
    let text = |n: usize| words.get(n).map_or("", |span| &file.text[span.clone()]);
    let called = |n: &usize| {
        // A function of one's own of that name is nobody else's.
        let declares = n.checked_sub(1).is_some_and(|before| text(before) == "fn");
        text(*n) == rename.old && text(n + 1) == "(" && !declares
    };
    let found = (0..words.len()).filter(called);
    found
        .map(|n| told(rename, "function", &Place::new(file, words[n].clone())))
        .collect()
}

/// The words, numbers and signs of a script, without comments and texts.
pub(super) fn tokens(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let two = bytes.get(at..at + 2).unwrap_or_default();
        let start = at;
        match bytes[at] {
            _ if two == b"//" => at = text[at..].find('\n').map_or(bytes.len(), |n| at + n),
            _ if two == b"/*" => at = text[at..].find("*/").map_or(bytes.len(), |n| at + n + 2),
            quote @ (b'"' | b'\'' | b'`') => at = end_of_text(bytes, at, quote),
            byte if byte.is_ascii_whitespace() => at += 1,
            byte if is_word(&byte) => {
                at += bytes[at..].iter().take_while(|byte| is_word(byte)).count();
                found.push(start..at);
            }
            byte => {
                let pairs: [&[u8]; 6] = [b"==", b"!=", b"<=", b">=", b"::", b"&&"];
                at += match pairs.contains(&two) {
                    true => 2,
                    false => 1,
                };
                // Letters beyond ASCII are no signs that anybody looks for.
                if byte.is_ascii() {
                    found.push(start..at);
                }
            }
        }
    }
    found
}

/// Behind a text that opens here; a backslash keeps it open.
fn end_of_text(bytes: &[u8], open: usize, quote: u8) -> usize {
    let mut at = open + 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' if quote != b'`' => at += 1,
            byte if byte == quote => return at + 1,
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(path: &str, text: &str) -> Vec<String> {
        let item = LayerFile::new(Arc::new(File::new(path, path, "test", text)));
        let flags = BTreeSet::from(["apart".to_string()]);
        let lines = old_words(&item, &flags).into_iter().map(|found| {
            let line = found.at.map_or(0, |at| at.place.line());
            format!("{line}: {}", found.message)
        });
        lines.collect()
    }

    #[test]
    fn calls_are_found_and_comments_texts_and_own_functions_are_not() {
        let script = "// move_to(a, b)\nfn f(c) {\n  move_to(c, game.pile);\n  c.move_to(game.pile);\n  print(\"move_to(x)\"); /* move_to() */\n  let remove_to = 1;\n}\nfn my_move_to(a) {}\n";
        assert_eq!(
            words("scripts/x/rules.rhai", script),
            [
                "3: the function `move_to` is called `move` now",
                "4: the function `move_to` is called `move` now"
            ]
        );
    }

    #[test]
    fn old_ways_are_found_and_new_ones_are_not() {
        let script = "fn f(a, b) {\n  if APART == 1 || APART != 1 || x.APART == 1 { }\n  if distance(a, (b)) < 0 { }\n  let d = cheapest(a, b, \"x\");\n  if d >= 0 && d < 3 { }\n}\nfn g(d) { d >= 0 && APART }\n";
        let told = words("scripts/x/rules.rhai", script);
        assert_eq!(
            told,
            [
                "2: `APART` is true or false, and no number any more",
                "2: `APART` is true or false, and no number any more",
                "3: where there is no way there is (), not -1",
                "5: where there is no way there is (), not -1",
            ]
        );
        let texts = "[prompt]\nhand.discard = { es = \"¿Qué?\", en = \"What?\" }\ntake = { es = \"¿Qué?\", en = \"What?\" }\ndiscard_two = { es = \"¿Qué?\", en = \"What?\", discards = true }\n";
        assert_eq!(words("cards/x/text.toml", texts).len(), 1);
        let variant = "[set]\napart = 1\nother = 1\n";
        assert_eq!(words("variants/x/y.toml", variant).len(), 1);
        let scenario =
            "[[scenario]]\norder = { \"game.deck\" = [\"tar\"] }\nstate.order = [1, 0]\n";
        assert_eq!(
            words("tests/scenarios/x/y.toml", scenario),
            ["2: what the next shuffles bring is called `shuffles` now"]
        );
    }

    #[test]
    fn a_number_before_a_distance_is_turned_round() {
        let mended = |condition: &str| {
            let script = format!("fn f(a, b) {{ let d = distance(a, b); if {condition} {{ }} }}");
            let item = LayerFile::new(Arc::new(File::new(
                "f",
                "scripts/x/f.rhai",
                "test",
                &script,
            )));
            let found = old_words(&item, &BTreeSet::new()).into_iter();
            let slips: Vec<Slip> = found.filter_map(|found| found.slip).collect();
            slips.iter().fold(condition.to_string(), |text, slip| {
                text.replace(&slip.written, &slip.meant)
            })
        };
        for (old, new) in [
            ("-1 == distance(a, b)", "() == distance(a, b)"),
            ("-1 != d", "() != d"),
            ("0 > cheapest(a, b)", "() == cheapest(a, b)"),
            ("0 <= d && d < 3", "() != d && d < 3"),
            ("b && (-1 >= d)", "b && (() == d)"),
            ("0 < d", "0 < d"),
            ("0 == d", "0 == d"),
            ("2 - 1 == d", "2 - 1 == d"),
            ("-1 == d - 4", "-1 == d - 4"),
            ("-1 == x.d", "-1 == x.d"),
            ("d == -1", "d == ()"),
        ] {
            assert_eq!(mended(old), new);
        }
    }

    #[test]
    fn keys_are_found_where_they_are_keys() {
        let pack = "name = \"license\"\nlicense = \"CC0-1.0\"\n";
        assert_eq!(
            words("pack.toml", pack),
            ["2: the key `license` is called `licence` now"]
        );
    }
}
