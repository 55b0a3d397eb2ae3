//! Rounds, ballots, exclusions, quorum and results.

mod aged_rows;
mod answer_walls;
mod archives;
mod ballots;
mod countdown;
mod election_seats;
mod elections;
mod exclusions;
mod paper_votes;
mod passwords;
mod presence;
mod proxies;
mod purges;
mod quorum;
mod races;
mod records;
mod results;
mod rounds;
mod rules;
mod secret_round_keys;
mod secret_round_links;
mod secret_rounds;
mod sql_attacks;
mod test_data;
mod timestamps;
pub(crate) mod verify;
mod weight_kinds;
