use async_trait::async_trait;
use chrono::{DateTime, TimeDelta, Utc};
use plenum_kernel::{ClientId, MeetingId, PortFailure};
use uuid::Uuid;

use super::{InMemoryVoting, State};
use crate::{
    DueMeeting, DuePurge, KnownTimes, PurgeDocuments, PurgeOrder, PurgeScope, PurgeStore, Purgeable, PurgeableMeeting,
    Purged, SETTLED_DAYS, StoredPurge, StoredRecord,
};

impl State {
    /// The meetings of this scope that are due. Nothing is audited in memory, and meetings end without closing records.
    fn due_meetings(&self, scope: PurgeScope) -> Vec<DueMeeting> {
        let mut due: Vec<DueMeeting> = Vec::new();
        for record in &self.records {
            let (client, meeting) = (record.client, record.meeting);
            let Some(at) = self.recorded_at.get(&record.round).copied() else { continue };
            match due.iter_mut().find(|due| due.meeting == meeting) {
                Some(due) => (due.at, due.records) = (due.at.max(at), due.records + 1),
                None => due.push(DueMeeting {
                    client,
                    meeting,
                    title: self.meetings.get(&meeting).map(|known| known.title.clone()),
                    at,
                    records: 1,
                    closings: 0,
                    amendments: 0,
                }),
            }
        }
        due.retain(|due| {
            due.at < scope.before
                && scope.client.is_none_or(|client| client == due.client)
                && scope.meeting.is_none_or(|meeting| meeting == due.meeting)
                && self.meetings.get(&due.meeting).is_none_or(|known| !known.is_active)
        });
        due.sort_by_key(|due| (due.client, due.at, due.meeting));
        due
    }

    fn remove_meeting(&mut self, client: ClientId, meeting: MeetingId) -> PurgeableMeeting {
        let of_meeting = |record: &&StoredRecord| (record.client, record.meeting) == (client, meeting);
        let records: Vec<_> = self.records.iter().filter(of_meeting).cloned().collect();
        self.records.retain(|record| record.meeting != meeting);
        self.rounds.retain(|known| known.round.meeting_id != meeting);
        self.questions.retain(|_, known| known.meeting != meeting);
        self.meetings.remove(&meeting);
        let records = records.into_iter().map(|record| (record.round, record.number, record.sealed.hash)).collect();
        PurgeableMeeting { meeting, records, closings: Vec::new(), amendments: 0 }
    }

    fn last_purge(&self, chain: Uuid) -> Option<&StoredPurge> {
        self.purges.iter().rev().find(|purge| purge.chain == chain)
    }
}

#[async_trait]
impl PurgeStore for InMemoryVoting {
    async fn due(&self, scope: PurgeScope, limit: u32) -> Result<DuePurge, PortFailure> {
        let mut meetings = self.state().due_meetings(scope);
        meetings.truncate(limit as usize);
        Ok(DuePurge { meetings, ..DuePurge::default() })
    }

    async fn purge(
        &self,
        chain: Uuid,
        order: PurgeOrder,
        except: Vec<MeetingId>,
    ) -> Result<Option<Purged>, PortFailure> {
        let mut state = self.state();
        let mut due = state.due_meetings(order.scope);
        due.retain(|due| due.client.as_uuid() == chain && !except.contains(&due.meeting));
        if due.is_empty() {
            return Ok(None);
        }
        let (number, previous_hash) = match state.last_purge(chain) {
            Some(last) => (last.number + 1, Some(last.sealed.hash.clone())),
            None => (1, None),
        };
        let meetings: Vec<_> = due.iter().map(|due| state.remove_meeting(due.client, due.meeting)).collect();
        let records = meetings.iter().map(|meeting| meeting.records.len() as u64).sum();
        let sealed = state.writer.0.purge(Purgeable { chain, number, previous_hash, order, meetings, entries: None });
        let purged = Purged { document: sealed.hash.clone(), meetings: due.len() as u64, records, ..Purged::default() };
        state.purges.push(StoredPurge { chain, number, sealed });
        Ok(Some(purged))
    }

    async fn known_times(&self, before: DateTime<Utc>) -> Result<KnownTimes, PortFailure> {
        // Nothing is audited in memory, and the database's clock is that of the caller.
        Ok(KnownTimes { database: before + TimeDelta::days(SETTLED_DAYS), settled: None })
    }
}

#[async_trait]
impl PurgeDocuments for InMemoryVoting {
    async fn documents(&self, chain: Option<Uuid>) -> Result<Vec<StoredPurge>, PortFailure> {
        let mut found = self.state().purges.clone();
        found.retain(|purge| chain.is_none_or(|chain| chain == purge.chain));
        found.sort_by_key(|purge| (purge.chain, purge.number));
        Ok(found)
    }
}
