//! What every call from Python passes: a fault of ours becomes an exception, never an end of the process; mistakes become exceptions of
//! the right kind with the words the command has for them.

use crate::kernel::{AnswerError, BrokenRule, Diagnostic, NotTaken, Stopped, TranscriptError};
use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyKeyError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use serde_json::Value as Json;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

create_exception!(
    ludoteca,
    ContentError,
    PyException,
    "The content cannot be used; `diagnostics` says everything that is wrong."
);
create_exception!(
    ludoteca,
    IllegalChoice,
    PyValueError,
    "An answer that was not offered."
);
create_exception!(
    ludoteca,
    RulesBroke,
    PyRuntimeError,
    "The rules broke while they ran."
);
create_exception!(
    ludoteca,
    Fault,
    PyRuntimeError,
    "A fault of the engine itself, not of what was asked."
);

/// Does something for Python; a panic becomes an exception.
pub fn guarded<T>(call: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
    catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(|panic| Err(Fault::new_err(said(&*panic))))
}

/// As [`guarded`], for long calls: other Python threads run meanwhile.
pub fn released<T: Send>(
    py: Python<'_>,
    call: impl FnOnce() -> Result<T, Mistake> + Send,
) -> PyResult<T> {
    let done = py.detach(|| catch_unwind(AssertUnwindSafe(call)));
    match done {
        Ok(Ok(done)) => Ok(done),
        Ok(Err(mistake)) => Err(mistake.into()),
        Err(panic) => Err(Fault::new_err(said(&*panic))),
    }
}

fn said(panic: &(dyn Any + Send)) -> String {
    let text = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied());
    let text = text.unwrap_or("no words were left");
    format!("this is a fault of the engine, please report it: {text}")
}

/// What was wrong with a call.
#[derive(Debug, thiserror::Error)]
pub enum Mistake {
    #[error("the content is at fault")]
    Content(Vec<Diagnostic>),
    /// A name nobody knows, of a game or a variant or a block.
    #[error("{0}")]
    Unknown(String),
    #[error("{0}")]
    Value(String),
    #[error(transparent)]
    Illegal(#[from] AnswerError),
    #[error("{0}")]
    Broken(String),
    #[error("{0}")]
    System(#[from] std::io::Error),
    #[error("{0}")]
    Python(PyErr),
}

impl From<BrokenRule> for Mistake {
    fn from(broken: BrokenRule) -> Mistake {
        Mistake::Broken(broken.to_string())
    }
}

impl From<Stopped> for Mistake {
    fn from(stopped: Stopped) -> Mistake {
        Mistake::Broken(stopped.to_string())
    }
}

impl From<NotTaken> for Mistake {
    fn from(refused: NotTaken) -> Mistake {
        match refused {
            NotTaken::Answer(error) => Mistake::Illegal(error),
            NotTaken::NotKept(error) => Mistake::Broken(error.to_string()),
        }
    }
}

impl From<TranscriptError> for Mistake {
    fn from(error: TranscriptError) -> Mistake {
        match error {
            TranscriptError::Broken(broken) => broken.into(),
            other => Mistake::Value(other.to_string()),
        }
    }
}

impl From<Mistake> for PyErr {
    fn from(mistake: Mistake) -> PyErr {
        match mistake {
            Mistake::Content(diagnostics) => content_error(&diagnostics),
            Mistake::Unknown(said) => PyKeyError::new_err(said),
            Mistake::Value(said) => PyValueError::new_err(said),
            Mistake::Illegal(error) => IllegalChoice::new_err(error.to_string()),
            Mistake::Broken(said) => RulesBroke::new_err(said),
            Mistake::System(error) => error.into(),
            Mistake::Python(error) => error,
        }
    }
}

/// An unknown game or variant is a key that is not there; everything else is wrong content.
fn content_error(diagnostics: &[Diagnostic]) -> PyErr {
    let said: Vec<String> = diagnostics.iter().map(Diagnostic::to_string).collect();
    let unknown = |d: &Diagnostic| ["unknown-game", "unknown-variant"].contains(&d.code.slug());
    if let Some(found) = diagnostics.iter().find(|d| d.is_error() && unknown(d)) {
        let help = found.help.as_ref().map(|help| format!("; {help}"));
        return PyKeyError::new_err(format!("{}{}", found.message, help.unwrap_or_default()));
    }
    let error = ContentError::new_err(said.join("\n"));
    Python::attach(|py| {
        let listed: Vec<Json> = diagnostics.iter().map(Diagnostic::json).collect();
        if let Ok(listed) = to_python(py, &Json::Array(listed)) {
            // An exception without the list still says everything in its text.
            let _ = error.value(py).setattr("_found", listed);
        }
    });
    error
}

/// Plain data as Python has it.
pub fn to_python<'py>(py: Python<'py>, json: &Json) -> PyResult<Bound<'py, PyAny>> {
    Ok(match json {
        Json::Null => py.None().into_bound(py),
        Json::Bool(value) => value.into_pyobject(py)?.to_owned().into_any(),
        Json::Number(number) => match (number.as_i64(), number.as_u64()) {
            (Some(number), _) => number.into_pyobject(py)?.into_any(),
            (None, Some(number)) => number.into_pyobject(py)?.into_any(),
            _ => number.as_f64().into_pyobject(py)?.into_any(),
        },
        Json::String(text) => text.into_pyobject(py)?.into_any(),
        Json::Array(items) => {
            let list = PyList::empty(py);
            for item in items {
                list.append(to_python(py, item)?)?;
            }
            list.into_any()
        }
        Json::Object(fields) => {
            let dict = PyDict::new(py);
            for (key, value) in fields {
                dict.set_item(key, to_python(py, value)?)?;
            }
            dict.into_any()
        }
    })
}
