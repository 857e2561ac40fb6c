//! Variables that hold a place of the host and not what lies there: `let before = game.pile` is the pile itself, also afterwards.

use super::Infer;
use super::calls::Callee;
use super::ty::Ty;
use crate::diagnostic::{Code, Pos};
use crate::host::{Host, Type, TypeId};
use crate::tree::{self, Block, Expr, ExprKind, Name, Step, StepKind, StmtKind};

/// A place that a map keeps under a key.
pub(super) struct KeptInMap {
    map: Name,
    key: Name,
    /// Where it is put there.
    pos: Pos,
    at: Pos,
    copy: String,
}

/// What happens to a variable that holds a place.
#[derive(Default)]
struct Uses {
    /// Where what lies there is read.
    read: Vec<Pos>,
    /// It is also handed on as a place, so that is what the author meant.
    as_place: bool,
    /// How often it is named.
    mentions: usize,
}

impl<H: Host> Infer<'_, '_, H> {
    /// `card.numbers[0] = 9`: what is handed out there is a copy, and none is taken back.
    fn copy_written(&mut self, root: &Expr, steps: &[Step]) {
        for (n, step) in steps.iter().enumerate().take(steps.len().saturating_sub(1)) {
            let StepKind::Property(name) = &step.kind else {
                continue;
            };
            let on = self.quietly_chain(root, &steps[..n]);
            let [Type::Host(id)] = on.types(self.c.interface)[..] else {
                continue;
            };
            let declared = self.c.tables.property_on(id, name);
            let holds = self.property(&on, name);
            let is_copy = holds.is(Type::Array) || holds.is(Type::Map);
            if is_copy && declared.is_some_and(|declared| !declared.access.is_writable()) {
                let whose = self.c.tables.type_name(Type::Host(id));
                let message =
                    format!("property `{name}` of {whose} cannot be set, and this would change it");
                let help = "copy it with `let` first";
                let name = Some(name.clone());
                self.tell_of(name, Code::ReadOnly, step.pos, message, Some(help.into()));
                return;
            }
        }
    }

    /// Something inside a value is assigned: a view must be named where it belongs.
    pub(super) fn assigned(&mut self, target: &Expr) {
        if !self.telling {
            return;
        }
        let ExprKind::Chain { root, steps } = &target.kind else {
            return;
        };
        self.copy_written(root, steps);
        let (ExprKind::Var(name), [step]) = (&root.kind, &steps[..]) else {
            return;
        };
        let Some(variable) = self.variable(name).cloned() else {
            return;
        };
        let ty = self.variables.get(&variable).cloned().unwrap_or(Ty::ANY);
        let meaning = self.meaning;
        let view = meaning.views.iter().find(|(id, _)| ty.is(Type::Host(*id)));
        let is_parameter = self.c.declared[self.function].pos == variable.1;
        if let Some((_, copy)) = view
            && matches!(step.kind, StepKind::Index(_))
        {
            let help = format!(
                "write the change where it belongs, `p.{name}[..] = ..`, or take a copy with {copy}"
            );
            if is_parameter {
                let message =
                    format!("`{name}` is not a copy: this changes what the function was given");
                return self.warn(Code::TypeMismatch, target.pos, message, help);
            }
            let message = format!("`{name}` is not a copy: this changes what it was taken from");
            self.tell(Code::TypeMismatch, target.pos, message, Some(help.into()));
        }
    }

    /// `list.push(p.stock)`, `map.had = p.stock`: nor does one to which something is added.
    pub(super) fn added_is_no_view(&mut self, ty: &Ty, at: Pos) {
        let mut views = self.meaning.views.iter();
        if let Some((_, copy)) = views.find(|(id, _)| ty.is(Type::Host(*id))) {
            self.told_kept(at, copy.clone());
        }
    }

    fn told_kept(&mut self, at: Pos, copy: String) {
        let message = "what is kept here is not a copy: what is read later is what is there then";
        let help = format!("to remember what is there now, take {copy}");
        self.tell(Code::TypeMismatch, at, message.into(), Some(help.into()));
    }

    /// Something is put into a list or a map of the script's own.
    pub(super) fn put_inside(&mut self, target: &Expr, value: &Expr, ty: &Ty, pos: Pos) {
        let ExprKind::Chain { root, steps } = &target.kind else {
            return;
        };
        let Some((last, way)) = steps.split_last().filter(|_| self.telling) else {
            return;
        };
        let container = self.quietly_chain(root, way);
        if !container.is(Type::Map) && !container.is(Type::Array) {
            return;
        }
        self.added_is_no_view(ty, value.pos);
        if let (ExprKind::Var(map), [], Some(key)) = (&root.kind, way, key(last)) {
            let (map, key) = (map.clone(), key.clone());
            self.keeps_a_place(map, key, ty, pos, value.pos);
        }
    }

    fn keeps_a_place(&mut self, map: Name, key: Name, ty: &Ty, pos: Pos, at: Pos) {
        let mut places = self.meaning.places.iter();
        if let Some((_, copy)) = places.find(|(id, _)| ty.is(Type::Host(*id))) {
            let copy = copy.clone();
            self.kept_in_maps.push(KeptInMap {
                map,
                key,
                pos,
                at,
                copy,
            });
        }
    }

    /// A map that is written down keeps places.
    pub(super) fn keeps_places(&mut self, map: &Name, value: &Expr, ty: &Ty, pos: Pos) {
        let (ExprKind::Map(entries), Some(fields)) = (&value.kind, &ty.fields) else {
            return;
        };
        if self.telling {
            for (key, _, entry) in entries {
                if let Some(held) = fields.get(key) {
                    self.keeps_a_place(map.clone(), key.clone(), held, pos, entry.pos);
                }
            }
        }
    }

    /// Places that maps keep, of which what lies there is read after something may have changed. They may be meant: a warning.
    pub(super) fn kept_maps_of_places(&mut self, body: &Block) {
        for kept in std::mem::take(&mut self.kept_in_maps) {
            let mut uses = Uses::default();
            let mut others = 0;
            tree::walk_stmts(body, &mut |stmt| {
                if let StmtKind::Assign { target, .. } = &stmt.kind
                    && let ExprKind::Chain { root, steps } = &target.kind
                    && is_variable(root, &kept.map)
                    && let [step] = &steps[..]
                    && key(step) == Some(&kept.key)
                {
                    others += 1;
                }
            });
            tree::walk_block(body, &mut |e| {
                uses.mentions += usize::from(is_variable(e, &kept.map));
                let ExprKind::Chain { root, steps } = &e.kind else {
                    return;
                };
                if !is_variable(root, &kept.map) {
                    return;
                }
                match &steps[..] {
                    [first, second, ..] if key(first) == Some(&kept.key) => {
                        uses.read.extend(self.reads(second).then_some(second.pos));
                    }
                    [first, ..] if key(first).is_some_and(|key| *key != kept.key) => others += 1,
                    _ => {}
                }
            });
            // Whatever else is done with the map, it may be done with the place.
            if uses.mentions == uses.read.len() + others
                && is_stale(&uses.read, &self.changes(body, false), kept.pos)
            {
                let message = format!(
                    "`{}.{}` is the place itself, not a copy: what is read later is what is there then",
                    kept.map, kept.key
                );
                let help = format!("to remember what is there now, take {}", kept.copy);
                self.warn(Code::TypeMismatch, kept.at, message, help);
            }
        }
    }

    /// A list of views is given a name.
    pub(super) fn keeps_views(&mut self, list: &Name, value: &Expr, ty: &Ty, pos: Pos) {
        // What is written down, or has another name, is told there.
        let is_made = matches!(value.kind, ExprKind::Chain { .. } | ExprKind::Call { .. });
        if !self.telling || !is_made || !ty.is(Type::Array) {
            return;
        }
        let member = self.member(ty);
        let mut views = self.meaning.views.iter();
        if let Some((_, copy)) = views.find(|(id, _)| member.is(Type::Host(*id))) {
            let kept = (list.clone(), pos, value.pos, copy.clone());
            self.kept_views.push(kept);
        }
    }

    /// Lists of views that something made, `players().map(|q| q.stock)`, that are looked at after something may have changed, or written to.
    pub(super) fn kept_lists_of_views(&mut self, body: &Block) {
        for (name, declared, at, copy) in std::mem::take(&mut self.kept_views) {
            let mut mentions = Vec::new();
            tree::walk_block(body, &mut |e| {
                mentions.extend(is_variable(e, &name).then_some(e.pos));
            });
            let mut written = false;
            tree::walk_stmts(body, &mut |stmt| {
                if let StmtKind::Assign { target, .. } = &stmt.kind
                    && let ExprKind::Chain { root, steps } = &target.kind
                {
                    written |= is_variable(root, &name) && steps.len() > 1;
                }
            });
            if written || is_stale(&mentions, &self.changes(body, true), declared) {
                self.told_kept(at, copy);
            }
        }
    }

    /// A list or a map that is kept holds no view: `#{ before: p.stock }` would be what is there afterwards.
    pub(super) fn keeps_no_view(&mut self, value: &Expr, ty: &Ty) {
        if !self.telling {
            return;
        }
        let inside: Vec<(Pos, Ty)> = match &value.kind {
            ExprKind::Array(items) => {
                let first = items.first().map(|item| item.pos);
                first.map(|at| (at, self.member(ty))).into_iter().collect()
            }
            ExprKind::Map(entries) => {
                let fields = ty.fields.clone().unwrap_or_default();
                let known = entries.iter().filter_map(|(key, _, e)| {
                    let held = fields.get(key)?;
                    Some((e.pos, held.clone()))
                });
                known.collect()
            }
            _ => return,
        };
        let views = &self.meaning.views;
        let told: Vec<(Pos, String)> = inside
            .iter()
            .filter_map(|(at, held)| {
                let view = views.iter().find(|(id, _)| held.is(Type::Host(*id)));
                view.map(|(_, copy)| (*at, copy.clone()))
            })
            .collect();
        for (at, copy) in told {
            self.told_kept(at, copy);
        }
    }

    /// Variables that hold a place and are read after something may have changed there.
    pub(super) fn kept_places(&mut self, body: &Block) {
        let mut kept: Vec<(Name, Pos, Pos, String, bool)> = Vec::new();
        tree::walk_stmts(body, &mut |stmt| {
            let StmtKind::Let { name, value, .. } = &stmt.kind else {
                return;
            };
            let variable = (self.function, stmt.pos, name.clone());
            let Some(ty) = self.variables.get(&variable) else {
                return;
            };
            let (places, views) = (&self.meaning.places, &self.meaning.views);
            let all = places.iter().map(|p| (p, false));
            let mut all = all.chain(views.iter().map(|v| (v, true)));
            if let Some(((_, copy), is_view)) = all.find(|((id, _), _)| ty.is(Type::Host(*id))) {
                kept.push((name.clone(), stmt.pos, value.pos, copy.clone(), is_view));
            }
        });
        for (name, declared, at, copy, is_view) in kept {
            let mut uses = Uses::default();
            tree::walk_block(body, &mut |e| self.used(&name, e, &mut uses));
            tree::walk_stmts(body, &mut |stmt| {
                if let StmtKind::For { over, body, .. } = &stmt.kind
                    && is_variable(over, &name)
                {
                    uses.read.push(over.pos);
                    uses.as_place |= !self.changes(body, is_view).is_empty();
                }
            });
            let changes = self.changes(body, is_view);
            let stale = is_stale(&uses.read, &changes, declared);
            if stale && (is_view || !uses.as_place) {
                let message = format!(
                    "`{name}` is what it was taken from itself, not a copy: what is read later is what is there then"
                );
                let help = format!("to remember what is there now, take {copy}");
                self.tell(Code::TypeMismatch, at, message, Some(help.into()));
            }
        }
    }

    /// Lists of places that are written down, `let before = [game.pile, game.other]`, of which what lies there is read after something may
    /// have changed. They may be meant: a warning.
    pub(super) fn kept_lists_of_places(&mut self, body: &Block) {
        let mut kept: Vec<(Name, Pos, Pos, String)> = Vec::new();
        tree::walk_stmts(body, &mut |stmt| {
            let StmtKind::Let { name, value, .. } = &stmt.kind else {
                return;
            };
            let variable = (self.function, stmt.pos, name.clone());
            let known = self.variables.get(&variable);
            let list =
                known.filter(|ty| matches!(value.kind, ExprKind::Array(_)) && ty.is(Type::Array));
            let Some(member) = list.map(|ty| self.member(ty)) else {
                return;
            };
            let mut places = self.meaning.places.iter();
            if let Some((_, copy)) = places.find(|(id, _)| member.is(Type::Host(*id))) {
                kept.push((name.clone(), stmt.pos, value.pos, copy.clone()));
            }
        });
        for (name, declared, at, copy) in kept {
            let mut uses = Uses::default();
            tree::walk_block(body, &mut |e| {
                self.used_as_list_of_places(&name, e, &mut uses)
            });
            // Whatever else is done with the list, it may be done with the places.
            if uses.mentions == uses.read.len()
                && is_stale(&uses.read, &self.changes(body, false), declared)
            {
                let message = format!(
                    "`{name}` holds the places themselves, not copies: what is read later is what is there then"
                );
                let help = format!("to remember what is there now, take of each {copy}");
                self.warn(Code::TypeMismatch, at, message, help);
            }
        }
    }

    /// Of `before[0].len` what lies there is read; any other mention of the list may be meant as a place.
    fn used_as_list_of_places(&self, name: &Name, e: &Expr, uses: &mut Uses) {
        let ExprKind::Chain { root, steps } = &e.kind else {
            uses.mentions += usize::from(is_variable(e, name));
            return;
        };
        let [index, second, ..] = &steps[..] else {
            return;
        };
        if !is_variable(root, name) || !matches!(index.kind, StepKind::Index(_)) {
            return;
        }
        if self.reads(second) {
            uses.read.push(second.pos);
        }
    }

    /// Whether a step behind a place reads what lies there.
    fn reads(&self, step: &Step) -> bool {
        match &step.kind {
            StepKind::Property(_) | StepKind::Index(_) => true,
            StepKind::Method { name, args } => match self.callee(name, args.len() + 1, true) {
                Callee::Prelude | Callee::Intrinsic | Callee::Library { .. } => true,
                Callee::Host(all) => all.iter().all(|i| self.answers(*i)),
                _ => false,
            },
        }
    }

    /// How an expression uses a variable that holds a place.
    fn used(&self, name: &Name, e: &Expr, uses: &mut Uses) {
        match &e.kind {
            ExprKind::Chain { root, steps } if is_variable(root, name) => {
                let Some(first) = steps.first() else { return };
                match &first.kind {
                    StepKind::Method { name: method, args } => {
                        match self.callee(method, args.len() + 1, true) {
                            Callee::Prelude | Callee::Intrinsic | Callee::Library { .. } => {
                                uses.read.push(first.pos)
                            }
                            Callee::Host(all) if all.iter().all(|i| self.answers(*i)) => {
                                uses.read.push(first.pos)
                            }
                            _ => uses.as_place = true,
                        }
                    }
                    _ => uses.read.push(first.pos),
                }
            }
            ExprKind::Call {
                name: called, args, ..
            } => {
                let acting = self.may_change(None, called, args.len(), false, false);
                uses.as_place |= acting && args.iter().any(|arg| is_of(arg, name));
                if args.iter().any(|arg| is_variable(arg, name)) {
                    match self.callee(called, args.len(), false) {
                        Callee::Host(all) if all.iter().all(|i| self.answers(*i)) => {
                            uses.read.push(e.pos)
                        }
                        Callee::Intrinsic => uses.read.push(e.pos),
                        _ => uses.as_place = true,
                    }
                }
            }
            ExprKind::In { list, .. } if is_variable(list, name) => uses.read.push(e.pos),
            _ => {
                let mut handed_on = false;
                tree::parts(e, &mut |part| {
                    if let tree::Part::Expr(inner) = part {
                        handed_on |= is_variable(inner, name);
                    }
                });
                // Compared with another place, put into a list, given by a block.
                uses.as_place |= handed_on;
            }
        }
        if let ExprKind::Chain { steps, .. } = &e.kind {
            for step in steps {
                if let StepKind::Method { args, .. } = &step.kind {
                    uses.as_place |= args.iter().any(|arg| is_variable(arg, name));
                }
            }
        }
    }

    fn answers(&self, i: usize) -> bool {
        self.meaning.functions.get(i).is_some_and(|f| f.answers)
    }

    /// Where what lies in a place, or stands in a view, may have changed: behind what is worked out for it.
    fn changes(&self, body: &Block, view: bool) -> Vec<Pos> {
        let mut found = Vec::new();
        tree::walk_block(body, &mut |e| match &e.kind {
            ExprKind::Call { module, name, args }
                if self.may_change(module.as_ref(), name, args.len(), false, view) =>
            {
                found.push(end(e));
            }
            ExprKind::Chain { steps, .. } => {
                for step in steps {
                    if let StepKind::Method { name, args } = &step.kind
                        && self.may_change(None, name, args.len() + 1, true, view)
                    {
                        let within = args.iter().map(end);
                        found.push(within.fold(step.pos, Pos::max));
                    }
                }
            }
            _ => {}
        });
        tree::walk_stmts(body, &mut |stmt| {
            if let StmtKind::Assign { target, value, .. } = &stmt.kind
                && view
                && goes_into(target)
            {
                found.push(end(target).max(end(value)));
            }
        });
        found
    }

    fn may_change(
        &self,
        module: Option<&Name>,
        name: &Name,
        count: usize,
        method: bool,
        view: bool,
    ) -> bool {
        let touched = match self.called(module, name, count, method) {
            Callee::Script(id) => self.touches[id],
            Callee::Host(all) => self.touched_by(&all),
            Callee::Intrinsic if &**name == "call" => Touched::BOTH,
            _ => Touched::default(),
        };
        if view { touched.views } else { touched.places }
    }

    /// What functions of the host may change.
    pub(super) fn touched_by(&self, all: &[usize]) -> Touched {
        let changed = all.iter().filter_map(|i| self.meaning.functions.get(*i));
        let changed: Vec<TypeId> = changed.flat_map(|f| f.changes.iter().copied()).collect();
        let one_of = |known: &[(TypeId, String)]| known.iter().any(|(id, _)| changed.contains(id));
        Touched {
            places: one_of(&self.meaning.places),
            views: one_of(&self.meaning.views),
        }
    }
}

/// What a function, or a call, may change of what variables can hold without a copy.
#[derive(Clone, Copy, Default, PartialEq)]
pub(super) struct Touched {
    pub places: bool,
    pub views: bool,
}

impl Touched {
    pub const BOTH: Touched = Touched {
        places: true,
        views: true,
    };

    pub fn with(self, other: Touched) -> Touched {
        Touched {
            places: self.places || other.places,
            views: self.views || other.views,
        }
    }
}

/// Whether something is read after it may have changed since it was declared.
fn is_stale(read: &[Pos], changes: &[Pos], declared: Pos) -> bool {
    let mut changes = changes.iter().filter(|change| **change > declared);
    changes.any(|change| read.iter().any(|read| change < read))
}

/// `p.stock["coal"] = ..`: it changes something inside of what stands there.
pub(super) fn goes_into(target: &Expr) -> bool {
    let ExprKind::Chain { steps, .. } = &target.kind else {
        return false;
    };
    let mut steps = steps.iter();
    steps.any(|step| matches!(step.kind, StepKind::Index(_)))
}

/// The key a step names: `map.had`, `map["had"]`.
fn key(step: &Step) -> Option<&Name> {
    match &step.kind {
        StepKind::Property(name) => Some(name),
        StepKind::Index(Expr {
            kind: ExprKind::Str(text),
            ..
        }) => Some(text),
        _ => None,
    }
}

/// Where the last part of an expression stands.
fn end(e: &Expr) -> Pos {
    let mut last = e.pos;
    tree::walk_expr(e, &mut |part| last = last.max(part.pos));
    last
}

/// Whether it is something of what a variable holds: `hand.top`, `hand[0]`.
fn is_of(e: &Expr, name: &Name) -> bool {
    matches!(&e.kind, ExprKind::Chain { root, .. } if is_variable(root, name))
}

fn is_variable(e: &Expr, name: &Name) -> bool {
    matches!(&e.kind, ExprKind::Var(n) if n == name)
}
