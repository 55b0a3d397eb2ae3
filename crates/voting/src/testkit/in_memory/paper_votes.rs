use async_trait::async_trait;
use chrono::{DateTime, Utc};
use plenum_kernel::{ClientId, DeskId, EndUserId, IssuedBallotId, MeetingId, PortFailure, RoundId, VoteId};
use uuid::Uuid;

use super::{InMemoryVoting, KnownRound, State};
use crate::{
    BatchRequest, BatchState, CastOn, CloseBatchError, ConfirmationContext, ConfirmationRule, EnteredBallot,
    EntryContext, EntryRule, IssueError, IssueRule, IssuedBallot, MAX_ROUNDS_WITH_LEFT_BATCHES, NewPaperBatch,
    PaperBatch, PaperBatchHead, PaperOutcome, PaperVoter, PaperVotes, Round, RoundOverview, RoundStatus,
    RoundWithLeftBatches, StoreBatchError, StoredVote, Teller, decide_confirmation, decide_entry, decide_issue,
};

/// A stored batch.
#[derive(Clone, Debug)]
pub(super) struct KnownBatch {
    entered: NewPaperBatch,
    number: u32,
    entered_by: String,
    state: BatchState,
    closed: Option<(DateTime<Utc>, String)>,
    /// In the order of the ballots.
    outcomes: Vec<PaperOutcome>,
}

impl KnownBatch {
    fn head(&self, teller: Teller) -> PaperBatchHead {
        let counted = self.outcomes.iter().filter(|outcome| **outcome == PaperOutcome::Counted).count();
        PaperBatchHead {
            id: self.entered.id,
            number: self.number,
            state: self.state,
            entered_at: self.entered.at,
            entered_by: self.entered_by.clone(),
            is_own: self.entered.by == teller,
            closed: self.closed.clone(),
            ballots: self.entered.ballots.len() as u64,
            counted: (self.state == BatchState::Confirmed).then_some(counted as u64),
        }
    }

    fn voters(&self) -> Vec<EndUserId> {
        self.entered.ballots.iter().map(|ballot| ballot.voter).collect()
    }

    fn is_in(&self, (client, meeting, round): (ClientId, MeetingId, RoundId)) -> bool {
        (self.entered.client, self.entered.meeting, self.entered.round) == (client, meeting, round)
    }

    fn is_meant(&self, request: &BatchRequest) -> bool {
        self.entered.id == request.batch && self.is_in((request.client, request.meeting, request.round))
    }
}

impl State {
    fn teller_name(&self, teller: Teller) -> String {
        match teller {
            Teller::Organizer(account) => self.account_name(account),
            Teller::Desk(desk) => self.desk_names.get(&desk).cloned().unwrap_or_default(),
        }
    }

    /// Whether votes on paper wait for confirmation in a round.
    pub(super) fn has_waiting_batch(&self, round: RoundId) -> bool {
        self.waiting_batches(round) > 0
    }

    pub(super) fn overview(&self, known: &KnownRound) -> RoundOverview {
        let waiting_batches = self.waiting_batches(known.round.id);
        RoundOverview { round: known.round.clone(), votes_cast: known.votes.len() as u64, waiting_batches }
    }

    fn waiting_batches(&self, round: RoundId) -> u64 {
        let waits = |batch: &&KnownBatch| batch.entered.round == round && batch.state == BatchState::Waiting;
        self.paper_batches.iter().filter(waits).count() as u64
    }

    fn paper_voter(&self, round: RoundId, person: EndUserId) -> PaperVoter {
        let known = self.rounds.iter().find(|known| known.round.id == round);
        let is_active = self.voters.get(&person).is_some_and(|voter| voter.is_active);
        let entry = known.and_then(|known| known.register.get(&person)).filter(|_| is_active);
        let of_round = self.paper_batches.iter().filter(|batch| batch.entered.round == round);
        let mut waiting = of_round.filter(|batch| batch.state == BatchState::Waiting);
        PaperVoter {
            name: self.voters.get(&person).map(|voter| voter.name.clone()).unwrap_or_default(),
            weight: entry.map(|entry| entry.weight),
            second_weight: known.and_then(|known| known.second_weights.get(&person)).copied(),
            groups: known.and_then(|known| known.group_places.get(&person)).cloned().unwrap_or_default(),
            has_voted: known.is_some_and(|known| known.votes.contains_key(&person)),
            is_in_other_batch: waiting.any(|batch| batch.voters().contains(&person)),
        }
    }

    fn paper_batch(&self, batch: &KnownBatch, teller: Teller) -> PaperBatch {
        let known = self.rounds.iter().find(|known| known.round.id == batch.entered.round);
        let waits = batch.state == BatchState::Waiting;
        let ballots = batch.entered.ballots.iter().zip(&batch.outcomes).map(|(ballot, outcome)| {
            let entry = known.and_then(|known| known.register.get(&ballot.voter));
            let text = |of: fn(&super::SeedVoter) -> &str| entry.map(of).unwrap_or_default().to_owned();
            EnteredBallot {
                voter: ballot.voter,
                name: text(|entry| &entry.name),
                username: text(|entry| &entry.username),
                weight: entry.map(|entry| entry.weight).unwrap_or_default(),
                answer: waits.then(|| ballot.answer.clone()),
                outcome: *outcome,
            }
        });
        let mut ballots: Vec<_> = ballots.collect();
        ballots.sort_by_key(|ballot| (ballot.name.to_lowercase(), ballot.voter));
        PaperBatch { head: batch.head(teller), ballots }
    }

    fn close_batch(
        &mut self,
        request: &BatchRequest,
        (state, at): (BatchState, DateTime<Utc>),
        outcomes: Vec<PaperOutcome>,
    ) -> Result<PaperBatch, CloseBatchError> {
        let (name, at) = (self.teller_name(request.by), self.time(request.meeting, at));
        let place = self.paper_batches.iter().position(|batch| batch.is_meant(request));
        let batch = place.and_then(|place| self.paper_batches.get_mut(place)).ok_or(CloseBatchError::NotFound)?;
        (batch.state, batch.outcomes) = (state, outcomes);
        batch.closed = Some((at, name));
        let batch = batch.clone();
        Ok(self.paper_batch(&batch, request.by))
    }
}

#[async_trait]
impl PaperVotes for InMemoryVoting {
    async fn round(&self, client: ClientId, meeting: MeetingId, round: RoundId) -> Result<Option<Round>, PortFailure> {
        Ok(self.state().round_of(client, meeting, round).map(|known| known.round.clone()))
    }

    async fn enter(&self, batch: NewPaperBatch) -> Result<PaperBatch, StoreBatchError> {
        let mut state = self.state();
        let known = state.round_of(batch.client, batch.meeting, batch.round).ok_or(StoreBatchError::RoundNotFound)?;
        let (status, secrecy) = (known.round.status, known.round.secrecy);
        if let Some(before) = state.paper_batches.iter().find(|known| known.entered.id == batch.id) {
            let place = (batch.client, batch.meeting, batch.round);
            let is_same = before.voters() == batch.ballots.iter().map(|ballot| ballot.voter).collect::<Vec<_>>();
            let is_repeat = before.is_in(place) && before.entered.by == batch.by && is_same;
            return if is_repeat { Ok(state.paper_batch(before, batch.by)) } else { Err(EntryRule::IdTaken.into()) };
        }
        let of_round = state.paper_batches.iter().filter(|known| known.entered.round == batch.round);
        let discarded = of_round.clone().filter(|known| known.state == BatchState::Discarded).count();
        let of_round = of_round.count();
        let voters = batch.ballots.iter().map(|ballot| state.paper_voter(batch.round, ballot.voter)).collect();
        let (batches, all_batches) = ((of_round - discarded) as u64, of_round as u64);
        decide_entry(&EntryContext { status, secrecy, batches, all_batches, voters })?;
        let at = state.time(batch.meeting, batch.at);
        let by = batch.by;
        let known = KnownBatch {
            number: u32::try_from(of_round).unwrap_or(u32::MAX) + 1,
            entered_by: state.teller_name(by),
            state: BatchState::Waiting,
            closed: None,
            outcomes: vec![PaperOutcome::Waiting; batch.ballots.len()],
            entered: NewPaperBatch { at, ..batch },
        };
        state.paper_batches.push(known.clone());
        Ok(state.paper_batch(&known, by))
    }

    async fn batches(
        &self,
        client: ClientId,
        meeting: MeetingId,
        round: RoundId,
        teller: Teller,
    ) -> Result<Option<Vec<PaperBatchHead>>, PortFailure> {
        let state = self.state();
        if state.round_of(client, meeting, round).is_none() {
            return Ok(None);
        }
        let of_round = state.paper_batches.iter().filter(|batch| batch.entered.round == round);
        Ok(Some(of_round.map(|batch| batch.head(teller)).collect()))
    }

    async fn rounds_with_left_batches(
        &self,
        client: ClientId,
        meeting: MeetingId,
    ) -> Result<Vec<RoundWithLeftBatches>, PortFailure> {
        let state = self.state();
        let is_left = |known: &&KnownRound| {
            let is_ended = known.round.status != RoundStatus::Open;
            is_ended
                && state.round_of(client, meeting, known.round.id).is_some()
                && state.has_waiting_batch(known.round.id)
        };
        let left = state.rounds.iter().filter(is_left);
        let left =
            left.map(|known| RoundWithLeftBatches { round: known.round.id, text: known.round.wording.text.clone() });
        Ok(left.take(MAX_ROUNDS_WITH_LEFT_BATCHES).collect())
    }

    async fn batch(&self, request: BatchRequest) -> Result<Option<PaperBatch>, PortFailure> {
        let state = self.state();
        let found = state.paper_batches.iter().find(|batch| batch.is_meant(&request));
        Ok(found.map(|batch| state.paper_batch(batch, request.by)))
    }

    async fn confirm(&self, request: BatchRequest, at: DateTime<Utc>) -> Result<PaperBatch, CloseBatchError> {
        let mut state = self.state();
        let found = state.paper_batches.iter().find(|batch| batch.is_meant(&request)).cloned();
        let batch = found.ok_or(CloseBatchError::NotFound)?;
        let known = state.round_of(request.client, request.meeting, request.round).ok_or(CloseBatchError::NotFound)?;
        let outcomes = decide_confirmation(&ConfirmationContext {
            state: batch.state,
            is_own: batch.entered.by == request.by,
            status: known.round.status,
            secrecy: known.round.secrecy,
            voters: batch.voters().into_iter().map(|voter| state.paper_voter(request.round, voter)).collect(),
        })?;
        let at = state.time(request.meeting, at);
        if let Some(known) = state.round_mut(request.round) {
            for (ballot, outcome) in batch.entered.ballots.iter().zip(&outcomes) {
                if *outcome == PaperOutcome::Counted {
                    let id =
                        VoteId::from_uuid(Uuid::from_u128(ballot.voter.as_uuid().as_u128() ^ at.timestamp() as u128));
                    let (answer, cast_at) = (ballot.answer.clone(), Some(at));
                    let cast_on = Some(CastOn::Paper);
                    let vote = StoredVote { id, answer, cast_at, session: None, cast_by: None, cast_on };
                    known.votes.insert(ballot.voter, vote);
                }
            }
        }
        state.close_batch(&request, (BatchState::Confirmed, at), outcomes)
    }

    async fn discard(&self, request: BatchRequest, at: DateTime<Utc>) -> Result<PaperBatch, CloseBatchError> {
        let mut state = self.state();
        let found = state.paper_batches.iter().find(|batch| batch.is_meant(&request));
        let batch = found.ok_or(CloseBatchError::NotFound)?;
        if batch.state != BatchState::Waiting {
            return Err(ConfirmationRule::Closed.into());
        }
        let outcomes = vec![PaperOutcome::Discarded; batch.outcomes.len()];
        state.close_batch(&request, (BatchState::Discarded, at), outcomes)
    }

    async fn issue(&self, ballot: IssuedBallot) -> Result<(), IssueError> {
        let mut state = self.state();
        let known = state.round_of(ballot.client, ballot.meeting, ballot.round).ok_or(IssueError::RoundNotFound)?;
        let status = known.round.status;
        if let Some(before) = state.issued_ballots.get(&ballot.id) {
            let is_repeat = IssuedBallot { at: ballot.at, ..*before } == ballot;
            return if is_repeat { Ok(()) } else { Err(IssueRule::IdTaken.into()) };
        }
        let to_person = |known: &&IssuedBallot| (known.round, known.voter) == (ballot.round, ballot.voter);
        let issued = state.issued_ballots.values().filter(to_person).count() as u64;
        decide_issue(status, &state.paper_voter(ballot.round, ballot.voter), issued)?;
        state.issued_ballots.insert(ballot.id, ballot);
        Ok(())
    }

    async fn issued(
        &self,
        client: ClientId,
        desk: DeskId,
        ballot: IssuedBallotId,
    ) -> Result<Option<IssuedBallot>, PortFailure> {
        let state = self.state();
        let issued = state.issued_ballots.get(&ballot).copied();
        Ok(issued.filter(|issued| issued.client == client && issued.desk == desk))
    }
}
