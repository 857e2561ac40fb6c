//! What this crate uses of the kernel.

pub use ludoteca::{
    Folder, Memory, Source, keep,
    limits::{
        DEEPEST_FOLDER, ISOLATED_MEMORY, ISOLATED_SECONDS, ISOLATED_WORDS, LARGEST_FILE,
        LARGEST_PACK, MOST_FILES, MOST_REDIRECTS,
    },
    pack::{BASE, KERNEL, Part, Role, SCENARIOS, role},
};
