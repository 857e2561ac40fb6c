//! What `new` writes passes `check`, plays, and has scenarios that hold.

use crate::support::Folder;

#[track_caller]
fn fine(folder: &Folder, args: &[&str]) {
    let said = folder.heap(args);
    assert_eq!(said.code, 0, "{args:?}: {}", said.all());
}

#[test]
fn a_new_game_passes_check_and_test_and_plays() {
    let folder = Folder::with_game();
    fine(&folder, &["check", "heap"]);
    fine(&folder, &["test", "heap"]);
    fine(&folder, &["sim", "heap", "-n", "50", "--bots", "greedy"]);
    fine(
        &folder,
        &["play", "heap", "--seats", "random,greedy", "--seed", "1"],
    );
    // From outside, by its folder.
    for command in ["check", "test"] {
        let said = folder.run(&[command, "heap"]);
        assert_eq!(said.code, 0, "{}", said.all());
    }
}

#[test]
fn a_game_inside_a_pack_joins_it() {
    let folder = Folder::with_game();
    fine(&folder, &["new", "game", "second"]);
    fine(&folder, &["check", "second"]);
    fine(&folder, &["test", "second"]);
    assert!(folder.inside("heap/scripts/second/game.toml").is_file());
}

#[test]
fn a_new_variant_passes_check_and_changes_nothing_yet() {
    let folder = Folder::with_game();
    fine(&folder, &["new", "variant", "heap", "tall"]);
    let said = folder.heap(&["check", "heap"]);
    let told = "the variant `tall` changes nothing yet";
    assert!(
        said.code == 0 && said.all().contains(told),
        "{}",
        said.all()
    );
    fine(&folder, &["sim", "heap", "-n", "20", "--variant", "tall"]);
    let said = folder.heap(&["diff", "heap", "base", "tall"]);
    assert!(said.all().contains("are the same"), "{}", said.all());
}

#[test]
fn a_new_pack_passes_check() {
    let folder = Folder::new();
    assert_eq!(folder.run(&["new", "pack", "mine"]).code, 0);
    let said = crate::support::run(&folder.inside("mine"), &["list"], "");
    let whence = "the games are those built into the command, and the pack .\n";
    assert_eq!((said.code, said.err.as_str()), (0, whence));
}

#[test]
fn nothing_that_is_there_is_touched() {
    let folder = Folder::with_game();
    let before = folder.read("heap/scripts/heap/game.toml");
    assert_eq!(folder.run(&["new", "game", "heap"]).code, 2);
    assert_eq!(folder.heap(&["new", "game", "heap"]).code, 2);
    assert_eq!(folder.read("heap/scripts/heap/game.toml"), before);
}

#[test]
fn names_are_checked() {
    let folder = Folder::new();
    for name in ["Heap", "a b", "../up", "1st", "lib", ""] {
        assert_eq!(folder.run(&["new", "game", name]).code, 2, "{name}");
    }
    assert_eq!(std::fs::read_dir(&folder.path).unwrap().count(), 0);
}
