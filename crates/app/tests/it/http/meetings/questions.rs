use serde_json::{Value, json};

use crate::http::support::{Answer, EventStream, NO_ID, TestApp, TestMeeting};

async fn ask(meeting: &TestMeeting, fields: Value) -> Answer {
    let mut body = json!({ "meetingId": meeting.id, "questionText": "Agreed?", "questionType": "YES_NO" });
    for (name, value) in fields.as_object().unwrap() {
        body[name] = value.clone();
    }
    meeting.admin.post("/client/questions", body).await
}

#[tokio::test]
async fn options_are_a_json_string_or_an_array() {
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
async fn every_type_has_its_own_fields_and_the_agenda_keeps_the_order() {
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
async fn an_invalid_question_is_refused_with_its_fields() {
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
        (json!({ "options": ["Caf\u{e9}", "Cafe\u{301}"] }), "options"),
        (json!({ "options": ["Yes", "Yes\u{200b}"] }), "options"),
        (json!({ "options": ["Yes", "\u{200d}"] }), "options"),
        (json!({ "options": ["Yes", "Yes\u{3164}"] }), "options"),
        (json!({ "options": ["A B", "A\u{a0}B"] }), "options"),
        (json!({ "questionText": "Agreed\u{202e}?" }), "questionText"),
        (json!({ "options": ["Yes", 1] }), "options.1"),
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
async fn concurrent_questions_get_different_places() {
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
        club.admin.put(&format!("/client/questions/{id}"), json!({})).await.refuses(404, "question_not_found");
        club.admin.delete(&format!("/client/questions/{id}")).await.refuses(404, "question_not_found");
        let duplicate = format!("/client/questions/{id}/duplicate");
        club.admin.post(&duplicate, Value::Null).await.refuses(404, "question_not_found");
        club.admin.get(&format!("/client/questions/meeting/{id}")).await.refuses(404, "meeting_not_found");
        let (reorder, order) = (format!("/client/questions/meeting/{id}/reorder"), json!({ "questionOrders": [] }));
        club.admin.put(&reorder, order).await.refuses(404, "meeting_not_found");
        ask(&meeting, json!({ "meetingId": id })).await.refuses(404, "meeting_not_found");
    }
}

fn path(question: &str) -> String {
    format!("/client/questions/{question}")
}

async fn agenda(meeting: &TestMeeting) -> Vec<Value> {
    let agenda = meeting.admin.get(&format!("/client/questions/meeting/{}", meeting.id)).await.gives(200);
    agenda.as_array().unwrap().clone()
}

/// The ids on the agenda. Asserts that positions count from 1.
async fn order_of(meeting: &TestMeeting) -> Vec<String> {
    let agenda = agenda(meeting).await;
    let places: Vec<u64> = agenda.iter().map(|question| question["orderIndex"].as_u64().unwrap()).collect();
    assert_eq!(places, (1..=agenda.len() as u64).collect::<Vec<_>>());
    agenda.iter().map(|question| question["id"].as_str().unwrap().to_owned()).collect()
}

async fn reorder(meeting: &TestMeeting, places: &[(&str, i64)]) -> Answer {
    let orders: Vec<Value> =
        places.iter().map(|(question, place)| json!({ "questionId": question, "orderIndex": place })).collect();
    let path = format!("/client/questions/meeting/{}/reorder", meeting.id);
    meeting.admin.put(&path, json!({ "questionOrders": orders })).await
}

#[tokio::test]
async fn a_change_touches_only_what_it_names_and_options_that_stay_keep_their_ids() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let meeting = club.meeting().await;
    meeting.ask_yes_no().await;
    let id = meeting.ask("MULTIPLE_CHOICE", json!({ "options": ["A", "B", "C"], "maxChoices": 2 })).await;
    let mut expected = club.admin.get(&path(&id)).await.gives(200);
    for (field, value) in [
        ("questionText", json!("Who?")),
        ("isRequired", json!(false)),
        ("maxChoices", json!(3)),
        ("maxChoices", Value::Null),
    ] {
        expected[field] = value.clone();
        assert_eq!(club.admin.put(&path(&id), json!({ field: value })).await.gives(200), expected);
    }
    for body in [
        json!({}),
        json!({ "questionText": null, "questionType": null, "isRequired": null, "options": null }),
        json!({ "options": "" }),
        json!({ "questionType": "MULTIPLE_CHOICE" }),
        json!({ "meetingId": NO_ID, "orderIndex": 7, "somethingElse": 1 }),
    ] {
        assert_eq!(club.admin.put(&path(&id), body.clone()).await.gives(200), expected, "{body}");
    }
    assert_eq!(club.admin.get(&path(&id)).await.gives(200), expected);

    for options in [json!("[\"C\",\"New\",\"A\"]"), json!(["C", " New ", "A"])] {
        let changed = club.admin.put(&path(&id), json!({ "options": options })).await.gives(200);
        assert_eq!(changed["options"], "[\"C\",\"New\",\"A\"]");
        assert_eq!(changed["optionsList"][0]["id"], expected["optionsList"][2]["id"]);
        assert_eq!(changed["optionsList"][2]["id"], expected["optionsList"][0]["id"]);
        let positions: Vec<_> = changed["optionsList"].as_array().unwrap().iter().map(|o| &o["position"]).collect();
        assert_eq!(positions, [&json!(1), &json!(2), &json!(3)]);
        assert_eq!(club.admin.get(&path(&id)).await.gives(200), changed);
    }
}

#[tokio::test]
async fn a_new_type_sets_its_own_fields_and_clears_the_previous_ones() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let meeting = club.meeting().await;
    let id = meeting.ask("MULTIPLE_CHOICE", json!({ "options": ["A", "B", "C"], "maxChoices": 2 })).await;
    for (body, options, rating_max, max_choices) in [
        (json!({ "questionType": "OPEN_TEXT", "options": ["A", "B"] }), Value::Null, Value::Null, Value::Null),
        (json!({ "questionType": "RATING" }), Value::Null, json!(5), Value::Null),
        (json!({ "ratingMax": 10 }), Value::Null, json!(10), Value::Null),
        (json!({ "questionText": "How much?" }), Value::Null, json!(10), Value::Null),
        (json!({ "ratingMax": null }), Value::Null, json!(5), Value::Null),
        (json!({ "questionType": "PERCENTAGE" }), Value::Null, Value::Null, Value::Null),
        (json!({ "questionType": "YES_NO" }), json!("[\"Yes\",\"No\"]"), Value::Null, Value::Null),
        (
            json!({ "questionType": "MULTIPLE_CHOICE", "options": ["A", "B"], "maxChoices": 1 }),
            json!("[\"A\",\"B\"]"),
            Value::Null,
            json!(1),
        ),
    ] {
        let changed = club.admin.put(&path(&id), body.clone()).await.gives(200);
        assert_eq!(changed["options"], options, "{body}");
        assert_eq!((&changed["ratingMax"], &changed["maxChoices"]), (&rating_max, &max_choices), "{body}");
        assert_eq!(club.admin.get(&path(&id)).await.gives(200), changed);
    }
}

#[tokio::test]
async fn an_invalid_change_is_named_and_changes_nothing() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let meeting = club.meeting().await;
    let id = meeting.ask("MULTIPLE_CHOICE", json!({ "options": ["A", "B", "C"], "maxChoices": 2 })).await;
    let before = club.admin.get(&path(&id)).await.gives(200);
    let too_many: Vec<String> = (0..101).map(|number| number.to_string()).collect();
    for (fields, field) in [
        (json!({ "questionText": "" }), "questionText"),
        (json!({ "questionText": " " }), "questionText"),
        (json!({ "questionText": "a\0b" }), "questionText"),
        (json!({ "questionText": "q".repeat(1001) }), "questionText"),
        (json!({ "questionText": 1 }), "questionText"),
        (json!({ "questionType": "MAYBE" }), "questionType"),
        (json!({ "questionType": 1 }), "questionType"),
        (json!({ "isRequired": "yes" }), "isRequired"),
        (json!({ "options": ["A"] }), "options"),
        (json!({ "options": [] }), "options"),
        (json!({ "options": ["A", "a "] }), "options"),
        (json!({ "options": ["A", ""] }), "options"),
        (json!({ "options": ["A", "o".repeat(301)] }), "options"),
        (json!({ "options": ["A", 1] }), "options.1"),
        (json!({ "options": "no json" }), "options"),
        (json!({ "options": too_many }), "options"),
        (json!({ "options": 5 }), "options"),
        (json!({ "maxChoices": 4 }), "maxChoices"),
        (json!({ "maxChoices": 0 }), "maxChoices"),
        (json!({ "maxChoices": -1 }), "maxChoices"),
        (json!({ "maxChoices": "2" }), "maxChoices"),
        // The rule no longer fits.
        (json!({ "options": ["A"], "maxChoices": 1 }), "options"),
        (json!({ "options": ["A", "B"], "maxChoices": 3 }), "maxChoices"),
        (json!({ "questionType": "RATING", "ratingMax": 7 }), "ratingMax"),
        (json!({ "ratingMax": "5" }), "ratingMax"),
        // Also where the type ignores it.
        (json!({ "ratingMax": 0 }), "ratingMax"),
        (json!({ "ratingMax": 7 }), "ratingMax"),
        (json!({ "ratingMax": 2_147_483_648_u32 }), "ratingMax"),
    ] {
        let mut body = json!({ "isRequired": false });
        for (name, value) in fields.as_object().unwrap() {
            body[name] = value.clone();
        }
        let answer = club.admin.put(&path(&id), body).await;
        assert_eq!(answer.wrong_fields(), [field], "{fields}: {}", answer.text);
    }
    // A type with custom options requires them.
    let text = meeting.ask("OPEN_TEXT", json!({})).await;
    let choice = club.admin.put(&path(&text), json!({ "questionType": "MULTIPLE_CHOICE" })).await;
    assert_eq!(choice.gives(422)["error"], "Please provide at least 2 options");
    assert_eq!(club.admin.get(&path(&id)).await.gives(200), before);
}

#[tokio::test]
async fn a_question_with_votes_cannot_change() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let ben = club.voter("ben").await;
    let meeting = club.meeting().await;
    let id = meeting.ask_yes_no().await;
    let before = club.admin.get(&path(&id)).await.gives(200);
    let changes = [
        json!({ "questionText": "Another?" }),
        json!({ "questionType": "OPEN_TEXT" }),
        json!({ "options": ["Yes", "No"] }),
        json!({ "options": ["Abstain", "Yes", "No"] }),
    ];
    // The same wording is not a change.
    let same =
        json!({ "questionText": before["questionText"], "questionType": "YES_NO", "options": before["options"] });
    for (code, voted) in [("question_is_open", false), ("question_has_votes", true)] {
        meeting.open(&id).await;
        if voted {
            ben.vote(&meeting, &id, &["Yes"]).await.gives(201);
        }
        for body in &changes {
            club.admin.put(&path(&id), body.clone()).await.refuses(409, code);
        }
        assert_eq!(club.admin.put(&path(&id), same.clone()).await.gives(200), before);
        let optional = club.admin.put(&path(&id), json!({ "isRequired": false })).await.gives(200);
        assert_eq!(optional["isRequired"], false);
        assert_eq!(club.admin.put(&path(&id), json!({ "isRequired": true })).await.gives(200), before);
    }
    // Also after the end of voting. It cannot be deleted either.
    meeting.clear().await;
    for body in &changes {
        club.admin.put(&path(&id), body.clone()).await.refuses(409, "question_has_votes");
    }
    club.admin.delete(&path(&id)).await.refuses(409, "question_has_votes");
    assert_eq!(club.admin.get(&path(&id)).await.gives(200), before);
    assert_eq!(ben.sees(&meeting).await["questions"][0]["userVote"], json!(["Yes"]));
    // After a round without votes it can change, and the next round has the new wording.
    let unused = meeting.ask_yes_no().await;
    meeting.open(&unused).await;
    meeting.clear().await;
    club.admin.put(&path(&unused), json!({ "questionText": "Mended?", "options": ["Aye", "Nay"] })).await.gives(200);
    let opened = meeting.open(&unused).await;
    assert_eq!((&opened["questionText"], &opened["options"]), (&json!("Mended?"), &json!(["Aye", "Nay"])));
}

#[tokio::test]
async fn a_changed_question_reaches_the_screen_that_shows_it() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let meeting = club.meeting().await;
    let id = meeting.ask_yes_no().await;
    meeting.show(&id).await;
    let mut screen = EventStream::watch_presentation(&app.anyone(), &meeting.id).await;
    screen.until("connected").await;
    club.admin.put(&path(&id), json!({ "questionText": "Mended?" })).await.gives(200);
    screen.until_event(|event| event.data["currentQuestion"]["questionText"] == "Mended?").await;
    club.admin.delete(&path(&id)).await.gives(200);
    screen.until_event(|event| event.data["currentQuestion"].is_null() && event.data["questionCount"] == 0).await;
}

#[tokio::test]
async fn a_deleted_question_leaves_no_gap_and_ends_the_voting_on_it() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let ben = club.voter("ben").await;
    let meeting = club.meeting().await;
    let [first, second, third, ..] = meeting.with_questions().await;
    let mut phone = EventStream::watch(&ben.caller, &meeting.id).await;
    meeting.open(&second).await;
    phone.until("question_activated").await;
    assert_eq!(club.admin.delete(&path(&second)).await.gives(200), json!({ "success": true }));
    assert_eq!(phone.until("question_deactivated").await["id"], second);
    ben.vote(&meeting, &second, &["A"]).await.refuses(404, "question_not_found");
    club.admin.get(&meeting.path("/current-question")).await.refuses(404, "no_current_question");
    assert_eq!(meeting.rounds().await, Vec::<Value>::new());
    for answer in [
        club.admin.get(&path(&second)).await,
        club.admin.put(&path(&second), json!({ "questionText": "?" })).await,
        club.admin.delete(&path(&second)).await,
        club.admin.post(&format!("{}/duplicate", path(&second)), Value::Null).await,
        meeting.put_question(json!({ "questionId": second })).await,
    ] {
        answer.refuses(404, "question_not_found");
    }
    let order = order_of(&meeting).await;
    assert_eq!(order.len(), 4);
    assert_eq!(order[..2], [first, third]);
    assert_eq!(club.admin.get(&meeting.path("")).await.gives(200)["questionCount"], 4);
    // The next question comes last.
    let last = meeting.ask_yes_no().await;
    assert_eq!(order_of(&meeting).await[4], last);
}

#[tokio::test]
async fn a_copy_stands_right_behind_its_original_and_has_no_votes() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let ben = club.voter("ben").await;
    let meeting = club.meeting().await;
    let [first, second, third, ..] = meeting.with_questions().await;
    meeting.open(&second).await;
    ben.vote(&meeting, &second, &["A"]).await.gives(201);
    let original = club.admin.get(&path(&second)).await.gives(200);
    let duplicate = format!("{}/duplicate", path(&second));
    let copy = club.admin.post(&duplicate, json!({})).await.gives(201);
    let id = copy["id"].as_str().unwrap().to_owned();
    for field in ["meetingId", "questionText", "questionType", "isRequired", "options", "ratingMax", "maxChoices"] {
        assert_eq!(copy[field], original[field], "{field}");
    }
    assert_eq!((&copy["orderIndex"], &original["orderIndex"]), (&json!(3), &json!(2)));
    assert_ne!(copy["optionsList"][0]["id"], original["optionsList"][0]["id"]);
    assert_eq!(order_of(&meeting).await[..4], [first, second, id.clone(), third]);
    assert_eq!(club.admin.get(&path(&id)).await.gives(200), copy);

    // The copy can be changed, opened and voted on. The original keeps its vote.
    club.admin.put(&path(&id), json!({ "questionText": "Once more?" })).await.gives(200);
    meeting.open(&id).await;
    ben.vote(&meeting, &id, &["B"]).await.gives(201);
    let seen = ben.sees(&meeting).await["questions"].clone();
    assert_eq!((&seen[0]["userVote"], &seen[1]["userVote"]), (&json!(["A"]), &json!(["B"])));
    // The body is optional.
    club.admin.call("POST", &duplicate, None).await.gives(201);
    club.admin.post(&duplicate, Value::Null).await.gives(201);
    assert_eq!(order_of(&meeting).await.len(), 8);
}

#[tokio::test]
async fn an_agenda_is_reordered_as_a_whole() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let ben = club.voter("ben").await;
    let meeting = club.meeting().await;
    let [a, b, c, d, e] = meeting.with_questions().await;
    meeting.open(&a).await;
    ben.vote(&meeting, &a, &["Yes"]).await.gives(201);
    let mut organizer = EventStream::watch(&club.admin, &meeting.id).await;
    organizer.until("connected").await;
    let answer = reorder(&meeting, &[(&e, 1), (&a, 4), (&b, 2), (&d, 5), (&c, 3)]).await.gives(200);
    assert_eq!(answer, Value::Array(agenda(&meeting).await));
    assert_eq!(order_of(&meeting).await, [&e, &b, &c, &a, &d].map(Clone::clone));
    // The current question gets its new position, and voting continues.
    organizer.until_event(|event| event.data["currentQuestion"]["orderIndex"] == 4).await;
    assert_eq!(club.admin.get(&meeting.path("/current-question")).await.gives(200)["voteCount"], 1);
    // The same order again is accepted.
    reorder(&meeting, &[(&e, 1), (&b, 2), (&c, 3), (&a, 4), (&d, 5)]).await.gives(200);
    assert_eq!(order_of(&meeting).await, [e, b, c, a, d]);
    let empty = club.meeting().await;
    assert_eq!(reorder(&empty, &[]).await.gives(200), json!([]));
}

#[tokio::test]
async fn an_order_of_other_questions_than_the_agenda_is_422_and_moves_nothing() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let (meeting, other) = (club.meeting().await, club.meeting().await);
    let (a, b, c) = (meeting.ask_yes_no().await, meeting.ask_yes_no().await, meeting.ask_yes_no().await);
    let elsewhere = other.ask_yes_no().await;
    let before = agenda(&meeting).await;
    for places in [
        vec![],
        vec![(&*b, 1), (&*a, 2)],
        vec![(&*b, 1), (&*a, 2), (&*c, 2)],
        vec![(&*b, 1), (&*a, 2), (&*c, 4)],
        vec![(&*b, 0), (&*a, 1), (&*c, 2)],
        vec![(&*b, 1), (&*a, 2), (&*b, 3)],
        vec![(&*b, 1), (&*a, 2), (&*c, 3), (&*c, 4)],
        vec![(&*b, 1), (&*a, 2), (&*elsewhere, 3)],
        vec![(&*b, 1), (&*a, 2), (&*c, 3), (&*elsewhere, 4)],
        vec![(&*b, 1), (&*a, 2), (&*c, 3), (NO_ID, 4)],
        vec![(&*b, 1), (&*a, 2), (NO_ID, 3)],
        vec![(&*b, 1), (&*a, 2), ("no-id", 3)],
        vec![(&*b, 1), (&*a, 2), ("", 3)],
    ] {
        let answer = reorder(&meeting, &places).await;
        assert_eq!(answer.wrong_fields(), ["questionOrders"], "{places:?}: {}", answer.text);
    }
    let path = format!("/client/questions/meeting/{}/reorder", meeting.id);
    for (body, field) in [
        (json!({}), "questionOrders"),
        (json!({ "questionOrders": null }), "questionOrders"),
        (json!({ "questionOrders": "a" }), "questionOrders"),
        (json!({ "questionOrders": [1] }), "questionOrders.0"),
        (json!({ "questionOrders": [{ "questionId": a }] }), "questionOrders.0.orderIndex"),
        (json!({ "questionOrders": [{ "orderIndex": 1 }] }), "questionOrders.0.questionId"),
        (json!({ "questionOrders": [{ "questionId": a, "orderIndex": -1 }] }), "questionOrders.0.orderIndex"),
        (json!({ "questionOrders": [{ "questionId": a, "orderIndex": 1.5 }] }), "questionOrders.0.orderIndex"),
        (json!({ "questionOrders": [{ "questionId": 7, "orderIndex": 1 }] }), "questionOrders.0.questionId"),
    ] {
        let answer = club.admin.put(&path, body.clone()).await;
        assert_eq!(answer.wrong_fields(), [field], "{body}: {}", answer.text);
    }
    let endless: Vec<(&str, i64)> = (1..=501).map(|place| (&*a, place)).collect();
    assert_eq!(reorder(&meeting, &endless).await.wrong_fields(), ["questionOrders"]);
    assert_eq!(agenda(&meeting).await, before);
    assert_eq!(order_of(&other).await, [elsewhere]);
}
