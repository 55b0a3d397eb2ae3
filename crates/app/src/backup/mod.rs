//! Backup files: their format and their target.

mod file;
mod target;

pub(crate) use file::{BackupWriter, open_backup};
pub(crate) use target::BackupTarget;
