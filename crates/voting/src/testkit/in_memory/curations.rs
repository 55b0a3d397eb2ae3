use async_trait::async_trait;
use plenum_kernel::{ClientId, MeetingId, PortFailure, RoundId};

use super::InMemoryVoting;
use crate::{CurateError, CurationChange, CurationContext, CurationStore, StoredCuration, decide_curation};

#[async_trait]
impl CurationStore for InMemoryVoting {
    async fn find(&self, owner: ClientId, meeting: MeetingId, round: RoundId) -> Result<StoredCuration, PortFailure> {
        let state = self.state();
        let known = state.round_of(owner, meeting, round);
        Ok(known.and_then(|_| state.curations.get(&round)).cloned().unwrap_or_default())
    }

    async fn replace(&self, change: CurationChange) -> Result<(StoredCuration, bool), CurateError> {
        let CurationChange { owner, meeting, round, seen, curation } = change;
        let mut state = self.state();
        let known = state.round_of(owner, meeting, round).ok_or(CurateError::RoundNotFound)?;
        let last = state.last_round(meeting, known.round.question_id);
        let is_superseded = last.is_some_and(|last| last.round.id != round);
        let stored = state.curations.get(&round).cloned().unwrap_or_default();
        let context = CurationContext { stored, is_superseded };
        match decide_curation(&context, seen, &curation)? {
            None => Ok((context.stored, false)),
            Some(new) => {
                state.curations.insert(round, new.clone());
                Ok((new, true))
            }
        }
    }
}
