//! Shapes in which engines easily differ without a word: functions that change their first argument or what is bound to `this`, what a
//! handler throws again, numbers added to what is no number, functions on types that do not have them.

use super::{Generator, Ty};

/// Functions every program has: a text may name them, and they may be bound to an item.
pub const FUNCTIONS: &str = "fn short(x) { x.len < 2 }
fn small(x) { x < 3 }
fn raise() { this += 1; this }
fn raised(n) { this += n; this > 3 }
fn same(x) { x }
fn alike() { this == \"bb\" }
fn draw() { pop(this) }
fn turn(n) { push(this, n); reverse(this); this.len() }
fn cut(n) { truncate(this, n); set(this, 0, n); }
fn wipe() { let first = shift(this); clear(this); first }
fn bound() { sort(this); this.map(|| this * 2) }
";

impl Generator {
    pub(super) fn trap(&mut self) {
        match self.roll(9) {
            0 => self.changing_call(),
            1 | 2 => self.changing_closure(),
            3 => self.thrown_again(),
            4 => self.odd_amount(),
            5 => self.switch_of_ranges(),
            6 => self.missing_function(),
            7 => self.name_of_a_function(),
            _ => self.constant_changed(),
        }
    }

    /// The program goes on where a fault is certain or likely.
    fn tried(&mut self, body: &str) {
        let caught = self.fresh();
        // With a variable, so that a data race of Rhai's can be told from other faults.
        self.out +=
            &format!("let {caught} = 0;\ntry {{ {body} }} catch ({caught}e) {{ {caught} = 1; }}\n");
        self.declare(&caught, Ty::Int, false);
    }

    /// Functions and methods that change a list, called on a variable, a member or `this`.
    fn changing_call(&mut self) {
        let n = self.roll(4);
        let plain = [
            "pop({})",
            "shift({})",
            "push({}, 7)",
            "reverse({})",
            "sort({})",
            "truncate({}, 1)",
            "sort({}, |x, y| y - x)",
            "retain({}, |x| x > 1)",
            "drain({}, |x| x > 2)",
            "for_each({}, || this += 1)",
            "dedup({})",
            "clear({})",
        ];
        let methods = [
            "{}.draw()",
            "{}.turn(N)",
            "{}.cut(N)",
            "{}.wipe()",
            "{}.bound()",
        ];
        let form = match self.roll(2) {
            0 => self.pick(&plain),
            _ => self.pick(&methods),
        };
        let on_member = form.starts_with("{}");
        let target = match self.free_var(Ty::Ints) {
            Some(list) => list,
            None => match self.free_var(Ty::Map).filter(|_| on_member) {
                Some(map) => format!("{map}.list"),
                None => return,
            },
        };
        let call = form.replace("{}", &target).replace('N', &n.to_string());
        self.tried(&call);
    }

    /// A function that changes what is bound to it, written in place, kept, or named.
    fn changing_closure(&mut self) {
        let target = match (self.roll(3), self.free_var(Ty::Ints)) {
            (0, _) | (_, None) => match self.free_var(Ty::Map) {
                Some(map) => format!("{map}.list"),
                None => self.expr(Ty::Ints),
            },
            (_, Some(list)) => list,
        };
        let n = self.roll(5);
        let change = self.pick(&["this += 1;", "this *= 2;", "if this > 2 { this = 0; }", ""]);
        let fails = match self.roll(5) {
            0 => format!("if this == {n} {{ throw this; }} "),
            _ => String::new(),
        };
        let name = self.fresh();
        let (method, value) = match self.roll(10) {
            0 | 1 => ("map", "this"),
            2 => ("filter", "this > 2"),
            3 => ("all", "this < 4"),
            4 => ("some", "this > 3"),
            5 => ("find", "this > 2"),
            6 => ("find_map", "if this > 2 { this * 5 }"),
            7 => ("index_of", "this == 3"),
            8 => ("retain", "this > 1"),
            _ => ("drain", "this > 2"),
        };
        let closure = format!("|| {{ {fails}{change} {value} }}");
        let call = match self.roll(8) {
            0 => format!("{target}.map(Fn(\"raise\"))"),
            1 => format!("{target}.filter(Fn(\"raised\").curry({n}))"),
            2 => format!("{target}.reduce(|s| {{ {fails}{change} (s ?? 0) + this }})"),
            3 => format!("{target}.reduce_rev(|s| {{ {change} s + this }}, {n})"),
            4 => {
                self.out += &format!("let {name} = {closure};\n");
                let kept = name;
                let name = self.fresh();
                self.out += &format!("let {name} = 0;\n");
                self.tried(&format!("{name} = `${{{target}.{method}({kept})}}`;"));
                return self.declare(&name, Ty::Str, false);
            }
            5 => match self.free_var(Ty::Map) {
                Some(map) => {
                    let method = self.pick(&["map", "filter", "retain", "drain"]);
                    let change = self.pick(&["", "if type_of(this) == \"i64\" { this += 1; }"]);
                    // The map keeps its keys: others count on them.
                    let own = self.fresh();
                    self.out += &format!("let {own} = {map};\n");
                    format!("{own}.{method}(|k| {{ {change} k != \"c\" }})")
                }
                None => format!("{target}.{method}({closure})"),
            },
            _ => format!("{target}.{method}({closure})"),
        };
        self.out += &format!("let {name} = \"\";\n");
        self.tried(&format!("{name} = `${{{call}}}`;"));
        self.declare(&name, Ty::Str, false);
    }

    /// Handlers that change what they caught, throw it again, or throw inside another `try`.
    fn thrown_again(&mut self) {
        let name = self.fresh();
        let value = self.atom(Ty::Int);
        let inner = self.pick(&[
            "e += 1; throw;",
            "e = 9; if e > 3 { throw; }",
            "throw ();",
            "let u = (); throw u;",
            "try { throw; } catch (y) { e = y ?? 4; } throw e;",
            "try { throw e + 1; } catch (y) { throw; }",
            "try { throw; } catch (y) { throw; }",
            "for i in 0..2 { if i == 1 { throw; } }",
            "throw [e];",
            "e += 1;",
        ]);
        self.out += &format!(
            "let {name} = 0;\ntry {{ try {{ throw {value}; }} catch (e) {{ {inner} }} }} catch (x) {{ {name} = `${{x}}`; }}\nlet {name}s = `${{{name}}}`;\n"
        );
        let shown = format!("{name}s");
        self.declare(&shown, Ty::Str, false);
    }

    /// `+=` and `-=` with a literal, on a member that may be a number, a list or a text.
    fn odd_amount(&mut self) {
        let Some(map) = self.free_var(Ty::Map) else {
            return;
        };
        let member = self.pick(&[".a", ".b", ".list", ".name", "[\"list\"]", ".list[0]"]);
        let op = self.pick(&["+=", "-="]);
        let amount = self.pick(&[
            "5",
            "-5",
            "500",
            "-500",
            "40000",
            "-32768",
            "(-9223372036854775807 - 1)",
        ]);
        self.tried(&format!("{map}{member} {op} {amount};"));
    }

    fn switch_of_ranges(&mut self) {
        let range = match self.roll(2) {
            0 => self.pick(&["2..9", "2..=9", "1..5"]).to_string(),
            _ => self.expr(Ty::Range),
        };
        self.out += &format!("switch same({range}) {{ 2..9 => ");
        self.small_block();
        self.out += "2..=9 => ";
        self.small_block();
        self.out += "1..5 => ";
        self.small_block();
        self.out += "}\n";
    }

    /// What the standard functions do not offer for these types or arguments.
    fn missing_function(&mut self) {
        let call = self.pick(&[
            "drain(1)",
            "retain(1)",
            "splice(1, [9])",
            "extract(1)",
            "sort(|x, y| 1)",
            "dedup(|x, y| true)",
            "retain(|x| true)",
            "drain(|x, i| i != 0)",
            "sort()",
            "dedup()",
            "reverse()",
            "for_each(|| 1)",
            "retain(0..1)",
        ]);
        let name = self.fresh();
        let ty = self.pick(&[Ty::Ints, Ty::Str, Ty::Range, Ty::Int, Ty::Map]);
        let value = self.expr(ty);
        // Behind a call the type is not known when compiling.
        self.out += &format!("let {name} = same({value});\n");
        self.tried(&format!("{name}.{call};"));
        if ty != Ty::Range {
            self.out += &format!("let {name}s = `${{{name}}}`;\n");
            let shown = format!("{name}s");
            self.declare(&shown, Ty::Str, false);
        }
    }

    /// A text that is the name of a function.
    fn name_of_a_function(&mut self) {
        let list = self.expr(Ty::Strs);
        let list = format!("({list} + [\"short\", \"bb\"])");
        let word = self.pick(&["short", "bb", "alike"]);
        let word = match self.roll(2) {
            0 => format!("\"{word}\""),
            _ => format!("same(\"{word}\")"),
        };
        let call = match self.roll(4) {
            0 => format!("{list}.filter({word})"),
            1 => format!("{list}.index_of({word}, 1)"),
            2 => format!("{}.some(\"small\")", self.expr(Ty::Ints)),
            _ => format!("{list}.index_of({word})"),
        };
        let name = self.fresh();
        self.out += &format!("let {name} = \"\";\n");
        self.tried(&format!("{name} = `${{{call}}}`;"));
        self.declare(&name, Ty::Str, false);
    }

    /// Constants that something would change: refused, or a fault.
    fn constant_changed(&mut self) {
        let (name, value) = (self.fresh(), self.expr(Ty::Ints));
        let call = match self.roll(40) {
            0 => "pop()",
            1 => "map(|| { this += 1; this })",
            2 => "turn(1)",
            3..=15 => "map(same(|| { this += 1; this }))",
            16..=28 => "index_of(same(3))",
            _ => "map(same(|x| x + 1))",
        };
        let result = self.fresh();
        self.out += &format!(" const {name} = {value};\nlet {result} = \"\";\n");
        self.tried(&format!("{result} = `${{{name}.{call}}}`;"));
        self.declare(&result, Ty::Str, false);
    }
}
