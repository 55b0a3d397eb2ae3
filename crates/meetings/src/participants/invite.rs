use plenum_kernel::{EndUserId, PageRequest, PortFailure, SearchText};

/// The people to invite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Invitees {
    /// Everyone of the client who is active, now or later: the meeting has no list any more. Only a list can keep a
    /// limit, so that in a meeting that has one these are those who are active at this moment.
    AllActive,
    /// These.
    These(Vec<EndUserId>),
}

/// A filter for participants.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ParticipantFilter {
    /// Search text in name, username or e-mail address.
    pub search: Option<SearchText>,
    /// Whether the order by name is descending.
    pub is_descending: bool,
    /// The page. All rows if missing.
    pub page: Option<PageRequest>,
}

/// How a participant list changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParticipantCount {
    /// How many came on it, or were taken off it.
    pub changed: u64,
    /// For how many the meeting is now: those on the list, or every active end user where there is none.
    pub total: u64,
}

/// The reason why nobody was invited.
#[derive(Debug, thiserror::Error)]
pub enum InviteError {
    /// The client has no such meeting.
    #[error("the meeting does not exist")]
    MeetingNotFound,
    /// One of them is not an end user of this client.
    #[error("one of the end users does not exist")]
    UnknownEndUsers,
    /// The meeting's limit would be passed.
    #[error("{people} people would take part, and the meeting has room for {limit}: invite fewer, or raise the limit")]
    TooMany {
        /// How many people would take part.
        people: u64,
        /// The meeting's limit.
        limit: u32,
    },
    /// The store did not respond.
    #[error(transparent)]
    Port(#[from] PortFailure),
}
