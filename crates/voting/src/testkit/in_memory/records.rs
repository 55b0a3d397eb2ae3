use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use plenum_kernel::{ClientId, MeetingId, PortFailure, RoundId};

use super::{InMemoryVoting, State};
use crate::testkit::PlainRecords;
use crate::{
    AmendmentGap, Contradiction, LostRecord, MeetingRecord, RecordHead, RecordLink, RecordStub, RecordTimes,
    RecordWriter, Recordable, ResultRecords, RoundStatus, Standing, Standings, StoredRecord, UnrecordedResult,
};

/// The writer of the records in memory.
#[derive(Clone)]
pub(super) struct Writer(pub(super) Arc<dyn RecordWriter>);

impl Default for Writer {
    fn default() -> Self {
        Self(Arc::new(PlainRecords))
    }
}

impl fmt::Debug for Writer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Writer(…)")
    }
}

impl InMemoryVoting {
    /// An empty store whose records are written by `writer`.
    pub fn with_writer(writer: Arc<dyn RecordWriter>) -> Self {
        let store = Self::new();
        store.state().writer = Writer(writer);
        store
    }
}

impl State {
    /// Writes the record of a round that is declared now.
    pub(super) fn write_record(&mut self, round: RoundId, at: DateTime<Utc>, is_later: bool) {
        let Some(papers) = self.papers_of(round) else { return };
        let counted = &papers.result.result.result.round;
        let (client, meeting) = (counted.client_id, counted.meeting_id);
        let before = self.records.iter().filter(|record| record.meeting == meeting).max_by_key(|record| record.number);
        let link = RecordLink {
            number: before.map_or(0, |record| record.number) + 1,
            previous_hash: before.map(|record| record.sealed.hash.clone()),
            audit_head: None,
        };
        let number = link.number;
        let meeting_record = self.meeting_record(client, meeting);
        let recordable = Recordable { client, meeting: meeting_record, papers, link, at, is_later };
        let sealed = self.writer.0.seal(recordable);
        self.records.push(StoredRecord { client, meeting, round, number, sealed });
        self.recorded_at.insert(round, at);
    }

    fn meeting_record(&self, client: ClientId, meeting: MeetingId) -> MeetingRecord {
        MeetingRecord {
            id: meeting,
            title: self.meeting_title(meeting).to_owned(),
            organization: self.client_name(client).to_owned(),
            status: "ACTIVE".to_owned(),
            scheduled_start: DateTime::UNIX_EPOCH,
            scheduled_end: DateTime::UNIX_EPOCH,
            quorum: self.meetings.get(&meeting).and_then(|known| known.quorum),
            check_ins: Vec::new(),
            attendance: Vec::new(),
            remarks: Vec::new(),
            started_at: None,
            ended_at: None,
            agenda: Vec::new(),
            closings: Vec::new(),
            closing_hash: None,
            amendments: Vec::new(),
        }
    }
}

#[async_trait]
impl ResultRecords for InMemoryVoting {
    async fn heads(&self, owner: ClientId, meeting: MeetingId) -> Result<Vec<RecordHead>, PortFailure> {
        let state = self.state();
        let records = state.records.iter().filter(|record| (record.client, record.meeting) == (owner, meeting));
        let head = |record: &StoredRecord| RecordHead {
            round: record.round,
            number: record.number,
            hash: record.sealed.hash.clone(),
        };
        Ok(records.map(head).collect())
    }

    async fn times(&self, owner: ClientId, meeting: MeetingId) -> Result<RecordTimes, PortFailure> {
        let state = self.state();
        let records = state.records.iter().filter(|record| (record.client, record.meeting) == (owner, meeting));
        let time = |record: &StoredRecord| Some((record.round, *state.recorded_at.get(&record.round)?));
        Ok(RecordTimes { results: records.filter_map(time).collect(), closings: Vec::new() })
    }

    async fn load(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        rounds: Vec<RoundId>,
    ) -> Result<Vec<StoredRecord>, PortFailure> {
        let state = self.state();
        let records = state.records.iter().filter(|record| (record.client, record.meeting) == (owner, meeting));
        Ok(records.filter(|record| rounds.contains(&record.round)).cloned().collect())
    }

    async fn find(&self, hash: &str) -> Result<Option<(ClientId, MeetingId)>, PortFailure> {
        let state = self.state();
        let found = state.records.iter().find(|record| record.sealed.hash == hash);
        Ok(found.map(|record| (record.client, record.meeting)))
    }

    async fn by_hashes(&self, hashes: Vec<String>) -> Result<Vec<RecordStub>, PortFailure> {
        let state = self.state();
        let found = state.records.iter().filter(|record| hashes.contains(&record.sealed.hash));
        let stub = |record: &StoredRecord| {
            Some(RecordStub {
                hash: record.sealed.hash.clone(),
                number: record.number,
                recorded_at: *state.recorded_at.get(&record.round)?,
                key: record.sealed.key.clone(),
                signature: record.sealed.signature.clone(),
            })
        };
        Ok(found.filter_map(stub).collect())
    }

    async fn unrecorded(&self, before: DateTime<Utc>) -> Result<Vec<UnrecordedResult>, PortFailure> {
        let state = self.state();
        let is_recorded = |round: RoundId| state.records.iter().any(|record| record.round == round);
        let unrecorded = state.rounds.iter().map(|known| &known.round).filter(|round| {
            let is_before = round.declared.as_ref().is_some_and(|declared| declared.at < before);
            round.status == RoundStatus::Declared && is_before && !is_recorded(round.id)
        });
        let mut found: Vec<_> = unrecorded.collect();
        found.sort_by_key(|round| (round.declared.as_ref().map(|declared| declared.at), round.id));
        let result = |round: &crate::Round| UnrecordedResult {
            client: round.client_id,
            meeting: round.meeting_id,
            round: round.id,
        };
        Ok(found.into_iter().map(result).collect())
    }

    async fn meetings(&self, owner: Option<ClientId>, limit: u32) -> Result<Vec<(ClientId, MeetingId)>, PortFailure> {
        let mut meetings = Vec::new();
        let state = self.state();
        let recorded = state.records.iter().rev().map(|record| (record.client, record.meeting));
        let declared = state.rounds.iter().map(|known| &known.round).filter(|round| round.declared.is_some());
        for place in recorded.chain(declared.map(|round| (round.client_id, round.meeting_id))) {
            if owner.is_none_or(|owner| owner == place.0) && !meetings.contains(&place) {
                meetings.push(place);
            }
        }
        meetings.truncate(limit as usize);
        Ok(meetings)
    }

    async fn audit_hash(&self, _owner: ClientId, _number: u64) -> Result<Option<String>, PortFailure> {
        // Nothing is audited in memory, and no record has an audit head.
        Ok(None)
    }

    async fn standings(&self, owner: ClientId, meeting: MeetingId) -> Result<Standings, PortFailure> {
        let is_there = self.state().meetings.get(&meeting).is_some_and(|known| known.client == owner);
        // Nothing is deleted in memory.
        Ok(Standings {
            client: Standing::Present,
            meeting: if is_there { Standing::Present } else { Standing::Missing },
        })
    }

    async fn contradictions(&self, _owner: ClientId, _meeting: MeetingId) -> Result<Vec<Contradiction>, PortFailure> {
        // The agenda and the rounds are the same values in memory.
        Ok(Vec::new())
    }

    async fn amendment_gaps(&self, _owner: ClientId, _meeting: MeetingId) -> Result<Vec<AmendmentGap>, PortFailure> {
        // No meeting in memory has an amendment.
        Ok(Vec::new())
    }

    async fn orphans(&self, owner: ClientId, meeting: MeetingId) -> Result<Vec<RoundId>, PortFailure> {
        let state = self.state();
        let records = state.records.iter().filter(|record| (record.client, record.meeting) == (owner, meeting));
        let is_there = |round: RoundId| state.rounds.iter().any(|known| known.round.id == round);
        Ok(records.map(|record| record.round).filter(|round| !is_there(*round)).collect())
    }

    async fn lost(&self, _owner: Option<ClientId>) -> Result<Vec<LostRecord>, PortFailure> {
        Ok(Vec::new())
    }

    async fn record_later(&self, result: UnrecordedResult, now: DateTime<Utc>) -> Result<(), PortFailure> {
        let mut state = self.state();
        let is_declared = state
            .round_of(result.client, result.meeting, result.round)
            .is_some_and(|known| known.round.status == RoundStatus::Declared);
        if is_declared && !state.records.iter().any(|record| record.round == result.round) {
            state.write_record(result.round, now, true);
        }
        Ok(())
    }
}
