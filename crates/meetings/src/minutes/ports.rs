use async_trait::async_trait;
use plenum_kernel::{ClientId, MeetingId, PortFailure, RemarkId};

use crate::{NewRemark, Remark, WriteRemarkError};

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

    /// Removes a remark. Returns whether the client's meeting had it.
    async fn remove(&self, owner: ClientId, meeting: MeetingId, id: RemarkId) -> Result<bool, PortFailure>;
}
