//! Variables that hold a place of the host and not what lies there: `let before = game.pile` is the pile itself, also afterwards.

use super::Infer;
use super::calls::Callee;
use super::ty::Ty;
use crate::diagnostic::{Code, Pos};
use crate::host::{Host, Type, TypeId};
use crate::tree::{self, Block, Expr, ExprKind, Name, StepKind, StmtKind};

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
    /// Something inside a value is assigned: a view must be named where it belongs.
    pub(super) fn assigned(&mut self, target: &Expr) {
        if !self.telling {
            return;
        }
        let ExprKind::Chain { root, steps } = &target.kind else {
            return;
        };
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
            && !is_parameter
        {
            let message = format!("`{name}` is not a copy: this changes what it was taken from");
            let help = format!(
                "write the change where it belongs, `p.{name}[..] = ..`, or take a copy with {copy}"
            );
            self.tell(Code::TypeMismatch, target.pos, message, Some(help.into()));
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
            let message =
                "what is kept here is not a copy: what is read later is what is there then";
            let help = format!("to remember what is there now, take {copy}");
            self.tell(Code::TypeMismatch, at, message.into(), Some(help.into()));
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
        let reads = match &second.kind {
            StepKind::Property(_) | StepKind::Index(_) => true,
            StepKind::Method { name, args } => match self.callee(name, args.len() + 1, true) {
                Callee::Prelude | Callee::Intrinsic | Callee::Library { .. } => true,
                Callee::Host(all) => all.iter().all(|i| self.answers(*i)),
                _ => false,
            },
        };
        if reads {
            uses.read.push(second.pos);
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
