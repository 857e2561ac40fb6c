//! `ludoteca replay`: shows a transcript and verifies that it is a match of this content.

use crate::arguments::Replay;
use crate::output::{Failure, Outcome, errln, outln};
use crate::seats::{Sitter, at_the_table};
use crate::stdio::told;
use crate::terminal::{log_line, step_name};
use crate::{packs, saved};
use ludoteca::play::ranking::Place;
use ludoteca::play::say;
use ludoteca::play::session::Session;
use ludoteca::play::transcript::{Transcript, TranscriptError};
use ludoteca::play::view::Heard;
use serde_json::{Value as Json, json};
use std::path::PathBuf;

/// How the replay came out.
struct Replayed {
    session: Session,
    events: Vec<Json>,
    lines: Vec<String>,
    /// Who won, if the match was played to its end.
    ranking: Option<Vec<Place>>,
    error: Option<TranscriptError>,
}

pub fn run(content: &[PathBuf], replay: &Replay) -> Outcome {
    let transcript = saved::read(&replay.file)?;
    let name = replay.file.display().to_string();
    let (library, _) = packs::open(content)?;
    if !replay.anyway {
        packs::complete(&library, &transcript)?;
    }
    let game = packs::load_game(
        &library,
        &transcript.game,
        &packs::selection_of(&transcript),
    )?;
    packs::players(&game, Some(transcript.players))
        .map_err(|wrong| Failure::Game(format!("{name}: {wrong}")))?;
    if let Some(seat) = replay.seat.filter(|&seat| seat >= transcript.players) {
        return Err(Failure::Usage(format!(
            "there is no seat {seat}; the match has {} players",
            transcript.players
        )));
    }
    let hash = game.definition.hash;
    if transcript.content != hash && !replay.anyway {
        let other = TranscriptError::OtherContent {
            expected: hash,
            found: transcript.content,
        };
        return refused(replay, &name, &other);
    }
    let sitters = vec![Sitter::Human; transcript.players as usize];
    let selection = packs::selection_of(&transcript);
    let (session, followed) = Session::load(game, at_the_table(&sitters), &selection, &transcript);
    let replayed = play(session, followed.misfit, replay)?;
    let not_over = TranscriptError::NotOver {
        answers: transcript.lines.len(),
    };
    let says_too_much = transcript.over && replayed.ranking.is_none();
    let error = replayed
        .error
        .as_ref()
        .or(says_too_much.then_some(&not_over));
    if transcript.torn {
        errln!("{name}: the last line is not whole and was dropped");
    }
    if replay.json {
        outln!("{}", report(&replayed, &transcript, replay, error));
    } else {
        show(&replayed, &transcript, replay);
    }
    match error {
        Some(error) => Err(Failure::Game(format!("{name}: {error}"))),
        None => Ok(()),
    }
}

/// Answer by answer, with what happens between them.
fn play(
    mut session: Session,
    mut error: Option<TranscriptError>,
    replay: &Replay,
) -> Result<Replayed, Failure> {
    let language = replay.reader.lang;
    if error.is_none() {
        match session.go_on() {
            Ok(_) => {}
            Err(ludoteca::play::session::Stopped::Broken(broken)) => {
                error = Some(TranscriptError::Broken(broken))
            }
            Err(stopped) => return Err(Failure::Game(stopped.to_string())),
        }
    }
    let mut events = Vec::new();
    let mut lines = Vec::new();
    for (_, event) in session.events(0, session.only_one_outside(), language) {
        if let Heard::Step { step, seat } = &event {
            let name = step_name(&session.game().definition, step, language);
            let whose = seat.map_or(String::new(), |seat| {
                let player = session.played.table.player_name(seat);
                format!(": {}", language.of(&player))
            });
            lines.push(format!("  {name}{whose}"));
        }
        let indent = match event {
            Heard::Round { .. } => "",
            _ => "    ",
        };
        lines.extend(log_line(&event, language).map(|line| format!("{indent}{line}")));
        events.push(told(&event));
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
        events,
        lines,
        ranking,
        error,
    })
}

fn show(replayed: &Replayed, transcript: &Transcript, replay: &Replay) {
    outln!(
        "{} {}, {} players, seed {}",
        transcript.game,
        transcript.version,
        transcript.players,
        transcript.seed
    );
    for line in &replayed.lines {
        outln!("{line}");
    }
    let table = &replayed.session.played.table;
    match &replayed.ranking {
        Some(ranking) => {
            outln!(
                "{} answers; over after round {}: {}",
                replayed.session.transcript.lines.len(),
                table.state.round,
                say::reason_key(table)
            );
            for place in ranking {
                let language = replay.reader.lang;
                let player = table.player_name(place.seat);
                let score = place.told(&table.game.definition, language);
                outln!("{:>3}. {}  {score}", place.place, language.of(&player));
            }
        }
        None => {
            let asked = replayed
                .session
                .played
                .choice()
                .map(|choice| say::prompt_key(table, choice.prompt))
                .unwrap_or("");
            let seat = replayed
                .session
                .asked()
                .first()
                .map_or(String::new(), |&seat| {
                    replay.reader.lang.of(&table.player_name(seat)).to_string()
                });
            let played = replayed.session.transcript.lines.len();
            outln!(
                "{played} answers played; not over: round {}, {seat} is asked `{asked}`",
                table.state.round
            );
        }
    }
    if let Some(seat) = replay.seat {
        let seen = replayed.session.view(Some(seat), replay.reader.lang);
        outln!("{:#}", json!(seen));
    }
}

fn report(
    replayed: &Replayed,
    transcript: &Transcript,
    replay: &Replay,
    error: Option<&TranscriptError>,
) -> Json {
    let table = &replayed.session.played.table;
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
        "played": replayed.session.transcript.lines.len(),
        "valid": error.is_none(),
        "error": error.map(|error| error.to_string()),
        "over": replayed.ranking.is_some(),
        "reason": say::reason_key(table),
        "rounds": table.state.round,
        "ranking": replayed.ranking,
        "events": replayed.events,
    });
    if let Some(seat) = replay.seat {
        report["view"] = json!(replayed.session.view(Some(seat), replay.reader.lang));
    }
    report
}

fn refused(replay: &Replay, name: &str, error: &TranscriptError) -> Outcome {
    if replay.json {
        outln!("{}", json!({ "valid": false, "error": error.to_string() }));
    }
    Err(Failure::Game(format!("{name}: {error}")))
}
