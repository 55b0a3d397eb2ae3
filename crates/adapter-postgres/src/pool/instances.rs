//! The lock by which an instance notices others on its database (decision 118).
//!
//! An instance that exchanges no messages holds it exclusively. Instances that exchange messages share it. The lock belongs to a
//! session of PostgreSQL, so it ends with the process, and with a server that another one replaces. It is then taken again.

use std::fmt;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use diesel::connection::SimpleConnection as _;
use diesel::pg::PgConnection;
use diesel::result::QueryResult;
use diesel::sql_types::{Bool, Integer, Nullable, Text};
use diesel::{QueryableByName, RunQueryDsl as _};

use crate::pool::migrations::{MigrationError, with_own_connection};
use crate::pool::servers::{Connected, Servers};
use crate::pool::settings::DbSettings;

/// The time between two looks at the session of the lock.
const LOOK_EVERY: Duration = Duration::from_secs(2);

/// The settings of the session. PostgreSQL ends it soon after the last look, because a machine that is gone closes no connection.
const SESSION: &str = "SET timezone = 'UTC'; SET statement_timeout = '10s'; SET idle_session_timeout = '20s'";

/// The time for which the lock may be out of reach without a line in the log: the own former session may still end.
const PATIENCE: Duration = Duration::from_secs(30);

/// The time between two lines about other instances.
const REPORT_EVERY: Duration = Duration::from_secs(60);

/// The sessions with the lock, one for each schema. The first number of the lock is "plei" in ASCII.
const HOLDERS: &str = "
    SELECT held.mode = 'ExclusiveLock' AS is_alone, held.pid AS session,
        CASE WHEN seen.client_port = -1 THEN 'the machine of the database' ELSE host(seen.client_addr) END AS origin,
        to_char(seen.backend_start AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS') || ' UTC' AS since
    FROM pg_locks AS held LEFT JOIN pg_stat_activity AS seen ON seen.pid = held.pid
    WHERE held.locktype = 'advisory' AND held.granted AND held.objsubid = 2
        AND held.database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND held.classid = 1886152041::oid
        AND held.objid = (hashtext(coalesce(current_schema()::text, ''))::bigint & 4294967295)::oid
    ORDER BY held.pid";

/// With whom an instance shares its database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// With nobody, because it exchanges no messages.
    Alone,
    /// With instances that exchange messages with it.
    WithOthers,
}

impl Sharing {
    /// The statement that takes the lock, unless others exclude it.
    const fn statement(self) -> &'static str {
        match self {
            Self::Alone => {
                "SELECT pg_try_advisory_lock(1886152041, hashtext(coalesce(current_schema()::text, ''))) AS answer"
            }
            Self::WithOthers => {
                "SELECT pg_try_advisory_lock_shared(1886152041, hashtext(coalesce(current_schema()::text, ''))) AS answer"
            }
        }
    }
}

/// An instance that serves a database.
#[derive(Clone, Debug, PartialEq, Eq, QueryableByName)]
pub struct ServingInstance {
    /// Whether it exchanges no messages with others.
    #[diesel(sql_type = Bool)]
    pub is_alone: bool,
    #[diesel(sql_type = Integer)]
    session: i32,
    /// Where its session comes from. Only visible to the same login and to superusers.
    #[diesel(sql_type = Nullable<Text>)]
    origin: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    since: Option<String>,
}

impl fmt::Display for ServingInstance {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "session {} of PostgreSQL", self.session)?;
        for (word, text) in [("from", &self.origin), ("since", &self.since)] {
            if let Some(text) = text {
                write!(formatter, " {word} {text}")?;
            }
        }
        Ok(())
    }
}

/// The lock of an instance that serves. Dropping it releases it a moment later.
pub struct InstanceLock {
    /// Ends the thread that holds the session.
    _released: Sender<()>,
}

/// The outcome of an attempt to take the lock.
pub enum LockAttempt {
    /// This instance may serve.
    Taken(InstanceLock),
    /// Others serve the database, in a way that excludes this instance. Empty if they ended a moment ago.
    Excluded(Vec<ServingInstance>),
}

impl InstanceLock {
    /// Takes the lock, unless others exclude it. Afterwards a lost session is replaced in the background.
    ///
    /// # Errors
    /// Fails when the database cannot be reached.
    pub async fn take(settings: &DbSettings, sharing: Sharing) -> Result<LockAttempt, MigrationError> {
        let servers = Servers::of(&settings.url, &settings.lineage)?;
        tokio::task::spawn_blocking(move || {
            Ok(match attempt(&servers, sharing)? {
                Attempt::Taken(session) => LockAttempt::Taken(Keeper::start(servers, sharing, session)),
                Attempt::Excluded(others) => LockAttempt::Excluded(others),
            })
        })
        .await?
    }
}

/// The instances that serve a database now, without those of versions that take no lock.
///
/// # Errors
/// Fails when the database cannot be reached.
pub async fn serving_instances(url: &str) -> Result<Vec<ServingInstance>, MigrationError> {
    with_own_connection(url, |conn| Ok(holders(conn)?)).await
}

/// The outcome of an attempt, with the session that has the lock.
enum Attempt {
    Taken(Connected),
    Excluded(Vec<ServingInstance>),
}

#[derive(QueryableByName)]
struct Answer {
    #[diesel(sql_type = Bool)]
    answer: bool,
}

/// Blocks.
fn attempt(servers: &Servers, sharing: Sharing) -> Result<Attempt, MigrationError> {
    let mut session = servers.connect()?;
    session.conn.batch_execute(SESSION)?;
    let taken: Answer = diesel::sql_query(sharing.statement()).get_result(&mut session.conn)?;
    Ok(if taken.answer { Attempt::Taken(session) } else { Attempt::Excluded(holders(&mut session.conn)?) })
}

fn holders(conn: &mut PgConnection) -> QueryResult<Vec<ServingInstance>> {
    diesel::sql_query(HOLDERS).load(conn)
}

/// Holds the lock on a thread of its own, until it is released.
struct Keeper {
    servers: Servers,
    sharing: Sharing,
    session: Option<Connected>,
    /// Since when the lock cannot be taken again.
    excluded_since: Option<Instant>,
    reported_at: Option<Instant>,
}

impl Keeper {
    fn start(servers: Servers, sharing: Sharing, session: Connected) -> InstanceLock {
        let (release, released) = channel();
        let keeper = Self { servers, sharing, session: Some(session), excluded_since: None, reported_at: None };
        thread::spawn(move || keeper.run(&released));
        InstanceLock { _released: release }
    }

    fn run(mut self, released: &Receiver<()>) {
        while released.recv_timeout(LOOK_EVERY) == Err(RecvTimeoutError::Timeout) {
            self.look();
        }
    }

    /// Takes the lock again if its session is lost.
    fn look(&mut self) {
        let servers = &self.servers;
        let lives = |session: &mut Connected| {
            !servers.have_moved_on(session.timeline) && session.conn.batch_execute("SELECT 1").is_ok()
        };
        if self.session.as_mut().is_some_and(lives) {
            return;
        }
        // Closed first: a session that lives on at a demoted server is of no use.
        self.session = None;
        match attempt(&self.servers, self.sharing) {
            Ok(Attempt::Taken(session)) => {
                self.session = Some(session);
                self.excluded_since = None;
                if self.reported_at.take().is_some() {
                    tracing::info!("no other instance excludes this one from the database any more");
                }
            }
            Ok(Attempt::Excluded(others)) => self.report(&others),
            // The pools report a database that does not respond.
            Err(error) => tracing::debug!(%error, "cannot take the lock of instances again"),
        }
    }

    fn report(&mut self, others: &[ServingInstance]) {
        let since = *self.excluded_since.get_or_insert_with(Instant::now);
        let is_due = self.reported_at.is_none_or(|at| at.elapsed() >= REPORT_EVERY);
        if since.elapsed() < PATIENCE || !is_due {
            return;
        }
        self.reported_at = Some(Instant::now());
        let others: Vec<String> = others.iter().map(ToString::to_string).collect();
        tracing::error!(
            others = others.join(", "),
            "another instance serves this database and exchanges no messages with this one, so secret votes may become void. \
             Stop one of them, or set the same PLENUM_NATS_URL for both"
        );
    }
}
