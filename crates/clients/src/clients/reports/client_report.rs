use chrono::{DateTime, Utc};

use crate::{Client, EndUserStats};

/// How many meetings a client has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MeetingCounts {
    /// All of them.
    pub total: u64,
    /// Those that are running.
    pub active: u64,
    /// Those that are over.
    pub completed: u64,
}

/// How much a client uses the product.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientReport {
    /// The client itself.
    pub client: Client,
    /// Its end users, and what those who are active weigh together.
    pub end_users: EndUserStats,
    /// Its meetings.
    pub meetings: MeetingCounts,
    /// How many questions stand on its agendas.
    pub questions: u64,
    /// How many rounds there were.
    pub rounds: u64,
    /// How many votes were cast in them.
    pub votes_cast: u64,
    /// When the last thing happened that the client's own activity feed tells of.
    pub last_activity_at: Option<DateTime<Utc>>,
}
