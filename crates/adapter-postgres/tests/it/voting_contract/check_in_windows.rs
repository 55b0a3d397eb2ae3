//! A person comes or goes while a question is being opened, and two desks have one person. Each test holds the window open.

use plenum_adapter_postgres::{PostgresCheckIns, PostgresDesks};
use plenum_kernel::{Clock as _, DeskId, EndUserId, PresenceEntryId};
use plenum_meetings::{
    CheckInStore as _, DeskName, DeskPurpose, DeskStore as _, DeskTokenHash, NewDesk, NewPresence, NotePresenceError,
    PresenceBy, PresenceKind, PresenceOutcome,
};
use plenum_voting::testkit::contract::{Scene, VotingFixture};
use tokio::task::JoinHandle;

use crate::voting_contract::fixture::PostgresVoting;
use crate::voting_contract::held_transaction::HeldTransaction;

/// A meeting with check-in, a desk, and three voters of whom the first is in.
struct Hall {
    fixture: PostgresVoting,
    scene: Scene,
    desk: DeskId,
}

impl Hall {
    async fn open() -> Self {
        let fixture = PostgresVoting::fresh().await;
        let scene = Scene::with_voters(&fixture, 3).await;
        fixture.set_check_in(scene.meeting, Some(vec![scene.voters[0]])).await;
        let desk = DeskId::new(&scene.ids);
        let new = NewDesk {
            id: desk,
            client: scene.client,
            meeting: scene.meeting,
            name: DeskName::parse("Desk 1").unwrap(),
            purpose: DeskPurpose::CheckIn,
            token_hash: DeskTokenHash(vec![1]),
            now: scene.clock.now(),
            by: scene.organizer,
        };
        PostgresDesks::new(fixture.database().db()).add(new).await.unwrap();
        Self { fixture, scene, desk }
    }

    fn note(&self, person: EndUserId, kind: PresenceKind) -> JoinHandle<Result<PresenceOutcome, NotePresenceError>> {
        let store = PostgresCheckIns::new(self.fixture.database().db());
        let new = NewPresence {
            id: PresenceEntryId::new(&self.scene.ids),
            client: self.scene.client,
            meeting: self.scene.meeting,
            end_user: person,
            kind,
            happened_at: None,
            // The entry of the fixture may be later: then it has the same time.
            now: self.scene.clock.now(),
            by: PresenceBy::Desk(self.desk),
        };
        tokio::spawn(async move { store.note(new).await })
    }

    /// Lets an opening proceed to its log entry, and no further.
    fn hold_log(&self) -> HeldTransaction {
        HeldTransaction::begin(self.fixture.database(), "LOCK TABLE round_log IN EXCLUSIVE MODE")
    }

    /// Lets a check-in proceed to its entry, and no further.
    fn hold_entries(&self) -> HeldTransaction {
        HeldTransaction::begin(self.fixture.database(), "LOCK TABLE presence_entries IN SHARE ROW EXCLUSIVE MODE")
    }

    fn opens(&self) -> JoinHandle<Result<(), plenum_voting::OpenRoundError>> {
        let (rounds, opening) = (self.fixture.rounds(), self.scene.opening(self.scene.question));
        tokio::spawn(async move { rounds.open(opening).await })
    }

    /// The register, the absent people, and those who are present.
    fn figures(&self) -> (i64, i64, i64, i64) {
        let of_meeting = format!("WHERE meeting_id = '{}'", self.scene.meeting);
        let count = |query: String| self.fixture.count(&query);
        (
            count(format!("SELECT count(*) FROM register WHERE round_id IN (SELECT id FROM rounds {of_meeting})")),
            count(format!("SELECT coalesce(sum(register_heads), 0) AS count FROM rounds {of_meeting}")),
            count(format!("SELECT coalesce(sum(absent_heads), 0) AS count FROM rounds {of_meeting}")),
            count(format!("SELECT count(*) FROM people_present {of_meeting}")),
        )
    }
}

#[tokio::test]
async fn a_check_out_that_meets_an_opening_waits_and_the_register_has_the_person() {
    let hall = Hall::open().await;
    let window = hall.hold_log();
    let opening = hall.opens();
    window.until_blocking(&hall.fixture, 1).await;
    let going = hall.note(hall.scene.voters[0], PresenceKind::Out);
    window.until_blocking(&hall.fixture, 2).await;
    assert!(!going.is_finished());
    window.commit();
    opening.await.unwrap().expect("the question opens");
    assert!(going.await.unwrap().unwrap().is_change());
    assert_eq!(hall.figures(), (1, 1, 2, 0));
}

#[tokio::test]
async fn an_opening_that_meets_a_check_out_waits_and_the_register_does_not_have_the_person() {
    let hall = Hall::open().await;
    let window = hall.hold_entries();
    let going = hall.note(hall.scene.voters[0], PresenceKind::Out);
    window.until_blocking(&hall.fixture, 1).await;
    let opening = hall.opens();
    window.until_blocking(&hall.fixture, 2).await;
    assert!(!opening.is_finished());
    window.commit();
    assert!(going.await.unwrap().unwrap().is_change());
    opening.await.unwrap().expect("the question opens");
    assert_eq!(hall.figures(), (0, 0, 3, 0));
}

#[tokio::test]
async fn two_desks_with_one_person_make_one_entry_and_the_other_is_told() {
    let hall = Hall::open().await;
    let person = hall.scene.voters[1];
    let window = hall.hold_entries();
    let one = hall.note(person, PresenceKind::In);
    window.until_blocking(&hall.fixture, 1).await;
    let other = hall.note(person, PresenceKind::In);
    window.until_blocking(&hall.fixture, 2).await;
    window.commit();
    let PresenceOutcome::Noted(came) = one.await.unwrap().unwrap() else { panic!("nobody else was there") };
    assert_eq!(other.await.unwrap().unwrap(), PresenceOutcome::AlreadyIn(came));
    assert_eq!(hall.figures().3, 2);
}
