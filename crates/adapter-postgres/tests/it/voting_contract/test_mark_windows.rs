//! A client gains the mark of test data while a question opens. Each test holds the window open.

use plenum_adapter_postgres::PostgresClients;
use plenum_clients::{ChangeClientError, ClientChanges, ClientName, ClientStore as _};
use plenum_kernel::Clock;
use plenum_voting::testkit::contract::{Scene, VotingFixture};
use tokio::task::JoinHandle;

use crate::voting_contract::fixture::PostgresVoting;
use crate::voting_contract::held_transaction::HeldTransaction;

/// Starts to give the client of the scene a name of test data.
fn rename(fixture: &PostgresVoting, scene: &Scene) -> JoinHandle<Result<(), ChangeClientError>> {
    let (clients, client, now) = (PostgresClients::new(fixture.database().db()), scene.client, scene.clock.now());
    let name = ClientName::parse("TEST_Club").expect("a name");
    let changes = ClientChanges { name: Some(name), ..ClientChanges::default() };
    tokio::spawn(async move { clients.update(client, changes, None, now).await })
}

#[tokio::test]
async fn a_new_mark_of_a_client_waits_for_the_opening_and_is_refused() {
    let fixture = PostgresVoting::fresh().await;
    let scene = Scene::with_voters(&fixture, 1).await;
    let open = format!(
        "UPDATE meetings SET step = step + 1 WHERE id = '{}';
         INSERT INTO rounds (id, client_id, meeting_id, question_id, number, status, question_text, question_type,
                             opened_at, register_heads, register_weight)
         SELECT gen_random_uuid(), client_id, meeting_id, id, 1, 'OPEN', question_text, question_type, now(), 0, 0
         FROM questions WHERE id = '{}'",
        scene.meeting, scene.question
    );
    let opening = HeldTransaction::begin(fixture.database(), &open);
    let renaming = rename(&fixture, &scene);
    opening.until_blocking(&fixture, 1).await;
    assert!(!renaming.is_finished());
    opening.commit();
    let refused = renaming.await.unwrap();
    assert!(matches!(refused, Err(ChangeClientError::TestMarkSettled)), "{refused:?}");
    assert_eq!(fixture.count("SELECT count(*) FROM clients WHERE is_test"), 0);
}

#[tokio::test]
async fn an_opening_waits_for_a_new_mark_of_its_client_and_has_it() {
    let fixture = PostgresVoting::fresh().await;
    let scene = Scene::with_voters(&fixture, 1).await;
    // A change of a client proceeds to its contact, and no further.
    let window = HeldTransaction::begin(fixture.database(), "SELECT FROM accounts FOR UPDATE");
    let renaming = rename(&fixture, &scene);
    window.until_blocking(&fixture, 1).await;
    let (rounds, opening) = (fixture.rounds(), scene.opening(scene.question));
    let opening = tokio::spawn(async move { rounds.open(opening).await });
    window.until_blocking(&fixture, 2).await;
    assert!(!opening.is_finished());
    window.commit();
    renaming.await.unwrap().unwrap();
    opening.await.unwrap().unwrap();
    assert_eq!(fixture.count("SELECT count(*) FROM rounds WHERE is_test"), 1);
}
