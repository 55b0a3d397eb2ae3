use chrono::{DateTime, TimeDelta, Utc};
use plenum_kernel::EndUserId;
use rust_decimal::Decimal;

/// What was done with a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LogKind {
    /// Voting was opened for the first time.
    Opened,
    /// Voting was ended.
    Ended,
    /// Voting was opened again, with the votes that had been cast.
    Reopened,
    /// An organizer saw the count.
    Counted,
    /// The result was declared.
    Declared,
    /// Somebody came into the register of the running round.
    Admitted,
    /// Somebody does not take part in the question.
    Excluded,
}

/// With whom something was done, as they were then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoggedPerson {
    /// The end user, who may be deleted by now.
    pub end_user_id: EndUserId,
    /// What they signed in with.
    pub username: String,
    /// Their full name.
    pub name: String,
    /// What their vote weighs.
    pub weight: Decimal,
}

/// Something that was done with a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogEntry {
    /// When.
    pub at: DateTime<Utc>,
    /// What.
    pub kind: LogKind,
    /// The name of who did it, as it was then; none when it happened by itself.
    pub by: Option<String>,
    /// With whom, where it was done with one person.
    pub person: Option<LoggedPerson>,
    /// Why, where it was said.
    pub reason: Option<String>,
}

/// The time of what is done after something that was done `last`: `now`, which may have been taken before that was over, or
/// by another clock; then the moment after. So logs tell in the order in which it was done.
pub fn not_before(last: DateTime<Utc>, now: DateTime<Utc>) -> DateTime<Utc> {
    if now < last { last + TimeDelta::microseconds(1) } else { now }
}
