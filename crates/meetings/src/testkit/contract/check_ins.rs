//! The contract of [`crate::CheckInStore`] and [`crate::DeskStore`], without rounds.

#![expect(missing_docs, reason = "the name of a case describes it")]

use chrono::{DateTime, TimeDelta, Utc};
use plenum_kernel::{
    AccountId, ClientId, Clock as _, DeskId, EndUserId, MeetingId, PageRequest, PresenceEntryId, SearchText,
};

use super::{MeetingsFixture, Scene};
use crate::{
    AttendanceFilter, CheckIn, CheckInRule, Desk, DeskName, DeskPurpose, DeskTokenHash, Invitees, MakeDeskError,
    Meeting, MeetingChanges, MeetingRule, MeetingStatus, NewDesk, NewPresence, NotePresenceError, People, PresenceBy,
    PresenceEntry, PresenceFilter, PresenceKind, PresenceOutcome, PresenceRole, QuestionUse, UpdateMeetingError,
};

/// A running meeting with check-in, a desk and three people.
struct Hall {
    scene: Scene,
    meeting: MeetingId,
    desk: DeskId,
    maria: AccountId,
    people: [EndUserId; 3],
}

impl Hall {
    async fn open(fixture: &dyn MeetingsFixture) -> Self {
        let scene = Scene::set(fixture).await;
        let draft = scene.draft("General assembly", 1);
        let meeting = Meeting { status: MeetingStatus::Active, check_in: CheckIn::On, self_check_in: true, ..draft };
        let meeting = scene.add(fixture, Meeting { started_at: Some(scene.clock.now()), ..meeting }).await;
        let maria = AccountId::new(&scene.ids);
        fixture.add_account(scene.client.id, maria, "Maria", "Keller").await;
        let mut people = Vec::new();
        for name in ["Ada", "Ben", "Clara"] {
            people.push(scene.add_person(fixture, name, true).await);
        }
        let people = people.try_into().expect("there are three");
        let desk = DeskId::new(&scene.ids);
        let hall = Self { scene, meeting, desk, maria, people };
        fixture.desks().add(hall.new_desk(desk, "Desk 1")).await.expect("the store answers");
        hall
    }

    fn new_desk(&self, id: DeskId, name: &str) -> NewDesk {
        NewDesk {
            id,
            client: self.scene.client.id,
            meeting: self.meeting,
            name: DeskName::parse(name).expect("a name"),
            purpose: DeskPurpose::CheckIn,
            token_hash: DeskTokenHash(id.as_uuid().as_bytes().to_vec()),
            now: self.scene.clock.now(),
            by: self.maria,
        }
    }

    fn at(&self, seconds: i64) -> DateTime<Utc> {
        self.scene.clock.now() + TimeDelta::seconds(seconds)
    }

    /// A new entry of the desk at this second.
    fn entry(&self, person: EndUserId, kind: PresenceKind, seconds: i64) -> NewPresence {
        NewPresence {
            id: PresenceEntryId::new(&self.scene.ids),
            client: self.scene.client.id,
            meeting: self.meeting,
            end_user: person,
            kind,
            happened_at: None,
            now: self.at(seconds),
            by: PresenceBy::Desk(self.desk),
        }
    }

    async fn comes(&self, fixture: &dyn MeetingsFixture, person: EndUserId, seconds: i64) -> PresenceOutcome {
        noted(fixture, self.entry(person, PresenceKind::In, seconds)).await
    }

    async fn goes(&self, fixture: &dyn MeetingsFixture, person: EndUserId, seconds: i64) -> PresenceOutcome {
        noted(fixture, self.entry(person, PresenceKind::Out, seconds)).await
    }

    async fn log(&self, fixture: &dyn MeetingsFixture) -> Vec<PresenceEntry> {
        let record = fixture.check_ins().record(self.scene.client.id, self.meeting).await;
        record.expect("the store answers").expect("the meeting is there").log
    }

    async fn present(&self, fixture: &dyn MeetingsFixture) -> Vec<EndUserId> {
        let filter = AttendanceFilter { presence: Some(PresenceFilter::Present), ..AttendanceFilter::default() };
        let page = fixture.check_ins().people(self.scene.client.id, self.meeting, &filter).await;
        page.expect("the store answers").expect("the meeting is there").rows.iter().map(|person| person.id).collect()
    }
}

async fn noted(fixture: &dyn MeetingsFixture, new: NewPresence) -> PresenceOutcome {
    fixture.check_ins().note(new).await.expect("a person of the meeting")
}

fn entry_of(outcome: PresenceOutcome) -> PresenceEntry {
    match outcome {
        PresenceOutcome::Noted(entry) => entry,
        other => panic!("{other:?} instead of a new entry"),
    }
}

pub async fn a_person_comes_and_goes_with_times_and_authors(fixture: &dyn MeetingsFixture) {
    let hall = Hall::open(fixture).await;
    let [ada, ben, _] = hall.people;
    let came = entry_of(hall.comes(fixture, ada, 1).await);
    assert_eq!((came.number, came.kind, came.at), (1, PresenceKind::In, hall.at(1)));
    assert_eq!((came.role, came.by.as_str(), came.name.as_str()), (PresenceRole::Desk, "Desk 1", "Ada"));
    let by_hand = NewPresence { by: PresenceBy::Organizer(hall.maria), ..hall.entry(ben, PresenceKind::In, 2) };
    let by_hand = entry_of(noted(fixture, by_hand).await);
    assert_eq!((by_hand.role, by_hand.by.as_str()), (PresenceRole::Organizer, "Maria Keller"));
    let went = entry_of(hall.goes(fixture, ada, 3).await);
    let themself = NewPresence { by: PresenceBy::Person, ..hall.entry(ada, PresenceKind::In, 4) };
    let again = entry_of(noted(fixture, themself).await);
    assert_eq!((again.role, again.by.as_str()), (PresenceRole::Person, "Ada"));
    assert_eq!(hall.log(fixture).await, [came, by_hand, went, again]);
    assert_eq!(hall.present(fixture).await, [ada, ben]);
}

pub async fn who_is_in_already_stays_in_by_the_first_entry(fixture: &dyn MeetingsFixture) {
    let hall = Hall::open(fixture).await;
    let ada = hall.people[0];
    assert_eq!(hall.goes(fixture, ada, 1).await, PresenceOutcome::AlreadyOut(None));
    let came = entry_of(hall.comes(fixture, ada, 1).await);
    assert_eq!(hall.comes(fixture, ada, 2).await, PresenceOutcome::AlreadyIn(came.clone()));
    let went = entry_of(hall.goes(fixture, ada, 3).await);
    assert_eq!(hall.goes(fixture, ada, 4).await, PresenceOutcome::AlreadyOut(Some(went.clone())));
    assert_eq!(hall.log(fixture).await, [came, went]);
}

pub async fn a_repeated_entry_is_the_same_entry(fixture: &dyn MeetingsFixture) {
    let hall = Hall::open(fixture).await;
    let ada = hall.people[0];
    let new = hall.entry(ada, PresenceKind::In, 1);
    let came = entry_of(noted(fixture, new.clone()).await);
    entry_of(hall.goes(fixture, ada, 2).await);
    // The response of the first request was lost, and the person has gone since.
    assert_eq!(noted(fixture, NewPresence { now: hall.at(3), ..new }).await, PresenceOutcome::Repeated(came));
    assert_eq!(hall.present(fixture).await, []);
    assert_eq!(hall.log(fixture).await.len(), 2);
}

pub async fn an_entry_of_a_desk_without_a_network_has_both_times(fixture: &dyn MeetingsFixture) {
    let hall = Hall::open(fixture).await;
    let [ada, ben, _] = hall.people;
    let late = |person, kind, happened: i64, now: i64| NewPresence {
        happened_at: Some(hall.at(happened)),
        ..hall.entry(person, kind, now)
    };
    let came = entry_of(noted(fixture, late(ada, PresenceKind::In, 10, 70)).await);
    assert_eq!((came.at, came.noted_at), (hall.at(10), hall.at(70)));
    // Another desk has checked Ben in and out meanwhile.
    entry_of(hall.comes(fixture, ben, 20).await);
    let went = entry_of(hall.goes(fixture, ben, 50).await);
    let overtaken = noted(fixture, late(ben, PresenceKind::In, 40, 80)).await;
    assert_eq!(overtaken, PresenceOutcome::Overtaken(went));
    assert_eq!(hall.present(fixture).await, [ada]);
}

pub async fn two_desks_with_one_person_at_once_make_one_entry(fixture: &dyn MeetingsFixture) {
    let hall = Hall::open(fixture).await;
    let store = fixture.check_ins();
    for person in hall.people {
        let (one, other) = (hall.entry(person, PresenceKind::In, 1), hall.entry(person, PresenceKind::In, 1));
        let (one, other) = tokio::join!(store.note(one), store.note(other));
        let outcomes = [one.expect("the store answers"), other.expect("the store answers")];
        let came: Vec<_> = outcomes.iter().filter(|outcome| outcome.is_change()).collect();
        assert_eq!(came.len(), 1, "{outcomes:?}");
        let other = outcomes.iter().find(|outcome| !outcome.is_change()).expect("there are two");
        assert!(matches!(other, PresenceOutcome::AlreadyIn(entry) if entry.end_user == person), "{other:?}");
    }
    assert_eq!(hall.log(fixture).await.len(), 3);
}

pub async fn only_people_of_the_meeting_are_checked_in(fixture: &dyn MeetingsFixture) {
    let hall = Hall::open(fixture).await;
    let inactive = hall.scene.add_person(fixture, "Dora", false).await;
    let stranger = EndUserId::new(&hall.scene.ids);
    let store = fixture.check_ins();
    let note = |person| store.note(hall.entry(person, PresenceKind::In, 1));
    assert!(matches!(note(inactive).await, Err(NotePresenceError::Rule(CheckInRule::NotEligible))));
    assert!(matches!(note(stranger).await, Err(NotePresenceError::EndUserNotFound)));
    let [ada, ben, _] = hall.people;
    entry_of(hall.comes(fixture, ben, 1).await);
    let invitees = Invitees::These(vec![ada]);
    fixture.participants().invite(hall.scene.client.id, hall.meeting, invitees).await.expect("the store answers");
    assert!(matches!(note(hall.people[2]).await, Err(NotePresenceError::Rule(CheckInRule::NotEligible))));
    // Ben is not invited any more, and can still be checked out.
    entry_of(hall.goes(fixture, ben, 2).await);
}

pub async fn nobody_is_checked_in_without_check_in_or_after_the_end(fixture: &dyn MeetingsFixture) {
    let hall = Hall::open(fixture).await;
    let ada = hall.people[0];
    let meetings = fixture.meetings();
    let change = |changes: MeetingChanges| {
        let now = hall.at(1);
        let decide = Box::new(move |meeting: &mut Meeting| meeting.change(changes, now));
        meetings.update(hall.scene.client.id, hall.meeting, None, decide)
    };
    change(MeetingChanges { check_in: Some(CheckIn::Off), ..MeetingChanges::default() })
        .await
        .expect("no round is open");
    let store = fixture.check_ins();
    let note = || store.note(hall.entry(ada, PresenceKind::In, 1));
    assert!(matches!(note().await, Err(NotePresenceError::Rule(CheckInRule::Off))));
    let ended = MeetingChanges {
        check_in: Some(CheckIn::On),
        status: Some(MeetingStatus::Completed),
        ..MeetingChanges::default()
    };
    change(ended).await.expect("the meeting can end");
    assert!(matches!(note().await, Err(NotePresenceError::Rule(CheckInRule::MeetingOver))));
    assert_eq!(fixture.check_ins().codes(hall.meeting, vec![1]).await.expect("the store answers"), None);
}

pub async fn check_in_is_not_switched_while_a_round_is_open(fixture: &dyn MeetingsFixture) {
    let hall = Hall::open(fixture).await;
    let question = hall.scene.question(hall.meeting, plenum_kernel::QuestionType::YesNo, &["Yes", "No"]);
    let id = question.id;
    let added = fixture.questions().add(question).await;
    added.expect("the store answers");
    fixture.mark_used(id, QuestionUse::Open).await;
    let meetings = fixture.meetings();
    let change = |check_in| {
        let changes = MeetingChanges { check_in: Some(check_in), ..MeetingChanges::default() };
        let now = hall.at(1);
        let decide = Box::new(move |meeting: &mut Meeting| meeting.change(changes, now));
        meetings.update(hall.scene.client.id, hall.meeting, None, decide)
    };
    let refused = change(CheckIn::Off).await;
    assert!(matches!(refused, Err(UpdateMeetingError::Rule(MeetingRule::CheckInInUse))), "{refused:?}");
    change(CheckIn::On).await.expect("nothing is switched");
}

pub async fn the_list_is_searched_filtered_and_paged(fixture: &dyn MeetingsFixture) {
    let hall = Hall::open(fixture).await;
    let [ada, ben, clara] = hall.people;
    entry_of(hall.comes(fixture, clara, 1).await);
    entry_of(hall.comes(fixture, ada, 2).await);
    let list = |filter: AttendanceFilter| async move {
        let page = fixture.check_ins().people(hall.scene.client.id, hall.meeting, &filter).await;
        let page = page.expect("the store answers").expect("the meeting is there");
        (page.rows.iter().map(|person| person.id).collect::<Vec<_>>(), page.total, page.totals)
    };
    let one = |weight: u64| People { heads: weight, weight: weight.into() };
    let (all, total, totals) = list(AttendanceFilter::default()).await;
    assert_eq!((all, total), (vec![ada, ben, clara], 3));
    assert_eq!((totals.present, totals.eligible, totals.entries), (one(2), one(3), 2));
    let alone = fixture.check_ins().totals(hall.scene.client.id, hall.meeting).await;
    assert_eq!(alone.expect("the store answers"), Some(totals));
    let absent = AttendanceFilter { presence: Some(PresenceFilter::Absent), ..AttendanceFilter::default() };
    assert_eq!(list(absent).await.0, [ben]);
    let found = AttendanceFilter { search: SearchText::parse("LAR"), ..AttendanceFilter::default() };
    assert_eq!(list(found).await.0, [clara]);
    let page = PageRequest { page: 2, page_size: 2 };
    let (rows, total, totals) = list(AttendanceFilter { page: Some(page), ..AttendanceFilter::default() }).await;
    assert_eq!((rows, total, totals.present), (vec![clara], 3, one(2)));
}

pub async fn a_desk_reads_people_in_parts_and_what_changed_since(fixture: &dyn MeetingsFixture) {
    let hall = Hall::open(fixture).await;
    let store = fixture.check_ins();
    let (owner, meeting) = (hall.scene.client.id, hall.meeting);
    let came = entry_of(hall.comes(fixture, hall.people[1], 1).await);
    let mut sorted = hall.people;
    sorted.sort();
    let part = store.people_after(owner, meeting, None, 2).await.expect("the store answers");
    let ids = |part: &[crate::Attendee]| part.iter().map(|person| person.id).collect::<Vec<_>>();
    assert_eq!(ids(&part), sorted[..2]);
    let rest = store.people_after(owner, meeting, Some(sorted[1]), 2).await.expect("the store answers");
    assert_eq!(ids(&rest), sorted[2..]);
    let there = part.iter().chain(&rest).find(|person| person.present.is_some()).expect("one is there");
    assert_eq!((there.id, there.present.as_ref().map(|present| present.number)), (came.end_user, Some(1)));
    let went = entry_of(hall.goes(fixture, came.end_user, 2).await);
    let entries = |after| store.entries_after(owner, meeting, after, 10);
    assert_eq!(entries(0).await.expect("the store answers"), [came, went.clone()]);
    assert_eq!(entries(1).await.expect("the store answers"), [went]);
    assert_eq!(entries(2).await.expect("the store answers"), []);
}

pub async fn codes_change_and_are_of_one_meeting(fixture: &dyn MeetingsFixture) {
    let hall = Hall::open(fixture).await;
    let store = fixture.check_ins();
    let codes = store.codes(hall.meeting, vec![7, 8, 7]).await.expect("the store answers").expect("they are on");
    assert!(codes[0] != codes[1] && codes[0] == codes[2], "{codes:?}");
    assert!(codes.iter().all(|code| code.len() == 6 && code.chars().all(|digit| digit.is_ascii_digit())));
    let other = Meeting { check_in: CheckIn::On, ..hall.scene.draft("Another", 2) };
    let other = hall.scene.add(fixture, other).await;
    assert_eq!(store.codes(other, vec![7]).await.expect("the store answers"), None, "self check-in is off");
    let own = store.own(hall.scene.client.id, hall.meeting, hall.people[0]).await.expect("the store answers");
    let own = own.expect("the meeting is there");
    assert_eq!((own.is_on, own.is_self, own.present), (true, true, None));
}

pub async fn desks_are_made_listed_found_and_revoked(fixture: &dyn MeetingsFixture) {
    let hall = Hall::open(fixture).await;
    let (store, owner) = (fixture.desks(), hall.scene.client.id);
    let second = DeskId::new(&hall.scene.ids);
    let made = store.add(hall.new_desk(second, "Side entrance")).await.expect("the name is free");
    assert_eq!((made.made_by.as_str(), made.revoked_at), ("Maria Keller", None));
    let third = DeskId::new(&hall.scene.ids);
    assert!(matches!(store.add(hall.new_desk(third, "DESK 1")).await, Err(MakeDeskError::NameTaken)));
    let hash = |id: DeskId| DeskTokenHash(id.as_uuid().as_bytes().to_vec());
    let found = store.find(&hash(second)).await.expect("the store answers").expect("the desk is there");
    assert!(found.works());
    assert_eq!((found.meeting, found.client, found.name.as_str()), (hall.meeting, owner, "Side entrance"));
    assert_eq!(found.weight_kind, None);
    assert!(store.revoke(owner, hall.meeting, second, hall.at(1)).await.expect("the store answers"));
    assert!(store.revoke(owner, hall.meeting, second, hall.at(2)).await.expect("the store answers"), "again");
    assert!(!store.find(&hash(second)).await.expect("the store answers").expect("it is known").works());
    let desks = store.list(owner, hall.meeting).await.expect("the store answers").expect("the meeting is there");
    let shown: Vec<_> = desks.iter().map(|desk: &Desk| (desk.name.as_str(), desk.revoked_at)).collect();
    assert_eq!(shown, [("Desk 1", None), ("Side entrance", Some(hall.at(1)))]);
    store.add(hall.new_desk(third, "Side entrance")).await.expect("the other one is revoked");
    assert_eq!(store.find(&DeskTokenHash(vec![1])).await.expect("the store answers"), None);
}

pub async fn another_clients_meeting_is_not_found(fixture: &dyn MeetingsFixture) {
    let hall = Hall::open(fixture).await;
    let other = ClientId::new(&hall.scene.ids);
    let (store, desks, meeting) = (fixture.check_ins(), fixture.desks(), hall.meeting);
    let new = NewPresence { client: other, ..hall.entry(hall.people[0], PresenceKind::In, 1) };
    assert!(matches!(store.note(new).await, Err(NotePresenceError::MeetingNotFound)));
    let filter = AttendanceFilter::default();
    assert_eq!(store.people(other, meeting, &filter).await.expect("the store answers"), None);
    assert_eq!(store.record(other, meeting).await.expect("the store answers"), None);
    assert_eq!(store.totals(other, meeting).await.expect("the store answers"), None);
    assert_eq!(store.own(other, meeting, hall.people[0]).await.expect("the store answers"), None);
    assert_eq!(store.people_after(other, meeting, None, 9).await.expect("the store answers"), []);
    assert_eq!(store.entries_after(other, meeting, 0, 9).await.expect("the store answers"), []);
    assert_eq!(desks.list(other, meeting).await.expect("the store answers"), None);
    assert!(!desks.revoke(other, meeting, hall.desk, hall.at(1)).await.expect("the store answers"));
    let new = NewDesk { client: other, ..hall.new_desk(DeskId::new(&hall.scene.ids), "Desk 2") };
    assert!(matches!(desks.add(new).await, Err(MakeDeskError::MeetingNotFound)));
}
