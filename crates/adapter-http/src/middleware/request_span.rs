use std::time::Instant;

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::{Error, HttpMessage as _};
use tracing::{Span, field};
use tracing_actix_web::RootSpanBuilder;

use crate::middleware::RequestName;
use crate::middleware::RequestRoute;
use crate::middleware::RequestStart;

/// The span of a request. It contains the route and not the address, which may contain tokens.
pub(crate) struct RequestSpan;

impl RootSpanBuilder for RequestSpan {
    fn on_request_start(request: &ServiceRequest) -> Span {
        let (name, route) = (RequestName::of(request), RequestRoute::of(request));
        let span = tracing::info_span!(
            "request",
            request.id = %name.0,
            http.method = %request.method(),
            http.route = %route.0,
            http.status = field::Empty,
            http.duration_ms = field::Empty,
        );
        let mut extensions = request.extensions_mut();
        extensions.insert(name);
        extensions.insert(route);
        extensions.insert(RequestStart(Instant::now()));
        span
    }

    fn on_request_end<B: MessageBody>(span: Span, outcome: &Result<ServiceResponse<B>, Error>) {
        let status = match outcome {
            Ok(response) => response.status(),
            Err(error) => error.as_response_error().status_code(),
        };
        span.record("http.status", status.as_u16());
        if let Some(RequestStart(begin)) = outcome.as_ref().ok().and_then(begin_of) {
            span.record("http.duration_ms", u64::try_from(begin.elapsed().as_millis()).unwrap_or(u64::MAX));
        }
        let _entered = span.enter();
        if status.is_server_error() {
            tracing::warn!("answered");
        } else {
            tracing::debug!("answered");
        }
    }
}

fn begin_of<B>(response: &ServiceResponse<B>) -> Option<RequestStart> {
    response.request().extensions().get::<RequestStart>().copied()
}
