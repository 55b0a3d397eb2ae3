//! Rehearsals.

use serde_json::{Value, json};

use crate::http::support::{EventStream, NO_ID, Organization, PASSWORD, TestApp, TestMeeting, TestVoter, until};

struct Hall {
    club: Organization,
    ada: TestVoter,
    ben: TestVoter,
    meeting: TestMeeting,
    app: TestApp,
}

impl Hall {
    async fn new(status: &str) -> Self {
        let app = TestApp::start().await;
        let club = app.client("Rowing Club").await;
        let (ada, ben) = (club.voter("ada").await, club.voter("ben").await);
        let meeting = club.meeting_with(json!({ "status": status })).await;
        Self { club, ada, ben, meeting, app }
    }

    fn path(&self) -> String {
        self.meeting.path("/rehearsal")
    }

    async fn rehearse(&self) -> Value {
        self.club.admin.post(&self.path(), Value::Null).await.gives(201)
    }

    async fn report(&self, query: &str) -> Value {
        self.club.admin.get(&format!("{}{query}", self.path())).await.gives(200)
    }

    fn answer_path(&self) -> String {
        format!("/voting/meetings/{}/rehearsal", self.meeting.id)
    }

    async fn answer(&self, voter: &TestVoter, rehearsal: &Value, step: &str) {
        let body = json!({ "rehearsalId": rehearsal, "step": step });
        assert_eq!(voter.caller.put(&self.answer_path(), body).await.gives(200), json!({ "success": true }));
    }

    async fn state(&self, voter: &TestVoter) -> Value {
        voter.caller.get(&format!("/sse/meetings/{}/state", self.meeting.id)).await.gives(200)
    }
}

/// Each name with its status.
fn statuses_by_name(report: &Value) -> Vec<(&str, &str)> {
    let rows = report["data"].as_array().unwrap();
    rows.iter().map(|row| (row["name"].as_str().unwrap(), row["status"].as_str().unwrap())).collect()
}

#[tokio::test]
async fn a_rehearsal_reaches_connected_voters_and_the_report_lists_everybody() {
    let hall = Hall::new("SCHEDULED").await;
    let body = json!({ "username": "cleo", "name": "cleo", "password": PASSWORD });
    hall.club.admin.post("/client/end-users", body).await.gives(201);
    let dora = hall.club.voter("dora").await;
    hall.club.voter("emil").await;
    let before = hall.report("").await;
    assert_eq!(before["rehearsal"], Value::Null);
    let nothing = json!({ "medianMs": null, "p95Ms": null, "maxMs": null });
    assert_eq!((&before["received"], &before["answered"]), (&nothing, &nothing));

    let mut organizer = EventStream::watch(&hall.club.admin, &hall.meeting.id).await;
    let mut ada = EventStream::watch(&hall.ada.caller, &hall.meeting.id).await;
    let mut ben = EventStream::watch(&hall.ben.caller, &hall.meeting.id).await;
    let mut dora_watches = EventStream::watch(&dora.caller, &hall.meeting.id).await;
    let mut screen = EventStream::watch_presentation(&hall.app.anyone(), &hall.meeting.id).await;
    for stream in [&mut organizer, &mut ada, &mut ben, &mut dora_watches] {
        assert_eq!(stream.until("connected").await["rehearsal"], Value::Null);
    }
    assert!(!screen.until("connected").await.to_string().contains("rehears"));

    let started = hall.rehearse().await;
    assert_eq!((&started["endedAt"], &started["startedBy"]), (&Value::Null, &json!("Anna Berg")));
    let announced = json!({ "id": started["id"], "startedAt": started["startedAt"] });
    for stream in [&mut organizer, &mut ada, &mut ben, &mut dora_watches] {
        let update = stream.until("meeting_update").await;
        assert_eq!((&update["rehearsal"], &update["status"]), (&announced, &json!("SCHEDULED")));
    }
    assert!(!screen.until("meeting_update").await.to_string().contains("rehears"));
    assert_eq!(hall.state(&hall.ada).await["rehearsal"], announced);
    let listed = hall.ada.caller.get("/voting/meetings").await.gives(200);
    assert_eq!(listed["meetings"][0]["isRehearsing"], true);

    hall.answer(&hall.ada, &started["id"], "received").await;
    hall.answer(&hall.ada, &started["id"], "answered").await;
    hall.answer(&hall.ben, &started["id"], "received").await;
    assert_report_lists_everybody(&hall, &started).await;

    // A voter who leaves after the answer has answered.
    drop(ada);
    until("ada has left", async || (hall.report("").await["data"][0]["isConnected"] == false).then_some(())).await;
    assert_eq!(statuses_by_name(&hall.report("").await)[0], ("ada", "answered"));
    let ended = hall.club.admin.post(&format!("{}/end", hall.path()), Value::Null).await.gives(200);
    assert!(ended["endedAt"].is_string());
    assert_eq!(ben.until("meeting_update").await["rehearsal"], Value::Null);
    assert_eq!(hall.ada.caller.get("/voting/meetings").await.gives(200)["meetings"][0]["isRehearsing"], false);
    let kept = hall.report("").await;
    assert_eq!((&kept["rehearsal"], &kept["counts"]["answered"]), (&ended, &json!(1)));
}

/// Ada has answered, Ben has received the rehearsal, Dora is connected, Cleo has never signed in, and Emil is absent.
async fn assert_report_lists_everybody(hall: &Hall, started: &Value) {
    let report = hall.report("").await;
    assert_eq!(report["rehearsal"], *started);
    assert_eq!(
        statuses_by_name(&report),
        [
            ("ada", "answered"),
            ("ben", "received"),
            ("cleo", "never_signed_in"),
            ("dora", "connected"),
            ("emil", "absent")
        ]
    );
    assert_eq!(
        report["counts"],
        json!({ "invited": 5, "answered": 1, "received": 1, "connected": 1, "absent": 1, "neverSignedIn": 1 })
    );
    assert_eq!(report["meta"], json!({ "page": 1, "pageSize": 50, "total": 5 }));
    let of_ada = &report["data"][0];
    assert_eq!((&of_ada["endUserId"], &of_ada["username"]), (&json!(hall.ada.id), &json!("ada")));
    assert!(of_ada["receivedMs"].as_u64().unwrap() <= of_ada["answeredMs"].as_u64().unwrap());
    assert!(of_ada["lastLoginAt"].is_string() && report["data"][2]["lastLoginAt"].is_null());
    for place in ["medianMs", "p95Ms", "maxMs"] {
        assert_eq!(report["answered"][place], of_ada["answeredMs"]);
    }
    let connected: Vec<_> = report["data"].as_array().unwrap().iter().map(|row| &row["isConnected"]).collect();
    assert_eq!(connected, [true, true, false, true, false]);
    for (query, found) in [
        ("?status=silent", vec![("ben", "received"), ("dora", "connected")]),
        ("?status=answered", vec![("ada", "answered")]),
        ("?status=never_signed_in", vec![("cleo", "never_signed_in")]),
        ("?status=absent&search=EM", vec![("emil", "absent")]),
        ("?status=&search=ada", vec![("ada", "answered")]),
        ("?page=2&pageSize=2", vec![("cleo", "never_signed_in"), ("dora", "connected")]),
        ("?search=%25", vec![]),
    ] {
        let filtered = hall.report(query).await;
        assert_eq!((statuses_by_name(&filtered), &filtered["counts"]), (found, &report["counts"]), "{query}");
    }
}

#[tokio::test]
async fn opening_a_question_ends_the_rehearsal() {
    let hall = Hall::new("ACTIVE").await;
    let question = hall.meeting.ask_yes_no().await;
    let mut ada = EventStream::watch(&hall.ada.caller, &hall.meeting.id).await;
    ada.until("connected").await;
    for _ in 0..2 {
        let started = hall.rehearse().await;
        assert_eq!(ada.until("meeting_update").await["rehearsal"]["id"], started["id"]);
        hall.meeting.open(&question).await;
        assert_eq!(ada.until("question_activated").await["id"], question);
        let update = ada.until("meeting_update").await;
        assert_eq!((&update["rehearsal"], &update["currentQuestion"]["id"]), (&Value::Null, &json!(question)));
        let body = json!({ "rehearsalId": started["id"], "step": "answered" });
        hall.ada.caller.put(&hall.answer_path(), body).await.refuses(409, "rehearsal_over");
        assert!(hall.report("").await["rehearsal"]["endedAt"].is_string());
        hall.club.admin.post(&hall.path(), Value::Null).await.refuses(409, "round_open");
        hall.ada.vote(&hall.meeting, &question, &["Yes"]).await.gives(201);
        hall.meeting.clear().await;
    }
    let started = hall.rehearse().await;
    let revote = json!({ "questionId": question, "reason": "Somebody was cut off." });
    hall.club.admin.post(&hall.meeting.path("/rounds"), revote).await.gives(201);
    let seen = hall.report("").await["rehearsal"].clone();
    assert_eq!(seen["id"], started["id"]);
    assert!(seen["endedAt"].is_string());
}

#[tokio::test]
async fn a_rehearsal_appears_in_no_other_data() {
    let hall = Hall::new("ACTIVE").await;
    let question = hall.meeting.ask_yes_no().await;
    let round = hall.meeting.open(&question).await["roundId"].clone();
    hall.ada.vote(&hall.meeting, &question, &["Yes"]).await.gives(201);
    hall.meeting.clear().await;
    hall.meeting.count(&round).await.gives(200);
    // The attendance note of the end follows a moment later.
    let ended_at = hall.meeting.rounds().await[0]["endedAt"].as_str().unwrap().to_owned();
    until("the end is noted", async || {
        let results = hall.club.admin.get(&hall.meeting.path("/results")).await.gives(200);
        let notes = results["attendance"].as_array().unwrap();
        notes.iter().any(|note| note["at"].as_str().unwrap() > ended_at.as_str()).then_some(())
    })
    .await;
    let root = hall.app.super_admin().await;
    let register = hall.meeting.path(&format!("/rounds/{}/register", round.as_str().unwrap()));
    let everything = async || {
        let mut seen = Vec::new();
        for path in ["/client/activity", "/client/meetings/stats", "/client/end-users/stats", "/client/meetings"] {
            seen.push((path.to_owned(), hall.club.admin.get(path).await.gives(200).to_string()));
        }
        for rest in [
            "",
            "/rounds",
            "/results",
            "/results/export?format=json",
            "/current-question",
            "/current-question/stats",
            "/participants",
            "/remarks",
        ] {
            let answer = hall.club.admin.get(&hall.meeting.path(rest)).await;
            seen.push((rest.to_owned(), without_the_time_of_the_call(&answer.text)));
        }
        seen.push((register.clone(), hall.club.admin.get(&register).await.text));
        for path in ["/activity", "/reports/clients", "/clients/stats"] {
            seen.push((path.to_owned(), root.get(path).await.gives(200).to_string()));
        }
        seen.push(("the meeting of a voter".to_owned(), hall.ben.sees(&hall.meeting).await.to_string()));
        seen
    };
    let before = everything().await;
    for way in ["end", "discard"] {
        let started = hall.rehearse().await;
        hall.answer(&hall.ada, &started["id"], "answered").await;
        assert_eq!(everything().await, before, "while it runs");
        if way == "end" {
            hall.club.admin.post(&format!("{}/end", hall.path()), Value::Null).await.gives(200);
        } else {
            assert_eq!(hall.club.admin.delete(&hall.path()).await.status, 204);
        }
        assert_eq!(everything().await, before, "{way}");
    }
}

/// A file without the time of its export, and without the signature, which covers it.
fn without_the_time_of_the_call(text: &str) -> String {
    text.lines().filter(|line| !line.contains("\"exportedAt\"") && !line.starts_with("    \"value\"")).collect()
}

#[tokio::test]
async fn repeated_answers_keep_the_first_times() {
    let hall = Hall::new("SCHEDULED").await;
    let started = hall.rehearse().await;
    for step in ["answered", "received", "answered"] {
        hall.answer(&hall.ada, &started["id"], step).await;
    }
    let first = hall.report("?search=ada").await["data"][0].clone();
    assert_eq!(first["receivedMs"], first["answeredMs"], "an answer implies the receipt");
    for step in ["received", "answered"] {
        hall.answer(&hall.ada, &started["id"], step).await;
    }
    assert_eq!(hall.report("?search=ada").await["data"][0], first);
    let end = format!("{}/end", hall.path());
    let ended = hall.club.admin.post(&end, Value::Null).await.gives(200);
    assert_eq!(hall.club.admin.post(&end, Value::Null).await.gives(200), ended);
    hall.club.admin.post(&hall.path(), Value::Null).await.gives(201);
    assert_eq!(statuses_by_name(&hall.report("").await), [("ada", "absent"), ("ben", "absent")]);
    let body = json!({ "rehearsalId": started["id"], "step": "answered" });
    hall.ada.caller.put(&hall.answer_path(), body).await.refuses(409, "rehearsal_over");
}

#[tokio::test]
async fn a_rehearsal_step_that_is_not_allowed_is_refused() {
    let hall = Hall::new("SCHEDULED").await;
    let admin = &hall.club.admin;
    let end = format!("{}/end", hall.path());
    admin.post(&end, Value::Null).await.refuses(404, "no_rehearsal");
    admin.delete(&hall.path()).await.refuses(404, "no_rehearsal");
    let started = hall.rehearse().await;
    admin.post(&hall.path(), Value::Null).await.refuses(409, "rehearsal_running");
    assert_eq!(admin.get(&format!("{}?status=asleep", hall.path())).await.wrong_fields(), ["status"]);
    assert_eq!(admin.get(&format!("{}?page=0&pageSize=201", hall.path())).await.wrong_fields(), ["page", "pageSize"]);
    for (body, field) in [
        (json!({ "rehearsalId": "7", "step": "received" }), "rehearsalId"),
        (json!({ "step": "received" }), "rehearsalId"),
        (json!({ "rehearsalId": started["id"], "step": "slept" }), "step"),
        (json!({ "rehearsalId": started["id"] }), "step"),
    ] {
        assert_eq!(hall.ada.caller.put(&hall.answer_path(), body.clone()).await.wrong_fields(), [field], "{body}");
    }
    let body = || json!({ "rehearsalId": started["id"], "step": "received" });
    admin.put(&hall.answer_path(), body()).await.refuses(403, "wrong_role");
    hall.ada.caller.post(&hall.path(), Value::Null).await.refuses(403, "wrong_role");
    hall.app.super_admin().await.get(&hall.path()).await.refuses(403, "wrong_role");
    let nowhere = json!({ "rehearsalId": NO_ID, "step": "received" });
    hall.ada.caller.put(&hall.answer_path(), nowhere).await.refuses(409, "rehearsal_over");
    let nowhere = format!("/voting/meetings/{NO_ID}/rehearsal");
    hall.ada.caller.put(&nowhere, body()).await.refuses(404, "meeting_not_found");
    let for_ada = json!({ "endUserIds": [hall.ada.id] });
    admin.post(&hall.meeting.path("/participants"), for_ada).await.gives(200);
    hall.ben.caller.put(&hall.answer_path(), body()).await.refuses(403, "not_invited");
    hall.answer(&hall.ada, &started["id"], "received").await;
    assert_eq!(statuses_by_name(&hall.report("").await), [("ada", "received")]);

    admin.put(&hall.meeting.path(""), json!({ "status": "CANCELLED" })).await.gives(200);
    assert!(hall.report("").await["rehearsal"]["endedAt"].is_string());
    hall.ada.caller.put(&hall.answer_path(), body()).await.refuses(409, "rehearsal_over");
    for status in ["DRAFT", "COMPLETED", "CANCELLED"] {
        let meeting = hall.club.meeting_with(json!({ "status": status })).await;
        let path = meeting.path("/rehearsal");
        admin.post(&path, Value::Null).await.refuses(409, "meeting_not_rehearsable");
        assert_eq!(admin.get(&path).await.gives(200)["rehearsal"], Value::Null);
    }
}

#[tokio::test]
async fn a_rehearsal_continues_when_the_meeting_starts_and_ends_with_it() {
    let hall = Hall::new("SCHEDULED").await;
    let mut ada = EventStream::watch(&hall.ada.caller, &hall.meeting.id).await;
    ada.until("connected").await;
    let started = hall.rehearse().await;
    hall.club.admin.post(&hall.meeting.path("/start"), Value::Null).await.gives(200);
    ada.until("meeting_status").await;
    assert_eq!(hall.state(&hall.ada).await["rehearsal"]["id"], started["id"]);
    hall.answer(&hall.ada, &started["id"], "answered").await;
    hall.club.admin.post(&hall.meeting.path("/end"), Value::Null).await.gives(200);
    ada.until_event(|event| event.kind == "meeting_update" && event.data["rehearsal"].is_null()).await;
    let body = json!({ "rehearsalId": started["id"], "step": "answered" });
    hall.ada.caller.put(&hall.answer_path(), body).await.refuses(409, "rehearsal_over");
    assert_eq!(hall.report("").await["counts"]["answered"], 1);
    assert_eq!(hall.club.admin.delete(&hall.path()).await.status, 204);
    assert_eq!(hall.report("").await["rehearsal"], Value::Null);
}

#[tokio::test]
async fn a_concurrent_rehearsal_and_opening_happen_one_after_the_other() {
    let hall = Hall::new("ACTIVE").await;
    let question = hall.meeting.ask_yes_no().await;
    for round in 0..5 {
        let (admin, path) = (hall.club.admin.on_a_new_connection(), hall.path());
        let rehearsing = tokio::spawn(async move { admin.post(&path, Value::Null).await });
        let (admin, path) = (hall.club.admin.on_a_new_connection(), hall.meeting.path("/current-question"));
        let body = json!({ "questionId": question });
        let opening = tokio::spawn(async move { admin.put(&path, body).await });
        opening.await.unwrap().gives(200);
        let rehearsing = rehearsing.await.unwrap();
        if rehearsing.status != 201 {
            rehearsing.refuses(409, "round_open");
        }
        let state = hall.state(&hall.ada).await;
        assert_eq!((&state["currentQuestion"]["id"], &state["rehearsal"]), (&json!(question), &Value::Null), "{round}");
        let seen = hall.report("").await["rehearsal"].clone();
        assert!(seen.is_null() || seen["endedAt"].is_string(), "the {round}th time: {seen}");
        hall.meeting.clear().await;
    }
}

#[tokio::test]
async fn a_device_says_whether_it_can_seal_a_secret_ballot() {
    let hall = Hall::new("SCHEDULED").await;
    let id = hall.rehearse().await["id"].clone();
    for (voter, can_seal) in [(&hall.ada, json!(false)), (&hall.ben, json!(true))] {
        let body = json!({ "rehearsalId": id, "step": "received", "canSeal": can_seal });
        voter.caller.put(&hall.answer_path(), body).await.gives(200);
    }
    let wrong = json!({ "rehearsalId": id, "step": "received", "canSeal": "perhaps" });
    assert_eq!(hall.ada.caller.put(&hall.answer_path(), wrong).await.wrong_fields(), ["canSeal"]);
    let report = hall.report("?canSeal=false").await;
    assert_eq!((&report["cannotSeal"], &report["meta"]["total"]), (&json!(1), &json!(1)));
    assert_eq!((&report["data"][0]["name"], &report["data"][0]["canSeal"]), (&json!("ada"), &json!(false)));
    assert_eq!(hall.club.admin.get(&format!("{}?canSeal=no", hall.path())).await.wrong_fields(), ["canSeal"]);
}
