use csv::{ReaderBuilder, StringRecord};
use plenum_clients::{ReadSheet, ReadSheetError, SheetFormat};

use crate::csv_writing::without_guards;
use crate::table::Table;
use crate::text::decode;

/// What may stand between two cells; of two that are equally likely the earlier one.
const SEPARATORS: [u8; 4] = [b'\t', b';', b',', b'|'];

/// How many rows are looked at to find out what stands between two cells.
const SAMPLE: usize = 50;

/// Reads the table of a file of texts.
pub(crate) fn read(content: &[u8]) -> Result<ReadSheet, ReadSheetError> {
    let (text, encoding) = decode(content).ok_or(ReadSheetError::NoTable)?;
    let (text, first_line, stated) = take_statement(&text);
    let separator = stated.unwrap_or_else(|| detect_separator(text));
    let mut lines = Lines { text, place: 0, line: first_line };
    let mut table = Table::default();
    for record in records(text, separator) {
        let record = record.map_err(|_| ReadSheetError::NoTable)?;
        let begin = record.position().map_or(0, |position| usize::try_from(position.byte()).unwrap_or(usize::MAX));
        table.push(lines.line_at(begin), record.iter().map(cell).collect())?;
    }
    table.finish(SheetFormat::Csv, Some(char::from(separator)), Some(encoding))
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

/// `sep=;` in the first line is a word to Excel and not part of the table. Returns the rest, the number of its first
/// line, and the separator.
fn take_statement(text: &str) -> (&str, u32, Option<u8>) {
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    let stated = first.trim_end_matches('\r').strip_prefix("sep=").map(str::as_bytes);
    match stated {
        Some([separator]) if separator.is_ascii() => (rest, 2, Some(*separator)),
        _ => (text, 1, None),
    }
}

/// What stands between two cells in as many as possible of the first rows, as often as in the headings.
fn detect_separator(text: &str) -> u8 {
    let fitting = |separator: u8| {
        let mut rows = records(text, separator).take(SAMPLE).map_while(Result::ok).map(|record| record.len());
        let columns = rows.next().unwrap_or_default();
        if columns < 2 { 0 } else { 1 + rows.filter(|width| *width == columns).count() }
    };
    let mut likely = (b',', 0);
    for separator in SEPARATORS {
        let rows = fitting(separator);
        if rows > likely.1 {
            likely = (separator, rows);
        }
    }
    likely.0
}

/// Tells in which line of a text a place is; places come in order.
struct Lines<'a> {
    text: &'a str,
    place: usize,
    line: u32,
}

impl Lines<'_> {
    /// The line of the first cell at or behind `begin`: blank lines before a row count as part of it.
    fn line_at(&mut self, begin: usize) -> u32 {
        let bytes = self.text.as_bytes();
        let is_break = |place: &usize| matches!(bytes.get(*place), Some(b'\n' | b'\r'));
        let mut end = begin.min(bytes.len());
        while is_break(&end) {
            end += 1;
        }
        let passed = &bytes[self.place..end.max(self.place)];
        for (place, byte) in passed.iter().enumerate() {
            // A line ends with \n, with \r\n, or with \r alone.
            let next = bytes.get(self.place + place + 1);
            if *byte == b'\n' || *byte == b'\r' && next != Some(&b'\n') {
                self.line += 1;
            }
        }
        self.place = end.max(self.place);
        self.line
    }
}
