//! Timestamps of record hashes, from an RFC 3161 service over HTTP. Requests, responses and tokens are in
//! `plenum-timestamp-format`.

mod address;
mod service;
#[cfg(feature = "testkit")]
pub mod testkit;

pub use address::TimestampAddress;
pub use service::{HttpTimestamps, TlsError};
