use std::sync::Arc;

use chrono::{DateTime, Utc};
use plenum_kernel::RoundId;
use rust_decimal::Decimal;

use crate::{
    Answer, CastOn, CountedVote, Declared, LogEntry, OpenedUrn, Round, RoundResult, RoundStatus, Terms, TextTally,
};

/// A round with all inputs of its result except the votes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountableRound {
    /// The round.
    pub round: Round,
    /// The question's place on the agenda, from 1.
    pub position: u32,
    /// The terms.
    pub terms: Terms,
    /// The log, the earliest entry first.
    pub log: Vec<LogEntry>,
    /// The opened urn of a counted secret round.
    pub urn: Option<OpenedUrn>,
}

/// The count to take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CountTaking {
    /// The round.
    pub round: RoundId,
    /// The end of the round, as read before. A round with another end was reopened meanwhile and is not counted.
    pub ended_at: DateTime<Utc>,
}

/// A person in the register, as of the time of registration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegisterPaper {
    /// The full name.
    pub name: String,
    /// The username at that time.
    pub username: String,
    /// The voting weight.
    pub weight: Decimal,
    /// The second weight, if the round has one.
    pub second_weight: Option<Decimal>,
    /// The time of registration.
    pub added_at: DateTime<Utc>,
    /// Whether the person was connected at opening.
    pub was_connected: bool,
    /// The groups of the round's rule to which the person belongs, as places in their list, from 0.
    pub groups: Vec<u16>,
    /// The vote, if there is one. It MUST only leave the server in a round with named votes. In a secret round it is a mark
    /// without content.
    pub answer: Option<Answer>,
    /// Where the vote was cast. `None` without a vote, and on a device of the voter or the holder of their proxy.
    pub cast_on: Option<CastOn>,
    /// The proxy in force in the round.
    pub proxy: Option<PaperProxy>,
}

/// The proxy of a person in the register.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaperProxy {
    /// The name of the holder at opening.
    pub holder_name: String,
    /// The username of the holder at opening.
    pub holder_username: String,
    /// Whether the holder was connected at opening and the person was not.
    pub was_represented: bool,
    /// Whether the holder has cast the vote.
    pub is_used: bool,
    /// The place of the written proof.
    pub reference: Option<String>,
}

/// The result of a round, with its log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoggedResult {
    /// The result. Its tally omits text answers, which may be many and long.
    pub result: RoundResult,
    /// The number of different text answers.
    pub different_texts: Option<u64>,
    /// The log, the earliest entry first.
    pub log: Vec<LogEntry>,
    /// The opened urn, if the round was secret.
    pub urn: Option<OpenedUrn>,
}

/// A result with its position on the agenda.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlacedResult {
    /// The question's place, from 1.
    pub position: u32,
    /// The result.
    pub result: Arc<LoggedResult>,
}

/// A result with the register and the ballots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundPapers {
    /// The result.
    pub result: PlacedResult,
    /// The voters, in the order of names, with their answers.
    pub register: Vec<RegisterPaper>,
    /// The text answers, in alphabetical order. Empty for other types.
    pub texts: Vec<TextTally>,
}

impl CountableRound {
    /// Counts and decides. Returns the text answers separately.
    pub(crate) fn count(self, votes: &[CountedVote]) -> (LoggedResult, Vec<TextTally>) {
        let mut result = RoundResult::of(self.round, self.terms, votes, self.urn.as_ref().map(|urn| &urn.tally));
        let texts = result.tally.texts.take();
        let different_texts = texts.as_ref().map(|texts| texts.len() as u64);
        (LoggedResult { result, different_texts, log: self.log, urn: self.urn }, texts.unwrap_or_default())
    }
}

impl RoundPapers {
    /// Counts the votes of a register, and decides.
    pub fn count(found: CountableRound, register: Vec<RegisterPaper>) -> Self {
        let position = found.position;
        let votes: Vec<CountedVote> = register.iter().filter_map(RegisterPaper::vote).collect();
        let (result, texts) = found.count(&votes);
        Self { result: PlacedResult { position, result: Arc::new(result) }, register, texts }
    }
}

impl RegisterPaper {
    pub(crate) fn vote(&self) -> Option<CountedVote> {
        let (weight, was_connected) = (self.weight, self.was_connected);
        self.answer.as_ref().map(|answer| CountedVote {
            answer: answer.clone(),
            weight,
            second_weight: self.second_weight,
            was_connected,
            groups: self.groups.clone(),
            cast_on: self.cast_on,
        })
    }
}

impl CountableRound {
    /// The round in its state after this declaration.
    pub fn declared(mut self, by: String, at: DateTime<Utc>) -> Self {
        self.round.status = RoundStatus::Declared;
        self.round.counted_at = self.round.counted_at.or(Some(at));
        self.round.declared = Some(Declared { at, by });
        self
    }
}
