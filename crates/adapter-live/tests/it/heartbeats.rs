use std::time::Duration;

use chrono::TimeDelta;
use futures_util::future::join_all;
use plenum_kernel::Clock;
use plenum_meetings::live::{LiveChange, Watcher};
use tokio::time::{Instant, sleep};

use crate::support::Fixture;

const PERIOD: Duration = Duration::from_secs(15);

#[tokio::test(start_paused = true)]
async fn a_heartbeat_comes_every_fifteen_seconds_and_repeats_the_version() {
    let fixture = Fixture::new();
    let mut stream = fixture.watch(Watcher::Public).await;
    let first = stream.next().await;
    for _ in 0..3 {
        let before = Instant::now();
        fixture.clock.advance(TimeDelta::seconds(15));
        let beat = stream.next().await;
        assert_eq!((beat.change, beat.version), (LiveChange::Heartbeat { at: fixture.clock.now() }, first.version));
        assert_eq!(before.elapsed().as_secs(), 15);
    }
}

#[tokio::test(start_paused = true)]
async fn heartbeats_of_streams_that_start_together_are_spread_over_the_period() {
    let fixture = Fixture::new();
    let mut streams = join_all((0..150).map(|_| fixture.watch_from_now(Watcher::Public))).await;
    let begin = Instant::now();
    for _ in 0..3 {
        let beats = join_all(streams.iter_mut().map(async |stream| {
            assert!(stream.next().await.is_heartbeat());
            begin.elapsed()
        }))
        .await;
        let mut in_each_second = [0; PERIOD.as_secs() as usize];
        beats.iter().for_each(|beat| in_each_second[(beat.as_secs() % PERIOD.as_secs()) as usize] += 1);
        assert!(in_each_second.iter().all(|beats| (9..=11).contains(beats)), "{in_each_second:?}");
    }
    // Each beat three times in three periods, so none is silent for longer than a period.
    assert_eq!(begin.elapsed().as_secs(), 3 * PERIOD.as_secs());
}

#[tokio::test(start_paused = true)]
async fn events_delay_no_heartbeat() {
    let fixture = Fixture::new();
    let mut stream = fixture.watch_from_now(Watcher::Public).await;
    let begin = Instant::now();
    for number in 0..4 {
        sleep(Duration::from_millis(3_500)).await;
        fixture.rename(&format!("Title {number}")).await;
        assert_eq!(stream.next().await.change, LiveChange::MeetingUpdate);
    }
    for seconds in [15, 30] {
        assert!(stream.next().await.is_heartbeat());
        assert_eq!(begin.elapsed().as_secs(), seconds);
    }
}

#[tokio::test(start_paused = true)]
async fn a_heartbeat_does_not_carry_a_version_that_is_still_unread() {
    let fixture = Fixture::new();
    let mut stream = fixture.watch_from_now(Watcher::Public).await;
    sleep(2 * PERIOD).await;
    fixture.rename("Unread").await;
    sleep(PERIOD).await;
    let update = stream.next().await;
    assert_eq!((update.change, update.title.as_str()), (LiveChange::MeetingUpdate, "Unread"));
    let beat = stream.next().await;
    assert_eq!((beat.change, beat.version), (LiveChange::Heartbeat { at: fixture.clock.now() }, update.version));
    // Missed heartbeats are not repeated.
    let before = Instant::now();
    assert!(stream.next().await.is_heartbeat());
    assert_eq!(before.elapsed().as_secs(), PERIOD.as_secs());
}
