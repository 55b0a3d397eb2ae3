use async_trait::async_trait;
use chrono::{DateTime, Utc};
use plenum_kernel::{ClientId, MeetingId, QuestionId, RoundId};

/// How far a meeting has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeedStatus {
    /// It is planned.
    Scheduled,
    /// It is running.
    Active,
    /// It is over.
    Completed,
    /// It does not take place.
    Cancelled,
}

/// A meeting.
#[derive(Clone, Debug)]
pub struct SeedMeeting {
    /// Its id.
    pub id: MeetingId,
    /// The client, which is there already.
    pub client: ClientId,
    /// What it is called.
    pub title: String,
    /// How far it has come.
    pub status: SeedStatus,
    /// When it was planned.
    pub created_at: DateTime<Utc>,
    /// When it was started.
    pub started_at: Option<DateTime<Utc>>,
    /// When it was ended.
    pub ended_at: Option<DateTime<Utc>>,
}

/// A question on an agenda.
#[derive(Clone, Debug)]
pub struct SeedQuestion {
    /// Its id.
    pub id: QuestionId,
    /// The meeting, which is there already.
    pub meeting: MeetingId,
    /// What is asked.
    pub text: String,
}

/// A round.
#[derive(Clone, Debug)]
pub struct SeedRound {
    /// Its id.
    pub id: RoundId,
    /// The question, which is there already.
    pub question: QuestionId,
    /// When it was opened.
    pub opened_at: DateTime<Utc>,
    /// When it ended.
    pub ended_at: Option<DateTime<Utc>>,
    /// How many could vote.
    pub register_heads: u32,
    /// How many votes each writer of ballots has counted.
    pub votes_by_writer: Vec<u32>,
}

/// Puts what belongs to other domains beside the stores, as far as this domain reads it.
#[async_trait]
pub trait ForeignFixture: Send + Sync {
    /// Adds a meeting.
    async fn add_meeting(&self, meeting: SeedMeeting);

    /// Adds a question.
    async fn add_question(&self, question: SeedQuestion);

    /// Adds a round.
    async fn add_round(&self, round: SeedRound);
}
