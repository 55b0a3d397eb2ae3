use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use futures_util::{StreamExt, stream};
use plenum_kernel::{Clock, EndUserId, InstanceId, MeetingId, PortFailure};
use plenum_meetings::live::{
    FrameStream, LiveBus, LiveFrames, LiveNotice, LiveRooms, LiveSource, LiveState, NoticeStream, PresenceBus,
    PresenceReport, Watcher,
};
use plenum_meetings::{AttendanceStore, People};
use plenum_metrics::Level;
use tokio::runtime::Handle;
use tokio::task::AbortHandle;
use tokio::time::Instant;

use crate::LiveSettings;
use crate::hub::announcement::open_round;
use crate::hub::attendance;
use crate::hub::backoff::Backoff;
use crate::hub::channel::{Room, Snapshot};
use crate::hub::dirty_set::DirtySet;
use crate::hub::heartbeat::HeartbeatSchedule;
use crate::hub::meeting_task;
use crate::hub::presence_set::{Presence, PresenceSet};
use crate::hub::presence_sharing as sharing;
use crate::hub::watcher as watching;

/// Keeps one room for each meeting that is being watched through this instance.
///
/// Dropping it shuts it down.
pub struct LiveHub {
    hub: Arc<Hub>,
    tasks: Vec<AbortHandle>,
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
        instance: InstanceId,
        settings: LiveSettings,
    ) -> Self {
        let runtime = Handle::current();
        let hub = Arc::new(Hub {
            instance,
            bus: Arc::clone(&bus),
            source,
            frames,
            clock,
            settings,
            rhythm: HeartbeatSchedule::new(settings.heartbeat),
            runtime: runtime.clone(),
            highest_version: AtomicU64::new(0),
            rooms: Mutex::default(),
            crowds: Mutex::default(),
            looks: DirtySet::default(),
            moved: DirtySet::default(),
            streams: Streams::default(),
        });
        // Subscribed here and not in the task, so that a change right after this call is not missed.
        let notices = bus.subscribe();
        let dispatcher = runtime.spawn(dispatch(Arc::clone(&hub), bus, notices)).abort_handle();
        Self { hub, tasks: vec![dispatcher] }
    }

    /// Notes in this store who is there in the course of meetings, from now on.
    pub fn note_attendance(&mut self, store: Arc<dyn AttendanceStore>) {
        self.hub.looks.begin();
        let noting = self.hub.runtime.spawn(attendance::keep(Arc::clone(&self.hub), store));
        self.tasks.push(noting.abort_handle());
    }

    /// Tells other instances who is connected through this one, and hears the same of them, from now on. Called before
    /// anybody watches.
    pub fn share_presence(&mut self, bus: Arc<dyn PresenceBus>) {
        self.hub.moved.begin();
        // Subscribed here and not in the task, so that a report right after this call is not missed.
        let reports = bus.reports();
        let sharing = self.hub.runtime.spawn(sharing::share(Arc::clone(&self.hub), bus, reports));
        self.tasks.push(sharing.abort_handle());
    }

    /// Ends all streams at once, for an orderly stop. Watching is still answered after it, by streams that end at once.
    pub fn shutdown(&self) {
        self.tasks.iter().for_each(AbortHandle::abort);
        let rooms = {
            let mut rooms = self.hub.rooms();
            rooms.is_shut_down = true;
            std::mem::take(&mut rooms.watched)
        };
        for watched in rooms.values() {
            watched.room.ended.send_replace(true);
        }
    }

    /// The voters who are connected to a meeting.
    pub(crate) fn everyone_in(&self, meeting: MeetingId) -> Vec<EndUserId> {
        self.hub.connected(meeting)
    }

    /// How many screens watch through this instance.
    pub fn watching(&self) -> Watching {
        let Streams { organizers, voters, public } = &self.hub.streams;
        Watching { organizers: organizers.get(), voters: voters.get(), public: public.get() }
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
        match Hub::join(&self.hub, meeting, watcher) {
            Some(seat) => watching::watch(seat).await,
            None => Ok(Some(stream::empty().boxed())),
        }
    }

    async fn state(&self, meeting: MeetingId) -> Result<Option<LiveState>, PortFailure> {
        if let Some(picture) = self.hub.present_picture(meeting).await? {
            return Ok(Some(picture));
        }
        let loaded = self.hub.load_unwatched(meeting).await?;
        // Someone may have begun to watch meanwhile; versions must not go back for who looks first and watches then.
        Ok(loaded.map(|loaded| self.hub.live_picture(meeting).unwrap_or(loaded)))
    }

    async fn has_voted(&self, state: &LiveState, watcher: Watcher) -> Result<bool, PortFailure> {
        self.hub.has_voted(state, watcher).await
    }
}

/// How many screens of each kind are open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Watching {
    /// Of organizers.
    pub organizers: u64,
    /// Of voters, however many each has.
    pub voters: u64,
    /// Big screens.
    pub public: u64,
}

#[derive(Default)]
struct Streams {
    organizers: Level,
    voters: Level,
    public: Level,
}

impl Streams {
    fn of(&self, watcher: Watcher) -> &Level {
        match watcher {
            Watcher::Organizer => &self.organizers,
            Watcher::Voter(_) => &self.voters,
            Watcher::Public => &self.public,
        }
    }
}

/// What the hub, its rooms and its watchers share.
pub(crate) struct Hub {
    /// Who we are among several.
    pub(crate) instance: InstanceId,
    bus: Arc<dyn LiveBus>,
    pub(crate) source: Arc<dyn LiveSource>,
    pub(crate) frames: Arc<dyn LiveFrames>,
    pub(crate) settings: LiveSettings,
    pub(crate) rhythm: HeartbeatSchedule,
    clock: Arc<dyn Clock>,
    runtime: Handle,
    highest_version: AtomicU64,
    rooms: Mutex<Rooms>,
    /// Those who are connected to each meeting, also where only other instances told of them. Locked after the rooms.
    crowds: Mutex<HashMap<MeetingId, Arc<PresenceSet>>>,
    /// The meetings in which it is to be noted who is there.
    pub(crate) looks: DirtySet,
    /// The meetings of which others are to be told that voters came or left.
    pub(crate) moved: DirtySet,
    streams: Streams,
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
    fn join(hub: &Arc<Self>, meeting: MeetingId, watcher: Watcher) -> Option<Seat> {
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
                hub.drop_empty_crowds();
                let room = Arc::new(Room::new(meeting, hub.crowd_of(meeting), hub.settings.broadcast_capacity));
                entry.insert(WatchedRoom { room: Arc::clone(&room), watchers: 1 });
                hub.runtime.spawn(meeting_task::keep(Arc::clone(hub), Arc::clone(&room)));
                room
            }
        };
        drop(rooms);
        hub.streams.of(watcher).up();
        if let Watcher::Voter(voter) = watcher {
            room.crowd.came(voter);
            hub.crowd_changed(&room);
        }
        Some(Seat { hub: Arc::clone(hub), room, watcher })
    }

    /// Counts a watcher out; the last one ends the room.
    fn leave(&self, room: &Arc<Room>) {
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
            let is_loading = matches!(picture, Snapshot::Loading);
            if is_loading {
                *picture = Snapshot::ShutDown;
            }
            is_loading
        });
        room.ended.send_replace(true);
    }

    /// The crowd of a meeting that somebody begins to watch, or of which another instance tells.
    fn crowd_of(&self, meeting: MeetingId) -> Arc<PresenceSet> {
        let mut crowds = self.crowds();
        Arc::clone(crowds.entry(meeting).or_insert_with(|| Arc::new(PresenceSet::new(self.moved.has_begun()))))
    }

    /// Looks at all crowds, and so is called now and then and not for each report.
    fn drop_empty_crowds(&self) {
        // Whoever else holds one is a room, or about to count somebody in.
        self.crowds().retain(|_, crowd| Arc::strong_count(crowd) > 1 || !crowd.is_empty());
    }

    /// The crowd of a meeting, where anybody knows of one.
    pub(crate) fn crowd_if_any(&self, meeting: MeetingId) -> Option<Arc<PresenceSet>> {
        self.crowds().get(&meeting).map(Arc::clone)
    }

    /// The meetings in which somebody may be.
    pub(crate) fn crowded(&self) -> HashSet<MeetingId> {
        self.crowds().keys().copied().collect()
    }

    fn crowds(&self) -> MutexGuard<'_, HashMap<MeetingId, Arc<PresenceSet>>> {
        self.crowds.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Someone came or left here.
    fn crowd_changed(&self, room: &Room) {
        room.errands.voters_changed();
        self.moved.look_at(room.meeting);
    }

    /// Hears who is connected through another instance.
    pub(crate) fn hear(&self, PresenceReport { instance, meeting, number, news }: PresenceReport) {
        // The bus should not, but where it brings back what we told, nobody is here twice.
        if instance == self.instance {
            return;
        }
        self.crowd_of(meeting).hear(instance, number, news, Instant::now());
        self.crowd_changed_elsewhere(meeting);
    }

    fn crowd_changed_elsewhere(&self, meeting: MeetingId) {
        if let Some(watched) = self.rooms().watched.get(&meeting) {
            watched.room.errands.voters_changed();
        }
    }

    /// Forgets those of instances of which nothing was heard for so long, unless none can be heard.
    pub(crate) fn forget_silent(&self, silence: Duration) {
        let now = Instant::now();
        let crowds: Vec<_> = self.crowds().iter().map(|(meeting, crowd)| (*meeting, Arc::clone(crowd))).collect();
        for (meeting, crowd) in crowds {
            if self.is_delayed() {
                crowd.excuse_silence(now);
            } else if let Some(before) = now.checked_sub(silence)
                && crowd.forget_silent(before)
            {
                self.crowd_changed_elsewhere(meeting);
            }
        }
        self.drop_empty_crowds();
    }

    /// Whether what happens on other instances is not heard of.
    pub(crate) fn is_delayed(&self) -> bool {
        !self.bus.hears_others()
    }

    /// The picture of a meeting that nobody watches here.
    async fn load_unwatched(&self, meeting: MeetingId) -> Result<Option<LiveState>, PortFailure> {
        let crowd = self.crowd_if_any(meeting).filter(|crowd| !crowd.is_empty());
        let (facts, presence) = match crowd {
            None => (self.source.load(meeting).await?, Presence { participants: 0, present: People::default() }),
            Some(crowd) => match self.source.load_with_weights(meeting).await? {
                None => return Ok(None),
                Some((facts, weights)) => {
                    let presence = crowd.presence_by(&weights);
                    (Some(facts), presence)
                }
            },
        };
        Ok(facts.map(|facts| LiveState {
            instance: self.instance,
            version: self.first_version(),
            participants: presence.participants,
            present: presence.present,
            is_delayed: self.is_delayed(),
            facts: Arc::new(facts),
        }))
    }

    /// The picture of a meeting that is watched here. While nobody says what happens on other instances, and until it is
    /// known what was missed, it is loaded again before it is told.
    async fn present_picture(&self, meeting: MeetingId) -> Result<Option<LiveState>, PortFailure> {
        let Some(room) = self.watched_room(meeting) else { return Ok(None) };
        let picture = match room.live_picture() {
            Some(picture) if self.is_delayed() || picture.state.is_delayed => room.stored_picture().await?,
            picture => picture,
        };
        Ok(picture.map(|picture| picture.state.clone()))
    }

    fn live_picture(&self, meeting: MeetingId) -> Option<LiveState> {
        let picture = self.watched_room(meeting)?.live_picture();
        picture.map(|picture| picture.state.clone())
    }

    fn watched_room(&self, meeting: MeetingId) -> Option<Arc<Room>> {
        self.rooms().watched.get(&meeting).map(|watched| Arc::clone(&watched.room))
    }

    /// The meetings that are being watched here.
    pub(crate) fn watched(&self) -> Vec<MeetingId> {
        self.rooms().watched.keys().copied().collect()
    }

    /// The voters who are connected to a meeting.
    pub(crate) fn connected(&self, meeting: MeetingId) -> Vec<EndUserId> {
        self.crowd_if_any(meeting).map(|crowd| crowd.connected()).unwrap_or_default()
    }

    /// What time it is.
    pub(crate) fn now(&self) -> DateTime<Utc> {
        self.clock.now()
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
                self.looks.look_at(meeting);
                if let Some(errands) = errands(meeting) {
                    errands.meeting_changed();
                }
            }
            Some(LiveNotice::VotesChanged(meeting)) => {
                if let Some(errands) = errands(meeting) {
                    errands.votes_changed();
                }
            }
            Some(LiveNotice::ResultDeclared { meeting, round, question }) => {
                if let Some(errands) = errands(meeting) {
                    errands.result_declared((round, question));
                }
            }
            // Nobody knows what was missed.
            None => rooms.watched.values().for_each(|watched| {
                self.looks.look_at(watched.room.meeting);
                watched.room.errands.meeting_changed();
            }),
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
        self.hub.streams.of(self.watcher).down();
        if let Watcher::Voter(voter) = self.watcher {
            self.room.crowd.left(voter);
            self.hub.crowd_changed(&self.room);
        }
        self.hub.leave(&self.room);
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
