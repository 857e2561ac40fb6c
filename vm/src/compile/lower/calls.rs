//! Calls: script functions, host functions, standard functions, and functions that are values.

use super::{CALL_ITSELF, Lower, Val};
use crate::code::{Action, Op, PathStep, Reg, Style};
use crate::diagnostic::{Code, did_you_mean};
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
        want: Option<Reg>,
    ) -> Val {
        let d = self.or_reg(want);
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
        if let Some(f) = self.c.units[self.unit]
            .functions
            .get(&(name.clone(), n))
            .copied()
        {
            if method
                && self.c.units[self.unit]
                    .functions
                    .contains_key(&(name.clone(), n - 1))
            {
                self.error_about(
                    &name,
                    Code::Refused,
                    pos,
                    format!(
                        "`{name}` has {} and {}: as a method, either could be meant",
                        parameters(n - 1),
                        parameters(n)
                    ),
                    Some(format!(
                        "write `{name}(..)` with all arguments in the parentheses"
                    )),
                );
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

    /// The register of an argument that is a variable.
    fn variable(&self, arg: Arg) -> Option<Reg> {
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
                Some(format!("call it as a method: `value.{name}(..)`")),
            );
        }
        // Variables that come first are read by the call itself.
        let in_place: Vec<Reg> = match u16::try_from(f) {
            Ok(_) => args
                .iter()
                .map_while(|arg| self.variable(*arg))
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

    /// Functions that are operations of the machine.
    pub(super) fn intrinsic(
        &mut self,
        name: &str,
        args: &[Arg],
        method: bool,
        pos: Pos,
        d: Reg,
    ) -> Option<Val> {
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
            ("call", [_, ..]) => {
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
                    style: Style::On,
                });
                self.emit(Op::Take { d: item, s: a });
                self.emit(Op::Unit { d });
                done(d, Type::Unit)
            }
            // With an item of `this`, which then becomes what the function made of it: also if that fails, and the fault is caught.
            (
                "each_at" | "on_at" | "keyed_at" | "fold_at",
                [
                    f,
                    Arg::Expr(Expr {
                        kind: ExprKind::Var(at),
                        ..
                    }),
                    rest @ ..,
                ],
            ) if self.is_prelude() => {
                let at = self.local(at).map(|l| l.reg)?;
                let given: Vec<Arg> = rest.to_vec();
                let (style, item) = match name {
                    "each_at" => (Style::EachAt, 1),
                    "on_at" => (Style::On, 1),
                    "keyed_at" => (Style::KeyedAt, 2),
                    _ => (Style::FoldAt, 2),
                };
                let a = self.row(given.len() + 2);
                self.arg_into(*f, a);
                let mut given = given.into_iter();
                for n in 1..given.len() as Reg + 2 {
                    if n == item {
                        self.emit(Op::Index {
                            d: a + n,
                            a: 0,
                            b: at,
                        });
                    } else if let Some(arg) = given.next() {
                        self.arg_into(arg, a + n);
                    }
                }
                self.pos = pos;
                let n = rest.len() as u8 + 1;
                self.emit(Op::CallValue { d, a, n, style });
                let k = self.path(vec![PathStep::Index(at)], Action::Put);
                self.emit(Op::Path {
                    d: 0,
                    root: 0,
                    a,
                    k,
                });
                done(d, Type::Any)
            }
            // The prelude's other ways to call.
            _ if self.is_prelude() => {
                let style = match name {
                    "call_each" => Style::Each,
                    "call_keyed" => Style::Keyed,
                    "call_fold" => Style::Fold,
                    "call_zip" => Style::Zip,
                    _ => return None,
                };
                let (a, _) = self.row_of(args);
                self.pos = pos;
                self.emit(Op::CallValue {
                    d,
                    a,
                    n: args.len() as u8 - 1,
                    style,
                });
                // What was bound to `this` must not stay there: it would count as shared.
                let forget = self.reg();
                self.emit(Op::Take { d: forget, s: a });
                done(d, Type::Any)
            }
            _ => None,
        }
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
                        &constant,
                        Code::ReadOnly,
                        pos,
                        format!("`{constant}` is a constant, and `{name}` would change it"),
                        Some(format!("copy it first: `let own = {constant};`")),
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
                &name,
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
                &name,
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
        if method && same.is_empty() && self.c.keys.contains(name) {
            help = Some(format!(
                "write `value.{name}.call(..)` to call a function that a map keeps"
            ));
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
        help: Option<String>,
        pos: Pos,
    ) {
        if same.is_empty() {
            self.error_about(
                &name,
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
                &name,
                Code::WrongArity,
                pos,
                format!("`{name}` works on a value"),
                Some(format!("call it as a method: `value.{name}(..)`")),
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
