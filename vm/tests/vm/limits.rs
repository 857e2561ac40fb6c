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
        nesting: 40,
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
    let doubled = "let a = [1]; for i in 0..35 { a = [a, a]; }";
    check(&format!("{doubled} let s = `${{a}}`;"), FaultKind::Size);
    check(
        &format!("{doubled} let s = a.to_string();"),
        FaultKind::Size,
    );
    check(&format!("{doubled} let s = \"\" + a;"), FaultKind::Size);
    check(&format!("{doubled} let s = \"\"; s += a;"), FaultKind::Size);
}

/// Every way a value can get into another. Without a limit the next one who shows, compares or drops the result overflows the stack.
#[test]
fn nesting() {
    for grow in [
        "x = [x];",
        "x = #{a: x};",
        "x = [1, #{b: [x]}];",
        "let y = []; y.push(x); x = y;",
        "let y = []; y.insert(0, x); x = y;",
        "let y = [0]; y[0] = x; x = y;",
        "let y = [0]; y.set(0, x); x = y;",
        "let y = []; y.pad(1, x); x = y;",
        "let y = []; y += [x]; x = y;",
        "let y = #{}; y.a = x; x = y;",
        "let y = #{a: 1}; y.a = x; x = y;",
        "let y = #{}; y[\"a\"] = x; x = y;",
        "let y = #{}; y.set(\"a\", x); x = y;",
        "let y = #{}; y += #{a: x}; x = y;",
        "let y = #{}; y.mixin(#{a: x}); x = y;",
        "let y = #{}; y.fill_with(#{a: x}); x = y;",
        "let y = [[0]]; y[0][0] = x; x = y;",
        "let y = #{a: #{b: [0]}}; y.a.b[0] = x; x = y;",
        "let y = #{a: []}; y.a.push(x); x = y;",
        "let y = [[]]; y[0] += [x]; x = y;",
        "let y = #{a: []}; y.put_in(x); x = y;",
        "let y = #{a: #{b: []}}; y.a.put_deeper(x); x = y;",
        "let y = []; y.splice(0..0, [x]); x = y;",
        "let y = x; let f = || y; x = [f];",
        "let f = Fn(\"one\"); let y = x; x = f.curry(y);",
        "let y = x; x = [1, 2].map(|i| y);",
    ] {
        let script = format!(
            "fn main() {{ let x = []; try {{ loop {{ {grow} }} }} catch {{ return 1; }} }} \
             const KEYS = #{{a: 1, b: 1}}; fn one(a) {{ a }} fn put_in(v) {{ this.a.push(v); }} fn put_deeper(v) {{ this.b.push(v); }}"
        );
        let first = fault(&script, small());
        assert!(
            first.kind == FaultKind::Size && first.message.contains("more than 40 deep"),
            "{grow}: {first}"
        );
        assert_eq!(first, fault(&script, small()));
    }
}

/// What went away again does not count.
#[test]
fn nesting_that_does_not_grow() {
    for turn in [
        "let y = []; y.append(x); x = y;",
        "x.push([x.len()]); x.pop();",
        "let y = [x]; x = y[0];",
        "let y = x; x = [[1], y]; x = x[0];",
        "let y = #{a: x}; x = [y.a[0]];",
        "x.insert(0, y); x.remove(0); y.insert(0, x); y.remove(0);",
    ] {
        let script = format!(
            "fn main() {{ let x = [[1]]; let y = [2]; for i in 0..300 {{ {turn} }} x.len() }}"
        );
        let program = program(&script);
        let mut machine = Machine::with_limits(small());
        machine.start(&program, program.function("main", 0).unwrap(), &[]);
        let outcome = machine.run(&program, &mut World::new());
        assert!(
            matches!(outcome, Ok(Outcome::Done(_))),
            "{turn}: {outcome:?}"
        );
    }
}

/// Few arrays, very many ways through them.
#[test]
fn comparing_what_holds_itself_twice() {
    let program = program(
        "fn main() { let x = [1]; let y = [1]; for i in 0..20 { x = [x, #{a: x}]; y = [y, #{a: y}]; } [x == y, x != y, [y].contains(x)] }",
    );
    let mut machine = Machine::new();
    machine.start(&program, program.function("main", 0).unwrap(), &[]);
    let Ok(Outcome::Done(Value::Array(found))) = machine.run(&program, &mut World::new()) else {
        panic!("runs to a value");
    };
    assert_eq!(found[..], [true.into(), false.into(), true.into()]);
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
