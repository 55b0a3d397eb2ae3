use chrono::{DateTime, Utc};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{BaseName, ComparisonName, MeasureName, QuorumFormat, exact, exact_option};

/// The decision that follows from a tally.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The question has no rule.
    Undecided,
    /// Too few voters took part.
    QuorumMissed,
    /// Every condition was met.
    Accepted,
    /// A condition was not met.
    Rejected,
    /// The votes are equal, and the casting vote was not noted yet.
    CastingVoteOpen,
    /// At least one option is elected.
    Elected,
    /// No option is elected.
    NotElected,
}

/// Options with equal votes for the last seats, more of them than seats. None of them is elected.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = Tie, example = json!({
    "options": ["019a9d5e-0000-7000-8000-000000000008", "019a9d5e-0000-7000-8000-000000000009"], "votes": 41, "seats": 1,
}))]
pub struct TieFormat {
    /// The tied options, in order.
    pub options: Vec<Uuid>,
    /// The votes of each, in the unit of the rule.
    #[serde(with = "exact")]
    #[schema(value_type = f64)]
    pub votes: Decimal,
    /// The number of remaining seats.
    pub seats: u32,
}

/// The decision, with elected options.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = Decision, example = json!({ "outcome": "accepted", "elected": [], "tie": null }))]
pub struct DecisionFormat {
    /// The decision.
    pub outcome: Outcome,
    /// The elected options. With seats, those with more votes come first.
    pub elected: Vec<Uuid>,
    /// The tie for the remaining seats.
    #[schema(required, example = json!(null))]
    pub tie: Option<TieFormat>,
}

/// The amount that a threshold requires.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Needed, example = json!({ "amount": 403, "isEnough": false, "isRoundedUp": false }))]
pub struct NeededFormat {
    /// The amount. In heads it is the smallest sufficient number of people.
    #[serde(with = "exact")]
    #[schema(value_type = f64)]
    pub amount: Decimal,
    /// Whether this amount is enough. Otherwise more is needed, at least 0.0001, or 0.000001 if the whole has more than 4 decimals.
    pub is_enough: bool,
    /// Whether the share of the weight has more decimals. Then the amount is the smallest sufficient weight.
    pub is_rounded_up: bool,
}

/// A condition in one unit, with its numbers and outcome.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Check, example = json!({
    "option": null, "unit": "weight", "base": "yes_plus_no", "comparison": "more_than", "numerator": 2, "denominator": 3,
    "part": 412.5, "whole": 604.5, "percent": 68.24,
    "needed": { "amount": 403, "isEnough": false, "isRoundedUp": false }, "isTie": false, "isMet": true,
}))]
pub struct CheckFormat {
    /// The option. Null for the yes of a question.
    #[schema(required, example = json!(null))]
    pub option: Option<Uuid>,
    /// The unit.
    pub unit: MeasureName,
    /// The base of the share.
    pub base: BaseName,
    /// The comparison with the share.
    pub comparison: ComparisonName,
    /// The numerator of the share.
    pub numerator: u32,
    /// The denominator.
    pub denominator: u32,
    /// The votes for it.
    #[serde(with = "exact")]
    #[schema(value_type = f64)]
    pub part: Decimal,
    /// The amount of the base.
    #[serde(with = "exact")]
    #[schema(value_type = f64)]
    pub whole: Decimal,
    /// The share, in percent to 2 decimals. Null if the base is zero.
    #[serde(with = "exact_option")]
    #[schema(value_type = Option<f64>, required)]
    pub percent: Option<Decimal>,
    /// The needed amount. Null if the base is zero, because then no amount is enough.
    #[schema(required)]
    pub needed: Option<NeededFormat>,
    /// The name of the group among whose members it was measured. Left out for all voters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub group: Option<String>,
    /// The place of the alternative to which the condition belongs, from 0. Left out for the first one.
    #[serde(default, skip_serializing_if = "is_first")]
    #[schema(required = false)]
    pub alternative: u32,
    /// Those who are not in favor, if the condition has a blocking minority. Left out without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub blocking: Option<BlockingFormat>,
    /// Whether yes and no were equal, if more than half of the two is required.
    pub is_tie: bool,
    /// Whether it was met, also by a tie that counts as a majority.
    pub is_met: bool,
}

fn is_first(place: &u32) -> bool {
    *place == 0
}

/// The people who are not in favor, compared with a blocking minority.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = Blocking, example = json!({ "minority": 4, "against": 3 }))]
pub struct BlockingFormat {
    /// The smallest number of people who can prevent the decision.
    pub minority: u32,
    /// The people of the base who are not in favor. If they are fewer, and somebody is in favor, the condition is met.
    pub against: u64,
}

/// The vote with which the chair decides a tie.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CastingVote, example = json!({
    "inFavor": true, "castBy": "Ada Young", "at": "2026-11-21T18:09:58Z", "notedBy": "Maria Keller",
}))]
pub struct CastingVoteFormat {
    /// Whether it is in favor.
    pub in_favor: bool,
    /// The name of the person who cast it.
    pub cast_by: String,
    /// The time at which it was noted.
    pub at: DateTime<Utc>,
    /// The name of the organizer who noted it.
    #[schema(required)]
    pub noted_by: Option<String>,
}

/// A quorum with its numbers and outcome.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "quorum": {
        "comparison": "at_least", "numerator": 1, "denominator": 2, "unit": "heads", "attendance": "present",
    },
    "attending": 164, "register": 180, "percent": 91.11,
    "needed": { "amount": 90, "isEnough": true, "isRoundedUp": false }, "isMet": true,
    "sentence": "Quorum met: 164 of 180 in the register by heads were present, 91.11 %; at least 1/2, that is 90, were needed",
}))]
pub struct QuorumResult {
    /// The requirement.
    pub quorum: QuorumFormat,
    /// The part of the register that took part, in the quorum's unit.
    #[serde(with = "exact")]
    #[schema(value_type = f64)]
    pub attending: Decimal,
    /// The register.
    #[serde(with = "exact")]
    #[schema(value_type = f64)]
    pub register: Decimal,
    /// The share, in percent to 2 decimals. Null for an empty register.
    #[serde(with = "exact_option")]
    #[schema(value_type = Option<f64>, required)]
    pub percent: Option<Decimal>,
    /// The needed amount. Null for an empty register.
    #[schema(required)]
    pub needed: Option<NeededFormat>,
    /// Whether it was met.
    pub is_met: bool,
    /// A sentence, without a full stop.
    pub sentence: String,
}

/// The explanation of a decision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = Arithmetic, example = json!({
    "checks": [], "quorum": null, "sentence": "Not decided: the question has no decision rule",
}))]
pub struct ArithmeticFormat {
    /// Each condition in each of its units, for each option if options need their own majority.
    pub checks: Vec<CheckFormat>,
    /// The quorum, if there was one.
    #[schema(required, example = json!(null))]
    pub quorum: Option<QuorumResult>,
    /// The decision and its reason, as a sentence without a full stop. After an election, further sentences can follow it.
    pub sentence: String,
}
