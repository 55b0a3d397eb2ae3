//! Signed exports of declared results.

use plenum_adapter_postgres::{PostgresRecords, PostgresTimestamps};
use plenum_kernel::{ClientId, Clock as _, MeetingId};
use plenum_records::{KeptStores, kept_results};
use plenum_result_format::RoundFile;
use plenum_verify::{Exported, KnownAuthorities, KnownKeys, Origin, Verdict, check_origin, examine, read};
use serde_json::{Value, json};

use super::elections::Hall;
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

/// What the records of a meeting tell without its rows.
async fn kept(hall: &Hall) -> Vec<RoundFile> {
    let (keys, writer) = hall.app.record_writer();
    let db = hall.app.database.db();
    let (records, timestamps) = (PostgresRecords::new(db.clone(), writer), PostgresTimestamps::new(db));
    let stores = KeptStores { records: &records, timestamps: &timestamps };
    let client = ClientId::from_uuid(hall.club.id.parse().unwrap());
    let meeting = MeetingId::from_uuid(hall.meeting.id.parse().unwrap());
    let now = plenum_adapter_security::SystemClock.now();
    kept_results(stores, &*keys, (client, meeting), now).await.unwrap().unwrap().rounds
}

#[tokio::test]
async fn the_rounds_of_a_question_stay_together_when_the_agenda_changes() {
    let hall = Hall::with(1).await;
    let first = hall.meeting.ask_yes_no().await;
    let removed = hall.meeting.ask_yes_no().await;
    let moved = hall.meeting.ask_yes_no().await;
    for question in [&first, &moved] {
        let round = hall.vote(question, &[&["Yes"]]).await;
        hall.declare(&round).await.gives(200);
    }
    hall.meeting.admin.delete(&format!("/client/questions/{removed}")).await.gives(200);
    let last = hall.meeting.ask_yes_no().await;
    let round = hall.vote(&last, &[&["Yes"]]).await;
    hall.declare(&round).await.gives(200);
    let revote = json!({ "questionId": moved, "reason": "Somebody was cut off." });
    let opened = hall.meeting.admin.post(&hall.meeting.path("/rounds"), revote).await.gives(201);
    hall.voters[0].vote(&hall.meeting, &moved, &["No"]).await.gives(201);
    hall.meeting.clear().await;
    hall.declare(&opened["currentQuestion"]["roundId"]).await.gives(200);

    // Each record keeps the position that was signed. The last round of the moved question is the second item.
    let expected = json!([[first, 1, 1], [moved, 3, 1], [moved, 2, 2], [last, 3, 1]]);
    let placed = |result: &Value| json!([result["questionId"], result["position"], result["number"]]);
    // The second time all results are cached.
    for _ in 0..2 {
        let shown = hall.meeting.admin.get(&hall.meeting.path("/results")).await.gives(200);
        assert_eq!(shown["rounds"].as_array().unwrap().iter().map(placed).collect::<Value>(), expected);
    }
    let exported = hall.exported().await;
    let file: Value = serde_json::from_slice(&exported).unwrap();
    let rounds = file["rounds"].as_array().unwrap();
    assert_eq!(rounds.iter().map(|round| placed(&round["result"])).collect::<Value>(), expected);
    let kept = kept(&hall).await;
    let kept = kept.iter().map(|round| placed(&serde_json::to_value(&round.result).unwrap()));
    assert_eq!(kept.collect::<Value>(), expected);

    hall.assert_verified().await;
    let report = hall.verify(exported).await;
    let names: Vec<&str> = report["data"]["rounds"].as_array().unwrap().iter().map(named).collect();
    assert_eq!(names, ["Item 1, round 1", "Item 2, round 1", "Item 2, round 2", "Item 3, round 1"]);
}

/// "Item 1, round 1".
fn named(round: &Value) -> &str {
    round["name"].as_str().unwrap().split(':').next().unwrap()
}
