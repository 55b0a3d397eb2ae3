//! The live state: one versioned snapshot of a meeting that all live screens show.
//!
//! Services send no events. A service reports that a meeting changed ([`LiveSignals`]). The hub then loads the snapshot
//! from the store ([`LiveSource`]), compares it with the previous one ([`LiveFacts::changes_since`]), and sends the
//! difference to the watchers. An event can be lost or merged, but it never contradicts the database.

mod changes;
mod ports;
mod state;

pub use changes::LiveChange;
pub use ports::{
    Audience, FrameStream, Holders, LiveBus, LiveFrames, LiveNotice, LiveSignals, LiveSource, LiveStreams,
    NoticeStream, Presence, PresenceBus, PresenceReport, PresenceUpdate, ReportStream, Watcher, Weights,
};
#[cfg(any(test, feature = "testkit"))]
pub use ports::{MockLiveSignals, MockLiveSource, MockPresence};
pub use state::{LiveCheckIn, LiveFacts, LiveQuestion, LiveQuorum, LiveRehearsal, LiveRound, LiveState};
