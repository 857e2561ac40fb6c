//! Rhai's parser, and the way from its syntax tree to ours. Only this file and those below it touch rhai's types.

mod calls;
mod chains;
mod stmts;
mod syntax;
mod tokens;

use crate::diagnostic::{Code, Diagnostic, Span};
use crate::source::Source;
use crate::tree::*;
use rhai::{
    AST, ASTFlags, ASTNode, Dynamic, Engine, Expr as RExpr, FnAccess, FnPtr, Module,
    OptimizationLevel, Position, ScriptFuncDef, Shared, Stmt as RStmt, StmtBlock,
};
use std::collections::HashMap;
pub(crate) use syntax::parameters;
use tokens::Tokens;

/// How deeply expressions and blocks may nest: generous for people, and safe for the stack of the compiler.
const DEPTH: usize = 96;

/// Entries of a map, and items of an array, that may be written in one place.
const LARGEST_MAP: usize = 2_000;
const LARGEST_ARRAY: usize = 20_000;

/// The parser's engine: one per compilation.
pub(crate) struct Parser {
    engine: Engine,
}

impl Parser {
    pub fn new() -> Parser {
        let mut engine = Engine::new_raw();
        engine.set_optimization_level(OptimizationLevel::None);
        engine.set_max_expr_depths(DEPTH, DEPTH);
        // Rhai compares every key of a map with every other.
        engine.set_max_map_size(LARGEST_MAP);
        engine.set_max_array_size(LARGEST_ARRAY);
        Parser { engine }
    }

    /// Reads one file. Rhai stops at the first syntax error, so there is at most one of those; refusals come all at once.
    pub fn file(&self, source: &Source) -> Result<File, Vec<Diagnostic>> {
        let ast = match self.engine.compile(&source.text) {
            Ok(ast) => ast,
            Err(error) => return Err(vec![syntax::error(source, &error)]),
        };
        let tokens = Tokens::read(&self.engine, &source.text);
        let mut reader = Reader {
            source,
            tokens: &tokens,
            closures: HashMap::new(),
            this: false,
            pos: Pos::default(),
            out: Vec::new(),
        };
        let file = reader.file(&ast);
        if reader.out.is_empty() {
            Ok(file)
        } else {
            Err(reader.out)
        }
    }
}

fn pos(p: Position) -> Option<Pos> {
    Some(Pos {
        line: p.line()? as u32,
        column: p.position().unwrap_or(1) as u32,
    })
}

struct Reader<'a> {
    source: &'a Source,
    tokens: &'a Tokens,
    closures: HashMap<String, Shared<ScriptFuncDef>>,
    /// Whether the function being read uses `this`.
    this: bool,
    /// The last place seen: some nodes of rhai's tree have none.
    pos: Pos,
    out: Vec<Diagnostic>,
}

impl Reader<'_> {
    fn at(&mut self, p: Position) -> Pos {
        if let Some(p) = pos(p) {
            self.pos = p;
        }
        self.pos
    }

    fn refuse(&mut self, code: Code, at: Pos, message: impl Into<String>, help: &str) {
        self.refuse_about("", code, at, message, help);
    }

    fn refuse_about(
        &mut self,
        name: &str,
        code: Code,
        at: Pos,
        message: impl Into<String>,
        help: &str,
    ) {
        self.out.push(Diagnostic {
            name: (!name.is_empty()).then(|| name.to_string()),
            code,
            path: self.source.path.clone(),
            span: Span {
                start: at,
                end: None,
            },
            message: message.into(),
            help: (!help.is_empty()).then(|| help.into()),
            related: Vec::new(),
        });
    }

    fn file(&mut self, ast: &AST) -> File {
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
            RStmt::Import(import, _) => match &import.0 {
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
            },
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

    /// Rhai hides the statements of a function; its walker shows them, so it walks a tree with this function alone.
    fn body(&mut self, def: &Shared<ScriptFuncDef>) -> Block {
        let mut module = Module::new();
        module.set_script_fn(def.clone());
        let ast = AST::new_from_module(module);
        let mut stmts = Vec::new();
        ast.walk(&mut |path: &[ASTNode]| {
            if let [ASTNode::Stmt(stmt)] = path {
                self.stmt(stmt, &mut stmts);
            }
            true
        });
        Block { stmts }
    }

    fn block(&mut self, block: &StmtBlock) -> Block {
        self.at(block.position());
        let mut stmts = Vec::new();
        for stmt in block.iter() {
            self.stmt(stmt, &mut stmts);
        }
        Block { stmts }
    }

    fn stmt(&mut self, stmt: &RStmt, out: &mut Vec<Stmt>) {
        let at = self.at(stmt.position());
        let kind = match stmt {
            RStmt::Noop(_) => StmtKind::Empty,
            RStmt::Var(var, flags, _) => StmtKind::Let {
                name: var.0.name.as_str().into(),
                value: self.expr(&var.1),
                constant: flags.contains(ASTFlags::CONSTANT),
            },
            RStmt::Assignment(parts) => self.assignment(&parts.0, &parts.1, at),
            RStmt::FnCall(call, p) => {
                let at = self.at(*p);
                StmtKind::Expr(self.call(call, at))
            }
            RStmt::Expr(e) => StmtKind::Expr(self.expr(e)),
            RStmt::Block(block) => self.block_stmt(block, at),
            RStmt::If(flow, _) => self.if_else(flow, at),
            RStmt::Switch(..) => StmtKind::Expr(self.switch(stmt, at)),
            RStmt::While(flow, _) => self.while_loop(flow),
            RStmt::Do(flow, flags, _) => self.do_loop(flow, *flags),
            RStmt::For(parts, _) => StmtKind::For {
                var: parts.0.name.as_str().into(),
                counter: parts.1.as_ref().map(|c| c.name.as_str().into()),
                over: self.expr(&parts.2.expr),
                body: self.block(&parts.2.body),
            },
            RStmt::BreakLoop(value, flags, _) => self.leave_loop(value.as_deref(), *flags),
            RStmt::Return(value, flags, _) => self.leave_function(value.as_deref(), *flags),
            RStmt::TryCatch(flow, _) => self.try_catch(flow),
            // Captured variables are shared in rhai; here they are copied, and `check` refuses what would show it.
            RStmt::Share(_) => return,
            other => return self.refuse_stmt(other, at),
        };
        out.push(Stmt { kind, pos: at });
    }

    fn exprs<'e>(&mut self, list: impl IntoIterator<Item = &'e RExpr>) -> Vec<Expr> {
        list.into_iter().map(|e| self.expr(e)).collect()
    }

    fn expr(&mut self, e: &RExpr) -> Expr {
        let at = self.at(e.start_position());
        let kind = match e {
            RExpr::Unit(_) => ExprKind::Unit,
            RExpr::BoolConstant(b, _) => ExprKind::Bool(*b),
            RExpr::IntegerConstant(n, _) => ExprKind::Int(*n),
            RExpr::CharConstant(c, _) => ExprKind::Char(*c),
            RExpr::StringConstant(s, _) => ExprKind::Str(s.as_str().into()),
            RExpr::InterpolatedString(parts, _) => ExprKind::Interpolated(self.exprs(parts.iter())),
            RExpr::Array(items, _) => ExprKind::Array(self.exprs(items.iter())),
            RExpr::Map(map, _) => ExprKind::Map(
                map.0
                    .iter()
                    .map(|(key, value)| {
                        let key_at = pos(key.pos).unwrap_or(at);
                        (Name::from(key.name.as_str()), key_at, self.expr(value))
                    })
                    .collect(),
            ),
            RExpr::Variable(v, _, _) => {
                if v.2.is_empty() {
                    ExprKind::Var(v.1.as_str().into())
                } else if v.2.path.len() == 1 {
                    ExprKind::Qualified(v.2.path[0].name.as_str().into(), v.1.as_str().into())
                } else {
                    self.nested_module(at)
                }
            }
            RExpr::ThisPtr(_) => {
                self.this = true;
                ExprKind::This
            }
            RExpr::DynamicConstant(value, _) => return self.constant(value, at),
            RExpr::FnCall(call, _) => return self.call(call, at),
            RExpr::Dot(..) | RExpr::Index(..) => self.chain(e),
            RExpr::And(list, _) => ExprKind::And(self.exprs(list.iter())),
            RExpr::Or(list, _) => ExprKind::Or(self.exprs(list.iter())),
            RExpr::Coalesce(list, _) => ExprKind::Coalesce(self.exprs(list.iter())),
            RExpr::Stmt(block) => return self.statement_expr(block, at),
            RExpr::Property(..) | RExpr::MethodCall(..) | RExpr::Custom(..) => {
                self.refuse(Code::Refused, at, "this expression is not supported", "");
                ExprKind::Wrong
            }
            other => {
                self.refuse(Code::Refused, at, format!("not supported: {other:?}"), "");
                ExprKind::Wrong
            }
        };
        Expr { kind, pos: at }
    }

    /// A block as an expression; one made of a single expression is that expression.
    fn statement_expr(&mut self, block: &StmtBlock, at: Pos) -> Expr {
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

    fn constant(&mut self, value: &Dynamic, at: Pos) -> Expr {
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

    fn closure(&mut self, f: &FnPtr, captured: usize, at: Pos) -> Expr {
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

    fn nested_module(&mut self, at: Pos) -> ExprKind {
        self.refuse(
            Code::Refused,
            at,
            "modules inside modules are not supported",
            "import the other file here and call it directly",
        );
        ExprKind::Wrong
    }
}
