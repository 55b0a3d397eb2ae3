//! The events of live screens.

use serde_json::{Value, json};

use crate::http::support::{EventStream, Organization, PASSWORD, TestApp, TestMeeting, TestVoter, until};

async fn participants(meeting: &TestMeeting) -> Value {
    let path = format!("/sse/meetings/{}/participants/count", meeting.id);
    meeting.admin.get(&path).await.gives(200)["participantCount"].clone()
}

struct Hall {
    club: Organization,
    ada: TestVoter,
    ben: TestVoter,
    meeting: TestMeeting,
    app: TestApp,
}

impl Hall {
    async fn new() -> Self {
        let app = TestApp::start().await;
        let club = app.client("Rowing Club").await;
        let (ada, ben) = (club.voter("ada").await, club.voter("ben").await);
        let meeting = club.meeting().await;
        Self { club, ada, ben, meeting, app }
    }
}

#[tokio::test]
async fn a_stream_starts_with_the_whole_snapshot_and_is_not_buffered() {
    let hall = Hall::new().await;
    let mut stream = EventStream::watch(&hall.ben.caller, &hall.meeting.id).await;
    assert_eq!(stream.header("content-type"), Some("text/event-stream"));
    assert_eq!(stream.header("x-accel-buffering"), Some("no"));
    assert_eq!(stream.header("cache-control"), Some("no-store"));
    assert!(matches!(stream.header("content-encoding"), None | Some("identity")));
    let first = stream.next().await.unwrap();
    assert_eq!(first.kind, "connected");
    assert_eq!(first.version, first.data["version"].as_u64());
    assert_eq!((&first.data["meetingId"], &first.data["status"]), (&json!(hall.meeting.id), &json!("ACTIVE")));
    assert_eq!(first.data["currentQuestion"], Value::Null);
    let state = hall.ben.caller.get(&format!("/sse/meetings/{}/state", hall.meeting.id)).await.gives(200);
    let fields = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    let names: Vec<String> = fields(&state).into_iter().filter(|name| name != "serverTime").collect();
    assert_eq!(names, fields(&first.data));
}

#[tokio::test]
async fn the_token_of_a_stream_may_stand_in_the_query() {
    let hall = Hall::new().await;
    let anyone = hall.app.anyone();
    let path = |token: &str| format!("/sse/meetings/{}/stream?token={token}", hall.meeting.id);
    let mut stream = EventStream::open(&anyone, &path(hall.ben.caller.token())).await;
    assert_eq!(stream.next().await.unwrap().kind, "connected");
    anyone.get(&path("")).await.refuses(401, "authentication_required");
    anyone.get(&path("garbled")).await.refuses(403, "invalid_token");
    anyone.get(&path(&hall.ben.caller.forged_token())).await.refuses(403, "invalid_token");
    anyone.get(&path(&hall.ben.caller.expired_token())).await.refuses(401, "token_expired");
}

#[tokio::test]
async fn an_unauthorized_watcher_is_refused_before_the_stream() {
    let hall = Hall::new().await;
    let stream = |meeting: &TestMeeting| format!("/sse/meetings/{}/stream", meeting.id);
    let draft = hall.club.meeting_with(json!({ "status": "DRAFT" })).await;
    hall.ben.caller.get(&stream(&draft)).await.refuses(404, "meeting_not_open_yet");
    let for_ada = hall.club.meeting().await;
    let body = json!({ "endUserIds": [hall.ada.id] });
    hall.club.admin.post(&for_ada.path("/participants"), body).await.gives(200);
    hall.ben.caller.get(&stream(&for_ada)).await.refuses(403, "not_invited");
    let stranger = hall.app.client("Sailing Club").await;
    stranger.admin.get(&stream(&hall.meeting)).await.refuses(404, "meeting_not_found");
}

#[tokio::test]
async fn an_opened_question_reaches_every_screen() {
    let hall = Hall::new().await;
    let [question, second, ..] = hall.meeting.with_questions().await;
    let mut voter = EventStream::watch(&hall.ben.caller, &hall.meeting.id).await;
    let mut organizer = EventStream::watch(&hall.club.admin, &hall.meeting.id).await;
    let mut screen = EventStream::watch_presentation(&hall.app.anyone(), &hall.meeting.id).await;
    for stream in [&mut voter, &mut organizer, &mut screen] {
        assert_eq!(stream.next().await.unwrap().kind, "connected");
    }

    let opened = hall.meeting.open(&question).await;
    for stream in [&mut voter, &mut organizer] {
        let event = stream.until("question_activated").await;
        assert_eq!((&event["id"], &event["isActive"]), (&json!(question), &json!(true)));
        assert_eq!((&event["type"], &event["questionType"]), (&json!("SINGLE_CHOICE"), &json!("YES_NO")));
        assert_eq!((&event["roundId"], &event["hasVoted"]), (&opened["roundId"], &json!(false)));
        assert_eq!((&event["voteCount"], &event["registerSize"]), (&json!(0), &json!(2)));
    }
    let event = screen.until("question_activated").await;
    assert_eq!((&event["currentQuestion"]["isOpen"], &event["registerSize"]), (&json!(true), &json!(2)));

    // The step to the next question clears the voters' screens. The others show the next question.
    hall.meeting.show(&second).await;
    assert_eq!(voter.until("question_deactivated").await["id"], question);
    let shown = screen.until_event(|event| event.data["currentQuestion"]["questionType"] == "MULTIPLE_CHOICE").await;
    assert_eq!(shown.data["currentQuestion"]["isOpen"], false);
    let seen = hall.ben.caller.get(&format!("/sse/meetings/{}/state", hall.meeting.id)).await.gives(200);
    assert_eq!(seen["currentQuestion"], Value::Null);
    let seen = hall.club.admin.get(&format!("/sse/meetings/{}/state", hall.meeting.id)).await.gives(200);
    assert_eq!((&seen["currentQuestion"]["id"], &seen["currentQuestion"]["isActive"]), (&json!(second), &json!(false)));

    hall.club.admin.post(&hall.meeting.path("/end"), Value::Null).await.gives(200);
    assert_eq!(voter.until("meeting_status").await["status"], "COMPLETED");
    assert_eq!(organizer.until("meeting_status").await["status"], "COMPLETED");
    screen.until_event(|event| event.data["status"] == "COMPLETED").await;
}

#[tokio::test]
async fn each_voter_sees_whether_they_have_voted_also_after_reopening() {
    let hall = Hall::new().await;
    let question = hall.meeting.ask_yes_no().await;
    let mut ada = EventStream::watch(&hall.ada.caller, &hall.meeting.id).await;
    let mut ben = EventStream::watch(&hall.ben.caller, &hall.meeting.id).await;
    hall.meeting.open(&question).await;
    for stream in [&mut ada, &mut ben] {
        assert_eq!(stream.until("question_activated").await["hasVoted"], false);
    }
    hall.ada.vote(&hall.meeting, &question, &["Yes"]).await.gives(201);
    hall.meeting.clear().await;
    // If both notices merged, the screens would see no change.
    for stream in [&mut ada, &mut ben] {
        stream.until("question_deactivated").await;
    }
    hall.meeting.open(&question).await;
    let again = ada.until("question_activated").await;
    assert_eq!((&again["hasVoted"], &again["voteCount"]), (&json!(true), &json!(1)));
    assert_eq!(ben.until("question_activated").await["hasVoted"], false);

    // Also a new stream.
    for (voter, has_voted) in [(&hall.ada, true), (&hall.ben, false)] {
        let mut stream = EventStream::watch(&voter.caller, &hall.meeting.id).await;
        assert_eq!(stream.until("connected").await["currentQuestion"]["hasVoted"], has_voted);
        let state = voter.caller.get(&format!("/sse/meetings/{}/state", hall.meeting.id)).await.gives(200);
        assert_eq!(state["currentQuestion"]["hasVoted"], has_voted);
    }
}

#[tokio::test]
async fn votes_are_counted_on_every_screen() {
    let hall = Hall::new().await;
    let question = hall.meeting.ask_yes_no().await;
    hall.meeting.open(&question).await;
    let mut organizer = EventStream::watch(&hall.club.admin, &hall.meeting.id).await;
    let mut screen = EventStream::watch_presentation(&hall.app.anyone(), &hall.meeting.id).await;
    hall.ada.vote(&hall.meeting, &question, &["Yes"]).await.gives(201);
    hall.ben.vote(&hall.meeting, &question, &["No"]).await.gives(201);
    for stream in [&mut organizer, &mut screen] {
        let event = stream.until_event(|event| event.data["voteCount"] == 2).await;
        assert_eq!(event.kind, "vote_count");
        // No stream reveals the standing of an open round.
        assert_eq!(event.data, json!({ "voteCount": 2, "registerSize": 2 }));
    }
}

#[tokio::test]
async fn voters_are_counted_once_regardless_of_their_streams_and_organizers_never() {
    let hall = Hall::new().await;
    let mut organizer = EventStream::watch(&hall.club.admin, &hall.meeting.id).await;
    let mut screen = EventStream::watch_presentation(&hall.app.anyone(), &hall.meeting.id).await;
    assert_eq!(organizer.until("connected").await["participantCount"], 0);
    assert_eq!(screen.until("connected").await["participantCount"], 0);
    let mut phone = EventStream::watch(&hall.ada.caller.on_a_new_connection(), &hall.meeting.id).await;
    let mut laptop = EventStream::watch(&hall.ada.caller.on_a_new_connection(), &hall.meeting.id).await;
    phone.until("connected").await;
    laptop.until("connected").await;
    assert_eq!(participants(&hall.meeting).await, 1);
    assert_eq!(organizer.until("participant_count").await, json!({ "participantCount": 1 }));
    let ben = EventStream::watch(&hall.ben.caller.on_a_new_connection(), &hall.meeting.id).await;
    let two = organizer.until_event(|event| event.data["participantCount"] == 2).await;
    assert_eq!(two.kind, "participant_count");
    screen.until_event(|event| event.data["participantCount"] == 2).await;

    drop(phone);
    drop(ben);
    until("ben has left", async || (participants(&hall.meeting).await == 1).then_some(())).await;
    drop(laptop);
    until("ada has left", async || (participants(&hall.meeting).await == 0).then_some(())).await;
    organizer.until_event(|event| event.data["participantCount"] == 0).await;
}

#[tokio::test]
async fn versions_go_up_by_one_with_every_event() {
    let hall = Hall::new().await;
    let question = hall.meeting.ask_yes_no().await;
    let mut stream = EventStream::watch(&hall.club.admin, &hall.meeting.id).await;
    let mut version = stream.next().await.unwrap().version.unwrap();
    hall.meeting.open(&question).await;
    hall.ada.vote(&hall.meeting, &question, &["Yes"]).await.gives(201);
    hall.meeting.clear().await;
    hall.meeting.open(&question).await;
    hall.club.admin.put(&hall.meeting.path(""), json!({ "title": "Renamed" })).await.gives(200);
    hall.club.admin.post(&hall.meeting.path("/end"), Value::Null).await.gives(200);
    loop {
        let event = stream.next().await.unwrap();
        match event.kind.as_str() {
            // These events report no change.
            "heartbeat" => assert_eq!(event.version.unwrap(), version),
            "connected" => version = event.version.unwrap(),
            _ => {
                version += 1;
                assert_eq!(event.version.unwrap(), version, "{event:?}");
            }
        }
        if event.data["status"] == "COMPLETED" {
            break;
        }
    }
    let state = hall.club.admin.get(&format!("/sse/meetings/{}/state", hall.meeting.id)).await.gives(200);
    assert!(state["version"].as_u64().unwrap() >= version);
    assert_eq!((&state["title"], &state["status"]), (&json!("Renamed"), &json!("COMPLETED")));
}

#[tokio::test]
async fn events_of_another_meeting_do_not_arrive() {
    let hall = Hall::new().await;
    let other = hall.club.meeting().await;
    let (question, elsewhere) = (hall.meeting.ask_yes_no().await, other.ask_yes_no().await);
    let mut stream = EventStream::watch(&hall.ben.caller, &hall.meeting.id).await;
    other.open(&elsewhere).await;
    hall.meeting.open(&question).await;
    assert_eq!(stream.until("question_activated").await["id"], question);
}

#[tokio::test]
async fn a_revocation_ends_the_streams_of_its_person_at_once_and_no_others() {
    let hall = Hall::new().await;
    let ben = format!("/client/end-users/{}", hall.ben.id);
    let admin = &hall.club.admin;
    let mut ada = EventStream::watch(&hall.ada.caller, &hall.meeting.id).await;
    let mut organizer = EventStream::watch(admin, &hall.meeting.id).await;
    ada.until("connected").await;
    organizer.until("connected").await;
    for (method, path, body) in [
        ("PUT", ben.clone(), json!({ "password": PASSWORD })),
        ("PUT", ben.clone(), json!({ "isActive": false })),
        ("POST", format!("{ben}/export-credentials"), Value::Null),
        ("DELETE", ben.clone(), Value::Null),
    ] {
        let reset = json!({ "isActive": true, "password": PASSWORD });
        admin.put(&ben, reset).await.gives(200);
        let (phone, laptop) = (
            hall.app.anyone().sign_in_voter(&hall.club.code, "ben").await,
            hall.app.anyone().sign_in_voter(&hall.club.code, "ben").await,
        );
        let mut streams = Vec::new();
        for caller in [&phone, &laptop] {
            let mut stream = EventStream::watch(caller, &hall.meeting.id).await;
            stream.until("connected").await;
            streams.push(stream);
        }
        organizer.until_event(|event| event.data["participantCount"] == 2).await;
        admin.call(method, &path, Some(body.clone())).await.gives(200);
        for stream in &mut streams {
            let goodbye = stream.until("error").await;
            assert_eq!(goodbye["code"], "session_ended", "{method} {path} {body}");
            assert!(goodbye["message"].is_string());
            assert!(stream.next().await.is_none());
        }
        organizer.until_event(|event| event.data["participantCount"] == 1).await;
        let again = format!("/sse/meetings/{}/stream", hall.meeting.id);
        phone.get(&again).await.refuses(401, "session_ended");
    }
    // Ada has missed no event.
    let question = hall.meeting.ask_yes_no().await;
    hall.meeting.open(&question).await;
    assert_eq!(ada.until("question_activated").await["id"], question);
}

#[tokio::test]
async fn signing_out_ends_the_streams_of_that_device_alone() {
    let hall = Hall::new().await;
    let phone = hall.app.anyone().sign_in_voter(&hall.club.code, "ben").await;
    let mut on_phone = EventStream::watch(&phone, &hall.meeting.id).await;
    let mut on_laptop = EventStream::watch(&hall.ben.caller, &hall.meeting.id).await;
    on_phone.until("connected").await;
    on_laptop.until("connected").await;
    phone.post("/auth/logout", Value::Null).await.gives(200);
    assert_eq!(on_phone.until("error").await["code"], "session_ended");
    assert!(on_phone.next().await.is_none());
    phone.get("/auth/me").await.refuses(401, "session_ended");
    let question = hall.meeting.ask_yes_no().await;
    hall.meeting.open(&question).await;
    assert_eq!(on_laptop.until("question_activated").await["id"], question);
}

#[tokio::test]
async fn a_change_without_a_revocation_ends_no_stream() {
    let hall = Hall::new().await;
    let mut voter = EventStream::watch(&hall.ben.caller, &hall.meeting.id).await;
    let mut organizer = EventStream::watch(&hall.club.admin, &hall.meeting.id).await;
    let body = json!({ "username": "benno", "weight": 3, "isActive": true, "password": "" });
    hall.club.admin.put(&format!("/client/end-users/{}", hall.ben.id), body).await.gives(200);
    let body = json!({ "name": "Rowers", "status": "ACTIVE", "firstName": "Bea", "password": "" });
    hall.app.super_admin().await.put(&format!("/clients/{}", hall.club.id), body).await.gives(200);
    let question = hall.meeting.ask_yes_no().await;
    hall.meeting.open(&question).await;
    for stream in [&mut voter, &mut organizer] {
        let event = stream.until_event(|event| matches!(event.kind.as_str(), "error" | "question_activated")).await;
        assert_eq!(event.kind, "question_activated");
    }
}

#[tokio::test]
async fn streams_end_when_the_product_stops() {
    let mut hall = Hall::new().await;
    let mut voter = EventStream::watch(&hall.ben.caller, &hall.meeting.id).await;
    let mut screen = EventStream::watch_presentation(&hall.app.anyone(), &hall.meeting.id).await;
    voter.until("connected").await;
    screen.until("connected").await;
    let stopping = std::thread::spawn(move || hall.app.stop());
    while voter.next().await.is_some() {}
    while screen.next().await.is_some() {}
    stopping.join().unwrap();
}

#[tokio::test]
async fn a_removed_participant_gets_no_further_event_until_added_again() {
    let hall = Hall::new().await;
    let [first, second, ..] = hall.meeting.with_questions().await;
    let list = hall.meeting.path("/participants");
    let both = json!({ "endUserIds": [hall.ada.id, hall.ben.id] });
    hall.club.admin.post(&list, both).await.gives(200);
    let mut ada = EventStream::watch(&hall.ada.caller, &hall.meeting.id).await;
    let mut ben = EventStream::watch(&hall.ben.caller, &hall.meeting.id).await;
    for stream in [&mut ada, &mut ben] {
        stream.until("connected").await;
    }
    let only_ben = json!({ "endUserIds": [hall.ben.id] });
    hall.club.admin.call("DELETE", &list, Some(only_ben.clone())).await.gives(200);
    hall.meeting.open(&first).await;
    assert_eq!(ada.until("question_activated").await["id"], first);
    let last = ben.until_event(|event| !["participant_count", "heartbeat"].contains(&event.kind.as_str())).await;
    assert_eq!((last.kind.as_str(), &last.data["code"]), ("error", &json!("meeting_gone")));
    assert!(ben.next().await.is_none());
    let path = format!("/sse/meetings/{}/stream", hall.meeting.id);
    hall.ben.caller.get(&path).await.refuses(403, "not_invited");

    hall.club.admin.post(&list, only_ben.clone()).await.gives(200);
    let mut ben = EventStream::watch(&hall.ben.caller, &hall.meeting.id).await;
    assert_eq!(ben.until("connected").await["currentQuestion"]["id"], first);

    // A voter of the open round may watch until the round ends.
    hall.meeting.show(&second).await;
    hall.meeting.open(&second).await;
    ben.until_event(|event| event.kind == "question_activated" && event.data["id"] == second).await;
    hall.club.admin.call("DELETE", &list, Some(only_ben)).await.gives(200);
    hall.ben.vote(&hall.meeting, &second, &["A"]).await.gives(201);
    hall.meeting.show(&first).await;
    ends_with_the_round(&mut ben).await;
}

/// Reads until the end of the stream of a voter who may watch the open round only.
async fn ends_with_the_round(stream: &mut EventStream) {
    loop {
        let event = stream.next().await.unwrap();
        assert_ne!(event.kind, "question_deactivated", "{event:?}");
        if event.kind == "error" {
            assert_eq!(event.data["code"], "meeting_gone");
            break;
        }
    }
    assert!(stream.next().await.is_none());
}

#[tokio::test]
async fn a_voter_missing_from_a_new_list_watches_their_round_and_gets_no_event_after_it() {
    let hall = Hall::new().await;
    let [first, second, ..] = hall.meeting.with_questions().await;
    hall.meeting.open(&first).await;
    let mut ada = EventStream::watch(&hall.ada.caller, &hall.meeting.id).await;
    let mut ben = EventStream::watch(&hall.ben.caller, &hall.meeting.id).await;
    for stream in [&mut ada, &mut ben] {
        stream.until("connected").await;
    }
    // The first people on a list take the invitation from everybody else, with one revocation for all.
    let only_ada = json!({ "endUserIds": [hall.ada.id] });
    hall.club.admin.post(&hall.meeting.path("/participants"), only_ada).await.gives(200);
    hall.club.admin.put(&hall.meeting.path(""), json!({ "title": "Renamed" })).await.gives(200);
    for stream in [&mut ada, &mut ben] {
        stream.until_event(|event| event.data["title"] == "Renamed").await;
    }
    hall.ben.vote(&hall.meeting, &first, &["Yes"]).await.gives(201);
    hall.meeting.show(&second).await;
    ends_with_the_round(&mut ben).await;
    assert_eq!(ada.until("question_deactivated").await["id"], first);
    hall.meeting.open(&second).await;
    assert_eq!(ada.until("question_activated").await["id"], second);
}

#[tokio::test]
async fn a_voter_missing_from_a_new_list_gets_no_further_event() {
    let hall = Hall::new().await;
    let mut ben = EventStream::watch(&hall.ben.caller, &hall.meeting.id).await;
    ben.until("connected").await;
    let list = hall.meeting.path("/participants");
    hall.club.admin.post(&list, json!({ "endUserIds": [hall.ada.id] })).await.gives(200);
    assert_eq!(ben.until("error").await["code"], "meeting_gone");
    assert!(ben.next().await.is_none());
}

#[tokio::test]
async fn a_member_missing_from_the_first_list_of_a_meeting_for_groups_gets_no_further_event() {
    let hall = Hall::new().await;
    let cleo = hall.club.voter("cleo").await;
    let board = hall.club.admin.post("/client/groups", json!({ "name": "Board" })).await.gives(201);
    let board = board["data"]["id"].as_str().unwrap();
    let members = json!({ "add": [hall.ada.id, hall.ben.id] });
    hall.club.admin.post(&format!("/client/groups/{board}/members"), members).await.gives(200);
    hall.club.admin.put(&hall.meeting.path(""), json!({ "groupIds": [board] })).await.gives(200);
    let mut ben = EventStream::watch(&hall.ben.caller, &hall.meeting.id).await;
    ben.until("connected").await;
    // More people are on the list than take part.
    let listed = json!({ "endUserIds": [hall.ada.id, cleo.id] });
    let added = hall.club.admin.post(&hall.meeting.path("/participants"), listed).await.gives(200);
    assert_eq!((&added["added"], &added["participantCount"]), (&json!(2), &json!(1)));
    assert_eq!(ben.until("error").await["code"], "meeting_gone");
    assert!(ben.next().await.is_none());
}

#[tokio::test]
async fn a_test_person_gets_no_further_event_when_the_list_is_removed() {
    let hall = Hall::new().await;
    let test = hall.club.voter("TEST_tess").await;
    let list = hall.meeting.path("/participants");
    hall.club.admin.post(&list, json!({ "endUserIds": [hall.ada.id, test.id] })).await.gives(200);
    let mut watching = EventStream::watch(&test.caller, &hall.meeting.id).await;
    watching.until("connected").await;
    hall.club.admin.post(&list, json!({ "addAllActive": true })).await.gives(200);
    assert_eq!(watching.until("error").await["code"], "meeting_gone");
    assert!(watching.next().await.is_none());
}

#[tokio::test]
async fn a_signed_out_voter_gets_no_further_event() {
    let hall = Hall::new().await;
    for caller in [&hall.ben.caller, &hall.club.admin] {
        let mut stream = EventStream::watch(caller, &hall.meeting.id).await;
        stream.until("connected").await;
        caller.post("/auth/logout", json!({})).await.gives(200);
        let next = stream.until_event(|event| event.kind != "heartbeat" && event.kind != "participant_count").await;
        assert_eq!((next.kind.as_str(), &next.data["code"]), ("error", &json!("session_ended")));
        assert!(stream.next().await.is_none());
    }
}
