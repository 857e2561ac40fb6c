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
    let typed = "9\nfoo\n\n2\n?\nu\nu\n3\ns my.transcript\nb\n? 2\n? nobody\n+\nq\n\n";
    assert_snapshot!(folder.heap_with(PLAY, typed).all());
    assert!(folder.read("heap/my.transcript").contains("p0 take 3\n"));
}

#[test]
fn a_match_to_its_end_in_spanish() {
    let folder = Folder::with_game();
    let args = [
        "play", "heap", "--seed", "1", "--seats", "human", "--set", "heap=5",
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

#[test]
fn rules_that_break_go_back_to_the_last_choice() {
    let folder = Folder::with_game();
    folder.replace(
        "heap/scripts/heap/rules.rhai",
        "p.taken += count;",
        "p.taken += 6 / (count - 2);",
    );
    assert_snapshot!(folder.heap_with(PLAY, "2\n3\nq\n\n").all());
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
