use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use plenum_adapter_http::{HttpSettings, MetricsToken, TrustedProxies};
use plenum_app::metric_names;
use serde_json::json;

use crate::http::support::{Answer, EventStream, TestApp};

const TOKEN: &str = "a token for tests, which is shown";

fn token() -> String {
    TOKEN.replace([' ', ','], "-")
}

fn settings() -> HttpSettings {
    HttpSettings { metrics_token: MetricsToken::parse(&token()), ..HttpSettings::default() }
}

async fn ask(app: &TestApp, authorization: Option<&str>) -> Answer {
    let request = app.anyone().request_at_root("GET", "/metrics");
    let request = authorization.into_iter().fold(request, |request, text| request.header("authorization", text));
    Answer::read(request.send().await.unwrap()).await
}

/// The values of a page by name and labels.
struct Read {
    kinds: BTreeMap<String, String>,
    values: BTreeMap<String, f64>,
}

impl Read {
    async fn of(app: &TestApp) -> Self {
        let answer = ask(app, Some(&format!("Bearer {}", token()))).await;
        assert_eq!(answer.status, 200, "{}", answer.text);
        assert_eq!(answer.header("content-type"), Some("application/openmetrics-text; version=1.0.0; charset=utf-8"));
        assert_eq!(answer.header("cache-control"), Some("no-store"));
        assert!(answer.text.ends_with("\n# EOF\n"), "{}", answer.text);
        let (mut kinds, mut values) = (BTreeMap::new(), BTreeMap::new());
        for line in answer.text.lines() {
            if let Some(head) = line.strip_prefix("# TYPE ") {
                let (family, kind) = head.split_once(' ').unwrap();
                let name = if kind == "counter" { format!("{family}_total") } else { family.to_owned() };
                assert_eq!(kinds.insert(name.clone(), kind.to_owned()), None, "{name} appears twice");
            } else if !line.starts_with('#') {
                let (name, value) = line.rsplit_once(' ').unwrap();
                let value = value.parse().unwrap_or_else(|_| panic!("{line}"));
                assert_eq!(values.insert(name.to_owned(), value), None, "{name} appears twice");
            }
        }
        Self { kinds, values }
    }

    fn value(&self, name: &str) -> f64 {
        *self.values.get(name).unwrap_or_else(|| panic!("{name} is missing in {:?}", self.values.keys()))
    }
}

#[tokio::test]
async fn the_metrics_require_their_token() {
    let app = TestApp::start_with(settings()).await;
    let missing = app.anyone().get("/nothing-here").await;
    let root = app.super_admin().await;
    let shown = [None, Some("Bearer "), Some("Bearer wrong-but-just-as-long-as-it-is--"), Some("Basic Og==")];
    for authorization in shown.into_iter().map(|text| text.map(str::to_owned)).chain([
        Some(token()),
        Some(format!("Bearer {}x", token())),
        Some(format!("Bearer {}", root.token())),
    ]) {
        let answer = ask(&app, authorization.as_deref()).await;
        assert_eq!((answer.status, &answer.text), (404, &missing.text), "{authorization:?}");
    }
    let without = TestApp::start().await;
    assert_eq!(ask(&without, Some("Bearer ")).await.status, 404);
    assert_eq!(ask(&without, Some(&format!("Bearer {}", token()))).await.status, 404);
}

#[tokio::test]
async fn the_metrics_are_below_the_base_path_too() {
    let app = TestApp::start_with(HttpSettings { base_path: "/plenum".to_owned(), ..settings() }).await;
    let read = Read::of(&app).await;
    assert!(read.kinds.contains_key("plenum_votes_total"));
}

#[tokio::test]
async fn the_page_has_every_metric_of_a_single_instance_on_an_external_database() {
    let app = TestApp::start_with(settings()).await;
    // Metrics by route have no lines until a request has been answered.
    assert_eq!(app.anyone().get("/health").await.status, 200);
    let read = Read::of(&app).await;
    for (name, kind) in metric_names() {
        let is_elsewhere =
            ["plenum_embedded_database_", "plenum_bus_connected", "plenum_timestamp", "plenum_certificate_"]
                .iter()
                .any(|begin| name.starts_with(begin));
        let exported = read.kinds.get(&name);
        assert_eq!(exported, (!is_elsewhere).then_some(&kind), "{name}");
    }
    assert_eq!(read.value("plenum_database_up"), 1.0);
    assert!(read.value("plenum_process_resident_memory_bytes") > 1e6);
    assert!(read.value("plenum_process_start_time_seconds") > 1.7e9);
    assert!(read.value("plenum_process_open_files") < read.value("plenum_process_open_files_max"));
    for pool in ["general", "voting", "health"] {
        let idle = read.value(&format!("plenum_database_connections{{pool=\"{pool}\",state=\"idle\"}}"));
        assert!(idle <= read.value(&format!("plenum_database_connections_max{{pool=\"{pool}\"}}")), "{pool}");
    }
}

#[tokio::test]
async fn votes_batches_streams_and_requests_are_counted() {
    let app = TestApp::start_with(settings()).await;
    let club = app.client("Rowing Club").await;
    let (ada, ben) = (club.voter("ada").await, club.voter("ben").await);
    let meeting = club.meeting_with(json!({ "status": "ACTIVE" })).await;
    let question = meeting.ask_yes_no().await;
    meeting.open(&question).await;
    let before = Read::of(&app).await;
    assert_eq!(before.value("plenum_votes_total{outcome=\"counted\"}"), 0.0);
    assert_eq!(before.value("plenum_streams{audience=\"voter\"}"), 0.0);

    let _stream = EventStream::watch(&ada.caller, &meeting.id).await;
    for voter in [&ada, &ben, &ada] {
        voter.vote(&meeting, &question, &["Yes"]).await.gives(201);
    }
    let read = Read::of(&app).await;
    assert_eq!(read.value("plenum_votes_total{outcome=\"counted\"}"), 2.0);
    assert_eq!(read.value("plenum_votes_total{outcome=\"repeated\"}"), 1.0);
    assert_eq!(read.value("plenum_ballot_batch_size_count"), 3.0);
    assert_eq!(read.value("plenum_ballot_batch_size_sum"), 3.0);
    assert_eq!(read.value("plenum_ballot_batch_size_bucket{le=\"1.0\"}"), 3.0);
    assert_eq!(read.value("plenum_ballot_write_seconds_count"), 3.0);
    assert!(read.value("plenum_ballot_write_seconds_sum") > 0.0);
    assert_eq!(read.value("plenum_ballot_queue"), 0.0);
    assert!(read.value("plenum_ballot_writers_connected") >= 1.0);
    assert_eq!(read.value("plenum_streams{audience=\"voter\"}"), 1.0);
    let route = "/api/voting/meetings/{meetingId}/questions/{questionId}/vote";
    assert_eq!(
        read.value(&format!("plenum_http_requests_total{{method=\"POST\",route=\"{route}\",status=\"201\"}}")),
        3.0
    );
    assert_eq!(read.value(&format!("plenum_http_request_seconds_count{{route=\"{route}\"}}")), 3.0);
    // The request of the page itself is running.
    assert_eq!(read.value("plenum_http_requests_running"), 1.0);
}

#[tokio::test]
async fn no_label_comes_from_a_caller() {
    let app = TestApp::start_with(settings()).await;
    let organization = app.client("Rowing Club").await;
    for path in ["/api/hostile-path-1", "/hostile-path-2?token=hostile", "/api/public/clients/hostile-code"] {
        app.anyone().request_at_root("GET", path).send().await.unwrap();
    }
    app.anyone().request_at_root("HOSTILE", "/api/health").send().await.unwrap();
    organization.admin.get("/client/meetings/019a9d5e-0000-7000-8000-000000000007").await;
    let read = Read::of(&app).await;
    let strange: Vec<_> = read
        .values
        .keys()
        .filter(|name| name.to_lowercase().contains("hostile") || name.contains('@') || name.contains("019a9d5e"))
        .collect();
    assert!(strange.is_empty(), "{strange:?}");
    assert!(read.value("plenum_http_requests_total{method=\"GET\",route=\"(other)\",status=\"404\"}") >= 1.0);
}

#[test]
fn the_documentation_names_every_metric_and_no_other() {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/operations.md")).unwrap();
    let table = page.split("\n## Metrics\n").nth(1).unwrap().split("\n## ").next().unwrap();
    let documented: BTreeSet<(String, String)> = table
        .lines()
        .filter_map(|line| {
            let mut cells = line.strip_prefix("| `plenum_")?.split(" | ");
            let name = cells.next()?.split(['`', '{']).next()?;
            Some((format!("plenum_{name}"), cells.next()?.to_owned()))
        })
        .collect();
    assert_eq!(documented, metric_names().into_iter().collect());
    // Alerts use existing metrics only.
    for name in page.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_') {
        let base = ["_bucket", "_count", "_sum"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name);
        let is_known = metric_names().iter().any(|(known, _)| known == base || known == name);
        // Roles of the database have the same prefix, and files of the package: `plenum_0.1.0_amd64.deb`.
        let is_other = name == "plenum_tenant" || name.starts_with("plenum_0");
        assert!(!name.starts_with("plenum_") || is_known || is_other, "operations.md speaks of {name}");
    }
}

fn behind(proxies: &str) -> HttpSettings {
    HttpSettings { trusted_proxies: TrustedProxies::parse(proxies).unwrap(), ..settings() }
}

#[tokio::test]
async fn every_answer_has_a_request_id_of_its_own() {
    let app = TestApp::start_with(settings()).await;
    let mut seen = BTreeSet::new();
    for (method, path) in [
        ("GET", "/api/health"),
        ("GET", "/api/nothing-here"),
        ("GET", "/some/page"),
        ("GET", "/metrics"),
        ("GET", "/api/auth/me"),
        ("GET", "/api/openapi.json"),
        ("POST", "/api/auth/login"),
        ("OPTIONS", "/api/auth/login"),
        ("HOSTILE", "/api/health"),
    ] {
        let request = app.anyone().request_at_root(method, path).header("origin", "https://elsewhere.example");
        let answer = Answer::read(request.send().await.unwrap()).await;
        let id = answer.header("x-request-id").unwrap_or_else(|| panic!("{method} {path}: {answer:?}"));
        assert_eq!(id.len(), 36, "{method} {path}: {id}");
        assert!(seen.insert(id.to_owned()), "{method} {path}: {id} once more");
    }
    let large = app.anyone().call_with_text("POST", "/auth/login", "x".repeat(1024 * 1024)).await;
    assert_eq!(large.status, 413);
    assert!(large.header("x-request-id").is_some());
}

#[tokio::test]
async fn a_stream_has_a_request_id_too() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let (ada, meeting) = (club.voter("ada").await, club.meeting().await);
    let stream = EventStream::watch(&ada.caller, &meeting.id).await;
    assert_eq!(stream.header("x-request-id").map(str::len), Some(36));
}

#[tokio::test]
async fn only_a_trusted_proxy_sets_the_request_id() {
    const GIVEN: &str = "given-by-the-proxy-0001";
    let ask = async |proxies: &str, given: &str| {
        let app = TestApp::start_with(behind(proxies)).await;
        let request = app.anyone().request("GET", "/health").header("x-request-id", given);
        let answer = Answer::read(request.send().await.unwrap()).await;
        answer.header("x-request-id").unwrap().to_owned()
    };
    assert_eq!(ask("127.0.0.1", GIVEN).await, GIVEN);
    assert_ne!(ask("10.0.0.1", GIVEN).await, GIVEN);
    assert_ne!(ask("127.0.0.1", "a name=\"forged\" line").await, "a name=\"forged\" line");
}

#[tokio::test]
async fn pages_of_other_origins_may_read_the_request_id() {
    let origin = "https://intranet.example.org";
    let app = TestApp::start_with(HttpSettings { cors_origins: vec![origin.to_owned()], ..settings() }).await;
    let request = app.anyone().request("GET", "/health").header("origin", origin);
    let answer = Answer::read(request.send().await.unwrap()).await;
    let exposed = answer.header("access-control-expose-headers").unwrap().to_lowercase();
    assert!(exposed.contains("x-request-id") && exposed.contains("retry-after"), "{exposed}");
}
