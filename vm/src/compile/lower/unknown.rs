//! Calls that mean nothing, or two things: what to say of them.

use super::Lower;
use crate::diagnostic::{Advice, Code, did_you_mean};
use crate::host::{Host, Type};
use crate::parse::parameters;
use crate::tree::{Name, Pos};

impl<H: Host> Lower<'_, '_, H> {
    pub(super) fn two_meanings(&mut self, name: &Name, n: usize, pos: Pos) {
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
        if matches!(&**name, "min" | "max") && n == 1 {
            let message = format!("`{name}` compares two values, and this is one");
            let help = format!("of a list: `list.reduce(|a, b| {name}(a, b), list[0])`");
            self.error_about(name, Code::WrongArity, pos, message, Some(help.into()));
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
        help: Option<Advice>,
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
