//! What an author is told: comparisons that can never be true, words that do not exist, results thrown away, names that hide others.

use super::calls::Callee;
use super::ty::{TYPE_NAMES, Ty, Words};
use super::{Infer, Taken};
use crate::diagnostic::{Code, Pos, did_you_mean};
use crate::host::{DomainDecl, Host, Type, TypeId};
use crate::library;
use crate::tree::{
    self, BinOp, Case, Closure, Expr, ExprKind, Name, Step, StepKind, StmtKind, Switch,
};
use std::collections::BTreeSet;

/// So many words of a set are named where two sets are compared.
const FEW_WORDS: usize = 4;

impl<H: Host> Infer<'_, '_, H> {
    /// Two sides of a comparison.
    pub(super) fn compared(&mut self, op: BinOp, a: (&Expr, &Ty), b: (&Expr, &Ty), pos: Pos) {
        if !self.telling {
            return;
        }
        if !self.could_meet(a.1, b.1, op.is_order()) {
            let (x, y) = (self.described(a.1), self.described(b.1));
            let message = match op.is_order() {
                true => format!("{x} is neither more nor less than {y}"),
                false => format!("{x} is never equal to {y}"),
            };
            let help = self.meant(a.1, b.1).or_else(|| self.meant(b.1, a.1));
            self.tell(Code::TypeMismatch, pos, message, help.map(Into::into));
            return;
        }
        if op.is_equality() {
            if !self.never_that_text(a, b) {
                self.same_words(a, b);
                self.no_word_of_both(a.1, b.1, pos);
            }
        } else {
            self.in_order_of(a.1, b.1, pos);
        }
        let unit = |ty: &Ty| ty.is_only(Type::Unit);
        match (unit(a.1), unit(b.1)) {
            (true, _) => self.never_nothing(b.1, pos),
            (_, true) => self.never_nothing(a.1, pos),
            _ => {}
        }
    }

    /// What is there whatever happens is not `()`.
    fn never_nothing(&mut self, ty: &Ty, pos: Pos) {
        if !ty.sure || ty.may_be(Type::Unit) {
            return;
        }
        let message = format!("{} is never ()", self.described(ty));
        let help = match ty {
            ty if ty.is(Type::Int) => "compare it with a number, as `0`",
            ty if ty.is(Type::Bool) => "it is true or false",
            ty if ty.is(Type::Map) => "compare what stands in it under one of its keys",
            ty if self.is_always_there(ty) || self.is_place(ty) => "ask whether it `.is_empty()`",
            _ => "who leaves off gives the word itself: compare with that",
        };
        self.tell(Code::TypeMismatch, pos, message, Some(help.into()));
    }

    /// `choose_or(.., "stop") == "stop"`: what is given for that text is `()`.
    fn never_that_text(&mut self, a: (&Expr, &Ty), b: (&Expr, &Ty)) -> bool {
        for (one, other) in [(a, b), (b, a)] {
            if let (Some(text), Some(never)) = (only_text(one.1), &other.1.never)
                && text == *never
            {
                self.never_given(&text, other.1.note, one.0.pos);
                return true;
            }
        }
        false
    }

    fn never_given(&mut self, text: &Name, note: Option<&'static str>, pos: Pos) {
        let message = format!("this is never `{text}`");
        self.tell(Code::TypeMismatch, pos, message, note.map(Into::into));
    }

    /// Two sets of words that have none in common: only where both are `()` they are equal, which is seldom what was meant.
    fn no_word_of_both(&mut self, a: &Ty, b: &Ty, pos: Pos) {
        let (Some(x), Some(y)) = (&a.words, &b.words) else {
            return;
        };
        let is_open = |words: &Words| {
            let mut domains = words.domains.iter().map(|n| self.domain(*n));
            words.domains.is_empty() || domains.any(|domain| domain.open)
        };
        if is_open(x) || is_open(y) {
            return;
        }
        let (names, others) = (self.names(x), self.names(y));
        if names.is_empty() || others.is_empty() || !names.is_disjoint(&others) {
            return;
        }
        let few = |names: &BTreeSet<&str>| {
            let some = names.iter().take(FEW_WORDS);
            let mut list: Vec<String> = some.map(|name| format!("`{name}`")).collect();
            if names.len() > FEW_WORDS {
                list.push("..".to_string());
            }
            list.join(", ")
        };
        let help = format!(
            "the one is {}, the other {}: where both are (), ask for that",
            few(&names),
            few(&others)
        );
        let message = "no word is one of both sides".to_string();
        self.warn(Code::TypeMismatch, pos, message, help);
    }

    /// Players, spaces and pieces have an order, that of seats and of files, which is seldom what was meant: `if p > q`.
    fn in_order_of(&mut self, a: &Ty, b: &Ty, pos: Pos) {
        let of_host = |ty: &Ty| {
            let types = ty.some().types(self.c.interface);
            let found = types.iter().find_map(|ty| match ty {
                Type::Host(TypeId(n)) => Some(self.c.interface.types[*n as usize].name.clone()),
                _ => None,
            });
            found.filter(|_| types.len() == 1)
        };
        let (Some(x), Some(_)) = (of_host(a), of_host(b)) else {
            return;
        };
        // Words are in the order of the alphabet, as texts are.
        if x == "word" {
            return;
        }
        let message = format!("this asks which {x} comes first, not which has more of something");
        let help = "compare what they have: `a.coins > b.coins`";
        self.warn(Code::TypeMismatch, pos, message, help.to_string());
    }

    /// What `for` goes through: not one thing, as a space or a number.
    pub(super) fn has_members(&mut self, list: &Ty, pos: Pos) {
        if !self.telling || list.is_unknown() {
            return;
        }
        let types = list.some().types(self.c.interface);
        let single = |ty: &Type| match ty {
            Type::Host(TypeId(n)) => self.c.interface.types[*n as usize].member == Type::Any,
            Type::Int | Type::Bool | Type::Char | Type::Fn => true,
            _ => false,
        };
        if types.is_empty() || !types.iter().all(single) {
            return;
        }
        let help = match types[..] {
            [Type::Int] => "so many times: `for i in 0..n`",
            _ => "go through a list, a set or a zone",
        };
        let message = format!("`for` cannot go through {}", self.described(list));
        self.tell(Code::TypeMismatch, pos, message, Some(help.into()));
    }

    /// `p.coins = "three"`: a property can be set, and holds what it is given.
    pub(super) fn kept_in(&mut self, root: &Expr, steps: &[Step], op: Option<BinOp>, new: &Ty) {
        let Some((last, way)) = steps.split_last().filter(|_| self.telling) else {
            return;
        };
        let StepKind::Property(name) = &last.kind else {
            return;
        };
        let on = self.quietly_chain(root, way);
        let [Type::Host(id)] = on.types(self.c.interface)[..] else {
            return;
        };
        let Some(declared) = self.c.tables.property_on(id, name) else {
            return;
        };
        if !declared.access.is_writable() {
            let whose = self.c.tables.type_name(Type::Host(id));
            let message = format!("property `{name}` of {whose} cannot be set");
            self.tell_of(Some(name.clone()), Code::ReadOnly, last.pos, message, None);
            return;
        }
        let key = (id, name.to_string());
        let Some(holds) = self.meaning.properties.get(&key).map(Ty::known) else {
            return;
        };
        if op.is_some() || holds.is_unknown() || new.is_unknown() {
            return;
        }
        let emptied = new.is_only(Type::Unit) && self.is_always_there(&holds);
        if emptied || !self.could_meet(&holds, new, false) {
            let found = match emptied {
                true => "()".to_string(),
                false => self.described(new),
            };
            let message = format!("`{name}` holds {}, never {found}", self.described(&holds));
            let name = Some(name.clone());
            self.tell_of(name, Code::TypeMismatch, last.pos, message, None);
            return;
        }
        let texts = new.words.as_ref().filter(|words| words.domains.is_empty());
        let texts = texts.filter(|_| new.is(Type::Str));
        for text in texts.into_iter().flat_map(|words| words.texts.clone()) {
            self.is_word(&text, &holds, last.pos, false);
        }
    }

    /// `item in list`
    pub(super) fn is_member(&mut self, item: &Expr, item_ty: &Ty, list: &Ty, pos: Pos) {
        if !self.telling || list.is_unknown() {
            return;
        }
        if list.is(Type::Map) {
            self.nearly_a_key(item, item_ty, list);
        }
        // A text lies in texts and names keys of maps.
        if list.may_be(Type::Str) || list.may_be(Type::Map) {
            return;
        }
        let member = self.member(list);
        if !self.could_meet(item_ty, &member, false) {
            let (x, y) = (self.described(item_ty), self.plural(list, &member));
            let help = self
                .meant(&member, item_ty)
                .map(|help| format!("ask each of them: `.some(|one| ..)`; {help}"));
            let message = format!("{x} is never in {y}");
            self.tell(Code::TypeMismatch, pos, message, help.map(Into::into));
            return;
        }
        if self.never_that_text((item, item_ty), (item, &member)) {
            return;
        }
        self.same_words((item, item_ty), (item, &member));
        self.no_word_of_both(item_ty, &member, pos);
        self.nearly_listed(item, item_ty, &member);
    }

    /// `"rode" in COST`: a key that the table does not have, but nearly.
    fn nearly_a_key(&mut self, item: &Expr, ty: &Ty, map: &Ty) {
        let (Some(text), Some(fields)) = (only_text(ty), &map.fields) else {
            return;
        };
        if fields.contains_key(&text) {
            return;
        }
        let near = did_you_mean(&text, fields.keys().map(|key| &**key));
        if near.is_some() {
            let message = format!("`{text}` is no key of this table");
            let name = Some(text);
            self.tell_of(name, Code::UnknownName, item.pos, message, near);
        }
    }

    /// `"agry" in MOODS`: a text that is none of those written down there, but nearly.
    fn nearly_listed(&mut self, item: &Expr, ty: &Ty, member: &Ty) {
        let (Some(text), Some(listed)) = (only_text(ty), &member.words) else {
            return;
        };
        if !listed.domains.is_empty() || !member.is(Type::Str) || listed.texts.contains(&text) {
            return;
        }
        let near = did_you_mean(&text, listed.texts.iter().map(|text| &**text));
        if near.is_some() {
            let message = format!("`{text}` is not in this list");
            let name = Some(text);
            self.tell_of(name, Code::UnknownName, item.pos, message, near);
        }
    }

    /// The cases of a `switch`.
    pub(super) fn cases(&mut self, switch: &Switch, item: &Ty) {
        if !self.telling || item.is_unknown() {
            return;
        }
        for (case, pos) in switch.arms.iter().flat_map(|arm| &arm.cases) {
            let ty = match case {
                Case::Unit => {
                    self.never_nothing(item, *pos);
                    continue;
                }
                Case::Bool(_) => Ty::of(Type::Bool),
                Case::Int(_) => Ty::of(Type::Int),
                Case::Char(_) => Ty::of(Type::Char),
                Case::Str(text) => Ty::text(text),
                Case::Range { .. } => Ty::of(Type::Int).join(&Ty::of(Type::Range)),
            };
            if !self.could_meet(item, &ty, false) {
                let (x, y) = (self.described(item), self.described(&ty));
                let help = self.meant(item, &ty);
                self.tell(
                    Code::TypeMismatch,
                    *pos,
                    format!("{x} is never equal to {y}"),
                    help.map(Into::into),
                );
            } else if let Case::Str(text) = case {
                match &item.never {
                    Some(never) if never == text => self.never_given(text, item.note, *pos),
                    _ => drop(self.word_exists(text, item, *pos)),
                }
            }
        }
    }

    /// Whether two values may be equal (or, `ordered`, have an order), `()` aside.
    fn could_meet(&self, a: &Ty, b: &Ty, ordered: bool) -> bool {
        let (a, b) = (a.some(), b.some());
        if a.is_unknown() || b.is_unknown() {
            return true;
        }
        let (x, y) = (a.types(self.c.interface), b.types(self.c.interface));
        let alike = |p: Type, q: Type| {
            let pairs = [(Type::Char, Type::Str)];
            let mut pairs = pairs.iter().chain(&self.meaning.alike);
            p == q || !ordered && pairs.any(|pair| *pair == (p, q) || *pair == (q, p))
        };
        x.iter().any(|p| y.iter().any(|q| alike(*p, *q)))
    }

    /// Two sides that are words: some word must be both.
    fn same_words(&mut self, a: (&Expr, &Ty), b: (&Expr, &Ty)) {
        for (one, other) in [(a, b), (b, a)] {
            let Some(words) = &one.1.words else { continue };
            if !words.domains.is_empty() {
                continue;
            }
            if !one.1.is(Type::Str) {
                continue;
            }
            let texts: Vec<Name> = words.texts.iter().cloned().collect();
            // Among several one may stand for none of them, as "nobody": only what is nearly a word is a slip.
            let several = texts.len() > 1;
            for text in &texts {
                if self.is_word(text, other.1, one.0.pos, several) && !several {
                    return;
                }
            }
        }
    }

    fn word_exists(&mut self, text: &Name, of: &Ty, pos: Pos) -> bool {
        self.is_word(text, of, pos, false)
    }

    /// Tells that no value of a type is this text, if so; or, if it may be meant, only where it is nearly one.
    pub(super) fn is_word(&mut self, text: &Name, of: &Ty, pos: Pos, meant: bool) -> bool {
        let Some(words) = of.words.as_ref().filter(|words| !words.domains.is_empty()) else {
            return false;
        };
        let known = self.names(words);
        if known.contains(&**text) {
            return false;
        }
        let whats: Vec<&str> = words
            .domains
            .iter()
            .map(|n| self.domain(*n).what.as_str())
            .collect();
        let near = did_you_mean(text, known.iter().copied());
        let mut domains = words.domains.iter();
        let open = domains.any(|n| self.domain(*n).open);
        if (open || meant) && near.is_none() {
            return false;
        }
        let help = near.or_else(|| {
            let list: Vec<String> = known.iter().map(|n| format!("`{n}`")).collect();
            let few = (1..=8).contains(&list.len()) || words.domains.contains(&TYPE_NAMES);
            few.then(|| format!("it is one of {}", list.join(", ")).into())
        });
        let of = whats.join(" or ");
        self.tell_unknown(text, of, pos, help);
        true
    }

    /// What belongs to a number: names of the host, or of types.
    pub(super) fn domain(&self, number: u16) -> &DomainDecl<H> {
        let domains = &self.c.interface.domains;
        domains.get(number as usize).unwrap_or(&self.type_names)
    }

    fn names<'s>(&'s self, words: &'s Words) -> BTreeSet<&'s str> {
        let domains = words.domains.iter().map(|n| self.domain(*n));
        let names = domains.flat_map(|d| d.names.iter().map(|(name, _)| name.as_str()));
        names.chain(words.texts.iter().map(|t| &**t)).collect()
    }

    /// What would be right: a property that can be compared with the other side, or a member.
    fn meant(&self, ty: &Ty, other: &Ty) -> Option<String> {
        if let Some(note) = ty.note {
            return Some(note.to_string());
        }
        let types = ty.types(self.c.interface);
        let [Type::Host(id)] = types[..] else {
            return None;
        };
        let mut hints = self.meaning.hints.iter();
        let hint = hints.find(|(a, b, _)| *a == types[0] && other.is(*b));
        if let Some((_, _, hint)) = hint {
            return Some(hint.to_string());
        }
        let properties = self.c.interface.properties.iter().filter(|p| p.on == id);
        let mut fitting: Vec<(&str, Ty)> = properties
            .map(|p| (p.name.as_str(), self.property(ty, &Name::from(&*p.name))))
            .filter(|(_, found)| !found.is_unknown() && self.could_meet(found, other, false))
            .collect();
        // If a text is written down, the property that knows it.
        if let Some(text) = other.words.as_ref().and_then(|w| w.texts.first()) {
            let knows = |found: &Ty| {
                let words = found.words.as_ref();
                words.is_some_and(|words| self.names(words).contains(&**text))
            };
            if fitting.iter().any(|(_, found)| knows(found)) {
                fitting.retain(|(_, found)| knows(found));
            }
        }
        if let Some((name, _)) = fitting.first() {
            return Some(format!("compare its `{name}`: `.{name}`"));
        }
        let member = self.member(ty);
        let inside = !member.is_unknown() && self.could_meet(&member, other, false);
        inside.then(|| "ask for one of them, `[0]`, or whether it is among them, `in`".to_string())
    }

    /// A type in words.
    pub(super) fn described(&self, ty: &Ty) -> String {
        let types = ty.some().types(self.c.interface);
        let words: Vec<String> = types.iter().map(|ty| self.one(*ty)).collect();
        words.join(" or ")
    }

    fn one(&self, ty: Type) -> String {
        let name = match ty {
            Type::Bool => return "true or false".into(),
            Type::Int => "number",
            Type::Char => "character",
            Type::Str => "text",
            Type::Array => "array",
            Type::Host(TypeId(n)) => &self.c.interface.types[n as usize].name,
            Type::Fn => "function",
            other => self.c.tables.type_name(other),
        };
        match name {
            plural if plural.ends_with('s') || plural == "dice" => plural.to_string(),
            "game" => "the game".to_string(),
            vowel if vowel.starts_with(['a', 'e', 'i', 'o', 'u']) => format!("an {vowel}"),
            other => format!("a {other}"),
        }
    }

    fn plural(&self, list: &Ty, member: &Ty) -> String {
        let list = self.described(list);
        match self.described(member) {
            member if member.is_empty() => list,
            member => format!("{list}, of which each is {member}"),
        }
    }

    /// A call whose result is its only purpose.
    pub(super) fn thrown_away(&mut self, e: &Expr) {
        if !self.telling {
            return;
        }
        let (name, count, method, pos) = match &e.kind {
            ExprKind::Call {
                module: None,
                name,
                args,
            } => (name, args.len(), false, e.pos),
            ExprKind::Chain { steps, .. } => match steps.last().map(|s| (&s.kind, s.pos)) {
                Some((StepKind::Method { name, args }, pos)) => (name, args.len() + 1, true, pos),
                _ => return,
            },
            _ => return,
        };
        let instead = match self.callee(name, count, method) {
            Callee::Host(_) => format!("`{name}` changes nothing"),
            Callee::Prelude => match &**name {
                "sort" | "sort_by" | "retain" | "drain" | "dedup" | "for_each" | "split" => return,
                _ => format!("`{name}` gives a new value and changes nothing"),
            },
            // One that only works something out, whatever its last line is.
            Callee::Script(id) if !self.acts[id] && self.gives_a_value(id) => {
                format!("`{name}` changes nothing")
            }
            Callee::Intrinsic if matches!(&**name, "min" | "max" | "len" | "contains") => {
                format!("`{name}` changes nothing")
            }
            Callee::Library { changes: false, .. } if !matches!(&**name, "print" | "debug") => {
                format!("`{name}` gives a new value and changes nothing")
            }
            _ => return,
        };
        let message = format!("the result of `{name}` is not used");
        let help = format!("{instead}: write `let .. = ` before it, or remove it");
        self.tell(Code::UnusedValue, pos, message, Some(help.into()));
    }

    /// `choose(p, "ask", ["stop", "go"]);`: what somebody has to say among several words that are written down, and nobody listens to.
    pub(super) fn answer_dropped(&mut self, e: &Expr) {
        if !self.telling {
            return;
        }
        let (name, args, method, pos) = match &e.kind {
            ExprKind::Call {
                module: None,
                name,
                args,
            } => (name, args, false, e.pos),
            ExprKind::Chain { steps, .. } => match steps.last().map(|s| (&s.kind, s.pos)) {
                Some((StepKind::Method { name, args }, pos)) => (name, args, true, pos),
                _ => return,
            },
            _ => return,
        };
        let Callee::Host(all) = self.callee(name, args.len() + method as usize, method) else {
            return;
        };
        let gives_words = |i: &usize| {
            let meaning = self.meaning.functions.get(*i);
            meaning.is_some_and(|function| function.names.is_some())
        };
        let several = |e: &Expr| matches!(&e.kind, ExprKind::Array(items) if items.len() > 1);
        if all.iter().all(gives_words) && args.iter().any(several) {
            let message = format!("nobody asks what was answered: `{name}` gives it");
            let help = "write `let .. = ` before it, or ask nothing".to_string();
            self.warn(Code::UnusedValue, pos, message, help);
        }
    }

    /// Whether the last line of a function is a value, whoever takes it.
    fn gives_a_value(&self, id: usize) -> bool {
        let declared = &self.c.declared[id];
        let function = &self.files[declared.file].tree.functions[declared.index];
        match function.body.stmts.last().map(|stmt| &stmt.kind) {
            Some(StmtKind::Expr(e)) => is_value(e),
            _ => false,
        }
    }

    /// A comparison, a literal or what something has, of which nothing comes: `for t in hand { if t.id == "token" { true } }`.
    /// What a function gives though nobody asks is no slip, but for `q.coins == 2` where `=` was meant.
    pub(super) fn left_standing(&mut self, e: &Expr, taken: Taken) {
        let told = match &e.kind {
            ExprKind::Binary(op, ..) if taken == Taken::Offered => op.is_equality(),
            _ => taken != Taken::Offered && is_value(e),
        };
        if told {
            let message = "this value is not used".to_string();
            let help = "write `return` before it to give it back, or remove it";
            self.tell(Code::UnusedValue, e.pos, message, Some(help.into()));
        }
    }

    /// A change of something that nobody has: `[1, 2].reverse();`, `list.filter(..).sort();`
    pub(super) fn changed_in_vain(&mut self, e: &Expr) {
        let ExprKind::Chain { root, steps } = &e.kind else {
            return;
        };
        let Some((last, before)) = steps.split_last() else {
            return;
        };
        let StepKind::Method { name, args } = &last.kind else {
            return;
        };
        let changes = match self.callee(name, args.len() + 1, true) {
            Callee::Library { changes, .. } => changes,
            Callee::Prelude => matches!(
                &**name,
                "sort" | "sort_by" | "retain" | "drain" | "dedup" | "split"
            ),
            _ => false,
        };
        // A way of properties may lead to something of the host, which lasts.
        let is_made_here = match before.last().map(|step| &step.kind) {
            Some(StepKind::Method { .. }) => true,
            Some(_) => false,
            None => matches!(
                root.kind,
                ExprKind::Array(_) | ExprKind::Map(_) | ExprKind::Call { .. }
            ),
        };
        if changes && is_made_here {
            let message = format!("`{name}` changes a value that nobody keeps");
            let help = "give it a name first: `let list = ..;`, then the call";
            self.tell(Code::UnusedValue, last.pos, message, Some(help.into()));
        }
    }

    /// Variables of a block, from this depth of the scope on, that are given a value and never read.
    pub(super) fn looked_at_by_nobody(&mut self, depth: usize) {
        for n in depth..self.scope.len() {
            let (name, variable) = self.scope[n].clone();
            if name.starts_with('_') || self.looked_at.contains(&variable) {
                continue;
            }
            let outer = self.scope[..n].iter().any(|(other, _)| *other == name);
            let message = format!("nobody reads this `{name}`");
            let help = match outer {
                true => format!(
                    "`let` makes another variable, gone at the end of the block: to change the one before write `{name} = ..`"
                ),
                false => format!("remove it, or call it `_{name}` if that is meant"),
            };
            self.warn(Code::UnusedValue, variable.1, message, help);
        }
    }

    /// What is kept must be something: `let l = [3, 1].sort();` keeps nothing.
    pub(super) fn gives_something(&mut self, e: &Expr, ty: &Ty, given_back: bool) {
        if !self.telling || !ty.is_only(Type::Unit) {
            return;
        }
        let (name, count, method) = match &e.kind {
            ExprKind::Call {
                module: None,
                name,
                args,
            } => (name, args.len(), false),
            ExprKind::Chain { steps, .. } => match steps.last().map(|s| &s.kind) {
                Some(StepKind::Method { name, args }) => (name, args.len() + 1, true),
                _ => return,
            },
            _ => return,
        };
        let help = match self.callee(name, count, method) {
            Callee::Library { changes: true, .. } | Callee::Prelude => {
                "it changes the value it is called on: first `let list = ..;`, then the call alone"
            }
            // `return decline(p);` leaves off, and says in one line what is done last.
            Callee::Host(_) | Callee::Script(_) if !given_back => "call it alone",
            _ => return,
        };
        let message = format!("`{name}` gives nothing that could be kept");
        self.tell(Code::TypeMismatch, e.pos, message, Some(help.into()));
    }

    /// Methods of lists on something of the host that is none.
    pub(super) fn used_as_list(&mut self, name: &Name, types: &[Ty], pos: Pos) {
        let Some(first) = types.first() else { return };
        let meaning = self.meaning;
        for (id, method, instead) in &meaning.instead {
            if *method == &**name && first.is(Type::Host(*id)) {
                let one = self.one(Type::Host(*id));
                let message = format!("{one} is not a list: `{name}` does not change it");
                self.tell(
                    Code::TypeMismatch,
                    pos,
                    message,
                    Some(instead.clone().into()),
                );
            }
        }
    }

    /// `list.for_each(|q| q.coins += 1)`: what it gets is the number of the member.
    pub(super) fn takes_a_number(&mut self, closure: &Closure) {
        let [only] = &closure.params[..] else { return };
        let mut first: Option<Pos> = None;
        tree::walk_block(&closure.body, &mut |e| {
            if let ExprKind::Chain { root, steps } = &e.kind
                && matches!(&root.kind, ExprKind::Var(name) if name == only)
                && let Some(StepKind::Property(name)) = steps.first().map(|step| &step.kind)
                && library::property_type(Type::Int, name).is_none()
            {
                first = Some(first.map_or(e.pos, |known: Pos| known.min(e.pos)));
            }
        });
        if let Some(pos) = first {
            let message = format!(
                "`{only}` is the number of the member: `for_each` hands on that, and the member is `this`"
            );
            let help = format!("write `for {only} in .. {{ .. }}`");
            self.tell(Code::TypeMismatch, pos, message, Some(help.into()));
        }
    }

    /// Variables do not hide what the host calls by that name.
    pub(super) fn name_is_free(&mut self, name: &Name, pos: Pos) {
        let constants = &self.c.interface.constants;
        if self.telling && constants.iter().any(|c| c.name == **name) {
            let message = format!("a variable `{name}` would hide what is called so everywhere");
            let help = "choose another name".to_string();
            self.tell(Code::NameTaken, pos, message, Some(help.into()));
        }
    }
}

/// The one text it can be, written down somewhere.
pub(super) fn only_text(ty: &Ty) -> Option<Name> {
    let words = ty.words.as_ref().filter(|words| words.domains.is_empty())?;
    let mut texts = words.texts.iter();
    match (texts.next(), texts.next()) {
        (Some(only), None) if ty.is(Type::Str) => Some(only.clone()),
        _ => None,
    }
}

/// Whether an expression does nothing but say what something is.
fn is_value(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Binary(..) | ExprKind::Unary(..) | ExprKind::In { .. } => true,
        ExprKind::Bool(_) | ExprKind::Int(_) | ExprKind::Str(_) => true,
        ExprKind::Interpolated(_) | ExprKind::Array(_) | ExprKind::Map(_) => true,
        ExprKind::Chain { steps, .. } => {
            let last = steps.last().map(|s| &s.kind);
            matches!(last, Some(StepKind::Property(_) | StepKind::Index(_)))
        }
        _ => false,
    }
}
