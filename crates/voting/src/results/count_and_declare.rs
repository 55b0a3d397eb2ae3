use chrono::{DateTime, Utc};
use plenum_kernel::{AccountId, ClientId, MeetingId, PortFailure, RoundId, Step};

use crate::{CountedElection, Decision, OrganizerStep, ResultService, RoundPapers, RoundStatus, SecrecyRisk};

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
    /// Whether the organizer opens an urn although votes could be inferred from its totals.
    pub accepts_risk: bool,
}

/// The urn of a secret round that is not counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClosedUrn {
    /// The voters whose votes could be inferred from the totals.
    pub risk: Option<SecrecyRisk>,
    /// Whether it is void, because its key is lost.
    pub is_void: bool,
}

/// The effect of a request to count a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counting {
    /// None: the round was counted before.
    CountedBefore,
    /// The round is counted from now on.
    Counted,
    /// The urn of a secret round was opened, and its round is counted from now on. Its key can be destroyed.
    UrnOpened,
}

/// The facts about a round that decide whether it can be counted, and its result declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResultStepContext {
    /// Whether the meeting has made another step since the state that the organizer saw.
    pub is_stale: bool,
    /// The status of the round.
    pub status: RoundStatus,
    /// Whether the round is counted.
    pub is_counted: bool,
    /// Its urn, if it is secret and not counted.
    pub urn: Option<ClosedUrn>,
    /// Whether the organizer opens an urn although votes could be inferred from its totals.
    pub accepts_risk: bool,
    /// Whether votes on paper wait for confirmation, and the round can be reopened to confirm them.
    pub has_waiting_batches: bool,
}

/// The reason why a round cannot be counted, or its result declared.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ResultStepRule {
    /// The round is open. Its tally is secret until it ends.
    #[error("the round is still open")]
    StillOpen,
    /// Another organizer made a step that this organizer has not seen.
    #[error("another organizer made a change first")]
    StaleStep,
    /// Votes on paper wait for confirmation. They would be lost by the count.
    #[error("votes on paper wait for confirmation: reopen voting, and confirm or discard them")]
    BatchesWaiting,
    /// The key of the secret round is lost, so its urn can never be opened.
    #[error("the key of this vote is lost, so it is void: hold a re-vote")]
    Void,
    /// The votes of some people could be inferred from the totals of the secret round.
    #[error("{}", .0.sentence())]
    SecrecyAtRisk(
        /// These people.
        SecrecyRisk,
    ),
    /// The count of an election waits for the decision of a tie.
    #[error("the count waits at a tie: decide it by lot first")]
    TieOpen,
    /// The votes are equal, and the chair's casting vote was not noted yet.
    #[error("the votes are equal: note the casting vote first")]
    CastingVoteOpen,
    /// The round is secret, and its urn must be opened before its result is declared.
    #[error("the urn of this vote must be opened first")]
    UrnClosed,
}

/// Decides whether to count the round. False if it is counted already, which is valid on any seen state.
///
/// # Errors
/// Names the rule that forbids it.
pub fn decide_counting(round: &ResultStepContext) -> Result<bool, ResultStepRule> {
    // On any seen state: becoming void was a step.
    if round.urn.as_ref().is_some_and(|urn| urn.is_void) {
        return Err(ResultStepRule::Void);
    }
    let is_done = round.is_counted || round.status == RoundStatus::Declared;
    let goes_on = round.decide(is_done)?;
    match round.urn.as_ref().and_then(|urn| urn.risk.as_ref()) {
        Some(risk) if goes_on && !round.accepts_risk => Err(ResultStepRule::SecrecyAtRisk(risk.clone())),
        _ => Ok(goes_on),
    }
}

/// Decides whether to declare the result. False if it is declared already, which is valid on any seen state.
///
/// # Errors
/// Names the rule that forbids it.
pub fn decide_declaring(round: &ResultStepContext) -> Result<bool, ResultStepRule> {
    let goes_on = round.decide(round.status == RoundStatus::Declared)?;
    match round.urn {
        Some(_) if goes_on => Err(ResultStepRule::UrnClosed),
        _ => Ok(goes_on),
    }
}

/// Decides whether this count can be declared. Where the quorum was missed, nobody is elected, so no lot has anything to decide.
///
/// # Errors
/// Fails when the count of an election waits for a lot, or that of a question for the casting vote.
pub fn check_declarable(papers: &RoundPapers) -> Result<(), ResultStepRule> {
    let result = &papers.result.result.result;
    match result.decision {
        Decision::CastingVoteOpen => return Err(ResultStepRule::CastingVoteOpen),
        Decision::QuorumMissed => return Ok(()),
        _ => {}
    }
    let election = result.election.as_ref();
    if election.is_some_and(CountedElection::waits_for_lot) { Err(ResultStepRule::TieOpen) } else { Ok(()) }
}

impl ResultStepContext {
    fn decide(&self, is_done: bool) -> Result<bool, ResultStepRule> {
        if is_done {
            return Ok(false);
        }
        if self.is_stale {
            return Err(ResultStepRule::StaleStep);
        }
        if self.status == RoundStatus::Open {
            return Err(ResultStepRule::StillOpen);
        }
        if self.has_waiting_batches && !self.is_counted { Err(ResultStepRule::BatchesWaiting) } else { Ok(true) }
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
    /// This instance does not have the key of the secret round.
    #[error("the key of this vote is not on this server")]
    KeyMissing,
    /// No instance has the key of the secret round now, and not for long.
    #[error(
        "the key of this vote is not on this server now: ask its operator to start all instances and to mount the key folder, \
         then count again; if the key is still missing in two minutes, counting makes the vote void"
    )]
    KeyAway,
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
    /// since the one that the organizer saw. For a secret round it also fails when its key is away, when its key is lost, which
    /// makes it void, or when votes could be inferred from its totals, unless the organizer accepts that.
    pub async fn count(&self, step: OrganizerStep, round: RoundId) -> Result<(), ResultStepError> {
        let counting = self.result_step(step, round);
        let counted = match self.ports.declarations.mark_counted(counting).await {
            Err(ResultStepError::KeyMissing) => self.count_with_fetched_key(counting).await?,
            outcome => outcome?,
        };
        if counted != Counting::CountedBefore {
            self.ports.signals.meeting_changed(step.meeting).await;
        }
        if counted == Counting::UrnOpened {
            self.ports.urns.destroy_soon(round).await;
        }
        Ok(())
    }

    /// Counts a secret round with the key of another instance. If it is lost, the round becomes void, which the live screens
    /// learn.
    async fn count_with_fetched_key(&self, counting: ResultStep) -> Result<Counting, ResultStepError> {
        self.ports.urns.fetch_or_void(counting).await?;
        let counted = self.ports.declarations.mark_counted(counting).await;
        if let Err(ResultStepError::Rule(ResultStepRule::Void)) = counted {
            self.ports.signals.meeting_changed(counting.meeting).await;
        }
        counted
    }

    /// Declares the result of an ended round, and informs the live screens. A declared result never changes. A repeat
    /// succeeds and changes nothing.
    ///
    /// # Errors
    /// As [`Self::count`], which this does first for a secret round. Also fails, and leaves the round counted, when the count of
    /// an election waits for a lot, or the votes are equal and the casting vote is not noted yet.
    pub async fn declare(&self, step: OrganizerStep, round: RoundId) -> Result<(), ResultStepError> {
        let declared = match self.ports.declarations.declare(self.result_step(step, round)).await {
            Err(ResultStepError::Rule(ResultStepRule::UrnClosed)) => {
                self.count(step, round).await?;
                // The count was a step.
                self.ports.declarations.declare(self.result_step(OrganizerStep { seen: None, ..step }, round)).await?
            }
            Err(ResultStepError::Rule(rule @ (ResultStepRule::TieOpen | ResultStepRule::CastingVoteOpen))) => {
                // The refusal tells something about the count, and the lot or the casting vote is noted on the count.
                self.count(step, round).await?;
                return Err(rule.into());
            }
            outcome => outcome?,
        };
        self.ports.signals.meeting_changed(step.meeting).await;
        if let Some(question) = declared {
            self.ports.signals.result_declared(step.meeting, round, question).await;
        }
        Ok(())
    }

    fn result_step(&self, step: OrganizerStep, round: RoundId) -> ResultStep {
        let OrganizerStep { owner, meeting, by, seen, accepts_risk } = step;
        ResultStep { owner, meeting, round, by, now: self.ports.clock.now(), seen, accepts_risk }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn context(status: RoundStatus, is_counted: bool, is_stale: bool) -> ResultStepContext {
        ResultStepContext { is_stale, status, is_counted, urn: None, accepts_risk: false, has_waiting_batches: false }
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
