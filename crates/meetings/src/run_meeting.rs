use std::sync::Arc;

use plenum_kernel::{ClientId, Clock, MeetingId};

use crate::live::LiveSignals;
use crate::{Meeting, MeetingStore, UpdateMeetingError};

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
    /// Fails when this client has no such meeting, or it is over or cancelled.
    pub async fn start(&self, owner: ClientId, id: MeetingId) -> Result<Meeting, UpdateMeetingError> {
        let now = self.clock.now();
        let meeting = self.meetings.update(owner, id, Box::new(move |meeting| meeting.start(now))).await?;
        self.signals.meeting_changed(id).await;
        Ok(meeting)
    }

    /// Ends a running meeting, its running round included, and tells everyone who is watching it.
    ///
    /// # Errors
    /// Fails when this client has no such meeting, or it is not running.
    pub async fn end(&self, owner: ClientId, id: MeetingId) -> Result<Meeting, UpdateMeetingError> {
        let now = self.clock.now();
        let meeting = self.meetings.update(owner, id, Box::new(move |meeting| meeting.end(now))).await?;
        self.signals.meeting_changed(id).await;
        Ok(meeting)
    }
}
