use std::sync::Arc;

use chrono::{DateTime, Utc};
use plenum_kernel::{AccountId, RoundId};
use rust_decimal::Decimal;

use crate::{Answer, CountedVote, LogEntry, Round, RoundResult, Terms, TextTally};

/// A round with all that its result is made of beside the votes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountableRound {
    /// The round.
    pub round: Round,
    /// The question's place on the agenda, from 1.
    pub position: u32,
    /// By what it is decided.
    pub terms: Terms,
    /// What was done with it, the earliest first.
    pub log: Vec<LogEntry>,
}

/// Which count is to be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CountTaking {
    /// The round.
    pub round: RoundId,
    /// When it was ended, as it was found; a round that was opened again since is another matter.
    pub ended_at: DateTime<Utc>,
    /// The organizer who sees the count, and when; none where nothing is to be noted, as with a result that was declared.
    pub seen: Option<(AccountId, DateTime<Utc>)>,
}

/// What the count of a round that has ended is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TakenCount {
    /// The votes with the weights of the register.
    pub votes: Vec<CountedVote>,
    /// That it was counted, if it was not before.
    pub noted: Option<LogEntry>,
}

/// The whole register of a round that has ended, with what was voted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TakenPapers {
    /// By name.
    pub register: Vec<RegisterPaper>,
    /// That it was counted, if it was not before.
    pub noted: Option<LogEntry>,
}

/// Someone in the register, as they were when they came into it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegisterPaper {
    /// The full name.
    pub name: String,
    /// The username at that time.
    pub username: String,
    /// The voting weight.
    pub weight: Decimal,
    /// When they came into the register.
    pub added_at: DateTime<Utc>,
    /// Whether they were connected when voting was opened.
    pub was_connected: bool,
    /// What they voted, if they have. It MUST be told of nobody whose vote is not named.
    pub answer: Option<Answer>,
}

/// The result of a round with what was done with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoggedResult {
    /// The result. Its tally is without texts, which may be many and long.
    pub result: RoundResult,
    /// How many different texts were given, where texts were asked for.
    pub different_texts: Option<u64>,
    /// What was done with the round, the earliest first.
    pub log: Vec<LogEntry>,
}

/// A result at its place on the agenda.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlacedResult {
    /// The question's place, from 1.
    pub position: u32,
    /// The result.
    pub result: Arc<LoggedResult>,
}

/// A result with everything that it was made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundPapers {
    /// The result.
    pub result: PlacedResult,
    /// The voters, in the order of names, with their answers.
    pub register: Vec<RegisterPaper>,
    /// The texts that were given, in alphabetical order; empty where none were asked for.
    pub texts: Vec<TextTally>,
}

impl CountableRound {
    /// Notes that it has been counted.
    pub(crate) fn note(&mut self, counted: Option<LogEntry>) {
        if let Some(entry) = counted {
            self.round.counted_at = Some(entry.at);
            self.log.push(entry);
        }
    }

    /// Counts and decides. The texts come beside the result.
    pub(crate) fn count(self, votes: &[CountedVote]) -> (LoggedResult, Vec<TextTally>) {
        let mut result = RoundResult::of(self.round, self.terms, votes);
        let texts = result.tally.texts.take();
        let different_texts = texts.as_ref().map(|texts| texts.len() as u64);
        (LoggedResult { result, different_texts, log: self.log }, texts.unwrap_or_default())
    }
}
