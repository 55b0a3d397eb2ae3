use async_trait::async_trait;
use futures_util::stream;
use plenum_meetings::live::{LiveBus, LiveNotice, NoticeStream};
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;

/// A bus within this process, for an installation of one instance.
#[derive(Debug)]
pub struct InProcessBus {
    notices: broadcast::Sender<LiveNotice>,
}

impl InProcessBus {
    /// The number of notices by which a subscriber may fall behind before it misses some.
    const CAPACITY: usize = 4_096;

    /// A bus without subscribers.
    pub fn new() -> Self {
        Self::with_capacity(Self::CAPACITY)
    }

    /// A bus whose subscribers may fall behind by about `capacity` notices before they miss some.
    pub fn with_capacity(capacity: usize) -> Self {
        Self { notices: broadcast::Sender::new(capacity.max(1)) }
    }
}

impl Default for InProcessBus {
    fn default() -> Self {
        Self::new()
    }
}

#[async_trait]
impl LiveBus for InProcessBus {
    async fn publish(&self, notice: LiveNotice) {
        // Sending fails without subscribers, which means that the notice is not needed.
        let _ = self.notices.send(notice);
    }

    fn subscribe(&self) -> NoticeStream {
        Box::pin(stream::unfold(self.notices.subscribe(), |mut notices| async move {
            let item = match notices.recv().await {
                Ok(notice) => Some(notice),
                Err(RecvError::Lagged(_)) => None,
                Err(RecvError::Closed) => return None,
            };
            Some((item, notices))
        }))
    }
}

#[cfg(test)]
mod tests {
    use futures_util::StreamExt;
    use plenum_kernel::MeetingId;
    use plenum_kernel::testkit::CountingIds;

    use super::*;

    #[tokio::test]
    async fn every_subscriber_gets_every_notice_from_then_on() {
        let bus = InProcessBus::new();
        let meeting = MeetingId::new(&CountingIds::new());
        bus.publish(LiveNotice::VotesChanged(meeting)).await;
        let mut subscribers = [bus.subscribe(), bus.subscribe()];

        bus.publish(LiveNotice::MeetingChanged(meeting)).await;

        for subscriber in &mut subscribers {
            assert_eq!(subscriber.next().await, Some(Some(LiveNotice::MeetingChanged(meeting))));
        }
    }

    #[tokio::test]
    async fn a_subscriber_that_falls_behind_learns_that_notices_were_missed() {
        let bus = InProcessBus::with_capacity(2);
        let meeting = MeetingId::new(&CountingIds::new());
        let mut subscriber = bus.subscribe();

        for _ in 0..5 {
            bus.publish(LiveNotice::VotesChanged(meeting)).await;
        }

        assert_eq!(subscriber.next().await, Some(None));
        assert_eq!(subscriber.next().await, Some(Some(LiveNotice::VotesChanged(meeting))));
    }
}
