use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;

use super::kind::{Kind, Place};
use crate::fixture::Secrecy;
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
    /// While the organizer counts it, which opens its urn. Only in secret rounds.
    Counting,
}

/// A fault. Each has its own round.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Fault {
    /// Number of the fault, from 1.
    pub number: usize,
    /// Secrecy of its round.
    pub secrecy: Secrecy,
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

    /// Number and kind, as they are named in problems.
    pub(super) fn name(&self) -> String {
        format!("fault {} ({}, {})", self.number, self.kind, self.secrecy)
    }
}

/// The extent of a plan.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    /// Seed of all random choices.
    pub seed: u64,
    /// Number of faults for each secrecy.
    pub faults: usize,
    /// Longest duration of a fault.
    pub longest: Duration,
}

/// Plans faults of these kinds in rounds of each secrecy. Everything is derived from the seed.
pub fn plan(extent: &Extent, kinds: &[Kind], secrecies: &[Secrecy]) -> Vec<Fault> {
    let mut planned: Vec<_> = secrecies.iter().flat_map(|secrecy| plan_for(extent, kinds, *secrecy)).collect();
    // Moving the database takes long, so all faults of one place come before those of the other.
    planned.sort_by_key(|fault| fault.place);
    for (before, fault) in planned.iter_mut().enumerate() {
        fault.number = before + 1;
    }
    planned
}

/// The numbers of faults of two kinds differ by at most one.
fn plan_for(extent: &Extent, kinds: &[Kind], secrecy: Secrecy) -> Vec<Fault> {
    let kinds: Vec<Kind> = kinds.iter().copied().filter(|kind| kind.is_possible_with(secrecy)).collect();
    let mut rng = Rng::new(extent.seed);
    let mut times: BTreeMap<Kind, usize> = BTreeMap::new();
    let mut planned = Vec::with_capacity(extent.faults);
    let mut remaining: Vec<Kind> = Vec::new();
    while planned.len() < extent.faults && !kinds.is_empty() {
        if remaining.is_empty() {
            remaining.clone_from(&kinds);
        }
        let kind = remaining.swap_remove(rng.below(remaining.len()));
        let time = times.entry(kind).or_default();
        let place = place_of(kind, *time);
        *time += 1;
        planned.push(Fault {
            number: 0,
            secrecy,
            kind,
            place,
            moment: moment_of(kind, draw_moment(secrecy, &mut rng)),
            lasts_ms: draw_length(extent.longest, &mut rng),
            seed: rng.below(usize::MAX) as u64,
        });
    }
    planned
}

/// A kind that is possible both inside and outside of the server alternates between them.
fn place_of(kind: Kind, time: usize) -> Place {
    if Kind::OF_STANDBYS.contains(&kind) {
        return Place::Replicated;
    }
    if kind.is_of_external_databases() || time % 2 == 1 { Place::External } else { Place::Embedded }
}

/// Most faults begin in the middle of voting, when most votes are cast.
fn draw_moment(secrecy: Secrecy, rng: &mut Rng) -> Moment {
    let (which, share) = (rng.below(20), rng.share());
    match which {
        0..=2 => Moment::Opening,
        3..=5 => Moment::Ending,
        6..=8 if secrecy == Secrecy::Secret => Moment::Counting,
        _ => Moment::Voting(0.05 + 0.4 * share),
    }
}

/// Some kinds have a moment of their own.
fn moment_of(kind: Kind, drawn: Moment) -> Moment {
    match kind {
        Kind::NoKeyFolderAtOpening => Moment::Opening,
        Kind::NoKeyFolderAtCount | Kind::ServerKilledAtCount => Moment::Counting,
        _ => drawn,
    }
}

fn draw_length(longest: Duration, rng: &mut Rng) -> u64 {
    let share = 0.2 + 0.8 * rng.share();
    (longest.as_millis() as f64 * share) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXTENT: Extent = Extent { seed: 7, faults: 100, longest: Duration::from_secs(4) };

    fn named(extent: &Extent) -> Vec<Fault> {
        plan(extent, &Kind::ALL, &[Secrecy::Named])
    }

    fn secret(extent: &Extent) -> Vec<Fault> {
        plan(extent, &all_without_standby(), &[Secrecy::Secret])
    }

    fn all_without_standby() -> Vec<Kind> {
        Kind::ALL.into_iter().chain(Kind::OF_SECRET_ROUNDS).collect()
    }

    #[test]
    fn the_same_seed_gives_the_same_plan_and_another_seed_gives_another() {
        assert_eq!(named(&EXTENT), named(&EXTENT));
        assert_ne!(named(&EXTENT), named(&Extent { seed: 8, ..EXTENT }));
    }

    #[test]
    fn kinds_are_equally_frequent_and_occur_in_every_possible_place() {
        let planned = named(&EXTENT);
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
        let planned = named(&EXTENT);
        assert!(planned.iter().map(|fault| fault.number).eq(1..=100));
        assert!(planned.is_sorted_by_key(|fault| fault.place));
    }

    #[test]
    fn faults_occur_at_every_moment_and_stay_within_the_longest_duration() {
        let planned = named(&Extent { faults: 200, ..EXTENT });
        let count = |is: fn(Moment) -> bool| planned.iter().filter(|fault| is(fault.moment)).count();
        assert!(count(|moment| moment == Moment::Opening) > 10);
        assert!(count(|moment| moment == Moment::Ending) > 10);
        assert!(count(|moment| matches!(moment, Moment::Voting(share) if (0.05..0.45).contains(&share))) > 100);
        assert!(planned.iter().all(|fault| (800..=4_000).contains(&fault.lasts_ms)));
        assert_eq!(count(|moment| moment == Moment::Counting), 0);
    }

    #[test]
    fn secret_rounds_have_kinds_and_a_moment_of_their_own() {
        let planned = secret(&Extent { faults: 200, ..EXTENT });
        for kind in all_without_standby() {
            assert_eq!(planned.iter().filter(|fault| fault.kind == kind).count(), 8, "{kind}");
        }
        let of = |kind: Kind| planned.iter().filter(move |fault| fault.kind == kind);
        assert!(of(Kind::NoKeyFolderAtOpening).all(|fault| fault.moment == Moment::Opening));
        assert!(of(Kind::NoKeyFolderAtCount).all(|fault| fault.moment == Moment::Counting));
        assert!(of(Kind::ServerKilledAtCount).all(|fault| fault.moment == Moment::Counting));
        let at_count = planned.iter().filter(|fault| fault.moment == Moment::Counting);
        assert!(at_count.filter(|fault| Kind::ALL.contains(&fault.kind)).count() > 10);
    }

    #[test]
    fn rounds_of_both_secrecies_are_planned_beside_each_other() {
        let kinds = all_without_standby();
        let planned = plan(&EXTENT, &kinds, &[Secrecy::Named, Secrecy::Secret]);
        assert!(planned.iter().map(|fault| fault.number).eq(1..=200) && planned.is_sorted_by_key(|fault| fault.place));
        let without_numbers = |faults: Vec<Fault>| faults.into_iter().map(|fault| Fault { number: 0, ..fault });
        let part = |secrecy| planned.iter().filter(move |fault| fault.secrecy == secrecy).cloned().collect();
        assert!(without_numbers(part(Secrecy::Named)).eq(without_numbers(named(&EXTENT))));
        assert!(without_numbers(part(Secrecy::Secret)).eq(without_numbers(secret(&EXTENT))));
    }

    #[test]
    fn faults_of_a_standby_come_last_in_a_place_of_their_own() {
        let kinds = [Kind::StandbyGone, Kind::PrimaryKilled, Kind::ServerKilled];
        let planned = plan(&EXTENT, &kinds, &[Secrecy::Named]);
        let (others, replicated) = planned.split_at(34);
        assert!(others.iter().all(|fault| fault.kind == Kind::ServerKilled && fault.place != Place::Replicated));
        assert!(replicated.iter().all(|fault| fault.kind != Kind::ServerKilled && fault.place == Place::Replicated));
    }

    #[test]
    fn without_kinds_there_are_no_faults() {
        assert!(plan(&EXTENT, &[], &[Secrecy::Named]).is_empty());
        assert!(plan(&EXTENT, &Kind::OF_SECRET_ROUNDS, &[Secrecy::Named]).is_empty());
    }
}
