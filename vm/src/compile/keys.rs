//! The keys maps may have: what a script reads behind a `.` must be one of them, or a property of the host.

use crate::tree::{self, Block, Expr, ExprKind, Name, StepKind, StmtKind};
use crate::value::Value;
use std::collections::HashSet;

#[derive(Default)]
pub(super) struct Keys {
    pub all: HashSet<Name>,
    /// Those under which a function is kept.
    pub of_functions: HashSet<Name>,
}

impl Keys {
    /// Keys of literals, those written by name as a text, and those written into a variable that began as a map.
    pub fn function(&mut self, body: &Block) {
        tree::walk_block(body, &mut |e| self.literal(e));
        let mut maps: HashSet<Name> = HashSet::new();
        tree::walk_stmts(body, &mut |stmt| {
            if let StmtKind::Let { name, value, .. } = &stmt.kind
                && let ExprKind::Map(_) = value.kind
            {
                maps.insert(name.clone());
            }
        });
        tree::walk_stmts(body, &mut |stmt| {
            let StmtKind::Assign { target, value, .. } = &stmt.kind else {
                return;
            };
            let ExprKind::Chain { root, steps } = &target.kind else {
                return;
            };
            let of_map = matches!(&root.kind, ExprKind::Var(name) if maps.contains(name));
            let Some(last) = steps.last() else {
                return;
            };
            match &last.kind {
                StepKind::Property(name) => {
                    if of_map {
                        self.all.insert(name.clone());
                    }
                    self.note_function(name, value);
                }
                StepKind::Index(Expr {
                    kind: ExprKind::Str(name),
                    ..
                }) => {
                    self.all.insert(name.clone());
                    self.note_function(name, value);
                }
                _ => {}
            }
        });
    }

    pub fn expr(&mut self, e: &Expr) {
        tree::walk_expr(e, &mut |e| self.literal(e));
    }

    fn literal(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Map(entries) => {
                for (key, _, value) in entries {
                    self.all.insert(key.clone());
                    self.note_function(key, value);
                }
            }
            ExprKind::Chain { steps, .. } => {
                for step in steps {
                    if let StepKind::Method { name, args } = &step.kind
                        && &**name == "set"
                        && let [key, value] = &args[..]
                        && let ExprKind::Str(key) = &key.kind
                    {
                        self.all.insert(key.clone());
                        self.note_function(key, value);
                    }
                }
            }
            _ => {}
        }
    }

    fn note_function(&mut self, key: &Name, value: &Expr) {
        if matches!(value.kind, ExprKind::Closure(_) | ExprKind::FnName(_)) {
            self.of_functions.insert(key.clone());
        }
    }
}

pub(super) fn of_value<O>(value: &Value<O>, keys: &mut HashSet<Name>) {
    match value {
        Value::Map(map) => {
            for (key, value) in map.iter() {
                keys.insert(Name::from(&**key));
                of_value(value, keys);
            }
        }
        Value::Array(items) => items.iter().for_each(|v| of_value(v, keys)),
        _ => {}
    }
}
