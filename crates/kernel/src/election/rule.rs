use super::{
    Borda, FollowedBallot, Irv, Lists, Method, MethodError, Plurality, Schulze, Standing, check_method,
    check_requirement,
};
use crate::{Invalid, RuleError, Seats, Threshold, Unit};

/// The whole of which a share is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ShareBase {
    /// The answers yes and no for the candidate. Only for votes on each candidate.
    YesAndNo,
    /// The valid ballots, without abstentions.
    ValidBallots,
    /// The valid ballots, and the abstentions if they count as votes cast. Invalid ballots are none.
    VotesCast,
    /// The whole register.
    Register,
    /// The present voters.
    Present,
}

/// A required share of votes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Requirement {
    /// The whole.
    pub base: ShareBase,
    /// The share.
    pub threshold: Threshold,
}

/// The effect of an abstention, which elects nobody in any case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Abstentions {
    /// It is a vote cast, so that it raises every requirement of votes cast.
    #[default]
    AreVotesCast,
    /// It is as if the voter had not voted.
    AreNotVotes,
}

/// The meaning of a ballot without any mark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Blank {
    /// It is invalid.
    #[default]
    Invalid,
    /// It is an abstention.
    Abstains,
    /// It is a valid vote for nobody. It raises quotas and requirements of valid ballots.
    ValidForNobody,
}

/// What follows a tie that the method itself does not break.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TieRule {
    /// A lot, drawn by Plenum from a seed on record or by people, as the organizer chooses at the tie.
    #[default]
    Lot,
    /// A lot that Plenum draws.
    DrawnLot,
    /// A lot that people draw. If somebody moves up later, Plenum draws.
    LotByHand,
    /// The tied stay without a seat until another ballot among them. Ties about the order of a count, which no ballot can
    /// decide, need a lot all the same.
    RunOff,
}

/// What follows if an elected person declines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum RefusedSeat {
    /// The next one moves up, by the ballots of the election.
    #[default]
    NextMovesUp,
    /// The seat stays vacant until another ballot.
    StaysVacant,
}

/// The order in which ballots show the candidates. It changes no number.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum BallotOrder {
    /// By number.
    #[default]
    AsEntered,
    /// By name.
    ByName,
    /// By a lot from this seed.
    ByLot {
        /// The text of the seed.
        seed: String,
    },
    /// By number, starting at another candidate for each voter.
    Rotated,
}

/// What is known of a candidate beside the name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct CandidateNote {
    /// A line under the name, such as a party or a flat.
    pub line: Option<String>,
    /// A short text about the person.
    pub about: Option<String>,
    /// Whether the candidate withdrew.
    pub is_withdrawn: bool,
}

/// The terms of an election, apart from the names of its candidates.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ElectionRule {
    /// The method.
    pub method: Method,
    /// The names of the lists, for the method with lists.
    pub list_names: Vec<String>,
    /// The number of seats. `None` if everybody who meets the conditions is elected.
    pub seats: Option<Seats>,
    /// The unit of the count.
    pub unit: Unit,
    /// What follows a tie.
    pub ties: TieRule,
    /// The effect of abstentions.
    pub abstentions: Abstentions,
    /// The meaning of a ballot without any mark.
    pub blank: Blank,
    /// Whether "none of the above" is on the ballot, after all candidates.
    pub none_of_the_above: bool,
    /// The least support of a candidate or a list.
    pub least_support: Option<Requirement>,
    /// The order of the candidates on the ballot.
    pub order: BallotOrder,
    /// What is known of each candidate. Empty if nothing is known of anybody.
    pub candidates: Vec<CandidateNote>,
    /// What follows if an elected person declines.
    pub declined: RefusedSeat,
    /// The ballot that this one continues. `None` for the first ballot of an election.
    pub follows: Option<FollowedBallot>,
}

impl ElectionRule {
    /// Whether the rule fits this number of candidates.
    ///
    /// # Errors
    /// Names the field, by its path in a question, and the expected value.
    pub(crate) fn check_for(&self, candidates: usize) -> Result<(), RuleError> {
        if !self.candidates.is_empty() && self.candidates.len() != candidates {
            let requirement = format!("Must have {candidates} entries, one for each candidate, or none.");
            return Err(("decisionRule.election.candidates", Invalid::new(requirement)));
        }
        let standing = candidates - self.candidates.iter().filter(|note| note.is_withdrawn).count();
        if standing == 0 {
            return Err(("decisionRule.election.candidates", Invalid::new("Must not all have withdrawn.")));
        }
        let is_needed = !matches!(self.method, Method::PerCandidate(_) | Method::Plurality(_) | Method::Approval(_));
        match self.seats {
            None if is_needed => {
                return Err(("decisionRule.election.seats", Invalid::new("Is required for this method.")));
            }
            None if !self.has_condition() => {
                let requirement = "Is required without a condition that the elected must meet: a share, a minimum \
                                   support or \"none of the above\". Otherwise a single vote would elect.";
                return Err(("decisionRule.election.seats", Invalid::new(requirement)));
            }
            Some(seats) if seats.get() as usize > candidates => {
                return Err((
                    "decisionRule.election.seats",
                    Invalid::new(format!("Must be a whole number from 1 to {candidates}.")),
                ));
            }
            _ => {}
        }
        check_requirement(self.least_support)
            .map_err(|error| ("decisionRule.election.leastSupport", invalid(error)))?;
        check_method(&self.method, candidates).map_err(|error| (field_of(error, &self.method), invalid(error)))?;
        self.check_none_of_the_above()?;
        self.check_minima(standing)
    }

    /// Whether a candidate must meet more than one vote to be elected.
    const fn has_condition(&self) -> bool {
        let has_share = match &self.method {
            Method::PerCandidate(_) => true,
            Method::Plurality(plurality) => plurality.requirement.is_some(),
            _ => false,
        };
        has_share || self.least_support.is_some() || self.none_of_the_above
    }

    /// A ballot for a list has no place for "none of the above".
    fn check_none_of_the_above(&self) -> Result<(), RuleError> {
        if self.none_of_the_above && self.lists().is_some() {
            let requirement = "Must be false: on a ballot for a list nobody can choose it.";
            return Err(("decisionRule.election.noneOfTheAbove", Invalid::new(requirement)));
        }
        Ok(())
    }

    /// Whether a ballot can have the marks that it needs, with this number of candidates who stand.
    fn check_minima(&self, standing: usize) -> Result<(), RuleError> {
        let standing = u32::try_from(standing).unwrap_or(u32::MAX);
        // Among choices "none of the above" stands alone. Elsewhere it is marked like a candidate.
        let markable = standing.saturating_add(u32::from(self.none_of_the_above));
        let (field, least, most) = match &self.method {
            Method::Plurality(Plurality { limits, .. }) | Method::Approval(limits) => {
                ("decisionRule.election.leastChoices", limits.least, standing)
            }
            Method::Irv(Irv { ranking, .. })
            | Method::StvScottish(ranking)
            | Method::Schulze(Schulze { ranking, .. })
            | Method::Borda(Borda { ranking, .. }) => ("decisionRule.election.leastRanks", ranking.least, markable),
            Method::Score(score) => ("decisionRule.election.leastMarked", score.least_marked, markable),
            Method::Cumulative(cumulative) if cumulative.needs_all_votes => {
                let most = cumulative.most_for_one.saturating_mul(markable);
                ("decisionRule.election.votes", cumulative.votes, most)
            }
            Method::Cumulative(_) | Method::PerCandidate(_) | Method::Lists(_) => return Ok(()),
        };
        if least <= most {
            return Ok(());
        }
        let requirement = match &self.method {
            Method::Cumulative(_) => {
                format!("Must be at most {most}: a ballot needs all votes, and those who stand cannot be given more.")
            }
            _ => format!("Must be at most {most}: no ballot can mark more of those who stand."),
        };
        Err((field, Invalid::new(requirement)))
    }

    /// The part of each name on the ballot in the count, in the order of their numbers.
    pub fn standings(&self, candidates: usize) -> Vec<Standing> {
        let withdrew = |place: usize| self.candidates.get(place).is_some_and(|note| note.is_withdrawn);
        let standing = |place| if withdrew(place) { Standing::Withdrawn } else { Standing::Stands };
        let nobody = self.none_of_the_above.then_some(Standing::NoneOfTheAbove);
        (0..candidates).map(standing).chain(nobody).collect()
    }

    /// The lists, for the method with lists.
    pub const fn lists(&self) -> Option<&Lists> {
        match &self.method {
            Method::Lists(lists) => Some(lists),
            _ => None,
        }
    }
}

fn invalid(error: MethodError) -> Invalid {
    let sentence = error.to_string();
    Invalid::new(format!("{}.", crate::capitalized(&sentence)))
}

/// The field of a rule that the error concerns.
const fn field_of(error: MethodError, method: &Method) -> &'static str {
    match (error, method) {
        (MethodError::ChoiceLimits, Method::Plurality(_) | Method::Approval(_)) => "decisionRule.election.mostChoices",
        (MethodError::ChoiceLimits, _) => "decisionRule.election.mostRanks",
        (MethodError::PointLimits, Method::Score(_)) => "decisionRule.election.points",
        (MethodError::PointLimits, _) => "decisionRule.election.votes",
        (MethodError::BaseWithoutYesAndNo, _) => "decisionRule.election.requirement",
        (MethodError::UnrankedPoints, _) => "decisionRule.election.unranked",
        (MethodError::ListCandidates, _) => "decisionRule.election.lists",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::election::{
        Candidate, ChoiceLimits, Cumulative, Divisors, ListOrder, PerCandidate, RankingRules, Repetition, Score,
        Unanswered, YesRanking,
    };
    use crate::testkit::approval;

    fn rule(method: Method, seats: Option<u32>) -> ElectionRule {
        ElectionRule { method, seats: seats.map(|seats| Seats::new(seats).unwrap()), ..approval() }
    }

    fn plurality(most: u32) -> Method {
        let limits = ChoiceLimits { least: 2, most: Some(most), repeated: Repetition::CountsOnce };
        Method::Plurality(Plurality { limits, requirement: None })
    }

    #[test]
    fn a_rule_fits_its_candidates() {
        let stv = Method::StvScottish(RankingRules::UP_TO_FAULT);
        assert_eq!(rule(stv.clone(), Some(3)).check_for(3), Ok(()));
        let field = |rule: ElectionRule, candidates| rule.check_for(candidates).unwrap_err().0;
        assert_eq!(field(rule(stv.clone(), Some(4)), 3), "decisionRule.election.seats");
        assert_eq!(field(rule(stv.clone(), None), 3), "decisionRule.election.seats");
        assert_eq!(rule(plurality(2), Some(1)).check_for(3), Ok(()));
        assert_eq!(field(rule(plurality(1), Some(1)), 3), "decisionRule.election.mostChoices");
        let gone = CandidateNote { is_withdrawn: true, ..CandidateNote::default() };
        let with = |candidates| ElectionRule { candidates, ..rule(stv.clone(), Some(1)) };
        assert_eq!(field(with(vec![gone.clone()]), 2), "decisionRule.election.candidates");
        assert_eq!(field(with(vec![gone.clone(); 2]), 2), "decisionRule.election.candidates");
        assert_eq!(with(vec![gone, CandidateNote::default()]).check_for(2), Ok(()));
    }

    #[test]
    fn everybody_can_be_elected_who_meets_a_condition() {
        let half = Requirement { base: ShareBase::ValidBallots, threshold: Threshold::MORE_THAN_HALF };
        let limits = ChoiceLimits { least: 1, most: None, repeated: Repetition::CountsOnce };
        for method in [Method::Approval(limits), Method::Plurality(Plurality { limits, requirement: None })] {
            let open = rule(method, None);
            assert_eq!(open.check_for(3).unwrap_err().0, "decisionRule.election.seats");
            assert_eq!(ElectionRule { seats: Some(Seats::ONE), ..open.clone() }.check_for(3), Ok(()));
            assert_eq!(ElectionRule { least_support: Some(half), ..open.clone() }.check_for(3), Ok(()));
            assert_eq!(ElectionRule { none_of_the_above: true, ..open }.check_for(3), Ok(()));
        }
        let plurality = Method::Plurality(Plurality { limits, requirement: Some(half) });
        assert_eq!(rule(plurality, None).check_for(3), Ok(()));
        let settings = PerCandidate { requirement: half, ranking: YesRanking::Yes, unanswered: Unanswered::Abstains };
        assert_eq!(rule(Method::PerCandidate(settings), None).check_for(3), Ok(()));
    }

    #[test]
    fn a_ballot_can_have_the_marks_that_it_needs() {
        let ranking = RankingRules { least: 3, ..RankingRules::UP_TO_FAULT };
        let cumulative = |needs_all_votes| Cumulative { votes: 5, most_for_one: 2, needs_all_votes };
        let limits = ChoiceLimits { least: 3, most: None, repeated: Repetition::CountsOnce };
        let all_votes = Method::Cumulative(cumulative(true));
        for (method, field, has_room_for_none) in [
            (Method::Approval(limits), "leastChoices", false),
            (Method::Plurality(Plurality { limits, requirement: None }), "leastChoices", false),
            (Method::StvScottish(ranking), "leastRanks", true),
            (Method::Irv(Irv { ranking, ties_by_earlier_stages: false }), "leastRanks", true),
            (Method::Score(Score { most: 5, least_marked: 3 }), "leastMarked", true),
            (all_votes, "votes", true),
        ] {
            let three = rule(method, Some(1));
            assert_eq!(three.check_for(3), Ok(()), "{field}");
            let path = format!("decisionRule.election.{field}");
            assert_eq!(three.check_for(2).unwrap_err().0, path);
            // One of three withdraws.
            let mut candidates = vec![CandidateNote::default(); 3];
            candidates[1].is_withdrawn = true;
            let two = ElectionRule { candidates, ..three };
            assert_eq!(two.check_for(3).unwrap_err().0, path);
            let with_none = ElectionRule { none_of_the_above: true, ..two };
            assert_eq!(with_none.check_for(3).is_ok(), has_room_for_none, "{field}");
        }
        assert_eq!(rule(Method::Cumulative(cumulative(false)), Some(1)).check_for(2), Ok(()));
    }

    #[test]
    fn a_ballot_for_a_list_has_no_none_of_the_above() {
        let lists = Lists {
            divisors: Divisors::DHondt,
            lists: vec![vec![Candidate::numbered(1), Candidate::numbered(2)]],
            most_choices: 0,
            order: ListOrder::AsListed,
        };
        let without = ElectionRule { list_names: vec!["Greens".to_owned()], ..rule(Method::Lists(lists), Some(1)) };
        assert_eq!(without.check_for(2), Ok(()));
        let with = ElectionRule { none_of_the_above: true, ..without };
        assert_eq!(with.check_for(2).unwrap_err().0, "decisionRule.election.noneOfTheAbove");
        // The next ballot of an election from before this was refused.
        let round = crate::RoundId::from_uuid(uuid::Uuid::from_u128(7));
        assert_eq!(with.next_ballot(round, &[1, 2], Seats::new(1).unwrap()).check_for(2), Ok(()));
    }

    #[test]
    fn none_of_the_above_is_the_last_name() {
        let gone = CandidateNote { is_withdrawn: true, ..CandidateNote::default() };
        let rule = ElectionRule {
            none_of_the_above: true,
            candidates: vec![gone, CandidateNote::default()],
            ..rule(plurality(2), Some(1))
        };
        assert_eq!(rule.standings(2), [Standing::Withdrawn, Standing::Stands, Standing::NoneOfTheAbove]);
    }
}
