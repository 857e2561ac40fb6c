//! One match, or many at once, one decision at a time and in numbers: what environments for learning are made of.

use crate::content::Rules;
use crate::door::{Mistake, guarded, released};
use crate::kernel::{Bot, NO_ROOM, Stream};
use crate::session::bot;
use crate::turns::{Returns, Turns};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1};
use pyo3::prelude::*;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

fn seated(rules: &Rules, seats: &[Option<String>]) -> Result<Vec<Option<Bot>>, Mistake> {
    rules.players(u8::try_from(seats.len()).ok().or(Some(u8::MAX)))?;
    let seated = |name: &Option<String>| match name {
        Some(name) => bot(name).map(Some),
        None => Ok(None),
    };
    seats.iter().map(seated).collect()
}

/// One match.
#[pyclass(frozen, module = "ludoteca._engine")]
pub struct Env {
    turns: Mutex<Turns>,
    returns: Returns,
}

impl Env {
    fn turns(&self) -> MutexGuard<'_, Turns> {
        self.turns.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Env {
    /// A seat is the name of a bot, or nothing for one that is asked.
    #[new]
    fn new(rules: &Rules, seats: Vec<Option<String>>, returns: &str) -> PyResult<Env> {
        guarded(|| {
            let seats = seated(rules, &seats)?;
            let encoding = rules.encoding(seats.len() as u8);
            Ok(Env {
                turns: Mutex::new(Turns::new(&rules.game, encoding, seats)),
                returns: Returns::parse(returns)?,
            })
        })
    }

    /// Begins another match. Gives the seat that is asked; -1 if the match is over at once.
    fn begin(&self, py: Python<'_>, seed: u64) -> PyResult<i32> {
        released(py, || {
            let mut turns = self.turns();
            turns.begin(seed)?;
            Ok(asked(&turns))
        })
    }

    /// Takes an action of the seat that is asked. Gives the next one; -1 when the match is over.
    fn step(&self, py: Python<'_>, action: u32) -> PyResult<i32> {
        released(py, || {
            let mut turns = self.turns();
            turns.step(action)?;
            Ok(asked(&turns))
        })
    }

    /// What a seat sees.
    fn observe<'py>(&self, py: Python<'py>, seat: u8) -> PyResult<Bound<'py, PyArray1<f32>>> {
        guarded(|| {
            let turns = self.turns();
            let mut out = vec![0.0; turns.encoding.observation.size];
            turns.observe(seat, &mut out);
            Ok(PyArray1::from_vec(py, out))
        })
    }

    /// What is open for a seat: nothing, if it is not asked.
    fn mask<'py>(&self, py: Python<'py>, seat: u8) -> PyResult<Bound<'py, PyArray1<i8>>> {
        guarded(|| {
            let turns = self.turns();
            Ok(match turns.asked == Some(seat) {
                true => PyArray1::from_slice(py, &turns.mask),
                false => PyArray1::zeros(py, turns.mask.len(), false),
            })
        })
    }

    /// What the match is worth to each seat, once it is over.
    fn returns(&self) -> PyResult<Vec<f32>> {
        guarded(|| {
            let returns = self.turns().returns(self.returns);
            Ok(returns.map_err(Mistake::from)?)
        })
    }

    /// An open action, uniformly drawn with the luck of a number.
    fn sample(&self, luck: u64) -> PyResult<Option<u32>> {
        guarded(|| Ok(drawn(&self.turns(), &mut Stream::new(luck, "env"))))
    }
}

fn asked(turns: &Turns) -> i32 {
    turns.asked.map_or(-1, i32::from)
}

/// An open place, each as likely as the other.
fn drawn(turns: &Turns, luck: &mut Stream) -> Option<u32> {
    turns.open.nth(luck.below(turns.open.len()))
}

/// Many matches of one game, stepped together. A match that ends begins anew, with the next seed.
#[pyclass(frozen, module = "ludoteca._engine")]
pub struct Many {
    inner: Mutex<Matches>,
}

struct Matches {
    turns: Vec<Turns>,
    returns: Returns,
    players: usize,
    /// The seed of the next match that begins.
    next: u64,
    luck: Stream,
    threads: usize,
}

/// What a step gave.
struct Stepped {
    /// For each match whether it ended, and what it was worth to each seat.
    done: Vec<bool>,
    rewards: Vec<f32>,
}

impl Matches {
    fn begin(&mut self, seed: u64) -> Result<(), Mistake> {
        self.next = seed;
        self.luck = Stream::new(seed, "vector");
        for turns in &mut self.turns {
            begin(turns, &mut self.next)?;
        }
        Ok(())
    }

    fn step(&mut self, actions: &[i64]) -> Result<Stepped, Mistake> {
        if actions.len() != self.turns.len() {
            let (found, wanted) = (actions.len(), self.turns.len());
            return Err(Mistake::Value(format!(
                "{found} actions were given for {wanted} matches"
            )));
        }
        let at_once = self.turns.len().div_ceil(self.threads.max(1));
        let mut parts: Vec<_> = self
            .turns
            .chunks_mut(at_once.max(1))
            .zip(actions.chunks(at_once.max(1)))
            .collect();
        if parts.len() == 1 {
            for (turns, actions) in &mut parts {
                step_all(turns, actions)?;
            }
        } else {
            thread::scope(|scope| {
                let running: Vec<_> = parts
                    .into_iter()
                    .map(|(turns, actions)| scope.spawn(move || step_all(turns, actions)))
                    .collect();
                running.into_iter().try_for_each(|thread| {
                    thread
                        .join()
                        .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
                })
            })?;
        }
        self.close()
    }

    /// What the matches that ended were worth; others begin in their place.
    fn close(&mut self) -> Result<Stepped, Mistake> {
        let count = self.turns.len();
        let mut stepped = Stepped {
            done: vec![false; count],
            rewards: vec![0.0; count * self.players],
        };
        for (n, turns) in self.turns.iter_mut().enumerate() {
            if turns.asked.is_some() {
                continue;
            }
            stepped.done[n] = true;
            let worth = turns.returns(self.returns)?;
            stepped.rewards[n * self.players..][..self.players].copy_from_slice(&worth);
            begin(turns, &mut self.next)?;
        }
        Ok(stepped)
    }
}

/// Matches that end without anybody being asked are passed over, but not for ever.
const EMPTY_MATCHES: usize = 1000;

fn begin(turns: &mut Turns, next: &mut u64) -> Result<(), Mistake> {
    for _ in 0..EMPTY_MATCHES {
        turns.begin(*next)?;
        *next = next.wrapping_add(1);
        if turns.asked.is_some() {
            return Ok(());
        }
    }
    Err(Mistake::Value(
        "nobody is asked anything in matches of this game".into(),
    ))
}

fn step_all(turns: &mut [Turns], actions: &[i64]) -> Result<(), Mistake> {
    for (turns, &action) in turns.iter_mut().zip(actions) {
        turns.step(u32::try_from(action).unwrap_or(NO_ROOM))?;
    }
    Ok(())
}

impl Many {
    fn inner(&self) -> MutexGuard<'_, Matches> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

type Step<'py> = (Bound<'py, PyArray1<bool>>, Bound<'py, PyArray2<f32>>);

#[pymethods]
impl Many {
    #[new]
    fn new(
        py: Python<'_>,
        rules: &Rules,
        seats: Vec<Option<String>>,
        count: usize,
        returns: &str,
        threads: usize,
    ) -> PyResult<Many> {
        released(py, || {
            let seats = seated(rules, &seats)?;
            let encoding = rules.encoding(seats.len() as u8);
            let turns =
                (0..count).map(|_| Turns::new(&rules.game, encoding.clone(), seats.clone()));
            Ok(Many {
                inner: Mutex::new(Matches {
                    turns: turns.collect(),
                    returns: Returns::parse(returns)?,
                    players: seats.len(),
                    next: 0,
                    luck: Stream::new(0, "vector"),
                    threads,
                }),
            })
        })
    }

    /// Begins all matches, the first with this seed and each other with the next.
    fn begin(&self, py: Python<'_>, seed: u64) -> PyResult<()> {
        released(py, || self.inner().begin(seed))
    }

    /// Takes an action in every match: which ended, and what they were worth to each seat.
    fn step<'py>(
        &self,
        py: Python<'py>,
        actions: PyReadonlyArray1<'py, i64>,
    ) -> PyResult<Step<'py>> {
        let actions = actions.as_slice()?;
        let (stepped, players) = released(py, || {
            let mut inner = self.inner();
            Ok((inner.step(actions)?, inner.players))
        })?;
        let count = stepped.done.len();
        let rewards = PyArray1::from_vec(py, stepped.rewards).reshape([count, players])?;
        Ok((PyArray1::from_vec(py, stepped.done), rewards))
    }

    /// The seat that is asked in each match.
    fn seats<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        guarded(|| {
            let seats = self.inner().turns.iter().map(|t| asked(t) as i64).collect();
            Ok(PyArray1::from_vec(py, seats))
        })
    }

    /// Decisions of all matches so far, as the lab counts them.
    #[getter]
    fn decisions(&self) -> u64 {
        self.inner().turns.iter().map(Turns::decisions).sum()
    }

    /// What is open in each match.
    fn masks<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i8>>> {
        let (out, count) = released(py, || {
            let inner = self.inner();
            let places = inner.turns.first().map_or(0, |turns| turns.mask.len());
            let mut out = Vec::with_capacity(places * inner.turns.len());
            for turns in &inner.turns {
                out.extend_from_slice(&turns.mask);
            }
            Ok((out, inner.turns.len()))
        })?;
        let places = out.len() / count.max(1);
        PyArray1::from_vec(py, out).reshape([count, places])
    }

    /// What the seat that is asked sees, in each match.
    fn observations<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let (out, count) = released(py, || {
            let inner = self.inner();
            let first = inner.turns.first();
            let size = first.map_or(0, |turns| turns.encoding.observation.size);
            let mut out = vec![0.0; size * inner.turns.len()];
            for (turns, row) in inner.turns.iter().zip(out.chunks_mut(size.max(1))) {
                turns.observe(turns.asked.unwrap_or(0), row);
            }
            Ok((out, inner.turns.len()))
        })?;
        let size = out.len() / count.max(1);
        PyArray1::from_vec(py, out).reshape([count, size])
    }

    /// An open action for each match, uniformly drawn.
    fn sample<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let drawn = released(py, || {
            let mut inner = self.inner();
            let Matches { turns, luck, .. } = &mut *inner;
            let drawn = turns.iter().map(|t| drawn(t, luck).map_or(-1, i64::from));
            Ok(drawn.collect::<Vec<_>>())
        })?;
        Ok(PyArray1::from_vec(py, drawn))
    }
}
