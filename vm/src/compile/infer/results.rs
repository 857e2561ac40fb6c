//! What functions give that somebody else calls: a score is a number, a preference a list. Told before the first match ends.

use super::Infer;
use super::ty::Ty;
use crate::diagnostic::{Code, Pos};
use crate::host::{Host, Type};
use crate::meaning::MustGive;
use crate::tree::{self, Block, Expr, ExprKind, Function, StmtKind};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// What a way through a function ends with.
enum End {
    Nothing,
    /// A value; if it is a list that is written down, its items.
    Value(Ty, Option<Vec<Ty>>),
}

impl<H: Host> Infer<'_, '_, H> {
    /// What whoever calls this function from outside can do something with, if that is known.
    pub(super) fn wanted_of(&self, id: usize) -> Option<&MustGive> {
        let declared = &self.c.declared[id];
        let key = (declared.name.to_string(), declared.arity);
        let called = self.meaning.called.get(&key)?;
        called.gives.as_ref().filter(|_| declared.unit == 0)
    }

    /// Tells of each way through a function that gives something else. `seen` is what its expressions are.
    pub(super) fn gives_what_is_wanted(
        &mut self,
        id: usize,
        function: &Function,
        seen: &HashMap<Pos, Ty>,
    ) {
        let Some(wanted) = self.wanted_of(id) else {
            return;
        };
        let ends = ends(function, seen);
        let never = self.results[id].is_only(Type::Unit);
        let mut told: Vec<(Pos, String)> = Vec::new();
        let mut length: Option<usize> = None;
        for (pos, end) in ends {
            if let Some(found) = self.unfit(&end, wanted, never) {
                let message = format!(
                    "`{}` must give {}, found {found}",
                    function.name, wanted.what
                );
                told.push((pos, message));
                continue;
            }
            let here = match &end {
                End::Value(_, Some(items)) => Some(items.len()),
                End::Value(ty, None) if ty.is_only(Type::Int) => Some(1),
                _ => None,
            };
            let Some(here) = here.filter(|_| wanted.one_length) else {
                continue;
            };
            let before = *length.get_or_insert(here);
            if before != here {
                let message = format!(
                    "`{}` must give as many numbers everywhere: {here} here, {before} before",
                    function.name
                );
                told.push((pos, message));
            }
        }
        for (pos, message) in told {
            self.tell(Code::TypeMismatch, pos, message, None);
        }
    }

    /// What an end of a function is, if that is not what is wanted. A call that gives nothing may be one that stops the game, unless
    /// the function `never` gives anything.
    fn unfit(&self, end: &End, wanted: &MustGive, never: bool) -> Option<String> {
        let nothing = || (!wanted.or_nothing).then(|| "()".to_string());
        let (ty, items) = match end {
            End::Nothing => return nothing(),
            End::Value(ty, items) => (ty, items),
        };
        if ty.is_only(Type::Unit) {
            return nothing().filter(|_| never);
        }
        if !self.may_be_one(ty, &wanted.types) {
            return Some(self.described(ty));
        }
        if wanted.members.is_empty() || !ty.is(Type::Array) {
            return None;
        }
        let wrong = match items {
            Some(items) if items.is_empty() && wanted.one_length => {
                return Some("an empty list".to_string());
            }
            Some(items) => items
                .iter()
                .find(|item| item.is_only(Type::Unit) || !self.may_be_one(item, &wanted.members))
                .cloned(),
            None => Some(self.member(ty)).filter(|one| !self.may_be_one(one, &wanted.members)),
        };
        wrong.map(|one| match one.is_only(Type::Unit) {
            true => "a list with () in it".to_string(),
            false => format!("a list with {} in it", self.described(&one)),
        })
    }

    fn may_be_one(&self, ty: &Ty, of: &[Type]) -> bool {
        let types = ty.types(self.c.interface);
        types.is_empty() || types.iter().any(|one| of.contains(one))
    }
}

/// What every way through a function ends with, in the order of the text.
fn ends(function: &Function, seen: &HashMap<Pos, Ty>) -> Vec<(Pos, End)> {
    let mut of_closures: BTreeSet<Pos> = BTreeSet::new();
    tree::walk_block(&function.body, &mut |e| {
        if let ExprKind::Closure(c) = &e.kind {
            tree::walk_stmts(&c.body, &mut |stmt| {
                if matches!(stmt.kind, StmtKind::Return(_)) {
                    of_closures.insert(stmt.pos);
                }
            });
        }
    });
    let mut found: BTreeMap<Pos, End> = BTreeMap::new();
    of_block(&function.body, function.pos, seen, &mut found);
    tree::walk_stmts(&function.body, &mut |stmt| match &stmt.kind {
        StmtKind::Return(_) if of_closures.contains(&stmt.pos) => {}
        StmtKind::Return(Some(value)) => of_expr(value, seen, &mut found),
        StmtKind::Return(None) => drop(found.insert(stmt.pos, End::Nothing)),
        _ => {}
    });
    found.into_iter().collect()
}

fn of_block(block: &Block, pos: Pos, seen: &HashMap<Pos, Ty>, found: &mut BTreeMap<Pos, End>) {
    let Some(last) = block.stmts.last() else {
        found.insert(pos, End::Nothing);
        return;
    };
    match &last.kind {
        StmtKind::Expr(e) => of_expr(e, seen, found),
        StmtKind::Try { body, handler, .. } => {
            of_block(body, last.pos, seen, found);
            of_block(handler, last.pos, seen, found);
        }
        StmtKind::Let { .. } | StmtKind::Assign { .. } | StmtKind::Empty => {
            found.insert(last.pos, End::Nothing);
        }
        // A loop may be left by a `return` alone, or by `break` with a value.
        StmtKind::While { .. } | StmtKind::Do { .. } | StmtKind::For { .. } => {}
        StmtKind::Return(_) | StmtKind::Throw(_) | StmtKind::Break(_) | StmtKind::Continue => {}
    }
}

fn of_expr(e: &Expr, seen: &HashMap<Pos, Ty>, found: &mut BTreeMap<Pos, End>) {
    match &e.kind {
        ExprKind::Unit => drop(found.insert(e.pos, End::Nothing)),
        ExprKind::Block(block) => of_block(block, e.pos, seen, found),
        ExprKind::If { then, other, .. } => {
            of_block(then, e.pos, seen, found);
            match other {
                Some(other) => of_block(other, e.pos, seen, found),
                None => drop(found.insert(e.pos, End::Nothing)),
            }
        }
        // Cases without `_` may be all there are.
        ExprKind::Switch(switch) => {
            let arms = switch.arms.iter().map(|arm| &arm.body);
            for body in arms.chain(&switch.default) {
                of_block(body, e.pos, seen, found);
            }
        }
        _ => {
            let of = |e: &Expr| seen.get(&e.pos).cloned().unwrap_or(Ty::ANY);
            let items = match &e.kind {
                ExprKind::Array(items) => Some(items.iter().map(of).collect()),
                _ => None,
            };
            found.insert(e.pos, End::Value(of(e), items));
        }
    }
}
