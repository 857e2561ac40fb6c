//! Brackets that were opened and never closed, or closed and never opened. Rhai notices many lines later, where something else cannot
//! stand; an author looks for the bracket.

use super::tokens::Tokens;
use crate::diagnostic::Pos;
use rhai::Token;

/// A bracket without its other half.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Odd {
    /// Opened here, and missed at the latest there.
    Unclosed {
        bracket: char,
        open: Pos,
        missed: Option<Pos>,
    },
    /// Closed here, and opened nowhere.
    Unopened { bracket: char, at: Pos },
    /// A function, a condition or a loop whose body does not begin with a brace.
    Bodiless { at: Pos, what: &'static str },
}

/// An open bracket: what closes it, where it stands, and how far its line is moved in.
#[derive(Clone, Copy)]
struct Open {
    bracket: char,
    closes: char,
    at: Pos,
    indent: usize,
}

/// The first bracket that lacks its other half. Where several could, the one whose line is moved in otherwise than its counterpart's.
pub(super) fn odd(tokens: &Tokens) -> Option<Odd> {
    let mut open: Vec<Open> = Vec::new();
    // What looks wrong by how lines are moved in; told only if the brackets do not match.
    let (mut too_few, mut too_many): (Option<Open>, Option<Pos>) = (None, None);
    let mut last_line = 0;
    for (token, at) in tokens.all() {
        let first_of_line = at.line != last_line;
        last_line = at.line;
        if let Some((bracket, closes)) = opens(token) {
            open.push(Open {
                bracket,
                closes,
                at: *at,
                indent: tokens.indent(at.line),
            });
            continue;
        }
        let top = open.last().copied();
        let unclosed = |one: Open| Odd::Unclosed {
            bracket: one.bracket,
            open: one.at,
            missed: Some(*at),
        };
        match token {
            Token::Fn | Token::Private if first_of_line => {
                if let Some(one) = rarest(&open).or(too_few).or(top) {
                    return Some(unclosed(one));
                }
            }
            Token::SemiColon => {
                if let Some(one) = top.filter(|one| one.bracket != '{') {
                    return Some(unclosed(one));
                }
            }
            _ => {
                let Some(bracket) = closing(token) else {
                    continue;
                };
                match top {
                    Some(one) if one.closes == bracket => {
                        let indent = tokens.indent(at.line);
                        if first_of_line && one.at.line != at.line {
                            if indent < one.indent {
                                too_few = too_few.or(Some(one));
                            } else if indent > one.indent {
                                too_many = too_many.or(Some(*at));
                            }
                        }
                        open.pop();
                    }
                    Some(one) if open.iter().any(|other| other.closes == bracket) => {
                        return Some(unclosed(one));
                    }
                    _ => {
                        let bodiless = bodiless(tokens, *at).filter(|_| bracket == '}');
                        let at = too_many.filter(|_| bracket == '}').unwrap_or(*at);
                        return Some(bodiless.unwrap_or(Odd::Unopened { bracket, at }));
                    }
                }
            }
        }
    }
    if tokens.is_cut() {
        return None;
    }
    let last = open.last().copied()?;
    let one = rarest(&open).or(too_few).unwrap_or(last);
    Some(Odd::Unclosed {
        bracket: one.bracket,
        open: one.at,
        missed: None,
    })
}

/// The last head before a place whose line ends without a brace, and after which none follows.
fn bodiless(tokens: &Tokens, before: Pos) -> Option<Odd> {
    let all = tokens.all();
    let here = |at: &Pos| (at.line, at.column) < (before.line, before.column);
    let heads = all.iter().enumerate().take_while(|(_, (_, at))| here(at));
    let mut found = None;
    for (number, (token, at)) in heads {
        let what = match token {
            Token::Fn => "fn",
            Token::If => "if",
            Token::While => "while",
            Token::For => "for",
            Token::Switch => "switch",
            _ => continue,
        };
        let line = all[number..]
            .iter()
            .take_while(|(_, other)| other.line == at.line);
        let rest = &all[number..number + line.count()];
        let opens = |token: &Token| matches!(token, Token::LeftBrace);
        let next = all.get(number + rest.len()).map(|(token, _)| token);
        // A condition goes on where its brackets are open or a sign waits for what comes.
        let closes = rest
            .iter()
            .filter(|(token, _)| closing(token).is_some())
            .count();
        let opened = rest
            .iter()
            .filter(|(token, _)| self::opens(token).is_some())
            .count();
        let ends = rest.last().is_some_and(|(token, _)| {
            matches!(
                token,
                Token::RightParen
                    | Token::RightBracket
                    | Token::Identifier(_)
                    | Token::IntegerConstant(_)
                    | Token::StringConstant(_)
                    | Token::True
                    | Token::False
                    | Token::Unit
            )
        });
        let goes_on = next.is_some_and(|token| {
            matches!(token, Token::And | Token::Or | Token::Period) || opens(token)
        });
        if ends && closes == opened && !goes_on && !rest.iter().any(|(token, _)| opens(token)) {
            found = Some(Odd::Bodiless { at: *at, what });
        }
    }
    found
}

/// An open bracket that is no brace: those seldom reach over many lines, so it is the one that was forgotten.
fn rarest(open: &[Open]) -> Option<Open> {
    open.iter().find(|one| one.bracket != '{').copied()
}

fn opens(token: &Token) -> Option<(char, char)> {
    match token {
        Token::LeftBrace | Token::MapStart => Some(('{', '}')),
        Token::LeftParen => Some(('(', ')')),
        Token::LeftBracket | Token::QuestionBracket => Some(('[', ']')),
        _ => None,
    }
}

fn closing(token: &Token) -> Option<char> {
    match token {
        Token::RightBrace => Some('}'),
        Token::RightParen => Some(')'),
        Token::RightBracket => Some(']'),
        _ => None,
    }
}
