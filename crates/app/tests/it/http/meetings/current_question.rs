use serde_json::{Value, json};

use crate::http::support::{NO_ID, TestApp};

#[tokio::test]
async fn a_question_is_opened_shown_and_cleared() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    club.voter("ada").await;
    let ben = club.voter("ben").await;
    let meeting = club.meeting().await;
    let [first, second, ..] = meeting.with_questions().await;
    let current = meeting.path("/current-question");
    club.admin.get(&current).await.refuses(404, "no_current_question");

    let opened = meeting.open(&first).await;
    assert_eq!((&opened["id"], &opened["isActive"]), (&json!(first), &json!(true)));
    assert_eq!(opened["options"], json!(["Yes", "No", "Abstain"]));
    assert_eq!((&opened["voteCount"], &opened["registerSize"]), (&json!(0), &json!(2)));
    ben.vote(&meeting, &first, &["Yes"]).await.gives(201);
    assert_eq!(club.admin.get(&current).await.gives(200)["voteCount"], 1);
    let stats = club.admin.get(&meeting.path("/current-question/stats")).await.gives(200);
    assert_eq!(stats, json!({ "hasActiveQuestion": true, "totalVotes": 1, "registerSize": 2 }));
    // Opening an open question changes nothing.
    assert_eq!(meeting.open(&first).await["roundId"], opened["roundId"]);

    // The step to the next question ends the round, and shows the question without opening it.
    let shown = meeting.show(&second).await;
    assert_eq!((&shown["id"], &shown["isActive"], &shown["roundId"]), (&json!(second), &json!(false), &Value::Null));
    let stats = club.admin.get(&meeting.path("/current-question/stats")).await.gives(200);
    assert_eq!(stats, json!({ "hasActiveQuestion": false, "totalVotes": 0, "registerSize": 0 }));
    assert_eq!(meeting.rounds().await[0]["status"], "ENDED");

    meeting.clear().await;
    club.admin.get(&current).await.refuses(404, "no_current_question");
    // A repeat changes nothing.
    meeting.clear().await;
}

#[tokio::test]
async fn opening_another_question_ends_the_round_that_is_running() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let ben = club.voter("ben").await;
    let meeting = club.meeting().await;
    let (first, second) = (meeting.ask_yes_no().await, meeting.ask_yes_no().await);
    meeting.open(&first).await;
    meeting.open(&second).await;
    let rounds = meeting.rounds().await;
    assert_eq!((&rounds[0]["status"], &rounds[1]["status"]), (&json!("ENDED"), &json!("OPEN")));
    ben.vote(&meeting, &first, &["Yes"]).await.refuses(409, "round_not_open");
    ben.vote(&meeting, &second, &["Yes"]).await.gives(201);
}

#[tokio::test]
async fn reopening_keeps_votes_and_register_and_admits_later_voters() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let ben = club.voter("ben").await;
    let meeting = club.meeting().await;
    let question = meeting.ask_yes_no().await;
    let opened = meeting.open(&question).await;
    ben.vote(&meeting, &question, &["No"]).await.gives(201);
    meeting.clear().await;

    let late = club.voter("late").await;
    late.vote(&meeting, &question, &["Yes"]).await.refuses(409, "round_not_open");
    let reopened = meeting.open(&question).await;
    assert_eq!(reopened["roundId"], opened["roundId"]);
    assert_eq!((&reopened["voteCount"], &reopened["registerSize"]), (&json!(1), &json!(2)));
    ben.vote(&meeting, &question, &["Yes"]).await.refuses(409, "already_voted");
    late.vote(&meeting, &question, &["Yes"]).await.gives(201);
    assert_eq!(meeting.rounds().await.len(), 1);
}

#[tokio::test]
async fn a_round_without_votes_is_frozen_anew() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let ben = club.voter("ben").await;
    let meeting = club.meeting().await;
    let question = meeting.ask_yes_no().await;
    let opened = meeting.open(&question).await;
    // The ballot service remembers the round.
    ben.vote(&meeting, &question, &["Perhaps"]).await.refuses(422, "invalid_ballot");
    meeting.clear().await;
    let reopened = meeting.open(&question).await;
    assert_ne!(reopened["roundId"], opened["roundId"]);
    ben.vote(&meeting, &question, &["Yes"]).await.gives(201);
    let rounds = meeting.rounds().await;
    assert_eq!(rounds.len(), 1);
    assert_eq!((&rounds[0]["number"], &rounds[0]["voteCount"]), (&json!(1), &json!(1)));
}

#[tokio::test]
async fn only_in_a_running_meeting_is_a_question_opened_or_shown() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    for status in ["DRAFT", "SCHEDULED", "COMPLETED", "CANCELLED"] {
        let meeting = club.meeting_with(json!({ "status": status })).await;
        let question = meeting.ask_yes_no().await;
        for open in [true, false] {
            let answer = meeting.put_question(json!({ "questionId": question, "open": open })).await;
            answer.refuses(409, "meeting_not_active");
        }
        meeting.clear().await;
    }
}

#[tokio::test]
async fn a_question_of_another_meeting_or_of_none_is_404() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let (meeting, other) = (club.meeting().await, club.meeting().await);
    let question = meeting.ask_yes_no().await;
    let elsewhere = other.ask_yes_no().await;
    meeting.open(&question).await;
    for id in [elsewhere.as_str(), NO_ID, "no-id", ""] {
        for open in [true, false] {
            let answer = meeting.put_question(json!({ "questionId": id, "open": open })).await;
            answer.refuses(404, "question_not_found");
        }
    }
    // The running round continues.
    assert_eq!(club.admin.get(&meeting.path("/current-question")).await.gives(200)["isActive"], true);
    assert_eq!(meeting.put_question(json!({})).await.wrong_fields(), ["questionId"]);
    assert_eq!(meeting.put_question(json!({ "questionId": 5 })).await.wrong_fields(), ["questionId"]);
    let answer = meeting.put_question(json!({ "questionId": question, "open": "yes" })).await;
    assert_eq!(answer.wrong_fields(), ["open"]);
}
