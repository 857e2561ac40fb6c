//! What a card is worth, and what is bought, in a made-up game whose truth is plain to see: a sword wins the game, a crown does nothing.

use ludoteca::{Bot, Game, Language, Library, PackSource, Selection};
use ludoteca_lab::compare::{Comparison, Verdict};
use ludoteca_lab::fork::{Forks, Worth, fork, items_named, transcripts};
use ludoteca_lab::goal::{self, Goal};
use ludoteca_lab::measure::Measure;
use ludoteca_lab::points::Points;
use ludoteca_lab::record::Header;
use ludoteca_lab::simulate::{Plan, simulate};
use ludoteca_lab::summary::Summary;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

fn game() -> Arc<Game> {
    let files = [
        (
            "scripts/smith/game.toml",
            r#"
            title = { es = "Herrería", en = "Smithy" }
            version = "1.0.0"
            summary = { es = "Armas.", en = "Arms." }
            players = [2, 2]
            round_limit = 3
            [attributes.player]
            gold = { type = "int", min = 0, max = 99, start = 20, text = { es = "Oro", en = "Gold" } }
            strength = { type = "int", min = 0, max = 99 }
            armed = { type = "bool" }
            [[phases]]
            step = "smith"
            each = "player"
            [[phases]]
            step = "jeweller"
            each = "player"
            "#,
        ),
        (
            "scripts/smith/rules.rhai",
            r#"
            fn smith(p) {
                p.strength += random(6);
                if p.armed || choose(p, "shop", ["sword", "nothing"]) == "nothing" { return; }
                p.gold -= PRICES.sword.gold;
                p.armed = true;
                p.strength += 20;
            }
            fn jeweller(p) {
                if choose(p, "shop", ["crown", "nothing"]) == "crown" { p.gold -= PRICES.crown.gold; }
            }
            fn score(p) { p.strength }
            "#,
        ),
        (
            "cards/smith/tables.toml",
            "[prices]\nsword = { gold = 5 }\ncrown = { gold = 2 }\n",
        ),
        (
            "cards/smith/text.toml",
            r#"
            [prompt]
            shop = { es = "¿Qué compras?", en = "What do you buy?" }
            [option]
            sword = { es = "Espada", en = "Sword" }
            crown = { es = "Corona", en = "Crown" }
            nothing = { es = "Nada", en = "Nothing" }
            "#,
        ),
    ];
    let (library, problems) = Library::open(&[PackSource::memory("made-up", files)]);
    assert!(problems.is_empty(), "{problems:?}");
    let points = Points::new(library, "smith", Selection::default());
    points.base().expect("the made-up game is sound")
}

fn plan(games: u64) -> Plan {
    Plan {
        jobs: 1,
        close: 1,
        ..Plan::new(2, vec![Bot::Random; 2], 1, games)
    }
}

/// With the sword one wins more; with the crown, which does nothing, as often as without.
#[test]
fn a_sword_is_worth_more_than_a_crown() {
    let game = game();
    let plan = plan(300);
    let header = Header::new(&game, &plan);
    let named = ["sword", "crown"].map(|name| items_named(&header, name).remove(0));
    let mut all = named.map(Forks::new);
    for forks in &mut all {
        fork(&game, &plan, forks, &AtomicBool::new(false), |_| {}).unwrap();
    }
    let found = Forks::worth(&all, 0.1);
    let of = |id: &str| -> &Worth { found.iter().find(|worth| worth.id == id).unwrap() };
    let (sword, crown) = (of("sword"), of("crown"));
    assert_eq!(sword.games, 300);
    assert_eq!(sword.verdict, Verdict::Differs);
    assert!(sword.difference.low > 0.2, "{sword:?}");
    assert_eq!(sword.shown.len(), 3);
    assert_ne!(crown.verdict, Verdict::Differs);
    assert!(crown.difference.holds(0.0), "{crown:?}");
}

/// A game that shows it can be looked at both ways: they are the same up to the shop, where one takes the sword and the other does not.
#[test]
fn a_game_is_written_both_ways() {
    let (game, plan) = (game(), plan(2));
    for number in 0..2 {
        let both = transcripts(&game, &plan, "sword", number, &Selection::default()).unwrap();
        let [with, without] = both.unwrap();
        assert!(with.over && without.over);
        let pairs = with.lines.iter().zip(&without.lines);
        let (one, other) = pairs.clone().find(|(one, other)| one != other).unwrap();
        assert_eq!((one.seat, other.seat), (number as u8, number as u8));
        assert_eq!(
            (one.keys.as_slice(), other.keys.as_slice()),
            (&["sword".into()][..], &["nothing".into()][..])
        );
        let takes = |line: &&ludoteca::transcript::Line| {
            line.seat == number as u8 && line.keys == ["sword"]
        };
        assert_eq!(without.lines.iter().filter(takes).count(), 0);
    }
    let none = transcripts(&game, &plan, "trumpet", 0, &Selection::default()).unwrap();
    assert!(none.is_none());
}

/// What a run knows by an id is told by name; numbers without one are the rules' own.
#[test]
fn parts_of_a_game_are_called_by_name() {
    let names = Header::new(&game(), &plan(1)).names;
    assert_eq!(names.price("prices.sword", Language::Es), "Espada");
    assert_eq!(names.number("player.gold", Language::En), "Gold (players)");
    assert_eq!(names.material("gold", Language::Es), "Oro");
    assert_eq!(names.step("smith", Language::En), "smith");
    assert!(names.is_open("player.gold") && !names.is_open("player.strength"));
}

/// Everything the two of them pay for, and what they have left.
#[test]
fn what_is_bought_is_counted() {
    let game = game();
    let plan = plan(50);
    let mut summary = Summary::new(Header::new(&game, &plan));
    let records = simulate(&game, &plan, &AtomicBool::new(false), |_| {}).unwrap();
    records.iter().for_each(|record| summary.add(record));
    let found = summary.findings();
    let flow = |number: &str| found.flows.iter().find(|flow| flow.number == number);
    let taken = |id: &str| {
        let item = found.content.iter().find(|item| item.id == id).unwrap();
        item.taken as f64 / 50.0
    };
    for (price, id, step) in [
        ("prices.sword", "sword", "smith"),
        ("prices.crown", "crown", "jeweller"),
    ] {
        let bought = flow(price).unwrap();
        assert_eq!(bought.step, step);
        assert!((bought.gained.value - taken(id)).abs() < 1e-9, "{bought:?}");
    }
    let gold = found
        .flows
        .iter()
        .filter(|flow| flow.number == "player.gold");
    let spent = 5.0 * taken("sword") + 2.0 * taken("crown");
    assert!((gold.map(|flow| flow.lost.value).sum::<f64>() - spent).abs() < 1e-9);
}

/// What is bought and spent can be asked for like anything else: in comparisons, as a goal, step by step.
#[test]
fn what_comes_and_goes_is_measured() {
    let game = game();
    let plan = plan(50);
    let header = Header::new(&game, &plan);
    let mut summary = Summary::new(header.clone());
    let records = simulate(&game, &plan, &AtomicBool::new(false), |_| {}).unwrap();
    records.iter().for_each(|record| summary.add(record));
    let found = summary.findings();
    let of = |metric: &str| goal::measured(metric, &found).unwrap().value;
    let taken = |id: &str| {
        let item = found.content.iter().find(|item| item.id == id).unwrap();
        item.taken as f64 / 50.0
    };
    let (swords, crowns) = (taken("sword"), taken("crown"));
    for (metric, truth) in [
        ("paid(sword)", swords),
        ("paid(crown@jeweller)", crowns),
        ("paid(crown@smith)", 0.0),
        ("spent(gold)", 5.0 * swords + 2.0 * crowns),
        ("spent(gold@smith)", 5.0 * swords),
        ("lost(gold)", 5.0 * swords + 2.0 * crowns),
        ("lost(gold@jeweller)", 2.0 * crowns),
        ("gained(gold)", 0.0),
    ] {
        assert!(
            (of(metric) - truth).abs() < 1e-9,
            "{metric}: {}",
            of(metric)
        );
        assert!(
            Goal::read_all(&format!("{metric}<=1"), &header).is_ok(),
            "{metric}"
        );
        let measure = Measure::named(&header, metric).unwrap();
        let all = records
            .iter()
            .filter_map(|record| measure.value(&header, record));
        assert!((all.sum::<f64>() / 50.0 - truth).abs() < 1e-9, "{metric}");
    }
    let interval = goal::measured("paid(sword)", &found).unwrap();
    assert!(
        interval.low < swords && swords < interval.high,
        "{interval:?}"
    );
    // What is only kept by the rules, and what is not there, cannot be asked for.
    for unknown in [
        "lost(strength)",
        "paid(crown@shop)",
        "paid(gold)",
        "spent(sword)",
    ] {
        assert!(
            Goal::read_all(&format!("{unknown}<=1"), &header).is_err(),
            "{unknown}"
        );
    }
    // Comparisons measure prices by themselves, and the rest if they are asked.
    let mut comparison = Comparison::new([header.clone(), header], None);
    comparison.ask("lost(gold@smith)");
    for record in &records {
        comparison.add(&[record.clone(), record.clone()]);
    }
    let names: Vec<String> = comparison
        .differences(0.02)
        .into_iter()
        .map(|d| d.name)
        .collect();
    for wanted in [
        "paid(sword)",
        "paid(crown)",
        "spent(gold)",
        "lost(gold@smith)",
    ] {
        assert!(
            names.iter().any(|name| name == wanted),
            "{wanted}: {names:?}"
        );
    }
}
