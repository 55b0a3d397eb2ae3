//! The live quorum, and the attendance notes of a meeting.

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use serde_json::{Value, json};

use crate::http::support::{EventStream, Organization, TestApp, TestMeeting, TestVoter, until};

const HALF_OF_THE_HEADS: &str =
    r#"{"comparison":"at_least","numerator":1,"denominator":2,"unit":"heads","attendance":"present"}"#;
const MOST_OF_THE_WEIGHT: &str =
    r#"{"comparison":"more_than","numerator":2,"denominator":3,"unit":"weight","attendance":"present"}"#;
const HALF_OF_THE_WEIGHT_VOTED: &str =
    r#"{"comparison":"at_least","numerator":1,"denominator":2,"unit":"weight","attendance":"voted"}"#;

/// A running meeting of voters with the weights 1, 2.5 and 0.0001.
struct Hall {
    ada: TestVoter,
    ben: TestVoter,
    clara: TestVoter,
    meeting: TestMeeting,
    club: Organization,
    app: TestApp,
}

impl Hall {
    async fn new() -> Self {
        let app = TestApp::start().await;
        let club = app.client("Rowing Club").await;
        let ada = club.voter_of_weight("ada", "1").await;
        let ben = club.voter_of_weight("ben", "2.5").await;
        let clara = club.voter_of_weight("clara", "0.0001").await;
        let meeting = club.meeting().await;
        Self { ada, ben, clara, meeting, club, app }
    }

    async fn with_quorum(quorum: &str) -> Self {
        let hall = Self::new().await;
        hall.sql(&format!(
            "UPDATE meetings SET quorum = '{quorum}', quorum_at_opening = 'WARN' WHERE id = '{}'",
            hall.meeting.id
        ));
        hall
    }

    fn sql(&self, statements: &str) {
        self.app.database.connection().batch_execute(statements).unwrap();
    }

    async fn comes(&self, voter: &TestVoter) -> EventStream {
        let mut stream = EventStream::watch(&voter.caller.on_a_new_connection(), &self.meeting.id).await;
        stream.until("connected").await;
        stream
    }

    async fn state(&self) -> Value {
        self.club.admin.get(&format!("/sse/meetings/{}/state", self.meeting.id)).await.gives(200)
    }

    async fn rename(&self, title: &str) {
        self.club.admin.put(&self.meeting.path(""), json!({ "title": title })).await.gives(200);
    }
}

/// The numbers of a quorum, digit for digit.
fn figures(quorum: &Value) -> [String; 7] {
    let number = |path: &str| quorum.pointer(path).unwrap_or(&Value::Null).to_string();
    ["/present/heads", "/present/weight", "/eligible/weight", "/attending", "/needed", "/percent", "/isMet"].map(number)
}

/// Reads until the quorum has these numbers.
async fn shows(stream: &mut EventStream, expected: [&str; 7]) -> Value {
    let event = stream.until_event(|event| figures(&event.data["quorum"]) == expected.map(str::to_owned)).await;
    event.data["quorum"].clone()
}

#[tokio::test]
async fn the_quorum_follows_connections_on_every_screen() {
    let hall = Hall::with_quorum(HALF_OF_THE_HEADS).await;
    let state = hall.state().await;
    assert_eq!(figures(&state["quorum"]), ["0", "0", "3.5001", "0", "2", "0.00", "false"]);
    assert_eq!((&state["quorum"]["atOpening"], &state["quorum"]["eligible"]["heads"]), (&json!("warn"), &json!(3)));
    assert_eq!(state["quorum"]["quorum"], serde_json::from_str::<Value>(HALF_OF_THE_HEADS).unwrap());

    let mut organizer = EventStream::watch(&hall.club.admin, &hall.meeting.id).await;
    let mut screen = EventStream::watch_presentation(&hall.app.anyone(), &hall.meeting.id).await;
    let ada = hall.comes(&hall.ada).await;
    let one = ["1", "1", "3.5001", "1", "2", "33.33", "false"];
    let two = ["2", "1.0001", "3.5001", "2", "2", "66.67", "true"];
    for stream in [&mut organizer, &mut screen] {
        shows(stream, one).await;
    }
    let clara = hall.comes(&hall.clara).await;
    // A second screen of the same voter counts once.
    let tablet = hall.comes(&hall.clara).await;
    for stream in [&mut organizer, &mut screen] {
        shows(stream, two).await;
    }
    assert_eq!(figures(&hall.state().await["quorum"]), two);
    let presented = hall.app.anyone().get(&format!("/public/meetings/{}/presentation", hall.meeting.id)).await;
    assert_eq!(figures(&presented.gives(200)["quorum"]), two);

    drop((clara, tablet));
    for stream in [&mut organizer, &mut screen] {
        shows(stream, one).await;
    }
    drop(ada);
    for stream in [&mut organizer, &mut screen] {
        shows(stream, ["0", "0", "3.5001", "0", "2", "0.00", "false"]).await;
    }
}

#[tokio::test]
async fn with_check_in_the_quorum_is_known_while_nobody_watches() {
    let hall = Hall::with_quorum(HALF_OF_THE_HEADS).await;
    hall.club.admin.put(&hall.meeting.path(""), json!({ "checkIn": "ON" })).await.gives(200);
    for person in [&hall.ada, &hall.ben] {
        let came = json!({ "endUserId": person.id, "kind": "IN" });
        hall.club.admin.post(&hall.meeting.path("/attendance"), came).await.gives(200);
    }
    let presentation = format!("/public/meetings/{}/presentation", hall.meeting.id);
    for state in [hall.state().await, hall.app.anyone().get(&presentation).await.gives(200)] {
        assert_eq!(state["participantCount"], 2, "{state}");
        assert_eq!(figures(&state["quorum"]), ["2", "3.5", "3.5001", "2", "2", "66.67", "true"]);
    }
    let count = format!("/sse/meetings/{}/participants/count", hall.meeting.id);
    assert_eq!(hall.club.admin.get(&count).await.gives(200)["participantCount"], 2);
}

#[tokio::test]
async fn a_quorum_by_weight_is_exact_and_follows_changed_weights() {
    let hall = Hall::with_quorum(MOST_OF_THE_WEIGHT).await;
    let mut organizer = EventStream::watch(&hall.club.admin, &hall.meeting.id).await;
    let _ben = hall.comes(&hall.ben).await;
    shows(&mut organizer, ["1", "2.5", "3.5001", "2.5", "2.3334", "71.43", "true"]).await;

    // Not at once, but with the next event.
    let ada = format!("/client/end-users/{}", hall.ada.id);
    hall.club.admin.put(&ada, json!({ "weight": 1.2499 })).await.gives(200);
    hall.rename("Other title").await;
    // 2/3 of 3.75 is 2.5, which is not more than 2.5.
    shows(&mut organizer, ["1", "2.5", "3.75", "2.5", "2.5", "66.67", "false"]).await;
    hall.club.admin.put(&ada, json!({ "isActive": false })).await.gives(200);
    hall.rename("Another title").await;
    shows(&mut organizer, ["1", "2.5", "2.5001", "2.5", "1.6668", "100.00", "true"]).await;
}

#[tokio::test]
async fn a_changed_participant_list_reaches_the_quorum_at_once() {
    let hall = Hall::with_quorum(HALF_OF_THE_HEADS).await;
    let mut organizer = EventStream::watch(&hall.club.admin, &hall.meeting.id).await;
    organizer.until("connected").await;
    let invited = json!({ "endUserIds": [hall.ada.id, hall.ben.id] });
    hall.club.admin.post(&hall.meeting.path("/participants"), invited).await.gives(200);
    shows(&mut organizer, ["0", "0", "3.5", "0", "1", "0.00", "false"]).await;
}

#[tokio::test]
async fn the_quorum_of_the_current_question_takes_precedence_over_the_meetings() {
    let hall = Hall::with_quorum(HALF_OF_THE_HEADS).await;
    let question = hall.meeting.ask_yes_no().await;
    hall.sql(&format!("UPDATE questions SET quorum = '{MOST_OF_THE_WEIGHT}' WHERE id = '{question}'"));
    let mut organizer = EventStream::watch(&hall.club.admin, &hall.meeting.id).await;
    let mut screen = EventStream::watch_presentation(&hall.app.anyone(), &hall.meeting.id).await;
    for stream in [&mut organizer, &mut screen] {
        assert_eq!(stream.until("connected").await["quorum"]["quorum"]["unit"], "heads");
    }
    hall.meeting.show(&question).await;
    for stream in [&mut organizer, &mut screen] {
        stream.until_event(|event| event.data["quorum"]["quorum"]["unit"] == "weight").await;
    }
    hall.meeting.clear().await;
    for stream in [&mut organizer, &mut screen] {
        stream.until_event(|event| event.data["quorum"]["quorum"]["unit"] == "heads").await;
    }
    hall.sql("UPDATE meetings SET quorum = NULL, quorum_at_opening = NULL");
    hall.rename("Other title").await;
    for stream in [&mut organizer, &mut screen] {
        let update = stream.until_event(|event| event.data["title"] == "Other title").await;
        assert_eq!(update.data["quorum"], Value::Null);
    }
}

#[tokio::test]
async fn votes_of_an_open_round_are_measured_by_its_frozen_register() {
    let hall = Hall::new().await;
    let question = hall.meeting.ask_yes_no().await;
    let round = hall.meeting.open(&question).await["roundId"].clone();
    let set =
        format!("UPDATE rounds SET quorum = '{HALF_OF_THE_WEIGHT_VOTED}' WHERE id = '{}'", round.as_str().unwrap());
    hall.sql(&set);
    let mut organizer = EventStream::watch(&hall.club.admin, &hall.meeting.id).await;
    let mut screen = EventStream::watch_presentation(&hall.app.anyone(), &hall.meeting.id).await;
    let none = ["0", "0", "3.5001", "0", "1.7501", "0.00", "false"];
    for stream in [&mut organizer, &mut screen] {
        assert_eq!(figures(&stream.until("connected").await["quorum"]), none);
    }
    // Her new weight counts from the next round on.
    hall.club.admin.put(&format!("/client/end-users/{}", hall.ben.id), json!({ "weight": 99 })).await.gives(200);
    hall.ada.vote(&hall.meeting, &question, &["Yes"]).await.gives(201);
    for stream in [&mut organizer, &mut screen] {
        shows(stream, ["0", "0", "3.5001", "1", "1.7501", "28.57", "false"]).await;
    }
    hall.ben.vote(&hall.meeting, &question, &["No"]).await.gives(201);
    for stream in [&mut organizer, &mut screen] {
        shows(stream, ["0", "0", "3.5001", "3.5", "1.7501", "100.00", "true"]).await;
    }
}

#[tokio::test]
async fn a_quorum_of_votes_starts_anew_with_every_question() {
    let hall = Hall::with_quorum(HALF_OF_THE_WEIGHT_VOTED).await;
    let (first, second) = (hall.meeting.ask_yes_no().await, hall.meeting.ask_yes_no().await);
    let mut organizer = EventStream::watch(&hall.club.admin, &hall.meeting.id).await;
    let mut screen = EventStream::watch_presentation(&hall.app.anyone(), &hall.meeting.id).await;
    hall.meeting.open(&first).await;
    hall.ben.vote(&hall.meeting, &first, &["Yes"]).await.gives(201);
    for stream in [&mut organizer, &mut screen] {
        shows(stream, ["0", "0", "3.5001", "2.5", "1.7501", "71.43", "true"]).await;
    }
    hall.meeting.open(&second).await;
    let none = ["0", "0", "3.5001", "0", "1.7501", "0.00", "false"];
    for stream in [&mut organizer, &mut screen] {
        shows(stream, none).await;
    }
    hall.ada.vote(&hall.meeting, &second, &["Yes"]).await.gives(201);
    for stream in [&mut organizer, &mut screen] {
        shows(stream, ["0", "0", "3.5001", "1", "1.7501", "28.57", "false"]).await;
    }
    hall.meeting.clear().await;
    for stream in [&mut organizer, &mut screen] {
        shows(stream, none).await;
    }
}

#[tokio::test]
async fn a_quorum_without_voters_is_missed() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let meeting = club.meeting().await;
    let set = format!("UPDATE meetings SET quorum = '{HALF_OF_THE_HEADS}', quorum_at_opening = 'BAR'");
    app.database.connection().batch_execute(&set).unwrap();
    let state = club.admin.get(&format!("/sse/meetings/{}/state", meeting.id)).await.gives(200);
    assert_eq!(figures(&state["quorum"]), ["0", "0", "0", "0", "null", "null", "false"]);
}

#[tokio::test]
async fn a_declared_round_appears_wherever_its_question_is_shown() {
    let hall = Hall::new().await;
    let question = hall.meeting.ask_yes_no().await;
    let current = hall.meeting.path("/current-question");
    let round = hall.meeting.open(&question).await["roundId"].clone();
    hall.ada.vote(&hall.meeting, &question, &["Yes"]).await.gives(201);
    let shown = hall.meeting.show(&question).await;
    assert_eq!((&shown["roundId"], &shown["declaredRoundId"]), (&round, &Value::Null));
    let mut organizer = EventStream::watch(&hall.club.admin, &hall.meeting.id).await;
    let mut screen = EventStream::watch_presentation(&hall.app.anyone(), &hall.meeting.id).await;
    for stream in [&mut organizer, &mut screen] {
        assert_eq!(stream.until("connected").await["currentQuestion"]["declaredRoundId"], Value::Null);
    }
    hall.sql("UPDATE rounds SET status = 'DECLARED', declared_at = now(), declared_by = 'Maria Keller'");
    hall.rename("Other title").await;
    for stream in [&mut organizer, &mut screen] {
        stream.until_event(|event| event.data["currentQuestion"]["declaredRoundId"] == round).await;
    }
    assert_eq!(hall.club.admin.get(&current).await.gives(200)["declaredRoundId"], round);
    assert_eq!(hall.state().await["currentQuestion"]["declaredRoundId"], round);
}

#[derive(QueryableByName, Debug, PartialEq)]
struct Note {
    #[diesel(sql_type = diesel::sql_types::Text)]
    note: String,
}

/// The attendance notes of a meeting, the earliest first.
fn notes(app: &TestApp, meeting: &TestMeeting) -> Vec<String> {
    let query = format!(
        "SELECT concat_ws(' ', present_heads, trim_scale(present_weight), eligible_heads, \
                          trim_scale(eligible_weight)) AS note \
         FROM attendance WHERE meeting_id = '{}' ORDER BY noted_at",
        meeting.id
    );
    let notes: Vec<Note> = diesel::sql_query(query).load(&mut app.database.connection()).unwrap();
    notes.into_iter().map(|note| note.note).collect()
}

async fn notes_become(app: &TestApp, meeting: &TestMeeting, expected: &[&str]) {
    until("the notes are as expected", async || (notes(app, meeting) == expected).then_some(())).await;
}

#[tokio::test]
async fn events_record_the_attendance() {
    let hall = Hall::new().await;
    let meeting = hall.club.meeting_with(json!({ "status": "SCHEDULED" })).await;
    // The meeting was created as running.
    notes_become(&hall.app, &hall.meeting, &["0 0 3 3.5001"]).await;
    hall.club.admin.post(&meeting.path("/start"), Value::Null).await.gives(200);
    notes_become(&hall.app, &meeting, &["0 0 3 3.5001"]).await;
    let _ada = EventStream::watch(&hall.ada.caller, &meeting.id).await;
    let mut ben = EventStream::watch(&hall.ben.caller, &meeting.id).await;
    ben.until("connected").await;
    let question = meeting.ask_yes_no().await;
    assert_eq!(notes(&hall.app, &meeting).len(), 1);
    meeting.open(&question).await;
    notes_become(&hall.app, &meeting, &["0 0 3 3.5001", "2 3.5 3 3.5001"]).await;
    drop(ben);
    let count = format!("/sse/meetings/{}/participants/count", meeting.id);
    let is_one = async || (hall.club.admin.get(&count).await.gives(200)["participantCount"] == 1).then_some(());
    until("ben has left", is_one).await;
    meeting.clear().await;
    notes_become(&hall.app, &meeting, &["0 0 3 3.5001", "2 3.5 3 3.5001", "1 1 3 3.5001"]).await;
    hall.club.admin.post(&meeting.path("/end"), Value::Null).await.gives(200);
    let last = ["0 0 3 3.5001", "2 3.5 3 3.5001", "1 1 3 3.5001", "1 1 3 3.5001"];
    notes_become(&hall.app, &meeting, &last).await;
    // No note follows the end.
    hall.club.admin.put(&meeting.path(""), json!({ "title": "Minutes" })).await.gives(200);
    let other = hall.club.meeting_with(json!({ "status": "SCHEDULED" })).await;
    hall.club.admin.post(&other.path("/start"), Value::Null).await.gives(200);
    notes_become(&hall.app, &other, &["0 0 3 3.5001"]).await;
    assert_eq!(notes(&hall.app, &meeting), last);
}
