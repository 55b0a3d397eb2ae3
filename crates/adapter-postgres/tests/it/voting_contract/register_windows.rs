//! A person is excluded from an open question, or admitted to its round, while ballots arrive. Each test holds the window
//! open: a ballot in progress, or a change of the register before its log entry.

use plenum_adapter_postgres::PostgresEndUsers;
use plenum_clients::{EndUserStore as _, RemoveEndUserError};
use plenum_kernel::{AccountId, Clock, EndUserId, LogEntryId, RoundId};
use plenum_voting::testkit::contract::{Scene, VotingFixture};
use plenum_voting::{
    AdmitError, CastOutcome, ExcludeError, Exclusion, ExclusionRule, LogEntry, Reason, RegisterChange,
};
use tokio::task::JoinHandle;

use crate::voting_contract::fixture::PostgresVoting;
use crate::voting_contract::held_transaction::HeldTransaction;
use crate::voting_contract::held_windows::{hand_in, held_ballot};

/// A meeting with an open round, and an organizer.
struct Hall {
    fixture: PostgresVoting,
    scene: Scene,
    round: RoundId,
    maria: AccountId,
}

impl Hall {
    async fn with_voters(number: usize) -> Self {
        let fixture = PostgresVoting::fresh().await;
        let scene = Scene::with_voters(&fixture, number).await;
        let maria = AccountId::new(&scene.ids);
        fixture.add_account(scene.client, maria, "Maria", "Keller").await;
        let round = scene.open(&fixture).await;
        Self { fixture, scene, round, maria }
    }

    fn change(&self, end_user: EndUserId) -> RegisterChange {
        let (reason, log_entry) = (Reason::from_stored("Because".to_owned()), LogEntryId::new(&self.scene.ids));
        RegisterChange { end_user, reason, by: self.maria, at: self.scene.clock.now(), log_entry }
    }

    /// Starts to exclude a person.
    fn exclude(&self, voter: EndUserId) -> JoinHandle<Result<Exclusion, ExcludeError>> {
        let (changes, change) = (self.fixture.register_changes(), self.change(voter));
        let Scene { client, meeting, question, .. } = self.scene;
        tokio::spawn(async move { changes.exclude(client, meeting, question, change).await })
    }

    /// Starts to admit a person.
    fn admit(&self, voter: EndUserId) -> JoinHandle<Result<LogEntry, AdmitError>> {
        let (changes, change, round) = (self.fixture.register_changes(), self.change(voter), self.round);
        let Scene { client, meeting, .. } = self.scene;
        tokio::spawn(async move { changes.admit(client, meeting, round, change).await })
    }

    /// Lets changes of the register proceed to their log entry, and no further.
    fn hold_log(&self) -> HeldTransaction {
        HeldTransaction::begin(self.fixture.database(), "LOCK TABLE round_log IN EXCLUSIVE MODE")
    }

    /// Starts to send a vote for yes.
    fn votes(&self, voter: EndUserId) -> JoinHandle<CastOutcome> {
        hand_in(&self.fixture, self.scene.ballot(self.round, voter, self.scene.yes()))
    }

    /// The size of the register by its rows and by the stored total, and the number of votes.
    fn figures(&self) -> (i64, i64, i64) {
        let of_round = |table: &str| format!("SELECT count(*) FROM {table} WHERE round_id = '{}'", self.round);
        let kept = format!("SELECT register_heads::bigint AS count FROM rounds WHERE id = '{}'", self.round);
        let count = |query: &str| self.fixture.count(query);
        (count(&of_round("register")), count(&kept), count(&of_round("votes")))
    }
}

#[tokio::test]
async fn an_exclusion_that_meets_a_ballot_waits_and_is_refused() {
    let hall = Hall::with_voters(2).await;
    let voter = hall.scene.voters[0];
    let ballot = held_ballot(&hall.fixture, &hall.scene, hall.round, voter);
    let excluding = hall.exclude(voter);
    ballot.until_blocking(&hall.fixture, 1).await;
    assert!(!excluding.is_finished());
    ballot.commit();
    let refused = excluding.await.unwrap();
    assert!(matches!(refused, Err(ExcludeError::Rule(ExclusionRule::AlreadyVoted))), "{refused:?}");
    assert_eq!(hall.figures(), (2, 2, 1));
}

#[tokio::test]
async fn an_exclusion_that_meets_a_ballot_that_fails_is_carried_out() {
    let hall = Hall::with_voters(2).await;
    let voter = hall.scene.voters[0];
    let ballot = held_ballot(&hall.fixture, &hall.scene, hall.round, voter);
    let excluding = hall.exclude(voter);
    ballot.until_blocking(&hall.fixture, 1).await;
    ballot.roll_back();
    excluding.await.unwrap().expect("nobody has voted");
    assert_eq!(hall.votes(voter).await.unwrap(), CastOutcome::NotInRegister);
    assert_eq!(hall.figures(), (1, 1, 0));
}

/// The ballot has read the register entry that is being removed. It must neither be counted nor fail, because other ballots
/// are in the same statement.
#[tokio::test]
async fn a_ballot_that_meets_an_exclusion_waits_and_is_refused_and_the_others_are_counted() {
    let hall = Hall::with_voters(3).await;
    let [excluded, second, third] = hall.scene.voters[..] else { panic!("there are three") };
    let window = hall.hold_log();
    let excluding = hall.exclude(excluded);
    window.until_blocking(&hall.fixture, 1).await;
    let refused = hall.votes(excluded);
    window.until_blocking(&hall.fixture, 2).await;
    let counted = [hall.votes(second), hall.votes(third)];
    window.until_blocking(&hall.fixture, 3).await;
    assert!(!refused.is_finished());
    window.commit();
    excluding.await.unwrap().expect("nobody has voted");
    assert_eq!(refused.await.unwrap(), CastOutcome::NotInRegister);
    for answer in counted {
        assert_eq!(answer.await.unwrap(), CastOutcome::Counted);
    }
    assert_eq!(hall.figures(), (2, 2, 2));
}

#[tokio::test]
async fn the_ballot_of_a_latecomer_waits_for_the_admission_and_is_counted() {
    let mut hall = Hall::with_voters(1).await;
    let late = hall.scene.add_voter(&hall.fixture).await;
    let window = hall.hold_log();
    let admitting = hall.admit(late);
    window.until_blocking(&hall.fixture, 1).await;
    let ballot = hall.votes(late);
    window.until_blocking(&hall.fixture, 2).await;
    assert!(!ballot.is_finished());
    window.commit();
    admitting.await.unwrap().expect("the round is open");
    assert_eq!(ballot.await.unwrap(), CastOutcome::Counted);
    assert_eq!(hall.figures(), (2, 2, 1));
}

#[tokio::test]
async fn an_opening_waits_for_the_exclusion_and_leaves_the_person_out() {
    let hall = Hall::with_voters(2).await;
    let (scene, excluded) = (&hall.scene, hall.scene.voters[0]);
    scene.cast(&hall.fixture, hall.round, scene.voters[1], scene.yes()).await;
    scene.end(&hall.fixture).await;
    let meeting = format!("SELECT FROM meetings WHERE id = '{}' FOR UPDATE", scene.meeting);
    let window = HeldTransaction::begin(hall.fixture.database(), &meeting);
    let excluding = hall.exclude(excluded);
    window.until_blocking(&hall.fixture, 1).await;
    let (changes, change) = (hall.fixture.register_changes(), hall.change(excluded));
    let (client, meeting, round) = (scene.client, scene.meeting, hall.round);
    let admitting = tokio::spawn(async move { changes.admit(client, meeting, round, change).await });
    window.until_blocking(&hall.fixture, 2).await;
    window.commit();
    excluding.await.unwrap().expect("no round is open");
    assert!(matches!(admitting.await.unwrap(), Err(AdmitError::Rule(_))), "the round has ended");
    assert_eq!(scene.open(&hall.fixture).await, hall.round);
    assert_eq!(hall.figures(), (1, 1, 1));
}

/// Starts to delete a voter.
fn remove(hall: &Hall, voter: EndUserId) -> JoinHandle<Result<(), RemoveEndUserError>> {
    let (end_users, client) = (PostgresEndUsers::new(hall.fixture.database().db()), hall.scene.client);
    tokio::spawn(async move { end_users.remove(client, voter).await })
}

#[tokio::test]
async fn a_deletion_waits_for_the_opening_and_is_refused() {
    let hall = Hall::with_voters(2).await;
    hall.scene.end(&hall.fixture).await;
    let voter = hall.scene.voters[0];
    let reopen = format!(
        "UPDATE meetings SET step = step + 1 WHERE id = '{}';
         UPDATE rounds SET status = 'OPEN', ended_at = NULL WHERE id = '{}'",
        hall.scene.meeting, hall.round
    );
    let opening = HeldTransaction::begin(hall.fixture.database(), &reopen);
    let removal = remove(&hall, voter);
    opening.until_blocking(&hall.fixture, 1).await;
    assert!(!removal.is_finished());
    opening.commit();
    let refused = removal.await.unwrap();
    assert!(matches!(refused, Err(RemoveEndUserError::VotingNow)), "{refused:?}");
    assert_eq!(hall.votes(voter).await.unwrap(), CastOutcome::Counted);
}

#[tokio::test]
async fn an_opening_waits_for_the_deletion_and_leaves_the_person_out() {
    let hall = Hall::with_voters(2).await;
    hall.scene.end(&hall.fixture).await;
    let voter = hall.scene.voters[0];
    let window = HeldTransaction::begin(hall.fixture.database(), "SELECT FROM end_users FOR UPDATE");
    let removal = remove(&hall, voter);
    window.until_blocking(&hall.fixture, 1).await;
    let (rounds, opening) = (hall.fixture.rounds(), hall.scene.opening(hall.scene.question));
    let opening = tokio::spawn(async move { rounds.open(opening).await });
    window.until_blocking(&hall.fixture, 2).await;
    assert!(!opening.is_finished());
    window.commit();
    removal.await.unwrap().unwrap();
    opening.await.unwrap().unwrap();
    let registered = "SELECT count(*) FROM register JOIN rounds ON rounds.id = round_id WHERE status = 'OPEN'";
    assert_eq!(hall.fixture.count(registered), 1);
}
