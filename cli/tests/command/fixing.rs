//! Packs that were written for 0.1: `check` tells every old word and way, `fix` mends them, and nothing else is touched.

use crate::support::{Folder, Said};

fn good(said: Said) -> Said {
    assert_eq!(said.code, 0, "{}{}", said.out, said.err);
    said
}

/// Each file as it was, and the lines that are others afterwards.
struct Old {
    path: &'static str,
    text: &'static str,
    mended: &'static [(&'static str, &'static str)],
}

const PACK: &str = "name = \"harvest\"\nversion = \"1.0.0\"\nauthors = [\"Me\"]\nlicense = \"CC0-1.0\"   # ours\nkernel = \">=0.1, <0.3\"\n";

const GAME: &[Old] = &[
    Old {
        path: "pack.toml",
        text: PACK,
        mended: &[(
            "license = \"CC0-1.0\"   # ours",
            "licence = \"CC0-1.0\"   # ours",
        )],
    },
    Old {
        path: "scripts/harvest/game.toml",
        text: r#"version = "1.0.0"
title = { es = "La cosecha", en = "The harvest" }
summary = { es = "Semillas.", en = "Seeds." }
players = [2, 2]
map = "field"
round_limit = 3

[parameters]
bonus = { value = 1, min = 0, max = 1 }

[attributes.player]
coins = "int"

[zones]
deck = { visible = "nobody" }
hand = { of = "player", visible = "owner" }
gone = {}

[kinds.seed]
text = { es = "Semilla", en = "Seed" }

[[phases]]
step = "turn"
each = "player"
text = { es = "Turno", en = "Turn" }
"#,
        mended: &[],
    },
    Old {
        path: "scripts/harvest/rules.rhai",
        text: r#"fn setup() { fill(game.deck, "seed"); }

fn turn(p) {
    draw(game.deck, p.hand, 2);
    let card = choose(p, "hand.discard", pieces(p.hand));  // two spaces
    move_to(card, game.gone);   // move_to was its name
    let far = distance(space("barn"), space("isle"));
    if far == -1 { p.coins += 1; }
    if distance(space("barn"), space("mill")) >= 0 && BONUS == 1 { p.coins += 2; }
}

fn score(p) { p.coins }
"#,
        mended: &[
            (
                "    move_to(card, game.gone);   // move_to was its name",
                "    move(card, game.gone);   // move_to was its name",
            ),
            ("    if far == -1 {", "    if far == () {"),
            (
                "space(\"mill\")) >= 0 && BONUS == 1",
                "space(\"mill\")) != () && BONUS == 1",
            ),
        ],
    },
    Old {
        path: "cards/harvest/seeds.toml",
        text: "kind = \"seed\"\n[cards.wheat]\ncopies = 20\nname = { es = \"Trigo\", en = \"Wheat\" }\n",
        mended: &[],
    },
    Old {
        path: "cards/harvest/text.toml",
        text: "[prompt]\n# What goes.\n\"hand.discard\" = { es = \"¿Cuál tiras?\", en = \"Which goes?\" } # away\n",
        mended: &[(
            "{ es = \"¿Cuál tiras?\", en = \"Which goes?\" } # away",
            "{ es = \"¿Cuál tiras?\", en = \"Which goes?\", discards = true } # away",
        )],
    },
    Old {
        path: "maps/harvest/field.toml",
        text: "title = { es = \"El campo\", en = \"The field\" }\n[spaces]\nbarn = { name = { es = \"Granero\", en = \"Barn\" } }\nmill = { name = { es = \"Molino\", en = \"Mill\" } }\nisle = { name = { es = \"Isla\", en = \"Isle\" } }\n[edges]\n\"barn - mill\" = {}\n",
        mended: &[],
    },
];

/// A variant and a script for a game of ours, whose rulings were numbers.
const VARIANT: &[Old] = &[
    Old {
        path: "pack.toml",
        text: PACK,
        mended: &[(
            "license = \"CC0-1.0\"   # ours",
            "licence = \"CC0-1.0\"   # ours",
        )],
    },
    Old {
        path: "scripts/conquista/harvest_rules.rhai",
        text: "fn check_the_end() {\n    if (COMMERCE_APART == 1 && FASTING != 1) { return; }  // was 1\n    if FASTING == 0 { return; }\n}\n",
        mended: &[
            (
                "COMMERCE_APART == 1 && FASTING != 1)",
                "COMMERCE_APART && !FASTING)",
            ),
            ("if FASTING == 0 {", "if !FASTING {"),
        ],
    },
    Old {
        path: "variants/conquista/harvest.toml",
        text: "title = { es = \"Cosecha\", en = \"Harvest\" }\nsummary = { es = \"Otra.\", en = \"Another.\" }\n\n[set]\nrounds = 3\ncommerce_apart = 0 # together\n",
        mended: &[(
            "commerce_apart = 0 # together",
            "commerce_apart = false # together",
        )],
    },
    Old {
        path: "tests/scenarios/conquista/harvest.toml",
        text: "game = \"conquista\"\n[[scenario]]\ntitle = \"an empty round\"\nplayers = 2\nset = { fasting = 1, rounds = 3 }\nrun = [\"check_the_end()\"]\n[scenario.expect]\nasked = \"\"\n",
        mended: &[("set = { fasting = 1,", "set = { fasting = true,")],
    },
];

fn fixed(files: &[Old]) -> Folder {
    let folder = Folder::new();
    for file in files {
        folder.write(&format!("old/{}", file.path), file.text);
    }
    let old = folder.inside("old");
    let told = crate::support::run(&old, &["check"], "");
    assert!(
        told.err.contains("`ludoteca fix` can do this"),
        "{}",
        told.err
    );
    let shown = good(crate::support::run(&old, &["fix", "--dry-run"], ""));
    for file in files {
        let path = format!("old/{}", file.path);
        assert_eq!(folder.read(&path), file.text, "nothing has changed yet");
        for (line, new) in file.mended {
            assert!(file.text.contains(line), "{line}");
            assert!(shown.out.contains(new.trim_start()), "{new}\n{}", shown.out);
        }
    }
    good(crate::support::run(&old, &["fix"], ""));
    for file in files {
        let mut wanted = file.text.to_string();
        for (line, new) in file.mended {
            wanted = wanted.replacen(line, new, 1);
        }
        assert_eq!(folder.read(&format!("old/{}", file.path)), wanted);
    }
    let again = good(crate::support::run(&old, &["fix"], ""));
    assert!(again.err.contains("nothing to do"), "{}", again.err);
    let clean = good(crate::support::run(&old, &["check"], ""));
    assert!(!clean.err.contains("W011"), "{}", clean.err);
    folder
}

#[test]
fn a_game_for_the_first_version_plays_again() {
    let folder = fixed(GAME);
    let old = folder.inside("old");
    let args = [
        "sim", "harvest", "-n", "3", "--jobs", "1", "--bots", "random",
    ];
    good(crate::support::run(&old, &args, ""));
}

#[test]
fn a_variant_of_a_game_of_ours_loads_again() {
    let folder = fixed(VARIANT);
    let old = folder.inside("old");
    let args = [
        "sim",
        "conquista",
        "-n",
        "1",
        "--players",
        "2",
        "--jobs",
        "1",
        "--bots",
        "random",
        "--variant",
        "harvest",
    ];
    good(crate::support::run(&old, &args, ""));
}

/// A file may be full of old words: each is mended where it stands.
#[test]
fn very_many_old_words_of_one_file_are_mended_together() {
    let folder = Folder::new();
    let path = "old/scripts/harvest/more.rhai";
    let old = "  move_to(a, b); // move_to\n".repeat(20_000);
    folder.write(path, &format!("fn more(a, b) {{\n{old}}}\n"));
    good(crate::support::run(&folder.inside("old"), &["fix"], ""));
    let new = "  move(a, b); // move_to\n".repeat(20_000);
    assert!(folder.read(path) == format!("fn more(a, b) {{\n{new}}}\n"));
}
