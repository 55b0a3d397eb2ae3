//! Races between concurrent calls.

use diesel::connection::SimpleConnection as _;
use diesel::sql_types::{BigInt, Integer};
use diesel::{PgConnection, QueryableByName, RunQueryDsl as _, sql_query};
use plenum_adapter_mail::testkit::FakeSmtpServer;
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use crate::http::support::{Answer, EventStream, PASSWORD, TestApp, TestMeeting, TestVoter, until};

/// Votes on a new connection, in a separate task.
fn vote_meanwhile(voter: &TestVoter, meeting: &TestMeeting, question: &str, answer: &str) -> JoinHandle<Answer> {
    let (caller, path) = (voter.caller.on_a_new_connection(), meeting.vote_path(question));
    let body = json!({ "answers": [answer] });
    tokio::spawn(async move { caller.post(&path, body).await })
}

#[tokio::test]
async fn voting_twice_in_parallel_from_20_connections_stores_one_vote() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let ben = club.voter("ben").await;
    let meeting = club.meeting().await;
    let question = meeting.ask_yes_no().await;
    let round = meeting.open(&question).await["roundId"].clone();

    let answers = ["Yes", "No"];
    let voting: Vec<_> = (0..20).map(|number| vote_meanwhile(&ben, &meeting, &question, answers[number % 2])).collect();
    let mut stored = Vec::new();
    let mut refused = 0;
    for one in voting {
        let answer = one.await.unwrap();
        match answer.status {
            201 => stored.push(answer.json()["vote"].clone()),
            _ => {
                answer.refuses(409, "already_voted");
                refused += 1;
            }
        }
    }
    assert_eq!((stored.len(), refused), (10, 10));
    assert!(stored.iter().all(|vote| *vote == stored[0]), "{stored:?}");
    assert_eq!(ben.sees(&meeting).await["questions"][0]["userVote"], stored[0]["answers"]);
    assert_eq!(club.admin.get(&meeting.path("/current-question")).await.gives(200)["voteCount"], 1);
    meeting.clear().await;
    let result = meeting.count(&round).await.gives(200);
    assert_eq!(result["votesCast"], json!({ "heads": 1, "weight": 1 }));
}

#[derive(QueryableByName)]
struct Pid {
    #[diesel(sql_type = Integer)]
    pid: i32,
}

#[derive(QueryableByName)]
struct Waiting {
    #[diesel(sql_type = BigInt)]
    ballots: i64,
    #[diesel(sql_type = BigInt)]
    behind_them: i64,
}

/// The number of connections that wait for this one, and the number that wait for those.
fn waiting_for(pid: i32, observer: &mut PgConnection) -> Waiting {
    sql_query(
        "WITH ballots AS (
             SELECT DISTINCT pid FROM pg_locks WHERE NOT granted AND $1 = ANY (pg_blocking_pids(pid))
         ), behind_them AS (
             SELECT DISTINCT pid FROM pg_locks
             WHERE NOT granted AND pid NOT IN (SELECT pid FROM ballots)
               AND EXISTS (SELECT FROM ballots WHERE ballots.pid = ANY (pg_blocking_pids(pg_locks.pid)))
         )
         SELECT (SELECT count(*) FROM ballots) AS ballots, (SELECT count(*) FROM behind_them) AS behind_them",
    )
    .bind::<Integer, _>(pid)
    .get_result(observer)
    .unwrap()
}

/// A lock that holds a race window open: statements on rows of the table wait for it.
struct Window {
    holder: PgConnection,
    observer: PgConnection,
    pid: i32,
}

impl Window {
    fn hold(app: &TestApp, table: &str) -> Self {
        let (mut holder, observer) = (app.database.connection(), app.database.connection());
        let Pid { pid } = sql_query("SELECT pg_backend_pid() AS pid").get_result(&mut holder).unwrap();
        holder.batch_execute(&format!("BEGIN; SELECT FROM {table} FOR UPDATE")).unwrap();
        Self { holder, observer, pid }
    }

    /// Waits until a connection waits for the lock.
    async fn until_a_connection_waits(&mut self, what: &str) {
        until(what, async || (waiting_for(self.pid, &mut self.observer).ballots > 0).then_some(())).await;
    }

    /// Waits until another connection waits for these.
    async fn until_a_connection_waits_for(&mut self, what: &str) {
        until(what, async || (waiting_for(self.pid, &mut self.observer).behind_them > 0).then_some(())).await;
    }

    /// Waits until all these calls are in flight: some wait for the lock or for each other, the others wait for a
    /// connection, and none has a response.
    async fn until_all_wait(&mut self, app: &TestApp, calls: &[JoinHandle<Answer>], what: &str) {
        let connections = i64::from(app.pools().voting.load().at_most);
        until(what, async || {
            let waiting = waiting_for(self.pid, &mut self.observer);
            (waiting.ballots + waiting.behind_them >= connections).then_some(())
        })
        .await;
        // Calls on other connections give the server time to read the rest.
        for _ in 0..20 {
            app.anyone().get("/health").await.gives(200);
        }
        assert!(!calls.iter().any(JoinHandle::is_finished), "the window was not held");
    }

    fn close(mut self) {
        self.holder.batch_execute("COMMIT").unwrap();
    }
}

#[tokio::test]
async fn concurrent_orders_of_two_organizers_send_one_invitation_to_each_person() {
    let server = FakeSmtpServer::start();
    let app = TestApp::start_with_mail(&server).await;
    let club = app.client("Rowing Club").await;
    for name in ["ada", "ben", "cleo"] {
        let email = format!("{name}@rowing.example");
        let body = json!({ "username": name, "name": name, "email": email, "password": PASSWORD });
        club.admin.post("/client/end-users", body).await.gives(201);
    }
    let meeting = club.meeting().await;
    // A meeting with a link does not change, so one call waits for the other only by the lock.
    club.admin.post(&meeting.path("/generate-link"), Value::Null).await.gives(200);
    let mut window = Window::hold(&app, "meetings");
    let send = || {
        let (admin, path) = (club.admin.on_a_new_connection(), meeting.path("/invitations/send"));
        tokio::spawn(async move { admin.post(&path, json!({})).await })
    };
    let first = send();
    window.until_a_connection_waits("the first one is under way").await;
    let second = send();
    window.until_a_connection_waits_for("the second one waits for it").await;
    assert!(!first.is_finished() && !second.is_finished(), "the window was not held");
    window.close();

    let (first, second) = (first.await.unwrap().gives(202), second.await.unwrap().gives(202));
    assert_eq!((&first["queued"], &second["queued"]), (&json!(3), &json!(0)), "{first} {second}");
    until("all are sent", async || {
        let seen = club.admin.get(&meeting.path("/invitations")).await.gives(200);
        (seen["counts"]["sent"] == 3).then_some(())
    })
    .await;
    assert_eq!(server.kept_for(), ["ada@rowing.example", "ben@rowing.example", "cleo@rowing.example"]);
}

#[tokio::test]
async fn an_import_overtaken_by_a_deletion_fails_and_imports_nothing() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    club.voter("ada").await;
    club.voter("ben").await;
    let mut window = Window::hold(&app, "end_users");
    let rows = json!([
        { "line": 2, "username": "ada", "weight": "2" }, { "line": 3, "username": "ben", "weight": "2" },
        { "line": 4, "name": "Cleo" },
    ]);
    let admin = club.admin.on_a_new_connection();
    let body = json!({ "rows": rows, "dryRun": false });
    let importing = tokio::spawn(async move { admin.post("/client/end-users/import", body).await });
    window.until_a_connection_waits("the import has planned its changes").await;
    window.holder.batch_execute("DELETE FROM end_users WHERE username = 'ben'").unwrap();
    window.close();

    importing.await.unwrap().refuses(409, "import_outdated");
    let stats = club.admin.get("/client/end-users/stats").await.gives(200);
    assert_eq!(stats["data"], json!({ "total": 1, "active": 1, "inactive": 0, "totalWeight": 1 }));
}

#[tokio::test]
async fn a_vote_while_the_round_ends_is_counted_or_refused_and_the_tally_equals_the_accepted_ones() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let mut voters = Vec::new();
    for number in 0..12 {
        voters.push(club.voter(&format!("voter-{number}")).await);
    }
    let meeting = club.meeting().await;
    let question = meeting.ask_yes_no().await;
    let round = meeting.open(&question).await["roundId"].clone();

    // The lock on the round holds the window open: ballots in writing wait for it.
    let mut window = Window::hold(&app, "rounds");

    let (early, late) = voters.split_at(6);
    let in_flight: Vec<_> = early.iter().map(|voter| vote_meanwhile(voter, &meeting, &question, "Yes")).collect();
    window.until_a_connection_waits("ballots are in flight").await;

    let (admin, path) = (club.admin.on_a_new_connection(), meeting.path("/current-question"));
    let ending = tokio::spawn(async move { admin.put(&path, json!({ "questionId": null })).await });
    window.until_a_connection_waits_for("the end waits for them").await;
    let too_late: Vec<_> = late.iter().map(|voter| vote_meanwhile(voter, &meeting, &question, "No")).collect();
    assert!(!ending.is_finished() && !in_flight.iter().any(JoinHandle::is_finished), "the window was not held");

    window.close();
    ending.await.unwrap().gives(200);
    let mut accepted = 0;
    for (voter, voting) in voters.iter().zip(in_flight.into_iter().chain(too_late)) {
        let answer = voting.await.unwrap();
        let seen = voter.sees(&meeting).await["questions"][0].clone();
        if answer.status == 201 {
            accepted += 1;
            assert_eq!(seen["userVote"], answer.json()["vote"]["answers"]);
        } else {
            answer.refuses(409, "round_not_open");
            assert_eq!((&seen["hasVoted"], &seen["userVote"]), (&json!(false), &Value::Null));
        }
    }
    // Ballots in flight before the end count, and later ones do not.
    assert!(accepted > 0 && accepted < voters.len(), "{accepted} of {} are in", voters.len());
    let result = meeting.count(&round).await.gives(200);
    assert_eq!(result["votesCast"], json!({ "heads": accepted, "weight": accepted }));
    assert_eq!(meeting.rounds().await[0]["voteCount"], accepted);
    let in_options: u64 =
        result["options"].as_array().unwrap().iter().map(|option| option["heads"].as_u64().unwrap()).sum();
    assert_eq!(json!(in_options), json!(accepted));
}

#[tokio::test]
async fn a_request_is_completed_and_announced_after_its_caller_disconnects() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let ben = club.voter("ben").await;
    let meeting = club.meeting().await;
    let question = meeting.ask_yes_no().await;
    let mut stream = EventStream::watch(&ben.caller, &meeting.id).await;
    stream.until("connected").await;

    // The opening waits for this lock on its meeting.
    let mut window = Window::hold(&app, "meetings");
    let (admin, path) = (club.admin.on_a_new_connection(), meeting.path("/current-question"));
    let body = json!({ "questionId": question });
    let opening = tokio::spawn(async move { admin.put(&path, body).await });
    window.until_a_connection_waits("the opening waits").await;
    opening.abort();
    assert!(opening.await.unwrap_err().is_cancelled(), "the caller has not hung up");
    // Another call on another connection gives the server time to notice.
    for _ in 0..20 {
        app.anyone().get("/health").await.gives(200);
    }
    window.close();
    assert_eq!(stream.until("question_activated").await["id"], question);
}

#[tokio::test]
async fn rounds_that_open_and_end_under_load_lose_no_vote() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let mut voters = Vec::new();
    for number in 0..10 {
        voters.push(club.voter(&format!("voter-{number}")).await);
    }
    let meeting = club.meeting().await;
    let question = meeting.ask_yes_no().await;
    // A vote, so that reopening keeps the round.
    let first = club.voter("first").await;
    let round = meeting.open(&question).await["roundId"].clone();
    first.vote(&meeting, &question, &["Yes"]).await.gives(201);
    let voting: Vec<_> = voters.iter().map(|voter| vote_meanwhile(voter, &meeting, &question, "Yes")).collect();
    for _ in 0..3 {
        meeting.clear().await;
        meeting.open(&question).await;
    }
    let mut accepted = 1;
    for one in voting {
        let answer = one.await.unwrap();
        match answer.status {
            201 => accepted += 1,
            _ => {
                answer.refuses(409, "round_not_open");
            }
        }
    }
    meeting.clear().await;
    assert_eq!(meeting.count(&round).await.gives(200)["votesCast"]["heads"], accepted);
    assert_eq!(meeting.rounds().await[0]["voteCount"], accepted);
}

#[tokio::test]
async fn concurrent_claims_of_one_name_succeed_once() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    // The first call with the name waits for this lock on its client, and the others wait for the first.
    let mut window = Window::hold(&app, "clients");
    let making: Vec<_> = (0..20)
        .map(|number| {
            let admin = club.admin.on_a_new_connection();
            let username = if number % 2 == 0 { "ben" } else { "BEN" };
            let body = json!({ "username": username, "name": "Ben", "password": "correct horse" });
            tokio::spawn(async move { admin.post("/client/end-users", body).await })
        })
        .collect();
    window.until_all_wait(&app, &making, "all want the name").await;
    window.close();
    let mut made = 0;
    for one in making {
        let answer = one.await.unwrap();
        match answer.status {
            201 => made += 1,
            _ => {
                answer.refuses(409, "username_taken");
            }
        }
    }
    assert_eq!(made, 1);
    assert_eq!(club.admin.get("/client/end-users/stats").await.gives(200)["data"]["total"], 1);
}

#[tokio::test]
async fn participants_added_concurrently_never_exceed_the_limit() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let meeting = club.meeting_with(json!({ "maxParticipants": 2 })).await;
    let mut adding = Vec::new();
    for number in 0..6 {
        let voter = club.voter(&format!("voter-{number}")).await;
        let (admin, path) = (club.admin.on_a_new_connection(), meeting.path("/participants"));
        let body = json!({ "endUserIds": [voter.id] });
        adding.push(tokio::spawn(async move { admin.post(&path, body).await }));
    }
    let mut added = 0;
    for one in adding {
        let answer = one.await.unwrap();
        match answer.status {
            200 => added += 1,
            _ => {
                answer.refuses(409, "too_many_participants");
            }
        }
    }
    assert_eq!(added, 2);
    assert_eq!(club.admin.get(&meeting.path("")).await.gives(200)["participantCount"], 2);
}

#[tokio::test]
async fn concurrent_uses_of_one_refresh_token_from_20_connections_give_the_same_successor() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let ben = club.voter("ben").await;
    let body = json!({ "refreshToken": ben.caller.refresh_token });
    let mut window = Window::hold(&app, "sessions");
    let refreshing: Vec<_> = (0..20)
        .map(|_| {
            let (caller, body) = (app.anyone(), body.clone());
            tokio::spawn(async move { caller.post("/auth/refresh", body).await })
        })
        .collect();
    window.until_all_wait(&app, &refreshing, "all want the session").await;
    window.close();
    let mut tokens = Vec::new();
    for one in refreshing {
        let pair = one.await.unwrap().gives(200);
        let tab = app.anyone().with_session(&pair);
        assert_eq!(tab.get("/auth/me").await.gives(200)["user"]["id"], ben.id);
        tokens.push(tab.refresh_token.clone());
    }
    tokens.sort_unstable();
    tokens.dedup();
    assert_eq!(tokens.len(), 1, "each of them has a live token of its own");
    let next = app.anyone().post("/auth/refresh", json!({ "refreshToken": tokens[0] })).await.gives(200);
    app.anyone().with_session(&next).get("/auth/me").await.gives(200);
}

#[tokio::test]
async fn a_concurrent_start_and_end_happen_one_after_the_other() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    for start_comes_first in [true, false] {
        let meeting = club.meeting_with(json!({ "status": "SCHEDULED" })).await;
        let mut window = Window::hold(&app, "meetings");
        let call = |rest: &str| {
            let (admin, path) = (club.admin.on_a_new_connection(), meeting.path(rest));
            tokio::spawn(async move { admin.post(&path, Value::Null).await })
        };
        let first = call(if start_comes_first { "/start" } else { "/end" });
        window.until_a_connection_waits("the first one waits").await;
        let second = call(if start_comes_first { "/end" } else { "/start" });
        window.until_a_connection_waits_for("the second one waits").await;
        assert!(!first.is_finished() && !second.is_finished(), "the window was not held");
        window.close();
        let (first, second) = (first.await.unwrap(), second.await.unwrap());
        let now = club.admin.get(&meeting.path("")).await.gives(200);
        if start_comes_first {
            first.gives(200);
            second.gives(200);
            assert_eq!(now["status"], "COMPLETED");
        } else {
            first.refuses(409, "meeting_not_active");
            second.gives(200);
            assert_eq!(now["status"], "ACTIVE");
        }
    }
}

#[tokio::test]
async fn one_of_two_organizers_with_the_same_state_succeeds() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    for open in [true, false] {
        let meeting = club.meeting().await;
        let questions = [meeting.ask_yes_no().await, meeting.ask_yes_no().await];
        let seen = club.admin.get(&meeting.path("")).await.gives(200)["step"].clone();
        let path = meeting.path(&format!("/current-question?step={seen}"));
        let mut window = Window::hold(&app, "meetings");
        let mut going_on = Vec::new();
        for question in &questions {
            let (admin, path) = (club.admin.on_a_new_connection(), path.clone());
            let body = json!({ "questionId": question, "open": open });
            going_on.push(tokio::spawn(async move { admin.put(&path, body).await }));
            if going_on.len() == 1 {
                window.until_a_connection_waits("the first one waits").await;
            }
        }
        window.until_a_connection_waits_for("the second one waits").await;
        assert!(!going_on.iter().any(JoinHandle::is_finished), "the window was not held");
        window.close();
        let mut shown = Vec::new();
        for (question, one) in questions.iter().zip(going_on) {
            let answer = one.await.unwrap();
            match answer.status {
                200 => shown.push(question),
                _ => {
                    let refused = answer.refuses(409, "stale_step");
                    assert!(refused["error"].as_str().unwrap().contains("Agreed?"), "{refused}");
                }
            }
        }
        let current = club.admin.get(&meeting.path("/current-question")).await.gives(200);
        assert_eq!(shown, [current["id"].as_str().unwrap()]);
        assert_eq!(club.admin.get(&meeting.path("")).await.gives(200)["step"], seen.as_u64().unwrap() + 1);
        assert_eq!(meeting.rounds().await.len(), usize::from(open));
    }
}

#[tokio::test]
async fn a_concurrent_vote_and_deletion_keep_the_question_with_its_votes_or_delete_it_without_any() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let mut voters = Vec::new();
    for number in 0..6 {
        voters.push(club.voter(&format!("voter-{number}")).await);
    }
    for votes_come_first in [true, false] {
        let meeting = club.meeting().await;
        let question = meeting.ask_yes_no().await;
        meeting.open(&question).await;
        let vote = || voters.iter().map(|voter| vote_meanwhile(voter, &meeting, &question, "Yes")).collect::<Vec<_>>();
        let path = format!("/client/questions/{question}");
        let delete = || {
            let (admin, path) = (club.admin.on_a_new_connection(), path.clone());
            tokio::spawn(async move { admin.delete(&path).await })
        };

        let mut window = Window::hold(&app, "rounds");
        let (voting, deleting) = if votes_come_first {
            let voting = vote();
            window.until_a_connection_waits("ballots are in flight").await;
            let deleting = delete();
            window.until_a_connection_waits_for("the deletion waits for them").await;
            (voting, deleting)
        } else {
            let deleting = delete();
            window.until_a_connection_waits("the deletion waits").await;
            let voting = vote();
            window.until_a_connection_waits_for("ballots wait for it").await;
            (voting, deleting)
        };
        assert!(!deleting.is_finished() && !voting.iter().any(JoinHandle::is_finished), "the window was not held");
        window.close();

        let deleted = deleting.await.unwrap();
        let mut accepted = 0;
        for one in voting {
            let answer = one.await.unwrap();
            match answer.status {
                201 => accepted += 1,
                404 => _ = answer.refuses(404, "question_not_found"),
                _ => _ = answer.refuses(409, "round_not_open"),
            }
        }
        if deleted.status == 200 {
            assert_eq!(accepted, 0, "votes were taken and thrown away");
            club.admin.get(&path).await.refuses(404, "question_not_found");
            assert_eq!(meeting.rounds().await, Vec::<Value>::new());
        } else {
            deleted.refuses(409, "question_has_votes");
            assert_eq!(accepted, voters.len());
            let rounds = meeting.rounds().await;
            assert_eq!((&rounds[0]["status"], &rounds[0]["voteCount"]), (&json!("OPEN"), &json!(accepted)));
        }
        assert!(!votes_come_first || accepted > 0, "the deletion did not wait for the ballots");
    }
}
