use chrono::{DateTime, Utc};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{RoundResult, TextAnswer, exact};

/// Someone in the register of a round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RegisteredVoter {
    /// Their place in this register, from 1; ballots of named votes refer to it.
    pub place: u32,
    /// Their full name, as it was.
    pub name: String,
    /// The username at that time.
    pub username: String,
    /// The voting weight.
    #[serde(with = "exact")]
    #[schema(value_type = f64)]
    pub weight: Decimal,
    /// When they came into the register.
    pub added_at: DateTime<Utc>,
    /// Whether they were connected when voting was opened.
    pub was_connected: bool,
    /// Whether they have voted.
    pub has_voted: bool,
}

/// A number, digit for digit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(transparent)]
#[schema(value_type = f64)]
pub struct ExactNumber(#[serde(with = "exact")] pub Decimal);

/// What was answered.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum BallotAnswer {
    /// The options that were chosen, by id.
    Options(Vec<Uuid>),
    /// A rating or a percentage.
    Number(ExactNumber),
    /// A text.
    Text(String),
}

/// Ballots as they were counted. Of a named vote there is one entry for each voter; else those that read and weigh the
/// same stand together, in an order that says nothing of who cast them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CountedBallot {
    /// Whose it is, by the place in the register; null where the vote is not named.
    pub voter: Option<u32>,
    /// What was answered.
    pub answer: BallotAnswer,
    /// What one such ballot weighs.
    #[serde(with = "exact")]
    #[schema(value_type = f64)]
    pub weight: Decimal,
    /// How many such ballots there are.
    pub count: u64,
}

/// A round with all that its result was made of, so that anybody can count again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RoundFile {
    /// The result.
    pub result: RoundResult,
    /// The voters, in the order of names.
    pub register: Vec<RegisteredVoter>,
    /// The ballots.
    pub ballots: Vec<CountedBallot>,
    /// The answers of an OPEN_TEXT question, in alphabetical order; empty for other types.
    pub texts: Vec<TextAnswer>,
}
