//! The limits of ballot secrecy from docs/security.md: each way exists, and leaves its trace.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;

use crate::http::support::TestApp;

#[tokio::test]
async fn an_organizer_who_sets_a_voters_password_can_read_the_answers_and_the_audit_log_records_it() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let ben = club.voter("ben").await;
    let meeting = club.meeting().await;
    let question = meeting.ask_yes_no().await;
    meeting.open(&question).await;
    ben.vote(&meeting, &question, &["No"]).await.gives(201);
    meeting.clear().await;
    let changed = json!({ "password": "correct horse battery" });
    club.admin.put(&format!("/client/end-users/{}", ben.id), changed).await.gives(200);
    let credentials = json!({ "clientCode": club.code, "username": "ben", "password": "correct horse battery" });
    let session = app.anyone().post("/auth/end-user/login", credentials).await.gives(200);
    let as_ben = app.anyone().with_session(&session);
    let seen = as_ben.get(&format!("/voting/meetings/{}", meeting.id)).await.gives(200);
    assert_eq!(seen["meeting"]["questions"][0]["userVote"], json!(["No"]));
    let log = club.admin.get("/client/audit").await.gives(200);
    let entries = log["data"].as_array().unwrap();
    let noted = entries.iter().any(|entry| {
        let changes = entry["changes"].as_array().cloned().unwrap_or_default();
        entry.to_string().contains(&ben.id) && changes.iter().any(|change| change["field"] == "password_hash")
    });
    assert!(noted, "{log}");
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
