//! Exclusions from questions, and admissions of latecomers to open rounds.

use serde_json::{Value, json};

use crate::http::support::{Answer, EventStream, NO_ID, Organization, TestApp, TestMeeting, TestVoter};

fn exclusions(meeting: &TestMeeting, question: &str) -> String {
    meeting.path(&format!("/questions/{question}/exclusions"))
}

async fn exclude(meeting: &TestMeeting, question: &str, voter: &TestVoter) -> Answer {
    let body = json!({ "endUserId": voter.id, "reason": " Conflict of interest " });
    meeting.admin.post(&exclusions(meeting, question), body).await
}

async fn lift(meeting: &TestMeeting, question: &str, voter: &TestVoter) -> Answer {
    meeting.admin.delete(&format!("{}/{}", exclusions(meeting, question), voter.id)).await
}

async fn admit(meeting: &TestMeeting, round: &Value, voter: &TestVoter) -> Answer {
    let body = json!({ "endUserId": voter.id, "reason": "Came late" });
    meeting.admin.post(&meeting.path(&format!("/rounds/{}/admissions", round.as_str().unwrap())), body).await
}

/// The names in the register of a round.
async fn registered(meeting: &TestMeeting, round: &Value) -> Vec<String> {
    let path = meeting.path(&format!("/rounds/{}/register", round.as_str().unwrap()));
    let register = meeting.admin.get(&path).await.gives(200);
    let round = meeting.rounds().await.into_iter().find(|listed| listed["id"] == *round).unwrap();
    assert_eq!(round["registerSize"], register["meta"]["total"]);
    register["data"].as_array().unwrap().iter().map(|entry| entry["name"].as_str().unwrap().to_owned()).collect()
}

async fn club_of_three(app: &TestApp) -> (Organization, [TestVoter; 3], TestMeeting) {
    let club = app.client("Rowing Club").await;
    let voters = [club.voter("ada").await, club.voter("ben").await, club.voter("cleo").await];
    let meeting = club.meeting().await;
    (club, voters, meeting)
}

#[tokio::test]
async fn an_excluded_voter_is_listed_and_cannot_vote() {
    let app = TestApp::start().await;
    let (_, [ada, ben, cleo], meeting) = club_of_three(&app).await;
    let question = meeting.ask_yes_no().await;
    let other = meeting.ask_yes_no().await;
    assert_eq!(meeting.admin.get(&exclusions(&meeting, &question)).await.gives(200), json!([]));
    let second = exclude(&meeting, &question, &cleo).await.gives(201);
    let first = exclude(&meeting, &question, &ada).await.gives(201);
    assert_eq!(
        first,
        json!({
            "endUserId": ada.id, "name": "ada", "username": "ada", "reason": "Conflict of interest",
            "at": first["at"], "by": "Anna Berg",
        })
    );
    assert!(first["at"].is_string());
    exclude(&meeting, &question, &ada).await.refuses(409, "already_excluded");
    assert_eq!(meeting.admin.get(&exclusions(&meeting, &question)).await.gives(200), json!([first, second]));
    let round = meeting.open(&question).await["roundId"].clone();
    assert_eq!(registered(&meeting, &round).await, ["ben"]);
    ada.vote(&meeting, &question, &["Yes"]).await.refuses(403, "not_in_register");
    ben.vote(&meeting, &question, &["Yes"]).await.gives(201);
    let elsewhere = meeting.open(&other).await["roundId"].clone();
    assert_eq!(registered(&meeting, &elsewhere).await, ["ada", "ben", "cleo"]);
    let copy = meeting.admin.post(&format!("/client/questions/{question}/duplicate"), Value::Null).await.gives(201);
    let of_copy = exclusions(&meeting, copy["id"].as_str().unwrap());
    assert_eq!(meeting.admin.get(&of_copy).await.gives(200), json!([]), "they are not copied");
}

#[tokio::test]
async fn a_voter_without_a_vote_can_be_excluded_from_an_open_question() {
    let app = TestApp::start().await;
    let (_, [ada, ben, cleo], meeting) = club_of_three(&app).await;
    let question = meeting.ask_yes_no().await;
    let round = meeting.open(&question).await["roundId"].clone();
    ada.vote(&meeting, &question, &["Yes"]).await.gives(201);
    let mut screen = EventStream::watch(&meeting.admin, &meeting.id).await;
    exclude(&meeting, &question, &ada).await.refuses(409, "already_voted");
    exclude(&meeting, &question, &ben).await.gives(201);
    screen
        .until_event(|event| {
            event.data["registerSize"] == 2 && (event.kind == "vote_count" || event.kind == "meeting_update")
        })
        .await;
    ben.vote(&meeting, &question, &["Yes"]).await.refuses(403, "not_in_register");
    cleo.vote(&meeting, &question, &["No"]).await.gives(201);
    assert_eq!(registered(&meeting, &round).await, ["ada", "cleo"]);
    lift(&meeting, &question, &ben).await.refuses(409, "round_open");
    meeting.clear().await;
    assert_eq!(lift(&meeting, &question, &ben).await.status, 204);
    lift(&meeting, &question, &ben).await.refuses(404, "exclusion_not_found");
    assert_eq!(registered(&meeting, &round).await, ["ada", "cleo"], "it has ended");
    assert_eq!(meeting.open(&question).await["roundId"], round);
    assert_eq!(registered(&meeting, &round).await, ["ada", "ben", "cleo"]);
}

#[tokio::test]
async fn an_admitted_latecomer_votes() {
    let app = TestApp::start().await;
    let (club, [ada, ben, _], meeting) = club_of_three(&app).await;
    club.admin.post(&meeting.path("/participants"), json!({ "endUserIds": [ada.id] })).await.gives(200);
    let question = meeting.ask_yes_no().await;
    let round = meeting.open(&question).await["roundId"].clone();
    assert_eq!(registered(&meeting, &round).await, ["ada"]);
    assert_eq!(ben.caller.get(&format!("/voting/meetings/{}", meeting.id)).await.status, 403);
    let mut screen = EventStream::watch_presentation(&app.anyone(), &meeting.id).await;
    let entry = admit(&meeting, &round, &ben).await.gives(201);
    assert_eq!(
        entry,
        json!({
            "at": entry["at"], "kind": "ADMITTED", "by": "Anna Berg", "reason": "Came late",
            "person": { "name": "ben", "username": "ben", "weight": 1 },
        })
    );
    screen.until_event(|event| event.data["registerSize"] == 2).await;
    let listed = club.admin.get(&meeting.path("/participants")).await.gives(200);
    assert_eq!(listed.as_array().unwrap().len(), 2);
    ben.sees(&meeting).await;
    ben.vote(&meeting, &question, &["Yes"]).await.gives(201);
    admit(&meeting, &round, &ben).await.refuses(409, "already_in_register");
    meeting.clear().await;
    admit(&meeting, &round, &ben).await.refuses(409, "round_over");
}

#[tokio::test]
async fn ineligible_people_are_not_admitted() {
    let app = TestApp::start().await;
    let (club, [ada, ben, cleo], _) = club_of_three(&app).await;
    let meeting = club.meeting_with(json!({ "maxParticipants": 2 })).await;
    club.admin.post(&meeting.path("/participants"), json!({ "endUserIds": [ada.id] })).await.gives(200);
    club.admin.post(&meeting.path("/start"), json!({})).await.gives(200);
    let question = meeting.ask_yes_no().await;
    let round = meeting.open(&question).await["roundId"].clone();
    club.admin.put(&format!("/client/end-users/{}", cleo.id), json!({ "isActive": false })).await.gives(200);
    admit(&meeting, &round, &cleo).await.refuses(409, "end_user_inactive");
    club.admin.put(&format!("/client/end-users/{}", cleo.id), json!({ "isActive": true })).await.gives(200);
    admit(&meeting, &round, &cleo).await.gives(201);
    admit(&meeting, &round, &ben).await.refuses(409, "too_many_participants");
    assert_eq!(registered(&meeting, &round).await, ["ada", "cleo"]);
}

#[tokio::test]
async fn admitting_an_excluded_voter_ends_the_exclusion() {
    let app = TestApp::start().await;
    let (_, [ada, ben, _], meeting) = club_of_three(&app).await;
    let question = meeting.ask_yes_no().await;
    exclude(&meeting, &question, &ada).await.gives(201);
    let round = meeting.open(&question).await["roundId"].clone();
    // The remembered round must not exclude her.
    ben.vote(&meeting, &question, &["Yes"]).await.gives(201);
    ada.vote(&meeting, &question, &["Yes"]).await.refuses(403, "not_in_register");
    admit(&meeting, &round, &ada).await.gives(201);
    assert_eq!(meeting.admin.get(&exclusions(&meeting, &question)).await.gives(200), json!([]));
    ada.vote(&meeting, &question, &["Yes"]).await.gives(201);
    lift(&meeting, &question, &ada).await.refuses(404, "exclusion_not_found");
}

#[tokio::test]
async fn an_invalid_exclusion_or_admission_is_refused_with_a_reason() {
    let app = TestApp::start().await;
    let (_, [ada, ..], meeting) = club_of_three(&app).await;
    let question = meeting.ask_yes_no().await;
    let round = meeting.open(&question).await["roundId"].clone();
    let admissions = meeting.path(&format!("/rounds/{}/admissions", round.as_str().unwrap()));
    for path in [exclusions(&meeting, &question), admissions.clone()] {
        let longest = "x".repeat(500);
        for reason in ["", "   ", "two\nlines", &format!("{longest}x")] {
            let body = json!({ "endUserId": ada.id, "reason": reason });
            assert_eq!(meeting.admin.post(&path, body).await.wrong_fields(), ["reason"], "{reason}");
        }
        let without = json!({ "endUserId": ada.id });
        assert_eq!(meeting.admin.post(&path, without).await.wrong_fields(), ["reason"]);
        assert_eq!(meeting.admin.post(&path, json!({ "reason": "x" })).await.wrong_fields(), ["endUserId"]);
        for unknown in [NO_ID, "7"] {
            let body = json!({ "endUserId": unknown, "reason": longest });
            meeting.admin.post(&path, body).await.refuses(404, "end_user_not_found");
        }
    }
    exclude(&meeting, NO_ID, &ada).await.refuses(404, "question_not_found");
    meeting.admin.get(&exclusions(&meeting, NO_ID)).await.refuses(404, "question_not_found");
    admit(&meeting, &json!(NO_ID), &ada).await.refuses(404, "round_not_found");
    meeting.admin.delete(&format!("{}/7", exclusions(&meeting, &question))).await.refuses(404, "end_user_not_found");
}

#[tokio::test]
async fn deleting_an_end_user_deletes_the_exclusion() {
    let app = TestApp::start().await;
    let (club, [ada, ..], meeting) = club_of_three(&app).await;
    let question = meeting.ask_yes_no().await;
    exclude(&meeting, &question, &ada).await.gives(201);
    meeting.open(&question).await;
    club.admin.delete(&format!("/client/end-users/{}", ada.id)).await.gives(200);
    assert_eq!(meeting.admin.get(&exclusions(&meeting, &question)).await.gives(200), json!([]));
    meeting.open(&question).await;
}

#[tokio::test]
async fn a_person_in_the_register_of_an_open_round_cannot_be_deleted() {
    let app = TestApp::start().await;
    let (club, [ada, ben, cleo], meeting) = club_of_three(&app).await;
    let other = app.client("Chess Club").await;
    let question = meeting.ask_yes_no().await;
    exclude(&meeting, &question, &cleo).await.gives(201);
    let round = meeting.open(&question).await["roundId"].clone();
    ada.vote(&meeting, &question, &["Yes"]).await.gives(201);
    for voter in [&ada, &ben] {
        let path = format!("/client/end-users/{}", voter.id);
        club.admin.delete(&path).await.refuses(409, "end_user_in_open_round");
        other.admin.delete(&path).await.refuses(404, "end_user_not_found");
        assert_eq!(club.admin.get(&path).await.gives(200)["data"]["id"], voter.id.as_str());
    }
    ben.vote(&meeting, &question, &["No"]).await.gives(201);
    assert_eq!(registered(&meeting, &round).await, ["ada", "ben"]);
    club.admin.delete(&format!("/client/end-users/{}", cleo.id)).await.gives(200);
    meeting.clear().await;
    club.admin.delete(&format!("/client/end-users/{}", ben.id)).await.gives(200);
}

#[tokio::test]
async fn nobody_is_admitted_under_a_username_of_the_register() {
    let app = TestApp::start().await;
    let (club, [ada, ..], meeting) = club_of_three(&app).await;
    let question = meeting.ask_yes_no().await;
    let round = meeting.open(&question).await["roundId"].clone();
    club.admin.put(&format!("/client/end-users/{}", ada.id), json!({ "username": "ada-1" })).await.gives(200);
    let second = club.voter("ADA").await;
    admit(&meeting, &round, &second).await.refuses(409, "username_in_register");
    assert_eq!(registered(&meeting, &round).await.len(), 3);
    second.vote(&meeting, &question, &["Yes"]).await.refuses(403, "not_in_register");
    club.admin.put(&format!("/client/end-users/{}", second.id), json!({ "username": "ada-2" })).await.gives(200);
    admit(&meeting, &round, &second).await.gives(201);
}
