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
        meeting.result(&round).await.gives(200);
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

/// What tells about the voter's own answer: whether and what they voted, in the meeting and in the declared results, and the
/// responses to both answers with and without the round.
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
async fn an_organizer_who_counts_and_reopens_a_round_sees_the_difference_and_the_audit_log_records_it() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let (ada, ben) = (club.voter("ada").await, club.voter("ben").await);
    let meeting = club.meeting().await;
    let question = meeting.ask_yes_no().await;
    let round = meeting.open(&question).await["roundId"].clone();
    ada.vote(&meeting, &question, &["Yes"]).await.gives(201);
    meeting.clear().await;
    let before = meeting.result(&round).await.gives(200);
    assert_eq!(meeting.open(&question).await["roundId"], round);
    meeting.result(&round).await.refuses(409, "round_still_open");
    ben.vote(&meeting, &question, &["No"]).await.gives(201);
    meeting.clear().await;
    let after = meeting.result(&round).await.gives(200);
    let heads = |result: &serde_json::Value| [0, 1].map(|place| result["options"][place]["heads"].as_u64().unwrap());
    assert_eq!((heads(&before), heads(&after)), ([1, 0], [1, 1]));
    let log = club.admin.get("/client/audit").await.gives(200);
    assert!(log.to_string().contains("round_reopened"), "{log}");
}

fn sources_below(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { sources_below(&path) } else { vec![path] }).collect()
}

#[test]
fn no_statement_of_the_product_changes_a_vote() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let crates = ["adapter-postgres", "app"].map(|name| root.join("crates").join(name).join("src"));
    let sources = crates.into_iter().chain([root.join("migrations")]).flat_map(|folder| sources_below(&folder));
    let mut read = 0;
    for path in sources {
        let Ok(source) = fs::read_to_string(&path) else { continue };
        let text = source.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ");
        for statement in ["update votes ", "update public.votes ", "update(votes", "diesel::update(votes::"] {
            assert!(!text.contains(statement), "{} has {statement:?}", path.display());
        }
        read += usize::from(text.contains("into votes ") || text.contains("from votes "));
    }
    assert!(read > 0, "no source that knows votes was found");
}
