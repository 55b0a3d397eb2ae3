//! The sentences of the format "plenum-results/1", from the recomputed numbers.

use plenum_result_format::{
    AttendanceName, BaseName, CheckFormat, ComparisonName, DecisionFormat, DecisionRuleFormat, NeededFormat, Outcome,
    QuorumResult, RoundResult, TieFormat, UnitName,
};
use rust_decimal::Decimal;
use uuid::Uuid;

use crate::decision::ranking_unit;
use crate::exact::amount;
use crate::tally::Tally;

/// The sentence of a quorum: the participation and the requirement.
pub(crate) fn quorum_sentence(result: &QuorumResult) -> String {
    let quorum = &result.quorum;
    let took_part = match quorum.attendance {
        AttendanceName::Present => "were present",
        AttendanceName::Voted => "voted",
    };
    let share = Share { comparison: quorum.comparison, numerator: quorum.numerator, denominator: quorum.denominator };
    [
        if result.is_met { "Quorum met: " } else { "Quorum missed: " },
        &format!("{} of {} in the register", plain(result.attending), plain(result.register)),
        &format!(" by {} {took_part}", quorum.unit.words()),
        &share_told(result.percent),
        "; ",
        &share.needed(result.needed.as_ref()),
    ]
    .concat()
}

/// The decision and its reason.
pub(crate) fn sentence(
    result: &RoundResult,
    tally: &Tally,
    decision: &DecisionFormat,
    checks: &[CheckFormat],
    quorum: Option<&QuorumResult>,
) -> String {
    let told = Told { result, tally, checks };
    match decision.outcome {
        Outcome::Undecided => "Not decided: the question has no decision rule".to_owned(),
        Outcome::QuorumMissed => quorum.map(|quorum| quorum.sentence.clone()).unwrap_or_default(),
        Outcome::Accepted => format!("Accepted: {}", told.conditions()),
        Outcome::Rejected => format!("Rejected: {}", told.conditions()),
        Outcome::Elected => {
            let names: Vec<String> = decision.elected.iter().map(|id| told.elected(*id)).collect();
            format!("Elected: {}{}", names.join("; "), told.rest(decision.tie.as_ref()))
        }
        Outcome::NotElected => format!("None is elected{}", told.rest(decision.tie.as_ref())),
    }
}

struct Share {
    comparison: ComparisonName,
    numerator: u32,
    denominator: u32,
}

impl Share {
    fn of(check: &CheckFormat) -> Self {
        Self { comparison: check.comparison, numerator: check.numerator, denominator: check.denominator }
    }

    fn needed(&self, needed: Option<&NeededFormat>) -> String {
        let Some(needed) = needed else {
            return "no share of nothing is enough".to_owned();
        };
        let share = format!("{} {}/{}", self.comparison.words(), self.numerator, self.denominator);
        let is_least = self.comparison == ComparisonName::MoreThan && needed.is_enough;
        let least = if is_least { "at least " } else { "" };
        let rounded_up = if needed.is_rounded_up { " (rounded up)" } else { "" };
        format!("{share}, that is {least}{}{rounded_up}, were needed", plain(needed.amount))
    }
}

struct Told<'a> {
    result: &'a RoundResult,
    tally: &'a Tally,
    checks: &'a [CheckFormat],
}

impl Told<'_> {
    fn conditions(&self) -> String {
        let told = self.checks.iter().map(|check| {
            let tie = match (check.is_tie, check.is_met) {
                (true, true) => "; a tie is accepted",
                (true, false) => "; a tie is rejected",
                (false, _) => "",
            };
            let met = match (self.checks.len(), check.is_met) {
                (1, _) => "",
                (_, true) => " (met)",
                (_, false) => " (not met)",
            };
            let (share, percent) = (part_of(check), share_told(check.percent));
            format!("{share} are yes{percent}; {}{tie}{met}", Share::of(check).needed(check.needed.as_ref()))
        });
        told.collect::<Vec<_>>().join("; and ")
    }

    fn elected(&self, id: Uuid) -> String {
        let checks = self.checks.iter().filter(|check| check.option == Some(id));
        let shares: Vec<String> =
            checks.map(|check| format!("{}{}", part_of(check), share_told(check.percent))).collect();
        if shares.is_empty() {
            let votes = amount(&self.tally.option(id).in_unit(self.unit()));
            return format!("{} with {}", self.text(id), self.votes(votes));
        }
        format!("{} with {}", self.text(id), shares.join(" and "))
    }

    /// The condition of the options, and the tie.
    fn rest(&self, tie: Option<&TieFormat>) -> String {
        let first = self.checks.first().and_then(|check| check.option);
        let conditions = self.checks.iter().filter(|check| check.option == first);
        let conditions: String = conditions
            .map(|check| format!("; of {}, {}", base(check), Share::of(check).needed(check.needed.as_ref())))
            .collect();
        let has_votes = self
            .result
            .options
            .iter()
            .any(|option| !amount(&self.tally.option(option.id).in_unit(self.unit())).is_zero());
        let open = match tie {
            Some(tie) => self.tie(tie),
            None if has_votes => String::new(),
            None => format!("; no option has votes by {}", self.unit().words()),
        };
        conditions + &open
    }

    fn tie(&self, tie: &TieFormat) -> String {
        let seats = match tie.seats {
            1 => "seat".to_owned(),
            seats => format!("{seats} seats"),
        };
        let names: Vec<&str> = tie.options.iter().map(|id| self.text(*id)).collect();
        let names = match names.split_last() {
            Some((last, others)) if !others.is_empty() => format!("{} and {last}", others.join(", ")),
            _ => names.concat(),
        };
        format!("; a tie for the last {seats} between {names} with {} each", self.votes(tie.votes))
    }

    fn unit(&self) -> UnitName {
        match &self.result.decision_rule {
            Some(DecisionRuleFormat::Plurality { unit, .. }) => *unit,
            Some(DecisionRuleFormat::EachOption { condition, .. }) => ranking_unit(condition.units),
            Some(DecisionRuleFormat::Majority { .. }) | None => UnitName::Heads,
        }
    }

    fn votes(&self, votes: Decimal) -> String {
        format!("{} votes by {}", plain(votes), self.unit().words())
    }

    fn text(&self, id: Uuid) -> &str {
        self.result.options.iter().find(|option| option.id == id).map_or("", |option| option.text.as_str())
    }
}

fn part_of(check: &CheckFormat) -> String {
    format!("{} of {}", plain(check.part), base(check))
}

fn base(check: &CheckFormat) -> String {
    let (whole, unit) = (plain(check.whole), check.unit.words());
    match (check.base, check.option) {
        (BaseName::VotesCast, None) => format!("{whole} votes by {unit}, abstentions included,"),
        (BaseName::YesPlusNo, _) | (BaseName::VotesCast, Some(_)) => format!("{whole} votes by {unit}"),
        (BaseName::WholeRegister, _) => format!("{whole} in the whole register by {unit}"),
        (BaseName::ConnectedAtOpening, _) => format!("{whole} present by {unit}"),
    }
}

fn share_told(percent: Option<Decimal>) -> String {
    percent.map(|percent| format!(", {percent} %")).unwrap_or_default()
}

fn plain(amount: Decimal) -> String {
    amount.normalize().to_string()
}
