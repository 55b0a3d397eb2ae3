use std::sync::Arc;

use plenum_kernel::{
    AccountId, ClientId, Clock, EndUserId, LogEntryId, MeetingId, NewIds, PortFailure, QuestionId, RoundId,
};

use crate::{
    AdmitError, ExcludeError, Exclusion, LiftExclusionError, LogEntry, Reason, RegisterChange, RegisterChanges,
    VotingSignals,
};

/// A request to exclude a person from a question, or to admit a person to a running round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegisterChangeRequest {
    /// The person.
    pub end_user: EndUserId,
    /// The reason.
    pub reason: Reason,
    /// The organizer.
    pub by: AccountId,
}

/// Excludes people from questions, and admits latecomers to running rounds.
pub struct RegisterService {
    changes: Arc<dyn RegisterChanges>,
    signals: Arc<dyn VotingSignals>,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn NewIds>,
}

impl RegisterService {
    /// Creates the service on this store.
    pub fn new(
        changes: Arc<dyn RegisterChanges>,
        signals: Arc<dyn VotingSignals>,
        clock: Arc<dyn Clock>,
        ids: Arc<dyn NewIds>,
    ) -> Self {
        Self { changes, signals, clock, ids }
    }

    /// The people excluded from a question, by name. `None` when the client's meeting has no such question.
    ///
    /// # Errors
    /// Fails when the store does not respond.
    pub async fn exclusions(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        question: QuestionId,
    ) -> Result<Option<Vec<Exclusion>>, PortFailure> {
        self.changes.exclusions(owner, meeting, question).await
    }

    /// Excludes a person from a question, including its running round, and informs the live screens.
    ///
    /// # Errors
    /// Fails when this client has no such meeting, question or end user, and when the person is excluded already or has voted
    /// in the running round.
    pub async fn exclude(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        question: QuestionId,
        request: RegisterChangeRequest,
    ) -> Result<Exclusion, ExcludeError> {
        let change = self.change(request);
        let exclusion = self.changes.exclude(owner, meeting, question, change).await?;
        self.signals.meeting_changed(meeting).await;
        Ok(exclusion)
    }

    /// Lifts an exclusion from the next opening of the question on, and informs the live screens, because the person counts
    /// for the quorum again.
    ///
    /// # Errors
    /// Fails when this client has no such meeting or question, the person is not excluded, or its round is open.
    pub async fn lift(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        question: QuestionId,
        end_user: EndUserId,
    ) -> Result<(), LiftExclusionError> {
        self.changes.lift(owner, meeting, question, end_user).await?;
        self.signals.meeting_changed(meeting).await;
        Ok(())
    }

    /// Admits a person to a running round and informs the live screens.
    ///
    /// # Errors
    /// Fails when this client has no such round or end user, the round is over, the person is in its register already
    /// or is not active, or the participant list is full.
    pub async fn admit(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        round: RoundId,
        request: RegisterChangeRequest,
    ) -> Result<LogEntry, AdmitError> {
        let change = self.change(request);
        let entry = self.changes.admit(owner, meeting, round, change).await?;
        self.signals.meeting_changed(meeting).await;
        Ok(entry)
    }

    fn change(&self, request: RegisterChangeRequest) -> RegisterChange {
        let RegisterChangeRequest { end_user, reason, by } = request;
        RegisterChange { end_user, reason, by, at: self.clock.now(), log_entry: LogEntryId::new(&*self.ids) }
    }
}
