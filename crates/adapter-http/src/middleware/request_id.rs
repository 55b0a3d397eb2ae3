use std::sync::Arc;
use std::time::Instant;

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::error::InternalError;
use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};
use actix_web::middleware::Next;
use actix_web::web::Data;
use actix_web::{Error, HttpMessage as _};
use tracing_actix_web::RequestId;

use crate::config::HttpSettings;
use crate::middleware::RequestMetrics;

/// The response header with the id of the request.
pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The id of a request in the log, in the response, and on the screen that shows an error.
#[derive(Clone, Debug)]
pub(crate) struct RequestName(pub(crate) Arc<str>);

/// The route pattern of a request. Addresses themselves may contain tokens and arbitrary text.
#[derive(Clone, Debug)]
pub(crate) struct RequestRoute(pub(crate) Arc<str>);

/// The time at which the request began.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RequestStart(pub(crate) Instant);

impl RequestName {
    /// The id that a trusted proxy sent, or otherwise a generated one. Ids of other callers are ignored, so that a
    /// caller cannot write into the log.
    pub(crate) fn of(request: &ServiceRequest) -> Self {
        let given = || {
            let peer = request.peer_addr()?.ip();
            let settings = request.app_data::<Data<HttpSettings>>()?;
            let name = request.headers().get(&REQUEST_ID)?.to_str().ok()?;
            (settings.trusted_proxies.trust(peer) && is_plain(name)).then(|| name.into())
        };
        let own = || request.extensions().get::<RequestId>().map(|id| id.to_string().into());
        Self(given().or_else(own).unwrap_or_default())
    }
}

/// Whether the id is short and contains only letters, digits and hyphens.
fn is_plain(name: &str) -> bool {
    (8..=64).contains(&name.len()) && name.bytes().all(|letter| letter.is_ascii_alphanumeric() || letter == b'-')
}

impl RequestRoute {
    pub(crate) fn of(request: &ServiceRequest) -> Self {
        Self(request.match_pattern().map_or_else(|| "(other)".into(), Into::into))
    }
}

/// Sets the id on the response, and counts the response.
pub(crate) async fn set_request_id(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<impl MessageBody>, Error> {
    let started = Instant::now();
    let method = request.method().clone();
    let name = request.extensions().get::<RequestName>().cloned();
    let route = request.extensions().get::<RequestRoute>().cloned();
    let metrics = request.app_data::<Data<RequestMetrics>>().map(|metrics| Arc::clone(metrics));
    let running = metrics.as_ref().map(RequestMetrics::begin);
    let outcome = match next.call(request).await {
        Ok(mut response) => {
            write_name(response.headers_mut(), name.as_ref());
            Ok(response)
        }
        Err(error) => {
            let mut response = error.error_response();
            write_name(response.headers_mut(), name.as_ref());
            Err(InternalError::from_response(error, response).into())
        }
    };
    drop(running);
    if let (Some(metrics), Some(RequestRoute(route))) = (metrics, route) {
        let status = match &outcome {
            Ok(response) => response.status(),
            Err(error) => Error::as_response_error(error).status_code(),
        };
        metrics.answered(&method, route, status, started.elapsed());
    }
    outcome
}

fn write_name(headers: &mut HeaderMap, name: Option<&RequestName>) {
    if let Some(name) = name.and_then(|RequestName(name)| HeaderValue::from_str(name).ok()) {
        headers.insert(REQUEST_ID, name);
    }
}

#[cfg(test)]
mod tests {
    use std::net::SocketAddr;

    use actix_web::test::TestRequest;

    use super::*;
    use crate::TrustedProxies;

    fn name_of(peer: &str, given: &str) -> String {
        let trusted_proxies = TrustedProxies::parse("10.0.0.0/8").unwrap();
        let settings = HttpSettings { trusted_proxies, ..HttpSettings::default() };
        let peer: SocketAddr = peer.parse().unwrap();
        let request = TestRequest::default().app_data(Data::new(settings)).peer_addr(peer);
        RequestName::of(&request.insert_header((REQUEST_ID, given)).to_srv_request()).0.to_string()
    }

    #[test]
    fn only_a_trusted_proxy_can_set_the_request_id() {
        assert_eq!(name_of("10.0.0.1:4711", "from-the-proxy-1"), "from-the-proxy-1");
        assert_eq!(name_of("192.0.2.1:4711", "from-the-proxy-1"), "");
    }

    #[test]
    fn a_request_id_with_other_characters_is_ignored() {
        let long = "a".repeat(65);
        for name in ["short", &long, "with a space in it", "with\"quotes\"", "caf\u{e9}-caf\u{e9}", "a=b;c=d;e"] {
            assert_eq!(name_of("10.0.0.1:4711", name), "", "{name}");
        }
    }
}
