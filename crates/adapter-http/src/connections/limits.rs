use std::time::Duration;

/// How much of the server one caller may take, and all of them together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConnectionLimits {
    /// How many connections may be open in all.
    pub connections: usize,
    /// How many of them may come from one address. A whole hall may stand behind one, so this is a share of all and not
    /// what one person needs.
    pub connections_per_address: usize,
    /// How many streams one person may hold: a screen of theirs has one, and one that broke may be there for a while.
    pub streams_per_person: usize,
    /// For how long a connection may keep the server waiting.
    pub timeouts: ConnectionTimeouts,
}

impl ConnectionLimits {
    /// Open files that are not for connections: those of the database, and of whatever else the process does.
    const RESERVED: usize = 512;
    const STREAMS_PER_PERSON: usize = 20;

    /// As many connections as a process has room for that may have so many files open.
    pub fn of_open_files(files: u64) -> Self {
        let files = usize::try_from(files).unwrap_or(usize::MAX);
        // Where there are few, the database needs as many as all who call.
        Self::of_connections((files / 2).max(files.saturating_sub(Self::RESERVED)))
    }

    /// So many connections, of which one address may have three quarters: also when it takes all it can get, there is
    /// room for others.
    pub fn of_connections(connections: usize) -> Self {
        let connections_per_address = (connections - connections / 4).max(1);
        let (streams_per_person, timeouts) = (Self::STREAMS_PER_PERSON, ConnectionTimeouts::default());
        Self { connections, connections_per_address, streams_per_person, timeouts }
    }
}

impl Default for ConnectionLimits {
    /// Those of a process that may have 20,000 files open.
    fn default() -> Self {
        Self::of_open_files(20_000)
    }
}

/// For how long a connection may keep the server waiting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConnectionTimeouts {
    /// In this time the head of a request has to be there, counted from its first byte, or from the beginning of the
    /// connection.
    pub head: Duration,
    /// In this time a body has to begin, and for so long it may pause. Nor may it be later than that behind its pace.
    pub body: Duration,
    /// For so long somebody may take in nothing of what they are sent.
    pub reader: Duration,
    /// For so long nothing at all may happen.
    pub idle: Duration,
}

impl Default for ConnectionTimeouts {
    fn default() -> Self {
        Self {
            head: Duration::from_secs(10),
            body: Duration::from_secs(10),
            reader: Duration::from_secs(30),
            // Streams say something every 15 seconds, and who waits for the next request is let go before.
            idle: Duration::from_secs(90),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn some_open_files_are_left_for_the_database_and_some_places_for_others() {
        for (files, all, one_address) in [(20_000, 19_488, 14_616), (1_024, 512, 384), (256, 128, 96), (1, 0, 1)] {
            let limits = ConnectionLimits::of_open_files(files);
            assert_eq!((limits.connections, limits.connections_per_address), (all, one_address), "{files}");
        }
    }
}
