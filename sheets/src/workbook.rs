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
        archive.map_err(|_| SheetError::File("this is no workbook, or it is damaged".into()))?;
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
        if let Some(lie) = lie(&unpacked) {
            return Err(SheetError::File(format!("this is no workbook: {lie}")));
        }
    }
    Ok(())
}

/// Letters and digits of the last cell that spreadsheet programs have, `XFD1048576`.
const LETTERS: usize = 3;
const DIGITS: usize = 7;

/// What whoever reads a part of a workbook would believe to their harm, in words.
///
/// An address, of a cell or from one to another, that no sheet has: whoever counts with it goes beyond all numbers. A count of texts that
/// the part has no room for: whoever believes it asks for the memory. A declaration of what its words stand for: no spreadsheet writes one,
/// and others would read what follows it otherwise than it is read here.
fn lie(xml: &[u8]) -> Option<String> {
    // Of two bytes a letter: read here it would say nothing.
    if WIDE.iter().any(|start| xml.starts_with(start)) {
        return Some("it is not written in UTF-8".into());
    }
    let mut rest = xml;
    while let Some(at) = rest.iter().position(|byte| *byte == b'<') {
        rest = &rest[at + 1..];
        let hidden = [
            (&b"!--"[..], &b"-->"[..]),
            (&b"![CDATA["[..], &b"]]>"[..]),
            (&b"?"[..], &b"?>"[..]),
        ];
        if let Some((start, end)) = hidden.iter().find(|(start, _)| rest.starts_with(start)) {
            // `<!-->` does not end what it begins.
            rest = &rest[start.len()..];
            let past = rest.windows(end.len()).position(|part| part == *end);
            rest = &rest[past.map_or(rest.len(), |past| past + end.len())..];
            continue;
        }
        let start = rest.get(..DECLARES.len()).unwrap_or_default();
        if start.eq_ignore_ascii_case(DECLARES) {
            return Some("it declares what its words stand for".into());
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
            let shown = || {
                let value = String::from_utf8_lossy(value);
                value.chars().take(SHOWN).collect::<String>()
            };
            match name_before(&rest[..from]) {
                b"r" | b"ref" if !fits(value) => {
                    return Some(format!("no cell or range is called \"{}\"", shown()));
                }
                b"uniqueCount" if !has_room(xml, value) => {
                    return Some(format!("it has no room for {} texts", shown()));
                }
                _ => {}
            }
            from += length + 2;
        }
        rest = &rest[from..];
    }
    None
}

/// How a part begins whose letters have two bytes.
const WIDE: [&[u8]; 4] = [b"\xfe\xff", b"\xff\xfe", b"\0<", b"<\0"];
/// How a declaration begins of what the words of a part stand for.
const DECLARES: &[u8] = b"!DOCTYPE";
/// Letters of what is wrong that are shown.
const SHOWN: usize = 40;
/// The shortest text of a workbook.
const TEXT: usize = "<si/>".len();

/// Whether a part of a workbook may have so many texts. What is no number is believed by nobody.
fn has_room(xml: &[u8], count: &[u8]) -> bool {
    let digits = count.iter().filter(|byte| byte.is_ascii_digit());
    let count = digits.fold(0usize, |count, digit| {
        let digit = usize::from(digit - b'0');
        count.saturating_mul(10).saturating_add(digit)
    });
    count.saturating_mul(TEXT) <= xml.len()
}

/// The name of the attribute whose value stands behind this.
fn name_before(before: &[u8]) -> &[u8] {
    let blank = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'=';
    let end = before.iter().rposition(|byte| !blank(byte));
    let before = &before[..end.map_or(0, |end| end + 1)];
    let start = before
        .iter()
        .rposition(|byte| blank(byte) || matches!(byte, b'"' | b'\''));
    &before[start.map_or(0, |start| start + 1)..]
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
    use super::lie;

    #[test]
    fn what_would_be_believed_is_found_wherever_it_hides() {
        let told = |xml: &str| lie(xml.as_bytes());
        for fine in [
            "<c r=\"XFD1048576\"/><dimension ref='A1:C5'/>",
            "<v>r=\"ABCDE1\"</v><c t=\"ABCDEFG1\"/>",
            "<!-- it's <c r=\"ABCDE1\"> --><c r=\"A1\"/>",
            "<c r=\"",
            "<!--><c r=\"ABCDE1\"> --><c r=\"A1\"/>",
            "<sst count=\"9\" uniqueCount=\"2\"><si/><si/></sst>",
            "<sst uniqueCount=\"\"><t>uniqueCount=\"99999\"</t></sst>",
        ] {
            assert_eq!(told(fine), None, "{fine}");
        }
        for (xml, said) in [
            ("<c r=\"ABCD1\"/>", "\"ABCD1\""),
            ("<c x='>' r = 'A12345678'/>", "\"A12345678\""),
            ("<c x='>'r='A12345678'/>", "\"A12345678\""),
            ("<!-- ' --><dimension\nref=\"C5:A9\"/>", "\"C5:A9\""),
            ("<![CDATA[ ' ]]><row r=\"99999999999\">", "\"99999999999\""),
            ("<sst uniqueCount=\"4000000000\">", "4000000000 texts"),
            ("<sst a='1'uniqueCount = ' 90'/>", " 90 texts"),
            (
                "<!DOCTYPE a [<!-- \" -->]><sst uniqueCount=\"4000000000\">",
                "declares",
            ),
            ("<!doctype a>", "declares"),
        ] {
            let found = told(xml).unwrap_or_default();
            assert!(found.contains(said), "{found:?} of {xml}");
        }
        assert!(lie("\u{feff}<sst/>".as_bytes()).is_none());
        assert!(lie(b"\xff\xfe<\0s\0").is_some());
    }
}
