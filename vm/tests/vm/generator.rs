//! Random programs over the language, with types in mind, so that most of them run to a value.

/// A small generator of random numbers: programs must be the same on every machine.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn roll(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 11) % n as u64) as usize
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ty {
    Int,
    Bool,
    Str,
    Char,
    /// An array of integers.
    Ints,
    /// An array of strings.
    Strs,
    /// A map with the integers `a` and `b`, the array `list` and the string `name`.
    Map,
}

const ALL: &[Ty] = &[
    Ty::Int,
    Ty::Int,
    Ty::Bool,
    Ty::Str,
    Ty::Char,
    Ty::Ints,
    Ty::Strs,
    Ty::Map,
];

struct Var {
    name: String,
    ty: Ty,
    /// Loop counters must not change, or the program might not end.
    fixed: bool,
}

pub struct Generator {
    dice: Dice,
    out: String,
    vars: Vec<Var>,
    names: usize,
    /// Functions that may be called already: name, parameters, result.
    functions: Vec<(String, Vec<Ty>, Ty)>,
    methods: Vec<(String, Ty)>,
    depth: usize,
    loops: usize,
    /// Inside a closure: no statements that change variables.
    pure: usize,
    result: Ty,
}

/// A whole program with a `main` without parameters.
pub fn program(seed: u64) -> String {
    let mut g = Generator {
        dice: Dice::new(seed),
        out: String::new(),
        vars: Vec::new(),
        names: 0,
        functions: Vec::new(),
        methods: Vec::new(),
        depth: 0,
        loops: 0,
        pure: 0,
        result: Ty::Int,
    };
    g.out += "const LIMIT = 7;\nconst TABLE = #{a: 3, b: -2, list: [4, 5, 6], name: \"table\"};\n";
    for i in 0..g.dice.roll(3) {
        g.function(i);
    }
    if g.dice.roll(2) == 0 {
        g.method();
    }
    g.main();
    g.out
}

impl Generator {
    fn roll(&mut self, n: usize) -> usize {
        self.dice.roll(n)
    }

    fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.dice.roll(list.len())]
    }

    fn fresh(&mut self) -> String {
        self.names += 1;
        format!("v{}", self.names)
    }

    fn var(&mut self, ty: Ty) -> Option<String> {
        let list: Vec<usize> = (0..self.vars.len())
            .filter(|i| self.vars[*i].ty == ty)
            .collect();
        (!list.is_empty()).then(|| {
            let i = list[self.dice.roll(list.len())];
            self.vars[i].name.clone()
        })
    }

    fn free_var(&mut self, ty: Ty) -> Option<String> {
        if self.pure > 0 {
            return None;
        }
        let list: Vec<usize> = (0..self.vars.len())
            .filter(|i| self.vars[*i].ty == ty && !self.vars[*i].fixed)
            .collect();
        (!list.is_empty()).then(|| {
            let i = list[self.dice.roll(list.len())];
            self.vars[i].name.clone()
        })
    }

    fn declare(&mut self, name: &str, ty: Ty, fixed: bool) {
        self.vars.push(Var {
            name: name.into(),
            ty,
            fixed,
        });
    }

    fn function(&mut self, i: usize) {
        let name = format!("f{i}");
        let params: Vec<Ty> = (0..self.roll(4)).map(|_| self.pick(ALL)).collect();
        let result = self.pick(ALL);
        self.vars.clear();
        self.result = result;
        let names: Vec<String> = params.iter().map(|_| self.fresh()).collect();
        self.out += &format!("fn {name}({}) {{\n", names.join(", "));
        for (name, ty) in names.iter().zip(&params) {
            self.declare(name, *ty, false);
        }
        for _ in 0..1 + self.roll(4) {
            self.stmt();
        }
        let value = self.expr(result);
        self.out += &format!("{value}\n}}\n");
        self.functions.push((name, params, result));
    }

    fn method(&mut self) {
        self.vars.clear();
        self.result = Ty::Int;
        let n = self.fresh();
        self.declare(&n, Ty::Int, true);
        let e = self.expr(Ty::Int);
        let tail = [
            "",
            "this.list.push(n); ",
            "if n > 3 { throw n; } ",
            "this.name += `${n}`; ",
        ][self.roll(4)]
        .replace("(n)", &format!("({n})"))
        .replace("{n}", &format!("{{{n}}}"))
        .replace("n > 3", &format!("{n} > 3"))
        .replace("throw n", &format!("throw {n}"));
        self.out += &format!("fn grow({n}) {{ this.a += {e}; {tail}this.a }}\n");
        self.methods.push(("grow".into(), Ty::Map));
        self.out += "fn bump() { this += 1; }\n";
        self.methods.push(("bump".into(), Ty::Int));
    }

    fn main(&mut self) {
        self.vars.clear();
        self.out += "fn main() {\n";
        self.result = Ty::Int;
        for _ in 0..3 + self.roll(8) {
            self.stmt();
        }
        let all: Vec<String> = self.vars.iter().map(|v| v.name.clone()).collect();
        self.out += &format!("[{}]\n}}\n", all.join(", "));
    }

    fn block(&mut self, n: usize) {
        let depth = self.vars.len();
        self.out += "{ ";
        for _ in 0..n {
            self.stmt();
        }
        self.out += "} ";
        self.vars.truncate(depth);
    }

    fn small_block(&mut self) {
        self.depth += 1;
        let n = 1 + self.roll(3);
        self.block(n);
        self.depth -= 1;
    }

    fn stmt(&mut self) {
        let choice = self.roll(if self.depth > 2 { 14 } else { 26 });
        match choice {
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
                    match self.roll(6) {
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
        let ty = self.pick(&[Ty::Ints, Ty::Ints, Ty::Strs, Ty::Str, Ty::Map]);
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
            Ty::Str => match self.roll(6) {
                0 => "make_upper()".into(),
                1 => format!("pad({}, '.')", self.roll(6)),
                2 => "replace(\"a\", \"b\")".into(),
                3 => format!("crop({n})"),
                4 => format!("truncate({})", n + 2),
                _ => "trim()".into(),
            },
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
        match self.roll(6) {
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
        match self.roll(3) {
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

    fn switch(&mut self) {
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
            self.out += "2..9 => ";
            self.small_block();
        }
        if self.roll(2) == 0 {
            self.out += "_ => ";
            self.small_block();
        }
        self.out += "}\n";
    }

    fn atom(&mut self, ty: Ty) -> String {
        if self.roll(3) > 0
            && let Some(name) = self.var(ty)
        {
            return name;
        }
        // Rhai's closures would capture a constant as a variable, and not find it.
        let closed = self.pure > 0;
        match ty {
            Ty::Int => match self.roll(12) {
                0..=2 if closed => "1".into(),
                0 => "LIMIT".into(),
                1 => "TABLE.a".into(),
                2 => "TABLE.list[1]".into(),
                3 => format!("-{}", 1 + self.roll(5)),
                _ => format!("{}", self.roll(12)),
            },
            Ty::Bool => self.pick(&["true", "false"]).into(),
            Ty::Str if closed => self.pick(&["\"\"", "\"ca\""]).into(),
            Ty::Str => self
                .pick(&[
                    "\"\"",
                    "\"a\"",
                    "\"bc\"",
                    "\"añb\"",
                    "\"a b a\"",
                    "TABLE.name",
                ])
                .into(),
            Ty::Char => self.pick(&["'a'", "'z'", "'ñ'", "'.'"]).into(),
            Ty::Ints => {
                let n = self.roll(4);
                let items: Vec<String> = (0..n).map(|_| format!("{}", self.roll(6))).collect();
                format!("[{}]", items.join(", "))
            }
            Ty::Strs => self
                .pick(&["[]", "[\"x\"]", "[\"b\", \"a\"]", "[\"a\", \"bb\", \"a\"]"])
                .into(),
            Ty::Map => {
                let (a, b) = (self.roll(9), self.roll(9));
                format!("#{{a: {a}, b: {b}, list: [1, 2, 3], name: \"m{a}\"}}")
            }
        }
    }

    fn expr(&mut self, ty: Ty) -> String {
        if self.depth > 3 || self.roll(3) == 0 {
            return self.atom(ty);
        }
        self.depth += 1;
        let out = match self.roll(10) {
            0 => {
                let (cond, a, b) = (self.expr(Ty::Bool), self.expr(ty), self.expr(ty));
                format!("(if {cond} {{ {a} }} else {{ {b} }})")
            }
            1 if !self.functions.is_empty() => self.call(ty),
            2 => {
                let item = self.expr(Ty::Int);
                let (a, b, c) = (self.expr(ty), self.expr(ty), self.expr(ty));
                format!("(switch {item} {{ 1 | 3 => {a}, 4..8 => {b}, _ => {c} }})")
            }
            3 if self.pure == 0 => {
                let name = self.fresh();
                let inner = self.pick(ALL);
                let value = self.expr(inner);
                self.declare(&name, inner, true);
                let last = self.expr(ty);
                self.vars.pop();
                format!("({{ let {name} = {value}; {last} }})")
            }
            _ => self.typed(ty),
        };
        self.depth -= 1;
        out
    }

    fn call(&mut self, ty: Ty) -> String {
        let list: Vec<usize> = (0..self.functions.len())
            .filter(|i| self.functions[*i].2 == ty)
            .collect();
        if list.is_empty() {
            return self.atom(ty);
        }
        let i = list[self.roll(list.len())];
        let (name, params) = (self.functions[i].0.clone(), self.functions[i].1.clone());
        let args: Vec<String> = params.iter().map(|p| self.expr(*p)).collect();
        format!("{name}({})", args.join(", "))
    }

    /// A closure body over one integer.
    fn lambda(&mut self, ty: Ty) -> String {
        let name = self.fresh();
        self.declare(&name, Ty::Int, true);
        self.pure += 1;
        let body = self.expr(ty);
        self.pure -= 1;
        self.vars.pop();
        format!("|{name}| {body}")
    }

    fn typed(&mut self, ty: Ty) -> String {
        match ty {
            Ty::Int => match self.roll(20) {
                0..=4 => {
                    let op = self.pick(&[
                        "+", "-", "*", "+", "-", "/", "%", "&", "|", "^", "<<", ">>", "**",
                    ]);
                    let a = self.expr(Ty::Int);
                    let b = if op == "**" {
                        format!("{}", self.roll(4))
                    } else {
                        self.expr(Ty::Int)
                    };
                    format!("({a} {op} {b})")
                }
                5 => format!("(-({}))", self.expr(Ty::Int)),
                6 => format!("{}.len()", self.expr(Ty::Ints)),
                7 => format!("{}.len", self.expr(Ty::Str)),
                8 => {
                    let list = self.expr(Ty::Ints);
                    format!("({list}.get({}) ?? {})", self.roll(4), self.atom(Ty::Int))
                }
                9 => {
                    let key = self.pick(&[
                        ".a",
                        ".b",
                        "[\"a\"]",
                        ".list[0]",
                        ".list[-1]",
                        ".list.len()",
                    ]);
                    format!("{}{key}", self.expr(Ty::Map))
                }
                10 => {
                    let f = self.pick(&["min", "max"]);
                    format!("{f}({}, {})", self.expr(Ty::Int), self.expr(Ty::Int))
                }
                11 => format!("{}.abs()", self.var(Ty::Int).unwrap_or_else(|| "3".into())),
                12 => {
                    let list = self.expr(Ty::Ints);
                    format!("{list}.reduce(|s, x| s + x, {})", self.atom(Ty::Int))
                }
                13 => format!("{}.index_of({})", self.expr(Ty::Ints), self.expr(Ty::Int)),
                14 => format!("{}.index_of({})", self.expr(Ty::Str), self.expr(Ty::Char)),
                15 => format!(
                    "({}.find({}) ?? 0)",
                    self.expr(Ty::Ints),
                    self.lambda(Ty::Bool)
                ),
                16 => format!("({}).call({})", self.lambda(Ty::Int), self.expr(Ty::Int)),
                17 => format!("parse_int({}.to_string())", self.atom(Ty::Int)),
                18 => format!("{}.sign()", self.var(Ty::Int).unwrap_or_else(|| "5".into())),
                _ => {
                    let n = self.atom(Ty::Int);
                    format!("(loop {{ break {n}; }})")
                }
            },
            Ty::Bool => match self.roll(11) {
                0..=2 => {
                    let op = self.pick(&["<", "<=", ">", ">=", "==", "!="]);
                    let ty = self.pick(&[Ty::Int, Ty::Int, Ty::Str, Ty::Char]);
                    format!("({} {op} {})", self.expr(ty), self.expr(ty))
                }
                3 => {
                    let op = self.pick(&["==", "!="]);
                    let ty = self.pick(ALL);
                    format!("({} {op} {})", self.expr(ty), self.expr(ty))
                }
                4 => format!("({} && {})", self.expr(Ty::Bool), self.expr(Ty::Bool)),
                5 => format!("({} || {})", self.expr(Ty::Bool), self.expr(Ty::Bool)),
                6 => format!("!{}", self.expr(Ty::Bool)),
                7 => format!("({} in {})", self.expr(Ty::Int), self.expr(Ty::Ints)),
                8 => {
                    let f = self.pick(&["all", "some"]);
                    format!("{}.{f}({})", self.expr(Ty::Ints), self.lambda(Ty::Bool))
                }
                9 => format!("({} in {})", self.expr(Ty::Str), self.expr(Ty::Map)),
                _ => {
                    let f = self.pick(&["starts_with", "ends_with", "contains"]);
                    format!("{}.{f}({})", self.expr(Ty::Str), self.expr(Ty::Str))
                }
            },
            Ty::Str => match self.roll(11) {
                0 | 1 => format!("({} + {})", self.expr(Ty::Str), self.expr(Ty::Str)),
                2 => {
                    let other = self.pick(ALL);
                    format!("(\"\" + {})", self.expr(other))
                }
                3 => {
                    let (a, b) = (self.pick(ALL), self.pick(ALL));
                    format!("`<${{{}}}|${{{}}}>`", self.expr(a), self.expr(b))
                }
                4 => {
                    let other = self.pick(ALL);
                    format!("{}.to_string()", self.atom(other))
                }
                5 => format!("{}.to_upper()", self.expr(Ty::Str)),
                6 => {
                    let (a, b) = (self.roll(4) as i64 - 1, self.roll(4));
                    format!("{}.sub_string({a}, {b})", self.expr(Ty::Str))
                }
                7 => format!("{}.name", self.expr(Ty::Map)),
                // Rhai takes an empty string minus another to be the other.
                8 => format!("(('k' + {}) - {})", self.expr(Ty::Str), self.expr(Ty::Str)),
                9 => {
                    let other = self.pick(ALL);
                    format!("type_of({})", self.expr(other))
                }
                _ => format!("({} + {})", self.expr(Ty::Char), self.expr(Ty::Str)),
            },
            Ty::Char => match self.roll(3) {
                0 => format!("({}.get({}) ?? 'q')", self.expr(Ty::Str), self.roll(3)),
                1 => format!("{}.to_upper()", self.atom(Ty::Char)),
                _ => self.atom(Ty::Char),
            },
            Ty::Ints => match self.roll(9) {
                0 => format!("[{}, {}]", self.expr(Ty::Int), self.expr(Ty::Int)),
                1 => format!("({} + {})", self.expr(Ty::Ints), self.expr(Ty::Ints)),
                2 => format!("{}.map({})", self.expr(Ty::Ints), self.lambda(Ty::Int)),
                3 => format!("{}.filter({})", self.expr(Ty::Ints), self.lambda(Ty::Bool)),
                4 => {
                    let (a, b) = (self.roll(4) as i64 - 2, self.roll(4));
                    format!("{}.extract({a}, {b})", self.expr(Ty::Ints))
                }
                5 => format!("{}.list", self.expr(Ty::Map)),
                6 => {
                    let f = self.pick(&["order", "order_desc"]);
                    format!("{}.{f}()", self.expr(Ty::Ints))
                }
                7 => format!("{}.order(|x, y| y - x)", self.expr(Ty::Ints)),
                _ => format!(
                    "{}.zip({}, |x, y| x * y)",
                    self.expr(Ty::Ints),
                    self.expr(Ty::Ints)
                ),
            },
            Ty::Strs => match self.roll(5) {
                0 => format!("[{}, {}]", self.expr(Ty::Str), self.expr(Ty::Str)),
                1 => format!("{}.split(\" \")", self.expr(Ty::Str)),
                2 => format!("{}.map({})", self.expr(Ty::Ints), self.lambda(Ty::Str)),
                3 => format!("{}.keys()", self.expr(Ty::Map)),
                _ => format!("({} + {})", self.expr(Ty::Strs), self.expr(Ty::Strs)),
            },
            Ty::Map => match self.roll(3) {
                0 => format!(
                    "#{{a: {}, b: {}, list: {}, name: {}}}",
                    self.expr(Ty::Int),
                    self.expr(Ty::Int),
                    self.expr(Ty::Ints),
                    self.expr(Ty::Str)
                ),
                1 => format!("({} + #{{b: {}}})", self.expr(Ty::Map), self.expr(Ty::Int)),
                _ => self.atom(Ty::Map),
            },
        }
    }
}
