mod rehearsals;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use plenum_kernel::{AccountId, ClientId, EndUserId, MeetingId, Page, PageRequest, PortFailure, QuestionId, RemarkId};
use rust_decimal::Decimal;

use self::rehearsals::StoredRehearsal;
use super::contract::MeetingsFixture;
use crate::{
    AddQuestionError, AgendaOrder, AgendaRule, AttendanceFacts, AttendanceNote, AttendanceStore, ChangeQuestionError,
    ClaimedInvitation, Invitation, InvitationFacts, InvitationOrder, InvitationOverview, InvitationStanding,
    InvitationStatus, InvitationStore, InvitationTarget, InviteError, Invitees, MAX_QUESTIONS, MAX_REMARKS,
    MAX_VOTER_MEETINGS, Meeting, MeetingClient, MeetingDecision, MeetingFilter, MeetingOverview, MeetingSort,
    MeetingStats, MeetingStatus, MeetingStore, NewRemark, Noted, Noting, Participant, ParticipantCount,
    ParticipantFilter, ParticipantStore, Question, QuestionCopy, QuestionDecision, QuestionStore, QuestionUse,
    QueueInvitationsError, QueueVerdict, Queued, Recipient, RecipientCounts, RecipientFilter, Recipients,
    RehearsalStore, Remark, RemarkStore, ReorderError, SendingOutcome, SiteAddress, TimeZone, UpdateMeetingError,
    VoterMeeting, VoterMeetings, WriteRemarkError, decide_noting,
};

/// Meetings in memory, with what they need of clients. Clones share one state. Rounds are not known here, so leaving
/// ACTIVE ends none.
#[derive(Clone, Debug, Default)]
pub struct InMemoryMeetings(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    clients: HashMap<ClientId, MeetingClient>,
    end_users: HashMap<EndUserId, (ClientId, Participant)>,
    meetings: HashMap<MeetingId, Meeting>,
    listed: HashMap<MeetingId, BTreeSet<EndUserId>>,
    questions: Vec<Question>,
    /// Only of those that were ever opened.
    used: HashMap<QuestionId, QuestionUse>,
    registers: HashMap<QuestionId, BTreeSet<EndUserId>>,
    invitations: BTreeMap<(MeetingId, EndUserId), StoredInvitation>,
    attendance: HashMap<MeetingId, Vec<AttendanceNote>>,
    /// The last event that each meeting's notes know of.
    noted_events: HashMap<MeetingId, DateTime<Utc>>,
    /// Names of accounts.
    accounts: HashMap<AccountId, String>,
    remarks: HashMap<MeetingId, Vec<Remark>>,
    rehearsals: HashMap<MeetingId, StoredRehearsal>,
}

#[derive(Clone, Debug)]
struct StoredInvitation {
    status: InvitationStatus,
    status_before: Option<InvitationStatus>,
    email: String,
    error: Option<String>,
    tries: u32,
    site: SiteAddress,
    time_zone: TimeZone,
    queued_at: DateTime<Utc>,
    due_at: DateTime<Utc>,
    claimed_at: Option<DateTime<Utc>>,
    sent_at: Option<DateTime<Utc>>,
}

impl InMemoryMeetings {
    /// Nothing at all.
    pub fn new() -> Self {
        Self::default()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn meeting_of(&self, owner: ClientId, id: MeetingId) -> Option<&Meeting> {
        self.meetings.get(&id).filter(|meeting| meeting.client_id == owner)
    }

    fn overview(&self, meeting: &Meeting) -> Result<MeetingOverview, PortFailure> {
        Ok(MeetingOverview {
            meeting: meeting.clone(),
            client: self.client(meeting.client_id)?.clone(),
            participant_count: self.invited(meeting).count() as u64,
            question_count: self.questions.iter().filter(|question| question.meeting_id == meeting.id).count() as u64,
        })
    }

    fn client(&self, id: ClientId) -> Result<&MeetingClient, PortFailure> {
        self.clients.get(&id).ok_or_else(|| PortFailure::new("the fake", "the client was not seeded"))
    }

    fn invited<'a>(&'a self, meeting: &'a Meeting) -> impl Iterator<Item = &'a Participant> {
        self.end_users.values().filter(|(client, _)| *client == meeting.client_id).map(|(_, person)| person).filter(
            move |person| {
                if meeting.has_participant_list {
                    self.is_listed(meeting.id, person.id)
                } else {
                    person.is_active && self.is_among_everybody(meeting, person)
                }
            },
        )
    }

    /// Whether an active end user of the client is meant where everybody is.
    fn is_among_everybody(&self, meeting: &Meeting, person: &Participant) -> bool {
        !person.is_test() || self.clients.get(&meeting.client_id).is_some_and(|client| meeting.is_for_tests(client))
    }

    fn is_listed(&self, meeting: MeetingId, person: EndUserId) -> bool {
        self.listed.get(&meeting).is_some_and(|listed| listed.contains(&person))
    }

    fn is_invited(&self, meeting: &Meeting, voter: EndUserId) -> bool {
        let is_for_everybody = !meeting.has_participant_list;
        let is_meant = |(_, person): &(_, Participant)| self.is_among_everybody(meeting, person);
        (is_for_everybody && self.end_users.get(&voter).is_some_and(is_meant))
            || self.is_listed(meeting.id, voter)
            || self.agenda(meeting.id).iter().any(|question| self.votes_now(question.id, voter))
    }

    fn votes_now(&self, question: QuestionId, voter: EndUserId) -> bool {
        self.used.get(&question) == Some(&QuestionUse::Open)
            && self.registers.get(&question).is_some_and(|register| register.contains(&voter))
    }

    fn question_of(&self, owner: ClientId, id: QuestionId) -> Option<&Question> {
        self.questions.iter().find(|question| question.id == id && question.client_id == owner)
    }

    fn question_use(&self, id: QuestionId) -> QuestionUse {
        self.used.get(&id).copied().unwrap_or(QuestionUse::Unused)
    }

    fn agenda(&self, meeting: MeetingId) -> Vec<Question> {
        let of_meeting = self.questions.iter().filter(|question| question.meeting_id == meeting);
        let mut agenda: Vec<Question> = of_meeting.cloned().collect();
        agenda.sort_by_key(|question| question.position);
        agenda
    }

    /// Gives these questions, and no others, the places of the agenda.
    fn arrange(&mut self, meeting: MeetingId, agenda: Vec<Question>) {
        self.questions.retain(|question| question.meeting_id != meeting);
        self.questions.extend((1..).zip(agenda).map(|(position, question)| Question { position, ..question }));
    }

    fn check_room(&self, meeting: MeetingId) -> Result<(), AgendaRule> {
        if self.agenda(meeting).len() < MAX_QUESTIONS { Ok(()) } else { Err(AgendaRule::Full) }
    }
}

#[async_trait]
impl MeetingStore for InMemoryMeetings {
    async fn add(&self, meeting: Meeting) -> Result<(), UpdateMeetingError> {
        let mut state = self.state();
        state.client(meeting.client_id)?;
        if meeting.status == MeetingStatus::Active {
            meeting.check_room(state.invited(&meeting).count() as u64)?;
        }
        state.meetings.insert(meeting.id, meeting);
        Ok(())
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
            .filter(|meeting| filter.status.is_none_or(|status| meeting.status == status))
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
        let was_active = meeting.status == MeetingStatus::Active;
        decide(&mut meeting)?;
        if meeting.status == MeetingStatus::Active && !was_active {
            meeting.check_room(state.invited(&meeting).count() as u64)?;
        }
        if !meeting.status.is_rehearsable() {
            state.end_rehearsal(id, meeting.ended_at);
        }
        state.meetings.insert(id, meeting.clone());
        Ok(meeting)
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
        state.meeting_of(owner, id).ok_or(UpdateMeetingError::NotFound)?.check_removal()?;
        state.meetings.remove(&id);
        state.listed.remove(&id);
        state.questions.retain(|question| question.meeting_id != id);
        state.invitations.retain(|(meeting, _), _| *meeting != id);
        state.attendance.remove(&id);
        state.noted_events.remove(&id);
        state.remarks.remove(&id);
        state.rehearsals.remove(&id);
        Ok(())
    }
}

#[async_trait]
impl ParticipantStore for InMemoryMeetings {
    async fn invite(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        invitees: Invitees,
    ) -> Result<ParticipantCount, InviteError> {
        let mut state = self.state();
        let mut known = state.meeting_of(owner, meeting).ok_or(InviteError::MeetingNotFound)?.clone();
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
            return Ok(ParticipantCount {
                changed: chosen.difference(&before).count() as u64,
                total: chosen.len() as u64,
            });
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
        state.meetings.insert(meeting, known);
        Ok(ParticipantCount { total, ..count })
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
        };
        let mut invited: Vec<Participant> = state.invited(meeting).filter(is_found).cloned().collect();
        invited.sort_by_key(|person| (person.name.to_lowercase(), person.id));
        if filter.is_descending {
            invited.reverse();
        }
        Ok(Some(part_of(invited, filter.page)))
    }
}

#[async_trait]
impl QuestionStore for InMemoryMeetings {
    async fn add(&self, question: Question) -> Result<Question, AddQuestionError> {
        let mut state = self.state();
        let meeting = question.meeting_id;
        state.meeting_of(question.client_id, meeting).ok_or(AddQuestionError::MeetingNotFound)?;
        state.check_room(meeting)?;
        let question = Question { position: state.agenda(meeting).len() as u32 + 1, ..question };
        state.questions.push(question.clone());
        Ok(question)
    }

    async fn list(&self, owner: ClientId, meeting: MeetingId) -> Result<Option<Vec<Question>>, PortFailure> {
        let state = self.state();
        if state.meeting_of(owner, meeting).is_none() {
            return Ok(None);
        }
        Ok(Some(state.agenda(meeting)))
    }

    async fn find(&self, owner: ClientId, id: QuestionId) -> Result<Option<Question>, PortFailure> {
        Ok(self.state().question_of(owner, id).cloned())
    }

    async fn update(
        &self,
        owner: ClientId,
        id: QuestionId,
        decide: QuestionDecision,
    ) -> Result<Question, ChangeQuestionError> {
        let mut state = self.state();
        let before = state.question_of(owner, id).ok_or(ChangeQuestionError::NotFound)?.clone();
        let mut after = before.clone();
        decide(&mut after, state.question_use(id))?;
        let Question { id, client_id, meeting_id, position, .. } = before;
        let after = Question { id, client_id, meeting_id, position, ..after };
        state.questions.retain(|question| question.id != id);
        state.questions.push(after.clone());
        Ok(after)
    }

    async fn remove(&self, owner: ClientId, id: QuestionId) -> Result<MeetingId, ChangeQuestionError> {
        let mut state = self.state();
        let meeting = state.question_of(owner, id).ok_or(ChangeQuestionError::NotFound)?.meeting_id;
        Question::check_removal(state.question_use(id))?;
        let rest = state.agenda(meeting).into_iter().filter(|question| question.id != id).collect();
        state.arrange(meeting, rest);
        Ok(meeting)
    }

    async fn duplicate(
        &self,
        owner: ClientId,
        id: QuestionId,
        copy: QuestionCopy,
    ) -> Result<Question, ChangeQuestionError> {
        let mut state = self.state();
        let original = state.question_of(owner, id).ok_or(ChangeQuestionError::NotFound)?.clone();
        let Question { client_id, meeting_id, position, .. } = original;
        state.check_room(meeting_id)?;
        let copy = Question { client_id, meeting_id, position: position + 1, ..copy(&original) };
        let mut agenda = state.agenda(meeting_id);
        agenda.insert(position as usize, copy.clone());
        state.arrange(meeting_id, agenda);
        Ok(copy)
    }

    async fn reorder(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        order: AgendaOrder,
    ) -> Result<Vec<Question>, ReorderError> {
        let mut state = self.state();
        state.meeting_of(owner, meeting).ok_or(ReorderError::MeetingNotFound)?;
        let mut agenda = state.agenda(meeting);
        let ids: Vec<QuestionId> = agenda.iter().map(|question| question.id).collect();
        if !order.fits(&ids) {
            return Err(ReorderError::NotTheAgenda);
        }
        agenda.sort_by_key(|question| order.questions().iter().position(|id| *id == question.id));
        state.arrange(meeting, agenda);
        Ok(state.agenda(meeting))
    }
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
        let meeting = state.meeting_of(client, id).filter(|meeting| meeting.status != MeetingStatus::Draft);
        let Some(meeting) = meeting else { return Ok(None) };
        Ok(Some(Invitation {
            meeting: meeting.clone(),
            organization: state.client(client)?.name.clone(),
            is_invited: state.is_invited(meeting, voter),
        }))
    }
}

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
        })
    }

    fn recipient(&self, meeting: MeetingId, person: &Participant) -> Recipient {
        let stored = self.invitations.get(&(meeting, person.id));
        let standing =
            InvitationStanding::of(stored.map(|stored| stored.status), person.is_active, person.email.is_some());
        Recipient {
            id: person.id,
            name: person.name.clone(),
            username: person.username.clone(),
            email: person.email.clone(),
            standing,
            sent_to: stored.map(|stored| stored.email.clone()),
            error: stored.filter(|stored| standing.shows_error(stored.tries)).and_then(|stored| stored.error.clone()),
            sent_at: stored.and_then(|stored| stored.sent_at),
        }
    }

    /// Those who are meant, each once; an error when one of those who are named is not invited.
    fn meant(&self, meeting: &Meeting, recipients: &Recipients) -> Result<Vec<Participant>, QueueInvitationsError> {
        let invited: Vec<Participant> = self.invited(meeting).cloned().collect();
        let Recipients::These { end_users, .. } = recipients else { return Ok(invited) };
        let named: BTreeSet<EndUserId> = end_users.iter().copied().collect();
        let meant: Vec<Participant> = invited.into_iter().filter(|person| named.contains(&person.id)).collect();
        if meant.len() < named.len() { Err(QueueInvitationsError::NotInvited) } else { Ok(meant) }
    }

    /// Whether the invitation is still for somebody.
    fn is_wanted(&self, (meeting, person): (MeetingId, EndUserId)) -> bool {
        self.meetings.get(&meeting).is_some_and(|meeting| {
            meeting.link_is_good()
                && self
                    .invited(meeting)
                    .any(|invited| invited.id == person && invited.is_active && invited.email.is_some())
        })
    }

    /// Takes the PENDING ones among these out of the queue.
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

/// Of every client.
const CONTACT_EMAIL: &str = "club@example.org";

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
        let again = matches!(order.recipients, Recipients::These { again: true, .. });
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
                    tries: 0,
                    site: order.site.clone(),
                    time_zone: order.time_zone,
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
            *counts.of_mut(person.standing) += 1;
        }
        let is_found = |person: &Recipient| {
            filter.standing.is_none_or(|standing| person.standing == standing)
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
        stored.tries += 1;
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
            queued_at: stored.queued_at,
            claimed_at: now,
            tries: stored.tries,
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
        let note = AttendanceNote { noted_at: now, present, eligible: eligible.values().copied().collect() };
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
        let remark = Remark { id: new.id, at: new.at, by, kind: new.kind, text: new.text };
        remarks.push(remark.clone());
        Ok(remark)
    }

    async fn remove(&self, owner: ClientId, meeting: MeetingId, id: RemarkId) -> Result<bool, PortFailure> {
        let mut state = self.state();
        if state.meeting_of(owner, meeting).is_none() {
            return Ok(false);
        }
        let remarks = state.remarks.entry(meeting).or_default();
        let before = remarks.len();
        remarks.retain(|remark| remark.id != id);
        Ok(remarks.len() < before)
    }
}

#[async_trait]
impl MeetingsFixture for InMemoryMeetings {
    fn meetings(&self) -> Arc<dyn MeetingStore> {
        Arc::new(self.clone())
    }

    fn participants(&self) -> Arc<dyn ParticipantStore> {
        Arc::new(self.clone())
    }

    fn questions(&self) -> Arc<dyn QuestionStore> {
        Arc::new(self.clone())
    }

    fn voter_meetings(&self) -> Arc<dyn VoterMeetings> {
        Arc::new(self.clone())
    }

    fn invitations(&self) -> Arc<dyn InvitationStore> {
        Arc::new(self.clone())
    }

    fn attendance(&self) -> Arc<dyn AttendanceStore> {
        Arc::new(self.clone())
    }

    fn remarks(&self) -> Arc<dyn RemarkStore> {
        Arc::new(self.clone())
    }

    fn rehearsals(&self) -> Arc<dyn RehearsalStore> {
        Arc::new(self.clone())
    }

    async fn add_account(&self, _: ClientId, id: AccountId, first_name: &str, last_name: &str) {
        let name = format!("{first_name} {last_name}");
        let name = if name.trim().is_empty() { format!("{id}@example.org") } else { name.trim().to_owned() };
        self.state().accounts.insert(id, name);
    }

    async fn add_client(&self, client: MeetingClient) {
        self.state().clients.insert(client.id, client);
    }

    async fn add_end_user(&self, client: ClientId, person: Participant) {
        self.state().end_users.insert(person.id, (client, person));
    }

    async fn remove_end_user(&self, id: EndUserId) {
        let mut state = self.state();
        state.end_users.remove(&id);
        for listed in state.listed.values_mut() {
            listed.remove(&id);
        }
        state.invitations.retain(|(_, end_user), _| *end_user != id);
        for stored in state.rehearsals.values_mut() {
            stored.answers.remove(&id);
        }
    }

    async fn change_end_user(&self, changed: Participant) {
        let mut state = self.state();
        let (_, person) = state.end_users.get_mut(&changed.id).expect("the end user was seeded");
        *person = changed;
    }

    async fn mark_used(&self, question: QuestionId, used: QuestionUse) {
        self.state().used.insert(question, used);
    }

    async fn add_to_register(&self, question: QuestionId, voter: EndUserId) {
        self.state().registers.entry(question).or_default().insert(voter);
    }
}

/// This part of what was found; all of it without a page.
fn part_of<T>(found: Vec<T>, page: Option<PageRequest>) -> Page<T> {
    let total = found.len() as u64;
    let (skipped, taken) = page.map_or((0, usize::MAX), |page| {
        (usize::try_from(page.offset()).unwrap_or(usize::MAX), page.page_size as usize)
    });
    Page { rows: found.into_iter().skip(skipped).take(taken).collect(), total }
}
