use std::collections::HashSet;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use plenum_kernel::{ClientId, DeskId, EndUserId, MeetingId, PortFailure};

use super::{InMemoryMeetings, State, part_of};
use crate::{
    AttendanceFilter, AttendancePage, AttendanceRecord, AttendanceTotals, Attendee, CallingDesk, CheckIn, CheckInRule,
    CheckInStore, Desk, DeskStore, DeskTokenHash, MAX_DESKS, MakeDeskError, Meeting, NewDesk, NewPresence,
    NotePresenceError, OwnCheckIn, Participant, PresenceBy, PresenceEntry, PresenceFilter, PresenceKind,
    PresenceOutcome, PresenceRole, PresenceVerdict, PresentSince, check_taking, decide_presence,
};

/// A desk with what its list does not show.
#[derive(Debug)]
pub(super) struct StoredDesk {
    desk: Desk,
    client: ClientId,
    meeting: MeetingId,
    token: DeskTokenHash,
}

impl State {
    fn log_of(&self, meeting: MeetingId) -> &[PresenceEntry] {
        self.presence.get(&meeting).map_or(&[], Vec::as_slice)
    }

    fn last_entry(&self, meeting: MeetingId, person: EndUserId) -> Option<&PresenceEntry> {
        let of_person = self.log_of(meeting).iter().filter(|entry| entry.end_user == person);
        of_person.max_by_key(|entry| (entry.at, entry.number))
    }

    fn present_entry(&self, meeting: MeetingId, person: EndUserId) -> Option<&PresenceEntry> {
        self.last_entry(meeting, person).filter(|entry| entry.kind == PresenceKind::In)
    }

    fn may_vote<'a>(&'a self, meeting: &'a Meeting) -> impl Iterator<Item = &'a Participant> {
        self.invited(meeting).filter(|person| person.is_active)
    }

    fn attendees(&self, meeting: &Meeting) -> Vec<Attendee> {
        let attendee = |person: &Participant| Attendee {
            id: person.id,
            name: person.name.clone(),
            username: person.username.clone(),
            weight: person.weight.as_decimal(),
            // This fake has neither groups with names nor proxies.
            may_vote: true,
            groups: Vec::new(),
            proxies: 0,
            holders: Vec::new(),
            present: self.present_entry(meeting.id, person.id).map(|entry| PresentSince {
                at: entry.at,
                noted_at: entry.noted_at,
                by: entry.by.clone(),
                number: entry.number,
            }),
        };
        let mut all: Vec<Attendee> = self.may_vote(meeting).map(attendee).collect();
        all.sort_by_key(|person| (person.name.to_lowercase(), person.id));
        all
    }
}

#[async_trait]
impl CheckInStore for InMemoryMeetings {
    async fn note(&self, new: NewPresence) -> Result<PresenceOutcome, NotePresenceError> {
        let mut state = self.state();
        let meeting = state.meeting_of(new.client, new.meeting).ok_or(NotePresenceError::MeetingNotFound)?.clone();
        let log = state.log_of(meeting.id);
        if let Some(known) = log.iter().find(|entry| entry.id == new.id) {
            return Ok(PresenceOutcome::Repeated(known.clone()));
        }
        let entries = u32::try_from(log.len()).unwrap_or(u32::MAX);
        check_taking(meeting.check_in, meeting.status, entries)?;
        let present = state.present_entry(meeting.id, new.end_user).cloned();
        let last = state.last_entry(meeting.id, new.end_user).cloned();
        let known = state.end_users.get(&new.end_user).filter(|(client, _)| *client == new.client);
        let person = known.map(|(_, person)| person.clone()).ok_or(NotePresenceError::EndUserNotFound)?;
        if present.is_none() && !state.may_vote(&meeting).any(|one| one.id == person.id) {
            return Err(CheckInRule::NotEligible.into());
        }
        let at = match decide_presence(&new, present.is_some(), last.as_ref().map(|last| last.at)) {
            PresenceVerdict::Note(at) => at,
            PresenceVerdict::AlreadyIn => return present.map(PresenceOutcome::AlreadyIn).ok_or_else(impossible),
            PresenceVerdict::AlreadyOut => return Ok(PresenceOutcome::AlreadyOut(last)),
            PresenceVerdict::Overtaken => return last.map(PresenceOutcome::Overtaken).ok_or_else(impossible),
        };
        let (role, by) = match new.by {
            PresenceBy::Organizer(account) => {
                (PresenceRole::Organizer, state.accounts.get(&account).cloned().unwrap_or_default())
            }
            PresenceBy::Desk(desk) => {
                let known = state.desks.iter().find(|known| known.desk.id == desk);
                (PresenceRole::Desk, known.map(|known| known.desk.name.to_string()).unwrap_or_default())
            }
            PresenceBy::Person => (PresenceRole::Person, person.name.clone()),
        };
        let entry = PresenceEntry {
            id: new.id,
            number: entries + 1,
            end_user: person.id,
            username: person.username,
            name: person.name,
            kind: new.kind,
            at,
            noted_at: new.now.max(at),
            role,
            by,
        };
        state.presence.entry(meeting.id).or_default().push(entry.clone());
        Ok(PresenceOutcome::Noted(entry))
    }

    async fn people(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        filter: &AttendanceFilter,
    ) -> Result<Option<AttendancePage>, PortFailure> {
        let state = self.state();
        let Some(meeting) = state.meeting_of(owner, meeting) else { return Ok(None) };
        let all = state.attendees(meeting);
        let totals = totals(&all, state.log_of(meeting.id));
        let is_found = |person: &Attendee| {
            let is_wanted =
                filter.presence.is_none_or(|wanted| (wanted == PresenceFilter::Present) == person.present.is_some());
            let search = filter.search.as_ref();
            is_wanted && search.is_none_or(|search| search.is_in(&person.name) || search.is_in(&person.username))
        };
        let page = part_of(all.into_iter().filter(is_found).collect(), filter.page);
        Ok(Some(AttendancePage { rows: page.rows, total: page.total, totals }))
    }

    async fn totals(&self, owner: ClientId, meeting: MeetingId) -> Result<Option<AttendanceTotals>, PortFailure> {
        let state = self.state();
        let known = state.meeting_of(owner, meeting);
        Ok(known.map(|meeting| totals(&state.attendees(meeting), state.log_of(meeting.id))))
    }

    async fn record(&self, owner: ClientId, meeting: MeetingId) -> Result<Option<AttendanceRecord>, PortFailure> {
        let state = self.state();
        let known = state.meeting_of(owner, meeting);
        Ok(known.map(|meeting| AttendanceRecord {
            people: state.attendees(meeting),
            log: state.log_of(meeting.id).to_vec(),
        }))
    }

    async fn people_after(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        after: Option<EndUserId>,
        limit: u32,
    ) -> Result<Vec<Attendee>, PortFailure> {
        let state = self.state();
        let Some(meeting) = state.meeting_of(owner, meeting) else { return Ok(Vec::new()) };
        let mut people = state.attendees(meeting);
        people.sort_by_key(|person| person.id);
        Ok(people.into_iter().filter(|person| Some(person.id) > after).take(limit as usize).collect())
    }

    async fn entries_after(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        number: u32,
        limit: u32,
    ) -> Result<Vec<PresenceEntry>, PortFailure> {
        let state = self.state();
        let known = state.meeting_of(owner, meeting).is_some();
        let later = state.log_of(meeting).iter().filter(|entry| known && entry.number > number);
        Ok(later.take(limit as usize).cloned().collect())
    }

    async fn own(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        voter: EndUserId,
    ) -> Result<Option<OwnCheckIn>, PortFailure> {
        let state = self.state();
        let known = state.meeting_of(owner, meeting);
        Ok(known.map(|meeting| OwnCheckIn {
            is_on: meeting.check_in == CheckIn::On,
            is_self: meeting.self_check_in,
            present: state.present_entry(meeting.id, voter).cloned(),
        }))
    }

    async fn codes(&self, meeting: MeetingId, numbers: Vec<i64>) -> Result<Option<Vec<String>>, PortFailure> {
        let state = self.state();
        let takes = |meeting: &&Meeting| {
            meeting.check_in == CheckIn::On && meeting.self_check_in && meeting.status.link_is_good()
        };
        let known = state.meetings.get(&meeting).filter(takes);
        let code = |number: i64| format!("{:06}", (number + meeting.as_uuid().as_u128() as i64).rem_euclid(1_000_000));
        Ok(known.map(|_| numbers.into_iter().map(code).collect()))
    }
}

fn impossible() -> NotePresenceError {
    PortFailure::new("the fake", "the verdict names an entry").into()
}

#[async_trait]
impl DeskStore for InMemoryMeetings {
    async fn add(&self, new: NewDesk) -> Result<Desk, MakeDeskError> {
        let mut state = self.state();
        let meeting = state.meeting_of(new.client, new.meeting).ok_or(MakeDeskError::MeetingNotFound)?;
        if !meeting.link_is_good() {
            return Err(MakeDeskError::MeetingOver);
        }
        let is_working = |known: &&StoredDesk| known.meeting == new.meeting && known.desk.revoked_at.is_none();
        let working: Vec<&StoredDesk> = state.desks.iter().filter(is_working).collect();
        if working.len() as u64 >= MAX_DESKS {
            return Err(MakeDeskError::TooMany);
        }
        let names: HashSet<String> = working.iter().map(|known| known.desk.name.as_str().to_lowercase()).collect();
        if names.contains(&new.name.as_str().to_lowercase()) {
            return Err(MakeDeskError::NameTaken);
        }
        let made_by = state.accounts.get(&new.by).cloned().unwrap_or_default();
        let NewDesk { id, name, purpose, now: made_at, .. } = new;
        let desk = Desk { id, name, purpose, made_at, made_by, revoked_at: None };
        state.desks.push(StoredDesk {
            desk: desk.clone(),
            client: new.client,
            meeting: new.meeting,
            token: new.token_hash,
        });
        Ok(desk)
    }

    async fn list(&self, owner: ClientId, meeting: MeetingId) -> Result<Option<Vec<Desk>>, PortFailure> {
        let state = self.state();
        let known = state.meeting_of(owner, meeting).is_some();
        let desks = state.desks.iter().filter(|desk| desk.meeting == meeting).map(|desk| desk.desk.clone()).collect();
        Ok(known.then_some(desks))
    }

    async fn revoke(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        desk: DeskId,
        now: DateTime<Utc>,
    ) -> Result<bool, PortFailure> {
        let mut state = self.state();
        let is_meant =
            |known: &&mut StoredDesk| known.desk.id == desk && known.meeting == meeting && known.client == owner;
        let found = state.desks.iter_mut().find(is_meant);
        Ok(found.is_some_and(|known| {
            known.desk.revoked_at.get_or_insert(now);
            true
        }))
    }

    async fn find(&self, token: &DeskTokenHash) -> Result<Option<CallingDesk>, PortFailure> {
        let state = self.state();
        let Some(known) = state.desks.iter().find(|known| known.token == *token) else { return Ok(None) };
        let Some(meeting) = state.meetings.get(&known.meeting) else { return Ok(None) };
        Ok(Some(CallingDesk {
            id: known.desk.id,
            name: known.desk.name.to_string(),
            purpose: known.desk.purpose,
            made_at: known.desk.made_at,
            is_revoked: known.desk.revoked_at.is_some(),
            client: known.client,
            client_name: state.client(known.client)?.name.clone(),
            meeting: meeting.id,
            meeting_title: meeting.title.to_string(),
            status: meeting.status,
            check_in: meeting.check_in,
            weight_kind: meeting.weight_kind.map(|kind| state.named_kind(kind)),
        }))
    }
}

fn totals(people: &[Attendee], log: &[PresenceEntry]) -> AttendanceTotals {
    AttendanceTotals {
        present: people.iter().filter(|person| person.present.is_some()).map(|person| person.weight).collect(),
        eligible: people.iter().map(|person| person.weight).collect(),
        entries: u32::try_from(log.len()).unwrap_or(u32::MAX),
    }
}
