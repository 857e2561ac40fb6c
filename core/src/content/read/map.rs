//! Maps: spaces, areas and edges, or sections of squares from which a board is assembled.

use super::field::{self, Declared, FieldFile, Names};
use super::grid::{self, GridFile, Legend};
use super::reader::{Entries, Must, Read, Reader, record};
use crate::content::causes::SECTION;
use crate::content::definition::{Area, Edge, FieldValue, Map, Section, Space, Text};
use crate::content::diagnostic::{Code, Diagnostic};
use crate::content::file::Place;
use crate::content::tree::{Branch, Entry, Node};
use crate::limits::{self, MOST_COLUMNS, MOST_ROWS};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use std::borrow::Cow;
use std::collections::HashMap;

/// Sections, besides the one in question, that are alike.
const SECTIONS_ALIKE: usize = 3;

const SPACE_OWN: &[&str] = &["name", "area", "at"];
const SQUARE_OWN: &[&str] = &["area"];
const AREA_OWN: &[&str] = &["name"];

record! {
    /// A map.
    pub struct MapFile("a map") {
        /// What it is called.
        title: Must<Text>,
        /// What spaces, edges and areas carry besides the kernel's own keys.
        fields: Option<MapFields>,
        /// Groups of spaces, by id.
        areas: Option<Things<AREA>>,
        /// Squares or hexes in rows and columns, with ids such as e4.
        grid: Option<GridFile>,
        /// Spaces, by id.
        spaces: Option<Things<SPACE>>,
        /// Which spaces touch: "japan - korea" = {}.
        edges: Option<Things<EDGE>>,
        /// What the letters of sections mean: the fields of the square.
        legend: Option<Things<SQUARE>>,
        /// Rectangles of squares, by id. With one the board is fixed; with several setup places them.
        sections: Option<Entries<SectionFile>>,
    }
}

record! {
    /// Fields by what carries them.
    pub struct MapFields("the fields of a map") {
        /// Fields of spaces.
        space: Option<Entries<FieldFile>>,
        /// Fields of edges.
        edge: Option<Entries<FieldFile>>,
        /// Fields of areas.
        area: Option<Entries<FieldFile>>,
    }
}

record! {
    /// A rectangle of squares.
    pub struct SectionFile("a section") {
        /// What it is called.
        name: Text,
        /// One string for each row; each letter is a square of the legend, a blank is none.
        rows: Vec<super::reader::At<String>>,
    }
}

const AREA: u8 = 0;
const SPACE: u8 = 1;
const EDGE: u8 = 2;
const SQUARE: u8 = 3;

/// Entries that carry declared fields beside their own keys: the table is kept, to be read when the fields are known.
#[derive(Debug, Clone)]
pub struct Things<const WHAT: u8>(Branch);

/// The parts of a map while it is read.
struct Making<'a> {
    map: Map,
    space_fields: Vec<Declared>,
    edge_fields: Vec<Declared>,
    area_fields: Vec<Declared>,
    names: &'a mut Names,
    reader: &'a mut Reader,
    /// Edges so far, smaller space first.
    joined: HashMap<(u32, u32), Option<Place>>,
}

/// The ids of a map, so that cards and fields can name its spaces before they are read.
pub fn number(node: &Node, names: &mut Names) {
    let keys = |key: &str| {
        let table = node.get(key).and_then(Node::table);
        table.into_iter().flat_map(|table| table.keys().cloned())
    };
    let count = |ids: Vec<String>| (0u32..).zip(ids).map(|(i, id)| (id, i)).collect();
    names.areas = count(keys("areas").collect());
    let mut spaces = node.get("grid").map_or_else(Vec::new, grid::ids);
    spaces.extend(keys("spaces"));
    for section in keys("sections") {
        let rows = node
            .get("sections")
            .and_then(|s| s.get(&section)?.get("rows"));
        // A map with more is refused.
        if spaces.len() > limits::MOST_SPACES {
            break;
        }
        for (row, column, _) in rows.into_iter().flat_map(drawn) {
            spaces.push(square_id(&section, column, row));
        }
    }
    names.spaces = count(spaces);
}

/// The spaces that are drawn instead of listed, each with the place it comes from: the row of its section, or the grid.
pub fn drawn_spaces(node: &Node) -> Vec<(String, Place)> {
    let mut found = Vec::new();
    let table = |key: &str| node.get(key).and_then(Node::table).into_iter().flatten();
    for (section, entry) in table("sections") {
        let Some(rows) = entry.node.get("rows") else {
            continue;
        };
        let crate::content::tree::Datum::List(lines) = &rows.value else {
            continue;
        };
        for (row, column, _) in drawn(rows) {
            let place = lines.get(row).map_or(&rows.place, |line| &line.place);
            found.push((square_id(section, column, row), place.clone()));
        }
    }
    if let Some(entry) = node.table().and_then(|table| table.get("grid")) {
        let ids = grid::ids(&entry.node).into_iter();
        found.extend(ids.map(|id| (id, entry.key.clone())));
    }
    found
}

/// Row, column and letter of each square that is one.
fn drawn(rows: &Node) -> Vec<(usize, usize, char)> {
    let crate::content::tree::Datum::List(rows) = &rows.value else {
        return Vec::new();
    };
    let mut squares = Vec::new();
    for (row, text) in rows.iter().enumerate().take(MOST_ROWS) {
        let letters = text.text().unwrap_or_default().chars();
        for (column, letter) in letters.enumerate().take(MOST_COLUMNS) {
            if letter != ' ' {
                squares.push((row, column, letter));
            }
        }
    }
    squares
}

/// The length that most rows have, so that the odd one is found; of several the one that comes first.
pub(super) fn usual(lengths: impl Iterator<Item = usize> + Clone) -> usize {
    let count = |length: usize| lengths.clone().filter(|other| *other == length).count();
    let mut best = (0, 0);
    for length in lengths.clone().take(MOST_ROWS) {
        let rows = count(length);
        if rows > best.1 {
            best = (length, rows);
        }
    }
    best.0
}

fn square_id(section: &str, column: usize, row: usize) -> String {
    format!("{section}_{}", square_name(column, row))
}

fn square_name(column: usize, row: usize) -> String {
    let letter = char::from(b'a' + column.min(MOST_COLUMNS - 1) as u8);
    format!("{letter}{}", row + 1)
}

/// A map, with `names` numbered for it.
pub fn read(id: &str, node: &Node, names: &mut Names, reader: &mut Reader) -> Option<Map> {
    let file = MapFile::read(node, reader)?;
    let (space, edge, area) = match file.fields {
        Some(fields) => (fields.space, fields.edge, fields.area),
        None => (None, None, None),
    };
    let space_fields = field::declare(space, SPACE_OWN, names, reader);
    let edge_fields = field::declare(edge, &[], names, reader);
    let area_fields = field::declare(area, AREA_OWN, names, reader);
    let plain = |declared: &[Declared]| declared.iter().map(|d| d.field.clone()).collect();
    let map = Map {
        id: id.to_string(),
        title: file.title.0.unwrap_or_default(),
        space_fields: plain(&space_fields),
        edge_fields: plain(&edge_fields),
        area_fields: plain(&area_fields),
        ..Map::default()
    };
    let mut making = Making {
        map,
        space_fields,
        edge_fields,
        area_fields,
        names,
        reader,
        joined: HashMap::new(),
    };
    for (id, entry) in file.areas.iter().flat_map(|t| &t.0) {
        making.area(id, entry);
    }
    let legend = making.legend(file.legend);
    if let (Some(grid), Some(node)) = (&file.grid, node.get("grid")) {
        making.grid(grid, node, &legend);
    }
    for (id, entry) in file.spaces.iter().flat_map(|t| &t.0) {
        making.space(id, entry);
    }
    making.sections(file.sections, &legend, node);
    for (name, entry) in file.edges.iter().flat_map(|t| &t.0) {
        making.edge(name, entry);
    }
    making.every_field_has_a_value(&node.place);
    making.isolated(file.spaces.iter().flat_map(|t| &t.0));
    let spaces = making.map.spaces.len();
    if spaces > limits::MOST_SPACES {
        let most = limits::MOST_SPACES;
        let message = format!("a map has at most {most} spaces, and this one has {spaces}");
        let problem = Diagnostic::new(Code::OutOfRange, message).at(&node.place);
        making.reader.report(problem);
    }
    let edges = making.map.edges.len();
    if edges > limits::MOST_EDGES {
        let most = limits::MOST_EDGES;
        let message = format!("a map has at most {most} edges, and this one has {edges}");
        let problem = Diagnostic::new(Code::OutOfRange, message).at(&node.place);
        making.reader.report(problem);
    }
    if making.map.spaces.is_empty() && making.names.has_room() {
        let message = "a map needs `spaces`, `sections` or a `grid`";
        let problem = Diagnostic::new(Code::MissingKey, message).at(&node.place);
        making.reader.report(problem);
    }
    Some(making.map)
}

impl Making<'_> {
    /// What could not be read is empty, so that everything has as many values as there are fields.
    fn every_field_has_a_value(&mut self, place: &Place) {
        let Map {
            spaces,
            edges,
            areas,
            ..
        } = &mut self.map;
        let spaces = spaces
            .iter_mut()
            .map(|s| (&mut s.fields, &self.space_fields));
        let edges = edges.iter_mut().map(|e| (&mut e.fields, &self.edge_fields));
        let areas = areas.iter_mut().map(|a| (&mut a.fields, &self.area_fields));
        for (row, fields) in spaces.chain(edges).chain(areas) {
            let missing = fields.len().saturating_sub(row.len());
            if !self.names.has_room_for(missing, place, self.reader) {
                return;
            }
            row.resize(fields.len(), FieldValue::None);
        }
    }

    /// Where spaces have borders, one without any was probably forgotten. Where most have none, it is that kind of map.
    fn isolated<'e>(&mut self, written: impl Iterator<Item = (&'e String, &'e Entry)>) {
        let mut touched = vec![false; self.map.spaces.len()];
        for edge in &self.map.edges {
            for end in [edge.a, edge.b] {
                if let Some(space) = touched.get_mut(end as usize) {
                    *space = true;
                }
            }
        }
        let alone = touched.iter().filter(|touched| !**touched).count();
        if self.map.edges.is_empty() || alone * 3 > touched.len() {
            return;
        }
        let of_map: HashMap<&str, usize> =
            self.map.spaces.iter().map(|s| &*s.id).zip(0..).collect();
        for (id, entry) in written {
            if of_map
                .get(id.as_str())
                .is_some_and(|space| !touched[*space])
            {
                let message = format!("nothing borders the space `{id}`");
                let problem = Diagnostic::new(Code::IsolatedSpace, message).at(&entry.key);
                let help = format!("write its borders under [edges], `\"{id} - ..\" = {{}}`");
                self.reader.report(problem.help(help));
            }
        }
    }

    fn area(&mut self, id: &str, entry: &Entry) {
        self.reader.id(id, &entry.key);
        let what = format!("the area `{id}`");
        let mut area = Area {
            id: id.to_string(),
            name: Text::default(),
            fields: Vec::new(),
        };
        let node = &entry.node;
        if let Some(table) = self.reader.table(node, "an area") {
            let name = self
                .reader
                .field::<Text>(node, table, "name", &what, AREA_OWN);
            area.name = name.unwrap_or_default();
            let (fields, names) = (&self.area_fields, &mut *self.names);
            let (place, reader) = (&node.place, &mut *self.reader);
            area.fields = field::values(&what, place, table, AREA_OWN, fields, names, reader);
        }
        self.map.areas.push(area);
    }

    fn space(&mut self, id: &str, entry: &Entry) {
        self.reader.id(id, &entry.key);
        let what = format!("the space `{id}`");
        let mut space = Space {
            id: id.to_string(),
            name: Text::default(),
            area: None,
            at: None,
            square: None,
            fields: Vec::new(),
        };
        let node = &entry.node;
        if let Some(table) = self.reader.table(node, "a space") {
            let name = self
                .reader
                .field::<Text>(node, table, "name", &what, SPACE_OWN);
            space.name = name.unwrap_or_default();
            space.area = self.area_of(table);
            space.at = table
                .get("at")
                .and_then(|e| <(i32, i32)>::read(&e.node, self.reader));
            let (fields, names) = (&self.space_fields, &mut *self.names);
            let (place, reader) = (&node.place, &mut *self.reader);
            space.fields = field::values(&what, place, table, SPACE_OWN, fields, names, reader);
        }
        self.map.spaces.push(space);
    }

    fn area_of(&mut self, table: &Branch) -> Option<u32> {
        let entry = table.get("area")?;
        field::area(&entry.node, self.names, self.reader)
    }

    /// What the letters of drawings mean.
    fn legend(&mut self, legend: Option<Things<SQUARE>>) -> Legend {
        let legend = legend.map(|t| t.0).unwrap_or_default();
        let mut squares = Legend::new();
        for (letter, entry) in &legend {
            let what = format!("the square `{letter}`");
            let mut characters = letter.chars();
            let (Some(character), None) = (characters.next(), characters.next()) else {
                let message = format!("`{letter}` is not one letter");
                let problem = Diagnostic::new(Code::BadSection, message).at(&entry.key);
                self.reader.report(problem);
                continue;
            };
            let Some(table) = self.reader.table(&entry.node, "a square") else {
                continue;
            };
            let area = self.area_of(table);
            let (fields, names) = (&self.space_fields, &mut *self.names);
            let (place, reader) = (&entry.node.place, &mut *self.reader);
            let fields = field::values(&what, place, table, SQUARE_OWN, fields, names, reader);
            squares.insert(character, (area, fields));
        }
        squares
    }

    /// The spaces of a grid, and their borders.
    fn grid(&mut self, file: &GridFile, node: &Node, legend: &Legend) {
        let (fields, names) = (&self.space_fields, &mut *self.names);
        let Some((spaces, grid)) = grid::read(file, node, legend, fields, names, self.reader)
        else {
            return;
        };
        self.map.spaces = spaces;
        let pairs = grid.borders();
        self.map.grid = Some(grid);
        self.join(pairs, &node.place);
    }

    fn sections(&mut self, sections: Option<Entries<SectionFile>>, legend: &Legend, map: &Node) {
        for (id, section) in sections.unwrap_or_default() {
            self.reader.id(&id.value, &id.place);
            let Some(section) = section else { continue };
            self.section(&id.value, &id.place, section, legend);
        }
        self.odd_section(map);
        self.map.assembled = self.map.sections.len() > 1;
        if let [section] = &self.map.sections[..] {
            let section = section.clone();
            self.join_squares(&section, &map.place);
        }
    }

    /// Of sections that are alike, the one with another number of rows.
    fn odd_section(&mut self, map: &Node) {
        let all = &self.map.sections;
        if all.len() <= SECTIONS_ALIKE {
            return;
        }
        let rows = usual(all.iter().map(|section| section.rows as usize));
        let mut others = all.iter().filter(|section| section.rows as usize != rows);
        let (Some(odd), None) = (others.next(), others.next()) else {
            return;
        };
        let sections = map.get("sections").and_then(Node::table);
        let Some(entry) = sections.and_then(|sections| sections.get(&odd.id)) else {
            return;
        };
        let noun = if odd.rows == 1 { "row" } else { "rows" };
        let message = format!(
            "section `{}` has {} {noun}, the others {rows}",
            odd.id, odd.rows
        );
        let mut problem = Diagnostic::new(Code::OddValue, message).of(SECTION);
        problem.name = Some(odd.id.clone());
        self.reader.report(problem.at(&entry.key));
    }

    fn section(&mut self, id: &str, place: &Place, file: SectionFile, legend: &Legend) {
        let width = |row: &str| row.chars().count();
        let columns = usual(file.rows.iter().map(|row| width(&row.value)));
        if columns == 0 || columns > MOST_COLUMNS || file.rows.len() > MOST_ROWS {
            let message = format!(
                "a section has 1 to {MOST_COLUMNS} columns and 1 to {MOST_ROWS} rows, not {columns} by {}",
                file.rows.len()
            );
            self.reader
                .report(Diagnostic::new(Code::BadSection, message).at(place));
            return;
        }
        let index = self.map.sections.len() as u32;
        let rows = file.rows.len();
        let mut squares = vec![None; columns * rows];
        for (row, text) in file.rows.iter().enumerate() {
            if width(&text.value) != columns {
                let found = width(&text.value);
                let message = format!("expected {columns} squares, found {found}");
                let problem = Diagnostic::new(Code::BadSection, message).at(&text.place);
                self.reader.report(
                    problem.help("all rows of a section are equally long; a blank is no square"),
                );
            }
            for (column, letter) in text.value.chars().enumerate().take(columns) {
                if letter == ' ' {
                    continue;
                }
                let (area, fields) = match legend.get(&letter) {
                    Some(found) => found.clone(),
                    None => {
                        let message = format!("the legend does not explain `{letter}`");
                        let problem = Diagnostic::new(Code::BadSection, message).at(&text.place);
                        self.reader.report(problem);
                        Default::default()
                    }
                };
                let weight = 1 + field::letters(&file.name) + field::weight_of_row(&fields);
                if !self.names.has_room_for(weight, &text.place, self.reader) {
                    return;
                }
                squares[row * columns + column] = Some(self.map.spaces.len() as u32);
                let name = square_name(column, row);
                self.map.spaces.push(Space {
                    id: square_id(id, column, row),
                    name: Text {
                        es: format!("{} {name}", file.name.es),
                        en: format!("{} {name}", file.name.en),
                    },
                    area,
                    at: None,
                    square: Some((index, column as u8, row as u8)),
                    fields,
                });
            }
        }
        self.map.sections.push(Section {
            id: id.to_string(),
            name: file.name,
            columns: columns as u8,
            rows: rows as u8,
            squares,
        });
    }

    /// Squares of a fixed board that touch are neighbours.
    fn join_squares(&mut self, section: &Section, place: &Place) {
        let (columns, rows) = (section.columns as usize, section.rows as usize);
        let at = |column: usize, row: usize| match column < columns && row < rows {
            true => section.squares[row * columns + column],
            false => None,
        };
        let mut pairs = Vec::new();
        for row in 0..rows {
            for column in 0..columns {
                let here = at(column, row);
                let near = [at(column + 1, row), at(column, row + 1)];
                let near = near.into_iter().flatten();
                pairs.extend(near.filter_map(|other| Some((here?, other))));
            }
        }
        self.join(pairs, place);
    }

    /// Borders that nobody wrote, with the fields' own values.
    fn join(&mut self, pairs: Vec<(u32, u32)>, place: &Place) {
        if pairs.is_empty() {
            return;
        }
        let (fields, names) = (&self.edge_fields, &mut *self.names);
        let what = "an edge between squares";
        let none = Branch::default();
        let fields = field::values(what, place, &none, &[], fields, names, self.reader);
        let weight = pairs.len() * (1 + field::weight_of_row(&fields));
        if !self.names.has_room_for(weight, place, self.reader) {
            return;
        }
        for (a, b) in pairs {
            self.joined.insert((a.min(b), a.max(b)), None);
            let fields = fields.clone();
            self.map.edges.push(Edge { a, b, fields });
        }
    }

    fn edge(&mut self, name: &str, entry: &Entry) {
        let Some((a, b)) = name.split_once(" - ") else {
            let message = format!("`{name}` is not an edge");
            let problem = Diagnostic::new(Code::BadEdge, message).at(&entry.key);
            self.reader
                .report(problem.help("write the two spaces, `\"japan - korea\" = {}`"));
            return;
        };
        let (a, b) = (self.end(a, &entry.key), self.end(b, &entry.key));
        let what = format!("the edge `{name}`");
        let node = &entry.node;
        let Some(table) = self.reader.table(node, "an edge") else {
            return;
        };
        let (fields, names) = (&self.edge_fields, &mut *self.names);
        let fields = field::values(&what, &node.place, table, &[], fields, names, self.reader);
        let (Some(a), Some(b)) = (a, b) else { return };
        if a == b {
            let message = "an edge joins two spaces, not one with itself";
            self.reader
                .report(Diagnostic::new(Code::BadEdge, message).at(&entry.key));
            return;
        }
        let pair = (a.min(b), a.max(b));
        match self.joined.insert(pair, Some(entry.key.clone())) {
            None => self.map.edges.push(Edge { a, b, fields }),
            // Squares touch by themselves; writing the edge gives it fields.
            Some(None) => {
                let known = self.map.edges.iter_mut();
                for edge in known.filter(|e| (e.a.min(e.b), e.a.max(e.b)) == pair) {
                    edge.fields = fields.clone();
                }
            }
            Some(Some(first)) => {
                let message = format!("the edge `{name}` is there twice");
                let problem = Diagnostic::new(Code::BadEdge, message);
                let problem = problem.labelled(&entry.key, "again here");
                self.reader.report(problem.related(&first, "first here"));
            }
        }
    }

    fn end(&mut self, id: &str, place: &Place) -> Option<u32> {
        let (ids, code) = (&self.names.spaces, Code::UnknownSpace);
        field::unknown_unless(ids, id.trim(), place, "space", code, self.reader)
    }
}

impl<const WHAT: u8> Read for Things<WHAT> {
    fn read(node: &Node, reader: &mut Reader) -> Option<Self> {
        reader.table(node, "of ids").cloned().map(Things)
    }
}

impl<const WHAT: u8> JsonSchema for Things<WHAT> {
    fn schema_name() -> Cow<'static, str> {
        format!("Things{WHAT}").into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let text = generator.subschema_for::<Text>();
        let name = json_schema!({ "description": "What it is called.", "allOf": [text] });
        let area = || json_schema!({ "type": "string", "description": "The area it belongs to." });
        let thing = match WHAT {
            AREA => json_schema!({
                "description": "An area. Besides its name it has the fields `[fields]` declares.",
                "type": "object", "properties": { "name": name }, "required": ["name"],
            }),
            SPACE => json_schema!({
                "description": "A space. Besides these keys it has the fields `[fields]` declares.",
                "type": "object",
                "properties": {
                    "name": name,
                    "area": area(),
                    "at": { "description": "Column and line where it is drawn.", "type": "array", "items": { "type": "integer" }, "minItems": 2, "maxItems": 2 },
                },
                "required": ["name"],
            }),
            SQUARE => json_schema!({
                "description": "A square: its fields, and the area if it has one.",
                "type": "object", "properties": { "area": area() },
            }),
            _ => json_schema!({ "description": "An edge: its fields.", "type": "object" }),
        };
        json_schema!({ "type": "object", "additionalProperties": thing })
    }
}
