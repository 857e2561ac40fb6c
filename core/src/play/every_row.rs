//! Every row of the table is called with the largest things it accepts, and what it took is held against what it charged. A function
//! that scripts can call cannot be added without saying what it costs, nor say too little.

use super::matches::Match;
use crate::content::diagnostic::{Code, Diagnostic};
use crate::content::library::{Library, Selection};
use crate::content::pack::PackSource;
use crate::limits::{LARGEST_MAP, LONGEST_ARRAY, NOTED_POSITIONS, OPERATIONS};
use crate::model::set::SpaceSet;
use crate::model::state::State;
use crate::model::value::{Val, handle, piece, player, space};
use crate::script::load::load;
use crate::script::verbs::{Form, P, forms};
use crate::table::types::{self, domain};
use ludoteca_vm::{Domain, FnId, Machine, Type, Value};
use rustix::time::{ClockId, clock_gettime};
use std::collections::HashSet;
use std::fmt::Write;

/// Ten seconds for a whole budget: what an operation may take at most.
const NANOSECONDS_PER_OPERATION: u128 = 10_000_000_000 / OPERATIONS as u128;
/// A call as such, and the clock.
const CALL: u128 = 10_000;

const SPACES: usize = 256;

fn manifest(map: &str) -> String {
    format!(
        r#"version = "1.0.0"
title = {{ es = "Enorme", en = "Vast" }}
summary = {{ es = "Todo es grande.", en = "Everything is large." }}
players = [2, 13]
map = "{map}"
[sides.of]
us = {{ text = {{ es = "Nosotros", en = "Us" }}, seats = "even" }}
them = {{ text = {{ es = "Ellos", en = "Them" }}, seats = "odd" }}
[attributes.player]
money = {{ type = "int" }}
[attributes.space]
owner = "player"
armies = {{ type = "int" }}
before = {{ type = "int" }}
[attributes.piece]
rank = {{ type = "int" }}
lost = {{ type = "int", per = "player", kept_in = ["pile"] }}
[zones]
pile = {{}}
other = {{}}
market = {{ sorted = "worth" }}
hand = {{ of = "player" }}
[kinds.token]
text = {{ es = "Ficha", en = "Token" }}
fields = {{ worth = "int", notes = {{ type = "cards", of = "note" }} }}
[kinds.note]
text = {{ es = "Nota", en = "Note" }}
fields = {{ on = {{ type = "word", words = ["red", "blue"] }} }}
[kinds.coin]
text = {{ es = "Moneda", en = "Coin" }}
fields = {{ worth = "int" }}
[[phases]]
step = "turn"
each = "player"
text = {{ es = "Turno", en = "Turn" }}
"#
    )
}

fn map_of_edges() -> String {
    let mut text = String::from(
        "title = { es = \"Red\", en = \"Net\" }\n[fields]\nspace = { terrain = \"int\" }\nedge = { steps = \"int\" }\n[areas.all]\nname = { es = \"Todo\", en = \"All\" }\n",
    );
    for n in 0..SPACES {
        let _ = writeln!(
            text,
            "[spaces.s{n}]\nname = {{ es = \"S{n}\", en = \"S{n}\" }}\narea = \"all\"\nterrain = {n}"
        );
    }
    text.push_str("[edges]\n");
    for n in 0..SPACES {
        for step in [1, 7, 31, 63] {
            if n + step < SPACES {
                let _ = writeln!(text, "\"s{n} - s{}\" = {{ steps = {step} }}", n + step);
            }
        }
    }
    text
}

fn map_of_sections() -> String {
    let mut text = String::from(
        "title = { es = \"Trozos\", en = \"Parts\" }\nfields = { space = { terrain = \"int\" } }\n[legend]\n\".\" = { terrain = 1 }\n",
    );
    for n in 0..16 {
        let _ = writeln!(
            text,
            "[sections.part{n}]\nname = {{ es = \"P{n}\", en = \"P{n}\" }}\nrows = [\"....\", \"....\", \"....\", \"....\"]"
        );
    }
    text
}

/// As many spaces as a board may have; a diagonal comes by all of them before it is back.
fn map_of_cells() -> String {
    let row = ".".repeat(32);
    let rows = vec![format!("{row:?}"); 31].join(", ");
    let forward = vec!["\"north\""; 13].join(", ");
    format!(
        "title = {{ es = \"Casillas\", en = \"Cells\" }}\nfields = {{ space = {{ terrain = \"int\" }} }}\n[legend]\n\".\" = {{ terrain = 1 }}\n[grid]\ndrawing = [{rows}]\nwrap = \"both\"\nforward = [{forward}]\n"
    )
}

#[derive(Clone, Copy, PartialEq)]
enum Board {
    Edges,
    Sections,
    Cells,
}

fn texts() -> String {
    let braces = "{a}{b}{c}".repeat(600);
    format!(
        r#"[prompt]
ask = {{ es = "¿Qué?", en = "What?", actions = ["stop"] }}
[option]
stop = {{ es = "Basta", en = "Stop" }}
[log]
long = {{ es = "{braces}", en = "{braces}" }}
plain = {{ es = "Nada.", en = "Nothing." }}
[reason]
done = {{ es = "Hecho", en = "Done" }}
"#
    )
}

const TOKENS: &str = r#"kind = "token"
[cards.token]
copies = 9000
name = { es = "Ficha", en = "Token" }
worth = 1
notes = [{ on = "red" }]
"#;

const COINS: &str = r#"kind = "coin"
[cards.coin]
copies = 500
name = { es = "Moneda", en = "Coin" }
worth = 5
"#;

/// A name a literal may have where a row wants one.
fn name(of: Domain) -> &'static str {
    match of {
        domain::SPACE_ATTRIBUTE => "armies",
        domain::PIECE_ATTRIBUTE => "rank",
        domain::MEASURE => "worth",
        domain::SPACE_FIELD => "terrain",
        domain::EDGE_FIELD => "steps",
        domain::PROMPT => "ask",
        domain::OPTION => "stop",
        domain::LOG => "long",
        domain::REASON => "done",
        domain::DIE => "d6",
        domain::KIND => "coin",
        domain::CARD => "coin",
        domain::SPACE => "s1",
        domain::AREA => "all",
        domain::SECTION => "part3",
        domain::DIRECTION => "north",
        domain::SIDE => "them",
        _ => "red",
    }
}

/// Literals stand in the script, everything else is given.
fn literal(entry: &Form, param: P) -> Option<String> {
    let detailed = entry.params.iter().any(|(name, _)| *name == "details");
    match param {
        // Several directions are given as lists.
        P::NameOr(domain::DIRECTION, types) if types.contains(&Type::Array) => None,
        P::Name(domain::LOG) if !detailed => Some("\"plain\"".into()),
        P::Name(of) | P::NameOr(of, _) => Some(format!("{:?}", name(of))),
        P::Function => Some("\"nothing\"".into()),
        _ => None,
    }
}

/// Whether the map has what a row names.
fn fits(entry: &Form, board: Board) -> bool {
    let wants = |of: Domain| {
        entry
            .params
            .iter()
            .any(|(_, p)| matches!(p, P::Name(d) | P::NameOr(d, _) if *d == of))
    };
    let none_of = |domains: &[Domain]| !domains.iter().any(|&of| wants(of));
    match board {
        Board::Edges => none_of(&[domain::SECTION, domain::DIRECTION]),
        Board::Sections => none_of(&[
            domain::EDGE_FIELD,
            domain::SPACE,
            domain::AREA,
            domain::DIRECTION,
        ]),
        Board::Cells => none_of(&[
            domain::EDGE_FIELD,
            domain::SPACE,
            domain::AREA,
            domain::SECTION,
        ]),
    }
}

/// A script with a function for each row, which calls it with what the function is given.
fn script(rows: &[Form], board: Board) -> String {
    let mut text = String::from(
        "fn setup() { fill(game.pile, \"token\"); fill(game.market, \"coin\"); }\nfn turn(p) {}\nfn score(p) { 0 }\nfn nothing() {}\nfn nothing(a) {}\nfn nothing(a, b) {}\nfn nothing(a, b, c) {}\nfn nothing(a, b, c, d) {}\nfn the_edges() { edges(spaces(), spaces()) }\nfn the_pieces() { pieces(game.pile) }\nfn the_steps() { Fn(\"nothing\") }\nfn the_dice() { roll(13) }\n",
    );
    if board == Board::Cells {
        text.push_str("fn the_way(n) { turned(\"north\", n) }\nfn the_moves() { moves(spaces(), spaces()) }\n");
    } else {
        text.push_str("fn the_moves() { edges(spaces(), spaces()) }\n");
    }
    for (n, entry) in rows.iter().enumerate() {
        let given: Vec<String> = (0..entry.params.len()).map(|i| format!("a{i}")).collect();
        let passed: Vec<String> = entry
            .params
            .iter()
            .zip(&given)
            .map(|((_, p), name)| literal(entry, *p).unwrap_or_else(|| name.clone()))
            .collect();
        let _ = writeln!(
            text,
            "fn row_{n}({}) {{ {}({}); }}",
            given.join(", "),
            entry.verb.name,
            passed.join(", ")
        );
    }
    text
}

struct Vast {
    played: Match,
    begin: State,
    rows: Vec<Form>,
    /// Rows that came to an end, or to a choice, with something they were given.
    worked: HashSet<usize>,
}

impl Vast {
    fn new(board: Board) -> Vast {
        let rows: Vec<Form> = forms().into_iter().filter(|e| fits(e, board)).collect();
        let map = match board {
            Board::Edges => map_of_edges(),
            Board::Sections => map_of_sections(),
            Board::Cells => map_of_cells(),
        };
        let files = [
            ("scripts/vast/game.toml", manifest("wide")),
            ("scripts/vast/rules.rhai", script(&rows, board)),
            ("cards/vast/tokens.toml", TOKENS.to_string()),
            ("cards/vast/coins.toml", COINS.to_string()),
            ("cards/vast/text.toml", texts()),
            ("maps/vast/wide.toml", map),
        ];
        let files = files.iter().map(|(path, text)| (*path, text.as_str()));
        let (library, found) = Library::open(&[PackSource::memory("vast", files)]);
        // Old words are rows too.
        let old = |found: &Diagnostic| found.code == Code::OldWord;
        assert!(found.iter().all(old), "{found:?}");
        let game = load(&library, "vast", &Selection::default()).unwrap_or_else(|found| {
            panic!("{}", crate::content::diagnostic::render_all(&found, false))
        });
        let mut played = Match::new(game, 13, 1);
        played.table.events = Some(Vec::new());
        played.advance().expect("setup runs");
        *played.table.state.noted = (1..NOTED_POSITIONS as u64).collect();
        let begin = played.table.state.clone();
        Vast {
            played,
            begin,
            rows,
            worked: HashSet::new(),
        }
    }

    fn function(&self, name: &str, parameters: usize) -> FnId {
        let found = self.played.game().program.function(name, parameters);
        found.unwrap_or_else(|| panic!("there is no {name}"))
    }

    fn made(&mut self, by: &str, of: &[Val]) -> Val {
        let function = self.function(by, of.len());
        self.played.table.read_only = false;
        let mut machine = Machine::with_limits(crate::limits::of_a_step());
        let game = self.played.game().clone();
        machine.start(&game.program, function, of);
        match machine.run(&game.program, &mut self.played.table) {
            Ok(ludoteca_vm::Outcome::Done(value)) => value,
            other => panic!("{by}: {other:?}"),
        }
    }

    /// The largest things of a type.
    fn largest(&mut self, ty: Type) -> Vec<Val> {
        let many =
            |value: fn(u32) -> Val| Value::array((0..LONGEST_ARRAY as u32).map(value).collect());
        match ty {
            Type::Int => vec![
                Value::Int(3),
                Value::Int(5000),
                Value::Int(i64::MAX),
                Value::Int(i64::MIN),
            ],
            Type::Str => vec![Value::string("x".repeat(20_000))],
            Type::Bool => vec![Value::Bool(true)],
            Type::Fn => vec![self.made("the_steps", &[])],
            Type::Map => vec![
                Value::map((0..LARGEST_MAP).map(|n| (format!("k{n}"), Value::Int(1)))),
                Value::map([
                    ("a", many(|n| piece(n % 9000))),
                    ("b", doubled(Value::Int(1))),
                ]),
            ],
            Type::Range => vec![
                Value::range(0, 20_000, false),
                Value::range(i64::MIN, i64::MAX, true),
            ],
            Type::Array => vec![
                many(|n| Value::Int(n as i64)),
                many(|n| space(n % 250)),
                many(|n| player((n % 13) as u8)),
                many(|n| piece(n % 9000)),
                Value::array(vec![doubled(Value::Int(1))]),
                Value::array(vec![Value::string("stop"); LONGEST_ARRAY]),
            ],
            Type::Any => vec![
                Value::Int(1),
                doubled(Value::Int(1)),
                many(|n| piece(n % 9000)),
                Value::string("x".repeat(20_000)),
            ],
            types::PLAYER => vec![player(3)],
            types::SPACE => vec![space(0), space(250)],
            types::PIECE => vec![piece(0), piece(8999), piece(9100)],
            types::ZONE => {
                let zones = [0, 1, 2].map(|n| Value::Handle(handle::ZONE, n));
                zones.to_vec()
            }
            types::SPACES => {
                let all = self.played.table.state.board.in_play();
                let none = SpaceSet::EMPTY;
                vec![all.clone(), none]
                    .into_iter()
                    .map(|set| self.played.table.spaces(set))
                    .collect()
            }
            types::EDGES => vec![self.made("the_edges", &[]), self.made("the_moves", &[])],
            types::PIECES => vec![self.made("the_pieces", &[])],
            types::DICE => vec![self.made("the_dice", &[])],
            types::PLAYERS => {
                vec![crate::model::value::seat_list(0..13)]
            }
            types::ROW => vec![],
            _ => vec![],
        }
    }

    fn candidates(&mut self, param: P) -> Vec<Val> {
        let types: Vec<Type> = match param {
            P::Of(ty) => vec![ty],
            P::Either(types) => types.to_vec(),
            P::NameOr(domain::DIRECTION, types) if types.contains(&Type::Array) => {
                return self.directions();
            }
            P::Name(_) | P::NameOr(..) | P::Function => return vec![Value::Unit],
        };
        types.into_iter().flat_map(|ty| self.largest(ty)).collect()
    }

    /// All directions: each once, each many times, and more often than anybody can count.
    fn directions(&mut self) -> Vec<Val> {
        let ways: Vec<Val> = (0..8)
            .map(|n| self.made("the_way", &[Value::Int(n)]))
            .collect();
        let many = ways.iter().cycle().take(LONGEST_ARRAY).cloned().collect();
        let doubled = doubled(ways[0].clone());
        vec![Value::array(ways), Value::array(many), doubled]
    }

    /// Operations charged and nanoseconds taken, the best of three.
    fn measure(&mut self, row: usize, args: &[Val]) -> (u64, u128) {
        let game = self.played.game().clone();
        let function = self.function(&format!("row_{row}"), args.len());
        let mut best = (0, u128::MAX);
        for _ in 0..3 {
            self.played.table.state.clone_from(&self.begin);
            self.played.table.choice = None;
            self.played.table.events = Some(Vec::new());
            let mut machine = Machine::with_limits(crate::limits::of_a_step());
            machine.start(&game.program, function, args);
            let before = now();
            let done = machine.run(&game.program, &mut self.played.table);
            let took = now() - before;
            let charged = match &done {
                Err(fault) if fault.kind == ludoteca_vm::FaultKind::Budget => OPERATIONS,
                _ => OPERATIONS - machine.budget_left(),
            };
            if done.is_ok() {
                self.worked.insert(row);
            }
            best = (charged, took.min(best.1));
        }
        best
    }
}

/// Fifty lists, each of which holds the one before twice.
fn doubled(innermost: Val) -> Val {
    (0..48).fold(innermost, |inner, _| {
        Value::array(vec![inner.clone(), inner])
    })
}

fn now() -> u128 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as u128 * 1_000_000_000 + time.tv_nsec as u128
}

/// All ways to give a row what it accepts, as many as are worth trying.
fn ways(columns: Vec<Vec<Val>>) -> Vec<Vec<Val>> {
    let mut ways = vec![Vec::new()];
    for column in columns {
        let longer = ways.iter().flat_map(|way: &Vec<Val>| {
            column.iter().map(move |value| {
                let mut way = way.clone();
                way.push(value.clone());
                way
            })
        });
        ways = longer.collect();
    }
    let step = ways.len().div_ceil(40).max(1);
    ways.into_iter().step_by(step).collect()
}

#[test]
fn no_row_works_more_than_it_charges() {
    let mut cheap = Vec::new();
    // Elsewhere the largest things are refused before the work, which is measured too; on boards all of it must be done.
    let on_boards = |e: &Form| e.verb.room.starts_with("Boards ");
    let rows = forms().into_iter().filter(on_boards);
    let mut idle: Vec<(&str, usize)> = rows.map(|e| (e.verb.name, e.params.len())).collect();
    assert!(!idle.is_empty());
    for board in [Board::Edges, Board::Sections, Board::Cells] {
        let mut vast = Vast::new(board);
        for row in 0..vast.rows.len() {
            let entry = vast.rows[row].clone();
            let columns = entry
                .params
                .iter()
                .map(|(_, p)| vast.candidates(*p))
                .collect();
            for args in ways(columns) {
                let dear = |(charged, took): (u64, u128)| {
                    took > CALL + charged as u128 * NANOSECONDS_PER_OPERATION
                };
                let mut measured = vast.measure(row, &args);
                // Others work on the machine too: what looks dear is looked at again.
                for _ in 0..12 {
                    if dear(measured) {
                        let (charged, took) = vast.measure(row, &args);
                        measured = (charged, took.min(measured.1));
                    }
                }
                let (charged, took) = measured;
                if dear(measured) {
                    let given: Vec<&str> = args.iter().map(Value::type_name).collect();
                    cheap.push(format!(
                        "{}({}): {} µs for {charged} operations",
                        entry.verb.name,
                        given.join(", "),
                        took / 1000
                    ));
                }
            }
        }
        let worked = vast.worked.iter().map(|&row| &vast.rows[row]);
        let worked: HashSet<_> = worked.map(|e| (e.verb.name, e.params.len())).collect();
        idle.retain(|row| !worked.contains(row));
    }
    assert!(cheap.is_empty(), "{}", cheap.join("\n"));
    assert!(idle.is_empty(), "nothing was measured: {idle:?}");
}
