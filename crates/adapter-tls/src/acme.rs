use std::fs::DirBuilder;
use std::io;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use futures_util::StreamExt as _;
use rustls_acme::{AcmeConfig, AcmeState, EventError, EventOk};
use tokio_rustls::rustls::crypto::aws_lc_rs::default_provider;
use tokio_rustls::rustls::pki_types::CertificateDer;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::{self, ClientConfig, RootCertStore};

use crate::ServerTls;
use crate::cache::WatchedCache;
use crate::validity::CurrentValidity;

/// The directory of Let's Encrypt.
pub const LETS_ENCRYPT: &str = "https://acme-v02.api.letsencrypt.org/directory";

/// What an authority is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AcmeSettings {
    /// The name that leads to this server.
    pub domain: String,
    /// The address of the authority's directory.
    pub directory: String,
    /// The email address to which the authority writes.
    pub contact: Option<String>,
    /// A PEM file with the certificates that vouch for the authority itself. `None`: those of the system.
    pub vouching: Option<PathBuf>,
    /// The folder that keeps the account's key and the certificate with its key.
    pub folder: PathBuf,
}

/// The reason why no certificate can be requested.
#[derive(Debug, thiserror::Error)]
pub enum AcmeError {
    /// The folder cannot be made.
    #[error("cannot make the folder {}: {reason}", folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// The system's reason.
        reason: io::Error,
    },
    /// The file with the certificates that vouch for the authority cannot be used.
    #[error("{} cannot be read, or contains no certificate in PEM form", .0.display())]
    Vouching(PathBuf),
    /// TLS cannot be set up.
    #[error("TLS does not start")]
    Tls(#[from] rustls::Error),
}

/// The certificate of an authority that speaks ACME (RFC 8555), which checks the domain by the challenge `tls-alpn-01` (RFC
/// 8737): it connects to port 443 of the domain, which leads to this server.
pub struct AcmeCertificates {
    domain: String,
    tls: ServerTls,
    validity: CurrentValidity,
    state: AcmeState<io::Error>,
}

impl AcmeCertificates {
    /// Prepares the folder. Asks for nothing until [`Self::keep`].
    ///
    /// # Errors
    /// The folder, the certificates that vouch for the authority, or TLS cannot be used.
    pub fn open(settings: AcmeSettings) -> Result<Self, AcmeError> {
        let AcmeSettings { domain, directory, contact, vouching, folder } = settings;
        make_private(&folder).map_err(|reason| AcmeError::Folder { folder: folder.clone(), reason })?;
        let client = ClientConfig::builder_with_provider(Arc::new(default_provider()))
            .with_safe_default_protocol_versions()?
            .with_root_certificates(roots(vouching.as_deref())?)
            .with_no_client_auth();
        let validity = CurrentValidity::default();
        let state = AcmeConfig::new_with_client_config([&domain], Arc::new(client))
            .directory(directory)
            .contact(contact.map(|address| format!("mailto:{address}")))
            .cache(WatchedCache::new(folder, validity.clone()))
            .state();
        Ok(Self { domain, tls: ServerTls::new(state.resolver())?, validity, state })
    }

    /// Encrypts with the current certificate. Until there is one, every handshake fails.
    pub fn tls(&self) -> ServerTls {
        self.tls.clone()
    }

    /// The validity of the current certificate.
    pub fn validity(&self) -> CurrentValidity {
        self.validity.clone()
    }

    /// Gets a certificate, and renews it when two thirds of its time are over, for ever. After a failure it waits for a second,
    /// then twice as long each time, up to 18 hours.
    pub async fn keep(mut self) {
        let domain = self.domain;
        while let Some(event) = self.state.next().await {
            match event {
                Ok(EventOk::DeployedCachedCert) => tracing::info!(domain, "uses the stored certificate"),
                Ok(EventOk::DeployedNewCert) => tracing::info!(domain, "got a new certificate"),
                Ok(EventOk::CertCacheStore | EventOk::AccountCacheStore) => {}
                Err(EventError::Order(reason)) => tracing::error!(
                    domain,
                    %reason,
                    "got no certificate, and will ask again. The domain must lead to this server, and the authority must reach port \
                     443 of it"
                ),
                Err(reason) => {
                    tracing::error!(domain, %reason, "the stored certificate or account cannot be read or written");
                }
            }
        }
    }
}

/// Makes a folder that only its owner can enter, because it keeps private keys.
fn make_private(folder: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

/// The certificates that vouch for the authority.
fn roots(vouching: Option<&Path>) -> Result<RootCertStore, AcmeError> {
    let mut roots = RootCertStore::empty();
    let Some(file) = vouching else {
        // Without any, every request fails and says so.
        roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        return Ok(roots);
    };
    let unusable = || AcmeError::Vouching(file.to_owned());
    let certificates = CertificateDer::pem_file_iter(file).map_err(|_| unusable())?;
    for certificate in certificates {
        let certificate = certificate.map_err(|_| unusable())?;
        roots.add(certificate).map_err(|_| unusable())?;
    }
    if roots.is_empty() { Err(unusable()) } else { Ok(roots) }
}
