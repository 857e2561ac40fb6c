//! Matches that outlive the screen: kept, copied, played again on rules that have changed; and their logs.

use super::{Next, Screen, end, log, not_kept};
use crate::output::{Failure, Outcome, errln, outln};
use crate::seats::at_the_table;
use crate::words::errors::told;
use crate::words::{say, word};
use ludoteca::{Session, journal};
use std::path::PathBuf;

/// Lines of the log that are shown of a match nobody watched.
const LAST_LINES: usize = 40;

impl Screen<'_> {
    /// Plays the answers so far on the content as it is now on disk.
    pub(super) fn reload(&mut self) -> Result<Next, Failure> {
        let Ok(game) = (self.table.reload)() else {
            outln!(
                "{}",
                word!(
                    "sigue la partida con las reglas de antes",
                    "the game goes on with the rules it had"
                )
            );
            return Ok(Next::Ask);
        };
        let selection = self.session.transcript.selection();
        let sitters = at_the_table(self.table.sitters);
        let followed = self.session.swap(game, sitters, &selection);
        let followed = followed.map_err(not_kept)?;
        match followed.misfit {
            None => outln!(
                "{}",
                word!(
                    "reglas releídas; la partida sigue donde estaba",
                    "rules read again; the game goes on where it was"
                )
            ),
            Some(error) => {
                let (kept, of) = (followed.fitted, followed.of);
                outln!("{}", told(&error));
                outln!(
                    "{}",
                    say!(
                        "con las reglas nuevas valen {kept} de {of} respuestas",
                        "with the new rules {kept} of {of} answers hold"
                    )
                );
            }
        }
        self.heard = vec![self.session.told(); self.session.players() as usize];
        self.looked.clear();
        Ok(Next::Continue)
    }

    /// Copies the match as it stands to a file, or says where it is.
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
            Ok(()) => {
                let path = path.display();
                outln!("{}", say!("guardada en {path}", "saved as {path}"));
            }
            Err(error) => outln!("{}: {}", path.display(), told(&error)),
        }
    }

    /// Every answer has been on disk since it was given.
    pub(super) fn say_where_it_is(&self) {
        let Some(path) = self.table.save else {
            return;
        };
        let path = path.display();
        errln!("{}", say!("guardada en {path}", "saved as {path}"));
        if !self.session.is_over() {
            errln!(
                "{}",
                word!(
                    "`ludoteca play` ofrece seguirla",
                    "`ludoteca play` offers to go on with it"
                )
            );
        }
    }

    /// What happened at the end, why it ended, who won.
    pub(super) fn finish(&mut self) -> Outcome {
        let people = (0..self.session.players()).filter(|&seat| !self.session.is_bot(seat));
        let people: Vec<u8> = people.collect();
        let (mut log, whole) = match people.first() {
            Some(_) => (self.last_news(&people), false),
            None => {
                let whole = matches!(self.table.log, Some(None));
                (log::whole(&self.session, None, &self.pen()), whole)
            }
        };
        let hidden = log.len().saturating_sub(LAST_LINES);
        if !whole && hidden > 0 {
            let hidden = match people.is_empty() {
                true => say!(
                    "… {hidden} líneas antes; --log las muestra",
                    "… {hidden} lines before; --log shows them"
                ),
                false => format!("… +{hidden}"),
            };
            log.drain(..log.len() - LAST_LINES);
            outln!("{}", self.paint.faint(&hidden));
        }
        log.iter().for_each(|line| outln!("{line}"));
        outln!("{}", self.paint.faint(&"─".repeat(super::page::across())));
        let sitters: Vec<String> = self.table.sitters.iter().map(|s| s.name()).collect();
        let pen = self.pen();
        for line in end::lines(&mut self.session, &sitters, &pen)? {
            outln!("{line}");
        }
        Ok(())
    }

    /// Writes the whole log to the file it was asked for.
    pub(super) fn write_log(&mut self) -> Outcome {
        let Some(Some(path)) = self.table.log.clone() else {
            return Ok(());
        };
        let sitters: Vec<String> = self.table.sitters.iter().map(|s| s.name()).collect();
        // Who alone plays here may read what was told to nobody else.
        let ears = self.session.only_one_outside();
        log::write(&path, &mut self.session, ears, &sitters)
    }
}

fn default_file(session: &Session) -> PathBuf {
    PathBuf::from(format!(
        "{}-{}.transcript",
        session.transcript.game, session.transcript.seed
    ))
}
