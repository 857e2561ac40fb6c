//! Refuses what would make the order of evaluation or the sharing of captured variables visible: there Rhai's rules surprise
//! people, and a copyable machine could not follow them.

use crate::diagnostic::{Code, Pos};
use crate::tree::{self, Block, Closure, Expr, ExprKind, Name, Step, StepKind, Stmt, StmtKind};
use std::collections::HashSet;

/// Something to report.
pub(super) struct Finding {
    pub code: Code,
    pub pos: Pos,
    pub message: String,
    pub help: String,
}

/// What names mean, as far as this check needs it.
#[derive(Clone, Copy)]
pub(super) struct Known<'c> {
    /// Whether a method of this name and number of arguments may change its target.
    pub changes: &'c dyn Fn(&Name, usize) -> bool,
    /// Whether some host value has a property of this name.
    pub of_host: &'c dyn Fn(&Name) -> bool,
}

/// Checks one function. Also gives the places where a variable that a closure shares is written through: it must hold a host value then.
pub(super) fn function(params: &[Name], body: &Block, known: Known) -> (Vec<Finding>, Vec<Pos>) {
    let mut check = Check {
        known,
        scopes: Vec::new(),
        next: 0,
        loops: Vec::new(),
        order: 0,
        assigned: Vec::new(),
        captured: Vec::new(),
        trusted: Vec::new(),
        guards: Vec::new(),
        out: Vec::new(),
    };
    for param in params {
        check.declare(param);
    }
    check.block(body);
    check.captures_stay();
    (check.out, check.guards)
}

/// One variable: two of the same name in different blocks are different.
struct Variable {
    name: Name,
    id: usize,
    /// How many loops were around it.
    loops: usize,
    /// Captured by the closure being checked: read only.
    captured: bool,
    /// It began as a map, so what is written into it stays there.
    map: bool,
}

struct Event {
    id: usize,
    name: Name,
    order: usize,
    loops: Vec<usize>,
    declared: usize,
    pos: Pos,
}

struct Check<'c> {
    known: Known<'c>,
    scopes: Vec<Variable>,
    next: usize,
    loops: Vec<usize>,
    order: usize,
    assigned: Vec<Event>,
    captured: Vec<Event>,
    /// Changes that are believed to change the host, and those of them that must.
    trusted: Vec<Event>,
    guards: Vec<Pos>,
    out: Vec<Finding>,
}

impl Check<'_> {
    fn report(&mut self, code: Code, pos: Pos, message: String, help: &str) {
        self.out.push(Finding {
            code,
            pos,
            message,
            help: help.to_string(),
        });
    }

    fn tick(&mut self) -> usize {
        self.order += 1;
        self.order
    }

    fn declare(&mut self, name: &Name) {
        self.next += 1;
        let (id, loops) = (self.next, self.loops.len());
        self.scopes.push(Variable {
            name: name.clone(),
            id,
            loops,
            captured: false,
            map: false,
        });
    }

    fn variable(&self, name: &Name) -> Option<&Variable> {
        self.scopes.iter().rev().find(|v| v.name == *name)
    }

    fn event(&mut self, name: &Name, pos: Pos) -> Option<Event> {
        let order = self.tick();
        let var = self.variable(name)?;
        Some(Event {
            id: var.id,
            name: name.clone(),
            order,
            loops: self.loops.clone(),
            declared: var.loops,
            pos,
        })
    }

    fn assign(&mut self, name: &Name, pos: Pos) {
        if self.variable(name).is_some_and(|v| v.captured) {
            self.report(
                Code::Capture,
                pos,
                format!("a closure cannot change `{name}`, which it captured"),
                "let the closure return the new value, or use a loop",
            );
        }
        if let Some(event) = self.event(name, pos) {
            self.assigned.push(event);
        }
    }

    fn block(&mut self, block: &Block) {
        let depth = self.scopes.len();
        for stmt in &block.stmts {
            self.stmt(stmt);
        }
        self.scopes.truncate(depth);
    }

    fn in_loop(&mut self, visit: impl FnOnce(&mut Self)) {
        let id = self.tick();
        self.loops.push(id);
        let depth = self.scopes.len();
        visit(self);
        self.scopes.truncate(depth);
        self.loops.pop();
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Empty | StmtKind::Continue => {}
            StmtKind::Let { name, value, .. } => {
                self.expr(value);
                self.declare(name);
                if let Some(declared) = self.scopes.last_mut() {
                    declared.map = matches!(value.kind, ExprKind::Map(_));
                }
            }
            StmtKind::Assign { target, value, .. } => {
                self.beside(&[target, value]);
                self.expr(value);
                match &target.kind {
                    ExprKind::Var(name) => self.assign(name, stmt.pos),
                    ExprKind::Chain { root, steps } => {
                        self.expr(target);
                        // Only a way of properties and indices leads back to the variable.
                        if let ExprKind::Var(name) = &root.kind
                            && !steps
                                .iter()
                                .any(|s| matches!(s.kind, StepKind::Method { .. }))
                        {
                            self.change(name, steps, stmt.pos);
                        }
                    }
                    _ => self.expr(target),
                }
            }
            StmtKind::Expr(e) => self.expr(e),
            StmtKind::While { cond, body } => self.in_loop(|check| {
                cond.iter().for_each(|c| check.expr(c));
                check.block(body);
            }),
            StmtKind::Do { body, cond, .. } => self.in_loop(|check| {
                check.block(body);
                check.expr(cond);
            }),
            StmtKind::For {
                var,
                counter,
                over,
                body,
            } => {
                self.expr(over);
                self.in_loop(|check| {
                    check.declare(var);
                    counter.iter().for_each(|c| check.declare(c));
                    check.block(body);
                });
            }
            StmtKind::Break(value) | StmtKind::Return(value) | StmtKind::Throw(value) => {
                value.iter().for_each(|v| self.expr(v));
            }
            StmtKind::Try { body, var, handler } => {
                self.block(body);
                let depth = self.scopes.len();
                var.iter().for_each(|v| self.declare(v));
                self.block(handler);
                self.scopes.truncate(depth);
            }
        }
    }

    /// A change inside a variable. Through a host value it changes the host, not the variable: so a property that host values have may be
    /// written (the machine makes sure that it is one). Behind an index that cannot be seen, and a closure is believed.
    fn change(&mut self, name: &Name, steps: &[Step], pos: Pos) {
        let trusted = match steps.first().map(|s| &s.kind) {
            Some(StepKind::Property(property)) => {
                (self.known.of_host)(property) && !self.variable(name).is_some_and(|v| v.map)
            }
            _ => {
                let inside = steps.iter().all(|s| matches!(s.kind, StepKind::Index(_)));
                !inside && self.variable(name).is_some_and(|v| v.captured)
            }
        };
        if !trusted {
            self.assign(name, pos);
        } else if self.variable(name).is_some_and(|v| v.captured) {
            self.guards.push(pos);
        } else if let Some(event) = self.event(name, pos) {
            self.trusted.push(event);
        }
    }

    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Interpolated(list)
            | ExprKind::Array(list)
            | ExprKind::Call { args: list, .. } => {
                self.beside(&list.iter().collect::<Vec<_>>());
            }
            ExprKind::Map(entries) => {
                self.beside(&entries.iter().map(|(_, _, e)| e).collect::<Vec<_>>())
            }
            ExprKind::Binary(_, a, b)
            | ExprKind::Range { from: a, to: b, .. }
            | ExprKind::In { item: a, list: b } => self.beside(&[a, b]),
            ExprKind::Chain { root, steps } => {
                let mut list: Vec<&Expr> = vec![root];
                for step in steps {
                    match &step.kind {
                        StepKind::Property(_) => {}
                        StepKind::Index(i) => list.push(i),
                        StepKind::Method { args, .. } => list.extend(args),
                    }
                }
                self.beside(&list);
            }
            _ => {}
        }
        match &e.kind {
            ExprKind::Closure(c) => self.closure(c, e.pos),
            ExprKind::Block(block) => self.block(block),
            ExprKind::If { cond, then, other } => {
                self.expr(cond);
                self.block(then);
                other.iter().for_each(|b| self.block(b));
            }
            ExprKind::Switch(switch) => {
                self.expr(&switch.item);
                for arm in &switch.arms {
                    arm.cond.iter().for_each(|c| self.expr(c));
                    self.block(&arm.body);
                }
                switch.default.iter().for_each(|b| self.block(b));
            }
            _ => tree::children(e, &mut |child| self.expr(child)),
        }
        if let Some((name, pos)) = changed_by_method(e, self.known.changes) {
            self.assign(name, pos);
        }
    }

    fn closure(&mut self, c: &Closure, pos: Pos) {
        for name in &c.captures {
            if let Some(event) = self.event(name, pos) {
                self.captured.push(event);
            }
        }
        let outer = std::mem::take(&mut self.scopes);
        let loops = std::mem::take(&mut self.loops);
        for name in &c.captures {
            if let Some(shared) = outer.iter().rev().find(|v| v.name == *name) {
                self.declare(name);
                let own = self.scopes.last_mut().expect("just declared");
                own.captured = true;
                own.map = shared.map;
            }
        }
        for param in &c.params {
            self.declare(param);
        }
        self.block(&c.body);
        self.scopes = outer;
        self.loops = loops;
    }

    /// In Rhai a captured variable is shared with the closure; here it is copied. So it must not change afterwards.
    fn captures_stay(&mut self) {
        let after = |changes: &[Event]| -> Vec<(Pos, Name)> {
            let mut found = Vec::new();
            for capture in &self.captured {
                for change in changes.iter().filter(|a| a.id == capture.id) {
                    let common = capture
                        .loops
                        .iter()
                        .zip(&change.loops)
                        .take_while(|(a, b)| a == b)
                        .count();
                    if change.order > capture.order || common > capture.declared {
                        found.push((change.pos, change.name.clone()));
                    }
                }
            }
            found
        };
        let (found, trusted) = (after(&self.assigned), after(&self.trusted));
        self.guards.extend(trusted.into_iter().map(|(pos, _)| pos));
        for (pos, name) in found {
            self.report(
                Code::Capture,
                pos,
                format!("`{name}` changes although a closure captured it"),
                "give the closure a variable of its own: `let copy = ..;` before it",
            );
        }
    }

    /// Expressions evaluated side by side: none may change a variable another one uses.
    fn beside(&mut self, list: &[&Expr]) {
        if list.len() < 2 {
            return;
        }
        for (i, e) in list.iter().enumerate() {
            let (mut blocks, mut methods) = (HashSet::new(), HashSet::new());
            changed(e, self.known.changes, &mut blocks, &mut methods);
            if blocks.is_empty() && methods.is_empty() {
                continue;
            }
            for (j, other) in list.iter().enumerate() {
                if i == j {
                    continue;
                }
                let clash = blocks.iter().find(|name| uses(other, name)).or_else(|| {
                    methods
                        .iter()
                        .find(|name| matches!(&other.kind, ExprKind::Var(v) if v == *name))
                });
                if let Some(name) = clash {
                    self.report(
                        Code::EvaluationOrder,
                        e.pos,
                        format!("this changes `{name}`, which is used beside it"),
                        "do it in a statement of its own, before",
                    );
                    return;
                }
            }
        }
    }
}

fn changed_by_method<'e>(
    e: &'e Expr,
    changes: &dyn Fn(&Name, usize) -> bool,
) -> Option<(&'e Name, Pos)> {
    match &e.kind {
        ExprKind::Chain { root, steps } => {
            let ExprKind::Var(name) = &root.kind else {
                return None;
            };
            let method = steps.iter().find_map(|s| match &s.kind {
                StepKind::Method { name, args } => Some((name, args.len(), s.pos)),
                _ => None,
            })?;
            changes(method.0, method.1).then_some((name, method.2))
        }
        ExprKind::Call {
            module: None,
            name,
            args,
        } => match args.first().map(|a| &a.kind) {
            Some(ExprKind::Var(first)) if changes(name, args.len() - 1) => Some((first, e.pos)),
            _ => None,
        },
        _ => None,
    }
}

/// Variables an expression changes: by statements in blocks, and by methods.
fn changed(
    e: &Expr,
    changes: &dyn Fn(&Name, usize) -> bool,
    blocks: &mut HashSet<Name>,
    methods: &mut HashSet<Name>,
) {
    if let Some((name, _)) = changed_by_method(e, changes) {
        methods.insert(name.clone());
    }
    let mut inside = |block: &Block| {
        let mut own = HashSet::new();
        let (mut assigned, mut called) = (HashSet::new(), HashSet::new());
        tree::walk_stmts(block, &mut |stmt| match &stmt.kind {
            StmtKind::Let { name, .. } => {
                own.insert(name.clone());
            }
            StmtKind::For { var, counter, .. } => {
                own.insert(var.clone());
                own.extend(counter.clone());
            }
            StmtKind::Assign { target, .. } => {
                let root = match &target.kind {
                    ExprKind::Chain { root, .. } => root,
                    _ => target,
                };
                if let ExprKind::Var(name) = &root.kind {
                    assigned.insert(name.clone());
                }
            }
            _ => {}
        });
        tree::walk_block(block, &mut |e| {
            if let Some((name, _)) = changed_by_method(e, changes) {
                called.insert(name.clone());
            }
        });
        blocks.extend(
            assigned
                .into_iter()
                .chain(called)
                .filter(|n| !own.contains(n)),
        );
    };
    match &e.kind {
        ExprKind::Closure(_) => {}
        ExprKind::Block(block) => inside(block),
        ExprKind::If { cond, then, other } => {
            inside(then);
            other.iter().for_each(&mut inside);
            changed(cond, changes, blocks, methods);
        }
        ExprKind::Switch(switch) => {
            switch
                .arms
                .iter()
                .map(|a| &a.body)
                .chain(&switch.default)
                .for_each(&mut inside);
            changed(&switch.item, changes, blocks, methods);
            for arm in &switch.arms {
                arm.cond
                    .iter()
                    .for_each(|c| changed(c, changes, blocks, methods));
            }
        }
        _ => tree::children(e, &mut |child| changed(child, changes, blocks, methods)),
    }
}

fn uses(e: &Expr, name: &Name) -> bool {
    let mut found = false;
    tree::walk_expr(e, &mut |e| {
        found |= matches!(&e.kind, ExprKind::Var(v) if v == name)
    });
    if !found {
        // An assignment alone counts too.
        let mut check = |stmt: &Stmt| {
            if let StmtKind::Assign { target, .. } = &stmt.kind {
                found |= matches!(&target.kind, ExprKind::Var(v) if v == name);
            }
        };
        if let ExprKind::Block(block) = &e.kind {
            tree::walk_stmts(block, &mut check);
        }
    }
    found
}
