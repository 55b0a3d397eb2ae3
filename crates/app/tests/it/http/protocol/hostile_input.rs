//! Every operation with invalid input. None of it makes the server fail.

use serde_json::{Value, json};

use crate::http::support::operations::{Access, OPERATIONS, Operation, World, document, documented};
use crate::http::support::{Answer, NO_ID, TestApp};

async fn app() -> TestApp {
    TestApp::start_with_everything().await
}

/// The operations that read JSON.
fn with_bodies() -> impl Iterator<Item = &'static Operation> {
    let document = document();
    OPERATIONS.iter().filter(move |operation| {
        document["paths"][operation.path][operation.method.to_lowercase()]["requestBody"]["content"]["application/json"].is_object()
    })
}

#[track_caller]
fn is_an_orderly_error(answer: &Answer, call: &str) {
    assert!((400..500).contains(&answer.status), "{call}: {} {}", answer.status, answer.text);
    // An error of a vote is plain text.
    if answer.header("content-type") == Some("application/json") {
        assert!(answer.json()["code"].is_string(), "{call}: {}", answer.text);
    } else {
        assert!(call.contains("/vote"), "{call}: {:?} {}", answer.header("content-type"), answer.text);
    }
}

#[tokio::test]
async fn a_body_that_is_not_json_is_400_and_json_of_another_shape_422() {
    let app = app().await;
    let mut world = World::new(&app).await;
    let document = document();
    for operation in with_bodies() {
        world.renew_if_changed().await;
        let caller = world.caller_of(&app, operation).await;
        let address = operation.address(&world);
        let call = format!("{} {}", operation.method, operation.path);
        let described = &document["paths"][operation.path][operation.method.to_lowercase()]["requestBody"];
        for (text, status) in [
            ("", 400),
            ("{", 400),
            ("{\"a\": 1} x", 400),
            ("\u{feff}{}", 400),
            ("[]", 422),
            ("null", 422),
            ("\"text\"", 422),
            ("17", 422),
        ] {
            if described["required"] != true && ["", "null"].contains(&text) {
                // The body may be missing.
                continue;
            }
            let answer = caller.call_with_text(operation.method, &address, text).await;
            world.note(&answer);
            assert_eq!(answer.status, status, "{call} with {text:?}: {}", answer.text);
            is_an_orderly_error(&answer, &call);
        }
    }
}

#[tokio::test]
async fn json_that_is_nested_too_deeply_or_not_unicode_is_400() {
    let app = app().await;
    let anyone = app.anyone();
    let deep = |brackets| format!("{{\"email\": {}", "[".repeat(brackets));
    anyone.call_with_text("POST", "/auth/login", deep(10_000)).await.refuses(400, "not_json");
    // Bodies of sign-ins have a small limit, because thousands may wait at a time.
    anyone.call_with_text("POST", "/auth/login", deep(20_000)).await.refuses(413, "body_too_large");
    let request = anyone.request("POST", "/auth/login").body(b"{\"email\": \"\xff\"}".to_vec());
    Answer::read(request.send().await.unwrap()).await.refuses(400, "not_json");
    let lone_half = "{\"email\": \"\\ud800\", \"password\": \"x\"}";
    anyone.call_with_text("POST", "/auth/login", lone_half).await.refuses(400, "not_json");
}

#[tokio::test]
async fn every_field_of_a_wrong_type_is_422_and_named() {
    let app = app().await;
    let mut world = World::new(&app).await;
    let document = document();
    for operation in with_bodies() {
        let Some(Value::Object(body)) = operation.body(&world) else { continue };
        world.renew_if_changed().await;
        let caller = world.caller_of(&app, operation).await;
        let address = operation.address(&world);
        for name in body.keys() {
            for wrong in [json!({ "a": {} }), json!(-1e300), json!([[[]]]), json!([1]), json!("\u{1}")] {
                let mut body = body.clone();
                body.insert(name.clone(), wrong.clone());
                let answer = caller.call(operation.method, &address, Some(Value::Object(body))).await;
                world.note(&answer);
                let call = format!("{} {} with {name} = {wrong}", operation.method, operation.path);
                assert!(answer.status < 500, "{call}: {} {}", answer.status, answer.text);
                assert!(documented(&document, operation).contains(&answer.status), "{call}: {}", answer.status);
                if wrong.is_object() {
                    assert_eq!(answer.status, 422, "{call}: {}", answer.text);
                    assert!(answer.wrong_fields()[0].starts_with(name.as_str()), "{call}: {}", answer.text);
                }
            }
        }
    }
}

/// The texts of parsers.
const WORDS_OF_THE_PARSER: [&str; 14] = [
    "sequence",
    "map",
    "struct",
    "premature",
    "any value",
    "custom name",
    "i64",
    "u32",
    "expected",
    "invalid type",
    "variant",
    "unit",
    "serde",
    "rfc",
];

#[tokio::test]
async fn errors_of_fields_are_sentences_for_people() {
    let app = app().await;
    let mut world = World::new(&app).await;
    let numbers =
        ["5", "-4", "1.5", "1e400", "99999999999999999999"].map(|digits| serde_json::from_str(digits).unwrap());
    let others = [
        json!(null),
        json!(false),
        json!(""),
        json!("tomorrow"),
        json!({}),
        json!({ "a": 1 }),
        json!({ "ACTIVE": {} }),
        json!(["x"]),
        json!([5]),
        json!([{}]),
        json!([[]]),
        json!([{ "questionId": {}, "orderIndex": 1 }]),
        json!([{ "questionId": "x", "orderIndex": -1 }]),
    ];
    for operation in with_bodies() {
        let Some(Value::Object(body)) = operation.body(&world) else { continue };
        world.renew_if_changed().await;
        let caller = world.caller_of(&app, operation).await;
        for (name, wrong) in body.keys().flat_map(|name| numbers.iter().chain(&others).map(move |wrong| (name, wrong)))
        {
            let mut body = body.clone();
            body.insert(name.clone(), wrong.clone());
            let answer = caller.call(operation.method, &operation.address(&world), Some(Value::Object(body))).await;
            world.note(&answer);
            let call = format!("{} {} with {name} = {wrong}", operation.method, operation.path);
            if answer.status == 422 && answer.json()["code"] == "invalid_input" {
                let text = answer.text.to_lowercase();
                let word = WORDS_OF_THE_PARSER.iter().find(|word| text.contains(*word) && *word != name);
                assert_eq!(word, None, "{call}: {text}");
                assert!(!text.contains("is not valid"), "{call}: {text}");
                let field = answer.wrong_fields().remove(0);
                let within = field.strip_prefix(name.as_str()).unwrap_or_else(|| panic!("{call}: {text}"));
                assert!(within.is_empty() || within.starts_with('.'), "{call}: {text}");
            }
        }
    }
}

/// A value of the wrong kind: method, path and field of the call, the value, the field that the error names, and its message.
type WrongValue<Message> = (&'static str, &'static str, &'static str, Value, &'static str, Message);

fn wrong_values_of_meetings_and_questions() -> Vec<WrongValue<&'static str>> {
    let time = "Must be a time such as 2026-12-01T18:00:00Z.";
    vec![
        ("POST", "/client/meetings", "scheduledStartTime", json!(""), "scheduledStartTime", time),
        (
            "POST",
            "/client/meetings",
            "scheduledEndTime",
            json!(5),
            "scheduledEndTime",
            "Must be a time such as 2026-12-01T18:00:00Z, not a number.",
        ),
        ("POST", "/client/meetings", "isRecurring", json!("yes"), "isRecurring", "Must be true or false, not a text."),
        (
            "POST",
            "/client/meetings",
            "maxParticipants",
            json!(1.5),
            "maxParticipants",
            "Must be a whole number of at least 1.",
        ),
        (
            "POST",
            "/client/questions",
            "options",
            json!(5),
            "options",
            "Must be a text or a list of texts, not a number.",
        ),
        ("POST", "/client/questions", "options", json!([5]), "options.0", "Must be a text, not a number."),
        (
            "PUT",
            "/client/questions/{questionId}",
            "maxChoices",
            json!(1.5),
            "maxChoices",
            "Must be a whole number of at least 1.",
        ),
        ("PUT", "/client/questions/{questionId}", "ratingMax", json!(-4), "ratingMax", "Must be the number 5 or 10."),
        (
            "PUT",
            "/client/questions/meeting/{meetingId}/reorder",
            "questionOrders",
            json!(["x"]),
            "questionOrders.0",
            "Must be an object, not a text.",
        ),
        (
            "POST",
            "/client/meetings/{meetingId}/participants",
            "endUserIds",
            json!("x"),
            "endUserIds",
            "Must be a list, not a text.",
        ),
        (
            "POST",
            "/voting/meetings/{meetingId}/questions/{questionId}/vote",
            "answers",
            json!("Yes"),
            "answers",
            "Must be a list of texts, not a text.",
        ),
    ]
}

fn wrong_values_of_organizations_and_people() -> Vec<WrongValue<String>> {
    let weight = "Must be a number from 0 to 100 with at most 4 decimals";
    let status = "Must be one of ACTIVE, INACTIVE, SUSPENDED";
    vec![
        ("PUT", "/clients/{clientId}", "status", json!(5), "status", format!("{status}, not a number.")),
        ("PUT", "/clients/{clientId}", "status", json!({}), "status", format!("{status}, not an object.")),
        ("PUT", "/clients/{clientId}", "status", json!("active"), "status", format!("{status}.")),
        ("POST", "/auth/login", "portal", json!("VOTER"), "portal", "Must be one of SUPER_ADMIN, CLIENT.".to_owned()),
        ("POST", "/auth/login", "email", json!(5), "email", "Must be a text, not a number.".to_owned()),
        ("POST", "/client/end-users", "weight", json!({ "a": 1 }), "weight", format!("{weight}, not an object.")),
        ("POST", "/client/end-users", "weight", json!("1"), "weight", format!("{weight}, not a text.")),
    ]
}

#[tokio::test]
async fn an_error_states_the_expected_form_of_a_field() {
    let app = app().await;
    let world = World::new(&app).await;
    let fixed = wrong_values_of_meetings_and_questions().into_iter();
    let fixed =
        fixed.map(|(method, path, name, wrong, field, message)| (method, path, name, wrong, field, message.to_owned()));
    for (method, path, name, wrong, field, message) in fixed.chain(wrong_values_of_organizations_and_people()) {
        let operation = OPERATIONS.iter().find(|one| (one.method, one.path) == (method, path)).unwrap();
        let caller = world.caller_of(&app, operation).await;
        let mut body = operation.body(&world).unwrap();
        body[name] = wrong.clone();
        let error = caller.call(method, &operation.address(&world), Some(body)).await.refuses(422, "invalid_input");
        assert_eq!(error["fields"], json!({ field: [message] }), "{method} {path} with {name} = {wrong}");
    }
}

#[tokio::test]
async fn an_error_of_a_vote_is_json_if_the_request_accepts_it_and_text_otherwise() {
    let app = app().await;
    let path = format!("/voting/meetings/{NO_ID}/questions/{NO_ID}/vote");
    for (accept, kind) in [
        ("application/json", "application/json"),
        ("Application/JSON", "application/json"),
        ("text/plain, application/json;q=0.5", "application/json"),
        ("application/json ; charset=utf-8", "application/json"),
        ("application/json;q=0", "text/plain; charset=utf-8"),
        ("application/json; Q=0.000, */*", "text/plain; charset=utf-8"),
        ("application/json-seq", "text/plain; charset=utf-8"),
        ("*/*", "text/plain; charset=utf-8"),
    ] {
        for method in ["POST", "DELETE"] {
            let request = app.anyone().request(method, &path).header("accept", accept);
            let answer = Answer::read(request.send().await.unwrap()).await;
            assert_eq!(answer.status, 401, "{}", answer.text);
            assert_eq!(answer.header("content-type"), Some(kind), "{method} with {accept}");
        }
    }
}

#[tokio::test]
async fn a_missing_required_field_is_422_and_named() {
    let app = app().await;
    let mut world = World::new(&app).await;
    for operation in with_bodies() {
        let Some(Value::Object(body)) = operation.body(&world) else { continue };
        for name in body.keys() {
            world.renew_if_changed().await;
            let caller = world.caller_of(&app, operation).await;
            let mut body = operation.body(&world).unwrap();
            body.as_object_mut().unwrap().remove(name);
            let answer = caller.call(operation.method, &operation.address(&world), Some(body)).await;
            world.note(&answer);
            let call = format!("{} {} without {name}", operation.method, operation.path);
            match answer.status {
                422 => assert_eq!(answer.wrong_fields(), [name.as_str()], "{call}: {}", answer.text),
                // Created before with the same name.
                409 => {}
                status => assert_eq!(status, operation.success, "{call}: {}", answer.text),
            }
        }
    }
}

#[tokio::test]
async fn a_nul_character_anywhere_is_never_a_failure_of_the_server() {
    let app = app().await;
    let mut world = World::new(&app).await;
    let document = document();
    for operation in OPERATIONS {
        world.prepare_meetings(operation).await;
        let caller = world.caller_of(&app, operation).await;
        let call = format!("{} {}", operation.method, operation.path);
        if operation.path.contains('{') {
            for text in ["%00", "a%00b", "%FF", "..%2F", "%F0%9F%97%B3"] {
                let mut address = String::new();
                for part in operation.path.split_inclusive('}') {
                    let (fixed, _) = part.split_once('{').unwrap_or((part, ""));
                    address.push_str(fixed);
                    if part.ends_with('}') {
                        address.push_str(text);
                    }
                }
                let answer = caller.call(operation.method, &address, operation.body(&world)).await;
                assert_eq!(answer.status, 404, "{call} at {address}: {}", answer.text);
                is_an_orderly_error(&answer, &call);
            }
        }
        let parameters = document["paths"][operation.path][operation.method.to_lowercase()]["parameters"].clone();
        for parameter in parameters.as_array().into_iter().flatten().filter(|parameter| parameter["in"] == "query") {
            let name = parameter["name"].as_str().unwrap();
            for text in ["%00", "a%00b", "%FF", "%", "'", "\\", "%25%5F"] {
                let address = operation.address(&world);
                let mark = if address.contains('?') { '&' } else { '?' };
                let address = format!("{address}{mark}{name}={text}");
                let answer = caller.get(&address).await;
                assert!(answer.status < 500, "{call} at {address}: {}", answer.text);
            }
        }
        let Some(Value::Object(body)) = operation.body(&world) else { continue };
        for name in body.keys() {
            let texts = body[name].is_array();
            for text in ["\0", "a\0b", "\u{202e}", "🗳️"] {
                let mut body = operation.body(&world).unwrap();
                body[name] = if texts { json!([text]) } else { json!(text) };
                let answer = caller.call(operation.method, &operation.address(&world), Some(body)).await;
                assert!(answer.status < 500, "{call} with {name} = {text:?}: {} {}", answer.status, answer.text);
            }
        }
    }
}

/// Values at and beyond the limits of JSON, Rust and PostgreSQL.
fn extremes() -> Vec<Value> {
    let numbers = [
        "-1",
        "0",
        "2147483648",
        "4294967296",
        "9223372036854775807",
        "9223372036854775808",
        "18446744073709551616",
        "99999999999999999999999999999999",
        "0.00001",
        "1e-30",
        "1e308",
        "-1e308",
        "1E+400",
        "0.1e1",
    ];
    let texts = [
        "0000-01-01T00:00:00Z",
        "-4713-01-01T00:00:00Z",
        "-262143-01-01T00:00:00Z",
        "9999-12-31T23:59:60Z",
        "+262142-12-31T23:59:59.999999999Z",
        "+294276-12-31T23:59:59Z",
        "2030-05-01T18:00:00+23:59",
        "00000000-0000-0000-0000-000000000000",
        "ffffffff-ffff-ffff-ffff-ffffffffffff",
        "1e400",
        "\u{ffff}",
    ];
    let numbers = numbers.iter().map(|number| serde_json::from_str(number).unwrap());
    let texts = texts.iter().map(|text| json!(text)).chain([json!("9".repeat(100_000)), json!("ß".repeat(100_000))]);
    numbers.chain(texts).chain([json!([]), json!(["Yes"])]).collect()
}

/// Very long lists, for fields that are lists.
fn long_lists() -> Vec<Value> {
    let ids: Vec<String> = (0..20_000).map(|number| format!("00000000-0000-0000-0000-{number:012}")).collect();
    vec![json!(ids), json!(vec!["Yes"; 20_000])]
}

#[tokio::test]
async fn a_value_at_the_limit_of_storage_never_fails_the_server() {
    let app = app().await;
    let mut world = World::new(&app).await;
    let (document, extremes, long_lists) = (document(), extremes(), long_lists());
    // Signed in before wrong passwords limit the account.
    let root = app.super_admin().await;
    for operation in with_bodies() {
        world.renew_if_changed().await;
        let caller = match operation.access {
            Access::SuperAdmin => root.clone(),
            Access::SignedIn if !operation.is_on_spares => root.clone(),
            _ => world.caller_of(&app, operation).await,
        };
        let Some(Value::Object(body)) = operation.body(&world) else { continue };
        let extremes_of = |field: &Value| extremes.iter().chain(if field.is_array() { &long_lists } else { &[][..] });
        for (name, extreme) in
            body.iter().flat_map(|(name, field)| extremes_of(field).map(move |extreme| (name, extreme)))
        {
            let mut body = body.clone();
            body.insert(name.clone(), extreme.clone());
            let answer = caller.call(operation.method, &operation.address(&world), Some(Value::Object(body))).await;
            world.note(&answer);
            let value: String = extreme.to_string().chars().take(60).collect();
            let call = format!("{} {} with {name} = {value}", operation.method, operation.path);
            assert!(answer.status < 500, "{call}: {} {}", answer.status, answer.text);
            assert!(documented(&document, operation).contains(&answer.status), "{call}: {}", answer.status);
        }
    }
}

#[tokio::test]
async fn a_million_ids_are_too_large_and_a_very_long_search_finds_nothing() {
    let app = app().await;
    let club = app.client("Rowing Club").await;
    let meeting = club.meeting().await;
    let ids = format!("{{\"endUserIds\": [{}\"{}\"]}}", format!("\"{}\",", club.id).repeat(1_000_000), club.id);
    for method in ["POST", "DELETE"] {
        let answer = club.admin.call_with_text(method, &meeting.path("/participants"), ids.as_str()).await;
        answer.refuses(413, "body_too_large");
    }
    let root = app.super_admin().await;
    for (caller, path) in [(&root, "/clients"), (&club.admin, "/client/end-users"), (&club.admin, "/client/meetings")] {
        for text in ["%25", "_", "%5C", "%C3%9F"] {
            let found = caller.get(&format!("{path}?page=1&search=x{}", text.repeat(5_000))).await.gives(200);
            assert_eq!(found["data"], json!([]), "{path}");
        }
    }
}

#[tokio::test]
async fn a_body_that_is_too_large_is_413() {
    let app = app().await;
    let mut world = World::new(&app).await;
    for operation in with_bodies() {
        world.renew_if_changed().await;
        let caller = world.caller_of(&app, operation).await;
        // The rows of an import, other files and their rows, and the ids of all voters.
        let are_rows = operation.path == "/client/end-users/import";
        let is_file = ["/client/end-users/import", "/client/questions/candidates"];
        let is_file =
            is_file.iter().any(|path| operation.path.starts_with(path)) || operation.path.ends_with("/proxies/import");
        // The members of a group, up to 100 envelopes of a holder, or 100 texts on paper.
        let is_many = operation.path == "/client/groups/{groupId}/members"
            || operation.path.ends_with("/{questionId}/votes")
            || operation.path.ends_with("/paper-batches");
        let mib = if are_rows {
            48
        } else if is_file {
            16
        } else {
            1 + usize::from(is_many)
        };
        let text = format!("{{\"a\": \"{}\"}}", "a".repeat(mib * 1024 * 1024));
        let answer = caller.call_with_text(operation.method, &operation.address(&world), text).await;
        world.note(&answer);
        assert_eq!(answer.status, 413, "{} {}: {}", operation.method, operation.path, answer.text);
        is_an_orderly_error(&answer, operation.path);
    }
}

#[tokio::test]
async fn an_invalid_parameter_is_422_and_named() {
    let app = app().await;
    let club = app.client("Rowing Club").await;
    let root = app.super_admin().await;
    for (caller, path) in [(&root, "/clients"), (&club.admin, "/client/end-users"), (&club.admin, "/client/meetings")] {
        for (query, field) in [
            ("page=0", "page"),
            ("page=-1", "page"),
            ("page=x", "page"),
            ("page=4294967296", "page"),
            ("page=18446744073709551616", "page"),
            ("page=1&pageSize=201", "pageSize"),
            ("page=1&pageSize=0", "pageSize"),
            ("status=ASLEEP", "status"),
            ("sort=weight", "sort"),
        ] {
            let answer = caller.get(&format!("{path}?{query}")).await;
            assert_eq!(answer.wrong_fields(), [field], "{path}?{query}");
        }
        let twice = caller.get(&format!("{path}?page=1&page=2")).await;
        assert_eq!(twice.status, 422, "{path}: {}", twice.text);
        is_an_orderly_error(&twice, path);
        let last = caller.get(&format!("{path}?page=4294967295&pageSize=200")).await.gives(200);
        assert_eq!(last["data"], json!([]), "{path}");
    }
}

#[tokio::test]
async fn an_unknown_address_is_404_in_json() {
    let app = app().await;
    for path in ["/", "/nothing", "/clients/x/y", "/auth", "/voting/meetings/x/questions/y"] {
        let answer = app.anyone().get(path).await;
        assert_eq!(answer.status, 404, "{path}: {}", answer.text);
        answer.refuses(404, "not_found");
    }
    app.anyone().call("PATCH", "/clients", None).await.refuses(405, "method_not_allowed");
}
