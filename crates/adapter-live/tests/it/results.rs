//! What screens are told of results that were declared.

use std::time::Duration;

use plenum_kernel::testkit::CountingIds;
use plenum_kernel::{QuestionId, RoundId};
use plenum_meetings::live::{LiveBus, LiveChange, LiveNotice, Watcher};

use crate::support::World;

async fn declare(world: &World, round: RoundId, question: QuestionId) {
    world.bus.publish(LiveNotice::ResultDeclared { meeting: world.meeting, round, question }).await;
}

#[tokio::test(start_paused = true)]
async fn everybody_is_told_of_a_declared_result_with_the_next_version() {
    let world = World::new();
    let ids = CountingIds::new();
    let (round, question) = (RoundId::new(&ids), QuestionId::new(&ids));
    let voter = Watcher::Voter(world.new_voter());
    let mut screens = Vec::new();
    for watcher in [voter, Watcher::Organizer, Watcher::Public] {
        screens.push(world.watch(watcher).await);
    }
    let version = screens[1].next().await.version;
    screens[0].next().await;
    screens[2].next().await;

    declare(&world, round, question).await;

    for screen in &mut screens {
        let told = screen.next().await;
        assert_eq!((told.change, told.version), (LiveChange::ResultDeclared { round, question }, version + 1));
        screen.hears_nothing_for(Duration::from_secs(5)).await;
    }
}

#[tokio::test(start_paused = true)]
async fn the_picture_shows_a_result_before_it_is_told() {
    let world = World::new();
    let round = world.open_question().await;
    world.set_open(false).await;
    let mut screen = world.watch_from_now(Watcher::Public).await;
    let mut question = None;
    world.source.fail(2);
    world
        .change(|facts| {
            let shown = facts.question.as_mut().unwrap();
            question = Some(shown.id);
            shown.round.as_mut().unwrap().is_declared = true;
        })
        .await;
    declare(&world, round, question.unwrap()).await;
    let update = screen.next().await;
    assert_eq!(update.change, LiveChange::MeetingUpdate);
    let told = screen.next().await;
    let declared = LiveChange::ResultDeclared { round, question: question.unwrap() };
    assert_eq!((told.change, told.version), (declared, update.version + 1));
    screen.hears_nothing_for(Duration::from_secs(5)).await;
}

#[tokio::test(start_paused = true)]
async fn a_result_that_is_declared_while_the_picture_is_loaded_is_told_with_the_next_one() {
    let world = World::new();
    let ids = CountingIds::new();
    let mut screen = world.watch_from_now(Watcher::Public).await;
    world.source.hold(true);
    world.rename("Other title").await;
    screen.hears_nothing_for(Duration::from_secs(1)).await;
    let (round, question) = (RoundId::new(&ids), QuestionId::new(&ids));
    declare(&world, round, question).await;
    declare(&world, round, question).await;
    world.source.hold(false);
    assert_eq!(screen.next().await.change, LiveChange::MeetingUpdate);
    assert_eq!(screen.next().await.change, LiveChange::ResultDeclared { round, question });
    screen.hears_nothing_for(Duration::from_secs(5)).await;
}
