//! `play --stdio`: the game as lines of JSON, for a program in any language. `docs/protocol.md` describes every object.

use crate::output::{Failure, Outcome, outln};
use ludoteca::{Heard, Language, NotTaken, Offer, Session, Status, Stopped, limits::LONGEST_LINE};
use serde_json::{Value as Json, json};
use std::io::{BufRead, Read};

/// Why a line was not an answer.
#[derive(Debug, thiserror::Error)]
enum BadLine {
    #[error("this is not a line of JSON: {0}")]
    NotJson(String),
    #[error("{0}")]
    NotAnAnswer(String),
    #[error(transparent)]
    Refused(#[from] NotTaken),
}

impl BadLine {
    /// A stable name for programs.
    fn code(&self) -> &'static str {
        match self {
            BadLine::NotJson(_) => "not-json",
            BadLine::NotAnAnswer(_) => "not-an-answer",
            BadLine::Refused(error) => error.code(),
        }
    }
}

/// Plays a match with whoever is on the other end, until it is over or the input ends.
pub fn play(session: &mut Session, language: Language) -> Outcome {
    session.speak(language);
    let mut said = session.told();
    loop {
        let status = session.go_on();
        // What is not on disk is told to nobody.
        if !matches!(status, Err(Stopped::NotKept(_))) {
            tell(session, &mut said, language);
        }
        match status {
            Ok(Status::Over) => return end(session, language),
            Ok(Status::Asking) => {}
            Err(stopped) => return Err(ended_by(&stopped)),
        }
        for seat in session.asked() {
            if let Some(offer) = session.offer(seat, language) {
                outln!("{}", choice(session, &offer, language));
            }
        }
        // With several seats asked at once each has got its object; the rules go on when the last has answered.
        while !session.asked().is_empty() {
            let Some(line) = read_line()? else {
                return Ok(());
            };
            if let Err(error) = answer(session, &line) {
                outln!(
                    "{}",
                    json!({ "type": "error", "code": error.code(), "message": error.to_string() })
                );
                // What cannot be kept as promised ends the match.
                if matches!(error, BadLine::Refused(NotTaken::NotKept(_))) {
                    return Err(Failure::Game(error.to_string()));
                }
            }
        }
    }
}

fn tell(session: &mut Session, said: &mut usize, language: Language) {
    for (_, event) in session.events(*said, session.only_one_outside(), language) {
        outln!("{}", told(&event));
    }
    *said = session.told();
    session.forget(*said);
}

/// An event as the protocol writes it.
pub fn told(event: &Heard) -> Json {
    let mut told = json!(event);
    told["type"] = json!("event");
    told
}

fn choice(session: &Session, offer: &Offer, language: Language) -> Json {
    let mut told = json!(offer);
    told["type"] = json!("choice");
    told["view"] = json!(session.view(Some(offer.seat), language));
    told
}

fn answer(session: &mut Session, line: &[u8]) -> Result<(), BadLine> {
    let parsed: Json =
        serde_json::from_slice(line).map_err(|error| BadLine::NotJson(error.to_string()))?;
    let Json::Object(fields) = &parsed else {
        return Err(BadLine::NotAnAnswer(
            "expected an object such as {\"choose\":\"<key>\"}".into(),
        ));
    };
    if let Some(unknown) = fields
        .keys()
        .find(|key| !["choose", "seat"].contains(&key.as_str()))
    {
        return Err(BadLine::NotAnAnswer(format!(
            "unknown field `{unknown}`; an answer has `choose` and perhaps `seat`"
        )));
    }
    let chosen = fields
        .get("choose")
        .ok_or_else(|| BadLine::NotAnAnswer("the field `choose` is missing".into()))?;
    let keys = match chosen {
        Json::Array(items) => items.iter().map(key).collect::<Result<Vec<_>, _>>()?,
        one => vec![key(one)?],
    };
    let asked = session.asked();
    let seat = match fields.get("seat") {
        None => asked.first().copied().unwrap_or(0),
        Some(seat) => {
            let number = seat.as_u64().and_then(|n| u8::try_from(n).ok());
            number.ok_or_else(|| {
                BadLine::NotAnAnswer(format!("`seat` must be the number of a seat, found {seat}"))
            })?
        }
    };
    session.answer_keys(seat, &keys)?;
    Ok(())
}

/// Keys are strings; numbers and truth values may be given as such.
fn key(chosen: &Json) -> Result<String, BadLine> {
    match chosen {
        Json::String(key) => Ok(key.clone()),
        Json::Number(number) => Ok(number.to_string()),
        Json::Bool(yes) => Ok(if *yes { "yes" } else { "no" }.into()),
        other => Err(BadLine::NotAnAnswer(format!(
            "`choose` takes a key or a list of keys, found {other}"
        ))),
    }
}

/// The next line, without its end; `None` when there are no more. Of a line that is too long only the beginning is kept.
fn read_line() -> Result<Option<Vec<u8>>, Failure> {
    let mut input = std::io::stdin().lock();
    loop {
        let mut line = Vec::new();
        let failed = |error: std::io::Error| Failure::Game(format!("standard input: {error}"));
        input
            .by_ref()
            .take(LONGEST_LINE)
            .read_until(b'\n', &mut line)
            .map_err(failed)?;
        if line.is_empty() {
            return Ok(None);
        }
        if line.len() as u64 == LONGEST_LINE && line.last() != Some(&b'\n') {
            input.skip_until(b'\n').map_err(failed)?;
        }
        if !line.trim_ascii().is_empty() {
            return Ok(Some(line));
        }
    }
}

fn end(session: &mut Session, language: Language) -> Outcome {
    let ending = session
        .ending(language)
        .map_err(|error| ended_by(&Stopped::Broken(error)))?;
    let mut told = json!(ending);
    told["type"] = json!("end");
    outln!("{told}");
    Ok(())
}

/// Rules that break end the match: a program would only do the same again.
fn ended_by(stopped: &Stopped) -> Failure {
    outln!(
        "{}",
        json!({ "type": "error", "code": stopped.code(), "message": stopped.to_string() })
    );
    Failure::Game(stopped.to_string())
}
