use plenum_clients::{Sheet, SheetCell};
use plenum_result_format::SIGNATURE_SECTION;
use rust_xlsxwriter::{Format, Workbook, XlsxError};

use crate::cell_text::cell_text;
use crate::csv_writing::WriteError;
use crate::sealing::{Sealing, SignatureSheet, seal_xlsx};

/// The width of a column, in characters.
const WIDTH: f64 = 24.0;

/// Writes a table as the only sheet of a workbook, with bold headings that do not scroll.
pub(crate) fn write(sheet: &Sheet) -> Result<Vec<u8>, XlsxError> {
    written(sheet)?.save_to_buffer()
}

/// Writes a table, and its signature on a second sheet.
pub(crate) fn write_signed(sheet: &Sheet, sealing: &Sealing<'_>) -> Result<Vec<u8>, WriteError> {
    seal_xlsx(sealing, |signature| {
        let mut workbook = written(sheet)?;
        write_signature(&mut workbook, signature)?;
        workbook.save_to_buffer()
    })
}

/// Adds the sheet with the signature.
pub(crate) fn write_signature(workbook: &mut Workbook, signature: &SignatureSheet<'_>) -> Result<(), XlsxError> {
    let worksheet = workbook.add_worksheet();
    worksheet.set_name(SIGNATURE_SECTION)?.set_column_width(0, WIDTH)?.set_column_width(1, 140.)?;
    for (row, (name, content)) in (0..).zip(signature.rows()) {
        worksheet.write_string(row, 0, name)?.write_string(row, 1, cell_text(content))?;
    }
    Ok(())
}

fn written(sheet: &Sheet) -> Result<Workbook, XlsxError> {
    let mut workbook = Workbook::new();
    let heading = Format::new().set_bold();
    let worksheet = workbook.add_worksheet();
    worksheet.set_name(sheet.title)?.set_freeze_panes(1, 0)?;
    for (column, title) in (0..).zip(&sheet.columns) {
        worksheet.set_column_width(column, WIDTH)?;
        worksheet.write_string_with_format(0, column, cell_text(title), &heading)?;
    }
    for (place, row) in (1..).zip(&sheet.rows) {
        for (column, cell) in (0..).zip(row) {
            match cell {
                // The type is never guessed: a text that starts with "=" stays a text.
                SheetCell::Text(text) if text.is_empty() => continue,
                SheetCell::Text(text) => worksheet.write_string(place, column, cell_text(text))?,
                SheetCell::Number(number) => {
                    // Spreadsheets only have this type, which is exact for the 15 digits that a number has at most.
                    worksheet.write_number(place, column, number.to_string().parse::<f64>().unwrap_or_default())?
                }
            };
        }
    }
    Ok(workbook)
}
