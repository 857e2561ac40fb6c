//! Expressions that need more than a line: tables, variables, blocks, closures, and what rhai has worked out already.

use super::{Reader, pos};
use crate::diagnostic::Code;
use crate::tree::*;
use rhai::{Dynamic, Expr as RExpr, FnPtr, Ident, StmtBlock};

impl Reader<'_> {
    pub(super) fn map(&mut self, entries: &[(Ident, RExpr)], at: Pos) -> ExprKind {
        ExprKind::Map(
            entries
                .iter()
                .map(|(key, value)| {
                    let key_at = pos(key.pos).unwrap_or(at);
                    (Name::from(key.name.as_str()), key_at, self.expr(value))
                })
                .collect(),
        )
    }

    pub(super) fn variable(&mut self, name: &str, module: &[Ident], at: Pos) -> ExprKind {
        match module {
            [] => ExprKind::Var(name.into()),
            [module] => ExprKind::Qualified(module.name.as_str().into(), name.into()),
            _ => self.nested_module(at),
        }
    }

    /// A block as an expression; one made of a single expression is that expression.
    pub(super) fn statement_expr(&mut self, block: &StmtBlock, at: Pos) -> Expr {
        let mut block = self.block(block);
        if let [
            Stmt {
                kind: StmtKind::Expr(_),
                ..
            },
        ] = &block.stmts[..]
            && let Some(Stmt {
                kind: StmtKind::Expr(only),
                ..
            }) = block.stmts.pop()
        {
            return only;
        }
        Expr {
            kind: ExprKind::Block(block),
            pos: at,
        }
    }

    pub(super) fn constant(&mut self, value: &Dynamic, at: Pos) -> Expr {
        let kind = if let Ok(n) = value.as_int() {
            ExprKind::Int(n)
        } else if let Ok(b) = value.as_bool() {
            ExprKind::Bool(b)
        } else if let Ok(c) = value.as_char() {
            ExprKind::Char(c)
        } else if let Some(s) = value.read_lock::<rhai::ImmutableString>() {
            ExprKind::Str(s.as_str().into())
        } else if value.is_unit() {
            ExprKind::Unit
        } else if let Some(f) = value.read_lock::<FnPtr>() {
            return self.closure(&f, 0, at);
        } else if let Some(items) = value.read_lock::<rhai::Array>() {
            ExprKind::Array(items.iter().map(|v| self.constant(v, at)).collect())
        } else if let Some(map) = value.read_lock::<rhai::Map>() {
            ExprKind::Map(
                map.iter()
                    .map(|(k, v)| (Name::from(k.as_str()), at, self.constant(v, at)))
                    .collect(),
            )
        } else {
            let what = value.type_name();
            self.refuse(
                Code::Refused,
                at,
                format!("values of type {what} are not supported"),
                "",
            );
            ExprKind::Wrong
        };
        Expr { kind, pos: at }
    }

    pub(super) fn closure(&mut self, f: &FnPtr, captured: usize, at: Pos) -> Expr {
        let Some(def) = self.closures.get(f.fn_name()).cloned() else {
            return Expr {
                kind: ExprKind::FnName(f.fn_name().into()),
                pos: at,
            };
        };
        let outer = std::mem::replace(&mut self.this, false);
        let body = self.body(&def);
        let uses_this = std::mem::replace(&mut self.this, outer);
        let mut names = def.params.iter().map(|p| Name::from(p.as_str()));
        let captures = names.by_ref().take(captured).collect();
        let closure = Closure {
            captures,
            params: names.collect(),
            body,
            uses_this,
        };
        Expr {
            kind: ExprKind::Closure(Box::new(closure)),
            pos: at,
        }
    }

    pub(super) fn nested_module(&mut self, at: Pos) -> ExprKind {
        self.refuse(
            Code::Refused,
            at,
            "modules inside modules are not supported",
            "import the other file here and call it directly",
        );
        ExprKind::Wrong
    }
}
