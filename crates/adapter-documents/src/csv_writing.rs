use std::error::Error;

use csv::{Terminator, Writer, WriterBuilder};
use plenum_clients::{Sheet, SheetCell};

/// By this Excel knows UTF-8.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// What can go wrong while a table is written.
pub(crate) type WriteError = Box<dyn Error + Send + Sync>;

/// Writes a table as RFC 4180 says.
pub(crate) fn write(sheet: &Sheet) -> Result<Vec<u8>, WriteError> {
    let mut file = CsvFile::new(&sheet.columns)?;
    for row in &sheet.rows {
        file.push(row)?;
    }
    file.finish()
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
        SheetCell::Text(text) if is_nearly_formula(text) => format!("'{text}"),
        SheetCell::Text(text) => text.clone(),
    }
}

/// Whether a text is a formula but for apostrophes before it. It is written behind one more, so that the reader, who takes
/// one away, finds the others again.
pub(crate) fn is_nearly_formula(text: &str) -> bool {
    is_formula(text.trim_start_matches('\''))
}

/// Whether a program that opens the file would carry the text out: whoever writes such a name would get at the
/// administrator's machine.
fn is_formula(text: &str) -> bool {
    text.starts_with(['=', '+', '-', '@', '\t', '\r'])
}
