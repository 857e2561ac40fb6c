//! `ludoteca review`: the choices of a saved match that cost most, and what would have been better.

use crate::arguments::Review;
use crate::output::{Failure, Outcome, outln};
use crate::progress;
use crate::seats::{Invited, at_the_table, no_seat};
use crate::terminal::hint::{labels, outcome};
use crate::words::{errors::told, language, say, word};
use crate::{packs, saved};
use ludoteca::{Session, Transcript, hint::Judged};
use serde_json::{Value as Json, json};
use std::path::PathBuf;

/// An answer that somebody gave, and what is thought of it.
struct Reviewed {
    /// The number of the answer in the file, from 1.
    answer: usize,
    round: u32,
    seat: u8,
    prompt: String,
    question: String,
    taken: Considered,
    better: Considered,
    /// How much of a chance it cost, and whether chances are to be trusted here.
    cost: f64,
    calibrated: bool,
}

/// One of its answers.
struct Considered {
    judged: Judged,
    /// What it takes, as people read it.
    labels: String,
}

pub fn run(content: &[PathBuf], asked: &Review) -> Outcome {
    let transcript = saved::read(&asked.file)?;
    let name = asked.file.display().to_string();
    let (library, _) = packs::open(content)?;
    let selection = transcript.selection();
    let game = packs::load_game(&library, &transcript.game, &selection)?;
    packs::players(&game, Some(transcript.players))
        .map_err(|wrong| Failure::Game(format!("{name}: {wrong}")))?;
    if game.calls.evaluate.is_none() {
        return Err(Failure::Game(say!(
            "este juego no tiene `evaluate(p)`: los bots no tienen opinión que dar",
            "this game has no `evaluate(p)`: bots have no opinion to share"
        )));
    }
    let seats = seats(&transcript, asked)?;
    let sitters = vec![Invited::Human; transcript.players as usize];
    let mut session = Session::new(game, at_the_table(&sitters), transcript.seed, &selection);
    let mut reviewed = Vec::new();
    let bar = progress::of(transcript.lines.len(), word!("elecciones", "choices"));
    for at in 0..transcript.lines.len() {
        let failed = |error: String| Failure::Game(format!("{name}: {error}"));
        session.go_on().map_err(|stopped| failed(told(&stopped)))?;
        if seats.contains(&transcript.lines[at].seat) {
            reviewed.extend(review(&mut session, &transcript, at, asked));
        }
        session
            .follow_one(&transcript, at)
            .map_err(|error| failed(told(&error)))?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    let count = reviewed.len();
    reviewed.sort_by(|a, b| b.cost.total_cmp(&a.cost));
    reviewed.truncate(asked.most);
    let calibrated = reviewed.iter().any(|found| found.calibrated);
    if asked.json {
        let choices: Vec<Json> = reviewed.iter().map(as_json).collect();
        outln!(
            "{}",
            json!({ "reviewed": count, "calibrated": calibrated, "choices": choices })
        );
    } else {
        show(&reviewed, count, calibrated);
    }
    Ok(())
}

/// Whose choices are looked at.
fn seats(transcript: &Transcript, asked: &Review) -> Result<Vec<u8>, Failure> {
    if let Some(seat) = asked.seat {
        return match seat < transcript.players {
            true => Ok(vec![seat]),
            false => Err(Failure::Usage(no_seat(seat, transcript.players))),
        };
    }
    let outside = |seat: &u8| {
        let name = transcript.seats.get(*seat as usize);
        name.is_some_and(|name| name == "human" || name == "remote")
    };
    let people: Vec<u8> = (0..transcript.players).filter(outside).collect();
    Ok(match people.is_empty() {
        true => (0..transcript.players).collect(),
        false => people,
    })
}

/// Thinks about the choice an answer was given to; `None` if there was nothing to think about.
fn review(
    session: &mut Session,
    transcript: &Transcript,
    at: usize,
    asked: &Review,
) -> Option<Reviewed> {
    let line = &transcript.lines[at];
    let offer = session.offer(line.seat, language())?;
    let mut hint = session.hint(line.seat)?;
    // An answer that does not fit is told by the replay itself.
    let picked = hint.consider(&line.keys)?;
    hint.think(asked.lines, |_| true);
    let opinion = hint.opinion(usize::MAX);
    if !opinion.tells() {
        return None;
    }
    let taken = opinion
        .answers
        .iter()
        .find(|judged| judged.picked == picked)?;
    let better = opinion.answers.first()?;
    let considered = |judged: &Judged| Considered {
        labels: labels(judged, &offer),
        judged: judged.clone(),
    };
    Some(Reviewed {
        answer: at + 1,
        round: session.round(),
        seat: line.seat,
        prompt: offer.prompt.clone(),
        question: offer.text.clone(),
        cost: (better.chance - taken.chance).max(0.0),
        calibrated: opinion.calibrated,
        taken: considered(taken),
        better: considered(better),
    })
}

fn as_json(reviewed: &Reviewed) -> Json {
    let (taken, better) = (&reviewed.taken.judged, &reviewed.better.judged);
    json!({
        "answer": reviewed.answer,
        "round": reviewed.round,
        "seat": reviewed.seat,
        "prompt": reviewed.prompt,
        "taken": { "keys": taken.keys, "chance": taken.chance, "certain": taken.certain },
        "better": { "keys": better.keys, "chance": better.chance, "certain": better.certain, "visits": better.visits },
        "cost": reviewed.cost,
    })
}

fn show(reviewed: &[Reviewed], count: usize, calibrated: bool) {
    outln!(
        "{}",
        say!(
            "{count} elecciones revisadas; las que más costaron:",
            "{count} choices reviewed; those that cost most:"
        )
    );
    for (n, found) in reviewed.iter().filter(|found| found.cost > 0.0).enumerate() {
        let (answer, round, player) = (found.answer, found.round, found.seat + 1);
        let question = &found.question;
        outln!();
        outln!(
            "{}. {}",
            n + 1,
            say!(
                "respuesta {answer}, ronda {round}, jugador {player}: {question}",
                "answer {answer}, round {round}, player {player}: {question}"
            )
        );
        let (taken, better) = (&found.taken.labels, &found.better.labels);
        let unit = if calibrated { " %" } else { "" };
        let points = |found: &Considered| match found.judged.certain {
            true => outcome(&found.judged).to_string(),
            false => format!("{:.0}{unit}", 100.0 * found.judged.chance),
        };
        let (was, could) = (points(&found.taken), points(&found.better));
        outln!(
            "   {}",
            say!(
                "elegido: {taken} ({was})   mejor: {better} ({could})",
                "taken: {taken} ({was})   better: {better} ({could})"
            )
        );
    }
    if !calibrated {
        outln!();
        outln!(
            "{}",
            say!(
                "Los números van de 0 a 100; este juego no está calibrado, así que no son probabilidades.",
                "Numbers go from 0 to 100; this game is not calibrated, so they are no chances of winning."
            )
        );
    }
}
