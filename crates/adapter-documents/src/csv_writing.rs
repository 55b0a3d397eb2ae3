use std::error::Error;

use csv::{Terminator, Writer, WriterBuilder};
use plenum_clients::{Sheet, SheetCell};

use crate::sealing::{SealColumns, Sealing, seal_csv};

/// Marks the file as UTF-8 for Excel.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// An error while a table is written.
pub(crate) type WriteError = Box<dyn Error + Send + Sync>;

/// Writes a table according to RFC 4180.
pub(crate) fn write(sheet: &Sheet) -> Result<Vec<u8>, WriteError> {
    written(sheet)?.finish()
}

/// Writes a table with a signature in its last lines.
pub(crate) fn write_signed(sheet: &Sheet, sealing: &Sealing<'_>) -> Result<Vec<u8>, WriteError> {
    // An exported table has more columns than these. The second to last takes long texts.
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

/// A table that is written row by row, according to RFC 4180.
pub(crate) struct CsvFile {
    writer: Writer<Vec<u8>>,
}

impl CsvFile {
    /// Starts with the names of the columns.
    pub(crate) fn new(columns: &[impl AsRef<str>]) -> Result<Self, WriteError> {
        let mut writer = WriterBuilder::new().terminator(Terminator::CRLF).from_writer(MARK.to_vec());
        writer.write_record(columns.iter().map(|name| with_guards(name.as_ref())))?;
        Ok(Self { writer })
    }

    /// Further rows for an existing table.
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

/// Prevents a spreadsheet from executing a text as a formula, which could attack the administrator's machine.
const GUARD: char = '\'';
/// The characters that start a formula. The full-width ones are typed in East Asia, and programs there treat them like
/// the others.
const SIGNS: [char; 8] = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];
/// Characters after which a cell may start in a program that expects semicolons or tabs as separators. Our quotes are
/// then not at the beginning of a cell, so that program treats them as ordinary characters.
const BREAKS: [char; 4] = [';', '\t', '\r', '\n'];

/// Adds a guard to a text at each place where a formula would start.
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

/// Removes the guards from a text.
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

/// Whether a program that opens the file would execute the rest of a text. The program may drop a leading tab or line
/// break, and with it the protection of the rest. This includes a text with its own guard: a reader removes one guard,
/// and ours keeps the text's own.
fn begins_formula(before: Option<char>, rest: &str) -> bool {
    let is_sign_next = || rest.trim_start_matches(is_passed_over).starts_with(SIGNS);
    match before {
        None => rest.trim_start_matches(GUARD).starts_with(['\t', '\r', '\n']) || is_sign_next(),
        Some(letter) => BREAKS.contains(&letter) && is_sign_next(),
    }
}

/// Whether some programs skip the character at the beginning of a cell.
fn is_passed_over(letter: char) -> bool {
    let is_invisible = matches!(letter, '\u{200b}'..='\u{200f}' | '\u{feff}');
    let is_blank = letter.is_whitespace() || letter.is_control() || is_invisible;
    letter == GUARD || (is_blank && !BREAKS.contains(&letter))
}
