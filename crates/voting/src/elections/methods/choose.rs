//! The choice of one candidate among equal ones.

use crate::elections::counting::Counting;
use crate::elections::{ResolvedBy, ResolvedTie, Stage, Tie, TieMatter, Votes};
use plenum_kernel::election::Candidate;

/// Which of the equal candidates is wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    Most,
    Fewest,
}

/// Equal candidates of whom the count wants one.
pub(super) struct Equals<'a> {
    /// Their places, at least one.
    pub(super) places: Vec<usize>,
    pub(super) wanted: Wanted,
    /// The earlier stages that can decide, in order.
    pub(super) earlier: &'a [Stage],
    /// Whether every choice leads to the same stages.
    pub(super) makes_no_difference: bool,
    /// The stage of the decision.
    pub(super) stage: u32,
    /// The matter of the tie.
    pub(super) matter: fn(Vec<Candidate>) -> TieMatter,
}

/// The chosen candidate. If there was a tie, also what decided it.
pub(super) type Chosen = (usize, Option<ResolvedTie>);

/// Chooses one of equal candidates: by earlier stages, or by a decision.
///
/// # Errors
/// Returns the tie if nobody has decided it.
pub(super) fn choose(counting: &mut Counting<'_>, equals: Equals<'_>) -> Result<Chosen, Tie> {
    let Equals { places, wanted, earlier, stage, .. } = equals;
    let tie = |places: &[usize]| Tie { stage, matter: (equals.matter)(candidates(places)) };
    if let [only] = places[..] {
        return Ok((only, None));
    }
    let (equal, decided_at) = compare_earlier(earlier, places.clone(), wanted);
    if let Some(decided_at) = decided_at {
        return Ok((equal[0], Some(ResolvedTie { tie: tie(&places), by: ResolvedBy::EarlierStage(decided_at) })));
    }
    let tie = tie(&equal);
    if equals.makes_no_difference {
        return Ok((equal[0], Some(ResolvedTie { tie, by: ResolvedBy::NoDifference })));
    }
    let Some(resolved) = counting.resolve(&tie) else { return Err(tie) };
    let place = resolved.places().next().unwrap_or(equal[0]);
    Ok((place, Some(resolved.record)))
}

/// Compares equal candidates at the end of the most recent stage at which they differed. Those who are equal there,
/// too, are compared at the stage before. Returns those who stay equal, and the stage that left only one.
fn compare_earlier(stages: &[Stage], equal: Vec<usize>, wanted: Wanted) -> (Vec<usize>, Option<u32>) {
    let mut places = equal;
    for stage in stages.iter().rev() {
        let votes = |place: &usize| votes_at(stage, *place);
        let best = match wanted {
            Wanted::Most => places.iter().map(votes).max(),
            Wanted::Fewest => places.iter().map(votes).min(),
        };
        places.retain(|place| Some(votes(place)) == best);
        if places.len() == 1 {
            return (places, Some(stage.number));
        }
    }
    (places, None)
}

fn votes_at(stage: &Stage, place: usize) -> Votes {
    let candidate = Candidate::at(place);
    let found = stage.votes.binary_search_by_key(&candidate, |(candidate, _)| *candidate);
    found.map(|found| stage.votes[found].1).unwrap_or_default()
}

/// The candidates at these places.
pub(super) fn candidates(places: &[usize]) -> Vec<Candidate> {
    places.iter().copied().map(Candidate::at).collect()
}
