//! Functions that are operations of the machine.

use super::calls::Arg;
use super::{CALL_ITSELF, Lower, Val};
use crate::code::{Action, Op, PathStep, Reg, Style};
use crate::diagnostic::Code;
use crate::host::{Host, Type};
use crate::tree::Pos;

/// How the prelude calls the functions it is given, by the name it uses for that.
fn style_of(name: &str) -> Option<Style> {
    Some(match name {
        "call_each" => Style::Each,
        "call_keyed" => Style::Keyed,
        "call_fold" => Style::Fold,
        "call_zip" => Style::Zip,
        "call_on" | "on_at" => Style::On,
        "each_at" => Style::EachAt,
        "keyed_at" => Style::KeyedAt,
        "fold_at" => Style::FoldAt,
        _ => return None,
    })
}

impl<H: Host> Lower<'_, '_, H> {
    pub(super) fn intrinsic(
        &mut self,
        name: &str,
        args: &[Arg],
        method: bool,
        pos: Pos,
        d: Reg,
    ) -> Option<Val> {
        let ty = match (name, args) {
            ("len", [o]) => self.len_of(*o, pos, d),
            ("contains", [list, item]) => self.contains(*list, *item, pos, d),
            ("min" | "max", [x, y]) => self.extreme(name == "min", *x, *y, pos, d),
            ("call", [_, ..]) => self.call_value(args, method, pos, d),
            _ if !self.is_prelude() => return None,
            ("call_on", [_, item, _]) => self.call_on(args, *item, pos, d)?,
            ("each_at" | "on_at" | "keyed_at" | "fold_at", [f, at, rest @ ..]) => {
                self.call_at(style_of(name)?, *f, *at, rest, pos, d)?
            }
            ("call_each", [..]) if let Some(ty) = self.closure_in_place(args, pos, d) => ty,
            _ => self.call_in_style(style_of(name)?, args, pos, d),
        };
        Some(Val { reg: d, ty })
    }

    fn len_of(&mut self, of: Arg, pos: Pos, d: Reg) -> Type {
        let o = self.arg(of).reg;
        self.pos = pos;
        self.emit(Op::Len { d, o });
        Type::Int
    }

    fn contains(&mut self, list: Arg, item: Arg, pos: Pos, d: Reg) -> Type {
        let b = self.arg(list).reg;
        let a = self.arg(item).reg;
        self.pos = pos;
        self.emit(Op::In { d, a, b });
        Type::Bool
    }

    /// `min` and `max`, with a constant in the operation if one of the two is known.
    fn extreme(&mut self, is_min: bool, x: Arg, y: Arg, pos: Pos, d: Reg) -> Type {
        let small = |lower: &Self, arg: Arg| match arg {
            Arg::Expr(e) => lower.small(e),
            Arg::Val(_) => None,
        };
        let constant = match (small(self, x), small(self, y)) {
            (Some(i), _) => Some((i, y)),
            (None, Some(i)) => Some((i, x)),
            (None, None) => None,
        };
        let (ty, op) = if let Some((i, other)) = constant {
            let val = self.arg(other);
            let a = val.reg;
            let op = match is_min {
                true => Op::MinInt { d, a, i },
                false => Op::MaxInt { d, a, i },
            };
            (val.ty, op)
        } else {
            let (x, y) = (self.arg(x), self.arg(y));
            let (a, b) = (x.reg, y.reg);
            let op = match is_min {
                true => Op::Min { d, a, b },
                false => Op::Max { d, a, b },
            };
            (if x.ty == y.ty { x.ty } else { Type::Any }, op)
        };
        self.pos = pos;
        self.emit(op);
        if ty == Type::Int { ty } else { Type::Any }
    }

    /// `f.call(..)` and `call(f, ..)`
    fn call_value(&mut self, args: &[Arg], method: bool, pos: Pos, d: Reg) -> Type {
        let (a, types) = self.row_of(args);
        self.expect(types[0], Type::Fn, pos, "a function");
        if method && types[0] == Type::Any && !self.is_prelude() {
            match types.get(1) {
                Some(Type::Fn) => self.error(
                    Code::Refused,
                    pos,
                    "`value.call(function)`, which binds `this`, is not supported",
                    Some(CALL_ITSELF.into()),
                ),
                Some(Type::Any) => self.c.unsure_calls.push((self.file, pos)),
                _ => {}
            }
        }
        self.pos = pos;
        self.emit(Op::CallValue {
            d,
            a,
            n: args.len() as u8 - 1,
            style: if method { Style::Method } else { Style::Plain },
        });
        Type::Any
    }

    /// The prelude's ways to call.
    fn call_in_style(&mut self, style: Style, args: &[Arg], pos: Pos, d: Reg) -> Type {
        let (a, _) = self.row_of(args);
        self.pos = pos;
        let n = args.len() as u8 - 1;
        self.emit(Op::CallValue { d, a, n, style });
        // What was bound to `this` must not stay there: it would count as shared.
        let forget = self.reg();
        self.emit(Op::Take { d: forget, s: a });
        Type::Any
    }

    /// With a variable bound to `this`, which then holds what that became.
    fn call_on(&mut self, args: &[Arg], item: Arg, pos: Pos, d: Reg) -> Option<Type> {
        let item = self.variable_of(item)?;
        let (a, _) = self.row_of(args);
        self.emit(Op::Unit { d: item });
        self.pos = pos;
        let out = self.reg();
        self.emit(Op::CallValue {
            d: out,
            a,
            n: 2,
            style: Style::On,
        });
        self.emit(Op::Take { d: item, s: a });
        self.emit(Op::Unit { d });
        Some(Type::Unit)
    }

    /// With an item of `this`, which then becomes what the function made of it: also if that fails, and the fault is caught.
    fn call_at(
        &mut self,
        style: Style,
        f: Arg,
        at: Arg,
        rest: &[Arg],
        pos: Pos,
        d: Reg,
    ) -> Option<Type> {
        let at = self.variable_of(at)?;
        let item = match style {
            Style::EachAt | Style::On => 1,
            _ => 2,
        };
        let n = rest.len() as u8 + 1;
        let a = self.row(n as usize + 1);
        self.arg_into(f, a);
        let mut rest = rest.iter();
        for value in 1..=n {
            let to = a + value;
            if value == item {
                self.emit(Op::Index { d: to, a: 0, b: at });
            } else if let Some(arg) = rest.next() {
                self.arg_into(*arg, to);
            }
        }
        self.pos = pos;
        self.emit(Op::CallValue { d, a, n, style });
        let k = self.path(vec![PathStep::Index(at)], Action::Put);
        self.emit(Op::Path {
            d: 0,
            root: 0,
            a,
            k,
        });
        Some(Type::Any)
    }
}
