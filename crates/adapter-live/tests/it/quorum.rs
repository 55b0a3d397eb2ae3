//! Present voters of meetings with a quorum.

use std::sync::atomic::Ordering;
use std::time::Duration;

use plenum_kernel::{AtOpening, Attendance, EndUserId, Minimum, Quorum, Threshold, Unit};
use plenum_meetings::People;
use plenum_meetings::live::{LiveBus as _, LiveChange, LiveCheckIn, LiveNotice, LiveQuorum, LiveStreams as _, Watcher};
use tokio::time::Instant;

use crate::support::{Fixture, ReceivedFrame, WatcherStream};

fn people(heads: u64, weight: &str) -> People {
    People { heads, weight: weight.parse().unwrap() }
}

fn quorum(unit: Unit, attendance: Attendance) -> LiveQuorum {
    let quorum = Quorum { minimum: Minimum::Share(Threshold::AT_LEAST_HALF), unit, attendance };
    LiveQuorum { quorum, at_opening: Some(AtOpening::Warn), eligible: People::default(), weight_kind: None }
}

/// A meeting whose quorum is half of the weight, with one voter for each given weight.
fn with_quorum(attendance: Attendance, weights: &[&str]) -> (Fixture, Vec<EndUserId>) {
    let fixture = Fixture::new();
    fixture.source.change(|facts| facts.quorum = Some(quorum(Unit::Weight, attendance)));
    let voters: Vec<EndUserId> = weights.iter().map(|_| fixture.new_voter()).collect();
    for (voter, weight) in voters.iter().zip(weights) {
        fixture.source.weigh(*voter, Some(weight));
    }
    (fixture, voters)
}

/// The next change of the presence counters.
async fn next_presence(stream: &mut WatcherStream) -> ReceivedFrame {
    let received = stream.next().await;
    assert_eq!(received.change, LiveChange::ParticipantCount, "{received:?}");
    received
}

#[tokio::test(start_paused = true)]
async fn the_weight_of_voters_who_come_and_go_is_exact() {
    let (fixture, voters) = with_quorum(Attendance::Present, &["0.0001", "33.3333", "100"]);
    let mut organizer = fixture.watch(Watcher::Organizer).await;
    let eligible = people(3, "133.3334");
    assert_eq!(organizer.next().await.quorum, Some((People::default(), eligible)));
    let mut streams = Vec::new();
    for (voter, present) in voters.iter().zip([people(1, "0.0001"), people(2, "33.3334"), people(3, "133.3334")]) {
        streams.push(fixture.watch(Watcher::Voter(*voter)).await);
        assert_eq!(next_presence(&mut organizer).await.quorum, Some((present, eligible)));
    }
    for present in [people(2, "33.3334"), people(1, "0.0001"), People::default()] {
        streams.pop();
        assert_eq!(next_presence(&mut organizer).await.quorum, Some((present, eligible)));
    }
}

#[tokio::test(start_paused = true)]
async fn an_ineligible_voter_is_connected_but_not_present_and_no_voter_is_present_twice() {
    let (fixture, voters) = with_quorum(Attendance::Present, &["2.5"]);
    let mut organizer = fixture.watch_from_now(Watcher::Organizer).await;
    let _stranger = fixture.watch(Watcher::Voter(fixture.new_voter())).await;
    let received = next_presence(&mut organizer).await;
    assert_eq!((received.participants, received.present), (1, People::default()));
    let phone = fixture.watch(Watcher::Voter(voters[0])).await;
    let received = next_presence(&mut organizer).await;
    assert_eq!((received.participants, received.present), (2, people(1, "2.5")));
    let _laptop = fixture.watch(Watcher::Voter(voters[0])).await;
    drop(phone);
    organizer.receives_nothing_for(Duration::from_secs(5)).await;
}

#[tokio::test(start_paused = true)]
async fn one_voter_in_place_of_another_is_announced() {
    let (fixture, voters) = with_quorum(Attendance::Present, &["1", "2"]);
    let mut organizer = fixture.watch_from_now(Watcher::Organizer).await;
    let first = fixture.watch(Watcher::Voter(voters[0])).await;
    assert_eq!(next_presence(&mut organizer).await.present, people(1, "1"));
    let _second = fixture.watch(Watcher::Voter(voters[1])).await;
    drop(first);
    let received = next_presence(&mut organizer).await;
    assert_eq!((received.participants, received.present), (1, people(1, "2")));
}

#[tokio::test(start_paused = true)]
async fn thousands_of_arrivals_cause_no_query() {
    let (fixture, _) = with_quorum(Attendance::Present, &[]);
    let voters: Vec<EndUserId> = (0..3_000).map(|_| fixture.new_voter()).collect();
    for voter in &voters {
        fixture.source.weigh(*voter, Some("0.3333"));
    }
    let mut organizer = fixture.watch_from_now(Watcher::Organizer).await;
    let loads = fixture.source.loads.load(Ordering::SeqCst);
    let begin = Instant::now();
    let mut streams = Vec::new();
    for voter in &voters {
        streams.push(fixture.watch(Watcher::Voter(*voter)).await);
    }
    let mut received = next_presence(&mut organizer).await;
    while received.participants < 3_000 {
        received = next_presence(&mut organizer).await;
    }
    assert_eq!(received.present, people(3_000, "999.9"));
    assert!(begin.elapsed() < Duration::from_secs(15), "the store is queried once in a period");
    assert_eq!(fixture.source.loads.load(Ordering::SeqCst), loads);
}

#[tokio::test(start_paused = true)]
async fn changed_weights_are_counted_from_the_next_change_on() {
    let (fixture, voters) = with_quorum(Attendance::Present, &["1", "1"]);
    let mut organizer = fixture.watch_from_now(Watcher::Organizer).await;
    let ada = fixture.watch(Watcher::Voter(voters[0])).await;
    next_presence(&mut organizer).await;
    let _ben = fixture.watch(Watcher::Voter(voters[1])).await;
    assert_eq!(next_presence(&mut organizer).await.present, people(2, "2"));
    fixture.source.weigh(voters[0], Some("7.5"));
    fixture.source.weigh(voters[1], None);
    fixture.change(|_| ()).await;
    let received = next_presence(&mut organizer).await;
    assert_eq!((received.participants, received.quorum), (2, Some((people(1, "7.5"), people(1, "7.5")))));
    // A voter who leaves is subtracted with the new weight.
    drop(ada);
    assert_eq!(next_presence(&mut organizer).await.present, people(0, "0"));
}

#[tokio::test(start_paused = true)]
async fn an_added_or_removed_quorum_is_announced_with_the_whole_snapshot() {
    let (fixture, voters) = with_quorum(Attendance::Present, &["1", "3"]);
    fixture.source.change(|facts| facts.quorum = None);
    let _ada = fixture.watch_from_now(Watcher::Voter(voters[0])).await;
    let mut organizer = fixture.watch_from_now(Watcher::Organizer).await;
    organizer.receives_nothing_for(Duration::from_secs(5)).await;

    fixture.change(|facts| facts.quorum = Some(quorum(Unit::Heads, Attendance::Present))).await;
    let received = organizer.next().await;
    assert_eq!((received.change, received.quorum), (LiveChange::MeetingUpdate, Some((people(1, "1"), people(2, "4")))));
    fixture.change(|facts| facts.quorum = None).await;
    let received = organizer.next().await;
    assert_eq!(
        (received.change, received.quorum, received.present),
        (LiveChange::MeetingUpdate, None, People::default())
    );
    organizer.receives_nothing_for(Duration::from_secs(5)).await;
}

#[tokio::test(start_paused = true)]
async fn the_record_of_check_in_counts_with_and_without_watchers() {
    let (fixture, voters) = with_quorum(Attendance::Present, &["2.5", "1", "1"]);
    let (present, represented) = (people(1, "2.5"), people(1, "1"));
    let check_in = LiveCheckIn { present, represented, eligible: people(3, "4.5"), is_self: false };
    fixture.source.change(|facts| facts.check_in = Some(check_in));
    let unwatched = fixture.hub.state(fixture.meeting).await.unwrap().unwrap();
    assert_eq!((unwatched.participants, unwatched.attending()), (1, people(2, "3.5")));
    // The voter who connects is not checked in.
    let _phone = fixture.watch_from_now(Watcher::Voter(voters[2])).await;
    let watched = fixture.hub.state(fixture.meeting).await.unwrap().unwrap();
    assert_eq!((watched.participants, watched.attending()), (1, people(2, "3.5")));
}

#[tokio::test(start_paused = true)]
async fn with_check_in_the_eligible_voters_are_announced_without_a_quorum() {
    let fixture = Fixture::new();
    let eligible = |heads| LiveCheckIn { eligible: people(heads, "4.5"), ..LiveCheckIn::default() };
    fixture.source.change(|facts| facts.check_in = Some(eligible(3)));
    let mut organizer = fixture.watch_from_now(Watcher::Organizer).await;
    fixture.change(|facts| facts.check_in = Some(eligible(4))).await;
    next_presence(&mut organizer).await;
    // The query after a check-in may find it as well.
    fixture.source.change(|facts| facts.check_in = Some(eligible(5)));
    let (meeting, end_user) = (fixture.meeting, fixture.new_voter());
    fixture.bus.publish(LiveNotice::PresenceChanged { meeting, end_user, is_in: true }).await;
    next_presence(&mut organizer).await;
    organizer.receives_nothing_for(Duration::from_secs(5)).await;
}

#[tokio::test(start_paused = true)]
async fn a_quorum_that_counts_votes_starts_anew_with_each_round() {
    let fixture = Fixture::new();
    fixture.source.change(|facts| facts.quorum = Some(quorum(Unit::Heads, Attendance::Voted)));
    let round = fixture.open_question().await;
    fixture.vote(round, fixture.new_voter()).await;
    let mut organizer = fixture.watch_from_now(Watcher::Organizer).await;
    fixture.open_question().await;
    assert!(matches!(organizer.next().await.change, LiveChange::QuestionDeactivated { .. }));
    assert_eq!(organizer.next().await.change, LiveChange::QuestionActivated);
    let received = organizer.next().await;
    assert_eq!(
        (received.change, received.quorum),
        (LiveChange::MeetingUpdate, Some((People::default(), People::default())))
    );
}

#[tokio::test(start_paused = true)]
async fn the_weight_of_the_votes_is_queried_at_most_once_a_second() {
    let (fixture, _) = with_quorum(Attendance::Voted, &[]);
    let round = fixture.open_question().await;
    let mut stream = fixture.watch_from_now(Watcher::Public).await;
    let begin = Instant::now();
    let voting = async {
        for _ in 0..300 {
            let voter = fixture.new_voter();
            fixture.source.weigh(voter, Some("0.5"));
            fixture.vote(round, voter).await;
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    let watching = async {
        loop {
            let received = stream.next().await;
            let (attending, _) = received.quorum.unwrap();
            if attending == people(300, "150") {
                break;
            }
        }
    };
    tokio::join!(voting, watching);
    let seconds = begin.elapsed().as_secs() as usize;
    let calls = fixture.source.weight_cast_calls.load(Ordering::SeqCst);
    assert!((2..=seconds + 1).contains(&calls), "{calls} in {seconds} s");
}

#[tokio::test(start_paused = true)]
async fn quorums_by_heads_or_presence_need_no_weight_of_votes() {
    for (unit, attendance) in [(Unit::Heads, Attendance::Voted), (Unit::Weight, Attendance::Present)] {
        let fixture = Fixture::new();
        fixture.source.change(|facts| facts.quorum = Some(quorum(unit, attendance)));
        let round = fixture.open_question().await;
        let mut stream = fixture.watch_from_now(Watcher::Public).await;
        let voter = fixture.new_voter();
        fixture.vote(round, voter).await;
        assert_eq!(stream.next().await.votes, Some(1));
        stream.receives_nothing_for(Duration::from_secs(5)).await;
        assert_eq!(fixture.source.weight_cast_calls.load(Ordering::SeqCst), 0);
    }
}

#[tokio::test(start_paused = true)]
async fn a_failed_query_for_the_weight_is_repeated() {
    let (fixture, voters) = with_quorum(Attendance::Voted, &["2.5"]);
    let round = fixture.open_question().await;
    let mut stream = fixture.watch_from_now(Watcher::Public).await;
    fixture.vote(round, voters[0]).await;
    assert_eq!(stream.next().await.votes, Some(1));
    fixture.source.fail(2);
    assert_eq!(stream.next().await.quorum.unwrap().0, people(1, "2.5"));
}
