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
//! | `explain`, `diff` | where a value comes from; what two variants change |
//! | `schema` | JSON Schemas for editors |
//! | `library` | the front door |
//!
//! The loader returns a definition and all diagnostics whenever it can; only [`library::Loaded::has_errors`] says whether the game may be played.

pub mod capability;
mod collision;
pub mod definition;
pub mod diagnostic;
pub mod diff;
pub mod explain;
pub mod file;
pub mod from_script;
pub mod lattice;
pub mod legible;
pub mod library;
pub mod merge;
pub mod pack;
pub mod path;
pub mod read;
pub mod rename;
pub mod schema;
pub mod setting;
pub mod source;
pub mod tree;
pub mod wording;
