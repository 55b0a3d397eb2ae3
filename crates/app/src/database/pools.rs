use plenum_adapter_postgres::{BallotBoxSettings, Db, DbSettings, UrlError};

/// The connection pools, by urgency. The ballot writers have separate connections.
///
/// Lists, imports, exports and everything else that may read thousands of rows use the general pool. Its work cannot
/// delay a vote, the page of a voter, a sign-in, the opening or the end of a question, or the readiness check.
#[derive(Clone)]
pub struct Pools {
    /// For everything that the other pools are not for.
    pub general: Db,
    /// For the steps of a running meeting. Their statements read no more than the meeting.
    pub voting: Db,
    /// For the readiness check.
    pub health: Db,
}

/// Connections of the voting pool. The general pool has eight.
const VOTING: u32 = 6;
const HEALTH: u32 = 1;

impl Pools {
    /// Creates the pools for this database. They connect when needed.
    ///
    /// # Errors
    /// Fails when the address is invalid.
    pub fn new(connection: &DbSettings) -> Result<Self, UrlError> {
        let of = |pool_size| Db::new(&connection.with_pool_size(pool_size));
        Ok(Self { general: of(connection.pool_size)?, voting: of(VOTING)?, health: of(HEALTH)? })
    }

    /// The number of connections of one instance: those of the pools and of the ballot writers, and the one with the lock of
    /// instances.
    pub(crate) fn connections(connection: &DbSettings) -> i64 {
        let writers = i64::try_from(BallotBoxSettings::default().writers).unwrap_or(i64::MAX);
        writers.saturating_add(i64::from(connection.pool_size) + i64::from(VOTING) + i64::from(HEALTH) + 1)
    }

    /// The pools with their names in the metrics.
    pub(crate) fn named(&self) -> [(&'static str, &Db); 3] {
        [("general", &self.general), ("voting", &self.voting), ("health", &self.health)]
    }
}
