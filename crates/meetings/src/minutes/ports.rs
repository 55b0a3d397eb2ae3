use async_trait::async_trait;
use plenum_kernel::{ClientId, MeetingId, PortFailure};

use crate::{NewRemark, Remark, RemarkToStrike, WriteRemarkError};

/// Stores remarks for the minutes. Each call is one transaction and sees one client's rows only.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait RemarkStore: Send + Sync {
    /// The remarks of a meeting, the earliest first. `None` when the client has no such meeting.
    async fn list(&self, owner: ClientId, meeting: MeetingId) -> Result<Option<Vec<Remark>>, PortFailure>;

    /// Locks the meeting and stores a remark with the name of its author: first and last name, or the email address of an
    /// account without a name.
    ///
    /// # Errors
    /// `MeetingNotFound` also for a meeting of another client; `TooMany` when there are
    /// [`MAX_REMARKS`](crate::MAX_REMARKS) already.
    async fn add(&self, remark: NewRemark) -> Result<Remark, WriteRemarkError>;

    /// Locks the meeting, asks [`decide_striking`](crate::decide_striking), and removes the remark or strikes it through with
    /// the name of the organizer. A remark that is struck through already stays as it is. Returns whether the client's
    /// meeting has it, or had it until now.
    async fn strike(&self, remark: RemarkToStrike) -> Result<bool, PortFailure>;
}
