//! Methods: what they mean for their target, and those that change it where it stands.

use super::calls::Arg;
use super::{Lower, Val};
use crate::code::{Action, Op, PathStep, Reg};
use crate::diagnostic::Code;
use crate::host::{Access, Host, Type};
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
enum Changes {
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

/// Functions that Rhai also gives the name of a function, as a text.
const TAKE_NAMES: &[&str] = &[
    "map",
    "filter",
    "index_of",
    "some",
    "all",
    "dedup",
    "reduce",
    "reduce_rev",
    "sort",
    "drain",
    "retain",
];

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
    fn changes(&self, effect: Effect, method: Method, ty: Type) -> Changes {
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

    /// `PRICES.list.push(4)`: a constant cannot be changed, and nobody would see the change of a copy.
    pub(super) fn change_constant(
        &mut self,
        constant: &Name,
        root: Val,
        way: &[Step],
        method: Method,
        effect: Effect,
        d: Reg,
    ) -> Val {
        let on = if way.is_empty() { root.ty } else { Type::Any };
        match self.changes(effect, method, on) {
            Changes::Never => return self.change(root, way, method, effect, d),
            Changes::Maybe => {}
            Changes::Surely => self.error_about(
                constant,
                Code::ReadOnly,
                method.pos,
                format!("`{constant}` is a constant, and this would change it"),
                Some(format!("copy it first: `let own = {constant};`").into()),
            ),
        }
        // Only the machine sees whether it changes.
        let copy = Val {
            reg: self.reg(),
            ty: root.ty,
        };
        self.emit(Op::Move {
            d: copy.reg,
            s: root.reg,
        });
        let result = self.change(copy, way, method, effect, d);
        self.emit(Op::Unchanged {
            a: copy.reg,
            b: root.reg,
        });
        result
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

    /// A method that changes its target, which is `way` steps into the root.
    pub(super) fn change(
        &mut self,
        root: Val,
        way: &[Step],
        method: Method,
        effect: Effect,
        d: Reg,
    ) -> Val {
        let on = if way.is_empty() { root.ty } else { Type::Any };
        self.check_method(method.name, method.args.len(), on, method.pos);
        if self.changes(effect, method, on) == Changes::Surely {
            self.check_way(root.ty, way, method);
        }
        match effect {
            Effect::This(f) => self.call_bound(root, way, method, f, d),
            Effect::Change { f, host } => self.change_standard(root, way, method, f, host, d),
            Effect::None => unreachable!("only called with an effect"),
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
    fn check_way(&mut self, root: Type, way: &[Step], method: Method) {
        let name = method.name;
        let mut on = root;
        for step in way {
            let (Type::Host(id), StepKind::Property(property)) = (on, &step.kind) else {
                return;
            };
            let Some(decl) = self.c.tables.property_on(id, property) else {
                return;
            };
            if !matches!(decl.ty, Type::Host(_) | Type::Any) && !is_writable(&decl.access) {
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

    /// A script function, with the target bound to `this`.
    fn call_bound(&mut self, root: Val, way: &[Step], method: Method, f: u32, d: Reg) -> Val {
        let Method { name, args, pos } = method;
        if way.is_empty() && self.c.declared[f as usize].unit == self.c.prelude() {
            self.check_standard_receiver(name, root.ty, pos);
        }
        // Indices are needed again after the call, so they stand below the callee's window.
        let indices = self.row(way.len());
        let a = self.row(args.len() + 1);
        for (i, e) in args.iter().enumerate() {
            self.expr(e, Some(a + 1 + i as Reg));
        }
        let way: Vec<PathStep> = way
            .iter()
            .enumerate()
            .map(|(n, step)| match &step.kind {
                StepKind::Index(i) => PathStep::Index(self.expr(i, Some(indices + n as Reg)).reg),
                _ => self.way(std::slice::from_ref(step))[0],
            })
            .collect();
        self.pos = pos;
        let back = if way.is_empty() {
            self.emit(Op::Take { d: a, s: root.reg });
            Op::Take { d: root.reg, s: a }
        } else {
            let take = self.path(way.clone(), Action::Take);
            let put = self.path(way, Action::Put);
            let root = root.reg;
            self.emit(Op::Path {
                d: a,
                root,
                a: 0,
                k: take,
            });
            Op::Path {
                d: 0,
                root,
                a,
                k: put,
            }
        };
        if let Some(first) = args.first() {
            self.name_to_function(name, first, a + 1, a);
        }
        self.emit(Op::Call { d, a, f });
        self.emit(back);
        Val {
            reg: d,
            ty: Type::Any,
        }
    }

    fn change_standard(
        &mut self,
        root: Val,
        way: &[Step],
        method: Method,
        f: u16,
        host: bool,
        d: Reg,
    ) -> Val {
        let Method { name, args, pos } = method;
        let (a, n) = self.fill_row(args.iter());
        let end = host.then(|| self.host_instead(root, way, method, a, d));
        let way = self.way(way);
        self.pos = pos;
        let declaration = &self.c.tables.library[f as usize];
        let (result, receiver) = (declaration.result, declaration.receiver);
        if way.is_empty() {
            self.check_receiver(name, receiver, root.ty, pos);
            self.emit(Op::Change {
                d,
                root: root.reg,
                a,
                n,
                f,
            });
        } else {
            let k = self.path(way, Action::Change { f, n });
            self.emit(Op::Path {
                d,
                root: root.reg,
                a,
                k,
            });
        }
        self.patch(end.as_slice());
        Val {
            reg: d,
            ty: if host { Type::Any } else { result },
        }
    }

    /// Only the machine sees whether the target is the host's: then the host's function is called, and what follows is jumped over.
    fn host_instead(&mut self, root: Val, way: &[Step], method: Method, a: Reg, d: Reg) -> usize {
        let mut target = root;
        for step in way {
            let out = self.reg();
            target = self.step(target, step, out);
        }
        self.pos = method.pos;
        let is_host = self.emit(Op::JumpHost {
            a: target.reg,
            t: 0,
        });
        let own = self.emit(Op::Jump { t: 0 });
        self.patch(&[is_host]);
        let args = method.args.iter().enumerate();
        let list = std::iter::once(Arg::Val(target))
            .chain(args.map(|(i, e)| match &e.kind {
                ExprKind::Str(_) => Arg::Expr(e),
                _ => Arg::Val(Val {
                    reg: a + i as Reg,
                    ty: Type::Any,
                }),
            }))
            .collect();
        self.host_call(method.name, list, method.pos, d, None);
        let end = self.emit(Op::Jump { t: 0 });
        self.patch(&[own]);
        end
    }

    /// `pop(list)`, `map(list, f)`: in Rhai a function may change its first argument if that is a variable or `this`; of anything else
    /// it changes a copy.
    pub(super) fn call_on_first(
        &mut self,
        name: &Name,
        args: &[Expr],
        pos: Pos,
        d: Reg,
    ) -> Option<Val> {
        let (first, rest) = args.split_first()?;
        let own = &self.c.units[self.unit].functions;
        if own.contains_key(&(name.clone(), args.len())) || self.is_prelude() {
            return None;
        }
        let method = Method {
            name,
            args: rest,
            pos,
        };
        let place = self.is_place(first);
        let ty = match place {
            true => self.operand(first).ty,
            false => Type::Any,
        };
        let effect = self.effect(name, rest, ty);
        match effect {
            // A method of the script is not called like this.
            Effect::This(f) if self.c.declared[f as usize].unit != self.c.prelude() => return None,
            Effect::This(_) if self.c.tables.has_host_function(name, args.len()) => return None,
            Effect::None => return None,
            Effect::Change { .. } if !place => return None,
            _ => {}
        }
        if matches!(first.kind, ExprKind::Chain { .. })
            && self.c.runs_changer(self.unit, name, rest).is_none()
        {
            self.would_change_a_copy(name, pos);
        }
        let root = match place {
            true => self.operand(first),
            false => self.expr(first, None),
        };
        Some(match self.constant_name(first) {
            Some(name) => self.change_constant(&name, root, &[], method, effect, d),
            None => self.change(root, &[], method, effect, d),
        })
    }

    pub(super) fn would_change_a_copy(&mut self, name: &str, pos: Pos) {
        self.error_about(
            name,
            Code::Refused,
            pos,
            format!("`{name}(..)` would change a copy"),
            Some(format!("write it as a method: `value.{name}(..)`").into()),
        );
    }

    /// A text that names a function of this script stands for it, as in Rhai, where an array is gone through with it.
    pub(super) fn name_to_function(&mut self, name: &str, arg: &Expr, f: Reg, list: Reg) {
        if !self.may_name_function(name, arg) {
            return;
        }
        let most = if name == "index_of" { 2 } else { 3 };
        self.emit(Op::NamedFn {
            f,
            list,
            most,
            unit: self.unit as u16,
        });
    }

    pub(super) fn may_name_function(&mut self, name: &str, arg: &Expr) -> bool {
        if self.is_prelude() || !TAKE_NAMES.contains(&name) {
            return false;
        }
        let functions = &self.c.units[self.unit].functions;
        match &arg.kind {
            ExprKind::Str(text) => {
                let named = functions.keys().any(|(n, _)| n == text);
                if !named && name == "index_of" && self.is_standard(text) {
                    self.error_about(text,
                        Code::Refused,
                        arg.pos,
                        format!("`{text}` is also the name of a standard function, which Rhai would call"),
                        Some(format!("write `index_of(|x| x == \"{text}\")`").into()),
                    );
                }
                named
            }
            ExprKind::Closure(_)
            | ExprKind::FnName(_)
            | ExprKind::Unit
            | ExprKind::Bool(_)
            | ExprKind::Int(_)
            | ExprKind::Char(_)
            | ExprKind::Array(_)
            | ExprKind::Map(_)
            | ExprKind::Range { .. } => false,
            _ => true,
        }
    }

    /// Whether a standard function of this name could be called with an item.
    fn is_standard(&self, name: &str) -> bool {
        (1..=2).any(|n| self.c.tables.has_library_function(name, n))
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

pub(super) fn is_writable<H: Host>(access: &Access<H>) -> bool {
    match access {
        Access::Slot { writable, .. } => *writable,
        Access::Function { set, .. } => set.is_some(),
    }
}
