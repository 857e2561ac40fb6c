//! `ludoteca table`: cards and tables as spreadsheets, out of the files and back into them.

use crate::arguments::paper::{Export, Import, TableCommand};
use crate::output::{Failure, Outcome, errln, outln, show, unwritable};
use crate::packs;
use crate::words::{counted, errors::told, say, word};
use ludoteca::limits::LARGEST_SHEET;
use ludoteca::{Edited, File, Loaded, PackSource, Place, Selection, keep, load};
use ludoteca_sheets::{
    Compared, Format, Sheet, SheetError, Written, compare, edited, read, variant, write,
};
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub fn run(content: &[PathBuf], table: &TableCommand) -> Outcome {
    match table {
        TableCommand::Export(wanted) => export(content, wanted),
        TableCommand::Import(wanted) => import(content, wanted),
    }
}

fn failure(error: SheetError) -> Failure {
    Failure::Game(told(&error))
}

fn export(content: &[PathBuf], wanted: &Export) -> Outcome {
    let format = wanted.output.as_deref().map(Format::of).transpose();
    let format = format.map_err(|error| Failure::Usage(told(&error)))?;
    let selection = Selection {
        variants: wanted.variants.clone(),
        set: Vec::new(),
    };
    let loaded = packs::load_data(content, &wanted.game, &selection)?;
    let sheet = Sheet::of(&loaded, &wanted.name).map_err(failure)?;
    let cells = sheet.cells(&loaded.root);
    let bytes = write(&cells, format.unwrap_or(Format::Csv)).map_err(failure)?;
    match &wanted.output {
        Some(path) => {
            keep::write(path, bytes).map_err(|error| unwritable(path, &error))?;
            let size = (sheet.rows.len(), sheet.columns.len());
            let (rows, columns) = (
                counted(size.0, ["fila", "filas", "row", "rows"]),
                counted(size.1, ["columna", "columnas", "column", "columns"]),
            );
            errln!("{}: {rows}, {columns}", path.display());
        }
        // A sheet is for a program to read: its bytes go out as they are.
        None => {
            let written = std::io::stdout().lock().write_all(&bytes);
            written.map_err(|error| {
                unwritable(
                    Path::new(word!("salida estándar", "standard output")),
                    &error,
                )
            })?;
        }
    }
    Ok(())
}

fn import(content: &[PathBuf], wanted: &Import) -> Outcome {
    let format = Format::of(&wanted.file).map_err(|error| Failure::Usage(told(&error)))?;
    let bytes = keep::read(&wanted.file, LARGEST_SHEET).map_err(|error| {
        let shown = wanted.file.display();
        Failure::Usage(format!("{shown}: {}", told(&error)))
    })?;
    let in_file = |error: SheetError| Failure::Game(format!("{}: {error}", wanted.file.display()));
    let grid = read(&bytes, format).map_err(in_file)?;
    let base = packs::load_data(content, &wanted.game, &Selection::default())?;
    match &wanted.variant {
        None => {
            let compared = compare(&base, &grid).map_err(in_file)?;
            let written = edited(&compared).map_err(in_file)?;
            let written = written.into_iter().map(on_disk).collect::<Result<_, _>>()?;
            finish(content, wanted, &compared, written, &Selection::default())
        }
        Some(name) => {
            super::new::check_name(name)?;
            let known = packs::variants(content, &wanted.game)?;
            let selection = match known.contains(name) {
                true => Selection::variant(name),
                false => Selection::default(),
            };
            let with = packs::load_data(content, &wanted.game, &selection)?;
            let compared = compare(&with, &grid).map_err(in_file)?;
            if is_nothing(&compared) {
                return finish(content, wanted, &compared, Vec::new(), &selection);
            }
            let path = place_of_variant(&wanted.game, name, known.contains(name), &with)?;
            let there = fs::read_to_string(&path).ok();
            let text =
                variant(&compared, name, there.as_deref(), (&base, &with)).map_err(in_file)?;
            let file = File::new(
                path.to_string_lossy(),
                format!("variants/{}/{name}.toml", wanted.game),
                &**name,
                there.unwrap_or_default(),
            );
            let written = Written {
                file: Arc::new(file),
                text,
            };
            finish(
                content,
                wanted,
                &compared,
                vec![written],
                &Selection::variant(name),
            )
        }
    }
}

fn is_nothing(compared: &Compared) -> bool {
    compared.changes.is_empty() && compared.new.is_empty()
}

/// A file that can be written: it lies in a folder, and nobody has edited it since it was read.
fn on_disk(written: Written) -> Result<Written, Failure> {
    let path = Path::new(&written.file.shown);
    match fs::read_to_string(path) {
        Ok(text) if text == written.file.text => Ok(written),
        Ok(_) => Err(Failure::Game(say!(
            "{} ha cambiado entretanto; prueba otra vez",
            "{} has changed meanwhile; try again",
            path.display()
        ))),
        Err(_) => Err(Failure::Game(say!(
            "{} no es un archivo de una carpeta: el juego está incluido en la orden. `--variant NOMBRE` escribe los cambios como una variante tuya",
            "{} is no file of a folder: the game is built into the command. `--variant NAME` writes the changes as a variant of yours",
            path.display()
        ))),
    }
}

/// The file of a variant: where it is, or where `new variant` would put it.
fn place_of_variant(
    game: &str,
    name: &str,
    is_there: bool,
    with: &Loaded,
) -> Result<PathBuf, Failure> {
    let inside = format!("variants/{game}/{name}.toml");
    if is_there {
        let file = with.files.iter().find(|file| file.path == inside);
        let path = file.map(|file| PathBuf::from(&file.shown));
        let path = path.filter(|path| path.is_file());
        return path.ok_or_else(|| {
            Failure::Game(say!(
                "la variante «{name}» no es un archivo de una carpeta; elige otro nombre",
                "the variant `{name}` is not one file of a folder; choose another name"
            ))
        });
    }
    let home = packs::home_folder().ok_or_else(|| {
        Failure::Usage(say!(
            "una variante va en un paquete: haz uno con `ludoteca new pack NOMBRE` y ponte en él",
            "a variant goes into a pack: make one with `ludoteca new pack NAME` and stand in it"
        ))
    })?;
    let path = home.join(inside);
    Ok(path
        .strip_prefix(".")
        .map_or(path.clone(), Path::to_path_buf))
}

/// Tries the files as they would be, then writes them and says what has changed.
fn finish(
    content: &[PathBuf],
    wanted: &Import,
    compared: &Compared,
    written: Vec<Written>,
    selection: &Selection,
) -> Outcome {
    if !written.is_empty() {
        try_out(content, wanted, compared, &written, selection)?;
    }
    for change in &compared.changes {
        let said = |value: &Option<toml_edit::Value>| {
            value
                .as_ref()
                .map_or(word!("nada", "nothing").to_string(), |value| {
                    value.to_string().trim().to_string()
                })
        };
        let key = change.path[1..].join(".");
        let (before, after) = (said(&change.before), said(&change.after));
        outln!(
            "{}",
            say!(
                "{}: {key}: {before} pasa a {after} ({})",
                "{}: {key}: {before} becomes {after} ({})",
                change.cell,
                change.place
            )
        );
    }
    for card in &compared.new {
        outln!(
            "{}",
            say!(
                "{}: {} es nueva ({})",
                "{}: {} is new ({})",
                card.cell,
                card.id,
                card.beside.file.shown
            )
        );
    }
    if !compared.left_out.is_empty() {
        let rows = compared.left_out.join(", ");
        errln!(
            "{}",
            say!(
                "no están en la hoja, y quedan como están: {rows}",
                "not in the sheet, and left as they are: {rows}"
            )
        );
    }
    for file in &written {
        let path = Path::new(&file.file.shown);
        if wanted.dry_run || file.text == file.file.text {
            continue;
        }
        let failed = |error: std::io::Error| unwritable(path, &error);
        if let Some(folder) = path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty())
        {
            fs::create_dir_all(folder).map_err(failed)?;
        }
        keep::write(path, &file.text).map_err(failed)?;
        errln!("{} {}", word!("escrito", "wrote"), path.display());
    }
    let many = compared.changes.len() + compared.new.len();
    let things = counted(many, ["cosa", "cosas", "thing", "things"]);
    errln!(
        "{}",
        match (many, wanted.dry_run) {
            (0, _) => say!("nada cambia", "nothing changes"),
            (_, true) => say!("cambiaría: {things}", "{things} would change"),
            (_, false) => say!("cambiado: {things}", "{things} changed"),
        }
    );
    Ok(())
}

/// The game with the files as they would be: what is wrong then is told with its cell, and nothing is written.
fn try_out(
    content: &[PathBuf],
    wanted: &Import,
    compared: &Compared,
    written: &[Written],
    selection: &Selection,
) -> Outcome {
    let texts = |source: &PackSource| -> BTreeMap<String, String> {
        // Packs that are built in show their files under the same paths as the one here.
        let is_here = source.source.folder().is_some();
        let ours = written.iter().filter(|file| {
            let shown = source.source.shown(&file.file.path);
            is_here && Path::new(&shown) == Path::new(&file.file.shown)
        });
        ours.map(|file| (file.file.path.clone(), file.text.clone()))
            .collect()
    };
    let sources = packs::sources(content)?.into_iter().map(|source| {
        let texts = texts(&source);
        PackSource {
            name: source.name.clone(),
            source: Arc::new(Edited::new(source.source, texts)),
        }
    });
    let (library, _) = ludoteca::Library::open(&sources.collect::<Vec<_>>());
    let Err(problems) = load(&library, &wanted.game, selection) else {
        return Ok(());
    };
    let read = library.load(&wanted.game, selection).ok();
    for change in compared
        .changes
        .iter()
        .filter(|change| change.after.is_none())
    {
        let (key, cell) = (change.path[1..].join("."), &change.cell);
        errln!(
            "{}",
            say!(
                "{}: celda {cell} ({}): está vacía, así que {key} desaparecería",
                "{}: cell {cell} ({}): it is empty, so {key} would be gone",
                wanted.file.display(),
                change.place
            )
        );
    }
    for problem in &problems {
        let place = problem.at.as_ref().map(|label| &label.place);
        if let Some(cell) = place.and_then(|place| cell_of(compared, read.as_ref()?, place)) {
            errln!(
                "{}",
                say!(
                    "{}: celda {cell}:",
                    "{}: cell {cell}:",
                    wanted.file.display()
                )
            );
        }
        show(std::slice::from_ref(problem));
    }
    errln!("{}", word!("no se ha escrito nada", "nothing was written"));
    Err(Failure::Content)
}

/// The cell that put what stands at a place.
fn cell_of(compared: &Compared, read: &Loaded, place: &Place) -> Option<String> {
    let inside = |path: &[String]| {
        let node = path
            .iter()
            .try_fold(&read.root, |node, step| match &node.value {
                ludoteca::tree::Datum::List(items) => items.get(step.parse::<usize>().ok()?),
                _ => node.get(step),
            });
        node.is_some_and(|node| {
            let (there, span) = (&node.place, &node.place.span);
            there.file.shown == place.file.shown
                && span.start <= place.span.start
                && place.span.end <= span.end
        })
    };
    let changed = compared.changes.iter().find(|change| inside(&change.path));
    let new = || {
        let path = |id: &String| vec!["cards".to_string(), id.clone()];
        let card = compared.new.iter().find(|card| inside(&path(&card.id)))?;
        let mut values = card.values.iter();
        let value = values.find(|one| inside(&[path(&card.id), one.path.clone()].concat()));
        Some(value.map_or(&card.cell, |one| &one.cell).clone())
    };
    let cell = changed.map(|change| change.cell.clone());
    cell.or_else(new)
}
