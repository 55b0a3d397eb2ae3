use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use plenum_kernel::{ClientId, MeetingId, Page, PageRequest, PortFailure, RoundId};
use plenum_result_format::{QuestionTypeName, ResultStatus};
use plenum_voting::{
    AnswerCuration, AnswerFilter, AnswerId, AnswerWall, CurateError, CurationChange, CurationPart, CurationStore,
    GivenAnswer, InvalidCuration, StoredCuration, VotingSignals, sort_by_frequency,
};

use crate::{RecordedResults, ShowResultError};

/// The maximum number of cached walls.
const CAPACITY: usize = 64;

/// The reason why answers are not shown or not curated.
#[derive(Debug, thiserror::Error)]
pub enum AnswerWallError {
    /// The answers are not shown.
    #[error(transparent)]
    Show(#[from] ShowResultError),
    /// The question has no texts as answers.
    #[error("only answers to a text question can be curated")]
    NoTexts,
    /// The curation does not fit the answers.
    #[error(transparent)]
    Invalid(#[from] InvalidCuration),
    /// The curation was not stored.
    #[error(transparent)]
    Curate(#[from] CurateError),
}

impl From<PortFailure> for AnswerWallError {
    fn from(failure: PortFailure) -> Self {
        Self::Curate(failure.into())
    }
}

/// The curation of a round, for its organizer.
#[derive(Clone, Debug)]
pub struct CuratedAnswers {
    /// The version, and the curation of the answers that the round has.
    pub stored: StoredCuration,
    /// Whether the result is declared. Before that, nothing is public.
    pub is_declared: bool,
    /// The number of people in each group.
    pub group_heads: Vec<u64>,
    /// The wall, as the presentation shows it or would show it.
    pub wall: AnswerWall,
}

/// An answer for the organizer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CuratedAnswer {
    /// The answer.
    pub answer: GivenAnswer,
    /// Its part of the curation.
    pub part: Option<CurationPart>,
}

/// The wall on the presentation.
#[derive(Clone, Debug)]
pub struct PresentedWall {
    /// The round.
    pub round: RoundId,
    /// The version of the curation.
    pub version: u32,
    /// The wall.
    pub wall: Arc<AnswerWall>,
}

/// The answers to text questions, as an organizer curates them for the presentation. No curation changes a result, a
/// record, a file or a voter's screen.
pub struct AnswerWalls {
    results: Arc<RecordedResults>,
    curations: Arc<dyn CurationStore>,
    signals: Arc<dyn VotingSignals>,
    /// Walls of declared rounds, with their versions. The answers of such a round never change.
    cache: Mutex<HashMap<RoundId, (u32, Arc<AnswerWall>)>>,
}

impl AnswerWalls {
    /// Walls from these results and curations.
    pub fn new(
        results: Arc<RecordedResults>,
        curations: Arc<dyn CurationStore>,
        signals: Arc<dyn VotingSignals>,
    ) -> Self {
        Self { results, curations, signals, cache: Mutex::default() }
    }

    /// The curation of a counted round.
    ///
    /// # Errors
    /// Fails when this client's meeting has no such round, it is still open or not counted, its record is damaged, or its
    /// question is no text question.
    pub async fn curated(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        round: RoundId,
    ) -> Result<CuratedAnswers, AnswerWallError> {
        let (is_declared, given) = self.given(owner, meeting, round).await?;
        let stored = self.curations.find(owner, meeting, round).await?;
        Ok(view(stored, is_declared, &given))
    }

    /// A page of the answers, the most frequent first, with their parts of the curation. `only` restricts it to answers with
    /// this part, or to those without one.
    ///
    /// # Errors
    /// As [`Self::curated`].
    pub async fn answers(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        round: RoundId,
        (filter, only): &(AnswerFilter, Option<Option<CurationPart>>),
    ) -> Result<Page<CuratedAnswer>, AnswerWallError> {
        let (_, given) = self.given(owner, meeting, round).await?;
        let parts = parts_of(&self.curations.find(owner, meeting, round).await?.curation);
        let part_of = |answer: &GivenAnswer| parts.get(&answer.id).copied();
        let is_meant = |answer: &&GivenAnswer| {
            only.is_none_or(|only| part_of(answer) == only)
                && filter.search.as_ref().is_none_or(|search| search.is_in(&answer.text))
        };
        let mut found: Vec<&GivenAnswer> = given.iter().filter(is_meant).collect();
        sort_by_frequency(&mut found);
        let Page { rows, total } = Page::of_list(found, filter.page);
        let row = |answer: &GivenAnswer| CuratedAnswer { answer: answer.clone(), part: part_of(answer) };
        Ok(Page { rows: rows.into_iter().map(row).collect(), total })
    }

    /// Replaces the whole curation, and informs the live screens. A repeat changes nothing.
    ///
    /// # Errors
    /// As [`Self::curated`]. Also when the curation does not fit the answers, is based on an older version, or the question
    /// has a later round.
    pub async fn curate(&self, change: CurationChange) -> Result<CuratedAnswers, AnswerWallError> {
        let (owner, meeting, round) = (change.owner, change.meeting, change.round);
        let (is_declared, given) = self.given(owner, meeting, round).await?;
        change.curation.check(&given)?;
        let (stored, has_changed) = self.curations.replace(change).await?;
        if has_changed {
            self.signals.meeting_changed(meeting).await;
        }
        Ok(view(stored, is_declared, &given))
    }

    /// The wall on the presentation: that of the current question's last round, if it is declared and the organizer shows
    /// its answers.
    ///
    /// # Errors
    /// Fails when the record is damaged, or a store does not respond.
    pub async fn on_screen(&self, meeting: MeetingId) -> Result<Option<PresentedWall>, AnswerWallError> {
        let Some(shown) = self.results.shown(meeting).await? else { return Ok(None) };
        if shown.result.question_type != QuestionTypeName::OpenText {
            return Ok(None);
        }
        let round = RoundId::from_uuid(shown.result.round_id);
        let stored = self.curations.find(shown.client, meeting, round).await?;
        if !stored.curation.is_shown {
            return Ok(None);
        }
        let version = stored.version;
        if let Some(wall) = self.cached(round, version) {
            return Ok(Some(PresentedWall { round, version, wall }));
        }
        let given = self.texts(shown.client, meeting, round).await?;
        let wall = Arc::new(AnswerWall::of(&stored.curation, &given));
        self.keep(round, version, &wall);
        Ok(Some(PresentedWall { round, version, wall }))
    }

    /// Whether the round is declared, and its answers.
    async fn given(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        round: RoundId,
    ) -> Result<(bool, Vec<GivenAnswer>), AnswerWallError> {
        let result = self.results.result(owner, meeting, round).await?;
        if result.question_type != QuestionTypeName::OpenText {
            return Err(AnswerWallError::NoTexts);
        }
        Ok((result.status == ResultStatus::Declared, self.texts(owner, meeting, round).await?))
    }

    async fn texts(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        round: RoundId,
    ) -> Result<Vec<GivenAnswer>, AnswerWallError> {
        let all = AnswerFilter { search: None, page: PageRequest { page: 1, page_size: u32::MAX } };
        let texts = self.results.answers(owner, meeting, round, &all).await?.rows;
        Ok(texts.into_iter().map(|answer| GivenAnswer::new(answer.text, answer.heads)).collect())
    }

    fn cached(&self, round: RoundId, version: u32) -> Option<Arc<AnswerWall>> {
        let cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        cache.get(&round).filter(|(cached, _)| *cached == version).map(|(_, wall)| Arc::clone(wall))
    }

    fn keep(&self, round: RoundId, version: u32, wall: &Arc<AnswerWall>) {
        let mut cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        if cache.len() >= CAPACITY {
            cache.clear();
        }
        cache.insert(round, (version, Arc::clone(wall)));
    }
}

fn view(stored: StoredCuration, is_declared: bool, given: &[GivenAnswer]) -> CuratedAnswers {
    let curation = stored.curation.without_missing(given);
    let heads: HashMap<AnswerId, u64> = given.iter().map(|answer| (answer.id, answer.heads)).collect();
    let sum = |ids: &[AnswerId]| ids.iter().filter_map(|id| heads.get(id)).sum();
    CuratedAnswers {
        is_declared,
        group_heads: curation.groups.iter().map(|group| sum(&group.answers)).collect(),
        wall: AnswerWall::of(&curation, given),
        stored: StoredCuration { version: stored.version, curation },
    }
}

fn parts_of(curation: &AnswerCuration) -> HashMap<AnswerId, CurationPart> {
    curation.places().map(|(part, id)| (id, part)).collect()
}
