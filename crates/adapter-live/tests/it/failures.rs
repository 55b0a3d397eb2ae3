use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use futures_util::{StreamExt, stream};
use plenum_adapter_live::{InProcessBus, LiveHub, LivePorts, LiveSettings};
use plenum_kernel::testkit::CountingIds;
use plenum_kernel::{InstanceId, Secrecy};
use plenum_meetings::live::{LiveBus, LiveChange, LiveNotice, LiveStreams, NoticeStream, Watcher};
use tokio::time::Instant;

use crate::support::{Fixture, WatcherStream};

#[tokio::test(start_paused = true)]
async fn a_failed_load_is_repeated_until_it_succeeds_and_is_not_announced() {
    let fixture = Fixture::new();
    let mut stream = fixture.watch(Watcher::Public).await;
    let first = stream.next().await.version;
    fixture.source.fail(4);

    fixture.rename("Other title").await;

    let received = stream.next().await;
    assert_eq!((received.change, received.version), (LiveChange::MeetingUpdate, first + 1));
    assert_eq!(received.title, "Other title");
    assert_eq!(fixture.source.loads.load(Ordering::SeqCst), 6);
}

#[tokio::test(start_paused = true)]
async fn a_failed_count_is_repeated_until_it_succeeds() {
    let fixture = Fixture::new();
    let round = fixture.open_question().await;
    let mut stream = fixture.watch_from_now(Watcher::Public).await;
    fixture.source.fail(2);
    fixture.vote(round, fixture.new_voter()).await;
    let received = stream.next().await;
    assert_eq!((received.change, received.votes), (LiveChange::VoteCount, Some(1)));
}

#[tokio::test(start_paused = true)]
async fn a_failed_query_for_those_who_voted_is_repeated_with_the_load() {
    let fixture = Fixture::new();
    let round = fixture.open_question().await;
    fixture.vote(round, fixture.new_voter()).await;
    fixture.set_open(false).await;
    let mut stream = fixture.watch_from_now(Watcher::Public).await;
    fixture.source.fail_who_voted(2);

    fixture.set_open(true).await;

    assert_eq!(stream.next().await.change, LiveChange::QuestionActivated);
    assert_eq!(fixture.source.who_voted_calls.load(Ordering::SeqCst), 3);
}

#[tokio::test(start_paused = true)]
async fn heartbeats_go_on_while_the_store_does_not_answer() {
    let fixture = Fixture::new();
    let mut stream = fixture.watch_from_now(Watcher::Public).await;
    fixture.source.hold(true);
    fixture.rename("Other title").await;
    for _ in 0..3 {
        assert!(stream.next().await.is_heartbeat());
    }
    fixture.source.hold(false);
    assert_eq!(stream.next().await.title, "Other title");
}

#[tokio::test(start_paused = true)]
async fn a_change_without_a_signal_is_announced_within_a_period() {
    let fixture = Fixture::new();
    let mut stream = fixture.watch_from_now(Watcher::Public).await;
    let begin = Instant::now();
    fixture.source.change(|facts| facts.title = "Other title".to_owned());
    let received = stream.next_but_heartbeats().await;
    assert_eq!((received.change, received.title.as_str()), (LiveChange::MeetingUpdate, "Other title"));
    assert_eq!(begin.elapsed().as_secs(), 15);
}

#[tokio::test(start_paused = true)]
async fn while_the_key_of_a_secret_vote_is_not_confirmed_the_meeting_is_loaded_every_two_seconds() {
    let fixture = Fixture::new();
    let mut stream = fixture.watch_from_now(Watcher::Public).await;
    fixture.open_question().await;
    assert_eq!(stream.next().await.change, LiveChange::QuestionActivated);
    fixture.change(|facts| facts.question.as_mut().unwrap().secrecy = Secrecy::Secret).await;
    assert_eq!(stream.next().await.change, LiveChange::MeetingUpdate);
    let loads = || fixture.source.loads.load(Ordering::SeqCst);
    let before = loads();
    stream.receives_nothing_for(Duration::from_secs(11)).await;
    assert_eq!(loads() - before, 5);

    let begin = Instant::now();
    fixture.source.change(|facts| {
        facts.question.as_mut().unwrap().round.as_mut().unwrap().urn_key = Some(vec![4; 65]);
    });
    let received = stream.next_but_heartbeats().await;
    assert_eq!(received.change, LiveChange::MeetingUpdate);
    assert!(begin.elapsed() <= Duration::from_secs(2));
    let before = loads();
    stream.receives_nothing_for(Duration::from_secs(14)).await;
    assert!(loads() - before <= 1, "the usual period again");
}

#[tokio::test(start_paused = true)]
async fn watchers_get_an_error_while_the_first_load_fails_and_a_stream_afterwards() {
    let fixture = Fixture::new();
    fixture.source.fail(1);
    let (first, second) = tokio::join!(
        fixture.hub.watch(fixture.meeting, Watcher::Public),
        fixture.hub.watch(fixture.meeting, Watcher::Organizer),
    );
    assert!(first.is_err() && second.is_err());
    assert_eq!(fixture.source.loads.load(Ordering::SeqCst), 1);
    assert_eq!(fixture.hub.watched_meetings(), 0);
    fixture.watch_from_now(Watcher::Public).await;
}

#[tokio::test(start_paused = true)]
async fn a_voter_gets_an_error_if_the_store_cannot_say_whether_they_have_voted() {
    let fixture = Fixture::new();
    fixture.open_question().await;
    let _organizer = fixture.watch_from_now(Watcher::Organizer).await;
    fixture.source.fail(1);
    assert!(fixture.hub.watch(fixture.meeting, Watcher::Voter(fixture.new_voter())).await.is_err());
}

#[tokio::test(start_paused = true)]
async fn the_streams_of_a_deleted_meeting_end() {
    let fixture = Fixture::new();
    let mut stream = fixture.watch_from_now(Watcher::Public).await;
    fixture.source.remove_meeting();
    fixture.bus.publish(LiveNotice::MeetingChanged(fixture.meeting)).await;
    stream.has_ended().await;
    assert_eq!(fixture.hub.watched_meetings(), 0);
    assert!(fixture.hub.watch(fixture.meeting, Watcher::Public).await.unwrap().is_none());
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
async fn a_broken_bus_is_subscribed_again_and_every_snapshot_is_reloaded() {
    let fixture = Fixture::new();
    let bus = Arc::new(BreakingBus { inner: InProcessBus::new(), subscriptions: AtomicUsize::new(0) });
    let ports = LivePorts {
        source: fixture.source.clone(),
        frames: fixture.frames.clone(),
        bus: bus.clone(),
        clock: fixture.clock.clone(),
    };
    let hub = LiveHub::start(ports, InstanceId::new(&CountingIds::new()), LiveSettings::default());
    let mut stream = WatcherStream::new(hub.watch(fixture.meeting, Watcher::Public).await.unwrap().unwrap());
    stream.next().await;
    fixture.source.change(|facts| facts.title = "While the bus was away".to_owned());
    assert_eq!(stream.next().await.title, "While the bus was away");
    fixture.source.change(|facts| facts.title = "Over the new connection".to_owned());
    bus.publish(LiveNotice::MeetingChanged(fixture.meeting)).await;
    assert_eq!(stream.next().await.title, "Over the new connection");
}
