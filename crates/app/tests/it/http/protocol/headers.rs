//! Security headers of responses.

use plenum_adapter_http::HttpSettings;
use reqwest::header::HeaderMap;
use serde_json::{Value, json};

use crate::http::support::{NO_ID, Organization, TestApp, TestVoter};

/// The kind of a response, for its headers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// A page of the front end, or one of its files.
    Page,
    /// The page without an origin of the diagnostic tests.
    Probe,
    /// A response of the API.
    Data,
    /// A response of the health checks.
    Health,
}

/// The value of a header, or the words of its policy.
fn header<'a>(headers: &'a HeaderMap, name: &str) -> &'a str {
    headers.get(name).map(|value| value.to_str().unwrap()).unwrap_or_default()
}

fn assert_headers(headers: &HeaderMap, kind: Kind, what: &str) {
    let of = |name| header(headers, name);
    assert_eq!(of("x-content-type-options"), "nosniff", "{what}");
    assert_eq!(of("referrer-policy"), "same-origin", "{what}");
    assert_eq!(of("server"), "", "{what}");
    assert_eq!(headers.get_all("content-security-policy").iter().count(), 1, "{what}");
    let policy: Vec<&str> = of("content-security-policy").split("; ").collect();
    assert!(policy.contains(&"default-src 'none'"), "{what}: {policy:?}");
    let allows = |directive: &str| policy.iter().find_map(|part| part.strip_prefix(directive)).map(str::trim);
    match kind {
        Kind::Page => {
            assert_eq!(allows("script-src"), Some("'self'"), "{what}");
            assert_eq!(allows("connect-src"), Some("'self'"), "{what}");
            assert_eq!(allows("worker-src"), Some("'self'"), "{what}");
            assert_eq!(allows("manifest-src"), Some("'self'"), "{what}");
            assert_eq!(allows("base-uri"), Some("'self'"), "{what}");
            assert_eq!(allows("frame-ancestors"), Some("'self'"), "{what}");
            assert_eq!(of("x-frame-options"), "SAMEORIGIN", "{what}");
            assert_eq!(of("cross-origin-opener-policy"), "same-origin", "{what}");
            assert_eq!(of("cross-origin-resource-policy"), "same-origin", "{what}");
            assert!(of("permissions-policy").contains("camera=(self)"), "{what}");
        }
        Kind::Probe => {
            assert_eq!(allows("script-src"), Some("'self'"), "{what}");
            assert_eq!(allows("frame-ancestors"), Some("'self'"), "{what}");
            assert_eq!(of("cross-origin-resource-policy"), "cross-origin", "{what}");
        }
        Kind::Data | Kind::Health => {
            assert!(policy.contains(&"sandbox"), "{what}");
            assert_eq!(allows("script-src"), None, "{what}");
            assert_eq!(allows("frame-ancestors"), Some("'none'"), "{what}");
            assert_eq!(of("x-frame-options"), "DENY", "{what}");
            assert_eq!(of("cache-control"), "no-store", "{what}");
            let expected = if kind == Kind::Data { "same-origin" } else { "cross-origin" };
            assert_eq!(of("cross-origin-resource-policy"), expected, "{what}");
            let is_json = of("content-type").starts_with("application/json");
            let is_file = of("content-disposition").starts_with("attachment; ");
            assert!(is_file || !is_json || kind == Kind::Health, "{what}");
        }
    }
    let content_type = of("content-type");
    let has_letters = content_type.starts_with("text/") && content_type != "text/event-stream";
    assert!(!has_letters || content_type.ends_with("; charset=utf-8"), "{what}: {content_type}");
}

/// Method, address, token, body, possible statuses, and the kind of the response.
type Call<'a> = (&'static str, String, &'a str, Value, &'static [u16], Kind);

/// An organization with a meeting, for responses of every kind.
struct World {
    app: TestApp,
    club: Organization,
    ben: TestVoter,
    /// The id of the meeting.
    meeting: String,
}

impl World {
    async fn new(settings: HttpSettings) -> Self {
        let app = TestApp::start_with(settings).await;
        let club = app.client("Rowing Club").await;
        let ben = club.voter("ben").await;
        let meeting = club.meeting().await.id;
        Self { app, club, ben, meeting }
    }

    /// One response of every kind.
    fn answers(&self) -> Vec<Call<'_>> {
        let (admin, ben) = (self.club.admin.token(), self.ben.caller.token());
        let stream = format!("/api/sse/meetings/{}/stream", self.meeting);
        let missing = format!("/api/client/meetings/{NO_ID}");
        let nothing = Value::Null;
        // Without a built front end, a page explains that.
        let page: &[u16] = &[200, 503];
        [
            ("GET", "/", "", nothing.clone(), page, Kind::Page),
            ("GET", "/admin/login", "", nothing.clone(), page, Kind::Page),
            ("HEAD", "/vote", "", nothing.clone(), page, Kind::Page),
            ("GET", "/assets/gone.js", "", nothing.clone(), &[404], Kind::Page),
            ("POST", "/vote", "", nothing.clone(), &[405], Kind::Page),
            ("TRACE", "/vote", "", nothing.clone(), &[405], Kind::Page),
            ("GET", "/api/docs", "", nothing.clone(), &[308], Kind::Page),
            ("GET", "/api/docs/", "", nothing.clone(), &[200], Kind::Page),
            ("GET", "/api/docs/swagger-ui.css", "", nothing.clone(), &[200], Kind::Page),
            ("GET", "/origin-probe.html", "", nothing.clone(), page, Kind::Probe),
            ("GET", "/api/openapi.json", "", nothing.clone(), &[200], Kind::Data),
            ("GET", "/api/client/meetings", admin, nothing.clone(), &[200], Kind::Data),
            ("GET", "/api/client/end-users/export", admin, nothing.clone(), &[200], Kind::Data),
            ("POST", "/api/auth/logout", "", nothing.clone(), &[401], Kind::Data),
            ("GET", "/api/client/meetings", "garbled", nothing.clone(), &[403], Kind::Data),
            ("GET", "/api/clients", ben, nothing.clone(), &[403], Kind::Data),
            ("GET", missing.as_str(), admin, nothing.clone(), &[404], Kind::Data),
            ("GET", "/api/nothing", "", nothing.clone(), &[404], Kind::Data),
            ("PUT", "/api/client/meetings", admin, nothing.clone(), &[404, 405], Kind::Data),
            ("POST", "/api/client/meetings", admin, json!({}), &[422], Kind::Data),
            ("POST", "/api/client/meetings", admin, json!("x".repeat(1_100_000)), &[413], Kind::Data),
            ("GET", stream.as_str(), ben, nothing.clone(), &[200], Kind::Data),
            ("GET", "/api/health", "", nothing.clone(), &[200], Kind::Health),
            ("GET", "/api/health/ready", "", nothing, &[200], Kind::Health),
        ]
        .map(|(method, path, token, body, statuses, kind)| (method, path.to_owned(), token, body, statuses, kind))
        .into()
    }
}

async fn walk(settings: HttpSettings, transport: &str) {
    let world = World::new(settings).await;
    for (method, path, token, body, statuses, kind) in world.answers() {
        let mut request = world.app.anyone().request_at_root(method, &path);
        if !token.is_empty() {
            request = request.bearer_auth(token);
        }
        if !body.is_null() {
            request = request.json(&body);
        }
        let answer = request.send().await.unwrap();
        let what = format!("{method} {path}");
        // The client followed the redirect.
        let status = answer.status().as_u16();
        assert!(statuses.contains(&status) || statuses == [308] && status == 200, "{what}: {status}");
        assert_headers(answer.headers(), kind, &what);
        assert_eq!(header(answer.headers(), "strict-transport-security"), transport, "{what}");
        let challenge = if status == 401 { "Bearer" } else { "" };
        assert_eq!(header(answer.headers(), "www-authenticate"), challenge, "{what}");
    }
}

#[tokio::test]
async fn every_kind_of_response_has_security_headers() {
    walk(HttpSettings::default(), "").await;
}

#[tokio::test]
async fn responses_below_a_base_path_have_the_same_headers() {
    walk(HttpSettings { base_path: "/plenum".to_owned(), ..HttpSettings::default() }, "").await;
}

#[tokio::test]
async fn responses_over_tls_require_tls_from_browsers() {
    let settings = |url: &str| HttpSettings { public_url: Some(url.to_owned()), ..HttpSettings::default() };
    walk(settings("https://vote.example.org"), "max-age=31536000; includeSubDomains").await;
    let app = TestApp::start_with(settings("http://hall.example.org")).await;
    assert_eq!(app.anyone().get("/health").await.header("strict-transport-security"), None);
}

#[tokio::test]
async fn responses_to_other_origins_have_security_headers_too() {
    let origin = "https://intranet.example.org";
    let settings = HttpSettings { cors_origins: vec![origin.to_owned()], ..HttpSettings::default() };
    let app = TestApp::start_with(settings).await;
    let asked = app.anyone().request("OPTIONS", "/clients").header("origin", origin);
    let asked = asked.header("access-control-request-method", "GET").send().await.unwrap();
    assert_eq!(header(asked.headers(), "access-control-allow-origin"), origin);
    assert_headers(asked.headers(), Kind::Data, "the question before the call");
}

#[tokio::test]
async fn the_api_page_loads_nothing_from_other_hosts() {
    let app = TestApp::start().await;
    let script = app.anyone().request_at_root("GET", "/api/docs/swagger-initializer.js").send().await.unwrap();
    let script = script.text().await.unwrap();
    assert!(script.contains(r#""validatorUrl": "none""#), "{script}");
}
