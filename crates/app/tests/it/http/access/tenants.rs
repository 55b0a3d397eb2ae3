//! Two organizations with the same names for everything are separate.

use serde_json::{Value, json};

use crate::http::support::{Organization, TestApp, TestMeeting, TestVoter};

struct Twin {
    club: Organization,
    voter: TestVoter,
    meeting: TestMeeting,
    /// A question with an ended round, which has a vote.
    first: String,
    question: String,
    /// A question without a round.
    unused: String,
    round: String,
    open_round: String,
    /// A voter excluded from the question, and so missing in the register of its round.
    excluded: TestVoter,
    remark: String,
    /// A meeting with a running rehearsal.
    rehearsed: TestMeeting,
    rehearsal: String,
}

impl Twin {
    async fn new(app: &TestApp, name: &str) -> Self {
        let club = app.client(name).await;
        let voter = club.voter("ben").await;
        let meeting = club.meeting().await;
        let first = meeting.ask_yes_no().await;
        let round = meeting.open(&first).await["roundId"].as_str().unwrap().to_owned();
        voter.vote(&meeting, &first, &["Yes"]).await.gives(201);
        let question = meeting.ask_yes_no().await;
        let excluded = club.voter("conflicted").await;
        let exclusion = json!({ "endUserId": excluded.id, "reason": "Conflict of interest" });
        club.admin.post(&meeting.path(&format!("/questions/{question}/exclusions")), exclusion).await.gives(201);
        let open_round = meeting.open(&question).await["roundId"].as_str().unwrap().to_owned();
        let unused = meeting.ask_yes_no().await;
        let remark = json!({ "kind": "INCIDENT", "text": "The light went out." });
        let remark = club.admin.post(&meeting.path("/remarks"), remark).await.gives(201);
        let remark = remark["id"].as_str().unwrap().to_owned();
        let rehearsed = club.meeting_with(json!({ "status": "SCHEDULED" })).await;
        let rehearsal = club.admin.post(&rehearsed.path("/rehearsal"), Value::Null).await.gives(201);
        let rehearsal = rehearsal["id"].as_str().unwrap().to_owned();
        Self {
            club,
            voter,
            meeting,
            first,
            question,
            unused,
            round,
            open_round,
            excluded,
            remark,
            rehearsed,
            rehearsal,
        }
    }

    /// An answer to the rehearsal.
    fn rehearsal_answer(&self) -> Value {
        json!({ "rehearsalId": self.rehearsal, "step": "answered" })
    }

    fn exclusions_path(&self, question: &str) -> String {
        self.meeting.path(&format!("/questions/{question}/exclusions"))
    }

    /// The voter, with a reason.
    fn person(&self) -> Value {
        json!({ "endUserId": self.voter.id, "reason": "Conflict of interest" })
    }

    /// The voter outside the register, with a reason.
    fn late(&self) -> Value {
        json!({ "endUserId": self.excluded.id, "reason": "Came late" })
    }

    fn reorder_path(&self) -> String {
        format!("/client/questions/meeting/{}/reorder", self.meeting.id)
    }

    /// An order of two of the questions.
    fn order(&self) -> Value {
        self.order_with(&self.question)
    }

    fn order_with(&self, question: &str) -> Value {
        json!({ "questionOrders": [
            { "questionId": self.unused, "orderIndex": 1 }, { "questionId": question, "orderIndex": 2 },
        ] })
    }

    /// All data that the organization and its voter see.
    async fn everything(&self) -> Vec<Value> {
        let admin = &self.club.admin;
        let mut seen = Vec::new();
        for path in [
            "/client/end-users",
            "/client/end-users/stats",
            "/client/meetings",
            "/client/meetings/stats",
            "/client/activity",
        ] {
            seen.push(admin.get(path).await.gives(200));
        }
        let exclusions = format!("/questions/{}/exclusions", self.question);
        let register = format!("/rounds/{}/register", self.open_round);
        for rest in
            ["", "/participants", "/current-question", "/rounds", "/invitations", "/remarks", &exclusions, &register]
        {
            seen.push(admin.get(&self.meeting.path(rest)).await.gives(200));
        }
        seen.push(admin.get(&self.rehearsed.path("/rehearsal")).await.gives(200));
        seen.push(admin.get(&format!("/client/questions/meeting/{}", self.meeting.id)).await.gives(200));
        seen.push(self.voter.sees(&self.meeting).await);
        seen.push(self.voter.caller.get("/voting/meetings").await.gives(200));
        seen
    }
}

#[tokio::test]
async fn an_id_of_another_organization_shows_and_changes_nothing() {
    let app = TestApp::start_with_everything().await;
    let (mine, theirs) = (Twin::new(&app, "Rowing Club").await, Twin::new(&app, "Sailing Club").await);
    let before = theirs.everything().await;
    assert_reads_find_nothing(&mine, &theirs).await;
    assert_changes_find_nothing(&mine, &theirs).await;
    assert_ids_in_bodies_are_invalid(&mine, &theirs).await;
    assert_own_data_stays_apart(&mine, &theirs).await;
    assert_voter_finds_nothing(&mine, &theirs).await;
    assert_eq!(theirs.everything().await, before);

    // The same username with the same password is another person in the other organization.
    theirs.voter.vote(&theirs.meeting, &theirs.question, &["No"]).await.gives(201);
    assert_eq!(mine.voter.sees(&mine.meeting).await["questions"][1]["hasVoted"], false);
    mine.voter.vote(&mine.meeting, &mine.question, &["Yes"]).await.gives(201);
    assert_eq!(theirs.voter.sees(&theirs.meeting).await["questions"][1]["userVote"], json!(["No"]));
    for twin in [&mine, &theirs] {
        let rows = twin.club.admin.get("/client/end-users").await.gives(200)["data"].clone();
        let ids: Vec<_> = rows.as_array().unwrap().iter().map(|row| row["id"].as_str().unwrap()).collect();
        assert_eq!(ids, [&twin.voter.id, &twin.excluded.id]);
        let current = twin.club.admin.get(&twin.meeting.path("/current-question")).await.gives(200);
        assert_eq!((&current["voteCount"], &current["registerSize"]), (&json!(1), &json!(1)));
    }
    assert_ne!(mine.club.name, theirs.club.name);
}

/// Reads by ids of the other organization, also below an own meeting.
async fn assert_reads_find_nothing(mine: &Twin, theirs: &Twin) {
    let (admin, their) = (&mine.club.admin, &theirs.meeting);
    for path in [
        format!("/client/end-users/{}", theirs.voter.id),
        their.path(""),
        their.path("/participants"),
        their.path("/current-question"),
        their.path("/current-question/stats"),
        their.path("/rounds"),
        their.path("/invitations"),
        their.path("/results"),
        their.path("/results/export?format=json"),
        their.path(&format!("/rounds/{}/result", theirs.round)),
        their.path(&format!("/rounds/{}/answers", theirs.round)),
        mine.meeting.path(&format!("/rounds/{}/answers", theirs.round)),
        their.path(&format!("/rounds/{}/register", theirs.round)),
        their.path("/remarks"),
        theirs.rehearsed.path("/rehearsal"),
        their.path(&format!("/questions/{}/exclusions", theirs.question)),
        mine.meeting.path(&format!("/questions/{}/exclusions", theirs.question)),
        mine.meeting.path(&format!("/rounds/{}/register", theirs.round)),
        mine.meeting.path(&format!("/rounds/{}/result", theirs.round)),
        format!("/client/questions/{}", theirs.question),
        format!("/client/questions/meeting/{}", their.id),
        format!("/client/meetings?clientId={}", theirs.club.id),
        format!("/sse/meetings/{}/state", their.id),
        format!("/sse/meetings/{}/stream", their.id),
        format!("/sse/meetings/{}/participants/count", their.id),
    ] {
        assert_eq!(admin.get(&path).await.status, 404, "GET {path}");
    }
}

async fn assert_changes_find_nothing(mine: &Twin, theirs: &Twin) {
    let changes = [changes_of_meetings(mine, theirs), changes_of_votes(mine, theirs), changes_of_lists(mine, theirs)];
    for (method, path, body) in changes.into_iter().flatten() {
        let answer = mine.club.admin.call(method, &path, Some(body.clone())).await;
        assert_eq!(answer.status, 404, "{method} {path} {body}: {}", answer.text);
    }
}

/// A call: method, path and body.
type Change = (&'static str, String, Value);

fn changes_of_meetings(mine: &Twin, theirs: &Twin) -> Vec<Change> {
    let (their, none) = (&theirs.meeting, Value::Null);
    vec![
        ("PUT", their.path(""), json!({ "title": "Mine" })),
        ("POST", their.path("/start"), none.clone()),
        ("POST", their.path("/end"), none.clone()),
        ("PUT", their.path("/countdown"), json!({ "seconds": 60 })),
        ("DELETE", their.path("/countdown"), none.clone()),
        ("POST", their.path("/generate-link"), none.clone()),
        ("POST", their.path("/invitations/send"), json!({})),
        ("DELETE", their.path("/invitations/pending"), none.clone()),
        ("POST", their.path("/participants"), json!({ "addAllActive": true })),
        ("POST", their.path("/participants"), json!({ "endUserIds": [mine.voter.id] })),
        ("DELETE", their.path("/participants"), json!({ "endUserIds": [theirs.voter.id] })),
        ("PUT", their.path("/current-question"), json!({ "questionId": null })),
        ("PUT", their.path("/current-question"), json!({ "questionId": theirs.question })),
        ("PUT", their.path("/current-question"), json!({ "questionId": mine.question })),
        ("PUT", mine.meeting.path("/current-question"), json!({ "questionId": theirs.question })),
        (
            "POST",
            "/client/questions".to_owned(),
            json!({ "meetingId": their.id, "questionText": "?", "questionType": "YES_NO" }),
        ),
        ("POST", their.path("/remarks"), json!({ "kind": "REMARK", "text": "Mine" })),
        ("DELETE", their.path(&format!("/remarks/{}", theirs.remark)), none.clone()),
        ("DELETE", mine.meeting.path(&format!("/remarks/{}", theirs.remark)), none.clone()),
    ]
}

fn changes_of_votes(mine: &Twin, theirs: &Twin) -> Vec<Change> {
    let (their, none) = (&theirs.meeting, Value::Null);
    vec![
        ("POST", theirs.rehearsed.path("/rehearsal"), none.clone()),
        ("POST", theirs.rehearsed.path("/rehearsal/end"), none.clone()),
        ("DELETE", theirs.rehearsed.path("/rehearsal"), none.clone()),
        ("POST", theirs.exclusions_path(&theirs.unused), mine.person()),
        ("POST", theirs.exclusions_path(&theirs.unused), theirs.person()),
        ("POST", mine.exclusions_path(&theirs.unused), mine.person()),
        ("POST", mine.exclusions_path(&mine.unused), theirs.person()),
        ("DELETE", format!("{}/{}", theirs.exclusions_path(&theirs.question), theirs.excluded.id), none.clone()),
        ("POST", their.path(&format!("/rounds/{}/admissions", theirs.open_round)), theirs.late()),
        ("POST", mine.meeting.path(&format!("/rounds/{}/admissions", theirs.open_round)), theirs.late()),
        ("POST", mine.meeting.path(&format!("/rounds/{}/admissions", mine.open_round)), theirs.late()),
        ("POST", their.path("/rounds"), json!({ "questionId": theirs.first, "reason": "Mine" })),
        ("POST", their.path("/rounds"), json!({ "questionId": mine.first, "reason": "Mine" })),
        ("POST", mine.meeting.path("/rounds"), json!({ "questionId": theirs.first, "reason": "Mine" })),
        ("POST", their.path(&format!("/rounds/{}/declare", theirs.round)), none.clone()),
        ("POST", their.path(&format!("/rounds/{}/declare", mine.round)), none.clone()),
        ("POST", mine.meeting.path(&format!("/rounds/{}/declare", theirs.round)), none.clone()),
    ]
}

fn changes_of_lists(mine: &Twin, theirs: &Twin) -> Vec<Change> {
    let (their, none) = (&theirs.meeting, Value::Null);
    vec![
        ("DELETE", their.path(""), none.clone()),
        ("PUT", format!("/client/end-users/{}", theirs.voter.id), json!({ "isActive": false })),
        ("DELETE", format!("/client/end-users/{}", theirs.voter.id), none.clone()),
        ("POST", format!("/client/end-users/{}/export-credentials", theirs.voter.id), none.clone()),
        ("PUT", format!("/client/questions/{}", theirs.question), json!({ "isRequired": false })),
        ("PUT", format!("/client/questions/{}", theirs.unused), json!({ "questionText": "Mine?" })),
        ("DELETE", format!("/client/questions/{}", theirs.unused), none.clone()),
        ("POST", format!("/client/questions/{}/duplicate", theirs.unused), none.clone()),
        ("PUT", theirs.reorder_path(), theirs.order()),
        ("PUT", theirs.reorder_path(), mine.order()),
    ]
}

/// Calls for own data whose bodies name ids of the other organization.
async fn assert_ids_in_bodies_are_invalid(mine: &Twin, theirs: &Twin) {
    let admin = &mine.club.admin;
    for (method, path, body, field) in [
        ("PUT", mine.reorder_path(), theirs.order(), "questionOrders"),
        ("PUT", mine.reorder_path(), mine.order_with(&theirs.question), "questionOrders"),
        ("POST", mine.meeting.path("/participants"), json!({ "endUserIds": [theirs.voter.id] }), "endUserIds"),
        (
            "POST",
            mine.meeting.path("/participants"),
            json!({ "endUserIds": [mine.voter.id, theirs.voter.id] }),
            "endUserIds",
        ),
        (
            "POST",
            mine.meeting.path("/invitations/send"),
            json!({ "endUserIds": [mine.voter.id, theirs.voter.id], "again": true }),
            "endUserIds",
        ),
    ] {
        let answer = admin.call(method, &path, Some(body.clone())).await;
        assert_eq!(answer.wrong_fields(), [field], "{method} {path} {body}: {}", answer.text);
    }
}

async fn assert_own_data_stays_apart(mine: &Twin, theirs: &Twin) {
    let (admin, their) = (&mine.club.admin, &theirs.meeting);
    // A question stays in its meeting, even if a change names another meeting.
    let moved = format!("/client/questions/{}", mine.unused);
    let body = json!({ "meetingId": their.id, "isRequired": true });
    assert_eq!(admin.put(&moved, body).await.gives(200)["meetingId"], mine.meeting.id);
    let taken_off = json!({ "endUserIds": [theirs.voter.id] });
    let taken_off = admin.call("DELETE", &mine.meeting.path("/participants"), Some(taken_off)).await.gives(200);
    assert_eq!(taken_off["removed"], 0);
    for path in [format!("/clients/{}", theirs.club.id), format!("/clients/{}", mine.club.id)] {
        for (method, body) in [("PUT", json!({ "status": "INACTIVE" })), ("DELETE", Value::Null)] {
            admin.call(method, &path, Some(body)).await.refuses(403, "wrong_role");
        }
    }
}

async fn assert_voter_finds_nothing(mine: &Twin, theirs: &Twin) {
    let their = &theirs.meeting;
    let voter = &mine.voter;
    for (meeting, question) in [(their, &theirs.question), (their, &mine.question), (&mine.meeting, &theirs.question)] {
        voter.vote(meeting, question, &["Yes"]).await.refuses(404, "question_not_found");
    }
    let rehearsal_of = |twin: &Twin| format!("/voting/meetings/{}/rehearsal", twin.rehearsed.id);
    for body in [mine.rehearsal_answer(), theirs.rehearsal_answer()] {
        voter.caller.put(&rehearsal_of(theirs), body).await.refuses(404, "meeting_not_found");
    }
    voter.caller.put(&rehearsal_of(mine), theirs.rehearsal_answer()).await.refuses(409, "rehearsal_over");
    for path in [
        format!("/voting/meetings/{}", their.id),
        format!("/voting/meetings/{}/results", their.id),
        format!("/sse/meetings/{}/stream", their.id),
    ] {
        voter.caller.get(&path).await.refuses(404, "meeting_not_found");
    }
}

#[tokio::test]
async fn changes_and_deletions_of_one_organization_leave_its_twin_untouched() {
    let app = TestApp::start().await;
    let (mine, theirs) = (Twin::new(&app, "Rowing Club").await, Twin::new(&app, "Sailing Club").await);
    let before = theirs.everything().await;
    let admin = &mine.club.admin;
    let voter = format!("/client/end-users/{}", mine.voter.id);
    let unused = format!("/client/questions/{}", mine.unused);
    admin.put(&voter, json!({ "weight": 7, "name": "Another" })).await.gives(200);
    admin.post(&format!("{voter}/export-credentials"), json!({ "passwordReason": "Lost the letter" })).await.gives(200);
    admin.put(&unused, json!({ "questionText": "Another?", "options": ["Aye", "Nay"] })).await.gives(200);
    admin.post(&format!("{unused}/duplicate"), Value::Null).await.gives(201);
    admin.delete(&unused).await.gives(200);
    admin.put(&voter, json!({ "isActive": false })).await.gives(200);
    admin.post(&mine.meeting.path("/end"), Value::Null).await.gives(200);
    admin.delete(&voter).await.gives(200);
    admin.delete(&mine.meeting.path("")).await.gives(200);
    assert_eq!(theirs.everything().await, before);
    app.super_admin().await.delete(&format!("/clients/{}", mine.club.id)).await.gives(200);
    assert_eq!(theirs.everything().await, before);
    theirs.voter.vote(&theirs.meeting, &theirs.question, &["No"]).await.gives(201);
}
