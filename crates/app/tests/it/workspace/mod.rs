//! The shape of the workspace: its crates, their files, and the documents that describe them.

mod crate_edges;
mod decision_index;
mod openapi_file;
mod security_standard;

use std::fs;
use std::path::{Path, PathBuf};

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    fs::canonicalize(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")).unwrap()
}
