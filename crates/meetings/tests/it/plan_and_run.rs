//! Planning, starting and ending meetings, and the signals.

use std::sync::Arc;

use plenum_kernel::testkit::{CountingIds, CountingSecrets, StillClock};
use plenum_kernel::{AccountId, Clock, DecisionRule, Majority, MeetingId, Secrecy, Step, Units};
use plenum_meetings::testkit::contract::{MeetingsFixture, Scene};
use plenum_meetings::testkit::{InMemoryMeetings, MockLiveSignals, MockMeetingStore, MockVoterMeetings};
use plenum_meetings::{
    AddQuestionError, AgendaService, AnswerForm, CheckIn, CopyPlan, Meeting, MeetingChanges, MeetingPorts, MeetingRule,
    MeetingService, MeetingStatus, MeetingTitle, MeetingUpdate, NewMeeting, NewQuestion, QuestionText, QuestionWeights,
    StartRequest, UpdateMeetingError,
};

/// Fails the test when anything is announced.
fn silence() -> MockLiveSignals {
    MockLiveSignals::new()
}

fn announcements(of: MeetingId, number: usize) -> MockLiveSignals {
    let mut signals = MockLiveSignals::new();
    signals.expect_meeting_changed().withf(move |changed| *changed == of).times(number).return_const(());
    signals
}

fn service(store: &InMemoryMeetings, signals: MockLiveSignals) -> MeetingService {
    MeetingService::new(MeetingPorts {
        meetings: store.meetings(),
        voter_meetings: store.voter_meetings(),
        signals: Arc::new(signals),
        clock: Arc::new(StillClock::new()),
        ids: Arc::new(CountingIds::new()),
        secrets: Arc::new(CountingSecrets::default()),
    })
}

fn seen(step: Step) -> StartRequest {
    StartRequest { seen: Some(step), ..StartRequest::default() }
}

fn organizer(scene: &Scene) -> AccountId {
    AccountId::new(&scene.ids)
}

async fn add(store: &InMemoryMeetings, scene: &Scene, status: MeetingStatus) -> MeetingId {
    scene.add(store, Meeting { status, ..scene.draft("General assembly", 1) }).await
}

#[tokio::test]
async fn start_and_end_are_announced_after_they_are_stored() {
    let store = InMemoryMeetings::new();
    let scene = Scene::set(&store).await;
    let id = scene.add_draft(&store).await;
    let meetings = service(&store, announcements(id, 2));
    assert_eq!(
        meetings.start(scene.client.id, id, StartRequest::default()).await.unwrap().status,
        MeetingStatus::Active
    );
    let ended = meetings.end(scene.client.id, id, organizer(&scene), None).await.unwrap();
    assert_eq!((ended.status, ended.ended_at), (MeetingStatus::Completed, Some(scene.clock.now())));
    assert_eq!(scene.find(&store, id).await.meeting, ended);
}

#[tokio::test]
async fn a_refused_start_is_not_announced() {
    let store = InMemoryMeetings::new();
    let scene = Scene::set(&store).await;
    let meetings = service(&store, silence());
    for (status, rule) in [
        (MeetingStatus::Completed, MeetingRule::RestartUnconfirmed),
        (MeetingStatus::Cancelled, MeetingRule::NotStartable),
    ] {
        let id = add(&store, &scene, status).await;
        let refused = meetings.start(scene.client.id, id, StartRequest::default()).await;
        assert!(matches!(refused, Err(UpdateMeetingError::Rule(found)) if found == rule), "{refused:?}");
        let refused = meetings.end(scene.client.id, id, organizer(&scene), None).await;
        assert!(matches!(refused, Err(UpdateMeetingError::Rule(MeetingRule::NotActive))), "{refused:?}");
    }
    let unknown = meetings.start(scene.client.id, MeetingId::new(&scene.ids), StartRequest::default()).await;
    assert!(matches!(unknown, Err(UpdateMeetingError::NotFound)));
}

#[tokio::test]
async fn a_confirmed_restart_is_announced() {
    let store = InMemoryMeetings::new();
    let scene = Scene::set(&store).await;
    let id = add(&store, &scene, MeetingStatus::Completed).await;
    let confirmed = StartRequest { confirms_restart: true, ..StartRequest::default() };
    let started = service(&store, announcements(id, 1)).start(scene.client.id, id, confirmed).await.unwrap();
    assert_eq!(started.status, MeetingStatus::Active);
    assert_eq!(store.closings(id).await.len(), 1);
}

#[tokio::test]
async fn a_step_on_an_older_state_is_refused_and_not_announced() {
    let store = InMemoryMeetings::new();
    let scene = Scene::set(&store).await;
    let id = add(&store, &scene, MeetingStatus::Scheduled).await;
    let first = service(&store, announcements(id, 1)).start(scene.client.id, id, seen(Step(0))).await.unwrap();
    assert_eq!(first.step, Step(1));
    let refused = service(&store, silence()).end(scene.client.id, id, organizer(&scene), Some(Step(0))).await;
    assert!(matches!(refused, Err(UpdateMeetingError::Rule(MeetingRule::StaleStep))), "{refused:?}");
    let changes = MeetingChanges { status: Some(MeetingStatus::Cancelled), ..MeetingChanges::default() };
    let update = MeetingUpdate { seen: Some(Step(0)), changes, ..MeetingUpdate::default() };
    let refused = service(&store, silence()).change(scene.client.id, id, update).await;
    assert!(matches!(refused, Err(UpdateMeetingError::Rule(MeetingRule::StaleStep))), "{refused:?}");
    assert_eq!(scene.find(&store, id).await.meeting, first);
    // Another title is no step.
    let changes = MeetingChanges { title: Some(MeetingTitle::parse("Other").unwrap()), ..MeetingChanges::default() };
    let update = MeetingUpdate { seen: Some(Step(0)), changes, ..MeetingUpdate::default() };
    let renamed = service(&store, announcements(id, 1)).change(scene.client.id, id, update).await;
    assert_eq!(renamed.unwrap().step, Step(1));
}

#[tokio::test]
async fn a_client_without_a_response_may_repeat_a_start_or_an_end() {
    let store = InMemoryMeetings::new();
    let scene = Scene::set(&store).await;
    let id = scene.add_draft(&store).await;
    let meetings = service(&store, announcements(id, 4));
    for _ in 0..2 {
        meetings.start(scene.client.id, id, seen(Step(0))).await.unwrap();
    }
    for _ in 0..2 {
        let ended = meetings.end(scene.client.id, id, organizer(&scene), Some(Step(1))).await.unwrap();
        assert_eq!((ended.status, ended.step), (MeetingStatus::Completed, Step(2)));
    }
    let refused = meetings.end(scene.client.id, id, organizer(&scene), Some(Step(2))).await;
    assert!(matches!(refused, Err(UpdateMeetingError::Rule(MeetingRule::NotActive))), "{refused:?}");
}

#[tokio::test]
async fn a_refused_change_is_not_announced() {
    let store = InMemoryMeetings::new();
    let scene = Scene::set(&store).await;
    let id = scene.add_draft(&store).await;
    let before = scene.find(&store, id).await;
    let changes = MeetingChanges {
        title: Some(MeetingTitle::parse("Other").unwrap()),
        scheduled_end: Some(before.meeting.schedule.start()),
        ..MeetingChanges::default()
    };
    let update = MeetingUpdate { changes, ..MeetingUpdate::default() };
    let refused = service(&store, silence()).change(scene.client.id, id, update).await;
    assert!(matches!(refused, Err(UpdateMeetingError::Rule(MeetingRule::EndsBeforeItStarts))), "{refused:?}");
    assert_eq!(scene.find(&store, id).await, before);
}

#[tokio::test]
async fn a_change_is_announced() {
    let store = InMemoryMeetings::new();
    let scene = Scene::set(&store).await;
    let id = scene.add_draft(&store).await;
    let changes = MeetingChanges { status: Some(MeetingStatus::Scheduled), ..MeetingChanges::default() };
    let update = MeetingUpdate { changes, ..MeetingUpdate::default() };
    let changed = service(&store, announcements(id, 1)).change(scene.client.id, id, update).await.unwrap();
    assert_eq!(changed.status, MeetingStatus::Scheduled);
}

#[tokio::test]
async fn a_new_meeting_is_shown_with_its_counts() {
    let store = InMemoryMeetings::new();
    // It runs from the beginning.
    let mut signals = MockLiveSignals::new();
    signals.expect_meeting_changed().once().return_const(());
    let scene = Scene::set(&store).await;
    scene.add_person(&store, "Anna", true).await;
    let draft = scene.draft("General assembly", 1);
    let new = NewMeeting {
        title: draft.title,
        description: None,
        schedule: draft.schedule,
        status: MeetingStatus::Active,
        max_participants: None,
        is_recurring: false,
        recurring_pattern: None,
        quorum: None,
        counts_surveys_at_end: true,
        groups: Vec::new(),
        weight_kind: None,
        check_in: CheckIn::Off,
        self_check_in: false,
        agenda: vec![new_question(QuestionText::parse("Agreed?").unwrap(), AnswerForm::OpenText)],
    };
    let added = service(&store, signals).add(scene.client.id, new).await.unwrap();
    assert_eq!((added.participant_count, added.question_count), (1, 1));
    assert_eq!(added.meeting.started_at, Some(scene.clock.now()));
}

#[tokio::test]
async fn a_meeting_with_a_rule_that_cannot_decide_its_question_is_not_created() {
    let store = InMemoryMeetings::new();
    let scene = Scene::set(&store).await;
    let draft = scene.draft("General assembly", 1);
    let question = |decision_rule| NewQuestion {
        decision_rule,
        ..new_question(QuestionText::parse("Agreed?").unwrap(), AnswerForm::OpenText)
    };
    let new = NewMeeting {
        title: draft.title,
        description: None,
        schedule: draft.schedule,
        status: MeetingStatus::Draft,
        max_participants: None,
        is_recurring: false,
        recurring_pattern: None,
        quorum: None,
        counts_surveys_at_end: true,
        groups: Vec::new(),
        weight_kind: None,
        check_in: CheckIn::Off,
        self_check_in: false,
        agenda: vec![question(None), question(Some(DecisionRule::Majority(Majority::simple(Units::Heads))))],
    };
    let meetings = service(&store, silence());
    let refused = meetings.add(scene.client.id, new).await;
    let is_named = |field: &str| field == "questions.1.decisionRule";
    assert!(matches!(&refused, Err(UpdateMeetingError::Agenda { field, .. }) if is_named(field)), "{refused:?}");
    assert_eq!(meetings.stats(scene.client.id).await.unwrap().total, 0);
}

#[tokio::test]
async fn a_copy_is_a_draft_without_a_past() {
    let store = InMemoryMeetings::new();
    let scene = Scene::set(&store).await;
    let original = Meeting { is_second_call: true, ..scene.draft("General assembly", 1) };
    let id = scene.add(&store, Meeting { status: MeetingStatus::Completed, ..original }).await;
    let next = scene.draft("Next assembly", 30);
    let plan = CopyPlan { title: next.title.clone(), schedule: next.schedule };
    let copy = service(&store, silence()).copy(scene.client.id, id, plan).await.unwrap().meeting;
    assert_ne!(copy.id, id);
    assert_eq!((copy.title, copy.schedule, copy.status), (next.title, next.schedule, MeetingStatus::Draft));
    assert_eq!((copy.closing_hash, copy.invitation_link, copy.started_at), (None, None, None));
    assert!(!copy.is_second_call, "otherwise the lower quorum would apply");
}

#[tokio::test]
async fn an_invitation_link_is_made_once() {
    let store = InMemoryMeetings::new();
    let scene = Scene::set(&store).await;
    let id = scene.add_draft(&store).await;
    let planning = service(&store, silence());
    let link = planning.invitation_link(scene.client.id, id).await.unwrap();
    assert_eq!(planning.invitation_link(scene.client.id, id).await.unwrap(), link);
    let target = planning.find_by_link(&link).await.unwrap().unwrap();
    assert_eq!((target.meeting.id, target.client), (id, scene.client.clone()));
}

#[tokio::test]
async fn the_link_of_a_meeting_that_is_over_or_cancelled_is_void() {
    for status in [MeetingStatus::Completed, MeetingStatus::Cancelled] {
        let store = InMemoryMeetings::new();
        let scene = Scene::set(&store).await;
        let id = scene.add_draft(&store).await;
        let planning = service(&store, announcements(id, 1));
        let link = planning.invitation_link(scene.client.id, id).await.unwrap();
        let changes = MeetingChanges { status: Some(status), ..MeetingChanges::default() };
        let update = MeetingUpdate { changes, ..MeetingUpdate::default() };
        planning.change(scene.client.id, id, update).await.unwrap();
        assert_eq!(planning.find_by_link(&link).await.unwrap(), None);
        let refused = planning.invitation_link(scene.client.id, id).await;
        assert!(matches!(refused, Err(UpdateMeetingError::Rule(MeetingRule::LinkIsVoid))), "{refused:?}");
    }
}

#[tokio::test]
async fn a_garbled_link_is_not_looked_up() {
    // A store that fails the test if it is called.
    let planning = MeetingService::new(MeetingPorts {
        meetings: Arc::new(MockMeetingStore::new()),
        voter_meetings: Arc::new(MockVoterMeetings::new()),
        signals: Arc::new(silence()),
        clock: Arc::new(StillClock::new()),
        ids: Arc::new(CountingIds::new()),
        secrets: Arc::new(CountingSecrets::default()),
    });
    assert_eq!(planning.find_by_link("a\0b").await.unwrap(), None);
}

fn agenda(store: &InMemoryMeetings, signals: MockLiveSignals) -> AgendaService {
    AgendaService::new(store.questions(), Arc::new(signals), Arc::new(StillClock::new()), Arc::new(CountingIds::new()))
}

fn new_question(text: QuestionText, form: AnswerForm) -> NewQuestion {
    NewQuestion {
        text,
        form,
        is_required: true,
        decision_rule: None,
        quorum: None,
        secrecy: Secrecy::Unshown,
        counts_heads: false,
        groups: Vec::new(),
        weights: QuestionWeights::default(),
    }
}

#[tokio::test]
async fn a_new_question_goes_to_the_end_of_the_agenda_and_is_announced() {
    let store = InMemoryMeetings::new();
    let scene = Scene::set(&store).await;
    let meeting_id = scene.add_draft(&store).await;
    let agenda = agenda(&store, announcements(meeting_id, 2));
    for (form, position) in [(AnswerForm::Rating { max: 10 }, 1), (AnswerForm::OpenText, 2)] {
        let text = QuestionText::parse("How was it?").unwrap();
        let question = agenda.add(scene.client.id, meeting_id, new_question(text, form)).await.unwrap();
        assert_eq!(question.position, position);
    }
    let listed = agenda.list(scene.client.id, meeting_id).await.unwrap().unwrap();
    assert_eq!(listed.iter().map(|question| question.rating_max).collect::<Vec<_>>(), [Some(10), None]);
}

#[tokio::test]
async fn a_question_for_another_clients_meeting_is_refused_and_not_announced() {
    let store = InMemoryMeetings::new();
    let (scene, stranger) = (Scene::set(&store).await, Scene::set(&store).await);
    let meeting_id = scene.add_draft(&store).await;
    let text = QuestionText::parse("How was it?").unwrap();
    let new = new_question(text, AnswerForm::OpenText);
    let refused = agenda(&store, silence()).add(stranger.client.id, meeting_id, new).await;
    assert!(matches!(refused, Err(AddQuestionError::MeetingNotFound)), "{refused:?}");
}

#[tokio::test]
async fn a_voter_who_is_not_invited_cannot_see_the_meeting() {
    use plenum_meetings::{Invitees, SeeMeetingError};

    let store = InMemoryMeetings::new();
    let scene = Scene::set(&store).await;
    let anna = scene.add_person(&store, "Anna", true).await;
    let bert = scene.add_person(&store, "Bert", true).await;
    let id = add(&store, &scene, MeetingStatus::Scheduled).await;
    store.participants().invite(scene.client.id, id, Invitees::These(vec![anna])).await.unwrap();
    let meetings = service(&store, silence());
    assert_eq!(meetings.find_for_voter(scene.client.id, anna, id).await.unwrap().meeting.id, id);
    let refused = meetings.find_for_voter(scene.client.id, bert, id).await;
    assert!(matches!(refused, Err(SeeMeetingError::NotInvited)), "{refused:?}");
    let unknown = meetings.find_for_voter(scene.client.id, anna, MeetingId::new(&scene.ids)).await;
    assert!(matches!(unknown, Err(SeeMeetingError::NotFound)));
}

#[tokio::test]
async fn an_invited_voter_learns_that_a_draft_is_not_open_yet_and_others_nothing() {
    use plenum_meetings::{Invitees, SeeMeetingError};

    let store = InMemoryMeetings::new();
    let scene = Scene::set(&store).await;
    let anna = scene.add_person(&store, "Anna", true).await;
    let bert = scene.add_person(&store, "Bert", true).await;
    let id = scene.add_draft(&store).await;
    store.participants().invite(scene.client.id, id, Invitees::These(vec![anna])).await.unwrap();
    let meetings = service(&store, silence());
    let invited = meetings.find_for_voter(scene.client.id, anna, id).await;
    assert!(matches!(invited, Err(SeeMeetingError::NotOpenYet)), "{invited:?}");
    let other = meetings.find_for_voter(scene.client.id, bert, id).await;
    assert!(matches!(other, Err(SeeMeetingError::NotFound)), "{other:?}");
}
