use std::collections::HashSet;
use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};

use plenum_clients::SessionRevocation;
use plenum_meetings::live::{LiveNotice, PresenceReport};
use tokio::sync::Notify;

use crate::codec::Message;

/// Messages that wait for transfer. A flag that is set twice is sent once, so that a flood of votes causes few messages.
#[derive(Default)]
pub(crate) struct Outbox {
    pending: Mutex<Pending>,
    changed: Notify,
}

#[derive(Default)]
struct Pending {
    has_joined: bool,
    notices: HashSet<LiveNotice>,
    revocations: HashSet<SessionRevocation>,
    /// In order, because each report of changes builds on the one before.
    reports: Vec<PresenceReport>,
    /// Requests and replies about shares, in order.
    shares: Vec<Message>,
}

impl Outbox {
    /// The capacity for each kind of message, more than an instance needs. Further messages are dropped. Full reports and
    /// periodic loads make up for them.
    const CAPACITY: usize = 10_000;

    pub(crate) fn joined(&self) {
        self.pending().has_joined = true;
        self.changed.notify_one();
    }

    pub(crate) fn notice(&self, notice: LiveNotice) {
        insert(&mut self.pending().notices, notice);
        self.changed.notify_one();
    }

    pub(crate) fn revocation(&self, revocation: SessionRevocation) {
        insert(&mut self.pending().revocations, revocation);
        self.changed.notify_one();
    }

    pub(crate) fn report(&self, report: PresenceReport) {
        let mut pending = self.pending();
        if pending.reports.len() < Self::CAPACITY {
            pending.reports.push(report);
        }
        drop(pending);
        self.changed.notify_one();
    }

    /// A request or reply about a share.
    pub(crate) fn share(&self, message: Message) {
        let mut pending = self.pending();
        if pending.shares.len() < Self::CAPACITY {
            pending.shares.push(message);
        }
        drop(pending);
        self.changed.notify_one();
    }

    /// Drops all messages, while they cannot be sent.
    pub(crate) fn clear(&self) {
        *self.pending() = Pending::default();
    }

    /// Waits for the next message. Returns at once for a message before the call.
    pub(crate) async fn changed(&self) {
        self.changed.notified().await;
    }

    /// Takes all messages, in the order of transfer. `Joined` comes first, because its receivers reload.
    pub(crate) fn take(&self) -> Vec<Message> {
        let pending = std::mem::take(&mut *self.pending());
        let joined = pending.has_joined.then_some(Message::Joined);
        let revocations = pending.revocations.into_iter().map(Message::SessionRevocation);
        let notices = pending.notices.into_iter().map(Message::Notice);
        let reports = pending.reports.into_iter().map(Message::Presence);
        joined.into_iter().chain(pending.shares).chain(revocations).chain(notices).chain(reports).collect()
    }

    fn pending(&self) -> MutexGuard<'_, Pending> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn insert<T: Eq + Hash>(flags: &mut HashSet<T>, flag: T) {
    if flags.len() < Outbox::CAPACITY {
        flags.insert(flag);
    }
}

#[cfg(test)]
mod tests {
    use plenum_kernel::MeetingId;
    use plenum_kernel::testkit::CountingIds;

    use super::*;

    #[test]
    fn a_flood_of_votes_is_one_message() {
        let (outbox, meeting) = (Outbox::default(), MeetingId::new(&CountingIds::new()));
        for _ in 0..10_000 {
            outbox.notice(LiveNotice::VotesChanged(meeting));
        }
        outbox.joined();
        let expected = [Message::Joined, Message::Notice(LiveNotice::VotesChanged(meeting))];
        assert_eq!(outbox.take(), expected);
        assert_eq!(outbox.take(), []);
    }

    #[test]
    fn the_outbox_is_bounded() {
        let (outbox, ids) = (Outbox::default(), CountingIds::new());
        for _ in 0..2 * Outbox::CAPACITY {
            outbox.notice(LiveNotice::MeetingChanged(MeetingId::new(&ids)));
        }
        assert_eq!(outbox.take().len(), Outbox::CAPACITY);
    }

    #[test]
    fn a_cleared_outbox_sends_nothing() {
        let (outbox, meeting) = (Outbox::default(), MeetingId::new(&CountingIds::new()));
        outbox.notice(LiveNotice::MeetingChanged(meeting));
        outbox.clear();
        assert_eq!(outbox.take(), []);
    }
}
