//! A run in a folder, part by part: each part is a table that is whole once its games are played, the last one grows.

use super::sink::{Sink, unusable};
use crate::output::{Failure, Outcome, errln, unwritable};
use crate::words::say;
use ludoteca_lab::record::{Header, Record};
use ludoteca_lab::results::Format;
use ludoteca_lab::runner::Next;
use ludoteca_lab::unfinished::{self, Unfinished};
use std::fs;
use std::path::{Path, PathBuf};

/// Parts that a run is put into, about, and between how many games one of them has.
const PARTS: u64 = 50;
const GAMES: (u64, u64) = (100, 100_000);

/// From a game of the run, up to another.
type Span = (u64, u64);

pub struct FolderOfParts {
    folder: PathBuf,
    header: Header,
    /// Where the part begins that is played now, or comes next.
    next: u64,
    /// The part that is played now.
    open: Option<Sink>,
    /// Games in parts that are whole.
    whole: u64,
    failed: Option<Failure>,
}

/// Whether results are to go into a folder: one that is there, or a name without an ending. What is called like a table is to be one.
pub fn is_folder(path: &Path) -> bool {
    let is_new = !path.exists() && path.extension().is_none();
    Format::of(path).is_none() && (path.is_dir() || is_new)
}

/// The tables in a folder, in the order of their games, those of runs that did not come to their end too.
pub fn tables(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let entries = fs::read_dir(folder).map_err(|error| unwritable(folder, &error))?;
    let mut found: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter_map(|path| {
            let name = path.file_name()?.to_str()?;
            let table = name.strip_suffix(".unfinished").unwrap_or(name);
            let is_table = table.ends_with(".parquet") || table.ends_with(".csv");
            is_table.then(|| path.with_file_name(table))
        })
        .collect();
    found.sort();
    found.dedup();
    Ok(found)
}

impl FolderOfParts {
    /// Opens a folder, and makes it. With `resume`, hands over the games that are there.
    pub fn open(
        folder: &Path,
        header: &Header,
        resume: bool,
        mut take: impl FnMut(Record),
    ) -> Result<FolderOfParts, Failure> {
        fs::create_dir_all(folder).map_err(|error| unwritable(folder, &error))?;
        let mut parts = FolderOfParts {
            folder: folder.to_path_buf(),
            header: header.clone(),
            next: header.part.0,
            open: None,
            whole: 0,
            failed: None,
        };
        parts.check(resume)?;
        while let Some(span) = parts.span() {
            let path = parts.table(span);
            if Unfinished::path(&path).exists() || !path.exists() {
                break;
            }
            let read = unfinished::read(&path, &parts.part(span), &mut take);
            let games = read.map_err(|error| unusable(&path, error))?;
            if games < span.1 - span.0 {
                return Err(Failure::Usage(say!(
                    "{}: le faltan partidas; bórrala y `--resume` las juega",
                    "{}: games of it are missing; delete it, and `--resume` plays them",
                    path.display()
                )));
            }
            parts.whole += games;
            parts.next = span.1;
        }
        if let Some(span) = parts.span() {
            let sink = Sink::open(&parts.table(span), &parts.part(span), resume, take)?;
            parts.open = Some(sink);
        }
        Ok(parts)
    }

    /// What is in the folder must be of this run, and nothing may be there if the run begins.
    fn check(&self, resume: bool) -> Outcome {
        let (first, end) = self.header.part;
        let others = tables(&self.folder)?;
        let spans = others.iter().filter_map(|path| Some((path, named(path)?)));
        for (path, span) in spans.filter(|(_, span)| span.0 < end && first < span.1) {
            if !resume {
                return Err(Failure::Usage(say!(
                    "{}: la carpeta ya tiene partidas de una serie; `--resume` la sigue, o se puede dar otra carpeta",
                    "{}: the folder has games of a run already; `--resume` goes on with it, or name another folder",
                    self.folder.display()
                )));
            }
            let ours = FolderOfParts::spans(&self.header).any(|ours| ours == span);
            if !ours || path.extension().is_none_or(|ending| ending != "parquet") {
                return Err(Failure::Usage(say!(
                    "{}: no es una parte de esta serie",
                    "{}: this is no part of this run",
                    path.display()
                )));
            }
        }
        Ok(())
    }

    /// The parts of what is played here. They follow from the run, so that whoever goes on finds them.
    fn spans(header: &Header) -> impl Iterator<Item = Span> {
        let size = header.games.div_ceil(PARTS).clamp(GAMES.0, GAMES.1);
        let (first, end) = header.part;
        let mut next = first;
        std::iter::from_fn(move || {
            let span = (next, next.saturating_add(size).min(end));
            next = span.1;
            (span.0 < span.1).then_some(span)
        })
    }

    /// The part that begins where the others end.
    fn span(&self) -> Option<Span> {
        FolderOfParts::spans(&self.header).find(|span| span.0 == self.next)
    }

    fn table(&self, (first, end): Span) -> PathBuf {
        self.folder
            .join(format!("part-{first:012}-{end:012}.parquet"))
    }

    fn part(&self, part: Span) -> Header {
        Header {
            part,
            ..self.header.clone()
        }
    }

    /// Games that are on disk.
    pub fn kept(&self) -> u64 {
        self.whole + self.open.as_ref().map_or(0, Sink::kept)
    }

    pub fn write(&mut self, record: &Record) -> Next {
        match self.put(record) {
            Ok(next) => next,
            Err(failed) => {
                self.failed = Some(failed);
                Next::Enough
            }
        }
    }

    fn put(&mut self, record: &Record) -> Result<Next, Failure> {
        let Some(span) = self.span() else {
            return Ok(Next::Enough);
        };
        let mut sink = match self.open.take() {
            Some(sink) => sink,
            None => Sink::open(&self.table(span), &self.part(span), false, |_| {})?,
        };
        let next = sink.write(record);
        if record.game + 1 < span.1 || next == Next::Enough {
            self.open = Some(sink);
            return Ok(next);
        }
        sink.finish()?;
        (self.next, self.whole) = (span.1, self.whole + span.1 - span.0);
        Ok(next)
    }

    /// Puts on disk what waits for it. A part that is not whole is gone on with later.
    pub fn close(mut self) -> Outcome {
        let unfinished = self.open.take().map_or(Ok(0), Sink::pause);
        if let Some(failed) = self.failed {
            return Err(failed);
        }
        let games = self.whole + unfinished?;
        errln!(
            "{}",
            say!(
                "{games} partidas escritas en {}",
                "{games} games written to {}",
                self.folder.display()
            )
        );
        Ok(())
    }
}

/// The games that a part has by its name.
fn named(path: &Path) -> Option<Span> {
    let name = path.file_stem()?.to_str()?.strip_prefix("part-")?;
    let (first, end) = name.split_once('-')?;
    Some((first.parse().ok()?, end.parse().ok()?))
}
