//! Timestamps of RFC 3161. An authority signs that it has seen a hash at a time.
//!
//! [`TimestampRequest`] writes a request and checks the response to it. [`TimestampToken`] checks a token by itself: that it is
//! about a hash, and that the certificate in it signed it and was made for this purpose. [`Authorities`] are the certificates
//! that vouch for an authority.
//!
//! This crate knows nothing of Plenum's records, so that the server and the independent verification can share it.

mod authorities;
mod elements;
#[cfg(feature = "fuzzing")]
pub mod fuzzing;
mod request;
mod signer;
#[cfg(feature = "testkit")]
pub mod testkit;
mod token;

pub use authorities::{Authorities, BadCertificates};
pub use request::{BadResponse, TimestampRequest};
pub use token::{BadToken, MAX_TOKEN_BYTES, TimestampToken};
