use std::sync::atomic::Ordering;
use std::time::Duration;

use plenum_adapter_live::LiveSettings;
use plenum_meetings::live::{Audience, LiveChange, LiveRooms, Watcher};

use crate::support::{Screen, Told, World};

/// The next frame that is no counter.
async fn next_picture(screen: &mut Screen) -> Told {
    loop {
        let told = screen.next().await;
        if !matches!(told.change, LiveChange::VoteCount | LiveChange::ParticipantCount) {
            return told;
        }
    }
}

#[tokio::test(start_paused = true)]
async fn the_first_frame_tells_a_voter_whether_they_have_voted() {
    let world = World::new();
    let round = world.open_question().await;
    let (voted, other) = (world.new_voter(), world.new_voter());
    world.vote(round, voted).await;
    assert_eq!(world.watch(Watcher::Voter(voted)).await.next().await.audience, Audience::VoterWhoVoted);
    assert_eq!(world.watch(Watcher::Voter(other)).await.next().await.audience, Audience::Voter);
}

#[tokio::test(start_paused = true)]
async fn a_question_that_is_opened_first_has_no_votes_and_asks_for_none() {
    let world = World::new();
    let mut screen = world.watch_from_now(Watcher::Voter(world.new_voter())).await;
    world.open_question().await;
    let told = next_picture(&mut screen).await;
    assert_eq!((told.change, told.audience), (LiveChange::QuestionActivated, Audience::Voter));
    assert_eq!(world.source.who_voted_calls.load(Ordering::SeqCst), 0);
}

#[tokio::test(start_paused = true)]
async fn a_reopened_question_tells_each_voter_their_own() {
    let world = World::new();
    let round = world.open_question().await;
    let voters: Vec<_> = (0..20).map(|_| world.new_voter()).collect();
    let mut screens = Vec::new();
    for voter in &voters {
        screens.push(world.watch_from_now(Watcher::Voter(*voter)).await);
    }
    for voter in &voters[..7] {
        world.vote(round, *voter).await;
    }
    world.set_open(false).await;
    for screen in &mut screens {
        assert!(matches!(next_picture(screen).await.change, LiveChange::QuestionDeactivated { .. }));
        assert_eq!(next_picture(screen).await.change, LiveChange::MeetingUpdate);
    }

    world.set_open(true).await;

    let mut version = 0;
    for (number, screen) in screens.iter_mut().enumerate() {
        let told = next_picture(screen).await;
        assert_eq!(told.change, LiveChange::QuestionActivated);
        let expected = if number < 7 { Audience::VoterWhoVoted } else { Audience::Voter };
        assert_eq!(told.audience, expected, "{number}");
        version = told.version;
    }
    assert_eq!(world.source.who_voted_calls.load(Ordering::SeqCst), 1);
    let once = [(Audience::Voter, 1), (Audience::VoterWhoVoted, 1)].into();
    assert_eq!(world.frames.times_written(LiveChange::QuestionActivated, version), once);
}

#[tokio::test(start_paused = true)]
async fn a_new_question_is_open_to_those_who_voted_on_the_one_before() {
    let world = World::new();
    let first = world.open_question().await;
    let voter = world.new_voter();
    world.vote(first, voter).await;
    let mut screen = world.watch_from_now(Watcher::Voter(voter)).await;
    world.open_question().await;
    assert!(matches!(next_picture(&mut screen).await.change, LiveChange::QuestionDeactivated { .. }));
    let told = next_picture(&mut screen).await;
    assert_eq!((told.change, told.audience), (LiveChange::QuestionActivated, Audience::Voter));
}

#[tokio::test(start_paused = true)]
async fn a_vote_that_was_withdrawn_before_the_question_is_reopened_is_not_remembered() {
    let world = World::new();
    let round = world.open_question().await;
    let voter = world.new_voter();
    world.vote(round, voter).await;
    let mut screen = world.watch_from_now(Watcher::Voter(voter)).await;
    world.withdraw(round, voter).await;
    world.set_open(false).await;
    assert!(matches!(next_picture(&mut screen).await.change, LiveChange::QuestionDeactivated { .. }));
    assert_eq!(next_picture(&mut screen).await.change, LiveChange::MeetingUpdate);

    world.set_open(true).await;

    let told = next_picture(&mut screen).await;
    assert_eq!((told.change, told.audience), (LiveChange::QuestionActivated, Audience::Voter));
}

#[tokio::test(start_paused = true)]
async fn an_update_in_the_middle_of_a_vote_tells_each_voter_their_own() {
    let world = World::new();
    let round = world.open_question().await;
    let (voter, other) = (world.new_voter(), world.new_voter());
    let mut voted = world.watch_from_now(Watcher::Voter(voter)).await;
    let mut waiting = world.watch_from_now(Watcher::Voter(other)).await;
    world.vote(round, voter).await;

    world.rename("Other title").await;

    let told = next_picture(&mut voted).await;
    assert_eq!((told.change, told.audience), (LiveChange::MeetingUpdate, Audience::VoterWhoVoted));
    let told = next_picture(&mut waiting).await;
    assert_eq!((told.change, told.audience), (LiveChange::MeetingUpdate, Audience::Voter));
}

#[tokio::test(start_paused = true)]
async fn a_vote_that_was_cast_while_an_update_was_prepared_is_not_forgotten() {
    let world = World::new();
    let round = world.open_question().await;
    world.vote(round, world.new_voter()).await;
    let mut organizer = world.watch_from_now(Watcher::Organizer).await;
    organizer.hears_nothing_for(Duration::from_secs(1)).await;
    world.source.hold_who_voted(true);
    world.rename("Other title").await;
    organizer.hears_nothing_for(Duration::from_secs(1)).await;
    let voter = world.new_voter();
    world.source.add_vote_silently(round, voter);
    let mut screen = world.watch(Watcher::Voter(voter)).await;
    assert_eq!(screen.next().await.audience, Audience::VoterWhoVoted);

    world.source.hold_who_voted(false);

    let told = next_picture(&mut screen).await;
    assert_eq!((told.change, told.audience), (LiveChange::MeetingUpdate, Audience::VoterWhoVoted));
}

#[tokio::test(start_paused = true)]
async fn a_voter_who_fell_behind_is_told_whether_they_have_voted() {
    let world = World::with(LiveSettings { broadcast_capacity: 2, ..LiveSettings::default() });
    let round = world.open_question().await;
    let voter = world.new_voter();
    let mut slow = world.watch_from_now(Watcher::Voter(voter)).await;
    let mut organizer = world.watch_from_now(Watcher::Organizer).await;
    world.vote(round, voter).await;
    for number in 0..10 {
        let title = format!("Title {number}");
        world.rename(&title).await;
        while organizer.next().await.title != title {}
    }

    let told = slow.next().await;

    assert_eq!((told.change, told.audience), (LiveChange::Connected, Audience::VoterWhoVoted));
    assert_eq!(told.title, "Title 9");
}

#[tokio::test(start_paused = true)]
async fn a_voter_who_fell_behind_while_the_store_is_down_is_told_the_truth_later() {
    let world = World::with(LiveSettings { broadcast_capacity: 2, ..LiveSettings::default() });
    let round = world.open_question().await;
    let voter = world.new_voter();
    let mut slow = world.watch_from_now(Watcher::Voter(voter)).await;
    let mut organizer = world.watch_from_now(Watcher::Organizer).await;
    for number in 0..10 {
        let title = format!("Title {number}");
        world.rename(&title).await;
        while organizer.next().await.title != title {}
    }
    world.source.add_vote_silently(round, voter);
    world.source.fail(3);

    let told = slow.next().await;

    assert_eq!((told.change, told.audience), (LiveChange::Connected, Audience::VoterWhoVoted));
}

#[tokio::test(start_paused = true)]
async fn whether_someone_has_voted_is_asked_for_voters_and_open_rounds_only() {
    let world = World::new();
    let voter = world.new_voter();
    let before = world.hub.state(world.meeting).await.unwrap().unwrap();
    assert!(!world.hub.has_voted(&before, Watcher::Voter(voter)).await.unwrap());
    let round = world.open_question().await;
    world.vote(round, voter).await;
    let open = world.hub.state(world.meeting).await.unwrap().unwrap();
    assert!(world.hub.has_voted(&open, Watcher::Voter(voter)).await.unwrap());
    assert!(!world.hub.has_voted(&open, Watcher::Voter(world.new_voter())).await.unwrap());
    assert!(!world.hub.has_voted(&open, Watcher::Organizer).await.unwrap());
}
