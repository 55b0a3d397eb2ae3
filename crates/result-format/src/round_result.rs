use chrono::{DateTime, Utc};
use plenum_kernel::{OptionRole, QuestionType};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::decision_rule::same_names;
use crate::{BaseName, ComparisonName, Count, DecisionRuleFormat, QuorumFormat, UnitName, exact, exact_option};

/// What kind of answer a question asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[schema(as = QuestionType)]
pub enum QuestionTypeName {
    /// Exactly one of the options.
    YesNo,
    /// One or more of the options.
    MultipleChoice,
    /// A text in the voter's own words.
    OpenText,
    /// A whole number from 1 to the top of the scale.
    Rating,
    /// A number from 0 to 100.
    Percentage,
}

/// What an option means for a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = OptionRole)]
pub enum OptionRoleName {
    /// In favor.
    Yes,
    /// Against.
    No,
    /// Present, but neither for nor against.
    Abstain,
    /// One of several things or people to choose from.
    Choice,
}

same_names!(QuestionTypeName, QuestionType, [YesNo, MultipleChoice, OpenText, Rating, Percentage]);
same_names!(OptionRoleName, OptionRole, [Yes, No, Abstain, Choice]);

/// How far a round has come. A result exists after the end only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ResultStatus {
    /// An organizer has seen the count.
    Counted,
    /// The result was declared; nothing about it changes any more.
    Declared,
}

/// When a result was declared, and by whom.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(example = json!({ "at": "2026-11-21T18:10:02Z", "by": "Maria Keller" }))]
pub struct Declaration {
    /// The time.
    pub at: DateTime<Utc>,
    /// The name of who did it, as it was then.
    pub by: String,
}

/// How many chose an option.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "id": "019a9d5e-0000-7000-8000-000000000008", "text": "Yes", "role": "yes", "heads": 120, "weight": 140.5,
    "headsPercent": 73.17, "weightPercent": 76.67,
}))]
pub struct OptionResult {
    /// Its id.
    pub id: Uuid,
    /// The text.
    pub text: String,
    /// What it means for the decision.
    pub role: OptionRoleName,
    /// How many people chose it.
    pub heads: u64,
    /// What they weigh together.
    #[serde(with = "exact")]
    #[schema(value_type = f64)]
    pub weight: Decimal,
    /// The share of the votes cast by heads, to 2 decimals; null without votes. For reading: nothing is decided by it.
    #[serde(with = "exact_option")]
    #[schema(value_type = Option<f64>, required)]
    pub heads_percent: Option<Decimal>,
    /// The share of the votes cast by weight, to 2 decimals; null without weight.
    #[serde(with = "exact_option")]
    #[schema(value_type = Option<f64>, required)]
    pub weight_percent: Option<Decimal>,
}

/// How many gave a number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(example = json!({ "value": 4, "heads": 60, "weight": 66.5 }))]
pub struct ValueResult {
    /// The number.
    #[serde(with = "exact")]
    #[schema(value_type = f64)]
    pub value: Decimal,
    /// How many people gave it.
    pub heads: u64,
    /// What they weigh together.
    #[serde(with = "exact")]
    #[schema(value_type = f64)]
    pub weight: Decimal,
}

/// The numbers that were given as ratings or percentages.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "mean": 4.25, "weightedMean": 4.1875, "median": 4, "weightedMedian": 4,
    "distribution": [{ "value": 4, "heads": 60, "weight": 66.5 }, { "value": 5, "heads": 20, "weight": 20 }],
}))]
pub struct NumberResult {
    /// By heads, to 4 decimals; null without votes.
    #[serde(with = "exact_option")]
    #[schema(value_type = Option<f64>, required)]
    pub mean: Option<Decimal>,
    /// By weight, to 4 decimals; null without weight.
    #[serde(with = "exact_option")]
    #[schema(value_type = Option<f64>, required)]
    pub weighted_mean: Option<Decimal>,
    /// By heads; null without votes.
    #[serde(with = "exact_option")]
    #[schema(value_type = Option<f64>, required)]
    pub median: Option<Decimal>,
    /// By weight; null without weight.
    #[serde(with = "exact_option")]
    #[schema(value_type = Option<f64>, required)]
    pub weighted_median: Option<Decimal>,
    /// In order; a rating has a place for every step of its scale.
    pub distribution: Vec<ValueResult>,
}

/// How many gave the same text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(example = json!({ "text": "A longer break", "heads": 3, "weight": 3.5 }))]
pub struct TextAnswer {
    /// The text, trimmed.
    pub text: String,
    /// How many people gave it.
    pub heads: u64,
    /// What they weigh together.
    #[serde(with = "exact")]
    #[schema(value_type = f64)]
    pub weight: Decimal,
}

/// What follows from a tally.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The question has no rule.
    Undecided,
    /// Too few took part.
    QuorumMissed,
    /// Every condition was met.
    Accepted,
    /// A condition was not met.
    Rejected,
    /// At least one option is elected.
    Elected,
    /// No option is elected.
    NotElected,
}

/// Options with the same votes at the border, more of them than there are seats left. None of them is elected.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = Tie, example = json!({
    "options": ["019a9d5e-0000-7000-8000-000000000008", "019a9d5e-0000-7000-8000-000000000009"], "votes": 41, "seats": 1,
}))]
pub struct TieFormat {
    /// The options that are even, in their order.
    pub options: Vec<Uuid>,
    /// What each of them has, in the unit of the rule.
    #[serde(with = "exact")]
    #[schema(value_type = f64)]
    pub votes: Decimal,
    /// How many seats are left for them.
    pub seats: u32,
}

/// What was decided.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = Decision, example = json!({ "outcome": "accepted", "elected": [], "tie": null }))]
pub struct DecisionFormat {
    /// The decision.
    pub outcome: Outcome,
    /// The options that are elected; the ones with more votes first where seats are filled.
    pub elected: Vec<Uuid>,
    /// What is open beyond them.
    #[schema(required, example = json!(null))]
    pub tie: Option<TieFormat>,
}

/// How much a threshold asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Needed, example = json!({ "amount": 403, "isEnough": false, "isRoundedUp": false }))]
pub struct NeededFormat {
    /// The amount; in heads the least number of people that is enough.
    #[serde(with = "exact")]
    #[schema(value_type = f64)]
    pub amount: Decimal,
    /// Whether this amount is enough; else it must be more, be it by 0.0001.
    pub is_enough: bool,
    /// Whether the share of the weight has more than 4 decimals. The amount is then the least weight that is enough.
    pub is_rounded_up: bool,
}

/// A condition in one unit, with the figures by which it was met or not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Check, example = json!({
    "option": null, "unit": "weight", "base": "yes_plus_no", "comparison": "more_than", "numerator": 2, "denominator": 3,
    "part": 412.5, "whole": 604.5, "percent": 68.24,
    "needed": { "amount": 403, "isEnough": false, "isRoundedUp": false }, "isTie": false, "isMet": true,
}))]
pub struct CheckFormat {
    /// The option that was measured; null where it was the yes of a question.
    #[schema(required, example = json!(null))]
    pub option: Option<Uuid>,
    /// In what it was counted.
    pub unit: UnitName,
    /// Of what the share was taken.
    pub base: BaseName,
    /// On which side of the share it had to be.
    pub comparison: ComparisonName,
    /// What stands above the line of the share.
    pub numerator: u32,
    /// What stands below the line.
    pub denominator: u32,
    /// The votes for it.
    #[serde(with = "exact")]
    #[schema(value_type = f64)]
    pub part: Decimal,
    /// The base.
    #[serde(with = "exact")]
    #[schema(value_type = f64)]
    pub whole: Decimal,
    /// The share, in percent to 2 decimals; null of nothing.
    #[serde(with = "exact_option")]
    #[schema(value_type = Option<f64>, required)]
    pub percent: Option<Decimal>,
    /// How much was needed; null of nothing, where nothing is enough.
    #[schema(required)]
    pub needed: Option<NeededFormat>,
    /// Whether yes and no were even where more than half of the two is wanted.
    pub is_tie: bool,
    /// Whether it was met, also by a tie that is as good as a majority.
    pub is_met: bool,
}

/// A quorum with the figures by which it was met or missed.
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
    /// How much of the register took part, in the quorum's unit.
    #[serde(with = "exact")]
    #[schema(value_type = f64)]
    pub attending: Decimal,
    /// The register.
    #[serde(with = "exact")]
    #[schema(value_type = f64)]
    pub register: Decimal,
    /// The share, in percent to 2 decimals; null of an empty register.
    #[serde(with = "exact_option")]
    #[schema(value_type = Option<f64>, required)]
    pub percent: Option<Decimal>,
    /// How much was needed; null of an empty register.
    #[schema(required)]
    pub needed: Option<NeededFormat>,
    /// Whether it was met.
    pub is_met: bool,
    /// The same in words, without a full stop.
    pub sentence: String,
}

/// The reason why a decision follows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = Arithmetic, example = json!({
    "checks": [], "quorum": null, "sentence": "Not decided: the question has no decision rule",
}))]
pub struct ArithmeticFormat {
    /// Each condition in each of its units; for each option where options need a majority of their own.
    pub checks: Vec<CheckFormat>,
    /// The quorum, if there was one.
    #[schema(required, example = json!(null))]
    pub quorum: Option<QuorumResult>,
    /// The decision and its reason, as a sentence without a full stop.
    pub sentence: String,
}

/// The kind of an action on a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum LogKind {
    /// Voting was opened for the first time.
    Opened,
    /// Voting was ended.
    Ended,
    /// Voting was opened again, with the votes that had been cast.
    Reopened,
    /// An organizer saw the count.
    Counted,
    /// The result was declared.
    Declared,
    /// A latecomer was admitted to the running round.
    Admitted,
    /// A person was excluded from the question.
    Excluded,
}

/// The person affected by the action, as of that time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(example = json!({ "name": "Ada Young", "username": "ada.young", "weight": 1.5 }))]
pub struct LoggedPerson {
    /// The full name.
    pub name: String,
    /// The username at that time.
    pub username: String,
    /// The voting weight.
    #[serde(with = "exact")]
    #[schema(value_type = f64)]
    pub weight: Decimal,
}

/// An action on a round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(example = json!({
    "at": "2026-11-21T18:06:00Z", "kind": "ADMITTED", "by": "Maria Keller",
    "person": { "name": "Ada Young", "username": "ada.young", "weight": 1.5 }, "reason": "Came late",
}))]
pub struct LogEntry {
    /// The time.
    pub at: DateTime<Utc>,
    /// The kind of action.
    pub kind: LogKind,
    /// The name of who did it; null when it happened by itself.
    #[schema(required)]
    pub by: Option<String>,
    /// The affected person, if there is one.
    #[schema(required)]
    pub person: Option<LoggedPerson>,
    /// The reason, if one was given.
    #[schema(required)]
    pub reason: Option<String>,
}

/// The result of a round that has ended. Every screen and every file shows this and computes nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = example)]
pub struct RoundResult {
    /// The round's id.
    pub round_id: Uuid,
    /// The question's id.
    pub question_id: Uuid,
    /// The question's place on the agenda, from 1.
    pub position: u32,
    /// 1 for the first round of the question, 2 for its first re-vote.
    pub number: u32,
    /// The reason why the question was voted on once more; null for its first round.
    #[schema(required, example = json!(null))]
    pub reason: Option<String>,
    /// How far the round has come.
    pub status: ResultStatus,
    /// What was asked.
    pub question_text: String,
    /// What kind of answer was asked for.
    pub question_type: QuestionTypeName,
    /// The top of the scale of a rating.
    #[schema(required, example = json!(null))]
    pub rating_max: Option<u32>,
    /// How many options could be chosen; as many as there are when null.
    #[schema(required, example = json!(null))]
    pub max_choices: Option<u32>,
    /// Whether the result shows how each person voted.
    pub is_named: bool,
    /// By what it was decided; null when by nothing.
    #[schema(required)]
    pub decision_rule: Option<DecisionRuleFormat>,
    /// The quorum; null when there was none.
    #[schema(required, example = json!(null))]
    pub quorum: Option<QuorumFormat>,
    /// When voting was first opened.
    pub opened_at: DateTime<Utc>,
    /// When voting was last ended.
    pub ended_at: DateTime<Utc>,
    /// When and by whom the result was declared; null before it is.
    #[schema(required, example = json!(null))]
    pub declared: Option<Declaration>,
    /// The voters.
    pub register: Count,
    /// Registered voters who were connected when voting was opened.
    pub connected_at_opening: Count,
    /// All votes cast.
    pub votes_cast: Count,
    /// Registered voters without a vote.
    pub not_voted: Count,
    /// Ballots that do not count. Always zero: the server checks a ballot when it arrives, and refuses an invalid one.
    pub invalid: Count,
    /// In order; empty for types without options.
    pub options: Vec<OptionResult>,
    /// For RATING and PERCENTAGE.
    #[schema(required, example = json!(null))]
    pub numbers: Option<NumberResult>,
    /// For OPEN_TEXT: how many different answers there are. They are listed by the round's `answers`.
    #[schema(required, example = json!(null))]
    pub different_texts: Option<u64>,
    /// What was decided.
    pub decision: DecisionFormat,
    /// Why.
    pub arithmetic: ArithmeticFormat,
    /// What was done with the round, the earliest first.
    pub log: Vec<LogEntry>,
}

fn example() -> serde_json::Value {
    serde_json::json!({
        "roundId": "019a9d5e-0000-7000-8000-000000000007", "questionId": "019a9d5e-0000-7000-8000-000000000005",
        "position": 1, "number": 1, "reason": null, "status": "COUNTED", "questionText": "Do you approve the budget?",
        "questionType": "YES_NO", "ratingMax": null, "maxChoices": null, "isNamed": false,
        "decisionRule": {
            "kind": "majority", "onTie": "rejected",
            "conditions": [{
                "units": "heads", "base": "yes_plus_no", "comparison": "more_than", "numerator": 1, "denominator": 2,
            }],
        },
        "quorum": null, "openedAt": "2026-11-21T18:04:05.120Z", "endedAt": "2026-11-21T18:09:41Z", "declared": null,
        "register": { "heads": 180, "weight": 201.5 }, "connectedAtOpening": { "heads": 170, "weight": 190 },
        "votesCast": { "heads": 164, "weight": 183.25 }, "notVoted": { "heads": 16, "weight": 18.25 },
        "invalid": { "heads": 0, "weight": 0 },
        "options": [
            {
                "id": "019a9d5e-0000-7000-8000-000000000008", "text": "Yes", "role": "yes", "heads": 120,
                "weight": 140.5, "headsPercent": 73.17, "weightPercent": 76.67,
            },
            {
                "id": "019a9d5e-0000-7000-8000-000000000009", "text": "No", "role": "no", "heads": 44,
                "weight": 42.75, "headsPercent": 26.83, "weightPercent": 23.33,
            },
        ],
        "numbers": null, "differentTexts": null, "decision": { "outcome": "accepted", "elected": [], "tie": null },
        "arithmetic": {
            "checks": [{
                "option": null, "unit": "heads", "base": "yes_plus_no", "comparison": "more_than", "numerator": 1,
                "denominator": 2, "part": 120, "whole": 164, "percent": 73.17,
                "needed": { "amount": 83, "isEnough": true, "isRoundedUp": false }, "isTie": false, "isMet": true,
            }],
            "quorum": null,
            "sentence": "Accepted: 120 of 164 votes by heads are yes, 73.17 %; more than 1/2, that is at least 83, were needed",
        },
        "log": [
            { "at": "2026-11-21T18:04:05.120Z", "kind": "OPENED", "by": "Maria Keller", "person": null, "reason": null },
        ],
    })
}
