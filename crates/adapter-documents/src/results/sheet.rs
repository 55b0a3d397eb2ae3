use plenum_result_format::Count;
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive as _;
use rust_xlsxwriter::{Format, FormatAlign, Workbook, Worksheet, XlsxError};

use super::labels::Figures;
use crate::cell_text::cell_text;

/// The smallest number of 16 digits.
const MOST_EXACT: u128 = 10_u128.pow(15);

pub(super) struct Formats {
    title: Format,
    heading: Format,
    wrapped: Format,
}

impl Formats {
    pub(super) fn new() -> Self {
        Self {
            title: Format::new().set_bold().set_font_size(14),
            heading: Format::new().set_bold(),
            wrapped: Format::new().set_text_wrap().set_align(FormatAlign::Top),
        }
    }
}

/// The content of a cell.
pub(super) enum Cell {
    Text(String),
    /// A long text, in several lines.
    Wrapped(String),
    Number(Decimal),
    None,
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<Decimal> for Cell {
    fn from(number: Decimal) -> Self {
        Self::Number(number)
    }
}

impl From<Option<Decimal>> for Cell {
    fn from(number: Option<Decimal>) -> Self {
        number.map_or(Self::None, Self::Number)
    }
}

impl From<u64> for Cell {
    fn from(number: u64) -> Self {
        Self::Number(number.into())
    }
}

impl From<u32> for Cell {
    fn from(number: u32) -> Self {
        Self::Number(number.into())
    }
}

/// A sheet that is written from top to bottom.
pub(super) struct Sheet<'a> {
    worksheet: &'a mut Worksheet,
    formats: &'a Formats,
    row: u32,
}

impl<'a> Sheet<'a> {
    pub(super) fn add(
        workbook: &'a mut Workbook,
        name: &str,
        widths: &[f64],
        formats: &'a Formats,
    ) -> Result<Self, XlsxError> {
        let worksheet = workbook.add_worksheet_with_constant_memory()?;
        worksheet.set_name(name)?;
        for (column, width) in (0..).zip(widths) {
            worksheet.set_column_width(column, *width)?;
        }
        Ok(Self { worksheet, formats, row: 0 })
    }

    pub(super) fn title(&mut self, title: &str) -> Result<(), XlsxError> {
        self.worksheet.write_string_with_format(self.row, 0, cell_text(title), &self.formats.title)?;
        self.row += 1;
        Ok(())
    }

    /// A blank row, and the headings of the following rows.
    pub(super) fn headings<const N: usize>(&mut self, headings: [&str; N]) -> Result<(), XlsxError> {
        if self.row > 0 {
            self.row += 1;
        }
        for (column, heading) in (0..).zip(headings) {
            self.worksheet.write_string_with_format(self.row, column, cell_text(heading), &self.formats.heading)?;
        }
        self.row += 1;
        Ok(())
    }

    pub(super) fn row<const N: usize>(&mut self, cells: [Cell; N]) -> Result<(), XlsxError> {
        for (column, cell) in (0..).zip(cells) {
            match cell {
                // The type is never guessed: a text that starts with "=" stays a text.
                Cell::Text(text) if text.is_empty() => continue,
                Cell::Text(text) => self.worksheet.write_string(self.row, column, cell_text(&text))?,
                Cell::Wrapped(text) => {
                    let (text, format) = (cell_text(&text), &self.formats.wrapped);
                    self.worksheet.write_string_with_format(self.row, column, text, format)?
                }
                // Spreadsheets only have this type of numbers. 15 digits are exact; more are written as a text.
                Cell::Number(number) if number.normalize().mantissa().unsigned_abs() < MOST_EXACT => {
                    self.worksheet.write_number(self.row, column, number.to_f64().unwrap_or_default())?
                }
                Cell::Number(number) => {
                    self.worksheet.write_string(self.row, column, number.normalize().to_string())?
                }
                Cell::None => continue,
            };
        }
        self.row += 1;
        Ok(())
    }

    pub(super) fn fact(&mut self, what: &str, fact: impl Into<Cell>) -> Result<(), XlsxError> {
        self.row([what.into(), fact.into()])
    }

    pub(super) fn count(&mut self, what: &str, count: Count) -> Result<(), XlsxError> {
        self.figures(what, count.into())
    }

    pub(super) fn figures(&mut self, what: &str, figures: Figures) -> Result<(), XlsxError> {
        self.row([what.into(), Cell::None, figures.heads.into(), figures.weight.into()])
    }
}

pub(super) fn time(time: chrono::DateTime<chrono::Utc>) -> Cell {
    Cell::Text(time.format("%Y-%m-%d %H:%M:%S").to_string())
}
