//! Hubs of several instances, on a bus that the test can cut.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use futures_util::future::join_all;
use futures_util::{StreamExt as _, stream};
use plenum_adapter_live::{InProcessBus, LiveHub, LivePorts, LiveSettings};
use plenum_kernel::InstanceId;
use plenum_meetings::People;
use plenum_meetings::live::{
    LiveBus, LiveChange, LiveCheckIn, LiveNotice, LiveStreams as _, NoticeStream, Presence, PresenceBus,
    PresenceReport, PresenceUpdate, ReportStream, Watcher,
};
use tokio::sync::broadcast;
use tokio::time::{Instant, sleep};

use crate::support::{Fixture, WatcherStream};

/// The silence after which an instance counts as stopped.
const SILENCE: Duration = Duration::from_secs(15);

/// The connection between the instances.
struct Wire {
    reports: broadcast::Sender<Option<PresenceReport>>,
    is_cut: AtomicBool,
    /// Whether instances receive their own reports as well.
    has_echo: AtomicBool,
    /// The number of reports to lose next.
    loses: AtomicUsize,
}

/// The end of the connection at one instance.
struct WireBus {
    wire: Arc<Wire>,
    instance: InstanceId,
    inner: InProcessBus,
    again: broadcast::Sender<()>,
}

#[async_trait]
impl LiveBus for WireBus {
    async fn publish(&self, notice: LiveNotice) {
        self.inner.publish(notice).await;
    }

    fn subscribe(&self) -> NoticeStream {
        let missed = stream::unfold(self.again.subscribe(), |mut again| async move {
            again.recv().await.ok()?;
            Some((None, again))
        });
        stream::select(self.inner.subscribe(), missed).boxed()
    }

    fn receives_others(&self) -> bool {
        !self.wire.is_cut.load(Ordering::SeqCst)
    }
}

impl PresenceBus for WireBus {
    fn report(&self, report: PresenceReport) {
        let is_lost = || {
            let lose = |left: usize| left.checked_sub(1);
            self.wire.loses.fetch_update(Ordering::SeqCst, Ordering::SeqCst, lose).is_ok()
        };
        if self.receives_others() && !is_lost() {
            let _ = self.wire.reports.send(Some(report));
        }
    }

    fn reports(&self) -> ReportStream {
        let (own, wire) = (self.instance, Arc::clone(&self.wire));
        let all = stream::unfold(self.wire.reports.subscribe(), |mut reports| async move {
            Some((reports.recv().await.ok()?, reports))
        });
        all.filter(move |report: &Option<PresenceReport>| {
            let has_echo = wire.has_echo.load(Ordering::SeqCst);
            std::future::ready(has_echo || report.as_ref().is_none_or(|report| report.instance != own))
        })
        .boxed()
    }
}

/// Two instances on one store.
struct Site {
    fixture: Fixture,
    wire: Arc<Wire>,
    buses: Vec<Arc<WireBus>>,
    hubs: Vec<LiveHub>,
}

impl Site {
    fn new() -> Self {
        let wire = Arc::new(Wire {
            reports: broadcast::Sender::new(1_024),
            is_cut: AtomicBool::new(false),
            has_echo: AtomicBool::new(false),
            loses: AtomicUsize::new(0),
        });
        let mut site = Self { fixture: Fixture::new(), wire, buses: Vec::new(), hubs: Vec::new() };
        site.add();
        site.add();
        site
    }

    fn add(&mut self) {
        // Any unused id.
        let instance = InstanceId::from_uuid(self.fixture.new_voter().as_uuid());
        let (inner, again) = (InProcessBus::new(), broadcast::Sender::new(8));
        let bus = Arc::new(WireBus { wire: Arc::clone(&self.wire), instance, inner, again });
        let fixture = &self.fixture;
        let (source, frames, clock) = (fixture.source.clone(), fixture.frames.clone(), fixture.clock.clone());
        let ports = LivePorts { source, frames, bus: bus.clone(), clock };
        let mut hub = LiveHub::start(ports, instance, LiveSettings::default());
        hub.share_presence(bus.clone());
        self.buses.push(bus);
        self.hubs.push(hub);
    }

    /// Cuts or restores the connection.
    fn cut(&self, is_cut: bool) {
        self.wire.is_cut.store(is_cut, Ordering::SeqCst);
        for bus in &self.buses {
            let _ = bus.again.send(());
        }
        if !is_cut {
            let _ = self.wire.reports.send(None);
        }
    }

    async fn watch(&self, instance: usize, watcher: Watcher) -> WatcherStream {
        let frames = self.hubs[instance].watch(self.fixture.meeting, watcher).await.unwrap().unwrap();
        let mut stream = WatcherStream::new(frames);
        assert_eq!(stream.next().await.change, LiveChange::Connected);
        stream
    }

    async fn participants(&self, instance: usize) -> u64 {
        self.hubs[instance].state(self.fixture.meeting).await.unwrap().unwrap().participants
    }

    /// Waits until all running work is done.
    async fn settled(&self) -> [u64; 2] {
        sleep(Duration::from_secs(1)).await;
        [self.participants(0).await, self.participants(1).await]
    }

    fn connected(&self, instance: usize) -> usize {
        Presence::connected(&self.hubs[instance], self.fixture.meeting).len()
    }
}

/// Waits for a snapshot with this number of participants.
async fn until(stream: &mut WatcherStream, participants: u64) {
    while stream.next().await.participants != participants {}
}

#[tokio::test(start_paused = true)]
async fn a_voter_who_watches_through_two_instances_is_counted_once_on_both() {
    let site = Site::new();
    let (anna, ben) = (site.fixture.new_voter(), site.fixture.new_voter());
    let mut organizer = site.watch(0, Watcher::Organizer).await;
    let first = site.watch(0, Watcher::Voter(anna)).await;
    let second = site.watch(1, Watcher::Voter(anna)).await;
    let other = site.watch(1, Watcher::Voter(ben)).await;
    until(&mut organizer, 2).await;
    assert_eq!(site.settled().await, [2, 2]);
    assert_eq!((site.connected(0), site.connected(1)), (2, 2));
    drop(first);
    assert_eq!(site.settled().await, [2, 2]);
    drop(second);
    until(&mut organizer, 1).await;
    drop(other);
    until(&mut organizer, 0).await;
    assert_eq!(site.settled().await, [0, 0]);
}

#[tokio::test(start_paused = true)]
async fn connected_voters_are_known_on_an_instance_without_watchers() {
    let site = Site::new();
    let _screen = site.watch(1, Watcher::Voter(site.fixture.new_voter())).await;
    assert_eq!(site.settled().await, [1, 1]);
    assert_eq!((site.connected(0), site.hubs[0].watched_meetings()), (1, 0));
    // A later watcher sees it in the first snapshot.
    let mut late =
        WatcherStream::new(site.hubs[0].watch(site.fixture.meeting, Watcher::Public).await.unwrap().unwrap());
    assert_eq!(late.next().await.participants, 1);
}

#[tokio::test(start_paused = true)]
async fn own_reports_that_come_back_keep_no_voter_counted() {
    let site = Site::new();
    site.wire.has_echo.store(true, Ordering::SeqCst);
    let _other = site.watch(0, Watcher::Voter(site.fixture.new_voter())).await;
    let stream = site.watch(0, Watcher::Voter(site.fixture.new_voter())).await;
    assert_eq!(site.settled().await, [2, 2]);
    drop(stream);
    // Before the instance's own report comes back.
    assert_eq!(site.connected(0), 1);
}

#[tokio::test(start_paused = true)]
async fn an_instance_that_starts_later_learns_who_is_connected() {
    let mut site = Site::new();
    let _screen = site.watch(0, Watcher::Voter(site.fixture.new_voter())).await;
    site.settled().await;
    site.add();
    sleep(Duration::from_secs(6)).await;
    assert_eq!(site.participants(2).await, 1);
}

#[tokio::test(start_paused = true)]
async fn voters_of_a_dead_instance_are_removed_after_a_while() {
    let mut site = Site::new();
    let _here = site.watch(0, Watcher::Voter(site.fixture.new_voter())).await;
    let _there = site.watch(1, Watcher::Voter(site.fixture.new_voter())).await;
    assert_eq!(site.settled().await, [2, 2]);
    drop(site.hubs.pop());
    sleep(SILENCE / 2).await;
    assert_eq!(site.participants(0).await, 2, "the voters may be reconnecting");
    sleep(SILENCE).await;
    assert_eq!(site.participants(0).await, 1);
}

#[tokio::test(start_paused = true)]
async fn a_cut_connection_removes_no_voter_and_the_snapshot_is_reloaded_and_marked_as_delayed() {
    let site = Site::new();
    let mut organizer = site.watch(0, Watcher::Organizer).await;
    let _there = site.watch(1, Watcher::Voter(site.fixture.new_voter())).await;
    until(&mut organizer, 1).await;
    assert!(!site.hubs[0].state(site.fixture.meeting).await.unwrap().unwrap().is_delayed);

    site.cut(true);
    while !organizer.next().await.is_delayed {}
    // Another instance stores a change, and its notice does not arrive.
    site.fixture.source.change(|facts| facts.title = "Stored elsewhere".to_owned());
    let stored = Instant::now();
    while organizer.next().await.title != "Stored elsewhere" {}
    assert!(stored.elapsed() <= Duration::from_secs(3), "by the paused clock");
    sleep(4 * SILENCE).await;
    assert_eq!(site.participants(0).await, 1);

    let _late = site.watch(1, Watcher::Voter(site.fixture.new_voter())).await;
    site.cut(false);
    until(&mut organizer, 2).await;
    assert!(!site.hubs[0].state(site.fixture.meeting).await.unwrap().unwrap().is_delayed);
}

#[tokio::test(start_paused = true)]
async fn while_the_connection_is_cut_requests_get_the_stored_state_and_share_one_load() {
    let site = Site::new();
    let (fixture, hub) = (&site.fixture, &site.hubs[0]);
    let mut organizer = site.watch(0, Watcher::Organizer).await;
    site.cut(true);
    while !organizer.next().await.is_delayed {}
    for title in ["Stored elsewhere", "And once more"] {
        fixture.source.change(|facts| facts.title = title.to_owned());
        let asked = hub.state(fixture.meeting).await.unwrap().unwrap();
        assert_eq!(asked.facts.title, title);
        // Requests and streams get the same version.
        let received = organizer.next().await;
        assert_eq!((received.title.as_str(), received.version), (title, asked.version));
    }

    let loads = fixture.source.loads.load(Ordering::SeqCst);
    let asked = join_all((0..1_000).map(|_| hub.state(fixture.meeting))).await;
    assert!(asked.iter().all(|state| state.as_ref().is_ok_and(Option::is_some)));
    assert!(fixture.source.loads.load(Ordering::SeqCst) - loads <= 2);

    fixture.source.fail(1);
    assert!(hub.state(fixture.meeting).await.is_err(), "an outdated snapshot must not be returned");
    assert!(hub.state(fixture.meeting).await.is_ok());
    fixture.source.remove_meeting();
    assert!(hub.state(fixture.meeting).await.unwrap().is_none());
}

#[tokio::test(start_paused = true)]
async fn after_the_connection_is_back_requests_before_the_next_load_do_not_get_the_old_snapshot() {
    let site = Site::new();
    let mut organizer = site.watch(0, Watcher::Organizer).await;
    site.cut(true);
    while !organizer.next().await.is_delayed {}
    site.fixture.source.change(|facts| facts.title = "Stored elsewhere".to_owned());
    // The notice that something was missed may still be on its way.
    site.wire.is_cut.store(false, Ordering::SeqCst);
    let asked = site.hubs[0].state(site.fixture.meeting).await.unwrap().unwrap();
    assert_eq!((asked.facts.title.as_str(), asked.is_delayed), ("Stored elsewhere", false));
}

#[tokio::test(start_paused = true)]
async fn a_lost_report_is_made_up_for_by_the_next_full_report() {
    let site = Site::new();
    let mut streams = vec![site.watch(1, Watcher::Voter(site.fixture.new_voter())).await];
    sleep(Duration::from_secs(6)).await;
    assert_eq!(site.connected(0), 1);
    // Two voters connect. The next report of changes is lost.
    site.wire.loses.store(1, Ordering::SeqCst);
    for _ in 0..2 {
        streams.push(site.watch(1, Watcher::Voter(site.fixture.new_voter())).await);
    }
    sleep(Duration::from_secs(1)).await;
    assert_eq!((site.wire.loses.load(Ordering::SeqCst), site.connected(0)), (0, 1));
    // The report after it does not follow the last one that arrived, so it is ignored.
    drop(streams.remove(0));
    sleep(Duration::from_secs(1)).await;
    assert_eq!(site.connected(0), 1);
    sleep(Duration::from_secs(5)).await;
    assert_eq!((site.connected(0), site.connected(1)), (2, 2));
}

#[tokio::test(start_paused = true)]
async fn an_instance_that_missed_reports_gets_full_reports_at_once() {
    let site = Site::new();
    let _screen = site.watch(1, Watcher::Voter(site.fixture.new_voter())).await;
    sleep(Duration::from_secs(6)).await;
    site.wire.loses.store(1, Ordering::SeqCst);
    let _lost = site.watch(1, Watcher::Voter(site.fixture.new_voter())).await;
    sleep(Duration::from_secs(1)).await;
    assert_eq!((site.wire.loses.load(Ordering::SeqCst), site.connected(0)), (0, 1));
    // It sends full reports.
    let _ = site.wire.reports.send(None);
    sleep(Duration::from_millis(1)).await;
    assert_eq!(site.connected(0), 2);
}

#[tokio::test(start_paused = true)]
async fn more_voters_than_fit_into_one_report_are_reported_in_parts() {
    let site = Site::new();
    let mut reports = site.wire.reports.subscribe();
    let mut streams = Vec::new();
    for _ in 0..10_001 {
        let voter = site.fixture.new_voter();
        streams.push(site.hubs[0].watch(site.fixture.meeting, Watcher::Voter(voter)).await.unwrap().unwrap());
    }
    let parts = loop {
        if let Some(PresenceReport { update: PresenceUpdate::All { parts, voters, .. }, .. }) =
            reports.recv().await.unwrap()
        {
            assert!(voters.len() <= 10_000);
            if parts > 1 {
                break parts;
            }
        }
    };
    assert_eq!(parts, 2);
    assert_eq!(site.settled().await, [10_001, 10_001]);
}

#[tokio::test(start_paused = true)]
async fn with_check_in_connections_through_another_instance_do_not_count() {
    let site = Site::new();
    let present = People { heads: 3, weight: "3".parse().unwrap() };
    site.fixture.source.change(|facts| facts.check_in = Some(LiveCheckIn { present, ..LiveCheckIn::default() }));
    let _phone = site.watch(0, Watcher::Voter(site.fixture.new_voter())).await;
    assert_eq!(site.settled().await, [3, 3]);
    assert_eq!((site.connected(0), site.connected(1)), (1, 1));
}

#[tokio::test(start_paused = true)]
async fn a_single_instance_is_never_delayed() {
    let fixture = Fixture::new();
    let _screen = fixture.watch_from_now(Watcher::Voter(fixture.new_voter())).await;
    let state = fixture.hub.state(fixture.meeting).await.unwrap().unwrap();
    assert!(!state.is_delayed && state.participants == 1);
}
