use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use futures_util::{StreamExt, stream};
use plenum_adapter_live::{InProcessBus, LiveHub, LiveSettings};
use plenum_kernel::InstanceId;
use plenum_kernel::testkit::CountingIds;
use plenum_meetings::live::{LiveBus, LiveChange, LiveNotice, LiveRooms, NoticeStream, Watcher};
use tokio::time::Instant;

use crate::support::{Screen, World};

#[tokio::test(start_paused = true)]
async fn a_load_that_fails_is_repeated_until_it_succeeds_and_is_announced_nowhere() {
    let world = World::new();
    let mut screen = world.watch(Watcher::Public).await;
    let first = screen.next().await.version;
    world.source.fail(4);

    world.rename("Other title").await;

    let told = screen.next().await;
    assert_eq!((told.change, told.version), (LiveChange::MeetingUpdate, first + 1));
    assert_eq!(told.title, "Other title");
    assert_eq!(world.source.loads.load(Ordering::SeqCst), 6);
}

#[tokio::test(start_paused = true)]
async fn a_count_that_fails_is_repeated_until_it_succeeds() {
    let world = World::new();
    let round = world.open_question().await;
    let mut screen = world.watch_from_now(Watcher::Public).await;
    world.source.fail(2);
    world.vote(round, world.new_voter()).await;
    let told = screen.next().await;
    assert_eq!((told.change, told.votes), (LiveChange::VoteCount, Some(1)));
}

#[tokio::test(start_paused = true)]
async fn asking_who_voted_is_repeated_with_the_load() {
    let world = World::new();
    let round = world.open_question().await;
    world.vote(round, world.new_voter()).await;
    world.set_open(false).await;
    let mut screen = world.watch_from_now(Watcher::Public).await;
    world.source.fail_who_voted(2);

    world.set_open(true).await;

    assert_eq!(screen.next().await.change, LiveChange::QuestionActivated);
    assert_eq!(world.source.who_voted_calls.load(Ordering::SeqCst), 3);
}

#[tokio::test(start_paused = true)]
async fn heartbeats_go_on_while_the_store_does_not_answer() {
    let world = World::new();
    let mut screen = world.watch_from_now(Watcher::Public).await;
    world.source.hold(true);
    world.rename("Other title").await;
    for _ in 0..3 {
        assert!(screen.next().await.is_heartbeat());
    }
    world.source.hold(false);
    assert_eq!(screen.next().await.title, "Other title");
}

#[tokio::test(start_paused = true)]
async fn a_change_that_nobody_signalled_is_told_within_a_period() {
    let world = World::new();
    let mut screen = world.watch_from_now(Watcher::Public).await;
    let begin = Instant::now();
    world.source.change(|facts| facts.title = "Other title".to_owned());
    let told = screen.next_but_heartbeats().await;
    assert_eq!((told.change, told.title.as_str()), (LiveChange::MeetingUpdate, "Other title"));
    assert_eq!(begin.elapsed().as_secs(), 15);
}

#[tokio::test(start_paused = true)]
async fn watchers_are_refused_while_the_first_load_fails_and_let_in_afterwards() {
    let world = World::new();
    world.source.fail(1);
    let (first, second) = tokio::join!(
        world.hub.watch(world.meeting, Watcher::Public),
        world.hub.watch(world.meeting, Watcher::Organizer),
    );
    assert!(first.is_err() && second.is_err());
    assert_eq!(world.source.loads.load(Ordering::SeqCst), 1);
    assert_eq!(world.hub.watched_meetings(), 0);
    world.watch_from_now(Watcher::Public).await;
}

#[tokio::test(start_paused = true)]
async fn a_voter_is_refused_when_nobody_knows_whether_they_have_voted() {
    let world = World::new();
    world.open_question().await;
    let _organizer = world.watch_from_now(Watcher::Organizer).await;
    world.source.fail(1);
    assert!(world.hub.watch(world.meeting, Watcher::Voter(world.new_voter())).await.is_err());
}

#[tokio::test(start_paused = true)]
async fn the_streams_of_a_deleted_meeting_end() {
    let world = World::new();
    let mut screen = world.watch_from_now(Watcher::Public).await;
    world.source.remove_meeting();
    world.bus.publish(LiveNotice::MeetingChanged(world.meeting)).await;
    screen.has_ended().await;
    assert_eq!(world.hub.watched_meetings(), 0);
    assert!(world.hub.watch(world.meeting, Watcher::Public).await.unwrap().is_none());
}

/// A bus whose first connection breaks at once.
struct BreakingBus {
    inner: InProcessBus,
    subscriptions: AtomicUsize,
}

#[async_trait]
impl LiveBus for BreakingBus {
    async fn publish(&self, notice: LiveNotice) {
        self.inner.publish(notice).await;
    }

    fn subscribe(&self) -> NoticeStream {
        match self.subscriptions.fetch_add(1, Ordering::SeqCst) {
            0 => stream::empty().boxed(),
            _ => self.inner.subscribe(),
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_bus_that_breaks_is_subscribed_again_and_every_picture_loaded_anew() {
    let world = World::new();
    let bus = Arc::new(BreakingBus { inner: InProcessBus::new(), subscriptions: AtomicUsize::new(0) });
    let hub = LiveHub::start(
        world.source.clone(),
        world.frames.clone(),
        bus.clone(),
        world.clock.clone(),
        InstanceId::new(&CountingIds::new()),
        LiveSettings::default(),
    );
    let mut screen = Screen::new(hub.watch(world.meeting, Watcher::Public).await.unwrap().unwrap());
    screen.next().await;
    world.source.change(|facts| facts.title = "While the bus was away".to_owned());
    assert_eq!(screen.next().await.title, "While the bus was away");
    world.source.change(|facts| facts.title = "Over the new connection".to_owned());
    bus.publish(LiveNotice::MeetingChanged(world.meeting)).await;
    assert_eq!(screen.next().await.title, "Over the new connection");
}
