use std::cell::Cell;
use std::rc::Rc;

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::middleware::Next;
use tokio::time::Instant;

/// How far a connection has come. The connection and the requests on it tell one another, on one thread.
#[derive(Debug)]
pub(crate) struct Progress {
    /// How many requests are being answered.
    running: Cell<usize>,
    /// When the first byte came that belongs to no request yet.
    begun_at: Cell<Option<Instant>>,
    /// When anything came or went last.
    moved_at: Cell<Instant>,
}

impl Progress {
    /// Of a connection that begins now.
    pub(super) fn new() -> Self {
        Self { running: Cell::default(), begun_at: Cell::default(), moved_at: Cell::new(Instant::now()) }
    }

    /// Whether a request is being answered: how long that takes is not the caller's fault, and its body has a clock of
    /// its own.
    pub(super) fn is_answering(&self) -> bool {
        self.running.get() > 0
    }

    /// When a head began to come that is not there yet.
    pub(super) fn begun_at(&self) -> Option<Instant> {
        self.begun_at.get()
    }

    /// When anything came or went last.
    pub(super) fn moved_at(&self) -> Instant {
        self.moved_at.get()
    }

    /// Notes that something came.
    pub(super) fn receive(&self) {
        let now = Instant::now();
        self.moved_at.set(now);
        if !self.is_answering() && self.begun_at.get().is_none() {
            self.begun_at.set(Some(now));
        }
    }

    /// Notes that something went.
    pub(super) fn send(&self) {
        self.moved_at.set(Instant::now());
    }
}

/// A request that is being answered, until this is dropped.
pub(super) struct Answering(Rc<Progress>);

impl Answering {
    /// Whose head is there.
    pub(super) fn begin(progress: &Rc<Progress>) -> Self {
        progress.running.set(progress.running.get() + 1);
        progress.begun_at.set(None);
        Self(Rc::clone(progress))
    }
}

impl Drop for Answering {
    fn drop(&mut self) {
        self.0.running.set(self.0.running.get() - 1);
        // What comes from now on is of the next request, or of a body that nobody wants.
        self.0.begun_at.set(None);
        self.0.moved_at.set(Instant::now());
    }
}

/// Tells the connection that the head of a request is there, and when its answer is about to be sent.
pub(crate) async fn record_request(
    request: ServiceRequest,
    next: Next<impl MessageBody>,
) -> Result<ServiceResponse<impl MessageBody>, actix_web::Error> {
    let answering = request.conn_data::<Rc<Progress>>().map(Answering::begin);
    let answer = next.call(request).await;
    drop(answering);
    answer
}
