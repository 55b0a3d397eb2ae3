//! Methods that add up marks, and fill seats by the sums.

use std::collections::{BTreeMap, BTreeSet};

use super::contest::{Amounts, Contest, seat_tie, text, texts};
use super::papers::{CountMethod, ElectionTie, FirstPlace, Share};
use super::read::Says;
use super::recounted::{MethodNumbers, RecountedElection, RecountedStage};
use crate::exact::{self, Exact, fraction, whole};

/// The sums of a method.
struct Sums {
    points: Amounts,
    support: Amounts,
    /// Those who lack a share that they need.
    short: BTreeSet<u32>,
    numbers: MethodNumbers,
}

/// Counts a method that ranks by sums.
pub(super) fn count_sums(contest: &Contest<'_>) -> RecountedElection {
    let sums = match &contest.papers.method {
        CountMethod::EachCandidate { share, less_no, .. } => answers(contest, *share, *less_no),
        CountMethod::Borda { first, rest_shares, .. } => borda(contest, *first, *rest_shares),
        CountMethod::Choices { share, .. } => marks(contest, *share),
        _ => marks(contest, None),
    };
    let nobody = contest.nobody().map(|number| sums.points[&number].clone());
    let is_free = |number: &u32| {
        let is_ahead = nobody.as_ref().is_none_or(|nobody| sums.points[number] > *nobody);
        is_ahead && !sums.short.contains(number) && contest.is_supported(&sums.support[number])
    };
    let free: BTreeSet<u32> = contest.persons().into_iter().filter(is_free).collect();
    let (elected, tie) = fill(contest, &free, &sums.points);
    let stage = RecountedStage {
        votes: texts(&sums.points),
        non_transferable: "0".to_owned(),
        remainder: "0".to_owned(),
        ..RecountedStage::default()
    };
    RecountedElection {
        stages: vec![stage],
        vacant: if tie.is_some() { 0 } else { contest.vacant(elected.len()) },
        elected: elected.into_iter().map(|number| (number, 1)).collect(),
        tie,
        support: texts(&sums.support),
        order: groups(&sums.points),
        numbers: sums.numbers,
        ..RecountedElection::default()
    }
}

/// The elected ones: everybody for whom no more than the seats have at least as many points. Others who are behind
/// fewer than the seats are tied.
fn fill(contest: &Contest<'_>, free: &BTreeSet<u32>, points: &Amounts) -> (Vec<u32>, Option<ElectionTie>) {
    let seats = contest.seats();
    let not_fewer = |number: u32| free.iter().filter(|other| points[other] >= points[&number]).count();
    let more = |number: u32| free.iter().filter(|other| points[other] > points[&number]).count();
    let mut elected: Vec<u32> = free.iter().copied().filter(|number| not_fewer(*number) <= seats).collect();
    elected.sort_by(|one, other| points[other].cmp(&points[one]).then(one.cmp(other)));
    let tied = |number: &u32| not_fewer(*number) > seats && more(*number) < seats;
    let tied: Vec<u32> = free.iter().copied().filter(tied).collect();
    if tied.is_empty() {
        return (elected, None);
    }
    let left = seats - elected.len();
    let tie = seat_tie(1, tied, left);
    let Some(order) = contest.decided(&tie) else { return (elected, Some(tie)) };
    elected.extend(order.into_iter().take(left));
    (elected, None)
}

/// Groups of equal points, the most first.
fn groups(points: &Amounts) -> Vec<BTreeSet<u32>> {
    let mut groups: BTreeMap<&Exact, BTreeSet<u32>> = BTreeMap::new();
    for (number, points) in points {
        groups.entry(points).or_default().insert(*number);
    }
    groups.into_values().rev().collect()
}

/// Votes for chosen candidates, and points.
fn marks(contest: &Contest<'_>, share: Option<Share>) -> Sums {
    let (mut points, mut support) = (contest.zeros(), contest.zeros());
    for ballot in &contest.read.ballots {
        let given: BTreeMap<u32, u32> = match &ballot.says {
            Says::Choices(chosen) => chosen.iter().map(|number| (*number, 1)).collect(),
            Says::Points(points) => points.clone(),
            _ => BTreeMap::new(),
        };
        for (number, each) in given.into_iter().filter(|(_, each)| *each > 0) {
            *points.entry(number).or_insert_with(exact::zero) += &ballot.votes * whole(each);
            *support.entry(number).or_insert_with(exact::zero) += &ballot.votes;
        }
    }
    let is_short = |number: &u32| share.is_some_and(|share| !contest.is_met(share, &points[number], None));
    let short = points.keys().copied().filter(is_short).collect();
    Sums { points, support, short, numbers: MethodNumbers::None }
}

/// Answers for each candidate.
fn answers(contest: &Contest<'_>, share: Share, less_no: bool) -> Sums {
    let mut sums = Sums {
        points: BTreeMap::new(),
        support: BTreeMap::new(),
        short: BTreeSet::new(),
        numbers: MethodNumbers::None,
    };
    let mut numbers = BTreeMap::new();
    for number in contest.standing() {
        let sum = |wanted: bool| {
            let gives = |says: &Says| match says {
                Says::Answers(answers) => answers.get(&number).copied().flatten() == Some(wanted),
                _ => false,
            };
            contest.read.ballots.iter().filter(|ballot| gives(&ballot.says)).map(|ballot| &ballot.votes).sum::<Exact>()
        };
        let (yes, no) = (sum(true), sum(false));
        let is_met = contest.is_met(share, &yes, Some(&(&yes + &no)));
        if !is_met {
            sums.short.insert(number);
        }
        let rest = &contest.read.valid.votes - &yes - &no;
        numbers.insert(number, ([text(&yes), text(&no), text(&rest)], is_met));
        sums.points.insert(number, if less_no { &yes - &no } else { yes.clone() });
        sums.support.insert(number, yes);
    }
    sums.numbers = MethodNumbers::Answers(numbers);
    sums
}

/// Borda's points. By definition a candidate loses a point for each one above, and half a point for each equal one.
fn borda(contest: &Contest<'_>, first: FirstPlace, rest_shares: bool) -> Sums {
    let standing = contest.standing();
    let (mut points, mut support) = (contest.zeros(), contest.zeros());
    for ballot in &contest.read.ballots {
        let Says::Ranks(ranks) = &ballot.says else { continue };
        let ranked: usize = ranks.iter().map(BTreeSet::len).sum();
        let top = match first {
            FirstPlace::Others => standing.len() - 1,
            FirstPlace::All => standing.len(),
            FirstPlace::Ranked => ranked,
        };
        for number in &standing {
            let place = ranks.iter().position(|rank| rank.contains(number));
            let above = match place {
                Some(place) => ranks[..place].iter().map(BTreeSet::len).sum(),
                None => ranked,
            };
            let equal = match place {
                Some(place) => ranks[place].len() - 1,
                None => standing.len() - ranked - 1,
            };
            if place.is_none() && !rest_shares {
                continue;
            }
            let lost = whole(above as u64) + fraction(equal as u32, 2);
            *points.entry(*number).or_insert_with(exact::zero) += &ballot.votes * (whole(top as u64) - lost);
            if place.is_some() {
                *support.entry(*number).or_insert_with(exact::zero) += &ballot.votes;
            }
        }
    }
    Sums { points, support, short: BTreeSet::new(), numbers: MethodNumbers::None }
}
