use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{ACCEPT, CONTENT_TYPE, HeaderValue};
use actix_web::middleware::Next;

use crate::rim::error::ErrorText;

/// Turns errors into plain text unless the caller asks for JSON: the specification wants an error body of a vote to be
/// text.
pub(crate) async fn errors_as_text(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, actix_web::Error> {
    let wants_json = request
        .headers()
        .get(ACCEPT)
        .and_then(|accept| accept.to_str().ok())
        .is_some_and(|accept| accept.contains("application/json"));
    let response = match next.call(request).await {
        Ok(response) => response.map_into_boxed_body(),
        Err(error) => return Err(error),
    };
    let text = response.response().extensions().get::<ErrorText>().map(|text| text.0.clone());
    match text {
        Some(text) if !wants_json => {
            let mut response = response.map_body(|_, _| BoxBody::new(text));
            let plain = HeaderValue::from_static("text/plain; charset=utf-8");
            response.headers_mut().insert(CONTENT_TYPE, plain);
            Ok(response)
        }
        _ => Ok(response),
    }
}
