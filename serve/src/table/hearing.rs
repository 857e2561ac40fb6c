//! What has been heard at a table: how many events each seat was told of, and the last lines of the log.

use crate::kernel::{Event, Heard, Language, Session, is_heard};
use serde_json::{Value as Json, json};
use std::collections::VecDeque;

/// Lines a page gets without asking for more.
pub const LINES: usize = 100;
/// Events of the log that are kept at hand; older ones are told again by playing the match again.
const AT_HAND: usize = 150;

/// Something that was said or thrown, with the number it has for each seat; the last number is the watchers'.
#[derive(Debug)]
struct Said {
    event: Event,
    numbers: Box<[u64]>,
    round: u32,
    seat: Option<u8>,
}

/// All that was heard.
#[derive(Debug)]
pub struct Hearing {
    counts: Vec<u64>,
    said: VecDeque<Said>,
    /// Whether older lines are not at hand.
    shortened: bool,
    keep_all: bool,
    round: u32,
    seat: Option<u8>,
}

impl Hearing {
    pub fn new(players: usize) -> Hearing {
        Hearing {
            counts: vec![0; players + 1],
            said: VecDeque::new(),
            shortened: false,
            keep_all: false,
            round: 0,
            seat: None,
        }
    }

    /// One that forgets no line.
    pub fn whole(players: usize) -> Hearing {
        Hearing {
            keep_all: true,
            ..Hearing::new(players)
        }
    }

    fn place(&self, viewer: Option<u8>) -> usize {
        viewer.map_or(self.counts.len() - 1, usize::from)
    }

    /// How many events somebody was told of.
    pub fn count(&self, viewer: Option<u8>) -> u64 {
        self.counts[self.place(viewer)]
    }

    pub fn hear(&mut self, event: &Event) {
        match event {
            Event::Round { number } => self.round = *number,
            Event::Step { seat, .. } => self.seat = *seat,
            _ => {}
        }
        let watchers = self.counts.len() - 1;
        for (place, count) in self.counts.iter_mut().enumerate() {
            let viewer = (place < watchers).then_some(place as u8);
            *count += u64::from(is_heard(event, viewer));
        }
        if let Event::Said { .. } | Event::Rolled { .. } | Event::Printed { .. } = event {
            self.said.push_back(Said {
                event: event.clone(),
                numbers: self.counts.clone().into(),
                round: self.round,
                seat: self.seat,
            });
            if self.said.len() > AT_HAND && !self.keep_all {
                self.said.pop_front();
                self.shortened = true;
            }
        }
    }

    /// The last lines somebody reads that come before an event, oldest first, and whether there are more.
    pub fn lines(
        &self,
        session: &Session,
        viewer: Option<u8>,
        language: Language,
        before: u64,
    ) -> (Vec<Json>, bool) {
        let place = self.place(viewer);
        let mut found = self
            .said
            .iter()
            .rev()
            .filter(|said| said.numbers[place] < before)
            .filter_map(|said| line(session, said, viewer, language, place));
        let mut lines: Vec<Json> = found.by_ref().take(LINES).collect();
        let more = self.shortened || found.next().is_some();
        lines.reverse();
        (lines, more)
    }

    /// The last line somebody reads.
    pub fn last(
        &self,
        session: &Session,
        viewer: Option<u8>,
        language: Language,
    ) -> Option<String> {
        let mut newest = self.said.iter().rev();
        newest.find_map(|said| {
            let heard = session.heard(&said.event, viewer, language)?;
            heard.line().map(str::to_string)
        })
    }
}

fn line(
    session: &Session,
    said: &Said,
    viewer: Option<u8>,
    language: Language,
    place: usize,
) -> Option<Json> {
    let heard = session.heard(&said.event, viewer, language)?;
    let text = heard.line()?;
    let parts = match &heard {
        Heard::Said { parts, .. } => json!(parts),
        _ => json!([text]),
    };
    Some(
        json!({ "n": said.numbers[place], "parts": parts, "round": said.round, "seat": said.seat }),
    )
}
