use chrono::{DateTime, Utc};

/// The vote with which the chair decides a tie, as an organizer noted it after the count. Swiss Code of Obligations,
/// Article 713(1): "The chair has the casting vote, unless the articles of association provide otherwise."
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CastingVote {
    /// Whether it is in favor.
    pub in_favor: bool,
    /// The name of the person who cast it.
    pub cast_by: String,
    /// The time at which it was noted.
    pub at: DateTime<Utc>,
    /// The name of the organizer who noted it.
    pub noted_by: Option<String>,
}
