use actix_web::Error;
use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::middleware::Next;
use actix_web::rt::spawn;
use plenum_kernel::PortFailure;
use tracing::Instrument as _;

use crate::rim::ApiError;

/// Carries a request out to its end, also when whoever sent it has hung up: a change that is stored must be told to
/// the screens, too. Without this the handler is dropped with the connection, wherever it stands.
pub(crate) async fn carry_out(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<impl MessageBody>, Error> {
    // Only a panic of the handler leaves no answer.
    spawn(next.call(request).in_current_span())
        .await
        .unwrap_or_else(|panic| Err(ApiError::unavailable(&PortFailure::new("a handler", panic)).into()))
}
