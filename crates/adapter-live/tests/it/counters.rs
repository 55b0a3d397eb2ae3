use std::sync::atomic::Ordering;
use std::time::Duration;

use plenum_adapter_live::LiveSettings;
use plenum_meetings::live::{LiveChange, Watcher};
use tokio::time::{Instant, advance};

use crate::support::Fixture;

const MERGE_INTERVAL: Duration = Duration::from_millis(250);

#[tokio::test(start_paused = true)]
async fn vote_counts_are_announced_at_once_and_then_at_most_four_times_a_second() {
    let fixture = Fixture::new();
    let round = fixture.open_question().await;
    let mut stream = fixture.watch_from_now(Watcher::Public).await;
    stream.receives_nothing_for(Duration::from_secs(1)).await;
    let loads = fixture.source.loads.load(Ordering::SeqCst);
    let begin = Instant::now();
    let voting = async {
        for _ in 0..200 {
            fixture.vote(round, fixture.new_voter()).await;
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    let watching = async {
        let mut received = Vec::new();
        while received.last().is_none_or(|(_, votes): &(Duration, u64)| *votes < 200) {
            let frame = stream.next().await;
            assert_eq!(frame.change, LiveChange::VoteCount);
            received.push((begin.elapsed(), frame.votes.unwrap()));
        }
        received
    };

    let ((), received) = tokio::join!(voting, watching);

    assert_eq!(received[0], (Duration::ZERO, 1));
    for pair in received.windows(2) {
        assert!(pair[1].0 - pair[0].0 >= MERGE_INTERVAL, "{received:?}");
        assert!(pair[1].1 > pair[0].1, "{received:?}");
    }
    // Two seconds of votes, and one more announcement for the last of them.
    assert!((8..=10).contains(&received.len()), "{received:?}");
    assert!(fixture.source.votes_cast_calls.load(Ordering::SeqCst) <= 10);
    assert_eq!(fixture.source.loads.load(Ordering::SeqCst), loads);
}

#[tokio::test(start_paused = true)]
async fn more_watchers_make_vote_counts_less_frequent() {
    let fixture =
        Fixture::with(LiveSettings { merge_per_watcher: Duration::from_millis(100), ..LiveSettings::default() });
    let round = fixture.open_question().await;
    let mut stream = fixture.watch_from_now(Watcher::Public).await;
    let presentations = futures_util::future::join_all((0..19).map(|_| fixture.watch(Watcher::Public))).await;
    let begin = Instant::now();
    fixture.vote(round, fixture.new_voter()).await;
    assert_eq!(stream.next().await.votes, Some(1));
    assert_eq!(begin.elapsed(), Duration::ZERO);

    fixture.vote(round, fixture.new_voter()).await;
    stream.receives_nothing_for(Duration::from_millis(1_990)).await;
    assert_eq!(stream.next().await.votes, Some(2));

    // After the watchers have left, the usual interval applies from the next announcement on.
    drop(presentations);
    fixture.vote(round, fixture.new_voter()).await;
    assert_eq!(stream.next().await.votes, Some(3));
    let received = Instant::now();
    fixture.vote(round, fixture.new_voter()).await;
    assert_eq!(stream.next().await.votes, Some(4));
    assert_eq!(received.elapsed().as_millis() / 10, MERGE_INTERVAL.as_millis() / 10);
}

#[tokio::test(start_paused = true)]
async fn an_unchanged_count_is_not_announced() {
    let fixture = Fixture::new();
    let round = fixture.open_question().await;
    let voter = fixture.new_voter();
    fixture.vote(round, voter).await;
    let mut stream = fixture.watch_from_now(Watcher::Public).await;
    fixture.vote(round, voter).await;
    stream.receives_nothing_for(Duration::from_secs(10)).await;
}

#[tokio::test(start_paused = true)]
async fn a_withdrawn_vote_lowers_the_count() {
    let fixture = Fixture::new();
    let round = fixture.open_question().await;
    let voter = fixture.new_voter();
    fixture.vote(round, voter).await;
    let mut stream = fixture.watch(Watcher::Public).await;
    assert_eq!(stream.next().await.votes, Some(1));

    fixture.withdraw(round, voter).await;

    let received = stream.next().await;
    assert_eq!((received.change, received.votes), (LiveChange::VoteCount, Some(0)));
}

#[tokio::test(start_paused = true)]
async fn counts_from_a_full_load_are_merged_too() {
    let fixture = Fixture::new();
    let round = fixture.open_question().await;
    let mut stream = fixture.watch_from_now(Watcher::Public).await;
    fixture.vote(round, fixture.new_voter()).await;
    let begin = Instant::now();
    assert_eq!(stream.next().await.votes, Some(1));

    fixture.source.add_vote_silently(round, fixture.new_voter());
    fixture.rename("Other title").await;

    let update = stream.next().await;
    assert_eq!((update.change, begin.elapsed()), (LiveChange::MeetingUpdate, Duration::ZERO));
    let counted = stream.next().await;
    assert_eq!((counted.change, counted.votes), (LiveChange::VoteCount, Some(2)));
    assert_eq!(counted.version, update.version + 1);
    assert!(begin.elapsed() >= MERGE_INTERVAL);
}

#[tokio::test(start_paused = true)]
async fn late_additions_to_the_register_are_announced_as_a_count() {
    let fixture = Fixture::new();
    fixture.open_question().await;
    let mut stream = fixture.watch_from_now(Watcher::Public).await;
    fixture.change(|facts| facts.question.as_mut().unwrap().round.as_mut().unwrap().register_size = 101).await;
    assert_eq!(stream.next().await.change, LiveChange::VoteCount);
    stream.receives_nothing_for(Duration::from_secs(5)).await;
}

#[tokio::test(start_paused = true)]
async fn a_voter_with_several_streams_is_counted_once() {
    let fixture = Fixture::new();
    let mut organizer = fixture.watch(Watcher::Organizer).await;
    assert_eq!(organizer.next().await.participants, 0);
    let voter = fixture.new_voter();

    let phone = fixture.watch(Watcher::Voter(voter)).await;
    let received = organizer.next().await;
    assert_eq!((received.change, received.participants), (LiveChange::ParticipantCount, 1));
    let laptop = fixture.watch(Watcher::Voter(voter)).await;
    organizer.receives_nothing_for(Duration::from_secs(5)).await;
    drop(phone);
    organizer.receives_nothing_for(Duration::from_secs(5)).await;
    drop(laptop);
    let received = organizer.next().await;
    assert_eq!((received.change, received.participants), (LiveChange::ParticipantCount, 0));
}

#[tokio::test(start_paused = true)]
async fn organizers_and_presentations_are_not_counted() {
    let fixture = Fixture::new();
    let mut organizer = fixture.watch_from_now(Watcher::Organizer).await;
    let _public = fixture.watch(Watcher::Public).await;
    let _other = fixture.watch(Watcher::Organizer).await;
    organizer.receives_nothing_for(Duration::from_secs(5)).await;
}

#[tokio::test(start_paused = true)]
async fn voters_who_come_and_go_are_announced_at_most_four_times_a_second() {
    let fixture = Fixture::new();
    let mut organizer = fixture.watch_from_now(Watcher::Organizer).await;
    let begin = Instant::now();
    let mut voters = vec![fixture.watch(Watcher::Voter(fixture.new_voter())).await];
    assert_eq!(organizer.next().await.participants, 1);
    assert_eq!(begin.elapsed(), Duration::ZERO);
    for _ in 0..50 {
        voters.push(fixture.watch(Watcher::Voter(fixture.new_voter())).await);
        advance(Duration::from_millis(1)).await;
    }
    assert_eq!(organizer.next().await.participants, 51);
    assert!(begin.elapsed() >= MERGE_INTERVAL);

    // All connections break and return between two announcements, so nothing has changed.
    drop(voters);
    let mut voters = Vec::new();
    for _ in 0..51 {
        voters.push(fixture.watch(Watcher::Voter(fixture.new_voter())).await);
    }
    organizer.receives_nothing_for(Duration::from_secs(5)).await;
}
