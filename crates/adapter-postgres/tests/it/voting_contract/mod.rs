//! Rounds and ballots on PostgreSQL: the contract, and tests that need a real database.

mod agenda;
mod agenda_windows;
mod attendance;
mod ballot_writers;
mod client_removal;
mod declared_rounds;
mod fixture;
mod held_results;
mod held_windows;
mod live;
mod quorum;
mod register_windows;
mod rehearsals;

use fixture::PostgresVoting;

plenum_voting::voting_contract!(PostgresVoting::fresh().await);
