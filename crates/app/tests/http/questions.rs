use serde_json::{Value, json};

use crate::support::{NO_ID, TestApp, TestMeeting};

async fn ask(meeting: &TestMeeting, fields: Value) -> crate::support::Answer {
    let mut body = json!({ "meetingId": meeting.id, "questionText": "Agreed?", "questionType": "YES_NO" });
    for (name, value) in fields.as_object().unwrap() {
        body[name] = value.clone();
    }
    meeting.admin.post("/client/questions", body).await
}

#[tokio::test]
async fn options_are_given_as_a_json_string_or_as_an_array() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let meeting = club.meeting().await;
    for options in [json!("[\"Yes\",\"No\",\"Abstain\"]"), json!(["Yes", " No ", "Abstain"])] {
        let question = ask(&meeting, json!({ "options": options })).await.gives(201);
        assert_eq!(question["options"], "[\"Yes\",\"No\",\"Abstain\"]");
        let roles: Vec<&str> =
            question["optionsList"].as_array().unwrap().iter().map(|option| option["role"].as_str().unwrap()).collect();
        assert_eq!(roles, ["yes", "no", "abstain"]);
        let found = club.admin.get(&format!("/client/questions/{}", question["id"].as_str().unwrap())).await.gives(200);
        assert_eq!(found, question);
    }
}

#[tokio::test]
async fn every_type_takes_its_own_fields_and_the_agenda_keeps_the_order() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let meeting = club.meeting().await;
    let ids = meeting.with_questions().await;
    let agenda = club.admin.get(&format!("/client/questions/meeting/{}", meeting.id)).await.gives(200);
    let agenda = agenda.as_array().unwrap();
    assert_eq!(agenda.iter().map(|question| &question["id"]).collect::<Vec<_>>(), ids.iter().collect::<Vec<_>>());
    let places: Vec<_> = agenda.iter().map(|question| question["orderIndex"].as_u64().unwrap()).collect();
    assert_eq!(places, [1, 2, 3, 4, 5]);
    assert_eq!((&agenda[1]["maxChoices"], &agenda[1]["options"]), (&json!(2), &json!("[\"A\",\"B\",\"C\"]")));
    assert_eq!((&agenda[2]["ratingMax"], &agenda[2]["options"]), (&json!(5), &Value::Null));
    assert_eq!((&agenda[3]["ratingMax"], &agenda[4]["optionsList"]), (&Value::Null, &json!([])));

    let plain = ask(&meeting, json!({ "options": null })).await.gives(201);
    assert_eq!(plain["options"], "[\"Yes\",\"No\"]");
    let ten = ask(&meeting, json!({ "questionType": "RATING", "ratingMax": 10, "isRequired": false })).await.gives(201);
    assert_eq!((&ten["ratingMax"], &ten["isRequired"]), (&json!(10), &json!(false)));
    let text = ask(&meeting, json!({ "questionType": "OPEN_TEXT", "options": "" })).await.gives(201);
    assert_eq!(text["options"], Value::Null);
    assert_eq!(club.admin.get(&meeting.path("")).await.gives(200)["questionCount"], 8);
}

#[tokio::test]
async fn what_is_wrong_with_a_question_is_named() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let meeting = club.meeting().await;
    let too_many: Vec<String> = (0..101).map(|number| number.to_string()).collect();
    for (fields, field) in [
        (json!({ "questionText": " " }), "questionText"),
        (json!({ "questionText": "a\0b" }), "questionText"),
        (json!({ "questionType": "MAYBE" }), "questionType"),
        (json!({ "questionType": null }), "questionType"),
        (json!({ "options": ["Yes"] }), "options"),
        (json!({ "options": [] }), "options"),
        (json!({ "options": ["Yes", "yes "] }), "options"),
        (json!({ "options": ["Yes", ""] }), "options"),
        (json!({ "options": ["Yes", "a\0b"] }), "options"),
        (json!({ "options": ["Yes", 1] }), "options"),
        (json!({ "options": "no json" }), "options"),
        (json!({ "options": "{}" }), "options"),
        (json!({ "options": "[1,2]" }), "options"),
        (json!({ "options": "[\"Yes\",\"\\u0000\"]" }), "options"),
        (json!({ "options": too_many }), "options"),
        (json!({ "options": 5 }), "options"),
        (json!({ "questionType": "MULTIPLE_CHOICE" }), "options"),
        (json!({ "questionType": "MULTIPLE_CHOICE", "options": ["A", "B"], "maxChoices": 3 }), "maxChoices"),
        (json!({ "questionType": "MULTIPLE_CHOICE", "options": ["A", "B"], "maxChoices": 0 }), "maxChoices"),
        (json!({ "questionType": "MULTIPLE_CHOICE", "options": ["A", "B"], "maxChoices": -1 }), "maxChoices"),
        (json!({ "questionType": "RATING", "ratingMax": 7 }), "ratingMax"),
        (json!({ "questionType": "RATING", "ratingMax": "5" }), "ratingMax"),
    ] {
        let answer = ask(&meeting, fields.clone()).await;
        assert_eq!(answer.wrong_fields(), [field], "{fields}: {}", answer.text);
    }
    let few = ask(&meeting, json!({ "options": ["Yes"] })).await.gives(422);
    assert_eq!(few["error"], "Please provide at least 2 options");
    let format = ask(&meeting, json!({ "options": "no json" })).await.gives(422);
    assert_eq!(format["error"], "Invalid options format");
    assert_eq!(club.admin.get(&meeting.path("")).await.gives(200)["questionCount"], 0);
}

#[tokio::test]
async fn questions_put_at_the_same_time_each_get_a_place_of_their_own() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let meeting = club.meeting().await;
    let body = json!({ "meetingId": meeting.id, "questionText": "?", "questionType": "OPEN_TEXT" });
    let asking: Vec<_> = (0..8)
        .map(|_| {
            let (admin, body) = (club.admin.on_a_new_connection(), body.clone());
            tokio::spawn(async move { admin.post("/client/questions", body).await.gives(201)["orderIndex"].as_u64() })
        })
        .collect();
    let mut places = Vec::new();
    for one in asking {
        places.push(one.await.unwrap().unwrap());
    }
    places.sort_unstable();
    assert_eq!(places, [1, 2, 3, 4, 5, 6, 7, 8]);
}

#[tokio::test]
async fn a_question_or_meeting_that_does_not_exist_is_404() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let meeting = club.meeting().await;
    for id in [NO_ID, "no-id"] {
        club.admin.get(&format!("/client/questions/{id}")).await.refuses(404, "question_not_found");
        club.admin.get(&format!("/client/questions/meeting/{id}")).await.refuses(404, "meeting_not_found");
        ask(&meeting, json!({ "meetingId": id })).await.refuses(404, "meeting_not_found");
    }
}
