//! What attributes and fields hold, and whether a value can be equal to them: asked when scripts are compiled, as far as values are known
//! then, and again when they run.

use super::lexicon::Lexicon;
use super::types;
use crate::content::definition::{Attribute, AttributeType, Field, FieldType, Per};
use crate::model::value::{Val, handle};
use ludoteca_vm::{Type, Value};

/// An attribute that is one number for each thing that has it. The others say why not.
#[inline(always)]
pub fn is_number(attribute: &Attribute) -> Result<(), String> {
    match (&attribute.per, &attribute.ty) {
        (Per::One, AttributeType::Int) => Ok(()),
        _ => Err(why_no_number(attribute)),
    }
}

#[cold]
#[inline(never)]
fn why_no_number(attribute: &Attribute) -> String {
    let name = &attribute.name;
    let what = match &attribute.ty {
        AttributeType::Bool => "flag",
        _ => "number",
    };
    match (&attribute.per, &attribute.ty) {
        (Per::Player, _) => format!(
            "`{name}` is one {what} per player, not one number; ask for a player's with `.{name}[p]`, add them up with `sum(.{name})`"
        ),
        (Per::Word(_), _) => format!(
            "`{name}` is one {what} per word, not one number; ask for a word's with `.{name}[\"..\"]`, add them up with `sum(.{name})`"
        ),
        (Per::Number(count), _) => format!(
            "`{name}` is {count} {what}s, not one number; ask for the first with `.{name}[0]`, add them up with `sum(.{name})`"
        ),
        (Per::One, ty) => format!("`{name}` is {}, not a number", of_type(ty)),
    }
}

/// An attribute that is several numbers or flags for each thing that has it.
pub fn is_row(attribute: &Attribute) -> Result<(), String> {
    match attribute.per {
        Per::One => Err(format!(
            "`{}` is not kept per player, per word or so many times",
            attribute.name
        )),
        _ => Ok(()),
    }
}

/// A field that is one number.
pub fn field_is_number(field: &Field) -> Result<(), String> {
    match field.ty {
        FieldType::Int => Ok(()),
        _ => Err(format!("`{}` is no number", field.name)),
    }
}

fn of_type(ty: &AttributeType) -> &'static str {
    match ty {
        AttributeType::Int => "a number",
        AttributeType::Bool => "true or false",
        AttributeType::Player => "a player or ()",
        AttributeType::Space => "a space or ()",
        AttributeType::Piece => "a piece or ()",
        AttributeType::Card => "a card or ()",
        AttributeType::Area => "an area or ()",
        AttributeType::Word(_) => "one of its words or ()",
    }
}

/// The types of what an attribute holds.
pub fn attribute_types(ty: &AttributeType) -> &'static [Type] {
    match ty {
        AttributeType::Int => &[Type::Int],
        AttributeType::Bool => &[Type::Bool],
        AttributeType::Player => &[types::PLAYER, Type::Unit],
        AttributeType::Space => &[types::SPACE, Type::Unit],
        AttributeType::Piece => &[types::PIECE, Type::Unit],
        AttributeType::Card => &[types::CARD, Type::Unit],
        AttributeType::Area => &[types::AREA, Type::Unit],
        AttributeType::Word(_) => &[types::WORD, Type::Str, Type::Unit],
    }
}

/// The types of what a field holds; what may be left out is `()` then.
pub fn field_types(ty: &FieldType) -> &'static [Type] {
    match ty {
        FieldType::Int => &[Type::Int, Type::Unit],
        FieldType::Bool => &[Type::Bool, Type::Unit],
        FieldType::String | FieldType::Text => &[Type::Str, Type::Unit],
        FieldType::Word(_) => &[types::WORD, Type::Str, Type::Unit],
        FieldType::Words(_) | FieldType::Ints | FieldType::Cards => &[Type::Array, Type::Unit],
        FieldType::Card => &[types::CARD, Type::Unit],
        FieldType::Space => &[types::SPACE, Type::Unit],
        FieldType::Area => &[types::AREA, Type::Unit],
        FieldType::Function | FieldType::Effect | FieldType::Condition => &[Type::Fn, Type::Unit],
        FieldType::Table => &[Type::Any],
    }
}

/// Why an attribute can never be a value of this type, if it cannot.
pub fn attribute_type_fits(attribute: &Attribute, ty: Type) -> Result<(), String> {
    one_number(attribute)?;
    if ty == Type::Any || attribute_types(&attribute.ty).contains(&ty) {
        return Ok(());
    }
    Err(never(attribute))
}

fn one_number(attribute: &Attribute) -> Result<(), String> {
    match attribute.per {
        Per::One => Ok(()),
        _ => is_number(attribute),
    }
}

#[cold]
fn never(attribute: &Attribute) -> String {
    let (name, holds) = (&attribute.name, of_type(&attribute.ty));
    format!("`{name}` is {holds}, so it is never equal to this")
}

/// The number an attribute stores for a value, if it can hold it.
pub fn stored(attribute: &Attribute, value: &Val, lexicon: &Lexicon) -> Result<i64, String> {
    one_number(attribute)?;
    let word = |word: Option<u32>, words: &[u32]| word.filter(|w| words.contains(w));
    Ok(match (&attribute.ty, value) {
        (AttributeType::Int, Value::Int(n)) => *n,
        (AttributeType::Bool, Value::Bool(b)) => *b as i64,
        (AttributeType::Int | AttributeType::Bool, _) => return Err(never(attribute)),
        (_, Value::Unit) => -1,
        (AttributeType::Player, Value::Handle(handle::PLAYER, id))
        | (AttributeType::Space, Value::Handle(handle::SPACE, id))
        | (AttributeType::Piece, Value::Handle(handle::PIECE, id))
        | (AttributeType::Card, Value::Handle(handle::CARD, id))
        | (AttributeType::Area, Value::Handle(handle::AREA, id)) => *id as i64,
        (AttributeType::Word(words), Value::Handle(handle::WORD, id)) => word(Some(*id), words)
            .ok_or_else(|| unknown_word(&attribute.name, &lexicon.words[*id as usize]))?
            .into(),
        // The words of an attribute are few: comparing them is faster than looking all words up.
        (AttributeType::Word(words), Value::Str(text)) => words
            .iter()
            .copied()
            .find(|&word| *lexicon.words[word as usize] == ***text)
            .ok_or_else(|| unknown_word(&attribute.name, text))?
            .into(),
        _ => return Err(never(attribute)),
    })
}

#[cold]
fn unknown_word(name: &str, word: &str) -> String {
    format!("`{word}` is not one of the words of `{name}`")
}

/// Whether a field of the map may have a value; `column` is what it is for each space or edge.
pub fn field_fits(
    field: &Field,
    column: &[Val],
    value: &Val,
    lexicon: &Lexicon,
) -> Result<(), String> {
    let name = &field.name;
    let never = |holds: &str| Err(format!("`{name}` is {holds}, so it is never equal to this"));
    let words = |word: Option<u32>, text: &str, allowed: &[u32]| {
        let known = |w: u32| match allowed {
            [] => column.contains(&Value::Handle(handle::WORD, w)),
            _ => allowed.contains(&w),
        };
        match word.filter(|&w| known(w)) {
            Some(_) => Ok(()),
            None => Err(unknown_word(name, text)),
        }
    };
    match (&field.ty, value) {
        (FieldType::Table, _)
        | (_, Value::Unit)
        | (FieldType::Int, Value::Int(_))
        | (FieldType::Bool, Value::Bool(_))
        | (FieldType::String | FieldType::Text, Value::Str(_))
        | (FieldType::Card, Value::Handle(handle::CARD, _))
        | (FieldType::Space, Value::Handle(handle::SPACE, _))
        | (FieldType::Area, Value::Handle(handle::AREA, _)) => Ok(()),
        (FieldType::Word(allowed), Value::Handle(handle::WORD, w)) => {
            words(Some(*w), &lexicon.words[*w as usize], allowed)
        }
        (FieldType::Word(allowed), Value::Str(text)) => {
            words(lexicon.find_word(text), text, allowed)
        }
        (FieldType::Int, _) => never("a number"),
        (FieldType::Bool, _) => never("true or false"),
        (FieldType::Word(_), _) => never("a word"),
        (FieldType::Words(_) | FieldType::Ints | FieldType::Cards, _) => {
            never("a list; ask with `filter` and `in`")
        }
        _ => never("something else"),
    }
}
