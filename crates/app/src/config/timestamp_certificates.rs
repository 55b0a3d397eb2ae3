//! The certificates that vouch for timestamp authorities: `PLENUM_TIMESTAMP_CERTIFICATES`.

use std::io;
use std::path::{Path, PathBuf};

use plenum_timestamp_format::{Authorities, BadCertificates};

use super::Config;

/// An unusable file.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CertificatesError {
    /// The file cannot be read.
    #[error("PLENUM_TIMESTAMP_CERTIFICATES: cannot read {}: {reason}. Name a PEM file that Plenum can read", file.display())]
    Inaccessible { file: PathBuf, reason: io::Error },
    /// The content is no certificates.
    #[error(
        "PLENUM_TIMESTAMP_CERTIFICATES: {} cannot be used: {reason}. Store the certificate of the timestamp authority, or of the one \
         above it",
        file.display()
    )]
    Unfit { file: PathBuf, reason: BadCertificates },
}

/// The configured certificates. `None` if none are configured.
///
/// # Errors
/// Fails when the file cannot be read or contains no usable certificate.
pub(crate) fn load(config: &Config) -> Result<Option<Authorities>, CertificatesError> {
    config.timestamp_certificates.as_deref().map(read).transpose()
}

/// The certificates of a file.
///
/// # Errors
/// As [`load`].
pub(crate) fn read(file: &Path) -> Result<Authorities, CertificatesError> {
    let content =
        std::fs::read(file).map_err(|reason| CertificatesError::Inaccessible { file: file.to_owned(), reason })?;
    Authorities::from_pem(&content).map_err(|reason| CertificatesError::Unfit { file: file.to_owned(), reason })
}
