//! Answers: what somebody chose, and leaving instead of choosing.

use super::{Given, Match};
use crate::content::definition::Text;
use crate::model::state::End;
use crate::model::value::{self, Val};
use crate::table::choice::{AnswerError, Asks, Extras, LEAVE, Wanted};
use crate::table::event::{Event, Hearers};

impl Match {
    /// Answers the open choice for a seat by the numbers of its options. When everybody asked has answered, the rules can go on
    /// with [`Match::advance`].
    pub fn answer(&mut self, seat: u8, picked: &[u32]) -> Result<(), AnswerError> {
        if self.answer_at_once(seat, picked) {
            self.table.choice = None;
            return Ok(());
        }
        let Some(mut choice) = self.table.choice.take() else {
            return Err(AnswerError::NotAsked(seat));
        };
        let told = self.table.events.is_some().then(|| {
            let label = |&n: &u32| choice.label(&self.table, seat, n);
            let labels: Vec<Text> = picked.iter().filter_map(label).collect();
            let keys = choice.keys_of(&self.table, seat, picked);
            (keys, labels, choice.hearers(&self.table, seat))
        });
        let heard_by = match (&told, &self.began) {
            (Some((_, _, to)), _) => *to,
            (None, Some(_)) => choice.hearers(&self.table, seat),
            (None, None) => Hearers::ALL,
        };
        let noted = choice.answer(&self.table, seat, picked);
        if noted.is_ok()
            && let Some((keys, labels, to)) = told
        {
            let prompt = choice.prompt;
            self.table.note(|_| Event::Chosen {
                seat,
                prompt,
                keys,
                labels,
                to,
            });
        }
        if noted.is_ok()
            && self.table.witness.is_some()
            && let Some(ask) = choice.asks.iter().find(|ask| ask.seat == seat)
            && let Some(answer) = &ask.answer
        {
            let taken = match (&choice.extras, picked) {
                (Extras::Actions(_), [n]) => {
                    self.table.nth(&ask.options, *n as i64).unwrap_or_default()
                }
                _ => answer.clone(),
            };
            self.table
                .witness_choice(seat, choice.prompt, &ask.options, &taken);
        }
        if noted.is_ok() && self.began.is_some() {
            self.note_answer(seat, picked, heard_by);
            if let Some(ask) = choice.asks.iter().find(|ask| ask.seat == seat) {
                self.table.remember_offered(seat, &ask.options);
            }
            self.table.remember_told(seat, &choice.details);
        }
        match choice.result() {
            Some(answer) if noted.is_ok() => self.machine.resume(answer),
            _ => self.table.choice = Some(choice),
        }
        noted
    }

    /// The one option that a seat takes which is asked alone, where nobody watches: the usual case, in which neither the choice nor what is
    /// taken need be moved about. Whatever else it is, or if there is no such option, is left to the general way.
    fn answer_at_once(&mut self, seat: u8, picked: &[u32]) -> bool {
        let table = &self.table;
        let Some(choice) = &table.choice else {
            return false;
        };
        let (&[n], Wanted::One, Asks::One(ask)) = (picked, choice.wanted, &choice.asks) else {
            return false;
        };
        let watched = table.events.is_some() || table.witness.is_some();
        if watched || ask.seat != seat || ask.answer.is_some() {
            return false;
        }
        let write = |place: &mut Val| choice.write_nth(table, ask, n, place);
        if !self.machine.resume_with(write) {
            return false;
        }
        if self.began.is_some() {
            let heard_by = choice.hearers(table, seat);
            let (options, details) = (ask.options.clone(), choice.details.clone());
            self.note_answer(seat, picked, heard_by);
            self.table.remember_offered(seat, &options);
            self.table.remember_told(seat, &details);
        }
        true
    }

    fn note_answer(&mut self, seat: u8, picked: &[u32], heard_by: Hearers) {
        self.answered.push(Given {
            seat,
            heard_by,
            picked: picked.into(),
        });
    }

    /// The same by the options' keys.
    pub fn answer_keys(&mut self, seat: u8, keys: &[String]) -> Result<(), AnswerError> {
        if keys == [LEAVE] {
            return self.leave(seat);
        }
        let choice = self
            .table
            .choice
            .as_ref()
            .ok_or(AnswerError::NotAsked(seat))?;
        let picked = choice.find(&self.table, seat, keys)?;
        self.answer(seat, &picked)
    }

    /// A player who is asked leaves instead of answering. What the step wanted is given up; what happens then is the game's `left(p)`,
    /// or the player is out, and who remains alone, or with partners alone, has won.
    pub fn leave(&mut self, seat: u8) -> Result<(), AnswerError> {
        let open = self
            .table
            .choice
            .as_ref()
            .filter(|choice| choice.ask(seat).is_some());
        let Some(prompt) = open.map(|choice| choice.prompt) else {
            return Err(AnswerError::NotAsked(seat));
        };
        if !self.game.definition.may_leave {
            return Err(AnswerError::MustStay);
        }
        self.table.note(|_| Event::Chosen {
            seat,
            prompt,
            keys: vec![LEAVE.to_string()],
            labels: vec![Text {
                es: "se va".into(),
                en: "leaves".into(),
            }],
            to: Hearers::ALL,
        });
        self.table.choice = None;
        self.running = false;
        match self.game.calls.left {
            Some(left) => self.start(left, &[value::player(seat)]),
            None => self.put_out(seat),
        }
        Ok(())
    }

    fn put_out(&mut self, seat: u8) {
        let state = &mut self.table.state;
        state.out |= 1 << seat;
        let players = self.table.layout.players as u8;
        let mut remaining = (0..players).filter(|&other| !self.table.state.is_out(other));
        let first = remaining.next();
        let together = remaining.all(|other| first.is_some_and(|f| self.table.same_side(f, other)));
        if together {
            let won = |other: &u8| first.is_some_and(|f| self.table.same_side(f, *other));
            let winners = (0..players)
                .filter(won)
                .fold(0, |all, other| all | 1 << other);
            self.table.state.end.get_or_insert(End::Rules {
                reason: None,
                winners: Some(winners),
            });
        }
    }
}
