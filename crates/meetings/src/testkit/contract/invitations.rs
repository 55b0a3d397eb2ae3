//! The contract of [`crate::InvitationStore`].

#![expect(missing_docs, reason = "the name of a case describes it")]

use chrono::{DateTime, TimeDelta, Utc};
use plenum_kernel::testkit::CountingIds;
use plenum_kernel::{AccountId, Clock, EndUserId, MeetingId, PageRequest, PasswordSetter, SearchText};

use super::{MeetingsFixture, Scene};
use crate::{
    CheckIn, ClaimedInvitation, InvitationFacts, InvitationOrder, InvitationOverview, InvitationState, Invitees,
    Meeting, MeetingStatus, Participant, PersonalLinks, QueueInvitationsError, Queued, Recipient, RecipientCounts,
    RecipientFilter, Recipients, SendingOutcome, SiteAddress, TimeZone,
};

/// A person with an address.
fn with_address(scene: &Scene, name: &str) -> Participant {
    let email = format!("{}@example.org", name.to_lowercase());
    Participant { email: Some(email), ..scene.person(name, true) }
}

async fn add_with_address(fixture: &dyn MeetingsFixture, scene: &Scene, name: &str) -> EndUserId {
    let person = with_address(scene, name);
    let id = person.id;
    fixture.add_end_user(scene.client.id, person).await;
    id
}

fn order(scene: &Scene, meeting: MeetingId, recipients: Recipients) -> InvitationOrder {
    InvitationOrder {
        recipients,
        site: SiteAddress::new("https://vote.example.org", "/plenum").expect("a site"),
        time_zone: TimeZone::parse("Europe/Berlin").expect("a zone"),
        link: meeting.to_string(),
        personal_links: None,
        now: scene.clock.now(),
    }
}

fn by_name(end_users: &[EndUserId], again: bool) -> Recipients {
    Recipients::These { end_users: end_users.to_vec(), again }
}

async fn queue(
    fixture: &dyn MeetingsFixture,
    scene: &Scene,
    meeting: MeetingId,
    recipients: Recipients,
) -> Result<Queued, QueueInvitationsError> {
    fixture.invitations().queue(scene.client.id, meeting, order(scene, meeting, recipients)).await
}

async fn queue_everyone(fixture: &dyn MeetingsFixture, scene: &Scene, meeting: MeetingId) -> Queued {
    queue(fixture, scene, meeting, Recipients::Everyone).await.expect("everyone can be queued")
}

async fn filtered(
    fixture: &dyn MeetingsFixture,
    scene: &Scene,
    meeting: MeetingId,
    filter: RecipientFilter,
) -> InvitationOverview {
    let overview = fixture.invitations().overview(scene.client.id, meeting, &filter).await;
    overview.expect("the store answers").expect("the meeting is there")
}

async fn overview(fixture: &dyn MeetingsFixture, scene: &Scene, meeting: MeetingId) -> InvitationOverview {
    filtered(fixture, scene, meeting, RecipientFilter::default()).await
}

async fn find(fixture: &dyn MeetingsFixture, scene: &Scene, meeting: MeetingId, id: EndUserId) -> Recipient {
    let rows = overview(fixture, scene, meeting).await.page.rows;
    rows.into_iter().find(|person| person.id == id).expect("the person is invited")
}

async fn states_of(fixture: &dyn MeetingsFixture, scene: &Scene, meeting: MeetingId) -> Vec<InvitationState> {
    overview(fixture, scene, meeting).await.page.rows.into_iter().map(|person| person.state).collect()
}

async fn claim_at(fixture: &dyn MeetingsFixture, now: DateTime<Utc>) -> Option<ClaimedInvitation> {
    fixture.invitations().claim(now).await.expect("the store answers")
}

async fn claim(fixture: &dyn MeetingsFixture, scene: &Scene) -> ClaimedInvitation {
    claim_at(fixture, scene.clock.now()).await.expect("an invitation is due")
}

async fn settle(fixture: &dyn MeetingsFixture, claimed: &ClaimedInvitation, outcome: SendingOutcome) {
    fixture.invitations().settle(claimed, outcome).await.expect("the store answers");
}

fn sent(scene: &Scene) -> SendingOutcome {
    SendingOutcome::Sent { at: scene.clock.now() }
}

/// Sends the next one.
async fn send(fixture: &dyn MeetingsFixture, scene: &Scene) -> EndUserId {
    let claimed = claim(fixture, scene).await;
    settle(fixture, &claimed, sent(scene)).await;
    claimed.end_user_id
}

pub async fn everyone_who_can_be_written_to_is_queued_once(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    add_with_address(fixture, &scene, "Anna").await;
    add_with_address(fixture, &scene, "Bert").await;
    scene.add_person(fixture, "Carl", true).await;
    let meeting = scene.add_draft(fixture).await;
    let before = overview(fixture, &scene, meeting).await.counts;
    assert_eq!(before, RecipientCounts { not_sent: 2, without_address: 1, ..RecipientCounts::default() });

    let queued = queue_everyone(fixture, &scene, meeting).await;
    assert_eq!(queued, Queued { queued: 2, without_address: 1, ..Queued::default() });
    let queued = queue_everyone(fixture, &scene, meeting).await;
    assert_eq!(queued, Queued { pending: 2, without_address: 1, ..Queued::default() });
    let overview = overview(fixture, &scene, meeting).await;
    assert_eq!(overview.counts, RecipientCounts { pending: 2, without_address: 1, ..RecipientCounts::default() });
    assert_eq!((overview.counts.invited(), overview.page.total), (3, 3));
}

pub async fn the_list_of_the_invited_decides_who_is_meant(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let anna = add_with_address(fixture, &scene, "Anna").await;
    let asleep = Participant { is_active: false, ..with_address(&scene, "Dora") };
    let dora = asleep.id;
    fixture.add_end_user(scene.client.id, asleep).await;
    add_with_address(fixture, &scene, "Bert").await;
    let meeting = scene.add_draft(fixture).await;
    let invited = fixture.participants().invite(scene.client.id, meeting, Invitees::These(vec![anna, dora])).await;
    invited.expect("there is room");

    let queued = queue_everyone(fixture, &scene, meeting).await;
    assert_eq!(queued, Queued { queued: 1, inactive: 1, ..Queued::default() });
    let expected = [InvitationState::Pending, InvitationState::Inactive];
    assert_eq!(states_of(fixture, &scene, meeting).await, expected);
}

pub async fn the_link_is_made_once_and_stays(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let meeting = scene.add_draft(fixture).await;
    assert_eq!(overview(fixture, &scene, meeting).await.facts.link, None);
    queue_everyone(fixture, &scene, meeting).await;
    let other = InvitationOrder { link: "another".to_owned(), ..order(&scene, meeting, Recipients::Everyone) };
    fixture.invitations().queue(scene.client.id, meeting, other).await.expect("nobody is there to be queued");
    assert_eq!(overview(fixture, &scene, meeting).await.facts.link, Some(meeting.to_string()));
    assert_eq!(scene.find(fixture, meeting).await.meeting.invitation_link, Some(meeting.to_string()));
}

pub async fn a_claimed_invitation_contains_its_data(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let anna = add_with_address(fixture, &scene, "Anna").await;
    let draft = scene.draft("General assembly", 1);
    let start = draft.schedule.start();
    let meeting = scene.add(fixture, draft).await;
    queue_everyone(fixture, &scene, meeting).await;
    let queued_at = scene.clock.now();
    // The address at the time of sending counts.
    let changed = Participant {
        id: anna,
        username: "anna".to_owned(),
        email: Some("berg@example.org".to_owned()),
        ..scene.person("Anna Berg", true)
    };
    fixture.change_end_user(changed).await;
    scene.clock.advance(TimeDelta::seconds(1));

    let claimed = claim(fixture, &scene).await;
    let expected = ClaimedInvitation {
        client_id: scene.client.id,
        meeting_id: meeting,
        end_user_id: anna,
        name: "Anna Berg".to_owned(),
        username: "anna".to_owned(),
        email: "berg@example.org".to_owned(),
        facts: InvitationFacts {
            organization: scene.client.name.clone(),
            client_code: scene.client.code.clone(),
            contact_email: "club@example.org".to_owned(),
            title: "General assembly".to_owned(),
            start,
            status: MeetingStatus::Draft,
            link: Some(meeting.to_string()),
            has_check_in: false,
        },
        site: SiteAddress::new("https://vote.example.org", "/plenum").expect("a site"),
        time_zone: TimeZone::parse("Europe/Berlin").expect("a zone"),
        personal_link: None,
        queued_at,
        claimed_at: scene.clock.now(),
        attempts: 1,
    };
    assert_eq!(claimed, expected);
    let anna = find(fixture, &scene, meeting, anna).await;
    assert_eq!((anna.state, anna.sent_to.as_deref()), (InvitationState::Pending, Some("berg@example.org")));
    assert_eq!(queue_everyone(fixture, &scene, meeting).await, Queued { pending: 1, ..Queued::default() });
}

pub async fn a_claimed_invitation_to_a_meeting_with_check_in_says_so(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    add_with_address(fixture, &scene, "Anna").await;
    let draft = Meeting { check_in: CheckIn::On, ..scene.draft("General assembly", 1) };
    let meeting = scene.add(fixture, draft).await;
    queue_everyone(fixture, &scene, meeting).await;
    assert!(claim(fixture, &scene).await.facts.has_check_in);
}

fn with_links(order: InvitationOrder, seed: &str) -> InvitationOrder {
    let setter = PasswordSetter { by: AccountId::new(&CountingIds::new()), reason: None };
    InvitationOrder { personal_links: Some(PersonalLinks { setter, seed: seed.to_owned() }), ..order }
}

pub async fn a_personal_link_is_in_the_invitation_that_it_was_made_for(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let anna = add_with_address(fixture, &scene, "Anna").await;
    let meeting = scene.add_draft(fixture).await;
    let store = fixture.invitations();
    let first = with_links(order(&scene, meeting, Recipients::Everyone), "first");
    assert_eq!(store.queue(scene.client.id, meeting, first).await.expect("it can be queued").queued, 1);
    let claimed = claim(fixture, &scene).await;
    assert_eq!(claimed.personal_link.as_deref(), Some("first"));
    // Every attempt sends the same link.
    let due_at = scene.clock.now();
    settle(fixture, &claimed, SendingOutcome::Later { due_at, error: "Away.".to_owned() }).await;
    let claimed = claim(fixture, &scene).await;
    assert_eq!((claimed.personal_link.as_deref(), claimed.attempts), (Some("first"), 2));
    settle(fixture, &claimed, sent(&scene)).await;
    // Another order has another link, or none.
    let second = with_links(order(&scene, meeting, by_name(&[anna], true)), "second");
    store.queue(scene.client.id, meeting, second).await.expect("it can be queued");
    let claimed = claim(fixture, &scene).await;
    assert_eq!(claimed.personal_link.as_deref(), Some("second"));
    settle(fixture, &claimed, sent(&scene)).await;
    queue(fixture, &scene, meeting, by_name(&[anna], true)).await.expect("it can be queued");
    assert_eq!(claim(fixture, &scene).await.personal_link, None);
}

pub async fn those_who_never_signed_in_are_queued_alone(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let last_login_at = Some(scene.clock.now());
    let anna = Participant { last_login_at, ..with_address(&scene, "Anna") };
    fixture.add_end_user(scene.client.id, anna).await;
    let bert = add_with_address(fixture, &scene, "Bert").await;
    let meeting = scene.add_draft(fixture).await;
    let again = |again| queue(fixture, &scene, meeting, Recipients::NeverSignedIn { again });
    assert_eq!(again(false).await.expect("it can be queued"), Queued { queued: 1, ..Queued::default() });
    assert_eq!(send(fixture, &scene).await, bert);
    assert_eq!(again(false).await.expect("it can be queued"), Queued { already_sent: 1, ..Queued::default() });
    assert_eq!(again(true).await.expect("it can be queued"), Queued { queued: 1, ..Queued::default() });
}

pub async fn the_longest_due_comes_first(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let anna = add_with_address(fixture, &scene, "Anna").await;
    let bert = add_with_address(fixture, &scene, "Bert").await;
    let meeting = scene.add_draft(fixture).await;
    queue(fixture, &scene, meeting, by_name(&[bert], false)).await.expect("Bert is invited");
    let early = scene.clock.now();
    scene.clock.advance(TimeDelta::seconds(1));
    queue(fixture, &scene, meeting, by_name(&[anna], false)).await.expect("Anna is invited");
    assert_eq!(claim(fixture, &scene).await.end_user_id, bert);
    assert_eq!(claim_at(fixture, early).await, None);
    assert_eq!(claim(fixture, &scene).await.end_user_id, anna);
    assert_eq!(claim_at(fixture, scene.clock.now()).await, None);
}

pub async fn each_invitation_is_claimed_by_one_of_many_racers(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    for number in 0..5 {
        add_with_address(fixture, &scene, &format!("Person{number}")).await;
    }
    let meeting = scene.add_draft(fixture).await;
    queue_everyone(fixture, &scene, meeting).await;
    let mut racers = Vec::new();
    for _ in 0..12 {
        let (invitations, now) = (fixture.invitations(), scene.clock.now());
        racers.push(tokio::spawn(async move { invitations.claim(now).await.expect("the store answers") }));
    }
    let mut claimed = Vec::new();
    for racer in racers {
        claimed.extend(racer.await.expect("no panic").map(|claimed| claimed.end_user_id));
    }
    // Concurrent callers skip each other's invitations, so some may find none, and no two find the same.
    while let Some(rest) = claim_at(fixture, scene.clock.now()).await {
        claimed.push(rest.end_user_id);
    }
    claimed.sort();
    let before = claimed.len();
    claimed.dedup();
    assert_eq!((before, claimed.len()), (5, 5));
}

pub async fn each_person_is_queued_once_by_many_concurrent_orders(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    for number in 0..5 {
        add_with_address(fixture, &scene, &format!("Person{number}")).await;
    }
    let meeting = scene.add_draft(fixture).await;
    let mut racers = Vec::new();
    for _ in 0..6 {
        let (invitations, owner, order) =
            (fixture.invitations(), scene.client.id, order(&scene, meeting, Recipients::Everyone));
        racers.push(tokio::spawn(async move { invitations.queue(owner, meeting, order).await }));
    }
    let (mut queued, mut pending) = (0, 0);
    for racer in racers {
        let one = racer.await.expect("no panic").expect("everyone can be queued");
        queued += one.queued;
        pending += one.pending;
    }
    assert_eq!((queued, pending), (5, 25));
}

pub async fn outcomes_are_stored_and_listed(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    for name in ["Anna", "Bert", "Carl"] {
        add_with_address(fixture, &scene, name).await;
    }
    let meeting = scene.add_draft(fixture).await;
    queue_everyone(fixture, &scene, meeting).await;
    let anna = send(fixture, &scene).await;
    let bert = claim(fixture, &scene).await;
    settle(fixture, &bert, SendingOutcome::Failed { error: "No such mailbox.".to_owned() }).await;
    let carl = claim(fixture, &scene).await;
    settle(fixture, &carl, SendingOutcome::Unknown { error: "No answer.".to_owned() }).await;

    let state_of = |person: Recipient| (person.state, person.error, person.sent_at);
    let anna = state_of(find(fixture, &scene, meeting, anna).await);
    assert_eq!(anna, (InvitationState::Sent, None, Some(scene.clock.now())));
    let bert = state_of(find(fixture, &scene, meeting, bert.end_user_id).await);
    assert_eq!(bert, (InvitationState::Failed, Some("No such mailbox.".to_owned()), None));
    let carl = state_of(find(fixture, &scene, meeting, carl.end_user_id).await);
    assert_eq!(carl, (InvitationState::Unknown, Some("No answer.".to_owned()), None));
    let counts = overview(fixture, &scene, meeting).await.counts;
    assert_eq!(counts, RecipientCounts { sent: 1, failed: 1, unknown: 1, ..RecipientCounts::default() });
    assert_eq!(claim_at(fixture, scene.clock.now() + TimeDelta::days(1)).await, None);
}

pub async fn an_invited_person_gets_another_invitation_only_by_name(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    for name in ["Anna", "Bert", "Carl"] {
        add_with_address(fixture, &scene, name).await;
    }
    let meeting = scene.add_draft(fixture).await;
    queue_everyone(fixture, &scene, meeting).await;
    let anna = send(fixture, &scene).await;
    let bert = claim(fixture, &scene).await;
    settle(fixture, &bert, SendingOutcome::Unknown { error: "No answer.".to_owned() }).await;
    let carl = claim(fixture, &scene).await;
    settle(fixture, &carl, SendingOutcome::Failed { error: "No such mailbox.".to_owned() }).await;
    let (bert, carl) = (bert.end_user_id, carl.end_user_id);

    // A failed invitation did not arrive.
    let queued = queue_everyone(fixture, &scene, meeting).await;
    assert_eq!(queued, Queued { queued: 1, already_sent: 2, ..Queued::default() });
    let queued = queue(fixture, &scene, meeting, by_name(&[anna, bert], false)).await.expect("both are invited");
    assert_eq!(queued, Queued { already_sent: 2, ..Queued::default() });
    let queued = queue(fixture, &scene, meeting, by_name(&[anna, bert, carl, anna], true)).await.expect("all are");
    assert_eq!(queued, Queued { queued: 2, pending: 1, ..Queued::default() });
    let anna = find(fixture, &scene, meeting, anna).await;
    assert_eq!((anna.state, anna.error), (InvitationState::Pending, None));
}

pub async fn an_undelivered_invitation_waits_and_is_retried(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let anna = add_with_address(fixture, &scene, "Anna").await;
    let meeting = scene.add_draft(fixture).await;
    queue_everyone(fixture, &scene, meeting).await;
    let claimed = claim(fixture, &scene).await;
    let due_at = scene.clock.now() + TimeDelta::minutes(1);
    settle(fixture, &claimed, SendingOutcome::Later { due_at, error: "Not reached.".to_owned() }).await;
    let waiting = find(fixture, &scene, meeting, anna).await;
    assert_eq!((waiting.state, waiting.error.as_deref()), (InvitationState::Pending, Some("Not reached.")));
    assert_eq!(claim_at(fixture, due_at - TimeDelta::seconds(1)).await, None);
    let again = claim_at(fixture, due_at).await.expect("it is due");
    assert_eq!((again.attempts, again.queued_at), (2, claimed.queued_at));
    // The first claim is over.
    settle(fixture, &claimed, sent(&scene)).await;
    assert_eq!(find(fixture, &scene, meeting, anna).await.state, InvitationState::Pending);
}

pub async fn stopping_makes_each_what_it_was_before(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let mut people = Vec::new();
    for name in ["Anna", "Bert", "Carl", "Dora", "Emil"] {
        people.push(add_with_address(fixture, &scene, name).await);
    }
    let (meeting, other) = (scene.add_draft(fixture).await, scene.add_draft(fixture).await);
    queue(fixture, &scene, meeting, by_name(&people[..3], false)).await.expect("all are invited");
    send(fixture, &scene).await;
    let bert = claim(fixture, &scene).await;
    settle(fixture, &bert, SendingOutcome::Unknown { error: "No answer.".to_owned() }).await;
    let carl = claim(fixture, &scene).await;
    settle(fixture, &carl, SendingOutcome::Failed { error: "No such mailbox.".to_owned() }).await;
    scene.clock.advance(TimeDelta::seconds(1));
    queue(fixture, &scene, meeting, by_name(&people, true)).await.expect("all are invited");
    let begun = claim(fixture, &scene).await.end_user_id;
    scene.clock.advance(TimeDelta::seconds(1));
    queue_everyone(fixture, &scene, other).await;

    let invitations = fixture.invitations();
    assert_eq!(invitations.stop(scene.client.id, meeting).await.expect("the store answers"), Some(4));
    assert_eq!(invitations.stop(scene.client.id, meeting).await.expect("the store answers"), Some(0));
    // An invitation in progress is.
    assert_eq!(begun, people[0]);
    let expected = [
        InvitationState::Pending,
        InvitationState::Unknown,
        InvitationState::Failed,
        InvitationState::NotSent,
        InvitationState::NotSent,
    ];
    assert_eq!(states_of(fixture, &scene, meeting).await, expected);
    let carl = find(fixture, &scene, meeting, people[2]).await;
    assert_eq!(carl.error.as_deref(), Some("No such mailbox."));
    assert_eq!(overview(fixture, &scene, other).await.counts.pending, 5);
}

pub async fn an_abandoned_invitation_counts_as_perhaps_sent(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let anna = add_with_address(fixture, &scene, "Anna").await;
    let bert = add_with_address(fixture, &scene, "Bert").await;
    let meeting = scene.add_draft(fixture).await;
    queue_everyone(fixture, &scene, meeting).await;
    claim(fixture, &scene).await;
    let before = scene.clock.now();
    scene.clock.advance(TimeDelta::seconds(1));
    claim(fixture, &scene).await;

    let invitations = fixture.invitations();
    assert_eq!(invitations.give_up(before, "Interrupted.").await.expect("the store answers"), 0);
    assert_eq!(invitations.give_up(scene.clock.now(), "Interrupted.").await.expect("the store answers"), 1);
    let left = find(fixture, &scene, meeting, anna).await;
    assert_eq!((left.state, left.error.as_deref()), (InvitationState::Unknown, Some("Interrupted.")));
    assert_eq!(find(fixture, &scene, meeting, bert).await.state, InvitationState::Pending);
    let queued = queue_everyone(fixture, &scene, meeting).await;
    assert_eq!(queued, Queued { already_sent: 1, pending: 1, ..Queued::default() });
    assert_eq!(claim_at(fixture, scene.clock.now() + TimeDelta::days(1)).await, None);
}

pub async fn a_late_outcome_tells_the_truth_unless_it_was_queued_anew(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let anna = add_with_address(fixture, &scene, "Anna").await;
    let bert = add_with_address(fixture, &scene, "Bert").await;
    let meeting = scene.add_draft(fixture).await;
    queue_everyone(fixture, &scene, meeting).await;
    let (first, second) = (claim(fixture, &scene).await, claim(fixture, &scene).await);
    scene.clock.advance(TimeDelta::hours(1));
    fixture.invitations().give_up(scene.clock.now(), "Interrupted.").await.expect("the store answers");
    settle(fixture, &first, sent(&scene)).await;
    assert_eq!(find(fixture, &scene, meeting, anna).await.state, InvitationState::Sent);

    queue(fixture, &scene, meeting, by_name(&[bert], true)).await.expect("Bert is invited");
    settle(fixture, &second, sent(&scene)).await;
    assert_eq!(find(fixture, &scene, meeting, bert).await.state, InvitationState::Pending);
    assert_eq!(claim(fixture, &scene).await.end_user_id, bert);
    // Not even while the new one is being sent.
    settle(fixture, &second, SendingOutcome::Failed { error: "Too late.".to_owned() }).await;
    assert_eq!(find(fixture, &scene, meeting, bert).await.state, InvitationState::Pending);
}

pub async fn outdated_recipients_get_no_mail(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let mut people = Vec::new();
    for name in ["Anna", "Bert", "Carl", "Dora"] {
        let person = with_address(&scene, name);
        fixture.add_end_user(scene.client.id, person.clone()).await;
        people.push(person);
    }
    let ids: Vec<EndUserId> = people.iter().map(|person| person.id).collect();
    let (meeting, over) = (scene.add_draft(fixture).await, scene.add_draft(fixture).await);
    let invited = fixture.participants().invite(scene.client.id, meeting, Invitees::These(ids.clone())).await;
    invited.expect("there is room");
    queue_everyone(fixture, &scene, meeting).await;
    queue(fixture, &scene, over, by_name(&ids[..1], false)).await.expect("Anna is invited");
    let cancel = |meeting: &mut crate::Meeting| {
        meeting.status = MeetingStatus::Cancelled;
        Ok(())
    };
    fixture.meetings().update(scene.client.id, over, None, Box::new(cancel)).await.expect("the meeting is there");
    fixture.change_end_user(Participant { is_active: false, ..people[0].clone() }).await;
    fixture.change_end_user(Participant { email: None, ..people[1].clone() }).await;
    fixture.participants().uninvite(scene.client.id, meeting, vec![ids[2]]).await.expect("the meeting is there");

    assert_eq!(claim(fixture, &scene).await.end_user_id, ids[3]);
    assert_eq!(claim_at(fixture, scene.clock.now()).await, None);
    assert_eq!(fixture.invitations().withdraw().await.expect("the store answers"), 4);
    let expected = [InvitationState::Inactive, InvitationState::WithoutAddress, InvitationState::Pending];
    assert_eq!(states_of(fixture, &scene, meeting).await, expected);
    assert_eq!(overview(fixture, &scene, over).await.counts.pending, 0);
}

pub async fn an_order_with_an_uninvited_person_is_refused(fixture: &dyn MeetingsFixture) {
    let (scene, stranger) = (Scene::set(fixture).await, Scene::set(fixture).await);
    let anna = add_with_address(fixture, &scene, "Anna").await;
    let bert = add_with_address(fixture, &scene, "Bert").await;
    let olga = add_with_address(fixture, &stranger, "Olga").await;
    let meeting = scene.add_draft(fixture).await;
    fixture.participants().invite(scene.client.id, meeting, Invitees::These(vec![anna])).await.expect("there is room");
    for wrong in [bert, olga, EndUserId::new(&scene.ids)] {
        let refused = queue(fixture, &scene, meeting, by_name(&[anna, wrong], true)).await;
        assert!(matches!(refused, Err(QueueInvitationsError::NotInvited)), "{refused:?}");
    }
    let overview = overview(fixture, &scene, meeting).await;
    assert_eq!((overview.counts.not_sent, overview.facts.link), (1, None));
}

pub async fn a_meeting_that_is_over_takes_no_order(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    add_with_address(fixture, &scene, "Anna").await;
    for status in MeetingStatus::ALL {
        let meeting = scene.add(fixture, crate::Meeting { status, ..scene.draft("General assembly", 1) }).await;
        let answer = queue(fixture, &scene, meeting, Recipients::Everyone).await;
        if status.link_is_good() {
            assert_eq!(answer.expect("it can be queued").queued, 1);
        } else {
            assert!(matches!(answer, Err(QueueInvitationsError::MeetingOver)), "{answer:?}");
            assert_eq!(overview(fixture, &scene, meeting).await.counts.not_sent, 1);
        }
    }
}

pub async fn the_list_can_be_searched_filtered_and_paged(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    for name in ["dora", "Anna", "Carl"] {
        add_with_address(fixture, &scene, name).await;
    }
    scene.add_person(fixture, "Bert 100%", true).await;
    let meeting = scene.add_draft(fixture).await;
    queue_everyone(fixture, &scene, meeting).await;
    send(fixture, &scene).await;
    let names = |overview: InvitationOverview| -> (Vec<String>, u64) {
        (overview.page.rows.into_iter().map(|person| person.name).collect(), overview.page.total)
    };
    let search = |text: &str| RecipientFilter { search: SearchText::parse(text), ..RecipientFilter::default() };
    let state = |state| RecipientFilter { state: Some(state), ..RecipientFilter::default() };
    let page =
        |page, page_size| RecipientFilter { page: Some(PageRequest { page, page_size }), ..RecipientFilter::default() };
    for (filter, found, total) in [
        (RecipientFilter::default(), vec!["Anna", "Bert 100%", "Carl", "dora"], 4),
        (
            RecipientFilter { is_descending: true, ..RecipientFilter::default() },
            vec!["dora", "Carl", "Bert 100%", "Anna"],
            4,
        ),
        (search("ANNA@EXAMPLE"), vec!["Anna"], 1),
        (search("0%"), vec!["Bert 100%"], 1),
        (search("_"), vec![], 0),
        (state(InvitationState::Sent), vec!["dora"], 1),
        (state(InvitationState::Pending), vec!["Anna", "Carl"], 2),
        (state(InvitationState::WithoutAddress), vec!["Bert 100%"], 1),
        (state(InvitationState::Unknown), vec![], 0),
        (page(2, 3), vec!["dora"], 4),
        (page(9, 3), vec![], 4),
    ] {
        let overview = filtered(fixture, &scene, meeting, filter.clone()).await;
        assert_eq!(overview.counts.invited(), 4, "the counts are of everyone");
        let (names, counted) = names(overview);
        assert_eq!((names, counted), (found.into_iter().map(str::to_owned).collect(), total), "{filter:?}");
    }
}

pub async fn another_clients_invitations_are_not_found(fixture: &dyn MeetingsFixture) {
    let (scene, stranger) = (Scene::set(fixture).await, Scene::set(fixture).await);
    add_with_address(fixture, &scene, "Anna").await;
    let meeting = scene.add_draft(fixture).await;
    queue_everyone(fixture, &scene, meeting).await;
    let invitations = fixture.invitations();
    let seen = invitations.overview(stranger.client.id, meeting, &RecipientFilter::default()).await;
    assert_eq!(seen.expect("the store answers"), None);
    let refused = queue(fixture, &stranger, meeting, Recipients::Everyone).await;
    assert!(matches!(refused, Err(QueueInvitationsError::MeetingNotFound)), "{refused:?}");
    assert_eq!(invitations.stop(stranger.client.id, meeting).await.expect("the store answers"), None);
    assert_eq!(overview(fixture, &scene, meeting).await.counts.pending, 1);
}

pub async fn invitations_go_with_their_meeting_and_their_end_user(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let anna = add_with_address(fixture, &scene, "Anna").await;
    let bert = add_with_address(fixture, &scene, "Bert").await;
    let (meeting, gone) = (scene.add_draft(fixture).await, scene.add_draft(fixture).await);
    queue(fixture, &scene, gone, by_name(&[anna], false)).await.expect("Anna is invited");
    queue_everyone(fixture, &scene, meeting).await;
    fixture.meetings().remove(scene.client.id, gone).await.expect("a draft can be removed");
    fixture.remove_end_user(anna).await;
    let claimed = claim(fixture, &scene).await;
    assert_eq!((claimed.meeting_id, claimed.end_user_id), (meeting, bert));
    assert_eq!(claim_at(fixture, scene.clock.now()).await, None);
    // The outcome of a deleted invitation changes nothing.
    fixture.remove_end_user(bert).await;
    settle(fixture, &claimed, sent(&scene)).await;
    assert_eq!(overview(fixture, &scene, meeting).await.counts.invited(), 0);
}
