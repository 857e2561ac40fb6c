//! Boards with geometry: squares or hexes in rows and columns, with ids such as `e4`.

use super::field::{self, Declared, Names};
use super::reader::{At, Reader, record, words};
use crate::content::definition::{Cells, Direction, FieldValue, Grid, Space, Text};
use crate::content::diagnostic::{Code, Diagnostic};
use crate::content::file::Place;
use crate::content::tree::{Branch, Node};
use crate::limits::MOST_SPACES;
use std::collections::{BTreeSet, HashMap};

record! {
    /// A board with geometry.
    pub struct GridFile("a grid") {
        /// What it is made of; squares if left out.
        cells: Option<CellsWord>,
        /// Columns and rows; of a hexagon, the spaces of a side, twice.
        size: Option<At<(u32, u32)>>,
        /// The outline: a rectangle if left out.
        shape: Option<At<ShapeWord>>,
        /// What it looks like from above, the last row first: each letter is a space of the legend, a blank is none.
        drawing: Option<Vec<At<String>>>,
        /// Spaces that are not there.
        holes: Option<Vec<At<String>>>,
        /// Where the board goes on at its other side.
        wrap: Option<At<WrapWord>>,
        /// Which steps make spaces neighbours: orthogonal if left out, all on hexes.
        neighbors: Option<At<NeighborsWord>>,
        /// Where forward is for each seat.
        forward: Option<Vec<At<DirectionWord>>>,
    }
}

words! {
    pub enum CellsWord("kind of cells") { Square = "square", Hex = "hex", }
}

words! {
    pub enum ShapeWord("shape") { Rectangle = "rectangle", Hexagon = "hexagon", Rhombus = "rhombus", }
}

words! {
    pub enum WrapWord("way to wrap") { Columns = "columns", Rows = "rows", Both = "both", }
}

words! {
    pub enum NeighborsWord("kind of steps") { Orthogonal = "orthogonal", Diagonal = "diagonal", All = "all", }
}

words! {
    pub enum DirectionWord("direction") {
        North = "north", Northeast = "northeast", East = "east", Southeast = "southeast",
        South = "south", Southwest = "southwest", West = "west", Northwest = "northwest",
    }
}

/// What a letter of the legend says of a space: its area and its fields.
pub type Legend = HashMap<char, (Option<u32>, Vec<FieldValue>)>;

/// The spaces of a grid, before anything else is known of it.
struct Cell {
    column: i32,
    row: i32,
    letter: Option<char>,
}

/// `e4`: columns are letters, rows are numbers from the bottom.
fn cell_id(column: i32, row: i32) -> String {
    let mut letters = String::new();
    let mut rest = column;
    loop {
        letters.insert(0, char::from(b'a' + (rest % 26) as u8));
        rest = rest / 26 - 1;
        if rest < 0 {
            return format!("{letters}{}", row + 1);
        }
    }
}

/// The ids of a grid's spaces in order, as far as the file can be understood; what is wrong with it is told when it is read.
pub fn ids(grid: &Node) -> Vec<String> {
    let mut quiet = Reader::default();
    let file = <GridFile as super::reader::Read>::read(grid, &mut quiet);
    let cells = file.and_then(|file| cells(&file, &grid.place, &mut quiet));
    let id = |cell: &Cell| cell_id(cell.column, cell.row);
    cells.map_or_else(Vec::new, |(cells, _)| cells.iter().map(id).collect())
}

/// The cells of a grid and how it is laid out.
fn cells(file: &GridFile, place: &Place, reader: &mut Reader) -> Option<(Vec<Cell>, Grid)> {
    let hex = file.cells == Some(CellsWord::Hex);
    let mut grid = Grid {
        cells: if hex { Cells::Hex } else { Cells::Square },
        ..Grid::default()
    };
    let shape = file.shape.as_ref();
    let outline = shape.map_or(ShapeWord::Rectangle, |shape| shape.value);
    if let (false, Some(shape)) = (hex, shape)
        && outline != ShapeWord::Rectangle
    {
        wrong("only hexes make this shape", &shape.place, reader);
        return None;
    }
    let cells = match (&file.drawing, &file.size) {
        (Some(rows), None) => drawn(rows, &mut grid, place, reader)?,
        (None, Some(size)) => measured(size, outline, &mut grid, reader)?,
        (None, None) => {
            wrong("a grid needs a `size` or a `drawing`", place, reader);
            return None;
        }
        (Some(_), Some(size)) => {
            wrong("a `drawing` has its size already", &size.place, reader);
            return None;
        }
    };
    grid.leaning = outline != ShapeWord::Rectangle;
    let mut cells = cells;
    let id = |cell: &Cell| cell_id(cell.column, cell.row);
    let mut there: BTreeSet<String> = cells.iter().map(id).collect();
    for hole in file.holes.iter().flatten() {
        if !there.remove(&hole.value) {
            let message = format!("there is no space `{}` to leave out", hole.value);
            wrong(&message, &hole.place, reader);
        }
    }
    cells.retain(|cell| there.contains(&id(cell)));
    if let Some(wrap) = &file.wrap {
        let word = wrap.value;
        grid.wraps = (word != WrapWord::Rows, word != WrapWord::Columns);
        if outline == ShapeWord::Hexagon
            || (hex && !grid.leaning && grid.wraps.1 && grid.rows % 2 == 1)
        {
            wrong(
                "this board does not meet itself at its other side",
                &wrap.place,
                reader,
            );
            grid.wraps = (false, false);
        }
    }
    grid.neighbors = match &file.neighbors {
        Some(word) if hex && word.value != NeighborsWord::All => {
            wrong(
                "hexes touch in six directions: leave it out",
                &word.place,
                reader,
            );
            Direction::ALL
        }
        Some(word) => match word.value {
            NeighborsWord::Orthogonal => Direction::ORTHOGONAL,
            NeighborsWord::Diagonal => Direction::DIAGONAL,
            NeighborsWord::All => Direction::ALL,
        },
        None if hex => Direction::ALL,
        None => Direction::ORTHOGONAL,
    };
    for word in file.forward.iter().flatten() {
        let direction = Direction(word.value as u8);
        if hex && direction.0.is_multiple_of(4) {
            wrong("hexes have no such direction", &word.place, reader);
        }
        grid.forward.push(direction);
    }
    Some((cells, grid))
}

fn wrong(message: &str, place: &Place, reader: &mut Reader) {
    reader.report(Diagnostic::new(Code::BadSection, message).at(place));
}

/// The cells of a drawing, the bottom row first.
fn drawn(
    rows: &[At<String>],
    grid: &mut Grid,
    place: &Place,
    reader: &mut Reader,
) -> Option<Vec<Cell>> {
    let width = |row: &At<String>| row.value.chars().count();
    let columns = rows.iter().map(width).max().unwrap_or(0);
    if columns == 0 || columns * rows.len() > MOST_SPACES * 4 {
        wrong("a drawing has some rows of some spaces", place, reader);
        return None;
    }
    let usual = super::map::usual(rows.iter().map(width));
    let mut others = rows.iter().filter(|row| width(row) != usual);
    // One row that is longer or shorter than all others is a slip; a board with many such rows is drawn so.
    if let (Some(odd), None, 3..) = (others.next(), others.next(), rows.len()) {
        let message = format!("expected {usual} squares, found {}", width(odd));
        let problem = Diagnostic::new(Code::BadSection, message).at(&odd.place);
        reader.report(problem.help("all other rows are so long; a blank is no square"));
    }
    (grid.columns, grid.rows) = (columns as i32, rows.len() as i32);
    let mut cells = Vec::new();
    for (row, text) in rows.iter().rev().enumerate() {
        for (column, letter) in text.value.chars().enumerate() {
            if letter != ' ' {
                let (column, row) = (column as i32, row as i32);
                let letter = Some(letter);
                cells.push(Cell {
                    column,
                    row,
                    letter,
                });
            }
        }
    }
    Some(cells)
}

/// The cells of a shape.
fn measured(
    size: &At<(u32, u32)>,
    outline: ShapeWord,
    grid: &mut Grid,
    reader: &mut Reader,
) -> Option<Vec<Cell>> {
    let (columns, rows) = size.value;
    let hexagon = outline == ShapeWord::Hexagon;
    if columns == 0 || rows == 0 || (hexagon && columns != rows) {
        let message = if hexagon {
            "write the spaces of a side twice, such as [5, 5]"
        } else {
            "a grid has at least one column and one row"
        };
        wrong(message, &size.place, reader);
        return None;
    }
    let most = MOST_SPACES as u32;
    if columns > most || rows > most || columns * rows > most {
        let message = format!(
            "a map has at most {most} spaces, and this one would have {columns} columns and {rows} rows"
        );
        reader.report(Diagnostic::new(Code::OutOfRange, message).at(&size.place));
        return None;
    }
    let around = |side: u32| {
        if hexagon {
            2 * side as i32 - 1
        } else {
            side as i32
        }
    };
    (grid.columns, grid.rows) = (around(columns), around(rows));
    let middle = columns as i32 - 1;
    let inside =
        |column: i32, row: i32| !hexagon || (column - middle + row - middle).abs() <= middle;
    let all = (0..grid.rows).flat_map(|row| (0..grid.columns).map(move |column| (column, row)));
    let all = all.filter(|&(column, row)| inside(column, row));
    Some(
        all.map(|(column, row)| Cell {
            column,
            row,
            letter: None,
        })
        .collect(),
    )
}

/// The spaces of a grid, and how it is laid out.
pub fn read(
    file: &GridFile,
    node: &Node,
    legend: &Legend,
    fields: &[Declared],
    names: &mut Names,
    reader: &mut Reader,
) -> Option<(Vec<Space>, Grid)> {
    let (cells, mut grid) = cells(file, &node.place, reader)?;
    let plain = match legend.is_empty() || file.drawing.is_none() {
        true => field::values(
            "a space of the grid",
            &node.place,
            &Branch::default(),
            &[],
            fields,
            names,
            reader,
        ),
        false => Vec::new(),
    };
    let mut spaces = Vec::new();
    let mut unknown = Vec::new();
    for cell in cells {
        let explained = cell.letter.and_then(|letter| legend.get(&letter));
        let (area, fields) = explained.cloned().unwrap_or_else(|| (None, plain.clone()));
        if let (Some(letter), None, false) = (cell.letter, explained, legend.is_empty())
            && !unknown.contains(&letter)
        {
            unknown.push(letter);
            wrong(
                &format!("the legend does not explain `{letter}`"),
                &node.place,
                reader,
            );
        }
        let weight = 1 + field::weight_of_row(&fields);
        if !names.has_room_for(weight, &node.place, reader) {
            return None;
        }
        let id = cell_id(cell.column, cell.row);
        grid.places.push((cell.column, cell.row));
        spaces.push(Space {
            name: Text {
                es: id.clone(),
                en: id.clone(),
            },
            id,
            area,
            at: None,
            square: None,
            fields,
        });
    }
    Some((spaces, grid))
}
