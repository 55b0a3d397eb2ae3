//! Conventions of every address: methods, headers, bodies and errors of invalid bodies.

use std::collections::BTreeSet;

use plenum_adapter_http::HttpSettings;
use serde_json::{Map, Number, Value, json};

use crate::http::support::operations::{OPERATIONS, Operation, World, document};
use crate::http::support::{Answer, Caller, TestApp};

const NO_ID: &str = "019a9d5e-0000-7000-8000-000000000000";
const METHODS: [&str; 8] = ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "TRACE", "MADEUP"];

/// Each address of the API, with its `Allow` header.
fn addresses() -> Vec<(String, Vec<String>)> {
    let document = document();
    let operations = document["paths"].as_object().unwrap().iter();
    operations
        .map(|(path, item)| {
            let parts = path.split('/').map(|part| if part.starts_with('{') { NO_ID } else { part });
            let path = parts.collect::<Vec<_>>().join("/");
            let mut methods: Vec<String> = item.as_object().unwrap().keys().map(|name| name.to_uppercase()).collect();
            if methods.contains(&"GET".to_owned()) {
                methods.push("HEAD".to_owned());
            }
            methods.push("OPTIONS".to_owned());
            (path, methods)
        })
        .collect()
}

fn listed(answer: &Answer, name: &str) -> BTreeSet<String> {
    answer.header(name).unwrap_or_default().split(", ").map(str::to_owned).collect()
}

async fn send(app: &TestApp, method: &str, path: &str) -> Answer {
    Answer::read(app.anyone().request_at_root(method, path).send().await.unwrap()).await
}

#[tokio::test]
async fn every_address_lists_its_methods_and_refuses_all_others() {
    let app = TestApp::start().await;
    let beside = ["/api/openapi.json", "/api/docs", "/api/docs/", "/health", "/health/ready", "/metrics"];
    let files = ["/", "/vote", "/admin/login", "/assets/gone.js", "/robots.txt", "/favicon.ico"];
    let only_read = beside.iter().chain(&files).map(|path| ((*path).to_owned(), vec!["GET", "HEAD", "OPTIONS"]));
    let of_api = addresses().into_iter().map(|(path, methods)| (format!("/api{path}"), methods));
    let only_read = only_read.map(|(path, methods)| (path, methods.into_iter().map(str::to_owned).collect()));
    let mut wrong = Vec::new();
    for (path, allowed) in of_api.chain(only_read) {
        let allowed: BTreeSet<String> = allowed.into_iter().collect();
        for method in METHODS.into_iter().filter(|method| !allowed.contains(*method)) {
            let answer = send(&app, method, &path).await;
            let is_right = answer.status == 405 && listed(&answer, "allow") == allowed;
            let is_explained = match method {
                "HEAD" => answer.text.is_empty(),
                _ => {
                    serde_json::from_str::<Value>(&answer.text).is_ok_and(|error| error["code"] == "method_not_allowed")
                }
            };
            if !is_right || !is_explained {
                wrong.push(format!("{method} {path}: {} {:?} {}", answer.status, answer.header("allow"), answer.text));
            }
        }
        let answer = send(&app, "OPTIONS", &path).await;
        if (answer.status, answer.text.as_str()) != (204, "") || listed(&answer, "allow") != allowed {
            wrong.push(format!("OPTIONS {path}: {} {:?} {}", answer.status, answer.header("allow"), answer.text));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[tokio::test]
async fn a_head_request_gets_the_headers_of_get_and_no_body() {
    let app = TestApp::start_with_everything().await;
    let world = World::new(&app).await;
    // Headers that differ each time, or are unknown before the body.
    let differs = |name: &str| ["date", "x-request-id", "content-length", "retry-after"].contains(&name);
    for operation in OPERATIONS.iter().filter(|operation| operation.method == "GET") {
        let (caller, address) = (world.caller_of(&app, operation).await, operation.address(&world));
        // Not read to the end, because streams have none.
        let get = caller.request("GET", &address).send().await.unwrap();
        let head = Answer::read(caller.request("HEAD", &address).send().await.unwrap()).await;
        assert_eq!((head.status, head.text.as_str()), (get.status().as_u16(), ""), "{address}");
        for (name, value) in get.headers().iter().filter(|(name, _)| !differs(name.as_str())) {
            assert_eq!(head.headers.get(name), Some(value), "{address}: {name}");
        }
    }
    for path in ["/", "/api/openapi.json", "/api/docs/", "/favicon.ico", "/robots.txt", "/api/nothing", "/health/x"] {
        let (get, head) = (send(&app, "GET", path).await, send(&app, "HEAD", path).await);
        assert_eq!((head.status, head.text.as_str()), (get.status, ""), "{path}");
        assert_eq!(head.header("content-type"), get.header("content-type"), "{path}");
    }
}

#[tokio::test]
async fn a_head_request_of_a_stream_does_not_count_as_connected() {
    let app = TestApp::start().await;
    let world = World::new(&app).await;
    let meeting = &world.meeting.id;
    for _ in 0..3 {
        let stream = world.voter.caller.request("HEAD", &format!("/sse/meetings/{meeting}/stream"));
        let answer = Answer::read(stream.send().await.unwrap()).await;
        assert_eq!((answer.status, answer.header("content-type")), (200, Some("text/event-stream")));
        let count = world.theirs.admin.get(&format!("/sse/meetings/{meeting}/participants/count")).await.gives(200);
        assert!(count.to_string().contains('0') && !count.to_string().contains('1'), "{count}");
    }
}

#[tokio::test]
async fn an_unknown_address_beside_an_endpoint_is_404() {
    for base_path in ["", "/plenum"] {
        let settings = HttpSettings { base_path: base_path.to_owned(), ..HttpSettings::default() };
        let app = TestApp::start_with(settings).await;
        // The addresses of the caller start after the base path.
        for path in ["/health/", "/health/x", "/health/ready/", "/metrics/", "/metrics/x", "/api/health/", "/api"] {
            let error = send(&app, "GET", path).await.refuses(404, "not_found");
            assert_eq!(error["error"], "There is nothing at this address.", "{path}");
        }
    }
}

#[tokio::test]
async fn robots_and_icons_have_their_own_content_types() {
    for base_path in ["", "/plenum"] {
        let settings = HttpSettings { base_path: base_path.to_owned(), ..HttpSettings::default() };
        let app = TestApp::start_with(settings).await;
        let robots = send(&app, "GET", "/robots.txt").await;
        assert_eq!((robots.status, robots.header("content-type")), (200, Some("text/plain; charset=utf-8")));
        assert_eq!(robots.text, "User-agent: *\nDisallow: /\n");
        let icon = app.anyone().request_at_root("GET", "/favicon.ico").send().await.unwrap();
        assert_eq!((icon.status().as_u16(), &icon.headers()["content-type"]), (200, &"image/x-icon".parse().unwrap()));
        assert!(icon.bytes().await.unwrap().starts_with(&[0, 0, 1, 0]));
    }
}

#[tokio::test]
async fn a_refused_preflight_is_an_error_like_all_others() {
    let listed = "https://intranet.example.org";
    let settings = HttpSettings { cors_origins: vec![listed.to_owned()], ..HttpSettings::default() };
    for app in [TestApp::start_with(settings).await, TestApp::start().await] {
        let ask = async |origin: Option<&str>, method: &str, header: &str| {
            let request = app.anyone().request("OPTIONS", "/clients").header("access-control-request-method", method);
            let request = request.header("access-control-request-headers", header);
            let request = origin.into_iter().fold(request, |request, origin| request.header("origin", origin));
            Answer::read(request.send().await.unwrap()).await
        };
        for (origin, method, header) in [
            (Some("https://elsewhere.example"), "GET", "authorization"),
            (Some("null"), "GET", "authorization"),
            (Some("nonsense"), "GET", "authorization"),
            (Some(listed), "PATCH", "authorization"),
            (Some(listed), "GET", "x-made-up"),
            (None, "GET", "authorization"),
        ] {
            let answer = ask(origin, method, header).await;
            answer.refuses(403, "origin_not_allowed");
            assert_eq!(answer.header("access-control-allow-origin"), None, "{origin:?}");
            assert_eq!(answer.header("access-control-allow-credentials"), None, "{origin:?}");
            assert_eq!(answer.header("x-frame-options"), Some("DENY"), "{origin:?}");
        }
    }
}

#[tokio::test]
async fn pages_of_an_allowed_origin_can_read_the_api_and_others_cannot() {
    let listed_origin = "https://intranet.example.org";
    let settings = HttpSettings { cors_origins: vec![listed_origin.to_owned()], ..HttpSettings::default() };
    let app = TestApp::start_with(settings).await;
    let ask = async |origin: &str, path: &str| {
        Answer::read(app.anyone().request("GET", path).header("origin", origin).send().await.unwrap()).await
    };
    // Errors as well, so that a page can show the reason.
    for path in ["/health", "/clients", "/nothing", &format!("/sse/meetings/{NO_ID}/stream")] {
        let answer = ask(listed_origin, path).await;
        assert_eq!(answer.header("access-control-allow-origin"), Some(listed_origin), "{path}");
        assert_eq!(answer.header("access-control-allow-credentials"), Some("true"), "{path}");
        let exposed = listed(&answer, "access-control-expose-headers");
        for name in ["content-disposition", "retry-after", "x-request-id", "location", "plenum-unknown-fields"] {
            assert!(exposed.iter().any(|exposed| exposed.eq_ignore_ascii_case(name)), "{path}: {name}");
        }
        assert!(answer.header("vary").unwrap().to_lowercase().contains("origin"), "{path}");
        for origin in ["https://intranet.example.org.evil.example", "http://intranet.example.org", "null", "*"] {
            let answer = ask(origin, path).await;
            let found: Vec<_> =
                answer.headers.keys().filter(|name| name.as_str().starts_with("access-control")).collect();
            assert!(found.is_empty(), "{path} for {origin}: {found:?}");
        }
    }
}

/// Each operation with a body, with a permitted caller.
/// `check` returns its last answer.
async fn for_each_body(check: impl AsyncFn(&Operation, &Caller, &str, Value) -> Answer) {
    let app = TestApp::start_with_everything().await;
    let mut world = World::new(&app).await;
    for operation in OPERATIONS {
        // Every form of a file is checked.
        if operation.body(&world).is_none() || operation.path == "/public/verify" {
            continue;
        }
        world.renew_if_changed().await;
        let body = operation.body(&world).unwrap();
        let caller = world.caller_of(&app, operation).await;
        world.note(&check(operation, &caller, &operation.address(&world), body).await);
    }
}

#[tokio::test]
async fn every_operation_refuses_bodies_in_a_form_that_it_does_not_read() {
    for_each_body(async |operation, caller, address, body| {
        let what = format!("{} {}", operation.method, operation.path);
        let accepting = || caller.request(operation.method, address).header("accept", "application/json");
        for coding in ["gzip", "br", "zstd", "deflate", "identity, gzip"] {
            let request = accepting().header("content-encoding", coding).json(&body);
            let answer = Answer::read(request.send().await.unwrap()).await;
            assert_eq!(answer.status, 415, "{what}, {coding}: {}", answer.text);
            answer.refuses(415, "unsupported_media_type");
            assert_eq!(answer.header("accept-encoding"), Some("identity"), "{what}");
        }
        let mut last = None;
        for form in ["text/plain", "application/x-www-form-urlencoded", "application/json; charset=utf-16"] {
            let request = accepting().header("content-type", form).body(body.to_string());
            let answer = Answer::read(request.send().await.unwrap()).await;
            assert_eq!(answer.status, 415, "{what}, {form}: {}", answer.text);
            assert_eq!(answer.header("accept"), Some("application/json"), "{what}");
            last = Some(answer);
        }
        last.unwrap()
    })
    .await;
}

#[tokio::test]
async fn every_operation_names_all_missing_fields_and_refuses_a_body_that_is_not_an_object() {
    let document = document();
    for_each_body(async |operation, caller, address, _| {
        let what = format!("{} {}", operation.method, operation.path);
        let described = &document["paths"][operation.path][operation.method.to_lowercase()]["requestBody"];
        let schema = &described["content"]["application/json"]["schema"];
        // A body that may be missing is its type or null.
        let is_optional = described["required"] != true;
        let schema = if is_optional { &schema["oneOf"][0] } else { schema };
        let name = schema["$ref"].as_str().unwrap();
        let required = document.pointer(&name[1..]).unwrap()["required"].as_array().cloned().unwrap_or_default();
        let send = async |body: &str| {
            let request = caller.request(operation.method, address).header("accept", "application/json");
            Answer::read(request.header("content-type", "application/json").body(body.to_owned()).send().await.unwrap())
                .await
        };
        for body in ["[]", "\"text\"", "5", "null", "true"].into_iter().filter(|body| !is_optional || *body != "null") {
            let answer = send(body).await;
            assert_eq!((answer.status, answer.wrong_fields()), (422, vec!["body".to_owned()]), "{what} with {body}");
        }
        if required.is_empty() {
            return send("[]").await;
        }
        let mut required: Vec<&str> = required.iter().filter_map(Value::as_str).collect();
        required.sort_unstable();
        let answer = send("{}").await;
        assert_eq!(answer.wrong_fields(), required, "{what}");
        answer
    })
    .await;
}

/// The same JSON with `.0` after every whole number.
fn with_decimals(value: &Value) -> Value {
    match value {
        Value::Number(number) if !number.to_string().contains('.') => {
            Value::Number(format!("{number}.0").parse::<Number>().unwrap())
        }
        Value::Array(values) => values.iter().map(with_decimals).collect(),
        Value::Object(fields) => {
            fields.iter().map(|(name, value)| (name.clone(), with_decimals(value))).collect::<Map<_, _>>().into()
        }
        other => other.clone(),
    }
}

#[tokio::test]
async fn every_operation_accepts_whole_numbers_with_decimals_and_warns_about_unknown_fields() {
    for_each_body(async |operation, caller, address, body| {
        let what = format!("{} {}", operation.method, operation.path);
        let mut body = with_decimals(&body);
        body["colour of the hall"] = json!([{ "text": 5 }]);
        let answer = caller.call(operation.method, address, Some(body)).await;
        assert_eq!(answer.status, operation.success, "{what}: {}", answer.text);
        assert_eq!(answer.header("plenum-unknown-fields"), Some("colour%20of%20the%20hall"), "{what}");
        answer
    })
    .await;
}

#[tokio::test]
async fn a_call_with_known_fields_gets_no_warning() {
    for_each_body(async |operation, caller, address, body| {
        let answer = caller.call(operation.method, address, Some(body)).await;
        assert_eq!(answer.header("plenum-unknown-fields"), None, "{} {}", operation.method, operation.path);
        answer
    })
    .await;
}

#[tokio::test]
async fn every_creation_responds_with_the_address_of_the_new_object() {
    for base_path in ["", "/plenum"] {
        let app = TestApp::start_with_everything_below(base_path).await;
        let mut world = World::new(&app).await;
        for operation in OPERATIONS.iter().filter(|operation| operation.success == 201) {
            world.renew_meetings().await;
            let caller = world.caller_of(&app, operation).await;
            let made = caller.call(operation.method, &operation.address(&world), operation.body(&world)).await;
            let what = format!("{} {}", operation.method, operation.path);
            let body = made.gives(201);
            let location = made.header("location").unwrap_or_else(|| panic!("{what}: no Location"));
            let address = location.strip_prefix(&format!("{base_path}/api")).unwrap_or_else(|| panic!("{location}"));
            let read = caller.get(address).await;
            assert_eq!(read.status, 200, "{what}: {location}");
            let id = [&body, &body["data"], &body["vote"]].into_iter().find_map(|made| made["id"].as_str());
            if let Some(id) = id.filter(|_| body["vote"].is_null()) {
                assert!(read.text.contains(id), "{what}: {location}");
            }
        }
    }
}

#[tokio::test]
async fn an_error_states_the_expected_and_the_sent_value() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let meeting = club.meeting().await;
    let refused = async |field: &str, value: Value| {
        let mut question = json!({ "meetingId": meeting.id, "questionText": "?", "questionType": "RATING" });
        question[field] = value;
        club.admin.post("/client/questions", question).await.gives(422)["error"].clone()
    };
    for (field, value, text) in [
        ("ratingMax", json!("10"), "ratingMax must be the number 5 or 10, not a text."),
        ("ratingMax", json!(7.5), "ratingMax must be the number 5 or 10."),
        ("ratingMax", json!(true), "ratingMax must be the number 5 or 10, not true."),
        ("maxChoices", json!("2"), "maxChoices must be a whole number of at least 1, not a text."),
        ("isNamed", json!("yes"), "isNamed must be true or false, not a text."),
        ("questionText", json!(5), "questionText must be a text, not a number."),
        ("optionRoles", json!("yes"), "optionRoles must be a list, not a text."),
        ("optionRoles", json!(["maybe"]), "optionRoles.0 must be one of yes, no, abstain, choice."),
        ("decisionRule", json!([]), "decisionRule must be an object, not a list."),
        ("decisionRule", json!({}), "decisionRule.kind is required."),
    ] {
        assert_eq!(refused(field, value.clone()).await, text, "{field}: {value}");
    }
    let options: Vec<String> = (0..101).map(|number| format!("Option {number}")).collect();
    let many = json!({
        "meetingId": meeting.id, "questionText": "?", "questionType": "MULTIPLE_CHOICE", "options": options,
    });
    let error = club.admin.post("/client/questions", many).await.gives(422);
    assert_eq!(error["error"], "options must have at most 100 options.");
}
