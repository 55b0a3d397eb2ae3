use std::time::Duration;

use rustls_pki_types::pem::PemObject as _;
use rustls_pki_types::{CertificateDer, UnixTime};
use webpki::{ALL_VERIFICATION_ALGS, EndEntityCert, KeyUsage, anchor_from_trusted_cert};

use crate::TimestampToken;

/// The purpose of a certificate, as it stands in one: timestamps.
const TIME_STAMPING: &[u8] = &[0x2b, 6, 1, 5, 5, 7, 3, 8];

/// The certificates of authorities whose timestamps are believed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Authorities(Vec<CertificateDer<'static>>);

/// A file without usable certificates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it contains no certificate in PEM (-----BEGIN CERTIFICATE-----), or one that is damaged")]
pub struct BadCertificates;

impl Authorities {
    /// The certificates of a PEM file: those of an authority, or of the one above it.
    ///
    /// # Errors
    /// Fails without a certificate, or with a damaged one.
    pub fn from_pem(content: &[u8]) -> Result<Self, BadCertificates> {
        let read: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(content).collect();
        let certificates = read.map_err(|_| BadCertificates)?;
        let are_usable = certificates.iter().all(|certificate| anchor_from_trusted_cert(certificate).is_ok());
        if certificates.is_empty() || !are_usable { Err(BadCertificates) } else { Ok(Self(certificates)) }
    }

    /// Whether one of these certificates signed the token, or vouches for the one that did, at the time of the token.
    pub fn vouch_for(&self, token: &TimestampToken) -> bool {
        if self.0.iter().any(|certificate| certificate.as_ref() == token.certificate) {
            return true;
        }
        let anchors: Vec<_> =
            self.0.iter().filter_map(|certificate| anchor_from_trusted_cert(certificate).ok()).collect();
        let chain: Vec<_> = token.chain.iter().map(|other| CertificateDer::from(other.as_slice())).collect();
        let certificate = CertificateDer::from(token.certificate.as_slice());
        let Ok(certificate) = EndEntityCert::try_from(&certificate) else { return false };
        let at = UnixTime::since_unix_epoch(Duration::from_secs(u64::try_from(token.at.timestamp()).unwrap_or(0)));
        let usage = KeyUsage::required(TIME_STAMPING);
        certificate.verify_for_usage(ALL_VERIFICATION_ALGS, &anchors, &chain, at, usage, None, None).is_ok()
    }
}
