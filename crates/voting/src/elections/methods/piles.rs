//! The papers of each candidate, and their transfer.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::elections::reading::Paper;
use crate::elections::{Action, Election, Marks, Parcel, Quota, Stage, Votes};
use plenum_kernel::election::Candidate;

/// The value of a paper, in hundred-thousandths of a vote.
pub(super) type Value = u32;

/// The value of a paper that was not transferred from a surplus: one vote.
pub(super) const ONE: Value = 100_000;

/// A ranking with one candidate in each rank.
struct Ranking {
    /// The places of the candidates.
    places: Vec<usize>,
    /// The number of papers, or their weight.
    papers: Votes,
}

/// Equal papers in the pile of a candidate.
#[derive(Clone, Copy)]
struct Bundle {
    ranking: usize,
    /// The next preference to look at.
    next: usize,
    value: Value,
}

/// The papers of a count with transfers. Each paper is in the pile of one candidate, or non-transferable.
pub(super) struct Piles {
    rankings: Vec<Ranking>,
    piles: Vec<Vec<Bundle>>,
    votes: Vec<Votes>,
    non_transferable: Votes,
    /// All papers, each as one vote.
    dealt: Votes,
    /// The papers that count for nobody from the start.
    for_nobody: Votes,
}

impl Piles {
    /// Takes the rankings of all valid papers.
    pub(super) fn new(papers: &[Paper], candidates: usize) -> Self {
        let mut piles = Self {
            rankings: Vec::new(),
            piles: vec![Vec::new(); candidates],
            votes: vec![Votes::ZERO; candidates],
            non_transferable: Votes::ZERO,
            dealt: papers.iter().map(|paper| paper.votes).sum(),
            for_nobody: Votes::ZERO,
        };
        for paper in papers {
            match &paper.marks {
                Marks::Ranking(ranks) => {
                    let places = ranks.iter().flatten().filter_map(|candidate| candidate.place()).collect();
                    piles.rankings.push(Ranking { places, papers: paper.votes });
                }
                _ => piles.for_nobody += paper.votes,
            }
        }
        piles
    }

    /// Gives every paper to its first continuing candidate, as one vote.
    pub(super) fn deal(&mut self, is_continuing: &[bool]) {
        self.piles.iter_mut().for_each(Vec::clear);
        self.votes.fill(Votes::ZERO);
        self.non_transferable = self.for_nobody;
        for ranking in 0..self.rankings.len() {
            self.hand_on(Bundle { ranking, next: 0, value: ONE }, is_continuing);
        }
    }

    /// Transfers all papers of these candidates to the next continuing ones. `revalue` gives each paper its new value
    /// from its present one.
    pub(super) fn transfer(
        &mut self,
        from: &[usize],
        is_continuing: &[bool],
        revalue: impl Fn(Value) -> Value,
    ) -> Vec<Parcel> {
        let mut parcels: BTreeMap<(usize, Reverse<Value>), Votes> = BTreeMap::new();
        for from in from {
            self.votes[*from] = Votes::ZERO;
            for bundle in std::mem::take(&mut self.piles[*from]) {
                let papers = self.rankings[bundle.ranking].papers;
                let bundle = Bundle { value: revalue(bundle.value), ..bundle };
                let to = self.hand_on(bundle, is_continuing);
                *parcels.entry((to.unwrap_or(usize::MAX), Reverse(bundle.value))).or_default() += papers;
            }
        }
        let parcel = |((to, Reverse(value)), papers)| Parcel {
            to: (to != usize::MAX).then(|| Candidate::at(to)),
            value: valued(Votes::whole(1), value),
            papers,
            votes: valued(papers, value),
        };
        parcels.into_iter().map(parcel).collect()
    }

    /// Puts a bundle on the pile of its next continuing candidate, and returns the place of that candidate.
    fn hand_on(&mut self, bundle: Bundle, is_continuing: &[bool]) -> Option<usize> {
        let Ranking { places, papers } = &self.rankings[bundle.ranking];
        let votes = valued(*papers, bundle.value);
        let skipped = places[bundle.next..].iter().position(|place| is_continuing[*place]);
        let Some(skipped) = skipped else {
            self.non_transferable += votes;
            return None;
        };
        let found = bundle.next + skipped;
        let to = places[found];
        self.votes[to] += votes;
        self.piles[to].push(Bundle { next: found + 1, ..bundle });
        Some(to)
    }

    /// Leaves a candidate with these votes, whose papers were transferred.
    pub(super) fn keep(&mut self, place: usize, votes: Votes) {
        self.votes[place] = votes;
    }

    /// The votes of a candidate.
    pub(super) fn votes(&self, place: usize) -> Votes {
        self.votes[place]
    }

    /// All valid papers, each as one vote.
    pub(super) const fn dealt(&self) -> Votes {
        self.dealt
    }

    /// The votes of all candidates.
    pub(super) fn held(&self) -> Votes {
        self.votes.iter().copied().sum()
    }

    /// The stage that has just ended.
    pub(super) fn stage(&self, election: &Election, part: StagePart) -> Stage {
        let StagePart { number, action, quota, parcels } = part;
        let votes = election.standing().map(|place| (Candidate::at(place), self.votes[place])).collect();
        let remainder = self.dealt - self.held() - self.non_transferable;
        Stage { number, action, quota, votes, parcels, non_transferable: self.non_transferable, remainder }
    }
}

/// The parts of a stage that the piles do not know.
pub(super) struct StagePart {
    pub(super) number: u32,
    pub(super) action: Action,
    pub(super) quota: Option<Quota>,
    pub(super) parcels: Vec<Parcel>,
}

/// The votes of papers with this value. Exact: a weight has 4 decimals, a value has 5.
fn valued(papers: Votes, value: Value) -> Votes {
    Votes::of_billionths(papers.billionths() / i128::from(ONE) * i128::from(value))
}
