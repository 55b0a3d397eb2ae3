//! The register's key to its round, which triggers check once for each statement (decision 97).

use diesel::connection::SimpleConnection as _;
use diesel::result::{DatabaseErrorKind, Error};
use plenum_kernel::{ClientId, RoundId};
use plenum_voting::testkit::contract::Scene;
use uuid::Uuid;

use crate::voting_contract::fixture::PostgresVoting;
use crate::voting_contract::held_transaction::HeldTransaction;

fn entry(round: impl std::fmt::Display) -> String {
    format!(
        "INSERT INTO register (round_id, end_user_id, username, name, weight, added_at)
         VALUES ('{round}', gen_random_uuid(), 'late', 'Late', 1, now())"
    )
}

/// The statements run as a tenant's do.
fn of_tenant(client: ClientId, statements: &str) -> String {
    format!("BEGIN; SET LOCAL ROLE plenum_tenant; SET LOCAL plenum.tenant = '{client}'; {statements}; COMMIT")
}

fn run(fixture: &PostgresVoting, statements: &str) -> Result<(), Error> {
    fixture.database().connection().batch_execute(statements)
}

fn is_refused(ran: &Result<(), Error>) -> bool {
    matches!(ran, Err(Error::DatabaseError(DatabaseErrorKind::ForeignKeyViolation, _)))
}

fn entries(fixture: &PostgresVoting, round: RoundId) -> i64 {
    fixture.count(&format!("SELECT count(*) AS count FROM register WHERE round_id = '{round}'"))
}

#[tokio::test]
async fn an_entry_belongs_to_a_round_that_exists_and_is_the_tenants() {
    let fixture = PostgresVoting::fresh().await;
    let scene = Scene::with_voters(&fixture, 2).await;
    let round = scene.open(&fixture).await;
    let other = Scene::with_voters(&fixture, 1).await;
    let unknown = Uuid::from_u128(7);

    assert!(is_refused(&run(&fixture, &entry(unknown))));
    let moved = format!("UPDATE register SET round_id = '{unknown}' WHERE round_id = '{round}'");
    assert!(is_refused(&run(&fixture, &moved)));
    assert!(is_refused(&run(&fixture, &format!("UPDATE rounds SET id = '{unknown}' WHERE id = '{round}'"))));
    assert!(run(&fixture, &of_tenant(other.client, &entry(round))).is_err(), "the round is another tenant's");
    assert_eq!(entries(&fixture, round), 2);
    run(&fixture, &of_tenant(scene.client, &entry(round))).expect("the round is the tenant's own");
    assert_eq!(entries(&fixture, round), 3);
}

#[tokio::test]
async fn a_deleted_round_takes_its_register_and_votes_along() {
    let fixture = PostgresVoting::fresh().await;
    let scene = Scene::with_voters(&fixture, 2).await;
    let round = scene.open(&fixture).await;
    scene.cast(&fixture, round, scene.voters[0], scene.yes()).await;
    let other = Scene::with_voters(&fixture, 1).await;
    let kept = other.open(&fixture).await;

    let deletion = format!("DELETE FROM rounds WHERE id = '{round}'");
    run(&fixture, &of_tenant(scene.client, &deletion)).expect("nothing is in the way");
    assert_eq!((entries(&fixture, round), entries(&fixture, kept)), (0, 1));
    assert_eq!(fixture.count("SELECT count(*) AS count FROM votes"), 0);
}

/// Whichever comes first, no entry is left without its round.
#[tokio::test]
async fn a_round_stays_while_an_entry_is_written() {
    let fixture = PostgresVoting::fresh().await;
    let scene = Scene::with_voters(&fixture, 1).await;
    let round = scene.open(&fixture).await;

    let writer = HeldTransaction::begin(fixture.database(), &entry(round));
    let deletion = format!("DELETE FROM rounds WHERE id = '{round}'");
    let mut conn = fixture.database().connection();
    let deleting = tokio::task::spawn_blocking(move || conn.batch_execute(&deletion));
    writer.until_blocking(&fixture, 1).await;
    writer.commit();
    deleting.await.expect("it does not panic").expect("the entry is written");
    assert_eq!(entries(&fixture, round), 0, "the entry that was just written went, too");
}
