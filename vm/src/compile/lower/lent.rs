//! Standard functions in the place of their calls, if the function they are given is written there: `cards.filter(|card| card.cost < 3)`
//! becomes a loop around the comparison. Nobody makes a function value, calls it for every item and returns from it; and what the
//! items are is known inside.

use super::calls::Arg;
use super::inline::Open;
use super::{Local, Loop, Lower, Val};
use crate::code::{Op, Reg};
use crate::compile::check::Checked;
use crate::host::{Host, Type};
use crate::program::Inlined;
use crate::tree::{
    Block, Closure, Expr, ExprKind, Name, Pos, Stmt, StmtKind, walk_block, walk_stmts,
};
use std::collections::HashSet;
use std::rc::Rc;

/// Expressions of a closure that is put in place.
const MOST_EXPRESSIONS: usize = 64;

/// What a body is lowered in: the names it sees, where its text stands, and the ways out of it.
pub(super) struct Surroundings {
    pub locals: Vec<Local>,
    pub unit: usize,
    pub file: u32,
    pub read: usize,
    pub this: bool,
    pub checked: Checked,
    pub reassigned: HashSet<Name>,
    pub assigned: HashSet<Name>,
    pub loops: Vec<Loop>,
    pub caught: Vec<(Reg, usize)>,
}

/// A closure given to a standard function that is being put in place.
pub(super) struct Lent {
    /// The parameter it is given as.
    name: Name,
    closure: Rc<Closure>,
    pos: Pos,
    /// Its function, for whoever needs it as a value and for who is told of a fault in it.
    function: u32,
    /// Names it may change: assigned to, or changed in any way.
    assigned: HashSet<Name>,
    changed: HashSet<Name>,
    /// Where it was written, while the standard function is lowered.
    home: Surroundings,
}

/// How far the lowering of a function had come.
struct Mark {
    code: usize,
    inlined: usize,
    functions: usize,
    compiled: usize,
    inlined_elsewhere: usize,
    told: usize,
    next: u16,
}

impl<H: Host> Lower<'_, '_, H> {
    /// Goes to other surroundings, and leaves the present ones there.
    pub(super) fn exchange(&mut self, other: &mut Surroundings) {
        use std::mem::swap;
        self.repeated += self.loops.len();
        swap(&mut self.locals, &mut other.locals);
        swap(&mut self.unit, &mut other.unit);
        swap(&mut self.file, &mut other.file);
        swap(&mut self.read, &mut other.read);
        swap(&mut self.this, &mut other.this);
        swap(&mut self.c.checked, &mut other.checked);
        swap(&mut self.reassigned, &mut other.reassigned);
        swap(&mut self.assigned, &mut other.assigned);
        swap(&mut self.loops, &mut other.loops);
        swap(&mut self.caught, &mut other.caught);
        self.repeated -= self.loops.len();
    }

    /// Puts a standard function that goes through a list in the place of its call, with the closure it is given.
    pub(super) fn lend(&mut self, f: u32, args: &[Arg], pos: Pos, d: Reg) -> Option<Val> {
        let standard = self.c.lenders.get(f as usize)?.clone()?;
        let [list, Arg::Expr(given)] = args else {
            return None;
        };
        let ExprKind::Closure(closure) = &given.kind else {
            return None;
        };
        if !self.has_room() || self.is_prelude() || !can_be_lent(closure) {
            return None;
        }
        let mark = self.mark();
        // A call that fails leaves in a variable what was there.
        let is_variable = self.this && d == 0 || self.locals.iter().any(|local| local.reg == d);
        let result = if is_variable { self.reg() } else { d };
        let (list, own) = self.list_to_go_through(*list, result);
        let function = self.function_of_closure(closure, given.pos);
        let told = self.c.out.len();
        let mut prelude = self.surroundings_of(&standard.body, standard.unit);
        prelude.file = standard.file;
        prelude.read = standard.read;
        prelude.locals.push(Local {
            name: standard.params[0].clone(),
            reg: list.reg,
            ty: list.ty,
            constant: false,
        });
        let from = self.here();
        self.exchange(&mut prelude);
        self.lent.push(Lent {
            name: standard.params[1].clone(),
            closure: Rc::new((**closure).clone()),
            pos: given.pos,
            function,
            assigned: assigned_names(&closure.body),
            changed: self.c.changed_names(&closure.body),
            home: prelude,
        });
        self.open.push(Open::new(f, result));
        let ty = self.block(&standard.body, Some(result));
        let open = self.open.pop()?;
        let mut home = self.lent.pop()?.home;
        self.exchange(&mut home);
        // Knowing more, the compiler may have found something wrong that only the machine would have met: then that is left to the machine.
        if self.c.out.len() > told {
            self.back_to(mark);
            return None;
        }
        self.patch(&open.ends);
        if let Some(d) = own {
            self.emit(Op::Unit { d });
        }
        self.let_go_of_lists(&open);
        self.inlined.push(Inlined {
            from,
            to: self.here(),
            function: f,
            at: pos,
        });
        self.pos = pos;
        if is_variable {
            self.emit(Op::Take { d, s: result });
        }
        self.next = mark.next.max(d as u16 + 1);
        let ty = if open.ends.is_empty() { ty } else { Type::Any };
        Some(Val { reg: d, ty })
    }

    /// Where the list stands, and its register if it has to be let go of afterwards: what is shared is copied when somebody changes it.
    fn list_to_go_through(&mut self, list: Arg, result: Reg) -> (Val, Option<Reg>) {
        if let Arg::Expr(e) = list
            && self.variable_of(list).is_none()
        {
            let own = self.reg();
            let val = self.expr(e, Some(own));
            return (val, (!matches!(val.ty, Type::Host(_))).then_some(own));
        }
        let val = self.arg(list);
        if val.reg != result {
            return (val, None);
        }
        let own = self.reg();
        self.emit(Op::Move { d: own, s: val.reg });
        (Val { reg: own, ..val }, Some(own))
    }

    /// What a body of this unit sees besides its parameters.
    pub(super) fn surroundings_of(&mut self, body: &Block, unit: usize) -> Surroundings {
        let (reassigned, assigned) = super::assigned_in(self.c, unit, body);
        Surroundings {
            locals: Vec::new(),
            unit,
            file: self.file,
            read: self.read,
            this: false,
            checked: Checked::default(),
            reassigned,
            assigned,
            loops: Vec::new(),
            caught: Vec::new(),
        }
    }

    /// The closure that a name of the standard function stands for.
    fn lent_as(&self, name: &Name) -> Option<&Lent> {
        let lent = self.lent.last().filter(|_| self.is_prelude())?;
        (lent.name == *name).then_some(lent)
    }

    fn lent_by(&self, e: &Expr) -> Option<&Lent> {
        match &e.kind {
            ExprKind::Var(name) => self.lent_as(name),
            _ => None,
        }
    }

    /// The closure as a value.
    pub(super) fn lent_value(&mut self, name: &Name, d: Reg) -> Option<Type> {
        let lent = self.lent_as(name)?;
        let (closure, pos, function) = (lent.closure.clone(), lent.pos, lent.function);
        self.at_home(|lower| {
            lower.pos = pos;
            lower.closure_value(&closure, function, d);
        })?;
        Some(Type::Fn)
    }

    /// Whether whoever goes through a list needs to count: only a closure of two parameters is told the index.
    pub(super) fn nobody_counts(&self) -> bool {
        let lent = self.lent.last().filter(|_| self.is_prelude());
        lent.is_some_and(|lent| lent.closure.params.len() < 2)
    }

    /// `call_each(f, item, index)` with a closure that is known: its body, here.
    pub(super) fn closure_in_place(&mut self, args: &[Arg], pos: Pos, d: Reg) -> Option<Type> {
        let [Arg::Expr(f), given @ ..] = args else {
            return None;
        };
        let closure = self.lent_by(f)?.closure.clone();
        let is_variable = self.locals.iter().any(|local| local.reg == d);
        let result = if is_variable { self.reg() } else { d };
        let (from, function) = self.enter_closure(given, result)?;
        let ty = self.at_home(|lower| lower.block(&closure.body, Some(result)))?;
        let ends = self.leave_closure(from, function, pos);
        if is_variable {
            self.emit(Op::Take { d, s: result });
        }
        Some(if ends { Type::Any } else { ty })
    }

    /// The same as a condition: it jumps if the closure answers `when`. Only for closures that are one expression.
    pub(super) fn closure_as_condition(&mut self, e: &Expr, when: bool) -> Option<Vec<usize>> {
        let ExprKind::Call {
            module: None,
            name,
            args,
        } = &e.kind
        else {
            return None;
        };
        let (f, given) = args.split_first()?;
        let closure = self.lent_by(f)?.closure.clone();
        let [
            Stmt {
                kind: StmtKind::Expr(answer),
                ..
            },
        ] = &closure.body.stmts[..]
        else {
            return None;
        };
        let mut returns = false;
        walk_stmts(&closure.body, &mut |stmt| {
            returns |= matches!(stmt.kind, StmtKind::Return(_));
        });
        if returns || &**name != "call_each" {
            return None;
        }
        let given: Vec<Arg> = given.iter().map(Arg::Expr).collect();
        let result = self.reg();
        let (from, function) = self.enter_closure(&given, result)?;
        let jumps = self.at_home(|lower| lower.cond(answer, when))?;
        self.leave_closure(from, function, e.pos);
        Some(jumps)
    }

    /// Makes the items the parameters of the closure, and says where its code begins.
    fn enter_closure(&mut self, given: &[Arg], result: Reg) -> Option<(u32, u32)> {
        let from = self.here();
        let lent = self.lent.last()?;
        let function = lent.function;
        let params: Vec<(Name, bool, bool)> = lent
            .closure
            .params
            .iter()
            .map(|name| {
                let (assigned, changed) = (&lent.assigned, &lent.changed);
                (
                    name.clone(),
                    assigned.contains(name),
                    changed.contains(name),
                )
            })
            .collect();
        let mut locals = Vec::with_capacity(params.len());
        for ((name, assigned, changed), arg) in params.into_iter().zip(given) {
            let val = self.arg(*arg);
            // No method changes which thing of the host a variable holds.
            let changed = match val.ty {
                Type::Host(_) => assigned,
                _ => changed,
            };
            let mut reg = val.reg;
            if changed {
                reg = self.reg();
                self.emit(Op::Move { d: reg, s: val.reg });
            }
            locals.push(Local {
                name,
                reg,
                ty: if changed { Type::Any } else { val.ty },
                constant: false,
            });
        }
        self.open.push(Open::new(function, result));
        self.lent.last_mut()?.home.locals.extend(locals);
        Some((from, function))
    }

    /// Whether there were other ways to its end than the last.
    fn leave_closure(&mut self, from: u32, function: u32, pos: Pos) -> bool {
        let Some(open) = self.open.pop() else {
            return false;
        };
        if let Some(lent) = self.lent.last_mut() {
            let outside = lent.home.locals.len() - lent.closure.params.len();
            lent.home.locals.truncate(outside);
        }
        self.patch(&open.ends);
        self.inlined.push(Inlined {
            from,
            to: self.here(),
            function,
            at: pos,
        });
        !open.ends.is_empty()
    }

    /// Lowers something where the closure was written. What lies around that is not lent meanwhile.
    fn at_home<T>(&mut self, what: impl FnOnce(&mut Self) -> T) -> Option<T> {
        let mut lent = self.lent.pop()?;
        self.exchange(&mut lent.home);
        // The loops and handlers around the call are not those of the closure.
        let loops = std::mem::take(&mut self.loops);
        let caught = std::mem::take(&mut self.caught);
        self.repeated += loops.len();
        let outcome = what(self);
        self.repeated -= loops.len();
        self.loops = loops;
        self.caught = caught;
        self.exchange(&mut lent.home);
        self.lent.push(lent);
        Some(outcome)
    }

    fn mark(&self) -> Mark {
        Mark {
            code: self.code.len(),
            inlined: self.inlined.len(),
            functions: self.c.program.functions.len(),
            compiled: self.c.program.code.len(),
            inlined_elsewhere: self.c.program.inlined.len(),
            told: self.c.out.len(),
            next: self.next,
        }
    }

    fn back_to(&mut self, mark: Mark) {
        self.code.truncate(mark.code);
        self.places.truncate(mark.code);
        self.inlined.truncate(mark.inlined);
        self.c.program.functions.truncate(mark.functions);
        self.c.program.code.truncate(mark.compiled);
        self.c.program.places.truncate(mark.compiled);
        self.c.program.inlined.truncate(mark.inlined_elsewhere);
        self.c.out.truncate(mark.told);
        self.next = mark.next;
    }
}

/// Variables that are assigned to, or that a method of the script may give another value.
fn assigned_names(body: &Block) -> HashSet<Name> {
    let mut assigned = HashSet::new();
    walk_stmts(body, &mut |stmt| {
        if let StmtKind::Assign { target, .. } = &stmt.kind
            && let ExprKind::Var(name) = &target.kind
        {
            assigned.insert(name.clone());
        }
    });
    assigned
}

/// Whether a closure may stand where it is called: short, and nothing in it that belongs to a function of its own. One with others inside
/// would be lowered twice at every level.
fn can_be_lent(closure: &Closure) -> bool {
    let (mut count, mut fits) = (
        0,
        !closure.uses_this && matches!(closure.params.len(), 1 | 2),
    );
    walk_block(&closure.body, &mut |e| {
        count += 1;
        fits &= !matches!(
            e.kind,
            ExprKind::Closure(_) | ExprKind::This | ExprKind::Wrong
        );
    });
    walk_stmts(&closure.body, &mut |stmt| {
        fits &= !matches!(stmt.kind, StmtKind::Try { .. });
    });
    fits && count <= MOST_EXPRESSIONS
}
