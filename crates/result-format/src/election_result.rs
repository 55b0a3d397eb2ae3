use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{MethodName, UnitName};

/// A number of ballots, and their votes in the unit of the count. Amounts of elections are exact numbers as text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = ElectionSum, example = json!({ "heads": 120, "votes": "120" }))]
pub struct SumFormat {
    /// The voters.
    pub heads: u64,
    /// The votes.
    pub votes: String,
}

/// A fault of ballots with its effect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = BallotFault, example = json!({
    "fault": "skipped_rank", "effect": "cut_there", "heads": 3,
    "words": "Ballots with a skipped rank, valid up to there: 3",
}))]
pub struct FaultFormat {
    /// The fault.
    pub fault: String,
    /// Its effect.
    pub effect: String,
    /// The ballots.
    pub heads: u64,
    /// The fault as a sentence.
    pub words: String,
}

/// The ballots by their validity.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = ElectionBallots)]
pub struct ElectionBallots {
    /// All ballots.
    pub cast: SumFormat,
    /// The ballots that count.
    pub valid: SumFormat,
    /// The abstentions.
    pub abstentions: SumFormat,
    /// The ballots that do not count.
    pub invalid: SumFormat,
    /// The faults. A ballot with several faults is in several of them.
    pub faults: Vec<FaultFormat>,
}

/// What happened in a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = StageKind)]
pub enum StageKind {
    /// The ballots were counted.
    Count,
    /// The count began again for the next seat.
    NextSeat,
    /// The surplus of an elected candidate was transferred.
    Surplus,
    /// Candidates were excluded, and their papers transferred.
    Exclusion,
}

/// The votes of a candidate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = CandidateVotes, example = json!({ "candidate": 1, "votes": "825.00000" }))]
pub struct CandidateVotes {
    /// The number of the candidate.
    pub candidate: u32,
    /// The votes.
    pub votes: String,
}

/// Papers that moved together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = PaperTransfer, example = json!({ "to": 2, "papers": "40", "value": "0.50000", "votes": "20.00000" }))]
pub struct TransferFormat {
    /// The receiver. Null for papers without a further preference.
    #[schema(required)]
    pub to: Option<u32>,
    /// The papers, or their weight.
    pub papers: String,
    /// The value of each after the transfer.
    pub value: String,
    /// The votes.
    pub votes: String,
}

/// One stage of a count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ElectionStage)]
pub struct StageFormat {
    /// The number, from 1.
    pub number: u32,
    /// What happened.
    pub kind: StageKind,
    /// The candidates whose papers moved.
    pub of: Vec<u32>,
    /// The surplus that was transferred.
    #[schema(required)]
    pub surplus: Option<String>,
    /// The votes that elect at the end of this stage. Null without such a number.
    #[schema(required)]
    pub quota: Option<String>,
    /// Whether this number itself elects. Otherwise more is needed.
    pub is_quota_enough: bool,
    /// The votes at its end, by candidate. Withdrawn candidates are missing.
    pub votes: Vec<CandidateVotes>,
    /// The papers that moved.
    pub transfers: Vec<TransferFormat>,
    /// The votes without a further preference so far.
    pub non_transferable: String,
    /// The votes that cut decimals have lost so far.
    pub remainder: String,
    /// What happened and who was elected, in sentences.
    pub words: Vec<String>,
}

/// An elected candidate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = ElectedCandidate, example = json!({ "candidate": 5, "stage": 1, "by": "quota", "list": null }))]
pub struct ElectedFormat {
    /// The number of the candidate.
    pub candidate: u32,
    /// The stage at whose end the candidate was elected.
    pub stage: u32,
    /// The reason: `quota`, `majority`, `last_vacancies`, `most_votes`, `required_share`, `order`, `list_seat`,
    /// `tie_decision`.
    pub by: String,
    /// The list of the seat.
    #[schema(required)]
    pub list: Option<u32>,
}

/// A name on the ballot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ElectionCandidate)]
pub struct CandidateFormat {
    /// The number on the ballot.
    pub number: u32,
    /// The name.
    pub name: String,
    /// The line under the name.
    #[schema(required)]
    pub line: Option<String>,
    /// Whether the candidate withdrew.
    pub is_withdrawn: bool,
    /// The votes of the ballots that name the candidate. Zero in an election of lists.
    pub support: String,
}

/// The answers for one candidate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CandidateAnswers)]
pub struct AnswersFormat {
    /// The number of the candidate.
    pub candidate: u32,
    /// The votes for the candidate.
    pub yes: String,
    /// The votes against.
    pub no: String,
    /// The other valid ballots.
    pub abstain: String,
    /// Whether the share of yes is enough.
    pub is_met: bool,
}

/// The comparison of each pair of candidates. Rows and columns are in the order of `candidates`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = ElectionPairs)]
pub struct PairsFormat {
    /// The candidates by number.
    pub candidates: Vec<u32>,
    /// The votes that prefer the candidate of the row to that of the column.
    pub preferred: Vec<Vec<String>>,
    /// The strength of the strongest path between them.
    pub paths: Vec<Vec<String>>,
}

/// A seat of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = ListSeat, example = json!({ "seat": 1, "divisor": 1 }))]
pub struct ListSeatFormat {
    /// The number of the seat among all seats.
    pub seat: u32,
    /// The divisor of the votes.
    pub divisor: u32,
}

/// The result of a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = ListResult)]
pub struct ListResultFormat {
    /// The number of the list.
    pub list: u32,
    /// Its name.
    pub name: String,
    /// Its votes.
    pub votes: String,
    /// Its seats, in their order.
    pub seats: Vec<ListSeatFormat>,
}

/// The matter of a tie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = TieMatter)]
pub enum TieMatterName {
    /// Seats.
    Seats,
    /// One of them is excluded.
    Exclusion,
    /// The surplus of one of them is transferred first.
    FirstSurplus,
    /// Seats of lists.
    ListSeats,
}

/// Equal candidates, or equal lists.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = ElectionTie, example = json!({
    "stage": 1, "matter": "seats", "numbers": [2, 4], "wanted": 1,
    "words": "Bert and Dora are equal, and 1 seat is left for them.",
}))]
pub struct ElectionTieFormat {
    /// The stage.
    pub stage: u32,
    /// The matter.
    pub matter: TieMatterName,
    /// The candidates by number, or the lists.
    pub numbers: Vec<u32>,
    /// How many of them the count needs.
    pub wanted: u32,
    /// The tie as a sentence.
    pub words: String,
}

/// The way in which a tie was decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = TieDecider)]
pub enum TieDeciderName {
    /// Plenum drew a lot from the seed.
    Lot,
    /// People drew a lot.
    LotByHand,
}

/// A decision of a tie.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = TieDecision, example = json!({
    "tie": {
        "stage": 1, "matter": "seats", "numbers": [2, 4], "wanted": 1,
        "words": "Bert and Dora are equal, and 1 seat is left for them.",
    },
    "by": "lot", "seed": "b1946ac92492d234", "order": [4, 2], "drawnBy": null, "witnessedBy": null,
    "at": "2026-11-26T19:30:00Z", "decidedBy": "Maria Keller",
}))]
pub struct TieDecisionFormat {
    /// The tie.
    pub tie: ElectionTieFormat,
    /// The way.
    pub by: TieDeciderName,
    /// The seed of a lot that Plenum drew.
    #[schema(required)]
    pub seed: Option<String>,
    /// The numbers in the decided order.
    pub order: Vec<u32>,
    /// Who drew a lot by hand.
    #[schema(required)]
    pub drawn_by: Option<String>,
    /// Who saw it.
    #[schema(required)]
    pub witnessed_by: Option<String>,
    /// The time.
    pub at: DateTime<Utc>,
    /// The name of the organizer.
    #[schema(required)]
    pub decided_by: Option<String>,
}

/// Seats that stay vacant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = Vacancies, example = json!({
    "seats": 1, "why": "too_few_candidates", "words": "1 seat stays vacant: there are fewer candidates than seats.",
}))]
pub struct VacanciesFormat {
    /// The number of seats.
    pub seats: u32,
    /// The reason: `too_few_candidates`, `no_votes`, `requirement_missed`, `none_of_the_above`.
    pub why: String,
    /// The reason as a sentence.
    pub words: String,
}

/// The count of an election.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ElectionCount)]
pub struct ElectionResult {
    /// The method.
    pub method: MethodName,
    /// The number of seats. Null if everybody who meets the conditions is elected.
    #[schema(required)]
    pub seats: Option<u32>,
    /// The unit of the count.
    pub unit: UnitName,
    /// The ballots by their validity.
    pub ballots: ElectionBallots,
    /// The names on the ballot, in the order of their numbers.
    pub candidates: Vec<CandidateFormat>,
    /// The stages.
    pub stages: Vec<StageFormat>,
    /// The elected candidates, in the order of their election.
    pub elected: Vec<ElectedFormat>,
    /// `per_candidate`: the answers for each candidate.
    #[schema(required)]
    pub answers: Option<Vec<AnswersFormat>>,
    /// `schulze`: the comparison of each pair.
    #[schema(required)]
    pub pairs: Option<PairsFormat>,
    /// `lists`: the lists.
    #[schema(required)]
    pub lists: Option<Vec<ListResultFormat>>,
    /// All candidates in groups of equal ones, the best group first, if the method compares all of them.
    pub order: Vec<Vec<u32>>,
    /// The tie at which the count waits.
    #[schema(required)]
    pub tie: Option<ElectionTieFormat>,
    /// The decisions of ties.
    pub decisions: Vec<TieDecisionFormat>,
    /// The seats that stay vacant.
    #[schema(required)]
    pub vacancies: Option<VacanciesFormat>,
}
