//! Expressions of a wanted type.

use super::{ALL, Generator, Ty};

impl Generator {
    pub(super) fn atom(&mut self, ty: Ty) -> String {
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
            Ty::Nest => {
                let (x, n) = (self.roll(9), self.roll(9));
                format!(
                    "#{{at: #{{x: {x}, y: 2}}, units: [#{{n: {n}, tags: []}}, #{{n: 1, tags: [\"t\"]}}]}}"
                )
            }
            Ty::Range => {
                let dots = self.pick(&["..", "..="]);
                format!("({}{dots}{})", self.roll(4), self.roll(8))
            }
            Ty::Fn if closed => "(|x| x + 1)".into(),
            Ty::Fn => self
                .pick(&["Fn(\"twice\")", "(|x| x * 3)", "Fn(\"plus\").curry(4)"])
                .into(),
        }
    }

    pub(super) fn expr(&mut self, ty: Ty) -> String {
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

    /// A closure that sees nothing but its parameter, so that what comes later may change everything else.
    fn function_value(&mut self) -> String {
        let vars = std::mem::take(&mut self.vars);
        let closure = self.lambda(Ty::Int);
        self.vars = vars;
        format!("({closure})")
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
            Ty::Int => match self.roll(36) {
                // Changes a variable in the middle of an expression.
                32 | 33 => match self.free_var(Ty::Int).filter(|_| !self.methods.is_empty()) {
                    Some(name) => format!("{name}.next()"),
                    None => self.atom(Ty::Int),
                },
                34 => format!("twice({}).max({})", self.expr(Ty::Int), self.expr(Ty::Int)),
                35 => format!(
                    "({} + [1, 2])[({} % 2).abs()]",
                    self.expr(Ty::Ints),
                    self.expr(Ty::Int)
                ),
                20 => {
                    let path = self.pick(&[
                        ".at.x",
                        ".at?.y",
                        ".units[1].n",
                        ".units[-1].tags.len()",
                        "[\"at\"][\"x\"]",
                    ]);
                    format!("{}{path}", self.expr(Ty::Nest))
                }
                21 => format!("{}.call({})", self.expr(Ty::Fn), self.expr(Ty::Int)),
                22 => format!("call({}, {})", self.expr(Ty::Fn), self.expr(Ty::Int)),
                23 => format!("{}.curry({}).call()", self.expr(Ty::Fn), self.expr(Ty::Int)),
                24 => format!("rounds({})", self.roll(6)),
                25 => format!("lib::third({})", self.expr(Ty::Int)),
                26 => {
                    let (cond, map) = (self.expr(Ty::Bool), self.expr(Ty::Map));
                    format!("((if {cond} {{ {map} }})?.a ?? {})", self.atom(Ty::Int))
                }
                27 => {
                    let (cond, list) = (self.expr(Ty::Bool), self.expr(Ty::Map));
                    format!(
                        "((if {cond} {{ {list}.list }})?[0] ?? {})",
                        self.atom(Ty::Int)
                    )
                }
                28 => format!(
                    "({}.find_map(|x| if x > {} {{ x * 2 }}) ?? 0)",
                    self.expr(Ty::Ints),
                    self.roll(5)
                ),
                29 => format!(
                    "{}.reduce_rev(|s, x| s * 2 - x, {})",
                    self.expr(Ty::Ints),
                    self.atom(Ty::Int)
                ),
                30 => format!(
                    "{}.index_of({})",
                    self.expr(Ty::Ints),
                    self.lambda(Ty::Bool)
                ),
                31 => format!(
                    "({}.values().len() + {}.bytes)",
                    self.expr(Ty::Map),
                    self.expr(Ty::Str)
                ),
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
            Ty::Bool => match self.roll(17) {
                10 => format!("({} !in {})", self.expr(Ty::Int), self.expr(Ty::Ints)),
                11 => format!("({} in {})", self.expr(Ty::Int), self.expr(Ty::Range)),
                12 => format!("{}.contains({})", self.expr(Ty::Range), self.expr(Ty::Int)),
                13 => format!("({} in {})", self.expr(Ty::Char), self.expr(Ty::Str)),
                14 => {
                    let op = self.pick(&["==", "!="]);
                    format!("({}.get({}) {op} ())", self.expr(Ty::Ints), self.roll(5))
                }
                15 => {
                    let op = self.pick(&["&", "|", "^"]);
                    format!("({} {op} {})", self.expr(Ty::Bool), self.expr(Ty::Bool))
                }
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
            Ty::Str => match self.roll(18) {
                16 => format!("`${{[{}, {}]}}`", self.expr(Ty::Char), self.expr(Ty::Str)),
                17 => {
                    let (a, b) = (self.roll(9) as i64 - 5, self.roll(12) as i64 - 5);
                    format!("(\"abcñe\" + {})[{a}..{b}]", self.expr(Ty::Str))
                }
                10 => format!(
                    "lib::joined({}, {})",
                    self.expr(Ty::Str),
                    self.expr(Ty::Int)
                ),
                11 => {
                    // Rhai's `s[i..=i]` is empty; ours is the character.
                    let (a, b) = (self.roll(3), self.roll(5));
                    let dots = if a == b {
                        ".."
                    } else {
                        self.pick(&["..", "..="])
                    };
                    format!("(\"abc\" + {})[{a}{dots}{b}]", self.expr(Ty::Str))
                }
                12 => format!("{}.units[1].tags.len().to_string()", self.expr(Ty::Nest)),
                13 => "#\"raw \\n \"quoted\"\"#".into(),
                14 => format!("{}.to_hex()", self.roll(300)),
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
            Ty::Char => match self.roll(4) {
                2 => {
                    let i = self.pick(&["0", "1", "-1", "-2"]);
                    format!("(\"xy\" + {})[{i}]", self.expr(Ty::Str))
                }
                0 => format!("({}.get({}) ?? 'q')", self.expr(Ty::Str), self.roll(3)),
                1 => format!("{}.to_upper()", self.atom(Ty::Char)),
                _ => self.atom(Ty::Char),
            },
            Ty::Ints => match self.roll(12) {
                9 => format!("{}.map(|x, i| x * i)", self.expr(Ty::Ints)),
                10 => format!("{}.filter(|| this % 2 == 0)", self.expr(Ty::Ints)),
                11 => {
                    let list = self.expr(Ty::Ints);
                    self.pure += 1;
                    let item = self.atom(Ty::Int);
                    self.pure -= 1;
                    format!("{list}.map(|| {item})")
                }
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
            Ty::Nest => match self.roll(3) {
                0 => format!(
                    "#{{at: #{{x: {}, y: {}}}, units: [#{{n: {}, tags: {}}}, #{{n: 0, tags: []}}]}}",
                    self.expr(Ty::Int),
                    self.expr(Ty::Int),
                    self.expr(Ty::Int),
                    self.expr(Ty::Strs)
                ),
                _ => self.atom(Ty::Nest),
            },
            Ty::Range => match self.roll(2) {
                0 => format!("({}..{})", self.atom(Ty::Int), self.atom(Ty::Int)),
                _ => self.atom(Ty::Range),
            },
            Ty::Fn => match self.roll(2) {
                0 if self.pure == 0 => self.function_value(),
                _ => self.atom(Ty::Fn),
            },
            Ty::Map => match self.roll(5) {
                3 => format!(
                    "{}.filter(|k| k != \"c\" && this != ())",
                    self.expr(Ty::Map)
                ),
                4 => format!("{}.filter(|k, v| v != k)", self.expr(Ty::Map)),
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
