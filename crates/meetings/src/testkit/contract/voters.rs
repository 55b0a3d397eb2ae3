//! The contract of [`crate::VoterMeetings`].

#![expect(missing_docs, reason = "the name of a case describes it")]

use std::collections::HashSet;

use plenum_kernel::{AccountId, Clock, EndUserId, MeetingId, QuestionType, RehearsalId};

use super::{MeetingsFixture, Scene};
use crate::{Invitees, Meeting, MeetingStatus, NewRehearsal, QuestionUse};

async fn add(fixture: &dyn MeetingsFixture, scene: &Scene, draft: Meeting, status: MeetingStatus) -> MeetingId {
    scene.add(fixture, Meeting { status, ..draft }).await
}

async fn titles(fixture: &dyn MeetingsFixture, scene: &Scene, voter: EndUserId) -> Vec<String> {
    let meetings = fixture.voter_meetings().list(scene.client.id, voter).await.expect("the store answers");
    meetings.into_iter().map(|listed| listed.meeting.title.as_str().to_owned()).collect()
}

async fn invited_among(
    fixture: &dyn MeetingsFixture,
    scene: &Scene,
    voters: Vec<EndUserId>,
    meeting: MeetingId,
) -> HashSet<EndUserId> {
    fixture.voter_meetings().invited_among(scene.client.id, voters, meeting).await.expect("the store answers")
}

pub async fn a_voter_sees_what_is_running_and_what_is_next_before_what_is_over(fixture: &dyn MeetingsFixture) {
    let (scene, stranger) = (Scene::set(fixture).await, Scene::set(fixture).await);
    add(fixture, &stranger, stranger.draft("Elsewhere", 1), MeetingStatus::Active).await;
    let anna = scene.add_person(fixture, "Anna", true).await;
    for (title, days, status) in [
        ("Later", 3, MeetingStatus::Scheduled),
        ("Over", 1, MeetingStatus::Completed),
        ("Draft", 2, MeetingStatus::Draft),
        ("Running", 9, MeetingStatus::Active),
        ("Cancelled", 2, MeetingStatus::Cancelled),
    ] {
        add(fixture, &scene, scene.draft(title, days), status).await;
    }
    assert_eq!(titles(fixture, &scene, anna).await, ["Running", "Later", "Cancelled", "Over"]);
}

pub async fn a_voter_sees_the_meetings_that_they_are_invited_to(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let anna = scene.add_person(fixture, "Anna", true).await;
    let bert = scene.add_person(fixture, "Bert", true).await;
    add(fixture, &scene, scene.draft("For everybody", 1), MeetingStatus::Scheduled).await;
    let listed = add(fixture, &scene, scene.draft("For Anna", 2), MeetingStatus::Scheduled).await;
    let invited = fixture.participants().invite(scene.client.id, listed, Invitees::These(vec![anna])).await;
    invited.expect("there is room");
    assert_eq!(titles(fixture, &scene, anna).await, ["For everybody", "For Anna"]);
    assert_eq!(titles(fixture, &scene, bert).await, ["For everybody"]);
}

pub async fn a_voter_sees_that_they_are_not_invited(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let anna = scene.add_person(fixture, "Anna", true).await;
    let bert = scene.add_person(fixture, "Bert", true).await;
    let meeting = add(fixture, &scene, scene.draft("For Anna", 1), MeetingStatus::Scheduled).await;
    let is_invited = async |voter| {
        let found = fixture.voter_meetings().find(scene.client.id, voter, meeting).await.expect("the store answers");
        let invitation = found.expect("the meeting is there");
        assert_eq!((invitation.meeting.id, invitation.organization), (meeting, scene.client.name.clone()));
        invitation.is_invited
    };
    assert!(is_invited(anna).await && is_invited(bert).await);
    let invited = fixture.participants().invite(scene.client.id, meeting, Invitees::These(vec![anna])).await;
    invited.expect("there is room");
    assert!(is_invited(anna).await && !is_invited(bert).await);
    assert_eq!(invited_among(fixture, &scene, vec![anna, bert], meeting).await, [anna].into());
    assert_eq!(invited_among(fixture, &scene, Vec::new(), meeting).await, HashSet::new());
}

pub async fn the_register_of_an_open_round_invites_whatever_the_list_says(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let anna = scene.add_person(fixture, "Anna", true).await;
    let bert = scene.add_person(fixture, "Bert", true).await;
    let cleo = scene.add_person(fixture, "Cleo", true).await;
    let meeting = add(fixture, &scene, scene.draft("Assembly", 1), MeetingStatus::Active).await;
    let elsewhere = add(fixture, &scene, scene.draft("Elsewhere", 2), MeetingStatus::Active).await;
    for (meeting, used, voter) in [
        (meeting, QuestionUse::Open, bert),
        (meeting, QuestionUse::Unused, cleo),
        (meeting, QuestionUse::Voted, cleo),
        (elsewhere, QuestionUse::Open, cleo),
    ] {
        let question = scene.question(meeting, QuestionType::Percentage, &[]);
        let id = question.id;
        fixture.questions().add(question).await.expect("there is room");
        fixture.mark_used(id, used).await;
        fixture.add_to_register(id, voter).await;
    }
    for meeting in [meeting, elsewhere] {
        let invited = fixture.participants().invite(scene.client.id, meeting, Invitees::These(vec![anna])).await;
        invited.expect("there is room");
    }
    let is_invited = async |voter| {
        let found = fixture.voter_meetings().find(scene.client.id, voter, meeting).await.expect("the store answers");
        found.expect("the meeting is there").is_invited
    };
    assert!(is_invited(anna).await && is_invited(bert).await && !is_invited(cleo).await);
    assert_eq!(invited_among(fixture, &scene, vec![cleo, bert, anna], meeting).await, [anna, bert].into());
    assert_eq!(titles(fixture, &scene, anna).await, ["Assembly", "Elsewhere"]);
    assert_eq!(titles(fixture, &scene, bert).await, ["Assembly"]);
    assert_eq!(titles(fixture, &scene, cleo).await, ["Elsewhere"]);
}

pub async fn a_draft_is_found_and_asks_nobody_in(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let anna = scene.add_person(fixture, "Anna", true).await;
    let meeting = scene.add_draft(fixture).await;
    let found = fixture.voter_meetings().find(scene.client.id, anna, meeting).await;
    let found = found.expect("the store answers").expect("the meeting is there");
    assert_eq!((found.meeting.status, found.is_invited), (MeetingStatus::Draft, true));
    assert_eq!(invited_among(fixture, &scene, vec![anna], meeting).await, HashSet::new());
}

pub async fn a_voter_sees_where_a_rehearsal_runs(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let anna = scene.add_person(fixture, "Anna", true).await;
    let by = AccountId::new(&scene.ids);
    fixture.add_account(scene.client.id, by, "Maria", "Keller").await;
    let start = async |title, days| {
        let meeting_id = add(fixture, &scene, scene.draft(title, days), MeetingStatus::Scheduled).await;
        let id = RehearsalId::new(&scene.ids);
        let new = NewRehearsal { id, client_id: scene.client.id, meeting_id, at: scene.clock.now(), by };
        fixture.rehearsals().start(new).await.expect("it can be rehearsed");
        meeting_id
    };
    start("Rehearsing", 1).await;
    let over = start("Rehearsed", 2).await;
    fixture.rehearsals().end(scene.client.id, over, scene.clock.now()).await.expect("it runs");
    add(fixture, &scene, scene.draft("Unrehearsed", 3), MeetingStatus::Scheduled).await;
    let listed = fixture.voter_meetings().list(scene.client.id, anna).await.expect("the store answers");
    let listed: Vec<_> = listed.iter().map(|listed| (listed.meeting.title.as_str(), listed.is_rehearsing)).collect();
    assert_eq!(listed, [("Rehearsing", true), ("Rehearsed", false), ("Unrehearsed", false)]);
}

pub async fn another_clients_meeting_is_not_found(fixture: &dyn MeetingsFixture) {
    let (scene, stranger) = (Scene::set(fixture).await, Scene::set(fixture).await);
    let olga = stranger.add_person(fixture, "Olga", true).await;
    let meeting = add(fixture, &scene, scene.draft("Assembly", 1), MeetingStatus::Active).await;
    let found = fixture.voter_meetings().find(stranger.client.id, olga, meeting).await;
    assert_eq!(found.expect("the store answers"), None);
    assert_eq!(invited_among(fixture, &stranger, vec![olga], meeting).await, HashSet::new());
    assert_eq!(invited_among(fixture, &scene, vec![olga], meeting).await, HashSet::new());
    assert_eq!(titles(fixture, &stranger, olga).await, Vec::<String>::new());
}
