//! The program's own words, in the language of whoever reads: Spanish and English stand side by side wherever something is said.
//! What a game says is content and not here; what is wrong with content is told its author in English.

mod beside;
pub mod errors;
pub mod help;
pub mod usage;

use ludoteca::Language;
use std::ffi::OsString;
use std::sync::OnceLock;

/// A sentence in the reader's language: the Spanish one, the English one, and what fills the braces of both.
macro_rules! say {
    ($es:literal, $en:literal $(, $($with:tt)*)?) => {
        match $crate::words::language() {
            ludoteca::Language::Es => format!($es $(, $($with)*)?),
            ludoteca::Language::En => format!($en $(, $($with)*)?),
        }
    };
}

/// A word or a heading in the reader's language.
macro_rules! word {
    ($es:literal, $en:literal) => {
        match $crate::words::language() {
            ludoteca::Language::Es => $es,
            ludoteca::Language::En => $en,
        }
    };
}

pub(crate) use {say, word};

static READER: OnceLock<Language> = OnceLock::new();

/// The language of whoever reads.
pub fn language() -> Language {
    READER.get().copied().unwrap_or(Language::En)
}

/// Settles the language before anything is said, so that mistakes in the command line are told in it: what `--lang` asks for, else
/// `LUDOTECA_LANG`, else the locale.
pub fn settle(typed: &[OsString]) {
    let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let asked = asked_for(typed).or_else(|| set("LUDOTECA_LANG"));
    let language = asked.and_then(|written| named(&written));
    // The first of these that is set counts, as for every program.
    let locale = || {
        ["LC_ALL", "LC_MESSAGES", "LANG"]
            .into_iter()
            .find_map(set)
            .unwrap_or_default()
    };
    let _ = READER.set(language.unwrap_or_else(|| of_locale(&locale())));
}

/// `es` or `en`.
pub fn named(written: &str) -> Option<Language> {
    match written {
        "es" => Some(Language::Es),
        "en" => Some(Language::En),
        _ => None,
    }
}

/// `es_AR.UTF-8` is Spanish; whatever else people speak, English is more likely to be read.
fn of_locale(locale: &str) -> Language {
    let language = locale.split(['_', '-', '.', '@']).next().unwrap_or("");
    match language.to_ascii_lowercase().as_str() {
        "es" | "spanish" => Language::Es,
        _ => Language::En,
    }
}

/// What `--lang` says, before the command line is read as a whole.
fn asked_for(typed: &[OsString]) -> Option<String> {
    let words: Vec<&str> = typed.iter().filter_map(|word| word.to_str()).collect();
    let words = words.iter().take_while(|word| **word != "--");
    let mut words = words.peekable();
    while let Some(word) = words.next() {
        match word.strip_prefix("--lang") {
            Some("") => return words.peek().map(|next| next.to_string()),
            Some(rest) => {
                if let Some(value) = rest.strip_prefix('=') {
                    return Some(value.to_string());
                }
            }
            None => {}
        }
    }
    None
}

/// Something counted: `1 error`, `2 errors`. The words are the Spanish one, the Spanish ones, the English one, the English ones.
pub fn counted(count: usize, [uno, unos, one, some]: [&str; 4]) -> String {
    let what = match (language(), count) {
        (Language::Es, 1) => uno,
        (Language::Es, _) => unos,
        (Language::En, 1) => one,
        (Language::En, _) => some,
    };
    format!("{count} {what}")
}

/// A name somebody typed or may type, marked as such: «name» or `name`.
pub fn quoted(name: &str) -> String {
    say!("«{name}»", "`{name}`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_locale_says_what_is_spoken() {
        for (locale, language) in [
            ("es_AR.UTF-8", Language::Es),
            ("es", Language::Es),
            ("es-419", Language::Es),
            ("en_GB.UTF-8", Language::En),
            ("est_EE", Language::En),
            ("de_DE@euro", Language::En),
            ("C", Language::En),
            ("", Language::En),
        ] {
            assert_eq!(of_locale(locale), language, "{locale}");
        }
    }

    #[test]
    fn the_command_line_is_asked_first() {
        let asked = |line: &str| {
            let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            asked_for(&words)
        };
        assert_eq!(asked("play heap --lang es"), Some("es".into()));
        assert_eq!(asked("--lang=en play"), Some("en".into()));
        assert_eq!(asked("play --lang"), None);
        assert_eq!(asked("play --language es"), None);
        assert_eq!(asked("play -- --lang es"), None);
    }

    /// What is written for programs, and the reference of the rules' language, which is for authors.
    const ENGLISH: [&str; 2] = ["stdio/", "command/api/"];

    /// Sentences go through `say!` or `word!`: whatever is printed as it stands has no words in it.
    #[test]
    fn nothing_is_said_in_one_language_alone() {
        let mut found = Vec::new();
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        for path in sources(&root) {
            let name = path.strip_prefix(&root).unwrap().display().to_string();
            let text = std::fs::read_to_string(&path).unwrap();
            let text = text.split("#[cfg(test)]").next().unwrap();
            if ENGLISH.iter().any(|room| name.starts_with(room)) {
                continue;
            }
            for start in ["outln!(", "errln!(", "Failure::Usage(", "Failure::Game("] {
                for (at, _) in text.match_indices(start) {
                    let said = literal(&text[at + start.len()..]);
                    found.extend(
                        said.filter(|said| has_words(said))
                            .map(|said| (name.clone(), said)),
                    );
                }
            }
        }
        assert!(found.is_empty(), "{found:#?}");
    }

    fn sources(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
        let entries = std::fs::read_dir(folder).unwrap();
        let paths = entries.map(|entry| entry.unwrap().path());
        paths
            .flat_map(|path| match path.is_dir() {
                true => sources(&path),
                false => vec![path],
            })
            .collect()
    }

    /// The text a call begins with, if it begins with one.
    fn literal(call: &str) -> Option<String> {
        let call = call.trim_start();
        let call = call.strip_prefix("format!(").unwrap_or(call).trim_start();
        let inside = call.strip_prefix('"')?;
        Some(inside.split('"').next()?.to_string())
    }

    /// Words beyond what fills a brace, options of the command and its own name.
    fn has_words(said: &str) -> bool {
        let mut outside = String::new();
        let mut depth = 0;
        for letter in said.chars() {
            depth += (letter == '{') as i32 - (letter == '}') as i32;
            outside.push(if depth == 0 { letter } else { '}' });
        }
        let mut words = outside
            .split_whitespace()
            .filter(|word| word.chars().all(char::is_alphabetic) && word.chars().count() > 2);
        words.any(|word| !["ludoteca", "play", "sim"].contains(&word))
    }
}
