//! The fake keeps the contract that PostgreSQL keeps.

use plenum_voting::testkit::InMemoryVoting;

plenum_voting::voting_contract!(InMemoryVoting::new());
