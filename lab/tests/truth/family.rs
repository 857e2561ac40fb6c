//! Many measures, and many seats, looked at together: where nothing differs, nothing is found in 95 of 100 runs.

use crate::Rate;
use crate::made_up::{Luck, NUMBERS, rate};
use ludoteca::Text;
use ludoteca_lab::compare::{Comparison, Verdict};
use ludoteca_lab::findings::Findings;
use ludoteca_lab::record::{DeclaredMetric, FORMAT, Header, Record};
use ludoteca_lab::summary::Summary;

fn header(players: u8, content: &str, metrics: usize) -> Header {
    let text = || Text {
        es: "inventado".into(),
        en: "made up".into(),
    };
    let metric = |n: usize| DeclaredMetric {
        name: format!("metric_{n}"),
        text: text(),
        of_player: false,
    };
    Header {
        format: FORMAT,
        game: "made-up".into(),
        title: text(),
        selection: Vec::new(),
        content: content.into(),
        players,
        bots: vec!["random".into(); players as usize],
        rotate: false,
        seed: 1,
        games: 0,
        close: 0,
        metrics: (0..metrics).map(metric).collect(),
        sides: Vec::new(),
        cooperative: false,
        items: Vec::new(),
        part: (0, 0),
        ..Header::default()
    }
}

/// A game whose winner is drawn, and whose metrics are made-up numbers in thousandths.
fn record(game: u64, players: u8, luck: &mut Luck, more: f64) -> Record {
    let winner = ((luck.fraction() * f64::from(players)).ceil() as u8).clamp(1, players) - 1;
    let place = |seat: u8| if seat == winner { 1 } else { 2 };
    let numbers: Vec<f64> = NUMBERS
        .iter()
        .map(|numbers| (numbers.draw)(luck) + more)
        .collect();
    let rare = u8::from(luck.comes(0.01));
    Record {
        game,
        seed: game,
        bots: vec!["random".into(); players as usize],
        first: (luck.fraction() * f64::from(players)) as u8 % players,
        winners: vec![winner],
        side: None,
        places: (0..players).map(place).collect(),
        scores: vec![0; players as usize],
        rounds: 10 + (luck.fraction() * 5.0) as u32,
        decisions: 100,
        forced: (luck.fraction() * 20.0) as u64,
        options: 300,
        reason: "score".into(),
        metrics: numbers
            .into_iter()
            .map(|number| vec![(number * 1000.0) as i64])
            .chain([vec![i64::from(rare)]])
            .collect(),
        ..Record::default()
    }
}

fn compared(pairs: u64, run: u64, more: f64) -> Comparison {
    let metrics = NUMBERS.len() + 1;
    let headers = ["one", "other"].map(|content| header(4, content, metrics));
    let mut comparison = Comparison::new(headers, None);
    let mut luck = Luck::new(run, "family");
    for game in 0..pairs {
        let first = record(game, 4, &mut luck, 0.0);
        comparison.add(&[first, record(game, 4, &mut luck, more)]);
    }
    comparison
}

pub fn of_measures(runs: u64) -> Vec<Rate> {
    let mut rates = Vec::new();
    for pairs in [20, 60, 200] {
        let found = rate(runs, |run| !compared(pairs, run, 0.0).seen().is_empty());
        let game = format!("19 measures, {pairs} pairs, none differs");
        let promise = "a finding where there is none";
        rates.push(Rate::new(promise, game, found, (0.0, 0.05)));
    }
    let no = rate(runs / 20, |run| {
        let all = compared(20, run, 0.0).differences(0.02);
        all.iter().any(|d| d.verdict == Verdict::No)
    });
    let game = "19 measures, 20 pairs, sizes of 2 %".into();
    let promise = "“no” without the power for it";
    rates.push(Rate::new(promise, game, no, (0.0, 0.0)));
    rates
}

pub fn of_seats(runs: u64) -> Vec<Rate> {
    let mut rates = Vec::new();
    for (players, games) in [(2, 40), (4, 30), (6, 60), (6, 400), (8, 40), (12, 120)] {
        let found = rate(runs, |run| {
            let mut summary = Summary::new(header(players, "one", NUMBERS.len() + 1));
            let mut luck = Luck::new(run, "seats");
            (0..games).for_each(|game| summary.add(&record(game, players, &mut luck, 0.0)));
            let found = summary.findings();
            let first = found.first_player_advantage.unwrap();
            !found.uneven_seats.is_empty()
                || !found.seat_balance.unwrap().holds(1.0)
                || !first.holds(0.0)
        });
        let game = format!("{players} even seats, {games} games");
        rates.push(Rate::new(
            "a seat is named though all are even",
            game,
            found,
            (0.0, 0.05),
        ));
    }
    rates
}

/// Even seats whose wins hang together: draws of two and of all, partners that win together, a winner who comes from the seats before.
pub fn of_seats_together(runs: u64) -> Vec<Rate> {
    let kinds: [(&str, u8, Winners); 4] = [
        (
            "three seats, a third of the games shared by two or by all",
            3,
            |luck, _| {
                let seat = luck.seat(3);
                match luck.fraction() {
                    part if part <= 0.1 => vec![0, 1, 2],
                    part if part <= 0.33 => vec![seat, (seat + 1) % 3],
                    _ => vec![seat],
                }
            },
        ),
        ("partners of four seats win together", 4, |luck, _| {
            let pair = luck.seat(2);
            vec![pair, pair + 2]
        }),
        (
            "nine games of ten shared by both of two seats",
            2,
            |luck, _| match luck.comes(0.9) {
                true => vec![0, 1],
                false => vec![luck.seat(2)],
            },
        ),
        (
            "four seats, whoever begins moves on from game to game",
            4,
            |luck, _| vec![luck.seat(4)],
        ),
    ];
    let mut rates = Vec::new();
    for (name, players, winners) in kinds {
        for games in [20, 60, 400] {
            let named = rate(runs, |run| {
                let mut luck = Luck::new(run, name);
                let found = played(players, games, winners, &mut luck);
                let first = found.first_player_advantage.unwrap();
                !found.uneven_seats.is_empty()
                    || !found.seat_balance.unwrap().holds(1.0)
                    || !first.holds(0.0)
            });
            let game = format!("{name}, {games} games");
            let promise = "a seat is named though all are even";
            rates.push(Rate::new(promise, game, named, (0.0, 0.05)));
        }
    }
    rates
}

/// Who wins a game.
type Winners = fn(&mut Luck, u64) -> Vec<u8>;

/// A run of games whose winners are drawn so. Whoever begins moves on by one seat.
fn played(players: u8, games: u64, winners: Winners, luck: &mut Luck) -> Findings {
    let mut summary = Summary::new(header(players, "one", NUMBERS.len() + 1));
    for game in 0..games {
        let winners = winners(luck, game);
        let place = |seat: u8| if winners.contains(&seat) { 1 } else { 2 };
        summary.add(&Record {
            places: (0..players).map(place).collect(),
            first: (game % u64::from(players)) as u8,
            winners,
            ..record(game, players, luck, 0.0)
        });
    }
    summary.findings()
}

/// Seats of which one always wins, and games that everybody shares.
pub fn of_uneven_seats(runs: u64) -> Vec<Rate> {
    let of = |winners: Winners, games: u64, run: u64| {
        played(3, games, winners, &mut Luck::new(run, "uneven"))
    };
    let mut rates = Vec::new();
    let always = rate(runs, |run| {
        let found = of(|_, _| vec![0], 20, run);
        found.uneven_seats == [0, 1, 2] && found.wins[0].holds(1.0)
    });
    let game = "one of three seats always wins, 20 games".to_string();
    rates.push(Rate::new(
        "uneven seats are named",
        game,
        always,
        (1.0, 1.0),
    ));
    let shared = rate(runs, |run| {
        let found = of(|_, _| vec![0, 1, 2], 20, run);
        found.uneven_seats.is_empty()
    });
    let game = "all three always share the first place, 20 games".to_string();
    rates.push(Rate::new("no seat is named", game, shared, (1.0, 1.0)));
    // Wins of 70, 28 and 2 %, a tenth of them shared by the first two.
    for games in [20, 100] {
        let held = rate(runs, |run| {
            let drawn: Winners = |luck, _| match luck.fraction() {
                part if part <= 0.65 => vec![0],
                part if part <= 0.75 => vec![0, 1],
                part if part <= 0.98 => vec![1],
                _ => vec![2],
            };
            let wins = of(drawn, games, run).wins;
            [0.7, 0.28, 0.02]
                .iter()
                .zip(&wins)
                .all(|(truth, found)| found.holds(*truth))
        });
        let game = format!("wins of 70, 28 and 2 %, some shared, {games} games");
        let promise = "all intervals of seats hold";
        rates.push(Rate::new(promise, game, held, (0.95, 1.0)));
    }
    rates
}
