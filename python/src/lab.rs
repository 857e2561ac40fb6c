//! Many games: run, compared, swept and tuned as the command does it, to the digit. Ctrl-C ends a run with what is done.

use crate::asked::{Asked, language};
use crate::content::{Content, Rules};
use crate::door::{Mistake, guarded, released, to_python};
use crate::kernel::{
    AnswerError, Bot, BrokenGame, Comparison, Encoding, Ended, Failed, Format, Found, Goal, Guest,
    GuestLeft, Header, Match, Measure, Next, NotARun, Parts, Plan, Points, Record, Results,
    ResultsError, ResultsReader, Search, Selection, Summary, SweepPoint, Until, Varied, Wanted,
    compare as compare_sides, goal, nearest, page, simulate, sweep, told,
};
use crate::session::bot;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How often a long call looks whether somebody wants it to stop, and how often it tells how far it is.
const LOOK: Duration = Duration::from_millis(40);
const TELL: Duration = Duration::from_millis(200);
/// The difference for which a search tells the games needed.
const SIZE: f64 = 0.02;

/// Who plays: the name of a bot, or a name and a function that answers.
#[derive(FromPyObject)]
pub enum Player {
    Bot(String),
    Guest(String, Py<PyAny>),
}

/// What to play.
#[derive(FromPyObject)]
pub struct Asking {
    #[pyo3(attribute)]
    players: Option<u8>,
    #[pyo3(attribute)]
    bots: Vec<Player>,
    #[pyo3(attribute)]
    rotate: bool,
    #[pyo3(attribute)]
    seed: u64,
    #[pyo3(attribute)]
    games: u64,
    #[pyo3(attribute)]
    part: Option<(u64, u64)>,
    #[pyo3(attribute)]
    close: Option<u64>,
    #[pyo3(attribute)]
    jobs: usize,
    #[pyo3(attribute)]
    verify: bool,
}

impl Asking {
    fn plan(self, rules: &Rules, errors: &Errors) -> Result<Plan, Mistake> {
        let players = rules.players(self.players)?;
        let count = self.bots.len();
        if count != 1 && count != players as usize {
            return Err(Mistake::Value(format!(
                "{count} bots are named for {players} players; name one for all, or one for each"
            )));
        }
        if self.games == 0 {
            return Err(Mistake::Value("a run has at least one game".into()));
        }
        let (mut bots, mut guests): (Vec<Bot>, Vec<Option<Arc<dyn Guest>>>) = Default::default();
        for player in self.bots {
            let (bot, guest): (Bot, Option<Arc<dyn Guest>>) = match player {
                Player::Bot(name) => (bot(&name)?, None),
                Player::Guest(name, function) => {
                    let guest = Function {
                        name,
                        function,
                        encoding: rules.encoding(players),
                        errors: errors.clone(),
                    };
                    (Bot::Random, Some(Arc::new(guest)))
                }
            };
            bots.push(bot);
            guests.push(guest);
        }
        if count == 1 {
            bots = vec![bots[0]; players as usize];
            guests = vec![guests[0].clone(); players as usize];
        }
        let plan = Plan {
            guests,
            rotate: self.rotate,
            part: self.part.unwrap_or((0, self.games)),
            jobs: self.jobs,
            verify: self.verify,
            ..Plan::new(players, bots, self.seed, self.games)
        };
        Ok(Plan {
            close: self.close.unwrap_or(plan.usual_close()),
            ..plan
        })
    }
}

/// What a Python function raised while it played.
type Errors = Arc<Mutex<Option<PyErr>>>;

/// A Python function that plays in a run.
#[derive(Debug)]
struct Function {
    name: String,
    function: Py<PyAny>,
    encoding: Arc<Encoding>,
    errors: Errors,
}

impl Guest for Function {
    fn name(&self) -> &str {
        &self.name
    }

    fn choose(&self, played: &Match, seat: u8) -> Result<Vec<u32>, GuestLeft> {
        Python::attach(|py| {
            let asked = Asked::new(played, self.encoding.clone(), seat);
            let answered = self.function.call1(py, (asked,));
            let picked = answered.and_then(|answer| answer.extract::<Vec<u32>>(py));
            picked
                .and_then(|picked| offered(played, seat, picked).map_err(PyErr::from))
                .map_err(|error| {
                    let why = error.to_string();
                    let mut first = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
                    first.get_or_insert(error);
                    GuestLeft {
                        name: self.name.clone(),
                        why,
                    }
                })
        })
    }
}

/// An answer, if it is one the choice offers.
fn offered(played: &Match, seat: u8, mut picked: Vec<u32>) -> Result<Vec<u32>, Mistake> {
    let choice = played.choice().ok_or(AnswerError::NotAsked(seat))?;
    let (least, most) = match choice.wanted {
        Wanted::One => (1, 1),
        Wanted::Some { min, max } => (min as usize, max as usize),
    };
    if !(least..=most).contains(&picked.len()) {
        return Err(Mistake::Illegal(AnswerError::WrongCount {
            expected: format!("between {least} and {most}"),
            found: picked.len(),
        }));
    }
    let count = choice.count(&played.table, seat);
    picked.sort_unstable();
    if let Some(pair) = picked.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(Mistake::Illegal(AnswerError::Twice(format!(
            "option {}",
            pair[0]
        ))));
    }
    match picked.last() {
        Some(&last) if last >= count => Err(Mistake::Illegal(AnswerError::UnknownOption {
            key: format!("option {last}"),
            suggestion: None,
        })),
        _ => Ok(picked),
    }
}

impl From<Failed> for Mistake {
    fn from(failed: Failed) -> Mistake {
        match failed {
            Failed::Content(diagnostics) => Mistake::Content(diagnostics),
            Failed::Game(broken) => broken.into(),
        }
    }
}

impl From<BrokenGame> for Mistake {
    fn from(broken: BrokenGame) -> Mistake {
        Mistake::Broken(broken.to_string())
    }
}

/// Does long work on threads of its own, while this one listens for Ctrl-C and tells how far it is. Says whether it was stopped.
fn watched<T: Send>(
    py: Python<'_>,
    progress: Option<Py<PyAny>>,
    errors: &Errors,
    work: impl FnOnce(&AtomicBool, &(dyn Fn(u64) + Sync)) -> Result<T, Mistake> + Send,
) -> PyResult<(T, bool)> {
    let (stop, done) = (AtomicBool::new(false), AtomicU64::new(0));
    let count = |games: u64| {
        done.fetch_add(games, Ordering::Relaxed);
    };
    let listened = py.detach(|| {
        thread::scope(|scope| {
            let (send, ended) = channel();
            let (stop, done) = (&stop, &done);
            scope.spawn(move || {
                let worked = catch_unwind(AssertUnwindSafe(|| work(stop, &count)));
                // Whoever waits is there until it has heard of the end.
                let _ = send.send(worked);
            });
            let (mut told, mut failed, mut stopped) = (Instant::now(), None, false);
            loop {
                match ended.recv_timeout(LOOK) {
                    Ok(Ok(worked)) => return (worked, failed, stopped),
                    Ok(Err(panic)) => resume_unwind(panic),
                    Err(RecvTimeoutError::Disconnected) => {
                        let lost = Mistake::Broken("the run ended without a word".into());
                        return (Err(lost), failed, stopped);
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                }
                if failed.is_some() || stopped {
                    continue;
                }
                let tell = told.elapsed() >= TELL;
                if tell {
                    told = Instant::now();
                }
                let games = done.load(Ordering::Relaxed);
                let heard = Python::attach(|py| {
                    py.check_signals()?;
                    match &progress {
                        Some(progress) if tell => progress.call1(py, (games,)).map(drop),
                        _ => Ok(()),
                    }
                });
                if let Err(error) = heard {
                    stop.store(true, Ordering::Relaxed);
                    match Python::attach(|py| error.is_instance_of::<PyKeyboardInterrupt>(py)) {
                        true => stopped = true,
                        false => failed = Some(error),
                    }
                }
            }
        })
    });
    let (worked, failed, stopped) = listened;
    let raised = errors.lock().unwrap_or_else(PoisonError::into_inner).take();
    match failed.or(raised) {
        Some(error) => Err(error),
        None => Ok((worked?, stopped)),
    }
}

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
            let drawn = page::run(
                header,
                &self.summary.findings(),
                &header.replay("N"),
                language,
            );
            drawn.map_err(|error| Mistake::Value(error.to_string()))
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
        stopped: stopped || ended == Ended::Stopped,
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
            let found = sides.map(|side| side.findings());
            let replays = headers.map(|header| header.replay("N"));
            let drawn = page::comparison(
                headers,
                found.each_ref(),
                &self.comparison.differences(self.size),
                None,
                [&replays[0], &replays[1]],
                language,
            );
            drawn.map_err(|error| Mistake::Value(error.to_string()))
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

/// A name must be one of those known.
fn known(what: &str, name: &str, among: &[String]) -> Result<(), Mistake> {
    if among.iter().any(|known| known == name) {
        return Ok(());
    }
    let hint = match nearest(name, among) {
        Some(close) => format!("did you mean `{close}`?"),
        None => format!("there are {}", among.join(", ")),
    };
    Err(Mistake::Unknown(format!("unknown {what} `{name}`; {hint}")))
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
        let also = |_: &[Record; 2]| Next::GoOn;
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
        stopped: stopped || ended == Ended::Stopped,
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
        let mut waiting = std::collections::VecDeque::new();
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

/// Many games for each value of a parameter.
#[pyclass(frozen, module = "ludoteca._engine")]
pub struct Swept {
    header: Header,
    varied: Vec<Varied>,
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
            let drawn = page::sweep(
                &self.header,
                &self.varied,
                &self.swept,
                &self.metrics,
                language,
            );
            drawn.map_err(|error| Mistake::Value(error.to_string()))
        })
    }

    /// Each measure at each point: its name, the values there, and the estimate with its interval.
    fn curve(&self, metric: &str) -> PyResult<Vec<(Vec<i64>, Option<(f64, f64, f64)>)>> {
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
    Ok(Swept {
        stopped: stopped || swept.len() < whole,
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
    search: Mutex<Search>,
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
            let [before, after] = &comparison.sides;
            let drawn = page::tuned(
                [&before.header, &after.header],
                &search.checks(&self.header, &self.found),
                &search.settings(&self.found),
                &comparison.differences(SIZE),
                before.games,
                language,
            );
            drawn
                .map(Some)
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
    let mut search = Search::new(points(content, rules), varied, goals, plan, batch, check);
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
