//! Statements: blocks, loops, branches, and everything that changes a variable.

use super::{ALL, Generator, Ty};

impl Generator {
    pub(super) fn block(&mut self, n: usize) {
        let depth = self.vars.len();
        self.out += "{ ";
        for _ in 0..n {
            self.stmt();
        }
        self.out += "} ";
        self.vars.truncate(depth);
    }

    pub(super) fn small_block(&mut self) {
        self.depth += 1;
        let n = 1 + self.roll(3);
        self.block(n);
        self.depth -= 1;
    }

    pub(super) fn stmt(&mut self) {
        let choice = self.roll(if self.depth > 2 { 14 } else { 35 });
        match choice {
            31..=34 => self.trap(),
            29 => self.sorted_pairs(),
            30 => self.inside_itself(),
            26 => self.constant(),
            27 => self.value_of_loop(),
            28 => {
                let name = self.fresh();
                let ty = self.pick(&[Ty::Range, Ty::Fn]);
                let value = self.expr(ty);
                self.out += &format!("let {name} = {value};\n");
                self.declare(&name, ty, true);
            }
            0..=3 => {
                let ty = self.pick(ALL);
                let value = self.expr(ty);
                let name = if self.roll(8) == 0
                    && !self.vars.is_empty()
                    && self.vars.last().is_some_and(|v| !v.fixed)
                {
                    // A variable may hide another.
                    let i = self.roll(self.vars.len());
                    self.vars[i].name.clone()
                } else {
                    self.fresh()
                };
                if self
                    .vars
                    .iter()
                    .any(|v| v.name == name && (v.fixed || v.ty != ty))
                {
                    return;
                }
                self.out += &format!("let {name} = {value};\n");
                if !self.vars.iter().any(|v| v.name == name) {
                    self.declare(&name, ty, false);
                }
            }
            4..=6 => self.assignment(),
            7..=9 => self.change(),
            10 => {
                if self.loops > 0 && self.roll(2) == 0 {
                    let cond = self.expr(Ty::Bool);
                    let word = self.pick(&["break", "continue"]);
                    self.out += &format!("if {cond} {{ {word}; }}\n");
                } else if self.roll(3) == 0 {
                    let cond = self.expr(Ty::Bool);
                    let value = self.expr(self.result);
                    self.out += &format!("if {cond} {{ return {value}; }}\n");
                }
            }
            11 => {
                if let Some(map) = self.free_var(Ty::Map).filter(|_| !self.methods.is_empty()) {
                    let n = self.atom(Ty::Int);
                    self.out += &format!("{map}.grow({n});\n");
                } else if let Some(n) = self.free_var(Ty::Int).filter(|_| !self.methods.is_empty())
                {
                    self.out += &format!("{n}.bump();\n");
                }
            }
            12 => {
                if let Some(list) = self.free_var(Ty::Ints) {
                    let (a, b) = (self.roll(5), self.roll(5));
                    let e = ["this += 1", "this *= 2", "if this > 2 { this = 0; }"][self.roll(3)];
                    match self.roll(7) {
                        6 => self.out += &format!("{list}.for_each(|i| this += i);\n"),
                        0 => self.out += &format!("{list}.for_each(|| {e});\n"),
                        1 => self.out += &format!("{list}.retain(|x| x != {a});\n"),
                        2 => self.out += &format!("{list}.drain(|x, i| i > {a});\n"),
                        3 => self.out += &format!("{list}.sort(|x, y| x - y);\n"),
                        4 => self.out += &format!("{list}.drain({a}..{b});\n"),
                        _ => self.out += &format!("{list}.dedup();\n"),
                    }
                }
            }
            13 => {
                let name = self.fresh();
                let count = self.roll(7);
                self.out += &format!("let {name} = {count};\n");
                self.declare(&name, Ty::Int, false);
            }
            14..=16 => {
                let cond = self.expr(Ty::Bool);
                self.out += &format!("if {cond} ");
                self.small_block();
                if self.roll(3) == 0 {
                    let cond = self.expr(Ty::Bool);
                    self.out += &format!("else if {cond} ");
                    self.small_block();
                }
                if self.roll(2) == 0 {
                    self.out += "else ";
                    self.small_block();
                }
                self.out += "\n";
            }
            17..=19 => self.for_loop(),
            20 | 21 => self.while_loop(),
            22 => self.switch(),
            23 => {
                let error = self.fresh();
                self.out += "try ";
                let (loops, _) = (self.loops, ());
                self.small_block();
                self.loops = loops;
                self.out += &format!("catch ({error}) ");
                let depth = self.vars.len();
                self.small_block();
                self.vars.truncate(depth);
                self.out += "\n";
            }
            24 => {
                let cond = self.expr(Ty::Bool);
                let value = self.atom(Ty::Int);
                if self.roll(4) == 0 {
                    self.out += &format!("if {cond} {{ throw {value}; }}\n");
                } else {
                    self.out += &format!(
                        "try {{ if {cond} {{ throw {value}; }} }} catch (e) {{ if e == 3 {{ throw; }} }}\n"
                    );
                }
            }
            _ => {
                self.small_block();
                self.out += "\n";
            }
        }
    }

    fn constant(&mut self) {
        let name = self.fresh();
        // Rhai refuses some methods that only read, such as `get`, on other constants.
        let ty = self.pick(&[Ty::Int, Ty::Bool]);
        let value = self.expr(ty);
        // Not at the start of a line: those are the program's own constants.
        self.out += &format!(" const {name} = {value};\n");
        self.declare(&name, ty, true);
    }

    /// A comparer that answers with a boolean; equal items show whether order is kept.
    fn sorted_pairs(&mut self) {
        let (pairs, name) = (self.fresh(), self.fresh());
        let items: Vec<String> = (0..2 + self.roll(5))
            .map(|i| format!("[{}, {i}]", self.roll(3)))
            .collect();
        let op = self.pick(&["<", ">", "<=", ">="]);
        self.out += &format!(
            "let {pairs} = [{}];\n{pairs}.sort(|p, q| p[0] {op} q[0]);\nlet {name} = {pairs}.map(|p| p[1]);\n",
            items.join(", ")
        );
        self.declare(&name, Ty::Ints, false);
    }

    /// A value that is stored somewhere inside its own copy.
    fn inside_itself(&mut self) {
        let (whole, name) = (self.fresh(), self.fresh());
        let value = self.expr(Ty::Nest);
        let place = self.pick(&[
            ".at",
            ".at.x",
            ".units[0]",
            ".units[1].n",
            "[\"at\"][\"y\"]",
        ]);
        self.out += &format!(
            "let {whole} = {value};\n{whole}{place} = {whole};\nlet {name} = `${{{whole}}}`;\n"
        );
        self.declare(&name, Ty::Str, false);
    }

    /// `break` with a value, out of every kind of loop.
    fn value_of_loop(&mut self) {
        let name = self.fresh();
        let round = self.fresh();
        let (n, value) = (1 + self.roll(4), self.expr(Ty::Int));
        let stop = format!("{round} += 1; if {round} > {n} {{ break {value}; }}");
        self.out += &format!("let {round} = 0;\nlet {name} = ");
        let most = self.roll(7);
        let whole = match self.roll(4) {
            0 => format!("loop {{ {stop} }};\n"),
            1 => format!("(while {round} < {most} {{ {stop} }}) ?? -1;\n"),
            2 => format!("(do {{ {stop} }} while {round} < {most}) ?? -2;\n"),
            _ => {
                let list = self.expr(Ty::Ints);
                format!("(for x in {list} {{ {stop} }}) ?? -3;\n")
            }
        };
        self.out += &whole;
        self.declare(&round, Ty::Int, true);
        self.declare(&name, Ty::Int, false);
    }

    fn assignment(&mut self) {
        let ty = self.pick(ALL);
        let Some(name) = self.free_var(ty) else {
            return;
        };
        let stmt = match ty {
            Ty::Int => {
                let op = self.pick(&["=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^="]);
                let value = self.expr(Ty::Int);
                format!("{name} {op} {value}")
            }
            Ty::Str => {
                let op = self.pick(&["=", "+="]);
                let from = self.pick(&[Ty::Str, Ty::Char]);
                let value = self.expr(if op == "=" { Ty::Str } else { from });
                format!("{name} {op} {value}")
            }
            Ty::Ints => match self.roll(4) {
                0 => format!("{name} += {}", self.expr(Ty::Ints)),
                1 => format!("{name} += {}", self.expr(Ty::Int)),
                2 => {
                    let op = self.pick(&["=", "+=", "-=", "*="]);
                    let (i, value) = (self.index(&name), self.expr_without(Ty::Int, &name));
                    format!("{name}[{i}] {op} {value}")
                }
                _ => format!("{name} = {}", self.expr(Ty::Ints)),
            },
            Ty::Map => match self.roll(6) {
                0 | 1 => {
                    let key = self.pick(&["a", "b"]);
                    let op = self.pick(&["=", "+=", "-="]);
                    let value = self.expr_without(Ty::Int, &name);
                    let access = if self.roll(3) == 0 {
                        format!("[\"{key}\"]")
                    } else {
                        format!(".{key}")
                    };
                    format!("{name}{access} {op} {value}")
                }
                2 => {
                    let op = self.pick(&["=", "+="]);
                    let (i, value) = (self.roll(3), self.expr_without(Ty::Int, &name));
                    format!("{name}.list[{i}] {op} {value}")
                }
                3 => format!("{name}.list = {}", self.expr_without(Ty::Ints, &name)),
                4 => format!("{name} += #{{b: {}}}", self.expr(Ty::Int)),
                _ => format!("{name} = {}", self.expr(Ty::Map)),
            },
            Ty::Nest => {
                let op = self.pick(&["=", "+=", "-=", "*="]);
                let (i, value) = (self.pick(&["0", "1", "-1"]), self.expr(Ty::Int));
                match self.roll(6) {
                    0 => format!("{name}.at.x {op} {value}"),
                    1 => format!("{name}.at[\"y\"] {op} {value}"),
                    2 => format!("{name}.units[{i}].n {op} {value}"),
                    3 => format!("{name}[\"units\"][{i}][\"n\"] {op} {value}"),
                    4 => format!("{name}.units[{i}].tags += {}", self.expr(Ty::Strs)),
                    _ => format!("{name}.at = #{{x: {value}, y: 0}}"),
                }
            }
            ty => {
                let value = self.expr(ty);
                format!("{name} = {value}")
            }
        };
        self.out += &stmt;
        self.out += ";\n";
    }

    fn expr_without(&mut self, ty: Ty, _name: &str) -> String {
        self.expr(ty)
    }

    fn index(&mut self, list: &str) -> String {
        match self.roll(4) {
            0 => format!("{}", self.roll(3)),
            1 => "-1".into(),
            _ => {
                let n = self.atom(Ty::Int);
                format!("({n} % 3).abs() % max({list}.len(), 1)")
            }
        }
    }

    fn change(&mut self) {
        let ty = self.pick(&[Ty::Ints, Ty::Ints, Ty::Strs, Ty::Str, Ty::Map, Ty::Nest]);
        let Some(name) = self.free_var(ty) else {
            return;
        };
        let n = self.roll(5) as i64 - 1;
        let call = match ty {
            Ty::Ints | Ty::Strs => {
                let item = self.expr(if ty == Ty::Ints { Ty::Int } else { Ty::Str });
                match self.roll(12) {
                    0..=2 => format!("push({item})"),
                    3 => "pop()".into(),
                    4 => "shift()".into(),
                    5 => format!("insert({n}, {item})"),
                    6 => format!("remove({n})"),
                    7 => "reverse()".into(),
                    8 => format!("truncate({n})"),
                    9 => format!("chop({n})"),
                    10 => "sort()".into(),
                    _ => format!("splice({n}, 1, [{item}])"),
                }
            }
            Ty::Str => match self.roll(8) {
                6 => {
                    let (from, to) = (self.roll(3), self.roll(5));
                    let value = self.expr(Ty::Str);
                    self.out += &format!("{name}[{from}..{to}] = {value};\n");
                    return;
                }
                7 => {
                    self.out += &format!("if {name}.len > 1 {{ {name}[1].make_upper(); }}\n");
                    return;
                }
                0 => "make_upper()".into(),
                1 => format!("pad({}, '.')", self.roll(6)),
                2 => "replace(\"a\", \"b\")".into(),
                3 => format!("crop({n})"),
                4 => format!("truncate({})", n + 2),
                _ => "trim()".into(),
            },
            Ty::Nest => {
                let (i, item) = (self.roll(2), self.expr(Ty::Str));
                match self.roll(3) {
                    0 => format!("units[{i}].tags.push({item})"),
                    1 => format!("units[{i}].tags.pop()"),
                    _ => format!("at.set(\"x\", {})", self.expr(Ty::Int)),
                }
            }
            _ => match self.roll(4) {
                0 => format!("list.push({})", self.expr(Ty::Int)),
                1 => "list.pop()".into(),
                2 => format!("set(\"a\", {})", self.expr(Ty::Int)),
                _ => format!("fill_with(#{{a: 1, c: {}}})", self.expr(Ty::Int)),
            },
        };
        self.out += &format!("{name}.{call};\n");
    }

    fn for_loop(&mut self) {
        let name = self.fresh();
        let depth = self.vars.len();
        self.loops += 1;
        match self.roll(8) {
            6 => {
                let range = self.expr(Ty::Range);
                self.out += &format!("for {name} in {range} ");
                self.declare(&name, Ty::Int, false);
            }
            7 => {
                let counter = self.fresh();
                let text = self.expr(Ty::Str);
                self.out += &format!("for ({name}, {counter}) in {text} ");
                self.declare(&name, Ty::Char, false);
                self.declare(&counter, Ty::Int, true);
            }
            0 | 1 => {
                let (from, to) = (self.roll(3), self.roll(7));
                let dots = self.pick(&["..", "..="]);
                self.out += &format!("for {name} in {from}{dots}{to} ");
                self.declare(&name, Ty::Int, true);
            }
            2 => {
                let list = self.expr(Ty::Ints);
                self.out += &format!("for {name} in {list} ");
                self.declare(&name, Ty::Int, false);
            }
            3 => {
                let counter = self.fresh();
                let list = self.expr(Ty::Strs);
                self.out += &format!("for ({name}, {counter}) in {list} ");
                self.declare(&name, Ty::Str, false);
                self.declare(&counter, Ty::Int, true);
            }
            4 => {
                let text = self.expr(Ty::Str);
                self.out += &format!("for {name} in {text} ");
                self.declare(&name, Ty::Char, false);
            }
            _ => {
                let map = self.expr(Ty::Map);
                self.out += &format!("for {name} in {map}.keys() ");
                self.declare(&name, Ty::Str, false);
            }
        }
        self.small_block();
        self.loops -= 1;
        self.vars.truncate(depth);
        self.out += "\n";
    }

    fn while_loop(&mut self) {
        let name = self.fresh();
        let n = 1 + self.roll(5);
        self.out += &format!("let {name} = 0;\n");
        self.declare(&name, Ty::Int, true);
        self.loops += 1;
        self.depth += 1;
        let depth = self.vars.len();
        match self.roll(4) {
            2 => {
                self.out += &format!("do {{ {name} += 1; ");
                self.stmt();
                self.out += &format!("}} while {name} < {n};\n");
            }
            0 => {
                self.out += &format!("while {name} < {n} {{ {name} += 1; ");
                self.stmt();
                self.out += "}\n";
            }
            1 => {
                self.out += &format!("loop {{ {name} += 1; if {name} > {n} {{ break; }} ");
                self.stmt();
                self.out += "}\n";
            }
            _ => {
                self.out += &format!("do {{ {name} += 1; ");
                self.stmt();
                self.out += &format!("}} until {name} >= {n};\n");
            }
        }
        self.vars.truncate(depth);
        self.depth -= 1;
        self.loops -= 1;
    }

    /// Over letters, words and truths; cases of any literal.
    fn switch_of_literals(&mut self) {
        let (ty, cases) = match self.roll(3) {
            0 => (Ty::Str, ["\"a\" | \"bc\"", "\"\""]),
            1 => (Ty::Char, ["'a'", "'z' | 'ñ'"]),
            _ => (Ty::Bool, ["true", "false"]),
        };
        let item = self.expr(ty);
        self.out += &format!("switch {item} {{ ");
        for case in cases {
            self.out += &format!("{case} => ");
            self.small_block();
        }
        if ty != Ty::Bool || self.roll(2) == 0 {
            self.out += "_ => ";
            self.small_block();
        }
        self.out += "}\n";
    }

    fn switch(&mut self) {
        if self.roll(3) == 0 {
            return self.switch_of_literals();
        }
        let item = self.expr(Ty::Int);
        self.out += &format!("switch {item} {{ ");
        for n in 0..self.roll(3) {
            self.out += &format!("{} ", n * 2);
            if self.roll(3) == 0 {
                self.out += &format!("| {} ", n * 2 + 7);
            }
            if self.roll(3) == 0 {
                let cond = self.expr(Ty::Bool);
                self.out += &format!("if {cond} ");
            }
            self.out += "=> ";
            self.small_block();
        }
        if self.roll(2) == 0 {
            let range = self.pick(&["2..9", "2..=9", "-3..0"]);
            self.out += range;
            if self.roll(3) == 0 {
                let cond = self.expr(Ty::Bool);
                self.out += &format!(" if {cond}");
            }
            self.out += " => ";
            self.small_block();
        }
        if self.roll(2) == 0 {
            self.out += "_ => ";
            self.small_block();
        }
        self.out += "}\n";
    }
}
