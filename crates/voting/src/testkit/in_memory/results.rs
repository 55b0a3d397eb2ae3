use async_trait::async_trait;
use plenum_kernel::{ClientId, EndUserId, MeetingId, PortFailure, QuestionId, RoundId};

use super::{InMemoryVoting, KnownRound, State};
use crate::{
    CastingVote, CastingVoteError, CastingVoteRequest, Count, CountTaking, CountableRound, CountedVote, Counting,
    DecideTieError, Declared, DeclaredOnScreen, DeclaredToVoter, LogKind, MadeTieDecision, NewCastingVote,
    NewSeatAnswer, NewTieDecision, NotedSeatAnswer, RegisterPaper, RegisteredGroup, ResultStep, ResultStepContext,
    ResultStepError, ResultStore, RoundPapers, RoundStatus, SeatAnswerContext, SeatAnswerError, SeatAnswerRequest,
    SecondTerms, Terms, check_declarable, decide_counting, decide_declaring, decide_seat_answer,
};

impl KnownRound {
    /// The terms, with the members of each group counted, and the same by the second weight.
    fn counted_terms(&self) -> Terms {
        let second = self.round.second_weight_kind.as_ref().map(|_| self.by_second_weight().counted_second());
        Terms { second, groups: self.counted_groups(), represented: self.represented(), ..self.terms.clone() }
    }

    /// The same round with the second weight of each person in place of the first one.
    fn by_second_weight(&self) -> Self {
        let mut second = self.clone();
        for (person, entry) in &mut second.register {
            entry.weight = self.second_weights.get(person).copied().unwrap_or_default();
        }
        second
    }

    fn counted_second(&self) -> SecondTerms {
        let everybody = self.register.keys().copied().collect();
        SecondTerms {
            register: self.count_of(&everybody),
            connected_at_opening: self.count_of(&self.connected),
            absent: Count { weight: self.absent_second, ..self.terms.absent },
            groups: self.counted_groups(),
            represented: self.represented(),
        }
    }

    fn counted_groups(&self) -> Vec<RegisteredGroup> {
        let mut groups = self.terms.groups.clone();
        for (place, group) in (0_u16..).zip(&mut groups) {
            let is_member = |id: &EndUserId| self.group_places.get(id).is_some_and(|places| places.contains(&place));
            for entry in self.register.values().filter(|entry| is_member(&entry.id)) {
                group.register.add(entry.weight);
                if self.connected.contains(&entry.id) {
                    group.connected.add(entry.weight);
                } else if self.is_represented_without_vote(entry.id) {
                    group.represented.add(entry.weight);
                }
            }
        }
        groups
    }
}

impl State {
    pub(super) fn countable(&self, known: &KnownRound) -> CountableRound {
        CountableRound {
            round: known.round.clone(),
            position: self.position_of(known),
            terms: known.counted_terms(),
            log: known.log.clone(),
            urn: known.opened_urn.clone(),
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
            second_weight: known.second_weights.get(&entry.id).copied(),
            added_at: known.added.get(&entry.id).copied().unwrap_or(known.round.opened_at),
            was_connected: known.connected.contains(&entry.id),
            groups: known.group_places.get(&entry.id).cloned().unwrap_or_default(),
            answer: known.votes.get(&entry.id).map(|vote| vote.answer.clone()),
            cast_on: known.votes.get(&entry.id).and_then(|vote| vote.cast_on),
            proxy: known.paper_proxy(entry.id),
        };
        entries.into_iter().map(paper).collect()
    }

    /// The count of a round with its register.
    pub(super) fn papers_of(&self, round: RoundId) -> Option<RoundPapers> {
        let known = self.rounds.iter().find(|known| known.round.id == round)?;
        Some(RoundPapers::count(self.countable(known), self.register_papers(known)))
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

    /// The ended round in its found state.
    fn take(&self, owner: ClientId, meeting: MeetingId, taking: CountTaking) -> Option<&KnownRound> {
        let found = self.round_of(owner, meeting, taking.round)?;
        let is_as_found = found.round.status != RoundStatus::Open && found.round.ended_at == Some(taking.ended_at);
        is_as_found.then_some(found)
    }

    /// The facts that decide a step, with the current question of the meeting and the question of the round.
    fn result_step(
        &mut self,
        step: &ResultStep,
    ) -> Result<(ResultStepContext, Option<QuestionId>, QuestionId), ResultStepError> {
        let ResultStep { owner, meeting, round, seen, .. } = *step;
        let known = self.meeting_of(owner, meeting).ok_or(ResultStepError::MeetingNotFound)?;
        let (is_stale, current, is_active) = (known.step.has_passed(seen), known.current, known.is_active);
        let found = self.round_of(owner, meeting, round).ok_or(ResultStepError::RoundNotFound)?;
        let context = ResultStepContext {
            is_stale,
            status: found.round.status,
            is_counted: found.round.counted_at.is_some(),
            urn: found.closed_urn(),
            accepts_risk: step.accepts_risk,
            has_waiting_batches: is_active && self.has_waiting_batch(round),
        };
        Ok((context, current, found.round.question_id))
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

    async fn ended(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        except: Vec<RoundId>,
    ) -> Result<Option<Vec<CountableRound>>, PortFailure> {
        let mut state = self.state();
        if state.meeting_of(owner, meeting).is_none() {
            return Ok(None);
        }
        let rounds = state.in_order(owner, meeting).into_iter();
        let ended = rounds.filter(|known| known.round.status != RoundStatus::Open && !except.contains(&known.round.id));
        Ok(Some(ended.map(|known| state.countable(known)).collect()))
    }

    async fn mark_counted(&self, step: ResultStep) -> Result<Counting, ResultStepError> {
        let mut state = self.state();
        let (found, current, _) = state.result_step(&step)?;
        if !decide_counting(&found)? {
            return Ok(Counting::CountedBefore);
        }
        let (name, now) = (state.account_name(step.by), state.time(step.meeting, step.now));
        let is_urn = self.open_urn(&mut state, &step, now)?;
        if let Some(known) = state.round_mut(step.round) {
            known.round.counted_at = Some(now);
            known.log(LogKind::Counted, Some(name), now);
        }
        state.take_step(step.meeting, current);
        Ok(if is_urn { Counting::UrnOpened } else { Counting::Counted })
    }

    async fn take_count(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        taking: CountTaking,
    ) -> Result<Option<Vec<CountedVote>>, PortFailure> {
        let state = self.state();
        let Some(known) = state.take(owner, meeting, taking) else { return Ok(None) };
        let votes = known.votes.iter().filter_map(|(voter, vote)| {
            let entry = known.register.get(voter)?;
            let was_connected = known.connected.contains(voter);
            Some(CountedVote {
                answer: vote.answer.clone(),
                weight: entry.weight,
                second_weight: known.second_weights.get(voter).copied(),
                was_connected,
                groups: known.group_places.get(voter).cloned().unwrap_or_default(),
                cast_on: vote.cast_on,
            })
        });
        Ok(Some(votes.collect()))
    }

    async fn take_papers(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        taking: CountTaking,
    ) -> Result<Option<Vec<RegisterPaper>>, PortFailure> {
        let state = self.state();
        Ok(state.take(owner, meeting, taking).map(|known| state.register_papers(known)))
    }

    async fn decide_tie(&self, new: NewTieDecision) -> Result<(), DecideTieError> {
        let mut state = self.state();
        let name = state.account_name(new.by);
        let found = state.round_of(new.owner, new.meeting, new.round).is_some();
        let known = state.round_mut(new.round).filter(|known| {
            let is_open = known.round.status == RoundStatus::Ended && known.round.counted_at.is_some();
            found && is_open && known.terms.tie_decisions.len() == new.before
        });
        let known = known.ok_or(DecideTieError::OtherTie)?;
        known.terms.tie_decisions.push(MadeTieDecision {
            decision: new.decision,
            drawn_by: new.drawn_by,
            witnessed_by: new.witnessed_by,
            at: new.at,
            decided_by: Some(name),
        });
        Ok(())
    }

    async fn note_casting_vote(&self, new: NewCastingVote) -> Result<(), CastingVoteError> {
        let CastingVoteRequest { owner, meeting, round, by, in_favor, cast_by } = new.request;
        let mut state = self.state();
        let (name, at) = (state.account_name(by), state.time(meeting, new.at));
        let found = state.round_of(owner, meeting, round).is_some();
        let known = state.round_mut(round).filter(|known| {
            let is_open = known.round.status == RoundStatus::Ended && known.round.counted_at.is_some();
            found && is_open && known.terms.casting_vote.is_none()
        });
        let known = known.ok_or(CastingVoteError::NotOpen)?;
        known.terms.casting_vote = Some(CastingVote { in_favor, cast_by, at, noted_by: Some(name) });
        Ok(())
    }

    async fn note_seat_answer(&self, new: NewSeatAnswer) -> Result<bool, SeatAnswerError> {
        let SeatAnswerRequest { owner, meeting, round, by, candidate, answer } = new.request;
        let mut state = self.state();
        let found = state.round_of(owner, meeting, round).and_then(|known| state.papers_of(known.round.id));
        let papers = found.ok_or(SeatAnswerError::RoundNotFound)?;
        let noted: Vec<NotedSeatAnswer> =
            state.seat_answers.iter().filter(|noted| noted.round == round).cloned().collect();
        // This store knows no agenda.
        let context = SeatAnswerContext { papers: &papers, noted: &noted, is_continued: false };
        let decided = decide_seat_answer(context, (candidate, answer))?;
        let Some((before, succession)) = decided else { return Ok(false) };
        let (by, at) = (state.account_name(by), state.time(meeting, new.at));
        let is_continued = false;
        let noted = NotedSeatAnswer { round, at, by, candidate, answer, is_continued, before, succession };
        state.seat_answers.push(noted);
        Ok(true)
    }

    async fn seat_answers(&self, owner: ClientId, meeting: MeetingId) -> Result<Vec<NotedSeatAnswer>, PortFailure> {
        let state = self.state();
        let noted = state.seat_answers.iter().filter(|noted| state.round_of(owner, meeting, noted.round).is_some());
        Ok(noted.cloned().collect())
    }

    async fn declare(&self, step: ResultStep) -> Result<Option<QuestionId>, ResultStepError> {
        let mut state = self.state();
        let (found, current, question) = state.result_step(&step)?;
        if !decide_declaring(&found)? {
            return Ok(None);
        }
        state.papers_of(step.round).map_or(Ok(()), |papers| check_declarable(&papers))?;
        let (name, now) = (state.account_name(step.by), state.time(step.meeting, step.now));
        if let Some(known) = state.round_mut(step.round) {
            known.round.status = RoundStatus::Declared;
            known.round.counted_at = known.round.counted_at.or(Some(now));
            known.round.declared = Some(Declared { at: now, by: name.clone() });
            known.log(LogKind::Declared, Some(name), now);
        }
        state.write_record(step.round, now, false);
        state.take_step(step.meeting, current);
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
