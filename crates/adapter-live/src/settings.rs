use std::time::Duration;

/// How the hub paces what it sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LiveSettings {
    /// How often every watcher is told that the line is alive.
    pub heartbeat: Duration,
    /// The least time between two announcements of the same counter of one meeting.
    pub merge_interval: Duration,
    /// By how many announcements a watcher may fall behind before it is sent the whole picture instead.
    pub broadcast_capacity: usize,
}

impl Default for LiveSettings {
    /// A heartbeat every 15 seconds, counters at most 4 times a second, 64 announcements.
    fn default() -> Self {
        Self { heartbeat: Duration::from_secs(15), merge_interval: Duration::from_millis(250), broadcast_capacity: 64 }
    }
}
