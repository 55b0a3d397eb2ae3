//! The single transferable vote by the Scottish Local Government Elections Order 2011 (SSI 2011/399), schedule 1, "the
//! counting of votes", rules 45 to 52. The numbers of rules below are those of this schedule.
//!
//! Three settings go beyond the order, and change nothing unless an organizer uses them: weights (a paper counts as
//! `weight` papers, multiplied exactly), "none of the above", and a least support.

use std::cmp::Reverse;

use super::choose::{Chosen, Equals, Wanted, choose};
use super::fill_seats::complete;
use super::irv::ranked_support;
use super::piles::{ONE, Piles, StagePart, Value};
use crate::elections::counting::{Counted, Counting};
use crate::elections::{
    Action, Details, Elected, ElectedBy, ExclusionReason, Outcome, Parcel, Quota, ResolvedTie, Stage, Tie, TieMatter,
    VacancyReason, Votes,
};
use plenum_kernel::election::Candidate;

/// Counts by the Scottish rules.
pub(in crate::elections) fn count_stv_scottish(counting: &mut Counting<'_>) -> Counted {
    let election = counting.election;
    let support = ranked_support(counting);
    let mut stv = Stv::begin(counting);
    let open = if stv.piles.dealt().is_zero() { None } else { stv.run(counting, &support).err() };
    let outcome = match open {
        Some(tie) => Outcome::Tied(tie),
        None => complete(counting, stv.elected.len(), stv.bars(counting).into_iter()),
    };
    let support = election.standing().map(|place| support[place]).collect();
    Counted {
        stages: stv.stages,
        elected: stv.elected,
        outcome,
        seat_ties: Vec::new(),
        order: Vec::new(),
        support,
        details: Details::Nothing,
    }
}

/// The state of a candidate in the count.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Continuing,
    /// Elected, and the surplus, if any, is not transferred yet.
    Pending,
    Elected,
    Out,
}

struct Stv {
    piles: Piles,
    quota: Votes,
    states: Vec<State>,
    /// The seats that are not filled.
    vacancies: usize,
    stages: Vec<Stage>,
    elected: Vec<Elected>,
    none_won: bool,
    lacked_support: bool,
}

impl Stv {
    /// The first stage: every paper is a vote for its first preference (rule 45), and the quota is ascertained (rule
    /// 46).
    fn begin(counting: &Counting<'_>) -> Self {
        let election = counting.election;
        let mut states = vec![State::Out; election.size()];
        election.standing().for_each(|place| states[place] = State::Continuing);
        let piles = Piles::new(counting.papers, election.size());
        let quota = quota(piles.dealt(), election.seats());
        let mut stv = Self {
            piles,
            quota,
            states,
            vacancies: election.seats(),
            stages: Vec::new(),
            elected: Vec::new(),
            none_won: false,
            lacked_support: false,
        };
        stv.piles.deal(&stv.continuing_flags());
        stv.end_stage(counting, Action::Count, Vec::new());
        stv
    }

    fn run(&mut self, counting: &mut Counting<'_>, support: &[Votes]) -> Result<(), Tie> {
        self.exclude_unsupported(counting, support);
        loop {
            self.elect_at_quota(counting);
            if self.vacancies == 0 || self.can_fill_last() {
                break;
            }
            // Rule 50(1): nobody is excluded while a surplus is left to transfer.
            if self.largest_surplus().is_some() {
                self.transfer_surplus(counting)?;
                continue;
            }
            self.exclude_lowest(counting)?;
            if self.can_fill_last() {
                break;
            }
        }
        self.fill_last(counting);
        Ok(())
    }

    fn number(&self) -> u32 {
        self.stages.len() as u32
    }

    fn continuing(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.states.len()).filter(|place| self.states[*place] == State::Continuing)
    }

    fn continuing_flags(&self) -> Vec<bool> {
        self.states.iter().map(|state| *state == State::Continuing).collect()
    }

    /// Rule 47(1): a candidate whose votes equal or exceed the quota at the end of a stage is deemed to be elected.
    /// Those with more votes come first. Equal ones follow one another by their numbers; the order is of no
    /// consequence.
    fn elect_at_quota(&mut self, counting: &Counting<'_>) {
        let mut reached: Vec<usize> =
            self.continuing().filter(|place| self.piles.votes(*place) >= self.quota).collect();
        reached.sort_by_key(|place| (Reverse(self.piles.votes(*place)), *place));
        for place in reached {
            self.elect(counting, place, ElectedBy::Quota);
        }
    }

    fn elect(&mut self, counting: &Counting<'_>, place: usize, by: ElectedBy) {
        let has_surplus = self.piles.votes(place) > self.quota;
        self.states[place] = if has_surplus { State::Pending } else { State::Elected };
        self.vacancies -= 1;
        if counting.election.is_person(place) {
            self.elected.push(Elected { candidate: Candidate::at(place), stage: self.number(), by });
        } else {
            // Without a vote it is only left over, and is not the reason why the seat stays vacant.
            self.none_won |= !self.piles.votes(place).is_zero();
        }
    }

    /// Rule 52(1): the continuing candidates are as many as the vacancies, or fewer.
    fn can_fill_last(&self) -> bool {
        self.continuing().count() <= self.vacancies
    }

    /// Rule 52: the continuing candidates are deemed to be elected, and no further transfer is made. They are elected
    /// at once, so they follow one another by their numbers. The transfer of the papers of the last excluded candidate
    /// belongs to the stage of the exclusion (rule 50), so it is not a further one.
    fn fill_last(&mut self, counting: &Counting<'_>) {
        if self.vacancies == 0 {
            return;
        }
        for place in self.continuing().collect::<Vec<_>>() {
            self.elect(counting, place, ElectedBy::LastVacancies);
        }
    }

    fn largest_surplus(&self) -> Option<Votes> {
        let pending = (0..self.states.len()).filter(|place| self.states[*place] == State::Pending);
        pending.map(|place| self.piles.votes(place)).max()
    }

    /// Rule 48: transfers the papers of the elected candidate with the largest surplus (rule 49(1)) to the next
    /// continuing candidates.
    fn transfer_surplus(&mut self, counting: &mut Counting<'_>) -> Result<(), Tie> {
        let (place, tie) = self.choose_surplus(counting)?;
        let votes = self.piles.votes(place);
        let surplus = votes - self.quota;
        self.states[place] = State::Elected;
        let parcels =
            self.piles.transfer(&[place], &self.continuing_flags(), |value| transfer_value(value, surplus, votes));
        self.piles.keep(place, self.quota);
        self.end_stage(counting, Action::Surplus { of: Candidate::at(place), surplus, tie }, parcels);
        Ok(())
    }

    /// Rule 49(2): among equal surpluses, the candidate with the most votes at the end of the most recent stage at
    /// which they differed comes first. Rule 49(3): if they were equal at all stages, a lot decides.
    fn choose_surplus(&self, counting: &mut Counting<'_>) -> Result<Chosen, Tie> {
        let largest = self.largest_surplus();
        let is_largest =
            |place: &usize| self.states[*place] == State::Pending && Some(self.piles.votes(*place)) == largest;
        let equals = Equals {
            places: (0..self.states.len()).filter(is_largest).collect(),
            wanted: Wanted::Most,
            earlier: &self.stages,
            makes_no_difference: false,
            stage: self.number() + 1,
            matter: |candidates| TieMatter::FirstSurplus { candidates },
        };
        choose(counting, equals)
    }

    /// Rule 50: excludes the candidate with the fewest votes and transfers the papers, each with the value it has.
    fn exclude_lowest(&mut self, counting: &mut Counting<'_>) -> Result<(), Tie> {
        let (place, tie) = self.choose_excluded(counting)?;
        self.exclude(counting, &[place], (ExclusionReason::FewestVotes, tie));
        Ok(())
    }

    /// Rule 51(2)(a): among equal candidates, the one with the fewest votes at the end of the most recent stage at
    /// which they differed is excluded. Rule 51(2)(b): if they were equal at all stages, a lot decides. The lot is left
    /// out where it cannot matter: if none of them has a vote, and all of them are excluded one after the other in any
    /// case.
    fn choose_excluded(&self, counting: &mut Counting<'_>) -> Result<Chosen, Tie> {
        let fewest = self.continuing().map(|place| self.piles.votes(place)).min().unwrap_or_default();
        let places: Vec<usize> = self.continuing().filter(|place| self.piles.votes(*place) == fewest).collect();
        let are_all_excluded = self.continuing().count() - places.len() >= self.vacancies;
        let equals = Equals {
            places,
            wanted: Wanted::Fewest,
            earlier: &self.stages,
            makes_no_difference: fewest.is_zero() && are_all_excluded,
            stage: self.number() + 1,
            matter: |candidates| TieMatter::Exclusion { candidates },
        };
        choose(counting, equals)
    }

    fn exclude(
        &mut self,
        counting: &Counting<'_>,
        places: &[usize],
        (why, tie): (ExclusionReason, Option<ResolvedTie>),
    ) {
        for place in places {
            self.states[*place] = State::Out;
        }
        let parcels = self.piles.transfer(places, &self.continuing_flags(), |value| value);
        let of = places.iter().copied().map(Candidate::at).collect();
        self.end_stage(counting, Action::Exclusion { of, why, tie }, parcels);
    }

    /// Excludes candidates with less than the least support, if the election has one. The order knows none.
    fn exclude_unsupported(&mut self, counting: &Counting<'_>, support: &[Votes]) {
        let places: Vec<usize> =
            self.continuing().filter(|place| counting.is_unsupported(*place, support[*place])).collect();
        if !places.is_empty() {
            self.lacked_support = true;
            self.exclude(counting, &places, (ExclusionReason::TooLittleSupport, None));
        }
    }

    fn end_stage(&mut self, counting: &Counting<'_>, action: Action, parcels: Vec<Parcel>) {
        let quota = Some(Quota { votes: self.quota, is_enough: true });
        let part = StagePart { number: self.number() + 1, action, quota, parcels };
        self.stages.push(self.piles.stage(counting.election, part));
    }

    /// The reasons why seats stay vacant.
    fn bars(&self, counting: &Counting<'_>) -> Vec<VacancyReason> {
        let mut bars = Vec::new();
        if self.none_won {
            bars.push(VacancyReason::NoneOfTheAbove);
        }
        if self.lacked_support {
            bars.push(VacancyReason::RequirementMissed);
        }
        if counting.report.valid.votes.is_zero() {
            bars.push(VacancyReason::NoVotes);
        }
        bars
    }
}

/// Rule 46: the number of valid papers, divided by one more than the seats, without the decimals of the quotient, plus
/// one.
fn quota(papers: Votes, seats: usize) -> Votes {
    papers.whole_quotient(seats as u32 + 1) + Votes::whole(1)
}

/// Rule 48(3): the surplus, multiplied by the value of the paper when the candidate received it, and divided by the
/// votes of the candidate, to five decimals, any remainder being ignored. A first preference has the value one (rule
/// 48(4)).
fn transfer_value(value: Value, surplus: Votes, votes: Votes) -> Value {
    let new = i128::from(value) * surplus.billionths() / votes.billionths();
    Value::try_from(new).unwrap_or(ONE)
}
