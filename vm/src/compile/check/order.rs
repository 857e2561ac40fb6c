//! Which variables an expression changes: none of them may be used beside it, where the order of evaluation would show.

use crate::diagnostic::Pos;
use crate::tree::{self, Block, Expr, ExprKind, Name, Part, StepKind, Stmt, StmtKind};
use std::collections::HashSet;

/// The variable an expression is, `this` included.
pub(super) fn place_of(e: &Expr) -> Option<Name> {
    match &e.kind {
        ExprKind::Var(name) => Some(name.clone()),
        ExprKind::This => Some("this".into()),
        _ => None,
    }
}

pub(super) fn changed_by_method(
    e: &Expr,
    changes: &dyn Fn(&Name, &[Expr]) -> bool,
) -> Option<(Name, Pos)> {
    match &e.kind {
        ExprKind::Chain { root, steps } => {
            let name = place_of(root)?;
            let method = steps.iter().find_map(|s| match &s.kind {
                StepKind::Method { name, args } => Some((name, args, s.pos)),
                _ => None,
            })?;
            changes(method.0, method.1).then_some((name, method.2))
        }
        ExprKind::Call {
            module: None,
            name,
            args,
        } => {
            let (first, rest) = args.split_first()?;
            let first = place_of(first)?;
            changes(name, rest).then_some((first, e.pos))
        }
        _ => None,
    }
}

/// Finds the variables an expression changes: by statements in blocks, and by methods.
struct Changes<'c> {
    changes: &'c dyn Fn(&Name, &[Expr]) -> bool,
    /// Variables of the blocks inside, which nobody outside can see.
    own: Vec<Name>,
    inside_block: bool,
    blocks: HashSet<Name>,
    methods: HashSet<Name>,
}

impl Changes<'_> {
    fn note(&mut self, name: Name, by_statement: bool) {
        if self.own.contains(&name) {
            return;
        }
        if by_statement || self.inside_block {
            self.blocks.insert(name);
        } else {
            self.methods.insert(name);
        }
    }

    fn expr(&mut self, e: &Expr) {
        if let Some((name, _)) = changed_by_method(e, self.changes) {
            self.note(name, false);
        }
        if !matches!(e.kind, ExprKind::Closure(_)) {
            tree::parts(e, &mut |part| match part {
                Part::Expr(child) => self.expr(child),
                Part::Block(block) => self.block(block),
            });
        }
    }

    fn block(&mut self, block: &Block) {
        let outer = std::mem::replace(&mut self.inside_block, true);
        let depth = self.own.len();
        for stmt in &block.stmts {
            self.stmt(stmt);
        }
        self.own.truncate(depth);
        self.inside_block = outer;
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Empty | StmtKind::Continue => {}
            StmtKind::Let { name, value, .. } => {
                self.expr(value);
                self.own.push(name.clone());
            }
            StmtKind::Assign { target, value, .. } => {
                self.expr(value);
                self.expr(target);
                let root = match &target.kind {
                    ExprKind::Chain { root, .. } => root,
                    _ => target,
                };
                if let Some(name) = place_of(root) {
                    self.note(name, true);
                }
            }
            StmtKind::Expr(e) => self.expr(e),
            StmtKind::While { cond, body } => {
                cond.iter().for_each(|c| self.expr(c));
                self.block(body);
            }
            StmtKind::Do { body, cond, .. } => {
                self.block(body);
                self.expr(cond);
            }
            StmtKind::For {
                var,
                counter,
                over,
                body,
            } => {
                self.expr(over);
                let depth = self.own.len();
                self.own.push(var.clone());
                self.own.extend(counter.clone());
                self.block(body);
                self.own.truncate(depth);
            }
            StmtKind::Break(value) | StmtKind::Return(value) | StmtKind::Throw(value) => {
                value.iter().for_each(|v| self.expr(v));
            }
            StmtKind::Try { body, var, handler } => {
                self.block(body);
                let depth = self.own.len();
                self.own.extend(var.clone());
                self.block(handler);
                self.own.truncate(depth);
            }
        }
    }
}

/// Variables changed by statements in blocks, and by methods.
pub(super) fn changed(
    e: &Expr,
    changes: &dyn Fn(&Name, &[Expr]) -> bool,
) -> (HashSet<Name>, HashSet<Name>) {
    let mut found = Changes {
        changes,
        own: Vec::new(),
        inside_block: false,
        blocks: HashSet::new(),
        methods: HashSet::new(),
    };
    found.expr(e);
    (found.blocks, found.methods)
}

pub(super) fn uses(e: &Expr, name: &Name) -> bool {
    let mut found = false;
    tree::walk_expr(e, &mut |e| found |= place_of(e).as_ref() == Some(name));
    found
}
