use std::sync::Arc;

use plenum_kernel::{
    AccountId, ClientId, Clock, EndUserId, MeetingId, Page, PageRequest, PortFailure, RoundId, SearchText, SessionId,
};

use crate::results::declared_results::DeclaredResults;
use crate::{
    CountTaking, CountableRound, CountedVote, LoggedResult, PlacedResult, RegisterPaper, ResultStore, RoundPapers,
    RoundStatus, TextTally, VotingSignals,
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
    /// The store did not respond.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

/// A declared result with the voter's answer, in the words of the round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VoterResult {
    /// The result.
    pub result: PlacedResult,
    /// Whether the voter has voted.
    pub has_voted: bool,
    /// The voter's own answer, if the session may see it.
    pub own_vote: Option<Vec<String>>,
}

/// Counts rounds that have ended, decides them, and declares results. The first request counts the round.
pub struct ResultService {
    results: Arc<dyn ResultStore>,
    pub(crate) declarations: Arc<dyn ResultStore>,
    pub(crate) signals: Arc<dyn VotingSignals>,
    pub(crate) clock: Arc<dyn Clock>,
    declared: DeclaredResults,
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
        Self { results, declarations, signals, clock, declared: DeclaredResults::default() }
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

    /// The results of all ended rounds of a meeting, seen by `by`, in the order of the agenda and then of the rounds. `None` when this client has no such meeting.
    ///
    /// # Errors
    /// Fails when the store does not respond.
    pub async fn results(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        by: AccountId,
    ) -> Result<Option<Vec<PlacedResult>>, PortFailure> {
        let Some(ended) = self.results.ended(owner, meeting).await? else { return Ok(None) };
        let mut results = Vec::with_capacity(ended.len());
        for round in ended {
            // A round that was reopened meanwhile has no result.
            results.extend(self.result_of(round, Some(by)).await?);
        }
        Ok(Some(results))
    }

    /// The results with their registers and ballots, for `by`.
    ///
    /// # Errors
    /// Fails when the store does not respond.
    pub async fn papers(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        by: AccountId,
    ) -> Result<Option<Vec<RoundPapers>>, PortFailure> {
        let Some(ended) = self.results.ended(owner, meeting).await? else { return Ok(None) };
        let mut papers = Vec::with_capacity(ended.len());
        for round in ended {
            papers.extend(self.papers_of(round, by).await?);
        }
        Ok(Some(papers))
    }

    /// The declared results of a meeting, in the order of the agenda, with the answers of the voter that `session`
    /// may see ([`crate::StoredVote::is_visible_to`]). The caller MUST have checked that the voter sees the meeting.
    ///
    /// # Errors
    /// Fails when the store does not respond.
    pub async fn declared_to_voter(
        &self,
        client: ClientId,
        meeting: MeetingId,
        voter: EndUserId,
        session: SessionId,
    ) -> Result<Vec<VoterResult>, PortFailure> {
        let mut results = Vec::new();
        for declared in self.results.declared_to_voter(client, meeting, voter).await? {
            let Some(result) = self.declared(client, meeting, declared.round).await? else { continue };
            let wording = &result.result.round.wording;
            let is_named = result.result.round.is_named;
            let has_voted = declared.vote.is_some();
            let visible = declared.vote.filter(|vote| vote.is_visible_to(session, is_named));
            let own_vote = visible.map(|vote| vote.answer.texts(wording));
            let result = PlacedResult { position: declared.position, result };
            results.push(VoterResult { result, has_voted, own_vote });
        }
        Ok(results)
    }

    /// The result on the presentation: the declared result of the current question's last round.
    ///
    /// # Errors
    /// Fails when the store does not respond.
    pub async fn declared_on_screen(&self, meeting: MeetingId) -> Result<Option<PlacedResult>, PortFailure> {
        let Some(shown) = self.results.declared_on_screen(meeting).await? else { return Ok(None) };
        let result = self.declared(shown.client, meeting, shown.round).await?;
        Ok(result.map(|result| PlacedResult { position: shown.position, result }))
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
            RoundStatus::Ended | RoundStatus::Declared => Ok(found),
        }
    }

    /// The result of a declared round, from memory if possible.
    async fn declared(
        &self,
        client: ClientId,
        meeting: MeetingId,
        round: RoundId,
    ) -> Result<Option<Arc<LoggedResult>>, PortFailure> {
        let compute = async {
            let found = self.results.find(client, meeting, round).await?;
            match found.filter(|found| found.round.status == RoundStatus::Declared) {
                Some(found) => Ok(self.take(found, None).await?.map(|(result, _)| result)),
                None => Ok(None),
            }
        };
        self.declared.get(round, compute).await
    }

    /// The result of an ended round. `None` if it was reopened meanwhile.
    async fn result_of(
        &self,
        found: CountableRound,
        by: Option<AccountId>,
    ) -> Result<Option<PlacedResult>, PortFailure> {
        let position = found.position;
        let result = match found.round.status {
            RoundStatus::Open => None,
            RoundStatus::Ended => self.take(found, by).await?.map(|(result, _)| Arc::new(result)),
            RoundStatus::Declared => {
                let round = found.round.id;
                let compute = async { Ok(self.take(found, None).await?.map(|(result, _)| result)) };
                self.declared.get(round, compute).await?
            }
        };
        Ok(result.map(|result| PlacedResult { position, result }))
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
        let (position, votes) = (found.position, votes_of(&taken.register));
        let (result, texts) = found.count(&votes);
        let result = PlacedResult { position, result: Arc::new(result) };
        Ok(Some(RoundPapers { result, register: taken.register, texts }))
    }

    fn taking(&self, found: &CountableRound, by: Option<AccountId>) -> Option<CountTaking> {
        let seen = by.map(|by| (by, self.clock.now()));
        found.round.ended_at.map(|ended_at| CountTaking { round: found.round.id, ended_at, seen })
    }
}

fn votes_of(register: &[RegisterPaper]) -> Vec<CountedVote> {
    let vote = |paper: &RegisterPaper| {
        paper.answer.as_ref().map(|answer| CountedVote { answer: answer.clone(), weight: paper.weight })
    };
    register.iter().filter_map(vote).collect()
}

fn page_of(texts: Vec<TextTally>, search: Option<&SearchText>, page: PageRequest) -> Page<TextTally> {
    let is_found = |text: &TextTally| search.is_none_or(|search| search.is_in(&text.text));
    let found: Vec<TextTally> = texts.into_iter().filter(is_found).collect();
    let total = found.len() as u64;
    let skipped = usize::try_from(page.offset()).unwrap_or(usize::MAX);
    Page { rows: found.into_iter().skip(skipped).take(page.page_size as usize).collect(), total }
}
