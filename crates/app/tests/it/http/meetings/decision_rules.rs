//! The terms of questions and meetings: decision rules, quorums, roles of options, and named votes.

use serde_json::{Value, json};

use crate::http::support::{Answer, TestApp, TestMeeting};

fn condition(numerator: i64, denominator: i64) -> Value {
    json!({
        "units": "weight", "base": "yes_plus_no", "comparison": "more_than", "numerator": numerator,
        "denominator": denominator,
    })
}

fn majority(conditions: &[Value]) -> Value {
    json!({ "kind": "majority", "conditions": conditions, "onTie": "rejected" })
}

fn plurality(seats: i64) -> Value {
    json!({ "kind": "plurality", "unit": "heads", "seats": seats })
}

fn quorum(fields: &Value) -> Value {
    let mut quorum =
        json!({ "comparison": "at_least", "numerator": 1, "denominator": 2, "unit": "heads", "attendance": "present" });
    for (name, value) in fields.as_object().unwrap() {
        quorum[name] = value.clone();
    }
    quorum
}

async fn ask(meeting: &TestMeeting, question_type: &str, fields: Value) -> Answer {
    let mut body = json!({ "meetingId": meeting.id, "questionText": "Agreed?", "questionType": question_type });
    if question_type == "MULTIPLE_CHOICE" {
        body["options"] = json!(["A", "B", "C"]);
    }
    for (name, value) in fields.as_object().unwrap() {
        body[name] = value.clone();
    }
    meeting.admin.post("/client/questions", body).await
}

async fn change(meeting: &TestMeeting, question: &str, fields: Value) -> Answer {
    meeting.admin.put(&format!("/client/questions/{question}"), fields).await
}

fn id_of(made: &Value) -> String {
    made["id"].as_str().unwrap().to_owned()
}

fn roles(question: &Value) -> Vec<&str> {
    let options = question["optionsList"].as_array().unwrap();
    options.iter().map(|option| option["role"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn terms_are_set_kept_copied_and_cleared() {
    let app = TestApp::start().await;
    let meeting = app.client("Rowing Club").await.meeting().await;
    let plain = ask(&meeting, "YES_NO", json!({})).await.gives(201);
    let terms =
        |question: &Value| (question["decisionRule"].clone(), question["quorum"].clone(), question["isNamed"].clone());
    assert_eq!(terms(&plain), (Value::Null, Value::Null, json!(false)));

    let rule = majority(&[
        condition(2, 3),
        json!({
            "units": "both", "base": "whole_register", "comparison": "at_least", "numerator": 1, "denominator": 2,
        }),
    ]);
    let own = quorum(&json!({ "unit": "weight", "attendance": "voted", "numerator": 1, "denominator": 1_000_000 }));
    let fields = json!({
        "options": ["Nein danke", "Aye", "Later"], "optionRoles": ["no", "yes", "choice"], "decisionRule": rule,
        "quorum": own, "isNamed": true,
    });
    let made = ask(&meeting, "YES_NO", fields).await.gives(201);
    assert_eq!(terms(&made), (rule.clone(), own.clone(), json!(true)));
    assert_eq!(roles(&made), ["no", "yes", "choice"]);
    let question = id_of(&made);
    let copy = meeting.admin.post(&format!("/client/questions/{question}/duplicate"), Value::Null).await.gives(201);
    assert_eq!((terms(&copy), roles(&copy)), (terms(&made), roles(&made)));
    let reworded = change(&meeting, &question, json!({ "questionText": "Now?" })).await.gives(200);
    assert_eq!((terms(&reworded), roles(&reworded)), (terms(&made), roles(&made)), "missing fields stay");
    let nothing = json!({ "decisionRule": null, "quorum": null, "isNamed": false, "optionRoles": null });
    let cleared = change(&meeting, &question, nothing).await.gives(200);
    assert_eq!(terms(&cleared), terms(&plain));
    assert_eq!(roles(&cleared), ["yes", "no", "abstain"], "positions decide the roles of unknown words");
    let agenda = meeting.admin.get(&format!("/client/questions/meeting/{}", meeting.id)).await.gives(200);
    assert_eq!(agenda.as_array().unwrap().iter().find(|listed| listed["id"] == made["id"]), Some(&cleared));
}

#[tokio::test]
async fn screens_of_voters_learn_which_option_is_the_abstention_whatever_its_text() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let (ada, meeting) = (club.voter("ada").await, club.meeting().await);
    let fields = json!({ "options": ["Anna", "Bert", "Nobody"], "optionRoles": ["choice", "choice", "abstain"] });
    let question = id_of(&ask(&meeting, "MULTIPLE_CHOICE", fields).await.gives(201));
    let live = format!("/sse/meetings/{}/state", meeting.id);
    meeting.show(&question).await;
    let shown = meeting.admin.get(&live).await.gives(200);
    assert_eq!(shown["currentQuestion"]["abstention"], "Nobody", "{shown}");
    meeting.open(&question).await;
    let open = ada.caller.get(&live).await.gives(200);
    assert_eq!(open["currentQuestion"]["abstention"], "Nobody", "{open}");
    assert_eq!(ada.sees(&meeting).await["questions"][0]["abstention"], "Nobody");
    ada.vote(&meeting, &question, &["Anna", "Nobody"]).await.refuses(422, "invalid_ballot");

    let yes_no = id_of(&ask(&meeting, "YES_NO", json!({ "options": ["Yes", "No", "Abstain"] })).await.gives(201));
    meeting.open(&yes_no).await;
    let open = ada.caller.get(&live).await.gives(200);
    assert_eq!(open["currentQuestion"]["abstention"], Value::Null, "{open}");
}

#[tokio::test]
async fn every_kind_of_rule_is_returned_as_it_was_sent() {
    let app = TestApp::start().await;
    let meeting = app.client("Rowing Club").await.meeting().await;
    let of_cast = json!({
        "units": "heads", "base": "votes_cast", "comparison": "at_least", "numerator": 3, "denominator": 4,
    });
    let without_abstentions = json!({
        "units": "both", "base": "votes_without_abstentions", "comparison": "more_than", "numerator": 1, "denominator": 2,
    });
    let tied = json!({ "kind": "majority", "conditions": [condition(1, 2)], "onTie": "accepted" });
    for (question_type, rule) in [
        ("YES_NO", tied),
        ("MULTIPLE_CHOICE", plurality(3)),
        ("MULTIPLE_CHOICE", json!({ "kind": "each_option", "condition": of_cast, "seats": null })),
        ("MULTIPLE_CHOICE", json!({ "kind": "each_option", "condition": of_cast, "seats": 2 })),
        ("MULTIPLE_CHOICE", json!({ "kind": "each_option", "condition": without_abstentions, "seats": null })),
    ] {
        let made = ask(&meeting, question_type, json!({ "decisionRule": rule })).await.gives(201);
        assert_eq!(made["decisionRule"], rule);
    }
}

fn ruled(rule: &Value) -> Value {
    json!({ "decisionRule": rule })
}

#[tokio::test]
async fn an_error_names_the_path_of_an_invalid_term() {
    let app = TestApp::start().await;
    let meeting = app.client("Rowing Club").await.meeting().await;
    let yes_no = id_of(&ask(&meeting, "YES_NO", json!({})).await.gives(201));
    let choice = id_of(&ask(&meeting, "MULTIPLE_CHOICE", json!({})).await.gives(201));
    let each = |base: &str, units: &str, seats: Value| {
        json!({ "kind": "each_option", "seats": seats, "condition": {
            "units": units, "base": base, "comparison": "more_than", "numerator": 1, "denominator": 2,
        } })
    };
    let tie = json!({ "kind": "majority", "conditions": [condition(2, 3)], "onTie": "accepted" });
    for (question_type, fields, field) in [
        ("YES_NO", ruled(&majority(&[condition(3, 2)])), "decisionRule.conditions.0.numerator"),
        ("YES_NO", ruled(&majority(&[condition(1, 2), condition(0, 2)])), "decisionRule.conditions.1.numerator"),
        ("YES_NO", ruled(&majority(&[condition(1, 0)])), "decisionRule.conditions.0.denominator"),
        ("YES_NO", ruled(&majority(&[condition(1, 1_000_001)])), "decisionRule.conditions.0.denominator"),
        ("YES_NO", ruled(&majority(&[condition(2, 2)])), "decisionRule.conditions.0.comparison"),
        ("YES_NO", ruled(&majority(&[])), "decisionRule.conditions"),
        ("YES_NO", ruled(&tie), "decisionRule.onTie"),
        ("YES_NO", ruled(&plurality(1)), "decisionRule"),
        ("MULTIPLE_CHOICE", ruled(&majority(&[condition(1, 2)])), "decisionRule"),
        ("MULTIPLE_CHOICE", ruled(&plurality(0)), "decisionRule.seats"),
        ("MULTIPLE_CHOICE", ruled(&plurality(4)), "decisionRule.seats"),
        ("MULTIPLE_CHOICE", ruled(&each("yes_plus_no", "heads", Value::Null)), "decisionRule.condition.base"),
        ("MULTIPLE_CHOICE", ruled(&each("votes_cast", "both", json!(1))), "decisionRule.condition.units"),
        ("MULTIPLE_CHOICE", ruled(&each("votes_cast", "heads", json!(4))), "decisionRule.seats"),
        ("YES_NO", json!({ "quorum": quorum(&json!({ "numerator": 3 })) }), "quorum.numerator"),
        (
            "YES_NO",
            json!({ "quorum": quorum(&json!({ "comparison": "more_than", "numerator": 2 })) }),
            "quorum.comparison",
        ),
        ("YES_NO", json!({ "optionRoles": ["yes"] }), "optionRoles"),
        ("YES_NO", json!({ "optionRoles": [] }), "optionRoles"),
        ("MULTIPLE_CHOICE", json!({ "optionRoles": ["choice", "choice", "yes"] }), "optionRoles"),
        ("MULTIPLE_CHOICE", json!({ "optionRoles": ["choice"] }), "optionRoles"),
    ] {
        let refused = ask(&meeting, question_type, fields.clone()).await;
        assert_eq!(refused.wrong_fields(), [field], "{fields}");
        let existing = if question_type == "YES_NO" { &yes_no } else { &choice };
        let refused = change(&meeting, existing, fields.clone()).await;
        assert_eq!(refused.wrong_fields(), [field], "{fields}");
    }
}

#[tokio::test]
async fn an_error_states_the_expected_form_of_a_term() {
    let app = TestApp::start().await;
    let meeting = app.client("Rowing Club").await.meeting().await;
    let number = |field: &str, json: &str| {
        let mut wrong = condition(2, 3);
        wrong[field] = serde_json::from_str(json).unwrap();
        ruled(&majority(&[condition(1, 2), wrong]))
    };
    for (fields, field, expected) in [
        (number("numerator", "-1"), "conditions.1.numerator", "Must be a whole number of at least 0."),
        (number("numerator", "1.5"), "conditions.1.numerator", "Must be a whole number of at least 0."),
        (number("numerator", "\"1\""), "conditions.1.numerator", "Must be a whole number of at least 0, not a text."),
        (
            number("numerator", "9223372036854775808"),
            "conditions.1.numerator",
            "Must be a whole number with fewer digits.",
        ),
        (
            number("denominator", &format!("1{}", "0".repeat(30))),
            "conditions.1.denominator",
            "Must be a whole number with fewer digits.",
        ),
        (number("denominator", "null"), "conditions.1.denominator", "Must be a whole number of at least 0, not null."),
        (
            number("base", "\"everyone\""),
            "conditions.1.base",
            "Must be one of yes_plus_no, votes_cast, votes_without_abstentions, whole_register, connected_at_opening.",
        ),
        (ruled(&json!({ "kind": "majority" })), "conditions", "Is required."),
        (
            ruled(&json!({ "kind": "majority", "conditions": [condition(1, 2)], "seats": 1 })),
            "seats",
            "Is not a known field.",
        ),
        (
            ruled(&json!({ "kind": "majority", "conditions": [condition(1, 2)], "more": 1 })),
            "more",
            "Is not a known field.",
        ),
    ] {
        let refused = ask(&meeting, "YES_NO", fields.clone()).await;
        let field = format!("decisionRule.{field}");
        assert_eq!(refused.gives(422)["fields"], json!({ field: [expected] }), "{fields}");
    }
}

#[tokio::test]
async fn incomplete_and_unfitting_terms_are_refused() {
    let app = TestApp::start().await;
    let meeting = app.client("Rowing Club").await.meeting().await;
    let incomplete = ask(&meeting, "YES_NO", ruled(&majority(&[json!({ "units": "heads" })]))).await;
    let missing = ["base", "comparison", "denominator", "numerator"];
    assert_eq!(incomplete.wrong_fields(), missing.map(|field| format!("decisionRule.conditions.0.{field}")));
    for fields in [ruled(&json!({ "kind": "unanimity" })), ruled(&json!(5)), json!({ "isNamed": "yes" })] {
        assert_eq!(ask(&meeting, "YES_NO", fields.clone()).await.wrong_fields().len(), 1, "{fields}");
    }
    let odd = json!({ "optionRoles": ["yes", "maybe"] });
    assert_eq!(ask(&meeting, "YES_NO", odd).await.wrong_fields(), ["optionRoles.1"]);
    let without_no = json!({ "options": ["Yes", "Later"], "decisionRule": majority(&[condition(1, 2)]) });
    assert_eq!(ask(&meeting, "YES_NO", without_no).await.wrong_fields(), ["options"]);
    for question_type in ["RATING", "PERCENTAGE", "OPEN_TEXT"] {
        let refused = ask(&meeting, question_type, ruled(&plurality(1))).await;
        assert_eq!(refused.wrong_fields(), ["decisionRule"], "{question_type}");
        let refused = ask(&meeting, question_type, json!({ "optionRoles": ["yes", "no"] })).await;
        assert_eq!(refused.wrong_fields(), ["optionRoles"], "{question_type}");
    }
}

#[tokio::test]
async fn a_rule_that_no_longer_fits_is_changed_or_cleared_along_with_the_question() {
    let app = TestApp::start().await;
    let meeting = app.client("Rowing Club").await.meeting().await;
    let ruled = json!({ "decisionRule": majority(&[condition(1, 2)]) });
    let question = id_of(&ask(&meeting, "YES_NO", ruled.clone()).await.gives(201));
    let path = format!("/client/questions/{question}");
    let before = meeting.admin.get(&path).await.gives(200);
    for fields in [
        json!({ "questionType": "RATING" }),
        json!({ "questionType": "MULTIPLE_CHOICE", "options": ["A", "B"] }),
        json!({ "options": ["Yes", "Later"] }),
        json!({ "optionRoles": ["yes", "abstain"] }),
    ] {
        assert_eq!(change(&meeting, &question, fields.clone()).await.wrong_fields(), ["decisionRule"], "{fields}");
    }
    assert_eq!(meeting.admin.get(&path).await.gives(200), before);
    let both = json!({ "questionType": "MULTIPLE_CHOICE", "options": ["A", "B"], "decisionRule": plurality(2) });
    assert_eq!(change(&meeting, &question, both).await.gives(200)["decisionRule"], plurality(2));
    assert_eq!(change(&meeting, &question, ruled).await.wrong_fields(), ["decisionRule"]);
    let neither = json!({ "questionType": "RATING", "decisionRule": null });
    assert_eq!(change(&meeting, &question, neither).await.gives(200)["decisionRule"], Value::Null);
}

#[tokio::test]
async fn a_question_with_votes_keeps_its_terms() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let ben = club.voter("ben").await;
    let meeting = club.meeting().await;
    let fields = json!({ "decisionRule": majority(&[condition(1, 2)]), "quorum": quorum(&json!({})) });
    let question = id_of(&ask(&meeting, "YES_NO", fields).await.gives(201));
    let path = format!("/client/questions/{question}");
    let before = meeting.admin.get(&path).await.gives(200);
    meeting.open(&question).await;
    for code in ["question_is_open", "question_has_votes"] {
        for fields in [
            json!({ "decisionRule": majority(&[condition(2, 3)]) }),
            json!({ "decisionRule": null }),
            json!({ "quorum": null }),
            json!({ "isNamed": true }),
            json!({ "optionRoles": ["no", "yes"] }),
        ] {
            change(&meeting, &question, fields).await.refuses(409, code);
        }
        let as_it_is = json!({
            "decisionRule": before["decisionRule"], "quorum": before["quorum"], "isNamed": false,
            "optionRoles": ["yes", "no"], "options": ["Yes", "No"],
        });
        assert_eq!(change(&meeting, &question, as_it_is).await.gives(200), before);
        ben.vote(&meeting, &question, &["Yes"]).await;
        meeting.clear().await;
    }
}

#[tokio::test]
async fn a_meeting_has_a_quorum_and_an_action_when_it_is_missed() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let expected = quorum(&json!({ "atOpening": "bar" }));
    let meeting = club.meeting_with(json!({ "quorum": expected })).await;
    let find = async || club.admin.get(&meeting.path("")).await.gives(200)["quorum"].clone();
    assert_eq!(find().await, expected);
    let put = async |quorum: Value| club.admin.put(&meeting.path(""), json!({ "quorum": quorum })).await;
    club.admin.put(&meeting.path(""), json!({ "title": "Renamed" })).await.gives(200);
    assert_eq!(find().await, expected, "missing fields stay");
    for (wrong, field) in [
        (quorum(&json!({ "atOpening": "bar", "attendance": "voted" })), "quorum.atOpening"),
        (quorum(&json!({ "atOpening": "warn", "numerator": 3 })), "quorum.numerator"),
        (quorum(&json!({ "atOpening": "warn", "denominator": 0 })), "quorum.denominator"),
        (quorum(&json!({})), "quorum.atOpening"),
        (quorum(&json!({ "atOpening": "never" })), "quorum.atOpening"),
    ] {
        assert_eq!(put(wrong.clone()).await.wrong_fields(), [field], "{wrong}");
        let body = json!({
            "title": "Another", "scheduledStartTime": "2030-05-01T18:00:00Z",
            "scheduledEndTime": "2030-05-01T20:00:00Z", "quorum": wrong,
        });
        assert_eq!(club.admin.post("/client/meetings", body).await.wrong_fields(), [field], "{wrong}");
    }
    assert_eq!(find().await, expected);
    let voted = quorum(&json!({ "atOpening": "warn", "attendance": "voted", "unit": "weight" }));
    assert_eq!(put(voted.clone()).await.gives(200)["quorum"], voted);
    assert_eq!(put(Value::Null).await.gives(200)["quorum"], Value::Null);
    let plain = club.meeting().await;
    assert_eq!(club.admin.get(&plain.path("")).await.gives(200)["quorum"], Value::Null);
}
