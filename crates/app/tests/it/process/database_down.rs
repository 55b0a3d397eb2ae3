use std::path::Path;
use std::time::Instant;

use diesel::{Connection as _, PgConnection, RunQueryDsl as _};
use plenum_adapter_postgres::testkit::StoppableServer;
use reqwest::Response;
use serde_json::{Value, json};
use tokio::task::{block_in_place, spawn_blocking};

use crate::process::support::{Hall, PASSWORD, ROOT_EMAIL, Serving, TIME_LIMIT, folder, plenum, text};

/// A database that the test can stop, and a server on it.
async fn start(folder: &Path) -> (StoppableServer, Serving) {
    let database = spawn_blocking(StoppableServer::start).await.unwrap();
    let mut command = plenum(folder, &["serve"]);
    command.env("DATABASE_URL", database.url());
    (database, Serving::start_as(command).await)
}

/// One call of each kind that needs the database: method, path, token, body.
type Call = (&'static str, String, String, Value);

async fn every_kind_of_call(serving: &Serving, hall: &Hall) -> Vec<Call> {
    let root = serving.sign_in(ROOT_EMAIL, PASSWORD).await;
    let link = serving.call("POST", &hall.path("/generate-link"), &hall.admin, Value::Null).await;
    let by_link = format!("/meetings/by-link/{}", text(&link["invitationLink"]));
    // The hub has the snapshot of a watched meeting without a query.
    let unwatched = json!({
        "title": "Nobody comes", "scheduledStartTime": "2030-05-01T18:00:00Z",
        "scheduledEndTime": "2030-05-01T20:00:00Z",
    });
    let meeting = text(&serving.call("POST", "/client/meetings", &hall.admin, unwatched.clone()).await["id"]);
    let question = json!({ "meetingId": hall.meeting, "questionText": "And this?", "questionType": "YES_NO" });
    let refresh = json!({ "refreshToken": hall.voters[1]["refreshToken"] });
    // A token without earlier use, so that the server remembers nothing of its session.
    let (nobody, admin, voter) = (String::new(), &hall.admin, &hall.token_of(1));
    [
        ("POST", "/auth/login", &nobody, json!({ "email": ROOT_EMAIL, "password": PASSWORD })),
        (
            "POST",
            "/auth/end-user/login",
            &nobody,
            json!({ "clientCode": "rowing-club", "username": "voter-1", "password": PASSWORD }),
        ),
        ("POST", "/auth/refresh", &nobody, refresh),
        ("GET", "/auth/me", voter, Value::Null),
        ("GET", "/clients", &root, Value::Null),
        ("GET", "/clients/stats", &root, Value::Null),
        ("GET", "/test/database", &root, Value::Null),
        ("GET", "/test/data-integrity", &root, Value::Null),
        ("DELETE", &format!("/votes/{}", hall.round), &root, Value::Null),
        ("POST", "/auth/logout", &root, Value::Null),
        ("GET", "/client/end-users?search=v&page=1", admin, Value::Null),
        ("POST", "/client/end-users", admin, json!({ "username": "new", "name": "New", "password": PASSWORD })),
        ("GET", "/client/meetings", admin, Value::Null),
        ("POST", "/client/meetings", admin, unwatched),
        ("GET", &hall.path(""), admin, Value::Null),
        ("POST", &hall.path("/end"), admin, Value::Null),
        ("GET", &hall.path("/current-question"), admin, Value::Null),
        ("PUT", &hall.path("/current-question"), admin, json!({ "questionId": null })),
        ("GET", &hall.path("/rounds"), admin, Value::Null),
        ("POST", "/client/questions", admin, question),
        ("POST", &format!("/client/questions/{}/duplicate", hall.question), admin, Value::Null),
        ("DELETE", &format!("/client/meetings/{meeting}"), admin, Value::Null),
        ("GET", "/voting/meetings", voter, Value::Null),
        ("GET", &format!("/voting/meetings/{}", hall.meeting), voter, Value::Null),
        ("POST", &hall.vote_path(), voter, json!({ "answers": ["Yes"] })),
        ("GET", &format!("/sse/meetings/{}/state", hall.meeting), voter, Value::Null),
        ("GET", &format!("/sse/meetings/{}/stream", hall.meeting), voter, Value::Null),
        ("GET", "/public/client/rowing-club", &nobody, Value::Null),
        ("GET", &by_link, &nobody, Value::Null),
        ("GET", &format!("/public/meetings/{meeting}/presentation"), &nobody, Value::Null),
        ("GET", &format!("/public/meetings/{meeting}/presentation/stream"), &nobody, Value::Null),
        ("GET", "/health/ready", &nobody, Value::Null),
    ]
    .map(|(method, path, token, body)| (method, path.to_owned(), token.clone(), body))
    .into()
}

async fn assert_unavailable(answer: Response, call: &str) {
    assert_eq!(answer.status(), 503, "{call}");
    assert!(answer.headers().contains_key("retry-after"), "{call}");
    let body: Value = answer.json().await.unwrap();
    assert_eq!(body["code"], "temporarily_unavailable", "{call}: {body}");
}

/// Votes like the front end: it repeats a vote while the server is "busy or restarting".
async fn vote_with_repeats(serving: &Serving, hall: &Hall, voter: usize) {
    let deadline = Instant::now() + TIME_LIMIT;
    loop {
        let vote = json!({ "answers": ["Yes"] });
        let answer = serving.send("POST", &hall.vote_path(), &hall.token_of(voter), vote).await;
        if answer.status() == 201 {
            return;
        }
        assert_unavailable(answer, "a vote").await;
        assert!(Instant::now() < deadline, "votes are never taken again");
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}

async fn until_ready(serving: &Serving) {
    let deadline = Instant::now() + TIME_LIMIT;
    while serving.send("GET", "/health/ready", "", Value::Null).await.status() != 200 {
        assert!(Instant::now() < deadline, "never ready again");
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}

/// Reads until the text contains `part`.
async fn read_until(stream: &mut Response, part: &str) {
    let mut read = String::new();
    while !read.contains(part) {
        let chunk = tokio::time::timeout(TIME_LIMIT, stream.chunk()).await;
        let chunk = chunk.unwrap_or_else(|_| panic!("no {part} in {read}")).unwrap();
        read.push_str(std::str::from_utf8(&chunk.expect("the stream goes on")).unwrap());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_call_gets_503_without_the_database_and_works_after_its_return() {
    let folder = folder();
    let (mut database, serving) = start(folder.path()).await;
    let hall = Hall::new(&serving, 4).await;
    let calls = every_kind_of_call(&serving, &hall).await;
    let path = format!("/sse/meetings/{}/stream", hall.meeting);
    let mut stream = serving.send("GET", &path, &hall.admin, Value::Null).await;
    read_until(&mut stream, r#""type":"connected""#).await;
    vote_with_repeats(&serving, &hall, 0).await;
    read_until(&mut stream, r#""voteCount":1"#).await;

    // Twice, because a recovered server must survive a second outage.
    for votes in [2, 3] {
        block_in_place(|| database.stop());
        for (method, path, token, body) in &calls {
            let answer = serving.send(method, path, token, body.clone()).await;
            assert_unavailable(answer, &format!("{method} {path}")).await;
        }
        assert_eq!(serving.get("/health", "").await["status"], "ok");

        block_in_place(|| database.start_again());
        until_ready(&serving).await;
        for (method, path, token, _) in calls.iter().filter(|(method, path, ..)| *method == "GET" && !is_stream(path)) {
            // One connection is back. The others follow one by one.
            serving.repeat(method, path, token, Value::Null).await;
        }
        serving.sign_in(ROOT_EMAIL, PASSWORD).await;
        vote_with_repeats(&serving, &hall, votes - 1).await;
        read_until(&mut stream, &format!(r#""voteCount":{votes}"#)).await;
    }

    // A repeated ballot of voter 1 counts once after both outages. Earlier votes still count.
    vote_with_repeats(&serving, &hall, 1).await;
    vote_with_repeats(&serving, &hall, 3).await;
    serving.call("PUT", &hall.path("/current-question"), &hall.admin, json!({ "questionId": null })).await;
    let result =
        serving.call("POST", &hall.path(&format!("/rounds/{}/count", hall.round)), &hall.admin, Value::Null).await;
    assert_eq!(result["votesCast"]["heads"], 4);
}

fn is_stream(path: &str) -> bool {
    path.ends_with("/stream")
}

#[tokio::test(flavor = "multi_thread")]
async fn connections_that_the_database_closes_while_idle_fail_no_request() {
    let folder = folder();
    let (database, serving) = start(folder.path()).await;
    let hall = Hall::new(&serving, 4).await;
    for voter in 0..4 {
        let mut conn = PgConnection::establish(database.url()).unwrap();
        let ended = "SELECT pg_terminate_backend(pid, 30000) FROM pg_stat_activity
                     WHERE application_name = 'plenum' AND backend_type = 'client backend'";
        assert!(diesel::sql_query(ended).execute(&mut conn).unwrap() > 0);
        serving.get("/client/meetings", &hall.admin).await;
        let vote = json!({ "answers": ["Yes"] });
        serving.call("POST", &hall.vote_path(), &hall.token_of(voter), vote).await;
    }
    let current = serving.get(&hall.path("/current-question"), &hall.admin).await;
    assert_eq!(current["voteCount"], 4);
}
