//! Workbooks of spreadsheet programs, read cell by cell: whatever they say of themselves, they take no more room than sheets may.

use crate::SheetError;
use crate::cell::address;
use crate::format::{Room, too_large};
use calamine::{Data, DataRef, Reader, Xlsx};
use ludoteca::limits::LARGEST_SHEET;
use std::io::{Cursor, Read};

/// The cells of the first sheet, as what stands in them.
pub fn read_xlsx(bytes: &[u8]) -> Result<Vec<Vec<String>>, SheetError> {
    let broken =
        |error: &dyn std::fmt::Display| SheetError::File(format!("this is no workbook: {error}"));
    unpacked_fits(bytes)?;
    let mut workbook: Xlsx<_> = Xlsx::new(Cursor::new(bytes)).map_err(|e| broken(&e))?;
    let name = workbook.sheet_names().first().cloned();
    let name = name.ok_or_else(|| SheetError::File("the workbook has no sheet".into()))?;
    let mut cells = workbook
        .worksheet_cells_reader(&name)
        .map_err(|e| broken(&e))?;
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut room = Room::new();
    while let Some(cell) = cells.next_cell().map_err(|e| broken(&e))? {
        if matches!(cell.get_value(), DataRef::Empty) {
            continue;
        }
        let (row, column) = cell.get_position();
        let (row, column) = (row as usize, column as usize);
        let text = plain(&Data::from(cell.get_value().clone()))
            .map_err(|what| SheetError::File(format!("cell {}: {what}", address(column, row))))?;
        if row >= rows.len() {
            room.take(row + 1 - rows.len(), (column, row))?;
            rows.resize_with(row + 1, Vec::new);
        }
        let cells = &mut rows[row];
        if column >= cells.len() {
            room.take(column + 1 - cells.len(), (column, row))?;
            cells.resize_with(column + 1, String::new);
        }
        room.take_text(&text)?;
        cells[column] = text;
    }
    Ok(rows)
}

/// A workbook is an archive: it is unpacked once for its size and for the addresses in it, since what it says of itself may be a lie.
fn unpacked_fits(bytes: &[u8]) -> Result<(), SheetError> {
    let archive = zip::ZipArchive::new(Cursor::new(bytes));
    let mut archive =
        archive.map_err(|error| SheetError::File(format!("this is no workbook: {error}")))?;
    let mut left = LARGEST_SHEET;
    for at in 0..archive.len() {
        let Ok(file) = archive.by_index(at) else {
            continue;
        };
        let mut unpacked = Vec::new();
        // What cannot be unpacked is told by who reads it.
        let _ = file.take(left + 1).read_to_end(&mut unpacked);
        match left.checked_sub(unpacked.len() as u64) {
            Some(rest) => left = rest,
            None => return Err(SheetError::File(too_large())),
        }
        if let Some(odd) = odd_address(&unpacked) {
            let odd: String = odd.chars().take(40).collect();
            return Err(SheetError::File(format!(
                "this is no workbook: no cell or range is called \"{odd}\""
            )));
        }
    }
    Ok(())
}

/// Letters and digits of the last cell that spreadsheet programs have, `XFD1048576`.
const LETTERS: usize = 3;
const DIGITS: usize = 7;

/// An address, of a cell or from one to another, that no sheet has: whoever counts with it goes beyond all numbers.
fn odd_address(xml: &[u8]) -> Option<String> {
    let mut rest = xml;
    while let Some(at) = rest.iter().position(|byte| *byte == b'<') {
        rest = &rest[at + 1..];
        let hidden = [
            (&b"!--"[..], &b"-->"[..]),
            (&b"![CDATA["[..], &b"]]>"[..]),
            (&b"?"[..], &b"?>"[..]),
        ];
        if let Some((_, end)) = hidden.iter().find(|(start, _)| rest.starts_with(start)) {
            let past = rest.windows(end.len()).position(|part| part == *end);
            rest = &rest[past.map_or(rest.len(), |past| past + end.len())..];
            continue;
        }
        // Inside of a tag: its attributes, whose values stand in quotes.
        let mut from = 0;
        while let Some(&byte) = rest.get(from).filter(|byte| **byte != b'>') {
            if byte != b'"' && byte != b'\'' {
                from += 1;
                continue;
            }
            let length = rest[from + 1..].iter().position(|other| *other == byte)?;
            let value = &rest[from + 1..from + 1 + length];
            if is_address(&rest[..from]) && !fits(value) {
                return Some(String::from_utf8_lossy(value).into_owned());
            }
            from += length + 2;
        }
        rest = &rest[from..];
    }
    None
}

/// Whether what stands before a value says that it is an address.
fn is_address(before: &[u8]) -> bool {
    let blank = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'=';
    let end = before.iter().rposition(|byte| !blank(byte));
    let before = &before[..end.map_or(0, |end| end + 1)];
    let start = before.iter().rposition(blank);
    matches!(&before[start.map_or(0, |start| start + 1)..], b"r" | b"ref")
}

fn fits(address: &[u8]) -> bool {
    let cell = |part: &[u8]| {
        let letters = part.iter().take_while(|b| b.is_ascii_alphabetic()).count();
        let (letters, digits) = part.split_at(letters);
        let column = letters.iter().fold(0u32, |sum, letter| {
            sum.saturating_mul(26)
                .saturating_add((letter.to_ascii_uppercase() - b'@') as u32)
        });
        let row = std::str::from_utf8(digits)
            .unwrap_or_default()
            .parse()
            .unwrap_or(0u32);
        (letters.len() <= LETTERS && digits.len() <= DIGITS).then_some((row, column))
    };
    let parts: Option<Vec<(u32, u32)>> = address.split(|b| *b == b':').map(cell).collect();
    match parts.as_deref() {
        Some([from, to]) => from.0 <= to.0 && from.1 <= to.1,
        Some(_) => true,
        None => false,
    }
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
    use super::odd_address;

    #[test]
    fn addresses_that_no_sheet_has_are_found_wherever_they_hide() {
        let odd = |xml: &str| odd_address(xml.as_bytes());
        for fine in [
            "<c r=\"XFD1048576\"/><dimension ref='A1:C5'/>",
            "<v>r=\"ABCDE1\"</v><c t=\"ABCDEFG1\"/>",
            "<!-- it's <c r=\"ABCDE1\"> --><c r=\"A1\"/>",
            "<c r=\"",
        ] {
            assert_eq!(odd(fine), None, "{fine}");
        }
        for (xml, told) in [
            ("<c r=\"ABCD1\"/>", "ABCD1"),
            ("<c x='>' r = 'A12345678'/>", "A12345678"),
            ("<!-- ' --><dimension\nref=\"C5:A9\"/>", "C5:A9"),
            ("<![CDATA[ ' ]]><row r=\"99999999999\">", "99999999999"),
        ] {
            assert_eq!(odd(xml).as_deref(), Some(told), "{xml}");
        }
    }
}
