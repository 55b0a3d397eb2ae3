use std::sync::Arc;

use plenum_kernel::{AccountId, ClientId, Clock, MeetingId, NewIds, PortFailure, RemarkId};

use crate::{NewRemark, Remark, RemarkKind, RemarkStore, RemarkText, RemarkToStrike, WriteRemarkError};

/// A remark that is not stored yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemarkDraft {
    /// The organizer.
    pub by: AccountId,
    /// The kind.
    pub kind: RemarkKind,
    /// The text.
    pub text: RemarkText,
}

/// Adds, lists and strikes remarks for the minutes.
pub struct RemarkService {
    remarks: Arc<dyn RemarkStore>,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn NewIds>,
}

impl RemarkService {
    /// Creates the service on this store.
    pub fn new(remarks: Arc<dyn RemarkStore>, clock: Arc<dyn Clock>, ids: Arc<dyn NewIds>) -> Self {
        Self { remarks, clock, ids }
    }

    /// The remarks of a meeting, the earliest first. `None` when the client has no such meeting.
    ///
    /// # Errors
    /// Fails when the store does not respond.
    pub async fn list(&self, owner: ClientId, meeting: MeetingId) -> Result<Option<Vec<Remark>>, PortFailure> {
        self.remarks.list(owner, meeting).await
    }

    /// Adds a remark, in any status of the meeting.
    ///
    /// # Errors
    /// Fails when the client has no such meeting, or the meeting has the maximum number of remarks.
    pub async fn write(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        draft: RemarkDraft,
    ) -> Result<Remark, WriteRemarkError> {
        let RemarkDraft { by, kind, text } = draft;
        let new = NewRemark {
            id: RemarkId::new(&*self.ids),
            client_id: owner,
            meeting_id: meeting,
            at: self.clock.now(),
            by,
            kind,
            text,
        };
        self.remarks.add(new).await
    }

    /// Strikes a remark through, or removes it if voting was never opened and the meeting has not ended. Returns whether the
    /// client's meeting had it.
    ///
    /// # Errors
    /// Fails when the store does not respond.
    pub async fn strike(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        id: RemarkId,
        by: AccountId,
    ) -> Result<bool, PortFailure> {
        let at = self.clock.now();
        self.remarks.strike(RemarkToStrike { client_id: owner, meeting_id: meeting, id, at, by }).await
    }
}
