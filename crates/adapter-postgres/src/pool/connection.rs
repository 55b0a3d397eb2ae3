//! The connections of the pool. Before each call what has come in is looked at; the database is asked whether they live only
//! when that is in doubt.

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

/// For how long a connection is trusted that has just done what it was asked. A question before each call would be one way
/// there and back more for it, and most calls are one themselves.
const TRUSTED: Duration = Duration::from_millis(500);

/// Makes connections for the pool.
pub(crate) struct Manager {
    manager: ConnectionManager<PgConnection>,
    failures: Arc<AtomicU64>,
    damage: Damage,
}

/// A connection of the pool.
pub(crate) struct Pooled {
    pub(crate) conn: PgConnection,
    /// When it last did what it was asked, and how many calls of the pool had failed by then.
    worked: Option<(Instant, u64)>,
    /// Whether policies bind it, as far as that was looked at.
    is_bound: bool,
    /// On whose behalf statements work that are no part of a transaction that says so itself.
    tenant: Tenant,
    failures: Arc<AtomicU64>,
    pub(crate) damage: Damage,
}

impl Pooled {
    /// Makes sure that policies bind it. Once for each connection, when the database has its tables.
    pub(crate) fn bind(&mut self) -> QueryResult<()> {
        if !self.is_bound {
            self.conn.batch_execute(BIND)?;
            self.is_bound = true;
        }
        Ok(())
    }

    /// From now on statements work on behalf of `tenant`. Costs nothing where they do already, as in most calls.
    pub(crate) fn work_for(&mut self, tenant: Tenant) -> QueryResult<()> {
        self.bind()?;
        self.set_tenant(tenant)
    }

    /// From now on statements work on nobody's behalf.
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

    /// Notes how a call went. A failure may have been the connection's, and what ended one may have ended them all.
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
    /// Connections to this database.
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
