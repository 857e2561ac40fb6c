//! Games played without the lab: nothing is remembered but who won. What everything else costs is measured against this.

use super::{run as lab, tell_broken_opinion};
use crate::output::{Failure, Outcome, outln};
use crate::words::{counted, language, say, word};
use ludoteca::Game;
use ludoteca_lab::numbers::{interval, value};
use ludoteca_lab::record::Header;
use ludoteca_lab::runner::{self, Next, RunEnd};
use ludoteca_lab::simulate::{Bench, Plan};
use ludoteca_lab::statistics::share;
use std::sync::Arc;
use std::time::Instant;

pub fn run(game: &Arc<Game>, plan: &Plan) -> Outcome {
    let mut wins = vec![0.0; plan.players as usize];
    let (mut games, mut decisions) = (0, 0);
    let stop = lab::stop_flag();
    let bar = lab::bar(plan.games);
    let started = Instant::now();
    let ended = runner::run(
        plan.part,
        plan.jobs,
        &stop,
        |done| bar.inc(done),
        || Bench::new(game, plan),
        |bench, number| bench.play_bare(plan, number),
        |_, won| {
            for &seat in &won.winners {
                wins[seat as usize] += 1.0 / won.winners.len() as f64;
            }
            (games, decisions) = (games + 1, decisions + won.decisions);
            Next::GoOn
        },
    );
    let seconds = started.elapsed().as_secs_f64();
    bar.finish_and_clear();
    if games > 0 {
        let header = Header::new(game, plan);
        outln!(
            "{}",
            say!(
                "{} ({}), {} jugadores, bots: {}, {games} partidas",
                "{} ({}), {} players, bots: {}, {games} games",
                header.game,
                header.selection_named(),
                header.players,
                header.bots_named(language())
            )
        );
        for (seat, &won) in wins.iter().enumerate() {
            let wins = share(won, games as f64);
            let (wins, between) = (value(wins.value, true), interval(&wins, true, language()));
            outln!(
                "p{seat:<4} {} {wins:>7}  {between:>16}",
                word!("gana", "wins")
            );
        }
        outln!("{}", speed(games, decisions as f64, seconds, plan.jobs));
    }
    tell_broken_opinion(game);
    match ended.map_err(|broken| Failure::Game(broken.to_string()))? {
        RunEnd::Done | RunEnd::Enough => Ok(()),
        RunEnd::Stopped => Err(lab::stopped()),
    }
}

/// How fast it was played.
pub fn speed(games: u64, decisions: f64, seconds: f64, jobs: usize) -> String {
    let threads = match jobs {
        0 => say!("todos los núcleos", "all cores"),
        jobs => counted(jobs, ["hilo", "hilos", "thread", "threads"]),
    };
    let rate = |count: f64| match count / seconds {
        slow if slow < 10.0 => format!("{slow:.1}"),
        fast => format!("{fast:.0}"),
    };
    say!(
        "velocidad: {seconds:.2} s en {threads}, {} partidas/s, {} decisiones/s",
        "speed: {seconds:.2} s on {threads}, {} games/s, {} decisions/s",
        rate(games as f64),
        rate(decisions)
    )
}
