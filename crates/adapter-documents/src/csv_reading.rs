use std::collections::HashMap;

use csv::{ReaderBuilder, StringRecord};
use plenum_clients::{ReadSheet, ReadSheetError, SheetFormat, TableChoice, suggest_columns};

use crate::csv_writing::without_guards;
use crate::table::{Origin, Table};
use crate::text::decode;

/// What may stand between two cells; of two that are equally likely the earlier one.
const SEPARATORS: [u8; 4] = [b'\t', b';', b',', b'|'];

/// How many rows are looked at to find out what stands between two cells.
const SAMPLE: usize = 50;

/// Reads the table of a file of texts.
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
    // A guard may stand before a tab, too.
    without_guards(text.trim()).trim().to_owned()
}

/// `sep=;` in the first line is a word to Excel and no row, nor does it count as one. Returns the rest and the separator.
fn take_statement(text: &str) -> (&str, Option<u8>) {
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    let stated = first.trim_end_matches('\r').strip_prefix("sep=").map(str::as_bytes);
    match stated {
        Some([separator]) if separator.is_ascii() => (rest, Some(*separator)),
        _ => (text, None),
    }
}

/// The separator by which the most headings are known in one of the first rows; of several, the one that stands in as many
/// rows as possible, as often in each of them: above the headings there may be titles that have it not at all.
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

/// How many blank lines stand at `begin`, before the cells of the record that is said to begin there.
fn blank_rows_at(text: &str, begin: usize) -> u32 {
    let bytes = text.as_bytes();
    let is_break = |place: usize| matches!(bytes.get(place), Some(b'\n' | b'\r'));
    let mut place = begin;
    // The second half of the end of the record before.
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
