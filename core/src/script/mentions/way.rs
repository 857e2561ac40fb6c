//! The way to a place of a TOML file that is being written: the keys that lead there, whatever is wrong with the file.

use crate::content::lexis::{self, Lexis as Toml};
use std::ops::Range;

/// Where one is in a TOML file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Way {
    /// The keys that lead here; an item of a list is an empty one. Of a key that is being written, the last one is it.
    pub steps: Vec<String>,
    pub is_key: bool,
    /// In `[…]` at the beginning of a line.
    pub is_header: bool,
    /// What is being written, without quotes.
    pub span: Range<usize>,
    pub is_quoted: bool,
    /// Keys that stand in the same table already.
    pub beside: Vec<String>,
}

struct Level {
    /// The way to what the bracket holds.
    steps: Vec<String>,
    is_table: bool,
    key: Vec<String>,
    after_equals: bool,
    beside: Vec<String>,
}

impl Level {
    fn new(steps: Vec<String>, is_table: bool) -> Level {
        Level {
            steps,
            is_table,
            key: Vec::new(),
            after_equals: false,
            beside: Vec::new(),
        }
    }

    /// The way to the value that is being written.
    fn value(&self) -> Vec<String> {
        let mut steps = self.steps.clone();
        match self.is_table {
            true => steps.extend(self.key.iter().cloned()),
            false => steps.push(String::new()),
        }
        steps
    }
}

/// What is being written at a byte of a TOML file; nothing inside a comment.
pub fn in_data(text: &str, byte: usize) -> Option<Way> {
    let parts = lexis::lex(text);
    let mut levels = vec![Level::new(Vec::new(), true)];
    let mut header: Option<Vec<String>> = None;
    // Lists of tables: `[scenario.state]` goes on in the last `[[scenario]]`.
    let mut lists: Vec<Vec<String>> = Vec::new();
    let mut begins = true;
    let mut at = 0;
    while at < parts.len() {
        let part = &parts[at];
        if part.span.start >= byte {
            break;
        }
        let said = part.text(text);
        let touches = byte <= part.span.end;
        let inside = byte < part.span.end;
        match part.kind {
            Toml::Comment if touches => return None,
            Toml::Line => {
                header = None;
                begins = true;
                if let [level] = &mut levels[..] {
                    (level.key, level.after_equals) = (Vec::new(), false);
                }
            }
            Toml::Bare | Toml::Text => {
                let quoted = part.kind == Toml::Text;
                let ends = quoted && said.len() > 1 && said.ends_with(['"', '\'']);
                if touches && (!quoted || inside || !ends) {
                    let mut way = written(text, part, ends, header.map(plain), &levels);
                    if way.is_header
                        && let Some(last) = way.steps.pop()
                    {
                        way.steps = in_lists(&way.steps, &lists);
                        way.steps.push(last);
                    }
                    return Some(way);
                }
                if let Some(header) = &mut header {
                    header.extend(steps(said, quoted));
                } else if let Some(level) =
                    levels.last_mut().filter(|l| l.is_table && !l.after_equals)
                {
                    level.key.extend(steps(said, quoted));
                }
                begins = false;
            }
            Toml::Sign => {
                follow(said, &mut levels, &mut header, &mut lists, begins);
                begins = begins && said == "[";
            }
            _ => {}
        }
        at += 1;
    }
    let mut way = Way {
        span: byte..byte,
        ..Way::default()
    };
    if let Some(header) = header {
        (way.steps, way.is_key, way.is_header) = (in_lists(&plain(header), &lists), true, true);
        way.steps.push(String::new());
        return Some(way);
    }
    let level = levels.last()?;
    way.is_key = level.is_table && !level.after_equals;
    way.steps = level.value();
    way.beside = level.beside.clone();
    if way.is_key {
        way.steps.push(String::new());
    }
    Some(way)
}

/// A header without the mark of its second bracket.
fn plain(header: Vec<String>) -> Vec<String> {
    header.into_iter().filter(|step| step != "[").collect()
}

/// The part one writes.
fn written(
    text: &str,
    part: &lexis::Lexeme,
    ends: bool,
    header: Option<Vec<String>>,
    levels: &[Level],
) -> Way {
    let quoted = part.kind == Toml::Text;
    let span = match quoted {
        true => part.span.start + 1..(part.span.end - ends as usize).max(part.span.start + 1),
        false => part.span.clone(),
    };
    let own = text.get(span.clone()).unwrap_or_default();
    let mut way = Way {
        span,
        is_quoted: quoted,
        ..Way::default()
    };
    let add = |mut steps: Vec<String>| {
        match quoted {
            true => steps.push(own.to_string()),
            false => steps.extend(own.split('.').map(str::to_string)),
        }
        steps
    };
    if let Some(header) = header {
        (way.steps, way.is_key, way.is_header) = (add(header), true, true);
        return way;
    }
    if let Some(level) = levels.last() {
        way.beside = level.beside.clone();
        way.is_key = level.is_table && !level.after_equals;
        way.steps = match way.is_key {
            true => add([level.steps.clone(), level.key.clone()].concat()),
            false => level.value(),
        };
    }
    way
}

fn steps(said: &str, quoted: bool) -> Vec<String> {
    match quoted {
        true => vec![said.trim_matches(['"', '\'']).to_string()],
        false => said
            .split('.')
            .filter(|step| !step.is_empty())
            .map(str::to_string)
            .collect(),
    }
}

fn follow(
    said: &str,
    levels: &mut Vec<Level>,
    header: &mut Option<Vec<String>>,
    lists: &mut Vec<Vec<String>>,
    begins: bool,
) {
    let top = levels.len() == 1;
    match (said, &mut *header) {
        ("[", None) if top && begins => *header = Some(Vec::new()),
        // The second bracket of a list of tables.
        ("[", Some(steps)) if steps.is_empty() && begins => steps.push("[".to_string()),
        ("]", Some(steps)) => {
            let is_list = steps.first().is_some_and(|step| step == "[");
            let steps: Vec<String> = steps.drain(is_list as usize..).collect();
            if is_list && !steps.is_empty() && !lists.contains(&steps) {
                lists.push(steps.clone());
            }
            let steps = in_lists(&steps, lists);
            if !steps.is_empty() {
                *levels = vec![Level::new(steps, true)];
            }
        }
        ("=", _) => {
            if let Some(level) = levels.last_mut() {
                level.after_equals = true;
                level.beside.extend(level.key.first().cloned());
            }
        }
        (",", _) => {
            if let Some(level) = levels.last_mut().filter(|_| !top) {
                (level.key, level.after_equals) = (Vec::new(), false);
            }
        }
        ("[" | "{", _) => {
            if let Some(level) = levels.last() {
                let inner = Level::new(level.value(), said == "{");
                levels.push(inner);
            }
        }
        ("]" | "}", _) if !top => drop(levels.pop()),
        _ => {}
    }
}

/// The way with an item after every list of tables in it.
fn in_lists(steps: &[String], lists: &[Vec<String>]) -> Vec<String> {
    let mut way = Vec::new();
    for (n, step) in steps.iter().enumerate() {
        way.push(step.clone());
        if lists.iter().any(|list| list[..] == steps[..=n]) {
            way.push(String::new());
        }
    }
    way
}

#[cfg(test)]
mod tests {
    use super::*;

    fn data(text: &str) -> String {
        let byte = text.find('¦').unwrap();
        let text = text.replacen('¦', "", 1);
        match in_data(&text, byte) {
            Some(way) => format!(
                "{}{}",
                way.steps.join("/"),
                if way.is_key { " key" } else { "" }
            ),
            None => "nothing".into(),
        }
    }

    #[test]
    fn ways_in_toml() {
        for (text, wanted) in [
            ("a¦", "a key"),
            ("a = ¦", "a"),
            ("[x.y]\nb = { c = \"d¦\" }", "x/y/b/c"),
            ("[x.y]\nb = { c = 1, ¦ }", "x/y/b/ key"),
            ("[[s]]\nr = [\"a\", \"¦\"]", "s//r/"),
            ("[[s]]\nr = [\n  { p = \"¦\n", "s//r//p"),
            ("[x.¦]", "x/ key"),
            ("[[s]]\n[s.t.¦]", "s//t/ key"),
            ("[[s]]\n[s.t.u¦]", "s//t/u key"),
            ("[[s]]\na = 1\n[s.t]\n¦", "s//t/ key"),
            ("[x.y]\n\"a.b¦\" = 1", "x/y/a.b key"),
            ("# a ¦", "nothing"),
            ("[x]\n¦", "x/ key"),
        ] {
            assert_eq!(data(text), wanted, "{text}");
        }
    }
}
