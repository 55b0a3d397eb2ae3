use std::future::{Ready, ready};
use std::sync::{Arc, Weak};

use actix_web::body::MessageBody;
use actix_web::dev::{Payload, ServiceRequest, ServiceResponse};
use actix_web::middleware::Next;
use actix_web::rt::spawn;
use actix_web::{Error, FromRequest, HttpMessage as _, HttpRequest};
use plenum_clients::CallerLiveness;
use plenum_kernel::PortFailure;
use tracing::Instrument as _;

use crate::error::ApiError;

/// Shows whether the caller is still connected. For handlers that may stop without a caller.
#[derive(Clone, Debug)]
pub(crate) struct CallerConnection(Weak<()>);

impl CallerLiveness for CallerConnection {
    fn is_there(&self) -> bool {
        self.0.strong_count() > 0
    }
}

impl FromRequest for CallerConnection {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let presence = request.extensions().get::<Self>().cloned();
        ready(presence.ok_or_else(|| {
            ApiError::unavailable(&PortFailure::new("the middleware", "the connection of the caller is unknown"))
        }))
    }
}

/// Runs a request to its end, even if the caller disconnects: a stored change must also reach the screens. Without
/// this, actix drops the handler with the connection.
pub(crate) async fn detach(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<impl MessageBody>, Error> {
    // Dropped with this future, which is dropped with the connection.
    let present = Arc::new(());
    request.extensions_mut().insert(CallerConnection(Arc::downgrade(&present)));
    // The task fails only if the handler panics.
    let outcome = spawn(next.call(request).in_current_span())
        .await
        .unwrap_or_else(|panic| Err(ApiError::unavailable(&PortFailure::new("a handler", panic)).into()));
    drop(present);
    outcome
}
