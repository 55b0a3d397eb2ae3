//! Reads and writes CSV files and spreadsheets, reads ballot files (BLT), writes results as tables, workbooks and minutes, and
//! draws QR codes. No other crate knows these formats.
//!
//! Files come from users, and some are hostile. The crate limits sizes before it unpacks a file, and reads files on a
//! few blocking threads.

mod blt_reading;
mod cell_text;
mod csv_reading;
mod csv_writing;
mod documents;
#[cfg(any(test, feature = "fuzzing"))]
pub mod fuzzing;
mod results;
mod sealing;
mod signed_table_reading;
mod table;
mod terminal_code;
mod text;
mod workbook_check;
mod workbook_package;
mod xlsx_reading;
mod xlsx_writing;

pub use blt_reading::{BltBallots, BltError, BltFile, read_blt};
pub use documents::Documents;
pub use results::minutes::fonts::licenses as font_licenses;
pub use terminal_code::terminal_qr_code;
