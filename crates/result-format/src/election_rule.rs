use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    AbstentionsName, BallotOrderName, BlankName, BordaScaleName, ComparisonName, DivisorsName, ListOrderName,
    MethodName, RefusedSeatName, RepetitionName, ShareBaseName, StrengthName, TieRuleName, TooManyRankedName,
    TreatmentName, UnansweredName, UnitName, UnrankedName, YesRankingName,
};

/// A required share of votes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(as = ElectionShare, example = json!({
    "base": "votes_cast", "comparison": "more_than", "numerator": 1, "denominator": 2,
}))]
pub struct ShareFormat {
    /// The whole.
    pub base: ShareBaseName,
    /// The comparison with the share.
    pub comparison: ComparisonName,
    /// The numerator of the share: from 1 to the denominator.
    pub numerator: u32,
    /// The denominator: from 1 to 1,000,000.
    pub denominator: u32,
}

/// What is known of a candidate beside the name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(as = CandidateNote, example = json!({ "line": "Flat 12", "about": null, "isWithdrawn": false }))]
pub struct CandidateNoteFormat {
    /// A line under the name, of at most 120 characters.
    #[serde(default)]
    pub line: Option<String>,
    /// A short text, of at most 1,000 characters.
    #[serde(default)]
    pub about: Option<String>,
    /// Whether the candidate withdrew.
    #[serde(default)]
    pub is_withdrawn: bool,
}

/// A list with its candidates by number, in its order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(as = ElectionList, example = json!({ "name": "Greens", "candidates": [1, 2] }))]
pub struct ListFormat {
    /// The name, of at most 120 characters.
    pub name: String,
    /// The candidates.
    pub candidates: Vec<u32>,
}

/// The ballot that an election continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = FollowedBallot, example = json!({ "round": "019a9d5e-0000-7000-8000-000000000007", "ballot": 2 }))]
pub struct FollowedBallotFormat {
    /// The round of that ballot.
    pub round: Uuid,
    /// The number of the ballot that follows it, from 2.
    pub ballot: u32,
}

/// The terms of an election: general fields, and those of the method. A field of another method is refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(as = ElectionRule, example = json!({
    "method": "approval", "seats": 2, "unit": "heads", "ties": "lot", "abstentions": "are_votes_cast",
    "blank": "invalid", "noneOfTheAbove": false, "leastSupport": null, "order": "as_entered", "orderSeed": null,
    "candidates": [], "leastChoices": 1, "mostChoices": null, "repeatedChoices": "counts_once",
}))]
pub struct ElectionRuleFormat {
    /// The method.
    pub method: MethodName,
    /// The number of seats. Null if everybody who meets the conditions is elected. By default 1.
    #[serde(default = "one_seat")]
    pub seats: Option<u32>,
    /// The unit of the count. By default heads.
    #[serde(default = "heads")]
    pub unit: UnitName,
    /// What follows a tie. By default a lot.
    #[serde(default = "lot")]
    pub ties: TieRuleName,
    /// The effect of abstentions. By default they are votes cast.
    #[serde(default = "votes_cast")]
    pub abstentions: AbstentionsName,
    /// The meaning of a ballot without any mark. By default it is invalid.
    #[serde(default = "invalid")]
    pub blank: BlankName,
    /// Whether "none of the above" is on the ballot.
    #[serde(default)]
    pub none_of_the_above: bool,
    /// The least support of a candidate or a list.
    #[serde(default)]
    pub least_support: Option<ShareFormat>,
    /// The order of the candidates on the ballot.
    #[serde(default)]
    pub order: BallotOrderName,
    /// The seed of the order by lot. Drawn if it is missing.
    #[serde(default)]
    pub order_seed: Option<String>,
    /// What is known of each candidate, in the order of the options. Empty if nothing is.
    #[serde(default)]
    pub candidates: Vec<CandidateNoteFormat>,
    /// What follows if an elected person declines. By default the next one moves up.
    #[serde(default = "next_moves_up", skip_serializing_if = "is_default")]
    #[schema(required = false)]
    pub declined: RefusedSeatName,
    /// The ballot that this one continues. Set by the next ballot of a result, and left out for a first ballot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub follows: Option<FollowedBallotFormat>,
    /// `per_candidate`, `plurality`: the share that elects.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requirement: Option<ShareFormat>,
    /// `per_candidate`: who gets the seats if there are fewer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub yes_ranking: Option<YesRankingName>,
    /// `per_candidate`: the meaning of a missing answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unanswered: Option<UnansweredName>,
    /// `plurality`, `approval`: the smallest number of choices.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub least_choices: Option<u32>,
    /// `plurality`, `approval`, `lists`: the largest number of choices.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub most_choices: Option<u32>,
    /// `plurality`, `approval`: the effect of a repeated choice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeated_choices: Option<RepetitionName>,
    /// `cumulative`: the votes of each voter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub votes: Option<u32>,
    /// `cumulative`: the most votes for one candidate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub most_for_one: Option<u32>,
    /// `cumulative`: whether a ballot with fewer votes is invalid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub needs_all_votes: Option<bool>,
    /// `score`: the most points for one candidate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<u32>,
    /// `score`: the smallest number of candidates with points or a zero.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub least_marked: Option<u32>,
    /// Rankings: the effect of a skipped rank.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skipped_ranks: Option<TreatmentName>,
    /// Rankings: the number of consecutive skipped ranks that have no effect.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tolerated_gap: Option<u32>,
    /// Rankings: the effect of a candidate who was ranked before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeated_ranks: Option<TreatmentName>,
    /// Rankings: the effect of several candidates in one rank, where they may not be equal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub equal_ranks: Option<TreatmentName>,
    /// Rankings: the smallest number of ranked candidates.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub least_ranks: Option<u32>,
    /// Rankings: the largest number of ranked candidates.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub most_ranks: Option<u32>,
    /// Rankings: the effect of more ranked candidates.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub too_many_ranks: Option<TooManyRankedName>,
    /// `irv`: whether earlier stages decide ties first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ties_by_earlier_stages: Option<bool>,
    /// `schulze`, `borda`: whether candidates can share a rank.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allows_equal: Option<bool>,
    /// `schulze`: the measure of a victory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strength: Option<StrengthName>,
    /// `borda`: the points of the places.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale: Option<BordaScaleName>,
    /// `borda`: the points of the other candidates.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unranked: Option<UnrankedName>,
    /// `lists`: the divisors.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub divisors: Option<DivisorsName>,
    /// `lists`: the lists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lists: Option<Vec<ListFormat>>,
    /// `lists`: the order of the candidates of a list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub list_order: Option<ListOrderName>,
}

fn is_default(declined: &RefusedSeatName) -> bool {
    *declined == next_moves_up()
}

pub(crate) const fn next_moves_up() -> RefusedSeatName {
    RefusedSeatName::NextMovesUp
}

pub(crate) const fn one_seat() -> Option<u32> {
    Some(1)
}

pub(crate) const fn heads() -> UnitName {
    UnitName::Heads
}

pub(crate) const fn lot() -> TieRuleName {
    TieRuleName::Lot
}

pub(crate) const fn votes_cast() -> AbstentionsName {
    AbstentionsName::AreVotesCast
}

pub(crate) const fn invalid() -> BlankName {
    BlankName::Invalid
}
