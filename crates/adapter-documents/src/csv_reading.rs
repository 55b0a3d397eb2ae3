use std::collections::HashMap;

use csv::{ReaderBuilder, StringRecord};
use plenum_clients::{ReadSheet, ReadSheetError, SheetFormat, TableChoice, suggest_columns};

use crate::csv_writing::without_guards;
use crate::table::{Origin, Table};
use crate::text::decode;

/// The possible separators of cells; if two are equally likely, the earlier one is used.
const SEPARATORS: [u8; 4] = [b'\t', b';', b',', b'|'];

/// The number of rows that are examined to detect the separator.
const SAMPLE: usize = 50;

/// Reads the table of a text file.
pub(crate) fn read(content: &[u8], choice: &TableChoice) -> Result<ReadSheet, ReadSheetError> {
    if choice.sheet.is_some() {
        return Err(ReadSheetError::NoSuchSheet);
    }
    let (text, encoding) = decode(content).ok_or(ReadSheetError::NoTable)?;
    let (text, stated) = take_statement(&text);
    let separator = stated.unwrap_or_else(|| detect_separator(text));
    let mut table = Table::default();
    let mut row = 0;
    for record in records(text, separator) {
        let record = record.map_err(|_| ReadSheetError::NoTable)?;
        let begin = record.position().map_or(0, |position| usize::try_from(position.byte()).unwrap_or(usize::MAX));
        row += 1 + blank_rows_at(text, begin);
        table.push(row, record.iter().map(cell).collect())?;
    }
    let origin = Origin {
        format: SheetFormat::Csv,
        separator: Some(char::from(separator)),
        encoding: Some(encoding),
        sheet: None,
        sheets: Vec::new(),
    };
    table.finish(origin, choice.header_row)
}

fn records(text: &str, separator: u8) -> impl Iterator<Item = csv::Result<StringRecord>> + '_ {
    let mut reader = ReaderBuilder::new();
    reader.delimiter(separator).has_headers(false).flexible(true);
    reader.from_reader(text.as_bytes()).into_records()
}

fn cell(text: &str) -> String {
    // A guard may precede a tab, too.
    without_guards(text.trim()).trim().to_owned()
}

/// `sep=;` in the first line is a statement to Excel and not a row, and does not count as one. Returns the rest and the
/// separator.
fn take_statement(text: &str) -> (&str, Option<u8>) {
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    let stated = first.trim_end_matches('\r').strip_prefix("sep=").map(str::as_bytes);
    match stated {
        Some([separator]) if separator.is_ascii() => (rest, Some(*separator)),
        _ => (text, None),
    }
}

/// The separator that yields the most known headings in one of the first rows. Of several, the one with the same count
/// in as many rows as possible: titles above the headings may have no separator at all.
fn detect_separator(text: &str) -> u8 {
    let mut likely = (b',', (0, 0));
    for separator in SEPARATORS {
        let mut known = 0;
        let mut rows_of_width: HashMap<usize, usize> = HashMap::new();
        for record in records(text, separator).take(SAMPLE).map_while(Result::ok).filter(|record| record.len() > 1) {
            let cells: Vec<String> = record.iter().map(cell).collect();
            known = known.max(suggest_columns(&cells).len());
            *rows_of_width.entry(record.len()).or_default() += 1;
        }
        let fitting = (known, rows_of_width.into_values().max().unwrap_or_default());
        if fitting > likely.1 {
            likely = (separator, fitting);
        }
    }
    likely.0
}

/// The number of blank lines at `begin`, before the cells of the record that starts there.
fn blank_rows_at(text: &str, begin: usize) -> u32 {
    let bytes = text.as_bytes();
    let is_break = |place: usize| matches!(bytes.get(place), Some(b'\n' | b'\r'));
    let mut place = begin;
    // The second half of the previous record's line break.
    if begin > 0 && bytes.get(begin) == Some(&b'\n') && bytes.get(begin - 1) == Some(&b'\r') {
        place += 1;
    }
    let mut blank = 0;
    while is_break(place) {
        let is_pair = bytes[place] == b'\r' && bytes.get(place + 1) == Some(&b'\n');
        place += if is_pair { 2 } else { 1 };
        blank += 1;
    }
    blank
}
