//! State that the hub's tasks and streams share.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use chrono::{DateTime, Utc};
use plenum_kernel::{Clock, EndUserId, InstanceId, MeetingId, PortFailure};
use plenum_meetings::live::{LiveBus, LiveFrames, LiveNotice, LiveSource, LiveState, PresenceReport, Watcher};
use prometheus_client::metrics::gauge::Gauge;
use tokio::runtime::Handle;
use tokio::sync::watch;
use tokio::time::Instant;

use super::LivePorts;
use super::announcement::open_round;
use super::channel::{MeetingChannel, Snapshot};
use super::dirty_set::DirtySet;
use super::heartbeat::HeartbeatSchedule;
use super::presence_set::{PresenceCounts, PresenceSet};
use crate::LiveSettings;

/// Open streams by kind of watcher.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreamCounts {
    /// Streams of organizers.
    pub organizers: i64,
    /// Streams of voters. One voter may have several.
    pub voters: i64,
    /// Streams of presentations.
    pub public: i64,
}

#[derive(Default)]
struct Streams {
    organizers: Gauge,
    voters: Gauge,
    public: Gauge,
}

impl Streams {
    fn of(&self, watcher: Watcher) -> &Gauge {
        match watcher {
            Watcher::Organizer => &self.organizers,
            Watcher::Voter(_) => &self.voters,
            Watcher::Public => &self.public,
        }
    }
}

/// State that the hub's tasks and streams share.
pub(super) struct Hub {
    /// The id of this instance among several.
    pub(super) instance: InstanceId,
    bus: Arc<dyn LiveBus>,
    pub(super) source: Arc<dyn LiveSource>,
    pub(super) frames: Arc<dyn LiveFrames>,
    pub(super) settings: LiveSettings,
    pub(super) heartbeats: HeartbeatSchedule,
    pub(super) runtime: Handle,
    clock: Arc<dyn Clock>,
    highest_version: AtomicU64,
    watched: Mutex<WatchedMeetings>,
    /// The presence of each meeting, also of those that only other instances watch. Locked after `watched`.
    presence: Mutex<HashMap<MeetingId, Arc<PresenceSet>>>,
    /// Meetings whose attendance is to be recorded.
    pub(super) attendance_due: DirtySet,
    /// Meetings whose presence changes are to be reported to other instances.
    pub(super) presence_due: DirtySet,
    streams: Streams,
}

#[derive(Default)]
struct WatchedMeetings {
    is_shut_down: bool,
    by_id: HashMap<MeetingId, WatchedMeeting>,
}

struct WatchedMeeting {
    channel: Arc<MeetingChannel>,
    watchers: usize,
}

/// The outcome of joining a meeting.
pub(super) struct Joined {
    pub(super) guard: WatcherGuard,
    /// Whether the channel is new and needs a meeting task.
    pub(super) is_first: bool,
}

impl Hub {
    /// # Panics
    /// Panics outside a Tokio runtime.
    pub(super) fn new(ports: LivePorts, instance: InstanceId, settings: LiveSettings) -> Self {
        let LivePorts { source, frames, bus, clock } = ports;
        Self {
            instance,
            bus,
            source,
            frames,
            settings,
            heartbeats: HeartbeatSchedule::new(settings.heartbeat),
            runtime: Handle::current(),
            clock,
            highest_version: AtomicU64::new(0),
            watched: Mutex::default(),
            presence: Mutex::default(),
            attendance_due: DirtySet::default(),
            presence_due: DirtySet::default(),
            streams: Streams::default(),
        }
    }

    /// Ends all streams and refuses new watchers.
    pub(super) fn shutdown(&self) {
        let watched = {
            let mut watched = self.watched_meetings();
            watched.is_shut_down = true;
            std::mem::take(&mut watched.by_id)
        };
        for meeting in watched.values() {
            meeting.channel.ended.send_replace(true);
        }
    }

    pub(super) fn stream_counts(&self) -> StreamCounts {
        let Streams { organizers, voters, public } = &self.streams;
        StreamCounts { organizers: organizers.get(), voters: voters.get(), public: public.get() }
    }

    fn watched_meetings(&self) -> MutexGuard<'_, WatchedMeetings> {
        self.watched.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a watcher to the meeting's channel. The first watcher opens the channel. `None` after the shutdown.
    pub(super) fn join(hub: &Arc<Self>, meeting: MeetingId, watcher: Watcher) -> Option<Joined> {
        let mut watched = hub.watched_meetings();
        if watched.is_shut_down {
            return None;
        }
        let (channel, is_first) = match watched.by_id.entry(meeting) {
            Entry::Occupied(mut entry) => {
                entry.get_mut().watchers += 1;
                (Arc::clone(&entry.get().channel), false)
            }
            Entry::Vacant(entry) => {
                hub.drop_empty_presence_sets();
                let presence = hub.presence_set(meeting);
                let channel = Arc::new(MeetingChannel::new(meeting, presence, hub.settings.broadcast_capacity));
                entry.insert(WatchedMeeting { channel: Arc::clone(&channel), watchers: 1 });
                (channel, true)
            }
        };
        drop(watched);
        hub.streams.of(watcher).inc();
        let own_check_ins = match watcher {
            Watcher::Voter(voter) => {
                channel.presence.connect(voter);
                hub.local_presence_changed(&channel);
                Some(channel.check_ins.subscribe(voter))
            }
            Watcher::Organizer | Watcher::Public => None,
        };
        Some(Joined { guard: WatcherGuard { hub: Arc::clone(hub), channel, watcher, own_check_ins }, is_first })
    }

    /// Removes a watcher. The last one ends the channel.
    fn leave(&self, channel: &Arc<MeetingChannel>) {
        let mut watched = self.watched_meetings();
        if let Entry::Occupied(mut entry) = watched.by_id.entry(channel.meeting)
            && Arc::ptr_eq(&entry.get().channel, channel)
        {
            entry.get_mut().watchers -= 1;
            if entry.get().watchers == 0 {
                entry.remove();
                channel.ended.send_replace(true);
            }
        }
    }

    /// Ends all streams of a channel. The next watcher opens a new one.
    pub(super) fn close(&self, channel: &Arc<MeetingChannel>) {
        {
            let mut watched = self.watched_meetings();
            if watched.by_id.get(&channel.meeting).is_some_and(|meeting| Arc::ptr_eq(&meeting.channel, channel)) {
                watched.by_id.remove(&channel.meeting);
            }
        }
        channel.snapshot.send_if_modified(|snapshot| {
            let is_loading = matches!(snapshot, Snapshot::Loading);
            if is_loading {
                *snapshot = Snapshot::ShutDown;
            }
            is_loading
        });
        channel.ended.send_replace(true);
    }

    /// The presence set of a meeting that is being watched, or that another instance has reported. Created if missing.
    fn presence_set(&self, meeting: MeetingId) -> Arc<PresenceSet> {
        let mut sets = self.presence_sets();
        let set = sets.entry(meeting).or_insert_with(|| Arc::new(PresenceSet::new(self.presence_due.is_enabled())));
        Arc::clone(set)
    }

    /// Visits all presence sets, and so is called now and then, not for each report.
    fn drop_empty_presence_sets(&self) {
        // Any other holder is a channel, or is about to add a voter.
        self.presence_sets().retain(|_, set| Arc::strong_count(set) > 1 || !set.is_empty());
    }

    /// The presence set of a meeting, if there is one.
    pub(super) fn existing_presence_set(&self, meeting: MeetingId) -> Option<Arc<PresenceSet>> {
        self.presence_sets().get(&meeting).map(Arc::clone)
    }

    /// The meetings that have a presence set.
    pub(super) fn meetings_with_presence(&self) -> HashSet<MeetingId> {
        self.presence_sets().keys().copied().collect()
    }

    fn presence_sets(&self) -> MutexGuard<'_, HashMap<MeetingId, Arc<PresenceSet>>> {
        self.presence.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A voter connected or disconnected on this instance.
    fn local_presence_changed(&self, channel: &MeetingChannel) {
        channel.updates.presence_changed();
        self.presence_due.mark(channel.meeting);
    }

    /// Applies a presence report of another instance.
    pub(super) fn apply_report(&self, PresenceReport { instance, meeting, number, update }: PresenceReport) {
        // The bus should not deliver our own reports. If it does, our voters must not be counted twice.
        if instance == self.instance {
            return;
        }
        self.presence_set(meeting).apply_report(instance, number, update, Instant::now());
        self.remote_presence_changed(meeting);
    }

    fn remote_presence_changed(&self, meeting: MeetingId) {
        if let Some(meeting) = self.watched_meetings().by_id.get(&meeting) {
            meeting.channel.updates.presence_changed();
        }
    }

    /// Removes the voters of instances that have sent no report for `silence`. Removes none while messages of other
    /// instances do not arrive.
    pub(super) fn remove_silent_instances(&self, silence: Duration) {
        let now = Instant::now();
        let sets: Vec<_> = self.presence_sets().iter().map(|(meeting, set)| (*meeting, Arc::clone(set))).collect();
        for (meeting, set) in sets {
            if self.is_delayed() {
                set.reset_silence(now);
            } else if let Some(before) = now.checked_sub(silence)
                && set.remove_silent_instances(before)
            {
                self.remote_presence_changed(meeting);
            }
        }
        self.drop_empty_presence_sets();
    }

    /// Whether notices of other instances do not arrive.
    pub(super) fn is_delayed(&self) -> bool {
        !self.bus.receives_others()
    }

    /// Loads the state of a meeting that is not watched here.
    pub(super) async fn load_unwatched(&self, meeting: MeetingId) -> Result<Option<LiveState>, PortFailure> {
        let presence = self.existing_presence_set(meeting).filter(|set| !set.is_empty());
        let (facts, connected) = match presence {
            None => (self.source.load(meeting).await?, PresenceCounts::default()),
            Some(set) => match self.source.load_with_weights(meeting).await? {
                None => return Ok(None),
                Some((facts, weights)) => {
                    let counts = set.counts_by(&weights, &facts.holders);
                    (Some(facts), counts)
                }
            },
        };
        Ok(facts.map(|facts| {
            let PresenceCounts { participants, present, represented } =
                PresenceCounts::by_record(&facts).unwrap_or(connected);
            LiveState {
                instance: self.instance,
                version: self.first_version(),
                participants,
                present,
                represented,
                is_delayed: self.is_delayed(),
                facts: Arc::new(facts),
            }
        }))
    }

    /// The state of a meeting that is watched here. It is reloaded first while notices of other instances do not
    /// arrive, and until the missed changes are known.
    pub(super) async fn watched_state(&self, meeting: MeetingId) -> Result<Option<LiveState>, PortFailure> {
        let Some(channel) = self.channel(meeting) else { return Ok(None) };
        let snapshot = match channel.current_snapshot() {
            Some(snapshot) if self.is_delayed() || snapshot.state.is_delayed => channel.reloaded_snapshot().await?,
            snapshot => snapshot,
        };
        Ok(snapshot.map(|snapshot| snapshot.state.clone()))
    }

    /// The state of a meeting that is watched here, as the meeting task has it now.
    pub(super) fn current_state(&self, meeting: MeetingId) -> Option<LiveState> {
        let snapshot = self.channel(meeting)?.current_snapshot();
        snapshot.map(|snapshot| snapshot.state.clone())
    }

    fn channel(&self, meeting: MeetingId) -> Option<Arc<MeetingChannel>> {
        self.watched_meetings().by_id.get(&meeting).map(|meeting| Arc::clone(&meeting.channel))
    }

    /// The meetings that are watched here.
    pub(super) fn watched(&self) -> Vec<MeetingId> {
        self.watched_meetings().by_id.keys().copied().collect()
    }

    /// The voters who are connected to a meeting.
    pub(super) fn connected(&self, meeting: MeetingId) -> Vec<EndUserId> {
        self.existing_presence_set(meeting).map(|set| set.connected()).unwrap_or_default()
    }

    /// The current time.
    pub(super) fn now(&self) -> DateTime<Utc> {
        self.clock.now()
    }

    /// The version of a snapshot that is made now: the time in microseconds, but higher than every version before, in case
    /// the clock was set back.
    pub(super) fn first_version(&self) -> u64 {
        let now = u64::try_from(self.clock.now().timestamp_micros()).unwrap_or(0);
        now.max(self.highest_version.load(Ordering::Acquire) + 1)
    }

    /// Records a version that was sent.
    pub(super) fn record_version(&self, version: u64) {
        self.highest_version.fetch_max(version, Ordering::AcqRel);
    }

    /// Whether this voter has voted in the open round. False for other watchers, and without an open round.
    pub(super) async fn has_voted(&self, state: &LiveState, watcher: Watcher) -> Result<bool, PortFailure> {
        match (watcher, open_round(state)) {
            (Watcher::Voter(voter), Some(round)) => self.source.has_voted(round, voter).await,
            _ => Ok(false),
        }
    }

    /// Marks the meetings that a notice concerns. `None` means that notices were missed, so every watched meeting is
    /// marked.
    pub(super) fn dispatch(&self, notice: Option<LiveNotice>) {
        let watched = self.watched_meetings();
        let updates = |meeting| watched.by_id.get(&meeting).map(|meeting| &meeting.channel.updates);
        match notice {
            Some(LiveNotice::MeetingChanged(meeting)) => {
                self.attendance_due.mark(meeting);
                if let Some(updates) = updates(meeting) {
                    updates.meeting_changed();
                }
            }
            Some(LiveNotice::ClientChanged(client)) => {
                for WatchedMeeting { channel, .. } in watched.by_id.values() {
                    // The client of a meeting is not known during its first load, which may have begun before the change.
                    let of = channel.current_snapshot().map(|snapshot| snapshot.state.facts.client_id);
                    if of.is_none_or(|of| of == client) {
                        channel.updates.meeting_changed();
                    }
                }
            }
            Some(LiveNotice::VotesChanged(meeting)) => {
                if let Some(updates) = updates(meeting) {
                    updates.votes_changed();
                }
            }
            Some(LiveNotice::PresenceChanged { meeting, end_user, is_in }) => {
                self.attendance_due.mark(meeting);
                if let Some(watched) = watched.by_id.get(&meeting) {
                    watched.channel.updates.checked_in_changed();
                    watched.channel.check_ins.tell(end_user, is_in);
                }
            }
            Some(LiveNotice::ResultDeclared { meeting, round, question }) => {
                if let Some(updates) = updates(meeting) {
                    updates.result_declared((round, question));
                }
            }
            None => watched.by_id.values().for_each(|meeting| {
                self.attendance_due.mark(meeting.channel.meeting);
                meeting.channel.updates.meeting_changed();
            }),
        }
    }
}

/// A watcher of a meeting. Dropping it removes the watcher.
pub(super) struct WatcherGuard {
    pub(super) hub: Arc<Hub>,
    pub(super) channel: Arc<MeetingChannel>,
    pub(super) watcher: Watcher,
    /// Each check-in and check-out of this voter. `None` for other watchers.
    pub(super) own_check_ins: Option<watch::Receiver<bool>>,
}

impl Drop for WatcherGuard {
    fn drop(&mut self) {
        self.hub.streams.of(self.watcher).dec();
        if let Watcher::Voter(voter) = self.watcher {
            self.channel.presence.disconnect(voter);
            self.hub.local_presence_changed(&self.channel);
            self.own_check_ins = None;
            self.channel.check_ins.forget_unwatched(voter);
        }
        self.hub.leave(&self.channel);
    }
}
