//! Runs: played here, or put together from parts that were played anywhere.

use super::asking::{Asking, Errors};
use super::watch::watched;
use crate::asked::language;
use crate::content::Rules;
use crate::door::{Mistake, guarded, released, to_python};
use crate::kernel::{
    Format, Header, Next, NotARun, Parts, Pictures, Record, Results, ResultsError, ResultsReader,
    RunEnd, Summary, report, simulate, told,
};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::fs::File;
use std::path::PathBuf;
use std::time::Instant;

/// Games that were played, and what they add up to.
#[pyclass(frozen, module = "ludoteca._engine")]
pub struct Run {
    summary: Summary,
    /// Empty if the games are in files.
    records: Vec<Record>,
    #[pyo3(get)]
    stopped: bool,
    #[pyo3(get)]
    seconds: f64,
}

#[pymethods]
impl Run {
    #[getter]
    fn games(&self) -> u64 {
        self.summary.games
    }

    /// What the command's `sim --json` says, but for the time it took.
    fn told<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        guarded(|| {
            to_python(
                py,
                &told::run(&self.summary.header, &self.summary.findings()),
            )
        })
    }

    /// The games as a Parquet table, as the command's `--out` writes it.
    fn parquet<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = released(py, || {
            let wrong = |error: ResultsError| Mistake::Value(error.to_string());
            let header = &self.summary.header;
            let mut table = Results::new(Format::Parquet, header, Vec::new()).map_err(wrong)?;
            for record in &self.records {
                table.write(record).map_err(wrong)?;
            }
            table.finish().map_err(wrong)
        })?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// The page with pictures.
    fn page(&self, py: Python<'_>, lang: &str) -> PyResult<String> {
        let language = language(lang)?;
        released(py, || {
            let header = &self.summary.header;
            let drawn = report::run(header, &self.summary.findings(), Pictures::Drawn, language);
            drawn
                .map(|drawn| drawn.html())
                .map_err(|error| Mistake::Value(error.to_string()))
        })
    }
}

/// Plays the games of a run, or of a part of it.
#[pyfunction]
pub fn run(
    py: Python<'_>,
    rules: &Rules,
    asking: Asking,
    progress: Option<Py<PyAny>>,
) -> PyResult<Run> {
    let errors = Errors::default();
    let plan = asking.plan(rules, &errors)?;
    let game = &rules.game;
    let mut summary = Summary::new(Header::new(game, &plan));
    let mut records = Vec::new();
    let started = Instant::now();
    let (ended, stopped) = watched(py, progress, &errors, |stop, count| {
        Ok(simulate::stream(game, &plan, stop, count, |record| {
            summary.add(&record);
            records.push(record);
            Next::GoOn
        })?)
    })?;
    Ok(Run {
        summary,
        records,
        stopped: stopped || ended == RunEnd::Stopped,
        seconds: started.elapsed().as_secs_f64(),
    })
}

/// The run whose parts are in files.
#[pyfunction]
pub fn joined(py: Python<'_>, paths: Vec<PathBuf>) -> PyResult<Run> {
    released(py, || {
        let wrong = |error: NotARun| Mistake::Value(error.to_string());
        let parts = Parts::open(&paths).map_err(wrong)?;
        let mut summary = Summary::new(parts.header.clone());
        parts
            .records(|record| summary.add(&record))
            .map_err(wrong)?;
        Ok(Run {
            stopped: summary.games < summary.header.games,
            summary,
            records: Vec::new(),
            seconds: 0.0,
        })
    })
}

/// The run whose parts are in files, as one Parquet table.
#[pyfunction]
pub fn joined_table<'py>(py: Python<'py>, paths: Vec<PathBuf>) -> PyResult<Bound<'py, PyBytes>> {
    let bytes = released(py, || {
        let parts = Parts::open(&paths).map_err(|error| Mistake::Value(error.to_string()))?;
        let wrong = |error: ResultsError| Mistake::Value(error.to_string());
        let header = parts.header.clone();
        let mut table = Results::new(Format::Parquet, &header, Vec::new()).map_err(wrong)?;
        let mut written = Ok(());
        let read = parts.records(|record| {
            if written.is_ok() {
                written = table.write(&record);
            }
        });
        read.map_err(|error| Mistake::Value(error.to_string()))?;
        written.map_err(wrong)?;
        table.finish().map_err(wrong)
    })?;
    Ok(PyBytes::new(py, &bytes))
}

/// What a table on disk says of its run.
#[pyfunction]
pub fn table_header<'py>(py: Python<'py>, path: PathBuf) -> PyResult<Bound<'py, PyAny>> {
    guarded(|| {
        let wrong = |said: String| Mistake::Value(format!("{}: {said}", path.display()));
        let file = File::open(&path).map_err(Mistake::from)?;
        let table = ResultsReader::open(file).map_err(|error| wrong(error.to_string()))?;
        let header = serde_json::to_value(&table.header);
        to_python(py, &header.map_err(|error| wrong(error.to_string()))?)
    })
}

/// The header of a run, as its tables carry it: how to know whether a file belongs to it.
#[pyfunction]
pub fn run_header<'py>(
    py: Python<'py>,
    rules: &Rules,
    asking: Asking,
) -> PyResult<Bound<'py, PyAny>> {
    guarded(|| {
        let plan = asking.plan(rules, &Errors::default())?;
        let header = serde_json::to_value(Header::new(&rules.game, &plan));
        to_python(
            py,
            &header.map_err(|error| Mistake::Value(error.to_string()))?,
        )
    })
}
