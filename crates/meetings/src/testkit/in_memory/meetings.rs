use std::cmp::Reverse;
use std::collections::HashSet;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use plenum_kernel::{AccountId, ClientId, EndUserId, GroupId, MeetingId, Page, PortFailure};

use super::InMemoryMeetings;
use crate::{
    Invitation, InvitationTarget, MAX_VOTER_MEETINGS, Meeting, MeetingClient, MeetingCopy, MeetingDecision,
    MeetingFilter, MeetingOverview, MeetingSort, MeetingStats, MeetingStatus, MeetingStore, Question, QuestionUse,
    UpdateMeetingError, VoterMeeting, VoterMeetings,
};

#[async_trait]
impl MeetingStore for InMemoryMeetings {
    async fn add(&self, meeting: Meeting, agenda: Vec<Question>) -> Result<(), UpdateMeetingError> {
        let mut state = self.state();
        state.client(meeting.client_id)?;
        let are_known = |groups: &[GroupId]| state.has_groups(meeting.client_id, groups);
        if !are_known(&meeting.groups)
            || !agenda.iter().all(|question| are_known(&question.groups) && are_known(&question.rule_groups()))
        {
            return Err(UpdateMeetingError::UnknownGroups);
        }
        let are_kinds_known = agenda.iter().all(|question| state.check_kinds(meeting.client_id, question).is_ok());
        if !are_kinds_known || !state.has_kind(meeting.client_id, &meeting) {
            return Err(UpdateMeetingError::UnknownWeightKind);
        }
        if meeting.status == MeetingStatus::Active {
            meeting.check_room(state.invited(&meeting).count() as u64)?;
        }
        let mut meeting = meeting;
        if meeting.closes(None) {
            state.close(&mut meeting);
        }
        state.meetings.insert(meeting.id, meeting);
        state.questions.extend(agenda);
        Ok(())
    }

    async fn copy(&self, owner: ClientId, id: MeetingId, copy: MeetingCopy) -> Result<MeetingId, UpdateMeetingError> {
        let mut state = self.state();
        let original = state.meeting_of(owner, id).ok_or(UpdateMeetingError::NotFound)?;
        let (meeting, agenda) = copy(original, &state.agenda(id));
        let copied = meeting.id;
        if let Some(mut listed) = state.listed.get(&id).cloned() {
            listed.retain(|id| state.end_users.get(id).is_some_and(|(_, person)| !person.is_erased));
            state.listed.insert(copied, listed);
        }
        state.meetings.insert(copied, meeting);
        state.questions.extend(agenda);
        Ok(copied)
    }

    async fn find(&self, owner: ClientId, id: MeetingId) -> Result<Option<MeetingOverview>, PortFailure> {
        let state = self.state();
        state.meeting_of(owner, id).map(|meeting| state.overview(meeting)).transpose()
    }

    async fn list(&self, owner: ClientId, filter: &MeetingFilter) -> Result<Page<MeetingOverview>, PortFailure> {
        let state = self.state();
        let is_found = |meeting: &Meeting| {
            filter.search.as_ref().is_none_or(|search| {
                search.is_in(meeting.title.as_str())
                    || meeting.description.as_ref().is_some_and(|text| search.is_in(text.as_str()))
            })
        };
        let mut found: Vec<&Meeting> = state
            .meetings
            .values()
            .filter(|meeting| meeting.client_id == owner && is_found(meeting))
            .filter(|meeting| filter.statuses.is_empty() || filter.statuses.contains(&meeting.status))
            .collect();
        let title = |meeting: &Meeting| meeting.title.as_str().to_lowercase();
        match filter.sort {
            MeetingSort::LatestFirst => found.sort_by_key(|meeting| Reverse((meeting.schedule.start(), meeting.id))),
            MeetingSort::TitleAscending => found.sort_by_key(|meeting| (title(meeting), meeting.id)),
            MeetingSort::TitleDescending => found.sort_by_key(|meeting| Reverse((title(meeting), meeting.id))),
        }
        let total = found.len() as u64;
        let (skipped, taken) = filter.page.map_or((0, usize::MAX), |page| {
            (usize::try_from(page.offset()).unwrap_or(usize::MAX), page.page_size as usize)
        });
        let rows = found.into_iter().skip(skipped).take(taken).map(|meeting| state.overview(meeting));
        Ok(Page { rows: rows.collect::<Result<_, _>>()?, total })
    }

    async fn stats(&self, owner: ClientId) -> Result<MeetingStats, PortFailure> {
        let mut stats = MeetingStats::default();
        let state = self.state();
        let counts_tests = state.clients.get(&owner).is_some_and(MeetingClient::is_test);
        let counted = |meeting: &&Meeting| meeting.client_id == owner && (counts_tests || !meeting.is_test());
        for meeting in state.meetings.values().filter(counted) {
            stats.total += 1;
            match meeting.status {
                MeetingStatus::Draft => stats.draft += 1,
                MeetingStatus::Scheduled => stats.scheduled += 1,
                MeetingStatus::Active => stats.active += 1,
                MeetingStatus::Completed => stats.completed += 1,
                MeetingStatus::Cancelled => stats.cancelled += 1,
            }
        }
        Ok(stats)
    }

    async fn update(
        &self,
        owner: ClientId,
        id: MeetingId,
        _by: Option<AccountId>,
        decide: MeetingDecision,
    ) -> Result<Meeting, UpdateMeetingError> {
        let mut state = self.state();
        let mut meeting = state.meeting_of(owner, id).ok_or(UpdateMeetingError::NotFound)?.clone();
        let before = meeting.clone();
        let was_active = before.status == MeetingStatus::Active;
        decide(&mut meeting)?;
        before.check_test_mark(&meeting, state.was_opened(id))?;
        if !state.has_groups(owner, &meeting.groups) {
            return Err(UpdateMeetingError::UnknownGroups);
        }
        if !state.has_kind(owner, &meeting) {
            return Err(UpdateMeetingError::UnknownWeightKind);
        }
        let is_open = |question: &Question| state.question_use(question.id) == QuestionUse::Open;
        before.check_switch(&meeting, state.agenda(id).iter().any(is_open))?;
        if meeting.status == MeetingStatus::Active && !was_active {
            meeting.check_room(state.invited(&meeting).count() as u64)?;
        }
        if !meeting.status.is_rehearsable() {
            state.end_rehearsal(id, meeting.ended_at);
        }
        if meeting.closes(Some(before.status)) {
            state.close(&mut meeting);
        }
        state.amend_meeting(&before, &meeting);
        state.meetings.insert(id, meeting.clone());
        Ok(meeting)
    }

    async fn unclosed(&self) -> Result<Vec<(ClientId, MeetingId)>, PortFailure> {
        let state = self.state();
        let unclosed = state.meetings.values().filter(|meeting| is_unclosed(meeting));
        Ok(unclosed.map(|meeting| (meeting.client_id, meeting.id)).collect())
    }

    async fn close_later(&self, owner: ClientId, id: MeetingId, _now: DateTime<Utc>) -> Result<(), PortFailure> {
        let mut state = self.state();
        let found = state.meeting_of(owner, id).filter(|meeting| is_unclosed(meeting)).cloned();
        if let Some(mut meeting) = found {
            state.close(&mut meeting);
            state.meetings.insert(id, meeting);
        }
        Ok(())
    }

    async fn find_by_link(&self, link: &str) -> Result<Option<InvitationTarget>, PortFailure> {
        let state = self.state();
        let meeting = state.meetings.values().find(|meeting| meeting.invitation_link.as_deref() == Some(link));
        let target = |meeting: &Meeting| {
            Ok(InvitationTarget { meeting: meeting.clone(), client: state.client(meeting.client_id)?.clone() })
        };
        meeting.map(target).transpose()
    }

    async fn remove(&self, owner: ClientId, id: MeetingId) -> Result<(), UpdateMeetingError> {
        let mut state = self.state();
        let meeting = state.meeting_of(owner, id).ok_or(UpdateMeetingError::NotFound)?;
        meeting.check_removal()?;
        let was_test = meeting.is_test();
        state.meetings.remove(&id);
        state.listed.remove(&id);
        state.questions.retain(|question| question.meeting_id != id);
        state.invitations.retain(|(meeting, _), _| *meeting != id);
        state.attendance.remove(&id);
        state.noted_events.remove(&id);
        state.remarks.remove(&id);
        // Closing records and amendments stay, unless they are test data.
        if was_test {
            state.closings.remove(&id);
            state.amendments.remove(&id);
        }
        state.rehearsals.remove(&id);
        Ok(())
    }
}

/// Whether a meeting has ended without a closing record.
fn is_unclosed(meeting: &Meeting) -> bool {
    let has_ended = meeting.status == MeetingStatus::Completed || meeting.ended_at.is_some();
    has_ended && meeting.closing_hash.is_none()
}

#[async_trait]
impl VoterMeetings for InMemoryMeetings {
    async fn list(&self, client: ClientId, voter: EndUserId) -> Result<Vec<VoterMeeting>, PortFailure> {
        let state = self.state();
        let mut meetings: Vec<Meeting> = state
            .meetings
            .values()
            .filter(|meeting| meeting.client_id == client && meeting.status != MeetingStatus::Draft)
            .filter(|meeting| state.is_invited(meeting, voter))
            .cloned()
            .collect();
        meetings.sort_by_key(|meeting| {
            let start = meeting.schedule.start().timestamp_micros();
            match meeting.status {
                MeetingStatus::Active => (0, start, meeting.id),
                MeetingStatus::Scheduled => (1, start, meeting.id),
                MeetingStatus::Draft | MeetingStatus::Completed | MeetingStatus::Cancelled => (2, -start, meeting.id),
            }
        });
        meetings.truncate(MAX_VOTER_MEETINGS);
        let listed = |meeting: Meeting| VoterMeeting { is_rehearsing: state.is_rehearsing(meeting.id), meeting };
        Ok(meetings.into_iter().map(listed).collect())
    }

    async fn find(&self, client: ClientId, voter: EndUserId, id: MeetingId) -> Result<Option<Invitation>, PortFailure> {
        let state = self.state();
        let Some(meeting) = state.meeting_of(client, id) else { return Ok(None) };
        Ok(Some(Invitation {
            meeting: meeting.clone(),
            organization: state.client(client)?.name.clone(),
            is_invited: state.is_invited(meeting, voter),
        }))
    }

    async fn invited_among(
        &self,
        client: ClientId,
        voters: Vec<EndUserId>,
        id: MeetingId,
    ) -> Result<HashSet<EndUserId>, PortFailure> {
        let state = self.state();
        let meeting = state.meeting_of(client, id).filter(|meeting| meeting.status != MeetingStatus::Draft);
        let is_invited = |voter: &EndUserId| meeting.is_some_and(|meeting| state.is_invited(meeting, *voter));
        Ok(voters.into_iter().filter(is_invited).collect())
    }
}
