use chrono::{DateTime, Utc};
use plenum_kernel::{
    AccountId, AtOpening, Attendance, Base, ClientId, DecisionRule, EndUserId, MeetingId, MeetingQuorum, PresenceRule,
    QuestionId, Quorum, RoundId, Step,
};
use rust_decimal::Decimal;

use crate::decision::arithmetic::missed_at_opening;
use crate::{Count, MeasuredQuorum, PreparedKey, RoundStatus, SecrecyRisk};

plenum_kernel::text_value!(
    /// The reason for a re-vote.
    RevoteReason, check_line, 500
);

/// A request to open a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundOpening {
    /// The client that owns the meeting.
    pub owner: ClientId,
    /// The meeting.
    pub meeting: MeetingId,
    /// The question on its agenda.
    pub question: QuestionId,
    /// The id of the round, if a new one is created.
    pub new_round: RoundId,
    /// The time.
    pub now: DateTime<Utc>,
    /// The step that the organizer saw, if stated.
    pub seen: Option<Step>,
    /// The organizer who opens it.
    pub by: AccountId,
    /// The voters connected to the meeting, eligible or not.
    pub connected: Vec<EndUserId>,
    /// The reason for a re-vote. `None` for a normal opening.
    pub revote: Option<RevoteReason>,
    /// The key for a new secret round, under the id `new_round`.
    pub key: Option<PreparedKey>,
    /// Whether the organizer opens a secret round although some votes could be inferred from its totals.
    pub accepts_risk: bool,
}

/// The facts about a meeting that decide whether a question can be opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpeningContext {
    /// Whether the meeting is running.
    pub is_active: bool,
    /// Whether the meeting has made another step since the state that the organizer saw.
    pub is_stale: bool,
    /// The last round of the question, if it ever had one.
    pub last_round: Option<LastRound>,
    /// Whether a question on the agenda continues the ballot of the last round, and its result is not declared. It matters for a
    /// re-vote only.
    pub waits_for_next_ballot: bool,
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
    /// Whether it is counted.
    pub is_counted: bool,
    /// Whether it is void, because its key is lost.
    pub is_void: bool,
}

/// The way to open a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opening {
    /// It is open already. Nothing changes.
    AlreadyOpen(RoundId),
    /// A new round, frozen from the current question.
    New {
        /// Its number among the rounds of the question.
        number: u32,
        /// The round without votes that it replaces.
        replaces: Option<RoundId>,
    },
    /// The last round reopens. Wording, votes and register stay. Only newly eligible people are added.
    Reopen(RoundId),
}

/// The reason why a question cannot be opened.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpeningRule {
    /// The meeting is not running.
    #[error("the meeting is not active")]
    MeetingNotActive,
    /// The result is declared, so only a re-vote with a reason is possible.
    #[error("the result of this question has been declared: a re-vote needs a reason")]
    AlreadyDeclared,
    /// The round is counted, so only a re-vote with a reason is possible.
    #[error("the votes on this question have been counted: a re-vote needs a reason")]
    AlreadyCounted,
    /// The round is void, so only a re-vote with a reason is possible.
    #[error("the key of this vote is lost, so it is void: a re-vote needs a reason")]
    Void,
    /// The question is secret, and the opening has no key. The service prepares one and repeats the request.
    #[error("a secret vote needs a key")]
    KeyNeeded,
    /// The votes of some people could be inferred from the totals of the secret round.
    #[error("{}", .0.sentence())]
    SecrecyAtRisk(
        /// These people.
        SecrecyRisk,
    ),
    /// The question is open, so a re-vote is not possible.
    #[error("voting on this question is open")]
    RoundOpen,
    /// A next ballot would continue a ballot that the re-vote replaces.
    #[error("the next ballot of this election is on the agenda: delete it first, or declare its result")]
    NextBallotWaits,
    /// The question was never opened, or its last round has no votes and can be opened, so it needs no re-vote.
    #[error("nobody has voted on this question yet: open it instead")]
    NoRoundYet,
    /// Too few voters are connected, and the meeting then prevents the opening.
    #[error("{0}")]
    QuorumMissed(
        /// The present voters and the requirement, in words.
        String,
    ),
    /// The rule asks for a share of everybody in each group, and a round with check-in counts only those present in a group.
    #[error(
        "the rule asks for a share of the whole register in each group, and with check-in only those present are counted there: use those present or the votes cast as its base"
    )]
    WholeGroupsUnknown,
    /// The register would weigh more than can be counted exactly.
    #[error(
        "the weights of the people on the register add up to 100,000,000,000,000,000,000 or more, which cannot be counted exactly: use a larger unit for this kind of weight"
    )]
    WeightsTooLarge,
    /// The meeting has more participants than its limit.
    #[error("{people} people would take part, and the meeting has room for {limit}: invite fewer, or raise the limit")]
    TooManyParticipants {
        /// The number of participants.
        people: u64,
        /// The meeting's limit.
        limit: u32,
    },
    /// A person who would enter the register of a reopened round has the username of somebody in it, so the register would
    /// name two people alike.
    #[error(
        "two people would be in the register as \u{201c}{username}\u{201d}; give the person who has this username now another one first"
    )]
    UsernameInRegister {
        /// The username.
        username: String,
    },
    /// Another organizer made a step that this organizer has not seen.
    #[error("another organizer made a change first")]
    StaleStep,
}

/// Decides how to open a question. A question that is open already is valid on any seen state, because the first response
/// may have been lost.
///
/// # Errors
/// Names the rule that forbids it.
pub fn decide_opening(context: &OpeningContext) -> Result<Opening, OpeningRule> {
    match opening_of(context) {
        Ok(Opening::AlreadyOpen(round)) => Ok(Opening::AlreadyOpen(round)),
        _ if context.is_stale => Err(OpeningRule::StaleStep),
        opening => opening,
    }
}

/// Decides about a re-vote: a new round with a new frozen wording. The earlier rounds stay.
///
/// # Errors
/// Names the rule that forbids it.
pub fn decide_revote(context: &OpeningContext) -> Result<Opening, OpeningRule> {
    if context.is_stale {
        return Err(OpeningRule::StaleStep);
    }
    if !context.is_active {
        return Err(OpeningRule::MeetingNotActive);
    }
    let last = context.last_round.ok_or(OpeningRule::NoRoundYet)?;
    match last.status {
        RoundStatus::Open => Err(OpeningRule::RoundOpen),
        // A void round is never opened again, so nobody could vote on the question without a re-vote.
        RoundStatus::Ended if !last.has_votes && !last.is_counted && !last.is_void => Err(OpeningRule::NoRoundYet),
        RoundStatus::Ended | RoundStatus::Declared if context.waits_for_next_ballot => {
            Err(OpeningRule::NextBallotWaits)
        }
        RoundStatus::Ended | RoundStatus::Declared => Ok(Opening::New { number: last.number + 1, replaces: None }),
    }
}

/// Checks that enough voters are present to open a question: the connected voters of its future register, against the
/// quorum of the round, if the meeting prevents openings without a quorum. A quorum of votes is not checked, because
/// there are no votes yet. Nothing is checked in a meeting without its own quorum.
///
/// # Errors
/// States the present voters and the requirement.
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
    let measured = MeasuredQuorum::measure(quorum, connected, register);
    if measured.is_met { Ok(()) } else { Err(OpeningRule::QuorumMissed(missed_at_opening(&measured))) }
}

/// Checks that a rule with groups can be measured. With check-in, the register has those present, and those absent are counted in
/// total only.
///
/// # Errors
/// Refuses a share of the whole register in each group of a round with check-in.
pub fn check_whole_groups(rule: Option<&DecisionRule>, presence: PresenceRule) -> Result<(), OpeningRule> {
    let Some(DecisionRule::Majority(majority)) = rule else { return Ok(()) };
    let asks_for_all = majority.conditions().iter().any(|condition| condition.base == Base::WholeRegister);
    let is_unknown = presence == PresenceRule::CheckedIn && !majority.in_each().is_empty() && asks_for_all;
    if is_unknown { Err(OpeningRule::WholeGroupsUnknown) } else { Ok(()) }
}

/// The smallest sum of the weights of a register that is too large: 10 to the power of 20. Below it, sums with 6 decimals and
/// their shares in percent have no more than the 28 digits of a `Decimal`. Admissions cannot lead out of these digits: each
/// weighs less than 10 to the power of 18.
pub const REGISTER_WEIGHT_LIMIT: Decimal = Decimal::from_parts(1_661_992_960, 1_808_227_885, 5, false, 0);

/// Checks that the weights of a register, with those who are absent, can be counted exactly.
///
/// # Errors
/// Refuses a sum of 10 to the power of 20 or more, by the weight or by the second weight.
pub fn check_register_weight(weight: Decimal, second: Option<Decimal>) -> Result<(), OpeningRule> {
    let is_too_large = [Some(weight), second].into_iter().flatten().any(|sum| sum >= REGISTER_WEIGHT_LIMIT);
    if is_too_large { Err(OpeningRule::WeightsTooLarge) } else { Ok(()) }
}

/// Checks that nobody's vote could be inferred from the totals of a secret round with this register, or that the organizer
/// accepts it. Returns the accepted risk, which goes into the log.
///
/// # Errors
/// Names the people.
pub fn check_secrecy(risk: Option<SecrecyRisk>, accepts_risk: bool) -> Result<Option<SecrecyRisk>, OpeningRule> {
    match risk {
        Some(risk) if !accepts_risk => Err(OpeningRule::SecrecyAtRisk(risk)),
        risk => Ok(risk),
    }
}

fn opening_of(context: &OpeningContext) -> Result<Opening, OpeningRule> {
    if !context.is_active {
        return Err(OpeningRule::MeetingNotActive);
    }
    match context.last_round {
        None => Ok(Opening::New { number: 1, replaces: None }),
        Some(last) => match last.status {
            RoundStatus::Open => Ok(Opening::AlreadyOpen(last.id)),
            RoundStatus::Declared => Err(OpeningRule::AlreadyDeclared),
            RoundStatus::Ended if last.is_counted => Err(OpeningRule::AlreadyCounted),
            RoundStatus::Ended if last.is_void => Err(OpeningRule::Void),
            RoundStatus::Ended if last.has_votes => Ok(Opening::Reopen(last.id)),
            RoundStatus::Ended => Ok(Opening::New { number: last.number, replaces: Some(last.id) }),
        },
    }
}

/// The facts about a meeting that decide whether a question, or nothing, can be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShowingContext {
    /// Whether the meeting is running.
    pub is_active: bool,
    /// Whether the meeting has made another step since the state that the organizer saw.
    pub is_stale: bool,
    /// Whether a question is to be shown.
    pub is_question: bool,
    /// Whether it is shown already, and nothing is open.
    pub is_shown: bool,
}

/// Decides whether the presentation changes. False if it shows the question already, which is valid on any seen state.
///
/// # Errors
/// Names the rule that forbids it.
pub fn decide_showing(context: &ShowingContext) -> Result<bool, OpeningRule> {
    let is_allowed = context.is_active || !context.is_question;
    if context.is_shown && is_allowed {
        return Ok(false);
    }
    if context.is_stale {
        return Err(OpeningRule::StaleStep);
    }
    if is_allowed { Ok(true) } else { Err(OpeningRule::MeetingNotActive) }
}

#[cfg(test)]
mod tests {
    use plenum_kernel::testkit::CountingIds;
    use plenum_kernel::{Majority, Units};

    use super::*;

    fn context(status: RoundStatus, has_votes: bool) -> (OpeningContext, RoundId) {
        let id = RoundId::new(&CountingIds::new());
        (
            OpeningContext {
                is_active: true,
                is_stale: false,
                last_round: Some(LastRound { id, number: 3, status, has_votes, is_counted: false, is_void: false }),
                waits_for_next_ballot: false,
            },
            id,
        )
    }

    #[test]
    fn the_whole_of_a_group_is_unknown_with_check_in() {
        let ids = CountingIds::new();
        let in_each = |majority: Majority| {
            DecisionRule::Majority(majority.in_each_of(vec![plenum_kernel::GroupId::new(&ids)]).unwrap())
        };
        let (of_all, of_cast) = (Majority::of_all_members(Units::Heads), Majority::simple(Units::Heads));
        let refused = Err(OpeningRule::WholeGroupsUnknown);
        let check = |rule: &DecisionRule, presence| check_whole_groups(Some(rule), presence);
        assert_eq!(check(&in_each(of_all.clone()), PresenceRule::CheckedIn), refused);
        assert_eq!(check(&in_each(of_all.clone()), PresenceRule::ConnectedOrVoted), Ok(()));
        assert_eq!(check(&in_each(of_cast), PresenceRule::CheckedIn), Ok(()));
        assert_eq!(check(&DecisionRule::Majority(of_all), PresenceRule::CheckedIn), Ok(()));
        assert_eq!(check_whole_groups(None, PresenceRule::CheckedIn), Ok(()));
    }

    #[test]
    fn a_register_that_cannot_be_counted_exactly_is_refused() {
        let below: Decimal = "99999999999999999999.999999".parse().unwrap();
        let limit: Decimal = "100000000000000000000".parse().unwrap();
        // A sum just below keeps all digits, also as a hundredfold.
        assert_eq!((below * Decimal::ONE_HUNDRED).to_string(), "9999999999999999999999.999900");
        assert_eq!(check_register_weight(below, Some(below)), Ok(()));
        assert_eq!(check_register_weight(below, None), Ok(()));
        assert_eq!(check_register_weight(limit, None), Err(OpeningRule::WeightsTooLarge));
        assert_eq!(check_register_weight(below, Some(limit)), Err(OpeningRule::WeightsTooLarge));
    }

    #[test]
    fn the_first_opening_makes_the_first_round() {
        let context =
            OpeningContext { is_active: true, is_stale: false, last_round: None, waits_for_next_ballot: false };
        assert_eq!(decide_opening(&context), Ok(Opening::New { number: 1, replaces: None }));
    }

    #[test]
    fn nothing_opens_in_a_meeting_that_is_not_running() {
        let context =
            OpeningContext { is_active: false, is_stale: false, last_round: None, waits_for_next_ballot: false };
        assert_eq!(decide_opening(&context), Err(OpeningRule::MeetingNotActive));
    }

    #[test]
    fn a_round_with_votes_is_opened_again() {
        let (context, id) = context(RoundStatus::Ended, true);
        assert_eq!(decide_opening(&context), Ok(Opening::Reopen(id)));
    }

    #[test]
    fn a_round_without_votes_is_frozen_anew_under_the_same_number() {
        let (context, id) = context(RoundStatus::Ended, false);
        assert_eq!(decide_opening(&context), Ok(Opening::New { number: 3, replaces: Some(id) }));
    }

    #[test]
    fn an_open_round_stays_as_it_is() {
        let (context, id) = context(RoundStatus::Open, true);
        assert_eq!(decide_opening(&context), Ok(Opening::AlreadyOpen(id)));
    }

    #[test]
    fn an_opening_on_an_older_state_is_refused_unless_the_round_is_open_already() {
        for status in [RoundStatus::Ended, RoundStatus::Declared] {
            let (context, _) = context(status, true);
            assert_eq!(decide_opening(&OpeningContext { is_stale: true, ..context }), Err(OpeningRule::StaleStep));
        }
        for is_active in [true, false] {
            let context = OpeningContext { is_active, is_stale: true, last_round: None, waits_for_next_ballot: false };
            assert_eq!(decide_opening(&context), Err(OpeningRule::StaleStep));
        }
        let (context, id) = context(RoundStatus::Open, false);
        assert_eq!(decide_opening(&OpeningContext { is_stale: true, ..context }), Ok(Opening::AlreadyOpen(id)));
    }

    #[test]
    fn a_question_is_shown_in_a_running_meeting_and_nothing_in_any() {
        let context = ShowingContext { is_active: true, is_stale: false, is_question: true, is_shown: false };
        assert_eq!(decide_showing(&context), Ok(true));
        assert_eq!(decide_showing(&ShowingContext { is_active: false, ..context }), Err(OpeningRule::MeetingNotActive));
        assert_eq!(decide_showing(&ShowingContext { is_active: false, is_question: false, ..context }), Ok(true));
        assert_eq!(
            decide_showing(&ShowingContext { is_active: false, is_shown: true, ..context }),
            Err(OpeningRule::MeetingNotActive)
        );
    }

    #[test]
    fn a_repeated_showing_succeeds_and_otherwise_an_older_state_is_refused() {
        for is_question in [true, false] {
            let context = ShowingContext { is_active: true, is_stale: true, is_question, is_shown: true };
            assert_eq!(decide_showing(&context), Ok(false));
            for is_active in [true, false] {
                let context = ShowingContext { is_active, is_shown: false, ..context };
                assert_eq!(decide_showing(&context), Err(OpeningRule::StaleStep));
            }
        }
    }

    #[test]
    fn a_counted_round_is_never_opened_again() {
        for has_votes in [true, false] {
            let (mut context, _) = context(RoundStatus::Ended, has_votes);
            context.last_round.as_mut().unwrap().is_counted = true;
            assert_eq!(decide_opening(&context), Err(OpeningRule::AlreadyCounted));
            assert_eq!(decide_revote(&context), Ok(Opening::New { number: 4, replaces: None }));
        }
    }

    #[test]
    fn a_void_round_is_never_opened_again_but_held_again() {
        for has_votes in [true, false] {
            let (mut context, _) = context(RoundStatus::Ended, has_votes);
            context.last_round.as_mut().unwrap().is_void = true;
            assert_eq!(decide_opening(&context), Err(OpeningRule::Void));
            assert_eq!(decide_revote(&context), Ok(Opening::New { number: 4, replaces: None }));
        }
    }

    #[test]
    fn a_ballot_is_not_repeated_while_its_next_ballot_waits() {
        let (declared, _) = context(RoundStatus::Declared, true);
        assert_eq!(decide_revote(&declared), Ok(Opening::New { number: 4, replaces: None }));
        let waiting = OpeningContext { waits_for_next_ballot: true, ..declared };
        assert_eq!(decide_revote(&waiting), Err(OpeningRule::NextBallotWaits));
    }

    #[test]
    fn a_declared_round_is_never_opened_again() {
        for has_votes in [true, false] {
            let (context, _) = context(RoundStatus::Declared, has_votes);
            assert_eq!(decide_opening(&context), Err(OpeningRule::AlreadyDeclared));
        }
    }
}
