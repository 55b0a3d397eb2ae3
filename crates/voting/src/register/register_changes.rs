use async_trait::async_trait;
use chrono::{DateTime, Utc};
use plenum_kernel::{AccountId, ClientId, EndUserId, LogEntryId, MeetingId, PortFailure, QuestionId, RoundId};

use crate::{LogEntry, Reason};

/// A person who does not take part in a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exclusion {
    /// The end user.
    pub end_user_id: EndUserId,
    /// The full name.
    pub name: String,
    /// The username.
    pub username: String,
    /// The reason.
    pub reason: Reason,
    /// The time of the exclusion.
    pub at: DateTime<Utc>,
    /// The name of the actor at that time.
    pub by: String,
}

/// A change of the register.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegisterChange {
    /// The end user.
    pub end_user: EndUserId,
    /// The reason.
    pub reason: Reason,
    /// The actor.
    pub by: AccountId,
    /// The time.
    pub at: DateTime<Utc>,
    /// The id of the log entry of an admission.
    pub log_entry: LogEntryId,
}

/// The reason why a person cannot be excluded from a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExclusionRule {
    /// The person is excluded already.
    #[error("this person is already excluded from the question")]
    AlreadyExcluded,
    /// The person has voted, and a cast vote counts.
    #[error("this person has already voted on the question")]
    AlreadyVoted,
}

/// Decides whether a person can be excluded. It depends on a vote in the question's open round, if there is one.
///
/// # Errors
/// Names the rule that forbids it.
pub fn decide_exclusion(is_excluded: bool, has_voted: bool) -> Result<(), ExclusionRule> {
    match (is_excluded, has_voted) {
        (true, _) => Err(ExclusionRule::AlreadyExcluded),
        (false, true) => Err(ExclusionRule::AlreadyVoted),
        (false, false) => Ok(()),
    }
}

/// A person to be added to the register of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Latecomer {
    /// Whether the round takes votes.
    pub round_is_open: bool,
    /// Whether the person is in its register.
    pub is_in_register: bool,
    /// Whether the register contains the person's username: an earlier holder of the name, who was renamed since.
    pub username_is_in_register: bool,
    /// Whether the person may sign in and vote.
    pub is_active: bool,
    /// Whether the person is test data and the meeting is not.
    pub is_test_in_real_meeting: bool,
    /// Whether the meeting or the question is for groups, and the person is in none of them.
    pub is_outside_groups: bool,
    /// The limit of the meeting's participant list, if the person is not on it and it is full.
    pub full_list: Option<u32>,
}

/// The reason why a person cannot be added to the register of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AdmissionRule {
    /// The round is over.
    #[error("the round is over")]
    RoundOver,
    /// The person is in the register already.
    #[error("this person is already in the register of the round")]
    AlreadyInRegister,
    /// The register contains the same username, so it would name two people alike.
    #[error("somebody in the register of the round has the same username; give this person another one first")]
    UsernameInRegister,
    /// The person cannot sign in.
    #[error("this person is not active")]
    EndUserInactive,
    /// Test people vote only in meetings that are test data.
    #[error("a person whose name or username begins with TEST_ has no vote in a real meeting; rename the person first")]
    TestPerson,
    /// The question is for groups. An admission changes no membership.
    #[error(
        "this question is for groups, and this person is in none of them; add the person to one of the groups first"
    )]
    OutsideGroups,
    /// The meeting is full.
    #[error("the meeting has room for {limit} participants")]
    TooManyParticipants {
        /// The limit of the meeting.
        limit: u32,
    },
}

/// Decides whether a person is added to the register of a round.
///
/// # Errors
/// Names the rule that forbids it.
pub fn decide_admission(latecomer: &Latecomer) -> Result<(), AdmissionRule> {
    if !latecomer.round_is_open {
        return Err(AdmissionRule::RoundOver);
    }
    if latecomer.is_in_register {
        return Err(AdmissionRule::AlreadyInRegister);
    }
    if latecomer.username_is_in_register {
        return Err(AdmissionRule::UsernameInRegister);
    }
    if !latecomer.is_active {
        return Err(AdmissionRule::EndUserInactive);
    }
    if latecomer.is_test_in_real_meeting {
        return Err(AdmissionRule::TestPerson);
    }
    if latecomer.is_outside_groups {
        return Err(AdmissionRule::OutsideGroups);
    }
    latecomer.full_list.map_or(Ok(()), |limit| Err(AdmissionRule::TooManyParticipants { limit }))
}

/// The reason why a person was not excluded.
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
    /// The person is not excluded.
    #[error("this person is not excluded from the question")]
    NotExcluded,
    /// The round is open. An admission adds the person to it and to its log.
    #[error("voting on this question is open; admit the person to the round instead")]
    RoundOpen,
    /// The store did not respond.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

/// The reason why a person was not admitted to a round.
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

/// Stores exclusions and admissions. Each call is one transaction and sees one client's rows only. A change of the
/// register of an open round waits for the ballots that are being written in it, and later ballots wait for the change.
/// So each ballot is counted or refused, and the change sees the outcome.
///
/// The register of a round that opens or reopens contains no excluded people, except those who have voted in it. The log
/// of the round MUST have one EXCLUDED entry for each of them, with time, name and reason of the exclusion. Reopening
/// adds no second entry.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait RegisterChanges: Send + Sync {
    /// The people excluded from a question, by name. `None` when the client's meeting has no such question.
    async fn exclusions(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        question: QuestionId,
    ) -> Result<Option<Vec<Exclusion>>, PortFailure>;

    /// Locks the meeting and excludes a person from a question, if [`decide_exclusion`] permits it. Removes them from the
    /// register of an open round, and logs that.
    ///
    /// # Errors
    /// `MeetingNotFound`, `QuestionNotFound` and `EndUserNotFound` also for those of another client; `Rule` when
    /// [`decide_exclusion`] refuses. Then nothing is changed.
    async fn exclude(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        question: QuestionId,
        change: RegisterChange,
    ) -> Result<Exclusion, ExcludeError>;

    /// Locks the meeting and lifts an exclusion, from the next opening of the question on.
    ///
    /// # Errors
    /// `MeetingNotFound` and `QuestionNotFound` also for those of another client; `NotExcluded`; `RoundOpen` while a round of the
    /// question is open.
    async fn lift(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        question: QuestionId,
        end_user: EndUserId,
    ) -> Result<(), LiftExclusionError>;

    /// Locks the meeting and adds a person to the register of an open round, with the weight of this moment, if
    /// [`decide_admission`] permits it. Lifts an exclusion from its question. Adds the person to the participant list, if
    /// the meeting has one. Logs it in the round.
    ///
    /// # Errors
    /// `RoundNotFound` and `EndUserNotFound` also for those of another client; `Rule` when [`decide_admission`] refuses. Then
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
        let late = Latecomer {
            round_is_open: true,
            is_in_register: false,
            username_is_in_register: false,
            is_active: true,
            is_test_in_real_meeting: false,
            is_outside_groups: false,
            full_list: None,
        };
        assert_eq!(decide_admission(&late), Ok(()));
        for (refused, rule) in [
            (Latecomer { round_is_open: false, is_in_register: true, ..late }, AdmissionRule::RoundOver),
            (Latecomer { is_in_register: true, is_active: false, ..late }, AdmissionRule::AlreadyInRegister),
            (Latecomer { username_is_in_register: true, is_active: false, ..late }, AdmissionRule::UsernameInRegister),
            (Latecomer { is_active: false, full_list: Some(3), ..late }, AdmissionRule::EndUserInactive),
            (Latecomer { is_test_in_real_meeting: true, full_list: Some(3), ..late }, AdmissionRule::TestPerson),
            (Latecomer { is_outside_groups: true, full_list: Some(3), ..late }, AdmissionRule::OutsideGroups),
            (Latecomer { full_list: Some(3), ..late }, AdmissionRule::TooManyParticipants { limit: 3 }),
        ] {
            assert_eq!(decide_admission(&refused), Err(rule));
        }
    }
}
