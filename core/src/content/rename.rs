//! Words that are called otherwise now. A renamed function or key gets a row here; what is old is told with what to write instead, and
//! `ludoteca fix` writes it.

use super::diagnostic::{Code, Diagnostic, Slip};
use super::file::{File, Place};
use super::pack::LayerFile;
use super::path::{Part, Role, role};
use super::tree::{Entry, Node};
use std::sync::Arc;

/// What a word names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sort {
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
    pub sort: Sort,
    pub old: &'static str,
    pub new: &'static str,
    /// The kernel that knows the new word.
    pub since: &'static str,
}

/// All of them. Rows stay: a pack may be years old.
pub const RENAMES: &[Rename] = &[
    Rename {
        sort: Sort::Function,
        old: "move_to",
        new: "move",
        since: "0.1",
    },
    Rename {
        sort: Sort::Key(FileSort::Pack),
        old: "license",
        new: "licence",
        since: "0.1",
    },
];

/// The old words of a file, each with its place and what to write.
pub fn old_words(item: &LayerFile) -> Vec<Diagnostic> {
    old_words_by(RENAMES, item)
}

fn old_words_by(renames: &[Rename], item: &LayerFile) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let sort = file_sort(&item.file.path);
    for rename in renames {
        match rename.sort {
            Sort::Function if item.file.path.ends_with(".rhai") => {
                found.extend(calls(&item.file, rename));
            }
            Sort::Key(of) if Some(of) == sort => {
                let tree = item.tree.as_deref();
                keys(tree, &mut |entry, name| {
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
fn calls(file: &Arc<File>, rename: &Rename) -> Vec<Diagnostic> {
    if !file.text.contains(rename.old) {
        return Vec::new();
    }
    let word = |c: u8| c.is_ascii_alphanumeric() || c == b'_';
    let text = file.text.as_bytes();
    let mut found = Vec::new();
    for (at, _) in file.text.match_indices(rename.old) {
        let end = at + rename.old.len();
        let whole = !at.checked_sub(1).is_some_and(|before| word(text[before]));
        let after = file.text[end..].trim_start();
        // A function of one's own of that name is nobody else's.
        let declares = file.text[..at].trim_end().ends_with("fn");
        if whole && after.starts_with('(') && !declares && !is_quiet(&file.text[..at]) {
            found.push(told(rename, "function", &Place::new(file, at..end)));
        }
    }
    found
}

/// Whether a script is inside a comment or a text after what was written so far.
fn is_quiet(before: &str) -> bool {
    let mut rest = before;
    loop {
        let Some(at) = rest.find(['"', '`', '/', '\'']) else {
            return false;
        };
        let (opens, inside) = rest[at..].split_at(1);
        let closes = match opens {
            "/" if inside.starts_with('/') => "\n",
            "/" if inside.starts_with('*') => "*/",
            "/" => {
                rest = inside;
                continue;
            }
            _ => opens,
        };
        match end_of(inside, closes) {
            Some(end) => rest = &inside[end..],
            None => return true,
        }
    }
}

/// Where a comment or a text ends; a backslash keeps a text open.
fn end_of(inside: &str, closes: &str) -> Option<usize> {
    let mut from = 0;
    loop {
        let at = from + inside[from..].find(closes)?;
        let escapes = inside[..at]
            .bytes()
            .rev()
            .take_while(|b| *b == b'\\')
            .count();
        let in_text = matches!(closes, "\"" | "'");
        match in_text && escapes % 2 == 1 {
            true => from = at + 1,
            false => return Some(at + closes.len()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::tree;

    fn words(path: &str, text: &str) -> Vec<String> {
        let file = Arc::new(File {
            shown: path.into(),
            path: path.into(),
            from: "test".into(),
            text: text.into(),
        });
        let parsed = path
            .ends_with(".toml")
            .then(|| Arc::new(tree::parse(&file).0));
        let item = LayerFile {
            file,
            tree: parsed,
            picture: None,
            problems: Vec::new(),
        };
        let lines = old_words(&item).into_iter().map(|found| {
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
    fn keys_are_found_where_they_are_keys() {
        let pack = "name = \"license\"\nlicense = \"CC0-1.0\"\n";
        assert_eq!(
            words("pack.toml", pack),
            ["2: the key `license` is called `licence` now"]
        );
    }
}
