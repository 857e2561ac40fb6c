//! Random programs over the language, with types in mind, so that most of them run to a value.

mod exprs;
mod stmts;
mod traps;

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
    /// A map with the map `at` of integers `x` and `y`, and the array `units` of two maps with an integer `n` and strings `tags`.
    Nest,
    /// A range of integers.
    Range,
    /// A function of one integer that gives an integer.
    Fn,
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
    Ty::Nest,
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

/// What every program begins with: a library, constants (one of them to make the keys of nested maps known), a function to be used as a
/// value, one that calls itself.
const HEAD: &str = "import \"lib\" as lib;
const LIMIT = 7;
const TABLE = #{a: 3, b: -2, list: [4, 5, 6], name: \"table\"};
const NEST = #{at: #{x: 0, y: 0}, units: [#{n: 0, tags: []}]};
fn twice(x) { x * 2 }
fn plus(x, y) { x + y }
fn rounds(n) { if n <= 0 { 1 } else { n + rounds(n - 1) } }
";

/// The library programs import, for both engines.
pub const LIBRARY: &str =
    "fn third(x) { x / 3 + part() } fn part() { 1 } fn joined(a, b) { `${a}-${b}` }";

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
    g.out += HEAD;
    g.out += traps::FUNCTIONS;
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
        self.out += "fn bump() { this += 1; }\nfn next() { this += 1; this }\n";
        self.methods.push(("bump".into(), Ty::Int));
    }

    fn main(&mut self) {
        self.vars.clear();
        self.out += "fn main() {\n";
        self.result = Ty::Int;
        for _ in 0..3 + self.roll(8) {
            self.stmt();
        }
        let all: Vec<String> = self
            .vars
            .iter()
            .map(|Var { name, ty, .. }| match ty {
                // What has no text in common is shown by what it does.
                Ty::Range => format!("[{name}.start, {name}.end]"),
                Ty::Fn => format!("{name}.call(3)"),
                _ => name.clone(),
            })
            .collect();
        self.out += &format!("[{}]\n}}\n", all.join(", "));
    }
}
