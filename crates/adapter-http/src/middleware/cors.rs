use actix_cors::Cors;
use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{
    ACCEPT, ACCESS_CONTROL_ALLOW_CREDENTIALS, ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_EXPOSE_HEADERS,
    ACCESS_CONTROL_REQUEST_METHOD, ALLOW, AUTHORIZATION, CONTENT_DISPOSITION, CONTENT_TYPE, HeaderName, LOCATION,
    ORIGIN, RETRY_AFTER,
};
use actix_web::http::{Method, StatusCode};
use actix_web::middleware::Next;
use actix_web::{Error, ResponseError as _};

use crate::error::ApiError;
use crate::error::ErrorCode;
use crate::extract::UNKNOWN_FIELDS;
use crate::middleware::REQUEST_ID;

/// The response headers that pages of an allowed origin may read, in addition to the always readable ones.
pub(crate) const EXPOSED: [HeaderName; 6] =
    [ALLOW, CONTENT_DISPOSITION, LOCATION, RETRY_AFTER, REQUEST_ID, UNKNOWN_FIELDS];

/// Scripts that read streams without an `EventSource` also send it.
const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

/// The CORS policy: pages of these origins may call the API, also with an `EventSource` that sends credentials. Without
/// configured origins only the product's own pages may. It never allows a wildcard or `null`, the origin of every
/// sandboxed page, because such a page could act for the signed-in person.
pub(crate) fn policy(origins: &[String]) -> Cors {
    let policy = Cors::default()
        .allowed_methods(["GET", "HEAD", "POST", "PUT", "DELETE"])
        .allowed_headers([ACCEPT, AUTHORIZATION, CONTENT_TYPE, LAST_EVENT_ID])
        .expose_headers(EXPOSED)
        .supports_credentials()
        .block_on_origin_mismatch(false)
        .max_age(600);
    let named = origins.iter().filter(|origin| !matches!(origin.as_str(), "*" | "null"));
    named.fold(policy, |policy, origin| policy.allowed_origin(origin))
}

/// Turns rejections of the policy into error responses of the API, and removes headers meant for allowed origins from
/// other responses.
pub(crate) async fn tidy(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let headers = request.headers();
    let is_preflight = *request.method() == Method::OPTIONS && headers.contains_key(ACCESS_CONTROL_REQUEST_METHOD);
    let mut response = next.call(request).await?.map_into_boxed_body();
    if is_preflight && response.status().is_client_error() {
        let names_origin = response.request().headers().contains_key(ORIGIN);
        let refusal = refusal_of(response.response().error(), names_origin).error_response();
        // The policy's `Vary` headers are kept.
        let kept: Vec<_> = response.headers().get_all("vary").cloned().collect();
        response = response.into_response(refusal);
        for vary in kept {
            response.headers_mut().append(actix_web::http::header::VARY, vary);
        }
    }
    if !response.headers().contains_key(ACCESS_CONTROL_ALLOW_ORIGIN) {
        response.headers_mut().remove(ACCESS_CONTROL_ALLOW_CREDENTIALS);
        response.headers_mut().remove(ACCESS_CONTROL_EXPOSE_HEADERS);
    }
    Ok(response)
}

fn refusal_of(error: Option<&Error>, names_origin: bool) -> ApiError {
    let text = match error {
        Some(error) if names_origin => format!("{error}."),
        _ => "A request with Access-Control-Request-Method must name its Origin.".to_owned(),
    };
    ApiError::new(StatusCode::FORBIDDEN, ErrorCode::ORIGIN_NOT_ALLOWED, text)
}
