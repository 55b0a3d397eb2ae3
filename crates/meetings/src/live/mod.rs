//! The live state: one versioned picture of a meeting that all live screens show.
//!
//! Nobody sends events by hand. A service says *that* something about a meeting changed ([`LiveSignals`]); whoever
//! keeps the picture loads it anew from the store ([`LiveSource`]), compares it with the one before
//! ([`LiveFacts::changes_since`]) and tells the watchers the difference. So an event can be missed or merged, but
//! never contradict the database.

mod changes;
mod ports;
mod state;

pub use changes::LiveChange;
pub use ports::{
    Audience, FrameStream, LiveBus, LiveFrames, LiveNotice, LiveRooms, LiveSignals, LiveSource, NoticeStream, Presence,
    PresenceBus, PresenceNews, PresenceReport, ReportStream, Watcher, Weights,
};
#[cfg(any(test, feature = "testkit"))]
pub use ports::{MockLiveSignals, MockLiveSource, MockPresence};
pub use state::{LiveFacts, LiveQuestion, LiveQuorum, LiveRehearsal, LiveRound, LiveState};
