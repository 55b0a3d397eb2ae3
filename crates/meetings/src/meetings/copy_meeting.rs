use std::sync::Arc;

use chrono::{DateTime, Utc};
use plenum_kernel::{ClientId, MeetingId, NewIds, Step};

use crate::{
    Meeting, MeetingOverview, MeetingService, MeetingStatus, MeetingTitle, Question, Schedule, UpdateMeetingError,
};

/// The title and the planned time of a copy.
#[derive(Clone, Debug)]
pub struct CopyPlan {
    /// The title.
    pub title: MeetingTitle,
    /// The planned start and end.
    pub schedule: Schedule,
}

/// Makes a copy of a meeting and of its agenda.
pub type MeetingCopy = Box<dyn FnOnce(&Meeting, &[Question]) -> (Meeting, Vec<Question>) + Send>;

impl CopyPlan {
    /// The copy is a draft with new ids, without anything that has happened in the original.
    fn copy(
        self,
        original: &Meeting,
        agenda: &[Question],
        ids: &dyn NewIds,
        now: DateTime<Utc>,
    ) -> (Meeting, Vec<Question>) {
        let copy = Meeting {
            id: MeetingId::new(ids),
            title: self.title,
            status: MeetingStatus::Draft,
            step: Step::default(),
            schedule: self.schedule,
            started_at: None,
            ended_at: None,
            // The call of the copy is its first one.
            is_second_call: false,
            invitation_link: None,
            closing_hash: None,
            created_at: now,
            ..original.clone()
        };
        let agenda = agenda.iter().map(|question| question.copy_to(copy.id, ids, now)).collect();
        (copy, agenda)
    }
}

impl MeetingService {
    /// Creates a draft with the description, limit, recurrence, quorum, participant list and agenda of a meeting.
    ///
    /// # Errors
    /// Fails when this client has no such meeting.
    pub async fn copy(
        &self,
        owner: ClientId,
        id: MeetingId,
        plan: CopyPlan,
    ) -> Result<MeetingOverview, UpdateMeetingError> {
        let (ids, now) = (Arc::clone(&self.ports.ids), self.ports.clock.now());
        let copy = move |original: &Meeting, agenda: &[Question]| plan.copy(original, agenda, &*ids, now);
        let copied = self.ports.meetings.copy(owner, id, Box::new(copy)).await?;
        self.find(owner, copied).await?.ok_or(UpdateMeetingError::NotFound)
    }
}
