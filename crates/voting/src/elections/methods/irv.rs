//! Instant-runoff voting: the candidate with the fewest votes is excluded until one has more than half of the
//! continuing votes.

use super::choose::{Equals, Wanted, candidates, choose};
use super::fill_seats::complete;
use super::piles::{Piles, StagePart};
use crate::elections::counting::{Counted, Counting};
use crate::elections::{
    Action, Details, Elected, ElectedBy, ExclusionReason, Marks, Outcome, Parcel, Quota, ResolvedBy, ResolvedTie,
    Stage, Tie, TieMatter, VacancyReason, Votes,
};
use plenum_kernel::election::{Candidate, Irv};

/// Fills the seats one after the other. For each further seat the count begins again without the elected candidates.
pub(in crate::elections) fn count_irv(counting: &mut Counting<'_>, settings: Irv) -> Counted {
    let election = counting.election;
    let support = ranked_support(counting);
    let mut race = Race {
        settings,
        piles: Piles::new(counting.papers, election.size()),
        is_continuing: vec![false; election.size()],
        stages: Vec::new(),
        first: 0,
        seat_ties: Vec::new(),
    };
    let mut elected: Vec<Elected> = Vec::new();
    let mut bars: Vec<VacancyReason> = Vec::new();
    let mut open = None;
    for _ in 0..election.seats().min(election.standing().count()) {
        match race.fill_seat(counting, &elected, &support) {
            Ok(Winner { place, by }) if election.is_person(place) => {
                elected.push(Elected { candidate: Candidate::at(place), stage: race.number(), by });
            }
            Ok(_) => bars.push(VacancyReason::NoneOfTheAbove),
            Err(End::Vacant(reason)) => bars.push(reason),
            Err(End::Tied(tie)) => open = Some(tie),
        }
        if open.is_some() || !bars.is_empty() {
            break;
        }
    }
    let outcome = open.map_or_else(|| complete(counting, elected.len(), bars.into_iter()), Outcome::Tied);
    let Race { stages, seat_ties, .. } = race;
    let support = election.standing().map(|place| support[place]).collect();
    Counted { stages, elected, outcome, seat_ties, order: Vec::new(), support, details: Details::Nothing }
}

/// The votes of the ballots that rank each candidate, by place.
pub(super) fn ranked_support(counting: &Counting<'_>) -> Vec<Votes> {
    let mut support = vec![Votes::ZERO; counting.election.size()];
    for paper in counting.papers {
        let Marks::Ranking(ranks) = &paper.marks else { continue };
        for place in ranks.iter().flatten().filter_map(|candidate| candidate.place()) {
            support[place] += paper.votes;
        }
    }
    support
}

struct Race {
    settings: Irv,
    piles: Piles,
    is_continuing: Vec<bool>,
    stages: Vec<Stage>,
    /// The first stage of the present seat.
    first: usize,
    seat_ties: Vec<ResolvedTie>,
}

/// The winner of a seat.
struct Winner {
    place: usize,
    by: ElectedBy,
}

/// The reason why a seat has no winner.
enum End {
    Vacant(VacancyReason),
    Tied(Tie),
}

impl Race {
    /// The number of the present stage.
    fn number(&self) -> u32 {
        self.stages.len() as u32
    }

    fn fill_seat(
        &mut self,
        counting: &mut Counting<'_>,
        elected: &[Elected],
        support: &[Votes],
    ) -> Result<Winner, End> {
        let election = counting.election;
        let is_elected = |place: usize| elected.iter().any(|elected| elected.candidate == Candidate::at(place));
        for place in election.standing() {
            self.is_continuing[place] = !is_elected(place);
        }
        self.first = self.stages.len();
        self.piles.deal(&self.is_continuing);
        let action = if elected.is_empty() { Action::Count } else { Action::NextSeat };
        self.end_stage(counting, action, Vec::new());
        let mut reason = VacancyReason::NoVotes;
        let unsupported: Vec<usize> =
            self.continuing().filter(|place| counting.is_unsupported(*place, support[*place])).collect();
        if !unsupported.is_empty() {
            reason = VacancyReason::RequirementMissed;
            self.exclude(counting, &unsupported, (ExclusionReason::TooLittleSupport, None));
        }
        loop {
            if self.piles.held().is_zero() {
                return Err(End::Vacant(reason));
            }
            if let Some(winner) = self.winner() {
                return Ok(winner);
            }
            if let Some(winner) = self.exclude_fewest(counting)? {
                return Ok(winner);
            }
        }
    }

    fn continuing(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.is_continuing.len()).filter(|place| self.is_continuing[*place])
    }

    /// The candidate with more than half of the continuing votes.
    fn winner(&self) -> Option<Winner> {
        let half = self.piles.held().half();
        let place = self.continuing().find(|place| self.piles.votes(*place) > half)?;
        Some(Winner { place, by: ElectedBy::Majority })
    }

    /// Excludes the candidate with the fewest votes. If two are left with equal votes, the tie is for the seat.
    fn exclude_fewest(&mut self, counting: &mut Counting<'_>) -> Result<Option<Winner>, End> {
        let fewest = self.continuing().map(|place| self.piles.votes(place)).min().unwrap_or_default();
        let lowest: Vec<usize> = self.continuing().filter(|place| self.piles.votes(*place) == fewest).collect();
        if fewest.is_zero() {
            self.exclude(counting, &lowest, (ExclusionReason::NoVotes, None));
            return Ok(None);
        }
        if lowest.len() == 2 && self.continuing().count() == 2 {
            return self.decide_seat(counting, lowest).map(Some);
        }
        let equals = self.equals(lowest, Wanted::Fewest);
        let (place, tie) = choose(counting, equals).map_err(End::Tied)?;
        self.exclude(counting, &[place], (ExclusionReason::FewestVotes, tie));
        Ok(None)
    }

    /// The winner of the last two, who have equal votes.
    fn decide_seat(&mut self, counting: &mut Counting<'_>, last: Vec<usize>) -> Result<Winner, End> {
        let equals = self.equals(last, Wanted::Most);
        let (place, tie) = choose(counting, equals).map_err(End::Tied)?;
        let by = match tie.as_ref().map(|tie| tie.by) {
            Some(ResolvedBy::Decision(by)) => ElectedBy::TieDecision(by),
            _ => ElectedBy::MostVotes,
        };
        self.seat_ties.extend(tie);
        Ok(Winner { place, by })
    }

    fn equals(&self, places: Vec<usize>, wanted: Wanted) -> Equals<'_> {
        let is_for_seat = wanted == Wanted::Most;
        Equals {
            places,
            wanted,
            earlier: if self.settings.ties_by_earlier_stages { &self.stages[self.first..] } else { &[] },
            makes_no_difference: false,
            stage: if is_for_seat { self.number() } else { self.number() + 1 },
            matter: match wanted {
                Wanted::Most => |candidates| TieMatter::Seats { candidates, seats: 1 },
                Wanted::Fewest => |candidates| TieMatter::Exclusion { candidates },
            },
        }
    }

    fn exclude(
        &mut self,
        counting: &Counting<'_>,
        places: &[usize],
        (why, tie): (ExclusionReason, Option<ResolvedTie>),
    ) {
        for place in places {
            self.is_continuing[*place] = false;
        }
        let parcels = self.piles.transfer(places, &self.is_continuing, |value| value);
        self.end_stage(counting, Action::Exclusion { of: candidates(places), why, tie }, parcels);
    }

    fn end_stage(&mut self, counting: &Counting<'_>, action: Action, parcels: Vec<Parcel>) {
        let quota = Some(Quota { votes: self.piles.held().half(), is_enough: false });
        let part = StagePart { number: self.number() + 1, action, quota, parcels };
        self.stages.push(self.piles.stage(counting.election, part));
    }
}
