//! `pack.toml`: who made a pack, and what it works with.

use super::reader::{At, Entries, Must, record};

record! {
    /// A pack: content somebody publishes.
    pub struct PackFile("a pack") {
        /// The name other packs and `with/<pack>/` know it by: lower case letters, digits, `-` and `_`.
        name: Must<At<String>>,
        /// The version of the pack, such as 1.0.0.
        version: Must<At<String>>,
        /// Who made it.
        authors: Must<Vec<At<String>>>,
        /// Under which licence it may be used, such as CC-BY-4.0.
        licence: Must<At<String>>,
        /// The versions of the kernel it works with, such as ">=0.1, <0.3".
        kernel: Must<At<String>>,
        /// What the kernel must be able to do, by name: `needs = ["phrases"]`.
        needs: Option<Vec<At<String>>>,
        /// The packs it builds on, each with the versions it works with: `other = "^1"`.
        builds_on: Option<Entries<At<String>>>,
    }
}
