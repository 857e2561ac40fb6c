//! Packs: made, signed, published, got, updated and taken away again; and what happens when somebody tampers.

use crate::support::{Folder, Said, command, run};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The packs that are shipped as examples.
fn shipped(name: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/packs");
    root.join(name)
        .canonicalize()
        .unwrap()
        .display()
        .to_string()
}

fn good(said: Said) -> Said {
    assert_eq!(said.code, 0, "{}", said.all());
    said
}

/// A pack of texts for a game there is: small, and quickly checked.
fn little(folder: &Folder, at: &str, name: &str, version: &str, builds_on: &str) {
    folder.write(
        &format!("{at}/pack.toml"),
        &format!(
            "name = \"{name}\"\nversion = \"{version}\"\nauthors = [\"Me\"]\nlicence = \"CC0-1.0\"\nkernel = \"*\"\n[builds_on]\n{builds_on}\n"
        ),
    );
    folder.write(
        &format!("{at}/scripts/lib/{}.rhai", name.replace('-', "_")),
        &format!(
            "/// A number.\nfn number_of_{}() {{ 1 }}\n",
            name.replace('-', "_")
        ),
    );
}

#[test]
fn the_shipped_packs_go_from_folder_to_index_to_play() {
    let folder = Folder::new();
    for name in ["tide", "archipelago"] {
        good(folder.run(&["pack", "publish", "shelf", &shipped(name)]));
    }
    let added = good(folder.run(&["pack", "add", "tide", "--index", "shelf", "--yes"]));
    assert!(added.err.contains("a new game, tide"), "{}", added.err);
    assert!(added.err.contains("not signed"), "{}", added.err);
    good(folder.run(&["pack", "add", "archipelago@^1", "--index", "shelf", "--yes"]));
    let listed = good(folder.run(&["pack", "list"]));
    assert!(listed.out.contains("tide 1.0.0") && listed.out.contains("archipelago 1.0.0"));
    good(folder.run(&["sim", "tide", "-n", "20", "--players", "2"]));
    good(folder.run(&["sim", "alta-tension", "--variant", "archipelago", "-n", "1"]));
    good(folder.run(&["pack", "info", "tide"]));
    // A saved match knows its packs, and says how to get one that is gone.
    good(folder.run(&[
        "play",
        "tide",
        "--seats",
        "random",
        "--seed",
        "1",
        "--save",
        "match.txt",
    ]));
    assert!(folder.read("match.txt").contains("\npack tide 1.0.0 "));
    good(folder.run(&["replay", "match.txt"]));
    good(folder.run(&["pack", "remove", "tide"]));
    let gone = folder.run(&["replay", "match.txt"]);
    assert_eq!(gone.code, 1);
    assert!(
        gone.err.contains("ludoteca pack add tide@=1.0.0"),
        "{}",
        gone.err
    );
}

#[test]
fn the_same_bytes_on_every_machine_and_only_what_a_pack_may_hold() {
    let folder = Folder::new();
    little(&folder, "a", "a", "1.0.0", "");
    little(&folder, "b", "a", "1.0.0", "");
    folder.write("a/notes.exe", "not part of it");
    folder.write("a/.git/config", "nor this");
    for at in ["a", "b"] {
        let out = format!("{at}.ludo");
        good(folder.run(&["pack", "build", at, "--out", &out]));
    }
    assert_eq!(
        fs::read(folder.path.join("a.ludo")).unwrap(),
        fs::read(folder.path.join("b.ludo")).unwrap()
    );
}

#[test]
fn keys_are_trusted_once_known_and_a_changed_byte_is_named() {
    let folder = Folder::new();
    little(&folder, "a", "a", "1.0.0", "");
    good(folder.run(&["pack", "build", "a", "--sign"]));
    let first = good(folder.run(&["pack", "add", "a-1.0.0.ludo", "--yes"]));
    assert!(first.err.contains("for the first time"), "{}", first.err);
    little(&folder, "a", "a", "1.1.0", "");
    good(folder.run(&["pack", "build", "a", "--sign"]));
    let second = good(folder.run(&["pack", "add", "a-1.1.0.ludo", "--yes"]));
    assert!(second.err.contains("as before"), "{}", second.err);
    // Another author, or none.
    little(&folder, "a", "a", "1.2.0", "");
    good(folder.run(&["pack", "build", "a"]));
    let other = folder.run(&["pack", "add", "a-1.2.0.ludo", "--yes"]);
    assert_eq!(other.code, 1);
    assert!(other.err.contains("the key has changed"), "{}", other.err);
    // Nothing is packed, so that a byte of a file can be changed in the pack file itself; the sum of the zip finds it first.
    let mut bytes = fs::read(folder.path.join("a-1.1.0.ludo")).unwrap();
    let at = bytes
        .windows(8)
        .position(|window| window == b"A number")
        .unwrap();
    bytes[at] = b'B';
    fs::write(folder.path.join("bad.ludo"), &bytes).unwrap();
    let bad = folder.run(&["pack", "add", "bad.ludo", "--yes"]);
    assert_eq!(bad.code, 1);
    assert!(bad.err.contains("scripts/lib/a.rhai"), "{}", bad.err);
    // Tampering with what is installed is found too.
    let store = folder.path.join(".home/packs");
    let installed = fs::read_dir(&store)
        .unwrap()
        .next()
        .unwrap()
        .unwrap()
        .path();
    fs::write(
        installed.join("scripts/lib/a.rhai"),
        "fn number_of_a() { 2 }\n",
    )
    .unwrap();
    for command in [&["pack", "info", "a"][..], &["list"], &["rules", "teg"]] {
        let told = folder.run(command);
        assert_eq!(told.code, 1, "{command:?}");
        assert!(told.err.contains("scripts/lib/a.rhai"), "{}", told.err);
    }
    let listed = good(folder.run(&["pack", "list"]));
    assert!(listed.out.contains("scripts/lib/a.rhai"), "{}", listed.out);
    good(folder.run(&["pack", "add", "a-1.1.0.ludo", "--yes"]));
    good(folder.run(&["list"]));
}

/// What is said of a pack that was looked at names what its author can open, and not where it lay meanwhile.
#[test]
fn mistakes_of_a_pack_are_told_where_it_came_from() {
    let folder = Folder::new();
    little(&folder, "a", "a", "1.0.0", "");
    folder.write("a/scripts/lib/a.rhai", "// \u{7}\nfn number_of_a() { 1 }\n");
    good(folder.run(&["pack", "build", "a"]));
    let here = folder.path.display();
    for (what, place) in [
        ("a", format!("{here}/a/scripts/lib/a.rhai:1")),
        ("a-1.0.0.ludo", "a/scripts/lib/a.rhai:1".to_string()),
    ] {
        let told = folder.run(&["pack", "add", what, "--yes"]);
        assert_eq!(told.code, 1);
        assert!(told.err.contains(&place), "{}", told.err);
        assert!(!told.err.contains("ludoteca-look-"), "{}", told.err);
    }
}

/// Who is asked whether to install a pack reads its words among ours: none of them looks like one of ours.
#[test]
fn what_a_pack_says_of_itself_is_one_line() {
    let folder = Folder::new();
    for (old, new) in [
        ("\"Me\"", "\"Me\\n  signed by the author\""),
        ("CC0-1.0", "MIT\\r\\n  signed by the author"),
        (
            "[builds_on]\n",
            "[builds_on]\n\"a\\n  signed by the author\" = \"*\"\n",
        ),
    ] {
        little(&folder, "a", "a", "1.0.0", "");
        folder.replace("a/pack.toml", old, new);
        let told = folder.run(&["pack", "add", "a", "--yes"]);
        assert_eq!(told.code, 1);
        let forged = |line: &str| line.trim_start().starts_with("signed by");
        assert!(!told.err.lines().any(forged), "{}", told.err);
    }
}

#[test]
fn what_does_not_fit_together_is_explained_in_sentences() {
    let folder = Folder::new();
    little(&folder, "core", "core-set", "1.0.0", "");
    good(folder.run(&["pack", "publish", "shelf", "core"]));
    little(&folder, "core", "core-set", "2.0.0", "");
    good(folder.run(&["pack", "publish", "shelf", "core"]));
    little(&folder, "old", "old-cards", "1.0.0", "core-set = \"^1\"");
    good(folder.run(&["pack", "publish", "shelf", "old"]));
    little(&folder, "new", "new-cards", "1.0.0", "core-set = \"^2\"");
    good(folder.run(&["pack", "publish", "shelf", "new"]));
    good(folder.run(&["pack", "add", "old-cards", "--index", "shelf", "--yes"]));
    let listed = good(folder.run(&["pack", "list"]));
    assert!(listed.out.contains("core-set 1.0.0"), "{}", listed.out);
    let both = folder.run(&["pack", "add", "new-cards", "--index", "shelf", "--yes"]);
    assert_eq!(both.code, 1);
    assert!(
        both.err.contains("core-set") && both.err.contains("Because"),
        "{}",
        both.err
    );
    let newer = folder.run(&["pack", "add", "core-set@^3", "--index", "shelf", "--yes"]);
    assert!(
        newer.err.contains("the index has core-set 1.0.0, 2.0.0"),
        "{}",
        newer.err
    );
    let needed = folder.run(&["pack", "remove", "core-set"]);
    assert!(
        needed.err.contains("old-cards builds on it"),
        "{}",
        needed.err
    );
    let again = folder.run(&["pack", "publish", "shelf", "new"]);
    assert_eq!(
        again.code, 0,
        "publishing the same files twice changes nothing"
    );
    little(&folder, "new", "new-cards", "1.0.0", "");
    let changed = folder.run(&["pack", "publish", "shelf", "new"]);
    assert!(
        changed.err.contains("is published already"),
        "{}",
        changed.err
    );
}

#[test]
fn a_lock_keeps_a_folder_on_the_same_packs() {
    let folder = Folder::new();
    little(&folder, "a", "a", "1.0.0", "");
    good(folder.run(&["pack", "publish", "shelf", "a"]));
    good(folder.run(&["pack", "add", "a", "--index", "shelf", "--yes"]));
    let unlocked = folder.run(&["--locked", "list"]);
    assert!(unlocked.err.contains("ludoteca.lock"), "{}", unlocked.err);
    good(folder.run(&["pack", "lock"]));
    good(folder.run(&["--locked", "list"]));
    little(&folder, "a", "a", "1.1.0", "");
    good(folder.run(&["pack", "publish", "shelf", "a"]));
    let updated = good(folder.run(&["pack", "update", "--index", "shelf", "--yes"]));
    assert!(
        updated.err.contains("a 1.1.0 is installed"),
        "{}",
        updated.err
    );
    let other = folder.run(&["list"]);
    assert_eq!(other.code, 1);
    assert!(
        other.err.contains("the lock wants a 1.0.0"),
        "{}",
        other.err
    );
    good(folder.run(&["pack", "add", "a@=1.0.0", "--index", "shelf", "--yes"]));
    good(folder.run(&["--locked", "list"]));
}

#[test]
fn an_index_is_given_away_by_any_web_server() {
    let folder = Folder::new();
    little(&folder, "a", "a", "1.0.0", "");
    good(folder.run(&["pack", "publish", "shelf", "a"]));
    let mut server = command(
        &folder.path,
        &["index", "serve", "shelf", "--at", "127.0.0.1:0"],
    );
    let mut server = server.spawn().unwrap();
    let mut said = std::io::BufReader::new(server.stderr.take().unwrap());
    let mut line = String::new();
    std::io::BufRead::read_line(&mut said, &mut line).unwrap();
    let address = line
        .split_whitespace()
        .find(|word| word.starts_with("http"))
        .unwrap()
        .to_string();
    let added = folder.run(&["pack", "add", "a", "--index", &address, "--yes"]);
    let direct = folder.run(&["pack", "add", &format!("{address}a/a-1.0.0.ludo"), "--yes"]);
    let missing = folder.run(&["pack", "add", "nobody", "--index", &address, "--yes"]);
    let outside = folder.run(&["pack", "add", &format!("{address}../a/pack.toml"), "--yes"]);
    server.kill().unwrap();
    server.wait().unwrap();
    good(added);
    good(direct);
    assert!(missing.err.contains("no pack `nobody`"), "{}", missing.err);
    assert_eq!(outside.code, 1);
}

#[test]
fn two_packs_that_do_not_know_each_other_must_not_name_the_same_thing() {
    let folder = Folder::with_game();
    for (name, amount) in [("one", 1), ("two", 9)] {
        folder.write(
            &format!("{name}/pack.toml"),
            &format!("name = \"{name}\"\nversion = \"1.0.0\"\nauthors = []\nlicence = \"CC0-1.0\"\nkernel = \"*\"\n"),
        );
        folder.write(
            &format!("{name}/scripts/heap/{name}.rhai"),
            &format!("fn bonus(p) {{ {amount} }}\n"),
        );
    }
    let said = folder.run(&[
        "--content",
        "heap",
        "--content",
        "one",
        "--content",
        "two",
        "check",
        "heap",
    ]);
    assert_eq!(said.code, 1);
    for part in [
        "packs-collide",
        "one/scripts/heap/one.rhai",
        "two/scripts/heap/two.rhai",
        "bonus/1",
    ] {
        assert!(said.err.contains(part), "{part}: {}", said.err);
    }
    folder.replace(
        "two/pack.toml",
        "kernel = \"*\"\n",
        "kernel = \"*\"\n[builds_on]\none = \"*\"\n",
    );
    good(folder.run(&[
        "--content",
        "heap",
        "--content",
        "one",
        "--content",
        "two",
        "check",
        "heap",
    ]));
}

#[test]
fn fix_writes_the_new_words_and_keeps_the_rest() {
    let folder = Folder::with_game();
    folder.replace("heap/pack.toml", "licence = ", "license = ");
    folder.write(
        "heap/scripts/heap/old.rhai",
        "// move_to(a, b) was its name\nfn put(a, b) {\n    move_to(a, b);   // two spaces\n}\n",
    );
    let told = folder.heap(&["check"]);
    assert!(
        told.err.contains("`ludoteca fix` can do this"),
        "{}",
        told.err
    );
    let shown = good(folder.heap(&["fix", "--dry-run"]));
    assert!(
        shown.out.contains("-     move_to(a, b);   // two spaces"),
        "{}",
        shown.out
    );
    assert!(
        folder.read("heap/pack.toml").contains("license = "),
        "nothing changed yet"
    );
    good(folder.heap(&["fix"]));
    assert!(folder.read("heap/pack.toml").contains("licence = "));
    assert_eq!(
        folder.read("heap/scripts/heap/old.rhai"),
        "// move_to(a, b) was its name\nfn put(a, b) {\n    move(a, b);   // two spaces\n}\n"
    );
    good(folder.heap(&["check"]));
    let again = good(folder.heap(&["fix"]));
    assert!(again.err.contains("nothing to do"), "{}", again.err);
}

#[test]
fn an_unknown_pack_is_looked_at_where_it_can_do_no_harm() {
    let folder = Folder::with_game();
    good(folder.heap(&["check", "--isolated"]));
    // A process that may write no files is heard all the same by who sends our words into one.
    let heap = folder.inside("heap");
    let (out, err) = (folder.inside("out.txt"), folder.inside("err.txt"));
    let mut told = command(&heap, &["check", "--isolated"]);
    told.stdout(fs::File::create(&out).unwrap());
    told.stderr(fs::File::create(&err).unwrap());
    assert!(told.status().unwrap().success());
    let said = fs::read_to_string(&err).unwrap();
    assert!(said.contains("0 errors"), "{said}");
    folder.write("heap/scripts/heap/bad.rhai", "fn broken( {\n");
    let bad = folder.heap(&["check", "--isolated"]);
    assert_eq!(bad.code, 1, "{}", bad.err);
    let heap = folder.inside("heap").display().to_string();
    let refused = folder.run(&["pack", "add", &heap, "--yes"]);
    assert_eq!(refused.code, 1);
    assert!(good(folder.run(&["pack", "list"])).out.is_empty());
}

/// How long each of some processes lives, from none to a time in which it ends by itself; more of them where somebody has time.
fn lives(usual: u32, longest: Duration) -> impl Iterator<Item = Duration> {
    let wanted = std::env::var("LUDOTECA_CRASHES").ok();
    let lives = wanted.and_then(|wanted| wanted.parse().ok());
    let lives = lives.unwrap_or(usual).max(1);
    (0..lives).map(move |life| longest * life / lives)
}

/// Killed at any moment, an update leaves the old version or the new one, and a removal the pack or nothing.
#[test]
fn a_killed_update_or_removal_leaves_the_old_or_the_new() {
    let folder = Folder::new();
    let index = folder.inside("index").display().to_string();
    for version in ["1.0.0", "2.0.0"] {
        little(&folder, "a", "a", version, "");
        let inside = folder.inside("a");
        good(crate::support::run(
            &inside,
            &["pack", "publish", &index],
            "",
        ));
    }
    let whole = |seen: &[&str], life: Duration| {
        let listed = good(folder.run(&["pack", "list"])).out;
        let old_or_new = seen.iter().any(|seen| match seen.is_empty() {
            true => listed.is_empty(),
            false => listed.starts_with(seen),
        });
        assert!(old_or_new, "{life:?}: {listed}");
        if !listed.is_empty() {
            good(folder.run(&["pack", "info", "a"]));
        }
    };
    let kill = |args: &[&str], life: Duration| {
        let mut child = command(&folder.path, args).spawn().unwrap();
        std::thread::sleep(life);
        let _ = child.kill();
        child.wait().unwrap();
    };
    for life in lives(8, Duration::from_millis(200)) {
        let add = ["pack", "add", "a@=1.0.0", "--index", &index, "--yes"];
        good(folder.run(&add));
        kill(&["pack", "update", "--index", &index, "--yes"], life);
        whole(&["a 1.0.0 ", "a 2.0.0 "], life);
        kill(&["pack", "remove", "a"], life);
        whole(&["a 1.0.0 ", "a 2.0.0 ", ""], life);
    }
}

/// Killed at any moment, an installation leaves the old packs or the new ones, and the next one cleans up.
#[test]
fn a_killed_installation_leaves_the_old_or_the_new() {
    let folder = Folder::new();
    little(&folder, "a", "a", "1.0.0", "");
    good(folder.run(&["pack", "add", "a", "--yes"]));
    little(&folder, "a", "a", "2.0.0", "");
    fs::create_dir(folder.inside("tmp")).unwrap();
    let staged = |args: &[&str]| {
        let mut command = command(&folder.path, args);
        command.env("TMPDIR", folder.inside("tmp"));
        command
    };
    for life in lives(12, Duration::from_millis(720)) {
        let mut adding = staged(&["pack", "add", "a", "--yes"]).spawn().unwrap();
        std::thread::sleep(life);
        let _ = adding.kill();
        adding.wait().unwrap();
        let listed = good(folder.run(&["pack", "list"])).out;
        assert!(
            listed.starts_with("a 1.0.0 ") || listed.starts_with("a 2.0.0 "),
            "{listed}"
        );
        good(folder.run(&["pack", "info", "a"]));
    }
    let added = staged(&["pack", "add", "a", "--yes"]).output().unwrap();
    assert!(added.status.success());
    let lying = |folder: PathBuf| -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).unwrap();
        entries.map(|entry| entry.unwrap().path()).collect()
    };
    let left = lying(folder.path.join(".home/packs"));
    assert_eq!(left.len(), 1, "{left:?}");
    assert_eq!(lying(folder.inside("tmp")), [] as [PathBuf; 0]);
    assert!(
        good(run(&folder.path, &["pack", "list"], ""))
            .out
            .starts_with("a 2.0.0 ")
    );
}
