//! The check-ins of one meeting, each for the streams of that voter.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Mutex, MutexGuard, PoisonError};

use plenum_kernel::EndUserId;
use tokio::sync::watch;

/// The last check-in or check-out of each voter with a stream. One of them wakes the streams of that voter alone, because
/// thousands of people arrive within minutes. A stream that has not read the last one yet gets only the newest.
#[derive(Default)]
pub(super) struct CheckIns {
    voters: Mutex<HashMap<EndUserId, watch::Sender<bool>>>,
}

impl CheckIns {
    /// Receives the check-ins of this voter from now on.
    pub(super) fn subscribe(&self, voter: EndUserId) -> watch::Receiver<bool> {
        self.voters().entry(voter).or_insert_with(|| watch::Sender::new(false)).subscribe()
    }

    /// Forgets a voter without receivers. Call it after a receiver of this voter was dropped.
    pub(super) fn forget_unwatched(&self, voter: EndUserId) {
        if let Entry::Occupied(entry) = self.voters().entry(voter)
            && entry.get().receiver_count() == 0
        {
            entry.remove();
        }
    }

    /// Tells the streams of this voter that the voter was checked in or out.
    pub(super) fn tell(&self, voter: EndUserId, is_in: bool) {
        if let Some(streams) = self.voters().get(&voter) {
            streams.send_replace(is_in);
        }
    }

    fn voters(&self) -> MutexGuard<'_, HashMap<EndUserId, watch::Sender<bool>>> {
        self.voters.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use plenum_kernel::testkit::CountingIds;

    use super::*;

    #[test]
    fn a_check_in_reaches_all_streams_of_that_voter_and_no_other() {
        let (check_ins, ids) = (CheckIns::default(), CountingIds::new());
        let (ada, ben) = (EndUserId::new(&ids), EndUserId::new(&ids));
        let mut phones = [check_ins.subscribe(ada), check_ins.subscribe(ada)];
        let other = check_ins.subscribe(ben);

        check_ins.tell(ada, true);

        for phone in &mut phones {
            assert!(phone.has_changed().unwrap());
            assert!(*phone.borrow_and_update());
        }
        assert!(!other.has_changed().unwrap());
        assert!(!check_ins.subscribe(ada).has_changed().unwrap());
    }

    #[test]
    fn a_voter_is_forgotten_with_the_last_stream() {
        let (check_ins, ids) = (CheckIns::default(), CountingIds::new());
        let voter = EndUserId::new(&ids);
        let (phone, tablet) = (check_ins.subscribe(voter), check_ins.subscribe(voter));

        drop(phone);
        check_ins.forget_unwatched(voter);
        check_ins.tell(voter, true);
        assert!(tablet.has_changed().unwrap());

        drop(tablet);
        check_ins.forget_unwatched(voter);
        check_ins.forget_unwatched(voter);
        check_ins.tell(voter, false);
        assert!(check_ins.voters().is_empty());
    }
}
