use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use plenum_kernel::{ClientId, EndUserId, MeetingId, QuestionId, RoundId};
use plenum_meetings::live::{LiveBus, LiveNotice, LiveSignals};
use plenum_voting::VotingSignals;

/// Sends the signals of the domains to every instance.
#[derive(Clone)]
pub struct BusSignals {
    bus: Arc<dyn LiveBus>,
}

impl BusSignals {
    /// Sends signals over `bus`.
    pub fn new(bus: Arc<dyn LiveBus>) -> Self {
        Self { bus }
    }
}

impl fmt::Debug for BusSignals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BusSignals(…)")
    }
}

#[async_trait]
impl LiveSignals for BusSignals {
    async fn meeting_changed(&self, meeting: MeetingId) {
        self.bus.publish(LiveNotice::MeetingChanged(meeting)).await;
    }

    async fn client_changed(&self, client: ClientId) {
        self.bus.publish(LiveNotice::ClientChanged(client)).await;
    }

    async fn presence_changed(&self, meeting: MeetingId, end_user: EndUserId, is_in: bool) {
        self.bus.publish(LiveNotice::PresenceChanged { meeting, end_user, is_in }).await;
    }
}

#[async_trait]
impl VotingSignals for BusSignals {
    async fn meeting_changed(&self, meeting: MeetingId) {
        self.bus.publish(LiveNotice::MeetingChanged(meeting)).await;
    }

    async fn votes_changed(&self, meeting: MeetingId) {
        self.bus.publish(LiveNotice::VotesChanged(meeting)).await;
    }

    async fn result_declared(&self, meeting: MeetingId, round: RoundId, question: QuestionId) {
        self.bus.publish(LiveNotice::ResultDeclared { meeting, round, question }).await;
    }
}

#[cfg(test)]
mod tests {
    use futures_util::StreamExt;
    use plenum_kernel::testkit::CountingIds;

    use super::*;
    use crate::InProcessBus;

    #[tokio::test]
    async fn signals_of_both_domains_reach_the_bus() {
        let bus = Arc::new(InProcessBus::new());
        let mut notices = bus.subscribe();
        let signals = BusSignals::new(bus);
        let ids = CountingIds::new();
        let (meeting, round, question) = (MeetingId::new(&ids), RoundId::new(&ids), QuestionId::new(&ids));

        LiveSignals::meeting_changed(&signals, meeting).await;
        VotingSignals::votes_changed(&signals, meeting).await;
        VotingSignals::meeting_changed(&signals, meeting).await;
        VotingSignals::result_declared(&signals, meeting, round, question).await;
        let client = ClientId::new(&ids);
        LiveSignals::client_changed(&signals, client).await;

        assert_eq!(notices.next().await, Some(Some(LiveNotice::MeetingChanged(meeting))));
        assert_eq!(notices.next().await, Some(Some(LiveNotice::VotesChanged(meeting))));
        assert_eq!(notices.next().await, Some(Some(LiveNotice::MeetingChanged(meeting))));
        assert_eq!(notices.next().await, Some(Some(LiveNotice::ResultDeclared { meeting, round, question })));
        assert_eq!(notices.next().await, Some(Some(LiveNotice::ClientChanged(client))));
    }
}
