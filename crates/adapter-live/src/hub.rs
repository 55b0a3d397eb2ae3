use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use futures_util::{StreamExt, stream};
use plenum_kernel::{Clock, MeetingId, PortFailure};
use plenum_meetings::live::{
    FrameStream, LiveBus, LiveFrames, LiveNotice, LiveRooms, LiveSource, LiveState, NoticeStream, Watcher,
};
use tokio::runtime::Handle;
use tokio::task::AbortHandle;

use crate::LiveSettings;
use crate::announcement::open_round;
use crate::backoff::Backoff;
use crate::keeper;
use crate::room::{Picture, Room};
use crate::watching;

/// Keeps one room for each meeting that is being watched through this instance.
///
/// Dropping it shuts it down.
pub struct LiveHub {
    hub: Arc<Hub>,
    dispatcher: AbortHandle,
}

impl LiveHub {
    /// Listens to the bus from now on. Its tasks run on the runtime in which this is called, whoever watches.
    ///
    /// # Panics
    /// Panics outside a Tokio runtime.
    pub fn start(
        source: Arc<dyn LiveSource>,
        frames: Arc<dyn LiveFrames>,
        bus: Arc<dyn LiveBus>,
        clock: Arc<dyn Clock>,
        settings: LiveSettings,
    ) -> Self {
        let runtime = Handle::current();
        let hub = Arc::new(Hub {
            source,
            frames,
            clock,
            settings,
            runtime: runtime.clone(),
            highest_version: AtomicU64::new(0),
            rooms: Mutex::default(),
        });
        // Subscribed here and not in the task, so that a change right after this call is not missed.
        let notices = bus.subscribe();
        let dispatcher = runtime.spawn(dispatch(Arc::clone(&hub), bus, notices)).abort_handle();
        Self { hub, dispatcher }
    }

    /// Ends all streams at once, for an orderly stop. Watching is still answered after it, by streams that end at once.
    pub fn shutdown(&self) {
        self.dispatcher.abort();
        let rooms = {
            let mut rooms = self.hub.rooms();
            rooms.is_shut_down = true;
            std::mem::take(&mut rooms.watched)
        };
        for watched in rooms.values() {
            watched.room.ended.send_replace(true);
        }
    }

    /// How many meetings are being watched through this instance.
    pub fn watched_meetings(&self) -> usize {
        self.hub.rooms().watched.len()
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
impl LiveRooms for LiveHub {
    async fn watch(&self, meeting: MeetingId, watcher: Watcher) -> Result<Option<FrameStream>, PortFailure> {
        match Hub::sit_down(&self.hub, meeting, watcher) {
            Some(seat) => watching::watch(seat).await,
            None => Ok(Some(stream::empty().boxed())),
        }
    }

    async fn state(&self, meeting: MeetingId) -> Result<Option<LiveState>, PortFailure> {
        if let Some(picture) = self.hub.live_picture(meeting) {
            return Ok(Some(picture));
        }
        let Some(facts) = self.hub.source.load(meeting).await? else {
            return Ok(None);
        };
        // Someone may have begun to watch meanwhile; versions must not go back for who looks first and watches then.
        Ok(Some(self.hub.live_picture(meeting).unwrap_or_else(|| LiveState {
            version: self.hub.first_version(),
            participants: 0,
            facts: Arc::new(facts),
        })))
    }

    async fn has_voted(&self, state: &LiveState, watcher: Watcher) -> Result<bool, PortFailure> {
        self.hub.has_voted(state, watcher).await
    }
}

/// What the hub, its rooms and its watchers share.
pub(crate) struct Hub {
    pub(crate) source: Arc<dyn LiveSource>,
    pub(crate) frames: Arc<dyn LiveFrames>,
    pub(crate) settings: LiveSettings,
    clock: Arc<dyn Clock>,
    runtime: Handle,
    highest_version: AtomicU64,
    rooms: Mutex<Rooms>,
}

#[derive(Default)]
struct Rooms {
    is_shut_down: bool,
    watched: HashMap<MeetingId, WatchedRoom>,
}

struct WatchedRoom {
    room: Arc<Room>,
    watchers: usize,
}

impl Hub {
    fn rooms(&self) -> MutexGuard<'_, Rooms> {
        self.rooms.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a seat in the meeting's room, which is opened for the first one who comes. `None` after the shutdown.
    fn sit_down(hub: &Arc<Self>, meeting: MeetingId, watcher: Watcher) -> Option<Seat> {
        let mut rooms = hub.rooms();
        if rooms.is_shut_down {
            return None;
        }
        let room = match rooms.watched.entry(meeting) {
            Entry::Occupied(mut entry) => {
                entry.get_mut().watchers += 1;
                Arc::clone(&entry.get().room)
            }
            Entry::Vacant(entry) => {
                let room = Arc::new(Room::new(meeting, hub.settings.broadcast_capacity));
                entry.insert(WatchedRoom { room: Arc::clone(&room), watchers: 1 });
                hub.runtime.spawn(keeper::keep(Arc::clone(hub), Arc::clone(&room)));
                room
            }
        };
        drop(rooms);
        if let Watcher::Voter(voter) = watcher {
            room.voter_came(voter);
        }
        Some(Seat { hub: Arc::clone(hub), room, watcher })
    }

    /// Counts a watcher out; the last one ends the room.
    fn stand_up(&self, room: &Arc<Room>) {
        let mut rooms = self.rooms();
        if let Entry::Occupied(mut entry) = rooms.watched.entry(room.meeting)
            && Arc::ptr_eq(&entry.get().room, room)
        {
            entry.get_mut().watchers -= 1;
            if entry.get().watchers == 0 {
                entry.remove();
                room.ended.send_replace(true);
            }
        }
    }

    /// Sends everyone away and lets the next watcher open a new room.
    pub(crate) fn close(&self, room: &Arc<Room>) {
        {
            let mut rooms = self.rooms();
            if rooms.watched.get(&room.meeting).is_some_and(|watched| Arc::ptr_eq(&watched.room, room)) {
                rooms.watched.remove(&room.meeting);
            }
        }
        room.picture.send_if_modified(|picture| {
            let is_loading = matches!(picture, Picture::Loading);
            if is_loading {
                *picture = Picture::ShutDown;
            }
            is_loading
        });
        room.ended.send_replace(true);
    }

    fn live_picture(&self, meeting: MeetingId) -> Option<LiveState> {
        let room = self.rooms().watched.get(&meeting).map(|watched| Arc::clone(&watched.room))?;
        room.live_picture().map(|picture| picture.state.clone())
    }

    /// The version of a picture that is taken now: the time, but above all that went before, in case that the clock
    /// was set back.
    pub(crate) fn first_version(&self) -> u64 {
        let now = u64::try_from(self.clock.now().timestamp_micros()).unwrap_or(0);
        now.max(self.highest_version.load(Ordering::Acquire) + 1)
    }

    /// Remembers a version that was told.
    pub(crate) fn has_told(&self, version: u64) {
        self.highest_version.fetch_max(version, Ordering::AcqRel);
    }

    pub(crate) async fn has_voted(&self, state: &LiveState, watcher: Watcher) -> Result<bool, PortFailure> {
        match (watcher, open_round(state)) {
            (Watcher::Voter(voter), Some(round)) => self.source.has_voted(round, voter).await,
            _ => Ok(false),
        }
    }

    fn notice(&self, notice: Option<LiveNotice>) {
        let rooms = self.rooms();
        let errands = |meeting| rooms.watched.get(&meeting).map(|watched| &watched.room.errands);
        match notice {
            Some(LiveNotice::MeetingChanged(meeting)) => {
                if let Some(errands) = errands(meeting) {
                    errands.meeting_changed();
                }
            }
            Some(LiveNotice::VotesChanged(meeting)) => {
                if let Some(errands) = errands(meeting) {
                    errands.votes_changed();
                }
            }
            // Nobody knows what was missed.
            None => rooms.watched.values().for_each(|watched| watched.room.errands.meeting_changed()),
        }
    }
}

/// A watcher's place in a room. Dropping it is leaving.
pub(crate) struct Seat {
    pub(crate) hub: Arc<Hub>,
    pub(crate) room: Arc<Room>,
    pub(crate) watcher: Watcher,
}

impl Drop for Seat {
    fn drop(&mut self) {
        if let Watcher::Voter(voter) = self.watcher {
            self.room.voter_left(voter);
        }
        self.hub.stand_up(&self.room);
    }
}

/// Passes every notice on to the room that it concerns.
async fn dispatch(hub: Arc<Hub>, bus: Arc<dyn LiveBus>, mut notices: NoticeStream) {
    let mut backoff = Backoff::new();
    loop {
        while let Some(notice) = notices.next().await {
            hub.notice(notice);
            backoff = Backoff::new();
        }
        tracing::warn!("the live bus has ended; subscribing again");
        tokio::time::sleep(backoff.next()).await;
        notices = bus.subscribe();
        hub.notice(None);
    }
}
