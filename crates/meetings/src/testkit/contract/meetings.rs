//! The contract of [`crate::MeetingStore`].

#![expect(missing_docs, reason = "the name of a case describes it")]

use chrono::TimeDelta;
use plenum_kernel::{
    AtOpening, Attendance, Clock, MeetingId, MeetingQuorum, Minimum, PageRequest, QuestionId, QuestionType, Quorum,
    SearchText, Step, Threshold, Unit,
};

use super::{MeetingsFixture, Scene};
use crate::{
    Description, Invitees, Meeting, MeetingChanges, MeetingCopy, MeetingFilter, MeetingRule, MeetingSort, MeetingStats,
    MeetingStatus, MeetingTitle, Participant, ParticipantFilter, ParticipantLimit, Question, QuestionUse,
    RecurringPattern, Schedule, UpdateMeetingError,
};

async fn titles(fixture: &dyn MeetingsFixture, scene: &Scene, filter: MeetingFilter) -> Vec<String> {
    let page = fixture.meetings().list(scene.client.id, &filter).await.expect("the store answers");
    page.rows.into_iter().map(|overview| overview.meeting.title.as_str().to_owned()).collect()
}

fn searching(text: &str) -> MeetingFilter {
    MeetingFilter { search: SearchText::parse(text), ..MeetingFilter::default() }
}

const QUORUM: Quorum = Quorum {
    minimum: Minimum::Share(Threshold::AT_LEAST_TWO_THIRDS),
    unit: Unit::Weight,
    attendance: Attendance::Present,
};

/// A meeting with something in every field.
fn full(scene: &Scene) -> Meeting {
    let now = scene.clock.now();
    Meeting {
        description: Some(Description::from_stored("First line\nSecond line".to_owned())),
        status: MeetingStatus::Completed,
        step: Step(12),
        started_at: Some(now + TimeDelta::hours(1)),
        ended_at: Some(now + TimeDelta::hours(2)),
        max_participants: ParticipantLimit::new(300),
        is_recurring: true,
        recurring_pattern: Some(RecurringPattern::from_stored("Every Tuesday".to_owned())),
        quorum: Some(MeetingQuorum { planned: QUORUM.into(), at_opening: AtOpening::Bar }),
        counts_surveys_at_end: false,
        invitation_link: Some(format!("link-{}", scene.client.code)),
        ..scene.draft("General assembly", 1)
    }
}

/// A copy as the service makes it, with another title.
fn copy_of(scene: &Scene) -> MeetingCopy {
    let copy = scene.draft("Copy", 30);
    let ids: Vec<QuestionId> = (0..2).map(|_| QuestionId::new(&scene.ids)).collect();
    Box::new(move |original, agenda| {
        let meeting = Meeting { has_participant_list: original.has_participant_list, ..copy };
        let question = |(id, question): (QuestionId, &Question)| Question {
            id,
            meeting_id: meeting.id,
            options: Vec::new(),
            ..question.clone()
        };
        let agenda = ids.into_iter().zip(agenda).map(question).collect();
        (meeting, agenda)
    })
}

pub async fn a_meeting_is_stored_with_its_agenda(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let meeting = scene.draft("General assembly", 1);
    let id = meeting.id;
    let question =
        |position, question_type, options: &[&str]| Question { position, ..scene.question(id, question_type, options) };
    let agenda =
        vec![question(1, QuestionType::MultipleChoice, &["Anna", "Bert"]), question(2, QuestionType::OpenText, &[])];
    fixture.meetings().add(meeting, agenda.clone()).await.expect("the store answers");
    assert_eq!(fixture.questions().list(scene.client.id, id).await.expect("the store answers"), Some(agenda));
    assert_eq!(scene.find(fixture, id).await.question_count, 2);
}

pub async fn a_copy_has_the_agenda_and_the_list_of_its_original(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let anna = scene.add_person(fixture, "Anna", true).await;
    scene.add_person(fixture, "Bert", true).await;
    let id = scene.add_draft(fixture).await;
    for _ in 0..2 {
        let question = scene.question(id, QuestionType::OpenText, &[]);
        fixture.questions().add(question).await.expect("there is room");
    }
    let store = fixture.meetings();
    let copy = || store.copy(scene.client.id, id, copy_of(&scene));
    let for_everybody = scene.find(fixture, copy().await.expect("the meeting is there")).await;
    assert_eq!((for_everybody.meeting.has_participant_list, for_everybody.participant_count), (false, 2));
    let invitees = Invitees::These(vec![anna]);
    fixture.participants().invite(scene.client.id, id, invitees).await.expect("there is room");
    let copied = copy().await.expect("the meeting is there");
    let found = scene.find(fixture, copied).await;
    assert_eq!((found.meeting.title.as_str(), found.question_count), ("Copy", 2));
    assert_eq!((found.meeting.has_participant_list, found.participant_count), (true, 1));
    let filter = ParticipantFilter::default();
    let listed = fixture.participants().list(scene.client.id, copied, &filter).await.expect("the store answers");
    let listed: Vec<_> = listed.expect("the copy is there").rows.into_iter().map(|person| person.id).collect();
    assert_eq!(listed, [anna]);
    assert_eq!(scene.find(fixture, id).await.question_count, 2, "the original stays");
}

pub async fn erased_people_are_not_on_the_list_of_a_copy(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    scene.add_person(fixture, "Anna", true).await;
    let dora = scene.add_person(fixture, "Dora", false).await;
    let erased = Participant { is_erased: true, ..scene.person("Erased person", false) };
    let gone = erased.id;
    fixture.add_end_user(scene.client.id, erased).await;
    for (listed, expected) in [(vec![dora, gone], vec![dora]), (vec![gone], Vec::new())] {
        let id = scene.add_draft(fixture).await;
        let invited = fixture.participants().invite(scene.client.id, id, Invitees::These(listed)).await;
        invited.expect("there is room");
        let copied = fixture.meetings().copy(scene.client.id, id, copy_of(&scene)).await.expect("the meeting is there");
        let filter = ParticipantFilter::default();
        let found = fixture.participants().list(scene.client.id, copied, &filter).await.expect("the store answers");
        let found: Vec<_> = found.expect("the copy is there").rows.into_iter().map(|person| person.id).collect();
        assert_eq!(found, expected);
        let copy = scene.find(fixture, copied).await;
        assert!(copy.meeting.has_participant_list, "an empty list is for nobody");
        assert_eq!(copy.participant_count, expected.len() as u64);
    }
}

pub async fn another_clients_meeting_is_not_copied(fixture: &dyn MeetingsFixture) {
    let (scene, stranger) = (Scene::set(fixture).await, Scene::set(fixture).await);
    let id = scene.add_draft(fixture).await;
    for (owner, id) in [(stranger.client.id, id), (scene.client.id, MeetingId::new(&scene.ids))] {
        let refused = fixture.meetings().copy(owner, id, copy_of(&scene)).await;
        assert!(matches!(refused, Err(UpdateMeetingError::NotFound)), "{refused:?}");
    }
    assert_eq!(titles(fixture, &scene, MeetingFilter::default()).await, ["General assembly"]);
}

pub async fn an_added_meeting_is_found_as_it_was(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    for meeting in [scene.draft("Draft", 1), full(&scene)] {
        let id = scene.add(fixture, meeting.clone()).await;
        let found = scene.find(fixture, id).await;
        // A meeting that is over gets its closing record.
        assert_eq!(found.meeting.closing_hash.is_some(), meeting.status == MeetingStatus::Completed);
        assert_eq!(Meeting { closing_hash: None, ..found.meeting }, meeting);
        assert_eq!(found.client, scene.client);
        assert_eq!((found.participant_count, found.question_count), (0, 0));
    }
}

pub async fn every_field_can_be_changed_and_cleared(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let draft = scene.draft("Draft", 1);
    let id = scene.add(fixture, draft.clone()).await;
    let full = Meeting { id, ..full(&scene) };
    for wanted in [full, draft] {
        let changed = wanted.clone();
        let decide = move |meeting: &mut Meeting| {
            *meeting = changed;
            Ok(())
        };
        let stored = fixture.meetings().update(scene.client.id, id, None, Box::new(decide)).await;
        let stored = stored.expect("nothing forbids it");
        assert_eq!(scene.find(fixture, id).await.meeting, stored);
        assert_eq!(Meeting { closing_hash: None, ..stored }, wanted);
    }
}

pub async fn another_clients_meeting_is_not_found(fixture: &dyn MeetingsFixture) {
    let (scene, stranger) = (Scene::set(fixture).await, Scene::set(fixture).await);
    let id = scene.add_draft(fixture).await;
    let meetings = fixture.meetings();
    assert_eq!(meetings.find(stranger.client.id, id).await.expect("the store answers"), None);
    let page = meetings.list(stranger.client.id, &MeetingFilter::default()).await.expect("the store answers");
    assert_eq!((page.rows, page.total), (Vec::new(), 0));
    let stats = meetings.stats(stranger.client.id).await.expect("the store answers");
    assert_eq!(stats, MeetingStats::default());
    let now = scene.clock.now();
    let updated =
        meetings.update(stranger.client.id, id, None, Box::new(move |meeting| meeting.start(now, false))).await;
    assert!(matches!(updated, Err(UpdateMeetingError::NotFound)), "{updated:?}");
    assert_eq!(scene.find(fixture, id).await.meeting.status, MeetingStatus::Draft);
}

pub async fn a_refused_decision_stores_nothing(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let id = scene.add_draft(fixture).await;
    let before = scene.find(fixture, id).await;
    let decide = |meeting: &mut Meeting| {
        meeting.title = MeetingTitle::from_stored("Half done".to_owned());
        Err(MeetingRule::NotStartable)
    };
    let refused = fixture.meetings().update(scene.client.id, id, None, Box::new(decide)).await;
    assert!(matches!(refused, Err(UpdateMeetingError::Rule(MeetingRule::NotStartable))), "{refused:?}");
    assert_eq!(scene.find(fixture, id).await, before);
}

pub async fn one_of_many_racers_starts_the_meeting(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let id = scene.add_draft(fixture).await;
    let racers: Vec<_> = (1..=8)
        .map(|minutes| {
            let (meetings, owner) = (fixture.meetings(), scene.client.id);
            let now = scene.clock.now() + TimeDelta::minutes(minutes);
            let decide = move |meeting: &mut Meeting| match meeting.status {
                MeetingStatus::Draft => meeting.start(now, false),
                _ => Err(MeetingRule::NotStartable),
            };
            tokio::spawn(async move { meetings.update(owner, id, None, Box::new(decide)).await })
        })
        .collect();
    let mut winners = Vec::new();
    for racer in racers {
        match racer.await.expect("no panic") {
            Ok(meeting) => winners.push(meeting),
            Err(UpdateMeetingError::Rule(MeetingRule::NotStartable)) => {}
            Err(other) => panic!("{other:?}"),
        }
    }
    assert_eq!(winners.len(), 1);
    assert_eq!(scene.find(fixture, id).await.meeting, winners[0]);
}

pub async fn one_of_several_steps_on_the_same_state_is_made(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let id = scene.add_draft(fixture).await;
    let seen = Some(scene.find(fixture, id).await.meeting.step);
    let statuses =
        [MeetingStatus::Scheduled, MeetingStatus::Active, MeetingStatus::Completed, MeetingStatus::Cancelled];
    let racers: Vec<_> = statuses
        .into_iter()
        .map(|status| {
            let (meetings, owner, now) = (fixture.meetings(), scene.client.id, scene.clock.now());
            let changes = MeetingChanges { status: Some(status), ..MeetingChanges::default() };
            let decide = move |meeting: &mut Meeting| meeting.make_step(seen, |meeting| meeting.change(changes, now));
            tokio::spawn(async move { meetings.update(owner, id, None, Box::new(decide)).await })
        })
        .collect();
    let mut winners = Vec::new();
    for racer in racers {
        match racer.await.expect("no panic") {
            Ok(meeting) => winners.push(meeting),
            Err(UpdateMeetingError::Rule(MeetingRule::StaleStep)) => {}
            Err(other) => panic!("{other:?}"),
        }
    }
    assert_eq!(winners.len(), 1);
    assert_eq!(winners[0].step, Step(1));
    assert_eq!(scene.find(fixture, id).await.meeting, winners[0]);
}

pub async fn an_invitation_link_is_made_once_by_many_racers(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let id = scene.add_draft(fixture).await;
    let racers: Vec<_> = (0..8)
        .map(|number| {
            let (meetings, owner, link) =
                (fixture.meetings(), scene.client.id, format!("{}-{number}", scene.client.code));
            let decide = move |meeting: &mut Meeting| {
                meeting.invitation_link.get_or_insert(link);
                Ok(())
            };
            tokio::spawn(async move { meetings.update(owner, id, None, Box::new(decide)).await })
        })
        .collect();
    let mut links = Vec::new();
    for racer in racers {
        links.push(racer.await.expect("no panic").expect("nothing forbids it").invitation_link);
    }
    links.dedup();
    assert_eq!(links, [scene.find(fixture, id).await.meeting.invitation_link]);
}

pub async fn a_link_leads_to_its_meeting_and_client(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let meeting = full(&scene);
    let link = meeting.invitation_link.clone().expect("a link");
    scene.add(fixture, meeting.clone()).await;
    scene.add_draft(fixture).await;
    let target = fixture.meetings().find_by_link(&link).await.expect("the store answers").expect("the link is known");
    let found = Meeting { closing_hash: None, ..target.meeting };
    assert_eq!((found, target.client), (meeting, scene.client));
    for wrong in ["", "%", "unknown"] {
        assert_eq!(fixture.meetings().find_by_link(wrong).await.expect("the store answers"), None, "{wrong:?}");
    }
}

pub async fn the_latest_come_first_unless_titles_are_asked_for(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    for (title, days) in [("beta", 3), ("Alpha", 1), ("Gamma", 2)] {
        scene.add(fixture, scene.draft(title, days)).await;
    }
    let sorted = |sort| MeetingFilter { sort, ..MeetingFilter::default() };
    assert_eq!(titles(fixture, &scene, MeetingFilter::default()).await, ["beta", "Gamma", "Alpha"]);
    assert_eq!(titles(fixture, &scene, sorted(MeetingSort::TitleAscending)).await, ["Alpha", "beta", "Gamma"]);
    assert_eq!(titles(fixture, &scene, sorted(MeetingSort::TitleDescending)).await, ["Gamma", "beta", "Alpha"]);
}

pub async fn search_treats_percent_and_underscore_as_letters(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    for title in ["100% turnout", "100 percent", "a_b", "aXb", "back\\slash"] {
        scene.add(fixture, scene.draft(title, 1)).await;
    }
    assert_eq!(titles(fixture, &scene, searching("%")).await, ["100% turnout"]);
    assert_eq!(titles(fixture, &scene, searching("a_b")).await, ["a_b"]);
    assert_eq!(titles(fixture, &scene, searching("\\")).await, ["back\\slash"]);
}

pub async fn search_looks_into_title_and_description_in_any_case(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    scene.add(fixture, scene.draft("Budget", 3)).await;
    let description = Some(Description::from_stored("About the\nBUDGET".to_owned()));
    scene.add(fixture, Meeting { description, ..scene.draft("Assembly", 2) }).await;
    scene.add(fixture, scene.draft("Elections", 1)).await;
    assert_eq!(titles(fixture, &scene, searching(" budget ")).await, ["Budget", "Assembly"]);
    assert_eq!(titles(fixture, &scene, searching("nothing")).await, Vec::<String>::new());
}

pub async fn a_status_filters_the_list(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    scene.add(fixture, scene.draft("Draft", 1)).await;
    scene.add(fixture, Meeting { status: MeetingStatus::Active, ..scene.draft("Running", 2) }).await;
    scene.add(fixture, Meeting { status: MeetingStatus::Cancelled, ..scene.draft("Cancelled", 3) }).await;
    let with = |statuses: &[MeetingStatus]| MeetingFilter { statuses: statuses.to_vec(), ..MeetingFilter::default() };
    assert_eq!(titles(fixture, &scene, with(&[MeetingStatus::Active])).await, ["Running"]);
    let two = with(&[MeetingStatus::Active, MeetingStatus::Cancelled]);
    assert_eq!(titles(fixture, &scene, two.clone()).await, ["Cancelled", "Running"]);
    let page = Some(PageRequest { page: 1, page_size: 1 });
    let page = fixture.meetings().list(scene.client.id, &MeetingFilter { page, ..two }).await;
    assert_eq!(page.expect("the store answers").total, 2);
}

pub async fn a_page_shows_a_part_and_the_total(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    for number in 1..=5 {
        scene.add(fixture, scene.draft(&format!("Meeting {number}"), number)).await;
    }
    scene.add(fixture, scene.draft("Something else", 6)).await;
    let mut seen = Vec::new();
    for page in 1..=4 {
        let page = Some(PageRequest { page, page_size: 2 });
        let filter = MeetingFilter { sort: MeetingSort::TitleAscending, page, ..searching("meeting") };
        let page = fixture.meetings().list(scene.client.id, &filter).await.expect("the store answers");
        assert_eq!(page.total, 5);
        seen.push(page.rows.len());
    }
    assert_eq!(seen, [2, 2, 1, 0]);
    let filter = MeetingFilter { page: Some(PageRequest { page: 2, page_size: 2 }), ..searching("meeting") };
    assert_eq!(titles(fixture, &scene, filter).await, ["Meeting 3", "Meeting 2"]);
}

pub async fn stats_count_every_status(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    for (status, number) in MeetingStatus::ALL.into_iter().zip(1..) {
        for _ in 0..number {
            scene.add(fixture, Meeting { status, ..scene.draft("Meeting", 1) }).await;
        }
    }
    let stats = fixture.meetings().stats(scene.client.id).await.expect("the store answers");
    let expected = MeetingStats { total: 15, draft: 1, scheduled: 2, active: 3, completed: 4, cancelled: 5 };
    assert_eq!(stats, expected);
}

pub async fn counts_follow_the_participant_list_and_the_agenda(fixture: &dyn MeetingsFixture) {
    let (scene, stranger) = (Scene::set(fixture).await, Scene::set(fixture).await);
    stranger.add_person(fixture, "Olga", true).await;
    let anna = scene.add_person(fixture, "Anna", true).await;
    scene.add_person(fixture, "Bert", true).await;
    scene.add_person(fixture, "Carl", false).await;
    let (open, listed) = (scene.add_draft(fixture).await, scene.add_draft(fixture).await);
    let invited = fixture.participants().invite(scene.client.id, listed, Invitees::These(vec![anna])).await;
    invited.expect("there is room");
    for question_type in [QuestionType::OpenText, QuestionType::Percentage] {
        let question = scene.question(listed, question_type, &[]);
        fixture.questions().add(question).await.expect("the meeting is there");
    }
    let counts = |overview: &crate::MeetingOverview| (overview.participant_count, overview.question_count);
    assert_eq!(counts(&scene.find(fixture, open).await), (2, 0));
    assert_eq!(counts(&scene.find(fixture, listed).await), (1, 2));
    let page = fixture.meetings().list(scene.client.id, &MeetingFilter::default()).await.expect("the store answers");
    for overview in page.rows {
        assert_eq!(counts(&overview), if overview.meeting.id == open { (2, 0) } else { (1, 2) });
        assert_eq!(overview.client, scene.client);
        let plan = overview.meeting.schedule;
        assert!(Schedule::new(plan.start(), plan.end()).is_ok());
    }
}

/// A meeting that is over, with all its data: people, a link, and questions that were voted on.
async fn add_full(fixture: &dyn MeetingsFixture, scene: &Scene) -> MeetingId {
    let anna = scene.add_person(fixture, "Anna", true).await;
    let invitation_link = Some(format!("link-{}", MeetingId::new(&scene.ids)));
    let id = scene.add(fixture, Meeting { invitation_link, ..full(scene) }).await;
    fixture.participants().invite(scene.client.id, id, Invitees::These(vec![anna])).await.expect("there is room");
    for used in [QuestionUse::Voted, QuestionUse::Unused] {
        let question = scene.question(id, QuestionType::YesNo, &["Yes", "No"]);
        let question = fixture.questions().add(question).await.expect("the meeting is there");
        fixture.mark_used(question.id, used).await;
    }
    id
}

/// All stored data of a meeting.
async fn all_of(fixture: &dyn MeetingsFixture, scene: &Scene, id: MeetingId) -> impl PartialEq + std::fmt::Debug {
    let owner = scene.client.id;
    let meeting = fixture.meetings().find(owner, id).await.expect("the store answers");
    let participants =
        fixture.participants().list(owner, id, &ParticipantFilter::default()).await.expect("the store answers");
    let agenda = fixture.questions().list(owner, id).await.expect("the store answers");
    (meeting, participants, agenda)
}

pub async fn a_removed_meeting_takes_what_is_in_it_and_nothing_else(fixture: &dyn MeetingsFixture) {
    let (scene, stranger) = (Scene::set(fixture).await, Scene::set(fixture).await);
    let (removed, kept) = (add_full(fixture, &scene).await, add_full(fixture, &scene).await);
    let of_stranger = add_full(fixture, &stranger).await;
    let before = (all_of(fixture, &scene, kept).await, all_of(fixture, &stranger, of_stranger).await);
    let agenda = fixture.questions().list(scene.client.id, removed).await.expect("the store answers");
    let link = scene.find(fixture, removed).await.meeting.invitation_link.expect("it has a link");
    let (meetings, owner) = (fixture.meetings(), scene.client.id);
    meetings.remove(owner, removed).await.expect("it is not running");
    assert_eq!(meetings.find(owner, removed).await.expect("the store answers"), None);
    assert_eq!(meetings.find_by_link(&link).await.expect("the store answers"), None);
    let participants = fixture.participants().list(owner, removed, &ParticipantFilter::default()).await;
    assert_eq!(participants.expect("the store answers"), None);
    assert_eq!(fixture.questions().list(owner, removed).await.expect("the store answers"), None);
    for question in agenda.expect("it had an agenda") {
        assert_eq!(fixture.questions().find(owner, question.id).await.expect("the store answers"), None);
    }
    let again = meetings.remove(owner, removed).await;
    assert!(matches!(again, Err(UpdateMeetingError::NotFound)), "{again:?}");
    assert_eq!((all_of(fixture, &scene, kept).await, all_of(fixture, &stranger, of_stranger).await), before);
    assert_eq!(meetings.stats(owner).await.expect("the store answers").total, 1);
}

pub async fn a_running_meeting_is_not_removed(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    for status in MeetingStatus::ALL {
        let id = scene.add(fixture, Meeting { status, ..scene.draft("General assembly", 1) }).await;
        let question = scene.question(id, QuestionType::OpenText, &[]);
        fixture.questions().add(question).await.expect("the meeting is there");
        let before = all_of(fixture, &scene, id).await;
        let removed = fixture.meetings().remove(scene.client.id, id).await;
        if status == MeetingStatus::Active {
            assert!(matches!(removed, Err(UpdateMeetingError::Rule(MeetingRule::StillActive))), "{removed:?}");
            assert_eq!(all_of(fixture, &scene, id).await, before);
        } else {
            removed.expect("it is not running");
        }
    }
}

pub async fn another_clients_meeting_is_not_removed(fixture: &dyn MeetingsFixture) {
    let (scene, stranger) = (Scene::set(fixture).await, Scene::set(fixture).await);
    let id = add_full(fixture, &scene).await;
    let before = all_of(fixture, &scene, id).await;
    for (owner, id) in [(stranger.client.id, id), (scene.client.id, MeetingId::new(&scene.ids))] {
        let removed = fixture.meetings().remove(owner, id).await;
        assert!(matches!(removed, Err(UpdateMeetingError::NotFound)), "{removed:?}");
    }
    assert_eq!(all_of(fixture, &scene, id).await, before);
}

pub async fn one_of_many_racers_removes_the_meeting(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let id = add_full(fixture, &scene).await;
    let racers: Vec<_> = (0..8)
        .map(|_| {
            let (meetings, owner) = (fixture.meetings(), scene.client.id);
            tokio::spawn(async move { meetings.remove(owner, id).await })
        })
        .collect();
    let mut winners = 0;
    for racer in racers {
        match racer.await.expect("no panic") {
            Ok(()) => winners += 1,
            Err(UpdateMeetingError::NotFound) => {}
            Err(other) => panic!("{other:?}"),
        }
    }
    assert_eq!(winners, 1);
}
