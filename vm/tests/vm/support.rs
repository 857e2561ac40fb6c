//! A small host for the tests: counters with slots, sets of numbers, names, and functions that suspend.

use ludoteca_vm::*;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::thread::LocalKey;

pub const COUNTER: u8 = 1;
pub const WORD: u8 = 2;
pub const BITS: u8 = 1;

pub const COUNTER_TYPE: TypeId = TypeId(0);
pub const WORD_TYPE: TypeId = TypeId(1);
pub const SET_TYPE: TypeId = TypeId(2);
pub const WEATHER: Domain = Domain(0);
pub const ATTRIBUTE: Domain = Domain(1);

pub const WORDS: &[&str] = &["sun", "rain", "snow"];

/// A set too large to be inline.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Big(pub Vec<u32>);

impl HostObject for Big {
    fn kind(&self) -> HandleKind {
        0
    }

    fn spares() -> Option<&'static LocalKey<UsedMemory<Big>>> {
        thread_local! {
            static SPARES: UsedMemory<Big> = const { UsedMemory::new() };
        }
        Some(&SPARES)
    }
}

pub type V = Value<Big>;

/// What the tests' scripts act on.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct World {
    pub counters: Vec<[i64; 2]>,
    pub weather: u32,
    pub printed: Vec<String>,
    pub asked: Vec<String>,
    pub notes: Vec<V>,
}

pub fn small(bits: u64) -> V {
    let mut bytes = [0; SMALL];
    bytes[..8].copy_from_slice(&bits.to_le_bytes());
    Value::Small(BITS, bytes)
}

fn bits(value: &V) -> Option<u64> {
    match value {
        Value::Small(BITS, bytes) => Some(u64::from_le_bytes(bytes[..8].try_into().unwrap())),
        _ => None,
    }
}

impl Host for World {
    type Object = Big;

    fn slot(&self, kind: HandleKind, slot: u16, id: u32) -> V {
        match kind {
            COUNTER if slot == 2 => Value::Handle(WORD, self.weather),
            COUNTER => Value::Int(self.counters[id as usize][slot as usize]),
            _ => Value::Unit,
        }
    }

    fn set_slot(&mut self, _: HandleKind, slot: u16, id: u32, value: &V) -> Result<(), HostError> {
        match value {
            Value::Handle(WORD, w) if slot == 2 => self.weather = *w,
            Value::Int(n) if slot < 2 => self.counters[id as usize][slot as usize] = *n,
            _ => return Err(HostError::new("the slot cannot hold that")),
        }
        Ok(())
    }

    fn add_slot(&mut self, _: HandleKind, slot: u16, id: u32, delta: i64) -> Result<(), HostError> {
        let place = &mut self.counters[id as usize][slot as usize];
        *place += delta;
        if *place < 0 {
            return Err(HostError::new("a counter cannot be negative"));
        }
        Ok(())
    }

    fn len(&self, value: &V) -> Option<i64> {
        match value {
            Value::Object(o) => Some(o.0.len() as i64),
            value => bits(value).map(|b| b.count_ones() as i64),
        }
    }

    fn nth(&self, value: &V, index: i64) -> Option<V> {
        let id = match value {
            Value::Object(o) => *o.0.get(usize::try_from(index).ok()?)?,
            value => {
                let b = bits(value)?;
                (0..64)
                    .filter(|i| b >> i & 1 == 1)
                    .nth(usize::try_from(index).ok()?)?
            }
        };
        Some(Value::Handle(COUNTER, id))
    }

    fn next(&self, value: &V, cursor: i64) -> Option<(V, i64)> {
        self.nth(value, cursor).map(|v| (v, cursor + 1))
    }

    fn contains(&self, value: &V, item: &V) -> Option<bool> {
        let n = self.len(value)?;
        Some((0..n).any(|i| self.nth(value, i).as_ref() == Some(item)))
    }

    fn equal(&self, a: &V, b: &V) -> bool {
        match (a, b) {
            (Value::Handle(WORD, w), Value::Str(s)) | (Value::Str(s), Value::Handle(WORD, w)) => {
                WORDS[*w as usize] == s.as_str()
            }
            _ => a == b,
        }
    }

    fn compare(&self, a: &V, b: &V) -> Option<Ordering> {
        match (a, b) {
            (Value::Handle(k, x), Value::Handle(l, y)) if k == l => Some(x.cmp(y)),
            _ => None,
        }
    }

    fn binary(&mut self, op: BinaryOp, a: &V, b: &V) -> Option<V> {
        let (x, y) = (bits(a)?, bits(b)?);
        Some(small(match op {
            BinaryOp::Add | BinaryOp::Or => x | y,
            BinaryOp::Sub => x & !y,
            BinaryOp::And => x & y,
            _ => return None,
        }))
    }

    fn display(&self, value: &V) -> String {
        match value {
            Value::Handle(COUNTER, id) => format!("counter {id}"),
            Value::Handle(WORD, id) => WORDS[*id as usize].to_string(),
            _ => format!("a set of {}", self.len(value).unwrap_or(0)),
        }
    }

    fn index(&self, _: &V, _: &V) -> Result<V, HostError> {
        Err(HostError::new("this cannot be indexed"))
    }

    fn set_index(&mut self, _: &V, _: &V, _: &V) -> Result<(), HostError> {
        Err(HostError::new("this cannot be changed by index"))
    }

    fn name(&self, domain: Domain, text: &str) -> Result<V, HostError> {
        match (domain, WORDS.iter().position(|w| *w == text)) {
            (WEATHER, Some(w)) => Ok(Value::Handle(WORD, w as u32)),
            _ => Err(HostError::new(format!("unknown name `{text}`"))),
        }
    }

    fn print(&mut self, text: &str) {
        self.printed.push(text.to_string());
    }
}

impl World {
    pub fn new() -> World {
        World {
            counters: vec![[0, 0]; 8],
            ..World::default()
        }
    }
}

fn types(list: &[Type]) -> Param {
    Param::Of(list.to_vec())
}

fn function(
    name: &str,
    params: &[(&str, Param)],
    result: Type,
    call: NativeFn<World>,
) -> FunctionDecl<World> {
    FunctionDecl {
        name: name.into(),
        params: params
            .iter()
            .map(|(n, p)| (n.to_string(), p.clone()))
            .collect(),
        result,
        call,
        cost: None,
        doc: String::new(),
        only_if_heard: false,
        takes_words: false,
    }
}

fn slot(
    name: &str,
    slot: u16,
    writable: bool,
    ty: Type,
    names: Option<Domain>,
) -> PropertyDecl<World> {
    PropertyDecl {
        on: COUNTER_TYPE,
        name: name.into(),
        ty,
        names,
        access: Access::Slot { slot, writable },
        doc: String::new(),
    }
}

/// A property of a counter that hands out a list.
fn list(name: &str, get: NativeFn<World>, set: Option<NativeFn<World>>) -> PropertyDecl<World> {
    PropertyDecl {
        on: COUNTER_TYPE,
        name: name.into(),
        ty: Type::Array,
        names: None,
        access: Access::Function { get, set },
        doc: String::new(),
    }
}

/// Everything the tests' scripts may name.
pub fn interface() -> Interface<World> {
    let counter = Type::Host(COUNTER_TYPE);
    let set = Type::Host(SET_TYPE);
    let decl = |name: &str, reprs, member| TypeDecl {
        name: name.into(),
        reprs,
        member,
        doc: String::new(),
    };
    Interface {
        types: vec![
            decl("counter", vec![Repr::Handle(COUNTER)], Type::Any),
            decl("weather", vec![Repr::Handle(WORD)], Type::Any),
            decl("set", vec![Repr::Small(BITS), Repr::Object(0)], counter),
        ],
        domains: vec![
            DomainDecl {
                what: "weather".into(),
                names: WORDS
                    .iter()
                    .enumerate()
                    .map(|(i, w)| (w.to_string(), Value::Handle(WORD, i as u32)))
                    .collect(),
                literal_only: false,
                open: false,
            },
            DomainDecl {
                what: "attribute".into(),
                names: vec![
                    ("count".into(), Value::Int(0)),
                    ("energy".into(), Value::Int(1)),
                ],
                literal_only: true,
                open: false,
            },
        ],
        properties: vec![
            slot("count", 0, true, Type::Int, None),
            slot("energy", 1, true, Type::Int, None),
            slot("weather", 2, true, Type::Host(WORD_TYPE), Some(WEATHER)),
            PropertyDecl {
                on: COUNTER_TYPE,
                name: "double".into(),
                ty: Type::Int,
                names: None,
                access: Access::Function {
                    get: |w, c| {
                        let id = c.handle(0, COUNTER)?;
                        c.done(Value::Int(w.counters[id as usize][0] * 2))
                    },
                    set: Some(|w, c| {
                        let id = c.handle(0, COUNTER)?;
                        w.counters[id as usize][0] = c.int(1)? / 2;
                        c.done(Value::Unit)
                    }),
                },
                doc: String::new(),
            },
            list(
                "tags",
                |_, c| c.done(Value::array(vec!["old".into()])),
                None,
            ),
            list(
                "notes",
                |w, c| c.done(Value::array(w.notes.clone())),
                Some(|w, c| {
                    let Value::Array(notes) = c.arg(1) else {
                        return Err(HostError::new("notes are a list"));
                    };
                    w.notes = notes.to_vec();
                    c.done(Value::Unit)
                }),
            ),
        ],
        functions: vec![
            function("counter", &[("n", types(&[Type::Int]))], counter, |_, c| {
                let n = c.int(0)?;
                c.done(Value::Handle(COUNTER, n as u32))
            }),
            function("all_counters", &[], set, |_, c| c.done(small(0xff))),
            function("big_set", &[], set, |_, c| {
                c.done(Value::Object(ludoteca_vm::Shared::new(Big(vec![1, 3, 5]))))
            }),
            function(
                "ask",
                &[("question", types(&[Type::Any]))],
                Type::Any,
                |w, c| {
                    let question = w.show(c.arg(0));
                    w.asked.push(question);
                    Ok(Flow::Suspend)
                },
            ),
            function(
                "weather_is",
                &[("weather", Param::Name(WEATHER))],
                Type::Bool,
                |w, c| {
                    let id = c.handle(0, WORD)?;
                    c.done(Value::Bool(w.weather == id))
                },
            ),
            function(
                "add",
                &[
                    ("counter", types(&[counter])),
                    ("attribute", Param::Name(ATTRIBUTE)),
                    ("n", types(&[Type::Int])),
                ],
                Type::Unit,
                |w, c| {
                    let (id, slot, n) = (c.handle(0, COUNTER)?, c.int(1)?, c.int(2)?);
                    w.counters[id as usize][slot as usize] += n;
                    c.done(Value::Unit)
                },
            ),
            function("fail", &[], Type::Unit, |_, _| {
                Err(HostError::new("the host refuses"))
            }),
            function("size", &[("set", types(&[set]))], Type::Int, |w, c| {
                let n = w.len(c.arg(0)).unwrap_or(0);
                c.done(Value::Int(n))
            }),
            function(
                "size",
                &[("list", types(&[Type::Array]))],
                Type::Int,
                |_, c| {
                    let n = c.arg(0).as_array().map_or(0, <[V]>::len) as i64;
                    c.done(Value::Int(-n))
                },
            ),
            function(
                "remove",
                &[("set", types(&[set])), ("counter", types(&[counter]))],
                set,
                |_, c| {
                    let (b, id) = (bits(c.arg(0)).unwrap_or(0), c.handle(1, COUNTER)?);
                    c.done(small(b & !(1 << id)))
                },
            ),
            function(
                "sum5",
                &[
                    ("a", types(&[Type::Int])),
                    ("b", types(&[Type::Int])),
                    ("c", types(&[Type::Int])),
                    ("d", types(&[Type::Int])),
                    ("e", types(&[Type::Int])),
                ],
                Type::Int,
                |_, c| {
                    let sum = (0..5).map(|i| c.int(i)).sum::<Result<i64, _>>()?;
                    c.done(Value::Int(sum))
                },
            ),
            function(
                "later",
                &[("function", Param::Function), ("x", types(&[Type::Any]))],
                Type::Fn,
                |_, c| {
                    let f = c.arg(0).clone();
                    c.done(f)
                },
            ),
        ],
        words: (0..)
            .zip(WORDS)
            .map(|(i, word)| (word.to_string(), Value::Handle(WORD, i)))
            .collect(),
        constants: vec![
            ConstantDecl {
                name: "MAX".into(),
                value: Value::Int(10),
                doc: String::new(),
            },
            ConstantDecl {
                name: "PRICES".into(),
                value: Value::map([
                    (
                        "unit",
                        Value::map([("resources", Value::Int(4)), ("energy", Value::Int(2))]),
                    ),
                    ("steps", Value::array(vec![Value::Int(5), Value::Int(7)])),
                ]),
                doc: String::new(),
            },
        ],
        map_keys: vec!["gold".into()],
        meaning: None,
    }
}

impl World {
    pub fn show(&self, value: &V) -> String {
        match value {
            Value::Str(s) => s.to_string(),
            Value::Int(n) => n.to_string(),
            other => format!("{other:?}"),
        }
    }
}

pub fn unit(text: &str) -> Unit {
    Unit {
        name: "main".into(),
        sources: vec![Script {
            path: "test.rhai".into(),
            text: text.into(),
            layer: 0,
        }],
    }
}

pub fn compile_text(text: &str) -> Result<Program<World>, Vec<Diagnostic>> {
    compile(&unit(text), &[], &interface(), &Options::default())
}

/// Compiles, or panics with everything the compiler says.
pub fn program(text: &str) -> Program<World> {
    compile_text(text).unwrap_or_else(|errors| {
        let list: Vec<String> = errors.iter().map(ToString::to_string).collect();
        panic!("{}\n--- in\n{text}", list.join("\n"));
    })
}

/// Runs `main`, which must not suspend.
pub fn run(text: &str) -> Result<V, Fault> {
    let program = program(text);
    let mut machine = Machine::new();
    machine.start(
        &program,
        program.function("main", 0).expect("fn main()"),
        &[],
    );
    match machine.run(&program, &mut World::new())? {
        Outcome::Done(value) => Ok(value),
        Outcome::Suspended => panic!("suspended"),
    }
}

/// A value as Rhai would write it.
pub fn text(value: &V) -> String {
    match value {
        Value::Unit => "()".into(),
        Value::Bool(b) => b.to_string(),
        Value::Char(c) => format!("{c:?}"),
        Value::Int(n) => n.to_string(),
        Value::Str(s) => format!("{:?}", s.as_str()),
        Value::Range(r) => format!("{}..{}{}", r.from, if r.inclusive { "=" } else { "" }, r.to),
        Value::Array(items) => format!(
            "[{}]",
            items.iter().map(text).collect::<Vec<_>>().join(", ")
        ),
        Value::Map(map) => {
            let entries: Vec<String> = map
                .iter()
                .map(|(k, v)| format!("{k}: {}", text(v)))
                .collect();
            format!("#{{{}}}", entries.join(", "))
        }
        Value::Fn(f) => format!("Fn({})", f.name),
        other => World::new().display(other),
    }
}

/// The value of a function body.
pub fn eval(body: &str) -> String {
    match run(&format!("fn main() {{ {body} }}")) {
        Ok(value) => text(&value),
        Err(fault) => format!("{}: {}", fault.kind.slug(), fault.message),
    }
}

#[track_caller]
pub fn check(body: &str, expected: &str) {
    assert_eq!(eval(body), expected, "in: {body}");
}
