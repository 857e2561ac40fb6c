//! What stands outside of functions, and functions themselves.

use super::{Reader, pos};
use crate::diagnostic::Code;
use crate::tree::*;
use rhai::{AST, ASTFlags, Expr as RExpr, FnAccess, Ident, ScriptFuncDef, Shared, Stmt as RStmt};

impl Reader<'_> {
    pub(super) fn file(&mut self, ast: &AST) -> File {
        let mut file = File::default();
        let mut functions = Vec::new();
        for (_, _, _, _, def) in ast.shared_lib().iter_script_fn_info() {
            if def.name.starts_with("anon$") {
                self.closures.insert(def.name.to_string(), def.clone());
            } else {
                functions.push(def.clone());
            }
        }
        // Rhai keeps functions in a map with random order: a program must not depend on it.
        functions.sort_by_key(|f| pos(f.body.start_position()));
        let statements: &[RStmt] = ast.as_ref();
        for stmt in statements {
            self.top_level(stmt, &mut file);
        }
        for def in functions {
            let function = self.function(&def);
            file.functions.push(function);
        }
        file
    }

    fn top_level(&mut self, stmt: &RStmt, file: &mut File) {
        let at = self.at(stmt.position());
        match stmt {
            RStmt::Noop(_) => {}
            RStmt::Var(var, flags, _) if flags.contains(ASTFlags::CONSTANT) => {
                let value = self.expr(&var.1);
                file.constants.push(Constant {
                    name: var.0.name.as_str().into(),
                    value,
                    pos: at,
                });
            }
            RStmt::Var(..) => self.refuse(
                Code::TopLevel,
                at,
                "a variable at the top of a file would not be seen by any function",
                "write `const` instead of `let`",
            ),
            RStmt::Import(import, _) => self.import(import, at, file),
            RStmt::Export(..) => self.refuse(
                Code::Refused,
                at,
                "`export` is not needed: all functions and constants of a file can be imported",
                "remove this line",
            ),
            _ => self.refuse(
                Code::TopLevel,
                at,
                "only `fn`, `const` and `import` may stand outside a function",
                "move this statement into a function",
            ),
        }
    }

    fn import(&mut self, import: &(RExpr, Ident), at: Pos, file: &mut File) {
        match &import.0 {
            RExpr::StringConstant(module, _) if !import.1.name.is_empty() => {
                file.imports.push(Import {
                    module: module.as_str().into(),
                    alias: import.1.name.as_str().into(),
                    pos: at,
                });
            }
            RExpr::StringConstant(module, _) => self.refuse(
                Code::Refused,
                at,
                "an import needs a name to call it by",
                &format!("write `import \"{module}\" as name;`"),
            ),
            _ => self.refuse(
                Code::Refused,
                at,
                "an import names its file with a plain string",
                "write `import \"name\" as name;`",
            ),
        }
    }

    fn function(&mut self, def: &Shared<ScriptFuncDef>) -> Function {
        let name: Name = def.name.as_str().into();
        let body_at = pos(def.body.start_position()).unwrap_or_default();
        let (at, span, doc) = self.tokens.function_before(body_at, def.name.as_str());
        if def.this_type.is_some() {
            self.refuse_about(
                def.name.as_str(),
                Code::Refused,
                at,
                format!(
                    "methods for one type, like `{}`, are not supported",
                    def.name
                ),
                "write the function without a type: it may use `this` for any value",
            );
        }
        self.this = false;
        self.pos = at;
        let body = self.body(def);
        Function {
            name,
            params: def.params.iter().map(|p| p.as_str().into()).collect(),
            body,
            pos: at,
            span,
            private: def.access == FnAccess::Private,
            doc,
            uses_this: self.this,
        }
    }
}
