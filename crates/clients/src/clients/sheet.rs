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
