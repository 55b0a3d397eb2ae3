//! A person votes on their phone while their vote on paper is confirmed, or gets one ballot twice at once. Each test holds the
//! window open.

use plenum_kernel::Secrecy;
use plenum_kernel::{Clock as _, DeskId, IssuedBallotId, PaperBatchId, RoundId};
use plenum_voting::testkit::contract::{Scene, SeedTerms, VotingFixture};
use plenum_voting::{
    BatchRequest, CastOn, CastOutcome, CloseBatchError, IssueError, IssueRule, IssuedBallot, NewPaperBatch,
    PaperBallot, PaperBatch, PaperOutcome, Teller,
};
use tokio::task::JoinHandle;

use crate::voting_contract::fixture::PostgresVoting;
use crate::voting_contract::held_transaction::HeldTransaction;
use crate::voting_contract::held_windows::{hand_in, held_ballot};

/// An open named round, with a batch that has the vote of the first voter.
struct Hall {
    fixture: PostgresVoting,
    scene: Scene,
    round: RoundId,
    batch: PaperBatchId,
    desk: DeskId,
}

impl Hall {
    async fn open() -> Self {
        let fixture = PostgresVoting::fresh().await;
        let scene = Scene::with_voters(&fixture, 2).await;
        fixture.set_terms(scene.question, SeedTerms { secrecy: Secrecy::Named, ..SeedTerms::default() }).await;
        let round = scene.open(&fixture).await;
        let (batch, desk) = (PaperBatchId::new(&scene.ids), DeskId::new(&scene.ids));
        fixture.add_desk(scene.client, scene.meeting, desk, "Tellers").await;
        let new = NewPaperBatch {
            id: batch,
            client: scene.client,
            meeting: scene.meeting,
            round,
            ballots: vec![PaperBallot { voter: scene.voters[0], answer: scene.no() }],
            by: Teller::Organizer(scene.organizer),
            at: scene.clock.now(),
        };
        fixture.paper_votes().enter(new).await.unwrap();
        Self { fixture, scene, round, batch, desk }
    }

    fn confirm(&self) -> JoinHandle<Result<PaperBatch, CloseBatchError>> {
        let request = BatchRequest {
            client: self.scene.client,
            meeting: self.scene.meeting,
            round: self.round,
            batch: self.batch,
            by: Teller::Desk(self.desk),
        };
        let (store, at) = (self.fixture.paper_votes(), self.scene.clock.now());
        tokio::spawn(async move { store.confirm(request, at).await })
    }

    /// A confirmation that has counted the vote and holds the ballots back, as the store does.
    fn held_confirmation(&self) -> HeldTransaction {
        let confirm = format!(
            "SELECT FROM meetings WHERE id = '{meeting}' FOR UPDATE;
             SELECT pg_advisory_xact_lock(hashtextextended('{round}', 0));
             SELECT FROM rounds WHERE id = '{round}' FOR UPDATE;
             INSERT INTO votes (id, round_id, end_user_id, option_ids, cast_at, cast_on)
                 VALUES (gen_random_uuid(), '{round}', '{voter}', ARRAY['{no}'::uuid], now(), 'PAPER');",
            meeting = self.scene.meeting,
            round = self.round,
            voter = self.scene.voters[0],
            no = self.scene.wording.options[1].id,
        );
        HeldTransaction::begin(self.fixture.database(), &confirm)
    }

    /// Gives the second voter a ballot, while another transaction gives `voter` one with the same id.
    async fn issue_beside(&self, voter: usize) -> Result<(), IssueError> {
        let ballot = IssuedBallot {
            id: IssuedBallotId::new(&self.scene.ids),
            client: self.scene.client,
            meeting: self.scene.meeting,
            round: self.round,
            voter: self.scene.voters[1],
            desk: self.desk,
            at: self.scene.clock.now(),
        };
        let held = format!(
            "INSERT INTO issued_ballots (id, client_id, round_id, end_user_id, desk_id, issued_at)
                 VALUES ('{id}', '{client}', '{round}', '{voter}', '{desk}', now())",
            id = ballot.id,
            client = self.scene.client,
            round = self.round,
            voter = self.scene.voters[voter],
            desk = self.desk,
        );
        let window = HeldTransaction::begin(self.fixture.database(), &held);
        let store = self.fixture.paper_votes();
        let issued = tokio::spawn(async move { store.issue(ballot).await });
        window.until_blocking(&self.fixture, 1).await;
        window.commit();
        issued.await.unwrap()
    }

    fn votes(&self) -> i64 {
        self.fixture.count(&format!("SELECT count(*) FROM votes WHERE round_id = '{}'", self.round))
    }
}

#[tokio::test]
async fn a_confirmation_waits_for_a_ballot_that_is_being_written_and_leaves_it() {
    let hall = Hall::open().await;
    let window = held_ballot(&hall.fixture, &hall.scene, hall.round, hall.scene.voters[0]);
    let confirmed = hall.confirm();
    window.until_blocking(&hall.fixture, 1).await;
    assert!(!confirmed.is_finished());
    window.commit();
    let batch = confirmed.await.unwrap().unwrap();
    assert_eq!((batch.head.counted, batch.ballots[0].outcome), (Some(0), PaperOutcome::VotedBefore));
    assert_eq!(hall.votes(), 1);
}

#[tokio::test]
async fn the_paper_counts_if_the_ballot_fails() {
    let hall = Hall::open().await;
    let window = held_ballot(&hall.fixture, &hall.scene, hall.round, hall.scene.voters[0]);
    let confirmed = hall.confirm();
    window.until_blocking(&hall.fixture, 1).await;
    window.roll_back();
    assert_eq!(confirmed.await.unwrap().unwrap().head.counted, Some(1));
    let late = hall.scene.cast(&hall.fixture, hall.round, hall.scene.voters[0], hall.scene.yes()).await;
    assert!(matches!(&late, CastOutcome::VotedBefore(before) if before.cast_on == Some(CastOn::Paper)), "{late:?}");
    assert_eq!(hall.votes(), 1);
}

#[tokio::test]
async fn a_ballot_that_meets_a_confirmation_waits_and_learns_of_the_paper() {
    let hall = Hall::open().await;
    let window = hall.held_confirmation();
    let phone = hand_in(&hall.fixture, hall.scene.ballot(hall.round, hall.scene.voters[0], hall.scene.yes()));
    window.until_blocking(&hall.fixture, 1).await;
    assert!(!phone.is_finished());
    window.commit();
    let outcome = phone.await.unwrap();
    assert!(
        matches!(&outcome, CastOutcome::VotedBefore(before) if before.cast_on == Some(CastOn::Paper)),
        "{outcome:?}"
    );
    assert_eq!(hall.votes(), 1);
}

/// The confirmation fails after it held the ballot back: the ballot of the phone counts.
#[tokio::test]
async fn a_ballot_counts_if_the_confirmation_fails() {
    let hall = Hall::open().await;
    let window = hall.held_confirmation();
    let phone = hand_in(&hall.fixture, hall.scene.ballot(hall.round, hall.scene.voters[0], hall.scene.yes()));
    window.until_blocking(&hall.fixture, 1).await;
    window.roll_back();
    assert_eq!(phone.await.unwrap(), CastOutcome::Counted);
    let batch = hall.confirm().await.unwrap().unwrap();
    assert_eq!(batch.head.counted, Some(0));
    assert_eq!(hall.votes(), 1);
}

#[tokio::test]
async fn a_ballot_that_is_given_twice_at_once_is_given_once_and_both_succeed() {
    let hall = Hall::open().await;
    hall.issue_beside(1).await.unwrap();
    assert_eq!(hall.fixture.count("SELECT count(*) FROM issued_ballots"), 1);
}

#[tokio::test]
async fn a_ballot_that_meets_another_one_with_its_id_is_refused() {
    let hall = Hall::open().await;
    let refused = hall.issue_beside(0).await;
    assert!(matches!(refused, Err(IssueError::Rule(IssueRule::IdTaken))), "{refused:?}");
}
