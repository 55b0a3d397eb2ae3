use plenum_kernel::{Attendance, DecisionRule, EachOption, Majority, OnTie, OptionId, OptionRole, Quorum, Seats, Unit};
use rust_decimal::Decimal;

use crate::decision::check::{Ties, check_option, check_yes};
use crate::{Check, DecisionInput, MeasuredQuorum, OptionTally};

/// The decision that follows from a tally.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// The question has no rule.
    Undecided,
    /// Too few voters took part for a valid decision.
    QuorumMissed,
    /// Every condition was met.
    Accepted,
    /// A condition was not met.
    Rejected,
    /// The casting vote decides a tie, and was not noted yet.
    CastingVoteOpen,
    /// At least one option is elected.
    Elected {
        /// The elected options: with seats, those with more votes first, otherwise in the order of the options.
        options: Vec<OptionId>,
        /// The tie for the remaining seats.
        tie: Option<SeatTie>,
    },
    /// No option is elected.
    NotElected {
        /// The tie, if it is the reason.
        tie: Option<SeatTie>,
    },
}

/// Options with equal votes for the last seats, more of them than seats. None of them is elected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatTie {
    /// The tied options, in order.
    pub options: Vec<OptionId>,
    /// The votes of each, in the unit of the rule.
    pub votes: Decimal,
    /// The number of remaining seats.
    pub seats: u32,
}

/// A decision with its quorum and checks.
pub(crate) struct Outcome {
    pub(crate) quorum: Option<MeasuredQuorum>,
    pub(crate) checks: Vec<Check>,
    pub(crate) decision: Decision,
}

impl Outcome {
    /// The outcome with the decision of the count of an election, if the quorum was met.
    pub(crate) fn of_election(self, decision: Decision) -> Self {
        let is_missed = self.decision == Decision::QuorumMissed;
        Self { decision: if is_missed { self.decision } else { decision }, ..self }
    }
}

/// Decides by the rule, if the quorum was met. An election is decided by its count, in [`crate::RoundResult::of`].
pub fn decide(rule: Option<&DecisionRule>, quorum: Option<Quorum>, input: &DecisionInput<'_>) -> Decision {
    evaluate(rule, quorum, input).decision
}

pub(crate) fn evaluate(rule: Option<&DecisionRule>, quorum: Option<Quorum>, input: &DecisionInput<'_>) -> Outcome {
    let quorum = quorum.map(|quorum| measure(quorum, input));
    let (checks, decision) = match rule {
        None => (Vec::new(), Decision::Undecided),
        Some(DecisionRule::Majority(majority)) => by_majority(majority, input),
        Some(DecisionRule::Plurality { unit, seats }) => (Vec::new(), by_plurality(*unit, *seats, input)),
        Some(DecisionRule::EachOption(each)) => option_by_option(each, input),
        // The count of the election decides.
        Some(DecisionRule::Election(_)) => (Vec::new(), Decision::NotElected { tie: None }),
    };
    let is_missed = quorum.is_some_and(|quorum| !quorum.is_met);
    Outcome { quorum, checks, decision: if is_missed { Decision::QuorumMissed } else { decision } }
}

fn measure(quorum: Quorum, input: &DecisionInput<'_>) -> MeasuredQuorum {
    let attending = match quorum.attendance {
        Attendance::Present => input.present,
        Attendance::Voted => input.tally.votes_cast,
    };
    MeasuredQuorum::measure(quorum, attending, input.register)
}

fn by_majority(majority: &Majority, input: &DecisionInput<'_>) -> (Vec<Check>, Decision) {
    let casting_vote = input.casting_vote.map(|cast| cast.in_favor);
    let (checks, is_met) = measured(majority, casting_vote, input);
    let is_open = majority.on_tie() == OnTie::CastingVote && casting_vote.is_none() && !is_met;
    let decision = match is_met {
        true => Decision::Accepted,
        // The chair is asked only if it matters.
        false if is_open && measured(majority, Some(true), input).1 => Decision::CastingVoteOpen,
        false => Decision::Rejected,
    };
    (checks, decision)
}

/// The conditions for all voters, then for each group, and whether the rule is met in all of these.
fn measured(majority: &Majority, casting_vote: Option<bool>, input: &DecisionInput<'_>) -> (Vec<Check>, bool) {
    let ties = Ties { on_tie: majority.on_tie(), casting_vote };
    let (mut all, mut is_met) = (Vec::new(), true);
    for scope in std::iter::once(input.total()).chain(input.each_group()) {
        let mut is_met_here = false;
        for (alternative, conditions) in majority.alternatives().into_iter().enumerate() {
            let checks = conditions.iter().flat_map(|condition| check_yes(condition, ties, &scope));
            let checks: Vec<Check> = checks.map(|check| Check { alternative, ..check }).collect();
            is_met_here |= checks.iter().all(|check| check.is_met);
            all.extend(checks);
        }
        is_met &= is_met_here;
    }
    (all, is_met)
}

fn by_plurality(unit: Unit, seats: Seats, input: &DecisionInput<'_>) -> Decision {
    fill(seats, electable(input).map(|option| (option.option.id, option.count.in_unit(unit))).collect())
}

fn option_by_option(each: &EachOption, input: &DecisionInput<'_>) -> (Vec<Check>, Decision) {
    let (mut checks, mut passed) = (Vec::new(), Vec::new());
    for option in electable(input) {
        let of_option = check_option(&each.condition(), option.option.id, &input.total());
        if of_option.iter().all(|check| check.is_met) {
            passed.extend(of_option.first().map(|check| (option.option.id, check.part)));
        }
        checks.extend(of_option);
    }
    let decision = match each.seats() {
        Some(seats) => fill(seats, passed),
        None => elected(passed.into_iter().map(|(option, _)| option).collect(), None),
    };
    (checks, decision)
}

/// The options that can be elected. An abstention elects nobody.
fn electable<'a>(input: &DecisionInput<'a>) -> impl Iterator<Item = &'a OptionTally> {
    input.tally.options.iter().filter(|option| option.option.role == OptionRole::Choice)
}

/// Gives the seats to the options with the most votes. Without a vote, no option is elected.
fn fill(seats: Seats, candidates: Vec<(OptionId, Decimal)>) -> Decision {
    let mut ranked: Vec<_> = candidates.into_iter().filter(|(_, votes)| !votes.is_zero()).collect();
    // The sort is stable, so tied options stay in their order.
    ranked.sort_by_key(|(_, votes)| std::cmp::Reverse(*votes));
    let Some((_, border)) = ranked.get(seats.get() as usize).copied() else {
        return elected(ranked.into_iter().map(|(option, _)| option).collect(), None);
    };
    let options_where = |fits: &dyn Fn(Decimal) -> bool| -> Vec<OptionId> {
        ranked.iter().filter(|(_, votes)| fits(*votes)).map(|(option, _)| *option).collect()
    };
    let above = options_where(&|votes| votes > border);
    let left = seats.get() - above.len() as u32;
    let tie =
        (left > 0).then(|| SeatTie { options: options_where(&|votes| votes == border), votes: border, seats: left });
    elected(above, tie)
}

fn elected(options: Vec<OptionId>, tie: Option<SeatTie>) -> Decision {
    if options.is_empty() { Decision::NotElected { tie } } else { Decision::Elected { options, tie } }
}

#[cfg(test)]
mod tests {
    use plenum_kernel::testkit::CountingIds;

    use super::*;

    /// Fills seats among options with these votes. Returns the positions of the options.
    fn filled(seats: u32, votes: &[&str]) -> (Vec<usize>, Option<(Vec<usize>, u32)>) {
        let ids = CountingIds::new();
        let candidates: Vec<_> = votes.iter().map(|votes| (OptionId::new(&ids), votes.parse().unwrap())).collect();
        let place = |id: &OptionId| candidates.iter().position(|(option, _)| option == id).unwrap();
        let places = |options: &[OptionId]| options.iter().map(place).collect::<Vec<_>>();
        let (options, tie) = match fill(Seats::new(seats).unwrap(), candidates.clone()) {
            Decision::Elected { options, tie } => (options, tie),
            Decision::NotElected { tie } => (Vec::new(), tie),
            other => panic!("{other:?}"),
        };
        (places(&options), tie.map(|tie| (places(&tie.options), tie.seats)))
    }

    #[test]
    fn options_with_the_most_votes_get_the_seats() {
        assert_eq!(filled(2, &["3", "5.0001", "5", "1"]), (vec![1, 2], None));
        assert_eq!(filled(3, &["3", "5", "5", "1"]), (vec![1, 2, 0], None));
    }

    #[test]
    fn options_with_equal_votes_tie_for_the_last_seats() {
        assert_eq!(filled(2, &["3", "5", "3", "1"]), (vec![1], Some((vec![0, 2], 1))));
        assert_eq!(filled(3, &["2", "2", "9", "2"]), (vec![2], Some((vec![0, 1, 3], 2))));
        assert_eq!(filled(1, &["4", "4"]), (vec![], Some((vec![0, 1], 1))));
    }

    #[test]
    fn equal_options_that_all_have_a_seat_are_not_a_tie() {
        assert_eq!(filled(2, &["4", "4", "1"]), (vec![0, 1], None));
        assert_eq!(filled(3, &["4", "4", "4"]), (vec![0, 1, 2], None));
    }

    #[test]
    fn no_option_is_elected_without_a_vote() {
        assert_eq!(filled(2, &["1", "0", "0"]), (vec![0], None));
        assert_eq!(filled(1, &["0", "0"]), (vec![], None));
    }
}
