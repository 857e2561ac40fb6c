//! Hints: what a bot that thinks believes about each option, told while it goes on thinking, to the window that asked for it alone.

use super::Sitting;
use crate::house::House;
use crate::kernel::{Hint, Judged, Opinion};
use crate::refusal::Refusal;
use crate::shelf::locked;
use serde_json::{Value as Json, json};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Lines thought about at most.
const MOST_LINES: u32 = 4000;
/// How often a window hears of it, and for how long at most it is thought about.
const TOLD_EVERY: Duration = Duration::from_millis(400);
const MOST_TIME: Duration = Duration::from_secs(12);
/// Answers a window hears of.
const ANSWERS: usize = 200;

/// A hint somebody waits for; it ends when nobody wants it any more.
#[derive(Debug)]
pub(super) struct WantedHint {
    pub guest: u64,
    pub over: Arc<AtomicBool>,
}

/// What is thought about.
struct Question {
    guest: u64,
    seat: u8,
    ask: u64,
    over: Arc<AtomicBool>,
}

/// Begins a hint for a window's seat, or ends the one it has.
pub fn hint(
    house: &Arc<House>,
    table: &Arc<Mutex<Sitting>>,
    guest: u64,
    seat: u8,
    on: bool,
) -> Result<(), Refusal> {
    let mut at = locked(table);
    at.end_hint(guest);
    if !on {
        return Ok(());
    }
    if !at.seats_of(guest).contains(&seat) || !at.session.asked().contains(&seat) {
        return Err(Refusal::not_asked());
    }
    let over = Arc::new(AtomicBool::new(false));
    at.hints.push(WantedHint {
        guest,
        over: over.clone(),
    });
    let question = Question {
        guest,
        seat,
        ask: at.ask(seat),
        over,
    };
    let (copy, seed) = (at.session.copy_of_match(), at.session.transcript.seed);
    drop(at);
    let table = table.clone();
    house
        .thinkers
        .think(move || match Hint::begin(copy, seat, seed) {
            Some(hint) => think(&table, &question, hint),
            None => question.tell(&table, &Opinion::default(), true),
        });
    Ok(())
}

fn think(table: &Mutex<Sitting>, question: &Question, mut hint: Hint) {
    let started = Instant::now();
    let mut told = started;
    hint.think(MOST_LINES, |hint| {
        if told.elapsed() > TOLD_EVERY && question.is_wanted() {
            told = Instant::now();
            question.tell(table, &hint.opinion(ANSWERS), false);
        }
        question.is_wanted() && started.elapsed() < MOST_TIME
    });
    if question.is_wanted() {
        question.tell(table, &hint.opinion(ANSWERS), true);
    }
}

impl Question {
    fn is_wanted(&self) -> bool {
        !self.over.load(Ordering::Relaxed)
    }

    fn tell(&self, table: &Mutex<Sitting>, opinion: &Opinion, done: bool) {
        let (answers, lines) = (&opinion.answers, opinion.lines);
        let options: Vec<Json> = (0..)
            .zip(answers)
            .map(|(place, judged)| option(place, judged))
            .collect();
        let told = json!({
            "type": "hint", "seat": self.seat, "ask": self.ask, "done": done, "lines": lines, "calibrated": opinion.calibrated,
            "progress": if done { 1.0 } else { lines as f64 / f64::from(MOST_LINES) }, "options": options,
        });
        locked(table).post(self.guest, &told.to_string().into());
    }
}

fn option(place: usize, judged: &Judged) -> Json {
    let (low, high) = judged.between;
    json!({
        "key": judged.keys.first().filter(|_| judged.keys.len() == 1), "keys": judged.keys,
        "value": judged.chance, "low": low, "high": high, "certain": judged.certain, "visits": judged.visits, "best": place == 0,
        "reply": judged.reply.as_ref().map(|reply| json!({ "seat": reply.seat, "prompt": reply.prompt, "keys": reply.keys, "labels": reply.labels, "share": reply.share })),
    })
}

impl Sitting {
    /// Nobody waits for this window's hint any more.
    pub(super) fn end_hint(&mut self, guest: u64) {
        self.hints.retain(|hint| {
            if hint.guest == guest {
                hint.over.store(true, Ordering::Relaxed);
            }
            hint.guest != guest
        });
    }

    /// The question is another one: what was thought about it is worth nothing.
    pub(super) fn end_hints(&mut self) {
        for hint in self.hints.drain(..) {
            hint.over.store(true, Ordering::Relaxed);
        }
    }
}
