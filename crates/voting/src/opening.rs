use plenum_kernel::RoundId;

use crate::RoundStatus;

/// What matters of a meeting when a question is to be opened in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Floor {
    /// Whether the meeting is running.
    pub is_active: bool,
    /// The last round of the question, if it ever had one.
    pub last_round: Option<LastRound>,
}

/// The last round of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LastRound {
    /// Its id.
    pub id: RoundId,
    /// Its number among the rounds of the question.
    pub number: u32,
    /// Where it is in its life.
    pub status: RoundStatus,
    /// Whether anyone has voted in it.
    pub has_votes: bool,
}

/// How a question is to be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opening {
    /// It is open already; nothing is to be done.
    AlreadyOpen(RoundId),
    /// A new round, frozen from the question as it stands.
    New {
        /// Its number among the rounds of the question.
        number: u32,
        /// A round without votes whose place it takes.
        replaces: Option<RoundId>,
    },
    /// The last round again: wording, votes and register stay, and only people who became eligible since are added.
    Reopen(RoundId),
}

/// Why a question cannot be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpeningRule {
    /// Votes are taken in running meetings only.
    #[error("the meeting is not active")]
    MeetingNotActive,
    /// A declared result never changes; voting once more is a re-vote, which is asked for with a reason.
    #[error("the result of this question has been declared")]
    AlreadyDeclared,
}

/// Decides how a question is to be opened.
///
/// # Errors
/// Says which rule forbids it.
pub fn decide_opening(floor: &Floor) -> Result<Opening, OpeningRule> {
    if !floor.is_active {
        return Err(OpeningRule::MeetingNotActive);
    }
    match floor.last_round {
        None => Ok(Opening::New { number: 1, replaces: None }),
        Some(last) => match (last.status, last.has_votes) {
            (RoundStatus::Open, _) => Ok(Opening::AlreadyOpen(last.id)),
            (RoundStatus::Declared, _) => Err(OpeningRule::AlreadyDeclared),
            (RoundStatus::Ended, true) => Ok(Opening::Reopen(last.id)),
            (RoundStatus::Ended, false) => Ok(Opening::New { number: last.number, replaces: Some(last.id) }),
        },
    }
}

#[cfg(test)]
mod tests {
    use plenum_kernel::testkit::CountingIds;

    use super::*;

    fn floor(status: RoundStatus, has_votes: bool) -> (Floor, RoundId) {
        let id = RoundId::new(&CountingIds::new());
        (Floor { is_active: true, last_round: Some(LastRound { id, number: 3, status, has_votes }) }, id)
    }

    #[test]
    fn the_first_opening_makes_the_first_round() {
        let floor = Floor { is_active: true, last_round: None };
        assert_eq!(decide_opening(&floor), Ok(Opening::New { number: 1, replaces: None }));
    }

    #[test]
    fn nothing_opens_in_a_meeting_that_is_not_running() {
        let floor = Floor { is_active: false, last_round: None };
        assert_eq!(decide_opening(&floor), Err(OpeningRule::MeetingNotActive));
    }

    #[test]
    fn a_round_with_votes_is_opened_again() {
        let (floor, id) = floor(RoundStatus::Ended, true);
        assert_eq!(decide_opening(&floor), Ok(Opening::Reopen(id)));
    }

    #[test]
    fn a_round_without_votes_is_frozen_anew_under_the_same_number() {
        let (floor, id) = floor(RoundStatus::Ended, false);
        assert_eq!(decide_opening(&floor), Ok(Opening::New { number: 3, replaces: Some(id) }));
    }

    #[test]
    fn an_open_round_stays_as_it_is() {
        let (floor, id) = floor(RoundStatus::Open, true);
        assert_eq!(decide_opening(&floor), Ok(Opening::AlreadyOpen(id)));
    }

    #[test]
    fn a_declared_round_is_never_opened_again() {
        for has_votes in [true, false] {
            let (floor, _) = floor(RoundStatus::Declared, has_votes);
            assert_eq!(decide_opening(&floor), Err(OpeningRule::AlreadyDeclared));
        }
    }
}
