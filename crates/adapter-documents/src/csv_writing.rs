use std::error::Error;

use csv::{Terminator, Writer, WriterBuilder};
use plenum_clients::{Sheet, SheetCell};

use crate::sealing::{SealColumns, Sealing, seal_csv};

/// By this Excel knows UTF-8.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// What can go wrong while a table is written.
pub(crate) type WriteError = Box<dyn Error + Send + Sync>;

/// Writes a table as RFC 4180 says.
pub(crate) fn write(sheet: &Sheet) -> Result<Vec<u8>, WriteError> {
    written(sheet)?.finish()
}

/// Writes a table with a signature in its last lines.
pub(crate) fn write_signed(sheet: &Sheet, sealing: &Sealing<'_>) -> Result<Vec<u8>, WriteError> {
    // An exported table has more columns than these. The last but one takes long texts.
    let count = sheet.columns.len();
    let columns = SealColumns { count, name: 2, content: count.saturating_sub(2).max(3) };
    seal_csv(written(sheet)?, columns, sealing)
}

fn written(sheet: &Sheet) -> Result<CsvFile, WriteError> {
    let mut file = CsvFile::new(&sheet.columns)?;
    for row in &sheet.rows {
        file.push(row)?;
    }
    Ok(file)
}

/// A table that is written row by row, as RFC 4180 says.
pub(crate) struct CsvFile {
    writer: Writer<Vec<u8>>,
}

impl CsvFile {
    /// Begins with the names of the columns.
    pub(crate) fn new(columns: &[&str]) -> Result<Self, WriteError> {
        let mut writer = WriterBuilder::new().terminator(Terminator::CRLF).from_writer(MARK.to_vec());
        writer.write_record(columns)?;
        Ok(Self { writer })
    }

    /// More rows for a table that was written.
    pub(crate) fn without_head() -> Self {
        Self { writer: WriterBuilder::new().terminator(Terminator::CRLF).from_writer(Vec::new()) }
    }

    /// Adds a row, with a cell for every column.
    pub(crate) fn push(&mut self, row: &[SheetCell]) -> Result<(), WriteError> {
        Ok(self.writer.write_record(row.iter().map(text))?)
    }

    /// The whole file.
    pub(crate) fn finish(self) -> Result<Vec<u8>, WriteError> {
        Ok(self.writer.into_inner()?)
    }
}

fn text(cell: &SheetCell) -> String {
    match cell {
        SheetCell::Number(number) => number.to_string(),
        SheetCell::Text(text) => with_guards(text),
    }
}

/// Keeps a spreadsheet from running a text as a formula: such a name could attack the administrator's machine.
const GUARD: char = '\'';
/// With these a formula begins. The wide ones are typed in East Asia, and programs there take them for the others.
const SIGNS: [char; 8] = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];
/// Behind these a cell begins, too, for a program that expects semicolons or tabs between cells: our quotes do not stand
/// at the beginning of a cell then, and so are letters to it.
const BREAKS: [char; 4] = [';', '\t', '\r', '\n'];

/// The text with a guard wherever a formula would begin.
fn with_guards(text: &str) -> String {
    let mut guarded = String::with_capacity(text.len() + 1);
    let mut last = None;
    for (place, letter) in text.char_indices() {
        if begins_formula(last, &text[place..]) {
            guarded.push(GUARD);
        }
        guarded.push(letter);
        last = Some(letter);
    }
    guarded
}

/// The text as it was before it was written.
pub(crate) fn without_guards(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut last = None;
    for (place, letter) in text.char_indices() {
        let rest = &text[place + letter.len_utf8()..];
        if letter != GUARD || !begins_formula(last, rest) {
            plain.push(letter);
        }
        last = Some(letter);
    }
    plain
}

/// Whether a program that opens the file would carry out the rest of a text. What begins with a tab or a line break may
/// lose it, and with it what kept the rest from being a formula. So it is where a guard stands already that is the text's own:
/// the reader, who takes one away, finds it again behind ours.
fn begins_formula(before: Option<char>, rest: &str) -> bool {
    let is_sign_next = || rest.trim_start_matches(is_passed_over).starts_with(SIGNS);
    match before {
        None => rest.trim_start_matches(GUARD).starts_with(['\t', '\r', '\n']) || is_sign_next(),
        Some(letter) => BREAKS.contains(&letter) && is_sign_next(),
    }
}

/// Whether some programs pass over it at the beginning of a cell.
fn is_passed_over(letter: char) -> bool {
    let is_invisible = matches!(letter, '\u{200b}'..='\u{200f}' | '\u{feff}');
    let is_blank = letter.is_whitespace() || letter.is_control() || is_invisible;
    letter == GUARD || (is_blank && !BREAKS.contains(&letter))
}
