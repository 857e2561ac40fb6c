//! Methods: what they mean for their target, and those that change it where it stands.

use super::calls::Arg;
use super::effects::{Changes, Effect, Method};
use super::{Lower, Val};
use crate::code::{Action, Op, PathStep, Reg};
use crate::diagnostic::Code;
use crate::host::{Host, Type};
use crate::tree::{Expr, ExprKind, Name, Pos, Step, StepKind};

impl<H: Host> Lower<'_, '_, H> {
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
}
