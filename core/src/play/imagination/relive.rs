//! A rule that is stopped may hold a secret in a variable. Then the table alone cannot be imagined: the step is gone through again from its
//! beginning, with what was hidden drawn anew, and kept if it looks to the seat as it looked.

use super::{Known, deal_pieces, draw_hidden, offered_pieces};
use crate::content::definition::{Attribute, Visibility};
use crate::model::layout::Slot;
use crate::model::streams::Stream;
use crate::model::value::handle;
use crate::play::matches::{Began, Given, Match, Status};
use crate::table::Table;
use std::sync::Arc;

/// How often a step is gone through to find out whether what its variables hold depends on what is hidden: if nothing was drawn or
/// answered in it that the seat could not see, and if something was.
const TRIALS: u64 = 2;
const TRIALS_OF_A_SECRET: u64 = 8;
/// Answers after which a step in which nothing secret was drawn or answered is not begun anew any more: a turn of a hundred answers
/// would cost as much again for each of them. Walks go on from where they are.
const SHORT: usize = 10;
/// How often it is gone through for one table that looks the same, and where none has been found yet.
const TRIES: u32 = 40;
const TRIES_IN_VAIN: u32 = 8;

/// Whether the rule that asks holds something hidden in its variables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RuleHolds {
    No,
    Yes,
    /// Something was drawn or answered in secret, and no way that was tried led here.
    Perhaps,
}

/// The step under way, gone through once with what was hidden drawn anew. A walk goes on with the answers that were given since, and is
/// then where it would be had it just begun.
#[derive(Debug)]
pub struct Walk {
    /// Which of the walks through a step it is: each has luck of its own, which comes from nothing hidden.
    number: u64,
    at: Match,
    began: Option<Arc<Began>>,
    seat: u8,
    knows: Known,
    answers: Vec<Given>,
    luck: Stream,
    /// It came somewhere else than the match.
    astray: bool,
}

impl Walk {
    pub fn asked(&self) -> u64 {
        self.at.table.asked
    }

    pub fn new(real: &Match, number: u64) -> Walk {
        Walk {
            number,
            at: Match::empty(real.game().clone(), real.table.players(), 0),
            began: None,
            seat: 0,
            knows: Known::default(),
            answers: Vec::new(),
            luck: Stream::numbered(0, number),
            astray: true,
        }
    }

    /// Lets it use so many operations from now on.
    pub fn allow(&mut self, operations: u64) {
        self.at.allow(operations);
    }

    pub fn spent(&self) -> u64 {
        self.at.spent()
    }

    /// Comes to where the match is; says whether it looks to the seat as the match does.
    pub fn catch_up(&mut self, real: &Match, seat: u8, knows: &Known) -> bool {
        let Some((began, answers)) = real.step_under_way() else {
            return false;
        };
        let same_step = self.began.as_ref().is_some_and(|b| Arc::ptr_eq(b, began));
        let goes_on = same_step
            && self.seat == seat
            && self.knows == *knows
            && answers.starts_with(&self.answers);
        if !goes_on {
            self.seat = seat;
            self.knows.clone_from(knows);
            self.began = Some(began.clone());
            self.answers.clear();
            self.luck = Stream::numbered(began.state.tally.decisions, self.number);
            self.astray = !begin(&mut self.at, real, seat, &mut self.luck, knows);
        }
        for given in &answers[self.answers.len()..] {
            self.astray = self.astray || !go_on(&mut self.at, real, given, seat, &mut self.luck);
            self.answers.push(given.clone());
        }
        !self.astray && looks_the_same(&real.table, &self.at.table, seat, in_secret(real, knows))
    }

    /// Where it is.
    pub fn at(&self) -> &Match {
        &self.at
    }
}

/// How often a step should be gone through to know whether its rule holds a secret.
pub fn trials(real: &Match, seat: u8) -> u64 {
    let secret = real.drew_in_secret() || real.answered_in_secret(seat);
    match (secret, real.answers_of_the_step()) {
        (true, _) => TRIALS_OF_A_SECRET,
        (false, ..SHORT) => TRIALS,
        (false, _) => 0,
    }
}

/// Whether the rule that asks remembers anything else than `walked` does, if what the seat cannot see were otherwise.
pub fn remembers_else(
    ahead: &mut Match,
    real: &Match,
    seat: u8,
    knows: &Known,
    walked: &Match,
) -> RuleHolds {
    // Two walks were compared already.
    match differs(ahead, real, seat, knows, TRIALS..trials(real, seat), walked) {
        Some(true) => RuleHolds::Yes,
        _ => RuleHolds::No,
    }
}

/// The same where no walk led here: what the rule remembers is compared with the step gone through as it was, and not with the match
/// itself, which may have been copied or loaded: a machine also keeps what no rule looks at any more, and that depends on how it came there.
pub fn rule_holds_a_secret(ahead: &mut Match, real: &Match, seat: u8, knows: &Known) -> RuleHolds {
    let trials = trials(real, seat);
    if trials == 0 {
        return RuleHolds::No;
    }
    let mut as_it_was = Match::empty(real.game().clone(), real.table.players(), 0);
    if !go_through_as_it_was(&mut as_it_was, real) {
        return RuleHolds::No;
    }
    match differs(ahead, real, seat, knows, 0..trials, &as_it_was) {
        Some(true) => RuleHolds::Yes,
        None if trials == TRIALS_OF_A_SECRET => RuleHolds::Perhaps,
        _ => RuleHolds::No,
    }
}

/// Whether ways that lead here remember something else; nothing if none does lead here.
fn differs(
    ahead: &mut Match,
    real: &Match,
    seat: u8,
    knows: &Known,
    trials: std::ops::Range<u64>,
    from: &Match,
) -> Option<bool> {
    // Which decision it is, and nothing hidden, decides what is tried.
    let moment = real.table.state.tally.decisions;
    let mut found = None;
    for trial in trials {
        let mut luck = Stream::numbered(moment, trial);
        if try_once(ahead, real, seat, &mut luck, knows, looks_the_same) {
            if !ahead.remembers_as(from) {
                return Some(true);
            }
            found = Some(false);
        }
    }
    found
}

fn go_through_as_it_was(again: &mut Match, real: &Match) -> bool {
    let Some(answers) = again.follow_to_the_step(real) else {
        return false;
    };
    let answered = answers.iter().all(|given| {
        matches!(again.advance(), Ok(Status::Asking))
            && again.answer(given.seat, &given.picked).is_ok()
    });
    answered && matches!(again.advance(), Ok(Status::Asking))
}

/// Goes through the step again until it looks the same; `false` if it never does. Where no way was found yet that does, one that leads to
/// the same question is better than what the rule truly remembers.
pub fn relive(
    ahead: &mut Match,
    real: &Match,
    seat: u8,
    luck: &mut Stream,
    knows: &Known,
    held: RuleHolds,
) -> bool {
    let tries = match held {
        RuleHolds::Perhaps => TRIES_IN_VAIN,
        _ => TRIES,
    };
    let mut found =
        |tries, same: Same| (0..tries).any(|_| try_once(ahead, real, seat, luck, knows, same));
    found(tries, looks_the_same) || held == RuleHolds::Perhaps && found(TRIES, same_question)
}

/// What one table must have in common with the other for a seat.
type Same = fn(&Table, &Table, u8, Option<&Known>) -> bool;

/// Goes through the step once, with the luck everybody saw; says whether it came to the same choice and looks the same.
fn try_once(
    ahead: &mut Match,
    real: &Match,
    seat: u8,
    luck: &mut Stream,
    knows: &Known,
    looks: Same,
) -> bool {
    let Some((_, answers)) = real.step_under_way() else {
        return false;
    };
    let same = begin(ahead, real, seat, luck, knows)
        && answers
            .iter()
            .all(|given| go_on(ahead, real, given, seat, luck))
        && looks(&real.table, &ahead.table, seat, in_secret(real, knows));
    let shuffled_in = |piece: u32| {
        let began_known = ahead.table.state.pieces[piece as usize].known;
        began_known >> seat & 1 == 1 && !real.table.knows_piece(seat, piece)
    };
    if same && (0..ahead.table.state.pieces.len() as u32).any(shuffled_in) {
        let known = Known::of(&ahead.table, seat);
        deal_pieces(&mut ahead.table, seat, luck, |_, piece| {
            known.includes(piece)
        });
    }
    same
}

/// Goes to the first choice of the step, with what the seat cannot see drawn anew.
fn begin(ahead: &mut Match, real: &Match, seat: u8, luck: &mut Stream, knows: &Known) -> bool {
    if real.step_under_way().is_none() {
        return false;
    }
    let lay = |ahead: &mut Match| {
        ahead.follow_to_the_step(real);
    };
    let known = |table: &Table, piece| knows.includes(piece) || table.knows_piece(seat, piece);
    draw_hidden(ahead, seat, luck, lay, known);
    // Dice were seen by all, and through shuffles go only backs; numbers drawn otherwise were seen by nobody.
    let general = ahead.table.layout.general_stream();
    ahead.table.state.streams[general] = Stream::numbered(luck.seed(), 0);
    comes_no_further(ahead, real)
}

/// Answers as it was answered, and goes to the next choice. What the seat did not hear somebody answer may have been anything.
fn go_on(ahead: &mut Match, real: &Match, given: &Given, seat: u8, luck: &mut Stream) -> bool {
    let Some(choice) = ahead.choice() else {
        return false;
    };
    let heard = given.heard_by.include(Some(seat));
    let count = choice.count(&ahead.table, given.seat);
    let drawn = (!heard).then(|| choice.wanted.draw(count, luck));
    let picked = drawn.as_deref().unwrap_or(&given.picked);
    ahead.answer(given.seat, picked).is_ok() && comes_no_further(ahead, real)
}

/// Goes to the next choice, which must not lie behind the step the match is in.
fn comes_no_further(ahead: &mut Match, real: &Match) -> bool {
    matches!(ahead.advance(), Ok(Status::Asking))
        && ahead.table.state.round == real.table.state.round
        && ahead.table.state.steps <= real.table.state.steps
}

impl Known {
    /// The pieces a seat knows now.
    pub fn of(table: &Table, seat: u8) -> Known {
        let mut known = Known(
            (0..table.state.pieces.len() as u32)
                .map(|piece| table.knows_piece(seat, piece))
                .collect(),
        );
        for piece in offered_pieces(table, seat) {
            known.0[piece as usize] = true;
        }
        known
    }

    pub fn includes(&self, piece: u32) -> bool {
        self.0.get(piece as usize).copied().unwrap_or(false)
    }
}

/// Whether a seat is asked the same at both tables, in the same step.
fn same_question(real: &Table, other: &Table, seat: u8, drawn: Option<&Known>) -> bool {
    let (Some(asked), Some(imagined)) = (&real.choice, &other.choice) else {
        return false;
    };
    asked.prompt == imagined.prompt
        && real.state.steps == other.state.steps
        && same_zones(real, other, seat, drawn)
        && asked.asks.len() == imagined.asks.len()
        && asked
            .asks
            .iter()
            .zip(&imagined.asks)
            .all(|(a, b)| a.seat == b.seat && (a.seat != seat || a.options == b.options))
}

/// Whether a seat could not tell one table from the other: the same question, the same open numbers, the same pieces in the same places.
fn looks_the_same(real: &Table, other: &Table, seat: u8, drawn: Option<&Known>) -> bool {
    same_question(real, other, seat, drawn)
        && real.state.round == other.state.round
        && real.state.out == other.state.out
        && real.state.order == other.state.order
        && same_pieces(real, other, seat)
        && same_numbers(real, other, seat)
}

/// What the seat knows, in a step in which something was drawn that nobody saw: only then may pieces lie otherwise in piles it does not see.
fn in_secret<'k>(real: &Match, knows: &'k Known) -> Option<&'k Known> {
    real.drew_in_secret().then_some(knows)
}

/// The same pieces in every zone. Where numbers were drawn in secret, as many, and the same ones wherever the seat sees them or knows them: a rule
/// that chose one of the others by chance is not given away by where it lies.
fn same_zones(real: &Table, other: &Table, seat: u8, drawn: Option<&Known>) -> bool {
    let (ours, theirs) = (&real.state.zones, &other.state.zones);
    if ours == theirs {
        return true;
    }
    let Some(knows) = drawn else { return false };
    let is_told =
        |table: &Table, piece: u32| knows.includes(piece) || table.sees_piece(Some(seat), piece);
    let alike = |a: &u32, b: &u32| a == b || !is_told(real, *a) && !is_told(other, *b);
    ours.len() == theirs.len()
        && ours
            .iter()
            .zip(theirs.iter())
            .all(|(a, b)| a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| alike(a, b)))
}

/// The same pieces in the same hands and on the same side; of those in sight the cards, and what the seat may know of them.
fn same_pieces(real: &Table, other: &Table, seat: u8) -> bool {
    let declared = &real.game.definition.attributes.piece;
    let all_open = declared.iter().all(|a| a.visible == Visibility::All);
    let row = real.layout.piece_row;
    let numbers = |n: usize, slot: &Slot| {
        let at = n * row + slot.at as usize;
        let at = at..at + slot.width as usize;
        real.state.piece_values[at.clone()] == other.state.piece_values[at]
    };
    let same_numbers = |n: usize| {
        if all_open {
            let values = n * row..(n + 1) * row;
            return real.state.piece_values[values.clone()] == other.state.piece_values[values];
        }
        let owner = real.attribute_owner(handle::PIECE, n as u32);
        let mut attributes = real.layout.piece.iter().zip(declared);
        attributes.all(|(slot, attribute)| {
            !real.sees_attribute(attribute, Some(seat), owner) || numbers(n, slot)
        })
    };
    real.state.pieces.len() == other.state.pieces.len()
        && (0..real.state.pieces.len()).all(|n| {
            let (a, b) = (&real.state.pieces[n], &other.state.pieces[n]);
            a.owner == b.owner
                && a.face_up == b.face_up
                && (!real.sees_piece(Some(seat), n as u32) || a.card == b.card && same_numbers(n))
        })
}

/// The open attributes of the game, players and spaces, and the seat's own.
fn same_numbers(real: &Table, other: &Table, seat: u8) -> bool {
    let (layout, declared) = (&real.layout, &real.game.definition.attributes);
    let same = |slot: &Slot, owner: u32, owners: u32| {
        let from = slot.at + slot.width * owner;
        let at = from as usize..(from + slot.width * owners) as usize;
        real.state.values[at.clone()] == other.state.values[at]
    };
    let open = |attribute: &Attribute| attribute.visible == Visibility::All;
    let game = layout.game.iter().zip(&declared.game);
    let players = layout.player.iter().zip(&declared.player);
    let spaces = layout.space.iter().zip(&declared.space);
    game.filter(|(_, a)| open(a))
        .all(|(slot, _)| same(slot, 0, 1))
        && players.clone().all(|(slot, attribute)| {
            (0..layout.players).all(|player| {
                let seen = real.sees_attribute(attribute, Some(seat), Some(player as u8));
                !seen || same(slot, player, 1)
            })
        })
        && spaces
            .filter(|(_, a)| open(a))
            .all(|(slot, _)| same(slot, 0, layout.spaces))
}
