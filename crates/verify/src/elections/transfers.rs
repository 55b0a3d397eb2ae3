//! Methods that move papers: instant-runoff voting and the Scottish single transferable vote. Each paper is followed by
//! itself, and the votes of a stage are added up anew from all papers.

use std::collections::{BTreeMap, BTreeSet};

use super::contest::{Amounts, Contest, seat_tie, text, texts};
use super::papers::{CountMethod, ElectionTie, TieFor};
use super::read::Says;
use super::recounted::{RecountedElection, RecountedStage};
use crate::exact::{self, Exact, whole};

/// Equal papers.
struct Paper {
    ranking: Vec<u32>,
    papers: Exact,
    value: Exact,
    /// The candidate who has it. `None` if no continuing candidate was left.
    holder: Option<u32>,
}

/// The state of a count.
struct Table<'a> {
    contest: &'a Contest<'a>,
    papers: Vec<Paper>,
    continuing: BTreeSet<u32>,
    /// The votes that elected candidates keep after the transfer of their surplus.
    kept: Amounts,
    stages: Vec<RecountedStage>,
    /// The votes at the end of each stage, from the one on that may decide ties.
    history: Vec<Amounts>,
}

/// Counts a method that moves papers.
pub(super) fn count_transfers(contest: &Contest<'_>) -> RecountedElection {
    let support = ranked_support(contest);
    let mut table = Table::new(contest);
    let mut result = RecountedElection::default();
    let tie = match contest.papers.method {
        CountMethod::InstantRunoff { looks_back, .. } => table.run_off(looks_back, &support, &mut result.elected),
        _ => table.scottish(&support, &mut result.elected),
    };
    result.vacant = if tie.is_some() { 0 } else { contest.vacant(result.elected.len()) };
    result.tie = tie.map(|tie| *tie);
    result.support = texts(&support);
    result.stages = table.stages;
    result
}

/// The votes of the ballots that rank each candidate.
pub(super) fn ranked_support(contest: &Contest<'_>) -> Amounts {
    let mut support = contest.zeros();
    for ballot in &contest.read.ballots {
        let Says::Ranks(ranks) = &ballot.says else { continue };
        for number in ranks.iter().flatten() {
            *support.entry(*number).or_insert_with(exact::zero) += &ballot.votes;
        }
    }
    support
}

impl<'a> Table<'a> {
    fn new(contest: &'a Contest<'a>) -> Self {
        let paper = |ballot: &super::read::Valid| Paper {
            ranking: match &ballot.says {
                Says::Ranks(ranks) => ranks.iter().flatten().copied().collect(),
                _ => Vec::new(),
            },
            papers: ballot.votes.clone(),
            value: whole(1_u32),
            holder: None,
        };
        Self {
            contest,
            papers: contest.read.ballots.iter().map(paper).collect(),
            continuing: BTreeSet::new(),
            kept: BTreeMap::new(),
            stages: Vec::new(),
            history: Vec::new(),
        }
    }

    fn number(&self) -> u32 {
        self.stages.len() as u32
    }

    /// The votes of each candidate, added up: first equal papers, then their votes.
    fn votes(&self) -> Amounts {
        let mut equal: BTreeMap<(u32, &Exact), Exact> = BTreeMap::new();
        for paper in &self.papers {
            if let Some(holder) = paper.holder {
                *equal.entry((holder, &paper.value)).or_insert_with(exact::zero) += &paper.papers;
            }
        }
        let mut votes = self.contest.zeros();
        votes.extend(self.kept.clone());
        for ((holder, value), papers) in equal {
            *votes.entry(holder).or_insert_with(exact::zero) += papers * value;
        }
        votes
    }

    /// The votes of the continuing candidates.
    fn continuing_votes(&self) -> Amounts {
        let mut votes = self.votes();
        votes.retain(|number, _| self.continuing.contains(number));
        votes
    }

    /// Gives every paper to its first continuing candidate.
    fn deal(&mut self, quota: impl Fn(&Self) -> Exact) {
        for paper in &mut self.papers {
            paper.value = whole(1_u32);
            paper.holder = paper.ranking.iter().copied().find(|number| self.continuing.contains(number));
        }
        self.end_stage(RecountedStage::default(), quota);
    }

    /// Moves all papers of candidates, after `revalue`, to the next continuing ones.
    fn hand_on(&mut self, from: &BTreeSet<u32>, revalue: impl Fn(&Exact) -> Exact) -> RecountedStage {
        let mut parcels: BTreeMap<(u32, Exact), Exact> = BTreeMap::new();
        for paper in &mut self.papers {
            if paper.holder.is_none_or(|holder| !from.contains(&holder)) {
                continue;
            }
            paper.value = revalue(&paper.value);
            paper.holder = paper.ranking.iter().copied().find(|number| self.continuing.contains(number));
            let parcel = parcels.entry((paper.holder.unwrap_or_default(), paper.value.clone()));
            *parcel.or_insert_with(exact::zero) += &paper.papers;
        }
        let parcels = parcels
            .into_iter()
            .map(|((to, value), papers)| ((to, text(&value)), [text(&papers), text(&(&papers * &value))]));
        RecountedStage { from: from.clone(), parcels: parcels.collect(), ..RecountedStage::default() }
    }

    fn end_stage(&mut self, moved: RecountedStage, quota: impl Fn(&Self) -> Exact) {
        let votes = self.votes();
        let lost = self.papers.iter().filter(|paper| paper.holder.is_none());
        let non_transferable: Exact = lost.map(|paper| &paper.papers * &paper.value).sum();
        let all: Exact = self.papers.iter().map(|paper| &paper.papers).sum();
        let held: Exact = votes.values().sum();
        self.stages.push(RecountedStage {
            votes: texts(&votes),
            remainder: text(&(all - held - &non_transferable)),
            non_transferable: text(&non_transferable),
            quota: Some(text(&quota(self))),
            ..moved
        });
        self.history.push(votes);
    }

    fn exclude(&mut self, numbers: &BTreeSet<u32>, quota: impl Fn(&Self) -> Exact) {
        self.continuing.retain(|number| !numbers.contains(number));
        let moved = self.hand_on(numbers, Clone::clone);
        self.end_stage(moved, quota);
    }

    /// The continuing persons with less than the least support. "None of the above" needs none.
    fn unsupported(&self, support: &Amounts) -> BTreeSet<u32> {
        let mut persons = self.contest.persons();
        persons.retain(|number| self.continuing.contains(number) && !self.contest.has_least(&support[number]));
        persons
    }

    /// Those of equal candidates who are equal at all earlier stages, with the most or fewest votes at the latest stage
    /// at which they differ.
    fn looking_back(&self, numbers: &BTreeSet<u32>, most: bool) -> BTreeSet<u32> {
        let past = |number: &u32| -> Vec<Exact> {
            self.history.iter().rev().map(|votes| votes.get(number).cloned().unwrap_or_else(exact::zero)).collect()
        };
        let pasts: Vec<(Vec<Exact>, u32)> = numbers.iter().map(|number| (past(number), *number)).collect();
        let all = pasts.iter().map(|(past, _)| past);
        let Some(wanted) = (if most { all.max() } else { all.min() }) else { return BTreeSet::new() };
        pasts.iter().filter(|(past, _)| past == wanted).map(|(_, number)| *number).collect()
    }

    /// One of equal candidates.
    fn pick(&self, equal: &BTreeSet<u32>, tie: impl Fn(Vec<u32>) -> ElectionTie) -> Result<u32, Box<ElectionTie>> {
        let tie = tie(equal.iter().copied().collect());
        let first = tie.numbers.first().copied().unwrap_or_default();
        if equal.len() == 1 {
            return Ok(first);
        }
        let order = self.contest.decided(&tie);
        order.and_then(|order| order.first().copied()).ok_or_else(|| Box::new(tie))
    }

    /// Instant-runoff voting, seat by seat. Returns the tie at which it ends.
    fn run_off(
        &mut self,
        looks_back: bool,
        support: &Amounts,
        elected: &mut Vec<(u32, u32)>,
    ) -> Option<Box<ElectionTie>> {
        let persons = self.contest.persons();
        for _ in 0..self.contest.seats().min(self.contest.standing().len()) {
            let before: BTreeSet<u32> = elected.iter().map(|(number, _)| *number).collect();
            self.continuing = self.contest.standing().difference(&before).copied().collect();
            self.history.clear();
            self.deal(half);
            let unsupported = self.unsupported(support);
            if !unsupported.is_empty() {
                self.exclude(&unsupported, half);
            }
            match self.run_off_seat(looks_back) {
                Ok(Some(winner)) if persons.contains(&winner) => elected.push((winner, self.number())),
                Ok(_) => return None,
                Err(tie) => return Some(tie),
            }
        }
        None
    }

    /// The winner of a seat. `None` if nobody has a vote.
    fn run_off_seat(&mut self, looks_back: bool) -> Result<Option<u32>, Box<ElectionTie>> {
        loop {
            let votes = self.continuing_votes();
            let half: Exact = votes.values().sum::<Exact>() / whole(2_u32);
            if half == exact::zero() {
                return Ok(None);
            }
            if let Some((winner, _)) = votes.iter().find(|(_, votes)| **votes > half) {
                return Ok(Some(*winner));
            }
            let fewest = votes.values().min().cloned().unwrap_or_else(exact::zero);
            let lowest: BTreeSet<u32> =
                votes.iter().filter(|(_, votes)| **votes == fewest).map(|(number, _)| *number).collect();
            if fewest == exact::zero() {
                self.exclude(&lowest, self::half);
                continue;
            }
            let are_last = lowest.len() == 2 && votes.len() == 2;
            let equal = if looks_back { self.looking_back(&lowest, are_last) } else { lowest };
            let number = self.number();
            if are_last {
                return self.pick(&equal, |numbers| seat_tie(number, numbers, 1)).map(Some);
            }
            let excluded = self.pick(&equal, |numbers| one_of(number + 1, TieFor::Exclusion, numbers))?;
            self.exclude(&BTreeSet::from([excluded]), self::half);
        }
    }

    /// The Scottish count. Returns the tie at which it ends.
    fn scottish(&mut self, support: &Amounts, elected: &mut Vec<(u32, u32)>) -> Option<Box<ElectionTie>> {
        let seats = self.contest.seats();
        let all: Exact = self.papers.iter().map(|paper| &paper.papers).sum();
        let quota = (&all / whole(seats as u64 + 1)).floor() + whole(1_u32);
        self.continuing = self.contest.standing();
        self.deal(|_| quota.clone());
        if all == exact::zero() {
            return None;
        }
        let unsupported = self.unsupported(support);
        if !unsupported.is_empty() {
            self.exclude(&unsupported, |_| quota.clone());
        }
        let mut winners: Vec<(u32, u32)> = Vec::new();
        let tie = self.scottish_stages(&quota, seats, &mut winners).err();
        let persons = self.contest.persons();
        elected.extend(winners.into_iter().filter(|(number, _)| persons.contains(number)));
        tie
    }

    fn scottish_stages(
        &mut self,
        quota: &Exact,
        seats: usize,
        winners: &mut Vec<(u32, u32)>,
    ) -> Result<(), Box<ElectionTie>> {
        let mut was_exclusion = false;
        loop {
            let last = self.continuing.len() <= seats - winners.len();
            if !(was_exclusion && last) {
                let mut reached: Vec<(Exact, u32)> = Vec::new();
                for (number, votes) in self.continuing_votes() {
                    if votes >= *quota {
                        reached.push((votes, number));
                    }
                }
                reached.sort_by(|one, other| other.0.cmp(&one.0).then(one.1.cmp(&other.1)));
                for (_, number) in reached {
                    self.continuing.remove(&number);
                    winners.push((number, self.number()));
                }
            }
            if self.continuing.len() <= seats - winners.len() || winners.len() == seats {
                break;
            }
            was_exclusion = !self.move_surplus(quota, winners)?;
            if was_exclusion {
                self.exclude_one(quota, seats - winners.len())?;
            }
        }
        if winners.len() < seats {
            let number = self.number();
            winners.extend(self.continuing.iter().map(|winner| (*winner, number)));
        }
        Ok(())
    }

    /// Moves the largest surplus. Returns whether there was one.
    fn move_surplus(&mut self, quota: &Exact, winners: &[(u32, u32)]) -> Result<bool, Box<ElectionTie>> {
        let mut votes = self.votes();
        votes.retain(|number, votes| winners.iter().any(|(winner, _)| winner == number) && *votes > *quota);
        let Some(largest) = votes.values().max().cloned() else { return Ok(false) };
        votes.retain(|_, votes| *votes == largest);
        let equal = self.looking_back(&votes.into_keys().collect(), true);
        let stage = self.number() + 1;
        let winner = self.pick(&equal, |numbers| one_of(stage, TieFor::Surplus, numbers))?;
        let surplus = &largest - quota;
        let steps = whole(100_000_u32);
        let moved =
            self.hand_on(&BTreeSet::from([winner]), |value| (value * &surplus / &largest * &steps).floor() / &steps);
        self.kept.insert(winner, quota.clone());
        self.end_stage(moved, |_| quota.clone());
        Ok(true)
    }

    fn exclude_one(&mut self, quota: &Exact, seats: usize) -> Result<(), Box<ElectionTie>> {
        let votes = self.continuing_votes();
        let fewest = votes.values().min().cloned().unwrap_or_else(exact::zero);
        let lowest: BTreeSet<u32> =
            votes.iter().filter(|(_, votes)| **votes == fewest).map(|(number, _)| *number).collect();
        // Candidates without a vote who all go in any case go by their numbers.
        let is_without_effect = fewest == exact::zero() && votes.len() >= seats + lowest.len();
        let mut equal = self.looking_back(&lowest, false);
        if is_without_effect {
            equal = equal.into_iter().take(1).collect();
        }
        let stage = self.number() + 1;
        let excluded = self.pick(&equal, |numbers| one_of(stage, TieFor::Exclusion, numbers))?;
        self.exclude(&BTreeSet::from([excluded]), |_| quota.clone());
        Ok(())
    }
}

/// Half of the continuing votes.
fn half(table: &Table<'_>) -> Exact {
    table.continuing_votes().values().sum::<Exact>() / whole(2_u32)
}

fn one_of(stage: u32, matter: TieFor, numbers: Vec<u32>) -> ElectionTie {
    ElectionTie { stage, matter, numbers, wanted: 1 }
}
