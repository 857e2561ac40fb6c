//! What a method does to its target, and where it must not.

use super::Lower;
use crate::diagnostic::Code;
use crate::host::{Host, Type};
use crate::parse::parameters;
use crate::tree::{Expr, ExprKind, Name, Pos, Step, StepKind};

/// What a method call in a chain does to its target.
#[derive(Clone, Copy)]
pub(super) enum Effect {
    /// A script function with `this`.
    This(u32),
    /// A standard function that changes its target; a host function of the same name may take its place.
    Change {
        f: u16,
        host: bool,
    },
    None,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Changes {
    Never,
    /// It runs a function that may change what is bound to `this`, or not.
    Maybe,
    Surely,
}

/// A method as it is written.
#[derive(Clone, Copy)]
pub(super) struct Method<'e> {
    pub name: &'e Name,
    pub args: &'e [Expr],
    pub pos: Pos,
}

/// The steps before the next method of a chain, and that method.
fn next_method(steps: &[Step]) -> Option<(&[Step], Method<'_>)> {
    let at = steps
        .iter()
        .position(|s| matches!(s.kind, StepKind::Method { .. }))?;
    let StepKind::Method { name, args } = &steps[at].kind else {
        return None;
    };
    let pos = steps[at].pos;
    Some((&steps[..at], Method { name, args, pos }))
}

/// What the standard functions that are scripts work on, if not on everything that has items.
fn receiver_fits(name: &str, ty: Type) -> bool {
    match name {
        "sort" | "sort_by" | "dedup" => ty == Type::Array,
        "retain" | "drain" => matches!(ty, Type::Array | Type::Map),
        "for_each" => matches!(ty, Type::Array | Type::Host(_)),
        "split" => matches!(ty, Type::Array | Type::Str),
        _ => true,
    }
}

impl<H: Host> Lower<'_, '_, H> {
    /// The next method of the chain and the way to its target, if it changes that or binds it to `this`.
    pub(super) fn change_ahead<'s>(
        &self,
        steps: &'s [Step],
        ty: Type,
    ) -> Option<(&'s [Step], Method<'s>, Effect)> {
        let (way, method) = next_method(steps)?;
        if steps.iter().take(way.len() + 1).skip(1).any(|s| s.safe) {
            return None;
        }
        let ty = if way.is_empty() { ty } else { Type::Any };
        match self.effect(method.name, method.args, ty) {
            Effect::None => None,
            effect => Some((way, method, effect)),
        }
    }

    pub(super) fn effect(&self, name: &Name, args: &[Expr], ty: Type) -> Effect {
        let n = args.len();
        let own = &self.c.units[self.unit].functions;
        let is_script = own.contains_key(&(name.clone(), n + 1));
        let hidden = name.starts_with("__") && !self.is_prelude();
        let method = self.c.method(self.unit, name, n).filter(|_| !hidden);
        if let Some(id) = method.or_else(|| self.c.runs_changer(self.unit, name, args))
            && !(is_script && method.is_none())
        {
            return Effect::This(id);
        }
        let host = self.c.tables.has_host_function(name, n + 1);
        match (self.c.tables.is_change(name, n + 1), ty) {
            (_, Type::Host(_)) if host => Effect::None,
            (Some(f), _) if !is_script && !hidden => Effect::Change {
                f,
                host: host && ty == Type::Any,
            },
            _ => Effect::None,
        }
    }

    /// Whether the target, of this type, is another one afterwards.
    pub(super) fn changes(&self, effect: Effect, method: Method, ty: Type) -> Changes {
        match effect {
            Effect::This(f) => {
                let declared = &self.c.declared[f as usize];
                let known = |arg: &Expr| {
                    matches!(
                        arg.kind,
                        ExprKind::Closure(_) | ExprKind::FnName(_) | ExprKind::Str(_)
                    )
                };
                match (&*declared.name, declared.changes_this) {
                    (_, false) => Changes::Never,
                    // A text is split without changing; an array loses what is split off.
                    ("split", _) if ty != Type::Array => Changes::Maybe,
                    (name, _) if name.starts_with("__") && !method.args.iter().any(known) => {
                        Changes::Maybe
                    }
                    _ => Changes::Surely,
                }
            }
            Effect::Change { .. } => Changes::Surely,
            Effect::None => Changes::Never,
        }
    }

    /// Refuses a method that Rhai would understand in another way.
    pub(super) fn check_method(&mut self, name: &Name, args: usize, on: Type, pos: Pos) {
        if self.is_prelude() {
            return;
        }
        let own = self.c.units[self.unit].functions.get(&(name.clone(), args));
        let also = self.c.tables.has_host_function(name, args + 1)
            || self.c.tables.has_library_function(name, args + 1)
            || self.c.method(self.unit, name, args).is_some();
        let hidden = own.is_some_and(|id| !self.c.declared[*id as usize].uses_this) && also;
        let callable = own.is_some() || also;
        if callable && self.c.function_keys.contains(name) && matches!(on, Type::Any | Type::Map) {
            self.error_about(name,
                Code::Refused,
                pos,
                format!("`{name}` might be a function kept in a map"),
                Some(format!(
                    "write `value.{name}.call(..)` to call that one, and `{name}(value, ..)` for the function of this name"
                ).into()),
            );
        }
        if hidden {
            self.error_about(name,
                Code::Refused,
                pos,
                format!(
                    "the function `{name}` of this script takes {}, so as a method either it or another `{name}` could be meant",
                    parameters(args)
                ),
                Some(format!(
                    "write `{name}(..)` with all arguments in the parentheses, or give the function of this script another name"
                ).into()),
            );
        }
    }

    /// What stands behind `?.` is looked at apart from its place, so a change would not reach it.
    pub(super) fn check_reached(&mut self, steps: &[Step], ty: Type) {
        let Some((way, method)) = next_method(steps) else {
            return;
        };
        let behind = steps.iter().take(way.len() + 1).skip(1).any(|s| s.safe);
        let effect = self.effect(method.name, method.args, ty);
        if behind && self.changes(effect, method, Type::Any) != Changes::Never {
            let name = method.name;
            self.error_about(
                name,
                Code::Refused,
                method.pos,
                format!("`{name}` behind `?.` would change a copy"),
                Some("test for `()` first, then call it".into()),
            );
        }
    }

    /// What the host hands out is a copy, and a change must go back to it.
    pub(super) fn check_way(&mut self, root: Type, way: &[Step], method: Method) {
        let name = method.name;
        let mut on = root;
        for step in way {
            let (Type::Host(id), StepKind::Property(property)) = (on, &step.kind) else {
                return;
            };
            let Some(decl) = self.c.tables.property_on(id, property) else {
                return;
            };
            if !matches!(decl.ty, Type::Host(_) | Type::Any) && !decl.access.is_writable() {
                let ty = self.c.tables.type_name(on).to_string();
                self.error_about(
                    property,
                    Code::ReadOnly,
                    method.pos,
                    format!(
                        "property `{property}` of {ty} cannot be set, and `{name}` would change it"
                    ),
                    Some("copy it with `let` first".into()),
                );
                return;
            }
            on = decl.ty;
        }
    }

    /// A standard function that is a script works on some types only.
    pub(super) fn check_standard_receiver(&mut self, name: &str, ty: Type, pos: Pos) {
        if ty != Type::Any && !receiver_fits(name, ty) {
            let found = self.c.tables.type_name(ty).to_string();
            self.error_about(
                name,
                Code::TypeMismatch,
                pos,
                format!("there is no `{name}` for {found}"),
                None,
            );
        }
    }
}
