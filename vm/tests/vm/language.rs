//! The language, feature by feature: a body of a function and the value it gives.

use crate::support::{check, run, text};

#[test]
fn arithmetic() {
    check("1 + 2 * 3", "7");
    check("let x = 7; x / 2 + x % 4 - -x", "13");
    check("2 ** 10", "1024");
    check("let x = 5; x += 2; x *= 3; x -= 1; x /= 4; x", "5");
    check(
        "let x = 9223372036854775807; x + 1",
        "arithmetic: the result is too large: 9223372036854775807 + 1",
    );
    check("let x = 0; 1 / x", "arithmetic: division by zero: 1 / 0");
    check(
        "let a = 6; let b = 3; [a & b, a | b, a ^ b, a << b, a >> 1]",
        "[2, 7, 5, 48, 3]",
    );
}

/// Host values may be written through variables that closures share; what the variables themselves hold may not.
#[test]
fn captured_handles_lead_to_the_host() {
    check(
        "let c = counter(1); let f = || c.count; c.count += 2; [f.call() == c.count, f.call() > 1]",
        "[true, true]",
    );
    let by_parameter = "fn main() { let c = counter(1); c.count = 1; raise(c) } fn raise(it) { let f = || it.count; let own = it; own.count += 4; f.call() }";
    assert_eq!(text(&run(by_parameter).unwrap()), "5");
    let before = "fn main() { raise(#{count: 1}) } fn raise(it) { it.count += 4; let f = || it.count; f.call() }";
    assert_eq!(text(&run(before).unwrap()), "5");
    let lent = "fn main() { raise(#{count: 1}) } fn raise(it) { let n = [1, 2].map(|x| x + it.count); it.count += 4; [n, it.count] }";
    assert_eq!(text(&run(lent).unwrap()), "[[2, 3], 5]");
}

#[test]
fn strings_by_ranges() {
    check(
        "let s = \"añbc\"; [s[1..3], s[1..=1], s[2..=1], s[3..1], s[2..9]]",
        "[\"ñb\", \"ñ\", \"\", \"\", \"bc\"]",
    );
}

#[test]
fn blocks_and_branches() {
    check("let x = if 1 > 2 { 3 } else { 4 }; x", "4");
    check("let x = 3; if x == 3 { \"yes\" }", "\"yes\"");
    check("let x = 3; if x == 4 { \"yes\" }", "()");
    check("let x = { let y = 2; y + 1 }; x", "3");
    check("true && false || !false", "true");
    check("let x = (); x ?? 5", "5");
    check("let a = 1; let b = 2; a < b && b >= 2 && !(a == b)", "true");
}

#[test]
fn loops() {
    check("let s = 0; for i in 0..5 { s += i; } s", "10");
    check(
        "let s = 0; for i in 1..=5 { if i == 3 { continue; } s += i; } s",
        "12",
    );
    check("let s = 0; while s < 10 { s += 3; } s", "12");
    check("let s = 0; loop { s += 1; if s == 7 { break; } } s", "7");
    check("let x = loop { break 42; }; x", "42");
    check("let s = 0; do { s += 1; } while s < 3; s", "3");
    check("let s = 0; do { s += 1; } until s == 5; s", "5");
    check(
        "let s = []; for (x, i) in [7, 8] { s.push(x * 10 + i); } s",
        "[70, 81]",
    );
    check(
        "let s = []; for c in \"añb\" { s.push(c); } s",
        "['a', 'ñ', 'b']",
    );
    check(
        "let s = []; for k in #{b: 1, a: 2}.keys() { s.push(k); } s",
        "[\"a\", \"b\"]",
    );
    check("let s = 0; for i in 0..3 { i += 10; s += i; } s", "33");
    check(
        "let s = 0; for x in all_counters() { x.count += 2; s += x.count; } s",
        "16",
    );
    check("let s = 0; for x in big_set() { s += 1; } s", "3");
    check("let r = 2..5; let s = 0; for i in r { s += i; } s", "9");
}

#[test]
fn functions() {
    let value =
        run("fn main() { fib(15) } fn fib(n) { if n < 2 { n } else { fib(n - 1) + fib(n - 2) } }");
    assert_eq!(text(&value.unwrap()), "610");
    let value = run("fn main() { let m = #{n: 1}; m.grow(4); m.n } fn grow(by) { this.n += by; }");
    assert_eq!(text(&value.unwrap()), "5");
    let value = run("fn main() { 5.double(2) } fn double(x, y) { x * y }");
    assert_eq!(text(&value.unwrap()), "10");
}

#[test]
fn arrays_and_maps() {
    check("let a = [1, 2, 3]; a[1] += 5; a[-1] = 9; a", "[1, 7, 9]");
    check("let a = [1]; let b = a; b.push(2); [a, b]", "[[1], [1, 2]]");
    check(
        "let m = #{a: 1, b: #{c: [1, 2]}}; m.b.c[1] += 40; m.d = 3; m",
        "#{a: 1, b: #{c: [1, 42]}, d: 3}",
    );
    check("let m = #{a: 1}; m[\"a\"] + m.a", "2");
    check(
        "let m = #{a: 1}; let k = \"b\"; m[k]",
        "index: the map has no key `b`",
    );
    check(
        "let a = [1]; a[3]",
        "index: there is no item 3 in a list of 1",
    );
    check("let a = [[1], [2]]; a[1].push(5); a", "[[1], [2, 5]]");
    check(
        "let m = #{a: 1}; \"a\" in m && 2 in [1, 2] && !(3 in [1])",
        "true",
    );
    check("[3, 1, 2].order()", "[1, 2, 3]");
    check("let a = [1]; a += 2; a += [3, 4]; a", "[1, 2, 3, 4]");
    check("let m = #{a: ()}; m?.a?.a", "()");
}

#[test]
fn strings() {
    check("let n = 3; `n is ${n + 1}, ok`", "\"n is 4, ok\"");
    check("\"a\" + 1 + 'c'", "\"a1c\"");
    check("let s = \"abc\"; s[1]", "'b'");
    check("let s = \"abc\"; s += \"d\"; s.len()", "4");
    check("\"a,b\".split(\",\")", "[\"a\", \"b\"]");
}

#[test]
fn closures() {
    check("let k = 10; [1, 2, 3].map(|x| x + k)", "[11, 12, 13]");
    check("[1, 2, 3, 4].filter(|x| x % 2 == 0)", "[2, 4]");
    check("[1, 2, 3].reduce(|sum, x| sum + x, 0)", "6");
    check("let a = [3, 1, 2]; a.sort(|x, y| y - x); a", "[3, 2, 1]");
    check("let a = [1, 2]; a.for_each(|| this *= 2); a", "[2, 4]");
    check(
        "let a = [1, 2, 3]; let g = a.retain(|x| x != 2); [a, g]",
        "[[1, 3], [2]]",
    );
    check("let f = |x, y| x * y; f.call(3, 4)", "12");
    check(
        "[1, 2].all(|x| x > 0) && [1, 2].some(|x| x > 1) && [5, 6].find(|x| x > 5) == 6",
        "true",
    );
    check("all_counters().filter(|c| c.count == 0).len()", "8");
}

#[test]
fn switches() {
    let body = "let out = []; for x in [1, 5, 12, \"s\", 'c', true, (), -3] { out.push(switch x { 1 => \"one\", 2 | 5 => \"few\", \
                10..20 => \"many\", \"s\" => \"str\", 'c' => \"chr\", true => \"yes\", () => \"unit\", _ => \"?\" }); } out";
    check(
        body,
        "[\"one\", \"few\", \"many\", \"str\", \"chr\", \"yes\", \"unit\", \"?\"]",
    );
    check(
        "let x = 4; switch x { 4 if x > 5 => 1, 4 => 2, _ => 3 }",
        "2",
    );
}

/// A list the host hands out is a copy: what changes it goes back to the host, or is a fault.
#[test]
fn lists_of_the_host() {
    check(
        "let c = counter(1); c.notes.push(\"a\"); c.notes.push(\"b\"); c.notes",
        "[\"a\", \"b\"]",
    );
    check("counter(1).notes.push(\"a\"); counter(2).notes", "[\"a\"]");
    check(
        "let c = [counter(1)]; c[0].tags.push(\"a\");",
        "type: property `tags` of counter cannot be set",
    );
    check("let c = [counter(1)]; c[0].tags.len()", "1");
    check(
        "let c = counter(1); c.notes.push(\"a\"); c.notes[0] = \"b\"; c.notes[0] += \"c\"; counter(2).notes",
        "[\"bc\"]",
    );
    check(
        "let c = [counter(1)]; c[0].tags[0] = \"a\";",
        "type: property `tags` of counter cannot be set",
    );
    check(
        "let before = counter(0).count; all_counters().for_each(|i| this.count += i); [counter(0).count == before, counter(3).count]",
        "[true, 3]",
    );
    check(
        "all_counters().for_each(|| this = 1);",
        "type: only the items of an array can be replaced",
    );
}

/// A step finds the function of its name that takes what it is given.
#[test]
fn functions_for_later() {
    let turn = "fn turn(p) { p } fn turn(p, q) { q }";
    let given = |f: &str| run(&format!("fn main() {{ let f = {f}; later(f, 1) }} {turn}"));
    assert_eq!(text(&given("Fn(\"turn\")").unwrap()), "Fn(turn)");
    let fault = given("|a, b| a").unwrap_err();
    assert!(fault.to_string().contains("with 1 parameter"), "{fault}");
}

#[test]
fn faults() {
    check("try { throw 5; } catch (e) { return e; }", "5");
    check(
        "let a = []; let r = 0; try { a[0]; } catch { r = 1; } r",
        "1",
    );
    check("throw \"oops\"", "thrown: oops");
    check("try { fail(); } catch { 1 }", "host: the host refuses");
    check(
        "for i in 0..3 { try { if i == 1 { break; } } catch { } } throw 1",
        "thrown: 1",
    );
}

#[test]
fn hosts() {
    check(
        "let c = counter(2); c.count += 5; c.energy = c.count - 1; [c.count, c.energy, c.double]",
        "[5, 4, 10]",
    );
    check(
        "let c = counter(2); c.double = 8; c.double += 2; c.count",
        "5",
    );
    check(
        "let m = #{who: counter(1)}; m.who.count += 3; m.who.count",
        "3",
    );
    check("add(counter(1), \"energy\", 4); counter(1).energy", "4");
    check("counter(0).weather == \"sun\"", "true");
    check(
        "let c = counter(0); c.weather = \"snow\"; switch c.weather { \"sun\" => 1, \"snow\" => 2, _ => 3 }",
        "2",
    );
    check("let w = \"su\" + \"n\"; weather_is(w)", "true");
    check(
        "all_counters().len + all_counters().remove(counter(1)).len()",
        "15",
    );
    check(
        "let l = [1, 2]; l.remove(0); [size(l), size(all_counters())]",
        "[-1, 8]",
    );
    check("sum5(1, 2, 3, 4, 5)", "15");
    check("PRICES.unit.resources + PRICES.steps[1] + MAX", "21");
    let value = run("fn main() { later(\"turn\", 1) } fn turn(p) { p }");
    assert_eq!(text(&value.unwrap()), "Fn(turn)");
}

#[test]
fn rhai_details() {
    // `throw` alone throws again what was caught.
    check(
        "try { try { throw 3; } catch (e) { throw; } } catch (e) { return e + 1; }",
        "4",
    );
    // `continue` in a `do` loop begins the next round without looking at the condition.
    check(
        "let n = 0; do { n += 1; if n < 5 { continue; } } while n < 3; n",
        "5",
    );
    check("let x = 5; { let x = x + 1; x += 1; } x", "5");
    check("let a = [1, 2, 3]; for x in a { a.push(x); } a.len()", "6");
    check(
        "let x = []; x += x; let m = #{gold: 1}; m += m; m",
        "#{gold: 1}",
    );
    check("let f = |a, b| a - b; f.curry(10).call(3)", "7");
    check(
        "let s = \"hello\"; s[0] = 'j'; s[-1..9] + s[1..=2] + s.sub_string(-3)",
        "\"oelllo\"",
    );
}

#[test]
fn functions_as_values() {
    let value = run(
        "fn main() { let f = Fn(\"add\"); f.call(1) + f.call(1, 2) } fn add(a) { a } fn add(a, b) { a + b }",
    );
    assert_eq!(text(&value.unwrap()), "4");
    let value = run("fn main() { let k = 2; apply(|x| x * k, 21) } fn apply(f, x) { f.call(x) }");
    assert_eq!(text(&value.unwrap()), "42");
}

#[test]
fn changes_reach_the_variable_and_nothing_else() {
    check(
        "let a = #{list: [[1], [2]]}; let b = a; b.list[0][0] = 9; b.list[1].push(3); [a.list, b.list]",
        "[[[1], [2]], [[9], [2, 3]]]",
    );
    check(
        "let a = [1]; let b = [a, a]; b[0].push(2); [a, b]",
        "[[1], [[1, 2], [1]]]",
    );
    let value = run("fn main() { let a = [1]; change(a); a } fn change(list) { list.push(2); }");
    assert_eq!(text(&value.unwrap()), "[1]");
    let value = run(
        "fn main() { let o = #{deep: #{n: 1}}; o.deep.set_n(5); [1, 2].touch(); o } fn set_n(n) { this.n = n; } fn touch() { this.push(1); }",
    );
    assert_eq!(text(&value.unwrap()), "#{deep: #{n: 5}}");
}
