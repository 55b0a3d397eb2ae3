use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use tokio_rustls::rustls::crypto::aws_lc_rs::default_provider;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::server::{ClientHello, ResolvesServerCert};
use tokio_rustls::rustls::sign::CertifiedKey;
use tokio_rustls::rustls::{self, Error as RustlsError, InconsistentKeys};

use crate::ServerTls;
use crate::validity::{CurrentValidity, Validity};

/// The files of the operator, in PEM form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CertificateFiles {
    /// The certificate of the server, followed by those above it.
    pub certificate: PathBuf,
    /// Its private key.
    pub key: PathBuf,
}

/// The reason why a certificate cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CertificateError {
    /// A file cannot be read.
    #[error("cannot read {}: {reason}", file.display())]
    Inaccessible {
        /// The file.
        file: PathBuf,
        /// The system's reason.
        reason: io::Error,
    },
    /// The first file contains no certificate.
    #[error("{} contains no certificate in PEM form: store the server's certificate in it, and after it those above it", .0.display())]
    NoCertificate(PathBuf),
    /// The second file contains no private key.
    #[error("{} contains no private key in PEM form without a password", .0.display())]
    NoKey(PathBuf),
    /// The files do not belong together.
    #[error("the key in {} is not the one of the first certificate in {}", .0.key.display(), .0.certificate.display())]
    OtherKey(CertificateFiles),
    /// Something else is wrong with them.
    #[error("the certificate in {} cannot be used: {reason}", file.display())]
    Unfit {
        /// The file.
        file: PathBuf,
        /// The reason.
        reason: rustls::Error,
    },
}

/// The certificate of two files, which is read again when they change.
pub struct FileCertificates {
    files: CertificateFiles,
    /// What the files contained when they were read last.
    content: Mutex<Content>,
    current: Arc<Current>,
    validity: CurrentValidity,
}

impl FileCertificates {
    /// Reads both files.
    ///
    /// # Errors
    /// Names the file that cannot be used, and the reason.
    pub fn load(files: CertificateFiles) -> Result<Self, CertificateError> {
        let content = Content::read(&files)?;
        let certificate = content.parse(&files)?;
        let validity = CurrentValidity::default();
        validity.set(validity_of(&certificate));
        let current = Arc::new(Current(RwLock::new(certificate)));
        Ok(Self { files, content: Mutex::new(content), current, validity })
    }

    /// Encrypts with the current certificate, also after it was replaced.
    ///
    /// # Errors
    /// The system provides no random numbers.
    pub fn tls(&self) -> Result<ServerTls, rustls::Error> {
        ServerTls::new(Arc::clone(&self.current) as _)
    }

    /// Reads the files again. New connections get the new certificate, and open ones stay. Returns whether it changed.
    ///
    /// # Errors
    /// As [`Self::load`]. The former certificate stays in use.
    pub fn reload(&self) -> Result<bool, CertificateError> {
        let found = Content::read(&self.files)?;
        let mut content = self.content.lock().unwrap_or_else(PoisonError::into_inner);
        if *content == found {
            return Ok(false);
        }
        let certificate = found.parse(&self.files)?;
        self.validity.set(validity_of(&certificate));
        *self.current.0.write().unwrap_or_else(PoisonError::into_inner) = certificate;
        *content = found;
        Ok(true)
    }

    /// The validity of the current certificate.
    pub fn validity(&self) -> CurrentValidity {
        self.validity.clone()
    }
}

fn validity_of(certificate: &CertifiedKey) -> Option<Validity> {
    certificate.cert.first().and_then(Validity::of)
}

/// The bytes of both files.
#[derive(PartialEq, Eq)]
struct Content {
    certificate: Vec<u8>,
    key: Vec<u8>,
}

impl Content {
    fn read(files: &CertificateFiles) -> Result<Self, CertificateError> {
        Ok(Self { certificate: read(&files.certificate)?, key: read(&files.key)? })
    }

    fn parse(&self, files: &CertificateFiles) -> Result<Arc<CertifiedKey>, CertificateError> {
        let chain: Vec<_> = CertificateDer::pem_slice_iter(&self.certificate).filter_map(Result::ok).collect();
        if chain.is_empty() {
            return Err(CertificateError::NoCertificate(files.certificate.clone()));
        }
        let key = PrivateKeyDer::from_pem_slice(&self.key).map_err(|_| CertificateError::NoKey(files.key.clone()))?;
        CertifiedKey::from_der(chain, key, &default_provider()).map(Arc::new).map_err(|reason| match reason {
            RustlsError::InconsistentKeys(InconsistentKeys::KeyMismatch) => CertificateError::OtherKey(files.clone()),
            reason => CertificateError::Unfit { file: files.certificate.clone(), reason },
        })
    }
}

fn read(file: &Path) -> Result<Vec<u8>, CertificateError> {
    fs::read(file).map_err(|reason| CertificateError::Inaccessible { file: file.to_owned(), reason })
}

/// The certificate for new connections.
struct Current(RwLock<Arc<CertifiedKey>>);

impl Current {
    fn get(&self) -> Arc<CertifiedKey> {
        Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner))
    }
}

impl fmt::Debug for Current {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Current(…)")
    }
}

impl ResolvesServerCert for Current {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(self.get())
    }
}
