//! Which closures are gone when the call they are written in ends, and from which variables functions get away.

use super::Known;
use crate::diagnostic::Pos;
use crate::tree::{self, Block, Expr, ExprKind, Name, StepKind};
use std::collections::{HashMap, HashSet};

/// How the variables of a function are used that may hold functions.
#[derive(Default)]
pub(super) struct Uses {
    /// Closures written as arguments of a function that only runs them: they are gone when it returns, and nobody sees what changes
    /// afterwards. Not so if they make closures themselves.
    pub lent: HashSet<Pos>,
    /// All uses, and those that only call what the variable holds.
    all: HashMap<Name, (usize, usize)>,
}

impl Uses {
    pub fn note(&mut self, e: &Expr, known: Known) {
        match &e.kind {
            ExprKind::Var(name) => self.all.entry(name.clone()).or_default().0 += 1,
            ExprKind::Closure(c) if !self.lent.contains(&e.pos) => {
                for name in &c.captures {
                    self.all.entry(name.clone()).or_default().0 += 1;
                }
            }
            ExprKind::Call {
                module: None,
                name,
                args,
            } => {
                if let ("call", Some(f)) = (&**name, args.first()) {
                    self.calls(f);
                }
                self.lends(name, args, known);
            }
            ExprKind::Chain { root, steps } => {
                for (n, step) in steps.iter().enumerate() {
                    if let StepKind::Method { name, args } = &step.kind {
                        if n == 0 && &**name == "call" {
                            self.calls(root);
                        }
                        self.lends(name, args, known);
                    }
                }
            }
            _ => {}
        }
    }

    fn calls(&mut self, f: &Expr) {
        if let ExprKind::Var(name) = &f.kind {
            self.all.entry(name.clone()).or_default().1 += 1;
        }
    }

    fn lends(&mut self, name: &Name, args: &[Expr], known: Known) {
        if !(known.lends)(name, args.len()) {
            return;
        }
        for arg in args {
            match &arg.kind {
                ExprKind::Closure(c) if !makes_closures(&c.body) => {
                    self.lent.insert(arg.pos);
                }
                _ => self.calls(arg),
            }
        }
    }

    pub fn escaping(&self) -> HashSet<Name> {
        let escaping = self.all.iter().filter(|(_, (all, calls))| all > calls);
        escaping.map(|(name, _)| name.clone()).collect()
    }
}

pub(super) fn makes_closures(body: &Block) -> bool {
    let mut found = false;
    tree::walk_block(body, &mut |e| {
        found |= matches!(e.kind, ExprKind::Closure(_));
    });
    found
}
