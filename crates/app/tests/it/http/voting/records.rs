//! Declared results come from their records, whatever somebody does to the rows.

use diesel::connection::SimpleConnection as _;
use plenum_adapter_postgres::AuditChains;
use plenum_verify::{KnownKeys, Origin, check_origin, read, verify};
use serde_json::{Value, json};

use crate::http::support::{TestApp, TestMeeting, TestVoter};

/// A meeting with a declared round of every type of question, and a declared re-vote.
struct Declared {
    app: TestApp,
    meeting: TestMeeting,
    ada: TestVoter,
    /// Of the first question.
    round: String,
}

impl Declared {
    async fn new() -> Self {
        let app = TestApp::start().await;
        let club = app.client("Rowing Club").await;
        let (ada, ben) = (club.voter_of_weight("ada", "2.5").await, club.voter("ben").await);
        let meeting = club.meeting().await;
        let questions = meeting.with_questions().await;
        chain_the_log(&app).await;
        let answers: [&[&str]; 5] = [&["Yes"], &["A", "B"], &["4"], &["37.5"], &["Trees"]];
        let mut first = None;
        for (question, answer) in questions.iter().zip(answers) {
            let round = meeting.open(question).await["roundId"].as_str().unwrap().to_owned();
            let voted = ada.vote(&meeting, question, answer).await;
            assert!(voted.status == 201, "{question} {answer:?}: {}", voted.text);
            meeting.clear().await;
            declare(&meeting, &round).await;
            first.get_or_insert(round);
        }
        let again = json!({ "questionId": questions[0], "reason": "Somebody was cut off" });
        let again = meeting.admin.post(&meeting.path("/rounds"), again).await.gives(201);
        ben.vote(&meeting, &questions[0], &["No"]).await.gives(201);
        meeting.clear().await;
        declare(&meeting, again["currentQuestion"]["roundId"].as_str().unwrap()).await;
        Self { app, meeting, ada, round: first.unwrap() }
    }

    /// Changes rows as the owner of the database, with all triggers switched off.
    fn bend(&self, table: &str, statement: &str) {
        let statement = statement.replace("@round", &self.round);
        let bent =
            format!("ALTER TABLE {table} DISABLE TRIGGER USER; {statement}; ALTER TABLE {table} ENABLE TRIGGER USER");
        self.app.database.connection().batch_execute(&bent).unwrap();
    }

    async fn export(&self) -> Value {
        self.meeting.admin.get(&self.meeting.path("/results/export?format=json")).await.gives(200)
    }

    async fn rounds(&self) -> Value {
        self.export().await["rounds"].clone()
    }
}

/// Links the entries of the audit log now, so that records contain its end.
async fn chain_the_log(app: &TestApp) {
    let chains = AuditChains::new(app.database.db());
    let all = chains.all().await.unwrap();
    for chain in all {
        while chains.state(chain).await.unwrap().head.is_none() {
            chains.link().await.unwrap();
        }
    }
}

async fn declare(meeting: &TestMeeting, round: &str) {
    meeting.admin.post(&meeting.path(&format!("/rounds/{round}/declare")), Value::Null).await.gives(200);
}

#[tokio::test]
async fn a_declared_result_stays_true_whatever_happens_to_its_rows() {
    let hall = Declared::new().await;
    let before = hall.rounds().await;
    assert_eq!(before.as_array().unwrap().len(), 6);
    for (table, statement) in [
        (
            "votes",
            "UPDATE votes SET option_ids = (SELECT array_agg(option_id) FROM round_options o
                   WHERE o.round_id = votes.round_id AND o.role = 'no') WHERE round_id = '@round'",
        ),
        ("votes", "DELETE FROM votes WHERE round_id = '@round'"),
        ("round_options", "UPDATE round_options SET option_text = option_text || '!' WHERE round_id = '@round'"),
        ("register", "UPDATE register SET weight = 100, name = 'Somebody else' WHERE round_id = '@round'"),
        ("round_log", "DELETE FROM round_log WHERE round_id = '@round'"),
        ("rounds", "UPDATE rounds SET question_text = 'Another question?', declared_by = 'Nobody' WHERE id = '@round'"),
        ("rounds", "UPDATE rounds SET status = 'ENDED', declared_at = NULL, declared_by = NULL WHERE id = '@round'"),
        ("rounds", "DELETE FROM rounds WHERE id = '@round'"),
    ] {
        hall.bend(table, statement);
        assert_eq!(hall.rounds().await, before, "{statement}");
    }
}

/// What `plenum verify --database` and the next start find.
async fn findings(hall: &Declared) -> Vec<String> {
    hall.app.record_findings().await
}

#[tokio::test]
async fn every_change_of_a_declared_round_is_found() {
    let whole = Declared::new().await;
    assert_eq!(findings(&whole).await, [] as [String; 0]);
    for (table, statement, words) in [
        (
            "votes",
            "UPDATE votes SET option_ids = (SELECT array_agg(option_id) FROM round_options o
                   WHERE o.round_id = votes.round_id AND o.role = 'no') WHERE round_id = '@round'",
            "result.options.0",
        ),
        (
            "round_options",
            "UPDATE round_options SET option_text = 'Aye' WHERE round_id = '@round' AND position = 1",
            "text",
        ),
        ("register", "UPDATE register SET name = 'Somebody else' WHERE round_id = '@round'", "register.0.name"),
        ("rounds", "UPDATE rounds SET question_text = 'Another question?' WHERE id = '@round'", "questionText"),
        ("rounds", "UPDATE rounds SET declared_by = 'Nobody' WHERE id = '@round'", "declared.by"),
        (
            "rounds",
            "UPDATE rounds SET status = 'ENDED', declared_at = NULL, declared_by = NULL WHERE id = '@round'",
            "no longer declared",
        ),
        ("rounds", "DELETE FROM rounds WHERE id = '@round'", "is gone"),
        ("result_records", "DELETE FROM result_records WHERE round_id = '@round'", "has no record"),
        ("result_records", "DELETE FROM result_records WHERE round_id = '@round'", "a record before"),
        ("audit_entries", "UPDATE audit_entries SET hash = sha256(hash)", "the audit log was rewritten"),
    ] {
        let hall = Declared::new().await;
        hall.bend(table, statement);
        let found = findings(&hall).await;
        assert!(found.iter().any(|finding| finding.contains(words)), "{statement}: {found:?}");
    }
}

#[tokio::test]
async fn a_changed_or_missing_record_is_named_and_its_result_is_not_shown() {
    for statement in [
        "UPDATE result_records SET document = replace(document, 'Yes', 'Yeah') WHERE round_id = '@round'",
        "UPDATE result_records SET document = replace(document, '2.5', '7.5'),
             hash = encode(sha256(convert_to(replace(document, '2.5', '7.5'), 'UTF8')), 'hex') WHERE round_id = '@round'",
        "UPDATE result_records SET signature = sha512(signature) WHERE round_id = '@round'",
        "UPDATE result_records SET signing_key = repeat('0', 64) WHERE round_id = '@round'",
        "UPDATE result_records SET number = 99 WHERE round_id = '@round'",
        "DELETE FROM result_records WHERE round_id = '@round'",
    ] {
        let hall = Declared::new().await;
        hall.bend("result_records", &format!("GRANT UPDATE ON result_records TO CURRENT_USER; {statement}"));
        let file = hall.export().await;
        assert_eq!(file["rounds"].as_array().unwrap().len(), 5, "{statement}");
        assert_eq!(file["damaged"][0]["roundId"], json!(hall.round), "{statement}");
        let shown = hall.meeting.admin.get(&hall.meeting.path("/results")).await.gives(200);
        let rounds = shown["rounds"].as_array().unwrap().len() + shown["damaged"].as_array().unwrap().len();
        assert_eq!(rounds, 6, "{statement}");
        let answers = hall.meeting.path(&format!("/rounds/{}/answers", hall.round));
        hall.meeting.admin.get(&answers).await.refuses(409, "record_damaged");
        let of_voter = format!("/voting/meetings/{}/results", hall.meeting.id);
        hall.ada.caller.get(&of_voter).await.gives(200);
    }
}

/// What `plenum verify` says about this content, if the installation's key is known: whether it is signed and consistent.
fn is_signed_and_consistent(content: &str, known: &KnownKeys) -> bool {
    let Ok(file) = read(content.as_bytes()) else { return false };
    matches!(check_origin(content.as_bytes(), &file, known), Ok(Origin::Signed(_))) && verify(&file).agrees()
}

/// Every copy of the value with one leaf changed or one item removed.
fn changed_copies(value: &Value) -> Vec<Value> {
    match value {
        Value::Null => vec![json!(0)],
        Value::Bool(is) => vec![json!(!is)],
        Value::Number(number) => vec![serde_json::from_str(&format!("1{number}").replace("1-", "1")).unwrap()],
        Value::String(text) => vec![json!(format!("{text} ")), json!(text.chars().skip(1).collect::<String>())]
            .into_iter()
            .filter(|other| *other != json!(text))
            .collect(),
        Value::Array(items) => {
            let mut copies = Vec::new();
            for (index, item) in items.iter().enumerate() {
                let with = |other: Value| {
                    let mut items = items.clone();
                    items[index] = other;
                    Value::Array(items)
                };
                copies.extend(changed_copies(item).into_iter().map(with));
                let mut fewer = items.clone();
                fewer.remove(index);
                copies.push(Value::Array(fewer));
            }
            copies
        }
        Value::Object(members) => {
            let mut copies = Vec::new();
            for (name, member) in members {
                let with = |other: Value| {
                    let mut members = members.clone();
                    members.insert(name.clone(), other);
                    Value::Object(members)
                };
                copies.extend(changed_copies(member).into_iter().map(with));
            }
            let mut more = members.clone();
            more.insert("more".to_owned(), Value::Null);
            copies.push(Value::Object(more));
            copies
        }
    }
}

#[tokio::test]
async fn every_changed_field_of_a_signed_export_is_found() {
    let hall = Declared::new().await;
    hall.meeting
        .admin
        .post(&hall.meeting.path("/remarks"), json!({ "kind": "INCIDENT", "text": "The power failed." }))
        .await
        .gives(201);
    hall.meeting.admin.post(&hall.meeting.path("/end"), Value::Null).await.gives(200);
    hall.meeting.admin.put(&hall.meeting.path(""), json!({ "title": "Annual assembly" })).await.gives(200);
    let file = hall.export().await;
    let key = file["signature"]["key"].as_str().unwrap().to_owned();
    let own = KnownKeys::Own(vec![key.clone()]);
    assert!(is_signed_and_consistent(&file.to_string(), &own), "it is as it was written");
    let copies = changed_copies(&file);
    assert!(copies.len() > 1_000, "{} places were changed", copies.len());
    for copy in copies {
        assert!(!is_signed_and_consistent(&copy.to_string(), &own), "{copy}");
    }
    // The published key is the one that signs.
    let published = hall.app.anyone().get("/public/evidence-keys").await.gives(200);
    assert_eq!(published["keys"].as_array().unwrap().last().unwrap()["fingerprint"], json!(key));
    // Without the key, or with another one, nothing proves the origin.
    let (text, other) = (file.to_string(), vec!["0".repeat(64)]);
    let origin = |known: &KnownKeys| check_origin(text.as_bytes(), &read(text.as_bytes()).unwrap(), known);
    assert_eq!(origin(&KnownKeys::None), Ok(Origin::Unknown(Some(key.clone()))));
    assert_eq!(origin(&KnownKeys::Own(other.clone())), Ok(Origin::Unknown(Some(key.clone()))));
    assert!(origin(&KnownKeys::Pinned(other)).is_err());
    assert_eq!(origin(&KnownKeys::Pinned(vec![key.clone()])), Ok(Origin::Signed(key)));
}
