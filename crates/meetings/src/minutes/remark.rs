use chrono::{DateTime, Utc};
use plenum_kernel::{AccountId, ClientId, MeetingId, PortFailure, RemarkId};

plenum_kernel::text_value!(
    /// The text of a remark, with line breaks.
    RemarkText, check_text, 2_000
);

/// The kind of a remark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RemarkKind {
    /// A fact for the minutes.
    Remark,
    /// An incident.
    Incident,
}

/// An organizer's remark for the minutes of a meeting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// Its id.
    pub id: RemarkId,
    /// The time of writing.
    pub at: DateTime<Utc>,
    /// The name of the author at that time.
    pub by: String,
    /// The description.
    pub kind: RemarkKind,
    /// The text.
    pub text: RemarkText,
}

/// A remark to store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewRemark {
    /// Its id.
    pub id: RemarkId,
    /// The client that owns it.
    pub client_id: ClientId,
    /// The meeting.
    pub meeting_id: MeetingId,
    /// The time of writing.
    pub at: DateTime<Utc>,
    /// The author.
    pub by: AccountId,
    /// The description.
    pub kind: RemarkKind,
    /// The text.
    pub text: RemarkText,
}

/// The maximum number of remarks of a meeting.
pub const MAX_REMARKS: usize = 1_000;

/// The reason why a remark was not stored.
#[derive(Debug, thiserror::Error)]
pub enum WriteRemarkError {
    /// The client has no such meeting.
    #[error("the meeting does not exist")]
    MeetingNotFound,
    /// The meeting has the maximum number of remarks.
    #[error("the meeting has too many remarks; remove one first")]
    TooMany,
    /// The store did not respond.
    #[error(transparent)]
    Port(#[from] PortFailure),
}
