//! Rhai scripts on a register machine whose whole state is plain data.
//!
//! A host declares an [`Interface`], [`compile`] turns sources into a [`Program`], and a [`Machine`] runs its functions.
//! A host function may suspend the machine; a suspended machine can be copied, saved, and resumed with an answer.
//! See the README for the language, and INSTRUCTIONS.md for the machine.

mod code;
mod compile;
mod diagnostic;
mod error;
pub mod host;
pub mod lexis;
mod library;
mod machine;
mod map;
mod meaning;
mod no_host;
mod operators;
mod parse;
mod program;
mod row;
mod source;
mod spares;
mod tree;
pub mod value;

pub use compile::compile;
pub use diagnostic::{Advice, Code, Diagnostic, Guessing, Pos, Related, Span, nearest};
pub use error::{Fault, FaultKind, Spot};
pub use host::*;
pub use machine::{Limits, Machine, Outcome};
pub use map::Map;
pub use meaning::*;
pub use no_host::{NoHost, NoObject};
pub use parse::{MOST_LOOKUPS, lookups};
pub use program::{CoverPoint, FnId, FunctionInfo, Program};
pub use row::List;
pub use source::{Options, Script, Unit};
pub use spares::UsedMemory;
pub use value::{FnPtr, HandleKind, Range, SMALL, Shared, Value};
