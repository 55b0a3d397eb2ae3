use std::cell::RefCell;
use std::net::IpAddr;

use bytes::Bytes;
use futures_util::stream::LocalBoxStream;

use crate::connections::{ConnectionTimeouts, QuotaPermit};

/// The frames of an endless response.
pub(crate) type Frames = LocalBoxStream<'static, Bytes>;

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

    /// Releases the connection if frames were offered, and returns whether they were. Everything before them MUST be sent.
    pub(super) fn release(
        &self,
        parts: impl FnOnce() -> Option<(S, ConnectionTimeouts, Option<QuotaPermit<IpAddr>>)>,
    ) -> bool {
        let mut stage = self.0.borrow_mut();
        let is_offered = matches!(&*stage, Stage::Offered(_));
        if is_offered
            && let Some((socket, timeouts, permit)) = parts()
            && let Stage::Offered(frames) = std::mem::replace(&mut *stage, Stage::Kept)
        {
            *stage = Stage::Released(Released { socket, timeouts, frames, discarded: 0, _permit: permit });
        }
        is_offered
    }

    /// The connection, if it was released.
    pub(crate) fn take(&self) -> Option<Released<S>> {
        match self.0.replace(Stage::Kept) {
            Stage::Released(released) => Some(released),
            Stage::Kept | Stage::Offered(_) => None,
        }
    }
}
