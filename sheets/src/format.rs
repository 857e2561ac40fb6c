//! Sheets as files: comma-separated values, and workbooks of spreadsheet programs.

use crate::SheetError;
use crate::cell::{Cell, address};
use crate::workbook::read_xlsx;
use ludoteca::limits::{LARGEST_SHEET, MOST_CELLS};
use rust_xlsxwriter::{Format as Style, FormatAlign, Workbook, XlsxError};
use std::path::Path;

/// How a sheet is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Csv,
    Xlsx,
}

/// Spreadsheet programs take a file for UTF-8 if it begins with this.
const MARK: &str = "\u{feff}";
const GUARD: char = '\'';
/// Letters of a sheet's name in a workbook.
const LONGEST_NAME: usize = 31;
/// Widths of columns, in letters.
const WIDTHS: (f64, f64) = (8.0, 48.0);

impl Format {
    /// By the ending of a file's name.
    pub fn of(path: &Path) -> Result<Format, SheetError> {
        let ending = path.extension().unwrap_or_default().to_string_lossy();
        match ending.to_lowercase().as_str() {
            "csv" => Ok(Format::Csv),
            "xlsx" => Ok(Format::Xlsx),
            _ => Err(SheetError::File(format!(
                "{}: a sheet is a file that ends in .csv or .xlsx",
                path.display()
            ))),
        }
    }
}

/// A sheet as the bytes of a file.
pub fn write(cells: &[Vec<Cell>], format: Format) -> Result<Vec<u8>, SheetError> {
    match format {
        Format::Csv => write_csv(cells),
        Format::Xlsx => {
            write_xlsx(cells).map_err(|error| SheetError::File(format!("the workbook: {error}")))
        }
    }
}

/// The cells of a file, as what stands in them.
pub fn read(bytes: &[u8], format: Format) -> Result<Vec<Vec<String>>, SheetError> {
    if bytes.len() as u64 > LARGEST_SHEET {
        return Err(SheetError::File(too_large()));
    }
    match format {
        Format::Csv => read_csv(bytes),
        Format::Xlsx => read_xlsx(bytes),
    }
}

pub(crate) fn too_large() -> String {
    format!("the sheet is larger than {} MB", LARGEST_SHEET >> 20)
}

fn write_csv(cells: &[Vec<Cell>]) -> Result<Vec<u8>, SheetError> {
    let mut writer = csv::Writer::from_writer(MARK.as_bytes().to_vec());
    for row in cells {
        let written = writer.write_record(row.iter().map(|cell| guarded(cell.text())));
        written.map_err(|error| SheetError::File(error.to_string()))?;
    }
    let done = writer.into_inner();
    done.map_err(|error| SheetError::File(error.to_string()))
}

/// A text that a spreadsheet program would work out instead of showing it: what a stranger wrote on a card must not run there.
fn is_formula(text: &str) -> bool {
    let text = text.trim_start_matches(GUARD);
    let numbers = |c: char| c.is_ascii_digit() || "-;. ".contains(c);
    text.starts_with(['=', '+', '-', '@', '\t', '\r']) && !text.chars().all(numbers)
}

/// Such a text has a sign before it, by which programs show it as it is.
fn guarded(text: String) -> String {
    match is_formula(&text) {
        true => format!("{GUARD}{text}"),
        false => text,
    }
}

fn bare(cell: &str) -> &str {
    let inside = cell.strip_prefix(GUARD).filter(|text| is_formula(text));
    inside.unwrap_or(cell)
}

fn read_csv(bytes: &[u8]) -> Result<Vec<Vec<String>>, SheetError> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let line = bytes[..error.valid_up_to()].split(|b| *b == b'\n').count();
        SheetError::File(format!(
            "line {line}: this is not UTF-8; save the sheet as \"CSV UTF-8\""
        ))
    })?;
    let text = text.strip_prefix(MARK).unwrap_or(text);
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(delimiter(text))
        .from_reader(text.as_bytes());
    let mut room = Room::new();
    // What the sheet has too many of is not put into memory first.
    Room::new().take_cells_of(text, delimiter(text))?;
    let rows = reader.records().enumerate().map(|(at, record)| {
        let record = record.map_err(|error| SheetError::File(error.to_string()))?;
        room.take(record.len(), (record.len().saturating_sub(1), at))?;
        Ok(record.iter().map(|cell| bare(cell).to_string()).collect())
    });
    rows.collect()
}

/// What a sheet may still have: cells, empty ones before others too, and letters, since many cells of a workbook may share one text.
pub(crate) struct Room {
    cells: usize,
    letters: u64,
}

impl Room {
    pub fn new() -> Room {
        Room {
            cells: MOST_CELLS,
            letters: LARGEST_SHEET,
        }
    }

    /// The cells of a text, as far as they are told apart by this byte outside of quotes.
    fn take_cells_of(&mut self, text: &str, delimiter: u8) -> Result<(), SheetError> {
        let (mut quoted, mut begins) = (false, true);
        let (mut column, mut row) = (0, 0);
        for byte in text.bytes() {
            match byte {
                b'"' if quoted || begins => (quoted, begins) = (!quoted, quoted),
                _ if quoted => {}
                b'\n' => (column, row, begins) = (0, row + 1, true),
                _ if byte == delimiter => {
                    column += 1;
                    self.take(1, (column, row))?;
                    begins = true;
                }
                _ => begins = false,
            }
        }
        Ok(())
    }

    pub fn take_text(&mut self, text: &str) -> Result<(), SheetError> {
        let left = self.letters.checked_sub(text.len() as u64);
        self.letters = left.ok_or_else(|| SheetError::File(too_large()))?;
        Ok(())
    }

    pub fn take(&mut self, cells: usize, at: (usize, usize)) -> Result<(), SheetError> {
        let left = self.cells.checked_sub(cells);
        self.cells = left.ok_or_else(|| {
            SheetError::File(format!(
                "cell {}: up to here the sheet has more than {MOST_CELLS} cells, empty ones too",
                address(at.0, at.1)
            ))
        })?;
        Ok(())
    }
}

/// Spreadsheet programs of some countries put semicolons, or tabs, where others put commas: the titles tell.
fn delimiter(text: &str) -> u8 {
    let titles = text.lines().next().unwrap_or_default().as_bytes();
    let count = |sign: u8| titles.iter().filter(|byte| **byte == sign).count();
    let signs = [b',', b';', b'\t'];
    let most = signs.into_iter().rev().max_by_key(|sign| count(*sign));
    most.unwrap_or(b',')
}

fn write_xlsx(cells: &[Vec<Cell>]) -> Result<Vec<u8>, XlsxError> {
    let mut workbook = Workbook::new();
    let (title, plain) = (
        Style::new().set_bold(),
        Style::new().set_text_wrap().set_align(FormatAlign::Top),
    );
    let sheet = workbook.add_worksheet();
    let name = cells.first().and_then(|row| row.first()).map(Cell::text);
    let name = name
        .unwrap_or_default()
        .replace(['[', ']', ':', '*', '?', '/', '\\'], " ");
    sheet.set_name(name.chars().take(LONGEST_NAME).collect::<String>())?;
    for (row, line) in cells.iter().enumerate() {
        for (column, cell) in line.iter().enumerate() {
            let style = if row == 0 { &title } else { &plain };
            let (row, column) = (row as u32, column as u16);
            match cell {
                Cell::Empty => sheet.write_blank(row, column, style)?,
                Cell::Number(number) if exact(*number) => {
                    sheet.write_number_with_format(row, column, *number as f64, style)?
                }
                Cell::Flag(yes) => sheet.write_boolean_with_format(row, column, *yes, style)?,
                Cell::Number(_) | Cell::Text(_) => {
                    sheet.write_string_with_format(row, column, cell.text(), style)?
                }
            };
        }
    }
    let columns = cells.first().map_or(0, Vec::len);
    for column in 0..columns {
        let letters = cells.iter().filter_map(|row| row.get(column));
        let widest = letters.map(|cell| cell.text().chars().count()).max();
        let width = widest.unwrap_or(0) as f64 + 2.0;
        sheet.set_column_width(column as u16, width.clamp(WIDTHS.0, WIDTHS.1))?;
    }
    sheet.set_freeze_panes(1, 1)?;
    workbook.save_to_buffer()
}

/// Whether a spreadsheet's numbers can hold it.
fn exact(number: i64) -> bool {
    number.unsigned_abs() < 1 << 53
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Cursor, Read};

    /// A workbook with one part replaced.
    fn workbook(part: &str, from: &str, to: &str) -> Vec<u8> {
        let cells = vec![vec![Cell::Text("token".into()), Cell::Number(3)]];
        let plain = write(&cells, Format::Xlsx).expect("a workbook");
        let mut archive = zip::ZipArchive::new(Cursor::new(plain)).expect("an archive");
        let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for at in 0..archive.len() {
            let mut file = archive.by_index(at).expect("a part");
            let name = file.name().expect("a name").into_owned();
            let mut text = String::new();
            file.read_to_string(&mut text).expect("text");
            if name == part {
                assert!(text.contains(from), "{text}");
                text = text.replace(from, to);
            }
            let options = zip::write::SimpleFileOptions::default();
            writer.start_file(name, options).expect("a part");
            std::io::Write::write_all(&mut writer, text.as_bytes()).expect("written");
        }
        writer.finish().expect("a workbook").into_inner()
    }

    /// Workbooks that mean harm are refused in a sentence, and in little memory.
    #[test]
    fn workbooks_without_end_are_refused() {
        let sheet = "xl/worksheets/sheet1.xml";
        let far = "<row r=\"1048576\"><c r=\"XFD1048576\"><v>1</v></c></row></sheetData>";
        let letters = "x".repeat(1 << 20);
        let again: String = (2..60)
            .map(|row| format!("<row r=\"{row}\"><c r=\"A{row}\" t=\"s\"><v>0</v></c></row>"))
            .collect();
        let cases = [
            (workbook(sheet, "</sheetData>", far), "more than"),
            (
                workbook(sheet, "r=\"A1\"", "r = 'AAAAAAAAAAAAAAAAAAAA1'"),
                "no cell or range is called",
            ),
            (
                workbook(sheet, "A1:B1", "A1:ZZZZZZ99999999999"),
                "no cell or range is called",
            ),
            // What seems to end a comment at once does not.
            (
                workbook(
                    sheet,
                    "<sheetData>",
                    "<!--> <a \"> --><sheetData><row r=\"99999999999999\"></row>",
                ),
                "no cell or range is called",
            ),
            (workbook(sheet, "</sheetData>", "<row"), "no workbook"),
            (
                workbook("xl/sharedStrings.xml", "token", &letters.repeat(33)),
                "larger",
            ),
        ];
        for (bytes, says) in cases {
            let refused = read(&bytes, Format::Xlsx).expect_err(says).to_string();
            assert!(refused.contains(says), "{says}: {refused}");
        }
        let long = workbook("xl/sharedStrings.xml", "token", &letters);
        let long = read(&long, Format::Xlsx).expect("a long cell");
        assert_eq!(long[0][0].len(), letters.len());
        let told = workbook(sheet, "</sheetData>", &format!("{again}</sheetData>"));
        assert_eq!(read(&told, Format::Xlsx).expect("rows").len(), 59);
        for cell in ["a,", "a\",", "\"a\nb\","] {
            let wide = cell.repeat(MOST_CELLS + 1);
            let refused = read(wide.as_bytes(), Format::Csv).expect_err("too wide");
            assert!(refused.to_string().contains("more than"), "{refused}");
        }
        let quoted = format!("\"{}\",b", ",".repeat(MOST_CELLS + 1));
        let read = read(quoted.as_bytes(), Format::Csv).expect("two cells");
        assert_eq!(read[0].len(), 2);
    }

    /// What stands on a card is shown by a spreadsheet program, not worked out, and comes back as it was.
    #[test]
    fn formulas_are_texts() {
        let texts = [
            "=1+1", "'=1+1", "+x", "@x", "-x", "-1; -2", "-", "'quoted'", "a=b",
        ];
        let cells: Vec<Cell> = texts.map(|text| Cell::Text(text.into())).to_vec();
        let written = write(&[cells], Format::Csv).expect("a sheet");
        let shown = String::from_utf8(written.clone()).expect("text");
        assert_eq!(
            shown.trim_start_matches(MARK),
            "'=1+1,''=1+1,'+x,'@x,'-x,-1; -2,-,'quoted',a=b\n"
        );
        assert_eq!(read(&written, Format::Csv).expect("cells"), [texts]);
    }
}
