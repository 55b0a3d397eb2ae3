use std::cell::RefCell;
use std::net::IpAddr;

use bytes::Bytes;
use futures_util::stream::{Fuse, LocalBoxStream};

use crate::connections::{ConnectionTimeouts, QuotaPermit};

/// The frames of an endless response. They may be asked for again after their end.
pub(crate) type Frames = Fuse<LocalBoxStream<'static, Bytes>>;

/// Releases a connection from actix for an endless response. The connection and its responses share it on one thread.
///
/// For each connection actix keeps two buffers and the state of a dispatcher, which an event would have to pass. A stream needs
/// neither, and may be silent for hours. So the body of an endless response offers its frames here. As soon as the head of the
/// response is sent, the connection releases its socket and fails for actix, which then frees its own state.
pub(crate) struct Handover<S>(RefCell<Stage<S>>);

enum Stage<S> {
    /// actix responds to requests.
    Kept,
    /// The head of an endless response is being sent.
    Offered(Frames),
    /// actix has no part in the connection any more.
    Released(Released<S>),
}

/// A connection without actix, and what it sends.
pub(crate) struct Released<S> {
    pub(super) socket: S,
    pub(super) timeouts: ConnectionTimeouts,
    pub(super) frames: Frames,
    /// The number of bytes that the caller has sent since.
    pub(super) discarded: usize,
    /// Returned to the quota together with the socket.
    pub(super) _permit: Option<QuotaPermit<IpAddr>>,
}

impl<S> Handover<S> {
    /// Of a new connection.
    pub(super) fn new() -> Self {
        Self(RefCell::new(Stage::Kept))
    }

    /// Offers the frames of a response whose head was passed to the connection before.
    pub(crate) fn offer(&self, frames: Frames) {
        self.0.replace(Stage::Offered(frames));
    }

    /// Takes the frames if some were offered. Whoever takes them MUST have sent everything before them, and releases the connection.
    pub(super) fn accept(&self) -> Option<Frames> {
        let mut stage = self.0.borrow_mut();
        match std::mem::replace(&mut *stage, Stage::Kept) {
            Stage::Offered(frames) => Some(frames),
            other => {
                *stage = other;
                None
            }
        }
    }

    /// Releases the connection.
    pub(super) fn release(&self, released: Released<S>) {
        self.0.replace(Stage::Released(released));
    }

    /// The connection, if it was released.
    pub(crate) fn take(&self) -> Option<Released<S>> {
        match self.0.replace(Stage::Kept) {
            Stage::Released(released) => Some(released),
            Stage::Kept | Stage::Offered(_) => None,
        }
    }
}
