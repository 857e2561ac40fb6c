//! Who won: the scores the rules give, compared.

use super::matches::{BrokenRule, Match};
use crate::content::definition::AttributeType;
use crate::content::definition::{Definition, Language};
use crate::limits::LONGEST_SCORE;
use crate::model::state::End;
use crate::model::value::{self, Val, handle};
use ludoteca_vm::Value;
use serde::Serialize;

/// One player's place at the end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Rank {
    pub seat: u8,
    /// The side it is on at the end, in a game that has sides.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub side: Option<String>,
    /// 1 for the winner; players with equal scores share a place. Nobody has 1 if everybody lost.
    pub place: u32,
    /// What the rules' `score` gave; a longer list breaks ties.
    pub score: Vec<i64>,
}

impl Rank {
    /// The score with what each number is: `Points 17 · Cities 3`. Numbers without a name stand alone.
    pub fn told(&self, definition: &Definition, language: Language) -> String {
        let number = |(at, number): (usize, &i64)| match definition.score.get(at) {
            Some(name) => format!("{} {number}", language.of(name)),
            None => number.to_string(),
        };
        let numbers: Vec<String> = self.score.iter().enumerate().map(number).collect();
        numbers.join(" · ")
    }
}

impl Match {
    /// Everybody's place, best first: winners the rules named, then by the rules' `score(p)`. Nobody is first if the rules said that
    /// everybody lost, or if they name no winners and nobody has scored anything.
    pub fn ranking(&mut self) -> Result<Vec<Rank>, BrokenRule> {
        let mut ranking = Vec::new();
        for seat in 0..self.table.players() {
            let score = self.score(seat)?;
            let side = self.table.side(seat);
            ranking.push(Rank {
                seat,
                side: side.map(|side| self.game().definition.sides[side].name.clone()),
                place: 0,
                score,
            });
        }
        self.same_length(&ranking)?;
        self.share_with_partners(&mut ranking);
        let named = self.named_winners();
        let scored = |place: &Rank| place.score.iter().any(|number| *number != 0);
        let nobody = !ranking.iter().any(scored);
        let named = named.or(nobody.then_some(0));
        let won = |place: &Rank| named.is_some_and(|bits| bits >> place.seat & 1 == 1);
        ranking.sort_by(|a, b| {
            let by_score = || b.score.cmp(&a.score).then(a.seat.cmp(&b.seat));
            won(b).cmp(&won(a)).then_with(by_score)
        });
        let nobody_won = named == Some(0);
        for i in 0..ranking.len() {
            let tied = i > 0 && {
                let (before, this) = (&ranking[i - 1], &ranking[i]);
                won(before) == won(this) && (won(this) || this.score == before.score)
            };
            ranking[i].place = if tied {
                ranking[i - 1].place
            } else {
                i as u32 + 1 + nobody_won as u32
            };
        }
        Ok(ranking)
    }

    /// The winners the rules have named, as bits; `None` if the match is not over or scores decide. None of the bits: everybody lost.
    pub fn named_winners(&self) -> Option<u32> {
        match self.table.state.end {
            Some(End::Rules { winners, .. }) => winners,
            _ => None,
        }
    }

    /// What the next match of a campaign starts with, as settings.
    pub fn next_start(&self) -> Vec<(String, String)> {
        let declared = self.game().definition.attributes.game.iter().enumerate();
        let kept = declared.filter(|(_, attribute)| attribute.campaign);
        kept.filter_map(|(index, attribute)| {
            let number = self.table.number(handle::GAME, index, 0, 0);
            let value = match &attribute.ty {
                AttributeType::Bool => (number != 0).to_string(),
                AttributeType::Word(_) => match usize::try_from(number) {
                    Ok(word) => self.game().lexicon.words[word].to_string(),
                    Err(_) => return None,
                },
                _ => number.to_string(),
            };
            Some((format!("attributes.game.{}.start", attribute.name), value))
        })
        .collect()
    }

    fn score(&mut self, seat: u8) -> Result<Vec<i64>, BrokenRule> {
        let Some(function) = self.game().calls.score else {
            return Ok(vec![0]);
        };
        let answer = self.question(function, &[value::player(seat)])?;
        numbers(&answer).ok_or_else(|| {
            let wanted = match answer.as_array() {
                Some(long) if long.len() > LONGEST_SCORE => {
                    format!("at most {LONGEST_SCORE} numbers")
                }
                Some([]) => "at least one number".into(),
                _ => "a number or a list of numbers".into(),
            };
            self.wrong_answer(function, &wanted, &answer)
        })
    }

    /// Partners have one score between them: the sum of theirs.
    fn share_with_partners(&self, ranking: &mut [Rank]) {
        if self.game().definition.sides.is_empty() {
            return;
        }
        let own: Vec<Vec<i64>> = ranking.iter().map(|place| place.score.clone()).collect();
        for place in ranking {
            for other in 0..self.table.players() {
                if other != place.seat && self.table.same_side(place.seat, other) {
                    let partner = &own[other as usize];
                    for (sum, part) in place.score.iter_mut().zip(partner) {
                        *sum = sum.saturating_add(*part);
                    }
                }
            }
        }
    }

    /// Lists of scores compare number by number, so they must be of one length.
    fn same_length(&self, ranking: &[Rank]) -> Result<(), BrokenRule> {
        let (Some(function), Some(first)) = (self.game().calls.score, ranking.first()) else {
            return Ok(());
        };
        let other = ranking
            .iter()
            .find(|place| place.score.len() != first.score.len());
        match other {
            None => Ok(()),
            Some(place) => {
                let (wanted, found) = (first.score.len(), place.score.len());
                let wanted = format!("as many numbers to every player ({wanted} to p0)");
                Err(self.wrong(function, &wanted, &format!("{found} to p{}", place.seat)))
            }
        }
    }
}

fn numbers(score: &Val) -> Option<Vec<i64>> {
    match score {
        Value::Array(items) if items.is_empty() || items.len() > LONGEST_SCORE => None,
        Value::Array(items) => items.iter().map(Value::as_int).collect(),
        other => Some(vec![other.as_int()?]),
    }
}
