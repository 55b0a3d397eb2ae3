use serde_json::{Value, json};

use crate::http::support::{NO_ID, TestApp, TestMeeting};

async fn invited(meeting: &TestMeeting) -> Vec<String> {
    let rows = meeting.admin.get(&meeting.path("/participants")).await.gives(200);
    rows.as_array().unwrap().iter().map(|row| row["endUser"]["username"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn a_meeting_without_a_list_is_for_everybody_and_one_with_a_list_for_its_participants() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let (ada, ben) = (club.voter("ada").await, club.voter("ben").await);
    let meeting = club.meeting().await;
    assert_eq!(invited(&meeting).await, ["ada", "ben"]);

    let path = meeting.path("/participants");
    let added = club.admin.post(&path, json!({ "endUserIds": [ben.id], "addAllActive": false })).await.gives(200);
    assert_eq!(added, json!({ "success": true, "added": 1, "participantCount": 1 }));
    let again = club.admin.post(&path, json!({ "endUserIds": [ben.id, ben.id] })).await.gives(200);
    assert_eq!(again["added"], 0);
    assert_eq!(invited(&meeting).await, ["ben"]);
    assert_eq!(club.admin.get(&meeting.path("")).await.gives(200)["hasParticipantList"], true);

    let list = ada.caller.get("/voting/meetings").await.gives(200);
    assert_eq!(list["meetings"], json!([]));
    ada.caller.get(&format!("/voting/meetings/{}", meeting.id)).await.refuses(403, "not_invited");
    assert_eq!(ben.caller.get("/voting/meetings").await.gives(200)["meetings"][0]["id"], meeting.id);

    let removed = club.admin.call("DELETE", &path, Some(json!({ "endUserIds": [ben.id, ada.id] }))).await.gives(200);
    assert_eq!(removed, json!({ "success": true, "removed": 1, "participantCount": 0 }));
}

#[tokio::test]
async fn an_invited_voter_learns_that_a_draft_is_not_open_yet() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let (ada, ben) = (club.voter("ada").await, club.voter("ben").await);
    let meeting = club.meeting_with(json!({ "status": "DRAFT" })).await;
    meeting.admin.post(&meeting.path("/participants"), json!({ "endUserIds": [ada.id] })).await.gives(200);
    let path = format!("/voting/meetings/{}", meeting.id);
    ada.caller.get(&path).await.refuses(404, "meeting_not_open_yet");
    ben.caller.get(&path).await.refuses(404, "meeting_not_found");
    let stranger = app.client("Chess Club").await.voter("cleo").await;
    stranger.caller.get(&path).await.refuses(404, "meeting_not_found");
}

#[tokio::test]
async fn everyone_who_is_active_can_be_invited_at_once() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    club.voter("ada").await;
    let asleep = json!({ "username": "b", "name": "B", "password": "correct horse", "isActive": false });
    club.admin.post("/client/end-users", asleep).await.gives(201);
    let meeting = club.meeting().await;
    let added = club.admin.post(&meeting.path("/participants"), json!({ "addAllActive": true })).await.gives(200);
    assert_eq!(added["participantCount"], 1);
    club.voter("cleo").await;
    assert_eq!(invited(&meeting).await, ["ada", "cleo"], "later voters may take part as well");
}

#[tokio::test]
async fn a_limit_refuses_an_addition_beyond_it_as_a_whole() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let (ada, ben, cleo) = (club.voter("ada").await, club.voter("ben").await, club.voter("cleo").await);
    let meeting = club.meeting_with(json!({ "maxParticipants": 2 })).await;
    let path = meeting.path("/participants");
    club.admin.post(&path, json!({ "addAllActive": true })).await.refuses(409, "too_many_participants");
    let three = json!({ "endUserIds": [ada.id, ben.id, cleo.id] });
    club.admin.post(&path, three).await.refuses(409, "too_many_participants");
    assert_eq!(club.admin.get(&meeting.path("")).await.gives(200)["hasParticipantList"], false);
    club.admin.post(&path, json!({ "endUserIds": [ada.id, ben.id] })).await.gives(200);
    club.admin.post(&path, json!({ "endUserIds": [ben.id] })).await.gives(200);
    club.admin.post(&path, json!({ "endUserIds": [cleo.id] })).await.refuses(409, "too_many_participants");
    assert_eq!(invited(&meeting).await, ["ada", "ben"]);
}

#[tokio::test]
async fn only_voters_of_the_organization_can_be_invited() {
    let app = TestApp::start().await;
    let (club, other) = (app.client("Rowing Club").await, app.client("Sailing Club").await);
    let (ada, stranger) = (club.voter("ada").await, other.voter("ada").await);
    let meeting = club.meeting().await;
    for ids in [json!([stranger.id]), json!([ada.id, stranger.id]), json!([NO_ID]), json!(["no-id"]), json!([""])] {
        let answer = club.admin.post(&meeting.path("/participants"), json!({ "endUserIds": ids })).await;
        assert_eq!(answer.wrong_fields(), ["endUserIds"], "{ids}");
    }
    for body in [json!({}), json!({ "addAllActive": false }), json!({ "endUserIds": null })] {
        let answer = club.admin.post(&meeting.path("/participants"), body.clone()).await;
        assert_eq!(answer.wrong_fields(), ["endUserIds"], "{body}");
    }
    assert_eq!(club.admin.get(&meeting.path("")).await.gives(200)["hasParticipantList"], Value::Bool(false));
}

#[tokio::test]
async fn a_limit_below_the_number_of_participants_keeps_them_and_admits_no_more() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let (ada, ben, cleo) = (club.voter("ada").await, club.voter("ben").await, club.voter("cleo").await);
    let meeting = club.meeting().await;
    let path = meeting.path("/participants");
    club.admin.post(&path, json!({ "endUserIds": [ada.id, ben.id] })).await.gives(200);
    let lowered = club.admin.put(&meeting.path(""), json!({ "maxParticipants": 1 })).await.gives(200);
    assert_eq!((&lowered["maxParticipants"], &lowered["participantCount"]), (&json!(1), &json!(2)));
    assert_eq!(invited(&meeting).await, ["ada", "ben"]);
    club.admin.post(&path, json!({ "endUserIds": [cleo.id] })).await.refuses(409, "too_many_participants");
    let one = |voter: &str| Some(json!({ "endUserIds": [voter] }));
    club.admin.call("DELETE", &path, one(&ada.id)).await.gives(200);
    // The limit is reached.
    club.admin.post(&path, json!({ "endUserIds": [cleo.id] })).await.refuses(409, "too_many_participants");
    club.admin.call("DELETE", &path, one(&ben.id)).await.gives(200);
    club.admin.post(&path, json!({ "endUserIds": [cleo.id] })).await.gives(200);
    assert_eq!(invited(&meeting).await, ["cleo"]);
}

#[tokio::test]
async fn deactivated_and_deleted_voters_do_not_belong_to_everybody() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let (ada, ben, _cleo) = (club.voter("ada").await, club.voter("ben").await, club.voter("cleo").await);
    let meeting = club.meeting().await;
    club.admin.put(&format!("/client/end-users/{}", ada.id), json!({ "isActive": false })).await.gives(200);
    club.admin.delete(&format!("/client/end-users/{}", ben.id)).await.gives(200);
    assert_eq!(invited(&meeting).await, ["cleo"]);
    let gone = club.admin.post(&meeting.path("/participants"), json!({ "endUserIds": [ben.id] })).await;
    assert_eq!(gone.wrong_fields(), ["endUserIds"]);
    let question = meeting.ask_yes_no().await;
    assert_eq!(meeting.open(&question).await["registerSize"], 1);
}

async fn remove(meeting: &TestMeeting, ids: &[&str]) -> Value {
    meeting.admin.call("DELETE", &meeting.path("/participants"), Some(json!({ "endUserIds": ids }))).await.gives(200)
}

#[tokio::test]
async fn a_meeting_without_a_list_keeps_its_limit_at_its_start_and_at_each_opening() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let (ada, _ben) = (club.voter("ada").await, club.voter("ben").await);
    let fields = json!({ "maxParticipants": 1, "status": "SCHEDULED" });
    let meeting = club.meeting_with(fields).await;
    let refused = club.admin.post(&meeting.path("/start"), Value::Null).await.refuses(409, "too_many_participants");
    let message = "2 people would take part, and the meeting has room for 1: invite fewer, or raise the limit";
    assert!(refused["error"].as_str().unwrap().to_lowercase().contains(message), "{refused}");
    let active = json!({ "status": "ACTIVE" });
    club.admin.put(&meeting.path(""), active).await.refuses(409, "too_many_participants");
    assert_eq!(club.admin.get(&meeting.path("")).await.gives(200)["status"], "SCHEDULED");
    club.admin
        .post(&meeting.path("/participants"), json!({ "addAllActive": true }))
        .await
        .refuses(409, "too_many_participants");
    let one = club.admin.put(&meeting.path(""), json!({ "maxParticipants": 2 })).await.gives(200);
    assert_eq!(one["participantCount"], 2);
    club.admin.post(&meeting.path("/start"), Value::Null).await.gives(200);
    let question = meeting.ask_yes_no().await;
    club.voter("cleo").await;
    meeting.put_question(json!({ "questionId": question })).await.refuses(409, "too_many_participants");
    assert!(meeting.rounds().await.is_empty());
    assert_eq!(remove(&meeting, &[&ada.id]).await, json!({ "success": true, "removed": 1, "participantCount": 2 }));
    assert_eq!(meeting.open(&question).await["registerSize"], 2);
    // An open round stays open.
    club.admin.put(&meeting.path(""), json!({ "maxParticipants": 1 })).await.gives(200);
    meeting.open(&question).await;
}

#[tokio::test]
async fn removing_a_voter_from_a_meeting_for_everybody_lists_all_others() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let (ada, _ben, _cleo) = (club.voter("ada").await, club.voter("ben").await, club.voter("cleo").await);
    let meeting = club.meeting().await;
    assert_eq!(remove(&meeting, &[NO_ID]).await, json!({ "success": true, "removed": 0, "participantCount": 3 }));
    assert_eq!(remove(&meeting, &[&ada.id]).await, json!({ "success": true, "removed": 1, "participantCount": 2 }));
    assert_eq!(invited(&meeting).await, ["ben", "cleo"]);
    let shown = club.admin.get(&meeting.path("")).await.gives(200);
    assert_eq!((&shown["hasParticipantList"], &shown["participantCount"]), (&json!(true), &json!(2)));
    ada.caller.get(&format!("/voting/meetings/{}", meeting.id)).await.refuses(403, "not_invited");
    let nobody = club.admin.post(&meeting.path("/participants"), json!({ "endUserIds": [] })).await.gives(200);
    assert_eq!(nobody["participantCount"], 2);
}
