use std::collections::BTreeMap;

use plenum_result_format::{
    BallotAnswer, Count, CountedBallot, DecisionRuleFormat, ElectionRuleFormat, NumberResult, QuestionTypeName,
    RoundFile, RoundResult, TextAnswer, UnitName, ValueResult,
};
use rust_decimal::Decimal;
use uuid::Uuid;

use crate::elections::{marks_of, named_first};
use crate::exact::{self, Exact, amount, rounded, whole};

/// A number of people, and their weight.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Pair {
    pub(crate) heads: u64,
    pub(crate) weight: Exact,
}

impl Pair {
    pub(crate) fn none() -> Self {
        Self { heads: 0, weight: exact::zero() }
    }

    pub(crate) fn add(&mut self, heads: u64, weight: &Exact) {
        self.heads = self.heads.saturating_add(heads);
        self.weight += weight * whole(heads);
    }

    pub(crate) fn plus(&self, other: &Self) -> Self {
        Self { heads: self.heads.saturating_add(other.heads), weight: &self.weight + &other.weight }
    }

    pub(crate) fn minus(&self, other: &Self) -> Self {
        Self { heads: self.heads.saturating_sub(other.heads), weight: &self.weight - &other.weight }
    }

    pub(crate) fn in_unit(&self, unit: UnitName) -> Exact {
        match unit {
            UnitName::Heads => whole(self.heads),
            UnitName::Weight => self.weight.clone(),
        }
    }

    pub(crate) fn count(&self) -> Count {
        Count { heads: self.heads, weight: amount(&self.weight) }
    }
}

/// Adds up weights.
pub(crate) fn sum(weights: impl Iterator<Item = Decimal>) -> Pair {
    let mut pair = Pair::none();
    for weight in weights {
        pair.add(1, &exact::of(weight));
    }
    pair
}

/// The terms of a round that is an election.
pub(crate) fn election_rule(result: &RoundResult) -> Option<&ElectionRuleFormat> {
    match &result.decision_rule {
        Some(DecisionRuleFormat::Election { election }) => Some(election),
        _ => None,
    }
}

/// The ballots of a round, counted.
pub(crate) struct Tally {
    pub(crate) cast: Pair,
    /// By option. Options without votes are missing.
    pub(crate) options: BTreeMap<Uuid, Pair>,
    pub(crate) numbers: BTreeMap<Decimal, Pair>,
    pub(crate) texts: BTreeMap<String, Pair>,
}

impl Tally {
    /// No answers, with these votes cast.
    pub(crate) fn none(cast: Pair) -> Self {
        Self { cast, options: BTreeMap::new(), numbers: BTreeMap::new(), texts: BTreeMap::new() }
    }

    /// The ballots that belong to it, counted.
    pub(crate) fn of(round: &RoundFile, belongs: impl Fn(&CountedBallot) -> bool) -> Self {
        let mut tally = Self::none(Pair::none());
        let rule = election_rule(&round.result);
        for ballot in round.ballots.iter().filter(|ballot| belongs(ballot)) {
            let weight = exact::of(ballot.weight);
            tally.cast.add(ballot.count, &weight);
            match &ballot.answer {
                BallotAnswer::Options(ids) => {
                    for id in ids {
                        tally.options.entry(*id).or_insert_with(Pair::none).add(ballot.count, &weight);
                    }
                }
                BallotAnswer::Number(number) => {
                    tally.numbers.entry(number.0).or_insert_with(Pair::none).add(ballot.count, &weight);
                }
                BallotAnswer::Text(text) if rule.is_some() => {
                    let marks = rule.and_then(|rule| marks_of(text, round, rule));
                    let named = marks.iter().flat_map(named_first);
                    for option in named.filter_map(|number| round.result.options.get(number as usize - 1)) {
                        tally.options.entry(option.id).or_insert_with(Pair::none).add(ballot.count, &weight);
                    }
                }
                BallotAnswer::Text(text) => {
                    tally.texts.entry(text.clone()).or_insert_with(Pair::none).add(ballot.count, &weight);
                }
            }
        }
        tally
    }

    pub(crate) fn option(&self, id: Uuid) -> Pair {
        self.options.get(&id).cloned().unwrap_or_else(Pair::none)
    }

    /// The text answers.
    pub(crate) fn text_answers(&self) -> Vec<TextAnswer> {
        let answers = self.texts.iter().map(|(text, pair)| {
            let Count { heads, weight } = pair.count();
            TextAnswer { text: text.clone(), heads, weight }
        });
        answers.collect()
    }

    /// The means, the medians and the count of each number.
    pub(crate) fn number_result(&self, question_type: QuestionTypeName, rating_max: Option<u32>) -> NumberResult {
        let mut values = self.numbers.clone();
        if question_type == QuestionTypeName::Rating {
            // Ratings have few numbers. The check of the ballots refuses a file with another scale.
            for step in 1..=rating_max.unwrap_or(0).min(1_000) {
                values.entry(step.into()).or_insert_with(Pair::none);
            }
        }
        let distribution = values.iter().map(|(value, pair)| {
            let Count { heads, weight } = pair.count();
            ValueResult { value: *value, heads, weight }
        });
        let distribution = distribution.collect();
        NumberResult {
            mean: mean(&values, UnitName::Heads),
            weighted_mean: mean(&values, UnitName::Weight),
            median: median(&values, UnitName::Heads),
            weighted_median: median(&values, UnitName::Weight),
            distribution,
        }
    }
}

/// The decimals of means and medians.
const DECIMALS: u32 = 4;

fn mean(values: &BTreeMap<Decimal, Pair>, unit: UnitName) -> Option<Decimal> {
    let mut all = exact::zero();
    let mut sum = exact::zero();
    for (value, pair) in values {
        let amount = pair.in_unit(unit);
        sum += exact::of(*value) * &amount;
        all += amount;
    }
    (all != exact::zero()).then(|| rounded(&(sum / all), DECIMALS))
}

/// The median by definition: half of all values are at or below it, and half at or above it. If this holds for a whole
/// gap between two values, it is the middle of the gap.
fn median(values: &BTreeMap<Decimal, Pair>, unit: UnitName) -> Option<Decimal> {
    let given: Vec<(Exact, Exact)> = values
        .iter()
        .map(|(value, pair)| (exact::of(*value), pair.in_unit(unit)))
        .filter(|(_, amount)| *amount != exact::zero())
        .collect();
    let all = given.iter().fold(exact::zero(), |sum, (_, amount)| sum + amount);
    let half = all / whole(2_u32);
    let mut below = exact::zero();
    let mut lower = None;
    for (value, amount) in &given {
        below += amount;
        if lower.is_none() && below >= half {
            lower = Some(value.clone());
        }
        if below > half {
            let lower = lower?;
            return Some(rounded(&((lower + value) / whole(2_u32)), DECIMALS));
        }
    }
    None
}
