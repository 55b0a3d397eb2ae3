use plenum_kernel::{EndUserId, MeetingId};

use crate::LiveHub;

/// Those who watch through this instance, and through the others as far as they told.
impl plenum_voting::Presence for LiveHub {
    fn connected(&self, meeting: MeetingId) -> Vec<EndUserId> {
        self.everyone_in(meeting)
    }
}

/// The same, for those who ask in the words of the other domain.
impl plenum_meetings::live::Presence for LiveHub {
    fn connected(&self, meeting: MeetingId) -> Vec<EndUserId> {
        self.everyone_in(meeting)
    }
}
