//! Which functions are named by others: called, handed on as values, or written as a text that may become a call.

use super::{Declared, ReadFile};
use crate::tree::{
    Expr, ExprKind, Function, Name, StepKind, StmtKind, walk_block, walk_expr, walk_stmts,
};
use std::collections::{BTreeSet, HashMap, HashSet};

/// Who says what: of a function its number, of a constant nobody.
type Sayer = Option<usize>;

#[derive(Default)]
pub(super) struct Mentions {
    /// Names that are called with so many arguments.
    called: HashMap<(Name, usize), BTreeSet<Sayer>>,
    /// Names that stand for themselves: as a function value, as a text.
    said: HashMap<Name, BTreeSet<Sayer>>,
    /// Texts that look like a part of a name: `"effect_" + word`.
    parts: BTreeSet<Name>,
}

/// Of a function, its parameters and variables that are called like a function: whoever says one of them means that.
#[derive(Default)]
struct Variables(HashSet<Name>);

impl Variables {
    fn of(function: &Function, functions: &HashSet<&Name>) -> Variables {
        let mut own = Variables::default();
        let mut declare = |name: &Name| {
            if functions.contains(name) {
                own.0.insert(name.clone());
            }
        };
        function.params.iter().for_each(&mut declare);
        walk_stmts(&function.body, &mut |stmt| match &stmt.kind {
            StmtKind::Let { name, .. } => declare(name),
            StmtKind::For { var, counter, .. } => {
                declare(var);
                counter.iter().for_each(&mut declare);
            }
            StmtKind::Try { var, .. } => var.iter().for_each(&mut declare),
            _ => {}
        });
        walk_block(&function.body, &mut |e| {
            if let ExprKind::Closure(closure) = &e.kind {
                closure.params.iter().for_each(&mut declare);
            }
        });
        own
    }
}

/// Letters that a text needs to count as part of a name.
const SHORTEST_PART: usize = 4;

impl Mentions {
    pub fn of(declared: &[Declared], files: &[ReadFile]) -> Mentions {
        let mut mentions = Mentions::default();
        let names: HashSet<&Name> = declared.iter().map(|one| &one.name).collect();
        for (id, one) in declared.iter().enumerate() {
            let function = &files[one.file].tree.functions[one.index];
            let own = Variables::of(function, &names);
            walk_block(&function.body, &mut |e| mentions.hear(e, Some(id), &own));
        }
        for constant in files.iter().flat_map(|file| &file.tree.constants) {
            let own = Variables::default();
            walk_expr(&constant.value, &mut |e| mentions.hear(e, None, &own));
        }
        mentions
    }

    fn hear(&mut self, e: &Expr, sayer: Sayer, own: &Variables) {
        let mut call = |name: &Name, count: usize| {
            let known = self.called.entry((name.clone(), count)).or_default();
            known.insert(sayer);
        };
        match &e.kind {
            ExprKind::Call { name, args, .. } => call(name, args.len()),
            ExprKind::Chain { steps, .. } => {
                for step in steps {
                    if let StepKind::Method { name, args } = &step.kind {
                        call(name, args.len());
                        call(name, args.len() + 1);
                    }
                }
            }
            ExprKind::Var(name) if own.0.contains(name) => {}
            ExprKind::FnName(name) | ExprKind::Var(name) => self.say(name, sayer),
            ExprKind::Str(text) => {
                self.say(text, sayer);
                if text.len() >= SHORTEST_PART && (text.ends_with('_') || text.starts_with('_')) {
                    self.parts.insert(text.clone());
                }
            }
            _ => {}
        }
    }

    fn say(&mut self, name: &Name, sayer: Sayer) {
        self.said.entry(name.clone()).or_default().insert(sayer);
    }

    /// Whether anybody but the function itself leads to it.
    pub fn lead_to(&self, function: &Declared, id: usize) -> bool {
        let others = |sayers: &BTreeSet<Sayer>| sayers.iter().any(|sayer| *sayer != Some(id));
        let key = (function.name.clone(), function.arity);
        let part = |part: &Name| match part.ends_with('_') {
            true => function.name.starts_with(&**part),
            false => function.name.ends_with(&**part),
        };
        self.called.get(&key).is_some_and(others)
            || self.said.get(&function.name).is_some_and(others)
            || self.parts.iter().any(part)
    }
}
