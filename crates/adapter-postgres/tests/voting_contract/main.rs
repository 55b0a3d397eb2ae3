//! Rounds and ballots on PostgreSQL: the contract, and what only a real database can show.

mod agenda;
mod agenda_windows;
mod ballot_writers;
mod client_removal;
mod fixture;
mod held_windows;
mod live;

use fixture::PostgresVoting;

plenum_voting::voting_contract!(PostgresVoting::fresh().await);
