//! Services on mocked stores, for tests.

use std::sync::Arc;

use plenum_clients::AccessCheck;
use plenum_clients::testkit::{MockSessionStore, NumberedAccessTokens};
use plenum_kernel::testkit::{CountingIds, CountingSecrets, StillClock};
use plenum_meetings::testkit::{MockLiveSignals, MockMeetingStore, MockVoterMeetings};
use plenum_meetings::{MeetingPorts, MeetingService};

/// An access check on these sessions.
pub(super) fn access_on(sessions: MockSessionStore) -> Arc<AccessCheck> {
    let (tokens, clock) = (Arc::new(NumberedAccessTokens::default()), Arc::new(StillClock::new()));
    Arc::new(AccessCheck::new(tokens, Arc::new(sessions), clock))
}

/// Meetings on this store of what voters see. Nothing else of them may be called.
pub(super) fn meetings_on(voters: MockVoterMeetings) -> Arc<MeetingService> {
    Arc::new(MeetingService::new(MeetingPorts {
        meetings: Arc::new(MockMeetingStore::new()),
        voter_meetings: Arc::new(voters),
        signals: Arc::new(MockLiveSignals::new()),
        clock: Arc::new(StillClock::new()),
        ids: Arc::new(CountingIds::new()),
        secrets: Arc::new(CountingSecrets::default()),
    }))
}
