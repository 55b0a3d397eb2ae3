use chrono::{DateTime, Utc};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{RecordSeal, RoundResult, TextAnswer, exact};

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
    /// The time of registration.
    pub added_at: DateTime<Utc>,
    /// Whether the person was connected at opening, or at the reopening that registered them.
    pub was_connected: bool,
    /// Whether the person has voted.
    pub has_voted: bool,
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

/// Counted ballots. A named vote has one entry for each voter. Otherwise equal ballots of equal weight share an entry, in
/// an order that does not depend on their voters.
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
    /// The number of such ballots.
    pub count: u64,
}

/// A round with register and ballots, for an independent count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RoundFile {
    /// The result.
    pub result: RoundResult,
    /// The voters, in the order of names.
    pub register: Vec<RegisteredVoter>,
    /// The ballots.
    pub ballots: Vec<CountedBallot>,
    /// The answers to an OPEN_TEXT question, in alphabetical order. Empty for other types.
    pub texts: Vec<TextAnswer>,
    /// The seal of the record, if the result is declared. Missing in files of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seal: Option<RecordSeal>,
}
