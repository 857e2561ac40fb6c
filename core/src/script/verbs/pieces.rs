//! Pieces and zones: cards, tokens and counters, and where they are.

use super::cost::{self, Cost};
use super::{ANY, INT, P, PIECE, PLAYER, Verb, ZONE, amount};
use crate::content::definition::ZoneOf;
use crate::limits::MOST_PIECES;
use crate::model::state::{IN_THE_BOX, Piece, State};
use crate::model::value::{self, Object, Val, handle};
use crate::table::Table;
use crate::table::event::{Event, Hearers};
use crate::table::fit;
use crate::table::types::{self, domain};
use ludoteca_vm::{Call, Flow, Host, HostError, Type, Value};

/// A zone, or several as one.
const ZONES: P = P::Either(&[types::ZONE, Type::Array]);
const PIECES: P = P::Either(&[types::PIECES, types::ZONE, Type::Array]);
const ATTRIBUTE: P = P::Name(domain::PIECE_ATTRIBUTE);
const ROOM: &str = "Pieces and zones";
const HELD_WORD: P = P::NameOr(domain::HELD_WORD, &[types::WORD]);
const KIND: P = P::Name(domain::KIND);
const CARD: P = P::NameOr(domain::CARD, &[types::CARD, types::PIECE, types::WORD]);

pub const VERBS: &[Verb] = &[
    Verb {
        room: ROOM,
        name: "fill",
        params: &[("zone", ZONE), ("kind", KIND)],
        optional: &[],
        result: Type::Unit,
        doc: "puts every copy of every card of a kind into a zone, in the order of the file",
        cost: Cost::Of(cost::fill),
        call: fill,
    },
    Verb {
        room: ROOM,
        name: "create",
        params: &[("card", CARD), ("zone", ZONE)],
        optional: &[("owner", PLAYER)],
        result: types::PIECE,
        doc: "a new piece on top of a zone, with an owner or not",
        cost: Cost::Of(cost::create),
        call: create,
    },
    Verb {
        room: ROOM,
        name: "draw",
        params: &[("from", ZONE), ("to", ZONE)],
        optional: &[],
        result: types::PIECE,
        doc: "moves the top piece onto another zone; () if there is none",
        cost: Cost::Of(cost::draw),
        call: draw,
    },
    Verb {
        room: ROOM,
        name: "draw",
        params: &[("from", ZONE), ("to", ZONE), ("number", INT)],
        optional: &[],
        result: types::PIECES,
        doc: "the same for several, as many as there are",
        cost: Cost::Of(cost::draw),
        call: draw_some,
    },
    Verb {
        room: ROOM,
        name: "move",
        params: &[("piece", PIECE), ("zone", ZONE)],
        optional: &[],
        result: Type::Unit,
        doc: "puts a piece on top of a zone; in a player's zone it is that player's",
        cost: Cost::Of(cost::move_one),
        call: move_to,
    },
    Verb {
        room: ROOM,
        name: "move_to",
        params: &[("piece", PIECE), ("zone", ZONE)],
        optional: &[],
        result: Type::Unit,
        doc: "puts a piece on top of a zone",
        cost: Cost::Of(cost::move_one),
        call: move_to,
    },
    Verb {
        room: ROOM,
        name: "move_under",
        params: &[("piece", PIECE), ("zone", ZONE)],
        optional: &[],
        result: Type::Unit,
        doc: "puts a piece under everything else of a zone",
        cost: Cost::Of(cost::move_under),
        call: move_under,
    },
    Verb {
        room: ROOM,
        name: "move_all",
        params: &[("from", ZONE), ("to", ZONE)],
        optional: &[],
        result: Type::Unit,
        doc: "puts all pieces of a zone on top of another, in their order",
        cost: Cost::Of(cost::move_all),
        call: move_all,
    },
    Verb {
        room: ROOM,
        name: "pass_zones",
        params: &[("zones", P::Of(Type::Array))],
        optional: &[],
        result: Type::Unit,
        doc: "what lies in each zone of the list goes to the next, of the last to the first, all at once: hands to the left",
        cost: Cost::Of(cost::pass_on),
        call: pass_on,
    },
    Verb {
        room: ROOM,
        name: "remove",
        params: &[("piece", PIECE)],
        optional: &[],
        result: Type::Unit,
        doc: "puts a piece back into the box",
        cost: Cost::Of(cost::remove),
        call: remove,
    },
    Verb {
        room: ROOM,
        name: "pieces",
        params: &[("zone", ZONES)],
        optional: &[("kind", KIND)],
        result: types::PIECES,
        doc: "what lies in a zone, or in a list of zones, now, from the top; those of a kind or all",
        cost: Cost::Of(cost::lying_in),
        call: pieces,
    },
    Verb {
        room: ROOM,
        name: "on_board",
        params: &[("player", PLAYER), ("kind", KIND)],
        optional: &[],
        result: types::PIECES,
        doc: "a player's pieces of a kind that lie on spaces, in the order of the spaces",
        cost: Cost::Of(cost::on_board),
        call: on_board,
    },
    Verb {
        room: ROOM,
        name: "with_value",
        params: &[("pieces", PIECES), ("attribute", ATTRIBUTE), ("value", ANY)],
        optional: &[],
        result: types::PIECES,
        doc: "the pieces whose attribute has this value",
        cost: Cost::Of(cost::measures::<0>),
        call: with_value,
    },
    Verb {
        room: ROOM,
        name: "set_all",
        params: &[("pieces", PIECES), ("attribute", ATTRIBUTE), ("value", ANY)],
        optional: &[],
        result: Type::Unit,
        doc: "gives every one of the pieces this value",
        cost: Cost::Of(cost::measures::<0>),
        call: set_all,
    },
    Verb {
        room: ROOM,
        name: "remove_all",
        params: &[("pieces", PIECES)],
        optional: &[],
        result: Type::Unit,
        doc: "takes all of them out of the game",
        cost: Cost::Of(cost::remove_all),
        call: remove_all,
    },
    Verb {
        room: ROOM,
        name: "find",
        params: &[("zone", ZONE), ("card", CARD)],
        optional: &[],
        result: types::PIECE,
        doc: "the first copy of a card in a zone, or ()",
        cost: Cost::Of(cost::members::<0>),
        call: find,
    },
    Verb {
        room: ROOM,
        name: "count",
        params: &[("zone", ZONE), ("card", CARD)],
        optional: &[],
        result: Type::Int,
        doc: "how many copies of a card lie in a zone",
        cost: Cost::Of(cost::members::<0>),
        call: count,
    },
    Verb {
        room: ROOM,
        name: "listening",
        params: &[("pieces", PIECES), ("word", HELD_WORD)],
        optional: &[],
        result: types::PIECES,
        doc: "the pieces, of a zone, a list of zones or a list of pieces, whose card holds, written in place, a card with this word in one of its fields",
        cost: Cost::Of(cost::lying_in),
        call: listening,
    },
    Verb {
        room: ROOM,
        name: "sort_zone",
        params: &[("zone", ZONE), ("name", P::Name(domain::MEASURE))],
        optional: &[],
        result: Type::Unit,
        doc: "sorts a zone by an attribute or field, the lowest on top",
        cost: Cost::Of(cost::sort),
        call: sort_zone,
    },
    Verb {
        room: ROOM,
        name: "cards",
        params: &[("kind", KIND)],
        optional: &[],
        result: Type::Array,
        doc: "all cards of a kind",
        cost: Cost::Of(cost::all_cards),
        call: cards,
    },
    Verb {
        room: ROOM,
        name: "card",
        params: &[("id", P::NameOr(domain::CARD, &[types::WORD]))],
        optional: &[],
        result: types::CARD,
        doc: "the card with this id",
        cost: Cost::Fixed,
        call: card,
    },
];

fn card_number(table: &Table, value: &Val) -> Result<u32, HostError> {
    match value {
        Value::Handle(handle::CARD, id) => Ok(*id),
        Value::Handle(handle::PIECE, id) => Ok(table.state.pieces[*id as usize].card),
        Value::Handle(handle::WORD, _) => match super::map::named(table, value, domain::CARD)? {
            Value::Handle(handle::CARD, id) => Ok(id),
            other => Err(HostError::new(format!(
                "expected a card, found {}",
                table.describe(&other)
            ))),
        },
        other => Err(HostError::new(format!(
            "expected a card, found {}",
            table.describe(other)
        ))),
    }
}

/// Makes a piece for a player, or for whoever's the zone is.
fn make(table: &mut Table, card: u32, zone: u32, owner: Option<u32>) -> Result<u32, HostError> {
    if table.state.piece_count() >= MOST_PIECES {
        return Err(HostError::new(format!(
            "a game may have at most {MOST_PIECES} pieces"
        )));
    }
    let layout = table.layout.clone();
    let rows = (table.state.pieces.len() + 1) * (layout.piece_row * 4 + size_of::<Piece>());
    table.room_for(layout.values * 4 + rows)?;
    let piece = table.state.add_piece(&layout, card);
    put(table, piece, zone, false)?;
    let made = &mut table.state.pieces[piece as usize];
    if let Some(owner) = owner {
        made.owner = owner as i8;
    }
    made.home = made.owner;
    let home = made.home;
    table.state.take_out_of_the_box(card, home);
    Ok(piece)
}

/// Who sees a piece before it is moved, if anybody listens. What comes out of the box may go straight into hiding.
fn who_saw(table: &Table, piece: u32) -> Hearers {
    let in_the_box = table.state.pieces[piece as usize].zone == IN_THE_BOX;
    if table.events.is_none() || in_the_box {
        return Hearers::NOBODY;
    }
    table.who_sees_piece(piece)
}

/// A piece that goes from one place to another, and what was true of it before.
struct Going {
    piece: u32,
    from: u32,
    from_end: bool,
    saw: Hearers,
}

impl Going {
    fn new(table: &Table, piece: u32) -> Going {
        let from = table.state.pieces[piece as usize].zone;
        Going {
            piece,
            from,
            from_end: table.lies_at_an_end(piece, from),
            saw: who_saw(table, piece),
        }
    }
}

fn tell_move(table: &mut Table, going: Going, to: u32) {
    let Going {
        piece,
        from,
        from_end,
        saw,
    } = going;
    table.note(|table| {
        let sees = match to {
            IN_THE_BOX => Hearers::NOBODY,
            _ => table.who_sees_piece(piece),
        };
        // What leaves the box for an open zone was never a secret.
        let new_to = match from {
            IN_THE_BOX => Hearers::NOBODY,
            _ => sees.without(saw),
        };
        Event::Moved {
            piece: table.state.pieces[piece as usize].key,
            card: table.state.pieces[piece as usize].card,
            from,
            to,
            from_end,
            seen_by: saw.or(sees),
            new_to,
        }
    });
}

/// Moves a piece, gives it to the player whose zone it comes into, keeps a sorted zone in order, and tells those who watch.
fn put(table: &mut Table, piece: u32, zone: u32, under: bool) -> Result<(), HostError> {
    let going = Going::new(table, piece);
    let from = going.from;
    table.lose_sight(piece, from, zone);
    if under {
        table.state.put_under(piece, zone);
    } else {
        table.state.put_on_top(piece, zone);
    }
    table.witness_move(piece, from, zone);
    tell_move(table, going, zone);
    let declared = table.layout.zones[zone as usize].0;
    table.state.forget(&table.layout, piece, declared as usize);
    if let (ZoneOf::Player, seat) = table.zone_owner(zone) {
        table.state.pieces[piece as usize].owner = seat as i8;
    }
    table.catch_sight(piece);
    match table.game.zone_order[declared as usize] {
        Some(measure) => table.sort_zone(zone, measure),
        None => Ok(()),
    }
}

fn fill(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    table.writable()?;
    let zone = call.handle(0, handle::ZONE)?;
    let kind = call.int(1)? as u32;
    let game = table.game.clone();
    for (id, card) in game.definition.cards.iter().enumerate().rev() {
        if card.kind == kind {
            for _ in 0..card.copies {
                make(table, id as u32, zone, None)?;
            }
        }
    }
    call.done(Value::Unit)
}

fn create(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    table.writable()?;
    let card = card_number(table, call.arg(0))?;
    let owner = match call.given() > 2 {
        true => Some(call.handle(2, handle::PLAYER)?),
        false => None,
    };
    let piece = make(table, card, call.handle(1, handle::ZONE)?, owner)?;
    call.done(value::piece(piece))
}

/// The two zones of a draw, which are not one.
fn from_and_to(table: &Table, call: &Call<Object>) -> Result<(u32, u32), HostError> {
    let (from, to) = (call.handle(0, handle::ZONE)?, call.handle(1, handle::ZONE)?);
    if from == to {
        let zone = table.zone_key(from);
        return Err(HostError::new(format!(
            "`{zone}` cannot be drawn from and to"
        )));
    }
    Ok((from, to))
}

fn draw(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    table.writable()?;
    let (from, to) = from_and_to(table, &call)?;
    let Some(&piece) = table.state.zones[from as usize].last() else {
        return call.done(Value::Unit);
    };
    put(table, piece, to, false)?;
    call.done(value::piece(piece))
}

fn draw_some(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    table.writable()?;
    let (from, to) = from_and_to(table, &call)?;
    let mut drawn = std::mem::take(&mut table.numbers);
    for _ in 0..amount(&call, 2, "pieces")? {
        let Some(&piece) = table.state.zones[from as usize].last() else {
            break;
        };
        put(table, piece, to, false)?;
        drawn.push(piece);
    }
    let found = Value::Object(table.spares.pieces(drawn.drain(..)));
    table.numbers = drawn;
    call.done(found)
}

fn move_to(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    table.writable()?;
    let (piece, zone) = (
        call.handle(0, handle::PIECE)?,
        call.handle(1, handle::ZONE)?,
    );
    put(table, piece, zone, false)?;
    call.done(Value::Unit)
}

fn move_under(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    table.writable()?;
    let (piece, zone) = (
        call.handle(0, handle::PIECE)?,
        call.handle(1, handle::ZONE)?,
    );
    put(table, piece, zone, true)?;
    call.done(Value::Unit)
}

fn move_all(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    table.writable()?;
    let (from, to) = (call.handle(0, handle::ZONE)?, call.handle(1, handle::ZONE)?);
    if from != to {
        let moved = table.state.zones[from as usize].to_vec();
        for piece in moved {
            put(table, piece, to, false)?;
        }
    }
    call.done(Value::Unit)
}

fn pass_on(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    table.writable()?;
    let mut zones = Vec::new();
    for zone in call.arg(0).as_array().unwrap_or_default() {
        match zone {
            Value::Handle(handle::ZONE, zone) if !zones.contains(zone) => zones.push(*zone),
            other => {
                return Err(HostError::new(format!(
                    "expected different zones, found {} again or instead",
                    table.describe(other)
                )));
            }
        }
    }
    let lying: Vec<Vec<u32>> = zones
        .iter()
        .map(|zone| table.state.zones[*zone as usize].to_vec())
        .collect();
    let next = zones.iter().cycle().skip(1);
    for (pieces, &to) in lying.into_iter().zip(next) {
        for piece in pieces {
            put(table, piece, to, false)?;
        }
    }
    call.done(Value::Unit)
}

fn remove(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    take_out(table, call.handle(0, handle::PIECE)?)?;
    call.done(Value::Unit)
}

fn take_out(table: &mut Table, piece: u32) -> Result<(), HostError> {
    table.writable()?;
    let going = Going::new(table, piece);
    let from = going.from;
    table.lose_sight(piece, from, IN_THE_BOX);
    let knows = |seat: u8| u16::from(table.knows_piece(seat, piece)) << seat;
    let known = (0..table.players()).fold(0, |all, seat| all | knows(seat));
    let everybody = (0..table.players()).fold(0, |all, seat| all | 1 << seat);
    table.state.remove_piece(piece, known, everybody);
    let box_of_the_game = table.layout.zone_at.len();
    table.state.forget(&table.layout, piece, box_of_the_game);
    table.witness_move(piece, from, IN_THE_BOX);
    tell_move(table, going, IN_THE_BOX);
    Ok(())
}

fn pieces(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let zones = zones(table, call.arg(0))?;
    let kind = match call.given() {
        1 => None,
        _ => Some(call.int(1)? as u32),
    };
    let cards = &table.game.definition.cards;
    let found = table.pieces_in(zones, |state, piece| {
        let card = state.pieces[piece as usize].card;
        kind.is_none_or(|kind| cards[card as usize].kind == kind)
    });
    call.done(found)
}

fn on_board(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let owner = call.handle(0, handle::PLAYER)?;
    let kind = call.int(1)? as u32;
    let cards = &table.game.definition.cards;
    let found = table.pieces_in(table.zones_of_spaces(), |state, piece| {
        let piece = &state.pieces[piece as usize];
        u32::try_from(piece.owner) == Ok(owner) && cards[piece.card as usize].kind == kind
    });
    call.done(found)
}

/// The numbers of a zone, or of those of a list.
fn zones<'v>(
    table: &Table,
    given: &'v Val,
) -> Result<impl Iterator<Item = u32> + use<'v>, HostError> {
    let zones = match given {
        Value::Array(zones) => zones,
        zone => std::slice::from_ref(zone),
    };
    let number = |zone: &Val| match zone {
        Value::Handle(handle::ZONE, zone) => Some(*zone),
        _ => None,
    };
    match zones.iter().find(|zone| number(zone).is_none()) {
        Some(other) => Err(HostError::new(format!(
            "expected zones, found {}",
            table.describe(other)
        ))),
        None => Ok(zones.iter().filter_map(number)),
    }
}

/// The pieces of a zone or a list.
fn listed(table: &Table, call: &Call<Object>) -> impl Iterator<Item = u32> {
    let count = table.count(call.arg(0)) as i64;
    (0..count).filter_map(|n| match table.nth(call.arg(0), n) {
        Some(Value::Handle(handle::PIECE, piece)) => Some(piece),
        _ => None,
    })
}

/// Does something to each piece of a zone or a list, as they are now.
fn for_each(
    table: &mut Table,
    call: &Call<Object>,
    act: impl Fn(&mut Table, u32) -> Result<(), HostError>,
) -> Result<(), HostError> {
    let mut pieces = std::mem::take(&mut table.numbers);
    pieces.extend(listed(table, call));
    let done = pieces.iter().try_for_each(|&piece| act(table, piece));
    pieces.clear();
    table.numbers = pieces;
    done
}

fn with_value(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let attribute = call.int(1)? as usize;
    let declared = &table.game.definition.attributes.piece[attribute];
    let wanted = fit::stored(declared, call.arg(2), &table.game.lexicon).map_err(HostError::new)?;
    let found = listed(table, &call)
        .filter(|&piece| table.number(handle::PIECE, attribute, piece, 0) as i64 == wanted);
    let found = Value::Object(table.spares.pieces(found));
    call.done(found)
}

fn set_all(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let slot = table.game.slot(handle::PIECE, call.int(1)? as usize);
    for_each(table, &call, |table, piece| {
        table.set_slot(handle::PIECE, slot, piece, call.arg(2))
    })?;
    call.done(Value::Unit)
}

fn remove_all(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    for_each(table, &call, take_out)?;
    call.done(Value::Unit)
}

fn find(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let zone = call.handle(0, handle::ZONE)?;
    let card = card_number(table, call.arg(1))?;
    let mut from_top = table.state.zones[zone as usize].iter().rev();
    let found = from_top.find(|&&piece| table.state.pieces[piece as usize].card == card);
    let found = found.map_or(Value::Unit, |&piece| value::piece(piece));
    call.done(found)
}

fn count(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let zone = call.handle(0, handle::ZONE)?;
    let card = card_number(table, call.arg(1))?;
    let copies = table.state.zones[zone as usize]
        .iter()
        .filter(|&&piece| table.state.pieces[piece as usize].card == card);
    let copies = copies.count() as i64;
    call.done(Value::Int(copies))
}

fn listening(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let word = call.handle(1, handle::WORD)?;
    let listeners = table.game.lexicon.listeners.get(&word);
    let Some(listeners) = listeners.filter(|listeners| !listeners.is_empty()) else {
        let nobody = Value::Object(table.spares.pieces(std::iter::empty()));
        return call.done(nobody);
    };
    let listens = |state: &State, piece: u32| listeners[state.pieces[piece as usize].card as usize];
    let found = match call.arg(0) {
        given @ (Value::Handle(..) | Value::Array(_)) => {
            let zones = zones(table, given)?;
            table.pieces_in(zones, listens)
        }
        Value::Object(object) => match &**object {
            Object::Pieces(pieces) => {
                let heard = pieces.iter().copied();
                let heard = heard.filter(|&piece| listens(&table.state, piece));
                Value::Object(table.spares.pieces(heard))
            }
            _ => return Err(HostError::new("expected pieces")),
        },
        _ => return Err(HostError::new("expected pieces")),
    };
    call.done(found)
}

fn sort_zone(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    table.writable()?;
    let zone = call.handle(0, handle::ZONE)?;
    let measure = call.int(1)? as usize;
    table.may_reorder(zone)?;
    table.sort_zone(zone, measure)?;
    call.done(Value::Unit)
}

fn cards(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let kind = call.int(0)? as u32;
    let all = table.game.definition.cards.iter().enumerate();
    let found = all
        .filter(|(_, card)| card.kind == kind)
        .map(|(id, _)| Value::Handle(handle::CARD, id as u32));
    let found = Value::list(found);
    call.done(found)
}

fn card(table: &mut Table, call: Call<Object>) -> Result<Flow, HostError> {
    let found = super::map::named(table, call.arg(0), domain::CARD)?;
    call.done(found)
}
