use std::time::Duration;

use chrono::TimeDelta;
use futures_util::future::join_all;
use plenum_kernel::Clock;
use plenum_meetings::live::{LiveChange, Watcher};
use tokio::time::{Instant, sleep};

use crate::support::World;

const PERIOD: Duration = Duration::from_secs(15);

#[tokio::test(start_paused = true)]
async fn a_heartbeat_comes_every_fifteen_seconds_and_repeats_the_version() {
    let world = World::new();
    let mut screen = world.watch(Watcher::Public).await;
    let first = screen.next().await;
    for _ in 0..3 {
        let before = Instant::now();
        world.clock.advance(TimeDelta::seconds(15));
        let beat = screen.next().await;
        assert_eq!((beat.change, beat.version), (LiveChange::Heartbeat { at: world.clock.now() }, first.version));
        assert_eq!(before.elapsed().as_secs(), 15);
    }
}

#[tokio::test(start_paused = true)]
async fn the_heartbeats_of_streams_that_came_at_once_are_spread_over_the_period() {
    let world = World::new();
    let mut screens = join_all((0..150).map(|_| world.watch_from_now(Watcher::Public))).await;
    let begin = Instant::now();
    for _ in 0..3 {
        let beats = join_all(screens.iter_mut().map(async |screen| {
            assert!(screen.next().await.is_heartbeat());
            begin.elapsed()
        }))
        .await;
        let mut in_each_second = [0; PERIOD.as_secs() as usize];
        beats.iter().for_each(|beat| in_each_second[(beat.as_secs() % PERIOD.as_secs()) as usize] += 1);
        assert!(in_each_second.iter().all(|beats| (9..=11).contains(beats)), "{in_each_second:?}");
    }
    // Each was heard three times in three periods, and so is never silent for longer than one.
    assert_eq!(begin.elapsed().as_secs(), 3 * PERIOD.as_secs());
}

#[tokio::test(start_paused = true)]
async fn events_put_off_no_heartbeat() {
    let world = World::new();
    let mut screen = world.watch_from_now(Watcher::Public).await;
    let begin = Instant::now();
    for number in 0..4 {
        sleep(Duration::from_millis(3_500)).await;
        world.rename(&format!("Title {number}")).await;
        assert_eq!(screen.next().await.change, LiveChange::MeetingUpdate);
    }
    for seconds in [15, 30] {
        assert!(screen.next().await.is_heartbeat());
        assert_eq!(begin.elapsed().as_secs(), seconds);
    }
}

#[tokio::test(start_paused = true)]
async fn a_heartbeat_that_is_due_tells_no_version_that_lies_unread() {
    let world = World::new();
    let mut screen = world.watch_from_now(Watcher::Public).await;
    sleep(2 * PERIOD).await;
    world.rename("Unread").await;
    sleep(PERIOD).await;
    let update = screen.next().await;
    assert_eq!((update.change, update.title.as_str()), (LiveChange::MeetingUpdate, "Unread"));
    let beat = screen.next().await;
    assert_eq!((beat.change, beat.version), (LiveChange::Heartbeat { at: world.clock.now() }, update.version));
    // Those before it are not made up for.
    let before = Instant::now();
    assert!(screen.next().await.is_heartbeat());
    assert_eq!(before.elapsed().as_secs(), PERIOD.as_secs());
}
