//! Remarks for the minutes.

use serde_json::{Value, json};

use crate::http::support::{NO_ID, TestApp};

#[tokio::test]
async fn remarks_are_added_listed_and_removed() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let meeting = club.meeting_with(json!({ "status": "DRAFT" })).await;
    let path = meeting.path("/remarks");
    assert_eq!(club.admin.get(&path).await.gives(200), json!([]));
    let first = json!({ "kind": "REMARK", "text": "  The treasurer left the room.\nShe came back at eight. " });
    let first = club.admin.post(&path, first).await.gives(201);
    assert_eq!(
        first,
        json!({
            "id": first["id"], "at": first["at"], "by": "Anna Berg", "kind": "REMARK",
            "text": "The treasurer left the room.\nShe came back at eight.",
        })
    );
    let second = json!({ "kind": "INCIDENT", "text": "x".repeat(2_000) });
    let second = club.admin.post(&path, second).await.gives(201);
    assert_eq!(club.admin.get(&path).await.gives(200), json!([first, second]));
    let struck = format!("{path}/{}", first["id"].as_str().unwrap());
    assert_eq!(club.admin.delete(&struck).await.status, 204);
    club.admin.delete(&struck).await.refuses(404, "remark_not_found");
    assert_eq!(club.admin.get(&path).await.gives(200), json!([second]));
    club.admin.delete(&format!("{path}/7")).await.refuses(404, "remark_not_found");
}

#[tokio::test]
async fn once_voting_was_opened_a_deleted_remark_is_struck_through() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let meeting = club.meeting().await;
    let path = meeting.path("/remarks");
    let remark = club.admin.post(&path, json!({ "kind": "REMARK", "text": "It rained." })).await.gives(201);
    meeting.open(&meeting.ask_yes_no().await).await;
    let one = format!("{path}/{}", remark["id"].as_str().unwrap());
    assert_eq!(club.admin.delete(&one).await.status, 204);
    let struck = club.admin.get(&path).await.gives(200);
    assert_eq!((&struck[0]["text"], &struck[0]["struck"]["by"]), (&json!("It rained."), &json!("Anna Berg")));
    // A repeat changes nothing.
    assert_eq!(club.admin.delete(&one).await.status, 204);
    assert_eq!(club.admin.get(&path).await.gives(200), struck);
}

#[tokio::test]
async fn an_invalid_remark_is_refused_with_a_reason() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let path = club.meeting().await.path("/remarks");
    for (body, field) in [
        (json!({ "kind": "REMARK", "text": " \n " }), "text"),
        (json!({ "kind": "REMARK", "text": "x".repeat(2_001) }), "text"),
        (json!({ "kind": "REMARK", "text": "a\u{0}b" }), "text"),
        (json!({ "kind": "REMARK" }), "text"),
        (json!({ "kind": "NOTE", "text": "x" }), "kind"),
        (json!({ "text": "x" }), "kind"),
    ] {
        assert_eq!(club.admin.post(&path, body.clone()).await.wrong_fields(), [field], "{body}");
    }
    assert_eq!(club.admin.get(&path).await.gives(200), json!([]));
    let nowhere = format!("/client/meetings/{NO_ID}/remarks");
    club.admin.get(&nowhere).await.refuses(404, "meeting_not_found");
    club.admin.post(&nowhere, json!({ "kind": "REMARK", "text": "x" })).await.refuses(404, "meeting_not_found");
}

#[tokio::test]
async fn a_meeting_holds_a_thousand_remarks() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let meeting = club.meeting().await;
    let path = meeting.path("/remarks");
    let body = || json!({ "kind": "REMARK", "text": "Once more." });
    let mut last = Value::Null;
    for _ in 0..1_000 {
        last = club.admin.post(&path, body()).await.gives(201);
    }
    club.admin.post(&path, body()).await.refuses(409, "too_many_remarks");
    let one = format!("{path}/{}", last["id"].as_str().unwrap());
    // Voting was never opened, so the remark is deleted and leaves no trace.
    assert_eq!(club.admin.delete(&one).await.status, 204);
    club.admin.post(&path, body()).await.gives(201);
}
