use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use plenum_kernel::{MeetingId, PortFailure, QuestionId, RoundId};
use tokio::select;
use tokio::sync::{Notify, broadcast, watch};

use crate::hub::announcement::Announcement;
use crate::hub::presence_set::PresenceSet;

/// What watchers of one meeting share. Its picture is changed by its keeper alone.
pub(crate) struct Room {
    pub(crate) meeting: MeetingId,
    /// The picture as it is now.
    pub(crate) picture: watch::Sender<Snapshot>,
    /// What is told to those who are here. An announcement is sent *after* the picture was replaced; who subscribes
    /// first and looks at the picture then misses nothing.
    pub(crate) announcements: broadcast::Sender<Arc<Announcement>>,
    /// Set once, when everyone has to leave.
    pub(crate) ended: watch::Sender<bool>,
    /// What the keeper has to look at.
    pub(crate) errands: PendingUpdates,
    /// How far the keeper has come with the wishes for a picture as it is stored.
    pub(crate) granted: watch::Sender<Granted>,
    /// Those who are connected.
    pub(crate) crowd: Arc<PresenceSet>,
}

/// How far a room has come.
#[derive(Clone)]
pub(crate) enum Snapshot {
    /// It was never loaded yet.
    Loading,
    /// The present picture, as it is told to someone who has just come.
    Live(Arc<Announcement>),
    /// There is no such meeting.
    Missing,
    /// It could not be loaded when the first watcher came.
    Failed(Arc<PortFailure>),
    /// The hub was shut down before it was loaded.
    ShutDown,
}

/// Wishes for a picture that is loaded after the wish was made.
#[derive(Clone, Default)]
pub(crate) struct Granted {
    /// The first so many.
    pub(crate) wishes: u64,
    /// Why the last of them could not be granted.
    pub(crate) failure: Option<Arc<PortFailure>>,
}

/// Flags for the keeper. Raising one twice is the same as once, so there is no queue that could grow.
#[derive(Default)]
pub(crate) struct PendingUpdates {
    meeting_changed: AtomicBool,
    votes_changed: AtomicBool,
    /// Results that were declared. There are no more of them than rounds.
    declared: Mutex<Vec<DeclaredResult>>,
    /// How many times somebody wished for a picture as it is stored.
    wishes: AtomicU64,
    raised: Notify,
}

/// A round whose result was declared, and the question that was voted on.
pub(crate) type DeclaredResult = (RoundId, QuestionId);

impl PendingUpdates {
    pub(crate) fn meeting_changed(&self) {
        self.meeting_changed.store(true, Ordering::Release);
        self.raised.notify_one();
    }

    pub(crate) fn votes_changed(&self) {
        self.votes_changed.store(true, Ordering::Release);
        self.raised.notify_one();
    }

    /// Asks for the picture as it is stored from now on; which wish it was.
    fn wish(&self) -> u64 {
        let wish = self.wishes.fetch_add(1, Ordering::AcqRel) + 1;
        self.meeting_changed();
        wish
    }

    /// How many wishes there were. A picture that is loaded after this was asked grants them.
    pub(crate) fn wishes(&self) -> u64 {
        self.wishes.load(Ordering::Acquire)
    }

    pub(crate) fn voters_changed(&self) {
        self.raised.notify_one();
    }

    pub(crate) fn result_declared(&self, result: DeclaredResult) {
        let mut declared = self.declared();
        if !declared.contains(&result) {
            declared.push(result);
        }
        drop(declared);
        self.raised.notify_one();
    }

    /// The results that were declared since this was asked last.
    pub(crate) fn take_declared(&self) -> Vec<DeclaredResult> {
        std::mem::take(&mut *self.declared())
    }

    fn declared(&self) -> MutexGuard<'_, Vec<DeclaredResult>> {
        self.declared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the meeting changed since this was asked last.
    pub(crate) fn take_meeting_changed(&self) -> bool {
        self.meeting_changed.swap(false, Ordering::AcqRel)
    }

    /// Whether votes came in since this was asked last.
    pub(crate) fn take_votes_changed(&self) -> bool {
        self.votes_changed.swap(false, Ordering::AcqRel)
    }

    /// Waits until something was raised, also if that was before the call.
    pub(crate) async fn raised(&self) {
        self.raised.notified().await;
    }
}

impl Room {
    pub(crate) fn new(meeting: MeetingId, crowd: Arc<PresenceSet>, capacity: usize) -> Self {
        Self {
            meeting,
            picture: watch::Sender::new(Snapshot::Loading),
            announcements: broadcast::Sender::new(capacity.max(1)),
            ended: watch::Sender::new(false),
            errands: PendingUpdates::default(),
            granted: watch::Sender::new(Granted::default()),
            crowd,
        }
    }

    /// The picture, as soon as it was loaded or could not be.
    pub(crate) async fn loaded_picture(&self) -> Snapshot {
        let mut picture = self.picture.subscribe();
        match picture.wait_for(|picture| !matches!(picture, Snapshot::Loading)).await {
            Ok(loaded) => loaded.clone(),
            Err(_) => Snapshot::ShutDown,
        }
    }

    /// The present picture, if there is one.
    pub(crate) fn live_picture(&self) -> Option<Arc<Announcement>> {
        match &*self.picture.borrow() {
            Snapshot::Live(picture) => Some(Arc::clone(picture)),
            _ => None,
        }
    }

    /// The picture as it is stored now, where nobody says what has changed. However many wish for it, the keeper loads it one
    /// time after the other. `None` when the room is over.
    pub(crate) async fn stored_picture(&self) -> Result<Option<Arc<Announcement>>, PortFailure> {
        let mut granted = self.granted.subscribe();
        let wish = self.errands.wish();
        let is_granted = select! {
            granted = granted.wait_for(|granted| granted.wishes >= wish) => granted.ok().map(|granted| granted.clone()),
            () = self.end() => None,
        };
        match is_granted {
            Some(Granted { failure: Some(failure), .. }) => Err(PortFailure::new("the live picture", failure)),
            Some(Granted { failure: None, .. }) => Ok(self.live_picture()),
            None => Ok(None),
        }
    }

    /// Resolves when everyone has to leave.
    pub(crate) fn end(&self) -> impl Future<Output = ()> + Send + 'static {
        let mut ended = self.ended.subscribe();
        async move {
            // The sender cannot be gone before it said so, and if it is, the room is over all the same.
            let _ = ended.wait_for(|ended| *ended).await;
        }
    }
}
