use std::sync::atomic::Ordering;
use std::time::Duration;

use plenum_adapter_live::LiveSettings;
use plenum_meetings::live::{LiveChange, Watcher};
use tokio::time::{Instant, advance};

use crate::support::World;

const MERGE_INTERVAL: Duration = Duration::from_millis(250);

#[tokio::test(start_paused = true)]
async fn votes_are_told_at_once_and_then_at_most_four_times_a_second() {
    let world = World::new();
    let round = world.open_question().await;
    let mut screen = world.watch_from_now(Watcher::Public).await;
    screen.hears_nothing_for(Duration::from_secs(1)).await;
    let loads = world.source.loads.load(Ordering::SeqCst);
    let begin = Instant::now();
    let voting = async {
        for _ in 0..200 {
            world.vote(round, world.new_voter()).await;
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    let watching = async {
        let mut told = Vec::new();
        while told.last().is_none_or(|(_, votes): &(Duration, u64)| *votes < 200) {
            let frame = screen.next().await;
            assert_eq!(frame.change, LiveChange::VoteCount);
            told.push((begin.elapsed(), frame.votes.unwrap()));
        }
        told
    };

    let ((), told) = tokio::join!(voting, watching);

    assert_eq!(told[0], (Duration::ZERO, 1));
    for pair in told.windows(2) {
        assert!(pair[1].0 - pair[0].0 >= MERGE_INTERVAL, "{told:?}");
        assert!(pair[1].1 > pair[0].1, "{told:?}");
    }
    // Two seconds of votes, and one more for the last of them.
    assert!((8..=10).contains(&told.len()), "{told:?}");
    assert!(world.source.votes_cast_calls.load(Ordering::SeqCst) <= 10);
    assert_eq!(world.source.loads.load(Ordering::SeqCst), loads);
}

#[tokio::test(start_paused = true)]
async fn the_more_watch_the_less_often_votes_are_told() {
    let world = World::with(LiveSettings { merge_per_watcher: Duration::from_millis(100), ..LiveSettings::default() });
    let round = world.open_question().await;
    let mut screen = world.watch_from_now(Watcher::Public).await;
    let crowd = futures_util::future::join_all((0..19).map(|_| world.watch(Watcher::Public))).await;
    let begin = Instant::now();
    world.vote(round, world.new_voter()).await;
    assert_eq!(screen.next().await.votes, Some(1));
    assert_eq!(begin.elapsed(), Duration::ZERO);

    world.vote(round, world.new_voter()).await;
    screen.hears_nothing_for(Duration::from_millis(1_990)).await;
    assert_eq!(screen.next().await.votes, Some(2));

    // Where the hall has emptied, it is the usual time again from the next one on.
    drop(crowd);
    world.vote(round, world.new_voter()).await;
    assert_eq!(screen.next().await.votes, Some(3));
    let told = Instant::now();
    world.vote(round, world.new_voter()).await;
    assert_eq!(screen.next().await.votes, Some(4));
    assert_eq!(told.elapsed().as_millis() / 10, MERGE_INTERVAL.as_millis() / 10);
}

#[tokio::test(start_paused = true)]
async fn an_unchanged_count_is_not_told() {
    let world = World::new();
    let round = world.open_question().await;
    let voter = world.new_voter();
    world.vote(round, voter).await;
    let mut screen = world.watch_from_now(Watcher::Public).await;
    world.vote(round, voter).await;
    screen.hears_nothing_for(Duration::from_secs(10)).await;
}

#[tokio::test(start_paused = true)]
async fn a_withdrawn_vote_lowers_the_count() {
    let world = World::new();
    let round = world.open_question().await;
    let voter = world.new_voter();
    world.vote(round, voter).await;
    let mut screen = world.watch(Watcher::Public).await;
    assert_eq!(screen.next().await.votes, Some(1));

    world.withdraw(round, voter).await;

    let told = screen.next().await;
    assert_eq!((told.change, told.votes), (LiveChange::VoteCount, Some(0)));
}

#[tokio::test(start_paused = true)]
async fn counts_that_a_full_load_brings_along_are_merged_too() {
    let world = World::new();
    let round = world.open_question().await;
    let mut screen = world.watch_from_now(Watcher::Public).await;
    world.vote(round, world.new_voter()).await;
    let begin = Instant::now();
    assert_eq!(screen.next().await.votes, Some(1));

    world.source.add_vote_silently(round, world.new_voter());
    world.rename("Other title").await;

    let update = screen.next().await;
    assert_eq!((update.change, begin.elapsed()), (LiveChange::MeetingUpdate, Duration::ZERO));
    let counted = screen.next().await;
    assert_eq!((counted.change, counted.votes), (LiveChange::VoteCount, Some(2)));
    assert_eq!(counted.version, update.version + 1);
    assert!(begin.elapsed() >= MERGE_INTERVAL);
}

#[tokio::test(start_paused = true)]
async fn latecomers_in_the_register_are_told_as_a_count() {
    let world = World::new();
    world.open_question().await;
    let mut screen = world.watch_from_now(Watcher::Public).await;
    world.change(|facts| facts.question.as_mut().unwrap().round.as_mut().unwrap().register_size = 101).await;
    assert_eq!(screen.next().await.change, LiveChange::VoteCount);
    screen.hears_nothing_for(Duration::from_secs(5)).await;
}

#[tokio::test(start_paused = true)]
async fn a_voter_with_several_screens_is_counted_once() {
    let world = World::new();
    let mut organizer = world.watch(Watcher::Organizer).await;
    assert_eq!(organizer.next().await.participants, 0);
    let voter = world.new_voter();

    let phone = world.watch(Watcher::Voter(voter)).await;
    let told = organizer.next().await;
    assert_eq!((told.change, told.participants), (LiveChange::ParticipantCount, 1));
    let laptop = world.watch(Watcher::Voter(voter)).await;
    organizer.hears_nothing_for(Duration::from_secs(5)).await;
    drop(phone);
    organizer.hears_nothing_for(Duration::from_secs(5)).await;
    drop(laptop);
    let told = organizer.next().await;
    assert_eq!((told.change, told.participants), (LiveChange::ParticipantCount, 0));
}

#[tokio::test(start_paused = true)]
async fn organizers_and_big_screens_are_not_counted() {
    let world = World::new();
    let mut organizer = world.watch_from_now(Watcher::Organizer).await;
    let _public = world.watch(Watcher::Public).await;
    let _other = world.watch(Watcher::Organizer).await;
    organizer.hears_nothing_for(Duration::from_secs(5)).await;
}

#[tokio::test(start_paused = true)]
async fn voters_who_come_and_go_are_told_at_most_four_times_a_second() {
    let world = World::new();
    let mut organizer = world.watch_from_now(Watcher::Organizer).await;
    let begin = Instant::now();
    let mut voters = vec![world.watch(Watcher::Voter(world.new_voter())).await];
    assert_eq!(organizer.next().await.participants, 1);
    assert_eq!(begin.elapsed(), Duration::ZERO);
    for _ in 0..50 {
        voters.push(world.watch(Watcher::Voter(world.new_voter())).await);
        advance(Duration::from_millis(1)).await;
    }
    assert_eq!(organizer.next().await.participants, 51);
    assert!(begin.elapsed() >= MERGE_INTERVAL);

    // Everyone's connection breaks and comes back between two announcements: nothing has changed.
    drop(voters);
    let mut voters = Vec::new();
    for _ in 0..51 {
        voters.push(world.watch(Watcher::Voter(world.new_voter())).await);
    }
    organizer.hears_nothing_for(Duration::from_secs(5)).await;
}
