use async_trait::async_trait;
use plenum_kernel::{EndUserId, MeetingId, QuestionId, RoundId};

/// Informs the live screens. Services call it after the change is stored, never before.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait VotingSignals: Send + Sync {
    /// The meeting's current question or its round changed.
    async fn meeting_changed(&self, meeting: MeetingId);

    /// A vote came in or was withdrawn.
    async fn votes_changed(&self, meeting: MeetingId);

    /// The result of a round of this question was declared.
    async fn result_declared(&self, meeting: MeetingId, round: RoundId, question: QuestionId);
}

/// Reports which voters are connected.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
pub trait Presence: Send + Sync {
    /// Returns the voters connected to the meeting, each once.
    fn connected(&self, meeting: MeetingId) -> Vec<EndUserId>;
}
