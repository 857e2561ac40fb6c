//! Playing at a terminal: shows the table as the asked seat sees it, asks, and understands what is typed.

mod board;
mod describe;
mod end;
pub mod film;
mod help;
pub mod hint;
mod input;
mod keep;
mod line;
mod log;
mod map;
mod news;
mod options;
pub mod page;
pub mod paint;
pub mod prose;
mod show;

pub use end::lines as end_lines;
pub use line::{Completions, Lines};
pub use log::{Pen, whole as whole_log, write as write_log};
use show::step_name;

use crate::output::{Failure, Outcome, brief, outln, write_out};
use crate::seats::Invited;
use crate::words::errors::told;
use crate::words::{language, say, word};
use input::Typed;
use ludoteca::{Game, NotKept, NotTaken, NotUndone, Offer, Session, Status, Stopped};
use paint::Paint;
use show::Looked;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How a match is played here.
pub struct Invitation<'a> {
    pub sitters: &'a [Invited],
    /// Where the match is kept.
    pub save: Option<&'a Path>,
    /// Whether the whole log is wanted: on the screen where only bots play, in a file in any case.
    pub log: Option<Option<PathBuf>>,
    /// Reads the content again.
    pub reload: &'a dyn Fn() -> Result<Arc<Game>, Failure>,
}

/// A screen with a match on it.
struct Screen<'a> {
    table: Invitation<'a>,
    session: Session,
    paint: Paint,
    lines: Lines,
    /// The person who looked last.
    looking: Option<u8>,
    /// How much had happened when each seat chose last.
    heard: Vec<usize>,
    /// The table as each seat saw it last.
    looked: BTreeMap<u8, Looked>,
    /// Whether something was told to one person alone.
    whispered: bool,
    page: usize,
}

/// Whether to go on asking.
enum Next {
    /// The same choice again.
    Ask,
    /// The same choice, the question shown anew.
    Show,
    /// Something was answered or taken back.
    Continue,
    Quit,
}

/// Plays a match to its end, or until nobody wants to any more.
pub fn play(table: Invitation, session: Session) -> Outcome {
    let mut screen = Screen {
        // Who comes back to a match hears what has happened since its round began.
        heard: vec![session.round_began(); session.players() as usize],
        table,
        session,
        paint: Paint::new(),
        lines: Lines::new(),
        looking: None,
        looked: BTreeMap::new(),
        whispered: false,
        page: 0,
    };
    let played = screen.play();
    screen.write_log()?;
    played
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
            return Err(Failure::Game(told(&stopped)));
        };
        match self.session.take_back_last() {
            Ok(()) => self.rewind(),
            Err(NotUndone::NotKept(error)) => return Err(not_kept(error)),
            Err(_) => {
                let round = broken.round;
                return Err(Failure::Game(say!(
                    "ronda {round}: {broken}",
                    "round {round}: {broken}"
                )));
            }
        }
        let title = word!("Las reglas han fallado:", "The rules broke:");
        outln!("{}", self.paint.strong(title));
        outln!("{}", brief(&broken.to_string()));
        outln!(
            "{}",
            word!(
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
        let Some(offer) = self.session.offer(seat, language()) else {
            return Ok(true);
        };
        self.page = 0;
        self.show(&offer, true);
        loop {
            let completions = self.completions(&offer);
            let Some(line) = self.lines.read("> ", completions) else {
                return Ok(false);
            };
            match self.act(&offer, input::understand(&line, &offer))? {
                Next::Ask => {}
                Next::Show => self.show(&offer, false),
                Next::Continue => return Ok(true),
                Next::Quit => return Ok(false),
            }
        }
    }

    fn act(&mut self, offer: &Offer, typed: Typed) -> Result<Next, Failure> {
        let again = |pushed_away: bool| match pushed_away {
            true => Next::Show,
            false => Next::Ask,
        };
        match typed {
            Typed::Pick(picked) => {
                let before = self.session.told();
                match self.session.answer(offer.seat, &picked) {
                    Ok(()) => {
                        self.heard[offer.seat as usize] = before;
                        return Ok(Next::Continue);
                    }
                    Err(NotTaken::NotKept(error)) => return Err(not_kept(error)),
                    Err(NotTaken::Answer(error)) => outln!("{}", told(&error)),
                }
            }
            Typed::Explain(what) => return Ok(again(self.explain(offer, &what))),
            Typed::Rules(topic) => return Ok(again(self.rules(offer, &topic))),
            Typed::Hint => {
                let lines = self.advice(offer);
                if lines.is_empty() {
                    outln!(
                        "{}",
                        word!("no hay nada que pensar", "there is nothing to think about")
                    );
                }
                lines.iter().for_each(|line| outln!("{line}"));
            }
            Typed::Undo => {
                // Whoever sits at one terminal agrees with everybody there.
                match self.session.take_back(offer.seat) {
                    Ok(()) => {
                        self.rewind();
                        return Ok(Next::Continue);
                    }
                    Err(NotUndone::NotKept(error)) => return Err(not_kept(error)),
                    Err(_) => outln!(
                        "{}",
                        word!(
                            "no hay elección anterior a la que volver",
                            "there is no former choice to go back to"
                        )
                    ),
                }
            }
            Typed::Save(file) => self.save_as(&file),
            Typed::Board => {
                self.show_whole_table(offer);
                return Ok(Next::Show);
            }
            Typed::Log => {
                let news = self.news(offer.seat);
                return Ok(again(self.tell(&news)));
            }
            Typed::Reload => return self.reload(),
            Typed::More => {
                self.page += 1;
                return Ok(Next::Show);
            }
            Typed::Quit => return Ok(Next::Quit),
            Typed::Nothing => {}
            Typed::Nonsense(message) => {
                page::wrap(&message, 2)
                    .iter()
                    .for_each(|line| outln!("{line}"));
            }
        }
        Ok(Next::Ask)
    }

    /// What the Tab key offers: the options and the words beside them, and the names of all there is to ask about.
    fn completions(&self, offer: &Offer) -> Completions {
        let options = offer.options.iter().map(|item| item.label.clone());
        let commands = input::commands().map(str::to_string);
        Completions {
            lines: options.chain(commands).collect(),
            things: help::names(&self.session.game().definition, language()),
        }
    }

    /// Whether several people sit at the machine.
    fn is_shared(&self) -> bool {
        let sitters = self.table.sitters.iter();
        let people = sitters.filter(|sitter| **sitter == Invited::Human);
        people.count() > 1
    }

    /// Whether several people take turns at the machine, each looking alone.
    fn is_handed_over(&self) -> bool {
        let secret = self.whispered
            || self.session.game().definition.has_secrets()
            || self.session.asked().len() > 1;
        self.is_shared() && secret
    }

    /// With several people and something to hide, the next one takes the machine first. `false` if nobody does.
    fn hand_over(&mut self, seat: u8) -> bool {
        let before = self.looking.replace(seat);
        self.whispered |= self.is_shared() && !self.private_news(seat).is_empty();
        if before == Some(seat) || !self.is_handed_over() {
            return true;
        }
        if self.paint.is_on() {
            write_out(format_args!("\x1b[2J\x1b[3J\x1b[H"));
        }
        let player = self.player_name(seat);
        outln!(
            "{}",
            say!(
                "Pasa la máquina a {player} y pulsa Intro.",
                "Pass the machine to {player} and press Enter."
            )
        );
        // Who takes the machine sees the whole table.
        self.looked.remove(&seat);
        self.lines.read("", Completions::default()).is_some()
    }

    fn player_name(&self, seat: u8) -> String {
        show::called(&self.session, seat)
    }
}

/// A match that cannot be kept as promised ends.
fn not_kept(error: NotKept) -> Failure {
    Failure::Game(told(&error))
}
