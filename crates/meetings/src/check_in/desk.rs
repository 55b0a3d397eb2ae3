//! Desks: links for helpers without an account.

use chrono::{DateTime, Utc};
use plenum_kernel::{AccountId, ClientId, DeskId, MeetingId, PortFailure, WeightKind};

use crate::{CheckIn, MeetingStatus};

plenum_kernel::text_value!(
    /// The name of a desk, such as "Desk 1" or "Side entrance".
    DeskName, check_distinct_name, 60
);

/// What a desk is for. Its link has rights to nothing else.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum DeskPurpose {
    /// Checking people in and out.
    #[default]
    CheckIn,
    /// People vote on its device, after a helper has identified them.
    VotingPlace,
    /// Votes on paper are entered and confirmed.
    Tellers,
}

/// The maximum number of desks of a meeting that are not revoked.
pub const MAX_DESKS: u64 = 50;

/// The hash of the token of a desk.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DeskTokenHash(pub Vec<u8>);

/// A desk of a meeting, without its token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Desk {
    /// Its id.
    pub id: DeskId,
    /// The name.
    pub name: DeskName,
    /// What it is for.
    pub purpose: DeskPurpose,
    /// When it was made.
    pub made_at: DateTime<Utc>,
    /// The name of the organizer who made it.
    pub made_by: String,
    /// When it was revoked.
    pub revoked_at: Option<DateTime<Utc>>,
}

/// A desk to store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewDesk {
    /// The id.
    pub id: DeskId,
    /// The client that owns the meeting.
    pub client: ClientId,
    /// The meeting.
    pub meeting: MeetingId,
    /// The name.
    pub name: DeskName,
    /// What it is for.
    pub purpose: DeskPurpose,
    /// The hash of the token.
    pub token_hash: DeskTokenHash,
    /// The time.
    pub now: DateTime<Utc>,
    /// The organizer.
    pub by: AccountId,
}

/// The reason why a desk was not made.
#[derive(Debug, thiserror::Error)]
pub enum MakeDeskError {
    /// The client has no such meeting.
    #[error("the meeting does not exist")]
    MeetingNotFound,
    /// The meeting is over or cancelled.
    #[error("a completed or cancelled meeting has no desks")]
    MeetingOver,
    /// Another desk has the name.
    #[error("another desk of this meeting has this name")]
    NameTaken,
    /// There are [`MAX_DESKS`].
    #[error("the meeting has 50 desks; revoke one first")]
    TooMany,
    /// The store did not respond.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

/// A desk that calls, with its meeting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallingDesk {
    /// Its id.
    pub id: DeskId,
    /// The name.
    pub name: String,
    /// What it is for.
    pub purpose: DeskPurpose,
    /// When it was made.
    pub made_at: DateTime<Utc>,
    /// Whether it is revoked.
    pub is_revoked: bool,
    /// The client that owns the meeting.
    pub client: ClientId,
    /// The name of the client.
    pub client_name: String,
    /// The meeting.
    pub meeting: MeetingId,
    /// The title of the meeting.
    pub meeting_title: String,
    /// The status of the meeting.
    pub status: MeetingStatus,
    /// Whether check-in is on.
    pub check_in: CheckIn,
    /// The kind that the meeting counts as weight. `None` for the ordinary weight.
    pub weight_kind: Option<WeightKind>,
}

impl CallingDesk {
    /// Whether the link works: until it is revoked or the meeting is over.
    pub fn works(&self) -> bool {
        !self.is_revoked && self.status.link_is_good()
    }
}

/// The mark before each token of a desk, by which the server tells it from an access token.
pub const DESK_TOKEN_MARK: &str = "desk_";
