//! Scripts: calls, functions, properties, constants, and texts that name things, read from their smallest parts so that a script that is
//! being written is understood as far as it goes.

use super::{IN_TEXTS, Seen, Sort, Wants, place_in};
use crate::content::definition::Direction;
use crate::content::file::File;
use crate::script::verbs::{self, P};
use crate::table::types::domain;
use ludoteca_vm::Domain;
use ludoteca_vm::lexis::{Lexeme, Lexis, lex};
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

/// A bracket that is open, and what it belongs to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Frame {
    /// The function called, if it is the bracket of a call.
    pub callee: Option<String>,
    /// Called as `x.f(..)`: the first parameter stands before the dot.
    pub is_method: bool,
    /// How many arguments are complete.
    pub argument: usize,
    /// Where it opens.
    pub from: usize,
    /// It is a map's, `#{`.
    pub is_map: bool,
}

impl Frame {
    /// The parameter that is being given, from 0.
    pub fn parameter(&self) -> usize {
        self.argument + self.is_method as usize
    }
}

/// The loud parts of a script.
pub struct LoudParts<'t> {
    pub text: &'t str,
    pub list: Vec<Lexeme>,
}

impl<'t> LoudParts<'t> {
    pub fn new(text: &'t str) -> LoudParts<'t> {
        let list = lex(text)
            .into_iter()
            .filter(|part| !part.is_quiet())
            .collect();
        LoudParts { text, list }
    }

    pub fn said(&self, at: usize) -> &'t str {
        self.list.get(at).map_or("", |part| part.text(self.text))
    }

    pub fn before(&self, at: usize) -> &'t str {
        at.checked_sub(1).map_or("", |at| self.said(at))
    }

    /// The names before a dot, from the root: `PRICES.unit.` gives `PRICES`, `unit`. Nothing if something else is among them.
    pub fn chain(&self, dot: usize) -> Vec<&'t str> {
        let mut chain = Vec::new();
        let mut at = dot;
        loop {
            let Some(name) = at.checked_sub(1).and_then(|n| self.list.get(n)) else {
                return chain;
            };
            if name.kind != Lexis::Name {
                return Vec::new();
            }
            chain.insert(0, name.text(self.text));
            match at.checked_sub(2).map(|n| self.said(n)) {
                Some("." | "?.") => at -= 2,
                _ => return chain,
            }
        }
    }

    /// Follows brackets over one part.
    pub fn follow(&self, at: usize, open: &mut Vec<Frame>) {
        let part = &self.list[at];
        if part.kind != Lexis::Sign {
            return;
        }
        match self.said(at) {
            "(" => {
                let called = at.checked_sub(1).map(|n| &self.list[n]);
                let called = called.filter(|part| part.kind == Lexis::Name);
                let declares = at >= 2 && self.said(at - 2) == "fn";
                let callee = called
                    .filter(|_| !declares)
                    .map(|part| part.text(self.text).to_string());
                let is_method = at >= 2 && matches!(self.said(at - 2), "." | "?.");
                open.push(Frame {
                    is_method: is_method && callee.is_some(),
                    callee,
                    argument: 0,
                    from: part.span.start,
                    is_map: false,
                });
            }
            sign @ ("[" | "{" | "#{" | "?[") => open.push(Frame {
                from: part.span.start,
                is_map: sign == "#{",
                ..Frame::default()
            }),
            ")" | "]" | "}" => drop(open.pop()),
            "," => {
                if let Some(frame) = open.last_mut() {
                    frame.argument += 1;
                }
            }
            _ => {}
        }
    }
}

/// Looks through one script.
pub fn read(file: &Arc<File>, seen: &mut Seen<'_>) {
    let parts = LoudParts::new(&file.text);
    let mut open: Vec<Frame> = Vec::new();
    for (at, part) in parts.list.iter().enumerate() {
        let said = parts.said(at);
        let here = || place_in(file, part.span.clone());
        match part.kind {
            Lexis::Name => {
                if let Some((wants, id, defines)) = name(&parts, at) {
                    match (defines, &wants) {
                        (true, Wants::Of(sort, of)) => seen.define(*sort, of, &id, here()),
                        _ => seen.mention(wants, &id, here()),
                    }
                }
            }
            Lexis::Text if parts.said(at + 1) != ":" => {
                if let Some(id) = said.strip_prefix('"').and_then(|t| t.strip_suffix('"')) {
                    let span = part.span.start + 1..part.span.end - 1;
                    seen.mention(text(&parts, at, &open), id, place_in(file, span));
                }
            }
            _ => {}
        }
        parts.follow(at, &mut open);
    }
}

/// What a name may mean where it stands, and whether it is defined there. Variables mean nothing here.
fn name(parts: &LoudParts<'_>, at: usize) -> Option<(Wants, String, bool)> {
    let id = parts.said(at).to_string();
    let (before, after) = (parts.before(at), parts.said(at + 1));
    if before == "fn" {
        return Some((Wants::Of(Sort::Function, String::new()), id, true));
    }
    if after == "(" {
        return Some((Wants::Sorts(vec![Sort::Function, Sort::Verb]), id, false));
    }
    if matches!(before, "." | "?.") {
        return Some((
            property(&parts.chain(at - 1)),
            chained(parts, at, id),
            false,
        ));
    }
    let capitals = id
        .chars()
        .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
    if capitals && id.starts_with(|c: char| c.is_ascii_uppercase()) {
        let id = id.to_lowercase();
        return Some((Wants::Sorts(vec![Sort::Parameter, Sort::Value]), id, false));
    }
    None
}

/// After a table's name the way so far belongs to the name.
fn chained(parts: &LoudParts<'_>, at: usize, id: String) -> String {
    let chain = parts.chain(at - 1);
    match chain.first() {
        Some(root) if is_constant(root) => {
            let steps: Vec<String> = chain.iter().map(|step| step.to_lowercase()).collect();
            format!("{}.{id}", steps.join("."))
        }
        _ => id,
    }
}

fn is_constant(name: &str) -> bool {
    let capital = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    name.starts_with(|c: char| c.is_ascii_uppercase()) && name.chars().all(capital)
}

/// What may stand after these names and a dot.
pub fn property(chain: &[&str]) -> Wants {
    match chain {
        ["game"] => Wants::Owned(
            vec![Sort::Attribute, Sort::Zone, Sort::Property],
            "game".into(),
        ),
        [root, ..] if is_constant(root) => Wants::Dotted,
        _ => Wants::Sorts(vec![
            Sort::Attribute,
            Sort::Zone,
            Sort::Field,
            Sort::Property,
            Sort::Value,
        ]),
    }
}

/// What a text may name where it stands.
pub fn text(parts: &LoudParts<'_>, at: usize, open: &[Frame]) -> Wants {
    let compared = matches!(parts.before(at), "==" | "!=" | "=");
    if compared && at >= 3 && matches!(parts.said(at - 3), "." | "?.") {
        let held = vec![
            Sort::Word,
            Sort::Card,
            Sort::Space,
            Sort::Area,
            Sort::Section,
            Sort::Kind,
            Sort::Side,
        ];
        return Wants::Sorts(held);
    }
    let sorts = open.last().and_then(|frame| {
        let callee = frame.callee.as_deref()?;
        given(callee, frame.parameter())
    });
    sorts.unwrap_or_else(|| Wants::Sorts(IN_TEXTS.to_vec()))
}

/// What a function of the kernel wants named as its n-th parameter.
pub fn given(callee: &str, parameter: usize) -> Option<Wants> {
    if callee == "Fn" {
        return Some(Wants::Sorts(vec![Sort::Function]));
    }
    static NAMED: OnceLock<HashMap<(&'static str, usize), Wants>> = OnceLock::new();
    let named = NAMED.get_or_init(|| {
        let mut named = HashMap::new();
        for entry in verbs::all() {
            for (index, (_, accepts)) in entry.params.iter().enumerate() {
                let wants = match accepts {
                    P::Name(domain) | P::NameOr(domain, _) => wants(*domain),
                    P::Function => Wants::Sorts(vec![Sort::Function]),
                    P::Of(_) | P::Either(_) => continue,
                };
                // Forms of one name may want different things.
                let known = named
                    .entry((entry.name, index))
                    .or_insert_with(|| wants.clone());
                if *known != wants {
                    *known = Wants::Sorts(IN_TEXTS.to_vec());
                }
            }
        }
        named
    });
    let mut found = named.iter();
    let found = found.find(|((name, index), _)| *name == callee && *index == parameter)?;
    Some(found.1.clone())
}

fn wants(of: Domain) -> Wants {
    let one = |sort: Sort| Wants::Sorts(vec![sort]);
    match of {
        domain::SPACE_ATTRIBUTE => Wants::Of(Sort::Attribute, "space".into()),
        domain::MEASURE => Wants::Sorts(vec![Sort::Attribute, Sort::Field]),
        domain::SPACE_FIELD => Wants::Of(Sort::Field, "space".into()),
        domain::EDGE_FIELD => Wants::Of(Sort::Field, "edge".into()),
        domain::PROMPT => one(Sort::Prompt),
        domain::OPTION => one(Sort::Option),
        domain::LOG => one(Sort::Log),
        domain::REASON => one(Sort::Reason),
        domain::DIE => one(Sort::Die),
        domain::KIND => one(Sort::Kind),
        domain::CARD => one(Sort::Card),
        domain::SPACE => one(Sort::Space),
        domain::AREA => one(Sort::Area),
        domain::SECTION => one(Sort::Section),
        domain::SIDE => one(Sort::Side),
        domain::DIRECTION => {
            let groups = Direction::GROUPS.iter().map(|(name, _)| *name);
            let all = Direction::NAMES.into_iter().chain(groups);
            Wants::Words(all.map(str::to_string).collect())
        }
        _ => one(Sort::Word),
    }
}
