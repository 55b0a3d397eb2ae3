//! Rounds, ballots, exclusions, quorum and results.

mod ballots;
mod countdown;
mod exclusions;
mod presence;
mod quorum;
mod races;
mod records;
mod results;
mod rounds;
mod test_data;
pub(crate) mod verify;
