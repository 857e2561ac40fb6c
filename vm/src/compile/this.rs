//! Who changes what is bound to `this`: methods of scripts, and functions that `map`, `filter` and the like bind an item to.

use super::{Compiler, ReadFile};
use crate::host::Host;
use crate::tree::{self, Block, Expr, ExprKind, Name, Part, StepKind, Stmt, StmtKind};
use std::collections::HashSet;

/// The form of a standard function that keeps what the function it runs made of each item.
pub(super) fn in_place(name: &str) -> Name {
    Name::from(format!("__{name}"))
}

/// Whether a method of this name, with these arguments, changes its target.
type Changes<'c> = dyn Fn(&Name, &[Expr]) -> bool + 'c;

/// Whether a body may change its `this`. Closures inside it have one of their own.
fn changed_in(body: &Block, changes: &Changes) -> bool {
    body.stmts.iter().any(|stmt| stmt_changes(stmt, changes))
}

fn stmt_changes(stmt: &Stmt, changes: &Changes) -> bool {
    let by_itself = match &stmt.kind {
        StmtKind::Assign { target, .. } => match &target.kind {
            ExprKind::Chain { root, .. } => matches!(root.kind, ExprKind::This),
            kind => matches!(kind, ExprKind::This),
        },
        StmtKind::While { body, .. } | StmtKind::Do { body, .. } | StmtKind::For { body, .. } => {
            changed_in(body, changes)
        }
        StmtKind::Try { body, handler, .. } => {
            changed_in(body, changes) || changed_in(handler, changes)
        }
        _ => false,
    };
    let mut found = by_itself;
    tree::own_exprs(stmt, &mut |e| found |= expr_changes(e, changes));
    found
}

fn expr_changes(e: &Expr, changes: &Changes) -> bool {
    let mut found = match &e.kind {
        ExprKind::Closure(_) => return false,
        ExprKind::Chain { root, steps } if matches!(root.kind, ExprKind::This) => {
            let first = steps.iter().find_map(|step| match &step.kind {
                StepKind::Method { name, args } => Some((name, &args[..])),
                _ => None,
            });
            first.is_some_and(|(name, args)| changes(name, args))
        }
        ExprKind::Call {
            module: None,
            name,
            args,
        } => match args.split_first() {
            Some((first, rest)) => matches!(first.kind, ExprKind::This) && changes(name, rest),
            None => false,
        },
        _ => false,
    };
    tree::parts(e, &mut |part| {
        found |= match part {
            Part::Expr(child) => expr_changes(child, changes),
            Part::Block(block) => changed_in(block, changes),
        }
    });
    found
}

impl<H: Host> Compiler<'_, H> {
    /// Finds out which methods change their `this`, by themselves or through others, and whether the program keeps functions that do.
    pub(super) fn find_changers(&mut self, files: &[ReadFile]) {
        self.find_changing_methods(files);
        let prelude = self.prelude();
        let methods = |d: &super::Declared| d.unit != prelude && d.changes_this;
        self.keeps_changers = self.declared.iter().any(methods)
            || self.declared.iter().any(|declared| {
                let body = &files[declared.file].tree.functions[declared.index].body;
                self.keeps_changer(declared.unit, body)
            });
        if self.keeps_changers {
            // What stands in a variable may now be one of them.
            self.find_changing_methods(files);
        }
    }

    fn find_changing_methods(&mut self, files: &[ReadFile]) {
        loop {
            let found: Vec<usize> = (0..self.declared.len())
                .filter(|id| {
                    let declared = &self.declared[*id];
                    let body = &files[declared.file].tree.functions[declared.index].body;
                    declared.uses_this
                        && !declared.changes_this
                        && changed_in(body, &|name, args| {
                            self.changes_target(declared.unit, name, args)
                        })
                })
                .collect();
            if found.is_empty() {
                return;
            }
            for id in found {
                self.declared[id].changes_this = true;
            }
        }
    }

    /// Whether a closure that changes its `this` stands anywhere but as the argument of a function that runs it.
    fn keeps_changer(&self, unit: usize, body: &Block) -> bool {
        let mut lent = HashSet::new();
        let mut lend = |name: &Name, args: &[Expr]| {
            if self.runs(name, args).is_some() {
                lent.extend(args.iter().map(|arg| arg.pos));
            }
        };
        let mut found = false;
        tree::walk_block(body, &mut |e| match &e.kind {
            ExprKind::Chain { steps, .. } => {
                for step in steps {
                    if let StepKind::Method { name, args } = &step.kind {
                        lend(name, args);
                    }
                }
            }
            ExprKind::Call { name, args, .. } if !args.is_empty() => lend(name, &args[1..]),
            _ => {}
        });
        tree::walk_block(body, &mut |e| {
            if matches!(e.kind, ExprKind::Closure(_)) && !lent.contains(&e.pos) {
                found |= self.is_changer(unit, e);
            }
        });
        found
    }

    /// Whether a method of this name changes its target.
    pub(super) fn changes_target(&self, unit: usize, name: &Name, args: &[Expr]) -> bool {
        match self.method(unit, name, args.len()) {
            Some(id) => self.declared[id as usize].changes_this,
            None => {
                self.tables.is_change(name, args.len() + 1).is_some()
                    || self.runs_changer(unit, name, args).is_some()
            }
        }
    }

    /// A script function of this unit or the prelude that uses `this`.
    pub(super) fn method(&self, unit: usize, name: &Name, args: usize) -> Option<u32> {
        let key = (name.clone(), args);
        [unit, self.prelude()]
            .into_iter()
            .filter_map(|unit| self.units[unit].functions.get(&key).copied())
            .find(|id| self.declared[*id as usize].uses_this)
    }

    /// The standard function that runs its arguments with the items of its target, keeping what they make of them.
    fn runs(&self, name: &str, args: &[Expr]) -> Option<u32> {
        let closures = args.iter().map(|e| matches!(e.kind, ExprKind::Closure(_)));
        let closures: Vec<bool> = std::iter::once(false).chain(closures).collect();
        if self.tables.means_host_function(name, &closures) {
            return None;
        }
        let prelude = &self.units[self.prelude()].functions;
        prelude.get(&(in_place(name), args.len())).copied()
    }

    /// The same, if one of these arguments may change an item.
    pub(super) fn runs_changer(&self, unit: usize, name: &str, args: &[Expr]) -> Option<u32> {
        self.runs(name, args)
            .filter(|_| args.iter().any(|arg| self.is_changer(unit, arg)))
    }

    /// Whether an argument may be a function that changes its `this`.
    fn is_changer(&self, unit: usize, arg: &Expr) -> bool {
        match &arg.kind {
            ExprKind::Closure(c) => {
                c.uses_this
                    && changed_in(&c.body, &|name, args| self.changes_target(unit, name, args))
            }
            ExprKind::FnName(name) | ExprKind::Str(name) => self.units[unit]
                .functions
                .range((name.clone(), 0)..)
                .take_while(|((n, _), _)| n == name)
                .any(|(_, id)| self.declared[*id as usize].changes_this),
            ExprKind::Unit
            | ExprKind::Bool(_)
            | ExprKind::Int(_)
            | ExprKind::Char(_)
            | ExprKind::Array(_)
            | ExprKind::Map(_)
            | ExprKind::Range { .. } => false,
            _ => self.keeps_changers,
        }
    }
}
