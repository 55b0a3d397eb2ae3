use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;

use super::kind::{Kind, Place};
use crate::rng::Rng;

/// Moment of a round at which a fault begins.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Moment {
    /// While the organizer opens it.
    Opening,
    /// Once this share of the voters has a response.
    Voting(f64),
    /// While the organizer ends it, and some still vote.
    Ending,
}

/// A fault. Each has its own round.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Fault {
    /// Number of the fault, from 1.
    pub number: usize,
    /// Kind of the fault.
    pub kind: Kind,
    /// Place of the database.
    pub place: Place,
    /// Moment at which it begins.
    pub moment: Moment,
    /// Duration in milliseconds.
    pub lasts_ms: u64,
    /// Seed of all other random choices of this fault.
    #[serde(skip)]
    pub seed: u64,
}

impl Fault {
    /// Duration of the fault.
    pub fn duration(&self) -> Duration {
        Duration::from_millis(self.lasts_ms)
    }
}

/// Plans this many faults. The numbers of faults of two kinds differ by at most one. Everything is derived from the
/// seed.
pub fn plan(seed: u64, count: usize, kinds: &[Kind], longest: Duration) -> Vec<Fault> {
    let mut rng = Rng::new(seed);
    let mut times: BTreeMap<Kind, usize> = BTreeMap::new();
    let mut planned = Vec::with_capacity(count);
    let mut remaining: Vec<Kind> = Vec::new();
    while planned.len() < count && !kinds.is_empty() {
        if remaining.is_empty() {
            remaining = kinds.to_vec();
        }
        let kind = remaining.swap_remove(rng.below(remaining.len()));
        let time = times.entry(kind).or_default();
        let place = place_of(kind, *time);
        *time += 1;
        planned.push(Fault {
            number: 0,
            kind,
            place,
            moment: draw_moment(&mut rng),
            lasts_ms: draw_length(longest, &mut rng),
            seed: rng.below(usize::MAX) as u64,
        });
    }
    // Moving the database takes long, so all faults of one place come before those of the other.
    planned.sort_by_key(|fault| fault.place);
    for (before, fault) in planned.iter_mut().enumerate() {
        fault.number = before + 1;
    }
    planned
}

/// A kind that is possible in both places alternates between them.
fn place_of(kind: Kind, time: usize) -> Place {
    if kind.is_of_external_databases() || time % 2 == 1 { Place::External } else { Place::Embedded }
}

/// Most faults begin in the middle of voting, when most votes are cast.
fn draw_moment(rng: &mut Rng) -> Moment {
    let (which, share) = (rng.below(20), rng.share());
    match which {
        0..=2 => Moment::Opening,
        3..=5 => Moment::Ending,
        _ => Moment::Voting(0.05 + 0.4 * share),
    }
}

fn draw_length(longest: Duration, rng: &mut Rng) -> u64 {
    let share = 0.2 + 0.8 * rng.share();
    (longest.as_millis() as f64 * share) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONGEST: Duration = Duration::from_secs(4);

    #[test]
    fn the_same_seed_gives_the_same_plan_and_another_seed_gives_another() {
        assert_eq!(plan(7, 100, &Kind::ALL, LONGEST), plan(7, 100, &Kind::ALL, LONGEST));
        assert_ne!(plan(7, 100, &Kind::ALL, LONGEST), plan(8, 100, &Kind::ALL, LONGEST));
    }

    #[test]
    fn kinds_are_equally_frequent_and_occur_in_every_possible_place() {
        let planned = plan(7, 100, &Kind::ALL, LONGEST);
        assert_eq!(planned.len(), 100);
        for kind in Kind::ALL {
            let of_kind: Vec<_> = planned.iter().filter(|fault| fault.kind == kind).collect();
            assert!((4..=5).contains(&of_kind.len()), "{kind}: {}", of_kind.len());
            let embedded = of_kind.iter().filter(|fault| fault.place == Place::Embedded).count();
            let expected = if kind.is_of_external_databases() { 0 } else { of_kind.len().div_ceil(2) };
            assert_eq!(embedded, expected, "{kind}");
        }
    }

    #[test]
    fn faults_are_numbered_in_order_and_the_database_moves_once() {
        let planned = plan(7, 100, &Kind::ALL, LONGEST);
        assert!(planned.iter().map(|fault| fault.number).eq(1..=100));
        assert!(planned.is_sorted_by_key(|fault| fault.place));
    }

    #[test]
    fn faults_occur_at_every_moment_and_stay_within_the_longest_duration() {
        let planned = plan(7, 200, &Kind::ALL, LONGEST);
        let count = |is: fn(Moment) -> bool| planned.iter().filter(|fault| is(fault.moment)).count();
        assert!(count(|moment| moment == Moment::Opening) > 10);
        assert!(count(|moment| moment == Moment::Ending) > 10);
        assert!(count(|moment| matches!(moment, Moment::Voting(share) if (0.05..0.45).contains(&share))) > 100);
        assert!(planned.iter().all(|fault| (800..=4_000).contains(&fault.lasts_ms)));
    }

    #[test]
    fn without_kinds_there_are_no_faults() {
        assert!(plan(7, 100, &[], LONGEST).is_empty());
    }
}
