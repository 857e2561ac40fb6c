//! From files to a checked definition: packs, overlays, manifest, cards, maps, tables, texts, schemas, diagnostics.
//!
//! | room | what lives there |
//! |---|---|
//! | `source` | the only door to files: folder, memory, built in |
//! | `path` | what a file is, told from its path |
//! | `pack` | packs, `pack.toml`, the order of loading |
//! | `file`, `tree` | files in memory, places in them; TOML with places and past |
//! | `merge`, `setting` | overlays; dotted keys of `[set]` and `--set` |
//! | `read` | the merged tree into typed, cross-checked values |
//! | `definition` | the result |
//! | `wording` | texts with braces and their little grammar |
//! | `diagnostic`, `from_script` | what is wrong, with code, place and suggestion; the same for scripts |
//! | `rename`, `outdated` | words that are called otherwise now, and ways of writing things that changed |
//! | `causes` | which messages tell a cause, and which only what follows from it |
//! | `repeats`, `outline` | overlays that say again what is there; the functions of a script, told from its text |
//! | `explain`, `readers`, `explained` | where a value comes from and which rules read it; every mistake at length |
//! | `diff`, `lines`, `touched` | what two variants change, line by line, and which rules a change can touch |
//! | `schema` | JSON Schemas for editors |
//! | `lexis`, `brackets`, `format` | files as they are written; brackets that are not closed; blanks and indentation in order |
//! | `library`, `gather` | the front door; the files of one game from all layers |
//!
//! The loader returns a definition and all diagnostics whenever it can; only [`library::Loaded::has_errors`] says whether the game may be played.

mod brackets;
pub mod capability;
pub(crate) mod causes;
mod collision;
pub mod definition;
pub mod diagnostic;
pub mod diff;
pub mod explain;
pub mod explained;
pub mod file;
pub mod format;
pub mod from_script;
mod gather;
pub mod lattice;
pub mod legible;
pub mod lexis;
pub mod library;
mod lines;
pub mod merge;
pub mod misspelt;
pub mod outdated;
pub mod outline;
pub mod pack;
pub mod path;
pub mod read;
mod readers;
pub mod rename;
mod repeats;
pub mod schema;
pub mod setting;
pub mod source;
pub mod touched;
pub mod tree;
pub mod wording;
