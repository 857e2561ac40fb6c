//! Changes of a copy that nobody looks at: what a function is given, what a loop goes through and what `let` takes out of a list are copies.

use super::calls::Callee;
use super::{Infer, Variable};
use crate::diagnostic::{Code, Pos};
use crate::host::{Host, Type};
use crate::tree::{self, Block, Expr, ExprKind, Function, Name, StepKind, Stmt, StmtKind};
use std::collections::HashMap;

/// A variable of a function and how often it is named in it.
#[derive(Default)]
struct Named {
    declared: Vec<Pos>,
    /// All mentions, those of them in what it is given itself, and those that only change it.
    mentioned: usize,
    own: usize,
    changed: Vec<Pos>,
    /// Something inside of it is changed: a copy only if it is a value.
    inside: bool,
    /// Of `let` alone it is told elsewhere that nobody reads it.
    by_let: bool,
}

impl<H: Host> Infer<'_, '_, H> {
    /// Variables that are changed and read by nobody.
    pub(super) fn changed_copies(&mut self, function: &Function) {
        let mut all: HashMap<Name, Named> = HashMap::new();
        for name in &function.params {
            all.entry(name.clone())
                .or_default()
                .declared
                .push(function.pos);
        }
        self.mentions(&function.body, &mut all);
        let mut told: Vec<(Pos, Name)> = Vec::new();
        for (name, named) in all {
            let ([declared], Some(first)) = (&named.declared[..], named.changed.first()) else {
                continue;
            };
            let variable = (self.function, *declared, name.clone());
            if named.inside && !self.holds_values(&variable) {
                continue;
            }
            let is_told = named.by_let && !self.looked_at.contains(&variable);
            if named.mentioned == named.changed.len() + named.own
                && !is_told
                && !name.starts_with('_')
            {
                told.push((*first, name));
            }
        }
        told.sort();
        for (pos, name) in told {
            let message = format!("this changes a copy: nobody looks at `{name}` afterwards");
            let help = "give it back with `return`, or change it where it belongs";
            self.warn(Code::UnusedValue, pos, message, help.to_string());
        }
    }

    fn mentions(&self, body: &Block, all: &mut HashMap<Name, Named>) {
        tree::walk_stmts(body, &mut |stmt| {
            let declared = match &stmt.kind {
                StmtKind::Let { name, .. } => vec![name],
                StmtKind::For { var, counter, .. } => counter.iter().chain([var]).collect(),
                StmtKind::Try { var, .. } => var.iter().collect(),
                _ => Vec::new(),
            };
            for name in declared {
                let named = all.entry(name.clone()).or_default();
                named.declared.push(stmt.pos);
                named.by_let = matches!(stmt.kind, StmtKind::Let { .. });
            }
            if let Some((name, pos, inside)) = self.changes_alone(stmt) {
                let named = all.entry(name.clone()).or_default();
                named.changed.push(pos);
                named.inside |= inside;
            }
            if let Some((name, count)) = counts_itself(stmt) {
                all.entry(name.clone()).or_default().own += count;
            }
        });
        tree::walk_block(body, &mut |e| match &e.kind {
            ExprKind::Var(name) => all.entry(name.clone()).or_default().mentioned += 1,
            ExprKind::Closure(c) => {
                for name in &c.params {
                    all.entry(name.clone()).or_default().declared.push(e.pos);
                }
            }
            _ => {}
        });
    }

    /// The variable that a line changes without doing anything else with it, and whether it is something inside of it.
    fn changes_alone<'s>(&self, stmt: &'s Stmt) -> Option<(&'s Name, Pos, bool)> {
        match &stmt.kind {
            StmtKind::Assign { target, .. } => match &target.kind {
                ExprKind::Var(name) => Some((name, stmt.pos, false)),
                ExprKind::Chain { root, steps } if steps.len() == 1 => {
                    Some((variable(root)?, stmt.pos, true))
                }
                _ => None,
            },
            StmtKind::Expr(Expr {
                kind: ExprKind::Chain { root, steps },
                pos,
            }) => {
                let ([step], Some(name)) = (&steps[..], variable(root)) else {
                    return None;
                };
                let StepKind::Method { name: method, args } = &step.kind else {
                    return None;
                };
                let gives = matches!(
                    &**method,
                    "pop" | "shift" | "remove" | "drain" | "splice" | "extract"
                );
                match self.callee(method, args.len() + 1, true) {
                    Callee::Library { changes: true, .. } if !gives => Some((name, *pos, true)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Whether a variable holds lists, maps or texts: what is inside of them is nobody else's.
    fn holds_values(&self, variable: &Variable) -> bool {
        let known = self.variables.get(variable);
        let types = known.map(|ty| ty.types(self.c.interface));
        let value = |ty: &Type| matches!(ty, Type::Array | Type::Map | Type::Str);
        types.is_some_and(|types| !types.is_empty() && types.iter().all(value))
    }
}

/// `n = n + 1`: how often a variable stands in what it is given itself, where nothing is called with it.
fn counts_itself(stmt: &Stmt) -> Option<(&Name, usize)> {
    let StmtKind::Assign { target, value, .. } = &stmt.kind else {
        return None;
    };
    let name = variable(target)?;
    let (mut count, mut calls) = (0, false);
    tree::walk_expr(value, &mut |e| match &e.kind {
        ExprKind::Var(named) => count += usize::from(named == name),
        ExprKind::Call { .. } | ExprKind::Closure(_) => calls = true,
        ExprKind::Chain { steps, .. } => {
            let mut steps = steps.iter();
            calls |= steps.any(|step| matches!(step.kind, StepKind::Method { .. }));
        }
        _ => {}
    });
    (!calls).then_some((name, count))
}

fn variable(e: &Expr) -> Option<&Name> {
    match &e.kind {
        ExprKind::Var(name) => Some(name),
        _ => None,
    }
}
