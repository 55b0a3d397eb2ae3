//! Tables as files: CSV and the workbooks of spreadsheets, read and written; results as tables, workbooks and minutes.
//! The only crate that knows these formats.
//!
//! Files come from people, and not all of them mean well: everything is bounded before it is unpacked, and read on
//! threads that may be blocked, few at a time.

mod csv_reading;
mod csv_writing;
mod documents;
#[cfg(any(test, feature = "fuzzing"))]
pub mod fuzzing;
mod results;
mod table;
mod text;
mod workbook_check;
mod xlsx_reading;
mod xlsx_writing;

pub use documents::Documents;
