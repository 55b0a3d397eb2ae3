use plenum_adapter_postgres::{Db, DbSettings, UrlError};

/// The connections to the database, by what may hold up what. Those that write ballots are apart from all of them.
///
/// Lists, imports, exports and everything else that may look at thousands of rows use the general pool. Nothing that goes on in it
/// holds up a vote, the page of a voter, a sign-in, the opening or the end of a question, or the answer that this instance is
/// well.
#[derive(Clone)]
pub struct Pools {
    /// For whatever is in no other.
    pub general: Db,
    /// For what a meeting that runs cannot wait for, none of which looks at more than the meeting itself.
    pub voting: Db,
    /// For the one who asks whether this instance is ready.
    pub health: Db,
}

/// Beside the general pool with its eight.
const VOTING: u32 = 6;
const HEALTH: u32 = 1;

impl Pools {
    /// Pools of connections to this database, which are made as needed.
    ///
    /// # Errors
    /// Fails when the address cannot be used.
    pub fn new(connection: &DbSettings) -> Result<Self, UrlError> {
        let of = |pool_size| Db::new(&connection.with_pool_size(pool_size));
        Ok(Self { general: of(connection.pool_size)?, voting: of(VOTING)?, health: of(HEALTH)? })
    }

    /// Each with its name, as the metrics tell it.
    pub(crate) fn named(&self) -> [(&'static str, &Db); 3] {
        [("general", &self.general), ("voting", &self.voting), ("health", &self.health)]
    }
}
