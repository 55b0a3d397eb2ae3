//! Seats for lists by the highest quotients of a divisor method, and for the candidates of each list.

use std::cmp::{Ordering, Reverse};

use super::fill_seats::{STAGE, complete};
use crate::elections::counting::{Counted, Counting};
use crate::elections::{
    Action, Award, Details, Elected, ElectedBy, ListResult, Marks, Outcome, ResolvedTie, Stage, Tie, TieMatter, Votes,
};
use plenum_kernel::election::{Candidate, Divisors, ListOrder, Lists};

/// Divides the seats among the lists, and then the seats of each list among its candidates.
pub(in crate::elections) fn count_lists(counting: &mut Counting<'_>, settings: &Lists) -> Counted {
    let (votes, chosen) = sum_votes(counting, settings);
    let mut division = Division::new(counting, settings, &votes);
    let mut open = division.divide(counting).err();
    let mut elected = Vec::new();
    if open.is_none() {
        let orders = division.orders(counting, settings, &chosen);
        open = orders.tie;
        elected = division.elected(orders.lists);
    }
    let outcome = match open {
        Some(tie) => Outcome::Tied(tie),
        None => complete(counting, elected.len(), division.lists.iter().filter_map(|list| list.bar)),
    };
    let stage = Stage {
        number: STAGE,
        action: Action::Count,
        quota: None,
        votes: counting.election.standing().map(|place| (Candidate::at(place), chosen[place])).collect(),
        parcels: Vec::new(),
        non_transferable: Votes::ZERO,
        remainder: Votes::ZERO,
    };
    Counted {
        stages: vec![stage],
        elected,
        outcome,
        seat_ties: division.ties,
        order: Vec::new(),
        support: votes,
        details: Details::Lists(division.lists),
    }
}

/// The votes of each list, and those for each candidate.
fn sum_votes(counting: &Counting<'_>, settings: &Lists) -> (Vec<Votes>, Vec<Votes>) {
    let mut votes = vec![Votes::ZERO; settings.lists.len()];
    let mut chosen = vec![Votes::ZERO; counting.election.size()];
    for paper in counting.papers {
        let Marks::List { list, candidates } = &paper.marks else { continue };
        if let Some(list) = list.checked_sub(1).and_then(|place| votes.get_mut(place as usize)) {
            *list += paper.votes;
        }
        for place in candidates.iter().filter_map(|candidate| candidate.place()) {
            chosen[place] += paper.votes;
        }
    }
    (votes, chosen)
}

/// The division of the seats among the lists.
struct Division {
    divisors: Divisors,
    lists: Vec<ListResult>,
    /// The persons of each list who can be elected, in its order.
    persons: Vec<Vec<usize>>,
    ties: Vec<ResolvedTie>,
}

/// The candidates of each list in the order in which they get its seats, as far as it is known.
struct Orders {
    lists: Vec<Vec<(usize, ElectedBy)>>,
    tie: Option<Tie>,
}

impl Division {
    fn new(counting: &Counting<'_>, settings: &Lists, votes: &[Votes]) -> Self {
        let is_person = |place: &usize| counting.election.is_person(*place);
        let persons =
            |list: &Vec<Candidate>| list.iter().filter_map(|candidate| candidate.place()).filter(is_person).collect();
        let result = |(list, votes): (u32, &Votes)| ListResult {
            list,
            votes: *votes,
            bar: counting.lacks_support(*votes),
            seats: Vec::new(),
        };
        Self {
            divisors: settings.divisors,
            lists: (1..).zip(votes).map(result).collect(),
            persons: settings.lists.iter().map(persons).collect(),
            ties: Vec::new(),
        }
    }

    /// Gives each seat to the list with the highest quotient. A list without further candidates gets no further seat.
    fn divide(&mut self, counting: &mut Counting<'_>) -> Result<(), Tie> {
        let mut given = 0;
        while given < counting.election.seats() {
            let highest = self.highest();
            let left = counting.election.seats() - given;
            let winners = match highest.len() {
                0 => return Ok(()),
                tied if tied <= left => highest,
                _ => self.decide(counting, &highest, left)?,
            };
            for list in winners {
                given += 1;
                let divisor = self.divisor(list);
                self.lists[list].seats.push(Award { seat: given as u32, divisor });
            }
        }
        Ok(())
    }

    /// The divisor for the next seat of a list.
    fn divisor(&self, list: usize) -> u32 {
        let seats = self.lists[list].seats.len() as u32;
        match self.divisors {
            Divisors::SainteLague => 2 * seats + 1,
            Divisors::DHondt => seats + 1,
        }
    }

    fn compare(&self, one: usize, other: usize) -> Ordering {
        let votes = |list: usize| self.lists[list].votes;
        votes(one).compare_quotients(self.divisor(one), votes(other), self.divisor(other))
    }

    /// The lists with the highest quotient.
    fn highest(&self) -> Vec<usize> {
        let takes_part = |list: &usize| {
            let result = &self.lists[*list];
            result.bar.is_none() && result.seats.len() < self.persons[*list].len()
        };
        let lists: Vec<usize> = (0..self.lists.len()).filter(takes_part).collect();
        let Some(highest) = lists.iter().copied().max_by(|one, other| self.compare(*one, *other)) else {
            return Vec::new();
        };
        lists.into_iter().filter(|list| self.compare(*list, highest) == Ordering::Equal).collect()
    }

    /// The lists that get the last seats, of those with an equal quotient.
    fn decide(&mut self, counting: &mut Counting<'_>, equal: &[usize], left: usize) -> Result<Vec<usize>, Tie> {
        let lists = equal.iter().map(|list| self.lists[*list].list).collect();
        let tie = Tie { stage: STAGE, matter: TieMatter::ListSeats { lists, seats: left as u32 } };
        let Some(resolved) = counting.resolve(&tie) else { return Err(tie) };
        let winners = resolved.places().take(left).collect();
        self.ties.push(resolved.record);
        Ok(winners)
    }

    /// The candidates of all lists in the order in which they get seats. A tie that nobody has decided leaves out the
    /// tied ones.
    fn orders(&mut self, counting: &mut Counting<'_>, settings: &Lists, chosen: &[Votes]) -> Orders {
        let mut orders = Orders { lists: Vec::new(), tie: None };
        for list in 0..self.lists.len() {
            let by = ElectedBy::ListSeat(self.lists[list].list);
            let mut persons = self.persons[list].clone();
            if settings.order != ListOrder::AsListed {
                persons.sort_by_key(|place| Reverse(chosen[*place]));
            }
            let seats = self.lists[list].seats.len();
            let mut order: Vec<(usize, ElectedBy)> = persons.iter().map(|place| (*place, by)).collect();
            let is_cut = seats > 0
                && seats < persons.len()
                && settings.order == ListOrder::ByVotes
                && chosen[persons[seats - 1]] == chosen[persons[seats]];
            if is_cut {
                let border = chosen[persons[seats]];
                order.retain(|(place, _)| chosen[*place] > border);
                let tied = persons.iter().copied().filter(|place| chosen[*place] == border).collect();
                match self.decide_within(counting, tied, seats - order.len()) {
                    Ok(winners) => order.extend(winners),
                    Err(tie) => orders.tie = orders.tie.or(Some(tie)),
                }
            }
            orders.lists.push(order);
        }
        orders
    }

    /// The candidates of one list who get its last seats, of those with equal votes.
    fn decide_within(
        &mut self,
        counting: &mut Counting<'_>,
        equal: Vec<usize>,
        left: usize,
    ) -> Result<Vec<(usize, ElectedBy)>, Tie> {
        let mut candidates: Vec<Candidate> = equal.into_iter().map(Candidate::at).collect();
        candidates.sort_unstable();
        let tie = Tie { stage: STAGE, matter: TieMatter::Seats { candidates, seats: left as u32 } };
        let Some(resolved) = counting.resolve(&tie) else { return Err(tie) };
        let by = ElectedBy::TieDecision(resolved.by);
        let winners = resolved.places().map(|place| (place, by)).collect();
        self.ties.push(resolved.record);
        Ok(winners)
    }

    /// The elected candidates, in the order of the seats.
    fn elected(&self, orders: Vec<Vec<(usize, ElectedBy)>>) -> Vec<Elected> {
        let mut seats: Vec<(u32, usize, ElectedBy)> = Vec::new();
        for (list, order) in self.lists.iter().zip(orders) {
            let winners = list.seats.iter().zip(order);
            seats.extend(winners.map(|(award, (place, by))| (award.seat, place, by)));
        }
        seats.sort_unstable_by_key(|(seat, ..)| *seat);
        let elected = |(_, place, by)| Elected { candidate: Candidate::at(place), stage: STAGE, by };
        seats.into_iter().map(elected).collect()
    }
}
