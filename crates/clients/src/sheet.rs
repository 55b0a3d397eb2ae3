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

/// A table that was read from a file, as texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadSheet {
    /// The texts of the first row that has any.
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
    /// In which line of the file it begins, or which row of the sheet it is, from 1.
    pub line: u32,
    /// The texts, without spaces around them.
    pub cells: Vec<String>,
}
