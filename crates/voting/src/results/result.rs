use plenum_kernel::{DecisionRule, PresenceRule, Quorum};

use crate::decision::outcome::evaluate;
use crate::decision::presence::count_present;
use crate::{Arithmetic, Count, CountedVote, Decision, DecisionInput, MeasuredQuorum, Round, Tally};

/// The terms of a round, as of its opening.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Terms {
    /// The rule, if the question has one.
    pub rule: Option<DecisionRule>,
    /// The quorum, if the question or its meeting has one.
    pub quorum: Option<Quorum>,
    /// The rule by which the present voters are counted.
    pub presence: PresenceRule,
    /// Registered voters who were connected at that moment. Voters who enter the register at a reopening count by that
    /// reopening.
    pub connected_at_opening: Count,
}

/// The result of a round. It is computed only here; every screen and file shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundResult {
    /// The round, with its wording and its register.
    pub round: Round,
    /// The votes.
    pub tally: Tally,
    /// Registered voters without a vote.
    pub not_voted: Count,
    /// Ballots that do not count. Always zero: the server checks a ballot when it arrives, and refuses an invalid one.
    pub invalid: Count,
    /// Registered voters who were connected at opening.
    pub connected_at_opening: Count,
    /// The rule by which the present voters were counted.
    pub presence: PresenceRule,
    /// The present voters.
    pub present: Count,
    /// The decision rule, if there is one.
    pub rule: Option<DecisionRule>,
    /// The quorum with its numbers, if there is one.
    pub quorum: Option<MeasuredQuorum>,
    /// The decision.
    pub decision: Decision,
    /// The explanation of the decision.
    pub arithmetic: Arithmetic,
}

impl RoundResult {
    /// Counts the votes of an ended round, and decides.
    pub fn of(round: Round, terms: Terms, votes: &[CountedVote]) -> Self {
        let Terms { rule, quorum, presence, connected_at_opening } = terms;
        let tally = Tally::count(&round.wording, votes);
        let present = count_present(presence, connected_at_opening, votes);
        let input = DecisionInput { tally: &tally, register: round.register, present };
        let outcome = evaluate(rule.as_ref(), quorum, &input);
        let arithmetic = Arithmetic::of(rule.as_ref(), &outcome, &tally);
        let not_voted = round.register.minus(tally.votes_cast);
        let invalid = Count::default();
        Self {
            round,
            tally,
            not_voted,
            invalid,
            connected_at_opening,
            presence,
            present,
            rule,
            quorum: outcome.quorum,
            decision: outcome.decision,
            arithmetic,
        }
    }
}
