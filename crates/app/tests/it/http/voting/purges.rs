//! Purges: what remains checks out, and whatever a signed purge document does not cover is missing.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use diesel::connection::SimpleConnection as _;
use plenum_adapter_postgres::PostgresPurges;
use plenum_adapter_security::{EvidenceKeyRing, SystemClock};
use plenum_app::EvidenceCheck;
use plenum_kernel::{Clock as _, MeetingId};
use plenum_records::CanonicalRecords;
use plenum_voting::{
    Closable, ClosedTimes, PurgeOrder, PurgeScope, Purgeable, Purged, PurgedBy, RecordWriter, Recordable, SealedRecord,
    StoredClosing, StoredRecord, purge_all,
};
use serde_json::{Value, json};

use super::sql_attacks::{KEEP, RESTORE};
use crate::http::support::{Declared, evidence_keys};

pub(super) struct Purging {
    pub(super) hall: Declared,
}

/// The writer of this installation.
fn own() -> Arc<dyn RecordWriter> {
    Arc::new(CanonicalRecords::new(evidence_keys()))
}

/// A writer that signs with another key.
struct Foreign(CanonicalRecords);

impl RecordWriter for Foreign {
    fn seal(&self, round: Recordable) -> SealedRecord {
        self.0.seal(round)
    }

    fn close(&self, meeting: Closable) -> SealedRecord {
        self.0.close(meeting)
    }

    fn purge(&self, purge: Purgeable) -> SealedRecord {
        self.0.purge(purge)
    }

    fn recorded_at(&self, record: &StoredRecord) -> Result<DateTime<Utc>, String> {
        own().recorded_at(record)
    }

    fn closed_at(&self, closing: &StoredClosing) -> Result<ClosedTimes, String> {
        own().closed_at(closing)
    }
}

impl Purging {
    /// A completed meeting with declared results.
    pub(super) async fn new() -> Self {
        let hall = Declared::new().await;
        hall.meeting.admin.post(&hall.meeting.path("/end"), Value::Null).await.gives(200);
        hall.app.link_audit_log().await;
        Self { hall }
    }

    /// Purges the meeting alone, or everything, signed by this writer.
    async fn purge(&self, is_alone: bool, writer: Arc<dyn RecordWriter>) -> Purged {
        let store = PostgresPurges::new(self.hall.app.database.db(), writer);
        let meeting: MeetingId = self.hall.meeting.id.parse().unwrap();
        // What the purge itself writes into the log is not old.
        let at = SystemClock.now();
        let scope = PurgeScope { before: at, client: None, meeting: is_alone.then_some(meeting) };
        let by = PurgedBy::Command(Some("Maria Keller".to_owned()));
        let purged = purge_all(&store, PurgeOrder { scope, by, at }).await.unwrap();
        self.hall.app.link_audit_log().await;
        purged
    }

    /// Purges what is older than a year, which is nothing, and returns why meetings stayed whose rows are.
    pub(super) async fn refusals(&self) -> String {
        let store = PostgresPurges::new(self.hall.app.database.db(), own());
        let at = SystemClock.now();
        let scope = PurgeScope { before: at - TimeDelta::days(365), client: None, meeting: None };
        let purged = purge_all(&store, PurgeOrder { scope, by: PurgedBy::Rule, at }).await.unwrap();
        assert_eq!((purged.meetings, purged.records, purged.entries), (0, 0, 0), "{purged:?}");
        purged.refused.into_iter().map(|refused| refused.reason).collect::<Vec<_>>().join("\n")
    }

    /// The contradictions in all records and logs.
    pub(super) async fn findings(&self) -> String {
        let check = EvidenceCheck::new(self.hall.app.database.db(), evidence_keys());
        let found = check.findings(None).await.unwrap();
        let texts = found.records.into_iter().chain(found.audit_log).map(|finding| finding.text);
        texts.collect::<Vec<_>>().join("\n")
    }

    /// Forces each change in turn, and lists those whose words the check did not find.
    async fn missed(&self, changes: &[(&str, &str)]) -> Vec<String> {
        self.missed_by(changes, async || self.findings().await).await
    }

    /// Forces each change in turn, and lists those whose words `find` did not find.
    pub(super) async fn missed_by(&self, changes: &[(&str, &str)], find: impl AsyncFn() -> String) -> Vec<String> {
        let run = |statements: &str| self.hall.app.database.connection().batch_execute(statements).unwrap();
        // All tests share a database, and each has its own schema in it.
        let kept = format!("kept_{}", self.hall.client.replace('-', ""));
        run(&KEEP.replace("kept", &kept));
        let mut missed = Vec::new();
        for (change, words) in changes {
            run(&format!("BEGIN; SET LOCAL session_replication_role = replica; {change}; COMMIT"));
            let found = find().await;
            if !found.contains(words) {
                missed.push(format!("{change}: {words} is not in {found}"));
            }
            run(&format!("BEGIN; {}; COMMIT", RESTORE.replace("kept", &kept)));
        }
        run(&format!("DROP SCHEMA {kept} CASCADE"));
        assert_eq!(self.findings().await, "", "all is restored");
        missed
    }

    /// The verdict of the public page on the organization's log.
    async fn checked_log(&self) -> Value {
        let log = self.hall.meeting.admin.get("/client/audit/export?format=json").await;
        assert_eq!(log.status, 200, "{}", log.text);
        self.hall.app.anyone().call_with_text("POST", "/public/verify", log.text).await.gives(200)["data"].clone()
    }
}

#[tokio::test]
async fn after_a_purge_everything_that_remains_checks_out() {
    let purging = Purging::new().await;
    let hall = &purging.hall;
    let hash = hall.rounds().await[0]["result"]["record"]["hash"].as_str().unwrap().to_owned();
    assert_eq!(purging.checked_log().await["purged"], Value::Null);
    let purged = purging.purge(false, own()).await;
    assert!(purged.meetings == 1 && purged.records >= 7 && purged.entries > 20, "{purged:?}");
    assert_eq!(purging.findings().await, "");
    hall.meeting.admin.get(&hall.meeting.path("/results")).await.refuses(404, "meeting_not_found");
    let root = hall.app.super_admin().await;
    assert_eq!(root.get("/test/data-integrity").await.gives(200)["isValid"], true);
    let checked = purging.checked_log().await;
    assert_eq!((&checked["verdict"], &checked["faults"]), (&json!("signed"), &json!([])), "{checked}");
    assert!(checked["purged"].as_u64().unwrap() > 20, "{checked}");
    // Who purged what is in the organization's log and in that of the platform.
    for (caller, path) in [(&hall.meeting.admin, "/client/audit"), (&root, "/audit")] {
        let entries = caller.get(&format!("{path}?kind=evidence_purged")).await.gives(200)["data"].clone();
        assert!(entries[0]["changes"].to_string().contains("command: Maria Keller"), "{entries}");
        assert!(entries.to_string().contains(&hash), "{entries}");
    }
}

#[tokio::test]
async fn a_record_that_no_signed_purge_document_covers_is_missing() {
    let purging = Purging::new().await;
    purging.purge(true, own()).await;
    let missed = purging
        .missed(&[
            ("DELETE FROM purges", "the audit log names a record"),
            ("UPDATE purges SET signature = sha512(signature)", "the audit log names a record"),
            ("UPDATE purges SET signature = sha512(signature)", "purge document 1 is not signed"),
            ("UPDATE purges SET document = replace(document, '\"number\":2', '\"number\":3')", "was changed"),
            (
                "UPDATE purges SET document = replace(document, '\"records\":[', '\"records\":[], \"gone\":['),
                 hash = encode(sha256(convert_to(replace(document, '\"records\":[', '\"records\":[], \"gone\":['), 'UTF8')), 'hex')",
                "the audit log names a record",
            ),
        ])
        .await;
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

#[tokio::test]
async fn a_log_that_was_cut_further_than_the_purge_document_says_is_found() {
    let purging = Purging::new().await;
    for is_alone in [true, false] {
        purging.purge(is_alone, own()).await;
    }
    // Further entries behind the cut.
    for title in ["One", "Two"] {
        let title = json!({ "title": title, "scheduledStartTime": "2030-06-01T18:00:00Z", "scheduledEndTime": "2030-06-01T20:00:00Z" });
        purging.hall.meeting.admin.post("/client/meetings", title).await.gives(201);
    }
    purging.hall.app.link_audit_log().await;
    let client = &purging.hall.client;
    let cut = format!(
        "DELETE FROM audit_entries WHERE chain = '{client}' AND number = (SELECT max(audit_until) + 1 FROM purges
         WHERE client_id = '{client}')"
    );
    let missed = purging
        .missed(&[
            (&cut, "purge documents cover those up to"),
            ("DELETE FROM purges", "no purge document covers those before it"),
            ("UPDATE purges SET signature = sha512(signature)", "no purge document covers those before it"),
            ("DELETE FROM purges WHERE number = 1", "a purge document before number 2 is missing"),
        ])
        .await;
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

#[tokio::test]
async fn a_purge_document_of_another_key_covers_nothing() {
    let purging = Purging::new().await;
    let keys = Arc::new(EvidenceKeyRing::generate(SystemClock.now()));
    purging.purge(false, Arc::new(Foreign(CanonicalRecords::new(keys)))).await;
    let found = purging.findings().await;
    assert!(found.contains("is not signed by a key of the installation"), "{found}");
    assert!(found.contains("no purge document covers those before it"), "{found}");
    assert_eq!(purging.checked_log().await["verdict"], "not_consistent");
}
