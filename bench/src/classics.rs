//! The shelf of classics: random games a CPU second, and moves counted a CPU second.

use crate::measure::{Rate, cpu};
use crate::real;
use crate::report::{Aim, Report};
use ludoteca::{Bot, Match, perft::Perft};
use ludoteca_lab::simulate::{Bench, Plan};

/// The games, and how many of each are aimed at.
const GAMES: &str = include_str!("../classics.txt");
/// The game whose moves are counted, how deep, how many there are, and how many a second are aimed at.
const MOVES: &str = include_str!("../moves.txt");

/// Two sit at all of these boards.
const PLAYERS: u8 = 2;

pub fn all(report: &mut Report, seconds: f64) -> Result<(), String> {
    report.heading("classics, random games a CPU second");
    for line in GAMES.lines() {
        let (id, aim) = line.split_once(' ').unwrap_or((line, "0"));
        let game = real::game(id)?;
        let plan = Plan::new(PLAYERS, vec![Bot::Random; PLAYERS as usize], 1, 1 << 20);
        let mut bench = Bench::new(&game, &plan);
        let (mut rate, mut number) = (Rate::default(), 0);
        for _ in 0..3 {
            rate.measure(seconds / 2.0, || {
                number += 1;
                let won = bench.play_bare(&plan, number % plan.games);
                won.map(|_| 1).map_err(|broken| broken.to_string())
            })?;
        }
        let aim = aim.parse().unwrap_or_default();
        report.add(&format!("{id}.games"), id, rate.best, Aim::AtLeast(aim));
    }
    moves(report)
}

fn moves(report: &mut Report) -> Result<(), String> {
    let words: Vec<&str> = MOVES.split_whitespace().collect();
    let [id, depth, known, aim] = words[..] else {
        return Err(format!("expected four words, found `{MOVES}`"));
    };
    let number = |text: &str| {
        text.parse::<u64>()
            .map_err(|_| format!("`{text}` is no number"))
    };
    let mut played = Match::new(real::game(id)?, PLAYERS, 1);
    let start = cpu();
    let counts = Perft::new(&mut played, number(depth)? as usize).count(false);
    let counts = counts.map_err(|broken| broken.to_string())?;
    let leaves = counts.by_depth.last().copied().unwrap_or_default();
    if leaves != number(known)? {
        return Err(format!(
            "{id}: {leaves} ways of {depth} moves; there are {known}"
        ));
    }
    let rate = leaves as f64 / (cpu() - start);
    let what = format!("ways of {depth} moves counted, {id}");
    report.add("perft", &what, rate, Aim::AtLeast(number(aim)? as f64));
    Ok(())
}
