use async_trait::async_trait;
use chrono::{DateTime, Utc};
use plenum_kernel::{ClientId, MeetingId, QuestionId, RoundId};

/// The status of a meeting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeedStatus {
    /// The meeting is planned.
    Scheduled,
    /// The meeting is running.
    Active,
    /// The meeting has ended.
    Completed,
    /// The meeting does not take place.
    Cancelled,
}

/// A meeting.
#[derive(Clone, Debug)]
pub struct SeedMeeting {
    /// The id of the meeting.
    pub id: MeetingId,
    /// The client, which must exist.
    pub client: ClientId,
    /// The title of the meeting.
    pub title: String,
    /// The status of the meeting.
    pub status: SeedStatus,
    /// The time of creation.
    pub created_at: DateTime<Utc>,
    /// The time of the start.
    pub started_at: Option<DateTime<Utc>>,
    /// The time of the end.
    pub ended_at: Option<DateTime<Utc>>,
}

/// A question on an agenda.
#[derive(Clone, Debug)]
pub struct SeedQuestion {
    /// The id of the question.
    pub id: QuestionId,
    /// The meeting, which must exist.
    pub meeting: MeetingId,
    /// The text of the question.
    pub text: String,
}

/// A round.
#[derive(Clone, Debug)]
pub struct SeedRound {
    /// The id of the round.
    pub id: RoundId,
    /// The question, which must exist.
    pub question: QuestionId,
    /// The time of the opening.
    pub opened_at: DateTime<Utc>,
    /// The time of the end.
    pub ended_at: Option<DateTime<Utc>>,
    /// The number of voters in the register.
    pub register_heads: u32,
    /// The number of votes that each ballot writer has counted.
    pub votes_by_writer: Vec<u32>,
}

/// Adds data of other domains that this domain reads.
#[async_trait]
pub trait ForeignFixture: Send + Sync {
    /// Adds a meeting.
    async fn add_meeting(&self, meeting: SeedMeeting);

    /// Adds a question.
    async fn add_question(&self, question: SeedQuestion);

    /// Adds a round.
    async fn add_round(&self, round: SeedRound);
}
