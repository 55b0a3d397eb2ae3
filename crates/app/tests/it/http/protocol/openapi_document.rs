//! The OpenAPI document: it is complete, and its examples are valid.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use chrono::DateTime;
use plenum_kernel::MeetingId;
use serde_json::{Map, Value, json};

use crate::http::support::TestApp;
use crate::http::support::operations::{Access, OPERATIONS, World, document, documented};

/// The start of ids in examples. No such objects exist.
const SOME_ID: &str = "019a9d5e-";

/// Every operation with its name.
fn operations(document: &Value) -> impl Iterator<Item = (String, &Value)> {
    document["paths"].as_object().unwrap().iter().flat_map(|(path, item)| {
        let methods = item.as_object().unwrap().iter();
        methods.map(move |(method, operation)| (format!("{} {path}", method.to_uppercase()), operation))
    })
}

/// Every media type of the responses of an operation: status, name and description.
fn answers(operation: &Value) -> impl Iterator<Item = (&str, &str, &Value)> {
    operation["responses"].as_object().unwrap().iter().flat_map(|(status, response)| {
        let contents = response["content"].as_object().into_iter().flatten();
        contents.map(move |(media_type, content)| (status.as_str(), media_type.as_str(), content))
    })
}

/// The reason why `value` does not match a schema, for the keywords that the document uses.
fn contradiction(document: &Value, schema: &Value, value: &Value) -> Option<String> {
    if let Some(reference) = schema["$ref"].as_str() {
        return contradiction(document, document.pointer(&reference[1..]).unwrap(), value);
    }
    if let Some(choices) = schema["oneOf"].as_array() {
        let each: Option<Vec<String>> = choices.iter().map(|choice| contradiction(document, choice, value)).collect();
        return each.map(|contradictions| contradictions.join("; "));
    }
    let types: Vec<&str> = match &schema["type"] {
        Value::Array(types) => types.iter().filter_map(Value::as_str).collect(),
        single => single.as_str().into_iter().collect(),
    };
    let is_of_type = |name: &&str| match *name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("schemas of ours know no {other}"),
    };
    if !types.is_empty() && !types.iter().any(is_of_type) {
        return Some(format!("{value} is no {types:?}"));
    }
    if schema["enum"].as_array().is_some_and(|known| !known.contains(value)) {
        return Some(format!("{value} is not among {}", schema["enum"]));
    }
    match value {
        Value::String(text) => contradiction_of_text(schema, text),
        Value::Array(values) => values.iter().find_map(|value| contradiction(document, &schema["items"], value)),
        Value::Object(fields) => contradiction_of_object(document, schema, fields),
        Value::Null | Value::Bool(_) | Value::Number(_) => None,
    }
}

fn contradiction_of_text(schema: &Value, text: &str) -> Option<String> {
    let fits = match schema["format"].as_str() {
        Some("uuid") => text.parse::<MeetingId>().is_ok(),
        Some("date-time") => DateTime::parse_from_rfc3339(text).is_ok(),
        _ => true,
    };
    (!fits).then(|| format!("{text} is no {}", schema["format"]))
}

fn contradiction_of_object(document: &Value, schema: &Value, fields: &Map<String, Value>) -> Option<String> {
    let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let missing: Vec<&str> = required.filter(|name| !fields.contains_key(*name)).collect();
    if !missing.is_empty() {
        return Some(format!("{missing:?} is missing"));
    }
    fields.iter().find_map(|(name, value)| {
        let known = schema["properties"].get(name).or_else(|| schema.get("additionalProperties"));
        match known {
            Some(schema) => contradiction(document, schema, value).map(|reason| format!("{name}: {reason}")),
            None => Some(format!("{name} is unknown")),
        }
    })
}

/// The fault of the example of a body, if any.
fn fault_of_example(document: &Value, content: &Value) -> Option<String> {
    match content.get("example") {
        None => Some("an example is missing".to_owned()),
        Some(example) => contradiction(document, &content["schema"], example),
    }
}

fn api_page() -> String {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/api.md");
    fs::read_to_string(page).unwrap()
}

#[test]
fn every_operation_has_a_summary_and_lists_its_responses() {
    let document = document();
    for (name, operation) in operations(&document) {
        let summary = operation["summary"].as_str().unwrap_or_default();
        assert!(summary.ends_with('.') && summary.len() <= 150, "{name} needs one sentence as its summary: {summary}");
        assert!(operation["tags"].as_array().is_some_and(|tags| tags.len() == 1), "{name} needs one tag");
        let statuses: Vec<&String> = operation["responses"].as_object().unwrap().keys().collect();
        assert_eq!(statuses.iter().filter(|status| status.starts_with('2')).count(), 1, "{name}: {statuses:?}");
        for (status, response) in operation["responses"].as_object().unwrap() {
            assert!(!response["description"].as_str().unwrap_or_default().is_empty(), "{name}: {status} says nothing");
            assert_eq!(response["content"].is_object(), !["204", "304"].contains(&status.as_str()), "{name}: {status}");
        }
    }
}

#[test]
fn every_body_has_an_example_of_its_schema() {
    let document = document();
    let mut faults = Vec::new();
    for (name, operation) in operations(&document) {
        if let Some(body) = operation.get("requestBody") {
            for content in body["content"].as_object().unwrap().values() {
                let fault = fault_of_example(&document, content);
                faults.extend(fault.map(|fault| format!("{name}, the request: {fault}")));
            }
        }
        for (status, media_type, content) in answers(operation) {
            let fault = fault_of_example(&document, content);
            faults.extend(fault.map(|fault| format!("{name}, {status} as {media_type}: {fault}")));
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn every_error_example_has_a_documented_code() {
    let (document, page) = (document(), api_page());
    for (name, operation) in operations(&document) {
        let errors = answers(operation)
            .filter(|(status, media_type, _)| !status.starts_with('2') && *media_type == "application/json");
        for (status, _, content) in errors {
            let example = &content["example"];
            let code = example["code"].as_str().unwrap();
            assert!(page.contains(&format!("`{code}`")), "{name}, {status}: docs/api.md does not know {code}");
            assert_eq!(example["error"], example["message"], "{name}, {status}");
        }
    }
}

#[test]
fn every_response_that_asks_to_wait_has_a_retry_time() {
    for (name, operation) in operations(&document()) {
        let responses = operation["responses"].as_object().unwrap();
        for (status, response) in responses.iter().filter(|(status, _)| ["429", "503"].contains(&status.as_str())) {
            assert!(response["headers"]["Retry-After"].is_object(), "{name}: {status}");
        }
    }
}

#[tokio::test]
async fn a_product_that_is_not_ready_responds_as_documented() {
    let app = TestApp::start().await;
    app.database.revert_all_migrations().await;
    let answer = app.anyone().get("/health/ready").await;
    let report = answer.gives(503);
    let document = document();
    let documented = &document["paths"]["/health/ready"]["get"]["responses"]["503"];
    let content = &documented["content"]["application/json"];
    assert_eq!(contradiction(&document, &content["schema"], &report), None);
    let names = |body: &Value| body.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&report), names(&content["example"]));
    assert_eq!((&report["status"], &report["code"]), (&content["example"]["status"], &content["example"]["code"]));
    for header in documented["headers"].as_object().unwrap().keys() {
        assert!(answer.header(header).is_some(), "{header} is missing");
    }
}

#[test]
fn every_error_code_is_documented() {
    let page = api_page();
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../adapter-http/src");
    let unknown: BTreeSet<String> =
        codes_below(&sources).into_iter().filter(|code| !page.contains(&format!("`{code}`"))).collect();
    assert!(unknown.is_empty(), "docs/api.md does not know {unknown:?}");
}

/// Other names in the form of codes.
const OTHER_NAMES: &[&str] = &[
    "at_least",
    "exact_option",
    "exact_or_null",
    "more_than",
    "not_ready",
    "read_exact",
    "second_factor_unreadable",
    "snake_case",
    "votes_cast",
    "yes_plus_no",
];

/// Texts in snake_case: the codes, and the types of live events.
fn codes_below(folder: &Path) -> BTreeSet<String> {
    let mut codes = BTreeSet::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            codes.extend(codes_below(&path));
        } else {
            let source = fs::read_to_string(&path).unwrap();
            let product = source.split("#[cfg(test)]").next().unwrap();
            let texts = product.split('"').skip(1).step_by(2);
            codes.extend(texts.filter(|text| is_code(text) && !OTHER_NAMES.contains(text)).map(str::to_owned));
        }
    }
    codes
}

fn is_code(text: &str) -> bool {
    let is_word = |word: &str| !word.is_empty() && word.chars().all(|letter| letter.is_ascii_lowercase());
    text.contains('_') && text.split('_').all(is_word)
}

#[tokio::test]
async fn the_example_of_a_request_is_valid() {
    let app = TestApp::start_with_everything().await;
    let mut world = World::new(&app).await;
    let document = document();
    for operation in OPERATIONS {
        let described = &document["paths"][operation.path][operation.method.to_lowercase()];
        let Some(body) = described.get("requestBody") else { continue };
        world.renew_meetings().await;
        // The example of a file is its text.
        let file = body["content"]["application/octet-stream"]["example"].as_str();
        let example = match file {
            Some(file) => serde_json::from_str(file).unwrap(),
            None => body["content"]["application/json"]["example"].clone(),
        };
        let mut body = with_ids_that_exist(&example, &operation.body(&world).unwrap());
        if operation.path.ends_with("/erase") {
            // The confirmation is the name of the target.
            body["username"] = operation.body(&world).unwrap()["username"].clone();
        }
        if operation.path.ends_with("/proxies") {
            // The voter has given a proxy for another question.
            body = operation.body(&world).unwrap();
        }
        if operation.path.ends_with("/check-in") {
            // The code of the presentation changes every 30 seconds.
            body["code"] = operation.body(&world).unwrap()["code"].clone();
        }
        let caller = world.caller_of(&app, operation).await;
        let answer = caller.call(operation.method, &operation.address(&world), Some(body.clone())).await;
        let call = format!("{} {} with {body}: {} {}", operation.method, operation.path, answer.status, answer.text);
        assert!(documented(&document, operation).contains(&answer.status), "{call}");
        // The people and tokens of the examples do not exist.
        let may_be_unknown = operation.access == Access::Public && answer.status == 401;
        assert!(answer.status == operation.success || may_be_unknown, "{call}");
    }
}

/// The example, with the ids of a call that succeeds.
fn with_ids_that_exist(example: &Value, call: &Value) -> Value {
    let mut body = example.clone();
    for (name, value) in body.as_object_mut().unwrap() {
        if value.to_string().contains(SOME_ID) {
            *value = call[name.as_str()].clone();
        }
    }
    body
}

#[test]
fn a_value_that_contradicts_its_schema_is_found() {
    let document = json!({ "components": { "schemas": { "Row": {
        "type": "object", "required": ["id"],
        "properties": { "id": { "type": "string", "format": "uuid" }, "note": { "type": ["string", "null"] } },
    } } } });
    let schema = json!({ "type": "array", "items": { "$ref": "#/components/schemas/Row" } });
    let of = |value: Value| contradiction(&document, &schema, &value);
    assert_eq!(of(json!([{ "id": "019a9d5e-0000-7000-8000-000000000001", "note": null }])), None);
    for wrong in [json!({}), json!([{}]), json!([{ "id": "7" }]), json!([{ "id": 7 }])] {
        assert!(of(wrong.clone()).is_some(), "{wrong}");
    }
    let unknown = json!([{ "id": "019a9d5e-0000-7000-8000-000000000001", "other": 1 }]);
    assert_eq!(of(unknown).as_deref(), Some("other is unknown"));
}
