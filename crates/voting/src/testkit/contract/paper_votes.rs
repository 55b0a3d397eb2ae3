//! The contract of votes on paper and of ballots at voting places.

#![expect(missing_docs, reason = "the name of a case describes it")]

use futures_util::future::{join, join_all};
use plenum_kernel::{
    Clock as _, DeskId, EndUserId, IssuedBallotId, PageRequest, PaperBatchId, QuestionType, RoundId, Secrecy,
};
use rust_decimal::Decimal;

use super::scene::wording;
use super::secret_rounds::open_question;
use super::{Scene, SeedTerms, VotingFixture};
use crate::{
    Answer, Ballot, BatchRequest, BatchState, CastOn, CastOutcome, CloseBatchError, ConfirmationRule, CountTaking,
    EntryRule, IssueError, IssueRule, IssuedBallot, MAX_ISSUED_BALLOTS, MAX_PAPER_BATCHES, NewPaperBatch, PaperBallot,
    PaperBatch, PaperOutcome, RegisterFilter, ResultStepError, ResultStepRule, RoundPapers, StoreBatchError, Teller,
};

/// A named or unshown round that is open, and a desk of a second teller.
struct Hall {
    scene: Scene,
    round: RoundId,
    desk: DeskId,
}

impl Hall {
    async fn open(fixture: &dyn VotingFixture, voters: usize, secrecy: Secrecy) -> Self {
        let scene = Scene::with_voters(fixture, voters).await;
        for voter in &scene.voters {
            fixture.set_weight(*voter, Decimal::ONE).await;
        }
        fixture.set_terms(scene.question, SeedTerms { secrecy, ..SeedTerms::default() }).await;
        let round = scene.open(fixture).await;
        let desk = DeskId::new(&scene.ids);
        fixture.add_desk(scene.client, scene.meeting, desk, "Tellers").await;
        Self { scene, round, desk }
    }

    fn batch(&self, votes: &[(usize, Answer)]) -> NewPaperBatch {
        let ballot = |(voter, answer): &(usize, Answer)| PaperBallot {
            voter: self.scene.voters[*voter],
            answer: answer.clone(),
        };
        NewPaperBatch {
            id: PaperBatchId::new(&self.scene.ids),
            client: self.scene.client,
            meeting: self.scene.meeting,
            round: self.round,
            ballots: votes.iter().map(ballot).collect(),
            by: Teller::Organizer(self.scene.organizer),
            at: self.scene.clock.now(),
        }
    }

    fn request(&self, batch: PaperBatchId, by: Teller) -> BatchRequest {
        BatchRequest { client: self.scene.client, meeting: self.scene.meeting, round: self.round, batch, by }
    }

    fn by_desk(&self, batch: PaperBatchId) -> BatchRequest {
        self.request(batch, Teller::Desk(self.desk))
    }

    async fn enter(&self, fixture: &dyn VotingFixture, votes: &[(usize, Answer)]) -> PaperBatchId {
        self.try_enter(fixture, self.batch(votes)).await.expect("the batch is entered").head.id
    }

    async fn try_enter(&self, fixture: &dyn VotingFixture, batch: NewPaperBatch) -> Result<PaperBatch, EntryRule> {
        match fixture.paper_votes().enter(batch).await {
            Ok(batch) => Ok(batch),
            Err(StoreBatchError::Rule(rule)) => Err(rule),
            Err(error) => panic!("{error}"),
        }
    }

    async fn confirm(
        &self,
        fixture: &dyn VotingFixture,
        request: BatchRequest,
    ) -> Result<PaperBatch, ConfirmationRule> {
        rule_of(fixture.paper_votes().confirm(request, self.scene.clock.now()).await)
    }

    async fn discard(
        &self,
        fixture: &dyn VotingFixture,
        request: BatchRequest,
    ) -> Result<PaperBatch, ConfirmationRule> {
        rule_of(fixture.paper_votes().discard(request, self.scene.clock.now()).await)
    }

    fn issued(&self, voter: EndUserId) -> IssuedBallot {
        IssuedBallot {
            id: IssuedBallotId::new(&self.scene.ids),
            client: self.scene.client,
            meeting: self.scene.meeting,
            round: self.round,
            voter,
            desk: self.desk,
            at: self.scene.clock.now(),
        }
    }
}

fn rule_of(outcome: Result<PaperBatch, CloseBatchError>) -> Result<PaperBatch, ConfirmationRule> {
    match outcome {
        Ok(batch) => Ok(batch),
        Err(CloseBatchError::Rule(rule)) => Err(rule),
        Err(error) => panic!("{error}"),
    }
}

async fn issue(fixture: &dyn VotingFixture, ballot: IssuedBallot) -> Result<(), IssueRule> {
    match fixture.paper_votes().issue(ballot).await {
        Ok(()) => Ok(()),
        Err(IssueError::Rule(rule)) => Err(rule),
        Err(error) => panic!("{error}"),
    }
}

fn outcomes(batch: &PaperBatch) -> Vec<(EndUserId, PaperOutcome)> {
    let mut outcomes: Vec<_> = batch.ballots.iter().map(|ballot| (ballot.voter, ballot.outcome)).collect();
    outcomes.sort_by_key(|(voter, _)| *voter);
    outcomes
}

async fn vote(fixture: &dyn VotingFixture, hall: &Hall, voter: usize, answer: Answer) -> CastOutcome {
    let ballot = hall.scene.ballot(hall.round, hall.scene.voters[voter], answer);
    fixture.ballot_box().cast(ballot).await.expect("the box answers")
}

pub async fn a_batch_counts_once_another_teller_confirms_it(fixture: &dyn VotingFixture) {
    let hall = Hall::open(fixture, 3, Secrecy::Named).await;
    let scene = &hall.scene;
    let new = hall.batch(&[(0, scene.yes()), (1, scene.no())]);
    let batch = hall.try_enter(fixture, new).await.expect("the batch is entered");
    assert_eq!((batch.head.number, batch.head.state, batch.head.is_own), (1, BatchState::Waiting, true));
    assert_eq!((batch.head.entered_by.as_str(), batch.head.ballots, batch.head.counted), ("Anna Berg", 2, None));
    let answers: Vec<_> = batch.ballots.iter().filter_map(|ballot| ballot.answer.clone()).collect();
    assert_eq!(answers, [scene.yes(), scene.no()]);
    assert_eq!(scene.votes_cast(fixture, hall.round).await, 0, "nothing counts before the confirmation");

    let own = hall.request(batch.head.id, Teller::Organizer(scene.organizer));
    assert_eq!(hall.confirm(fixture, own).await, Err(ConfirmationRule::OwnBatch));
    assert_eq!(scene.votes_cast(fixture, hall.round).await, 0);

    let confirmed = hall.confirm(fixture, hall.by_desk(batch.head.id)).await.expect("the batch is confirmed");
    assert_eq!((confirmed.head.state, confirmed.head.counted), (BatchState::Confirmed, Some(2)));
    assert_eq!(confirmed.head.closed.map(|(_, by)| by).as_deref(), Some("Tellers"));
    assert!(confirmed.ballots.iter().all(|ballot| ballot.answer.is_none() && ballot.outcome == PaperOutcome::Counted));
    assert_eq!(scene.votes_cast(fixture, hall.round).await, 2);
    let again = hall.confirm(fixture, hall.by_desk(batch.head.id)).await;
    assert_eq!(again, Err(ConfirmationRule::Closed));
    assert_eq!(scene.votes_cast(fixture, hall.round).await, 2);

    let stored = fixture.rounds().vote_in(scene.voter_question(scene.voters[0]), hall.round).await;
    let stored = stored.expect("the store answers").expect("there is a vote");
    assert_eq!((stored.answer, stored.cast_on, stored.session), (scene.yes(), Some(CastOn::Paper), None));
    scene.end(fixture).await;
    let votes = scene.votes_of(fixture, hall.round).await;
    assert_eq!(votes.iter().map(|vote| vote.cast_on).collect::<Vec<_>>(), [Some(CastOn::Paper); 2]);
}

pub async fn the_result_says_how_many_votes_came_which_way(fixture: &dyn VotingFixture) {
    let hall = Hall::open(fixture, 4, Secrecy::Named).await;
    let scene = &hall.scene;
    let batch = hall.enter(fixture, &[(0, scene.yes())]).await;
    hall.confirm(fixture, hall.by_desk(batch)).await.expect("the batch is confirmed");
    let at_place =
        Ballot { cast_on: Some(CastOn::VotingPlace), ..scene.ballot(hall.round, scene.voters[1], scene.no()) };
    assert_eq!(fixture.ballot_box().cast(at_place).await.expect("the box answers"), CastOutcome::Counted);
    assert_eq!(vote(fixture, &hall, 2, scene.yes()).await, CastOutcome::Counted);

    let filter = RegisterFilter { search: None, has_voted: None, page: PageRequest { page: 1, page_size: 50 } };
    let page = fixture.rounds().register(scene.client, scene.meeting, hall.round, &filter).await;
    let rows = page.expect("the store answers").expect("the round is known").rows;
    let place_of = |voter: usize| rows.iter().find(|row| row.end_user_id == scene.voters[voter]).map(|row| row.cast_on);
    assert_eq!(
        [0, 1, 2, 3].map(place_of),
        [Some(Some(CastOn::Paper)), Some(Some(CastOn::VotingPlace)), Some(None), Some(None)]
    );

    scene.end(fixture).await;
    scene.count(fixture, hall.round).await;
    let found = scene.find(fixture, hall.round).await;
    let taking = CountTaking { round: hall.round, ended_at: found.round.ended_at.expect("the round has ended") };
    let register = fixture.results().take_papers(scene.client, scene.meeting, taking).await.expect("the store answers");
    let papers = RoundPapers::count(found, register.expect("the round is counted"));
    let ways = papers.result.result.result.ways;
    assert_eq!((ways.device.heads, ways.paper.heads, ways.voting_place.heads), (1, 1, 1));
    let cast_on = papers.register.iter().filter(|entry| entry.cast_on == Some(CastOn::Paper)).count();
    assert_eq!(cast_on, 1);
}

pub async fn an_earlier_vote_counts_and_the_paper_does_not(fixture: &dyn VotingFixture) {
    let hall = Hall::open(fixture, 2, Secrecy::Named).await;
    let scene = &hall.scene;
    let batch = hall.enter(fixture, &[(0, scene.yes()), (1, scene.yes())]).await;
    assert_eq!(vote(fixture, &hall, 0, scene.no()).await, CastOutcome::Counted);
    let confirmed = hall.confirm(fixture, hall.by_desk(batch)).await.expect("the batch is confirmed");
    assert_eq!(confirmed.head.counted, Some(1));
    let expected = [(scene.voters[0], PaperOutcome::VotedBefore), (scene.voters[1], PaperOutcome::Counted)];
    assert_eq!(outcomes(&confirmed), expected);
    assert_eq!(scene.votes_cast(fixture, hall.round).await, 2);
    let stored = fixture.rounds().vote_in(scene.voter_question(scene.voters[0]), hall.round).await;
    let stored = stored.expect("the store answers").expect("there is a vote");
    assert_eq!((stored.answer, stored.cast_on), (scene.no(), None), "the vote of the phone is untouched");
}

pub async fn a_phone_after_the_paper_learns_where_the_vote_was_cast(fixture: &dyn VotingFixture) {
    let hall = Hall::open(fixture, 1, Secrecy::Named).await;
    let batch = hall.enter(fixture, &[(0, hall.scene.yes())]).await;
    hall.confirm(fixture, hall.by_desk(batch)).await.expect("the batch is confirmed");
    let outcome = vote(fixture, &hall, 0, hall.scene.no()).await;
    let CastOutcome::VotedBefore(before) = outcome else { panic!("{outcome:?}") };
    assert_eq!((before.answer, before.cast_on), (hall.scene.yes(), Some(CastOn::Paper)));
    assert_eq!(hall.scene.votes_cast(fixture, hall.round).await, 1);
}

pub async fn phones_and_papers_at_once_are_one_vote_each(fixture: &dyn VotingFixture) {
    const VOTERS: usize = 12;
    let hall = Hall::open(fixture, VOTERS, Secrecy::Named).await;
    let votes: Vec<(usize, Answer)> = (0..VOTERS).map(|voter| (voter, hall.scene.yes())).collect();
    let batch = hall.enter(fixture, &votes).await;
    let phones = join_all((0..VOTERS).map(|voter| vote(fixture, &hall, voter, hall.scene.no())));
    let (phones, confirmed) = join(phones, hall.confirm(fixture, hall.by_desk(batch))).await;
    let confirmed = confirmed.expect("the batch is confirmed");
    let by_phone = phones.iter().filter(|outcome| **outcome == CastOutcome::Counted).count() as u64;
    assert_eq!(by_phone + confirmed.head.counted.unwrap_or_default(), VOTERS as u64);
    assert_eq!(hall.scene.votes_cast(fixture, hall.round).await, VOTERS as u64);
    hall.scene.end(fixture).await;
    let on_paper = hall.scene.votes_of(fixture, hall.round).await;
    let on_paper = on_paper.iter().filter(|vote| vote.cast_on == Some(CastOn::Paper)).count() as u64;
    assert_eq!(Some(on_paper), confirmed.head.counted);
}

pub async fn one_of_several_confirmations_at_once_counts(fixture: &dyn VotingFixture) {
    let hall = Hall::open(fixture, 3, Secrecy::Named).await;
    let votes: Vec<(usize, Answer)> = (0..3).map(|voter| (voter, hall.scene.yes())).collect();
    let batch = hall.enter(fixture, &votes).await;
    let all = join_all((0..5).map(|_| hall.confirm(fixture, hall.by_desk(batch)))).await;
    assert_eq!(all.iter().filter(|outcome| outcome.is_ok()).count(), 1);
    assert!(all.iter().all(|outcome| matches!(outcome, Ok(_) | Err(ConfirmationRule::Closed))));
    assert_eq!(hall.scene.votes_cast(fixture, hall.round).await, 3);
}

pub async fn numbers_without_names_count_for_all_people_or_for_none(fixture: &dyn VotingFixture) {
    let hall = Hall::open(fixture, 4, Secrecy::Unshown).await;
    let scene = &hall.scene;
    let votes = [(0, scene.yes()), (1, scene.no()), (2, scene.yes())];
    let batch = hall.enter(fixture, &votes).await;
    assert_eq!(vote(fixture, &hall, 1, scene.no()).await, CastOutcome::Counted);
    let refused = Err(ConfirmationRule::NotCountable(vec!["Voter 2".to_owned()]));
    assert_eq!(hall.confirm(fixture, hall.by_desk(batch)).await, refused);
    assert_eq!(scene.votes_cast(fixture, hall.round).await, 1);
    let discarded = hall.discard(fixture, hall.by_desk(batch)).await.expect("it is discarded");
    assert_eq!(discarded.head.state, BatchState::Discarded);
    let others = hall.enter(fixture, &[(0, scene.yes()), (2, scene.yes())]).await;
    let confirmed = hall.confirm(fixture, hall.by_desk(others)).await.expect("the batch is confirmed");
    assert_eq!((confirmed.head.number, confirmed.head.counted), (2, Some(2)));
    assert_eq!(scene.votes_cast(fixture, hall.round).await, 3);
}

pub async fn a_discarded_batch_counts_nothing_and_frees_its_people(fixture: &dyn VotingFixture) {
    let hall = Hall::open(fixture, 2, Secrecy::Named).await;
    let scene = &hall.scene;
    let batch = hall.enter(fixture, &[(0, scene.yes())]).await;
    let other = hall.try_enter(fixture, hall.batch(&[(1, scene.yes()), (0, scene.no())])).await;
    assert_eq!(other, Err(EntryRule::InOtherBatch(1)));
    let own = hall.request(batch, Teller::Organizer(scene.organizer));
    let discarded = hall.discard(fixture, own).await.expect("whoever entered it may discard it");
    assert_eq!(outcomes(&discarded), [(scene.voters[0], PaperOutcome::Discarded)]);
    assert!(discarded.ballots.iter().all(|ballot| ballot.answer.is_none()));
    assert_eq!(hall.discard(fixture, own).await, Err(ConfirmationRule::Closed));
    assert_eq!(hall.confirm(fixture, hall.by_desk(batch)).await, Err(ConfirmationRule::Closed));
    assert_eq!(scene.votes_cast(fixture, hall.round).await, 0);
    hall.try_enter(fixture, hall.batch(&[(1, scene.yes()), (0, scene.no())])).await.expect("they can be entered again");
    let heads = fixture.paper_votes().batches(scene.client, scene.meeting, hall.round, Teller::Desk(hall.desk)).await;
    let heads = heads.expect("the store answers").expect("the round is known");
    let states: Vec<_> = heads.iter().map(|head| (head.number, head.state, head.is_own)).collect();
    assert_eq!(states, [(1, BatchState::Discarded, false), (2, BatchState::Waiting, false)]);
}

pub async fn a_repeated_entry_is_the_same_batch(fixture: &dyn VotingFixture) {
    let hall = Hall::open(fixture, 2, Secrecy::Named).await;
    let new = hall.batch(&[(0, hall.scene.yes())]);
    let first = hall.try_enter(fixture, new.clone()).await.expect("the batch is entered");
    let again = hall.try_enter(fixture, new.clone()).await.expect("a repeat is no error");
    assert_eq!(first, again);
    hall.confirm(fixture, hall.by_desk(new.id)).await.expect("the batch is confirmed");
    let late = hall.try_enter(fixture, new.clone()).await.expect("also after the confirmation");
    assert_eq!(late.head.state, BatchState::Confirmed);
    let new_id = new.id;
    let of_other = NewPaperBatch { by: Teller::Desk(hall.desk), ..new };
    assert_eq!(hall.try_enter(fixture, of_other).await, Err(EntryRule::IdTaken));
    let other_people = NewPaperBatch { id: new_id, ..hall.batch(&[(1, hall.scene.yes())]) };
    assert_eq!(hall.try_enter(fixture, other_people).await, Err(EntryRule::IdTaken));
    assert_eq!(hall.scene.votes_cast(fixture, hall.round).await, 1);
}

pub async fn a_batch_is_for_people_of_the_register_without_a_vote(fixture: &dyn VotingFixture) {
    let mut hall = Hall::open(fixture, 2, Secrecy::Named).await;
    hall.scene.add_voter(fixture).await;
    let latecomer = hall.batch(&[(0, hall.scene.yes()), (2, hall.scene.yes())]);
    assert_eq!(hall.try_enter(fixture, latecomer).await, Err(EntryRule::NotInRegister(1)));
    vote(fixture, &hall, 0, hall.scene.yes()).await;
    let voted = hall.batch(&[(0, hall.scene.no())]);
    assert_eq!(hall.try_enter(fixture, voted).await, Err(EntryRule::HasVoted(0)));
    fixture.set_voter_active(hall.scene.voters[1], false).await;
    let inactive = hall.batch(&[(1, hall.scene.no())]);
    assert_eq!(hall.try_enter(fixture, inactive).await, Err(EntryRule::NotInRegister(0)));
}

pub async fn somebody_who_may_not_vote_any_more_is_not_counted(fixture: &dyn VotingFixture) {
    let hall = Hall::open(fixture, 2, Secrecy::Named).await;
    let batch = hall.enter(fixture, &[(0, hall.scene.yes()), (1, hall.scene.yes())]).await;
    fixture.set_voter_active(hall.scene.voters[1], false).await;
    let confirmed = hall.confirm(fixture, hall.by_desk(batch)).await.expect("the batch is confirmed");
    let expected = [(hall.scene.voters[0], PaperOutcome::Counted), (hall.scene.voters[1], PaperOutcome::NotInRegister)];
    assert_eq!(outcomes(&confirmed), expected);
}

pub async fn nothing_is_entered_or_confirmed_after_the_end(fixture: &dyn VotingFixture) {
    let hall = Hall::open(fixture, 2, Secrecy::Named).await;
    let batch = hall.enter(fixture, &[(0, hall.scene.yes())]).await;
    hall.scene.end(fixture).await;
    assert_eq!(hall.confirm(fixture, hall.by_desk(batch)).await, Err(ConfirmationRule::NotOpen));
    let late = hall.batch(&[(1, hall.scene.yes())]);
    assert_eq!(hall.try_enter(fixture, late).await, Err(EntryRule::NotOpen));
    assert_eq!(issue(fixture, hall.issued(hall.scene.voters[1])).await, Err(IssueRule::NotOpen));
    assert_eq!(
        hall.scene.open(fixture).await,
        hall.round,
        "a round with a batch that waits is opened again, not replaced"
    );
    hall.confirm(fixture, hall.by_desk(batch)).await.expect("a reopened round takes it");
    assert_eq!(hall.scene.votes_cast(fixture, hall.round).await, 1);
}

pub async fn a_round_in_which_votes_on_paper_wait_is_not_counted(fixture: &dyn VotingFixture) {
    let hall = Hall::open(fixture, 2, Secrecy::Named).await;
    fixture.set_counting_at_end(hall.scene.meeting, true).await;
    vote(fixture, &hall, 1, hall.scene.yes()).await;
    let batch = hall.enter(fixture, &[(0, hall.scene.yes())]).await;
    let left = async || {
        let found = fixture.paper_votes().rounds_with_left_batches(hall.scene.client, hall.scene.meeting).await;
        found.expect("the store answers").into_iter().map(|left| left.round).collect::<Vec<_>>()
    };
    assert_eq!(left().await, [], "it may still be confirmed");
    hall.scene.end(fixture).await;
    assert!(hall.scene.find(fixture, hall.round).await.round.counted_at.is_none(), "it is not counted by itself");
    assert_eq!(left().await, [hall.round]);
    let counted = fixture.results().mark_counted(hall.scene.result_step(hall.round)).await;
    assert!(matches!(counted, Err(ResultStepError::Rule(ResultStepRule::BatchesWaiting))), "{counted:?}");
    hall.discard(fixture, hall.by_desk(batch)).await.expect("it is discarded");
    assert_eq!(left().await, []);
    hall.scene.count(fixture, hall.round).await;
}

pub async fn a_secret_vote_takes_no_paper(fixture: &dyn VotingFixture) {
    let hall = Hall::open(fixture, 5, Secrecy::Unshown).await;
    let scene = &hall.scene;
    let question = scene.add_question(fixture, 2, wording(&scene.ids, QuestionType::YesNo, &["Yes", "No"])).await;
    fixture.set_terms(question, SeedTerms { secrecy: Secrecy::Secret, ..SeedTerms::default() }).await;
    let round = open_question(fixture, scene, question).await;
    let new = NewPaperBatch { round, ..hall.batch(&[(0, scene.yes())]) };
    assert_eq!(hall.try_enter(fixture, new).await, Err(EntryRule::Secret));
}

pub async fn a_round_has_a_largest_number_of_batches(fixture: &dyn VotingFixture) {
    let most = MAX_PAPER_BATCHES as usize;
    let hall = Hall::open(fixture, most + 1, Secrecy::Named).await;
    let batch = hall.enter(fixture, &[(0, hall.scene.yes())]).await;
    hall.discard(fixture, hall.by_desk(batch)).await.expect("it is discarded, and does not count");
    for voter in 0..most {
        hall.enter(fixture, &[(voter, hall.scene.yes())]).await;
    }
    let one_more = hall.batch(&[(most, hall.scene.yes())]);
    assert_eq!(hall.try_enter(fixture, one_more.clone()).await, Err(EntryRule::TooManyBatches));
    let waiting = fixture.paper_votes().batches(hall.scene.client, hall.scene.meeting, hall.round, one_more.by).await;
    let waiting = waiting.expect("the store answers").expect("the round is known");
    hall.discard(fixture, hall.by_desk(waiting[1].id)).await.expect("it is discarded");
    hall.try_enter(fixture, one_more).await.expect("there is room again");
}

pub async fn a_voting_place_gives_ballots_to_whoever_can_vote(fixture: &dyn VotingFixture) {
    let mut hall = Hall::open(fixture, 2, Secrecy::Named).await;
    let ballot = hall.issued(hall.scene.voters[0]);
    assert_eq!(issue(fixture, ballot).await, Ok(()));
    assert_eq!(issue(fixture, ballot).await, Ok(()), "a repeat is no error");
    let other = IssuedBallot { voter: hall.scene.voters[1], ..ballot };
    assert_eq!(issue(fixture, other).await, Err(IssueRule::IdTaken));
    let found = fixture.paper_votes().issued(hall.scene.client, hall.desk, ballot.id).await.expect("the store answers");
    assert_eq!(found.map(|found| (found.voter, found.round)), Some((ballot.voter, hall.round)));
    let elsewhere = fixture.paper_votes().issued(hall.scene.client, DeskId::new(&hall.scene.ids), ballot.id).await;
    assert_eq!(elsewhere.expect("the store answers"), None, "a ballot is of the desk that gave it");
    for _ in 1..MAX_ISSUED_BALLOTS {
        assert_eq!(issue(fixture, hall.issued(hall.scene.voters[0])).await, Ok(()));
    }
    assert_eq!(issue(fixture, hall.issued(hall.scene.voters[0])).await, Err(IssueRule::TooManyBallots));
    assert_eq!(issue(fixture, ballot).await, Ok(()), "a repeat is no error");
    assert_eq!(issue(fixture, hall.issued(hall.scene.voters[1])).await, Ok(()), "the limit is for one person");
    vote(fixture, &hall, 0, hall.scene.yes()).await;
    assert_eq!(issue(fixture, hall.issued(hall.scene.voters[0])).await, Err(IssueRule::HasVoted));
    let latecomer = hall.scene.add_voter(fixture).await;
    assert_eq!(issue(fixture, hall.issued(latecomer)).await, Err(IssueRule::NotInRegister));
}

pub async fn another_clients_batches_look_missing(fixture: &dyn VotingFixture) {
    let hall = Hall::open(fixture, 1, Secrecy::Named).await;
    let batch = hall.enter(fixture, &[(0, hall.scene.yes())]).await;
    let other = Scene::with_voters(fixture, 1).await;
    let teller = Teller::Organizer(other.organizer);
    let (store, at) = (fixture.paper_votes(), other.clock.now());
    let theirs = BatchRequest { client: other.client, ..hall.request(batch, teller) };
    let other_meeting = BatchRequest { client: other.client, meeting: other.meeting, ..theirs };
    for request in [theirs, other_meeting] {
        assert!(store.batch(request).await.expect("the store answers").is_none());
        assert!(matches!(store.confirm(request, at).await, Err(CloseBatchError::NotFound)));
        assert!(matches!(store.discard(request, at).await, Err(CloseBatchError::NotFound)));
    }
    let heads = store.batches(other.client, hall.scene.meeting, hall.round, teller).await;
    assert_eq!(heads.expect("the store answers"), None);
    assert_eq!(store.round(other.client, hall.scene.meeting, hall.round).await.expect("the store answers"), None);
    hall.scene.end(fixture).await;
    let left = store.rounds_with_left_batches(other.client, hall.scene.meeting).await;
    assert_eq!(left.expect("the store answers"), []);
    let new = NewPaperBatch { client: other.client, ..hall.batch(&[(0, hall.scene.yes())]) };
    assert!(matches!(store.enter(new).await, Err(StoreBatchError::RoundNotFound)));
    let ballot = IssuedBallot { client: other.client, ..hall.issued(hall.scene.voters[0]) };
    assert!(matches!(store.issue(ballot).await, Err(IssueError::RoundNotFound)));
}
