//! What one seat is asked at one moment, with all that the seat may see of the table then. A copy: the match may go on meanwhile.

use crate::door::{guarded, to_python};
use crate::kernel::{Encoding, Language, Match, Offer, OpenActions, Question, Wanted, view};
use numpy::PyArray1;
use pyo3::prelude::*;
use serde_json::{Value as Json, json};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A moment at which a seat chooses.
#[pyclass(frozen, module = "ludoteca._engine")]
pub struct Asked {
    played: Mutex<Match>,
    encoding: Arc<Encoding>,
    #[pyo3(get)]
    seat: u8,
}

impl Asked {
    pub fn new(played: &Match, encoding: Arc<Encoding>, seat: u8) -> Asked {
        let mut copy = Match::empty(played.game().clone(), played.table.players(), 0);
        // With the step as it began: notes beside options are looked up in it, with what the seat cannot see drawn anew.
        copy.restore(&played.position());
        Asked {
            played: Mutex::new(copy),
            encoding,
            seat,
        }
    }

    fn played(&self) -> MutexGuard<'_, Match> {
        self.played.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The decision as programs that learn have it: which options to take, when it is known how many at most.
    fn question(played: &Match) -> Question {
        let left = match played.choice().map(|choice| choice.wanted) {
            Some(Wanted::Some { max, .. }) => max,
            _ => 1,
        };
        Question {
            how_many: false,
            left,
            taken: 0,
        }
    }

    fn places(&self) -> (OpenActions, Vec<i8>) {
        let played = self.played();
        let mut open = OpenActions::default();
        let mut mask = vec![0; self.encoding.actions.size as usize];
        let actions = &self.encoding.actions;
        actions.open(&played, self.seat, &mut open, &mut mask);
        (open, mask)
    }
}

#[pymethods]
impl Asked {
    /// The question and its options; nothing if the seat is not asked.
    fn offer<'py>(&self, py: Python<'py>, lang: &str) -> PyResult<Bound<'py, PyAny>> {
        guarded(|| {
            let language = language(lang)?;
            let offer = Offer::new(&mut self.played(), self.seat, language);
            to_python(py, &offer.map_or(Json::Null, |offer| offer_json(&offer)))
        })
    }

    /// What the seat sees.
    fn view<'py>(&self, py: Python<'py>, lang: &str) -> PyResult<Bound<'py, PyAny>> {
        guarded(|| {
            let language = language(lang)?;
            to_python(
                py,
                &json!(view::view(&self.played().table, Some(self.seat), language)),
            )
        })
    }

    /// What the seat sees, in numbers.
    fn observation<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f32>>> {
        guarded(|| {
            let mut out = vec![0.0; self.encoding.observation.size];
            let played = self.played();
            let question = Asked::question(&played);
            let observation = &self.encoding.observation;
            observation.fill(&played, self.seat, Some(question), &mut out);
            Ok(PyArray1::from_vec(py, out))
        })
    }

    /// The places of the fixed list that are open.
    fn mask<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i8>>> {
        guarded(|| Ok(PyArray1::from_vec(py, self.places().1)))
    }

    /// The option at a place of the fixed list.
    fn option(&self, action: u32) -> PyResult<Option<u32>> {
        guarded(|| Ok(self.places().0.option(action)))
    }
}

/// `es` or `en`.
pub fn language(name: &str) -> Result<Language, crate::door::Mistake> {
    match name {
        "es" => Ok(Language::Es),
        "en" => Ok(Language::En),
        other => Err(crate::door::Mistake::Value(format!(
            "there is no language `{other}`; texts are in `es` and `en`"
        ))),
    }
}

/// An offer as Python reads it: options with their numbers.
fn offer_json(offer: &Offer) -> Json {
    let mut told = json!(offer);
    for (written, option) in told["options"]
        .as_array_mut()
        .into_iter()
        .flatten()
        .zip(&offer.options)
    {
        written["number"] = json!(option.number);
        written["note"] = json!(option.note);
    }
    told["amount"] = json!(offer.amount);
    told
}
