//! The contract of meetings and questions for groups.

#![expect(missing_docs, reason = "the name of a case describes it")]

use plenum_kernel::testkit::CountingIds;
use plenum_kernel::{
    DecisionRule, EndUserId, GroupId, Majority, MeetingId, PageRequest, QuestionType, SearchText, Units,
};

use super::{MeetingsFixture, Scene};
use crate::{
    AddQuestionError, AgendaRule, ChangeQuestionError, Invitees, Meeting, MeetingChanges, MeetingStatus,
    ParticipantFilter, Question, QuestionChanges, QuestionUse, RecipientFilter, UpdateMeetingError,
};

async fn names(
    fixture: &dyn MeetingsFixture,
    scene: &Scene,
    meeting: MeetingId,
    filter: &ParticipantFilter,
) -> Vec<String> {
    let page = fixture.participants().list(scene.client.id, meeting, filter).await.expect("the store answers");
    let page = page.expect("the meeting is there");
    assert_eq!(page.total, page.rows.len() as u64);
    page.rows.into_iter().map(|person| person.name).collect()
}

async fn sees(fixture: &dyn MeetingsFixture, scene: &Scene, voter: EndUserId, meeting: MeetingId) -> bool {
    let voters = fixture.voter_meetings();
    let listed = voters.list(scene.client.id, voter).await.expect("the store answers");
    let is_listed = listed.iter().any(|listed| listed.meeting.id == meeting);
    let found = voters.find(scene.client.id, voter, meeting).await.expect("the store answers");
    assert_eq!(found.expect("the meeting is there").is_invited, is_listed);
    let invited = voters.invited_among(scene.client.id, vec![voter], meeting).await.expect("the store answers");
    assert_eq!(invited.contains(&voter), is_listed);
    is_listed
}

fn scheduled(scene: &Scene, groups: &[GroupId]) -> Meeting {
    Meeting { status: MeetingStatus::Scheduled, groups: groups.to_vec(), ..scene.draft("General assembly", 1) }
}

pub async fn a_meeting_for_groups_is_for_their_members_only(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let mut people = Vec::new();
    for (name, is_active) in [("Anna", true), ("Bert", true), ("Cleo", false), ("Dora", true)] {
        people.push(scene.add_person(fixture, name, is_active).await);
    }
    let delegates = scene.add_group(fixture, "Delegates", &people[..1]).await;
    let units = scene.add_group(fixture, "Units", &people[..3]).await;
    let meeting = scene.add(fixture, scheduled(&scene, &[delegates, units])).await;
    assert_eq!(names(fixture, &scene, meeting, &ParticipantFilter::default()).await, ["Anna", "Bert"]);
    assert_eq!(scene.find(fixture, meeting).await.participant_count, 2);
    let mut seen = Vec::new();
    for person in &people {
        seen.push(sees(fixture, &scene, *person, meeting).await);
    }
    // Whoever is not active cannot sign in.
    assert_eq!((seen[0], seen[1], seen[3]), (true, true, false));
    let empty = scene.add_group(fixture, "Nobody", &[]).await;
    let meeting = scene.add(fixture, scheduled(&scene, &[empty])).await;
    assert_eq!(scene.find(fixture, meeting).await.participant_count, 0);
}

pub async fn members_on_the_list_take_part_and_others_do_not(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let anna = scene.add_person(fixture, "Anna", true).await;
    let bert = scene.add_person(fixture, "Bert", true).await;
    let cleo = scene.add_person(fixture, "Cleo", true).await;
    let units = scene.add_group(fixture, "Units", &[anna, cleo]).await;
    let meeting = scene.add(fixture, scheduled(&scene, &[units])).await;
    let invited = fixture.participants().invite(scene.client.id, meeting, Invitees::These(vec![anna, bert])).await;
    let invited = invited.expect("there is room").count;
    assert_eq!((invited.changed, invited.total), (2, 1));
    assert_eq!(names(fixture, &scene, meeting, &ParticipantFilter::default()).await, ["Anna"]);
    assert_eq!(scene.find(fixture, meeting).await.participant_count, 1);
    assert!(sees(fixture, &scene, anna, meeting).await);
    assert!(!sees(fixture, &scene, bert, meeting).await && !sees(fixture, &scene, cleo, meeting).await);
    let filter = RecipientFilter::default();
    let found = fixture.invitations().overview(scene.client.id, meeting, &filter).await.expect("the store answers");
    assert_eq!(found.expect("the meeting is there").page.total, 1);
    let update = fixture.meetings();
    let for_all = Box::new(|meeting: &mut Meeting| {
        meeting.groups = Vec::new();
        Ok(())
    });
    update.update(scene.client.id, meeting, None, for_all).await.expect("it can be changed");
    assert_eq!(names(fixture, &scene, meeting, &ParticipantFilter::default()).await, ["Anna", "Bert"]);
}

pub async fn a_group_narrows_the_list_of_participants(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let anna = scene.add_person(fixture, "Anna", true).await;
    scene.add_person(fixture, "Bert", true).await;
    let group = Some(scene.add_group(fixture, "Units", &[anna]).await);
    let meeting = scene.add(fixture, scheduled(&scene, &[])).await;
    let page = Some(PageRequest { page: 1, page_size: 5 });
    for filter in
        [ParticipantFilter { group, ..Default::default() }, ParticipantFilter { group, page, ..Default::default() }]
    {
        assert_eq!(names(fixture, &scene, meeting, &filter).await, ["Anna"]);
    }
}

pub async fn people_outside_the_groups_are_listed_on_request(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let anna = scene.add_person(fixture, "Anna", true).await;
    let bert = scene.add_person(fixture, "Bert", true).await;
    scene.add_person(fixture, "Cleo", true).await;
    let units = scene.add_group(fixture, "Units", &[anna]).await;
    let meeting = scene.add(fixture, scheduled(&scene, &[units])).await;
    let all = ParticipantFilter { with_outside_groups: true, ..Default::default() };
    assert_eq!(names(fixture, &scene, meeting, &all).await, ["Anna", "Bert", "Cleo"]);
    let invited = fixture.participants().invite(scene.client.id, meeting, Invitees::These(vec![anna, bert])).await;
    invited.expect("there is room");
    let page = Some(PageRequest { page: 1, page_size: 5 });
    for filter in [all.clone(), ParticipantFilter { page, ..all.clone() }] {
        assert_eq!(names(fixture, &scene, meeting, &filter).await, ["Anna", "Bert"]);
    }
    let search = ParticipantFilter { search: SearchText::parse("bert"), page, ..all.clone() };
    assert_eq!(names(fixture, &scene, meeting, &search).await, ["Bert"]);
    let members = ParticipantFilter { group: Some(units), page, ..all };
    assert_eq!(names(fixture, &scene, meeting, &members).await, ["Anna"]);
    assert_eq!(names(fixture, &scene, meeting, &ParticipantFilter::default()).await, ["Anna"]);
}

pub async fn groups_are_kept_with_meetings_and_questions_and_in_copies(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let units = scene.add_group(fixture, "Units", &[]).await;
    let draft = scheduled(&scene, &[units]);
    let question = Question { groups: vec![units], ..scene.question(draft.id, QuestionType::Percentage, &[]) };
    let (id, question_id) = (draft.id, question.id);
    fixture.meetings().add(draft.clone(), vec![question.clone()]).await.expect("the groups are there");
    assert_eq!(scene.find(fixture, id).await.meeting, draft);
    let found = fixture.questions().find(scene.client.id, question_id).await.expect("the store answers");
    assert_eq!(found, Some(question));
    let again = Question { id: plenum_kernel::QuestionId::new(&scene.ids), ..found.expect("the question is there") };
    let copy = Box::new(move |_: &Question| again);
    let copied = fixture.questions().duplicate(scene.client.id, question_id, copy).await.expect("there is room");
    assert_eq!(copied.groups, [units]);
    let copied = fixture.questions().list(scene.client.id, id).await.expect("the store answers");
    assert!(copied.expect("the meeting is there").iter().all(|question| question.groups == [units]));
}

pub async fn groups_of_others_are_refused_and_nothing_is_stored(fixture: &dyn MeetingsFixture) {
    let (scene, stranger) = (Scene::set(fixture).await, Scene::set(fixture).await);
    let theirs = stranger.add_group(fixture, "Theirs", &[]).await;
    let unknown = GroupId::new(&CountingIds::new());
    let meeting = scene.add(fixture, scheduled(&scene, &[])).await;
    let question = scene.question(meeting, QuestionType::Percentage, &[]);
    fixture.questions().add(question.clone()).await.expect("there is room");
    for group in [theirs, unknown] {
        let refused = fixture.meetings().add(scheduled(&scene, &[group]), Vec::new()).await;
        assert!(matches!(refused, Err(UpdateMeetingError::UnknownGroups)), "{refused:?}");
        let changes = MeetingChanges { groups: Some(vec![group]), ..MeetingChanges::default() };
        let now = plenum_kernel::Clock::now(&scene.clock);
        let decide = Box::new(move |meeting: &mut Meeting| meeting.change(changes, now));
        let refused = fixture.meetings().update(scene.client.id, meeting, None, decide).await;
        assert!(matches!(refused, Err(UpdateMeetingError::UnknownGroups)), "{refused:?}");
        let wrong = Question { groups: vec![group], ..scene.question(meeting, QuestionType::Percentage, &[]) };
        let refused = fixture.questions().add(wrong).await;
        assert!(matches!(refused, Err(AddQuestionError::UnknownGroups)), "{refused:?}");
        let decide = Box::new(move |question: &mut Question, _: QuestionUse| {
            question.groups = vec![group];
            Ok(())
        });
        let refused = fixture.questions().update(scene.client.id, question.id, decide).await;
        assert!(matches!(refused, Err(ChangeQuestionError::UnknownGroups)), "{refused:?}");
        let rule = Majority::simple(Units::Heads).in_each_of(vec![group]).map(DecisionRule::Majority).ok();
        let motion = scene.question(meeting, QuestionType::YesNo, &["Yes", "No"]);
        let refused = fixture.questions().add(Question { decision_rule: rule.clone(), ..motion }).await;
        assert!(
            matches!(refused, Err(AddQuestionError::Form { ref field, .. }) if field == "decisionRule.inEach"),
            "{refused:?}"
        );
        let decide = Box::new(move |question: &mut Question, _: QuestionUse| {
            question.decision_rule = rule;
            Ok(())
        });
        let refused = fixture.questions().update(scene.client.id, question.id, decide).await;
        assert!(matches!(refused, Err(ChangeQuestionError::Form { field: "decisionRule.inEach", .. })), "{refused:?}");
    }
    assert_eq!(scene.find(fixture, meeting).await.meeting.groups, []);
    assert_eq!(scene.find(fixture, meeting).await.question_count, 1);
}

pub async fn a_question_with_votes_keeps_its_groups(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let units = scene.add_group(fixture, "Units", &[]).await;
    let meeting = scene.add(fixture, scheduled(&scene, &[])).await;
    let question = scene.question(meeting, QuestionType::Percentage, &[]);
    let id = question.id;
    fixture.questions().add(question).await.expect("there is room");
    fixture.mark_used(id, QuestionUse::Voted).await;
    let decide = Box::new(move |question: &mut Question, used: QuestionUse| {
        let changes = QuestionChanges { groups: Some(vec![units]), ..QuestionChanges::default() };
        changes.apply_to(question, used, &CountingIds::new())
    });
    let refused = fixture.questions().update(scene.client.id, id, decide).await;
    assert!(matches!(refused, Err(ChangeQuestionError::Rule(AgendaRule::HasVotes))), "{refused:?}");
}
