use chrono::{DateTime, Utc};

use crate::{Client, EndUserStats};

/// The numbers of a client's meetings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MeetingCounts {
    /// All meetings.
    pub total: u64,
    /// Running meetings.
    pub active: u64,
    /// Ended meetings.
    pub completed: u64,
}

/// The use of the product by a client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientReport {
    /// The client itself.
    pub client: Client,
    /// The numbers of its end users, and the sum of their weights.
    pub end_users: EndUserStats,
    /// The numbers of its meetings.
    pub meetings: MeetingCounts,
    /// The number of questions on its agendas.
    pub questions: u64,
    /// The number of rounds.
    pub rounds: u64,
    /// The number of votes in all rounds.
    pub votes_cast: u64,
    /// The time of the newest event in the client's own activity feed.
    pub last_activity_at: Option<DateTime<Utc>>,
}
