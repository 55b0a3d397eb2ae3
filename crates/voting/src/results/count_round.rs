use std::sync::Arc;

use plenum_kernel::{AccountId, ClientId, Clock, MeetingId, Page, PageRequest, PortFailure, RoundId, SearchText};

use crate::{
    CountTaking, CountableRound, LoggedResult, PlacedResult, ResultStore, RoundPapers, RoundStatus, TextTally,
    VotingSignals,
};

/// The reason why a round was not counted.
#[derive(Debug, thiserror::Error)]
pub enum CountRoundError {
    /// The client's meeting has no such round.
    #[error("the round does not exist")]
    NotFound,
    /// The round is open. Its tally is secret until it ends.
    #[error("the round is still open")]
    StillOpen,
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

/// Counts rounds that have ended, decides them, and declares results. The first request counts the round. A declared result
/// is never counted again: its record says it ([`crate::ResultRecords`]).
pub struct ResultService {
    results: Arc<dyn ResultStore>,
    pub(crate) declarations: Arc<dyn ResultStore>,
    pub(crate) signals: Arc<dyn VotingSignals>,
    pub(crate) clock: Arc<dyn Clock>,
}

/// The number of attempts to count a round that reopens and ends meanwhile.
const TRIES: usize = 3;

impl ResultService {
    /// Counts the rounds of `results`, and declares them through `declarations`: the same store, which may use another
    /// pool of connections.
    pub fn new(
        results: Arc<dyn ResultStore>,
        declarations: Arc<dyn ResultStore>,
        signals: Arc<dyn VotingSignals>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self { results, declarations, signals, clock }
    }

    /// The result of an ended round, seen by `by`.
    ///
    /// # Errors
    /// Fails when this client's meeting has no such round, or the round is still open.
    pub async fn count(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        round: RoundId,
        by: AccountId,
    ) -> Result<PlacedResult, CountRoundError> {
        for _ in 0..TRIES {
            let found = self.ended(owner, meeting, round).await?;
            if let Some(result) = self.result_of(found, Some(by)).await? {
                return Ok(result);
            }
        }
        Err(CountRoundError::StillOpen)
    }

    /// A page of the text answers of an ended round, in alphabetical order. Empty for other types.
    ///
    /// # Errors
    /// As [`Self::count`].
    pub async fn answers(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        round: RoundId,
        by: AccountId,
        search: Option<&SearchText>,
        page: PageRequest,
    ) -> Result<Page<TextTally>, CountRoundError> {
        for _ in 0..TRIES {
            let found = self.ended(owner, meeting, round).await?;
            if let Some((_, texts)) = self.take(found, Some(by)).await? {
                return Ok(page_of(texts, search, page));
            }
        }
        Err(CountRoundError::StillOpen)
    }

    /// The results of the ended rounds of a meeting that are not declared, seen by `by`, in the order of the agenda and then
    /// of the rounds, and the declared rounds that are not among `recorded`. `None` when this client has no such meeting.
    ///
    /// # Errors
    /// Fails when the store does not respond.
    pub async fn results(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        by: AccountId,
        recorded: &[RoundId],
    ) -> Result<Option<(Vec<PlacedResult>, Vec<UnrecordedRound>)>, PortFailure> {
        let Some((ended, unrecorded)) = self.undeclared(owner, meeting, recorded).await? else { return Ok(None) };
        let mut results = Vec::with_capacity(ended.len());
        for round in ended {
            // A round that was reopened meanwhile has no result.
            results.extend(self.result_of(round, Some(by)).await?);
        }
        Ok(Some((results, unrecorded)))
    }

    /// As [`Self::results`], with their registers and ballots.
    ///
    /// # Errors
    /// Fails when the store does not respond.
    pub async fn papers(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        by: AccountId,
        recorded: &[RoundId],
    ) -> Result<Option<(Vec<RoundPapers>, Vec<UnrecordedRound>)>, PortFailure> {
        let Some((ended, unrecorded)) = self.undeclared(owner, meeting, recorded).await? else { return Ok(None) };
        let mut papers = Vec::with_capacity(ended.len());
        for round in ended {
            papers.extend(self.papers_of(round, by).await?);
        }
        Ok(Some((papers, unrecorded)))
    }

    /// The ended rounds without a record: those to count, and those that are declared all the same.
    async fn undeclared(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        recorded: &[RoundId],
    ) -> Result<Option<(Vec<CountableRound>, Vec<UnrecordedRound>)>, PortFailure> {
        let Some(ended) = self.results.ended(owner, meeting).await? else { return Ok(None) };
        let ended = ended.into_iter().filter(|found| !recorded.contains(&found.round.id));
        let (declared, ended): (Vec<_>, Vec<_>) = ended.partition(|found| found.round.status == RoundStatus::Declared);
        let unrecorded = declared.into_iter().map(|found| UnrecordedRound {
            round: found.round.id,
            position: found.position,
            number: found.round.number,
        });
        Ok(Some((ended, unrecorded.collect())))
    }

    async fn ended(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        round: RoundId,
    ) -> Result<CountableRound, CountRoundError> {
        let found = self.results.find(owner, meeting, round).await?.ok_or(CountRoundError::NotFound)?;
        match found.round.status {
            RoundStatus::Open => Err(CountRoundError::StillOpen),
            RoundStatus::Declared => Err(CountRoundError::Declared),
            RoundStatus::Ended => Ok(found),
        }
    }

    /// The result of an ended round. `None` if it was reopened meanwhile.
    async fn result_of(
        &self,
        found: CountableRound,
        by: Option<AccountId>,
    ) -> Result<Option<PlacedResult>, PortFailure> {
        let position = found.position;
        let result = self.take(found, by).await?;
        Ok(result.map(|(result, _)| PlacedResult { position, result: Arc::new(result) }))
    }

    async fn take(
        &self,
        mut found: CountableRound,
        by: Option<AccountId>,
    ) -> Result<Option<(LoggedResult, Vec<TextTally>)>, PortFailure> {
        let Some(taking) = self.taking(&found, by) else { return Ok(None) };
        let taken = self.results.take_count(found.round.client_id, found.round.meeting_id, taking).await?;
        let Some(taken) = taken else { return Ok(None) };
        found.note(taken.noted);
        Ok(Some(found.count(&taken.votes)))
    }

    async fn papers_of(&self, mut found: CountableRound, by: AccountId) -> Result<Option<RoundPapers>, PortFailure> {
        let Some(taking) = self.taking(&found, Some(by)) else { return Ok(None) };
        let taken = self.results.take_papers(found.round.client_id, found.round.meeting_id, taking).await?;
        let Some(taken) = taken else { return Ok(None) };
        found.note(taken.noted);
        Ok(Some(RoundPapers::count(found, taken.register)))
    }

    fn taking(&self, found: &CountableRound, by: Option<AccountId>) -> Option<CountTaking> {
        let seen = by.map(|by| (by, self.clock.now()));
        found.round.ended_at.map(|ended_at| CountTaking { round: found.round.id, ended_at, seen })
    }
}

fn page_of(texts: Vec<TextTally>, search: Option<&SearchText>, page: PageRequest) -> Page<TextTally> {
    let is_found = |text: &TextTally| search.is_none_or(|search| search.is_in(&text.text));
    Page::of_list(texts.into_iter().filter(is_found).collect(), page)
}
