//! What the screen shows: the log, the table, the question, explanations, the end.

use super::describe::Seen;
use super::page::{WIDTH, wrap};
use super::{Screen, board, help, hint, options};
use crate::output::{Failure, Outcome, outln};
use ludoteca::content::definition::Definition;
use ludoteca::play::offer::Offer;
use ludoteca::play::say::{self, Language};
use ludoteca::play::view::Heard;

/// Log lines shown at once; what came before is counted.
const LOG_LINES: usize = 40;

impl Screen<'_> {
    pub(super) fn seen(&self, seat: u8) -> Seen<'_> {
        let table = &self.session.played.table;
        let language = self.table.language;
        Seen {
            table,
            view: serde_json::json!(self.session.view(Some(seat), language)),
            language,
        }
    }

    pub(super) fn show_log(&mut self) {
        let viewer = self.session.only_one_outside();
        let heard = self.session.events(0, viewer, self.table.language);
        let lines: Vec<String> = heard
            .filter_map(|(_, event)| log_line(&event, self.table.language))
            .collect();
        self.session.forget(self.session.told());
        let hidden = lines.len().saturating_sub(LOG_LINES);
        if hidden > 0 {
            outln!("{}", self.paint.faint(&format!("… +{hidden}")));
        }
        for line in lines.iter().skip(hidden).flat_map(|line| wrap(line, 2)) {
            outln!("{}", self.paint.faint(&line));
        }
    }

    /// What the seat sees: the game's own lines if it has some, else everything; `whole` for everything in any case.
    pub(super) fn show_table(&mut self, offer: &Offer, whole: bool) {
        outln!("{}", "─".repeat(WIDTH));
        let seat = offer.seat;
        let own = self.session.table_view(seat, self.table.language);
        let seen = self.seen(seat);
        let mut lines = Vec::new();
        let all = whole || own.is_none();
        if all || board::has_squares(&seen) {
            lines.extend(board::lines(&seen, &offer.spaces()));
        }
        if all {
            lines.extend(seen.game());
            lines.extend((0..seen.table.players()).flat_map(|player| seen.player(player)));
        }
        lines.extend(
            own.unwrap_or_default()
                .iter()
                .map(|line| line.trim_end().to_string()),
        );
        if !all {
            lines.extend(seen.player(seat));
        }
        for line in lines {
            outln!("{line}");
        }
    }

    /// Whose turn it is and why, the question, the options.
    pub(super) fn show_question(&self, offer: &Offer) {
        let round = self.session.played.table.state.round;
        let when = match (round, self.table.language) {
            (0, _) => String::new(),
            (_, Language::Es) => format!("Ronda {round} · "),
            (_, Language::En) => format!("Round {round} · "),
        };
        let title = format!("{when}{} · {}", self.step(), self.player_name(offer.seat));
        outln!("{}", self.paint.strong(&title));
        for line in wrap(&offer.text, 2) {
            outln!("{}", self.paint.strong(&line));
        }
        for line in options::page(offer, self.page, self.table.language) {
            outln!("{line}");
        }
        let (min, max) = (offer.min, offer.max);
        if let Some(wanted) = help::how_many(min, max, self.table.language) {
            outln!("({wanted})");
        }
    }

    /// What the running step is called, and whose it is if it is somebody's.
    pub(super) fn step(&self) -> String {
        let Some(now) = &self.session.now else {
            return self.either("Preparación", "Setup").to_string();
        };
        step_name(
            &self.session.played.game().definition,
            &now.function,
            self.table.language,
        )
    }

    pub(super) fn explain(&self, offer: &Offer, what: &str) {
        let seen = self.seen(offer.seat);
        let found = if what.is_empty() {
            let whose = self
                .session
                .now
                .as_ref()
                .and_then(|now| now.seat)
                .map(|seat| format!(", {}", self.player_name(seat)));
            let step = format!("{}{}", self.step(), whose.unwrap_or_default());
            let mut lines = help::choice(&seen, offer, &step);
            if self.session.played.game().calls.evaluate.is_some() {
                lines.extend(self.hint(offer, hint::A_GLANCE, || true));
            }
            Some(lines)
        } else {
            help::thing(&seen, offer, what)
        };
        self.tell(found, what);
    }

    pub(super) fn rules(&self, offer: &Offer, topic: &str) {
        let found = help::rules(&self.seen(offer.seat), topic);
        let asked = match (topic, self.table.language) {
            ("", Language::Es) => "reglas",
            ("", Language::En) => "rules",
            (topic, _) => topic,
        };
        self.tell(found, asked);
    }

    fn tell(&self, found: Option<Vec<String>>, asked: &str) {
        match found {
            Some(lines) => lines.iter().for_each(|line| outln!("{line}")),
            None => outln!(
                "{}",
                match self.table.language {
                    Language::Es => format!("no hay nada que se llame «{asked}»"),
                    Language::En => format!("there is nothing called `{asked}`"),
                }
            ),
        }
    }

    /// The last log lines, the ranking, the reason.
    pub(super) fn finish(&mut self) -> Outcome {
        self.show_log();
        outln!("{}", "─".repeat(WIDTH));
        let ranking = self
            .session
            .played
            .ranking()
            .map_err(|broken| Failure::Game(broken.to_string()))?;
        let reason = say::reason(&self.session.played.table, self.table.language);
        let title = self.either("Fin de la partida", "The game is over");
        let title = if reason.is_empty() {
            title.to_string()
        } else {
            format!("{title}: {reason}")
        };
        outln!("{}", self.paint.strong(&title));
        if ranking.iter().all(|place| place.place != 1) {
            outln!("{}", self.either("Nadie ha ganado.", "Nobody has won."));
        }
        let game = self.session.played.game().clone();
        let definition = &game.definition;
        for place in ranking {
            let side = definition
                .sides
                .iter()
                .find(|side| Some(&side.name) == place.side.as_ref());
            let side = side.map_or_else(String::new, |side| {
                format!(", {}", self.table.language.of(&side.text))
            });
            let sitter = self.table.sitters[place.seat as usize].name();
            outln!(
                "{:>3}. {} ({sitter}{side})  {}",
                place.place,
                self.player_name(place.seat),
                place.told(definition, self.table.language)
            );
        }
        let next = self.session.played.next_start();
        if !next.is_empty() {
            let set: Vec<String> = next
                .iter()
                .map(|(key, value)| format!("--set {key}={value}"))
                .collect();
            let title = self.either(
                "La próxima partida de la campaña",
                "The next match of the campaign",
            );
            outln!("{title}: ludoteca play {} {}", definition.id, set.join(" "));
        }
        Ok(())
    }
}

/// What a step is called: its phase's text, its own, or its function's name.
pub fn step_name(definition: &Definition, function: &str, language: Language) -> String {
    let phase = definition
        .phases
        .iter()
        .find(|phase| phase.step.name == function);
    let text = phase
        .and_then(|phase| phase.text.as_ref())
        .or_else(|| definition.texts.step.get(function));
    text.map_or_else(
        || function.replace('_', " "),
        |text| language.of(text).to_string(),
    )
}

/// The line people read of something that happened.
pub fn log_line(event: &Heard, language: Language) -> Option<String> {
    match (event, language) {
        (Heard::Round { round }, Language::Es) => Some(format!("— Ronda {round} —")),
        (Heard::Round { round }, Language::En) => Some(format!("— Round {round} —")),
        (event, _) => event.line().map(str::to_string),
    }
}
