//! Real files, created by the test byte by byte or with the workbook library.
// For clippy, so that helpers count as test code too.
#![cfg(test)]

mod csv_files;
mod hostile_files;
mod meeting;
mod minutes;
mod result_tables;
mod signed_tables;
mod support;
mod workbook_packages;
mod workbooks;
mod written_files;
