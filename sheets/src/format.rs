//! Sheets as files: comma-separated values, and workbooks of spreadsheet programs.

use crate::SheetError;
use crate::cell::{Cell, address};
use calamine::{DataRef, Reader, Xlsx};
use ludoteca::limits::{LARGEST_SHEET, MOST_CELLS};
use rust_xlsxwriter::{Format as Style, FormatAlign, Workbook, XlsxError};
use std::io::{Cursor, Read};
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
/// The last cell any spreadsheet program has is XFD1048576.
const LETTERS_OF_A_COLUMN: usize = 3;
const DIGITS_OF_A_ROW: usize = 7;
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

fn too_large() -> String {
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
    let mut grid = Grid::default();
    for (row, record) in reader.records().enumerate() {
        let record = record.map_err(|error| SheetError::File(error.to_string()))?;
        for (column, cell) in record.iter().enumerate() {
            grid.put(row, column, bare(cell).to_string())?;
        }
    }
    Ok(grid.rows)
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

fn read_xlsx(bytes: &[u8]) -> Result<Vec<Vec<String>>, SheetError> {
    let broken =
        |error: &dyn std::fmt::Display| SheetError::File(format!("this is no workbook: {error}"));
    unpacked_fits(bytes)?;
    let mut workbook: Xlsx<_> = Xlsx::new(Cursor::new(bytes)).map_err(|e| broken(&e))?;
    let first = workbook.sheet_names().into_iter().next();
    let first = first.ok_or_else(|| SheetError::File("the workbook has no sheet".into()))?;
    let mut cells = workbook
        .worksheet_cells_reader(&first)
        .map_err(|e| broken(&e))?;
    let mut grid = Grid::default();
    let (mut top, mut left) = (u32::MAX, u32::MAX);
    while let Some(cell) = cells.next_cell().map_err(|e| broken(&e))? {
        if *cell.get_value() == DataRef::Empty {
            continue;
        }
        let (row, column) = cell.get_position();
        (top, left) = (top.min(row), left.min(column));
        let text = plain(cell.get_value()).map_err(|what| {
            let at = address(column as usize, row as usize);
            SheetError::File(format!("cell {at}: {what}"))
        })?;
        grid.put(row as usize, column as usize, text)?;
    }
    if !grid.rows.is_empty() && (top, left) != (0, 0) {
        let first = address(left as usize, top as usize);
        return Err(SheetError::File(format!(
            "the sheet begins at cell {first} instead of A1"
        )));
    }
    Ok(grid.rows)
}

/// Cells of a stranger's sheet: each takes memory, and one far away brings all before it.
#[derive(Default)]
struct Grid {
    rows: Vec<Vec<String>>,
    cells: usize,
    letters: u64,
}

impl Grid {
    fn put(&mut self, row: usize, column: usize, text: String) -> Result<(), SheetError> {
        let rows = (row + 1).saturating_sub(self.rows.len());
        let columns = self.rows.get(row).map_or(0, Vec::len);
        self.cells += rows + (column + 1).saturating_sub(columns);
        self.letters += text.len() as u64;
        if self.cells > MOST_CELLS {
            let at = address(column, row);
            return Err(SheetError::File(format!(
                "cell {at}: a sheet has at most {MOST_CELLS} cells, empty ones among them"
            )));
        }
        if self.letters > LARGEST_SHEET {
            return Err(SheetError::File(too_large()));
        }
        if rows > 0 {
            self.rows.resize_with(row + 1, Vec::new);
        }
        let cells = &mut self.rows[row];
        if cells.len() <= column {
            cells.resize_with(column + 1, String::new);
        }
        cells[column] = text;
        Ok(())
    }
}

/// A workbook is an archive: it is unpacked once for its size alone, since what it says of itself may be a lie.
fn unpacked_fits(bytes: &[u8]) -> Result<(), SheetError> {
    let archive = zip::ZipArchive::new(Cursor::new(bytes));
    let mut archive =
        archive.map_err(|error| SheetError::File(format!("this is no workbook: {error}")))?;
    let mut left = LARGEST_SHEET;
    for at in 0..archive.len() {
        let Ok(file) = archive.by_index(at) else {
            continue;
        };
        let mut inside = Vec::new();
        // What cannot be unpacked is told by who reads it.
        let _ = file.take(left + 1).read_to_end(&mut inside);
        match left.checked_sub(inside.len() as u64) {
            Some(rest) => left = rest,
            None => return Err(SheetError::File(too_large())),
        }
        if let Some(odd) = odd_address(&inside) {
            let message = format!("this is no workbook: there is no cell `{odd}`");
            return Err(SheetError::File(message));
        }
    }
    Ok(())
}

/// The address of a cell further away than any sheet goes, in the attributes `r` and `ref` that name cells: who reads on counts with it.
fn odd_address(xml: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(xml);
    for (at, _) in text.match_indices('=') {
        let name = text[..at].trim_end();
        let is_address = [" r", " ref"].iter().any(|end| name.ends_with(end));
        let value = text[at + 1..].trim_start();
        let Some(quote) = value
            .chars()
            .next()
            .filter(|c| is_address && "\"'".contains(*c))
        else {
            continue;
        };
        let value = value[1..].split(quote).next().unwrap_or_default();
        for cell in value.split(':') {
            let digits = cell.trim_start_matches(|c: char| c.is_ascii_alphabetic());
            let letters = cell.len() - digits.len();
            if letters > LETTERS_OF_A_COLUMN || digits.len() > DIGITS_OF_A_ROW {
                return Some(cell.chars().take(LONGEST_NAME).collect());
            }
        }
    }
    None
}

fn plain(cell: &DataRef<'_>) -> Result<String, String> {
    match cell {
        DataRef::Empty => Ok(String::new()),
        DataRef::String(text) | DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => {
            Ok(text.clone())
        }
        DataRef::SharedString(text) => Ok(text.to_string()),
        DataRef::Int(number) => Ok(number.to_string()),
        // Whole numbers are shown without a point; others as they are, for the column to refuse.
        DataRef::Float(number) => Ok(number.to_string()),
        DataRef::Bool(yes) => Ok(yes.to_string()),
        DataRef::DateTime(_) => Err("the spreadsheet has made a date of this".into()),
        DataRef::Error(error) => Err(format!("the spreadsheet says {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            (workbook(sheet, "</sheetData>", far), "at most"),
            (
                workbook(sheet, "r=\"A1\"", "r = 'AAAAAAAAAAAAAAAAAAAA1'"),
                "there is no cell",
            ),
            (
                workbook(sheet, "A1:B1", "A1:ZZZZZZ99999999999"),
                "there is no cell",
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
        let wide = "a,".repeat(MOST_CELLS + 1);
        let refused = read(wide.as_bytes(), Format::Csv).expect_err("too wide");
        assert!(refused.to_string().contains("at most"), "{refused}");
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
