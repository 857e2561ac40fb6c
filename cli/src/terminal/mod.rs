//! Playing at a terminal: shows the table as the asked seat sees it, asks, and understands what is typed.

mod board;
mod describe;
mod help;
mod hint;
mod input;
mod keep;
mod options;
pub mod page;
pub mod prose;
mod show;

pub use show::{log_line, step_name};

use crate::output::{Failure, Outcome, brief, outln, write_out};
use crate::seats::Sitter;
use input::Typed;
use ludoteca::content::definition::{Definition, Visibility};
use ludoteca::play::journal::NotKept;
use ludoteca::play::matches::Status;
use ludoteca::play::offer::Offer;
use ludoteca::play::say::Language;
use ludoteca::play::session::{NotTaken, NotUndone, Session, Stopped};
use ludoteca::table::game::Game;
use page::Paint;
use std::io::BufRead;
use std::path::Path;
use std::sync::Arc;

/// How a match is played here.
pub struct Table<'a> {
    pub sitters: &'a [Sitter],
    pub language: Language,
    /// Where the match is kept.
    pub save: Option<&'a Path>,
    /// Reads the content again.
    pub reload: &'a dyn Fn() -> Result<Arc<Game>, Failure>,
}

/// A screen with a match on it.
struct Screen<'a> {
    table: Table<'a>,
    session: Session,
    paint: Paint,
    /// The person who looked last.
    looking: Option<u8>,
    page: usize,
}

/// Whether to go on asking.
enum Next {
    /// The same choice again.
    Ask,
    /// The same choice, the table shown anew.
    Show,
    /// Something was answered or taken back.
    Continue,
    Quit,
}

/// Plays a match to its end, or until nobody wants to any more.
pub fn play(table: Table, session: Session) -> Outcome {
    let mut screen = Screen {
        table,
        session,
        paint: Paint::new(),
        looking: None,
        page: 0,
    };
    screen.play()
}

impl Screen<'_> {
    fn play(&mut self) -> Outcome {
        loop {
            match self.session.go_on() {
                Ok(Status::Over) => {
                    self.finish()?;
                    self.say_where_it_is();
                    return Ok(());
                }
                Ok(Status::Asking) => {}
                Err(stopped) => self.recover(stopped)?,
            }
            let Some(&seat) = self.session.asked().first() else {
                continue;
            };
            if !self.ask(seat)? {
                self.say_where_it_is();
                return Ok(());
            }
        }
    }

    /// Rules that broke are shown, and the match goes back to the last choice.
    fn recover(&mut self, stopped: Stopped) -> Outcome {
        let Stopped::Broken(broken) = &stopped else {
            return Err(Failure::Game(stopped.to_string()));
        };
        match self.session.take_back_last() {
            Ok(()) => {}
            Err(NotUndone::NotKept(error)) => return Err(not_kept(error)),
            Err(_) => return Err(Failure::Game(format!("round {}: {broken}", broken.round))),
        }
        let title = self.either("Las reglas han fallado:", "The rules broke:");
        outln!("{}", self.paint.strong(title));
        outln!("{}", brief(&broken.to_string()));
        outln!(
            "{}",
            self.either(
                "La partida vuelve a la última elección.",
                "The game goes back to the last choice."
            )
        );
        Ok(())
    }

    /// Asks one seat until it has answered; `false` if the person leaves.
    fn ask(&mut self, seat: u8) -> Result<bool, Failure> {
        if !self.hand_over(seat) {
            return Ok(false);
        }
        let Some(offer) = self.session.offer(seat, self.table.language) else {
            return Ok(true);
        };
        self.page = 0;
        self.show_log();
        self.show_table(&offer, false);
        self.show_question(&offer);
        loop {
            let Some(line) = self.read("> ") else {
                return Ok(false);
            };
            match self.act(
                &offer,
                input::understand(&line, &offer, self.table.language),
            )? {
                Next::Ask => {}
                Next::Show => self.show_question(&offer),
                Next::Continue => return Ok(true),
                Next::Quit => return Ok(false),
            }
        }
    }

    fn act(&mut self, offer: &Offer, typed: Typed) -> Result<Next, Failure> {
        match typed {
            Typed::Pick(picked) => match self.session.answer(offer.seat, &picked) {
                Ok(()) => return Ok(Next::Continue),
                Err(NotTaken::NotKept(error)) => return Err(not_kept(error)),
                Err(error) => outln!("{error}"),
            },
            Typed::Explain(what) => {
                self.explain(offer, &what);
                return Ok(Next::Ask);
            }
            Typed::Rules(topic) => {
                self.rules(offer, &topic);
                return Ok(Next::Ask);
            }
            Typed::Hint => {
                let lines = self.advice(offer);
                if lines.is_empty() {
                    outln!(
                        "{}",
                        self.either("no hay nada que pensar", "there is nothing to think about")
                    );
                }
                for line in lines {
                    outln!("{line}");
                }
                return Ok(Next::Ask);
            }
            Typed::Undo => {
                // Whoever sits at one terminal agrees with everybody there.
                match self.session.take_back(offer.seat) {
                    Ok(()) => return Ok(Next::Continue),
                    Err(NotUndone::NotKept(error)) => return Err(not_kept(error)),
                    Err(_) => outln!(
                        "{}",
                        self.either(
                            "no hay elección anterior a la que volver",
                            "there is no former choice to go back to"
                        )
                    ),
                }
            }
            Typed::Save(file) => self.save_as(&file),
            Typed::Board => {
                self.show_table(offer, true);
                return Ok(Next::Show);
            }
            Typed::Reload => return self.reload(),
            Typed::More => {
                self.page += 1;
                return Ok(Next::Show);
            }
            Typed::Quit => {
                self.offer_saving();
                return Ok(Next::Quit);
            }
            Typed::Nothing => {}
            Typed::Nonsense(message) => outln!("{message}"),
        }
        Ok(Next::Ask)
    }

    fn either(&self, es: &'static str, en: &'static str) -> &'static str {
        match self.table.language {
            Language::Es => es,
            Language::En => en,
        }
    }

    /// With several people and something to hide, the next one takes the machine first. `false` if nobody does.
    fn hand_over(&mut self, seat: u8) -> bool {
        let people = self
            .table
            .sitters
            .iter()
            .filter(|sitter| **sitter == Sitter::Human)
            .count();
        let before = self.looking.replace(seat);
        let secret = hides_something(&self.session.played.game().definition)
            || self.session.asked().len() > 1;
        if people < 2 || before == Some(seat) || !secret {
            return true;
        }
        if self.paint.is_on() {
            write_out(format_args!("\x1b[2J\x1b[3J\x1b[H"));
        }
        let player = self.player_name(seat);
        outln!(
            "{}",
            match self.table.language {
                Language::Es => format!("Pasa la máquina a {player} y pulsa Intro."),
                Language::En => format!("Pass the machine to {player} and press Enter."),
            }
        );
        self.read("").is_some()
    }

    fn player_name(&self, seat: u8) -> String {
        self.table
            .language
            .of(&self.session.played.table.player_name(seat))
            .to_string()
    }

    fn read(&self, prompt: &str) -> Option<String> {
        write_out(format_args!("{prompt}"));
        let mut line = String::new();
        match std::io::stdin().lock().read_line(&mut line) {
            Ok(0) => {
                outln!();
                None
            }
            Ok(_) => Some(line),
            // Bytes that are no text: as good as an empty line.
            Err(error) if error.kind() == std::io::ErrorKind::InvalidData => Some(String::new()),
            Err(_) => None,
        }
    }
}

/// A match that cannot be kept as promised ends.
fn not_kept(error: NotKept) -> Failure {
    Failure::Game(error.to_string())
}

/// Whether anything on the table is for some eyes only.
fn hides_something(definition: &Definition) -> bool {
    let zones = definition
        .zones
        .iter()
        .any(|zone| matches!(zone.visible, Visibility::Owner | Visibility::Team));
    zones
        || definition
            .attributes
            .player
            .iter()
            .any(|attribute| matches!(attribute.visible, Visibility::Owner | Visibility::Team))
}
