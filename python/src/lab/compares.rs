//! Comparisons: the same games on two sides.

use super::asking::{Asking, Errors};
use super::known;
use super::watch::watched;
use crate::asked::language;
use crate::content::Rules;
use crate::door::{Mistake, guarded, released, to_python};
use crate::kernel::{
    Comparison, Header, Measure, Next, NotARun, Parts, Pictures, Record, RunEnd, Sides, Until,
    compare as compare_sides, report, told,
};
use pyo3::prelude::*;
use std::collections::VecDeque;
use std::path::PathBuf;

/// Two sides of a question.
#[pyclass(frozen, module = "ludoteca._engine")]
pub struct Compared {
    comparison: Comparison,
    until: Option<Until>,
    size: f64,
    #[pyo3(get)]
    stopped: bool,
}

#[pymethods]
impl Compared {
    #[getter]
    fn games(&self) -> u64 {
        self.comparison.sides[0].games
    }

    /// What the command's `compare --json` says.
    fn told<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        guarded(|| {
            let found = told::comparison(&self.comparison, self.until.as_ref(), self.size);
            to_python(py, &found)
        })
    }

    /// The page with pictures.
    fn page(&self, py: Python<'_>, lang: &str) -> PyResult<String> {
        let language = language(lang)?;
        released(py, || {
            let sides = self.comparison.sides.each_ref();
            let headers = sides.map(|side| &side.header);
            let found = self.comparison.findings();
            let sides = Sides {
                headers,
                found: found.each_ref(),
                differences: &self.comparison.differences(self.size),
                settled: None,
                pace: None,
            };
            let drawn = report::comparison(&sides, Pictures::Drawn, language);
            drawn
                .map(|drawn| drawn.html())
                .map_err(|error| Mistake::Value(error.to_string()))
        })
    }
}

fn until(header: &Header, size: Option<f64>, metric: &str) -> Result<Option<Until>, Mistake> {
    let names: Vec<String> = Measure::all(header).iter().map(Measure::name).collect();
    known("metric", metric, &names)?;
    match size {
        None => Ok(None),
        Some(size) if size > 0.0 && size.is_finite() => Ok(Some(Until {
            measure: metric.to_string(),
            size,
        })),
        Some(size) => Err(Mistake::Value(format!(
            "`until={size}`: the size of a difference is above 0"
        ))),
    }
}

/// The same games on two sides.
#[pyfunction]
#[pyo3(signature = (first, second, asking, size, until_size, metric, progress))]
#[allow(
    clippy::too_many_arguments,
    reason = "it is called from one place in Python, by names"
)]
pub fn compare(
    py: Python<'_>,
    first: &Rules,
    second: &Rules,
    asking: Asking,
    size: f64,
    until_size: Option<f64>,
    metric: &str,
    progress: Option<Py<PyAny>>,
) -> PyResult<Compared> {
    let errors = Errors::default();
    let plan = asking.plan(first, &errors)?;
    second.players(Some(plan.players))?;
    let headers = different([first, second].map(|side| Header::new(&side.game, &plan)))?;
    let until = until(&headers[0], until_size, metric)?;
    let mut comparison = Comparison::new(headers, until.as_ref());
    let games = [&first.game, &second.game];
    let (ended, stopped) = watched(py, progress, &errors, |stop, count| {
        let also = |_: &Comparison, _: &[Record; 2]| Next::GoOn;
        Ok(compare_sides(
            games,
            &plan,
            &mut comparison,
            stop,
            count,
            also,
        )?)
    })?;
    Ok(Compared {
        comparison,
        until,
        size,
        stopped: stopped || ended == RunEnd::Stopped,
    })
}

fn different(headers: [Header; 2]) -> Result<[Header; 2], Mistake> {
    match headers[0].content == headers[1].content {
        true => Err(Mistake::Value(
            "both sides are the same content; name what differs with variant, set or content"
                .into(),
        )),
        false => Ok(headers),
    }
}

/// The same from the parts of both runs.
#[pyfunction]
pub fn compared(
    py: Python<'_>,
    first: Vec<PathBuf>,
    second: Vec<PathBuf>,
    size: f64,
) -> PyResult<Compared> {
    released(py, || {
        let wrong = |error: NotARun| Mistake::Value(error.to_string());
        let sides = [
            Parts::open(&first).map_err(wrong)?,
            Parts::open(&second).map_err(wrong)?,
        ];
        let headers = different(sides.each_ref().map(|side| side.header.clone()))?;
        let asked = headers[0].games;
        let mut comparison = Comparison::new(headers, None);
        // The games of one side wait for their twins: they come part by part.
        let mut waiting = VecDeque::new();
        let [first, second] = sides;
        first
            .records(|record| waiting.push_back(record))
            .map_err(wrong)?;
        let mut odd = false;
        let paired = second.records(|record| match waiting.pop_front() {
            Some(twin) if twin.game == record.game => comparison.add(&[twin, record]),
            _ => odd = true,
        });
        paired.map_err(wrong)?;
        if odd || !waiting.is_empty() {
            let said = "the two sides do not have the same games";
            return Err(Mistake::Value(said.into()));
        }
        Ok(Compared {
            stopped: comparison.sides[0].games < asked,
            comparison,
            until: None,
            size,
        })
    })
}
