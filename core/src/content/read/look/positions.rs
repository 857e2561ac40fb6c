//! Where the things of a map are drawn.

use crate::content::diagnostic::{Code, Diagnostic};
use crate::content::read::reader::{Entries, Read, Reader, record};
use crate::content::tree::{Datum, Node};
use crate::limits::LARGEST_BOARD;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use std::borrow::Cow;

record! {
    pub struct EdgePlace("how an edge is drawn") {
        /// It leaves the board on one side and comes back on the other.
        wrap: Option<bool>,
    }
}

record! {
    /// Where the things of a map are drawn, x to the right and y down.
    pub struct PositionsFile("the positions") {
        /// Width and height of the board.
        size: (Extent, Extent),
        /// Width and height of a name.
        label: Option<(Extent, Extent)>,
        /// The middle of a space, `[x, y]`, or its box, `[x, y, width, height]`.
        spaces: Option<Entries<PointOrBox>>,
        /// The outline of an area, a list of points, or its box.
        areas: Option<Entries<Ring>>,
        /// Outlines of spaces that are drawn on their own.
        islands: Option<Entries<Ring>>,
        /// How single borders are drawn, by their ends: "a - b".
        edges: Option<Entries<EdgePlace>>,
        /// Boxes of tracks; of one with a row for each word, `track_word`.
        tracks: Option<Entries<PointOrBox>>,
        /// Boxes of zones that lie on the board.
        zones: Option<Entries<PointOrBox>>,
    }
}

/// A number of the board, right or down of its corner, or a little outside. What lies further away would be drawn without end.
#[derive(Debug, Clone)]
pub struct Coordinate;

/// A width or a height.
#[derive(Debug, Clone)]
pub struct Extent;

/// Numbers between two limits, which are not needed any more when they have been read.
macro_rules! on_the_board {
    ($($name:ident from $least:expr;)*) => {$(
        impl Read for $name {
            fn read(node: &Node, reader: &mut Reader) -> Option<$name> {
                reader.int(node, $least, LARGEST_BOARD).map(|_| $name)
            }
        }

        impl JsonSchema for $name {
            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn inline_schema() -> bool {
                true
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({ "type": "integer", "minimum": $least, "maximum": LARGEST_BOARD })
            }
        }
    )*};
}

on_the_board! {
    Coordinate from -LARGEST_BOARD;
    Extent from 1;
}

/// A point or a box.
#[derive(Debug, Clone)]
pub struct PointOrBox;

impl Read for PointOrBox {
    fn read(node: &Node, reader: &mut Reader) -> Option<PointOrBox> {
        let numbers = Vec::<Coordinate>::read(node, reader)?;
        if [2, 4].contains(&numbers.len()) {
            return Some(PointOrBox);
        }
        let message = "expected `[x, y]` or `[x, y, width, height]`";
        reader.report(Diagnostic::new(Code::WrongType, message).at(&node.place));
        None
    }
}

impl JsonSchema for PointOrBox {
    fn schema_name() -> Cow<'static, str> {
        "Spot".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "array", "items": { "type": "integer" }, "minItems": 2, "maxItems": 4 })
    }
}

/// An outline of at least three points, or a box.
#[derive(Debug, Clone)]
pub struct Ring;

impl Read for Ring {
    fn read(node: &Node, reader: &mut Reader) -> Option<Ring> {
        let items = reader.list(node, "a list of points, or `[x, y, width, height]`")?;
        let is_box = items
            .first()
            .is_some_and(|first| matches!(first.value, Datum::Int(_)));
        let fits = match is_box {
            true => PointOrBox::read(node, reader).is_some() && items.len() == 4,
            false => Vec::<(Coordinate, Coordinate)>::read(node, reader)?.len() >= 3,
        };
        if fits {
            return Some(Ring);
        }
        let message = "expected three points or more, or `[x, y, width, height]`";
        reader.report(Diagnostic::new(Code::WrongType, message).at(&node.place));
        None
    }
}

impl JsonSchema for Ring {
    fn schema_name() -> Cow<'static, str> {
        "Ring".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "array" })
    }
}
