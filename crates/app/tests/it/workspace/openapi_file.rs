//! The generated OpenAPI document.

use std::collections::BTreeSet;
use std::fs;

use plenum_adapter_http::openapi_document;

use super::root;

#[test]
fn the_openapi_document_matches_the_code() {
    let path = root().join("docs/openapi.json");
    let fresh = openapi_document("").to_pretty_json().unwrap() + "\n";
    if std::env::var_os("PLENUM_BLESS").is_some() {
        fs::write(&path, &fresh).unwrap();
    }
    let committed = fs::read_to_string(&path).unwrap();
    // Not `assert_eq`, which would print both documents.
    assert!(committed == fresh, "docs/openapi.json is not that of this code: run `npx --yes rust-just generate`");
}

#[test]
fn the_openapi_document_names_every_operation_once() {
    let document: serde_json::Value = serde_json::from_str(&openapi_document("").to_json().unwrap()).unwrap();
    let mut names = BTreeSet::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let name = operation["operationId"].as_str().unwrap_or_default().to_owned();
            assert!(!name.is_empty(), "{method} {path} has no name");
            assert!(names.insert(name.clone()), "two operations are called {name}");
            assert!(operation["summary"].is_string(), "{method} {path} does not say what it does");
        }
    }
}
