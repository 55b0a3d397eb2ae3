use std::sync::atomic::Ordering;
use std::time::Duration;

use plenum_adapter_live::{InProcessBus, LiveSettings};
use plenum_kernel::MeetingId;
use plenum_kernel::testkit::CountingIds;
use plenum_meetings::MeetingStatus;
use plenum_meetings::live::{Audience, LiveBus, LiveChange, LiveNotice, Watcher};

use crate::support::World;

#[tokio::test(start_paused = true)]
async fn a_change_reaches_every_watcher_with_consecutive_versions() {
    let world = World::new();
    let mut screens = [
        world.watch(Watcher::Organizer).await,
        world.watch(Watcher::Public).await,
        world.watch(Watcher::Organizer).await,
    ];
    let first = screens[0].next().await.version;
    for screen in &mut screens[1..] {
        assert_eq!(screen.next().await.version, first);
    }

    world.open_question().await;
    for screen in &mut screens {
        let told = screen.next().await;
        assert_eq!((told.change, told.version), (LiveChange::QuestionActivated, first + 1));
    }
    world
        .change(|facts| {
            facts.status = MeetingStatus::Completed;
            facts.question = None;
        })
        .await;
    for screen in &mut screens {
        let status = screen.next().await;
        assert_eq!((status.change, status.version), (LiveChange::MeetingStatus, first + 2));
        let closed = screen.next().await;
        assert!(matches!(closed.change, LiveChange::QuestionDeactivated { .. }));
        assert_eq!(closed.version, first + 3);
    }
}

#[tokio::test(start_paused = true)]
async fn a_frame_is_written_once_for_each_audience() {
    let world = World::new();
    let mut screens = Vec::new();
    for _ in 0..20 {
        screens.push(world.watch_from_now(Watcher::Organizer).await);
        screens.push(world.watch_from_now(Watcher::Public).await);
    }
    world.rename("Other title").await;
    let mut version = 0;
    for screen in &mut screens {
        version = screen.next().await.version;
    }
    let once = [(Audience::Organizer, 1), (Audience::Public, 1)].into();
    assert_eq!(world.frames.times_written(LiveChange::MeetingUpdate, version), once);
}

#[tokio::test(start_paused = true)]
async fn a_signal_without_a_difference_is_not_told() {
    let world = World::new();
    let mut screen = world.watch_from_now(Watcher::Public).await;
    world.change(|_| ()).await;
    screen.hears_nothing_for(Duration::from_secs(10)).await;
    assert_eq!(world.source.loads.load(Ordering::SeqCst), 2);
}

#[tokio::test(start_paused = true)]
async fn signals_that_come_while_the_picture_is_loaded_are_answered_by_one_more_load() {
    let world = World::new();
    let mut screen = world.watch_from_now(Watcher::Public).await;
    world.source.hold(true);
    world.rename("Title 0").await;
    screen.hears_nothing_for(Duration::from_secs(1)).await;
    for number in 1..=50 {
        world.rename(&format!("Title {number}")).await;
    }
    world.source.hold(false);

    assert_eq!(screen.next().await.title, "Title 50");

    screen.hears_nothing_for(Duration::from_secs(5)).await;
    assert_eq!(world.source.loads.load(Ordering::SeqCst), 3);
}

#[tokio::test(start_paused = true)]
async fn another_meetings_change_loads_nothing_here() {
    let world = World::new();
    let mut screen = world.watch_from_now(Watcher::Public).await;
    world.bus.publish(LiveNotice::MeetingChanged(MeetingId::new(&CountingIds::new()))).await;
    screen.hears_nothing_for(Duration::from_secs(5)).await;
    assert_eq!(world.source.loads.load(Ordering::SeqCst), 1);
}

#[tokio::test(start_paused = true)]
async fn a_room_that_missed_its_notice_loads_its_picture_anew() {
    let world = World::with_bus(LiveSettings::default(), InProcessBus::with_capacity(2));
    let mut screen = world.watch_from_now(Watcher::Public).await;
    // The dispatcher does not get its turn before all of them are sent, so the first one is lost.
    world.rename("Nobody was told").await;
    let other = MeetingId::new(&CountingIds::new());
    for _ in 0..10 {
        world.bus.publish(LiveNotice::VotesChanged(other)).await;
    }
    assert_eq!(screen.next().await.title, "Nobody was told");
}

/// Watchers come at any time while the picture changes on other threads; none may see a gap or a step back.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn whoever_comes_in_the_middle_of_changes_sees_every_version_from_then_on() {
    const CHANGES: usize = 300;
    // Heartbeats come as often as they can, so that one meets an announcement that lies unread.
    let heartbeat = Duration::from_millis(1);
    let settings = LiveSettings { heartbeat, broadcast_capacity: 2 * CHANGES, ..LiveSettings::default() };
    let world = std::sync::Arc::new(World::with(settings));
    let mut early = world.watch_from_now(Watcher::Organizer).await;
    let last = format!("Title {CHANGES}");
    let mut screens = tokio::task::JoinSet::new();
    for number in 1..=CHANGES {
        let title = format!("Title {number}");
        world.rename(&title).await;
        let (world, last) = (world.clone(), last.clone());
        screens.spawn(async move {
            let mut screen = world.watch(Watcher::Public).await;
            let mut told = screen.next().await;
            assert_eq!(told.change, LiveChange::Connected);
            while told.title != last {
                let next = screen.next_but_heartbeats().await;
                assert_eq!((next.change, next.version), (LiveChange::MeetingUpdate, told.version + 1));
                told = next;
            }
        });
        if number % 10 == 0 {
            // Lets the room catch up now and then, so that changes do not all become one.
            while early.next().await.title != title {}
        }
    }
    screens.join_all().await;
}
