use super::{Borda, BordaScale, Candidate, ChoiceLimits, Lists, Method, Requirement, Schulze, ShareBase, Unranked};

/// The most candidates of an election, and the most lists.
pub const MAX_CANDIDATES: usize = 1_000;
/// The most points for one candidate, and the most votes of a voter.
pub const MAX_POINTS: u32 = 1_000;
/// The most seats.
pub const MAX_SEATS: u32 = 10_000;

/// A setting of a method that contradicts another one, or is out of its range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MethodError {
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

/// Checks a share that is not one of yes and no.
///
/// # Errors
/// Refuses the base of yes and no.
pub fn check_requirement(requirement: Option<Requirement>) -> Result<(), MethodError> {
    match requirement {
        Some(requirement) if requirement.base == ShareBase::YesAndNo => Err(MethodError::BaseWithoutYesAndNo),
        _ => Ok(()),
    }
}

/// Checks the settings of a method for this number of candidates.
///
/// # Errors
/// Names the first broken rule.
pub fn check_method(method: &Method, candidates: usize) -> Result<(), MethodError> {
    match method {
        Method::PerCandidate(_) => Ok(()),
        Method::Plurality(plurality) => {
            check_limits(plurality.limits)?;
            check_requirement(plurality.requirement)
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
        Method::Borda(_) => Err(MethodError::UnrankedPoints),
        Method::Lists(lists) => check_lists(lists, candidates),
    }
}

fn check_limits(limits: ChoiceLimits) -> Result<(), MethodError> {
    check_ranking(limits.least, limits.most)
}

fn check_ranking(least: u32, most: Option<u32>) -> Result<(), MethodError> {
    let is_fine = most.is_none_or(|most| most >= least.max(1));
    if is_fine { Ok(()) } else { Err(MethodError::ChoiceLimits) }
}

fn check_points(numbers: &[u32]) -> Result<(), MethodError> {
    let is_fine = numbers.iter().all(|number| (1..=MAX_POINTS).contains(number));
    if is_fine { Ok(()) } else { Err(MethodError::PointLimits) }
}

fn check_lists(lists: &Lists, candidates: usize) -> Result<(), MethodError> {
    let mut seen = vec![false; candidates];
    let mut is_new = |candidate: &Candidate| {
        let place = candidate.place().filter(|place| *place < candidates);
        place.is_some_and(|place| !std::mem::replace(&mut seen[place], true))
    };
    let is_fine = (1..=MAX_CANDIDATES).contains(&lists.lists.len()) && lists.lists.iter().flatten().all(&mut is_new);
    if is_fine { Ok(()) } else { Err(MethodError::ListCandidates) }
}
