//! The numbers of things by the names of their measures, and zones kept in the order of one.

use super::attributes::row;
use super::types::slot;
use super::{Table, fit};
use crate::content::definition::Attribute;
use crate::model::value::{self, Val, handle};
use ludoteca_vm::{Host, HostError, Value};

impl Table {
    /// The number a member has by this name.
    pub fn measured(&self, measure: usize, member: &Val) -> Result<i64, HostError> {
        if let Value::Int(n) = member {
            return Ok(*n);
        }
        let measure = &self.game.lexicon.measures[measure];
        let field = |column: Option<usize>, values: &[Vec<Val>], id: usize| {
            column.and_then(|c| values[c][id].as_int())
        };
        let lexicon = &self.game.lexicon;
        let attributes = &self.game.definition.attributes;
        let attribute = |kind: u8, declared: &[Attribute], index: Option<usize>, id: u32| {
            let Some(index) = index else { return Ok(None) };
            fit::is_number(&declared[index]).map_err(HostError::new)?;
            Ok(Some(self.number(kind, index, id, 0) as i64))
        };
        let found = match member {
            Value::Handle(kind @ handle::SPACE, id) => {
                attribute(*kind, &attributes.space, measure.space_attribute, *id)?
                    .or_else(|| field(measure.space_field, &lexicon.space_values, *id as usize))
            }
            Value::Handle(kind @ handle::PLAYER, id) => {
                attribute(*kind, &attributes.player, measure.player_attribute, *id)?
            }
            Value::Handle(kind @ handle::PIECE, id) => {
                let card = self.state.pieces[*id as usize].card as usize;
                attribute(*kind, &attributes.piece, measure.piece_attribute, *id)?
                    .or_else(|| field(measure.card_field, &lexicon.card_values, card))
            }
            Value::Handle(handle::CARD, id) => {
                field(measure.card_field, &lexicon.card_values, *id as usize)
            }
            _ => None,
        };
        found.ok_or_else(|| {
            HostError::new(format!(
                "{} has no number `{}`",
                self.describe(member),
                measure.name
            ))
        })
    }

    /// The number of a member's row that belongs to a player or a word, or is the n-th.
    pub fn measured_of(&self, measure: usize, member: &Val, of: &Val) -> Result<i64, HostError> {
        let measure = &self.game.lexicon.measures[measure];
        let (kind, declared, id) = match member {
            Value::Handle(kind @ handle::SPACE, id) => (*kind, measure.space_attribute, *id),
            Value::Handle(kind @ handle::PLAYER, id) => (*kind, measure.player_attribute, *id),
            Value::Handle(kind @ handle::PIECE, id) => (*kind, measure.piece_attribute, *id),
            _ => (handle::GAME, None, 0),
        };
        let Some(index) = declared else {
            let (member, name) = (self.describe(member), &measure.name);
            return Err(HostError::new(format!("{member} has no row `{name}`")));
        };
        fit::is_row(&self.game.attributes(kind)[index]).map_err(HostError::new)?;
        let row = row(kind, slot::of(slot::ROW, index as u16), id);
        match self.index(&row, of)? {
            Value::Int(number) => Ok(number),
            found => Err(HostError::new(format!(
                "expected a number, found {}",
                self.describe(&found)
            ))),
        }
    }

    /// Puts a zone in order: the lowest on top, which is the end of the list.
    pub fn sort_zone(&mut self, zone: u32, measure: usize) -> Result<(), HostError> {
        let mut keyed = self.spares.room_to_sort();
        for &piece in self.state.zones[zone as usize].iter() {
            keyed.push((self.measured(measure, &value::piece(piece))?, piece));
        }
        keyed.sort_by_key(|&(number, _)| std::cmp::Reverse(number));
        self.state.zones[zone as usize].clear();
        self.state.zones[zone as usize].extend(keyed.iter().map(|&(_, piece)| piece));
        self.spares.sorted(keyed);
        Ok(())
    }
}
