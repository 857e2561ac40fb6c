//! Arbitrary text must never make the compiler or the machine panic.

use crate::generator::{self, Dice};
use crate::support::{World, compile_text};
use ludoteca_vm::*;

const PIECES: &[&str] = &[
    "fn",
    "main",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "let",
    "const",
    "x",
    "y",
    "this",
    "=",
    "+=",
    "==",
    "<",
    "1",
    "0",
    "-1",
    "\"s\"",
    "'c'",
    "`a${",
    "}`",
    "|",
    "||",
    "&&",
    "!",
    "?.",
    "??",
    "?[",
    ".",
    "..",
    "..=",
    ",",
    ";",
    ":",
    "::",
    "=>",
    "_",
    "if",
    "else",
    "switch",
    "for",
    "in",
    "while",
    "loop",
    "do",
    "until",
    "break",
    "continue",
    "return",
    "throw",
    "try",
    "catch",
    "import",
    "as",
    "export",
    "private",
    "#{",
    "a:",
    "Fn",
    "call",
    "curry",
    "eval",
    "len",
    "push",
    "counter",
    "ask",
    "PRICES",
    "9223372036854775807",
    "**",
    "<<",
    "%",
    "()",
    "// c\n",
    "/* c */",
    "\n",
    "é",
    "1.5",
    "fn f(x) { x }",
    "|x| x",
    "#",
    "@",
    "\\",
    "$",
    "\"",
    "`",
    "'",
];

fn try_compile(text: &str) {
    if let Ok(program) = compile_text(text)
        && let Some(main) = program.function("main", 0)
    {
        let mut machine = Machine::with_limits(Limits {
            operations: 10_000,
            ..Limits::default()
        });
        machine.start(&program, main, &[]);
        let _ = machine.run(&program, &mut World::new());
    }
}

#[test]
fn random_pieces() {
    for seed in 0..1500 {
        let mut dice = Dice::new(seed);
        let mut text = String::from("fn main() { ");
        for _ in 0..dice.roll(25) {
            text += PIECES[dice.roll(PIECES.len())];
            text += " ";
        }
        text += "}";
        try_compile(&text);
    }
}

/// Any characters at all, alone and in the middle of a function.
#[test]
fn arbitrary_text() {
    for seed in 0..1500 {
        let mut dice = Dice::new(seed);
        let text: String = (0..dice.roll(60))
            .filter_map(|_| {
                let most = [0x80, 0x80, 0x250, 0x11_0000][dice.roll(4)];
                char::from_u32(dice.roll(most) as u32)
            })
            .collect();
        try_compile(&text);
        try_compile(&format!("fn main() {{ {text} }}"));
    }
}

#[test]
fn damaged_programs() {
    for seed in 0..250 {
        let mut dice = Dice::new(seed);
        let mut text: Vec<char> = generator::program(seed).chars().collect();
        for _ in 0..1 + dice.roll(4) {
            let at = dice.roll(text.len());
            match dice.roll(3) {
                0 => {
                    text.remove(at);
                }
                1 => text.insert(at, "(){}[];|.=x1\"`'#".chars().nth(dice.roll(16)).unwrap()),
                _ => {
                    let end = (at + dice.roll(20)).min(text.len());
                    text.drain(at..end);
                }
            }
            if text.is_empty() {
                break;
            }
        }
        try_compile(&text.into_iter().collect::<String>());
    }
}

#[test]
fn deep_nesting() {
    for (open, close) in [
        ("(", ")"),
        ("[", "]"),
        ("{ ", " }"),
        ("-", ""),
        ("!", ""),
        ("f(", ")"),
        ("if true { ", " }"),
        ("|x| ", ""),
    ] {
        for depth in [10, 100, 2000] {
            try_compile(&format!(
                "fn main() {{ {}1{} }} fn f(x) {{ x }}",
                open.repeat(depth),
                close.repeat(depth)
            ));
        }
    }
    try_compile(&format!("fn main() {{ {} }}", "1 + ".repeat(3000) + "1"));
    try_compile(&format!(
        "fn main() {{ let a = {}; }}",
        vec!["f(1)"; 500].join(" + ")
    ));
    try_compile(&format!(
        "fn main() {{ [{}] }} fn f(x) {{ x }}",
        vec!["f(1)"; 500].join(", ")
    ));
    let lets: String = (0..400).map(|i| format!("let v{i} = f({i});\n")).collect();
    try_compile(&format!("fn main() {{ {lets} }} fn f(x) {{ x }}"));
}

/// What is put in the place of its calls must not make a program grow without end.
#[test]
fn functions_that_call_each_other_often() {
    let calls = |n: usize| format!("g{n}(x); ").repeat(24);
    let many: String = (0..9)
        .map(|n| format!("fn g{n}(x) {{ {}x }}\n", calls(n + 1)))
        .collect();
    try_compile(&format!("fn main() {{ g0(1) }} {many} fn g9(x) {{ x }}"));
    for depth in [3, 12, 40] {
        let open = "[1].filter(|x| { for i in 0..1 { ask(7); } ".repeat(depth);
        let close = " > 0 })".repeat(depth);
        try_compile(&format!("fn main() {{ {open}1{close} }}"));
    }
}
