//! Ballots with ranks.

use super::ballot_report::{Effect, Fault};
use super::read_ballots::{Checker, Read, Reading};
use crate::elections::Marks;
use plenum_kernel::election::{Candidate, RankingRules, Standing, TooManyRanked, Treatment};

/// The rules for the rankings of an election.
pub(super) struct RankReading {
    pub(super) rules: RankingRules,
    pub(super) allows_equal: bool,
}

/// A ranking while it is read.
struct Ranking<'a> {
    checker: Checker<'a>,
    ranks: Vec<Vec<Candidate>>,
    seen: Vec<Candidate>,
    /// The skipped ranks since the last one.
    gap: u32,
    faults: Vec<(Fault, Effect)>,
}

/// How reading goes on after a rank.
enum Next {
    GoOn,
    End,
    Refuse(Fault),
}

/// Reads a ranking, rank by rank, up to its end or to a fault that ends it.
pub(super) fn read_ranking(checker: Checker<'_>, reading: &RankReading, ranks: &[Vec<Candidate>]) -> Reading {
    let rules = &reading.rules;
    let mut ranking = Ranking { checker, ranks: Vec::new(), seen: Vec::new(), gap: 0, faults: Vec::new() };
    for rank in ranks {
        match ranking.read_rank(reading, rank) {
            Next::GoOn => {}
            Next::End => break,
            Next::Refuse(fault) => return Reading::invalid(ranking.faults, fault),
        }
    }
    if ranking.ranks.is_empty() {
        return ranking.without_ranks();
    }
    let ranked: usize = ranking.ranks.iter().map(Vec::len).sum();
    if ranked < rules.least as usize {
        return Reading::invalid(ranking.faults, Fault::TooFew);
    }
    Reading { read: Read::Valid(Marks::Ranking(ranking.ranks)), faults: ranking.faults }
}

impl Ranking<'_> {
    fn read_rank(&mut self, reading: &RankReading, rank: &[Candidate]) -> Next {
        let rules = &reading.rules;
        if rank.is_empty() {
            self.gap += 1;
            return Next::GoOn;
        }
        let Some(mut standing) = self.standing(rank) else {
            return Next::Refuse(Fault::NoSuchCandidate);
        };
        if standing.is_empty() {
            return Next::GoOn;
        }
        if self.gap > 0 {
            let is_tolerated = self.gap <= rules.tolerated_gap;
            self.gap = 0;
            let treatment = if is_tolerated { Treatment::PassOver } else { rules.skipped };
            match self.note(Fault::SkippedRank, treatment) {
                Next::GoOn => {}
                ending => return ending,
            }
        }
        if self.drop_repeated(&mut standing) {
            match self.note(Fault::Repeated, rules.repeated) {
                Next::GoOn if standing.is_empty() => return Next::GoOn,
                Next::GoOn => {}
                ending => return ending,
            }
        }
        if standing.len() > 1 && !reading.allows_equal {
            return self.note(Fault::EqualRank, rules.equal);
        }
        self.take(rules, standing)
    }

    /// The candidates of a rank without withdrawn ones. `None` if a number belongs to no candidate.
    fn standing(&mut self, rank: &[Candidate]) -> Option<Vec<Candidate>> {
        let mut standing = Vec::with_capacity(rank.len());
        for candidate in rank {
            match self.checker.standing(*candidate)? {
                Standing::Withdrawn => self.faults.push((Fault::Withdrawn, Effect::PassedOver)),
                Standing::Stands | Standing::NoneOfTheAbove => standing.push(*candidate),
            }
        }
        Some(standing)
    }

    /// Removes candidates who were ranked before, or twice in this rank. Returns whether there were any.
    fn drop_repeated(&self, standing: &mut Vec<Candidate>) -> bool {
        let before = standing.len();
        standing.sort_unstable();
        standing.dedup();
        standing.retain(|candidate| !self.seen.contains(candidate));
        standing.len() < before
    }

    /// A ballot on which no rank is valid. If a fault is the reason, the last one, it is invalid and not blank.
    fn without_ranks(mut self) -> Reading {
        let fault = self.faults.iter().map(|(fault, _)| *fault).rfind(|fault| *fault != Fault::Withdrawn);
        match fault {
            Some(fault) => {
                self.faults.retain(|(other, _)| *other != fault);
                Reading::invalid(self.faults, fault)
            }
            None => self.checker.without_marks(self.faults),
        }
    }

    fn take(&mut self, rules: &RankingRules, rank: Vec<Candidate>) -> Next {
        if rules.most.is_some_and(|most| self.seen.len() + rank.len() > most as usize) {
            return match rules.too_many {
                TooManyRanked::Invalid => Next::Refuse(Fault::TooMany),
                TooManyRanked::UpToThere => {
                    self.faults.push((Fault::TooMany, Effect::CutThere));
                    Next::End
                }
            };
        }
        self.seen.extend_from_slice(&rank);
        self.ranks.push(rank);
        Next::GoOn
    }

    fn note(&mut self, fault: Fault, treatment: Treatment) -> Next {
        match treatment {
            Treatment::PassOver => {
                self.faults.push((fault, Effect::PassedOver));
                Next::GoOn
            }
            Treatment::UpToThere => {
                self.faults.push((fault, Effect::CutThere));
                Next::End
            }
            Treatment::Invalid => Next::Refuse(fault),
        }
    }
}
