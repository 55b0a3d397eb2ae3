//! Countdowns.

use chrono::{DateTime, Utc};
use diesel::connection::SimpleConnection as _;
use plenum_adapter_security::SystemClock;
use plenum_kernel::Clock as _;
use serde_json::{Value, json};

use crate::http::support::{EventStream, TestApp, TestMeeting, until};

fn time(value: &Value) -> DateTime<Utc> {
    value.as_str().unwrap_or_else(|| panic!("{value} is no time")).parse().unwrap()
}

async fn count_down(meeting: &TestMeeting, seconds: u32) -> Value {
    meeting.admin.put(&meeting.path("/countdown"), json!({ "seconds": seconds })).await.gives(200)
}

/// Makes every countdown due.
fn let_time_pass(app: &TestApp) {
    let sooner = "UPDATE rounds SET closes_at = now() WHERE closes_at IS NOT NULL";
    app.database.connection().batch_execute(sooner).unwrap();
}

#[tokio::test]
async fn a_countdown_is_shown_on_every_screen_changed_and_removed() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let ben = club.voter("ben").await;
    let meeting = club.meeting().await;
    let question = meeting.ask_yes_no().await;
    let opened = meeting.open(&question).await;
    assert_eq!(opened["closesAt"], Value::Null);
    let mut voter = EventStream::watch(&ben.caller, &meeting.id).await;
    let mut organizer = EventStream::watch(&club.admin, &meeting.id).await;
    let mut screen = EventStream::watch_presentation(&app.anyone(), &meeting.id).await;
    for stream in [&mut voter, &mut organizer, &mut screen] {
        assert_eq!(stream.until("connected").await["currentQuestion"]["closesAt"], Value::Null);
    }
    for seconds in [60, 3_600] {
        let answer = count_down(&meeting, seconds).await;
        let closes_at = &answer["currentQuestion"]["closesAt"];
        let left = time(closes_at) - time(&answer["serverTime"]);
        assert!((0..=i64::from(seconds)).contains(&left.num_seconds()), "{answer}");
        for stream in [&mut voter, &mut organizer, &mut screen] {
            let update = stream.until("meeting_update").await;
            assert_eq!(&update["currentQuestion"]["closesAt"], closes_at);
        }
        let current = club.admin.get(&meeting.path("/current-question")).await.gives(200);
        assert_eq!((&current["closesAt"], &current["isActive"]), (closes_at, &json!(true)));
        assert_eq!(&ben.sees(&meeting).await["questions"][0]["closesAt"], closes_at);
    }
    for _ in 0..2 {
        let answer = club.admin.delete(&meeting.path("/countdown")).await.gives(200);
        assert_eq!(answer["currentQuestion"]["closesAt"], Value::Null);
    }
    for stream in [&mut voter, &mut organizer, &mut screen] {
        assert_eq!(stream.until("meeting_update").await["currentQuestion"]["closesAt"], Value::Null);
    }
    ben.vote(&meeting, &question, &["Yes"]).await.gives(201);
}

#[tokio::test]
async fn a_round_ends_by_itself_when_its_countdown_is_over() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let (ada, ben) = (club.voter("ada").await, club.voter("ben").await);
    let meeting = club.meeting().await;
    let question = meeting.ask_yes_no().await;
    let round = meeting.open(&question).await["roundId"].clone();
    ada.vote(&meeting, &question, &["Yes"]).await.gives(201);
    let step = count_down(&meeting, 600).await["step"].as_u64().unwrap();
    let mut voter = EventStream::watch(&ben.caller, &meeting.id).await;
    let mut screen = EventStream::watch_presentation(&app.anyone(), &meeting.id).await;
    for stream in [&mut voter, &mut screen] {
        stream.until("connected").await;
    }

    let_time_pass(&app);
    let ended = voter.until("question_deactivated").await;
    assert_eq!((&ended["id"], &ended["step"]), (&json!(question), &json!(step + 1)));
    let shown = screen.until_event(|event| event.data["currentQuestion"]["isOpen"] == false).await;
    assert_eq!(shown.data["currentQuestion"]["closesAt"], Value::Null);
    ben.vote(&meeting, &question, &["Yes"]).await.refuses(409, "round_not_open");
    let current = club.admin.get(&meeting.path("/current-question")).await.gives(200);
    assert_eq!(
        (&current["id"], &current["isActive"], &current["closesAt"]),
        (&json!(question), &json!(false), &Value::Null)
    );
    // A reopened round has no countdown.
    assert_eq!(meeting.open(&question).await["closesAt"], Value::Null);
    ben.vote(&meeting, &question, &["Yes"]).await.gives(201);
    meeting.clear().await;
    assert_eq!(meeting.count(&round).await.gives(200)["votesCast"]["heads"], 2);
}

#[tokio::test]
async fn the_end_of_a_round_ends_its_countdown() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    club.voter("ben").await;
    let meeting = club.meeting().await;
    let (first, second) = (meeting.ask_yes_no().await, meeting.ask_yes_no().await);
    meeting.open(&first).await;
    count_down(&meeting, 600).await;
    // The step to the next question during a countdown, and then the end of the meeting.
    assert_eq!(meeting.open(&second).await["closesAt"], Value::Null);
    count_down(&meeting, 600).await;
    club.admin.post(&meeting.path("/end"), Value::Null).await.gives(200);
    let refused = club.admin.put(&meeting.path("/countdown"), json!({ "seconds": 60 })).await;
    refused.refuses(409, "no_open_round");
    club.admin.delete(&meeting.path("/countdown")).await.gives(200);
    assert!(meeting.rounds().await.iter().all(|round| round["status"] == "ENDED"));
}

#[tokio::test]
async fn a_countdown_needs_an_open_round_and_lasts_5_seconds_to_an_hour() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let meeting = club.meeting().await;
    let question = meeting.ask_yes_no().await;
    let path = meeting.path("/countdown");
    meeting.show(&question).await;
    club.admin.put(&path, json!({ "seconds": 60 })).await.refuses(409, "no_open_round");
    meeting.open(&question).await;
    for wrong in [json!({}), json!({ "seconds": 4 }), json!({ "seconds": 3601 }), json!({ "seconds": 5.5 })] {
        assert_eq!(club.admin.put(&path, wrong).await.wrong_fields(), ["seconds"]);
    }
    for seconds in [5, 3_600] {
        count_down(&meeting, seconds).await;
    }
}

#[tokio::test]
async fn events_contain_the_time_of_the_server() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let ben = club.voter("ben").await;
    let meeting = club.meeting().await;
    let before = SystemClock.now();
    let mut voter = EventStream::watch(&ben.caller, &meeting.id).await;
    let mut screen = EventStream::watch_presentation(&app.anyone(), &meeting.id).await;
    for stream in [&mut voter, &mut screen] {
        let connected = stream.next().await.unwrap();
        assert_eq!((connected.kind.as_str(), connected.data.get("serverTime")), ("connected", None));
        let heartbeat = stream.next().await.unwrap();
        assert_eq!((heartbeat.kind.as_str(), heartbeat.version), ("heartbeat", connected.version));
        assert!(time(&heartbeat.data["serverTime"]) >= before);
    }
    for path in [format!("/sse/meetings/{}/state", meeting.id), format!("/public/meetings/{}/presentation", meeting.id)]
    {
        let (caller, earlier) = (&ben.caller, time_of(&ben.caller.get(&path).await.gives(200)));
        until("time goes on", async || (time_of(&caller.get(&path).await.gives(200)) > earlier).then_some(())).await;
    }
}

fn time_of(answer: &Value) -> DateTime<Utc> {
    time(&answer["serverTime"])
}
