//! `ludoteca schema`: the JSON Schemas of every kind of TOML file.

use crate::arguments::Schema;
use crate::output::{Failure, Outcome, errln, outln, unwritable, write_out};
use crate::words::say;
use ludoteca::{file_kinds, nearest, schema};

pub fn run(wanted: &Schema) -> Outcome {
    let kinds = file_kinds();
    if let Some(folder) = &wanted.write {
        schema::write(&kinds, folder).map_err(|error| unwritable(folder, &error))?;
        errln!(
            "{}",
            say!(
                "{} esquemas escritos en {}",
                "{} schemas written into {}",
                kinds.len(),
                folder.display()
            )
        );
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
        let hint = meant.map_or_else(String::new, |meant| {
            say!("; ¿quizá «{meant}»?", "; did you mean `{meant}`?")
        });
        return Err(Failure::Usage(say!(
            "no hay ningún esquema «{name}»{hint}",
            "there is no schema `{name}`{hint}"
        )));
    };
    write_out(format_args!("{}", schema::text(kind)));
    Ok(())
}
