//! Two meetings that differ only in who voted what, in a question that does not show it, or in a secret one. An organizer does everything that is
//! permitted to learn it, and everything that is fetched is equal in the two.

use std::collections::HashMap;

use serde_json::{Value, json};
use uuid::Uuid;

use crate::http::support::operations::document;
use crate::http::support::{Answer, Caller, EventStream, Organization, TestApp, TestMeeting, TestVoter};

const VOTERS: [&str; 4] = ["ada", "ben", "cleo", "dora"];
const NEW_PASSWORD: &str = "correct horse battery";
const REASON: &str = "Lost the letter";

/// Everything that was fetched, without ids and times: by what, and what was answered.
type Transcript = Vec<(String, String)>;

/// A meeting, and the people who try to learn something about its votes.
struct Twin {
    app: TestApp,
    club: Organization,
    root: Caller,
    voters: Vec<TestVoter>,
    group: String,
    kind: String,
    meeting: TestMeeting,
    question: String,
    round: Value,
    link: String,
    /// Sessions of voters that the organizer has opened.
    taken: Vec<Caller>,
    numbers: HashMap<Uuid, usize>,
    transcript: Transcript,
}

impl Twin {
    /// Plays the whole meeting with these answers of the voters.
    async fn play(secrecy: &str, answers: [&str; 4]) -> Self {
        let mut twin = Self::open(secrecy).await;
        twin.take_session(0, crate::http::support::PASSWORD).await;
        twin.fetch_all("open").await;
        for (voter, answer) in twin.voters.iter().zip(answers) {
            voter.vote(&twin.meeting, &twin.question, &[answer]).await.gives(201);
        }
        twin.try_everything("voted").await;
        twin.set_passwords().await;
        twin.try_everything("passwords set").await;
        twin.meeting.clear().await;
        twin.take_session(3, crate::http::support::PASSWORD).await;
        twin.try_everything("ended").await;
        let count = twin.meeting.path(&format!("/rounds/{}/count?acceptRisk=true", twin.round.as_str().unwrap()));
        twin.club.admin.post(&count, Value::Null).await.gives(200);
        twin.take_session(1, NEW_PASSWORD).await;
        twin.try_everything("counted").await;
        let declare = twin.meeting.path(&format!("/rounds/{}/declare", twin.round.as_str().unwrap()));
        twin.club.admin.post(&declare, Value::Null).await.gives(200);
        twin.try_everything("declared").await;
        twin.club.admin.post(&twin.meeting.path("/end"), Value::Null).await.gives(200);
        twin.try_everything("completed").await;
        twin
    }

    async fn open(secrecy: &str) -> Self {
        let app = TestApp::start().await;
        let root = app.super_admin().await;
        let club = app.client("Rowing Club").await;
        let mut voters = Vec::new();
        for name in VOTERS {
            voters.push(club.voter(name).await);
        }
        let group = club.admin.post("/client/groups", json!({ "name": "Members" })).await.gives(201);
        let group = group["data"]["id"].as_str().unwrap().to_owned();
        let kind = club.admin.post("/client/weight-kinds", json!({ "name": "Shares", "decimals": 0 })).await.gives(201);
        let kind = kind["data"]["id"].as_str().unwrap().to_owned();
        let meeting = club.meeting().await;
        let question = meeting.ask("YES_NO", json!({ "options": ["Yes", "No", "Abstain"], "secrecy": secrecy })).await;
        let link = club.admin.post(&meeting.path("/generate-link"), Value::Null).await.gives(200);
        let link = link["invitationLink"].as_str().unwrap_or_else(|| panic!("{link}")).to_owned();
        let open = meeting.path("/current-question?acceptRisk=true");
        let opened = club.admin.put(&open, json!({ "questionId": question })).await.gives(200);
        let round = opened["currentQuestion"]["roundId"].clone();
        let (taken, numbers, transcript) = (Vec::new(), HashMap::new(), Vec::new());
        Self { app, club, root, voters, group, kind, meeting, question, round, link, taken, numbers, transcript }
    }

    /// Each way to set a password, and then a session of each of these voters, in another order.
    async fn set_passwords(&mut self) {
        let admin = self.club.admin.clone();
        let path = |voter: &TestVoter| format!("/client/end-users/{}", voter.id);
        let reset = json!({ "password": NEW_PASSWORD, "passwordReason": REASON });
        admin.put(&path(&self.voters[0]), reset).await.gives(200);
        let rows = json!([{ "line": 2, "name": "ben", "username": "ben", "password": NEW_PASSWORD }]);
        let import = json!({ "rows": rows, "dryRun": false, "passwordReason": REASON });
        admin.post("/client/end-users/import", import).await.gives(200);
        let credentials = format!("{}/export-credentials", path(&self.voters[2]));
        let made = admin.post(&credentials, json!({ "passwordReason": REASON })).await.gives(200);
        let password = made["data"]["password"].as_str().unwrap().to_owned();
        for (voter, password) in [(2, password.as_str()), (0, NEW_PASSWORD), (1, NEW_PASSWORD)] {
            self.take_session(voter, password).await;
        }
    }

    /// Signs in as a voter, as somebody who knows the password does.
    async fn take_session(&mut self, voter: usize, password: &str) {
        let credentials = json!({ "clientCode": self.club.code, "username": VOTERS[voter], "password": password });
        let session = self.app.anyone().post("/auth/end-user/login", credentials).await.gives(200);
        self.taken.push(self.app.anyone().with_session(&session));
    }

    /// Everything that can be fetched, and each possible answer in the sessions of voters, who have all voted.
    async fn try_everything(&mut self, stage: &str) {
        self.fetch_all(stage).await;
        self.send_answers(stage).await;
    }

    /// Every GET of the API as the organizer, as the super administrator, and in the sessions of voters.
    async fn fetch_all(&mut self, stage: &str) {
        let paths = self.paths();
        let mut callers =
            vec![("organizer".to_owned(), self.club.admin.clone()), ("root".to_owned(), self.root.clone())];
        callers.extend((0..).zip(&self.taken).map(|(number, taken)| (format!("taken {number}"), taken.clone())));
        for (name, caller) in &callers {
            // The calls of other roles are refused (`access_matrix`).
            let is_of_voters = |label: &str| label.starts_with("/voting") || label.starts_with("/sse");
            for (label, path) in paths.iter().filter(|(label, _)| !name.starts_with("taken") || is_of_voters(label)) {
                let what = format!("{stage}: {name} GET {label}");
                if label.contains("/audit/export") || label.contains("/archive") {
                    // The file has the entries that are linked.
                    self.app.link_audit_log().await;
                }
                let fetched = fetch(caller, path).await;
                self.note(&what, &fetched);
            }
        }
    }

    async fn send_answers(&mut self, stage: &str) {
        for (number, taken) in self.taken.clone().iter().enumerate() {
            for answer in ["Yes", "No", "Abstain"] {
                for body in [json!({ "answers": [answer] }), json!({ "answers": [answer], "roundId": self.round })] {
                    // A session that ended with a new password answers 401 in both.
                    let Answer { status, text, .. } = taken.post(&self.meeting.vote_path(&self.question), body).await;
                    assert_ne!(status, 201, "{stage}: the voter has voted before");
                    self.note(&format!("{stage}: taken {number} answers {answer}"), &format!("{status} {text}"));
                }
            }
        }
    }

    /// All paths of GET operations, as in the document and with the ids of this meeting. Only those are left out that tell
    /// about the machine.
    fn paths(&self) -> Vec<(String, String)> {
        let document = document();
        let mut paths = Vec::new();
        for (label, operations) in document["paths"].as_object().unwrap() {
            let tells_of_machine =
                ["/test/", "/health", "/auth/sign-in-queue"].iter().any(|part| label.starts_with(part));
            if operations.get("get").is_none() || tells_of_machine {
                continue;
            }
            let path = label
                .replace("{meetingId}", &self.meeting.id)
                .replace("{questionId}", &self.question)
                .replace("{roundId}", self.round.as_str().unwrap())
                .replace("{clientId}", &self.club.id)
                // There is no such batch.
                .replace("{batchId}", &self.club.id)
                .replace("{groupId}", &self.group)
                .replace("{kindId}", &self.kind)
                .replace("{clientCode}", &self.club.code)
                .replace("{link}", &self.link)
                .replace("{linkToken}", &self.link);
            let of_people = if path.contains("{endUserId}") {
                let of_voter = |(name, voter): (&&str, &TestVoter)| {
                    (format!("{label} of {name}"), path.replace("{endUserId}", &voter.id))
                };
                VOTERS.iter().zip(&self.voters).map(of_voter).collect()
            } else {
                vec![(label.clone(), path)]
            };
            for (label, path) in of_people {
                assert!(!path.contains('{'), "{path} has a parameter that this test does not know");
                if path.ends_with("/audit/export") {
                    paths.push((label, format!("{path}?format=json")));
                } else if path.ends_with("/export") {
                    paths.extend(
                        ["csv", "json"]
                            .map(|format| (format!("{label} as {format}"), format!("{path}?format={format}"))),
                    );
                } else {
                    paths.push((label, path));
                }
            }
        }
        paths
    }

    fn note(&mut self, what: &str, fetched: &str) {
        let fetched = self.without_ids(&without_background(fetched));
        self.transcript.push((what.to_owned(), fetched));
    }

    /// The text with ids numbered by their first appearance, and without times, hashes, signatures and tokens.
    fn without_ids(&mut self, text: &str) -> String {
        let mut plain = String::with_capacity(text.len());
        let is_delimiter = |letter: char| !letter.is_ascii_alphanumeric() && !"-_:+.=/".contains(letter);
        let host = self.app.base().split('/').nth(2).expect("an address has a host");
        for word in text.replace(&self.link, "LINK").replace(host, "HOST").split_inclusive(is_delimiter) {
            let (token, delimiter) = match word.char_indices().next_back() {
                Some((end, last)) if is_delimiter(last) => word.split_at(end),
                _ => (word, ""),
            };
            for (place, part) in token.split('/').enumerate() {
                plain.push_str(if place == 0 { "" } else { "/" });
                match part.parse::<Uuid>() {
                    Ok(id) => {
                        let next = self.numbers.len();
                        plain.push_str(&format!("ID{}", self.numbers.entry(id).or_insert(next)));
                    }
                    Err(_) if token.len() >= 40 => plain.push('?'),
                    Err(_) if is_time(part) => plain.push_str("TIME"),
                    Err(_) if is_receipt(part) => plain.push_str("RECEIPT"),
                    Err(_) => plain.push_str(part),
                }
            }
            plain.push_str(delimiter);
        }
        // Base64 has slashes at random places.
        while plain.contains("?/?") {
            plain = plain.replace("?/?", "?");
        }
        plain
    }
}

/// The response of a GET; of a stream, the first event.
async fn fetch(caller: &Caller, path: &str) -> String {
    let answer = if path.ends_with("/stream") {
        let opened = caller.request("GET", path).header("accept", "text/event-stream").send().await.unwrap();
        if opened.status() == 200 {
            let event = EventStream::open(caller, path).await.next().await.expect("a stream begins with the state");
            return format!("{} {}", event.kind, event.data);
        }
        Answer::read(opened).await
    } else {
        caller.get(path).await
    };
    format!("{} {}", answer.status, answer.text)
}

/// "ABCD-EFGH-JKLM-NPQR".
fn is_receipt(text: &str) -> bool {
    let is_group = |group: &str| group.len() == 4 && group.bytes().all(|letter| letter.is_ascii_uppercase());
    text.split('-').count() == 4 && text.split('-').all(is_group)
}

/// "2026-11-21…" or "18:10:02".
fn is_time(text: &str) -> bool {
    let digits = |range: std::ops::Range<usize>| {
        text.get(range).is_some_and(|part| part.bytes().all(|letter| letter.is_ascii_digit()))
    };
    let is_day = digits(0..4) && text.get(4..5) == Some("-") && digits(5..7) && text.get(7..8) == Some("-");
    is_day || (digits(0..2) && text.get(2..3) == Some(":") && digits(3..5))
}

/// Without what depends on background tasks: notes of attendance, which are written some time after a stream was opened, and the
/// chain of the audit log with the entry of the export that is being made.
fn without_background(text: &str) -> String {
    let Some((status, body)) = text.split_once(' ') else { return text.to_owned() };
    match serde_json::from_str::<Value>(body) {
        Ok(mut body) => {
            clear_background(&mut body);
            format!("{status} {body}")
        }
        Err(_) => text.lines().filter(|line| !line.contains("Attendance")).collect::<Vec<_>>().join("\n"),
    }
}

/// `version` and `next` contain microseconds.
const LEFT_OUT: [&str; 7] = ["attendance", "head", "leftOut", "link", "next", "version", "waiting"];

fn clear_background(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|name, _| !LEFT_OUT.contains(&name.as_str()));
            fields.values_mut().for_each(clear_background);
        }
        Value::Array(items) => {
            items.retain(|item| item["kind"] != "audit_log_exported" && item["kind"] != "results_exported");
            items.iter_mut().for_each(clear_background);
        }
        _ => {}
    }
}

/// Plays two meetings, and compares everything that was fetched in them.
async fn twins(secrecy: &str) -> [Twin; 2] {
    let (one, other) =
        tokio::join!(Twin::play(secrecy, ["Yes", "No", "Yes", "No"]), Twin::play(secrecy, ["No", "Yes", "No", "Yes"]));
    let fetched = one.transcript.iter().filter(|(_, text)| text.starts_with("200") || !text.starts_with(['4', '5']));
    assert!(fetched.count() > 300, "the calls succeed");
    assert_eq!(one.transcript.len(), other.transcript.len());
    for ((what, text), (same, other)) in one.transcript.iter().zip(&other.transcript) {
        assert_eq!(what, same);
        assert_eq!(text, other, "{what}");
    }
    [one, other]
}

#[tokio::test]
async fn meetings_that_differ_in_who_voted_what_look_equal_to_an_organizer() {
    // The sessions that voted do see their answers: so a session that saw one would be found.
    let mut own = Vec::new();
    for twin in &mut twins("unshown").await {
        let seen = twin.voters[3].caller.get(&format!("/voting/meetings/{}", twin.meeting.id)).await.gives(200);
        own.push(twin.without_ids(&seen.to_string()));
    }
    assert_ne!(own[0], own[1]);
}

#[tokio::test]
async fn secret_votes_that_differ_in_who_voted_what_look_equal_to_everybody() {
    // Not even the sessions that voted see their answers.
    let mut own = Vec::new();
    for twin in &mut twins("secret").await {
        let seen = twin.voters[3].caller.get(&format!("/voting/meetings/{}", twin.meeting.id)).await.gives(200);
        own.push(twin.without_ids(&seen.to_string()));
    }
    assert_eq!(own[0], own[1]);
}
