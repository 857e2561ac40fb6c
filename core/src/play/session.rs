//! A match with everybody at its table, for every door: bots answer by themselves, the others are asked, answers can be taken back,
//! everything that happens can be heard again, and content can be swapped underneath.

pub mod pace;

use super::driver::{Chooser, Driver};
use super::journal::{Journal, JournalError, NotKept};
use super::matches::{BrokenRule, Match, Position, Status};
use super::offer::{self, Offer};
use super::ranking::Rank;
use super::say::{self, Language};
use super::transcript::{Transcript, TranscriptError};
use super::view::{self, Heard, Shown, View};
use crate::content::library::Selection;
use crate::limits::KEPT_POSITIONS;
use crate::table::Table;
use crate::table::choice::{AnswerError, Choice, LEAVE};
use crate::table::event::Event;
use crate::table::game::Game;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// The step being played: the script function and whose it is.
#[derive(Debug, Clone)]
pub struct Now {
    pub function: String,
    pub seat: Option<u8>,
}

/// The moment before somebody from outside answered. The latest also hold their position; older ones are played again when wanted.
#[derive(Debug, Clone)]
struct Moment {
    seat: u8,
    position: Option<Position>,
    answers: usize,
    /// How much had been told by then.
    told: usize,
    now: Option<Now>,
}

/// Why a match cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum Stopped {
    #[error(transparent)]
    Broken(#[from] BrokenRule),
    #[error("a bot gave an answer that was not offered: {0}")]
    Bot(#[from] AnswerError),
    #[error(transparent)]
    NotKept(#[from] NotKept),
}

impl Stopped {
    /// A stable name for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Stopped::NotKept(_) => NOT_KEPT,
            Stopped::Broken(_) | Stopped::Bot(_) => "broken-rules",
        }
    }
}

/// The code of what could not be put on disk.
const NOT_KEPT: &str = "not-kept";

/// Why an answer does not count.
#[derive(Debug, thiserror::Error)]
pub enum NotTaken {
    #[error(transparent)]
    Answer(#[from] AnswerError),
    #[error(transparent)]
    NotKept(#[from] NotKept),
}

impl NotTaken {
    /// A stable name for programs.
    pub fn code(&self) -> &'static str {
        match self {
            NotTaken::Answer(error) => error.code(),
            NotTaken::NotKept(_) => NOT_KEPT,
        }
    }
}

/// Why nothing is taken back.
#[derive(Debug, thiserror::Error)]
pub enum NotUndone {
    #[error("there is nothing to take back")]
    Nothing,
    #[error("p{0} has answered since")]
    OthersAnswered(u8),
    #[error("something was revealed since")]
    Revealed,
    #[error(transparent)]
    NotKept(#[from] NotKept),
}

/// How far the answers of a transcript went.
#[derive(Debug)]
pub struct Followed {
    pub fitted: usize,
    pub of: usize,
    /// Why the first that does not fit does not.
    pub misfit: Option<TranscriptError>,
}

/// Who sits down on a seat: a name for those who read the transcript, and how it chooses if nobody outside does.
#[derive(Debug)]
pub struct Sitter {
    pub name: String,
    pub chooser: Option<Box<dyn Chooser>>,
}

/// One match with its seats, for whoever lets people or programs play it.
///
/// ```
/// use ludoteca::{Language, Selection, Session, Sitter, Status};
/// # let pack = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/race.rs"));
/// # let (library, _) = ludoteca::Library::open(&[pack]);
/// # let game = ludoteca::load(&library, "race", &Default::default()).expect("it was checked");
/// let person = |name: &str| Sitter { name: name.into(), chooser: None };
/// let mut session = Session::new(game, vec![person("Ana"), person("Eva")], 7, &Selection::default());
/// assert_eq!(session.go_on()?, Status::Asking);
/// assert_eq!(session.asked(), [0]);
/// session.answer_keys(0, &["2".into()])?;
/// session.go_on()?;
/// assert_eq!(session.asked(), [1]);
///
/// // What was answered can be taken back, as long as nobody has answered or seen anything since; a fork goes its own way.
/// let fork = session.fork(vec![person("Ana"), person("Eva")]);
/// session.undo(0)?;
/// session.go_on()?;
/// assert_eq!((session.asked(), fork.asked()), (vec![0], vec![1]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Session {
    pub(crate) played: Match,
    pub transcript: Transcript,
    pub now: Option<Now>,
    drivers: Vec<Option<Driver>>,
    former: Vec<Moment>,
    /// Everything that happened and was not forgotten, and how much was.
    told: Vec<Event>,
    forgotten: usize,
    /// Where the match is kept, and how many of its answers are there.
    journal: Option<Journal>,
    kept: usize,
}

/// Beginning, and coming back.
impl Session {
    pub fn new(game: Arc<Game>, sitters: Vec<Sitter>, seed: u64, selection: &Selection) -> Session {
        let players = sitters.len() as u8;
        let mut transcript = Transcript::new(&game, players, seed);
        transcript.seats = sitters.iter().map(|sitter| sitter.name.clone()).collect();
        transcript.variants = selection.variants.clone();
        transcript.settings = selection
            .set
            .iter()
            .map(|(key, value)| format!("{key}={value}"))
            .collect();
        Session {
            played: watched(game, players, seed),
            transcript,
            now: None,
            drivers: drivers(sitters, seed),
            former: Vec::new(),
            told: Vec::new(),
            forgotten: 0,
            journal: None,
            kept: 0,
        }
    }

    /// Goes on with a saved match as far as its answers fit this content.
    pub fn load(
        game: Arc<Game>,
        sitters: Vec<Sitter>,
        selection: &Selection,
        saved: &Transcript,
    ) -> (Session, Followed) {
        let mut session = Session::new(game, sitters, saved.seed, selection);
        let followed = session.follow(saved);
        (session, followed)
    }

    /// The same match at the same moment with somebody else, or the same, at its table; it is kept nowhere.
    pub fn fork(&self, sitters: Vec<Sitter>) -> Session {
        let seed = self.transcript.seed;
        let mut played = watched(self.game().clone(), self.players(), seed);
        played.take_over(&self.played);
        let mut transcript = self.transcript.clone();
        transcript.seats = sitters.iter().map(|sitter| sitter.name.clone()).collect();
        Session {
            played,
            transcript,
            now: self.now.clone(),
            drivers: drivers(sitters, seed),
            former: self.former.clone(),
            told: self.told.clone(),
            forgotten: self.forgotten,
            journal: None,
            kept: 0,
        }
    }

    /// Puts other content under the match: its answers are played again as far as they go, and it is kept where it was.
    pub fn swap(
        &mut self,
        game: Arc<Game>,
        sitters: Vec<Sitter>,
        selection: &Selection,
    ) -> Result<Followed, NotKept> {
        let (mut again, followed) = Session::load(game, sitters, selection, &self.transcript);
        again.keep_instead_of(self)?;
        *self = again;
        Ok(followed)
    }

    /// Keeps the match in a file from now on: whatever counts is on disk before anybody is told of it.
    pub fn keep_in(&mut self, path: &Path) -> Result<(), JournalError> {
        self.journal = Some(Journal::begin(path, &self.transcript)?);
        self.kept = self.transcript.lines.len();
        Ok(())
    }

    fn keep_instead_of(&mut self, other: &mut Session) -> Result<(), NotKept> {
        if let Some(journal) = &mut other.journal {
            journal.begin_again(&self.transcript)?;
        }
        self.journal = other.journal.take();
        self.kept = self.transcript.lines.len();
        Ok(())
    }

    /// Plays the answers of a transcript as far as they fit; the match then stands right before the first that does not.
    fn follow(&mut self, other: &Transcript) -> Followed {
        let before = self.transcript.lines.len();
        let misfit = (0..other.lines.len()).find_map(|at| self.follow_one(other, at).err());
        Followed {
            fitted: self.transcript.lines.len() - before,
            of: other.lines.len(),
            misfit,
        }
    }

    /// Gives one of the answers of a transcript to a match that stands right before it.
    pub fn follow_one(&mut self, other: &Transcript, at: usize) -> Result<(), TranscriptError> {
        self.played.advance()?;
        self.listen();
        let seat = other.lines[at].seat;
        let moment = self.moment(seat);
        other.answer(&mut self.played, at)?;
        self.listen();
        if self.drivers.get(seat as usize).is_some_and(Option::is_none) {
            self.remember(moment);
        }
        Ok(())
    }
}

/// Playing.
impl Session {
    /// Goes on until somebody from outside must choose, or the game is over.
    pub fn go_on(&mut self) -> Result<Status, Stopped> {
        let status = loop {
            match self.let_one_bot_answer() {
                Ok(Went::Bot(_)) => {}
                Ok(Went::Asking) => break Ok(Status::Asking),
                Ok(Went::Over) => break Ok(Status::Over),
                Err(stopped) => break Err(stopped),
            }
        };
        self.transcript.over = matches!(status, Ok(Status::Over));
        self.keep()?;
        status
    }

    /// Goes on until one bot has answered, somebody from outside must choose, or the game is over: so that what bots do can be watched.
    pub fn go_on_once(&mut self) -> Result<Went, Stopped> {
        let step = self.let_one_bot_answer();
        self.transcript.over = matches!(step, Ok(Went::Over));
        self.keep()?;
        step
    }

    fn let_one_bot_answer(&mut self) -> Result<Went, Stopped> {
        let status = self.played.advance();
        self.listen();
        if status? == Status::Over {
            return Ok(Went::Over);
        }
        for seat in self.asked() {
            if let Some(Some(driver)) = self.drivers.get_mut(seat as usize) {
                let picked = driver.pick(&self.played)?;
                self.take_answer(seat, &picked)?;
                return Ok(Went::Bot(seat));
            }
        }
        Ok(Went::Asking)
    }

    /// The seats that have not answered the open choice yet.
    pub fn asked(&self) -> Vec<u8> {
        self.played.choice().map(waiting).unwrap_or_default()
    }

    /// Whether a bot answers for a seat.
    pub fn is_bot(&self, seat: u8) -> bool {
        self.drivers.get(seat as usize).is_some_and(Option::is_some)
    }

    /// What a seat is asked now.
    pub fn offer(&mut self, seat: u8, language: Language) -> Option<Offer> {
        Offer::new(&mut self.played, seat, language)
    }

    /// An answer from outside, by the numbers of the options.
    pub fn answer(&mut self, seat: u8, picked: &[u32]) -> Result<(), NotTaken> {
        let moment = self.moment(seat);
        self.take_answer(seat, picked)?;
        self.remember(moment);
        Ok(self.keep()?)
    }

    /// The same, by their keys.
    pub fn answer_keys(&mut self, seat: u8, keys: &[String]) -> Result<(), NotTaken> {
        if keys == [LEAVE] {
            return self.leave(seat);
        }
        let choice = self.played.choice().ok_or(AnswerError::NotAsked(seat))?;
        let picked = choice.find(&self.played.table, seat, keys)?;
        self.answer(seat, &picked)
    }

    /// A player leaves instead of answering, where the game allows it.
    pub fn leave(&mut self, seat: u8) -> Result<(), NotTaken> {
        let moment = self.moment(seat);
        self.played.leave(seat)?;
        self.listen();
        self.remember(moment);
        Ok(self.keep()?)
    }

    fn take_answer(&mut self, seat: u8, picked: &[u32]) -> Result<(), AnswerError> {
        self.played.answer(seat, picked)?;
        self.listen();
        Ok(())
    }

    /// Puts on disk what has been answered since.
    fn keep(&mut self) -> Result<(), NotKept> {
        if let Some(journal) = &mut self.journal {
            let new = &self.transcript.lines[self.kept..];
            journal.note(new, self.transcript.over)?;
            self.kept = self.transcript.lines.len();
        }
        Ok(())
    }

    fn listen(&mut self) {
        let events = self.played.table.events.replace(Vec::new());
        let events = events.unwrap_or_default();
        self.transcript.note(&self.played.table, &events);
        for event in &events {
            if let Event::Step { function, seat } = event {
                self.now = Some(Now {
                    function: function.clone(),
                    seat: *seat,
                });
            }
        }
        self.told.extend(events);
    }
}

/// Taking back.
impl Session {
    /// Back to the former choice of a seat, if nobody else has answered since and the seat has learnt nothing new.
    pub fn undo(&mut self, seat: u8) -> Result<(), NotUndone> {
        let at = self.former_choice_of(seat)?;
        let later = &self.former[at + 1..];
        if let Some(other) = later.iter().find(|moment| moment.seat != seat) {
            return Err(NotUndone::OthersAnswered(other.seat));
        }
        let known = self.former[at].told.saturating_sub(self.forgotten);
        if self.told[known..]
            .iter()
            .any(|event| event.reveals_to(seat))
        {
            return Err(NotUndone::Revealed);
        }
        Ok(self.go_back(at)?)
    }

    /// Back to the former choice of a seat, whatever has happened since: for those who agree on it, or play alone.
    pub fn take_back(&mut self, seat: u8) -> Result<(), NotUndone> {
        let at = self.former_choice_of(seat)?;
        Ok(self.go_back(at)?)
    }

    /// Back to the last choice anybody from outside answered.
    pub fn take_back_last(&mut self) -> Result<(), NotUndone> {
        let at = self.former.len().checked_sub(1);
        Ok(self.go_back(at.ok_or(NotUndone::Nothing)?)?)
    }

    fn former_choice_of(&self, seat: u8) -> Result<usize, NotUndone> {
        let found = self.former.iter().rposition(|moment| moment.seat == seat);
        found.ok_or(NotUndone::Nothing)
    }

    fn moment(&self, seat: u8) -> Moment {
        Moment {
            seat,
            position: Some(self.played.position()),
            answers: self.transcript.lines.len(),
            told: self.forgotten + self.told.len(),
            now: self.now.clone(),
        }
    }

    fn remember(&mut self, moment: Moment) {
        self.former.push(moment);
        if let Some(old) = self.former.len().checked_sub(KEPT_POSITIONS + 1) {
            self.former[old].position = None;
        }
    }

    fn go_back(&mut self, at: usize) -> Result<(), NotKept> {
        let moment = self.former[at].clone();
        if let Some(journal) = &mut self.journal
            && self.kept > moment.answers
        {
            journal.undo(self.kept - moment.answers)?;
            self.kept = moment.answers;
        }
        self.transcript.lines.truncate(moment.answers);
        self.transcript.over = false;
        match &moment.position {
            Some(position) => self.played.restore(position),
            None => self.play_again(),
        }
        self.now = moment.now;
        self.former.truncate(at);
        self.told
            .truncate(moment.told.saturating_sub(self.forgotten));
        if let Some(events) = &mut self.played.table.events {
            events.clear();
        }
        Ok(())
    }

    /// Comes to where the transcript stands from the beginning: the same answers give the same match.
    fn play_again(&mut self) {
        self.played.restart(self.transcript.seed);
        for at in 0..self.transcript.lines.len() {
            // They were played before, on the same content.
            let _ = self.transcript.answer(&mut self.played, at);
        }
        let _ = self.played.advance();
    }
}

/// What can be seen and heard.
impl Session {
    pub fn game(&self) -> &Arc<Game> {
        self.played.game()
    }

    /// The table of the match, for whoever puts something on it into words.
    pub fn table(&self) -> &Table {
        &self.played.table
    }

    /// The match itself, for whoever thinks about it or turns it into numbers.
    pub fn as_match(&self) -> &Match {
        &self.played
    }

    /// Lets the game's invariants be looked at after every step.
    pub fn verify(&mut self, verify: bool) {
        self.played.verify = verify;
    }

    /// What those who are asked are asked, in words.
    pub fn question(&self, language: Language) -> Option<String> {
        let choice = self.played.choice()?;
        Some(say::prompt(&self.played.table, choice, language))
    }

    pub fn players(&self) -> u8 {
        self.played.table.players()
    }

    pub fn round(&self) -> u32 {
        self.played.table.state.round
    }

    pub fn is_over(&self) -> bool {
        self.played.is_over()
    }

    /// What a seat sees; `None` is somebody who only watches.
    pub fn view(&self, viewer: Option<u8>, language: Language) -> View {
        view::view(&self.played.table, viewer, language)
    }

    /// The lines a game's own `table_view` shows a seat above the choice it has before it.
    pub fn table_view(&mut self, seat: u8, language: Language) -> Option<Vec<String>> {
        let prompt = self.prompt_key();
        offer::table_view(&mut self.played, seat, &prompt, language)
    }

    /// The lines a game's own `map_view` shows a seat about the board, where it is not drawn.
    pub fn map_view(&mut self, seat: u8, language: Language) -> Option<Vec<String>> {
        let prompt = self.prompt_key();
        offer::map_view(&mut self.played, seat, &prompt, language)
    }

    fn prompt_key(&self) -> String {
        let choice = self.played.choice();
        let prompt = choice.map(|choice| say::prompt_key(&self.played.table, choice.prompt));
        prompt.unwrap_or_default().to_string()
    }

    /// Numbers the rules compute, for a drawn table, as a seat may believe it to be.
    pub fn figures(&self, seat: u8, language: Language) -> Option<BTreeMap<String, Shown>> {
        offer::figures(&self.played, seat, language)
    }

    /// What a viewer hears of everything that happened from the event with this number on, each with its number.
    pub fn events(
        &self,
        since: usize,
        viewer: Option<u8>,
        language: Language,
    ) -> impl Iterator<Item = (usize, Heard)> {
        let skipped = since.saturating_sub(self.forgotten);
        let told = self.told.iter().enumerate().skip(skipped);
        told.filter_map(move |(n, event)| {
            let heard = view::heard(&self.played.table, event, viewer, language)?;
            Some((self.forgotten + n, heard))
        })
    }

    /// What a seat alone hears of it: who looks over its shoulder must not.
    pub fn events_of_its_own(
        &self,
        since: usize,
        seat: u8,
        language: Language,
    ) -> impl Iterator<Item = (usize, Heard)> {
        let mut common = self.events(since, None, language).peekable();
        let own = self.events(since, Some(seat), language);
        own.filter(move |heard| {
            while common.next_if(|(at, _)| *at < heard.0).is_some() {}
            common.next_if(|other| other == heard).is_none()
        })
    }

    /// The event the round began with, 0 before the first.
    pub fn round_began(&self) -> usize {
        let begins = |event: &Event| matches!(event, Event::Round { .. });
        let last = self.told.iter().rposition(begins);
        last.map_or(0, |at| self.forgotten + at)
    }

    /// What a player is called in the game.
    pub fn player_name(&self, seat: u8, language: Language) -> String {
        let name = self.played.table.player_name(seat);
        language.of(&name).to_string()
    }

    /// The language in which rules put texts together (`text(..)`).
    pub fn speak(&mut self, language: Language) {
        self.played.table.language = language;
    }

    /// The number the next event will have.
    pub fn told(&self) -> usize {
        self.forgotten + self.told.len()
    }

    /// Lets go of events that nobody will ask for again.
    pub fn forget(&mut self, before: usize) {
        let gone = before.saturating_sub(self.forgotten).min(self.told.len());
        self.told.drain(..gone);
        self.forgotten += gone;
    }

    /// The only one at the table who is no bot; `None` where several are, who hear what is for all.
    pub fn only_one_outside(&self) -> Option<u8> {
        let mut outside = (0..self.players()).filter(|&seat| !self.is_bot(seat));
        outside.next().filter(|_| outside.next().is_none())
    }

    /// Everybody's place, best first.
    pub fn ranking(&mut self) -> Result<Vec<Rank>, BrokenRule> {
        self.played.ranking()
    }

    /// Why the match ended: for people, and as a stable key.
    pub fn reason(&self, language: Language) -> String {
        say::reason(&self.played.table, language)
    }

    pub fn reason_key(&self) -> String {
        say::reason_key(&self.played.table)
    }
}

/// How far a match went on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Went {
    /// The bot on this seat answered.
    Bot(u8),
    Asking,
    Over,
}

/// A match whose events are kept.
fn watched(game: Arc<Game>, players: u8, seed: u64) -> Match {
    let mut played = Match::new(game, players, seed);
    played.table.events = Some(Vec::new());
    played
}

fn drivers(sitters: Vec<Sitter>, seed: u64) -> Vec<Option<Driver>> {
    let driver = |(seat, sitter): (u8, Sitter)| {
        let chooser = sitter.chooser?;
        Some(Driver::new(chooser, seat, seed))
    };
    (0..).zip(sitters).map(driver).collect()
}

/// The seats that have not answered yet.
fn waiting(choice: &Choice) -> Vec<u8> {
    let waiting = choice.asks.iter().filter(|ask| ask.answer.is_none());
    waiting.map(|ask| ask.seat).collect()
}
