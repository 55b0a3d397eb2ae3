use serde_json::{Value, json};

use crate::http::support::{Caller, Organization, TestApp};

async fn entries(caller: &Caller, path: &str) -> Vec<Value> {
    let answer = caller.get(path).await.gives(200);
    assert_eq!(answer["success"], true);
    answer["data"].as_array().unwrap().clone()
}

/// Kind and text, the newest first.
fn in_words(entries: &[Value]) -> Vec<(&str, &str)> {
    entries.iter().map(|entry| (entry["kind"].as_str().unwrap(), entry["text"].as_str().unwrap())).collect()
}

/// A meeting day: a meeting that is started, in which one of two voters votes, and that is ended.
async fn hold_meeting(club: &Organization) {
    let ben = club.voter("ben").await;
    club.voter("ada").await;
    let meeting = club.meeting_with(json!({ "status": "SCHEDULED" })).await;
    let question = meeting.ask("YES_NO", json!({ "questionText": "Budget", "options": ["Yes", "No"] })).await;
    club.admin.post(&meeting.path("/start"), Value::Null).await.gives(200);
    meeting.open(&question).await;
    ben.vote(&meeting, &question, &["Yes"]).await.gives(201);
    club.admin.post(&meeting.path("/end"), Value::Null).await.gives(200);
}

#[tokio::test]
async fn the_activity_of_a_meeting_day_is_listed_newest_first_without_tallies() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    hold_meeting(&club).await;
    let all = entries(&club.admin, "/client/activity").await;
    assert_eq!(
        in_words(&all),
        [
            ("meeting_ended", "Meeting “General assembly” was ended"),
            ("round_ended", "Voting on “Budget” ended with 1 of 2 votes"),
            ("round_opened", "Voting on “Budget” was opened"),
            ("meeting_started", "Meeting “General assembly” was started"),
            ("meeting_created", "Meeting “General assembly” was created"),
            ("end_users_added", "2 end users were added"),
            ("account_signed_in", "Anna Berg signed in"),
        ]
    );
    for entry in &all {
        let mut names: Vec<_> = entry.as_object().unwrap().keys().collect();
        names.sort();
        assert_eq!(names, ["at", "kind", "text"], "the own client is not named");
    }
    let times: Vec<_> =
        all.iter().map(|entry| chrono::DateTime::parse_from_rfc3339(entry["at"].as_str().unwrap()).unwrap()).collect();
    assert!(times.is_sorted_by(|one, other| one >= other), "{times:?}");
}

#[tokio::test]
async fn the_activity_shows_no_vote_count_during_voting() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let ben = club.voter("ben").await;
    let meeting = club.meeting().await;
    let question = meeting.ask_yes_no().await;
    meeting.open(&question).await;
    ben.vote(&meeting, &question, &["Yes"]).await.gives(201);
    let newest = &entries(&club.admin, "/client/activity?limit=1").await[0];
    assert_eq!(newest["text"], "Voting on “Agreed?” was opened");
}

#[tokio::test]
async fn an_organization_sees_its_own_activity_and_the_platform_sees_all() {
    let app = TestApp::start().await;
    let (mine, theirs) = (app.client("Rowing Club").await, app.client("Sailing Club").await);
    let before = entries(&mine.admin, "/client/activity?limit=100").await;
    assert_eq!(in_words(&before), [("account_signed_in", "Anna Berg signed in")]);
    hold_meeting(&theirs).await;
    assert_eq!(entries(&mine.admin, "/client/activity?limit=100").await, before);

    let root = app.super_admin().await;
    let all = entries(&root, "/activity?limit=100").await;
    let of = |club: &Organization| -> Vec<Value> {
        let mut entries: Vec<Value> = all.iter().filter(|entry| entry["client"]["id"] == club.id).cloned().collect();
        for entry in &mut entries {
            let named = entry.as_object_mut().unwrap().remove("client").unwrap();
            assert_eq!(named, json!({ "id": club.id, "name": club.name, "clientCode": club.code }));
        }
        entries
    };
    for (club, text) in
        [(&mine, "Organization “Rowing Club” was created"), (&theirs, "Organization “Sailing Club” was created")]
    {
        let mut expected = entries(&club.admin, "/client/activity?limit=100").await;
        let mut entries = of(club);
        let made = entries.pop().unwrap();
        assert_eq!((&made["kind"], &made["text"]), (&json!("client_created"), &json!(text)));
        expected.truncate(entries.len());
        assert_eq!(entries, expected);
    }
    let of_nobody: Vec<Value> = all.iter().filter(|entry| entry["client"].is_null()).cloned().collect();
    assert_eq!(of_nobody.len(), 1, "{of_nobody:?}");
    assert_eq!((&of_nobody[0]["kind"], &all[0]), (&json!("account_signed_in"), &of_nobody[0]));

    root.delete(&format!("/clients/{}", theirs.id)).await.gives(200);
    let left = entries(&root, "/activity?limit=100").await;
    assert!(left.iter().all(|entry| entry["client"]["id"] != theirs.id), "{left:?}");
}

#[tokio::test]
async fn the_activity_has_20_entries_or_a_limit_from_1_to_100() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    for _ in 0..24 {
        club.meeting_with(json!({ "status": "DRAFT" })).await;
    }
    let root = app.super_admin().await;
    for (caller, path) in [(&club.admin, "/client/activity"), (&root, "/activity")] {
        assert_eq!(entries(caller, path).await.len(), 20);
        assert_eq!(entries(caller, &format!("{path}?limit=3")).await.len(), 3);
        assert!(entries(caller, &format!("{path}?limit=100")).await.len() > 24);
        for limit in ["0", "101", "-1", "many", ""] {
            assert_eq!(caller.get(&format!("{path}?limit={limit}")).await.wrong_fields(), ["limit"], "{limit}");
        }
        assert_eq!(caller.get(&format!("{path}?limit=1&limit=2")).await.wrong_fields(), ["limit"]);
    }
}

#[tokio::test]
async fn an_import_is_one_line_and_so_are_people_added_one_by_one() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let rows: Vec<Value> = (1..=1_200).map(|n| json!({ "line": n + 1, "name": format!("Member {n}") })).collect();
    club.admin.post("/client/end-users/import", json!({ "rows": rows, "dryRun": false })).await.gives(200);
    for name in ["ada", "ben", "cleo"] {
        let person = json!({ "username": name, "name": name, "password": "correct horse" });
        club.admin.post("/client/end-users", person).await.gives(201);
    }
    for (caller, path) in [(&club.admin, "/client/activity"), (&app.super_admin().await, "/activity")] {
        let lines = entries(caller, path).await;
        let added: Vec<_> = in_words(&lines).into_iter().filter(|(kind, _)| *kind == "end_users_added").collect();
        let expected =
            [("end_users_added", "3 end users were added"), ("end_users_added", "1,200 end users were added")];
        assert_eq!(added, expected, "{path}");
    }
}
