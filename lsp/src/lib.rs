//! The games in an editor: a language server for content (TOML) and rules (Rhai), over the kernel's façade.
//!
//! | room | what lives there |
//! |---|---|
//! | `server`, `greeting` | the conversation: requests, notifications, who answers them; how it begins |
//! | `desk` | packs in memory, unsaved texts, what was worked out of them |
//! | `checker` | what is wrong, found on a thread of its own |
//! | `board` | what was found, by file, and what of it the editor has been told |
//! | `page` | the text at hand: where the cursor is and what is known there |
//! | `complete`, `signature` | what could be written here |
//! | `hover`, `describe` | what something is |
//! | `navigate`, `rename` | where it is defined and mentioned; another name for it everywhere |
//! | `symbols`, `folding`, `colours` | the shape of a file |
//! | `actions`, `lenses`, `commands` | what can be done about a place |
//! | `shapes` | keys of files, from their schemas |
//! | `positions`, `uri` | places as editors name them |

#![expect(
    clippy::mutable_key_type,
    reason = "the protocol's own maps are keyed by `Uri`, which keeps nothing but a cache inside"
)]

mod actions;
mod board;
mod checker;
mod colours;
mod commands;
mod compare;
mod complete;
mod describe;
mod desk;
mod folding;
mod greeting;
mod hover;
mod lenses;
mod navigate;
mod page;
mod positions;
mod rename;
mod server;
mod shapes;
mod signature;
mod symbols;
mod uri;

pub use server::{Failed, Options, serve, serve_stdio};
