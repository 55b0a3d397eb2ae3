//! Rounds and ballots on PostgreSQL: the contract, and what only a real database can show.

mod ballot_writers;
mod fixture;
mod held_windows;
mod live;

use fixture::PostgresVoting;

plenum_voting::voting_contract!(PostgresVoting::fresh().await);
