//! The games of this repository as one pack that is part of the binary. Whoever opens a library hands it over.

use ludoteca::content::pack::{BASE, PackSource};
use ludoteca::content::source::Embedded;

include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// The base pack.
pub fn pack() -> PackSource {
    PackSource::new(BASE, Embedded::new(FILES))
}
