use plenum_kernel::{EndUserId, GroupId, PageRequest, PortFailure, SearchText};

/// The people to invite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Invitees {
    /// All active end users of the client, now and later: the meeting loses its list. With a limit, the meeting keeps a list
    /// of the end users who are active at this moment.
    AllActive,
    /// These end users.
    These(Vec<EndUserId>),
}

/// A filter for participants.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ParticipantFilter {
    /// Search text in name, username or email address.
    pub search: Option<SearchText>,
    /// Only members of this group.
    pub group: Option<GroupId>,
    /// Whether people in none of the meeting's groups are included. They do not take part until the groups change.
    pub with_outside_groups: bool,
    /// Whether the order by name is descending.
    pub is_descending: bool,
    /// The page. All rows if missing.
    pub page: Option<PageRequest>,
}

/// The effect of a change of a participant list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParticipantCount {
    /// The number of people who were added or removed.
    pub changed: u64,
    /// The number of participants afterwards: the people on the list, or every active end user without a list.
    pub total: u64,
}

/// The effect of an invitation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InviteOutcome {
    /// The numbers of people.
    pub count: ParticipantCount,
    /// Whether the meeting got its list or lost it. Then people who took part before may no longer take part.
    pub is_list_switched: bool,
}

/// The reason why no one was invited.
#[derive(Debug, thiserror::Error)]
pub enum InviteError {
    /// The client has no such meeting.
    #[error("the meeting does not exist")]
    MeetingNotFound,
    /// One of them is not an end user of this client.
    #[error("one of the end users does not exist")]
    UnknownEndUsers,
    /// The meeting's limit would be exceeded.
    #[error("{people} people would take part, and the meeting has room for {limit}: invite fewer, or raise the limit")]
    TooMany {
        /// The number of participants.
        people: u64,
        /// The meeting's limit.
        limit: u32,
    },
    /// The store did not respond.
    #[error(transparent)]
    Port(#[from] PortFailure),
}
