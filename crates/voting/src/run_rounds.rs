use std::sync::Arc;

use plenum_kernel::{ClientId, Clock, MeetingId, NewIds, PortFailure, QuestionId, RoundId};

use crate::{CurrentQuestion, OpenRoundError, RoundOverview, RoundStore, VotingSignals};

/// Puts questions on the screen, and opens and ends the voting on them.
pub struct RoundService {
    rounds: Arc<dyn RoundStore>,
    signals: Arc<dyn VotingSignals>,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn NewIds>,
}

impl RoundService {
    /// Rounds in this store.
    pub fn new(
        rounds: Arc<dyn RoundStore>,
        signals: Arc<dyn VotingSignals>,
        clock: Arc<dyn Clock>,
        ids: Arc<dyn NewIds>,
    ) -> Self {
        Self { rounds, signals, clock, ids }
    }

    /// Opens a question for voting and tells everyone who is watching.
    ///
    /// # Errors
    /// Fails when this client has no such meeting or question, the meeting is not running, or the question's result
    /// has been declared.
    pub async fn open(&self, owner: ClientId, meeting: MeetingId, question: QuestionId) -> Result<(), OpenRoundError> {
        let new_round = RoundId::new(&*self.ids);
        self.rounds.open(owner, meeting, question, new_round, self.clock.now()).await?;
        self.signals.meeting_changed(meeting).await;
        Ok(())
    }

    /// Ends the running round, if there is one, shows `question` (or nothing) without opening it, and tells everyone
    /// who is watching.
    ///
    /// # Errors
    /// Fails when this client has no such meeting or question, or a question is to be shown in a meeting that is not
    /// running.
    pub async fn show(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        question: Option<QuestionId>,
    ) -> Result<(), OpenRoundError> {
        self.rounds.show(owner, meeting, question, self.clock.now()).await?;
        self.signals.meeting_changed(meeting).await;
        Ok(())
    }

    /// The question on the screen. The outer `None` when this client has no such meeting.
    ///
    /// # Errors
    /// Fails when the store does not answer.
    pub async fn current(
        &self,
        owner: ClientId,
        meeting: MeetingId,
    ) -> Result<Option<Option<CurrentQuestion>>, PortFailure> {
        self.rounds.current(owner, meeting).await
    }

    /// The rounds of a meeting, the earliest first. `None` when this client has no such meeting.
    ///
    /// # Errors
    /// Fails when the store does not answer.
    pub async fn list(&self, owner: ClientId, meeting: MeetingId) -> Result<Option<Vec<RoundOverview>>, PortFailure> {
        self.rounds.list(owner, meeting).await
    }
}
