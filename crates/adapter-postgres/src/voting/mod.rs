//! Rounds, their registers, ballots and results, and the rehearsal before them.

pub(crate) mod archives;
pub(crate) mod attendance;
pub(crate) mod ballot_batch;
pub(crate) mod ballot_box;
pub(crate) mod ballot_metrics;
pub(crate) mod curations;
pub(crate) mod eligible;
pub(crate) mod installation_keys;
pub(crate) mod opening_quorum;
pub(crate) mod purges;
mod purges_due;
mod record_facts;
pub(crate) mod records;
pub(crate) mod register_changes;
pub(crate) mod register_page;
pub(crate) mod rehearsals;
mod reopening;
pub(crate) mod results;
pub(crate) mod round_log;
pub(crate) mod rounds;
pub(crate) mod rows;
pub(crate) mod seat_answers;
pub(crate) mod steps;
pub(crate) mod tie_decisions;
pub(crate) mod timestamps;
pub(crate) mod urns;
mod visible_round;
