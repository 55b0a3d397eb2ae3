use chrono::{DateTime, Utc};
use plenum_kernel::{ClientId, MeetingId, QuestionId, RoundId, Step};
use rust_decimal::Decimal;

use crate::{Answer, StoredVote, Wording};

/// Where a round is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RoundStatus {
    /// Votes are taken.
    Open,
    /// No votes are taken any more; it may be opened again.
    Ended,
    /// Its result was declared; nothing about it changes any more.
    Declared,
}

/// A number of votes, in heads and in weight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// How many people.
    pub heads: u64,
    /// The exact sum of their weights.
    pub weight: Decimal,
}

impl Count {
    /// One more vote of this weight.
    pub fn add(&mut self, weight: Decimal) {
        self.heads += 1;
        self.weight += weight;
    }
}

/// One opening of voting on one question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Round {
    /// Its id.
    pub id: RoundId,
    /// The client that owns it.
    pub client_id: ClientId,
    /// The meeting in which it is.
    pub meeting_id: MeetingId,
    /// The question that is put to the vote.
    pub question_id: QuestionId,
    /// 1 for the first round of the question, 2 for its first re-vote, …
    pub number: u32,
    /// The status.
    pub status: RoundStatus,
    /// The question as it stood.
    pub wording: Wording,
    /// When voting was opened.
    pub opened_at: DateTime<Utc>,
    /// When voting was ended.
    pub ended_at: Option<DateTime<Utc>>,
    /// When it ends by itself, while it is open and a countdown runs.
    pub closes_at: Option<DateTime<Utc>>,
    /// How many may vote, and what they weigh.
    pub register: Count,
    /// The reason why the question was voted on once more; none for its first round.
    pub reason: Option<String>,
    /// Whether the result shows how each person voted, as the question said then.
    pub is_named: bool,
    /// When an organizer first saw the count; none again once voting was opened again.
    pub counted_at: Option<DateTime<Utc>>,
    /// When and by whom its result was declared.
    pub declared: Option<Declared>,
}

/// That a result was declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declared {
    /// The time.
    pub at: DateTime<Utc>,
    /// The name of who did it, as it was then.
    pub by: String,
}

/// A round with the number of its votes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundOverview {
    /// The round.
    pub round: Round,
    /// How many have voted, in heads.
    pub votes_cast: u64,
}

/// The question on the big screen, with its last round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CurrentQuestion {
    /// Its id.
    pub question_id: QuestionId,
    /// Its place on the agenda, from 1.
    pub position: u32,
    /// In the words of its round while that is open, else as it stands on the agenda.
    pub wording: Wording,
    /// Its last round, if it ever had one.
    pub last_round: Option<RoundOverview>,
}

impl CurrentQuestion {
    /// Its round, if votes are taken right now.
    pub fn open_round(&self) -> Option<&RoundOverview> {
        self.last_round.as_ref().filter(|overview| overview.round.status == RoundStatus::Open)
    }
}

/// What is on the big screen of a meeting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Screen {
    /// How many steps were made in the meeting.
    pub step: Step,
    /// The question, if there is one.
    pub question: Option<CurrentQuestion>,
}

/// A running round that ends by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Closing {
    /// The client that owns it.
    pub client_id: ClientId,
    /// The meeting in which it is; there is one at a time.
    pub meeting_id: MeetingId,
    /// When it ends.
    pub closes_at: DateTime<Utc>,
}

/// The last round of a question as one voter stands to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VoterRound {
    /// The round.
    pub round: Round,
    /// The question's place on the agenda, from 1.
    pub position: u32,
    /// Whether the voter may vote in it.
    pub is_in_register: bool,
    /// What the voter has cast in it.
    pub vote: Option<StoredVote>,
}

impl VoterRound {
    /// The voter's answer in the words of the round.
    pub fn answer_texts(&self) -> Option<Vec<String>> {
        self.vote.as_ref().map(|vote| vote.answer.texts(&self.round.wording))
    }
}

impl Answer {
    /// The answer in the words of the round, as it was handed in.
    pub fn texts(&self, wording: &Wording) -> Vec<String> {
        match self {
            Self::Options(ids) => ids.iter().filter_map(|id| wording.text_of(*id)).map(str::to_owned).collect(),
            Self::Number(number) => vec![number.normalize().to_string()],
            Self::Text(text) => vec![text.clone()],
        }
    }
}
