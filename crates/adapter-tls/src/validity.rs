use chrono::{DateTime, Utc};
use tokio_rustls::rustls::pki_types::CertificateDer;
use x509_parser::parse_x509_certificate;

/// The time at which a certificate ends. `None` if it cannot be read, which the handshake would find, too.
pub(crate) fn ends_at(certificate: &CertificateDer<'_>) -> Option<DateTime<Utc>> {
    let (_, certificate) = parse_x509_certificate(certificate).ok()?;
    DateTime::from_timestamp(certificate.validity().not_after.timestamp(), 0)
}
