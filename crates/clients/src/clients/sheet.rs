use async_trait::async_trait;
use chrono::{DateTime, SecondsFormat, Utc};
use plenum_kernel::PortFailure;
use rust_decimal::Decimal;

/// The kinds of files that tables come and go in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SheetFormat {
    /// Texts with a separator between them.
    Csv,
    /// A workbook of a spreadsheet program.
    Xlsx,
}

impl SheetFormat {
    /// What the names of such files end in, without the dot.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Xlsx => "xlsx",
        }
    }
}

/// A table that is to become a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sheet {
    /// What the table is called, in workbooks; at most 31 letters, digits and spaces.
    pub title: &'static str,
    /// The names of the columns.
    pub columns: Vec<&'static str>,
    /// The rows, each with a cell for every column.
    pub rows: Vec<Vec<SheetCell>>,
}

/// What stands in one cell of a table that is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SheetCell {
    /// A text, which stays one whatever it begins with.
    Text(String),
    /// A number, which can be added up.
    Number(Decimal),
}

/// Where in a file the table is that is wanted. What is missing is guessed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TableChoice {
    /// The name of the sheet of a workbook.
    pub sheet: Option<String>,
    /// The number of the row with the headings, as spreadsheets count.
    pub header_row: Option<u32>,
}

/// How many rows of a sheet are offered as the one with the headings.
pub const MAX_HEADER_ROWS: usize = 30;

/// A table that was read from a file, as texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadSheet {
    /// The sheet that was read, of a workbook.
    pub sheet: Option<String>,
    /// The sheets that there are in it, in their order.
    pub sheets: Vec<String>,
    /// The number of the row with the headings.
    pub header_row: u32,
    /// The first rows of the sheet that are not blank, any of which may hold the headings; at most
    /// [`MAX_HEADER_ROWS`].
    pub top: Vec<SheetRow>,
    /// The texts of the row with the headings.
    pub columns: Vec<String>,
    /// The rows below it that are not blank, each as wide as there are columns.
    pub rows: Vec<SheetRow>,
    /// What kind of file it was.
    pub format: SheetFormat,
    /// What stood between two cells, in a file of texts.
    pub separator: Option<char>,
    /// The name of the encoding, of a file of texts.
    pub encoding: Option<&'static str>,
}

/// One row that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SheetRow {
    /// Its number as spreadsheets show it: blank rows count, and a row of a file of texts is one, however many lines a
    /// cell of it has.
    pub line: u32,
    /// The texts, without spaces around them.
    pub cells: Vec<String>,
}

/// The most rows below the headings of a table that is read.
pub const MAX_SHEET_ROWS: usize = 20_000;

/// The most columns of a table that is read.
pub const MAX_SHEET_COLUMNS: usize = 50;

/// The largest file that is read, in bytes.
pub const MAX_SHEET_BYTES: usize = 5 * 1024 * 1024;

/// Why no table was read from a file.
#[derive(Debug, thiserror::Error)]
pub enum ReadSheetError {
    /// The name ends in something that no table is kept in.
    #[error("the file must be named .csv, .txt, .tsv or .xlsx")]
    UnknownKind,
    /// An older kind of workbook, or one of another program.
    #[error("the workbook must be saved as .xlsx or .csv first")]
    OtherWorkbook,
    /// A workbook that only opens with a password.
    #[error("the workbook is protected by a password")]
    Protected,
    /// Whatever it is, it is no table, or a damaged one.
    #[error("the file holds no table that can be read")]
    NoTable,
    /// There are no rows below the headings.
    #[error("the file has no rows below its headings")]
    Empty,
    /// The workbook has no sheet of that name with a table on it.
    #[error("the workbook has no such sheet")]
    NoSuchSheet,
    /// The row that is said to hold the headings is blank, not there, or the last one.
    #[error("the sheet has no such row with rows below it")]
    NoSuchHeaderRow,
    /// The file is larger than [`MAX_SHEET_BYTES`], or what is packed in it is much larger.
    #[error("the file is too large")]
    TooLarge,
    /// There are more than [`MAX_SHEET_ROWS`].
    #[error("the file has too many rows")]
    TooManyRows,
    /// There are more than [`MAX_SHEET_COLUMNS`].
    #[error("the file has too many columns")]
    TooManyColumns,
    /// The reader did not answer.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

/// Reads tables out of files that people made.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait SheetReader: Send + Sync {
    /// The table in a file with this name and content, at the place that was chosen. Where nobody chose, the sheet and the
    /// row are taken that look most like the headings of a list of people: a cover sheet, a title and blank rows above
    /// them are passed over. Nothing in the file makes it use more memory or time than the
    /// largest table does.
    ///
    /// # Errors
    /// Says why there is no such table.
    async fn read(&self, file_name: &str, content: Vec<u8>, choice: TableChoice) -> Result<ReadSheet, ReadSheetError>;
}

/// Writes tables into files for people.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait SheetWriter: Send + Sync {
    /// The content of a file. No text in it is taken for a formula by the programs that open it.
    ///
    /// # Errors
    /// Fails when the writer does not answer.
    async fn write(&self, sheet: Sheet, format: SheetFormat) -> Result<Vec<u8>, PortFailure>;
}

/// A file for people to keep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SheetFile {
    /// What to call it; letters a to z, digits, hyphens and a dot.
    pub name: String,
    /// What stands in it.
    pub content: Vec<u8>,
}

/// A time as files have it: in UTC, to the second.
pub(crate) fn time_text(time: DateTime<Utc>) -> String {
    time.to_rfc3339_opts(SecondsFormat::Secs, true)
}
