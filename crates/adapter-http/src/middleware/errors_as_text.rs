use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderValue};
use actix_web::middleware::Next;

use crate::error::ErrorText;

/// Turns errors into plain text unless the caller accepts JSON. The specification requires text for errors of a vote.
pub(crate) async fn errors_as_text(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, actix_web::Error> {
    let wants_json = wants_json(request.headers());
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

/// Whether `Accept` contains JSON. Case does not matter, and a quality of 0 excludes a type.
pub(crate) fn wants_json(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(ACCEPT).filter_map(|accept| accept.to_str().ok());
    accepted.flat_map(|accept| accept.split(',')).any(|range| {
        let mut parts = range.split(';').map(str::trim);
        let is_json = parts.next().is_some_and(|name| name.eq_ignore_ascii_case("application/json"));
        is_json && !parts.any(is_refusal)
    })
}

/// Whether a parameter of a media type is a quality of 0.
fn is_refusal(parameter: &str) -> bool {
    let quality = parameter.split_once('=').filter(|(name, _)| name.trim().eq_ignore_ascii_case("q"));
    quality.is_some_and(|(_, value)| value.trim().parse() == Ok(0.0_f32))
}
