//! What a thinking bot would answer, told to the person who is asked.

use super::Screen;
use crate::words::{language, say, word};
use ludoteca::Offer;
use ludoteca::hint::{Judged, Opinion};
use std::time::{Duration, Instant};

/// Lines of thought for somebody who asks in general.
pub const A_GLANCE: u32 = 60;
/// The same for somebody who asks for advice, and how long a person waits for it at most.
const LINES: u32 = 1_000;
const PATIENCE: Duration = Duration::from_secs(3);
/// Answers that are shown.
const SHOWN: usize = 5;

impl Screen<'_> {
    /// Advice for who is asked: the answers worth considering, the best first; nothing if there is nothing to think about.
    pub fn advice(&self, offer: &Offer) -> Vec<String> {
        let began = Instant::now();
        self.hint(offer, LINES, || began.elapsed() < PATIENCE)
    }

    /// The same after so many lines, or when nobody waits any more.
    pub fn hint(&self, offer: &Offer, most: u32, waits: impl Fn() -> bool) -> Vec<String> {
        let Some(mut hint) = self.session.hint(offer.seat) else {
            return Vec::new();
        };
        hint.think(most, |_| waits());
        let opinion = hint.opinion(SHOWN);
        match opinion.tells() {
            true => told(&opinion, offer, |seat| self.player_name(seat)),
            false => Vec::new(),
        }
    }
}

fn told(opinion: &Opinion, offer: &Offer, name: impl Fn(u8) -> String) -> Vec<String> {
    let lines = opinion.lines;
    let head = match opinion.calibrated {
        true => say!(
            "Un bot, tras {lines} líneas (posibilidad de ganar):",
            "A bot, after {lines} lines (chance of winning):"
        ),
        false => say!(
            "Un bot, tras {lines} líneas (de 0 a 100; sin calibrar):",
            "A bot, after {lines} lines (0 to 100; not calibrated):"
        ),
    };
    let mut told = vec![head];
    for answer in &opinion.answers {
        told.push(line(answer, opinion.calibrated, offer, &name));
    }
    told
}

fn line(answer: &Judged, calibrated: bool, offer: &Offer, name: &impl Fn(u8) -> String) -> String {
    let labels = labels(answer, offer);
    let points = |chance: f64| (100.0 * chance).round();
    let unit = if calibrated { " %" } else { "" };
    let (chance, low, high) = (
        points(answer.chance),
        points(answer.between.0),
        points(answer.between.1),
    );
    let visits = answer.visits;
    let reply = answer.reply.as_ref().map_or(String::new(), |reply| {
        let player = name(reply.seat);
        let labels = reply.labels.iter().map(|label| language().of(label));
        let labels = labels.collect::<Vec<_>>().join(", ");
        say!(
            "; {player} responderá «{labels}»",
            "; {player} will answer “{labels}”"
        )
    });
    if answer.certain {
        let outcome = outcome(answer);
        return format!("  {outcome}  {labels}{reply}");
    }
    say!(
        "  {chance:>3}{unit} ({low}..{high}, {visits} visitas)  {labels}{reply}",
        "  {chance:>3}{unit} ({low}..{high}, {visits} visits)  {labels}{reply}"
    )
}

/// What is proven to come of an answer.
pub fn outcome(answer: &Judged) -> &'static str {
    match answer.chance > 0.5 {
        true => word!("gana seguro", "wins for certain"),
        false => word!("pierde seguro", "loses for certain"),
    }
}

/// What an answer takes, as people read it.
pub fn labels(answer: &Judged, offer: &Offer) -> String {
    let taken = answer.picked.iter().zip(&answer.keys);
    let labels: Vec<&str> = taken
        .map(|(&number, key)| {
            let item = offer.options.iter().find(|item| item.number == number);
            item.map_or(key.as_str(), |item| &item.label)
        })
        .collect();
    match labels.is_empty() {
        true => say!("ninguna", "none"),
        false => labels.join(", "),
    }
}
