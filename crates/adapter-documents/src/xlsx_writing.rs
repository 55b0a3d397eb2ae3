use plenum_clients::{Sheet, SheetCell};
use rust_decimal::prelude::ToPrimitive as _;
use rust_xlsxwriter::{Format, Workbook, XlsxError};

/// How wide a column is, in letters.
const WIDTH: f64 = 24.0;

/// Writes a table as the one sheet of a workbook, its headings bold and always in view.
pub(crate) fn write(sheet: &Sheet) -> Result<Vec<u8>, XlsxError> {
    let mut workbook = Workbook::new();
    let heading = Format::new().set_bold();
    let worksheet = workbook.add_worksheet();
    worksheet.set_name(sheet.title)?.set_freeze_panes(1, 0)?;
    for (column, title) in (0..).zip(&sheet.columns) {
        worksheet.set_column_width(column, WIDTH)?.write_string_with_format(0, column, *title, &heading)?;
    }
    for (place, row) in (1..).zip(&sheet.rows) {
        for (column, cell) in (0..).zip(row) {
            match cell {
                // Never guessed: a text that begins with "=" stays one.
                SheetCell::Text(text) if text.is_empty() => continue,
                SheetCell::Text(text) => worksheet.write_string(place, column, text)?,
                SheetCell::Number(number) => {
                    // Spreadsheets know no others; at most 7 digits are exact.
                    worksheet.write_number(place, column, number.to_f64().unwrap_or_default())?
                }
            };
        }
    }
    workbook.save_to_buffer()
}
