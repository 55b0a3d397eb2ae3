use plenum_clients::{MAX_SHEET_COLUMNS, MAX_SHEET_ROWS, ReadSheet, ReadSheetError, SheetFormat, SheetRow};

/// The most text that a table may hold, in bytes: a short one in a workbook can be repeated in every cell.
const MAX_TEXT: usize = 32 * 1024 * 1024;

/// A table while it is read, row by row. It never becomes larger than what is allowed.
#[derive(Debug, Default)]
pub(crate) struct Table {
    rows: Vec<SheetRow>,
    width: usize,
    text: usize,
}

impl Table {
    /// Adds a row, unless it is blank.
    pub(crate) fn push(&mut self, line: u32, mut cells: Vec<String>) -> Result<(), ReadSheetError> {
        let filled = cells.iter().rposition(|cell| !cell.is_empty()).map_or(0, |last| last + 1);
        cells.truncate(filled);
        if cells.is_empty() {
            return Ok(());
        }
        if filled > MAX_SHEET_COLUMNS {
            return Err(ReadSheetError::TooManyColumns);
        }
        // One more for the headings.
        if self.rows.len() > MAX_SHEET_ROWS {
            return Err(ReadSheetError::TooManyRows);
        }
        self.text += cells.iter().map(String::len).sum::<usize>();
        if self.text > MAX_TEXT {
            return Err(ReadSheetError::TooLarge);
        }
        self.width = self.width.max(filled);
        self.rows.push(SheetRow { line, cells });
        Ok(())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The whole table, its first row as the headings.
    pub(crate) fn finish(
        self,
        format: SheetFormat,
        separator: Option<char>,
        encoding: Option<&'static str>,
    ) -> Result<ReadSheet, ReadSheetError> {
        let mut rows = self.rows.into_iter().map(|mut row| {
            row.cells.resize(self.width, String::new());
            row
        });
        let columns = rows.next().ok_or(ReadSheetError::Empty)?.cells;
        let rows: Vec<SheetRow> = rows.collect();
        if rows.is_empty() {
            return Err(ReadSheetError::Empty);
        }
        Ok(ReadSheet { columns, rows, format, separator, encoding })
    }
}
