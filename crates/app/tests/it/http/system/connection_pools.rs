//! Running meetings have their own connection pool.

use plenum_adapter_postgres::testkit::put_to_sleep;
use serde_json::json;

use crate::http::support::{EventStream, TestApp};

#[tokio::test]
async fn voting_continues_while_every_connection_of_the_general_pool_is_busy() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let (ada, ben) = (club.voter("ada").await, club.voter("ben").await);
    let meeting = club.meeting_with(json!({ "status": "ACTIVE" })).await;
    let (first, second) = (meeting.ask_yes_no().await, meeting.ask_yes_no().await);
    meeting.open(&first).await;

    let sleepers = put_to_sleep(&app.pools().general).await;
    // The server does not remember this session.
    let late = app.anyone().sign_in_voter(&club.code, "ben").await;
    assert_eq!(late.get("/voting/meetings").await.gives(200)["meetings"][0]["id"], meeting.id);
    assert_eq!(ada.sees(&meeting).await["questions"][0]["hasVoted"], false);
    ada.vote(&meeting, &first, &["Yes"]).await.gives(201);
    late.get(&format!("/sse/meetings/{}/state", meeting.id)).await.gives(200);
    EventStream::watch(&ben.caller, &meeting.id).await.until("connected").await;
    meeting.clear().await;
    meeting.open(&second).await;
    ben.vote(&meeting, &second, &["No"]).await.gives(201);
    meeting.show(&first).await;
    assert_eq!(app.anyone().get("/health").await.gives(200)["status"], "ok");
    assert_eq!(app.anyone().get("/health/ready").await.gives(200)["status"], "ready");
    assert!(sleepers.all_sleep(), "it was no test of anything");
    sleepers.wake(&app.database).await;
}
