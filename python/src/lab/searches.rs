//! Sweeps and searches: a game at many settings.

use super::asking::{Asking, Errors};
use super::known;
use super::watch::watched;
use crate::asked::language;
use crate::content::{Content, Rules};
use crate::door::{Mistake, guarded, released, to_python};
use crate::kernel::{
    Found, Goal, Header, Pictures, Points, Selection, SettingsSearch, SweepPoint, Varied, goal,
    report, sweep, told,
};
use pyo3::prelude::*;
use std::sync::{Mutex, PoisonError};

/// The difference for which a search tells the games needed.
const SIZE: f64 = 0.02;

/// The values at a point, and a measure there: its mean, and the interval's ends.
type OnCurve = (Vec<i64>, Option<(f64, f64, f64)>);

/// Many games for each value of a parameter.
#[pyclass(frozen, module = "ludoteca._engine")]
pub struct Swept {
    header: Header,
    varied: Vec<Varied>,
    /// What each parameter is before it is varied.
    own: Vec<Option<i64>>,
    swept: Vec<SweepPoint>,
    metrics: Vec<(String, bool)>,
    #[pyo3(get)]
    stopped: bool,
}

#[pymethods]
impl Swept {
    /// What the command's `sweep --json` says.
    fn told<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        guarded(|| to_python(py, &told::sweep(&self.header, &self.varied, &self.swept)))
    }

    fn page(&self, py: Python<'_>, lang: &str) -> PyResult<String> {
        let language = language(lang)?;
        released(py, || {
            let drawn = report::sweep(
                &self.header,
                &self.varied,
                &self.own,
                &self.swept,
                &self.metrics,
                Pictures::Drawn,
                language,
            );
            drawn
                .map(|drawn| drawn.html())
                .map_err(|error| Mistake::Value(error.to_string()))
        })
    }

    /// Each measure at each point: its name, the values there, and the estimate with its interval.
    fn curve(&self, metric: &str) -> PyResult<Vec<OnCurve>> {
        guarded(|| {
            known("metric", metric, &goal::metrics(&self.header))?;
            let point = |point: &SweepPoint| {
                let found = goal::measured(metric, &point.findings);
                (
                    point.values.clone(),
                    found.map(|e| (e.value, e.low, e.high)),
                )
            };
            Ok(self.swept.iter().map(point).collect())
        })
    }
}

fn points(content: &Content, rules: &Rules) -> Points {
    let selection: Selection = rules.selection.clone();
    Points::new(
        content.library().clone(),
        &rules.game.definition.id,
        selection,
    )
}

#[pyfunction]
pub fn sweeps(
    py: Python<'_>,
    content: &Content,
    rules: &Rules,
    parameters: Vec<String>,
    metrics: Vec<String>,
    asking: Asking,
    progress: Option<Py<PyAny>>,
) -> PyResult<Swept> {
    let errors = Errors::default();
    let plan = asking.plan(rules, &errors)?;
    let value = |said: String| Mistake::Value(said);
    let varied = Varied::read_all(&parameters, &rules.game.definition)
        .map_err(|error| value(error.to_string()))?;
    let header = Header::new(&rules.game, &plan);
    let names = goal::metrics(&header);
    let named = metrics.into_iter().map(|name| {
        known("metric", &name, &names)?;
        let share = goal::is_share(&name, &header);
        Ok((name, share))
    });
    let named = named.collect::<Result<Vec<_>, Mistake>>()?;
    let metrics = match named.is_empty() {
        true => sweep::usual(&header),
        false => named,
    };
    let grid = sweep::points(&varied).map_err(|error| value(error.to_string()))?;
    let whole = grid.len();
    let points = points(content, rules);
    let (swept, stopped) = watched(py, progress, &errors, |stop, count| {
        let (swept, ended) = sweep::sweep(&points, &varied, grid, &plan, stop, count);
        ended?;
        Ok(swept)
    })?;
    let own = varied.iter().map(|varied| points.value(&varied.key));
    Ok(Swept {
        stopped: stopped || swept.len() < whole,
        own: own.collect(),
        header,
        varied,
        swept,
        metrics,
    })
}

/// Settings that were searched for a goal.
#[pyclass(frozen, module = "ludoteca._engine")]
pub struct Tuned {
    header: Header,
    search: Mutex<SettingsSearch>,
    found: Found,
    #[pyo3(get)]
    stopped: bool,
}

#[pymethods]
impl Tuned {
    /// What the command's `tune --json` says.
    fn told<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        guarded(|| {
            let search = self.search.lock().unwrap_or_else(PoisonError::into_inner);
            to_python(py, &told::tuned(&self.header, &search, &self.found, SIZE))
        })
    }

    fn page(&self, py: Python<'_>, lang: &str) -> PyResult<Option<String>> {
        let language = language(lang)?;
        released(py, || {
            let Some(comparison) = &self.found.comparison else {
                return Ok(None);
            };
            let search = self.search.lock().unwrap_or_else(PoisonError::into_inner);
            let drawn = report::tuned(
                &self.header,
                &self.found,
                &search.settings(&self.found),
                &search.checks(&self.header, &self.found),
                &comparison.differences(SIZE),
                Pictures::Drawn,
                language,
            );
            drawn
                .map(|drawn| Some(drawn.html()))
                .map_err(|error| Mistake::Value(error.to_string()))
        })
    }
}

#[pyfunction]
#[allow(
    clippy::too_many_arguments,
    reason = "it is called from one place in Python, by names"
)]
pub fn tune(
    py: Python<'_>,
    content: &Content,
    rules: &Rules,
    parameters: Vec<String>,
    goals: &str,
    batch: u64,
    check: Option<u64>,
    asking: Asking,
    progress: Option<Py<PyAny>>,
) -> PyResult<Option<Tuned>> {
    let errors = Errors::default();
    let plan = asking.plan(rules, &errors)?;
    let value = |said: String| Mistake::Value(said);
    if batch == 0 {
        return Err(value("a batch has at least one game".into()).into());
    }
    let varied = Varied::read_all(&parameters, &rules.game.definition)
        .map_err(|error| value(error.to_string()))?;
    let header = Header::new(&rules.game, &plan);
    let goals = Goal::read_all(goals, &header).map_err(|error| value(error.to_string()))?;
    let mut search = SettingsSearch::new(points(content, rules), varied, goals, plan, batch, check);
    let (found, stopped) = watched(py, progress, &errors, |stop, count| {
        Ok(search.run(&rules.game, stop, &count)?)
    })?;
    Ok(found.map(|found| Tuned {
        header,
        search: Mutex::new(search),
        found,
        stopped,
    }))
}
