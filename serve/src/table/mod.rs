//! A table: one match, who sits at it, who looks on, and what each of them has been told.

mod bots;
mod content;
mod hearing;
mod hint;
mod past;
mod patch;
mod sitting;
mod tell;
mod undo;

pub use bots::wake;
pub use hint::hint;
pub use past::Past;
pub use undo::UndoRule;

use crate::house::House;
use crate::kernel::{
    Bot, Event, Language, Selection, Session, Sitter, Transcript, TranscriptError,
};
use crate::refusal::Refusal;
use crate::shelf::Boxed;
use crate::store::{KeptMatch, ToKeep};
use hearing::Hearing;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};
use std::collections::HashMap;
use std::sync::Arc;
use tell::{Eye, Perspective};
use tokio::sync::mpsc;

/// Messages that wait for a page that reads slowly; beyond, it is sent away and may come again.
pub const WAITING_MESSAGES: usize = 256;
/// Windows that may look at a table with one key.
const WINDOWS: usize = 16;

/// What somebody decided when the match was made, and who sits where.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setup {
    /// `person`, or the name of a bot.
    pub who: Vec<String>,
    pub names: Vec<Option<String>>,
    pub colors: Vec<Option<String>>,
    pub undo: UndoRule,
    pub chat: bool,
    /// The match goes on with the content it began with, whatever is there now.
    #[serde(default)]
    pub old_content: bool,
}

/// What a key opens.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chair {
    /// The seats one has; none for somebody who watches.
    pub seats: Vec<u8>,
    /// Whoever made the match hands out the others' links.
    pub maker: bool,
}

/// Somebody's window.
#[derive(Debug)]
struct Guest {
    number: u64,
    chair: usize,
    you: Option<u8>,
    language: Language,
    out: mpsc::Sender<Arc<str>>,
}

/// A line of chat.
#[derive(Debug, Clone, Serialize)]
pub struct ChatLine {
    pub seat: Option<u8>,
    pub name: String,
    pub text: String,
    pub at: i64,
}

/// The content is not what the match began with.
#[derive(Debug, Clone)]
struct OtherContent {
    /// Answers that hold on the content as it is now.
    kept: usize,
    why: Option<String>,
    /// The match as it was kept, and whether its own content is still there.
    saved: Transcript,
    still_there: bool,
}

/// One match with everybody at it.
#[derive(Debug)]
pub struct Sitting {
    pub id: String,
    pub boxed: Arc<Boxed>,
    pub setup: Setup,
    session: Session,
    selection: Selection,
    /// Keys and what they open, in the order of the store.
    chairs: Vec<(String, Chair)>,
    /// Rows of the transcript in the store, and answers that are in them.
    rows: u64,
    kept: usize,
    end_kept: bool,
    hearing: Hearing,
    /// How many events were heard so far.
    heard: usize,
    /// Of each answer: whether something was revealed before the next decision.
    revealed: Vec<bool>,
    eyes: HashMap<Perspective, Eye>,
    offers: HashMap<(u8, Language), Json>,
    guests: Vec<Guest>,
    chat: Vec<ChatLine>,
    wish: Option<undo::Wish>,
    hints: Vec<hint::WantedHint>,
    /// Changes whenever the match is another one: a bot's thought about the former is worth nothing.
    epoch: u64,
    thinking: Option<u8>,
    /// Of each seat: whether its bot's last thought was so short that the next may be had on the spot.
    quick: Vec<bool>,
    problem: Option<Json>,
    /// The rules or a bot broke: nothing goes on by itself. Files that cannot be read stop nobody.
    stuck: bool,
    other_content: Option<OtherContent>,
    pub begun: i64,
    pub touched: i64,
}

impl Sitting {
    /// A new match, or one that goes on.
    pub fn new(
        id: String,
        boxed: Arc<Boxed>,
        setup: Setup,
        chairs: Vec<(String, Chair)>,
        seed: u64,
        selection: Selection,
    ) -> Sitting {
        let players = setup.who.len();
        let session = Session::new(boxed.game.clone(), sitters(&setup), seed, &selection);
        let now = crate::house::now();
        Sitting {
            id,
            boxed,
            setup,
            session,
            selection,
            chairs,
            rows: 0,
            kept: 0,
            end_kept: false,
            hearing: Hearing::new(players),
            heard: 0,
            revealed: Vec::new(),
            eyes: HashMap::new(),
            offers: HashMap::new(),
            guests: Vec::new(),
            chat: Vec::new(),
            wish: None,
            hints: Vec::new(),
            epoch: 0,
            thinking: None,
            quick: vec![false; players],
            problem: None,
            stuck: false,
            other_content: None,
            begun: now,
            touched: now,
        }
    }

    /// A match as the store has it.
    pub fn from_store(house: &House, found: KeptMatch) -> Result<Sitting, Refusal> {
        let torn = |error: String| {
            Refusal::new(
                "broken",
                format!("Esta partida no se puede leer: {error}"),
                format!("This match cannot be read: {error}"),
            )
        };
        let setup: Setup = serde_json::from_str(&found.setup).map_err(|e| torn(e.to_string()))?;
        let transcript = Transcript::parse(&found.transcript).map_err(|e| torn(e.to_string()))?;
        let selection = transcript.selection();
        let boxed = Sitting::game_of(house, &transcript, setup.old_content)?;
        let read = |(key, opens): (String, String)| {
            let chair: Chair = serde_json::from_str(&opens).map_err(|e| torn(e.to_string()))?;
            Ok::<_, Refusal>((key, chair))
        };
        let chairs = found.keys.into_iter().map(read).collect::<Result<_, _>>()?;
        let mut table = Sitting::new(found.id, boxed, setup, chairs, transcript.seed, selection);
        table.rows = found.rows;
        table.begun = found.begun;
        table.touched = found.touched;
        let line = |(seat, name, text, at)| ChatLine {
            seat,
            name,
            text,
            at,
        };
        table.chat = found.chat.into_iter().map(line).collect();
        let followed = table.follow(&transcript);
        table.kept = table.session.transcript.lines.len();
        table.end_kept = transcript.over;
        table.compare_content(house, transcript, followed.err().map(|why| why.to_string()));
        Ok(table)
    }

    /// Plays the answers of a transcript as far as they fit.
    pub fn follow(&mut self, transcript: &Transcript) -> Result<(), TranscriptError> {
        let sitters = sitters(&self.setup);
        let (session, followed) = Session::load(
            self.boxed.game.clone(),
            sitters,
            &self.selection,
            transcript,
        );
        self.session = session;
        let followed = followed.misfit.map_or(Ok(()), Err);
        if let Err(broken) = self.session.run_rules() {
            self.break_down(&broken.to_string());
        }
        self.session.forget_former();
        self.hear();
        self.revealed = vec![true; self.session.transcript.lines.len()];
        followed
    }

    /// The first rows of the transcript, for the store.
    pub fn begin(&mut self, house: &House) -> Result<(), Refusal> {
        if let Err(broken) = self.session.run_rules() {
            return Err(Refusal::new(
                "broken",
                format!("Las reglas fallan al empezar: {broken}"),
                format!("The rules break at the start: {broken}"),
            ));
        }
        self.hear();
        let keys = self.chairs.iter();
        let entry = ToKeep::Begin {
            id: self.id.clone(),
            game: self.boxed.game.definition.id.clone(),
            setup: json!(self.setup).to_string(),
            head: head(&self.session.transcript),
            keys: keys
                .map(|(key, chair)| (key.clone(), json!(chair).to_string()))
                .collect(),
            at: self.begun,
        };
        self.keep_content(house)?;
        house.store.keep(entry).map_err(|_| Refusal::not_kept())?;
        self.keep(house)
    }

    /// Puts on disk what was answered since.
    fn keep(&mut self, house: &House) -> Result<(), Refusal> {
        let transcript = &self.session.transcript;
        let mut lines: Vec<String> = transcript.lines[self.kept..]
            .iter()
            .map(ToString::to_string)
            .collect();
        let ends = transcript.over && !self.end_kept;
        if ends {
            lines.push("end".into());
        }
        if lines.is_empty() {
            return Ok(());
        }
        let rows = lines.len() as u64;
        let at = crate::house::now();
        let entry = ToKeep::Lines {
            id: self.id.clone(),
            from: self.rows,
            lines,
            at,
        };
        house.store.keep(entry).map_err(|_| Refusal::not_kept())?;
        self.rows += rows;
        self.kept = self.session.transcript.lines.len();
        self.end_kept |= ends;
        self.touched = at;
        Ok(())
    }

    /// What happened since, counted and noted.
    fn hear(&mut self) -> Vec<Event> {
        let events = self.session.told_since(self.heard).to_vec();
        for event in &events {
            self.hearing.hear(event);
        }
        self.heard = self.session.told();
        self.session.forget(self.heard);
        events
    }

    /// An answer from a window.
    pub fn choose(
        &mut self,
        house: &House,
        guest: u64,
        ask: u64,
        seat: u8,
        keys: &[String],
    ) -> Result<(), Refusal> {
        if !self.seats_of(guest).contains(&seat) {
            return Err(Refusal::not_asked());
        }
        self.may_go_on()?;
        if !self.session.asked().contains(&seat) {
            return Err(Refusal::not_asked());
        }
        if ask != self.ask(seat) {
            return Err(Refusal::new(
                "stale",
                "Esa pregunta ya pasó.",
                "That question is not open any more.",
            ));
        }
        self.session.answer_keys(seat, keys)?;
        self.decided(house).inspect_err(|_| {
            let lines = self.session.transcript.lines.len();
            self.rebuild(lines.saturating_sub(1));
        })
    }

    /// After somebody's answer: the rules go on, it is put on disk, and everybody is told.
    fn decided(&mut self, house: &House) -> Result<(), Refusal> {
        self.forget_question();
        if self.session.asked().is_empty() {
            self.session.run_rules().map_err(|broken| {
                Refusal::new(
                    "broken-rules",
                    format!("Las reglas fallan con esa respuesta, que no cuenta: {broken}"),
                    format!("The rules break with this answer, which does not count: {broken}"),
                )
            })?;
        }
        self.session.forget_former();
        self.keep(house)?;
        let events = self.hear();
        self.note_revealed(&events);
        self.tell_moment(&events);
        Ok(())
    }

    /// The number of the question a seat is asked: how many it has answered so far. It tells nothing of the others.
    fn ask(&self, seat: u8) -> u64 {
        let lines = &self.session.transcript.lines;
        lines.iter().filter(|line| line.seat == seat).count() as u64
    }

    fn may_go_on(&self) -> Result<(), Refusal> {
        if self.session.transcript.over {
            return Err(Refusal::new(
                "over",
                "La partida ha terminado.",
                "The match is over.",
            ));
        }
        if self.other_content.is_some() {
            return Err(Refusal::new(
                "other-content",
                "El contenido cambió: hay que decidir antes cómo sigue la partida.",
                "The content has changed: say first how the match shall go on.",
            ));
        }
        Ok(())
    }

    /// The seats that are no bots.
    fn persons(&self) -> Vec<u8> {
        let seats = 0..self.setup.who.len() as u8;
        seats.filter(|&seat| !self.is_bot(seat)).collect()
    }

    /// Whether nobody sits on a seat: also while its bot is away to think.
    fn is_bot(&self, seat: u8) -> bool {
        let who = self.setup.who.get(usize::from(seat));
        who.is_some_and(|who| who != "person")
    }

    /// The match is played anew up to an answer. What was kept stays; the store is told by whoever wanted it.
    fn rebuild(&mut self, answers: usize) {
        let mut transcript = self.session.transcript.clone();
        transcript.lines.truncate(answers);
        transcript.over = false;
        let revealed = std::mem::take(&mut self.revealed);
        self.hearing = Hearing::new(self.setup.who.len());
        self.heard = 0;
        if let Err(error) = self.follow(&transcript) {
            self.break_down(&error.to_string());
        }
        self.revealed = revealed;
        self.revealed.truncate(self.session.transcript.lines.len());
        self.epoch += 1;
        self.forget_question();
    }

    /// What was worked out about the open question.
    fn forget_question(&mut self) {
        self.offers.clear();
        self.end_hints();
        self.wish = None;
    }

    /// The rules cannot go on by themselves.
    fn break_down(&mut self, why: &str) {
        self.problem = Some(json!({ "text": why, "diagnostics": [] }));
        self.stuck = true;
    }

    /// The match on its content, seats and all, as a transcript may be shown to whoever may have it.
    pub fn transcript_for(&self, key: &str) -> Result<String, Refusal> {
        let chair = self.chair_of(key).ok_or_else(Refusal::unknown_key)?;
        if !self.may_download(&self.chairs[chair].1) {
            return Err(Refusal::not_allowed(
                "La partida se puede descargar cuando termine: antes diría secretos de los demás.",
                "The match can be downloaded when it is over: before, it would tell the others' secrets.",
            ));
        }
        let mut transcript = self.session.transcript.clone();
        transcript.seats = self.setup.who.iter().map(|who| seat_name(who)).collect();
        Ok(transcript.to_string())
    }

    fn may_download(&self, chair: &Chair) -> bool {
        let persons = self.persons();
        let alone = !persons.is_empty() && persons.iter().all(|seat| chair.seats.contains(seat));
        self.session.transcript.over || alone
    }

    /// Whether nobody looks on and nothing goes on.
    pub fn is_idle(&self) -> bool {
        self.guests.is_empty() && self.thinking.is_none()
    }
}

/// `person` is `human` in a transcript.
fn seat_name(who: &str) -> String {
    match who {
        "person" => "human".into(),
        bot => bot.into(),
    }
}

/// Everybody of a setup.
fn sitters(setup: &Setup) -> Vec<Sitter> {
    let sitter = |who: &String| Sitter {
        name: seat_name(who),
        chooser: who
            .parse::<Bot>()
            .ok()
            .map(|bot| bot.chooser(crate::house::clock)),
    };
    setup.who.iter().map(sitter).collect()
}

/// A transcript without its answers.
fn head(transcript: &Transcript) -> String {
    let mut head = transcript.clone();
    head.lines.clear();
    head.over = false;
    head.to_string()
}
