//! Our own syntax tree: what the passes of the compiler read, with a place on every node.

pub(crate) use crate::diagnostic::{Pos, Span};
use std::rc::Rc;

pub(crate) type Name = Rc<str>;

#[derive(Debug)]
pub(crate) struct Function {
    pub name: Name,
    pub params: Vec<Name>,
    pub body: Block,
    pub pos: Pos,
    /// `fn name`
    pub span: Span,
    pub private: bool,
    pub doc: String,
    pub uses_this: bool,
}

#[derive(Debug)]
pub(crate) struct Import {
    pub module: Name,
    pub alias: Name,
    pub pos: Pos,
}

#[derive(Debug)]
pub(crate) struct Constant {
    pub name: Name,
    pub value: Expr,
    pub pos: Pos,
}

/// One file.
#[derive(Debug, Default)]
pub(crate) struct File {
    pub functions: Vec<Function>,
    pub constants: Vec<Constant>,
    pub imports: Vec<Import>,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Block {
    pub stmts: Vec<Stmt>,
}

#[derive(Debug, Clone)]
pub(crate) struct Stmt {
    pub kind: StmtKind,
    pub pos: Pos,
}

#[derive(Debug, Clone)]
pub(crate) enum StmtKind {
    Empty,
    Let {
        name: Name,
        value: Expr,
        constant: bool,
    },
    Assign {
        target: Expr,
        op: Option<BinOp>,
        value: Expr,
    },
    Expr(Expr),
    While {
        cond: Option<Expr>,
        body: Block,
    },
    Do {
        body: Block,
        cond: Expr,
        until: bool,
    },
    For {
        var: Name,
        counter: Option<Name>,
        over: Expr,
        body: Block,
    },
    Break(Option<Expr>),
    Continue,
    Return(Option<Expr>),
    Throw(Option<Expr>),
    Try {
        body: Block,
        var: Option<Name>,
        handler: Block,
    },
}

#[derive(Debug, Clone)]
pub(crate) struct Expr {
    pub kind: ExprKind,
    pub pos: Pos,
}

#[derive(Debug, Clone)]
pub(crate) enum ExprKind {
    Unit,
    Bool(bool),
    Int(i64),
    Char(char),
    Str(Name),
    Interpolated(Vec<Expr>),
    Array(Vec<Expr>),
    Map(Vec<(Name, Pos, Expr)>),
    Var(Name),
    /// `module::NAME`
    Qualified(Name, Name),
    This,
    Call {
        module: Option<Name>,
        name: Name,
        args: Vec<Expr>,
    },
    /// `root.a[i].f(x)`, left to right. A `?.` that meets `()` ends the whole chain with `()`.
    Chain {
        root: Box<Expr>,
        steps: Vec<Step>,
    },
    Unary(UnOp, Box<Expr>),
    Binary(BinOp, Box<Expr>, Box<Expr>),
    And(Vec<Expr>),
    Or(Vec<Expr>),
    Coalesce(Vec<Expr>),
    Range {
        from: Box<Expr>,
        to: Box<Expr>,
        inclusive: bool,
    },
    In {
        item: Box<Expr>,
        list: Box<Expr>,
    },
    Closure(Box<Closure>),
    /// `Fn("name")`
    FnName(Name),
    Block(Block),
    If {
        cond: Box<Expr>,
        then: Block,
        other: Option<Block>,
    },
    Switch(Box<Switch>),
    /// Something the parser accepted and the machine refuses; already reported.
    Wrong,
}

#[derive(Debug, Clone)]
pub(crate) struct Step {
    pub kind: StepKind,
    /// `?.` or `?[`
    pub safe: bool,
    pub pos: Pos,
}

#[derive(Debug, Clone)]
pub(crate) enum StepKind {
    Property(Name),
    Index(Expr),
    Method { name: Name, args: Vec<Expr> },
}

#[derive(Debug, Clone)]
pub(crate) struct Closure {
    pub captures: Vec<Name>,
    pub params: Vec<Name>,
    pub body: Block,
    pub uses_this: bool,
}

#[derive(Debug, Clone)]
pub(crate) struct Switch {
    pub item: Expr,
    pub arms: Vec<Arm>,
    pub default: Option<Block>,
}

#[derive(Debug, Clone)]
pub(crate) struct Arm {
    pub cases: Vec<(Case, Pos)>,
    pub cond: Option<Expr>,
    pub body: Block,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Case {
    Unit,
    Bool(bool),
    Int(i64),
    Char(char),
    Str(Name),
    Range { from: i64, to: i64, inclusive: bool },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum UnOp {
    Neg,
    Plus,
    Not,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub(crate) enum BinOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Pow,
    Shl,
    Shr,
    BitAnd,
    BitOr,
    BitXor,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

impl BinOp {
    pub fn symbol(self) -> &'static str {
        match self {
            BinOp::Add => "+",
            BinOp::Sub => "-",
            BinOp::Mul => "*",
            BinOp::Div => "/",
            BinOp::Rem => "%",
            BinOp::Pow => "**",
            BinOp::Shl => "<<",
            BinOp::Shr => ">>",
            BinOp::BitAnd => "&",
            BinOp::BitOr => "|",
            BinOp::BitXor => "^",
            BinOp::Eq => "==",
            BinOp::Ne => "!=",
            BinOp::Lt => "<",
            BinOp::Le => "<=",
            BinOp::Gt => ">",
            BinOp::Ge => ">=",
        }
    }

    pub fn from_symbol(symbol: &str) -> Option<BinOp> {
        use BinOp::*;
        [
            Add, Sub, Mul, Div, Rem, Pow, Shl, Shr, BitAnd, BitOr, BitXor, Eq, Ne, Lt, Le, Gt, Ge,
        ]
        .into_iter()
        .find(|op| op.symbol() == symbol)
    }

    pub fn is_equality(self) -> bool {
        matches!(self, BinOp::Eq | BinOp::Ne)
    }

    pub fn is_order(self) -> bool {
        matches!(self, BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge)
    }
}

/// Visits every expression of a block, outermost first, closures included.
pub(crate) fn walk_block(block: &Block, visit: &mut dyn FnMut(&Expr)) {
    for stmt in &block.stmts {
        walk_stmt(stmt, visit);
    }
}

pub(crate) fn walk_stmt(stmt: &Stmt, visit: &mut dyn FnMut(&Expr)) {
    match &stmt.kind {
        StmtKind::Empty | StmtKind::Continue => {}
        StmtKind::Let { value, .. } => walk_expr(value, visit),
        StmtKind::Assign { target, value, .. } => {
            walk_expr(target, visit);
            walk_expr(value, visit);
        }
        StmtKind::Expr(e) => walk_expr(e, visit),
        StmtKind::While { cond, body } => {
            cond.iter().for_each(|c| walk_expr(c, visit));
            walk_block(body, visit);
        }
        StmtKind::Do { body, cond, .. } => {
            walk_block(body, visit);
            walk_expr(cond, visit);
        }
        StmtKind::For { over, body, .. } => {
            walk_expr(over, visit);
            walk_block(body, visit);
        }
        StmtKind::Break(value) | StmtKind::Return(value) | StmtKind::Throw(value) => {
            value.iter().for_each(|v| walk_expr(v, visit));
        }
        StmtKind::Try { body, handler, .. } => {
            walk_block(body, visit);
            walk_block(handler, visit);
        }
    }
}

pub(crate) fn walk_expr(e: &Expr, visit: &mut dyn FnMut(&Expr)) {
    visit(e);
    parts(e, &mut |part| match part {
        Part::Expr(child) => walk_expr(child, visit),
        Part::Block(block) => walk_block(block, visit),
    });
}

/// What an expression is made of.
pub(crate) enum Part<'e> {
    Expr(&'e Expr),
    Block(&'e Block),
}

/// The expressions and blocks directly below an expression, in the order of the text. The body of a closure is one of them.
pub(crate) fn parts<'e>(e: &'e Expr, visit: &mut dyn FnMut(Part<'e>)) {
    match &e.kind {
        ExprKind::Closure(c) => visit(Part::Block(&c.body)),
        ExprKind::Block(block) => visit(Part::Block(block)),
        ExprKind::If { cond, then, other } => {
            visit(Part::Expr(cond));
            visit(Part::Block(then));
            other.iter().for_each(|b| visit(Part::Block(b)));
        }
        ExprKind::Switch(switch) => {
            visit(Part::Expr(&switch.item));
            for arm in &switch.arms {
                arm.cond.iter().for_each(|c| visit(Part::Expr(c)));
                visit(Part::Block(&arm.body));
            }
            switch.default.iter().for_each(|b| visit(Part::Block(b)));
        }
        _ => children(e, &mut |child| visit(Part::Expr(child))),
    }
}

/// Visits every statement below a block, closures included.
pub(crate) fn walk_stmts(block: &Block, visit: &mut dyn FnMut(&Stmt)) {
    for stmt in &block.stmts {
        visit(stmt);
        match &stmt.kind {
            StmtKind::While { body, .. }
            | StmtKind::Do { body, .. }
            | StmtKind::For { body, .. } => {
                walk_stmts(body, visit);
            }
            StmtKind::Try { body, handler, .. } => {
                walk_stmts(body, visit);
                walk_stmts(handler, visit);
            }
            _ => {}
        }
        own_exprs(stmt, &mut |e| blocks_of(e, &mut |b| walk_stmts(b, visit)));
    }
}

/// The expressions a statement is made of, without those of its blocks.
pub(crate) fn own_exprs(stmt: &Stmt, visit: &mut dyn FnMut(&Expr)) {
    match &stmt.kind {
        StmtKind::Empty | StmtKind::Continue | StmtKind::Try { .. } => {}
        StmtKind::Let { value, .. } => visit(value),
        StmtKind::Assign { target, value, .. } => {
            visit(target);
            visit(value);
        }
        StmtKind::Expr(e) | StmtKind::Do { cond: e, .. } | StmtKind::For { over: e, .. } => {
            visit(e)
        }
        StmtKind::While { cond, .. } => cond.iter().for_each(visit),
        StmtKind::Break(value) | StmtKind::Return(value) | StmtKind::Throw(value) => {
            value.iter().for_each(visit)
        }
    }
}

/// The outermost blocks inside an expression.
fn blocks_of(e: &Expr, visit: &mut dyn FnMut(&Block)) {
    parts(e, &mut |part| match part {
        Part::Expr(child) => blocks_of(child, visit),
        Part::Block(block) => visit(block),
    });
}

/// The expressions directly below one, blocks aside.
pub(crate) fn children<'e>(e: &'e Expr, visit: &mut dyn FnMut(&'e Expr)) {
    match &e.kind {
        ExprKind::Interpolated(list)
        | ExprKind::Array(list)
        | ExprKind::And(list)
        | ExprKind::Or(list)
        | ExprKind::Coalesce(list)
        | ExprKind::Call { args: list, .. } => list.iter().for_each(visit),
        ExprKind::Map(entries) => entries.iter().for_each(|(_, _, e)| visit(e)),
        ExprKind::Chain { root, steps } => {
            visit(root);
            for step in steps {
                match &step.kind {
                    StepKind::Property(_) => {}
                    StepKind::Index(i) => visit(i),
                    StepKind::Method { args, .. } => args.iter().for_each(&mut *visit),
                }
            }
        }
        ExprKind::Unary(_, a) => visit(a),
        ExprKind::Binary(_, a, b)
        | ExprKind::Range { from: a, to: b, .. }
        | ExprKind::In { item: a, list: b } => {
            visit(a);
            visit(b);
        }
        _ => {}
    }
}
