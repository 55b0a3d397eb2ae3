use std::io::Cursor;

use calamine::{CellErrorType, DataRef, ExcelDateTime, Reader as _, Xlsx, XlsxCellReader, XlsxError};
use plenum_clients::{MAX_SHEET_COLUMNS, ReadSheet, ReadSheetError, SheetFormat, TableChoice};
use plenum_result_format::SIGNATURE_SECTION;

use crate::table::{Origin, Table};
use crate::workbook_check::check;

/// The number of sheets that are examined.
const MAX_SHEETS: usize = 20;

/// Reads the chosen sheet of a workbook. By default, it is the one most similar to a list of people: the first of those
/// with the most known headings.
pub(crate) fn read(content: &[u8], choice: &TableChoice) -> Result<ReadSheet, ReadSheetError> {
    check(content)?;
    let mut workbook = Xlsx::new(Cursor::new(content)).map_err(|error| refusal(&error))?;
    let mut sheets = Vec::new();
    let mut best: Option<((bool, usize, bool), String, Table)> = None;
    let mut fault = None;
    for name in workbook.sheet_names().into_iter().take(MAX_SHEETS) {
        let mut cells = match workbook.worksheet_cells_reader(&name) {
            Ok(cells) => cells,
            // A sheet of charts.
            Err(XlsxError::NotAWorksheet(_)) => continue,
            Err(error) => return Err(refusal(&error)),
        };
        let is_chosen = choice.sheet.as_ref().is_none_or(|chosen| *chosen == name);
        if !is_chosen && name != SIGNATURE_SECTION {
            sheets.push(name);
            continue;
        }
        let read = read_sheet(&mut cells);
        if name == SIGNATURE_SECTION && read.as_ref().is_ok_and(Table::is_signature) {
            continue;
        }
        sheets.push(name.clone());
        match read {
            _ if !is_chosen => {}
            Ok(table) if table.is_empty() => {}
            Ok(table) => {
                let likeness = table.likeness();
                if best.as_ref().is_none_or(|(other, ..)| likeness > *other) {
                    best = Some((likeness, name, table));
                }
            }
            // The user may mean another sheet.
            Err(error) => fault = fault.or(Some(error)),
        }
    }
    let Some((_, sheet, table)) = best else {
        let is_known = choice.sheet.as_ref().is_none_or(|chosen| sheets.contains(chosen));
        return Err(fault.unwrap_or(if is_known { ReadSheetError::Empty } else { ReadSheetError::NoSuchSheet }));
    };
    let origin = Origin { format: SheetFormat::Xlsx, separator: None, encoding: None, sheet: Some(sheet), sheets };
    table.finish(origin, choice.header_row)
}

fn refusal(error: &XlsxError) -> ReadSheetError {
    match error {
        XlsxError::Password => ReadSheetError::Protected,
        // A document of another program, or a missing or damaged part.
        _ => ReadSheetError::NoTable,
    }
}

/// Reads cell by cell, because a sheet may have two cells that are a million rows apart.
fn read_sheet(cells: &mut XlsxCellReader<'_, Cursor<&[u8]>>) -> Result<Table, ReadSheetError> {
    let mut table = Table::default();
    let mut row: Option<(u32, Vec<String>)> = None;
    while let Some(cell) = cells.next_cell().map_err(|error| refusal(&error))? {
        let text = text_of(cell.get_value());
        if text.is_empty() {
            continue;
        }
        let (place, column) = cell.get_position();
        let column = column as usize;
        if column >= MAX_SHEET_COLUMNS {
            return Err(ReadSheetError::TooManyColumns);
        }
        if let Some((before, texts)) = row.take_if(|(before, _)| *before != place) {
            // No program writes rows out of order.
            if before > place {
                return Err(ReadSheetError::NoTable);
            }
            table.push(line_of(before), texts)?;
        }
        let (_, texts) = row.get_or_insert_with(|| (place, Vec::new()));
        if texts.len() <= column {
            texts.resize(column + 1, String::new());
        }
        texts[column] = text;
    }
    if let Some((place, texts)) = row {
        table.push(line_of(place), texts)?;
    }
    Ok(table)
}

fn line_of(place: u32) -> u32 {
    place.saturating_add(1)
}

fn text_of(value: &DataRef<'_>) -> String {
    match value {
        DataRef::Int(number) => number.to_string(),
        DataRef::Float(number) => number_text(*number),
        DataRef::String(text) => text.trim().to_owned(),
        DataRef::SharedString(text) => text.trim().to_owned(),
        DataRef::Bool(is_true) => is_true.to_string(),
        DataRef::DateTime(time) => time_text(*time),
        DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => text.trim().to_owned(),
        DataRef::Error(error) => error_text(error),
        DataRef::Empty => String::new(),
    }
}

/// With the 15 digits that spreadsheets show, so that 0.1 + 0.2 is 0.3.
fn number_text(number: f64) -> String {
    let shown: Result<f64, _> = format!("{number:.14e}").parse();
    shown.unwrap_or(number).to_string()
}

/// In the format of ISO 8601, without a time of day if there is none.
fn time_text(time: ExcelDateTime) -> String {
    if time.is_duration() {
        return number_text(time.as_f64());
    }
    let (year, month, day, hour, minute, second, _) = time.to_ymd_hms_milli();
    let date = format!("{year:04}-{month:02}-{day:02}");
    if (hour, minute, second) == (0, 0, 0) { date } else { format!("{date}T{hour:02}:{minute:02}:{second:02}") }
}

/// The text that the spreadsheet shows, so that users recognize the cell.
fn error_text(error: &CellErrorType) -> String {
    error.to_string()
}
