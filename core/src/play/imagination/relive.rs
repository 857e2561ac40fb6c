//! A rule that is stopped may hold a secret in a variable. Then the table alone cannot be imagined: the step is gone through again from its
//! beginning, with what was hidden drawn anew, and kept if it looks to the seat as it looked.

use super::{deal_pieces, draw_hidden, offered_pieces};
use crate::content::definition::{Attribute, Visibility};
use crate::model::layout::Slot;
use crate::model::streams::Stream;
use crate::play::matches::{Given, Match, Status};
use crate::table::Table;
use std::collections::BTreeSet;

/// How often a step is gone through to find out whether what its variables hold depends on what is hidden: if nothing was drawn or
/// answered in it that the seat could not see, and if something was.
const TRIALS: u64 = 2;
const TRIALS_OF_A_SECRET: u64 = 8;
/// Answers after which a step in which nothing secret was drawn or answered is not gone through any more: a turn of a hundred answers
/// would cost as much again for each of them.
const SHORT: usize = 10;
/// How often it is gone through for one table that looks the same.
const TRIES: u32 = 40;

/// Whether the rule that asks remembers anything that would be otherwise if what the seat cannot see were otherwise.
pub fn rule_holds_a_secret(ahead: &mut Match, real: &Match, seat: u8) -> bool {
    let secret = real.drew_in_secret() || real.answered_in_secret(seat);
    let trials = match (secret, real.answers_of_the_step()) {
        (true, _) => TRIALS_OF_A_SECRET,
        (false, ..SHORT) => TRIALS,
        (false, _) => 0,
    };
    if trials == 0 || !go_through_as_it_was(ahead, real) {
        return false;
    }
    let as_it_was = ahead.memory();
    // Which decision it is, and nothing hidden, decides what is tried.
    let moment = real.table.state.tally.decisions;
    (0..trials).any(|trial| {
        let mut luck = Stream::numbered(moment, trial);
        try_once(ahead, real, seat, &mut luck) && !ahead.remembers(&as_it_was)
    })
}

/// Goes through the step with everything as it was. What the rule remembers is compared with this and not with the match itself, which may
/// have been copied or loaded: a machine also keeps what no rule looks at any more, and that depends on how it came there.
fn go_through_as_it_was(ahead: &mut Match, real: &Match) -> bool {
    let Some(answers) = ahead.follow_to_the_step(real) else {
        return false;
    };
    let answered = answers.iter().all(|given| {
        matches!(ahead.advance(), Ok(Status::Asking))
            && ahead.answer(given.seat, &given.picked).is_ok()
    });
    answered && matches!(ahead.advance(), Ok(Status::Asking))
}

/// Goes through the step again until it looks the same; `false` if it never does.
pub fn relive(ahead: &mut Match, real: &Match, seat: u8, luck: &mut Stream) -> bool {
    (0..TRIES).any(|_| try_once(ahead, real, seat, luck))
}

/// Goes through the step once, with the luck everybody saw; says whether it came to the same choice and looks the same.
fn try_once(ahead: &mut Match, real: &Match, seat: u8, luck: &mut Stream) -> bool {
    let Some(answers) = ahead.follow_to_the_step(real) else {
        return false;
    };
    let knows = known_now(&real.table, seat);
    if draw_hidden(ahead, seat, luck, &knows).is_err() {
        return false;
    }
    // Dice were seen by all, and through shuffles go only backs; numbers drawn otherwise were seen by nobody.
    let general = ahead.table.layout.general_stream();
    ahead.table.state.streams[general] = Stream::numbered(luck.seed(), 0);
    let began = (ahead.table.state.round, ahead.table.state.steps);
    let mut given = answers.iter();
    loop {
        match ahead.advance() {
            Ok(Status::Asking) => {}
            _ => return false,
        }
        if (ahead.table.state.round, ahead.table.state.steps) != began {
            return false;
        }
        match given.next() {
            None => break,
            Some(given) => {
                if !answer(ahead, given, seat, luck) {
                    return false;
                }
            }
        }
    }
    let same = looks_the_same(&real.table, &ahead.table, seat);
    let shuffled_in = |piece: &u32| {
        let began_known = ahead.table.state.pieces[*piece as usize].known;
        began_known >> seat & 1 == 1 && !real.table.knows_piece(seat, *piece)
    };
    if same && (0..ahead.table.state.pieces.len() as u32).any(|piece| shuffled_in(&piece)) {
        deal_pieces(&mut ahead.table, seat, luck, &BTreeSet::new());
    }
    same
}

/// What the seat did not hear somebody answer may have been anything.
fn answer(ahead: &mut Match, given: &Given, seat: u8, luck: &mut Stream) -> bool {
    let Some(choice) = ahead.choice() else {
        return false;
    };
    let heard = given.heard_by.include(Some(seat));
    let count = choice.count(&ahead.table, given.seat);
    let drawn = (!heard).then(|| choice.wanted.draw(count, luck));
    let picked = drawn.as_deref().unwrap_or(&given.picked);
    ahead.answer(given.seat, picked).is_ok()
}

/// The pieces a seat knows now.
fn known_now(table: &Table, seat: u8) -> BTreeSet<u32> {
    let mut known = offered_pieces(table, seat);
    let pieces = 0..table.state.pieces.len() as u32;
    known.extend(pieces.filter(|&piece| table.knows_piece(seat, piece)));
    known
}

/// Whether a seat could not tell one table from the other: the same question, the same open numbers, the same pieces in the same places.
fn looks_the_same(real: &Table, other: &Table, seat: u8) -> bool {
    let (Some(asked), Some(imagined)) = (&real.choice, &other.choice) else {
        return false;
    };
    let same_question = asked.prompt == imagined.prompt
        && asked.asks.len() == imagined.asks.len()
        && asked
            .asks
            .iter()
            .zip(&imagined.asks)
            .all(|(a, b)| a.seat == b.seat && (a.seat != seat || a.options == b.options));
    same_question
        && real.state.round == other.state.round
        && real.state.out == other.state.out
        && real.state.order == other.state.order
        && real.state.zones == other.state.zones
        && same_pieces(real, other, seat)
        && same_numbers(real, other, seat)
}

fn same_pieces(real: &Table, other: &Table, seat: u8) -> bool {
    let row = real.layout.piece_row;
    real.state.pieces.len() == other.state.pieces.len()
        && (0..real.state.pieces.len()).all(|n| {
            let (a, b) = (&real.state.pieces[n], &other.state.pieces[n]);
            let seen = real.sees_piece(Some(seat), n as u32);
            let values = |table: &Table| table.state.piece_values[n * row..][..row].to_vec();
            a.owner == b.owner
                && a.face_up == b.face_up
                && (!seen || a.card == b.card && values(real) == values(other))
        })
}

/// The open attributes of the game, players and spaces, and the seat's own.
fn same_numbers(real: &Table, other: &Table, seat: u8) -> bool {
    let (layout, declared) = (&real.layout, &real.game.definition.attributes);
    let same = |slot: &Slot, owner: u32| {
        let at =
            (slot.at + slot.width * owner) as usize..(slot.at + slot.width * (owner + 1)) as usize;
        real.state.values[at.clone()] == other.state.values[at]
    };
    let open = |attribute: &Attribute| attribute.visible == Visibility::All;
    let game = layout.game.iter().zip(&declared.game);
    let players = layout.player.iter().zip(&declared.player);
    let spaces = layout.space.iter().zip(&declared.space);
    game.filter(|(_, a)| open(a)).all(|(slot, _)| same(slot, 0))
        && players.clone().all(|(slot, attribute)| {
            (0..layout.players).all(|player| {
                let seen = real.sees_attribute(attribute, Some(seat), Some(player as u8));
                !seen || same(slot, player)
            })
        })
        && spaces
            .filter(|(_, a)| open(a))
            .all(|(slot, _)| (0..layout.spaces).all(|space| same(slot, space)))
}
