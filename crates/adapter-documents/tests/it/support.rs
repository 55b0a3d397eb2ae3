use std::io::{Cursor, Write as _};
use std::sync::Arc;

use plenum_adapter_documents::Documents;
use plenum_adapter_security::EvidenceKeyRing;
use plenum_clients::{
    ReadSheet, ReadSheetError, Sheet, SheetCell, SheetFormat, SheetReader as _, SheetWriter as _, TableChoice,
};
use plenum_records::document_seal;
use plenum_result_format::DocumentSeal;
use rust_xlsxwriter::{Workbook, Worksheet};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// Reads a file.
pub(crate) async fn read_at(
    name: &str,
    content: impl Into<Vec<u8>>,
    choice: TableChoice,
) -> Result<ReadSheet, ReadSheetError> {
    Documents::new().read(name, content.into(), choice).await
}

/// Reads a file with a guessed place of its table.
pub(crate) async fn read(name: &str, content: impl Into<Vec<u8>>) -> Result<ReadSheet, ReadSheetError> {
    read_at(name, content, TableChoice::default()).await
}

/// Reads a file that holds a table.
pub(crate) async fn table(name: &str, content: impl Into<Vec<u8>>) -> ReadSheet {
    read(name, content).await.unwrap()
}

/// The cells of the rows, without their lines.
pub(crate) fn cells(sheet: &ReadSheet) -> Vec<Vec<&str>> {
    sheet.rows.iter().map(|row| row.cells.iter().map(String::as_str).collect()).collect()
}

/// The lines in which the rows start.
pub(crate) fn lines(sheet: &ReadSheet) -> Vec<u32> {
    sheet.rows.iter().map(|row| row.line).collect()
}

/// A workbook with one sheet.
pub(crate) fn workbook(fill: impl FnOnce(&mut Worksheet)) -> Vec<u8> {
    let mut workbook = Workbook::new();
    fill(workbook.add_worksheet());
    workbook.save_to_buffer().unwrap()
}

/// An archive with these parts.
pub(crate) fn archive(parts: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in parts {
        archive.start_file(*name, SimpleFileOptions::default()).unwrap();
        archive.write_all(content).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

/// Writes a table of one text and one number.
pub(crate) async fn written(text: &str, number: &str, format: SheetFormat) -> Vec<u8> {
    let row = vec![SheetCell::Text(text.to_owned()), SheetCell::Number(number.parse().unwrap())];
    let sheet = Sheet { title: "End users", columns: vec!["Name".into(), "Weight".into()], rows: vec![row] };
    Documents::new().write(sheet, format).await.unwrap()
}

/// A new key with its signer.
pub(crate) fn seal() -> DocumentSeal {
    let keys = Arc::new(EvidenceKeyRing::generate("2026-11-01T08:00:00Z".parse().unwrap()));
    document_seal(keys, "https://vote.example.org/verify".to_owned())
}
