//! What this crate uses of the kernel.

pub use ludoteca::content::pack::{BASE, KERNEL};
pub use ludoteca::content::path::{Part, Role, SCENARIOS, role};
pub use ludoteca::content::source::{Folder, Source};
pub use ludoteca::keep;
pub use ludoteca::limits::{
    DEEPEST_FOLDER, ISOLATED_MEMORY, ISOLATED_SECONDS, LARGEST_FILE, LARGEST_PACK, MOST_FILES,
    MOST_REDIRECTS,
};
