use chrono::{DateTime, Utc};
use plenum_kernel::{AccountId, ClientId, MeetingId, PortFailure, RoundId, Step};

use crate::{OrganizerStep, ResultService, RoundStatus};

/// A step that an organizer makes with an ended round: counting it, or declaring its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResultStep {
    /// The client that owns the meeting.
    pub owner: ClientId,
    /// The meeting.
    pub meeting: MeetingId,
    /// The round.
    pub round: RoundId,
    /// The organizer.
    pub by: AccountId,
    /// The time.
    pub now: DateTime<Utc>,
    /// The step that the organizer saw, if stated.
    pub seen: Option<Step>,
}

/// The facts about a round that decide whether it can be counted, and its result declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResultStepContext {
    /// Whether the meeting has made another step since the state that the organizer saw.
    pub is_stale: bool,
    /// The status of the round.
    pub status: RoundStatus,
    /// Whether the round is counted.
    pub is_counted: bool,
}

/// The reason why a round cannot be counted, or its result declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ResultStepRule {
    /// The round is open. Its tally is secret until it ends.
    #[error("the round is still open")]
    StillOpen,
    /// Another organizer made a step that this organizer has not seen.
    #[error("another organizer made a change first")]
    StaleStep,
}

/// Decides whether to count the round. False if it is counted already, which is valid on any seen state.
///
/// # Errors
/// Names the rule that forbids it.
pub fn decide_counting(round: &ResultStepContext) -> Result<bool, ResultStepRule> {
    round.decide(round.is_counted || round.status == RoundStatus::Declared)
}

/// Decides whether to declare the result. False if it is declared already, which is valid on any seen state.
///
/// # Errors
/// Names the rule that forbids it.
pub fn decide_declaring(round: &ResultStepContext) -> Result<bool, ResultStepRule> {
    round.decide(round.status == RoundStatus::Declared)
}

impl ResultStepContext {
    fn decide(&self, is_done: bool) -> Result<bool, ResultStepRule> {
        if is_done {
            return Ok(false);
        }
        if self.is_stale {
            return Err(ResultStepRule::StaleStep);
        }
        if self.status == RoundStatus::Open { Err(ResultStepRule::StillOpen) } else { Ok(true) }
    }
}

/// The reason why a round was not counted, or its result not declared.
#[derive(Debug, thiserror::Error)]
pub enum ResultStepError {
    /// The client has no such meeting.
    #[error("the meeting does not exist")]
    MeetingNotFound,
    /// The meeting has no such round.
    #[error("the round does not exist")]
    RoundNotFound,
    /// A rule forbids it.
    #[error(transparent)]
    Rule(#[from] ResultStepRule),
    /// The store did not respond.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

impl ResultService {
    /// Counts an ended round, and informs the live screens. From then on the round never reopens: an organizer who saw a
    /// count could otherwise collect more votes and read them from the difference. A repeat succeeds and changes nothing.
    ///
    /// # Errors
    /// Fails when this client's meeting has no such round, the round is still open, or the meeting has made another step
    /// since the one that the organizer saw.
    pub async fn count(&self, step: OrganizerStep, round: RoundId) -> Result<(), ResultStepError> {
        if self.declarations.mark_counted(self.result_step(step, round)).await? {
            self.signals.meeting_changed(step.meeting).await;
        }
        Ok(())
    }

    /// Declares the result of an ended round, and informs the live screens. A declared result never changes. A repeat
    /// succeeds and changes nothing.
    ///
    /// # Errors
    /// As [`Self::count`].
    pub async fn declare(&self, step: OrganizerStep, round: RoundId) -> Result<(), ResultStepError> {
        let declared = self.declarations.declare(self.result_step(step, round)).await?;
        self.signals.meeting_changed(step.meeting).await;
        if let Some(question) = declared {
            self.signals.result_declared(step.meeting, round, question).await;
        }
        Ok(())
    }

    fn result_step(&self, step: OrganizerStep, round: RoundId) -> ResultStep {
        let OrganizerStep { owner, meeting, by, seen } = step;
        ResultStep { owner, meeting, round, by, now: self.clock.now(), seen }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn context(status: RoundStatus, is_counted: bool, is_stale: bool) -> ResultStepContext {
        ResultStepContext { is_stale, status, is_counted }
    }

    #[test]
    fn a_round_that_has_ended_can_be_counted_and_declared_and_an_open_one_cannot() {
        for decide in [decide_counting, decide_declaring] {
            assert_eq!(decide(&context(RoundStatus::Ended, false, false)), Ok(true));
            assert_eq!(decide(&context(RoundStatus::Open, false, false)), Err(ResultStepRule::StillOpen));
            for status in [RoundStatus::Ended, RoundStatus::Open] {
                assert_eq!(decide(&context(status, false, true)), Err(ResultStepRule::StaleStep));
            }
        }
        assert_eq!(decide_declaring(&context(RoundStatus::Ended, true, false)), Ok(true));
    }

    #[test]
    fn a_repeated_step_succeeds_on_any_seen_state() {
        for is_stale in [true, false] {
            assert_eq!(decide_counting(&context(RoundStatus::Ended, true, is_stale)), Ok(false));
            for is_counted in [true, false] {
                assert_eq!(decide_counting(&context(RoundStatus::Declared, is_counted, is_stale)), Ok(false));
                assert_eq!(decide_declaring(&context(RoundStatus::Declared, is_counted, is_stale)), Ok(false));
            }
        }
    }
}
