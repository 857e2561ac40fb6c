//! Methods: what they mean for their target, and those that change it where it stands.

use super::calls::Arg;
use super::{Lower, Val};
use crate::code::{Action, Op, PathStep, Reg};
use crate::diagnostic::Code;
use crate::host::{Host, Type};
use crate::parse::parameters;
use crate::tree::{ExprKind, Name, Pos, Step, StepKind};

/// What a method call in a chain does to its target.
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

impl<H: Host> Lower<'_, '_, H> {
    /// The next method of the chain, if it changes what the steps before it lead to.
    pub(super) fn change_ahead(&self, steps: &[Step], ty: Type) -> Option<(usize, Effect)> {
        let method = steps
            .iter()
            .position(|s| matches!(s.kind, StepKind::Method { .. }))?;
        if steps[1..].iter().take(method).any(|s| s.safe) {
            return None;
        }
        let StepKind::Method { name, args } = &steps[method].kind else {
            return None;
        };
        let ty = if method == 0 { ty } else { Type::Any };
        match self.effect(name, args.len(), ty) {
            Effect::None => None,
            effect => Some((method, effect)),
        }
    }

    pub(super) fn effect(&self, name: &Name, args: usize, ty: Type) -> Effect {
        if let Some(id) = self.method(name, args) {
            return Effect::This(id);
        }
        let is_script = self.c.units[self.unit]
            .functions
            .contains_key(&(name.clone(), args + 1));
        let host = self.c.tables.has_host_function(name, args + 1);
        match (self.c.tables.is_change(name, args + 1), ty) {
            (_, Type::Host(_)) if host => Effect::None,
            (Some(f), _) if !is_script => Effect::Change {
                f,
                host: host && ty == Type::Any,
            },
            _ => Effect::None,
        }
    }

    /// A script function of this unit or the prelude that uses `this`.
    pub(super) fn method(&self, name: &Name, args: usize) -> Option<u32> {
        let key = (name.clone(), args);
        [self.unit, self.c.prelude()]
            .into_iter()
            .filter_map(|unit| self.c.units[unit].functions.get(&key).copied())
            .find(|id| self.c.declared[*id as usize].uses_this)
    }

    /// Refuses a method that Rhai would understand in another way.
    pub(super) fn check_method(&mut self, name: &Name, args: usize, on: Type, pos: Pos) {
        if self.is_prelude() {
            return;
        }
        let own = self.c.units[self.unit].functions.get(&(name.clone(), args));
        let also = self.c.tables.has_host_function(name, args + 1)
            || self.c.tables.has_library_function(name, args + 1)
            || self.method(name, args).is_some();
        let hidden = own.is_some_and(|id| !self.c.declared[*id as usize].uses_this) && also;
        let callable = own.is_some() || also;
        if callable && self.c.function_keys.contains(name) && matches!(on, Type::Any | Type::Map) {
            self.error(
                Code::Refused,
                pos,
                format!("`{name}` might be a function kept in a map"),
                Some(format!(
                    "write `value.{name}.call(..)` to call that one, and `{name}(value, ..)` for the function of this name"
                )),
            );
        }
        if hidden {
            self.error(
                Code::Refused,
                pos,
                format!(
                    "the function `{name}` of this script takes {}, so as a method either it or another `{name}` could be meant",
                    parameters(args)
                ),
                Some(format!(
                    "write `{name}(..)` with all arguments in the parentheses, or give the function of this script another name"
                )),
            );
        }
    }

    /// A method that changes its target, which is `way` steps into the root.
    pub(super) fn change(
        &mut self,
        root: Val,
        way: &[Step],
        method: &Step,
        effect: Effect,
        d: Reg,
    ) -> Val {
        let StepKind::Method { name, args } = &method.kind else {
            unreachable!("found as a method")
        };
        let on = if way.is_empty() { root.ty } else { Type::Any };
        self.check_method(name, args.len(), on, method.pos);
        match effect {
            Effect::This(f) => {
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
                        StepKind::Index(i) => {
                            PathStep::Index(self.expr(i, Some(indices + n as Reg)).reg)
                        }
                        _ => self.way(std::slice::from_ref(step))[0],
                    })
                    .collect();
                self.pos = method.pos;
                if way.is_empty() {
                    self.emit(Op::Take { d: a, s: root.reg });
                    self.emit(Op::Call { d, a, f });
                    self.emit(Op::Take { d: root.reg, s: a });
                } else {
                    let take = self.path(way.clone(), Action::Take);
                    let put = self.path(way, Action::Put);
                    self.emit(Op::Path {
                        d: a,
                        root: root.reg,
                        a: 0,
                        k: take,
                    });
                    self.emit(Op::Call { d, a, f });
                    self.emit(Op::Path {
                        d: 0,
                        root: root.reg,
                        a,
                        k: put,
                    });
                }
                Val {
                    reg: d,
                    ty: Type::Any,
                }
            }
            Effect::Change { f, host } => {
                let (a, n) = self.fill_row(args.iter());
                let mut end = None;
                if host {
                    // Only the machine sees whether the target is the host's.
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
                    let list = std::iter::once(Arg::Val(target))
                        .chain(args.iter().enumerate().map(|(i, e)| match &e.kind {
                            ExprKind::Str(_) => Arg::Expr(e),
                            _ => Arg::Val(Val {
                                reg: a + i as Reg,
                                ty: Type::Any,
                            }),
                        }))
                        .collect();
                    self.host_call(name, list, method.pos, d, None);
                    end = Some(self.emit(Op::Jump { t: 0 }));
                    self.patch(&[own]);
                }
                let way = self.way(way);
                self.pos = method.pos;
                let declaration = &self.c.tables.library[f as usize];
                let (result, receiver) = (declaration.result, declaration.receiver);
                if way.is_empty() {
                    self.check_receiver(name, receiver, root.ty, method.pos);
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
            Effect::None => unreachable!("only called with an effect"),
        }
    }
}
