//! Calls of host functions: which of several is meant, and what becomes of names and function names among the arguments.

use super::calls::Arg;
use super::{Lower, MOST_KEPT, Val};
use crate::code::{Op, Reg};
use crate::compile::tables::{accepts, surely_accepts};
use crate::diagnostic::{Code, Pos, did_you_mean, nearest};
use crate::host::{Domain, Host, Param, Type};
use crate::parse::parameters;
use crate::program::{Accepted, Overloads};
use crate::tree::{Expr, ExprKind, Name, StepKind, walk_expr};
use crate::value::{FnPtr, Value};

/// An argument of a host call: a string literal keeps its text, because it may be a name.
enum Ready<'e> {
    Literal(&'e str, Pos),
    Val(Val, Pos),
    /// `Fn("name")`, whose name is known as well.
    Named(&'e str, Val, Pos),
    /// A closure, with the number of its parameters.
    Closure(usize, Val, Pos),
}

impl Ready<'_> {
    fn ty(&self) -> Type {
        match self {
            Ready::Literal(..) => Type::Str,
            Ready::Val(val, _) | Ready::Named(_, val, _) | Ready::Closure(_, val, _) => val.ty,
        }
    }
}

impl<H: Host> Lower<'_, '_, H> {
    /// A host function: chosen now if the types allow it, by the machine otherwise.
    pub(super) fn host_call(
        &mut self,
        name: &str,
        args: Vec<Arg>,
        pos: Pos,
        d: Reg,
        library: Option<u16>,
    ) -> Val {
        let unheard = self.skips_unheard(name, &args).then(|| {
            self.pos = pos;
            self.emit(Op::JumpUnheard { d, t: 0 })
        });
        let result = self.heard_call(name, args, pos, d, library);
        self.patch(unheard.as_slice());
        result
    }

    /// Whether a call may be left out when nobody listens: it is declared so, and its arguments only look at things.
    fn skips_unheard(&self, name: &str, args: &[Arg]) -> bool {
        let functions = &self.c.interface.functions;
        let mut declared = self.c.tables.host_functions(name).iter();
        if !declared.any(|i| functions[*i].only_if_heard) {
            return false;
        }
        let mut plain = true;
        for arg in args {
            if let Arg::Expr(e) = arg {
                walk_expr(e, &mut |part| {
                    plain &= match &part.kind {
                        ExprKind::Chain { steps, .. } => {
                            steps.iter().all(|step| match &step.kind {
                                StepKind::Method { name, args } => {
                                    self.only_answers(name, args.len() + 1)
                                }
                                _ => true,
                            })
                        }
                        ExprKind::Call { module, name, args } => {
                            module.is_none() && self.only_answers(name, args.len())
                        }
                        ExprKind::Closure(_)
                        | ExprKind::Block(_)
                        | ExprKind::If { .. }
                        | ExprKind::Switch(_) => false,
                        _ => true,
                    };
                });
            }
        }
        plain
    }

    /// Whether a call can only mean functions of the host that change nothing.
    fn only_answers(&self, name: &str, arity: usize) -> bool {
        let interface = self.c.interface;
        let mut meant = self.c.tables.host_functions(name).iter();
        let Some(meaning) = &interface.meaning else {
            return false;
        };
        !self.has_function(name)
            && self.c.tables.has_host_function(name, arity)
            && self.c.tables.is_change(name, arity).is_none()
            && meant.all(|i| meaning.functions.get(*i).is_some_and(|f| f.answers))
    }

    fn heard_call(
        &mut self,
        name: &str,
        args: Vec<Arg>,
        pos: Pos,
        d: Reg,
        library: Option<u16>,
    ) -> Val {
        let n = args.len();
        // What is evaluated from here on lies in registers that nobody else looks at.
        let passing = self.next as usize;
        let ready: Vec<Ready> = args
            .iter()
            .map(|arg| match arg {
                Arg::Expr(Expr {
                    kind: ExprKind::Str(text),
                    pos,
                }) => Ready::Literal(text, *pos),
                Arg::Expr(e) => {
                    let val = match self.fold(e) {
                        Some(value @ (Value::Int(_) | Value::Handle(..))) => Val {
                            reg: self.argument_constant(&value),
                            ty: self.type_of_value(&value),
                        },
                        _ => self.operand(e),
                    };
                    match &e.kind {
                        ExprKind::FnName(name) if self.has_function(name) => {
                            Ready::Named(name, val, e.pos)
                        }
                        ExprKind::Closure(c) => Ready::Closure(c.params.len(), val, e.pos),
                        _ => Ready::Val(val, e.pos),
                    }
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
                (param, arg) => accepts(param, arg.ty()),
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
                    arg => surely_accepts(param, arg.ty()),
                },
            );
        if sure || candidates.len() == 1 && library.is_none() {
            return self.native(first, &ready, passing, pos, d);
        }
        self.native_any(name, &candidates, &ready, passing, d, library)
    }

    /// Puts an argument where the call wants it: a passing value goes there, a variable keeps what it has.
    fn hand_over(&mut self, s: Reg, d: Reg, passing: usize) {
        self.emit(match s as usize >= passing {
            true => Op::Take { d, s },
            false => Op::Move { d, s },
        });
    }

    fn native(&mut self, f: usize, args: &[Ready], passing: usize, pos: Pos, d: Reg) -> Val {
        let decl = &self.c.interface.functions[f];
        let mut regs = Vec::with_capacity(args.len());
        for (i, ((_, param), arg)) in decl.params.iter().zip(args).enumerate() {
            let reg = match param {
                Param::Function => self.function_arg(arg, args.len() - i - 1),
                param => self.native_arg(param, arg, decl.takes_words),
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
                self.hand_over(s, a + i as Reg, passing);
            }
            self.emit(Op::NativeRow { d, a, f: f as u16 });
        }
        Val {
            reg: d,
            ty: decl.result,
        }
    }

    fn native_arg(&mut self, param: &Param, arg: &Ready, takes_words: bool) -> Reg {
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
                let word = self.c.interface.words.get(*text);
                let value = match word.filter(|_| takes_words) {
                    Some(word) => word.clone(),
                    None => Value::string(*text),
                };
                self.argument_constant(&value)
            }
            (Param::Name(domain), Ready::Val(val, at)) => self.computed_name(*domain, *val, *at),
            (Param::NameOr(domain, types), Ready::Val(val, at)) if !types.contains(&val.ty) => {
                if types.contains(&Type::Str) {
                    val.reg
                } else {
                    self.computed_name(*domain, *val, *at)
                }
            }
            (_, Ready::Val(val, _) | Ready::Named(_, val, _) | Ready::Closure(_, val, _)) => {
                val.reg
            }
        }
    }

    /// The name of a script function that takes `arity` arguments, or a function value.
    fn function_arg(&mut self, arg: &Ready, arity: usize) -> Reg {
        match arg {
            Ready::Literal(text, at) | Ready::Named(text, _, at) => {
                let value = self.function_value(text, arity, *at);
                self.argument_constant(&value)
            }
            Ready::Closure(params, val, at) => {
                if *params != arity {
                    self.error(
                        Code::WrongArity,
                        *at,
                        format!("this function has {}, not {arity}", parameters(*params)),
                        None,
                    );
                }
                val.reg
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
                let d = self.reg();
                self.emit(Op::FunctionOf {
                    d,
                    s: val.reg,
                    arity: arity as u8,
                });
                d
            }
        }
    }

    pub(super) fn has_function(&self, name: &str) -> bool {
        self.c.units[self.unit].has(name)
    }

    fn function_value(&mut self, name: &str, arity: usize, pos: Pos) -> Value<H::Object> {
        let functions = &self.c.units[self.unit].functions;
        if let Some(id) = functions.get(&(Name::from(name), arity)) {
            let name = self.c.program.functions[*id as usize].name.clone();
            return Value::Fn(crate::value::Shared::new(FnPtr {
                function: *id,
                name,
                captured: Default::default(),
            }));
        }
        let same = self.c.units[self.unit].named(name);
        let same: Vec<usize> = same.map(|(arity, _)| arity).collect();
        let help = did_you_mean(name, functions.keys().map(|(n, _)| &**n));
        self.no_function(name, arity, same, help, pos);
        Value::Unit
    }

    /// A constant that a host function takes: inside a loop it is better kept in a register.
    fn argument_constant(&mut self, value: &Value<H::Object>) -> Reg {
        if let Some((_, reg)) = self.kept.iter().find(|(kept, _)| kept == value) {
            return *reg;
        }
        let inline = matches!(value, Value::Int(_) | Value::Handle(..));
        if inline
            && self.repeated + self.loops.len() > 0
            && self.to_keep.len() < MOST_KEPT
            && !self.to_keep.contains(value)
        {
            self.to_keep.push(value.clone());
        }
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
        passing: usize,
        d: Reg,
        library: Option<u16>,
    ) -> Val {
        let (interface, pos) = (self.c.interface, self.pos);
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
                arg if candidates
                    .iter()
                    .all(|c| interface.functions[*c].params[i].1 == Param::Function) =>
                {
                    let s = self.function_arg(arg, args.len() - i - 1);
                    self.hand_over(s, to, passing);
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
                    self.hand_over(s, to, passing);
                }
                Ready::Named(_, val, _) | Ready::Closure(_, val, _) => {
                    self.hand_over(val.reg, to, passing);
                }
            }
        }
        let list = candidates
            .iter()
            .map(|c| {
                let params = &interface.functions[*c].params;
                let types = params.iter().map(|(_, p)| match p {
                    Param::Of(types) => Accepted::new(types),
                    Param::Function => Accepted::new(&[Type::Fn]),
                    Param::Name(_) | Param::NameOr(..) => Accepted::new(&[Type::Any]),
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
                    Ready::Literal(_, at)
                    | Ready::Val(_, at)
                    | Ready::Named(_, _, at)
                    | Ready::Closure(_, _, at) => (arg.ty(), *at),
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
        if let Some((text, at, what, near)) = self.misspelt_name(all, args) {
            let message = format!("unknown {what} `{text}`");
            let help = did_you_mean(text, [near.as_str()]);
            return self.error_about(text, Code::UnknownName, at, message, help);
        }
        let types: Vec<String> = args
            .iter()
            .map(|arg| match arg {
                Ready::Literal(text, _) => format!("\"{text}\""),
                arg => self.c.tables.type_name(arg.ty()).to_string(),
            })
            .collect();
        self.error_about(
            name,
            Code::TypeMismatch,
            pos,
            format!("there is no `{name}({})`", types.join(", ")),
            None,
        );
    }

    /// The text that no overload knows and that looks like a name one of them does: what it is, where, of what, and that name.
    fn misspelt_name<'r>(
        &self,
        all: &[usize],
        args: &'r [Ready],
    ) -> Option<(&'r str, Pos, String, String)> {
        let interface = self.c.interface;
        args.iter().enumerate().find_map(|(n, arg)| {
            let Ready::Literal(text, at) = arg else {
                return None;
            };
            let domains: Vec<&Domain> = all
                .iter()
                .filter_map(|i| match &interface.functions[*i].params.get(n)?.1 {
                    Param::Name(domain) | Param::NameOr(domain, _) => Some(domain),
                    _ => None,
                })
                .collect();
            let known = |domain: &&Domain| &interface.domains[domain.0 as usize];
            let names = || {
                let all = domains.iter().flat_map(move |domain| &known(domain).names);
                all.map(|(name, _)| name.as_str())
            };
            if names().any(|name| name == *text) {
                return None;
            }
            let near = nearest(text, names())?;
            let has = |domain: &&&Domain| known(domain).names.iter().any(|(name, _)| name == near);
            let what = known(domains.iter().find(has)?).what.clone();
            Some((*text, *at, what, near.to_string()))
        })
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
}

/// Up to four registers with the rest filled up; more stay as they are.
fn padded(regs: &[Reg]) -> Vec<Reg> {
    let mut regs = regs.to_vec();
    if regs.len() < 4 {
        regs.resize(4, 0);
    }
    regs
}
