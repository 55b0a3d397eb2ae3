//! The address of the server: a Unix socket in a private folder. So no port can clash, and no password has to be
//! stored.

use std::fs::{self, Metadata, Permissions};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use crate::StartError;
use crate::cluster::NAME;
use crate::identity::Identity;
use crate::left_behind::remove_if_there;

/// Only a part of the socket's name, as nothing listens on TCP.
const PORT: u16 = 5432;

/// The kernel's limit (Linux 107, macOS 103 bytes).
const LONGEST_SOCKET_PATH: usize = 103;

/// The folder of the socket; removed on drop if it lies outside the data folder.
#[derive(Debug)]
pub(crate) struct Address {
    folder: PathBuf,
    is_borrowed: bool,
}

impl Address {
    pub(crate) fn prepare(data_dir: &Path, identity: &Identity) -> Result<Self, StartError> {
        let near = data_dir.join("run");
        if is_fit(&near) {
            return match private_folder(&near, identity, |_| true) {
                Ok(()) => Ok(Self { folder: near, is_borrowed: false }),
                Err(source) => Err(StartError::Folder { path: near, source }),
            };
        }
        // Others can write there too, so an existing folder must be ours.
        let is_ours = |metadata: &Metadata| {
            metadata.uid() == identity.owner().0.as_raw() || metadata.uid() == nix::unistd::geteuid().as_raw()
        };
        // The name is derived from the data folder, so that the folder of a killed owner is reused.
        let mut hasher = DefaultHasher::new();
        data_dir.hash(&mut hasher);
        let name = format!("plenum-pg-{:016x}", hasher.finish());
        [std::env::temp_dir(), PathBuf::from("/tmp")]
            .into_iter()
            .map(|folder| folder.join(&name))
            .filter(|folder| is_fit(folder))
            .find(|folder| private_folder(folder, identity, is_ours).is_ok() && identity.can_enter(folder))
            .map(|folder| Self { folder, is_borrowed: true })
            .ok_or(StartError::NoRoomForSocket)
    }

    /// Removes a socket without a server, and its lock. The caller knows that none of our servers runs.
    pub(crate) fn clear(&self) -> Result<(), StartError> {
        remove_if_there(&socket_in(&self.folder))?;
        remove_if_there(&self.folder.join(format!(".s.PGSQL.{PORT}.lock")))
    }

    pub(crate) fn server_options(&self) -> Vec<(String, String)> {
        // In quotes, because blanks at its ends would be lost.
        let quoted = format!("\"{}\"", self.folder.display().to_string().replace('"', "\"\""));
        vec![
            ("listen_addresses".to_owned(), String::new()),
            ("port".to_owned(), PORT.to_string()),
            ("unix_socket_directories".to_owned(), quoted),
            ("unix_socket_permissions".to_owned(), "0700".to_owned()),
        ]
    }

    pub(crate) fn url(&self) -> String {
        url_of(&self.folder)
    }
}

/// The address of the server whose socket is in this folder.
pub(crate) fn url_of(folder: &Path) -> String {
    format!("postgres://{NAME}@{}:{PORT}/{NAME}", percent_encoded(folder))
}

impl Drop for Address {
    fn drop(&mut self) {
        if self.is_borrowed {
            // Fails while a server still uses it; the next start reuses it.
            let _ = fs::remove_dir(&self.folder);
        }
    }
}

fn socket_in(folder: &Path) -> PathBuf {
    folder.join(format!(".s.PGSQL.{PORT}"))
}

/// Whether the kernel accepts a socket there, and libpq accepts the path as a host: libpq separates hosts by commas.
fn is_fit(folder: &Path) -> bool {
    let is_short = socket_in(folder).as_os_str().len() <= LONGEST_SOCKET_PATH;
    is_short && folder.to_str().is_some_and(|text| !text.contains(','))
}

/// Ensures that `folder` is a folder of `identity` that no other user can enter.
fn private_folder(folder: &Path, identity: &Identity, accepts: impl Fn(&Metadata) -> bool) -> io::Result<()> {
    match fs::DirBuilder::new().mode(0o700).create(folder) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            let metadata = fs::symlink_metadata(folder)?;
            if !metadata.is_dir() || !accepts(&metadata) {
                return Err(io::ErrorKind::PermissionDenied.into());
            }
        }
        outcome => outcome?,
    }
    identity.own(folder)?;
    fs::set_permissions(folder, Permissions::from_mode(0o700))
}

fn percent_encoded(path: &Path) -> String {
    path.as_os_str()
        .as_bytes()
        .iter()
        .map(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => char::from(*byte).to_string(),
            other => format!("%{other:02X}"),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_carries_any_folder() {
        let address = Address { folder: PathBuf::from("/a b/ü%,\"/run"), is_borrowed: false };
        assert_eq!(address.url(), "postgres://plenum@%2Fa%20b%2F%C3%BC%25%2C%22%2Frun:5432/plenum");
    }
}
