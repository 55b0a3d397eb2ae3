use std::sync::atomic::Ordering;
use std::time::Duration;

use plenum_adapter_live::{InProcessBus, LiveSettings};
use plenum_kernel::testkit::CountingIds;
use plenum_kernel::{ClientId, MeetingId};
use plenum_meetings::MeetingStatus;
use plenum_meetings::live::{Audience, LiveBus, LiveChange, LiveNotice, Watcher};
use tokio::time::Instant;

use crate::support::Fixture;

#[tokio::test(start_paused = true)]
async fn a_change_reaches_every_watcher_with_consecutive_versions() {
    let fixture = Fixture::new();
    let mut streams = [
        fixture.watch(Watcher::Organizer).await,
        fixture.watch(Watcher::Public).await,
        fixture.watch(Watcher::Organizer).await,
    ];
    let first = streams[0].next().await.version;
    for stream in &mut streams[1..] {
        assert_eq!(stream.next().await.version, first);
    }

    fixture.open_question().await;
    for stream in &mut streams {
        let received = stream.next().await;
        assert_eq!((received.change, received.version), (LiveChange::QuestionActivated, first + 1));
    }
    fixture
        .change(|facts| {
            facts.status = MeetingStatus::Completed;
            facts.question = None;
        })
        .await;
    for stream in &mut streams {
        let status = stream.next().await;
        assert_eq!((status.change, status.version), (LiveChange::MeetingStatus, first + 2));
        let closed = stream.next().await;
        assert!(matches!(closed.change, LiveChange::QuestionDeactivated { .. }));
        assert_eq!(closed.version, first + 3);
    }
}

#[tokio::test(start_paused = true)]
async fn a_frame_is_encoded_once_for_each_audience() {
    let fixture = Fixture::new();
    let mut streams = Vec::new();
    for _ in 0..20 {
        streams.push(fixture.watch_from_now(Watcher::Organizer).await);
        streams.push(fixture.watch_from_now(Watcher::Public).await);
    }
    fixture.rename("Other title").await;
    let mut version = 0;
    for stream in &mut streams {
        version = stream.next().await.version;
    }
    let once = [(Audience::Organizer, 1), (Audience::Public, 1)].into();
    assert_eq!(fixture.frames.times_encoded(LiveChange::MeetingUpdate, version), once);
}

#[tokio::test(start_paused = true)]
async fn a_signal_without_a_difference_is_not_announced() {
    let fixture = Fixture::new();
    let mut stream = fixture.watch_from_now(Watcher::Public).await;
    fixture.change(|_| ()).await;
    stream.receives_nothing_for(Duration::from_secs(10)).await;
    assert_eq!(fixture.source.loads.load(Ordering::SeqCst), 2);
}

#[tokio::test(start_paused = true)]
async fn signals_during_a_load_cause_one_more_load() {
    let fixture = Fixture::new();
    let mut stream = fixture.watch_from_now(Watcher::Public).await;
    fixture.source.hold(true);
    fixture.rename("Title 0").await;
    stream.receives_nothing_for(Duration::from_secs(1)).await;
    for number in 1..=50 {
        fixture.rename(&format!("Title {number}")).await;
    }
    fixture.source.hold(false);

    assert_eq!(stream.next().await.title, "Title 50");

    stream.receives_nothing_for(Duration::from_secs(5)).await;
    assert_eq!(fixture.source.loads.load(Ordering::SeqCst), 3);
}

#[tokio::test(start_paused = true)]
async fn a_change_of_another_meeting_loads_nothing() {
    let fixture = Fixture::new();
    let mut stream = fixture.watch_from_now(Watcher::Public).await;
    fixture.bus.publish(LiveNotice::MeetingChanged(MeetingId::new(&CountingIds::new()))).await;
    stream.receives_nothing_for(Duration::from_secs(5)).await;
    assert_eq!(fixture.source.loads.load(Ordering::SeqCst), 1);
}

#[tokio::test(start_paused = true)]
async fn the_meetings_of_a_client_that_is_gone_end_with_the_notice_and_others_load_nothing() {
    let fixture = Fixture::new();
    let mut stream = fixture.watch_from_now(Watcher::Public).await;
    let mut client = None;
    fixture.source.change(|facts| client = Some(facts.client_id));
    fixture.bus.publish(LiveNotice::ClientChanged(ClientId::new(&CountingIds::new()))).await;
    stream.receives_nothing_for(Duration::from_secs(5)).await;
    assert_eq!(fixture.source.loads.load(Ordering::SeqCst), 1);

    fixture.source.remove_meeting();
    fixture.bus.publish(LiveNotice::ClientChanged(client.unwrap())).await;
    let changed = Instant::now();
    stream.has_ended().await;
    assert!(changed.elapsed() < Duration::from_secs(1));
}

#[tokio::test(start_paused = true)]
async fn a_client_that_changes_during_the_first_load_is_loaded_again() {
    let fixture = Fixture::new();
    fixture.source.hold(true);
    let (mut stream, ()) = tokio::join!(fixture.watch(Watcher::Public), async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        fixture.bus.publish(LiveNotice::ClientChanged(ClientId::new(&CountingIds::new()))).await;
        tokio::time::sleep(Duration::from_secs(1)).await;
        fixture.source.hold(false);
    });
    assert_eq!(stream.next().await.change, LiveChange::Connected);
    stream.receives_nothing_for(Duration::from_secs(5)).await;
    assert_eq!(fixture.source.loads.load(Ordering::SeqCst), 2);
}

#[tokio::test(start_paused = true)]
async fn a_missed_notice_causes_a_new_load() {
    let fixture = Fixture::with_bus(LiveSettings::default(), InProcessBus::with_capacity(2));
    let mut stream = fixture.watch_from_now(Watcher::Public).await;
    // The dispatcher does not run before all notices are sent, so the first one is lost.
    fixture.rename("Missed notice").await;
    let other = MeetingId::new(&CountingIds::new());
    for _ in 0..10 {
        fixture.bus.publish(LiveNotice::VotesChanged(other)).await;
    }
    assert_eq!(stream.next().await.title, "Missed notice");
}

/// Watchers join at any time while the snapshot changes on other threads. None may see a gap or an older version.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_watcher_who_joins_during_changes_gets_every_later_version() {
    const CHANGES: usize = 300;
    // Heartbeats are as frequent as possible, so that one coincides with an unread announcement.
    let heartbeat = Duration::from_millis(1);
    let settings = LiveSettings { heartbeat, broadcast_capacity: 2 * CHANGES, ..LiveSettings::default() };
    let fixture = std::sync::Arc::new(Fixture::with(settings));
    let mut early = fixture.watch_from_now(Watcher::Organizer).await;
    let last = format!("Title {CHANGES}");
    let mut streams = tokio::task::JoinSet::new();
    for number in 1..=CHANGES {
        let title = format!("Title {number}");
        fixture.rename(&title).await;
        let (fixture, last) = (fixture.clone(), last.clone());
        streams.spawn(async move {
            let mut stream = fixture.watch(Watcher::Public).await;
            let mut received = stream.next().await;
            assert_eq!(received.change, LiveChange::Connected);
            while received.title != last {
                let next = stream.next_but_heartbeats().await;
                assert_eq!((next.change, next.version), (LiveChange::MeetingUpdate, received.version + 1));
                received = next;
            }
        });
        if number % 10 == 0 {
            // Lets the meeting task catch up now and then, so that changes do not all merge into one.
            while early.next().await.title != title {}
        }
    }
    streams.join_all().await;
}
