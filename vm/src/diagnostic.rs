//! What the compiler has to say about a script: a stable code, a place, a sentence, and what to write instead.

use std::cell::Cell;
use std::fmt;

/// A place in a source: line and column, both from 1; line 0 means the file as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Pos {
    pub line: u32,
    pub column: u32,
}

/// From a place up to, not including, another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span {
    pub start: Pos,
    pub end: Option<Pos>,
}

/// Another place that explains a diagnostic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Related {
    pub path: String,
    pub span: Span,
    pub message: String,
}

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident => $slug:literal,)*) => {
        /// Which rule of the language a script breaks. Stable: tools may rely on the slugs.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Code { $($(#[$doc])* $name,)* }

        impl Code {
            pub const ALL: &[Code] = &[$(Code::$name,)*];

            pub fn slug(self) -> &'static str {
                match self { $(Code::$name => $slug,)* }
            }
        }
    };
}

codes! {
    /// The text is not Rhai.
    Syntax => "syntax",
    /// A call of something that does not exist.
    UnknownFunction => "unknown-function",
    /// A property no host type and no map has.
    UnknownProperty => "unknown-property",
    UnknownVariable => "unknown-variable",
    /// A literal that is not in the set of names expected here.
    UnknownName => "unknown-name",
    UnknownModule => "unknown-module",
    /// A key that a constant table does not have.
    UnknownKey => "unknown-key",
    /// The function exists with another number of parameters.
    WrongArity => "wrong-arity",
    /// A value of a known type where another is needed.
    TypeMismatch => "type-mismatch",
    /// A computed name where only a literal is allowed.
    ComputedName => "computed-name",
    /// Two functions or constants of one name.
    Duplicate => "duplicate",
    /// A name that the language or the host already uses.
    NameTaken => "name-taken",
    /// Something that is read only is assigned.
    ReadOnly => "read-only",
    /// An operand or argument changes a variable used beside it.
    EvaluationOrder => "evaluation-order",
    /// A closure changes what it captured, or what it captured changes later.
    Capture => "capture",
    /// A value is computed and dropped.
    UnusedValue => "unused-value",
    /// A statement that does nothing a rule could want at the top of a file.
    TopLevel => "top-level",
    /// A constant whose value is not known when compiling.
    NotConstant => "not-constant",
    ImportCycle => "import-cycle",
    RefusedFloat => "refused-float",
    RefusedEval => "refused-eval",
    /// A part of Rhai that this machine leaves out.
    Refused => "refused",
    /// `this` where nothing is bound to it.
    UnboundThis => "unbound-this",
    /// More variables, constants or code than the machine can address.
    TooLarge => "too-large",
    /// An arithmetic fault in a constant expression.
    ConstantFault => "constant-fault",
}

/// One thing that is wrong with a script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    pub code: Code,
    pub path: String,
    pub span: Span,
    /// The name of the script's that it is about, as it stands there.
    pub name: Option<String>,
    /// What the host calls the names it should be one of: `attribute`.
    pub of: Option<String>,
    pub message: String,
    pub help: Option<Advice>,
    pub related: Vec<Related>,
}

/// What would be right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Advice {
    pub text: String,
    /// The name that was meant instead of [`Diagnostic::name`], where that is all there is to mend.
    pub meant: Option<String>,
}

impl From<String> for Advice {
    fn from(text: String) -> Advice {
        Advice { text, meant: None }
    }
}

impl From<&str> for Advice {
    fn from(text: &str) -> Advice {
        Advice::from(text.to_string())
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Pos { line, column } = self.span.start;
        write!(
            f,
            "{}:{line}:{column}: {} [{}]",
            self.path,
            self.message,
            self.code.slug()
        )?;
        if let Some(help) = &self.help {
            write!(f, "\n  help: {}", help.text)?;
        }
        for related in &self.related {
            let Pos { line, column } = related.span.start;
            write!(
                f,
                "\n  {}:{line}:{column}: {}",
                related.path, related.message
            )?;
        }
        Ok(())
    }
}

impl std::error::Error for Diagnostic {}

/// "did you mean `x`?", if some candidate is near enough to be a slip of the finger.
pub(crate) fn did_you_mean<'a>(
    wrong: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<Advice> {
    nearest(wrong, candidates).map(|name| Advice {
        text: format!("did you mean `{name}`?"),
        meant: Some(name.to_string()),
    })
}

/// Names that are compared letter by letter with one that is not known.
const MOST_COMPARED: usize = 1000;
/// Longer names are no slips, and slow to compare.
const LONGEST_COMPARED: usize = 100;
/// Pairs of letters that are compared in the time of an operation.
const LETTERS_PER_OPERATION: usize = 16;

thread_local! {
    /// How many pairs of letters may still be compared while content is looked at; `None` while nobody looks.
    static GUESSES: Cell<Option<u64>> = const { Cell::new(None) };
}

/// While one lives, [`nearest`] compares so many pairs of letters on this thread and then guesses no more: content may have any number of
/// slips, and somebody waits for what is wrong with it. One inside another changes nothing.
#[derive(Debug)]
pub struct Guessing {
    outermost: bool,
}

impl Guessing {
    pub fn at_most(pairs: u64) -> Guessing {
        let outermost = GUESSES.get().is_none();
        if outermost {
            GUESSES.set(Some(pairs));
        }
        Guessing { outermost }
    }

    /// Whether so much was guessed that no more is.
    pub fn is_over() -> bool {
        GUESSES.get() == Some(0)
    }
}

impl Drop for Guessing {
    fn drop(&mut self) {
        if self.outermost {
            GUESSES.set(None);
        }
    }
}

/// Whether so many more pairs may be compared.
fn may_compare(pairs: usize) -> bool {
    match GUESSES.get() {
        Some(0) => false,
        Some(left) => {
            GUESSES.set(Some(left.saturating_sub(pairs as u64)));
            true
        }
        None => true,
    }
}

/// Beginning to compare takes as long as so many pairs.
const BEGINNING: usize = 30;

/// What [`nearest`] costs at most among so many candidates, in operations.
pub(crate) fn cost_of_nearest(wrong: &str, candidates: usize) -> u64 {
    let letters = wrong.len().min(LONGEST_COMPARED);
    let each = 1 + letters * letters / LETTERS_PER_OPERATION;
    (candidates.min(MOST_COMPARED) * each + candidates / LETTERS_PER_OPERATION) as u64
}

/// The candidate somebody meant who wrote something else: few slips away for its length, and not all of it slips.
pub fn nearest<'a, S: AsRef<str> + ?Sized + 'a>(
    wrong: &str,
    candidates: impl IntoIterator<Item = &'a S>,
) -> Option<&'a str> {
    let length = wrong.chars().count();
    let limit = match length {
        0..=3 => 1,
        4..=8 => 2,
        9..=LONGEST_COMPARED => 3,
        _ => return None,
    };
    candidates
        .into_iter()
        .map(S::as_ref)
        .take_while(|_| may_compare(1))
        .filter(|known| *known != wrong && known.len().abs_diff(wrong.len()) <= 4 * limit)
        .take(MOST_COMPARED)
        .take_while(|known| may_compare(BEGINNING + length * known.len()))
        .map(|known| (strsim::osa_distance(wrong, known), known))
        .filter(|(slips, known)| *slips <= limit && *slips < length.min(known.chars().count()))
        // Ties are settled by the alphabet, so that a message does not depend on the order of a table.
        .min()
        .map(|(_, known)| known)
}
