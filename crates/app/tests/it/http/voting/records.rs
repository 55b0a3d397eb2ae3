//! Signed exports of declared results.

use plenum_verify::{Exported, KnownAuthorities, KnownKeys, Origin, Verdict, check_origin, examine, read};
use serde_json::{Value, json};

use crate::http::support::{Declared, Timestamps};

/// The verdict of `plenum verify` on this content, with the installation's key: whether it is signed and consistent.
fn is_signed_and_consistent(content: &str, known: &KnownKeys) -> bool {
    let Ok(file) = read(content.as_bytes()) else { return false };
    let exported = Exported::Results(Box::new(file));
    matches!(examine(content.as_bytes(), &exported, known, &KnownAuthorities::None).verdict(), Verdict::Signed(_))
}

/// Every copy of the value with one leaf changed or one item removed.
fn changed_copies(value: &Value) -> Vec<Value> {
    match value {
        Value::Null => vec![json!(0)],
        Value::Bool(is) => vec![json!(!is)],
        Value::Number(number) => vec![serde_json::from_str(&format!("1{number}").replace("1-", "1")).unwrap()],
        Value::String(text) => vec![json!(format!("{text} ")), json!(text.chars().skip(1).collect::<String>())]
            .into_iter()
            .filter(|other| *other != json!(text))
            .collect(),
        Value::Array(items) => {
            let mut copies = Vec::new();
            for (index, item) in items.iter().enumerate() {
                let with = |other: Value| {
                    let mut items = items.clone();
                    items[index] = other;
                    Value::Array(items)
                };
                copies.extend(changed_copies(item).into_iter().map(with));
                let mut fewer = items.clone();
                fewer.remove(index);
                copies.push(Value::Array(fewer));
            }
            copies
        }
        Value::Object(members) => {
            let mut copies = Vec::new();
            for (name, member) in members {
                let with = |other: Value| {
                    let mut members = members.clone();
                    members.insert(name.clone(), other);
                    Value::Object(members)
                };
                copies.extend(changed_copies(member).into_iter().map(with));
            }
            let mut more = members.clone();
            more.insert("more".to_owned(), Value::Null);
            copies.push(Value::Object(more));
            copies
        }
    }
}

#[tokio::test]
async fn every_changed_field_of_a_signed_export_is_found() {
    let hall = Declared::new().await;
    hall.meeting
        .admin
        .post(&hall.meeting.path("/remarks"), json!({ "kind": "INCIDENT", "text": "The power failed." }))
        .await
        .gives(201);
    hall.meeting.admin.post(&hall.meeting.path("/end"), Value::Null).await.gives(200);
    hall.meeting.admin.put(&hall.meeting.path(""), json!({ "title": "Annual assembly" })).await.gives(200);
    assert_eq!(Timestamps::of(&hall.app).await.turn().await.kept, 7);
    let file = hall.export().await;
    assert!(
        file["rounds"][0]["seal"]["timestampToken"].is_string() && file["closings"][0]["timestampToken"].is_string()
    );
    let key = file["signature"]["key"].as_str().unwrap().to_owned();
    let own = KnownKeys::Own(vec![key.clone()]);
    assert!(is_signed_and_consistent(&file.to_string(), &own), "it is as it was written");
    let copies = changed_copies(&file);
    assert!(copies.len() > 1_000, "{} places were changed", copies.len());
    for copy in copies {
        assert!(!is_signed_and_consistent(&copy.to_string(), &own), "{copy}");
    }
    // The published key is the one that signs.
    let published = hall.app.anyone().get("/public/evidence-keys").await.gives(200);
    assert_eq!(published["keys"].as_array().unwrap().last().unwrap()["fingerprint"], json!(key));
    // Without the key, or with another one, nothing proves the origin.
    let (text, other) = (file.to_string(), vec!["0".repeat(64)]);
    let origin = |known: &KnownKeys| check_origin(text.as_bytes(), &read(text.as_bytes()).unwrap(), known);
    assert_eq!(origin(&KnownKeys::None), Ok(Origin::Unknown(Some(key.clone()))));
    assert_eq!(origin(&KnownKeys::Own(other.clone())), Ok(Origin::Unknown(Some(key.clone()))));
    assert!(origin(&KnownKeys::Pinned(other)).is_err());
    assert_eq!(origin(&KnownKeys::Pinned(vec![key.clone()])), Ok(Origin::Signed(key)));
}
