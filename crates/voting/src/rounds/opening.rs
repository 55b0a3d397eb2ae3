use chrono::{DateTime, Utc};
use plenum_kernel::{
    AccountId, AtOpening, Attendance, ClientId, EndUserId, MeetingId, MeetingQuorum, QuestionId, Quorum, RoundId, Step,
};

use crate::decision::arithmetic::missed_at_opening;
use crate::{Count, QuorumFigures, RoundStatus};

plenum_kernel::text_value!(
    /// The reason why a question is voted on once more.
    RevoteReason, check_line, 500
);

/// A question that is to be opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundOpening {
    /// The client that owns the meeting.
    pub owner: ClientId,
    /// The meeting.
    pub meeting: MeetingId,
    /// The question on its agenda.
    pub question: QuestionId,
    /// The id of the round, if it becomes a new one.
    pub new_round: RoundId,
    /// The time.
    pub now: DateTime<Utc>,
    /// The step after which the meeting was seen, if that is said.
    pub seen: Option<Step>,
    /// The organizer who opens it.
    pub by: AccountId,
    /// The voters who are connected to the meeting, whether or not they may vote.
    pub connected: Vec<EndUserId>,
    /// The reason why it is voted on once more; none where it is opened as it comes.
    pub revote: Option<RevoteReason>,
}

/// What matters of a meeting when a question is to be opened in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Floor {
    /// Whether the meeting is running.
    pub is_active: bool,
    /// Whether another step was made since the state on which this one was decided.
    pub is_stale: bool,
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
    /// The status.
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

/// The reason why a question cannot be opened.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpeningRule {
    /// Votes are taken in running meetings only.
    #[error("the meeting is not active")]
    MeetingNotActive,
    /// A declared result never changes; voting once more is a re-vote, which is asked for with a reason.
    #[error("the result of this question has been declared: a re-vote needs a reason")]
    AlreadyDeclared,
    /// A question that is open is not voted on once more.
    #[error("voting on this question is open")]
    RoundOpen,
    /// What nobody has voted on yet is opened, and not voted on once more.
    #[error("nobody has voted on this question yet: open it instead")]
    NoRoundYet,
    /// Too few are connected, and the meeting does not let a question be opened then.
    #[error("{0}")]
    QuorumMissed(
        /// Who is there, and what is asked for, in words.
        String,
    ),
    /// The meeting is for more people than its limit says.
    #[error("{people} people would take part, and the meeting has room for {limit}: invite fewer, or raise the limit")]
    TooManyParticipants {
        /// How many people would take part.
        people: u64,
        /// The meeting's limit.
        limit: u32,
    },
    /// Another organizer made a step that this organizer had not seen.
    #[error("another organizer made a change first")]
    StaleStep,
}

/// Decides how a question is to be opened. One that is open already is fine, whatever was made since: the first answer
/// may have been lost on its way.
///
/// # Errors
/// Says which rule forbids it.
pub fn decide_opening(floor: &Floor) -> Result<Opening, OpeningRule> {
    match opening_of(floor) {
        Ok(Opening::AlreadyOpen(round)) => Ok(Opening::AlreadyOpen(round)),
        _ if floor.is_stale => Err(OpeningRule::StaleStep),
        opening => opening,
    }
}

/// Decides how a question is to be voted on once more: by a new round, frozen anew. The earlier rounds stay.
///
/// # Errors
/// Says which rule forbids it.
pub fn decide_revote(floor: &Floor) -> Result<Opening, OpeningRule> {
    if floor.is_stale {
        return Err(OpeningRule::StaleStep);
    }
    if !floor.is_active {
        return Err(OpeningRule::MeetingNotActive);
    }
    let last = floor.last_round.ok_or(OpeningRule::NoRoundYet)?;
    match (last.status, last.has_votes) {
        (RoundStatus::Open, _) => Err(OpeningRule::RoundOpen),
        (RoundStatus::Ended, false) => Err(OpeningRule::NoRoundYet),
        (RoundStatus::Ended, true) | (RoundStatus::Declared, _) => {
            Ok(Opening::New { number: last.number + 1, replaces: None })
        }
    }
}

/// Checks that enough people are there for a question to be opened: those connected of the register that it would have,
/// against the quorum of the round, where the meeting bars openings without one. A quorum of votes is never asked for
/// here, because nobody has voted yet; nor is one in a meeting without a quorum of its own.
///
/// # Errors
/// Says who is there and what is asked for.
pub fn check_quorum(
    of_round: Option<Quorum>,
    of_meeting: Option<MeetingQuorum>,
    connected: Count,
    register: Count,
) -> Result<(), OpeningRule> {
    let is_barred = of_meeting.is_some_and(|quorum| quorum.at_opening == AtOpening::Bar);
    let Some(quorum) = of_round.filter(|quorum| is_barred && quorum.attendance == Attendance::Present) else {
        return Ok(());
    };
    let figures = QuorumFigures::measure(quorum, connected, register);
    if figures.is_met { Ok(()) } else { Err(OpeningRule::QuorumMissed(missed_at_opening(&figures))) }
}

fn opening_of(floor: &Floor) -> Result<Opening, OpeningRule> {
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

/// What matters of a meeting when a question, or nothing, is to be shown in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stage {
    /// Whether the meeting is running.
    pub is_active: bool,
    /// Whether another step was made since the state on which this one was decided.
    pub is_stale: bool,
    /// Whether a question is to be shown, or nothing.
    pub is_question: bool,
    /// Whether exactly that is on the screen already, and nothing is open.
    pub is_shown: bool,
}

/// Decides whether there is something to be shown; false if it is on the screen already, which is fine whatever was made
/// since.
///
/// # Errors
/// Says which rule forbids it.
pub fn decide_showing(stage: &Stage) -> Result<bool, OpeningRule> {
    let is_allowed = stage.is_active || !stage.is_question;
    if stage.is_shown && is_allowed {
        return Ok(false);
    }
    if stage.is_stale {
        return Err(OpeningRule::StaleStep);
    }
    if is_allowed { Ok(true) } else { Err(OpeningRule::MeetingNotActive) }
}

#[cfg(test)]
mod tests {
    use plenum_kernel::testkit::CountingIds;

    use super::*;

    fn floor(status: RoundStatus, has_votes: bool) -> (Floor, RoundId) {
        let id = RoundId::new(&CountingIds::new());
        (
            Floor {
                is_active: true,
                is_stale: false,
                last_round: Some(LastRound { id, number: 3, status, has_votes }),
            },
            id,
        )
    }

    #[test]
    fn the_first_opening_makes_the_first_round() {
        let floor = Floor { is_active: true, is_stale: false, last_round: None };
        assert_eq!(decide_opening(&floor), Ok(Opening::New { number: 1, replaces: None }));
    }

    #[test]
    fn nothing_opens_in_a_meeting_that_is_not_running() {
        let floor = Floor { is_active: false, is_stale: false, last_round: None };
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
    fn an_opening_on_an_older_state_is_refused_unless_the_round_is_open_already() {
        for status in [RoundStatus::Ended, RoundStatus::Declared] {
            let (floor, _) = floor(status, true);
            assert_eq!(decide_opening(&Floor { is_stale: true, ..floor }), Err(OpeningRule::StaleStep));
        }
        for is_active in [true, false] {
            let floor = Floor { is_active, is_stale: true, last_round: None };
            assert_eq!(decide_opening(&floor), Err(OpeningRule::StaleStep));
        }
        let (floor, id) = floor(RoundStatus::Open, false);
        assert_eq!(decide_opening(&Floor { is_stale: true, ..floor }), Ok(Opening::AlreadyOpen(id)));
    }

    #[test]
    fn a_question_is_shown_in_a_running_meeting_and_nothing_in_any() {
        let stage = Stage { is_active: true, is_stale: false, is_question: true, is_shown: false };
        assert_eq!(decide_showing(&stage), Ok(true));
        assert_eq!(decide_showing(&Stage { is_active: false, ..stage }), Err(OpeningRule::MeetingNotActive));
        assert_eq!(decide_showing(&Stage { is_active: false, is_question: false, ..stage }), Ok(true));
        assert_eq!(
            decide_showing(&Stage { is_active: false, is_shown: true, ..stage }),
            Err(OpeningRule::MeetingNotActive)
        );
    }

    #[test]
    fn a_repeated_showing_succeeds_and_otherwise_an_older_state_is_refused() {
        for is_question in [true, false] {
            let stage = Stage { is_active: true, is_stale: true, is_question, is_shown: true };
            assert_eq!(decide_showing(&stage), Ok(false));
            for is_active in [true, false] {
                let stage = Stage { is_active, is_shown: false, ..stage };
                assert_eq!(decide_showing(&stage), Err(OpeningRule::StaleStep));
            }
        }
    }

    #[test]
    fn a_declared_round_is_never_opened_again() {
        for has_votes in [true, false] {
            let (floor, _) = floor(RoundStatus::Declared, has_votes);
            assert_eq!(decide_opening(&floor), Err(OpeningRule::AlreadyDeclared));
        }
    }
}
