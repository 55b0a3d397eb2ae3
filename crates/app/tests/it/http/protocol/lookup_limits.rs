//! Failed lookups slow down lookups of their own kind from their own network, and keep nobody out who has a valid token.

use diesel::connection::SimpleConnection as _;
use plenum_adapter_http::{HttpSettings, TrustedProxies};
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::http::support::{Caller, NO_ID, TestApp};

/// A token that nobody has, with the shape of a valid one.
fn unknown_token(label: &str) -> String {
    format!("{label:-<43}")
}

/// The statuses of these calls, sent at once.
async fn all_at_once(calls: impl IntoIterator<Item = (Caller, String, Option<Value>)>) -> Vec<u16> {
    let mut answers = JoinSet::new();
    for (caller, path, body) in calls {
        let method = if body.is_some() { "POST" } else { "GET" };
        answers.spawn(async move { caller.call(method, &path, body).await.status });
    }
    answers.join_all().await
}

/// An organization with a running meeting, and one valid token of each kind.
struct Valid {
    app: TestApp,
    desk: Caller,
    personal_link: Value,
    paths: [String; 3],
}

impl Valid {
    async fn new() -> Self {
        let app = TestApp::start().await;
        let club = app.client("Rowing Club").await;
        let ada = club.voter("ada").await;
        let meeting = club.meeting_with(json!({ "status": "ACTIVE", "checkIn": "ON", "selfCheckIn": true })).await;
        let desk = club.admin.post(&meeting.path("/desks"), json!({ "name": "Desk 1" })).await.gives(201);
        let desk = app.anyone().with_token(desk["token"].as_str().unwrap());
        let made = json!({ "people": "NAMED", "endUserIds": [ada.id] });
        let made = club.admin.post("/client/join-links", made).await.gives(200);
        let link = club.admin.post(&meeting.path("/generate-link"), Value::Null).await.gives(200);
        let paths = [
            format!("/public/meetings/{}/presentation", meeting.id),
            format!("/public/meetings/{}/check-in-code", meeting.id),
            format!("/meetings/by-link/{}", link["invitationLink"].as_str().unwrap()),
        ];
        Self { app, desk, personal_link: json!({ "token": made["data"][0]["token"] }), paths }
    }

    /// Every valid token works at the address of the guesses.
    async fn all_work(&self) {
        self.desk.get("/desk").await.gives(200);
        let anyone = self.app.anyone();
        for path in &self.paths {
            anyone.get(path).await.gives(200);
        }
        anyone.post("/auth/join/look-up", self.personal_link.clone()).await.gives(200);
        anyone.post("/auth/join", self.personal_link.clone()).await.gives(200);
    }
}

#[tokio::test]
async fn wrong_desk_tokens_of_one_device_refuse_no_valid_token_in_its_network() {
    let valid = Valid::new().await;
    let anyone = valid.app.anyone();
    let short = (0..150).map(|number| format!("desk_{number}"));
    let unknown = (0..150).map(|number| format!("desk_{}", unknown_token(&number.to_string())));
    let calls = short.chain(unknown).map(|token| (anyone.with_token(token), "/desk".to_owned(), None));
    let statuses = all_at_once(calls).await;
    assert_eq!(statuses.len(), 300);
    assert!(statuses.iter().all(|status| [403, 429].contains(status)), "{statuses:?}");
    valid.all_work().await;
}

#[tokio::test]
async fn guessed_links_of_one_device_refuse_no_valid_token_in_its_network() {
    let valid = Valid::new().await;
    let anyone = valid.app.anyone();
    let token = |number: u32| json!({ "token": unknown_token(&number.to_string()) });
    for round in 0..2 {
        let numbers = || (0..100).map(move |number| round * 100 + number);
        let personal = numbers().map(|number| ("/auth/join/look-up".to_owned(), Some(token(number))));
        let sign_ins = numbers().map(|number| ("/auth/join".to_owned(), Some(token(number))));
        let presentations = numbers().map(|_| (format!("/public/meetings/{NO_ID}/presentation"), None));
        let invitations =
            numbers().map(|number| (format!("/meetings/by-link/{}", unknown_token(&number.to_string())), None));
        let guesses = personal.chain(sign_ins).chain(presentations).chain(invitations);
        let statuses = all_at_once(guesses.map(|(path, body)| (anyone.clone(), path, body))).await;
        assert!(statuses.iter().all(|status| [404, 429].contains(status)), "{statuses:?}");
    }
    let new = json!({ "token": unknown_token("reset"), "newPassword": "battery staple" });
    let resets = (0..200).map(|_| (anyone.clone(), "/auth/reset-password".to_owned(), Some(new.clone())));
    all_at_once(resets).await;
    valid.all_work().await;
    anyone.post("/auth/reset-password", new).await.refuses(409, "reset_void");
}

#[tokio::test]
async fn results_of_unknown_meetings_are_looked_up_in_turn_and_keep_no_result_from_a_presentation() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let ben = club.voter("ben").await;
    let meeting = club.meeting().await;
    let question = meeting.ask_yes_no().await;
    let round = meeting.open(&question).await["roundId"].as_str().unwrap().to_owned();
    ben.vote(&meeting, &question, &["Yes"]).await.gives(201);
    meeting.show(&question).await;
    meeting.admin.post(&meeting.path(&format!("/rounds/{round}/declare")), Value::Null).await.gives(200);

    let anyone = app.anyone();
    for shown in ["result", "answers"] {
        let unknown = format!("/public/meetings/{NO_ID}/presentation/{shown}");
        for _ in 0..4 {
            let statuses = all_at_once((0..100).map(|_| (anyone.clone(), unknown.clone(), None))).await;
            assert!(statuses.iter().all(|status| [404, 429].contains(status)), "{statuses:?}");
        }
        // One lookup waits for the store, and others wait for it. Further ones are refused at once.
        let mut holder = app.database.connection();
        holder.batch_execute("BEGIN; LOCK TABLE meetings").unwrap();
        let mut waiting = JoinSet::new();
        for _ in 0..250 {
            let (caller, path) = (anyone.clone(), unknown.clone());
            waiting.spawn(async move { caller.get(&path).await });
        }
        let first = waiting.join_next().await.unwrap().unwrap();
        first.refuses(429, "too_many_tries");
        assert!(first.header("retry-after").is_some());
        holder.batch_execute("COMMIT").unwrap();
        let statuses: Vec<_> = waiting.join_all().await.into_iter().map(|answer| answer.status).collect();
        assert!(statuses.iter().all(|status| [404, 429].contains(status)), "{shown}: {statuses:?}");
    }
    anyone.get(&format!("/public/meetings/{}/presentation/result", meeting.id)).await.gives(200);
    let no_answers = format!("/public/meetings/{}/presentation/answers", meeting.id);
    for _ in 0..3 {
        anyone.get(&no_answers).await.refuses(404, "no_answer_wall");
    }
}

#[tokio::test]
async fn wrong_check_in_codes_of_a_voter_limit_that_voter_alone() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let (ada, ben) = (club.voter("ada").await, club.voter("ben").await);
    let meeting = club.meeting_with(json!({ "status": "ACTIVE", "checkIn": "ON", "selfCheckIn": true })).await;
    let own = format!("/voting/meetings/{}/check-in", meeting.id);
    let wrong = json!({ "code": "000000x" });
    let statuses = all_at_once((0..150).map(|_| (ada.caller.clone(), own.clone(), Some(wrong.clone())))).await;
    let tried = statuses.iter().filter(|status| **status == 409).count();
    assert!((10..20).contains(&tried), "ten at once, and one more every ten seconds: {statuses:?}");
    assert_eq!(statuses.iter().filter(|status| **status == 429).count(), 150 - tried);

    let shown = app.anyone().get(&format!("/public/meetings/{}/check-in-code", meeting.id)).await.gives(200);
    let right = json!({ "code": shown["code"] });
    let refused = ada.caller.post(&own, right.clone()).await;
    assert!(refused.header("retry-after").is_some());
    refused.refuses(429, "too_many_tries");
    ben.caller.post(&own, right).await.gives(200);
}

#[tokio::test]
async fn guesses_of_organization_codes_are_limited_in_their_network_except_for_codes_in_use_there() {
    let trusted_proxies = TrustedProxies::parse("127.0.0.1").unwrap();
    let app = TestApp::start_with(HttpSettings { trusted_proxies, ..HttpSettings::default() }).await;
    let club = app.client("Rowing Club").await;
    let other = app.client("Sailing Club").await;
    let caller = app.anyone();
    let ask = async |code: &str, from: &str| {
        let path = format!("/public/client/{code}");
        caller.request("GET", &path).header("x-forwarded-for", from).send().await.unwrap()
    };
    // Successful lookups do not count.
    for _ in 0..5 {
        assert_eq!(ask(&club.code, "192.0.2.1").await.status(), 200);
    }
    let mut answers = vec![];
    // More failures than the limit allows, even with its recovery meanwhile, unless each takes a quarter of a second.
    while answers.len() < 2_000 && !answers.ends_with(&[429]) {
        let answer = ask("nobody", "192.0.2.1").await;
        assert!(answer.status() == 404 || answer.headers()["retry-after"] == "1");
        answers.push(answer.status().as_u16());
    }
    assert!(answers.len() > 120 && answers.ends_with(&[404, 429]), "{answers:?}");
    assert_eq!(ask(&club.code, "192.0.2.1").await.status(), 200);
    assert_eq!(ask("nobody", "192.0.2.2").await.status(), 404);
    assert_eq!(ask(&other.code, "192.0.2.2").await.status(), 200);
}

#[tokio::test]
async fn a_flood_of_invalid_renewals_does_not_block_a_valid_one() {
    let app = TestApp::start().await;
    let root = app.super_admin().await;
    let caller = app.anyone();
    let mut guesses = JoinSet::new();
    for group in 0..20 {
        let caller = caller.clone();
        guesses.spawn(async move {
            for number in 0..100 {
                let body = json!({ "refreshToken": unknown_token(&format!("guess-{group}-{number}")) });
                let status = caller.post("/auth/refresh", body).await.status;
                assert!([401, 429].contains(&status), "{status}");
            }
        });
    }
    guesses.join_all().await;
    root.post("/auth/refresh", json!({ "refreshToken": root.refresh_token })).await.gives(200);
    // One renewal waits for the store, and others wait for it. Further ones are refused at once.
    let mut holder = app.database.connection();
    holder.batch_execute("BEGIN; LOCK TABLE refresh_tokens").unwrap();
    let mut waiting = JoinSet::new();
    for number in 0..250 {
        let caller = caller.clone();
        let body = json!({ "refreshToken": unknown_token(&format!("late-{number}")) });
        waiting.spawn(async move { caller.post("/auth/refresh", body).await });
    }
    let first = waiting.join_next().await.unwrap().unwrap();
    first.refuses(429, "too_many_tries");
    assert!(first.header("retry-after").is_some());
    holder.batch_execute("COMMIT").unwrap();
    let statuses: Vec<_> = waiting.join_all().await.into_iter().map(|answer| answer.status).collect();
    assert!(statuses.contains(&401) && statuses.iter().all(|status| [401, 429].contains(status)), "{statuses:?}");
}
