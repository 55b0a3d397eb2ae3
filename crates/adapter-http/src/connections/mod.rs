//! Who may be connected, and for how long a connection may keep the server waiting: so that a thousand who dawdle, or
//! take all places, are noticed by nobody else.
//!
//! Sockets are wrapped before actix sees them, because it looks at the clock for the first head of a connection only.

mod acceptor;
mod connection;
mod limits;
mod progress;
mod quota;
mod turns;

pub(crate) use acceptor::{ConnectionAcceptor, MAX_CONCURRENT_REJECTIONS};
pub(crate) use connection::Connection;
pub use limits::{ConnectionLimits, ConnectionTimeouts};
pub(crate) use progress::record_request;
pub(crate) use quota::{ConnectionQuota, Place, QuotaExceeded};
pub(crate) use turns::Turns;
