use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use plenum_kernel::MeetingId;
use tokio::sync::Notify;

/// Meetings that a task has to visit. A meeting that is marked twice is visited once.
#[derive(Default)]
pub(super) struct DirtySet {
    /// `None` while no task visits meetings.
    marked: Mutex<Option<HashSet<MeetingId>>>,
    changed: Notify,
}

impl DirtySet {
    /// Accepts marks from now on.
    pub(super) fn enable(&self) {
        self.marked().get_or_insert_default();
    }

    pub(super) fn is_enabled(&self) -> bool {
        self.marked().is_some()
    }

    /// Marks a meeting. Does nothing while the set is not enabled.
    pub(super) fn mark(&self, meeting: MeetingId) {
        if let Some(marked) = self.marked().as_mut() {
            marked.insert(meeting);
            self.changed.notify_one();
        }
    }

    /// Waits for the next mark. Returns at once for a mark before the call.
    pub(super) async fn changed(&self) {
        self.changed.notified().await;
    }

    /// Takes the meetings that were marked since the last call.
    pub(super) fn take(&self) -> HashSet<MeetingId> {
        self.marked().as_mut().map(std::mem::take).unwrap_or_default()
    }

    fn marked(&self) -> MutexGuard<'_, Option<HashSet<MeetingId>>> {
        self.marked.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
