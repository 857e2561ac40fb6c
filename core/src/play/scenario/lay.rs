//! Lays the table as a scenario says.

use super::names::{Held, SaidValue, Saying};
use super::prepared::{Laid, LaidPiece};
use crate::content::definition::ZoneOf;
use crate::model::value::{self, Val, handle};
use crate::table::{Table, row};
use ludoteca_vm::{Host, HostError, Value};
use std::collections::BTreeSet;

/// Lays the table as the scenario says. Pieces come first: attributes may name them.
pub fn lay(position: &Laid, table: &mut Table) -> Result<(), HostError> {
    let game = table.game.clone();
    for &placement in &position.sections {
        table.state.place_section(&game.definition, placement);
    }
    if let Some(kept) = position.keep.clone() {
        table.state.board = game.board_with(table.state.board.placements(), kept);
    }
    if let Some(order) = &position.order {
        table.state.order.clone_from(order);
        table.state.start = order.first().copied().unwrap_or(0);
    }
    if let Some(start) = position.start {
        table.state.start = start;
    }
    // Cards of a kind that were made for a player still are; all others are drawn by everybody.
    let cards = &game.definition.cards;
    let homes: BTreeSet<(u32, i8)> = table
        .state
        .pieces
        .iter()
        .map(|found| (cards[found.card as usize].kind, found.home))
        .collect();
    let mut laid = Vec::new();
    for (zone, pieces) in &position.zones {
        let there = table.state.zones[*zone as usize].to_vec();
        for piece in there {
            table.state.lift(piece);
        }
        for piece in pieces {
            laid.push((lay_piece(table, *zone, piece, &homes), &piece.sayings));
        }
    }
    for (piece, sayings) in laid {
        set(table, handle::PIECE, piece, sayings)?;
    }
    let in_play = table.state.board.in_play().clone();
    for space in in_play.iter() {
        set(table, handle::SPACE, space, &position.everywhere)?;
    }
    for thing in &position.values {
        set(table, thing.kind, thing.id, &thing.sayings)?;
    }
    // By what their pieces have now.
    for (zone, _) in &position.zones {
        let declared = table.layout.zones[*zone as usize].0 as usize;
        if let Some(measure) = game.zone_order[declared] {
            table.sort_zone(*zone, measure)?;
        }
    }
    Ok(())
}

fn lay_piece(table: &mut Table, zone: u32, piece: &LaidPiece, homes: &BTreeSet<(u32, i8)>) -> u32 {
    let layout = table.layout.clone();
    let id = table.state.add_piece(&layout, piece.card);
    table.state.put_under(id, zone);
    let (declared, owner) = layout.zones[zone as usize];
    if table.game.definition.zones[declared as usize].of == ZoneOf::Player {
        let kind = table.game.definition.cards[piece.card as usize].kind;
        let laid = &mut table.state.pieces[id as usize];
        laid.owner = owner as i8;
        if homes.contains(&(kind, laid.owner)) {
            laid.home = laid.owner;
        }
    }
    id
}

fn set(table: &mut Table, kind: u8, id: u32, sayings: &[Saying]) -> Result<(), HostError> {
    for saying in sayings {
        match &saying.said {
            SaidValue::Round(round) => table.state.round = *round,
            SaidValue::Out(true) => table.state.out |= 1 << id,
            SaidValue::Out(false) => table.state.out &= !(1 << id),
            SaidValue::Owner(seat) => table.state.pieces[id as usize].owner = *seat,
            SaidValue::FaceUp(up) => table.state.pieces[id as usize].face_up = *up,
            // The board says it: `sections` and `keep` are how it is laid.
            SaidValue::Placed(_) => {}
            SaidValue::Slot(slot, held) => {
                let new = value_of(table, held);
                table.set_slot(kind, *slot, id, &new)?;
            }
            SaidValue::Column(slot, column, number) => {
                table.set_index(&row(kind, *slot, id), column, number)?;
            }
        }
    }
    Ok(())
}

/// What an attribute is to hold at this table.
pub fn value_of(table: &Table, held: &Held) -> Val {
    match held {
        Held::Value(value) => value.clone(),
        Held::PieceOf(card) => {
            let mut pieces = table.state.pieces.iter();
            let found = pieces.position(|piece| piece.card == *card && !piece.is_nothing());
            found.map_or(Value::Unit, |piece| value::piece(piece as u32))
        }
    }
}
