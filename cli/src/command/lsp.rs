//! `ludoteca lsp`: the language server, in the folder the editor has open.

use crate::fault;
use crate::output::{Failure, Outcome};
use crate::packs;
use ludoteca_lsp::{Options, serve_stdio};
use std::path::{Path, PathBuf};

pub fn run(content: &[PathBuf]) -> Outcome {
    fault::go_on_after_panic();
    let open = |root: Option<&Path>| {
        if let Some(root) = root.filter(|root| root.is_dir()) {
            std::env::set_current_dir(root).map_err(|error| error.to_string())?;
        }
        packs::sources(content).map_err(|failure| failure.to_string())
    };
    let options = Options {
        open: &open,
        tool: std::env::current_exe().ok(),
    };
    serve_stdio(&options).map_err(|failed| Failure::Game(failed.to_string()))
}
