//! The end of a match: why it ended, who won, and everybody's score in one table.

use super::log::Pen;
use super::page::{across, padded, width, wrap, wrap_to};
use super::show::called as name;
use crate::output::Failure;
use crate::words::{language, say, word};
use ludoteca::{Rank, Session};

/// Everything said at the end. `sitters` says who sat where.
pub fn lines(session: &mut Session, sitters: &[String], pen: &Pen) -> Result<Vec<String>, Failure> {
    let broken = |broken: ludoteca::BrokenRule| Failure::Game(broken.to_string());
    let Some(ending) = session.ending(language()).map_err(broken)? else {
        return Ok(Vec::new());
    };
    let title = match ending.text.as_str() {
        "" => say!("Fin de la partida", "The game is over"),
        reason => say!("Fin de la partida: {reason}", "The game is over: {reason}"),
    };
    let mut lines: Vec<String> = wrap(&title, 2)
        .iter()
        .map(|line| pen.paint.strong(line))
        .collect();
    lines.extend(wrap(&winners(session, &ending.winners), 2));
    lines.extend(table(session, &ending.ranking, sitters, pen));
    if !ending.next.is_empty() {
        let set: Vec<String> = ending
            .next
            .iter()
            .map(|(key, value)| format!("--set {key}={value}"))
            .collect();
        let title = word!(
            "La próxima partida de la campaña",
            "The next match of the campaign"
        );
        let id = &session.game().definition.id;
        lines.push(format!("{title}: ludoteca play {id} {}", set.join(" ")));
    }
    Ok(lines)
}

fn winners(session: &Session, won: &[u8]) -> String {
    let won: Vec<String> = won.iter().map(|&seat| name(session, seat)).collect();
    match &won[..] {
        [] => say!("Nadie ha ganado.", "Nobody has won."),
        [one] => say!("Gana {one}.", "{one} wins."),
        [some @ .., last] => {
            let some = some.join(", ");
            say!("Ganan {some} y {last}.", "{some} and {last} win.")
        }
    }
}

/// For each player place, name, who it is, and every number of the score with what it is.
fn table(session: &Session, ranking: &[Rank], sitters: &[String], pen: &Pen) -> Vec<String> {
    let definition = &session.game().definition;
    let numbers = ranking.iter().map(|place| place.score.len()).max();
    let numbers = match session.game().calls.score {
        Some(_) => numbers.unwrap_or(0),
        None => 0,
    };
    let mut heading = vec![String::new(), String::new(), String::new()];
    heading.extend((0..numbers).map(|at| match definition.score.get(at) {
        Some(name) => language().of(name).to_string(),
        None => String::new(),
    }));
    let row = |place: &Rank| {
        let side = definition
            .sides
            .iter()
            .find(|side| Some(&side.name) == place.side.as_ref());
        let side = side.map_or_else(String::new, |side| {
            format!(", {}", language().of(&side.text))
        });
        let sitter = sitters.get(place.seat as usize).cloned();
        let who = match sitter.as_deref() {
            Some("human") => say!("persona", "person"),
            Some("remote") => say!("programa", "program"),
            Some(bot) => bot.to_string(),
            None => String::new(),
        };
        let mut cells = vec![
            format!("{}.", place.place),
            name(session, place.seat),
            format!("({who}{side})"),
        ];
        cells.extend(place.score.iter().take(numbers).map(i64::to_string));
        cells
    };
    let rows: Vec<Vec<String>> = ranking.iter().map(row).collect();
    let seats: Vec<u8> = ranking.iter().map(|rank| rank.seat).collect();
    let painted = |seat: u8, name: &str| pen.paint.seat(&pen.colors, seat, name);
    let columns = across();
    upright(&heading, &rows, &seats, columns, &painted)
        .unwrap_or_else(|| turned(&heading, &rows, &seats, columns, &painted))
}

/// A line for each player under what the numbers are, in several lines where one is too wide; nothing if that is too wide as well.
fn upright(
    heading: &[String],
    rows: &[Vec<String>],
    seats: &[u8],
    columns: usize,
    painted: &dyn Fn(u8, &str) -> String,
) -> Option<Vec<String>> {
    let flat: Vec<Vec<String>> = heading.iter().map(|name| vec![name.clone()]).collect();
    let high: Vec<Vec<String>> = heading.iter().map(|name| stacked(name)).collect();
    let widths = |heads: &[Vec<String>]| -> Vec<usize> {
        let widest = |column: usize| {
            let cells = rows.iter().filter_map(|row| row.get(column));
            let cells = cells.chain(&heads[column]);
            cells.map(|cell| width(cell)).max().unwrap_or(0)
        };
        (0..heads.len()).map(widest).collect()
    };
    let fits = |heads: &&Vec<Vec<String>>| {
        let wide: usize = widths(heads).iter().map(|wide| wide + 2).sum();
        wide <= columns + 2
    };
    let heads = [&flat, &high].into_iter().find(fits)?;
    let widths = widths(heads);
    let line = |cell: &dyn Fn(usize) -> String, seat: Option<u8>| {
        let cells = widths.iter().enumerate().map(|(column, &wide)| {
            let cell = cell(column);
            match (column, seat) {
                // The name in its colour; numbers to the right.
                (1, Some(seat)) => painted(seat, &padded(&cell, wide)),
                (0 | 3.., _) => format!("{}{cell}", " ".repeat(wide - width(&cell))),
                _ => padded(&cell, wide),
            }
        });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_string()
    };
    let height = match heading.iter().all(String::is_empty) {
        true => 0,
        false => heads.iter().map(Vec::len).max().unwrap_or(0),
    };
    let mut lines = Vec::new();
    for row in 0..height {
        // Names end right above the numbers.
        let part = |column: usize| {
            let above = height - heads[column].len();
            let at = row.checked_sub(above);
            at.map_or(String::new(), |at| heads[column][at].clone())
        };
        lines.push(line(&part, None));
    }
    for (row, &seat) in rows.iter().zip(seats) {
        let cell = |column: usize| row.get(column).cloned().unwrap_or_default();
        lines.push(line(&cell, Some(seat)));
    }
    Some(lines)
}

/// A column for each player, the first on the left: their place, who they are, and a line for each number.
fn turned(
    heading: &[String],
    rows: &[Vec<String>],
    seats: &[u8],
    columns: usize,
    painted: &dyn Fn(u8, &str) -> String,
) -> Vec<String> {
    let short = |seat: &u8| say!("J{}", "P{}", seat + 1);
    let names: Vec<String> = rows.iter().map(|row| row[1].clone()).collect();
    let shorts: Vec<String> = seats.iter().map(short).collect();
    let wide = |names: &[String]| names.iter().map(|name| width(name) + 2).sum::<usize>();
    // At least half of the screen is for what the numbers are.
    let named = wide(&names) <= columns / 2;
    let heads = if named { &names } else { &shorts };
    let widest = |player: usize| {
        let numbers = rows[player].iter().skip(3).map(|cell| width(cell));
        numbers.chain([width(&heads[player])]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..rows.len()).map(widest).collect();
    let label = columns.saturating_sub(widths.iter().map(|wide| wide + 2).sum());
    let labels = heading.iter().map(|name| width(name)).max().unwrap_or(0);
    let label = label.clamp(1, labels.max(1));
    let mut lines = Vec::new();
    for (row, &seat) in rows.iter().zip(seats) {
        let mark = if named {
            String::new()
        } else {
            format!("  {}", short(&seat))
        };
        let name = painted(seat, &row[1]);
        lines.push(format!("{}{mark}  {name}  {}", row[0], row[2]));
    }
    let right = |cell: &str, wide: usize| format!("{}{cell}", " ".repeat(wide - width(cell)));
    let mut top = " ".repeat(label);
    for (player, &seat) in seats.iter().enumerate() {
        top += &format!(
            "  {}",
            painted(seat, &right(&heads[player], widths[player]))
        );
    }
    lines.push(top);
    for (number, name) in heading.iter().enumerate().skip(3) {
        let mut written = wrap_to(name, 2, label);
        let mut last = padded(&written.pop().unwrap_or_default(), label);
        for (player, &wide) in widths.iter().enumerate() {
            let cell = rows[player].get(number).map_or("", String::as_str);
            last += &format!("  {}", right(cell, wide));
        }
        lines.extend(written);
        lines.push(last);
    }
    lines
}

/// A name in as few columns as its longest word needs.
fn stacked(name: &str) -> Vec<String> {
    let longest = name.split(' ').map(width).max().unwrap_or(0);
    wrap_to(name, 0, longest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(cells: &[&str]) -> Vec<String> {
        cells.iter().map(|cell| cell.to_string()).collect()
    }

    fn shown(columns: usize) -> Vec<String> {
        let heading = texts(&[
            "",
            "",
            "",
            "Tokens placed",
            "Knowledge short of the end",
            "Markets",
        ]);
        let rows = [
            texts(&["1.", "Player 2", "(person)", "10", "3", "1"]),
            texts(&["2.", "Player 1", "(random)", "7", "12", "0"]),
        ];
        let plain = |_: u8, name: &str| name.to_string();
        upright(&heading, &rows, &[1, 0], columns, &plain)
            .unwrap_or_else(|| turned(&heading, &rows, &[1, 0], columns, &plain))
    }

    #[test]
    fn every_number_stands_under_its_name_at_any_width() {
        assert_eq!(
            shown(100),
            [
                "                        Tokens placed  Knowledge short of the end  Markets",
                "1.  Player 2  (person)             10                           3        1",
                "2.  Player 1  (random)              7                          12        0",
            ]
        );
        assert_eq!(
            shown(60),
            [
                "                                Knowledge",
                "                        Tokens   short of",
                "                        placed    the end  Markets",
                "1.  Player 2  (person)      10          3        1",
                "2.  Player 1  (random)       7         12        0",
            ]
        );
        assert_eq!(
            shown(40),
            [
                "1.  Player 2  (person)",
                "2.  Player 1  (random)",
                "                      Player 2  Player 1",
                "Tokens placed               10         7",
                "Knowledge short of",
                "  the end                    3        12",
                "Markets                      1         0",
            ]
        );
    }
}
