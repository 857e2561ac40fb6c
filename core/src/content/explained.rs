//! Every mistake at length: what it is, what to do, and an example of wrong and right. One text (`errors.md`) is what
//! `ludoteca explain E011` says and what the pages in `docs/errors/` are made of; the examples are tried by a test.

use super::diagnostic::Code;

const PAGES: &str = include_str!("errors.md");

/// What there is to say about one sort of mistake.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ErrorPage {
    /// `E011`; empty for mistakes in scripts, which have names only.
    pub id: String,
    /// `out-of-range`
    pub slug: String,
    pub text: String,
    /// Where the example stands.
    pub example: Example,
    pub right: String,
    pub wrong: String,
}

/// What an example is a piece of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Example {
    /// Part of a file of the small game that the examples are about.
    In(String),
    /// A whole file of it.
    New(String),
    /// A file of a pack over it.
    Over(String),
    /// Part of a scenario.
    Scenario,
    /// The body of a rule.
    Step,
    /// Of something the small game does not have, and so not tried.
    Like(String),
    /// There is none, and why.
    None(String),
}

/// All pages, in the order of their codes.
pub fn pages() -> Vec<ErrorPage> {
    let sections = format!("\n{PAGES}");
    // A heading of an example has a mark behind it, or none of the forms of a code before it.
    let mut found: Vec<ErrorPage> = Vec::new();
    for line in sections.lines() {
        match heading(line) {
            Some((id, slug)) => found.push(ErrorPage {
                id,
                slug,
                text: String::new(),
                example: Example::None(String::new()),
                right: String::new(),
                wrong: String::new(),
            }),
            None => {
                if let Some(page) = found.last_mut() {
                    page.text.push_str(line);
                    page.text.push('\n');
                }
            }
        }
    }
    found.iter_mut().for_each(ErrorPage::divide);
    found
}

/// `# E011 out-of-range`, or `# syntax`.
fn heading(line: &str) -> Option<(String, String)> {
    let rest = line.strip_prefix("# ")?;
    let letters = |c: char| c.is_ascii_lowercase() || c == '-';
    let (id, slug) = rest.split_once(' ').unwrap_or(("", rest));
    let is_code = id.is_empty() || Code::ALL.iter().any(|code| code.id() == id);
    (is_code && slug.chars().all(letters)).then(|| (id.to_string(), slug.to_string()))
}

/// The page of a code by its number, its name or both, as `check` writes them.
pub fn page(name: &str) -> Option<ErrorPage> {
    let words = name.split_once('[').map_or(name, |(_, inside)| inside);
    let mut words = words.split([' ', ':', ']']);
    let first = words.find(|word| !word.is_empty())?;
    let id = numbered(first);
    let is_it = |page: &ErrorPage| match &id {
        Some(id) => page.id == *id,
        None => page.slug == first,
    };
    pages().into_iter().find(is_it)
}

/// A number as codes are written, `E011`, of one that may be written `e11`.
pub fn numbered(word: &str) -> Option<String> {
    let letter = word.chars().next()?.to_ascii_uppercase();
    let number = word.get(1..).filter(|_| matches!(letter, 'E' | 'W'))?;
    let is_number = number.bytes().all(|byte| byte.is_ascii_digit());
    let number: u16 = number.parse().ok().filter(|_| is_number)?;
    Some(format!("{letter}{number:03}"))
}

impl ErrorPage {
    /// Tells the example from what is said.
    fn divide(&mut self) {
        let whole = std::mem::take(&mut self.text);
        let mut part = 0;
        for line in whole.lines() {
            let example = match line.split_once(' ') {
                _ if part > 0 => None,
                Some(("in", path)) => Some(Example::In(path.to_string())),
                Some(("new", path)) => Some(Example::New(path.to_string())),
                Some(("over", path)) => Some(Example::Over(path.to_string())),
                Some(("like", place)) => Some(Example::Like(place.to_string())),
                Some(("no", rest)) if rest.starts_with("example: ") => {
                    Some(Example::None(rest["example: ".len()..].to_string()))
                }
                None if line == "scenario" => Some(Example::Scenario),
                None if line == "step" => Some(Example::Step),
                _ => None,
            };
            if let Some(example) = example {
                self.example = example;
                part = 1;
                continue;
            }
            match (part, line) {
                (1, "right") => part = 2,
                (2, "wrong") => part = 3,
                (0, line) => self.text += &format!("{line}\n"),
                (2, line) => self.right += &format!("{line}\n"),
                (3, line) => self.wrong += &format!("{line}\n"),
                _ => {}
            }
        }
        for text in [&mut self.text, &mut self.right, &mut self.wrong] {
            *text = text.trim_end().to_string();
        }
    }

    /// `E011 out-of-range`
    pub fn title(&self) -> String {
        format!("{} {}", self.id, self.slug).trim().to_string()
    }

    /// The name of its page in `docs/errors/`.
    pub fn file(&self) -> String {
        match self.id.as_str() {
            "" => format!("{}.md", self.slug),
            id => format!("{id}.md"),
        }
    }

    /// Where the example stands, in words.
    fn place(&self) -> Option<String> {
        Some(match &self.example {
            Example::In(path) => format!("in {path}"),
            Example::New(path) | Example::Like(path) => path.clone(),
            Example::Over(path) => format!("{path} of a pack over the game"),
            Example::Scenario => "in a scenario".to_string(),
            Example::Step => "in a rule, `fn turn(p) { .. }`".to_string(),
            Example::None(_) => return None,
        })
    }

    /// As a terminal shows it.
    pub fn plain(&self) -> String {
        let mut shown = format!("{}\n\n{}", self.title(), self.text);
        if let Some(place) = self.place() {
            let moved = |text: &str| {
                let lines = text
                    .lines()
                    .map(|line| format!("    {line}").trim_end().to_string());
                lines.collect::<Vec<_>>().join("\n")
            };
            shown += &format!(
                "\n\nWrong, {place}:\n\n{}\n\nRight:\n\n{}",
                moved(&self.wrong),
                moved(&self.right)
            );
        }
        shown
    }

    /// As a page of `docs/errors/`.
    pub fn markdown(&self) -> String {
        let mut shown = format!("# {}\n\n{}\n", self.title(), self.text);
        if let Some(place) = self.place() {
            let language = match &self.example {
                Example::Step => "rhai",
                Example::In(path) | Example::New(path) if path.ends_with(".rhai") => "rhai",
                Example::In(path) | Example::New(path) if path.ends_with(".md") => "markdown",
                Example::Like(_) => "text",
                _ => "toml",
            };
            shown += &format!(
                "\nWrong, {place}:\n\n```{language}\n{}\n```\n\nRight:\n\n```{language}\n{}\n```\n",
                self.wrong, self.right
            );
        }
        shown
    }
}

/// The page that lists all others.
pub fn index() -> String {
    let mut shown = "# Mistakes by their codes\n\n`ludoteca check` says what is wrong with a code; `ludoteca explain CODE` shows these pages. Codes with E keep content from being\nplayed, codes with W may be meant; mistakes in scripts have names only. The pages are made of `core/src/content/errors.md`.\n\n| code | |\n|---|---|\n".to_string();
    for page in pages() {
        let first = page.text.split(". ").next().unwrap_or_default();
        let first = first
            .split('\n')
            .next()
            .unwrap_or_default()
            .trim_end_matches('.');
        shown += &format!("| [{}]({}) | {first} |\n", page.title(), page.file());
    }
    shown
}
