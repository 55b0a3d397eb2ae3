//! The connections of the pool, which are asked whether they live only when that is in doubt.

use std::time::{Duration, Instant};

use diesel::pg::PgConnection;
use diesel::r2d2::{ConnectionManager, Error, ManageConnection};

/// For how long a connection is trusted that has just done what it was asked. A question for each call would be a third of
/// the database's work where calls are short.
const TRUSTED: Duration = Duration::from_millis(500);

/// Makes connections for the pool.
pub(crate) struct Manager(pub(crate) ConnectionManager<PgConnection>);

/// A connection of the pool.
pub(crate) struct Pooled {
    pub(crate) conn: PgConnection,
    /// When it last did what it was asked; `None` where it failed since, or was never asked.
    worked_at: Option<Instant>,
}

impl Pooled {
    /// Notes how a call went. A failure may have been the connection's.
    pub(crate) fn note(&mut self, has_worked: bool) {
        self.worked_at = has_worked.then(Instant::now);
    }
}

impl ManageConnection for Manager {
    type Connection = Pooled;
    type Error = Error;

    fn connect(&self) -> Result<Pooled, Error> {
        Ok(Pooled { conn: self.0.connect()?, worked_at: None })
    }

    fn is_valid(&self, pooled: &mut Pooled) -> Result<(), Error> {
        match pooled.worked_at {
            Some(at) if at.elapsed() < TRUSTED => Ok(()),
            _ => self.0.is_valid(&mut pooled.conn),
        }
    }

    fn has_broken(&self, pooled: &mut Pooled) -> bool {
        self.0.has_broken(&mut pooled.conn)
    }
}
