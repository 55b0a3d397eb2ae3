use std::collections::{HashMap, HashSet};
use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};

use plenum_clients::SessionRevocation;
use plenum_kernel::{EndUserId, MeetingId};
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
    /// Notices that can arrive in any order.
    notices: HashSet<LiveNotice>,
    /// Whether each person of a meeting came or went last. Of two notices about one person, the later one decides.
    check_ins: HashMap<(MeetingId, EndUserId), bool>,
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
        let mut pending = self.pending();
        match notice {
            LiveNotice::PresenceChanged { meeting, end_user, is_in } => {
                let (check_ins, person) = (&mut pending.check_ins, (meeting, end_user));
                if check_ins.len() < Self::CAPACITY || check_ins.contains_key(&person) {
                    check_ins.insert(person, is_in);
                }
            }
            LiveNotice::MeetingChanged(_)
            | LiveNotice::ClientChanged(_)
            | LiveNotice::VotesChanged(_)
            | LiveNotice::ResultDeclared { .. } => insert(&mut pending.notices, notice),
        }
        drop(pending);
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
        let check_ins = pending.check_ins.into_iter().map(|((meeting, end_user), is_in)| {
            Message::Notice(LiveNotice::PresenceChanged { meeting, end_user, is_in })
        });
        let notices = pending.notices.into_iter().map(Message::Notice).chain(check_ins);
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
    fn the_last_check_in_or_out_of_each_person_in_a_meeting_is_sent() {
        let (outbox, ids) = (Outbox::default(), CountingIds::new());
        let [one, other] = [MeetingId::new(&ids), MeetingId::new(&ids)];
        let [ada, ben] = [EndUserId::new(&ids), EndUserId::new(&ids)];
        let went = |meeting, end_user| LiveNotice::PresenceChanged { meeting, end_user, is_in: false };
        let came = |meeting, end_user| LiveNotice::PresenceChanged { meeting, end_user, is_in: true };
        let noted = [came(one, ada), came(one, ben), went(one, ada), came(other, ada), went(one, ben), came(one, ben)];
        for notice in noted {
            outbox.notice(notice);
        }
        let sent = outbox.take();
        assert_eq!(sent.len(), 3, "{sent:?}");
        for last in [went(one, ada), came(one, ben), came(other, ada)] {
            assert!(sent.contains(&Message::Notice(last)), "{last:?} of {sent:?}");
        }
        outbox.notice(came(one, ada));
        assert_eq!(outbox.take(), [Message::Notice(came(one, ada))]);
    }

    #[test]
    fn a_full_outbox_keeps_the_last_check_in_of_its_people_and_drops_others() {
        let (outbox, ids) = (Outbox::default(), CountingIds::new());
        let (meeting, ada) = (MeetingId::new(&ids), EndUserId::new(&ids));
        let notice = |end_user, is_in| LiveNotice::PresenceChanged { meeting, end_user, is_in };
        outbox.notice(notice(ada, true));
        for _ in 0..2 * Outbox::CAPACITY {
            outbox.notice(notice(EndUserId::new(&ids), true));
        }
        outbox.notice(notice(ada, false));
        let sent = outbox.take();
        assert_eq!(sent.len(), Outbox::CAPACITY);
        assert!(sent.contains(&Message::Notice(notice(ada, false))));
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
