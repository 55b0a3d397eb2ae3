use std::collections::BTreeSet;

use rust_decimal::Decimal;

use super::contest::Contest;
use super::read::Says;
use crate::exact::{self, Exact, whole};

/// An amount for each ordered pair of candidates, in a row for each candidate.
pub(super) struct Pairs {
    numbers: Vec<u32>,
    amounts: Vec<Exact>,
}

impl Pairs {
    fn zeros(numbers: Vec<u32>) -> Self {
        Self { amounts: vec![exact::zero(); numbers.len() * numbers.len()], numbers }
    }

    /// The votes of those who prefer the first of a pair: it has a rank, and the second has a later one or none.
    pub(super) fn preferred(contest: &Contest<'_>) -> Self {
        let numbers: Vec<u32> = contest.standing().into_iter().collect();
        // In multiples of the smallest weight, so that whole numbers are added up.
        let smallest = whole(10_u128.pow(Decimal::MAX_SCALE));
        let mut sums = vec![exact::zero().to_integer(); numbers.len() * numbers.len()];
        for ballot in &contest.read.ballots {
            let Says::Ranks(ranks) = &ballot.says else { continue };
            let votes = (&ballot.votes * &smallest).to_integer();
            let places: Vec<Vec<usize>> = ranks.iter().map(|rank| places(&numbers, rank)).collect();
            let mut is_worse = vec![true; numbers.len()];
            for rank in places {
                rank.iter().for_each(|place| is_worse[*place] = false);
                for one in rank {
                    let row = &mut sums[one * numbers.len()..][..numbers.len()];
                    row.iter_mut()
                        .zip(&is_worse)
                        .filter(|(_, is_worse)| **is_worse)
                        .for_each(|(sum, _)| *sum += &votes);
                }
            }
        }
        Self { amounts: sums.into_iter().map(|sum| Exact::from_integer(sum) / &smallest).collect(), numbers }
    }

    /// The strength of the strongest path from the first of each pair to the second. Victories are added from the strongest to
    /// the weakest, and a pair has the strength of the one that first connects it.
    pub(super) fn paths(&self, by_margin: bool) -> Self {
        let size = self.numbers.len();
        let mut victories: Vec<(Exact, usize, usize)> = Vec::new();
        for one in 0..size {
            for other in (0..size).filter(|other| *other != one) {
                let (votes, against) = (&self.amounts[one * size + other], &self.amounts[other * size + one]);
                if votes > against {
                    victories.push((if by_margin { votes - against } else { votes.clone() }, one, other));
                }
            }
        }
        victories.sort_by(|one, other| other.0.cmp(&one.0));
        let mut paths = Self::zeros(self.numbers.clone());
        let mut reach: Vec<Vec<bool>> = (0..size).map(|one| (0..size).map(|other| one == other).collect()).collect();
        for (strength, one, other) in victories {
            let beyond = reach[other].clone();
            for (from, reached) in reach.iter_mut().enumerate().filter(|(_, reached)| reached[one]) {
                for to in (0..size).filter(|to| beyond[*to]) {
                    if !std::mem::replace(&mut reached[to], true) {
                        paths.amounts[from * size + to] = strength.clone();
                    }
                }
            }
        }
        paths
    }

    /// The candidates, in the order of their numbers.
    pub(super) fn numbers(&self) -> &[u32] {
        &self.numbers
    }

    /// All pairs of different candidates, each with its amount.
    pub(super) fn iter(&self) -> impl Iterator<Item = ((u32, u32), &Exact)> {
        let all = self.numbers.iter().flat_map(|one| self.numbers.iter().map(move |other| (*one, *other)));
        all.zip(&self.amounts).filter(|((one, other), _)| one != other)
    }
}

/// The places of these numbers in a sorted list.
fn places(numbers: &[u32], wanted: &BTreeSet<u32>) -> Vec<usize> {
    wanted.iter().filter_map(|number| numbers.binary_search(number).ok()).collect()
}
