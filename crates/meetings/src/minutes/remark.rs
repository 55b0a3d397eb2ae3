use chrono::{DateTime, Utc};
use plenum_kernel::{AccountId, ClientId, MeetingId, PortFailure, RemarkId};

plenum_kernel::text_value!(
    /// What is noted for the minutes, in as many lines as it takes.
    RemarkText, check_text, 2_000
);

/// What a remark is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RemarkKind {
    /// Something that should stand in the minutes.
    Remark,
    /// Something that went wrong.
    Incident,
}

/// What an organizer noted for the minutes of a meeting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// Its id.
    pub id: RemarkId,
    /// When it was written.
    pub at: DateTime<Utc>,
    /// The name of who wrote it, as it was then.
    pub by: String,
    /// The description.
    pub kind: RemarkKind,
    /// The text.
    pub text: RemarkText,
}

/// A remark to be stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewRemark {
    /// Its id.
    pub id: RemarkId,
    /// The client that owns it.
    pub client_id: ClientId,
    /// The meeting that it belongs to.
    pub meeting_id: MeetingId,
    /// When it was written.
    pub at: DateTime<Utc>,
    /// The author.
    pub by: AccountId,
    /// The description.
    pub kind: RemarkKind,
    /// The text.
    pub text: RemarkText,
}

/// How many remarks a meeting holds at most.
pub const MAX_REMARKS: usize = 1_000;

/// The reason why a remark was not written down.
#[derive(Debug, thiserror::Error)]
pub enum WriteRemarkError {
    /// The client has no such meeting.
    #[error("the meeting does not exist")]
    MeetingNotFound,
    /// There is no room for another one.
    #[error("the meeting has too many remarks; remove one first")]
    TooMany,
    /// The store did not respond.
    #[error(transparent)]
    Port(#[from] PortFailure),
}
