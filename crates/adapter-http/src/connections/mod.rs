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
pub use limits::{ConnectionLimits, Patience};
pub(crate) use progress::note_request;
pub(crate) use quota::{ConnectionQuota, NoPlace, Place};
pub(crate) use turns::Turns;
