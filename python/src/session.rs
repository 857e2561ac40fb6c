//! One match with its seats, as Python plays it: asked, answered, taken back, forked, written down.

use crate::asked::{Asked, language};
use crate::content::Rules;
use crate::door::{Mistake, guarded, released, to_python};
use crate::kernel::{Bot, BotError, NotTaken, NotUndone, Session, Sitter, Transcript, keep};
use crate::picture;
use pyo3::prelude::*;
use serde_json::{Value as Json, json};
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// Who sits on a seat that Python answers for.
const OUTSIDE: &str = "python";

/// A match at its table.
#[pyclass(frozen, module = "ludoteca._engine")]
pub struct SeatedMatch {
    rules: Py<Rules>,
    session: Mutex<Session>,
}

/// The bot of a name.
pub fn bot(name: &str) -> Result<Bot, Mistake> {
    name.parse()
        .map_err(|error: BotError| Mistake::Value(error.to_string()))
}

/// For bots that think by the clock: the time since the first of them asked.
fn clock() -> Duration {
    static BEGIN: OnceLock<Instant> = OnceLock::new();
    BEGIN.get_or_init(Instant::now).elapsed()
}

fn sitters(names: &[Option<String>]) -> Result<Vec<Sitter>, Mistake> {
    let sitter = |name: &Option<String>| match name {
        None => Ok(Sitter {
            name: OUTSIDE.to_string(),
            chooser: None,
        }),
        Some(name) => {
            let bot = bot(name)?;
            Ok(Sitter {
                name: name.clone(),
                chooser: Some(bot.chooser(clock)),
            })
        }
    };
    names.iter().map(sitter).collect()
}

impl SeatedMatch {
    fn of(rules: Py<Rules>, session: Session) -> SeatedMatch {
        SeatedMatch {
            rules,
            session: Mutex::new(session),
        }
    }

    fn session(&self) -> MutexGuard<'_, Session> {
        self.session.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn answered(
        &self,
        answer: impl FnOnce(&mut Session) -> Result<(), NotTaken>,
    ) -> Result<(), Mistake> {
        let mut session = self.session();
        answer(&mut session)?;
        session.go_on()?;
        Ok(())
    }
}

#[pymethods]
impl SeatedMatch {
    /// A new match. A seat is the name of a bot, or nothing for one that Python answers for.
    #[new]
    fn new(
        py: Python<'_>,
        rules: Py<Rules>,
        seats: Vec<Option<String>>,
        seed: u64,
    ) -> PyResult<SeatedMatch> {
        let session = {
            let own = rules.get();
            released(py, || {
                own.players(u8::try_from(seats.len()).ok().or(Some(u8::MAX)))?;
                let game = own.game.clone();
                let mut session = Session::new(game, sitters(&seats)?, seed, &own.selection);
                session.go_on()?;
                Ok(session)
            })?
        };
        Ok(SeatedMatch::of(rules, session))
    }

    /// A match that was written down, as far as its answers go.
    #[staticmethod]
    fn read(
        py: Python<'_>,
        rules: Py<Rules>,
        seats: Vec<Option<String>>,
        written: String,
        anyway: bool,
    ) -> PyResult<SeatedMatch> {
        let session = {
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
                let (game, seated) = (own.game.clone(), sitters(&seats)?);
                let (mut session, followed) =
                    Session::load(game, seated, &own.selection, &transcript);
                match followed.misfit {
                    Some(misfit) if !anyway => return Err(misfit.into()),
                    _ => session.go_on()?,
                };
                Ok(session)
            })?
        };
        Ok(SeatedMatch::of(rules, session))
    }

    #[getter]
    fn rules(&self, py: Python<'_>) -> Py<Rules> {
        self.rules.clone_ref(py)
    }

    #[getter]
    fn players(&self) -> u8 {
        self.session().players()
    }

    #[getter]
    fn seed(&self) -> u64 {
        self.session().transcript.seed
    }

    #[getter]
    fn round(&self) -> u32 {
        self.session().round()
    }

    #[getter]
    fn over(&self) -> bool {
        self.session().is_over()
    }

    /// Who sits where.
    #[getter]
    fn seats(&self) -> Vec<String> {
        self.session().transcript.seats.clone()
    }

    /// The seats that are asked. (A row of bytes would come to Python as `bytes`, not as a list.)
    #[getter]
    fn asked(&self) -> Vec<u32> {
        self.session().asked().into_iter().map(u32::from).collect()
    }

    /// What a seat is asked, and what it sees.
    fn ask(&self, seat: u8) -> PyResult<Asked> {
        guarded(|| {
            let session = self.session();
            let players = session.players();
            if seat >= players {
                let said = format!("there is no seat {seat}: {players} play");
                return Err(Mistake::Value(said).into());
            }
            let encoding = self.rules.get().encoding(players);
            Ok(Asked::new(session.as_match(), encoding, seat))
        })
    }

    /// Answers by the numbers of options.
    fn answer(&self, py: Python<'_>, seat: u8, picked: Vec<u32>) -> PyResult<()> {
        released(py, || {
            self.answered(|session| session.answer(seat, &picked))
        })
    }

    /// Answers by keys.
    fn answer_keys(&self, py: Python<'_>, seat: u8, keys: Vec<String>) -> PyResult<()> {
        released(py, || {
            self.answered(|session| session.answer_keys(seat, &keys))
        })
    }

    /// Back to the former choice of a seat, or of anybody from outside; `false` if there is none.
    fn undo(&self, py: Python<'_>, seat: Option<u8>) -> PyResult<bool> {
        released(py, || {
            let mut session = self.session();
            let undone = match seat {
                Some(seat) => session.take_back(seat),
                None => session.take_back_last(),
            };
            match undone {
                Ok(()) => Ok(true),
                Err(NotUndone::Nothing) => Ok(false),
                Err(other) => Err(Mistake::Broken(other.to_string())),
            }
        })
    }

    /// The same match once more.
    fn fork(&self, py: Python<'_>) -> PyResult<SeatedMatch> {
        let forked = released(py, || {
            let session = self.session();
            let bot = |name: &String| (name != OUTSIDE).then(|| name.clone());
            let seats: Vec<_> = session.transcript.seats.iter().map(bot).collect();
            Ok(session.fork(sitters(&seats)?))
        })?;
        Ok(SeatedMatch::of(self.rules.clone_ref(py), forked))
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
            to_python(py, &json!(self.session().view(seat, language)))
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
            let session = self.session();
            let told = session
                .events(since, seat, language)
                .map(|(number, heard)| {
                    let mut told = json!(heard);
                    told["number"] = json!(number);
                    told
                });
            to_python(py, &Json::Array(told.collect()))
        })
    }

    /// The lines a seat may read.
    fn log(&self, seat: Option<u8>, lang: &str) -> PyResult<Vec<String>> {
        guarded(|| {
            let language = language(lang)?;
            let session = self.session();
            let heard = session.events(0, seat, language);
            Ok(heard
                .filter_map(|(_, heard)| heard.line().map(str::to_string))
                .collect())
        })
    }

    /// Everybody's place: seat, place, score. Empty while the match goes on.
    fn ranking(&self) -> PyResult<Vec<(u8, u32, Vec<i64>)>> {
        guarded(|| {
            let mut session = self.session();
            if !session.is_over() {
                return Ok(Vec::new());
            }
            let ranking = session.ranking().map_err(Mistake::from)?;
            let plain = ranking.into_iter().map(|p| (p.seat, p.place, p.score));
            Ok(plain.collect())
        })
    }

    /// Why it ended.
    fn reason(&self, lang: &str) -> PyResult<String> {
        guarded(|| Ok(self.session().reason(language(lang)?)))
    }

    /// The match as text.
    fn transcript(&self) -> String {
        self.session().transcript.to_string()
    }

    /// Writes the match down, whole or not at all.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        released(py, || {
            let written = self.session().transcript.to_string();
            keep::write(&path, written)?;
            Ok(())
        })
    }

    /// The table as a picture.
    fn picture(&self, seat: Option<u8>, lang: &str) -> PyResult<String> {
        guarded(|| {
            Ok(picture::draw(
                self.session().as_match(),
                seat,
                language(lang)?,
            ))
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
            "content": format!("{:016x}", read.content),
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
