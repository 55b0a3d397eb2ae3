use plenum_kernel::{AccountId, ClientId, MeetingId, Step};

use crate::{Meeting, MeetingRule, MeetingService, MeetingStatus, UpdateMeetingError};

impl MeetingService {
    /// Starts a draft or scheduled meeting and informs the live screens.
    ///
    /// # Errors
    /// Fails when this client has no such meeting, it is over or cancelled, or it has made another step since `seen`.
    pub async fn start(
        &self,
        owner: ClientId,
        id: MeetingId,
        seen: Option<Step>,
    ) -> Result<Meeting, UpdateMeetingError> {
        let now = self.ports.clock.now();
        let decide = move |meeting: &mut Meeting| meeting.make_step(seen, |meeting| meeting.start(now));
        let meeting = self.ports.meetings.update(owner, id, None, Box::new(decide)).await?;
        self.ports.signals.meeting_changed(id).await;
        Ok(meeting)
    }

    /// Ends a running meeting with its running round, and informs the live screens.
    ///
    /// # Errors
    /// Fails when this client has no such meeting, it is not running, or it has made another step since `seen`.
    /// A repeated request with the same `seen` succeeds.
    pub async fn end(
        &self,
        owner: ClientId,
        id: MeetingId,
        by: AccountId,
        seen: Option<Step>,
    ) -> Result<Meeting, UpdateMeetingError> {
        let now = self.ports.clock.now();
        let end = move |meeting: &mut Meeting| match meeting.status {
            MeetingStatus::Completed if meeting.step.has_passed(seen) => Ok(()),
            _ => meeting.end(now),
        };
        let decide = move |meeting: &mut Meeting| -> Result<(), MeetingRule> { meeting.make_step(seen, end) };
        let meeting = self.ports.meetings.update(owner, id, Some(by), Box::new(decide)).await?;
        self.ports.signals.meeting_changed(id).await;
        Ok(meeting)
    }
}
