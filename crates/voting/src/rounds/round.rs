use chrono::{DateTime, Utc};
use plenum_kernel::{ClientId, MeetingId, QuestionId, RoundId, Secrecy, SessionId, Step, WeightKind};
use rust_decimal::Decimal;

use crate::ballots::marks::in_words;
use crate::{Answer, StoredVote, Urn, WeightNames, Wording};

/// The status of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RoundStatus {
    /// Votes are taken.
    Open,
    /// No votes are taken any more. The round can reopen until it is counted.
    Ended,
    /// The result was declared. The round never changes again.
    Declared,
}

/// A number of votes, in heads and in weight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// The number of people.
    pub heads: u64,
    /// The exact sum of the weights.
    pub weight: Decimal,
}

impl Count {
    /// Adds one vote of this weight.
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
    /// The meeting.
    pub meeting_id: MeetingId,
    /// The question.
    pub question_id: QuestionId,
    /// 1 for the first round of the question, 2 for its first re-vote, …
    pub number: u32,
    /// The status.
    pub status: RoundStatus,
    /// The frozen question.
    pub wording: Wording,
    /// When voting was opened.
    pub opened_at: DateTime<Utc>,
    /// When voting was ended.
    pub ended_at: Option<DateTime<Utc>>,
    /// The closing time, while the round is open and a countdown runs.
    pub closes_at: Option<DateTime<Utc>>,
    /// The number of voters in the register, and their weight.
    pub register: Count,
    /// The reason for the re-vote. `None` for the first round.
    pub reason: Option<String>,
    /// Who can learn how a person voted, frozen from the question.
    pub secrecy: Secrecy,
    /// Whether every vote counts one: each person is in the register with the weight 1.
    pub counts_heads: bool,
    /// The names of the groups that the question was for, by name. Empty for everybody.
    pub groups: Vec<String>,
    /// The kind that is counted as weight. `None` for the ordinary weight.
    pub weight_kind: Option<WeightKind>,
    /// The kind of the second weight, if the question has one.
    pub second_weight_kind: Option<WeightKind>,
    /// The urn, if the round is secret.
    pub urn: Option<Urn>,
    /// The time of the count, after which the round never reopens.
    pub counted_at: Option<DateTime<Utc>>,
    /// The time and actor of the declaration.
    pub declared: Option<Declared>,
}

impl Round {
    /// The words for its weights.
    pub(crate) fn weight_names(&self) -> WeightNames<'_> {
        WeightNames { first: self.weight_kind.as_ref(), second: self.second_weight_kind.as_ref() }
    }
}

/// The declaration of a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declared {
    /// The time.
    pub at: DateTime<Utc>,
    /// The name of the actor at that time.
    pub by: String,
}

/// A round with the number of its votes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundOverview {
    /// The round.
    pub round: Round,
    /// The number of votes.
    pub votes_cast: u64,
    /// The number of batches of votes on paper that wait for confirmation.
    pub waiting_batches: u64,
}

/// The question on the presentation, with its last round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CurrentQuestion {
    /// Its id.
    pub question_id: QuestionId,
    /// Its place on the agenda, from 1.
    pub position: u32,
    /// The wording of its round while that is open, otherwise of the agenda.
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

/// The current question of a meeting, with the number of its steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Screen {
    /// The number of steps so far.
    pub step: Step,
    /// The question, if there is one.
    pub question: Option<CurrentQuestion>,
}

/// A running round with a closing time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoundDeadline {
    /// The client that owns it.
    pub client_id: ClientId,
    /// The meeting, which has at most one running round.
    pub meeting_id: MeetingId,
    /// The closing time.
    pub closes_at: DateTime<Utc>,
}

/// What was opened in a meeting, for one voter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VoterAgenda {
    /// The last round of each question that was ever opened, in the order of the agenda.
    pub rounds: Vec<VoterRound>,
    /// Whether votes can be cast by proxy in the meeting.
    pub has_proxies: bool,
}

/// The last round of a question for one voter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VoterRound {
    /// The round.
    pub round: Round,
    /// The question's place on the agenda, from 1.
    pub position: u32,
    /// Whether the voter may vote in it.
    pub is_in_register: bool,
    /// The voter's vote in it.
    pub vote: Option<StoredVote>,
}

impl VoterRound {
    /// The voter's answer in the words of the round, if the voter's session `session` may see it
    /// ([`StoredVote::is_visible_to`]).
    pub fn answer_texts(&self, session: SessionId) -> Option<Vec<String>> {
        let vote = self.vote.as_ref().filter(|vote| vote.is_visible_to(session, self.round.secrecy))?;
        Some(vote.answer.texts(&self.round.wording))
    }
}

impl Answer {
    /// The answer in the words of the round, as sent. Empty for a sealed one.
    pub fn texts(&self, wording: &Wording) -> Vec<String> {
        match self {
            Self::Options(ids) => ids.iter().filter_map(|id| wording.text_of(*id)).map(str::to_owned).collect(),
            Self::Number(number) => vec![number.normalize().to_string()],
            Self::Text(text) => {
                let form = wording.ballot_form();
                let marked = form.as_ref().and_then(|form| Some((form, form.stored(text)?)));
                match marked {
                    Some((form, marks)) => in_words(&marks, &wording.option_texts(), form),
                    None => vec![text.clone()],
                }
            }
            Self::Sealed(_) => Vec::new(),
        }
    }
}
