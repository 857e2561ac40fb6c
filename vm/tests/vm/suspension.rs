//! Stopping at a host call, copying, saving and going on.

use crate::support::{Big, V, World, program, text};
use ludoteca_vm::*;

/// Runs `main` with these answers; the machine is copied and saved at every stop, and the copy goes on.
fn play(script: &str, answers: &[V]) -> String {
    let program = program(script);
    let mut world = World::new();
    let mut machine: Machine<Big> = Machine::new();
    machine.start(&program, program.function("main", 0).unwrap(), &[]);
    let mut answers = answers.iter();
    loop {
        match machine.run(&program, &mut world) {
            Ok(Outcome::Done(value)) => return text(&value),
            Ok(Outcome::Suspended) => {
                assert!(machine.is_suspended());
                let saved = serde_json::to_string(&machine).unwrap();
                let mut copy = machine.clone();
                let mut reused = Machine::new();
                reused.start(&program, program.function("main", 0).unwrap(), &[]);
                reused.clone_from(&machine);
                assert_eq!(serde_json::to_string(&copy).unwrap(), saved);
                assert_eq!(serde_json::to_string(&reused).unwrap(), saved);
                let loaded: Machine<Big> = serde_json::from_str(&saved).unwrap();
                assert_eq!(serde_json::to_string(&loaded).unwrap(), saved);
                // The original is spoilt with another answer; the copies must not notice.
                let mut other = world.clone();
                machine.resume(Value::Int(-1000));
                let _ = machine.run(&program, &mut other);
                copy.clone_from(&loaded);
                machine = copy;
                machine.resume(answers.next().expect("an answer").clone());
            }
            Err(fault) => return fault.to_string(),
        }
    }
}

fn ints(list: &[i64]) -> Vec<V> {
    list.iter().map(|n| Value::Int(*n)).collect()
}

#[test]
fn in_the_middle_of_an_expression() {
    assert_eq!(
        play(
            "fn main() { let x = 1; x + ask(\"a\") * 2 + ask(\"b\") }",
            &ints(&[5, 3])
        ),
        "14"
    );
}

#[test]
fn in_loops_and_calls() {
    let script = "fn main() { let s = []; for i in 0..3 { s.push(inner(i)); } s } fn inner(i) { ask(i) + i }";
    assert_eq!(play(script, &ints(&[10, 20, 30])), "[10, 21, 32]");
}

#[test]
fn in_closures_of_standard_functions() {
    assert_eq!(
        play(
            "fn main() { [1, 2, 3].map(|x| x * ask(x)) }",
            &ints(&[10, 20, 30])
        ),
        "[10, 40, 90]"
    );
    assert_eq!(
        play(
            "fn main() { let k = 5; [1, 2, 3].filter(|x| ask(x) > k) }",
            &ints(&[9, 1, 9])
        ),
        "[1, 3]"
    );
    let sort = "fn main() { let a = [2, 1]; a.sort(|x, y| ask(x) - ask(y)); a }";
    // The later item is asked about first.
    assert_eq!(play(sort, &ints(&[1, 2])), "[1, 2]");
    let each = "fn main() { let a = [1, 2]; a.for_each(|| this += ask(0)); a }";
    assert_eq!(play(each, &ints(&[5, 6])), "[6, 8]");
}

#[test]
fn in_methods_and_handlers() {
    let script = "fn main() { let m = #{n: 1, list: [#{n: 5}]}; m.grow(); m.list[0].grow(); m } fn grow() { this.n += ask(\"?\"); }";
    assert_eq!(play(script, &ints(&[7, 8])), "#{list: [#{n: 13}], n: 8}");
    let script =
        "fn main() { try { let x = ask(\"?\"); throw x + 1; } catch (e) { return ask(e) + e; } }";
    assert_eq!(play(script, &ints(&[1, 10])), "12");
}

#[test]
fn a_method_that_throws_keeps_what_it_changed() {
    let script = "fn main() { let m = #{n: 1}; let o = #{inner: #{n: 1}}; try { m.grow(); } catch { } try { o.inner.grow(); } catch { } [m, o] }
        fn grow() { this.n = ask(\"?\"); throw 1; }";
    assert_eq!(play(script, &ints(&[7, 8])), "[#{n: 7}, #{inner: #{n: 8}}]");
}

#[test]
fn the_call_stack_of_a_stopped_machine() {
    let program = program("fn main() {\n  outer(1)\n}\nfn outer(x) {\n  [x].map(|y| ask(y))\n}");
    let mut machine = Machine::new();
    machine.start(&program, program.function("main", 0).unwrap(), &[]);
    assert_eq!(
        machine.run(&program, &mut World::new()),
        Ok(Outcome::Suspended)
    );
    let stack: Vec<String> = machine
        .call_stack(&program)
        .iter()
        .map(|p| format!("{}:{}", p.function, p.line))
        .collect();
    // What `map` does inside is left out.
    assert_eq!(stack, ["closure at line 5:5", "outer:5", "main:2"]);
}

#[test]
fn machines_and_programs_cross_threads() {
    fn is_send<T: Send>() {}
    fn is_sync<T: Sync>() {}
    is_send::<Machine<Big>>();
    is_send::<Program<World>>();
    is_sync::<Program<World>>();
}

/// Closures that stand in the place of their calls: what they ask, what they leave from, and what is told of a fault in them.
#[test]
fn in_closures_that_stand_in_place() {
    let cases = [
        ("[1, 2, 3].filter(|x| ask(x) > x)", "[2]", vec![0, 5, 0]),
        (
            "[1, 2, 3].map(|x, i| { if i == 1 { return 9; } ask(x) + i })",
            "[5, 9, 8]",
            vec![5, 6],
        ),
        ("[1, 2, 3].some(|x| ask(x) == 2)", "true", vec![1, 2]),
        (
            "[1, 2, 3].find(|x| { for y in [x, 7] { if ask(y) == 1 { return true; } } false })",
            "2",
            vec![0, 0, 1],
        ),
        (
            "let x = 4; let l = [1].map(|y| y + x); l.push(ask(x)); l",
            "[5, 6]",
            vec![6],
        ),
        (
            "let l = [[1], [2]]; let m = l.filter(|x| ask(x[0]) > 0); l[1].push(3); [l, m]",
            "[[[1], [2, 3]], [[2]]]",
            vec![0, 1],
        ),
        (
            "#{ a: 1, b: 2 }.filter(|k, v| ask(v) > 1)",
            "#{b: 2}",
            vec![0, 5],
        ),
    ];
    for (body, expected, answers) in cases {
        let script = format!("fn main() {{ {body} }}");
        assert_eq!(play(&script, &ints(&answers)), expected, "{body}");
    }
    let program = program("fn main() {\n    [1, 0].filter(\n        |x| 1 / x > 0)\n}");
    let mut machine: Machine<Big> = Machine::new();
    machine.start(&program, program.function("main", 0).unwrap(), &[]);
    let fault = machine.run(&program, &mut World::new()).unwrap_err();
    let stack: Vec<String> = fault
        .stack
        .iter()
        .map(|spot| format!("{}:{}", spot.function, spot.line))
        .collect();
    assert_eq!(stack, ["closure at line 3:3", "main:2"]);
}
