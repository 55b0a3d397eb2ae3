use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use plenum_kernel::{MeetingId, PortFailure, QuestionId, RoundId};
use tokio::select;
use tokio::sync::{Notify, broadcast, watch};

use super::announcement::Announcement;
use super::check_ins::CheckIns;
use super::presence_set::PresenceSet;

/// State that the watchers of one meeting share. Only its meeting task changes the snapshot.
pub(super) struct MeetingChannel {
    pub(super) meeting: MeetingId,
    /// The current snapshot.
    pub(super) snapshot: watch::Sender<Snapshot>,
    /// Announcements to all watchers. Each is sent *after* the snapshot was replaced, so a watcher that subscribes first
    /// and then reads the snapshot misses nothing.
    pub(super) announcements: broadcast::Sender<Arc<Announcement>>,
    /// Each check-in and check-out, for the stream of that voter.
    pub(super) check_ins: CheckIns,
    /// Set once, when all streams have to end.
    pub(super) ended: watch::Sender<bool>,
    /// Work for the meeting task.
    pub(super) updates: PendingUpdates,
    /// The number of reload requests that the meeting task has served.
    pub(super) reloads: watch::Sender<ServedReloads>,
    /// The voters who are connected.
    pub(super) presence: Arc<PresenceSet>,
}

/// The snapshot of a meeting, or the reason why there is none.
#[derive(Clone)]
pub(super) enum Snapshot {
    /// The first load has not finished.
    Loading,
    /// The current snapshot, as a new watcher gets it.
    Live(Arc<Announcement>),
    /// The meeting does not exist.
    Missing,
    /// The first load failed.
    Failed(Arc<PortFailure>),
    /// The hub was shut down before the first load had finished.
    ShutDown,
}

/// Progress of the meeting task with reload requests.
#[derive(Clone, Default)]
pub(super) struct ServedReloads {
    /// The highest request number that was served.
    pub(super) served: u64,
    /// The error of the last load, if it failed.
    pub(super) failure: Option<Arc<PortFailure>>,
}

/// Flags for the meeting task. Setting a flag twice is the same as once, so no queue can grow.
#[derive(Default)]
pub(super) struct PendingUpdates {
    meeting_changed: AtomicBool,
    votes_changed: AtomicBool,
    checked_in_changed: AtomicBool,
    /// Declared results. There are at most as many as rounds.
    declared: Mutex<Vec<DeclaredResult>>,
    /// The number of requested reloads.
    reload_requests: AtomicU64,
    changed: Notify,
}

/// A round whose result was declared, and its question.
pub(super) type DeclaredResult = (RoundId, QuestionId);

impl PendingUpdates {
    pub(super) fn meeting_changed(&self) {
        self.meeting_changed.store(true, Ordering::Release);
        self.changed.notify_one();
    }

    pub(super) fn votes_changed(&self) {
        self.votes_changed.store(true, Ordering::Release);
        self.changed.notify_one();
    }

    /// Somebody was checked in or out.
    pub(super) fn checked_in_changed(&self) {
        self.checked_in_changed.store(true, Ordering::Release);
        self.changed.notify_one();
    }

    pub(super) fn take_checked_in_changed(&self) -> bool {
        self.checked_in_changed.swap(false, Ordering::AcqRel)
    }

    /// Requests a load that starts after this call. Returns the number of the request.
    fn request_reload(&self) -> u64 {
        let request = self.reload_requests.fetch_add(1, Ordering::AcqRel) + 1;
        self.meeting_changed();
        request
    }

    /// The number of the last reload request. A load that starts after this call serves all requests up to it.
    pub(super) fn reload_requests(&self) -> u64 {
        self.reload_requests.load(Ordering::Acquire)
    }

    pub(super) fn presence_changed(&self) {
        self.changed.notify_one();
    }

    pub(super) fn result_declared(&self, result: DeclaredResult) {
        let mut declared = self.declared();
        if !declared.contains(&result) {
            declared.push(result);
        }
        drop(declared);
        self.changed.notify_one();
    }

    /// Takes the results that were declared since the last call.
    pub(super) fn take_declared(&self) -> Vec<DeclaredResult> {
        std::mem::take(&mut *self.declared())
    }

    fn declared(&self) -> MutexGuard<'_, Vec<DeclaredResult>> {
        self.declared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the meeting changed since the last call.
    pub(super) fn take_meeting_changed(&self) -> bool {
        self.meeting_changed.swap(false, Ordering::AcqRel)
    }

    /// Whether votes changed since the last call.
    pub(super) fn take_votes_changed(&self) -> bool {
        self.votes_changed.swap(false, Ordering::AcqRel)
    }

    /// Waits for the next update. Returns at once for an update before the call.
    pub(super) async fn changed(&self) {
        self.changed.notified().await;
    }
}

impl MeetingChannel {
    /// `capacity` is the number of announcements that the ring buffer holds.
    pub(super) fn new(meeting: MeetingId, presence: Arc<PresenceSet>, capacity: usize) -> Self {
        Self {
            meeting,
            snapshot: watch::Sender::new(Snapshot::Loading),
            announcements: broadcast::Sender::new(capacity.max(1)),
            check_ins: CheckIns::default(),
            ended: watch::Sender::new(false),
            updates: PendingUpdates::default(),
            reloads: watch::Sender::new(ServedReloads::default()),
            presence,
        }
    }

    /// The snapshot, as soon as the first load has succeeded or failed.
    pub(super) async fn first_snapshot(&self) -> Snapshot {
        let mut snapshot = self.snapshot.subscribe();
        match snapshot.wait_for(|snapshot| !matches!(snapshot, Snapshot::Loading)).await {
            Ok(loaded) => loaded.clone(),
            Err(_) => Snapshot::ShutDown,
        }
    }

    /// The current snapshot, if there is one.
    pub(super) fn current_snapshot(&self) -> Option<Arc<Announcement>> {
        match &*self.snapshot.borrow() {
            Snapshot::Live(snapshot) => Some(Arc::clone(snapshot)),
            _ => None,
        }
    }

    /// A snapshot that was loaded after this call. The meeting task loads one at a time, and one load serves all requests
    /// before it. `None` when the channel has ended.
    pub(super) async fn reloaded_snapshot(&self) -> Result<Option<Arc<Announcement>>, PortFailure> {
        let mut reloads = self.reloads.subscribe();
        let request = self.updates.request_reload();
        let served = select! {
            reloads = reloads.wait_for(|reloads| reloads.served >= request) => reloads.ok().map(|reloads| reloads.clone()),
            () = self.end() => None,
        };
        match served {
            Some(ServedReloads { failure: Some(failure), .. }) => Err(PortFailure::new("the live snapshot", failure)),
            Some(ServedReloads { failure: None, .. }) => Ok(self.current_snapshot()),
            None => Ok(None),
        }
    }

    /// Resolves when all streams have to end.
    pub(super) fn end(&self) -> impl Future<Output = ()> + Send + 'static {
        let mut ended = self.ended.subscribe();
        async move {
            // An error means that the sender was dropped, and then the channel has ended as well.
            let _ = ended.wait_for(|ended| *ended).await;
        }
    }
}
