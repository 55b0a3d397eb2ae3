//! Every way in which a person with the rights of the database's owner may change a declared result. Every check
//! detects it, and no other result is served afterwards.

use std::process::Command;

use diesel::connection::SimpleConnection as _;
use serde_json::{Value, json};

use crate::http::support::{Caller, Declared, evidence_key_file};

/// The way to disable the triggers.
#[derive(Clone, Copy)]
enum Off {
    /// For everything, keys included.
    Replica,
    /// For the triggers of these tables. Foreign keys still delete dependent rows.
    Triggers(&'static [&'static str]),
}

struct Way {
    off: Off,
    statements: &'static str,
    /// The message of a check.
    words: &'static str,
}

const fn way(statements: &'static str, words: &'static str) -> Way {
    Way { off: Off::Replica, statements, words }
}

const fn with_keys(tables: &'static [&'static str], statements: &'static str, words: &'static str) -> Way {
    Way { off: Off::Triggers(tables), statements, words }
}

const EVERYTHING: &[&str] = &[
    "votes",
    "round_options",
    "register",
    "round_log",
    "rounds",
    "meetings",
    "clients",
    "questions",
    "options",
    "end_users",
    "accounts",
    "result_records",
    "audit_entries",
    "audit_heads",
];

/// `@round` is the first declared round, `@last` the last one, `@meeting` and `@client` are theirs.
const WAYS: &[Way] = &[
    way(
        "UPDATE votes SET option_ids = (SELECT array_agg(option_id) FROM round_options o
         WHERE o.round_id = votes.round_id AND o.role = 'no') WHERE round_id = '@round'",
        "ballots.0.answer.options.0",
    ),
    way("DELETE FROM votes WHERE round_id = '@round'", "register.0.hasVoted"),
    way(
        "INSERT INTO votes SELECT gen_random_uuid(), round_id, end_user_id,
         (SELECT array_agg(option_id) FROM round_options o WHERE o.round_id = register.round_id AND o.role = 'no'),
         NULL, NULL, now() FROM register WHERE round_id = '@round' AND username = 'ben'",
        "register.1.hasVoted",
    ),
    // Members that a record leaves out, because they are empty.
    way("UPDATE votes SET cast_on = 'PAPER' WHERE round_id = '@round'", "register.0.castOn"),
    way(
        "INSERT INTO round_proxies (round_id, principal_id, proxy_id, holder_id, holder_name, holder_username,
         was_represented) SELECT round_id, end_user_id, gen_random_uuid(), gen_random_uuid(), 'Eve', 'eve', false
         FROM register WHERE round_id = '@round' AND username = 'ada'",
        "register.0.representedBy",
    ),
    way("UPDATE round_options SET option_text = 'Aye' WHERE round_id = '@round' AND position = 1", "text"),
    way(
        "UPDATE round_options SET role = CASE role WHEN 'yes' THEN 'no' WHEN 'no' THEN 'yes' ELSE role END
         WHERE round_id = '@round'",
        "result.decision.outcome",
    ),
    way("DELETE FROM round_options WHERE round_id = '@round' AND position = 3", "options"),
    way("UPDATE rounds SET question_text = 'Another question?' WHERE id = '@round'", "questionText"),
    way(
        r#"UPDATE rounds SET decision_rule = '{"kind": "none"}' WHERE id = '@round'"#,
        "a value in the rows of round @round cannot be read",
    ),
    way(
        "UPDATE questions SET question_text = 'Another question?'
         WHERE id = (SELECT question_id FROM rounds WHERE id = '@round')",
        "reworded on the agenda",
    ),
    way(
        "UPDATE options SET option_text = 'Aye' WHERE position = 1
         AND question_id = (SELECT question_id FROM rounds WHERE id = '@round')",
        "reworded on the agenda",
    ),
    way("UPDATE register SET name = 'Somebody else' WHERE round_id = '@round' AND username = 'ada'", "register.0.name"),
    way("UPDATE register SET username = 'eve' WHERE round_id = '@round' AND username = 'ada'", "register.0.username"),
    way("UPDATE register SET weight = 100 WHERE round_id = '@round'", "weight"),
    way(
        "UPDATE register SET end_user_id = gen_random_uuid() WHERE round_id = '@round' AND username = 'ada'",
        "hasVoted",
    ),
    way("DELETE FROM register WHERE round_id = '@round' AND username = 'ben'", "register"),
    way("UPDATE rounds SET decision_rule = NULL WHERE id = '@round'", "decisionRule"),
    way(
        "UPDATE rounds SET secrecy = CASE secrecy WHEN 'NAMED' THEN 'UNSHOWN' ELSE 'NAMED' END WHERE id = '@round'",
        "isNamed",
    ),
    way("UPDATE rounds SET declared_by = 'Nobody' WHERE id = '@round'", "declared.by"),
    way("UPDATE rounds SET declared_at = now() + interval '1 day' WHERE id = '@round'", "declared.at"),
    way("UPDATE rounds SET record_hash = repeat('0', 64) WHERE id = '@round'", "another record hash"),
    way(
        "UPDATE rounds SET status = 'ENDED', declared_at = NULL, declared_by = NULL WHERE id = '@round'",
        "no longer declared",
    ),
    way("DELETE FROM round_log WHERE round_id = '@round'", "log"),
    way(
        "UPDATE result_records SET document = replace(document, 'Yes', 'Yeah') WHERE round_id = '@round'",
        "the hash does not match",
    ),
    way(
        "UPDATE result_records SET document = replace(document, '2.5', '7.5'),
         hash = encode(sha256(convert_to(replace(document, '2.5', '7.5'), 'UTF8')), 'hex') WHERE round_id = '@round'",
        "did not sign it",
    ),
    way("UPDATE result_records SET signature = sha512(signature) WHERE round_id = '@round'", "did not sign it"),
    way("UPDATE result_records SET signing_key = repeat('0', 64) WHERE round_id = '@round'", "did not sign it"),
    way(
        "UPDATE result_records SET recorded_at = recorded_at - interval '12 years' WHERE round_id = '@round'",
        "has another time than its document",
    ),
    way("UPDATE result_records SET number = 99 WHERE round_id = '@round'", "another round"),
    way("DELETE FROM result_records WHERE round_id = '@round'", "has no record"),
    way("DELETE FROM result_records WHERE round_id = '@last'", "has no record"),
    way("DELETE FROM result_records", "has no record"),
    way("DELETE FROM rounds WHERE id = '@round'", "is gone"),
    way("DELETE FROM rounds WHERE id = '@last'", "is gone"),
    with_keys(
        &["rounds", "votes", "register", "round_options", "round_log"],
        "DELETE FROM rounds WHERE id = '@last'",
        "is gone",
    ),
    with_keys(
        EVERYTHING,
        "DELETE FROM rounds WHERE id = '@last'; DELETE FROM result_records WHERE round_id = '@last'",
        "the audit log names a record",
    ),
    way("DELETE FROM meetings WHERE id = '@meeting'", "the meeting @meeting is gone"),
    with_keys(EVERYTHING, "DELETE FROM meetings WHERE id = '@meeting'", "the meeting @meeting is gone"),
    with_keys(
        EVERYTHING,
        "DELETE FROM meetings WHERE id = '@meeting'; DELETE FROM result_records",
        "the audit log names a record",
    ),
    way("DELETE FROM clients WHERE id = '@client'", "the organization @client is gone"),
    with_keys(EVERYTHING, "DELETE FROM clients WHERE id = '@client'", "the organization @client is gone"),
    way("UPDATE audit_entries SET by_name = 'Eve' WHERE chain = '@client' AND number = 1", "entry 1 was changed"),
    way("DELETE FROM audit_entries WHERE chain = '@client' AND number = 2", "followed by entry 3"),
    way("DELETE FROM audit_entries WHERE chain = '@client'; DELETE FROM audit_heads", "the audit log was rewritten"),
    // The product links the entries again, so that the whole chain fits its new head.
    way(
        "UPDATE audit_entries SET by_name = 'Eve' WHERE chain = '@client' AND number = 1;
         UPDATE audit_entries SET number = NULL, previous_hash = NULL, hash = NULL; DELETE FROM audit_heads",
        "the audit log was rewritten",
    ),
];

/// All tables of the product with their rows, kept as copies.
pub(super) const KEEP: &str = "
    CREATE SCHEMA kept;
    DO $$ DECLARE name TEXT; BEGIN
        FOR name IN SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' LOOP
            EXECUTE format('CREATE TABLE kept.%1$I AS TABLE %1$I', name);
        END LOOP;
    END $$";

/// The rows as they were kept.
pub(super) const RESTORE: &str = "
    SET LOCAL session_replication_role = replica;
    DO $$ DECLARE name TEXT; columns TEXT; BEGIN
        FOR name IN SELECT relname FROM pg_class WHERE relnamespace = 'kept'::regnamespace LOOP
            SELECT string_agg(quote_ident(attname), ', ') INTO columns FROM pg_attribute
            WHERE attrelid = name::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '';
            EXECUTE format('DELETE FROM %1$I', name);
            EXECUTE format('INSERT INTO %1$I (%2$s) OVERRIDING SYSTEM VALUE SELECT %2$s FROM kept.%1$I', name, columns);
        END LOOP;
    END $$";

struct Attack {
    hall: Declared,
    root: Caller,
    last: String,
    client: String,
    /// The evidence key, for the command.
    folder: tempfile::TempDir,
    before: Served,
}

/// The results for an organizer, a voter and the presentation.
struct Served {
    results: Value,
    export: Value,
    voter: Value,
    presentation: Value,
}

impl Attack {
    async fn new() -> Self {
        let hall = Declared::new().await;
        let root = hall.app.super_admin().await;
        let rounds = hall.rounds().await;
        let last = rounds.as_array().unwrap().iter().find(|round| round["result"]["number"] == 2).unwrap();
        hall.meeting.show(last["result"]["questionId"].as_str().unwrap()).await;
        let last = id_of(last).to_owned();
        hall.app.link_audit_log().await;
        hall.app.database.connection().batch_execute(KEEP).unwrap();
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("evidence-key"), evidence_key_file()).unwrap();
        let served = |caller: Caller, path: String| async move { caller.get(&path).await.gives(200) };
        let before = Served {
            results: served(hall.meeting.admin.clone(), hall.meeting.path("/results")).await,
            export: hall.export().await,
            voter: served(hall.ada.caller.clone(), format!("/voting/meetings/{}/results", hall.meeting.id)).await,
            presentation: served(hall.app.anyone(), presentation_of(&hall)).await,
        };
        let client = hall.client.clone();
        Self { hall, root, last, client, folder, before }
    }

    fn run(&self, way: &Way) {
        let statements = self.named(way.statements);
        let statements = match way.off {
            Off::Replica => format!("BEGIN; SET LOCAL session_replication_role = replica; {statements}; COMMIT"),
            Off::Triggers(tables) => {
                let switch = |to: &str| -> String {
                    tables.iter().map(|table| format!("ALTER TABLE {table} {to} TRIGGER USER; ")).collect()
                };
                // Two transactions: the keys of a deleted row are checked at the end of one.
                format!("{}BEGIN; {statements}; COMMIT; {}", switch("DISABLE"), switch("ENABLE"))
            }
        };
        self.hall.app.database.connection().batch_execute(&statements).unwrap();
    }

    fn restore(&self) {
        self.hall.app.database.connection().batch_execute(&format!("BEGIN; {RESTORE}; COMMIT")).unwrap();
    }

    fn named(&self, text: &str) -> String {
        let hall = &self.hall;
        text.replace("@round", &hall.round)
            .replace("@last", &self.last)
            .replace("@meeting", &hall.meeting.id)
            .replace("@client", &self.client)
    }

    /// `plenum verify --database`: its exit code and output.
    fn verified(&self) -> (Option<i32>, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_plenum"));
        command.args(["verify", "--database"]).env("DATABASE_URL", self.hall.app.database.url());
        command.env("PLENUM_EVIDENCE_KEY_FILE", self.folder.path().join("evidence-key"));
        command.env("PLENUM_DATA_DIR", self.folder.path());
        let output = command.output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    }

    /// The data integrity test: whether it succeeds, and its messages.
    async fn diagnosed(&self, caller: &Caller) -> Option<(bool, String)> {
        let answer = caller.get("/test/data-integrity").await;
        let body: Value = serde_json::from_str(&answer.text).ok()?;
        (answer.status == 200).then(|| (body["isValid"] == true, body["details"].to_string()))
    }

    /// Checks that each served result is the earlier one, or is reported as damaged. A result without a round and a
    /// record is nowhere in its meeting: only the audit log contains it.
    async fn is_served_truly(&self, name: &str) {
        let is_erased = name.contains("DELETE FROM rounds") && name.contains("DELETE FROM result_records");
        let Self { hall, before, .. } = self;
        let results = hall.meeting.admin.get(&hall.meeting.path("/results")).await;
        if results.status == 200 {
            are_true(&serde_json::from_str(&results.text).unwrap(), &before.results, (name, is_erased));
            let export = hall.meeting.admin.get(&hall.meeting.path("/results/export?format=json")).await.gives(200);
            are_true(&export, &before.export, (name, is_erased));
            let table = hall.meeting.admin.get(&hall.meeting.path("/results/export?format=csv")).await;
            assert_eq!(table.status, 200, "{name}");
            assert_eq!(table.text.contains("Record damaged"), !damaged_in(&export).is_empty(), "{name}");
            let is_named = damaged_in(&export).iter().any(|damaged| damaged["roundId"] == json!(hall.round));
            self.round_is_served_truly(name, is_named).await;
        } else {
            assert!(matches!(results.status, 401 | 403 | 404), "{name}: {}", results.text);
        }
        let of_voter = hall.ada.caller.get(&format!("/voting/meetings/{}/results", hall.meeting.id)).await;
        if of_voter.status == 200 {
            let shown: Value = serde_json::from_str(&of_voter.text).unwrap();
            let shown = shown.as_array().unwrap();
            assert_eq!(shown.len() + usize::from(is_erased), before.voter.as_array().unwrap().len(), "{name}");
            for result in shown.iter().map(|entry| &entry["result"]).filter(|result| !result.is_null()) {
                let is_same = |entry: &Value| entry["result"] == *result;
                assert!(before.voter.as_array().unwrap().iter().any(is_same), "{name}: {result}");
            }
            assert!(shown.iter().all(|entry| entry["result"].is_null() != entry["damaged"].is_null()), "{name}");
        } else {
            assert!(matches!(of_voter.status, 401 | 403 | 404), "{name}: {}", of_voter.text);
        }
        let screen = hall.app.anyone().get(&presentation_of(hall)).await;
        match screen.status {
            200 if is_erased => {}
            200 => assert_eq!(serde_json::from_str::<Value>(&screen.text).unwrap(), before.presentation, "{name}"),
            409 => assert!(screen.text.contains("record_damaged"), "{name}: {}", screen.text),
            status => assert_eq!(status, 404, "{name}: {}", screen.text),
        }
    }

    /// The first round and its answers by themselves. The result may still be in memory when its record is damaged.
    async fn round_is_served_truly(&self, name: &str, is_damaged: bool) {
        let Self { hall, before, .. } = self;
        let one = hall.meeting.result(&json!(hall.round)).await;
        let answers = hall.meeting.admin.get(&hall.meeting.path(&format!("/rounds/{}/answers", hall.round))).await;
        if is_damaged && one.status != 200 {
            one.refuses(409, "record_damaged");
        } else {
            assert_eq!(round_of(&before.results, &hall.round), Some(&one.gives(200)), "{name}");
        }
        if is_damaged {
            answers.refuses(409, "record_damaged");
        } else {
            answers.gives(200);
        }
    }
}

fn presentation_of(hall: &Declared) -> String {
    format!("/public/meetings/{}/presentation/result", hall.meeting.id)
}

/// The id of a round, in the form of screens or of files.
fn id_of(round: &Value) -> &str {
    round["roundId"].as_str().or_else(|| round["result"]["roundId"].as_str()).unwrap()
}

fn round_of<'a>(results: &'a Value, id: &str) -> Option<&'a Value> {
    results["rounds"].as_array().unwrap().iter().find(|round| id_of(round) == id)
}

/// The damaged records that results or an export name.
fn damaged_in(shown: &Value) -> Vec<Value> {
    shown["damaged"].as_array().cloned().unwrap_or_default()
}

/// A result with an intact record is shown, for any changes of its rows.
fn are_true(shown: &Value, before: &Value, (name, is_erased): (&str, bool)) {
    let rounds = before["rounds"].as_array().unwrap();
    assert!(name.contains("result_records") || damaged_in(shown).is_empty(), "{name}");
    for round in shown["rounds"].as_array().unwrap() {
        assert_eq!(Some(round), round_of(before, id_of(round)), "{name}");
    }
    for id in rounds.iter().map(id_of) {
        let is_named = damaged_in(shown).iter().any(|damaged| damaged["roundId"] == json!(id));
        assert!(is_erased || round_of(shown, id).is_some() != is_named, "{name}: {id} is shown or named as damaged");
    }
}

#[tokio::test]
async fn every_way_to_bend_a_declared_result_is_found_by_every_finder_and_serves_no_other_result() {
    let attack = Attack::new().await;
    let organizer = attack.hall.meeting.admin.clone();
    let mut missed = Vec::new();
    assert_eq!(attack.verified().0, Some(0), "{}", attack.verified().1);
    assert!(attack.diagnosed(&attack.root).await.unwrap().0, "{:?}", attack.diagnosed(&attack.root).await);
    assert_eq!(attack.hall.app.evidence_of_last_meeting().await, [] as [String; 0]);
    for way in WAYS {
        attack.run(way);
        if way.statements.contains("number = NULL") {
            attack.hall.app.link_audit_log().await;
        }
        let words = attack.named(way.words);
        let (code, printed) = attack.verified();
        let start = attack.hall.app.evidence_of_last_meeting().await.join("\n");
        let (is_valid, details) = attack.diagnosed(&attack.root).await.unwrap();
        let own = attack.diagnosed(&organizer).await;
        assert!(
            own.is_some() || way.statements.contains("FROM clients"),
            "only a deleted organization has no organizer"
        );
        let (of_organizer, own) = own.unwrap_or((false, words.clone()));
        for (finder, is_found) in [
            ("plenum verify --database", code == Some(1) && printed.contains(&words)),
            ("the start", start.contains(&words)),
            ("data integrity of the super administrator", !is_valid && details.contains(&capital(&words))),
            ("data integrity of the organizer", !of_organizer && own.contains(&capital(&words))),
        ] {
            if !is_found {
                missed.push(format!("{finder}: {}\n   {printed}\n   {start}", way.statements));
            }
        }
        attack.is_served_truly(way.statements).await;
        attack.restore();
    }
    assert!(missed.is_empty(), "{} cells failed:\n{}", missed.len(), missed.join("\n"));
    assert_eq!(attack.verified().0, Some(0), "all is restored");
}

/// The words without a first letter, which a sentence writes as a capital.
fn capital(words: &str) -> String {
    words.chars().skip(1).collect()
}
