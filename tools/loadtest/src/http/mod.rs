//! A minimal HTTP client: it writes requests to a socket and reads responses from it, so that nothing else affects the
//! times. For plain HTTP/1.1 on loopback or a local network only.

mod chunks;
mod connection;
mod events;
mod response;
mod target;

pub use connection::Connection;
pub use events::{EventStream, Opened};
pub use response::Response;
pub use target::{Request, Target};
