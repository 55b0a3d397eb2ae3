use async_trait::async_trait;
use plenum_kernel::{ClientId, EndUserId, MeetingId, PortFailure, RoundId, VoteId};

use super::{InMemoryVoting, KnownRound};
use crate::{Ballot, BallotBox, CastOutcome, DiscardVoteError, Round, RoundStatus, check_discard};

#[async_trait]
impl BallotBox for InMemoryVoting {
    async fn cast(&self, ballot: Ballot) -> Result<CastOutcome, PortFailure> {
        let mut state = self.state();
        let is_active = state.voters.get(&ballot.voter).is_some_and(|voter| voter.is_active);
        let rests = state.rests(ballot.round_id, ballot.voter);
        let Some(known) = state.round_mut(ballot.round_id) else { return Ok(CastOutcome::NotOpen) };
        let held = known.proxies.get(&ballot.voter).map(|kept| kept.holder);
        if ballot.cast_by.is_some() && ballot.cast_by != held {
            let is_open = known.round.status == RoundStatus::Open;
            return Ok(if is_open { CastOutcome::NoProxy } else { CastOutcome::NotOpen });
        }
        if let Some(before) = known.votes.get(&ballot.voter) {
            return Ok(CastOutcome::VotedBefore(before.clone()));
        }
        if known.round.status != RoundStatus::Open {
            return Ok(CastOutcome::NotOpen);
        }
        if ballot.cast_by.is_some() && rests {
            return Ok(CastOutcome::NoProxy);
        }
        if !is_active || !known.register.contains_key(&ballot.voter) {
            return Ok(CastOutcome::NotInRegister);
        }
        known.votes.insert(ballot.voter, ballot.into_vote());
        Ok(CastOutcome::Counted)
    }

    async fn withdraw(&self, round: RoundId, voter: EndUserId) -> Result<bool, PortFailure> {
        let mut state = self.state();
        let open = state.round_mut(round).filter(|known| known.round.status == RoundStatus::Open);
        Ok(open.is_some_and(|known| known.votes.remove(&voter).is_some()))
    }

    async fn is_for_tests(&self, round: RoundId) -> Result<bool, PortFailure> {
        Ok(self.state().round_mut(round).is_some_and(|known| known.is_test))
    }

    async fn discard(&self, owner: Option<ClientId>, vote: VoteId) -> Result<MeetingId, DiscardVoteError> {
        let mut state = self.state();
        let holds = |known: &&KnownRound| known.votes.values().any(|stored| stored.id == vote);
        let is_of_owner = |known: &&KnownRound| owner.is_none_or(|owner| known.round.client_id == owner);
        let known = state.rounds.iter().filter(is_of_owner).find(holds).ok_or(DiscardVoteError::NotFound)?;
        let Round { id, meeting_id, status, .. } = known.round;
        check_discard(known.is_test, status)?;
        if let Some(known) = state.round_mut(id) {
            known.votes.retain(|_, stored| stored.id != vote);
        }
        Ok(meeting_id)
    }
}
