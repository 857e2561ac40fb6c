//! What values are, as far as it can be known before a script runs, and what an author would have meant where they cannot be that.
//!
//! One pass over all functions is repeated until nothing new is learned: a variable may be whatever is ever given to it, a parameter
//! whatever some call passes, a result whatever is returned. A function is looked at again only if something it looked at has changed. Then
//! a last pass looks for slips. What is not known is never complained about.

mod calls;
mod checks;
mod copies;
mod exprs;
mod places;
mod results;
mod ty;
mod wants;

use super::{Compiler, ReadFile};
use crate::diagnostic::{Advice, Code, Pos};
use crate::host::{DomainDecl, Host, Interface, Meaning};
use crate::tree::{Block, Expr, ExprKind, Name, Stmt, StmtKind};
use crate::value::Value;
use foldhash::fast::RandomState;
use places::Touched;
use std::collections::{BTreeSet, HashMap, HashSet};
use ty::Ty;

/// Passes over all functions; what is still growing then is taken as unknown.
const PASSES: usize = 24;

/// A slip, to be reported.
pub(super) struct Found {
    pub file: u32,
    pub pos: Pos,
    pub code: Code,
    pub message: String,
    pub help: Option<Advice>,
    /// The name it is about, as it stands there.
    pub name: Option<Name>,
    /// What the host calls the names it should be one of.
    pub of: Option<String>,
    /// It may be right all the same: a warning.
    pub may_be_meant: bool,
}

/// A variable: the function it is in, and where it is declared.
type Variable = (usize, Pos, Name);

struct Infer<'c, 'a, H: Host> {
    c: &'c Compiler<'a, H>,
    files: &'c [ReadFile],
    meaning: &'c Meaning<H>,
    /// What `type_of` may give; beside the host's domains it is number [`ty::TYPE_NAMES`].
    type_names: DomainDecl<H>,
    /// By function.
    params: Vec<Vec<Ty>>,
    results: Vec<Ty>,
    /// Whether a function may change something, and whether somebody wants its result.
    acts: Vec<bool>,
    /// By function: what it may change that variables of others hold without a copy.
    touches: Vec<Touched>,
    wanted: Vec<bool>,
    variables: HashMap<Variable, Ty, RandomState>,
    /// By unit, what its constants and those of the host are, as far as somebody asked.
    constants: Vec<HashMap<Name, Ty, RandomState>>,
    learned: bool,
    /// By function: whether there is something new to it, and who asked what it gives.
    stale: Vec<bool>,
    callers: Vec<BTreeSet<usize>>,
    /// Whether this is the last pass.
    telling: bool,
    found: Vec<Found>,
    /// Variables of the function at hand that somebody reads.
    looked_at: HashSet<Variable>,
    // The function at hand.
    function: usize,
    unit: usize,
    read: usize,
    scope: Vec<(Name, Variable)>,
    /// What `return` gives inside closures does not leave the function.
    closures: usize,
    /// Whether something was done that changes anything.
    acted: bool,
    touched: Touched,
    /// The call whose result nobody wants.
    dropping: Option<Pos>,
    /// Places that maps of the function at hand keep.
    kept_in_maps: Vec<places::KeptInMap>,
    /// Lists of views that something made: the name, where it is declared and worked out, and what gives a copy.
    kept_views: Vec<(Name, Pos, Pos, String)>,
    /// What parameters are used as, and which variables are parameters under another name.
    wants: wants::Wants,
    /// The parameter on the left of the method that is looked at.
    left: Option<wants::Left>,
    /// What expressions of the function at hand are, where somebody outside wants something of what it gives.
    seen: Option<HashMap<Pos, Ty>>,
}

/// What becomes of a value.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Taken {
    Wanted,
    /// A function gives it, and none of its callers asks what.
    Offered,
    Dropped,
}

/// The names `type_of` gives.
fn type_names<H: Host>(interface: &Interface<H>) -> DomainDecl<H> {
    let language = [
        "()", "bool", "i64", "char", "string", "array", "map", "range", "range=", "Fn",
    ];
    let host = interface.types.iter().map(|ty| ty.name.as_str());
    DomainDecl {
        what: "type".to_string(),
        names: language
            .into_iter()
            .chain(host)
            .map(|name| (name.to_string(), Value::Unit))
            .collect(),
        literal_only: false,
        open: false,
    }
}

/// Looks through all scripts.
pub(super) fn slips<H: Host>(
    c: &Compiler<'_, H>,
    files: &[ReadFile],
    meaning: &Meaning<H>,
) -> Vec<Found> {
    let count = c.declared.len();
    let mut infer = Infer {
        c,
        files,
        meaning,
        type_names: type_names(c.interface),
        params: c
            .declared
            .iter()
            .map(|d| vec![Ty::NOTHING; d.arity])
            .collect(),
        results: vec![Ty::NOTHING; count],
        acts: vec![false; count],
        touches: vec![Touched::default(); count],
        wanted: vec![false; count],
        variables: HashMap::default(),
        constants: vec![HashMap::default(); c.units.len()],
        learned: false,
        stale: vec![true; count],
        callers: vec![BTreeSet::new(); count],
        telling: false,
        found: Vec::new(),
        looked_at: HashSet::new(),
        function: 0,
        unit: 0,
        read: 0,
        scope: Vec::new(),
        closures: 0,
        acted: false,
        touched: Touched::default(),
        dropping: None,
        kept_in_maps: Vec::new(),
        kept_views: Vec::new(),
        wants: wants::Wants::default(),
        left: None,
        seen: None,
    };
    infer.open_functions();
    for pass in 0.. {
        infer.learned = false;
        infer.all_functions();
        if !infer.learned {
            break;
        }
        if pass == PASSES {
            return Vec::new();
        }
    }
    infer.wants.hand_on();
    infer.telling = true;
    infer.all_functions();
    infer.found
}

impl<'a, H: Host> Infer<'_, 'a, H> {
    /// Functions that somebody calls whom we do not see take what is said of them, or anything.
    fn open_functions(&mut self) {
        let mut called: HashSet<(Name, usize)> = HashSet::new();
        let mut pointed: HashSet<Name> = HashSet::new();
        // Not by those that a later layer replaced: nobody calls them any more.
        for declared in &self.c.declared {
            let function = &self.files[declared.file].tree.functions[declared.index];
            crate::tree::walk_block(&function.body, &mut |e| {
                calls::names(e, &mut called, &mut pointed)
            });
        }
        for (id, declared) in self.c.declared.iter().enumerate() {
            let key = (declared.name.to_string(), declared.arity);
            let given = self.meaning.called.get(&key);
            let seen = called.contains(&(declared.name.clone(), declared.arity));
            let unseen = pointed.contains(&declared.name) || !seen;
            self.wanted[id] = given.map_or(unseen, |called| called.wanted);
            for n in 0..declared.arity {
                if let Some(known) = given.and_then(|called| called.given.get(n)) {
                    self.params[id][n] = Ty::known(known);
                } else if unseen {
                    self.params[id][n] = Ty::ANY;
                }
            }
        }
    }

    fn all_functions(&mut self) {
        let prelude = self.c.prelude();
        for id in 0..self.c.declared.len() {
            let declared = &self.c.declared[id];
            if declared.unit == prelude || !(self.stale[id] || self.telling) {
                continue;
            }
            self.stale[id] = false;
            let function = &self.files[declared.file].tree.functions[declared.index];
            (self.function, self.unit, self.read) = (id, declared.unit, declared.file);
            (self.closures, self.acted) = (0, false);
            self.touched = Touched::default();
            self.scope.clear();
            for (n, name) in function.params.iter().enumerate() {
                self.name_is_free(name, function.pos);
                let ty = self.params[id][n].clone();
                self.declare(name, function.pos, ty);
                self.wants.parameter((id, function.pos, name.clone()), n);
            }
            self.seen = (self.telling && self.wanted_of(id).is_some()).then(HashMap::new);
            let ty = self.block(&function.body, self.taken(id));
            self.returned(&ty);
            if let Some(seen) = self.seen.take() {
                self.gives_what_is_wanted(id, function, &seen);
            }
            if self.acted && !self.acts[id] {
                self.acts[id] = true;
                self.tell_callers(id);
            }
            let touches = self.touches[id].with(self.touched);
            if touches != self.touches[id] {
                self.touches[id] = touches;
                self.tell_callers(id);
            }
            if self.telling {
                self.kept_places(&function.body);
                self.kept_lists_of_places(&function.body);
                self.kept_lists_of_views(&function.body);
                self.kept_maps_of_places(&function.body);
                self.changed_copies(function);
            }
        }
    }

    /// Who takes what the last line of a function gives.
    fn taken(&self, id: usize) -> Taken {
        let declared = &self.c.declared[id];
        let key = (declared.name.to_string(), declared.arity);
        match self.meaning.called.contains_key(&key) {
            _ if self.wanted[id] => Taken::Wanted,
            true => Taken::Dropped,
            false => Taken::Offered,
        }
    }

    fn tell(&mut self, code: Code, pos: Pos, message: String, help: Option<Advice>) {
        self.tell_of(None, code, pos, message, help);
    }

    /// As [`Infer::tell`], of a name the script uses.
    fn tell_of(
        &mut self,
        name: Option<Name>,
        code: Code,
        pos: Pos,
        message: String,
        help: Option<Advice>,
    ) {
        if !self.telling {
            return;
        }
        let file = self.files[self.read].file;
        self.found.push(Found {
            file,
            pos,
            code,
            message,
            help,
            name,
            of: None,
            may_be_meant: false,
        });
    }

    /// As [`Infer::tell_of`], about a name that is none of those it should be one of.
    fn tell_unknown(&mut self, name: &Name, of: String, pos: Pos, help: Option<Advice>) {
        let message = format!("unknown {of} `{name}`");
        let told = self.found.len();
        self.tell_of(Some(name.clone()), Code::UnknownName, pos, message, help);
        if let Some(found) = self.found.get_mut(told) {
            found.of = Some(of);
        }
    }

    fn returned(&mut self, ty: &Ty) {
        if self.closures > 0 {
            return;
        }
        let known = &self.results[self.function];
        let joined = known.join(&ty.doubted());
        if joined != *known {
            self.results[self.function] = joined;
            self.tell_callers(self.function);
        }
    }

    /// As [`Infer::tell`], of what may be right all the same.
    fn warn(&mut self, code: Code, pos: Pos, message: String, help: String) {
        let told = self.found.len();
        self.tell(code, pos, message, Some(help.into()));
        if let Some(found) = self.found.get_mut(told) {
            found.may_be_meant = true;
        }
    }

    /// There is something new to a function.
    fn learn(&mut self, function: usize) {
        self.stale[function] = true;
        self.learned = true;
    }

    /// What a function gives or does has changed.
    fn tell_callers(&mut self, function: usize) {
        for caller in &self.callers[function] {
            self.stale[*caller] = true;
        }
        self.learned = true;
    }

    fn declare(&mut self, name: &Name, pos: Pos, ty: Ty) {
        let variable = (self.function, pos, name.clone());
        self.given(&variable, &ty);
        self.scope.push((name.clone(), variable));
    }

    /// A variable gets a value.
    fn given(&mut self, variable: &Variable, ty: &Ty) {
        let Some(known) = self.variables.get_mut(variable) else {
            self.variables.insert(variable.clone(), ty.clone());
            if *ty != Ty::NOTHING {
                self.learn(variable.0);
            }
            return;
        };
        let joined = known.join(ty);
        if joined != *known {
            *known = joined;
            self.learn(variable.0);
        }
    }

    fn variable(&self, name: &Name) -> Option<&Variable> {
        let found = self.scope.iter().rev().find(|(n, _)| n == name)?;
        Some(&found.1)
    }

    /// What a block gives.
    fn block(&mut self, block: &Block, taken: Taken) -> Ty {
        let depth = self.scope.len();
        let mut ty = Ty::of(crate::host::Type::Unit);
        let last = block.stmts.len().wrapping_sub(1);
        for (i, stmt) in block.stmts.iter().enumerate() {
            let taken = if i == last { taken } else { Taken::Dropped };
            ty = self.stmt(stmt, taken);
        }
        if self.telling {
            self.looked_at_by_nobody(depth);
        }
        self.scope.truncate(depth);
        ty
    }

    fn stmt(&mut self, stmt: &Stmt, taken: Taken) -> Ty {
        use crate::host::Type;
        let unit = Ty::of(Type::Unit);
        match &stmt.kind {
            StmtKind::Empty | StmtKind::Continue => {}
            StmtKind::Let { name, value, .. } => {
                let ty = self.expr(value);
                self.gives_something(value, &ty, false);
                self.keeps_no_view(value, &ty);
                self.keeps_places(name, value, &ty, stmt.pos);
                self.keeps_views(name, value, &ty, stmt.pos);
                self.name_is_free(name, stmt.pos);
                self.declare(name, stmt.pos, ty);
                self.another_name(value, (self.function, stmt.pos, name.clone()), false);
            }
            StmtKind::Assign { target, op, value } => {
                let ty = self.expr(value);
                if op.is_none() {
                    self.gives_something(value, &ty, false);
                }
                if op.is_none() {
                    self.put_inside(target, value, &ty, stmt.pos);
                }
                self.assign(target, *op, &ty);
            }
            StmtKind::Expr(e) => {
                if taken != Taken::Wanted {
                    self.dropped(e, taken);
                    return unit;
                }
                return self.expr(e);
            }
            StmtKind::While { cond, body } => {
                cond.iter().for_each(|c| self.condition(c));
                self.block(body, Taken::Dropped);
                // `break value` may give anything.
                return Ty::ANY;
            }
            StmtKind::Do { body, cond, .. } => {
                self.block(body, Taken::Dropped);
                self.condition(cond);
                return Ty::ANY;
            }
            StmtKind::For {
                var,
                counter,
                over,
                body,
            } => {
                let list = self.expr(over);
                self.has_members(&list, over.pos);
                let member = self.member(&list);
                let depth = self.scope.len();
                self.name_is_free(var, stmt.pos);
                self.declare(var, stmt.pos, member);
                self.another_name(over, (self.function, stmt.pos, var.clone()), true);
                if let Some(counter) = counter {
                    self.declare(counter, stmt.pos, Ty::of(Type::Int));
                }
                self.block(body, Taken::Dropped);
                self.scope.truncate(depth);
                return Ty::ANY;
            }
            StmtKind::Return(value) => {
                let ty = value.as_ref().map_or(unit, |e| {
                    let ty = self.expr(e);
                    self.gives_something(e, &ty, true);
                    ty
                });
                self.returned(&ty);
                return Ty::NOTHING;
            }
            StmtKind::Break(value) | StmtKind::Throw(value) => {
                value.iter().for_each(|e| {
                    self.expr(e);
                });
                return Ty::NOTHING;
            }
            StmtKind::Try { body, var, handler } => {
                let ty = self.block(body, taken);
                let depth = self.scope.len();
                if let Some(var) = var {
                    self.declare(var, stmt.pos, Ty::ANY);
                }
                let other = self.block(handler, taken);
                self.scope.truncate(depth);
                return ty.join(&other);
            }
        }
        unit
    }

    /// An expression whose value nobody wants.
    fn dropped(&mut self, e: &Expr, taken: Taken) {
        match &e.kind {
            ExprKind::Block(block) => {
                self.block(block, taken);
            }
            ExprKind::If { cond, then, other } => {
                self.condition(cond);
                self.block(then, taken);
                other.iter().for_each(|b| {
                    self.block(b, taken);
                });
            }
            ExprKind::Switch(switch) => {
                self.switch(switch, taken);
            }
            _ => {
                let before = std::mem::take(&mut self.acted);
                self.dropping = match &e.kind {
                    ExprKind::Chain { steps, .. } => steps.last().map(|step| step.pos),
                    _ => Some(e.pos),
                };
                self.expr(e);
                self.dropping = None;
                self.answer_dropped(e);
                if !self.acted {
                    self.thrown_away(e);
                    self.left_standing(e, taken);
                    self.changed_in_vain(e);
                }
                self.acted |= before;
            }
        }
    }
}
