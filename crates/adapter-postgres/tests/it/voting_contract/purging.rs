//! Purges on a real database: the database itself refuses every removal that no document of the same transaction names.

use chrono::{DateTime, TimeDelta, Utc};
use diesel::connection::SimpleConnection as _;
use plenum_adapter_postgres::{AuditChains, known_times};
use plenum_kernel::RoundId;
use plenum_result_format::{from_hexadecimal, hexadecimal, sha256};
use plenum_voting::testkit::contract::{Scene, VotingFixture as _};
use plenum_voting::{PurgeOrder, PurgeScope, Purged, PurgedBy};
use uuid::Uuid;

use crate::voting_contract::fixture::PostgresVoting;
use crate::voting_contract::held_transaction::HeldTransaction;

/// A completed meeting with a declared result, and a linked audit log.
async fn completed() -> (PostgresVoting, Scene, RoundId) {
    let fixture = PostgresVoting::fresh().await;
    let scene = Scene::with_voters(&fixture, 1).await;
    let round = scene.open(&fixture).await;
    scene.end(&fixture).await;
    fixture.results().declare(scene.result_step(round)).await.unwrap();
    fixture.set_meeting_active(scene.meeting, false).await;
    link(&fixture).await;
    (fixture, scene, round)
}

async fn link(fixture: &PostgresVoting) {
    while AuditChains::new(fixture.database().db()).link().await.unwrap() {}
}

/// Forces a change of the log, past its triggers.
fn force(fixture: &PostgresVoting, change: &str) {
    let forced = format!("BEGIN; SET LOCAL session_replication_role = replica; {change}; COMMIT");
    fixture.database().connection().batch_execute(&forced).unwrap();
}

fn order() -> PurgeOrder {
    let at = "2200-01-01T00:00:00Z".parse().unwrap();
    PurgeOrder { scope: PurgeScope { before: at, client: None, meeting: None }, by: PurgedBy::Rule, at }
}

async fn purge(fixture: &PostgresVoting, chain: Uuid) -> Option<Purged> {
    fixture.purges().purge(chain, order(), Vec::new()).await.unwrap()
}

/// A document with this text, for entries of the log up to a number.
fn document(client: &str, text: &str, until: &str) -> String {
    format!(
        "INSERT INTO purges (client_id, number, hash, signing_key, signature, purged_at, document, audit_until, made_in)
         VALUES ('{client}', 1, repeat('0', 64), 'key', 'x', now(), {text}, {until}, 0)"
    )
}

#[tokio::test]
async fn the_database_removes_only_what_a_document_of_the_same_transaction_names() {
    let (fixture, scene, _) = completed().await;
    let client = scene.client.to_string();
    let mut conn = fixture.database().connection();
    let record = "(SELECT '\"' || hash || '\"' FROM result_records)";
    let foreign = document("00000000-0000-0000-0000-000000000000", record, "1000000");
    let naming = document(&client, record, "1");
    let remove = "DELETE FROM result_records";
    let cut = |number| format!("DELETE FROM audit_entries WHERE chain = '{client}' AND number <= {number}");
    let mut run = |statements: &[&str]| {
        conn.batch_execute("BEGIN").unwrap();
        let done = statements.iter().try_for_each(|statement| conn.batch_execute(statement));
        conn.batch_execute("ROLLBACK").unwrap();
        done.is_ok()
    };
    assert!(!run(&[remove]) && !run(&[&cut(1)]));
    assert!(!run(&[&document(&client, "'{}'", "NULL"), remove]), "the document names another record");
    assert!(!run(&[&foreign, remove]) && !run(&[&foreign, &cut(1)]), "the document is of another organization");
    assert!(!run(&[&naming, &cut(2)]), "the document covers less");
    assert!(run(&[&naming, remove, &cut(1)]));
    for change in ["UPDATE purges SET number = 2", "DELETE FROM purges", "TRUNCATE purges"] {
        assert!(!run(&[&naming, change]), "{change}");
    }
    // A document of an earlier transaction gives no right, whatever it says of its transaction.
    fixture.database().connection().batch_execute(&naming).unwrap();
    assert!(!run(&[remove]) && !run(&[&cut(1)]));
}

#[tokio::test]
async fn a_meeting_that_starts_again_during_a_purge_is_kept() {
    let (fixture, scene, _) = completed().await;
    let lock = format!("SELECT FROM meetings WHERE id = '{}' FOR UPDATE", scene.meeting);
    let mut held = HeldTransaction::begin(fixture.database(), &lock);
    let chain = scene.client.as_uuid();
    let store = fixture.purges();
    let purge = tokio::spawn(async move { store.purge(chain, order(), Vec::new()).await });
    held.until_blocking(&fixture, 1).await;
    held.run(&format!("UPDATE meetings SET status = 'ACTIVE' WHERE id = '{}'", scene.meeting));
    held.commit();
    assert_eq!(purge.await.unwrap().unwrap(), None);
    assert_eq!(fixture.count("SELECT count(*) FROM result_records"), 1);
}

#[tokio::test]
async fn a_log_is_cut_beside_the_job_that_links_it_and_goes_on_from_the_cut() {
    let (fixture, scene, _) = completed().await;
    let chain = scene.client.as_uuid();
    assert!(purge(&fixture, chain).await.is_some());
    for title in ["One", "Two", "Three"] {
        fixture.rename_client(scene.client, title).await;
        let chains = AuditChains::new(fixture.database().db());
        let (purged, linked) = tokio::join!(purge(&fixture, chain), chains.link());
        linked.unwrap();
        drop(purged);
    }
    link(&fixture).await;
    let chains = AuditChains::new(fixture.database().db());
    let first = chains.page(chain, 0).await.unwrap().entries.remove(0);
    let cut = fixture.count(&format!("SELECT max(audit_until) AS count FROM purges WHERE client_id = '{chain}'"));
    assert_eq!(i64::try_from(first.number).unwrap(), cut + 1);
    let documents = fixture.purge_documents().documents(Some(chain)).await.unwrap();
    assert!(documents.iter().any(|purge| purge.sealed.document.contains(&first.previous_hash)), "{documents:?}");
    let head = chains.state(chain).await.unwrap().head.map(|(_, hash)| hexadecimal(&hash));
    assert_eq!(
        head,
        chains.page(chain, first.number).await.unwrap().entries.pop().map(|last| last.hash).or(Some(first.hash))
    );
}

#[tokio::test]
async fn a_log_is_not_cut_beyond_an_entry_that_was_changed() {
    let (fixture, scene, _) = completed().await;
    let chain = scene.client.as_uuid();
    force(&fixture, &format!("UPDATE audit_entries SET by_name = 'Eve' WHERE chain = '{chain}' AND number = 2"));
    assert_eq!(purge(&fixture, chain).await.map(|purged| (purged.meetings, purged.entries)), Some((1, 1)));
    assert_eq!(fixture.count(&format!("SELECT max(audit_until) AS count FROM purges WHERE client_id = '{chain}'")), 1);
    assert_eq!(purge(&fixture, chain).await, None, "the changed entry stays");
}

#[tokio::test]
async fn a_log_is_not_cut_beyond_an_entry_that_was_changed_together_with_its_hash() {
    let (fixture, scene, _) = completed().await;
    let chain = scene.client.as_uuid();
    let mut entry = AuditChains::new(fixture.database().db()).page(chain, 1).await.unwrap().entries.remove(0);
    entry.by_name = Some("Eve".to_owned());
    let mut hashed = from_hexadecimal(&entry.previous_hash).unwrap();
    hashed.extend(entry.canonical(chain));
    let hash = sha256(&hashed);
    let changed = format!("by_name = 'Eve', hash = decode('{hash}', 'hex')");
    force(&fixture, &format!("UPDATE audit_entries SET {changed} WHERE chain = '{chain}' AND number = 2"));
    assert_eq!(purge(&fixture, chain).await.map(|purged| (purged.meetings, purged.entries)), Some((1, 1)));
    assert_eq!(purge(&fixture, chain).await, None, "the changed entry stays");
}

#[tokio::test]
async fn a_log_without_its_beginning_is_not_cut() {
    let (fixture, scene, _) = completed().await;
    let chain = scene.client.as_uuid();
    force(&fixture, &format!("DELETE FROM audit_entries WHERE chain = '{chain}' AND number = 1"));
    assert_eq!(purge(&fixture, chain).await.map(|purged| (purged.meetings, purged.entries)), Some((1, 0)));
}

#[tokio::test]
async fn an_entry_that_later_ones_set_back_does_not_speak_for_the_clock() {
    let (fixture, scene, _) = completed().await;
    let change = "UPDATE audit_entries SET noted_at = '2100-01-01 UTC'::timestamptz + number * interval '1 day'";
    force(&fixture, &format!("{change} WHERE chain = '{}' AND number <= 2", scene.client));
    let before: DateTime<Utc> = "2101-01-01T00:00:00Z".parse().unwrap();
    let settled = known_times(&fixture.database().db(), before).await.unwrap().settled.unwrap();
    let here = DateTime::<Utc>::from(std::time::SystemTime::now());
    assert!((settled - here).abs() < TimeDelta::minutes(1), "{settled}");
}

#[tokio::test]
async fn the_newest_entry_before_a_time_and_the_clock_of_the_database_are_known() {
    let (fixture, ..) = completed().await;
    let oldest = "id = (SELECT min(id) FROM audit_entries)";
    force(&fixture, &format!("UPDATE audit_entries SET noted_at = '2020-01-01 UTC' WHERE {oldest}"));
    let known = async |before: &str| {
        let before: DateTime<Utc> = before.parse().unwrap();
        known_times(&fixture.database().db(), before).await.unwrap()
    };
    let times = known("2021-01-01T00:00:00Z").await;
    assert_eq!(times.settled, Some("2020-01-01T00:00:00Z".parse().unwrap()));
    let here = DateTime::<Utc>::from(std::time::SystemTime::now());
    assert!((times.database - here).abs() < TimeDelta::minutes(1), "{times:?}");
    assert_eq!(known("2020-01-01T00:00:00Z").await.settled, None);
}

#[tokio::test]
async fn a_purge_removes_who_came_and_went_with_the_meeting() {
    let (fixture, scene, _) = completed().await;
    fixture.set_check_in(scene.meeting, Some(scene.voters.clone())).await;
    let log = "SELECT count(*) FROM presence_entries";
    assert_eq!(fixture.count(log), 1);
    assert!(purge(&fixture, scene.client.as_uuid()).await.is_some());
    for left in [log, "SELECT count(*) FROM people_present", "SELECT count(*) FROM attendance"] {
        assert_eq!(fixture.count(left), 0, "{left}");
    }
}
