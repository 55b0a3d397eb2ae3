use chrono::{DateTime, TimeDelta, Utc};
use plenum_kernel::EndUserId;
use rust_decimal::Decimal;

/// The kind of an action on a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LogKind {
    /// Voting was opened for the first time.
    Opened,
    /// Voting was ended.
    Ended,
    /// Voting was opened again, with the votes that had been cast.
    Reopened,
    /// A person entered the register when voting was opened again.
    Joined,
    /// The votes were counted, by an organizer or at the end by itself.
    Counted,
    /// The result was declared.
    Declared,
    /// A latecomer was admitted to the running round.
    Admitted,
    /// A person was excluded from the question.
    Excluded,
    /// Somebody other than the voter set the voter's password during the round.
    PasswordSet,
    /// A secret round was opened, or counted, although votes could be inferred from its totals. The reason states which.
    RiskAccepted,
    /// A secret round became void, because its key is lost.
    Voided,
}

/// The person affected by an action, as of that time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoggedPerson {
    /// The end user. The account may be deleted.
    pub end_user_id: EndUserId,
    /// The username at that time.
    pub username: String,
    /// The full name.
    pub name: String,
    /// The voting weight.
    pub weight: Decimal,
}

/// An action on a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogEntry {
    /// The time.
    pub at: DateTime<Utc>,
    /// The kind of action.
    pub kind: LogKind,
    /// The name of the actor at that time. None if it happened automatically.
    pub by: Option<String>,
    /// The affected person, if there is one.
    pub person: Option<LoggedPerson>,
    /// The reason, if one was given.
    pub reason: Option<String>,
}

/// The time of an action after one at `last`: `now`, or the moment after `last` if `now` is earlier, because it was read
/// too soon or from another clock. So the times in a log have the order of the actions.
pub fn not_before(last: DateTime<Utc>, now: DateTime<Utc>) -> DateTime<Utc> {
    if now < last { last + TimeDelta::microseconds(1) } else { now }
}
