//! Calls: script functions, host functions, standard functions, and functions that are values.

use super::{Lower, Val};
use crate::code::{Op, Reg};
use crate::diagnostic::{Code, Help, did_you_mean};
use crate::host::{Host, Type};
use crate::parse::parameters;
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
        let list: Vec<Arg> = args.iter().map(Arg::Expr).collect();
        let Some(module) = module else {
            if let Some(val) = self.call_on_first(name, args, pos, d) {
                return val;
            }
            return self.call_with(name, list, false, pos, d);
        };
        let Some(unit) = self.imports().get(module).copied() else {
            self.unknown_module(module, pos);
            return Val {
                reg: d,
                ty: Type::Any,
            };
        };
        match self.c.units[unit]
            .functions
            .get(&(name.clone(), args.len()))
            .copied()
        {
            Some(f) => self.script_call(f, list, pos, d),
            None => {
                let names = self.c.units[unit].functions.keys();
                let same: Vec<usize> = names
                    .clone()
                    .filter(|(n, _)| n == name)
                    .map(|(_, a)| *a)
                    .collect();
                let help = did_you_mean(name, names.map(|(n, _)| &**n));
                self.no_function(&format!("{module}::{name}"), args.len(), same, help, pos);
                Val {
                    reg: d,
                    ty: Type::Any,
                }
            }
        }
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
        if self.c.tables.has_host_function(name, n) {
            return self.host_call(name, args, pos, d, library);
        }
        if let Some(val) = self.intrinsic(name, &args, method, pos, d) {
            return val;
        }
        let prelude = &self.c.units[self.c.prelude()].functions;
        let reachable = self.is_prelude() || !name.starts_with("__");
        let standard = prelude
            .get(&(name.clone(), n))
            .copied()
            .filter(|_| reachable);
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

    /// A function of this unit.
    fn own_function(&self, name: &Name, arity: usize) -> Option<u32> {
        let functions = &self.c.units[self.unit].functions;
        functions.get(&(name.clone(), arity)).copied()
    }

    fn two_meanings(&mut self, name: &Name, n: usize, pos: Pos) {
        self.error_about(
            name,
            Code::Refused,
            pos,
            format!(
                "`{name}` has {} and {}: as a method, either could be meant",
                parameters(n - 1),
                parameters(n)
            ),
            Some(format!("write `{name}(..)` with all arguments in the parentheses").into()),
        );
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
        self.script_call(f, args, pos, d)
    }

    pub(super) fn library_call(&mut self, f: u16, args: Vec<Arg>, pos: Pos, d: Reg) -> Val {
        let declaration = &self.c.tables.library[f as usize];
        let (name, receiver, result) = (declaration.name, declaration.receiver, declaration.result);
        let changes = self.c.tables.is_change(name, args.len()).is_some();
        if changes && let Some(Arg::Expr(first)) = args.first() {
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

    pub(super) fn check_receiver(&mut self, name: &str, receiver: &[Type], ty: Type, pos: Pos) {
        if ty != Type::Any && !receiver.is_empty() && !receiver.contains(&ty) {
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

    pub(super) fn unknown_function(&mut self, name: &Name, n: usize, method: bool, pos: Pos) {
        if let Some(refused) = refused(name) {
            self.error_about(
                name,
                Code::Refused,
                pos,
                format!("`{name}` is not supported"),
                Some(refused.into()),
            );
            return;
        }
        let unit = &self.c.units[self.unit];
        let prelude = &self.c.units[self.c.prelude()];
        let mut same: Vec<usize> = unit
            .functions
            .keys()
            .filter(|(other, _)| other == name)
            .map(|(_, arity)| *arity)
            .chain(self.c.tables.arities(name))
            .chain(
                prelude
                    .functions
                    .iter()
                    .filter(|((other, _), _)| other == name)
                    .map(|((_, arity), id)| {
                        arity + self.c.declared[*id as usize].uses_this as usize
                    }),
            )
            .collect();
        same.sort_unstable();
        same.dedup();
        let mut help = did_you_mean(
            name,
            unit.functions
                .keys()
                .chain(prelude.functions.keys())
                .map(|(n, _)| &**n)
                .chain(self.c.tables.function_names()),
        );
        if self.local(name).is_some() {
            help = Some(
                format!(
                    "`{name}` is a variable: write `{name}.call(..)` to call the function it holds"
                )
                .into(),
            );
        }
        if method && same.is_empty() && self.c.keys.contains(name) {
            help = Some(
                format!("write `value.{name}.call(..)` to call a function that a map keeps").into(),
            );
        }
        if method && !same.is_empty() {
            same = same.into_iter().map(|a| a.saturating_sub(1)).collect();
            self.no_function(name, n - 1, same, help, pos);
        } else {
            self.no_function(name, n, same, help, pos);
        }
    }

    pub(super) fn no_function(
        &mut self,
        name: &str,
        n: usize,
        same: Vec<usize>,
        help: Option<Help>,
        pos: Pos,
    ) {
        if same.is_empty() {
            self.error_about(
                name,
                Code::UnknownFunction,
                pos,
                format!("unknown function `{name}`"),
                help,
            );
            return;
        }
        if same.contains(&n) {
            // It is there, but not for a call like this.
            self.error_about(
                name,
                Code::WrongArity,
                pos,
                format!("`{name}` works on a value"),
                Some(format!("call it as a method: `value.{name}(..)`").into()),
            );
            return;
        }
        let arities: Vec<String> = same.iter().map(|a| parameters(*a)).collect();
        let message = format!("`{name}` has {}, not {n}", arities.join(" or "));
        self.error_about(name, Code::WrongArity, pos, message, None);
    }
}

/// Functions of Rhai that are left out on purpose, and what to do instead.
fn refused(name: &str) -> Option<&'static str> {
    Some(match name {
        "eval" => "write a function and call it",
        "timestamp" | "sleep" | "elapsed" => "a rule must not depend on the clock",
        "parse_float" | "to_float" | "PI" | "E" | "sin" | "cos" | "tan" | "sqrt" | "exp" | "ln"
        | "log" => "use whole numbers: count in tenths or in percent",
        "blob" | "to_blob" | "parse_json" | "to_json" => "use arrays and maps",
        "is_def_var" | "is_def_fn" => "names are checked when the script is compiled",
        "is_shared" | "tag" | "set_tag" | "take" => {
            "values are copied here: there is nothing to share or tag"
        }
        "exit" => "use `return` or `throw`",
        "bits" | "get_bit" | "set_bit" | "get_bits" | "set_bits" => {
            "use an array of `true` and `false`"
        }
        _ => return None,
    })
}
