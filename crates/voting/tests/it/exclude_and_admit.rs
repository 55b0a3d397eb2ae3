//! Exclusions from questions, admissions to running rounds, and the signals.

use std::sync::Arc;

use plenum_kernel::testkit::{CountingIds, StillClock};
use plenum_kernel::{AccountId, EndUserId};
use plenum_voting::testkit::contract::{Scene, VotingFixture};
use plenum_voting::testkit::{InMemoryVoting, MockVotingSignals};
use plenum_voting::{
    AdmissionRule, AdmitError, ExcludeError, ExclusionRule, LiftExclusionError, LogKind, Reason, RegisterChangeRequest,
    RegisterService,
};

/// A meeting with two voters, and an account.
struct Hall {
    store: InMemoryVoting,
    scene: Scene,
    maria: AccountId,
}

impl Hall {
    async fn new() -> Self {
        let store = InMemoryVoting::new();
        let scene = Scene::with_voters(&store, 2).await;
        let maria = AccountId::new(&scene.ids);
        store.add_account(scene.client, maria, "Maria", "Keller").await;
        Self { store, scene, maria }
    }

    /// Announces changes of the meeting this often.
    fn keeping(&self, announced: usize) -> RegisterService {
        let (mut signals, meeting) = (MockVotingSignals::new(), self.scene.meeting);
        signals.expect_meeting_changed().withf(move |changed| *changed == meeting).times(announced).return_const(());
        RegisterService::new(
            self.store.register_changes(),
            Arc::new(signals),
            Arc::new(StillClock::new()),
            Arc::new(CountingIds::new()),
        )
    }

    /// A request of Maria that concerns this voter.
    fn request(&self, voter: EndUserId) -> RegisterChangeRequest {
        RegisterChangeRequest { end_user: voter, reason: reason(), by: self.maria }
    }

    async fn exclude(&self, keeping: &RegisterService, voter: EndUserId) -> Result<(), ExcludeError> {
        let Scene { client, meeting, question, .. } = self.scene;
        keeping.exclude(client, meeting, question, self.request(voter)).await.map(drop)
    }
}

fn reason() -> Reason {
    Reason::from_stored("Because".to_owned())
}

#[tokio::test]
async fn an_exclusion_is_announced_and_one_that_is_refused_is_not() {
    let hall = Hall::new().await;
    let keeping = hall.keeping(1);
    hall.exclude(&keeping, hall.scene.voters[0]).await.unwrap();
    let refused = hall.exclude(&keeping, hall.scene.voters[0]).await;
    assert!(matches!(refused, Err(ExcludeError::Rule(ExclusionRule::AlreadyExcluded))), "{refused:?}");
}

#[tokio::test]
async fn a_lifted_exclusion_is_announced_and_a_missing_one_is_not() {
    let hall = Hall::new().await;
    hall.exclude(&hall.keeping(1), hall.scene.voters[0]).await.unwrap();
    let keeping = hall.keeping(1);
    let Scene { client, meeting, question, .. } = hall.scene;
    keeping.lift(client, meeting, question, hall.scene.voters[0]).await.unwrap();
    assert_eq!(keeping.exclusions(client, meeting, question).await.unwrap(), Some(vec![]));
    let refused = keeping.lift(client, meeting, question, hall.scene.voters[0]).await;
    assert!(matches!(refused, Err(LiftExclusionError::NotExcluded)), "{refused:?}");
}

#[tokio::test]
async fn an_admission_is_announced_and_one_that_is_refused_is_not() {
    let mut hall = Hall::new().await;
    let round = hall.scene.open(&hall.store).await;
    let late = hall.scene.add_voter(&hall.store).await;
    let keeping = hall.keeping(1);
    let Scene { client, meeting, .. } = hall.scene;
    let entry = keeping.admit(client, meeting, round, hall.request(late)).await.unwrap();
    assert_eq!((entry.kind, entry.by.as_deref()), (LogKind::Admitted, Some("Maria Keller")));
    let refused = keeping.admit(client, meeting, round, hall.request(late)).await;
    assert!(matches!(refused, Err(AdmitError::Rule(AdmissionRule::AlreadyInRegister))), "{refused:?}");
}
