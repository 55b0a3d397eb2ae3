use async_trait::async_trait;
use chrono::{DateTime, Utc};
use plenum_kernel::{AccountId, ClientId, EndUserId, LogEntryId, MeetingId, PortFailure, QuestionId, RoundId};

use crate::{LogEntry, Reason};

/// Someone who does not take part in a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exclusion {
    /// The end user.
    pub end_user_id: EndUserId,
    /// The full name.
    pub name: String,
    /// The username.
    pub username: String,
    /// Why.
    pub reason: Reason,
    /// Since when.
    pub at: DateTime<Utc>,
    /// The name of who excluded them, as it was then.
    pub by: String,
}

/// With whom the register is to be changed, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegisterChange {
    /// The end user.
    pub end_user: EndUserId,
    /// Why.
    pub reason: Reason,
    /// Who does it.
    pub by: AccountId,
    /// The time.
    pub at: DateTime<Utc>,
    /// The id of what an admission adds to the log of its round.
    pub log_entry: LogEntryId,
}

/// Why somebody cannot be excluded from a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExclusionRule {
    /// Once is enough.
    #[error("this person is already excluded from the question")]
    AlreadyExcluded,
    /// A vote that was cast counts.
    #[error("this person has already voted on the question")]
    AlreadyVoted,
}

/// Decides whether somebody can be excluded, who has or has not voted in the question's open round, if there is one.
///
/// # Errors
/// Says which rule forbids it.
pub fn decide_exclusion(is_excluded: bool, has_voted: bool) -> Result<(), ExclusionRule> {
    match (is_excluded, has_voted) {
        (true, _) => Err(ExclusionRule::AlreadyExcluded),
        (false, true) => Err(ExclusionRule::AlreadyVoted),
        (false, false) => Ok(()),
    }
}

/// Somebody who is to come into the register of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Latecomer {
    /// Whether the round takes votes.
    pub round_is_open: bool,
    /// Whether they are in its register.
    pub is_in_register: bool,
    /// Whether the person may sign in and vote.
    pub is_active: bool,
    /// The limit of the meeting's participant list, if they are not on that and there is no room for them.
    pub full_list: Option<u32>,
}

/// Why somebody cannot come into the register of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AdmissionRule {
    /// Only running rounds let people in.
    #[error("the round is over")]
    RoundOver,
    /// They can vote.
    #[error("this person is already in the register of the round")]
    AlreadyInRegister,
    /// They could not sign in.
    #[error("this person is not active")]
    EndUserInactive,
    /// They could not come into the meeting.
    #[error("the meeting has room for {limit} participants")]
    TooManyParticipants {
        /// How many may be invited.
        limit: u32,
    },
}

/// Decides whether somebody comes into the register of a round.
///
/// # Errors
/// Says which rule forbids it.
pub fn decide_admission(latecomer: &Latecomer) -> Result<(), AdmissionRule> {
    if !latecomer.round_is_open {
        return Err(AdmissionRule::RoundOver);
    }
    if latecomer.is_in_register {
        return Err(AdmissionRule::AlreadyInRegister);
    }
    if !latecomer.is_active {
        return Err(AdmissionRule::EndUserInactive);
    }
    latecomer.full_list.map_or(Ok(()), |limit| Err(AdmissionRule::TooManyParticipants { limit }))
}

/// Why somebody was not excluded.
#[derive(Debug, thiserror::Error)]
pub enum ExcludeError {
    /// The client has no such meeting.
    #[error("the meeting does not exist")]
    MeetingNotFound,
    /// The meeting has no such question.
    #[error("the question does not exist")]
    QuestionNotFound,
    /// The client has no such end user.
    #[error("the end user does not exist")]
    EndUserNotFound,
    /// A rule forbids it.
    #[error(transparent)]
    Rule(#[from] ExclusionRule),
    /// The store did not respond.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

/// The reason why an exclusion was not lifted.
#[derive(Debug, thiserror::Error)]
pub enum LiftExclusionError {
    /// The client has no such meeting.
    #[error("the meeting does not exist")]
    MeetingNotFound,
    /// The meeting has no such question.
    #[error("the question does not exist")]
    QuestionNotFound,
    /// They are not excluded.
    #[error("this person is not excluded from the question")]
    NotExcluded,
    /// Who is to vote in a running round is let into it, which stands in its log.
    #[error("voting on this question is open; admit the person to the round instead")]
    RoundOpen,
    /// The store did not respond.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

/// Why somebody was not let into a round.
#[derive(Debug, thiserror::Error)]
pub enum AdmitError {
    /// The client's meeting has no such round.
    #[error("the round does not exist")]
    RoundNotFound,
    /// The client has no such end user.
    #[error("the end user does not exist")]
    EndUserNotFound,
    /// A rule forbids it.
    #[error(transparent)]
    Rule(#[from] AdmissionRule),
    /// The store did not respond.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

/// Where it is kept who does not take part in a question, and who came late to a round. Each call is one transaction and
/// sees one client's rows only. Whatever changes the register of an open round waits for the ballots that are being
/// written in it, and lets later ones wait: such a ballot is counted or refused, and the change knows which.
///
/// Every round that opens, or is opened again, leaves out of its register whoever is excluded from its question, but
/// for those who have voted in it; its log MUST say of each of them once, and no more when it is opened again: EXCLUDED,
/// with time, name and reason of the exclusion.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait RegisterChanges: Send + Sync {
    /// Who is excluded from a question, by name. `None` when the client's meeting has no such question.
    async fn exclusions(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        question: QuestionId,
    ) -> Result<Option<Vec<Exclusion>>, PortFailure>;

    /// Locks the meeting and excludes somebody from a question, if [`decide_exclusion`] agrees. If its round is open, they
    /// are no longer in its register, and its log says so.
    ///
    /// # Errors
    /// `MeetingNotFound`, `QuestionNotFound` and `EndUserNotFound` also for another client's; `Rule` when
    /// [`decide_exclusion`] refuses. Then nothing is changed.
    async fn exclude(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        question: QuestionId,
        change: RegisterChange,
    ) -> Result<Exclusion, ExcludeError>;

    /// Locks the meeting and lets somebody take part in a question again, from its next opening on.
    ///
    /// # Errors
    /// `MeetingNotFound` and `QuestionNotFound` also for another client's; `NotExcluded`; `RoundOpen` while a round of the
    /// question is open.
    async fn lift(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        question: QuestionId,
        end_user: EndUserId,
    ) -> Result<(), LiftExclusionError>;

    /// Locks the meeting and lets somebody into the register of an open round, with the weight of this moment, if
    /// [`decide_admission`] agrees. An exclusion from its question is lifted. They come onto the participant list, if the
    /// meeting has one. The round's log says so.
    ///
    /// # Errors
    /// `RoundNotFound` and `EndUserNotFound` also for another client's; `Rule` when [`decide_admission`] refuses. Then
    /// nothing is changed.
    async fn admit(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        round: RoundId,
        change: RegisterChange,
    ) -> Result<LogEntry, AdmitError>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_person_who_has_voted_or_is_excluded_cannot_be_excluded() {
        assert_eq!(decide_exclusion(false, false), Ok(()));
        assert_eq!(decide_exclusion(false, true), Err(ExclusionRule::AlreadyVoted));
        for has_voted in [false, true] {
            assert_eq!(decide_exclusion(true, has_voted), Err(ExclusionRule::AlreadyExcluded));
        }
    }

    #[test]
    fn an_active_person_outside_the_register_can_be_admitted_to_a_running_round() {
        let late = Latecomer { round_is_open: true, is_in_register: false, is_active: true, full_list: None };
        assert_eq!(decide_admission(&late), Ok(()));
        for (refused, rule) in [
            (Latecomer { round_is_open: false, is_in_register: true, ..late }, AdmissionRule::RoundOver),
            (Latecomer { is_in_register: true, is_active: false, ..late }, AdmissionRule::AlreadyInRegister),
            (Latecomer { is_active: false, full_list: Some(3), ..late }, AdmissionRule::EndUserInactive),
            (Latecomer { full_list: Some(3), ..late }, AdmissionRule::TooManyParticipants { limit: 3 }),
        ] {
            assert_eq!(decide_admission(&refused), Err(rule));
        }
    }
}
