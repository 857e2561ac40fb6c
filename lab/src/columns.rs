//! Records as cells of a table: which columns there are, and what stands in them.

use crate::record::{Header, Record};
use crate::weighing::Weighed;
use ludoteca::{
    Close, SpaceUse, Turnover, Wait,
    close_look::{Count, EIGHTHS, StepUse, Use},
};
use std::borrow::Cow;
use std::fmt::Write;
use std::sync::Arc;

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holds {
    Int,
    /// A seed: all 64 bits, never negative.
    Unsigned,
    Text,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    pub name: String,
    pub holds: Holds,
    /// May be empty.
    pub optional: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cell {
    Int(i64),
    Text(Cow<'static, str>),
    Empty,
}

/// A record that cannot be one of ours.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the column `{column}` holds `{found}`")]
pub struct BadCell {
    pub column: String,
    pub found: String,
}

/// The columns of a run, in order.
pub fn columns(header: &Header) -> Vec<Column> {
    let seats = 0..header.players;
    let mut found = vec![
        int("game"),
        Column {
            holds: Holds::Unsigned,
            ..int("seed")
        },
        int("first"),
        Column {
            optional: true,
            ..int("winner")
        },
    ];
    if !header.sides.is_empty() {
        found.push(Column {
            optional: true,
            ..text("side")
        });
    }
    for seat in seats.clone() {
        found.extend([
            text(format!("p{seat}_bot")),
            int(format!("p{seat}_place")),
            int(format!("p{seat}_score")),
        ]);
    }
    found.extend(["rounds", "decisions", "forced", "options"].map(int));
    found.push(text("reason"));
    for metric in &header.metrics {
        if metric.of_player {
            found.extend(
                seats
                    .clone()
                    .map(|seat| int(format!("p{seat}_{}", metric.name))),
            );
        } else {
            found.push(int(metric.name.clone()));
        }
    }
    let later: &[&str] = if header.format > 1 { &LATER } else { &[] };
    let close = (1..=EIGHTHS)
        .map(|eighth| int(format!("lead_{eighth}")))
        .chain([int("lead_changes"), text("content"), text("steps")])
        .chain(later.iter().map(|name| text(*name)));
    found.extend(close.map(|column| Column {
        optional: true,
        ..column
    }));
    found
}

/// Columns that the first layout of tables does not have.
const LATER: [&str; 5] = ["values", "waits", "flows", "spaces", "weighed"];

fn int(name: impl Into<String>) -> Column {
    Column {
        name: name.into(),
        holds: Holds::Int,
        optional: false,
    }
}

fn text(name: impl Into<String>) -> Column {
    Column {
        holds: Holds::Text,
        ..int(name)
    }
}

/// A record as cells, in the order of [`columns`].
pub fn cells(header: &Header, record: &Record) -> Vec<Cell> {
    let mut cells = vec![
        Cell::Int(record.game as i64),
        Cell::Int(record.seed as i64),
        Cell::Int(record.first as i64),
        match record.winners[..] {
            [one] => Cell::Int(one as i64),
            _ => Cell::Empty,
        },
    ];
    if !header.sides.is_empty() {
        let side = record.side.clone();
        cells.push(side.map_or(Cell::Empty, |side| Cell::Text(side.into())));
    }
    for seat in 0..header.players as usize {
        cells.extend([
            Cell::Text(record.bots[seat].to_string().into()),
            Cell::Int(record.places[seat] as i64),
            Cell::Int(record.scores[seat]),
        ]);
    }
    cells.extend([
        Cell::Int(record.rounds as i64),
        Cell::Int(record.decisions as i64),
        Cell::Int(record.forced as i64),
        Cell::Int(record.options as i64),
        Cell::Text(record.reason.clone().into()),
    ]);
    cells.extend(
        record
            .metrics
            .iter()
            .flatten()
            .map(|&number| Cell::Int(number)),
    );
    match &record.close {
        None => cells.extend(std::iter::repeat_n(Cell::Empty, EIGHTHS + 3 + LATER.len())),
        Some(close) => {
            let leader =
                |seat: &Option<u8>| seat.map_or(Cell::Empty, |seat| Cell::Int(seat as i64));
            cells.extend(close.leaders.iter().map(leader));
            cells.push(Cell::Int(close.lead_changes as i64));
            cells.push(Cell::Text(write_uses(header, &close.uses).into()));
            cells.push(Cell::Text(write_steps(&close.steps).into()));
            cells.push(Cell::Text(write_values(&close.values).into()));
            cells.push(Cell::Text(write_waits(&close.waits).into()));
            cells.push(Cell::Text(write_flows(&close.flows).into()));
            cells.push(Cell::Text(write_spaces(&close.spaces).into()));
            let Weighed { choices, alike } = record.weighed;
            cells.push(Cell::Text(format!("{choices}/{alike}").into()));
        }
    }
    cells
}

/// `courage@0:3/1/1 ..`: the item, the seat, then how often it was offered, taken and played.
fn write_uses(header: &Header, uses: &[Use]) -> String {
    let mut written = String::new();
    for Use { item, seat, count } in uses {
        let Count {
            offered,
            taken,
            played,
        } = count;
        let space = if written.is_empty() { "" } else { " " };
        let item = &header.items[*item as usize];
        let _ = write!(
            written,
            "{space}{}.{}@{seat}:{offered}/{taken}/{played}",
            item.kind, item.id
        );
    }
    written
}

/// `turn:12/3 ..`: the step, how often it was some player's, and how often it left nothing to decide.
fn write_steps(steps: &[StepUse]) -> String {
    let written: Vec<String> = steps
        .iter()
        .map(|step| format!("{}:{}/{}", step.function, step.times, step.idle))
        .collect();
    written.join(" ")
}

/// `12,5|14,-|..`: at each sixteenth of the game, what was said of each seat; nothing of one that is out.
fn write_values(values: &[Vec<Option<i64>>]) -> String {
    let seat = |value: &Option<i64>| value.map_or_else(|| "-".into(), |value| value.to_string());
    let moment = |seats: &Vec<Option<i64>>| seats.iter().map(seat).collect::<Vec<_>>().join(",");
    values.iter().map(moment).collect::<Vec<_>>().join("|")
}

/// `12/4/5 ..`: of each seat, choices of others it waited for, how often it did, and the longest wait.
fn write_waits(waits: &[Wait]) -> String {
    let seat = |wait: &Wait| format!("{}/{}/{}", wait.choices, wait.times, wait.longest);
    waits.iter().map(seat).collect::<Vec<_>>().join(" ")
}

/// `build:player.resources:0/14 ..`: the step, the number, how much of it came and how much went.
fn write_flows(flows: &[Turnover]) -> String {
    let flow = |f: &Turnover| format!("{}:{}:{}/{}", f.step, f.attribute, f.gained, f.lost);
    flows.iter().map(flow).collect::<Vec<_>>().join(" ")
}

/// `12:870/3 ..`: the number of a space, out of a thousand how often it was held, and how often it changed hands.
fn write_spaces(spaces: &[SpaceUse]) -> String {
    let space = |s: &SpaceUse| format!("{}:{}/{}", s.space, s.held, s.fought);
    spaces.iter().map(space).collect::<Vec<_>>().join(" ")
}

/// Turns cells back into records.
#[derive(Debug)]
pub struct RecordReader {
    header: Header,
    columns: Vec<Column>,
    items: std::collections::HashMap<String, u32>,
}

impl RecordReader {
    pub fn new(header: Header) -> RecordReader {
        let items = header.items.iter().zip(0..);
        RecordReader {
            columns: columns(&header),
            items: items
                .map(|(item, n)| (format!("{}.{}", item.kind, item.id), n))
                .collect(),
            header,
        }
    }

    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The record these cells are.
    pub fn record(&self, cells: &[Cell]) -> Result<Record, BadCell> {
        let mut at = Cursor {
            columns: &self.columns,
            cells,
            next: 0,
        };
        let seats = self.header.players as usize;
        let (game, seed) = (at.int()? as u64, at.int()? as u64);
        let first = at.number()?;
        at.next += 1;
        let side = match self.header.sides.is_empty() {
            true => None,
            false => at.parsed(|side| Some((!side.is_empty()).then(|| side.to_string())))?,
        };
        let (mut bots, mut places, mut scores) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..seats {
            bots.push(at.parsed(|name| Some(Arc::from(name)))?);
            places.push(at.number()?);
            scores.push(at.int()?);
        }
        let (rounds, decisions) = (at.number()?, at.int()? as u64);
        let (forced, options) = (at.int()? as u64, at.int()? as u64);
        let reason = at.parsed(|reason| Some(reason.to_string()))?;
        let metrics = self
            .header
            .metrics
            .iter()
            .map(|metric| {
                let count = if metric.of_player { seats } else { 1 };
                (0..count).map(|_| at.int()).collect()
            })
            .collect::<Result<_, _>>()?;
        let winners = (0..seats as u8)
            .filter(|&seat| places[seat as usize] == 1)
            .collect();
        Ok(Record {
            game,
            seed,
            bots,
            first,
            winners,
            side,
            places,
            scores,
            rounds,
            decisions,
            forced,
            options,
            reason,
            metrics,
            close: self.close(&mut at)?,
            weighed: at.parsed(read_weighed)?,
        })
    }

    fn close(&self, at: &mut Cursor) -> Result<Option<Close>, BadCell> {
        let mut leaders = [None; EIGHTHS];
        for leader in &mut leaders {
            *leader = match at.cell() {
                Cell::Empty => {
                    at.next += 1;
                    None
                }
                _ => Some(at.number()?),
            };
        }
        if *at.cell() == Cell::Empty {
            at.next = self.columns.len();
            return Ok(None);
        }
        Ok(Some(Close {
            leaders,
            lead_changes: at.number()?,
            uses: at.parsed(|uses| uses.split_whitespace().map(|u| self.read_use(u)).collect())?,
            steps: at.parsed(|steps| steps.split_whitespace().map(read_step).collect())?,
            values: at.parsed(read_values)?,
            waits: at.parsed(|waits| waits.split_whitespace().map(read_wait).collect())?,
            flows: at.parsed(|flows| flows.split_whitespace().map(read_flow).collect())?,
            spaces: at.parsed(|spaces| spaces.split_whitespace().map(read_space).collect())?,
        }))
    }

    fn read_use(&self, written: &str) -> Option<Use> {
        let (item, rest) = written.split_once('@')?;
        let (seat, counts) = rest.split_once(':')?;
        let mut counts = counts.split('/').map(str::parse::<u32>);
        let mut next = || counts.next()?.ok();
        Some(Use {
            item: *self.items.get(item)?,
            seat: seat
                .parse()
                .ok()
                .filter(|&seat: &u8| seat < self.header.players)?,
            count: Count {
                offered: next()?,
                taken: next()?,
                played: next()?,
            },
        })
    }
}

fn read_step(written: &str) -> Option<StepUse> {
    let (function, counts) = written.split_once(':')?;
    let (times, idle) = counts.split_once('/')?;
    Some(StepUse {
        function: function.to_string(),
        times: times.parse().ok()?,
        idle: idle.parse().ok()?,
    })
}

fn read_values(written: &str) -> Option<Vec<Vec<Option<i64>>>> {
    let seat = |value: &str| match value {
        "-" => Some(None),
        number => number.parse().ok().map(Some),
    };
    let moment = |seats: &str| match seats {
        "" => Some(Vec::new()),
        seats => seats.split(',').map(seat).collect(),
    };
    match written {
        "" => Some(Vec::new()),
        written => written.split('|').map(moment).collect(),
    }
}

fn read_wait(written: &str) -> Option<Wait> {
    let mut numbers = written.split('/').map(|number| number.parse().ok());
    Some(Wait {
        choices: numbers.next()??,
        times: numbers.next()??,
        longest: numbers.next()??,
    })
}

fn read_weighed(written: &str) -> Option<Weighed> {
    if written.is_empty() {
        return Some(Weighed::default());
    }
    let (choices, alike) = written.split_once('/')?;
    Some(Weighed {
        choices: choices.parse().ok()?,
        alike: alike.parse().ok()?,
    })
}

fn read_space(written: &str) -> Option<SpaceUse> {
    let (space, counts) = written.split_once(':')?;
    let (held, fought) = counts.split_once('/')?;
    Some(SpaceUse {
        space: space.parse().ok()?,
        held: held.parse().ok()?,
        fought: fought.parse().ok()?,
    })
}

fn read_flow(written: &str) -> Option<Turnover> {
    let mut parts = written.split(':');
    let (step, attribute) = (parts.next()?.to_string(), parts.next()?.to_string());
    let (gained, lost) = parts.next()?.split_once('/')?;
    Some(Turnover {
        step,
        attribute,
        gained: gained.parse().ok()?,
        lost: lost.parse().ok()?,
    })
}

/// A place in a row of cells.
struct Cursor<'a> {
    columns: &'a [Column],
    cells: &'a [Cell],
    next: usize,
}

impl Cursor<'_> {
    fn cell(&self) -> &Cell {
        self.cells.get(self.next).unwrap_or(&Cell::Empty)
    }

    fn bad(&self) -> BadCell {
        BadCell {
            column: self
                .columns
                .get(self.next)
                .map_or_else(String::new, |column| column.name.clone()),
            found: match self.cell() {
                Cell::Int(number) => number.to_string(),
                Cell::Text(text) => text.to_string(),
                Cell::Empty => String::new(),
            },
        }
    }

    fn int(&mut self) -> Result<i64, BadCell> {
        let Cell::Int(number) = *self.cell() else {
            return Err(self.bad());
        };
        self.next += 1;
        Ok(number)
    }

    fn number<T: TryFrom<i64>>(&mut self) -> Result<T, BadCell> {
        let bad = self.bad();
        T::try_from(self.int()?).map_err(|_| bad)
    }

    fn parsed<T>(&mut self, parse: impl FnOnce(&str) -> Option<T>) -> Result<T, BadCell> {
        let found = match self.cell() {
            Cell::Text(text) => parse(text),
            Cell::Empty => parse(""),
            Cell::Int(_) => None,
        };
        let found = found.ok_or_else(|| self.bad())?;
        self.next += 1;
        Ok(found)
    }
}
