use plenum_kernel::MeetingId;

use super::State;
use crate::testkit::contract::Amended;
use crate::{Meeting, MeetingStatus};

impl State {
    /// Writes the closing record of a meeting that ends.
    pub(super) fn close(&mut self, meeting: &mut Meeting) {
        let closings = self.closings.entry(meeting.id).or_default();
        let hash = format!("{:032x}{:032x}", meeting.id.as_uuid().as_u128(), closings.len() + 1);
        closings.push(hash.clone());
        meeting.closing_hash = Some(hash);
    }

    /// Records each changed field of a meeting with a closing record as an amendment.
    pub(super) fn amend_meeting(&mut self, before: &Meeting, after: &Meeting) {
        if before.closing_hash.is_none() || after.closes(Some(before.status)) {
            return;
        }
        let texts = |meeting: &Meeting| {
            let quorum = meeting.quorum.map(|quorum| format!("{quorum:?}"));
            [
                ("title", Some(meeting.title.to_string())),
                ("scheduledStart", Some(meeting.schedule.start().to_rfc3339())),
                ("scheduledEnd", Some(meeting.schedule.end().to_rfc3339())),
                ("quorum", quorum),
                ("status", Some(format!("{:?}", meeting.status).to_uppercase())),
            ]
        };
        for ((field, was), (_, became)) in texts(before).into_iter().zip(texts(after)) {
            self.amend(after.id, Amended { about: "MEETING", field, was, became });
        }
    }

    /// Records a changed item of a meeting that has a closing record and does not run again.
    pub(super) fn amend_item(&mut self, meeting: MeetingId, amended: Amended) {
        let is_closed = |known: &Meeting| known.closing_hash.is_some() && known.status != MeetingStatus::Active;
        if self.meetings.get(&meeting).is_some_and(is_closed) {
            self.amend(meeting, amended);
        }
    }

    /// The text of a question that was added, changed or deleted.
    pub(super) fn amend_question(&mut self, meeting: MeetingId, was: Option<String>, became: Option<String>) {
        self.amend_item(meeting, Amended { about: "QUESTION", field: "text", was, became });
    }

    fn amend(&mut self, meeting: MeetingId, amended: Amended) {
        if amended.was != amended.became {
            self.amendments.entry(meeting).or_default().push(amended);
        }
    }
}
