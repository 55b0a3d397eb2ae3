use std::time::{Duration, Instant};

use diesel::connection::SimpleConnection as _;
use plenum_adapter_http::{HttpSettings, TrustedProxies};
use serde_json::{Value, json};

use crate::http::support::{Answer, Caller, Organization, PASSWORD, ROOT_EMAIL, TestApp};

#[tokio::test]
async fn each_role_signs_in_and_gets_its_profile() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    club.voter("ben").await;
    let anyone = app.anyone();

    let root =
        anyone.post("/auth/login", json!({ "email": "Root@Plenum.Example", "password": PASSWORD })).await.gives(200);
    assert_eq!(root["user"]["role"], "SUPER_ADMIN");
    assert_eq!(root["user"]["email"], ROOT_EMAIL);
    assert_eq!(root["user"]["clientId"], Value::Null);

    let admin = anyone
        .post("/auth/login", json!({ "email": "admin@rowing-club.example", "password": PASSWORD, "portal": "CLIENT" }))
        .await
        .gives(200);
    assert_eq!(admin["user"]["role"], "CLIENT");
    assert_eq!(admin["user"]["name"], "Anna Berg");
    assert_eq!(admin["user"]["clientId"], club.id);
    assert_eq!(admin["user"]["clientCode"], "rowing-club");
    assert_eq!(admin["user"]["clientName"], "Rowing Club");

    let body = json!({ "clientCode": club.code, "username": "ben", "password": PASSWORD, "rememberMe": true });
    let voter = anyone.post("/auth/end-user/login", body).await.gives(200);
    assert_eq!(voter["user"]["role"], "END_USER");
    assert_eq!(voter["user"]["username"], "ben");
    assert_eq!(voter["user"]["email"], Value::Null);
    assert_eq!(voter["user"]["clientId"], club.id);

    for session in [root, admin, voter] {
        let me = anyone.with_session(&session).get("/auth/me").await.gives(200);
        assert_eq!(me["user"], session["user"]);
    }
}

#[tokio::test]
async fn an_account_at_the_wrong_portal_is_denied_without_tokens() {
    let app = TestApp::start().await;
    app.client("Rowing Club").await;
    for (email, portal) in [(ROOT_EMAIL, "CLIENT"), ("admin@rowing-club.example", "SUPER_ADMIN")] {
        let body = json!({ "email": email, "password": PASSWORD, "portal": portal });
        let answer = app.anyone().post("/auth/login", body).await;
        let error = answer.refuses(403, "access_denied");
        assert_eq!(error["error"], "Access denied");
        assert!(!answer.text.to_lowercase().contains("token"), "{}", answer.text);
        let body = json!({ "email": email, "password": "another horse", "portal": portal });
        app.anyone().post("/auth/login", body).await.refuses(401, "invalid_credentials");
    }
    let body = json!({ "email": ROOT_EMAIL, "password": PASSWORD, "portal": "END_USER" });
    assert_eq!(app.anyone().post("/auth/login", body).await.wrong_fields(), ["portal"]);
}

#[tokio::test]
async fn a_voter_signs_in_with_the_code_in_any_case_or_the_id_of_the_organization() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let ben = club.voter("Ben").await;
    for (code, username) in [("rowing-club", "Ben"), ("ROWING-CLUB", "ben"), (" Rowing-Club ", " BEN ")] {
        let body = json!({ "clientCode": code, "username": username, "password": PASSWORD });
        let session = app.anyone().post("/auth/end-user/login", body).await.gives(200);
        assert_eq!(session["user"]["id"], ben.id, "{code:?} {username:?}");
    }
    let body = json!({ "clientId": club.id, "username": "ben", "password": PASSWORD });
    assert_eq!(app.anyone().post("/auth/end-user/login", body).await.gives(200)["user"]["id"], ben.id);
    let nobody = app.anyone().post("/auth/end-user/login", json!({ "username": "ben", "password": PASSWORD })).await;
    assert_eq!(nobody.wrong_fields(), ["clientCode"]);
    let listed = club.admin.get(&format!("/client/end-users/{}", ben.id)).await.gives(200);
    assert!(listed["data"]["lastLoginAt"].is_string(), "{listed}");
}

#[tokio::test]
async fn a_failed_sign_in_gets_no_reason() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let other = app.client("Sailing Club").await;
    club.voter("ben").await;
    let asleep = json!({ "username": "asleep", "name": "A", "password": PASSWORD, "isActive": false });
    club.admin.post("/client/end-users", asleep).await.gives(201);

    let mut answers = Vec::new();
    for (email, password) in [
        ("nobody@example.org", PASSWORD),
        (ROOT_EMAIL, "wrong password"),
        ("no address", PASSWORD),
        (ROOT_EMAIL, "a\0b"),
    ] {
        let body = json!({ "email": email, "password": password });
        answers.push(app.anyone().post("/auth/login", body).await);
    }
    for (code, username, password) in [
        ("no-such-club", "ben", PASSWORD),
        ("not a code!", "ben", PASSWORD),
        (club.code.as_str(), "nobody", PASSWORD),
        (&club.code, "ben", "wrong password"),
        (&club.code, "asleep", PASSWORD),
        (&other.code, "ben", PASSWORD),
    ] {
        let body = json!({ "clientCode": code, "username": username, "password": password });
        answers.push(app.anyone().post("/auth/end-user/login", body).await);
    }
    for id in [other.id.as_str(), "no id"] {
        let body = json!({ "clientId": id, "username": "ben", "password": PASSWORD });
        answers.push(app.anyone().post("/auth/end-user/login", body).await);
    }
    for answer in &answers {
        answer.refuses(401, "invalid_credentials");
        assert_eq!(answer.text, answers[0].text);
    }
}

#[tokio::test]
async fn a_code_and_an_id_must_be_of_one_organization() {
    let app = TestApp::start().await;
    let (club, other) = (app.client("Rowing Club").await, app.client("Sailing Club").await);
    let ben = club.voter("ben").await;
    other.voter("ben").await;
    let sign_in = async |code: &str, id: &str| {
        let body = json!({ "clientCode": code, "clientId": id, "username": "ben", "password": PASSWORD });
        app.anyone().post("/auth/end-user/login", body).await
    };
    let (code, id) = (club.code.as_str(), club.id.as_str());
    for (code, id) in [(code, id), ("", id), (" ", id), (code, "")] {
        assert_eq!(sign_in(code, id).await.gives(200)["user"]["id"], ben.id, "{code:?} {id:?}");
    }
    for (code, id) in
        [(code, other.id.as_str()), (&other.code, id), (code, "no id"), ("no-such-club", id), ("no code!", id)]
    {
        sign_in(code, id).await.refuses(401, "invalid_credentials");
    }
}

#[tokio::test]
async fn an_empty_field_is_named_and_does_not_count_as_a_failed_sign_in() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    club.voter("ben").await;
    let anyone = app.anyone();
    let right_account = json!({ "email": ROOT_EMAIL, "password": PASSWORD });
    let right_voter = json!({ "clientCode": club.code, "username": "ben", "password": PASSWORD });
    for (path, right, name, empty) in [
        ("/auth/login", &right_account, "email", ""),
        ("/auth/login", &right_account, "email", " "),
        ("/auth/login", &right_account, "password", ""),
        ("/auth/end-user/login", &right_voter, "clientCode", ""),
        ("/auth/end-user/login", &right_voter, "username", ""),
        ("/auth/end-user/login", &right_voter, "username", " "),
        ("/auth/end-user/login", &right_voter, "password", ""),
    ] {
        let mut body = right.clone();
        body[name] = json!(empty);
        // One more than the free failures.
        for _ in 0..11 {
            let error = anyone.post(path, body.clone()).await.refuses(422, "invalid_input");
            assert_eq!(error["fields"], json!({ name: ["Is required."] }));
        }
        anyone.post(path, right.clone()).await.gives(200);
    }
    let nothing = json!({ "clientCode": "", "clientId": "", "username": "", "password": "" });
    let answer = anyone.post("/auth/end-user/login", nothing).await;
    assert_eq!(answer.wrong_fields(), ["clientCode", "password", "username"]);
}

#[tokio::test]
async fn a_refresh_token_gives_a_new_pair_and_does_so_again_within_seconds() {
    let app = TestApp::start().await;
    let root = app.super_admin().await;
    let refresh = async |token: &str| app.anyone().post("/auth/refresh", json!({ "refreshToken": token })).await;

    let first = refresh(&root.refresh_token).await.gives(200);
    // Two tabs, or a lost response.
    let again = refresh(&root.refresh_token).await.gives(200);
    assert_ne!(first["refreshToken"], root.refresh_token);
    assert_eq!(first["refreshToken"], again["refreshToken"], "a token has one successor");
    for pair in [&first, &again] {
        let caller = app.anyone().with_session(pair);
        caller.get("/auth/me").await.gives(200);
        refresh(&caller.refresh_token).await.gives(200);
    }
    for unknown in ["", "unknown", "a\0b", root.token()] {
        refresh(unknown).await.refuses(401, "session_ended");
    }
    let as_access_token = app.anyone().with_token(&root.refresh_token);
    as_access_token.get("/auth/me").await.refuses(403, "invalid_token");
}

#[tokio::test]
async fn signing_out_ends_both_tokens_at_once_and_no_other_session() {
    let app = TestApp::start().await;
    let (here, elsewhere) = (app.super_admin().await, app.super_admin().await);
    let pair = app.anyone().post("/auth/refresh", json!({ "refreshToken": here.refresh_token })).await.gives(200);
    let renewed = app.anyone().with_session(&pair);
    renewed.get("/auth/me").await.gives(200);

    assert_eq!(here.post("/auth/logout", json!({})).await.gives(200), json!({ "success": true }));
    for caller in [&here, &renewed] {
        caller.get("/auth/me").await.refuses(401, "session_ended");
        let body = json!({ "refreshToken": caller.refresh_token });
        app.anyone().post("/auth/refresh", body).await.refuses(401, "session_ended");
    }
    here.post("/auth/logout", json!({})).await.refuses(401, "session_ended");
    elsewhere.get("/auth/me").await.gives(200);
}

#[tokio::test]
async fn a_missing_or_expired_token_is_401_and_a_foreign_one_403() {
    let app = TestApp::start().await;
    let root = app.super_admin().await;
    let with = |token: String| app.anyone().with_token(token);
    app.anyone().get("/auth/me").await.refuses(401, "authentication_required");
    with(root.expired_token()).get("/auth/me").await.refuses(401, "token_expired");
    let other_half = root.token().replace('.', "..");
    let mut changed = root.token().to_owned();
    let place = changed.len() - 3;
    let another = if changed[place..].starts_with('A') { "B" } else { "A" };
    changed.replace_range(place..=place, another);
    for token in [root.forged_token(), root.unsigned_token(), other_half, changed, "x".to_owned(), "ü".to_owned()] {
        with(token.clone()).get("/auth/me").await.refuses(403, "invalid_token");
    }
    for header in ["Basic cm9vdDpyb290", "", "Bearer", "Bearer ", "bearer   "] {
        let request = app.anyone().request("GET", "/auth/me").header("authorization", header);
        Answer::read(request.send().await.unwrap()).await.refuses(401, "authentication_required");
    }
    let request = app.anyone().request("GET", "/auth/me").header("authorization", format!("bearer {}", root.token()));
    Answer::read(request.send().await.unwrap()).await.gives(200);
}

#[tokio::test]
async fn a_token_in_the_query_is_for_streams_only() {
    let app = TestApp::start().await;
    let root = app.super_admin().await;
    let path = format!("/auth/me?token={}", root.token());
    app.anyone().get(&path).await.refuses(401, "authentication_required");
}

#[tokio::test]
async fn a_token_whose_person_differs_from_its_session_is_refused() {
    // The claims of one session with the person of another: correctly signed, but inconsistent.
    use plenum_adapter_security::{JwtTokens, SystemClock};
    use plenum_clients::AccessTokens as _;
    use plenum_kernel::Clock as _;

    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let ben = club.voter("ben").await;
    let tokens = JwtTokens::new(crate::http::support::KEY).unwrap();
    let read = |token: &str| tokens.read(token, SystemClock.now()).unwrap();
    let mut claims = read(ben.caller.token());
    claims.acting.person = read(club.admin.token()).acting.person;
    let confused = app.anyone().with_token(tokens.issue(&claims));
    confused.get("/client/meetings").await.refuses(401, "session_ended");
}

const WRONG: &str = "another horse";

async fn try_voter(caller: &Caller, club: &Organization, username: &str, password: &str) -> Answer {
    let body = json!({ "clientCode": club.code, "username": username, "password": password });
    caller.post("/auth/end-user/login", body).await
}

/// The seconds to wait, in the header and in the text of a response.
#[track_caller]
fn must_wait(answer: &Answer) -> u64 {
    let error = answer.refuses(429, "too_many_tries");
    let seconds: u64 = answer.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=10).contains(&seconds), "{seconds}");
    let unit = if seconds == 1 { "second" } else { "seconds" };
    assert_eq!(error["error"], format!("Too many failed sign-ins. Please try again in {seconds} {unit}."));
    seconds
}

#[tokio::test]
async fn ten_wrong_passwords_delay_that_account_alone() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let other = app.client("Sailing Club").await;
    for organization in [&club, &other] {
        organization.voter("ben").await;
    }
    club.voter("eva").await;
    let anyone = app.anyone();
    for _ in 0..10 {
        try_voter(&anyone, &club, "ben", WRONG).await.refuses(401, "invalid_credentials");
    }
    for password in [WRONG, PASSWORD] {
        must_wait(&try_voter(&anyone, &club, "BEN", password).await);
    }
    let by_id = json!({ "clientId": club.id, "username": "ben", "password": PASSWORD });
    must_wait(&anyone.post("/auth/end-user/login", by_id).await);
    try_voter(&anyone, &club, "eva", PASSWORD).await.gives(200);
    try_voter(&anyone, &other, "ben", PASSWORD).await.gives(200);

    // A caller who waits for the announced time signs in.
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        let answer = try_voter(&anyone, &club, "ben", PASSWORD).await;
        if answer.status == 200 {
            break;
        }
        must_wait(&answer);
        assert!(Instant::now() < deadline, "in vain: {answer:?}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    try_voter(&anyone, &club, "ben", WRONG).await.refuses(401, "invalid_credentials");
}

#[tokio::test]
async fn an_unknown_account_is_delayed_like_an_existing_one() {
    let app = TestApp::start().await;
    for email in [ROOT_EMAIL, "nobody@example.org"] {
        let attempt = async |password: &str, portal: &str| {
            let body = json!({ "email": email, "password": password, "portal": portal });
            app.anyone().post("/auth/login", body).await
        };
        for _ in 0..10 {
            attempt(WRONG, "SUPER_ADMIN").await.refuses(401, "invalid_credentials");
        }
        for (password, portal) in [(WRONG, "SUPER_ADMIN"), (PASSWORD, "SUPER_ADMIN"), (PASSWORD, "CLIENT")] {
            must_wait(&attempt(password, portal).await);
        }
    }
}

#[tokio::test]
async fn thirty_parallel_guesses_count_as_ten() {
    let app = TestApp::start().await;
    let begun = Instant::now();
    let guessing: Vec<_> = (0..30)
        .map(|_| {
            let caller = app.anyone();
            let body = json!({ "email": ROOT_EMAIL, "password": WRONG });
            tokio::spawn(async move { caller.post("/auth/login", body).await })
        })
        .collect();
    let mut answered = 0;
    for one in guessing {
        let answer = one.await.unwrap();
        if answer.status == 401 {
            answered += 1;
        } else {
            must_wait(&answer);
        }
    }
    // One more for every ten seconds that the test may have taken.
    let most = 10 + begun.elapsed().as_secs() / 10;
    assert!((10..=most).contains(&answered), "{answered}");
}

/// Sends unknown names with this header, several at a time, until the address is limited.
async fn exhaust_the_address(app: &TestApp, forwarded_for: impl Fn(usize) -> String) {
    let deadline = Instant::now() + Duration::from_secs(60);
    let mut tried = 0;
    loop {
        let trying: Vec<_> =
            (tried..tried + 20).map(|number| try_unknown_name(app, number, forwarded_for(number))).collect();
        tried += trying.len();
        for one in trying {
            let answer = one.await.unwrap();
            if answer.status != 401 {
                must_wait(&answer);
                assert!(tried > 60, "{tried}");
                return;
            }
        }
        assert!(Instant::now() < deadline, "{tried} attempts failed");
    }
}

fn try_unknown_name(app: &TestApp, number: usize, forwarded_for: String) -> tokio::task::JoinHandle<Answer> {
    let body = json!({ "email": format!("nobody-{number}@example.org"), "password": WRONG });
    let request = app.anyone().request("POST", "/auth/login").header("x-forwarded-for", forwarded_for).json(&body);
    tokio::spawn(async move { Answer::read(request.send().await.unwrap()).await })
}

#[tokio::test]
async fn an_address_with_failures_of_many_names_is_delayed_despite_forged_headers() {
    let app = TestApp::start().await;
    exhaust_the_address(&app, |number| format!("192.0.2.{number}")).await;
}

#[tokio::test]
async fn behind_a_trusted_proxy_every_caller_has_an_address_of_their_own() {
    let app = TestApp::start_with(behind_a_proxy()).await;
    // The left part is forged by the caller.
    exhaust_the_address(&app, |number| format!("203.0.113.{number}, 192.0.2.1")).await;
    let elsewhere = try_unknown_name(&app, 1_000, "192.0.2.2".to_owned()).await.unwrap();
    elsewhere.refuses(401, "invalid_credentials");
}

async fn refresh_from(app: &TestApp, token: &str, device: &str, address: &str) -> Answer {
    let request = app.anyone().request("POST", "/auth/refresh").header("user-agent", device);
    let request = request.header("x-forwarded-for", address).json(&json!({ "refreshToken": token }));
    Answer::read(request.send().await.unwrap()).await
}

#[tokio::test]
async fn a_copied_refresh_token_ends_the_session_at_once_when_its_successor_was_used_elsewhere() {
    let app = TestApp::start_with(behind_a_proxy()).await;
    let owner = ("Firefox", "192.0.2.1");
    for thief in [("Safari", "192.0.2.1"), ("Firefox", "192.0.2.2")] {
        let root = app.super_admin().await;
        let text = |pair: Value| pair["refreshToken"].as_str().unwrap().to_owned();
        let second = text(refresh_from(&app, &root.refresh_token, owner.0, owner.1).await.gives(200));
        // A lost response, and another network.
        let again = text(refresh_from(&app, &root.refresh_token, thief.0, thief.1).await.gives(200));
        assert_eq!(second, again);
        let third = text(refresh_from(&app, &second, owner.0, owner.1).await.gives(200));
        assert_eq!(text(refresh_from(&app, &root.refresh_token, owner.0, owner.1).await.gives(200)), second);
        refresh_from(&app, &root.refresh_token, thief.0, thief.1).await.refuses(401, "session_ended");
        refresh_from(&app, &third, owner.0, owner.1).await.refuses(401, "session_ended");
        root.get("/auth/me").await.refuses(401, "session_ended");
    }
}

#[tokio::test]
async fn a_renewal_whose_response_was_lost_is_repeated_a_minute_later_on_another_network() {
    let app = TestApp::start_with(behind_a_proxy()).await;
    let renew = async |token: &str, id: &str, address: &str| {
        let request = app.anyone().request("POST", "/auth/refresh").header("x-forwarded-for", address);
        let request = request.json(&json!({ "refreshToken": token, "renewalId": id }));
        Answer::read(request.send().await.unwrap()).await
    };
    let a_minute_passes = || {
        let statement = "UPDATE refresh_tokens SET used_at = used_at - interval '1 minute'";
        app.database.connection().batch_execute(statement).unwrap();
    };
    let (own, of_copy) = ("7f1f2c86-0d5a-4f5e-9a52-3c1b7d0e9a64", "7f1f2c86-0d5a-4f5e-9a52-3c1b7d0e9a65");
    let root = app.super_admin().await;
    let lost = renew(&root.refresh_token, own, "192.0.2.1").await.gives(200);
    a_minute_passes();
    let repeated = renew(&root.refresh_token, own, "198.51.100.1").await.gives(200);
    assert_eq!(repeated["refreshToken"], lost["refreshToken"]);

    renew(&root.refresh_token, "again", "192.0.2.1").await.refuses(422, "invalid_input");
    a_minute_passes();
    renew(&root.refresh_token, of_copy, "198.51.100.1").await.refuses(401, "session_ended");
    root.get("/auth/me").await.refuses(401, "session_ended");
}

#[tokio::test]
async fn two_hundred_uses_of_a_refresh_token_give_one_successor_and_meet_a_limit() {
    let app = TestApp::start().await;
    let root = app.super_admin().await;
    let begun = Instant::now();
    let using: Vec<_> = (0..200)
        .map(|_| {
            let (caller, body) = (app.anyone(), json!({ "refreshToken": root.refresh_token }));
            tokio::spawn(async move { caller.post("/auth/refresh", body).await })
        })
        .collect();
    let mut successors = Vec::new();
    for one in using {
        let answer = one.await.unwrap();
        if answer.status == 200 {
            successors.push(answer.json()["refreshToken"].as_str().unwrap().to_owned());
        } else {
            let error = answer.refuses(429, "too_many_tries");
            assert!(error["error"].as_str().unwrap().starts_with("This session is renewed too often."), "{error}");
            assert!((1..=10).contains(&answer.header("retry-after").unwrap().parse::<u64>().unwrap()));
        }
    }
    let most = 30 + begun.elapsed().as_secs() as usize / 10;
    assert!((30..=most).contains(&successors.len()), "{}", successors.len());
    successors.dedup();
    assert_eq!(successors.len(), 1);
    root.get("/auth/me").await.gives(200);
}

fn behind_a_proxy() -> HttpSettings {
    let trusted_proxies = TrustedProxies::parse("127.0.0.0/8").unwrap();
    HttpSettings { trusted_proxies, ..HttpSettings::default() }
}

async fn post_from(app: &TestApp, address: &str, path: &str, body: &Value) -> Answer {
    let request = app.anyone().request("POST", path).header("x-forwarded-for", address).json(body);
    Answer::read(request.send().await.unwrap()).await
}

#[tokio::test]
async fn an_attack_from_changing_addresses_does_not_lock_out_known_devices() {
    let app = TestApp::start_with(behind_a_proxy()).await;
    let club = app.client("Rowing Club").await;
    for voter in ["ben", "eva"] {
        club.voter(voter).await;
    }
    let account = json!({ "email": "admin@rowing-club.example", "password": PASSWORD });
    let voter = |name: &str| json!({ "clientCode": club.code, "username": name, "password": PASSWORD });
    let eva = post_from(&app, "192.0.2.7", "/auth/end-user/login", &voter("eva")).await;
    eva.gives(200);
    for (path, right) in [("/auth/login", account), ("/auth/end-user/login", voter("ben"))] {
        let first = post_from(&app, "192.0.2.1", path, &right).await.gives(200);
        let mut wrong = right.clone();
        wrong["password"] = json!(WRONG);
        let (begun, mut checked) = (Instant::now(), 0);
        for number in 0..200 {
            let answer = post_from(&app, &format!("198.51.100.{number}"), path, &wrong).await;
            if answer.status == 401 {
                checked += 1;
            } else {
                must_wait(&answer);
            }
        }
        let most = 30 + begun.elapsed().as_secs() / 10;
        assert!((30..=most).contains(&checked), "an attack meets a limit in all: {checked}");

        // From a known address, in the hall where others have signed in, and on a known device anywhere.
        post_from(&app, "192.0.2.1", path, &right).await.gives(200);
        post_from(&app, "192.0.2.7", path, &right).await.gives(200);
        let mut on_the_device = right.clone();
        on_the_device["deviceTokens"] = json!(["no token", eva.json()["deviceToken"], first["deviceToken"]]);
        let again = post_from(&app, "203.0.113.1", path, &on_the_device).await.gives(200);
        assert!(again["deviceToken"].is_string());
        // A token of another account or a damaged one does not count.
        for token in [&eva.json()["deviceToken"], &json!("garbled"), &json!(""), &first["token"]] {
            let mut body = wrong.clone();
            body["deviceTokens"] = json!([token]);
            let mut refused = false;
            for number in 0..3 {
                refused |= post_from(&app, &format!("203.0.113.{}", 10 + number), path, &body).await.status == 429;
            }
            assert!(refused, "{token}");
        }
    }
    let body = json!({ "email": ROOT_EMAIL, "password": PASSWORD, "deviceTokens": "one" });
    assert_eq!(app.anyone().post("/auth/login", body).await.wrong_fields(), ["deviceTokens"]);
}
