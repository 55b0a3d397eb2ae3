use plenum_kernel::{ClientId, EndUserId, MeetingId, QuestionId};

/// A question, as one voter of its client sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VoterQuestion {
    /// The voter's client.
    pub client: ClientId,
    /// The voter.
    pub voter: EndUserId,
    /// The meeting.
    pub meeting: MeetingId,
    /// The question on its agenda.
    pub question: QuestionId,
}
