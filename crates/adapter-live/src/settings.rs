use std::time::Duration;

/// How the hub paces what it sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LiveSettings {
    /// How often every watcher is told that the line is alive, and every picture loaded whether a change was signalled or
    /// not.
    pub heartbeat: Duration,
    /// The least time between two announcements of the same counter of one meeting.
    pub merge_interval: Duration,
    /// That time is longer where many watch: it is at least this much for each of them.
    pub merge_per_watcher: Duration,
    /// By how many announcements a watcher may fall behind before it is sent the whole picture instead.
    pub broadcast_capacity: usize,
}

impl Default for LiveSettings {
    /// A heartbeat every 15 seconds, each counter at most 4 times a second and to at most 10,000 watchers a second, 64
    /// announcements.
    fn default() -> Self {
        Self {
            heartbeat: Duration::from_secs(15),
            merge_interval: Duration::from_millis(250),
            merge_per_watcher: Duration::from_micros(100),
            broadcast_capacity: 64,
        }
    }
}
