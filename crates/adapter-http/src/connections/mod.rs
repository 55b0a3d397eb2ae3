//! Who may be connected, and for how long a connection may keep the server waiting: so that a thousand who dawdle, or
//! take all places, are noticed by nobody else.
//!
//! Sockets are wrapped before actix sees them, because it looks at the clock for the first head of a connection only.

mod connection;
mod doorway;
mod limits;
mod places;
mod progress;
mod turns;

pub(crate) use connection::Connection;
pub(crate) use doorway::{Doorway, FAREWELLS};
pub use limits::{ConnectionLimits, Patience};
pub(crate) use places::{NoPlace, Place, Places};
pub(crate) use progress::note_request;
pub(crate) use turns::Turns;
