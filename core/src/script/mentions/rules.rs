//! Scripts: calls, functions, properties, constants, and texts that name things, read from their smallest parts so that a script that is
//! being written is understood as far as it goes.

use super::{HELD, IN_TEXTS, Seen, Sort, Wants, place_in};
use crate::content::definition::Direction;
use crate::content::file::File;
use crate::limits::DEEPEST_VALUE;
use crate::script::verbs::{self, P, Verb};
use crate::table::types::domain;
use ludoteca_vm::Domain;
use ludoteca_vm::lexis::{Lexeme, Lexis, lex};
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, OnceLock};

/// Names one after the other with dots between them, and parts of an expression, that are looked back over: a script may be one long line.
const NAMES_IN_A_ROW: usize = DEEPEST_VALUE as usize;
const LOOKED_BACK: usize = 200;

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

    /// Which part begins at a byte.
    pub fn index(&self, start: usize) -> usize {
        self.list.partition_point(|part| part.span.start < start)
    }

    pub fn before(&self, at: usize) -> &'t str {
        at.checked_sub(1).map_or("", |at| self.said(at))
    }

    /// The names before a dot, from the root: `PRICES.unit.` gives `PRICES`, `unit`. Nothing if something else is among them, or if there
    /// are more than any table has inside each other.
    pub fn chain(&self, dot: usize) -> Vec<&'t str> {
        let mut chain = Vec::new();
        let mut at = dot;
        while let Some(name) = at.checked_sub(1).and_then(|n| self.list.get(n)) {
            if name.kind != Lexis::Name || chain.len() == NAMES_IN_A_ROW {
                return Vec::new();
            }
            chain.push(name.text(self.text));
            match at.checked_sub(2).map(|n| self.said(n)) {
                Some("." | "?.") => at -= 2,
                _ => break,
            }
        }
        chain.reverse();
        chain
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

/// The libraries a script imports, each by the name it has there.
pub fn imports(text: &str) -> Vec<(String, String)> {
    let one = |line: &str| {
        let quoted = line.trim().strip_prefix("import")?.trim_start();
        let (library, rest) = quoted.strip_prefix('"')?.split_once('"')?;
        let alias = rest.trim().strip_prefix("as")?.split(';').next()?;
        Some((alias.trim().to_string(), library.to_string()))
    };
    text.lines().filter_map(one).collect()
}

/// Looks through one script. `library` is its name if games share it.
pub fn read(file: &Arc<File>, parts: &LoudParts<'_>, library: &str, seen: &mut Seen<'_>) {
    let details = details(parts);
    let mut imports: HashMap<String, String> = HashMap::new();
    for (alias, library) in self::imports(&file.text) {
        imports.entry(alias).or_insert(library);
    }
    let mut open: Vec<Frame> = Vec::new();
    for (at, part) in parts.list.iter().enumerate() {
        let said = parts.said(at);
        let here = || place_in(file, part.span.clone());
        match part.kind {
            Lexis::Name if parts.before(at) == "fn" => {
                seen.define(Sort::Function, library, said, here());
            }
            Lexis::Name if parts.said(at + 1) == "(" => {
                let imported = imports.get(parts.said(at.saturating_sub(2)));
                let wants = match (parts.before(at), imported) {
                    ("::", Some(library)) => Wants::Of(Sort::Function, library.clone()),
                    _ => called(library),
                };
                seen.mention(wants, said, here());
            }
            Lexis::Name => {
                if let Some((wants, id)) = name(parts, at, &open, &details) {
                    seen.mention(wants, &id, here());
                }
            }
            Lexis::Text if parts.said(at + 1) != ":" => {
                if let Some(id) = said.strip_prefix('"').and_then(|t| t.strip_suffix('"')) {
                    let span = part.span.start + 1..part.span.end - 1;
                    let wants = mentioned(text(parts, at, &open), library);
                    seen.mention(wants, id, place_in(file, span));
                }
            }
            _ => {}
        }
        parts.follow(at, &mut open);
    }
}

/// What a text is taken for where it is written already: rather for more than for less.
fn mentioned(wants: Wants, library: &str) -> Wants {
    match wants {
        // What a library calls by its name is its own.
        Wants::Sorts(sorts) if sorts == [Sort::Function] && !library.is_empty() => called(library),
        // Rules may call something else of theirs an action.
        Wants::Sorts(sorts) if sorts == [Sort::Action] => {
            Wants::Sorts(sorts.into_iter().chain(HELD.iter().copied()).collect())
        }
        wants => wants,
    }
}

/// What a call means that names no library: a function of the same scripts, or one every game has.
fn called(library: &str) -> Wants {
    Wants::Owned(vec![Sort::Function, Sort::Verb], vec![library.to_string()])
}

/// What a name may mean where it stands. Variables mean nothing here.
fn name(
    parts: &LoudParts<'_>,
    at: usize,
    open: &[Frame],
    details: &HashSet<&str>,
) -> Option<(Wants, String)> {
    let id = parts.said(at).to_string();
    let before = parts.before(at);
    if matches!(before, "." | "?.") {
        let wants = match property(&parts.chain(at - 1)) {
            Wants::Sorts(mut sorts) => {
                // A number for each word, and keys of tables that rules have taken in hand.
                sorts.extend(KEYS);
                Wants::Sorts(sorts)
            }
            wants => wants,
        };
        return Some((wants, chained(parts, at, id)));
    }
    // A key of a map, which rules may take for what it is called; in the details of a line it is a brace of the text.
    let [around @ .., last] = open else {
        return capital(id);
    };
    if last.is_map && parts.said(at + 1) == ":" && matches!(before, "#{" | ",") {
        let map = parts.index(last.from);
        let kept = parts.before(map) == "=" && map > 1 && details.contains(parts.said(map - 2));
        if kept || around.last().is_some_and(is_details) {
            return None;
        }
        let sorts = [Sort::Attribute, Sort::Zone, Sort::Field]
            .into_iter()
            .chain(KEYS);
        return Some((Wants::Sorts(sorts.collect()), id));
    }
    capital(id)
}

/// Parameters and tables are constants.
fn capital(id: String) -> Option<(Wants, String)> {
    let wants = Wants::Sorts(vec![Sort::Parameter, Sort::Value]);
    is_constant(&id).then(|| (wants, id.to_lowercase()))
}

/// The variables that a call takes the details of a text from.
fn details<'t>(parts: &LoudParts<'t>) -> HashSet<&'t str> {
    let mut found = HashSet::new();
    let mut open: Vec<Frame> = Vec::new();
    for (at, part) in parts.list.iter().enumerate() {
        let is_whole = parts.before(at) == "," && matches!(parts.said(at + 1), "," | ")");
        if part.kind == Lexis::Name && is_whole && open.last().is_some_and(is_details) {
            found.insert(parts.said(at));
        }
        parts.follow(at, &mut open);
    }
    found
}

/// Whether a call takes the details of a text here.
pub fn is_details(frame: &Frame) -> bool {
    let callee = frame.callee.as_deref().unwrap_or_default();
    let forms = verbs::all().into_iter().filter(|verb| verb.name == callee);
    let all = |verb: &'static Verb| verb.params.iter().chain(verb.optional);
    let mut here = forms.filter_map(|verb| all(verb).nth(frame.parameter()));
    here.any(|(name, _)| *name == "details")
}

/// What keys of maps are called by, besides what players, spaces and cards have.
pub const KEYS: [Sort; 6] = [
    Sort::Word,
    Sort::Action,
    Sort::Card,
    Sort::Space,
    Sort::Area,
    Sort::Section,
];

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
            vec!["game".into()],
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
    let anything = || Wants::Sorts(IN_TEXTS.to_vec());
    if matches!(parts.before(at), "==" | "!=" | "=") {
        return compared(parts, at).map_or_else(anything, held);
    }
    let Some(frame) = open.last() else {
        return anything();
    };
    if let Some(callee) = &frame.callee {
        let of_the_game = || Wants::Given(callee.clone(), frame.parameter());
        return given(callee, frame.parameter()).unwrap_or_else(of_the_game);
    }
    match matches!(parts.before(at), "{" | "," | "|" | "}") {
        true => switched(parts, frame).map_or_else(anything, held),
        false => anything(),
    }
}

/// The property that a text is compared with or put into: `site.industry = "`.
fn compared<'t>(parts: &LoudParts<'t>, at: usize) -> Option<&'t str> {
    let is_compared = matches!(parts.before(at), "==" | "!=" | "=");
    let is_property = at >= 3 && matches!(parts.said(at - 3), "." | "?.");
    (is_compared && is_property).then(|| parts.said(at - 2))
}

/// The property whose value a text is where it stands.
pub fn property_of<'t>(parts: &LoudParts<'t>, at: usize, open: &[Frame]) -> Option<&'t str> {
    let of_cases = || {
        let frame = open.last().filter(|frame| frame.callee.is_none())?;
        let is_case = matches!(parts.before(at), "{" | "," | "|" | "}");
        switched(parts, frame).filter(|_| is_case)
    };
    compared(parts, at).or_else(of_cases)
}

/// What a property of this name may hold.
fn held(property: &str) -> Wants {
    Wants::Sorts(match property {
        "action" => vec![Sort::Action],
        _ => HELD.to_vec(),
    })
}

/// The property whose cases stand in a bracket: `switch order.action {`.
fn switched<'t>(parts: &LoudParts<'t>, frame: &Frame) -> Option<&'t str> {
    let brace = parts.index(frame.from);
    let is_property = matches!(parts.said(brace.checked_sub(2)?), "." | "?.");
    let inside = (0..brace).rev().take(LOOKED_BACK).map(|n| parts.said(n));
    let mut before = inside.skip_while(|said| !matches!(*said, "switch" | ";" | "{" | "}"));
    (is_property && before.next() == Some("switch")).then(|| parts.said(brace - 1))
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
                    let both = [&*known, &wants].map(is_attribute) == [true; 2];
                    *known = match both {
                        true => Wants::Sorts(vec![Sort::Attribute]),
                        false => Wants::Sorts(IN_TEXTS.to_vec()),
                    };
                }
            }
        }
        named
    });
    let mut found = named.iter();
    let found = found.find(|((name, index), _)| *name == callee && *index == parameter)?;
    Some(found.1.clone())
}

/// Whether attributes are wanted, of whomever.
fn is_attribute(wants: &Wants) -> bool {
    match wants {
        Wants::Of(sort, _) => *sort == Sort::Attribute,
        Wants::Sorts(sorts) => *sorts == [Sort::Attribute],
        _ => false,
    }
}

fn wants(of: Domain) -> Wants {
    let one = |sort: Sort| Wants::Sorts(vec![sort]);
    match of {
        domain::SPACE_ATTRIBUTE => Wants::Of(Sort::Attribute, "space".into()),
        domain::PIECE_ATTRIBUTE => Wants::Of(Sort::Attribute, "piece".into()),
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
