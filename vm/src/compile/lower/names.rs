//! Names: of variables and constants, of script functions as values, and those of the host that literals stand for.

use super::Lower;
use crate::diagnostic::{Code, did_you_mean};
use crate::host::{Domain, Host, Type};
use crate::tree::{Expr, ExprKind, Name, Pos, StepKind};
use crate::value::Value;

impl<H: Host> Lower<'_, '_, H> {
    pub(super) fn unknown_variable(&mut self, name: &Name, pos: Pos) {
        if self.c.unknown_constants.contains(name) {
            return;
        }
        let known: Vec<&str> = self
            .locals
            .iter()
            .map(|l| &*l.name)
            .chain(self.c.units[self.unit].constants.keys().map(|k| &**k))
            .chain(self.c.interface.constants.iter().map(|k| k.name.as_str()))
            .collect();
        let mut help = did_you_mean(name, known);
        if help.is_none()
            && self.c.units[self.unit]
                .functions
                .keys()
                .any(|(n, _)| n == name)
        {
            help = Some(
                format!("`{name}` is a function: write `Fn(\"{name}\")` to use it as a value")
                    .into(),
            );
        }
        self.error_about(
            name,
            Code::UnknownVariable,
            pos,
            format!("unknown variable `{name}`"),
            help,
        );
    }

    pub(super) fn unknown_qualified(&mut self, module: &Name, name: &Name, pos: Pos) -> Type {
        match self.imports().get(module).copied() {
            None => self.unknown_module(module, pos),
            Some(unit) => {
                let help = did_you_mean(name, self.c.units[unit].constants.keys().map(|k| &**k));
                self.error_about(
                    module,
                    Code::UnknownVariable,
                    pos,
                    format!("`{module}` has no constant `{name}`"),
                    help,
                );
            }
        }
        Type::Any
    }

    pub(super) fn unknown_module(&mut self, module: &Name, pos: Pos) {
        if self.c.missing[self.read].contains(module) {
            return;
        }
        let help = did_you_mean(module, self.imports().keys().map(|k| &**k)).or_else(|| {
            Some(format!("write `import \"..\" as {module};` at the top of the file").into())
        });
        self.error_about(
            module,
            Code::UnknownModule,
            pos,
            format!("unknown module `{module}`"),
            help,
        );
    }

    /// A script function named as a value: any arity, the call will find the right one.
    pub(super) fn pointer(&mut self, name: &Name, pos: Pos) -> u32 {
        let functions = &self.c.units[self.unit].functions;
        if let Some((_, id)) = functions
            .range((name.clone(), 0)..)
            .next()
            .filter(|((n, _), _)| n == name)
        {
            return *id;
        }
        let help = if self.c.tables.arities(name).is_empty() {
            did_you_mean(name, functions.keys().map(|(n, _)| &**n))
        } else {
            Some(format!("wrap it in a closure: `|x| {name}(x)`").into())
        };
        self.error_about(
            name,
            Code::UnknownFunction,
            pos,
            format!("there is no script function `{name}`"),
            help,
        );
        0
    }

    /// The domain of names a property holds, if every declared property of that name agrees.
    pub(super) fn names_of(&mut self, e: &Expr) -> Option<Domain> {
        let ExprKind::Chain { steps, .. } = &e.kind else {
            return None;
        };
        let StepKind::Property(name) = &steps.last()?.kind else {
            return None;
        };
        let declared = self.c.tables.properties(name);
        let first = declared.first()?.names?;
        declared
            .iter()
            .all(|p| p.names == Some(first))
            .then_some(first)
    }

    /// A literal compared with a property that holds names becomes the host's value.
    pub(super) fn name_literal(
        &mut self,
        beside: &Expr,
        literal: &Expr,
    ) -> Option<Value<H::Object>> {
        let ExprKind::Str(text) = &literal.kind else {
            return None;
        };
        let domain = self.names_of(beside)?;
        self.name_value(domain, text, literal.pos)
    }

    pub(super) fn name_value(
        &mut self,
        domain: Domain,
        text: &str,
        pos: Pos,
    ) -> Option<Value<H::Object>> {
        let decl = &self.c.interface.domains[domain.0 as usize];
        if let Some((_, value)) = decl.names.iter().find(|(n, _)| n == text) {
            return Some(value.clone());
        }
        let help = did_you_mean(text, decl.names.iter().map(|(n, _)| n.as_str()));
        let of = decl.what.clone();
        let message = format!("unknown {of} `{text}`");
        let told = self.c.out.len();
        self.error_about(text, Code::UnknownName, pos, message, help);
        if let Some(told) = self.c.out.get_mut(told) {
            told.of = Some(of);
        }
        None
    }

    /// The right side of an assignment to a property that holds names.
    pub(super) fn assigned_name(
        &mut self,
        target: &Expr,
        value: &Expr,
    ) -> Option<Value<H::Object>> {
        self.name_literal(target, value)
    }
}
