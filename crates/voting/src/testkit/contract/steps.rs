//! The contract of [`crate::RoundStore`] on steps and countdowns.

#![expect(missing_docs, reason = "the name of a case describes it")]

use chrono::{DateTime, TimeDelta, Utc};
use plenum_kernel::{ClientId, Clock, MeetingId, QuestionId, QuestionType, Step};

use super::scene::wording;
use super::{Scene, SeedMeeting, SeedQuestion, VotingFixture};
use crate::{
    CastOutcome, CountdownError, CountdownRule, OpenRoundError, OpeningRule, RoundDeadline, RoundOpening, RoundStatus,
    Screen, ScreenChange,
};

async fn screen(fixture: &dyn VotingFixture, scene: &Scene) -> Screen {
    let screen = fixture.rounds().screen(scene.client, scene.meeting).await.expect("the store answers");
    screen.expect("the meeting is known")
}

async fn open(
    fixture: &dyn VotingFixture,
    scene: &Scene,
    question: QuestionId,
    seen: Step,
) -> Result<(), OpenRoundError> {
    fixture.rounds().open(RoundOpening { seen: Some(seen), ..scene.opening(question) }).await
}

async fn show(
    fixture: &dyn VotingFixture,
    scene: &Scene,
    question: Option<QuestionId>,
    seen: Step,
) -> Result<(), OpenRoundError> {
    fixture.rounds().show(ScreenChange { seen: Some(seen), ..scene.screen_change(question) }).await
}

async fn set_closing(
    fixture: &dyn VotingFixture,
    scene: &Scene,
    closes_at: Option<DateTime<Utc>>,
    seen: Option<Step>,
) -> Result<(), CountdownError> {
    fixture.rounds().set_closing(scene.client, scene.meeting, closes_at, seen).await
}

/// Sets a countdown of this many seconds for the open round.
async fn close_in(fixture: &dyn VotingFixture, scene: &Scene, seconds: i64) -> DateTime<Utc> {
    let closes_at = scene.clock.now() + TimeDelta::seconds(seconds);
    set_closing(fixture, scene, Some(closes_at), None).await.expect("a round is open");
    closes_at
}

/// The closing times of the scene's client within the hour. Other tests may share the store.
async fn deadlines(fixture: &dyn VotingFixture, scene: &Scene) -> Vec<RoundDeadline> {
    let deadlines = fixture.rounds().deadlines_until(scene.clock.now() + TimeDelta::hours(1)).await;
    let deadlines = deadlines.expect("the store answers").into_iter();
    deadlines.filter(|closing| closing.client_id == scene.client).collect()
}

async fn end_due(fixture: &dyn VotingFixture, scene: &Scene) -> bool {
    let ended = fixture.rounds().end_due(scene.client, scene.meeting, scene.clock.now()).await;
    ended.expect("the store answers")
}

async fn add_question(fixture: &dyn VotingFixture, scene: &Scene) -> QuestionId {
    scene.add_question(fixture, 2, wording(&scene.ids, QuestionType::OpenText, &[])).await
}

fn is_stale(outcome: &Result<(), OpenRoundError>) -> bool {
    matches!(outcome, Err(OpenRoundError::Rule(OpeningRule::StaleStep)))
}

pub async fn every_change_of_the_screen_is_a_step_and_nothing_else_is(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 1).await;
    let first = scene.step(fixture).await;
    let round = scene.open(fixture).await;
    assert_eq!(scene.step(fixture).await, first.next());
    scene.open(fixture).await;
    scene.cast(fixture, round, scene.voters[0], scene.yes()).await;
    assert_eq!(scene.step(fixture).await, first.next());
    let shown = scene.step(fixture).await.next();
    for _ in 0..2 {
        let outcome = fixture.rounds().show(scene.screen_change(Some(scene.question))).await;
        outcome.expect("the meeting is active");
        assert_eq!(scene.step(fixture).await, shown);
    }
    for _ in 0..2 {
        scene.end(fixture).await;
        assert_eq!(scene.step(fixture).await, shown.next());
    }
    scene.open(fixture).await;
    assert_eq!(scene.step(fixture).await, shown.next().next());
}

pub async fn a_step_on_an_older_state_is_refused_and_changes_nothing(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 1).await;
    let other = add_question(fixture, &scene).await;
    let before = scene.step(fixture).await;
    let running = scene.open(fixture).await;
    let state = screen(fixture, &scene).await;
    let soon = scene.clock.now() + TimeDelta::minutes(1);

    let opened = open(fixture, &scene, other, before).await;
    assert!(is_stale(&opened), "{opened:?}");
    for question in [Some(scene.question), Some(other), None] {
        let shown = show(fixture, &scene, question, before).await;
        assert!(is_stale(&shown), "{shown:?}");
    }
    let closing = set_closing(fixture, &scene, Some(soon), Some(before)).await;
    assert!(matches!(closing, Err(CountdownError::Rule(CountdownRule::StaleStep))), "{closing:?}");
    assert_eq!(screen(fixture, &scene).await, state);
    assert_eq!(scene.find(fixture, running).await.round.status, RoundStatus::Open);

    open(fixture, &scene, other, state.step).await.expect("nobody went on meanwhile");
    assert_eq!(scene.step(fixture).await, state.step.next());
}

pub async fn a_meeting_that_has_ended_meanwhile_is_an_older_state(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 1).await;
    let before = scene.step(fixture).await;
    scene.open(fixture).await;
    scene.end(fixture).await;
    fixture.set_meeting_active(scene.meeting, false).await;
    for outcome in
        [open(fixture, &scene, scene.question, before).await, show(fixture, &scene, Some(scene.question), before).await]
    {
        assert!(is_stale(&outcome), "{outcome:?}");
    }
}

pub async fn a_repeated_step_succeeds_on_any_seen_state(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 1).await;
    let before = scene.step(fixture).await;
    open(fixture, &scene, scene.question, before).await.expect("nobody went on meanwhile");
    let opened = screen(fixture, &scene).await;
    open(fixture, &scene, scene.question, before).await.expect("it is open already");
    set_closing(fixture, &scene, None, Some(before)).await.expect("no countdown runs already");
    assert_eq!(screen(fixture, &scene).await, opened);

    for question in [Some(scene.question), None] {
        let before = scene.step(fixture).await;
        show(fixture, &scene, question, before).await.expect("nobody went on meanwhile");
        let shown = screen(fixture, &scene).await;
        show(fixture, &scene, question, before).await.expect("it is shown already");
        assert_eq!(screen(fixture, &scene).await, shown);
    }
}

pub async fn one_of_several_steps_on_the_same_state_is_made(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 1).await;
    let seen = Some(scene.step(fixture).await);
    let mut racers = Vec::new();
    for position in 2..8 {
        let question = scene.add_question(fixture, position, wording(&scene.ids, QuestionType::OpenText, &[])).await;
        let (rounds, opening) = (fixture.rounds(), RoundOpening { seen, ..scene.opening(question) });
        racers.push(tokio::spawn(async move { rounds.open(opening).await }));
    }
    let mut winners = 0;
    for racer in racers {
        match racer.await.expect("no panic") {
            Ok(()) => winners += 1,
            Err(OpenRoundError::Rule(OpeningRule::StaleStep)) => {}
            Err(other) => panic!("{other:?}"),
        }
    }
    assert_eq!(winners, 1);
    let listed = fixture.rounds().list(scene.client, scene.meeting).await.expect("the store answers");
    assert_eq!(listed.map(|rounds| rounds.len()), Some(1));
    assert_eq!(Some(scene.step(fixture).await), seen.map(Step::next));
}

pub async fn a_countdown_is_set_moved_and_taken_off(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 1).await;
    let round = scene.open(fixture).await;
    assert_eq!(scene.find(fixture, round).await.round.closes_at, None);
    let before = scene.step(fixture).await;
    for seconds in [60, 5] {
        let closes_at = close_in(fixture, &scene, seconds).await;
        assert_eq!(scene.find(fixture, round).await.round.closes_at, Some(closes_at));
        let expected = RoundDeadline { client_id: scene.client, meeting_id: scene.meeting, closes_at };
        assert_eq!(deadlines(fixture, &scene).await, [expected]);
    }
    assert_eq!(scene.step(fixture).await, before.next().next());
    for _ in 0..2 {
        set_closing(fixture, &scene, None, None).await.expect("a countdown may be taken off, and is");
        assert_eq!(scene.find(fixture, round).await.round.closes_at, None);
        assert_eq!(deadlines(fixture, &scene).await, []);
        assert_eq!(scene.step(fixture).await, before.next().next().next());
    }
}

pub async fn without_an_open_round_there_is_no_countdown(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 1).await;
    let soon = scene.clock.now() + TimeDelta::minutes(1);
    scene.open(fixture).await;
    scene.end(fixture).await;
    let before = scene.step(fixture).await;
    let refused = set_closing(fixture, &scene, Some(soon), None).await;
    assert!(matches!(refused, Err(CountdownError::Rule(CountdownRule::NoOpenRound))), "{refused:?}");
    set_closing(fixture, &scene, None, None).await.expect("there is none");
    assert_eq!(scene.step(fixture).await, before);
    assert_eq!(deadlines(fixture, &scene).await, []);
}

/// Another instance, whose clock is ahead, may have made it.
pub async fn a_later_action_in_another_meeting_changes_no_time(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 1).await;
    let (meeting, question) = (MeetingId::new(&scene.ids), QuestionId::new(&scene.ids));
    fixture.add_meeting(SeedMeeting { client: scene.client, id: meeting, has_participant_list: false }).await;
    let wording = wording(&scene.ids, QuestionType::OpenText, &[]);
    fixture.add_question(SeedQuestion { meeting, id: question, position: 1, wording }).await;
    let ahead = scene.clock.now() + TimeDelta::seconds(10);
    let opening = RoundOpening { meeting, now: ahead, ..scene.opening(question) };
    fixture.rounds().open(opening).await.expect("the question opens");
    let opening = scene.opening(scene.question);
    let (round, now) = (opening.new_round, opening.now);
    fixture.rounds().open(opening).await.expect("the question opens");
    assert!(now < ahead);
    assert_eq!(scene.find(fixture, round).await.log[0].at, now);
}

pub async fn a_round_ends_when_its_time_has_come_and_not_before(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 1).await;
    let round = scene.open(fixture).await;
    close_in(fixture, &scene, 30).await;
    let before = scene.step(fixture).await;
    scene.clock.advance(TimeDelta::seconds(29));
    assert!(!end_due(fixture, &scene).await);
    assert_eq!(scene.cast(fixture, round, scene.voters[0], scene.yes()).await, CastOutcome::Counted);
    assert_eq!(scene.step(fixture).await, before);

    scene.clock.advance(TimeDelta::seconds(1));
    assert!(end_due(fixture, &scene).await);
    let ended = scene.find(fixture, round).await.round;
    assert_eq!((ended.status, ended.ended_at), (RoundStatus::Ended, Some(scene.clock.now())));
    assert_eq!(ended.closes_at, None);
    let screen = screen(fixture, &scene).await;
    assert_eq!(screen.step, before.next());
    let question = screen.question.expect("the question stays");
    assert_eq!((question.question_id, question.open_round()), (scene.question, None));
    assert_eq!(deadlines(fixture, &scene).await, []);
    // Another instance may come a moment later.
    assert!(!end_due(fixture, &scene).await);
    assert_eq!(scene.step(fixture).await, before.next());
}

pub async fn a_round_that_was_overdue_for_long_takes_votes_until_it_is_ended(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 2).await;
    let round = scene.open(fixture).await;
    close_in(fixture, &scene, 5).await;
    scene.clock.advance(TimeDelta::days(2));
    assert_eq!(deadlines(fixture, &scene).await.len(), 1);
    assert_eq!(scene.cast(fixture, round, scene.voters[0], scene.yes()).await, CastOutcome::Counted);
    assert!(end_due(fixture, &scene).await);
    assert_eq!(scene.cast(fixture, round, scene.voters[1], scene.yes()).await, CastOutcome::NotOpen);
    assert_eq!(scene.find(fixture, round).await.round.ended_at, Some(scene.clock.now()));
}

pub async fn a_countdown_that_was_moved_or_taken_off_ends_nothing(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 1).await;
    let round = scene.open(fixture).await;
    close_in(fixture, &scene, 5).await;
    scene.clock.advance(TimeDelta::seconds(5));
    // Found due, and moved before it was ended.
    close_in(fixture, &scene, 5).await;
    assert!(!end_due(fixture, &scene).await);
    set_closing(fixture, &scene, None, None).await.expect("a round is open");
    scene.clock.advance(TimeDelta::days(1));
    assert!(!end_due(fixture, &scene).await);
    assert_eq!(scene.find(fixture, round).await.round.status, RoundStatus::Open);
}

pub async fn a_round_that_is_ended_and_opened_again_has_no_countdown(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 1).await;
    for has_votes in [false, true] {
        let round = scene.open(fixture).await;
        if has_votes {
            scene.cast(fixture, round, scene.voters[0], scene.yes()).await;
        }
        close_in(fixture, &scene, 5).await;
        scene.end(fixture).await;
        assert_eq!(scene.find(fixture, round).await.round.closes_at, None);
        assert_eq!(deadlines(fixture, &scene).await, []);
        let again = scene.open(fixture).await;
        assert_eq!(again == round, has_votes);
        assert_eq!(scene.find(fixture, again).await.round.closes_at, None);
    }
    let other = add_question(fixture, &scene).await;
    close_in(fixture, &scene, 5).await;
    let of_other = scene.open_question(fixture, other).await;
    assert_eq!(scene.find(fixture, of_other).await.round.closes_at, None);
    assert_eq!(deadlines(fixture, &scene).await, []);
}

pub async fn closing_times_come_the_earliest_first(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 1).await;
    scene.open(fixture).await;
    let late = close_in(fixture, &scene, 40).await;
    let (meeting, question) = (MeetingId::new(&scene.ids), QuestionId::new(&scene.ids));
    fixture.add_meeting(SeedMeeting { client: scene.client, id: meeting, has_participant_list: false }).await;
    let text = wording(&scene.ids, QuestionType::OpenText, &[]);
    fixture.add_question(SeedQuestion { meeting, id: question, position: 1, wording: text }).await;
    let (rounds, now) = (fixture.rounds(), scene.clock.now());
    let opened = rounds.open(RoundOpening { meeting, ..scene.opening(question) }).await;
    opened.expect("the question opens");
    let early = now + TimeDelta::seconds(20);
    rounds.set_closing(scene.client, meeting, Some(early), None).await.expect("a round is open");
    let times: Vec<_> = deadlines(fixture, &scene).await.into_iter().map(|closing| closing.closes_at).collect();
    assert_eq!(times, [early, late]);
    let due = rounds.deadlines_until(early).await.expect("the store answers");
    assert!(due.iter().any(|closing| closing.meeting_id == meeting));
    assert!(!due.iter().any(|closing| closing.meeting_id == scene.meeting));
}

pub async fn another_clients_countdown_looks_missing(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 1).await;
    let round = scene.open(fixture).await;
    let closes_at = close_in(fixture, &scene, 5).await;
    scene.clock.advance(TimeDelta::seconds(5));
    let before = scene.step(fixture).await;
    let (rounds, stranger, now) = (fixture.rounds(), ClientId::new(&scene.ids), scene.clock.now());
    for (client, meeting) in [(stranger, scene.meeting), (scene.client, MeetingId::new(&scene.ids))] {
        for new_closing in [None, Some(now)] {
            let refused = rounds.set_closing(client, meeting, new_closing, None).await;
            assert!(matches!(refused, Err(CountdownError::MeetingNotFound)), "{refused:?}");
        }
        assert!(!rounds.end_due(client, meeting, now).await.expect("the store answers"));
        assert_eq!(rounds.screen(client, meeting).await.expect("the store answers"), None);
    }
    let found = scene.find(fixture, round).await.round;
    assert_eq!((found.status, found.closes_at), (RoundStatus::Open, Some(closes_at)));
    assert_eq!(scene.step(fixture).await, before);
}
