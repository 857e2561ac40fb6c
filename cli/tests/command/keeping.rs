//! What is promised about files, tried: processes are killed at random moments, and disks are full.

use crate::support::{Folder, Said, command, run};
use ludoteca::journal;
use ludoteca_lab::results::ResultsReader;
use serde_json::Value as Json;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

/// Moments to kill at: far apart in time, close in computing.
struct Moments {
    luck: u64,
    /// The longest a process is left alone, in microseconds.
    most: u64,
}

impl Moments {
    fn around(life: u64, luck: u64) -> Moments {
        Moments {
            luck,
            most: 3 * life,
        }
    }

    fn next(&mut self) -> Duration {
        self.luck = self
            .luck
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        Duration::from_micros((self.luck >> 33) % self.most)
    }

    /// A busy machine is slow now and quick then: whoever was killed too early leaves the next more time, whoever was not a little less.
    fn learn(&mut self, too_early: bool) {
        self.most = match too_early {
            true => self.most + self.most / 4,
            false => (self.most - self.most / 16).max(1_000),
        };
    }
}

/// A game of so many stones that nobody lives to see the last one.
fn with_a_mountain() -> Folder {
    let folder = Folder::with_game();
    let manifest = "heap/scripts/heap/game.toml";
    folder.replace(
        manifest,
        "value = 21, min = 5, max = 60",
        "value = 30000, min = 5, max = 30000",
    );
    folder.replace(manifest, "\nround_limit = 100\n", "\nround_limit = 30000\n");
    folder
}

/// Enough to be killed among them, and few enough that a hundred lives are soon over.
const ANSWERS_IN_A_LIFE: usize = 30;

/// How long a process lives here if it is left alone, in microseconds: the moments to kill at lie around its end.
fn life(heap: &Path, args: &[&str]) -> u64 {
    let begun = std::time::Instant::now();
    run(heap, args, "");
    begun.elapsed().as_micros() as u64
}

/// Plays until it is killed, and adds to what was sent. Gives how many answers were acknowledged: the game asked again after them.
fn play_until_killed(heap: &Path, sent: &mut Vec<String>, delay: Duration) -> usize {
    let fresh = [
        "play",
        "heap",
        "--stdio",
        "--seed",
        "5",
        "--seats",
        "remote,random",
        "--save",
        "m.transcript",
    ];
    let again = [
        "play",
        "heap",
        "--stdio",
        "--load",
        "m.transcript",
        "--save",
        "m.transcript",
    ];
    let there = heap.join("m.transcript").exists();
    let mut child = command(heap, if there { &again } else { &fresh })
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let stdout = BufReader::new(child.stdout.take().unwrap());
    let killer = std::thread::spawn(move || {
        std::thread::sleep(delay);
        child.kill().unwrap();
        child.wait().unwrap();
    });
    let before = sent.len();
    let mut acknowledged = before;
    for line in stdout.lines() {
        // The last line may be torn as well: then it has told nothing.
        let Ok(told) = serde_json::from_str::<Json>(&line.unwrap()) else {
            break;
        };
        if told["type"] == "choice" {
            acknowledged = sent.len();
            if sent.len() - before == ANSWERS_IN_A_LIFE {
                continue;
            }
            let key = (1 + sent.len() * 7 % 3).to_string();
            if writeln!(stdin, "{{\"choose\":\"{key}\"}}").is_err() {
                break;
            }
            sent.push(key);
        }
    }
    killer.join().unwrap();
    acknowledged
}

#[test]
fn an_answer_that_was_acknowledged_is_on_disk_and_none_is_there_twice() {
    let folder = with_a_mountain();
    let heap = folder.inside("heap");
    let life = life(&heap, &["play", "heap", "--stdio"]);
    let mut moments = Moments::around(life, 14);
    let mut sent: Vec<String> = Vec::new();
    let mut killed_at_work = 0;
    for kill in 0..100 {
        let before = sent.len();
        let acknowledged = play_until_killed(&heap, &mut sent, moments.next());
        let at_work = sent.len() > before;
        moments.learn(!at_work);
        killed_at_work += at_work as u32;
        if !heap.join("m.transcript").exists() {
            assert_eq!(
                sent.len(),
                0,
                "kill {kill}: nobody was asked before the file was there"
            );
            continue;
        }
        let kept = journal::read(&heap.join("m.transcript")).unwrap();
        assert!(!kept.over, "kill {kill}: the match is not over");
        let ours: Vec<String> = kept
            .lines
            .iter()
            .filter(|line| line.seat == 0)
            .flat_map(|line| line.keys.clone())
            .collect();
        assert!(
            ours.len() >= acknowledged,
            "kill {kill}: {acknowledged} answers were acknowledged, {} are there",
            ours.len()
        );
        assert_eq!(
            ours,
            sent[..ours.len()],
            "kill {kill}: what was answered, in order, once"
        );
        // What was sent and does not count was never acknowledged; it is answered anew.
        sent.truncate(ours.len());
    }
    assert!(
        killed_at_work > 20,
        "{killed_at_work} of the killed had taken an answer"
    );
    let names: Vec<String> = std::fs::read_dir(&heap)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    let left = names.iter().filter(|name| name.ends_with(".new")).count();
    assert!(left <= 1, "what the killed leave is swept: {names:?}");
    // Bots had the luck they would have had: killed a hundred times, it is the match that was never killed.
    let lines: Vec<String> = sent
        .iter()
        .map(|key| format!("{{\"choose\":\"{key}\"}}\n"))
        .collect();
    let args = [
        "play",
        "heap",
        "--stdio",
        "--seed",
        "5",
        "--seats",
        "remote,random",
        "--save",
        "whole.transcript",
    ];
    run(&heap, &args, &lines.concat());
    let whole = journal::read(&heap.join("whole.transcript")).unwrap();
    let kept = journal::read(&heap.join("m.transcript")).unwrap();
    assert_eq!(whole.lines[..kept.lines.len()], kept.lines);
}

/// What somebody at the terminal types next: a number of stones, or `u` to take the last one back.
fn typed(n: usize) -> &'static str {
    ["1", "3", "u", "2", "u", "2", "1", "u"][n * 5 % 8]
}

/// What of it counts, once everything is taken back that was.
fn counts(lines: &[&'static str]) -> Vec<String> {
    let mut left: Vec<String> = Vec::new();
    for line in lines {
        match *line {
            "u" => drop(left.pop()),
            stones => left.push(stones.to_string()),
        }
    }
    left
}

/// Types at the terminal until it is killed. Gives how much of it was acknowledged: the game asked again after it.
fn type_until_killed(heap: &Path, sent: &mut Vec<&'static str>, delay: Duration) -> usize {
    let fresh = [
        "play",
        "heap",
        "--seed",
        "5",
        "--seats",
        "human,random",
        "--save",
        "m.transcript",
    ];
    let again = [
        "play",
        "heap",
        "--load",
        "m.transcript",
        "--save",
        "m.transcript",
    ];
    let there = heap.join("m.transcript").exists();
    let mut child = command(heap, if there { &again } else { &fresh })
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = child.stdout.take().unwrap();
    let killer = std::thread::spawn(move || {
        std::thread::sleep(delay);
        child.kill().unwrap();
        child.wait().unwrap();
    });
    let before = sent.len();
    let mut acknowledged = before;
    let (mut last, mut byte) = ([0; 3], [0]);
    while stdout.read(&mut byte).unwrap() == 1 {
        last = [last[1], last[2], byte[0]];
        if last != *b"\n> " {
            continue;
        }
        acknowledged = sent.len();
        if sent.len() - before == ANSWERS_IN_A_LIFE {
            continue;
        }
        let line = typed(sent.len());
        if writeln!(stdin, "{line}").is_err() {
            break;
        }
        sent.push(line);
    }
    killer.join().unwrap();
    acknowledged
}

/// Somebody at the terminal answers and takes back, and is killed again and again: what was acknowledged is there, the taking back too.
#[test]
fn what_was_taken_back_at_the_terminal_stays_taken_back() {
    let folder = with_a_mountain();
    let heap = folder.inside("heap");
    let life = life(&heap, &["play", "heap", "--seats", "human,random"]);
    let mut moments = Moments::around(life, 15);
    let mut sent: Vec<&'static str> = Vec::new();
    let mut killed_at_work = 0;
    for kill in 0..100 {
        let before = sent.len();
        let acknowledged = type_until_killed(&heap, &mut sent, moments.next());
        let at_work = sent.len() > before;
        moments.learn(!at_work);
        killed_at_work += at_work as u32;
        if !heap.join("m.transcript").exists() {
            assert_eq!(sent.len(), 0, "kill {kill}: nobody was asked before");
            continue;
        }
        let kept = journal::read(&heap.join("m.transcript")).unwrap();
        let ours = kept.lines.iter().filter(|line| line.seat == 0);
        let ours: Vec<String> = ours.flat_map(|line| line.keys.clone()).collect();
        // What was typed last may count or not, but nothing that was acknowledged is missing.
        let possible = (acknowledged..=sent.len()).find(|&n| counts(&sent[..n]) == ours);
        let n = possible.unwrap_or_else(|| {
            panic!("kill {kill}: {acknowledged} of {sent:?} were acknowledged, {ours:?} is there")
        });
        sent.truncate(n);
    }
    assert!(
        killed_at_work > 20,
        "{killed_at_work} of the killed had taken something"
    );
    let undone = sent.iter().filter(|line| **line == "u").count();
    assert!(undone > 10, "taken back {undone} times");
}

#[test]
fn a_page_is_the_old_one_or_the_new_one() {
    let folder = Folder::with_game();
    let heap = folder.inside("heap");
    let make = |seed: &'static str| {
        [
            "sim",
            "heap",
            "-n",
            "2",
            "--jobs",
            "1",
            "--seed",
            seed,
            "--report",
            "page.html",
        ]
    };
    let pages = ["1", "2"].map(|seed| {
        assert_eq!(run(&heap, &make(seed), "").code, 0);
        folder.read("heap/page.html")
    });
    assert_ne!(pages[0], pages[1]);
    let life = life(&heap, &make("2"));
    let mut moments = Moments::around(life, 5);
    let mut seen = [0, 0];
    for kill in 0..40 {
        let mut child = command(&heap, &make(["1", "2"][kill % 2]))
            .stdin(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(moments.next());
        child.kill().unwrap();
        child.wait().unwrap();
        let found = pages
            .iter()
            .position(|page| *page == folder.read("heap/page.html"));
        let found = found.expect("the page is one of the two, whole");
        moments.learn(found != kill % 2);
        seen[found] += 1;
    }
    assert!(
        seen[0] > 0,
        "some were killed after they had written: {seen:?}"
    );
}

#[test]
fn a_match_says_end_when_it_is_over_and_undo_is_a_line() {
    let folder = Folder::with_game();
    let args = [
        "play",
        "heap",
        "--seed",
        "1",
        "--seats",
        "human,random",
        "--lang",
        "en",
        "--set",
        "heap=5",
        "--save",
        "m.transcript",
    ];
    let said = folder.heap_with(&args, "1\n");
    assert_eq!(said.code, 0, "{}", said.all());
    let unfinished = folder.read("heap/m.transcript");
    let said = folder.heap_with(&args, "1\nu\n3\n2\n");
    assert_eq!(said.code, 0, "{}", said.all());
    let finished = folder.read("heap/m.transcript");
    let answers = |text: &str| text.split_once("answers\n").unwrap().1.to_string();
    insta::assert_snapshot!(format!(
        "unfinished\n{}\nfinished\n{}",
        answers(&unfinished),
        answers(&finished)
    ));
    let replayed = folder.heap(&["replay", "m.transcript", "--json"]);
    let report: Json = serde_json::from_str(&replayed.out).unwrap();
    assert_eq!(
        (replayed.code, &report["over"], &report["torn"]),
        (0, &true.into(), &false.into()),
        "{report}"
    );
}

/// Runs the command where no file may grow beyond so many bytes: writing fails in the middle, as on a disk that is full.
#[cfg(unix)]
fn with_a_small_disk(heap: &Path, blocks: u32, args: &[&str], input: &str) -> Said {
    use std::process::Command;
    let mut small = Command::new("sh");
    let script = format!("ulimit -f {blocks}; exec \"$0\" \"$@\"");
    small
        .args(["-c", &script, env!("CARGO_BIN_EXE_ludoteca")])
        .args(args);
    crate::support::run_command(small, heap, input)
}

#[cfg(unix)]
#[test]
fn a_folder_that_does_not_fit_is_not_left_half_written() {
    let folder = with_a_mountain();
    let heap = folder.inside("heap");
    let said = with_a_small_disk(&heap, 4, &["export", "conquista", "copy"], "");
    assert_eq!(said.code, 1, "{}", said.all());
    assert!(!heap.join("copy").exists(), "{}", said.all());
}

#[cfg(unix)]
#[test]
fn a_full_disk_is_one_sentence_and_the_old_file_stays() {
    let folder = with_a_mountain();
    let heap = folder.inside("heap");
    let play = [
        "play",
        "heap",
        "--stdio",
        "--seed",
        "5",
        "--seats",
        "remote,random",
        "--save",
        "m.transcript",
    ];
    let said = with_a_small_disk(&heap, 4, &play, &"{\"choose\":1}\n".repeat(2000));
    assert_eq!(said.code, 1, "{}", said.all());
    let sentence = said.err.trim_end();
    assert!(
        sentence.contains("m.transcript: the answer could not be kept: "),
        "{sentence}"
    );
    assert_eq!(sentence.lines().count(), 1, "{sentence}");
    let last: Json = serde_json::from_str(said.out.lines().last().unwrap()).unwrap();
    assert_eq!(last["code"], "not-kept");
    let text = folder.read("heap/m.transcript");
    assert!(
        text.ends_with('\n') && text.len() <= 4096,
        "only whole lines stay"
    );
    let told = said
        .out
        .lines()
        .filter(|line| line.contains("\"chosen\""))
        .count();
    let kept = journal::read(&heap.join("m.transcript"))
        .unwrap()
        .lines
        .len();
    assert!(
        kept >= told && told > 100,
        "{told} answers were told, {kept} are there"
    );

    // Nothing at all can be written: what is there stays.
    let said = with_a_small_disk(&heap, 0, &play, "");
    assert_eq!(
        (said.code, said.err.lines().count()),
        (1, 1),
        "{}",
        said.all()
    );
    assert_eq!(folder.read("heap/m.transcript"), text);
    let page = [
        "sim",
        "heap",
        "-n",
        "2",
        "--jobs",
        "1",
        "--report",
        "page.html",
    ];
    folder.write("heap/page.html", "the old page");
    let said = with_a_small_disk(&heap, 1, &page, "");
    assert_eq!(said.code, 1, "{}", said.all());
    assert_eq!(folder.read("heap/page.html"), "the old page");
}

const RUN: &[&str] = &[
    "sim", "heap", "--bots", "random", "-n", "60000", "--close", "1", "--seed", "3", "--set",
    "heap=60", "--json",
];

/// The numbers of the games in a table.
fn games_in(path: &Path) -> Vec<u64> {
    let table = ResultsReader::open(File::open(path).unwrap()).unwrap();
    let mut games = Vec::new();
    table.records(|record| games.push(record.game)).unwrap();
    games
}

fn summary(said: &Said) -> Json {
    assert_eq!(said.code, 0, "{}", said.all());
    let told: Json = serde_json::from_str(&said.out).unwrap();
    told["summary"].clone()
}

#[test]
fn a_run_that_is_killed_leaves_its_games_and_goes_on() {
    let folder = Folder::with_game();
    let heap = folder.inside("heap");
    let with = |more: &[&'static str]| [RUN, more].concat();
    let whole = summary(&run(
        &heap,
        &with(&["--jobs", "1", "--out", "whole.parquet"]),
        "",
    ));
    let unfinished = heap.join("games.parquet.unfinished");
    let mut moments = Moments {
        luck: 9,
        most: 100_000,
    };
    let (mut before, mut killed_with_games) = (0, 0);
    for kill in 0..40 {
        let mut child = command(
            &heap,
            &with(&["--jobs", "2", "--out", "games.parquet", "--resume"]),
        )
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
        // Sometimes before anything new is on disk, mostly a moment after.
        if kill % 4 != 0 {
            let length = |path: &Path| std::fs::metadata(path).map_or(0, |file| file.len());
            let so_far = length(&unfinished);
            while length(&unfinished) <= so_far && child.try_wait().unwrap().is_none() {
                std::thread::sleep(Duration::from_millis(5));
            }
        }
        std::thread::sleep(moments.next());
        child.kill().unwrap();
        child.wait().unwrap();
        if heap.join("games.parquet").exists() {
            break;
        }
        if unfinished.exists() {
            let games = games_in(&unfinished);
            assert_eq!(
                games,
                (0..games.len() as u64).collect::<Vec<_>>(),
                "kill {kill}: each game once, in order"
            );
            assert!(
                games.len() >= before,
                "kill {kill}: {before} games were there, now {}",
                games.len()
            );
            killed_with_games += (games.len() > before) as u32;
            before = games.len();
        }
    }
    assert!(
        killed_with_games > 1,
        "{killed_with_games} of the killed had kept games"
    );
    let resumed = summary(&run(
        &heap,
        &with(&["--out", "games.parquet", "--resume"]),
        "",
    ));
    assert_eq!(resumed, whole, "to the last digit");
    assert!(!unfinished.exists());
    let report = |file: &str| summary(&folder.heap(&["report", file, "--json"]));
    assert_eq!(
        (report("games.parquet"), report("whole.parquet")),
        (whole.clone(), whole)
    );
}

#[test]
fn runs_go_on_from_what_is_there_and_from_nothing_else() {
    let folder = Folder::with_game();
    let sim = |more: &[&'static str]| {
        folder.heap(
            &[
                &["sim", "heap", "--bots", "random", "-n", "50", "--json"],
                more,
            ]
            .concat(),
        )
    };
    let whole = summary(&sim(&["--out", "whole.csv"]));
    let text = folder.read("heap/whole.csv");
    let lines: Vec<&str> = text.lines().collect();
    // Killed in the middle of a line.
    folder.write(
        "heap/a.csv.unfinished",
        &format!("{}\n{}", lines[..30].join("\n"), &lines[30][..5]),
    );
    let reported = folder.heap(&["report", "a.csv", "--json"]);
    let in_the_way = sim(&["--out", "a.csv"]);
    let another = sim(&["--out", "a.csv", "--resume", "--seed", "2"]);
    assert_eq!(summary(&sim(&["--out", "a.csv", "--resume"])), whole);
    // The first line says by which command a table was made.
    let games = |text: &str| text.split_once('\n').map(|(_, games)| games.to_string());
    assert_eq!(games(&folder.read("heap/a.csv")), games(&text));
    // Stopped by Ctrl-C, or ended by a rule that broke: the table is there, with fewer games.
    folder.write("heap/b.csv", &format!("{}\n", lines[..20].join("\n")));
    assert_eq!(summary(&sim(&["--out", "b.csv", "--resume"])), whole);
    assert_eq!(games(&folder.read("heap/b.csv")), games(&text));
    // Whole already: nothing is played.
    assert_eq!(summary(&sim(&["--out", "b.csv", "--resume"])), whole);
    assert_eq!(summary(&reported)["games"], 28);
    insta::assert_snapshot!([reported.err, in_the_way.all(), another.all()].join("\n"));
}

#[cfg(unix)]
#[test]
fn a_run_on_a_full_disk_keeps_the_games_that_found_room() {
    let folder = Folder::with_game();
    let heap = folder.inside("heap");
    for file in ["games.csv", "games.parquet"] {
        folder.write(&format!("heap/{file}"), "the old table");
        let args = [
            "sim", "heap", "--bots", "random", "-n", "3000", "--jobs", "1", "--out", file,
        ];
        let said = with_a_small_disk(&heap, 64, &args, "");
        assert_eq!(
            (said.code, said.err.lines().count()),
            (1, 1),
            "{}",
            said.all()
        );
        assert!(
            said.out.contains("first_wins"),
            "the report is there: {}",
            said.all()
        );
        assert_eq!(folder.read(&format!("heap/{file}")), "the old table");
        let unfinished = format!("{file}.unfinished");
        assert!(folder.read(&format!("heap/{unfinished}")).ends_with('\n'));
        let kept = games_in(&heap.join(&unfinished));
        assert_eq!(kept, (0..kept.len() as u64).collect::<Vec<_>>());
        let said = run(&heap, &[&args[..], &["--resume"]].concat(), "");
        assert_eq!(said.code, 0, "{}", said.all());
        assert_eq!(games_in(&heap.join(file)).len(), 3000);
    }
}
