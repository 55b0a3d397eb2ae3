use std::sync::Arc;

use plenum_kernel::{ClientId, Clock, MeetingId, Page, PageRequest, PortFailure, QuestionId, RoundId, SearchText};

use crate::{
    CountTaking, CountableRound, LoggedResult, PlacedResult, ResultStore, RoundPapers, RoundStatus, TextTally,
    UrnKeyService, VotingSignals,
};

/// A filter for the text answers of a round. The answers come in alphabetical order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnswerFilter {
    /// Search text in the answer.
    pub search: Option<SearchText>,
    /// The page.
    pub page: PageRequest,
}

/// The reason why the count of a round is not shown.
#[derive(Debug, thiserror::Error)]
pub enum ShowCountError {
    /// The client's meeting has no such round.
    #[error("the round does not exist")]
    NotFound,
    /// The round is open. Its tally is secret until it ends.
    #[error("the round is still open")]
    StillOpen,
    /// The round is not counted. It may still reopen, so its tally is secret.
    #[error("the votes have not been counted yet: count them first")]
    NotCounted,
    /// The result is declared, and is read from its record.
    #[error("the result is declared")]
    Declared,
    /// The store did not respond.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

/// A declared round without a record: its result is not shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnrecordedRound {
    /// The round.
    pub round: RoundId,
    /// The question's place on the agenda, from 1.
    pub position: u32,
    /// The number among the rounds of the question.
    pub number: u32,
}

/// An ended round that is not counted. Its votes are secret, except for their number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UncountedRound {
    /// The round.
    pub round: RoundId,
    /// The id of the question.
    pub question: QuestionId,
    /// The question's place on the agenda, from 1.
    pub position: u32,
    /// The number among the rounds of the question.
    pub number: u32,
    /// The question.
    pub question_text: String,
    /// Whether it is a secret round that can never be counted, because its key is lost.
    pub is_void: bool,
}

/// The ended rounds of a meeting without a record, in the order of the agenda and then of the rounds.
#[derive(Debug)]
pub struct UndeclaredRounds<T> {
    /// The counted ones.
    pub counted: Vec<T>,
    /// The uncounted rounds.
    pub uncounted: Vec<UncountedRound>,
    /// Declared ones whose records are missing.
    pub unrecorded: Vec<UnrecordedRound>,
}

impl<T> UndeclaredRounds<T> {
    fn with<U>(self, counted: Vec<U>) -> UndeclaredRounds<U> {
        UndeclaredRounds { counted, uncounted: self.uncounted, unrecorded: self.unrecorded }
    }
}

/// Counts rounds that have ended, decides them, and declares results. Shows no count before [`Self::count`]. A declared
/// result is never counted again: its record contains it ([`crate::ResultRecords`]).
pub struct ResultService {
    pub(crate) ports: ResultPorts,
}

/// The ports of [`ResultService`].
pub struct ResultPorts {
    /// Shows counts.
    pub results: Arc<dyn ResultStore>,
    /// Counts rounds and declares results: the same store, which may use another pool of connections.
    pub declarations: Arc<dyn ResultStore>,
    /// The keys of secret rounds.
    pub urns: Arc<UrnKeyService>,
    /// Informs the live screens.
    pub signals: Arc<dyn VotingSignals>,
    /// The time.
    pub clock: Arc<dyn Clock>,
}

impl ResultService {
    /// Creates the service on these ports.
    pub fn new(ports: ResultPorts) -> Self {
        Self { ports }
    }

    /// The result of a counted round.
    ///
    /// # Errors
    /// Fails when this client's meeting has no such round, the round is still open, or it is not counted.
    pub async fn result(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        round: RoundId,
    ) -> Result<PlacedResult, ShowCountError> {
        let found = self.counted(owner, meeting, round).await?;
        self.result_of(found).await?.ok_or(ShowCountError::NotCounted)
    }

    /// A page of the text answers of a counted round, in alphabetical order. Empty for other types.
    ///
    /// # Errors
    /// As [`Self::result`].
    pub async fn answers(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        round: RoundId,
        filter: &AnswerFilter,
    ) -> Result<Page<TextTally>, ShowCountError> {
        let found = self.counted(owner, meeting, round).await?;
        let (_, texts) = self.take(found).await?.ok_or(ShowCountError::NotCounted)?;
        Ok(page_of(texts, filter))
    }

    /// The ended rounds of a meeting that are not among `recorded`, with the results of the counted ones. `None` when this
    /// client has no such meeting.
    ///
    /// # Errors
    /// Fails when the store does not respond.
    pub async fn results(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        recorded: &[RoundId],
    ) -> Result<Option<UndeclaredRounds<PlacedResult>>, PortFailure> {
        let Some(mut rounds) = self.undeclared(owner, meeting, recorded).await? else { return Ok(None) };
        let mut results = Vec::with_capacity(rounds.counted.len());
        for round in std::mem::take(&mut rounds.counted) {
            results.extend(self.result_of(round).await?);
        }
        Ok(Some(rounds.with(results)))
    }

    /// As [`Self::results`], with their registers and ballots.
    ///
    /// # Errors
    /// Fails when the store does not respond.
    pub async fn papers(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        recorded: &[RoundId],
    ) -> Result<Option<UndeclaredRounds<RoundPapers>>, PortFailure> {
        let Some(mut rounds) = self.undeclared(owner, meeting, recorded).await? else { return Ok(None) };
        let mut papers = Vec::with_capacity(rounds.counted.len());
        for round in std::mem::take(&mut rounds.counted) {
            papers.extend(self.papers_of(round).await?);
        }
        Ok(Some(rounds.with(papers)))
    }

    async fn undeclared(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        recorded: &[RoundId],
    ) -> Result<Option<UndeclaredRounds<CountableRound>>, PortFailure> {
        let Some(ended) = self.ports.results.ended(owner, meeting, recorded.to_vec()).await? else { return Ok(None) };
        let mut rounds = UndeclaredRounds { counted: Vec::new(), uncounted: Vec::new(), unrecorded: Vec::new() };
        for found in ended {
            let (round, position, number) = (found.round.id, found.position, found.round.number);
            if found.round.status == RoundStatus::Declared {
                rounds.unrecorded.push(UnrecordedRound { round, position, number });
            } else if found.round.counted_at.is_some() {
                rounds.counted.push(found);
            } else {
                let is_void = found.round.urn.is_some_and(|urn| urn.is_void);
                let (question, question_text) = (found.round.question_id, found.round.wording.text);
                rounds.uncounted.push(UncountedRound { round, question, position, number, question_text, is_void });
            }
        }
        Ok(Some(rounds))
    }

    async fn counted(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        round: RoundId,
    ) -> Result<CountableRound, ShowCountError> {
        let found = self.ports.results.find(owner, meeting, round).await?.ok_or(ShowCountError::NotFound)?;
        match found.round.status {
            RoundStatus::Open => Err(ShowCountError::StillOpen),
            RoundStatus::Declared => Err(ShowCountError::Declared),
            RoundStatus::Ended if found.round.counted_at.is_none() => Err(ShowCountError::NotCounted),
            RoundStatus::Ended => Ok(found),
        }
    }

    /// The result of a counted round. `None` if it was removed meanwhile.
    async fn result_of(&self, found: CountableRound) -> Result<Option<PlacedResult>, PortFailure> {
        let position = found.position;
        let result = self.take(found).await?;
        Ok(result.map(|(result, _)| PlacedResult { position, result: Arc::new(result) }))
    }

    async fn take(&self, found: CountableRound) -> Result<Option<(LoggedResult, Vec<TextTally>)>, PortFailure> {
        let Some(taking) = taking(&found) else { return Ok(None) };
        let votes = self.ports.results.take_count(found.round.client_id, found.round.meeting_id, taking).await?;
        Ok(votes.map(|votes| found.count(&votes)))
    }

    async fn papers_of(&self, found: CountableRound) -> Result<Option<RoundPapers>, PortFailure> {
        let Some(taking) = taking(&found) else { return Ok(None) };
        let register = self.ports.results.take_papers(found.round.client_id, found.round.meeting_id, taking).await?;
        Ok(register.map(|register| RoundPapers::count(found, register)))
    }
}

fn taking(found: &CountableRound) -> Option<CountTaking> {
    found.round.ended_at.map(|ended_at| CountTaking { round: found.round.id, ended_at })
}

fn page_of(texts: Vec<TextTally>, filter: &AnswerFilter) -> Page<TextTally> {
    let is_found = |text: &TextTally| filter.search.as_ref().is_none_or(|search| search.is_in(&text.text));
    Page::of_list(texts.into_iter().filter(is_found).collect(), filter.page)
}
