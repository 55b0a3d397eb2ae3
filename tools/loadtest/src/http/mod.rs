//! HTTP as lean as it gets: requests are bytes that are written to a socket, answers are read from it, and nothing
//! stands between the socket and the clock. Only plain HTTP/1.1 on loopback or a local network is meant to be called.

mod chunks;
mod connection;
mod events;
mod response;
mod target;

pub use connection::Connection;
pub use events::{EventStream, Opened};
pub use response::Response;
pub use target::{Request, Target};
