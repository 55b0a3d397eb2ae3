use std::collections::{BTreeSet, HashMap};

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use plenum_kernel::{ClientId, EndUserId, MeetingId, NotedQuorum, PortFailure};
use rust_decimal::Decimal;

use super::InMemoryMeetings;
use crate::testkit::contract::Amended;
use crate::{
    AttendanceFacts, AttendanceNote, AttendanceStore, MAX_REMARKS, MeetingStatus, NewRemark, Noted, Noting, People,
    Remark, RemarkStore, RemarkToStrike, Striking, Struck, WriteRemarkError, decide_noting, decide_striking,
};

#[async_trait]
impl AttendanceStore for InMemoryMeetings {
    async fn note(
        &self,
        meeting: MeetingId,
        connected: Vec<EndUserId>,
        now: DateTime<Utc>,
    ) -> Result<Noted, PortFailure> {
        let mut state = self.state();
        let Some(meeting) = state.meetings.get(&meeting).cloned() else { return Ok(Noted::Over) };
        let notes = state.attendance.get(&meeting.id).map_or(&[][..], Vec::as_slice);
        let last = notes.last().copied();
        let facts = AttendanceFacts {
            is_active: meeting.status == MeetingStatus::Active,
            last_event: meeting.started_at.max(meeting.ended_at),
            notes: notes.len() as u64,
            last_noted_at: last.map(|note| note.noted_at),
            noted_event: state.noted_events.get(&meeting.id).copied(),
        };
        let noting = decide_noting(&facts, now);
        match noting {
            Noting::Over => return Ok(Noted::Over),
            Noting::NotYet => return Ok(Noted::NotYet),
            Noting::IfChanged | Noting::Now => {}
        }
        let eligible: HashMap<EndUserId, Decimal> = state
            .invited(&meeting)
            .filter(|person| person.is_active)
            .map(|person| (person.id, person.weight.as_decimal()))
            .collect();
        let connected: BTreeSet<EndUserId> = connected.into_iter().collect();
        let present = connected.iter().filter_map(|id| eligible.get(id).copied()).collect();
        let in_force = meeting.quorum.map(|quorum| quorum.planned.in_force(meeting.is_second_call));
        let note = AttendanceNote {
            noted_at: now,
            present,
            represented: People::default(),
            eligible: eligible.values().copied().collect(),
            quorum: NotedQuorum::Kept(in_force),
        };
        let is_same = last.is_some_and(|last| (last.present, last.eligible) == (note.present, note.eligible));
        if noting == Noting::IfChanged && is_same {
            return Ok(Noted::Unchanged);
        }
        state.attendance.entry(meeting.id).or_default().push(note);
        state.noted_events.extend(facts.last_event.map(|event| (meeting.id, event)));
        Ok(Noted::Noted)
    }

    async fn list(&self, owner: ClientId, meeting: MeetingId) -> Result<Option<Vec<AttendanceNote>>, PortFailure> {
        let state = self.state();
        let known = state.meeting_of(owner, meeting);
        Ok(known.map(|meeting| state.attendance.get(&meeting.id).cloned().unwrap_or_default()))
    }
}

#[async_trait]
impl RemarkStore for InMemoryMeetings {
    async fn list(&self, owner: ClientId, meeting: MeetingId) -> Result<Option<Vec<Remark>>, PortFailure> {
        let state = self.state();
        if state.meeting_of(owner, meeting).is_none() {
            return Ok(None);
        }
        let mut remarks = state.remarks.get(&meeting).cloned().unwrap_or_default();
        remarks.sort_by_key(|remark| (remark.at, remark.id));
        Ok(Some(remarks))
    }

    async fn add(&self, new: NewRemark) -> Result<Remark, WriteRemarkError> {
        let mut state = self.state();
        state.meeting_of(new.client_id, new.meeting_id).ok_or(WriteRemarkError::MeetingNotFound)?;
        let by = state.accounts.get(&new.by).cloned();
        let by = by.ok_or_else(|| PortFailure::new("the fake", "the account was not seeded"))?;
        let remarks = state.remarks.entry(new.meeting_id).or_default();
        if remarks.len() >= MAX_REMARKS {
            return Err(WriteRemarkError::TooMany);
        }
        let remark = Remark { id: new.id, at: new.at, by, kind: new.kind, text: new.text, struck: None };
        remarks.push(remark.clone());
        let became = Some(remark.text.to_string());
        state.amend_item(new.meeting_id, Amended { about: "REMARK", field: "text", was: None, became });
        Ok(remark)
    }

    async fn strike(&self, remark: RemarkToStrike) -> Result<bool, PortFailure> {
        let RemarkToStrike { client_id, meeting_id, id, at, by } = remark;
        let mut state = self.state();
        let Some(meeting) = state.meeting_of(client_id, meeting_id) else { return Ok(false) };
        let striking = decide_striking(state.was_opened(meeting_id), meeting.closing_hash.is_some());
        let by = state.accounts.get(&by).cloned().unwrap_or_default();
        let remarks = state.remarks.entry(meeting_id).or_default();
        let Some(place) = remarks.iter().position(|remark| remark.id == id) else { return Ok(false) };
        match striking {
            Striking::Remove => drop(remarks.remove(place)),
            Striking::StrikeThrough if remarks[place].struck.is_none() => {
                remarks[place].struck = Some(Struck { at, by });
                let became = Some(at.to_rfc3339());
                state.amend_item(meeting_id, Amended { about: "REMARK", field: "struck", was: None, became });
            }
            Striking::StrikeThrough => {}
        }
        Ok(true)
    }
}
