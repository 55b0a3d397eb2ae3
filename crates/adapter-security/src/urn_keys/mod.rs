//! The keys of secret rounds: shares in a folder outside of the database.
//!
//! - `share_file.rs`: the content of a file
//! - `disk.rs`: each step on the disk, which tests let fail
//! - `share_folder.rs`: shares are written durably, and destroyed
//! - `folder_urn_keys.rs`: the port, for one instance

mod disk;
mod folder_urn_keys;
mod share_file;
mod share_folder;

pub use folder_urn_keys::FolderUrnKeys;
pub use share_folder::KeyFolderError;
