//! `ludoteca replay`: shows a saved match as a film or as its whole log, and verifies that it is a match of this content.

use crate::arguments::Replay;
use crate::output::{Failure, Outcome, errln, outln};
use crate::seats::{Invited, at_the_table, no_seat};
use crate::stdio;
use crate::terminal::film::Film;
use crate::terminal::{self, Pen};
use crate::words::errors::told;
use crate::words::{language, say};
use crate::{packs, saved};
use ludoteca::{Game, Rank, Session, Stopped, Transcript, TranscriptError};
use serde_json::{Value as Json, json};
use std::io::IsTerminal;
use std::path::PathBuf;
use std::sync::Arc;

/// How the replay came out.
struct Replayed {
    session: Session,
    /// Who won, if the match was played to its end.
    ranking: Option<Vec<Rank>>,
    error: Option<TranscriptError>,
}

pub fn run(content: &[PathBuf], replay: &Replay) -> Outcome {
    let transcript = saved::read(&replay.file)?;
    let name = replay.file.display().to_string();
    let (library, _) = packs::open(content)?;
    if !replay.anyway {
        packs::complete(&library, &transcript)?;
    }
    let game = packs::load_game(&library, &transcript.game, &transcript.selection())?;
    packs::players(&game, Some(transcript.players))
        .map_err(|wrong| Failure::Game(format!("{name}: {wrong}")))?;
    if let Some(seat) = replay.seat.filter(|&seat| seat >= transcript.players) {
        return Err(Failure::Usage(no_seat(seat, transcript.players)));
    }
    let hash = game.definition.hash;
    if transcript.content != hash && !replay.anyway {
        let other = TranscriptError::OtherContent {
            expected: hash,
            found: transcript.content,
        };
        return refused(replay, &name, &other);
    }
    if transcript.torn {
        errln!("{name}: {}", saved::torn());
    }
    let at_a_terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    if replay.film || (at_a_terminal && !replay.json && replay.log.is_none()) {
        return film(&game, &transcript, replay);
    }
    let mut replayed = play(&game, &transcript)?;
    let not_over = TranscriptError::NotOver {
        answers: transcript.lines.len(),
    };
    let says_too_much = transcript.over && replayed.ranking.is_none();
    let error = replayed.error.take().or(says_too_much.then_some(not_over));
    match &replay.log {
        _ if replay.json => outln!("{}", report(&replayed, &transcript, replay, error.as_ref())),
        Some(Some(path)) => {
            let (session, seats) = (&mut replayed.session, &transcript.seats);
            terminal::write_log(path, session, replay.seat, seats)?;
        }
        _ => show(&mut replayed, &transcript, replay)?,
    }
    match error {
        Some(error) => Err(Failure::Game(format!("{name}: {}", told(&error)))),
        None => Ok(()),
    }
}

/// A match of this transcript with nobody but people, who answer what it says.
fn fresh(game: &Arc<Game>, transcript: &Transcript) -> Session {
    let sitters = vec![Invited::Human; transcript.players as usize];
    let selection = transcript.selection();
    Session::new(
        game.clone(),
        at_the_table(&sitters),
        transcript.seed,
        &selection,
    )
}

fn film(game: &Arc<Game>, transcript: &Transcript, replay: &Replay) -> Outcome {
    let fresh = || fresh(game, transcript);
    let mut film = Film::new(&fresh, transcript);
    film.eyes = replay.seat;
    outln!("{}", headline(transcript));
    film.show()
}

/// Plays all of it.
fn play(game: &Arc<Game>, transcript: &Transcript) -> Result<Replayed, Failure> {
    let sitters = vec![Invited::Human; transcript.players as usize];
    let selection = transcript.selection();
    let (mut session, followed) =
        Session::load(game.clone(), at_the_table(&sitters), &selection, transcript);
    let mut error = followed.misfit;
    if error.is_none() {
        match session.go_on() {
            Ok(_) => {}
            Err(Stopped::Broken(broken)) => error = Some(TranscriptError::Broken(broken)),
            Err(stopped) => return Err(Failure::Game(told(&stopped))),
        }
    }
    let ranking = match session.is_over() {
        true => Some(
            session
                .ranking()
                .map_err(|broken| Failure::Game(broken.to_string()))?,
        ),
        false => None,
    };
    Ok(Replayed {
        session,
        ranking,
        error,
    })
}

fn headline(transcript: &Transcript) -> String {
    let Transcript {
        game,
        version,
        players,
        seed,
        ..
    } = transcript;
    say!(
        "{game} {version}, {players} jugadores, semilla {seed}",
        "{game} {version}, {players} players, seed {seed}"
    )
}

fn show(replayed: &mut Replayed, transcript: &Transcript, replay: &Replay) -> Outcome {
    outln!("{}", headline(transcript));
    let session = &mut replayed.session;
    let pen = Pen::of(session);
    for line in terminal::whole_log(session, replay.seat, &pen) {
        outln!("{line}");
    }
    let (played, round) = (session.transcript.lines.len(), session.round());
    if session.is_over() {
        outln!(
            "{}",
            say!(
                "{played} respuestas; acabó tras la ronda {round}",
                "{played} answers; over after round {round}"
            )
        );
        for line in terminal::end_lines(session, &transcript.seats, &pen)? {
            outln!("{line}");
        }
        return Ok(());
    }
    let asked = session.asked().first().copied();
    let name = asked.map_or(String::new(), |seat| session.player_name(seat, language()));
    let offer = asked.and_then(|seat| session.offer(seat, language()));
    let question = offer.map_or(String::new(), |offer| offer.text);
    outln!(
        "{}",
        say!(
            "{played} respuestas jugadas; no ha acabado: ronda {round}, se pregunta a {name}: {question}",
            "{played} answers played; not over: round {round}, {name} is asked: {question}"
        )
    );
    Ok(())
}

fn report(
    replayed: &Replayed,
    transcript: &Transcript,
    replay: &Replay,
    error: Option<&TranscriptError>,
) -> Json {
    let session = &replayed.session;
    let viewer = replay.seat.or(session.only_one_outside());
    let events = session.events(0, viewer, language());
    let events: Vec<Json> = events.map(|(_, event)| stdio::told(&event)).collect();
    let mut report = json!({
        "game": transcript.game,
        "version": transcript.version,
        "content": format!("{:016x}", transcript.content),
        "players": transcript.players,
        "seed": transcript.seed,
        "variants": transcript.variants,
        "settings": transcript.settings,
        "answers": transcript.lines.len(),
        "torn": transcript.torn,
        "played": session.transcript.lines.len(),
        "valid": error.is_none(),
        "error": error.map(|error| error.to_string()),
        "over": replayed.ranking.is_some(),
        "reason": session.reason_key(),
        "rounds": session.round(),
        "ranking": replayed.ranking,
        "events": events,
    });
    if let Some(seat) = replay.seat {
        report["view"] = json!(session.view(Some(seat), language()));
    }
    report
}

fn refused(replay: &Replay, name: &str, error: &TranscriptError) -> Outcome {
    if replay.json {
        outln!("{}", json!({ "valid": false, "error": error.to_string() }));
    }
    Err(Failure::Game(format!("{name}: {}", told(error))))
}
