//! Small loops on the executor beside rhai's own engine.

use ludoteca_vm::{Fault, Interface, Machine, NoHost, Options, Outcome, Program, Script, Unit};

/// What is measured: a name and a script whose `main` runs for some milliseconds.
pub const SCRIPTS: &[(&str, &str)] = &[
    (
        "counting",
        "fn main() { let x = 0; while x < 300000 { x += 1; } x }",
    ),
    (
        "arithmetic",
        "fn main() { let x = 0; for i in 0..300000 { x += i * 2 + 1; } x }",
    ),
    (
        "calls",
        "fn f(a) { a + 1 } fn main() { let x = 0; for i in 0..200000 { x = f(x); } x }",
    ),
    (
        "fibonacci",
        "fn fib(n) { if n < 2 { n } else { fib(n - 1) + fib(n - 2) } } fn main() { fib(22) }",
    ),
    (
        "arrays",
        "fn main() { let a = [5, 3, 9, 1, 7, 2, 8, 6, 4, 0]; let s = 0; for k in 0..10000 { for i in 0..10 { a[i] += 1; s += a[i]; } } s }",
    ),
    (
        "maps",
        "fn main() { let m = #{gold: 5, wood: 3, ore: 1}; let s = 0; for i in 0..50000 { m.gold += 2; m.wood = m.gold - i; s += m.wood + m[\"ore\"]; } s }",
    ),
    (
        "strings",
        "fn main() { let n = 0; for i in 0..20000 { let s = `unit ${i}`; s += \"!\"; if s.contains(\"7!\") { n += s.len(); } } n }",
    ),
    (
        "branches",
        "fn main() { let n = 0; for i in 0..200000 { if i % 3 == 0 && i % 5 != 0 || i % 7 == 1 { n += 1; } else if i > 1000 { n += 2; } } n }",
    ),
];

pub fn compile(script: &str) -> Result<Program<NoHost>, String> {
    let unit = Unit {
        name: "bench".into(),
        sources: vec![Script {
            path: "bench.rhai".into(),
            text: script.into(),
            layer: 0,
        }],
    };
    ludoteca_vm::compile(&unit, &[], &Interface::default(), &Options::default()).map_err(|found| {
        found
            .iter()
            .map(|d| d.message.clone())
            .collect::<Vec<_>>()
            .join("\n")
    })
}

/// Runs `main` on the executor.
pub fn run(
    machine: &mut Machine<<NoHost as ludoteca_vm::Host>::Object>,
    program: &Program<NoHost>,
) -> Result<Option<i64>, Fault> {
    let Some(main) = program.function("main", 0) else {
        return Ok(None);
    };
    machine.start(program, main, &[]);
    match machine.run(program, &mut NoHost)? {
        Outcome::Done(value) => Ok(value.as_int()),
        Outcome::Suspended => Ok(None),
    }
}

/// Runs `main` on rhai's engine, with the settings that are fastest for it.
pub fn rhai_engine() -> rhai::Engine {
    let mut engine = rhai::Engine::new();
    engine.set_optimization_level(rhai::OptimizationLevel::Simple);
    // Built for finding mistakes it lets functions call each other eight deep.
    engine.set_max_call_levels(64);
    engine
}

/// A script of about this many lines, as rules look.
pub fn long_script(lines: usize) -> String {
    let function = |n: usize| {
        format!(
            "/// Rule {n}.\nfn rule_{n}(p, n) {{\n    let total = 0;\n    for i in 0..n {{\n        if i % 2 == 0 && total < 1000 {{\n            total += i * {n};\n        }} else {{\n            total -= min(i, {n});\n        }}\n    }}\n    let names = [\"a\", \"b\", `${{total}}`];\n    total + names.len()\n}}\n\n"
        )
    };
    (0..lines / 14).map(function).collect()
}
