//! What rhai's parser objects to, in the words of this crate.

use super::brackets::{self, Odd};
use super::pos;
use super::tokens::Tokens;
use crate::diagnostic::{Code, Diagnostic, Pos, Related, Span};
use crate::source::Script;
use rhai::ParseErrorType;

/// Rhai's syntax error in our words, with what to write instead where that is known.
pub(super) fn error(source: &Script, error: &rhai::ParseError, tokens: &Tokens) -> Diagnostic {
    let mut related = Vec::new();
    let mut start = pos(error.position()).unwrap_or_else(|| end_of(&source.text));
    let mut code = Code::Syntax;
    let (mut message, mut help) = (lower_first(&error.err_type().to_string()), None);
    if float_near(&source.text, start) {
        code = Code::RefusedFloat;
        message = "numbers with a decimal point are not supported".into();
        help = Some("use whole numbers: count in tenths or in percent".into());
    } else {
        match error.err_type() {
            ParseErrorType::Reserved(word) if word == "eval" => {
                code = Code::RefusedEval;
                message = "`eval` is not supported: a script is compiled before it runs".into();
                help = Some("write a function and call it".into());
            }
            ParseErrorType::Reserved(word) => {
                message = format!("`{word}` is a reserved word");
                help = Some("choose another name".into());
            }
            ParseErrorType::ExprTooDeep => {
                message = "this expression is nested too deeply".into();
                help =
                    Some("give parts of it names with `let`, or move them into functions".into());
            }
            ParseErrorType::AssignmentToConstant(name) => {
                code = Code::ReadOnly;
                message = format!("`{name}` is a constant");
                help = Some("use `let` instead of `const`".into());
            }
            ParseErrorType::AssignmentToInvalidLHS(_) => {
                message = "this cannot be assigned to: what a call gives has no name".into();
                help = Some(
                    "to compare write `==`; to change it name it first: `let it = ..;`, then `it.property = ..;`"
                        .into(),
                );
            }
            ParseErrorType::FnDuplicatedDefinition(name, arity) => {
                code = Code::Duplicate;
                message = format!(
                    "function `{name}` with {} is defined twice",
                    parameters(*arity)
                );
            }
            ParseErrorType::ModuleUndefined(name) => {
                code = Code::UnknownModule;
                message = format!("unknown module `{name}`");
                help = Some(format!(
                    "write `import \"..\" as {name};` at the top of the file"
                ));
            }
            _ => match brackets::odd(tokens) {
                Some(Odd::Unclosed {
                    bracket,
                    open,
                    missed,
                }) => {
                    message = format!("this `{bracket}` is opened and not closed");
                    related.extend(missed.map(|there| Related {
                        path: source.path.clone(),
                        span: Span {
                            start: there,
                            end: None,
                        },
                        message: "it should be closed before this".into(),
                    }));
                    start = open;
                }
                Some(Odd::Unopened { bracket, at }) => {
                    message = format!("this `{bracket}` closes nothing");
                    start = at;
                }
                Some(Odd::Bodiless { at, what }) => {
                    message = format!("this `{what}` lacks the `{{` after it");
                    start = at;
                }
                None => help = tokens.before(start).and_then(misspelt),
            },
        }
    }
    Diagnostic {
        name: None,
        of: None,
        code,
        path: source.path.clone(),
        span: Span { start, end: None },
        message,
        help: help.map(Into::into),
        related,
    }
}

/// A comment that begins at this byte and ends nowhere.
pub(super) fn open_comment(source: &Script, at: usize) -> Diagnostic {
    let before = &source.text[..at];
    let line = before.rfind('\n').map_or(0, |end| end + 1);
    let start = Pos {
        line: before.matches('\n').count() as u32 + 1,
        column: before[line..].chars().count() as u32 + 1,
    };
    Diagnostic {
        name: None,
        of: None,
        code: Code::Syntax,
        path: source.path.clone(),
        span: Span { start, end: None },
        message: "this `/*` is opened and not closed".into(),
        help: Some("a comment that begins with `/*` ends with `*/`".into()),
        related: Vec::new(),
    }
}

/// Words that begin a statement.
const BEGINNINGS: [&str; 8] = [
    "let", "const", "if", "while", "for", "return", "switch", "import",
];

/// A name that nothing can follow may be the beginning of a statement.
fn misspelt(name: &str) -> Option<String> {
    let is_slip = |word: &&&str| strsim::osa_distance(word, name) == 1;
    let meant = BEGINNINGS.iter().find(is_slip)?;
    Some(format!("did you mean `{meant}`?"))
}

pub(crate) fn parameters(n: usize) -> String {
    match n {
        0 => "no parameters".into(),
        1 => "1 parameter".into(),
        n => format!("{n} parameters"),
    }
}

fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        // An acronym or a symbol stays as it is.
        Some(c) if !chars.as_str().starts_with(char::is_uppercase) => c
            .to_lowercase()
            .chain(chars)
            .collect::<String>()
            .replace('\'', "`"),
        _ => text.replace('\'', "`"),
    }
}

fn end_of(text: &str) -> Pos {
    let line = text.lines().count().max(1);
    let column = text.lines().last().map_or(0, |l| l.chars().count()) + 1;
    Pos {
        line: line as u32,
        column: column as u32,
    }
}

/// Without floats, rhai reads `1.5` as a property of `1`: look at the text around the error.
fn float_near(text: &str, at: Pos) -> bool {
    let Some(line) = text.lines().nth(at.line.saturating_sub(1) as usize) else {
        return false;
    };
    let chars: Vec<char> = line.chars().collect();
    let column = at.column as usize;
    let from = column.saturating_sub(4);
    (from..column + 1).any(|i| {
        let digit = |j: usize| chars.get(j).is_some_and(char::is_ascii_digit);
        i > 0 && chars.get(i) == Some(&'.') && digit(i - 1) && digit(i + 1)
    })
}
