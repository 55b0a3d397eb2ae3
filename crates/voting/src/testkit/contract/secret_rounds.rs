//! Secret rounds: their key, sealed votes, the opening of the urn, and what is left of it.

#![expect(missing_docs, reason = "the name of a case describes it")]

use chrono::TimeDelta;
use plenum_kernel::{ClientId, Clock as _, EndUserId, QuestionId, QuestionType, RoundId, Secrecy};
use rust_decimal::Decimal;

use super::scene::wording;
use super::{Scene, SeedTerms, VotingFixture};
use crate::{
    Answer, Ballot, CastOutcome, Count, Counting, Envelope, ForecastScope, LogKind, OpenRoundError, OpenedBallot,
    OpeningRule, RegisterPaper, ResultStep, ResultStepError, ResultStepRule, RevoteReason, RoundOpening, Sealing,
    SecrecyForecast, Terms, UrnKeys as _, VoterQuestion,
};

fn secret() -> SeedTerms {
    SeedTerms { secrecy: Secrecy::Secret, ..SeedTerms::default() }
}

/// A scene with a secret question, and this many voters of weight 1.
async fn scene_of(fixture: &dyn VotingFixture, voters: usize) -> Scene {
    let scene = Scene::with_voters(fixture, voters).await;
    for voter in &scene.voters {
        fixture.set_weight(*voter, Decimal::ONE).await;
    }
    fixture.set_terms(scene.question, secret()).await;
    scene
}

/// An opening with a key for its round.
async fn opening(fixture: &dyn VotingFixture, scene: &Scene, question: QuestionId) -> RoundOpening {
    scene.clock.advance(TimeDelta::seconds(1));
    let opening = scene.opening(question);
    let key = fixture.urn_keys().prepare(opening.new_round).await.expect("a key");
    RoundOpening { key: Some(key), accepts_risk: true, ..opening }
}

async fn open(fixture: &dyn VotingFixture, scene: &Scene) -> RoundId {
    open_question(fixture, scene, scene.question).await
}

pub(super) async fn open_question(fixture: &dyn VotingFixture, scene: &Scene, question: QuestionId) -> RoundId {
    let opening = opening(fixture, scene, question).await;
    fixture.rounds().open(opening).await.expect("the question opens");
    let last = fixture.rounds().last_of_question(scene.client, scene.meeting, question).await;
    last.expect("the store answers").expect("the question has a round").id
}

/// Casts a sealed ballot with these options, and returns its envelope.
async fn cast(
    fixture: &dyn VotingFixture,
    scene: &Scene,
    round: RoundId,
    (voter, option): (EndUserId, u32),
) -> Envelope {
    cast_ballot(fixture, scene, round, (voter, OpenedBallot::Options(vec![option]))).await
}

async fn cast_ballot(
    fixture: &dyn VotingFixture,
    scene: &Scene,
    round: RoundId,
    (voter, ballot): (EndUserId, OpenedBallot),
) -> Envelope {
    let envelope = seal(fixture, scene, round, (voter, ballot)).await;
    let answer = Answer::Sealed(Some(envelope.clone()));
    assert_eq!(scene.cast(fixture, round, voter, answer).await, CastOutcome::Counted);
    envelope
}

/// Seals a ballot for a voter with the key of the round.
async fn seal(
    fixture: &dyn VotingFixture,
    scene: &Scene,
    round: RoundId,
    (voter, ballot): (EndUserId, OpenedBallot),
) -> Envelope {
    let found = scene.find(fixture, round).await.round;
    let sealing = Sealing { round, public_key: found.urn.expect("a secret round has an urn").public_key, voter };
    fixture.urn_keys().seal(&ballot, found.wording.sealed_size(), sealing).expect("it fits")
}

fn counting(scene: &Scene, round: RoundId) -> ResultStep {
    scene.clock.advance(TimeDelta::seconds(1));
    ResultStep { accepts_risk: true, ..scene.result_step(round) }
}

async fn count(fixture: &dyn VotingFixture, scene: &Scene, round: RoundId) {
    let counted = fixture.results().mark_counted(counting(scene, round)).await;
    assert_eq!(counted.expect("the round has ended"), Counting::UrnOpened);
}

/// The register of a round with the votes.
async fn papers(fixture: &dyn VotingFixture, scene: &Scene, round: RoundId) -> Vec<RegisterPaper> {
    let taking = super::results::taking(fixture, scene, round).await;
    let papers = fixture.results().take_papers(scene.client, scene.meeting, taking).await;
    papers.expect("the store answers").expect("the round has ended")
}

pub async fn a_secret_round_needs_a_key(fixture: &dyn VotingFixture) {
    let scene = scene_of(fixture, 5).await;
    let refused = fixture.rounds().open(scene.opening(scene.question)).await;
    assert!(matches!(refused, Err(OpenRoundError::Rule(OpeningRule::KeyNeeded))), "{refused:?}");
    let rounds = fixture.rounds().list(scene.client, scene.meeting).await.expect("the store answers");
    assert_eq!(rounds.expect("the meeting is known"), []);
    let opening = opening(fixture, &scene, scene.question).await;
    let public_key = opening.key.as_ref().expect("a key").public_key.clone();
    fixture.rounds().open(opening).await.expect("the question opens");
    let last = fixture.rounds().last_of_question(scene.client, scene.meeting, scene.question).await;
    let round = last.expect("the store answers").expect("the question has a round");
    assert_eq!(round.secrecy, Secrecy::Secret);
    let urn = round.urn.expect("a secret round has an urn");
    assert_eq!((urn.public_key, urn.holders, urn.is_void), (public_key, 1, false));
}

pub async fn the_share_of_a_key_is_stored_until_the_urn_is_opened(fixture: &dyn VotingFixture) {
    let scene = scene_of(fixture, 5).await;
    let opening = opening(fixture, &scene, scene.question).await;
    let (round, share) = (opening.new_round, opening.key.as_ref().expect("a key").database_share.clone());
    let stored = async |round| fixture.urns().database_share(round).await.expect("the store answers");
    assert_eq!(stored(round).await, None);
    fixture.rounds().open(opening).await.expect("the question opens");
    assert_eq!(stored(round).await, Some(share.clone()));
    scene.end(fixture).await;
    assert_eq!(stored(round).await, Some(share));
    count(fixture, &scene, round).await;
    assert_eq!(stored(round).await, None);
}

pub async fn a_key_is_not_kept_for_a_question_that_is_not_secret(fixture: &dyn VotingFixture) {
    let scene = scene_of(fixture, 5).await;
    fixture.set_terms(scene.question, SeedTerms::default()).await;
    let round = open(fixture, &scene).await;
    assert_eq!(scene.find(fixture, round).await.round.urn, None);
    assert_eq!(fixture.urns().needing_keys(vec![round]).await.expect("the store answers"), []);
}

pub async fn a_register_in_which_votes_could_be_inferred_is_refused_unless_accepted(fixture: &dyn VotingFixture) {
    let scene = scene_of(fixture, 7).await;
    for voter in &scene.voters[..2] {
        fixture.set_weight(*voter, Decimal::new(375, 1)).await;
    }
    let opening = opening(fixture, &scene, scene.question).await;
    let careful = RoundOpening { accepts_risk: false, ..opening.clone() };
    let refused = fixture.rounds().open(careful).await;
    let Err(OpenRoundError::Rule(OpeningRule::SecrecyAtRisk(risk))) = refused else { panic!("{refused:?}") };
    assert_eq!((risk.people, risk.weights.as_slice()), (2, [Decimal::new(375, 1)].as_slice()));
    let rounds = fixture.rounds().list(scene.client, scene.meeting).await.expect("the store answers");
    assert_eq!(rounds.expect("the meeting is known"), []);
    let round = opening.new_round;
    fixture.rounds().open(opening).await.expect("the organizer accepts it");
    let log = fixture.log_of(round).await;
    let noted = log.iter().find(|entry| entry.kind == LogKind::RiskAccepted).expect("it is logged");
    assert_eq!((noted.reason.clone(), noted.by.as_deref()), (Some(risk.sentence()), Some("Anna Berg")));
}

pub async fn a_crowd_of_five_equal_weights_opens_without_a_warning(fixture: &dyn VotingFixture) {
    let scene = scene_of(fixture, 5).await;
    let opening = RoundOpening { accepts_risk: false, ..opening(fixture, &scene, scene.question).await };
    let round = opening.new_round;
    fixture.rounds().open(opening).await.expect("nobody's vote could be inferred");
    assert!(fixture.log_of(round).await.iter().all(|entry| entry.kind != LogKind::RiskAccepted));
}

pub async fn a_question_can_count_heads_and_its_register_has_the_weight_1(fixture: &dyn VotingFixture) {
    let mut scene = Scene::with_voters(fixture, 6).await;
    fixture.set_terms(scene.question, SeedTerms { counts_heads: true, ..SeedTerms::default() }).await;
    let round = scene.open(fixture).await;
    let found = scene.find(fixture, round).await.round;
    assert_eq!((found.counts_heads, found.register), (true, Count { heads: 6, weight: Decimal::from(6) }));
    let late = scene.add_voter(fixture).await;
    scene.cast(fixture, round, scene.voters[0], scene.yes()).await;
    scene.end(fixture).await;
    scene.open(fixture).await;
    scene.cast(fixture, round, late, scene.yes()).await;
    scene.end(fixture).await;
    let papers = papers(fixture, &scene, round).await;
    assert!(papers.iter().all(|paper| paper.weight == Decimal::ONE), "{papers:?}");
    assert_eq!(papers.len(), 7);
}

pub async fn texts_and_numbers_of_a_secret_round_count_heads(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 6).await;
    for (position, question_type) in (2..).zip([QuestionType::OpenText, QuestionType::Rating, QuestionType::Percentage])
    {
        let question = scene.add_question(fixture, position, wording(&scene.ids, question_type, &[])).await;
        fixture.set_terms(question, secret()).await;
        let round = open_question(fixture, &scene, question).await;
        let found = scene.find(fixture, round).await.round;
        assert_eq!(found.register.weight, Decimal::from(6), "{question_type:?}");
    }
}

pub async fn a_sealed_vote_has_no_time_and_equal_bytes_are_the_same_vote(fixture: &dyn VotingFixture) {
    let scene = scene_of(fixture, 5).await;
    let round = open(fixture, &scene).await;
    let voter = scene.voters[0];
    let envelope = cast(fixture, &scene, round, (voter, 1)).await;
    let again = scene.cast(fixture, round, voter, Answer::Sealed(Some(envelope.clone()))).await;
    let CastOutcome::VotedBefore(before) = again else { panic!("{again:?}") };
    assert_eq!((before.cast_at, before.session), (None, None));
    assert_eq!(before.answer, Answer::Sealed(Some(envelope.clone())));
    assert_eq!(before.receipt(), Some(envelope.receipt()));
    let other = seal(fixture, &scene, round, (voter, OpenedBallot::Options(vec![2]))).await;
    let refused = scene.cast(fixture, round, voter, Answer::Sealed(Some(other))).await;
    assert_eq!(refused, CastOutcome::VotedBefore(before));
    assert_eq!(scene.votes_cast(fixture, round).await, 1);
}

pub async fn the_same_envelope_many_times_at_once_is_one_vote(fixture: &dyn VotingFixture) {
    let scene = scene_of(fixture, 5).await;
    let round = open(fixture, &scene).await;
    let voter = scene.voters[0];
    let envelope = seal(fixture, &scene, round, (voter, OpenedBallot::Options(vec![1]))).await;
    let answer = Answer::Sealed(Some(envelope));
    let ballot_of = |answer: Answer| {
        let ballot = scene.ballot(round, voter, answer);
        Ballot { vote_id: scene.ballot(round, voter, scene.yes()).vote_id, ..ballot }
    };
    let ballot = ballot_of(answer);
    let all = futures_util::future::join_all((0..20).map(|_| {
        let (ballot_box, ballot) = (fixture.ballot_box(), ballot.clone());
        async move { ballot_box.cast(ballot).await.expect("the box answers") }
    }));
    let counted = all.await.into_iter().filter(|outcome| *outcome == CastOutcome::Counted).count();
    assert_eq!((counted, scene.votes_cast(fixture, round).await), (1, 1));
}

pub async fn the_urn_is_opened_once_and_only_sums_are_left(fixture: &dyn VotingFixture) {
    let scene = scene_of(fixture, 6).await;
    let round = open(fixture, &scene).await;
    let mut receipts = Vec::new();
    for (voter, option) in scene.voters.iter().copied().zip([1, 2, 1, 1, 2]) {
        receipts.push(cast(fixture, &scene, round, (voter, option)).await.receipt());
    }
    receipts.sort();
    scene.end(fixture).await;
    assert_eq!(fixture.urns().needing_keys(vec![round]).await.expect("the store answers"), [round]);
    count(fixture, &scene, round).await;
    let found = scene.find(fixture, round).await;
    let urn = found.urn.clone().expect("the urn was opened");
    assert_eq!(urn.tally.answers, Some(vec![(scene.yes(), 3), (scene.no(), 2)]));
    assert_eq!((urn.tally.valid.heads, urn.tally.invalid.heads), (5, 0));
    assert_eq!((urn.receipts.clone(), urn.envelopes_hash.len()), (receipts, 64));
    assert_eq!(urn.opened_at, found.round.counted_at.expect("it is counted"));
    let marks: Vec<Option<Answer>> =
        papers(fixture, &scene, round).await.into_iter().map(|paper| paper.answer).collect();
    assert_eq!(marks.iter().flatten().count(), 5);
    assert!(marks.iter().flatten().all(|answer| *answer == Answer::Sealed(None)), "{marks:?}");
    // A repeat opens nothing, even while the key is there.
    let again = fixture.results().mark_counted(counting(&scene, round)).await;
    assert_eq!(again.expect("it is counted"), Counting::CountedBefore);
    assert_eq!(scene.find(fixture, round).await, found);
    assert_eq!(fixture.urns().needing_keys(vec![round]).await.expect("the store answers"), []);
    let undestroyed = async || fixture.urns().with_undestroyed_keys().await.expect("the store answers");
    assert!(undestroyed().await.contains(&round));
    fixture.urns().note_destroyed(round, scene.clock.now()).await.expect("the store answers");
    assert!(!undestroyed().await.contains(&round));
}

pub async fn envelopes_that_do_not_open_are_invalid_ballots(fixture: &dyn VotingFixture) {
    let scene = scene_of(fixture, 6).await;
    let round = open(fixture, &scene).await;
    for (voter, option) in scene.voters.iter().copied().take(3).zip([1, 2, 1]) {
        cast(fixture, &scene, round, (voter, option)).await;
    }
    let [other, thief, lost] = [3, 4, 5].map(|place| scene.voters[place]);
    cast(fixture, &scene, round, (other, 7)).await;
    // Copied from another voter, and sealed for another round.
    let yes = OpenedBallot::Options(vec![1]);
    let copied = seal(fixture, &scene, round, (scene.voters[0], yes.clone())).await;
    let public_key = scene.find(fixture, round).await.round.urn.expect("an urn").public_key;
    let elsewhere = Sealing { round: RoundId::new(&scene.ids), public_key, voter: lost };
    let strayed = fixture.urn_keys().seal(&yes, 256, elsewhere).expect("it fits");
    for (voter, envelope) in [(thief, copied), (lost, strayed)] {
        let outcome = scene.cast(fixture, round, voter, Answer::Sealed(Some(envelope))).await;
        assert_eq!(outcome, CastOutcome::Counted);
    }
    scene.end(fixture).await;
    count(fixture, &scene, round).await;
    let tally = scene.find(fixture, round).await.urn.expect("the urn was opened").tally;
    assert_eq!((tally.valid.heads, tally.invalid.heads), (3, 3));
    assert_eq!(tally.answers, Some(vec![(scene.yes(), 2), (scene.no(), 1)]));
}

pub async fn different_weights_leave_sums_for_each_option(fixture: &dyn VotingFixture) {
    let scene = scene_of(fixture, 6).await;
    fixture.set_weight(scene.voters[0], Decimal::new(25, 1)).await;
    let round = open(fixture, &scene).await;
    for (voter, option) in scene.voters.iter().copied().zip([1, 2, 1, 1, 2, 2]) {
        cast(fixture, &scene, round, (voter, option)).await;
    }
    scene.end(fixture).await;
    count(fixture, &scene, round).await;
    let tally = scene.find(fixture, round).await.urn.expect("the urn was opened").tally;
    assert_eq!(tally.answers, None);
    let sums: Vec<(u64, Decimal)> = tally.options.iter().map(|(_, sum)| (sum.heads, sum.weight)).collect();
    assert_eq!(sums, [(3, Decimal::new(45, 1)), (3, Decimal::from(3))]);
}

pub async fn texts_and_numbers_are_kept_sorted(fixture: &dyn VotingFixture) {
    let scene = scene_of(fixture, 6).await;
    let text = |text: &str| OpenedBallot::Text(text.to_owned());
    let number = |text: &str| OpenedBallot::Number(text.to_owned());
    let cases = [
        (QuestionType::OpenText, [text("Trees"), text("Benches"), text("Trees"), text("A \"bench\"\n"), text("Öl")]),
        (QuestionType::Percentage, [number("50"), number("37.5"), number("50.0"), number("0"), number("100")]),
    ];
    for (position, (question_type, ballots)) in (2..).zip(cases) {
        let question = scene.add_question(fixture, position, wording(&scene.ids, question_type, &[])).await;
        fixture.set_terms(question, secret()).await;
        let round = open_question(fixture, &scene, question).await;
        for (voter, ballot) in scene.voters.iter().copied().zip(ballots) {
            cast_ballot(fixture, &scene, round, (voter, ballot)).await;
        }
        scene.end(fixture).await;
        count(fixture, &scene, round).await;
        let tally = scene.find(fixture, round).await.urn.expect("the urn was opened").tally;
        let answers = tally.answers.expect("texts and numbers count heads");
        let expected = match question_type {
            QuestionType::OpenText => {
                ["A \"bench\"", "Benches", "Trees", "Öl"].map(|text| Answer::Text(text.to_owned()))
            }
            _ => ["0", "37.5", "50", "100"].map(|number| Answer::Number(number.parse().expect("a number"))),
        };
        assert_eq!(answers.iter().map(|(answer, _)| answer.clone()).collect::<Vec<_>>(), expected);
        assert_eq!(answers.iter().map(|(_, number)| number).sum::<u64>(), 5);
    }
}

pub async fn an_urn_in_which_votes_could_be_inferred_is_opened_only_if_accepted(fixture: &dyn VotingFixture) {
    let scene = scene_of(fixture, 6).await;
    let round = open(fixture, &scene).await;
    for voter in scene.voters.iter().copied().take(4) {
        cast(fixture, &scene, round, (voter, 1)).await;
    }
    scene.end(fixture).await;
    let careful = ResultStep { accepts_risk: false, ..counting(&scene, round) };
    let refused = fixture.results().mark_counted(careful).await;
    let Err(ResultStepError::Rule(ResultStepRule::SecrecyAtRisk(risk))) = refused else { panic!("{refused:?}") };
    assert_eq!(risk.people, 4);
    assert_eq!(scene.find(fixture, round).await.round.counted_at, None);
    count(fixture, &scene, round).await;
    let log = fixture.log_of(round).await;
    let noted = log.iter().find(|entry| entry.kind == LogKind::RiskAccepted).expect("it is logged");
    assert_eq!(noted.reason.as_deref(), Some("The votes of 4 people could be inferred from the totals (weight 1)"));
}

pub async fn an_empty_urn_is_opened_without_a_warning(fixture: &dyn VotingFixture) {
    let scene = scene_of(fixture, 6).await;
    let round = open(fixture, &scene).await;
    scene.end(fixture).await;
    let careful = ResultStep { accepts_risk: false, ..counting(&scene, round) };
    let counted = fixture.results().mark_counted(careful).await;
    assert_eq!(counted.expect("there is nothing to infer"), Counting::UrnOpened);
    let urn = scene.find(fixture, round).await.urn.expect("the urn was opened");
    assert_eq!((urn.receipts.len(), urn.tally.answers), (0, Some(Vec::new())));
}

pub async fn a_secret_round_is_never_counted_by_itself(fixture: &dyn VotingFixture) {
    let scene = scene_of(fixture, 6).await;
    fixture.set_counting_at_end(scene.meeting, true).await;
    let round = open(fixture, &scene).await;
    cast(fixture, &scene, round, (scene.voters[0], 1)).await;
    scene.end(fixture).await;
    assert_eq!(scene.find(fixture, round).await.round.counted_at, None);
}

pub async fn a_closed_urn_cannot_be_declared(fixture: &dyn VotingFixture) {
    let scene = scene_of(fixture, 6).await;
    let round = open(fixture, &scene).await;
    for voter in scene.voters.iter().copied().take(5) {
        cast(fixture, &scene, round, (voter, 1)).await;
    }
    scene.end(fixture).await;
    let refused = fixture.results().declare(counting(&scene, round)).await;
    assert!(matches!(refused, Err(ResultStepError::Rule(ResultStepRule::UrnClosed))), "{refused:?}");
    count(fixture, &scene, round).await;
    let declared = fixture.results().declare(counting(&scene, round)).await;
    assert_eq!(declared.expect("it is counted"), Some(scene.question));
    assert_eq!(scene.find(fixture, round).await.urn.expect("the urn stays").tally.valid.heads, 5);
}

pub async fn without_its_key_a_round_is_not_counted_and_becomes_void(fixture: &dyn VotingFixture) {
    let scene = scene_of(fixture, 6).await;
    let round = open(fixture, &scene).await;
    cast(fixture, &scene, round, (scene.voters[0], 1)).await;
    scene.end(fixture).await;
    fixture.urn_keys().lose(round);
    let before = scene.find(fixture, round).await;
    let refused = fixture.results().mark_counted(counting(&scene, round)).await;
    assert!(matches!(refused, Err(ResultStepError::KeyMissing)), "{refused:?}");
    assert_eq!(scene.find(fixture, round).await, before);
    let step = scene.step(fixture).await;
    assert_eq!(scene.screen(fixture).await.question, None);
    fixture.urns().mark_void(counting(&scene, round)).await.expect("the round is there");
    let screen = scene.screen(fixture).await;
    assert_eq!((screen.step, screen.question.map(|shown| shown.question_id)), (step.next(), Some(scene.question)));
    let found = scene.find(fixture, round).await;
    assert!(found.round.urn.expect("a secret round has an urn").is_void);
    assert_eq!(found.log.last().map(|entry| entry.kind), Some(LogKind::Voided));
    fixture.urns().mark_void(counting(&scene, round)).await.expect("a repeat changes nothing");
    assert_eq!(scene.step(fixture).await, step.next());
    let refused = fixture.results().mark_counted(counting(&scene, round)).await;
    assert!(matches!(refused, Err(ResultStepError::Rule(ResultStepRule::Void))), "{refused:?}");
    let refused = fixture.rounds().open(opening(fixture, &scene, scene.question).await).await;
    assert!(matches!(refused, Err(OpenRoundError::Rule(OpeningRule::Void))), "{refused:?}");
    let reason = Some(RevoteReason::parse("The key was lost").expect("a reason"));
    let revote = RoundOpening { revote: reason, ..opening(fixture, &scene, scene.question).await };
    fixture.rounds().open(revote).await.expect("a re-vote is possible");
}

pub async fn a_void_round_without_votes_is_held_again(fixture: &dyn VotingFixture) {
    let scene = scene_of(fixture, 6).await;
    let first = open(fixture, &scene).await;
    scene.end(fixture).await;
    let revote = async || RoundOpening {
        revote: Some(RevoteReason::parse("The key was lost").expect("a reason")),
        ..opening(fixture, &scene, scene.question).await
    };
    // Until the round is void it can be opened, and needs no reason.
    let refused = fixture.rounds().open(revote().await).await;
    assert!(matches!(refused, Err(OpenRoundError::Rule(OpeningRule::NoRoundYet))), "{refused:?}");
    fixture.urn_keys().lose(first);
    fixture.urns().mark_void(counting(&scene, first)).await.expect("the round is there");
    let refused = fixture.rounds().open(opening(fixture, &scene, scene.question).await).await;
    assert!(matches!(refused, Err(OpenRoundError::Rule(OpeningRule::Void))), "{refused:?}");
    let revote = revote().await;
    let second = revote.new_round;
    fixture.rounds().open(revote).await.expect("a re-vote is possible");
    let rounds = [scene.find(fixture, first).await.round, scene.find(fixture, second).await.round];
    assert_eq!(rounds.each_ref().map(|round| round.number), [1, 2]);
    assert_eq!(rounds.map(|round| round.urn.expect("a secret round has an urn").is_void), [true, false]);
}

pub async fn a_forecast_knows_the_weights_of_those_who_may_vote(fixture: &dyn VotingFixture) {
    let scene = scene_of(fixture, 6).await;
    let weights = fixture
        .rounds()
        .eligible_weights(scene.client, scene.meeting, &ForecastScope::default())
        .await
        .expect("the store answers");
    let forecast = SecrecyForecast::of(&weights.expect("the meeting is known"));
    let round = open(fixture, &scene).await;
    assert_eq!(forecast.people, scene.find(fixture, round).await.round.register.heads);
    assert_eq!(forecast.by_heads, None);
    let stranger = ClientId::new(&scene.ids);
    assert_eq!(
        fixture
            .rounds()
            .eligible_weights(stranger, scene.meeting, &ForecastScope::default())
            .await
            .expect("the store answers"),
        None
    );
}

pub async fn another_clients_secret_round_is_not_void(fixture: &dyn VotingFixture) {
    let scene = scene_of(fixture, 6).await;
    let round = open(fixture, &scene).await;
    scene.end(fixture).await;
    let step = ResultStep { owner: ClientId::new(&scene.ids), ..counting(&scene, round) };
    let refused = fixture.urns().mark_void(step).await;
    assert!(matches!(refused, Err(ResultStepError::MeetingNotFound)), "{refused:?}");
    let step = ResultStep { round: RoundId::new(&scene.ids), ..counting(&scene, round) };
    let refused = fixture.urns().mark_void(step).await;
    assert!(matches!(refused, Err(ResultStepError::RoundNotFound)), "{refused:?}");
}

pub async fn a_reopened_secret_round_keeps_its_key_and_envelopes(fixture: &dyn VotingFixture) {
    let scene = scene_of(fixture, 6).await;
    let round = open(fixture, &scene).await;
    cast(fixture, &scene, round, (scene.voters[0], 1)).await;
    let urn = scene.find(fixture, round).await.round.urn;
    scene.end(fixture).await;
    assert_eq!(open(fixture, &scene).await, round);
    assert_eq!(scene.find(fixture, round).await.round.urn, urn);
    for voter in scene.voters.iter().copied().skip(1) {
        cast(fixture, &scene, round, (voter, 2)).await;
    }
    scene.end(fixture).await;
    count(fixture, &scene, round).await;
    let tally = scene.find(fixture, round).await.urn.expect("the urn was opened").tally;
    assert_eq!(tally.answers, Some(vec![(scene.yes(), 1), (scene.no(), 5)]));
}

pub async fn a_re_vote_of_a_secret_round_has_a_key_of_its_own(fixture: &dyn VotingFixture) {
    let scene = scene_of(fixture, 6).await;
    let first = open(fixture, &scene).await;
    cast(fixture, &scene, first, (scene.voters[0], 1)).await;
    scene.end(fixture).await;
    count(fixture, &scene, first).await;
    let reason = RevoteReason::parse("Somebody was cut off").expect("a reason");
    let revote = RoundOpening { revote: Some(reason), ..opening(fixture, &scene, scene.question).await };
    let second = revote.new_round;
    fixture.rounds().open(revote).await.expect("a re-vote is possible");
    let key_of = async |round| scene.find(fixture, round).await.round.urn.expect("an urn").public_key;
    assert_ne!(key_of(first).await, key_of(second).await);
}

pub async fn a_voter_sees_that_the_own_sealed_vote_is_there_and_no_answer(fixture: &dyn VotingFixture) {
    let scene = scene_of(fixture, 6).await;
    let round = open(fixture, &scene).await;
    let voter = scene.voters[0];
    cast(fixture, &scene, round, (voter, 1)).await;
    let agenda = fixture.rounds().agenda_of_voter(scene.client, scene.meeting, voter).await;
    let seen = agenda.expect("the store answers").rounds.pop().expect("the question was opened");
    let session = plenum_kernel::SessionId::new(&scene.ids);
    assert!(seen.vote.is_some());
    assert_eq!(seen.answer_texts(session), None);
    let Scene { client, meeting, question, .. } = scene;
    let asked = VoterQuestion { client, voter, meeting, question };
    assert!(fixture.rounds().vote_in(asked, round).await.expect("the store answers").is_some());
}

/// The terms of a round that is not secret are unchanged by all this.
pub async fn other_rounds_have_no_urn(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 2).await;
    let round = scene.open(fixture).await;
    let found = scene.find(fixture, round).await;
    assert_eq!((found.urn, found.round.urn, found.round.secrecy), (None, None, Secrecy::Unshown));
    assert_eq!(found.terms, Terms::default());
}
