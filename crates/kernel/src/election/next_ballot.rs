use super::{BallotOrder, Candidate, ChoiceLimits, Cumulative, ElectionRule, Lists, Method, Plurality, RankingRules};
use crate::{RoundId, Seats};

/// The ballot that an election continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FollowedBallot {
    /// The round of that ballot.
    pub round: RoundId,
    /// The number of the ballot that follows it, from 2.
    pub number: u32,
}

impl ElectionRule {
    /// The number of this ballot of its election: 1 unless it follows another one.
    pub fn ballot_number(&self) -> u32 {
        self.follows.map_or(1, |follows| follows.number)
    }

    /// The terms of the next ballot, with these candidates of this one and the seats that are left.
    ///
    /// The terms stay, with these exceptions: a share that is needed in the first ballot of a plurality election is not
    /// needed in a later one; limits that were the number of seats become the new number; limits above the number of
    /// candidates become that number; lists without candidates are left out, and so is "none of the above" for lists.
    pub fn next_ballot(&self, round: RoundId, numbers: &[u32], seats: Seats) -> Self {
        let kept = |number: &u32| self.candidates.get(*number as usize - 1).cloned().unwrap_or_default();
        let narrowing = Narrowing { before: self.seats, seats, numbers };
        let (method, list_names) = narrowing.method(&self.method, &self.list_names);
        let order = match &self.order {
            // The new question is the seed of a new lot.
            BallotOrder::ByLot { .. } => BallotOrder::ByLot { seed: String::new() },
            other => other.clone(),
        };
        Self {
            method,
            list_names,
            seats: Some(seats),
            order,
            candidates: if self.candidates.is_empty() { Vec::new() } else { numbers.iter().map(kept).collect() },
            // Earlier versions took it for lists, where nobody can choose it.
            none_of_the_above: self.none_of_the_above && self.lists().is_none(),
            follows: Some(FollowedBallot { round, number: self.ballot_number() + 1 }),
            ..self.clone()
        }
    }
}

/// From a ballot to the next one, with fewer seats or candidates.
struct Narrowing<'a> {
    before: Option<Seats>,
    seats: Seats,
    /// The numbers of the candidates in the ballot before.
    numbers: &'a [u32],
}

impl Narrowing<'_> {
    fn method(&self, method: &Method, list_names: &[String]) -> (Method, Vec<String>) {
        let method = match method {
            Method::Plurality(plurality) => {
                Method::Plurality(Plurality { limits: self.limits(plurality.limits), requirement: None })
            }
            Method::Approval(limits) => Method::Approval(self.limits(*limits)),
            Method::Cumulative(cumulative) => Method::Cumulative(self.cumulative(*cumulative)),
            Method::Score(score) => {
                let least_marked = score.least_marked.min(self.candidates());
                Method::Score(super::Score { least_marked, ..*score })
            }
            Method::Irv(irv) => Method::Irv(super::Irv { ranking: self.ranking(irv.ranking), ..*irv }),
            Method::StvScottish(ranking) => Method::StvScottish(self.ranking(*ranking)),
            Method::Schulze(schulze) => {
                Method::Schulze(super::Schulze { ranking: self.ranking(schulze.ranking), ..*schulze })
            }
            Method::Borda(borda) => Method::Borda(super::Borda { ranking: self.ranking(borda.ranking), ..*borda }),
            Method::PerCandidate(_) => method.clone(),
            Method::Lists(lists) => return self.lists(lists, list_names),
        };
        (method, list_names.to_vec())
    }

    fn candidates(&self) -> u32 {
        u32::try_from(self.numbers.len()).unwrap_or(u32::MAX)
    }

    /// A limit that was the number of seats is the new number of seats.
    fn with_seats(&self, limit: u32) -> u32 {
        if self.before.is_some_and(|before| before.get() == limit) { self.seats.get() } else { limit }
    }

    fn limits(&self, limits: ChoiceLimits) -> ChoiceLimits {
        let most = limits.most.map(|most| self.with_seats(most).min(self.candidates()));
        let least = self.with_seats(limits.least).min(most.unwrap_or(u32::MAX)).min(self.candidates());
        ChoiceLimits { least: if limits.least == 1 { 1 } else { least }, most, ..limits }
    }

    fn cumulative(&self, cumulative: Cumulative) -> Cumulative {
        let most_for_one = self.with_seats(cumulative.most_for_one);
        // More votes than all candidates can get could not be given.
        let votes = self.with_seats(cumulative.votes).min(most_for_one.saturating_mul(self.candidates()));
        Cumulative { votes, most_for_one: most_for_one.min(votes), ..cumulative }
    }

    fn ranking(&self, ranking: RankingRules) -> RankingRules {
        let most = ranking.most.map(|most| most.min(self.candidates()));
        RankingRules { least: ranking.least.min(self.candidates()), most, ..ranking }
    }

    fn lists(&self, lists: &Lists, names: &[String]) -> (Method, Vec<String>) {
        let place = |candidate: &Candidate| self.numbers.iter().position(|number| *number == candidate.number());
        let renumbered = |list: &Vec<Candidate>| list.iter().filter_map(place).map(Candidate::at).collect::<Vec<_>>();
        let kept = lists.lists.iter().map(renumbered).zip(names.iter().cloned()).filter(|(list, _)| !list.is_empty());
        let (lists_kept, names) = kept.unzip();
        (Method::Lists(Lists { lists: lists_kept, ..lists.clone() }), names)
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::election::{CandidateNote, ListOrder, Repetition, Requirement, ShareBase};
    use crate::testkit::approval;
    use crate::{Seats, Threshold};

    fn seats(number: u32) -> Seats {
        Seats::new(number).unwrap()
    }

    fn round() -> RoundId {
        RoundId::from_uuid(Uuid::from_u128(7))
    }

    #[test]
    fn a_second_ballot_elects_by_the_most_votes_among_those_who_are_left() {
        let limits = ChoiceLimits { least: 1, most: Some(3), repeated: Repetition::CountsOnce };
        let majority = Requirement { base: ShareBase::VotesCast, threshold: Threshold::MORE_THAN_HALF };
        let named = |line: &str| CandidateNote { line: Some(line.to_owned()), ..CandidateNote::default() };
        let first = ElectionRule {
            method: Method::Plurality(Plurality { limits, requirement: Some(majority) }),
            seats: Some(seats(3)),
            candidates: ["Flat 1", "Flat 2", "Flat 3", "Flat 4"].map(named).to_vec(),
            order: BallotOrder::ByLot { seed: "blue sky".to_owned() },
            ..approval()
        };
        let second = first.next_ballot(round(), &[2, 4], seats(1));
        let limits = ChoiceLimits { least: 1, most: Some(1), repeated: Repetition::CountsOnce };
        assert_eq!(second.method, Method::Plurality(Plurality { limits, requirement: None }));
        assert_eq!(second.candidates, ["Flat 2", "Flat 4"].map(named));
        assert_eq!(second.order, BallotOrder::ByLot { seed: String::new() });
        assert_eq!((second.seats, second.ballot_number()), (Some(seats(1)), 2));
        assert_eq!(second.check_for(2), Ok(()));
        let third = second.next_ballot(round(), &[1], seats(1));
        assert_eq!((third.ballot_number(), third.check_for(1)), (3, Ok(())));
    }

    #[test]
    fn lists_keep_the_candidates_who_are_left_under_their_new_numbers() {
        let list = |numbers: &[u32]| numbers.iter().map(|number| Candidate::numbered(*number)).collect::<Vec<_>>();
        let lists = Lists {
            divisors: super::super::Divisors::DHondt,
            lists: vec![list(&[1, 2]), list(&[3]), list(&[5, 4])],
            most_choices: 0,
            order: ListOrder::AsListed,
        };
        let rule = ElectionRule {
            method: Method::Lists(lists),
            list_names: ["Greens", "Reds", "Blues"].map(str::to_owned).to_vec(),
            ..approval()
        };
        let next = rule.next_ballot(round(), &[2, 4, 5], seats(1));
        assert_eq!(next.list_names, ["Greens", "Blues"]);
        assert_eq!(next.lists().unwrap().lists, [list(&[1]), list(&[3, 2])]);
        assert_eq!(next.check_for(3), Ok(()));
    }

    #[test]
    fn limits_never_ask_for_more_candidates_than_stand() {
        let ranking = RankingRules { least: 3, most: Some(4), ..RankingRules::UP_TO_FAULT };
        let rule = ElectionRule { method: Method::StvScottish(ranking), seats: Some(seats(2)), ..approval() };
        let next = rule.next_ballot(round(), &[1, 2], seats(1));
        assert_eq!(next.method, Method::StvScottish(RankingRules { least: 2, most: Some(2), ..ranking }));
        let cumulative = Cumulative { votes: 3, most_for_one: 2, needs_all_votes: true };
        let rule = ElectionRule { method: Method::Cumulative(cumulative), seats: Some(seats(3)), ..approval() };
        let next = rule.next_ballot(round(), &[1, 2], seats(1));
        assert_eq!(next.method, Method::Cumulative(Cumulative { votes: 1, most_for_one: 1, needs_all_votes: true }));
    }
}
