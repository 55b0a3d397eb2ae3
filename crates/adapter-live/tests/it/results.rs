//! Announcements of declared results.

use std::time::Duration;

use plenum_kernel::testkit::CountingIds;
use plenum_kernel::{QuestionId, RoundId};
use plenum_meetings::live::{LiveBus, LiveChange, LiveNotice, Watcher};

use crate::support::Fixture;

async fn declare(fixture: &Fixture, round: RoundId, question: QuestionId) {
    fixture.bus.publish(LiveNotice::ResultDeclared { meeting: fixture.meeting, round, question }).await;
}

#[tokio::test(start_paused = true)]
async fn a_declared_result_is_announced_to_everyone_with_the_next_version() {
    let fixture = Fixture::new();
    let ids = CountingIds::new();
    let (round, question) = (RoundId::new(&ids), QuestionId::new(&ids));
    let voter = Watcher::Voter(fixture.new_voter());
    let mut streams = Vec::new();
    for watcher in [voter, Watcher::Organizer, Watcher::Public] {
        streams.push(fixture.watch(watcher).await);
    }
    let version = streams[1].next().await.version;
    streams[0].next().await;
    streams[2].next().await;

    declare(&fixture, round, question).await;

    for stream in &mut streams {
        let received = stream.next().await;
        assert_eq!((received.change, received.version), (LiveChange::ResultDeclared { round, question }, version + 1));
        stream.receives_nothing_for(Duration::from_secs(5)).await;
    }
}

#[tokio::test(start_paused = true)]
async fn the_snapshot_shows_a_result_before_it_is_announced() {
    let fixture = Fixture::new();
    let round = fixture.open_question().await;
    fixture.set_open(false).await;
    let mut stream = fixture.watch_from_now(Watcher::Public).await;
    let mut question = None;
    fixture.source.fail(2);
    fixture
        .change(|facts| {
            let shown = facts.question.as_mut().unwrap();
            question = Some(shown.id);
            shown.round.as_mut().unwrap().is_declared = true;
        })
        .await;
    declare(&fixture, round, question.unwrap()).await;
    let update = stream.next().await;
    assert_eq!(update.change, LiveChange::MeetingUpdate);
    let received = stream.next().await;
    let declared = LiveChange::ResultDeclared { round, question: question.unwrap() };
    assert_eq!((received.change, received.version), (declared, update.version + 1));
    stream.receives_nothing_for(Duration::from_secs(5)).await;
}

#[tokio::test(start_paused = true)]
async fn a_result_declared_during_a_load_is_announced_after_the_next_load() {
    let fixture = Fixture::new();
    let ids = CountingIds::new();
    let mut stream = fixture.watch_from_now(Watcher::Public).await;
    fixture.source.hold(true);
    fixture.rename("Other title").await;
    stream.receives_nothing_for(Duration::from_secs(1)).await;
    let (round, question) = (RoundId::new(&ids), QuestionId::new(&ids));
    declare(&fixture, round, question).await;
    declare(&fixture, round, question).await;
    fixture.source.hold(false);
    assert_eq!(stream.next().await.change, LiveChange::MeetingUpdate);
    assert_eq!(stream.next().await.change, LiveChange::ResultDeclared { round, question });
    stream.receives_nothing_for(Duration::from_secs(5)).await;
}
