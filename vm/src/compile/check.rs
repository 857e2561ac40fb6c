//! Refuses what would make the order of evaluation or the sharing of captured variables visible: there Rhai's rules surprise
//! people, and a copyable machine could not follow them.

mod order;
mod uses;

use crate::diagnostic::{Code, Pos};
use crate::tree::{
    self, Block, Closure, Expr, ExprKind, Name, Part, Step, StepKind, Stmt, StmtKind,
};
use std::collections::HashSet;
use uses::Uses;

/// Something to report.
pub(super) struct Finding {
    pub code: Code,
    pub pos: Pos,
    /// The variable it is about.
    pub name: Name,
    pub message: String,
    pub help: String,
}

/// What names mean, as far as this check needs it.
#[derive(Clone, Copy)]
pub(super) struct Known<'c> {
    /// Whether a method of this name, with these arguments, may change its target.
    pub changes: &'c dyn Fn(&Name, &[Expr]) -> bool,
    /// Whether some host value has a property of this name.
    pub of_host: &'c dyn Fn(&Name) -> bool,
    /// Whether a function of this name and number of arguments only runs the closures it is given.
    pub lends: &'c dyn Fn(&Name, usize) -> bool,
}

/// What was learned about a function, for those who lower it.
#[derive(Default)]
pub(super) struct Checked {
    /// Assignments through a variable that a closure shares: it must be known to hold a value of the host.
    pub shared: Vec<Pos>,
    /// Closures that are gone when the call they are written in ends.
    pub lent: HashSet<Pos>,
}

/// Checks one function.
pub(super) fn function(params: &[Name], body: &Block, known: Known) -> (Vec<Finding>, Checked) {
    let mut uses = Uses::default();
    tree::walk_block(body, &mut |e| uses.note(e, known));
    let mut check = Check {
        known,
        scopes: Vec::new(),
        next: 0,
        loops: Vec::new(),
        order: 0,
        assigned: Vec::new(),
        captured: Vec::new(),
        lent: Vec::new(),
        called: Vec::new(),
        trusted: Vec::new(),
        rounds: Vec::new(),
        confined: None,
        escaping: uses.escaping(),
        checked: Checked {
            shared: Vec::new(),
            lent: uses.lent,
        },
        out: Vec::new(),
    };
    for param in params {
        check.declare(param);
    }
    check.block(body);
    check.captures_stay();
    check.calls_change_no_copy();
    (check.out, check.checked)
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

impl Event {
    /// Whether this change may happen after a closure saw the variable: later in the text, or in the next round of a loop.
    fn comes_after(&self, seen: &Event, confined: bool) -> bool {
        let rounds = seen.loops.iter().zip(&self.loops);
        let common = rounds.take_while(|(a, b)| a == b).count();
        let next_round = common > seen.declared && !confined;
        self.id == seen.id && (self.order > seen.order || next_round)
    }
}

struct Check<'c> {
    known: Known<'c>,
    scopes: Vec<Variable>,
    next: usize,
    loops: Vec<usize>,
    order: usize,
    assigned: Vec<Event>,
    /// With whether the closure lasts no longer than the block it stands in.
    captured: Vec<(Event, bool)>,
    /// The same of closures that are gone when their call ends.
    lent: Vec<Event>,
    /// Changes by a function that is given the variable, `push(list, x)`, and its name.
    called: Vec<(Event, Name)>,
    /// Changes that are believed to change the host.
    trusted: Vec<Event>,
    /// Loops that give their variable its next value.
    rounds: Vec<Event>,
    /// Variables whose value may get somewhere else.
    escaping: HashSet<Name>,
    /// Where the closure stands that is about to be given to a variable from which it does not get away.
    confined: Option<Pos>,
    checked: Checked,
    out: Vec<Finding>,
}

impl Check<'_> {
    fn report_about(&mut self, name: &Name, code: Code, pos: Pos, message: String, help: &str) {
        self.out.push(Finding {
            code,
            pos,
            name: name.clone(),
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
            self.report_about(
                name,
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
                let confined = !self.escaping.contains(name);
                self.confined = confined.then_some(value.pos);
                self.expr(value);
                self.confined = None;
                self.declare(name);
                if let Some(declared) = self.scopes.last_mut() {
                    declared.map = matches!(value.kind, ExprKind::Map(_));
                }
            }
            StmtKind::Assign { target, value, .. } => {
                if !self.assigns_own_result(target, value) {
                    self.beside(&[target, value]);
                }
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
                // In Rhai all rounds share one variable, so every round changes it.
                let round: Vec<&Name> = std::iter::once(var).chain(counter).collect();
                round.iter().for_each(|name| self.declare(name));
                self.in_loop(|check| {
                    check.block(body);
                    for name in round {
                        if let Some(event) = check.event(name, stmt.pos) {
                            check.rounds.push(event);
                        }
                    }
                });
                self.scopes
                    .truncate(self.scopes.len() - 1 - counter.iter().count());
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

    /// `list = list.push(2)`
    fn assigns_own_result(&mut self, target: &Expr, value: &Expr) -> bool {
        let Some((changed, pos)) = order::changed_by_method(value, self.known.changes) else {
            return false;
        };
        if order::place_of(target).as_ref() != Some(&changed) {
            return false;
        }
        self.report_about(
            &changed,
            Code::EvaluationOrder,
            pos,
            format!(
                "this changes `{changed}` itself, and its result is assigned to `{changed}` as well"
            ),
            "leave out the assignment, or give the result a name of its own",
        );
        true
    }

    /// A change inside a variable. Through a host value it changes the host, not the variable: so a property that host values have may be
    /// written, if the types say later that it is one.
    fn change(&mut self, name: &Name, steps: &[Step], pos: Pos) {
        let trusted = match steps.first().map(|s| &s.kind) {
            Some(StepKind::Property(property)) => {
                (self.known.of_host)(property) && !self.variable(name).is_some_and(|v| v.map)
            }
            _ => false,
        };
        if !trusted {
            self.assign(name, pos);
        } else if self.variable(name).is_some_and(|v| v.captured) {
            self.checked.shared.push(pos);
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
            _ => tree::parts(e, &mut |part| match part {
                Part::Expr(child) => self.expr(child),
                Part::Block(block) => self.block(block),
            }),
        }
        if let Some((name, pos)) = order::changed_by_method(e, self.known.changes) {
            self.assign(&name, pos);
            if let ExprKind::Call { name: by, .. } = &e.kind {
                let event = self.event(&name, pos);
                self.called.extend(event.map(|event| (event, by.clone())));
            }
        }
    }

    fn closure(&mut self, c: &Closure, pos: Pos) {
        let kept = !self.checked.lent.contains(&pos);
        let confined = self.confined == Some(pos) && !uses::makes_closures(&c.body);
        for name in &c.captures {
            match self.event(name, pos) {
                Some(event) if kept => self.captured.push((event, confined)),
                event => self.lent.extend(event),
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
            for (capture, confined) in &self.captured {
                for change in changes {
                    if change.comes_after(capture, *confined) {
                        found.push((change.pos, change.name.clone()));
                    }
                }
            }
            found
        };
        let (found, trusted) = (after(&self.assigned), after(&self.trusted));
        let kept = |(_, name): &(Pos, Name)| {
            let captures = self.captured.iter().filter(|(c, _)| c.name == *name);
            captures.into_iter().any(|(_, confined)| !confined)
        };
        let rounds: Vec<(Pos, Name)> = after(&self.rounds).into_iter().filter(kept).collect();
        let shared = trusted.into_iter().map(|(pos, _)| pos);
        self.checked.shared.extend(shared);
        for (pos, name) in found {
            self.report_about(
                &name,
                Code::Capture,
                pos,
                format!("`{name}` changes although a closure captured it"),
                "give the closure a variable of its own: `let copy = ..;` before it",
            );
        }
        for (pos, name) in rounds {
            self.report_about(
                &name,
                Code::Capture,
                pos,
                format!("a closure captured `{name}`, which is another one in every round"),
                &format!("give the closure a variable of its own: `let own = {name};` before it"),
            );
        }
    }

    /// In Rhai a variable stays shared once a closure has seen it, and a function that is given it gets a copy; a method changes it.
    fn calls_change_no_copy(&mut self) {
        let called = std::mem::take(&mut self.called);
        for (change, by) in &called {
            if self.lent.iter().any(|seen| change.comes_after(seen, false)) {
                let name = &change.name;
                self.report_about(
                    name,
                    Code::Capture,
                    change.pos,
                    format!("`{by}` would change a copy: a closure has seen `{name}`"),
                    &format!("call it as a method: `{name}.{by}(..)`"),
                );
            }
        }
    }

    /// Expressions evaluated side by side: none may change a variable another one uses.
    fn beside(&mut self, list: &[&Expr]) {
        if list.len() < 2 {
            return;
        }
        for (i, e) in list.iter().enumerate() {
            let (blocks, methods) = order::changed(e, self.known.changes);
            if blocks.is_empty() && methods.is_empty() {
                continue;
            }
            for (j, other) in list.iter().enumerate() {
                if i == j {
                    continue;
                }
                let clash = blocks
                    .iter()
                    .find(|name| order::uses(other, name))
                    .or_else(|| {
                        methods
                            .iter()
                            .find(|name| order::place_of(other).as_ref() == Some(name))
                    });
                if let Some(name) = clash {
                    self.report_about(
                        name,
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
