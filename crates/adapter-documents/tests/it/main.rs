//! Real files, made by the test, byte by byte or by the library that writes workbooks.
// By this clippy sees that helpers are test code, too.
#![cfg(test)]

mod csv_files;
mod hostile_files;
mod meeting;
mod minutes;
mod result_tables;
mod signed_tables;
mod support;
mod workbooks;
mod written_files;
