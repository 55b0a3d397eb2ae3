use chrono::{DateTime, Utc};
use plenum_kernel::{AccountId, ClientId, MeetingId, QuestionId, Step};

/// A step that an organizer requests in a meeting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OrganizerStep {
    /// The client that owns the meeting.
    pub owner: ClientId,
    /// The meeting.
    pub meeting: MeetingId,
    /// The organizer.
    pub by: AccountId,
    /// The step that the organizer saw, if stated.
    pub seen: Option<Step>,
    /// Whether the organizer opens or counts a secret vote although votes could be inferred from its totals.
    pub accepts_risk: bool,
}

/// A request to show a question on the presentation without opening it, or to show none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScreenChange {
    /// The client that owns the meeting.
    pub owner: ClientId,
    /// The meeting.
    pub meeting: MeetingId,
    /// The question on its agenda. `None` to show none.
    pub question: Option<QuestionId>,
    /// The organizer.
    pub by: AccountId,
    /// The time.
    pub now: DateTime<Utc>,
    /// The step that the organizer saw, if stated.
    pub seen: Option<Step>,
}
