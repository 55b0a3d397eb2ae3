//! Admission, quota and timeouts of connections. They keep slow or numerous clients from affecting others.
//!
//! The server encrypts them itself if it has a certificate.
//!
//! The server wraps sockets before actix gets them, because actix applies its timeout only to the first request head of
//! a connection. The wrapper also takes the connection of a stream from actix, which needs more memory for each connection
//! than a stream does.

mod acceptor;
mod admission_batches;
mod connection;
mod handover;
mod limits;
mod progress;
mod quota;
mod relay;
mod socket;

pub(crate) use acceptor::{ConnectionAcceptor, MAX_CONCURRENT_REJECTIONS};
pub(crate) use admission_batches::AdmissionBatches;
pub(crate) use connection::Connection;
pub(crate) use handover::{Frames, Handover};
pub use limits::{ConnectionLimits, ConnectionTimeouts};
pub(crate) use progress::record_request;
pub(crate) use quota::{ConnectionQuota, QuotaExceeded, QuotaPermit};
pub(crate) use relay::LINGER;
pub use socket::{Duplex, EncryptedStream, Encryption};
pub(crate) use socket::{Encrypted, Socket};
