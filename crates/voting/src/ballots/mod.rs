//! Ballots: the check against the wording, casting, the view of a voter, and removal of test votes.

pub(crate) mod ballot;
pub(crate) mod cast_ballot;
pub(crate) mod cast_on;
pub(crate) mod discard_test_vote;
pub(crate) mod marks;
pub(crate) mod ports;
pub(crate) mod see_ballots;
pub(crate) mod voter_question;
