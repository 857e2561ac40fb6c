//! Small functions, which the compiler puts where they are called: a call and its return cost more than what they do.

use super::{Compiler, Declared, ReadFile};
use crate::host::Host;
use crate::tree::{
    Block, Expr, ExprKind, Function, Name, StepKind, StmtKind, walk_block, walk_stmts,
};
use std::collections::HashSet;
use std::rc::Rc;

/// Expressions of a function that is put in place.
const MOST_EXPRESSIONS: usize = 32;

/// A function that may be put where it is called.
pub(crate) struct Small {
    pub params: Vec<Name>,
    /// Whether each parameter may be changed, so that it needs a register of its own.
    pub changed: Vec<bool>,
    pub body: Block,
    pub unit: usize,
    /// Its file, in the table of paths and among those that were read.
    pub file: u32,
    pub read: usize,
}

impl<H: Host> Compiler<'_, H> {
    /// Finds the small functions. What is put in place marks no line of its own as reached, so there are none if that is asked for.
    pub(super) fn find_small(&mut self, files: &[ReadFile]) {
        if self.coverage {
            return;
        }
        let put = |declared: &Declared, wanted: &dyn Fn(&Function) -> bool| {
            let function = &files[declared.file].tree.functions[declared.index];
            if function.uses_this || !wanted(function) {
                return None;
            }
            let changed = self.changed_names(&function.body);
            Some(Rc::new(Small {
                changed: function
                    .params
                    .iter()
                    .map(|p| changed.contains(p))
                    .collect(),
                params: function.params.clone(),
                body: function.body.clone(),
                unit: declared.unit,
                file: declared.path,
                read: declared.file,
            }))
        };
        let is_standard = |declared: &Declared| declared.unit == self.prelude();
        let small = |declared: &Declared| match is_standard(declared) {
            true => None,
            false => put(declared, &|function| is_small(&function.body)),
        };
        let lender = |declared: &Declared| match is_standard(declared) {
            true => put(declared, &is_lender),
            false => None,
        };
        let lenders = self.declared.iter().map(lender).collect();
        self.small = self.declared.iter().map(small).collect();
        self.lenders = lenders;
    }

    /// Variables that are, or may be, changed: assigned to, in whole or in part, or the target of a function that changes it.
    pub(super) fn changed_names(&self, body: &Block) -> HashSet<Name> {
        let mut changed = HashSet::new();
        walk_stmts(body, &mut |stmt| {
            if let StmtKind::Assign { target, .. } = &stmt.kind {
                changed.extend(root_of(target).cloned());
            }
        });
        walk_block(body, &mut |e| match &e.kind {
            ExprKind::Chain { root, steps } => {
                let is_method =
                    |step: &crate::tree::Step| matches!(step.kind, StepKind::Method { .. });
                if steps.iter().any(is_method) {
                    changed.extend(root_of(root).cloned());
                }
            }
            // `push(list, x)`: only standard functions change what they are given.
            ExprKind::Call { name, args, .. } => {
                let prelude = &self.units[self.prelude()].functions;
                let standard = self.tables.has_library_function(name, args.len())
                    || prelude.keys().any(|(other, _)| other == name);
                if standard {
                    changed.extend(args.first().and_then(root_of).cloned());
                }
            }
            _ => {}
        });
        changed
    }
}

/// The variable a way begins at.
fn root_of(e: &Expr) -> Option<&Name> {
    match &e.kind {
        ExprKind::Var(name) => Some(name),
        ExprKind::Chain { root, .. } => root_of(root),
        _ => None,
    }
}

/// Whether a standard function calls what it is given for every item of a list, and does nothing else with it that counts.
fn is_lender(function: &Function) -> bool {
    const LENDERS: [&str; 7] = ["filter", "keep", "map", "all", "some", "find", "find_map"];
    function.params.len() == 2 && LENDERS.contains(&&*function.name)
}

/// Whether a body is short, and nothing in it belongs to a function of its own.
fn is_small(body: &Block) -> bool {
    let (mut count, mut plain) = (0, true);
    walk_block(body, &mut |e| {
        count += 1;
        plain &= !matches!(
            e.kind,
            ExprKind::Closure(_) | ExprKind::FnName(_) | ExprKind::This | ExprKind::Wrong
        );
    });
    walk_stmts(body, &mut |stmt| {
        plain &= matches!(
            stmt.kind,
            StmtKind::Empty
                | StmtKind::Let { .. }
                | StmtKind::Assign { .. }
                | StmtKind::Expr(_)
                | StmtKind::Return(_)
                | StmtKind::For { .. }
                | StmtKind::While { .. }
                | StmtKind::Do { .. }
                | StmtKind::Break(_)
                | StmtKind::Continue
        );
    });
    plain && count <= MOST_EXPRESSIONS
}
