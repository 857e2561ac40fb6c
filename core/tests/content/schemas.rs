//! The schemas in `schemas/` are those of the types.

use ludoteca::schema::{KINDS, outdated, write};
use std::path::Path;

#[test]
fn schemas_are_current() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../schemas");
    if std::env::var_os("LUDOTECA_WRITE_SCHEMAS").is_some() {
        write(KINDS, &folder).expect("schemas can be written");
    }
    let old = outdated(KINDS, &folder);
    assert!(
        old.is_empty(),
        "run again with LUDOTECA_WRITE_SCHEMAS=1 to write {old:?}"
    );
}
