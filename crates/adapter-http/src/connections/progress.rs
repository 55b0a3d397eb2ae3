use std::cell::Cell;
use std::rc::Rc;

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::middleware::Next;
use tokio::time::Instant;

/// The progress of a connection. The connection and its requests share it on one thread.
#[derive(Debug)]
pub(crate) struct Progress {
    /// The number of requests in progress.
    running: Cell<usize>,
    /// The arrival of the first byte that belongs to no request yet.
    begun_at: Cell<Option<Instant>>,
    /// The time of the last byte received or sent.
    moved_at: Cell<Instant>,
}

impl Progress {
    /// Of a new connection.
    pub(super) fn new() -> Self {
        Self { running: Cell::default(), begun_at: Cell::default(), moved_at: Cell::new(Instant::now()) }
    }

    /// Whether a request is in progress. The caller is not responsible for that time, and a body has a timeout of its
    /// own.
    pub(super) fn is_answering(&self) -> bool {
        self.running.get() > 0
    }

    /// The arrival of an incomplete request head.
    pub(super) fn begun_at(&self) -> Option<Instant> {
        self.begun_at.get()
    }

    /// The time of the last byte received or sent.
    pub(super) fn moved_at(&self) -> Instant {
        self.moved_at.get()
    }

    /// Records a received byte.
    pub(super) fn receive(&self) {
        let now = Instant::now();
        self.moved_at.set(now);
        if !self.is_answering() && self.begun_at.get().is_none() {
            self.begun_at.set(Some(now));
        }
    }

    /// Records a sent byte.
    pub(super) fn send(&self) {
        self.moved_at.set(Instant::now());
    }
}

/// A request in progress, until dropped.
pub(super) struct Answering(Rc<Progress>);

impl Answering {
    /// Begins when the head of the request is complete.
    pub(super) fn begin(progress: &Rc<Progress>) -> Self {
        progress.running.set(progress.running.get() + 1);
        progress.begun_at.set(None);
        Self(Rc::clone(progress))
    }
}

impl Drop for Answering {
    fn drop(&mut self) {
        self.0.running.set(self.0.running.get() - 1);
        // Bytes from now on belong to the next request, or to a body that the handler did not read.
        self.0.begun_at.set(None);
        self.0.moved_at.set(Instant::now());
    }
}

/// Reports to the connection that the head of a request is complete, and when its response is ready.
pub(crate) async fn record_request(
    request: ServiceRequest,
    next: Next<impl MessageBody>,
) -> Result<ServiceResponse<impl MessageBody>, actix_web::Error> {
    let answering = request.conn_data::<Rc<Progress>>().map(Answering::begin);
    let answer = next.call(request).await;
    drop(answering);
    answer
}
