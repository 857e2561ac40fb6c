//! What this crate uses of the kernel.

pub use ludoteca::content::pack::{BASE, KERNEL};
pub use ludoteca::content::path::{Role, SCENARIOS, role};
pub use ludoteca::content::source::{Folder, Memory, Source};
pub use ludoteca::keep;
pub use ludoteca::limits::{DEEPEST_FOLDER, LARGEST_FILE, LARGEST_PACK, MOST_FILES, MOST_REDIRECTS};
