use async_trait::async_trait;
use plenum_kernel::{ClientId, MeetingId, PortFailure};

use super::{InMemoryVoting, State};
use crate::{MAX_COUNTED_WAITING, NewTimestamp, RecordTimestamps, StoredRecord, StoredTimestamp, UnstampedRecord};

impl State {
    fn unstamped(&self) -> Vec<UnstampedRecord> {
        let is_stamped = |hash: &str| self.timestamps.iter().any(|new| new.timestamp.hash == hash);
        let mut waiting: Vec<&StoredRecord> =
            self.records.iter().filter(|record| !is_stamped(&record.sealed.hash)).collect();
        waiting.sort_by_key(|record| (self.recorded_at.get(&record.round), &record.sealed.hash));
        let unstamped = |record: &StoredRecord| UnstampedRecord {
            client: record.client,
            meeting: record.meeting,
            hash: record.sealed.hash.clone(),
        };
        waiting.into_iter().map(unstamped).collect()
    }
}

#[async_trait]
impl RecordTimestamps for InMemoryVoting {
    async fn waiting(&self, limit: u32) -> Result<Vec<UnstampedRecord>, PortFailure> {
        let mut waiting = self.state().unstamped();
        waiting.truncate(limit as usize);
        Ok(waiting)
    }

    async fn count_waiting(&self) -> Result<u64, PortFailure> {
        Ok((self.state().unstamped().len() as u64).min(MAX_COUNTED_WAITING.into()))
    }

    async fn keep(&self, new: NewTimestamp) -> Result<bool, PortFailure> {
        let mut state = self.state();
        let is_waiting = state.unstamped().iter().any(|record| record.hash == new.timestamp.hash);
        if is_waiting {
            state.timestamps.push(new);
        }
        Ok(is_waiting)
    }

    async fn of_meeting(&self, owner: ClientId, meeting: MeetingId) -> Result<Vec<StoredTimestamp>, PortFailure> {
        let state = self.state();
        let of_meeting = state.timestamps.iter().filter(|new| (new.client, new.meeting) == (owner, meeting));
        let mut found: Vec<_> = of_meeting.map(|new| new.timestamp.clone()).collect();
        found.sort_by(|left, right| (left.at, &left.hash).cmp(&(right.at, &right.hash)));
        Ok(found)
    }
}
