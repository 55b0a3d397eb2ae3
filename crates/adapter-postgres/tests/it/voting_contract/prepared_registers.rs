//! Registers that are prepared before their question opens. That an opening registers whoever is eligible at its moment, whatever was
//! prepared, is shown by the contract, which runs with [`PreparedRounds`](crate::voting_contract::prepared_rounds::PreparedRounds), too.

use chrono::TimeDelta;
use plenum_adapter_postgres::{PostgresEndUsers, PostgresPreparedRegisters};
use plenum_clients::EndUserStore as _;
use plenum_kernel::{Clock as _, OptionId, QuestionId, RoundId, Secrecy};
use plenum_meetings::{Meeting, MeetingStore as _};
use plenum_voting::testkit::contract::{Scene, SeedTerms, VotingFixture};
use plenum_voting::{
    CountTaking, PreparedRegisters as _, RegisterPreparation, RoundOpening, RoundOption, UrnKeys as _,
};

use crate::voting_contract::fixture::PostgresVoting;
use crate::voting_contract::held_transaction::HeldTransaction;

const VOTERS: usize = 4;

struct Hall {
    fixture: PostgresVoting,
    scene: Scene,
    /// The id of a preparation.
    prepared: RoundId,
}

impl Hall {
    async fn new() -> Self {
        let fixture = PostgresVoting::fresh().await;
        let scene = Scene::with_voters(&fixture, VOTERS).await;
        let prepared = RoundId::new(&scene.ids);
        Self { fixture, scene, prepared }
    }

    async fn prepare_for(&self, at_least: u64) -> bool {
        let registers = PostgresPreparedRegisters::new(self.fixture.database().db());
        let (meeting, connected) = (self.scene.meeting, vec![self.scene.voters[0]]);
        let preparation = RegisterPreparation { meeting, new_round: self.prepared, connected, at_least };
        registers.prepare(preparation).await.unwrap()
    }

    async fn prepare(&self) -> bool {
        self.prepare_for(0).await
    }

    /// The number of entries under the prepared id for which this holds.
    fn entries(&self, condition: &str) -> i64 {
        self.fixture
            .count(&format!("SELECT count(*) FROM register WHERE round_id = '{}' AND {condition}", self.prepared))
    }

    fn preparations(&self) -> i64 {
        self.fixture.count("SELECT count(*) FROM prepared_registers")
    }

    async fn open(&self) -> RoundId {
        self.scene.open(&self.fixture).await
    }

    /// Opens the question with the first voter connected.
    async fn open_with_the_first(&self) {
        self.scene.clock.advance(TimeDelta::seconds(1));
        let connected = vec![self.scene.voters[0]];
        let opening = RoundOpening { connected, ..self.scene.opening(self.scene.question) };
        self.fixture.rounds().open(opening).await.unwrap();
    }
}

#[tokio::test]
async fn an_opening_takes_prepared_entries_over_and_writes_only_what_changed() {
    let hall = Hall::new().await;
    assert!(hall.prepare().await);
    assert_eq!(hall.entries("added_at = 'epoch'"), 4);
    hall.fixture.count(&format!(
        "WITH heavier AS (UPDATE end_users SET weight = 9 WHERE id = '{}' RETURNING 1) SELECT count(*) FROM heavier",
        hall.scene.voters[3]
    ));

    hall.open_with_the_first().await;

    let rounds = hall.fixture.rounds();
    let round = rounds.last_of_question(hall.scene.client, hall.scene.meeting, hall.scene.question).await.unwrap();
    let round = round.unwrap();
    assert_eq!(round.id, hall.prepared, "the round has the prepared id");
    assert_eq!(hall.preparations(), 0, "a preparation is used once");
    assert_eq!((hall.entries("added_at = 'epoch'"), hall.entries("weight = 9")), (3, 1));
    assert_eq!(hall.entries("was_connected"), 1);
    hall.scene.end(&hall.fixture).await;
    let ended_at = hall.scene.find(&hall.fixture, round.id).await.round.ended_at.unwrap();
    let taking = CountTaking { round: round.id, ended_at };
    let results = hall.fixture.results();
    let papers = results.take_papers(hall.scene.client, hall.scene.meeting, taking).await.unwrap().unwrap();
    assert_eq!(papers.len(), VOTERS);
    assert!(papers.iter().all(|paper| paper.added_at == round.opened_at), "nobody is shown as a latecomer");
}

#[tokio::test]
async fn an_opening_with_check_in_and_a_prepared_register_is_one_entry_of_the_audit_log() {
    let hall = Hall::new().await;
    hall.fixture.set_check_in(hall.scene.meeting, Some(vec![hall.scene.voters[0]])).await;
    assert!(hall.prepare().await);
    assert_eq!(hall.open().await, hall.prepared);
    let entries = |condition: &str| {
        let of_round = format!("subject_id = '{}' AND {condition}", hall.prepared);
        hall.fixture.count(&format!("SELECT count(*) FROM audit_entries WHERE {of_round}"))
    };
    assert_eq!((entries("kind = 'round_opened'"), entries("true")), (1, 1));
}

#[tokio::test]
async fn a_preparation_follows_what_changed_and_keeps_its_id() {
    let mut hall = Hall::new().await;
    assert!(hall.prepare().await);
    let first = hall.prepared;
    let joined = hall.scene.add_voter(&hall.fixture).await;
    hall.prepared = RoundId::new(&hall.scene.ids);
    assert!(hall.prepare().await);
    assert_eq!(hall.entries("true"), 0, "the new id is not used");
    hall.prepared = first;
    assert_eq!((hall.entries("true"), hall.entries(&format!("end_user_id = '{joined}'"))), (5, 1));
}

#[tokio::test]
async fn nothing_is_prepared_where_nothing_can_open_or_little_is_gained() {
    let hall = Hall::new().await;
    assert!(!hall.prepare_for(5).await, "too few people");
    assert!(hall.prepare_for(4).await);
    hall.open().await;
    assert!(!hall.prepare().await, "no question is left");
    assert_eq!(hall.preparations(), 0);

    let hall = Hall::new().await;
    let terms = SeedTerms { secrecy: Secrecy::Secret, ..SeedTerms::default() };
    hall.fixture.set_terms(hall.scene.question, terms).await;
    assert!(!hall.prepare().await, "the id of a secret round comes with its key");

    let hall = Hall::new().await;
    hall.fixture
        .count("WITH ended AS (UPDATE meetings SET status = 'SCHEDULED' RETURNING 1) SELECT count(*) FROM ended");
    assert!(!hall.prepare().await, "the meeting does not run");
}

#[tokio::test]
async fn a_secret_question_leaves_the_preparation_to_the_next_one() {
    let hall = Hall::new().await;
    let mut wording = hall.scene.wording.clone();
    for option in &mut wording.options {
        *option = RoundOption { id: OptionId::new(&hall.scene.ids), ..option.clone() };
    }
    let next = hall.scene.add_question(&hall.fixture, 2, wording).await;
    assert!(hall.prepare().await);
    let terms = SeedTerms { secrecy: Secrecy::Secret, ..SeedTerms::default() };
    hall.fixture.set_terms(hall.scene.question, terms).await;
    let opening = hall.scene.opening(hall.scene.question);
    let id = opening.new_round;
    let key = hall.fixture.urn_keys().prepare(id).await.unwrap();
    hall.fixture.rounds().open(RoundOpening { key: Some(key), accepts_risk: true, ..opening }).await.unwrap();
    assert_eq!(hall.fixture.count(&format!("SELECT count(*) FROM rounds WHERE id = '{id}'")), 1);
    assert_eq!(hall.scene.open_question(&hall.fixture, next).await, hall.prepared);
}

#[tokio::test]
async fn an_opening_does_not_wait_for_a_preparation() {
    let hall = Hall::new().await;
    assert!(hall.prepare().await);
    let preparing = HeldTransaction::begin(hall.fixture.database(), "SELECT FROM prepared_registers FOR UPDATE");
    let round = hall.open().await;
    preparing.roll_back();
    assert_ne!(round, hall.prepared);
    assert_eq!(hall.fixture.count(&format!("SELECT count(*) FROM register WHERE round_id = '{round}'")), 4);
    assert_eq!((hall.preparations(), hall.entries("true")), (1, 4), "it stays for the next opening");
}

#[tokio::test]
async fn one_of_two_preparations_at_a_time_gives_way() {
    let hall = Hall::new().await;
    assert!(hall.prepare().await);
    let other = HeldTransaction::begin(hall.fixture.database(), "SELECT FROM prepared_registers FOR UPDATE");
    assert!(!hall.prepare().await);
    other.roll_back();
    assert!(hall.prepare().await);
}

#[tokio::test]
async fn the_end_of_a_meeting_takes_the_preparation_along() {
    let hall = Hall::new().await;
    assert!(hall.prepare().await);
    let now = hall.scene.clock.now();
    let end = Box::new(move |meeting: &mut Meeting| meeting.end(now));
    hall.fixture.meetings().update(hall.scene.client, hall.scene.meeting, None, end).await.unwrap();
    assert_eq!((hall.preparations(), hall.entries("true")), (0, 0));
}

#[tokio::test]
async fn a_preparation_that_meets_a_step_of_the_meeting_leaves_nothing() {
    let hall = Hall::new().await;
    assert!(hall.prepare().await);
    // As a step that ends the meeting, and has not come to the preparation.
    let step = HeldTransaction::begin(hall.fixture.database(), "SELECT FROM meetings FOR UPDATE");
    let is_prepared = hall.prepare().await;
    step.roll_back();
    assert!(!is_prepared);
    assert_eq!((hall.preparations(), hall.entries("true")), (0, 0));
}

#[tokio::test]
async fn a_deleted_person_is_in_no_prepared_register() {
    let hall = Hall::new().await;
    assert!(hall.prepare().await);
    let gone = hall.scene.voters[1];
    PostgresEndUsers::new(hall.fixture.database().db()).remove(hall.scene.client, gone).await.unwrap();
    assert_eq!((hall.entries("true"), hall.entries(&format!("end_user_id = '{gone}'"))), (3, 0));
}

#[tokio::test]
async fn a_refused_opening_leaves_the_preparation() {
    let hall = Hall::new().await;
    assert!(hall.prepare().await);
    let opening = hall.scene.opening(QuestionId::new(&hall.scene.ids));
    hall.fixture.rounds().open(opening).await.unwrap_err();
    assert_eq!((hall.preparations(), hall.entries("true")), (1, 4));
    assert_eq!(hall.open().await, hall.prepared);
}
