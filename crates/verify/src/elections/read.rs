//! The ballots, read again.

use std::collections::{BTreeMap, BTreeSet};

use super::papers::{BallotMarks, BlankMeaning, CountMethod, ElectionPapers, FaultTreatment, NameKind, RankReading};
use super::recounted::{BallotFault, FaultEffect};
use crate::exact::{self, Exact, whole};

/// A valid ballot: what it says without faults, and its votes.
pub(super) struct Valid {
    pub(super) says: Says,
    pub(super) votes: Exact,
}

/// What a valid ballot says.
pub(super) enum Says {
    Nothing,
    Choices(BTreeSet<u32>),
    Answers(BTreeMap<u32, Option<bool>>),
    Points(BTreeMap<u32, u32>),
    Ranks(Vec<BTreeSet<u32>>),
    List(u32, BTreeSet<u32>),
}

/// Voters and their votes.
#[derive(Clone)]
pub(super) struct Sum {
    pub(super) voters: u64,
    pub(super) votes: Exact,
}

impl Sum {
    fn none() -> Self {
        Self { voters: 0, votes: exact::zero() }
    }

    fn add(&mut self, voters: u64, votes: &Exact) {
        self.voters = self.voters.saturating_add(voters);
        self.votes += votes;
    }
}

/// All ballots.
pub(super) struct Read {
    pub(super) ballots: Vec<Valid>,
    pub(super) valid: Sum,
    pub(super) abstentions: Sum,
    pub(super) invalid: Sum,
    pub(super) faults: BTreeMap<(BallotFault, FaultEffect), u64>,
}

impl Read {
    /// Takes these candidates off the ballots that rank or list them. A ballot that names nobody else is blank.
    pub(super) fn leave_out(&mut self, gone: &BTreeSet<u32>, blank_counts: bool) {
        let mut kept = Vec::new();
        for mut ballot in self.ballots.drain(..) {
            match &mut ballot.says {
                Says::Ranks(ranks) => {
                    *ranks = ranks.iter().map(|rank| rank - gone).filter(|rank| !rank.is_empty()).collect();
                    if ranks.is_empty() {
                        ballot.says = Says::Nothing;
                    }
                }
                Says::List(_, names) => *names = &*names - gone,
                _ => {}
            }
            if blank_counts || !matches!(ballot.says, Says::Nothing) {
                kept.push(ballot);
            } else {
                self.valid.votes -= &ballot.votes;
            }
        }
        self.ballots = kept;
    }
}

/// The verdict on one ballot.
enum Verdict {
    Counts(Says),
    Abstains,
    /// Invalid, because of this fault.
    Refused(BallotFault),
}

/// Reads one ballot after the other, and notes faults.
struct Reader<'a> {
    papers: &'a ElectionPapers,
    noted: BTreeSet<(BallotFault, FaultEffect)>,
    /// The last fault of a ranking.
    last: Option<BallotFault>,
}

pub(super) fn read(papers: &ElectionPapers) -> Read {
    let mut read = Read {
        ballots: Vec::new(),
        valid: Sum::none(),
        abstentions: Sum::none(),
        invalid: Sum::none(),
        faults: BTreeMap::new(),
    };
    for ballot in &papers.ballots {
        let weight = if papers.by_weight { exact::of(ballot.weight) } else { whole(1_u32) };
        let votes = weight * whole(ballot.voters);
        let mut reader = Reader { papers, noted: BTreeSet::new(), last: None };
        match reader.verdict(&ballot.marks) {
            Verdict::Counts(says) => {
                read.valid.add(ballot.voters, &votes);
                read.ballots.push(Valid { says, votes });
            }
            Verdict::Abstains => read.abstentions.add(ballot.voters, &votes),
            Verdict::Refused(fault) => {
                reader.noted.insert((fault, FaultEffect::Invalid));
                read.invalid.add(ballot.voters, &votes);
            }
        }
        for fault in reader.noted {
            let voters = read.faults.entry(fault).or_default();
            *voters = voters.saturating_add(ballot.voters);
        }
    }
    read
}

impl Reader<'_> {
    fn verdict(&mut self, marks: &BallotMarks) -> Verdict {
        match (&self.papers.method, marks) {
            (_, BallotMarks::Abstain) => Verdict::Abstains,
            (_, BallotMarks::None) => self.blank(),
            (CountMethod::Choices { .. }, BallotMarks::Chosen(numbers)) => self.choices(numbers),
            (CountMethod::EachCandidate { all_answered, .. }, BallotMarks::Answers(answers)) => {
                self.answers(answers, *all_answered)
            }
            (CountMethod::Cumulative { .. } | CountMethod::Score { .. }, BallotMarks::Points(points)) => {
                self.points(points)
            }
            (CountMethod::Lists { lists, choices, .. }, BallotMarks::List(list, numbers)) => {
                let on_list = (*list as usize).checked_sub(1).and_then(|place| lists.get(place));
                let Some(on_list) = on_list else { return Verdict::Refused(BallotFault::Unknown) };
                self.list(*list, (numbers, on_list), *choices)
            }
            (
                CountMethod::InstantRunoff { reading, .. }
                | CountMethod::Scottish { reading }
                | CountMethod::Schulze { reading, .. }
                | CountMethod::Borda { reading, .. },
                BallotMarks::Ranks(ranks),
            ) => self.ranks(reading, ranks),
            _ => Verdict::Refused(BallotFault::OtherMethod),
        }
    }

    fn kind(&self, number: u32) -> Option<NameKind> {
        let place = (number as usize).checked_sub(1)?;
        self.papers.names.get(place).copied()
    }

    /// The numbers that stand. Notes withdrawn ones. `None` if a number belongs to nobody.
    fn standing(&mut self, numbers: impl Iterator<Item = u32>) -> Option<BTreeSet<u32>> {
        let mut standing = BTreeSet::new();
        for number in numbers {
            if self.kind(number)? == NameKind::Withdrawn {
                self.noted.insert((BallotFault::Withdrawn, FaultEffect::PassedOver));
            } else {
                standing.insert(number);
            }
        }
        Some(standing)
    }

    /// A ballot on which nothing is left.
    fn blank(&mut self) -> Verdict {
        let withdrawn = self.noted.contains(&(BallotFault::Withdrawn, FaultEffect::PassedOver));
        let fault = if withdrawn { BallotFault::OnlyWithdrawn } else { BallotFault::Blank };
        match self.papers.blank {
            BlankMeaning::Invalid => Verdict::Refused(fault),
            BlankMeaning::Abstention => {
                self.noted.insert((fault, FaultEffect::Abstention));
                Verdict::Abstains
            }
            BlankMeaning::ForNobody => {
                self.noted.insert((fault, FaultEffect::ForNobody));
                Verdict::Counts(Says::Nothing)
            }
        }
    }

    fn choices(&mut self, numbers: &[u32]) -> Verdict {
        let CountMethod::Choices { limits: (least, most), refuses_repeated, .. } = self.papers.method else {
            return Verdict::Refused(BallotFault::OtherMethod);
        };
        let Some(standing) = self.standing(numbers.iter().copied()) else {
            return Verdict::Refused(BallotFault::Unknown);
        };
        let marked = numbers.iter().collect::<BTreeSet<_>>().len();
        if marked < numbers.len() {
            if refuses_repeated {
                return Verdict::Refused(BallotFault::Repeated);
            }
            self.noted.insert((BallotFault::Repeated, FaultEffect::PassedOver));
        }
        let has_nobody = standing.iter().any(|number| self.kind(*number) == Some(NameKind::Nobody));
        // Alone, "none of the above" is a whole ballot.
        let is_whole = has_nobody && standing.len() == 1;
        if standing.is_empty() {
            self.blank()
        } else if marked < least as usize && !is_whole {
            Verdict::Refused(BallotFault::TooFew)
        } else if most.is_some_and(|most| marked > most as usize) {
            Verdict::Refused(BallotFault::TooMany)
        } else if has_nobody && standing.len() > 1 {
            Verdict::Refused(BallotFault::NobodyAndOthers)
        } else {
            Verdict::Counts(Says::Choices(standing))
        }
    }

    fn answers(&mut self, answers: &[(u32, Option<bool>)], all_answered: bool) -> Verdict {
        let Some(standing) = self.standing(answers.iter().map(|(number, _)| *number)) else {
            return Verdict::Refused(BallotFault::Unknown);
        };
        let by_number: BTreeMap<u32, Option<bool>> = answers.iter().copied().collect();
        let persons = self.papers.names.iter().filter(|kind| **kind == NameKind::Person).count();
        let answered = standing.iter().filter(|number| self.kind(**number) == Some(NameKind::Person)).count();
        if by_number.len() < answers.len() {
            Verdict::Refused(BallotFault::Repeated)
        } else if standing.is_empty() {
            self.blank()
        } else if all_answered && answered < persons {
            Verdict::Refused(BallotFault::TooFew)
        } else {
            Verdict::Counts(Says::Answers(kept(by_number, &standing)))
        }
    }

    fn points(&mut self, points: &[(u32, u32)]) -> Verdict {
        if self.standing(points.iter().map(|(number, _)| *number)).is_none() {
            return Verdict::Refused(BallotFault::Unknown);
        }
        let mut by_number: BTreeMap<u32, u32> = points.iter().copied().collect();
        if by_number.len() < points.len() {
            return Verdict::Refused(BallotFault::Repeated);
        }
        // A candidate with 0 points is not marked, also one who withdrew.
        by_number.retain(|_, points| *points > 0);
        self.noted.clear();
        let Some(standing) = self.standing(by_number.keys().copied()) else {
            return Verdict::Refused(BallotFault::Unknown);
        };
        if standing.is_empty() {
            return self.blank();
        }
        let highest = by_number.values().copied().max().unwrap_or_default();
        let sum: u64 = by_number.values().map(|points| u64::from(*points)).sum();
        let fault = match self.papers.method {
            CountMethod::Cumulative { for_one, .. } if highest > for_one => Some(BallotFault::TooManyForOne),
            CountMethod::Cumulative { votes, .. } if sum > u64::from(votes) => Some(BallotFault::TooMany),
            CountMethod::Cumulative { votes, needs_all: true, .. } if sum < u64::from(votes) => {
                Some(BallotFault::TooFew)
            }
            CountMethod::Score { for_one, .. } if highest > for_one => Some(BallotFault::TooManyForOne),
            CountMethod::Score { least, .. } if by_number.len() < least as usize => Some(BallotFault::TooFew),
            _ => None,
        };
        fault.map_or_else(|| Verdict::Counts(Says::Points(kept(by_number, &standing))), Verdict::Refused)
    }

    fn list(&mut self, list: u32, (numbers, on_list): (&[u32], &[u32]), most: u32) -> Verdict {
        let Some(standing) = self.standing(numbers.iter().copied()) else {
            return Verdict::Refused(BallotFault::Unknown);
        };
        let marked = numbers.iter().collect::<BTreeSet<_>>().len();
        if marked < numbers.len() {
            Verdict::Refused(BallotFault::Repeated)
        } else if numbers.iter().any(|number| !on_list.contains(number)) {
            Verdict::Refused(BallotFault::OtherList)
        } else if marked > most as usize {
            Verdict::Refused(BallotFault::TooMany)
        } else {
            Verdict::Counts(Says::List(list, standing))
        }
    }

    fn ranks(&mut self, reading: &RankReading, ranks: &[(u32, u32)]) -> Verdict {
        let mut kept: Vec<BTreeSet<u32>> = Vec::new();
        let end = self.read_ranks(reading, ranks, &mut kept);
        if let Err(fault) = end {
            return Verdict::Refused(fault);
        }
        let ranked: usize = kept.iter().map(BTreeSet::len).sum();
        if ranked > 0 {
            let is_enough = ranked >= reading.limits.0 as usize;
            return if is_enough { Verdict::Counts(Says::Ranks(kept)) } else { Verdict::Refused(BallotFault::TooFew) };
        }
        // Nothing is left of the ranking. Its last fault is the reason, unless all names were withdrawn.
        match self.last {
            None => self.blank(),
            Some(reason) => {
                self.noted.retain(|(fault, _)| *fault != reason);
                Verdict::Refused(reason)
            }
        }
    }

    /// Reads ranks until a fault ends them. Fails with the fault that makes the ballot invalid.
    fn read_ranks(
        &mut self,
        reading: &RankReading,
        ranks: &[(u32, u32)],
        kept: &mut Vec<BTreeSet<u32>>,
    ) -> Result<(), BallotFault> {
        let (mut empty, mut last) = (0, 0);
        let mut before: BTreeSet<u32> = BTreeSet::new();
        for rank in ranks.chunk_by(|one, other| one.0 == other.0) {
            let given = self.standing(rank.iter().map(|(_, number)| *number)).ok_or(BallotFault::Unknown)?;
            empty += rank[0].0.saturating_sub(last + 1);
            last = rank[0].0;
            if given.is_empty() {
                continue;
            }
            let named = rank.iter().filter(|(_, number)| given.contains(number)).count();
            let new: BTreeSet<u32> = given.difference(&before).copied().collect();
            let skipped = if empty > reading.tolerated { reading.skipped } else { FaultTreatment::PassOver };
            let steps = [
                (empty > 0, BallotFault::Skipped, Some(skipped)),
                (new.len() < named, BallotFault::Repeated, Some(reading.repeated)),
                (new.len() > 1, BallotFault::Equal, reading.equal),
            ];
            empty = 0;
            let mut is_equal = false;
            for (occurs, fault, treatment) in steps {
                let Some(treatment) = treatment.filter(|_| occurs) else { continue };
                self.last = Some(fault);
                match treatment {
                    FaultTreatment::Refuse => return Err(fault),
                    FaultTreatment::End => {
                        self.noted.insert((fault, FaultEffect::Cut));
                        return Ok(());
                    }
                    FaultTreatment::PassOver => {
                        self.noted.insert((fault, FaultEffect::PassedOver));
                        is_equal = fault == BallotFault::Equal;
                    }
                }
            }
            if is_equal || new.is_empty() {
                continue;
            }
            if reading.limits.1.is_some_and(|most| before.len() + new.len() > most as usize) {
                if reading.refuses_more {
                    return Err(BallotFault::TooMany);
                }
                self.last = Some(BallotFault::TooMany);
                self.noted.insert((BallotFault::TooMany, FaultEffect::Cut));
                return Ok(());
            }
            before.extend(&new);
            kept.push(new);
        }
        Ok(())
    }
}

/// The marks for those who stand.
fn kept<T>(mut marks: BTreeMap<u32, T>, standing: &BTreeSet<u32>) -> BTreeMap<u32, T> {
    marks.retain(|number, _| standing.contains(number));
    marks
}
