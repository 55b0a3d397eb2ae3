//! What all methods need: the candidates, shares, support and ties.

use std::collections::{BTreeMap, BTreeSet};

use aws_lc_rs::digest::{SHA256, digest};

use super::papers::{DecidedTie, ElectionPapers, ElectionTie, NameKind, Share, TieDecider, TieFor, Whole};
use super::read::Read;
use crate::exact::{self, Exact, whole};

/// Amounts of candidates by number.
pub(super) type Amounts = BTreeMap<u32, Exact>;

/// An election while it is counted.
pub(super) struct Contest<'a> {
    pub(super) papers: &'a ElectionPapers,
    pub(super) read: &'a Read,
}

impl Contest<'_> {
    /// The numbers of all who stand, "none of the above" included.
    pub(super) fn standing(&self) -> BTreeSet<u32> {
        self.numbers(|kind| kind != NameKind::Withdrawn)
    }

    /// The numbers of the persons who stand.
    pub(super) fn persons(&self) -> BTreeSet<u32> {
        self.numbers(|kind| kind == NameKind::Person)
    }

    pub(super) fn nobody(&self) -> Option<u32> {
        self.numbers(|kind| kind == NameKind::Nobody).first().copied()
    }

    fn numbers(&self, is_wanted: impl Fn(NameKind) -> bool) -> BTreeSet<u32> {
        (1..).zip(&self.papers.names).filter(|(_, kind)| is_wanted(**kind)).map(|(number, _)| number).collect()
    }

    pub(super) fn seats(&self) -> usize {
        self.papers.seats.map_or(self.papers.names.len(), |seats| seats as usize)
    }

    /// The seats that stay vacant if this many are filled.
    pub(super) fn vacant(&self, filled: usize) -> u32 {
        self.papers.seats.map_or(0, |seats| seats.saturating_sub(filled as u32))
    }

    /// Zero for everybody who stands.
    pub(super) fn zeros(&self) -> Amounts {
        self.standing().into_iter().map(|number| (number, exact::zero())).collect()
    }

    /// Whether the part is the needed share, of yes and no if these are given.
    pub(super) fn is_met(&self, share: Share, part: &Exact, yes_and_no: Option<&Exact>) -> bool {
        let cast = &self.read.valid.votes + &self.read.abstentions.votes;
        let (register, present) = self.papers.electorate;
        let all = match (share.of, yes_and_no) {
            (Whole::YesAndNo, Some(both)) => both.clone(),
            (Whole::Cast, _) if self.papers.abstentions_are_cast => cast,
            (Whole::Register, _) => exact::of(register),
            (Whole::Present, _) => exact::of(present),
            (Whole::YesAndNo | Whole::Valid | Whole::Cast, _) => self.read.valid.votes.clone(),
        };
        if all == exact::zero() {
            return false;
        }
        let has = part / all;
        let needed = exact::fraction(share.numerator, share.denominator);
        has > needed || share.is_enough && has == needed
    }

    /// Whether the support is the least that is needed.
    pub(super) fn has_least(&self, support: &Exact) -> bool {
        self.papers.least_support.is_none_or(|least| self.is_met(least, support, None))
    }

    /// Whether the support lets a candidate be elected: not zero, and the least that is needed.
    pub(super) fn is_supported(&self, support: &Exact) -> bool {
        *support != exact::zero() && self.has_least(support)
    }

    /// The tied numbers in the decided order. `None` without a decision.
    pub(super) fn decided(&self, tie: &ElectionTie) -> Option<Vec<u32>> {
        let decision = self.papers.decisions.iter().find(|decision| decision.tie == *tie);
        if decision.is_none() {
            let known = self.papers.precedents.iter().find_map(|earlier| order_of(earlier, tie));
            let is_for_seats = matches!(tie.matter, TieFor::Seats | TieFor::ListSeats);
            if known.is_some() || self.papers.leaves_seats && is_for_seats {
                return known;
            }
        }
        match (decision, &self.papers.seed) {
            (Some(DecidedTie { by: TieDecider::Order(order), .. }), _) => {
                let rest = tie.numbers.iter().filter(|number| !order.contains(number));
                Some(order.iter().chain(rest).copied().collect())
            }
            (Some(DecidedTie { by: TieDecider::Seed(seed), .. }), _) | (None, Some(seed)) => Some(lot(seed, tie)),
            (None, None) => None,
        }
    }
}

/// The order that an earlier decision gives another tie of the same kind, if it orders enough of the tied.
fn order_of(earlier: &DecidedTie, tie: &ElectionTie) -> Option<Vec<u32>> {
    if earlier.tie.matter != tie.matter || tie.numbers.iter().any(|number| !earlier.tie.numbers.contains(number)) {
        return None;
    }
    let ordered = match &earlier.by {
        TieDecider::Order(order) => order.clone(),
        TieDecider::Seed(seed) => lot(seed, &earlier.tie),
    };
    let (mut order, rest): (Vec<u32>, Vec<u32>) = (
        ordered.iter().copied().filter(|number| tie.numbers.contains(number)).collect(),
        tie.numbers.iter().copied().filter(|number| !ordered.contains(number)).collect(),
    );
    if order.len() < tie.wanted as usize {
        return None;
    }
    order.extend(rest);
    Some(order)
}

/// The numbers by the hash of `SEED:STAGE:NUMBER`, the smallest first.
pub(crate) fn lot(seed: &str, tie: &ElectionTie) -> Vec<u32> {
    let hash = |number: u32| {
        let text = [seed, &tie.stage.to_string(), &number.to_string()].join(":");
        let bytes = digest(&SHA256, text.as_bytes()).as_ref().to_vec();
        (bytes, number)
    };
    let drawn: BTreeMap<Vec<u8>, u32> = tie.numbers.iter().map(|number| hash(*number)).collect();
    drawn.into_values().collect()
}

/// A tie for seats.
pub(super) fn seat_tie(stage: u32, numbers: Vec<u32>, wanted: usize) -> ElectionTie {
    ElectionTie { stage, matter: TieFor::Seats, numbers, wanted: wanted as u32 }
}

/// An exact amount as text, without redundant zeros. Amounts of elections are finite decimals.
pub(super) fn text(amount: &Exact) -> String {
    let mut decimals = 0;
    let mut scaled = amount.clone();
    while !scaled.is_integer() && decimals < 12 {
        scaled *= whole(10_u32);
        decimals += 1;
    }
    let digits = format!("{:0>width$}", scaled.to_integer().magnitude().to_string(), width = decimals + 1);
    let (integer, fraction) = digits.split_at(digits.len() - decimals);
    let sign = if *amount < exact::zero() { "-" } else { "" };
    let point = if decimals == 0 { "" } else { "." };
    format!("{sign}{integer}{point}{fraction}")
}

/// Amounts as texts.
pub(super) fn texts(amounts: &Amounts) -> BTreeMap<u32, String> {
    amounts.iter().map(|(number, amount)| (*number, text(amount))).collect()
}
