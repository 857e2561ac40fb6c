//! A saved match as a film: forward and back, to a round, with anybody's eyes.

use super::log::{self, Pen};
use super::page::{across, down, wrap};
use super::show::{TableLines, seen, step_now};
use super::{Completions, Lines, board, end};
use crate::output::{Outcome, outln};
use crate::words::errors::told;
use crate::words::{language, say, word};
use ludoteca::{Session, Transcript, TranscriptError};
use std::path::PathBuf;

/// How far back a match is taken move by move; what lies further is played again from the beginning.
const FEW: usize = 8;

/// A match that is being looked at.
pub struct Film<'a> {
    /// Begins the match anew.
    pub fresh: &'a dyn Fn() -> Session,
    pub transcript: &'a Transcript,
    pub session: Session,
    /// The round each answer was given in, as far as they fit.
    pub rounds: Vec<u32>,
    /// Why they fit no further.
    pub error: Option<TranscriptError>,
    /// Who looks; `None` is somebody who only watches.
    pub eyes: Option<u8>,
    /// Answers played.
    at: usize,
    /// What had happened before the last step.
    before: usize,
    board: Vec<String>,
}

/// What somebody wants to see.
#[derive(Debug, PartialEq, Eq)]
enum Wanted {
    Forward(usize),
    Back(usize),
    Round(u32),
    Beginning,
    End,
    Eyes(Option<u8>),
    Table,
    Log,
    Write(PathBuf),
    Help,
    Quit,
    Nonsense,
}

/// Plays a transcript once to its end, as far as it fits: the round of each answer, and what is wrong with the first that does not fit.
pub fn rounds(
    session: &mut Session,
    transcript: &Transcript,
) -> (Vec<u32>, Option<TranscriptError>) {
    let mut rounds = Vec::new();
    for at in 0..transcript.lines.len() {
        if let Err(error) = session.follow_one(transcript, at) {
            return (rounds, Some(error));
        }
        rounds.push(session.round());
    }
    (rounds, None)
}

impl<'a> Film<'a> {
    pub fn new(fresh: &'a dyn Fn() -> Session, transcript: &'a Transcript) -> Film<'a> {
        let (rounds, error) = rounds(&mut fresh(), transcript);
        Film {
            fresh,
            transcript,
            session: fresh(),
            rounds,
            error,
            eyes: None,
            at: 0,
            before: 0,
            board: Vec::new(),
        }
    }

    /// Shows it until nobody wants to see more.
    pub fn show(&mut self) -> Outcome {
        let mut lines = Lines::new();
        self.to(0);
        self.frame()?;
        loop {
            let Some(line) = lines.read("> ", completions()) else {
                return Ok(());
            };
            let wanted = wanted(&line, self.session.players());
            match wanted {
                Wanted::Forward(steps) => self.to((self.at + steps).min(self.rounds.len())),
                Wanted::Back(steps) => self.to(self.at.saturating_sub(steps)),
                Wanted::Round(round) => {
                    let first = self.rounds.iter().position(|&known| known >= round);
                    self.to(first.unwrap_or(self.rounds.len()));
                }
                Wanted::Beginning => self.to(0),
                Wanted::End => self.to(self.rounds.len()),
                Wanted::Eyes(eyes) => {
                    self.eyes = eyes;
                    self.board.clear();
                }
                Wanted::Table => {
                    self.whole_table();
                    continue;
                }
                Wanted::Log => {
                    let pen = self.pen();
                    let lines = log::whole(&self.session, self.eyes, &pen);
                    lines.iter().for_each(|line| outln!("{line}"));
                    continue;
                }
                Wanted::Write(path) => {
                    let mut whole = (self.fresh)();
                    rounds(&mut whole, self.transcript);
                    let _ = whole.go_on();
                    log::write(&path, &mut whole, self.eyes, &self.transcript.seats)?;
                    continue;
                }
                Wanted::Help => {
                    outln!("{}", help());
                    continue;
                }
                Wanted::Quit => return Ok(()),
                Wanted::Nonsense => {
                    outln!("{}", help());
                    continue;
                }
            }
            self.frame()?;
        }
    }

    /// The match after so many answers.
    fn to(&mut self, answers: usize) {
        if answers + FEW < self.at {
            self.session = (self.fresh)();
            self.at = 0;
        }
        while self.at > answers {
            if self.session.take_back_last().is_err() {
                break;
            }
            self.at -= 1;
        }
        self.before = self.session.told();
        while self.at < answers {
            // One step is shown as it comes; of a leap only where it leads.
            if self.at + 1 == answers {
                self.before = self.session.told();
            }
            if self.session.follow_one(self.transcript, self.at).is_err() {
                break;
            }
            self.at += 1;
        }
        // What breaks here was said when the answers were first gone through.
        let _ = self.session.go_on();
    }

    fn pen(&self) -> Pen {
        Pen::of(&self.session)
    }

    /// One picture: the table if it changed, what happened, and where we are.
    fn frame(&mut self) -> Outcome {
        let pen = self.pen();
        let events = self.session.events(self.before, self.eyes, language());
        let news: Vec<String> = events
            .filter_map(|(_, event)| pen.line(&event))
            .flat_map(|line| wrap(&line, 2))
            .collect();
        let room = down().map_or(usize::MAX, |rows| rows.saturating_sub(4));
        let most_news = room / 2;
        let news = &news[news.len().saturating_sub(most_news)..];
        let table = TableLines::of(&mut self.session, self.eyes, pen.clone(), false);
        outln!("{}", pen.paint.faint(&"─".repeat(across())));
        let room = room - news.len();
        let changed = self.board != table.board;
        if changed || table.board.is_empty() {
            let picture = match table.pictured {
                true => {
                    let seen = seen(&self.session, self.eyes, pen.clone());
                    board::picture(&seen, &[], room.min(40))
                }
                false => None,
            };
            let mut lines = picture.unwrap_or(table.listed);
            if lines.len() + table.rest.len() <= room {
                lines.extend(table.rest);
            }
            if lines.len() <= room {
                lines.iter().for_each(|line| outln!("{line}"));
            }
            self.board = table.board;
        }
        news.iter().for_each(|line| outln!("{line}"));
        if self.session.is_over() && self.at == self.rounds.len() {
            let seats = &self.transcript.seats;
            for line in end::lines(&mut self.session, seats, &pen)? {
                outln!("{line}");
            }
        }
        for line in wrap(&self.place(), 2) {
            outln!("{}", pen.paint.strong(&line));
        }
        if let Some(error) = self.error.as_ref().filter(|_| self.at == self.rounds.len()) {
            outln!("{}", told(error));
        }
        Ok(())
    }

    /// Where we are, and with whose eyes.
    fn place(&self) -> String {
        let (at, of, round) = (self.at, self.transcript.lines.len(), self.session.round());
        let step = step_now(&self.session);
        let eyes = match self.eyes {
            Some(seat) => {
                let name = self.session.player_name(seat, language());
                say!(" · con los ojos de {name}", " · with the eyes of {name}")
            }
            None => String::new(),
        };
        let keys = word!(
            "Intro sigue, - vuelve, ? ayuda",
            "Enter goes on, - goes back, ? helps"
        );
        say!(
            "Respuesta {at} de {of} · Ronda {round} · {step}{eyes} · {keys}",
            "Answer {at} of {of} · Round {round} · {step}{eyes} · {keys}"
        )
    }

    fn whole_table(&mut self) {
        let pen = self.pen();
        let table = TableLines::of(&mut self.session, self.eyes, pen.clone(), true);
        let seen = seen(&self.session, self.eyes, pen);
        let picture = board::picture(&seen, &[], down().unwrap_or(40));
        let lines = picture.unwrap_or(table.listed).into_iter();
        lines.chain(table.rest).for_each(|line| outln!("{line}"));
    }
}

fn completions() -> Completions {
    let words = [
        word!("ronda", "round"),
        word!("jugador", "player"),
        word!("fin", "end"),
    ];
    Completions {
        lines: words.map(str::to_string).to_vec(),
        things: Vec::new(),
    }
}

fn help() -> &'static str {
    word!(
        "  Intro  una respuesta más     +5  cinco más      fin  al final
  -      una menos             -5  cinco menos    0    al principio
  ronda 3    a la ronda 3      jugador 2  con los ojos del jugador 2; jugador, con los de nadie
  b  la mesa entera   l  la crónica hasta aquí   w ARCHIVO  la crónica entera a un archivo   q  deja",
        "  Enter  one answer more       +5  five more      end  to the end
  -      one less              -5  five less      0    to the beginning
  round 3    to round 3        player 2  with the eyes of player 2; player, with nobody's
  b  the whole table   l  the log so far   w FILE  the whole log to a file   q  leaves"
    )
}

fn wanted(line: &str, players: u8) -> Wanted {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    let number = rest.parse::<u32>().ok();
    let steps = |written: &str| match written {
        "" => Some(1),
        written => written
            .trim()
            .parse::<usize>()
            .ok()
            .filter(|&steps| steps > 0),
    };
    if let Some(back) = line.strip_prefix('-') {
        return steps(back).map_or(Wanted::Nonsense, Wanted::Back);
    }
    if let Some(forward) = line.strip_prefix('+') {
        return steps(forward).map_or(Wanted::Nonsense, Wanted::Forward);
    }
    match (word, rest) {
        ("" | "n", "") => Wanted::Forward(1),
        ("0", "") => Wanted::Beginning,
        ("fin" | "end" | "e", "") => Wanted::End,
        ("ronda" | "round" | "r", _) => number.map_or(Wanted::Nonsense, Wanted::Round),
        ("jugador" | "player" | "p" | "j", "") => Wanted::Eyes(None),
        ("jugador" | "player" | "p" | "j", _) => match number {
            Some(number) if (1..=players as u32).contains(&number) => {
                Wanted::Eyes(Some(number as u8 - 1))
            }
            _ => Wanted::Nonsense,
        },
        ("b", "") => Wanted::Table,
        ("l", "") => Wanted::Log,
        ("w", file) if !file.is_empty() => Wanted::Write(PathBuf::from(file)),
        ("?", _) => Wanted::Help,
        ("q", "") => Wanted::Quit,
        _ => Wanted::Nonsense,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_film_is_wound_by_words() {
        for (typed, meant) in [
            ("", Wanted::Forward(1)),
            ("+12", Wanted::Forward(12)),
            ("-", Wanted::Back(1)),
            ("- 3", Wanted::Back(3)),
            ("round 4", Wanted::Round(4)),
            ("ronda 4", Wanted::Round(4)),
            ("player 2", Wanted::Eyes(Some(1))),
            ("player", Wanted::Eyes(None)),
            ("player 3", Wanted::Nonsense),
            ("w log.txt", Wanted::Write("log.txt".into())),
            ("round", Wanted::Nonsense),
            ("+x", Wanted::Nonsense),
            ("banana", Wanted::Nonsense),
        ] {
            assert_eq!(wanted(typed, 2), meant, "{typed}");
        }
    }
}
