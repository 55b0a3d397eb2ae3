//! Connections of the pool. Each call first reads the received data, and checks the connection with a query only when
//! its state is in doubt.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use diesel::connection::SimpleConnection;
use diesel::pg::PgConnection;
use diesel::r2d2::{Error, ManageConnection, R2D2Connection as _};
use diesel::result::Error::DatabaseError;
use diesel::result::{DatabaseErrorKind, QueryResult};

use crate::pool::connection_health::has_ended;
use crate::pool::damage::Damage;
use crate::pool::servers::{Connected, Servers};
use crate::pool::tenants::{BIND, Tenant};

/// The time for which a connection counts as alive after a successful call. A check before each call would cost one more
/// round trip, and most calls are a single one.
const TRUSTED: Duration = Duration::from_millis(500);

/// Makes connections for the pool.
pub(crate) struct Manager {
    servers: Servers,
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
    timeline: Option<u32>,
    /// Whether its server refused to write, because another one is the primary now.
    is_read_only: Cell<bool>,
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

    /// Takes notice of an error that says that the server is a standby now. The pool then discards the connection.
    pub(crate) fn notice(&self, error: &diesel::result::Error) {
        if let DatabaseError(DatabaseErrorKind::ReadOnlyTransaction, _) = error {
            self.is_read_only.set(true);
        }
    }

    fn is_trusted(&self) -> bool {
        let failures = self.failures.load(Ordering::Acquire);
        self.worked.is_some_and(|(at, known)| known == failures && at.elapsed() < TRUSTED)
    }
}

impl Manager {
    /// The factory of connections to these servers.
    pub(crate) fn new(servers: Servers, damage: Damage) -> Self {
        Self { servers, failures: Arc::default(), damage }
    }
}

impl ManageConnection for Manager {
    type Connection = Pooled;
    type Error = Error;

    fn connect(&self) -> Result<Pooled, Error> {
        let Connected { conn, timeline } = self.servers.connect().map_err(Error::ConnectionError)?;
        Ok(Pooled {
            conn,
            worked: None,
            is_bound: false,
            tenant: Tenant::Nobody,
            failures: Arc::clone(&self.failures),
            damage: self.damage.clone(),
            timeline,
            is_read_only: Cell::new(false),
        })
    }

    fn is_valid(&self, pooled: &mut Pooled) -> Result<(), Error> {
        if self.servers.have_moved_on(pooled.timeline) {
            let reason = Box::new("the server of this connection was demoted".to_owned());
            return Err(Error::QueryError(DatabaseError(DatabaseErrorKind::ReadOnlyTransaction, reason)));
        }
        if pooled.is_trusted() && !has_ended(&mut pooled.conn) {
            Ok(())
        } else {
            pooled.conn.ping().map_err(Error::QueryError)
        }
    }

    fn has_broken(&self, pooled: &mut Pooled) -> bool {
        pooled.is_read_only.get()
            || self.servers.have_moved_on(pooled.timeline)
            || thread::panicking()
            || pooled.conn.is_broken()
    }
}
