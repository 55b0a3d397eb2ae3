use std::collections::BTreeSet;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use plenum_kernel::{ClientId, EndUserId, MeetingId, PortFailure};

use super::{CONTACT_EMAIL, InMemoryMeetings, State, StoredInvitation, part_of};
use crate::{
    CheckIn, ClaimedInvitation, InvitationFacts, InvitationOrder, InvitationOverview, InvitationState,
    InvitationStatus, InvitationStore, Meeting, Participant, QueueInvitationsError, QueueVerdict, Queued, Recipient,
    RecipientCounts, RecipientFilter, Recipients, SendingOutcome,
};

impl State {
    fn invitation_facts(&self, meeting: &Meeting) -> Result<InvitationFacts, PortFailure> {
        let client = self.client(meeting.client_id)?;
        Ok(InvitationFacts {
            organization: client.name.clone(),
            client_code: client.code.clone(),
            contact_email: CONTACT_EMAIL.to_owned(),
            title: meeting.title.as_str().to_owned(),
            start: meeting.schedule.start(),
            status: meeting.status,
            link: meeting.invitation_link.clone(),
            has_check_in: meeting.check_in == CheckIn::On,
        })
    }

    fn recipient(&self, meeting: MeetingId, person: &Participant) -> Recipient {
        let stored = self.invitations.get(&(meeting, person.id));
        let state = InvitationState::of(stored.map(|stored| stored.status), person.is_active, person.email.is_some());
        Recipient {
            id: person.id,
            name: person.name.clone(),
            username: person.username.clone(),
            email: person.email.clone(),
            state,
            sent_to: stored.map(|stored| stored.email.clone()),
            error: stored.filter(|stored| state.shows_error(stored.attempts)).and_then(|stored| stored.error.clone()),
            sent_at: stored.and_then(|stored| stored.sent_at),
        }
    }

    /// The recipients, each once. An error if a named person is not invited.
    fn meant(&self, meeting: &Meeting, recipients: &Recipients) -> Result<Vec<Participant>, QueueInvitationsError> {
        let invited: Vec<Participant> = self.invited(meeting).cloned().collect();
        let end_users = match recipients {
            Recipients::Everyone => return Ok(invited),
            Recipients::NeverSignedIn { .. } => {
                return Ok(invited.into_iter().filter(|person| person.last_login_at.is_none()).collect());
            }
            Recipients::These { end_users, .. } => end_users,
        };
        let named: BTreeSet<EndUserId> = end_users.iter().copied().collect();
        let meant: Vec<Participant> = invited.into_iter().filter(|person| named.contains(&person.id)).collect();
        if meant.len() < named.len() { Err(QueueInvitationsError::NotInvited) } else { Ok(meant) }
    }

    /// Whether the invitation still has a recipient.
    fn is_wanted(&self, (meeting, person): (MeetingId, EndUserId)) -> bool {
        self.meetings.get(&meeting).is_some_and(|meeting| {
            meeting.link_is_good()
                && self
                    .invited(meeting)
                    .any(|invited| invited.id == person && invited.is_active && invited.email.is_some())
        })
    }

    /// Removes the PENDING ones among these from the queue.
    fn take_out(&mut self, is_meant: impl Fn(&Self, (MeetingId, EndUserId)) -> bool) -> u64 {
        let pending = self.invitations.iter().filter(|(_, stored)| stored.status == InvitationStatus::Pending);
        let keys: Vec<_> = pending.map(|(key, _)| *key).filter(|key| is_meant(self, *key)).collect();
        for key in &keys {
            let stored = self.invitations.get_mut(key).expect("it was just found");
            match stored.status_before.take() {
                Some(before) => stored.status = before,
                None => drop(self.invitations.remove(key)),
            }
        }
        keys.len() as u64
    }
}

#[async_trait]
impl InvitationStore for InMemoryMeetings {
    async fn queue(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        order: InvitationOrder,
    ) -> Result<Queued, QueueInvitationsError> {
        let mut state = self.state();
        let mut known = state.meeting_of(owner, meeting).ok_or(QueueInvitationsError::MeetingNotFound)?.clone();
        if !known.link_is_good() {
            return Err(QueueInvitationsError::MeetingOver);
        }
        let meant = state.meant(&known, &order.recipients)?;
        known.invitation_link.get_or_insert(order.link);
        state.meetings.insert(meeting, known);
        let again = order.recipients.again();
        let mut queued = Queued::default();
        for person in meant {
            let before = state.invitations.get(&(meeting, person.id)).cloned();
            let status = before.as_ref().map(|before| before.status);
            let verdict = QueueVerdict::on(status, person.is_active, person.email.is_some(), again);
            queued.count(verdict);
            if verdict == QueueVerdict::Queued {
                let stored = StoredInvitation {
                    status: InvitationStatus::Pending,
                    status_before: status,
                    email: person.email.unwrap_or_default(),
                    error: before.as_ref().and_then(|before| before.error.clone()),
                    attempts: 0,
                    site: order.site.clone(),
                    time_zone: order.time_zone,
                    personal_link: order.personal_links.as_ref().map(|links| links.seed.clone()),
                    queued_at: order.now,
                    due_at: order.now,
                    claimed_at: None,
                    sent_at: before.and_then(|before| before.sent_at),
                };
                state.invitations.insert((meeting, person.id), stored);
            }
        }
        Ok(queued)
    }

    async fn overview(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        filter: &RecipientFilter,
    ) -> Result<Option<InvitationOverview>, PortFailure> {
        let state = self.state();
        let Some(meeting) = state.meeting_of(owner, meeting) else { return Ok(None) };
        let mut everyone: Vec<Recipient> =
            state.invited(meeting).map(|person| state.recipient(meeting.id, person)).collect();
        everyone.sort_by_key(|person| (person.name.to_lowercase(), person.id));
        if filter.is_descending {
            everyone.reverse();
        }
        let mut counts = RecipientCounts::default();
        for person in &everyone {
            *counts.of_mut(person.state) += 1;
        }
        let is_found = |person: &Recipient| {
            filter.state.is_none_or(|state| person.state == state)
                && filter.search.as_ref().is_none_or(|search| {
                    [&person.name, &person.username].into_iter().chain(&person.email).any(|text| search.is_in(text))
                })
        };
        let found: Vec<Recipient> = everyone.into_iter().filter(is_found).collect();
        Ok(Some(InvitationOverview {
            facts: state.invitation_facts(meeting)?,
            counts,
            page: part_of(found, filter.page),
        }))
    }

    async fn stop(&self, owner: ClientId, meeting: MeetingId) -> Result<Option<u64>, PortFailure> {
        let mut state = self.state();
        if state.meeting_of(owner, meeting).is_none() {
            return Ok(None);
        }
        Ok(Some(state.take_out(|_, (of, _)| of == meeting)))
    }

    async fn claim(&self, now: DateTime<Utc>) -> Result<Option<ClaimedInvitation>, PortFailure> {
        let mut state = self.state();
        let due = state.invitations.iter().filter(|(key, stored)| {
            stored.status == InvitationStatus::Pending && stored.due_at <= now && state.is_wanted(**key)
        });
        let Some((key, _)) = due.min_by_key(|((_, person), stored)| (stored.due_at, *person)) else { return Ok(None) };
        let key = *key;
        let (meeting_id, end_user_id) = key;
        let facts = state.invitation_facts(&state.meetings[&meeting_id])?;
        let (client_id, person) = state.end_users[&end_user_id].clone();
        let stored = state.invitations.get_mut(&key).expect("it was just found");
        stored.status = InvitationStatus::Sending;
        stored.claimed_at = Some(now);
        stored.attempts += 1;
        stored.email = person.email.unwrap_or_default();
        Ok(Some(ClaimedInvitation {
            client_id,
            meeting_id,
            end_user_id,
            name: person.name,
            username: person.username,
            email: stored.email.clone(),
            facts,
            site: stored.site.clone(),
            time_zone: stored.time_zone,
            personal_link: stored.personal_link.clone(),
            queued_at: stored.queued_at,
            claimed_at: now,
            attempts: stored.attempts,
        }))
    }

    async fn settle(&self, claimed: &ClaimedInvitation, outcome: SendingOutcome) -> Result<(), PortFailure> {
        let mut state = self.state();
        let stored = state.invitations.get_mut(&(claimed.meeting_id, claimed.end_user_id)).filter(|stored| {
            stored.claimed_at == Some(claimed.claimed_at)
                && matches!(stored.status, InvitationStatus::Sending | InvitationStatus::Unknown)
        });
        let Some(stored) = stored else { return Ok(()) };
        let (status, error) = match outcome {
            SendingOutcome::Sent { at } => {
                stored.sent_at = Some(at);
                (InvitationStatus::Sent, None)
            }
            SendingOutcome::Failed { error } => (InvitationStatus::Failed, Some(error)),
            SendingOutcome::Unknown { error } => (InvitationStatus::Unknown, Some(error)),
            SendingOutcome::Later { due_at, error } => {
                stored.due_at = due_at;
                (InvitationStatus::Pending, Some(error))
            }
        };
        stored.status = status;
        stored.error = error;
        if status != InvitationStatus::Pending {
            stored.status_before = None;
        }
        Ok(())
    }

    async fn withdraw(&self) -> Result<u64, PortFailure> {
        Ok(self.state().take_out(|state, key| !state.is_wanted(key)))
    }

    async fn give_up(&self, claimed_before: DateTime<Utc>, error: &str) -> Result<u64, PortFailure> {
        let mut state = self.state();
        let left_behind = state.invitations.values_mut().filter(|stored| {
            stored.status == InvitationStatus::Sending && stored.claimed_at.is_some_and(|at| at < claimed_before)
        });
        let mut number = 0;
        for stored in left_behind {
            stored.status = InvitationStatus::Unknown;
            stored.status_before = None;
            stored.error = Some(error.to_owned());
            number += 1;
        }
        Ok(number)
    }
}
