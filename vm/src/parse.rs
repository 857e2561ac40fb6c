//! Rhai's parser, and the way from its syntax tree to ours. Only this file and those below it touch rhai's types.

mod brackets;
mod calls;
mod chains;
mod stmts;
mod syntax;
mod tokens;
mod top_level;
mod values;

use crate::diagnostic::{Code, Diagnostic, Span};
use crate::lexis::open_comment;
use crate::source::Script;
use crate::tree::*;
use rhai::{
    AST, ASTFlags, ASTNode, Engine, Expr as RExpr, Module, OptimizationLevel, Position,
    ScriptFuncDef, Shared, Stmt as RStmt, StmtBlock,
};
use std::cell::Cell;
use std::collections::HashMap;
pub(crate) use syntax::parameters;
use tokens::Tokens;

/// How deeply expressions and blocks may nest: generous for people, and safe for the stack of the compiler.
const DEPTH: usize = 96;

/// Entries of a map, and items of an array, that may be written in one place.
const LARGEST_MAP: usize = 2_000;
const LARGEST_ARRAY: usize = 20_000;

/// Variables that a function may declare: Rhai looks for each among all others, and the machine has room for fewer at once.
const MOST_VARIABLES: usize = 1_000;

/// Functions and closures that stand before a name in its file, of all names of all files: Rhai holds each name against each of them.
pub const MOST_LOOKUPS: u64 = 200_000_000;

/// The parser's engine: one per compilation.
pub(crate) struct Parser {
    engine: Engine,
    /// What was read so far.
    looked_up: Cell<u64>,
}

impl Parser {
    pub fn new() -> Parser {
        let mut engine = Engine::new_raw();
        engine.set_optimization_level(OptimizationLevel::None);
        engine.set_max_expr_depths(DEPTH, DEPTH);
        // Rhai compares every key of a map with every other.
        engine.set_max_map_size(LARGEST_MAP);
        engine.set_max_array_size(LARGEST_ARRAY);
        Parser {
            engine,
            looked_up: Cell::new(0),
        }
    }

    /// Reads one file. Rhai stops at the first syntax error, so there is at most one of those; refusals come all at once.
    pub fn file(&self, source: &Script) -> Result<File, Vec<Diagnostic>> {
        let tokens = Tokens::read(&self.engine, &source.text);
        if let Some(start) = tokens.too_many_variables() {
            let message = format!("a function declares at most {MOST_VARIABLES} variables");
            let help = "move a part of it into another function";
            return Err(vec![too_large(source, start, message, help)]);
        }
        // Where the tokens end before the text does, Rhai may know better.
        let lookups = match tokens.is_cut() {
            true => lookups(&source.text),
            false => tokens.lookups(),
        };
        let lookups = self.looked_up.get().saturating_add(lookups);
        if lookups > MOST_LOOKUPS {
            let message = format!(
                "the functions and closures before each name of a script, all together, are more than {MOST_LOOKUPS}"
            );
            let help = "move a part of it into a script of its own";
            let top = Pos { line: 1, column: 1 };
            return Err(vec![too_large(source, top, message, help)]);
        }
        self.looked_up.set(lookups);
        // Rhai takes all that comes after it for a comment, and misses nothing.
        if let Some(at) = open_comment(&source.text) {
            return Err(vec![syntax::open_comment(source, at)]);
        }
        let ast = match self.engine.compile(&source.text) {
            Ok(ast) => ast,
            Err(error) => return Err(vec![syntax::error(source, &error, &tokens)]),
        };
        let mut reader = Reader {
            source,
            tokens: &tokens,
            closures: HashMap::new(),
            this: false,
            pos: Pos::default(),
            out: Vec::new(),
        };
        let file = reader.file(&ast);
        for (at, sign) in tokens.turned_round() {
            let message = format!("`={sign}` gives a new value, whatever was there before");
            let help = format!("`{sign}=` changes it by so much; to set it write `= {sign}`");
            reader.refuse(Code::Refused, at, message, &help);
        }
        if reader.out.is_empty() {
            Ok(file)
        } else {
            Err(reader.out)
        }
    }
}

fn too_large(source: &Script, start: Pos, message: String, help: &str) -> Diagnostic {
    Diagnostic {
        name: None,
        of: None,
        code: Code::TooLarge,
        path: source.path.clone(),
        span: Span { start, end: None },
        message,
        help: Some(help.into()),
        related: Vec::new(),
    }
}

/// As many functions and closures as may stand before the names of a text, told from its words: comments and strings count as well.
pub fn lookups(text: &str) -> u64 {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let words = text.split(|c| !is_name(c)).filter(|word| !word.is_empty());
    let (mut names, mut functions) = (0, 0);
    for word in words {
        match word {
            "fn" => functions += 1,
            _ => names += 1,
        }
    }
    let closures = text.bytes().filter(|byte| *byte == b'|').count() as u64 / 2;
    names * (functions + closures)
}

fn pos(p: Position) -> Option<Pos> {
    Some(Pos {
        line: p.line()? as u32,
        column: p.position().unwrap_or(1) as u32,
    })
}

struct Reader<'a> {
    source: &'a Script,
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
            of: None,
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
            RExpr::Map(map, _) => self.map(&map.0, at),
            RExpr::Variable(v, _, _) => self.variable(&v.1, &v.2.path, at),
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
}
