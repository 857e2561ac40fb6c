//! Calls: script functions, host functions, standard functions, and functions that are values.

use super::{Lower, Val};
use crate::code::{Op, Reg};
use crate::diagnostic::{Code, did_you_mean};
use crate::host::{Host, Type};
use crate::tree::{Expr, ExprKind, Name, Pos};

/// An argument: still an expression, or already in a register.
#[derive(Clone, Copy)]
pub(super) enum Arg<'e> {
    Expr(&'e Expr),
    Val(Val),
}

impl<H: Host> Lower<'_, '_, H> {
    pub(super) fn call(
        &mut self,
        module: Option<&Name>,
        name: &Name,
        args: &[Expr],
        pos: Pos,
        d: Reg,
    ) -> Val {
        let list = || args.iter().map(Arg::Expr).collect();
        let Some(module) = module else {
            return match self.call_on_first(name, args, pos, d) {
                Some(val) => val,
                None => self.call_with(name, list(), false, pos, d),
            };
        };
        match self.function_of_module(module, name, args.len(), pos) {
            Some(f) => self.script_call(f, list(), pos, d),
            None => Val {
                reg: d,
                ty: Type::Any,
            },
        }
    }

    /// `module::name(..)`, or a refusal.
    fn function_of_module(
        &mut self,
        module: &Name,
        name: &Name,
        arity: usize,
        pos: Pos,
    ) -> Option<u32> {
        let Some(unit) = self.imports().get(module).copied() else {
            self.unknown_module(module, pos);
            return None;
        };
        let functions = &self.c.units[unit].functions;
        if let Some(f) = functions.get(&(name.clone(), arity)) {
            return Some(*f);
        }
        let same = self.c.units[unit].named(name);
        let same = same.map(|(arity, _)| arity).collect();
        let help = did_you_mean(name, functions.keys().map(|(n, _)| &**n));
        self.no_function(&format!("{module}::{name}"), arity, same, help, pos);
        None
    }

    /// Finds what a name means for these arguments and calls it.
    pub(super) fn call_with(
        &mut self,
        name: &Name,
        args: Vec<Arg>,
        method: bool,
        pos: Pos,
        d: Reg,
    ) -> Val {
        let n = args.len();
        if let Some(f) = self.own_function(name, n) {
            if method && self.own_function(name, n - 1).is_some() {
                self.two_meanings(name, n, pos);
            }
            return self.script_call(f, args, pos, d);
        }
        let library = self.c.tables.library(name, n).map(|(id, _)| id);
        let is_closure =
            |arg: &Arg| matches!(arg, Arg::Expr(e) if matches!(e.kind, ExprKind::Closure(_)));
        let closures: Vec<bool> = args.iter().map(is_closure).collect();
        let standard = self.standard_function(name, n);
        if self.c.tables.has_host_function(name, n)
            && (standard.is_none() || self.c.tables.means_host_function(name, &closures))
        {
            return self.host_call(name, args, pos, d, library);
        }
        if let Some(val) = self.intrinsic(name, &args, method, pos, d) {
            return val;
        }
        let reachable = self.is_prelude() || !name.starts_with("__");
        match (standard, library) {
            (Some(f), None) => return self.standard_call(name, f, args, pos, d),
            (Some(f), Some(_)) if !self.c.declared[f as usize].uses_this => {
                return self.standard_call(name, f, args, pos, d);
            }
            (_, Some(f)) if reachable => return self.library_call(f, args, pos, d),
            _ => {}
        }
        // `x.f(y)` on a function that takes `y` alone and does not look at `this`, as Rhai allows.
        if method && let Some(f) = self.own_function(name, n - 1) {
            return self.script_call(f, args[1..].to_vec(), pos, d);
        }
        self.unknown_function(name, n, method, pos);
        for arg in args {
            self.arg(arg);
        }
        Val {
            reg: d,
            ty: Type::Any,
        }
    }

    /// A standard function that is a script.
    fn standard_function(&self, name: &Name, arity: usize) -> Option<u32> {
        let reachable = self.is_prelude() || !name.starts_with("__");
        let prelude = &self.c.units[self.c.prelude()].functions;
        let found = prelude.get(&(name.clone(), arity)).copied();
        found.filter(|_| reachable)
    }

    /// A function of this unit.
    fn own_function(&self, name: &Name, arity: usize) -> Option<u32> {
        let functions = &self.c.units[self.unit].functions;
        functions.get(&(name.clone(), arity)).copied()
    }

    pub(super) fn arg(&mut self, arg: Arg) -> Val {
        match arg {
            Arg::Expr(e) => self.operand(e),
            Arg::Val(val) => val,
        }
    }

    /// The register of an argument that is a variable.
    pub(super) fn variable_of(&self, arg: Arg) -> Option<Reg> {
        match arg {
            Arg::Expr(Expr {
                kind: ExprKind::Var(name),
                ..
            }) => self.local(name).map(|local| local.reg),
            _ => None,
        }
    }

    pub(super) fn arg_into(&mut self, arg: Arg, d: Reg) -> Type {
        match arg {
            Arg::Expr(e) => self.expr(e, Some(d)).ty,
            Arg::Val(val) => {
                if val.reg != d {
                    self.emit(Op::Move { d, s: val.reg });
                }
                val.ty
            }
        }
    }

    pub(super) fn row_of(&mut self, args: &[Arg]) -> (Reg, Vec<Type>) {
        let a = self.row(args.len());
        let types = args
            .iter()
            .enumerate()
            .map(|(i, arg)| self.arg_into(*arg, a + i as Reg))
            .collect();
        (a, types)
    }

    pub(super) fn script_call(&mut self, f: u32, args: Vec<Arg>, pos: Pos, d: Reg) -> Val {
        let declared = &self.c.declared[f as usize];
        if declared.uses_this {
            let name = declared.name.clone();
            self.error_about(
                &name,
                Code::UnboundThis,
                pos,
                format!("`{name}` uses `this`, so it needs a value to work on"),
                Some(format!("call it as a method: `value.{name}(..)`").into()),
            );
        }
        if let Some(val) = self.inline(f, &args, pos, d) {
            return val;
        }
        // Variables that come first are read by the call itself.
        let in_place: Vec<Reg> = match u16::try_from(f) {
            Ok(_) => args
                .iter()
                .map_while(|arg| self.variable_of(*arg))
                .take(2)
                .collect(),
            Err(_) => Vec::new(),
        };
        let a = self.row(args.len());
        for (i, arg) in args.iter().enumerate().skip(in_place.len()) {
            self.arg_into(*arg, a + i as Reg);
        }
        self.pos = pos;
        let short = f as u16;
        self.emit(match in_place[..] {
            [x] => Op::CallOne { d, a, x, f: short },
            [x, y] => Op::CallTwo {
                d,
                a,
                x,
                y,
                f: short,
            },
            _ => Op::Call { d, a, f },
        });
        Val {
            reg: d,
            ty: Type::Any,
        }
    }

    /// A standard function that is a script.
    fn standard_call(&mut self, name: &str, f: u32, mut args: Vec<Arg>, pos: Pos, d: Reg) -> Val {
        if let [list, Arg::Expr(e), ..] = &mut args[..]
            && let e = *e
            && self.may_name_function(name, e)
        {
            let target = self.arg(*list);
            *list = Arg::Val(target);
            let named = self.expr(e, None);
            self.name_to_function(name, e, named.reg, target.reg);
            args[1] = Arg::Val(Val {
                reg: named.reg,
                ty: Type::Any,
            });
        }
        if let Some(val) = self.lend(f, &args, pos, d) {
            return val;
        }
        self.script_call(f, args, pos, d)
    }

    pub(super) fn library_call(&mut self, f: u16, args: Vec<Arg>, pos: Pos, d: Reg) -> Val {
        let declaration = &self.c.tables.library[f as usize];
        let (name, receiver, result) = (declaration.name, declaration.receiver, declaration.result);
        if self.c.tables.is_change(name, args.len()).is_some() {
            self.check_changed(name, args.first(), pos);
        }
        let (a, types) = self.row_of(&args);
        if let Some(first) = types.first() {
            self.check_receiver(name, receiver, *first, pos);
        }
        self.pos = pos;
        self.emit(Op::Library {
            d,
            a,
            n: args.len() as u8,
            f,
        });
        Val { reg: d, ty: result }
    }

    /// A function that changes its first argument must not change a constant, or a copy.
    fn check_changed(&mut self, name: &str, first: Option<&Arg>, pos: Pos) {
        let Some(Arg::Expr(first)) = first else {
            return;
        };
        match &first.kind {
            ExprKind::Chain { .. } => self.would_change_a_copy(name, pos),
            ExprKind::Var(constant) | ExprKind::Qualified(_, constant)
                if self.fold(first).is_some() =>
            {
                self.error_about(
                    constant,
                    Code::ReadOnly,
                    pos,
                    format!("`{constant}` is a constant, and `{name}` would change it"),
                    Some(format!("copy it first: `let own = {constant};`").into()),
                )
            }
            _ => {}
        }
    }
}
