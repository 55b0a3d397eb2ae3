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
    /// The organizer who struck it through, if it is struck through.
    pub struck: Option<Struck>,
}

/// A remark was struck through. Its text stays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Struck {
    /// The time.
    pub at: DateTime<Utc>,
    /// The name of the organizer at that time.
    pub by: String,
}

/// A remark to strike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RemarkToStrike {
    /// The client that owns it.
    pub client_id: ClientId,
    /// The meeting.
    pub meeting_id: MeetingId,
    /// Its id.
    pub id: RemarkId,
    /// The time.
    pub at: DateTime<Utc>,
    /// The organizer.
    pub by: AccountId,
}

/// The effect of striking a remark through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Striking {
    /// It is removed.
    Remove,
    /// It is struck through and stays in the minutes.
    StrikeThrough,
}

/// Decides the effect of striking a remark through. Until voting is opened for the first time, remarks are notes of a
/// preparation. From then on, and once the meeting has ended, the minutes keep them.
pub const fn decide_striking(was_opened: bool, has_ended: bool) -> Striking {
    if was_opened || has_ended { Striking::StrikeThrough } else { Striking::Remove }
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

/// The maximum number of remarks of a meeting, with those that are struck through.
pub const MAX_REMARKS: usize = 1_000;

/// The reason why a remark was not stored.
#[derive(Debug, thiserror::Error)]
pub enum WriteRemarkError {
    /// The client has no such meeting.
    #[error("the meeting does not exist")]
    MeetingNotFound,
    /// The meeting has the maximum number of remarks.
    #[error("the meeting has 1,000 remarks, and no room for more")]
    TooMany,
    /// The store did not respond.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_remark_is_struck_through_from_the_first_opening_on() {
        assert_eq!(decide_striking(false, false), Striking::Remove);
        for (was_opened, has_ended) in [(true, false), (false, true), (true, true)] {
            assert_eq!(decide_striking(was_opened, has_ended), Striking::StrikeThrough);
        }
    }
}
