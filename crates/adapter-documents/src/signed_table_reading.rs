//! Reads every cell of an exported table, to create and check its signature. Exactly these cells are signed.

use std::io::{Cursor, Read as _};

use calamine::{DataRef, Reader as _, Xlsx, XlsxError};
use csv::ReaderBuilder;
use plenum_clients::ReadSheetError;
use plenum_result_format::{SIGNATURE_SECTION, TableCell, TableFile, TableRow, TableSheet, UnreadableTable};
use zip::ZipArchive;

use crate::workbook_check::{self, ZIP, is_encrypted, is_ole};
use crate::workbook_package::Package;

/// Reads a CSV file or a workbook of at most `most` bytes, packed or unpacked.
pub(crate) fn read(content: &[u8], most: u64) -> Result<TableFile, UnreadableTable> {
    if content.len() as u64 > most {
        return Err(UnreadableTable::TooLarge);
    }
    if is_ole(content) {
        return Err(if is_encrypted(content) { UnreadableTable::Protected } else { UnreadableTable::Foreign });
    }
    if !content.starts_with(ZIP) {
        return read_csv(content);
    }
    workbook_check::check_within(content, most).map_err(|refused| match refused {
        ReadSheetError::Protected => UnreadableTable::Protected,
        ReadSheetError::TooLarge => UnreadableTable::TooLarge,
        _ => UnreadableTable::Foreign,
    })?;
    read_xlsx(content, most)
}

/// Reads a CSV file in Plenum's format: UTF-8, with commas.
pub(crate) fn read_csv(content: &[u8]) -> Result<TableFile, UnreadableTable> {
    let text = content.strip_prefix(b"\xef\xbb\xbf").unwrap_or(content);
    let text = std::str::from_utf8(text).map_err(|_| UnreadableTable::Foreign)?;
    if text.contains('\0') {
        return Err(UnreadableTable::Foreign);
    }
    let mut reader = ReaderBuilder::new();
    reader.has_headers(false).flexible(true);
    let mut rows = Vec::new();
    for (number, record) in (1..).zip(reader.from_reader(text.as_bytes()).into_records()) {
        let record = record.map_err(|_| UnreadableTable::Foreign)?;
        rows.push(TableRow { number, cells: record.iter().map(text_cell).collect() });
    }
    if rows.iter().all(|row| row.cells.len() < 2) {
        return Err(UnreadableTable::Foreign);
    }
    Ok(TableFile { sheets: vec![TableSheet { name: String::new(), rows }], foreign_parts: Vec::new() })
}

/// Reads a workbook whose cells take at most `most` bytes. The caller MUST have checked hostile content.
fn read_xlsx(content: &[u8], most: u64) -> Result<TableFile, UnreadableTable> {
    let package = Package::read(content).ok_or(UnreadableTable::Foreign)?;
    let cells = if package.is_direct { read_cells(content, most) } else { Err(UnreadableTable::Foreign) };
    let sheets = match cells {
        // These cells cannot be read with certainty, so the signature covers nothing.
        Err(UnreadableTable::Foreign) if package.claims_signature && !package.foreign.is_empty() => {
            vec![TableSheet { name: SIGNATURE_SECTION.to_owned(), rows: Vec::new() }]
        }
        cells => cells?,
    };
    let mut foreign_parts = package.foreign;
    if has_number_formats(content).ok_or(UnreadableTable::Foreign)? {
        foreign_parts.push(format!("{STYLES} (number formats)"));
    }
    Ok(TableFile { sheets, foreign_parts })
}

/// Reads the cells of a workbook whose sheets are parts of their own, up to `most` bytes.
pub(crate) fn read_cells(content: &[u8], most: u64) -> Result<Vec<TableSheet>, UnreadableTable> {
    let mut workbook = Xlsx::new(Cursor::new(content)).map_err(|error| refusal(&error))?;
    let mut left = most;
    let mut sheets = Vec::new();
    for name in workbook.sheet_names() {
        let rows = read_sheet(&mut workbook, &name, &mut left)?;
        sheets.push(TableSheet { name, rows });
    }
    Ok(sheets)
}

fn refusal(error: &XlsxError) -> UnreadableTable {
    match error {
        XlsxError::Password => UnreadableTable::Protected,
        _ => UnreadableTable::Foreign,
    }
}

fn read_sheet(
    workbook: &mut Xlsx<Cursor<&[u8]>>,
    name: &str,
    left: &mut u64,
) -> Result<Vec<TableRow>, UnreadableTable> {
    /// The most columns of an exported table, with a margin for later additions.
    const MAX_COLUMNS: u32 = 200;
    /// The bytes that a cell takes without its text.
    const CELL: u64 = 32;
    let mut cells = workbook.worksheet_cells_reader(name).map_err(|error| refusal(&error))?;
    let mut rows: Vec<TableRow> = Vec::new();
    while let Some(cell) = cells.next_cell_with_formula_metadata().map_err(|error| refusal(&error))? {
        // Each cell takes time, also an empty one, and most take memory.
        *left = left.checked_sub(CELL).ok_or(UnreadableTable::TooLarge)?;
        let value = cell_of(&cell.value);
        let value = if cell.formula.is_some() { TableCell::Other(format!("a formula, {value:?}")) } else { value };
        if value == TableCell::Empty {
            continue;
        }
        let (row, column) = cell.pos;
        if column >= MAX_COLUMNS {
            return Err(UnreadableTable::Foreign);
        }
        let size = match &value {
            TableCell::Text(text) | TableCell::Other(text) => text.len() as u64,
            TableCell::Empty | TableCell::Number(_) => 0,
        };
        *left = left.checked_sub(size).ok_or(UnreadableTable::TooLarge)?;
        let number = row.saturating_add(1);
        if rows.last().is_none_or(|last| last.number != number) {
            // No program writes rows out of order.
            if rows.last().is_some_and(|last| last.number > number) {
                return Err(UnreadableTable::Foreign);
            }
            rows.push(TableRow { number, cells: Vec::new() });
        }
        let Some(TableRow { cells, .. }) = rows.last_mut() else { continue };
        let column = column as usize;
        if cells.len() > column {
            return Err(UnreadableTable::Foreign);
        }
        *left = left.checked_sub(CELL * (column - cells.len()) as u64).ok_or(UnreadableTable::TooLarge)?;
        cells.resize(column, TableCell::Empty);
        cells.push(value);
    }
    Ok(rows)
}

fn text_cell(text: &str) -> TableCell {
    if text.is_empty() { TableCell::Empty } else { TableCell::Text(text.to_owned()) }
}

fn cell_of(value: &DataRef<'_>) -> TableCell {
    match value {
        DataRef::Int(number) => TableCell::Number(*number as f64),
        DataRef::Float(number) => TableCell::Number(*number),
        DataRef::String(text) => text_cell(text),
        DataRef::SharedString(text) => text_cell(text),
        DataRef::Empty => TableCell::Empty,
        DataRef::Bool(_) | DataRef::DateTime(_) | DataRef::Error(_) => TableCell::Other(format!("{value:?}")),
        DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => TableCell::Other(text.clone()),
    }
}

const STYLES: &str = "xl/styles.xml";

/// Whether a cell can show another number than its own: a format can show 5 as 7. `None` if the styles cannot be read.
fn has_number_formats(content: &[u8]) -> Option<bool> {
    let mut archive = ZipArchive::new(Cursor::new(content)).ok()?;
    let Some(place) = archive.index_for_name(STYLES) else { return Some(false) };
    let mut styles = String::new();
    // Its size was checked together with that of all other parts.
    archive.by_index(place).ok()?.read_to_string(&mut styles).ok()?;
    Some(!has_plain_formats(&styles))
}

/// Whether every number is displayed unchanged: the formats of cells are "General" or text, and no other format is
/// defined.
fn has_plain_formats(styles: &str) -> bool {
    const GENERAL: &str = "0";
    const TEXT: &str = "49";
    let mut plain = vec![GENERAL.to_owned(), TEXT.to_owned()];
    for (start, _) in styles.match_indices("numFmt ") {
        let element = styles[start..].split('>').next().unwrap_or_default();
        let is_general = attribute(element, "formatCode").is_some_and(|code| code.eq_ignore_ascii_case("general"));
        let Some(id) = attribute(element, "numFmtId").filter(|_| is_general) else { return false };
        plain.push(id.to_owned());
    }
    // Without cell formats, all cells are "General".
    let Some((_, formats)) = styles.split_once("cellXfs") else { return true };
    let formats = formats.split("cellXfs").next().unwrap_or_default();
    formats.split('<').skip(1).all(|element| {
        let id = attribute(element, "numFmtId");
        id.is_none_or(|id| plain.iter().any(|known| known == id))
    })
}

/// The value of an attribute of an element.
fn attribute<'a>(element: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = element.split_once(&format!("{name}=")).or_else(|| element.split_once(&format!("{name} =")))?;
    let rest = rest.trim_start();
    let quote = rest.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    rest[1..].split_once(quote).map(|(value, _)| value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_format_that_shows_another_number_is_found() {
        let styles = |formats: &str, cell: &str| {
            format!(
                "<styleSheet><numFmts>{formats}</numFmts><cellStyleXfs><xf numFmtId=\"9\"/></cellStyleXfs>\
                 <cellXfs count=\"2\"><xf numFmtId=\"0\" fontId=\"1\"/><xf {cell}/></cellXfs></styleSheet>"
            )
        };
        assert!(has_plain_formats("<styleSheet/>"));
        assert!(has_plain_formats(&styles("", "numFmtId=\"49\"")));
        assert!(has_plain_formats(&styles("<numFmt numFmtId=\"164\" formatCode=\"General\"/>", "numFmtId='164'")));
        for changed in [
            styles("<numFmt numFmtId=\"164\" formatCode=\"&quot;7&quot;\"/>", "numFmtId=\"0\""),
            styles("<numFmt formatCode=\";;;\" numFmtId=\"164\"/>", "numFmtId=\"164\""),
            styles("<x:numFmt numFmtId=\"0\" formatCode=\"0\"/>", "numFmtId=\"0\""),
            styles("", "numFmtId=\"1\""),
            styles("", "numFmtId = '9'"),
        ] {
            assert!(!has_plain_formats(&changed), "{changed}");
        }
    }
}
