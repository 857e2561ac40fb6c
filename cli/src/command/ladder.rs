//! `ludoteca ladder`: bots play each other, from the weakest to the strongest, and what each step is worth and costs.

use crate::arguments::lab::Ladder;
use crate::lab::run as lab;
use crate::output::{Failure, Outcome, errln, outln};
use crate::packs;
use crate::words::{errors::told, say, word};
use ludoteca_lab::ladder::{self, Pairing, Rung, RungVerdict};
use ludoteca_lab::runner::RunEnd;
use serde_json::{Value as Json, json};
use std::path::PathBuf;

pub fn run(content: &[PathBuf], asked: &Ladder) -> Outcome {
    let bots = lab::repeatable(&asked.bots)?;
    if bots.len() < 2 || bots.windows(2).any(|pair| pair[0] == pair[1]) {
        return Err(Failure::Usage(say!(
            "nombra al menos dos bots, cada uno distinto del anterior",
            "name at least two bots, each another than the one before it"
        )));
    }
    let game = packs::game(content, &asked.game)?;
    let players = packs::players(&game, asked.players)?;
    if players < 2 {
        return Err(Failure::Usage(say!(
            "un jugador solo no sube ninguna escalera",
            "one player alone climbs no ladder"
        )));
    }
    let stop = lab::stop_flag();
    let bar = lab::bar(asked.games * (bots.len() as u64 - 1));
    let mut rungs = Vec::new();
    if !asked.json {
        head(&game.definition.id, players);
    }
    for pair in bots.windows(2) {
        let pairing = Pairing {
            weaker: pair[0],
            stronger: pair[1],
            players,
            games: asked.games,
            seed: asked.seed,
            jobs: asked.jobs,
        };
        let (rung, ended) = ladder::play(&game, &pairing, &stop, |n| bar.inc(n))
            .map_err(|broken| Failure::Game(told(&broken)))?;
        if rung.games > 0 {
            if !asked.json {
                bar.suspend(|| show(&rung));
            }
            rungs.push(rung);
        }
        if ended == RunEnd::Stopped {
            errln!(
                "{}",
                say!(
                    "interrumpido; lo que se muestra es lo jugado hasta entonces",
                    "stopped; what is shown was played until then"
                )
            );
            break;
        }
    }
    bar.finish_and_clear();
    let depth = ladder::depth(&rungs);
    if asked.json {
        let rungs: Vec<Json> = rungs.iter().map(as_json).collect();
        outln!(
            "{}",
            json!({ "game": game.definition.id, "players": players, "rungs": rungs, "depth": depth })
        );
    } else {
        outln!("{}", sentence(&rungs));
        outln!(
            "{}",
            say!(
                "profundidad: {depth:.1} escalones de tres partidas de cada cuatro entre el más flojo y el más fuerte",
                "depth: {depth:.1} steps of three games in four between the weakest and the strongest"
            )
        );
    }
    Ok(())
}

fn head(game: &str, players: u8) {
    outln!(
        "{}",
        say!(
            "{game}, {players} jugadores: cada bot contra el anterior, con las mismas semillas desde todos los asientos",
            "{game}, {players} players: each bot against the one before it, on the same seeds from every seat"
        )
    );
    outln!();
    outln!(
        "{:14} {:14} {:>6} {:>8} {:>16} {:>6} {:>7} {:>16} {:>12}",
        "bot",
        word!("contra", "against"),
        word!("part.", "games"),
        word!("gana", "wins"),
        word!("intervalo 95 %", "95 % interval"),
        word!("justo", "fair"),
        "Elo",
        word!("intervalo 95 %", "95 % interval"),
        word!("respuesta", "an answer")
    );
}

fn show(rung: &Rung) {
    let elo = rung.elo();
    outln!(
        "{:14} {:14} {:>6} {:>6.1} % {:>6.1} .. {:>4.1} % {:>4.0} % {:>+7.0} {:>+6.0} .. {:>+5.0} {:>12}",
        rung.pairing.stronger.to_string(),
        rung.pairing.weaker.to_string(),
        rung.games,
        100.0 * rung.share.value,
        100.0 * rung.share.low,
        100.0 * rung.share.high,
        100.0 * rung.fair,
        elo.value,
        elo.low,
        elo.high,
        time(rung.seconds[1])
    );
}

fn time(seconds: f64) -> String {
    match seconds {
        s if s < 1e-3 => format!("{:.0} µs", s * 1e6),
        s if s < 1.0 => format!("{:.1} ms", s * 1e3),
        s => format!("{s:.2} s"),
    }
}

/// Whether every step leads up, and where not.
fn sentence(rungs: &[Rung]) -> String {
    let where_not = |verdict: RungVerdict, says: &str| {
        let pairs: Vec<String> = rungs
            .iter()
            .filter(|rung| rung.verdict() == verdict)
            .map(|rung| format!("{} {says} {}", rung.pairing.stronger, rung.pairing.weaker))
            .collect();
        pairs.join(", ")
    };
    let weaker = where_not(
        RungVerdict::Weaker,
        word!("es más flojo que", "is weaker than"),
    );
    let unclear = where_not(
        RungVerdict::Unclear,
        word!("quizá no sea más fuerte que", "may be no stronger than"),
    );
    match (weaker.is_empty(), unclear.is_empty()) {
        (true, true) => say!("cada paso sube", "every step leads up"),
        (true, false) => say!(
            "no todos los pasos están fuera de duda: {unclear}",
            "not every step is beyond doubt: {unclear}"
        ),
        (false, true) => say!(
            "no todos los pasos suben: {weaker}",
            "not every step leads up: {weaker}"
        ),
        (false, false) => say!(
            "no todos los pasos suben: {weaker}; {unclear}",
            "not every step leads up: {weaker}; {unclear}"
        ),
    }
}

fn as_json(rung: &Rung) -> Json {
    let verdict = match rung.verdict() {
        RungVerdict::Stronger => "stronger",
        RungVerdict::Unclear => "unclear",
        RungVerdict::Weaker => "weaker",
    };
    let elo = rung.elo();
    json!({
        "bot": rung.pairing.stronger.to_string(),
        "against": rung.pairing.weaker.to_string(),
        "games": rung.games,
        "share": rung.share.value,
        "low": rung.share.low,
        "high": rung.share.high,
        "fair": rung.fair,
        "elo": elo.value,
        "elo_low": elo.low,
        "elo_high": elo.high,
        "seconds": rung.seconds[1],
        "verdict": verdict,
    })
}
