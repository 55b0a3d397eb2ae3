use plenum_kernel::{Seats, Threshold, Unit};

use super::{Borda, BordaScale, Candidate, ChoiceLimits, Lists, Method, Schulze, Standing, Unranked, Votes};

/// The most candidates of an election, and the most lists.
pub const MAX_CANDIDATES: usize = 1_000;
/// The most points for one candidate, and the most votes of a voter.
pub const MAX_POINTS: u32 = 1_000;
/// The most seats.
pub const MAX_SEATS: u32 = 10_000;
/// The most votes of all ballots together.
pub const MAX_VOTES: Votes = Votes::whole(1_000_000_000_000);

/// The most numbers in the stages of an instant-runoff count, which begins again for each seat.
const MAX_RUN_OFF_NUMBERS: usize = 20_000_000;

/// The whole of which a share is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ShareBase {
    /// The answers yes and no for the candidate. Only for votes on each candidate.
    YesAndNo,
    /// The valid ballots, without abstentions.
    ValidBallots,
    /// The valid ballots, and the abstentions if they count as votes cast.
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

/// The voters other than those of the ballots, in the unit of the count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Electorate {
    /// The whole register.
    pub register: Votes,
    /// The present voters.
    pub present: Votes,
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

/// The terms of an election, before they are checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ElectionTerms {
    /// The method.
    pub method: Method,
    /// The candidates, in the order of their numbers.
    pub candidates: Vec<Standing>,
    /// The number of seats. `None` if everybody who meets the conditions is elected.
    pub seats: Option<Seats>,
    /// The unit of the count. By weight, every mark of a ballot counts with the weight of its voter, multiplied
    /// exactly.
    pub unit: Unit,
    /// The effect of abstentions.
    pub abstentions: Abstentions,
    /// The meaning of a ballot without any mark.
    pub blank: Blank,
    /// The least support of a candidate or a list: the share of ballots on which it is chosen, approved, ranked, or has
    /// points or a yes. The methods with transfers exclude candidates with less support after the first stage. The
    /// others do not elect them.
    pub least_support: Option<Requirement>,
    /// The voters, for requirements of the register or of those present.
    pub electorate: Electorate,
}

/// A setting that contradicts another one, or is out of its range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ElectionRule {
    /// The number of candidates is out of range.
    #[error("an election needs 1 to {MAX_CANDIDATES} candidates, of whom not all have withdrawn")]
    CandidateCount,
    /// There are too many seats.
    #[error("an election has at most {MAX_SEATS} seats")]
    SeatCount,
    /// An instant-runoff count could have too many stages.
    #[error("instant-runoff with so many candidates cannot fill so many seats. Choose another method")]
    RunOffStages,
    /// The register has more votes than an election can have.
    #[error("the register has more than a million million votes")]
    Electorate,
    /// "None of the above" is there twice.
    #[error("\"none of the above\" can be on the ballot only once")]
    NoneOfTheAboveTwice,
    /// The largest number of choices is below the smallest.
    #[error("the largest number of choices is below the smallest, or zero")]
    ChoiceLimits,
    /// The number of votes or points is out of range.
    #[error("the number of votes or points must be from 1 to {MAX_POINTS}")]
    PointLimits,
    /// A base does not exist for the method.
    #[error("only votes on each candidate have yes and no as their base")]
    BaseWithoutYesAndNo,
    /// Mean points of the rest need a fixed scale.
    #[error("with points by the number of ranked candidates, the others have none")]
    UnrankedPoints,
    /// Lists are missing, too many, or share a candidate.
    #[error("there must be 1 to {MAX_CANDIDATES} lists, and each candidate stands on one of them at most")]
    ListCandidates,
}

/// An election whose terms do not contradict one another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Election {
    terms: ElectionTerms,
}

impl Election {
    /// Checks the terms.
    ///
    /// # Errors
    /// Names the first broken rule.
    pub fn new(terms: ElectionTerms) -> Result<Self, ElectionRule> {
        let is_left = terms.candidates.iter().any(|standing| *standing != Standing::Withdrawn);
        if !is_left || terms.candidates.len() > MAX_CANDIDATES {
            return Err(ElectionRule::CandidateCount);
        }
        if terms.seats.is_some_and(|seats| seats.get() > MAX_SEATS) {
            return Err(ElectionRule::SeatCount);
        }
        if terms.candidates.iter().filter(|standing| **standing == Standing::NoneOfTheAbove).count() > 1 {
            return Err(ElectionRule::NoneOfTheAboveTwice);
        }
        if terms.electorate.register > MAX_VOTES || terms.electorate.present > MAX_VOTES {
            return Err(ElectionRule::Electorate);
        }
        check_base(terms.least_support)?;
        check_method(&terms)?;
        let election = Self { terms };
        let is_run_off = matches!(election.terms.method, Method::Irv(_));
        let numbers = election.seats().min(election.size()) * election.size() * election.size();
        if is_run_off && numbers > MAX_RUN_OFF_NUMBERS {
            return Err(ElectionRule::RunOffStages);
        }
        Ok(election)
    }

    /// The terms.
    pub const fn terms(&self) -> &ElectionTerms {
        &self.terms
    }

    /// The standing of each candidate, by place.
    pub(super) fn standings(&self) -> &[Standing] {
        &self.terms.candidates
    }

    /// The number of candidates.
    pub(super) fn size(&self) -> usize {
        self.terms.candidates.len()
    }

    /// The places of all candidates but the withdrawn ones: those who take part in the count.
    pub(super) fn standing(&self) -> impl Iterator<Item = usize> + '_ {
        let standings = self.terms.candidates.iter().enumerate();
        standings.filter(|(_, standing)| **standing != Standing::Withdrawn).map(|(place, _)| place)
    }

    /// Whether the candidate at this place is a person who can be elected.
    pub(super) fn is_person(&self, place: usize) -> bool {
        self.terms.candidates[place] == Standing::Stands
    }

    /// The place of "none of the above".
    pub(super) fn none_of_the_above(&self) -> Option<usize> {
        self.terms.candidates.iter().position(|standing| *standing == Standing::NoneOfTheAbove)
    }

    /// The number of seats. Without a limit, one for each candidate.
    pub(super) fn seats(&self) -> usize {
        self.terms.seats.map_or(self.size(), |seats| seats.get() as usize)
    }
}

fn check_base(requirement: Option<Requirement>) -> Result<(), ElectionRule> {
    match requirement {
        Some(requirement) if requirement.base == ShareBase::YesAndNo => Err(ElectionRule::BaseWithoutYesAndNo),
        _ => Ok(()),
    }
}

fn check_method(terms: &ElectionTerms) -> Result<(), ElectionRule> {
    match &terms.method {
        Method::PerCandidate(_) => Ok(()),
        Method::Plurality(plurality) => {
            check_limits(plurality.limits)?;
            check_base(plurality.requirement)
        }
        Method::Approval(limits) => check_limits(*limits),
        Method::Cumulative(cumulative) => check_points(&[cumulative.votes, cumulative.most_for_one]),
        Method::Score(score) => check_points(&[score.most]),
        Method::Irv(irv) => check_ranking(irv.ranking.least, irv.ranking.most),
        Method::StvScottish(ranking)
        | Method::Schulze(Schulze { ranking, .. })
        | Method::Borda(Borda { ranking, scale: BordaScale::ToZero | BordaScale::ToOne, .. }) => {
            check_ranking(ranking.least, ranking.most)
        }
        Method::Borda(borda) if borda.unranked == Unranked::Nothing => {
            check_ranking(borda.ranking.least, borda.ranking.most)
        }
        Method::Borda(_) => Err(ElectionRule::UnrankedPoints),
        Method::Lists(lists) => check_lists(lists, terms.candidates.len()),
    }
}

fn check_limits(limits: ChoiceLimits) -> Result<(), ElectionRule> {
    check_ranking(limits.least, limits.most)
}

fn check_ranking(least: u32, most: Option<u32>) -> Result<(), ElectionRule> {
    let is_fine = most.is_none_or(|most| most >= least.max(1));
    if is_fine { Ok(()) } else { Err(ElectionRule::ChoiceLimits) }
}

fn check_points(numbers: &[u32]) -> Result<(), ElectionRule> {
    let is_fine = numbers.iter().all(|number| (1..=MAX_POINTS).contains(number));
    if is_fine { Ok(()) } else { Err(ElectionRule::PointLimits) }
}

fn check_lists(lists: &Lists, candidates: usize) -> Result<(), ElectionRule> {
    let mut seen = vec![false; candidates];
    let mut is_new = |candidate: &Candidate| {
        let place = candidate.place().filter(|place| *place < candidates);
        place.is_some_and(|place| !std::mem::replace(&mut seen[place], true))
    };
    let is_fine = (1..=MAX_CANDIDATES).contains(&lists.lists.len()) && lists.lists.iter().flatten().all(&mut is_new);
    if is_fine { Ok(()) } else { Err(ElectionRule::ListCandidates) }
}
