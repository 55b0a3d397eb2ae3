//! Starting, answering and ending a rehearsal, and the signals.

use std::sync::Arc;

use chrono::TimeDelta;
use plenum_kernel::testkit::{CountingIds, StillClock};
use plenum_kernel::{AccountId, Clock, EndUserId, MeetingId, PageRequest, PortFailure, RehearsalId};
use plenum_meetings::testkit::contract::{MeetingsFixture, Scene};
use plenum_meetings::testkit::{InMemoryMeetings, MockLiveSignals, MockPresence, MockRehearsalStore};
use plenum_meetings::{
    AnswerRehearsalError, EndRehearsalError, Invitees, Meeting, MeetingStatus, NewRehearsalAnswer, RehearsalFilter,
    RehearsalPorts, RehearsalRule, RehearsalService, RehearsalStatus, RehearsalStep, RehearsalStore, SeeMeetingError,
    StartRehearsalError,
};

/// A scheduled meeting and its organizer.
struct World {
    store: InMemoryMeetings,
    scene: Scene,
    clock: Arc<StillClock>,
    meeting: MeetingId,
    maria: AccountId,
}

impl World {
    async fn with(status: MeetingStatus) -> Self {
        let store = InMemoryMeetings::new();
        let scene = Scene::set(&store).await;
        let meeting = scene.add(&store, Meeting { status, ..scene.draft("General assembly", 1) }).await;
        let maria = AccountId::new(&scene.ids);
        store.add_account(scene.client.id, maria, "Maria", "Keller").await;
        Self { store, scene, clock: Arc::new(StillClock::new()), meeting, maria }
    }

    /// A service that must send this many signals, while these voters are connected.
    fn service(&self, signals_sent: usize, connected: &[EndUserId]) -> RehearsalService {
        self.service_over(self.store.rehearsals(), signals_sent, connected)
    }

    fn service_over(
        &self,
        rehearsals: Arc<dyn RehearsalStore>,
        signals_sent: usize,
        connected: &[EndUserId],
    ) -> RehearsalService {
        let (meeting, connected) = (self.meeting, connected.to_vec());
        let mut signals = MockLiveSignals::new();
        signals.expect_meeting_changed().withf(move |changed| *changed == meeting).times(signals_sent).return_const(());
        let mut presence = MockPresence::new();
        presence.expect_connected().withf(move |asked| *asked == meeting).returning(move |_| connected.clone());
        RehearsalService::new(RehearsalPorts {
            rehearsals,
            voter_meetings: self.store.voter_meetings(),
            signals: Arc::new(signals),
            presence: Arc::new(presence),
            clock: Arc::clone(&self.clock) as Arc<dyn Clock>,
            ids: Arc::new(CountingIds::new()),
        })
    }
}

#[tokio::test]
async fn start_end_and_removal_are_announced_and_answers_are_not() {
    let world = World::with(MeetingStatus::Scheduled).await;
    let ada = world.scene.add_person(&world.store, "Ada", true).await;
    let ben = world.scene.add_person(&world.store, "Ben", true).await;
    let (owner, meeting) = (world.scene.client.id, world.meeting);
    let service = world.service(3, &[ben]);
    let started = service.start(owner, meeting, world.maria).await.unwrap();
    assert_eq!((started.started_at, started.started_by.as_str()), (world.clock.now(), "Maria Keller"));
    world.clock.advance(TimeDelta::milliseconds(250));
    let answer =
        |step| NewRehearsalAnswer { client: owner, voter: ada, meeting, rehearsal: started.id, step, can_seal: None };
    service.answer(answer(RehearsalStep::Received)).await.unwrap();
    world.clock.advance(TimeDelta::seconds(1));
    service.answer(answer(RehearsalStep::Answered)).await.unwrap();
    let filter = RehearsalFilter {
        search: None,
        statuses: &RehearsalStatus::ALL,
        can_seal: None,
        page: PageRequest { page: 1, page_size: 50 },
    };
    let report = service.report(owner, meeting, &filter).await.unwrap().unwrap();
    let seen: Vec<_> = report.page.rows.iter().map(|person| (person.status(), person.signs.answered_ms)).collect();
    assert_eq!(seen, [(RehearsalStatus::Answered, Some(1_250)), (RehearsalStatus::Connected, None)]);
    assert_eq!(report.received.max_ms, Some(250));
    assert_eq!(service.end(owner, meeting).await.unwrap().ended_at, Some(world.clock.now()));
    service.discard(owner, meeting).await.unwrap();
    assert_eq!(service.report(owner, meeting, &filter).await.unwrap().unwrap().rehearsal, None);
}

#[tokio::test]
async fn refused_changes_are_not_announced() {
    let world = World::with(MeetingStatus::Draft).await;
    let (owner, meeting) = (world.scene.client.id, world.meeting);
    let service = world.service(0, &[]);
    let refused = service.start(owner, meeting, world.maria).await;
    assert!(matches!(refused, Err(StartRehearsalError::Rule(RehearsalRule::NotRehearsable))), "{refused:?}");
    let refused = service.end(owner, meeting).await;
    assert!(matches!(refused, Err(EndRehearsalError::NoRehearsal)), "{refused:?}");
    let refused = service.discard(owner, meeting).await;
    assert!(matches!(refused, Err(EndRehearsalError::NoRehearsal)), "{refused:?}");
}

#[tokio::test]
async fn a_refused_answer_gets_its_reason() {
    let world = World::with(MeetingStatus::Scheduled).await;
    let ada = world.scene.add_person(&world.store, "Ada", true).await;
    let ben = world.scene.add_person(&world.store, "Ben", true).await;
    let (owner, meeting) = (world.scene.client.id, world.meeting);
    let service = world.service(2, &[]);
    let started = service.start(owner, meeting, world.maria).await.unwrap();
    let invitees = Invitees::These(vec![ada]);
    world.store.participants().invite(owner, meeting, invitees).await.unwrap();
    let answer = async |voter, meeting, rehearsal| {
        let step = RehearsalStep::Received;
        service
            .answer(NewRehearsalAnswer { client: owner, voter, meeting, rehearsal, step, can_seal: None })
            .await
            .unwrap_err()
    };
    let refused = answer(ben, meeting, started.id).await;
    assert!(matches!(refused, AnswerRehearsalError::Meeting(SeeMeetingError::NotInvited)), "{refused:?}");
    let refused = answer(ada, MeetingId::new(&world.scene.ids), started.id).await;
    assert!(matches!(refused, AnswerRehearsalError::Meeting(SeeMeetingError::NotFound)), "{refused:?}");
    let refused = answer(ada, meeting, RehearsalId::new(&world.scene.ids)).await;
    assert!(matches!(refused, AnswerRehearsalError::Over), "{refused:?}");
    service.end(owner, meeting).await.unwrap();
    let refused = answer(ada, meeting, started.id).await;
    assert!(matches!(refused, AnswerRehearsalError::Over), "{refused:?}");
}

#[tokio::test]
async fn a_failed_store_announces_nothing() {
    let world = World::with(MeetingStatus::Scheduled).await;
    let mut store = MockRehearsalStore::new();
    store.expect_start().returning(|_| Err(PortFailure::new("the store", "gone").into()));
    store.expect_answer().returning(|_| Err(PortFailure::new("the store", "gone")));
    let service = world.service_over(Arc::new(store), 0, &[]);
    let (owner, meeting) = (world.scene.client.id, world.meeting);
    let failed = service.start(owner, meeting, world.maria).await;
    assert!(matches!(failed, Err(StartRehearsalError::Port(_))), "{failed:?}");
    let (voter, rehearsal) = (EndUserId::new(&world.scene.ids), RehearsalId::new(&world.scene.ids));
    let step = RehearsalStep::Received;
    let failed =
        service.answer(NewRehearsalAnswer { client: owner, voter, meeting, rehearsal, step, can_seal: None }).await;
    assert!(matches!(failed, Err(AnswerRehearsalError::Meeting(SeeMeetingError::Port(_)))), "{failed:?}");
}
