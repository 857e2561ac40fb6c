//! Matches that outlive the screen: saved, or played again on rules that have changed.

use super::{Next, Screen};
use crate::output::{Failure, Outcome, errln, outln};
use crate::saved;
use crate::session::Session;
use ludoteca::play::say::Language;
use std::path::{Path, PathBuf};

impl Screen<'_> {
    /// Plays the answers so far on the content as it is now on disk.
    pub(super) fn reload(&mut self) -> Next {
        let Ok(game) = (self.table.reload)() else {
            outln!(
                "{}",
                self.either(
                    "sigue la partida con las reglas de antes",
                    "the game goes on with the rules it had"
                )
            );
            return Next::Ask;
        };
        let played = self.session.transcript.clone();
        let selection = crate::packs::selection_of(&played);
        let mut again = Session::new(game, self.table.sitters, played.seed, &selection);
        match again.follow(&played) {
            Ok(()) => outln!(
                "{}",
                self.either(
                    "reglas releídas; la partida sigue donde estaba",
                    "rules read again; the game goes on where it was"
                )
            ),
            Err(error) => {
                let (kept, of) = (again.transcript.lines.len(), played.lines.len());
                outln!("{error}");
                outln!(
                    "{}",
                    match self.table.language {
                        Language::Es =>
                            format!("con las reglas nuevas valen {kept} de {of} respuestas"),
                        Language::En => format!("with the new rules {kept} of {of} answers hold"),
                    }
                );
            }
        }
        again.take_heard();
        self.session = again;
        Next::Continue
    }

    pub(super) fn save_as(&self, file: &str) {
        let default = self
            .table
            .save
            .map_or_else(|| default_file(&self.session), Path::to_path_buf);
        let path = if file.is_empty() {
            default
        } else {
            PathBuf::from(file)
        };
        match saved::write(&path, &self.session.transcript) {
            Ok(()) => outln!(
                "{} {}",
                self.either("guardada en", "saved as"),
                path.display()
            ),
            Err(error) => outln!("{}: {error}", path.display()),
        }
    }

    pub(super) fn offer_saving(&self) {
        if self.table.save.is_some() || self.session.transcript.lines.is_empty() {
            return;
        }
        let default = default_file(&self.session);
        let question = match self.table.language {
            Language::Es => format!(
                "¿Guardar la partida? Nombre del archivo, s para {}, Intro para no: ",
                default.display()
            ),
            Language::En => format!(
                "Save the game? Name of the file, y for {}, Enter for no: ",
                default.display()
            ),
        };
        match self.read(&question).as_deref().map(str::trim) {
            None | Some("") | Some("n" | "no") => {}
            Some("s" | "y" | "si" | "sí" | "yes") => self.save_as(""),
            Some(file) => self.save_as(file),
        }
    }

    /// With `--save`, every answer is on disk as soon as it is given: nobody loses a match by closing the window.
    pub(super) fn save_as_it_goes(&self) {
        if let Some(path) = self.table.save
            && let Err(error) = saved::write(path, &self.session.transcript)
        {
            outln!("{}: {error}", path.display());
        }
    }

    pub(super) fn save_at_the_end(&self) -> Outcome {
        let Some(path) = self.table.save else {
            return Ok(());
        };
        save(&self.session, path)
    }
}

/// Writes the match to a file.
pub fn save(session: &Session, path: &Path) -> Outcome {
    let written = saved::write(path, &session.transcript);
    written.map_err(|error| Failure::Usage(format!("{}: {error}", path.display())))?;
    errln!("saved as {}", path.display());
    Ok(())
}

fn default_file(session: &Session) -> PathBuf {
    PathBuf::from(format!(
        "{}-{}.transcript",
        session.transcript.game, session.transcript.seed
    ))
}
