//! Proxies by URL: grants with limits, the ballots of holders, and what results, files and the audit log say about them.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::http::support::{Organization, TestApp, TestMeeting, TestVoter};

fn settings() -> Value {
    json!({
        "isOn": true, "principalsMayGrant": true, "maxPrincipals": null, "maxWeight": null, "maxSharePercent": null,
        "holders": "PARTICIPANTS", "questionsWithout": [],
    })
}

async fn set(meeting: &TestMeeting, changes: Value) {
    let mut body = settings();
    for (name, value) in changes.as_object().unwrap() {
        body[name] = value.clone();
    }
    let set = meeting.admin.put(&meeting.path("/proxies/settings"), body.clone()).await.gives(200);
    assert_eq!(set, body);
}

async fn grant(meeting: &TestMeeting, principal: &str, holder: &str) -> String {
    let body = json!({ "principal": principal, "holder": holder, "reference": "Folder 3", "note": "Yes, please" });
    let granted = meeting.admin.post(&meeting.path("/proxies"), body).await.gives(201);
    granted["id"].as_str().unwrap().to_owned()
}

/// Casts ballots of a holder. Returns the code of each, or null.
async fn cast(meeting: &TestMeeting, question: &str, holder: &TestVoter, ballots: Value) -> Vec<Value> {
    let rounds = meeting.rounds().await;
    let round = rounds.iter().rfind(|round| round["questionId"] == question).unwrap()["id"].clone();
    let path = format!("/voting/meetings/{}/questions/{question}/votes", meeting.id);
    let body = json!({ "roundId": round, "ballots": ballots });
    let outcomes = holder.caller.post(&path, body).await.gives(200)["outcomes"].clone();
    outcomes.as_array().unwrap().clone()
}

async fn held(meeting: &TestMeeting, question: &str, holder: &TestVoter) -> Vec<(String, String)> {
    let path = format!("/voting/meetings/{}/questions/{question}/proxies", meeting.id);
    let votes = holder.caller.get(&path).await.gives(200)["votes"].clone();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    votes.as_array().unwrap().iter().map(|vote| (text(&vote["principal"]["username"]), text(&vote["state"]))).collect()
}

fn pair(name: &str, state: &str) -> (String, String) {
    (name.to_owned(), state.to_owned())
}

async fn hall(app: &TestApp) -> (Organization, [TestVoter; 3], TestMeeting) {
    let club = app.client("Rowing Club").await;
    let voters =
        [club.voter_of_weight("ada", "2.5").await, club.voter("ben").await, club.voter_of_weight("cem", "4").await];
    let meeting = club.meeting().await;
    set(&meeting, json!({})).await;
    (club, voters, meeting)
}

#[tokio::test]
async fn only_questions_of_the_meeting_are_without_proxies() {
    let app = TestApp::start().await;
    let (club, _, meeting) = hall(&app).await;
    let question = meeting.ask("YES_NO", json!({})).await;
    set(&meeting, json!({ "questionsWithout": [question] })).await;
    let elsewhere = club.meeting().await.ask("YES_NO", json!({})).await;
    for foreign in [elsewhere.as_str(), "00000000-0000-4000-8000-000000000000"] {
        let mut body = settings();
        body["questionsWithout"] = json!([question, foreign]);
        let refused = meeting.admin.put(&meeting.path("/proxies/settings"), body).await;
        assert_eq!((refused.status, refused.wrong_fields()), (422, vec!["questionsWithout".to_owned()]), "{foreign}");
    }
    // A question that was deleted since does not prevent a change of the other settings.
    meeting.admin.delete(&format!("/client/questions/{question}")).await.gives(200);
    set(&meeting, json!({ "questionsWithout": [question], "maxPrincipals": 3 })).await;
}

#[tokio::test]
async fn a_holder_votes_for_principals_and_files_and_recount_say_so() {
    let app = TestApp::start().await;
    let (club, [ada, ben, cem], meeting) = hall(&app).await;
    let question = meeting.ask("YES_NO", json!({ "options": ["Yes", "No"], "isNamed": true })).await;
    grant(&meeting, "ada", "ben").await;
    grant(&meeting, "cem", "ben").await;
    assert_eq!(ben.sees(&meeting).await["hasProxies"], true);
    for hidden in [question.as_str(), "00000000-0000-4000-8000-000000000000"] {
        let path = format!("/voting/meetings/{}/questions/{hidden}/proxies", meeting.id);
        ben.caller.get(&path).await.refuses(404, "question_not_found");
    }
    meeting.open(&question).await;
    assert_eq!(held(&meeting, &question, &ben).await, [pair("ada", "OPEN"), pair("cem", "OPEN")]);
    let ballots = json!([
        { "for": "self", "answers": ["Yes"] }, { "for": ada.id, "answers": ["No"] }, { "for": cem.id, "answers": ["Maybe"] },
    ]);
    let outcomes = cast(&meeting, &question, &ben, ballots.clone()).await;
    let codes: Vec<_> = outcomes.iter().map(|outcome| outcome["code"].clone()).collect();
    assert_eq!(codes, [json!(null), json!(null), json!("invalid_ballot")], "each on its own");
    assert_eq!(cast(&meeting, &question, &ben, ballots).await[..2], outcomes[..2], "a repeat gets the first votes");
    assert_eq!(held(&meeting, &question, &ben).await, [pair("ada", "CAST_BY_HOLDER"), pair("cem", "OPEN")]);
    let seen = ada.sees(&meeting).await["questions"][0].clone();
    assert_eq!(
        (&seen["hasVoted"], &seen["votedByProxy"], &seen["userVote"]),
        (&json!(true), &json!(true), &json!(["No"]))
    );
    let refused = ada.vote(&meeting, &question, &["No"]).await.refuses(409, "already_voted");
    assert_eq!(refused["error"], "The holder of your proxy has already voted for you.");
    meeting.clear().await;
    let round = meeting.rounds().await[0]["id"].clone();
    meeting.count(&round).await.gives(200);
    let result = meeting.result(&round).await.gives(200);
    assert_eq!(result["votesCast"], json!({ "heads": 2, "weight": 3.5 }));
    assert_eq!(result["present"], json!({ "heads": 1, "weight": 1 }), "{result}");
    assert_eq!(result["represented"], json!({ "heads": 1, "weight": 2.5 }));
    let file = meeting.admin.get(&meeting.path("/results/export?format=json")).await.text;
    let mut read = plenum_verify::read(file.as_bytes()).unwrap();
    let entry = &read.rounds[0].register[0];
    assert_eq!(entry.represented_by.as_ref().map(|holder| holder.username.as_str()), Some("ben"));
    assert!(entry.voted_by_proxy);
    assert_eq!(read.rounds[0].ballots[0].cast_by.as_deref(), Some("ben"));
    assert!(plenum_verify::verify(&read).agrees(), "{:?}", plenum_verify::verify(&read));
    read.rounds[0].ballots[1].cast_by = Some("ada".to_owned());
    assert!(!plenum_verify::verify(&read).agrees(), "somebody without a proxy cast a ballot");
    let log = club.admin.get("/client/audit?limit=200").await.gives(200);
    let kinds = log["data"].as_array().unwrap();
    assert_eq!(kinds.iter().filter(|entry| entry["kind"] == "proxy_granted").count(), 2);
    assert!(kinds.iter().any(|entry| entry["kind"] == "proxy_settings_changed"));
    assert!(!log.to_string().contains("Yes, please"), "the instructions are not in the log");
}

#[tokio::test]
async fn a_proxy_rests_for_the_vote_in_which_the_principal_votes() {
    let app = TestApp::start().await;
    let (_, [ada, ben, cem], meeting) = hall(&app).await;
    let question = meeting.ask_yes_no().await;
    grant(&meeting, "ada", "ben").await;
    meeting.open(&question).await;
    ada.vote(&meeting, &question, &["Yes"]).await.gives(201);
    let late = cast(&meeting, &question, &ben, json!([{ "for": ada.id, "answers": ["No"] }])).await;
    assert_eq!(late[0]["code"], "already_voted");
    assert_eq!(late[0]["error"], "This person has already voted, so your proxy rests.");
    assert_eq!(held(&meeting, &question, &ben).await, [pair("ada", "VOTED_BY_PRINCIPAL")]);
    let stranger = cast(&meeting, &question, &cem, json!([{ "for": ada.id, "answers": ["No"] }])).await;
    assert_eq!(stranger[0]["code"], "no_proxy", "it says nothing about the vote");
    let own = ada.caller.get(&format!("/voting/meetings/{}/proxies", meeting.id)).await.gives(200);
    assert_eq!(own["uses"][0]["state"], "VOTED_BY_PRINCIPAL");
    assert_eq!(own["uses"][0]["roundId"], meeting.rounds().await[0]["id"]);
    assert_eq!((&own["given"][0]["note"], &own["given"][0]["reference"]), (&json!("Yes, please"), &json!("Folder 3")));
    let other = cem.caller.get(&format!("/voting/meetings/{}/proxies", meeting.id)).await.gives(200);
    assert_eq!((&other["given"], &other["held"]), (&json!([]), &json!([])));
}

#[tokio::test]
async fn limits_are_refused_with_their_field_and_numbers() {
    let app = TestApp::start().await;
    let (_, [ada, _, cem], meeting) = hall(&app).await;
    set(&meeting, json!({ "maxPrincipals": 1 })).await;
    let own = format!("/voting/meetings/{}/proxies", meeting.id);
    ada.caller.post(&own, json!({ "holder": "Ben" })).await.gives(201);
    let refused = cem.caller.post(&own, json!({ "holder": "ben" })).await.refuses(422, "proxy_limit");
    let text = "Ben would vote for 2 people on one question, and the limit is 1.";
    assert_eq!(refused["fields"]["holder"], json!([text]));
    set(&meeting, json!({ "maxSharePercent": 50 })).await;
    let refused = cem.caller.post(&own, json!({ "holder": "ben" })).await.refuses(422, "proxy_limit");
    let text = "Ben would vote for others with the weight 6.5 of 7.5 on one question, and the limit is 50 %.";
    assert_eq!(refused["error"], text);
    set(&meeting, json!({ "principalsMayGrant": false })).await;
    cem.caller.post(&own, json!({ "holder": "ben" })).await.refuses(403, "proxies_by_organizer");
    let chain = json!({ "principal": "ben", "holder": "cem" });
    let refused = meeting.admin.post(&meeting.path("/proxies"), chain).await.refuses(422, "proxy_refused");
    assert!(refused["fields"]["principal"].is_array(), "{refused}");
    let nobody = json!({ "principal": "nobody", "holder": "cem" });
    meeting.admin.post(&meeting.path("/proxies"), nobody).await.refuses(422, "proxy_refused");
    let holders = meeting.admin.get(&meeting.path("/proxies/holders")).await.gives(200);
    assert_eq!((&holders["wholeWeight"], &holders["holders"][0]["principals"]), (&json!(7.5), &json!(1)));
    let given = ada.caller.get(&own).await.gives(200)["given"][0]["id"].as_str().unwrap().to_owned();
    cem.caller.delete(&format!("{own}/{given}")).await.refuses(404, "proxy_not_found");
    ada.caller.delete(&format!("{own}/{given}")).await.gives(200);
    ada.caller.delete(&format!("{own}/{given}")).await.refuses(409, "proxy_revoked");
    set(&meeting, json!({ "isOn": false })).await;
    ada.caller.post(&own, json!({ "holder": "ben" })).await.refuses(409, "proxies_off");
    for (field, value) in
        [("maxPrincipals", json!(0)), ("maxWeight", json!(0.0000001)), ("maxSharePercent", json!(101))]
    {
        let mut body = settings();
        body[field] = value;
        let refused = meeting.admin.put(&meeting.path("/proxies/settings"), body).await.refuses(422, "invalid_input");
        assert!(refused["fields"][field].is_array(), "{refused}");
    }
}

#[tokio::test]
async fn a_file_is_checked_before_all_of_its_proxies_are_granted() {
    let app = TestApp::start().await;
    let (_, _, meeting) = hall(&app).await;
    let import = |text: &str, dry_run: bool| {
        let file = json!({ "fileName": "proxies.csv", "content": STANDARD.encode(text) });
        let (admin, path) = (meeting.admin.clone(), meeting.path("/proxies/import"));
        async move { admin.post(&path, json!({ "file": file, "dryRun": dry_run })).await }
    };
    let wrong = "Principal,Holder,Reference\r\nada,ben,Folder 3\r\nada,cem,\r\nnobody,ben,\r\n";
    let checked = import(wrong, true).await.gives(200);
    let errors: Vec<_> = checked["rows"].as_array().unwrap().iter().map(|row| row["error"].clone()).collect();
    assert_eq!(errors[0], Value::Null);
    assert_eq!(errors[1], "Ada has already given a proxy to ben; revoke it first.");
    assert_eq!(errors[2], "There is no person with this username.");
    import(wrong, false).await.refuses(409, "import_has_errors");
    let right = "Vollmachtgeber;Bevollmächtigter;Beleg;Weisung\r\nAda;ben;Folder 3;Yes\r\ncem;ben;;\r\n";
    assert_eq!(import(right, false).await.gives(200)["applied"], true);
    let listed = meeting.admin.get(&meeting.path("/proxies?search=folder")).await.gives(200);
    assert_eq!((&listed["meta"]["total"], &listed["data"][0]["note"]), (&json!(1), &json!("Yes")));
    import("Name\r\nada\r\n", true).await.refuses(422, "invalid_input");
    let exported = meeting.admin.get(&meeting.path("/proxies/export")).await.text;
    assert!(exported.contains("ada,ada,2.5,ben,ben,All,Folder 3,Yes,"), "{exported}");
    assert!(exported.contains("Revoked by\r\n"), "no mark of test data: {exported}");
}

#[tokio::test]
async fn files_of_attendance_and_proxies_of_test_data_are_marked_and_can_be_imported_again() {
    const MARK: &str = "This meeting is test data: its results decide nothing.";
    let app = TestApp::start().await;
    let (club, _, real) = hall(&app).await;
    let test = club.meeting_with(json!({ "status": "ACTIVE", "title": "TEST_Assembly" })).await;
    set(&test, json!({})).await;
    grant(&test, "ada", "ben").await;
    for (path, heading) in [("/attendance/export", "Received later"), ("/proxies/export", "Revoked by")] {
        let marked = test.admin.get(&test.path(path)).await;
        assert_eq!(marked.status, 200, "{}", marked.text);
        assert!(marked.text.contains(&format!("{heading},{MARK}\r\n")), "{}", marked.text);
        let unmarked = real.admin.get(&real.path(path)).await.text;
        assert!(unmarked.contains(&format!("{heading}\r\n")) && !unmarked.contains(MARK), "{unmarked}");
        let workbook = test.admin.get(&test.path(&format!("{path}?format=xlsx"))).await;
        assert_eq!(workbook.status, 200, "{}", workbook.text);
    }
    let exported = test.admin.get(&test.path("/proxies/export")).await.text;
    let file = json!({ "fileName": "proxies.csv", "content": STANDARD.encode(exported) });
    let body = json!({ "file": file, "dryRun": true });
    let read = real.admin.post(&real.path("/proxies/import"), body).await.gives(200);
    assert_eq!(read["rows"].as_array().unwrap().len(), 1, "the lines of the signature are no proxies: {read}");
    assert_eq!(read["rows"][0]["error"], Value::Null, "{read}");
}

#[tokio::test]
async fn the_ballots_of_a_holder_in_a_secret_vote_are_sealed_each_on_its_own() {
    let app = TestApp::start().await;
    let (_, [ada, ben, cem], meeting) = hall(&app).await;
    let question =
        meeting.ask("YES_NO", json!({ "options": ["Yes", "No"], "secrecy": "secret", "countsHeads": true })).await;
    grant(&meeting, "ada", "ben").await;
    grant(&meeting, "cem", "ben").await;
    // With three people of the same weight, the totals could tell.
    let path = meeting.path("/current-question?acceptRisk=true");
    meeting.admin.put(&path, json!({ "questionId": question })).await.gives(200);
    let all = ["self", ada.id.as_str(), cem.id.as_str()];
    let ballots: Vec<Value> = all.iter().map(|id| json!({ "for": id, "answers": ["Yes"] })).collect();
    let outcomes = cast(&meeting, &question, &ben, json!(ballots)).await;
    let mut receipts: Vec<&str> = outcomes.iter().map(|outcome| outcome["vote"]["receipt"].as_str().unwrap()).collect();
    receipts.sort_unstable();
    receipts.dedup();
    assert_eq!(receipts.len(), 3, "each principal has a receipt of their own");
    let seen = ada.sees(&meeting).await["questions"][0].clone();
    assert_eq!(seen["userVote"], Value::Null, "nobody sees the answer");
    assert!(receipts.contains(&seen["receipt"].as_str().unwrap()), "the principal can look up the ballot");
}

#[tokio::test]
async fn a_principal_does_not_see_an_unshown_answer_of_the_holder() {
    let app = TestApp::start().await;
    let (_, [ada, ben, _], meeting) = hall(&app).await;
    let question = meeting.ask_yes_no().await;
    grant(&meeting, "ada", "ben").await;
    meeting.open(&question).await;
    cast(&meeting, &question, &ben, json!([{ "for": ada.id, "answers": ["No"] }])).await;
    let seen = ada.sees(&meeting).await["questions"][0].clone();
    assert_eq!((&seen["votedByProxy"], &seen["userVote"]), (&json!(true), &Value::Null));
}

#[tokio::test]
async fn a_holder_who_is_not_on_the_list_takes_part_for_the_principal() {
    let app = TestApp::start().await;
    let (_, [ada, ben, _], meeting) = hall(&app).await;
    set(&meeting, json!({ "holders": "ANYBODY" })).await;
    meeting.admin.post(&meeting.path("/participants"), json!({ "endUserIds": [ada.id] })).await.gives(200);
    assert_eq!(ben.caller.get(&format!("/voting/meetings/{}", meeting.id)).await.status, 403);
    grant(&meeting, "ada", "ben").await;
    let question = meeting.ask_yes_no().await;
    meeting.open(&question).await;
    assert_eq!(ben.sees(&meeting).await["questions"][0]["isInRegister"], false);
    let outcomes = cast(
        &meeting,
        &question,
        &ben,
        json!([{ "for": "self", "answers": ["No"] }, { "for": ada.id, "answers": ["No"] }]),
    )
    .await;
    assert_eq!((&outcomes[0]["code"], &outcomes[1]["code"]), (&json!("not_in_register"), &Value::Null));
}

#[tokio::test]
async fn a_holder_without_a_vote_is_checked_in_for_the_principal() {
    let app = TestApp::start().await;
    let (_, [ada, ben, cem], meeting) = hall(&app).await;
    set(&meeting, json!({ "holders": "ANYBODY" })).await;
    meeting.admin.put(&meeting.path(""), json!({ "checkIn": "ON" })).await.gives(200);
    meeting.admin.post(&meeting.path("/participants"), json!({ "endUserIds": [ada.id] })).await.gives(200);
    let path = meeting.path("/attendance");
    let note = |person: &str| json!({ "endUserId": person, "kind": "IN" });
    meeting.admin.post(&path, note(&ben.id)).await.refuses(409, "may_not_vote_here");
    grant(&meeting, "ada", "ben").await;
    meeting.admin.post(&path, note(&cem.id)).await.refuses(409, "may_not_vote_here");
    meeting.admin.post(&path, note(&ben.id)).await.gives(200);
    let list = meeting.admin.get(&path).await.gives(200);
    let rows: Vec<_> = list["data"].as_array().unwrap().iter().map(|row| (&row["name"], &row["mayVote"])).collect();
    assert_eq!(rows, [(&json!("ada"), &json!(true)), (&json!("ben"), &json!(false))]);
    assert_eq!((&list["data"][0]["holders"], &list["data"][1]["weight"]), (&json!(["ben"]), &json!(0)));
    assert_eq!(list["totals"]["eligible"], json!({ "heads": 1, "weight": 2.5 }));
    assert_eq!(list["totals"]["present"], json!({ "heads": 0, "weight": 0 }));
    let question = meeting.ask_yes_no().await;
    meeting.open(&question).await;
    let outcomes = cast(&meeting, &question, &ben, json!([{ "for": ada.id, "answers": ["No"] }])).await;
    assert_eq!(outcomes[0]["code"], Value::Null, "{outcomes:?}");
}
