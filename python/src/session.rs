//! One match with its seats, as Python plays it: asked, answered, taken back, forked, written down.

use crate::asked::{Asked, language, look};
use crate::content::Rules;
use crate::door::{Mistake, guarded, released, to_python};
use crate::kernel::{
    Bot, Event, Hearers, Language, NotTaken, Session, Sitter, Transcript, heard, keep, say, view,
};
use crate::picture;
use pyo3::prelude::*;
use serde_json::{Value as Json, json};
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Who sits on a seat that Python answers for.
const OUTSIDE: &str = "python";

/// A match at its table.
#[pyclass(frozen, module = "ludoteca._engine")]
pub struct Table {
    rules: Py<Rules>,
    inner: Mutex<Inner>,
}

struct Inner {
    session: Session,
    /// Everything that happened, from the beginning.
    heard: Vec<Event>,
    /// For each answer from outside: how many answers and events there were before it.
    marks: Vec<(usize, usize)>,
}

impl Inner {
    fn go_on(&mut self) -> Result<(), Mistake> {
        let went_on = self.session.go_on();
        self.heard.extend(self.session.take_heard());
        went_on?;
        Ok(())
    }

    fn answer(
        &mut self,
        answer: impl FnOnce(&mut Session) -> Result<(), NotTaken>,
    ) -> Result<(), Mistake> {
        let mark = (self.session.transcript.lines.len(), self.heard.len());
        answer(&mut self.session)?;
        self.marks.push(mark);
        self.go_on()
    }

    fn undo(&mut self, seat: Option<u8>) -> Result<bool, Mistake> {
        let undone = match seat {
            Some(seat) => self.session.undo(seat),
            None => self.session.back_to_last_choice(),
        };
        let undone = undone.map_err(|error| Mistake::Broken(error.to_string()))?;
        let answers = self.session.transcript.lines.len();
        while let Some(&(before, heard)) = self.marks.last()
            && before >= answers
        {
            self.heard.truncate(heard);
            self.marks.pop();
        }
        Ok(undone)
    }
}

fn sitters(names: &[Option<String>]) -> Result<Vec<Sitter>, Mistake> {
    let sitter = |name: &Option<String>| match name {
        None => Ok(Sitter {
            name: OUTSIDE.to_string(),
            chooser: None,
        }),
        Some(name) => {
            let bot: Bot = name.parse().map_err(Mistake::Value)?;
            Ok(Sitter {
                name: name.clone(),
                chooser: Some(bot.chooser()),
            })
        }
    };
    names.iter().map(sitter).collect()
}

impl Table {
    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn begun(rules: &Rules, seats: &[Option<String>], seed: u64) -> Result<Session, Mistake> {
        let game = rules.game.clone();
        Ok(Session::new(game, sitters(seats)?, seed, &rules.selection))
    }
}

#[pymethods]
impl Table {
    /// A new match. A seat is the name of a bot, or nothing for one that Python answers for.
    #[new]
    fn new(
        py: Python<'_>,
        rules: Py<Rules>,
        seats: Vec<Option<String>>,
        seed: u64,
    ) -> PyResult<Table> {
        let inner = {
            let own = rules.get();
            released(py, || {
                own.players(u8::try_from(seats.len()).ok().or(Some(u8::MAX)))?;
                let mut inner = Inner {
                    session: Table::begun(own, &seats, seed)?,
                    heard: Vec::new(),
                    marks: Vec::new(),
                };
                inner.go_on()?;
                Ok(inner)
            })?
        };
        Ok(Table {
            rules,
            inner: Mutex::new(inner),
        })
    }

    /// A match that was written down, as far as its answers go.
    #[staticmethod]
    fn read(
        py: Python<'_>,
        rules: Py<Rules>,
        seats: Vec<Option<String>>,
        written: String,
        anyway: bool,
    ) -> PyResult<Table> {
        let inner = {
            let own = rules.get();
            released(py, || {
                let transcript = Transcript::parse(&written)?;
                let expected = own.game.definition.hash;
                if transcript.content != expected && !anyway {
                    return Err(Mistake::Value(format!(
                        "the transcript was made with other content (hash {:016x}, now {expected:016x}); `anyway=True` plays it as far as it goes",
                        transcript.content
                    )));
                }
                own.players(Some(transcript.players))?;
                let mut inner = Inner {
                    session: Table::begun(own, &seats, transcript.seed)?,
                    heard: Vec::new(),
                    marks: Vec::new(),
                };
                let followed = inner.session.follow(&transcript);
                if !anyway {
                    followed?;
                }
                inner.go_on()?;
                Ok(inner)
            })?
        };
        Ok(Table {
            rules,
            inner: Mutex::new(inner),
        })
    }

    #[getter]
    fn rules(&self, py: Python<'_>) -> Py<Rules> {
        self.rules.clone_ref(py)
    }

    #[getter]
    fn players(&self) -> u8 {
        self.inner().session.played.table.players()
    }

    #[getter]
    fn seed(&self) -> u64 {
        self.inner().session.transcript.seed
    }

    #[getter]
    fn round(&self) -> u32 {
        self.inner().session.played.table.state.round
    }

    #[getter]
    fn over(&self) -> bool {
        self.inner().session.played.is_over()
    }

    /// Who sits where.
    #[getter]
    fn seats(&self) -> Vec<String> {
        self.inner().session.transcript.seats.clone()
    }

    /// The seats that are asked.
    #[getter]
    fn asked(&self) -> Vec<u8> {
        self.inner().session.asked()
    }

    /// What a seat is asked, and what it sees.
    fn ask(&self, seat: u8) -> PyResult<Asked> {
        guarded(|| {
            let inner = self.inner();
            let players = inner.session.played.table.players();
            if seat >= players {
                let said = format!("there is no seat {seat}: {players} play");
                return Err(Mistake::Value(said).into());
            }
            Ok(look(self.rules.get(), &inner.session.played, seat))
        })
    }

    /// Answers by the numbers of options.
    fn answer(&self, py: Python<'_>, seat: u8, picked: Vec<u32>) -> PyResult<()> {
        released(py, || {
            self.inner().answer(|session| session.answer(seat, &picked))
        })
    }

    /// Answers by keys.
    fn answer_keys(&self, py: Python<'_>, seat: u8, keys: Vec<String>) -> PyResult<()> {
        released(py, || {
            self.inner()
                .answer(|session| session.answer_keys(seat, &keys))
        })
    }

    /// Back to the former choice of a seat, or of anybody from outside.
    fn undo(&self, py: Python<'_>, seat: Option<u8>) -> PyResult<bool> {
        released(py, || self.inner().undo(seat))
    }

    /// The same match once more.
    fn fork(&self, py: Python<'_>) -> PyResult<Table> {
        let inner = {
            let own = self.rules.get();
            released(py, || {
                let inner = self.inner();
                let (played, transcript) = (&inner.session.played, &inner.session.transcript);
                let bot = |name: &String| (name != OUTSIDE).then(|| name.clone());
                let seats: Vec<_> = transcript.seats.iter().map(bot).collect();
                let mut session = Table::begun(own, &seats, transcript.seed)?;
                session.played.follow(played);
                session.transcript = transcript.clone();
                session.now = inner.session.now.clone();
                Ok(Inner {
                    session,
                    heard: inner.heard.clone(),
                    marks: Vec::new(),
                })
            })?
        };
        Ok(Table {
            rules: self.rules.clone_ref(py),
            inner: Mutex::new(inner),
        })
    }

    /// What a seat sees, or somebody who watches.
    fn view<'py>(
        &self,
        py: Python<'py>,
        seat: Option<u8>,
        lang: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        guarded(|| {
            let language = language(lang)?;
            let seen = view::view(&self.inner().session.played.table, seat, language);
            to_python(py, &seen)
        })
    }

    /// What a seat heard since event `since`, each with its number.
    fn events<'py>(
        &self,
        py: Python<'py>,
        since: usize,
        seat: Option<u8>,
        lang: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        guarded(|| {
            let language = language(lang)?;
            let inner = self.inner();
            let table = &inner.session.played.table;
            let told = inner.heard.iter().enumerate().skip(since);
            let told = told.filter_map(|(number, event)| {
                let mut told = heard::json(table, event, ears(seat), language)?;
                told["number"] = json!(number);
                Some(told)
            });
            to_python(py, &Json::Array(told.collect()))
        })
    }

    /// The lines a seat may read.
    fn log(&self, seat: Option<u8>, lang: &str) -> PyResult<Vec<String>> {
        guarded(|| {
            let language = language(lang)?;
            let inner = self.inner();
            let table = &inner.session.played.table;
            let line = |event: &Event| heard::line(table, event, ears(seat), language);
            Ok(inner.heard.iter().filter_map(line).collect())
        })
    }

    /// Everybody's place: seat, place, score. Empty while the match goes on.
    fn ranking(&self) -> PyResult<Vec<(u8, u32, Vec<i64>)>> {
        guarded(|| {
            let mut inner = self.inner();
            if !inner.session.played.is_over() {
                return Ok(Vec::new());
            }
            let ranking = inner.session.played.ranking().map_err(Mistake::from)?;
            let plain = ranking.into_iter().map(|p| (p.seat, p.place, p.score));
            Ok(plain.collect())
        })
    }

    /// Why it ended.
    fn reason(&self, lang: &str) -> PyResult<String> {
        guarded(|| {
            let language = language(lang)?;
            Ok(say::reason(&self.inner().session.played.table, language))
        })
    }

    /// The match as text.
    fn transcript(&self) -> String {
        self.inner().session.transcript.to_string()
    }

    /// Writes the match down, whole or not at all.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        released(py, || {
            let written = self.inner().session.transcript.to_string();
            keep::write(&path, written)?;
            Ok(())
        })
    }

    /// The table as a picture.
    fn picture(&self, seat: Option<u8>, lang: &str) -> PyResult<String> {
        guarded(|| {
            let language: Language = language(lang)?;
            let inner = self.inner();
            Ok(picture::draw(&inner.session.played, seat, language))
        })
    }
}

/// What a transcript says before its answers.
#[pyfunction]
pub fn header<'py>(py: Python<'py>, written: &str) -> PyResult<Bound<'py, PyAny>> {
    guarded(|| {
        let read = Transcript::parse(written).map_err(Mistake::from)?;
        let setting = |written: &String| {
            let (key, value) = written.split_once('=').unwrap_or((written, ""));
            json!([key, value])
        };
        let set: Vec<Json> = read.settings.iter().map(setting).collect();
        let told = json!({
            "game": read.game,
            "players": read.players,
            "seed": read.seed,
            "seats": read.seats,
            "variants": read.variants,
            "set": set,
            "over": read.over,
        });
        to_python(py, &told)
    })
}

/// Whether a name is a bot's.
#[pyfunction]
pub fn is_bot(name: &str) -> bool {
    name.parse::<Bot>().is_ok()
}

fn ears(seat: Option<u8>) -> Hearers {
    seat.map_or(Hearers::watchers(true), Hearers::only)
}
