use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use plenum_kernel::MeetingId;
use tokio::sync::Notify;

/// The meetings that somebody is to look at. As with all flags, one that is raised twice is looked at once.
#[derive(Default)]
pub(crate) struct DirtySet {
    /// None while nobody looks.
    due: Mutex<Option<HashSet<MeetingId>>>,
    raised: Notify,
}

impl DirtySet {
    /// Takes looks from now on.
    pub(crate) fn begin(&self) {
        self.due().get_or_insert_default();
    }

    /// Whether anybody looks.
    pub(crate) fn has_begun(&self) -> bool {
        self.due().is_some()
    }

    /// This meeting is to be looked at.
    pub(crate) fn look_at(&self, meeting: MeetingId) {
        if let Some(due) = self.due().as_mut() {
            due.insert(meeting);
            self.raised.notify_one();
        }
    }

    /// Waits until a meeting is to be looked at, also if that was said before the call.
    pub(crate) async fn raised(&self) {
        self.raised.notified().await;
    }

    /// The meetings that are to be looked at since this was asked last.
    pub(crate) fn take(&self) -> HashSet<MeetingId> {
        self.due().as_mut().map(std::mem::take).unwrap_or_default()
    }

    fn due(&self) -> MutexGuard<'_, Option<HashSet<MeetingId>>> {
        self.due.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
