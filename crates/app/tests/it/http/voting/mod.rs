//! Rounds, ballots, exclusions, quorum and results.

mod archives;
mod ballots;
mod countdown;
mod exclusions;
mod passwords;
mod presence;
mod quorum;
mod races;
mod records;
mod results;
mod rounds;
mod sql_attacks;
mod test_data;
pub(crate) mod verify;
