//! Rows of a closed meeting that somebody with the rights of the database's owner changes: its times, so that a purge would sign
//! the removal of what is kept, and its amendments.

use serde_json::json;

use super::purges::Purging;

/// All times by which a meeting is due.
const AGED: &str = "
    UPDATE result_records SET recorded_at = recorded_at - interval '12 years';
    UPDATE closing_records SET recorded_at = recorded_at - interval '12 years';
    UPDATE meetings SET started_at = started_at - interval '12 years', ended_at = ended_at - interval '12 years'";

/// The meeting is aged, and everything signed is erased with all that names it in rows.
fn without_signed() -> String {
    format!(
        "{AGED}; DELETE FROM result_records; DELETE FROM closing_records; UPDATE meetings SET closing_hash = NULL;
         UPDATE rounds SET record_hash = NULL"
    )
}

/// The entries of the log about a meeting, except those about its amendments.
const ABOUT_IT: &str = "kind IN ('meeting_started', 'meeting_ended', 'meeting_closed', 'result_declared')";

#[tokio::test]
async fn a_row_with_another_time_than_its_document_is_found() {
    let purging = Purging::new().await;
    let missed = purging
        .missed_by(
            &[
                (
                    "UPDATE result_records SET recorded_at = recorded_at - interval '12 years'",
                    "the row of the record of round",
                ),
                (
                    "UPDATE closing_records SET recorded_at = recorded_at - interval '12 years'",
                    "the row of closing record 1 has another time than its document",
                ),
                ("UPDATE meetings SET ended_at = ended_at - interval '12 years'", "no amendment tells it: endedAt"),
                (
                    "UPDATE meetings SET started_at = started_at - interval '1 second'",
                    "no amendment tells it: startedAt",
                ),
            ],
            async || purging.findings().await,
        )
        .await;
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

#[tokio::test]
async fn a_meeting_that_is_due_by_its_rows_only_is_never_purged() {
    let purging = Purging::new().await;
    let damaged = format!("{AGED}; UPDATE result_records SET document = replace(document, 'Yes', 'Yeah')");
    let forged =
        format!("{AGED}; UPDATE closing_records SET signature = sha512(signature); DELETE FROM result_records");
    let log = format!("{AGED}; UPDATE audit_entries SET noted_at = noted_at - interval '12 years'");
    let closing = format!("{AGED}; DELETE FROM result_records");
    let no_closing = format!("{closing}; DELETE FROM closing_records");
    let no_record = format!("{no_closing}; UPDATE meetings SET closing_hash = NULL");
    let nothing_signed = without_signed();
    let age_entries = "UPDATE audit_entries SET noted_at = noted_at - interval '12 years'";
    let nothing_signed_and_log = format!("{nothing_signed}; {age_entries}");
    let nothing_signed_and_entries = format!("{nothing_signed_and_log} WHERE {ABOUT_IT}");
    let unlinked = format!(
        "{nothing_signed}; UPDATE audit_entries SET noted_at = noted_at - interval '12 years', number = NULL,
         previous_hash = NULL, hash = NULL WHERE {ABOUT_IT}"
    );
    let missed = purging
        .missed_by(
            &[
                (AGED, "the row of the record of round"),
                (&damaged, "is damaged: its content was changed"),
                (&forged, "closing record 1 is damaged: this installation did not sign it"),
                // No entry of the log goes either: each has another hash.
                (&log, "the row of the record of round"),
                (&closing, "the row of closing record 1 has another time than its document"),
                (&no_closing, "its closing record is missing"),
                (&no_record, "the record of one of its results is missing"),
                (&nothing_signed, "the audit log has younger entries about it"),
                (&nothing_signed_and_log, "an entry of the audit log about it was changed"),
                (&nothing_signed_and_entries, "an entry of the audit log about it is behind younger ones"),
                (&unlinked, "an entry of the audit log about it is not in the chain"),
            ],
            async || purging.refusals().await,
        )
        .await;
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

#[tokio::test]
async fn a_meeting_with_a_young_amendment_is_never_purged() {
    let purging = Purging::new().await;
    let meeting = &purging.hall.meeting;
    meeting.admin.put(&meeting.path(""), json!({ "title": "Annual assembly" })).await.gives(200);
    purging.hall.app.link_audit_log().await;
    // As of a meeting that ended long ago: nothing else about it is young.
    let amended = format!(
        "{}; UPDATE amendments SET amended_at = amended_at - interval '12 years'; DELETE FROM audit_entries WHERE {ABOUT_IT}",
        without_signed()
    );
    let own_time = "changes = jsonb_set(changes, '{2,2}', '\"2010-01-01T00:00:00.000000Z\"')";
    let of_amendment = "WHERE kind = 'meeting_amended'";
    let noted_at = "noted_at = noted_at - interval '12 years'";
    let change = format!("{amended}; UPDATE audit_entries SET {own_time} {of_amendment}");
    let entry = format!("{change}; UPDATE audit_entries SET {noted_at} {of_amendment}");
    let log = format!("{change}; UPDATE audit_entries SET {noted_at}");
    let missed = purging
        .missed_by(
            &[
                (&amended, "the audit log has younger entries about it"),
                (&change, "an entry of the audit log about it was changed"),
                (&entry, "an entry of the audit log about it is behind younger ones"),
                (&log, "an entry of the audit log about it was changed"),
            ],
            async || purging.refusals().await,
        )
        .await;
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

#[tokio::test]
async fn a_changed_or_missing_amendment_is_found_by_the_audit_log() {
    let purging = Purging::new().await;
    let (admin, meeting) = (&purging.hall.meeting.admin, &purging.hall.meeting);
    admin.put(&meeting.path(""), json!({ "title": "Annual assembly" })).await.gives(200);
    let late = json!({ "kind": "REMARK", "text": "Signed by all." });
    admin.post(&meeting.path("/remarks"), late).await.gives(201);
    purging.hall.app.link_audit_log().await;
    assert_eq!(purging.findings().await, "");
    let entries = admin.get("/client/audit?kind=meeting_amended").await.gives(200)["data"].clone();
    assert!(entries.as_array().unwrap().len() == 2 && entries.to_string().contains("Signed by all."), "{entries}");
    let forged =
        "INSERT INTO amendments SELECT meeting_id, number + 1, client_id, closing, amended_at, amended_by, subject,
                  subject_id, field, was, became, is_test FROM amendments WHERE number = 2";
    let without_both = "DELETE FROM amendments WHERE number = 2;
                        DELETE FROM remarks WHERE remark_text = 'Signed by all.'";
    let missed = purging
        .missed_by(
            &[
                (
                    "UPDATE amendments SET amended_by = 'Somebody Else', amended_at = amended_at + interval '3 days'",
                    "amendment 2 is not the one that the audit log tells",
                ),
                ("UPDATE amendments SET amended_by = NULL WHERE number = 1", "amendment 1 is not the one"),
                ("UPDATE amendments SET is_test = true, closing = 2 WHERE number = 1", "amendment 1 is not the one"),
                (without_both, "amendment 2 is missing, and the audit log tells it"),
                (forged, "amendment 3 is not the one that the audit log tells"),
            ],
            async || purging.findings().await,
        )
        .await;
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}
