//! What a look says in one value: colours, the outlines of icons.

use super::LookShape;
use crate::content::diagnostic::{Code, Diagnostic};
use crate::content::read::reader::{Read, Reader, record};
use crate::content::tree::Node;
use crate::limits::LONGEST_OUTLINE;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use std::borrow::Cow;

/// A colour, `#rrggbb`. The shades of light and dark pages are mixed from it.
#[derive(Debug, Clone)]
pub struct Color;

impl Read for Color {
    fn read(node: &Node, reader: &mut Reader) -> Option<Color> {
        let written = String::read(node, reader)?;
        let digits = written.strip_prefix('#').unwrap_or_default();
        if digits.len() == 6 && digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return Some(Color);
        }
        let message = format!("expected a colour such as \"#c9453d\", found \"{written}\"");
        reader.report(Diagnostic::new(Code::WrongType, message).at(&node.place));
        None
    }
}

impl JsonSchema for Color {
    fn schema_name() -> Cow<'static, str> {
        "Color".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "pattern": "^#[0-9a-fA-F]{6}$" })
    }
}

/// The outline of an icon in a box of 16 by 16, as the data of an SVG path; `!` before it fills it.
#[derive(Debug, Clone)]
pub struct IconOutline;

impl Read for IconOutline {
    fn read(node: &Node, reader: &mut Reader) -> Option<IconOutline> {
        let written = String::read(node, reader)?;
        let data = written.strip_prefix('!').unwrap_or(&written);
        let known = |c: char| c.is_ascii_digit() || "MmLlHhVvCcSsQqTtAaZz .,+-e".contains(c);
        if data.starts_with(['M', 'm']) && data.chars().all(known) && data.len() <= LONGEST_OUTLINE
        {
            return Some(IconOutline);
        }
        let message = "expected the data of a path such as \"M2 8h12\"";
        let problem = Diagnostic::new(Code::WrongType, message).at(&node.place);
        reader.report(
            problem.help("letters of commands, numbers, spaces and commas, in a box of 16 by 16"),
        );
        None
    }
}

impl JsonSchema for IconOutline {
    fn schema_name() -> Cow<'static, str> {
        "Outline".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "pattern": "^!?[Mm][MmLlHhVvCcSsQqTtAaZz0-9 .,+e-]*$", "maxLength": LONGEST_OUTLINE })
    }
}

/// A colour alone, or a seat's: with the ink on it and a shape that says the same.
#[derive(Debug, Clone)]
pub struct AnyPaint;

record! {
    pub struct SeatPaint("a seat's colour") {
        /// The colour.
        fill: Color,
        /// What is written on it.
        ink: Option<Color>,
        /// The shape that says the same as the colour.
        shape: Option<LookShape>,
    }
}

impl Read for AnyPaint {
    fn read(node: &Node, reader: &mut Reader) -> Option<AnyPaint> {
        match node.table() {
            Some(_) => SeatPaint::read(node, reader).map(|_| AnyPaint),
            None => Color::read(node, reader).map(|_| AnyPaint),
        }
    }
}

impl JsonSchema for AnyPaint {
    fn schema_name() -> Cow<'static, str> {
        "Paint".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let (color, seat) = (
            Color::json_schema(generator),
            generator.subschema_for::<SeatPaint>(),
        );
        json_schema!({ "anyOf": [color, seat] })
    }
}
