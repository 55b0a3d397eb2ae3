use plenum_kernel::OpenVote;
use serde::Serialize;
use utoipa::ToSchema;

/// An open vote of people whose password was not set.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(example = json!({ "meeting": "General assembly", "question": "Approve the budget?", "people": 1 }))]
pub(crate) struct OpenVoteView {
    /// The title of the meeting.
    meeting: String,
    /// The text of the question.
    question: String,
    /// The number of these people who may vote on it.
    people: u64,
}

impl From<OpenVote> for OpenVoteView {
    fn from(vote: OpenVote) -> Self {
        let OpenVote { meeting, question, people } = vote;
        Self { meeting, question, people }
    }
}
