//! A match at the terminal, typed line by line.

use crate::support::Folder;
use insta::assert_snapshot;

const PLAY: &[&str] = &[
    "play",
    "heap",
    "--seed",
    "1",
    "--seats",
    "human,random",
    "--lang",
    "en",
];

#[test]
fn nonsense_help_undo_and_saving() {
    let folder = Folder::with_game();
    let typed = "9\nfoo\n\n2\n?\nu\nu\n3\ns my.transcript\nb\n? 2\n? nobody\n+\nl\nq\n";
    assert_snapshot!(folder.heap_with(PLAY, typed).all());
    assert!(folder.read("heap/my.transcript").contains("p0 take 3\n"));
}

#[test]
fn a_match_to_its_end_in_spanish() {
    let folder = Folder::with_game();
    let args = [
        "play", "heap", "--seed", "1", "--seats", "human", "--set", "heap=5", "--lang", "es",
    ];
    assert_snapshot!(folder.heap_with(&args, "3\n1\n1\n").all());
}

#[test]
fn people_pass_the_machine_where_something_is_hidden() {
    let folder = Folder::with_game();
    folder.replace(
        "heap/scripts/heap/game.toml",
        "[attributes.player]",
        "[zones]\nhand = { of = \"player\", visible = \"owner\" }\n\n[attributes.player]",
    );
    let args = [
        "play", "heap", "--seed", "1", "--seats", "human", "--lang", "en",
    ];
    let said = folder.heap_with(&args, "\n1\n\n1\n");
    assert_eq!(
        said.out.matches("Pass the machine to Player").count(),
        3,
        "{}",
        said.out
    );
}

/// What is told to one player is read by that one, when the machine has been passed on, and by nobody else; what all hear each reads once.
#[test]
fn a_line_told_to_one_player_is_read_by_that_one() {
    let folder = Folder::with_game();
    folder.replace(
        "heap/scripts/heap/rules.rhai",
        "    if game.stones == 0 {",
        "    tell(p.left, \"whisper\", #{ count: count });\n    if game.stones == 0 {",
    );
    folder.replace(
        "heap/cards/heap/text.toml",
        "[log]",
        "[log]\nwhisper = { es = \"Psst: {count}.\", en = \"Psst: {count}.\" }",
    );
    let args = [
        "play", "heap", "--seed", "1", "--seats", "human", "--lang", "en", "--set", "heap=6",
    ];
    // One and two, taken back; then three, and the last three.
    let said = folder.heap_with(&args, "1\n\n2\n\nu\n\n3\n\n2\n");
    let all = &said.out;
    assert_eq!(said.code, 0, "{all}{}", said.err);
    let passed: Vec<&str> = all.split("Pass the machine to ").collect();
    let whispers: Vec<(usize, bool)> = passed
        .iter()
        .enumerate()
        .filter(|(_, part)| part.contains("Psst"))
        .map(|(n, part)| (n, part.contains("Psst: 1") != part.contains("Psst: 2")))
        .collect();
    assert!(!whispers.is_empty(), "{all}");
    // The first to sit down has been told nothing, and the second reads it only after the machine was passed on.
    assert!(!passed[0].contains("Psst"), "{all}");
    assert!(
        passed[1].starts_with("Player 2") || passed[1].starts_with("Player"),
        "{all}"
    );
    assert!(passed[1].contains("Psst: 1"), "{all}");
    // What all hear is read once by each who takes the machine.
    let public = |part: &&str| part.matches("takes 1; ").count();
    assert_eq!(public(&passed[1]), 1, "{all}");
    assert!(passed.iter().all(|part| public(part) <= 1), "{all}");
}

#[test]
fn rules_that_break_go_back_to_the_last_choice() {
    let folder = Folder::with_game();
    folder.replace(
        "heap/scripts/heap/rules.rhai",
        "p.taken += count;",
        "p.taken += 6 / (count - 2);",
    );
    assert_snapshot!(folder.heap_with(PLAY, "2\n3\nq\n").all());
}

#[test]
fn rules_that_changed_on_disk_are_read_again() {
    let folder = Folder::with_game();
    let mut child = crate::support::command(&folder.inside("heap"), PLAY)
        .spawn()
        .unwrap();
    let (mut typed, mut shown) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    use std::io::{Read, Write};
    let mut until = |wanted: &str| {
        let mut seen = Vec::new();
        let mut byte = [0];
        while shown.read(&mut byte).unwrap() == 1 {
            seen.push(byte[0]);
            if String::from_utf8_lossy(&seen).contains(wanted) {
                break;
            }
        }
        String::from_utf8_lossy(&seen).into_owned()
    };
    until("> ");
    writeln!(typed, "3").unwrap();
    until("> ");
    folder.replace(
        "heap/scripts/heap/game.toml",
        "heap = { value = 21",
        "heap = { value = 41",
    );
    writeln!(typed, "r").unwrap();
    assert!(until("> ").contains("rules read again"));
    folder.replace(
        "heap/scripts/heap/game.toml",
        "most_at_once = { value = 3",
        "most_at_once = { value = 2",
    );
    writeln!(typed, "r").unwrap();
    assert!(until("> ").contains("with the new rules 0 of 2 answers hold"));
    folder.replace("heap/scripts/heap/rules.rhai", "fn turn", "fn trun");
    writeln!(typed, "r").unwrap();
    assert!(until("> ").contains("the game goes on with the rules it had"));
    drop(typed);
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(0));
}

#[test]
fn a_match_is_kept_without_asking_and_play_alone_goes_on_with_it() {
    let folder = Folder::with_game();
    let said = folder.heap_with(PLAY, "3\nmy-file\nq\n");
    assert!(
        said.err
            .contains("saved as .home/matches/heap-1.transcript"),
        "{}",
        said.all()
    );
    assert!(
        said.out.contains("`my-file` is not among the options"),
        "{}",
        said.all()
    );
    assert!(!folder.inside("heap").join("my-file").exists());
    // The first one offered, by Enter.
    let again = folder.heap_with(&["play", "--lang", "en"], "\n2\nq\n");
    assert!(
        again
            .out
            .contains("1) Heap, person against random, 2 answers"),
        "{}",
        again.all()
    );
    let kept = folder.read("heap/.home/matches/heap-1.transcript");
    assert!(
        kept.contains("p0 take 3\n") && kept.contains("p0 take 2\n"),
        "{kept}"
    );
    // A file needs no game, and a new match has a file of its own.
    let args = [
        "play",
        "--load",
        ".home/matches/heap-1.transcript",
        "--lang",
        "en",
    ];
    assert_eq!(folder.heap_with(&args, "q\n").code, 0);
    folder.heap_with(PLAY, "1\nq\n");
    assert!(
        folder
            .read("heap/.home/matches/heap-1-2.transcript")
            .contains("p0 take 1\n")
    );
}

#[test]
fn a_word_of_an_option_is_enough_and_an_ambiguous_one_lists_what_it_could_be() {
    let folder = Folder::new();
    let args = [
        "play", "chess", "--seed", "1", "--seats", "human", "--lang", "en",
    ];
    let said = folder.run_with(&args, "e\ne4\nq\n");
    assert!(said.out.contains("`e` could be 2 options"), "{}", said.out);
    let kept = folder.read(".home/matches/chess-1.transcript");
    assert!(kept.contains("e2>e4") || kept.contains("e4"), "{kept}");
}

#[test]
fn bots_alone_show_the_whole_log_when_asked() {
    let folder = Folder::with_game();
    let args = [
        "play", "heap", "--seed", "1", "--seats", "random", "--lang", "en", "--log",
    ];
    let said = folder.heap(&args);
    assert!(
        said.out.contains("— Round 1 —") && !said.out.contains("lines before"),
        "{}",
        said.all()
    );
    let args = [
        "play",
        "heap",
        "--seed",
        "1",
        "--seats",
        "random",
        "--lang",
        "es",
        "--log=log.txt",
    ];
    assert_eq!(folder.heap(&args).code, 0);
    let log = folder.read("heap/log.txt");
    assert!(
        log.contains("— Ronda 1 —") && log.contains("Fin de la partida"),
        "{log}"
    );
}

#[test]
fn the_locale_decides_unless_somebody_asks() {
    let folder = Folder::with_game();
    let said = |set: &[(&str, &str)], args: &[&str]| {
        let mut command = crate::support::command(&folder.inside("heap"), args);
        command.envs(set.iter().copied());
        String::from_utf8(command.output().unwrap().stderr).unwrap()
    };
    let wrong = ["play", "haep"];
    assert!(said(&[], &wrong).contains("there is no game `haep`"));
    assert!(said(&[("LANG", "es_AR.UTF-8")], &wrong).contains("no hay ningún juego «haep»"));
    assert!(said(&[("LC_ALL", "es_ES"), ("LANG", "en_US")], &wrong).contains("no hay ningún"));
    let asked = ["play", "haep", "--lang", "en"];
    assert!(said(&[("LANG", "es_AR.UTF-8")], &asked).contains("there is no game"));
    let usage = said(&[("LANG", "es_AR.UTF-8")], &["plya"]);
    assert!(
        usage.contains("no hay ninguna orden «plya»; ¿quizá «play»"),
        "{usage}"
    );
}
