use std::io;
use std::panic::{self, AssertUnwindSafe};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use diesel::connection::SimpleConnection;
use diesel::pg::PgConnection;
use diesel::prelude::*;
use diesel::r2d2::R2D2Connection as _;
use diesel::sql_types::Uuid as SqlUuid;
use plenum_kernel::{ClientId, EndUserId, MeetingId, PortFailure, RoundId, VoteId};
use plenum_voting::{Ballot, BallotBox, CastOutcome, DiscardVoteError, RoundStatus, check_discard};
use tokio::sync::oneshot;
use uuid::Uuid;

use crate::pool::connection_health::has_ended;
use crate::pool::damage::Damage;
use crate::pool::failure::Abort;
use crate::pool::servers::{Connected, Servers};
use crate::pool::settings::SESSION_SETTINGS;
use crate::pool::tenants::{BIND, SEE_ALL};
use crate::schema::{meetings, rounds, votes};
use crate::voting::ballot_batch::{WRITER_SETTINGS, count_or_refuse};
use crate::voting::ballot_metrics::BallotMetrics;
use crate::voting::rows::round_status;
use crate::voting::writing_turn::{Contender, WritingTurn};
use crate::{Db, DbSettings, UrlError};

/// The name of the writers in failures.
const WHAT: &str = "the ballot box";

/// The first and the longest pause of a writer before it connects again.
const BACKOFF: (Duration, Duration) = (Duration::from_millis(100), Duration::from_millis(500));

/// The idle time after which a writer checks its connection before use.
const IDLE: Duration = Duration::from_millis(50);

/// The limits of the queue and the writers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BallotBoxSettings {
    /// The maximum number of ballots that wait for a writer. Further ones are refused, and the voter's screen retries.
    pub queue: usize,
    /// The number of writers, each with its own thread and connection.
    pub writers: usize,
    /// The maximum number of ballots in one statement.
    pub batch: usize,
    /// The time that a batch may take before another writer takes the ballots that wait.
    pub patience: Duration,
}

impl Default for BallotBoxSettings {
    fn default() -> Self {
        // A batch of a hundred ballots takes less than 25 ms. So two write at the same time only if one of them has to wait, or if
        // a single connection is not enough.
        Self { queue: 4_096, writers: 2, batch: 500, patience: Duration::from_millis(25) }
    }
}

/// The reason why the ballot box did not start.
#[derive(Debug, thiserror::Error)]
pub enum StartBallotBoxError {
    /// The address cannot be used.
    #[error(transparent)]
    Url(#[from] UrlError),
    /// The system has no thread for a writer.
    #[error("cannot start a thread for writing ballots")]
    Thread(#[from] io::Error),
}

/// Takes ballots into a bounded queue, from which one writer at a time commits many in one statement. At a low rate each ballot
/// is written at once; under load the batches grow. Another writer takes over when a batch takes long.
///
/// The writers have their own connections, so that no other call can delay voting. When the box is dropped, they write the
/// queue and stop.
pub struct PostgresBallotBox {
    db: Db,
    /// `None` when the box is closed.
    queue: Option<SyncSender<Waiting>>,
    writers: Vec<JoinHandle<()>>,
    metrics: Arc<BallotMetrics>,
}

/// A ballot whose voter waits for the outcome.
struct Waiting {
    ballot: Ballot,
    reply: oneshot::Sender<Result<CastOutcome, PortFailure>>,
}

impl PostgresBallotBox {
    /// Starts the writers on the database of `connection`. A database that is down is no error: ballots fail until it is back.
    /// `db` serves all other calls.
    ///
    /// # Errors
    /// Fails when the address cannot be used, or there is no thread for a writer.
    pub fn start(db: Db, connection: &DbSettings, settings: BallotBoxSettings) -> Result<Self, StartBallotBoxError> {
        let (queue, waiting) = sync_channel(settings.queue);
        let waiting = Arc::new(Mutex::new(waiting));
        let metrics = Arc::new(BallotMetrics::default());
        let turn = WritingTurn::new(settings.patience);
        let servers = Servers::of(&connection.url, &connection.lineage)?;
        let mut writers = Vec::new();
        for number in 1..=settings.writers.max(1) {
            let writer = Writer {
                servers: servers.clone(),
                batch: settings.batch.max(1),
                damage: connection.damage.clone(),
                waiting: Arc::clone(&waiting),
                turn: Arc::clone(&turn),
                metrics: Arc::clone(&metrics),
            };
            writers.push(thread::Builder::new().name(format!("ballots-{number}")).spawn(move || writer.run())?);
        }
        Ok(Self { db, queue: Some(queue), writers, metrics })
    }

    /// The metrics of the ballots and their writers.
    pub fn metrics(&self) -> Arc<BallotMetrics> {
        Arc::clone(&self.metrics)
    }
}

impl Drop for PostgresBallotBox {
    /// Waits until the writers have written the queue, so that the database is not stopped before.
    fn drop(&mut self) {
        self.queue = None;
        for writer in self.writers.drain(..) {
            // A writer that panicked has nothing left to write.
            let _ = writer.join();
        }
    }
}

#[async_trait]
impl BallotBox for PostgresBallotBox {
    async fn cast(&self, ballot: Ballot) -> Result<CastOutcome, PortFailure> {
        let (reply, answer) = oneshot::channel();
        let queue = self.queue.as_ref().ok_or_else(|| PortFailure::busy("the ballot queue"))?;
        // Before a writer can take it out of the queue.
        self.metrics.waiting.inc();
        queue.try_send(Waiting { ballot, reply }).map_err(|refused| {
            self.metrics.waiting.dec();
            match refused {
                TrySendError::Full(_) => {
                    self.metrics.turned_away.inc();
                    PortFailure::busy("the ballot queue")
                }
                TrySendError::Disconnected(_) => PortFailure::new(WHAT, "its writers have stopped"),
            }
        })?;
        answer.await.map_err(|stopped| PortFailure::new(WHAT, stopped))?
    }

    async fn withdraw(&self, round: RoundId, voter: EndUserId) -> Result<bool, PortFailure> {
        const WITHDRAW: &str = "
            WITH open_round AS MATERIALIZED (
                SELECT id FROM rounds WHERE id = $1 AND status = 'OPEN' FOR SHARE
            ), withdrawn AS (
                DELETE FROM votes USING open_round
                WHERE votes.round_id = open_round.id AND votes.end_user_id = $2
                RETURNING votes.round_id
            )";
        self.db
            .platform()
            .transaction(move |conn| {
                let withdrawn = diesel::sql_query(format!("{WITHDRAW} {COUNT_WITHDRAWN}"))
                    .bind::<SqlUuid, _>(round.as_uuid())
                    .bind::<SqlUuid, _>(voter.as_uuid())
                    .execute(conn)?;
                Ok(withdrawn > 0)
            })
            .await
    }

    async fn is_for_tests(&self, round: RoundId) -> Result<bool, PortFailure> {
        self.db
            .platform()
            .run(move |conn| {
                let is_test = rounds::table.find(round.as_uuid()).select(rounds::is_test).first(conn).optional()?;
                Ok(is_test.unwrap_or(false))
            })
            .await
    }

    async fn discard(&self, owner: Option<ClientId>, vote: VoteId) -> Result<MeetingId, DiscardVoteError> {
        const DISCARD: &str =
            "WITH withdrawn AS (DELETE FROM votes WHERE id = $1 AND round_id = $2 RETURNING round_id)";
        let own = owner.map(|owner| self.db.of(owner));
        own.unwrap_or(self.db.platform())
            .transaction(move |conn| {
                let missing = || Abort::Refused(DiscardVoteError::NotFound);
                let (round, meeting) = place_of(conn, owner, vote)?.ok_or_else(missing)?;
                lock_meeting(conn, meeting)?.ok_or_else(missing)?;
                let (is_test, status) = share_round(conn, round)?.ok_or_else(missing)?;
                check_discard(is_test, status).map_err(Abort::Refused)?;
                let discarded = diesel::sql_query(format!("{DISCARD} {COUNT_WITHDRAWN}"))
                    .bind::<SqlUuid, _>(vote.as_uuid())
                    .bind::<SqlUuid, _>(round)
                    .execute(conn)?;
                if discarded > 0 { Ok(MeetingId::from_uuid(meeting)) } else { Err(missing()) }
            })
            .await
    }
}

/// Subtracts the votes that the previous statement deleted. Does not touch the writers' own counters, so that no writer ever
/// waits for it.
const COUNT_WITHDRAWN: &str = "
    INSERT INTO round_counters (round_id, writer, votes_cast)
    SELECT round_id, -1, -1 FROM withdrawn
    ON CONFLICT ON CONSTRAINT round_counters_pkey
        DO UPDATE SET votes_cast = round_counters.votes_cast + excluded.votes_cast";

/// The round of a vote and its meeting, which never change.
fn place_of(conn: &mut PgConnection, owner: Option<ClientId>, vote: VoteId) -> QueryResult<Option<(Uuid, Uuid)>> {
    let mut known = votes::table
        .inner_join(rounds::table.on(rounds::id.eq(votes::round_id)))
        .filter(votes::id.eq(vote.as_uuid()))
        .select((rounds::id, rounds::meeting_id))
        .into_boxed();
    if let Some(owner) = owner {
        known = known.filter(rounds::client_id.eq(owner.as_uuid()));
    }
    known.first(conn).optional()
}

/// Locks the meeting, so that no round of it opens or ends meanwhile.
fn lock_meeting(conn: &mut PgConnection, meeting: Uuid) -> QueryResult<Option<Uuid>> {
    meetings::table.find(meeting).select(meetings::id).for_update().first(conn).optional()
}

/// Locks the round as a ballot does, and returns whether it is a test round.
fn share_round(conn: &mut PgConnection, round: Uuid) -> QueryResult<Option<(bool, RoundStatus)>> {
    let row: Option<(bool, String)> =
        rounds::table.find(round).select((rounds::is_test, rounds::status)).for_share().first(conn).optional()?;
    row.map(|(is_test, status)| Ok((is_test, round_status(&status)?))).transpose()
}

/// A connection that writes ballots. A batch has ballots of several clients, so it sees all rows; each ballot names its round.
pub(crate) fn connect(servers: &Servers) -> Result<Connected, ConnectionError> {
    let mut connected = servers.connect()?;
    let settings = format!("{SESSION_SETTINGS}; {WRITER_SETTINGS}; {BIND}; {SEE_ALL}");
    connected.conn.batch_execute(&settings).map_err(ConnectionError::CouldntSetupConfiguration)?;
    Ok(connected)
}

/// A thread that writes ballots.
struct Writer {
    servers: Servers,
    batch: usize,
    damage: Damage,
    waiting: Arc<Mutex<Receiver<Waiting>>>,
    turn: Arc<WritingTurn>,
    metrics: Arc<BallotMetrics>,
}

/// The reason why a writer stops writing.
enum Pause {
    /// Its connection failed.
    Failed,
    /// The box was dropped and the queue is empty.
    Closed,
}

impl Writer {
    fn run(&self) {
        let mut backoff = BACKOFF.0;
        loop {
            match connect(&self.servers) {
                Ok(mut connected) => {
                    backoff = BACKOFF.0;
                    self.metrics.connected.inc();
                    let pause = self.write(&mut connected);
                    self.metrics.connected.dec();
                    if let Pause::Closed = pause {
                        return;
                    }
                }
                Err(error) => {
                    tracing::warn!(error = %error, "cannot connect to write ballots");
                    if let Pause::Closed = self.back_off(backoff, &Arc::new(error)) {
                        return;
                    }
                    backoff = (backoff * 2).min(BACKOFF.1);
                }
            }
        }
    }

    /// Writes batch after batch until the connection fails or the box is closed.
    fn write(&self, connected: &mut Connected) -> Pause {
        let mut last_used = Instant::now();
        let turn = self.turn.contender();
        while let Some(batch) = self.take_batch(&turn) {
            if (last_used.elapsed() > IDLE || has_ended(&mut connected.conn) || self.is_left_behind(connected))
                && let Err(error) = self.revive(connected)
            {
                tracing::warn!(error = %error, ballots = batch.len(), "ballots could not be written");
                let (answers, cause) = (vec![None; batch.len()], Arc::new(error));
                self.reply(batch, answers, || PortFailure::new(WHAT, Arc::clone(&cause)));
                return Pause::Failed;
            }
            let ballots: Vec<&Ballot> = batch.iter().map(|waiting| &waiting.ballot).collect();
            let mut answers = vec![None; batch.len()];
            let begun = Instant::now();
            let outcome =
                panic::catch_unwind(AssertUnwindSafe(|| count_or_refuse(&mut connected.conn, &ballots, &mut answers)));
            last_used = Instant::now();
            self.metrics.batch_size.observe(batch.len() as f64);
            self.metrics.write_time.observe(begun.elapsed().as_secs_f64());
            match outcome {
                Ok(Ok(())) => {
                    self.reply(batch, answers, || PortFailure::new(WHAT, "a ballot was refused for no reason"));
                    turn.end_batch();
                }
                Ok(Err(error)) => {
                    tracing::warn!(error = %error, ballots = batch.len(), "ballots could not be written");
                    let is_damaged = self.damage.is_reported_by(&error);
                    let cause = Arc::new(error);
                    let of = if is_damaged { PortFailure::damaged } else { PortFailure::new };
                    self.reply(batch, answers, || of(WHAT, Arc::clone(&cause)));
                    return Pause::Failed;
                }
                // The thread survives a panic; the panic hook has logged it.
                Err(_) => {
                    self.reply(batch, answers, || PortFailure::new(WHAT, "the writer panicked"));
                    return Pause::Failed;
                }
            }
        }
        Pause::Closed
    }

    /// Replaces a connection that died while idle before it is used, so that a restart of the database costs no ballot, or
    /// whose server was demoted.
    fn revive(&self, connected: &mut Connected) -> Result<(), ConnectionError> {
        if self.is_left_behind(connected) || connected.conn.ping().is_err() {
            *connected = connect(&self.servers)?;
        }
        Ok(())
    }

    fn is_left_behind(&self, connected: &Connected) -> bool {
        self.servers.have_moved_on(connected.timeline)
    }

    /// Waits for the turn and a ballot, and takes all others that wait. `None` when the box is closed.
    fn take_batch(&self, turn: &Contender) -> Option<Vec<Waiting>> {
        turn.wait();
        let waiting = self.waiting();
        let first = waiting.recv().ok()?;
        turn.begin_batch();
        let batch: Vec<Waiting> = [first].into_iter().chain(waiting.try_iter()).take(self.batch).collect();
        self.metrics.waiting.dec_by(i64::try_from(batch.len()).unwrap_or(i64::MAX));
        Some(batch)
    }

    /// Waits for `pause`. Refuses ballots meanwhile, unless another writer takes them: a quick refusal is better than no
    /// response.
    fn back_off(&self, pause: Duration, error: &Arc<ConnectionError>) -> Pause {
        const LOOK: Duration = Duration::from_millis(100);
        let until = Instant::now() + pause;
        loop {
            let left = until.saturating_duration_since(Instant::now()).min(LOOK);
            if left.is_zero() {
                return Pause::Failed;
            }
            if self.metrics.connected.get() > 0 {
                thread::park_timeout(left);
                continue;
            }
            let waiting = self.waiting();
            // Another writer may have connected, and held the queue while it waited for a ballot.
            if self.metrics.connected.get() > 0 {
                continue;
            }
            match waiting.recv_timeout(left) {
                Ok(refused) => {
                    self.metrics.waiting.dec();
                    self.reply(vec![refused], vec![None], || PortFailure::new(WHAT, Arc::clone(error)));
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Pause::Closed,
            }
        }
    }

    fn waiting(&self) -> MutexGuard<'_, Receiver<Waiting>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Responds to all; `failure` is for ballots without an outcome.
    fn reply(&self, batch: Vec<Waiting>, answers: Vec<Option<CastOutcome>>, failure: impl Fn() -> PortFailure) {
        for (waiting, answer) in batch.into_iter().zip(answers) {
            self.metrics.answered(answer.as_ref());
            // The caller may have disconnected.
            drop(waiting.reply.send(answer.ok_or_else(&failure)));
        }
    }
}
