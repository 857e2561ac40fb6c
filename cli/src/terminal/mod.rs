//! Playing at a terminal: shows the table as the asked seat sees it, asks, and understands what is typed.

mod board;
mod describe;
mod help;
mod input;
mod options;
mod page;

use crate::offer::{self, Offer};
use crate::output::{Failure, Outcome, errln, outln, write_out};
use crate::seats::Sitter;
use crate::session::{Heard, Session, Stopped};
use describe::Seen;
use input::Typed;
use ludoteca::content::definition::{Definition, Visibility};
use ludoteca::play::matches::Status;
use ludoteca::play::say::{self, Language};
use ludoteca::play::view;
use ludoteca::script::event::Event;
use ludoteca::script::game::Game;
use page::{Paint, WIDTH, wrap};
use std::io::BufRead;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Log lines shown at once; what came before is counted.
const LOG_LINES: usize = 40;

/// How a match is played here.
pub struct Table<'a> {
    pub sitters: &'a [Sitter],
    pub language: Language,
    /// Where the match is saved when it ends.
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
    let mut screen = Screen { table, session, paint: Paint::new(), looking: None, page: 0 };
    screen.play()
}

impl Screen<'_> {
    fn play(&mut self) -> Outcome {
        loop {
            match self.session.go_on() {
                Ok(Status::Over) => {
                    self.finish()?;
                    return self.save_at_the_end();
                }
                Ok(Status::Asking) => {}
                Err(stopped) => self.recover(stopped)?,
            }
            let Some(&seat) = self.session.asked().first() else { continue };
            if !self.ask(seat)? {
                return self.save_at_the_end();
            }
        }
    }

    /// Rules that broke are shown, and the match goes back to the last choice.
    fn recover(&mut self, stopped: Stopped) -> Outcome {
        let Stopped::Broken(broken) = &stopped else { return Err(Failure::Game(stopped.to_string())) };
        if !self.session.back_to_last_choice() {
            return Err(Failure::Game(format!("round {}: {broken}", broken.round)));
        }
        let title = self.either("Las reglas han fallado:", "The rules broke:");
        outln!("{}", self.paint.strong(title));
        outln!("{broken}");
        outln!("{}", self.either("La partida vuelve a la última elección.", "The game goes back to the last choice."));
        Ok(())
    }

    /// Asks one seat until it has answered; `false` if the person leaves.
    fn ask(&mut self, seat: u8) -> Result<bool, Failure> {
        if !self.hand_over(seat) {
            return Ok(false);
        }
        let Some(offer) = Offer::new(&mut self.session.played, seat, self.table.language) else { return Ok(true) };
        self.page = 0;
        self.show_log();
        self.show_table(&offer, false);
        self.show_question(&offer);
        loop {
            let Some(line) = self.read("> ") else { return Ok(false) };
            match self.act(&offer, input::understand(&line, &offer, self.table.language))? {
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
                Err(error) => outln!("{error}"),
            },
            Typed::Explain(what) => {
                self.explain(offer, &what);
                return Ok(Next::Ask);
            }
            Typed::Undo => {
                if self.session.undo(offer.seat) {
                    return Ok(Next::Continue);
                }
                outln!("{}", self.either("no hay elección anterior a la que volver", "there is no former choice to go back to"));
            }
            Typed::Save(file) => self.save_as(&file),
            Typed::Board => {
                self.show_table(offer, true);
                return Ok(Next::Show);
            }
            Typed::Reload => return Ok(self.reload()),
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
        let people = self.table.sitters.iter().filter(|sitter| **sitter == Sitter::Human).count();
        let before = self.looking.replace(seat);
        let secret = hides_something(&self.session.played.game().definition) || self.session.asked().len() > 1;
        if people < 2 || before == Some(seat) || !secret {
            return true;
        }
        if self.paint.is_on() {
            write_out(format_args!("\x1b[2J\x1b[3J\x1b[H"));
        }
        let player = self.player_name(seat);
        outln!("{}", match self.table.language {
            Language::Es => format!("Pasa la máquina a {player} (p{seat}) y pulsa Intro."),
            Language::En => format!("Pass the machine to {player} (p{seat}) and press Enter."),
        });
        self.read("").is_some()
    }

    fn player_name(&self, seat: u8) -> String {
        self.table.language.of(&self.session.played.table.player_name(seat)).to_string()
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

    fn seen(&self, seat: u8) -> Seen<'_> {
        let table = &self.session.played.table;
        let language = self.table.language;
        Seen { table, view: view::view(table, Some(seat), language), language }
    }

    fn show_log(&mut self) {
        let heard = self.session.take_heard();
        let lines = log_lines(&self.session, &heard, self.table.language);
        let hidden = lines.len().saturating_sub(LOG_LINES);
        if hidden > 0 {
            outln!("{}", self.paint.faint(&format!("… +{hidden}")));
        }
        for line in lines.iter().skip(hidden).flat_map(|line| wrap(line, 2)) {
            outln!("{}", self.paint.faint(&line));
        }
    }

    /// What the seat sees: the game's own lines if it has some, else everything; `whole` for everything in any case.
    fn show_table(&mut self, offer: &Offer, whole: bool) {
        outln!("{}", "─".repeat(WIDTH));
        let seat = offer.seat;
        let own = offer::table_view(&mut self.session.played, seat, &offer.prompt, self.table.language);
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
        lines.extend(own.unwrap_or_default().iter().map(|line| line.trim_end().to_string()));
        if !all {
            lines.extend(seen.own_zones(seat));
        }
        for line in lines {
            outln!("{line}");
        }
    }

    /// Whose turn it is and why, the question, the options.
    fn show_question(&self, offer: &Offer) {
        let round = self.session.played.table.state.round;
        let when = match (round, self.table.language) {
            (0, _) => String::new(),
            (_, Language::Es) => format!("Ronda {round} · "),
            (_, Language::En) => format!("Round {round} · "),
        };
        let title = format!("{when}{} · {} (p{})", self.step(), self.player_name(offer.seat), offer.seat);
        outln!("{}", self.paint.strong(&title));
        for line in wrap(&offer.text, 2) {
            outln!("{}", self.paint.strong(&line));
        }
        for line in options::page(offer, self.page, self.table.language) {
            outln!("{line}");
        }
        let (min, max) = offer.bounds();
        if (min, max) != (1, 1) {
            outln!("{}", match self.table.language {
                Language::Es => format!("(entre {min} y {max}; - para ninguna)"),
                Language::En => format!("(between {min} and {max}; - for none)"),
            });
        }
    }

    /// What the running step is called, and whose it is if it is somebody's.
    fn step(&self) -> String {
        let Some(now) = &self.session.now else { return self.either("Preparación", "Setup").to_string() };
        step_name(&self.session.played.game().definition, &now.function, self.table.language)
    }

    fn explain(&self, offer: &Offer, what: &str) {
        let seen = self.seen(offer.seat);
        let found = if what.is_empty() {
            let whose = self.session.now.as_ref().and_then(|now| now.seat).map(|seat| format!(", {}", self.player_name(seat)));
            Some(help::choice(&seen, offer, &format!("{}{}", self.step(), whose.unwrap_or_default())))
        } else {
            help::thing(&seen, offer, what)
        };
        match found {
            Some(lines) => lines.iter().for_each(|line| outln!("{line}")),
            None => outln!("{}", match self.table.language {
                Language::Es => format!("no hay nada que se llame «{what}»"),
                Language::En => format!("there is nothing called `{what}`"),
            }),
        }
    }

    /// Plays the answers so far on the content as it is now on disk.
    fn reload(&mut self) -> Next {
        let Ok(game) = (self.table.reload)() else {
            outln!("{}", self.either("sigue la partida con las reglas de antes", "the game goes on with the rules it had"));
            return Next::Ask;
        };
        let played = self.session.transcript.clone();
        let selection = crate::packs::selection_of(&played);
        let mut again = Session::new(game, self.table.sitters, played.seed, &selection);
        match again.follow(&played) {
            Ok(()) => outln!("{}", self.either("reglas releídas; la partida sigue donde estaba", "rules read again; the game goes on where it was")),
            Err(error) => {
                let (kept, of) = (again.transcript.lines.len(), played.lines.len());
                outln!("{error}");
                outln!("{}", match self.table.language {
                    Language::Es => format!("con las reglas nuevas valen {kept} de {of} respuestas"),
                    Language::En => format!("with the new rules {kept} of {of} answers hold"),
                });
            }
        }
        again.take_heard();
        self.session = again;
        Next::Continue
    }

    fn save_as(&self, file: &str) {
        let default = self.table.save.map_or_else(|| default_file(&self.session), Path::to_path_buf);
        let path = if file.is_empty() { default } else { PathBuf::from(file) };
        match std::fs::write(&path, self.session.transcript.to_string()) {
            Ok(()) => outln!("{} {}", self.either("guardada en", "saved as"), path.display()),
            Err(error) => outln!("{}: {error}", path.display()),
        }
    }

    fn offer_saving(&self) {
        if self.table.save.is_some() || self.session.transcript.lines.is_empty() {
            return;
        }
        let default = default_file(&self.session);
        let question = match self.table.language {
            Language::Es => format!("¿Guardar la partida? Nombre del archivo, s para {}, Intro para no: ", default.display()),
            Language::En => format!("Save the game? Name of the file, y for {}, Enter for no: ", default.display()),
        };
        match self.read(&question).as_deref().map(str::trim) {
            None | Some("") | Some("n" | "no") => {}
            Some("s" | "y" | "si" | "sí" | "yes") => self.save_as(""),
            Some(file) => self.save_as(file),
        }
    }

    fn save_at_the_end(&self) -> Outcome {
        let Some(path) = self.table.save else { return Ok(()) };
        save(&self.session, path)
    }

    /// The last log lines, the ranking, the reason.
    fn finish(&mut self) -> Outcome {
        self.show_log();
        outln!("{}", "─".repeat(WIDTH));
        let ranking = self.session.played.ranking().map_err(|broken| Failure::Game(broken.to_string()))?;
        let reason = say::reason(&self.session.played.table, self.table.language);
        let title = self.either("Fin de la partida", "The game is over");
        let title = if reason.is_empty() { title.to_string() } else { format!("{title}: {reason}") };
        outln!("{}", self.paint.strong(&title));
        for place in ranking {
            let score: Vec<String> = place.score.iter().map(i64::to_string).collect();
            let sitter = self.table.sitters[place.seat as usize].name();
            outln!("{:>3}. {} ({sitter})  {}", place.place, self.player_name(place.seat), score.join(" / "));
        }
        Ok(())
    }
}

/// Writes the match to a file.
pub fn save(session: &Session, path: &Path) -> Outcome {
    let written = std::fs::write(path, session.transcript.to_string());
    written.map_err(|error| Failure::Usage(format!("{}: {error}", path.display())))?;
    errln!("saved as {}", path.display());
    Ok(())
}

fn default_file(session: &Session) -> PathBuf {
    PathBuf::from(format!("{}-{}.transcript", session.transcript.game, session.transcript.seed))
}

/// Whether anything on the table is for some eyes only.
fn hides_something(definition: &Definition) -> bool {
    let zones = definition.zones.iter().any(|zone| zone.visible == Visibility::Owner);
    zones || definition.attributes.player.iter().any(|attribute| attribute.visible == Visibility::Owner)
}

/// What a step is called: its phase's text, its own, or its function's name.
pub fn step_name(definition: &Definition, function: &str, language: Language) -> String {
    let phase = definition.phases.iter().find(|phase| phase.step.name == function);
    let text = phase.and_then(|phase| phase.text.as_ref()).or_else(|| definition.texts.step.get(function));
    text.map_or_else(|| function.replace('_', " "), |text| language.of(text).to_string())
}

/// The lines people read of what happened.
pub fn log_lines(session: &Session, heard: &[Heard], language: Language) -> Vec<String> {
    let table = &session.played.table;
    let line = |heard: &Heard| match &heard.event {
        Event::Round { number } => Some(match language {
            Language::Es => format!("— Ronda {number} —"),
            Language::En => format!("— Round {number} —"),
        }),
        event => say::line(table, event, language),
    };
    heard.iter().filter_map(line).collect()
}
