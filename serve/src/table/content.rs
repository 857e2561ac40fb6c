//! Content that changes under a match: files edited while it is played, or since it was last played.

use super::hearing::Hearing;
use super::{OtherContent, Sitting, head};
use crate::house::{House, now};
use crate::kernel::{Language, Transcript};
use crate::refusal::Refusal;
use crate::shelf::Boxed;
use crate::store::ToKeep;
use serde_json::{Value as Json, json};
use std::sync::Arc;

impl Sitting {
    /// Keeps the files the match begins with, so that it can go on with them whatever becomes of them.
    pub(super) fn keep_content(&self, house: &House) -> Result<(), Refusal> {
        if house.store.has_content(&self.boxed.hash) {
            return Ok(());
        }
        let entry = ToKeep::Content {
            hash: self.boxed.hash.clone(),
            files: house.shelf.snapshot(&self.boxed.game.definition.id),
        };
        house.store.keep(entry).map_err(|_| Refusal::not_kept())
    }

    /// The game of a stored match: as it is now, unless it was to go on with what it began with, or cannot be read now.
    pub(super) fn game_of(
        house: &House,
        transcript: &Transcript,
        old: bool,
    ) -> Result<Arc<Boxed>, Refusal> {
        let selection = transcript.selection();
        let fresh = house.shelf.game(&transcript.game, &selection);
        match fresh {
            Ok(boxed) if !old || boxed.game.definition.hash == transcript.content => Ok(boxed),
            fresh => match old_game(house, transcript) {
                Some(boxed) => Ok(boxed),
                None => fresh,
            },
        }
    }

    /// What a page is told of content that is not what the match began with.
    pub(super) fn content_json(&self, language: Language) -> Json {
        let Some(other) = &self.other_content else {
            return Json::Null;
        };
        let (kept, of) = (other.kept, other.saved.lines.len());
        let text = match language {
            Language::Es => format!(
                "El contenido del juego cambió desde la última vez: valen {kept} de {of} respuestas."
            ),
            Language::En => {
                format!("The content of the game has changed since: {kept} of {of} answers hold.")
            }
        };
        json!({ "changed": true, "text": text, "why": other.why, "kept": kept, "of": of, "still_there": other.still_there })
    }

    /// Somebody who sits here says how the match goes on: `on` with the content it began with, or `replay` on what is there now.
    pub fn go_on_with(&mut self, house: &House, number: u64, how: &str) -> Result<(), Refusal> {
        if self.seats_of(number).is_empty() {
            return Err(Refusal::not_allowed(
                "Eso lo deciden quienes juegan.",
                "That is for those who play to decide.",
            ));
        }
        let Some(other) = self.other_content.clone() else {
            return Err(Refusal::bad_request("`content`"));
        };
        match how {
            "replay" => {
                self.keep_content(house)?;
                self.keep_again(house)?;
                self.other_content = None;
            }
            "on" => {
                let boxed = old_game(house, &other.saved).ok_or_else(|| {
                    Refusal::new(
                        "not-found",
                        "El contenido de antes ya no está.",
                        "The former content is not there any more.",
                    )
                })?;
                self.setup.old_content = true;
                let entry = ToKeep::Setup {
                    id: self.id.clone(),
                    setup: json!(self.setup).to_string(),
                };
                house.store.keep(entry).map_err(|_| Refusal::not_kept())?;
                self.other_content = None;
                self.play_on(boxed, &other.saved);
                self.kept = self.session.transcript.lines.len();
                self.end_kept = other.saved.over;
            }
            _ => return Err(Refusal::bad_request("`content`")),
        }
        self.tell_states();
        Ok(())
    }

    /// Files have been edited: the match goes on with them, as far as its answers hold, or stays as it is and says what is wrong.
    pub fn read_again(&mut self, house: &House, files: &[String]) {
        if self.setup.old_content || self.other_content.is_some() {
            return;
        }
        let fresh = house
            .shelf
            .game(&self.boxed.game.definition.id, &self.selection);
        let boxed = match fresh {
            Ok(boxed) => boxed,
            Err(refusal) => {
                let problem = json!({ "text": refusal.en, "es": refusal.es, "en": refusal.en, "diagnostics": refusal.diagnostics });
                self.problem = Some(problem.clone());
                let mut told = problem;
                told["type"] = json!("problem");
                return self.tell_all(&told);
            }
        };
        let mended = self.problem.take().is_some();
        self.stuck = false;
        let of = self.session.transcript.lines.len();
        let same_rules = boxed.hash == self.boxed.hash;
        if boxed.declaration.id == self.boxed.declaration.id && same_rules {
            if mended {
                self.tell_all(&json!({ "type": "mended" }));
            }
            return;
        }
        let mut why = None;
        if same_rules {
            self.boxed = boxed;
        } else {
            let former = self.session.transcript.clone();
            why = self.play_on(boxed, &former);
            if self.keep_content(house).is_err() || self.keep_again(house).is_err() {
                self.break_down("the match could not be put on disk");
            }
        }
        let kept = self.session.transcript.lines.len();
        self.tell_all(
            &json!({ "type": "reloaded", "files": files, "kept": kept, "of": of, "text": why }),
        );
        self.tell_states();
    }

    /// Plays a transcript on other content; says why the first answer that does not fit does not.
    fn play_on(&mut self, boxed: Arc<Boxed>, transcript: &Transcript) -> Option<String> {
        self.boxed = boxed;
        self.hearing = Hearing::new(self.setup.who.len());
        self.heard = 0;
        self.epoch += 1;
        self.forget_question();
        let followed = self.follow(transcript);
        followed.err().map(|error| error.to_string())
    }

    /// The transcript on disk starts again: the match is one of other content now.
    fn keep_again(&mut self, house: &House) -> Result<(), Refusal> {
        let transcript = &self.session.transcript;
        let mut lines: Vec<String> = transcript.lines.iter().map(ToString::to_string).collect();
        if transcript.over {
            lines.push("end".into());
        }
        let rows = lines.len() as u64;
        let entry = ToKeep::Again {
            id: self.id.clone(),
            head: head(transcript),
            lines,
            at: now(),
        };
        house.store.keep(entry).map_err(|_| Refusal::not_kept())?;
        self.rows = rows;
        self.kept = self.session.transcript.lines.len();
        self.end_kept = self.session.transcript.over;
        Ok(())
    }

    /// Says whether the content is not what a stored match began with.
    pub(super) fn compare_content(
        &mut self,
        house: &House,
        saved: Transcript,
        why: Option<String>,
    ) {
        if why.is_none() && self.boxed.game.definition.hash == saved.content {
            return;
        }
        self.other_content = Some(OtherContent {
            kept: self.session.transcript.lines.len(),
            why,
            still_there: house.store.has_content(&format!("{:016x}", saved.content)),
            saved,
        });
    }
}

/// The game a match began with, from the files that were kept.
fn old_game(house: &House, transcript: &Transcript) -> Option<Arc<Boxed>> {
    let hash = format!("{:016x}", transcript.content);
    let files = house.store.content(&hash).ok()??;
    let selection = transcript.selection();
    let found = house
        .shelf
        .kept_game(&transcript.game, &selection, &files)?;
    (found.hash == hash).then_some(found)
}
