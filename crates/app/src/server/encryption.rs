use std::io;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use chrono::TimeDelta;
use plenum_adapter_http::{EncryptedStream, Encryption};
use plenum_adapter_tls::{
    AcmeCertificates, AcmeError, AcmeSettings, CertificateError, CertificateFiles, CurrentValidity, FileCertificates,
    ServerTls,
};
use plenum_kernel::Clock;
use tokio::net::TcpStream;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::time::{Instant, sleep};

use crate::config::tls::{AuthorityConfig, TlsConfig};
use crate::{Config, whole_chain};

/// The time between two looks at the certificate's files.
const RELOAD_INTERVAL: Duration = Duration::from_secs(60);
/// The time between two warnings that a certificate expires soon.
const WARNING_INTERVAL: Duration = Duration::from_secs(24 * 60 * 60);
/// The time before its end in which a certificate should have been renewed.
pub(crate) const ENDS_SOON: TimeDelta = TimeDelta::days(14);

/// The certificates of the server's address, which are kept up to date while it serves.
pub(crate) enum Certificates {
    /// From an authority.
    Authority(AcmeCertificates),
    /// From the operator's files.
    Files {
        /// The files.
        certificates: FileCertificates,
        /// SIGHUP, which asks to read them at once.
        hangup: Signal,
    },
}

/// The reason why the server cannot encrypt its connections.
#[derive(Debug, thiserror::Error)]
pub(crate) enum EncryptionError {
    /// The files cannot be used.
    #[error("PLENUM_TLS_CERTIFICATE, PLENUM_TLS_KEY")]
    Files(#[from] CertificateError),
    /// The server cannot request a certificate.
    #[error("PLENUM_DOMAIN: cannot request a certificate")]
    Authority(#[from] AcmeError),
    /// The handler of the signal cannot be installed.
    #[error("cannot install a handler for SIGHUP")]
    Signal(#[source] io::Error),
    /// TLS does not start.
    #[error("TLS does not start: {0}")]
    Tls(String),
}

/// Checks the files of a certificate before the start changes anything.
///
/// # Errors
/// Names the file that cannot be used, and the reason.
pub(crate) fn check_files(config: &Config) -> Result<(), EncryptionError> {
    if let Some(TlsConfig::Files(files)) = &config.tls {
        FileCertificates::load(files.clone())?;
    }
    Ok(())
}

impl Certificates {
    /// As configured. `None` if the server does not encrypt. The data directory MUST exist.
    ///
    /// # Errors
    /// Names the variable whose file cannot be used.
    pub(crate) fn open(config: &Config) -> Result<Option<Self>, EncryptionError> {
        let certificates = match &config.tls {
            None => return Ok(None),
            Some(TlsConfig::Authority(authority)) => {
                Self::Authority(AcmeCertificates::open(settings_of(authority, config))?)
            }
            Some(TlsConfig::Files(files)) => Self::of_files(files)?,
        };
        Ok(Some(certificates))
    }

    fn of_files(files: &CertificateFiles) -> Result<Self, EncryptionError> {
        let hangup = signal(SignalKind::hangup()).map_err(EncryptionError::Signal)?;
        Ok(Self::Files { certificates: FileCertificates::load(files.clone())?, hangup })
    }

    /// Encrypts connections with the current certificate.
    ///
    /// # Errors
    /// The system provides no random numbers.
    pub(crate) fn encryption(&self) -> Result<Arc<dyn Encryption>, EncryptionError> {
        let tls = match self {
            Self::Authority(certificates) => certificates.tls(),
            Self::Files { certificates, .. } => {
                certificates.tls().map_err(|error| EncryptionError::Tls(whole_chain(&error)))?
            }
        };
        Ok(Arc::new(OwnTls(tls)))
    }

    /// The validity of the current certificate.
    pub(crate) fn validity(&self) -> CurrentValidity {
        match self {
            Self::Authority(certificates) => certificates.validity(),
            Self::Files { certificates, .. } => certificates.validity(),
        }
    }

    /// Renews the certificate, or reads its files again, for ever.
    pub(crate) async fn keep(self, clock: Arc<dyn Clock>) {
        match self {
            Self::Authority(certificates) => certificates.keep().await,
            Self::Files { certificates, hangup } => keep_files(&certificates, hangup, &*clock).await,
        }
    }
}

fn settings_of(authority: &AuthorityConfig, config: &Config) -> AcmeSettings {
    AcmeSettings {
        domain: authority.domain.clone(),
        directory: authority.directory.clone(),
        contact: authority.contact.as_ref().map(|contact| contact.as_str().to_owned()),
        vouching: authority.vouching.clone(),
        folder: config.data_dir.join("certificates"),
    }
}

async fn keep_files(certificates: &FileCertificates, mut hangup: Signal, clock: &dyn Clock) {
    let validity = certificates.validity();
    let mut warned_at: Option<Instant> = None;
    loop {
        let end = validity.get().map(|validity| validity.ends_at);
        let ends_soon = end.filter(|end| *end < clock.now() + ENDS_SOON);
        if let Some(end) = ends_soon.filter(|_| warned_at.is_none_or(|at| at.elapsed() >= WARNING_INTERVAL)) {
            warned_at = Some(Instant::now());
            tracing::warn!(%end, "the certificate in PLENUM_TLS_CERTIFICATE expires soon. Replace both files; Plenum reloads them automatically");
        }
        tokio::select! {
            () = sleep(RELOAD_INTERVAL) => {}
            _ = hangup.recv() => {}
        }
        match certificates.reload() {
            Ok(false) => {}
            Ok(true) => {
                warned_at = None;
                tracing::info!("read the new certificate of PLENUM_TLS_CERTIFICATE");
            }
            Err(error) => tracing::error!("the former certificate stays in use: {}", whole_chain(&error)),
        }
    }
}

/// TLS by the server itself.
struct OwnTls(ServerTls);

#[async_trait]
impl Encryption for OwnTls {
    async fn encrypt(&self, stream: TcpStream) -> io::Result<EncryptedStream> {
        Ok(Box::new(self.0.accept(stream).await?))
    }
}
