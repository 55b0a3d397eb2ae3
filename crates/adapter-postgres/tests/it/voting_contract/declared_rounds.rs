//! The database itself refuses every change of a declared round, also to the owner of its tables.

use diesel::connection::SimpleConnection as _;
use diesel::result::Error;
use plenum_adapter_postgres::PostgresMeetings;
use plenum_kernel::RoundId;
use plenum_meetings::{MeetingStore as _, UpdateMeetingError};
use plenum_voting::testkit::PlainRecords;
use plenum_voting::testkit::contract::{Scene, VotingFixture as _};
use std::sync::Arc;

use crate::voting_contract::fixture::PostgresVoting;

/// Changes of a declared round `@round`, of its meeting `@meeting`, to which `@other` is an open one.
const CHANGES: &[&str] = &[
    "UPDATE rounds SET question_text = 'Other' WHERE id = '@round'",
    "UPDATE rounds SET status = 'ENDED', declared_at = NULL, declared_by = NULL WHERE id = '@round'",
    "UPDATE rounds SET register_heads = register_heads + 1 WHERE id = '@round'",
    "UPDATE rounds SET decision_rule = NULL, quorum = NULL, connected_heads = 0, is_test = true WHERE id = '@round'",
    "UPDATE rounds SET presence = 'LARGER_NUMBER' WHERE id = '@round'",
    "DELETE FROM rounds WHERE id = '@round'",
    "DELETE FROM questions WHERE meeting_id = '@meeting'",
    "UPDATE votes SET option_ids = ARRAY[(SELECT max(option_id::text)::uuid FROM round_options WHERE round_id = '@round')]
     WHERE round_id = '@round'",
    "UPDATE votes SET cast_at = now()",
    "DELETE FROM votes WHERE round_id = '@round'",
    "INSERT INTO votes (id, round_id, end_user_id, option_ids, cast_at)
     SELECT gen_random_uuid(), '@round', end_user_id, ARRAY[gen_random_uuid()], now()
     FROM register WHERE round_id = '@round'
     ON CONFLICT DO NOTHING",
    "UPDATE register SET weight = 100, name = 'Other' WHERE round_id = '@round'",
    "UPDATE register SET round_id = '@other'
     WHERE round_id = '@round' AND end_user_id NOT IN (SELECT end_user_id FROM votes)",
    "UPDATE register SET round_id = '@round', end_user_id = gen_random_uuid() WHERE round_id = '@other'",
    "DELETE FROM register WHERE round_id = '@round'",
    "INSERT INTO register (round_id, end_user_id, username, name, weight, added_at)
     VALUES ('@round', gen_random_uuid(), 'late', 'Late', 1, now())",
    "UPDATE round_options SET option_text = option_text || '!', role = 'no' WHERE round_id = '@round'",
    "DELETE FROM round_options WHERE round_id = '@round'",
    "INSERT INTO round_options VALUES ('@round', gen_random_uuid(), 9, 'Other', 'choice')",
    "UPDATE round_log SET done_by = 'Somebody else' WHERE round_id = '@round'",
    "DELETE FROM round_log WHERE round_id = '@round'",
    "INSERT INTO round_log (id, round_id, logged_at, kind, done_by)
     VALUES (gen_random_uuid(), '@round', now(), 'COUNTED', 'Somebody')",
];

/// A declared round with one vote of two voters, and an open round of another meeting.
async fn declared() -> (PostgresVoting, Scene, RoundId, RoundId) {
    let fixture = PostgresVoting::fresh().await;
    let scene = Scene::with_voters(&fixture, 2).await;
    let round = scene.open(&fixture).await;
    scene.cast(&fixture, round, scene.voters[0], scene.yes()).await;
    scene.end(&fixture).await;
    fixture.declare(round).await;
    let elsewhere = Scene::with_voters(&fixture, 1).await;
    let other = elsewhere.open(&fixture).await;
    (fixture, scene, round, other)
}

/// All rows of the round.
fn rows(fixture: &PostgresVoting, round: RoundId) -> Vec<i64> {
    let of_round = |table: &str, key: &str| {
        // The sum of the hashes of all rows, so that every changed value is detected.
        format!("SELECT coalesce(sum(hashtext(t::text)), 0)::bigint AS count FROM {table} t WHERE {key} = '{round}'")
    };
    let tables = [("rounds", "id"), ("votes", "round_id"), ("register", "round_id"), ("round_options", "round_id")];
    tables
        .into_iter()
        .chain([("round_log", "round_id")])
        .map(|(table, key)| fixture.count(&of_round(table, key)))
        .collect()
}

#[tokio::test]
async fn no_statement_changes_a_declared_round() {
    let (fixture, scene, round, other) = declared().await;
    let before = rows(&fixture, round);
    for change in CHANGES {
        let change = change.replace("@round", &round.to_string()).replace("@other", &other.to_string());
        let change = change.replace("@meeting", &scene.meeting.to_string());
        let refused = fixture.database().connection().batch_execute(&change);
        let says_why = matches!(&refused, Err(Error::DatabaseError(_, said))
            if said.message() == format!("the result of round {round} is declared and never changes"));
        assert!(says_why, "{change}: {refused:?}");
        assert_eq!(rows(&fixture, round), before, "{change}");
    }
}

#[tokio::test]
async fn rounds_without_a_declared_result_change_as_before() {
    let (fixture, scene, round, other) = declared().await;
    let mut conn = fixture.database().connection();
    let same = "UPDATE rounds SET question_text = question_text";
    let changed = format!(
        "UPDATE register SET name = 'Other' WHERE round_id = '{other}'; DELETE FROM rounds WHERE id = '{other}'"
    );
    for change in [same, &changed] {
        conn.batch_execute(change).unwrap();
    }
    let meetings = PostgresMeetings::new(fixture.database().db(), Arc::new(PlainRecords));
    let refused = meetings.remove(scene.client, scene.meeting).await;
    assert!(matches!(refused, Err(UpdateMeetingError::Rule(_))), "it is running: {refused:?}");
    conn.batch_execute(&format!("UPDATE meetings SET status = 'COMPLETED' WHERE id = '{}'", scene.meeting)).unwrap();
    meetings.remove(scene.client, scene.meeting).await.unwrap();
    assert_eq!(rows(&fixture, round), [0; 5]);
}
