//! What is wrong with content, said so that its author can mend it: a stable code, the place, the line, what would be right.

use super::file::Place;
use super::legible::{bearable_message, shortened};
use crate::limits::{GUESSES, LONGEST_SHOWN, MOST_OF_A_KIND, MOST_TOLD};
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use ludoteca_vm::Guessing;
pub use ludoteca_vm::nearest;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt;

/// One thing that is wrong.
///
/// ```
/// use ludoteca::{Library, PackSource, Severity};
///
/// let slip = PackSource::memory("slip", [
///     ("scripts/race/game.toml", "title = { es = \"Carrera\", en = \"Race\" }\nversoin = \"1.0.0\"\n"),
/// ]);
/// let (library, _) = Library::open(&[slip]);
/// let problems = library.check(Some("race"));
/// let slip = problems.iter().find(|problem| problem.message.contains("versoin")).expect("it is told");
/// assert_eq!(slip.severity, Severity::Error);
/// assert_eq!(slip.fix().expect("it is known what was meant").edits[0].text, "version");
/// assert_eq!(slip.json()["at"]["line"], 2);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    pub code: Code,
    pub severity: Severity,
    /// Lower case, no full stop.
    pub message: String,
    /// Where it is wrong; some mistakes have no place in a file (a game that does not exist).
    pub at: Option<Label>,
    /// Other places that belong to it ("first defined here").
    pub related: Vec<Label>,
    pub help: Option<String>,
    /// What was written, and what was meant, where that is all there is to mend.
    pub slip: Option<Slip>,
    /// The name it is about, as it is written, where it is about one.
    pub name: Option<String>,
    /// What it should be one of, in a word, where that is known: `prompt`, `card`, `value`.
    pub of: Option<String>,
}

/// As it leaves the process.
impl Serialize for Diagnostic {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.json().serialize(serializer)
    }
}

/// One name written for another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slip {
    pub written: String,
    pub meant: String,
}

/// How a mistake can be mended: what to write where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    /// What it does, for people.
    pub title: String,
    pub edits: Vec<Edit>,
}

/// New text in place of some bytes of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    pub place: Place,
    pub text: String,
}

/// A place and what is to be said of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    pub place: Place,
    pub text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The content cannot be used.
    Error,
    /// The content can be used, but is probably not what was meant.
    Warning,
}

/// So few names are all told where none of them was meant.
const FEW: usize = 16;

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $id:literal $slug:literal,)*) => {
        /// What kind of mistake it is. Numbers and names are stable: people search for them.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code {
            $($(#[$doc])* $name,)*
            /// A mistake in a script, with the name the compiler of scripts gives it.
            Script(&'static str),
        }

        impl Code {
            /// All codes of content, in order.
            pub const ALL: &'static [Code] = &[$(Code::$name,)*];

            /// `E012`; empty for mistakes in scripts, which have names only.
            pub fn id(self) -> &'static str {
                match self {
                    $(Code::$name => $id,)*
                    Code::Script(_) => "",
                }
            }

            /// `unknown-attribute`
            pub fn slug(self) -> &'static str {
                match self {
                    $(Code::$name => $slug,)*
                    Code::Script(slug) => slug,
                }
            }
        }
    };
}

codes! {
    /// A file that cannot be opened, is too large, is not UTF-8 or is a link.
    UnreadableFile = "E001" "unreadable-file",
    /// The text is not TOML.
    BadSyntax = "E002" "bad-syntax",
    /// The same name twice where it must be unique.
    DuplicateId = "E003" "duplicate-id",
    /// A file that nothing reads.
    UnreadFile = "E004" "unread-file",
    /// A key that nothing reads.
    UnknownKey = "E005" "unknown-key",
    /// A key that must be there.
    MissingKey = "E006" "missing-key",
    /// A value of another type than the one needed.
    WrongType = "E007" "wrong-type",
    /// A number with decimals: rules use whole numbers.
    DecimalNumber = "E008" "decimal-number",
    /// An id, a version or another name that is not written as one.
    BadName = "E009" "bad-name",
    /// A text without one of its languages.
    MissingTranslation = "E010" "missing-translation",
    /// A number outside its limits.
    OutOfRange = "E011" "out-of-range",
    /// An attribute the manifest does not declare.
    UnknownAttribute = "E012" "unknown-attribute",
    /// A word that is not one of those allowed.
    UnknownWord = "E013" "unknown-word",
    /// A card that does not exist.
    UnknownCard = "E014" "unknown-card",
    /// A space that does not exist.
    UnknownSpace = "E015" "unknown-space",
    /// An area that does not exist.
    UnknownArea = "E016" "unknown-area",
    /// A kind of card the manifest does not declare.
    UnknownKind = "E017" "unknown-kind",
    /// A field that the kind or the map does not declare.
    UnknownField = "E018" "unknown-field",
    /// A map that does not exist.
    UnknownMap = "E019" "unknown-map",
    /// An overlay, a variant or a setting without effect.
    ChangesNothing = "E020" "changes-nothing",
    /// A patch that does not fit what it changes.
    PatchMismatch = "E021" "patch-mismatch",
    /// A patch of something that does not exist.
    NothingToChange = "E022" "nothing-to-change",
    /// A pack made for another version of the kernel.
    OtherKernel = "E023" "other-kernel",
    /// A pack that another one needs is not loaded, or in another version.
    MissingPack = "E024" "missing-pack",
    /// Packs that build on each other.
    PackCycle = "E025" "pack-cycle",
    /// A game that does not exist.
    UnknownGame = "E026" "unknown-game",
    /// A variant that does not exist.
    UnknownVariant = "E027" "unknown-variant",
    /// An edge that is not written `a - b`, joins a space with itself or is there twice.
    BadEdge = "E028" "bad-edge",
    /// A section of a board that is not a rectangle, or has a square the legend does not explain.
    BadSection = "E029" "bad-section",
    /// A function the scripts do not have.
    UnknownFunction = "E030" "unknown-function",
    /// An effect the manifest does not declare.
    UnknownEffect = "E031" "unknown-effect",
    /// A condition the manifest does not declare.
    UnknownCondition = "E032" "unknown-condition",
    /// A card that its kind's own check finds wrong.
    BadCard = "E033" "bad-card",
    /// A function the kernel would call, if it took as many parameters as that needs.
    NeverCalled = "E034" "never-called",
    /// A character in a text that people cannot read, such as the start of a terminal's command.
    UnreadableText = "E035" "unreadable-text",
    /// A game that nobody can win.
    NoScore = "E036" "no-score",
    /// Many names of one sort that are not there, as if a file were missing.
    LostTogether = "E037" "lost-together",
    /// A zone the manifest does not declare, or of something that is not there.
    UnknownZone = "E041" "unknown-zone",
    /// A prompt, a log line or a reason the texts do not have.
    UnknownText = "E042" "unknown-text",
    /// A key that no choice of the game could offer.
    UnknownOption = "E043" "unknown-option",
    /// A scenario that expects nothing, and so holds whatever the rules do.
    NothingExpected = "E044" "nothing-expected",
    /// A call in a scenario that is not written as one, or a scenario without any.
    BadCall = "E045" "bad-call",
    /// More pieces of a card than there are.
    TooManyCopies = "E046" "too-many-copies",
    /// An answer in a scenario that both chooses and refuses, or does neither.
    BadAnswer = "E047" "bad-answer",
    /// A file of scenarios in another game's folder.
    MisplacedFile = "E048" "misplaced-file",
    /// Two packs that name the same thing and do not know of each other.
    PacksCollide = "E060" "packs-collide",
    /// A pack that names what the base has, without building on it.
    ReplacesBase = "W010" "replaces-base",
    /// A value that a rulebook or a help text quotes, and the game does not have.
    UnknownValue = "E049" "unknown-value",
    /// A heading of a rulebook without an id, or text before the first one.
    BadHeading = "E050" "bad-heading",
    /// Braces in a text that is read as it is written.
    StrayBrace = "E051" "stray-brace",
    /// A hidden number of which nothing is known but that it is one.
    HiddenNumber = "W017" "hidden-number",
    /// A word that is called otherwise now.
    OldWord = "W011" "old-word",
    /// A function that is nearly called like one the kernel looks for.
    SimilarFunction = "W002" "similar-function",
    /// Braces in a text that no script fills.
    UnfilledBrace = "W003" "unfilled-brace",
    /// A new key that looks like an old one misspelt.
    SimilarKey = "W001" "similar-key",
    /// A function that nothing calls.
    UnusedFunction = "W012" "unused-function",
    /// A kind of card of which there is none.
    NoCards = "W013" "no-cards",
    /// A value of another sort than all others of its column.
    OddValue = "W014" "odd-value",
    /// A space that borders nothing, on a map with borders.
    IsolatedSpace = "W015" "isolated-space",
    /// A folder that holds content and is no pack.
    NoPack = "W016" "no-pack",
    /// A variant that sets nothing and has no files of its own.
    EmptyVariant = "W018" "empty-variant",
    /// A text of a rule that names nothing and looks like a name.
    SimilarWord = "W019" "similar-word",
}

/// `E012 unknown-attribute`
impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.id() {
            "" => f.write_str(self.slug()),
            id => write!(f, "{id} {}", self.slug()),
        }
    }
}

impl Diagnostic {
    pub fn new(code: Code, message: impl Into<String>) -> Diagnostic {
        let severity = match code.id().starts_with('W') {
            true => Severity::Warning,
            false => Severity::Error,
        };
        Diagnostic {
            code,
            severity,
            message: bearable_message(message.into()),
            at: None,
            related: Vec::new(),
            help: None,
            slip: None,
            name: None,
            of: None,
        }
    }

    /// What the name it is about should be one of.
    pub(crate) fn of(mut self, what: impl Into<String>) -> Diagnostic {
        self.of = Some(what.into());
        self
    }

    pub fn at(self, place: &Place) -> Diagnostic {
        self.labelled(place, "")
    }

    /// The place, with a word beside the caret.
    pub fn labelled(mut self, place: &Place, text: impl Into<String>) -> Diagnostic {
        self.at = Some(Label {
            place: place.clone(),
            text: bearable_message(text.into()),
        });
        self
    }

    pub fn related(mut self, place: &Place, text: impl Into<String>) -> Diagnostic {
        self.related.push(Label {
            place: place.clone(),
            text: bearable_message(text.into()),
        });
        self
    }

    pub fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(bearable_message(help.into()));
        self
    }

    /// "did you mean `energy`?", or what there is when nothing is near.
    pub fn suggest<'a>(
        mut self,
        name: &str,
        known: impl IntoIterator<Item = &'a str>,
    ) -> Diagnostic {
        // Names by the thousand are gone through as long as somebody guesses.
        let most = match Guessing::is_over() {
            true => FEW + 1,
            false => usize::MAX,
        };
        let known: Vec<&str> = known.into_iter().take(most).collect();
        self.name = Some(name.to_string());
        if let Some(near) = nearest(name, known.iter().copied()) {
            return self.meant(name, near);
        }
        if (1..=FEW).contains(&known.len()) {
            return self.help(format!("expected {}", one_of(&known)));
        }
        self
    }

    /// "did you mean `energy`?"
    pub fn meant(mut self, written: &str, meant: &str) -> Diagnostic {
        self = self.help(format!("did you mean `{meant}`?"));
        self.name = Some(written.to_string());
        self.slip = Some(Slip {
            written: written.to_string(),
            meant: meant.to_string(),
        });
        self
    }

    /// `"9"` where a number is expected.
    pub(crate) fn without_quotes(mut self, value: &str) -> Diagnostic {
        let place = self.at.as_ref().map(|label| &label.place);
        let written = place.and_then(|place| place.file.text.get(place.span.clone()));
        self.slip = written.map(|written| Slip {
            written: written.to_string(),
            meant: value.to_string(),
        });
        self.help(format!("write {value}, without quotes"))
    }

    /// What would mend it, if that is known and the place is still as it was read.
    pub fn fix(&self) -> Option<Fix> {
        let (Some(Label { place, .. }), Some(slip)) = (&self.at, &self.slip) else {
            return None;
        };
        let written = place.file.text.get(place.span.clone())?;
        let mut found = written.match_indices(&slip.written);
        let at = place.span.start + found.next()?.0;
        // Twice in one place: nobody knows which is meant.
        if found.next().is_some() {
            return None;
        }
        let place = Place::new(&place.file, at..at + slip.written.len());
        Some(Fix {
            title: format!("write `{}`", shortened(&slip.meant)),
            edits: vec![Edit {
                place,
                text: slip.meant.clone(),
            }],
        })
    }

    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// The message with its source line and caret, as a terminal shows it.
    pub fn render(&self, colour: bool) -> String {
        let level = match self.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let title = level
            .primary_title(&*self.message)
            .id(self.code.to_string());
        let mut group = Group::with_title(title);
        if let Some(Label { place, .. }) = &self.at {
            if place.is_top() {
                group = group.element(Origin::path(&*place.file.shown));
            } else if !is_shown(place) {
                let (line, column) = place.file.position(place.span.start);
                let origin = Origin::path(&*place.file.shown).line(line);
                group = group.element(origin.char_column(column));
            }
        }
        for snippet in self.snippets() {
            group = group.element(snippet);
        }
        if let Some(help) = &self.help {
            group = group.element(Level::HELP.message(&**help));
        }
        let renderer = match colour {
            true => Renderer::styled(),
            false => Renderer::plain(),
        };
        renderer.render(&[group])
    }

    /// One snippet for each file, the one at fault first.
    fn snippets(&self) -> Vec<Snippet<'_, annotate_snippets::Annotation<'_>>> {
        let mut files: Vec<(&Place, Vec<annotate_snippets::Annotation<'_>>)> = Vec::new();
        let primary = self.at.iter().map(|label| (AnnotationKind::Primary, label));
        let context = self.related.iter().map(|l| (AnnotationKind::Context, l));
        for (kind, label) in primary.chain(context) {
            if label.place.is_top() || !is_shown(&label.place) {
                continue;
            }
            let mut annotation = kind.span(visible(&label.place));
            if !label.text.is_empty() {
                annotation = annotation.label(&*label.text);
            }
            let same = |(place, _): &&mut (&Place, _)| place.file == label.place.file;
            match files.iter_mut().find(same) {
                Some((_, annotations)) => annotations.push(annotation),
                None => files.push((&label.place, vec![annotation])),
            }
        }
        let snippet = |(place, annotations): (&'_ Place, Vec<_>)| {
            Snippet::source(place.file.text.clone())
                .path(place.file.shown.clone())
                .annotations(annotations)
        };
        files.into_iter().map(snippet).collect()
    }

    /// The form `check --json` prints.
    pub fn json(&self) -> Value {
        let place = |label: &Label| {
            let file = &label.place.file;
            let (line, column) = file.position(label.place.span.start);
            let (end_line, end_column) = file.position(label.place.span.end);
            json!({
                "file": file.shown, "line": line, "column": column,
                "end_line": end_line, "end_column": end_column,
                "label": label.text,
            })
        };
        let edit = |edit: &Edit| {
            let file = &edit.place.file;
            let (line, column) = file.position(edit.place.span.start);
            let (end_line, end_column) = file.position(edit.place.span.end);
            json!({
                "file": file.shown, "line": line, "column": column,
                "end_line": end_line, "end_column": end_column,
                "text": edit.text,
            })
        };
        let fix = self.fix().map(|fix| {
            json!({ "title": fix.title, "edits": fix.edits.iter().map(edit).collect::<Vec<_>>() })
        });
        json!({
            "code": self.code.id(),
            "name": self.code.slug(),
            "severity": match self.severity { Severity::Error => "error", Severity::Warning => "warning" },
            "message": self.message,
            "at": self.at.as_ref().map(place),
            "related": self.related.iter().map(place).collect::<Vec<_>>(),
            "help": self.help,
            "fix": fix,
        })
    }
}

/// `cards/fair/tables.toml:3:1: E005 unknown-key: unknown key `x``
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(Label { place, .. }) = &self.at {
            let (line, column) = place.file.position(place.span.start);
            write!(f, "{}:{line}:{column}: ", place.file.shown)?;
        }
        write!(f, "{}: {}", self.code, self.message)?;
        match &self.help {
            Some(help) => write!(f, "; {help}"),
            None => Ok(()),
        }
    }
}

/// While it lives, what was meant is guessed for so many names and no more; whoever looks at content begins with it.
pub fn guessing() -> Guessing {
    Guessing::at_most(GUESSES)
}

/// By file and position, what has no place first; the same thing is said once.
pub fn sort(diagnostics: &mut Vec<Diagnostic>) {
    let key = |d: &Diagnostic| {
        let place = d.at.as_ref().map(|label| &label.place);
        let file = place.map(|place| place.file.shown.clone());
        let span = place.map(|place| (place.span.start, place.span.end));
        (file, span, d.code, d.message.clone())
    };
    diagnostics.sort_by_cached_key(key);
    diagnostics.dedup();
}

/// All of them as a terminal shows them, with an empty line between two; of many of one kind, and of very many, the first, and how many
/// there are besides.
pub fn render_all(diagnostics: &[Diagnostic], colour: bool) -> String {
    let mut rendered: Vec<String> = Vec::new();
    let mut kinds: BTreeMap<Code, usize> = BTreeMap::new();
    for diagnostic in diagnostics {
        let of_its_kind = kinds.entry(diagnostic.code).or_default();
        *of_its_kind += 1;
        if *of_its_kind <= MOST_OF_A_KIND && rendered.len() < MOST_TOLD {
            rendered.push(diagnostic.render(colour));
        }
    }
    let mut hidden = diagnostics.len() - rendered.len();
    for (code, count) in kinds {
        let more = count.saturating_sub(MOST_OF_A_KIND).min(hidden);
        if more > 0 {
            rendered.push(format!("and {} more of {code}", grouped(more)));
            hidden -= more;
        }
    }
    if hidden > 0 {
        rendered.push(format!("and {} more", grouped(hidden)));
    }
    rendered.join("\n\n")
}

/// As much of it as anybody reads, in its order, and one more that says how much there is besides.
pub fn bearable<'a>(diagnostics: impl IntoIterator<Item = &'a Diagnostic>) -> Vec<Diagnostic> {
    let mut all = diagnostics.into_iter();
    let mut told: Vec<Diagnostic> = all.by_ref().take(MOST_TOLD).cloned().collect();
    let more = all.count();
    if let Some(last) = told.last().filter(|_| more > 0) {
        let mut besides = Diagnostic::new(last.code, format!("and {} more", grouped(more)));
        let file = last.at.as_ref().map(|label| &label.place.file);
        besides = match file {
            Some(file) => besides.at(&Place::top(file)),
            None => besides,
        };
        told.push(besides);
    }
    told
}

/// A number as people write it: `4,980`.
pub fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// "`a`, `b` or `c`"
pub fn one_of(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        None => "nothing".into(),
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
    }
}

/// Whether the line of a place can be shown: one without end would be drawn for every mistake in it.
fn is_shown(place: &Place) -> bool {
    let text = &place.file.text;
    let at = visible(place).start;
    let begun = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let ended = text[at..].find('\n').map_or(text.len(), |end| at + end);
    ended - begun <= LONGEST_SHOWN
}

/// What the caret underlines: inside the text, on character boundaries, and only the first line of a long table.
fn visible(place: &Place) -> std::ops::Range<usize> {
    let text = &place.file.text;
    let mut start = place.span.start.min(text.len());
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    let mut end = place.span.end.clamp(start, text.len());
    while !text.is_char_boundary(end) {
        end += 1;
    }
    let first_line = text[start..end].find('\n').unwrap_or(end - start);
    start..start + first_line
}
