use async_trait::async_trait;
use plenum_kernel::{ClientId, EndUserId, MeetingId, PortFailure, QuestionId, RoundId};

use super::{InMemoryVoting, KnownRound, State};
use crate::{
    CountTaking, CountableRound, CountedVote, Declarable, DeclareError, Declared, DeclaredOnScreen, DeclaredToVoter,
    Declaring, LogEntry, LogKind, RegisterPaper, ResultStore, RoundStatus, TakenCount, TakenPapers, decide_declaring,
    not_before,
};

impl State {
    pub(super) fn countable(&self, known: &KnownRound) -> CountableRound {
        CountableRound {
            round: known.round.clone(),
            position: self.position_of(known),
            terms: known.terms.clone(),
            log: known.log.clone(),
        }
    }

    /// The register by name, with the votes.
    pub(super) fn register_papers(&self, known: &KnownRound) -> Vec<RegisterPaper> {
        let mut entries: Vec<_> = known.register.values().collect();
        entries.sort_by_key(|entry| (entry.name.to_lowercase(), entry.id));
        let paper = |entry: &super::SeedVoter| RegisterPaper {
            name: entry.name.clone(),
            username: entry.username.clone(),
            weight: entry.weight,
            added_at: known.added.get(&entry.id).copied().unwrap_or(known.round.opened_at),
            was_connected: known.connected.contains(&entry.id),
            answer: known.votes.get(&entry.id).map(|vote| vote.answer.clone()),
        };
        entries.into_iter().map(paper).collect()
    }

    fn position_of(&self, known: &KnownRound) -> u32 {
        self.questions.get(&known.round.question_id).map_or(0, |question| question.position)
    }

    /// The rounds of a meeting in the order of the agenda.
    fn in_order(&self, client: ClientId, meeting: MeetingId) -> Vec<&KnownRound> {
        let is_meant = |known: &&KnownRound| known.round.client_id == client && known.round.meeting_id == meeting;
        let mut rounds: Vec<&KnownRound> = self.rounds.iter().filter(is_meant).collect();
        rounds.sort_by_key(|known| (self.position_of(known), known.round.number));
        rounds
    }

    /// The round as it was found, and that it was counted now if it was not before.
    fn take(
        &mut self,
        owner: ClientId,
        meeting: MeetingId,
        taking: CountTaking,
    ) -> Option<(&KnownRound, Option<LogEntry>)> {
        let by = taking.seen.map(|(by, at)| (self.account_name(by), at));
        let found = self.round_of(owner, meeting, taking.round)?.round.clone();
        if found.status == RoundStatus::Open || found.ended_at != Some(taking.ended_at) {
            return None;
        }
        let known = self.round_mut(taking.round)?;
        let is_new = found.status == RoundStatus::Ended && found.counted_at.is_none();
        let noted = by.filter(|_| is_new).map(|(by, at)| {
            let at = not_before(taking.ended_at, at);
            known.round.counted_at = Some(at);
            known.log(LogKind::Counted, Some(by), at);
            known.log.last().cloned()
        });
        Some((known, noted.flatten()))
    }
}

#[async_trait]
impl ResultStore for InMemoryVoting {
    async fn find(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        round: RoundId,
    ) -> Result<Option<CountableRound>, PortFailure> {
        let state = self.state();
        Ok(state.round_of(owner, meeting, round).map(|known| state.countable(known)))
    }

    async fn ended(&self, owner: ClientId, meeting: MeetingId) -> Result<Option<Vec<CountableRound>>, PortFailure> {
        let mut state = self.state();
        if state.meeting_of(owner, meeting).is_none() {
            return Ok(None);
        }
        let rounds = state.in_order(owner, meeting).into_iter();
        let ended = rounds.filter(|known| known.round.status != RoundStatus::Open);
        Ok(Some(ended.map(|known| state.countable(known)).collect()))
    }

    async fn take_count(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        taking: CountTaking,
    ) -> Result<Option<TakenCount>, PortFailure> {
        let mut state = self.state();
        let Some((known, noted)) = state.take(owner, meeting, taking) else { return Ok(None) };
        let votes = known.votes.iter().filter_map(|(voter, vote)| {
            let entry = known.register.get(voter)?;
            let was_connected = known.connected.contains(voter);
            Some(CountedVote { answer: vote.answer.clone(), weight: entry.weight, was_connected })
        });
        Ok(Some(TakenCount { votes: votes.collect(), noted }))
    }

    async fn take_papers(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        taking: CountTaking,
    ) -> Result<Option<TakenPapers>, PortFailure> {
        let mut state = self.state();
        let Some((known, noted)) = state.take(owner, meeting, taking) else { return Ok(None) };
        let known = known.clone();
        Ok(Some(TakenPapers { register: state.register_papers(&known), noted }))
    }

    async fn declare(&self, declaring: Declaring) -> Result<Option<QuestionId>, DeclareError> {
        let Declaring { owner, meeting, round, by, now, seen } = declaring;
        let mut state = self.state();
        let known = state.meeting_of(owner, meeting).ok_or(DeclareError::MeetingNotFound)?;
        let (is_stale, current) = (known.step.has_passed(seen), known.current);
        let found = state.round_of(owner, meeting, round).ok_or(DeclareError::RoundNotFound)?;
        let (question, status) = (found.round.question_id, found.round.status);
        if !decide_declaring(&Declarable { is_stale, status })? {
            return Ok(None);
        }
        let (name, now) = (state.account_name(by), state.time(meeting, now));
        if let Some(known) = state.round_mut(round) {
            known.round.status = RoundStatus::Declared;
            known.round.counted_at = known.round.counted_at.or(Some(now));
            known.round.declared = Some(Declared { at: now, by: name.clone() });
            known.log(LogKind::Declared, Some(name), now);
        }
        state.write_record(round, now, false);
        state.take_step(meeting, current);
        Ok(Some(question))
    }

    async fn declared_to_voter(
        &self,
        client: ClientId,
        meeting: MeetingId,
        voter: EndUserId,
    ) -> Result<Vec<DeclaredToVoter>, PortFailure> {
        let state = self.state();
        let rounds = state.in_order(client, meeting).into_iter();
        let declared = rounds.filter(|known| known.round.status == RoundStatus::Declared);
        Ok(declared
            .map(|known| DeclaredToVoter {
                round: known.round.id,
                position: state.position_of(known),
                vote: known.votes.get(&voter).cloned(),
            })
            .collect())
    }

    async fn declared_on_screen(&self, meeting: MeetingId) -> Result<Option<DeclaredOnScreen>, PortFailure> {
        let state = self.state();
        let current = state.meetings.get(&meeting).and_then(|known| known.current);
        let last = current.and_then(|question| state.last_round(meeting, question));
        Ok(last.filter(|known| known.round.status == RoundStatus::Declared).map(|known| DeclaredOnScreen {
            client: known.round.client_id,
            round: known.round.id,
            position: state.position_of(known),
        }))
    }
}
