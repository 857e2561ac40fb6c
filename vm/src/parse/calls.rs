//! Calls of rhai's tree, operators among them.

use super::Reader;
use crate::diagnostic::Code;
use crate::tree::*;
use rhai::{Expr as RExpr, FnCallExpr, FnPtr};

impl Reader<'_> {
    pub(super) fn call(&mut self, call: &FnCallExpr, at: Pos) -> Expr {
        let name = call.name.as_str();
        if call.capture_parent_scope {
            self.refuse_about(
                name,
                Code::Refused,
                at,
                format!("`{name}!(..)` is not supported: a function sees its parameters only"),
                "pass what the function needs as arguments",
            );
        }
        let module = match &call.namespace.path[..] {
            [] => None,
            [one] => Some(one.name.as_str().into()),
            _ => {
                let kind = self.nested_module(at);
                return Expr { kind, pos: at };
            }
        };
        let kind = match (name, &call.args[..]) {
            _ if module.is_some() => self.named_call(module, call),
            ("curry", [RExpr::DynamicConstant(value, p), captured @ ..]) => {
                let at = self.at(*p);
                match value.read_lock::<FnPtr>() {
                    Some(f) => return self.closure(&f, captured.len(), at),
                    None => ExprKind::Wrong,
                }
            }
            (".." | "..=", [from, to]) => self.range(from, to, name == "..="),
            ("-", [a]) => ExprKind::Unary(UnOp::Neg, Box::new(self.expr(a))),
            ("+", [a]) => ExprKind::Unary(UnOp::Plus, Box::new(self.expr(a))),
            ("!", [a]) => ExprKind::Unary(UnOp::Not, Box::new(self.expr(a))),
            ("contains", [list, item]) if call.is_operator_call() => {
                let list = Box::new(self.expr(list));
                let item = Box::new(self.expr(item));
                ExprKind::In { item, list }
            }
            ("Fn", [RExpr::StringConstant(s, _)]) => ExprKind::FnName(s.as_str().into()),
            ("Fn", [_]) => self.refuse_call(
                Code::Refused,
                at,
                "`Fn` with a computed name is not supported",
                "write the name as a literal, or choose between closures",
            ),
            ("eval", _) => self.refuse_call(
                Code::RefusedEval,
                at,
                "`eval` is not supported: a script is compiled before it runs",
                "write a function and call it",
            ),
            (_, [a, b]) if let Some(op) = BinOp::from_symbol(name) => {
                ExprKind::Binary(op, Box::new(self.expr(a)), Box::new(self.expr(b)))
            }
            _ => self.named_call(None, call),
        };
        Expr { kind, pos: at }
    }

    fn named_call(&mut self, module: Option<Name>, call: &FnCallExpr) -> ExprKind {
        ExprKind::Call {
            module,
            name: call.name.as_str().into(),
            args: self.exprs(call.args.iter()),
        }
    }

    fn range(&mut self, from: &RExpr, to: &RExpr, inclusive: bool) -> ExprKind {
        let from = Box::new(self.expr(from));
        let mut end = Box::new(self.expr(to));
        // Rhai reads a missing end as the largest number.
        if matches!(to, RExpr::Unit(..)) {
            end.kind = ExprKind::Int(i64::MAX);
        }
        ExprKind::Range {
            from,
            to: end,
            inclusive,
        }
    }

    fn refuse_call(&mut self, code: Code, at: Pos, message: &str, help: &str) -> ExprKind {
        self.refuse(code, at, message, help);
        ExprKind::Wrong
    }
}
