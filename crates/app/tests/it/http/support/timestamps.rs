use std::sync::Arc;

use plenum_adapter_postgres::PostgresTimestamps;
use plenum_adapter_security::{OsSecrets, SystemClock};
use plenum_adapter_timestamps::HttpTimestamps;
use plenum_adapter_timestamps::testkit::TestService;
use plenum_records::{TimestampQueue, TimestampTurn};
use plenum_timestamp_format::testkit::TestAuthority;

use super::TestApp;

/// A timestamp service, and the queue of a product's records, which a test moves on turn by turn.
pub(crate) struct Timestamps {
    pub(crate) service: TestService,
    queue: TimestampQueue,
}

impl Timestamps {
    /// The time of every timestamp.
    pub(crate) const AT: &str = "2026-11-21T18:10:04Z";

    pub(crate) async fn of(app: &TestApp) -> Self {
        let service = TestService::start(TestAuthority::new("Test Timestamps"), Self::AT.parse().unwrap()).await;
        let authority = HttpTimestamps::new(service.address(), None, Arc::new(OsSecrets)).unwrap();
        let store = Arc::new(PostgresTimestamps::new(app.database.db()));
        Self { queue: TimestampQueue::new(store, Arc::new(authority), Arc::new(SystemClock)), service }
    }

    /// One turn of the queue.
    pub(crate) async fn turn(&self) -> TimestampTurn {
        self.queue.turn().await.unwrap()
    }
}
