//! What can go wrong while a script runs, and where it happened.

use crate::host::HostError;
use std::fmt;

/// A place in a script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spot {
    pub function: String,
    pub path: String,
    pub line: u32,
    pub column: u32,
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} ({}:{}:{})",
            self.function, self.path, self.line, self.column
        )
    }
}

/// What kind of fault stopped the script.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FaultKind {
    /// A `throw` nobody caught.
    Thrown,
    /// A value of the wrong type.
    Type,
    /// Overflow, division by zero and the like.
    Arithmetic,
    /// An index or a key that is not there.
    Index,
    /// The operation budget is used up.
    Budget,
    /// Calls are nested too deeply.
    Depth,
    /// A string, array or map grew beyond its limit.
    Size,
    /// The host refused.
    Host,
}

impl FaultKind {
    /// Whether `try`/`catch` may catch it. Limits and broken rules go through.
    pub fn is_catchable(self) -> bool {
        matches!(
            self,
            FaultKind::Thrown | FaultKind::Type | FaultKind::Arithmetic | FaultKind::Index
        )
    }

    pub fn slug(self) -> &'static str {
        match self {
            FaultKind::Thrown => "thrown",
            FaultKind::Type => "type",
            FaultKind::Arithmetic => "arithmetic",
            FaultKind::Index => "index",
            FaultKind::Budget => "budget",
            FaultKind::Depth => "depth",
            FaultKind::Size => "size",
            FaultKind::Host => "host",
        }
    }
}

/// A fault that stopped the script, with the calls that led to it, innermost first.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct Fault {
    pub kind: FaultKind,
    pub message: String,
    pub stack: Vec<Spot>,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        for place in &self.stack {
            write!(f, "\n  in {place}")?;
        }
        Ok(())
    }
}

/// A fault on its way: it may still be caught.
#[derive(Debug)]
pub(crate) struct Raise<O> {
    pub kind: FaultKind,
    pub message: String,
    /// What `throw` threw.
    pub value: Option<crate::value::Value<O>>,
}

/// Boxed, so that the fast path carries one pointer.
pub(crate) type Raised<T, O> = Result<T, Box<Raise<O>>>;

#[cold]
#[inline(never)]
pub(crate) fn raise<O>(kind: FaultKind, message: impl Into<String>) -> Box<Raise<O>> {
    Box::new(Raise {
        kind,
        message: message.into(),
        value: None,
    })
}

impl<O> From<HostError> for Box<Raise<O>> {
    #[cold]
    fn from(error: HostError) -> Self {
        raise(FaultKind::Host, error.into_message())
    }
}
