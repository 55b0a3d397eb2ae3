use serde_json::{Value, json};

use crate::http::support::{EventStream, NO_ID, TestApp};

fn plan() -> Value {
    json!({
        "title": "General assembly", "scheduledStartTime": "2030-05-01T18:00:00Z",
        "scheduledEndTime": "2030-05-01T20:00:00Z",
    })
}

#[tokio::test]
async fn a_meeting_is_planned_as_a_draft_for_everybody() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let meeting = club.admin.post("/client/meetings", plan()).await.gives(201);
    assert_eq!(meeting["status"], "DRAFT");
    assert_eq!(meeting["clientId"], club.id);
    assert_eq!(meeting["client"], json!({ "id": club.id, "name": "Rowing Club", "clientCode": "rowing-club" }));
    assert_eq!(meeting["startTime"], meeting["scheduledStartTime"]);
    assert_eq!(meeting["endTime"], "2030-05-01T20:00:00Z");
    assert_eq!((&meeting["startedAt"], &meeting["endedAt"]), (&Value::Null, &Value::Null));
    assert_eq!((&meeting["hasParticipantList"], &meeting["maxParticipants"]), (&json!(false), &Value::Null));
    let found = club.admin.get(&format!("/client/meetings/{}", meeting["id"].as_str().unwrap())).await.gives(200);
    assert_eq!(found, meeting);
}

#[tokio::test]
async fn an_invalid_plan_is_refused_with_its_fields() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    for (field, value) in [
        ("title", json!("")),
        ("title", json!("a\0b")),
        ("title", Value::Null),
        ("description", json!("a\0b")),
        ("scheduledStartTime", json!("tomorrow")),
        ("scheduledStartTime", json!(5)),
        ("scheduledEndTime", json!("2030-05-01T18:00:00Z")),
        ("scheduledEndTime", json!("2030-05-01T17:00:00Z")),
        ("status", json!("RUNNING")),
        ("maxParticipants", json!(0)),
        ("maxParticipants", json!(-1)),
        ("maxParticipants", json!(1.5)),
        ("maxParticipants", json!(4_000_000_000_i64)),
        ("isRecurring", json!("no")),
        ("recurringPattern", json!("a\0b")),
    ] {
        let mut body = plan();
        body[field] = value.clone();
        let answer = club.admin.post("/client/meetings", body).await;
        assert_eq!(answer.wrong_fields(), [field], "{field} = {value}: {}", answer.text);
    }
}

#[tokio::test]
async fn times_far_away_do_not_fail_the_server() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    for (start, end) in [
        ("0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"),
        ("-9999-01-01T00:00:00Z", "2030-01-01T00:00:00Z"),
        ("2030-01-01T00:00:00Z", "+262142-12-31T00:00:00Z"),
        ("-262143-01-01T00:00:00Z", "2030-01-01T00:00:00Z"),
        ("2030-01-01T00:00:00+23:59", "2030-01-02T00:00:00.123456789-12:00"),
    ] {
        let body = json!({ "title": "T", "scheduledStartTime": start, "scheduledEndTime": end });
        let answer = club.admin.post("/client/meetings", body).await;
        assert!(matches!(answer.status, 201 | 422), "{start} to {end}: {} {}", answer.status, answer.text);
        assert_eq!(club.admin.get("/client/meetings").await.status, 200, "{start} to {end}");
    }
}

#[tokio::test]
async fn a_meeting_starts_from_draft_or_scheduled_and_ends_from_active() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    for status in ["DRAFT", "SCHEDULED"] {
        let meeting = club.meeting_with(json!({ "status": status })).await;
        club.admin.post(&meeting.path("/end"), Value::Null).await.refuses(409, "meeting_not_active");
        let started = club.admin.post(&meeting.path("/start"), Value::Null).await.gives(200);
        assert_eq!(started["status"], "ACTIVE");
        assert!(started["startedAt"].is_string());
        // A repeat changes nothing.
        let again = club.admin.post(&meeting.path("/start"), Value::Null).await.gives(200);
        assert_eq!(again["startedAt"], started["startedAt"]);
        let ended = club.admin.post(&meeting.path("/end"), Value::Null).await.gives(200);
        assert_eq!(ended["status"], "COMPLETED");
        assert!(ended["endedAt"].is_string());
        club.admin.post(&meeting.path("/start"), Value::Null).await.refuses(409, "restart_unconfirmed");
        club.admin.post(&meeting.path("/end"), Value::Null).await.refuses(409, "meeting_not_active");
    }
}

#[tokio::test]
async fn any_status_may_be_set_and_leaving_active_ends_the_running_round() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let ben = club.voter("ben").await;
    for status in ["COMPLETED", "CANCELLED", "SCHEDULED"] {
        let meeting = club.meeting_with(json!({})).await;
        let started = club.admin.put(&meeting.path(""), json!({ "status": "ACTIVE" })).await.gives(200);
        assert_eq!(started["status"], "ACTIVE");
        assert!(started["startedAt"].is_string());
        let question = meeting.ask_yes_no().await;
        meeting.open(&question).await;
        let left = club.admin.put(&meeting.path(""), json!({ "status": status })).await.gives(200);
        assert_eq!(left["status"], status);
        assert_eq!(meeting.rounds().await[0]["status"], "ENDED", "{status}");
        ben.vote(&meeting, &question, &["Yes"]).await.refuses(409, "round_not_open");
        club.admin.get(&meeting.path("/current-question/stats")).await.gives(200);
    }
}

#[tokio::test]
async fn a_change_touches_only_what_it_names_and_null_clears() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let meeting = club
        .meeting_with(
            json!({ "description": "Text", "maxParticipants": 5, "isRecurring": true, "recurringPattern": "Weekly" }),
        )
        .await;
    let renamed = club.admin.put(&meeting.path(""), json!({ "title": "Renamed" })).await.gives(200);
    assert_eq!(renamed["title"], "Renamed");
    assert_eq!(renamed["description"], "Text");
    assert_eq!((&renamed["maxParticipants"], &renamed["recurringPattern"]), (&json!(5), &json!("Weekly")));
    let body = json!({ "description": null, "maxParticipants": null, "recurringPattern": "" });
    let cleared = club.admin.put(&meeting.path(""), body).await.gives(200);
    assert_eq!((&cleared["description"], &cleared["maxParticipants"]), (&Value::Null, &Value::Null));
    assert_eq!((&cleared["recurringPattern"], &cleared["title"]), (&Value::Null, &json!("Renamed")));
    let before = club.admin.put(&meeting.path(""), json!({ "scheduledEndTime": "2030-05-01T17:00:00Z" })).await;
    assert_eq!(before.wrong_fields(), ["scheduledEndTime"]);
    for (field, value) in [("title", json!("")), ("maxParticipants", json!(0)), ("status", json!("?"))] {
        assert_eq!(club.admin.put(&meeting.path(""), json!({ field: value })).await.wrong_fields(), [field]);
    }
    let unchanged = club.admin.put(&meeting.path(""), json!({})).await.gives(200);
    assert_eq!(unchanged, cleared);
}

#[tokio::test]
async fn meetings_are_searched_filtered_paged_and_counted() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    for (title, status) in [("Alpha", "DRAFT"), ("Beta 50%", "SCHEDULED"), ("Gamma", "ACTIVE")] {
        club.meeting_with(json!({ "title": title, "status": status })).await;
    }
    let titles = |rows: &Value| -> Vec<String> {
        rows.as_array().unwrap().iter().map(|row| row["title"].as_str().unwrap().to_owned()).collect()
    };
    let all = async |query: &str| titles(&club.admin.get(&format!("/client/meetings?{query}")).await.gives(200));
    assert_eq!(all("sort=name").await, ["Alpha", "Beta 50%", "Gamma"]);
    assert_eq!(all("sort=-name&search=a").await, ["Gamma", "Beta 50%", "Alpha"]);
    assert_eq!(all("search=%25").await, ["Beta 50%"]);
    assert_eq!(all("status=ACTIVE").await, ["Gamma"]);
    assert_eq!(all(&format!("status=DRAFT&clientId={}", club.id)).await, ["Alpha"]);
    let page = club.admin.get("/client/meetings?sort=name&page=1&pageSize=2").await.gives(200);
    assert_eq!(titles(&page["data"]), ["Alpha", "Beta 50%"]);
    assert_eq!(page["meta"], json!({ "page": 1, "pageSize": 2, "total": 3 }));
    let stats = club.admin.get("/client/meetings/stats").await.gives(200);
    assert_eq!(stats, json!({ "total": 3, "draft": 1, "scheduled": 1, "active": 1, "completed": 0, "cancelled": 0 }));
    for id in [NO_ID, "no-id"] {
        club.admin.get(&format!("/client/meetings?clientId={id}")).await.refuses(404, "client_not_found");
    }
}

#[tokio::test]
async fn an_invitation_link_is_created_once_and_invalid_after_the_meeting() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let other = app.client("Sailing Club").await;
    let meeting = club.meeting().await;
    let link = club.admin.post(&meeting.path("/generate-link"), Value::Null).await.gives(200);
    let again = club.admin.post(&meeting.path("/generate-link"), Value::Null).await.gives(200);
    assert_eq!(link, again);
    let token = link["invitationLink"].as_str().unwrap();
    assert!(token.len() >= 20, "{token} can be guessed");

    let by_link = format!("/meetings/by-link/{token}");
    let linked = app.anyone().get(&by_link).await.gives(200);
    assert_eq!((&linked["id"], &linked["title"]), (&json!(meeting.id), &json!("General assembly")));
    assert_eq!(linked["client"]["clientCode"], "rowing-club");
    assert_eq!(club.admin.get(&format!("/client{by_link}")).await.gives(200), linked);
    other.admin.get(&format!("/client{by_link}")).await.refuses(404, "invitation_not_found");

    club.admin.post(&meeting.path("/end"), Value::Null).await.gives(200);
    let void = app.anyone().get(&by_link).await.refuses(404, "invitation_not_found");
    assert_eq!(void["error"], "Meeting not found or invitation link expired");
    club.admin.get(&format!("/client{by_link}")).await.refuses(404, "invitation_not_found");
    club.admin.post(&meeting.path("/generate-link"), Value::Null).await.refuses(409, "invitation_link_void");
    for token in ["unknown", "%00", "%25", "a%0Ab"] {
        app.anyone().get(&format!("/meetings/by-link/{token}")).await.refuses(404, "invitation_not_found");
        club.admin.get(&format!("/client/meetings/by-link/{token}")).await.refuses(404, "invitation_not_found");
    }
}

#[tokio::test]
async fn a_meeting_that_does_not_exist_is_404() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    for id in [NO_ID, "no-id"] {
        for rest in ["", "/participants", "/current-question", "/current-question/stats", "/rounds"] {
            club.admin.get(&format!("/client/meetings/{id}{rest}")).await.refuses(404, "meeting_not_found");
        }
        club.admin.delete(&format!("/client/meetings/{id}")).await.refuses(404, "meeting_not_found");
        club.admin.put(&format!("/client/meetings/{id}"), json!({})).await.refuses(404, "meeting_not_found");
        for rest in ["/start", "/end", "/generate-link"] {
            club.admin
                .post(&format!("/client/meetings/{id}{rest}"), Value::Null)
                .await
                .refuses(404, "meeting_not_found");
        }
    }
}

#[tokio::test]
async fn a_running_meeting_is_not_deleted_and_any_other_is_with_everything_in_it() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let ben = club.voter("ben").await;
    let stays = club.meeting().await;
    let kept = stays.ask_yes_no().await;
    stays.open(&kept).await;
    ben.vote(&stays, &kept, &["Yes"]).await.gives(201);
    let untouched = club.admin.get(&stays.path("")).await.gives(200);
    for status in ["DRAFT", "SCHEDULED", "COMPLETED", "CANCELLED"] {
        let meeting = club.meeting().await;
        club.admin.post(&meeting.path("/participants"), json!({ "endUserIds": [ben.id] })).await.gives(200);
        let question = meeting.ask_yes_no().await;
        meeting.open(&question).await;
        ben.vote(&meeting, &question, &["Yes"]).await.gives(201);
        let link = club.admin.post(&meeting.path("/generate-link"), Value::Null).await.gives(200);
        let refused = club.admin.delete(&meeting.path("")).await.refuses(409, "meeting_active");
        assert!(refused["fields"].is_null(), "{refused}");
        assert_eq!(meeting.rounds().await[0]["status"], "OPEN", "{status}");
        assert_eq!(ben.sees(&meeting).await["questions"][0]["hasVoted"], true, "{status}");

        club.admin.put(&meeting.path(""), json!({ "status": status })).await.gives(200);
        assert_eq!(club.admin.delete(&meeting.path("")).await.gives(200), json!({ "success": true }));
        for rest in ["", "/participants", "/current-question", "/rounds"] {
            club.admin.get(&meeting.path(rest)).await.refuses(404, "meeting_not_found");
        }
        club.admin.delete(&meeting.path("")).await.refuses(404, "meeting_not_found");
        club.admin.get(&format!("/client/questions/{question}")).await.refuses(404, "question_not_found");
        ben.caller.get(&format!("/voting/meetings/{}", meeting.id)).await.refuses(404, "meeting_not_found");
        ben.vote(&meeting, &question, &["Yes"]).await.refuses(404, "question_not_found");
        app.anyone().get(&format!("/public/meetings/{}/presentation", meeting.id)).await.gives(404);
        let by_link = format!("/meetings/by-link/{}", link["invitationLink"].as_str().unwrap());
        app.anyone().get(&by_link).await.refuses(404, "invitation_not_found");
    }
    assert_eq!(club.admin.get(&stays.path("")).await.gives(200), untouched);
    assert_eq!(ben.sees(&stays).await["questions"][0]["userVote"], json!(["Yes"]));
    assert_eq!(club.admin.get("/client/meetings/stats").await.gives(200)["total"], 1);
}

#[tokio::test]
async fn every_screen_of_a_deleted_meeting_is_informed() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let ben = club.voter("ben").await;
    let (meeting, other) = (club.meeting_with(json!({ "status": "SCHEDULED" })).await, club.meeting().await);
    let mut streams = [
        EventStream::watch(&ben.caller, &meeting.id).await,
        EventStream::watch(&club.admin, &meeting.id).await,
        EventStream::watch_presentation(&app.anyone(), &meeting.id).await,
    ];
    let mut elsewhere = EventStream::watch(&ben.caller, &other.id).await;
    for stream in &mut streams {
        stream.until("connected").await;
    }
    club.admin.delete(&meeting.path("")).await.gives(200);
    // Each stream ends, and a reconnect gets "not found".
    for stream in &mut streams {
        while let Some(event) = stream.next().await {
            assert_ne!(event.kind, "meeting_update", "{event:?}");
        }
    }
    let path = format!("/sse/meetings/{}/stream", meeting.id);
    ben.caller.get(&path).await.refuses(404, "meeting_not_found");
    club.admin.get(&path).await.refuses(404, "meeting_not_found");
    let question = other.ask_yes_no().await;
    other.open(&question).await;
    assert_eq!(elsewhere.until("question_activated").await["id"], question);
}
