//! Signs tables: adds lines about the signer and the content, and the signature of all cells.

use plenum_clients::SheetCell;
use plenum_kernel::EvidenceKeys;
use plenum_result_format::{SIGNATURE_SECTION, TableFile, TableSeal, hexadecimal};

use crate::csv_writing::{CsvFile, WriteError};
use crate::signed_table_reading;

/// The lines of a signature, and the function that computes its value.
pub(crate) struct Sealing<'a> {
    pub(crate) lines: Vec<(&'static str, String)>,
    pub(crate) keys: &'a dyn EvidenceKeys,
}

impl Sealing<'_> {
    /// Computes the signature of a table that has the lines, but not the value yet.
    fn value(&self, table: &TableFile) -> String {
        hexadecimal(&self.keys.sign(&table.message()))
    }
}

/// The columns of a CSV file for these lines.
#[derive(Clone, Copy)]
pub(crate) struct SealColumns {
    /// The number of columns.
    pub(crate) count: usize,
    /// The column of the names.
    pub(crate) name: usize,
    /// The column of the contents.
    pub(crate) content: usize,
}

impl SealColumns {
    fn row(self, name: &str, content: &str) -> Vec<SheetCell> {
        let mut row = vec![SheetCell::Text(String::new()); self.count];
        for (place, text) in [(0, SIGNATURE_SECTION), (self.name, name), (self.content, content)] {
            row[place] = SheetCell::Text(text.to_owned());
        }
        row
    }
}

/// Appends the signature to a CSV file.
pub(crate) fn seal_csv(mut file: CsvFile, columns: SealColumns, sealing: &Sealing<'_>) -> Result<Vec<u8>, WriteError> {
    for (name, content) in &sealing.lines {
        file.push(&columns.row(name, content))?;
    }
    let mut content = file.finish()?;
    let value = sealing.value(&signed_table_reading::read_csv(&content)?);
    let mut last = CsvFile::without_head();
    last.push(&columns.row(TableSeal::VALUE, &value))?;
    content.extend(last.finish()?);
    Ok(content)
}

/// The rows of the last sheet of a workbook.
pub(crate) struct SignatureSheet<'a> {
    sealing: &'a Sealing<'a>,
    value: Option<String>,
}

impl SignatureSheet<'_> {
    /// The rows, each with a name and a content.
    pub(crate) fn rows(&self) -> impl Iterator<Item = (&str, &str)> {
        let lines = self.sealing.lines.iter().map(|(name, content)| (*name, content.as_str()));
        lines.chain(self.value.as_deref().map(|value| (TableSeal::VALUE, value)))
    }
}

/// Writes a workbook with the signature in its last sheet. `write` is called twice: for the signed cells, and again
/// with the signature.
pub(crate) fn seal_xlsx<E: Into<WriteError>>(
    sealing: &Sealing<'_>,
    write: impl Fn(&SignatureSheet<'_>) -> Result<Vec<u8>, E>,
) -> Result<Vec<u8>, WriteError> {
    let unsigned = write(&SignatureSheet { sealing, value: None }).map_err(Into::into)?;
    let table = TableFile { sheets: signed_table_reading::read_cells(&unsigned, u64::MAX)?, foreign_parts: Vec::new() };
    drop(unsigned);
    let value = Some(sealing.value(&table));
    write(&SignatureSheet { sealing, value }).map_err(Into::into)
}
