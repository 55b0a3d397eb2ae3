use chrono::{DateTime, Utc};
use plenum_kernel::{AccountId, ClientId, MeetingId, PortFailure, RoundId, Step};

use crate::{ResultService, RoundStatus};

/// The facts about a round that decide whether it can be counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CountingContext {
    /// Whether the meeting has made another step since the state that the organizer saw.
    pub is_stale: bool,
    /// The status of the round.
    pub status: RoundStatus,
    /// Whether the round is counted.
    pub is_counted: bool,
}

/// The reason why a round cannot be counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CountingRule {
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
pub fn decide_counting(context: &CountingContext) -> Result<bool, CountingRule> {
    match context.status {
        RoundStatus::Declared => Ok(false),
        RoundStatus::Ended if context.is_counted => Ok(false),
        _ if context.is_stale => Err(CountingRule::StaleStep),
        RoundStatus::Open => Err(CountingRule::StillOpen),
        RoundStatus::Ended => Ok(true),
    }
}

/// An order to count a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counting {
    /// The client that owns the meeting.
    pub owner: ClientId,
    /// The meeting.
    pub meeting: MeetingId,
    /// The round.
    pub round: RoundId,
    /// The organizer who counts it.
    pub by: AccountId,
    /// The time.
    pub now: DateTime<Utc>,
    /// The step that the organizer saw, if stated.
    pub seen: Option<Step>,
}

/// The reason why a round was not counted.
#[derive(Debug, thiserror::Error)]
pub enum CountError {
    /// The client has no such meeting.
    #[error("the meeting does not exist")]
    MeetingNotFound,
    /// The meeting has no such round.
    #[error("the round does not exist")]
    RoundNotFound,
    /// A rule forbids it.
    #[error(transparent)]
    Rule(#[from] CountingRule),
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
    /// since `seen`.
    pub async fn count(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        round: RoundId,
        by: AccountId,
        seen: Option<Step>,
    ) -> Result<(), CountError> {
        let now = self.clock.now();
        if self.declarations.mark_counted(Counting { owner, meeting, round, by, now, seen }).await? {
            self.signals.meeting_changed(meeting).await;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decided(status: RoundStatus, is_counted: bool, is_stale: bool) -> Result<bool, CountingRule> {
        decide_counting(&CountingContext { is_stale, status, is_counted })
    }

    #[test]
    fn a_round_that_has_ended_can_be_counted_and_an_open_one_cannot() {
        assert_eq!(decided(RoundStatus::Ended, false, false), Ok(true));
        assert_eq!(decided(RoundStatus::Open, false, false), Err(CountingRule::StillOpen));
        for status in [RoundStatus::Ended, RoundStatus::Open] {
            assert_eq!(decided(status, false, true), Err(CountingRule::StaleStep));
        }
    }

    #[test]
    fn a_repeated_count_succeeds_on_any_seen_state() {
        for is_stale in [true, false] {
            assert_eq!(decided(RoundStatus::Ended, true, is_stale), Ok(false));
            assert_eq!(decided(RoundStatus::Declared, true, is_stale), Ok(false));
        }
    }
}
