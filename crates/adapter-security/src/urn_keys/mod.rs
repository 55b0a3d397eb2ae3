//! The keys of secret rounds: shares in a folder outside of the database.
//!
//! - `share_file.rs`: the content of a file
//! - `disk.rs`: each step on the disk, which tests let fail
//! - `share_folder.rs`: shares are written durably, and destroyed
//! - `folder_urn_keys.rs`: the port, for one instance
//! - `shared_urn_keys.rs`: the port, for several instances, which hand shares to each other
//! - `share_cipher.rs`: the format of these messages, and their encryption

mod disk;
mod folder_urn_keys;
mod share_cipher;
mod share_file;
mod share_folder;
mod shared_urn_keys;

pub use folder_urn_keys::FolderUrnKeys;
pub use share_folder::KeyFolderError;
pub use shared_urn_keys::SharedUrnKeys;
