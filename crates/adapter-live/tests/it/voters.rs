use std::sync::atomic::Ordering;
use std::time::Duration;

use plenum_adapter_live::LiveSettings;
use plenum_meetings::live::{Audience, LiveChange, LiveStreams, Watcher};

use crate::support::{Fixture, ReceivedFrame, WatcherStream};

/// The next frame that is not a counter.
async fn next_snapshot(stream: &mut WatcherStream) -> ReceivedFrame {
    loop {
        let received = stream.next().await;
        if !matches!(received.change, LiveChange::VoteCount | LiveChange::ParticipantCount) {
            return received;
        }
    }
}

#[tokio::test(start_paused = true)]
async fn the_first_frame_says_whether_the_voter_has_voted() {
    let fixture = Fixture::new();
    let round = fixture.open_question().await;
    let (voted, other) = (fixture.new_voter(), fixture.new_voter());
    fixture.vote(round, voted).await;
    assert_eq!(fixture.watch(Watcher::Voter(voted)).await.next().await.audience, Audience::VoterWhoVoted);
    assert_eq!(fixture.watch(Watcher::Voter(other)).await.next().await.audience, Audience::Voter);
}

#[tokio::test(start_paused = true)]
async fn a_newly_opened_question_has_no_votes_and_queries_none() {
    let fixture = Fixture::new();
    let mut stream = fixture.watch_from_now(Watcher::Voter(fixture.new_voter())).await;
    fixture.open_question().await;
    let received = next_snapshot(&mut stream).await;
    assert_eq!((received.change, received.audience), (LiveChange::QuestionActivated, Audience::Voter));
    assert_eq!(fixture.source.who_voted_calls.load(Ordering::SeqCst), 0);
}

#[tokio::test(start_paused = true)]
async fn a_reopened_question_shows_each_voter_their_own_vote() {
    let fixture = Fixture::new();
    let round = fixture.open_question().await;
    let voters: Vec<_> = (0..20).map(|_| fixture.new_voter()).collect();
    let mut streams = Vec::new();
    for voter in &voters {
        streams.push(fixture.watch_from_now(Watcher::Voter(*voter)).await);
    }
    for voter in &voters[..7] {
        fixture.vote(round, *voter).await;
    }
    fixture.set_open(false).await;
    for stream in &mut streams {
        assert!(matches!(next_snapshot(stream).await.change, LiveChange::QuestionDeactivated { .. }));
        assert_eq!(next_snapshot(stream).await.change, LiveChange::MeetingUpdate);
    }

    fixture.set_open(true).await;

    let mut version = 0;
    for (number, stream) in streams.iter_mut().enumerate() {
        let received = next_snapshot(stream).await;
        assert_eq!(received.change, LiveChange::QuestionActivated);
        let expected = if number < 7 { Audience::VoterWhoVoted } else { Audience::Voter };
        assert_eq!(received.audience, expected, "{number}");
        version = received.version;
    }
    assert_eq!(fixture.source.who_voted_calls.load(Ordering::SeqCst), 1);
    let once = [(Audience::Voter, 1), (Audience::VoterWhoVoted, 1)].into();
    assert_eq!(fixture.frames.times_encoded(LiveChange::QuestionActivated, version), once);
}

#[tokio::test(start_paused = true)]
async fn a_new_question_is_open_to_voters_who_voted_on_the_previous_one() {
    let fixture = Fixture::new();
    let first = fixture.open_question().await;
    let voter = fixture.new_voter();
    fixture.vote(first, voter).await;
    let mut stream = fixture.watch_from_now(Watcher::Voter(voter)).await;
    fixture.open_question().await;
    assert!(matches!(next_snapshot(&mut stream).await.change, LiveChange::QuestionDeactivated { .. }));
    let received = next_snapshot(&mut stream).await;
    assert_eq!((received.change, received.audience), (LiveChange::QuestionActivated, Audience::Voter));
}

#[tokio::test(start_paused = true)]
async fn a_vote_withdrawn_before_the_question_is_reopened_is_not_shown() {
    let fixture = Fixture::new();
    let round = fixture.open_question().await;
    let voter = fixture.new_voter();
    fixture.vote(round, voter).await;
    let mut stream = fixture.watch_from_now(Watcher::Voter(voter)).await;
    fixture.withdraw(round, voter).await;
    fixture.set_open(false).await;
    assert!(matches!(next_snapshot(&mut stream).await.change, LiveChange::QuestionDeactivated { .. }));
    assert_eq!(next_snapshot(&mut stream).await.change, LiveChange::MeetingUpdate);

    fixture.set_open(true).await;

    let received = next_snapshot(&mut stream).await;
    assert_eq!((received.change, received.audience), (LiveChange::QuestionActivated, Audience::Voter));
}

#[tokio::test(start_paused = true)]
async fn an_update_during_a_vote_shows_each_voter_their_own_vote() {
    let fixture = Fixture::new();
    let round = fixture.open_question().await;
    let (voter, other) = (fixture.new_voter(), fixture.new_voter());
    let mut voted = fixture.watch_from_now(Watcher::Voter(voter)).await;
    let mut waiting = fixture.watch_from_now(Watcher::Voter(other)).await;
    fixture.vote(round, voter).await;

    fixture.rename("Other title").await;

    let received = next_snapshot(&mut voted).await;
    assert_eq!((received.change, received.audience), (LiveChange::MeetingUpdate, Audience::VoterWhoVoted));
    let received = next_snapshot(&mut waiting).await;
    assert_eq!((received.change, received.audience), (LiveChange::MeetingUpdate, Audience::Voter));
}

#[tokio::test(start_paused = true)]
async fn a_vote_cast_while_an_update_is_prepared_is_shown() {
    let fixture = Fixture::new();
    let round = fixture.open_question().await;
    fixture.vote(round, fixture.new_voter()).await;
    let mut organizer = fixture.watch_from_now(Watcher::Organizer).await;
    organizer.receives_nothing_for(Duration::from_secs(1)).await;
    fixture.source.hold_who_voted(true);
    fixture.rename("Other title").await;
    organizer.receives_nothing_for(Duration::from_secs(1)).await;
    let voter = fixture.new_voter();
    fixture.source.add_vote_silently(round, voter);
    let mut stream = fixture.watch(Watcher::Voter(voter)).await;
    assert_eq!(stream.next().await.audience, Audience::VoterWhoVoted);

    fixture.source.hold_who_voted(false);

    let received = next_snapshot(&mut stream).await;
    assert_eq!((received.change, received.audience), (LiveChange::MeetingUpdate, Audience::VoterWhoVoted));
}

#[tokio::test(start_paused = true)]
async fn a_voter_whose_stream_fell_behind_learns_whether_they_have_voted() {
    let fixture = Fixture::with(LiveSettings { broadcast_capacity: 2, ..LiveSettings::default() });
    let round = fixture.open_question().await;
    let voter = fixture.new_voter();
    let mut slow = fixture.watch_from_now(Watcher::Voter(voter)).await;
    let mut organizer = fixture.watch_from_now(Watcher::Organizer).await;
    fixture.vote(round, voter).await;
    for number in 0..10 {
        let title = format!("Title {number}");
        fixture.rename(&title).await;
        while organizer.next().await.title != title {}
    }

    let received = slow.next().await;

    assert_eq!((received.change, received.audience), (LiveChange::Connected, Audience::VoterWhoVoted));
    assert_eq!(received.title, "Title 9");
}

#[tokio::test(start_paused = true)]
async fn a_voter_whose_stream_fell_behind_while_the_store_is_down_gets_a_correct_snapshot_later() {
    let fixture = Fixture::with(LiveSettings { broadcast_capacity: 2, ..LiveSettings::default() });
    let round = fixture.open_question().await;
    let voter = fixture.new_voter();
    let mut slow = fixture.watch_from_now(Watcher::Voter(voter)).await;
    let mut organizer = fixture.watch_from_now(Watcher::Organizer).await;
    for number in 0..10 {
        let title = format!("Title {number}");
        fixture.rename(&title).await;
        while organizer.next().await.title != title {}
    }
    fixture.source.add_vote_silently(round, voter);
    fixture.source.fail(3);

    let received = slow.next().await;

    assert_eq!((received.change, received.audience), (LiveChange::Connected, Audience::VoterWhoVoted));
}

#[tokio::test(start_paused = true)]
async fn the_own_vote_is_queried_only_for_voters_and_open_rounds() {
    let fixture = Fixture::new();
    let voter = fixture.new_voter();
    let before = fixture.hub.state(fixture.meeting).await.unwrap().unwrap();
    assert!(!fixture.hub.has_voted(&before, Watcher::Voter(voter)).await.unwrap());
    let round = fixture.open_question().await;
    fixture.vote(round, voter).await;
    let open = fixture.hub.state(fixture.meeting).await.unwrap().unwrap();
    assert!(fixture.hub.has_voted(&open, Watcher::Voter(voter)).await.unwrap());
    assert!(!fixture.hub.has_voted(&open, Watcher::Voter(fixture.new_voter())).await.unwrap());
    assert!(!fixture.hub.has_voted(&open, Watcher::Organizer).await.unwrap());
}
