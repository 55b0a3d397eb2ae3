//! A voting place and a batch of votes on paper.

use serde_json::json;

use super::{Caller, TestMeeting};

/// The token of a new desk with this purpose.
pub(crate) async fn desk(meeting: &TestMeeting, name: &str, purpose: &str) -> String {
    let made =
        meeting.admin.post(&meeting.path("/desks"), json!({ "name": name, "purpose": purpose })).await.gives(201);
    made["token"].as_str().unwrap().to_owned()
}

/// The token of a voting place that has given the first of these people a ballot, and the id of a batch of tellers with a vote of the
/// second one. Ballot and batch have the id of the round, which is not named.
pub(super) async fn prepare(
    anybody: &Caller,
    meeting: &TestMeeting,
    round: &str,
    people: &[String; 2],
) -> (String, String) {
    let place = desk(meeting, "Place 1", "VOTING_PLACE").await;
    let ballot = json!({ "id": round, "endUserId": people[0], "roundId": round });
    anybody.with_token(&place).post("/desk/ballots", ballot).await.gives(201);
    let tellers = anybody.with_token(&desk(meeting, "Tellers 1", "TELLERS").await);
    let counts = json!([{ "answers": ["Yes"], "count": 1 }]);
    let batch = json!({ "id": round, "people": [people[1]], "counts": counts });
    tellers.post(&meeting.path(&format!("/rounds/{round}/paper-batches")), batch).await.gives(201);
    (place, round.to_owned())
}
