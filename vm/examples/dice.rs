//! The smallest useful host: a script rolls dice and asks, and every way to answer is tried from one stopped machine.
//!
//! `cargo run --release --example dice`; with `speed` behind it, small loops race against Rhai's own engine.

use ludoteca_vm::*;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::time::Instant;

const SCRIPT: &str = r#"
    /// Rolls twice, and again as often as the player likes, up to `ROUNDS`.
    fn play() {
        let total = roll() + roll();
        for round in 0..ROUNDS {
            if !ask("again?", total) { break; }
            total += roll();
        }
        total
    }
"#;

/// The host has no large values of its own.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Never;

impl HostObject for Never {
    fn kind(&self) -> HandleKind {
        0
    }
}

/// The world: a source of dice, and what was asked last.
#[derive(Debug, Clone)]
struct Table {
    dice: u64,
    question: String,
}

type V = Value<Never>;

impl Host for Table {
    type Object = Never;

    fn slot(&self, _: HandleKind, _: u16, _: u32) -> V {
        Value::Unit
    }
    fn set_slot(&mut self, _: HandleKind, _: u16, _: u32, _: &V) -> Result<(), HostError> {
        Err(HostError::new("there are no slots"))
    }
    fn add_slot(&mut self, _: HandleKind, _: u16, _: u32, _: i64) -> Result<(), HostError> {
        Err(HostError::new("there are no slots"))
    }
    fn len(&self, _: &V) -> Option<i64> {
        None
    }
    fn nth(&self, _: &V, _: i64) -> Option<V> {
        None
    }
    fn next(&self, _: &V, _: i64) -> Option<(V, i64)> {
        None
    }
    fn contains(&self, _: &V, _: &V) -> Option<bool> {
        None
    }
    fn equal(&self, a: &V, b: &V) -> bool {
        a == b
    }
    fn compare(&self, _: &V, _: &V) -> Option<Ordering> {
        None
    }
    fn binary(&mut self, _: BinaryOp, _: &V, _: &V) -> Option<V> {
        None
    }
    fn display(&self, value: &V) -> String {
        format!("{value:?}")
    }
    fn index(&self, _: &V, _: &V) -> Result<V, HostError> {
        Err(HostError::new("nothing to index"))
    }
    fn set_index(&mut self, _: &V, _: &V, _: &V) -> Result<(), HostError> {
        Err(HostError::new("nothing to index"))
    }
    fn name(&self, _: Domain, text: &str) -> Result<V, HostError> {
        Err(HostError::new(format!("unknown name `{text}`")))
    }
    fn print(&mut self, text: &str) {
        println!("{text}");
    }
}

fn interface() -> Interface<Table> {
    let any = Param::Of(vec![Type::Any]);
    Interface {
        types: Vec::new(),
        domains: Vec::new(),
        properties: Vec::new(),
        words: Default::default(),
        functions: vec![
            FunctionDecl {
                name: "roll".into(),
                params: Vec::new(),
                result: Type::Int,
                call: |table, call| {
                    table.dice = table
                        .dice
                        .wrapping_mul(6364136223846793005)
                        .wrapping_add(1442695040888963407);
                    let roll = 1 + (table.dice >> 33) % 6;
                    call.done(Value::Int(roll as i64))
                },
                doc: "One die.".into(),
                cost: None,
                only_if_heard: false,
                takes_words: false,
            },
            FunctionDecl {
                name: "ask".into(),
                params: vec![("question".into(), any.clone()), ("about".into(), any)],
                result: Type::Bool,
                call: |table, call| {
                    table.question = format!("{} ({})", call.str(0)?, call.int(1)?);
                    Ok(Flow::Suspend)
                },
                doc: "Asks the player.".into(),
                cost: None,
                only_if_heard: false,
                takes_words: false,
            },
        ],
        constants: vec![ConstantDecl {
            name: "ROUNDS".into(),
            value: Value::Int(2),
            doc: "How often one may go on.".into(),
        }],
        map_keys: Vec::new(),
        meaning: None,
    }
}

/// Follows both answers from every question.
fn explore(program: &Program<Table>, machine: Machine<Never>, table: Table, answers: String) {
    let (mut machine, mut table) = (machine, table);
    match machine.run(program, &mut table) {
        Ok(Outcome::Done(total)) => println!("{answers:10} -> {total:?}"),
        Ok(Outcome::Suspended) => {
            for (answer, word) in [(false, "no"), (true, "yes")] {
                let mut fork = machine.clone();
                fork.resume(Value::Bool(answer));
                explore(program, fork, table.clone(), format!("{answers} {word}"));
            }
        }
        Err(fault) => println!("{fault}"),
    }
}

fn unit(text: &str) -> Unit {
    Unit {
        name: "dice".into(),
        sources: vec![Script {
            path: "dice.rhai".into(),
            text: text.into(),
            layer: 0,
        }],
    }
}

fn compiled(text: &str) -> Program<Table> {
    compile(&unit(text), &[], &interface(), &Options::default()).unwrap_or_else(|errors| {
        errors.iter().for_each(|e| eprintln!("{e}"));
        std::process::exit(1);
    })
}

fn main() {
    if std::env::args().any(|a| a == "speed") {
        return race();
    }
    let program = compiled(SCRIPT);
    let mut machine = Machine::new();
    machine.start(
        &program,
        program.function("play", 0).expect("declared above"),
        &[],
    );
    explore(
        &program,
        machine,
        Table {
            dice: 7,
            question: String::new(),
        },
        String::new(),
    );
}

const LOOPS: &[(&str, &str)] = &[
    (
        "counting",
        "fn main() { let s = 0; for i in 0..1000000 { s += i % 7; } s }",
    ),
    (
        "while",
        "fn main() { let s = 0; let i = 0; while i < 1000000 { if i % 3 == 0 { s += i; } i += 1; } s }",
    ),
    (
        "calls",
        "fn main() { fib(24) } fn fib(n) { if n < 2 { n } else { fib(n - 1) + fib(n - 2) } }",
    ),
    (
        "arrays",
        "fn main() { let a = []; a.pad(1000, 0); for k in 0..300 { for i in 0..1000 { a[i] += k; } } a[7] }",
    ),
    (
        "strings",
        "fn main() { let n = 0; for i in 0..100000 { let s = `n${i}`; n += s.len(); } n }",
    ),
    (
        "maps",
        "fn main() { let m = #{a: 0, b: 1}; for i in 0..300000 { m.a += m.b; } m.a }",
    ),
    (
        "closures",
        "fn main() { let n = 0; for i in 0..3000 { n += [1, 2, 3, 4, 5, 6, 7, 8].filter(|x| x % 2 == 0).len(); } n }",
    ),
];

fn race() {
    let mut engine = rhai::Engine::new();
    engine.set_max_call_levels(64);
    engine.set_max_expr_depths(0, 0);
    for (name, text) in LOOPS {
        let program = compiled(text);
        let mut machine = Machine::with_limits(Limits {
            operations: u64::MAX,
            ..Limits::default()
        });
        let mut table = Table {
            dice: 7,
            question: String::new(),
        };
        let mut best = f64::MAX;
        for _ in 0..3 {
            let start = Instant::now();
            machine.start(
                &program,
                program.function("main", 0).expect("fn main()"),
                &[],
            );
            machine.run(&program, &mut table).expect("runs");
            best = best.min(start.elapsed().as_secs_f64());
        }
        let ast = engine.compile(text).expect("is Rhai");
        let start = Instant::now();
        engine
            .call_fn::<i64>(&mut rhai::Scope::new(), &ast, "main", ())
            .expect("runs");
        let theirs = start.elapsed().as_secs_f64();
        println!(
            "{name:10} {:8.2} ms, Rhai's engine {:8.2} ms: {:.1} times",
            best * 1e3,
            theirs * 1e3,
            theirs / best
        );
    }
    let program = compiled(
        "fn main() { outer(1, 2) } fn outer(a, b) { inner(a, b, 3) } fn inner(a, b, c) { ask(\"?\", a + b + c) }",
    );
    let mut machine = Machine::new();
    machine.start(
        &program,
        program.function("main", 0).expect("fn main()"),
        &[],
    );
    machine
        .run(
            &program,
            &mut Table {
                dice: 7,
                question: String::new(),
            },
        )
        .expect("suspends");
    let mut copy = machine.clone();
    let start = Instant::now();
    for _ in 0..1_000_000 {
        copy.clone_from(std::hint::black_box(&machine));
    }
    println!(
        "copying a stopped machine of three frames: {:.3} µs",
        start.elapsed().as_secs_f64()
    );
    let line =
        "    let total = roll() + min(3, a) * 2; if total > 4 { a += total; } else { a -= 1; }\n";
    let function = |i: usize| format!("fn f{i}(a) {{\n{}    a\n}}\n", line.repeat(8));
    let long: String = (0..500).map(function).collect();
    let start = Instant::now();
    compiled(&long);
    println!(
        "compiling {} lines: {:.1} ms",
        long.lines().count(),
        start.elapsed().as_secs_f64() * 1e3
    );
}
