use std::sync::Arc;

use plenum_kernel::{ClientId, Clock, MeetingId, NewIds, Page, PortFailure, QuestionId, RoundId, Step};

use crate::{
    Countdown, CountdownError, ForecastScope, OpenRoundError, OpeningRule, OrganizerStep, Presence, RegisterEntry,
    RegisterFilter, RevoteReason, RoundOpening, RoundOverview, RoundStore, Screen, ScreenChange, SecrecyForecast,
    UrnKeys, VotingSignals, Weightless,
};

/// The ports of [`RoundService`].
pub struct RoundPorts {
    /// Rounds.
    pub rounds: Arc<dyn RoundStore>,
    /// The keys of secret rounds.
    pub urn_keys: Arc<dyn UrnKeys>,
    /// Informs the live screens.
    pub signals: Arc<dyn VotingSignals>,
    /// The connected voters.
    pub presence: Arc<dyn Presence>,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// The source of ids.
    pub ids: Arc<dyn NewIds>,
}

/// Shows questions on the presentation, and opens and ends their rounds.
pub struct RoundService {
    pub(crate) ports: RoundPorts,
}

impl RoundService {
    /// Creates the service on these ports.
    pub fn new(ports: RoundPorts) -> Self {
        Self { ports }
    }

    /// Opens a question for voting and informs the live screens.
    ///
    /// # Errors
    /// Fails when this client has no such meeting or question, the meeting is not running, the question's result has
    /// been declared, too few voters are connected for its quorum, or the meeting has made another step since the one
    /// that the organizer saw.
    pub async fn open(&self, step: OrganizerStep, question: QuestionId) -> Result<(), OpenRoundError> {
        self.open_by(self.opening(step, question)).await
    }

    /// Opens a re-vote on a question, in a new round, and informs the live screens. The earlier rounds stay.
    ///
    /// # Errors
    /// Fails as [`Self::open`] does, and when voting on the question is open, or the question has no votes yet. A
    /// declared result does not prevent a re-vote.
    pub async fn revote(
        &self,
        step: OrganizerStep,
        question: QuestionId,
        reason: RevoteReason,
    ) -> Result<(), OpenRoundError> {
        let opening = self.opening(step, question);
        self.open_by(RoundOpening { revote: Some(reason), ..opening }).await
    }

    fn opening(&self, step: OrganizerStep, question: QuestionId) -> RoundOpening {
        let OrganizerStep { owner, meeting, by, seen, accepts_risk } = step;
        RoundOpening {
            owner,
            meeting,
            question,
            new_round: RoundId::new(&*self.ports.ids),
            now: self.ports.clock.now(),
            seen,
            by,
            connected: self.ports.presence.connected(meeting),
            revote: None,
            key: None,
            accepts_risk,
        }
    }

    async fn open_by(&self, opening: RoundOpening) -> Result<(), OpenRoundError> {
        let (meeting, round) = (opening.meeting, opening.new_round);
        match self.ports.rounds.open(opening.clone()).await {
            Err(OpenRoundError::Rule(OpeningRule::KeyNeeded)) => {
                let key = Some(self.ports.urn_keys.prepare(round).await?);
                if let Err(error) = self.ports.rounds.open(RoundOpening { key, ..opening }).await {
                    // Without a response from the store, the round may be open. The sweep of keys finds out.
                    if !matches!(error, OpenRoundError::Port(_)) {
                        let _ = self.ports.urn_keys.destroy(round).await;
                    }
                    return Err(error);
                }
            }
            outcome => outcome?,
        }
        self.ports.signals.meeting_changed(meeting).await;
        Ok(())
    }

    /// Ends the running round, if there is one, shows `question` (or nothing) without opening it, and informs the live
    /// screens.
    ///
    /// # Errors
    /// Fails when this client has no such meeting or question, a question is to be shown in a meeting that is not
    /// running, or the meeting has made another step since the one that the organizer saw.
    pub async fn show(&self, step: OrganizerStep, question: Option<QuestionId>) -> Result<(), OpenRoundError> {
        let OrganizerStep { owner, meeting, by, seen, .. } = step;
        let now = self.ports.clock.now();
        self.ports.rounds.show(ScreenChange { owner, meeting, question, by, now, seen }).await?;
        self.ports.signals.meeting_changed(meeting).await;
        Ok(())
    }

    /// Sets a countdown for the running round, in place of an earlier one, and informs the live screens.
    /// [`Self::close_due`] ends the round.
    ///
    /// # Errors
    /// Fails when this client has no such meeting, no question is open in it, or another step was made since the state
    /// `seen`.
    pub async fn start_countdown(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        countdown: Countdown,
        seen: Option<Step>,
    ) -> Result<(), CountdownError> {
        let closes_at = countdown.end(self.ports.clock.now());
        self.ports.rounds.set_closing(owner, meeting, Some(closes_at), seen).await?;
        self.ports.signals.meeting_changed(meeting).await;
        Ok(())
    }

    /// Removes the countdown of the running round, and informs the live screens. Without a countdown nothing changes.
    ///
    /// # Errors
    /// Fails when this client has no such meeting, or a countdown runs and another step was made since the state
    /// `seen`.
    pub async fn cancel_countdown(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        seen: Option<Step>,
    ) -> Result<(), CountdownError> {
        self.ports.rounds.set_closing(owner, meeting, None, seen).await?;
        self.ports.signals.meeting_changed(meeting).await;
        Ok(())
    }

    /// The current question with the step. `None` when this client has no such meeting.
    ///
    /// # Errors
    /// Fails when the store does not respond.
    pub async fn screen(&self, owner: ClientId, meeting: MeetingId) -> Result<Option<Screen>, PortFailure> {
        self.ports.rounds.screen(owner, meeting).await
    }

    /// The risk of secret votes in the meeting, with the people who may vote now. `None` when this client has no such meeting.
    ///
    /// # Errors
    /// Fails when the store does not respond.
    pub async fn secrecy_forecast(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        scope: &ForecastScope,
    ) -> Result<Option<SecrecyForecast>, PortFailure> {
        let weights = self.ports.rounds.eligible_weights(owner, meeting, scope).await?;
        Ok(weights.map(|weights| SecrecyForecast::of(&weights)))
    }

    /// The people who may vote and have no value of the kind that the meeting, or a question of this scope, counts as weight. `None`
    /// when this client has no such meeting.
    ///
    /// # Errors
    /// Fails when the store does not respond.
    pub async fn weightless(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        scope: &ForecastScope,
    ) -> Result<Option<Weightless>, PortFailure> {
        self.ports.rounds.weightless(owner, meeting, scope).await
    }

    /// A page of the register of a round, by name, with whether each person has voted. `None` when this client's meeting has
    /// no such round.
    ///
    /// # Errors
    /// Fails when the store does not respond.
    pub async fn register(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        round: RoundId,
        filter: &RegisterFilter,
    ) -> Result<Option<Page<RegisterEntry>>, PortFailure> {
        self.ports.rounds.register(owner, meeting, round, filter).await
    }

    /// The rounds of a meeting, the earliest first. `None` when this client has no such meeting.
    ///
    /// # Errors
    /// Fails when the store does not respond.
    pub async fn list(&self, owner: ClientId, meeting: MeetingId) -> Result<Option<Vec<RoundOverview>>, PortFailure> {
        self.ports.rounds.list(owner, meeting).await
    }
}
