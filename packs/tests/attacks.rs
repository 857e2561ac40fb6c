//! Packs that mean harm. Each is a small sound game with something hostile in it; limits are scaled down, so that all of them together
//! take seconds. None may panic, none may use more than it is allowed, and each is told off in words that a terminal can show.

use ludoteca::{
    Code, Diagnostic, Game, Language, Library, Luck, Match, Memory, Offer, PackSource, Selection,
    examine, illegible, render_all, say,
};
use rustix::time::{ClockId, clock_gettime};
use serde::Deserialize;
use std::alloc::{GlobalAlloc, Layout, System};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

#[path = "attacks/budgets.rs"]
mod budgets;

/// What a step may use here: a hundredth of what it may in earnest.
const OPERATIONS: u64 = 50_000;
/// Ten seconds and a gigabyte are the promise. A step here has a hundredth of the operations; loading is not scaled down.
const STEP_TIME: Duration = Duration::from_millis(100);
/// Rules that are not stopped are played with more than one step.
const MATCH_TIME: Duration = Duration::from_secs(1);
/// Others work on the machine too: what took long is looked at again so often.
const LOOKS: usize = 5;
const LOAD_TIME: Duration = Duration::from_secs(10);
const STEP_MEMORY: usize = 64 << 20;
const LOAD_MEMORY: usize = 1 << 30;

/// Counts the bytes that are taken, and the most there ever were.
struct Counting;

static TAKEN: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call is handed on to the system's allocator as it came; only numbers are kept beside it.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let taken = TAKEN.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        MOST.fetch_max(taken, Ordering::Relaxed);
        // SAFETY: the same layout, as the caller promised it.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        TAKEN.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: allocated above, with this layout.
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// One attack at a time: memory is counted for the whole process.
static ALONE: Mutex<()> = Mutex::new(());

/// What something took: time of this thread, and memory beyond what was there.
fn measured<T>(work: impl FnOnce() -> T) -> (T, Duration, usize) {
    let clock = || {
        let time = clock_gettime(ClockId::ThreadCPUTime);
        Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
    };
    let before = TAKEN.load(Ordering::Relaxed);
    MOST.store(before, Ordering::Relaxed);
    let begun = clock();
    let done = work();
    let took = clock() - begun;
    (
        done,
        took,
        MOST.load(Ordering::Relaxed).saturating_sub(before),
    )
}

const PACK: &str = "name = \"fort\"\nversion = \"1.0.0\"\nauthors = [\"Nobody\"]\nlicence = \"CC0-1.0\"\nkernel = \"*\"\n";
const MANIFEST: &str = r#"version = "1.0.0"
title = { es = "Fuerte", en = "Fort" }
summary = { es = "Un juego asediado.", en = "A game under siege." }
players = [2, 4]
map = "land"
round_limit = 3
[attributes.game]
tally = { type = "int", per = ["one", "two", "three"] }
[attributes.player]
money = { type = "int" }
[attributes.space]
owner = "player"
armies = { type = "int" }
before = { type = "int" }
[attributes.piece]
rank = { type = "int" }
[zones]
pile = {}
other = {}
market = { sorted = "worth" }
[kinds.token]
text = { es = "Ficha", en = "Token" }
fields = { worth = "int" }
[kinds.coin]
text = { es = "Moneda", en = "Coin" }
fields = { worth = "int" }
[[phases]]
step = "turn"
each = "player"
text = { es = "Turno", en = "Turn" }
"#;
const TABLES: &str = "[prices]\nunit = 3\n";
const TOKENS: &str = "kind = \"token\"\n[cards.token]\ncopies = 200\nname = { es = \"Ficha\", en = \"Token\" }\nworth = 1\n";
const COINS: &str = "kind = \"coin\"\n[cards.coin]\ncopies = 20\nname = { es = \"Moneda\", en = \"Coin\" }\nworth = 5\n";
const TEXTS: &str = r#"[prompt]
ask = { es = "¿Qué?", en = "What?" }
act = { es = "¿Qué?", en = "What?", actions = ["walk", "run", "stop"] }
[option]
stop = { es = "Basta", en = "Stop" }
walk = { es = "Andar", en = "Walk" }
run = { es = "Correr", en = "Run" }
[log]
long = { es = "{a} {b} {c}", en = "{a} {b} {c}" }
listed = { es = "{and a}{and a}{and a}{and a}{and a}{and a}{and a}{and a}", en = "{and a}{and a}{and a}{and a}{and a}{and a}{and a}{and a}" }
[reason]
done = { es = "Hecho", en = "Done" }
"#;
const RULES: &str = r#"fn setup() { fill(game.pile, "token"); }
fn score(p) { p.money }
fn nothing() { }
fn nothing(a) { }
fn speak() { say("long", #{ a: 1, b: 2, c: 3 }); }
fn quick(n) { n + 1 }
fn endless(p) { endless(p) }
fn numbers(n) { let a = []; for i in 0..n { a.push(i); } a }
fn table(n) { let m = #{}; for i in 0..n { m[`k${i}`] = i; } m }
fn long(n) { let t = ""; t.pad(n, "x"); t }
"#;

fn map() -> String {
    let mut text = String::from(
        "title = { es = \"Tierra\", en = \"Land\" }\n[fields]\nedge = { steps = \"int\" }\n",
    );
    for n in 0..6 {
        text += &format!("[spaces.s{n}]\nname = {{ es = \"S{n}\", en = \"S{n}\" }}\n");
    }
    text += "[edges]\n";
    for n in 0..5 {
        text += &format!("\"s{n} - s{}\" = {{ steps = 1 }}\n", n + 1);
    }
    text
}

/// The largest board there is, all of it in one piece and round on all sides.
const BOARD: &str = "title = { es = \"Tierra\", en = \"Land\" }\n[grid]\nsize = [32, 32]\nwrap = \"both\"\nneighbors = \"all\"\nforward = [\"north\", \"south\", \"north\", \"south\"]\n";

/// The sound game, one file of it changed or added.
fn fort(changed: &[(&str, String)]) -> PackSource {
    let mut files: BTreeMap<String, String> = [
        ("pack.toml", PACK.to_string()),
        ("scripts/fort/game.toml", MANIFEST.to_string()),
        ("scripts/fort/rules.rhai", RULES.to_string()),
        ("scripts/fort/turn.rhai", "fn turn(p) { }\n".to_string()),
        ("cards/fort/tables.toml", TABLES.to_string()),
        ("cards/fort/tokens.toml", TOKENS.to_string()),
        ("cards/fort/coins.toml", COINS.to_string()),
        ("cards/fort/text.toml", TEXTS.to_string()),
        ("maps/fort/land.toml", map()),
    ]
    .into_iter()
    .map(|(path, text)| (path.to_string(), text))
    .collect();
    for (path, text) in changed {
        files.insert(path.to_string(), text.clone());
    }
    let files = files
        .iter()
        .map(|(path, text)| (path.as_str(), text.as_str()));
    PackSource::new("fort", Memory::new(files))
}

fn examined(pack: &PackSource) -> (Option<Arc<Game>>, Vec<Diagnostic>) {
    let (library, mut problems) = Library::open(std::slice::from_ref(pack));
    let (game, found) = examine(&library, "fort", &Selection::default());
    problems.extend(found);
    problems.extend(library.check(None));
    (game, problems)
}

fn has_errors(problems: &[Diagnostic]) -> bool {
    problems.iter().any(Diagnostic::is_error)
}

#[derive(Debug, Deserialize)]
struct Scripts {
    stopped: BTreeMap<String, String>,
    told: BTreeMap<String, String>,
    fine: BTreeMap<String, String>,
    stopped_on_a_board: BTreeMap<String, String>,
    told_on_a_board: BTreeMap<String, String>,
}

#[derive(Debug, PartialEq, Eq)]
enum Came {
    Stopped,
    Told,
    Fine,
}

/// Plays a match whose turn is hostile. Everything that is said on the way can be shown.
fn play(game: Arc<Game>) -> Result<Came, String> {
    let mut played = Match::new(game, 2, 1);
    for seat in 0..2 {
        played.seat_random(seat, Luck::new(seat, 1));
    }
    played.limit(OPERATIONS);
    played.allow(OPERATIONS * 20);
    let mut came = played.advance().map(|_| Came::Fine);
    if came.is_ok() {
        // Once more with somebody who listens.
        played.restart(1);
        played.table.events = Some(Vec::new());
        came = played.advance().map(|_| Came::Fine);
        for _ in 0..50 {
            let Some(seat) = played.choice().and_then(|choice| choice.waiting()) else {
                break;
            };
            let _ = Offer::new(&mut played, seat, Language::En);
            let _ = played.answer(seat, &[0]);
            came = played.advance().map(|_| Came::Fine);
        }
        for event in played.table.events.take().unwrap_or_default() {
            let line = say::line(&played.table, &event, Language::En).unwrap_or_default();
            if let Some(odd) = illegible(&line) {
                return Err(format!("a line has {odd:?}"));
            }
        }
    }
    if played.table.state.size() > 64 << 20 {
        return Err("the state is too large".into());
    }
    match came {
        Ok(came) => Ok(came),
        Err(broken) if broken.fault.kind == ludoteca_vm::FaultKind::Budget => Ok(Came::Stopped),
        Err(_) => Ok(Came::Told),
    }
}

#[test]
fn hostile_rules_are_stopped_or_told_off() {
    let _alone = ALONE
        .lock()
        .unwrap_or_else(|poisoned| poisoned.into_inner());
    let scripts: Scripts = toml::from_str(include_str!("attacks/scripts.toml")).expect("TOML");
    let lists = [
        (Came::Stopped, map(), &scripts.stopped),
        (Came::Told, map(), &scripts.told),
        (Came::Fine, map(), &scripts.fine),
        (Came::Stopped, BOARD.into(), &scripts.stopped_on_a_board),
        (Came::Told, BOARD.into(), &scripts.told_on_a_board),
    ];
    let mut wrong = Vec::new();
    for (expected, land, attacks) in lists {
        for (name, body) in attacks {
            let turn = format!("fn turn(p) {{ {body} }}\n");
            let pack = fort(&[
                ("scripts/fort/turn.rhai", turn),
                ("maps/fort/land.toml", land.clone()),
            ]);
            let (game, problems) = examined(&pack);
            let Some(game) = game.filter(|_| !has_errors(&problems)) else {
                // What cannot be right is refused when it is read: told off even earlier.
                if expected != Came::Told {
                    wrong.push(format!("{name}: {}", render_all(&problems, false)));
                }
                continue;
            };
            let most = match expected {
                Came::Stopped => STEP_TIME,
                _ => MATCH_TIME,
            };
            let (came, mut took, bytes) = measured(|| play(game.clone()));
            for _ in 1..LOOKS {
                if took > most {
                    took = took.min(measured(|| play(game.clone())).1);
                }
            }
            match came {
                Ok(came) if came == expected => {}
                Ok(came) => wrong.push(format!("{name}: {came:?}, not {expected:?}")),
                Err(what) => wrong.push(format!("{name}: {what}")),
            }
            if took > most || bytes > STEP_MEMORY {
                wrong.push(format!("{name}: {took:?}, {} MiB", bytes >> 20));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[derive(Debug, Deserialize)]
struct HostileFile {
    path: String,
    #[serde(default)]
    before: String,
    #[serde(default)]
    repeat: String,
    #[serde(default)]
    times: usize,
    #[serde(default)]
    after: String,
    /// A line the manifest gets as well.
    #[serde(default)]
    manifest: String,
    /// What the author is told.
    says: String,
    /// It works all the same.
    #[serde(default)]
    only_warned: bool,
}

#[test]
fn hostile_files_are_refused_in_little_time_and_few_words() {
    let _alone = ALONE
        .lock()
        .unwrap_or_else(|poisoned| poisoned.into_inner());
    let files: BTreeMap<String, HostileFile> =
        toml::from_str(include_str!("attacks/files.toml")).expect("TOML");
    let mut wrong = Vec::new();
    for (name, attack) in &files {
        let repeated: String = (0..attack.times)
            .map(|n| attack.repeat.replace("{n}", &n.to_string()))
            .collect();
        let text = format!("{}{repeated}{}", attack.before, attack.after);
        let mut changed = vec![(attack.path.as_str(), text)];
        if attack.manifest == "check" {
            let checked = "fields = { worth = \"int\" }\ncheck = \"check_token\"";
            let manifest = MANIFEST.replacen("fields = { worth = \"int\" }", checked, 1);
            changed.push(("scripts/fort/game.toml", manifest));
        }
        let pack = fort(&changed);
        let ((problems, shown), took, bytes) = measured(|| {
            let (_, problems) = examined(&pack);
            let shown = render_all(&problems, false);
            (problems, shown)
        });
        if has_errors(&problems) == attack.only_warned {
            let errors = if attack.only_warned {
                "an error"
            } else {
                "no error"
            };
            wrong.push(format!("{name}: {errors}"));
        }
        if !shown.contains(&attack.says) {
            let start: String = shown.chars().take(600).collect();
            wrong.push(format!("{name}: nothing of {:?} in: {start}", attack.says));
        }
        if shown.len() > 1 << 20 {
            wrong.push(format!("{name}: {} bytes of messages", shown.len()));
        }
        if took > LOAD_TIME || bytes > LOAD_MEMORY {
            wrong.push(format!("{name}: {took:?}, {} MiB", bytes >> 20));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Variants are loaded one by one: of very many, of a large game or large themselves, some are checked, and that is said.
#[test]
fn very_many_variants_are_checked_as_far_as_it_is_bearable() {
    let _alone = ALONE
        .lock()
        .unwrap_or_else(|poisoned| poisoned.into_inner());
    let variant = "title = { es = \"V\", en = \"V\" }\nsummary = { es = \"V\", en = \"V\" }\n";
    let functions: String = (0..9000)
        .map(|n| format!("fn spare{n}(a) {{ a + {n} }}\n"))
        .collect();
    let cards: String = (0..9000)
        .map(|n| format!("[cards.c{n}]\nname = {{ es = \"A\", en = \"A\" }}\nworth = 1\n"))
        .collect();
    let small = format!("{variant}[set]\n\"prices.unit\" = 4\n");
    let path = |n: usize| format!("variants/fort/v{n}.toml");
    let many: Vec<(String, String)> = (0..3000).map(|n| (path(n), small.clone())).collect();
    let mut rules = many[..100].to_vec();
    rules.push(("scripts/fort/spare.rhai".into(), functions));
    let large: Vec<(String, String)> = (0..100)
        .flat_map(|n| {
            let own = format!("variants/fort/v{n}/cards/fort/more.toml");
            [
                (format!("variants/fort/v{n}/variant.toml"), variant.into()),
                (own, format!("kind = \"token\"\n{cards}")),
            ]
        })
        .collect();
    let parameters: String = (0..10_000)
        .map(|n| format!("p{n} = {{ value = 1 }}\n"))
        .collect();
    let mut numbers = many.clone();
    numbers.push((
        "scripts/fort/game.toml".into(),
        format!("{MANIFEST}[parameters]\n{parameters}"),
    ));
    let mut boards = many.clone();
    boards.extend((0..3000).map(|n| (format!("maps/fort/m{n}.toml"), BOARD.to_string())));
    let mut borders = many.clone();
    let carried: String = (0..50)
        .map(|n| format!("f{n} = {{ type = \"int\", default = 1 }}\n"))
        .collect();
    let land = BOARD.replace("[grid]", &format!("[fields.edge]\n{carried}[grid]"));
    borders.push(("maps/fort/land.toml".into(), land));
    // A library is compiled with every game that may import it.
    let shared: String = (0..9000)
        .map(|n| format!("fn spare{n}(a) {{ let b = a + {n}; if b > 3 {{ b += a * 2; }} b }}\n"))
        .collect();
    let mut library = many.clone();
    library.push(("scripts/lib/big.rhai".into(), shared));
    library.push((
        "scripts/fort/turn.rhai".into(),
        "import \"lib/big\" as big;\nfn turn(p) { p.money = big::spare1(1); }\n".into(),
    ));
    for (what, files) in [
        ("many", many),
        ("rules", rules),
        ("large", large),
        ("numbers", numbers),
        ("boards", boards),
        ("borders", borders),
        ("library", library),
    ] {
        let files: Vec<(&str, String)> = files
            .iter()
            .map(|(path, text)| (path.as_str(), text.clone()))
            .collect();
        let pack = fort(&files);
        let (shown, took, bytes) = measured(|| {
            let (library, _) = Library::open(std::slice::from_ref(&pack));
            render_all(&library.check(Some("fort")), false)
        });
        let start: String = shown.chars().take(600).collect();
        // What is too much for one pack is not read to its end, and that is said as well.
        let said = ["are checked", "is checked", "it is read up to here"];
        assert!(
            said.iter().any(|said| shown.contains(said)),
            "{what}: {start}"
        );
        assert!(
            took < LOAD_TIME && bytes < LOAD_MEMORY,
            "{what}: {took:?}, {} MiB",
            bytes >> 20
        );
    }
}

/// Files of a pack that mean harm together, by path; what is said of them, and whether the whole pack is looked at or the game alone.
type Together = (&'static str, Vec<(String, String)>, &'static str, bool);

fn together() -> Vec<Together> {
    let list =
        |each: &dyn Fn(usize) -> String, times: usize| -> String { (0..times).map(each).collect() };
    let variant = "title = { es = \"V\", en = \"V\" }\nsummary = { es = \"V\", en = \"V\" }\n";
    let scenario = "game = \"fort\"\n[[scenario]]\ntitle = \"T\"\nplayers = 2\nrun = [\"turn(p0)\"]\n[scenario.expect]\nasked = \"\"\n";
    let tables = "cards/fort/tables.toml".to_string();
    let odd = "variants/fort/odd.toml".to_string();
    let keys = list(&|n| format!("k{n} = 1\n"), 40_000);
    let items = list(&|n| format!("{n}, "), 40_000);
    let ids = list(&|n| format!("\"k{n}\", "), 40_000);
    let words = list(&|n| format!("word{n} = 1\n"), 130_000);
    let old = list(&|_| "move_to(a, b);\n".to_string(), 100_000);
    let bare = "version = \"1.0.0\"\ntitle = { es = \"F\", en = \"F\" }\nsummary = { es = \"F\", en = \"F\" }\nplayers = [2, 4]\n";
    let mut all = vec![
        (
            "a variant that takes every key away",
            vec![
                (tables.clone(), format!("[prices]\nunit = 3\n{keys}")),
                (
                    odd.clone(),
                    format!("{variant}[set]\nprices = {{ delete = [{ids}] }}\n"),
                ),
            ],
            "nothing calls",
            false,
        ),
        (
            "a variant that takes every item away",
            vec![
                (
                    tables.clone(),
                    format!("[prices]\nunit = 3\nall = [{items}]\n"),
                ),
                (
                    odd,
                    format!("{variant}[set]\n\"prices.all\" = {{ delete = [{items}] }}\n"),
                ),
            ],
            "nothing calls",
            false,
        ),
        (
            "words without end in many files",
            (0..8)
                .map(|n| (format!("cards/fort/text-{n}.toml"), words.clone()))
                .collect(),
            "it is read up to here",
            true,
        ),
        (
            "rules without end in many files",
            (0..4)
                .map(|n| {
                    (
                        format!("scripts/fort/more{n}.rhai"),
                        format!("fn more{n}(a, b) {{\n{old}}}\n"),
                    )
                })
                .collect(),
            "the scripts of this game have",
            false,
        ),
        (
            "files that wait for another pack",
            (0..12)
                .map(|n| {
                    (
                        format!("with/base/cards/fort/more{n}.toml"),
                        "# so much\n".repeat(300_000),
                    )
                })
                .collect(),
            "it is read up to here",
            true,
        ),
        (
            "games without end",
            (0..1_000)
                .map(|n| (format!("scripts/g{n}/game.toml"), bare.to_string()))
                .collect(),
            "are not checked",
            true,
        ),
        (
            "games of very many functions and names",
            (0..16)
                .flat_map(|n| {
                    let rules = list(
                        &|n| format!("fn f{n}(a) {{ a = a.map(|x| x + 1); a }}\n"),
                        3_000,
                    );
                    [
                        (format!("scripts/g{n}/game.toml"), bare.to_string()),
                        (format!("scripts/g{n}/rules.rhai"), rules),
                    ]
                })
                .collect(),
            "are not checked",
            true,
        ),
        (
            "folders of scenarios without end",
            (0..1_000)
                .map(|n| {
                    (
                        format!("tests/scenarios/fort/d{n}/odd.toml"),
                        scenario.to_string(),
                    )
                })
                .collect(),
            "nothing calls",
            false,
        ),
        (
            "files without end",
            (0..11_000)
                .map(|n| {
                    (
                        format!("cards/fort/more{n}.toml"),
                        "kind = \"token\"\n".to_string(),
                    )
                })
                .collect(),
            "10000 files",
            true,
        ),
    ];
    all.extend(multiplied());
    all.extend(words_by_default());
    all.extend(looked_up_again_and_again());
    all
}

/// What a manifest says in place of the kind of the fort's tokens.
fn with_fields(more: &str, behind: &str) -> (String, String) {
    let fields = format!("fields = {{ worth = \"int\", {more} }}");
    let manifest = MANIFEST.replacen("fields = { worth = \"int\" }", &fields, 1);
    (
        "scripts/fort/game.toml".to_string(),
        format!("{manifest}{behind}"),
    )
}

/// Effects and conditions that are longer than they are written, because of what words have by default.
fn words_by_default() -> Vec<Together> {
    let list =
        |each: &dyn Fn(usize) -> String, times: usize| -> String { (0..times).map(each).collect() };
    let cards = |times: usize, says: &str| {
        let card = |n: usize| {
            format!("[cards.c{n}]\nname = {{ es = \"A\", en = \"A\" }}\nworth = 1\nf = {says}\n")
        };
        let text = format!("kind = \"token\"\n{}", list(&card, times));
        ("cards/fort/tokens.toml".to_string(), text)
    };
    let files = |sort: &str, words: &str, times: usize, says: &str| {
        let field = format!("f = {{ type = \"{sort}\", optional = true }}");
        let words = format!("[{sort}s]\n{words}");
        vec![with_fields(&field, &words), cards(times, says)]
    };
    let itself = |sort: &str| {
        let word = format!("gain = {{ then = {{ type = \"{sort}\", default = \"gain\" }} }}\n");
        files(sort, &word, 1, "\"gain\"")
    };
    let doubled = list(
        &|n| {
            let next = format!("{{ type = \"effect\", default = \"a{}\" }}", n + 1);
            format!("a{n} = {{ x = {next}, y = {next} }}\n")
        },
        28,
    );
    let tenfold = list(
        &|n| {
            let next = format!("\"a{}\", ", n + 1).repeat(12);
            format!("a{n} = {{ x = {{ type = \"effect\", default = [{next}] }} }}\n")
        },
        8,
    );
    let by_default = |ty: &str, default: &str| {
        format!("gain = {{ t = {{ type = \"{ty}\", default = {default} }} }}\n")
    };
    let letters = |many: usize| by_default("string", &format!("\"{}\"", "x".repeat(many)));
    let numbers = by_default("ints", &format!("[{}]", "1, ".repeat(50_000)));
    let table = list(&|n| format!("k{n} = 1, "), 20_000);
    let table = by_default("table", &format!("{{ {table} }}"));
    let (deep, too_much) = (
        "effects and conditions lie inside each other",
        "have at most 400000 values",
    );
    let gain = "\"gain\"";
    let again = format!("[{}]", "\"gain\", ".repeat(60_000));
    let named = format!("[{}]", list(&|n| format!("\"w{n}\", "), 100_000));
    let declared = list(&|n| format!("w{n} = {{}}\n"), 60_000);
    let far_away = format!(
        "{}f = {{ type = \"effect\", default = \"gain\" }}",
        " ".repeat(3_000_000)
    );
    let far_away = vec![
        with_fields(&far_away, "[effects]\ngain = {}\n"),
        (
            "cards/fort/tokens.toml".to_string(),
            format!(
                "kind = \"token\"\n{}",
                list(
                    &|n| format!("[cards.c{n}]\nname = {{ es = \"A\", en = \"A\" }}\nworth = 1\n"),
                    20_000
                )
            ),
        ),
    ];
    let told = |name, files, says| (name, files, says, false);
    vec![
        told(
            "an effect by default at the end of a long line",
            far_away,
            "the scripts have about",
        ),
        told("an effect that is its own default", itself("effect"), deep),
        told(
            "a condition that is its own default",
            itself("condition"),
            deep,
        ),
        told(
            "effects that are two others by default",
            files("effect", &format!("{doubled}a28 = {{}}\n"), 1, "\"a0\""),
            too_much,
        ),
        told(
            "effects that are twelve others by default",
            files("effect", &format!("{tenfold}a8 = {{}}\n"), 1, "\"a0\""),
            too_much,
        ),
        told(
            "a word with a long text by default",
            files("effect", &letters(500_000), 9000, gain),
            too_much,
        ),
        told(
            "a word with a long list by default",
            files("effect", &numbers, 9000, gain),
            too_much,
        ),
        told(
            "a word with a large table by default",
            files("effect", &table, 9000, gain),
            too_much,
        ),
        told(
            "a card that says a long word again and again",
            files("effect", &letters(100_000), 1, &again),
            too_much,
        ),
        told(
            "very many words, and a card that says them all",
            files("effect", &declared, 1, &named),
            "a game declares at most",
        ),
    ]
}

/// Names that are each looked for among very many.
fn looked_up_again_and_again() -> Vec<Together> {
    fn ways(depth: usize) -> String {
        let inside: String = (1..=depth)
            .map(|n| format!("\"{}\" = {}, ", ["a"].repeat(n).join("."), ways(depth - n)))
            .collect();
        format!("{{ {inside}z = 1 }}")
    }
    let list =
        |each: &dyn Fn(usize) -> String, times: usize| -> String { (0..times).map(each).collect() };
    let tables = |more: String| {
        (
            "cards/fort/tables.toml".to_string(),
            format!("{TABLES}{more}"),
        )
    };
    let manifest = |text: String| ("scripts/fort/game.toml".to_string(), text);
    let range = |key: String| format!("\"{key}\" = {{ min = 1, max = 2 }}\n");
    let ranges = |each: &dyn Fn(usize) -> String, times| {
        manifest(format!(
            "{MANIFEST}[ranges]\n{}",
            list(&|n| range(each(n)), times)
        ))
    };
    let sorted = list(&|n| format!("z{n} = {{ sorted = \"f{n}\" }}\n"), 20_000);
    let numbers = list(&|n| format!("f{n} = \"int\"\n"), 60_000);
    let metric = "text = { es = \"A\", en = \"A\" }, function = \"score\", of = \"player\"";
    vec![
        (
            "ranges of values there are not, among very many",
            vec![
                tables(list(&|n| format!("k{n} = 1\n"), 100_000)),
                ranges(&|n| format!("odd{n}.a"), 20_000),
            ],
            "are not there",
            false,
        ),
        (
            "ranges whose names can be cut in very many ways",
            vec![
                tables(format!("a = {}\n", ways(13))),
                ranges(&|n| format!("{}x{n}", "a.".repeat(14)), 20_000),
            ],
            "are not there",
            false,
        ),
        (
            "zones that are sorted by very many numbers",
            vec![manifest(format!(
                "{}[kinds.more.fields]\n{numbers}",
                MANIFEST.replacen("[zones]\n", &format!("[zones]\n{sorted}"), 1)
            ))],
            "a game declares at most",
            false,
        ),
        (
            "metrics without end",
            vec![manifest(format!(
                "{MANIFEST}[metrics]\n{}",
                list(&|n| format!("m{n} = {{ {metric} }}\n"), 10_000)
            ))],
            "a game declares at most",
            false,
        ),
    ]
}

/// Few letters that would be very many values: declared once, and there for every card, space and border.
fn multiplied() -> Vec<Together> {
    let list =
        |each: &dyn Fn(usize) -> String, times: usize| -> String { (0..times).map(each).collect() };
    let field = with_fields;
    let land = |fields: &str| {
        let board = BOARD.replace("[grid]", &format!("{fields}[grid]"));
        vec![("maps/fort/land.toml".to_string(), board)]
    };
    let cards = list(
        &|n| format!("[cards.c{n}]\nname = {{ es = \"A\", en = \"A\" }}\nworth = 1\n"),
        9000,
    );
    let tokens = (
        "cards/fort/tokens.toml".to_string(),
        format!("kind = \"token\"\n{cards}"),
    );
    let numbers = "1, ".repeat(50_000);
    let words = list(&|n| format!("\"w{n}\", "), 50_000);
    let fields = list(
        &|n| format!("f{n} = {{ type = \"int\", default = 1 }}, "),
        1900,
    );
    let keys = list(&|n| format!("k{n} = 1, "), 20_000);
    let nested = list(
        &|n| {
            let below = n + 1;
            let cards = "{}, ".repeat(10);
            format!(
                "[kinds.k{n}]\nfields = {{ f = {{ type = \"cards\", of = \"k{below}\", default = [{cards}] }} }}\n"
            )
        },
        8,
    );
    let rows = "\"..........................\", ".repeat(99);
    let long = "x".repeat(19_000);
    let too_much = "have at most 400000 values";
    vec![
        (
            "a list that every border has",
            land(&format!(
                "[fields.edge]\nf = {{ type = \"ints\", default = [{numbers}] }}\n"
            )),
            too_much,
            false,
        ),
        (
            "a table that every space has",
            land(&format!(
                "[fields.space]\nf = {{ type = \"table\", default = {{ {keys} }} }}\n"
            )),
            too_much,
            false,
        ),
        (
            "a square of the legend with very much in it",
            vec![(
                "maps/fort/land.toml".to_string(),
                format!(
                    "title = {{ es = \"M\", en = \"M\" }}\n[fields.space]\nf = \"ints\"\n[legend]\n\".\" = {{ f = [{numbers}] }}\n[sections.a]\nname = {{ es = \"S\", en = \"S\" }}\nrows = [{}]\n",
                    "\"..........................\", ".repeat(39)
                ),
            )],
            too_much,
            false,
        ),
        (
            "squares without end",
            vec![(
                "maps/fort/land.toml".to_string(),
                format!(
                    "title = {{ es = \"M\", en = \"M\" }}\n[legend]\n\".\" = {{}}\n{}",
                    list(
                        &|n| format!(
                            "[sections.x{n}]\nname = {{ es = \"S\", en = \"S\" }}\nrows = [{rows}]\n"
                        ),
                        1300,
                    )
                ),
            )],
            too_much,
            false,
        ),
        (
            "fields that every card has",
            vec![field(&fields, ""), tokens.clone()],
            too_much,
            false,
        ),
        (
            "a rule that every card has",
            vec![
                field(
                    &format!(
                        "f = {{ type = \"effect\", default = [{}] }}",
                        "{ gain = 1 }, ".repeat(3000)
                    ),
                    "[effects]\ngain = { n = \"int\" }\n",
                ),
                tokens.clone(),
            ],
            too_much,
            false,
        ),
        (
            "words that are looked for among very many",
            vec![
                field(
                    &format!("f = {{ type = \"words\", words = [{words}], optional = true }}"),
                    "",
                ),
                (
                    "cards/fort/tokens.toml".to_string(),
                    format!(
                        "kind = \"token\"\n[cards.a]\nname = {{ es = \"A\", en = \"A\" }}\nworth = 1\nf = [{words}]\n"
                    ),
                ),
            ],
            "nothing calls",
            false,
        ),
        (
            "a card that holds one like itself",
            vec![field(
                "f = { type = \"cards\", of = \"token\", default = [{ worth = 1 }] }",
                "",
            )],
            "cards are written inside each other",
            false,
        ),
        (
            "cards that hold ten cards that hold ten cards",
            vec![field(
                "f = { type = \"cards\", of = \"k0\", default = [{}] }",
                &format!("{nested}[kinds.k8]\nfields = {{}}\n"),
            )],
            too_much,
            false,
        ),
        (
            "cards that are called like the card they are in",
            vec![
                field("f = { type = \"cards\", of = \"coin\" }", ""),
                (
                    "cards/fort/tokens.toml".to_string(),
                    format!(
                        "kind = \"token\"\n[cards.a]\nname = {{ es = \"{long}\", en = \"{long}\" }}\nworth = 1\nf = [{}]\n",
                        "{ worth = 1 }, ".repeat(40_000)
                    ),
                ),
            ],
            too_much,
            false,
        ),
        (
            "a deck of very many copies of everything",
            vec![
                field("", "[kinds.deck]\nfields = { cards = \"cards\" }\n"),
                tokens,
                (
                    "decks/fort/all.toml".to_string(),
                    format!(
                        "name = {{ es = \"D\", en = \"D\" }}\n[cards]\n{}",
                        list(&|n| format!("c{n} = 10000\n"), 9000)
                    ),
                ),
            ],
            too_much,
            false,
        ),
    ]
}

#[test]
fn files_that_mean_harm_together_are_told_in_little_time() {
    let _alone = ALONE
        .lock()
        .unwrap_or_else(|poisoned| poisoned.into_inner());
    let mut wrong = Vec::new();
    for (name, files, says, whole) in together() {
        let files: Vec<(&str, String)> = files
            .iter()
            .map(|(path, text)| (path.as_str(), text.clone()))
            .collect();
        let pack = fort(&files);
        let (shown, took, bytes) = measured(|| {
            let (library, _) = Library::open(std::slice::from_ref(&pack));
            library.games();
            let only = (!whole).then_some("fort");
            render_all(&library.check(only), false)
        });
        if !shown.contains(says) {
            let start: String = shown.chars().take(600).collect();
            wrong.push(format!("{name}: nothing of {says:?} in: {start}"));
        }
        if took > LOAD_TIME || bytes > LOAD_MEMORY {
            wrong.push(format!("{name}: {took:?}, {} MiB", bytes >> 20));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The game the attacks are made from is sound.
#[test]
fn the_fort_itself_is_sound() {
    let _alone = ALONE
        .lock()
        .unwrap_or_else(|poisoned| poisoned.into_inner());
    let (game, mut problems) = examined(&fort(&[]));
    // Its functions wait for attacks to call them.
    problems.retain(|found| found.code != Code::UnusedFunction);
    assert!(problems.is_empty(), "{}", render_all(&problems, false));
    assert_eq!(play(game.expect("a game")), Ok(Came::Fine));
}
