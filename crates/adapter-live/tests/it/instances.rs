//! Hubs of several instances, on a bus that the test can cut.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use futures_util::future::join_all;
use futures_util::{StreamExt as _, stream};
use plenum_adapter_live::{InProcessBus, LiveHub, LiveSettings};
use plenum_kernel::InstanceId;
use plenum_meetings::live::{
    LiveBus, LiveChange, LiveNotice, LiveRooms as _, NoticeStream, Presence, PresenceBus, PresenceNews, PresenceReport,
    ReportStream, Watcher,
};
use tokio::sync::broadcast;
use tokio::time::{Instant, sleep};

use crate::support::{Screen, World};

/// How long an instance may be silent.
const SILENCE: Duration = Duration::from_secs(15);

/// What is between the instances.
struct Wire {
    reports: broadcast::Sender<Option<PresenceReport>>,
    is_cut: AtomicBool,
    /// Whether everyone hears their own reports, too.
    has_echo: AtomicBool,
    /// The next so many reports get lost.
    loses: AtomicUsize,
}

/// One instance's end of it.
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

    fn hears_others(&self) -> bool {
        !self.wire.is_cut.load(Ordering::SeqCst)
    }
}

impl PresenceBus for WireBus {
    fn report(&self, report: PresenceReport) {
        let is_lost = || {
            let lose = |left: usize| left.checked_sub(1);
            self.wire.loses.fetch_update(Ordering::SeqCst, Ordering::SeqCst, lose).is_ok()
        };
        if self.hears_others() && !is_lost() {
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
    world: World,
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
        let mut site = Self { world: World::new(), wire, buses: Vec::new(), hubs: Vec::new() };
        site.add();
        site.add();
        site
    }

    fn add(&mut self) {
        // Any id that nobody has.
        let instance = InstanceId::from_uuid(self.world.new_voter().as_uuid());
        let (inner, again) = (InProcessBus::new(), broadcast::Sender::new(8));
        let bus = Arc::new(WireBus { wire: Arc::clone(&self.wire), instance, inner, again });
        let world = &self.world;
        let (source, frames, clock) = (world.source.clone(), world.frames.clone(), world.clock.clone());
        let mut hub = LiveHub::start(source, frames, bus.clone(), clock, instance, LiveSettings::default());
        hub.share_presence(bus.clone());
        self.buses.push(bus);
        self.hubs.push(hub);
    }

    /// Cuts the wire, or mends it.
    fn cut(&self, is_cut: bool) {
        self.wire.is_cut.store(is_cut, Ordering::SeqCst);
        for bus in &self.buses {
            let _ = bus.again.send(());
        }
        if !is_cut {
            let _ = self.wire.reports.send(None);
        }
    }

    async fn watch(&self, instance: usize, watcher: Watcher) -> Screen {
        let frames = self.hubs[instance].watch(self.world.meeting, watcher).await.unwrap().unwrap();
        let mut screen = Screen::new(frames);
        assert_eq!(screen.next().await.change, LiveChange::Connected);
        screen
    }

    async fn participants(&self, instance: usize) -> u64 {
        self.hubs[instance].state(self.world.meeting).await.unwrap().unwrap().participants
    }

    /// After everything that happens soon has happened.
    async fn settled(&self) -> [u64; 2] {
        sleep(Duration::from_secs(1)).await;
        [self.participants(0).await, self.participants(1).await]
    }

    fn connected(&self, instance: usize) -> usize {
        Presence::connected(&self.hubs[instance], self.world.meeting).len()
    }
}

/// Waits for a picture of which this holds.
async fn until(screen: &mut Screen, participants: u64) {
    while screen.next().await.participants != participants {}
}

#[tokio::test(start_paused = true)]
async fn a_voter_who_watches_through_two_instances_is_counted_once_on_both() {
    let site = Site::new();
    let (anna, ben) = (site.world.new_voter(), site.world.new_voter());
    let mut desk = site.watch(0, Watcher::Organizer).await;
    let first = site.watch(0, Watcher::Voter(anna)).await;
    let second = site.watch(1, Watcher::Voter(anna)).await;
    let other = site.watch(1, Watcher::Voter(ben)).await;
    until(&mut desk, 2).await;
    assert_eq!(site.settled().await, [2, 2]);
    assert_eq!((site.connected(0), site.connected(1)), (2, 2));
    drop(first);
    assert_eq!(site.settled().await, [2, 2]);
    drop(second);
    until(&mut desk, 1).await;
    drop(other);
    until(&mut desk, 0).await;
    assert_eq!(site.settled().await, [0, 0]);
}

#[tokio::test(start_paused = true)]
async fn where_nobody_watches_it_is_known_all_the_same_who_is_connected() {
    let site = Site::new();
    let _screen = site.watch(1, Watcher::Voter(site.world.new_voter())).await;
    assert_eq!(site.settled().await, [1, 1]);
    assert_eq!((site.connected(0), site.hubs[0].watched_meetings()), (1, 0));
    // Who comes later sees it in the first picture.
    let mut late = Screen::new(site.hubs[0].watch(site.world.meeting, Watcher::Public).await.unwrap().unwrap());
    assert_eq!(late.next().await.participants, 1);
}

#[tokio::test(start_paused = true)]
async fn who_hears_their_own_reports_counts_nobody_longer_for_it() {
    let site = Site::new();
    site.wire.has_echo.store(true, Ordering::SeqCst);
    let _other = site.watch(0, Watcher::Voter(site.world.new_voter())).await;
    let screen = site.watch(0, Watcher::Voter(site.world.new_voter())).await;
    assert_eq!(site.settled().await, [2, 2]);
    drop(screen);
    // Before the report that says so is back.
    assert_eq!(site.connected(0), 1);
}

#[tokio::test(start_paused = true)]
async fn an_instance_that_starts_later_learns_who_is_there() {
    let mut site = Site::new();
    let _screen = site.watch(0, Watcher::Voter(site.world.new_voter())).await;
    site.settled().await;
    site.add();
    sleep(Duration::from_secs(6)).await;
    assert_eq!(site.participants(2).await, 1);
}

#[tokio::test(start_paused = true)]
async fn those_of_an_instance_that_died_are_gone_after_a_while() {
    let mut site = Site::new();
    let _here = site.watch(0, Watcher::Voter(site.world.new_voter())).await;
    let _there = site.watch(1, Watcher::Voter(site.world.new_voter())).await;
    assert_eq!(site.settled().await, [2, 2]);
    drop(site.hubs.pop());
    sleep(SILENCE / 2).await;
    assert_eq!(site.participants(0).await, 2, "they may be on their way back");
    sleep(SILENCE).await;
    assert_eq!(site.participants(0).await, 1);
}

#[tokio::test(start_paused = true)]
async fn a_cut_wire_sends_nobody_home_and_the_picture_is_looked_for_and_says_so() {
    let site = Site::new();
    let mut desk = site.watch(0, Watcher::Organizer).await;
    let _there = site.watch(1, Watcher::Voter(site.world.new_voter())).await;
    until(&mut desk, 1).await;
    assert!(!site.hubs[0].state(site.world.meeting).await.unwrap().unwrap().is_delayed);

    site.cut(true);
    while !desk.next().await.is_delayed {}
    // Another instance stores something, and cannot say so.
    site.world.source.change(|facts| facts.title = "Stored elsewhere".to_owned());
    let stored = Instant::now();
    while desk.next().await.title != "Stored elsewhere" {}
    assert!(stored.elapsed() <= Duration::from_secs(3), "by the clock of the test, which stands still otherwise");
    sleep(4 * SILENCE).await;
    assert_eq!(site.participants(0).await, 1);

    let _late = site.watch(1, Watcher::Voter(site.world.new_voter())).await;
    site.cut(false);
    until(&mut desk, 2).await;
    assert!(!site.hubs[0].state(site.world.meeting).await.unwrap().unwrap().is_delayed);
}

#[tokio::test(start_paused = true)]
async fn while_the_wire_is_cut_whoever_asks_is_told_what_is_stored_and_all_who_ask_at_once_by_one_look() {
    let site = Site::new();
    let (world, hub) = (&site.world, &site.hubs[0]);
    let mut desk = site.watch(0, Watcher::Organizer).await;
    site.cut(true);
    while !desk.next().await.is_delayed {}
    for title in ["Stored elsewhere", "And once more"] {
        world.source.change(|facts| facts.title = title.to_owned());
        let asked = hub.state(world.meeting).await.unwrap().unwrap();
        assert_eq!(asked.facts.title, title);
        // Who asks and who watches are told of the same version.
        let told = desk.next().await;
        assert_eq!((told.title.as_str(), told.version), (title, asked.version));
    }

    let loads = world.source.loads.load(Ordering::SeqCst);
    let asked = join_all((0..1_000).map(|_| hub.state(world.meeting))).await;
    assert!(asked.iter().all(|state| state.as_ref().is_ok_and(Option::is_some)));
    assert!(world.source.loads.load(Ordering::SeqCst) - loads <= 2);

    world.source.fail(1);
    assert!(hub.state(world.meeting).await.is_err(), "an old picture is none");
    assert!(hub.state(world.meeting).await.is_ok());
    world.source.remove_meeting();
    assert!(hub.state(world.meeting).await.unwrap().is_none());
}

#[tokio::test(start_paused = true)]
async fn once_the_wire_is_mended_whoever_asks_before_the_next_look_is_not_told_the_old_picture() {
    let site = Site::new();
    let mut desk = site.watch(0, Watcher::Organizer).await;
    site.cut(true);
    while !desk.next().await.is_delayed {}
    site.world.source.change(|facts| facts.title = "Stored elsewhere".to_owned());
    // Without a word that something was missed, which may be on its way.
    site.wire.is_cut.store(false, Ordering::SeqCst);
    let asked = site.hubs[0].state(site.world.meeting).await.unwrap().unwrap();
    assert_eq!((asked.facts.title.as_str(), asked.is_delayed), ("Stored elsewhere", false));
}

#[tokio::test(start_paused = true)]
async fn a_report_that_is_lost_is_made_up_for_by_the_next_whole() {
    let site = Site::new();
    let mut screens = vec![site.watch(1, Watcher::Voter(site.world.new_voter())).await];
    sleep(Duration::from_secs(6)).await;
    assert_eq!(site.connected(0), 1);
    // Two come, and that is told at the next opportunity; it gets lost.
    site.wire.loses.store(1, Ordering::SeqCst);
    for _ in 0..2 {
        screens.push(site.watch(1, Watcher::Voter(site.world.new_voter())).await);
    }
    sleep(Duration::from_secs(1)).await;
    assert_eq!((site.wire.loses.load(Ordering::SeqCst), site.connected(0)), (0, 1));
    // What is told next does not follow from what was heard, and counts for nothing.
    drop(screens.remove(0));
    sleep(Duration::from_secs(1)).await;
    assert_eq!(site.connected(0), 1);
    sleep(Duration::from_secs(5)).await;
    assert_eq!((site.connected(0), site.connected(1)), (2, 2));
}

#[tokio::test(start_paused = true)]
async fn whoever_was_too_slow_to_hear_is_told_everything_again_at_once() {
    let site = Site::new();
    let _screen = site.watch(1, Watcher::Voter(site.world.new_voter())).await;
    sleep(Duration::from_secs(6)).await;
    site.wire.loses.store(1, Ordering::SeqCst);
    let _lost = site.watch(1, Watcher::Voter(site.world.new_voter())).await;
    sleep(Duration::from_secs(1)).await;
    assert_eq!((site.wire.loses.load(Ordering::SeqCst), site.connected(0)), (0, 1));
    // It says so to all.
    let _ = site.wire.reports.send(None);
    sleep(Duration::from_millis(1)).await;
    assert_eq!(site.connected(0), 2);
}

#[tokio::test(start_paused = true)]
async fn more_voters_than_fit_into_one_report_are_told_in_parts() {
    let site = Site::new();
    let mut reports = site.wire.reports.subscribe();
    let mut screens = Vec::new();
    for _ in 0..10_001 {
        let voter = site.world.new_voter();
        screens.push(site.hubs[0].watch(site.world.meeting, Watcher::Voter(voter)).await.unwrap().unwrap());
    }
    let parts = loop {
        if let Some(PresenceReport { news: PresenceNews::All { parts, voters, .. }, .. }) =
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
async fn an_instance_that_works_alone_is_never_delayed() {
    let world = World::new();
    let _screen = world.watch_from_now(Watcher::Voter(world.new_voter())).await;
    let state = world.hub.state(world.meeting).await.unwrap().unwrap();
    assert!(!state.is_delayed && state.participants == 1);
}
