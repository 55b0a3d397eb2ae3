use std::time::Duration;

/// Intervals and limits of the hub.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LiveSettings {
    /// The time between two heartbeats of a stream. Every snapshot is also reloaded once in this time, with or without a
    /// signal.
    pub heartbeat: Duration,
    /// The shortest time between two announcements of the same counter of one meeting.
    pub merge_interval: Duration,
    /// The share of that time per watcher: a meeting's interval is at least this times its watchers.
    pub merge_per_watcher: Duration,
    /// The number of announcements by which a watcher may fall behind before it gets the whole snapshot instead.
    pub broadcast_capacity: usize,
}

impl Default for LiveSettings {
    /// A heartbeat every 15 seconds; each counter at most 4 times a second, and to at most 10,000 watchers a second; 64
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
