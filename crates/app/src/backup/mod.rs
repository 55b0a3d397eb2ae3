//! The file of a backup: its format, and where it is written to.

mod file;
mod target;

pub(crate) use file::{BackupWriter, open_backup};
pub(crate) use target::BackupTarget;
