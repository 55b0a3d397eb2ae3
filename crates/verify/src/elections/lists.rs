//! Seats of lists: all quotients in one order.

use std::collections::{BTreeMap, BTreeSet};

use super::contest::{Amounts, Contest, seat_tie, texts};
use super::papers::{CountMethod, ElectionTie, TieFor, WithinList};
use super::read::Says;
use super::recounted::{MethodNumbers, RecountedElection, RecountedStage};
use crate::exact::{self, Exact, whole};

/// A possible seat of a list.
#[derive(Clone)]
struct Claim {
    quotient: Exact,
    list: u32,
    divisor: u32,
}

/// Counts an election of lists.
pub(super) fn count_lists(contest: &Contest<'_>) -> RecountedElection {
    let CountMethod::Lists { lists, odd_divisors, order, .. } = &contest.papers.method else {
        return RecountedElection::default();
    };
    let (votes, chosen) = sums(contest, lists.len() as u32);
    let standing = contest.persons();
    let persons: BTreeMap<u32, Vec<u32>> = (1..)
        .zip(lists)
        .map(|(list, numbers)| (list, numbers.iter().copied().filter(|it| standing.contains(it)).collect()))
        .collect();
    let mut claims = claims(contest, (&votes, &persons), *odd_divisors);
    let mut tie = cut(contest, &mut claims);
    let mut seats: BTreeMap<u32, Vec<(u32, u32)>> = votes.keys().map(|list| (*list, Vec::new())).collect();
    for (seat, claim) in (1..).zip(&claims) {
        seats.entry(claim.list).or_default().push((seat, claim.divisor));
    }
    let mut elected = BTreeMap::new();
    if tie.is_none() {
        for (list, seats) in &seats {
            let (winners, open) = winners(contest, &persons[list], (seats.len(), *order, &chosen));
            elected.extend(seats.iter().map(|(seat, _)| *seat).zip(winners));
            tie = tie.or(open);
        }
    }
    let stage = RecountedStage {
        votes: texts(&chosen),
        non_transferable: "0".to_owned(),
        remainder: "0".to_owned(),
        ..RecountedStage::default()
    };
    RecountedElection {
        stages: vec![stage],
        vacant: if tie.is_some() { 0 } else { contest.vacant(elected.len()) },
        elected: elected.into_values().map(|number| (number, 1)).collect(),
        tie,
        support: texts(&votes),
        numbers: MethodNumbers::Lists(seats),
        ..RecountedElection::default()
    }
}

/// The votes of the lists, and those of the candidates.
fn sums(contest: &Contest<'_>, lists: u32) -> (Amounts, Amounts) {
    let mut votes: Amounts = (1..=lists).map(|list| (list, exact::zero())).collect();
    let mut chosen = contest.zeros();
    for ballot in &contest.read.ballots {
        let Says::List(list, numbers) = &ballot.says else { continue };
        *votes.entry(*list).or_insert_with(exact::zero) += &ballot.votes;
        for number in numbers {
            *chosen.entry(*number).or_insert_with(exact::zero) += &ballot.votes;
        }
    }
    (votes, chosen)
}

/// All seats that lists could have, the highest quotient first.
fn claims(
    contest: &Contest<'_>,
    (votes, persons): (&Amounts, &BTreeMap<u32, Vec<u32>>),
    odd_divisors: bool,
) -> Vec<Claim> {
    let mut claims = Vec::new();
    for (list, votes) in votes.iter().filter(|(_, votes)| contest.is_supported(votes)) {
        for place in 0..persons[list].len() as u32 {
            let divisor = if odd_divisors { 2 * place + 1 } else { place + 1 };
            claims.push(Claim { quotient: votes / whole(divisor), list: *list, divisor });
        }
    }
    claims.sort_by(|one, other| other.quotient.cmp(&one.quotient).then(one.list.cmp(&other.list)));
    claims
}

/// Keeps the claims that get a seat. Returns the tie for the last seats if nobody has decided it; then those who are
/// tied get none.
fn cut(contest: &Contest<'_>, claims: &mut Vec<Claim>) -> Option<ElectionTie> {
    let seats = contest.seats();
    let border = claims.get(seats)?.quotient.clone();
    let equal: Vec<Claim> = claims.iter().filter(|claim| claim.quotient == border).cloned().collect();
    claims.retain(|claim| claim.quotient > border);
    let left = seats - claims.len();
    if left == 0 {
        return None;
    }
    let numbers = equal.iter().map(|claim| claim.list).collect();
    let tie = ElectionTie { stage: 1, matter: TieFor::ListSeats, numbers, wanted: left as u32 };
    let Some(order) = contest.decided(&tie) else { return Some(tie) };
    for list in order.into_iter().take(left) {
        claims.extend(equal.iter().find(|claim| claim.list == list).cloned());
    }
    None
}

/// The candidates who get the seats of a list, and the tie among them. Those who are tied are left out.
fn winners(
    contest: &Contest<'_>,
    persons: &[u32],
    (seats, order, chosen): (usize, WithinList, &Amounts),
) -> (Vec<u32>, Option<ElectionTie>) {
    let mut persons = persons.to_vec();
    if order != WithinList::Listed {
        persons.sort_by(|one, other| chosen[other].cmp(&chosen[one]));
    }
    let (Some(last), Some(next)) = (seats.checked_sub(1).and_then(|last| persons.get(last)), persons.get(seats)) else {
        return (persons.into_iter().take(seats).collect(), None);
    };
    let border = &chosen[last];
    if order != WithinList::Votes || *border != chosen[next] {
        return (persons.into_iter().take(seats).collect(), None);
    }
    let mut winners: Vec<u32> = persons.iter().copied().filter(|number| chosen[number] > *border).collect();
    let tied: BTreeSet<u32> = persons.iter().copied().filter(|number| chosen[number] == *border).collect();
    let left = seats - winners.len();
    let tie = seat_tie(1, tied.into_iter().collect(), left);
    let Some(order) = contest.decided(&tie) else { return (winners, Some(tie)) };
    winners.extend(order.into_iter().take(left));
    (winners, None)
}
