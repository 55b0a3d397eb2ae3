use plenum_kernel::{AccountId, ClientId, MeetingId, Step};

use crate::{Meeting, MeetingRule, MeetingService, MeetingStatus, UpdateMeetingError};

/// A request to start a meeting.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StartRequest {
    /// The last step that the organizer has seen.
    pub seen: Option<Step>,
    /// Whether the organizer confirmed that a meeting with a closing record starts again.
    pub confirms_restart: bool,
}

impl MeetingService {
    /// Starts a draft or scheduled meeting, or again a completed one if that is confirmed, and informs the live screens.
    ///
    /// # Errors
    /// Fails when this client has no such meeting, it is cancelled, a restart is not confirmed, or the meeting has made
    /// another step since the request's `seen`.
    pub async fn start(
        &self,
        owner: ClientId,
        id: MeetingId,
        request: StartRequest,
    ) -> Result<Meeting, UpdateMeetingError> {
        let now = self.ports.clock.now();
        let StartRequest { seen, confirms_restart } = request;
        let start = move |meeting: &mut Meeting| meeting.start(now, confirms_restart);
        let decide = move |meeting: &mut Meeting| meeting.make_step(seen, start);
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
