//! A map drawn where its spaces lie, each with its name, whose it is and how much is there; faint dots lead to its neighbours.

use super::describe::SeenView;
use super::page::{cut, width};
use ludoteca::Shown;
use ludoteca::definition::{AttributeType, Data, Map, Per};

/// Letters a name is cut to, one after the other, until everything fits.
const LONGEST: [usize; 6] = [24, 12, 10, 8, 7, 6];
/// How far a name may stand from its place, in columns; a line counts for some of them.
const STRAY: usize = 16;
const LINE_COUNTS: usize = 5;
/// The fewest lines a map is drawn in, and the most that help.
const LOWEST: usize = 8;
const HIGHEST: usize = 26;

/// Something to write: the spaces' names as they are, then what is beside them, piece by piece with whose it is.
struct Label {
    name: String,
    marked: bool,
    beside: Vec<(String, Option<u8>)>,
    /// Where it belongs, from 0 to 1.
    at: (f64, f64),
}

/// The map in at most so many lines and columns; `None` if it has no positions or does not fit.
pub fn drawn(
    seen: &SeenView,
    map: &Map,
    marked: &[&str],
    (columns, lines): (usize, usize),
) -> Option<Vec<String>> {
    let spaces: Vec<u32> = seen.table.state.board.in_play().iter().collect();
    let at: Vec<(f64, f64)> = spaces
        .iter()
        .map(|&space| position(seen, map, space))
        .collect::<Option<_>>()?;
    if lines < LOWEST || spaces.len() < 2 {
        return None;
    }
    let span = |pick: fn(&(f64, f64)) -> f64| {
        let all = at.iter().map(pick);
        let least = all.clone().fold(f64::INFINITY, f64::min);
        let most = all.fold(f64::NEG_INFINITY, f64::max);
        (least, (most - least).max(1.0))
    };
    let ((left, across), (top, down)) = (span(|at| at.0), span(|at| at.1));
    let labels: Vec<Label> = spaces
        .iter()
        .zip(&at)
        .map(|(&space, at)| {
            let space = &map.spaces[space as usize];
            Label {
                name: seen.language.of(&space.name).to_string(),
                marked: marked.contains(&space.id.as_str()),
                beside: beside(seen, &space.id),
                at: ((at.0 - left) / across, (at.1 - top) / down),
            }
        })
        .collect();
    let sheet = Sheet {
        seen,
        map,
        spaces,
        labels,
        columns,
        lines: lines.min(HIGHEST),
    };
    LONGEST.into_iter().find_map(|longest| {
        let places = placed(&sheet.labels, longest, (sheet.columns, sheet.lines))?;
        Some(sheet.written(&places, longest))
    })
}

/// What is drawn, and on how much room.
struct Sheet<'a> {
    seen: &'a SeenView<'a>,
    map: &'a Map,
    spaces: Vec<u32>,
    labels: Vec<Label>,
    columns: usize,
    lines: usize,
}

/// Where a space lies: as its map says, or as its look does.
fn position(seen: &SeenView, map: &Map, space: u32) -> Option<(f64, f64)> {
    let space = &map.spaces[space as usize];
    if let Some((column, row)) = space.at {
        return Some((column as f64, row as f64));
    }
    let positions = seen.table.game.definition.look.positions.as_ref()?;
    let Data::List(at) = entry(entry(positions, "spaces")?, &space.id)? else {
        return None;
    };
    // Boxes have four numbers; what lies in them is no point on a map.
    match &at[..] {
        [Data::Int(x), Data::Int(y)] => Some((*x as f64, *y as f64)),
        _ => None,
    }
}

fn entry<'d>(data: &'d Data, key: &str) -> Option<&'d Data> {
    match data {
        Data::Table(table) => table.get(key),
        _ => None,
    }
}

fn text(data: Option<&Data>) -> Option<&str> {
    match data {
        Some(Data::Text(text)) => Some(text),
        _ => None,
    }
}

/// What is told beside a name: the tokens and slots of the look, or whose it is and its first number.
fn beside(seen: &SeenView, space: &str) -> Vec<(String, Option<u8>)> {
    let shown = |name: &str| seen.space(space)?.attributes.get(name);
    let look = &seen.table.game.definition.look.said;
    let player = |name: &str| shown(name)?.seat();
    let number = |name: &str| shown(name)?.number().filter(|&n| n != 0);
    let mut told = Vec::new();
    let said = entry(look, "space");
    if let Some(Data::List(tokens)) = said.and_then(|said| entry(said, "tokens")) {
        for token in tokens {
            let owner = text(entry(token, "owner")).and_then(player);
            let count = text(entry(token, "number")).and_then(number);
            told.extend(tag(seen, owner, count));
        }
    }
    let slots = said.and_then(|said| entry(said, "slots"));
    if let Some(Data::List(owners)) = slots.and_then(|slots| entry(slots, "owners")) {
        for owner in owners.iter().filter_map(|owner| text(Some(owner))) {
            told.extend(tag(seen, player(owner), None));
        }
    }
    if told.is_empty() {
        let declared = seen.table.game.definition.attributes.space.iter();
        let mut numbers = declared.filter(|attribute| {
            attribute.ty == AttributeType::Int
                && attribute.per == Per::One
                && attribute.text.is_some()
        });
        let count = match slots {
            Some(_) => None,
            None => numbers.next().and_then(|attribute| number(&attribute.name)),
        };
        told.extend(tag(seen, player("owner"), count));
    }
    if let Some(Data::Table(marks)) = said.and_then(|said| entry(said, "marks")) {
        let set = marks
            .keys()
            .filter(|name| shown(name).is_some_and(Shown::is_set));
        let marks = "+".repeat(set.count());
        told.extend((!marks.is_empty()).then_some((marks, None)));
    }
    told
}

fn tag(seen: &SeenView, owner: Option<u8>, count: Option<i64>) -> Option<(String, Option<u8>)> {
    let tag = owner.map(|seat| seen.tag(seat));
    let text = match (tag, count) {
        (Some(tag), Some(count)) if tag.ends_with(|c: char| c.is_ascii_digit()) => {
            format!("{tag}:{count}")
        }
        (Some(tag), Some(count)) => format!("{tag}{count}"),
        (Some(tag), None) => tag,
        (None, Some(count)) => count.to_string(),
        (None, None) => return None,
    };
    Some((text, owner))
}

impl Label {
    fn width(&self, longest: usize) -> usize {
        let beside: usize = self.beside.iter().map(|(text, _)| 1 + width(text)).sum();
        width(&self.name).min(longest) + self.marked as usize + beside
    }
}

/// The line and the column where each label begins; `None` if one would stand too far from its place.
fn placed(
    labels: &[Label],
    longest: usize,
    (columns, lines): (usize, usize),
) -> Option<Vec<(usize, usize)>> {
    let mut taken = vec![vec![false; columns + 1]; lines];
    let mut order: Vec<usize> = (0..labels.len()).collect();
    // Long ones find room first.
    order.sort_by_key(|&at| std::cmp::Reverse(labels[at].width(longest)));
    let mut places = vec![(0, 0); labels.len()];
    for at in order {
        let label = &labels[at];
        let wide = label.width(longest);
        if wide > columns {
            return None;
        }
        let line = (label.at.1 * (lines - 1) as f64).round() as usize;
        let middle = label.at.0 * (columns - 1) as f64;
        let column = (middle - wide as f64 / 2.0).round().max(0.0) as usize;
        let column = column.min(columns - wide);
        let (row, start) = nearest_room(&taken, (line, column), wide)?;
        for cell in &mut taken[row][start..(start + wide + 1).min(columns + 1)] {
            *cell = true;
        }
        places[at] = (row, start);
    }
    Some(places)
}

/// The free stretch closest to where something belongs, if one is close enough.
fn nearest_room(
    taken: &[Vec<bool>],
    (line, column): (usize, usize),
    wide: usize,
) -> Option<(usize, usize)> {
    let mut best: Option<(usize, (usize, usize))> = None;
    for (row, cells) in taken.iter().enumerate() {
        let lines_off = row.abs_diff(line) * LINE_COUNTS;
        if lines_off > STRAY {
            continue;
        }
        let last = cells.len().saturating_sub(wide + 1);
        for start in 0..=last {
            let cost = lines_off + start.abs_diff(column);
            let closer = cost <= STRAY && best.is_none_or(|(known, _)| cost < known);
            // A blank before and after keeps names apart.
            if closer && !cells[start.saturating_sub(1)..start + wide + 1].contains(&true) {
                best = Some((cost, (row, start)));
            }
        }
    }
    best.map(|(_, place)| place)
}

impl Sheet<'_> {
    /// Line by line: names where they were placed, dots between neighbours, and who is who.
    fn written(&self, places: &[(usize, usize)], longest: usize) -> Vec<String> {
        let dots = self.dots(places, longest);
        let mut rows: Vec<Vec<usize>> = vec![Vec::new(); self.lines];
        for (at, &(row, _)) in places.iter().enumerate() {
            rows[row].push(at);
        }
        let mut drawn: Vec<String> = Vec::new();
        for (row, here) in rows.iter_mut().enumerate() {
            here.sort_by_key(|&at| places[at].1);
            let mut line = String::new();
            let mut column = 0;
            for &at in here.iter() {
                let start = places[at].1;
                line += &between(self.seen, &dots[row], column, start);
                line += &label(self.seen, &self.labels[at], longest);
                column = start + self.labels[at].width(longest);
            }
            line += &between(self.seen, &dots[row], column, self.columns);
            drawn.push(line.trim_end().to_string());
        }
        drawn.retain(|line| !line.is_empty());
        drawn.extend(self.seen.who_is_who());
        drawn
    }

    fn dots(&self, places: &[(usize, usize)], longest: usize) -> Vec<Vec<bool>> {
        let mut dots = vec![vec![false; self.columns]; self.lines];
        let middle = |at: usize| {
            let (row, start) = places[at];
            let half = self.labels[at].width(longest) / 2;
            (row as f64, (start + half) as f64)
        };
        let place = |space: u32| self.spaces.iter().position(|&other| other == space);
        for edge in &self.map.edges {
            if let (Some(a), Some(b)) = (place(edge.a), place(edge.b)) {
                dotted(&mut dots, middle(a), middle(b));
            }
        }
        dots
    }
}

/// Dots along the way between two places; one that goes around the world is not drawn.
fn dotted(dots: &mut [Vec<bool>], from: (f64, f64), to: (f64, f64)) {
    let wide = dots.first().map_or(0, Vec::len) as f64;
    let (rows, columns) = (to.0 - from.0, to.1 - from.1);
    if columns.abs() > wide * 0.6 {
        return;
    }
    let steps = rows.abs().max(columns.abs() / 2.0).ceil().max(1.0) as usize;
    for step in 1..steps {
        let part = step as f64 / steps as f64;
        let row = (from.0 + rows * part).round() as usize;
        let column = (from.1 + columns * part).round() as usize;
        if let Some(dot) = dots.get_mut(row).and_then(|line| line.get_mut(column)) {
            *dot = true;
        }
    }
}

fn between(seen: &SeenView, dots: &[bool], from: usize, to: usize) -> String {
    let Some(dots) = dots.get(from..to) else {
        return String::new();
    };
    let last = dots.len().saturating_sub(1);
    let sign = |(at, dot): (usize, &bool)| match *dot && at > 0 && at < last {
        true => '·',
        false => ' ',
    };
    let text: String = dots.iter().enumerate().map(sign).collect();
    match text.trim().is_empty() {
        true => text,
        false => seen.paint.faint(&text),
    }
}

fn label(seen: &SeenView, label: &Label, longest: usize) -> String {
    let owner = label.beside.iter().find_map(|(_, owner)| *owner);
    let name = cut(&label.name, longest);
    let mut written = match owner {
        Some(seat) => seen.paint.seat(&seen.colors, seat, &name),
        None => name,
    };
    if label.marked {
        written += &seen.paint.strong("*");
    }
    for (text, owner) in &label.beside {
        written.push(' ');
        written += &match owner {
            Some(seat) => seen.paint.seat(&seen.colors, *seat, text),
            None => text.clone(),
        };
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(count: usize) -> Vec<Label> {
        let label = |n: usize| Label {
            name: format!("Place {n}"),
            marked: false,
            beside: vec![("1:3".into(), Some(0))],
            at: ((n % 9) as f64 / 8.0, (n / 9) as f64 / (count / 9) as f64),
        };
        (0..count).map(label).collect()
    }

    #[test]
    fn names_never_touch_and_stay_inside() {
        let labels = labels(72);
        for columns in [100, 140, 200] {
            let places = placed(&labels, 7, (columns, 20)).expect("there is room");
            for (at, &(row, start)) in places.iter().enumerate() {
                assert!(row < 20 && start + labels[at].width(7) <= columns);
                for (other, &(line, begin)) in places.iter().enumerate() {
                    let apart = other == at
                        || line != row
                        || begin > start + labels[at].width(7)
                        || start > begin + labels[other].width(7);
                    assert!(apart, "{at} and {other} in {columns} columns");
                }
            }
        }
    }

    #[test]
    fn what_does_not_fit_is_not_drawn() {
        assert!(placed(&labels(72), 7, (60, 8)).is_none());
    }
}
