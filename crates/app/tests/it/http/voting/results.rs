//! Results: decision, declaration, display and export.

use diesel::connection::SimpleConnection as _;
use serde_json::{Value, json};

use crate::http::support::{Answer, EventStream, NO_ID, TestApp, TestMeeting, until};

/// A majority of yes and no by heads.
const SIMPLE: &str = r#"{ "kind": "majority", "onTie": "rejected", "conditions": [
    { "units": "heads", "base": "yes_plus_no", "comparison": "more_than", "numerator": 1, "denominator": 2 } ] }"#;
/// More than two thirds of yes and no by weight.
const TWO_THIRDS_OF_WEIGHT: &str = r#"{ "kind": "majority", "onTie": "rejected", "conditions": [
    { "units": "weight", "base": "yes_plus_no", "comparison": "more_than", "numerator": 2, "denominator": 3 } ] }"#;
/// At least half of the register by heads must be present.
const HALF_PRESENT: &str =
    r#"{ "comparison": "at_least", "numerator": 1, "denominator": 2, "unit": "heads", "attendance": "present" }"#;

fn change(app: &TestApp, statements: &str) {
    app.database.connection().batch_execute(statements).unwrap();
}

/// Sets the decision rule of a question.
fn decide_by(app: &TestApp, question: &str, rule: &str) {
    change(app, &format!("UPDATE questions SET decision_rule = '{rule}' WHERE id = '{question}'"));
}

fn id(value: &Value) -> &str {
    value.as_str().unwrap()
}

fn declare_path(meeting: &TestMeeting, round: &Value) -> String {
    meeting.path(&format!("/rounds/{}/declare", id(round)))
}

async fn declare(meeting: &TestMeeting, round: &Value) -> Answer {
    meeting.admin.post(&declare_path(meeting, round), Value::Null).await
}

async fn revote(meeting: &TestMeeting, question: &str, reason: &str) -> Answer {
    meeting.admin.post(&meeting.path("/rounds"), json!({ "questionId": question, "reason": reason })).await
}

async fn step(meeting: &TestMeeting) -> u64 {
    meeting.admin.get(&meeting.path("")).await.gives(200)["step"].as_u64().unwrap()
}

async fn export(meeting: &TestMeeting, query: &str) -> Answer {
    meeting.admin.get(&meeting.path(&format!("/results/export?{query}"))).await
}

#[tokio::test]
async fn a_result_explains_its_decision_in_sentences() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let (ada, ben) = (club.voter_of_weight("ada", "41.25").await, club.voter_of_weight("ben", "19.2").await);
    let meeting = club.meeting().await;
    let question = meeting.ask_yes_no().await;
    decide_by(&app, &question, TWO_THIRDS_OF_WEIGHT);
    let round = meeting.open(&question).await["roundId"].clone();
    // Changes do not affect the open round.
    decide_by(&app, &question, SIMPLE);
    change(&app, "UPDATE end_users SET weight = 1");
    ada.vote(&meeting, &question, &["Yes"]).await.gives(201);
    ben.vote(&meeting, &question, &["No"]).await.gives(201);
    meeting.clear().await;
    let result = meeting.count(&round).await.gives(200);
    assert_eq!(result["decision"], json!({ "outcome": "accepted", "elected": [], "tie": null }));
    assert_eq!(
        result["arithmetic"]["sentence"],
        "Accepted: 41.25 of 60.45 votes by weight are yes, 68.24 %; more than 2/3, that is 40.3, were needed"
    );
    let check = &result["arithmetic"]["checks"][0];
    assert_eq!((&check["part"], &check["whole"], &check["percent"]), (&json!(41.25), &json!(60.45), &json!(68.24)));
    assert_eq!(check["needed"], json!({ "amount": 40.3, "isEnough": false, "isRoundedUp": false }));
    assert_eq!(result["decisionRule"], serde_json::from_str::<Value>(TWO_THIRDS_OF_WEIGHT).unwrap());
    let kinds: Vec<_> = result["log"].as_array().unwrap().iter().map(|entry| &entry["kind"]).collect();
    assert_eq!(kinds, ["OPENED", "ENDED", "COUNTED"]);
    assert!(result["log"].as_array().unwrap().iter().all(|entry| entry["by"] == "Anna Berg"), "{result}");
    assert_eq!(meeting.rounds().await[0]["status"], "COUNTED");
    // A second reading is identical.
    assert_eq!(meeting.count(&round).await.gives(200), result);
}

#[tokio::test]
async fn only_a_declaration_shows_a_result_on_the_presentation_and_to_voters() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let ben = club.voter("ben").await;
    let meeting = club.meeting().await;
    let question = meeting.ask_yes_no().await;
    let round = meeting.open(&question).await["roundId"].clone();
    ben.vote(&meeting, &question, &["Yes"]).await.gives(201);
    let screen = format!("/public/meetings/{}/presentation/result", meeting.id);
    let to_voters = format!("/voting/meetings/{}/results", meeting.id);
    declare(&meeting, &round).await.refuses(409, "round_still_open");
    meeting.show(&question).await;
    meeting.count(&round).await.gives(200);
    app.anyone().get(&screen).await.refuses(404, "no_declared_result");
    assert_eq!(ben.caller.get(&to_voters).await.gives(200), json!([]));

    let before = step(&meeting).await;
    let declared = declare(&meeting, &round).await.gives(200);
    assert_eq!((&declared["status"], &declared["declared"]["by"]), (&json!("DECLARED"), &json!("Anna Berg")));
    assert_eq!(step(&meeting).await, before + 1);
    assert_eq!(declare(&meeting, &round).await.gives(200), declared);
    assert_eq!(meeting.count(&round).await.gives(200), declared);
    assert_eq!(step(&meeting).await, before + 1);
    let listed = &meeting.rounds().await[0];
    assert_eq!((&listed["declaredAt"], &listed["declaredBy"]), (&declared["declared"]["at"], &json!("Anna Berg")));

    // The same numbers for everybody. Only organizers see the log of the round.
    let mut public = declared.clone();
    public["log"] = json!([]);
    assert_eq!(app.anyone().get(&screen).await.gives(200), public);
    assert_eq!(
        ben.caller.get(&to_voters).await.gives(200),
        json!([{ "result": public, "damaged": null, "hasVoted": true, "ownVote": ["Yes"] }])
    );
    let late = club.voter("late").await;
    assert_eq!(
        late.caller.get(&to_voters).await.gives(200),
        json!([{ "result": public, "damaged": null, "hasVoted": false, "ownVote": null }])
    );
    club.admin.get(&to_voters).await.refuses(403, "wrong_role");

    let refused = meeting.put_question(json!({ "questionId": question })).await.refuses(409, "result_declared");
    assert_eq!(refused["error"], "The result of this question has been declared: a re-vote needs a reason");
    meeting.clear().await;
    app.anyone().get(&screen).await.refuses(404, "no_declared_result");
    for other in [NO_ID, "no-id"] {
        let missing = app.anyone().get(&format!("/public/meetings/{other}/presentation/result")).await;
        assert_eq!(missing.status, 404, "{}", missing.text);
    }
}

#[tokio::test]
async fn only_participants_of_a_meeting_see_its_results() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let (ada, ben) = (club.voter("ada").await, club.voter("ben").await);
    let meeting = club.meeting().await;
    club.admin.post(&meeting.path("/participants"), json!({ "endUserIds": [ada.id] })).await.gives(200);
    let question = meeting.ask_yes_no().await;
    let round = meeting.open(&question).await["roundId"].clone();
    meeting.clear().await;
    declare(&meeting, &round).await.gives(200);
    let path = format!("/voting/meetings/{}/results", meeting.id);
    assert_eq!(ada.caller.get(&path).await.gives(200).as_array().unwrap().len(), 1);
    ben.caller.get(&path).await.refuses(403, "not_invited");
}

#[tokio::test]
async fn a_declaration_on_an_older_state_is_refused() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let ben = club.voter("ben").await;
    let meeting = club.meeting().await;
    let question = meeting.ask_yes_no().await;
    let round = meeting.open(&question).await["roundId"].clone();
    ben.vote(&meeting, &question, &["Yes"]).await.gives(201);
    meeting.clear().await;
    let seen = step(&meeting).await;
    // Another organizer opens the round again, and it ends again.
    meeting.open(&question).await;
    let path = format!("{}?step={seen}", declare_path(&meeting, &round));
    let refused = club.admin.post(&path, Value::Null).await.refuses(409, "stale_step");
    assert!(id(&refused["error"]).contains("voting on “Agreed?” is open now"), "{refused}");
    assert_eq!(refused["currentQuestion"]["roundId"], round);
    meeting.clear().await;
    club.admin.post(&path, Value::Null).await.refuses(409, "stale_step");
    let path = format!("{}?step={}", declare_path(&meeting, &round), step(&meeting).await);
    club.admin.post(&path, Value::Null).await.gives(200);
    let wrong = club.admin.post(&format!("{}?step=x", declare_path(&meeting, &round)), Value::Null).await;
    assert_eq!(wrong.wrong_fields(), ["step"]);
    for unknown in [NO_ID, "no-id"] {
        declare(&meeting, &json!(unknown)).await.refuses(404, "round_not_found");
    }
}

#[tokio::test]
async fn a_re_vote_has_a_reason_and_the_earlier_round_stays() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let ben = club.voter("ben").await;
    let meeting = club.meeting().await;
    let question = meeting.ask_yes_no().await;
    revote(&meeting, &question, "Too loud").await.refuses(409, "no_round_yet");
    let first = meeting.open(&question).await["roundId"].clone();
    revote(&meeting, &question, "Too loud").await.refuses(409, "round_open");
    ben.vote(&meeting, &question, &["Yes"]).await.gives(201);
    meeting.clear().await;
    let of_first = declare(&meeting, &first).await.gives(200);
    for (reason, is_fine) in [("", false), (" \n ", false), (&*"a".repeat(501), false), (&*"ä".repeat(500), true)] {
        let answer = revote(&meeting, &question, reason).await;
        if is_fine {
            answer.gives(201);
        } else {
            assert_eq!(answer.wrong_fields(), ["reason"]);
        }
    }
    meeting.clear().await;
    // A round without votes opens again with new terms.
    revote(&meeting, &question, "Too loud").await.refuses(409, "no_round_yet");
    let seen = step(&meeting).await;
    let opened = meeting.open(&question).await;
    ben.vote(&meeting, &question, &["No"]).await.gives(201);
    meeting.clear().await;
    let stale = meeting.path(&format!("/rounds?step={seen}"));
    let again = json!({ "questionId": question, "reason": "Too loud" });
    club.admin.post(&stale, again.clone()).await.refuses(409, "stale_step");
    let third = revote(&meeting, &question, "  Too loud ").await.gives(201);
    assert_eq!((&third["success"], &third["currentQuestion"]["isActive"]), (&json!(true), &json!(true)));
    meeting.clear().await;

    let rounds = meeting.rounds().await;
    let listed: Vec<_> = rounds.iter().map(|round| (&round["number"], &round["status"], &round["voteCount"])).collect();
    assert_eq!(listed[0], (&json!(1), &json!("DECLARED"), &json!(1)));
    assert_eq!(listed[1], (&json!(2), &json!("ENDED"), &json!(1)));
    assert_eq!(listed[2], (&json!(3), &json!("ENDED"), &json!(0)));
    assert_eq!((&rounds[0]["reason"], &rounds[2]["reason"]), (&Value::Null, &json!("Too loud")));
    assert_eq!(rounds[1]["id"], opened["roundId"]);
    assert_eq!(rounds[1]["reason"], "ä".repeat(500));
    for round in &rounds[1..] {
        meeting.count(&round["id"]).await.gives(200);
    }
    let results = club.admin.get(&meeting.path("/results")).await.gives(200)["rounds"].clone();
    assert_eq!(results[0], of_first);
    let numbers: Vec<_> = results.as_array().unwrap().iter().map(|round| round["number"].as_u64().unwrap()).collect();
    assert_eq!(numbers, [1, 2, 3]);
    // The voter's answer appears with its round.
    declare(&meeting, &rounds[1]["id"]).await.gives(200);
    let seen = ben.caller.get(&format!("/voting/meetings/{}/results", meeting.id)).await.gives(200);
    let own: Vec<_> = seen.as_array().unwrap().iter().map(|seen| &seen["ownVote"]).collect();
    assert_eq!(own, [&json!(["Yes"]), &json!(["No"])]);
    let unknown = json!({ "questionId": NO_ID, "reason": "Too loud" });
    club.admin.post(&meeting.path("/rounds"), unknown).await.refuses(404, "question_not_found");
}

#[tokio::test]
async fn no_response_reveals_the_standing_of_an_open_round() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let ben = club.voter("ben").await;
    let meeting = club.meeting().await;
    let question = meeting.ask("OPEN_TEXT", json!({})).await;
    let round = meeting.open(&question).await["roundId"].clone();
    ben.vote(&meeting, &question, &["A secret so far"]).await.gives(201);
    // Ended, and opened again.
    meeting.clear().await;
    meeting.open(&question).await;
    let round = id(&round).to_owned();
    for rest in ["result", "answers"] {
        let refused = club.admin.get(&meeting.path(&format!("/rounds/{round}/{rest}"))).await;
        refused.refuses(409, "round_still_open");
    }
    declare(&meeting, &json!(round)).await.refuses(409, "round_still_open");
    let results = club.admin.get(&meeting.path("/results")).await.gives(200);
    assert_eq!(results["rounds"], json!([]));
    let file = export(&meeting, "format=json").await;
    assert_eq!(file.gives(200)["rounds"], json!([]));
    for (caller, path) in [
        (&club.admin, meeting.path("/rounds")),
        (&club.admin, meeting.path("/current-question")),
        (&club.admin, meeting.path("/current-question/stats")),
        (&club.admin, meeting.path("/results")),
        (&club.admin, meeting.path("/results/export?format=json")),
        (&club.admin, meeting.path(&format!("/rounds/{round}/register"))),
        (&club.admin, format!("/sse/meetings/{}/state", meeting.id)),
        (&app.anyone(), format!("/public/meetings/{}/presentation", meeting.id)),
    ] {
        let answer = caller.get(&path).await;
        assert_eq!(answer.status, 200, "{path}");
        assert!(!answer.text.contains("secret"), "{path}: {}", answer.text);
    }
    let listed = &meeting.rounds().await[0];
    assert_eq!((&listed["status"], &listed["countedAt"]), (&json!("OPEN"), &Value::Null));
}

#[tokio::test]
async fn texts_are_listed_in_pages_and_searched() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let meeting = club.meeting().await;
    let question = meeting.ask("OPEN_TEXT", json!({})).await;
    let mut voters = Vec::new();
    for (name, text) in
        [("ada", "A longer break"), ("ben", "a LONGER table"), ("cleo", "100 % more"), ("dora", "A longer break")]
    {
        voters.push((club.voter_of_weight(name, "1.5").await, text));
    }
    let round = meeting.open(&question).await["roundId"].clone();
    for (voter, text) in &voters {
        voter.vote(&meeting, &question, &[text]).await.gives(201);
    }
    meeting.clear().await;
    meeting.count(&round).await.gives(200);
    let answers = async |query: &str| {
        let answer = club.admin.get(&meeting.path(&format!("/rounds/{}/answers{query}", id(&round)))).await.gives(200);
        let texts: Vec<_> =
            answer["data"].as_array().unwrap().iter().map(|text| id(&text["text"]).to_owned()).collect();
        (texts, answer["meta"]["total"].as_u64().unwrap())
    };
    let all = vec!["100 % more".to_owned(), "A longer break".to_owned(), "a LONGER table".to_owned()];
    assert_eq!(answers("").await, (all.clone(), 3));
    assert_eq!(answers("?search=Longer").await, (all[1..].to_vec(), 2));
    assert_eq!(answers("?search=%25").await, (all[..1].to_vec(), 1));
    assert_eq!(answers("?page=2&pageSize=2").await, (all[2..].to_vec(), 3));
    assert_eq!(answers("?page=9").await, (Vec::new(), 3));
    let first = club.admin.get(&meeting.path(&format!("/rounds/{}/answers?search=break", id(&round)))).await.gives(200);
    assert_eq!(first["data"], json!([{ "text": "A longer break", "heads": 2, "weight": 3 }]));
    for (query, field) in [("page=0", "page"), ("pageSize=201", "pageSize")] {
        let wrong = club.admin.get(&meeting.path(&format!("/rounds/{}/answers?{query}", id(&round)))).await;
        assert_eq!(wrong.wrong_fields(), [field]);
    }
    let other = meeting.ask_yes_no().await;
    let round = meeting.open(&other).await["roundId"].clone();
    meeting.clear().await;
    meeting.count(&round).await.gives(200);
    let none = club.admin.get(&meeting.path(&format!("/rounds/{}/answers", id(&round)))).await.gives(200);
    assert_eq!(none, json!({ "data": [], "meta": { "page": 1, "pageSize": 50, "total": 0 } }));
}

#[tokio::test]
async fn connected_voters_make_the_quorum_or_block_the_opening() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let (ada, ben) = (club.voter("ada").await, club.voter_of_weight("ben", "2.5").await);
    club.voter("cleo").await;
    let meeting = club.meeting().await;
    let question = meeting.ask_yes_no().await;
    change(
        &app,
        &format!(
            "UPDATE meetings SET quorum = '{HALF_PRESENT}', quorum_at_opening = 'BAR' WHERE id = '{}'",
            meeting.id
        ),
    );
    let refused = meeting.put_question(json!({ "questionId": question })).await.refuses(409, "quorum_missed");
    assert_eq!(refused["error"], "Quorum not met: 0 present, 2 needed");
    assert_eq!(meeting.rounds().await, Vec::<Value>::new());
    // Two screens of a voter count once. Organizers and the presentation do not count.
    let mut streams = vec![EventStream::watch(&ada.caller, &meeting.id).await];
    streams.push(EventStream::watch(&ada.caller.on_a_new_connection(), &meeting.id).await);
    streams.push(EventStream::watch(&club.admin, &meeting.id).await);
    meeting.put_question(json!({ "questionId": question })).await.refuses(409, "quorum_missed");
    streams.push(EventStream::watch(&ben.caller, &meeting.id).await);
    let round = meeting.open(&question).await["roundId"].clone();
    drop(streams);
    ada.vote(&meeting, &question, &["Yes"]).await.gives(201);
    meeting.clear().await;
    let result = meeting.count(&round).await.gives(200);
    assert_eq!(result["connectedAtOpening"], json!({ "heads": 2, "weight": 3.5 }));
    let quorum = &result["arithmetic"]["quorum"];
    assert_eq!(
        quorum["sentence"],
        "Quorum met: 2 of 3 in the register by heads were present, 66.67 %; at least 1/2, that is 2, were needed"
    );
    assert_eq!((&quorum["isMet"], &result["quorum"]), (&json!(true), &quorum["quorum"]));
    // Without connected voters, a new opening is blocked, and so is a re-vote.
    let other = meeting.ask_yes_no().await;
    until("the streams have ended", async || {
        let refused = meeting.put_question(json!({ "questionId": other })).await;
        if refused.status == 200 {
            meeting.clear().await;
        }
        (refused.status == 409).then_some(())
    })
    .await;
    revote(&meeting, &question, "Again").await.refuses(409, "quorum_missed");
    change(&app, &format!("UPDATE meetings SET quorum_at_opening = 'WARN' WHERE id = '{}'", meeting.id));
    revote(&meeting, &question, "Again").await.gives(201);
    meeting.clear().await;
    let rounds = meeting.rounds().await;
    let second = rounds.iter().find(|round| round["number"] == 2).unwrap()["id"].clone();
    let missed = meeting.count(&second).await.gives(200);
    assert_eq!(
        (&missed["decision"]["outcome"], &missed["arithmetic"]["quorum"]["isMet"]),
        (&json!("quorum_missed"), &json!(false))
    );
}

#[tokio::test]
async fn an_exported_file_is_complete_and_names_voters_only_for_named_votes() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let mut voters = Vec::new();
    for (name, weight, answers) in
        [("dora", "1", ["A", "B"]), ("cleo", "2.5", ["B", "A"]), ("ben", "1", ["B", "A"]), ("ada", "1", ["B", "C"])]
    {
        voters.push((club.voter_of_weight(name, weight).await, answers));
    }
    let meeting = club.meeting_with(json!({ "status": "ACTIVE", "title": "Jahresversammlung “Süd” 2/3" })).await;
    let fields = json!({ "options": ["A", "B", "C"], "maxChoices": 2 });
    let (secret, named) =
        (meeting.ask("MULTIPLE_CHOICE", fields.clone()).await, meeting.ask("MULTIPLE_CHOICE", fields).await);
    change(&app, &format!("UPDATE questions SET secrecy = 'NAMED' WHERE id = '{named}'"));
    for question in [named.clone(), secret.clone()].iter() {
        meeting.open(question).await;
        let seen = voters[0].0.sees(&meeting).await["questions"].as_array().unwrap().clone();
        let is_listed = |asked: &Value| asked["id"] == *question.as_str() && asked["isNamed"] == (*question == named);
        assert!(seen.iter().any(is_listed), "{seen:?}");
        for (voter, answers) in &voters {
            voter.vote(&meeting, question, answers).await.gives(201);
        }
    }
    club.voter("late").await;
    meeting.clear().await;
    for round in meeting.rounds().await {
        meeting.count(&round["id"]).await.gives(200);
    }

    let answer = export(&meeting, "format=json&timeZone=Europe/Berlin").await;
    let day = id(&answer.gives(200)["exportedAt"])[..10].to_owned();
    let disposition = format!("attachment; filename=\"jahresversammlung-sud-2-3-results-{day}.json\"");
    assert_eq!(answer.header("content-disposition"), Some(disposition.as_str()));
    let file = answer.gives(200);
    assert_eq!(
        (&file["format"], &file["meeting"]["organization"]),
        (&json!("plenum-results/2"), &json!("Rowing Club"))
    );
    assert!(answer.text.starts_with("{\n  \"format\""), "{}", answer.text);
    let (of_secret, of_named) = (&file["rounds"][0], &file["rounds"][1]);
    let register: Vec<_> = of_secret["register"].as_array().unwrap().iter().map(|voter| id(&voter["name"])).collect();
    assert_eq!(register, ["ada", "ben", "cleo", "dora"]);
    assert_eq!(of_secret["register"][2]["weight"], json!(2.5));
    assert_eq!((&of_secret["register"][0]["place"], &of_secret["register"][0]["hasVoted"]), (&json!(1), &json!(true)));
    let options = |round: &Value| -> Vec<Value> {
        round["result"]["options"].as_array().unwrap().iter().map(|option| option["id"].clone()).collect()
    };
    // A ballot with the weight 2.5 would be that of Cleo.
    assert_eq!(of_secret["ballots"], json!([]));
    assert_eq!(of_secret["result"]["options"][0]["weight"], json!(4.5));
    let of = options(of_named);
    let places: Vec<_> =
        of_named["ballots"].as_array().unwrap().iter().map(|ballot| ballot["voter"].as_u64()).collect();
    assert_eq!(places, [Some(1), Some(2), Some(3), Some(4)]);
    assert_eq!(of_named["ballots"][0]["answer"], json!({ "options": [of[1], of[2]] }));
    assert_eq!(of_named["result"]["votesCast"], json!({ "heads": 4, "weight": 5.5 }));
    assert_eq!((&of_named["texts"], &file["remarks"]), (&json!([]), &json!([])));
    // Attendance notes are recorded even without connected voters.
    for note in file["attendance"].as_array().unwrap() {
        assert_eq!((&note["present"], &note["isQuorate"]), (&json!({ "heads": 0, "weight": 0 }), &Value::Null));
    }
    // The file, the page and the single result are equal.
    let page = club.admin.get(&meeting.path("/results")).await.gives(200);
    for (round, shown) in file["rounds"].as_array().unwrap().iter().zip(page["rounds"].as_array().unwrap()) {
        assert_eq!(round["result"], *shown);
        assert_eq!(meeting.count(&shown["roundId"]).await.gives(200), *shown);
    }
    assert_eq!(page["meeting"], file["meeting"]);
}

#[tokio::test]
async fn an_export_names_its_invalid_parameter() {
    let app = TestApp::start().await;
    let meeting = app.client("Rowing Club").await.meeting().await;
    for (query, field) in [
        ("", "format"),
        ("format=", "format"),
        ("format=doc", "format"),
        ("format=pdf&timeZone=Mars", "timeZone"),
        ("format=json&timeZone=%00", "timeZone"),
    ] {
        assert_eq!(export(&meeting, query).await.wrong_fields(), [field], "{query}");
    }
}

#[tokio::test]
async fn a_result_outlives_the_people_in_it() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let (ada, ben) = (club.voter_of_weight("ada", "1.5").await, club.voter("ben").await);
    let meeting = club.meeting().await;
    let question = meeting.ask_yes_no().await;
    decide_by(&app, &question, SIMPLE);
    let round = meeting.open(&question).await["roundId"].clone();
    ada.vote(&meeting, &question, &["Yes"]).await.gives(201);
    meeting.clear().await;
    let before = meeting.count(&round).await.gives(200);
    club.admin.delete(&format!("/client/end-users/{}", ada.id)).await.gives(200);
    club.admin.put(&format!("/client/end-users/{}", ben.id), json!({ "weight": 9, "name": "Benno" })).await.gives(200);
    change(&app, &format!("UPDATE options SET option_text = 'Aye' WHERE question_id = '{question}' AND position = 1"));
    assert_eq!(meeting.count(&round).await.gives(200), before);
    let file = export(&meeting, "format=json").await.gives(200);
    let register = file["rounds"][0]["register"].as_array().unwrap().clone();
    let voters: Vec<_> = register.iter().map(|voter| (id(&voter["name"]), &voter["weight"])).collect();
    assert_eq!(voters, [("ada", &json!(1.5)), ("ben", &json!(1))]);
    let declared = declare(&meeting, &round).await.gives(200);
    assert_eq!(declared["votesCast"], before["votesCast"]);
    club.admin.post(&meeting.path("/end"), Value::Null).await.gives(200);
    assert_eq!(meeting.count(&round).await.gives(200), declared);
}

#[tokio::test]
async fn a_declaration_reaches_the_screens() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    club.voter("ben").await;
    let meeting = club.meeting().await;
    let question = meeting.ask_yes_no().await;
    let round = meeting.open(&question).await["roundId"].clone();
    meeting.show(&question).await;
    let mut stream = EventStream::watch(&club.admin, &meeting.id).await;
    let before = stream.until("connected").await["step"].as_u64().unwrap();
    declare(&meeting, &round).await.gives(200);
    let update = stream.until_event(|event| event.data["step"] == before + 1).await;
    assert_eq!(update.data["step"], before + 1);
}

/// 20,000 voters. The test prints the times without judging them: `cargo test -- --nocapture`.
#[tokio::test]
async fn a_round_of_20000_voters_is_counted_and_exported() {
    const VOTERS: u64 = 20_000;
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let meeting = club.meeting().await;
    let question = meeting.ask_yes_no().await;
    decide_by(&app, &question, TWO_THIRDS_OF_WEIGHT);
    change(
        &app,
        &format!(
            "INSERT INTO end_users (id, client_id, username, name, weight, is_active, password_hash, created_at)
             SELECT gen_random_uuid(), '{}', 'voter-' || n, 'Voter ' || n, 0.0001 * n, true, 'hash', now()
             FROM generate_series(1, {VOTERS}) AS n",
            club.id
        ),
    );
    let round = meeting.open(&question).await["roundId"].clone();
    // Every second voter votes yes, every third of the others votes no, and the rest does not vote.
    change(
        &app,
        &format!(
            "INSERT INTO votes (id, round_id, end_user_id, option_ids, cast_at)
             SELECT gen_random_uuid(), round_id, end_user_id, ARRAY[option_id], now()
             FROM (SELECT *, substr(username, 7)::integer AS n FROM register) AS register
             JOIN round_options USING (round_id)
             WHERE round_id = '{round}'
               AND position = CASE WHEN n % 2 = 0 THEN 1 WHEN n % 3 = 0 THEN 2 END;
             INSERT INTO round_counters SELECT round_id, 1, count(*) FROM votes GROUP BY round_id",
            round = id(&round)
        ),
    );
    meeting.clear().await;
    let numbers: Vec<u64> = (1..=VOTERS).collect();
    let yes: Vec<u64> = numbers.iter().copied().filter(|n| n % 2 == 0).collect();
    let no: Vec<u64> = numbers.iter().copied().filter(|n| n % 2 != 0 && n % 3 == 0).collect();
    let begun = std::time::Instant::now();
    let result = meeting.count(&round).await.gives(200);
    println!("counting {VOTERS} voters: {:?}", begun.elapsed());
    let option =
        |place: usize| (result["options"][place]["heads"].as_u64(), result["options"][place]["weight"].as_f64());
    let weight = |voters: &[u64]| Some(voters.iter().sum::<u64>() as f64 / 10_000.0);
    assert_eq!(option(0), (Some(yes.len() as u64), weight(&yes)));
    assert_eq!(option(1), (Some(no.len() as u64), weight(&no)));
    assert_eq!(result["register"]["weight"].as_f64(), weight(&numbers));
    assert_eq!(result["register"]["heads"], VOTERS);
    assert_eq!(result["decision"]["outcome"], "accepted");

    let begun = std::time::Instant::now();
    let file = export(&meeting, "format=json").await;
    println!("exporting {VOTERS} voters: {:?}, {} bytes", begun.elapsed(), file.text.len());
    let file = file.gives(200);
    let round = &file["rounds"][0];
    assert_eq!(round["result"], result);
    assert_eq!(round["register"].as_array().unwrap().len() as u64, VOTERS);
    // Each weight is that of one voter.
    assert_eq!(round["ballots"], json!([]));
    assert_eq!(round["result"]["votesCast"]["heads"], (yes.len() + no.len()) as u64);
}
