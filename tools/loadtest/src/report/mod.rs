//! The page about the measurements of `just bench`: medians and ratios with their spread, the targets, and a chart for
//! each scenario.
//!
//! The driver in `tools/loadtest/bench` writes a folder: `machine.json`, `missing.json`, and for each run a folder
//! `run-1`, `run-2`, … with one [`Outcome`](crate::outcome::Outcome) for each row, such as `ballots.plenum-64.json`.
//! The name of a row is that of its file, so that other programs need no variant.

mod bars;
mod chapter;
mod chapters;
mod curves;
mod drawing;
pub(crate) mod handwritten;
mod measured;
mod numbers;
mod page;
mod spread;
mod target;
mod targets;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::Args;

use measured::Measured;

/// Writes the page about a benchmark.
#[derive(Args, Clone, Debug)]
pub struct ReportArguments {
    /// Folder with the measurements.
    #[arg(long)]
    from: PathBuf,
    /// The page to write. Its charts go into a folder of the same name beside it.
    #[arg(long)]
    to: PathBuf,
}

/// The reason for a failed report.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// A file or folder could not be read or written.
    #[error("cannot read or write {path}")]
    File {
        /// The path.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// A file does not have the expected form.
    #[error("{path} does not have the expected form")]
    Form {
        /// The path.
        path: PathBuf,
        /// The reason.
        source: serde_json::Error,
    },
    /// The folder contains no run.
    #[error("{0} contains no run")]
    NoRuns(PathBuf),
}

/// Writes the page and its charts. Returns the table of the targets, to print it.
///
/// Keeps the hand-written parts between their marks.
///
/// # Errors
/// Fails when the folder contains no measurements, or the page cannot be written.
pub fn write_report(arguments: &ReportArguments) -> Result<String, ReportError> {
    let measured = Measured::read(&arguments.from)?;
    let before = fs::read_to_string(&arguments.to).unwrap_or_default();
    let charts = arguments.to.with_extension("");
    fs::create_dir_all(&charts).map_err(|source| file_error(&charts, source))?;
    for chapter in chapters::CHAPTERS {
        for (name, drawing) in chapter.drawings(&measured) {
            write(&charts.join(name), &drawing)?;
        }
    }
    let folder = charts.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    write(&arguments.to, &page::page(&measured, &folder, &before))?;
    Ok(page::targets(&measured))
}

fn write(path: &Path, text: &str) -> Result<(), ReportError> {
    fs::write(path, text).map_err(|source| file_error(path, source))
}

fn file_error(path: &Path, source: io::Error) -> ReportError {
    ReportError::File { path: path.to_owned(), source }
}
