use std::collections::{BTreeSet, HashMap};

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use plenum_kernel::{ClientId, EndUserId, MeetingId, Page, PortFailure};

use super::{InMemoryMeetings, State};
use crate::{
    DelayStatistics, EndRehearsalError, Meeting, NewRehearsal, Participant, QuestionUse, Rehearsal, RehearsalAnswer,
    RehearsalCounts, RehearsalFacts, RehearsalFilter, RehearsalPerson, RehearsalReport, RehearsalSigns, RehearsalStep,
    RehearsalStore, StartRehearsalError, decide_rehearsal,
};

/// A rehearsal with its answers.
#[derive(Clone, Debug)]
pub(super) struct StoredRehearsal {
    rehearsal: Rehearsal,
    pub(super) answers: HashMap<EndUserId, Answer>,
}

/// When it was received and answered.
#[derive(Clone, Copy, Debug)]
pub(super) struct Answer {
    received_at: DateTime<Utc>,
    answered_at: Option<DateTime<Utc>>,
    can_seal: Option<bool>,
}

impl State {
    /// The people who would be in the register if a round opened now.
    fn would_be_registered<'a>(&'a self, meeting: &'a Meeting) -> impl Iterator<Item = &'a Participant> {
        self.invited(meeting).filter(|person| person.is_active)
    }

    pub(super) fn is_rehearsing(&self, meeting: MeetingId) -> bool {
        self.rehearsals.get(&meeting).is_some_and(|stored| stored.rehearsal.is_running())
    }

    /// Ends the running rehearsal, if there is one, by default at its start.
    pub(super) fn end_rehearsal(&mut self, meeting: MeetingId, at: Option<DateTime<Utc>>) {
        if let Some(StoredRehearsal { rehearsal, .. }) = self.rehearsals.get_mut(&meeting)
            && rehearsal.is_running()
        {
            rehearsal.ended_at = Some(rehearsal.started_at.max(at.unwrap_or(rehearsal.started_at)));
        }
    }

    fn rehearsal_mut(
        &mut self,
        owner: ClientId,
        meeting: MeetingId,
    ) -> Result<&mut StoredRehearsal, EndRehearsalError> {
        if self.meeting_of(owner, meeting).is_none() {
            return Err(EndRehearsalError::MeetingNotFound);
        }
        self.rehearsals.get_mut(&meeting).ok_or(EndRehearsalError::NoRehearsal)
    }
}

#[async_trait]
impl RehearsalStore for InMemoryMeetings {
    async fn start(&self, new: NewRehearsal) -> Result<Rehearsal, StartRehearsalError> {
        let mut state = self.state();
        let meeting = state.meeting_of(new.client_id, new.meeting_id).ok_or(StartRehearsalError::MeetingNotFound)?;
        let agenda = state.agenda(meeting.id);
        let facts = RehearsalFacts {
            status: meeting.status,
            has_open_round: agenda.iter().any(|question| state.question_use(question.id) == QuestionUse::Open),
            is_running: state.is_rehearsing(meeting.id),
        };
        decide_rehearsal(&facts)?;
        let by = state.accounts.get(&new.by).cloned();
        let started_by = by.ok_or_else(|| PortFailure::new("the fake", "the account was not seeded"))?;
        let rehearsal = Rehearsal { id: new.id, started_at: new.at, ended_at: None, started_by };
        let stored = StoredRehearsal { rehearsal: rehearsal.clone(), answers: HashMap::new() };
        state.rehearsals.insert(new.meeting_id, stored);
        Ok(rehearsal)
    }

    async fn end(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        now: DateTime<Utc>,
    ) -> Result<Rehearsal, EndRehearsalError> {
        let mut state = self.state();
        state.rehearsal_mut(owner, meeting)?;
        state.end_rehearsal(meeting, Some(now));
        Ok(state.rehearsal_mut(owner, meeting)?.rehearsal.clone())
    }

    async fn discard(&self, owner: ClientId, meeting: MeetingId) -> Result<(), EndRehearsalError> {
        let mut state = self.state();
        state.rehearsal_mut(owner, meeting)?;
        state.rehearsals.remove(&meeting);
        Ok(())
    }

    async fn answer(&self, answer: RehearsalAnswer) -> Result<bool, PortFailure> {
        let mut state = self.state();
        let RehearsalAnswer { client_id, meeting_id, rehearsal_id, voter, step, can_seal, at } = answer;
        let Some(meeting) = state.meeting_of(client_id, meeting_id) else { return Ok(false) };
        let is_invited = state.would_be_registered(meeting).any(|person| person.id == voter);
        let stored = state
            .rehearsals
            .get_mut(&meeting_id)
            .filter(|stored| is_invited && stored.rehearsal.id == rehearsal_id && stored.rehearsal.is_running());
        let Some(stored) = stored else { return Ok(false) };
        let first = Answer { received_at: at, answered_at: None, can_seal };
        let known = stored.answers.entry(voter).or_insert(first);
        known.can_seal = can_seal.or(known.can_seal);
        if step == RehearsalStep::Answered {
            known.answered_at.get_or_insert(known.received_at.max(at));
        }
        Ok(true)
    }

    async fn report(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        connected: Vec<EndUserId>,
        filter: &RehearsalFilter,
    ) -> Result<Option<RehearsalReport>, PortFailure> {
        let state = self.state();
        let Some(meeting) = state.meeting_of(owner, meeting) else { return Ok(None) };
        let stored = state.rehearsals.get(&meeting.id);
        let connected: BTreeSet<EndUserId> = connected.into_iter().collect();
        let person = |person: &Participant| {
            let answer = stored.and_then(|stored| Some((&stored.rehearsal, stored.answers.get(&person.id)?)));
            let signs = RehearsalSigns {
                received_ms: answer.map(|(rehearsal, answer)| rehearsal.delay(answer.received_at)),
                answered_ms: answer.and_then(|(rehearsal, answer)| Some(rehearsal.delay(answer.answered_at?))),
                can_seal: answer.and_then(|(_, answer)| answer.can_seal),
                is_connected: connected.contains(&person.id),
                last_login_at: person.last_login_at,
            };
            RehearsalPerson { id: person.id, name: person.name.clone(), username: person.username.clone(), signs }
        };
        let mut everyone: Vec<RehearsalPerson> = state.would_be_registered(meeting).map(person).collect();
        everyone.sort_by_key(|person| (person.name.to_lowercase(), person.id));
        let mut counts = RehearsalCounts::default();
        for person in &everyone {
            *counts.of_mut(person.status()) += 1;
        }
        let cannot_seal = everyone.iter().filter(|person| person.signs.can_seal == Some(false)).count() as u64;
        let received = DelayStatistics::of(everyone.iter().filter_map(|person| person.signs.received_ms).collect());
        let answered = DelayStatistics::of(everyone.iter().filter_map(|person| person.signs.answered_ms).collect());
        let is_found = |person: &RehearsalPerson| {
            let is_wanted = filter.statuses.contains(&person.status())
                && filter.can_seal.is_none_or(|wanted| person.signs.can_seal == Some(wanted));
            let search = filter.search.as_ref();
            is_wanted && search.is_none_or(|search| search.is_in(&person.name) || search.is_in(&person.username))
        };
        let found: Vec<RehearsalPerson> = everyone.into_iter().filter(is_found).collect();
        let total = found.len() as u64;
        let skipped = usize::try_from(filter.page.offset()).unwrap_or(usize::MAX);
        let rows = found.into_iter().skip(skipped).take(filter.page.page_size as usize).collect();
        let rehearsal = stored.map(|stored| stored.rehearsal.clone());
        Ok(Some(RehearsalReport { rehearsal, counts, cannot_seal, received, answered, page: Page { rows, total } }))
    }
}
