//! Rounds and ballots on PostgreSQL: the contract, and tests that need a real database.

mod agenda;
mod agenda_windows;
mod attendance;
mod ballot_writers;
mod check_in_windows;
mod client_removal;
mod declared_rounds;
mod fixture;
mod held_results;
mod held_transaction;
mod held_windows;
mod live;
mod paper_windows;
mod password_windows;
mod prepared_changes;
mod prepared_registers;
mod prepared_rounds;
mod proxy_windows;
mod purging;
mod queries;
mod quorum;
mod register_windows;
mod registers;
mod rehearsals;
mod tampered_urns;
mod test_mark_windows;

use fixture::PostgresVoting;
use plenum_voting::testkit::contract::random_meetings::present_agrees_with_the_reference;

plenum_voting::voting_contract!(PostgresVoting::fresh().await);

#[tokio::test]
async fn present_agrees_with_the_reference_in_random_meetings() {
    let fixture = PostgresVoting::fresh().await;
    for seed in 0..20 {
        present_agrees_with_the_reference(&fixture, seed).await;
    }
    let fixture = PostgresVoting::fresh().await.with_prepared_registers();
    for seed in 20..40 {
        present_agrees_with_the_reference(&fixture, seed).await;
    }
}
