use chrono::{DateTime, Utc};
use plenum_kernel::{AccountId, ClientId, MeetingId, PortFailure, RoundId, Step};

use crate::{ResultService, RoundStatus};

/// The facts about a round that decide whether its result can be declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Declarable {
    /// Whether the meeting has made another step since the state that the organizer saw.
    pub is_stale: bool,
    /// The status of the round.
    pub status: RoundStatus,
}

/// The reason why a result cannot be declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DeclaringRule {
    /// The round is open, so it has no result.
    #[error("the round is still open")]
    StillOpen,
    /// Another organizer made a step that this organizer has not seen.
    #[error("another organizer made a change first")]
    StaleStep,
}

/// Decides whether to declare the result. False if it is declared already, which is valid on any seen state.
///
/// # Errors
/// Names the rule that forbids it.
pub fn decide_declaring(round: &Declarable) -> Result<bool, DeclaringRule> {
    match round.status {
        RoundStatus::Declared => Ok(false),
        _ if round.is_stale => Err(DeclaringRule::StaleStep),
        RoundStatus::Open => Err(DeclaringRule::StillOpen),
        RoundStatus::Ended => Ok(true),
    }
}

/// A declaration of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Declaring {
    /// The client that owns the meeting.
    pub owner: ClientId,
    /// The meeting.
    pub meeting: MeetingId,
    /// The round.
    pub round: RoundId,
    /// The organizer who declares it.
    pub by: AccountId,
    /// The time.
    pub now: DateTime<Utc>,
    /// The step that the organizer saw, if stated.
    pub seen: Option<Step>,
}

/// The reason why a result was not declared.
#[derive(Debug, thiserror::Error)]
pub enum DeclareError {
    /// The client has no such meeting.
    #[error("the meeting does not exist")]
    MeetingNotFound,
    /// The meeting has no such round.
    #[error("the round does not exist")]
    RoundNotFound,
    /// A rule forbids it.
    #[error(transparent)]
    Rule(#[from] DeclaringRule),
    /// The store did not respond.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

impl ResultService {
    /// Declares the result of an ended round, and informs the live screens. A declared result never changes. A repeat
    /// succeeds and changes nothing.
    ///
    /// # Errors
    /// Fails when this client's meeting has no such round, the round is still open, or the meeting has made another step
    /// since `seen`.
    pub async fn declare(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        round: RoundId,
        by: AccountId,
        seen: Option<Step>,
    ) -> Result<(), DeclareError> {
        let now = self.clock.now();
        let declared = self.declarations.declare(Declaring { owner, meeting, round, by, now, seen }).await?;
        self.signals.meeting_changed(meeting).await;
        if let Some(question) = declared {
            self.signals.result_declared(meeting, round, question).await;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_that_has_ended_can_be_declared_and_an_open_one_cannot() {
        let declared = |status, is_stale| decide_declaring(&Declarable { is_stale, status });
        assert_eq!(declared(RoundStatus::Ended, false), Ok(true));
        assert_eq!(declared(RoundStatus::Open, false), Err(DeclaringRule::StillOpen));
        for status in [RoundStatus::Ended, RoundStatus::Open] {
            assert_eq!(declared(status, true), Err(DeclaringRule::StaleStep));
        }
    }

    #[test]
    fn a_repeated_declaration_succeeds_on_any_seen_state() {
        for is_stale in [true, false] {
            let round = Declarable { is_stale, status: RoundStatus::Declared };
            assert_eq!(decide_declaring(&round), Ok(false));
        }
    }
}
