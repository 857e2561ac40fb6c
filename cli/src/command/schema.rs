//! `ludoteca schema`: the JSON Schemas of every kind of TOML file.

use crate::arguments::Schema;
use crate::output::{Failure, Outcome, errln, outln, unwritable, write_out};
use ludoteca::content::diagnostic::nearest;
use ludoteca::content::schema::{self, FileKind, KINDS};
use ludoteca::play::scenario::ScenarioFile;

/// Every kind there is.
pub fn kinds() -> Vec<FileKind> {
    let scenario: FileKind = ("scenario", schema::of::<ScenarioFile>);
    KINDS.iter().copied().chain([scenario]).collect()
}

pub fn run(wanted: &Schema) -> Outcome {
    let kinds = kinds();
    if let Some(folder) = &wanted.write {
        schema::write(&kinds, folder).map_err(|error| unwritable(folder, &error))?;
        errln!("{} schemas written into {}", kinds.len(), folder.display());
        return Ok(());
    }
    let Some(name) = &wanted.name else {
        for (name, _) in &kinds {
            outln!("{name}");
        }
        return Ok(());
    };
    let Some(kind) = kinds.iter().find(|(known, _)| known == name) else {
        let meant = nearest(name, kinds.iter().map(|(known, _)| *known));
        let hint = meant.map_or_else(String::new, |meant| format!("; did you mean `{meant}`?"));
        return Err(Failure::Usage(format!("there is no schema `{name}`{hint}")));
    };
    write_out(format_args!("{}", schema::text(kind)));
    Ok(())
}
