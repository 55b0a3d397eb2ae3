//! Connections of the pool. Each call first reads the received data, and checks the connection with a query only when
//! its state is in doubt.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use diesel::connection::SimpleConnection;
use diesel::pg::PgConnection;
use diesel::r2d2::{ConnectionManager, Error, ManageConnection};
use diesel::result::QueryResult;

use crate::pool::connection_health::has_ended;
use crate::pool::damage::Damage;
use crate::pool::tenants::{BIND, Tenant};

/// The time for which a connection counts as alive after a successful call. A check before each call would cost one more
/// round trip, and most calls are a single one.
const TRUSTED: Duration = Duration::from_millis(500);

/// Makes connections for the pool.
pub(crate) struct Manager {
    manager: ConnectionManager<PgConnection>,
    failures: Arc<AtomicU64>,
    damage: Damage,
}

/// A pooled connection.
pub(crate) struct Pooled {
    pub(crate) conn: PgConnection,
    /// The time of its last successful call, and the number of failed calls of the pool at that time.
    worked: Option<(Instant, u64)>,
    /// Whether row level security binds this connection, as far as that was checked.
    is_bound: bool,
    /// The tenant of statements outside of transactions that name their own.
    tenant: Tenant,
    failures: Arc<AtomicU64>,
    pub(crate) damage: Damage,
}

impl Pooled {
    /// Checks that row level security binds the connection. Done once for each connection, when the database has its tables.
    pub(crate) fn bind(&mut self) -> QueryResult<()> {
        if !self.is_bound {
            self.conn.batch_execute(BIND)?;
            self.is_bound = true;
        }
        Ok(())
    }

    /// Runs the following statements on behalf of `tenant`. Free if they do so already, as in most calls.
    pub(crate) fn work_for(&mut self, tenant: Tenant) -> QueryResult<()> {
        self.bind()?;
        self.set_tenant(tenant)
    }

    /// Runs the following statements without a tenant.
    pub(crate) fn forget_tenant(&mut self) -> QueryResult<()> {
        self.set_tenant(Tenant::Nobody)
    }

    fn set_tenant(&mut self, tenant: Tenant) -> QueryResult<()> {
        if self.tenant != tenant {
            self.conn.batch_execute(&tenant.set())?;
            self.tenant = tenant;
        }
        Ok(())
    }

    /// Records the outcome of a call. A failure may be the connection's, and the same cause may have ended all
    /// connections.
    pub(crate) fn note(&mut self, has_worked: bool) {
        if has_worked {
            self.worked = Some((Instant::now(), self.failures.load(Ordering::Acquire)));
        } else {
            self.failures.fetch_add(1, Ordering::AcqRel);
        }
    }

    fn is_trusted(&self) -> bool {
        let failures = self.failures.load(Ordering::Acquire);
        self.worked.is_some_and(|(at, known)| known == failures && at.elapsed() < TRUSTED)
    }
}

impl Manager {
    /// The factory of connections to this database.
    pub(crate) fn new(url: String, damage: Damage) -> Self {
        Self { manager: ConnectionManager::new(url), failures: Arc::default(), damage }
    }
}

impl ManageConnection for Manager {
    type Connection = Pooled;
    type Error = Error;

    fn connect(&self) -> Result<Pooled, Error> {
        Ok(Pooled {
            conn: self.manager.connect()?,
            worked: None,
            is_bound: false,
            tenant: Tenant::Nobody,
            failures: Arc::clone(&self.failures),
            damage: self.damage.clone(),
        })
    }

    fn is_valid(&self, pooled: &mut Pooled) -> Result<(), Error> {
        if pooled.is_trusted() && !has_ended(&mut pooled.conn) {
            Ok(())
        } else {
            self.manager.is_valid(&mut pooled.conn)
        }
    }

    fn has_broken(&self, pooled: &mut Pooled) -> bool {
        self.manager.has_broken(&mut pooled.conn)
    }
}
