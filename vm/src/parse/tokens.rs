//! What the tree does not keep and the tokens still know: where functions begin, their doc comments, the literals of `switch`.

use super::MOST_VARIABLES;
use crate::tree::{Case, Pos, Span};
use rhai::{Engine, Token};
use std::collections::HashMap;

pub(crate) struct Tokens {
    list: Vec<(Token, Pos)>,
    /// Index of each `switch` by its place.
    switches: HashMap<Pos, usize>,
    /// Index of each `{` by its place.
    braces: HashMap<Pos, usize>,
    lines: Vec<String>,
    /// Something was met that is no token: the rest is not known.
    cut: bool,
}

/// What stands before the `=>` of one arm.
pub(crate) struct Head {
    pub cases: Vec<(Case, Pos)>,
    pub default: bool,
    pub pos: Pos,
}

impl Tokens {
    pub fn read(engine: &Engine, text: &str) -> Tokens {
        let inputs = [text];
        let (tokens, control) = engine.lex(&inputs);
        let mut list = Vec::new();
        let (mut switches, mut braces) = (HashMap::new(), HashMap::new());
        // For every open brace, whether it belongs to an interpolation, after which text goes on.
        let mut open: Vec<bool> = Vec::new();
        let (mut interpolation, mut cut) = (false, false);
        for (mut token, position) in tokens {
            let pos = super::pos(position).unwrap_or_default();
            match &token {
                Token::EOF => break,
                Token::LexError(_) => {
                    cut = true;
                    break;
                }
                Token::Switch => {
                    switches.insert(pos, list.len());
                }
                // The braces of an interpolation group like parentheses: they open no block.
                Token::LeftBrace if interpolation => {
                    open.push(true);
                    token = Token::LeftParen;
                }
                Token::LeftBrace => {
                    braces.insert(pos, list.len());
                    open.push(false);
                }
                Token::MapStart => open.push(false),
                Token::RightBrace if open.pop() == Some(true) => {
                    control.borrow_mut().is_within_text = true;
                    token = Token::RightParen;
                }
                _ => {}
            }
            interpolation = matches!(token, Token::InterpolatedString(_));
            list.push((token, pos));
        }
        let lines = text.lines().map(str::to_string).collect();
        Tokens {
            list,
            switches,
            braces,
            lines,
            cut,
        }
    }

    pub fn all(&self) -> &[(Token, Pos)] {
        &self.list
    }

    /// The name that stands right before a place.
    pub fn before(&self, place: Pos) -> Option<&str> {
        let here = |pos: &Pos| (pos.line, pos.column) < (place.line, place.column);
        match self.list.iter().take_while(|(_, pos)| here(pos)).last() {
            Some((Token::Identifier(name), _)) => Some(name.as_str()),
            _ => None,
        }
    }

    /// Whether the tokens end before the text does.
    pub fn is_cut(&self) -> bool {
        self.cut
    }

    /// Where a function declares more variables than it may: with `let`, as parameters, or in closures.
    pub fn too_many_variables(&self) -> Option<Pos> {
        let (mut declared, mut parameters) = (0, false);
        for (token, at) in &self.list {
            match token {
                Token::Fn => (declared, parameters) = (0, true),
                Token::RightParen => parameters = false,
                Token::Comma if parameters => declared += 1,
                Token::Let | Token::Const | Token::Pipe => declared += 1,
                _ => {}
            }
            if declared > MOST_VARIABLES {
                return Some(*at);
            }
        }
        None
    }

    /// Of each variable that is named, how many functions and closures stand before it.
    pub fn lookups(&self) -> u64 {
        let (mut found, mut before, mut pipes, mut parameters) = (0, 0, 0, false);
        let next = self.list.iter().skip(1).map(|(token, _)| Some(token));
        for ((token, _), next) in self.list.iter().zip(next.chain([None])) {
            match token {
                Token::Fn => (before, parameters) = (before + 1, true),
                Token::RightParen => parameters = false,
                // Without parameters a closure looks like `or`.
                Token::Or => before += 1,
                Token::Pipe => pipes += 1,
                Token::Identifier(_) if !parameters && next != Some(&Token::LeftParen) => {
                    found += before + pipes / 2;
                }
                _ => {}
            }
        }
        found
    }

    /// Where `=+` or `=-` stands, with the sign: `x =+ 1` gives x the value 1. `x = -1` and `x=-1` are what they look like.
    pub fn turned_round(&self) -> Vec<(Pos, char)> {
        let mut found = Vec::new();
        for three in self.list.windows(3) {
            let [(assign, at), (sign, beside), (_, next)] = three else {
                continue;
            };
            let touches = |a: &Pos, b: &Pos| a.line == b.line && a.column + 1 == b.column;
            if *assign != Token::Equals || !touches(at, beside) {
                continue;
            }
            match sign {
                Token::UnaryPlus => found.push((*at, '+')),
                Token::UnaryMinus if !touches(beside, next) => found.push((*at, '-')),
                _ => {}
            }
        }
        found
    }

    /// How far a line is moved in.
    pub fn indent(&self, line: u32) -> usize {
        let text = self.lines.get((line as usize).wrapping_sub(1));
        text.map_or(0, |text| text.len() - text.trim_start().len())
    }

    /// Where the function whose body opens here has its name, its head (`fn name`), and the doc comment above it.
    pub fn function_before(&self, body: Pos, name: &str) -> (Pos, Span, String) {
        let nowhere = Span {
            start: body,
            end: None,
        };
        let Some(&brace) = self.braces.get(&body) else {
            return (body, nowhere, String::new());
        };
        let Some(at) = (0..brace).rev().find(|&i| self.list[i].0 == Token::Fn) else {
            return (body, nowhere, String::new());
        };
        let first = if at > 0 && self.list[at - 1].0 == Token::Private {
            at - 1
        } else {
            at
        };
        let line = self.list[first].1.line as usize;
        let mut doc: Vec<&str> = (0..line.saturating_sub(1))
            .rev()
            .map_while(|i| self.lines[i].trim_start().strip_prefix("///"))
            .map(|l| l.strip_prefix(' ').unwrap_or(l).trim_end())
            .collect();
        doc.reverse();
        let named = self.list[(at + 1).min(brace)].1;
        let head = Span {
            start: self.list[at].1,
            end: Some(Pos {
                line: named.line,
                column: named.column + name.chars().count() as u32,
            }),
        };
        (named, head, doc.join("\n"))
    }

    /// The heads of all arms of the switch at this place; `None` if one is not made of plain literals.
    pub fn switch_heads(&self, at: Pos) -> Option<Vec<Head>> {
        let mut i = self.switches.get(&at)? + 1;
        // For every open bracket, whether it opens a block.
        let mut open: Vec<bool> = Vec::new();
        // The value: up to the brace that opens the body.
        while self.list.get(i)?.0 != Token::LeftBrace || !open.is_empty() {
            step(&mut open, &self.list[i].0)?;
            i += 1;
        }
        let mut heads = Vec::new();
        i += 1;
        let mut start = i;
        loop {
            let token = &self.list.get(i)?.0;
            match token {
                Token::RightBrace if open.is_empty() => return Some(heads),
                Token::DoubleArrow if open.is_empty() => heads.push(self.head(start, i)?),
                Token::Comma if open.is_empty() => start = i + 1,
                _ => {
                    // A block ends an arm without a comma.
                    if step(&mut open, token)? && open.is_empty() {
                        start = i + 1;
                    }
                }
            }
            i += 1;
        }
    }

    fn head(&self, start: usize, end: usize) -> Option<Head> {
        let pos = self.list.get(start)?.1;
        let tokens = &self.list[start..end];
        let tokens = match tokens.iter().position(|(t, _)| *t == Token::If) {
            Some(cond) => &tokens[..cond],
            None => tokens,
        };
        if let [(Token::Underscore, _)] = tokens {
            return Some(Head {
                cases: Vec::new(),
                default: true,
                pos,
            });
        }
        let cases = tokens
            .split(|(t, _)| *t == Token::Pipe)
            .map(|case| Some((literal(case)?, case.first()?.1)))
            .collect::<Option<Vec<_>>>()?;
        Some(Head {
            cases,
            default: false,
            pos,
        })
    }
}

/// Follows brackets; says whether a block was closed. `None` if they do not match.
fn step(open: &mut Vec<bool>, token: &Token) -> Option<bool> {
    match token {
        Token::LeftBrace => open.push(true),
        Token::MapStart | Token::LeftParen | Token::LeftBracket | Token::QuestionBracket => {
            open.push(false)
        }
        Token::RightBrace | Token::RightParen | Token::RightBracket => return open.pop(),
        _ => {}
    }
    Some(false)
}

fn literal(tokens: &[(Token, Pos)]) -> Option<Case> {
    let range = tokens
        .iter()
        .position(|(t, _)| matches!(t, Token::ExclusiveRange | Token::InclusiveRange));
    if let Some(dots) = range {
        let inclusive = tokens[dots].0 == Token::InclusiveRange;
        // Rhai reads a missing start as 0, and a missing end as the largest number.
        let (from, to) = (&tokens[..dots], &tokens[dots + 1..]);
        return Some(Case::Range {
            from: if from.is_empty() { 0 } else { int(from)? },
            to: if to.is_empty() { i64::MAX } else { int(to)? },
            inclusive,
        });
    }
    match tokens {
        [(Token::StringConstant(s), _)] => Some(Case::Str(s.as_str().into())),
        [(Token::CharConstant(c), _)] => Some(Case::Char(*c)),
        [(Token::True, _)] => Some(Case::Bool(true)),
        [(Token::False, _)] => Some(Case::Bool(false)),
        [(Token::Unit, _)] | [(Token::LeftParen, _), (Token::RightParen, _)] => Some(Case::Unit),
        _ => int(tokens).map(Case::Int),
    }
}

fn int(tokens: &[(Token, Pos)]) -> Option<i64> {
    match tokens {
        [(Token::IntegerConstant(n), _)] => Some(*n),
        [
            (Token::UnaryMinus | Token::Minus, _),
            (Token::IntegerConstant(n), _),
        ] => n.checked_neg(),
        [
            (Token::UnaryPlus | Token::Plus, _),
            (Token::IntegerConstant(n), _),
        ] => Some(*n),
        _ => None,
    }
}
