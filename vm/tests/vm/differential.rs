//! Random programs on this machine and on Rhai's engine: the same value, or a fault on both sides.

use crate::generator;
use crate::support::{World, interface, text, unit};
use ludoteca_vm::*;
use rhai::{Dynamic, Engine};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// A program that takes Rhai's engine longer than this is not compared.
const LONGEST: Duration = Duration::from_secs(5);

thread_local! {
    static STARTED: Cell<Instant> = Cell::new(Instant::now());
}

fn oracle() -> Engine {
    let mut engine = Engine::new();
    engine.set_optimization_level(rhai::OptimizationLevel::None);
    engine.set_max_expr_depths(0, 0);
    engine.set_max_call_levels(60);
    engine.set_max_operations(2_000_000);
    // Operations do not bound memory, nor time: an array that doubles itself in a loop would fill the machine, and a text that grows by a
    // letter is copied every time.
    engine.set_max_array_size(20_000);
    engine.set_max_string_size(20_000);
    engine.set_max_map_size(20_000);
    engine.on_progress(|operations| {
        STARTED.with(|started| {
            if operations == 1 {
                started.set(Instant::now());
            }
            let late = operations % 1_024 == 0 && started.get().elapsed() > LONGEST;
            late.then(|| "too slow".into())
        })
    });
    engine.set_fail_on_invalid_map_property(true);
    // Rhai's functions do not see the constants of their own file without a prefix, but they do see those of the engine.
    let mut constants = rhai::Module::new();
    constants.set_var("LIMIT", 7_i64);
    constants.set_var(
        "TABLE",
        engine
            .parse_json(
                r#"{"a": 3, "b": -2, "list": [4, 5, 6], "name": "table"}"#,
                false,
            )
            .expect("a map"),
    );
    engine.register_global_module(constants.into());
    let library = engine.compile(generator::LIBRARY).expect("a library");
    let module = rhai::Module::eval_ast_as_new(rhai::Scope::new(), &library, &engine);
    let mut modules = rhai::module_resolvers::StaticModuleResolver::new();
    modules.insert("lib", module.expect("a module"));
    engine.set_module_resolver(modules);
    engine.on_print(|_| {});
    engine.on_debug(|_, _, _| {});
    engine
}

fn show(value: &Dynamic) -> String {
    if let Ok(n) = value.as_int() {
        n.to_string()
    } else if let Ok(b) = value.as_bool() {
        b.to_string()
    } else if let Ok(c) = value.as_char() {
        format!("{c:?}")
    } else if let Some(s) = value.read_lock::<rhai::ImmutableString>() {
        format!("{:?}", s.as_str())
    } else if let Some(list) = value.read_lock::<rhai::Array>() {
        format!("[{}]", list.iter().map(show).collect::<Vec<_>>().join(", "))
    } else if let Some(map) = value.read_lock::<rhai::Map>() {
        let entries: Vec<String> = map
            .iter()
            .map(|(k, v)| format!("{k}: {}", show(v)))
            .collect();
        format!("#{{{}}}", entries.join(", "))
    } else if value.is_unit() {
        "()".into()
    } else {
        format!("{value:?}")
    }
}

/// What a program comes to here: `Ok(Ok(value))`, `Ok(Err(fault))`, or refused.
fn ours(script: &str) -> Result<Result<String, Fault>, Vec<Diagnostic>> {
    let library = Unit {
        name: "lib".into(),
        ..unit(generator::LIBRARY)
    };
    let program = compile(&unit(script), &[library], &interface(), &Options::default())?;
    let mut machine = Machine::with_limits(Limits {
        call_depth: 60,
        operations: 2_000_000,
        ..Limits::default()
    });
    machine.start(
        &program,
        program.function("main", 0).expect("fn main()"),
        &[],
    );
    Ok(match machine.run(&program, &mut World::new()) {
        Ok(Outcome::Done(value)) => Ok(text(&value)),
        Ok(Outcome::Suspended) => panic!("nothing suspends here"),
        Err(fault) => Err(fault),
    })
}

#[derive(Default, Debug)]
struct Tally {
    values: u64,
    /// The same kind of fault on both sides.
    faults: BTreeMap<&'static str, u64>,
    /// By the code of the first diagnostic.
    refused: BTreeMap<&'static str, u64>,
    /// By the reason why the two cannot be compared.
    skipped: BTreeMap<&'static str, u64>,
    different: u64,
}

/// What a fault of Rhai's is called here; several, where Rhai makes no difference or another one.
fn kinds(error: &rhai::EvalAltResult) -> &'static [FaultKind] {
    use rhai::EvalAltResult::*;
    match error.unwrap_inner() {
        ErrorArithmetic(..) => &[FaultKind::Arithmetic],
        ErrorArrayBounds(..)
        | ErrorStringBounds(..)
        | ErrorIndexNotFound(..)
        | ErrorPropertyNotFound(..) => &[FaultKind::Index],
        ErrorRuntime(..) => &[FaultKind::Thrown],
        ErrorStackOverflow(..) => &[FaultKind::Depth],
        // A function that is not there for these types; an operator, a property or an index on what has none.
        ErrorMismatchDataType(..)
        | ErrorMismatchOutputType(..)
        | ErrorFunctionNotFound(..)
        | ErrorIndexingType(..)
        | ErrorAssignmentToConstant(..)
        | ErrorNonPureMethodCallOnConstant(..)
        | ErrorFor(..)
        | ErrorDotExpr(..) => &[FaultKind::Type],
        _ => &[],
    }
}

fn compare(from: u64, count: u64) -> Tally {
    let engine = oracle();
    let mut tally = Tally::default();
    for seed in from..from + count {
        let script = generator::program(seed);
        let without: String = script
            .lines()
            .filter(|l| !l.starts_with("const "))
            .map(|l| format!("{l}\n"))
            .collect();
        let ast = match engine.compile(&without) {
            Ok(ast) => ast,
            Err(error) => {
                panic!("seed {seed}: the generator wrote what Rhai cannot read: {error}\n{script}")
            }
        };
        let ours = match ours(&script) {
            Ok(outcome) => outcome,
            Err(errors) => {
                let allowed = errors.iter().all(|e| {
                    matches!(
                        e.code,
                        Code::EvaluationOrder
                            | Code::Capture
                            | Code::UnusedValue
                            | Code::TypeMismatch
                            | Code::ReadOnly
                            | Code::UnknownKey
                            | Code::TooLarge
                    ) || e.message.contains("nested too deeply")
                        // `x.call(y)` beside functions that use `this`.
                        || e.message.contains("with `this` bound")
                });
                if !allowed {
                    let list: Vec<String> = errors.iter().map(ToString::to_string).collect();
                    panic!("seed {seed}: refused\n{}\n{script}", list.join("\n"));
                }
                *tally.refused.entry(errors[0].code.slug()).or_default() += 1;
                continue;
            }
        };
        let theirs = engine.call_fn::<Dynamic>(&mut rhai::Scope::new(), &ast, "main", ());
        match (&ours, &theirs) {
            (_, Err(e))
                if matches!(
                    **e,
                    rhai::EvalAltResult::ErrorTooManyOperations(_)
                        | rhai::EvalAltResult::ErrorTerminated(..)
                        | rhai::EvalAltResult::ErrorDataTooLarge(..)
                ) =>
            {
                *tally.skipped.entry("a limit of Rhai's").or_default() += 1
            }
            // The oracle has no limits of size.
            (Err(fault), _) if matches!(fault.kind, FaultKind::Size | FaultKind::Budget) => {
                *tally.skipped.entry("a limit of ours").or_default() += 1;
            }
            // Rhai refuses at run time to call a method on a variable that the closure given to it captured.
            (_, Err(e)) if e.to_string().contains("Data race") => {
                *tally.skipped.entry("a data race in Rhai").or_default() += 1
            }
            (Ok(a), Ok(b)) if *a == show(b) => tally.values += 1,
            (Err(a), Err(b)) if kinds(b).contains(&a.kind) => {
                *tally.faults.entry(a.kind.slug()).or_default() += 1
            }
            // A number is no list of its bits here (README.md).
            (Err(a), _) if a.to_string().contains("i64 cannot be indexed") => {
                *tally.skipped.entry("bits of a number").or_default() += 1
            }
            // Of values of different types neither is more here, where Rhai says false (README.md).
            (Err(a), Ok(_)) if a.to_string().contains("have no common order") => {
                *tally.skipped.entry("no common order").or_default() += 1
            }
            _ if caught_a_data_race(&engine, &without) => {
                *tally.skipped.entry("a data race in Rhai").or_default() += 1
            }
            _ => {
                tally.different += 1;
                if tally.different <= 10 {
                    println!(
                        "seed {seed}\n  ours   {:?}\n  rhai   {:?}\n{script}",
                        ours.as_ref().map_err(ToString::to_string),
                        theirs.as_ref().map(show).map_err(ToString::to_string)
                    );
                }
            }
        }
    }
    tally
}

/// Whether a `catch` of the program caught Rhai's data race, which is no fault here: told by throwing it on.
fn caught_a_data_race(engine: &Engine, script: &str) -> bool {
    let mut told = String::new();
    for (n, part) in script.split("catch (").enumerate() {
        let handler = part.split_once(')').filter(|_| n > 0);
        match handler.and_then(|(name, rest)| Some((name, rest.split_once('{')?.1))) {
            Some((name, rest)) => {
                // The kind of fault is told where it happens, and only its words where it came through a function.
                told += &format!(
                    "catch ({name}) {{ if `${{{name}}}`.contains(\"DataRace\") || `${{{name}}}`.contains(\"Data race\") {{ throw {name}; }} {rest}"
                )
            }
            None => told += part,
        }
    }
    let result = engine
        .compile(&told)
        .map_err(|e| e.to_string())
        .and_then(|ast| {
            let mut scope = rhai::Scope::new();
            engine
                .call_fn::<Dynamic>(&mut scope, &ast, "main", ())
                .map_err(|e| e.to_string())
        });
    result.is_err_and(|e| e.contains("DataRace") || e.contains("Data race"))
}

#[track_caller]
fn check(from: u64, count: u64) {
    let tally = compare(from, count);
    println!("{tally:?}");
    assert_eq!(tally.different, 0, "{tally:?}");
    assert!(
        tally.values * 2 > count,
        "most programs should run to a value: {tally:?}"
    );
    assert!(
        tally.refused.values().sum::<u64>() * 5 < count,
        "few programs should be refused: {tally:?}"
    );
}

#[test]
fn corners_agree_with_rhai() {
    let engine = oracle();
    let mut different = Vec::new();
    for corner in crate::corners::CORNERS {
        let (body, functions) = corner.split_once("%%").unwrap_or((corner, ""));
        let script = format!("fn main() {{ {body} }} {functions}");
        let ast = engine.compile(&script).expect("Rhai reads it");
        let theirs = engine.call_fn::<Dynamic>(&mut rhai::Scope::new(), &ast, "main", ());
        let agree = match (ours(&script), &theirs) {
            (Ok(Ok(a)), Ok(b)) => a == show(b),
            (Ok(Err(a)), Err(b)) => kinds(b).contains(&a.kind),
            _ => false,
        };
        if !agree {
            let theirs = theirs.as_ref().map(show).map_err(ToString::to_string);
            different.push(format!(
                "{corner}\n  ours {:?}\n  rhai {theirs:?}",
                ours(&script)
            ));
        }
    }
    assert!(different.is_empty(), "{}", different.join("\n"));
}

#[test]
fn what_would_be_lost_is_refused() {
    for corner in crate::corners::REFUSED {
        let (body, functions) = corner.split_once("%%").unwrap_or((corner, ""));
        let script = format!("fn main() {{ {body} }} {functions}");
        oracle().compile(&script).expect("Rhai reads it");
        assert!(ours(&script).is_err(), "not refused: {corner}");
    }
}

#[test]
fn random_programs_agree_with_rhai() {
    check(0, 3_000);
}

/// `cargo test --release -- --ignored`; `PROGRAMS=n` and `SEED=n` change how many and which.
#[test]
#[ignore = "takes minutes"]
fn many_random_programs_agree_with_rhai() {
    let number = |name: &str, default| {
        std::env::var(name)
            .ok()
            .and_then(|n| n.parse().ok())
            .unwrap_or(default)
    };
    check(number("SEED", 1_000_000), number("PROGRAMS", 120_000));
}
