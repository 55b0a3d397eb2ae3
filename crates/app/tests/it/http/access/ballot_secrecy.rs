//! The limits of ballot secrecy from docs/security.md: each way exists, and leaves its trace.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::http::support::{Caller, TestApp, TestMeeting};

#[tokio::test]
async fn an_organizer_who_signs_in_as_a_voter_learns_no_answer_of_an_unnamed_question() {
    let app = TestApp::start().await;
    // Two organizations that differ only in the voter's answer.
    let mut learned = Vec::new();
    for answer in ["Yes", "No"] {
        let club = app.client(&format!("Club {answer}")).await;
        let ben = club.voter("ben").await;
        let meeting = club.meeting().await;
        let question = meeting.ask_yes_no().await;
        // Signed in before the vote, while the voting is open, and after the declaration; with the first password and a new one.
        let early = app.anyone().sign_in_voter(&club.code, "ben").await;
        let round = meeting.open(&question).await["roundId"].clone();
        let stored = ben.vote(&meeting, &question, &[answer]).await.gives(201);
        assert_eq!(ben.vote(&meeting, &question, &[answer]).await.gives(201), stored);
        let mut seen = vec![all_that_a_voter_sees(&early, &meeting, &question, &round).await];
        seen.push(
            all_that_a_voter_sees(&app.anyone().sign_in_voter(&club.code, "ben").await, &meeting, &question, &round)
                .await,
        );
        meeting.clear().await;
        meeting.count(&round).await.gives(200);
        let declare = meeting.path(&format!("/rounds/{}/declare", round.as_str().unwrap()));
        club.admin.post(&declare, Value::Null).await.gives(200);
        assert_eq!(ben.sees(&meeting).await["questions"][0]["userVote"], json!([answer]));
        let path = format!("/voting/meetings/{}/results", meeting.id);
        assert_eq!(ben.caller.get(&path).await.gives(200)[0]["ownVote"], json!([answer]));
        seen.push(all_that_a_voter_sees(&early, &meeting, &question, &round).await);
        let changed = json!({ "password": "correct horse battery" });
        club.admin.put(&format!("/client/end-users/{}", ben.id), changed).await.gives(200);
        let credentials = json!({ "clientCode": club.code, "username": "ben", "password": "correct horse battery" });
        let session = app.anyone().post("/auth/end-user/login", credentials).await.gives(200);
        seen.push(all_that_a_voter_sees(&app.anyone().with_session(&session), &meeting, &question, &round).await);
        let log = club.admin.get("/client/audit").await.gives(200);
        let entries = log["data"].as_array().unwrap();
        let noted = entries.iter().any(|entry| {
            let changes = entry["changes"].as_array().cloned().unwrap_or_default();
            entry.to_string().contains(&ben.id) && changes.iter().any(|change| change["field"] == "password_hash")
        });
        assert!(noted, "{log}");
        learned.push(seen);
    }
    assert_eq!(learned[0], learned[1]);
    assert!(learned[0].iter().all(|seen| seen[0] == json!([true, null])), "{learned:?}");
}

/// The fields that show the voter's own answer: whether and how they voted, in the meeting and in the declared results,
/// and the responses to both answers with and without the round.
async fn all_that_a_voter_sees(caller: &Caller, meeting: &TestMeeting, question: &str, round: &Value) -> Vec<Value> {
    let shown = caller.get(&format!("/voting/meetings/{}", meeting.id)).await.gives(200);
    let shown = &shown["meeting"]["questions"][0];
    let results = caller.get(&format!("/voting/meetings/{}/results", meeting.id)).await.gives(200);
    let results = results.as_array().unwrap().iter().map(|result| json!([result["hasVoted"], result["ownVote"]]));
    let mut seen = vec![json!([shown["hasVoted"], shown["userVote"]]), results.collect()];
    for answer in ["Yes", "No"] {
        for body in [json!({ "answers": [answer] }), json!({ "answers": [answer], "roundId": round })] {
            let refused = caller.post(&meeting.vote_path(question), body).await.refuses(409, "already_voted");
            seen.push(refused["error"].clone());
        }
    }
    seen
}

#[tokio::test]
async fn every_session_of_a_voter_sees_the_own_answer_of_a_named_question() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let ben = club.voter("ben").await;
    let meeting = club.meeting().await;
    let question = meeting.ask("YES_NO", json!({ "isNamed": true })).await;
    meeting.open(&question).await;
    let stored = ben.vote(&meeting, &question, &["No"]).await.gives(201);
    let elsewhere = app.anyone().sign_in_voter(&club.code, "ben").await;
    let seen = elsewhere.get(&format!("/voting/meetings/{}", meeting.id)).await.gives(200);
    assert_eq!(seen["meeting"]["questions"][0]["userVote"], json!(["No"]));
    let again = elsewhere.post(&meeting.vote_path(&question), json!({ "answers": ["No"] })).await;
    assert_eq!(again.gives(201), stored);
}

#[tokio::test]
async fn a_counted_round_never_reopens_and_no_call_shows_a_count_before() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let (ada, ben) = (club.voter("ada").await, club.voter("ben").await);
    let meeting = club.meeting().await;
    let question = meeting.ask_yes_no().await;
    let round = meeting.open(&question).await["roundId"].clone();
    ada.vote(&meeting, &question, &["Yes"]).await.gives(201);
    meeting.clear().await;

    // Ended and not counted: everything that an organizer can fetch names the round, and no answer.
    meeting.result(&round).await.refuses(409, "round_not_counted");
    let answers = meeting.path(&format!("/rounds/{}/answers", round.as_str().unwrap()));
    club.admin.get(&answers).await.refuses(409, "round_not_counted");
    let named = json!([
        { "roundId": round, "questionId": question, "position": 1, "number": 1, "questionText": "Agreed?" },
    ]);
    for path in ["/results", "/results/export?format=json"] {
        let shown = club.admin.get(&meeting.path(path)).await.gives(200);
        assert_eq!((&shown["rounds"], &shown["uncounted"]), (&json!([]), &named), "{path}");
    }
    let table = club.admin.get(&meeting.path("/results/export?format=csv")).await;
    let named = ["Not counted", "Agenda item 1, round 1: Agreed?"].iter().all(|text| table.text.contains(text));
    assert!(table.status == 200 && named && !table.text.contains("Yes"), "{}", table.text);
    assert_eq!(meeting.rounds().await[0]["status"], "ENDED");

    // So a question that was ended by mistake continues.
    assert_eq!(meeting.open(&question).await["roundId"], round);
    meeting.count(&round).await.refuses(409, "round_still_open");
    ben.vote(&meeting, &question, &["No"]).await.gives(201);
    meeting.clear().await;
    let counted = meeting.count(&round).await.gives(200);
    assert_eq!(meeting.count(&round).await.gives(200), counted);
    assert_eq!(meeting.result(&round).await.gives(200), counted);
    let kinds: Vec<_> =
        counted["log"].as_array().unwrap().iter().map(|entry| entry["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["OPENED", "ENDED", "REOPENED", "ENDED", "COUNTED"]);

    // A second count could otherwise reveal one ballot.
    meeting.put_question(json!({ "questionId": question })).await.refuses(409, "round_counted");
    assert_eq!(meeting.rounds().await[0]["status"], "COUNTED");
    let revote = json!({ "questionId": question, "reason": "Somebody was cut off." });
    club.admin.post(&meeting.path("/rounds"), revote).await.gives(201);
    assert_eq!(meeting.result(&round).await.gives(200), counted);
}

#[tokio::test]
async fn a_survey_is_counted_at_its_end_and_a_motion_is_not() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let ada = club.voter("ada").await;
    let meeting = club.meeting_with(json!({ "status": "ACTIVE", "countsSurveysAtEnd": true })).await;
    let rule = json!({
        "decisionRule": {
            "kind": "majority", "onTie": "rejected",
            "conditions": [{
                "units": "heads", "base": "yes_plus_no", "comparison": "more_than", "numerator": 1, "denominator": 2,
            }],
        },
    });
    let (survey, motion) = (meeting.ask_yes_no().await, meeting.ask("YES_NO", rule).await);
    for question in [&survey, &motion] {
        meeting.open(question).await;
        ada.vote(&meeting, question, &["Yes"]).await.gives(201);
    }
    meeting.clear().await;
    let rounds = meeting.rounds().await;
    let of = |question: &str| rounds.iter().find(|round| round["questionId"] == *question).unwrap()["status"].clone();
    assert_eq!((of(&survey), of(&motion)), (json!("COUNTED"), json!("ENDED")));
    meeting.put_question(json!({ "questionId": survey })).await.refuses(409, "round_counted");
    meeting.open(&motion).await;
}

fn sources_below(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { sources_below(&path) } else { vec![path] }).collect()
}

/// The only change of votes: an opened urn keeps no envelope.
const REMOVES_ENVELOPES: &str =
    "diesel::update(votes::table.filter(votes::round_id.eq(round))) .set(votes::sealed.eq(none::<vec<u8>>))";

#[test]
fn no_statement_of_the_product_changes_a_vote() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let crates = ["adapter-postgres", "app"].map(|name| root.join("crates").join(name).join("src"));
    let sources = crates.into_iter().chain([root.join("migrations")]).flat_map(|folder| sources_below(&folder));
    let mut read = 0;
    for path in sources {
        let Ok(source) = fs::read_to_string(&path) else { continue };
        let text: String = source.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ");
        let text = text.replace(REMOVES_ENVELOPES, "");
        for statement in ["update votes ", "update public.votes ", "update(votes", "diesel::update(votes::"] {
            assert!(!text.contains(statement), "{} has {statement:?}", path.display());
        }
        read += usize::from(text.contains("into votes ") || text.contains("from votes "));
    }
    assert!(read > 0, "no source that knows votes was found");
}
