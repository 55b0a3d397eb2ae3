use chrono::{DateTime, Utc};
use plenum_kernel::{OptionRole, QuestionType, Secrecy};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::decision_rule::same_names;
use crate::{
    ArithmeticFormat, CastingVoteFormat, Count, DecisionFormat, DecisionRuleFormat, ElectionResult, GroupResult,
    Outcome, PresenceRuleName, QuorumFormat, RecordMark, SecondWeightResult, WaysFormat, WeightKindFormat, exact,
    exact_option,
};

/// The kind of answer to a question.
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
    /// A whole number from 1 to the highest number of the scale.
    Rating,
    /// A number from 0 to 100.
    Percentage,
    /// Marks for candidates, as the method of the election says.
    Election,
}

/// The meaning of an option for a decision.
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
    /// One of several proposals or candidates.
    Choice,
}

/// Who can learn how a person voted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = Secrecy)]
pub enum SecrecyName {
    /// Results and exports show how each person voted.
    Named,
    /// Nobody is shown how a person voted. The operator's database contains it.
    Unshown,
    /// Ballots are sealed. When the votes are counted, they are opened once, only sums are kept, and the key is destroyed.
    Secret,
}

same_names!(SecrecyName, Secrecy, [Named, Unshown, Secret]);
same_names!(QuestionTypeName, QuestionType, [YesNo, MultipleChoice, OpenText, Rating, Percentage, Election]);
same_names!(OptionRoleName, OptionRole, [Yes, No, Abstain, Choice]);

/// The status of a round with a result, which has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ResultStatus {
    /// An organizer has seen the count.
    Counted,
    /// The result was declared. The round never changes again.
    Declared,
}

/// The declaration of a result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(example = json!({ "at": "2026-11-21T18:10:02Z", "by": "Maria Keller" }))]
pub struct Declaration {
    /// The time.
    pub at: DateTime<Utc>,
    /// The name of the actor at that time.
    pub by: String,
}

/// The count of an option.
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
    /// The meaning for the decision.
    pub role: OptionRoleName,
    /// The number of people who chose it.
    pub heads: u64,
    /// Their total weight.
    #[serde(with = "exact")]
    #[schema(value_type = f64)]
    pub weight: Decimal,
    /// The share of the votes cast by heads, in percent to 2 decimals. Null without votes. For display only.
    #[serde(with = "exact_option")]
    #[schema(value_type = Option<f64>, required)]
    pub heads_percent: Option<Decimal>,
    /// The share of the votes cast by weight, in percent to 2 decimals. Null without weight.
    #[serde(with = "exact_option")]
    #[schema(value_type = Option<f64>, required)]
    pub weight_percent: Option<Decimal>,
}

/// The count of a number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(example = json!({ "value": 4, "heads": 60, "weight": 66.5 }))]
pub struct ValueResult {
    /// The number.
    #[serde(with = "exact")]
    #[schema(value_type = f64)]
    pub value: Decimal,
    /// The number of people who gave it.
    pub heads: u64,
    /// Their total weight.
    #[serde(with = "exact")]
    #[schema(value_type = f64)]
    pub weight: Decimal,
}

/// The answers to a rating or percentage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "mean": 4.25, "weightedMean": 4.1875, "median": 4, "weightedMedian": 4,
    "distribution": [{ "value": 4, "heads": 60, "weight": 66.5 }, { "value": 5, "heads": 20, "weight": 20 }],
}))]
pub struct NumberResult {
    /// By heads, to 4 decimals. Null without votes.
    #[serde(with = "exact_option")]
    #[schema(value_type = Option<f64>, required)]
    pub mean: Option<Decimal>,
    /// By weight, to 4 decimals. Null without weight.
    #[serde(with = "exact_option")]
    #[schema(value_type = Option<f64>, required)]
    pub weighted_mean: Option<Decimal>,
    /// By heads. Null without votes.
    #[serde(with = "exact_option")]
    #[schema(value_type = Option<f64>, required)]
    pub median: Option<Decimal>,
    /// By weight. Null without weight.
    #[serde(with = "exact_option")]
    #[schema(value_type = Option<f64>, required)]
    pub weighted_median: Option<Decimal>,
    /// In order. A rating has an entry for each number of its scale.
    pub distribution: Vec<ValueResult>,
}

/// The count of a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(example = json!({ "text": "A longer break", "heads": 3, "weight": 3.5 }))]
pub struct TextAnswer {
    /// The text, trimmed.
    pub text: String,
    /// The number of people who gave it.
    pub heads: u64,
    /// Their total weight.
    #[serde(with = "exact")]
    #[schema(value_type = f64)]
    pub weight: Decimal,
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
    /// A person entered the register when voting was opened again.
    Joined,
    /// An organizer saw the count.
    Counted,
    /// The result was declared.
    Declared,
    /// A latecomer was admitted to the running round.
    Admitted,
    /// A person was excluded from the question.
    Excluded,
    /// Somebody other than the voter set the voter's password during the vote. The reason is null if voting was ended at that
    /// time and was opened again later.
    PasswordSet,
    /// A secret vote was opened, or counted, although votes could be inferred from its totals. The reason states which.
    RiskAccepted,
    /// A secret vote became void, because its key is lost.
    Voided,
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

impl RoundResult {
    /// Who can learn how a person voted, also in files of earlier versions.
    pub fn secrecy(&self) -> SecrecyName {
        self.secrecy.unwrap_or(if self.is_named { SecrecyName::Named } else { SecrecyName::Unshown })
    }

    /// Whether ballots were sealed.
    pub fn is_secret(&self) -> bool {
        self.secrecy == Some(SecrecyName::Secret)
    }

    /// Whether the quorum was missed. Then an election elects nobody, whatever its count says.
    pub fn is_quorum_missed(&self) -> bool {
        self.decision.outcome == Outcome::QuorumMissed
    }
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
    /// The name of the actor. Null if it happened automatically.
    #[schema(required)]
    pub by: Option<String>,
    /// The affected person, if there is one.
    #[schema(required)]
    pub person: Option<LoggedPerson>,
    /// The reason, if one was given.
    #[schema(required)]
    pub reason: Option<String>,
}

/// The result of an ended round. Screens and files only display it, and compute nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = example)]
pub struct RoundResult {
    /// The round's id.
    pub round_id: Uuid,
    /// The question's id.
    pub question_id: Uuid,
    /// The question's position on the agenda, from 1. A declared result keeps that of its declaration.
    pub position: u32,
    /// 1 for the first round of the question, 2 for its first re-vote.
    pub number: u32,
    /// The reason for the re-vote. Null for the first round.
    #[schema(required, example = json!(null))]
    pub reason: Option<String>,
    /// The status of the round.
    pub status: ResultStatus,
    /// The text of the question.
    pub question_text: String,
    /// The type of its answers.
    pub question_type: QuestionTypeName,
    /// The highest number of a rating.
    #[schema(required, example = json!(null))]
    pub rating_max: Option<u32>,
    /// The maximum number of choices. Null allows all options.
    #[schema(required, example = json!(null))]
    pub max_choices: Option<u32>,
    /// Whether the result shows how each person voted.
    pub is_named: bool,
    /// Who can learn how a person voted. Missing only in files of earlier versions, where `isNamed` tells it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = SecrecyName, required = true)]
    pub secrecy: Option<SecrecyName>,
    /// Whether every vote counted one: each person is in the register with the weight 1. Left out if not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    pub counts_heads: bool,
    /// The names of the groups that the question was for. Left out if it was for everybody.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub groups: Vec<String>,
    /// The kind that is counted as weight. Left out for the ordinary weight.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weight_kind: Option<WeightKindFormat>,
    /// The decision rule. Null without one.
    #[schema(required)]
    pub decision_rule: Option<DecisionRuleFormat>,
    /// The quorum. Null without one.
    #[schema(required, example = json!(null))]
    pub quorum: Option<QuorumFormat>,
    /// The time of the first opening.
    pub opened_at: DateTime<Utc>,
    /// The time of the last end.
    pub ended_at: DateTime<Utc>,
    /// The declaration. Null before it.
    #[schema(required, example = json!(null))]
    pub declared: Option<Declaration>,
    /// The voters.
    pub register: Count,
    /// The people who could vote and are not in the register, because they were not checked in. Together with the register they
    /// are the base of a quorum and of a share of the whole register. Missing without check-in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub absent: Option<Count>,
    /// Registered voters who were connected at opening, or with check-in, checked in. Voters who enter the register at a reopening count by that
    /// reopening.
    pub connected_at_opening: Count,
    /// The rule by which the present voters were counted.
    #[serde(default)]
    #[schema(required = true)]
    pub presence: PresenceRuleName,
    /// The present voters: the base and the quorum of those present. Missing only in files of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Count, required = true)]
    pub present: Option<Count>,
    /// Those who were not present, and for whom the holder of their proxy was. The quorum and the rule count them together with
    /// the present voters. Left out if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub represented: Option<Count>,
    /// How many ballots came which way, also invalid ones. Left out if all came from devices of voters and holders of proxies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ways: Option<WaysFormat>,
    /// All votes cast that count: without those in `invalid`. In an election also the ballots that its count finds invalid.
    pub votes_cast: Count,
    /// Registered voters without a vote.
    pub not_voted: Count,
    /// Ballots that do not count. Only a secret vote has any: other ballots are checked when they arrive, and an invalid one is
    /// refused. Ballots of an election that are invalid by its terms are not among them, but in `election.ballots.invalid`.
    pub invalid: Count,
    /// The counts of the options, in order. Empty for types without options. In an election they count the marks on all ballots,
    /// also on invalid ones, and decide nothing: the votes of the candidates are in `election`.
    pub options: Vec<OptionResult>,
    /// For RATING and PERCENTAGE.
    #[schema(required, example = json!(null))]
    pub numbers: Option<NumberResult>,
    /// For OPEN_TEXT: the number of different answers. The round's `answers` lists them.
    #[schema(required, example = json!(null))]
    pub different_texts: Option<u64>,
    /// The counts in each group, if the rule must be met in each of several groups. Left out otherwise.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub in_each: Vec<GroupResult>,
    /// The counts by the second weight. Left out if the question has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub second_weight: Option<SecondWeightResult>,
    /// The casting vote, if one was noted. Left out otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub casting_vote: Option<CastingVoteFormat>,
    /// The count of an election. Missing for other types. If `decision` says that the quorum was missed, it elects nobody.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub election: Option<Box<ElectionResult>>,
    /// The decision, with elected options.
    pub decision: DecisionFormat,
    /// The explanation of the decision.
    pub arithmetic: ArithmeticFormat,
    /// The log, the earliest entry first.
    pub log: Vec<LogEntry>,
    /// The mark of its record, once declared. Missing before, and in files of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<RecordMark>,
}

pub(crate) fn example() -> serde_json::Value {
    serde_json::json!({
        "roundId": "019a9d5e-0000-7000-8000-000000000007", "questionId": "019a9d5e-0000-7000-8000-000000000005",
        "position": 1, "number": 1, "reason": null, "status": "COUNTED", "questionText": "Do you approve the budget?",
        "questionType": "YES_NO", "ratingMax": null, "maxChoices": null, "isNamed": false, "secrecy": "unshown",
        "decisionRule": {
            "kind": "majority", "onTie": "rejected",
            "conditions": [{
                "units": "heads", "base": "yes_plus_no", "comparison": "more_than", "numerator": 1, "denominator": 2,
            }],
        },
        "quorum": null, "openedAt": "2026-11-21T18:04:05.120Z", "endedAt": "2026-11-21T18:09:41Z", "declared": null,
        "register": { "heads": 180, "weight": 201.5 }, "connectedAtOpening": { "heads": 170, "weight": 190 },
        "presence": "CONNECTED_OR_VOTED", "present": { "heads": 172, "weight": 193 },
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
