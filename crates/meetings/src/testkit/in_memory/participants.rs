use std::collections::BTreeSet;

use async_trait::async_trait;
use plenum_kernel::{ClientId, EndUserId, MeetingId, Page, PortFailure};

use super::{InMemoryMeetings, is_for, part_of};
use crate::{InviteError, InviteOutcome, Invitees, Participant, ParticipantCount, ParticipantFilter, ParticipantStore};

#[async_trait]
impl ParticipantStore for InMemoryMeetings {
    async fn invite(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        invitees: Invitees,
    ) -> Result<InviteOutcome, InviteError> {
        let mut state = self.state();
        let mut known = state.meeting_of(owner, meeting).ok_or(InviteError::MeetingNotFound)?.clone();
        let had_list = known.has_participant_list;
        let is_for_everybody = known.max_participants.is_none() && invitees == Invitees::AllActive;
        let of_client = state.end_users.values().filter(|(client, _)| *client == owner).map(|(_, person)| person);
        let chosen: BTreeSet<EndUserId> = match invitees {
            Invitees::AllActive => of_client
                .filter(|person| person.is_active && state.is_among_everybody(&known, person))
                .map(|person| person.id)
                .collect(),
            Invitees::These(ids) => {
                let everybody: BTreeSet<EndUserId> = of_client.map(|person| person.id).collect();
                if !ids.iter().all(|id| everybody.contains(id)) {
                    return Err(InviteError::UnknownEndUsers);
                }
                ids.into_iter().collect()
            }
        };
        let before = state.listed.get(&meeting).cloned().unwrap_or_default();
        if is_for_everybody {
            known.has_participant_list = false;
            state.listed.remove(&meeting);
            state.meetings.insert(meeting, known);
            let changed = chosen.difference(&before).count() as u64;
            let known = state.meeting_of(owner, meeting).ok_or(InviteError::MeetingNotFound)?;
            let count = ParticipantCount { changed, total: state.invited(known).count() as u64 };
            return Ok(InviteOutcome { count, is_list_switched: had_list });
        }
        let after: BTreeSet<EndUserId> = before.union(&chosen).copied().collect();
        let count = ParticipantCount { changed: (after.len() - before.len()) as u64, total: after.len() as u64 };
        if let Some(limit) =
            known.max_participants.filter(|limit| count.changed > 0 && count.total > limit.get().into())
        {
            return Err(InviteError::TooMany { people: count.total, limit: limit.get() });
        }
        known.has_participant_list |= !after.is_empty();
        state.listed.insert(meeting, after);
        let total = state.invited(&known).count() as u64;
        let is_list_switched = known.has_participant_list != had_list;
        state.meetings.insert(meeting, known);
        Ok(InviteOutcome { count: ParticipantCount { total, ..count }, is_list_switched })
    }

    async fn uninvite(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        end_users: Vec<EndUserId>,
    ) -> Result<ParticipantCount, InviteError> {
        let mut state = self.state();
        let mut known = state.meeting_of(owner, meeting).ok_or(InviteError::MeetingNotFound)?.clone();
        let before: BTreeSet<EndUserId> = state.invited(&known).map(|person| person.id).collect();
        let after: BTreeSet<EndUserId> = before.iter().filter(|id| !end_users.contains(id)).copied().collect();
        let count = ParticipantCount { changed: (before.len() - after.len()) as u64, total: after.len() as u64 };
        if count.changed > 0 {
            known.has_participant_list = true;
            state.listed.insert(meeting, after);
            state.meetings.insert(meeting, known);
        }
        Ok(count)
    }

    async fn list(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        filter: &ParticipantFilter,
    ) -> Result<Option<Page<Participant>>, PortFailure> {
        let state = self.state();
        let Some(meeting) = state.meeting_of(owner, meeting) else { return Ok(None) };
        let is_found = |person: &&Participant| {
            let mut texts = [&person.name, &person.username].into_iter().chain(&person.email);
            filter.search.as_ref().is_none_or(|search| texts.any(|text| search.is_in(text)))
                && filter.group.is_none_or(|group| person.groups.iter().any(|own| own.id == group))
        };
        let is_meant = |person: &&Participant| filter.with_outside_groups || is_for(meeting, person);
        let people = state.invited_outside_groups(meeting).filter(is_meant);
        let mut invited: Vec<Participant> = people.filter(is_found).cloned().collect();
        invited.sort_by_key(|person| (person.name.to_lowercase(), person.id));
        if filter.is_descending {
            invited.reverse();
        }
        Ok(Some(part_of(invited, filter.page)))
    }
}
