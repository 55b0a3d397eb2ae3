//! The servers of a database address. If it names several, one of them is the primary, and the others take over when it is lost.
//!
//! PostgreSQL counts how often a standby has taken over: each promotion begins a new timeline. A server with an older timeline
//! was demoted, even if it does not know yet and still accepts writes. So no connection to it is made, and those that exist are
//! closed. All servers are asked before a connection is made, and again every two seconds: a demoted server may be back before
//! the new primary was ever used.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use diesel::pg::PgConnection;
use diesel::prelude::*;
use diesel::result::{ConnectionError, ConnectionResult};
use diesel::sql_types::Integer;

use crate::UrlError;
use crate::pool::url;

/// How the error begins if there are several servers and none accepts writes.
const NO_PRIMARY: &str = "no server of the database accepts writes";

/// The number of the timeline on which a server writes. Readable for every user; it fails on a standby, and on services that
/// only speak PostgreSQL's protocol.
const TIMELINE: &str =
    "SELECT ('x' || substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8))::bit(32)::int AS timeline";

/// The time between two looks at all servers.
const LOOK_EVERY: Duration = Duration::from_secs(2);

/// The time for which a look waits for servers. Nobody waits longer for a server that is gone; what a slower one says counts from
/// the next look on.
const PATIENCE: Duration = Duration::from_secs(1);

/// What this process knows of the servers' timelines, shared by all its connections.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lineage(Arc<Known>);

#[derive(Debug, Default)]
struct Known {
    /// The highest timeline that was seen.
    highest: AtomicU32,
    /// The time at which the last look at all servers began.
    looked: Mutex<Option<Instant>>,
    /// Whether a thread looks from time to time.
    is_watched: AtomicBool,
}

impl Lineage {
    /// Whether a server with this timeline was demoted.
    fn is_past(&self, timeline: u32) -> bool {
        timeline < self.0.highest.load(Ordering::Acquire)
    }

    /// Records a timeline, unless a higher one is known.
    fn admit(&self, timeline: u32) -> Result<(), u32> {
        let known = self.0.highest.fetch_max(timeline, Ordering::AcqRel);
        if known > timeline {
            return Err(known);
        }
        if known > 0 && known < timeline {
            tracing::warn!(timeline, "another server of the database is the primary now");
        }
        Ok(())
    }

    /// Learns the timeline of every server that answers soon. Blocks. Of several callers at once, one looks, and the others wait
    /// for it. A look that began before the call does not count: a server may have been promoted since.
    fn look_at(&self, addresses: &[String]) {
        let called = Instant::now();
        let mut looked = self.0.looked.lock().unwrap_or_else(PoisonError::into_inner);
        if looked.is_some_and(|began| began >= called) {
            return;
        }
        let began = Instant::now();
        let (sender, answers) = mpsc::channel();
        for address in addresses {
            let (address, sender) = (address.clone(), sender.clone());
            thread::spawn(move || {
                // Once more, because a promotion may have ended the session just when it was asked. Without the answer of the new
                // primary, a former one that is back would be believed.
                let timeline = ask(&address).or_else(|| ask(&address));
                // The look may be over.
                let _ = sender.send(timeline);
            });
        }
        drop(sender);
        let deadline = began + PATIENCE;
        while let Ok(timeline) = answers.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            if let Some(timeline) = timeline {
                let _ = self.admit(timeline);
            }
        }
        *looked = Some(began);
    }

    /// Looks at the servers from time to time, until nobody uses what is known of them.
    fn watch(&self, addresses: &Arc<[String]>) {
        if self.0.is_watched.swap(true, Ordering::AcqRel) {
            return;
        }
        let (known, addresses): (Weak<Known>, _) = (Arc::downgrade(&self.0), Arc::clone(addresses));
        thread::spawn(move || {
            loop {
                thread::park_timeout(LOOK_EVERY);
                let Some(known) = known.upgrade() else { return };
                Self(known).look_at(&addresses);
            }
        });
    }
}

/// The servers of one address, best first.
#[derive(Clone)]
pub(crate) struct Servers {
    /// The settings of libpq for each server.
    addresses: Arc<[String]>,
    /// The place of the server that accepted the last connection.
    last: Arc<AtomicUsize>,
    lineage: Lineage,
}

/// A connection to a server that accepts writes.
pub(crate) struct Connected {
    pub(crate) conn: PgConnection,
    /// The timeline at that time. `None` with a single server, and where it cannot be read.
    pub(crate) timeline: Option<u32>,
}

impl Servers {
    /// The servers of an address. `lineage` is shared by all connections of a process.
    ///
    /// # Errors
    /// Fails when the address cannot be used.
    pub(crate) fn of(url: &str, lineage: &Lineage) -> Result<Self, UrlError> {
        let addresses: Arc<[String]> = url::servers(url)?.into();
        if addresses.len() > 1 {
            lineage.watch(&addresses);
        }
        Ok(Self { addresses, last: Arc::default(), lineage: lineage.clone() })
    }

    /// Connects to the server that accepts writes, at first to the last known one. Blocks.
    ///
    /// # Errors
    /// Fails when there is none, with the reason of each server.
    pub(crate) fn connect(&self) -> ConnectionResult<Connected> {
        let number = self.addresses.len();
        if number > 1 {
            self.lineage.look_at(&self.addresses);
        }
        let first = self.last.load(Ordering::Relaxed);
        let mut reasons = Vec::new();
        for place in (0..number).map(|step| (first + step) % number) {
            match self.connect_to(place) {
                Ok(connected) => {
                    self.last.store(place, Ordering::Relaxed);
                    return Ok(connected);
                }
                Err(error) if number == 1 => return Err(error),
                Err(error) => reasons.push(error.to_string()),
            }
        }
        Err(ConnectionError::BadConnection(format!("{NO_PRIMARY}: {}", reasons.join("; "))))
    }

    /// Whether the server of a connection was demoted since.
    pub(crate) fn have_moved_on(&self, timeline: Option<u32>) -> bool {
        timeline.is_some_and(|timeline| self.lineage.is_past(timeline))
    }

    fn connect_to(&self, place: usize) -> ConnectionResult<Connected> {
        let mut conn = PgConnection::establish(&self.addresses[place])?;
        if self.addresses.len() == 1 {
            return Ok(Connected { conn, timeline: None });
        }
        let timeline = timeline_of(&mut conn);
        if let Some(timeline) = timeline
            && let Err(known) = self.lineage.admit(timeline)
        {
            return Err(ConnectionError::BadConnection(format!(
                "server {} of the address was demoted: it writes timeline {timeline}, and timeline {known} was seen on another \
                 one (if that is wrong, restart Plenum)",
                place + 1
            )));
        }
        Ok(Connected { conn, timeline })
    }
}

/// Asks a server for its timeline. `None` if it does not answer, or does not say.
fn ask(address: &str) -> Option<u32> {
    PgConnection::establish(address).ok().and_then(|mut conn| timeline_of(&mut conn))
}

fn timeline_of(conn: &mut PgConnection) -> Option<u32> {
    #[derive(QueryableByName)]
    struct Row {
        #[diesel(sql_type = Integer)]
        timeline: i32,
    }
    let row: QueryResult<Row> = diesel::sql_query(TIMELINE).get_result(conn);
    match row {
        Ok(row) => u32::try_from(row.timeline).ok(),
        Err(error) => {
            tracing::debug!(%error, "cannot read the database's timeline");
            None
        }
    }
}

/// Whether an error of [`Servers::connect`] says that no server accepts writes.
pub(crate) fn lacks_primary(error: &dyn std::error::Error) -> bool {
    error.to_string().contains(NO_PRIMARY)
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    #[test]
    fn a_timeline_that_is_older_than_a_known_one_is_not_admitted() {
        let lineage = Lineage::default();
        assert_eq!(lineage.admit(3), Ok(()));
        assert_eq!(lineage.admit(3), Ok(()));
        assert!(!lineage.is_past(3));
        assert_eq!(lineage.admit(5), Ok(()));
        assert!(lineage.is_past(3) && !lineage.is_past(5));
        assert_eq!(lineage.admit(3), Err(5));
    }

    #[test]
    fn a_server_that_ends_the_session_of_a_look_is_asked_once_more() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let sessions = Arc::new(AtomicUsize::new(0));
        let accepted = Arc::clone(&sessions);
        // Not joined: it waits for further sessions for ever.
        thread::spawn(move || {
            for session in listener.incoming() {
                accepted.fetch_add(1, Ordering::SeqCst);
                drop(session);
            }
        });
        let address = format!("postgres://plenum@127.0.0.1:{port}/plenum?sslmode=disable&gssencmode=disable");
        Lineage::default().look_at(&[address]);
        assert_eq!(sessions.load(Ordering::SeqCst), 2);
    }

    #[test]
    fn servers_that_do_not_answer_are_all_named() {
        // Nothing listens on the port of multiplexers, and no other process gets it.
        let url = "postgres://plenum@127.0.0.1:1,localhost:1/plenum?connect_timeout=2";
        let servers = Servers::of(url, &Lineage::default()).unwrap();
        let error = servers.connect().err().expect("nothing listens");
        assert!(lacks_primary(&error), "{error}");
        assert!(error.to_string().matches("refused").count() >= 2, "{error}");
        let single = Servers::of("postgres://plenum@127.0.0.1:1/plenum", &Lineage::default()).unwrap();
        let error = single.connect().err().expect("nothing listens");
        assert!(!lacks_primary(&error), "{error}");
    }
}
