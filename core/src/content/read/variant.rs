//! Variants: a title, and what they set.

use super::reader::{Anything, Entries, Must, record};
use crate::content::definition::Text;

record! {
    /// A variant of a game.
    pub struct VariantFile("a variant") {
        /// What it is called.
        title: Must<Text>,
        /// What it changes, in a sentence.
        summary: Must<Text>,
        /// Keys and their new values: "prices.unit.resources" = 3, or { add = -1 }, { mul = 2 }, { extend = [..] }, { delete = [..] }.
        set: Option<Entries<Anything>>,
    }
}
