//! Calls: script functions, host functions, standard functions, and functions that are values.

use super::{Lower, Val};
use crate::code::{Op, Reg};
use crate::compile::tables::{accepts, surely_accepts};
use crate::diagnostic::{Code, did_you_mean};
use crate::host::{Domain, Host, Param, Type};
use crate::parse::parameters;
use crate::program::Overloads;
use crate::tree::{Expr, ExprKind, Name, Pos};
use crate::value::{FnPtr, Value};

/// An argument: still an expression, or already in a register.
#[derive(Clone, Copy)]
pub(super) enum Arg<'e> {
    Expr(&'e Expr),
    Val(Val),
}

/// An argument of a host call: a string literal keeps its text, because it may be a name.
enum Ready<'e> {
    Literal(&'e str, Pos),
    Val(Val, Pos),
}

impl<H: Host> Lower<'_, '_, H> {
    pub(super) fn call(
        &mut self,
        module: Option<&Name>,
        name: &Name,
        args: &[Expr],
        pos: Pos,
        want: Option<Reg>,
    ) -> Val {
        let d = self.or_reg(want);
        let list: Vec<Arg> = args.iter().map(Arg::Expr).collect();
        let Some(module) = module else {
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
        if let Some(f) = self.c.units[self.unit]
            .functions
            .get(&(name.clone(), n))
            .copied()
        {
            return self.script_call(f, args, pos, d);
        }
        let library = self.c.tables.library(name, n).map(|(id, _)| id);
        if self.c.tables.has_host_function(name, n) {
            return self.host_call(name, args, pos, d, library);
        }
        if let Some(val) = self.intrinsic(name, &args, pos, d) {
            return val;
        }
        let prelude = self.c.prelude();
        if let Some(f) = self.c.units[prelude]
            .functions
            .get(&(name.clone(), n))
            .copied()
        {
            return self.script_call(f, args, pos, d);
        }
        if let Some(f) = library {
            return self.library_call(f, args, pos, d);
        }
        // `x.f(y)` on a function that takes `y` alone and does not look at `this`, as Rhai allows.
        if method
            && let Some(f) = self.c.units[self.unit]
                .functions
                .get(&(name.clone(), n - 1))
                .copied()
        {
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

    pub(super) fn arg(&mut self, arg: Arg) -> Val {
        match arg {
            Arg::Expr(e) => self.operand(e),
            Arg::Val(val) => val,
        }
    }

    fn arg_into(&mut self, arg: Arg, d: Reg) -> Type {
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

    fn row_of(&mut self, args: &[Arg]) -> (Reg, Vec<Type>) {
        let a = self.row(args.len());
        let types = args
            .iter()
            .enumerate()
            .map(|(i, arg)| self.arg_into(*arg, a + i as Reg))
            .collect();
        (a, types)
    }

    fn script_call(&mut self, f: u32, args: Vec<Arg>, pos: Pos, d: Reg) -> Val {
        let declared = &self.c.declared[f as usize];
        if declared.uses_this {
            let name = declared.name.clone();
            self.error(
                Code::UnboundThis,
                pos,
                format!("`{name}` uses `this`, so it needs a value to work on"),
                Some(format!("call it as a method: `value.{name}(..)`")),
            );
        }
        let (a, _) = self.row_of(&args);
        self.pos = pos;
        self.emit(Op::Call { d, a, f });
        Val {
            reg: d,
            ty: Type::Any,
        }
    }

    /// Functions that are operations of the machine.
    fn intrinsic(&mut self, name: &str, args: &[Arg], pos: Pos, d: Reg) -> Option<Val> {
        let done = |reg, ty| Some(Val { reg, ty });
        match (name, args) {
            ("len", [o]) => {
                let o = self.arg(*o);
                self.pos = pos;
                self.emit(Op::Len { d, o: o.reg });
                done(d, Type::Int)
            }
            ("contains", [list, item]) => {
                let b = self.arg(*list);
                let a = self.arg(*item);
                self.pos = pos;
                self.emit(Op::In {
                    d,
                    a: a.reg,
                    b: b.reg,
                });
                done(d, Type::Bool)
            }
            ("min" | "max", [x, y]) => {
                let is_min = name == "min";
                let small = |lower: &Self, arg: &Arg| match arg {
                    Arg::Expr(e) => lower.fold(e)?.as_int()?.try_into().ok(),
                    Arg::Val(_) => None,
                };
                let constant: Option<i32> = small(self, x).or_else(|| small(self, y));
                if let Some(i) = constant {
                    let other = if small(self, x).is_some() { y } else { x };
                    let a = self.arg(*other);
                    self.pos = pos;
                    let a_reg = a.reg;
                    self.emit(if is_min {
                        Op::MinInt { d, a: a_reg, i }
                    } else {
                        Op::MaxInt { d, a: a_reg, i }
                    });
                    return done(
                        d,
                        if a.ty == Type::Int {
                            Type::Int
                        } else {
                            Type::Any
                        },
                    );
                }
                let (a, b) = (self.arg(*x), self.arg(*y));
                self.pos = pos;
                let ty = if a.ty == Type::Int && b.ty == Type::Int {
                    Type::Int
                } else {
                    Type::Any
                };
                let (a, b) = (a.reg, b.reg);
                self.emit(if is_min {
                    Op::Min { d, a, b }
                } else {
                    Op::Max { d, a, b }
                });
                done(d, ty)
            }
            ("call", [f, ..]) => {
                let _ = f;
                let (a, types) = self.row_of(args);
                self.expect(types[0], Type::Fn, pos, "a function");
                self.pos = pos;
                self.emit(Op::CallValue {
                    d,
                    a,
                    n: args.len() as u8 - 1,
                    extra: 0,
                    this: false,
                });
                done(d, Type::Any)
            }
            // The prelude's way to call: `item` alone, `item` and `index`, or `item` as `this`.
            ("call_each", [_, _, _]) if self.is_prelude() => {
                let (a, _) = self.row_of(args);
                self.pos = pos;
                self.emit(Op::CallValue {
                    d,
                    a,
                    n: 2,
                    extra: 1,
                    this: true,
                });
                let forget = self.reg();
                self.emit(Op::Take { d: forget, s: a });
                done(d, Type::Any)
            }
            // As `call_each`, and gives back what `this` became.
            (
                "call_on",
                [
                    _,
                    Arg::Expr(Expr {
                        kind: ExprKind::Var(item),
                        ..
                    }),
                    _,
                ],
            ) if self.is_prelude() => {
                let item = self.local(item).map(|l| l.reg)?;
                let (a, _) = self.row_of(args);
                self.emit(Op::Unit { d: item });
                self.pos = pos;
                let out = self.reg();
                self.emit(Op::CallValue {
                    d: out,
                    a,
                    n: 2,
                    extra: 1,
                    this: true,
                });
                self.emit(Op::Take { d: item, s: a });
                self.emit(Op::Unit { d });
                done(d, Type::Unit)
            }
            // As `call_each` with two values that belong together: the reducer of a list, a key and its value.
            ("call_pair", [_, _, _, _]) if self.is_prelude() => {
                let (a, _) = self.row_of(args);
                self.pos = pos;
                self.emit(Op::CallValue {
                    d,
                    a,
                    n: 3,
                    extra: 1,
                    this: false,
                });
                done(d, Type::Any)
            }
            _ => None,
        }
    }

    fn library_call(&mut self, f: u16, args: Vec<Arg>, pos: Pos, d: Reg) -> Val {
        let declaration = &self.c.tables.library[f as usize];
        let (name, receiver, result) = (declaration.name, declaration.receiver, declaration.result);
        let changes = self.c.tables.is_change(name, args.len()).is_some();
        if changes && let Some(Arg::Expr(first)) = args.first() {
            // In Rhai a function may change its first argument if that is a variable.
            match &first.kind {
                ExprKind::Var(var) if self.local(var).is_some() => {
                    let (a, _) = self.row_of(&args[1..]);
                    let local = self.local(var).expect("just asked");
                    let (root, ty, constant) = (local.reg, local.ty, local.constant);
                    if constant {
                        self.error(
                            Code::ReadOnly,
                            pos,
                            format!("`{var}` is a constant"),
                            Some("use `let` instead of `const`".into()),
                        );
                    }
                    self.check_receiver(name, receiver, ty, pos);
                    self.pos = pos;
                    self.emit(Op::Change {
                        d,
                        root,
                        a,
                        n: args.len() as u8 - 1,
                        f,
                    });
                    return Val { reg: d, ty: result };
                }
                ExprKind::Chain { .. } => {
                    self.error(
                        Code::Refused,
                        pos,
                        format!("`{name}(..)` would change a copy"),
                        Some(format!("write it as a method: `value.{name}(..)`")),
                    );
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
            self.error(
                Code::TypeMismatch,
                pos,
                format!("there is no `{name}` for {found}"),
                None,
            );
        }
    }

    /// A host function: chosen now if the types allow it, by the machine otherwise.
    pub(super) fn host_call(
        &mut self,
        name: &str,
        args: Vec<Arg>,
        pos: Pos,
        d: Reg,
        library: Option<u16>,
    ) -> Val {
        let n = args.len();
        let ready: Vec<Ready> = args
            .iter()
            .map(|arg| match arg {
                Arg::Expr(Expr {
                    kind: ExprKind::Str(text),
                    pos,
                }) => Ready::Literal(text, *pos),
                Arg::Expr(e) => {
                    let val = self.operand(e);
                    Ready::Val(val, e.pos)
                }
                Arg::Val(val) => Ready::Val(*val, pos),
            })
            .collect();
        self.pos = pos;
        let interface = self.c.interface;
        let all: Vec<usize> = self
            .c
            .tables
            .host_functions(name)
            .iter()
            .copied()
            .filter(|i| interface.functions[*i].params.len() == n)
            .collect();
        let only = all.len() == 1 && library.is_none();
        let fits = |i: &usize| {
            interface.functions[*i].params.iter().zip(&ready).all(|((_, param), arg)| match (param, arg) {
                (Param::Name(domain) | Param::NameOr(domain, _), Ready::Literal(text, _)) if !only => {
                    interface.domains[domain.0 as usize].names.iter().any(|(n, _)| n == text)
                        || matches!(param, Param::NameOr(_, types) if types.contains(&Type::Str))
                }
                (param, Ready::Literal(..)) => accepts(param, Type::Str),
                (param, Ready::Val(val, _)) => accepts(param, val.ty),
            })
        };
        let candidates: Vec<usize> = all.iter().copied().filter(fits).collect();
        let Some(&first) = candidates.first() else {
            if let Some(f) = library {
                return self.library_call(f, args, pos, d);
            }
            self.no_overload(name, &all, &ready, pos);
            return Val {
                reg: d,
                ty: Type::Any,
            };
        };
        let sure =
            interface.functions[first].params.iter().zip(&ready).all(
                |((_, param), arg)| match arg {
                    Ready::Literal(..) => true,
                    Ready::Val(val, _) => surely_accepts(param, val.ty),
                },
            );
        if sure || candidates.len() == 1 && library.is_none() {
            return self.native(first, &ready, pos, d);
        }
        self.native_any(name, &candidates, &ready, pos, d, library)
    }

    fn native(&mut self, f: usize, args: &[Ready], pos: Pos, d: Reg) -> Val {
        let decl = &self.c.interface.functions[f];
        let mut regs = Vec::with_capacity(args.len());
        for (i, ((_, param), arg)) in decl.params.iter().zip(args).enumerate() {
            let reg = match param {
                Param::Function => self.function_arg(arg, args.len() - i - 1),
                param => self.native_arg(param, arg),
            };
            regs.push(reg);
        }
        self.pos = pos;
        if let Ok(count) = <[Reg; 4]>::try_from(padded(&regs)) {
            self.emit(Op::Native {
                d,
                args: count,
                f: f as u16,
            });
        } else {
            let a = self.row(regs.len());
            for (i, s) in regs.into_iter().enumerate() {
                self.emit(Op::Move { d: a + i as Reg, s });
            }
            self.emit(Op::NativeRow { d, a, f: f as u16 });
        }
        Val {
            reg: d,
            ty: decl.result,
        }
    }

    fn native_arg(&mut self, param: &Param, arg: &Ready) -> Reg {
        match (param, arg) {
            (Param::Name(domain), Ready::Literal(text, at)) => {
                let value = self.name_value(*domain, text, *at).unwrap_or_default();
                self.argument_constant(&value)
            }
            (Param::NameOr(domain, types), Ready::Literal(text, at)) => {
                let known = self.c.interface.domains[domain.0 as usize]
                    .names
                    .iter()
                    .any(|(n, _)| n == text);
                let value = if !known && types.contains(&Type::Str) {
                    Value::string(*text)
                } else {
                    self.name_value(*domain, text, *at).unwrap_or_default()
                };
                self.argument_constant(&value)
            }
            (Param::Of(_) | Param::Function, Ready::Literal(text, _)) => {
                self.argument_constant(&Value::string(*text))
            }
            (Param::Name(domain), Ready::Val(val, at)) => self.computed_name(*domain, *val, *at),
            (Param::NameOr(domain, types), Ready::Val(val, at)) if !types.contains(&val.ty) => {
                if types.contains(&Type::Str) {
                    val.reg
                } else {
                    self.computed_name(*domain, *val, *at)
                }
            }
            (_, Ready::Val(val, _)) => val.reg,
        }
    }

    /// The name of a script function that takes `arity` arguments, or a function value.
    fn function_arg(&mut self, arg: &Ready, arity: usize) -> Reg {
        match arg {
            Ready::Literal(text, at) => {
                let value = self.function_value(text, arity, *at);
                self.argument_constant(&value)
            }
            Ready::Val(val, at) => {
                if val.ty == Type::Str {
                    let help = Some("choose between calls with `if` or `switch`".into());
                    self.error(
                        Code::ComputedName,
                        *at,
                        "the name of the function must be written as a literal",
                        help,
                    );
                }
                val.reg
            }
        }
    }

    fn function_value(&mut self, name: &str, arity: usize, pos: Pos) -> Value<H::Object> {
        let functions = &self.c.units[self.unit].functions;
        if let Some(id) = functions.get(&(Name::from(name), arity)) {
            let name = self.c.program.functions[*id as usize].name.clone();
            return Value::Fn(std::sync::Arc::new(FnPtr {
                function: *id,
                name,
                captured: Vec::new(),
            }));
        }
        let same: Vec<usize> = functions
            .keys()
            .filter(|(n, _)| &**n == name)
            .map(|(_, a)| *a)
            .collect();
        let help = did_you_mean(name, functions.keys().map(|(n, _)| &**n));
        self.no_function(name, arity, same, help, pos);
        Value::Unit
    }

    fn argument_constant(&mut self, value: &Value<H::Object>) -> Reg {
        self.load(value, None).reg
    }

    /// A name that is not a literal is looked up when the script runs.
    fn computed_name(&mut self, domain: Domain, val: Val, pos: Pos) -> Reg {
        if !matches!(val.ty, Type::Any | Type::Str) {
            return val.reg;
        }
        let decl = &self.c.interface.domains[domain.0 as usize];
        if decl.literal_only {
            let message = format!("the {} must be written as a literal", decl.what);
            let help = Some("choose between calls with `if` or `switch`".into());
            self.error(Code::ComputedName, pos, message, help);
            return val.reg;
        }
        let d = self.reg();
        self.emit(Op::Name {
            d,
            s: val.reg,
            domain: domain.0,
        });
        d
    }

    fn native_any(
        &mut self,
        name: &str,
        candidates: &[usize],
        args: &[Ready],
        pos: Pos,
        d: Reg,
        library: Option<u16>,
    ) -> Val {
        let interface = self.c.interface;
        let a = self.row(args.len());
        for (i, arg) in args.iter().enumerate() {
            let to = a + i as Reg;
            let params = candidates
                .iter()
                .map(|c| &interface.functions[*c].params[i].1);
            let domains: Vec<Domain> = params
                .filter_map(|p| match p {
                    Param::Name(domain) | Param::NameOr(domain, _) => Some(*domain),
                    Param::Of(_) | Param::Function => None,
                })
                .collect();
            match arg {
                Ready::Literal(text, at)
                    if candidates
                        .iter()
                        .all(|c| interface.functions[*c].params[i].1 == Param::Function) =>
                {
                    let value = self.function_value(text, args.len() - i - 1, *at);
                    self.load(&value, Some(to));
                }
                Ready::Literal(text, at) => {
                    let known = domains.iter().copied().find(|d| {
                        interface.domains[d.0 as usize]
                            .names
                            .iter()
                            .any(|(n, _)| n == text)
                    });
                    let value = match known {
                        Some(domain) => self.name_value(domain, text, *at).unwrap_or_default(),
                        None => Value::string(*text),
                    };
                    self.load(&value, Some(to));
                }
                Ready::Val(val, at) => {
                    let s = match domains.first() {
                        Some(domain) if domains.len() == candidates.len() => {
                            self.computed_name(*domain, *val, *at)
                        }
                        _ => val.reg,
                    };
                    self.emit(Op::Move { d: to, s });
                }
            }
        }
        let list = candidates
            .iter()
            .map(|c| {
                let params = &interface.functions[*c].params;
                let types = params.iter().map(|(_, p)| match p {
                    Param::Of(types) => types.clone(),
                    Param::Function => vec![Type::Fn],
                    Param::Name(_) | Param::NameOr(..) => vec![Type::Any],
                });
                (types.collect(), *c as u16)
            })
            .collect();
        let set = self.c.program.overloads.len() as u16;
        self.c.program.overloads.push(Overloads {
            name: name.to_string(),
            candidates: list,
            library,
        });
        self.pos = pos;
        self.emit(Op::NativeAny {
            d,
            a,
            n: args.len() as u8,
            set,
        });
        let result = interface.functions[candidates[0]].result;
        let same = library.is_none()
            && candidates
                .iter()
                .all(|c| interface.functions[*c].result == result);
        Val {
            reg: d,
            ty: if same { result } else { Type::Any },
        }
    }

    fn no_overload(&mut self, name: &str, all: &[usize], args: &[Ready], pos: Pos) {
        let interface = self.c.interface;
        if let [only] = all {
            for ((param_name, param), arg) in interface.functions[*only].params.iter().zip(args) {
                let (ty, at) = match arg {
                    Ready::Literal(_, at) => (Type::Str, *at),
                    Ready::Val(val, at) => (val.ty, *at),
                };
                if accepts(param, ty) {
                    continue;
                }
                let wanted = self.param_text(param);
                let found = self.c.tables.type_name(ty).to_string();
                let message = format!("`{name}` wants {wanted} as `{param_name}`, found {found}");
                self.error(Code::TypeMismatch, at, message, None);
            }
            return;
        }
        let types: Vec<String> = args
            .iter()
            .map(|arg| match arg {
                Ready::Literal(text, _) => format!("\"{text}\""),
                Ready::Val(val, _) => self.c.tables.type_name(val.ty).to_string(),
            })
            .collect();
        self.error(
            Code::TypeMismatch,
            pos,
            format!("there is no `{name}({})`", types.join(", ")),
            None,
        );
    }

    fn param_text(&self, param: &Param) -> String {
        let list = |types: &[Type]| -> Vec<String> {
            types
                .iter()
                .map(|t| self.c.tables.type_name(*t).to_string())
                .collect()
        };
        let what = |domain: &Domain| self.c.interface.domains[domain.0 as usize].what.clone();
        match param {
            Param::Of(types) => list(types).join(" or "),
            Param::Name(domain) => what(domain),
            Param::Function => "a script function".into(),
            Param::NameOr(domain, types) => {
                format!("{} or {}", what(domain), list(types).join(" or "))
            }
        }
    }

    fn unknown_function(&mut self, name: &Name, n: usize, method: bool, pos: Pos) {
        if let Some(refused) = refused(name) {
            self.error(
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
            help = Some(format!(
                "`{name}` is a variable: write `{name}.call(..)` to call the function it holds"
            ));
        }
        if method && !same.is_empty() {
            same = same.into_iter().map(|a| a.saturating_sub(1)).collect();
            self.no_function(name, n - 1, same, help, pos);
        } else {
            self.no_function(name, n, same, help, pos);
        }
    }

    fn no_function(
        &mut self,
        name: &str,
        n: usize,
        same: Vec<usize>,
        help: Option<String>,
        pos: Pos,
    ) {
        if same.is_empty() {
            self.error(
                Code::UnknownFunction,
                pos,
                format!("unknown function `{name}`"),
                help,
            );
            return;
        }
        let arities: Vec<String> = same.iter().map(|a| parameters(*a)).collect();
        let message = format!("`{name}` has {}, not {n}", arities.join(" or "));
        self.error(Code::WrongArity, pos, message, None);
    }
}

/// Up to four registers with the rest filled up; more stay as they are.
fn padded(regs: &[Reg]) -> Vec<Reg> {
    let mut regs = regs.to_vec();
    if regs.len() < 4 {
        regs.resize(4, 0);
    }
    regs
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
