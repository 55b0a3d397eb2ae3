use std::time::Duration;

/// The limits of connections and streams, for one caller and in total.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConnectionLimits {
    /// The number of open connections in total.
    pub connections: usize,
    /// The number of open connections from one address. A whole assembly can share one address, so this is a share of
    /// the total.
    pub connections_per_address: usize,
    /// The number of streams of one person. Each screen has one, and a broken stream may remain for a while.
    pub streams_per_person: usize,
    /// The time for which a connection may keep the server waiting.
    pub timeouts: ConnectionTimeouts,
}

impl ConnectionLimits {
    /// Open files reserved for the database and the rest of the process.
    const RESERVED: usize = 512;
    const STREAMS_PER_PERSON: usize = 20;

    /// Limits for a process with this number of open files.
    pub fn of_open_files(files: u64) -> Self {
        let files = usize::try_from(files).unwrap_or(usize::MAX);
        // With few files, the database gets half of them.
        Self::of_connections((files / 2).max(files.saturating_sub(Self::RESERVED)))
    }

    /// Limits for a number of connections. One address may have three quarters, so that others can always connect.
    pub fn of_connections(connections: usize) -> Self {
        let connections_per_address = (connections - connections / 4).max(1);
        let (streams_per_person, timeouts) = (Self::STREAMS_PER_PERSON, ConnectionTimeouts::default());
        Self { connections, connections_per_address, streams_per_person, timeouts }
    }
}

impl Default for ConnectionLimits {
    /// Limits for a process with 20,000 open files.
    fn default() -> Self {
        Self::of_open_files(20_000)
    }
}

/// The times for which a connection may keep the server waiting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConnectionTimeouts {
    /// The time for the head of a request, from its first byte or from the start of the connection.
    pub head: Duration,
    /// The time for the first bytes of a body, and for each pause. It is also the largest delay behind the minimum
    /// rate.
    pub body: Duration,
    /// The time for which a peer may accept no byte of a response.
    pub reader: Duration,
    /// The time without any traffic.
    pub idle: Duration,
}

impl Default for ConnectionTimeouts {
    fn default() -> Self {
        Self {
            head: Duration::from_secs(10),
            body: Duration::from_secs(10),
            reader: Duration::from_secs(30),
            // Longer than the 15 seconds between heartbeats of a stream, and longer than keep-alive.
            idle: Duration::from_secs(90),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_reserve_files_for_the_database_and_connections_for_others() {
        for (files, all, one_address) in [(20_000, 19_488, 14_616), (1_024, 512, 384), (256, 128, 96), (1, 0, 1)] {
            let limits = ConnectionLimits::of_open_files(files);
            assert_eq!((limits.connections, limits.connections_per_address), (all, one_address), "{files}");
        }
    }
}
