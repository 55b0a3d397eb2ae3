//! TLS for the address that the server listens on.
//!
//! The certificate comes from two files of the operator, which are read again when they change ([`FileCertificates`]), or from an
//! authority that speaks ACME, which checks over the same port that the domain leads here ([`AcmeCertificates`]).

mod acme;
mod cache;
mod files;
mod server_tls;
mod validity;

pub use acme::{AcmeCertificates, AcmeError, AcmeSettings, LETS_ENCRYPT};
pub use files::{CertificateError, CertificateFiles, FileCertificates};
pub use server_tls::ServerTls;
pub use validity::{CurrentValidity, Validity};
