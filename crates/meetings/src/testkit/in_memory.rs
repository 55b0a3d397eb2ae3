use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use plenum_kernel::{ClientId, EndUserId, MeetingId, Page, PortFailure, QuestionId};

use super::contract::MeetingsFixture;
use crate::{
    AddQuestionError, AgendaOrder, AgendaRule, ChangeQuestionError, Invitation, InvitationTarget, InviteError,
    Invitees, MAX_QUESTIONS, MAX_VOTER_MEETINGS, Meeting, MeetingClient, MeetingDecision, MeetingFilter,
    MeetingOverview, MeetingSort, MeetingStats, MeetingStatus, MeetingStore, Participant, ParticipantCount,
    ParticipantStore, Question, QuestionCopy, QuestionDecision, QuestionStore, QuestionUse, ReorderError,
    UpdateMeetingError, VoterMeetings,
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
                if meeting.has_participant_list { self.is_listed(meeting.id, person.id) } else { person.is_active }
            },
        )
    }

    fn is_listed(&self, meeting: MeetingId, person: EndUserId) -> bool {
        self.listed.get(&meeting).is_some_and(|listed| listed.contains(&person))
    }

    fn is_invited(&self, meeting: &Meeting, voter: EndUserId) -> bool {
        !meeting.has_participant_list
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
    async fn add(&self, meeting: Meeting) -> Result<(), PortFailure> {
        let mut state = self.state();
        state.client(meeting.client_id)?;
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
        for meeting in self.state().meetings.values().filter(|meeting| meeting.client_id == owner) {
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
        decide: MeetingDecision,
    ) -> Result<Meeting, UpdateMeetingError> {
        let mut state = self.state();
        let mut meeting = state.meeting_of(owner, id).ok_or(UpdateMeetingError::NotFound)?.clone();
        decide(&mut meeting)?;
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
        let of_client = state.end_users.values().filter(|(client, _)| *client == owner).map(|(_, person)| person);
        let chosen: BTreeSet<EndUserId> = match invitees {
            Invitees::AllActive => of_client.filter(|person| person.is_active).map(|person| person.id).collect(),
            Invitees::These(ids) => {
                let everybody: BTreeSet<EndUserId> = of_client.map(|person| person.id).collect();
                if !ids.iter().all(|id| everybody.contains(id)) {
                    return Err(InviteError::UnknownEndUsers);
                }
                ids.into_iter().collect()
            }
        };
        let before = state.listed.get(&meeting).cloned().unwrap_or_default();
        let after: BTreeSet<EndUserId> = before.union(&chosen).copied().collect();
        let count = ParticipantCount { changed: (after.len() - before.len()) as u64, total: after.len() as u64 };
        if let Some(limit) =
            known.max_participants.filter(|limit| count.changed > 0 && count.total > limit.get().into())
        {
            return Err(InviteError::TooMany { limit: limit.get() });
        }
        known.has_participant_list |= !after.is_empty();
        state.listed.insert(meeting, after);
        state.meetings.insert(meeting, known);
        Ok(count)
    }

    async fn uninvite(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        end_users: Vec<EndUserId>,
    ) -> Result<ParticipantCount, InviteError> {
        let mut state = self.state();
        state.meeting_of(owner, meeting).ok_or(InviteError::MeetingNotFound)?;
        let listed = state.listed.entry(meeting).or_default();
        let before = listed.len();
        listed.retain(|id| !end_users.contains(id));
        Ok(ParticipantCount { changed: (before - listed.len()) as u64, total: listed.len() as u64 })
    }

    async fn list(&self, owner: ClientId, meeting: MeetingId) -> Result<Option<Vec<Participant>>, PortFailure> {
        let state = self.state();
        let Some(meeting) = state.meeting_of(owner, meeting) else { return Ok(None) };
        let mut invited: Vec<Participant> = state.invited(meeting).cloned().collect();
        invited.sort_by_key(|person| (person.name.to_lowercase(), person.id));
        Ok(Some(invited))
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
    async fn list(&self, client: ClientId, voter: EndUserId) -> Result<Vec<Meeting>, PortFailure> {
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
        Ok(meetings)
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
    }

    async fn mark_used(&self, question: QuestionId, used: QuestionUse) {
        self.state().used.insert(question, used);
    }

    async fn add_to_register(&self, question: QuestionId, voter: EndUserId) {
        self.state().registers.entry(question).or_default().insert(voter);
    }
}
