//! Who is there of those who may vote, where a quorum asks for them.

use std::sync::atomic::Ordering;
use std::time::Duration;

use plenum_kernel::{AtOpening, Attendance, EndUserId, Quorum, Threshold, Unit};
use plenum_meetings::People;
use plenum_meetings::live::{LiveChange, LiveQuorum, Watcher};
use tokio::time::Instant;

use crate::support::{Screen, Told, World};

fn people(heads: u64, weight: &str) -> People {
    People { heads, weight: weight.parse().unwrap() }
}

fn quorum(unit: Unit, attendance: Attendance) -> LiveQuorum {
    let quorum = Quorum { threshold: Threshold::AT_LEAST_HALF, unit, attendance };
    LiveQuorum { quorum, at_opening: Some(AtOpening::Warn), eligible: People::default() }
}

/// A meeting that asks for half of the weight, and one voter for each of these weights.
fn with_quorum(attendance: Attendance, weights: &[&str]) -> (World, Vec<EndUserId>) {
    let world = World::new();
    world.source.change(|facts| facts.quorum = Some(quorum(Unit::Weight, attendance)));
    let voters: Vec<EndUserId> = weights.iter().map(|_| world.new_voter()).collect();
    for (voter, weight) in voters.iter().zip(weights) {
        world.source.weigh(*voter, Some(weight));
    }
    (world, voters)
}

/// The next change of the numbers of those who are there.
async fn next_presence(screen: &mut Screen) -> Told {
    let told = screen.next().await;
    assert_eq!(told.change, LiveChange::ParticipantCount, "{told:?}");
    told
}

#[tokio::test(start_paused = true)]
async fn those_who_come_and_go_are_weighed_exactly() {
    let (world, voters) = with_quorum(Attendance::Present, &["0.0001", "33.3333", "100"]);
    let mut organizer = world.watch(Watcher::Organizer).await;
    let eligible = people(3, "133.3334");
    assert_eq!(organizer.next().await.quorum, Some((People::default(), eligible)));
    let mut screens = Vec::new();
    for (voter, present) in voters.iter().zip([people(1, "0.0001"), people(2, "33.3334"), people(3, "133.3334")]) {
        screens.push(world.watch(Watcher::Voter(*voter)).await);
        assert_eq!(next_presence(&mut organizer).await.quorum, Some((present, eligible)));
    }
    for present in [people(2, "33.3334"), people(1, "0.0001"), People::default()] {
        screens.pop();
        assert_eq!(next_presence(&mut organizer).await.quorum, Some((present, eligible)));
    }
}

#[tokio::test(start_paused = true)]
async fn whoever_may_not_vote_is_connected_but_not_present_and_nobody_is_present_twice() {
    let (world, voters) = with_quorum(Attendance::Present, &["2.5"]);
    let mut organizer = world.watch_from_now(Watcher::Organizer).await;
    let _stranger = world.watch(Watcher::Voter(world.new_voter())).await;
    let told = next_presence(&mut organizer).await;
    assert_eq!((told.participants, told.present), (1, People::default()));
    let phone = world.watch(Watcher::Voter(voters[0])).await;
    let told = next_presence(&mut organizer).await;
    assert_eq!((told.participants, told.present), (2, people(1, "2.5")));
    let _laptop = world.watch(Watcher::Voter(voters[0])).await;
    drop(phone);
    organizer.hears_nothing_for(Duration::from_secs(5)).await;
}

#[tokio::test(start_paused = true)]
async fn one_voter_in_the_place_of_another_is_told() {
    let (world, voters) = with_quorum(Attendance::Present, &["1", "2"]);
    let mut organizer = world.watch_from_now(Watcher::Organizer).await;
    let first = world.watch(Watcher::Voter(voters[0])).await;
    assert_eq!(next_presence(&mut organizer).await.present, people(1, "1"));
    let _second = world.watch(Watcher::Voter(voters[1])).await;
    drop(first);
    let told = next_presence(&mut organizer).await;
    assert_eq!((told.participants, told.present), (1, people(1, "2")));
}

#[tokio::test(start_paused = true)]
async fn thousands_who_come_ask_nothing_of_the_store() {
    let (world, _) = with_quorum(Attendance::Present, &[]);
    let voters: Vec<EndUserId> = (0..3_000).map(|_| world.new_voter()).collect();
    for voter in &voters {
        world.source.weigh(*voter, Some("0.3333"));
    }
    let mut organizer = world.watch_from_now(Watcher::Organizer).await;
    let loads = world.source.loads.load(Ordering::SeqCst);
    let begin = Instant::now();
    let mut screens = Vec::new();
    for voter in &voters {
        screens.push(world.watch(Watcher::Voter(*voter)).await);
    }
    let mut told = next_presence(&mut organizer).await;
    while told.participants < 3_000 {
        told = next_presence(&mut organizer).await;
    }
    assert_eq!(told.present, people(3_000, "999.9"));
    assert!(begin.elapsed() < Duration::from_secs(15), "the store is asked once in a period");
    assert_eq!(world.source.loads.load(Ordering::SeqCst), loads);
}

#[tokio::test(start_paused = true)]
async fn other_weights_reach_the_meter_with_the_next_change() {
    let (world, voters) = with_quorum(Attendance::Present, &["1", "1"]);
    let mut organizer = world.watch_from_now(Watcher::Organizer).await;
    let ada = world.watch(Watcher::Voter(voters[0])).await;
    next_presence(&mut organizer).await;
    let _ben = world.watch(Watcher::Voter(voters[1])).await;
    assert_eq!(next_presence(&mut organizer).await.present, people(2, "2"));
    world.source.weigh(voters[0], Some("7.5"));
    world.source.weigh(voters[1], None);
    world.change(|_| ()).await;
    let told = next_presence(&mut organizer).await;
    assert_eq!((told.participants, told.quorum), (2, Some((people(1, "7.5"), people(1, "7.5")))));
    // And whoever leaves now leaves with the weight that they have now.
    drop(ada);
    assert_eq!(next_presence(&mut organizer).await.present, people(0, "0"));
}

#[tokio::test(start_paused = true)]
async fn a_quorum_that_comes_or_goes_is_told_with_the_whole_picture() {
    let (world, voters) = with_quorum(Attendance::Present, &["1", "3"]);
    world.source.change(|facts| facts.quorum = None);
    let _ada = world.watch_from_now(Watcher::Voter(voters[0])).await;
    let mut organizer = world.watch_from_now(Watcher::Organizer).await;
    organizer.hears_nothing_for(Duration::from_secs(5)).await;

    world.change(|facts| facts.quorum = Some(quorum(Unit::Heads, Attendance::Present))).await;
    let told = organizer.next().await;
    assert_eq!((told.change, told.quorum), (LiveChange::MeetingUpdate, Some((people(1, "1"), people(2, "4")))));
    world.change(|facts| facts.quorum = None).await;
    let told = organizer.next().await;
    assert_eq!((told.change, told.quorum, told.present), (LiveChange::MeetingUpdate, None, People::default()));
    organizer.hears_nothing_for(Duration::from_secs(5)).await;
}

#[tokio::test(start_paused = true)]
async fn the_weight_of_the_votes_is_asked_for_at_most_once_a_second() {
    let (world, _) = with_quorum(Attendance::Voted, &[]);
    let round = world.open_question().await;
    let mut screen = world.watch_from_now(Watcher::Public).await;
    let begin = Instant::now();
    let voting = async {
        for _ in 0..300 {
            let voter = world.new_voter();
            world.source.weigh(voter, Some("0.5"));
            world.vote(round, voter).await;
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    let watching = async {
        loop {
            let told = screen.next().await;
            let (attending, _) = told.quorum.unwrap();
            if attending == people(300, "150") {
                break;
            }
        }
    };
    tokio::join!(voting, watching);
    let seconds = begin.elapsed().as_secs() as usize;
    let calls = world.source.weight_cast_calls.load(Ordering::SeqCst);
    assert!((2..=seconds + 1).contains(&calls), "{calls} in {seconds} s");
}

#[tokio::test(start_paused = true)]
async fn heads_and_presence_need_no_weight_of_votes() {
    for (unit, attendance) in [(Unit::Heads, Attendance::Voted), (Unit::Weight, Attendance::Present)] {
        let world = World::new();
        world.source.change(|facts| facts.quorum = Some(quorum(unit, attendance)));
        let round = world.open_question().await;
        let mut screen = world.watch_from_now(Watcher::Public).await;
        let voter = world.new_voter();
        world.vote(round, voter).await;
        assert_eq!(screen.next().await.votes, Some(1));
        screen.hears_nothing_for(Duration::from_secs(5)).await;
        assert_eq!(world.source.weight_cast_calls.load(Ordering::SeqCst), 0);
    }
}

#[tokio::test(start_paused = true)]
async fn a_weight_that_could_not_be_read_is_read_again() {
    let (world, voters) = with_quorum(Attendance::Voted, &["2.5"]);
    let round = world.open_question().await;
    let mut screen = world.watch_from_now(Watcher::Public).await;
    world.vote(round, voters[0]).await;
    assert_eq!(screen.next().await.votes, Some(1));
    world.source.fail(2);
    assert_eq!(screen.next().await.quorum.unwrap().0, people(1, "2.5"));
}
