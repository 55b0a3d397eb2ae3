//! Admission, quota and timeouts of connections. They keep slow or numerous clients from affecting others.
//!
//! The server encrypts them itself if it has a certificate.
//!
//! The server wraps sockets before actix gets them, because actix applies its timeout only to the first request head of
//! a connection.

mod acceptor;
mod admission_batches;
mod connection;
mod limits;
mod progress;
mod quota;
mod socket;

pub(crate) use acceptor::{ConnectionAcceptor, MAX_CONCURRENT_REJECTIONS};
pub(crate) use admission_batches::AdmissionBatches;
pub(crate) use connection::Connection;
pub use limits::{ConnectionLimits, ConnectionTimeouts};
pub(crate) use progress::record_request;
pub(crate) use quota::{ConnectionQuota, QuotaExceeded, QuotaPermit};
pub use socket::{Duplex, EncryptedStream, Encryption};
pub(crate) use socket::{Encrypted, Socket};
