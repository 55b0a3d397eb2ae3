use std::io;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use plenum_clients::{Turn, TurnAnswer};
use plenum_kernel::{PortFailure, SignInTicket};
use tokio::sync::oneshot;

use crate::hashing::job::{Full, Job, JobKind, NextJob, Place};
use crate::hashing::queue::HashingQueue;

/// The name of this dependency in failures.
pub(crate) const WHAT: &str = "password checking";

/// A fixed number of threads with the lowest priority, behind a bounded queue.
///
/// The threads end after the last accepted job, once this value is dropped.
pub(crate) struct HashingThreads {
    shared: Arc<Shared>,
}

struct Shared {
    state: Mutex<State>,
    /// Notified when a job joins the queue, and when the threads should end.
    changed: Condvar,
}

struct State {
    queue: HashingQueue,
    is_over: bool,
}

impl HashingThreads {
    /// Starts at least one thread, with a queue for at least one job. `guess` is the estimated duration of a check.
    pub(crate) fn start(threads: usize, capacity: usize, guess: Duration) -> io::Result<Self> {
        let threads = threads.max(1);
        let state = State { queue: HashingQueue::new(capacity, threads, guess), is_over: false };
        let shared = Arc::new(Shared { state: Mutex::new(state), changed: Condvar::new() });
        // Dropped when a thread does not start, which ends the others.
        let started = Self { shared };
        for number in 0..threads {
            let shared = Arc::clone(&started.shared);
            thread::Builder::new().name(format!("password-{number}")).spawn(move || run_jobs(&shared))?;
        }
        Ok(started)
    }

    /// Checks a password when its turn comes, unless the turn is given up before.
    pub(crate) async fn check<T: Send + 'static>(
        &self,
        turn: Turn,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, PortFailure> {
        self.run(JobKind::Check, turn, work).await
    }

    /// Makes a new hash besides the checks, unless the caller leaves before.
    pub(crate) async fn make<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, PortFailure> {
        self.run(JobKind::NewHash, Turn::anonymous(), work).await
    }

    /// The position of a check.
    pub(crate) fn place(&self, ticket: Option<SignInTicket>) -> Place {
        self.shared.state().queue.place(ticket)
    }

    async fn run<T: Send + 'static>(
        &self,
        kind: JobKind,
        turn: Turn,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, PortFailure> {
        let (reply, answer) = oneshot::channel();
        // Closed when the caller's future is dropped.
        let reply = Arc::new(Mutex::new(Some(reply)));
        let (asked, left) = (Arc::clone(&reply), Arc::clone(&reply));
        let job = Job {
            ticket: turn.ticket,
            has_left: Box::new(move || !is_waited_for(&left) || (turn.has_left)()),
            answer: Box::new(move || if is_waited_for(&asked) { (turn.answer)() } else { TurnAnswer::Gone }),
            work: Box::new(move || {
                let done = work();
                if let Some(reply) = lock(&reply).take() {
                    // A caller who has left does not need the result.
                    let _ = reply.send(done);
                }
            }),
        };
        self.shared.join(kind, job).map_err(busy)?;
        self.shared.changed.notify_one();
        // No result: the turn was given up, or the job was evicted.
        answer.await.map_err(|_| busy(self.shared.state().queue.full(kind)))
    }
}

fn busy(full: Full) -> PortFailure {
    PortFailure::busy_for(WHAT, full.retry_after)
}

/// Blocks all threads of a hasher until it is dropped.
#[cfg(any(test, feature = "testkit"))]
#[derive(Debug)]
pub struct HeldThreads {
    _let_go: Vec<oneshot::Sender<()>>,
}

#[cfg(any(test, feature = "testkit"))]
impl HashingThreads {
    /// Blocks each thread. The queue must have space for new hashes.
    pub(crate) async fn hold(&self) -> HeldThreads {
        let number = self.shared.state().queue.threads();
        let mut release = Vec::new();
        for _ in 0..number {
            let (keep, held) = oneshot::channel::<()>();
            let (begin, has_begun) = oneshot::channel();
            self.shared.run_always(move || {
                // The test may have dropped it.
                let _ = begin.send(());
                // Only ever dropped.
                let _ = held.blocking_recv();
            });
            release.push(keep);
            let _ = has_begun.await;
        }
        HeldThreads { _let_go: release }
    }
}

#[cfg(any(test, feature = "testkit"))]
impl Shared {
    /// Runs this in its turn, also without a caller.
    fn run_always(&self, work: impl FnOnce() + Send + 'static) {
        let (has_left, answer) = (Box::new(|| false), Box::new(|| TurnAnswer::Wanted));
        let joined = self.join(JobKind::NewHash, Job { ticket: None, has_left, answer, work: Box::new(work) });
        assert!(joined.is_ok(), "there is no capacity");
        self.changed.notify_one();
    }
}

impl Drop for HashingThreads {
    fn drop(&mut self) {
        self.shared.state().is_over = true;
        self.shared.changed.notify_all();
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    fn join(&self, kind: JobKind, job: Job) -> Result<(), Full> {
        let Err(job) = self.state().queue.join(kind, job) else { return Ok(()) };
        self.sweep(kind);
        let mut state = self.state();
        // A caller who has left evicts nobody.
        if (job.has_left)() {
            return Err(state.queue.full(kind));
        }
        state.queue.evict(kind);
        state.queue.join(kind, job).map_err(|_| state.queue.full(kind))
    }

    /// Sweeps the queue, and releases the lock in between.
    fn sweep(&self, kind: JobKind) {
        let now = Instant::now();
        let mut sweep = self.state().queue.begin_sweep(kind, now);
        while let Some(unfinished) = sweep {
            sweep = self.state().queue.sweep(unfinished, now);
        }
    }

    /// Waits for the next job; `None` when there will be no more.
    fn next(&self) -> Option<(JobKind, Job)> {
        loop {
            let mut state = self.state();
            match state.queue.next(Instant::now()) {
                NextJob::Found(kind, job) => return Some((kind, job)),
                // Other threads take the lock now. They are awake by the time that this thread runs again.
                NextJob::Unfinished => {
                    drop(state);
                    thread::yield_now();
                }
                NextJob::Nothing if state.is_over => return None,
                NextJob::Nothing => self.wait(state),
            }
        }
    }

    /// Waits for a notification, or until delayed jobs are asked again.
    fn wait(&self, state: MutexGuard<'_, State>) {
        let Some(next_ask_at) = state.queue.next_ask_at() else {
            drop(self.changed.wait(state));
            return;
        };
        drop(self.changed.wait_timeout(state, next_ask_at.saturating_duration_since(Instant::now())));
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn is_waited_for<T>(reply: &Mutex<Option<oneshot::Sender<T>>>) -> bool {
    lock(reply).as_ref().is_some_and(|reply| !reply.is_closed())
}

fn run_jobs(shared: &Shared) {
    lower_priority();
    while let Some((kind, job)) = shared.next() {
        let since = Instant::now();
        // The thread survives a panic of a job. The caller learns that there is no result.
        let _ = panic::catch_unwind(AssertUnwindSafe(job.work));
        shared.state().queue.done(kind, since.elapsed());
    }
}

/// Gives precedence to all other threads. Linux counts niceness by thread. On other systems it would apply to the whole
/// process, so the priority is not lowered there.
///
/// The threads get the lowest niceness, and not the class of idle threads. While other programs keep all cores busy,
/// idle threads get almost no time, and no one could sign in to examine the problem.
fn lower_priority() {
    #[cfg(target_os = "linux")]
    #[expect(unsafe_code, reason = "no crate of ours wraps nice(2)")]
    // SAFETY: the call takes and returns a number, and touches no memory.
    unsafe {
        // A refusal must not stop password checks. Larger values count as the lowest.
        nix::libc::nice(19);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::mpsc;

    use super::*;

    const GUESS: Duration = Duration::from_millis(1);
    /// The longest time that a test waits.
    const PATIENCE: Duration = Duration::from_secs(60);

    fn threads(number: usize, capacity: usize) -> HashingThreads {
        HashingThreads::start(number, capacity, GUESS).unwrap()
    }

    fn wanted() -> Turn {
        Turn::anonymous()
    }

    #[tokio::test]
    async fn a_job_runs_and_returns_its_result() {
        let threads = threads(2, 4);
        assert_eq!(threads.check(wanted(), || 6 * 7).await.unwrap(), 42);
        assert_eq!(threads.make(|| 6 * 7).await.unwrap(), 42);
    }

    #[tokio::test]
    async fn a_full_queue_refuses_at_once_with_a_time_to_retry() {
        let threads = threads(1, 1);
        let held = threads.hold().await;
        let mut second = Box::pin(threads.check(wanted(), || "second"));
        assert!(futures_poll_once(&mut second).await.is_none());

        let refused = threads.check(wanted(), || "third").await.unwrap_err();

        assert_eq!(refused.to_string(), "password checking is unavailable");
        assert_eq!(refused.retry_after(), Some(GUESS));
        drop(held);
        assert_eq!(second.await.unwrap(), "second");
    }

    #[tokio::test]
    async fn the_job_of_a_caller_who_has_left_does_not_run() {
        let threads = threads(1, 2);
        let held = threads.hold().await;
        let (worked, has_worked) = mpsc::channel::<&str>();
        let mut second = Box::pin(threads.check(wanted(), move || worked.send("second").unwrap()));
        assert!(futures_poll_once(&mut second).await.is_none());

        drop(second);
        drop(held);

        threads.check(wanted(), || ()).await.unwrap();
        assert!(has_worked.recv().is_err());
    }

    #[tokio::test]
    async fn a_job_that_gives_up_its_turn_does_not_run() {
        let threads = threads(1, 2);
        for turn in [
            Turn { answer: Box::new(|| TurnAnswer::Gone), ..wanted() },
            Turn { has_left: Box::new(|| true), ..wanted() },
        ] {
            assert!(threads.check(turn, || unreachable!("it is not wanted")).await.is_err());
        }
    }

    #[tokio::test]
    async fn a_delayed_job_runs_once_it_is_ready() {
        let threads = threads(1, 2);
        let is_wanted = Arc::new(AtomicBool::new(false));
        let asked = Arc::clone(&is_wanted);
        let answer = move || if asked.load(Ordering::Relaxed) { TurnAnswer::Wanted } else { TurnAnswer::NotYet };
        let mut delayed = Box::pin(threads.check(Turn { answer: Box::new(answer), ..wanted() }, || "at last"));
        assert!(futures_poll_once(&mut delayed).await.is_none());
        assert_eq!(threads.check(wanted(), || "before").await.unwrap(), "before");
        is_wanted.store(true, Ordering::Relaxed);
        // Nothing notifies the thread.
        assert_eq!(tokio::time::timeout(PATIENCE, delayed).await.unwrap().unwrap(), "at last");
    }

    #[tokio::test]
    async fn a_delayed_job_is_evicted_from_a_full_queue_with_a_time_to_retry() {
        let threads = threads(1, 1);
        let turn = Turn { answer: Box::new(|| TurnAnswer::NotYet), ..wanted() };
        let mut delayed = Box::pin(threads.check(turn, || unreachable!("it is not wanted yet")));
        assert!(futures_poll_once(&mut delayed).await.is_none());
        // The thread has asked the delayed job before it runs a later one.
        threads.make(|| ()).await.unwrap();
        let held = threads.hold().await;
        let mut second = Box::pin(threads.check(wanted(), || "second"));
        assert!(futures_poll_once(&mut second).await.is_none());
        assert_eq!(delayed.await.unwrap_err().retry_after(), Some(GUESS));
        drop(held);
        assert_eq!(second.await.unwrap(), "second");
    }

    #[tokio::test]
    async fn accepted_jobs_run_before_the_threads_end() {
        let threads = threads(2, 2);
        let shared = Arc::clone(&threads.shared);
        let held = threads.hold().await;
        let (worked, mut has_worked) = oneshot::channel();
        shared.run_always(move || worked.send(()).unwrap());
        drop(threads);
        assert!(shared.state().is_over);
        drop(held);
        let deadline = Instant::now() + PATIENCE;
        while Arc::strong_count(&shared) > 1 {
            assert!(Instant::now() < deadline, "the threads have not ended");
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        assert!(has_worked.try_recv().is_ok());
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn only_the_hashing_threads_have_the_lowest_priority() {
        let threads = threads(1, 1);
        let before = niceness();
        assert_eq!(threads.check(wanted(), niceness).await.unwrap(), 19);
        assert_eq!(niceness(), before);
    }

    #[cfg(target_os = "linux")]
    fn niceness() -> i64 {
        let stat = std::fs::read_to_string("/proc/thread-self/stat").unwrap();
        let (_, fields) = stat.rsplit_once(')').unwrap();
        // Field 19 of proc(5). The first two come before the parenthesis.
        fields.split_whitespace().nth(16).unwrap().parse().unwrap()
    }

    async fn futures_poll_once<F: Future + Unpin>(future: &mut F) -> Option<F::Output> {
        std::future::poll_fn(|context| match std::pin::Pin::new(&mut *future).poll(context) {
            std::task::Poll::Ready(output) => std::task::Poll::Ready(Some(output)),
            std::task::Poll::Pending => std::task::Poll::Ready(None),
        })
        .await
    }
}
