//! The contract of [`crate::ParticipantStore`].

#![expect(missing_docs, reason = "the name of a case describes it")]

use plenum_kernel::{Clock, EmailAddress, EndUserId, MeetingId, Page, PageRequest, SearchText, VotingWeight};

use super::{MeetingsFixture, Scene};
use crate::{
    InviteError, Invitees, Meeting, MeetingRule, MeetingStatus, Participant, ParticipantCount, ParticipantFilter,
    ParticipantLimit, UpdateMeetingError,
};

async fn found(
    fixture: &dyn MeetingsFixture,
    scene: &Scene,
    meeting: MeetingId,
    filter: &ParticipantFilter,
) -> Page<Participant> {
    let listed = fixture.participants().list(scene.client.id, meeting, filter).await.expect("the store answers");
    listed.expect("the meeting is there")
}

fn names_in(page: Page<Participant>) -> Vec<String> {
    page.rows.into_iter().map(|person| person.name).collect()
}

async fn names(fixture: &dyn MeetingsFixture, scene: &Scene, meeting: MeetingId) -> Vec<String> {
    names_in(found(fixture, scene, meeting, &ParticipantFilter::default()).await)
}

async fn invite(
    fixture: &dyn MeetingsFixture,
    scene: &Scene,
    meeting: MeetingId,
    ids: &[EndUserId],
) -> Result<ParticipantCount, InviteError> {
    let outcome = fixture.participants().invite(scene.client.id, meeting, Invitees::These(ids.to_vec())).await?;
    Ok(outcome.count)
}

async fn add_limited(fixture: &dyn MeetingsFixture, scene: &Scene, limit: u32) -> MeetingId {
    let meeting = Meeting { max_participants: ParticipantLimit::new(limit), ..scene.draft("Small room", 1) };
    scene.add(fixture, meeting).await
}

pub async fn without_a_list_every_active_end_user_is_invited_by_name(fixture: &dyn MeetingsFixture) {
    let (scene, stranger) = (Scene::set(fixture).await, Scene::set(fixture).await);
    stranger.add_person(fixture, "Olga", true).await;
    for (name, is_active) in [("carl", true), ("Anna", true), ("Dora", false), ("Bert", true)] {
        scene.add_person(fixture, name, is_active).await;
    }
    let meeting = scene.add_draft(fixture).await;
    assert_eq!(names(fixture, &scene, meeting).await, ["Anna", "Bert", "carl"]);
}

pub async fn from_the_first_invitation_on_the_list_decides(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let anna = scene.add_person(fixture, "Anna", true).await;
    let dora = scene.add_person(fixture, "Dora", false).await;
    scene.add_person(fixture, "Bert", true).await;
    let meeting = scene.add_draft(fixture).await;
    let count = invite(fixture, &scene, meeting, &[dora, anna]).await.expect("there is room");
    assert_eq!(count, ParticipantCount { changed: 2, total: 2 });
    assert_eq!(names(fixture, &scene, meeting).await, ["Anna", "Dora"]);
    assert!(scene.find(fixture, meeting).await.meeting.has_participant_list);
    fixture.remove_end_user(anna).await;
    assert_eq!(names(fixture, &scene, meeting).await, ["Dora"]);
}

pub async fn all_active_opens_the_meeting_to_everybody(fixture: &dyn MeetingsFixture) {
    let (scene, stranger) = (Scene::set(fixture).await, Scene::set(fixture).await);
    stranger.add_person(fixture, "Olga", true).await;
    let anna = scene.add_person(fixture, "Anna", true).await;
    scene.add_person(fixture, "Bert", true).await;
    scene.add_person(fixture, "Dora", false).await;
    let (meeting, other) = (scene.add_draft(fixture).await, scene.add_draft(fixture).await);
    for meeting in [meeting, other] {
        invite(fixture, &scene, meeting, &[anna]).await.expect("there is room");
    }
    let count = fixture.participants().invite(scene.client.id, meeting, Invitees::AllActive).await;
    assert_eq!(count.expect("there is room").count, ParticipantCount { changed: 1, total: 2 });
    scene.add_person(fixture, "Carl", true).await;
    assert_eq!(names(fixture, &scene, meeting).await, ["Anna", "Bert", "Carl"]);
    assert!(!scene.find(fixture, meeting).await.meeting.has_participant_list);
    assert_eq!(names(fixture, &scene, other).await, ["Anna"]);
    invite(fixture, &scene, meeting, &[anna]).await.expect("there is room");
    assert_eq!(names(fixture, &scene, meeting).await, ["Anna"], "nobody is left over from the list before");
}

pub async fn all_active_with_a_limit_are_the_active_people_of_this_moment(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    scene.add_person(fixture, "Anna", true).await;
    scene.add_person(fixture, "Dora", false).await;
    let meeting = add_limited(fixture, &scene, 5).await;
    let count = fixture.participants().invite(scene.client.id, meeting, Invitees::AllActive).await;
    assert_eq!(count.expect("there is room").count, ParticipantCount { changed: 1, total: 1 });
    scene.add_person(fixture, "Bert", true).await;
    assert_eq!(names(fixture, &scene, meeting).await, ["Anna"]);
}

pub async fn removing_people_from_everybody_creates_a_list_of_all_others(fixture: &dyn MeetingsFixture) {
    let (scene, stranger) = (Scene::set(fixture).await, Scene::set(fixture).await);
    let olga = stranger.add_person(fixture, "Olga", true).await;
    let anna = scene.add_person(fixture, "Anna", true).await;
    let bert = scene.add_person(fixture, "Bert", true).await;
    let dora = scene.add_person(fixture, "Dora", false).await;
    let meeting = scene.add_draft(fixture).await;
    let uninvite = async |people: &[EndUserId]| {
        fixture.participants().uninvite(scene.client.id, meeting, people.to_vec()).await.expect("the meeting is there")
    };
    assert_eq!(uninvite(&[olga, dora]).await, ParticipantCount { changed: 0, total: 2 });
    assert_eq!(uninvite(&[]).await, ParticipantCount { changed: 0, total: 2 });
    assert!(!scene.find(fixture, meeting).await.meeting.has_participant_list);
    assert_eq!(uninvite(&[anna, anna, olga]).await, ParticipantCount { changed: 1, total: 1 });
    let found = scene.find(fixture, meeting).await;
    assert_eq!((found.meeting.has_participant_list, found.participant_count), (true, 1));
    scene.add_person(fixture, "Carl", true).await;
    assert_eq!(names(fixture, &scene, meeting).await, ["Bert"]);
    assert_eq!(uninvite(&[bert]).await, ParticipantCount { changed: 1, total: 0 });
    assert!(names(fixture, &scene, meeting).await.is_empty(), "a list of nobody is for nobody");
}

pub async fn an_invitation_tells_whether_the_meeting_got_or_lost_its_list(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let anna = scene.add_person(fixture, "Anna", true).await;
    let bert = scene.add_person(fixture, "Bert", true).await;
    let board = scene.add_group(fixture, "Board", &[anna]).await;
    let meeting = scene.add(fixture, Meeting { groups: vec![board], ..scene.draft("Board meeting", 1) }).await;
    let switches = async |invitees: Invitees| {
        let outcome = fixture.participants().invite(scene.client.id, meeting, invitees).await;
        outcome.expect("there is room").is_list_switched
    };
    assert!(!switches(Invitees::These(Vec::new())).await, "nobody is on a list");
    // Bert is on the list, too, and does not take part.
    assert!(switches(Invitees::These(vec![anna, bert])).await);
    assert!(!switches(Invitees::These(vec![anna])).await);
    assert!(switches(Invitees::AllActive).await);
    assert!(!switches(Invitees::AllActive).await);
}

pub async fn inviting_nobody_returns_the_number_of_participants(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    scene.add_person(fixture, "Anna", true).await;
    let meeting = scene.add_draft(fixture).await;
    let count = invite(fixture, &scene, meeting, &[]).await.expect("there is room");
    assert_eq!(count, ParticipantCount { changed: 0, total: 1 });
}

pub async fn a_meeting_for_more_than_its_limit_does_not_run(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    scene.add_person(fixture, "Anna", true).await;
    let bert = scene.add_person(fixture, "Bert", true).await;
    let meeting = add_limited(fixture, &scene, 1).await;
    let run = async || {
        let decide = |meeting: &mut Meeting| {
            meeting.status = MeetingStatus::Active;
            Ok(())
        };
        fixture.meetings().update(scene.client.id, meeting, None, Box::new(decide)).await.map(|meeting| meeting.status)
    };
    let refused = run().await;
    let rule = MeetingRule::TooManyParticipants { people: 2, limit: 1 };
    assert!(matches!(refused, Err(UpdateMeetingError::Rule(broken)) if broken == rule), "{refused:?}");
    assert_eq!(scene.find(fixture, meeting).await.meeting.status, MeetingStatus::Draft);
    let limit = ParticipantLimit::new(1);
    let at_once = Meeting { status: MeetingStatus::Active, max_participants: limit, ..scene.draft("At once", 2) };
    let refused = fixture.meetings().add(at_once, Vec::new()).await;
    assert!(matches!(refused, Err(UpdateMeetingError::Rule(broken)) if broken == rule), "{refused:?}");
    fixture.participants().uninvite(scene.client.id, meeting, vec![bert]).await.expect("the meeting is there");
    assert_eq!(run().await.expect("there is room"), MeetingStatus::Active);
}

pub async fn inviting_twice_counts_once(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let anna = scene.add_person(fixture, "Anna", true).await;
    let bert = scene.add_person(fixture, "Bert", true).await;
    let meeting = add_limited(fixture, &scene, 2).await;
    let count = invite(fixture, &scene, meeting, &[anna, anna]).await.expect("there is room");
    assert_eq!(count, ParticipantCount { changed: 1, total: 1 });
    let count = invite(fixture, &scene, meeting, &[anna, bert]).await.expect("there is room");
    assert_eq!(count, ParticipantCount { changed: 1, total: 2 });
    let count = invite(fixture, &scene, meeting, &[anna, bert]).await.expect("nobody comes in addition");
    assert_eq!(count, ParticipantCount { changed: 0, total: 2 });
}

pub async fn an_unknown_or_foreign_person_prevents_the_invitation(fixture: &dyn MeetingsFixture) {
    let (scene, stranger) = (Scene::set(fixture).await, Scene::set(fixture).await);
    let anna = scene.add_person(fixture, "Anna", true).await;
    let olga = stranger.add_person(fixture, "Olga", true).await;
    let meeting = scene.add_draft(fixture).await;
    for wrong in [olga, EndUserId::new(&scene.ids)] {
        let refused = invite(fixture, &scene, meeting, &[anna, wrong]).await;
        assert!(matches!(refused, Err(InviteError::UnknownEndUsers)), "{refused:?}");
    }
    assert!(!scene.find(fixture, meeting).await.meeting.has_participant_list);
    assert_eq!(names(fixture, &scene, meeting).await, ["Anna"]);
}

pub async fn the_limit_refuses_the_whole_addition(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let mut people = Vec::new();
    for name in ["Anna", "Bert", "Carl"] {
        people.push(scene.add_person(fixture, name, true).await);
    }
    let meeting = add_limited(fixture, &scene, 2).await;
    let refused = invite(fixture, &scene, meeting, &people).await;
    assert!(matches!(refused, Err(InviteError::TooMany { limit: 2, .. })), "{refused:?}");
    let refused = fixture.participants().invite(scene.client.id, meeting, Invitees::AllActive).await;
    assert!(matches!(refused, Err(InviteError::TooMany { limit: 2, .. })), "{refused:?}");
    assert!(!scene.find(fixture, meeting).await.meeting.has_participant_list);
    invite(fixture, &scene, meeting, &people[..1]).await.expect("there is room");
    let refused = invite(fixture, &scene, meeting, &people[1..]).await;
    assert!(matches!(refused, Err(InviteError::TooMany { limit: 2, .. })), "{refused:?}");
    assert_eq!(names(fixture, &scene, meeting).await, ["Anna"]);
    let count = invite(fixture, &scene, meeting, &people[..2]).await.expect("the limit itself is no excess");
    assert_eq!(count, ParticipantCount { changed: 1, total: 2 });
}

pub async fn concurrent_additions_never_exceed_the_limit(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let meeting = add_limited(fixture, &scene, 3).await;
    let mut racers = Vec::new();
    for number in 0..8 {
        let person = scene.add_person(fixture, &format!("Person {number}"), true).await;
        let (participants, owner) = (fixture.participants(), scene.client.id);
        racers.push(tokio::spawn(
            async move { participants.invite(owner, meeting, Invitees::These(vec![person])).await },
        ));
    }
    let mut invited = 0;
    for racer in racers {
        match racer.await.expect("no panic") {
            Ok(_) => invited += 1,
            Err(InviteError::TooMany { limit: 3, .. }) => {}
            Err(other) => panic!("{other:?}"),
        }
    }
    assert_eq!((invited, names(fixture, &scene, meeting).await.len()), (3, 3));
}

pub async fn removed_people_leave_the_list_and_others_stay(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let anna = scene.add_person(fixture, "Anna", true).await;
    let bert = scene.add_person(fixture, "Bert", true).await;
    let carl = scene.add_person(fixture, "Carl", true).await;
    let (meeting, other) = (scene.add_draft(fixture).await, scene.add_draft(fixture).await);
    invite(fixture, &scene, meeting, &[anna, bert]).await.expect("there is room");
    invite(fixture, &scene, other, &[anna]).await.expect("there is room");
    let nobody = EndUserId::new(&scene.ids);
    let count = fixture.participants().uninvite(scene.client.id, meeting, vec![anna, carl, nobody]).await;
    assert_eq!(count.expect("the meeting is there"), ParticipantCount { changed: 1, total: 1 });
    assert_eq!(names(fixture, &scene, meeting).await, ["Bert"]);
    assert_eq!(names(fixture, &scene, other).await, ["Anna"]);
}

pub async fn removing_the_last_does_not_open_the_meeting_to_everybody(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let anna = scene.add_person(fixture, "Anna", true).await;
    let meeting = scene.add_draft(fixture).await;
    invite(fixture, &scene, meeting, &[anna]).await.expect("there is room");
    let count = fixture.participants().uninvite(scene.client.id, meeting, vec![anna]).await;
    assert_eq!(count.expect("the meeting is there"), ParticipantCount { changed: 1, total: 0 });
    assert_eq!(names(fixture, &scene, meeting).await, Vec::<String>::new());
    assert_eq!(scene.find(fixture, meeting).await.participant_count, 0);
}

pub async fn inviting_nobody_excludes_nobody(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let meeting = scene.add_draft(fixture).await;
    for nobody in [Invitees::These(Vec::new()), Invitees::AllActive] {
        let count = fixture.participants().invite(scene.client.id, meeting, nobody).await;
        assert_eq!(count.expect("there is room").count, ParticipantCount { changed: 0, total: 0 });
    }
    scene.add_person(fixture, "Anna", true).await;
    assert_eq!(names(fixture, &scene, meeting).await, ["Anna"]);
}

pub async fn another_clients_list_is_not_found(fixture: &dyn MeetingsFixture) {
    let (scene, stranger) = (Scene::set(fixture).await, Scene::set(fixture).await);
    let anna = scene.add_person(fixture, "Anna", true).await;
    let meeting = scene.add_draft(fixture).await;
    invite(fixture, &scene, meeting, &[anna]).await.expect("there is room");
    let olga = stranger.add_person(fixture, "Olga", true).await;
    let refused = invite(fixture, &stranger, meeting, &[olga]).await;
    assert!(matches!(refused, Err(InviteError::MeetingNotFound)), "{refused:?}");
    let refused = fixture.participants().uninvite(stranger.client.id, meeting, vec![anna]).await;
    assert!(matches!(refused, Err(InviteError::MeetingNotFound)), "{refused:?}");
    let of_stranger = fixture.participants().list(stranger.client.id, meeting, &ParticipantFilter::default()).await;
    assert_eq!(of_stranger.expect("the store answers"), None);
    assert_eq!(names(fixture, &scene, meeting).await, ["Anna"]);
}

pub async fn weights_are_exact(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let weight = VotingWeight::new("33.3333".parse().expect("a number")).expect("a weight");
    let email = EmailAddress::parse("anna@example.org").expect("an address").as_str().to_owned();
    let anna = Participant {
        weight,
        email: Some(email),
        address: Some("Quay 1\nHamburg".to_owned()),
        last_login_at: Some(scene.clock.now()),
        ..scene.person("Anna", true)
    };
    fixture.add_end_user(scene.client.id, anna.clone()).await;
    let meeting = scene.add_draft(fixture).await;
    let listed = found(fixture, &scene, meeting, &ParticipantFilter::default()).await.rows;
    assert_eq!(listed[0].weight.to_string(), "33.3333");
    assert_eq!(listed, [anna]);
}

pub async fn a_page_and_a_search_contain_participants_only(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let mut people = Vec::new();
    for name in ["Anna Berg", "Bert", "carl berg", "Dora"] {
        people.push(scene.add_person(fixture, name, true).await);
    }
    scene.add_person(fixture, "Emil Bergmann", false).await;
    let (listed, open) = (scene.add_draft(fixture).await, scene.add_draft(fixture).await);
    invite(fixture, &scene, listed, &people).await.expect("there is room");
    scene.add_person(fixture, "Zoe Berg", true).await;
    let page =
        |page, page_size| ParticipantFilter { page: Some(PageRequest { page, page_size }), ..Default::default() };
    let search = ParticipantFilter { search: SearchText::parse("BERG"), ..page(1, 1) };
    for (meeting, total, last, hits) in [(listed, 4, "Dora", 2), (open, 5, "Zoe Berg", 3)] {
        let first = found(fixture, &scene, meeting, &page(1, 2)).await;
        assert_eq!((first.total, names_in(first)), (total, vec!["Anna Berg".to_owned(), "Bert".to_owned()]));
        let second = found(fixture, &scene, meeting, &page(2, 2)).await;
        assert_eq!(second.rows[0].name, "carl berg");
        let behind = found(fixture, &scene, meeting, &page(9, 2)).await;
        assert_eq!((behind.total, behind.rows.len()), (total, 0));
        let descending =
            found(fixture, &scene, meeting, &ParticipantFilter { is_descending: true, ..page(1, 1) }).await;
        assert_eq!(names_in(descending), [last]);
        let berg = found(fixture, &scene, meeting, &search).await;
        assert_eq!((berg.total, names_in(berg)), (hits, vec!["Anna Berg".to_owned()]));
    }
}
