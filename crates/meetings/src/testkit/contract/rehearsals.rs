//! The contract of [`crate::RehearsalStore`]. Tests with rounds show that an opening ends a running rehearsal.

#![expect(missing_docs, reason = "the name of a case describes it")]

use chrono::{DateTime, TimeDelta, Utc};
use plenum_kernel::{
    AccountId, ClientId, Clock, EndUserId, MeetingId, PageRequest, QuestionType, RehearsalId, SearchText,
};

use super::{MeetingsFixture, Scene};
use crate::{
    DelayStatistics, EndRehearsalError, Invitees, Meeting, MeetingStatus, NewRehearsal, Participant, QuestionUse,
    Rehearsal, RehearsalAnswer, RehearsalCounts, RehearsalFilter, RehearsalReport, RehearsalRule, RehearsalStatus,
    RehearsalStep, StartRehearsalError,
};

const ALL: RehearsalFilter = RehearsalFilter {
    search: None,
    statuses: &RehearsalStatus::ALL,
    can_seal: None,
    page: PageRequest { page: 1, page_size: 200 },
};

async fn add(fixture: &dyn MeetingsFixture, scene: &Scene, status: MeetingStatus) -> MeetingId {
    scene.add(fixture, Meeting { status, ..scene.draft("General assembly", 1) }).await
}

fn after(scene: &Scene, milliseconds: i64) -> DateTime<Utc> {
    scene.clock.now() + TimeDelta::milliseconds(milliseconds)
}

async fn organizer(fixture: &dyn MeetingsFixture, scene: &Scene) -> AccountId {
    let by = AccountId::new(&scene.ids);
    fixture.add_account(scene.client.id, by, "Maria", "Keller").await;
    by
}

fn new(scene: &Scene, meeting: MeetingId, by: AccountId) -> NewRehearsal {
    NewRehearsal {
        id: RehearsalId::new(&scene.ids),
        client_id: scene.client.id,
        meeting_id: meeting,
        at: scene.clock.now(),
        by,
    }
}

/// Starts a rehearsal at the scene's time.
async fn start(fixture: &dyn MeetingsFixture, scene: &Scene, meeting: MeetingId) -> Rehearsal {
    let by = organizer(fixture, scene).await;
    fixture.rehearsals().start(new(scene, meeting, by)).await.expect("it can be rehearsed")
}

async fn refused(fixture: &dyn MeetingsFixture, new: NewRehearsal) -> RehearsalRule {
    match fixture.rehearsals().start(new).await {
        Err(StartRehearsalError::Rule(rule)) => rule,
        other => panic!("{other:?}"),
    }
}

async fn end(fixture: &dyn MeetingsFixture, scene: &Scene, meeting: MeetingId, at: DateTime<Utc>) -> Rehearsal {
    fixture.rehearsals().end(scene.client.id, meeting, at).await.expect("there is a rehearsal")
}

/// A meeting with its rehearsal.
struct Rehearsed<'a> {
    fixture: &'a dyn MeetingsFixture,
    scene: &'a Scene,
    meeting: MeetingId,
    rehearsal: RehearsalId,
}

impl<'a> Rehearsed<'a> {
    async fn new(fixture: &'a dyn MeetingsFixture, scene: &'a Scene) -> Self {
        let meeting = add(fixture, scene, MeetingStatus::Scheduled).await;
        let rehearsal = start(fixture, scene, meeting).await.id;
        Self { fixture, scene, meeting, rehearsal }
    }

    /// The answer of a voter this many milliseconds after the start.
    fn answer_of(&self, voter: EndUserId, step: RehearsalStep, milliseconds: i64) -> RehearsalAnswer {
        RehearsalAnswer {
            client_id: self.scene.client.id,
            meeting_id: self.meeting,
            rehearsal_id: self.rehearsal,
            voter,
            step,
            can_seal: None,
            at: after(self.scene, milliseconds),
        }
    }

    async fn is_noted(&self, answer: RehearsalAnswer) -> bool {
        self.fixture.rehearsals().answer(answer).await.expect("the store answers")
    }

    /// Records receipt. Returns whether it was recorded.
    async fn receive(&self, voter: EndUserId, milliseconds: i64) -> bool {
        self.is_noted(self.answer_of(voter, RehearsalStep::Received, milliseconds)).await
    }

    /// Records a tap. Returns whether it was recorded.
    async fn tap(&self, voter: EndUserId, milliseconds: i64) -> bool {
        self.is_noted(self.answer_of(voter, RehearsalStep::Answered, milliseconds)).await
    }

    async fn report(&self, connected: &[EndUserId], filter: &RehearsalFilter) -> RehearsalReport {
        let rehearsals = self.fixture.rehearsals();
        let report = rehearsals.report(self.scene.client.id, self.meeting, connected.to_vec(), filter).await;
        report.expect("the store answers").expect("the meeting is there")
    }
}

/// The report on all people.
async fn report(
    fixture: &dyn MeetingsFixture,
    scene: &Scene,
    meeting: MeetingId,
    connected: &[EndUserId],
) -> RehearsalReport {
    let report = fixture.rehearsals().report(scene.client.id, meeting, connected.to_vec(), &ALL).await;
    report.expect("the store answers").expect("the meeting is there")
}

/// Names, each with its status.
fn statuses_by_name(report: &RehearsalReport) -> Vec<(&str, RehearsalStatus)> {
    report.page.rows.iter().map(|person| (person.name.as_str(), person.status())).collect()
}

/// Names, each with the delays in milliseconds.
fn delays(report: &RehearsalReport) -> Vec<(&str, Option<u64>, Option<u64>)> {
    let row = |person: &'_ crate::RehearsalPerson| (person.signs.received_ms, person.signs.answered_ms);
    report.page.rows.iter().map(|person| (person.name.as_str(), row(person).0, row(person).1)).collect()
}

pub async fn a_rehearsal_has_the_name_of_its_organizer(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    for (status, first_name, last_name) in
        [(MeetingStatus::Scheduled, "Maria", "Keller"), (MeetingStatus::Active, "", "")]
    {
        let meeting = add(fixture, &scene, status).await;
        let by = AccountId::new(&scene.ids);
        fixture.add_account(scene.client.id, by, first_name, last_name).await;
        let new = new(&scene, meeting, by);
        let started = fixture.rehearsals().start(new).await.expect("it can be rehearsed");
        let name =
            if first_name.is_empty() { format!("{by}@example.org") } else { format!("{first_name} {last_name}") };
        let expected = Rehearsal { id: new.id, started_at: new.at, ended_at: None, started_by: name };
        assert_eq!(started, expected);
        assert_eq!(report(fixture, &scene, meeting, &[]).await.rehearsal, Some(expected));
    }
}

pub async fn no_rehearsal_runs_before_or_after_its_time_or_beside_a_round(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let by = organizer(fixture, &scene).await;
    for status in [MeetingStatus::Draft, MeetingStatus::Completed, MeetingStatus::Cancelled] {
        let meeting = add(fixture, &scene, status).await;
        assert_eq!(refused(fixture, new(&scene, meeting, by)).await, RehearsalRule::NotRehearsable);
        assert_eq!(report(fixture, &scene, meeting, &[]).await.rehearsal, None);
    }
    let meeting = add(fixture, &scene, MeetingStatus::Active).await;
    for (used, is_fine) in [(QuestionUse::Voted, true), (QuestionUse::Open, false)] {
        let question = scene.question(meeting, QuestionType::YesNo, &["Yes", "No"]);
        let id = question.id;
        fixture.questions().add(question).await.expect("the store answers");
        fixture.mark_used(id, used).await;
        if is_fine {
            let started = fixture.rehearsals().start(new(&scene, meeting, by)).await;
            started.expect("a round that has ended is no hindrance");
            assert_eq!(refused(fixture, new(&scene, meeting, by)).await, RehearsalRule::AlreadyRunning);
        } else {
            assert_eq!(refused(fixture, new(&scene, meeting, by)).await, RehearsalRule::RoundOpen);
        }
    }
}

pub async fn the_next_rehearsal_takes_the_place_of_the_one_before(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let ada = scene.add_person(fixture, "Ada", true).await;
    let first = Rehearsed::new(fixture, &scene).await;
    assert!(first.tap(ada, 500).await);
    end(fixture, &scene, first.meeting, after(&scene, 900)).await;
    scene.clock.advance(TimeDelta::seconds(1));
    let second = start(fixture, &scene, first.meeting).await;
    let seen = first.report(&[], &ALL).await;
    assert_eq!(
        (seen.rehearsal.as_ref(), statuses_by_name(&seen)),
        (Some(&second), vec![("Ada", RehearsalStatus::NeverSignedIn)])
    );
    assert!(!first.tap(ada, 600).await, "the first one is gone");
    let second = Rehearsed { rehearsal: second.id, ..first };
    assert!(second.tap(ada, 700).await);
    assert_eq!(delays(&second.report(&[], &ALL).await), [("Ada", Some(700), Some(700))]);
}

pub async fn ending_twice_is_ending_once(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let rehearsed = Rehearsed::new(fixture, &scene).await;
    let ended = end(fixture, &scene, rehearsed.meeting, after(&scene, 1_000)).await;
    assert_eq!((ended.id, ended.ended_at), (rehearsed.rehearsal, Some(after(&scene, 1_000))));
    assert_eq!(end(fixture, &scene, rehearsed.meeting, after(&scene, 2_000)).await, ended);
    assert_eq!(rehearsed.report(&[], &ALL).await.rehearsal, Some(ended));
    // With the clock of another server.
    let early = start(fixture, &scene, rehearsed.meeting).await;
    let ended = end(fixture, &scene, rehearsed.meeting, after(&scene, -1)).await;
    assert_eq!(ended.ended_at, Some(early.started_at));
}

pub async fn a_discarded_rehearsal_is_gone_with_its_answers(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let ada = scene.add_person(fixture, "Ada", true).await;
    let rehearsed = Rehearsed::new(fixture, &scene).await;
    assert!(rehearsed.tap(ada, 500).await);
    fixture.rehearsals().discard(scene.client.id, rehearsed.meeting).await.expect("there is one");
    assert!(!rehearsed.tap(ada, 600).await);
    let seen = rehearsed.report(&[], &ALL).await;
    assert_eq!((seen.rehearsal.as_ref(), seen.answered), (None, DelayStatistics::default()));
    let again = fixture.rehearsals().discard(scene.client.id, rehearsed.meeting).await;
    assert!(matches!(again, Err(EndRehearsalError::NoRehearsal)), "{again:?}");
    let ended = fixture.rehearsals().end(scene.client.id, rehearsed.meeting, scene.clock.now()).await;
    assert!(matches!(ended, Err(EndRehearsalError::NoRehearsal)), "{ended:?}");
    let anew = Rehearsed { rehearsal: start(fixture, &scene, rehearsed.meeting).await.id, ..rehearsed };
    assert_eq!(statuses_by_name(&anew.report(&[], &ALL).await), [("Ada", RehearsalStatus::NeverSignedIn)]);
}

pub async fn the_first_times_of_an_answer_stay(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let ada = scene.add_person(fixture, "Ada", true).await;
    let ben = scene.add_person(fixture, "Ben", true).await;
    let cleo = scene.add_person(fixture, "Cleo", true).await;
    let rehearsed = Rehearsed::new(fixture, &scene).await;
    assert!(rehearsed.receive(ada, 120).await);
    assert!(rehearsed.receive(ada, 300).await);
    assert_eq!(delays(&rehearsed.report(&[], &ALL).await)[0], ("Ada", Some(120), None));
    assert!(rehearsed.tap(ada, 2_500).await);
    assert!(rehearsed.tap(ada, 9_000).await);
    assert!(rehearsed.receive(ada, 9_500).await);
    // A tap implies receipt, also if the receipt is reported later or never.
    assert!(rehearsed.tap(ben, 800).await);
    assert!(rehearsed.receive(ben, 900).await);
    // With the clock of another server.
    assert!(rehearsed.receive(cleo, 50).await);
    assert!(rehearsed.tap(cleo, -20).await);
    let seen = rehearsed.report(&[], &ALL).await;
    assert_eq!(
        delays(&seen),
        [("Ada", Some(120), Some(2_500)), ("Ben", Some(800), Some(800)), ("Cleo", Some(50), Some(50))]
    );
}

pub async fn an_answer_to_another_rehearsal_is_not_recorded(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let ada = scene.add_person(fixture, "Ada", true).await;
    let rehearsed = Rehearsed::new(fixture, &scene).await;
    let elsewhere = Rehearsed::new(fixture, &scene).await;
    let answer = rehearsed.answer_of(ada, RehearsalStep::Answered, 100);
    for wrong in [
        RehearsalAnswer { rehearsal_id: elsewhere.rehearsal, ..answer },
        RehearsalAnswer { rehearsal_id: RehearsalId::new(&scene.ids), ..answer },
        RehearsalAnswer { meeting_id: MeetingId::new(&scene.ids), ..answer },
        RehearsalAnswer { client_id: ClientId::new(&scene.ids), ..answer },
    ] {
        assert!(!rehearsed.is_noted(wrong).await, "{wrong:?}");
    }
    end(fixture, &scene, rehearsed.meeting, after(&scene, 50)).await;
    assert!(!rehearsed.is_noted(answer).await, "it is over");
    for meeting in [&rehearsed, &elsewhere] {
        assert_eq!(statuses_by_name(&meeting.report(&[], &ALL).await), [("Ada", RehearsalStatus::NeverSignedIn)]);
    }
}

pub async fn only_eligible_voters_are_asked(fixture: &dyn MeetingsFixture) {
    let (scene, stranger) = (Scene::set(fixture).await, Scene::set(fixture).await);
    let ada = scene.add_person(fixture, "Ada", true).await;
    let ben = scene.add_person(fixture, "Ben", true).await;
    let inactive = scene.add_person(fixture, "Cleo", false).await;
    let olga = stranger.add_person(fixture, "Olga", true).await;
    let rehearsed = Rehearsed::new(fixture, &scene).await;
    for (voter, is_asked) in [(ada, true), (ben, true), (inactive, false), (olga, false)] {
        assert_eq!(rehearsed.receive(voter, 10).await, is_asked);
    }
    let connected = [ada, ben, inactive, olga];
    let seen = rehearsed.report(&connected, &ALL).await;
    assert_eq!((statuses_by_name(&seen).len(), seen.counts.invited(), seen.counts.received), (2, 2, 2));

    let invitees = Invitees::These(vec![ada, inactive]);
    fixture.participants().invite(scene.client.id, rehearsed.meeting, invitees).await.expect("there is room");
    for (voter, is_asked) in [(ada, true), (ben, false), (inactive, false)] {
        assert_eq!(rehearsed.tap(voter, 20).await, is_asked);
    }
    let seen = rehearsed.report(&connected, &ALL).await;
    assert_eq!(statuses_by_name(&seen), [("Ada", RehearsalStatus::Answered)]);
    assert_eq!(seen.received.max_ms, Some(10), "of those who are asked now");
}

pub async fn a_rehearsal_ends_with_its_meeting(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let now = after(&scene, 400);
    let by = organizer(fixture, &scene).await;
    for status in MeetingStatus::ALL {
        let meeting = add(fixture, &scene, MeetingStatus::Scheduled).await;
        fixture.rehearsals().start(new(&scene, meeting, by)).await.expect("it can be rehearsed");
        let change = Box::new(move |meeting: &mut Meeting| {
            meeting.status = status;
            Ok(())
        });
        fixture.meetings().update(scene.client.id, meeting, None, change).await.expect("the meeting is there");
        let seen = report(fixture, &scene, meeting, &[]).await.rehearsal.expect("it is kept");
        assert_eq!(seen.is_running(), matches!(status, MeetingStatus::Scheduled | MeetingStatus::Active), "{status:?}");
        assert!(seen.ended_at.is_none_or(|ended_at| ended_at >= seen.started_at));
    }
    let meeting = add(fixture, &scene, MeetingStatus::Active).await;
    fixture.rehearsals().start(new(&scene, meeting, by)).await.expect("it can be rehearsed");
    let over = Box::new(move |meeting: &mut Meeting| meeting.end(now));
    fixture.meetings().update(scene.client.id, meeting, None, over).await.expect("it can be ended");
    assert!(!report(fixture, &scene, meeting, &[]).await.rehearsal.expect("it is kept").is_running());
}

/// Ada and Ben have tapped, Cleo has received it, Dora and Emil are connected (Emil has received it), Finn was
/// connected once, Gus never.
async fn hall<'a>(fixture: &'a dyn MeetingsFixture, scene: &'a Scene) -> (Rehearsed<'a>, Vec<EndUserId>) {
    let mut ids = Vec::new();
    for name in ["Gus", "ben", "Ada", "Cleo", "Dora", "Emil", "Finn"] {
        let signed_in = (name != "Gus").then(|| scene.clock.now());
        let person = Participant { last_login_at: signed_in, ..scene.person(name, true) };
        ids.push(person.id);
        fixture.add_end_user(scene.client.id, person).await;
    }
    let rehearsed = Rehearsed::new(fixture, scene).await;
    for (voter, received, tapped) in [(2, 100, Some(4_000)), (1, 140, Some(1_500)), (3, 90, None), (5, 2_000, None)] {
        assert!(rehearsed.receive(ids[voter], received).await);
        if let Some(tapped) = tapped {
            assert!(rehearsed.tap(ids[voter], tapped).await);
        }
    }
    let connected = vec![ids[2], ids[4], ids[5], ids[4], EndUserId::new(&scene.ids)];
    (rehearsed, connected)
}

pub async fn the_report_tells_how_each_stands_by_name(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let (rehearsed, connected) = hall(fixture, &scene).await;
    let seen = rehearsed.report(&connected, &ALL).await;
    assert_eq!(
        statuses_by_name(&seen),
        [
            ("Ada", RehearsalStatus::Answered),
            ("ben", RehearsalStatus::Answered),
            ("Cleo", RehearsalStatus::Received),
            ("Dora", RehearsalStatus::Connected),
            ("Emil", RehearsalStatus::Received),
            ("Finn", RehearsalStatus::Absent),
            ("Gus", RehearsalStatus::NeverSignedIn),
        ]
    );
    let is_connected: Vec<bool> = seen.page.rows.iter().map(|person| person.signs.is_connected).collect();
    assert_eq!(is_connected, [true, false, false, true, true, false, false]);
    let logins = seen.page.rows.iter().filter(|person| person.signs.last_login_at == Some(scene.clock.now()));
    assert_eq!(logins.count(), 6);
    let counts = RehearsalCounts { answered: 2, received: 2, connected: 1, absent: 1, never_signed_in: 1 };
    assert_eq!((seen.counts, seen.page.total), (counts, 7));
    let statistics =
        |median, p95, max| DelayStatistics { median_ms: Some(median), p95_ms: Some(p95), max_ms: Some(max) };
    assert_eq!((seen.received, seen.answered), (statistics(100, 2_000, 2_000), statistics(1_500, 4_000, 4_000)));
    assert_eq!(delays(&seen)[1], ("ben", Some(140), Some(1_500)));
}

pub async fn the_report_is_searched_filtered_and_shown_in_pages(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let (rehearsed, connected) = hall(fixture, &scene).await;
    let whole = rehearsed.report(&connected, &ALL).await;
    let names = async |filter: RehearsalFilter| {
        let seen = rehearsed.report(&connected, &filter).await;
        assert_eq!((seen.counts, seen.received, seen.answered), (whole.counts, whole.received, whole.answered));
        let names: Vec<String> = seen.page.rows.into_iter().map(|person| person.name).collect();
        (names.join(" "), seen.page.total)
    };
    let some = |names: &str, total| (names.to_owned(), total);
    for (statuses, found) in [
        (&RehearsalStatus::SILENT[..], some("Cleo Dora Emil", 3)),
        (&[RehearsalStatus::Answered], some("Ada ben", 2)),
        (&[RehearsalStatus::Received], some("Cleo Emil", 2)),
        (&[RehearsalStatus::Connected], some("Dora", 1)),
        (&[RehearsalStatus::Absent], some("Finn", 1)),
        (&[RehearsalStatus::NeverSignedIn], some("Gus", 1)),
    ] {
        assert_eq!(names(RehearsalFilter { statuses, ..ALL }).await, found);
    }
    let search = |text: &str| RehearsalFilter { search: SearchText::parse(text), ..ALL };
    assert_eq!(names(search("BEN")).await, some("ben", 1));
    assert_eq!(names(search("%")).await, some("", 0));
    let username = whole.page.rows[3].username.clone();
    assert_eq!(names(search(&username)).await, some("Dora", 1));
    let page = |page, page_size| RehearsalFilter { page: PageRequest { page, page_size }, ..ALL };
    assert_eq!(names(page(1, 3)).await, some("Ada ben Cleo", 7));
    assert_eq!(names(page(3, 3)).await, some("Gus", 7));
    assert_eq!(names(page(4, 3)).await, some("", 7));
    // A letter of two names, and of no username, because usernames are hexadecimal.
    let silent = RehearsalFilter { statuses: &RehearsalStatus::SILENT, ..page(2, 2) };
    assert_eq!(names(RehearsalFilter { search: SearchText::parse("l"), ..silent }).await, some("", 2));
}

pub async fn devices_that_cannot_seal_a_ballot_are_counted_and_found(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let mut ids = Vec::new();
    for name in ["Ada", "Ben", "Cleo"] {
        let person = scene.person(name, true);
        ids.push(person.id);
        fixture.add_end_user(scene.client.id, person).await;
    }
    let rehearsed = Rehearsed::new(fixture, &scene).await;
    for (voter, said) in [(0, Some(false)), (1, Some(true)), (2, Some(false)), (2, Some(true)), (0, None)] {
        let answer = rehearsed.answer_of(ids[voter], RehearsalStep::Received, 100);
        assert!(rehearsed.is_noted(RehearsalAnswer { can_seal: said, ..answer }).await);
    }
    let whole = rehearsed.report(&[], &ALL).await;
    let seals: Vec<_> = whole.page.rows.iter().map(|person| (person.name.as_str(), person.signs.can_seal)).collect();
    assert_eq!(seals, [("Ada", Some(false)), ("Ben", Some(true)), ("Cleo", Some(true))]);
    assert_eq!(whole.cannot_seal, 1);
    let found = rehearsed.report(&[], &RehearsalFilter { can_seal: Some(false), ..ALL }).await;
    assert_eq!((found.page.total, found.page.rows[0].name.as_str(), found.cannot_seal), (1, "Ada", 1));
}

pub async fn presence_is_reported_without_a_rehearsal_too(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let ada = scene.add_person(fixture, "Ada", true).await;
    scene.add_person(fixture, "Ben", true).await;
    let meeting = add(fixture, &scene, MeetingStatus::Draft).await;
    let seen = report(fixture, &scene, meeting, &[ada]).await;
    assert_eq!(statuses_by_name(&seen), [("Ada", RehearsalStatus::Connected), ("Ben", RehearsalStatus::NeverSignedIn)]);
    assert_eq!((seen.rehearsal.as_ref(), seen.received), (None, DelayStatistics::default()));
}

pub async fn one_of_many_racers_starts_the_rehearsal(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let meeting = add(fixture, &scene, MeetingStatus::Active).await;
    let by = organizer(fixture, &scene).await;
    let racers: Vec<_> = (0..10)
        .map(|_| {
            let (rehearsals, new) = (fixture.rehearsals(), new(&scene, meeting, by));
            tokio::spawn(async move { rehearsals.start(new).await })
        })
        .collect();
    let mut started = 0;
    for racer in racers {
        match racer.await.expect("nobody panics") {
            Ok(_) => started += 1,
            Err(StartRehearsalError::Rule(RehearsalRule::AlreadyRunning)) => {}
            Err(other) => panic!("{other:?}"),
        }
    }
    assert_eq!(started, 1);
}

pub async fn a_whole_hall_answers_at_once_and_each_repeats(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let mut voters = Vec::new();
    for number in 0..10 {
        voters.push(scene.add_person(fixture, &format!("Voter {number}"), true).await);
    }
    let rehearsed = Rehearsed::new(fixture, &scene).await;
    let answers: Vec<_> = (0..40)
        .map(|number| {
            let step = if number < 20 { RehearsalStep::Received } else { RehearsalStep::Answered };
            let (rehearsals, answer) =
                (fixture.rehearsals(), rehearsed.answer_of(voters[number % 10], step, 100 + number as i64));
            tokio::spawn(async move { rehearsals.answer(answer).await })
        })
        .collect();
    for answer in answers {
        assert!(answer.await.expect("nobody panics").expect("the store answers"));
    }
    assert_eq!(
        rehearsed.report(&[], &ALL).await.counts,
        RehearsalCounts { answered: 10, ..RehearsalCounts::default() }
    );
}

pub async fn another_clients_rehearsal_is_not_found(fixture: &dyn MeetingsFixture) {
    let (scene, stranger) = (Scene::set(fixture).await, Scene::set(fixture).await);
    let rehearsed = Rehearsed::new(fixture, &scene).await;
    let (other, rehearsals) = (stranger.client.id, fixture.rehearsals());
    let by = organizer(fixture, &stranger).await;
    let started = rehearsals.start(NewRehearsal { client_id: other, ..new(&scene, rehearsed.meeting, by) }).await;
    assert!(matches!(started, Err(StartRehearsalError::MeetingNotFound)), "{started:?}");
    let ended = rehearsals.end(other, rehearsed.meeting, scene.clock.now()).await;
    assert!(matches!(ended, Err(EndRehearsalError::MeetingNotFound)), "{ended:?}");
    let discarded = rehearsals.discard(other, rehearsed.meeting).await;
    assert!(matches!(discarded, Err(EndRehearsalError::MeetingNotFound)), "{discarded:?}");
    let reported = rehearsals.report(other, rehearsed.meeting, Vec::new(), &ALL).await;
    assert_eq!(reported.expect("the store answers"), None);
    let unknown = rehearsals.report(scene.client.id, MeetingId::new(&scene.ids), Vec::new(), &ALL).await;
    assert_eq!(unknown.expect("the store answers"), None);
    assert!(rehearsed.report(&[], &ALL).await.rehearsal.expect("it is there").is_running());
}

pub async fn rehearsals_go_with_their_meeting_and_answers_with_their_end_user(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let ada = scene.add_person(fixture, "Ada", true).await;
    let ben = scene.add_person(fixture, "Ben", true).await;
    let rehearsed = Rehearsed::new(fixture, &scene).await;
    assert!(rehearsed.tap(ada, 100).await && rehearsed.tap(ben, 200).await);
    fixture.remove_end_user(ada).await;
    let seen = rehearsed.report(&[ada], &ALL).await;
    assert_eq!(
        (statuses_by_name(&seen), seen.answered.median_ms),
        (vec![("Ben", RehearsalStatus::Answered)], Some(200))
    );
    fixture.meetings().remove(scene.client.id, rehearsed.meeting).await.expect("it can be removed");
    let looked = fixture.rehearsals().report(scene.client.id, rehearsed.meeting, Vec::new(), &ALL).await;
    assert_eq!(looked.expect("the store answers"), None);
    assert!(!rehearsed.tap(ben, 300).await);
}
