//! `ludoteca index`: an index of packs, given away.

use crate::arguments::packs::Index;
use crate::output::{Failure, Outcome, errln};
use crate::words::{errors::told, say};
use ludoteca_packs::serve;
use std::net::TcpListener;

pub fn run(index: &Index) -> Outcome {
    let Index::Serve { folder, at } = index;
    if !folder.is_dir() {
        let message = say!(
            "{}: no es una carpeta",
            "{}: this is not a folder",
            folder.display()
        );
        return Err(Failure::Usage(message));
    }
    let listener =
        TcpListener::bind(at).map_err(|error| Failure::Usage(format!("{at}: {}", told(&error))))?;
    let place = listener
        .local_addr()
        .map_or_else(|_| at.clone(), |place| place.to_string());
    errln!(
        "{}",
        say!(
            "el índice {} está en http://{place}/ hasta que pares esto",
            "the index {} is at http://{place}/ until you stop this",
            folder.display()
        )
    );
    serve::answer(&listener, folder);
    Ok(())
}
