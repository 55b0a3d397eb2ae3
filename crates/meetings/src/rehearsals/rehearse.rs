use std::sync::Arc;

use plenum_kernel::{AccountId, ClientId, Clock, EndUserId, MeetingId, NewIds, PortFailure, RehearsalId};

use crate::live::{LiveSignals, Presence};
use crate::{
    NewRehearsal, Rehearsal, RehearsalAnswer, RehearsalFilter, RehearsalReport, RehearsalRule, RehearsalStep,
    RehearsalStore, SeeMeetingError, VoterMeetings,
};

/// The reason why a rehearsal was not started.
#[derive(Debug, thiserror::Error)]
pub enum StartRehearsalError {
    /// The client has no such meeting.
    #[error("the meeting does not exist")]
    MeetingNotFound,
    /// A rule forbids it.
    #[error(transparent)]
    Rule(#[from] RehearsalRule),
    /// The store did not respond.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

/// The reason why a rehearsal was not ended or discarded.
#[derive(Debug, thiserror::Error)]
pub enum EndRehearsalError {
    /// The client has no such meeting.
    #[error("the meeting does not exist")]
    MeetingNotFound,
    /// The meeting was never rehearsed, or its rehearsal was discarded.
    #[error("there is no rehearsal of this meeting")]
    NoRehearsal,
    /// The store did not respond.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

/// The reason why a voter's answer to a rehearsal was not recorded.
#[derive(Debug, thiserror::Error)]
pub enum AnswerRehearsalError {
    /// The voter does not see the meeting, or the store did not answer.
    #[error(transparent)]
    Meeting(#[from] SeeMeetingError),
    /// The rehearsal has ended, or is not the current one of the meeting.
    #[error("the rehearsal is over")]
    Over,
}

impl From<PortFailure> for AnswerRehearsalError {
    fn from(failure: PortFailure) -> Self {
        Self::Meeting(failure.into())
    }
}

/// The ports of [`RehearsalService`].
pub struct RehearsalPorts {
    /// Rehearsals with their answers.
    pub rehearsals: Arc<dyn RehearsalStore>,
    /// Meetings as voters see them.
    pub voter_meetings: Arc<dyn VoterMeetings>,
    /// Informs the live screens.
    pub signals: Arc<dyn LiveSignals>,
    /// The connected voters.
    pub presence: Arc<dyn Presence>,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// The source of ids.
    pub ids: Arc<dyn NewIds>,
}

/// A message of a voter's screen about a rehearsal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewRehearsalAnswer {
    /// The voter's client.
    pub client: ClientId,
    /// The voter.
    pub voter: EndUserId,
    /// The meeting.
    pub meeting: MeetingId,
    /// The rehearsal.
    pub rehearsal: RehearsalId,
    /// Receipt, or a tap.
    pub step: RehearsalStep,
    /// Whether the device can seal a secret ballot by itself, if it says so.
    pub can_seal: Option<bool>,
}

/// Starts and ends rehearsals, records answers, and informs the live screens.
pub struct RehearsalService {
    ports: RehearsalPorts,
}

impl RehearsalService {
    /// Creates the service on these ports.
    pub fn new(ports: RehearsalPorts) -> Self {
        Self { ports }
    }

    /// Starts a rehearsal, which replaces the previous one, and informs the live screens.
    ///
    /// # Errors
    /// Fails when this client has no such meeting, it is neither scheduled nor running, a question is open for voting in
    /// it, or a rehearsal is running already.
    pub async fn start(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        by: AccountId,
    ) -> Result<Rehearsal, StartRehearsalError> {
        let id = RehearsalId::new(&*self.ports.ids);
        let new = NewRehearsal { id, client_id: owner, meeting_id: meeting, at: self.ports.clock.now(), by };
        let rehearsal = self.ports.rehearsals.start(new).await?;
        self.ports.signals.meeting_changed(meeting).await;
        Ok(rehearsal)
    }

    /// Ends the meeting's rehearsal and informs the live screens. A repeat succeeds.
    ///
    /// # Errors
    /// Fails when this client has no such meeting, or there is no rehearsal of it.
    pub async fn end(&self, owner: ClientId, meeting: MeetingId) -> Result<Rehearsal, EndRehearsalError> {
        let rehearsal = self.ports.rehearsals.end(owner, meeting, self.ports.clock.now()).await?;
        self.ports.signals.meeting_changed(meeting).await;
        Ok(rehearsal)
    }

    /// Discards the meeting's rehearsal with all answers, also while it runs, and informs the live screens.
    ///
    /// # Errors
    /// Fails when this client has no such meeting, or there is no rehearsal of it.
    pub async fn discard(&self, owner: ClientId, meeting: MeetingId) -> Result<(), EndRehearsalError> {
        self.ports.rehearsals.discard(owner, meeting).await?;
        self.ports.signals.meeting_changed(meeting).await;
        Ok(())
    }

    /// The report of the meeting's rehearsal, given the currently connected voters. `None` when this client has no such
    /// meeting.
    ///
    /// # Errors
    /// Fails when the store does not respond.
    pub async fn report(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        filter: &RehearsalFilter,
    ) -> Result<Option<RehearsalReport>, PortFailure> {
        self.ports.rehearsals.report(owner, meeting, self.ports.presence.connected(meeting), filter).await
    }

    /// Records that a rehearsal has arrived on a voter's screen, or that the voter has tapped. The first times stay, and
    /// repeats succeed.
    ///
    /// # Errors
    /// Fails when the voter's client has no such meeting, the voter is not invited, or the rehearsal has ended or
    /// is not the current one of the meeting.
    pub async fn answer(&self, new: NewRehearsalAnswer) -> Result<(), AnswerRehearsalError> {
        let NewRehearsalAnswer { client, voter, meeting, rehearsal, step, can_seal } = new;
        let at = self.ports.clock.now();
        let (client_id, meeting_id, rehearsal_id) = (client, meeting, rehearsal);
        let answer = RehearsalAnswer { client_id, meeting_id, rehearsal_id, voter, step, can_seal, at };
        if self.ports.rehearsals.answer(answer).await? {
            return Ok(());
        }
        // A second query finds the reason, because few answers need it.
        let found = self.ports.voter_meetings.find(client, voter, meeting).await?;
        found.ok_or(SeeMeetingError::NotFound)?.check()?;
        Err(AnswerRehearsalError::Over)
    }
}
