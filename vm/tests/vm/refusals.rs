//! What the compiler refuses, and the words it uses: one snapshot for each kind of mistake.

use crate::support::{compile_text, interface};
use ludoteca_vm::*;

fn errors(result: Result<Program<crate::support::World>, Vec<Diagnostic>>) -> String {
    match result {
        Ok(_) => "accepted".into(),
        Err(list) => list.iter().map(|d| format!("{d}\n")).collect(),
    }
}

macro_rules! refused {
    ($($name:ident: $text:expr;)*) => { $(
        #[test]
        fn $name() {
            let text = $text;
            insta::assert_snapshot!(stringify!($name), format!("{text}\n---\n{}", errors(compile_text(text))));
        }
    )* };
}

refused! {
    unknown_function: "fn main() { atack(1); attack(2) } fn attack(p) { counters(p) }";
    wrong_arity: "fn main() { attack(1, 2); min(1); counter() } fn attack(p) { p }";
    unknown_property: "fn main() { let m = #{armies: 1}; let c = counter(1); m.armys + c.cuont + c.armies }";
    unknown_variable: "fn main() { let total = 1; totl + attack } fn attack() { }";
    unknown_name: "fn main() { weather_is(\"snwo\"); counter(1).weather == \"rian\" || add(counter(1), \"enrgy\", 1) }";
    unknown_name_in_switch: "fn main() { switch counter(1).weather { \"sun\" => 1, \"rainy\" => 2 } }";
    unknown_name_assigned: "fn main() { let c = counter(1); c.weather = \"fog\"; }";
    unknown_key: "fn main() { PRICES.unit.resorces + PRICES.untis }";
    computed_name: "fn main() { let a = \"en\" + \"ergy\"; add(counter(1), a, 1) }";
    type_mismatch: "fn main() { counter(\"x\"); add(1, \"count\", 1); let s = \"a\"; let t = s * 2; let u = -s; if s { } }";
    comparison_of_types: "fn main() { let s = \"a\"; let n = [].len; s < n }";
    impossible_case: "fn main() { let n = [1].len; switch n { \"one\" => 1, 1 => 2 } }";
    floats: "fn main() { 1.5 }";
    evals: "fn main() { eval(\"1\") }";
    clocks: "fn main() { let t = timestamp(); sleep(1); }";
    syntax: "fn main() { let = 3; }";
    missing_brace: "fn main() { if true { 1 }";
    evaluation_order: "fn main() { let v = 1; let a = [1]; v + { v = 9; v }; f(v, { v += 1; v }); a[{ a = []; 0 }]; f(a, a.pop()) } fn f(x, y) { x }";
    capture_changed_inside: "fn main() { let n = 0; [1, 2].for_each(|x| n += x); n }";
    capture_changed_later: "fn main() { let n = 0; let f = || n; n = 5; f.call() }";
    capture_changed_in_loop: "fn main() { let n = 0; let fs = []; for i in 0..3 { n += 1; fs.push(|| n); } fs }";
    capture_changed_by_key: "fn main() { let m = #{count: 1}; let f = || m.count; m.count = 2; [1].for_each(|x| m.count += x); f.call() }";
    call_with_this_bound: "fn main() { let c = counter(1); [1].call(|x| x); apply(c) } fn apply(it) { it.call(|| this.count) }";
    call_that_might_bind: "fn main() { let f = |x| this + x; apply(f, 1) } fn apply(f, x) { f.call(x) + f.call(1) + call(f, x) }";
    capture_of_a_round: "fn main() { let fs = []; for (x, i) in [1, 2] { fs.push(|| x + i); } fs }";
    capture_shared: "fn main() { raise(counter(1)) } fn raise(it) { let f = || it.count; it.count += 4; f.call() + [1].map(|x| { it.count += 1; x })[0] }";
    capture_behind_an_index: "fn main() { let list = [#{gold: 1}]; [1].for_each(|x| list[0].gold += x); list }";
    capture_then_a_call: "fn main() { let list = [1, 2]; let n = [3].map(|x| list.len); shift(list); list.shift(); n }";
    method_of_two_meanings: "fn main() { let a = []; a.push(1); let m = #{len: || 99, act: || 1}; m.len() + m.act() } fn push(x) { 5 }";
    order_of_this: "fn main() { 5.twice() } fn inc() { this += 1; this } fn twice() { this + this.inc() }";
    order_behind_a_shadow: "fn main() { let x = 1; x + { x = 5; { let x = 1; } 3 } }";
    unused_values: "fn main() { let x = 1; x == 2; x + 1; \"text\"; x }";
    top_level: "let x = 1; x + 1; fn main() { }";
    constants: "const A = counter(1); const B = A + 1; fn main() { MAX = 3; PRICES.unit = 1; const l = []; l.push(1); }";
    constant_changed: "const K = [1]; fn main() { K.pop(); PRICES.steps.push(1); pop(K); K.add(2); K.map(|| this += 1); K.all_of() } fn add(n) { this.push(n); } fn all_of() { this.len() }";
    host_list_changed: "fn main() { let c = counter(1); c.tags.push(\"new\"); c.tags[0] = \"new\"; c.tags[0] += \"new\"; c.notes.push(\"new\"); c.tags.all_of() } fn all_of() { this.len() }";
    change_behind_safe: "fn main() { let m = #{list: [1]}; m?.list?.push(2); m?.list.push(3); m }";
    own_result: "fn main() { let l = [1]; l = l.push(2); l }";
    type_without_method: "fn main() { let s = \"abc\"; s.retain(|c| c == 'a'); let r = 1..3; r.sort(|x, y| 1); let m = #{gold: 1}; m.dedup(|x, y| true); m.for_each(|| 1); }";
    name_of_standard_function: "fn main() { [\"len\"].index_of(\"len\") }";
    arity_of_a_step: "fn main() { later(\"pair\", 1); later(Fn(\"pair\"), 1); later(|a, b| a, 1); later(Fn(\"turn\"), 1) } fn turn(p) { p } fn pair(p, q) { p }";
    constant_assigned: "fn main() { const c = 1; c = 2; }";
    name_taken: "fn counter(n) { n } fn len(x) { x } fn filter(l, f) { l } const MAX = 3; fn main() { }";
    duplicate_constant: "const A = 1; const A = 2; fn main() { A }";
    read_only_property: "fn main() { let c = counter(1); c.len = 3; c.cuont = 1; }";
    slot_type: "fn main() { let c = counter(1); c.count = \"many\"; }";
    this_unbound: "fn main() { grow(1) } fn grow(n) { this.count += n; }";
    computed_function: "fn main() { let f = \"ma\" + \"in\"; Fn(f) }";
    unknown_function_value: "fn main() { Fn(\"mian\"); later(\"turn\", 1); Fn(\"counter\") }";
    call_of_variable: "fn main() { let f = |x| x; f(1) }";
    method_of_one_type: "fn int.double() { this * 2 } fn main() { 1 }";
    nested_import: "fn main() { import \"x\" as y; }";
    unknown_import: "import \"shraed\" as s; fn main() { s::f() }";
    unknown_module: "fn main() { other::f(1) }";
    caller_scope: "fn main() { f!(1) } fn f(x) { x }";
    change_of_a_copy: "fn main() { let m = #{list: [1]}; push(m.list, 2); m }";
    safe_assignment: "fn main() { let m = #{gold: 1}; m?.gold = 2; }";
    switch_on_expression: "fn main() { let x = 1; switch x { 1 + 1 => 2 } }";
    loop_over_map: "fn main() { for x in #{gold: 1} { } }";
    index_of_number: "fn main() { let x = 5; x[0] }";
    several_at_once: "fn main() { a(); b.c; }\nfn other() { d(1) + unknown }";
}

fn library(name: &str, text: &str) -> Unit {
    Unit {
        name: name.into(),
        sources: vec![Script {
            path: format!("{name}.rhai"),
            text: text.into(),
            layer: 0,
        }],
    }
}

fn file(path: &str, text: &str, layer: u32) -> Script {
    Script {
        path: path.into(),
        text: text.into(),
        layer,
    }
}

#[test]
fn files_and_layers() {
    let twice = Unit {
        name: "main".into(),
        sources: vec![
            file("a.rhai", "fn main() { f() }\nfn f() { 1 }", 0),
            file("b.rhai", "fn f() { 2 }", 0),
        ],
    };
    insta::assert_snapshot!(errors(compile(
        &twice,
        &[],
        &interface(),
        &Options::default()
    )));
    let broken = Unit {
        name: "main".into(),
        sources: vec![
            file("a.rhai", "fn main() { f( }", 0),
            file("b.rhai", "fn f() { g() }", 0),
            file("c.rhai", "let", 0),
        ],
    };
    insta::assert_snapshot!(errors(compile(
        &broken,
        &[],
        &interface(),
        &Options::default()
    )));
}

#[test]
fn import_cycle() {
    let main = Unit {
        name: "main".into(),
        sources: vec![file("m.rhai", "import \"a\" as a; fn main() { a::f() }", 0)],
    };
    let libraries = [
        library("a", "import \"b\" as b; fn f() { b::g() }"),
        library("b", "import \"a\" as a; fn g() { a::f() }"),
    ];
    insta::assert_snapshot!(errors(compile(
        &main,
        &libraries,
        &interface(),
        &Options::default()
    )));
}
