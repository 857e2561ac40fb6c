//! The board in text: squares where they lie, other maps by area.

use super::describe::SeenView;
use super::map;
use super::page::{across, cut, padded, width, wrap};
use ludoteca::Shown;
use ludoteca::definition::{AttributeType, Cells, Field, FieldType, FieldValue, Map, Per, ZoneOf};
use ludoteca::view::SpaceView;
use std::collections::{BTreeMap, HashMap};

/// The board as a picture in at most so many lines: squares, or a map with positions. `None` where there is none, or no room for it.
/// `marked` spaces are those one may choose now.
pub fn picture(seen: &SeenView, marked: &[&str], room: usize) -> Option<Vec<String>> {
    let map = seen.table.game.definition.map.as_ref()?;
    if has_squares(seen) {
        let fits = |lines: &Vec<String>| lines.len() <= room;
        let roomy = squares(seen, map, marked, Cell::TwoLines);
        return fits(&roomy)
            .then_some(roomy)
            .or_else(|| Some(squares(seen, map, marked, Cell::OneLine)).filter(fits));
    }
    // Below the map stands who is who.
    let who = seen.who_is_who().len();
    let room = (across(), room.checked_sub(who)?);
    map::drawn(seen, map, marked, room)
}

/// The board as a list; nothing for a game without a map.
pub fn list(seen: &SeenView, marked: &[&str]) -> Vec<String> {
    match &seen.table.game.definition.map {
        Some(map) => by_area(seen, map, marked),
        None => Vec::new(),
    }
}

/// Whether the board is one of squares, which no list of lines can replace.
pub fn has_squares(seen: &SeenView) -> bool {
    let board = &seen.table.state.board;
    board
        .in_play()
        .iter()
        .any(|space| board.square(space).is_some())
}

/// Everything there is to say of one space: owner, attributes that have a text, zones.
pub fn details(seen: &SeenView, map: &Map, space: u32) -> String {
    let mut told = Vec::new();
    if let Some(shown) = seen.space(&map.spaces[space as usize].id) {
        let declared = &seen.table.game.definition.attributes.space;
        told.extend(owner_of(shown).map(|seat| seen.short_player(seat)));
        told.extend(seen.attributes(declared, &shown.attributes, true));
        let zones = shown.zones.as_ref();
        told.extend(zones.map_or(Vec::new(), |zones| seen.zones(ZoneOf::Space, zones, None)));
    }
    let name = seen.language.of(&map.spaces[space as usize].name);
    if told.is_empty() {
        name.to_string()
    } else {
        format!("{name} {}", told.join(" · "))
    }
}

/// A heading for each area, then its spaces one after the other.
fn by_area(seen: &SeenView, map: &Map, marked: &[&str]) -> Vec<String> {
    let mut groups: BTreeMap<Option<u32>, Vec<String>> = BTreeMap::new();
    for space in seen.table.state.board.in_play().iter() {
        let mark = if marked.contains(&map.spaces[space as usize].id.as_str()) {
            "*"
        } else {
            ""
        };
        let told = format!("{mark}{}", details(seen, map, space));
        groups
            .entry(map.spaces[space as usize].area)
            .or_default()
            .push(told);
    }
    let mut lines = Vec::new();
    for (area, spaces) in groups {
        let title = area.map_or(&map.title, |area| &map.areas[area as usize].name);
        lines.push(format!("{}:", seen.language.of(title)));
        let mut line = String::new();
        for space in spaces {
            if !line.is_empty() && width(&line) + 3 + width(&space) > across() {
                lines.push(std::mem::take(&mut line));
            }
            line.push_str(if line.is_empty() { "  " } else { " | " });
            line.push_str(&space);
        }
        lines.extend(wrap(&line, 4));
    }
    lines
}

/// How a square is written: its name in its section, and what is on it below or beside that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cell {
    TwoLines,
    OneLine,
}

fn squares(seen: &SeenView, map: &Map, marked: &[&str], written: Cell) -> Vec<String> {
    let board = &seen.table.state.board;
    let places: HashMap<(i32, i32), u32> = board
        .in_play()
        .iter()
        .filter_map(|space| Some((board.square(space)?, space)))
        .collect();
    let range = |pick: fn(&(i32, i32)) -> i32| {
        let least = places.keys().map(pick).min().unwrap_or(0);
        let most = places.keys().map(pick).max().unwrap_or(-1);
        least..=most
    };
    let (columns, rows) = (range(|at| at.0), range(|at| at.1));
    let cell = (across() / columns.clone().count().max(1))
        .clamp(4, if written == Cell::OneLine { 10 } else { 8 });
    let ground = Ground::new(seen, map);
    let mut lines = Vec::new();
    // The rows of a grid are counted from the bottom, those of sections from the top.
    let mut rows: Vec<i32> = rows.collect();
    if map.grid.is_some() {
        rows.reverse();
    }
    let lowest = rows.iter().copied().min().unwrap_or(0);
    for row in rows {
        let indent = " ".repeat(lean(map, row - lowest) * cell / 2);
        let (mut heading, mut names, mut contents) = (String::new(), String::new(), String::new());
        for (across, column) in columns.clone().enumerate() {
            let space = places.get(&(column, row)).copied();
            if let Some(section) =
                space.and_then(|space| section_starts(seen, map, &places, space, (column, row)))
            {
                heading = padded(&heading, across * cell);
                heading.push_str(&section);
            }
            let name = space.map_or_else(String::new, |s| {
                short_name(map, s, marked.contains(&map.spaces[s as usize].id.as_str()))
            });
            let content = space.map_or_else(String::new, |s| ground.content(seen, map, s));
            let mut cell = cell;
            if written == Cell::TwoLines {
                names.push_str(&padded(&cut(&name, cell - 1), cell));
            } else if width(&name) + 1 + width(&content) < cell && !name.is_empty() {
                // Where both do not fit, what is there matters more: the squares around it have their names.
                contents.push_str(&format!("{name} "));
                cell -= width(&name) + 1;
            }
            let content = padded(&cut(&content, cell - 1), cell);
            let owner = space.and_then(|s| owner(seen, map, s));
            contents.push_str(&match owner {
                Some(seat) => seen.paint.seat(&seen.colors, seat, &content),
                None => content,
            });
        }
        lines.extend(
            [heading, names, contents]
                .into_iter()
                .map(|line| format!("{indent}{line}").trim_end().to_string()),
        );
    }
    lines.retain(|line| !line.is_empty());
    lines.extend(wrap(&ground.legend(seen), 2));
    lines
}

/// Whose a space is.
fn owner(seen: &SeenView, map: &Map, space: u32) -> Option<u8> {
    owner_of(seen.space(&map.spaces[space as usize].id)?)
}

fn owner_of(shown: &SpaceView) -> Option<u8> {
    shown.attributes.get("owner")?.seat()
}

/// By how many half spaces a row of hexes stands to the right of the lowest one.
fn lean(map: &Map, above: i32) -> usize {
    match &map.grid {
        Some(grid) if grid.cells == Cells::Hex && grid.leaning => above as usize,
        Some(grid) if grid.cells == Cells::Hex => above as usize % 2,
        _ => 0,
    }
}

/// The name of a section, if its corner on the table is here.
fn section_starts(
    seen: &SeenView,
    map: &Map,
    places: &HashMap<(i32, i32), u32>,
    space: u32,
    at: (i32, i32),
) -> Option<String> {
    let section = |space: u32| {
        map.spaces[space as usize]
            .square
            .map(|(section, ..)| section)
    };
    let same = |at: (i32, i32)| {
        places
            .get(&at)
            .is_some_and(|&other| section(other) == section(space))
    };
    let number = section(space)
        .filter(|_| map.sections.len() > 1 && !same((at.0 - 1, at.1)) && !same((at.0, at.1 - 1)))?;
    Some(format!(
        "<{}>",
        seen.language.of(&map.sections[number as usize].name)
    ))
}

/// `blue_b3` is `b3`, with a star if it may be chosen.
fn short_name(map: &Map, space: u32, marked: bool) -> String {
    let id = &map.spaces[space as usize].id;
    let short = id.rsplit('_').next().unwrap_or(id);
    if marked {
        format!("{short}*")
    } else {
        short.to_string()
    }
}

/// How squares without anything on them are told apart: a letter for each word of the map's first field of words, a dot for the last of
/// them, which authors keep for what is nothing in particular.
struct Ground {
    field: Option<usize>,
    letters: BTreeMap<u32, String>,
}

impl Ground {
    fn new(seen: &SeenView, map: &Map) -> Ground {
        let words = |field: &Field| match &field.ty {
            FieldType::Word(words) => Some(words.clone()),
            _ => None,
        };
        let found = map
            .space_fields
            .iter()
            .enumerate()
            .find_map(|(at, field)| Some((at, words(field)?)));
        let Some((field, words)) = found else {
            return Ground {
                field: None,
                letters: BTreeMap::new(),
            };
        };
        let last = words.last().copied();
        let letter = |word: u32| match seen.table.game.lexicon.words.get(word as usize) {
            Some(text) if Some(word) != last => seen
                .word(text)
                .chars()
                .take(1)
                .flat_map(char::to_lowercase)
                .collect(),
            _ => "·".to_string(),
        };
        Ground {
            field: Some(field),
            letters: words.into_iter().map(|word| (word, letter(word))).collect(),
        }
    }

    fn letter(&self, map: &Map, space: u32) -> &str {
        let value = self
            .field
            .and_then(|field| map.spaces[space as usize].fields.get(field));
        match value {
            Some(FieldValue::Word(word)) => self.letters.get(word).map_or("·", |letter| letter),
            _ => "·",
        }
    }

    /// `p1:3F`: the ground, the owner, the first number, and a letter for each thing that is true.
    fn content(&self, seen: &SeenView, map: &Map, space: u32) -> String {
        let mut content = self.letter(map, space).to_string();
        let Some(shown) = seen.space(&map.spaces[space as usize].id) else {
            return content;
        };
        if let Some(owner) = owner_of(shown) {
            content = format!("{}:", u32::from(owner) + 1);
        }
        let zones = shown.zones.as_ref();
        let shown = &shown.attributes;
        let attributes = &seen.table.game.definition.attributes.space;
        let told = || {
            attributes
                .iter()
                .filter(|a| a.text.is_some() && a.per == Per::One)
        };
        let number = told()
            .filter(|a| a.ty == AttributeType::Int)
            .find_map(|a| shown.get(&a.name)?.number());
        if let Some(number) = number.filter(|&n| n != 0) {
            content.push_str(&number.to_string());
        }
        for word in told()
            .filter(|a| matches!(a.ty, AttributeType::Word(_)))
            .filter_map(|a| shown.get(&a.name)?.name())
        {
            content.extend(seen.word(word).chars().take(2));
        }
        for attribute in told().filter(|a| {
            a.ty == AttributeType::Bool && shown.get(&a.name) == Some(&Shown::Flag(true))
        }) {
            let text = attribute
                .text
                .as_ref()
                .map_or("", |text| seen.language.of(text));
            content.extend(text.chars().take(1));
        }
        for zone in seen
            .table
            .game
            .definition
            .zones
            .iter()
            .filter(|zone| zone.of == ZoneOf::Space)
        {
            let lies = zones.and_then(|zones| zones.get(&zone.name));
            let count = lies.map_or(0, |zone| zone.count);
            if count > 0 {
                content.push_str(&format!("+{count}"));
            }
        }
        content
    }

    /// What the signs on the squares mean.
    fn legend(&self, seen: &SeenView) -> String {
        let mut told: Vec<String> = Vec::new();
        for (&word, letter) in &self.letters {
            if let Some(text) = seen.table.game.lexicon.words.get(word as usize) {
                told.push(format!("{letter} {}", seen.word(text)));
            }
        }
        let attributes = &seen.table.game.definition.attributes.space;
        let named = |ty: &AttributeType| {
            let found = attributes
                .iter()
                .filter(|a| a.ty == *ty && a.per == Per::One);
            found
                .filter_map(|a| a.text.as_ref())
                .map(|text| seen.language.of(text).to_string())
                .collect::<Vec<_>>()
        };
        let owned = attributes
            .iter()
            .any(|a| a.name == "owner" && a.ty == AttributeType::Player);
        if let (true, Some(number)) = (owned, named(&AttributeType::Int).first()) {
            told.push(format!("1:3 {} 3 {number}", seen.short_player(0)));
        }
        for name in named(&AttributeType::Bool) {
            told.push(format!(
                "{} {name}",
                name.chars().take(1).collect::<String>()
            ));
        }
        if told.is_empty() {
            String::new()
        } else {
            format!("({})", told.join(", "))
        }
    }
}
