//! The counts by a round's second weight: those of the same round with its weights in each other's place.

use plenum_result_format::{
    GroupOption, MeasureName, OptionResult, RoundFile, RoundResult, SecondWeightResult, WeightKindFormat,
};
use rust_decimal::Decimal;

use crate::decision::DecisionInput;
use crate::exact::amount;
use crate::groups::{GroupCount, check_groups};
use crate::recount::{electorate, recounted_tally, with_absent};
use crate::report::{Difference, Differences};
use crate::tally::{Pair, Tally};
use crate::urn::{Recounted, check_sums};

/// The word for a unit in sentences: "heads", "weight", or the name of the kind.
pub(crate) fn unit_word(result: &RoundResult, measure: MeasureName) -> &str {
    match measure {
        MeasureName::Heads => "heads",
        MeasureName::Weight => result.weight_kind.as_ref().map_or("weight", |kind| &kind.name),
        MeasureName::SecondWeight => result.second_weight.as_ref().map_or("second weight", |second| &second.kind.name),
    }
}

/// A round counted by its second weight.
pub(crate) struct SecondCount<'a> {
    given: &'a SecondWeightResult,
    /// The round with its weights in each other's place.
    round: RoundFile,
    tally: Tally,
    register: Pair,
    attending: Pair,
}

impl<'a> SecondCount<'a> {
    /// The count of a round that has a second weight.
    pub(crate) fn of(round: &'a RoundFile) -> Option<Self> {
        let given = round.result.second_weight.as_ref()?;
        let round = swapped(round, given);
        let (tally, (register, attending)) = (recounted_tally(&round), electorate(&round, |_| true));
        Some(Self { given, round, tally, register, attending })
    }

    /// The result in which this weight is the first one.
    pub(crate) fn result(&self) -> &RoundResult {
        &self.round.result
    }

    /// The input of a decision by it.
    pub(crate) fn input(&self) -> DecisionInput<'_> {
        let (result, register) = (self.result(), with_absent(&self.register, self.result()));
        DecisionInput {
            result,
            tally: &self.tally,
            register,
            present: self.attending.clone(),
            group: None,
            second: None,
        }
    }

    /// The counts of each group of the rule by it.
    pub(crate) fn groups(&self) -> Vec<GroupCount<'_>> {
        GroupCount::of_all(&self.round)
    }

    /// The counts as a file states them.
    pub(crate) fn as_in_file(&self, groups: &[GroupCount<'_>]) -> SecondWeightResult {
        let option = |option: &OptionResult| {
            let votes = self.tally.option(option.id);
            GroupOption { id: option.id, heads: votes.heads, weight: amount(&votes.weight) }
        };
        SecondWeightResult {
            register: self.register.count(),
            present: self.attending.count(),
            votes_cast: self.tally.cast.count(),
            options: self.result().options.iter().map(option).collect(),
            in_each: groups.iter().map(|group| group.result(self.result())).collect(),
            ..self.given.clone()
        }
    }
}

/// The same round with the weights in each other's place, as if it were counted by the second one.
fn swapped(round: &RoundFile, given: &SecondWeightResult) -> RoundFile {
    let mut swapped = round.clone();
    let swap = |weight: &mut Decimal, second: &mut Option<Decimal>| {
        let first = std::mem::replace(weight, second.unwrap_or_default());
        *second = Some(first);
    };
    swapped.register.iter_mut().for_each(|voter| swap(&mut voter.weight, &mut voter.second_weight));
    swapped.ballots.iter_mut().for_each(|ballot| swap(&mut ballot.weight, &mut ballot.second_weight));
    let result = &mut swapped.result;
    for option in &mut result.options {
        let sum = given.options.iter().find(|sum| sum.id == option.id);
        option.heads = sum.map_or(0, |sum| sum.heads);
        option.weight = sum.map(|sum| sum.weight).unwrap_or_default();
    }
    result.weight_kind = Some(given.kind.clone());
    result.absent = given.absent;
    result.votes_cast = given.votes_cast;
    result.in_each.clone_from(&given.in_each);
    swapped
}

/// The second weights of the register and of the ballots are there where the round has one, and within the bounds of its kind.
/// Sums that are given in place of ballots are possible.
pub(crate) fn check_second_weight(found: &mut Differences, round: &RoundFile) {
    let given = round.result.second_weight.as_ref();
    let voters = round.register.iter().map(|voter| voter.second_weight).enumerate();
    let voters = voters.map(|(index, weight)| (format!("register.{index}.secondWeight"), weight));
    let ballots = round.ballots.iter().map(|ballot| ballot.second_weight).enumerate();
    let ballots = ballots.map(|(index, weight)| (format!("ballots.{index}.secondWeight"), weight));
    for (field, weight) in voters.chain(ballots) {
        match (given, weight) {
            (None, None) => {}
            (None, Some(weight)) => found.wants(field, weight, "left out: the round has no second weight"),
            (Some(_), None) => found.wants(field, "nothing", "the second weight"),
            (Some(given), Some(weight)) if !is_of_kind(&given.kind, weight) => {
                found.wants(field, weight, bounds(&given.kind));
            }
            _ => {}
        }
    }
    let Some(given) = given else { return };
    if round.result.is_secret() {
        found.wants("result.secondWeight", &given.kind.name, "left out: a secret vote counts one weight");
        return;
    }
    // There are no numbers and texts by the second weight.
    if round.result.options.is_empty() || Recounted::of(round) != Recounted::UnshownSums {
        return;
    }
    let (swapped, mut of_second) = (swapped(round, given), Differences::default());
    check_sums(&mut of_second, &swapped);
    check_groups(&mut of_second, &swapped, given.in_each.len());
    for difference in of_second.all {
        if let Some(field) = difference.field.strip_prefix("result.") {
            found.all.push(Difference { field: format!("result.secondWeight.{field}"), ..difference });
        }
    }
}

/// Whether a weight is possible in its kind.
pub(crate) fn is_of_kind(kind: &WeightKindFormat, weight: Decimal) -> bool {
    let limit = Decimal::from(10_u64.pow(18));
    weight >= Decimal::ZERO && weight < limit && weight.normalize().scale() <= u32::from(kind.decimals)
}

/// The bounds of a kind in words.
pub(crate) fn bounds(kind: &WeightKindFormat) -> String {
    format!("0 to less than 10^18, with at most {} decimals", kind.decimals)
}
