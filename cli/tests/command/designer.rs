//! A designer's day at the command line: reading what is there, changing it, and being told what it does.

use crate::support::{Folder, run};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

#[track_caller]
fn says(folder: &Folder, args: &[&str], wanted: &[&str]) -> String {
    let said = folder.heap(args);
    assert_eq!(said.code, 0, "{args:?}: {}", said.all());
    for piece in wanted {
        assert!(
            said.all().contains(piece),
            "{args:?} does not say {piece:?}:\n{}",
            said.all()
        );
    }
    said.out
}

#[test]
fn a_value_is_explained_with_its_range_its_meaning_and_who_reads_it() {
    let folder = Folder::new();
    let said = folder.run(&["explain", "conquista", "prices.unit"]);
    for piece in [
        "prices.unit.resources: 4 from the base (cards/conquista/tables.toml:",
        "may be 1 to 10; What each thing costs.",
        "read by ",
    ] {
        assert!(said.out.contains(piece), "{}", said.all());
    }
    let part = folder.run(&["explain", "conquista", "unit"]);
    assert_eq!(part.code, 0, "{}", part.all());
    for key in ["home_units: ", "prices.unit.resources: ", "dice_by_units"] {
        assert!(part.out.contains(key), "{key}: {}", part.all());
    }
    assert_eq!(folder.run(&["explain", "conquista", "qqqq"]).code, 1);
}

#[test]
fn a_mistake_is_explained_by_its_code() {
    let folder = Folder::new();
    for name in [
        "E011",
        "e011",
        "e11",
        "E11",
        "E011 out-of-range",
        "error[E011 out-of-range]",
        "out-of-range",
    ] {
        let said = folder.run(&["explain", name]);
        assert!(
            said.code == 0 && said.out.contains("Wrong, in cards/fair/tables.toml"),
            "{}",
            said.all()
        );
    }
    let said = folder.run(&["explain", "conquista"]);
    assert_eq!(said.code, 2, "{}", said.all());
    let said = folder.run(&["explain", "E999"]);
    assert!(
        said.code == 2 && said.err.contains("there is no mistake `E999`"),
        "{}",
        said.all()
    );
}

#[test]
fn a_replaced_function_is_shown_as_a_diff() {
    let folder = Folder::with_game();
    folder.write(
        "heap/variants/heap/odd/variant.toml",
        "title = { es = \"Rara\", en = \"Odd\" }\nsummary = { es = \"R.\", en = \"O.\" }\n",
    );
    let rules = folder.read("heap/scripts/heap/rules.rhai");
    let score = rules.find("fn score(p)").expect("the game scores");
    let end = score + rules[score..].find("\n}").expect("it ends") + 2;
    let other = rules[score..end].replacen('{', "{\n    let _odd = 0;", 1);
    folder.write(
        "heap/variants/heap/odd/scripts/heap/score.rhai",
        &format!("{other}\n"),
    );
    let said = says(
        &folder,
        &["diff", "heap", "base", "odd"],
        &["fn score(p): another", "+     let _odd = 0;"],
    );
    assert!(!said.contains("rules differ"), "{said}");
}

#[test]
fn content_that_is_built_in_can_be_read_and_started_from() {
    let folder = Folder::new();
    let said = folder.run(&["show", "cards/conquista/tables.toml"]);
    assert!(
        said.code == 0 && said.out.contains("[prices.unit]"),
        "{}",
        said.all()
    );
    assert!(
        folder
            .run(&["show", "conquista"])
            .out
            .contains("scripts/conquista/game.toml")
    );
    let wrong = folder.run(&["show", "tables.toml"]);
    assert!(
        wrong.code == 1 && wrong.err.contains("did you mean"),
        "{}",
        wrong.all()
    );
    let copy = folder.run(&["export", "conquista", "copy"]);
    assert_eq!(copy.code, 0, "{}", copy.all());
    assert!(folder.inside("copy/scripts/conquista/game.toml").is_file());
    assert_eq!(
        folder.run(&["export", "conquista", "copy"]).code,
        2,
        "what is there is not touched"
    );
    let own = folder.run(&["export", "conquista", "own", "--as", "my-conquista"]);
    assert_eq!(own.code, 0, "{}", own.all());
    let checked = run(&folder.inside("own"), &["check", "my-conquista"], "");
    assert_eq!(checked.code, 0, "{}", checked.all());
    assert!(
        checked.err.contains("0 errors, 0 warnings"),
        "{}",
        checked.all()
    );
}

#[test]
fn a_sheet_goes_into_the_files_of_a_pack() {
    let folder = Folder::new();
    let own = folder.run(&["export", "conquista", "own", "--as", "mine"]);
    assert_eq!(own.code, 0, "{}", own.all());
    let table = |args: &[&str]| run(&folder.inside("own"), &[&["table"], args].concat(), "");
    let tables = "own/cards/mine/tables.toml";
    let before = folder.read(tables);
    assert_eq!(table(&["export", "mine", "prices", "-o", "p.csv"]).code, 0);
    assert_eq!(table(&["import", "mine", "p.csv"]).code, 0);
    assert_eq!(folder.read(tables), before, "nothing was changed");
    folder.replace("own/p.csv", "unit,0,4,1", "unit,0,44,1");
    let wrong = table(&["import", "mine", "p.csv"]);
    assert_eq!(wrong.code, 1, "{}", wrong.all());
    assert!(wrong.err.contains("cell C4:"), "{}", wrong.err);
    assert!(!wrong.err.contains("repeats"), "{}", wrong.err);
    folder.replace("own/p.csv", "unit,0,44,1", "unit,0,3,1");
    folder.write("own/empty.csv", "prices,energy,resources\nunit,0,\n");
    let empty = table(&["import", "mine", "empty.csv"]);
    assert!(
        empty.code == 1
            && empty.err.starts_with("empty.csv: cell C2 (cards/mine/tables.toml:23): it is empty, so prices.unit.resources would be gone"),
        "{}",
        empty.all()
    );
    assert_eq!(folder.read(tables), before, "nothing was written");
    let right = table(&["import", "mine", "p.csv"]);
    assert_eq!(right.code, 0, "{}", right.all());
    let line = "[prices.unit]\nenergy = 0\nresources = ";
    let wanted = before.replace(&format!("{line}4"), &format!("{line}3"));
    assert_eq!(folder.read(tables), wanted);
}

#[test]
fn a_copy_of_a_game_is_told_in_few_lines() {
    let folder = Folder::new();
    assert_eq!(folder.run(&["export", "conquista", "copy"]).code, 0);
    let said = folder.run(&["check", "conquista", "--content", "copy"]);
    assert_eq!(said.code, 1);
    assert!(
        said.err.contains("this file repeats the base"),
        "{}",
        said.err
    );
    let lines = said.err.lines().count();
    assert!(lines < 200, "{lines} lines");
}

#[test]
fn a_folder_that_is_no_pack_is_checked_and_told() {
    let folder = Folder::new();
    folder.write(
        "mine/cards/conquista/tables.toml",
        "[prices.unit]\nresorces = { add = 1 }\n",
    );
    for (place, args) in [
        (folder.inside("mine"), vec!["check"]),
        (folder.path.clone(), vec!["check", "mine"]),
    ] {
        let said = run(&place, &args, "");
        assert_eq!(said.code, 1, "{}", said.all());
        for piece in [
            "has no pack.toml, so it is no pack",
            "did you mean `resources`?",
            "the games are those built into the command",
        ] {
            assert!(said.err.contains(piece), "{piece}: {}", said.err);
        }
    }
}

#[test]
fn a_new_variant_lists_what_can_be_set() {
    let folder = Folder::new();
    assert_eq!(folder.run(&["new", "variant", "conquista", "mine"]).code, 0);
    let text = folder.read("mine/variants/conquista/mine.toml");
    for piece in [
        "# \"prices.unit.resources\" = 4  # 1 to 10",
        "# What each thing costs.",
    ] {
        assert!(text.contains(piece), "{piece}: {text}");
    }
    let place = folder.inside("mine");
    let said = run(&place, &["check", "conquista"], "");
    assert_eq!(said.code, 0, "{}", said.all());
    // Every line of [set] is commented out, and right once it is not.
    let set = text.split("[set]\n").nth(1).expect("a table");
    assert!(
        set.lines()
            .all(|line| line.is_empty() || line.starts_with('#')),
        "{set}"
    );
    let open = text.replace("# \"", "\"");
    fs::write(place.join("variants/conquista/mine.toml"), open).expect("written");
    let said = run(&place, &["check", "conquista"], "");
    assert!(
        !said.err.contains("E022") && !said.err.contains("E005") && !said.err.contains("E002"),
        "{}",
        said.err
    );
}

#[test]
fn a_variant_comes_from_what_tune_found() {
    let folder = Folder::new();
    let report = r#"{ "run": { "game": "conquista" }, "goals": [{ "metric": "rounds", "low": 8.0, "high": 12.0 }, { "metric": "margin", "low": 3, "high": null }],
        "met": [{ "goal": "rounds in 8..12", "met": "perhaps" }, { "goal": "margin>=3", "met": "no" }],
        "settings": [{ "key": "prices.unit.resources", "before": 4, "after": 3 }, { "key": "home_units", "before": 1, "after": 1 }] }"#;
    folder.write("report.json", report);
    let said = folder.run(&[
        "new",
        "variant",
        "conquista",
        "tuned",
        "--from",
        "report.json",
    ]);
    assert_eq!(said.code, 0, "{}", said.all());
    let text = folder.read("tuned/variants/conquista/tuned.toml");
    assert!(
        text.contains("\n\"prices.unit.resources\" = 3  # was 4; 1 to 10\n"),
        "{text}"
    );
    let summary = "Tuned for: rounds in 8..12, margin>=3; not met: margin>=3";
    assert!(text.contains(summary), "{text}");
    assert!(said.err.contains("not met: margin>=3"), "{}", said.err);
    assert_eq!(
        run(&folder.inside("tuned"), &["check", "conquista"], "").code,
        0
    );
    for wrong in [
        "{}",
        "nonsense",
        r#"{ "run": { "game": "teg" }, "settings": [] }"#,
    ] {
        folder.write("report.json", wrong);
        let said = folder.run(&[
            "new",
            "variant",
            "conquista",
            "other",
            "--from",
            "report.json",
        ]);
        assert_eq!(said.code, 2, "{wrong}: {}", said.all());
    }
}

#[test]
fn what_people_expect_of_a_command_is_there() {
    let folder = Folder::new();
    for (args, piece) in [
        (vec!["completions", "bash"], "_ludoteca()"),
        (vec!["completions", "fish"], "complete -c ludoteca"),
        (vec!["man"], ".TH ludoteca"),
        (vec!["help"], "Topics, for `ludoteca help TOPIC`"),
        (vec!["help", "lab"], "# "),
        (vec!["help", "designing"], "# Changing a game"),
        (vec!["help", "editors"], "# Games in your editor"),
        (vec!["help", "paper"], "# Paper and spreadsheets"),
        (
            vec!["help", "table"],
            "`ludoteca table --help` is about the command",
        ),
        (vec!["help", "E011"], "E011 out-of-range"),
        (vec!["help", "compare"], "Usage: ludoteca compare"),
        (vec!["doctor"], "the games are those built into the command"),
        (vec!["doctor", "--json"], "\"version\""),
    ] {
        let said = folder.run(&args);
        assert!(
            said.code == 0 && said.out.contains(piece),
            "{args:?}: {}",
            said.all()
        );
    }
    assert_eq!(folder.run(&["help", "qqqq"]).code, 2);
    let said = folder.run(&["man", "--write", "pages"]);
    assert_eq!(said.code, 0, "{}", said.all());
    assert!(folder.inside("pages/ludoteca-pack-add.1").is_file());
}

#[test]
fn colours_come_when_they_are_wanted() {
    let folder = Folder::with_game();
    folder.replace("heap/scripts/heap/game.toml", "players", "playrs");
    let coloured = |args: &[&str]| folder.heap(args).err.contains("\u{1b}[");
    assert!(!coloured(&["check", "heap"]), "this is no terminal");
    assert!(coloured(&["check", "heap", "--color", "always"]));
    assert!(!coloured(&["check", "heap", "--color", "never"]));
}

/// What a command says while it runs. Whoever waits for words that never come fails, and does not wait forever.
struct Heard {
    running: Child,
    lines: Receiver<String>,
}

impl Heard {
    /// Longer than any machine takes; nothing is measured by it.
    const PATIENCE: Duration = Duration::from_secs(120);

    fn start(mut command: Command) -> Heard {
        let mut running = command
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .expect("it starts");
        let words = BufReader::new(running.stdout.take().expect("its words"));
        let (hear, lines) = channel();
        thread::spawn(move || {
            for line in words.lines().map_while(Result::ok) {
                if hear.send(line).is_err() {
                    return;
                }
            }
        });
        Heard { running, lines }
    }

    /// Listens until each of these was said, in whatever order: pictures that nobody saw in between are left out, so all of it may be in one.
    #[track_caller]
    fn until(&self, pieces: &[&str]) {
        let deadline = Instant::now() + Heard::PATIENCE;
        let mut heard = Vec::new();
        let mut missing = pieces.to_vec();
        while !missing.is_empty() {
            let left = deadline.saturating_duration_since(Instant::now());
            let Ok(line) = self.lines.recv_timeout(left) else {
                panic!("{missing:?} never came:\n{}", heard.join("\n"));
            };
            missing.retain(|piece| !line.contains(piece));
            heard.push(line);
        }
    }
}

impl Drop for Heard {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.running.kill();
        let _ = self.running.wait();
    }
}

#[test]
fn watching_tells_what_a_save_does_and_keeps_the_last_good_state() {
    let folder = Folder::with_game();
    assert_eq!(folder.heap(&["new", "variant", "heap", "mine"]).code, 0);
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludoteca"));
    command
        .args([
            "watch", "heap", "-n", "200", "--bots", "random", "--lang", "en",
        ])
        .current_dir(folder.inside("heap"));
    let watching = Heard::start(command);
    watching.until(&["nothing has changed yet"]);
    let manifest = "heap/scripts/heap/game.toml";
    let good = folder.read(manifest);
    // A broken file: the error comes on top, the rest stays.
    folder.write(manifest, &good.replacen("\nplayers = ", "\nplayrs = ", 1));
    watching.until(&[
        "this cannot be played",
        "unknown key `playrs`",
        "nothing has changed yet",
    ]);
    let (parameter, value) = a_parameter(&good);
    folder.write(manifest, &good.replacen(&parameter, &value, 1));
    watching.until(&["after 200 of 200 games", "first figures after"]);
    // As it was again: there is nothing to compare.
    folder.write(manifest, &good);
    watching.until(&["nothing has changed yet"]);
}

/// A variant that is not there is not waited for.
#[test]
fn watching_what_is_not_there_is_told_at_once() {
    let folder = Folder::with_game();
    assert_eq!(folder.heap(&["new", "variant", "heap", "mine"]).code, 0);
    for args in [
        &["watch", "heap", "--variant", "mien"],
        &["watch", "heap", "--against", "mien"],
    ] {
        let said = folder.heap(args);
        let told = said.code == 1 && said.err.contains("did you mean `mine`?");
        assert!(told, "{args:?}: {}", said.all());
    }
}

#[test]
fn watching_with_more_players_than_there_may_be_is_told_at_once() {
    let folder = Folder::with_game();
    let said = folder.heap(&["watch", "heap", "--players", "9"]);
    assert!(
        said.code == 2 && said.err.contains("not 9"),
        "{}",
        said.all()
    );
}

/// A copy of any of our games, scenarios and all, is as sound as the game it was made of.
#[test]
fn a_copy_of_each_game_is_sound() {
    let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for game in ["conquista", "teg", "alta-tension", "altered", "euphoria"] {
        let folder = Folder::new();
        let own = folder.inside("own");
        let to = own.to_str().unwrap();
        let name = format!("my-{game}");
        let exported = run(&checkout, &["export", game, to, "--as", &name], "");
        assert_eq!(exported.code, 0, "{game}: {}", exported.all());
        let scenarios = own.join("tests/scenarios").join(&name);
        assert!(scenarios.is_dir(), "{game} has no scenarios");
        let checked = run(&own, &["check"], "");
        let sound = checked.code == 0 && checked.err.contains("0 errors, 0 warnings");
        assert!(sound, "{game}: {}", checked.all());
    }
}

/// A number of the manifest that can be another.
fn a_parameter(manifest: &str) -> (String, String) {
    let at = manifest
        .find("value = ")
        .expect("the new game has a parameter");
    let rest = &manifest[at + "value = ".len()..];
    let number: String = rest.chars().take_while(char::is_ascii_digit).collect();
    let other: u32 = number.parse::<u32>().expect("a number") + 1;
    (format!("value = {number}"), format!("value = {other}"))
}
