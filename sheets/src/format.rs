//! Sheets as files: comma-separated values, and workbooks of spreadsheet programs.

use crate::SheetError;
use crate::cell::{Cell, address};
use calamine::{Data, Reader, Xlsx};
use ludoteca::limits::LARGEST_SHEET;
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
    let rows = reader.records().map(|record| match record {
        Ok(record) => Ok(record.iter().map(|cell| bare(cell).to_string()).collect()),
        Err(error) => Err(SheetError::File(error.to_string())),
    });
    rows.collect()
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
    let range = workbook
        .worksheet_range_at(0)
        .ok_or_else(|| SheetError::File("the workbook has no sheet".into()))?
        .map_err(|e| broken(&e))?;
    let (top, left) = range.start().unwrap_or((0, 0));
    if (top, left) != (0, 0) {
        let first = address(left as usize, top as usize);
        return Err(SheetError::File(format!(
            "the sheet begins at cell {first} instead of A1"
        )));
    }
    let rows = range.rows().enumerate().map(|(at, row)| {
        let cells = row.iter().enumerate().map(|(column, cell)| {
            plain(cell)
                .map_err(|what| SheetError::File(format!("cell {}: {what}", address(column, at))))
        });
        cells.collect()
    });
    rows.collect()
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
        // What cannot be unpacked is told by who reads it.
        let size = std::io::copy(&mut file.take(left + 1), &mut std::io::sink()).unwrap_or(0);
        match left.checked_sub(size) {
            Some(rest) => left = rest,
            None => return Err(SheetError::File(too_large())),
        }
    }
    Ok(())
}

fn plain(cell: &Data) -> Result<String, String> {
    match cell {
        Data::Empty => Ok(String::new()),
        Data::String(text) | Data::DateTimeIso(text) | Data::DurationIso(text) => Ok(text.clone()),
        Data::Int(number) => Ok(number.to_string()),
        // Whole numbers are shown without a point; others as they are, for the column to refuse.
        Data::Float(number) => Ok(number.to_string()),
        Data::Bool(yes) => Ok(yes.to_string()),
        Data::DateTime(_) => Err("the spreadsheet has made a date of this".into()),
        Data::Error(error) => Err(format!("the spreadsheet says {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
