//! Every kind and table of every game goes out and comes back; what is typed wrong gets a sentence with its cell; broken files are no trouble.

use ludoteca::{Library, Loaded, Selection};
use ludoteca_sheets::{Format, Sheet, SheetError, compare, edited, names, read, variant, write};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use std::io::Write;

fn library() -> Library {
    Library::open(&ludoteca_base::packs()).0
}

fn loaded(game: &str) -> Loaded {
    library()
        .load(game, &Selection::default())
        .expect("the game is there")
}

/// The cells of a sheet, as whoever opens the file reads them.
fn grid(loaded: &Loaded, name: &str, format: Format) -> Vec<Vec<String>> {
    let sheet = Sheet::of(loaded, name).expect("the sheet is there");
    let bytes = write(&sheet.cells(&loaded.root), format).expect("it can be written");
    read(&bytes, format).expect("it can be read")
}

fn set(grid: &mut [Vec<String>], row: &str, column: &str, to: &str) {
    let at = grid[0]
        .iter()
        .position(|title| title == column)
        .expect("the column is there");
    let row = grid
        .iter_mut()
        .find(|cells| cells[0] == row)
        .expect("the row is there");
    row[at] = to.to_string();
}

fn lines_changed(before: &str, after: &str) -> usize {
    assert_eq!(before.lines().count(), after.lines().count());
    before
        .lines()
        .zip(after.lines())
        .filter(|(a, b)| a != b)
        .count()
}

#[test]
fn what_nobody_changed_changes_nothing() {
    let mut sheets = 0;
    for game in library().games() {
        let loaded = loaded(&game.id);
        for name in names(&loaded) {
            for format in [Format::Csv, Format::Xlsx] {
                let compared = compare(&loaded, &grid(&loaded, &name, format));
                let compared =
                    compared.unwrap_or_else(|error| panic!("{} {name}: {error}", game.id));
                assert!(
                    compared.changes.is_empty(),
                    "{} {name}: {:?}",
                    game.id,
                    compared.changes
                );
                assert!(compared.new.is_empty() && compared.left_out.is_empty());
                assert!(edited(&compared).expect("nothing to do").is_empty());
                sheets += 1;
            }
        }
    }
    assert!(sheets > 60, "{sheets}");
}

#[test]
fn one_number_is_one_line_of_one_file() {
    let loaded = loaded("conquista");
    let mut sheet = grid(&loaded, "prices", Format::Csv);
    assert_eq!(sheet[0], ["prices", "energy", "resources", "population"]);
    set(&mut sheet, "unit", "resources", "3");
    let compared = compare(&loaded, &sheet).expect("a number");
    let change = &compared.changes[0];
    assert_eq!(
        (change.cell.as_str(), change.place.to_string().as_str()),
        ("C4", "cards/conquista/tables.toml:23")
    );
    let files = edited(&compared).expect("it can be written");
    assert_eq!(files.len(), 1);
    assert_eq!(lines_changed(&files[0].file.text, &files[0].text), 1);
    assert!(files[0].text.contains("resources = 3\n"));
    assert!(files[0].text.contains("# What each thing costs."));
}

#[test]
fn texts_lists_and_new_cards() {
    let loaded = loaded("conquista");
    let mut sheet = grid(&loaded, "research", Format::Xlsx);
    set(&mut sheet, "courage", "name.en", "Bravery \"!\"");
    set(
        &mut sheet,
        "intensive_production",
        "yields",
        "energy; population",
    );
    let mut new = sheet[1].clone();
    new[0] = "second_wind".into();
    sheet.push(new);
    let compared = compare(&loaded, &sheet).expect("it fits");
    assert_eq!((compared.changes.len(), compared.new.len()), (2, 1));
    let files = edited(&compared).expect("it can be written");
    let text = &files[0].text;
    assert!(
        text.contains("en = 'Bravery \"!\"'") || text.contains("en = \"Bravery \\\"!\\\"\""),
        "{text}"
    );
    assert!(text.contains("yields = [\"energy\", \"population\"]\n"));
    assert!(text.contains("\n\n[cards.second_wind]\n"));
}

#[test]
fn a_variant_holds_the_changes_alone() {
    let loaded = loaded("conquista");
    let mut sheet = grid(&loaded, "prices", Format::Csv);
    set(&mut sheet, "unit", "resources", "3");
    let compared = compare(&loaded, &sheet).expect("a number");
    let text = variant(&compared, "my-fleet", None, (&loaded, &loaded)).expect("it can be written");
    assert!(
        text.ends_with("[set]\n\"prices.unit.resources\" = 3\n"),
        "{text}"
    );
    assert!(text.contains("title = { es = \"My fleet\", en = \"My fleet\" }"));
    let again = variant(&compared, "my-fleet", Some(&text), (&loaded, &loaded));
    assert_eq!(again.expect("the same"), text);
}

#[test]
fn wrong_cells_are_named() {
    let table: [(&str, &str, &str, &str, &str); 5] = [
        (
            "conquista",
            "prices",
            "unit",
            "resources",
            "cell C4 (cards/conquista/tables.toml:23): expected a whole number, found \"3.5\"",
        ),
        (
            "altered",
            "card",
            "ogun",
            "cost",
            "expected a whole number, found \"3.5\"",
        ),
        ("altered", "card", "ogun", "abilities", ""),
        (
            "teg",
            "country",
            "argentina",
            "copies",
            "expected a whole number",
        ),
        ("conquista", "dice_by_units", "0", "value", "cell B2"),
    ];
    for (game, name, row, column, expected) in table {
        let loaded = loaded(game);
        let mut sheet = grid(&loaded, name, Format::Csv);
        if !sheet.iter().any(|cells| cells[0] == row) {
            continue;
        }
        set(&mut sheet, row, column, "3.5");
        match compare(&loaded, &sheet) {
            Err(error) => assert!(
                error.to_string().contains(expected),
                "{game} {name}: {error}"
            ),
            Ok(compared) => assert!(expected.is_empty(), "{game} {name}: {:?}", compared.changes),
        }
    }
    let loaded = loaded("conquista");
    let said = |cells: &[&[&str]]| {
        let grid: Vec<Vec<String>> = cells
            .iter()
            .map(|row| row.iter().map(|c| c.to_string()).collect())
            .collect();
        compare(&loaded, &grid)
            .err()
            .map_or(String::new(), |error| error.to_string())
    };
    let table: [(&[&[&str]], &str); 8] = [
        (&[], "cell A1 is empty"),
        (
            &[&["prices", "energy"], &["unit", "1", "", "7"]],
            "cell D2: its column has no title in D1",
        ),
        (
            &[&["prices", "", "energy"], &["unit", "7", "1"]],
            "cell B2: its column has no title in B1",
        ),
        (&[&["pricess"]], "did you mean `prices`?"),
        (
            &[&["prices", "enrgy"]],
            "cell B1: `prices` has no column `enrgy`; did you mean `energy`?",
        ),
        (
            &[&["prices", "energy", "energy"]],
            "cell C1: the column `energy` is there twice",
        ),
        (
            &[&["prices", "energy"], &["uni", "1"]],
            "cell A2: `prices` has no row `uni`; did you mean `unit`?",
        ),
        (
            &[&["prices", "energy"], &["", "1"]],
            "cell A2: the row has no name",
        ),
    ];
    for (cells, expected) in table {
        assert!(
            said(cells).contains(expected),
            "{} instead of {expected}",
            said(cells)
        );
    }
}

#[test]
fn spreadsheets_of_other_countries_are_read() {
    let read = |text: &[u8]| read(text, Format::Csv);
    let semicolons = read("\u{feff}prices;energy\nunit;\"1; 2\"\n".as_bytes()).expect("it is read");
    assert_eq!(semicolons, [vec!["prices", "energy"], vec!["unit", "1; 2"]]);
    let latin = read(b"prices,energy\nunidad espa\xf1ola,1\n");
    assert!(
        matches!(latin, Err(SheetError::File(said)) if said.starts_with("line 2: this is not UTF-8"))
    );
}

/// Bytes of real sheets, with some of them changed, cut off, doubled.
fn damaged(bytes: &[u8], luck: &mut Pcg64Mcg) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..luck.random_range(1..8) {
        if bytes.is_empty() {
            break;
        }
        let at = luck.random_range(0..bytes.len());
        match luck.random_range(0..4) {
            0 => bytes[at] = luck.random(),
            1 => bytes.truncate(at),
            2 => bytes.insert(
                at,
                *[b',', b'"', b'\n', b';', 0, 0xff]
                    .get(luck.random_range(0..6))
                    .unwrap_or(&0),
            ),
            _ => {
                let end = (at + luck.random_range(1..40)).min(bytes.len());
                let part = bytes[at..end].to_vec();
                bytes.splice(at..at, part);
            }
        }
    }
    bytes
}

#[test]
fn damaged_files_get_a_sentence_or_are_read() {
    let loaded = loaded("conquista");
    let mut luck = Pcg64Mcg::seed_from_u64(23);
    let (mut refused, mut taken) = (0, 0);
    for name in ["research", "prices", "marker"] {
        for (format, rounds) in [(Format::Csv, 400), (Format::Xlsx, 150)] {
            let sheet = Sheet::of(&loaded, name).expect("the sheet is there");
            let bytes = write(&sheet.cells(&loaded.root), format).expect("it can be written");
            for _ in 0..rounds {
                let told = read(&damaged(&bytes, &mut luck), format)
                    .and_then(|grid| compare(&loaded, &grid))
                    .and_then(|compared| edited(&compared));
                match told {
                    Err(error) => {
                        assert!(!error.to_string().is_empty());
                        refused += 1;
                    }
                    Ok(files) => {
                        for file in files {
                            assert!(file.text.parse::<toml_edit::DocumentMut>().is_ok());
                        }
                        taken += 1;
                    }
                }
            }
        }
    }
    assert!(
        refused > 200 && taken > 50,
        "{refused} refused, {taken} taken"
    );
}

/// A workbook with this in the rows of its sheet.
fn workbook(rows: &str) -> Vec<u8> {
    workbook_with(rows, &[])
}

/// The same with other files beside the sheet.
fn workbook_with(rows: &str, more: &[(&str, &str)]) -> Vec<u8> {
    let main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
    let ids = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    let package = "http://schemas.openxmlformats.org/package/2006/relationships";
    let files = [
        (
            "_rels/.rels",
            format!(
                "<Relationships xmlns=\"{package}\"><Relationship Id=\"r1\" Type=\"{ids}/officeDocument\" Target=\"xl/workbook.xml\"/></Relationships>"
            ),
        ),
        (
            "xl/workbook.xml",
            format!(
                "<workbook xmlns=\"{main}\" xmlns:r=\"{ids}\"><sheets><sheet name=\"prices\" sheetId=\"1\" r:id=\"r1\"/></sheets></workbook>"
            ),
        ),
        (
            "xl/_rels/workbook.xml.rels",
            format!(
                "<Relationships xmlns=\"{package}\"><Relationship Id=\"r1\" Type=\"{ids}/worksheet\" Target=\"worksheets/sheet1.xml\"/></Relationships>"
            ),
        ),
        (
            "xl/worksheets/sheet1.xml",
            format!("<worksheet xmlns=\"{main}\"><sheetData>{rows}</sheetData></worksheet>"),
        ),
    ];
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let more = more.iter().map(|(name, text)| (*name, text.to_string()));
    for (name, text) in files.into_iter().chain(more) {
        zip.start_file(name, zip::write::SimpleFileOptions::default())
            .expect("a file");
        zip.write_all(text.as_bytes()).expect("its text");
    }
    zip.finish().expect("a workbook").into_inner()
}

#[test]
fn hostile_workbooks_get_a_sentence() {
    let cell = |address: &str, inside: &str| format!("<c r=\"{address}\">{inside}</c>");
    let said = |rows: &str| match read(&workbook(rows), Format::Xlsx) {
        Ok(grid) => format!("{grid:?}"),
        Err(error) => error.to_string(),
    };
    let text = "<c r=\"A1\" t=\"inlineStr\"><is><t>prices</t></is></c>";
    let three = cell("C2", "<f>1+2</f><v>3</v>");
    let table = [
        (
            format!("<row r=\"1\">{text}</row><row r=\"2\">{three}</row>"),
            "[[\"prices\"], [\"\", \"\", \"3\"]]",
        ),
        // What nobody has worked out is empty.
        (
            format!("<row r=\"1\">{text}{}</row>", cell("B1", "<f>1+2</f>")),
            "[[\"prices\"]]",
        ),
        (
            format!(
                "<row r=\"1\">{text}</row><row r=\"1048576\">{}</row>",
                cell("XFD1048576", "<v>1</v>")
            ),
            "cell XFD1048576: up to here the sheet has more than 300000 cells",
        ),
        (
            (1..200)
                .map(|row| {
                    format!(
                        "<row r=\"{row}\">{}</row>",
                        cell(&format!("XFD{row}"), "<v>1</v>")
                    )
                })
                .collect(),
            "cells, empty ones too",
        ),
        (
            cell("ZZZZZZZZZ99999999999", "<v>1</v>"),
            "no cell or range is called \"ZZZZZZZZZ99999999999\"",
        ),
        (
            format!("<row r=\"2\">{}</row>", cell("C2", "<v>1e300</v>")),
            "[[], [\"\", \"\", \"1000000",
        ),
        (" ".repeat(40 << 20), "the sheet is larger than 32 MB"),
    ];
    for (rows, wanted) in table {
        let told = said(&rows);
        let start: String = told.chars().take(200).collect();
        assert!(start.contains(wanted), "{start} instead of {wanted}");
    }
    // Texts that are counted and not there: whoever believed it would ask for a hundred gigabytes.
    let main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
    let strings = |count: u64| {
        format!("<sst xmlns=\"{main}\" uniqueCount=\"{count}\"><si><t>prices</t></si></sst>")
    };
    let row = "<row r=\"1\"><c r=\"A1\" t=\"s\"><v>0</v></c></row>";
    for (count, wanted) in [
        (1, "[[\"prices\"]]"),
        (4_000_000_000, "it has no room for 4000000000 texts"),
    ] {
        let strings = strings(count);
        let book = workbook_with(row, &[("xl/sharedStrings.xml", &strings)]);
        let told = match read(&book, Format::Xlsx) {
            Ok(grid) => format!("{grid:?}"),
            Err(error) => error.to_string(),
        };
        assert!(told.contains(wanted), "{told} instead of {wanted}");
    }
    let loaded = loaded("conquista");
    let many = (0..5000).map(|row| vec![format!("u{row}")]);
    let grid: Vec<_> = [vec!["prices".to_string()]]
        .into_iter()
        .chain(many)
        .collect();
    let told = compare(&loaded, &grid)
        .err()
        .map_or(String::new(), |error| error.to_string());
    assert_eq!(told.lines().count(), 21);
    assert!(told.ends_with("and 4980 cells more"), "{told}");
    let long = "x".repeat(100_000);
    let named_at_length = [
        vec![vec!["prices".to_string()], vec![long.clone()]],
        vec![vec!["prices".to_string(), long.clone()]],
        vec![vec![long]],
    ];
    for grid in named_at_length {
        let told = compare(&loaded, &grid).err();
        let told = told.map_or(String::new(), |error| error.to_string());
        assert!(told.contains("xxxx..`") && told.len() < 1000, "{told}");
    }
}

/// Cells typed at random: what is taken over is what the sheet says afterwards, and nothing else.
#[test]
fn what_is_taken_over_comes_out_again() {
    let mut luck = Pcg64Mcg::seed_from_u64(7);
    let typed = [
        "7",
        "-3",
        "true",
        "energy",
        "a; b",
        "\"quoted\"",
        "[1, 2]",
        "{ x = 1 }",
        "",
        "á\nb",
        "=1+1",
        "'",
    ];
    let mut taken = 0;
    for game in ["conquista", "altered", "teg"] {
        let loaded = loaded(game);
        for name in names(&loaded) {
            let clean = grid(&loaded, &name, Format::Csv);
            for _ in 0..25 {
                let mut sheet = clean.clone();
                let row = luck.random_range(1..sheet.len());
                let column = luck.random_range(1..sheet[0].len());
                sheet[row][column] = typed[luck.random_range(0..typed.len())].to_string();
                let Ok(compared) = compare(&loaded, &sheet) else {
                    continue;
                };
                assert!(compared.changes.len() <= 1, "{game} {name}");
                let Ok(files) = edited(&compared) else {
                    continue;
                };
                for file in files {
                    let document: toml_edit::DocumentMut = file.text.parse().expect("TOML");
                    assert_eq!(document.to_string(), file.text);
                    taken += 1;
                }
            }
        }
    }
    assert!(taken > 100, "{taken}");
}
