use plenum_clients::{
    MAX_HEADER_ROWS, MAX_SHEET_COLUMNS, MAX_SHEET_ROWS, ReadSheet, ReadSheetError, SheetFormat, SheetRow,
    suggest_columns,
};
use plenum_result_format::{SIGNATURE_SECTION, TableSeal};

/// The most text in a table, in bytes: a short text in a workbook can be repeated in every cell.
const MAX_TEXT: usize = 32 * 1024 * 1024;

/// The most rows of a signature: it has one for each record of the meeting.
const MAX_SIGNATURE_ROWS: usize = 2_000;

/// A table under construction, row by row. Its size never exceeds the limits.
#[derive(Debug, Default)]
pub(crate) struct Table {
    rows: Vec<SheetRow>,
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
        // With a margin for the headings, the rows above them and a signature.
        if self.rows.len() > MAX_SHEET_ROWS + MAX_HEADER_ROWS + MAX_SIGNATURE_ROWS {
            return Err(ReadSheetError::TooManyRows);
        }
        self.text += cells.iter().map(String::len).sum::<usize>();
        if self.text > MAX_TEXT {
            return Err(ReadSheetError::TooLarge);
        }
        self.rows.push(SheetRow { line, cells });
        Ok(())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Whether this is the sheet with the signature of a workbook.
    pub(crate) fn is_signature(&self) -> bool {
        self.rows.first().is_some_and(|row| begins_signature(&texts(row)))
    }

    /// Removes the lines of the signature of an exported table, below which somebody may have added rows.
    fn remove_signature(&mut self) {
        let is_of_signature = |row: &SheetRow| row.cells.first().is_some_and(|cell| cell == SIGNATURE_SECTION);
        let is_first = |row: &SheetRow| is_of_signature(row) && begins_signature(&texts(row)[1..]);
        let Some(first) = self.rows.iter().position(is_first) else { return };
        let lines = self.rows[first..].iter().take_while(|row| is_of_signature(row)).count();
        self.rows.drain(first..first + lines);
    }

    /// A measure of similarity to a list of people, for comparisons: whether there are rows below the headings, the
    /// number of known headings, and whether there are several columns.
    pub(crate) fn likeness(&self) -> (bool, usize, bool) {
        let is_wide = self.rows.iter().any(|row| filled_cells(row) > 1);
        let known = self.rows.get(self.likely_header()).map_or(0, known_headings);
        (self.rows.len() > 1, known, is_wide)
    }

    /// The row that is most likely the headings. Of the rows with only titles above them, it is the one with the most
    /// known headings; otherwise the first row that is more than a title.
    fn likely_header(&self) -> usize {
        let top = &self.rows[..self.rows.len().min(MAX_HEADER_ROWS)];
        let mut best = (0, None);
        let mut widest = 0;
        let mut above = 0;
        for (place, row) in top.iter().enumerate().take_while(|(place, _)| place + 1 < self.rows.len()) {
            let (known, filled) = (known_headings(row), filled_cells(row));
            // Titles are narrower than headings, and a block of notes contains no heading. Otherwise the row above
            // contains the headings, in unknown words, and this row is a person whose cell happens to be "active".
            let is_below_titles = filled > widest || widest <= 1 || (known > 1 && known == filled && above == 0);
            if known > best.0 && is_below_titles {
                best = (known, Some(place));
            }
            widest = widest.max(filled);
            above = above.max(known);
        }
        best.1.or_else(|| top.iter().position(|row| filled_cells(row) > 1)).unwrap_or_default()
    }

    /// The whole table below its heading row, without a signature: the row with this number, or the most likely one.
    pub(crate) fn finish(mut self, origin: Origin, header_row: Option<u32>) -> Result<ReadSheet, ReadSheetError> {
        self.remove_signature();
        if self.rows.is_empty() {
            return Err(ReadSheetError::Empty);
        }
        let place = match header_row {
            Some(wanted) => {
                let place = self.rows.iter().position(|row| row.line == wanted);
                place.filter(|place| place + 1 < self.rows.len()).ok_or(ReadSheetError::NoSuchHeaderRow)?
            }
            None => self.likely_header(),
        };
        let top = self.rows.iter().take(MAX_HEADER_ROWS).cloned().collect();
        let rows = self.rows.split_off(place);
        let width = rows.iter().map(|row| row.cells.len()).max().unwrap_or_default();
        let mut rows = rows.into_iter().map(|mut row| {
            row.cells.resize(width, String::new());
            row
        });
        let SheetRow { line: header_row, cells: columns } = rows.next().ok_or(ReadSheetError::Empty)?;
        let rows: Vec<SheetRow> = rows.collect();
        if rows.is_empty() {
            return Err(ReadSheetError::Empty);
        }
        if rows.len() > MAX_SHEET_ROWS {
            return Err(ReadSheetError::TooManyRows);
        }
        let Origin { format, separator, encoding, sheet, sheets } = origin;
        Ok(ReadSheet { sheet, sheets, header_row, top, columns, rows, format, separator, encoding })
    }
}

/// The origin of a table.
#[derive(Debug)]
pub(crate) struct Origin {
    pub(crate) format: SheetFormat,
    pub(crate) separator: Option<char>,
    pub(crate) encoding: Option<&'static str>,
    pub(crate) sheet: Option<String>,
    pub(crate) sheets: Vec<String>,
}

fn known_headings(row: &SheetRow) -> usize {
    suggest_columns(&row.cells).len()
}

/// Whether these are the name and the content of the first line of a signature.
fn begins_signature(texts: &[&str]) -> bool {
    matches!(texts, [name, content] if TableSeal::is_first_line(name, content))
}

fn texts(row: &SheetRow) -> Vec<&str> {
    row.cells.iter().map(String::as_str).filter(|cell| !cell.is_empty()).collect()
}

fn filled_cells(row: &SheetRow) -> usize {
    row.cells.iter().filter(|cell| !cell.is_empty()).count()
}
