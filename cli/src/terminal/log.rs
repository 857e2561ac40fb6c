//! Lines of the log as a person reads them: names in the colours of their seats, dice as dice.

use super::page::wrap;
use super::paint::{Colors, Paint};
use super::{end, step_name};
use crate::output::{Outcome, errln, unwritable};
use crate::words::{language, say};
use ludoteca::{About, Heard, LinePart, Session, keep};
use std::path::Path;

/// How lines are written.
#[derive(Debug, Clone)]
pub struct Pen {
    pub paint: Paint,
    pub colors: Colors,
    /// Whether the game's log says nothing: then the answers themselves are told.
    silent: bool,
}

impl Pen {
    /// For the screen, with the colours the seats of a match have now.
    pub fn of(session: &Session) -> Pen {
        let view = session.view(None, language());
        let definition = &session.game().definition;
        Pen {
            paint: Paint::new(),
            colors: Colors::new(&view, &definition.look.said),
            silent: definition.texts.log.is_empty(),
        }
    }

    /// The same for a file.
    pub fn plain(session: &Session) -> Pen {
        Pen {
            paint: Paint::plain(),
            ..Pen::of(session)
        }
    }

    /// The line people read of something that happened, if there is one.
    pub fn line(&self, event: &Heard) -> Option<String> {
        match event {
            Heard::Round { round } => {
                let title = say!("— Ronda {round} —", "— Round {round} —");
                Some(self.paint.faint(&title))
            }
            Heard::Said { parts, text, .. } if parts.is_empty() => Some(text.clone()),
            Heard::Said { parts, .. } => Some(parts.iter().map(|part| self.part(part)).collect()),
            Heard::Rolled {
                text: Some(text),
                shown,
                ..
            } => {
                let die = text.split_once(':').map_or(text.as_str(), |(die, _)| die);
                let shown: Vec<i64> = shown.iter().map(|&face| face as i64).collect();
                Some(format!("{die}: {}", dice(&shown)))
            }
            Heard::Chosen { seat, labels, .. } if self.silent => {
                let player = say!("Jugador {}", "Player {}", seat + 1);
                let player = self.paint.seat(&self.colors, *seat, &player);
                Some(format!("{player}: {}", answered(labels)))
            }
            event => event.line().map(str::to_string),
        }
    }

    fn part(&self, part: &LinePart) -> String {
        match part {
            LinePart::Text(text) => text.clone(),
            LinePart::Thing { text, about } => match about {
                About::Player { seat } => self.paint.seat(&self.colors, *seat, text),
                About::Dice { dice: shown } if !shown.is_empty() => dice(shown),
                _ => text.clone(),
            },
        }
    }
}

/// What was answered.
fn answered(labels: &[String]) -> String {
    match labels.is_empty() {
        true => say!("nada", "nothing"),
        false => labels.join(", "),
    }
}

/// What dice show: a face for those with six sides, with its number for who cannot make it out.
pub fn dice(shown: &[i64]) -> String {
    const FACES: [char; 6] = ['⚀', '⚁', '⚂', '⚃', '⚄', '⚅'];
    let die = |&number: &i64| match usize::try_from(number - 1).ok().and_then(|n| FACES.get(n)) {
        Some(face) => format!("{face}{number}"),
        None => format!("[{number}]"),
    };
    shown.iter().map(die).collect::<Vec<_>>().join(" ")
}

/// The whole log of a match as somebody heard it: rounds, steps in which something was said, and what was said.
pub fn whole(session: &Session, ears: Option<u8>, pen: &Pen) -> Vec<String> {
    let mut lines = Vec::new();
    let mut title = None;
    for (_, event) in session.events(0, ears, language()) {
        if let Heard::Step { step, seat } = &event {
            let name = step_name(&session.game().definition, step, language());
            let whose = seat.map_or(String::new(), |seat| {
                let player = session.player_name(seat, language());
                let player = pen.paint.seat(&pen.colors, seat, &player);
                format!(": {player}")
            });
            title = Some(format!("  {}{whose}", pen.paint.faint(&name)));
        }
        let Some(line) = pen.line(&event) else {
            continue;
        };
        match event {
            Heard::Round { .. } => lines.push(line),
            _ => {
                lines.extend(title.take());
                lines.extend(wrap(&format!("    {line}"), 6));
            }
        }
    }
    lines
}

/// The whole log in a file, with its end.
pub fn write(path: &Path, session: &mut Session, ears: Option<u8>, sitters: &[String]) -> Outcome {
    let pen = Pen::plain(session);
    let mut lines = whole(session, ears, &pen);
    if session.is_over() {
        lines.push(String::new());
        lines.extend(end::lines(session, sitters, &pen)?);
    }
    let text = lines.join("\n") + "\n";
    keep::write(path, text).map_err(|error| unwritable(path, &error))?;
    let path = path.display();
    errln!(
        "{}",
        say!("la crónica está en {path}", "the log is in {path}")
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dice_are_dice() {
        assert_eq!(dice(&[6, 3, 1]), "⚅6 ⚂3 ⚀1");
        assert_eq!(dice(&[0, 12]), "[0] [12]");
    }
}
