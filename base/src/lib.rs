//! The games of this repository as packs that are part of the binary. Whoever opens a library hands them over.

use ludoteca::{Embedded, PackSource, pack::BASE};

include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// The folder and name of the second pack.
pub const SHELF: &str = "classics";

/// The base pack.
pub fn pack() -> PackSource {
    PackSource::new(BASE, Embedded::new(FILES, SCENARIOS))
}

/// The shelf of classic games.
pub fn shelf() -> PackSource {
    PackSource::new(SHELF, Embedded::new(SHELF_FILES, SHELF_SCENARIOS))
}

/// All packs that are built in, in order.
pub fn packs() -> Vec<PackSource> {
    vec![pack(), shelf()]
}
