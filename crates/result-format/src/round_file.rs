use chrono::{DateTime, Utc};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{RecordSeal, RoundResult, TextAnswer, exact, exact_option};

/// A person in the register of a round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RegisteredVoter {
    /// The position in this register, from 1. Ballots of named votes refer to it.
    pub place: u32,
    /// The full name at that time.
    pub name: String,
    /// The username at that time.
    pub username: String,
    /// The voting weight.
    #[serde(with = "exact")]
    #[schema(value_type = f64)]
    pub weight: Decimal,
    /// The second weight. Left out if the round has none.
    #[serde(default, with = "exact_option", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<f64>, nullable = false)]
    pub second_weight: Option<Decimal>,
    /// The time of registration.
    pub added_at: DateTime<Utc>,
    /// Whether the person was connected at opening, or at the reopening that registered them.
    pub was_connected: bool,
    /// Whether the person has voted.
    pub has_voted: bool,
    /// The names of the groups to which the person belongs, of those in which the rule must be met. Left out if empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub groups: Vec<String>,
    /// The holder of the person's proxy that was in force at opening. Left out without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub represented_by: Option<ProxyHolder>,
    /// Whether the holder was connected at opening and the person was not. Left out if not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    pub was_represented: bool,
    /// Whether the holder has cast the vote of the person. Left out if not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    pub voted_by_proxy: bool,
    /// Where the vote of the person was cast. Left out without a vote, and for a device of the person or the holder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cast_on: Option<CastOnName>,
}

/// Where a vote was cast, if not on a device of the voter or of the holder of their proxy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[schema(as = CastOn)]
pub enum CastOnName {
    /// On paper, entered by one teller and confirmed by another.
    Paper,
    /// On the device of a voting place, after a helper identified the voter.
    VotingPlace,
}

/// The holder of a proxy, who can cast the vote of a person in the register.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "name": "Ben Birch", "username": "ben" }))]
pub struct ProxyHolder {
    /// The full name at that time.
    pub name: String,
    /// The username at that time.
    pub username: String,
    /// The place of the written proof. Left out without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
}

/// A number with all digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(transparent)]
#[schema(value_type = f64)]
pub struct ExactNumber(#[serde(with = "exact")] pub Decimal);

/// The answer.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum BallotAnswer {
    /// The ids of the chosen options.
    Options(Vec<Uuid>),
    /// A rating or a percentage.
    Number(ExactNumber),
    /// A text.
    Text(String),
}

/// Counted ballots. A named vote has one entry for each voter. Otherwise equal ballots of equal weights and groups share an
/// entry, in an order that does not depend on their voters. No entry has weights and groups that fewer than five voters have,
/// unless all have them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CountedBallot {
    /// The voter's position in the register. Null if the vote is not named.
    pub voter: Option<u32>,
    /// The answer.
    pub answer: BallotAnswer,
    /// The weight of one such ballot.
    #[serde(with = "exact")]
    #[schema(value_type = f64)]
    pub weight: Decimal,
    /// The second weight of one such ballot. Left out if the round has none.
    #[serde(default, with = "exact_option", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<f64>, nullable = false)]
    pub second_weight: Option<Decimal>,
    /// The number of such ballots.
    pub count: u64,
    /// The names of the voters' groups, of those in which the rule must be met. Left out if empty, and in a named vote, where the
    /// register has them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub groups: Vec<String>,
    /// The username of the holder who cast it for the voter, in a named vote. Left out if the voter did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cast_by: Option<String>,
}

/// The opened urn of a secret vote. Its envelopes and the key do not exist any more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = OpenedUrn, example = json!({
    "openedAt": "2026-11-21T18:10:02Z", "receipts": ["ABCD-EFGH-JKLM-NPQR"],
    "envelopesHash": "5df6e0e2761359d30a8275058e299fcc0381534545f55cf43e41983f5d4c9456",
    "publicKey": "04a1",
}))]
pub struct OpenedUrnFormat {
    /// The time at which it was opened.
    pub opened_at: DateTime<Utc>,
    /// The receipts of all envelopes, sorted. Each voter can look up their own: that envelope was in the urn. A receipt tells
    /// nothing about an answer.
    pub receipts: Vec<String>,
    /// The SHA-256 of the sorted SHA-256 hashes of all envelopes, in hexadecimal.
    pub envelopes_hash: String,
    /// The public key for which the ballots were sealed, in hexadecimal.
    pub public_key: String,
}

/// A round with register and ballots, for an independent count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RoundFile {
    /// The result.
    pub result: RoundResult,
    /// The voters, in the order of names.
    pub register: Vec<RegisteredVoter>,
    /// The ballots. Empty for a secret vote with different weights, of which only the sums are kept, and for an unshown one in
    /// which fewer than five voters have one of the weights: a listed ballot would show whose it is. Files of earlier versions
    /// list the ballots of such unshown votes.
    pub ballots: Vec<CountedBallot>,
    /// The answers to an OPEN_TEXT question, in alphabetical order. Empty for other types.
    pub texts: Vec<TextAnswer>,
    /// The opened urn of a secret vote. Left out for others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub urn: Option<OpenedUrnFormat>,
    /// The seal of the record, if the result is declared. Missing in files of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seal: Option<RecordSeal>,
}
