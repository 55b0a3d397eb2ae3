use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::future::join_all;
use plenum_adapter_live::LiveSettings;
use plenum_kernel::testkit::CountingIds;
use plenum_kernel::{Clock, MeetingId};
use plenum_meetings::live::{Audience, LiveChange, LiveRooms, Watcher};

use crate::support::World;

#[tokio::test(start_paused = true)]
async fn the_first_frame_is_the_whole_picture() {
    let world = World::new();
    let round = world.open_question().await;
    world.vote(round, world.new_voter()).await;

    let first = world.watch(Watcher::Public).await.next().await;

    assert_eq!(first.change, LiveChange::Connected);
    assert_eq!(first.title, "General assembly");
    assert_eq!(first.votes, Some(1));
    assert_eq!(first.audience, Audience::Public);
    assert_eq!(first.version, world.clock.now().timestamp_micros() as u64);
}

#[tokio::test(start_paused = true)]
async fn a_meeting_that_does_not_exist_cannot_be_watched() {
    let world = World::new();
    let unknown = MeetingId::new(&CountingIds::new());
    assert!(world.hub.watch(unknown, Watcher::Public).await.unwrap().is_none());
    assert_eq!(world.hub.state(unknown).await.unwrap(), None);
    assert_eq!(world.hub.watched_meetings(), 0);
}

#[tokio::test(start_paused = true)]
async fn many_who_come_at_once_share_one_load_and_one_frame() {
    let world = World::new();
    let mut screens = join_all((0..100).map(|_| world.watch(Watcher::Public))).await;
    let mut version = 0;
    for screen in &mut screens {
        version = screen.next().await.version;
    }
    assert_eq!(world.source.loads.load(Ordering::SeqCst), 1);
    assert_eq!(world.frames.times_written(LiveChange::Connected, version), [(Audience::Public, 1)].into());
}

#[tokio::test(start_paused = true)]
async fn each_watcher_is_told_what_time_it_is_right_behind_the_shared_picture() {
    let world = World::new();
    let mut version = 0;
    for (watcher, audience) in [
        (Watcher::Organizer, Audience::Organizer),
        (Watcher::Voter(world.new_voter()), Audience::Voter),
        (Watcher::Public, Audience::Public),
    ] {
        // The room's picture is as old as the room.
        world.clock.advance(chrono::TimeDelta::hours(1));
        let mut screen = world.watch(watcher).await;
        let picture = screen.next_of_all().await;
        let time = screen.next_of_all().await;
        assert_eq!(picture.change, LiveChange::Connected);
        assert_eq!((time.change, time.audience), (LiveChange::Heartbeat { at: world.clock.now() }, audience));
        assert_eq!(time.version, picture.version);
        assert!(picture.version >= version);
        version = picture.version;
    }
}

#[tokio::test(start_paused = true)]
async fn a_slow_watcher_is_sent_the_whole_picture_and_holds_up_nobody() {
    let world = World::with(LiveSettings { broadcast_capacity: 4, ..LiveSettings::default() });
    let mut slow = world.watch(Watcher::Organizer).await;
    let mut quick = world.watch_from_now(Watcher::Organizer).await;
    let mut last = 0;
    for number in 0..20 {
        world.rename(&format!("Title {number}")).await;
        let told = quick.next().await;
        assert_eq!((told.change, told.title), (LiveChange::MeetingUpdate, format!("Title {number}")));
        last = told.version;
    }

    // The first frame was ready before the slow one fell behind.
    assert_eq!(slow.next().await.title, "General assembly");
    let caught_up = slow.next().await;

    assert_eq!((caught_up.change, caught_up.version), (LiveChange::Connected, last));
    assert_eq!(caught_up.title, "Title 19");
    world.rename("Title 20").await;
    let next = slow.next().await;
    assert_eq!((next.change, next.version), (LiveChange::MeetingUpdate, last + 1));
}

#[tokio::test(start_paused = true)]
async fn a_room_is_dropped_when_nobody_watches() {
    let world = World::new();
    let first = world.watch(Watcher::Public).await;
    let second = world.watch(Watcher::Organizer).await;
    assert_eq!(world.hub.watched_meetings(), 1);
    drop(first);
    assert_eq!(world.hub.watched_meetings(), 1);
    drop(second);
    assert_eq!(world.hub.watched_meetings(), 0);

    let loads = world.source.loads.load(Ordering::SeqCst);
    world.rename("Nobody is told").await;
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert_eq!(world.source.loads.load(Ordering::SeqCst), loads);
}

#[tokio::test(start_paused = true)]
async fn the_task_of_a_room_ends_with_it() {
    let world = World::new();
    drop(world.watch_from_now(Watcher::Public).await);
    let World { hub, source, .. } = world;
    drop(hub);
    tokio::time::sleep(Duration::from_secs(1)).await;
    // A task that went on would keep the hub's shared part, and by it the source.
    assert_eq!(Arc::strong_count(&source), 1);
}

#[tokio::test(start_paused = true)]
async fn someone_who_leaves_before_the_picture_was_loaded_leaves_nothing_behind() {
    let world = World::new();
    world.source.hold(true);
    let watching = world.hub.watch(world.meeting, Watcher::Voter(world.new_voter()));
    assert!(tokio::time::timeout(Duration::from_secs(1), watching).await.is_err());
    assert_eq!(world.hub.watched_meetings(), 0);
}

#[tokio::test(start_paused = true)]
async fn versions_do_not_go_back_when_a_room_is_opened_again() {
    // The clock of this world stands still, so the time alone would give the same version again.
    let world = World::new();
    let mut screen = world.watch_from_now(Watcher::Public).await;
    world.rename("Second title").await;
    let before = screen.next().await.version;
    drop(screen);

    world.clock.advance(chrono::TimeDelta::seconds(-10));
    let after = world.watch(Watcher::Public).await.next().await.version;

    assert!(after > before, "{after} after {before}");
}

#[tokio::test(start_paused = true)]
async fn the_shutdown_ends_all_streams_at_once() {
    let world = World::new();
    let mut waiting = world.watch_from_now(Watcher::Public).await;
    let mut with_frames_to_come = world.watch(Watcher::Organizer).await;

    world.hub.shutdown();

    waiting.has_ended().await;
    with_frames_to_come.has_ended().await;
    assert_eq!(world.hub.watched_meetings(), 0);
    world.watch(Watcher::Public).await.has_ended().await;
}

#[tokio::test(start_paused = true)]
async fn the_shutdown_lets_go_of_those_who_wait_for_the_first_picture() {
    let world = World::new();
    world.source.hold(true);
    let mut watching = world.hub.watch(world.meeting, Watcher::Public);
    assert!(tokio::time::timeout(Duration::from_secs(1), &mut watching).await.is_err());
    world.hub.shutdown();
    assert!(watching.await.unwrap().unwrap().next().await.is_none());
}

#[tokio::test(start_paused = true)]
async fn dropping_the_hub_ends_all_streams() {
    let world = World::new();
    let mut screen = world.watch_from_now(Watcher::Public).await;
    drop(world);
    screen.has_ended().await;
}

#[tokio::test(start_paused = true)]
async fn the_state_is_that_of_the_room_and_without_one_that_of_the_store() {
    let world = World::new();
    let stored = world.hub.state(world.meeting).await.unwrap().unwrap();
    assert_eq!((stored.participants, &*stored.facts.title), (0, "General assembly"));
    assert_eq!(world.hub.watched_meetings(), 0);

    let _screen = world.watch(Watcher::Voter(world.new_voter())).await;
    let loads = world.source.loads.load(Ordering::SeqCst);
    let watched = world.hub.state(world.meeting).await.unwrap().unwrap();

    assert_eq!(watched.participants, 1);
    assert!(watched.version >= stored.version);
    assert_eq!(world.source.loads.load(Ordering::SeqCst), loads);
}
