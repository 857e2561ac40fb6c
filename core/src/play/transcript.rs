//! A match as text: what it was played with, then one answer a line. Small, readable, and enough to play it again.

use super::matches::{BrokenRule, Match, Status};
use super::say;
use crate::content::definition::PackUsed;
use crate::content::legible::shortened;
use crate::content::library::Selection;
use crate::limits::{LONGEST_HEAD, MOST_ANSWERS, MOST_NAMED, MOST_OF_A_KIND, MOST_PLAYERS};
use crate::table::choice::AnswerError;
use crate::table::event::Event;
use crate::table::game::Game;
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
///
/// ```
/// use ludoteca::{Selection, Session, Sitter, Transcript};
/// # let pack = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/race.rs"));
/// # let (library, _) = ludoteca::Library::open(&[pack]);
/// # let game = ludoteca::load(&library, "race", &Default::default()).expect("it was checked");
/// let person = |name: &str| Sitter { name: name.into(), chooser: None };
/// let both = || vec![person("Ana"), person("Eva")];
/// let mut session = Session::new(game.clone(), both(), 7, &Selection::default());
/// session.go_on()?;
/// session.answer_keys(0, &["3".into()])?;
///
/// let saved = Transcript::parse(&session.transcript.to_string())?;
/// let (mut again, followed) = Session::load(game, both(), &saved.selection(), &saved);
/// again.go_on()?;
/// assert_eq!((followed.fitted, again.asked()), (1, vec![1]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
    /// The packs beside the base that the game was made of.
    pub packs: Vec<PackUsed>,
    /// The answers that count: those that were taken back are gone.
    pub lines: Vec<Line>,
    /// Whether the match was played to its end.
    pub over: bool,
    /// Whether the last line was not whole, and was dropped: somebody stopped while it was written.
    pub torn: bool,
}

/// Why a transcript cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TranscriptError {
    #[error("this is not a transcript: it must start with `{}`", Transcript::TITLE)]
    NotATranscript,
    #[error(
        "the transcript is of version {found}, whose dice and shuffles were others; this program plays version {} and cannot replay it",
        Transcript::VERSION
    )]
    OtherVersion { found: String },
    #[error("line {line}: {message}")]
    Line { line: usize, message: String },
    #[error(
        "the transcript says that the match is over after {answers} answers; by the rules it is not"
    )]
    NotOver { answers: usize },
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
    /// The first words of every transcript; its version follows them.
    pub const TITLE: &str = "ludoteca transcript";
    pub const VERSION: &str = "2";

    /// The variants and settings it was played with.
    pub fn selection(&self) -> Selection {
        let setting = |written: &String| {
            let (key, value) = written.split_once('=').unwrap_or((written, ""));
            (key.to_string(), value.to_string())
        };
        Selection {
            variants: self.variants.clone(),
            set: self.settings.iter().map(setting).collect(),
        }
    }

    /// An empty transcript of a match that begins.
    pub fn new(game: &Game, players: u8, seed: u64) -> Transcript {
        Transcript {
            game: game.definition.id.clone(),
            version: game.definition.version.clone(),
            content: game.definition.hash,
            players,
            seed,
            packs: game.definition.packs.clone(),
            ..Transcript::default()
        }
    }

    /// The packs of the match that are not among those there are, each with what to do about it.
    pub fn missing(&self, there: &[PackUsed]) -> Vec<String> {
        let told = |pack: &PackUsed| {
            let PackUsed {
                name,
                version,
                hash,
            } = pack;
            let found = there.iter().find(|known| known.name == *name);
            let (name, version) = (shortened(name), shortened(version));
            let what = match found {
                Some(known) if known.hash == *hash => return None,
                Some(known) if known.version == pack.version => {
                    "is here with other files".to_string()
                }
                Some(known) => format!("is here as {}", known.version),
                None => "is not here".to_string(),
            };
            Some(format!(
                "the match was played with the pack `{name}` {version}, which {what}: `ludoteca pack add {name}@={version}` gets it"
            ))
        };
        let mut missing: Vec<String> = self.packs.iter().filter_map(told).collect();
        let more = missing.len().saturating_sub(MOST_OF_A_KIND);
        if more > 0 {
            missing.truncate(MOST_OF_A_KIND);
            missing.push(format!("{more} packs more are missing"));
        }
        missing
    }

    /// Adds what was answered since, from the events of a match.
    pub fn note(&mut self, table: &crate::table::Table, events: &[Event]) {
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

    /// Reads a transcript. A last line without its end was being written when somebody stopped; it is dropped.
    pub fn parse(text: &str) -> Result<Transcript, TranscriptError> {
        let whole = &text[..text.rfind('\n').map_or(0, |at| at + 1)];
        let mut lines = whole.lines().enumerate().map(|(n, line)| (n + 1, line));
        let title = lines.next().map_or("", |(_, line)| line);
        match title.strip_prefix(Transcript::TITLE).map(str::trim) {
            Some(Transcript::VERSION) => {}
            Some(other) if other.parse::<u32>().is_ok() => {
                let found = shortened(other).into_owned();
                return Err(TranscriptError::OtherVersion { found });
            }
            _ => return Err(TranscriptError::NotATranscript),
        }
        let mut found = Transcript {
            torn: whole.len() < text.len(),
            ..Transcript::default()
        };
        let wrong = |line: usize| move |message: String| TranscriptError::Line { line, message };
        for (number, line) in lines.by_ref() {
            if line == "answers" {
                break;
            }
            found.read_header(line).map_err(wrong(number))?;
            let named = found.variants.len() + found.settings.len() + found.packs.len();
            if named > MOST_NAMED {
                let message = format!("expected at most {MOST_NAMED} variants, settings and packs");
                return Err(wrong(number)(message));
            }
        }
        if found.game.is_empty() || found.players == 0 {
            let message = "the header lacks the game or the number of players";
            return Err(wrong(1)(message.into()));
        }
        let mut room = MOST_ANSWERS;
        for (number, line) in lines {
            found.read_line(line, &mut room).map_err(wrong(number))?;
        }
        Ok(found)
    }

    fn read_header(&mut self, line: &str) -> Result<(), String> {
        if line.len() > LONGEST_HEAD {
            let kib = LONGEST_HEAD >> 10;
            return Err(format!("expected at most {kib} KiB in a line"));
        }
        let (word, written) = line.split_once(' ').unwrap_or((line, ""));
        let value = unescaped(written).ok_or_else(|| not_escaped(written))?;
        match word {
            "game" => self.game = value,
            "version" => self.version = value,
            "content" => {
                self.content = u64::from_str_radix(&value, 16).map_err(|_| {
                    format!("expected a content hash, found `{}`", shortened(&value))
                })?;
            }
            "players" => {
                self.players = value
                    .parse()
                    .map_err(|_| format!("expected a number, found `{}`", shortened(&value)))?;
            }
            "seed" => {
                self.seed = value
                    .parse()
                    .map_err(|_| format!("expected a seed, found `{}`", shortened(&value)))?;
            }
            "seats" => {
                let most = usize::from(MOST_PLAYERS);
                let seats = value.split(',').take(most + 1).map(str::to_string);
                self.seats = seats.collect();
                if self.seats.len() > most {
                    return Err(format!("expected at most {most} seats"));
                }
            }
            "variant" => self.variants.push(value),
            "set" => self.settings.push(value),
            "pack" => {
                let parts: Vec<&str> = value.splitn(4, ' ').collect();
                let [name, version, hash] = parts[..] else {
                    return Err(format!(
                        "expected `pack NAME VERSION HASH`, found `{}`",
                        shortened(line)
                    ));
                };
                let hash = u64::from_str_radix(hash, 16).map_err(|_| {
                    format!("expected the hash of a pack, found `{}`", shortened(hash))
                })?;
                self.packs.push(PackUsed {
                    name: name.to_string(),
                    version: version.to_string(),
                    hash,
                });
            }
            other => return Err(format!("unknown word `{}`", shortened(other))),
        }
        Ok(())
    }

    /// An answer, `undo` with how many answers are taken back, or `end`. `room` is for how many answers and options there still is.
    fn read_line(&mut self, line: &str, room: &mut usize) -> Result<(), String> {
        let shown = shortened(line);
        if self.over {
            return Err(format!("expected nothing behind `end`, found `{shown}`"));
        }
        if line == "end" {
            self.over = true;
        } else if let Some(count) = line.strip_prefix("undo ") {
            let left = count
                .parse()
                .ok()
                .and_then(|count: usize| self.lines.len().checked_sub(count));
            let left = left.ok_or_else(|| {
                let answers = self.lines.len();
                let found = shortened(count);
                format!("expected how many of {answers} answers are taken back, found `{found}`")
            })?;
            self.lines.truncate(left);
        } else {
            let taken = line.split(' ').count();
            *room = room.checked_sub(taken).ok_or_else(|| {
                format!("expected answers of at most {MOST_ANSWERS} words in all")
            })?;
            let line = Line::parse(line)
                .ok_or_else(|| format!("expected `p0 prompt option`, found `{shown}`"))?;
            self.lines.push(line);
        }
        Ok(())
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
                found: shortened(&self.game).into_owned(),
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
                found: shortened(&line.prompt).into_owned(),
            });
        }
        played
            .answer_keys(line.seat, &line.keys)
            .map_err(|error| TranscriptError::Answer { number, error })
    }
}

impl Line {
    /// `p0 prompt key`, several keys behind each other, `-` for none.
    fn parse(line: &str) -> Option<Line> {
        let mut words = line.split(' ');
        let seat = words.next()?.strip_prefix('p')?.parse().ok()?;
        let prompt = unescaped(words.next()?)?;
        let keys = match words.clone().next()? {
            "-" if words.clone().count() == 1 => Vec::new(),
            _ => words.map(unescaped).collect::<Option<_>>()?,
        };
        Some(Line { seat, prompt, keys })
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "p{} {}", self.seat, word(&self.prompt))?;
        if self.keys.is_empty() {
            return write!(f, " -");
        }
        self.keys
            .iter()
            .try_for_each(|key| write!(f, " {}", word(key)))
    }
}

/// A text as one word: ids stay as they are, and what would end the word or be taken for something else is written with a backslash.
fn word(text: &str) -> String {
    match text {
        "" => r"\e".into(),
        "-" => r"\-".into(),
        text => escaped(text).replace(' ', r"\s"),
    }
}

/// A text on one line.
fn escaped(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\\' => line.push_str(r"\\"),
            '\n' => line.push_str(r"\n"),
            // Whatever else could be taken for the end of a line, or for nothing at all.
            odd if odd.is_control() || (odd.is_whitespace() && odd != ' ') => {
                line.extend(odd.escape_unicode());
            }
            plain => line.push(plain),
        }
    }
    line
}

/// What [`escaped`] or [`word`] was given; none if it is not what they write.
fn unescaped(line: &str) -> Option<String> {
    let mut text = String::with_capacity(line.len());
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        if letter != '\\' {
            text.push(letter);
            continue;
        }
        match letters.next()? {
            '\\' => text.push('\\'),
            'n' => text.push('\n'),
            's' => text.push(' '),
            '-' => text.push('-'),
            'e' => {}
            'u' => {
                let (number, rest) = letters.as_str().strip_prefix('{')?.split_once('}')?;
                text.push(char::from_u32(u32::from_str_radix(number, 16).ok()?)?);
                letters = rest.chars();
            }
            _ => return None,
        }
    }
    Some(text)
}

fn not_escaped(written: &str) -> String {
    format!(
        r"expected a text in which `\\` stands for a backslash, found `{}`",
        shortened(written)
    )
}

impl fmt::Display for Transcript {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} {}\ngame {}\nversion {}\ncontent {:016x}",
            Transcript::TITLE,
            Transcript::VERSION,
            escaped(&self.game),
            escaped(&self.version),
            self.content
        )?;
        writeln!(f, "players {}\nseed {}", self.players, self.seed)?;
        if !self.seats.is_empty() {
            writeln!(f, "seats {}", escaped(&self.seats.join(",")))?;
        }
        for variant in &self.variants {
            writeln!(f, "variant {}", escaped(variant))?;
        }
        for setting in &self.settings {
            writeln!(f, "set {}", escaped(setting))?;
        }
        for PackUsed {
            name,
            version,
            hash,
        } in &self.packs
        {
            writeln!(f, "pack {} {} {hash:016x}", escaped(name), escaped(version))?;
        }
        writeln!(f, "answers")?;
        for line in &self.lines {
            writeln!(f, "{line}")?;
        }
        if self.over {
            writeln!(f, "end")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_keys(keys: &[&str]) -> Transcript {
        Transcript {
            game: "heap".into(),
            players: 2,
            settings: vec!["motto=two words\nand \\ a line".into(), "empty=".into()],
            lines: vec![Line {
                seat: 1,
                prompt: "take".into(),
                keys: keys.iter().map(|key| key.to_string()).collect(),
            }],
            ..Transcript::default()
        }
    }

    #[test]
    fn any_word_comes_back_as_it_was() {
        let odd = [
            &[][..],
            &["-"],
            &[""],
            &["", ""],
            &["-", "a"],
            &["two words", " ", "  both ends "],
            &["a\nb", "\r\n", "\t", "\u{85}\u{2028}\u{a0}", "\0"],
            &["\\", "\\n", "\\s\\", "\\-", "\\e", "\\u{41}"],
            &["end"],
            &["Ñandú", "p1", "undo"],
        ];
        for keys in odd {
            let transcript = with_keys(keys);
            let text = transcript.to_string();
            assert_eq!(text.lines().count(), 10, "one answer, one line: {text}");
            assert_eq!(Transcript::parse(&text).unwrap(), transcript, "{text}");
        }
    }

    #[test]
    fn a_torn_last_line_is_dropped_wherever_it_is_torn() {
        let mut transcript = with_keys(&["1"]);
        let head = transcript.to_string();
        transcript.lines.push(transcript.lines[0].clone());
        let text = transcript.to_string();
        transcript.lines.pop();
        for cut in head.len()..text.len() {
            let read = Transcript::parse(&text[..cut]).unwrap();
            assert_eq!(read.lines, transcript.lines);
            assert_eq!(read.torn, cut > head.len());
        }
    }

    #[test]
    fn what_was_taken_back_is_gone() {
        let text = with_keys(&["1"]).to_string();
        let read = |more: &str| Transcript::parse(&format!("{text}{more}"));
        let kept = read("p0 take 2\np1 take 3\nundo 2\np0 take 1\n").unwrap();
        let kept: Vec<String> = kept.lines.iter().map(Line::to_string).collect();
        assert_eq!(kept, ["p1 take 1", "p0 take 1"]);
        for wrong in [
            "undo 2\n",
            "undo\n",
            "undo x\n",
            "end\np0 take 1\n",
            "p0 take\n",
            "p0 take \\x\n",
        ] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }

    /// What a stranger's file may be full of, each with what is said of it.
    #[test]
    fn a_saved_match_that_means_harm_is_refused_in_few_words() {
        let whole = with_keys(&["1"]).to_string();
        let named = |line: &str, times: usize| {
            let lines: String = std::iter::repeat_n(format!("{line}\n"), times).collect();
            whole.replacen("answers\n", &format!("{lines}answers\n"), 1)
        };
        let answered = |line: &str, times: usize| {
            let lines = std::iter::repeat_n(format!("{line}\n"), times);
            lines.fold(whole.clone(), |text, line| text + line.as_str())
        };
        let long = "x".repeat(3 << 20);
        let nine = "9".repeat(9000);
        for (text, says) in [
            (named("set motto=x", MOST_NAMED), "1000 variants"),
            (named("variant odd", MOST_NAMED + 1), "1000 variants"),
            (named("pack a 1.0.0 00", MOST_NAMED + 1), "1000 variants"),
            (named(&format!("set motto={long}"), 1), "16 KiB in a line"),
            (named(&format!("seats {}", "a,".repeat(17)), 1), "16 seats"),
            (named(&format!("seed {nine}"), 1), "expected a seed"),
            (named(&format!("{nine} x"), 1), "unknown word `999"),
            (
                named(&format!("pack {}", "a ".repeat(4000)), 1),
                "NAME VERSION HASH",
            ),
            (named(&format!("game \\{nine}"), 1), "a backslash"),
            (answered("p0 a s", MOST_ANSWERS / 3 + 1), "2000000 words"),
            (
                answered(&format!("p0 a{}", " s".repeat(MOST_ANSWERS)), 1),
                "2000000 words",
            ),
            (answered(&long, 1), "expected `p0 prompt option`"),
            (answered(&format!("undo {long}"), 1), "are taken back"),
            (answered("end", 2), "expected nothing behind `end`"),
            (
                format!("ludoteca transcript {}\n", "1".repeat(9)),
                "of version 1",
            ),
        ] {
            let told = Transcript::parse(&text).expect_err(says).to_string();
            assert!(told.contains(says), "{says}: {told}");
            assert!(told.len() < 400, "{says}: {} letters", told.len());
        }
        let fine = Transcript::parse(&named("set motto=x", MOST_NAMED - 2));
        assert_eq!(fine.expect("so many may be").settings.len(), MOST_NAMED);
        let mut missing = with_keys(&[]);
        missing.packs = (0..MOST_NAMED)
            .map(|n| PackUsed {
                name: format!("{n}{nine}"),
                version: nine.clone(),
                hash: 0,
            })
            .collect();
        let told = missing.missing(&[]);
        assert_eq!(
            told.last().map(String::as_str),
            Some("980 packs more are missing")
        );
        assert!(told.concat().len() < 20_000);
    }

    #[test]
    fn other_versions_are_refused_in_one_sentence() {
        let text = with_keys(&[]).to_string();
        let refused = |title: &str| {
            let text = text.replace("ludoteca transcript 2", title);
            Transcript::parse(&text).unwrap_err().to_string()
        };
        insta::assert_snapshot!(refused("ludoteca transcript 1"), @"the transcript is of version 1, whose dice and shuffles were others; this program plays version 2 and cannot replay it");
        insta::assert_snapshot!(refused("ludoteca transcripts"), @"this is not a transcript: it must start with `ludoteca transcript`");
    }
}
