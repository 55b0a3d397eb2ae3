//! The structure of the workspace: crates, files, and documents that describe them.

mod build_source;
mod compose_files;
mod crate_edges;
mod decision_index;
mod import_cycles;
mod imports;
mod licenses;
mod openapi_file;
mod security_standard;
mod sizes;

use std::fs;
use std::path::{Path, PathBuf};

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    fs::canonicalize(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")).unwrap()
}

/// The Rust source files in a folder and its subfolders, in order.
fn rust_files(folder: &Path) -> Vec<PathBuf> {
    files_below(folder, &|path| path.extension().is_some_and(|extension| extension == "rs"))
}

/// The files in a folder and its subfolders, in order, without build outputs.
fn files_below(folder: &Path, is_wanted: &dyn Fn(&Path) -> bool) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.ends_with("target") && !path.ends_with("node_modules") {
            files.extend(files_below(&path, is_wanted));
        } else if path.is_file() && is_wanted(&path) {
            files.push(path);
        }
    }
    files.sort();
    files
}
