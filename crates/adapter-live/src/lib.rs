//! The live hub: keeps one snapshot of each watched meeting and sends one frame to all who watch it.
//!
//! The way from a change to a screen:
//!
//! 1. A service stores the change and sends a signal ([`BusSignals`]). The bus ([`InProcessBus`] or a message bus)
//!    delivers it to every instance.
//! 2. The dispatcher (`hub/dispatcher.rs`) sets a flag in the meeting's channel. Flags merge, so nothing queues up. A
//!    meeting that nobody watches here has no channel and costs nothing.
//! 3. The meeting task (`hub/meeting_task.rs`) loads the facts, compares them with the last snapshot, and announces each
//!    difference with the next version.
//! 4. Every watcher's stream (`hub/watcher.rs`) takes the announcement from a ring buffer. The first stream encodes the
//!    frame for its audience, and the others share the bytes (`hub/announcement.rs`). A stream that falls behind the
//!    ring buffer gets the whole current snapshot instead, and holds up no other stream.
//!
//! Heartbeats are not announcements: each stream sends its own, spread over the period (`hub/heartbeat.rs`).
//!
//! Presence is kept apart from the channels (`hub/presence_set.rs`), because voters also connect through other
//! instances. One task exchanges presence reports with them (`hub/presence_sharing.rs`). Another one records attendance
//! in all meetings (`hub/attendance.rs`).
//!
//! While the bus cannot reach the other instances, every meeting task reloads its snapshot every two seconds, and the
//! snapshot says that it is delayed.
//!
//! Locks are held for a few instructions and never across an `await`. One exception takes longer: new voting weights
//! make a presence set count all its voters again under its lock.
//!
//! Inside `hub/`, imports point one way: `mod` → `dispatcher`, `meeting_task`, `watcher`, `attendance`,
//! `presence_sharing` → `state` → everything else.

mod bus;
mod hub;
mod settings;
mod signals;

pub use bus::InProcessBus;
pub use hub::{LiveHub, LivePorts, StreamCounts};
pub use settings::LiveSettings;
pub use signals::BusSignals;
