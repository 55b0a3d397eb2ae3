//! The present voters of a result: connected at opening, or voted.

use diesel::connection::SimpleConnection as _;
use serde_json::json;

use crate::http::support::{EventStream, TestApp, TestMeeting};

/// More than half of those present, by heads.
const OF_PRESENT: &str = r#"{ "kind": "majority", "onTie": "rejected", "conditions": [
    { "units": "heads", "base": "connected_at_opening", "comparison": "more_than", "numerator": 1, "denominator": 2 } ] }"#;
/// At least half of the register by heads must be present.
const HALF_PRESENT: &str =
    r#"{ "comparison": "at_least", "numerator": 1, "denominator": 2, "unit": "heads", "attendance": "present" }"#;

fn change(app: &TestApp, statements: &str) {
    app.database.connection().batch_execute(statements).unwrap();
}

async fn export(meeting: &TestMeeting, format: &str) -> String {
    let exported = meeting.admin.get(&meeting.path(&format!("/results/export?format={format}"))).await;
    assert_eq!(exported.status, 200, "{}", exported.text);
    exported.text
}

#[tokio::test]
async fn present_voters_are_those_who_were_connected_or_voted() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let (ada, ben) = (club.voter("ada").await, club.voter_of_weight("ben", "2.5").await);
    let cleo = club.voter_of_weight("cleo", "0.25").await;
    club.voter("dora").await;
    let meeting = club.meeting().await;
    let question = meeting.ask_yes_no().await;
    change(
        &app,
        &format!(
            "UPDATE meetings SET quorum = '{HALF_PRESENT}', quorum_at_opening = 'WARN';
             UPDATE questions SET decision_rule = '{OF_PRESENT}'"
        ),
    );
    // Ada votes, Ben only watches, and Cleo votes without having been connected.
    let mut streams = vec![EventStream::watch(&ada.caller, &meeting.id).await];
    streams.push(EventStream::watch(&ben.caller, &meeting.id).await);
    let round = meeting.open(&question).await["roundId"].clone();
    ada.vote(&meeting, &question, &["Yes"]).await.gives(201);
    cleo.vote(&meeting, &question, &["Yes"]).await.gives(201);
    meeting.clear().await;

    let result = meeting.count(&round).await.gives(200);
    assert_eq!(result["connectedAtOpening"], json!({ "heads": 2, "weight": 3.5 }));
    assert_eq!(result["presence"], "CONNECTED_OR_VOTED");
    assert_eq!(result["present"], json!({ "heads": 3, "weight": 3.75 }));
    assert_eq!(result["arithmetic"]["quorum"]["attending"], 3);
    let sentence = "Accepted: 2 of 3 present by heads are yes, 66.67 %; more than 1/2, that is at least 2, were needed";
    assert_eq!(result["arithmetic"]["sentence"], sentence);
    let file = plenum_verify::read(export(&meeting, "json").await.as_bytes()).unwrap();
    let report = plenum_verify::verify(&file);
    assert!(report.agrees(), "{report:?}");
    let table = export(&meeting, "csv").await;
    assert!(table.lines().any(|line| line.contains("Present") && line.contains("connected at opening, or voted")));
    drop(streams);
}

#[tokio::test]
async fn a_round_of_an_earlier_version_keeps_the_larger_number() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let (ada, ben) = (club.voter("ada").await, club.voter_of_weight("ben", "2.5").await);
    let meeting = club.meeting().await;
    let question = meeting.ask_yes_no().await;
    let stream = EventStream::watch(&ada.caller, &meeting.id).await;
    let round = meeting.open(&question).await["roundId"].clone();
    ben.vote(&meeting, &question, &["Yes"]).await.gives(201);
    change(&app, "UPDATE rounds SET presence = 'LARGER_NUMBER'");
    meeting.clear().await;

    let result = meeting.count(&round).await.gives(200);
    assert_eq!((&result["presence"], &result["connectedAtOpening"]["heads"]), (&json!("LARGER_NUMBER"), &json!(1)));
    assert_eq!(result["present"], json!({ "heads": 1, "weight": 2.5 }));
    let file = plenum_verify::read(export(&meeting, "json").await.as_bytes()).unwrap();
    assert!(plenum_verify::verify(&file).agrees());
    drop(stream);
}
