//! What expressions give.

use super::calls::Receiver;
use super::places::goes_into;
use super::ty::Ty;
use super::{Infer, Taken};
use crate::diagnostic::Code;
use crate::host::{Host, Type};
use crate::library;
use crate::tree::{BinOp, Closure, Expr, ExprKind, Name, Step, StepKind, Switch, UnOp};
use std::rc::Rc;

impl<H: Host> Infer<'_, '_, H> {
    pub(super) fn expr(&mut self, e: &Expr) -> Ty {
        let ty = self.kind_of(e);
        if let Some(seen) = &mut self.seen {
            seen.insert(e.pos, ty.clone());
        }
        ty
    }

    fn kind_of(&mut self, e: &Expr) -> Ty {
        match &e.kind {
            ExprKind::Unit => Ty::of(Type::Unit),
            ExprKind::Bool(_) => Ty::of(Type::Bool),
            ExprKind::Int(_) => Ty::of(Type::Int),
            ExprKind::Char(_) => Ty::of(Type::Char),
            ExprKind::Str(text) => Ty::text(text),
            ExprKind::Interpolated(parts) => {
                self.exprs(parts);
                Ty::of(Type::Str)
            }
            ExprKind::Array(items) => {
                let members = self.exprs(items);
                Ty::list(members.iter().fold(Ty::NOTHING, |all, ty| all.join(ty)))
            }
            ExprKind::Map(entries) => {
                let fields = entries.iter();
                Ty::map(
                    fields
                        .map(|(key, _, value)| (key.clone(), self.expr(value)))
                        .collect(),
                )
            }
            ExprKind::Var(name) => {
                self.stands(e);
                self.named(name)
            }
            ExprKind::Qualified(module, name) => self.qualified(module, name),
            ExprKind::This | ExprKind::Wrong => Ty::ANY,
            ExprKind::Call { module, name, args } => {
                let types = self.args(name, None, args);
                self.call(module.as_ref(), name, None, args, types, e.pos)
            }
            ExprKind::Chain { root, steps } => self.chain(root, steps),
            ExprKind::Unary(op, a) => {
                let ty = self.expr(a);
                match op {
                    UnOp::Not => Ty::of(Type::Bool),
                    UnOp::Neg | UnOp::Plus => ty,
                }
            }
            ExprKind::Binary(op, a, b) => {
                let (x, y) = (self.expr(a), self.expr(b));
                if op.is_equality() || op.is_order() {
                    self.equals(a, &x, b, &y);
                    self.compared(*op, (a, &x), (b, &y), e.pos);
                    return Ty::of(Type::Bool);
                }
                self.combined(*op, &x, &y)
            }
            ExprKind::And(list) | ExprKind::Or(list) => {
                list.iter().for_each(|e| self.condition(e));
                Ty::of(Type::Bool)
            }
            ExprKind::Coalesce(list) => {
                let types = self.exprs(list);
                let last = types.len().wrapping_sub(1);
                let each = types.iter().enumerate();
                each.fold(Ty::NOTHING, |all, (i, ty)| {
                    all.join(&if i == last { ty.clone() } else { ty.some() })
                })
            }
            ExprKind::Range { from, to, .. } => {
                self.expr(from);
                self.expr(to);
                Ty::of(Type::Range)
            }
            ExprKind::In { item, list } => {
                let (item_ty, list_ty) = (self.expr(item), self.expr(list));
                self.is_among(item, &item_ty, list, &list_ty);
                self.is_member(item, &item_ty, &list_ty, e.pos);
                Ty::of(Type::Bool)
            }
            ExprKind::Closure(c) => {
                let any = vec![Ty::ANY; c.params.len()];
                self.closure(c, &any, e.pos);
                Ty::of(Type::Fn)
            }
            ExprKind::FnName(_) => Ty::of(Type::Fn),
            ExprKind::Block(block) => self.block(block, Taken::Wanted),
            ExprKind::If { cond, then, other } => {
                self.condition(cond);
                let ty = self.block(then, Taken::Wanted);
                let unit = Ty::of(Type::Unit);
                let other = other
                    .as_ref()
                    .map_or(unit, |b| self.block(b, Taken::Wanted));
                ty.join(&other)
            }
            ExprKind::Switch(switch) => self.switch(switch, Taken::Wanted),
        }
    }

    /// What must be true or false.
    pub(super) fn condition(&mut self, e: &Expr) {
        let ty = self.expr(e);
        if self.telling && !ty.is_unknown() && !ty.may_be(Type::Bool) {
            let found = self.described(&ty);
            let message = format!("expected true or false, found {found}");
            self.tell(Code::TypeMismatch, e.pos, message, None);
        }
    }

    fn exprs(&mut self, list: &[Expr]) -> Vec<Ty> {
        list.iter().map(|e| self.expr(e)).collect()
    }

    pub(super) fn switch(&mut self, switch: &Switch, taken: Taken) -> Ty {
        let item = self.expr(&switch.item);
        self.switched(switch);
        self.cases(switch, &item);
        let mut ty = Ty::NOTHING;
        for arm in &switch.arms {
            if let Some(cond) = &arm.cond {
                self.expr(cond);
            }
            ty = ty.join(&self.block(&arm.body, taken));
        }
        let unit = Ty::of(Type::Unit);
        let other = switch.default.as_ref();
        ty.join(&other.map_or(unit, |b| self.block(b, taken)))
    }

    /// A closure whose parameters are known; what it returns.
    pub(super) fn closure(&mut self, c: &Closure, given: &[Ty], pos: crate::diagnostic::Pos) -> Ty {
        let depth = self.scope.len();
        for (n, name) in c.params.iter().enumerate() {
            self.name_is_free(name, pos);
            self.declare(name, pos, given.get(n).cloned().unwrap_or(Ty::ANY));
        }
        self.closures += 1;
        let ty = self.block(&c.body, Taken::Wanted);
        self.closures -= 1;
        self.scope.truncate(depth);
        // `return` inside of it may give something else.
        let mut returns = false;
        crate::tree::walk_stmts(&c.body, &mut |s| {
            returns |= matches!(s.kind, crate::tree::StmtKind::Return(_));
        });
        if returns { Ty::ANY } else { ty }
    }

    fn named(&mut self, name: &Name) -> Ty {
        if let Some(variable) = self.variable(name) {
            let ty = self.variables.get(variable).cloned().unwrap_or(Ty::ANY);
            if self.telling {
                let variable = variable.clone();
                self.looked_at.insert(variable);
            }
            return ty;
        }
        if let Some(known) = self.constants[self.unit].get(name) {
            return known.clone();
        }
        let own = self.c.units[self.unit].constants.get(name);
        let mut host = self.c.interface.constants.iter();
        let value = own.or_else(|| Some(&host.find(|c| c.name == **name)?.value));
        let ty = value.map_or(Ty::ANY, |value| self.of_value(value));
        self.constants[self.unit].insert(name.clone(), ty.clone());
        ty
    }

    fn qualified(&mut self, module: &Name, name: &Name) -> Ty {
        let unit = self.c.imports[self.read].get(module);
        let value = unit.and_then(|unit| self.c.units[*unit].constants.get(name));
        value.map_or(Ty::ANY, |value| self.of_value(value))
    }

    pub(super) fn of_value(&self, value: &crate::value::Value<H::Object>) -> Ty {
        let host = |value: &crate::value::Value<H::Object>| {
            let found = self.c.program.host_type(value);
            found.map_or(Type::Any, Type::Host)
        };
        Ty::value::<H>(value, &host)
    }

    /// What a loop over it, or an index, gives.
    pub(super) fn member(&self, ty: &Ty) -> Ty {
        let types = ty.types(self.c.interface);
        if types.is_empty() {
            return Ty::ANY;
        }
        let each = types.iter().map(|one| match one {
            Type::Array => ty.member.as_deref().cloned().unwrap_or(Ty::ANY),
            Type::Str => Ty::of(Type::Char),
            Type::Range => Ty::of(Type::Int),
            Type::Host(id) => Ty::of(self.c.interface.types[id.0 as usize].member),
            _ => Ty::ANY,
        });
        each.fold(Ty::NOTHING, |all, ty| all.join(&ty))
    }

    fn chain(&mut self, root: &Expr, steps: &[Step]) -> Ty {
        let mut ty = self.expr(root);
        let mut safe = false;
        for (n, step) in steps.iter().enumerate() {
            safe |= step.safe;
            ty = match &step.kind {
                StepKind::Property(name) => self.property(&ty, name),
                StepKind::Index(i) => {
                    self.expr(i);
                    self.indexed(&ty, i)
                }
                StepKind::Method { name, args } => {
                    self.left = self.left_of_method(root).filter(|_| n == 0);
                    let types = self.args(name, Some(&ty), args);
                    let before = ty.clone();
                    if let ("push" | "insert", Some(item), Some(added)) =
                        (&**name, args.last(), types.last())
                        && ty.is(Type::Array)
                    {
                        self.added_is_no_view(added, item.pos);
                    }
                    let written = written(root, &steps[..n]);
                    let receiver = Receiver {
                        written: written.as_deref(),
                    };
                    let gives = self.call(None, name, Some(receiver), args, types, step.pos);
                    if let (0, ExprKind::Var(variable)) = (n, &root.kind) {
                        self.changed_by(variable, name, args, &before);
                    }
                    gives
                }
            };
        }
        if safe { ty.or_unit() } else { ty }
    }

    fn indexed(&self, ty: &Ty, index: &Expr) -> Ty {
        if ty.is(Type::Map) {
            return match (&ty.fields, &index.kind) {
                (Some(fields), ExprKind::Str(key)) => fields.get(key).cloned().unwrap_or(Ty::ANY),
                _ => Ty::ANY,
            };
        }
        if ty.may_be(Type::Map) {
            return Ty::ANY;
        }
        match &index.kind {
            ExprKind::Range { .. } => Ty::ANY,
            _ => self.member(ty),
        }
    }

    pub(super) fn property(&self, ty: &Ty, name: &Name) -> Ty {
        let mut types = ty.types(self.c.interface);
        if types.is_empty() {
            // Whatever it is, if no map has such a key it is something of the host.
            let declared = self.c.tables.properties(name);
            if self.c.keys.contains(name) || declared.is_empty() {
                return Ty::ANY;
            }
            types = declared.iter().map(|p| Type::Host(p.on)).collect();
        }
        let each = types.iter().map(|one| match one {
            Type::Map => {
                let fields = ty.fields.as_ref();
                let found = fields.and_then(|fields| fields.get(name));
                found.cloned().unwrap_or(Ty::ANY)
            }
            Type::Host(id) => {
                let key = (*id, name.to_string());
                match (
                    self.meaning.properties.get(&key),
                    self.c.tables.property_on(*id, name),
                ) {
                    (Some(known), _) => Ty::known(known),
                    (None, Some(declared)) => Ty::of(declared.ty),
                    _ if matches!(&**name, "len") => Ty::of(Type::Int),
                    _ if matches!(&**name, "is_empty") => Ty::of(Type::Bool),
                    // A fault when it runs; another type of the union may have it.
                    _ if types.len() > 1 => Ty::NOTHING,
                    _ => Ty::ANY,
                }
            }
            other => library::property_type(*other, name).map_or(Ty::ANY, Ty::of),
        });
        let found = each.fold(Ty::NOTHING, |all, ty| all.join(&ty));
        if found.is_unknown() {
            return Ty::ANY;
        }
        // A list has a length; what a map has under a key is not known to be there.
        let of_host = types.iter().all(|ty| matches!(ty, Type::Host(_)));
        Ty {
            property: Some(name.clone()),
            sure: found.sure || of_host && self.is_always_there(&found),
            ..found
        }
    }

    /// What an assignment does to the variable it goes into.
    pub(super) fn assign(&mut self, target: &Expr, op: Option<BinOp>, ty: &Ty) {
        match &target.kind {
            ExprKind::Var(name) => {
                let Some(variable) = self.variable(name).cloned() else {
                    return;
                };
                let before = self.variables.get(&variable).cloned().unwrap_or(Ty::ANY);
                let new = match op {
                    None => ty.clone(),
                    Some(_) if before.is(Type::Array) => appended(&before, ty),
                    Some(op) => self.combined(op, &before, ty),
                };
                self.given(&variable, &new);
            }
            ExprKind::Chain { root, steps } => {
                self.expr(target);
                self.assigned(target);
                self.kept_in(root, steps, op, ty);
                self.touched.views |= goes_into(target);
                let ExprKind::Var(name) = &root.kind else {
                    self.acted = true;
                    return;
                };
                let Some(variable) = self.variable(name).cloned() else {
                    self.acted = true;
                    return;
                };
                let before = self.variables.get(&variable).cloned().unwrap_or(Ty::ANY);
                let types = before.types(self.c.interface);
                let own = !types.is_empty() && !types.iter().any(|t| matches!(t, Type::Host(_)));
                self.acted |= !own;
                let after = match (&before, &steps[..]) {
                    (_, [step]) if before.is(Type::Map) && key_of(step).is_some() => {
                        with_key(&before, key_of(step), ty)
                    }
                    (_, [step])
                        if before.is(Type::Array) && matches!(step.kind, StepKind::Index(_)) =>
                    {
                        appended(&before, ty)
                    }
                    _ if before.may_be(Type::Map) || before.may_be(Type::Array) => {
                        forgotten(&before)
                    }
                    _ => return,
                };
                self.given(&variable, &after);
            }
            _ => {
                self.expr(target);
                self.acted = true;
            }
        }
    }

    /// A method that changes the variable it is called on.
    fn changed_by(&mut self, name: &Name, method: &Name, args: &[Expr], before: &Ty) {
        let Some(variable) = self.variable(name).cloned() else {
            return;
        };
        if self.this_method(method, args.len()).is_some() {
            self.given(&variable, &Ty::ANY);
            return;
        }
        if self.c.tables.is_change(method, args.len() + 1).is_none() {
            return;
        }
        let after = match (&**method, args) {
            ("push", [item]) | ("insert", [_, item]) if before.is(Type::Array) => {
                let item = self.quietly(item);
                Ty::list(item)
            }
            ("append", [list]) if before.is(Type::Array) => {
                let list = self.quietly(list);
                appended(before, &list)
            }
            (
                "pop" | "shift" | "remove" | "clear" | "truncate" | "chop" | "reverse" | "sort"
                | "sort_desc" | "dedup" | "drain" | "retain",
                _,
            ) => return,
            _ => forgotten(before),
        };
        self.given(&variable, &after);
    }

    /// What an operator gives.
    fn combined(&self, op: BinOp, a: &Ty, b: &Ty) -> Ty {
        if a.is(Type::Int) && b.is(Type::Int) {
            return Ty::of(Type::Int);
        }
        if op == BinOp::Add && (a.is(Type::Str) || b.is(Type::Str)) {
            return Ty::of(Type::Str);
        }
        // Sets of the host give sets again.
        match a.types(self.c.interface)[..] {
            [Type::Host(id)] if self.c.interface.types[id.0 as usize].member != Type::Any => {
                Ty::of(Type::Host(id))
            }
            _ => Ty::ANY,
        }
    }

    /// The type of something that has been looked at already.
    pub(super) fn quietly_chain(&mut self, root: &Expr, steps: &[Step]) -> Ty {
        let telling = std::mem::take(&mut self.telling);
        let ty = self.chain(root, steps);
        self.telling = telling;
        ty
    }

    pub(super) fn quietly(&mut self, e: &Expr) -> Ty {
        let telling = std::mem::take(&mut self.telling);
        let ty = self.expr(e);
        self.telling = telling;
        ty
    }
}

/// A variable, or properties of properties of one: what is written the same way twice in one call is the same thing.
pub(super) fn path(e: &Expr) -> Option<String> {
    match &e.kind {
        ExprKind::Var(name) => Some(name.to_string()),
        ExprKind::Chain { root, steps } => written(root, steps),
        _ => None,
    }
}

fn written(root: &Expr, steps: &[Step]) -> Option<String> {
    let mut path = path(root)?;
    for step in steps {
        let StepKind::Property(name) = &step.kind else {
            return None;
        };
        path += ".";
        path += name;
    }
    Some(path)
}

/// The key of a map that a step names. What is written in brackets may be any, and so may what stands there.
fn key_of(step: &Step) -> Option<&Name> {
    match &step.kind {
        StepKind::Property(name) => Some(name),
        _ => None,
    }
}

/// A map in which something may stand under one more key.
fn with_key(map: &Ty, key: Option<&Name>, ty: &Ty) -> Ty {
    let (Some(key), Some(known)) = (key, &map.fields) else {
        return map.clone();
    };
    let mut fields = (**known).clone();
    let before = fields.get(key).map(|known| known.join(ty));
    fields.insert(key.clone(), before.unwrap_or_else(|| ty.doubted()));
    let map = Ty {
        fields: Some(Rc::new(fields)),
        ..map.clone()
    };
    map.bounded()
}

/// The same types, and nothing known of what is inside.
fn forgotten(ty: &Ty) -> Ty {
    Ty {
        member: None,
        fields: None,
        ..ty.clone()
    }
}

/// An array with something added: an array's members, or the thing itself.
fn appended(list: &Ty, added: &Ty) -> Ty {
    if added.is_any() {
        return forgotten(list);
    }
    let new = match (added.is(Type::Array), &added.member) {
        (true, Some(member)) => (**member).clone(),
        (true, None) => Ty::ANY,
        _ if added.may_be(Type::Array) => Ty::ANY,
        _ => added.clone(),
    };
    let member = list.member.as_ref().map(|m| Rc::new(m.join(&new)));
    Ty {
        member,
        ..list.clone()
    }
}
