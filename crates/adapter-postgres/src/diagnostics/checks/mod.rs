//! What must be true of everything that is stored, as statements that find what breaks it. Keys and checks of the tables
//! hold most of it; a backup that was restored in parts, or a hand in the database, may have got past them.

mod belonging;
mod meetings;
mod votes;

/// One thing that must be true.
pub(super) struct Check {
    /// Stable, for programs.
    pub(super) name: &'static str,
    /// Finds the rows that break it, as `client_id` (whose row it is), `table_name`, `id` and `message`.
    pub(super) find: &'static str,
}

/// All of them, in the order in which they are reported.
pub(super) const CHECKS: &[Check] = &[
    belonging::MISSING_PARENT,
    belonging::FOREIGN_CLIENT,
    belonging::FOREIGN_QUESTION,
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
