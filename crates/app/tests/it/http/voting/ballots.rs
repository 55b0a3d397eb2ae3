use plenum_adapter_http::HttpSettings;
use plenum_voting::VoteReset;
use serde_json::{Value, json};

use crate::http::support::{Answer, EventStream, NO_ID, TestApp};

#[tokio::test]
async fn a_voter_sees_opened_questions_and_own_answers() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let ben = club.voter("ben").await;
    let meeting = club.meeting_with(json!({ "status": "ACTIVE", "description": "Yearly" })).await;
    let questions = meeting.with_questions().await;
    let list = ben.caller.get("/voting/meetings").await.gives(200);
    assert_eq!(list["success"], true);
    assert_eq!((&list["meetings"][0]["id"], &list["meetings"][0]["status"]), (&json!(meeting.id), &json!("ACTIVE")));
    assert_eq!(ben.sees(&meeting).await["questions"], json!([]));

    for question in &questions {
        meeting.open(question).await;
    }
    ben.vote(&meeting, &questions[4], &[" More trees "]).await.gives(201);
    let seen = ben.sees(&meeting).await;
    assert_eq!((&seen["organization"], &seen["description"]), (&json!("Rowing Club"), &json!("Yearly")));
    assert_eq!(seen["canResetVote"], false);
    let seen = seen["questions"].as_array().unwrap();
    let types: Vec<_> = seen.iter().map(|question| question["type"].as_str().unwrap()).collect();
    assert_eq!(types, ["SINGLE_CHOICE", "MULTIPLE_CHOICE", "RATING", "PERCENTAGE", "TEXT"]);
    let active: Vec<_> = seen.iter().map(|question| question["isActive"].as_bool().unwrap()).collect();
    assert_eq!(active, [false, false, false, false, true]);
    assert_eq!((&seen[1]["options"], &seen[1]["maxChoices"]), (&json!(["A", "B", "C"]), &json!(2)));
    assert_eq!((&seen[0]["hasVoted"], &seen[0]["userVote"]), (&json!(false), &Value::Null));
    assert_eq!((&seen[4]["hasVoted"], &seen[4]["userVote"]), (&json!(true), &json!(["More trees"])));
    assert!(seen[4]["votedAt"].is_string());
    assert_eq!(seen[4]["isInRegister"], true);
}

type Answers<'a> = &'a [&'a str];
/// Valid answers, each as sent and as stored, and invalid answers.
type Case<'a> = (&'a [(Answers<'a>, Answers<'a>)], &'a [Answers<'a>]);

#[tokio::test]
async fn every_type_accepts_its_own_answers_and_no_others() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let meeting = club.meeting().await;
    let questions = meeting.with_questions().await;
    let long = "a".repeat(2_000);
    let too_long = "a".repeat(2_001);
    let cases: [Case<'_>; 5] = [
        (
            &[(&["Yes"], &["Yes"]), (&["No"], &["No"]), (&["Abstain"], &["Abstain"])],
            &[&[], &[""], &["Maybe"], &["Yes", "No"], &["Yes", "Yes"], &["a\0b"]],
        ),
        (
            &[(&["A"], &["A"]), (&["C", "A"], &["A", "C"])],
            &[&[], &["D"], &["A", "A"], &["A", "B", "C"], &["A", ""], &["a\0b"]],
        ),
        (
            &[(&["1"], &["1"]), (&[" 5 "], &["5"])],
            &[&[], &["0"], &["6"], &["2.5"], &["-1"], &["five"], &["1", "2"], &["99999999999"], &["\0"]],
        ),
        (
            &[(&["0"], &["0"]), (&["100"], &["100"]), (&["37.5"], &["37.5"]), (&["12.3456"], &["12.3456"])],
            &[&[], &["-1"], &["100.0001"], &["1e1"], &["12.34567"], &["half"], &["50%"], &["1", "2"], &["NaN"]],
        ),
        (
            &[(&[" Zoé: \"{,}\" \\ 🗳️\nnext "], &["Zoé: \"{,}\" \\ 🗳️\nnext"]), (&[long.as_str()], &[long.as_str()])],
            &[&[], &["  "], &[too_long.as_str()], &["a\0b"], &["a", "b"], &["a\u{7}b"]],
        ),
    ];
    for (place, (question, (good, bad))) in questions.iter().zip(cases).enumerate() {
        let critic = club.voter(&format!("critic-{place}")).await;
        let mut voters = Vec::new();
        for number in 0..good.len() {
            voters.push(club.voter(&format!("voter-{place}-{number}")).await);
        }
        meeting.open(question).await;
        for answers in bad {
            let answer = critic.vote(&meeting, question, answers).await;
            let error = answer.refuses(422, "invalid_ballot");
            assert!(error["fields"]["answers"][0].is_string(), "{answers:?}: {error}");
        }
        for (voter, (answers, stored)) in voters.iter().zip(good) {
            let vote = voter.vote(&meeting, question, answers).await.gives(201);
            assert_eq!(vote["success"], true);
            assert_eq!(vote["vote"]["answers"], json!(stored));
        }
        let count = club.admin.get(&meeting.path("/current-question")).await.gives(200)["voteCount"].clone();
        assert_eq!(count, good.len(), "question {place}");
    }
}

#[tokio::test]
async fn an_answer_matches_regardless_of_its_unicode_form() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let ben = club.voter("ben").await;
    let meeting = club.meeting().await;
    let choice = meeting.ask("MULTIPLE_CHOICE", json!({ "options": ["Cafe\u{301}", "Cafe"] })).await;
    let text = meeting.ask("OPEN_TEXT", json!({})).await;
    for question in [&choice, &text] {
        meeting.open(question).await;
        let vote = ben.vote(&meeting, question, &["Cafe\u{301}"]).await.gives(201);
        assert_eq!(vote["vote"]["answers"], json!(["Caf\u{e9}"]));
        assert_eq!(ben.vote(&meeting, question, &["Caf\u{e9}"]).await.gives(201), vote);
        ben.vote(&meeting, question, &["Cafe"]).await.refuses(409, "already_voted");
    }
}

#[tokio::test]
async fn the_same_answer_again_gives_the_first_vote_and_another_one_is_refused() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let ben = club.voter("ben").await;
    let meeting = club.meeting().await;
    let [yes_no, choices, _, percentage, _] = meeting.with_questions().await;
    for (question, first, same, other) in [
        (&yes_no, vec!["Yes"], vec!["Yes"], vec!["No"]),
        (&choices, vec!["A", "B"], vec!["B", "A"], vec!["A"]),
        (&percentage, vec!["50"], vec!["50.0"], vec!["50.1"]),
    ] {
        meeting.open(question).await;
        let vote = ben.vote(&meeting, question, &first).await.gives(201);
        assert_eq!(ben.vote(&meeting, question, &same).await.gives(201), vote);
        let refused = ben.vote(&meeting, question, &other).await.refuses(409, "already_voted");
        assert_eq!(refused["error"], "You have already voted");
        let count = club.admin.get(&meeting.path("/current-question")).await.gives(200)["voteCount"].clone();
        assert_eq!(count, 1);
        // Also after the end of the round, because the first response may have been lost.
        meeting.clear().await;
        assert_eq!(ben.vote(&meeting, question, &same).await.gives(201), vote);
        ben.vote(&meeting, question, &other).await.refuses(409, "already_voted");
    }
}

#[tokio::test]
async fn errors_of_a_vote_are_plain_text_unless_the_request_accepts_json() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let ben = club.voter("ben").await;
    let meeting = club.meeting().await;
    let question = meeting.ask_yes_no().await;
    meeting.open(&question).await;
    let path = meeting.vote_path(&question);
    let plainly = async |token: &str, path: &str, answers: Value| {
        let request = app.anyone().with_token(token).request("POST", path).json(&json!({ "answers": answers }));
        Answer::read(request.send().await.unwrap()).await
    };
    let token = ben.caller.token();
    let good = plainly(token, &path, json!(["Yes"])).await;
    good.gives(201);
    let nowhere = meeting.vote_path(NO_ID);
    for (token, path, answers, status, text) in [
        (token, &path, json!(["No"]), 409, "You have already voted"),
        (token, &path, json!([]), 422, "Please select an answer"),
        (token, &nowhere, json!(["Yes"]), 404, "The question does not exist"),
        ("garbled", &path, json!(["Yes"]), 403, "The access token is not valid."),
        (club.admin.token(), &path, json!(["Yes"]), 403, "Your role may not do this."),
    ] {
        let answer = plainly(token, path, answers).await;
        assert_eq!((answer.status, answer.text.as_str()), (status, text));
        assert_eq!(answer.header("content-type"), Some("text/plain; charset=utf-8"));
    }
    let request = app.anyone().request("DELETE", &path);
    let nobody = Answer::read(request.send().await.unwrap()).await;
    assert_eq!((nobody.status, nobody.text.as_str()), (401, "Authentication required"));
    assert_eq!(nobody.header("content-type"), Some("text/plain; charset=utf-8"));
    ben.vote(&meeting, &question, &["No"]).await.refuses(409, "already_voted");
}

#[tokio::test]
async fn the_register_decides_who_votes() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let (ada, ben) = (club.voter("ada").await, club.voter("ben").await);
    let meeting = club.meeting().await;
    let question = meeting.ask_yes_no().await;
    club.admin.post(&meeting.path("/participants"), json!({ "endUserIds": [ada.id] })).await.gives(200);
    meeting.open(&question).await;
    ben.vote(&meeting, &question, &["Yes"]).await.refuses(403, "not_in_register");

    // The list changes while the round is open. The register does not.
    club.admin.post(&meeting.path("/participants"), json!({ "endUserIds": [ben.id] })).await.gives(200);
    let body = json!({ "endUserIds": [ada.id] });
    club.admin.call("DELETE", &meeting.path("/participants"), Some(body)).await.gives(200);
    ben.vote(&meeting, &question, &["Yes"]).await.refuses(403, "not_in_register");
    assert_eq!(ben.sees(&meeting).await["questions"][0]["isInRegister"], false);
    ada.vote(&meeting, &question, &["Yes"]).await.gives(201);
    let late = club.voter("late").await;
    late.vote(&meeting, &question, &["Yes"]).await.refuses(403, "not_in_register");
}

#[tokio::test]
async fn a_list_added_during_a_round_excludes_no_voter_of_its_register() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let (ada, ben) = (club.voter("ada").await, club.voter("ben").await);
    let meeting = club.meeting().await;
    let question = meeting.ask_yes_no().await;
    meeting.open(&question).await;
    club.admin.post(&meeting.path("/participants"), json!({ "endUserIds": [ada.id] })).await.gives(200);

    let list = ben.caller.get("/voting/meetings").await.gives(200);
    assert_eq!(list["meetings"][0]["id"], meeting.id);
    let seen = ben.sees(&meeting).await["questions"][0].clone();
    assert_eq!((&seen["isActive"], &seen["isInRegister"]), (&json!(true), &json!(true)));
    let mut stream = EventStream::watch(&ben.caller, &meeting.id).await;
    assert_eq!(stream.until("connected").await["currentQuestion"]["id"], question);
    ben.vote(&meeting, &question, &["Yes"]).await.gives(201);
    // A later voter is in neither.
    let late = club.voter("late").await;
    late.caller.get(&format!("/voting/meetings/{}", meeting.id)).await.refuses(403, "not_invited");

    meeting.clear().await;
    assert_eq!(ben.caller.get("/voting/meetings").await.gives(200)["meetings"], json!([]));
    ben.caller.get(&format!("/voting/meetings/{}", meeting.id)).await.refuses(403, "not_invited");
    ben.caller.get(&format!("/sse/meetings/{}/stream", meeting.id)).await.refuses(403, "not_invited");
    assert_eq!(ada.sees(&meeting).await["questions"][0]["isActive"], false);
}

#[tokio::test]
async fn votes_for_unknown_questions_are_404() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let stranger = app.client("Sailing Club").await.voter("ben").await;
    let ben = club.voter("ben").await;
    let (meeting, other) = (club.meeting().await, club.meeting().await);
    let question = meeting.ask_yes_no().await;
    ben.vote(&meeting, &question, &["Yes"]).await.refuses(404, "question_not_found");
    meeting.open(&question).await;
    ben.vote(&other, &question, &["Yes"]).await.refuses(404, "question_not_found");
    ben.vote(&meeting, NO_ID, &["Yes"]).await.refuses(404, "question_not_found");
    ben.vote(&meeting, "no-id", &["Yes"]).await.refuses(404, "question_not_found");
    stranger.vote(&meeting, &question, &["Yes"]).await.refuses(404, "question_not_found");
    // Also when the ballot service remembers the round.
    ben.vote(&meeting, &question, &["Yes"]).await.gives(201);
    stranger.vote(&meeting, &question, &["Yes"]).await.refuses(404, "question_not_found");
    ben.vote(&other, &question, &["Yes"]).await.refuses(404, "question_not_found");
    stranger.caller.get(&format!("/voting/meetings/{}", meeting.id)).await.refuses(404, "meeting_not_found");
}

#[tokio::test]
async fn drafts_are_hidden_from_voters_and_other_meetings_are_not() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let ben = club.voter("ben").await;
    for status in ["DRAFT", "SCHEDULED", "ACTIVE", "COMPLETED", "CANCELLED"] {
        let meeting = club.meeting_with(json!({ "status": status })).await;
        let list = ben.caller.get("/voting/meetings").await.gives(200);
        let is_listed = list["meetings"].as_array().unwrap().iter().any(|row| row["id"] == meeting.id.as_str());
        assert_eq!(is_listed, status != "DRAFT", "{status}");
        let found = ben.caller.get(&format!("/voting/meetings/{}", meeting.id)).await;
        match status {
            "DRAFT" => found.refuses(404, "meeting_not_open_yet"),
            _ => found.gives(200),
        };
    }
}

#[tokio::test]
async fn the_body_of_a_vote_is_a_list_of_texts() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let ben = club.voter("ben").await;
    let meeting = club.meeting().await;
    let question = meeting.ask_yes_no().await;
    meeting.open(&question).await;
    for answers in [json!("Yes"), json!([1]), json!([null]), json!({ "a": "Yes" }), Value::Null, json!([["Yes"]])] {
        let answer = ben.caller.post(&meeting.vote_path(&question), json!({ "answers": answers })).await;
        assert!(answer.wrong_fields()[0].starts_with("answers"), "{answers}: {}", answer.text);
    }
    let answer = ben.caller.post(&meeting.vote_path(&question), json!({})).await;
    assert_eq!(answer.wrong_fields(), ["answers"]);
}

#[tokio::test]
async fn a_vote_is_reset_only_if_allowed_and_only_in_an_open_round() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let ben = club.voter("ben").await;
    let meeting = club.meeting().await;
    let question = meeting.ask_yes_no().await;
    meeting.open(&question).await;
    ben.vote(&meeting, &question, &["Yes"]).await.gives(201);
    ben.caller.delete(&meeting.vote_path(&question)).await.refuses(403, "vote_reset_disabled");

    let app =
        TestApp::start_with(HttpSettings { vote_reset: VoteReset::Demonstration, ..HttpSettings::default() }).await;
    let club = app.client("Rowing Club").await;
    let (ada, ben) = (club.voter("ada").await, club.voter("ben").await);
    let meeting = club.meeting().await;
    let question = meeting.ask_yes_no().await;
    let path = meeting.vote_path(&question);
    ben.caller.delete(&path).await.refuses(404, "question_not_found");
    meeting.open(&question).await;
    assert_eq!(ben.sees(&meeting).await["canResetVote"], true);
    ben.caller.delete(&path).await.refuses(404, "vote_not_found");
    ada.vote(&meeting, &question, &["No"]).await.gives(201);
    ben.vote(&meeting, &question, &["Yes"]).await.gives(201);
    assert_eq!(ben.caller.delete(&path).await.gives(200), json!({ "success": true }));
    assert_eq!(ben.sees(&meeting).await["questions"][0]["hasVoted"], false);
    assert_eq!(ada.sees(&meeting).await["questions"][0]["hasVoted"], true);
    assert_eq!(club.admin.get(&meeting.path("/current-question")).await.gives(200)["voteCount"], 1);
    ben.vote(&meeting, &question, &["No"]).await.gives(201);
    meeting.clear().await;
    ben.caller.delete(&path).await.refuses(409, "round_not_open");
}

#[tokio::test]
async fn outside_a_demonstration_a_vote_is_reset_only_in_a_round_opened_as_test_data() {
    let app = TestApp::start_with(HttpSettings { vote_reset: VoteReset::TestData, ..HttpSettings::default() }).await;
    let club = app.client("Rowing Club").await;
    let ben = club.voter("ben").await;
    let meeting = club.meeting().await;
    let question = meeting.ask_yes_no().await;
    meeting.open(&question).await;
    ben.vote(&meeting, &question, &["Yes"]).await.gives(201);
    assert_eq!(ben.sees(&meeting).await["canResetVote"], false);
    ben.caller.delete(&meeting.vote_path(&question)).await.refuses(403, "vote_reset_disabled");
    // A real meeting with votes does not become test data.
    let renamed = club.admin.put(&meeting.path(""), json!({ "title": "TEST_assembly" })).await;
    renamed.refuses(409, "test_mark_settled");
    ben.caller.delete(&meeting.vote_path(&question)).await.refuses(403, "vote_reset_disabled");
    let test = club.meeting_with(json!({ "status": "ACTIVE", "title": "TEST_assembly" })).await;
    let rehearsed = test.ask_yes_no().await;
    test.open(&rehearsed).await;
    ben.vote(&test, &rehearsed, &["Yes"]).await.gives(201);
    assert_eq!(ben.sees(&test).await["canResetVote"], true);
    ben.caller.delete(&test.vote_path(&rehearsed)).await.gives(200);
}

#[tokio::test]
async fn a_vote_that_names_its_round_is_counted_in_no_other() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let ben = club.voter("ben").await;
    let meeting = club.meeting().await;
    let question = meeting.ask_yes_no().await;
    let first = meeting.open(&question).await["roundId"].clone();
    assert_eq!(ben.sees(&meeting).await["questions"][0]["roundId"], first);
    meeting.clear().await;
    // The round has no votes, so it freezes again.
    let second = meeting.open(&question).await["roundId"].clone();
    let path = meeting.vote_path(&question);
    let vote = |round: &Value| json!({ "answers": ["Yes"], "roundId": round });
    let refused = ben.caller.post(&path, vote(&first)).await.refuses(409, "round_over");
    let text = "Your vote was not counted: a new round of this question has opened since.";
    assert_eq!(refused["error"], text);
    assert_eq!(ben.sees(&meeting).await["questions"][0]["hasVoted"], false);
    let stored = ben.caller.post(&path, vote(&second)).await.gives(201);
    assert_eq!(ben.caller.post(&path, vote(&second)).await.gives(201), stored);
    assert_eq!(ben.caller.post(&path, vote(&json!("garbled"))).await.wrong_fields(), ["roundId"]);
}
