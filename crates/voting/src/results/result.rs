use plenum_kernel::{DecisionRule, PresenceRule, Quorum, WeightKind};

use crate::decision::outcome::evaluate;
use crate::decision::presence::count_present;
use crate::decision::second_weight::by_second_weight;
use crate::results::election_count::{CountedElection, MadeTieDecision, Voters};
use crate::{
    Arithmetic, CastingVote, Count, CountedVote, Decision, DecisionInput, GroupTally, MeasuredQuorum, RegisteredGroup,
    Represented, Round, SecondTally, Tally, UrnTally, Ways, Wording,
};

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
    /// The people who could vote and are not in the register, because they were not checked in. Zero without check-in.
    pub absent: Count,
    /// The decisions of ties of an election, in their order.
    pub tie_decisions: Vec<MadeTieDecision>,
    /// The groups of the rule, in its order.
    pub groups: Vec<RegisteredGroup>,
    /// The casting vote, if one was noted.
    pub casting_vote: Option<CastingVote>,
    /// Those who took part by proxy.
    pub represented: Represented,
    /// The same counts by the second weight, if the round has one.
    pub second: Option<SecondTerms>,
}

/// The counts of a register by the second weight.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SecondTerms {
    /// The voters in the register.
    pub register: Count,
    /// Those of them who were connected at opening.
    pub connected_at_opening: Count,
    /// The people who could vote and are not in the register.
    pub absent: Count,
    /// The groups of the rule, in its order.
    pub groups: Vec<RegisteredGroup>,
    /// Those who took part by proxy.
    pub represented: Represented,
}

/// The result of a round. It is computed only here; every screen and file shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundResult {
    /// The round, with its wording and its register.
    pub round: Round,
    /// The votes.
    pub tally: Tally,
    /// How many of the ballots came which way, also of invalid ones.
    pub ways: Ways,
    /// Registered voters without a vote.
    pub not_voted: Count,
    /// Ballots that do not count. Only a secret round has any: other ballots are checked when they arrive, and an invalid one
    /// is refused.
    pub invalid: Count,
    /// Registered voters who were connected at opening.
    pub connected_at_opening: Count,
    /// The people who could vote and are not in the register, because they were not checked in. Zero without check-in.
    pub absent: Count,
    /// The rule by which the present voters were counted.
    pub presence: PresenceRule,
    /// The present voters.
    pub present: Count,
    /// Those who were not present, and for whom the holder of their proxy was. Quorum and rule count them as present.
    pub represented: Count,
    /// The decision rule, if there is one.
    pub rule: Option<DecisionRule>,
    /// The quorum with its numbers, if there is one.
    pub quorum: Option<MeasuredQuorum>,
    /// The counts among the members of each group, if the rule must be met in each of several groups.
    pub groups: Vec<GroupTally>,
    /// The counts by the second weight, if the round has one.
    pub second: Option<SecondTally>,
    /// The casting vote, if one was noted.
    pub casting_vote: Option<CastingVote>,
    /// The count of an election.
    pub election: Option<CountedElection>,
    /// The decision.
    pub decision: Decision,
    /// The explanation of the decision.
    pub arithmetic: Arithmetic,
}

impl RoundResult {
    /// Counts the votes of an ended round, and decides. The votes of a secret round are marks without content, and its counts
    /// are those of the opened urn.
    pub fn of(round: Round, terms: Terms, votes: &[CountedVote], urn: Option<&UrnTally>) -> Self {
        let Terms {
            rule,
            quorum,
            presence,
            connected_at_opening,
            absent,
            tie_decisions,
            groups,
            casting_vote,
            represented,
            second,
        } = terms;
        // Everybody who could vote: with check-in, the register has those of them who were present or represented.
        let electorate = round.register.plus(absent);
        let tally = match urn {
            Some(urn) => Tally::of_urn(&round.wording, urn),
            None => Tally::count(&round.wording, votes),
        };
        let present = represented.out_of(count_present(presence, connected_at_opening, votes));
        let attending = present.plus(represented.count);
        let election = match &rule {
            Some(DecisionRule::Election(rule)) => {
                let opened = urn.and_then(UrnTally::as_votes);
                let votes = opened.as_deref().unwrap_or(votes);
                let voters = Voters { register: electorate, present: attending };
                CountedElection::of(rule, &round.wording, votes, (voters, &tie_decisions))
            }
            _ => None,
        };
        let groups = count_groups(groups, presence, &round.wording, votes);
        let second = second.zip(round.second_weight_kind.clone());
        let second = second.map(|(terms, kind)| count_second((kind, &round.wording), terms, presence, votes));
        let weights = round.weight_names();
        let input = DecisionInput {
            tally: &tally,
            register: electorate,
            present: attending,
            groups: &groups,
            casting_vote: casting_vote.as_ref(),
            second: second.as_ref(),
            weights,
        };
        let outcome = evaluate(rule.as_ref(), quorum, &input);
        let (outcome, arithmetic) = match &election {
            Some(election) => {
                let decision = election.decision(&round.wording);
                let outcome = outcome.of_election(decision);
                let arithmetic = Arithmetic::of_election(&outcome, election.sentence(&round.wording), weights);
                (outcome, arithmetic)
            }
            None => {
                let arithmetic = Arithmetic::of(rule.as_ref(), &outcome, &input);
                (outcome, arithmetic)
            }
        };
        let invalid = urn.map(|urn| urn.invalid).unwrap_or_default();
        let not_voted = round.register.minus(tally.votes_cast).minus(invalid);
        Self {
            round,
            tally,
            ways: Ways::of(votes),
            not_voted,
            invalid,
            connected_at_opening,
            absent,
            presence,
            present,
            represented: represented.count,
            rule,
            quorum: outcome.quorum,
            groups,
            second,
            casting_vote,
            election,
            decision: outcome.decision,
            arithmetic,
        }
    }
}

fn count_groups(
    groups: Vec<RegisteredGroup>,
    presence: PresenceRule,
    wording: &Wording,
    votes: &[CountedVote],
) -> Vec<GroupTally> {
    (0..).zip(groups).map(|(place, group)| GroupTally::count((group, place), presence, wording, votes)).collect()
}

/// Counts the same votes by the second weight.
fn count_second(
    (kind, wording): (WeightKind, &Wording),
    terms: SecondTerms,
    presence: PresenceRule,
    votes: &[CountedVote],
) -> SecondTally {
    let votes = by_second_weight(votes);
    let SecondTerms { register, connected_at_opening, absent, groups, represented } = terms;
    let tally = Tally::count(wording, &votes);
    let present = represented.out_of(count_present(presence, connected_at_opening, &votes));
    SecondTally {
        kind,
        register,
        absent,
        present: present.plus(represented.count),
        votes_cast: tally.votes_cast,
        options: tally.options,
        groups: count_groups(groups, presence, wording, &votes),
    }
}
