use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::future::join_all;
use plenum_adapter_live::LiveSettings;
use plenum_kernel::testkit::CountingIds;
use plenum_kernel::{Clock, MeetingId};
use plenum_meetings::live::{Audience, LiveChange, LiveStreams, Watcher};

use crate::support::Fixture;

#[tokio::test(start_paused = true)]
async fn the_first_frame_is_the_whole_snapshot() {
    let fixture = Fixture::new();
    let round = fixture.open_question().await;
    fixture.vote(round, fixture.new_voter()).await;

    let first = fixture.watch(Watcher::Public).await.next().await;

    assert_eq!(first.change, LiveChange::Connected);
    assert_eq!(first.title, "General assembly");
    assert_eq!(first.votes, Some(1));
    assert_eq!(first.audience, Audience::Public);
    assert_eq!(first.version, fixture.clock.now().timestamp_micros() as u64);
}

#[tokio::test(start_paused = true)]
async fn a_meeting_that_does_not_exist_cannot_be_watched() {
    let fixture = Fixture::new();
    let unknown = MeetingId::new(&CountingIds::new());
    assert!(fixture.hub.watch(unknown, Watcher::Public).await.unwrap().is_none());
    assert_eq!(fixture.hub.state(unknown).await.unwrap(), None);
    assert_eq!(fixture.hub.watched_meetings(), 0);
}

#[tokio::test(start_paused = true)]
async fn watchers_who_join_together_share_one_load_and_one_frame() {
    let fixture = Fixture::new();
    let mut streams = join_all((0..100).map(|_| fixture.watch(Watcher::Public))).await;
    let mut version = 0;
    for stream in &mut streams {
        version = stream.next().await.version;
    }
    assert_eq!(fixture.source.loads.load(Ordering::SeqCst), 1);
    assert_eq!(fixture.frames.times_encoded(LiveChange::Connected, version), [(Audience::Public, 1)].into());
}

#[tokio::test(start_paused = true)]
async fn each_watcher_gets_the_current_time_right_after_the_shared_snapshot() {
    let fixture = Fixture::new();
    let mut version = 0;
    for (watcher, audience) in [
        (Watcher::Organizer, Audience::Organizer),
        (Watcher::Voter(fixture.new_voter()), Audience::Voter),
        (Watcher::Public, Audience::Public),
    ] {
        // The channel's snapshot is as old as the channel.
        fixture.clock.advance(chrono::TimeDelta::hours(1));
        let mut stream = fixture.watch(watcher).await;
        let snapshot = stream.next_of_all().await;
        let time = stream.next_of_all().await;
        assert_eq!(snapshot.change, LiveChange::Connected);
        assert_eq!((time.change, time.audience), (LiveChange::Heartbeat { at: fixture.clock.now() }, audience));
        assert_eq!(time.version, snapshot.version);
        assert!(snapshot.version >= version);
        version = snapshot.version;
    }
}

#[tokio::test(start_paused = true)]
async fn a_slow_watcher_gets_the_whole_snapshot_and_delays_no_other_watcher() {
    let fixture = Fixture::with(LiveSettings { broadcast_capacity: 4, ..LiveSettings::default() });
    let mut slow = fixture.watch(Watcher::Organizer).await;
    let mut quick = fixture.watch_from_now(Watcher::Organizer).await;
    let mut last = 0;
    for number in 0..20 {
        fixture.rename(&format!("Title {number}")).await;
        let received = quick.next().await;
        assert_eq!((received.change, received.title), (LiveChange::MeetingUpdate, format!("Title {number}")));
        last = received.version;
    }

    // The first frame was ready before the slow stream fell behind.
    assert_eq!(slow.next().await.title, "General assembly");
    let caught_up = slow.next().await;

    assert_eq!((caught_up.change, caught_up.version), (LiveChange::Connected, last));
    assert_eq!(caught_up.title, "Title 19");
    fixture.rename("Title 20").await;
    let next = slow.next().await;
    assert_eq!((next.change, next.version), (LiveChange::MeetingUpdate, last + 1));
}

#[tokio::test(start_paused = true)]
async fn a_channel_is_dropped_with_its_last_watcher() {
    let fixture = Fixture::new();
    let first = fixture.watch(Watcher::Public).await;
    let second = fixture.watch(Watcher::Organizer).await;
    assert_eq!(fixture.hub.watched_meetings(), 1);
    drop(first);
    assert_eq!(fixture.hub.watched_meetings(), 1);
    drop(second);
    assert_eq!(fixture.hub.watched_meetings(), 0);

    let loads = fixture.source.loads.load(Ordering::SeqCst);
    fixture.rename("Nobody is received").await;
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert_eq!(fixture.source.loads.load(Ordering::SeqCst), loads);
}

#[tokio::test(start_paused = true)]
async fn the_meeting_task_ends_with_its_channel() {
    let fixture = Fixture::new();
    drop(fixture.watch_from_now(Watcher::Public).await);
    let Fixture { hub, source, .. } = fixture;
    drop(hub);
    tokio::time::sleep(Duration::from_secs(1)).await;
    // A task that still ran would hold the hub's state, and so the source.
    assert_eq!(Arc::strong_count(&source), 1);
}

#[tokio::test(start_paused = true)]
async fn a_watcher_who_leaves_before_the_first_load_leaves_nothing_behind() {
    let fixture = Fixture::new();
    fixture.source.hold(true);
    let watching = fixture.hub.watch(fixture.meeting, Watcher::Voter(fixture.new_voter()));
    assert!(tokio::time::timeout(Duration::from_secs(1), watching).await.is_err());
    assert_eq!(fixture.hub.watched_meetings(), 0);
}

#[tokio::test(start_paused = true)]
async fn versions_do_not_go_back_when_a_channel_is_opened_again() {
    // The test clock stands still, so the time alone would give the same version again.
    let fixture = Fixture::new();
    let mut stream = fixture.watch_from_now(Watcher::Public).await;
    fixture.rename("Second title").await;
    let before = stream.next().await.version;
    drop(stream);

    fixture.clock.advance(chrono::TimeDelta::seconds(-10));
    let after = fixture.watch(Watcher::Public).await.next().await.version;

    assert!(after > before, "{after} after {before}");
}

#[tokio::test(start_paused = true)]
async fn the_shutdown_ends_all_streams_at_once() {
    let fixture = Fixture::new();
    let mut waiting = fixture.watch_from_now(Watcher::Public).await;
    let mut with_frames_to_come = fixture.watch(Watcher::Organizer).await;

    fixture.hub.shutdown();

    waiting.has_ended().await;
    with_frames_to_come.has_ended().await;
    assert_eq!(fixture.hub.watched_meetings(), 0);
    fixture.watch(Watcher::Public).await.has_ended().await;
}

#[tokio::test(start_paused = true)]
async fn the_shutdown_ends_streams_that_wait_for_the_first_load() {
    let fixture = Fixture::new();
    fixture.source.hold(true);
    let mut watching = fixture.hub.watch(fixture.meeting, Watcher::Public);
    assert!(tokio::time::timeout(Duration::from_secs(1), &mut watching).await.is_err());
    fixture.hub.shutdown();
    assert!(watching.await.unwrap().unwrap().next().await.is_none());
}

#[tokio::test(start_paused = true)]
async fn dropping_the_hub_ends_all_streams() {
    let fixture = Fixture::new();
    let mut stream = fixture.watch_from_now(Watcher::Public).await;
    drop(fixture);
    stream.has_ended().await;
}

#[tokio::test(start_paused = true)]
async fn the_state_comes_from_the_channel_and_without_one_from_the_store() {
    let fixture = Fixture::new();
    let stored = fixture.hub.state(fixture.meeting).await.unwrap().unwrap();
    assert_eq!((stored.participants, &*stored.facts.title), (0, "General assembly"));
    assert_eq!(fixture.hub.watched_meetings(), 0);

    let _screen = fixture.watch(Watcher::Voter(fixture.new_voter())).await;
    let loads = fixture.source.loads.load(Ordering::SeqCst);
    let watched = fixture.hub.state(fixture.meeting).await.unwrap().unwrap();

    assert_eq!(watched.participants, 1);
    assert!(watched.version >= stored.version);
    assert_eq!(fixture.source.loads.load(Ordering::SeqCst), loads);
}
