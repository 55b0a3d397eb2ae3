use actix_web::Error;
use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use tracing::{Span, field};
use tracing_actix_web::RootSpanBuilder;

/// One span for each request. It names the route and not the address: addresses hold tokens of streams and links.
pub(crate) struct RequestSpan;

impl RootSpanBuilder for RequestSpan {
    fn on_request_start(request: &ServiceRequest) -> Span {
        let route = request.match_pattern().unwrap_or_else(|| "(front end)".to_owned());
        tracing::info_span!(
            "request",
            http.method = %request.method(),
            http.route = %route,
            http.status = field::Empty,
        )
    }

    fn on_request_end<B: MessageBody>(span: Span, outcome: &Result<ServiceResponse<B>, Error>) {
        let status = match outcome {
            Ok(response) => response.status(),
            Err(error) => error.as_response_error().status_code(),
        };
        span.record("http.status", status.as_u16());
        let _entered = span.enter();
        if status.is_server_error() {
            tracing::warn!("answered");
        } else {
            tracing::debug!("answered");
        }
    }
}
