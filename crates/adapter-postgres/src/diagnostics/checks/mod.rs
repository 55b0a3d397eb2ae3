//! Rules for all stored data, as statements that find violations. Keys and checks of the tables enforce most rules, but a
//! partly restored backup or a manual change may have bypassed them.
//!
//! Votes and registers have no client column, and by far the most rows. Checks reach them from the rounds in scope by
//! `CROSS JOIN LATERAL`, one round at a time, so that a client's checks read only its own votes. `OFFSET 0` keeps the planner
//! from reversing that.

mod belonging;
mod kept_counts;
mod meetings;
mod votes;

/// A rule.
pub(super) struct Check {
    /// A stable name for programs.
    pub(super) name: &'static str,
    /// Finds violations as `client_id`, `table_name`, `id` and `message`. `$1` is the client, or NULL for all; `scope_rounds` are
    /// its rounds.
    pub(super) find: &'static str,
}

/// All rules, in the order of the report.
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
    meetings::WEIGHTS_MISFIT,
    meetings::REGISTER_TOTALS,
    votes::VOTE_COUNT,
    votes::MORE_VOTES_THAN_REGISTER,
    votes::VOTE_OUTSIDE_REGISTER,
    votes::SEVERAL_VOTES_OF_ONE_VOTER,
    votes::UNKNOWN_OPTION,
    votes::ANSWER_MISFIT,
    votes::UNEXPLAINED_WAY,
    votes::ENVELOPE,
];
