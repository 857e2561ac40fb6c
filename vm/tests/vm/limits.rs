//! Budget, depth and sizes: exceeded at the same point every time, and never caught.

use crate::support::{World, program};
use ludoteca_vm::*;

fn fault(script: &str, limits: Limits) -> Fault {
    let program = program(script);
    let mut machine = Machine::with_limits(limits);
    machine.start(&program, program.function("main", 0).unwrap(), &[]);
    machine
        .run(&program, &mut World::new())
        .expect_err("a fault")
}

fn small() -> Limits {
    Limits {
        operations: 10_000,
        call_depth: 20,
        string: 100,
        array: 50,
        map: 10,
    }
}

#[track_caller]
fn check(body: &str, kind: FaultKind) {
    let script = format!(
        "fn main() {{ try {{ {body} }} catch {{ return 1; }} }} fn deep(n) {{ deep(n + 1) }}"
    );
    let first = fault(&script, small());
    assert_eq!(first.kind, kind, "{first}");
    assert_eq!(first, fault(&script, small()));
}

#[test]
fn budget() {
    check("loop { }", FaultKind::Budget);
    check("while true { let x = 1; }", FaultKind::Budget);
    check("for i in 0..1000000000 { }", FaultKind::Budget);
    check("let x = 0; do { x += 1; } while true;", FaultKind::Budget);
}

#[test]
fn depth() {
    check("deep(0);", FaultKind::Depth);
}

#[test]
fn sizes() {
    check("let s = \"x\"; loop { s += s; }", FaultKind::Size);
    check("let s = \"x\"; loop { s = `${s}${s}`; }", FaultKind::Size);
    check("let a = [1]; loop { a += a; }", FaultKind::Size);
    check("let a = []; loop { a.push(1); }", FaultKind::Size);
    check("let a = []; a.pad(1000, 0);", FaultKind::Size);
    check(
        "let m = #{}; for i in 0..100 { m[`k${i}`] = i; }",
        FaultKind::Size,
    );
    check("let s = \"ab\"; s.pad(1000, 'x');", FaultKind::Size);
    check(
        "let s = \"abcdefghij\"; s.replace(\"\", \"0123456789\");",
        FaultKind::Size,
    );
    check("let r = range(0, 1000, 1);", FaultKind::Size);
    // Small arrays whose text has no end.
    let doubled = "let a = [1]; for i in 0..60 { a = [a, a]; }";
    check(&format!("{doubled} let s = `${{a}}`;"), FaultKind::Size);
    check(
        &format!("{doubled} let s = a.to_string();"),
        FaultKind::Size,
    );
    check(&format!("{doubled} let s = \"\" + a;"), FaultKind::Size);
    check(&format!("{doubled} let s = \"\"; s += a;"), FaultKind::Size);
}

#[test]
fn the_budget_is_counted() {
    let program = program("fn main() { for i in 0..100 { } }");
    let mut machine = Machine::new();
    let main = program.function("main", 0).unwrap();
    machine.start(&program, main, &[]);
    machine.run(&program, &mut World::new()).unwrap();
    let used = machine.limits().operations - machine.budget_left();
    assert!((100..1000).contains(&used), "{used}");
}
