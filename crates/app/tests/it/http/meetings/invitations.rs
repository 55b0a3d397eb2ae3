use std::time::Duration;

use chrono::TimeDelta;
use plenum_adapter_http::{HttpSettings, TrustedProxies};
use plenum_adapter_mail::testkit::{FakeSmtpServer, ServerBehavior, Treatment};
use plenum_app::MailSetup;
use serde_json::{Value, json};

use crate::http::support::{Answer, NO_ID, Organization, PASSWORD, TestApp, TestMeeting, mail_by, until};

/// A new voter with this address, or with none.
async fn person(club: &Organization, name: &str, email: Option<&str>) -> String {
    let body = json!({ "username": name.to_lowercase(), "name": name, "email": email, "password": PASSWORD });
    let made = club.admin.post("/client/end-users", body).await.gives(201);
    made["data"]["id"].as_str().unwrap().to_owned()
}

/// Five people, one of them without an address. Their ids are in the order of their names.
async fn five_people(club: &Organization) -> Vec<String> {
    let mut ids = Vec::new();
    for name in ["Ada", "Ben", "Cleo", "Dora", "Emil"] {
        let email = format!("{}@rowing.example", name.to_lowercase());
        ids.push(person(club, name, Some(email.as_str()).filter(|_| name != "Emil")).await);
    }
    ids
}

async fn seen(meeting: &TestMeeting, query: &str) -> Value {
    meeting.admin.get(&meeting.path(&format!("/invitations{query}"))).await.gives(200)
}

async fn send(meeting: &TestMeeting, body: Value) -> Value {
    meeting.admin.post(&meeting.path("/invitations/send"), body).await.gives(202)
}

/// Waits until the queue is empty.
async fn until_done(meeting: &TestMeeting) -> Value {
    until("all invitations are sent", async || {
        let seen = seen(meeting, "").await;
        (seen["counts"]["pending"] == 0).then_some(seen)
    })
    .await
}

fn statuses(seen: &Value) -> Vec<&str> {
    seen["data"].as_array().unwrap().iter().map(|person| person["status"].as_str().unwrap()).collect()
}

const ELSEWHERE: &str = "https://vote.example.org";

#[tokio::test]
async fn each_participant_gets_one_invitation_and_the_organizer_a_result_for_each() {
    let server = FakeSmtpServer::start();
    server.treat("dora@rowing.example", Treatment::AnswerRecipient("550 No such mailbox".to_owned()));
    let app = TestApp::start_with_mail(&server).await;
    let club = app.client("Rowing Club").await;
    let people = five_people(&club).await;
    let meeting = club.meeting_with(json!({ "status": "SCHEDULED" })).await;

    let body = json!({ "publicUrl": ELSEWHERE, "timeZone": "Europe/Berlin" });
    let queued = send(&meeting, body.clone()).await;
    assert_eq!(queued["queued"], 4);
    let skipped = json!({ "alreadySent": 0, "withoutAddress": 1, "inactive": 0, "pending": 0 });
    assert_eq!(queued["skipped"], skipped);
    assert_eq!(queued["counts"]["invited"], 5);

    let done = until_done(&meeting).await;
    assert_eq!(statuses(&done), ["sent", "sent", "sent", "failed", "no_address"]);
    let counts = json!({
        "invited": 5, "withoutAddress": 1, "inactive": 0, "notSent": 0, "pending": 0, "sent": 3, "failed": 1,
        "unknown": 0,
    });
    assert_eq!(done["counts"], counts);
    let (ada, dora) = (&done["data"][0], &done["data"][3]);
    assert_eq!((&ada["sentTo"], &ada["error"]), (&json!("ada@rowing.example"), &Value::Null));
    assert!(ada["sentAt"].is_string(), "{ada}");
    assert_eq!(dora["error"], "The mail server refused the address: 550 No such mailbox");

    let sent = ["ada@rowing.example", "ben@rowing.example", "cleo@rowing.example"];
    assert_eq!(server.kept_for(), sent);
    let link = format!("{ELSEWHERE}/vote/{}", invitation_link(&meeting).await);
    let kept = server.kept().into_iter().find(|kept| kept.to == sent[0]).unwrap().content;
    // Mail wraps long lines.
    let kept = kept.replace("=\r\n", "");
    for part in [
        "To: Ada <ada@rowing.example>\r\n",
        "Subject: Invitation: General assembly (Rowing Club)\r\n",
        "Reply-To: \"Rowing Club\" <admin@rowing-club.example>\r\n",
        "From: Plenum <no-reply@plenum.example>\r\n",
        "Hello Ada,\r\n",
        "20:00 (Europe/Berlin, UTC+02:00)\r\n",
        link.as_str(),
        "Organization code: rowing-club\r\n",
        "Username: ada\r\n",
    ] {
        assert!(kept.contains(part), "no {part:?} in {kept}");
    }
    assert!(!kept.contains(PASSWORD), "{kept}");

    // Recipients with an invitation get no other one. Failed ones are tried again.
    server.treat("dora@rowing.example", Treatment::Accept);
    let again = send(&meeting, body.clone()).await;
    assert_eq!((&again["queued"], &again["skipped"]["alreadySent"]), (&json!(1), &json!(3)));
    assert_eq!(statuses(&until_done(&meeting).await), ["sent", "sent", "sent", "sent", "no_address"]);
    assert_eq!(send(&meeting, body).await["queued"], 0);
    assert_eq!(server.kept().len(), 4);

    // One recipient, by id.
    let once_more = json!({ "endUserIds": [people[0]], "again": true });
    assert_eq!(send(&meeting, once_more).await["queued"], 1);
    until_done(&meeting).await;
    assert_eq!(server.kept_for(), [sent[0], sent[0], sent[1], sent[2], "dora@rowing.example"]);
    let ids: Vec<String> = server.kept().iter().map(|kept| message_id(&kept.content)).collect();
    assert!(ids.iter().all(|id| ids.iter().filter(|other| id == *other).count() == 1), "{ids:?}");
}

async fn invitation_link(meeting: &TestMeeting) -> String {
    let made = meeting.admin.post(&meeting.path("/generate-link"), Value::Null).await.gives(200);
    made["invitationLink"].as_str().unwrap().to_owned()
}

fn message_id(content: &str) -> String {
    content.lines().find(|line| line.starts_with("Message-ID: ")).unwrap().to_owned()
}

#[tokio::test]
async fn the_text_to_forward_contains_the_link_once_it_exists() {
    let app = TestApp::start_with(HttpSettings { base_path: "/plenum".to_owned(), ..HttpSettings::default() }).await;
    let club = app.client("Rowing Club").await;
    five_people(&club).await;
    let meeting = club.meeting().await;
    let before = seen(&meeting, "").await;
    assert_eq!(
        (&before["link"], &before["text"], &before["canSendEmail"]),
        (&Value::Null, &Value::Null, &json!(false))
    );
    assert_eq!(before["subject"], "Invitation: General assembly (Rowing Club)");

    let token = invitation_link(&meeting).await;
    let query = format!("?publicUrl={ELSEWHERE}&timeZone=Europe/Berlin");
    let after = seen(&meeting, &query).await;
    let link = format!("{ELSEWHERE}/plenum/vote/{token}");
    assert_eq!(after["link"], link);
    let text = after["text"].as_str().unwrap();
    for part in [link.as_str(), "Rowing Club", "\"General assembly\"", "Europe/Berlin", "rowing-club"] {
        assert!(text.contains(part), "no {part:?} in {text}");
    }
    assert!(!text.contains("Ada") && !text.contains("ada"), "{text}");
    // Without an address from the screen, the request determines it.
    let named = seen(&meeting, "").await["link"].as_str().unwrap().to_owned();
    assert!(named.starts_with("http://127.0.0.1:") && named.ends_with(&format!("/plenum/vote/{token}")), "{named}");

    club.admin.post(&meeting.path("/end"), Value::Null).await.gives(200);
    let over = seen(&meeting, "").await;
    assert_eq!((&over["link"], &over["text"]), (&Value::Null, &Value::Null));
}

#[tokio::test]
async fn the_configured_address_takes_precedence_over_headers() {
    let http = HttpSettings { public_url: Some("https://assembly.example.org".to_owned()), ..HttpSettings::default() };
    let app = TestApp::start_with(http).await;
    let meeting = app.client("Rowing Club").await.meeting().await;
    let token = invitation_link(&meeting).await;
    let seen = seen(&meeting, &format!("?publicUrl={ELSEWHERE}")).await;
    assert_eq!(seen["link"], format!("https://assembly.example.org/vote/{token}"));
    // It must still be a valid address.
    let wrong = meeting.admin.get(&meeting.path("/invitations?publicUrl=x")).await;
    assert_eq!(wrong.wrong_fields(), ["publicUrl"]);
}

#[tokio::test]
async fn only_a_trusted_proxy_names_the_address_of_links() {
    let proxy = TrustedProxies::parse("127.0.0.1").unwrap();
    for (trusted_proxies, expected) in [(TrustedProxies::default(), "http://127.0.0.1:"), (proxy, ELSEWHERE)] {
        let app = TestApp::start_with(HttpSettings { trusted_proxies, ..HttpSettings::default() }).await;
        let meeting = app.client("Rowing Club").await.meeting().await;
        invitation_link(&meeting).await;
        let request = meeting.admin.request("GET", &meeting.path("/invitations"));
        let request = request.header("x-forwarded-proto", "https").header("x-forwarded-host", "vote.example.org");
        let seen = Answer::read(request.send().await.unwrap()).await.gives(200);
        let link = seen["link"].as_str().unwrap();
        assert!(link.starts_with(expected), "{link}");
    }
}

#[tokio::test]
async fn nothing_is_sent_without_a_mail_server_or_for_an_ended_meeting() {
    let app = TestApp::start().await;
    let meeting = app.client("Rowing Club").await.meeting().await;
    let path = meeting.path("/invitations/send");
    meeting.admin.post(&path, json!({})).await.refuses(409, "mail_not_configured");

    let server = FakeSmtpServer::start();
    let app = TestApp::start_with_mail(&server).await;
    let club = app.client("Rowing Club").await;
    five_people(&club).await;
    for status in ["COMPLETED", "CANCELLED"] {
        let over = club.meeting_with(json!({ "status": status })).await;
        assert_eq!(seen(&over, "").await["canSendEmail"], true);
        club.admin.post(&over.path("/invitations/send"), json!({})).await.refuses(409, "meeting_over");
    }
    assert_eq!(server.connections(), 0);
}

#[tokio::test]
async fn an_invalid_request_names_its_fields() {
    let app = TestApp::start_with_everything().await;
    let (club, other) = (app.client("Rowing Club").await, app.client("Sailing Club").await);
    let people = five_people(&club).await;
    let stranger = person(&other, "Olga", Some("olga@sailing.example")).await;
    let meeting = club.meeting().await;
    let path = meeting.path("/invitations/send");
    for (body, field) in [
        (json!({ "again": true }), "endUserIds"),
        (json!({ "endUserIds": [people[0]], "neverSignedIn": true }), "neverSignedIn"),
        (json!({ "personalLinks": true, "passwordReason": "x".repeat(201) }), "passwordReason"),
        (json!({ "endUserIds": [people[0], stranger] }), "endUserIds"),
        (json!({ "endUserIds": [NO_ID] }), "endUserIds"),
        (json!({ "endUserIds": ["no-id"] }), "endUserIds"),
        (json!({ "timeZone": "Berlin" }), "timeZone"),
        (json!({ "publicUrl": "https://vote.example.org/x" }), "publicUrl"),
        (json!({ "publicUrl": "javascript:alert(1)" }), "publicUrl"),
    ] {
        assert_eq!(club.admin.post(&path, body.clone()).await.wrong_fields(), [field], "{body}");
    }
    for (query, field) in [
        ("?status=SENT", "status"),
        ("?timeZone=Berlin", "timeZone"),
        ("?publicUrl=x", "publicUrl"),
        ("?page=0", "page"),
    ] {
        assert_eq!(club.admin.get(&meeting.path(&format!("/invitations{query}"))).await.wrong_fields(), [field]);
    }
    assert_eq!(seen(&meeting, "").await["counts"]["notSent"], 4);
    for (method, rest) in [("GET", ""), ("POST", "/send"), ("DELETE", "/pending")] {
        let path = meeting.path(&format!("/invitations{rest}"));
        let body = (method == "POST").then(|| json!({}));
        other.admin.call(method, &path, body).await.refuses(404, "meeting_not_found");
    }
}

#[tokio::test]
async fn the_list_of_invitations_is_searched_filtered_and_paged() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    five_people(&club).await;
    let meeting = club.meeting().await;
    let names = |seen: &Value| -> Vec<String> {
        seen["data"].as_array().unwrap().iter().map(|row| row["name"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names(&seen(&meeting, "?search=LEO").await), ["Cleo"]);
    assert_eq!(names(&seen(&meeting, "?status=no_address").await), ["Emil"]);
    assert_eq!(names(&seen(&meeting, "?sort=-name").await), ["Emil", "Dora", "Cleo", "Ben", "Ada"]);
    let page = seen(&meeting, "?page=2&pageSize=2&status=none").await;
    assert_eq!(names(&page), ["Cleo", "Dora"]);
    assert_eq!(page["meta"], json!({ "page": 2, "pageSize": 2, "total": 4 }));
    assert_eq!(page["counts"]["invited"], 5);
    assert_eq!(seen(&meeting, "").await["meta"], Value::Null);
}

#[tokio::test]
async fn queued_invitations_can_be_cancelled_and_are_sent_when_the_mail_server_is_back() {
    let server = FakeSmtpServer::start();
    server.set_behavior(ServerBehavior::Closed("421 Busy".to_owned()));
    let app = TestApp::start_with_mail(&server).await;
    let club = app.client("Rowing Club").await;
    let people = five_people(&club).await;
    let meeting = club.meeting().await;
    assert_eq!(send(&meeting, json!({})).await["queued"], 4);
    let reason = until("a waiting invitation has a reason", async || {
        let seen = seen(&meeting, "").await;
        seen["data"][0]["error"].as_str().map(str::to_owned)
    })
    .await;
    assert_eq!(reason, "The mail server cannot be reached: 421 Busy");
    until("all have been tried", async || (server.connections() >= 4).then_some(())).await;
    let stopped = until("all wait again", async || {
        let answer = meeting.admin.delete(&meeting.path("/invitations/pending")).await.gives(200);
        let left = seen(&meeting, "").await["counts"]["pending"] == 0;
        left.then(|| answer["stopped"].as_u64().unwrap())
    })
    .await;
    assert!(stopped <= 4, "{stopped}");
    assert_eq!(statuses(&seen(&meeting, "").await), ["none", "none", "none", "none", "no_address"]);

    server.set_behavior(ServerBehavior::Normal);
    assert_eq!(send(&meeting, json!({ "endUserIds": [people[1]] })).await["queued"], 1);
    assert_eq!(statuses(&until_done(&meeting).await), ["none", "sent", "none", "none", "no_address"]);
    assert_eq!(server.kept_for(), ["ben@rowing.example"]);
}

/// The tokens of the personal links in the mails to this address, in the order of their arrival.
fn personal_links(server: &FakeSmtpServer, to: &str) -> Vec<String> {
    let kept = server.kept().into_iter().filter(|kept| kept.to == to);
    let link_of = |content: &str| {
        // Mail wraps long lines.
        let content = content.replace("=\r\n", "");
        let rest = content.split_once(&format!("{ELSEWHERE}/join#")).map(|(_, rest)| rest.to_owned())?;
        rest.split_whitespace().next().map(str::to_owned)
    };
    kept.filter_map(|kept| link_of(&kept.content)).collect()
}

async fn look_up(app: &TestApp, token: &str) -> Answer {
    app.anyone().post("/auth/join/look-up", json!({ "token": token })).await
}

#[tokio::test]
async fn a_personal_link_in_a_mail_signs_in_and_replaces_the_earlier_one() {
    let server = FakeSmtpServer::start();
    let app = TestApp::start_with_mail(&server).await;
    let club = app.client("Rowing Club").await;
    let people = five_people(&club).await;
    let meeting = club.meeting().await;
    let body = json!({ "publicUrl": ELSEWHERE, "personalLinks": true });
    assert_eq!(send(&meeting, body.clone()).await["queued"], 4);
    until_done(&meeting).await;
    let first = personal_links(&server, "ada@rowing.example");
    assert_eq!(first.len(), 1);
    assert_ne!(first, personal_links(&server, "ben@rowing.example"));
    let found = look_up(&app, &first[0]).await.gives(200);
    assert_eq!((&found["name"], &found["meetingId"]), (&json!("Ada"), &json!(meeting.id)));
    let session = app.anyone().post("/auth/join", json!({ "token": first[0] })).await.gives(200);
    assert_eq!(session["user"]["username"], "ada");
    // Nobody without an address has a link.
    let listed = club.admin.get("/client/join-links").await.gives(200)["data"].clone();
    assert_eq!(listed.as_array().unwrap().len(), 4);
    let made = club.admin.get("/client/audit?kind=join_link_made").await.gives(200)["data"].clone();
    assert_eq!((made.as_array().unwrap().len(), &made[0]["by"]["role"]), (4, &json!("CLIENT")), "{made}");
    let log = club.admin.get("/client/audit?limit=200").await.text;
    assert!(!log.contains(&first[0]), "the token stands in the log");

    // A repeated order queues nobody, and makes no link.
    assert_eq!(send(&meeting, body.clone()).await["queued"], 0);
    look_up(&app, &first[0]).await.gives(200);
    // Another mail has another link, or none.
    let again = json!({ "publicUrl": ELSEWHERE, "personalLinks": true, "endUserIds": [people[0]], "again": true });
    send(&meeting, again).await;
    until_done(&meeting).await;
    let links = personal_links(&server, "ada@rowing.example");
    assert_eq!(links.len(), 2);
    look_up(&app, &links[0]).await.refuses(404, "join_link_void");
    look_up(&app, &links[1]).await.gives(200);
    send(&meeting, json!({ "endUserIds": [people[0]], "again": true })).await;
    until_done(&meeting).await;
    assert_eq!((personal_links(&server, "ada@rowing.example").len(), server.kept().len()), (2, 6));
    look_up(&app, &links[1]).await.gives(200);

    // Those who never signed in, again.
    let rest = json!({ "publicUrl": ELSEWHERE, "personalLinks": true, "neverSignedIn": true, "again": true });
    assert_eq!(send(&meeting, rest).await["queued"], 3);
    until_done(&meeting).await;
    assert_eq!(personal_links(&server, "ada@rowing.example").len(), 2);
    assert_eq!(personal_links(&server, "ben@rowing.example").len(), 2);
}

#[tokio::test]
async fn an_outage_of_the_mail_server_keeps_the_links_and_a_void_one_is_not_sent() {
    let server = FakeSmtpServer::start();
    server.set_behavior(ServerBehavior::Closed("421 Busy".to_owned()));
    let app = TestApp::start_with_mail(&server).await;
    let club = app.client("Rowing Club").await;
    let people = five_people(&club).await;
    let meeting = club.meeting().await;
    let named = json!({ "publicUrl": ELSEWHERE, "personalLinks": true, "endUserIds": [people[0], people[1]] });
    assert_eq!(send(&meeting, named).await["queued"], 2);
    until("both have been tried", async || (server.connections() >= 2).then_some(())).await;
    let password = json!({ "password": "correct horse battery" });
    club.admin.put(&format!("/client/end-users/{}", people[1]), password).await.gives(200);
    server.set_behavior(ServerBehavior::Normal);
    // The retry follows after 15 seconds.
    tokio::time::sleep(Duration::from_secs(8)).await;
    until("both are sent", async || (server.kept().len() == 2).then_some(())).await;
    let links = personal_links(&server, "ada@rowing.example");
    look_up(&app, &links[0]).await.gives(200);
    assert_eq!(personal_links(&server, "ben@rowing.example"), Vec::<String>::new());
}

#[tokio::test]
async fn personal_links_in_mails_during_a_vote_need_a_reason_and_are_in_its_log() {
    let server = FakeSmtpServer::start();
    let app = TestApp::start_with_mail(&server).await;
    let club = app.client("Rowing Club").await;
    five_people(&club).await;
    let ben = club.voter("zoe").await;
    let meeting = club.meeting().await;
    let question = meeting.ask_yes_no().await;
    let round = meeting.open(&question).await["roundId"].clone();
    ben.vote(&meeting, &question, &["Yes"]).await.gives(201);
    let path = meeting.path("/invitations/send");
    let refused = club.admin.post(&path, json!({ "personalLinks": true })).await.refuses(409, "password_reason_needed");
    assert_eq!(refused["openVotes"][0]["people"], 4);
    assert_eq!(club.admin.get("/client/join-links").await.gives(200)["data"], json!([]), "nothing was made");
    assert_eq!(seen(&meeting, "").await["counts"]["notSent"], 4, "nothing was queued");
    let body = json!({ "personalLinks": true, "passwordReason": "The letters got lost" });
    assert_eq!(send(&meeting, body).await["queued"], 4);
    meeting.clear().await;
    meeting.count(&round).await.gives(200);
    let log = meeting.result(&round).await.gives(200)["log"].as_array().unwrap().clone();
    let logged: Vec<&Value> = log.iter().filter(|entry| entry["kind"] == "PASSWORD_SET").collect();
    assert_eq!(logged.len(), 4, "{log:?}");
    assert!(logged.iter().all(|entry| entry["reason"] == "Personal link: The letters got lost"), "{log:?}");
}

#[tokio::test]
async fn an_invitation_in_sending_during_a_crash_is_never_resent_automatically() {
    let server = FakeSmtpServer::start();
    server.treat("ada@rowing.example", Treatment::KeepAndHold);
    let mut app = TestApp::start_with_mail(&server).await;
    let club = app.client("Rowing Club").await;
    let ada = person(&club, "Ada", Some("ada@rowing.example")).await;
    let meeting = club.meeting().await;
    assert_eq!(send(&meeting, json!({})).await["queued"], 1);
    until("the message was handed over", async || (server.kept().len() == 1).then_some(())).await;
    assert_eq!(statuses(&seen(&meeting, "").await), ["pending"]);

    // The mail server would accept the message now.
    server.treat("ada@rowing.example", Treatment::Accept);
    let soon = MailSetup { lease: TimeDelta::milliseconds(1), ..mail_by(&server) };
    app.start_again_with_mail(soon).await;
    let meeting = TestMeeting { id: meeting.id, admin: app.anyone().sign_in("admin@rowing-club.example").await };
    let done = until_done(&meeting).await;
    assert_eq!(statuses(&done), ["unknown"]);
    assert_eq!(done["data"][0]["error"], "Sending was interrupted. The message may have been delivered.");
    let skipped = send(&meeting, json!({})).await;
    assert_eq!((&skipped["queued"], &skipped["skipped"]["alreadySent"]), (&json!(0), &json!(1)));
    assert_eq!(server.kept().len(), 1);

    // An organizer may resend it explicitly.
    let mail = mail_by(&server);
    app.start_again_with_mail(mail).await;
    let meeting = TestMeeting { id: meeting.id, admin: app.anyone().sign_in("admin@rowing-club.example").await };
    assert_eq!(send(&meeting, json!({ "endUserIds": [ada], "again": true })).await["queued"], 1);
    assert_eq!(statuses(&until_done(&meeting).await), ["sent"]);
    assert_eq!(server.kept().len(), 2);
}

#[tokio::test]
async fn a_lost_response_of_the_mail_server_leaves_the_delivery_unknown() {
    let server = FakeSmtpServer::start();
    server.treat("ada@rowing.example", Treatment::KeepAndCut);
    let app = TestApp::start_with_mail(&server).await;
    let club = app.client("Rowing Club").await;
    person(&club, "Ada", Some("ada@rowing.example")).await;
    let meeting = club.meeting().await;
    send(&meeting, json!({})).await;
    let done = until_done(&meeting).await;
    assert_eq!(statuses(&done), ["unknown"]);
    assert_eq!(done["data"][0]["error"], "The mail server did not confirm the message. It may have been delivered.");
    assert_eq!(send(&meeting, json!({})).await["queued"], 0);
    assert_eq!(server.kept().len(), 1);
}
