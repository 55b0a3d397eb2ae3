//! Elections of lists by divisor methods.

use plenum_kernel::{Comparison, Fraction, Threshold};
use plenum_voting::elections::{
    Ballot, Candidate, Count, Details, Divisors, ElectedBy, ListOrder, Lists, Marks, Method, Outcome, Requirement,
    ShareBase, Tie, TieMatter,
};

use super::profiles::{ballots, candidates, counted, elected, is_complete, terms};

/// Lists with this many candidates each, numbered one list after the other.
fn lists(divisors: Divisors, sizes: &[u32], order: ListOrder) -> Method {
    let mut next = 1;
    let mut list = |size: &u32| {
        let numbers: Vec<u32> = (next..next + size).collect();
        next += size;
        candidates(&numbers)
    };
    Method::Lists(Lists { divisors, lists: sizes.iter().map(&mut list).collect(), most_choices: 3, order })
}

fn for_list(voters: u64, list: u32) -> Ballot {
    ballots(voters, Marks::List { list, candidates: Vec::new() })
}

fn seats(count: &Count) -> Vec<usize> {
    let Details::Lists(lists) = &count.details else { panic!("{:?}", count.details) };
    lists.iter().map(|list| list.seats.len()).collect()
}

fn divided(divisors: Divisors, votes: &[u64], seats_to_fill: u32) -> Count {
    let sizes = vec![seats_to_fill; votes.len()];
    let total: usize = sizes.iter().map(|size| *size as usize).sum();
    let ballots: Vec<Ballot> = (1..).zip(votes).map(|(list, votes)| for_list(*votes, list)).collect();
    counted(terms(lists(divisors, &sizes, ListOrder::AsListed), total, seats_to_fill), &ballots)
}

/// The table of Wikipedia's articles on "D'Hondt method" and "Sainte-Laguë method": 230,000 votes, 8 seats.
#[test]
fn eight_seats_are_divided_as_in_the_worked_examples() {
    let votes = [100_000, 80_000, 30_000, 20_000];
    assert_eq!(seats(&divided(Divisors::DHondt, &votes, 8)), [4, 3, 1, 0]);
    // Lists 1 and 4 have the quotient 20,000, and both get a seat: that is no tie.
    let count = divided(Divisors::SainteLague, &votes, 8);
    assert_eq!(seats(&count), [3, 3, 1, 1]);
    assert!(is_complete(&count));
    assert_eq!(elected(&count), [1, 9, 2, 17, 10, 3, 25, 11]);
}

/// The other example there: 53,000, 24,000 and 23,000 votes, 7 seats.
#[test]
fn seven_seats_are_divided_as_in_the_worked_examples() {
    let votes = [53_000, 24_000, 23_000];
    assert_eq!(seats(&divided(Divisors::DHondt, &votes, 7)), [4, 2, 1]);
    assert_eq!(seats(&divided(Divisors::SainteLague, &votes, 7)), [3, 2, 2]);
}

#[test]
fn lists_with_an_equal_quotient_tie_for_the_last_seat() {
    let count = divided(Divisors::DHondt, &[200, 100], 2);
    let tie = Tie { stage: 1, matter: TieMatter::ListSeats { lists: vec![1, 2], seats: 1 } };
    assert_eq!(count.outcome, Outcome::Tied(tie));
}

#[test]
fn a_list_gets_no_more_seats_than_it_has_candidates() {
    let method = lists(Divisors::DHondt, &[1, 3], ListOrder::AsListed);
    let count = counted(terms(method, 4, 3), &[for_list(90, 1), for_list(10, 2)]);
    assert_eq!(seats(&count), [1, 2]);
    assert_eq!(elected(&count), [1, 2, 3]);
}

#[test]
fn a_list_needs_the_least_support() {
    let threshold = Threshold::new(Comparison::AtLeast, Fraction::new(1, 20).unwrap()).unwrap();
    let mut terms = terms(lists(Divisors::SainteLague, &[9, 9, 9], ListOrder::AsListed), 27, 9);
    terms.least_support = Some(Requirement { base: ShareBase::ValidBallots, threshold });
    let count = counted(terms, &[for_list(55, 1), for_list(41, 2), for_list(4, 3)]);
    assert_eq!(seats(&count), [5, 4, 0]);
}

#[test]
fn votes_for_candidates_change_the_order_of_a_list() {
    let chosen =
        |voters: u64, numbers: &[u32]| ballots(voters, Marks::List { list: 1, candidates: candidates(numbers) });
    let votes = [chosen(2, &[3]), chosen(1, &[2, 1]), for_list(1, 1)];
    let by = |order: ListOrder| counted(terms(lists(Divisors::DHondt, &[4], order), 4, 2), &votes);
    assert_eq!(elected(&by(ListOrder::AsListed)), [1, 2]);
    assert_eq!(elected(&by(ListOrder::ByVotesThenListed)), [3, 1]);
    let tied = by(ListOrder::ByVotes);
    let tie = Tie { stage: 1, matter: TieMatter::Seats { candidates: candidates(&[1, 2]), seats: 1 } };
    assert_eq!(tied.outcome, Outcome::Tied(tie));
    assert_eq!(tied.elected[0].candidate, Candidate::numbered(3));
    assert_eq!(tied.elected[0].by, ElectedBy::ListSeat(1));
}
