//! Changes of an agenda, and the signals.

use std::sync::Arc;

use plenum_kernel::testkit::{CountingIds, CountingSecrets, StillClock};
use plenum_kernel::{
    Attendance, ClientId, DecisionRule, Majority, MeetingId, Minimum, PortFailure, QuestionId, QuestionType, Quorum,
    Seats, Secrecy, Threshold, Unit, Units,
};
use plenum_meetings::testkit::contract::{MeetingsFixture, Scene};
use plenum_meetings::testkit::{
    InMemoryMeetings, MockLiveSignals, MockMeetingStore, MockQuestionStore, MockVoterMeetings,
};
use plenum_meetings::{
    AddQuestionError, AgendaOrder, AgendaRule, AgendaService, AnswerForm, ChangeQuestionError, MAX_QUESTIONS, Meeting,
    MeetingPorts, MeetingRule, MeetingService, MeetingStatus, MeetingStore, NewQuestion, Question, QuestionChanges,
    QuestionStore, QuestionText, QuestionUse, QuestionWeights, ReorderError, UpdateMeetingError,
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

fn service(questions: Arc<dyn QuestionStore>, signals: MockLiveSignals) -> AgendaService {
    AgendaService::new(questions, Arc::new(signals), Arc::new(StillClock::new()), Arc::new(CountingIds::new()))
}

/// A meeting with two questions: one with options and an open one.
struct Hall {
    store: InMemoryMeetings,
    scene: Scene,
    meeting: MeetingId,
    question: QuestionId,
    other: QuestionId,
}

impl Hall {
    async fn with_two_questions() -> Self {
        let store = InMemoryMeetings::new();
        let scene = Scene::set(&store).await;
        let meeting = scene.add_draft(&store).await;
        let question = scene.question(meeting, QuestionType::MultipleChoice, &["Anna", "Bert", "Carl"]);
        let question = store.questions().add(question).await.expect("the meeting is there").id;
        let other = scene.question(meeting, QuestionType::OpenText, &[]);
        let other = store.questions().add(other).await.expect("the meeting is there").id;
        Self { store, scene, meeting, question, other }
    }

    fn owner(&self) -> ClientId {
        self.scene.client.id
    }

    /// Announces this often, or not at all.
    fn agenda(&self, announced: usize) -> AgendaService {
        let signals = if announced == 0 { silence() } else { announcements(self.meeting, announced) };
        service(self.store.questions(), signals)
    }

    async fn questions(&self) -> Vec<Question> {
        let agenda = self.store.questions().list(self.owner(), self.meeting).await.expect("the store answers");
        agenda.expect("the meeting is there")
    }
}

fn rewording() -> QuestionChanges {
    QuestionChanges { text: Some(QuestionText::from_stored("What else?".to_owned())), ..QuestionChanges::default() }
}

fn order(questions: &[QuestionId]) -> AgendaOrder {
    AgendaOrder::of_places(questions.iter().copied().zip(1..).collect()).expect("each question once")
}

#[tokio::test]
async fn a_change_is_announced() {
    let hall = Hall::with_two_questions().await;
    let changed = hall.agenda(1).change(hall.owner(), hall.question, rewording()).await.unwrap();
    assert_eq!(changed.text.as_str(), "What else?");
    assert_eq!(hall.questions().await[0], changed);
}

#[tokio::test]
async fn a_refused_change_is_not_announced() {
    let hall = Hall::with_two_questions().await;
    let before = hall.questions().await;
    let agenda = hall.agenda(0);
    let wrong = QuestionChanges { options: Some(vec!["Anna".to_owned()]), ..rewording() };
    let refused = agenda.change(hall.owner(), hall.question, wrong).await;
    assert!(matches!(refused, Err(ChangeQuestionError::Form { field: "options", .. })), "{refused:?}");
    for (used, rule) in [(QuestionUse::Open, AgendaRule::IsOpen), (QuestionUse::Voted, AgendaRule::HasVotes)] {
        hall.store.mark_used(hall.question, used).await;
        let refused = agenda.change(hall.owner(), hall.question, rewording()).await;
        assert!(matches!(&refused, Err(ChangeQuestionError::Rule(broken)) if *broken == rule), "{refused:?}");
    }
    let unknown = agenda.change(hall.owner(), QuestionId::new(&hall.scene.ids), rewording()).await;
    assert!(matches!(unknown, Err(ChangeQuestionError::NotFound)), "{unknown:?}");
    assert_eq!(hall.questions().await, before);
}

#[tokio::test]
async fn a_deletion_is_announced() {
    let hall = Hall::with_two_questions().await;
    hall.store.mark_used(hall.question, QuestionUse::Open).await;
    hall.agenda(1).delete(hall.owner(), hall.question).await.unwrap();
    let left: Vec<_> = hall.questions().await.iter().map(|question| (question.id, question.position)).collect();
    assert_eq!(left, [(hall.other, 1)]);
}

#[tokio::test]
async fn a_refused_deletion_is_not_announced() {
    let hall = Hall::with_two_questions().await;
    hall.store.mark_used(hall.question, QuestionUse::Voted).await;
    let agenda = hall.agenda(0);
    let refused = agenda.delete(hall.owner(), hall.question).await;
    assert!(matches!(refused, Err(ChangeQuestionError::Rule(AgendaRule::HasVotes))), "{refused:?}");
    let unknown = agenda.delete(ClientId::new(&hall.scene.ids), hall.other).await;
    assert!(matches!(unknown, Err(ChangeQuestionError::NotFound)), "{unknown:?}");
    assert_eq!(hall.questions().await.len(), 2);
}

#[tokio::test]
async fn a_copy_is_another_question_that_asks_the_same_and_is_announced() {
    let hall = Hall::with_two_questions().await;
    hall.store.mark_used(hall.question, QuestionUse::Voted).await;
    let copied = hall.agenda(1).duplicate(hall.owner(), hall.question).await.unwrap();
    let [original, copy, other] = &hall.questions().await[..] else { panic!("there are three") };
    assert_eq!((copy, other.id), (&copied, hall.other));
    assert_ne!(copy.id, original.id);
    assert_eq!((copy.position, copy.text.as_str()), (2, original.text.as_str()));
    assert_eq!((copy.question_type, copy.max_choices), (original.question_type, original.max_choices));
    for (option, before) in copy.options.iter().zip(&original.options) {
        assert_ne!(option.id, before.id);
        assert_eq!((&option.text, option.position, option.role), (&before.text, before.position, before.role));
    }
    assert_eq!(copy.options.len(), 3);
}

#[tokio::test]
async fn a_copy_is_decided_on_the_same_terms() {
    let hall = Hall::with_two_questions().await;
    let rule = DecisionRule::Plurality { unit: Unit::Weight, seats: Seats::ONE };
    let quorum =
        Quorum { minimum: Minimum::Share(Threshold::AT_LEAST_HALF), unit: Unit::Heads, attendance: Attendance::Voted };
    let terms = QuestionChanges {
        decision_rule: Some(Some(rule.clone())),
        quorum: Some(Some(quorum.into())),
        secrecy: Some(Secrecy::Named),
        ..QuestionChanges::default()
    };
    let agenda = hall.agenda(2);
    agenda.change(hall.owner(), hall.question, terms).await.unwrap();
    let copy = agenda.duplicate(hall.owner(), hall.question).await.unwrap();
    assert_eq!((copy.decision_rule, copy.quorum, copy.secrecy), (Some(rule), Some(quorum.into()), Secrecy::Named));
}

#[tokio::test]
async fn a_new_question_whose_rule_cannot_decide_it_is_refused_and_not_announced() {
    let hall = Hall::with_two_questions().await;
    let new = NewQuestion {
        text: QuestionText::parse("What shall we do?").unwrap(),
        form: AnswerForm::OpenText,
        is_required: true,
        decision_rule: Some(DecisionRule::Majority(Majority::simple(Units::Heads))),
        quorum: None,
        secrecy: Secrecy::Unshown,
        counts_heads: false,
        groups: Vec::new(),
        weights: QuestionWeights::default(),
    };
    let refused = hall.agenda(0).add(hall.owner(), hall.meeting, new).await;
    assert!(matches!(&refused, Err(AddQuestionError::Form { field, .. }) if field == "decisionRule"), "{refused:?}");
    assert_eq!(hall.questions().await.len(), 2);
}

#[tokio::test]
async fn questions_added_together_are_announced_once_and_only_if_all_are_added() {
    let hall = Hall::with_two_questions().await;
    let new = |decision_rule| NewQuestion {
        text: QuestionText::parse("One more?").unwrap(),
        form: AnswerForm::OpenText,
        is_required: true,
        decision_rule,
        quorum: None,
        secrecy: Secrecy::Unshown,
        counts_heads: false,
        groups: Vec::new(),
        weights: QuestionWeights::default(),
    };
    let rule = DecisionRule::Majority(Majority::simple(Units::Heads));
    let refused = hall.agenda(0).add_all(hall.owner(), hall.meeting, vec![new(None), new(Some(rule))]).await;
    let is_named = |field: &str| field == "questions.1.decisionRule";
    assert!(matches!(&refused, Err(AddQuestionError::Form { field, .. }) if is_named(field)), "{refused:?}");
    assert_eq!(hall.questions().await.len(), 2);
    let added = hall.agenda(1).add_all(hall.owner(), hall.meeting, vec![new(None), new(None)]).await.unwrap();
    assert_eq!(added.iter().map(|question| question.position).collect::<Vec<_>>(), [3, 4]);
    assert_eq!(hall.questions().await[2..], added);
}

#[tokio::test]
async fn a_refused_copy_is_not_announced() {
    let hall = Hall::with_two_questions().await;
    let agenda = hall.agenda(0);
    let unknown = agenda.duplicate(hall.owner(), QuestionId::new(&hall.scene.ids)).await;
    assert!(matches!(unknown, Err(ChangeQuestionError::NotFound)), "{unknown:?}");
    for _ in 2..MAX_QUESTIONS {
        let question = hall.scene.question(hall.meeting, QuestionType::OpenText, &[]);
        hall.store.questions().add(question).await.unwrap();
    }
    let refused = agenda.duplicate(hall.owner(), hall.question).await;
    assert!(matches!(refused, Err(ChangeQuestionError::Rule(AgendaRule::Full))), "{refused:?}");
    let text = QuestionText::parse("One more?").unwrap();
    let new = NewQuestion {
        text,
        form: AnswerForm::OpenText,
        is_required: true,
        decision_rule: None,
        quorum: None,
        secrecy: Secrecy::Unshown,
        counts_heads: false,
        groups: Vec::new(),
        weights: QuestionWeights::default(),
    };
    let refused = agenda.add(hall.owner(), hall.meeting, new).await;
    assert!(matches!(refused, Err(AddQuestionError::Rule(AgendaRule::Full))), "{refused:?}");
}

#[tokio::test]
async fn another_order_is_announced() {
    let hall = Hall::with_two_questions().await;
    let arranged = hall.agenda(1).reorder(hall.owner(), hall.meeting, order(&[hall.other, hall.question])).await;
    let arranged = arranged.unwrap();
    assert_eq!(arranged.iter().map(|question| question.id).collect::<Vec<_>>(), [hall.other, hall.question]);
    assert_eq!(hall.questions().await, arranged);
}

#[tokio::test]
async fn a_refused_order_is_not_announced() {
    let hall = Hall::with_two_questions().await;
    let before = hall.questions().await;
    let agenda = hall.agenda(0);
    let refused = agenda.reorder(hall.owner(), hall.meeting, order(&[hall.other])).await;
    assert!(matches!(refused, Err(ReorderError::NotTheAgenda)), "{refused:?}");
    let whole = order(&[hall.other, hall.question]);
    let unknown = agenda.reorder(ClientId::new(&hall.scene.ids), hall.meeting, whole).await;
    assert!(matches!(unknown, Err(ReorderError::MeetingNotFound)), "{unknown:?}");
    assert_eq!(hall.questions().await, before);
}

#[tokio::test]
async fn a_failed_write_is_not_announced() {
    let down = || PortFailure::busy("the database");
    let mut store = MockQuestionStore::new();
    store.expect_update().returning(move |_, _, _| Err(down().into()));
    store.expect_remove().returning(move |_, _| Err(down().into()));
    store.expect_duplicate().returning(move |_, _, _| Err(down().into()));
    store.expect_reorder().returning(move |_, _, _| Err(down().into()));
    let agenda = service(Arc::new(store), silence());
    let ids = CountingIds::new();
    let (owner, id) = (ClientId::new(&ids), QuestionId::new(&ids));
    assert!(matches!(agenda.change(owner, id, rewording()).await, Err(ChangeQuestionError::Port(_))));
    assert!(matches!(agenda.delete(owner, id).await, Err(ChangeQuestionError::Port(_))));
    assert!(matches!(agenda.duplicate(owner, id).await, Err(ChangeQuestionError::Port(_))));
    let arranged = agenda.reorder(owner, MeetingId::new(&ids), order(&[id])).await;
    assert!(matches!(arranged, Err(ReorderError::Port(_))));
}

fn planning(store: Arc<dyn MeetingStore>, signals: MockLiveSignals) -> MeetingService {
    MeetingService::new(MeetingPorts {
        meetings: store,
        voter_meetings: Arc::new(MockVoterMeetings::new()),
        signals: Arc::new(signals),
        clock: Arc::new(StillClock::new()),
        ids: Arc::new(CountingIds::new()),
        secrets: Arc::new(CountingSecrets::default()),
    })
}

#[tokio::test]
async fn the_deletion_of_a_meeting_is_announced() {
    let hall = Hall::with_two_questions().await;
    let meetings = planning(hall.store.meetings(), announcements(hall.meeting, 1));
    meetings.delete(hall.owner(), hall.meeting).await.unwrap();
    assert_eq!(meetings.find(hall.owner(), hall.meeting).await.unwrap(), None);
}

#[tokio::test]
async fn a_refused_deletion_of_a_meeting_is_not_announced() {
    let hall = Hall::with_two_questions().await;
    let draft = hall.scene.draft("General assembly", 1);
    let running = hall.scene.add(&hall.store, Meeting { status: MeetingStatus::Active, ..draft }).await;
    let meetings = planning(hall.store.meetings(), silence());
    let refused = meetings.delete(hall.owner(), running).await;
    assert!(matches!(refused, Err(UpdateMeetingError::Rule(MeetingRule::StillActive))), "{refused:?}");
    let unknown = meetings.delete(ClientId::new(&hall.scene.ids), hall.meeting).await;
    assert!(matches!(unknown, Err(UpdateMeetingError::NotFound)), "{unknown:?}");
    let mut store = MockMeetingStore::new();
    store.expect_remove().returning(|_, _| Err(PortFailure::busy("the database").into()));
    let meetings = planning(Arc::new(store), silence());
    assert!(matches!(meetings.delete(hall.owner(), running).await, Err(UpdateMeetingError::Port(_))));
}
