//! Where the records of a run go: to disk as they come, into a table or a folder. A disk that is full ends the run, and loses nothing of the summary.

use super::parts::{self, FolderOfParts};
use crate::output::{Failure, Outcome, errln, unwritable};
use crate::words::{say, word};
use ludoteca::keep::Whole;
use ludoteca_lab::record::{Header, Record};
use ludoteca_lab::results::{Format, Results, ResultsError};
use ludoteca_lab::runner::Next;
use ludoteca_lab::unfinished::{self, Unfinished};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Games wait so long for the disk at most: one wait for many games that are played fast, one for each game that is not.
const WAIT: Duration = Duration::from_millis(200);

/// Where `--out` points.
pub enum RunStore {
    Table(Sink),
    Folder(Box<FolderOfParts>),
}

impl RunStore {
    /// Opens it, so that a path that cannot be written is known before a single game is played. With `resume`, hands over the games that are
    /// there.
    pub fn open(
        path: &Path,
        header: &Header,
        resume: bool,
        take: impl FnMut(Record),
    ) -> Result<RunStore, Failure> {
        Ok(match parts::is_folder(path) {
            true => RunStore::Folder(Box::new(FolderOfParts::open(path, header, resume, take)?)),
            false => RunStore::Table(Sink::open(path, header, resume, take)?),
        })
    }

    /// Games that are on disk.
    pub fn kept(&self) -> u64 {
        match self {
            RunStore::Table(sink) => sink.kept(),
            RunStore::Folder(parts) => parts.kept(),
        }
    }

    pub fn write(&mut self, record: &Record) -> Next {
        match self {
            RunStore::Table(sink) => sink.write(record),
            RunStore::Folder(parts) => parts.write(record),
        }
    }

    pub fn close(self) -> Outcome {
        match self {
            RunStore::Table(sink) => sink.close(),
            RunStore::Folder(parts) => parts.close(),
        }
    }
}

pub struct Sink {
    path: PathBuf,
    format: Format,
    way: Option<Way>,
    written: u64,
    /// When games were put on disk last.
    kept_at: Instant,
    failed: Option<ResultsError>,
}

enum Way {
    Kept(Box<Unfinished>),
    /// Into a pipe or the like: what is gone is gone.
    Straight(Results<Whole>),
}

impl Sink {
    /// Opens the file. With `resume`, hands over the games that are there.
    pub fn open(
        path: &Path,
        header: &Header,
        resume: bool,
        take: impl FnMut(Record),
    ) -> Result<Sink, Failure> {
        let format = Format::of(path).ok_or_else(|| {
            let formats = word!(
                "los resultados se escriben como .parquet o .csv, y el nombre tiene que acabar así, o en una carpeta",
                "results are written as .parquet or .csv, and the name must end in one of these, or into a folder"
            );
            Failure::Usage(format!("{}: {formats}", path.display()))
        })?;
        let mut sink = Sink {
            path: path.to_path_buf(),
            format,
            way: None,
            written: 0,
            kept_at: Instant::now(),
            failed: None,
        };
        let is_plain = !path.exists() || path.is_file();
        if is_plain {
            let kept = sink.begin(header, resume, take)?;
            sink.written = kept.kept();
            sink.way = Some(Way::Kept(Box::new(kept)));
        } else {
            let file = Whole::begin(path).map_err(|error| unwritable(path, &error))?;
            match Results::new(format, header, file) {
                Ok(results) => sink.way = Some(Way::Straight(results)),
                Err(error) => sink.failed = Some(error),
            }
        }
        Ok(sink)
    }

    fn begin(
        &self,
        header: &Header,
        resume: bool,
        mut take: impl FnMut(Record),
    ) -> Result<Unfinished, Failure> {
        let path = &self.path;
        let beside = Unfinished::path(path);
        let is_begun = beside.exists() || (resume && path.exists());
        if !is_begun {
            return Unfinished::begin(path, header).map_err(|error| unusable(path, error));
        }
        if !resume {
            return Err(Failure::Usage(say!(
                "{}: partidas de una serie que no llegó a su fin; `--resume` la sigue, o se puede borrar el archivo",
                "{}: games of a run that did not come to its end; `--resume` goes on with it, or the file can be deleted",
                beside.display()
            )));
        }
        if beside.exists() {
            return Unfinished::go_on(path, header, take).map_err(|error| unusable(&beside, error));
        }
        // A table that was written before its run had ended: its games are the first of this one.
        let mut kept = Unfinished::begin(path, header).map_err(|error| unusable(path, error))?;
        let mut copied = Ok(());
        let read = unfinished::read(path, header, |record| {
            if copied.is_ok() {
                copied = kept.write(&record);
            }
            take(record);
        });
        let copied = read.and(copied).and_then(|()| kept.keep());
        if copied.is_err() {
            let _ = std::fs::remove_file(&beside);
        }
        copied.map(|()| kept).map_err(|error| unusable(path, error))
    }

    /// Games that are there already.
    pub fn kept(&self) -> u64 {
        match &self.way {
            Some(Way::Kept(kept)) => kept.kept(),
            _ => self.written,
        }
    }

    pub fn write(&mut self, record: &Record) -> Next {
        let written = match &mut self.way {
            Some(Way::Kept(kept)) => kept.write(record).and_then(|()| {
                if self.kept_at.elapsed() < WAIT {
                    return Ok(());
                }
                let on_disk = kept.keep();
                self.kept_at = Instant::now();
                on_disk
            }),
            Some(Way::Straight(results)) => results.write(record),
            None => Ok(()),
        };
        self.written += 1;
        self.failed = self.failed.take().or(written.err());
        match self.failed {
            Some(_) => Next::Enough,
            None => Next::GoOn,
        }
    }

    /// Makes the table, and tells what went wrong on the way.
    pub fn close(self) -> Outcome {
        let (path, games) = (self.path.clone(), self.written);
        self.finish()?;
        errln!(
            "{}",
            say!(
                "{games} partidas escritas en {}",
                "{games} games written to {}",
                path.display()
            )
        );
        Ok(())
    }

    /// Makes the table without a word.
    pub fn finish(mut self) -> Outcome {
        let is_kept = matches!(self.way, Some(Way::Kept(_)));
        let closed = match (self.failed.take(), self.way.take()) {
            (Some(error), _) => Err(error),
            (None, Some(Way::Kept(mut kept))) => {
                kept.keep().and_then(|()| kept.finish(self.format))
            }
            (None, Some(Way::Straight(results))) => results.finish().map(drop),
            (None, None) => Ok(()),
        };
        closed.map_err(|error| self.not_whole(error, is_kept))
    }

    /// Leaves what there is to whoever goes on, and says how many games that is.
    pub fn pause(mut self) -> Result<u64, Failure> {
        let kept = match (self.failed.take(), &mut self.way) {
            (Some(error), _) => Err(error),
            (None, Some(Way::Kept(kept))) => kept.keep().map(|()| kept.kept()),
            (None, _) => Ok(self.written),
        };
        kept.map_err(|error| self.not_whole(error, true))
    }

    fn not_whole(&self, error: ResultsError, is_kept: bool) -> Failure {
        let path = self.path.display();
        Failure::Game(match is_kept {
            true => say!(
                "{path}: {error}; {} tiene las partidas que cupieron, y `--resume` sigue desde ahí",
                "{path}: {error}; {} holds the games that found room, and `--resume` goes on from there",
                Unfinished::path(&self.path).display()
            ),
            false => say!(
                "{path}: {error}; el archivo no está entero, pero el informe tiene todas las partidas jugadas",
                "{path}: {error}; the file is not whole, but the report holds every game that was played"
            ),
        })
    }
}

pub(super) fn unusable(path: &Path, error: ResultsError) -> Failure {
    match error {
        ResultsError::Io(error) => unwritable(path, &error),
        other => Failure::Usage(format!("{}: {other}", path.display())),
    }
}
