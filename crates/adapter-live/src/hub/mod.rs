//! The hub's state, and the tasks and streams that work on it.

mod announcement;
mod attendance;
mod backoff;
mod channel;
mod check_ins;
mod dirty_set;
mod dispatcher;
mod heartbeat;
mod meeting_task;
mod presence_set;
mod presence_sharing;
mod state;
mod watcher;

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use futures_util::{StreamExt, stream};
use plenum_kernel::{Clock, EndUserId, InstanceId, MeetingId, PortFailure};
use plenum_meetings::AttendanceStore;
use plenum_meetings::live::{
    FrameStream, LiveBus, LiveFrames, LiveSource, LiveState, LiveStreams, Presence, PresenceBus, Watcher,
};
use tokio::task::AbortHandle;

use crate::LiveSettings;
pub use state::StreamCounts;
use state::{Hub, Joined};

/// The ports that the hub needs.
pub struct LivePorts {
    /// Loads the state of meetings.
    pub source: Arc<dyn LiveSource>,
    /// Encodes the state for screens.
    pub frames: Arc<dyn LiveFrames>,
    /// Carries notices of changes.
    pub bus: Arc<dyn LiveBus>,
    /// The time.
    pub clock: Arc<dyn Clock>,
}

/// Sends live state to everyone who watches a meeting through this instance.
///
/// Dropping it shuts it down.
pub struct LiveHub {
    hub: Arc<Hub>,
    tasks: Vec<AbortHandle>,
}

impl LiveHub {
    /// Starts to listen to the bus. All tasks of the hub run on the current runtime.
    ///
    /// # Panics
    /// Panics outside a Tokio runtime.
    pub fn start(ports: LivePorts, instance: InstanceId, settings: LiveSettings) -> Self {
        let bus = Arc::clone(&ports.bus);
        let hub = Arc::new(Hub::new(ports, instance, settings));
        // Subscribes here and not in the task, so that a change right after this call is not missed.
        let notices = bus.subscribe();
        let dispatcher = hub.runtime.spawn(dispatcher::run(Arc::clone(&hub), bus, notices)).abort_handle();
        Self { hub, tasks: vec![dispatcher] }
    }

    /// Starts to record the attendance of each meeting in `store`.
    pub fn record_attendance(&mut self, store: Arc<dyn AttendanceStore>) {
        self.hub.attendance_due.enable();
        let task = self.hub.runtime.spawn(attendance::run(Arc::clone(&self.hub), store));
        self.tasks.push(task.abort_handle());
    }

    /// Starts to exchange presence reports with other instances. Must be called before the first watcher joins.
    pub fn share_presence(&mut self, bus: Arc<dyn PresenceBus>) {
        self.hub.presence_due.enable();
        // Subscribes here and not in the task, so that a report right after this call is not missed.
        let reports = bus.reports();
        let task = self.hub.runtime.spawn(presence_sharing::run(Arc::clone(&self.hub), bus, reports));
        self.tasks.push(task.abort_handle());
    }

    /// Ends all streams at once. A later `watch` is still answered, with a stream that ends at once.
    pub fn shutdown(&self) {
        self.tasks.iter().for_each(AbortHandle::abort);
        self.hub.shutdown();
    }

    /// Counts the streams that are open on this instance.
    pub fn stream_counts(&self) -> StreamCounts {
        self.hub.stream_counts()
    }

    /// Counts the meetings that are watched through this instance.
    pub fn watched_meetings(&self) -> usize {
        self.hub.watched().len()
    }
}

impl Drop for LiveHub {
    fn drop(&mut self) {
        self.shutdown();
    }
}

impl fmt::Debug for LiveHub {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LiveHub").field("watched_meetings", &self.watched_meetings()).finish_non_exhaustive()
    }
}

#[async_trait]
impl LiveStreams for LiveHub {
    async fn watch(&self, meeting: MeetingId, watcher: Watcher) -> Result<Option<FrameStream>, PortFailure> {
        let Some(Joined { guard, is_first }) = Hub::join(&self.hub, meeting, watcher) else {
            return Ok(Some(stream::empty().boxed()));
        };
        if is_first {
            self.hub.runtime.spawn(meeting_task::run(Arc::clone(&self.hub), Arc::clone(&guard.channel)));
        }
        watcher::watch(guard).await
    }

    async fn state(&self, meeting: MeetingId) -> Result<Option<LiveState>, PortFailure> {
        if let Some(watched) = self.hub.watched_state(meeting).await? {
            return Ok(Some(watched));
        }
        let loaded = self.hub.load_unwatched(meeting).await?;
        // A watcher may have joined meanwhile. A client that reads the state and then watches must not see versions go back.
        Ok(loaded.map(|loaded| self.hub.current_state(meeting).unwrap_or(loaded)))
    }

    async fn has_voted(&self, state: &LiveState, watcher: Watcher) -> Result<bool, PortFailure> {
        self.hub.has_voted(state, watcher).await
    }
}

/// Voters who are connected through this instance, and through other instances as far as these have reported.
impl Presence for LiveHub {
    fn connected(&self, meeting: MeetingId) -> Vec<EndUserId> {
        self.hub.connected(meeting)
    }
}

/// The same voters, for the voting domain.
impl plenum_voting::Presence for LiveHub {
    fn connected(&self, meeting: MeetingId) -> Vec<EndUserId> {
        self.hub.connected(meeting)
    }
}
