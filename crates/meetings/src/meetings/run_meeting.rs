use std::sync::Arc;

use plenum_kernel::{AccountId, ClientId, Clock, MeetingId, Step};

use crate::live::LiveSignals;
use crate::{Meeting, MeetingRule, MeetingStatus, MeetingStore, UpdateMeetingError};

/// Starts and ends meetings.
pub struct MeetingRunning {
    meetings: Arc<dyn MeetingStore>,
    signals: Arc<dyn LiveSignals>,
    clock: Arc<dyn Clock>,
}

impl MeetingRunning {
    /// Runs the meetings of this store.
    pub fn new(meetings: Arc<dyn MeetingStore>, signals: Arc<dyn LiveSignals>, clock: Arc<dyn Clock>) -> Self {
        Self { meetings, signals, clock }
    }

    /// Starts a draft or scheduled meeting and tells everyone who is watching it.
    ///
    /// # Errors
    /// Fails when this client has no such meeting, it is over or cancelled, or somebody has made a step since the state
    /// that was `seen`.
    pub async fn start(
        &self,
        owner: ClientId,
        id: MeetingId,
        seen: Option<Step>,
    ) -> Result<Meeting, UpdateMeetingError> {
        let now = self.clock.now();
        let decide = move |meeting: &mut Meeting| meeting.make_step(seen, |meeting| meeting.start(now));
        let meeting = self.meetings.update(owner, id, None, Box::new(decide)).await?;
        self.signals.meeting_changed(id).await;
        Ok(meeting)
    }

    /// Ends a running meeting, its running round included, and tells everyone who is watching it.
    ///
    /// # Errors
    /// Fails when this client has no such meeting, it is not running, or somebody has made a step since the state that
    /// was `seen`. Whoever saw it running may end it twice.
    pub async fn end(
        &self,
        owner: ClientId,
        id: MeetingId,
        by: AccountId,
        seen: Option<Step>,
    ) -> Result<Meeting, UpdateMeetingError> {
        let now = self.clock.now();
        let end = move |meeting: &mut Meeting| match meeting.status {
            MeetingStatus::Completed if meeting.step.has_passed(seen) => Ok(()),
            _ => meeting.end(now),
        };
        let decide = move |meeting: &mut Meeting| -> Result<(), MeetingRule> { meeting.make_step(seen, end) };
        let meeting = self.meetings.update(owner, id, Some(by), Box::new(decide)).await?;
        self.signals.meeting_changed(id).await;
        Ok(meeting)
    }
}
