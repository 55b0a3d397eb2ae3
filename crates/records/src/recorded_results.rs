use std::sync::Arc;

use plenum_kernel::{ClientId, EndUserId, EvidenceKeys, MeetingId, Page, PageRequest, PortFailure, RoundId, SessionId};
use plenum_result_format::{
    DamagedRecord, ElectionOutcome, QuestionPlaces, RoundFile, RoundResult, TextAnswer, UncountedRound,
};
use plenum_voting::{
    Answer, AnswerFilter, RecordHead, RecordTimestamps, ResultRecords, ResultService, ResultStore, ShowCountError,
    StoredRecord, UnrecordedRound,
};
use uuid::Uuid;

use crate::MeetingTimestamps;
use crate::declared_results::{DeclaredResult, DeclaredResults};
use crate::election_outcomes::election_outcomes;
use crate::file_format::{Listing, RoundsOfMeeting, round_file};
use crate::read_record::{RecordDamage, damaged, read_record, sealed_round};
use crate::result_format::{round_result, text_answer};

/// The reason why a result is not shown.
#[derive(Debug, thiserror::Error)]
pub enum ShowResultError {
    /// The result is declared, but its record was changed.
    #[error("the record of this result is damaged: {0}")]
    Damaged(#[from] RecordDamage),
    /// The result is not declared.
    #[error("the result of this vote is not declared yet")]
    NotDeclared,
    /// The round cannot be counted.
    #[error(transparent)]
    Count(#[from] ShowCountError),
}

impl From<PortFailure> for ShowResultError {
    fn from(failure: PortFailure) -> Self {
        Self::Count(failure.into())
    }
}

/// A filter for the receipts of a secret round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReceiptFilter {
    /// The first letters, in any case, with or without hyphens and blanks.
    pub starts_with: String,
    /// The page.
    pub page: PageRequest,
}

impl ReceiptFilter {
    fn page_of(&self, receipts: Vec<String>) -> Page<String> {
        let letters = |text: &str| -> String { text.chars().filter(char::is_ascii_alphanumeric).collect() };
        let start = letters(&self.starts_with).to_ascii_uppercase();
        let is_found = |receipt: &String| letters(receipt).starts_with(&start);
        Page::of_list(receipts.into_iter().filter(is_found).collect(), self.page)
    }
}

/// The results of the ended rounds of a meeting, in the order of [`QuestionPlaces`].
#[derive(Debug)]
pub struct EndedRounds {
    /// The results.
    pub results: Vec<RoundResult>,
    /// Declared results whose records are damaged.
    pub damaged: Vec<DamagedRecord>,
    /// Rounds that are not counted.
    pub uncounted: Vec<UncountedRound>,
    /// The declared elections, and who has their seats.
    pub elections: Vec<ElectionOutcome>,
}

/// A declared result with the voter's answer, in the words of the round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VoterResult {
    /// The result without its log, or the reason why it is not shown.
    pub result: Result<RoundResult, DamagedRecord>,
    /// Whether the voter has voted.
    pub has_voted: bool,
    /// The voter's own answer, if the session may see it.
    pub own_vote: Option<Vec<String>>,
}

/// The stores and services of [`RecordedResults`].
pub struct RecordedResultPorts {
    /// Counts results that are not declared.
    pub results: Arc<ResultService>,
    /// Reads records for lists and exports.
    pub records: Arc<dyn ResultRecords>,
    /// Reads records while a meeting runs: the same store, which may use another pool of connections.
    pub live_records: Arc<dyn ResultRecords>,
    /// Finds the declared results of a voter and of the presentation.
    pub declared: Arc<dyn ResultStore>,
    /// The timestamps of records, for lists and exports.
    pub timestamps: Arc<dyn RecordTimestamps>,
    /// Checks the signatures.
    pub keys: Arc<dyn EvidenceKeys>,
}

/// Results in the format of screens and files: those of declared rounds from their records, others by a count.
pub struct RecordedResults {
    ports: RecordedResultPorts,
    cache: DeclaredResults,
}

/// A place in a meeting.
#[derive(Clone, Copy, Debug)]
struct Place {
    client: ClientId,
    meeting: MeetingId,
}

impl RecordedResults {
    /// Results from these stores.
    pub fn new(ports: RecordedResultPorts) -> Self {
        Self { ports, cache: DeclaredResults::default() }
    }

    /// The result of a counted round.
    ///
    /// # Errors
    /// Fails when this client's meeting has no such round, the round is still open or not counted, or its record is
    /// damaged.
    pub async fn result(
        &self,
        client: ClientId,
        meeting: MeetingId,
        round: RoundId,
    ) -> Result<RoundResult, ShowResultError> {
        let place = Place { client, meeting };
        // A record takes precedence over the row of its round.
        if let Some(declared) = self.declared(place, round).await? {
            return Ok(declared.result.clone());
        }
        match self.ports.results.result(client, meeting, round).await {
            Ok(counted) => Ok(round_result(&counted)),
            // The result was declared during this call, or has no record.
            Err(ShowCountError::Declared) => {
                let declared = self.declared(place, round).await?.ok_or(RecordDamage::Missing)?;
                Ok(declared.result.clone())
            }
            Err(error) => Err(error.into()),
        }
    }

    /// The timestamps of a meeting's records. They come later than the records, so they are read each time.
    ///
    /// # Errors
    /// Fails when the store does not respond.
    pub async fn timestamps(&self, client: ClientId, meeting: MeetingId) -> Result<MeetingTimestamps, PortFailure> {
        MeetingTimestamps::load(&*self.ports.timestamps, client, meeting).await
    }

    /// The hashes of the records of a meeting, in the order of their numbers.
    ///
    /// # Errors
    /// Fails when the store does not respond.
    pub async fn record_hashes(&self, client: ClientId, meeting: MeetingId) -> Result<Vec<String>, PortFailure> {
        let heads = self.ports.records.heads(client, meeting).await?;
        Ok(heads.into_iter().map(|head| head.hash).collect())
    }

    /// A page of the text answers of a counted round, in alphabetical order. Empty for other types.
    ///
    /// # Errors
    /// As [`Self::result`].
    pub async fn answers(
        &self,
        client: ClientId,
        meeting: MeetingId,
        round: RoundId,
        filter: &AnswerFilter,
    ) -> Result<Page<TextAnswer>, ShowResultError> {
        for _ in 0..2 {
            let recorded = self.ports.records.load(client, meeting, vec![round]).await?;
            if let Some(stored) = recorded.first() {
                let record = read_record(stored, &*self.ports.keys)?;
                return Ok(page_of(record.round.texts, filter));
            }
            match self.ports.results.answers(client, meeting, round, filter).await {
                Ok(answers) => {
                    let rows = answers.rows.into_iter().map(text_answer).collect();
                    return Ok(Page { rows, total: answers.total });
                }
                Err(ShowCountError::Declared) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(RecordDamage::Missing.into())
    }

    /// A page of the receipts of a declared secret round, in alphabetical order. Empty for other rounds.
    ///
    /// # Errors
    /// `NotDeclared` before the declaration; otherwise as [`Self::result`].
    pub async fn receipts(
        &self,
        client: ClientId,
        meeting: MeetingId,
        round: RoundId,
        filter: &ReceiptFilter,
    ) -> Result<Page<String>, ShowResultError> {
        for _ in 0..2 {
            let recorded = self.ports.records.load(client, meeting, vec![round]).await?;
            if let Some(stored) = recorded.first() {
                let urn = read_record(stored, &*self.ports.keys)?.round.urn;
                return Ok(filter.page_of(urn.map(|urn| urn.receipts).unwrap_or_default()));
            }
            match self.ports.results.result(client, meeting, round).await {
                Ok(_) | Err(ShowCountError::NotCounted | ShowCountError::StillOpen) => {
                    return Err(ShowResultError::NotDeclared);
                }
                // The result was declared during this call, or has no record.
                Err(ShowCountError::Declared) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(RecordDamage::Missing.into())
    }

    /// The results of all counted rounds of a meeting. `None` when this client has no such meeting.
    ///
    /// # Errors
    /// Fails when a store does not respond.
    pub async fn results(&self, client: ClientId, meeting: MeetingId) -> Result<Option<EndedRounds>, PortFailure> {
        let place = Place { client, meeting };
        let heads = self.ports.records.heads(client, meeting).await?;
        let recorded: Vec<RoundId> = heads.iter().map(|head| head.round).collect();
        let Some(rounds) = self.ports.results.results(client, meeting, &recorded).await? else { return Ok(None) };
        let (heads, missing) = self.declared_meanwhile(place, heads, rounds.unrecorded).await?;
        let mut damages: Vec<DamagedRecord> = missing.iter().map(missing_record).collect();
        let mut results: Vec<RoundResult> = rounds.counted.iter().map(round_result).collect();
        results.retain(|result| has_no_record(&heads, result.round_id));
        let (declared, damaged) = self.of_records(place, &heads).await?;
        results.extend(declared.iter().map(|declared| declared.result.clone()));
        damages.extend(damaged);
        let timestamps = self.timestamps(client, meeting).await?;
        results.iter_mut().for_each(|result| timestamps.add_to_result(result));
        let places = QuestionPlaces::of(&results);
        results.sort_by_key(|result| places.order(result));
        let uncounted = uncounted_rounds(rounds.uncounted, &heads);
        let elections = self.outcomes(place, &results.iter().collect::<Vec<_>>()).await?;
        Ok(Some(EndedRounds { results, damaged: damages, uncounted, elections }))
    }

    /// The declared elections of a meeting, and who has their seats. Counts nothing. Empty also when this client has no such
    /// meeting.
    ///
    /// # Errors
    /// Fails when a store does not respond.
    pub async fn elections(&self, client: ClientId, meeting: MeetingId) -> Result<Vec<ElectionOutcome>, PortFailure> {
        let place = Place { client, meeting };
        let heads = self.ports.records.heads(client, meeting).await?;
        let (declared, _) = self.of_records(place, &heads).await?;
        let mut results: Vec<&RoundResult> = declared.iter().map(|declared| &declared.result).collect();
        let places = QuestionPlaces::of(results.iter().copied());
        results.sort_by_key(|result| places.order(result));
        self.outcomes(place, &results).await
    }

    /// The results of these records, from the cache if possible, and the damaged records.
    async fn of_records(
        &self,
        place: Place,
        heads: &[RecordHead],
    ) -> Result<(Vec<Arc<DeclaredResult>>, Vec<DamagedRecord>), PortFailure> {
        let Place { client, meeting } = place;
        let (known, unread): (Vec<_>, Vec<_>) = heads
            .iter()
            .map(|head| (head.round, self.cached(place, head.round)))
            .partition(|(_, known)| known.is_some());
        let mut results: Vec<Arc<DeclaredResult>> = known.into_iter().filter_map(|(_, known)| known).collect();
        let mut damages = Vec::new();
        let unread = unread.into_iter().map(|(round, _)| round).collect();
        for stored in self.load(place, unread).await? {
            match self.read(&stored) {
                Ok(round) => {
                    let declared = Arc::new(DeclaredResult { client, meeting, result: round.result });
                    results.push(Arc::clone(&declared));
                    self.cache.keep(stored.round, declared);
                }
                Err(damage) => damages.push(damaged_record(&stored, damage)),
            }
        }
        Ok((results, damages))
    }

    /// All counted rounds of a meeting with registers and ballots. `None` when this client has no such meeting.
    ///
    /// # Errors
    /// Fails when a store does not respond.
    pub async fn files(&self, client: ClientId, meeting: MeetingId) -> Result<Option<RoundsOfMeeting>, PortFailure> {
        let place = Place { client, meeting };
        let heads = self.ports.records.heads(client, meeting).await?;
        let recorded: Vec<RoundId> = heads.iter().map(|head| head.round).collect();
        let Some(counted) = self.ports.results.papers(client, meeting, &recorded).await? else { return Ok(None) };
        let (heads, missing) = self.declared_meanwhile(place, heads, counted.unrecorded).await?;
        let mut damages: Vec<DamagedRecord> = missing.iter().map(missing_record).collect();
        let file = |papers| round_file(papers, Listing::WithoutRareWeights);
        let mut rounds: Vec<RoundFile> = counted.counted.into_iter().map(file).collect();
        rounds.retain(|round| has_no_record(&heads, round.result.round_id));
        for stored in self.load(place, heads.iter().map(|head| head.round).collect()).await? {
            match self.read(&stored) {
                Ok(round) => rounds.push(round),
                Err(damage) => damages.push(damaged_record(&stored, damage)),
            }
        }
        let timestamps = self.timestamps(client, meeting).await?;
        rounds.iter_mut().for_each(|round| timestamps.add_to_file(round));
        let places = QuestionPlaces::of(rounds.iter().map(|round| &round.result));
        rounds.sort_by_key(|round| places.order(&round.result));
        let uncounted = uncounted_rounds(counted.uncounted, &heads);
        let results: Vec<&RoundResult> = rounds.iter().map(|round| &round.result).collect();
        let elections = self.outcomes(place, &results).await?;
        Ok(Some(RoundsOfMeeting { rounds, damaged: damages, uncounted, elections }))
    }

    /// The elections among these results of a meeting, with the answers of the elected.
    async fn outcomes(&self, place: Place, results: &[&RoundResult]) -> Result<Vec<ElectionOutcome>, PortFailure> {
        let has_any = results.iter().any(|result| result.election.is_some());
        let noted =
            if has_any { self.ports.declared.seat_answers(place.client, place.meeting).await? } else { Vec::new() };
        Ok(election_outcomes(results, &noted))
    }

    /// The declared results of a meeting, in the order of the agenda, with the answers of the voter that `session` may
    /// see ([`plenum_voting::StoredVote::is_visible_to`]). The caller MUST have checked that the voter sees the
    /// meeting. A result with a damaged record or a missing round has no content here: the record cannot be trusted, or
    /// there are no rows with this voter's vote.
    ///
    /// # Errors
    /// Fails if a store does not respond.
    pub async fn of_voter(
        &self,
        client: ClientId,
        meeting: MeetingId,
        voter: EndUserId,
        session: SessionId,
    ) -> Result<Vec<VoterResult>, PortFailure> {
        let mut results = Vec::new();
        for found in self.ports.declared.declared_to_voter(client, meeting, voter).await? {
            let has_voted = found.vote.is_some();
            match self.unless_damaged(Place { client, meeting }, found.round).await? {
                Ok(declared) => {
                    let result = public_part(&declared.result);
                    let visible = found.vote.filter(|vote| vote.is_visible_to(session, result.secrecy().into()));
                    let own_vote = visible.map(|vote| texts_of(&vote.answer, &result));
                    results.push(VoterResult { result: Ok(result), has_voted, own_vote });
                }
                Err(damage) => {
                    let damaged = damaged(found.round.as_uuid(), (found.position, 0), damage);
                    results.push(VoterResult { result: Err(damaged), has_voted, own_vote: None });
                }
            }
        }
        for round in self.ports.live_records.orphans(client, meeting).await? {
            let damaged = damaged(round.as_uuid(), (0, 0), RecordDamage::Orphaned);
            results.push(VoterResult { result: Err(damaged), has_voted: false, own_vote: None });
        }
        Ok(results)
    }

    /// The result on the presentation: the declared result of the current question's last round, without its log.
    ///
    /// # Errors
    /// Fails when its record is damaged, or a store does not respond.
    pub async fn on_screen(&self, meeting: MeetingId) -> Result<Option<RoundResult>, ShowResultError> {
        Ok(self.shown(meeting).await?.map(|shown| public_part(&shown.result)))
    }

    /// As [`Self::on_screen`], with the client and the log.
    pub(crate) async fn shown(&self, meeting: MeetingId) -> Result<Option<Arc<DeclaredResult>>, ShowResultError> {
        let Some(shown) = self.ports.declared.declared_on_screen(meeting).await? else { return Ok(None) };
        let place = Place { client: shown.client, meeting };
        let declared = self.declared(place, shown.round).await?.ok_or(RecordDamage::Missing)?;
        // A later round without a row is still the last one of the question.
        let mut last = declared;
        for round in self.ports.live_records.orphans(shown.client, meeting).await? {
            let Some(orphan) = self.declared(place, round).await? else { continue };
            let is_later = orphan.result.number > last.result.number;
            if orphan.result.question_id == last.result.question_id && is_later {
                last = orphan;
            }
        }
        Ok(Some(last))
    }

    /// The result of a declared round, from the cache if possible. `None` without a record.
    async fn declared(&self, place: Place, round: RoundId) -> Result<Option<Arc<DeclaredResult>>, ShowResultError> {
        let Place { client, meeting } = place;
        let read = async {
            let stored = self.ports.live_records.load(client, meeting, vec![round]).await?;
            let Some(stored) = stored.first() else { return Ok::<_, ShowResultError>(None) };
            let result = self.read(stored)?.result;
            Ok(Some(DeclaredResult { client, meeting, result }))
        };
        let declared = self.cache.get(round, read).await?;
        Ok(declared.filter(|declared| (declared.client, declared.meeting) == (client, meeting)))
    }

    /// Like [`Self::declared`], or the damage of the record.
    async fn unless_damaged(
        &self,
        place: Place,
        round: RoundId,
    ) -> Result<Result<Arc<DeclaredResult>, RecordDamage>, PortFailure> {
        match self.declared(place, round).await {
            Ok(declared) => Ok(declared.ok_or(RecordDamage::Missing)),
            Err(ShowResultError::Count(ShowCountError::Port(failure))) => Err(failure),
            Err(ShowResultError::Damaged(damage)) => Ok(Err(damage)),
            Err(ShowResultError::Count(_) | ShowResultError::NotDeclared) => Ok(Err(RecordDamage::Unreadable)),
        }
    }

    fn cached(&self, place: Place, round: RoundId) -> Option<Arc<DeclaredResult>> {
        let declared = self.cache.cached(round);
        declared.filter(|declared| (declared.client, declared.meeting) == (place.client, place.meeting))
    }

    /// Reads again the records of rounds that were declared between two reads.
    async fn declared_meanwhile(
        &self,
        place: Place,
        heads: Vec<RecordHead>,
        missing: Vec<UnrecordedRound>,
    ) -> Result<(Vec<RecordHead>, Vec<UnrecordedRound>), PortFailure> {
        if missing.is_empty() {
            return Ok((heads, missing));
        }
        let heads = self.ports.records.heads(place.client, place.meeting).await?;
        let is_missing = |round: &UnrecordedRound| heads.iter().all(|head| head.round != round.round);
        let missing = missing.into_iter().filter(is_missing).collect();
        Ok((heads, missing))
    }

    async fn load(&self, place: Place, rounds: Vec<RoundId>) -> Result<Vec<StoredRecord>, PortFailure> {
        if rounds.is_empty() {
            return Ok(Vec::new());
        }
        self.ports.records.load(place.client, place.meeting, rounds).await
    }

    fn read(&self, stored: &StoredRecord) -> Result<RoundFile, RecordDamage> {
        Ok(sealed_round(read_record(stored, &*self.ports.keys)?, stored))
    }
}

/// The result without its log, which contains names and reasons.
fn public_part(result: &RoundResult) -> RoundResult {
    RoundResult { log: Vec::new(), ..result.clone() }
}

fn missing_record(round: &UnrecordedRound) -> DamagedRecord {
    damaged(round.round.as_uuid(), (round.position, round.number), RecordDamage::Missing)
}

/// Whether a round has none of these records. One that was declared after its count is read from its record alone.
fn has_no_record(heads: &[RecordHead], round: Uuid) -> bool {
    heads.iter().all(|head| head.round.as_uuid() != round)
}

/// The uncounted rounds, without those that were counted and declared since.
fn uncounted_rounds(rounds: Vec<plenum_voting::UncountedRound>, heads: &[RecordHead]) -> Vec<UncountedRound> {
    rounds.into_iter().map(uncounted_round).filter(|round| has_no_record(heads, round.round_id)).collect()
}

fn uncounted_round(round: plenum_voting::UncountedRound) -> UncountedRound {
    let plenum_voting::UncountedRound { round, question, position, number, question_text, is_void } = round;
    let (round_id, question_id) = (round.as_uuid(), Some(question.as_uuid()));
    UncountedRound { round_id, question_id, position, number, question_text, is_void }
}

/// An untrusted record provides no data, not even its position.
fn damaged_record(stored: &StoredRecord, damage: RecordDamage) -> DamagedRecord {
    damaged(stored.round.as_uuid(), (0, 0), damage)
}

/// The answer in the words of the recorded round.
fn texts_of(answer: &Answer, result: &RoundResult) -> Vec<String> {
    match answer {
        Answer::Options(chosen) => {
            let text = |id: &plenum_kernel::OptionId| result.options.iter().find(|option| option.id == id.as_uuid());
            chosen.iter().filter_map(text).map(|option| option.text.clone()).collect()
        }
        Answer::Number(number) => vec![number.normalize().to_string()],
        Answer::Text(text) => vec![text.clone()],
        Answer::Sealed(_) => Vec::new(),
    }
}

fn page_of(texts: Vec<TextAnswer>, filter: &AnswerFilter) -> Page<TextAnswer> {
    let is_found = |text: &TextAnswer| filter.search.as_ref().is_none_or(|search| search.is_in(&text.text));
    Page::of_list(texts.into_iter().filter(is_found).collect(), filter.page)
}
