//! Security headers on every response of a request. No handler sets any of them.

use actix_web::Error;
use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::error::InternalError;
use actix_web::http::header::{
    CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE, ETAG, HeaderMap, HeaderName, HeaderValue,
};
use actix_web::middleware::Next;
use actix_web::web::Data;

use crate::config::HttpSettings;
use crate::front_end::is_reserved;

type Header = (&'static str, &'static str);

/// On every response.
const EVERYWHERE: [Header; 2] = [("x-content-type-options", "nosniff"), ("referrer-policy", "same-origin")];

/// On every response of an installation with TLS. Browsers ignore it without TLS.
const HSTS: Header = ("strict-transport-security", "max-age=31536000; includeSubDomains");
/// The same without subdomains, for an installation that shares its host name with others.
const HSTS_WITHOUT_SUBDOMAINS: Header = ("strict-transport-security", "max-age=31536000");

/// On pages and their files. Scripts come only from own files. Inline styles are allowed for Mantine, and `data:` for
/// images in style sheets. The service worker and the manifest make the app installable. The presentation uses full
/// screen, the organizer's screens use the clipboard, and the voters' entry reads QR codes with the camera.
const PAGE: [Header; 7] = [
    (
        "content-security-policy",
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
         font-src 'self' data:; connect-src 'self'; frame-src 'self'; worker-src 'self'; manifest-src 'self'; \
         base-uri 'self'; form-action 'self'; frame-ancestors 'self'",
    ),
    ("x-frame-options", "SAMEORIGIN"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    (
        "permissions-policy",
        "camera=(self), clipboard-write=(self), display-capture=(), fullscreen=(self), geolocation=(), microphone=(), \
         midi=(), payment=(), usb=()",
    ),
    ("x-permitted-cross-domain-policies", "none"),
    ("origin-agent-cluster", "?1"),
];

/// On the sandboxed page of the diagnostic tests and its script. A sandboxed page has no origin, so its own files are
/// cross-origin.
const PROBE: [Header; 3] = [
    (
        "content-security-policy",
        "default-src 'none'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; \
         frame-ancestors 'self'",
    ),
    ("x-frame-options", "SAMEORIGIN"),
    ("cross-origin-resource-policy", "cross-origin"),
];

/// On responses of the API, in case a browser shows one as a page. They must not be stored, because they are for one
/// caller at one moment.
const DATA: [Header; 4] = [
    (
        "content-security-policy",
        "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox",
    ),
    ("x-frame-options", "DENY"),
    ("cross-origin-resource-policy", "same-origin"),
    ("cache-control", "no-store"),
];

/// On the two public health responses. The diagnostic tests request them from a page without an origin.
const HEALTH: [Header; 4] = [DATA[0], DATA[1], ("cross-origin-resource-policy", "cross-origin"), DATA[3]];

/// On JSON responses without a file name. A browser that opens one saves it as a file, for any ending of the address.
const AS_A_FILE: &str = "attachment; filename=\"api.json\"";

/// The kinds of addresses other than pages, below the base path. The first match wins; a pattern that ends with `/`
/// matches everything below it.
const PATHS: [(&str, Kind); 12] = [
    ("/api/health", Kind::Health),
    ("/api/health/ready", Kind::Health),
    ("/api/docs", Kind::Page),
    ("/api/docs/", Kind::Page),
    ("/api", Kind::Data),
    ("/api/", Kind::Data),
    ("/health", Kind::Data),
    ("/health/", Kind::Data),
    ("/metrics", Kind::Data),
    ("/metrics/", Kind::Data),
    ("/origin-probe.html", Kind::Probe),
    ("/origin-probe.js", Kind::Probe),
];

/// The headers of a response of the API that depend on neither its request nor the installation, for a response that is
/// sent without reading a request.
pub(crate) fn static_data_headers() -> impl Iterator<Item = (&'static str, &'static str)> {
    EVERYWHERE.into_iter().chain(DATA)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Page,
    Probe,
    Data,
    Health,
}

/// The security headers of this installation.
pub(crate) struct SecurityHeaders {
    base_path: String,
    uses_tls: bool,
}

impl SecurityHeaders {
    pub(crate) fn new(settings: &HttpSettings) -> Self {
        let public_url = settings.public_url.as_deref().unwrap_or_default();
        Self { base_path: settings.base_path.clone(), uses_tls: public_url.starts_with("https://") }
    }

    fn kind_of(&self, path: &str) -> Kind {
        // Load balancers use these addresses with any base path.
        if matches!(path, "/health" | "/health/ready") {
            return Kind::Health;
        }
        if is_reserved(path) {
            return Kind::Data;
        }
        let below = path.strip_prefix(self.base_path.as_str()).unwrap_or(path);
        let fits = |pattern: &str| below == pattern || pattern.ends_with('/') && below.starts_with(pattern);
        PATHS.into_iter().find(|(pattern, _)| fits(pattern)).map_or(Kind::Page, |(_, kind)| kind)
    }

    fn add_to(&self, headers: &mut HeaderMap, kind: Kind) {
        let of_kind: &[Header] = match kind {
            Kind::Page => &PAGE,
            Kind::Probe => &PROBE,
            Kind::Data => &DATA,
            Kind::Health => &HEALTH,
        };
        let for_tls = if self.base_path.is_empty() { &HSTS } else { &HSTS_WITHOUT_SUBDOMAINS };
        let of_transport = self.uses_tls.then_some(for_tls);
        // Public data with a version: the logos of organizations.
        let caching = headers.get(CACHE_CONTROL).filter(|_| headers.contains_key(ETAG)).cloned();
        for (name, value) in EVERYWHERE.iter().chain(of_kind).chain(of_transport) {
            headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
        }
        if let Some(caching) = caching {
            headers.insert(CACHE_CONTROL, caching);
        }
        let content_type = headers.get(CONTENT_TYPE).map(HeaderValue::as_bytes).unwrap_or_default();
        let is_json = content_type.starts_with(b"application/json");
        let typed = with_charset(content_type);
        if kind == Kind::Data && is_json && !headers.contains_key(CONTENT_DISPOSITION) {
            headers.insert(CONTENT_DISPOSITION, HeaderValue::from_static(AS_A_FILE));
        }
        if let Some(typed) = typed {
            headers.insert(CONTENT_TYPE, typed);
        }
    }
}

/// Adds the charset to a text type without one. Event streams always use UTF-8.
fn with_charset(content_type: &[u8]) -> Option<HeaderValue> {
    let text = std::str::from_utf8(content_type).ok().filter(|text| text.starts_with("text/"))?;
    let has_charset = text.contains(';') || text == "text/event-stream";
    (!has_charset).then(|| HeaderValue::from_str(&format!("{text}; charset=utf-8")).ok()).flatten()
}

/// Sets the headers on every response, also on errors without a response of their own.
pub(crate) async fn set_security_headers(
    security: Data<SecurityHeaders>,
    request: ServiceRequest,
    next: Next<impl MessageBody>,
) -> Result<ServiceResponse<impl MessageBody>, Error> {
    // The decoded path, as in routing.
    let kind = security.kind_of(request.match_info().as_str());
    match next.call(request).await {
        Ok(mut response) => {
            security.add_to(response.headers_mut(), kind);
            Ok(response)
        }
        Err(error) => {
            let mut response = error.error_response();
            security.add_to(response.headers_mut(), kind);
            Err(InternalError::from_response(error, response).into())
        }
    }
}

#[cfg(test)]
mod tests {
    use actix_web::http::StatusCode;
    use actix_web::middleware::from_fn;
    use actix_web::test::{TestRequest, init_service, try_call_service};
    use actix_web::{App, HttpResponse, web};
    use plenum_kernel::PortFailure;

    use super::*;
    use crate::error::ApiError;

    fn below(base_path: &str) -> SecurityHeaders {
        SecurityHeaders::new(&HttpSettings { base_path: base_path.to_owned(), ..HttpSettings::default() })
    }

    #[test]
    fn each_address_has_its_kind_below_any_base_path() {
        for base_path in ["", "/plenum"] {
            let kind_of = |path: &str| below(base_path).kind_of(&format!("{base_path}{path}"));
            for path in ["/", "/admin/login", "/assets/a.js", "/apix", "/api/docs", "/api/docs/index.html", "/origin"] {
                assert_eq!(kind_of(path), Kind::Page, "{path}");
            }
            for path in ["/api", "/api/", "/api/nothing", "/api/docsx", "/api/openapi.json", "/api/health/x"] {
                assert_eq!(kind_of(path), Kind::Data, "{path}");
            }
            assert_eq!(kind_of("/api/health"), Kind::Health);
            assert_eq!(below(base_path).kind_of("/health/ready"), Kind::Health);
            assert_eq!(kind_of("/origin-probe.js"), Kind::Probe);
        }
    }

    async fn break_down(_: ServiceRequest, _: Next<impl MessageBody>) -> Result<ServiceResponse, Error> {
        Err(ApiError::unavailable(&PortFailure::new("a handler", "it panicked")).into())
    }

    #[test]
    fn text_types_have_a_charset() {
        assert_eq!(with_charset(b"text/css").unwrap(), "text/css; charset=utf-8");
        for kind in ["text/csv; charset=utf-8", "text/event-stream", "application/json", "image/svg+xml", ""] {
            assert_eq!(with_charset(kind.as_bytes()), None, "{kind}");
        }
    }

    #[tokio::test]
    async fn an_error_without_a_response_has_the_headers_as_well() {
        let app = App::new()
            .wrap(from_fn(break_down))
            .wrap(from_fn(set_security_headers))
            .app_data(Data::new(below("")))
            .default_service(web::to(HttpResponse::Ok));
        let app = init_service(app).await;
        let error = try_call_service(&app, TestRequest::with_uri("/api/clients").to_request()).await.err().unwrap();
        assert_eq!(error.as_response_error().status_code(), StatusCode::SERVICE_UNAVAILABLE);
        let response = error.error_response();
        assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(response.headers().get("x-frame-options").unwrap(), "DENY");
        assert_eq!(response.headers().get("retry-after").unwrap(), "1");
    }
}
