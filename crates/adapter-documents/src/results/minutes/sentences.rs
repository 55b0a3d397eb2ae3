//! The sentences of a quorum and of a majority, as a chair reads them out. Screens use the same ones.
//!
//! The sentences in [`RoundResult::arithmetic`] belong to the format of results and are longer: `plenum verify`
//! compares them letter by letter.

use plenum_result_format::{
    AttendanceName, BaseName, CastingVoteFormat, CheckFormat, ComparisonName, DecisionRuleFormat, MeasureName,
    NeededFormat, OnTieName, Outcome, QuorumResult, RecordMark, RoundResult, TimestampMark, UnitName, WeightKindFormat,
};
use rust_decimal::Decimal;

use super::Times;
use crate::results::labels::{self, grouped};

/// The quorum of a result in a sentence. `None` without a quorum.
pub(super) fn quorum_of(result: &RoundResult) -> Option<String> {
    let measured = result.arithmetic.quorum.as_ref()?;
    Some(quorum(measured, result.weight_kind.as_ref(), labels::has_proxies(result)))
}

/// "Quorum met: 8 present, 4 needed." By weight: "Quorum met: weight 8 present, 4 needed.", or with the name of the kind. With
/// proxies: "Quorum met: 8 present or represented, 4 needed."
fn quorum(result: &QuorumResult, kind: Option<&WeightKindFormat>, has_proxies: bool) -> String {
    let is_met = if result.is_met { "met" } else { "not met" };
    let weight = match (result.quorum.unit, kind) {
        (UnitName::Heads, _) => String::new(),
        (UnitName::Weight, None) => "weight ".to_owned(),
        (UnitName::Weight, Some(kind)) => format!("{} ", kind.name),
    };
    let took_part = match result.quorum.attendance {
        AttendanceName::Present if has_proxies => "present or represented",
        AttendanceName::Present => "present",
        AttendanceName::Voted => "voted",
    };
    let attending = grouped(result.attending);
    format!("Quorum {is_met}: {weight}{attending} {took_part}, {}.", needed(result.needed.as_ref()))
}

/// "4 needed", or "more than 4 needed".
fn needed(needed: Option<&NeededFormat>) -> String {
    match needed {
        Some(needed) if needed.is_enough => format!("{} needed", grouped(needed.amount)),
        Some(needed) => format!("more than {} needed", grouped(needed.amount)),
        None => "nobody may vote".to_owned(),
    }
}

/// The place of a decision in a survey.
const SURVEY: &str = "Survey. The answers are counted.";

/// The decision with its reason: "4 of 6 votes were yes; more than half was needed. Accepted."
pub(super) fn decision(result: &RoundResult) -> String {
    let arithmetic = &result.arithmetic;
    match (result.decision.outcome, &arithmetic.quorum) {
        (Outcome::Accepted | Outcome::Rejected | Outcome::CastingVoteOpen, _) => {
            let conditions: Vec<String> =
                arithmetic.checks.iter().map(|check| condition(check, CheckTerms::of(result))).collect();
            format!("{} {}.", conditions.join(" "), labels::outcome(result.decision.outcome))
        }
        (Outcome::Undecided, _) if labels::is_survey(result) => SURVEY.to_owned(),
        (Outcome::QuorumMissed, Some(missed)) => {
            quorum(missed, result.weight_kind.as_ref(), labels::has_proxies(result))
        }
        _ => format!("{}.", arithmetic.sentence),
    }
}

/// "4 of 6 votes were yes; more than half was needed." By weight: "By weight, 4 of 6 were yes; more than half was needed." By a kind of
/// weight: "Floor area: 4 of 6 m² were yes; more than half was needed."
fn condition(check: &CheckFormat, terms: CheckTerms<'_>) -> String {
    let counted = format!("{} of {}", grouped(check.part), grouped(check.whole));
    let is_one = [check.part, check.whole].contains(&Decimal::ONE);
    let (base, were) = (base(check.base, terms.has_proxies), if is_one { "was" } else { "were" });
    let votes = match (check.unit, terms.kind_of(check.unit)) {
        (MeasureName::Heads, _) if check.whole == Decimal::ONE => format!("{counted} vote{base} {were} yes"),
        (MeasureName::Heads, _) => format!("{counted} votes{base} {were} yes"),
        (MeasureName::Weight, None) => format!("By weight, {counted}{base} {were} yes"),
        (MeasureName::SecondWeight, None) => format!("By second weight, {counted}{base} {were} yes"),
        (_, Some(WeightKindFormat { name, unit, .. })) => {
            let unit = unit.as_ref().map(|unit| format!(" {unit}")).unwrap_or_default();
            format!("{name}: {counted}{unit}{base} {were} yes")
        }
    };
    let or = if check.alternative > 0 { "Or: " } else { "" };
    let within = check.group.as_ref().map(|name| format!("{name}: ")).unwrap_or_default();
    let (share, was) = share(check.numerator, check.denominator);
    let needed = format!("{} {share} {was} needed.", comparison(check.comparison));
    format!("{within}{or}{votes}; {needed}{}{}", tie(check, terms), minority(check))
}

/// The terms of a result by which its checks are told.
#[derive(Clone, Copy, Default)]
struct CheckTerms<'a> {
    has_casting_vote: bool,
    /// Whether the decision waits for the casting vote.
    waits_for_chair: bool,
    casting_vote: Option<&'a CastingVoteFormat>,
    kind: Option<&'a WeightKindFormat>,
    second_kind: Option<&'a WeightKindFormat>,
    has_proxies: bool,
}

impl<'a> CheckTerms<'a> {
    fn of(result: &'a RoundResult) -> Self {
        let has_casting_vote =
            matches!(&result.decision_rule, Some(DecisionRuleFormat::Majority { on_tie: OnTieName::CastingVote, .. }));
        Self {
            has_casting_vote,
            waits_for_chair: result.decision.outcome == Outcome::CastingVoteOpen,
            casting_vote: result.casting_vote.as_ref(),
            kind: result.weight_kind.as_ref(),
            second_kind: result.second_weight.as_ref().map(|second| &second.kind),
            has_proxies: labels::has_proxies(result),
        }
    }

    /// The kind of weight in which a check was measured, if by any.
    fn kind_of(self, unit: MeasureName) -> Option<&'a WeightKindFormat> {
        match unit {
            MeasureName::Heads => None,
            MeasureName::Weight => self.kind,
            MeasureName::SecondWeight => self.second_kind,
        }
    }
}

/// The base of a check, after a number of votes or a weight.
const fn base(base: BaseName, has_proxies: bool) -> &'static str {
    match base {
        BaseName::YesPlusNo => "",
        BaseName::VotesCast => ", abstentions included,",
        BaseName::VotesWithoutAbstentions => " without abstentions",
        BaseName::WholeRegister => " in the register",
        BaseName::ConnectedAtOpening if has_proxies => " present or represented",
        BaseName::ConnectedAtOpening => " present",
    }
}

/// " A tie is rejected.", or " A tie: the casting vote of Ada Young is yes."
fn tie(check: &CheckFormat, terms: CheckTerms<'_>) -> String {
    match (check.is_tie, terms.has_casting_vote && check.group.is_none(), terms.casting_vote) {
        (false, ..) => String::new(),
        (true, true, None) if terms.waits_for_chair => " A tie: the casting vote is open.".to_owned(),
        (true, true, None) => " A tie: a casting vote would not change the result.".to_owned(),
        (true, true, Some(cast)) => {
            let answer = if cast.in_favor { "yes" } else { "no" };
            format!(" A tie: the casting vote of {} is {answer}.", cast.cast_by)
        }
        (true, false, _) if check.is_met => " A tie is accepted.".to_owned(),
        (true, false, _) => " A tie is rejected.".to_owned(),
    }
}

/// " 3 people are not in favor; a blocking minority has 4." Empty without a blocking minority.
fn minority(check: &CheckFormat) -> String {
    let Some(blocking) = check.blocking else { return String::new() };
    let people = match blocking.against {
        1 => "1 person is".to_owned(),
        against => format!("{} people are", grouped(against)),
    };
    format!(" {people} not in favor; a blocking minority has {}.", grouped(blocking.minority))
}

const fn comparison(comparison: ComparisonName) -> &'static str {
    match comparison {
        ComparisonName::MoreThan => "more than",
        ComparisonName::AtLeast => "at least",
    }
}

/// "half", "two thirds", "75 %" or "5/32", with its verb. Nothing is rounded: 66.66 % are fewer than 66.67 %, and 2 of 3 votes are
/// two thirds.
fn share(numerator: u32, denominator: u32) -> (String, &'static str) {
    let [part, whole] = [numerator, denominator].map(u64::from);
    let named: [(u64, u64, &str, &str); 3] =
        [(1, 2, "half", "was"), (1, 3, "one third", "was"), (2, 3, "two thirds", "were")];
    if let Some((.., name, verb)) = named.into_iter().find(|(of, all, ..)| part * all == whole * of) {
        return (name.to_owned(), verb);
    }
    if (part * 10_000).is_multiple_of(whole) {
        let percent = Decimal::from(part * 100).checked_div(Decimal::from(whole)).unwrap_or_default();
        return (format!("{} %", grouped(percent)), "was");
    }
    (format!("{numerator}/{denominator}"), if numerator == 1 { "was" } else { "were" })
}

/// The record hash, and the key that signed it, in groups that people can compare.
pub(super) fn record(mark: &RecordMark, times: Times) -> String {
    let later = if mark.is_recorded_later { " It was recorded later." } else { "" };
    let timestamp = timestamp(mark.timestamp.as_ref(), times);
    format!("Record {}. Signed with the key {}.{later}{timestamp}", groups(&mark.hash), groups(&mark.key))
}

/// The authority and time of a record's timestamp, as a sentence after others. Empty without a timestamp.
pub(super) fn timestamp(mark: Option<&TimestampMark>, times: Times) -> String {
    mark.map(|mark| format!(" Timestamped by \u{2068}{}\u{2069} on {}.", mark.authority, times.second(mark.at)))
        .unwrap_or_default()
}

/// Hexadecimal digits in groups of four.
pub(super) fn groups(digits: &str) -> String {
    let groups = digits.as_bytes().chunks(4).map(String::from_utf8_lossy);
    groups.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use plenum_result_format::BlockingFormat;

    use super::*;

    fn check(unit: MeasureName, comparison: ComparisonName, share: (u32, u32), [part, whole]: [i64; 2]) -> CheckFormat {
        CheckFormat {
            option: None,
            unit,
            base: BaseName::YesPlusNo,
            comparison,
            numerator: share.0,
            denominator: share.1,
            part: Decimal::from(part),
            whole: Decimal::from(whole),
            percent: None,
            needed: None,
            group: None,
            alternative: 0,
            blocking: None,
            is_tie: false,
            is_met: true,
        }
    }

    #[test]
    fn a_condition_is_one_sentence_by_heads_and_by_weight() {
        let half = check(MeasureName::Heads, ComparisonName::MoreThan, (1, 2), [4, 6]);
        assert_eq!(condition(&half, CheckTerms::default()), "4 of 6 votes were yes; more than half was needed.");
        let two_thirds = check(MeasureName::Heads, ComparisonName::AtLeast, (2, 3), [4, 6]);
        assert_eq!(
            condition(&two_thirds, CheckTerms::default()),
            "4 of 6 votes were yes; at least two thirds were needed."
        );
        let one = |part, whole| check(MeasureName::Heads, ComparisonName::MoreThan, (1, 2), [part, whole]);
        let told = |part, whole| condition(&one(part, whole), CheckTerms::default());
        assert_eq!(told(1, 1), "1 of 1 vote was yes; more than half was needed.");
        assert_eq!(told(1, 3), "1 of 3 votes was yes; more than half was needed.");
        assert_eq!(told(0, 1), "0 of 1 vote was yes; more than half was needed.");
        let by_weight = check(MeasureName::Weight, ComparisonName::AtLeast, (3, 4), [4, 6]);
        assert_eq!(
            condition(&by_weight, CheckTerms::default()),
            "By weight, 4 of 6 were yes; at least 75 % was needed."
        );
        let kind = WeightKindFormat { id: uuid::Uuid::nil(), name: "Shares".to_owned(), unit: None, decimals: 0 };
        let by_kinds = CheckTerms { kind: Some(&kind), second_kind: Some(&kind), ..CheckTerms::default() };
        assert_eq!(condition(&by_weight, by_kinds), "Shares: 4 of 6 were yes; at least 75 % was needed.");
        let by_second = CheckFormat { unit: MeasureName::SecondWeight, ..by_weight };
        assert_eq!(condition(&by_second, by_kinds), "Shares: 4 of 6 were yes; at least 75 % was needed.");
        let of_present = CheckFormat { base: BaseName::ConnectedAtOpening, ..half.clone() };
        let with_proxies = CheckTerms { has_proxies: true, ..CheckTerms::default() };
        assert_eq!(
            condition(&of_present, with_proxies),
            "4 of 6 votes present or represented were yes; more than half was needed."
        );
        let tie = CheckFormat { is_tie: true, is_met: false, ..half };
        let counted = "4 of 6 votes were yes; more than half was needed.";
        assert_eq!(condition(&tie, CheckTerms::default()), format!("{counted} A tie is rejected."));
        let open = CheckTerms { has_casting_vote: true, waits_for_chair: true, ..CheckTerms::default() };
        assert_eq!(condition(&tie, open), format!("{counted} A tie: the casting vote is open."));
        let decided = CheckTerms { waits_for_chair: false, ..open };
        let no_matter = format!("{counted} A tie: a casting vote would not change the result.");
        assert_eq!(condition(&tie, decided), no_matter);
        let blocking = Some(BlockingFormat { minority: 4, against: 3 });
        let group = Some("Tenants".to_owned());
        let further = CheckFormat { is_tie: false, alternative: 1, group, blocking, ..tie };
        let minority = "3 people are not in favor; a blocking minority has 4.";
        assert_eq!(condition(&further, open), format!("Tenants: Or: {counted} {minority}"));
    }

    /// The front end's tests read the same examples.
    #[test]
    fn numbers_and_shares_read_as_on_screens() {
        let examples: serde_json::Value =
            serde_json::from_str(include_str!("../../../tests/number_texts.json")).unwrap();
        let numbers = examples["numbers"].as_array().unwrap();
        for example in numbers {
            let number: Decimal = example[0].to_string().parse().unwrap();
            assert_eq!(grouped(number), example[1]);
        }
        let shares = examples["shares"].as_array().unwrap();
        for example in shares {
            let [numerator, denominator] = [0, 1].map(|index| u32::try_from(example[index].as_u64().unwrap()).unwrap());
            let (text, verb) = share(numerator, denominator);
            assert_eq!([text.as_str(), verb], [2, 3].map(|index| example[index].as_str().unwrap()));
        }
        assert!(!numbers.is_empty() && !shares.is_empty());
    }

    #[test]
    fn a_quorum_is_one_sentence_by_heads_and_by_weight() {
        let result = |unit, attending, is_met| QuorumResult {
            quorum: plenum_result_format::QuorumFormat {
                comparison: Some(ComparisonName::AtLeast),
                numerator: Some(1),
                denominator: Some(2),
                minimum: None,
                unit,
                attendance: AttendanceName::Present,
            },
            attending: Decimal::from(attending),
            register: Decimal::from(8),
            percent: None,
            needed: Some(NeededFormat { amount: Decimal::from(4), is_enough: true, is_rounded_up: false }),
            is_met,
            sentence: String::new(),
        };
        let told = |result: &QuorumResult| quorum(result, None, false);
        assert_eq!(told(&result(UnitName::Heads, 8, true)), "Quorum met: 8 present, 4 needed.");
        assert_eq!(told(&result(UnitName::Heads, 3, false)), "Quorum not met: 3 present, 4 needed.");
        assert_eq!(told(&result(UnitName::Weight, 8, true)), "Quorum met: weight 8 present, 4 needed.");
        let with_proxies = quorum(&result(UnitName::Heads, 8, true), None, true);
        assert_eq!(with_proxies, "Quorum met: 8 present or represented, 4 needed.");
        let kind = WeightKindFormat { id: uuid::Uuid::nil(), name: "Shares".to_owned(), unit: None, decimals: 0 };
        let by_kind = quorum(&result(UnitName::Weight, 8, true), Some(&kind), false);
        assert_eq!(by_kind, "Quorum met: Shares 8 present, 4 needed.");
    }
}
