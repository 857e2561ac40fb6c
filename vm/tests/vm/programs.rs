//! Units, layers, libraries, and what a program says about itself.

use crate::support::{World, interface, text};
use ludoteca_vm::*;

fn source(path: &str, text: &str, layer: u32) -> Script {
    Script {
        path: path.into(),
        text: text.into(),
        layer,
    }
}

fn main_of(program: &Program<World>) -> String {
    let mut machine = Machine::new();
    machine.start(program, program.function("main", 0).unwrap(), &[]);
    match machine.run(program, &mut World::new()) {
        Ok(Outcome::Done(value)) => text(&value),
        other => panic!("{other:?}"),
    }
}

#[test]
fn files_of_a_unit_see_each_other() {
    let unit = Unit {
        name: "main".into(),
        sources: vec![
            source("a.rhai", "const A = B + 1; fn main() { helper() + A }", 0),
            source("b.rhai", "const B = 10; fn helper() { A * 100 }", 0),
        ],
    };
    let program = compile(&unit, &[], &interface(), &Options::default()).unwrap();
    assert_eq!(main_of(&program), "1111");
}

#[test]
fn a_higher_layer_replaces_functions_and_constants() {
    let unit = Unit {
        name: "main".into(),
        sources: vec![
            source(
                "base.rhai",
                "const PRICE = 4; fn main() { price() } fn price() { PRICE }",
                0,
            ),
            source(
                "variant.rhai",
                "const PRICE = 3; fn price() { PRICE * 10 }",
                1,
            ),
        ],
    };
    let program = compile(&unit, &[], &interface(), &Options::default()).unwrap();
    assert_eq!(main_of(&program), "30");
    let info = program.info(program.function("price", 0).unwrap());
    assert_eq!((info.path.as_str(), info.layer), ("variant.rhai", 1));
}

#[test]
fn libraries_are_imported() {
    let main = Unit {
        name: "main".into(),
        sources: vec![source(
            "m.rhai",
            "import \"shared\" as s; fn main() { s::twice(s::BASE) }",
            0,
        )],
    };
    let libraries = [
        Unit {
            name: "shared".into(),
            sources: vec![source(
                "s.rhai",
                "import \"deep\" as d; const BASE = 4; fn twice(x) { d::add(x, x) }",
                0,
            )],
        },
        Unit {
            name: "deep".into(),
            sources: vec![source("d.rhai", "fn add(a, b) { a + b }", 0)],
        },
    ];
    let program = compile(&main, &libraries, &interface(), &Options::default()).unwrap();
    assert_eq!(main_of(&program), "8");
}

#[test]
fn functions_describe_themselves() {
    let unit = Unit {
        name: "main".into(),
        sources: vec![source(
            "m.rhai",
            "/// Attacks.\n/// Twice.\nfn attack(p, from) { p }\n\nprivate fn hidden() { 1 }",
            0,
        )],
    };
    let program = compile(&unit, &[], &interface(), &Options::default()).unwrap();
    let list: Vec<&FunctionInfo> = program.functions().filter(|f| !f.is_prelude).collect();
    assert_eq!(list[0].name, "attack");
    assert_eq!(list[0].params, ["p", "from"]);
    assert_eq!(list[0].span.start, Pos { line: 3, column: 1 });
    assert_eq!(
        list[0].span.end,
        Some(Pos {
            line: 3,
            column: 10
        })
    );
    assert_eq!(list[0].doc, "Attacks.\nTwice.");
    assert!(list[1].is_private);
    assert!(
        program
            .functions()
            .any(|f| f.is_prelude && f.name == "filter")
    );
}

#[test]
fn coverage_tells_which_lines_ran() {
    let text = "fn main() {\n  let x = 1;\n  if x > 1 {\n    never(x)\n  } else {\n    x\n  }\n}\nfn never(x) {\n  x\n}";
    let unit = Unit {
        name: "main".into(),
        sources: vec![source("m.rhai", text, 0)],
    };
    // Without coverage there is nothing in the code that could cost anything.
    let plain = compile(&unit, &[], &interface(), &Options::default()).unwrap();
    assert!(!plain.listing().contains("Cover"));
    assert!(plain.cover_points().is_empty());
    let program = compile(&unit, &[], &interface(), &Options { coverage: true }).unwrap();
    assert!(program.listing().contains("Cover"));
    let mut machine = Machine::new();
    machine.start(&program, program.function("main", 0).unwrap(), &[]);
    machine.run(&program, &mut World::new()).unwrap();
    let ran: Vec<usize> = machine.covered().collect();
    let lines = |ran: bool, all: &[usize]| -> Vec<u32> {
        let points = program.cover_points().iter().enumerate();
        let mut lines: Vec<u32> = points
            .filter(|(i, _)| all.contains(i) == ran)
            .map(|(_, p)| p.line)
            .collect();
        lines.sort_unstable();
        lines.dedup();
        lines
    };
    assert_eq!(lines(true, &ran), [1, 2, 3, 6]);
    assert_eq!(lines(false, &ran), [4, 9, 10]);
    assert!(
        program
            .cover_points()
            .iter()
            .any(|p| p.function.as_deref() == Some("never"))
    );
    let plain = compile(&unit, &[], &interface(), &Options::default()).unwrap();
    assert!(plain.cover_points().is_empty());
    assert!(!plain.listing().contains("Cover"));
}

#[test]
fn faults_carry_the_call_stack() {
    let unit = Unit {
        name: "main".into(),
        sources: vec![source(
            "m.rhai",
            "fn main() {\n  outer(0)\n}\nfn outer(n) {\n  1 + inner(n)\n}\nfn inner(n) {\n  5 / n\n}",
            0,
        )],
    };
    let program = compile(&unit, &[], &interface(), &Options::default()).unwrap();
    let mut machine = Machine::new();
    machine.start(&program, program.function("main", 0).unwrap(), &[]);
    let fault = machine.run(&program, &mut World::new()).unwrap_err();
    assert_eq!(fault.kind, FaultKind::Arithmetic);
    assert_eq!(
        fault.to_string(),
        "division by zero: 5 / 0\n  in inner (m.rhai:8:5)\n  in outer (m.rhai:5:7)\n  in main (m.rhai:2:3)"
    );
}

#[test]
fn a_program_is_the_same_every_time() {
    let unit = Unit {
        name: "main".into(),
        sources: vec![source(
            "m.rhai",
            "fn main() { [1].map(|x| b(x)) } fn b(x) { a(|| x) } fn a(f) { f.call() } fn c() { #{gold: 1}.gold }",
            0,
        )],
    };
    let listing = || {
        compile(&unit, &[], &interface(), &Options::default())
            .unwrap()
            .listing()
    };
    assert_eq!(listing(), listing());
}
