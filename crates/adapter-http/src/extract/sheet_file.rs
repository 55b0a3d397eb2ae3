use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use plenum_clients::{
    MAX_SHEET_BYTES, MAX_SHEET_COLUMNS, MAX_SHEET_ROWS, ReadSheet, ReadSheetError, SheetReader, TableChoice,
};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::error::ApiError;

/// The largest body, in bytes: a file of 5 MB in Base64, with a margin so that slightly larger files get a specific
/// error.
pub(crate) const MAX_SHEET_BODY: usize = 8 * 1024 * 1024;

/// A CSV file or an Excel workbook with a table.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "fileName": "members.csv", "content": "TmFtZTtHZXdpY2h0CkJlbiBPdHRvOzEsNQpBZGEgQmVyZzsyCg==",
}))]
pub(crate) struct SheetFileBody {
    /// The name of the file. It ends in .csv, .txt, .tsv or .xlsx.
    file_name: String,
    /// The file in Base64. The file itself has at most 5 MB.
    content: String,
    /// The sheet of a workbook. If missing, the server detects it.
    sheet: Option<String>,
    /// The number of the header row, as spreadsheets show it. If missing, the server detects it.
    #[schema(minimum = 1)]
    header_row: Option<u32>,
}

impl SheetFileBody {
    /// The table of the file.
    ///
    /// # Errors
    /// Names the field and the requirement of a file that cannot be used.
    pub(crate) async fn read(self, sheets: &dyn SheetReader) -> Result<ReadSheet, ApiError> {
        let content = STANDARD.decode(self.content.as_bytes());
        let content = content.map_err(|_| ApiError::invalid_field("content", "Must be the file in Base64."))?;
        let choice = TableChoice { sheet: self.sheet, header_row: self.header_row };
        Ok(sheets.read(&self.file_name, content, choice).await?)
    }
}

impl From<ReadSheetError> for ApiError {
    fn from(error: ReadSheetError) -> Self {
        let requirement = match error {
            ReadSheetError::UnknownKind => {
                return Self::invalid_field("fileName", "Must end in .csv, .txt, .tsv or .xlsx.");
            }
            ReadSheetError::NoSuchSheet => {
                return Self::invalid_field("sheet", "Must be the name of a sheet of the workbook.");
            }
            ReadSheetError::NoSuchHeaderRow => {
                return Self::invalid_field("headerRow", "Must be a row that is not blank and has rows below it.");
            }
            ReadSheetError::OtherWorkbook => {
                "Must be a CSV file or an Excel workbook (.xlsx). Please save the table as one of these.".to_owned()
            }
            ReadSheetError::Protected => {
                "Must open without a password. Please save the workbook without its protection.".to_owned()
            }
            ReadSheetError::NoTable => "Must be a table: a CSV file or an Excel workbook (.xlsx).".to_owned(),
            ReadSheetError::Empty => "Must have headings and at least one row below them.".to_owned(),
            ReadSheetError::TooLarge => {
                format!("Must be at most {} MB large, unpacked as well.", MAX_SHEET_BYTES / 1024 / 1024)
            }
            ReadSheetError::TooManyRows => format!("Must have at most {MAX_SHEET_ROWS} rows."),
            ReadSheetError::TooManyColumns => format!("Must have at most {MAX_SHEET_COLUMNS} columns."),
            ReadSheetError::Port(failure) => return failure.into(),
        };
        Self::invalid_field("content", requirement)
    }
}
