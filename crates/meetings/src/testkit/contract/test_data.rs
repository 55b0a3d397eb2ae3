//! The contract on test data: its statistics, and the meaning of "everybody".

#![expect(missing_docs, reason = "the name of a case describes it")]

use std::num::NonZeroU32;

use plenum_kernel::{Clock, EndUserId, MeetingId, QuestionType};

use super::{MeetingsFixture, Scene};
use crate::{
    InvitationOrder, Invitees, Meeting, MeetingFilter, MeetingRule, MeetingStatus, MeetingTitle, Participant,
    ParticipantCount, ParticipantFilter, QuestionUse, RecipientFilter, Recipients, SiteAddress, TimeZone,
    UpdateMeetingError,
};

/// Anna and three test people: one by name, one by username, and an inactive one.
struct Hall {
    scene: Scene,
    anna: EndUserId,
    tests: [EndUserId; 2],
    idle: EndUserId,
}

impl Hall {
    async fn set(fixture: &dyn MeetingsFixture) -> Self {
        Self::of(fixture, Scene::set(fixture).await).await
    }

    /// In a client that is test data itself.
    async fn of_a_test(fixture: &dyn MeetingsFixture) -> Self {
        Self::of(fixture, Scene::called(fixture, "TEST_CLIENT_1").await).await
    }

    async fn of(fixture: &dyn MeetingsFixture, scene: Scene) -> Self {
        let add = async |name: &str, username: Option<&str>, is_active| {
            let person = scene.person(name, is_active);
            let username = username.map_or(person.username, ToOwned::to_owned);
            let email = Some(format!("{}@example.org", name.to_lowercase()));
            let person = Participant { username, email, ..scene.person(name, is_active) };
            let id = person.id;
            fixture.add_end_user(scene.client.id, person).await;
            id
        };
        let anna = add("Anna", None, true).await;
        let tests = [add("TEST_Bert", None, true).await, add("Cleo", Some("TEST_cleo"), true).await];
        let idle = add("TEST_Dora", None, false).await;
        Self { scene, anna, tests, idle }
    }

    async fn meeting(&self, fixture: &dyn MeetingsFixture, title: &str, limit: Option<u32>) -> MeetingId {
        let max_participants = limit.and_then(NonZeroU32::new);
        let draft = self.scene.draft(title, 1);
        self.scene.add(fixture, Meeting { status: MeetingStatus::Scheduled, max_participants, ..draft }).await
    }

    async fn rename(&self, fixture: &dyn MeetingsFixture, meeting: MeetingId, title: &str) {
        self.try_rename(fixture, meeting, title).await.expect("it is there");
    }

    async fn try_rename(
        &self,
        fixture: &dyn MeetingsFixture,
        meeting: MeetingId,
        title: &str,
    ) -> Result<Meeting, UpdateMeetingError> {
        let title = MeetingTitle::parse(title).expect("a title");
        let decide = Box::new(|meeting: &mut Meeting| {
            meeting.title = title;
            Ok(())
        });
        fixture.meetings().update(self.scene.client.id, meeting, None, decide).await
    }

    /// The participants, and all other numbers and lists of them.
    async fn invited(&self, fixture: &dyn MeetingsFixture, meeting: MeetingId) -> Vec<EndUserId> {
        let client = self.scene.client.id;
        let invited = fixture
            .participants()
            .list(client, meeting, &ParticipantFilter::default())
            .await
            .expect("the store answers");
        let mut invited: Vec<EndUserId> = invited.expect("it is there").rows.iter().map(|person| person.id).collect();
        invited.sort();
        assert_eq!(self.scene.find(fixture, meeting).await.participant_count, invited.len() as u64);
        let overview = fixture.invitations().overview(client, meeting, &RecipientFilter::default()).await;
        let overview = overview.expect("the store answers").expect("it is there");
        let mut recipients: Vec<EndUserId> = overview.page.rows.iter().map(|recipient| recipient.id).collect();
        recipients.sort();
        assert_eq!(recipients, invited);
        for voter in [self.anna, self.tests[0], self.tests[1]] {
            let shown = fixture.voter_meetings().list(client, voter).await.expect("the store answers");
            let is_shown = shown.iter().any(|shown| shown.meeting.id == meeting);
            let found = fixture.voter_meetings().find(client, voter, meeting).await.expect("the store answers");
            let is_invited = found.expect("it is no draft").is_invited;
            assert_eq!((is_shown, is_invited), (invited.contains(&voter), invited.contains(&voter)), "{voter}");
        }
        let voters = vec![self.anna, self.tests[0], self.tests[1]];
        let among = fixture.voter_meetings().invited_among(client, voters.clone(), meeting).await;
        assert_eq!(among.expect("the store answers"), voters.into_iter().filter(|id| invited.contains(id)).collect());
        invited
    }

    async fn invite_all(&self, fixture: &dyn MeetingsFixture, meeting: MeetingId) -> ParticipantCount {
        let invited = fixture.participants().invite(self.scene.client.id, meeting, Invitees::AllActive).await;
        invited.expect("there is room").count
    }

    fn everybody(&self) -> Vec<EndUserId> {
        vec![self.anna, self.tests[0], self.tests[1]]
    }
}

pub async fn a_test_meeting_is_in_the_list_and_not_in_the_numbers(fixture: &dyn MeetingsFixture) {
    let hall = Hall::set(fixture).await;
    let meetings = fixture.meetings();
    hall.meeting(fixture, "Assembly", None).await;
    let before = meetings.stats(hall.scene.client.id).await.expect("the store answers");
    assert_eq!((before.total, before.scheduled), (1, 1));
    let test = hall.meeting(fixture, "TEST_Assembly", None).await;
    assert_eq!(meetings.stats(hall.scene.client.id).await.expect("the store answers"), before);
    let listed = meetings.list(hall.scene.client.id, &MeetingFilter::default()).await.expect("the store answers");
    let tests: Vec<MeetingId> =
        listed.rows.iter().filter(|row| row.meeting.is_test()).map(|row| row.meeting.id).collect();
    assert_eq!((listed.total, tests), (2, vec![test]));

    hall.rename(fixture, test, "test_Assembly").await;
    let after = meetings.stats(hall.scene.client.id).await.expect("the store answers");
    assert_eq!(after.total, 2, "it says so from its first letter, and in capitals");
}

pub async fn an_opened_round_settles_whether_a_meeting_is_test_data(fixture: &dyn MeetingsFixture) {
    let hall = Hall::set(fixture).await;
    for (title, other, allowed) in
        [("TEST_Assembly", "Assembly", "TEST_Annual meeting"), ("Assembly", "TEST_Assembly", "Annual meeting")]
    {
        let meeting = hall.meeting(fixture, title, None).await;
        hall.rename(fixture, meeting, other).await;
        hall.rename(fixture, meeting, title).await;
        let question = hall.scene.question(meeting, QuestionType::YesNo, &["Yes", "No"]);
        let question = fixture.questions().add(question).await.expect("the meeting is there");
        fixture.mark_used(question.id, QuestionUse::Unused).await;
        let refused = hall.try_rename(fixture, meeting, other).await;
        let settled = matches!(refused, Err(UpdateMeetingError::Rule(MeetingRule::TestMarkSettled)));
        assert!(settled, "{title}: {refused:?}");
        assert_eq!(hall.scene.find(fixture, meeting).await.meeting.title.as_str(), title);
        hall.rename(fixture, meeting, allowed).await;
    }
}

pub async fn a_client_that_is_test_data_counts_its_own(fixture: &dyn MeetingsFixture) {
    let hall = Hall::of_a_test(fixture).await;
    hall.meeting(fixture, "Assembly", None).await;
    hall.meeting(fixture, "TEST_Assembly", None).await;
    assert_eq!(fixture.meetings().stats(hall.scene.client.id).await.expect("the store answers").total, 2);
}

pub async fn everybody_means_test_people_only_among_test_data(fixture: &dyn MeetingsFixture) {
    let hall = Hall::set(fixture).await;
    let real = hall.meeting(fixture, "Assembly", None).await;
    let test = hall.meeting(fixture, "TEST_Assembly", None).await;
    assert_eq!(hall.invited(fixture, real).await, [hall.anna]);
    assert_eq!(hall.invited(fixture, test).await, hall.everybody());
    let hall = Hall::of_a_test(fixture).await;
    let meeting = hall.meeting(fixture, "Assembly", None).await;
    assert_eq!(hall.invited(fixture, meeting).await, hall.everybody());
}

pub async fn inviting_all_who_are_active_means_everybody_too(fixture: &dyn MeetingsFixture) {
    let hall = Hall::set(fixture).await;
    for (title, expected) in [("Assembly", vec![hall.anna]), ("TEST_Assembly", hall.everybody())] {
        let number = expected.len() as u64;
        // With a limit they are added to the list; without one the list is removed.
        for limit in [Some(3), None] {
            let meeting = hall.meeting(fixture, title, limit).await;
            let invited = hall.invite_all(fixture, meeting).await;
            assert_eq!(invited, ParticipantCount { changed: number, total: number }, "{title} {limit:?}");
            assert_eq!(hall.invited(fixture, meeting).await, expected, "{title} {limit:?}");
        }
    }
}

pub async fn people_on_the_list_count_whatever_their_names(fixture: &dyn MeetingsFixture) {
    let hall = Hall::set(fixture).await;
    let meeting = hall.meeting(fixture, "Assembly", None).await;
    let listed = vec![hall.tests[0], hall.idle];
    let invited = fixture.participants().invite(hall.scene.client.id, meeting, Invitees::These(listed.clone())).await;
    invited.expect("there is room");
    assert_eq!(hall.invited(fixture, meeting).await, listed);
}

pub async fn no_test_person_is_written_to_of_a_meeting_for_everybody(fixture: &dyn MeetingsFixture) {
    let hall = Hall::set(fixture).await;
    let (client, now) = (hall.scene.client.id, hall.scene.clock.now());
    let meeting = hall.meeting(fixture, "TEST_Assembly", None).await;
    let order = InvitationOrder {
        recipients: Recipients::Everyone,
        site: SiteAddress::new("https://vote.example.org", "").expect("a site"),
        time_zone: TimeZone::parse("Europe/Berlin").expect("a zone"),
        link: meeting.to_string(),
        personal_links: None,
        now,
    };
    let queued = fixture.invitations().queue(client, meeting, order).await.expect("everyone can be queued");
    assert_eq!(queued.queued, 3);
    hall.rename(fixture, meeting, "Assembly").await;
    let claimed = fixture.invitations().claim(now).await.expect("the store answers").expect("Anna is written to");
    assert_eq!(claimed.end_user_id, hall.anna);
    assert!(fixture.invitations().claim(now).await.expect("the store answers").is_none());
}
