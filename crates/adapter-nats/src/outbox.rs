use std::collections::HashSet;
use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};

use plenum_clients::SessionRevocation;
use plenum_meetings::live::{LiveNotice, PresenceReport};
use tokio::sync::Notify;

use crate::codec::Message;

/// What the others are to be told. Flags that are raised twice are told once, so that a flood of votes is a few messages.
#[derive(Default)]
pub(crate) struct Outbox {
    waiting: Mutex<Waiting>,
    raised: Notify,
}

#[derive(Default)]
struct Waiting {
    is_here: bool,
    notices: HashSet<LiveNotice>,
    departures: HashSet<SessionRevocation>,
    /// In their order: each follows from the one before.
    reports: Vec<PresenceReport>,
}

impl Outbox {
    /// More than an instance has to tell at once. What comes later is left out; everything is told again before long, or
    /// looked for.
    const MOST: usize = 10_000;

    pub(crate) fn here(&self) {
        self.waiting().is_here = true;
        self.raised.notify_one();
    }

    pub(crate) fn notice(&self, notice: LiveNotice) {
        insert(&mut self.waiting().notices, notice);
        self.raised.notify_one();
    }

    pub(crate) fn departure(&self, departure: SessionRevocation) {
        insert(&mut self.waiting().departures, departure);
        self.raised.notify_one();
    }

    pub(crate) fn report(&self, report: PresenceReport) {
        let mut waiting = self.waiting();
        if waiting.reports.len() < Self::MOST {
            waiting.reports.push(report);
        }
        drop(waiting);
        self.raised.notify_one();
    }

    /// Throws everything away: nobody can be told.
    pub(crate) fn clear(&self) {
        *self.waiting() = Waiting::default();
    }

    /// Waits until there is something to tell, also if that was so before the call.
    pub(crate) async fn raised(&self) {
        self.raised.notified().await;
    }

    /// What there is to tell, in the order in which it is to be told: who hears that somebody is here asks for the rest.
    pub(crate) fn take(&self) -> Vec<Message> {
        let waiting = std::mem::take(&mut *self.waiting());
        let here = waiting.is_here.then_some(Message::Here);
        let departures = waiting.departures.into_iter().map(Message::SessionRevocation);
        let notices = waiting.notices.into_iter().map(Message::Notice);
        let reports = waiting.reports.into_iter().map(Message::Presence);
        here.into_iter().chain(departures).chain(notices).chain(reports).collect()
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn insert<T: Eq + Hash>(flags: &mut HashSet<T>, flag: T) {
    if flags.len() < Outbox::MOST {
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
        outbox.here();
        let told = [Message::Here, Message::Notice(LiveNotice::VotesChanged(meeting))];
        assert_eq!(outbox.take(), told);
        assert_eq!(outbox.take(), []);
    }

    #[test]
    fn it_does_not_grow_without_end() {
        let (outbox, ids) = (Outbox::default(), CountingIds::new());
        for _ in 0..2 * Outbox::MOST {
            outbox.notice(LiveNotice::MeetingChanged(MeetingId::new(&ids)));
        }
        assert_eq!(outbox.take().len(), Outbox::MOST);
    }

    #[test]
    fn what_nobody_can_be_told_is_thrown_away() {
        let (outbox, meeting) = (Outbox::default(), MeetingId::new(&CountingIds::new()));
        outbox.notice(LiveNotice::MeetingChanged(meeting));
        outbox.clear();
        assert_eq!(outbox.take(), []);
    }
}
