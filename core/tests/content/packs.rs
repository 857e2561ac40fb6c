//! Packs: what they may say, in which order they come, what they change.

use crate::fixture::*;
use ludoteca::{Folder, PackSource, ReadError, Selection, Source, definition::Data};

fn pack_toml(name: &str, more: &str) -> String {
    format!(
        "name = \"{name}\"\nversion = \"1.2.0\"\nauthors = [\"Ana\"]\nlicence = \"CC0-1.0\"\n{}{more}",
        if more.contains("kernel") {
            ""
        } else {
            "kernel = \">=0.1\"\n"
        }
    )
}

fn coins(packs: &[PackSource]) -> i64 {
    let game = clean(packs, &Selection::default()).definition;
    let Data::Table(prices) = &game.tables["prices"] else {
        panic!("a table")
    };
    let Data::Table(stall) = &prices["stall"] else {
        panic!("a table")
    };
    let Data::Int(coins) = stall["coins"] else {
        panic!("a number")
    };
    coins
}

fn priced(name: &str, toml: &str, patch: &str) -> PackSource {
    let patch = format!("prices.stall.coins = {patch}\n");
    over(
        name,
        &[("pack.toml", toml), ("cards/fair/tables.toml", &patch)],
    )
}

#[test]
fn a_later_pack_changes_an_earlier_one() {
    let one = priced("one", &pack_toml("one", ""), "6");
    let two = priced("two", &pack_toml("two", ""), "{ add = 1 }");
    assert_eq!(coins(&[fair(&[]), one.clone(), two.clone()]), 7);
    assert_eq!(coins(&[fair(&[]), two, one]), 6);
}

#[test]
fn a_pack_comes_after_what_it_builds_on() {
    let one = priced(
        "one",
        &pack_toml("one", "[builds_on]\ntwo = \"^1\"\n"),
        "{ add = 1 }",
    );
    let two = priced("two", &pack_toml("two", ""), "8");
    assert_eq!(coins(&[fair(&[]), one, two]), 9);
}

#[test]
fn with_counts_when_the_other_pack_is_there() {
    let files = |name: &str| {
        [
            ("pack.toml".to_string(), pack_toml(name, "")),
            (
                "with/two/cards/fair/tables.toml".to_string(),
                "prices.stall.coins = { mul = 2 }\n".to_string(),
            ),
        ]
    };
    let files = files("one");
    let one: Vec<(&str, &str)> = files.iter().map(|(a, b)| (&**a, &**b)).collect();
    let one = over("one", &one);
    let two = priced("two", &pack_toml("two", ""), "5");
    assert_eq!(coins(&[fair(&[]), one.clone()]), 4);
    assert_eq!(coins(&[fair(&[]), one.clone(), two.clone()]), 10);
    assert_eq!(coins(&[fair(&[]), two, one]), 10);
}

#[test]
fn scripts_of_a_later_pack_have_a_higher_layer() {
    let file = pack_toml("extra", "[builds_on]\nbase = \"*\"\n");
    let extra = over(
        "extra",
        &[
            ("pack.toml", &file),
            ("scripts/fair/turn.rhai", "fn turn(p) { 1 }"),
            ("scripts/lib/deals.rhai", "fn deal() {}"),
        ],
    );
    let game = clean(&[fair(&[]), extra], &Selection::default()).definition;
    let layers: Vec<(&str, u32)> = game.scripts.iter().map(|s| (&*s.path, s.layer)).collect();
    assert_eq!(
        layers,
        [
            ("scripts/fair/rules.rhai", 0),
            ("extra/scripts/fair/turn.rhai", 1)
        ]
    );
    assert_eq!(game.libraries["lib/deals"][0].layer, 1);
}

fn check_pack(name: &str, toml: &str) {
    let packs = [fair(&[]), priced("extra", toml, "9")];
    insta::assert_snapshot!(name, seen(&packs, &Selection::default()));
}

#[test]
fn pack_of_another_kernel() {
    check_pack(
        "pack_of_another_kernel",
        &pack_toml("extra", "kernel = \">=7\"\n"),
    );
}

#[test]
fn pack_whose_foundation_is_missing() {
    check_pack(
        "pack_whose_foundation_is_missing",
        &pack_toml("extra", "[builds_on]\nmarkets = \"^1\"\n"),
    );
}

#[test]
fn pack_whose_foundation_is_too_old() {
    check_pack(
        "pack_whose_foundation_is_too_old",
        &pack_toml("extra", "[builds_on]\nbase = \"^7\"\n"),
    );
}

#[test]
fn pack_file_with_mistakes() {
    let toml = "name = \"My Pack\"\nversion = \"one\"\nauthor = [\"Ana\"]\nlicence = 3\nkernel = \"new\"\n";
    check_pack("pack_file_with_mistakes", toml);
}

#[test]
fn packs_that_build_on_each_other() {
    let one = priced("one", &pack_toml("one", "[builds_on]\ntwo = \"^1\"\n"), "6");
    let two = priced("two", &pack_toml("two", "[builds_on]\none = \"^1\"\n"), "8");
    insta::assert_snapshot!(seen(&[fair(&[]), one, two], &Selection::default()));
}

#[test]
fn pack_loaded_twice() {
    insta::assert_snapshot!(seen(&[fair(&[]), fair(&[])], &Selection::default()));
}

#[test]
fn overlay_that_changes_nothing() {
    let files = [
        ("cards/fair/tables.toml", "prices.stall.coins = 4\n"),
        ("maps/fair/village.toml", "# later\n"),
    ];
    check_overlay("overlay_that_changes_nothing", &files);
}

#[test]
fn overlay_with_a_misspelt_path() {
    let files = [
        (
            "cards/fair/tables.toml",
            "prices.stal.coins = { add = 1 }\n",
        ),
        ("cards/fair/stalls.toml", "[cards.churos]\ncost = 5\n"),
        ("cards/fair/tabels.toml", "prices.stall.coins = 3\n"),
        ("cards/fare/tables.toml", "prices.stall.coins = 3\n"),
    ];
    check_overlay("overlay_with_a_misspelt_path", &files);
}

#[test]
fn overlay_that_does_not_fit() {
    let files = [(
        "scripts/fair/game.toml",
        "round_limit = \"none\"\ntitle.en = { add = 1 }\n",
    )];
    check_overlay("overlay_that_does_not_fit", &files);
}

#[test]
fn overlay_with_a_slip() {
    check_overlay(
        "overlay_with_a_slip",
        &[("cards/fair/tables.toml", "prices.stall.coin = 3\n")],
    );
}

struct Scratch(std::path::PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let path = std::env::temp_dir().join(format!("ludoteca-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(path.join("cards/fair")).expect("a folder");
        Scratch(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_folder_reads_its_own_files_only() {
    let scratch = Scratch::new("own");
    let write =
        |name: &str, text: &str| std::fs::write(scratch.0.join(name), text).expect("written");
    write("cards/fair/tables.toml", "a = 1");
    write("cards/fair/.hidden", "");
    write("cards/fair/tables.toml~", "");
    write("elsewhere.toml", "");
    let folder = Folder::new(&scratch.0);
    assert_eq!(folder.list(), ["cards/fair/tables.toml"]);
    assert_eq!(
        folder.read("cards/fair/tables.toml").as_deref(),
        Ok("a = 1")
    );
    assert_eq!(
        folder.read("cards/../elsewhere.toml"),
        Err(ReadError::Missing)
    );
    assert_eq!(folder.read("/etc/hostname"), Err(ReadError::Missing));
    assert_eq!(folder.read("cards/fair/none.toml"), Err(ReadError::Missing));
    assert!(matches!(
        folder.read("cards/fair"),
        Err(ReadError::System(_))
    ));
}

#[cfg(unix)]
#[test]
fn a_folder_follows_no_links() {
    let scratch = Scratch::new("links");
    let link = |to: &str, name: &str| {
        std::os::unix::fs::symlink(to, scratch.0.join(name)).expect("a link");
    };
    link("/etc/hostname", "cards/fair/outside.toml");
    link("/etc", "cards/all");
    let folder = Folder::new(&scratch.0);
    assert_eq!(folder.list(), ["cards/all", "cards/fair/outside.toml"]);
    for path in ["cards/all", "cards/all/hostname", "cards/fair/outside.toml"] {
        assert_eq!(folder.read(path), Err(ReadError::Link), "{path}");
    }
}

#[test]
fn a_folder_of_packs_is_all_of_them() {
    let scratch = Scratch::new("many");
    for name in ["b", "a"] {
        std::fs::create_dir_all(scratch.0.join("packs").join(name).join("cards"))
            .expect("a folder");
    }
    let names = |path: &str| -> Vec<String> {
        let packs = PackSource::folder(scratch.0.join(path)).expect("a folder");
        packs.into_iter().map(|pack| pack.name).collect()
    };
    assert_eq!(names("packs"), ["a", "b"]);
    assert_eq!(names("packs/a"), ["a"]);
    assert!(PackSource::folder(scratch.0.join("none")).is_err());
}

const UNRELATED: &str =
    "name = \"NAME\"\nversion = \"1.0.0\"\nauthors = []\nlicence = \"\"\nkernel = \"*\"\n";

/// Two packs that do not know of each other and name the same function; both places are shown.
#[test]
fn packs_that_collide() {
    let pack = |name: &str, amount: &str| {
        let file = UNRELATED.replace("NAME", name);
        let script = format!("fn bonus(p) {{ {amount} }}\n");
        let path = format!("scripts/fair/{name}.rhai");
        over(name, &[("pack.toml", &file), (&path, &script)])
    };
    let packs = [fair(&[]), pack("one", "1"), pack("two", "9")];
    insta::assert_snapshot!(seen(&packs, &Selection::default()));
}

#[test]
fn a_pack_that_replaces_the_base() {
    let file = UNRELATED.replace("NAME", "one");
    let script = "fn throw_rings() { 3 }\n";
    let pack = over(
        "one",
        &[("pack.toml", &file), ("scripts/fair/one.rhai", script)],
    );
    insta::assert_snapshot!(seen(&[fair(&[]), pack], &Selection::default()));
}

#[test]
fn an_old_word() {
    let script = "fn put(piece, zone) { move_to(piece, zone); }\n";
    let pack = fair(&[("scripts/fair/old.rhai", script)]);
    insta::assert_snapshot!(seen(&[pack], &Selection::default()));
}
