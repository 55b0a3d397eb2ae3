use std::borrow::Cow;
use std::sync::Arc;

use async_trait::async_trait;
use chrono::{DateTime, SecondsFormat, Utc};
use plenum_kernel::{EvidenceKeys, PortFailure};
use rust_decimal::Decimal;

/// The file formats of tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SheetFormat {
    /// Text with a separator between cells.
    Csv,
    /// A workbook of a spreadsheet program.
    Xlsx,
}

impl SheetFormat {
    /// The file name extension, without the dot.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Xlsx => "xlsx",
        }
    }
}

/// A table to write to a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sheet {
    /// The title of the table in workbooks; at most 31 letters, digits and spaces.
    pub title: &'static str,
    /// The names of the columns.
    pub columns: Vec<Cow<'static, str>>,
    /// The rows, each with a cell for every column.
    pub rows: Vec<Vec<SheetCell>>,
}

/// A cell of a table to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SheetCell {
    /// A text, which programs do not take for a formula or a number.
    Text(String),
    /// A number, which programs can add up.
    Number(Decimal),
}

/// The position of a table in a file. Missing values are guessed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TableChoice {
    /// The name of the sheet of a workbook.
    pub sheet: Option<String>,
    /// The number of the header row, as spreadsheets count.
    pub header_row: Option<u32>,
}

/// The number of rows of a sheet that are offered as the header row.
pub const MAX_HEADER_ROWS: usize = 30;

/// A table that was read from a file, as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadSheet {
    /// The sheet that was read, in a workbook.
    pub sheet: Option<String>,
    /// All sheets of the workbook, in their order.
    pub sheets: Vec<String>,
    /// The number of the header row.
    pub header_row: u32,
    /// The first rows of the sheet that are not blank, at most [`MAX_HEADER_ROWS`]. Each could be the header row.
    pub top: Vec<SheetRow>,
    /// The texts of the header row.
    pub columns: Vec<String>,
    /// The rows below it that are not blank, each as wide as the header row.
    pub rows: Vec<SheetRow>,
    /// The format of the file.
    pub format: SheetFormat,
    /// The separator between cells, in a text file.
    pub separator: Option<char>,
    /// The name of the encoding, in a text file.
    pub encoding: Option<&'static str>,
}

/// A row that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SheetRow {
    /// The number of the row as spreadsheets show it. Blank rows count, and a row of a text file is one row even if a
    /// cell has several lines.
    pub line: u32,
    /// The texts, without spaces around them.
    pub cells: Vec<String>,
}

/// The most rows below the header row.
pub const MAX_SHEET_ROWS: usize = 20_000;

/// The most columns of a table.
pub const MAX_SHEET_COLUMNS: usize = 50;

/// The largest file, in bytes.
pub const MAX_SHEET_BYTES: usize = 5 * 1024 * 1024;

/// The reason why no table was read from a file.
#[derive(Debug, thiserror::Error)]
pub enum ReadSheetError {
    /// The file name has an unknown extension.
    #[error("the file must be named .csv, .txt, .tsv or .xlsx")]
    UnknownKind,
    /// An older workbook format, or one of another program.
    #[error("the workbook must be saved as .xlsx or .csv first")]
    OtherWorkbook,
    /// A workbook that only opens with a password.
    #[error("the workbook is protected by a password")]
    Protected,
    /// The file contains no table, or is damaged.
    #[error("the file contains no readable table")]
    NoTable,
    /// There are no rows below the header row.
    #[error("the file has no rows below its headings")]
    Empty,
    /// The workbook has no sheet of that name with a table.
    #[error("the workbook has no such sheet")]
    NoSuchSheet,
    /// The chosen header row is blank, missing, or the last one.
    #[error("the sheet has no such row with rows below it")]
    NoSuchHeaderRow,
    /// The file is larger than [`MAX_SHEET_BYTES`], or is much larger when unpacked.
    #[error("the file is too large")]
    TooLarge,
    /// The table has more than [`MAX_SHEET_ROWS`] rows.
    #[error("the file has too many rows")]
    TooManyRows,
    /// The table has more than [`MAX_SHEET_COLUMNS`] columns.
    #[error("the file has too many columns")]
    TooManyColumns,
    /// The reader did not answer.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

/// Reads tables from uploaded files.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait SheetReader: Send + Sync {
    /// Reads the table at the chosen position in a file. Without a choice, takes the sheet and the row that are most
    /// similar to the headings of a list of people, and skips cover sheets, titles and blank rows. No content uses more
    /// memory or time than the largest table.
    ///
    /// # Errors
    /// States why there is no such table.
    async fn read(&self, file_name: &str, content: Vec<u8>, choice: TableChoice) -> Result<ReadSheet, ReadSheetError>;
}

/// Writes tables to files.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait SheetWriter: Send + Sync {
    /// Writes a file, and returns its content. Spreadsheet programs treat no text in it as a formula.
    ///
    /// # Errors
    /// Fails when the writer does not answer.
    async fn write(&self, sheet: Sheet, format: SheetFormat) -> Result<Vec<u8>, PortFailure>;

    /// As [`Self::write`], with a signature of all cells after the last row, or on a second sheet.
    ///
    /// # Errors
    /// As [`Self::write`].
    async fn write_signed(&self, sheet: Sheet, format: SheetFormat, seal: SheetSeal) -> Result<Vec<u8>, PortFailure>;
}

/// The signer of a table.
#[derive(Clone)]
pub struct SheetSeal {
    /// Lines about the signature, each with a name and a content. They are signed, too.
    pub lines: Vec<(&'static str, String)>,
    /// Signs it.
    pub keys: Arc<dyn EvidenceKeys>,
}

/// A file for download.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SheetFile {
    /// The file name: letters a to z, digits, hyphens and a dot.
    pub name: String,
    /// The content of the file.
    pub content: Vec<u8>,
}

/// A time in UTC, to the second.
pub(crate) fn time_text(time: DateTime<Utc>) -> String {
    time.to_rfc3339_opts(SecondsFormat::Secs, true)
}
