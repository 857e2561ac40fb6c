//! Matches that outlive the screen: saved, or played again on rules that have changed.

use super::{Next, Screen, not_kept};
use crate::output::{Failure, errln, outln};
use crate::seats::at_the_table;
use ludoteca::play::journal;
use ludoteca::play::say::Language;
use ludoteca::play::session::Session;
use std::path::PathBuf;

impl Screen<'_> {
    /// Plays the answers so far on the content as it is now on disk.
    pub(super) fn reload(&mut self) -> Result<Next, Failure> {
        let Ok(game) = (self.table.reload)() else {
            outln!(
                "{}",
                self.either(
                    "sigue la partida con las reglas de antes",
                    "the game goes on with the rules it had"
                )
            );
            return Ok(Next::Ask);
        };
        let selection = crate::packs::selection_of(&self.session.transcript);
        let sitters = at_the_table(self.table.sitters);
        let followed = self.session.swap(game, sitters, &selection);
        let followed = followed.map_err(not_kept)?;
        match followed.misfit {
            None => outln!(
                "{}",
                self.either(
                    "reglas releídas; la partida sigue donde estaba",
                    "rules read again; the game goes on where it was"
                )
            ),
            Some(error) => {
                let (kept, of) = (followed.fitted, followed.of);
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
        self.session.forget(self.session.told());
        Ok(Next::Continue)
    }

    /// Saves the match as it stands. Where it is kept anyway there is nothing to do.
    pub(super) fn save_as(&self, file: &str) {
        let (path, saved) = match (file, self.table.save) {
            ("", Some(kept)) => (kept.to_path_buf(), Ok(())),
            (file, _) => {
                let path = match file {
                    "" => default_file(&self.session),
                    file => PathBuf::from(file),
                };
                let saved = journal::save(&path, &self.session.transcript);
                (path, saved)
            }
        };
        match saved {
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

    /// With `--save`, every answer has been on disk since it was given.
    pub(super) fn say_where_it_is(&self) {
        if let Some(path) = self.table.save {
            errln!("saved as {}", path.display());
        }
    }
}

fn default_file(session: &Session) -> PathBuf {
    PathBuf::from(format!(
        "{}-{}.transcript",
        session.transcript.game, session.transcript.seed
    ))
}
