//! What must be true of everything that is stored, as statements that find what breaks it. Keys and checks of the tables
//! hold most of it; a backup that was restored in parts, or a hand in the database, may have got past them.
//!
//! Votes and registers have no client of their own and are by far the most rows. Checks come to them from the rounds of
//! the scope, by `CROSS JOIN LATERAL` and for one round at a time, so that a client's checks read its own votes alone;
//! `OFFSET 0` keeps the planner from turning that round.

mod belonging;
mod kept_counts;
mod meetings;
mod votes;

/// One thing that must be true.
pub(super) struct Check {
    /// Stable, for programs.
    pub(super) name: &'static str,
    /// Finds the rows that break it, as `client_id` (whose row it is), `table_name`, `id` and `message`. `$1` is the
    /// client whose rows are looked at, NULL for those of all; `scope_rounds` are its rounds.
    pub(super) find: &'static str,
}

/// All of them, in the order in which they are reported.
pub(super) const CHECKS: &[Check] = &[
    belonging::MISSING_PARENT,
    belonging::FOREIGN_CLIENT,
    belonging::FOREIGN_QUESTION,
    kept_counts::END_USER_COUNTS,
    kept_counts::MEETING_COUNTS,
    meetings::AGENDA_PLACES,
    meetings::ACTIVE_MEETING_TIMES,
    meetings::SEVERAL_OPEN_ROUNDS,
    meetings::OPEN_ROUND_IN_INACTIVE_MEETING,
    meetings::WEIGHT_OUT_OF_RANGE,
    meetings::REGISTER_TOTALS,
    votes::VOTE_COUNT,
    votes::MORE_VOTES_THAN_REGISTER,
    votes::VOTE_OUTSIDE_REGISTER,
    votes::SEVERAL_VOTES_OF_ONE_VOTER,
    votes::UNKNOWN_OPTION,
    votes::ANSWER_MISFIT,
];
