use plenum_kernel::election::{
    Abstentions, Blank, Candidate, MAX_CANDIDATES, MAX_SEATS, Method, MethodError, Requirement, Standing, check_method,
    check_requirement,
};
use plenum_kernel::{Seats, Unit};

use super::Votes;

/// The most votes of all ballots together.
pub const MAX_VOTES: Votes = Votes::whole(1_000_000_000_000);

/// The most numbers in the stages of an instant-runoff count, which begins again for each seat.
const MAX_RUN_OFF_NUMBERS: usize = 20_000_000;

/// The voters other than those of the ballots, in the unit of the count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Electorate {
    /// The whole register.
    pub register: Votes,
    /// The present voters.
    pub present: Votes,
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
pub enum ElectionError {
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
    #[error("the register has more than 1,000,000,000,000 votes")]
    Electorate,
    /// "None of the above" is there twice.
    #[error("\"none of the above\" can be on the ballot only once")]
    NoneOfTheAboveTwice,
    /// A setting of the method is wrong.
    #[error(transparent)]
    Method(#[from] MethodError),
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
    pub fn new(terms: ElectionTerms) -> Result<Self, ElectionError> {
        let is_left = terms.candidates.iter().any(|standing| *standing != Standing::Withdrawn);
        if !is_left || terms.candidates.len() > MAX_CANDIDATES {
            return Err(ElectionError::CandidateCount);
        }
        if terms.seats.is_some_and(|seats| seats.get() > MAX_SEATS) {
            return Err(ElectionError::SeatCount);
        }
        if terms.candidates.iter().filter(|standing| **standing == Standing::NoneOfTheAbove).count() > 1 {
            return Err(ElectionError::NoneOfTheAboveTwice);
        }
        if terms.electorate.register > MAX_VOTES || terms.electorate.present > MAX_VOTES {
            return Err(ElectionError::Electorate);
        }
        check_requirement(terms.least_support)?;
        check_method(&terms.method, terms.candidates.len())?;
        let election = Self { terms };
        let is_run_off = matches!(election.terms.method, Method::Irv(_));
        let numbers = election.seats().min(election.size()) * election.size() * election.size();
        if is_run_off && numbers > MAX_RUN_OFF_NUMBERS {
            return Err(ElectionError::RunOffStages);
        }
        Ok(election)
    }

    /// The election without these candidates. `None` if nobody is left.
    pub(super) fn without(&self, declined: &[Candidate]) -> Option<Self> {
        let mut terms = self.terms.clone();
        for place in declined.iter().filter_map(|candidate| candidate.place()) {
            if let Some(standing) = terms.candidates.get_mut(place) {
                *standing = Standing::Withdrawn;
            }
        }
        Self::new(terms).ok()
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
