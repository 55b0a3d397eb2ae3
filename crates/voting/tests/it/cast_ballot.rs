//! Casting ballots.

use std::sync::Arc;

use chrono::TimeDelta;
use plenum_kernel::testkit::{CountingIds, StillClock};
use plenum_kernel::{Clock, EndUserId, MeetingId, PortFailure, QuestionId, RoundId, Secrecy, SessionId};
use plenum_voting::testkit::contract::{Scene, VotingFixture};
use plenum_voting::testkit::{InMemoryVoting, MockBallotBox, MockRoundStore, MockVotingSignals};
use plenum_voting::{
    BallotContent, BallotPorts, BallotRule, BallotService, CastBallotError, CastOutcome, CastRequest, Round,
    RoundStore, SealingKeys, StoredVote, VoteReset, VoterQuestion, VoterRound, WithdrawError,
};
use uuid::Uuid;

/// The session in which a voter votes.
const PHONE: SessionId = SessionId::from_uuid(Uuid::from_u128(1));

/// A later session of the same voter, or of another person who knows the password.
const ELSEWHERE: SessionId = SessionId::from_uuid(Uuid::from_u128(2));

/// A request of this voter on the scene's question.
fn request<'a>(scene: &Scene, voter: EndUserId, answers: &'a [String]) -> CastRequest<'a> {
    let Scene { client, meeting, question, .. } = *scene;
    CastRequest {
        client,
        voter,
        cast_by: None,
        cast_on: None,
        session: PHONE,
        meeting,
        question,
        round: None,
        content: BallotContent::Answers(answers),
    }
}

struct Hall {
    store: InMemoryVoting,
    scene: Scene,
    clock: Arc<StillClock>,
    ballots: BallotService,
}

impl Hall {
    async fn with(voters: usize, signals: MockVotingSignals) -> Self {
        let store = InMemoryVoting::new();
        let scene = Scene::with_voters(&store, voters).await;
        let clock = Arc::new(StillClock::new());
        let ballots = BallotService::new(BallotPorts {
            rounds: store.rounds(),
            ballot_box: store.ballot_box(),
            sealing_keys: Arc::new(SealingKeys::new(store.urn_keys(), store.urns())),
            signals: Arc::new(signals),
            clock: Arc::clone(&clock) as Arc<dyn Clock>,
            ids: Arc::new(CountingIds::new()),
        });
        Self { store, scene, clock, ballots }
    }

    async fn cast(&self, voter: EndUserId, answers: &[&str]) -> Result<(StoredVote, Vec<String>), CastBallotError> {
        let answers: Vec<String> = answers.iter().map(|answer| (*answer).to_owned()).collect();
        self.ballots.cast(request(&self.scene, voter, &answers)).await
    }

    /// Casts a vote that is meant for this round.
    async fn cast_in(
        &self,
        round: RoundId,
        voter: EndUserId,
        answers: &[&str],
    ) -> Result<(StoredVote, Vec<String>), CastBallotError> {
        let answers: Vec<String> = answers.iter().map(|answer| (*answer).to_owned()).collect();
        self.ballots.cast(CastRequest { round: Some(round), ..request(&self.scene, voter, &answers) }).await
    }

    /// Casts a vote in another session of the voter.
    async fn cast_elsewhere(
        &self,
        round: Option<RoundId>,
        voter: EndUserId,
        answer: &str,
    ) -> Result<(StoredVote, Vec<String>), CastBallotError> {
        let answers = [answer.to_owned()];
        self.ballots.cast(CastRequest { round, session: ELSEWHERE, ..request(&self.scene, voter, &answers) }).await
    }

    async fn withdraw(&self, voter: EndUserId) -> Result<(), WithdrawError> {
        self.ballots.withdraw(self.scene.voter_question(voter), VoteReset::Demonstration).await
    }
}

/// Fails the test when anything is announced.
fn silence() -> MockVotingSignals {
    MockVotingSignals::new()
}

fn announcements(number: usize) -> MockVotingSignals {
    let mut signals = MockVotingSignals::new();
    signals.expect_votes_changed().times(number).return_const(());
    signals
}

#[tokio::test]
async fn a_counted_vote_is_announced_and_shown_in_the_words_of_the_round() {
    let hall = Hall::with(1, announcements(1)).await;
    hall.scene.open(&hall.store).await;
    let (vote, texts) = hall.cast(hall.scene.voters[0], &[" No "]).await.unwrap();
    assert_eq!((vote.answer, vote.cast_at), (hall.scene.no(), Some(hall.clock.now())));
    assert_eq!(texts, ["No"]);
}

#[tokio::test]
async fn the_same_answers_again_give_the_first_vote() {
    let hall = Hall::with(1, announcements(1)).await;
    hall.scene.open(&hall.store).await;
    let first = hall.cast(hall.scene.voters[0], &["Yes"]).await.unwrap();
    hall.clock.advance(TimeDelta::seconds(5));
    assert_eq!(hall.cast(hall.scene.voters[0], &["Yes"]).await.unwrap(), first);
    hall.scene.end(&hall.store).await;
    assert_eq!(hall.cast(hall.scene.voters[0], &["Yes"]).await.unwrap(), first);
}

#[tokio::test]
async fn other_answers_are_refused() {
    let hall = Hall::with(1, announcements(1)).await;
    hall.scene.open(&hall.store).await;
    hall.cast(hall.scene.voters[0], &["Yes"]).await.unwrap();
    let refused = hall.cast(hall.scene.voters[0], &["No"]).await.unwrap_err();
    assert!(matches!(refused, CastBallotError::AlreadyVoted), "{refused:?}");
    assert_eq!(refused.to_string(), "You have already voted");
}

#[tokio::test]
async fn refused_ballots_are_not_announced() {
    let mut hall = Hall::with(1, silence()).await;
    let voter = hall.scene.voters[0];
    assert!(matches!(hall.cast(voter, &["Yes"]).await, Err(CastBallotError::NotFound)));
    hall.scene.open(&hall.store).await;
    assert!(matches!(hall.cast(voter, &[]).await, Err(CastBallotError::Ballot(BallotRule::Empty))));
    let unknown = hall.cast(voter, &["Maybe"]).await;
    assert!(matches!(unknown, Err(CastBallotError::Ballot(BallotRule::UnknownOption(_)))));
    let late = hall.scene.add_voter(&hall.store).await;
    assert!(matches!(hall.cast(late, &["Yes"]).await, Err(CastBallotError::NotInRegister)));
    hall.scene.end(&hall.store).await;
    assert!(matches!(hall.cast(voter, &["Yes"]).await, Err(CastBallotError::NotOpen)));
}

#[tokio::test]
async fn a_question_of_another_client_is_not_found() {
    let hall = Hall::with(1, silence()).await;
    let stranger = Scene::with_voters(&hall.store, 1).await;
    hall.scene.open(&hall.store).await;
    let (scene, yes) = (&hall.scene, ["Yes".to_owned()]);
    let foreign =
        hall.ballots.cast(CastRequest { client: stranger.client, ..request(scene, stranger.voters[0], &yes) }).await;
    assert!(matches!(foreign, Err(CastBallotError::NotFound)));
    // The remembered round makes no difference.
    assert!(matches!(hall.cast(stranger.voters[0], &["Yes"]).await, Err(CastBallotError::NotInRegister)));
    let foreign =
        hall.ballots.cast(CastRequest { client: stranger.client, ..request(scene, stranger.voters[0], &yes) }).await;
    assert!(matches!(foreign, Err(CastBallotError::NotFound)));
    let elsewhere =
        hall.ballots.cast(CastRequest { meeting: stranger.meeting, ..request(scene, scene.voters[0], &yes) }).await;
    assert!(matches!(elsewhere, Err(CastBallotError::NotFound)));
}

#[tokio::test]
async fn a_remembered_round_that_another_took_the_place_of_is_looked_up_again() {
    let mut hall = Hall::with(1, announcements(1)).await;
    hall.scene.open(&hall.store).await;
    let late = hall.scene.add_voter(&hall.store).await;
    assert!(matches!(hall.cast(late, &["Yes"]).await, Err(CastBallotError::NotInRegister)));
    hall.scene.end(&hall.store).await;
    let second = hall.scene.open(&hall.store).await;
    hall.cast(late, &["Yes"]).await.unwrap();
    assert_eq!(hall.scene.votes_cast(&hall.store, second).await, 1);
}

#[tokio::test]
async fn a_round_is_looked_up_once_for_all_its_voters() {
    let store = InMemoryVoting::new();
    let scene = Scene::with_voters(&store, 3).await;
    scene.open(&store).await;
    let round = store.last_of_question(scene.client, scene.meeting, scene.question).await.unwrap();
    let mut rounds = MockRoundStore::new();
    rounds.expect_last_of_question().once().return_once(move |_, _, _| Ok(round));
    let ballots = BallotService::new(BallotPorts {
        rounds: Arc::new(rounds),
        ballot_box: store.ballot_box(),
        sealing_keys: Arc::new(SealingKeys::new(store.urn_keys(), store.urns())),
        signals: Arc::new(announcements(3)),
        clock: Arc::new(StillClock::new()),
        ids: Arc::new(CountingIds::new()),
    });
    for voter in &scene.voters {
        let answers = ["Yes".to_owned()];
        ballots.cast(request(&scene, *voter, &answers)).await.unwrap();
    }
}

#[tokio::test]
async fn a_failed_ballot_box_is_reported_and_not_announced() {
    let store = InMemoryVoting::new();
    let scene = Scene::with_voters(&store, 1).await;
    scene.open(&store).await;
    let mut ballot_box = MockBallotBox::new();
    ballot_box.expect_cast().times(2).returning(|_| Err(PortFailure::busy("the ballot queue")));
    let ballots = BallotService::new(BallotPorts {
        rounds: store.rounds(),
        ballot_box: Arc::new(ballot_box),
        sealing_keys: Arc::new(SealingKeys::new(store.urn_keys(), store.urns())),
        signals: Arc::new(silence()),
        clock: Arc::new(StillClock::new()),
        ids: Arc::new(CountingIds::new()),
    });
    for _ in 0..2 {
        let answers = ["Yes".to_owned()];
        let failed = ballots.cast(request(&scene, scene.voters[0], &answers)).await;
        assert!(matches!(failed, Err(CastBallotError::Port(_))), "{failed:?}");
    }
}

#[tokio::test]
async fn a_withdrawn_vote_is_announced_and_can_be_cast_again() {
    let hall = Hall::with(1, announcements(3)).await;
    let round = hall.scene.open(&hall.store).await;
    hall.cast(hall.scene.voters[0], &["Yes"]).await.unwrap();
    hall.withdraw(hall.scene.voters[0]).await.unwrap();
    assert_eq!(hall.scene.votes_cast(&hall.store, round).await, 0);
    hall.cast(hall.scene.voters[0], &["No"]).await.unwrap();
}

#[tokio::test]
async fn a_refused_withdrawal_is_not_announced() {
    let hall = Hall::with(1, silence()).await;
    let (scene, voter) = (&hall.scene, hall.scene.voters[0]);
    assert!(matches!(hall.withdraw(voter).await, Err(WithdrawError::NotFound)));
    let round = scene.open(&hall.store).await;
    assert!(matches!(hall.withdraw(voter).await, Err(WithdrawError::NoVote)));
    assert_eq!(scene.cast(&hall.store, round, voter, scene.yes()).await, CastOutcome::Counted);
    scene.end(&hall.store).await;
    assert!(matches!(hall.withdraw(voter).await, Err(WithdrawError::NotOpen)));
    let (meeting, question) = (MeetingId::new(&scene.ids), QuestionId::new(&scene.ids));
    let elsewhere = VoterQuestion { meeting, question, ..scene.voter_question(voter) };
    let foreign = hall.ballots.withdraw(elsewhere, VoteReset::Demonstration).await;
    assert!(matches!(foreign, Err(WithdrawError::NotFound)));
}

#[tokio::test]
async fn a_vote_is_withdrawn_only_where_that_is_allowed() {
    let hall = Hall::with(1, announcements(1)).await;
    let (scene, voter) = (&hall.scene, hall.scene.voters[0]);
    scene.open(&hall.store).await;
    hall.cast(voter, &["Yes"]).await.unwrap();
    for allowed in [VoteReset::Off, VoteReset::TestData] {
        let refused = hall.ballots.withdraw(scene.voter_question(voter), allowed).await;
        assert!(matches!(refused, Err(WithdrawError::NotAllowed)), "{allowed:?}");
    }
}

#[tokio::test]
async fn a_vote_in_an_earlier_round_does_not_count_in_its_re_vote() {
    let hall = Hall::with(1, announcements(2)).await;
    let (scene, voter) = (&hall.scene, hall.scene.voters[0]);
    let declared = scene.open(&hall.store).await;
    let first = hall.cast(voter, &["Yes"]).await.unwrap();
    scene.end(&hall.store).await;
    hall.store.declare(declared).await;
    let again = scene.revote(&hall.store, scene.question).await.unwrap();
    let second = hall.cast(voter, &["Yes"]).await.unwrap();
    assert_ne!(second.0.id, first.0.id);
    assert_eq!(scene.votes_cast(&hall.store, again).await, 1);
}

#[tokio::test]
async fn a_ballot_that_names_the_round_that_is_open_is_counted_in_it() {
    let hall = Hall::with(2, announcements(2)).await;
    let round = hall.scene.open(&hall.store).await;
    for (voter, answer) in hall.scene.voters.iter().zip(["Yes", "No"]) {
        // Looked up for the first one, and remembered for the second.
        let first = hall.cast_in(round, *voter, &[answer]).await.unwrap();
        assert_eq!(first.1, [answer]);
        assert_eq!(hall.cast_in(round, *voter, &[answer]).await.unwrap(), first);
    }
    let refused = hall.cast_in(round, hall.scene.voters[0], &["No"]).await;
    assert!(matches!(refused, Err(CastBallotError::AlreadyVoted)), "{refused:?}");
    hall.scene.end(&hall.store).await;
    let late = hall.cast_in(round, EndUserId::new(&hall.scene.ids), &["Yes"]).await;
    assert!(matches!(late, Err(CastBallotError::NotOpen)), "{late:?}");
}

#[tokio::test]
async fn a_ballot_for_a_round_that_was_frozen_anew_is_not_counted_in_the_new_one() {
    let hall = Hall::with(1, silence()).await;
    let voter = hall.scene.voters[0];
    let first = hall.scene.open(&hall.store).await;
    // From now on the service remembers the round.
    assert!(matches!(hall.cast_in(first, voter, &["Maybe"]).await, Err(CastBallotError::Ballot(_))));
    hall.scene.end(&hall.store).await;
    let second = hall.scene.open(&hall.store).await;
    for round in [first, first, RoundId::new(&hall.scene.ids)] {
        for answer in ["Yes", "Maybe"] {
            let refused = hall.cast_in(round, voter, &[answer]).await;
            assert!(matches!(refused, Err(CastBallotError::RoundOver)), "{refused:?}");
        }
    }
    assert_eq!(hall.scene.votes_cast(&hall.store, second).await, 0);
}

#[tokio::test]
async fn a_vote_stored_before_a_re_vote_is_reported_as_stored() {
    let hall = Hall::with(2, announcements(1)).await;
    let (voter, other) = (hall.scene.voters[0], hall.scene.voters[1]);
    let first = hall.scene.open(&hall.store).await;
    let stored = hall.cast_in(first, voter, &["Yes"]).await.unwrap();
    hall.scene.end(&hall.store).await;
    hall.store.declare(first).await;
    let second = hall.scene.revote(&hall.store, hall.scene.question).await.unwrap();
    // The first round is remembered, and after that the second one.
    for _ in 0..2 {
        assert_eq!(hall.cast_in(first, voter, &["Yes"]).await.unwrap(), stored);
        for (voter, answer) in [(voter, "No"), (other, "Yes")] {
            let refused = hall.cast_in(first, voter, &[answer]).await;
            assert!(matches!(refused, Err(CastBallotError::RoundOver)), "{refused:?}");
        }
    }
    assert_eq!(hall.scene.votes_cast(&hall.store, second).await, 0);
}

#[tokio::test]
async fn a_ballot_for_the_round_of_another_question_is_counted_in_neither() {
    let hall = Hall::with(1, silence()).await;
    let scene = &hall.scene;
    let of_question = scene.open(&hall.store).await;
    let other = scene.add_question(&hall.store, 2, scene.wording.clone()).await;
    let of_other = scene.open_question(&hall.store, other).await;
    let refused = hall.cast_in(of_other, scene.voters[0], &["Yes"]).await;
    assert!(matches!(refused, Err(CastBallotError::RoundOver)), "{refused:?}");
    for round in [of_question, of_other] {
        assert_eq!(scene.votes_cast(&hall.store, round).await, 0);
    }
}

#[tokio::test]
async fn another_session_of_the_voter_cannot_find_the_answer_by_trying() {
    let hall = Hall::with(1, announcements(1)).await;
    let round = hall.scene.open(&hall.store).await;
    let voter = hall.scene.voters[0];
    let first = hall.cast(voter, &["Yes"]).await.unwrap();
    for is_over in [false, true] {
        for meant in [None, Some(round)] {
            for answer in ["Yes", "No"] {
                let refused = hall.cast_elsewhere(meant, voter, answer).await;
                assert!(matches!(refused, Err(CastBallotError::AlreadyVoted)), "{is_over} {answer}: {refused:?}");
            }
        }
        assert_eq!(hall.cast(voter, &["Yes"]).await.unwrap(), first);
        if !is_over {
            hall.scene.end(&hall.store).await;
        }
    }
    let seen = hall.ballots.agenda_of_voter(hall.scene.client, hall.scene.meeting, voter).await.unwrap().rounds;
    assert_eq!(seen[0].answer_texts(PHONE), Some(vec!["Yes".to_owned()]));
    assert_eq!((seen[0].answer_texts(ELSEWHERE), seen[0].vote.is_some()), (None, true));
    // Its result shows how each person voted anyway.
    let named = VoterRound { round: Round { secrecy: Secrecy::Named, ..seen[0].round.clone() }, ..seen[0].clone() };
    assert_eq!(named.answer_texts(ELSEWHERE), Some(vec!["Yes".to_owned()]));
}
