//! Copies of meetings, and questions that are added together.

use serde_json::{Value, json};

use crate::http::support::{NO_ID, TestApp};

fn plan() -> Value {
    json!({
        "title": "Next year's assembly", "scheduledStartTime": "2031-05-01T18:00:00Z",
        "scheduledEndTime": "2031-05-01T20:00:00Z",
    })
}

fn majority() -> Value {
    json!({
        "kind": "majority", "onTie": "rejected",
        "conditions": [{
            "units": "heads", "base": "yes_plus_no", "comparison": "more_than", "numerator": 1, "denominator": 2,
        }],
    })
}

fn quorum() -> Value {
    json!({ "comparison": "at_least", "numerator": 1, "denominator": 3, "unit": "heads", "attendance": "voted" })
}

/// A question without the fields that differ in a copy.
fn content(question: &Value) -> Value {
    let mut content = question.clone();
    for field in ["id", "meetingId", "createdAt"] {
        content.as_object_mut().unwrap().remove(field);
    }
    for option in content["optionsList"].as_array_mut().unwrap() {
        option.as_object_mut().unwrap().remove("id");
    }
    content
}

#[tokio::test]
async fn a_copy_has_everything_but_the_past() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let (ben, _other) = (club.voter("ben").await, club.voter("clara").await);
    let meeting =
        club.meeting_with(json!({ "status": "ACTIVE", "description": "Once a year.", "maxParticipants": 9 })).await;
    let body = json!({
        "questionText": "Agreed?", "questionType": "YES_NO", "options": ["Aye", "Nay", "Neither"],
        "optionRoles": ["yes", "no", "choice"], "decisionRule": majority(), "quorum": quorum(), "isNamed": true,
    });
    let agenda_path = format!("/client/questions/meeting/{}", meeting.id);
    club.admin.post(&agenda_path, json!({ "questions": [body] })).await.gives(201);
    club.admin.post(&meeting.path("/participants"), json!({ "endUserIds": [ben.id] })).await.gives(200);
    let agenda = club.admin.get(&agenda_path).await.gives(200);
    let question = agenda[0]["id"].as_str().unwrap().to_owned();
    meeting.open(&question).await;
    ben.vote(&meeting, &question, &["Aye"]).await.gives(201);
    let again = club.admin.put(&meeting.path(""), json!({ "isSecondCall": true })).await.gives(200);
    assert_eq!(again["isSecondCall"], true);

    let copy = club.admin.post(&meeting.path("/copy"), plan()).await.gives(201);
    assert_eq!((&copy["title"], &copy["status"]), (&json!("Next year's assembly"), &json!("DRAFT")));
    assert_eq!((&copy["description"], &copy["maxParticipants"]), (&json!("Once a year."), &json!(9)));
    assert_eq!((&copy["hasParticipantList"], &copy["participantCount"]), (&json!(true), &json!(1)));
    assert_eq!((&copy["startedAt"], &copy["questionCount"]), (&Value::Null, &json!(1)));
    assert_eq!(copy["isSecondCall"], false);
    let copied = copy["id"].as_str().unwrap();
    let copied_agenda = club.admin.get(&format!("/client/questions/meeting/{copied}")).await.gives(200);
    assert_eq!(content(&copied_agenda[0]), content(&agenda[0]));
    assert_ne!(copied_agenda[0]["id"], agenda[0]["id"]);
    let rounds = club.admin.get(&format!("/client/meetings/{copied}/rounds")).await.gives(200);
    assert_eq!(rounds, json!([]));
    let log = club.admin.get("/client/audit").await.gives(200);
    assert!(log["data"].to_string().contains(copied), "the log tells of the copy");
}

#[tokio::test]
async fn an_erased_person_leaves_room_in_a_copy() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let (ben, clara) = (club.voter("ben").await, club.voter("clara").await);
    let meeting = club.meeting_with(json!({ "status": "DRAFT", "maxParticipants": 1 })).await;
    club.admin.post(&meeting.path("/participants"), json!({ "endUserIds": [ben.id] })).await.gives(200);
    let erase = format!("/client/end-users/{}/erase", ben.id);
    club.admin.post(&erase, json!({ "username": "ben" })).await.gives(200);
    let copy = club.admin.post(&meeting.path("/copy"), plan()).await.gives(201);
    // The list is empty, and the copy is not for everybody.
    assert_eq!((&copy["hasParticipantList"], &copy["participantCount"]), (&json!(true), &json!(0)));
    let participants = format!("/client/meetings/{}/participants", copy["id"].as_str().unwrap());
    let added = club.admin.post(&participants, json!({ "endUserIds": [clara.id] })).await.gives(200);
    assert_eq!(added["participantCount"], 1);
}

#[tokio::test]
async fn an_invalid_copy_and_a_meeting_that_does_not_exist_are_refused() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let stranger = app.client("Chess Club").await;
    let meeting = club.meeting().await;
    for (field, value) in [
        ("title", json!(" ")),
        ("title", Value::Null),
        ("scheduledStartTime", json!("tomorrow")),
        ("scheduledEndTime", json!("2031-05-01T17:00:00Z")),
    ] {
        let mut body = plan();
        body[field] = value.clone();
        let answer = club.admin.post(&meeting.path("/copy"), body).await;
        assert_eq!(answer.wrong_fields(), [field], "{field} = {value}: {}", answer.text);
    }
    stranger.admin.post(&meeting.path("/copy"), plan()).await.refuses(404, "meeting_not_found");
    let unknown = format!("/client/meetings/{NO_ID}/copy");
    club.admin.post(&unknown, plan()).await.refuses(404, "meeting_not_found");
    assert_eq!(club.admin.get("/client/meetings/stats").await.gives(200)["total"], 1);
}

#[tokio::test]
async fn a_meeting_is_created_with_its_questions_or_not_at_all() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let question = |question_type: &str| json!({ "questionText": "Agreed?", "questionType": question_type });
    let mut body = plan();
    body["status"] = json!("ACTIVE");
    body["questions"] = json!([question("YES_NO"), question("RATING")]);
    let made = club.admin.post("/client/meetings", body.clone()).await.gives(201);
    assert_eq!((&made["status"], &made["questionCount"]), (&json!("ACTIVE"), &json!(2)));
    for (wrong, field) in [
        (json!({ "questionText": " ", "questionType": "YES_NO" }), "questions.1.questionText"),
        (json!({ "questionText": "Who?", "questionType": "MULTIPLE_CHOICE" }), "questions.1.options"),
        (json!({ "questionText": "Who?", "questionType": "MAYBE" }), "questions.1.questionType"),
        // Also where the type ignores the number.
        (json!({ "questionText": "Who?", "questionType": "YES_NO", "maxChoices": 0 }), "questions.1.maxChoices"),
        (json!({ "questionText": "Who?", "questionType": "YES_NO", "ratingMax": 7 }), "questions.1.ratingMax"),
        (
            json!({ "questionText": "How?", "questionType": "OPEN_TEXT", "decisionRule": majority() }),
            "questions.1.decisionRule",
        ),
    ] {
        body["questions"] = json!([question("YES_NO"), wrong]);
        let answer = club.admin.post("/client/meetings", body.clone()).await;
        assert_eq!(answer.wrong_fields(), [field], "{}", answer.text);
    }
    assert_eq!(club.admin.get("/client/meetings/stats").await.gives(200)["total"], 1);
}

#[tokio::test]
async fn questions_are_added_together_or_not_at_all() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let stranger = app.client("Chess Club").await;
    let meeting = club.meeting().await;
    let path = format!("/client/questions/meeting/{}", meeting.id);
    let question = |text: &str| json!({ "questionText": text, "questionType": "OPEN_TEXT" });
    let added =
        club.admin.post(&path, json!({ "questions": [question("First?"), question("Second?")] })).await.gives(201);
    assert_eq!((&added[0]["questionText"], &added[1]["orderIndex"]), (&json!("First?"), &json!(2)));
    let many: Vec<Value> = (0..101).map(|_| question("Many?")).collect();
    for (questions, field) in [
        (json!([]), "questions"),
        (json!(many), "questions"),
        (json!([question("Good?"), question("")]), "questions.1.questionText"),
    ] {
        let answer = club.admin.post(&path, json!({ "questions": questions })).await;
        assert_eq!(answer.wrong_fields(), [field], "{}", answer.text);
    }
    let body = json!({ "questions": [question("Mine?")] });
    stranger.admin.post(&path, body).await.refuses(404, "meeting_not_found");
    assert_eq!(club.admin.get(&meeting.path("")).await.gives(200)["questionCount"], 2);
}
