use std::sync::{Arc, PoisonError, RwLock};

use chrono::{DateTime, Utc};
use tokio_rustls::rustls::pki_types::CertificateDer;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use x509_parser::parse_x509_certificate;
use x509_parser::time::ASN1Time;

/// The time within which browsers accept a certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Validity {
    /// Its start.
    pub starts_at: DateTime<Utc>,
    /// Its end.
    pub ends_at: DateTime<Utc>,
}

impl Validity {
    /// `None` if the certificate cannot be read, which the handshake would find, too.
    pub(crate) fn of(certificate: &CertificateDer<'_>) -> Option<Self> {
        let (_, certificate) = parse_x509_certificate(certificate).ok()?;
        let validity = certificate.validity();
        Some(Self { starts_at: moment(validity.not_before)?, ends_at: moment(validity.not_after)? })
    }

    /// Of the first certificate in PEM form, as [`Self::of`].
    pub(crate) fn of_pem(pem: &[u8]) -> Option<Self> {
        Self::of(&CertificateDer::from_pem_slice(pem).ok()?)
    }
}

fn moment(time: ASN1Time) -> Option<DateTime<Utc>> {
    DateTime::from_timestamp(time.timestamp(), 0)
}

/// The validity of the certificate in use. All clones learn of a new certificate.
#[derive(Clone, Debug, Default)]
pub struct CurrentValidity(Arc<RwLock<Option<Validity>>>);

impl CurrentValidity {
    /// `None` while there is no certificate, or if it cannot be read.
    pub fn get(&self) -> Option<Validity> {
        *self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn set(&self, validity: Option<Validity>) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = validity;
    }
}
