//! Personal links, with which voters sign in without typing.

use diesel::connection::SimpleConnection as _;
use plenum_adapter_mail::testkit::FakeSmtpServer;
use serde_json::{Value, json};

use crate::http::support::{Answer, Organization, PASSWORD, TestApp, TestVoter, until};

async fn make(club: &Organization, body: Value) -> Answer {
    club.admin.post("/client/join-links", body).await
}

/// The token of a new link of one voter.
async fn token_of(club: &Organization, voter: &TestVoter, fields: Value) -> String {
    let mut body = json!({ "people": "NAMED", "endUserIds": [voter.id] });
    body.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    let made = make(club, body).await.gives(200)["data"].clone();
    assert_eq!(made.as_array().unwrap().len(), 1, "{made}");
    made[0]["token"].as_str().unwrap().to_owned()
}

async fn look_up(app: &TestApp, token: &str) -> Answer {
    app.anyone().post("/auth/join/look-up", json!({ "token": token })).await
}

async fn join(app: &TestApp, token: &str) -> Answer {
    app.anyone().post("/auth/join", json!({ "token": token })).await
}

#[tokio::test]
async fn a_link_names_its_owner_signs_in_and_is_noted_without_its_token() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let (ada, _ben) = (club.voter("ada").await, club.voter("ben").await);
    let meeting = club.meeting().await;
    let token = token_of(&club, &ada, json!({ "meetingId": meeting.id })).await;
    assert!(token.len() >= 22, "at least 128 bits: {token}");

    let found = look_up(&app, &token).await.gives(200);
    assert_eq!((&found["name"], &found["organization"]), (&json!("ada"), &json!("Rowing Club")));
    assert_eq!((&found["clientCode"], &found["meetingId"]), (&json!(club.code), &json!(meeting.id)));
    assert_eq!(found["asks"], "NOTHING");
    let session = join(&app, &token).await.gives(200);
    assert_eq!(session["user"]["username"], "ada");
    let caller = app.anyone().with_session(&session);
    caller.get("/auth/me").await.gives(200);
    assert_eq!(caller.get("/auth/sessions").await.gives(200)["data"].as_array().unwrap().len(), 2);
    join(&app, &token).await.gives(200);

    let listed = club.admin.get(&format!("/client/join-links?endUserId={}", ada.id)).await.gives(200);
    let link = &listed["data"][0];
    assert_eq!((&link["works"], &link["singleUse"], &link["revokedAt"]), (&json!(true), &json!(false), &Value::Null));
    assert!(link["lastUsedAt"].is_string() && link["expiresAt"].is_null(), "{link}");
    let revoke = json!({ "joinLinkId": link["id"] });
    assert_eq!(club.admin.post("/client/join-links/revoke", revoke.clone()).await.gives(200)["revoked"], 1);
    assert_eq!(club.admin.post("/client/join-links/revoke", revoke).await.gives(200)["revoked"], 0);
    look_up(&app, &token).await.refuses(404, "join_link_void");
    let refused = join(&app, &token).await.refuses(404, "join_link_void");
    assert!(refused["error"].as_str().unwrap().contains("ask your organizer for a new link"), "{refused}");
    caller.get("/auth/me").await.gives(200);

    for (kind, number) in [("join_link_made", 1), ("join_link_used", 2), ("join_link_revoked", 1)] {
        let entries = club.admin.get(&format!("/client/audit?kind={kind}")).await.gives(200)["data"].clone();
        assert_eq!(entries.as_array().unwrap().len(), number, "{kind}: {entries}");
        assert_eq!(entries[0]["subject"]["name"], "ada (ada)");
    }
    let log = club.admin.get("/client/audit?limit=200").await.text;
    assert!(!log.contains(&token), "the token stands in the log");
}

#[tokio::test]
async fn a_call_names_at_most_20_000_people() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let ada = club.voter("ada").await;
    for number in [20_001, 25_000] {
        let named = vec![ada.id.as_str(); number];
        let refused = make(&club, json!({ "people": "NAMED", "endUserIds": named })).await.gives(422);
        assert_eq!(refused["fields"], json!({ "endUserIds": ["Must have at most 20,000 ids."] }));
    }
}

#[tokio::test]
async fn a_link_is_void_after_one_use_a_new_link_a_new_password_or_its_meeting() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let ada = club.voter("ada").await;
    let once = token_of(&club, &ada, json!({ "singleUse": true })).await;
    // Only a sign-in uses it up.
    look_up(&app, &once).await.gives(200);
    look_up(&app, &once).await.gives(200);
    join(&app, &once).await.gives(200);
    join(&app, &once).await.refuses(404, "join_link_void");
    look_up(&app, &once).await.refuses(404, "join_link_void");

    let first = token_of(&club, &ada, json!({})).await;
    let second = token_of(&club, &ada, json!({})).await;
    look_up(&app, &first).await.refuses(404, "join_link_void");
    let own = json!({ "currentPassword": PASSWORD, "newPassword": "correct horse battery" });
    look_up(&app, &second).await.gives(200);
    ada.caller.put("/auth/password", own).await.gives(200);
    look_up(&app, &second).await.refuses(404, "join_link_void");

    let meeting = club.meeting().await;
    let of_meeting = token_of(&club, &ada, json!({ "meetingId": meeting.id })).await;
    let of_club = token_of(&club, &ada, json!({})).await;
    club.admin.post(&meeting.path("/end"), Value::Null).await.gives(200);
    look_up(&app, &of_meeting).await.refuses(404, "join_link_void");
    let body = json!({ "people": "ALL", "meetingId": meeting.id });
    make(&club, body).await.refuses(409, "meeting_over");
    look_up(&app, &of_club).await.gives(200);
    club.admin.put(&format!("/client/end-users/{}", ada.id), json!({ "isActive": false })).await.gives(200);
    look_up(&app, &of_club).await.refuses(404, "join_link_void");
    join(&app, &of_club).await.refuses(404, "join_link_void");
}

async fn join_as(app: &TestApp, token: &str, attempt: &str) -> Answer {
    app.anyone().post("/auth/join", json!({ "token": token, "attemptId": attempt })).await
}

const ATTEMPT: &str = "7f1f2c86-0d5a-4f5e-9a52-3c1b7d0e9a64";
const OTHER_ATTEMPT: &str = "7f1f2c86-0d5a-4f5e-9a52-3c1b7d0e9a65";

/// The number of Ada's active sessions. She has one beside those of links.
async fn sessions_of(ada: &TestVoter) -> usize {
    ada.caller.get("/auth/sessions").await.gives(200)["data"].as_array().unwrap().len()
}

#[tokio::test]
async fn a_sign_in_whose_response_was_lost_is_repeated_and_gets_its_session() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let ada = club.voter("ada").await;
    let once = token_of(&club, &ada, json!({ "singleUse": true })).await;
    let lost = join_as(&app, &once, ATTEMPT).await.gives(200);
    let repeated = join_as(&app, &once, ATTEMPT).await.gives(200);
    assert_eq!(repeated["refreshToken"], lost["refreshToken"], "one session, however often it is asked for");
    assert_eq!(repeated["user"], lost["user"]);
    app.anyone().with_session(&repeated).get("/auth/me").await.gives(200);
    assert_eq!(sessions_of(&ada).await, 2);
    let used = club.admin.get("/client/audit?kind=join_link_used").await.gives(200)["data"].clone();
    assert_eq!(used.as_array().unwrap().len(), 1, "{used}");

    // It is used up for everybody else, and for the look-up.
    join_as(&app, &once, OTHER_ATTEMPT).await.refuses(404, "join_link_void");
    join(&app, &once).await.refuses(404, "join_link_void");
    look_up(&app, &once).await.refuses(404, "join_link_void");
    // Nobody derives the token of a session from another link.
    join_as(&app, "made up", ATTEMPT).await.refuses(404, "join_link_void");

    let renewal = json!({ "refreshToken": repeated["refreshToken"] });
    app.anyone().post("/auth/refresh", renewal).await.gives(200);
    join_as(&app, &once, ATTEMPT).await.refuses(404, "join_link_void");
    app.anyone().with_session(&repeated).get("/auth/me").await.gives(200);
    assert_eq!(sessions_of(&ada).await, 2);
}

#[tokio::test]
async fn a_sign_in_is_not_repeated_after_its_time_or_its_session() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let ada = club.voter("ada").await;
    let late = token_of(&club, &ada, json!({ "singleUse": true })).await;
    join_as(&app, &late, ATTEMPT).await.gives(200);
    let earlier = "UPDATE refresh_tokens SET issued_at = issued_at - interval '10 minutes'";
    app.database.connection().batch_execute(earlier).unwrap();
    join_as(&app, &late, ATTEMPT).await.refuses(404, "join_link_void");

    let ended = token_of(&club, &ada, json!({ "singleUse": true })).await;
    let session = join_as(&app, &ended, ATTEMPT).await.gives(200);
    app.anyone().with_session(&session).post("/auth/logout", Value::Null).await.gives(200);
    join_as(&app, &ended, ATTEMPT).await.refuses(404, "join_link_void");

    // A link that works more than once opens another session then, and the id is worth nothing any more.
    let often = token_of(&club, &ada, json!({})).await;
    let first = join_as(&app, &often, ATTEMPT).await.gives(200);
    app.anyone().with_session(&first).post("/auth/logout", Value::Null).await.gives(200);
    let second = join_as(&app, &often, ATTEMPT).await.gives(200);
    let third = join_as(&app, &often, ATTEMPT).await.gives(200);
    assert_ne!(second["refreshToken"], first["refreshToken"]);
    assert_ne!(third["refreshToken"], second["refreshToken"]);
    app.anyone().with_session(&second).get("/auth/me").await.gives(200);
}

#[tokio::test]
async fn simultaneous_repeats_get_one_session_and_another_attempt_none() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let ada = club.voter("ada").await;
    for fields in [json!({ "singleUse": true }), json!({})] {
        let token = token_of(&club, &ada, fields).await;
        let before = sessions_of(&ada).await;
        let attempt = || join_as(&app, &token, ATTEMPT);
        let (one, two, three, four) = tokio::join!(attempt(), attempt(), attempt(), attempt());
        let tokens = [one, two, three, four].map(|answer| answer.gives(200)["refreshToken"].clone());
        assert!(tokens.iter().all(|token| *token == tokens[0]), "{tokens:?}");
        assert_eq!(sessions_of(&ada).await, before + 1);
    }
    let once = token_of(&club, &ada, json!({ "singleUse": true })).await;
    let (one, other) = tokio::join!(join_as(&app, &once, ATTEMPT), join_as(&app, &once, OTHER_ATTEMPT));
    let mut statuses = [one.status, other.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 404]);
}

#[tokio::test]
async fn a_link_during_a_vote_needs_a_reason_and_is_in_its_log() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let (ada, ben) = (club.voter("ada").await, club.voter("ben").await);
    let meeting = club.meeting().await;
    let question = meeting.ask_yes_no().await;
    let round = meeting.open(&question).await["roundId"].clone();
    ben.vote(&meeting, &question, &["Yes"]).await.gives(201);
    let body = json!({ "people": "NAMED", "endUserIds": [ada.id] });
    let refused = make(&club, body).await.refuses(409, "password_reason_needed");
    assert_eq!(refused["openVotes"][0]["people"], 1);
    make(&club, json!({ "people": "ALL", "passwordReason": " " })).await.refuses(409, "password_reason_needed");
    assert_eq!(club.admin.get("/client/join-links").await.gives(200)["data"], json!([]), "nothing was made");
    token_of(&club, &ada, json!({ "passwordReason": "Lost the letter" })).await;

    // While voting is ended, nothing is refused. The reopening tells it.
    meeting.clear().await;
    token_of(&club, &ada, json!({})).await;
    assert_eq!(meeting.open(&question).await["roundId"], round);
    meeting.clear().await;
    meeting.count(&round).await.gives(200);
    let log = meeting.result(&round).await.gives(200)["log"].as_array().unwrap().clone();
    let logged = log.iter().filter(|entry| entry["kind"] == "PASSWORD_SET");
    let reasons: Vec<&Value> = logged.map(|entry| &entry["reason"]).collect();
    assert_eq!(reasons, [&json!("Personal link: Lost the letter"), &Value::Null], "{log:?}");
    let audit = club.admin.get("/client/audit?kind=voter_password_set").await.gives(200)["data"].clone();
    assert_eq!(audit[0]["subject"]["name"], "ada (ada)");
}

#[tokio::test]
async fn a_link_can_ask_for_the_password() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let ada = club.voter("ada").await;
    let token = token_of(&club, &ada, json!({ "singleUse": true })).await;
    assert_eq!(club.admin.get("/client/join-links/settings").await.gives(200), json!({ "asks": "NOTHING" }));
    club.admin.put("/client/join-links/settings", json!({ "asks": "PASSWORD" })).await.gives(200);
    club.admin.put("/client/join-links/settings", json!({ "asks": "SHOE_SIZE" })).await.wrong_fields();
    assert_eq!(look_up(&app, &token).await.gives(200)["asks"], "PASSWORD");
    join(&app, &token).await.refuses(401, "join_password_required");
    let with = |password: &str| json!({ "token": token, "password": password });
    app.anyone().post("/auth/join", with("wrong password")).await.refuses(401, "invalid_credentials");
    // The entry follows the response.
    until("the failed sign-in is in the log", async || {
        let failed = club.admin.get("/client/audit?kind=sign_in_failed").await.gives(200)["data"].clone();
        (failed.as_array().unwrap().len() == 1).then_some(())
    })
    .await;
    app.anyone().post("/auth/join", with(PASSWORD)).await.gives(200);
    app.anyone().post("/auth/join", with(PASSWORD)).await.refuses(404, "join_link_void");
}

#[tokio::test]
async fn links_are_made_for_the_chosen_people_of_the_own_organization() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let other = app.client("Chess Club").await;
    let (ada, ben) = (club.voter("ada").await, club.voter("ben").await);
    let stranger = other.voter("cy").await;
    let names = |answer: Answer| {
        let made = answer.gives(200)["data"].as_array().unwrap().clone();
        made.into_iter().map(|link| link["username"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names(make(&club, json!({ "people": "ALL" })).await), ["ada", "ben"]);
    let named = |ids: Value| json!({ "people": "NAMED", "endUserIds": ids });
    assert_eq!(names(make(&club, named(json!([ben.id, ben.id]))).await), ["ben"]);
    for unknown in [stranger.id.as_str(), "00000000-0000-4000-8000-000000000000"] {
        let refused = make(&club, named(json!([ben.id, unknown]))).await;
        assert_eq!((refused.status, refused.wrong_fields()), (422, vec!["endUserIds".to_owned()]), "{unknown}");
    }
    let fresh = json!({ "username": "dan", "name": "dan", "password": PASSWORD });
    club.admin.post("/client/end-users", fresh).await.gives(201);
    assert_eq!(names(make(&club, json!({ "people": "NEVER_SIGNED_IN" })).await), ["dan"]);
    assert_eq!(make(&club, json!({ "people": "NAMED" })).await.wrong_fields(), ["endUserIds"]);
    assert_eq!(make(&club, json!({ "people": "ALL", "endUserIds": [ada.id] })).await.wrong_fields(), ["endUserIds"]);
    let theirs = other.meeting().await;
    make(&club, json!({ "people": "ALL", "meetingId": theirs.id })).await.refuses(404, "meeting_not_found");

    // Only the invited people of a meeting with a list.
    let meeting = club.meeting().await;
    club.admin.post(&meeting.path("/participants"), json!({ "endUserIds": [ada.id] })).await;
    assert_eq!(names(make(&club, json!({ "people": "ALL", "meetingId": meeting.id })).await), ["ada"]);

    let ids = club.admin.get("/client/join-links").await.gives(200)["data"].clone();
    assert_eq!(ids.as_array().unwrap().len(), 4);
    for body in [json!({ "joinLinkId": ids[0]["id"] }), json!({ "meetingId": meeting.id }), json!({ "all": true })] {
        assert_eq!(other.admin.post("/client/join-links/revoke", body).await.gives(200)["revoked"], 0);
    }
    for body in [json!({}), json!({ "all": false }), json!({ "all": true, "meetingId": meeting.id })] {
        assert_eq!(club.admin.post("/client/join-links/revoke", body).await.wrong_fields(), ["all"]);
    }
    assert_eq!(other.admin.get("/client/join-links").await.gives(200)["data"], json!([]));
    let all = club.admin.post("/client/join-links/revoke", json!({ "all": true })).await;
    assert_eq!(all.gives(200)["revoked"], 4);
}

/// A client whose links ask for a code, with a voter who has an address.
struct MailingClub {
    server: FakeSmtpServer,
    app: TestApp,
    club: Organization,
    ada: TestVoter,
    token: String,
}

impl MailingClub {
    async fn new() -> Self {
        let server = FakeSmtpServer::start();
        let app = TestApp::start_with_mail(&server).await;
        let club = app.client("Rowing Club").await;
        let ada = club.voter("ada").await;
        club.admin
            .put(&format!("/client/end-users/{}", ada.id), json!({ "email": "ada@example.org" }))
            .await
            .gives(200);
        let token = token_of(&club, &ada, json!({ "singleUse": true })).await;
        club.admin.put("/client/join-links/settings", json!({ "asks": "EMAIL_CODE" })).await.gives(200);
        Self { server, app, club, ada, token }
    }

    async fn send(&self, token: &str) -> Answer {
        self.app.anyone().post("/auth/join/code", json!({ "token": token })).await
    }

    /// The code in the mail with this number.
    async fn code(&self, number: usize) -> String {
        let mail = until("the mail arrives", async || self.server.kept().get(number).cloned()).await;
        assert_eq!(mail.to, "ada@example.org");
        let text = mail.content.replace("=\r\n", "");
        let (_, code) = text.split_once("Rowing Club is ").unwrap_or_else(|| panic!("no code in {text}"));
        code.chars().take(6).collect()
    }

    async fn join_with(&self, token: &str, code: &str) -> Answer {
        self.app.anyone().post("/auth/join", json!({ "token": token, "code": code })).await
    }
}

/// A code of six digits that is not this one.
fn other_than(code: &str) -> &'static str {
    if code == "000000" { "000001" } else { "000000" }
}

#[tokio::test]
async fn a_link_can_ask_for_a_code_that_is_mailed_to_its_owner() {
    let hall = MailingClub::new().await;
    let found = look_up(&hall.app, &hall.token).await.gives(200);
    assert_eq!((&found["asks"], &found["codeTo"]), (&json!("EMAIL_CODE"), &json!("a…@example.org")));
    assert!(!found.to_string().contains("ada@"), "{found}");
    join(&hall.app, &hall.token).await.refuses(401, "join_code_required");
    hall.join_with(&hall.token, "123456").await.refuses(401, "wrong_join_code");
    hall.send(&hall.token).await.gives(202);
    let first = hall.code(0).await;
    hall.join_with(&hall.token, other_than(&first)).await.refuses(401, "wrong_join_code");
    hall.send(&hall.token).await.gives(202);
    let second = hall.code(1).await;
    if first != second {
        hall.join_with(&hall.token, &first).await.refuses(401, "wrong_join_code");
    }
    let spaced = format!("{} {}", &second[..3], &second[3..]);
    let session = hall.join_with(&hall.token, &spaced).await.gives(200);
    assert_eq!(session["user"]["username"], "ada");
    hall.join_with(&hall.token, &second).await.refuses(404, "join_link_void");
    let log = hall.club.admin.get("/client/audit?limit=200").await.text;
    assert!(!log.contains(&second), "the code stands in the log");
}

#[tokio::test]
async fn a_code_is_not_lost_with_a_response_or_a_failed_sign_in() {
    let hall = MailingClub::new().await;
    hall.send(&hall.token).await.gives(202);
    let code = hall.code(0).await;
    let body = |attempt: &str| json!({ "token": hall.token, "code": code, "attemptId": attempt });
    let post = async |attempt: &str| hall.app.anyone().post("/auth/join", body(attempt)).await;
    // A change of the organization's code holds this lock. No session opens meanwhile.
    let mut change = hall.app.database.connection();
    change.batch_execute("BEGIN; SELECT FROM clients FOR UPDATE").unwrap();
    for _ in 0..6 {
        post(ATTEMPT).await.refuses(503, "temporarily_unavailable");
    }
    change.batch_execute("ROLLBACK").unwrap();

    let lost = post(ATTEMPT).await.gives(200);
    let repeated = post(ATTEMPT).await.gives(200);
    assert_eq!(repeated["refreshToken"], lost["refreshToken"]);
    post(OTHER_ATTEMPT).await.refuses(404, "join_link_void");

    // The same with a link that works more than once: the code does not.
    let often = token_of(&hall.club, &hall.ada, json!({})).await;
    hall.send(&often).await.gives(202);
    let code = hall.code(1).await;
    let post = async |attempt: &str| {
        let body = json!({ "token": often, "code": code, "attemptId": attempt });
        hall.app.anyone().post("/auth/join", body).await
    };
    let lost = post(ATTEMPT).await.gives(200);
    assert_eq!(post(ATTEMPT).await.gives(200)["refreshToken"], lost["refreshToken"]);
    post(OTHER_ATTEMPT).await.refuses(401, "wrong_join_code");
}

#[tokio::test]
async fn codes_are_limited_in_tries_and_mails_and_hold_for_one_link() {
    let hall = MailingClub::new().await;
    hall.send(&hall.token).await.gives(202);
    let code = hall.code(0).await;
    let other = token_of(&hall.club, &hall.club.voter("ben").await, json!({})).await;
    assert_eq!(look_up(&hall.app, &other).await.gives(200)["asks"], "PASSWORD", "ben has no address");
    hall.send(&other).await.refuses(409, "join_code_not_asked");
    hall.join_with(&other, &code).await.refuses(401, "join_password_required");
    for _ in 0..5 {
        hall.join_with(&hall.token, other_than(&code)).await.refuses(401, "wrong_join_code");
    }
    hall.join_with(&hall.token, &code).await.refuses(401, "wrong_join_code");
    hall.send(&hall.token).await.gives(202);
    hall.send(&hall.token).await.gives(202);
    let refused = hall.send(&hall.token).await;
    assert!(refused.header("retry-after").is_some());
    refused.refuses(429, "too_many_tries");
    hall.send("made up").await.refuses(404, "join_link_void");
}

#[tokio::test]
async fn a_code_is_void_with_its_link() {
    let hall = MailingClub::new().await;
    hall.send(&hall.token).await.gives(202);
    let code = hall.code(0).await;
    let renewed = token_of(&hall.club, &hall.ada, json!({})).await;
    hall.join_with(&hall.token, &code).await.refuses(404, "join_link_void");
    hall.join_with(&renewed, &code).await.refuses(401, "wrong_join_code");
    hall.club.admin.post("/client/join-links/revoke", json!({ "all": true })).await.gives(200);
    hall.send(&renewed).await.refuses(404, "join_link_void");
}

#[tokio::test]
async fn codes_need_a_mail_server() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let asks = json!({ "asks": "EMAIL_CODE" });
    let refused = club.admin.put("/client/join-links/settings", asks).await.refuses(409, "mail_not_configured");
    assert!(refused["error"].as_str().unwrap().contains("PLENUM_SMTP_URL"), "{refused}");
}
