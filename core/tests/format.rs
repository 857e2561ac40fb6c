//! Formatting never changes what is written, whatever it is: all content of this repository, and the same with random damage.

use ludoteca::{NotFormatted, format};
use rhai::{Engine, Token};
use std::path::{Path, PathBuf};

/// Rules and content of the games, the shelf and the examples.
fn files() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut found = Vec::new();
    let mut waiting: Vec<PathBuf> = [
        "scripts",
        "cards",
        "decks",
        "maps",
        "looks",
        "variants",
        "examples",
        "tests/scenarios",
    ]
    .iter()
    .map(|folder| root.join(folder))
    .collect();
    while let Some(folder) = waiting.pop() {
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            match path.extension().and_then(|e| e.to_str()) {
                _ if path.is_dir() => waiting.push(path),
                Some("rhai" | "toml") => found.push(path),
                _ => {}
            }
        }
    }
    found.sort();
    found
}

/// What Rhai itself reads, without places.
fn tokens(text: &str) -> Vec<Token> {
    let engine = Engine::new_raw();
    let inputs = [text];
    let (stream, control) = engine.lex(&inputs);
    let (mut open, mut inside) = (Vec::new(), false);
    let mut list = Vec::new();
    for (token, _) in stream {
        match token {
            Token::EOF => break,
            Token::LeftBrace => open.push(inside),
            Token::MapStart => open.push(false),
            Token::RightBrace if open.pop() == Some(true) => {
                control.borrow_mut().is_within_text = true
            }
            _ => {}
        }
        inside = matches!(token, Token::InterpolatedString(_));
        list.push(token);
    }
    list
}

fn comments(text: &str) -> Vec<String> {
    let comment = |line: &str| line.find("//").map(|at| line[at..].trim_end().to_string());
    text.lines().filter_map(comment).collect()
}

#[test]
fn all_content_means_the_same_when_it_is_in_order() {
    let files = files();
    assert!(files.len() > 150, "where is the content?");
    for path in files {
        let text = std::fs::read_to_string(&path).unwrap();
        let name = path.display().to_string();
        let new = format(&name, &text).unwrap_or_else(|why| panic!("{name}: {why}"));
        assert_eq!(
            format(&name, &new).as_ref(),
            Ok(&new),
            "{name} is not done at once"
        );
        match name.ends_with(".rhai") {
            true => {
                assert_eq!(tokens(&text), tokens(&new), "{name}");
                assert_eq!(comments(&text), comments(&new), "{name}");
            }
            false => {
                let (before, after): (toml::Table, toml::Table) =
                    (text.parse().unwrap(), new.parse().unwrap());
                assert_eq!(before, after, "{name}");
                let notes = |text: &str| text.matches('#').count();
                assert_eq!(notes(&text), notes(&new), "{name}");
            }
        }
    }
}

/// A small generator: the same damage every time.
struct Luck(u64);

impl Luck {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n.max(1) as u64) as usize
    }

    fn edge(&mut self, text: &str) -> usize {
        let mut at = self.below(text.len() + 1);
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    }
}

const PIECES: [&str; 22] = [
    " ",
    "\t",
    "\n",
    "\n\n\n",
    "\r\n",
    "  // note  ",
    "# note",
    "\"",
    "'",
    "`",
    "${",
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    "|x|",
    " - -1",
    "..",
    "!",
    ",",
];

#[test]
fn damaged_files_are_left_alone_or_mean_the_same() {
    let files = files();
    let mut luck = Luck(0x2545_f491_4f6c_dd1d);
    let (mut done, mut refused) = (0, 0);
    for _ in 0..2500 {
        let path = &files[luck.below(files.len())];
        let name = path.display().to_string();
        let mut text = std::fs::read_to_string(path).unwrap();
        let cut = luck.edge(&text);
        text.truncate(cut.max(400.min(text.len())).min(6_000));
        while !text.is_char_boundary(text.len()) {
            text.pop();
        }
        for _ in 0..1 + luck.below(6) {
            let at = luck.edge(&text);
            match luck.below(3) {
                0 => {
                    let end = (at + luck.below(12)).min(text.len());
                    let end = (at..=end)
                        .rev()
                        .find(|n| text.is_char_boundary(*n))
                        .unwrap_or(at);
                    text.replace_range(at..end, "");
                }
                _ => text.insert_str(at, PIECES[luck.below(PIECES.len())]),
            }
        }
        match format(&name, &text) {
            Ok(new) => {
                done += 1;
                assert_eq!(
                    format(&name, &new).as_ref(),
                    Ok(&new),
                    "not done at once:\n{text}\n---\n{new}"
                );
                match name.ends_with(".rhai") {
                    true => assert_eq!(tokens(&text), tokens(&new), "{text}"),
                    false => assert_eq!(
                        text.parse::<toml::Table>().unwrap(),
                        new.parse().unwrap(),
                        "{text}"
                    ),
                }
            }
            Err(NotFormatted::Changed) => panic!("the formatter would change this:\n{text}"),
            Err(_) => refused += 1,
        }
    }
    assert!(
        done > 100 && refused > 200,
        "{done} in order, {refused} left alone"
    );
}
