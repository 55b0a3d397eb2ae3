use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// The answer of a person who has a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = SeatAnswer)]
pub enum SeatAnswerName {
    /// The person accepts the election.
    Accepted,
    /// The person declines it.
    Declined,
    /// An earlier answer was noted by mistake.
    TakenBack,
}

/// A person who was elected or moved up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = SeatHolder, example = json!({
    "roundId": "019a9d5e-0000-7000-8000-000000000007", "candidate": 2, "name": "Bert Adler", "line": "Flat 12",
    "hasMovedUp": false, "answer": "accepted",
}))]
pub struct SeatHolderFormat {
    /// The round of the ballot.
    pub round_id: Uuid,
    /// The number on the ballot.
    pub candidate: u32,
    /// The name.
    pub name: String,
    /// The line under the name.
    #[schema(required)]
    pub line: Option<String>,
    /// Whether the person moved up for somebody who declined.
    pub has_moved_up: bool,
    /// The answer, if there is one that counts.
    #[schema(required)]
    pub answer: Option<SeatAnswerName>,
}

/// A lot that decided who moves up. Its seed is the id of the round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = DrawnLot, example = json!({ "stage": 1, "order": [4, 2], "isOfLists": false }))]
pub struct DrawnLotFormat {
    /// The stage of the tie, in the count that looked for the next one.
    pub stage: u32,
    /// The tied numbers in the order in which they were drawn.
    pub order: Vec<u32>,
    /// Whether they are the numbers of lists.
    pub is_of_lists: bool,
}

/// A noted answer, with its effect on the seats.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = NotedSeatAnswer, example = json!({
    "roundId": "019a9d5e-0000-7000-8000-000000000007", "at": "2026-11-21T19:30:00Z", "by": "Maria Keller", "candidate": 2,
    "answer": "declined", "isContinued": false, "seated": [1, 3], "drawn": [], "tied": [],
    "words": "Bert Adler declines the election. Carla Diaz moves up.",
}))]
pub struct NotedSeatAnswerFormat {
    /// The round of the ballot.
    pub round_id: Uuid,
    /// The time.
    pub at: DateTime<Utc>,
    /// The name of the organizer.
    pub by: String,
    /// The number of the candidate.
    pub candidate: u32,
    /// The answer.
    pub answer: SeatAnswerName,
    /// Whether a next ballot was on the agenda, so that nobody moved up.
    pub is_continued: bool,
    /// The numbers of those who have a seat of this ballot from then on.
    pub seated: Vec<u32>,
    /// The lots that decided who moved up.
    pub drawn: Vec<DrawnLotFormat>,
    /// The numbers of those who are equal for a seat, which is left to another ballot.
    pub tied: Vec<u32>,
    /// The answer and its effect in sentences.
    pub words: String,
}

/// The ballot that can follow: the candidates who stand again, and the seats that are left.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = PossibleBallot, example = json!({
    "roundId": "019a9d5e-0000-7000-8000-000000000007", "candidates": [2, 4], "seats": 1,
}))]
pub struct PossibleBallotFormat {
    /// The round of the last ballot.
    pub round_id: Uuid,
    /// The numbers of the candidates on the last ballot.
    pub candidates: Vec<u32>,
    /// The seats.
    pub seats: u32,
}

/// An election with all of its ballots: who has the seats.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "questionText": "Who joins the board?", "rounds": ["019a9d5e-0000-7000-8000-000000000007"], "seats": 1,
    "holders": [{
        "roundId": "019a9d5e-0000-7000-8000-000000000007", "candidate": 2, "name": "Bert Adler", "line": "Flat 12",
        "hasMovedUp": false, "answer": "accepted",
    }],
    "declined": [], "vacant": 0, "answers": [], "next": null,
}))]
pub struct ElectionOutcome {
    /// The question of the first ballot.
    pub question_text: String,
    /// The declared rounds of its ballots, the first ballot first.
    pub rounds: Vec<Uuid>,
    /// The number of seats. Null if everybody who meets the conditions is elected.
    #[schema(required)]
    pub seats: Option<u32>,
    /// Those who have the seats, by ballot and in the order of their election.
    pub holders: Vec<SeatHolderFormat>,
    /// Those who declined.
    pub declined: Vec<SeatHolderFormat>,
    /// The seats that are left.
    pub vacant: u32,
    /// The noted answers, the earliest first.
    pub answers: Vec<NotedSeatAnswerFormat>,
    /// The ballot that can follow. Null if no seat is left, or nobody for it.
    #[schema(required)]
    pub next: Option<PossibleBallotFormat>,
}
