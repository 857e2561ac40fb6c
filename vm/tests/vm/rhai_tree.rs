//! What we need of rhai's syntax tree. If an upgrade changes it, this fails before anything subtle does.

use crate::support::check;
use rhai::{AST, ASTFlags, ASTNode, Engine, Expr, Module, OptimizationLevel, Stmt};

fn engine() -> Engine {
    let mut engine = Engine::new_raw();
    engine.set_optimization_level(OptimizationLevel::None);
    engine
}

/// The statements of the only function, as the parser reads them: through a tree that holds this function alone.
fn body(text: &str) -> Vec<Stmt> {
    let ast = engine().compile(text).unwrap();
    let mut module = Module::new();
    for (_, _, name, _, def) in ast.shared_lib().iter_script_fn_info() {
        if name == "f" {
            module.set_script_fn(def.clone());
        }
    }
    let mut out = Vec::new();
    AST::new_from_module(module).walk(&mut |path: &[ASTNode]| {
        if let [ASTNode::Stmt(stmt)] = path {
            out.push((*stmt).clone());
        }
        true
    });
    out
}

#[test]
fn the_version_is_the_one_we_read() {
    let lock =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../Cargo.toml")).unwrap();
    assert!(lock.contains("rhai = { version = \"=1.27.0\""));
}

#[test]
fn bodies_are_walked_in_order() {
    let stmts = body("fn f(a) { let x = 1; x += a; x }");
    assert!(matches!(
        stmts[..],
        [Stmt::Var(..), Stmt::Assignment(..), Stmt::Expr(..)]
    ));
}

#[test]
fn chains_nest_to_the_right() {
    let stmts = body("fn f(a) { a.b[1].c }");
    let [Stmt::Expr(e)] = &stmts[..] else {
        panic!("{stmts:?}")
    };
    let Expr::Dot(outer, flags, _) = &**e else {
        panic!("{e:?}")
    };
    assert!(matches!(outer.lhs, Expr::Variable(..)) && !flags.contains(ASTFlags::BREAK));
    let Expr::Index(inner, ..) = &outer.rhs else {
        panic!("{:?}", outer.rhs)
    };
    assert!(matches!(inner.lhs, Expr::Property(..)));
    assert!(matches!(inner.rhs, Expr::Dot(..)));
}

#[test]
fn closures_are_curried_functions_behind_a_share() {
    let stmts = body("fn f(a) { let g = |x| x + a; }");
    let [Stmt::Var(var, ..)] = &stmts[..] else {
        panic!("{stmts:?}")
    };
    let Expr::Stmt(block) = &var.1 else {
        panic!("{:?}", var.1)
    };
    let [Stmt::Share(..), Stmt::Expr(call)] = block.statements() else {
        panic!("{block:?}")
    };
    let Expr::FnCall(call, _) = &**call else {
        panic!("{call:?}")
    };
    assert_eq!(call.name, "curry");
    assert!(matches!(
        call.args[..],
        [Expr::DynamicConstant(..), Expr::Variable(..)]
    ));
}

#[test]
fn switches_keep_their_arms_in_order() {
    let stmts = body("fn f(a) { switch a { 1 | 2 => 3, 4..9 => 5, _ => 6 } }");
    let [Stmt::Switch(parts, _)] = &stmts[..] else {
        panic!("{stmts:?}")
    };
    assert_eq!(parts.1.expressions.len(), 3);
    assert_eq!(
        parts
            .1
            .cases
            .values()
            .map(|list| list.blocks.len())
            .sum::<usize>(),
        3
    );
    assert_eq!(parts.1.def_case, Some(2));
}

#[test]
fn operators_are_calls_by_symbol() {
    let stmts = body("fn f(a) { a + 1; a in [1]; !a; -a; 0..a; a ?? 1; a && a }");
    let names: Vec<String> = stmts
        .iter()
        .map(|s| match s {
            Stmt::Expr(e) => match &**e {
                Expr::FnCall(call, _) => call.name.to_string(),
                Expr::Coalesce(..) => "coalesce".into(),
                Expr::And(..) => "and".into(),
                other => format!("{other:?}"),
            },
            Stmt::FnCall(call, _) => call.name.to_string(),
            other => format!("{other:?}"),
        })
        .collect();
    assert_eq!(names, ["+", "contains", "!", "-", "..", "coalesce", "and"]);
}

#[test]
fn flags_mean_what_we_read() {
    let stmts = body("fn f(a) { do { } until a; throw 1; }");
    let [Stmt::Do(_, until, _), Stmt::Return(_, throw, _)] = &stmts[..] else {
        panic!("{stmts:?}")
    };
    assert!(until.contains(ASTFlags::NEGATED));
    assert!(throw.contains(ASTFlags::BREAK));
    check(
        "let n = 0; loop { n += 1; if n < 3 { continue; } break n; }",
        "3",
    );
}
