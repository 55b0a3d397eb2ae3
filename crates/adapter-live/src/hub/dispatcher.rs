//! Passes notices from the bus to the meetings that they concern.

use std::sync::Arc;

use futures_util::StreamExt as _;
use plenum_meetings::live::{LiveBus, NoticeStream};

use super::backoff::Backoff;
use super::state::Hub;

/// Runs until it is aborted. Subscribes again when the bus ends.
pub(super) async fn run(hub: Arc<Hub>, bus: Arc<dyn LiveBus>, mut notices: NoticeStream) {
    let mut backoff = Backoff::new();
    loop {
        while let Some(notice) = notices.next().await {
            hub.dispatch(notice);
            backoff = Backoff::new();
        }
        tracing::warn!("the live bus has ended; subscribing again");
        tokio::time::sleep(backoff.next()).await;
        notices = bus.subscribe();
        hub.dispatch(None);
    }
}
