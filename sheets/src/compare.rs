//! What a sheet somebody edited changes of the game, cell by cell; or what is wrong with its cells.

use crate::cell::{address, same, short, toml};
use crate::sheet::{Column, Row, Sheet, node_at};
use crate::{CellError, SheetError};
use ludoteca::{Loaded, Place, nearest};
use std::collections::{BTreeSet, HashMap};
use toml_edit::Value as Toml;

/// A value that becomes another.
#[derive(Debug, Clone)]
pub struct NewValue {
    pub cell: String,
    /// From the root of the game's data.
    pub path: Vec<String>,
    pub before: Option<Toml>,
    /// Nothing: it is taken away.
    pub after: Option<Toml>,
    /// Where it stands, or the row it comes into.
    pub place: Place,
}

/// A value of a card that was not there.
#[derive(Debug, Clone)]
pub struct NewCell {
    pub cell: String,
    /// From the card.
    pub path: Vec<String>,
    pub value: Toml,
}

/// A card that was not there.
#[derive(Debug, Clone)]
pub struct NewCard {
    pub cell: String,
    pub id: String,
    pub values: Vec<NewCell>,
    /// The card before which, or after which, it is written.
    pub beside: Place,
}

/// All that a sheet changes.
#[derive(Debug, Clone, Default)]
pub struct Compared {
    /// The kind or the table.
    pub name: String,
    pub changes: Vec<NewValue>,
    pub new: Vec<NewCard>,
    /// Rows of the game that the sheet does not have. They stay.
    pub left_out: Vec<String>,
}

/// Holds the rows of a sheet against the game.
pub fn compare(loaded: &Loaded, grid: &[Vec<String>]) -> Result<Compared, SheetError> {
    let titles = grid.first().map(Vec::as_slice).unwrap_or_default();
    let name = titles.first().map_or("", |name| name.trim());
    if name.is_empty() {
        let message = "cell A1 is empty: it says which kind of cards or table the sheet is of";
        return Err(SheetError::File(message.into()));
    }
    let sheet = Sheet::of(loaded, name)?;
    let mut comparing = Comparing {
        loaded,
        sheet: &sheet,
        found: Compared {
            name: name.to_string(),
            ..Compared::default()
        },
        errors: Vec::new(),
    };
    let columns = comparing.columns(titles);
    comparing.rows(grid, &columns);
    match comparing.errors.is_empty() {
        true => Ok(comparing.found),
        false => Err(SheetError::Cells(comparing.errors)),
    }
}

/// Rows or columns by their names; of two of one name, the first.
fn first_of<T>(all: &[T], name: fn(&T) -> &String) -> HashMap<&str, &T> {
    let named = all.iter().rev().map(|each| (name(each).as_str(), each));
    named.collect()
}

struct Comparing<'a> {
    loaded: &'a Loaded,
    sheet: &'a Sheet,
    found: Compared,
    errors: Vec<CellError>,
}

impl<'a> Comparing<'a> {
    fn error(&mut self, cell: (usize, usize), place: Option<Place>, message: String) {
        self.errors.push(CellError {
            cell: address(cell.0, cell.1),
            place,
            message,
        });
    }

    /// The columns by their titles, and where they are.
    fn columns(&mut self, titles: &[String]) -> Vec<(usize, &'a Column)> {
        let mut found: Vec<(usize, &Column)> = Vec::new();
        let by_title = first_of(&self.sheet.columns, |column| &column.title);
        let mut seen = BTreeSet::new();
        for (at, title) in titles.iter().enumerate().skip(1) {
            let title = title.trim();
            match by_title.get(title).copied() {
                Some(column) if !seen.insert(title) => {
                    let message = format!("the column `{}` is there twice", column.title);
                    self.error((at, 0), None, message);
                }
                Some(column) => found.push((at, column)),
                // What stands below is told where it stands.
                None if title.is_empty() => {}
                None => {
                    let titles = self.sheet.columns.iter().map(|c| c.title.as_str());
                    let meant = nearest(title, titles)
                        .map_or(String::new(), |meant| format!("; did you mean `{meant}`?"));
                    let (name, title) = (&self.sheet.name, short(title));
                    let message = format!("`{name}` has no column `{title}`{meant}");
                    self.error((at, 0), None, message);
                }
            }
        }
        found
    }

    fn rows(&mut self, grid: &[Vec<String>], columns: &[(usize, &'a Column)]) {
        let mut seen = BTreeSet::new();
        let mut before: Option<&Row> = None;
        let by_key = first_of(&self.sheet.rows, |row| &row.key);
        for (at, cells) in grid.iter().enumerate().skip(1) {
            if cells.iter().all(|cell| cell.trim().is_empty()) {
                continue;
            }
            let key = cells.first().map_or("", |key| key.trim());
            if key.is_empty() {
                self.error((0, at), None, "the row has no name".into());
                continue;
            }
            if !seen.insert(key.to_string()) {
                let message = format!("the row `{}` is there twice", short(key));
                self.error((0, at), None, message);
                continue;
            }
            self.untitled(at, cells, &grid[0]);
            match by_key.get(key).copied() {
                Some(row) => {
                    self.row(at, cells, row, columns);
                    before = Some(row);
                }
                None if self.sheet.is_cards => self.new_card(at, cells, before, columns),
                None => {
                    let keys = self.sheet.rows.iter().map(|row| row.key.as_str());
                    let meant = nearest(key, keys)
                        .map_or(String::new(), |meant| format!("; did you mean `{meant}`?"));
                    let (name, key) = (&self.sheet.name, short(key));
                    let message = format!("`{name}` has no row `{key}`{meant}");
                    self.error((0, at), None, message);
                }
            }
        }
        let left_out = self
            .sheet
            .rows
            .iter()
            .filter(|row| !seen.contains(&row.key));
        self.found.left_out = left_out.map(|row| row.key.clone()).collect();
    }

    /// What is written beside the columns would be lost.
    fn untitled(&mut self, at: usize, cells: &[String], titles: &[String]) {
        let is_empty = |cell: Option<&String>| cell.is_none_or(|cell| cell.trim().is_empty());
        let beside = (1..cells.len())
            .find(|&column| is_empty(titles.get(column)) && !is_empty(cells.get(column)));
        if let Some(column) = beside {
            let message = format!("its column has no title in {}", address(column, 0));
            self.error((column, at), None, message);
        }
    }

    fn row(&mut self, at: usize, cells: &[String], row: &Row, columns: &[(usize, &Column)]) {
        let Some(card) = node_at(&self.loaded.root, &row.path) else {
            return;
        };
        for &(number, column) in columns {
            let typed = cells.get(number).map_or("", String::as_str);
            let there = node_at(card, &column.path);
            let place = there.map_or(&card.place, |node| &node.place);
            match column.shape.read(typed) {
                Err(message) => self.error((number, at), Some(place.clone()), message),
                Ok(value) if same(there, value.as_ref()) => {}
                Ok(value) => self.found.changes.push(NewValue {
                    cell: address(number, at),
                    path: [row.path.clone(), column.path.clone()].concat(),
                    before: there.map(toml),
                    after: value,
                    place: place.clone(),
                }),
            }
        }
    }

    fn new_card(
        &mut self,
        at: usize,
        cells: &[String],
        before: Option<&Row>,
        columns: &[(usize, &Column)],
    ) {
        let id = cells.first().map_or("", |id| id.trim()).to_string();
        let cards = self.loaded.root.get("cards");
        if let Some(other) = cards.and_then(|cards| cards.get(&id)) {
            let message = format!("`{}` is a card of another kind", short(&id));
            return self.error((0, at), Some(other.place.clone()), message);
        }
        let mut values = Vec::new();
        for &(number, column) in columns {
            let typed = cells.get(number).map_or("", String::as_str);
            match column.shape.read(typed) {
                Err(message) => self.error((number, at), None, message),
                Ok(None) => {}
                Ok(Some(value)) => values.push(NewCell {
                    cell: address(number, at),
                    path: column.path.clone(),
                    value,
                }),
            }
        }
        let row = before.or(self.sheet.rows.first());
        let beside = row.and_then(|row| node_at(&self.loaded.root, &row.path));
        if let Some(beside) = beside {
            self.found.new.push(NewCard {
                cell: address(0, at),
                id,
                values,
                beside: beside.place.clone(),
            });
        }
    }
}
