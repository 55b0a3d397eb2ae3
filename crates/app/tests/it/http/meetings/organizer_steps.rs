//! Several organizers in one meeting: a step on an outdated state is refused.

use serde_json::{Value, json};

use crate::http::support::{EventStream, TestApp, TestMeeting};

/// The number of steps of the meeting.
async fn step(meeting: &TestMeeting) -> u64 {
    meeting.admin.get(&meeting.path("")).await.gives(200)["step"].as_u64().unwrap()
}

fn current(step: u64) -> String {
    format!("/current-question?step={step}")
}

/// The text of a refusal, which contains the current question.
fn text_of(error: &Value) -> String {
    assert!(error["step"].is_u64() && error.as_object().unwrap().contains_key("currentQuestion"), "{error}");
    error["error"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_step_on_an_older_state_is_refused_with_the_current_one() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    club.voter("ben").await;
    let meeting = club.meeting().await;
    let [first, second, ..] = meeting.with_questions().await;
    let (admin, before) = (&club.admin, step(&meeting).await);
    let open_second = json!({ "questionId": second });

    let opened = admin.put(&meeting.path(&current(before)), json!({ "questionId": first })).await.gives(200);
    assert_eq!((&opened["step"], step(&meeting).await), (&json!(before + 1), before + 1));
    let refused = admin.put(&meeting.path(&current(before)), open_second.clone()).await.refuses(409, "stale_step");
    assert_eq!(
        text_of(&refused),
        "Another organizer made a change first: voting on “Agreed?” is open now. Your change was not made."
    );
    assert_eq!(refused["step"], before + 1);
    assert_eq!(refused["currentQuestion"], opened["currentQuestion"]);

    for path in ["/end", "/countdown"] {
        let path = meeting.path(&format!("{path}?step={before}"));
        let answer = match path.contains("countdown") {
            true => admin.put(&path, json!({ "seconds": 60 })).await,
            false => admin.post(&path, Value::Null).await,
        };
        answer.refuses(409, "stale_step");
    }
    let completed = json!({ "status": "COMPLETED" });
    admin.put(&meeting.path(&format!("?step={before}")), completed.clone()).await.refuses(409, "stale_step");
    assert_eq!(meeting.rounds().await[0]["status"], "OPEN");

    meeting.show(&first).await;
    let refused = admin.put(&meeting.path(&current(before)), open_second.clone()).await.refuses(409, "stale_step");
    assert!(text_of(&refused).contains("“Agreed?” is shown now"), "{refused}");
    meeting.clear().await;
    let refused = admin.put(&meeting.path(&current(before)), open_second.clone()).await.refuses(409, "stale_step");
    assert!(text_of(&refused).contains("nothing is on the presentation now"), "{refused}");
    assert_eq!(refused["currentQuestion"], Value::Null);
    admin.put(&meeting.path(&format!("?step={}", step(&meeting).await)), completed).await.gives(200);
    let refused = admin.put(&meeting.path(&current(before)), open_second).await.refuses(409, "stale_step");
    assert!(text_of(&refused).contains("the meeting has ended"), "{refused}");
    admin.post(&meeting.path(&format!("/start?step={before}")), Value::Null).await.refuses(409, "stale_step");
}

#[tokio::test]
async fn a_step_may_be_repeated_after_a_lost_response() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    club.voter("ben").await;
    let meeting = club.meeting_with(json!({ "status": "SCHEDULED" })).await;
    let question = meeting.ask_yes_no().await;
    let admin = &club.admin;
    let (shown, nothing) = (json!({ "questionId": question, "open": false }), json!({ "questionId": null }));
    for (method, rest, body) in [
        ("POST", "/start", Value::Null),
        ("PUT", "/current-question", json!({ "questionId": question })),
        ("PUT", "/current-question", shown),
        ("PUT", "/current-question", nothing),
        ("DELETE", "/countdown", Value::Null),
        ("POST", "/end", Value::Null),
    ] {
        let seen = step(&meeting).await;
        let path = meeting.path(&format!("{rest}?step={seen}"));
        admin.call(method, &path, Some(body.clone())).await.gives(200);
        let after = step(&meeting).await;
        admin.call(method, &path, Some(body.clone())).await.gives(200);
        assert_eq!(step(&meeting).await, after, "{method} {rest} {body}");
    }
}

#[tokio::test]
async fn a_step_without_a_state_is_not_refused() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let meeting = club.meeting().await;
    let question = meeting.ask_yes_no().await;
    meeting.open(&question).await;
    club.admin.put(&meeting.path("/current-question?step="), json!({ "questionId": null })).await.gives(200);
    for wrong in ["-1", "one", "1.5"] {
        let answer = club.admin.post(&meeting.path(&format!("/end?step={wrong}")), Value::Null).await;
        assert_eq!(answer.wrong_fields(), ["step"], "{wrong}");
    }
    club.admin.post(&meeting.path("/end"), Value::Null).await.gives(200);
}

#[tokio::test]
async fn every_event_of_a_step_has_its_number() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let meeting = club.meeting().await;
    let [first, second, ..] = meeting.with_questions().await;
    let mut organizer = EventStream::watch(&club.admin, &meeting.id).await;
    let mut known = organizer.until("connected").await["step"].as_u64().unwrap();
    assert_eq!(known, step(&meeting).await);
    for body in [
        json!({ "questionId": first }),
        json!({ "questionId": second }),
        json!({ "questionId": second, "open": false }),
        json!({ "questionId": first, "open": false }),
        json!({ "questionId": null }),
    ] {
        known += 1;
        assert_eq!(meeting.put_question(body).await.gives(200)["step"], known);
        organizer.until_event(|event| event.data["step"] == known).await;
    }
    club.admin.post(&meeting.path("/end"), Value::Null).await.gives(200);
    let ended = organizer.until("meeting_status").await;
    assert_eq!(ended["step"], known + 1);
    let state = club.admin.get(&format!("/sse/meetings/{}/state", meeting.id)).await.gives(200);
    assert_eq!(state["step"], known + 1);
}
