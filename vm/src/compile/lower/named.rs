//! Texts that name a function, where Rhai takes one.

use super::Lower;
use crate::code::{Op, Reg};
use crate::diagnostic::Code;
use crate::host::Host;
use crate::tree::{Expr, ExprKind};

/// Functions that Rhai also gives the name of a function, as a text.
const TAKE_NAMES: &[&str] = &[
    "map",
    "filter",
    "index_of",
    "some",
    "all",
    "dedup",
    "reduce",
    "reduce_rev",
    "sort",
    "drain",
    "retain",
];

impl<H: Host> Lower<'_, '_, H> {
    /// A text that names a function of this script stands for it, as in Rhai, where an array is gone through with it.
    pub(super) fn name_to_function(&mut self, name: &str, arg: &Expr, f: Reg, list: Reg) {
        if !self.may_name_function(name, arg) {
            return;
        }
        let most = if name == "index_of" { 2 } else { 3 };
        self.emit(Op::NamedFn {
            f,
            list,
            most,
            unit: self.unit as u16,
        });
    }

    pub(super) fn may_name_function(&mut self, name: &str, arg: &Expr) -> bool {
        if self.is_prelude() || !TAKE_NAMES.contains(&name) {
            return false;
        }
        match &arg.kind {
            ExprKind::Str(text) => {
                let named = self.has_function(text);
                if !named && name == "index_of" && self.is_standard(text) {
                    self.error_about(text,
                        Code::Refused,
                        arg.pos,
                        format!("`{text}` is also the name of a standard function, which Rhai would call"),
                        Some(format!("write `index_of(|x| x == \"{text}\")`").into()),
                    );
                }
                named
            }
            ExprKind::Closure(_)
            | ExprKind::FnName(_)
            | ExprKind::Unit
            | ExprKind::Bool(_)
            | ExprKind::Int(_)
            | ExprKind::Char(_)
            | ExprKind::Array(_)
            | ExprKind::Map(_)
            | ExprKind::Range { .. } => false,
            _ => true,
        }
    }

    /// Whether a standard function of this name could be called with an item.
    pub(super) fn is_standard(&self, name: &str) -> bool {
        (1..=2).any(|n| self.c.tables.has_library_function(name, n))
    }
}
