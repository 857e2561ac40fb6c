//! Where the records of a run go: into the summary, and to disk if asked. A disk that is full ends the run, and loses nothing of the summary.

use crate::output::{Failure, Outcome, errln};
use ludoteca_lab::record::{Header, Record};
use ludoteca_lab::results::{Format, Results, ResultsError};
use ludoteca_lab::runner::Next;
use std::fs::File;
use std::path::{Path, PathBuf};

pub struct Sink {
    path: PathBuf,
    results: Option<Results<File>>,
    written: u64,
    failed: Option<ResultsError>,
}

impl Sink {
    /// Opens the file, so that a path that cannot be written is known before a single game is played.
    pub fn open(path: Option<&Path>, header: &Header) -> Result<Option<Sink>, Failure> {
        let Some(path) = path else { return Ok(None) };
        let wrong = |message: String| Failure::Usage(format!("{}: {message}", path.display()));
        let format = Format::of(path).ok_or_else(|| {
            wrong(
                "results are written as .parquet or .csv; the name must end in one of these".into(),
            )
        })?;
        let file = File::create(path).map_err(|error| wrong(error.to_string()))?;
        let (results, failed) = match Results::new(format, header, file) {
            Ok(results) => (Some(results), None),
            Err(error) => (None, Some(error)),
        };
        Ok(Some(Sink {
            path: path.to_path_buf(),
            results,
            written: 0,
            failed,
        }))
    }

    pub fn write(&mut self, record: &Record) -> Next {
        if let Some(results) = &mut self.results
            && let Err(error) = results.write(record)
        {
            self.failed = Some(error);
            self.results = None;
        }
        self.written += 1;
        if self.failed.is_some() {
            Next::Enough
        } else {
            Next::GoOn
        }
    }

    /// Writes the end of the file, and tells what went wrong on the way.
    pub fn close(mut self) -> Outcome {
        if let Some(results) = self.results.take()
            && let Err(error) = results.finish()
        {
            self.failed = Some(error);
        }
        match self.failed {
            None => {
                errln!("{} games written to {}", self.written, self.path.display());
                Ok(())
            }
            Some(error) => Err(Failure::Game(format!(
                "{}: {error}; the file is not whole, but the report holds every game that was played",
                self.path.display()
            ))),
        }
    }
}
