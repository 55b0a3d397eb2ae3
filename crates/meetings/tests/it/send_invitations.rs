//! Sending invitations, on the fake store and a mailer with prepared outcomes.
// For clippy, so that helpers count as test code too.
#![cfg(test)]

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use chrono::TimeDelta;
use plenum_kernel::testkit::{CountingIds, PlainLinkTokens, StillClock};
use plenum_kernel::{AccountId, Clock, EndUserId, MeetingId, PasswordSetter, PortFailure, Secrets};
use plenum_meetings::testkit::contract::{MeetingsFixture, Scene};
use plenum_meetings::testkit::{InMemoryMeetings, MockInvitationStore, MockLiveSignals, MockMailSignals, MockMailer};
use plenum_meetings::{
    AttachedCode, CheckIn, InvitationPorts, InvitationRequest, InvitationSending, InvitationService, InvitationState,
    Mail, MailFailure, Mailer, Meeting, MeetingChanges, Participant, QueueInvitationsError, Recipient, RecipientFilter,
    Recipients, SendingPorts, SendingStep, SiteAddress, TimeZone, check_in_code,
};

struct FixedSecrets;

impl Secrets for FixedSecrets {
    fn password(&self) -> String {
        "correct horse".to_owned()
    }

    fn token(&self) -> String {
        "q3Zr8".to_owned()
    }

    fn letters(&self, length: usize) -> String {
        "x".repeat(length)
    }
}

/// A mailer with prepared outcomes. It accepts all other messages.
#[derive(Default)]
struct ScriptedMailer {
    answers: Mutex<VecDeque<MailFailure>>,
    sent: Mutex<Vec<Mail>>,
}

#[async_trait]
impl Mailer for ScriptedMailer {
    async fn send(&self, mail: Mail) -> Result<(), MailFailure> {
        self.sent.lock().unwrap().push(mail);
        self.answers.lock().unwrap().pop_front().map_or(Ok(()), Err)
    }
}

struct Office {
    store: InMemoryMeetings,
    scene: Scene,
    meeting: MeetingId,
    clock: Arc<StillClock>,
    mailer: Arc<ScriptedMailer>,
    sending: InvitationSending,
}

impl Office {
    /// A meeting for these people, each with an address.
    async fn with(people: &[&str]) -> (Self, Vec<EndUserId>) {
        let store = InMemoryMeetings::new();
        let scene = Scene::set(&store).await;
        let mut ids = Vec::new();
        for name in people {
            let email = Some(format!("{}@example.org", name.to_lowercase()));
            let person = Participant { email, ..scene.person(name, true) };
            ids.push(person.id);
            store.add_end_user(scene.client.id, person).await;
        }
        let meeting = scene.add_draft(&store).await;
        let (clock, mailer) = (Arc::new(StillClock::new()), Arc::new(ScriptedMailer::default()));
        let ports = SendingPorts {
            invitations: Arc::new(store.clone()),
            mailer: Arc::clone(&mailer) as _,
            link_tokens: Arc::new(PlainLinkTokens),
            clock: Arc::clone(&clock) as _,
        };
        let sending = InvitationSending::new(ports, TimeDelta::minutes(5));
        (Self { store, scene, meeting, clock, mailer, sending }, ids)
    }

    fn mailing(&self, signals: Option<MockMailSignals>) -> InvitationService {
        let signals = signals.map(|signals| Arc::new(signals) as _);
        let clock = Arc::clone(&self.clock) as _;
        InvitationService::new(InvitationPorts {
            participants: self.store.participants(),
            invitations: self.store.invitations(),
            live_signals: Arc::new(MockLiveSignals::new()),
            mail_signals: signals,
            secrets: Arc::new(FixedSecrets),
            clock,
        })
    }

    async fn queue_everyone(&self) {
        let mut signals = MockMailSignals::new();
        signals.expect_queued().times(1).return_const(());
        let queued = queue(&self.mailing(Some(signals)), &self.scene, self.meeting).await;
        queued.unwrap();
    }

    fn will_answer(&self, failure: MailFailure) {
        self.mailer.answers.lock().unwrap().push_back(failure);
    }

    async fn step(&self) -> SendingStep {
        self.sending.send_next().await.unwrap()
    }

    fn sent(&self) -> Vec<Mail> {
        self.mailer.sent.lock().unwrap().clone()
    }

    async fn recipients(&self) -> Vec<Recipient> {
        let invitations = self.store.invitations();
        let overview = invitations.overview(self.scene.client.id, self.meeting, &RecipientFilter::default()).await;
        overview.unwrap().unwrap().page.rows
    }
}

async fn queue(
    mailing: &InvitationService,
    scene: &Scene,
    meeting: MeetingId,
) -> Result<plenum_meetings::Queued, QueueInvitationsError> {
    mailing.queue(scene.client.id, meeting, everyone(None)).await
}

fn everyone(personal_links_by: Option<PasswordSetter>) -> InvitationRequest {
    let site = SiteAddress::new("https://vote.example.org", "/plenum").unwrap();
    InvitationRequest { recipients: Recipients::Everyone, site, time_zone: TimeZone::UTC, personal_links_by }
}

#[tokio::test]
async fn each_attempt_sends_the_same_personal_link() {
    let (office, ids) = Office::with(&["Anna", "Bert"]).await;
    let mut signals = MockMailSignals::new();
    signals.expect_queued().times(1).return_const(());
    let setter = PasswordSetter { by: AccountId::new(&CountingIds::new()), reason: None };
    let mailing = office.mailing(Some(signals));
    mailing.queue(office.scene.client.id, office.meeting, everyone(Some(setter))).await.unwrap();
    office.will_answer(MailFailure::Unreachable("Away.".to_owned()));
    assert_eq!(office.step().await, SendingStep::Pause);
    office.clock.advance(TimeDelta::hours(1));
    assert_eq!([office.step().await, office.step().await], [SendingStep::Done; 2]);
    let sent = office.sent();
    let of_anna = format!("Your personal link: https://vote.example.org/plenum/join#q3Zr8-{}\n", ids[0]);
    let mails: Vec<_> = sent.iter().filter(|mail| mail.to == "anna@example.org").collect();
    assert_eq!(mails.len(), 2);
    assert!(mails.iter().all(|mail| mail.text.contains(&of_anna)), "{mails:?}");
    assert!(mails[0].text.contains("Please do not pass it on"), "{}", mails[0].text);
    let of_bert = sent.iter().find(|mail| mail.to == "bert@example.org").unwrap();
    assert!(of_bert.text.contains(&format!("/join#q3Zr8-{}\n", ids[1])), "{}", of_bert.text);
}

#[tokio::test]
async fn each_recipient_gets_a_separate_mail() {
    let (office, ids) = Office::with(&["Anna", "Bert"]).await;
    office.queue_everyone().await;
    assert_eq!([office.step().await, office.step().await], [SendingStep::Done; 2]);
    assert_eq!(office.step().await, SendingStep::Idle);
    let sent = office.sent();
    assert_eq!((sent[0].to.as_str(), sent[1].to.as_str()), ("anna@example.org", "bert@example.org"));
    assert!(sent[0].text.contains("https://vote.example.org/plenum/vote/q3Zr8\n"), "{}", sent[0].text);
    assert!(sent[0].text.contains(&format!("Username: {}\n", ids[0])), "{}", sent[0].text);
    assert_eq!((sent[0].reply_to.as_str(), sent[0].reply_to_name.as_str()), ("club@example.org", "Rowing club"));
    assert_ne!(sent[0].reference, sent[1].reference);
    let fine = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '-');
    assert!(sent[0].reference.chars().all(fine), "{}", sent[0].reference);
}

#[tokio::test]
async fn a_refused_mail_fails_and_an_unconfirmed_mail_is_unknown() {
    let (office, _) = Office::with(&["Anna", "Bert"]).await;
    office.queue_everyone().await;
    office.will_answer(MailFailure::Refused("No such mailbox.".to_owned()));
    office.will_answer(MailFailure::NotKnown);
    assert_eq!([office.step().await, office.step().await], [SendingStep::Done; 2]);
    let people = office.recipients().await;
    assert_eq!(people[0].state, InvitationState::Failed);
    assert_eq!(people[0].error.as_deref(), Some("No such mailbox."));
    assert_eq!(people[1].state, InvitationState::Unknown);
    office.clock.advance(TimeDelta::days(1));
    assert_eq!(office.step().await, SendingStep::Idle);
    assert_eq!(office.sent().len(), 2);
}

#[tokio::test]
async fn an_unreachable_server_is_retried_with_the_same_reference_until_the_last_attempt() {
    let (office, _) = Office::with(&["Anna"]).await;
    office.queue_everyone().await;
    for _ in 0..7 {
        office.will_answer(MailFailure::Unreachable("Away.".to_owned()));
    }
    for number in 1..=6 {
        assert_eq!(office.step().await, SendingStep::Pause, "{number}");
        assert_eq!(office.step().await, SendingStep::Idle, "{number}");
        assert_eq!(office.recipients().await[0].state, InvitationState::Pending);
        office.clock.advance(TimeDelta::hours(1));
    }
    assert_eq!(office.step().await, SendingStep::Pause);
    let anna = &office.recipients().await[0];
    assert_eq!((anna.state, anna.error.as_deref()), (InvitationState::Failed, Some("Away.")));
    let sent = office.sent();
    assert!(sent.len() == 7 && sent.iter().all(|mail| mail.reference == sent[0].reference), "{sent:?}");
    // Another sending is another message.
    office.clock.advance(TimeDelta::hours(1));
    office.queue_everyone().await;
    office.step().await;
    assert_ne!(office.sent()[7].reference, sent[0].reference);
}

#[tokio::test]
async fn an_interrupted_sending_is_unknown_after_the_lease() {
    let (office, _) = Office::with(&["Anna"]).await;
    office.queue_everyone().await;
    office.store.invitations().claim(office.clock.now()).await.unwrap().unwrap();
    office.clock.advance(TimeDelta::minutes(5));
    assert_eq!(office.sending.tidy_up().await.unwrap(), 0);
    office.clock.advance(TimeDelta::seconds(1));
    assert_eq!(office.sending.tidy_up().await.unwrap(), 1);
    assert_eq!(office.recipients().await[0].state, InvitationState::Unknown);
    assert_eq!(office.step().await, SendingStep::Idle);
    assert_eq!(office.sent(), []);
}

#[tokio::test]
async fn without_a_mail_server_nothing_is_queued() {
    let (office, _) = Office::with(&["Anna"]).await;
    let mailing = office.mailing(None);
    assert!(!mailing.can_send());
    let refused = queue(&mailing, &office.scene, office.meeting).await;
    assert!(matches!(refused, Err(QueueInvitationsError::MailNotConfigured)), "{refused:?}");
    assert_eq!(office.recipients().await[0].state, InvitationState::NotSent);
}

#[tokio::test]
async fn a_refused_request_does_not_wake_the_mail_worker() {
    let (office, _) = Office::with(&[]).await;
    let missing = MeetingId::new(&CountingIds::new());
    let refused = queue(&office.mailing(Some(MockMailSignals::new())), &office.scene, missing).await;
    assert!(matches!(refused, Err(QueueInvitationsError::MeetingNotFound)), "{refused:?}");
}

#[tokio::test]
async fn a_store_that_does_not_answer_sends_nothing() {
    let mut store = MockInvitationStore::new();
    store.expect_claim().returning(|_| Err(PortFailure::new("the database", "down")));
    let ports = SendingPorts {
        invitations: Arc::new(store),
        mailer: Arc::new(MockMailer::new()),
        link_tokens: Arc::new(PlainLinkTokens),
        clock: Arc::new(StillClock::new()),
    };
    let sending = InvitationSending::new(ports, TimeDelta::minutes(5));
    assert!(sending.send_next().await.is_err());
}

#[tokio::test]
async fn with_check_in_each_mail_has_the_code_of_its_recipient_for_the_desk() {
    let (office, ids) = Office::with(&["Anna"]).await;
    office.queue_everyone().await;
    let changes = MeetingChanges { check_in: Some(CheckIn::On), ..MeetingChanges::default() };
    let now = office.clock.now();
    let decide = Box::new(move |meeting: &mut Meeting| meeting.change(changes, now));
    office.store.meetings().update(office.scene.client.id, office.meeting, None, decide).await.unwrap();
    assert_eq!(office.step().await, SendingStep::Done);
    let sent = office.sent();
    let code = check_in_code(ids[0]);
    assert!(sent[0].text.contains(&format!("  {code}\n")), "{}", sent[0].text);
    assert_eq!(sent[0].code, Some(AttachedCode { content: code, name: "check-in-code".to_owned() }));
}

#[tokio::test]
async fn without_check_in_no_mail_has_a_code() {
    let (office, _) = Office::with(&["Anna"]).await;
    office.queue_everyone().await;
    assert_eq!(office.step().await, SendingStep::Done);
    assert!(office.sent()[0].code.is_none() && !office.sent()[0].text.contains("PLENUM-IN"));
}
