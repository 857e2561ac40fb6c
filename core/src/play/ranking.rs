//! Who won: the scores the rules give, compared.

use super::matches::{BrokenRule, Match};
use crate::model::value::{self, Val};
use ludoteca_vm::Value;
use serde::Serialize;

/// One player's place at the end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Place {
    pub seat: u8,
    /// 1 for the winner; players with equal scores share a place.
    pub place: u32,
    /// What the rules' `score` gave; a longer list breaks ties.
    pub score: Vec<i64>,
}

impl Match {
    /// Everybody's place, best first, by the rules' `score(p)`.
    pub fn ranking(&mut self) -> Result<Vec<Place>, BrokenRule> {
        let mut ranking = Vec::new();
        for seat in 0..self.table.players() {
            let score = match self.game().calls.score {
                Some(function) => {
                    let answer = self.question(function, &[value::player(seat)])?;
                    numbers(&answer).ok_or_else(|| {
                        self.wrong_answer(function, "a number or a list of numbers", &answer)
                    })?
                }
                None => vec![0],
            };
            ranking.push(Place {
                seat,
                place: 0,
                score,
            });
        }
        ranking.sort_by(|a, b| b.score.cmp(&a.score).then(a.seat.cmp(&b.seat)));
        for i in 0..ranking.len() {
            let tied = i > 0 && ranking[i].score == ranking[i - 1].score;
            ranking[i].place = if tied {
                ranking[i - 1].place
            } else {
                i as u32 + 1
            };
        }
        Ok(ranking)
    }
}

fn numbers(score: &Val) -> Option<Vec<i64>> {
    match score {
        Value::Array(items) => items.iter().map(Value::as_int).collect(),
        other => Some(vec![other.as_int()?]),
    }
}
