//! What this crate uses of the kernel.

pub use ludoteca::{
    Folder, Memory, Source, grouped, illegible_in_a_line, keep,
    limits::{
        DEEPEST_FOLDER, ISOLATED_MEMORY, ISOLATED_SECONDS, ISOLATED_WORDS, LARGEST_FACTS,
        LARGEST_FILE, LARGEST_LIST, LARGEST_PACK, MOST_FILES, MOST_NEEDS, MOST_OF_A_KIND,
        MOST_PACKS, MOST_REDIRECTS, MOST_VERSIONS, RESOLVING_SECONDS,
    },
    nearest,
    pack::{BASE, KERNEL, Part, Role, SCENARIOS, role},
};
