//! Where a value comes from: who set it, and over what; what it means, between what it may be, and which rules read it.

use super::diagnostic::{Code, Diagnostic};
use super::file::Place;
use super::library::{Loaded, SETTING};
use super::pack::BASE;
use super::readers::readers;
use super::setting;
use super::tree::{Node, Replaced};
use serde::Serialize;
use std::fmt;

/// The story of one value, the latest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Story {
    /// The key as `--set` takes it.
    pub key: String,
    pub told: Vec<Told>,
    /// The least and the most it may be, where that is declared.
    pub range: Option<(i64, i64)>,
    /// What the file says of it: the comment beside it or above it, or above its table.
    pub meaning: Option<String>,
    /// Functions of the rules that read it.
    pub read_by: Vec<ReadingFunction>,
}

/// A function that reads a value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReadingFunction {
    pub function: String,
    /// `file:line`
    pub place: String,
}

/// A value somebody set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Told {
    pub value: String,
    /// The pack, the variant, or `--set`.
    pub from: String,
    /// `file:line`
    pub place: String,
}

/// Values that are told of those with a part of a name; nobody reads more.
const FOUND_AT_MOST: usize = 60;
/// Values of a table that are told, each with the rules that read it.
const TOLD_AT_MOST: usize = 2000;

/// The stories of a value, of all values of a table, or of all whose name has this part.
pub fn explain(loaded: &Loaded, key: &str) -> Result<Vec<Story>, Box<Diagnostic>> {
    let root = &loaded.root;
    let mut paths: Vec<Vec<String>> = setting::locate(root, key).into_iter().collect();
    if paths.is_empty() {
        paths = with_part(root, key);
    }
    let mut stories = Vec::new();
    for path in paths.iter().take(FOUND_AT_MOST) {
        if let Some(node) = setting::follow(root, path) {
            tell(loaded, node, path, &mut stories);
        }
    }
    if stories.is_empty() {
        let known = setting::known_keys(root);
        let message = format!("there is nothing called `{key}`");
        let problem = Diagnostic::new(Code::UnknownKey, message);
        return Err(Box::new(
            problem.suggest(key, known.iter().map(String::as_str)),
        ));
    }
    Ok(stories)
}

/// Values one of whose names has a part, parameters and tables before all else. Texts are what people read, not what is set.
fn with_part(root: &Node, part: &str) -> Vec<Vec<String>> {
    fn walk(node: &Node, part: &str, path: &mut Vec<String>, found: &mut Vec<Vec<String>>) {
        for (name, entry) in node.table().into_iter().flatten() {
            path.push(name.clone());
            let whole = path[1..].join(".").to_lowercase();
            match whole.contains(part) {
                true => found.push(path.clone()),
                false => walk(&entry.node, part, path, found),
            }
            path.pop();
        }
    }
    let part = part.to_lowercase();
    let mut found = Vec::new();
    if part.is_empty() {
        return found;
    }
    for top in ["parameters", "tables", "dice", "cards", "maps"] {
        if let Some(node) = root.get(top) {
            walk(node, &part, &mut vec![top.to_string()], &mut found);
        }
    }
    // A parameter is its value.
    for path in found.iter_mut().filter(|path| path[0] == "parameters") {
        path.truncate(2);
        path.push("value".into());
    }
    found.dedup();
    found
}

fn tell(loaded: &Loaded, node: &Node, path: &[String], stories: &mut Vec<Story>) {
    if stories.len() >= TOLD_AT_MOST {
        return;
    }
    if let Some(table) = node.table().filter(|table| !table.is_empty()) {
        for (name, entry) in table {
            let inside = [path, std::slice::from_ref(name)].concat();
            tell(loaded, &entry.node, &inside, stories);
        }
        return;
    }
    let mut told = vec![Told::new(node.said(), &node.place)];
    let mut first = &node.place;
    let mut past: Option<&Replaced> = node.over.as_deref();
    while let Some(before) = past {
        told.push(Told::new(before.said.clone(), &before.place));
        first = &before.place;
        past = before.over.as_deref();
    }
    let key = setting::shortest(&loaded.root, &path.join("."));
    stories.push(Story {
        range: range(loaded, path, &key),
        meaning: meaning(loaded, path, first),
        read_by: readers(loaded, path),
        key,
        told,
    });
}

/// Between what a value may be, as the manifest declares it.
fn range(loaded: &Loaded, path: &[String], key: &str) -> Option<(i64, i64)> {
    let definition = &loaded.definition;
    if let [top, name, value] = path
        && top == "parameters"
        && value == "value"
    {
        let parameter = definition.parameters.iter().find(|p| p.name == *name)?;
        let bounded = !parameter.is_flag && (parameter.min, parameter.max) != (i64::MIN, i64::MAX);
        return bounded.then_some((parameter.min, parameter.max));
    }
    let found = definition.ranges.iter().find(|range| range.key == key)?;
    Some((found.min, found.max))
}

/// What is said of a value where it stands.
fn meaning(loaded: &Loaded, path: &[String], place: &Place) -> Option<String> {
    if let [top, name, inside @ ..] = path
        && top == "parameters"
    {
        // Its limits and its text say it themselves.
        let mut parameters = loaded.definition.parameters.iter();
        let found = parameters.find(|p| p.name == *name && inside == ["value"])?;
        return found.text.as_ref().map(|text| text.en.clone());
    }
    comment(&place.file.text, place.span.start)
}

/// The comment beside a value, above it, or above the table it stands in.
pub fn comment(text: &str, at: usize) -> Option<String> {
    let before = text.get(..at)?;
    let start = before.rfind('\n').map_or(0, |line| line + 1);
    let end = text[at..].find('\n').map_or(text.len(), |end| at + end);
    let beside = text[at..end].split_once(" # ").map(|(_, said)| said.trim());
    if let Some(said) = beside.filter(|said| !said.is_empty()) {
        return Some(said.to_string());
    }
    let lines: Vec<&str> = text[..start].lines().collect();
    above(&lines, lines.len()).or_else(|| {
        let is_header = |line: &&str| line.trim_start().starts_with('[');
        let header = lines.iter().rposition(is_header)?;
        above(&lines, header).or_else(|| {
            // A comment speaks of all tables of a family that follow it.
            let family = family_of(lines[header]);
            let mut headers = lines[..header].iter().enumerate().rev();
            let first = headers
                .by_ref()
                .filter(|(_, line)| is_header(line))
                .take_while(|(_, line)| family_of(line) == family)
                .map(|(at, _)| at)
                .last()?;
            above(&lines, first)
        })
    })
}

/// `prices` of `[prices.unit]`.
fn family_of(header: &str) -> &str {
    let inside = header.trim().trim_matches(['[', ']']);
    inside.split('.').next().unwrap_or_default()
}

/// The comment that ends right before a line.
fn above(lines: &[&str], before: usize) -> Option<String> {
    let said = lines[..before].iter().rev().map_while(|line| {
        let said = line.trim().strip_prefix('#')?;
        (!said.starts_with(":schema")).then_some(said.trim())
    });
    let mut said: Vec<&str> = said.collect();
    said.reverse();
    let said = said.join(" ");
    (!said.trim().is_empty()).then(|| said.trim().to_string())
}

impl Told {
    fn new(value: String, place: &Place) -> Told {
        Told {
            value,
            from: place.file.from.clone(),
            place: place.to_string(),
        }
    }
}

impl Story {
    /// What there is to know beside where it comes from, a line each.
    pub fn details(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let range = self
            .range
            .map(|(min, max)| format!("may be {min} to {max}"));
        match (range, &self.meaning) {
            (Some(range), Some(meaning)) => lines.push(format!("{range}; {meaning}")),
            (Some(range), None) => lines.push(range),
            (None, Some(meaning)) => lines.push(meaning.clone()),
            (None, None) => {}
        }
        let readers = self.read_by.iter();
        let readers: Vec<String> = readers
            .map(|reader| format!("{} ({})", reader.function, reader.place))
            .collect();
        if !readers.is_empty() {
            lines.push(format!("read by {}", readers.join(", ")));
        }
        lines
    }
}

/// "3 from cheap-fleet (variants/x/cheap-fleet.toml:6), over 4 from the base (cards/x/tables.toml:9)"
impl fmt::Display for Story {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.key)?;
        for (i, told) in self.told.iter().enumerate() {
            let over = if i > 0 { ", over " } else { "" };
            let from = match told.from.as_str() {
                BASE => "the base",
                from => from,
            };
            write!(f, "{over}{} from {from}", told.value)?;
            // The command line is where the reader has just typed it.
            if told.from != SETTING {
                write!(f, " ({})", told.place)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::comment;

    #[test]
    fn comments_speak_of_what_follows_them() {
        let text = "#:schema x\n# All of it.\na = 1\n\n# Prices.\n[prices.hut]\ncoins = 2 # by the rulebook\nwood = 3\n\n[prices.mill]\ncoins = 4\n\n[other]\nb = 5\n";
        let said = |value: &str| comment(text, text.find(value).expect("it is there"));
        assert_eq!(said("1\n").as_deref(), Some("All of it."));
        assert_eq!(said("2 #").as_deref(), Some("by the rulebook"));
        assert_eq!(said("3\n").as_deref(), Some("Prices."));
        assert_eq!(said("4\n").as_deref(), Some("Prices."));
        assert_eq!(said("5\n"), None);
    }
}
