//! Ways of writing things that were right once: flags that were numbers, `-1` for "no way", prompts that discarded by their name. Each is
//! told with what to write instead, and `ludoteca fix` writes it.

use super::diagnostic::{Code, Diagnostic, Slip};
use super::file::{File, Place};
use super::pack::LayerFile;
use super::path::{Part, Role, SCENARIOS, role};
use super::tree::{Branch, Datum, Entry, Node};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

/// Functions that gave -1 where there was no way, and give `()` now.
const NO_WAY: [&str; 2] = ["distance", "cheapest"];
/// The word in a prompt's name that once said that what is chosen there is thrown away.
const DISCARD: &str = "discard";

/// The parameters that are true or false, by the game they belong to.
pub type Flags = BTreeMap<String, BTreeSet<String>>;

/// The flags that manifests declare.
pub fn flags<'a>(items: impl IntoIterator<Item = &'a LayerFile>) -> Flags {
    let mut flags = Flags::new();
    for item in items {
        let (Role::Game(game, Part::Manifest), Some(tree)) = (role(&item.file.path), item.tree())
        else {
            continue;
        };
        let parameters = entry(tree, "parameters").and_then(|entry| entry.node.table());
        for (name, parameter) in parameters.into_iter().flatten() {
            let ty = entry(&parameter.node, "type").map(|entry| &entry.node.value);
            if matches!(ty, Some(Datum::Text(word)) if word == "bool") {
                let of_game = flags.entry(game.to_string()).or_default();
                of_game.insert(name.clone());
            }
        }
    }
    flags
}

fn entry<'n>(node: &'n Node, key: &str) -> Option<&'n Entry> {
    node.table()?.get(key)
}

/// The flags of the game a file is about.
pub fn own_flags(flags: &Flags, path: &str) -> BTreeSet<String> {
    let own = game_of(path).and_then(|game| flags.get(game));
    own.cloned().unwrap_or_default()
}

/// What a file says in an old way, each with its place and what to write. Of a script its words are known.
pub fn old_ways(
    item: &LayerFile,
    words: Option<&[Range<usize>]>,
    flags: &BTreeSet<String>,
) -> Vec<Diagnostic> {
    let file = &item.file;
    if let Some(words) = words {
        let mut found = compared_flags(file, words, flags);
        found.extend(no_ways(file, words));
        return found;
    }
    let Some(tree) = item.tree() else {
        return Vec::new();
    };
    match role(&file.path) {
        Role::Game(_, Part::Texts) => prompts(tree),
        Role::Pack | Role::Note | Role::Unread if !file.path.starts_with(SCENARIOS) => Vec::new(),
        _ => {
            let mut found = Vec::new();
            set_flags(tree, flags, &mut found);
            if file.path.starts_with(SCENARIOS) {
                found.extend(named_shuffles(tree));
            }
            found
        }
    }
}

/// `order` of a scenario, where it is a table: what shuffles bring. The order of play is a list, and keeps its name.
fn named_shuffles(tree: &Node) -> Vec<Diagnostic> {
    let scenarios = entry(tree, "scenario").map(|entry| &entry.node.value);
    let Some(Datum::List(scenarios)) = scenarios else {
        return Vec::new();
    };
    let named = scenarios
        .iter()
        .filter_map(|scenario| entry(scenario, "order"));
    let old = named.filter(|entry| entry.node.table().is_some());
    let tell = |entry: &Entry| {
        let message = "what the next shuffles bring is called `shuffles` now";
        told(message.into(), entry.key.clone(), "shuffles".into())
    };
    old.map(tell).collect()
}

/// The game a file is about, told from its path.
fn game_of(path: &str) -> Option<&str> {
    let inside = path.strip_prefix("tests/").unwrap_or(path);
    inside.split('/').nth(1)
}

fn told(message: String, place: Place, meant: String) -> Diagnostic {
    let written = place.file.text[place.span.clone()].to_string();
    let mut problem = Diagnostic::new(Code::OldWord, message).at(&place);
    let help = match meant.contains('\n') || meant.len() > 60 {
        true => "`ludoteca fix` can do this".to_string(),
        false => format!("write `{meant}`; `ludoteca fix` can do this"),
    };
    problem.slip = Some(Slip { written, meant });
    problem.help(help)
}

/// `COMMERCE_APART == 1`: a flag is true or false, and says so by itself.
fn compared_flags(
    file: &Arc<File>,
    words: &[Range<usize>],
    flags: &BTreeSet<String>,
) -> Vec<Diagnostic> {
    let text = |n: usize| words.get(n).map_or("", |span| &file.text[span.clone()]);
    let mut found = Vec::new();
    for (n, span) in words.iter().enumerate() {
        let name = text(n);
        let is_flag = name.bytes().all(|b| !b.is_ascii_lowercase())
            && flags.contains(&name.to_lowercase())
            && !matches!(n.checked_sub(1).map(text), Some("." | "::"));
        let sums = |sign: &str| matches!(sign, "+" | "-" | "*" | "/" | "%");
        if !is_flag || sums(text(n + 3)) || n > 0 && sums(text(n - 1)) {
            continue;
        }
        let holds = match (text(n + 1), text(n + 2)) {
            ("==" | ">=", "1") | ("!=" | ">", "0") => true,
            ("!=" | "<", "1") | ("==" | "<=", "0") => false,
            _ => continue,
        };
        let meant = if holds {
            name.to_string()
        } else {
            format!("!{name}")
        };
        let place = Place::new(file, span.start..words[n + 2].end);
        let message = format!("`{name}` is true or false, and no number any more");
        found.push(told(message, place, meant));
    }
    found
}

/// `distance(a, b) == -1`, or a variable that holds a distance.
fn no_ways(file: &Arc<File>, words: &[Range<usize>]) -> Vec<Diagnostic> {
    let text = |n: usize| words.get(n).map_or("", |span| &file.text[span.clone()]);
    let before = |n: usize| n.checked_sub(1).map_or("", text);
    let mut found = Vec::new();
    let mut holds: Option<&str> = None;
    for n in 0..words.len() {
        let word = text(n);
        if word == "fn" {
            holds = None;
        }
        let called = NO_WAY.contains(&word) && text(n + 1) == "(" && before(n) != "fn";
        let asked = match called {
            true => end_of_call(words, n + 1, &text),
            false if holds == Some(word) && !matches!(before(n), "." | "let") => Some(n + 1),
            false => None,
        };
        let Some(sign) = asked else { continue };
        if called && before(n) == "=" && text(n.wrapping_sub(3)) == "let" && text(sign) == ";" {
            holds = Some(text(n - 2));
        }
        let behind = match (text(sign + 1), text(sign + 2)) {
            ("-", "1") => Some((-1, sign + 2)),
            ("0", _) => Some((0, sign + 1)),
            _ => None,
        };
        let behind = behind.and_then(|(number, last)| {
            let meant = no_way(text(sign), number)?;
            Some((sign..last + 1, format!("{meant} ()")))
        });
        let goes_on = matches!(text(sign), "+" | "-" | "*" | "/" | "%" | "." | "[");
        let ahead = || {
            if goes_on {
                return None;
            }
            let (first, number) = number_before(n.checked_sub(1)?, &text)?;
            let meant = no_way(turned(before(n)), number)?;
            Some((first..n, format!("() {meant}")))
        };
        let Some((compared, meant)) = behind.or_else(ahead) else {
            continue;
        };
        let place = Place::new(
            file,
            words[compared.start].start..words[compared.end - 1].end,
        );
        let message = "where there is no way there is (), not -1".to_string();
        found.push(told(message, place, meant));
    }
    found
}

/// What a comparison with -1, or with all from 0 on, asks about a way.
fn no_way(sign: &str, number: i64) -> Option<&'static str> {
    match (sign, number) {
        ("==" | "<=", -1) | ("<", 0) => Some("=="),
        ("!=" | ">", -1) | (">=", 0) => Some("!="),
        _ => None,
    }
}

/// A sign as it reads from the other side.
fn turned(sign: &str) -> &str {
    match sign {
        "<" => ">",
        "<=" => ">=",
        ">" => "<",
        ">=" => "<=",
        same => same,
    }
}

/// The number before a sign, -1 or 0, and where it begins. What is worked out with it is another number.
fn number_before<'t>(sign: usize, text: &dyn Fn(usize) -> &'t str) -> Option<(usize, i64)> {
    let at = |back: usize| sign.checked_sub(back).map_or("", text);
    let begins = |word: &str| {
        matches!(
            word,
            "" | "("
                | "["
                | "{"
                | ","
                | ";"
                | ":"
                | "="
                | "!"
                | "&&"
                | "|"
                | "if"
                | "while"
                | "return"
        )
    };
    match (at(2), at(1)) {
        ("-", "1") if begins(at(3)) => Some((sign - 2, -1)),
        (word, "0") if begins(word) => Some((sign - 1, 0)),
        _ => None,
    }
}

/// The first word behind a call whose bracket opens here.
fn end_of_call<'t>(
    words: &[Range<usize>],
    open: usize,
    text: &dyn Fn(usize) -> &'t str,
) -> Option<usize> {
    /// A call of which both ends are on one screen.
    const FAR: usize = 200;
    let mut depth = 0;
    for n in open..words.len().min(open + FAR) {
        match text(n) {
            "(" => depth += 1,
            ")" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(n + 1);
        }
    }
    None
}

/// `commerce_apart = 1` in the settings of a variant or a scenario.
fn set_flags(node: &Node, flags: &BTreeSet<String>, found: &mut Vec<Diagnostic>) {
    match &node.value {
        Datum::List(items) => items.iter().for_each(|item| set_flags(item, flags, found)),
        Datum::Table(table) => {
            for (key, entry) in table.iter() {
                if matches!(key.as_str(), "set" | "parameters") {
                    let set = entry.node.table().into_iter().flatten();
                    for (name, entry) in set.filter(|(name, _)| flags.contains(*name)) {
                        found.extend(numbered(name, entry));
                    }
                }
                set_flags(&entry.node, flags, found);
            }
        }
        _ => {}
    }
}

fn numbered(name: &str, set: &Entry) -> Option<Diagnostic> {
    let node = entry(&set.node, "value").map_or(&set.node, |value| &value.node);
    let meant = match node.value {
        Datum::Int(0) => "false",
        Datum::Int(1) => "true",
        _ => return None,
    };
    let message = format!("`{name}` is true or false, and no number any more");
    Some(told(message, node.place.clone(), meant.to_string()))
}

/// Prompts that say by their name that what is chosen is thrown away.
fn prompts(tree: &Node) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    if let Some(section) = entry(tree, "prompt").and_then(|entry| entry.node.table()) {
        named_discard(section, false, &mut found);
    }
    found
}

fn named_discard(section: &Branch, inside: bool, found: &mut Vec<Diagnostic>) {
    for (key, entry) in section {
        let named = inside || key.split(['.', '_']).any(|part| part == DISCARD);
        let Some(table) = entry.node.table() else {
            continue;
        };
        let place = &entry.node.place;
        let written = &place.file.text[place.span.clone()];
        let says = table.contains_key("es") || table.contains_key("en");
        if !says {
            named_discard(table, named, found);
        } else if named
            && !table.contains_key("discards")
            && let Some(inner) = written.strip_prefix('{').and_then(|w| w.strip_suffix('}'))
        {
            let meant = format!(
                "{{{}, discards = true }}",
                inner.trim_end().trim_end_matches(',')
            );
            let message = format!(
                "a prompt says by itself that what is chosen is thrown away; the name `{key}` does not any more"
            );
            found.push(told(message, place.clone(), meant));
        }
    }
}
