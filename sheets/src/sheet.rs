//! Which cells a sheet has: a row for each card of a kind, or for each entry of a table; a column for each thing that may stand there.

use crate::SheetError;
use crate::cell::{Cell, CellShape, short};
use ludoteca::{
    Loaded,
    definition::{FieldType, Kind},
    nearest,
    tree::{Datum, Node},
};

/// A kind of cards or a table, as rows and columns.
#[derive(Debug, Clone)]
pub struct Sheet {
    /// What stands in its first cell, and says what the sheet is of.
    pub name: String,
    pub columns: Vec<Column>,
    pub rows: Vec<Row>,
    /// New rows are new cards.
    pub is_cards: bool,
}

#[derive(Debug, Clone)]
pub struct Column {
    pub title: String,
    /// From the row's value to the cell's.
    pub path: Vec<String>,
    pub shape: CellShape,
}

#[derive(Debug, Clone)]
pub struct Row {
    pub key: String,
    /// From the root of the game's data.
    pub path: Vec<String>,
}

/// The sheets a game can be had as: kinds of cards, then tables.
pub fn names(loaded: &Loaded) -> Vec<String> {
    let (kinds, tables) = (kinds(loaded), tables(loaded));
    let prefixed = |what: &str, name: &String, other: &[String]| match other.contains(name) {
        true => format!("{what}:{name}"),
        false => name.clone(),
    };
    let mut names: Vec<String> = kinds.iter().map(|k| prefixed("kind", k, &tables)).collect();
    names.extend(tables.iter().map(|t| prefixed("table", t, &kinds)));
    names
}

/// Kinds that have cards.
fn kinds(loaded: &Loaded) -> Vec<String> {
    let all = loaded.definition.kinds.iter().enumerate();
    let used = all.filter(|(n, _)| written_cards(loaded, *n as u32).next().is_some());
    used.map(|(_, kind)| kind.name.clone()).collect()
}

fn tables(loaded: &Loaded) -> Vec<String> {
    let tables = loaded.root.get("tables").and_then(Node::table);
    let tables = tables.into_iter().flatten();
    let whole = tables.filter(|(_, e)| matches!(e.node.value, Datum::List(_) | Datum::Table(_)));
    whole.map(|(name, _)| name.clone()).collect()
}

/// Ids of the cards of a kind that stand in files of their own; cards inside cards are a cell of theirs.
fn written_cards(loaded: &Loaded, kind: u32) -> impl Iterator<Item = &String> {
    let cards = loaded.root.get("cards").and_then(Node::table);
    let of_kind = loaded.definition.cards.iter();
    let of_kind = of_kind.filter(move |card| card.kind == kind);
    of_kind.filter_map(move |card| Some(cards?.get_key_value(&card.id)?.0))
}

impl Sheet {
    /// The sheet of a kind or a table; `kind:` or `table:` before the name tells them apart.
    pub fn of(loaded: &Loaded, name: &str) -> Result<Sheet, SheetError> {
        let (wanted, bare) = match name.split_once(':') {
            Some((what @ ("kind" | "table"), bare)) => (what, bare),
            _ => ("", name),
        };
        let mut kinds = loaded.definition.kinds.iter().enumerate();
        let kind = kinds.find(|(n, kind)| {
            kind.name == bare && written_cards(loaded, *n as u32).next().is_some()
        });
        let is_table = tables(loaded).iter().any(|found| found == bare);
        match (kind, is_table) {
            (Some(_), true) if wanted.is_empty() => Err(SheetError::Two(bare.into())),
            (Some(kind), _) if wanted != "table" => Ok(Sheet::of_kind(loaded, name, kind)),
            (_, true) if wanted != "kind" => Ok(Sheet::of_table(loaded, name, bare)),
            _ => Err(unknown(loaded, name, bare)),
        }
    }

    fn of_kind(loaded: &Loaded, name: &str, (number, kind): (usize, &Kind)) -> Sheet {
        let column = |title: &str, shape: CellShape| Column {
            title: title.to_string(),
            path: title.split('.').map(str::to_string).collect(),
            shape,
        };
        let mut columns = vec![column("copies", CellShape::Int)];
        for title in ["name.es", "name.en", "text.es", "text.en"] {
            columns.push(column(title, CellShape::Text));
        }
        for field in &kind.fields {
            if field.ty == FieldType::Text {
                for language in ["es", "en"] {
                    columns.push(column(
                        &format!("{}.{language}", field.name),
                        CellShape::Text,
                    ));
                }
            } else {
                columns.push(column(&field.name, CellShape::of_field(&field.ty)));
            }
        }
        let row = |id: &String| Row {
            key: id.clone(),
            path: vec!["cards".to_string(), id.clone()],
        };
        Sheet {
            name: name.to_string(),
            columns,
            rows: written_cards(loaded, number as u32).map(row).collect(),
            is_cards: true,
        }
    }

    fn of_table(loaded: &Loaded, name: &str, bare: &str) -> Sheet {
        let at = vec!["tables".to_string(), bare.to_string()];
        let mut columns: Vec<Column> = Vec::new();
        let mut rows = Vec::new();
        for (key, node) in node_at(&loaded.root, &at).into_iter().flat_map(children) {
            for (path, value) in leaves(node) {
                let shape = CellShape::of_node(value);
                match columns.iter_mut().find(|column| column.path == path) {
                    Some(column) if column.shape != shape => column.shape = CellShape::Any,
                    Some(_) => {}
                    None => columns.push(Column {
                        title: match path.is_empty() {
                            true => "value".to_string(),
                            false => path.join("."),
                        },
                        path,
                        shape,
                    }),
                }
            }
            let path = [at.clone(), vec![key.clone()]].concat();
            rows.push(Row { key, path });
        }
        Sheet {
            name: name.to_string(),
            columns,
            rows,
            is_cards: false,
        }
    }

    /// The value a cell stands for.
    pub fn node<'a>(&self, root: &'a Node, row: &Row, column: &Column) -> Option<&'a Node> {
        node_at(node_at(root, &row.path)?, &column.path)
    }

    /// All cells, the titles first.
    pub fn cells(&self, root: &Node) -> Vec<Vec<Cell>> {
        let titles = self.columns.iter().map(|column| column.title.clone());
        let titles = std::iter::once(self.name.clone()).chain(titles);
        let mut cells = vec![titles.map(Cell::Text).collect()];
        for row in &self.rows {
            let value = |column: &Column| {
                let node = self.node(root, row, column);
                node.map_or(Cell::Empty, |node| column.shape.shown(node))
            };
            let key = Cell::Text(row.key.clone());
            cells.push(
                std::iter::once(key)
                    .chain(self.columns.iter().map(value))
                    .collect(),
            );
        }
        cells
    }
}

fn unknown(loaded: &Loaded, name: &str, bare: &str) -> SheetError {
    let single = loaded
        .root
        .get("tables")
        .and_then(|tables| tables.get(bare));
    if single.is_some_and(|node| !matches!(node.value, Datum::List(_) | Datum::Table(_))) {
        return SheetError::Single(bare.to_string());
    }
    let known = names(loaded);
    let meant = nearest(bare, known.iter().map(String::as_str));
    SheetError::Unknown {
        name: short(name),
        meant: meant.map_or(String::new(), |meant| format!(" (did you mean `{meant}`?)")),
        known: known.join(", "),
    }
}

/// The value some names lead to.
pub fn node_at<'a>(node: &'a Node, path: &[String]) -> Option<&'a Node> {
    path.iter().try_fold(node, |node, step| match &node.value {
        Datum::List(items) => items.get(step.parse::<usize>().ok()?),
        _ => node.get(step),
    })
}

fn children(node: &Node) -> Vec<(String, &Node)> {
    match &node.value {
        Datum::Table(table) => {
            let entries = table.iter();
            entries
                .map(|(key, entry)| (key.clone(), &entry.node))
                .collect()
        }
        Datum::List(items) => {
            let numbered = items.iter().enumerate();
            numbered.map(|(n, item)| (n.to_string(), item)).collect()
        }
        _ => Vec::new(),
    }
}

/// What stands in a row: tables are gone into, lists are one cell.
fn leaves(node: &Node) -> Vec<(Vec<String>, &Node)> {
    match &node.value {
        Datum::Table(table) if !table.is_empty() => {
            let mut found = Vec::new();
            for (key, entry) in table.iter() {
                for (rest, leaf) in leaves(&entry.node) {
                    found.push(([vec![key.clone()], rest].concat(), leaf));
                }
            }
            found
        }
        _ => vec![(Vec::new(), node)],
    }
}
