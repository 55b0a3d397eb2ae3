use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use actix_web::web::{Data, Json};
use actix_web::{HttpRequest, get};
use futures_util::future::join_all;
use reqwest::header::{
    ACCEPT, ACCESS_CONTROL_ALLOW_CREDENTIALS, ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS,
    ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_REQUEST_HEADERS,
    ACCESS_CONTROL_REQUEST_METHOD, HeaderName, ORIGIN, VARY,
};
use reqwest::{Method, Response};
use serde::Serialize;
use utoipa::ToSchema;

use crate::config::HttpSettings;
use crate::extract::{AccountHolder, called_origin};
use crate::middleware::cors::EXPOSED;

/// The time limit for all requests of the test.
const TIMEOUT: Duration = Duration::from_secs(5);
/// A reserved name, which no real origin has.
const FOREIGN_ORIGIN: &str = "https://foreign.invalid";
/// The origin that browsers send for a page without one, such as a file or a sandboxed frame.
const NULL_ORIGIN: &str = "null";

/// The address at which the server answers over plain http.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ServedAt(pub(crate) SocketAddr);

impl ServedAt {
    /// The address at which the server reaches itself.
    fn own_address(self) -> SocketAddr {
        let Self(mut address) = self;
        if address.ip().is_unspecified() {
            address.set_ip(match address.ip() {
                IpAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
                IpAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
            });
        }
        address
    }
}

/// The relation of an origin to the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum OriginKind {
    /// The origin of the product's own pages.
    Own,
    /// A configured origin.
    Allowed,
    /// Another origin, possibly one that resembles a known one.
    Foreign,
    /// The origin of a page without one.
    Null,
}

impl OriginKind {
    /// Whether pages of this kind should be able to call the API.
    fn is_expected(self) -> bool {
        matches!(self, Self::Own | Self::Allowed)
    }
}

/// The outcome of the requests for one origin.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "origin": "https://foreign.invalid", "kind": "foreign", "isAllowed": false, "expected": false, "allowOrigin": null,
    "problems": [],
}))]
pub(crate) struct OriginProbe {
    /// The origin that the browser sends.
    origin: String,
    kind: OriginKind,
    /// Whether a browser would allow the page to call the API.
    is_allowed: bool,
    /// Whether it should.
    expected: bool,
    /// The value of `Access-Control-Allow-Origin` in the response.
    #[schema(required)]
    allow_origin: Option<String>,
    /// Sentences about calls that should work for an allowed origin and do not.
    problems: Vec<String>,
}

/// The responses of the server to pages of several origins.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({
    "probes": [{
        "origin": "https://foreign.invalid", "kind": "foreign", "isAllowed": false, "expected": false,
        "allowOrigin": null, "problems": [],
    }],
}))]
pub(crate) struct CorsDetails {
    /// The tested origins, allowed and foreign. Null if the server cannot reach itself.
    probes: Vec<OriginProbe>,
}

/// Whether pages of other origins can call the API as configured.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "success": true,
    "isValid": true,
    "message": "The server allows its own pages and those of the configured origins, and no others.",
    "details": {
        "probes": [{
            "origin": "https://foreign.invalid", "kind": "foreign", "isAllowed": false, "expected": false,
            "allowOrigin": null, "problems": [],
        }],
    },
}))]
pub(crate) struct CorsTestView {
    /// True if the test ran. The other fields contain the findings.
    success: bool,
    is_valid: bool,
    message: String,
    details: CorsDetails,
}

impl CorsTestView {
    fn of(probes: Vec<OriginProbe>) -> Self {
        let named = |expected: bool| -> Vec<&str> {
            let wrong = probes.iter().filter(|probe| probe.expected == expected && probe.is_allowed != expected);
            wrong.map(|probe| probe.origin.as_str()).collect()
        };
        let (blocked, allowed) = (named(true), named(false));
        let problems = probes.iter().filter(|probe| !probe.problems.is_empty());
        let problems = problems.map(|probe| format!("{}: {}", probe.origin, probe.problems.join(" ")));
        let mut sentences = Vec::new();
        if !blocked.is_empty() {
            sentences.push(format!("The server blocks pages of {}.", blocked.join(", ")));
            sentences.extend(problems);
        }
        if !allowed.is_empty() {
            sentences.push(format!("The server allows pages of {}, and must not.", allowed.join(", ")));
        }
        let is_valid = sentences.is_empty();
        if is_valid {
            sentences
                .push("The server allows its own pages and those of the configured origins, and no others.".to_owned());
        }
        Self { success: true, is_valid, message: sentences.join(" "), details: CorsDetails { probes } }
    }

    fn out_of_reach(address: SocketAddr, reason: &str) -> Self {
        let message = format!("The server cannot reach itself at {address}: {reason}.");
        Self { success: true, is_valid: false, message, details: CorsDetails { probes: Vec::new() } }
    }
}

/// Calls the API over the network, at the address that the server listens on.
struct Browser {
    http: reqwest::Client,
    /// The address of the API.
    api: String,
}

impl Browser {
    fn new(address: SocketAddr, base_path: &str) -> Result<Self, reqwest::Error> {
        // A configured proxy is for other services.
        let http = reqwest::Client::builder().no_proxy().build()?;
        Ok(Self { http, api: format!("http://{address}{base_path}/api") })
    }

    /// Sends the requests of a browser for a page of `origin`: a preflight for a request with a token, the request, and
    /// a stream like an `EventSource` with credentials.
    async fn probe(&self, origin: String, kind: OriginKind) -> Result<OriginProbe, reqwest::Error> {
        let preflight = self
            .http
            .request(Method::OPTIONS, format!("{}/test/auth", self.api))
            .header(ORIGIN, &origin)
            .header(ACCESS_CONTROL_REQUEST_METHOD, "GET")
            .header(ACCESS_CONTROL_REQUEST_HEADERS, "authorization");
        let get = |path: &str| self.http.get(format!("{}{path}", self.api)).header(ORIGIN, &origin);
        let (call, stream) = (get("/health"), get(STREAM));
        let responses = Responses {
            preflight: preflight.send().await?,
            call: call.send().await?,
            stream: stream.header(ACCEPT, "text/event-stream").send().await?,
        };
        let problems = if kind == OriginKind::Allowed { responses.problems(&origin) } else { Vec::new() };
        let is_allowed = match kind {
            // Browsers send no preflight for requests to the page's own origin.
            OriginKind::Own => responses.call.status().is_success(),
            OriginKind::Allowed => problems.is_empty(),
            OriginKind::Foreign | OriginKind::Null => {
                responses.all().iter().any(|response| grants_access(response, &origin))
            }
        };
        let allow_origin = responses.all().iter().find_map(|response| text(response, ACCESS_CONTROL_ALLOW_ORIGIN));
        Ok(OriginProbe { origin, kind, is_allowed, expected: kind.is_expected(), allow_origin, problems })
    }
}

/// A stream that needs a token. Its rejection has the same CORS headers.
const STREAM: &str = "/sse/meetings/00000000-0000-0000-0000-000000000000/stream";

/// The responses of the server to a page.
struct Responses {
    preflight: Response,
    call: Response,
    stream: Response,
}

impl Responses {
    fn all(&self) -> [&Response; 3] {
        [&self.call, &self.preflight, &self.stream]
    }

    /// The calls that should work for an allowed origin and do not.
    fn problems(&self, origin: &str) -> Vec<String> {
        let mut problems = Vec::new();
        let mut require = |holds: bool, problem: &str| {
            if !holds {
                problems.push(problem.to_owned());
            }
        };
        let [call, preflight, stream] = self.all();
        require(allows_token(preflight, origin), "A request with a token is rejected.");
        require(call.status().is_success() && allows_reading(call, origin), "Responses cannot be read.");
        require(allows_reading(stream, origin), "Streams cannot be read.");
        let with_credentials = self
            .all()
            .iter()
            .all(|response| text(response, ACCESS_CONTROL_ALLOW_CREDENTIALS).as_deref() == Some("true"));
        require(with_credentials, "Access-Control-Allow-Credentials is missing, without which streams are refused.");
        let exposed = EXPOSED;
        let hidden: Vec<_> = exposed
            .iter()
            .filter(|name| !lists(call, ACCESS_CONTROL_EXPOSE_HEADERS, name.as_str()))
            .map(|name| name.as_str())
            .collect();
        require(hidden.is_empty(), &format!("Access-Control-Expose-Headers does not name {}.", hidden.join(", ")));
        require(
            lists(call, VARY, "origin"),
            "Vary does not name Origin, so caches may mix up the responses to several origins.",
        );
        problems
    }
}

fn text(response: &Response, name: HeaderName) -> Option<String> {
    let values = response.headers().get_all(name).iter();
    let values: Vec<_> = values.map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned()).collect();
    (!values.is_empty()).then(|| values.join(", "))
}

/// Whether a header with a list contains `value`.
fn lists(response: &Response, name: HeaderName, value: &str) -> bool {
    let listed = text(response, name).unwrap_or_default();
    listed.split(',').any(|listed| listed.trim().eq_ignore_ascii_case(value))
}

/// Whether the response to a preflight allows a page of `origin` to send a token.
fn allows_token(response: &Response, origin: &str) -> bool {
    response.status().is_success()
        && allows_reading(response, origin)
        && lists(response, ACCESS_CONTROL_ALLOW_METHODS, "GET")
        && lists(response, ACCESS_CONTROL_ALLOW_HEADERS, "authorization")
}

/// Whether a page of `origin` may read the response.
fn allows_reading(response: &Response, origin: &str) -> bool {
    text(response, ACCESS_CONTROL_ALLOW_ORIGIN).as_deref() == Some(origin)
}

/// Whether the response grants a page of `origin` any access.
fn grants_access(response: &Response, origin: &str) -> bool {
    let allowed = text(response, ACCESS_CONTROL_ALLOW_ORIGIN);
    allowed.is_some_and(|allowed| allowed == "*" || allowed.eq_ignore_ascii_case(origin))
        || response.headers().contains_key(ACCESS_CONTROL_ALLOW_CREDENTIALS)
}

/// Another origin that begins like this one.
fn similar_origin(origin: &str) -> String {
    let host = origin.find("://").map_or(0, |end| end + 3);
    match origin[host..].rfind(':').filter(|_| !origin.ends_with(']')) {
        Some(port) => format!("{}.foreign.invalid{}", &origin[..host + port], &origin[host + port..]),
        None => format!("{origin}.foreign.invalid"),
    }
}

/// The origins to test: each known origin with one that resembles it, a foreign one and `null`.
fn origins(own: &str, configured: &[String]) -> Vec<(String, OriginKind)> {
    let mut origins = vec![(own.to_owned(), OriginKind::Own)];
    origins.extend(configured.iter().map(|origin| (origin.clone(), OriginKind::Allowed)));
    let similar_origins: Vec<_> =
        origins.iter().map(|(origin, _)| (similar_origin(origin), OriginKind::Foreign)).collect();
    origins.push((FOREIGN_ORIGIN.to_owned(), OriginKind::Foreign));
    origins.extend(similar_origins);
    origins.push((NULL_ORIGIN.to_owned(), OriginKind::Null));
    origins
}

/// The origin of the product's pages: the configured one, or otherwise that of the request.
fn own_origin(request: &HttpRequest, settings: &HttpSettings) -> String {
    settings.public_url.clone().unwrap_or_else(|| called_origin(request, settings))
}

/// Tests which origins may call the API. The server calls itself over the network as browsers do, for its own pages,
/// for each configured origin, for foreign origins and for pages without one.
#[utoipa::path(
    tag = "tests",
    security(("bearer" = [])),
    responses(
        (status = 200, description = "The findings, also if the server cannot reach itself", body = CorsTestView),
    ),
)]
#[get("/test/cors")]
pub(crate) async fn test_cors(
    _: AccountHolder,
    request: HttpRequest,
    settings: Data<HttpSettings>,
    served_at: Data<ServedAt>,
) -> Json<CorsTestView> {
    let address = served_at.own_address();
    let origins = origins(&own_origin(&request, &settings), &settings.cors_origins);
    Json(match tokio::time::timeout(TIMEOUT, probe_all(address, &settings.base_path, origins)).await {
        Ok(Ok(probes)) => CorsTestView::of(probes),
        Ok(Err(error)) => CorsTestView::out_of_reach(address, &deepest(&error)),
        Err(_) => CorsTestView::out_of_reach(address, &format!("no response within {} seconds", TIMEOUT.as_secs())),
    })
}

async fn probe_all(
    address: SocketAddr,
    base_path: &str,
    origins: Vec<(String, OriginKind)>,
) -> Result<Vec<OriginProbe>, reqwest::Error> {
    let browser = Browser::new(address, base_path)?;
    let probes = join_all(origins.into_iter().map(|(origin, kind)| browser.probe(origin, kind))).await;
    probes.into_iter().collect()
}

/// The innermost cause, such as "Connection refused".
fn deepest(error: &dyn std::error::Error) -> String {
    let mut deepest = error;
    while let Some(source) = deepest.source() {
        deepest = source;
    }
    deepest.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn probe(origin: &str, expected: bool, is_allowed: bool) -> OriginProbe {
        let kind = if expected { OriginKind::Allowed } else { OriginKind::Foreign };
        OriginProbe { origin: origin.to_owned(), kind, is_allowed, expected, allow_origin: None, problems: Vec::new() }
    }

    #[test]
    fn the_message_names_the_wrong_origins() {
        let view = CorsTestView::of(vec![probe("https://a.example", true, true), probe("null", false, false)]);
        assert!(view.is_valid);
        let view = CorsTestView::of(vec![
            probe("https://a.example", true, false),
            probe("https://b.example", true, true),
            probe("null", false, true),
        ]);
        let message = "The server blocks pages of https://a.example. The server allows pages of null, and must not.";
        assert_eq!((view.is_valid, view.message.as_str()), (false, message));
    }

    #[test]
    fn a_similar_origin_has_another_host() {
        for (origin, expected) in [
            ("https://vote.example.org", "https://vote.example.org.foreign.invalid"),
            ("http://localhost:8080", "http://localhost.foreign.invalid:8080"),
        ] {
            assert_eq!(similar_origin(origin), expected);
        }
        assert_ne!(similar_origin("http://[::1]"), "http://[::1]");
    }

    #[test]
    fn the_test_covers_known_similar_and_foreign_origins() {
        let tried = origins("http://own.example", &["https://one.example".to_owned()]);
        let kinds: Vec<_> = tried.iter().map(|(_, kind)| *kind).collect();
        use OriginKind::{Allowed, Foreign, Null, Own};
        assert_eq!(kinds, [Own, Allowed, Foreign, Foreign, Foreign, Null]);
    }

    #[test]
    fn a_server_on_every_address_reaches_itself_on_the_machine() {
        for (listening, own) in
            [("0.0.0.0:8080", "127.0.0.1:8080"), ("[::]:8080", "[::1]:8080"), ("192.0.2.7:80", "192.0.2.7:80")]
        {
            assert_eq!(ServedAt(listening.parse().unwrap()).own_address().to_string(), own);
        }
    }

    #[tokio::test]
    async fn an_unreachable_server_is_reported_with_the_reason() {
        let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = free.local_addr().unwrap();
        drop(free);
        let error = probe_all(address, "", origins("http://own.example", &[])).await.unwrap_err();
        let view = CorsTestView::out_of_reach(address, &deepest(&error));
        assert!(!view.is_valid && view.message.contains("refused"), "{}", view.message);
    }
}
