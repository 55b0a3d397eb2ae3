//! Races of organizers with each other and with voters, whose window the test holds open.

use std::pin::Pin;

use plenum_adapter_postgres::BallotBoxSettings;
use plenum_kernel::testkit::CountingIds;
use plenum_kernel::{Clock, EndUserId, QuestionId, QuestionType, Secrecy};
use plenum_meetings::{
    AddQuestionError, AgendaOrder, AgendaRule, ChangeQuestionError, Meeting, MeetingRule, MeetingStatus, MeetingStore,
    Question, QuestionStore, QuestionText, ReorderError, UpdateMeetingError,
};
use plenum_voting::testkit::contract::{Scene, VotingFixture};
use plenum_voting::{CastOutcome, DiscardVoteError, OpenRoundError, OpeningRule, RoundStatus};

use crate::voting_contract::agenda::{add_open_text, rewording};
use crate::voting_contract::fixture::PostgresVoting;
use crate::voting_contract::held_transaction::HeldTransaction;
use crate::voting_contract::held_windows::{hand_in, held_ballot};

type Changed = Result<Question, ChangeQuestionError>;

/// A call that has not been made yet.
type Call<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// Makes two calls in this order while the meeting is locked, and returns their outcomes.
async fn in_turn<A: Send + 'static, B: Send + 'static>(
    fixture: &PostgresVoting,
    scene: &Scene,
    first: Call<A>,
    second: Call<B>,
) -> (A, B) {
    let lock = format!("SELECT FROM meetings WHERE id = '{}' FOR UPDATE", scene.meeting);
    let window = HeldTransaction::begin(fixture.database(), &lock);
    let first = tokio::spawn(first);
    window.until_blocking(fixture, 1).await;
    let second = tokio::spawn(second);
    window.until_blocking(fixture, 2).await;
    window.commit();
    (first.await.expect("no panic"), second.await.expect("no panic"))
}

fn reorder(
    fixture: &PostgresVoting,
    scene: &Scene,
    questions: &[QuestionId],
) -> Call<Result<Vec<Question>, ReorderError>> {
    let (store, client, meeting) = (fixture.questions(), scene.client, scene.meeting);
    let order = AgendaOrder::of_places(questions.iter().copied().zip(1..).collect()).expect("each question once");
    Box::pin(async move { store.reorder(client, meeting, order).await })
}

fn add(fixture: &PostgresVoting, scene: &Scene) -> Call<Result<Question, AddQuestionError>> {
    let store = fixture.questions();
    let question = Question {
        id: QuestionId::new(&scene.ids),
        client_id: scene.client,
        meeting_id: scene.meeting,
        position: 1,
        text: QuestionText::from_stored("What else?".to_owned()),
        question_type: QuestionType::OpenText,
        is_required: true,
        options: Vec::new(),
        rating_max: None,
        max_choices: None,
        decision_rule: None,
        quorum: None,
        secrecy: Secrecy::Unshown,
        counts_heads: false,
        groups: Vec::new(),
        weights: plenum_meetings::QuestionWeights::default(),
        created_at: scene.clock.now(),
    };
    Box::pin(async move { store.add(question).await })
}

fn remove(fixture: &PostgresVoting, scene: &Scene, question: QuestionId) -> Call<Result<(), ChangeQuestionError>> {
    let (store, client) = (fixture.questions(), scene.client);
    Box::pin(async move { store.remove(client, question).await.map(|_| ()) })
}

fn duplicate(fixture: &PostgresVoting, scene: &Scene, question: QuestionId) -> Call<Changed> {
    let (store, client, id) = (fixture.questions(), scene.client, QuestionId::new(&scene.ids));
    let copy = move |original: &Question| Question { id, options: Vec::new(), ..original.clone() };
    Box::pin(async move { store.duplicate(client, question, Box::new(copy)).await })
}

fn reword(fixture: &PostgresVoting, scene: &Scene, question: QuestionId) -> Call<Changed> {
    let (store, client) = (fixture.questions(), scene.client);
    let decide = |question: &mut Question, used| rewording().apply_to(question, used, &CountingIds::new());
    Box::pin(async move { store.update(client, question, Box::new(decide)).await })
}

fn open(fixture: &PostgresVoting, scene: &Scene) -> Call<Result<(), OpenRoundError>> {
    let (rounds, opening) = (fixture.rounds(), scene.opening(scene.question));
    Box::pin(async move { rounds.open(opening).await })
}

fn change_meeting(
    fixture: &PostgresVoting,
    scene: &Scene,
    change: impl FnOnce(&mut Meeting) -> Result<(), MeetingRule> + Send + 'static,
) -> Call<Result<Meeting, UpdateMeetingError>> {
    let (meetings, client, id) = (fixture.meetings(), scene.client, scene.meeting);
    Box::pin(async move { meetings.update(client, id, None, Box::new(change)).await })
}

/// A start that confirms that the meeting has ended before.
fn start(fixture: &PostgresVoting, scene: &Scene) -> Call<Result<Meeting, UpdateMeetingError>> {
    let now = scene.clock.now();
    change_meeting(fixture, scene, move |meeting| meeting.start(now, true))
}

fn end(fixture: &PostgresVoting, scene: &Scene) -> Call<Result<Meeting, UpdateMeetingError>> {
    let now = scene.clock.now();
    change_meeting(fixture, scene, move |meeting| meeting.end(now))
}

fn remove_meeting(fixture: &PostgresVoting, scene: &Scene) -> Call<Result<(), UpdateMeetingError>> {
    let (meetings, client, id) = (fixture.meetings(), scene.client, scene.meeting);
    Box::pin(async move { meetings.remove(client, id).await })
}

/// A meeting with four questions.
async fn scene_with_agenda(fixture: &PostgresVoting) -> (Scene, [QuestionId; 4]) {
    let scene = Scene::with_voters(fixture, 2).await;
    let mut agenda = [scene.question; 4];
    for (place, position) in (1..4).zip(2..) {
        agenda[place] = add_open_text(fixture, &scene, position).await;
    }
    (scene, agenda)
}

/// The agenda, whose positions must have no gaps.
async fn agenda(fixture: &PostgresVoting, scene: &Scene) -> Vec<QuestionId> {
    let agenda = fixture.questions().list(scene.client, scene.meeting).await.expect("the store answers");
    let agenda = agenda.expect("the meeting is there");
    assert!(agenda.iter().map(|question| question.position).eq(1..=agenda.len() as u32), "{agenda:?}");
    agenda.into_iter().map(|question| question.id).collect()
}

async fn set_status(fixture: &PostgresVoting, scene: &Scene, status: MeetingStatus) {
    let changed = change_meeting(fixture, scene, move |meeting| {
        meeting.status = status;
        meeting.ended_at = Some(meeting.created_at);
        Ok(())
    });
    changed.await.expect("nothing forbids it");
}

#[tokio::test]
async fn the_later_of_two_orders_wins_as_a_whole() {
    let fixture = PostgresVoting::fresh().await;
    let (scene, [a, b, c, d]) = scene_with_agenda(&fixture).await;
    let (one, other) = ([d, c, b, a], [b, a, d, c]);
    for (first, second) in [(one, other), (other, one)] {
        let (first, second) =
            in_turn(&fixture, &scene, reorder(&fixture, &scene, &first), reorder(&fixture, &scene, &second)).await;
        first.unwrap();
        let arranged: Vec<_> = second.unwrap().into_iter().map(|question| question.id).collect();
        assert_eq!(agenda(&fixture, &scene).await, arranged);
    }
    assert_eq!(agenda(&fixture, &scene).await, one);
}

/// The second order comes while the first has moved some questions only.
#[tokio::test]
async fn an_order_that_comes_in_the_middle_of_another_waits() {
    let fixture = PostgresVoting::fresh().await;
    let (scene, [a, b, c, d]) = scene_with_agenda(&fixture).await;
    let held = format!("SELECT FROM questions WHERE id = '{d}' FOR UPDATE");
    let window = HeldTransaction::begin(fixture.database(), &held);
    let first = tokio::spawn(reorder(&fixture, &scene, &[d, c, b, a]));
    window.until_blocking(&fixture, 1).await;
    let second = tokio::spawn(reorder(&fixture, &scene, &[b, a, d, c]));
    window.until_blocking(&fixture, 2).await;
    assert_eq!(agenda(&fixture, &scene).await, [a, b, c, d], "nobody sees half an order");
    window.commit();
    first.await.unwrap().unwrap();
    second.await.unwrap().unwrap();
    assert_eq!(agenda(&fixture, &scene).await, [b, a, d, c]);
}

#[tokio::test]
async fn an_order_and_an_addition() {
    let fixture = PostgresVoting::fresh().await;
    let (scene, [a, b, c, d]) = scene_with_agenda(&fixture).await;
    let new_order = [d, c, b, a];
    let (added, refused) =
        in_turn(&fixture, &scene, add(&fixture, &scene), reorder(&fixture, &scene, &new_order)).await;
    let e = added.unwrap().id;
    assert!(matches!(refused, Err(ReorderError::NotTheAgenda)), "{refused:?}");
    assert_eq!(agenda(&fixture, &scene).await, [a, b, c, d, e]);
    let new_order = [e, d, c, b, a];
    let (arranged, added) =
        in_turn(&fixture, &scene, reorder(&fixture, &scene, &new_order), add(&fixture, &scene)).await;
    arranged.unwrap();
    assert_eq!(agenda(&fixture, &scene).await, [e, d, c, b, a, added.unwrap().id]);
}

#[tokio::test]
async fn an_order_and_a_removal() {
    let fixture = PostgresVoting::fresh().await;
    let (scene, [a, b, c, d]) = scene_with_agenda(&fixture).await;
    let (removed, refused) =
        in_turn(&fixture, &scene, remove(&fixture, &scene, b), reorder(&fixture, &scene, &[d, c, b, a])).await;
    removed.unwrap();
    assert!(matches!(refused, Err(ReorderError::NotTheAgenda)), "{refused:?}");
    assert_eq!(agenda(&fixture, &scene).await, [a, c, d]);
    let (arranged, removed) =
        in_turn(&fixture, &scene, reorder(&fixture, &scene, &[d, a, c]), remove(&fixture, &scene, d)).await;
    arranged.unwrap();
    removed.unwrap();
    assert_eq!(agenda(&fixture, &scene).await, [a, c]);
}

#[tokio::test]
async fn an_order_and_a_copy() {
    let fixture = PostgresVoting::fresh().await;
    let (scene, [a, b, c, d]) = scene_with_agenda(&fixture).await;
    let (copied, refused) =
        in_turn(&fixture, &scene, duplicate(&fixture, &scene, b), reorder(&fixture, &scene, &[d, c, b, a])).await;
    let e = copied.unwrap().id;
    assert!(matches!(refused, Err(ReorderError::NotTheAgenda)), "{refused:?}");
    assert_eq!(agenda(&fixture, &scene).await, [a, b, e, c, d]);
    let (arranged, copied) =
        in_turn(&fixture, &scene, reorder(&fixture, &scene, &[d, c, e, b, a]), duplicate(&fixture, &scene, d)).await;
    arranged.unwrap();
    assert_eq!(agenda(&fixture, &scene).await, [d, copied.unwrap().id, c, e, b, a]);
}

#[tokio::test]
async fn two_removals_and_two_copies_leave_no_gap() {
    let fixture = PostgresVoting::fresh().await;
    let (scene, [a, b, c, d]) = scene_with_agenda(&fixture).await;
    let (first, second) = in_turn(&fixture, &scene, remove(&fixture, &scene, a), remove(&fixture, &scene, c)).await;
    first.unwrap();
    second.unwrap();
    assert_eq!(agenda(&fixture, &scene).await, [b, d]);
    let (first, second) =
        in_turn(&fixture, &scene, duplicate(&fixture, &scene, b), duplicate(&fixture, &scene, b)).await;
    assert_eq!(agenda(&fixture, &scene).await, [b, second.unwrap().id, first.unwrap().id, d]);
    let (removed, copied) =
        in_turn(&fixture, &scene, remove(&fixture, &scene, b), duplicate(&fixture, &scene, b)).await;
    removed.unwrap();
    assert!(matches!(copied, Err(ChangeQuestionError::NotFound)), "{copied:?}");
}

#[tokio::test]
async fn a_removal_waits_for_the_ballot_that_is_being_written_and_is_refused() {
    let fixture = PostgresVoting::fresh().await;
    let scene = Scene::with_voters(&fixture, 2).await;
    let round = scene.open(&fixture).await;
    let ballot = held_ballot(&fixture, &scene, round, scene.voters[0]);
    let removal = tokio::spawn(remove(&fixture, &scene, scene.question));
    ballot.until_blocking(&fixture, 1).await;
    let late = hand_in(&fixture, scene.ballot(round, scene.voters[1], scene.yes()));
    ballot.until_blocking(&fixture, 2).await;
    assert!(!removal.is_finished() && !late.is_finished());
    ballot.commit();
    let refused = removal.await.unwrap();
    assert!(matches!(refused, Err(ChangeQuestionError::Rule(AgendaRule::HasVotes))), "{refused:?}");
    assert_eq!(late.await.unwrap(), CastOutcome::Counted);
    assert_eq!(scene.votes_cast(&fixture, round).await, 2);
}

#[tokio::test]
async fn a_removal_goes_on_when_the_ballot_that_was_being_written_fails() {
    let fixture = PostgresVoting::fresh().await;
    let scene = Scene::with_voters(&fixture, 2).await;
    let round = scene.open(&fixture).await;
    let ballot = held_ballot(&fixture, &scene, round, scene.voters[0]);
    let removal = tokio::spawn(remove(&fixture, &scene, scene.question));
    ballot.until_blocking(&fixture, 1).await;
    let late = hand_in(&fixture, scene.ballot(round, scene.voters[1], scene.yes()));
    ballot.until_blocking(&fixture, 2).await;
    ballot.roll_back();
    removal.await.unwrap().unwrap();
    assert_eq!(late.await.unwrap(), CastOutcome::NotOpen);
    assert_eq!(fixture.count("SELECT count(*) FROM votes"), 0);
}

/// The ballot comes after the question is deleted, and before the later ones move up.
#[tokio::test]
async fn a_ballot_that_meets_the_removal_of_its_question_waits_and_is_refused() {
    let fixture = PostgresVoting::fresh().await;
    let (scene, [a, b, c, d]) = scene_with_agenda(&fixture).await;
    let round = scene.open(&fixture).await;
    let held = format!("SELECT FROM questions WHERE id = '{d}' FOR UPDATE");
    let window = HeldTransaction::begin(fixture.database(), &held);
    let removal = tokio::spawn(remove(&fixture, &scene, a));
    window.until_blocking(&fixture, 1).await;
    let ballot = hand_in(&fixture, scene.ballot(round, scene.voters[0], scene.yes()));
    window.until_blocking(&fixture, 2).await;
    assert!(!removal.is_finished() && !ballot.is_finished());
    window.commit();
    removal.await.unwrap().unwrap();
    assert_eq!(ballot.await.unwrap(), CastOutcome::NotOpen);
    assert_eq!(agenda(&fixture, &scene).await, [b, c, d]);
    assert_eq!(fixture.count("SELECT count(*) FROM votes"), 0);
}

#[tokio::test]
async fn a_removal_waits_for_the_withdrawal_of_a_vote() {
    let fixture = PostgresVoting::fresh().await;
    let scene = Scene::with_voters(&fixture, 1).await;
    let round = scene.open(&fixture).await;
    scene.cast(&fixture, round, scene.voters[0], scene.yes()).await;
    let withdrawal = format!(
        "SELECT FROM rounds WHERE id = '{round}' FOR SHARE; DELETE FROM votes WHERE round_id = '{round}';
         INSERT INTO round_counters VALUES ('{round}', -1, -1);"
    );
    let withdrawal = HeldTransaction::begin(fixture.database(), &withdrawal);
    let removal = tokio::spawn(remove(&fixture, &scene, scene.question));
    withdrawal.until_blocking(&fixture, 1).await;
    withdrawal.commit();
    removal.await.unwrap().unwrap();
    assert_eq!(agenda(&fixture, &scene).await, []);
}

#[tokio::test]
async fn a_removal_in_the_middle_of_a_crowd_loses_no_vote() {
    const CROWD: usize = 200;
    let fixture = PostgresVoting::with(BallotBoxSettings { writers: 1, ..BallotBoxSettings::default() }).await;
    let scene = Scene::with_voters(&fixture, CROWD).await;
    let round = scene.open(&fixture).await;
    let lock = format!("SELECT FROM rounds WHERE id = '{round}' FOR UPDATE");
    let window = HeldTransaction::begin(fixture.database(), &lock);
    let (early, late) = scene.voters.split_at(CROWD / 2);
    let ballots = |voters: &[EndUserId]| -> Vec<_> {
        voters.iter().map(|voter| hand_in(&fixture, scene.ballot(round, *voter, scene.yes()))).collect()
    };
    let mut answers = ballots(early);
    window.until_blocking(&fixture, 1).await;
    let removal = tokio::spawn(remove(&fixture, &scene, scene.question));
    window.until_blocking(&fixture, 2).await;
    answers.extend(ballots(late));
    window.commit();
    let refused = removal.await.unwrap();
    assert!(matches!(refused, Err(ChangeQuestionError::Rule(AgendaRule::HasVotes))), "{refused:?}");
    for answer in answers {
        assert_eq!(answer.await.unwrap(), CastOutcome::Counted);
    }
    assert_eq!(scene.votes_cast(&fixture, round).await, CROWD as u64);
}

#[tokio::test]
async fn a_change_waits_for_the_ballot_that_is_being_written() {
    let fixture = PostgresVoting::fresh().await;
    let scene = Scene::with_voters(&fixture, 1).await;
    let round = scene.open(&fixture).await;
    let ballot = held_ballot(&fixture, &scene, round, scene.voters[0]);
    let change = tokio::spawn(reword(&fixture, &scene, scene.question));
    ballot.until_blocking(&fixture, 1).await;
    ballot.commit();
    let refused = change.await.unwrap();
    assert!(matches!(refused, Err(ChangeQuestionError::Rule(AgendaRule::HasVotes))), "{refused:?}");
}

#[tokio::test]
async fn a_change_does_not_wait_for_ballots_on_another_question() {
    let fixture = PostgresVoting::fresh().await;
    let (scene, [_, b, c, _]) = scene_with_agenda(&fixture).await;
    let round = scene.open(&fixture).await;
    let ballot = held_ballot(&fixture, &scene, round, scene.voters[0]);
    reword(&fixture, &scene, b).await.unwrap();
    remove(&fixture, &scene, c).await.unwrap();
    ballot.commit();
    assert_eq!(scene.votes_cast(&fixture, round).await, 1);
}

/// The last round of the scene's question: its text, and its options.
async fn frozen(fixture: &PostgresVoting, scene: &Scene) -> (String, Vec<String>) {
    let last = fixture.rounds().last_of_question(scene.client, scene.meeting, scene.question).await;
    let last = last.expect("the store answers");
    let round = last.expect("the question has a round");
    assert_eq!(round.status, RoundStatus::Open);
    (round.wording.text, round.wording.options.into_iter().map(|option| option.text).collect())
}

/// The opening comes after the text is changed, and before the options are.
#[tokio::test]
async fn an_opening_in_the_middle_of_a_change_gets_all_of_it() {
    let fixture = PostgresVoting::fresh().await;
    let scene = Scene::with_voters(&fixture, 1).await;
    let held = format!("SELECT FROM options WHERE question_id = '{}' FOR UPDATE", scene.question);
    let window = HeldTransaction::begin(fixture.database(), &held);
    let change = tokio::spawn(reword(&fixture, &scene, scene.question));
    window.until_blocking(&fixture, 1).await;
    let opening = tokio::spawn(open(&fixture, &scene));
    window.until_blocking(&fixture, 2).await;
    window.commit();
    change.await.unwrap().unwrap();
    opening.await.unwrap().unwrap();
    let options = ["No", "Perhaps", "Yes"].map(str::to_owned).to_vec();
    assert_eq!(frozen(&fixture, &scene).await, ("Something else?".to_owned(), options));
}

/// The change comes after the text is frozen, and before the options are.
#[tokio::test]
async fn a_change_in_the_middle_of_an_opening_waits_and_is_refused() {
    let fixture = PostgresVoting::fresh().await;
    let scene = Scene::with_voters(&fixture, 1).await;
    let same_round = format!(
        "INSERT INTO rounds
         SELECT id, client_id, meeting_id, id, 1, 'ENDED', 'Another?', 'YES_NO', NULL, NULL, now(), now(), 0, 0, false
         FROM questions WHERE id = '{}'",
        scene.question
    );
    let window = HeldTransaction::begin(fixture.database(), &same_round);
    // Its insert waits to see whether another transaction opens the first round of this question.
    let opening = tokio::spawn(open(&fixture, &scene));
    window.until_blocking(&fixture, 1).await;
    let change = tokio::spawn(reword(&fixture, &scene, scene.question));
    window.until_blocking(&fixture, 2).await;
    window.roll_back();
    opening.await.unwrap().unwrap();
    let refused = change.await.unwrap();
    assert!(matches!(refused, Err(ChangeQuestionError::Rule(AgendaRule::IsOpen))), "{refused:?}");
    let options = ["Yes", "No"].map(str::to_owned).to_vec();
    assert_eq!(frozen(&fixture, &scene).await, ("Approve the budget?".to_owned(), options));
}

#[tokio::test]
async fn an_opening_and_a_removal() {
    let fixture = PostgresVoting::fresh().await;
    let scene = Scene::with_voters(&fixture, 1).await;
    let (opened, removed) =
        in_turn(&fixture, &scene, open(&fixture, &scene), remove(&fixture, &scene, scene.question)).await;
    opened.unwrap();
    removed.unwrap();
    assert_eq!(fixture.count("SELECT count(*) FROM rounds"), 0);
    let other = Scene::with_voters(&fixture, 1).await;
    let (removed, opened) =
        in_turn(&fixture, &other, remove(&fixture, &other, other.question), open(&fixture, &other)).await;
    removed.unwrap();
    assert!(matches!(opened, Err(OpenRoundError::QuestionNotFound)), "{opened:?}");
    assert_eq!(fixture.rounds().screen(other.client, other.meeting).await.unwrap().unwrap().question, None);
}

#[tokio::test]
async fn a_start_and_an_end() {
    let fixture = PostgresVoting::fresh().await;
    let scene = Scene::with_voters(&fixture, 1).await;
    set_status(&fixture, &scene, MeetingStatus::Draft).await;
    let (ended, started) = in_turn(&fixture, &scene, end(&fixture, &scene), start(&fixture, &scene)).await;
    assert!(matches!(ended, Err(UpdateMeetingError::Rule(MeetingRule::NotActive))), "{ended:?}");
    assert_eq!(started.unwrap().status, MeetingStatus::Active);
    set_status(&fixture, &scene, MeetingStatus::Draft).await;
    let (started, ended) = in_turn(&fixture, &scene, start(&fixture, &scene), end(&fixture, &scene)).await;
    assert_eq!(started.unwrap().status, MeetingStatus::Active);
    assert_eq!(ended.unwrap().status, MeetingStatus::Completed);
    set_status(&fixture, &scene, MeetingStatus::Active).await;
    let (ended, started) = in_turn(&fixture, &scene, end(&fixture, &scene), start(&fixture, &scene)).await;
    assert_eq!(ended.unwrap().status, MeetingStatus::Completed);
    assert_eq!(started.unwrap().status, MeetingStatus::Active);
}

#[tokio::test]
async fn the_removal_of_a_meeting_and_its_start() {
    let fixture = PostgresVoting::fresh().await;
    let scene = Scene::with_voters(&fixture, 1).await;
    set_status(&fixture, &scene, MeetingStatus::Draft).await;
    let (started, removed) = in_turn(&fixture, &scene, start(&fixture, &scene), remove_meeting(&fixture, &scene)).await;
    assert_eq!(started.unwrap().status, MeetingStatus::Active);
    assert!(matches!(removed, Err(UpdateMeetingError::Rule(MeetingRule::StillActive))), "{removed:?}");
    set_status(&fixture, &scene, MeetingStatus::Draft).await;
    let (removed, started) = in_turn(&fixture, &scene, remove_meeting(&fixture, &scene), start(&fixture, &scene)).await;
    removed.unwrap();
    assert!(matches!(started, Err(UpdateMeetingError::NotFound)), "{started:?}");
}

#[tokio::test]
async fn the_removal_of_a_meeting_and_an_opening() {
    let fixture = PostgresVoting::fresh().await;
    let scene = Scene::with_voters(&fixture, 1).await;
    let (opened, removed) = in_turn(&fixture, &scene, open(&fixture, &scene), remove_meeting(&fixture, &scene)).await;
    opened.unwrap();
    assert!(matches!(removed, Err(UpdateMeetingError::Rule(MeetingRule::StillActive))), "{removed:?}");
    frozen(&fixture, &scene).await;
    end(&fixture, &scene).await.unwrap();
    let (opened, removed) = in_turn(&fixture, &scene, open(&fixture, &scene), remove_meeting(&fixture, &scene)).await;
    assert!(matches!(opened, Err(OpenRoundError::Rule(OpeningRule::MeetingNotActive))), "{opened:?}");
    removed.unwrap();
    let other = Scene::with_voters(&fixture, 1).await;
    end(&fixture, &other).await.unwrap();
    let (removed, opened) = in_turn(&fixture, &other, remove_meeting(&fixture, &other), open(&fixture, &other)).await;
    removed.unwrap();
    assert!(matches!(opened, Err(OpenRoundError::MeetingNotFound)), "{opened:?}");
    assert_eq!(fixture.count("SELECT count(*) FROM rounds"), 0);
}

/// The removal comes while the meeting's end waits for a ballot.
#[tokio::test]
async fn the_removal_of_a_meeting_waits_for_its_end() {
    let fixture = PostgresVoting::fresh().await;
    let scene = Scene::with_voters(&fixture, 2).await;
    let round = scene.open(&fixture).await;
    let ballot = held_ballot(&fixture, &scene, round, scene.voters[0]);
    let ending = tokio::spawn(end(&fixture, &scene));
    ballot.until_blocking(&fixture, 1).await;
    let removal = tokio::spawn(remove_meeting(&fixture, &scene));
    ballot.until_blocking(&fixture, 2).await;
    let late = hand_in(&fixture, scene.ballot(round, scene.voters[1], scene.yes()));
    ballot.until_blocking(&fixture, 3).await;
    ballot.commit();
    assert_eq!(ending.await.unwrap().unwrap().status, MeetingStatus::Completed);
    removal.await.unwrap().unwrap();
    assert_eq!(late.await.unwrap(), CastOutcome::NotOpen);
    assert_eq!(fixture.count("SELECT count(*) FROM votes"), 0);
}

#[tokio::test]
async fn a_vote_is_not_discarded_once_its_result_is_declared() {
    let fixture = PostgresVoting::fresh().await;
    let scene = Scene::with_voters(&fixture, 1).await;
    fixture.rename_client(scene.client, "TEST_CLIENT_1").await;
    let round = scene.open(&fixture).await;
    let ballot = scene.ballot(round, scene.voters[0], scene.yes());
    let vote = ballot.vote_id;
    fixture.ballot_box().cast(ballot).await.unwrap();
    scene.end(&fixture).await;
    let declaration = format!(
        "UPDATE rounds SET status = 'DECLARED', declared_at = now(), declared_by = 'Maria Keller' WHERE id = '{round}'"
    );
    let declaration = HeldTransaction::begin(fixture.database(), &declaration);
    let ballot_box = fixture.ballot_box();
    let discarding = tokio::spawn(async move { ballot_box.discard(None, vote).await });
    declaration.until_blocking(&fixture, 1).await;
    declaration.commit();
    let refused = discarding.await.unwrap();
    assert!(matches!(refused, Err(DiscardVoteError::Declared)), "{refused:?}");
    assert_eq!(scene.votes_cast(&fixture, round).await, 1);
}

#[tokio::test]
async fn a_vote_whose_meeting_is_being_removed_is_missing() {
    let fixture = PostgresVoting::fresh().await;
    let scene = Scene::with_voters(&fixture, 1).await;
    fixture.rename_client(scene.client, "TEST_CLIENT_1").await;
    let round = scene.open(&fixture).await;
    let ballot = scene.ballot(round, scene.voters[0], scene.yes());
    let vote = ballot.vote_id;
    fixture.ballot_box().cast(ballot).await.unwrap();
    end(&fixture, &scene).await.unwrap();
    let ballot_box = fixture.ballot_box();
    let discarding = Box::pin(async move { ballot_box.discard(None, vote).await });
    let (removed, refused) = in_turn(&fixture, &scene, remove_meeting(&fixture, &scene), discarding).await;
    removed.unwrap();
    assert!(matches!(refused, Err(DiscardVoteError::NotFound)), "{refused:?}");
}
