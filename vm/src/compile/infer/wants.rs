//! Names that go through a function of one's own: `holds(p, "war_economy")`, where `holds` looks for a card of that name. What a
//! parameter is used as inside is asked of the words that calls give it.

use super::ty::Ty;
use super::{Found, Infer, Variable};
use crate::diagnostic::{Code, Pos, did_you_mean};
use crate::host::{Host, Param, Type};
use crate::tree::{Case, Closure, Expr, ExprKind, Name, Switch};
use foldhash::fast::RandomState;
use std::collections::{BTreeSet, HashMap};

/// A parameter of a function, or the members of the list it is.
type Key = (usize, usize, bool);

/// A parameter that stands on the left of a method, and where.
pub(super) type Left = (Key, Pos);

/// What a parameter is used as.
#[derive(Debug, Clone, Default)]
struct Uses {
    /// Where it is used, and where it is known as what.
    seen: BTreeSet<Pos>,
    explained: BTreeSet<Pos>,
    /// The sets of names it must be of.
    domains: BTreeSet<u16>,
    /// Texts it is compared with.
    texts: BTreeSet<Name>,
    /// It is compared with names and with other texts: it may be either.
    mixed: bool,
}

#[derive(Default)]
pub(super) struct Wants {
    uses: HashMap<Key, Uses, RandomState>,
    /// Variables that are parameters.
    origins: HashMap<Variable, Key, RandomState>,
    /// Parameters that are handed on to other functions' parameters.
    links: HashMap<(Key, Pos), Key, RandomState>,
}

impl Uses {
    /// Whether it is used in ways that say nothing of what it is.
    fn is_open(&self) -> bool {
        !self.seen.is_subset(&self.explained)
    }
}

impl Wants {
    pub fn parameter(&mut self, variable: Variable, n: usize) {
        let key = (variable.0, n, false);
        self.origins.insert(variable, key);
    }

    fn known(&mut self, key: Key, at: Pos) -> &mut Uses {
        let uses = self.uses.entry(key).or_default();
        uses.explained.insert(at);
        uses
    }

    /// What a parameter is handed on to be is what it must be.
    pub fn hand_on(&mut self) {
        for _ in 0..=self.links.len() {
            let mut changed = false;
            for ((from, at), to) in &self.links {
                let Some(wanted) = self.uses.get(to).filter(|uses| !uses.domains.is_empty()) else {
                    continue;
                };
                let wanted = wanted.clone();
                let uses = self.uses.entry(*from).or_default();
                let before = (uses.domains.len(), uses.texts.len());
                uses.domains.extend(wanted.domains.iter().copied());
                uses.texts.extend(wanted.texts.iter().cloned());
                uses.mixed |= wanted.mixed;
                if !wanted.is_open() {
                    uses.explained.insert(*at);
                }
                changed |= before != (uses.domains.len(), uses.texts.len());
            }
            if !changed {
                break;
            }
        }
    }
}

fn takes_texts(types: &[Type]) -> bool {
    types.contains(&Type::Str) || types.contains(&Type::Any)
}

impl<H: Host> Infer<'_, '_, H> {
    /// The parameter that an expression is, if it is one.
    fn origin(&self, e: &Expr) -> Option<Key> {
        let ExprKind::Var(name) = &e.kind else {
            return None;
        };
        self.wants.origins.get(self.variable(name)?).copied()
    }

    /// A variable stands somewhere.
    pub(super) fn stands(&mut self, e: &Expr) {
        if let Some(key) = self.origin(e) {
            let uses = self.wants.uses.entry(key).or_default();
            uses.seen.insert(e.pos);
        }
    }

    /// A variable is a parameter under another name, or one of its members.
    pub(super) fn another_name(&mut self, of: &Expr, variable: Variable, member: bool) {
        if let Some((function, n, inside)) = self.origin(of)
            && !(inside && member)
        {
            self.wants.known((function, n, inside), of.pos);
            let key = (function, n, inside || member);
            self.wants.origins.insert(variable, key);
        }
    }

    /// `names.some(|name| ..)`: the closure is given the members of what stands on the left.
    pub(super) fn goes_through(&mut self, left: Option<Left>, closure: &Closure, pos: Pos) {
        if let (Some(((function, n, false), at)), Some(first)) = (left, closure.params.first()) {
            self.wants.known((function, n, false), at);
            let variable = (self.function, pos, first.clone());
            self.wants.origins.insert(variable, (function, n, true));
        }
    }

    /// What stands on the left of a method, if it is a parameter.
    pub(super) fn left_of_method(&self, e: &Expr) -> Option<Left> {
        self.origin(e).map(|key| (key, e.pos))
    }

    /// A parameter is compared.
    pub(super) fn equals(&mut self, a: &Expr, a_is: &Ty, b: &Expr, b_is: &Ty) {
        for ((one, other), is) in [((a, b), b_is), ((b, a), a_is)] {
            let Some(key) = self.origin(one) else {
                continue;
            };
            match &other.kind {
                ExprKind::Str(text) => {
                    let text = text.clone();
                    self.wants.known(key, one.pos).texts.insert(text);
                }
                ExprKind::Unit => {
                    self.wants.known(key, one.pos);
                }
                _ => self.is_one_of(key, one.pos, is),
            }
        }
    }

    /// A parameter is one of the names that another value is one of.
    fn is_one_of(&mut self, key: Key, at: Pos, other: &Ty) {
        let Some(words) = &other.words else { return };
        if words.domains.is_empty() {
            return;
        }
        let (domains, texts) = (words.domains.clone(), words.texts.clone());
        let names = |text: &Name| {
            let mut domains = domains.iter().map(|n| self.domain(*n));
            domains.any(|d| d.names.iter().any(|(name, _)| **name == **text))
        };
        let mixed = !texts.iter().all(names);
        let uses = self.wants.known(key, at);
        uses.mixed |= mixed;
        uses.domains.extend(domains);
        uses.texts.extend(texts);
    }

    /// `item in list`, where one of them is a parameter.
    pub(super) fn is_among(&mut self, item: &Expr, item_is: &Ty, list: &Expr, list_is: &Ty) {
        if let Some(key) = self.origin(item) {
            let member = self.member(list_is);
            match &member.words {
                Some(words) if words.domains.is_empty() => {
                    let texts = words.texts.clone();
                    self.wants.known(key, item.pos).texts.extend(texts);
                }
                _ => self.is_one_of(key, item.pos, &member),
            }
        }
        if let Some((function, n, false)) = self.origin(list) {
            let words = item_is.words.as_ref();
            if words.is_some_and(|words| !words.domains.is_empty()) {
                self.wants.known((function, n, false), list.pos);
                self.is_one_of((function, n, true), list.pos, item_is);
            }
        }
    }

    /// A `switch` over a parameter.
    pub(super) fn switched(&mut self, switch: &Switch) {
        let Some(key) = self.origin(&switch.item) else {
            return;
        };
        let cases = switch.arms.iter().flat_map(|arm| &arm.cases);
        let texts: Vec<Name> = cases
            .filter_map(|(case, _)| match case {
                Case::Str(text) => Some(text.clone()),
                _ => None,
            })
            .collect();
        if !texts.is_empty() {
            let uses = self.wants.known(key, switch.item.pos);
            uses.texts.extend(texts);
        }
    }

    /// A parameter where the host expects a name; and words that reach such a place by another way than a parameter.
    pub(super) fn named_for_host(
        &mut self,
        fitting: &[usize],
        method: bool,
        args: &[Expr],
        types: &[Ty],
    ) {
        for (n, e) in args.iter().enumerate() {
            let at = n + method as usize;
            let interface = self.c.interface;
            let params = fitting
                .iter()
                .map(|i| interface.functions[*i].params.get(at));
            let mut domains = BTreeSet::new();
            let mut only_names = true;
            for param in params {
                match param {
                    Some((_, Param::Name(domain))) => {
                        domains.insert(domain.0);
                    }
                    Some((_, Param::NameOr(domain, other))) if !takes_texts(other) => {
                        domains.insert(domain.0);
                    }
                    // What takes no text says nothing of words.
                    Some((_, Param::Of(types))) if !takes_texts(types) => {}
                    _ => only_names = false,
                }
            }
            if domains.is_empty() || !only_names {
                continue;
            }
            if let Some(key) = self.origin(e) {
                self.wants.known(key, e.pos).domains.extend(domains);
            } else if !matches!(e.kind, ExprKind::Str(_)) {
                let uses = Uses {
                    domains,
                    ..Uses::default()
                };
                self.reaches(&uses, e, &types[at]);
            }
        }
    }

    /// A call of a function of the scripts: parameters that are handed on, and words that are checked.
    pub(super) fn hands_over(&mut self, id: usize, method: bool, args: &[Expr], types: &[Ty]) {
        let arity = self.c.declared[id].arity;
        // A receiver that the function does not take is `this`.
        let skipped = method as usize * types.len().saturating_sub(arity).min(1);
        for (n, e) in args.iter().enumerate() {
            let at = n + method as usize - skipped;
            if at >= arity {
                continue;
            }
            if let Some((function, own, member)) = self.origin(e) {
                let from = (function, own, member);
                let to = (id, at, false);
                self.wants.links.insert((from, e.pos), to);
                continue;
            }
            if !self.telling {
                continue;
            }
            let is = types.get(n + method as usize).cloned().unwrap_or(Ty::ANY);
            if let Some(uses) = self.wants.uses.get(&(id, at, false)).cloned() {
                self.reaches(&uses, e, &is);
            }
            if let (Some(uses), ExprKind::Array(items)) =
                (self.wants.uses.get(&(id, at, true)).cloned(), &e.kind)
            {
                for item in items {
                    let is = self.quietly(item);
                    self.reaches(&uses, item, &is);
                }
            }
        }
    }

    /// Tells of words that are none of the names they are used as; an empty text stands for none.
    fn reaches(&mut self, uses: &Uses, e: &Expr, is: &Ty) {
        if !self.telling || uses.mixed || uses.domains.is_empty() || !is.is(Type::Str) {
            return;
        }
        let words = is.words.as_ref().filter(|words| words.domains.is_empty());
        let Some(words) = words else { return };
        let domains = || {
            let numbers = uses.domains.iter();
            numbers.map(|n| self.domain(*n))
        };
        let known = || domains().flat_map(|d| d.names.iter().map(|(name, _)| name.as_str()));
        let mut wrong = Vec::new();
        for text in words
            .texts
            .iter()
            .filter(|text| !text.is_empty() && !uses.texts.contains(*text))
        {
            if known().any(|name| *name == **text) {
                continue;
            }
            let help = did_you_mean(text, known());
            if uses.is_open() && help.is_none() {
                continue;
            }
            let whats: Vec<&str> = domains().map(|domain| domain.what.as_str()).collect();
            let of = whats.join(" or ");
            wrong.push(Found {
                file: self.files[self.read].file,
                pos: e.pos,
                code: Code::UnknownName,
                message: format!("unknown {of} `{text}`"),
                help,
                name: Some(text.clone()),
                of: Some(of),
                may_be_meant: uses.is_open(),
            });
        }
        self.found.append(&mut wrong);
    }
}
