use std::collections::HashSet;
use std::sync::Arc;

use plenum_kernel::{
    ClientId, Clock, DeskId, EndUserId, IssuedBallotId, MeetingId, PaperBatchId, PortFailure, RoundId, Secrecy, Secrets,
};

use crate::{
    BallotRule, BatchRequest, CloseBatchError, EntryRule, IssueError, IssuedBallot, MAX_PAPER_BALLOTS, NewPaperBatch,
    PaperBallot, PaperBatch, PaperBatchHead, PaperVotes, Round, RoundWithLeftBatches, StoreBatchError, Teller,
    VotingSignals,
};

/// The votes of a batch as a teller enters them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EnteredVotes {
    /// In a named vote: the answers of each person.
    Named(Vec<(EndUserId, Vec<String>)>),
    /// In a vote that is not named: the people, and how many of them gave which answers.
    Numbers {
        /// The people.
        people: Vec<EndUserId>,
        /// The answers of equal ballots, with their number.
        counts: Vec<(Vec<String>, u64)>,
    },
}

/// A batch that a teller enters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnterRequest {
    /// The id, made on the teller's device.
    pub id: PaperBatchId,
    /// The client that owns the meeting.
    pub client: ClientId,
    /// The meeting.
    pub meeting: MeetingId,
    /// The round.
    pub round: RoundId,
    /// The votes.
    pub votes: EnteredVotes,
    /// The teller.
    pub by: Teller,
}

/// The reason why a batch was not entered.
#[derive(Debug, thiserror::Error)]
pub enum EnterBatchError {
    /// The client's meeting has no such round.
    #[error("the round does not exist")]
    RoundNotFound,
    /// A rule forbids it.
    #[error(transparent)]
    Rule(#[from] EntryRule),
    /// A named vote needs the answers of each person, and numbers were sent; or the other way round.
    #[error("{}", if *is_named { "give the answers of each person: this vote is named" } else { "give people and numbers: this vote is not named" })]
    OtherForm {
        /// Whether the round is named.
        is_named: bool,
    },
    /// There is nobody, or there are more people than [`MAX_PAPER_BALLOTS`].
    #[error("a batch has 1 to 100 people")]
    WrongSize,
    /// The person at this place is there twice.
    #[error("this person is in the batch already")]
    Repeated(usize),
    /// The answers at this place do not fit the question.
    #[error("{1}")]
    Answers(usize, BallotRule),
    /// The numbers do not add up to the number of people.
    #[error("the numbers add up to {sum}, and there {}", if *people == 1 { "is 1 person".to_owned() } else { format!("are {people} people") })]
    WrongSum {
        /// The sum of the numbers.
        sum: u64,
        /// The number of people.
        people: u64,
    },
    /// The store did not respond.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

impl From<StoreBatchError> for EnterBatchError {
    fn from(error: StoreBatchError) -> Self {
        match error {
            StoreBatchError::RoundNotFound => Self::RoundNotFound,
            StoreBatchError::Rule(rule) => Self::Rule(rule),
            StoreBatchError::Port(failure) => Self::Port(failure),
        }
    }
}

/// A batch with the round in whose words it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BatchInRound {
    /// The batch.
    pub batch: PaperBatch,
    /// The round.
    pub round: Round,
}

/// The ports of [`PaperVoteService`].
pub struct PaperVotePorts {
    /// Votes on paper and ballots of voting places.
    pub store: Arc<dyn PaperVotes>,
    /// Informs the live screens.
    pub signals: Arc<dyn VotingSignals>,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// The source of the random order of answers.
    pub secrets: Arc<dyn Secrets>,
}

/// Takes votes on paper from one teller, and counts them when another one confirms them.
pub struct PaperVoteService {
    pub(crate) ports: PaperVotePorts,
}

impl PaperVoteService {
    /// Creates the service on these ports.
    pub fn new(ports: PaperVotePorts) -> Self {
        Self { ports }
    }

    /// Enters a batch. A repeat with the same id by the same teller returns the first one.
    ///
    /// # Errors
    /// States why the batch was not entered. Then none of its votes is.
    pub async fn enter(&self, request: EnterRequest) -> Result<BatchInRound, EnterBatchError> {
        let EnterRequest { id, client, meeting, round, votes, by } = request;
        let round = self.ports.store.round(client, meeting, round).await?.ok_or(EnterBatchError::RoundNotFound)?;
        let ballots = match (round.secrecy, votes) {
            (Secrecy::Secret, _) => return Err(EntryRule::Secret.into()),
            (Secrecy::Named, EnteredVotes::Named(votes)) => read_named(&round, votes)?,
            (Secrecy::Unshown, EnteredVotes::Numbers { people, counts }) => {
                self.read_numbers(&round, people, &counts)?
            }
            (secrecy, _) => return Err(EnterBatchError::OtherForm { is_named: secrecy.is_named() }),
        };
        let at = self.ports.clock.now();
        let new = NewPaperBatch { id, client, meeting, round: round.id, ballots, by, at };
        let batch = self.ports.store.enter(new).await?;
        self.ports.signals.meeting_changed(meeting).await;
        Ok(BatchInRound { batch, round })
    }

    /// The people of a batch, each with one of its answers in a random order: nobody knows which paper is whose.
    fn read_numbers(
        &self,
        round: &Round,
        people: Vec<EndUserId>,
        counts: &[(Vec<String>, u64)],
    ) -> Result<Vec<PaperBallot>, EnterBatchError> {
        check_people(people.iter().copied())?;
        let sum = counts.iter().fold(0_u64, |sum, (_, count)| sum.saturating_add(*count));
        let expected = people.len() as u64;
        if sum != expected {
            return Err(EnterBatchError::WrongSum { sum, people: expected });
        }
        let mut answers = Vec::with_capacity(people.len());
        for (place, (texts, count)) in counts.iter().enumerate() {
            let answer = round.wording.read(texts).map_err(|rule| EnterBatchError::Answers(place, rule))?;
            answers.extend((0..*count).map(|_| (self.ports.secrets.token(), answer.clone())));
        }
        answers.sort_by(|(one, _), (other, _)| one.cmp(other));
        let ballot = |(voter, (_, answer))| PaperBallot { voter, answer };
        Ok(people.into_iter().zip(answers).map(ballot).collect())
    }

    /// The batches of a round as this teller sees them, the earliest first. `None` if the client's meeting has no such round.
    ///
    /// # Errors
    /// Fails when the store does not respond.
    pub async fn batches(
        &self,
        client: ClientId,
        meeting: MeetingId,
        round: RoundId,
        teller: Teller,
    ) -> Result<Option<Vec<PaperBatchHead>>, PortFailure> {
        self.ports.store.batches(client, meeting, round, teller).await
    }

    /// The rounds of a meeting whose voting ended while batches waited, the earliest first.
    ///
    /// # Errors
    /// Fails when the store does not respond.
    pub async fn rounds_with_left_batches(
        &self,
        client: ClientId,
        meeting: MeetingId,
    ) -> Result<Vec<RoundWithLeftBatches>, PortFailure> {
        self.ports.store.rounds_with_left_batches(client, meeting).await
    }

    /// A batch with its round. `None` if the round of the client's meeting has no such batch.
    ///
    /// # Errors
    /// Fails when the store does not respond.
    pub async fn batch(&self, request: BatchRequest) -> Result<Option<BatchInRound>, PortFailure> {
        let Some(batch) = self.ports.store.batch(request).await? else { return Ok(None) };
        let round = self.ports.store.round(request.client, request.meeting, request.round).await?;
        Ok(round.map(|round| BatchInRound { batch, round }))
    }

    /// Confirms a batch that somebody else entered, and counts its votes.
    ///
    /// # Errors
    /// States why none of its votes was counted.
    pub async fn confirm(&self, request: BatchRequest) -> Result<BatchInRound, CloseBatchError> {
        let batch = self.ports.store.confirm(request, self.ports.clock.now()).await?;
        self.ports.signals.votes_changed(request.meeting).await;
        self.closed(request, batch).await
    }

    /// Discards a batch that waits.
    ///
    /// # Errors
    /// Refuses a batch that does not wait.
    pub async fn discard(&self, request: BatchRequest) -> Result<BatchInRound, CloseBatchError> {
        let batch = self.ports.store.discard(request, self.ports.clock.now()).await?;
        self.closed(request, batch).await
    }

    async fn closed(&self, request: BatchRequest, batch: PaperBatch) -> Result<BatchInRound, CloseBatchError> {
        self.ports.signals.meeting_changed(request.meeting).await;
        let round = self.ports.store.round(request.client, request.meeting, request.round).await?;
        Ok(BatchInRound { batch, round: round.ok_or(CloseBatchError::NotFound)? })
    }

    /// Gives a person a ballot at a voting place. It is logged before the ballot is shown.
    ///
    /// # Errors
    /// States why the person gets none.
    pub async fn issue(&self, ballot: IssuedBallot) -> Result<(), IssueError> {
        self.ports.store.issue(ballot).await
    }

    /// A ballot that this desk has given to somebody, with its round. `None` if it has given none with this id.
    ///
    /// # Errors
    /// Fails when the store does not respond.
    pub async fn issued(
        &self,
        client: ClientId,
        desk: DeskId,
        ballot: IssuedBallotId,
    ) -> Result<Option<(IssuedBallot, Round)>, PortFailure> {
        let Some(issued) = self.ports.store.issued(client, desk, ballot).await? else { return Ok(None) };
        let round = self.ports.store.round(client, issued.meeting, issued.round).await?;
        Ok(round.map(|round| (issued, round)))
    }
}

/// The votes of people with their answers.
fn read_named(round: &Round, votes: Vec<(EndUserId, Vec<String>)>) -> Result<Vec<PaperBallot>, EnterBatchError> {
    check_people(votes.iter().map(|(voter, _)| *voter))?;
    let read = |(place, (voter, texts)): (usize, (EndUserId, Vec<String>))| {
        let answer = round.wording.read(&texts).map_err(|rule| EnterBatchError::Answers(place, rule))?;
        Ok(PaperBallot { voter, answer })
    };
    votes.into_iter().enumerate().map(read).collect()
}

fn check_people(people: impl ExactSizeIterator<Item = EndUserId>) -> Result<(), EnterBatchError> {
    if !(1..=MAX_PAPER_BALLOTS).contains(&people.len()) {
        return Err(EnterBatchError::WrongSize);
    }
    let mut known = HashSet::new();
    match people.enumerate().find(|(_, person)| !known.insert(*person)) {
        Some((place, _)) => Err(EnterBatchError::Repeated(place)),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_person_is_told_from_several() {
        let told = |people| EnterBatchError::WrongSum { sum: 3, people }.to_string();
        assert_eq!(told(1), "the numbers add up to 3, and there is 1 person");
        assert_eq!(told(2), "the numbers add up to 3, and there are 2 people");
    }
}
