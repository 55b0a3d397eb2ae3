//! Elections: frozen terms, stored marks, and decisions of ties.

#![expect(missing_docs, reason = "the name of a case describes it")]

use plenum_kernel::testkit::approval;
use plenum_kernel::{ClientId, DecisionRule, QuestionType, RoundId};

use super::scene::wording;
use super::{Scene, SeedTerms, VotingFixture};
use crate::elections::{Decided, Tie, TieDecision, TieMatter};
use crate::{
    Answer, CastOutcome, CountedElection, DecideTieError, NewSeatAnswer, NewTieDecision, NotedSeatAnswer,
    ResultStepError, ResultStepRule, RoundPapers, RoundStatus, SeatAnswer, SeatAnswerError, SeatAnswerRequest,
};
use plenum_kernel::election::Candidate;

/// An ended and counted election of one person by approval, with these ballots.
async fn counted(fixture: &dyn VotingFixture, scene: &Scene, ballots: &[&str]) -> RoundId {
    let names = wording(&scene.ids, QuestionType::Election, &["Anna", "Bert", "Carla"]);
    let question = scene.add_question(fixture, 2, names).await;
    let rule = Some(DecisionRule::Election(Box::new(approval())));
    fixture.set_terms(question, SeedTerms { rule, ..SeedTerms::default() }).await;
    let opening = scene.opening(question);
    let round = opening.new_round;
    fixture.rounds().open(opening).await.expect("the question opens");
    for (voter, marks) in scene.voters.iter().zip(ballots) {
        let stored = scene.cast(fixture, round, *voter, Answer::Text((*marks).to_owned())).await;
        assert_eq!(stored, CastOutcome::Counted);
    }
    scene.end(fixture).await;
    scene.count(fixture, round).await;
    round
}

async fn election(fixture: &dyn VotingFixture, scene: &Scene, round: RoundId) -> CountedElection {
    let found = scene.find(fixture, round).await;
    let votes = scene.votes_of(fixture, round).await;
    let (decisions, wording) = (found.terms.tie_decisions.clone(), found.round.wording.clone());
    assert!(wording.election.is_some(), "the terms are frozen with the wording");
    let papers = RoundPapers::count(found, Vec::new());
    assert!(papers.result.result.result.election.is_some(), "a round without votes is counted, too");
    let again = scene.find(fixture, round).await;
    let counted = crate::RoundResult::of(again.round, again.terms, &votes, None).election.expect("it is an election");
    assert_eq!(counted.decisions, decisions);
    counted
}

fn decision(scene: &Scene, round: RoundId, before: usize) -> NewTieDecision {
    let candidates = vec![Candidate::numbered(1), Candidate::numbered(3)];
    let tie = Tie { stage: 1, matter: TieMatter::Seats { candidates, seats: 1 } };
    let step = scene.result_step(round);
    NewTieDecision {
        owner: step.owner,
        meeting: step.meeting,
        round,
        by: step.by,
        at: step.now,
        before,
        decision: TieDecision { tie, decided: Decided::LotByHand { order: vec![3] } },
        drawn_by: Some("Tomas Reyes".to_owned()),
        witnessed_by: Some("Maria Keller".to_owned()),
    }
}

fn is_refused(outcome: &Result<(), DecideTieError>) -> bool {
    matches!(outcome, Err(DecideTieError::OtherTie))
}

pub async fn marks_are_counted_by_the_frozen_terms(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 3).await;
    let round = counted(fixture, &scene, &["1 3", "3", "abstain"]).await;
    let counted = election(fixture, &scene, round).await;
    let elected: Vec<u32> = counted.count.elected.iter().map(|elected| elected.candidate.number()).collect();
    assert_eq!(elected, [3]);
    assert_eq!(counted.count.ballots.abstentions.voters, 1);
}

pub async fn a_decision_of_a_tie_is_stored_once_with_its_people(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 2).await;
    let round = counted(fixture, &scene, &["1", "3"]).await;
    let waiting = election(fixture, &scene, round).await;
    assert_eq!(waiting.open_tie(), Some(&decision(&scene, round, 0).decision.tie));
    let results = fixture.results();
    assert!(is_refused(&results.decide_tie(decision(&scene, round, 1)).await), "nothing came before it");
    let foreign = NewTieDecision { owner: ClientId::new(&scene.ids), ..decision(&scene, round, 0) };
    assert!(is_refused(&results.decide_tie(foreign).await));
    let before = scene.step(fixture).await;
    let undecided = results.declare(scene.result_step(round)).await;
    assert!(matches!(undecided, Err(ResultStepError::Rule(ResultStepRule::TieOpen))), "{undecided:?}");
    assert_eq!(scene.find(fixture, round).await.round.status, RoundStatus::Ended, "a refusal changes nothing");
    results.decide_tie(decision(&scene, round, 0)).await.expect("the count waits at it");
    assert_eq!(scene.step(fixture).await, before, "it is no step");
    assert!(is_refused(&results.decide_tie(decision(&scene, round, 0)).await), "it is decided once");
    let decided = election(fixture, &scene, round).await;
    let [made] = &decided.decisions[..] else { panic!("{:?}", decided.decisions) };
    assert_eq!(made.decision, decision(&scene, round, 0).decision);
    assert_eq!((made.drawn_by.as_deref(), made.witnessed_by.as_deref()), (Some("Tomas Reyes"), Some("Maria Keller")));
    assert!(made.decided_by.is_some());
    assert_eq!(decided.open_tie(), None);
    fixture.results().declare(scene.result_step(round)).await.expect("nothing is open");
    assert!(is_refused(&results.decide_tie(decision(&scene, round, 1)).await), "a declared result never changes");
}

pub async fn answers_of_the_elected_are_added_beside_the_result(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 3).await;
    let round = counted(fixture, &scene, &["1", "1", "3"]).await;
    let step = scene.result_step(round);
    let (owner, meeting) = (step.owner, step.meeting);
    let results = fixture.results();
    let note = async |owner: ClientId, candidate: u32, answer: SeatAnswer| {
        let request = SeatAnswerRequest { owner, meeting, round, by: step.by, candidate, answer };
        results.note_seat_answer(NewSeatAnswer { request, at: step.now }).await
    };
    let early = note(owner, 1, SeatAnswer::Accepted).await;
    assert!(matches!(early, Err(SeatAnswerError::NotDeclared)), "{early:?}");
    results.declare(step).await.expect("nothing is open");
    let before = scene.step(fixture).await;
    let foreign = note(ClientId::new(&scene.ids), 1, SeatAnswer::Accepted).await;
    assert!(matches!(foreign, Err(SeatAnswerError::RoundNotFound)), "{foreign:?}");
    let nobody = note(owner, 3, SeatAnswer::Accepted).await;
    assert!(matches!(nobody, Err(SeatAnswerError::NoSeat)), "{nobody:?}");
    assert!(note(owner, 1, SeatAnswer::Declined).await.expect("Anna is elected"));
    assert!(!note(owner, 1, SeatAnswer::Declined).await.expect("a repeat succeeds"));
    assert!(note(owner, 3, SeatAnswer::Accepted).await.expect("Carla moved up"));
    assert_eq!(scene.step(fixture).await, before, "it is no step");
    assert_eq!(scene.find(fixture, round).await.round.status, RoundStatus::Declared);
    let noted = results.seat_answers(owner, meeting).await.expect("they can be read");
    let [declined, accepted] = &noted[..] else { panic!("{noted:?}") };
    assert_eq!((declined.round, declined.candidate, declined.answer), (round, 1, SeatAnswer::Declined));
    let seated = |noted: &NotedSeatAnswer| noted.succession.seated.clone();
    assert_eq!((seated(declined), seated(accepted)), (vec![3], vec![3]));
    assert!(!declined.by.is_empty() && declined.at <= accepted.at, "{noted:?}");
    let others = results.seat_answers(ClientId::new(&scene.ids), meeting).await.expect("they can be read");
    assert_eq!(others, []);
}
