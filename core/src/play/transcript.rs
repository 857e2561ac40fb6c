//! A match on disk: what it was played with, then one answer a line. Small, readable, and enough to play it again.

use super::matches::{BrokenRule, Match, Status};
use super::say;
use crate::script::choice::AnswerError;
use crate::script::event::Event;
use crate::script::game::Game;
use std::fmt;
use std::sync::Arc;

/// One answer: who, to which prompt, with which options.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    pub seat: u8,
    pub prompt: String,
    pub keys: Vec<String>,
}

/// A match as its answers.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Transcript {
    pub game: String,
    pub version: String,
    pub content: u64,
    pub players: u8,
    pub seed: u64,
    /// Who sat where, for people who read it.
    pub seats: Vec<String>,
    pub variants: Vec<String>,
    pub settings: Vec<String>,
    pub lines: Vec<Line>,
    /// Whether the file ends as a whole one does; a torn file still gives what it has.
    pub complete: bool,
}

/// Why a transcript cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TranscriptError {
    #[error("this is not a transcript: it must start with `{}`", Transcript::TITLE)]
    NotATranscript,
    #[error(
        "the transcript is of version {found}, whose dice and shuffles were others; this program plays `{}` and cannot replay it",
        Transcript::TITLE
    )]
    OtherVersion { found: String },
    #[error("line {line}: {message}")]
    Line { line: usize, message: String },
    #[error("the transcript is cut off after {answers} answers: its last line must be `end`")]
    Truncated { answers: usize },
    #[error("the transcript is of `{found}`, not of `{expected}`")]
    OtherGame { expected: String, found: String },
    #[error(
        "the transcript was made with other content (hash {found:016x}, now {expected:016x}); `--anyway` plays it as far as it goes"
    )]
    OtherContent { expected: u64, found: u64 },
    #[error(
        "answer {number}: the game asks p{seat} for `{asked}`, the transcript has p{found_seat} answering `{found}`"
    )]
    OtherQuestion {
        number: usize,
        seat: u8,
        asked: String,
        found_seat: u8,
        found: String,
    },
    #[error("answer {number}: {error}")]
    Answer { number: usize, error: AnswerError },
    #[error("answer {number}: the game was over before it")]
    TooLong { number: usize },
    #[error(transparent)]
    Broken(#[from] BrokenRule),
}

impl Transcript {
    /// The first line of every transcript.
    pub const TITLE: &str = "ludoteca transcript 2";

    /// What every transcript starts with, whatever its version.
    const ANY_TITLE: &str = "ludoteca transcript ";

    /// An empty transcript of a match that begins.
    pub fn new(game: &Game, players: u8, seed: u64) -> Transcript {
        Transcript {
            game: game.definition.id.clone(),
            version: game.definition.version.clone(),
            content: game.definition.hash,
            players,
            seed,
            complete: true,
            ..Transcript::default()
        }
    }

    /// Adds what was answered since, from the events of a match.
    pub fn note(&mut self, table: &crate::script::table::Table, events: &[Event]) {
        for event in events {
            if let Event::Chosen {
                seat, prompt, keys, ..
            } = event
            {
                let prompt = say::prompt_key(table, *prompt).to_string();
                self.lines.push(Line {
                    seat: *seat,
                    prompt,
                    keys: keys.clone(),
                });
            }
        }
    }

    pub fn parse(text: &str) -> Result<Transcript, TranscriptError> {
        let mut lines = text.lines().enumerate().map(|(n, line)| (n + 1, line));
        let title = lines.next().map_or("", |(_, line)| line.trim_end());
        if title != Transcript::TITLE {
            return Err(match title.strip_prefix(Transcript::ANY_TITLE) {
                Some(found) => TranscriptError::OtherVersion {
                    found: found.to_string(),
                },
                None => TranscriptError::NotATranscript,
            });
        }
        let mut found = Transcript::default();
        for (number, line) in lines.by_ref() {
            let wrong = |message: String| TranscriptError::Line {
                line: number,
                message,
            };
            let (word, value) = line.split_once(' ').unwrap_or((line, ""));
            match word {
                "game" => found.game = value.into(),
                "version" => found.version = value.into(),
                "content" => {
                    let hash = u64::from_str_radix(value, 16);
                    found.content = hash
                        .map_err(|_| wrong(format!("expected a content hash, found `{value}`")))?;
                }
                "players" => {
                    found.players = value
                        .parse()
                        .map_err(|_| wrong(format!("expected a number, found `{value}`")))?
                }
                "seed" => {
                    found.seed = value
                        .parse()
                        .map_err(|_| wrong(format!("expected a seed, found `{value}`")))?
                }
                "seats" => found.seats = value.split(',').map(str::to_string).collect(),
                "variant" => found.variants.push(value.into()),
                "set" => found.settings.push(value.into()),
                "answers" => break,
                other => return Err(wrong(format!("unknown word `{other}`"))),
            }
        }
        if found.game.is_empty() || found.players == 0 {
            return Err(TranscriptError::Line {
                line: 1,
                message: "the header lacks the game or the number of players".into(),
            });
        }
        for (number, line) in lines {
            if line == "end" {
                found.complete = true;
                break;
            }
            found
                .lines
                .push(parse_line(line).ok_or_else(|| TranscriptError::Line {
                    line: number,
                    message: format!("expected `p0 prompt option`, found `{line}`"),
                })?);
        }
        Ok(found)
    }

    /// Plays the transcript on a game. Stops at the first answer that does not fit; the match then stands right before it.
    pub fn replay(
        &self,
        game: Arc<Game>,
        watch: bool,
        anyway: bool,
    ) -> (Match, Result<Status, TranscriptError>) {
        let mut played = Match::new(game, self.players, self.seed);
        if watch {
            played.table.events = Some(Vec::new());
        }
        let result = self
            .fits(&played, anyway)
            .and_then(|()| self.play(&mut played));
        (played, result)
    }

    fn fits(&self, played: &Match, anyway: bool) -> Result<(), TranscriptError> {
        let definition = &played.game().definition;
        if self.game != definition.id {
            return Err(TranscriptError::OtherGame {
                expected: definition.id.clone(),
                found: self.game.clone(),
            });
        }
        if self.content != definition.hash && !anyway {
            return Err(TranscriptError::OtherContent {
                expected: definition.hash,
                found: self.content,
            });
        }
        Ok(())
    }

    fn play(&self, played: &mut Match) -> Result<Status, TranscriptError> {
        for at in 0..self.lines.len() {
            self.answer(played, at)?;
        }
        Ok(played.advance()?)
    }

    /// Gives one of the answers to a match that stands right before it.
    pub fn answer(&self, played: &mut Match, at: usize) -> Result<(), TranscriptError> {
        let (line, number) = (&self.lines[at], at + 1);
        if played.advance()? == Status::Over {
            return Err(TranscriptError::TooLong { number });
        }
        let Some(choice) = played.choice() else {
            return Err(TranscriptError::TooLong { number });
        };
        let asked = say::prompt_key(&played.table, choice.prompt);
        if asked != line.prompt || choice.ask(line.seat).is_none() {
            return Err(TranscriptError::OtherQuestion {
                number,
                seat: choice.waiting().unwrap_or(0),
                asked: asked.to_string(),
                found_seat: line.seat,
                found: line.prompt.clone(),
            });
        }
        played
            .answer_keys(line.seat, &line.keys)
            .map_err(|error| TranscriptError::Answer { number, error })
    }
}

/// `p0 prompt key`, several keys behind each other, `-` for none. Keys are ids and numbers: they have no blanks.
fn parse_line(line: &str) -> Option<Line> {
    let mut words = line.split(' ');
    let seat = words.next()?.strip_prefix('p')?.parse().ok()?;
    let prompt = words.next()?.to_string();
    let keys = words
        .filter(|key| *key != "-")
        .map(str::to_string)
        .collect();
    Some(Line { seat, prompt, keys })
}

impl fmt::Display for Transcript {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{}\ngame {}\nversion {}\ncontent {:016x}",
            Transcript::TITLE,
            self.game,
            self.version,
            self.content
        )?;
        writeln!(f, "players {}\nseed {}", self.players, self.seed)?;
        if !self.seats.is_empty() {
            writeln!(f, "seats {}", self.seats.join(","))?;
        }
        for variant in &self.variants {
            writeln!(f, "variant {variant}")?;
        }
        for setting in &self.settings {
            writeln!(f, "set {setting}")?;
        }
        writeln!(f, "answers")?;
        for line in &self.lines {
            let keys = if line.keys.is_empty() {
                "-".to_string()
            } else {
                line.keys.join(" ")
            };
            writeln!(f, "p{} {} {keys}", line.seat, line.prompt)?;
        }
        writeln!(f, "end")
    }
}
